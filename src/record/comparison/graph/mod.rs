//! The graph of a comparison: its settings, its tables with their systems, and a cube each of all that is computed. It
//! follows from evaluations and settings alone, so that whoever has both has the same bytes.

mod across;
mod cubes;
mod settings;
mod tables;

use std::collections::BTreeMap;
use std::io::{self, Write};

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::NamedOrBlankNode;

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dct, prov, qassay, rdf, skos};
use crate::measures::metric::Metric;
use crate::profiles::ontology;
use crate::record::comparison::TableKey;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::graph::cubes::CubeLines;
use crate::record::comparison::settings::{ComparisonSettings, METHODS};
use crate::record::publish::scores::{CC0, describe_member};
use crate::scoring::groups::ALL;
use crate::sources::input::term;

/// Writes the graph of a comparison; gives the number of statements.
///
/// # Errors
/// Where it cannot be written.
pub fn write(out: &mut (impl Write + ?Sized), mint: &Mint, comparison: &SystemComparison) -> io::Result<u64> {
    let iri = mint.comparison(&comparison.key);
    let numbered = comparison.tables.iter().zip(1..);
    let named =
        numbered.map(|(table, number)| (&table.key, (format!("{iri}/table/{number}"), number.to_string())));
    let tables = named.collect();
    let cubes = CubeLines::new(&mint.graph_of(&iri), &iri);
    let mut writer = ComparisonWriter { cubes, iri, comparison, tables };
    writer.describe();
    comparison.tables.iter().for_each(|table| writer.table(table));
    writer.across();
    writer.concepts();
    let mut lines = writer.cubes.lines;
    lines.write_to(out)?;
    Ok(lines.written())
}

/// Writes a comparison, each part in a file of its own.
struct ComparisonWriter<'a> {
    cubes: CubeLines,
    iri: String,
    comparison: &'a SystemComparison,
    /// The IRI and the number of each table.
    tables: BTreeMap<&'a TableKey, (String, String)>,
}

impl<'a> ComparisonWriter<'a> {
    /// The IRI and the number of a table.
    fn named(&self, key: &'a TableKey) -> Option<(String, String)> {
        self.tables.get(key).cloned()
    }

    fn describe(&mut self) {
        let lines = self.cubes.lines.subject(&self.iri);
        lines
            .iri(rdf::TYPE, qassay::COMPARISON)
            .iri(rdf::TYPE, prov::ENTITY_CLASS)
            .text(qassay::COMPARISON_METHODS, METHODS)
            .iri(dct::LICENSE, CC0);
        for evaluation in &self.comparison.evaluations {
            lines.iri(prov::WAS_DERIVED_FROM, evaluation);
        }
        settings::state(lines, &self.comparison.settings);
    }

    /// The concepts of observations that no ontology can list, as in all graphs that use them.
    fn concepts(&mut self) {
        let tables = &self.comparison.tables;
        let metrics = tables.iter().filter_map(|table| Metric::named(&table.key.measure));
        for (metric, cutoff) in metrics.filter_map(|metric| Some((metric, metric.cutoff?))) {
            describe_member(self.cubes.lines.subject(&code::iri(&metric.to_string())), metric, cutoff);
        }
        let groups = tables.iter().filter_map(|table| table.groups.as_ref());
        let names = groups.flat_map(|groups| groups.effects.iter().map(|effect| &effect.group));
        for name in names {
            let concept = code::iri(name);
            if ontology::groups().text(&concept, skos::IN_SCHEME).is_none() && name != ALL {
                describe_open_group(self.cubes.lines.subject(&concept), name);
            }
        }
    }
}

/// What is said of a group of questions of an open scheme whose name as written is not known here: graphs of groups say more.
fn describe_open_group(lines: &mut Lines, name: &str) {
    lines
        .iri(rdf::TYPE, skos::CONCEPT)
        .iri(skos::IN_SCHEME, &code::iri("questionGroup"))
        .iri(skos::BROADER, &code::iri("groups-questiontype"))
        .text(skos::NOTATION, short(name));
}

/// The name of a group in IRIs.
fn short(group: &str) -> &str {
    group.trim_start_matches("group-")
}

/// What a kept graph says that its comparison was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedComparison {
    /// The IRIs of the evaluations, sorted.
    pub evaluations: Vec<String>,
    /// The settings; none where they are not those of this program.
    pub settings: Option<ComparisonSettings>,
    /// The methods.
    pub methods: String,
}

impl StatedComparison {
    /// Reads the graph of a comparison, as N-Quads.
    ///
    /// # Errors
    /// Where the N-Quads cannot be read.
    pub fn read(graph: &[u8], comparison: &str) -> Result<Self> {
        let mut stated: Vec<(String, String)> = Vec::new();
        for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(graph) {
            let quad = quad.map_err(|error| Error::check(format!("the N-Quads cannot be read: {error}")))?;
            if matches!(&quad.subject, NamedOrBlankNode::NamedNode(node) if node.as_str() == comparison) {
                stated.push((quad.predicate.into_string(), term::text(&quad.object).into_owned()));
            }
        }
        let of = |property: &str| {
            let all = stated.iter().filter(|(known, _)| known == property);
            all.map(|(_, text)| text.clone()).collect::<Vec<_>>()
        };
        let mut evaluations = of(prov::WAS_DERIVED_FROM);
        evaluations.sort_unstable();
        let settings = settings::read(stated.iter().map(|(property, text)| (&**property, &**text)));
        let methods = of(qassay::COMPARISON_METHODS).concat();
        Ok(Self { evaluations, settings, methods })
    }
}
