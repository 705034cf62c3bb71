//! Where an evaluation comes from: its files, its executions, the command that computes it again, and how to cite it.

use crate::base::error::Result;
use crate::base::vocab::{dcat, prov, schema};
use crate::profiles::ontology::Facts;
use crate::record::archived::ArchivedEvaluation;
use crate::record::publication::agent::Agent;
use crate::record::rerun::command;
use crate::record::results::{InputFile, Results};
use crate::site::context::PageContext;
use crate::site::evaluation::called;
use crate::site::graphs::text_of;
use crate::site::page::{PagePiece, WordLine, Words};

/// The section.
///
/// # Errors
/// Where a graph cannot be read.
pub(super) fn origin(context: &PageContext<'_>, results: &Results) -> Result<Vec<PagePiece>> {
    let archived = context.view.archived;
    let Some(evaluation) = archived.evaluations.iter().find(|one| one.iri == results.iri) else {
        return Ok(Vec::new());
    };
    let mut facts: Vec<(Words, Vec<WordLine>)> =
        vec![(Words::plain("IRI"), vec![vec![Words::iri(&results.iri)]])];
    facts.push((Words::plain("Gold"), input(context, &results.dataset)));
    facts.push((Words::plain("Answers"), input(context, &results.submission)));
    for (kind, file) in &results.references {
        facts.push((Words::plain(kind.name()), input(context, file)));
    }
    for (what, kept) in results.kept() {
        let lines = vec![vec![context.named(&kept.iri)], checksum(context, &kept.sha256)];
        facts.push((Words::plain(what), lines));
    }
    let profile = &results.profile;
    let named = context.link_to(Words::foreign(&profile.name), &profile.iri);
    facts.push((Words::plain("Profile"), vec![vec![named, Words::foreign(&format!(": {}", profile.label))]]));
    let graphs = archived.graphs.iter().filter(|graph| graph.subject == results.iri);
    let graphs = graphs.map(|graph| {
        let withheld = if context.view.shows_graph(&graph.name) { "" } else { ", not published here" };
        let said = format!(" {} statements{withheld}, sha256 {}", graph.statements, graph.sha256);
        vec![context.anywhere(Words::iri(&graph.name), &graph.name), Words::soft(&said)]
    });
    facts.push((Words::plain("Graphs"), graphs.collect()));
    facts.push((Words::plain("Executions"), executions(context, evaluation)?));
    let mut pieces = vec![PagePiece::Facts(facts)];
    pieces.extend(again(results, evaluation));
    pieces.extend(cite(
        context,
        results,
        evaluation,
        (&called(context, results), &started(context, evaluation)?),
    ));
    Ok(pieces)
}

/// A file: what it is called, its size and licence, its checksum.
fn input(context: &PageContext<'_>, file: &InputFile) -> Vec<WordLine> {
    let records = context.view.records();
    let mut line = vec![context.named(&file.iri)];
    if let Some(bytes) = size(records, &file.iri) {
        line.push(Words::plain(&format!(", {bytes} bytes")));
    }
    let licences = context.licences(&file.iri);
    if licences.is_empty() {
        line.push(Words::plain(", no licence stated"));
    }
    line.extend(
        licences.into_iter().flat_map(|licence| [vec![Words::plain(", licence ")], licence].concat()),
    );
    vec![line, checksum(context, &file.sha256)]
}

fn checksum(context: &PageContext<'_>, sha256: &str) -> WordLine {
    let file = context.view.archived.archive.mint().file(sha256);
    vec![Words::soft("sha256 "), context.link_to(Words::iri(sha256), &file)]
}

/// How many bytes the file of a thing has.
pub(crate) fn size<'f>(records: &'f Facts, thing: &str) -> Option<&'f str> {
    records.text(records.text(thing, dcat::DISTRIBUTION)?, dcat::BYTE_SIZE)
}

