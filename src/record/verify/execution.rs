//! What the provenance graph of an execution says about the program and its plan.

use std::collections::BTreeMap;
use std::io::Read;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::NamedOrBlankNode;

use serde::Serialize;

use crate::base::error::{Error, Result};
use crate::base::model::Model;
use crate::base::vocab::{dct, prov, qassay, spdx};
use crate::profiles::Profile;
use crate::record::publish::kinds::GraphKind;
use crate::record::publish::provenance::{self, Cast};
use crate::sources::input::term;

/// A build of the program: its version, and its commit where the build knew it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Build {
    /// The version.
    pub version: String,
    /// The commit.
    pub commit: Option<String>,
}

impl Build {
    /// The build that runs.
    pub fn this() -> Self {
        Self::named(&provenance::build())
    }

    /// The build that `VERSION` or `VERSION+COMMIT` names.
    fn named(name: &str) -> Self {
        match name.split_once('+') {
            Some((version, commit)) => Self { version: version.to_owned(), commit: Some(commit.to_owned()) },
            None => Self { version: name.to_owned(), commit: None },
        }
    }

    /// `VERSION` or `VERSION+COMMIT`.
    pub fn name(&self) -> String {
        match &self.commit {
            Some(commit) => format!("{}+{commit}", self.version),
            None => self.version.clone(),
        }
    }

    /// Whether another build cannot have the same name: a version alone names many.
    pub fn is_exact(&self) -> bool {
        self.commit.is_some()
    }

    /// For people.
    pub fn text(&self) -> String {
        let commit = self.commit.as_deref().map_or("an unnamed commit".to_owned(), |c| format!("commit {c}"));
        format!("qassay {} of {commit}", self.version)
    }
}

/// What an execution recorded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordedExecution {
    /// Its IRI.
    pub iri: String,
    /// The checksums of the graphs; that of the matches was not always recorded.
    pub digests: BTreeMap<GraphKind, String>,
    /// When it began, as written.
    pub started: String,
    /// The program.
    pub build: Build,
    /// The files of the plan: path and checksum.
    pub plan: BTreeMap<String, String>,
    /// Who plays which part.
    pub cast: Cast,
}

/// A file of the plan that is not the same in this program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlanDifference {
    /// Its path in the project.
    pub path: String,
    /// The checksum that was recorded, if it was.
    pub recorded: Option<String>,
    /// The checksum in this program, if it has the file.
    #[serde(rename = "thisProgram")]
    pub this: Option<String>,
}

/// Subject → predicate → objects.
type Objects = BTreeMap<String, BTreeMap<String, Vec<String>>>;

impl RecordedExecution {
    /// Reads a provenance graph: N-Quads.
    pub fn read(iri: &str, graph: impl Read) -> Result<Self> {
        let facts = facts(graph)?;
        let all = |subject: &str, predicate: &str| {
            facts.get(subject).and_then(|about| about.get(predicate)).cloned().unwrap_or_default()
        };
        let first = |subject: &str, predicate: &str| all(subject, predicate).into_iter().next();
        let build = first(iri, prov::WAS_ASSOCIATED_WITH).unwrap_or_default();
        let file = |node: &String| {
            let sha256 = first(node, spdx::CHECKSUM).and_then(|sum| first(&sum, spdx::CHECKSUM_VALUE));
            Some((first(node, dct::TITLE)?, sha256?))
        };
        let kinds = GraphKind::of_execution(Model::default()).iter();
        let digests = kinds.filter_map(|kind| Some((*kind, first(iri, kind.digest()?)?)));
        let parts =
            || [prov::QUALIFIED_USAGE, prov::QUALIFIED_ASSOCIATION].into_iter().flat_map(|how| all(iri, how));
        let roles = parts().flat_map(|part| all(&part, prov::HAD_ROLE));
        let mut plans = parts().flat_map(|part| all(&part, prov::HAD_PLAN));
        Ok(Self {
            iri: iri.to_owned(),
            started: first(iri, prov::STARTED_AT_TIME).unwrap_or_default(),
            digests: digests.collect(),
            build: Build::named(build.rsplit('/').next().unwrap_or_default()),
            plan: all(iri, qassay::PLAN_FILE).iter().filter_map(file).collect(),
            cast: Cast { plan: plans.next().unwrap_or_default(), roles: roles.collect() },
        })
    }

    /// The files of the plan that are not the same in this program.
    pub fn other_plan(&self, profile: &Profile) -> Vec<PlanDifference> {
        let this: BTreeMap<String, String> = profile.plan_files().into_iter().collect();
        let mut paths: Vec<&String> = self.plan.keys().chain(this.keys()).collect();
        paths.sort_unstable();
        paths.dedup();
        let difference = |path: &String| PlanDifference {
            path: path.clone(),
            recorded: self.plan.get(path).cloned(),
            this: this.get(path).cloned(),
        };
        paths.into_iter().map(difference).filter(|file| file.recorded != file.this).collect()
    }
}

fn facts(graph: impl Read) -> Result<Objects> {
    let mut facts = Objects::new();
    for quad in RdfParser::from_format(RdfFormat::NQuads).for_reader(graph) {
        let quad =
            quad.map_err(|error| Error::input(format!("the provenance graph is no N-Quads: {error}")))?;
        if let NamedOrBlankNode::NamedNode(subject) = quad.subject {
            let about = facts.entry(subject.into_string()).or_default();
            let objects = about.entry(quad.predicate.into_string()).or_default();
            objects.push(term::text(&quad.object).into_owned());
        }
    }
    Ok(facts)
}
