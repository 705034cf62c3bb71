//! The page of a question of an evaluation: what gold and system have in common and by which rule, what was missed, what is too
//! much, and both queries.

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::vocab::{code, skos};
use crate::profiles::ontology;
use crate::record::results::explanation::{ExplainedPair, Explanation, UnmatchedItem};
use crate::record::results::tied::{ExplainedRow, ExplainedTies};
use crate::record::results::{Observation, QuestionFacts, Results, TypeResults};
use crate::report::columns::heading;
use crate::report::evaluations::{DIGITS_FOR_PEOPLE, skip_reason};
use crate::site::context::PageContext;
use crate::site::evaluation::{called, crumbs_of};
use crate::site::page::{
    Figure, ItemPair, PagePiece, PageSheet, Section, SheetCell, SheetHead, SheetRow, SitePage, WordLine,
    Words,
};
use crate::site::route::Route;
use oxigraph::model::{NamedNode, Term};

/// The page.
///
/// # Errors
/// Where there is no such question, or a graph cannot be read.
pub(crate) fn page(
    context: &PageContext<'_>,
    key: &str,
    experiment: &str,
    question: &str,
) -> Result<SitePage> {
    let whole = Route::Evaluation(key.to_owned());
    let shown = context.view.evaluation(&context.linker.iri(&whole))?;
    let results = &shown.results;
    let position = results.questions.iter().position(|known| known.key == question);
    let found = position.and_then(|at| Some((&results.questions[at], results.experiment(experiment)?, at)));
    let Some((facts, types, at)) = found else {
        return Err(Error::input(format!(
            "the evaluation {key} has no question `{question}` in {experiment}"
        )));
    };
    let title = format!("Question {}, {}", facts.key, called(context, results));
    let mut page = SitePage {
        title: crate::base::text::html(&title).into_owned(),
        kicker: crate::base::text::html(&format!("Question {} · {experiment}", facts.key)).into_owned(),
        heading: heading_of(facts),
        lead: lead(context, results, question, experiment, at),
        crumbs: crumbs_of(context, results),
        neighbours: neighbours(context, results, types, at, key),
        has_statements: true,
        ..SitePage::default()
    };
    match &types.questions[at].observed {
        Err(skip) => page.pieces.push(PagePiece::said(&format!("Skipped: {}.", skip_reason(*skip)))),
        Ok(observation) => {
            page.figures = figures(observation);
            page.sections.push(Section::new(
                "measures",
                "Measures of this question",
                measures(context, observation),
            ));
        }
    }
    page.sections.extend(told(context, results, experiment, facts)?);
    page.sections.push(Section::new(
        "others",
        "The same question, other systems",
        others(context, results, facts),
    ));
    page.sections.push(Section::new("question", "The question", about(results, facts, experiment)));
    page.sections.retain(|section| !section.pieces.is_empty());
    Ok(page)
}

fn heading_of(facts: &QuestionFacts) -> WordLine {
    let english = facts.texts.iter().find(|(tag, _)| tag.as_deref() == Some("en"));
    match english.or_else(|| facts.texts.first()) {
        Some((tag, text)) => vec![Words::in_language(text, tag.as_deref())],
        None => vec![Words::plain("Question "), Words::foreign(&facts.key)],
    }
}

fn lead(
    context: &PageContext<'_>,
    results: &Results,
    question: &str,
    experiment: &str,
    at: usize,
) -> WordLine {
    let key = results.iri.rsplit('/').next().unwrap_or_default();
    let mut line = vec![
        context.link_to(Words::foreign(context.dataset_of(results)), &results.dataset.iri),
        Words::plain(", evaluation "),
        context.link_to(Words::code(key.get(..8).unwrap_or(key)), &results.iri),
        Words::plain(", profile "),
        context.link_to(Words::foreign(&results.profile.name), &results.profile.iri),
        Words::plain(&format!(", {experiment}")),
    ];
    for other in results.experiments.iter().filter(|one| one.name != experiment) {
        if other.observation(at).is_some() {
            let route = Route::Observation(key.to_owned(), other.name.clone(), question.to_owned());
            line.extend([Words::plain(" · "), context.link(Words::plain(&other.name), &route)]);
        }
    }
    line
}

/// The questions with scores before and behind a question.
fn neighbours(
    context: &PageContext<'_>,
    results: &Results,
    types: &TypeResults,
    at: usize,
    key: &str,
) -> [Option<Words>; 2] {
    let link = |other: usize, text: &dyn Fn(&str) -> String| {
        let question = &results.questions[other].key;
        let route = Route::Observation(key.to_owned(), types.name.clone(), question.clone());
        context.link(Words::foreign(&text(question)), &route)
    };
    let before = (0..at).rev().find(|other| types.observation(*other).is_some());
    let behind = (at + 1..types.questions.len()).find(|other| types.observation(*other).is_some());
    [
        before.map(|other| link(other, &|key| format!("‹ {key}"))),
        behind.map(|other| link(other, &|key| format!("{key} ›"))),
    ]
}

