//! DESCRIBE: the metadata of a publication, from what the archive says of the evaluations and comparisons in it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};

use crate::base::error::Result;
use crate::base::iri;
use crate::base::text;
use crate::base::vocab::{code, skos};
use crate::measures::metric::Metric;
use crate::profiles::Profile;
use crate::profiles::ontology::{Facts, terms};
use crate::record::archived::comparisons::ArchivedComparison;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::export::Gathered;
use crate::record::package::Content;
use crate::record::publication::act::Publication;
use crate::record::publication::licence::{Licence, OF_VOCABULARY};
use crate::record::publication::metadata::{
    FileRole, MeasuredValue, NamedThing, PublishedKind, RecordFile, RecordInput, RecordMetadata, RecordRun,
};
use crate::record::publication::quoted::Quotations;
use crate::record::publication::rights::Right;
use crate::record::summaries::{GroupSummary, Summary};
use crate::scoring::groups::ALL;
use crate::sources::archive::stored::input_path;

/// The measures that describe an evaluation in a few numbers, where its profile ranks by no other.
const MAIN: [&str; 2] = ["macroF1", "microF1"];

/// How many systems a description names.
const MOST_NAMED: usize = 12;

/// The longest description, in characters: what search engines take.
const LONGEST: usize = 4_900;

/// What is published, and what of it goes out.
#[derive(Debug)]
pub struct DescribedRecord<'a> {
    /// The archive.
    pub archived: &'a Archived,
    /// The evaluations.
    pub evaluations: &'a [&'a ArchivedEvaluation],
    /// The comparisons.
    pub comparisons: &'a [&'a ArchivedComparison],
    /// What came of each evaluation.
    pub summaries: &'a [Summary],
    /// What they are made of.
    pub quotations: &'a Quotations<'a>,
    /// What goes.
    pub gathered: &'a Gathered,
    /// The publication.
    pub publication: &'a Publication,
    /// The day of the first version.
    pub first_day: &'a str,
}

