//! Keeps a comparison in the archive: its graph, who made it and when, then the record that makes it exist. What was compared
//! before is not kept again.

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::text;
use crate::base::vocab::{code, dct, prov, qassay, rdf, xsd};
use crate::profiles::ontology::Facts;
use crate::record::comparison::TableKey;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::graph;
use crate::record::comparison::settings::METHODS;
use crate::record::publish::catalogue::register;
use crate::record::publish::provenance::{Execution, build, describe_association, describe_build};
use crate::record::results::kept::checksum;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::{Archive, StoredGraph};

/// The kind of the records.
pub const COMPARISON: &str = "comparison";

/// How many systems, datasets, measures and profiles a title names.
const MOST_NAMED: usize = 3;

/// Keeps a comparison whose evaluations are in the archive; gives its IRI.
///
/// # Errors
/// Where the archive is of a version of the model that has none, or has another graph of the same comparison; where
/// something cannot be written.
pub fn keep(archive: &Archive, comparison: &SystemComparison, run: &Execution) -> Result<String> {
    let mint = archive.mint();
    if !mint.model().keeps_comparisons() {
        return Err(Error::input("an archive of the first version of the model keeps no comparisons")
            .in_file(archive.root().display().to_string())
            .hint("`qassay upgrade` makes it one of the second; `⌥no-archive` keeps nothing"));
    }
    let iri = mint.comparison(&comparison.key);
    // Two that compare the same at once: one of them is the first.
    let _lock = archive.lock_executions()?;
    let record = archive.record(COMPARISON, &comparison.key);
    let known = record.is_file().then(|| read_file(&record)).transpose();
    let known = known.map_err(|error| Error::io("read the record", &record, &error))?;
    // A record that was cut off or emptied says nothing: it is written again.
    let known = known.and_then(|record| registered(&record, mint, &comparison.key));
    let written = archive.keep_graph(&iri, |out| graph::write(out, mint, comparison))?;
    if let Some(known) = known {
        if known == written.sha256 {
            return Ok(iri);
        }
        return Err(Error::check(format!("the archive has another graph of the comparison {iri}"))
            .in_file(record.display().to_string())
            .hint(format!(
                "`qassay verify {}` tells what differs; `qassay remove` takes it out",
                comparison.key
            )));
    }
    let execution = run.digest_of(&comparison.key);
    let about = mint.execution(&execution);
    let mut lines = provenance(mint, comparison, run, &execution, &written);
    let told = archive.keep_graph(&about, |out| {
        lines.write_to(out)?;
        Ok(lines.written())
    })?;
    let mut lines = record_lines(mint, comparison, &execution, [&written, &told]);
    archive.keep_record(COMPARISON, &comparison.key, &mut lines)?;
    Ok(iri)
}

/// The checksum of the graph of a comparison with this key, as its record has it; nothing where the record cannot be read.
pub(crate) fn registered(record: &[u8], mint: &Mint, key: &str) -> Option<String> {
    let mut facts = Facts::default();
    facts.add_nquads(record).ok()?;
    checksum(&facts, &mint.graph_of(&mint.comparison(key))).map(str::to_owned)
}

/// Who compared what, when, and what came of it.
fn provenance(
    mint: &Mint,
    comparison: &SystemComparison,
    run: &Execution,
    execution: &str,
    written: &StoredGraph,
) -> Lines {
    let (iri, about) = (mint.comparison(&comparison.key), mint.execution(execution));
    let mut lines = Lines::new(&mint.provenance_graph(execution));
    lines
        .subject(&about)
        .iri(rdf::TYPE, qassay::COMPARISON_EXECUTION)
        .iri(qassay::EXECUTED_COMPARISON, &iri)
        .typed(qassay::COMPARISON_DIGEST, &written.sha256, xsd::HEX_BINARY);
    run.state_run(&mut lines, mint);
    describe_association(&mut lines, mint, &about, &code::iri(&METHODS.replace('/', "-")));
    lines.subject(&about);
    for evaluation in &comparison.evaluations {
        lines.iri(prov::USED, evaluation);
    }
    for thing in [mint.graph_of(&iri), iri] {
        lines.subject(&about).iri(prov::GENERATED, &thing);
        lines.subject(&thing).iri(prov::WAS_GENERATED_BY, &about);
    }
    lines
}

/// The record: what the comparison is called, and the registry entries of its graphs.
fn record_lines(
    mint: &Mint,
    comparison: &SystemComparison,
    execution: &str,
    [written, told]: [&StoredGraph; 2],
) -> Lines {
    let iri = mint.comparison(&comparison.key);
    let mut lines = Lines::new(&mint.catalogue_graph());
    register(&mut lines, mint, &mint.graph_of(&iri), &iri, written);
    register(&mut lines, mint, &mint.provenance_graph(execution), &mint.execution(execution), told);
    describe_build(&mut lines, mint, &build());
    lines.subject(&iri).text(dct::TITLE, &title(comparison));
    lines
}

/// `gAnswer2, QAKiS on qald-8: macroF1 by qassay`.
fn title(comparison: &SystemComparison) -> String {
    let systems = comparison.tables.iter().flat_map(|table| &table.systems);
    let systems: BTreeSet<&str> = systems.map(|one| one.system.as_str()).collect();
    let of_keys = |part: fn(&TableKey) -> &String| {
        let parts: BTreeSet<&String> = comparison.tables.iter().map(|table| part(&table.key)).collect();
        text::first(parts, MOST_NAMED)
    };
    format!(
        "{} on {}: {} by {}",
        text::first(systems, MOST_NAMED),
        of_keys(|key| &key.dataset),
        of_keys(|key| &key.measure),
        of_keys(|key| &key.profile),
    )
}
