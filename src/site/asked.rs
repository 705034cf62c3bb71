//! The pages of a question of a dataset and of an answer of a submission: what the graph of the file says, and what came of it
//! in every evaluation.

use std::collections::BTreeSet;

use oxigraph::model::{Quad, Term};

use crate::base::error::Result;
use crate::base::iri;
use crate::base::text::{counted, html};
use crate::base::vocab::{dct, qassay, schema};
use crate::site::context::PageContext;
use crate::site::graphs::text_of;
use crate::site::page::{Figure, PagePiece, Section, SitePage, Words};
use crate::site::route::Route;
use crate::site::sides::SideChoice;
use crate::site::thing;

/// So many items of an answer stand on a page.
const MOST: usize = 200;

/// The objects of a property.
fn objects<'q>(said: &'q [Quad], property: &str) -> impl Iterator<Item = &'q Term> {
    said.iter().filter(move |quad| quad.predicate.as_str() == property).map(|quad| &quad.object)
}

/// The text of a question: in English where there is one.
pub(crate) fn text_of_question(said: &[Quad]) -> Option<Words> {
    let texts: Vec<(&str, Option<&str>)> = objects(said, schema::TEXT)
        .map(|term| match term {
            Term::Literal(literal) => (literal.value(), literal.language()),
            other => (text_of(other), None),
        })
        .collect();
    let found = texts.iter().find(|(_, tag)| *tag == Some("en")).or_else(|| texts.first());
    found.map(|(text, tag)| Words::in_language(text, *tag))
}

/// A figure with a name and a value.
pub(crate) fn figure(what: &str, value: &str, range: &str) -> Figure {
    let [what, value, range] = [what, value, range].map(|text| html(text).into_owned());
    Figure { what, value, range }
}

/// The page of a question of a dataset: its gold answers, and all systems.
///
/// # Errors
/// Where a graph cannot be read.
pub(crate) fn question(context: &PageContext<'_>, slug: &str, version: &str, key: &str) -> Result<SitePage> {
    let dataset = context.linker.iri(&Route::Thing(["dataset", slug, version].map(str::to_owned).to_vec()));
    let node = context.linker.iri(context.route);
    let said = context.view.said(&node)?;
    let mut page = thing::page(context)?;
    if let Some(text) = text_of_question(&said) {
        page.title = format!("Question {}, {}", html(key), html(slug));
        page.heading = vec![text];
    }
    let gold = context.view.said(&iri::curated_gold(&node))?;
    page.kicker = html(&format!("Question {key}")).into_owned();
    page.lead = vec![context.named(&dataset)];
    let languages = objects(&said, schema::TEXT).count().to_string();
    let items = objects(&gold, qassay::ANSWER_TERM).count().to_string();
    page.figures =
        vec![figure("Gold answers", &items, "in the file"), figure("Texts", &languages, "in its languages")];
    let sides = context.view.side_by_side(&dataset)?;
    let all = SideChoice { id: "system-table", experiment: None, profile: None, is_shown: &|_| true };
    let table = sides.table(context, key, &all).into_iter().collect();
    let sections = vec![
        Section::new("gold-answers", "Gold answers", items_of(context, &gold)),
        Section::new("systems", "All systems", table),
        Section::new("asked-queries", "Gold query", queries(&gold)),
    ];
    Ok(thing::with(page, sections))
}

/// The page of an answer of a submission: what was given, and what came of it.
///
/// # Errors
/// Where a graph cannot be read.
pub(crate) fn answer(context: &PageContext<'_>, submission: &str, key: &str) -> Result<SitePage> {
    let owner = context.linker.iri(&Route::Thing(["submission", submission].map(str::to_owned).to_vec()));
    let said = context.view.said(&context.linker.iri(context.route))?;
    let mut page = thing::page(context)?;
    page.title =
        format!("Answer to {}, {}", html(key), html(&context.view.title(&owner).unwrap_or_default()));
    page.kicker = html(&format!("Answer to question {key}")).into_owned();
    if let Some(text) = text_of_question(&said) {
        page.heading = vec![text];
    }
    page.lead = vec![context.named(&owner)];
    let status = objects(&said, qassay::ANSWER_STATUS).next().map(text_of).unwrap_or_default();
    let status = status.rsplit("status-").next().unwrap_or_default();
    let items = objects(&said, qassay::ANSWER_TERM).count().to_string();
    let place = objects(&said, qassay::LINE).next().map(|line| format!("line {}", text_of(line)));
    page.figures = vec![figure("Answers", &items, &place.unwrap_or_default()), figure("Status", status, "")];
    let sections = vec![
        Section::new("given", "Given", items_of(context, &said)),
        Section::new("scored", "How it was scored", scored(context, &owner, key)?),
        Section::new("asked-queries", "Query", queries(&said)),
    ];
    Ok(thing::with(page, sections))
}

/// What came of an answer in the evaluations of its submission.
fn scored(context: &PageContext<'_>, submission: &str, key: &str) -> Result<Vec<PagePiece>> {
    let evaluations = &context.view.archived.evaluations;
    let summaries = evaluations.iter().filter_map(|one| context.view.summary(&one.iri));
    let of_this: Vec<_> = summaries.filter(|known| known.submission == submission).collect();
    let datasets: BTreeSet<&str> = of_this.iter().map(|known| known.dataset.as_str()).collect();
    let mut tables = Vec::new();
    for (number, dataset) in datasets.into_iter().enumerate() {
        let choice = SideChoice {
            id: &format!("score-table-{}", number + 1),
            experiment: None,
            profile: None,
            is_shown: &|evaluation| of_this.iter().any(|known| known.evaluation == evaluation),
        };
        tables.extend(context.view.side_by_side(dataset)?.table(context, key, &choice));
    }
    Ok(tables)
}

/// The items of an answer.
fn items_of(context: &PageContext<'_>, said: &[Quad]) -> Vec<PagePiece> {
    let all: Vec<&Term> = objects(said, qassay::ANSWER_TERM).collect();
    if all.is_empty() {
        return vec![PagePiece::said("None.")];
    }
    let lines = all.iter().take(MOST).map(|term| context.term(term)).collect();
    let more = all.len().saturating_sub(MOST) as u64;
    let more =
        (more > 0).then(|| PagePiece::said(&format!("The statements have {} more.", counted(more, "item"))));
    [PagePiece::List(lines)].into_iter().chain(more).collect()
}

fn queries(said: &[Quad]) -> Vec<PagePiece> {
    let kinds = [qassay::SPARQL_QUERY, qassay::PSEUDO_QUERY, qassay::SCHEMALESS_QUERY];
    let texts = kinds.into_iter().flat_map(|kind| objects(said, kind));
    texts.map(|text| PagePiece::code("sparql", text_of(text))).collect()
}

/// Whether a text of a question, or an identifier, is stated.
pub(crate) fn identifier(said: &[Quad]) -> Option<&str> {
    objects(said, dct::IDENTIFIER).next().map(text_of)
}