impl DescribedRecord<'_> {
    /// The metadata.
    ///
    /// # Errors
    /// Where a graph, a record or a summary cannot be read.
    pub fn metadata(&self) -> Result<RecordMetadata> {
        let (publication, archived) = (self.publication, self.archived);
        let measured = self.measured();
        let inputs = self.inputs();
        let published = match (self.evaluations, self.comparisons) {
            ([_], []) => PublishedKind::Evaluation,
            (_, [_]) => PublishedKind::Comparison,
            _ => PublishedKind::Experiment,
        };
        let files: Vec<RecordFile> = self.files()?;
        let mut metadata = RecordMetadata {
            base: archived.archive.mint().base().to_owned(),
            iri: publication.of.clone(),
            published,
            key: publication.of.rsplit('/').next().unwrap_or_default().to_owned(),
            identifier: self.identifier(published)?,
            title: publication.by.title.clone().unwrap_or_else(|| self.title(published)),
            description: String::new(),
            version: publication.number,
            issued: self.first_day.to_owned(),
            modified: publication.day.clone(),
            creators: publication.by.creators.clone(),
            publisher: publication.by.publisher.clone(),
            licence: publication.by.licence.stated(),
            attributions: attributions(&inputs),
            keywords: self.keywords(&inputs),
            doi: publication.by.doi.clone(),
            inputs,
            withheld: publication.withheld.clone(),
            runs: self.runs()?,
            profiles: self.profiles(),
            members: self.members(published),
            measured,
            again: Vec::new(),
            files,
        };
        metadata.description = description(&metadata);
        Ok(metadata)
    }

    /// The title of the dataset of an evaluation.
    fn dataset(&self, evaluation: &ArchivedEvaluation) -> String {
        let inputs = self.quotations.described();
        let is_it = |input: &&RecordInput| input.part == "dataset" && input.sha256 == evaluation.gold;
        let title = inputs.iter().find(is_it).map(|input| input.title.clone());
        text::brief(&title.unwrap_or_else(|| evaluation.gold[..8].to_owned()), 200).into_owned()
    }

    fn named(&self, evaluation: &ArchivedEvaluation) -> String {
        let systems: Vec<&str> = evaluation.systems().map(String::as_str).collect();
        let (systems, dataset) = (systems.join(" and "), self.dataset(evaluation));
        format!(
            "Evaluation of {} on {dataset} (profile {})",
            text::line(&systems),
            profile(&evaluation.profile)
        )
    }

    fn title(&self, published: PublishedKind) -> String {
        match (published, self.evaluations, self.comparisons) {
            (PublishedKind::Evaluation, [evaluation, ..], _) => self.named(evaluation),
            (PublishedKind::Comparison, _, [comparison, ..]) => {
                let datasets: BTreeSet<String> =
                    self.evaluations.iter().map(|one| self.dataset(one)).collect();
                let systems: BTreeSet<&String> =
                    self.evaluations.iter().flat_map(|one| one.systems()).collect();
                let known = Some(&comparison.title).filter(|title| !title.is_empty());
                known.cloned().unwrap_or_else(|| {
                    format!(
                        "Comparison of {} on {}",
                        text::counted(systems.len(), "system"),
                        text::first(datasets, 3)
                    )
                })
            }
            _ => {
                let systems: BTreeSet<&String> =
                    self.evaluations.iter().flat_map(|one| one.systems()).collect();
                let datasets: BTreeSet<String> =
                    self.evaluations.iter().map(|one| self.dataset(one)).collect();
                let systems = systems.into_iter().map(|name| text::line(name).into_owned());
                format!("Evaluations of {} on {}", text::first(systems, 4), text::first(datasets, 3))
            }
        }
    }

    fn keywords(&self, inputs: &[RecordInput]) -> Vec<String> {
        let mut keywords: Vec<String> =
            ["question answering", "knowledge graph", "benchmark", "evaluation"].map(str::to_owned).to_vec();
        let datasets = inputs.iter().filter(|input| input.part == "dataset").map(|input| &input.title);
        let systems = self.evaluations.iter().flat_map(|evaluation| evaluation.systems());
        for word in datasets.chain(systems).take(2 * MOST_NAMED) {
            let word = text::brief(word, 100).into_owned();
            if !keywords.contains(&word) {
                keywords.push(word);
            }
        }
        keywords.push("RDF Data Cube".to_owned());
        keywords
    }

    /// What the IRI was made of: of an evaluation the digest of its inputs.
    fn identifier(&self, published: PublishedKind) -> Result<String> {
        let digest = match (published, self.evaluations, self.comparisons) {
            (PublishedKind::Evaluation, [evaluation, ..], _) => digest_of(self.archived, evaluation)?,
            (_, _, [comparison]) => comparison.executions.first().map(|(_, digest)| digest.clone()),
            _ => None,
        };
        let key = self.publication.of.rsplit('/').next().unwrap_or_default();
        Ok(digest.map_or_else(|| format!("qassay:{key}"), |digest| format!("sha256:{digest}")))
    }

    fn members(&self, published: PublishedKind) -> Vec<NamedThing> {
        if published == PublishedKind::Evaluation {
            return Vec::new();
        }
        let evaluations =
            self.evaluations.iter().map(|one| NamedThing { iri: one.iri.clone(), title: self.named(one) });
        let comparisons = self.comparisons.iter().filter(|one| one.iri != self.publication.of);
        let comparisons =
            comparisons.map(|one| NamedThing { iri: one.iri.clone(), title: one.title.clone() });
        evaluations.chain(comparisons).collect()
    }

    fn profiles(&self) -> Vec<NamedThing> {
        let all: BTreeSet<&String> = self.evaluations.iter().map(|one| &one.profile).collect();
        let title = |iri: &String| {
            let label = Profile::with_iri(iri).map(|profile| format!(": {}", profile.label));
            format!("{}{}", profile(iri), label.unwrap_or_default())
        };
        all.into_iter().map(|iri| NamedThing { iri: iri.clone(), title: title(iri) }).collect()
    }

    fn runs(&self) -> Result<Vec<RecordRun>> {
        let mint = self.archived.archive.mint();
        let mut runs: Vec<RecordRun> = Vec::new();
        for row in &self.archived.metadata.rows("store/runs")?.rows {
            let Ok([execution, of, started, ended, engine, version, command]) =
                <&[String; 7]>::try_from(row.as_slice())
            else {
                continue;
            };
            let key = execution.rsplit('/').next().unwrap_or_default();
            if self.publication.graphs.contains(&mint.provenance_graph(key)) {
                runs.push(RecordRun {
                    iri: execution.clone(),
                    of: of.clone(),
                    started: started.clone(),
                    ended: ended.clone(),
                    engine: engine.clone(),
                    version: version.clone(),
                    command: (!command.is_empty()).then(|| command.clone()),
                    used: self.used(of),
                    generated: self.generated(of),
                });
            }
        }
        runs.dedup();
        Ok(runs)
    }

    /// What an execution of an evaluation or a comparison used.
    fn used(&self, of: &str) -> Vec<String> {
        if let Some(comparison) = self.comparisons.iter().find(|one| one.iri == of) {
            return comparison.evaluations.clone();
        }
        let Some(evaluation) = self.evaluations.iter().find(|one| one.iri == of) else { return Vec::new() };
        let files = [&evaluation.gold, &evaluation.answers].into_iter();
        let files: BTreeSet<&String> =
            files.chain(evaluation.references.iter().map(|(_, file)| file)).collect();
        let inputs = self.quotations.described();
        let used = inputs.into_iter().filter(|input| files.contains(&input.sha256)).map(|input| input.iri);
        used.chain([evaluation.profile.clone()]).collect()
    }

    /// The graphs of an evaluation or a comparison that go.
    fn generated(&self, of: &str) -> Vec<String> {
        let graphs = self.archived.graphs.iter().filter(|graph| graph.subject == of);
        graphs
            .map(|graph| graph.name.clone())
            .filter(|name| self.gathered.graphs.contains_key(name))
            .collect()
    }

    fn inputs(&self) -> Vec<RecordInput> {
        let mut inputs = self.quotations.described();
        for input in &mut inputs {
            let withheld = self.publication.withheld.iter().find(|part| part.iri == input.file);
            input.withheld = withheld.map(|part| part.reason.clone());
            let path = input_path(&input.sha256);
            input.path = self.gathered.files.contains_key(&path).then_some(path);
        }
        inputs
    }

    fn measured(&self) -> Vec<MeasuredValue> {
        let mut all = Vec::new();
        for (evaluation, summary) in self.evaluations.iter().zip(self.summaries) {
            let Some(experiment) = summary.experiments.first() else { continue };
            let wanted: Vec<Metric> = match summary.ranked_by.filter(|_| experiment.name == "QA") {
                Some(metric) => vec![metric],
                None => MAIN.iter().filter_map(|name| Metric::named(name)).collect(),
            };
            let group = experiment.group(ALL);
            let values = group.into_iter().flat_map(GroupSummary::metrics);
            let values: BTreeMap<String, String> = values
                .filter_map(|(name, value)| Some((name.to_owned(), value?.value.as_str().to_owned())))
                .collect();
            for metric in wanted {
                let Some(value) = values.get(&metric.to_string()) else { continue };
                all.push(MeasuredValue {
                    iri: iri::aggregate(&evaluation.iri, &experiment.name, ALL, &metric.to_string()),
                    measure: code::iri(&metric.concept()),
                    name: measure_name(metric, terms()),
                    experiment: experiment.name.clone(),
                    system: evaluation.systems().cloned().collect::<Vec<_>>().join(" and "),
                    dataset: self.dataset(evaluation),
                    value: value.clone(),
                });
            }
        }
        all
    }

    fn files(&self) -> Result<Vec<RecordFile>> {
        let graphs: BTreeMap<&str, &str> =
            self.gathered.graphs.iter().map(|(name, path)| (path.as_str(), name.as_str())).collect();
        let mut files = Vec::new();
        for (path, content) in &self.gathered.files {
            let (sha256, bytes) = content.digest()?;
            let mut file = match graphs.get(path.as_str()) {
                Some(name) => self.graph_file(name, content)?,
                None if path.starts_with("files/") => self.input_file(&sha256),
                None => record_file(path),
            };
            (file.path, file.sha256, file.bytes) = (path.clone(), sha256, bytes);
            files.push(file);
        }
        Ok(files)
    }

    fn graph_file(&self, name: &str, content: &Content) -> Result<RecordFile> {
        let kind = self.archived.archive.mint().graph_kind(name);
        let (title, description, conforms_to) = graph_words(kind);
        let (licence, statements) = if let Ok(graph) = self.archived.graph(name) {
            let licence = match self.quotations.right_to_graph(graph) {
                Right::Goes(licence) => licence,
                Right::Stays(_) => None,
            };
            (licence, graph.statements)
        } else {
            // The vocabulary is no part of the archive: the program brings it.
            let lines = BufReader::new(content.open()?).lines().count();
            (Some(Licence::named(OF_VOCABULARY)?), lines as u64)
        };
        let licence = licence.filter(|licence| *licence != self.publication.by.licence);
        Ok(RecordFile {
            role: FileRole::Graph,
            title: title.to_owned(),
            description: description.to_owned(),
            licence: licence.map(Licence::stated),
            about: Some(name.to_owned()),
            conforms_to: conforms_to.map(str::to_owned),
            statements: Some(statements),
            ..record_file("")
        })
    }

    fn input_file(&self, sha256: &str) -> RecordFile {
        let inputs = self.quotations.described();
        let input = inputs.iter().find(|input| input.sha256 == sha256);
        let licence = match self.quotations.right_to_file(sha256) {
            Right::Goes(licence) => licence,
            Right::Stays(_) => None,
        };
        RecordFile {
            role: FileRole::Input,
            title: input.map_or_else(
                || "What a knowledge base or a system answered".to_owned(),
                |input| input.title.clone(),
            ),
            description: match input {
                Some(input) => format!("The {} as it was received.", input.part),
                None => "What was answered, as it was kept.".to_owned(),
            },
            media_type: input.map_or("application/octet-stream", |input| &input.media_type).to_owned(),
            licence: licence.map(Licence::stated),
            about: input.map(|input| input.iri.clone()),
            ..record_file("")
        }
    }
}