/// When an execution began, and with which build.
fn executions(context: &PageContext<'_>, evaluation: &ArchivedEvaluation) -> Result<Vec<WordLine>> {
    let mut lines = Vec::new();
    for (execution, _) in &evaluation.digests {
        let said = context.view.said(execution)?;
        let value = |property: &str| {
            said.iter().find(|quad| quad.predicate.as_str() == property).map(|quad| text_of(&quad.object))
        };
        let mut line = vec![
            context.link_to(Words::plain(value(prov::STARTED_AT_TIME).unwrap_or("unknown time")), execution),
        ];
        if let Some(engine) = value(prov::WAS_ASSOCIATED_WITH) {
            let version = context.view.records().text(engine, schema::SOFTWARE_VERSION).unwrap_or(engine);
            line.extend([Words::plain(", qassay "), context.link_to(Words::foreign(version), engine)]);
        }
        lines.push(line);
    }
    if lines.len() == 1 {
        lines.push(vec![Words::soft("One; nobody has repeated it here yet.")]);
    }
    Ok(lines)
}

/// The day on which the first execution began.
fn started(context: &PageContext<'_>, evaluation: &ArchivedEvaluation) -> Result<String> {
    let mut days = Vec::new();
    for (execution, _) in &evaluation.digests {
        let said = context.view.said(execution)?;
        let is_start = |quad: &&oxigraph::model::Quad| quad.predicate.as_str() == prov::STARTED_AT_TIME;
        days.extend(
            said.iter().find(is_start).map(|quad| text_of(&quad.object).chars().take(10).collect::<String>()),
        );
    }
    days.sort_unstable();
    Ok(days.into_iter().next().unwrap_or_default())
}

/// How the evaluation is computed again.
fn again(results: &Results, evaluation: &ArchivedEvaluation) -> Vec<PagePiece> {
    vec![
        PagePiece::Heading("", "Run it again".to_owned()),
        PagePiece::code("", &format!("{}\nqassay verify {}", command(results, evaluation), evaluation.key())),
        PagePiece::Text(
            "note",
            vec![Words::plain(
                "In the folder of an archive, or of a record, that has these files. Same inputs and choices, same IRI, same scores.",
            )],
        ),
    ]
}

/// How it is cited, in words and as BibTeX.
fn cite(
    context: &PageContext<'_>,
    results: &Results,
    evaluation: &ArchivedEvaluation,
    (called, day): (&str, &str),
) -> Vec<PagePiece> {
    let (key, year) = (evaluation.key(), day.get(..4).unwrap_or_default());
    let short = key.get(..8).unwrap_or(key);
    // Who published it says so in the record; before that nobody has.
    let record = context.view.publications(&results.iri).last();
    let titled = record.filter(|one| one.of == results.iri).and_then(|one| one.by.title.clone());
    let name = titled.unwrap_or_else(|| format!("{called} (profile {})", results.profile.name));
    let plain = |c: char| if "{}\\%$#&_~^".contains(c) || c.is_control() { ' ' } else { c };
    let title: String = name.chars().map(plain).collect();
    let said = |agents: Vec<String>| agents.join(" and ").chars().map(plain).collect::<String>();
    let authors = record.map(|one| said(one.by.creators.iter().map(Agent::sorted).collect()));
    let publisher = record.map(|one| said(vec![one.by.publisher.spoken()]));
    let year = record.and_then(|one| one.day.get(..4)).unwrap_or(year);
    let by = record.map_or_else(String::new, |one| {
        format!("{}. ", one.by.creators.iter().map(Agent::spoken).collect::<Vec<_>>().join(", "))
    });
    let words = format!("{by}{name}. qassay evaluation {short}, {year}. {}", results.iri);
    let fields = [
        ("author", authors),
        ("title", Some(title)),
        ("publisher", publisher),
        ("year", Some(year.to_owned())),
        ("url", Some(results.iri.clone())),
    ];
    let fields = fields.into_iter().filter_map(|(name, value)| Some(format!(",\n  {name} = {{{}}}", value?)));
    let entry = format!("@misc{{qassay-{short}{}\n}}", fields.collect::<String>());
    vec![
        PagePiece::Heading("", "Cite".to_owned()),
        PagePiece::text(vec![Words::foreign(&words)]),
        PagePiece::code("", &entry),
    ]
}