fn figures(observation: &Observation) -> Vec<Figure> {
    let counts = observation.counts;
    let figure = |what: &str, value: String, range: String| Figure { what: what.to_owned(), value, range };
    let of = |part: u64, all: u64, what: &str| format!("{part} of {all} {what}");
    vec![
        figure(
            "F1",
            observation.f1.to_fixed(DIGITS_FOR_PEOPLE),
            format!("{} right, {} too much, {} missed", counts.tp, counts.fp, counts.missing),
        ),
        figure(
            "Precision",
            observation.precision.to_fixed(DIGITS_FOR_PEOPLE),
            of(counts.tp, counts.tp + counts.fp, "given"),
        ),
        figure(
            "Recall",
            observation.recall.to_fixed(DIGITS_FOR_PEOPLE),
            of(counts.tp, counts.tp + counts.missing, "gold"),
        ),
        figure("Status", observation.status.name().to_owned(), String::new()),
    ]
}

/// The measures that the profile has for one question.
fn measures(context: &PageContext<'_>, observation: &Observation) -> Vec<PagePiece> {
    let row =
        |(metric, value): &(crate::measures::metric::Metric, Option<crate::record::results::Measured>)| {
            let name = context.link_to(Words::plain(&heading(*metric)), &code::iri(&metric.concept()));
            let value =
                value.as_ref().map_or_else(|| "–".to_owned(), |one| one.value.to_fixed(DIGITS_FOR_PEOPLE));
            SheetRow::from(vec![name.into(), SheetCell::number(&value)])
        };
    if observation.measures.is_empty() {
        return Vec::new();
    }
    vec![PagePiece::Sheet(PageSheet {
        id: "measure-table".to_owned(),
        caption: vec![Words::plain("Measures of this question by the profile.")],
        heads: vec![SheetHead::text("Measure"), SheetHead::number(Words::plain("Value"))],
        rows: observation.measures.iter().map(row).collect(),
        ..PageSheet::default()
    })]
}

/// What graphs tell item by item, unless one of them is withheld.
fn told(
    context: &PageContext<'_>,
    results: &Results,
    experiment: &str,
    facts: &QuestionFacts,
) -> Result<Vec<Section>> {
    if !context.view.tells_items(results) {
        let said = "The gold answers, the answers or their matches are not published here, so only the counts are shown. Where to get the inputs is said on the page of the evaluation.";
        return Ok(vec![Section::new("answers", "Gold and given", vec![PagePiece::said(said)])]);
    }
    let all = context.view.explanations(results, &facts.key)?;
    let Some(one) = all.iter().find(|one| one.experiment == experiment) else { return Ok(Vec::new()) };
    let node = iri::question(&results.dataset.iri, &facts.key);
    let given = [("evaluation", &results.iri), ("questionIri", &node)];
    let given = given.map(|(column, iri)| (column, NamedNode::new_unchecked(iri).into()));
    let query = PagePiece::text(context.asked_by("match", &given).into());
    Ok(vec![
        Section::new("answers", "Gold and given", [items(context, one), vec![query]].concat()),
        Section::new("queries", "Queries", queries(one)),
    ])
}

/// Where the question stands with what came of it in all evaluations. They are not told here: this page would be another one
/// with every further system.
fn others(context: &PageContext<'_>, results: &Results, facts: &QuestionFacts) -> Vec<PagePiece> {
    let node = iri::question(&results.dataset.iri, &facts.key);
    let words = context.link_to(Words::plain("What every system answered"), &node);
    if words.href.is_empty() {
        return Vec::new();
    }
    let said = ", and what came of it by every profile. ";
    vec![PagePiece::text(vec![words, Words::plain(said), Words::iri(&node)])]
}

/// An item, as a term of N-Triples says it.
fn item(context: &PageContext<'_>, one: &Explanation, text: &str) -> WordLine {
    match text.parse() {
        Ok(Term::NamedNode(node)) => {
            let shown = one
                .texts
                .get(node.as_str())
                .map_or_else(|| Words::short_iri(node.as_str()), |text| Words::foreign(text));
            vec![context.anywhere(shown, node.as_str())]
        }
        Ok(term) => context.term(&term),
        Err(_) => vec![Words::foreign(text)],
    }
}