/// The digest of the inputs of an evaluation.
fn digest_of(archived: &Archived, evaluation: &ArchivedEvaluation) -> Result<Option<String>> {
    let graph = archived.graph(&archived.archive.mint().scores_graph(evaluation.key()))?;
    let content = archived.archive.graph(&graph.sha256).content()?;
    let stated = format!("<{}> <{}> \"", evaluation.iri, crate::base::vocab::qassay::INPUT_DIGEST);
    let content = String::from_utf8_lossy(&content);
    Ok(content.split(&stated).nth(1).and_then(|rest| rest.get(..64)).map(str::to_owned))
}

/// A record of the archive; a graph or an input says more.
fn record_file(path: &str) -> RecordFile {
    let kind = path.split('/').nth(1).unwrap_or_default();
    RecordFile {
        path: path.to_owned(),
        role: FileRole::Record,
        title: format!("Record of the archive: {kind}"),
        description: "What the archive says of one thing; `qassay verify` reads it.".to_owned(),
        media_type: "application/n-quads".to_owned(),
        sha256: String::new(),
        bytes: 0,
        licence: None,
        about: None,
        conforms_to: None,
        statements: None,
    }
}

/// The name and version of a profile: `qassay/4`.
fn profile(iri: &str) -> String {
    iri.rsplit_once("/profile/").map_or(iri, |(_, name)| name).to_owned()
}

/// The name of a measure for people.
fn measure_name(metric: Metric, facts: &Facts) -> String {
    let name = facts.text(&code::iri(&metric.concept()), skos::PREF_LABEL).unwrap_or_default();
    metric.cutoff.map_or_else(|| name.to_owned(), |cutoff| format!("{name} {cutoff}"))
}

/// Title, description and specification of a graph of a kind.
fn graph_words(kind: &str) -> (&'static str, &'static str, Option<&'static str>) {
    const CUBE: Option<&str> = Some("https://www.w3.org/TR/vocab-data-cube/");
    const PROV: Option<&str> = Some("https://www.w3.org/TR/prov-o/");
    match kind {
        "scores" => {
            ("Scores", "The evaluation, and a data cube in which each question is an observation.", CUBE)
        }
        "measures" => ("Measures", "A data cube of the measures over all questions.", CUBE),
        "groups" => ("Measures of groups", "A data cube of the measures over groups of questions.", CUBE),
        "comparison" => ("Comparison", "Data cubes of pairs, intervals, ranks and more.", CUBE),
        "prov" => {
            ("Provenance", "An execution: its inputs with their roles, software, times, issues met.", PROV)
        }
        "messages" => ("Messages", "What the issues of an execution quote from the inputs.", PROV),
        "match" => ("Matches", "Which gold answer met which answer of the system, and by which rule.", None),
        "dataset" => ("Dataset", "Questions, queries and gold answers as RDF.", None),
        "submission" => ("Answers", "The answers of the system as RDF.", None),
        "patterns" => ("Triple patterns", "The triple patterns of queries.", None),
        "gold" => ("Refreshed gold answers", "What the gold queries give on a knowledge base.", None),
        "executed" => ("Executed answers", "What the queries of the system give on a knowledge base.", None),
        "answers" => {
            ("Answers of a knowledge base", "What was asked of a knowledge base, and what it answered.", None)
        }
        "vocabulary" => ("Vocabulary", "Terms, data structure definitions, code lists and profiles.", None),
        _ => ("Statements", "What was received in one file, as RDF.", None),
    }
}