fn items(context: &PageContext<'_>, one: &Explanation) -> Vec<PagePiece> {
    let mut pieces = Vec::new();
    let mut group = |class, sign, what: &str, all: Vec<ItemPair>| {
        let title = format!("{sign} {what}: {}", all.len());
        pieces.push(PagePiece::Heading(class, title));
        if !all.is_empty() {
            pieces.push(PagePiece::Items(class, sign, all));
        }
    };
    group("both", "✓", "In both", one.pairs.iter().map(|pair| both(context, one, pair)).collect());
    if let Some([gold, system]) = &one.unmatched {
        let missed = |found: &UnmatchedItem| ItemPair {
            gold: item(context, one, &found.term),
            system: WordLine::new(),
            why: votes(&found.votes),
        };
        let extra = |found: &UnmatchedItem| ItemPair {
            gold: WordLine::new(),
            system: item(context, one, &found.term),
            why: votes(&found.votes),
        };
        group("missed", "○", "Missed", gold.iter().map(missed).collect());
        group("extra", "+", "Too much", system.iter().map(extra).collect());
    }
    pieces.extend(one.ties.iter().map(|ties| tied(context, one, ties)));
    let notes =
        one.notes.iter().chain(&one.error).map(|note| PagePiece::Text("note", vec![Words::foreign(note)]));
    pieces.extend(notes);
    pieces
}

/// Rows that tie: how many are right, whichever, and which of them counted.
fn tied(context: &PageContext<'_>, one: &Explanation, ties: &ExplainedTies) -> PagePiece {
    let row = |row: &ExplainedRow| {
        let counted =
            if row.is_counted { Words::tag("ok", "✓ counted") } else { Words::tag("quiet", "tied") };
        let terms =
            row.terms.iter().flat_map(|term| item(context, one, term).into_iter().chain([Words::plain(" ")]));
        [counted, Words::plain(" ")].into_iter().chain(terms).collect()
    };
    let said = format!("any {} of these {} tied rows count as right", ties.wanted, ties.rows.len());
    PagePiece::List([vec![Words::plain(&said)]].into_iter().chain(ties.rows.iter().map(row)).collect())
}

fn votes(votes: &[String]) -> Vec<WordLine> {
    votes.iter().map(|vote| vec![Words::foreign(vote)]).collect()
}

/// A pair with its reasons.
fn both(context: &PageContext<'_>, one: &Explanation, pair: &ExplainedPair) -> ItemPair {
    let matched = &pair.matched;
    let said = ontology::terms().text(&code::iri(&matched.rule), skos::DEFINITION).unwrap_or_default();
    let name = matched.rule.trim_start_matches("match-");
    let mut why = vec![vec![
        Words::plain("Rule "),
        context.concept(&matched.rule, name),
        Words::plain(&format!(": {said}")),
    ]];
    for norm in &matched.normalisations {
        let name = norm.trim_start_matches("norm-");
        why.push(vec![Words::plain("Normalised: "), context.concept(norm, name)]);
    }
    if let Some(label) = &matched.label {
        let iri = |text: &str| context.anywhere(Words::iri(text), text);
        why.push(vec![
            iri(&label.resource),
            Words::plain(" "),
            iri(&label.property),
            Words::foreign(&format!(" {}", label.text)),
        ]);
    }
    for link in &pair.chain {
        let iri = |text: &str| context.anywhere(Words::iri(text), text);
        why.push(vec![
            iri(&link.from),
            Words::code(&format!(" {} ", link.predicate)),
            iri(&link.to),
            Words::plain(", says "),
            context.named(&link.file),
        ]);
    }
    why.extend(votes(&pair.votes));
    ItemPair { gold: item(context, one, &matched.gold), system: item(context, one, &matched.system), why }
}

fn queries(one: &Explanation) -> Vec<PagePiece> {
    let [gold, given] = &one.queries;
    PagePiece::sides("sparql", [("Gold", gold), ("Given", given)]).into_iter().collect()
}

/// The question in all its languages, and its IRIs.
fn about(results: &Results, facts: &QuestionFacts, experiment: &str) -> Vec<PagePiece> {
    let observation = iri::observation(&results.iri, experiment, &facts.key);
    let texts = |all: &[(Option<String>, String)]| -> Vec<WordLine> {
        let line = |(tag, text): &(Option<String>, String)| {
            let words = Words::in_language(text, tag.as_deref());
            let shown = if words.lang.is_empty() { tag.as_deref() } else { Some(words.lang.as_str()) };
            vec![Words::soft(&format!("{} ", shown.unwrap_or("no language"))), words]
        };
        all.iter().map(line).collect()
    };
    let mut known = vec![(Words::plain("Id"), vec![vec![Words::foreign(&facts.key)]])];
    for (what, all) in [("Texts", &facts.texts), ("Keywords", &facts.keywords)] {
        if !all.is_empty() {
            known.push((Words::plain(what), texts(all)));
        }
    }
    known.push((Words::plain("Observation"), vec![vec![Words::iri(&observation)]]));
    vec![PagePiece::Facts(known)]
}