/// Whom to name for inputs that go with a record.
fn attributions(inputs: &[RecordInput]) -> Vec<String> {
    let named = inputs.iter().filter(|input| input.path.is_some()).filter_map(|input| {
        let licence = Licence::with_iri(&input.licence.as_ref()?.iri)?;
        let who = input.publisher.as_ref().map(|who| format!(" by {who}")).unwrap_or_default();
        let whence = input.source.as_ref().map(|source| format!(", {source}")).unwrap_or_default();
        licence
            .wants_attribution()
            .then(|| format!("{}{who}, {}{whence}", text::brief(&input.title, 200), licence.spdx))
    });
    named.collect::<BTreeSet<String>>().into_iter().collect()
}

/// What was measured, the main numbers, what is withheld.
fn description(of: &RecordMetadata) -> String {
    let mut sentences = vec![match of.published {
        PublishedKind::Evaluation => {
            "How well a question answering system answers the questions of a dataset.".to_owned()
        }
        PublishedKind::Comparison => {
            format!(
                "How question answering systems differ, by {}.",
                text::counted(of.members.len(), "evaluation")
            )
        }
        PublishedKind::Experiment => format!(
            "How well question answering systems answer the questions of datasets: {}.",
            text::counted(of.members.len(), "evaluation")
        ),
    }];
    let value = |one: &MeasuredValue| {
        let (system, dataset) = (text::brief(&one.system, 100), text::brief(&one.dataset, 100));
        format!("{system} on {dataset} ({}): {} {}", one.experiment, one.name, one.value)
    };
    sentences.push(format!("{}.", text::first(of.measured.iter().map(value), 2 * MOST_NAMED)));
    if let Some(run) = of.runs.last() {
        let profiles = of.profiles.iter().map(|profile| profile.title.as_str());
        sentences.push(format!(
            "Scored by qassay {} with the profile {}.",
            run.version,
            profiles.collect::<Vec<_>>().join(" and ")
        ));
    }
    sentences.push(
        "Each number is an observation of an RDF Data Cube, linked to the checksums of the files that it was computed from, \
         to the rules and to the execution that made it."
            .to_owned(),
    );
    let reasons: BTreeSet<&str> = of.withheld.iter().map(|part| part.reason.as_str()).collect();
    if !reasons.is_empty() {
        sentences.push(format!(
            "{} withheld, and referenced by checksum and source: {}.",
            match of.withheld.len() {
                1 => "One file is".to_owned(),
                number => format!("{number} files are"),
            },
            text::first(reasons, 6)
        ));
    }
    text::beginning(&sentences.join(" "), LONGEST)
}
