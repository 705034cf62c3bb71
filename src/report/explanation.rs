//! The explanation of one question: gold and given answers side by side, and why they match; for people, and as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use oxigraph::model::Term;
use serde::Serialize;

use crate::base::text;
use crate::base::vocab::{rdfs, skos, xsd};
use crate::record::asking::KeptExchange;
use crate::record::results::decimal::Decimal;
use crate::record::results::explanation::{ChainLink, ExplainedPair, Explanation, UnmatchedItem};
use crate::record::results::tied::ExplainedTies;
use crate::record::results::{JudgedAnswer, MatchedLabel, Observation, ReadLabel};
use crate::report::asking::exchange_json;
use crate::report::columns::heading;
use crate::report::differences::why as reason;
use crate::report::evaluations::skip_reason;
use crate::report::json::{NamedEntries, Num, QuestionView, ReasonView, SkipView};
use crate::report::nearest::nearest;
use crate::scoring::items::origin::ItemOrigin;
use crate::sources::input::term;

/// How many characters of a candidate are shown: enough to know it again.
const MOST_SHOWN: usize = 120;

/// How many items of a side are compared to find those that are near.
const MOST_COMPARED: usize = 500;

/// The explanation for people; the text in `language` stands first.
pub fn explanation(explained: &Explanation, language: &str) -> String {
    let mut text = String::new();
    let mut line = |content: &str| {
        text.push_str(&text::cell(content.trim_end()));
        text.push('\n');
    };
    let experiment = match explained.experiment.as_str() {
        "QA" => String::new(),
        name => format!(" in {name}"),
    };
    let observed = explained.results.observed.as_ref();
    let status = observed.map_or("skipped", |observation| observation.status.name());
    line(&format!("question {}{experiment} ({status})", explained.question.key));
    for (language, words) in texts(explained, language) {
        line(&format!("  {language:<6} {words}"));
    }
    line("");
    let numbers = observed.map_or_else(|_| Vec::new(), |observation| numbers(explained, observation));
    line(&numbers.join("   "));
    for (side, origin) in ["gold", "system"].into_iter().zip(explained.results.origins) {
        if let Some(origin) = origin {
            line(&format!("{side}: {}", origin_words(origin)));
        }
    }
    let reasons = explained.peculiarities.iter().flatten().map(reason);
    for note in explained.notes.iter().cloned().chain(reasons) {
        line(&format!("note: {note}"));
    }
    if let Err(skip) = observed {
        line(&format!("not scored: {}", skip_reason(*skip)));
    }
    if let Some(error) = &explained.error {
        line(&format!("error: {error}"));
    }
    if let Ok(observation) = observed {
        ranking(&mut text, explained, observation);
    }
    items(&mut text, explained);
    ties(&mut text, explained);
    for (heading, queries) in ["gold query", "system query"].into_iter().zip(&explained.queries) {
        for query in queries {
            write_block(&mut text, heading, query);
        }
        // What is ranked is seldom asked by queries.
        if queries.is_empty() && !is_ranked(explained) {
            write_block(&mut text, heading, "none");
        }
    }
    text.push_str("\nin RDF\n");
    write_pair(&mut text, "observation", &explained.observation);
    write_pair(&mut text, "question", &explained.node);
    write_pair(&mut text, "gold answer", &explained.gold_node);
    if let Some(answer) = &explained.system_node {
        write_pair(&mut text, "answer", answer);
    }
    text
}

fn is_ranked(explained: &Explanation) -> bool {
    explained.results.observed.as_ref().is_ok_and(|observation| !observation.judged.is_empty())
}

/// The wanted language first, then the others in file order.
fn texts<'a>(explained: &'a Explanation, language: &str) -> Vec<(&'a str, &'a str)> {
    let texts = explained.question.texts.iter();
    let mut texts: Vec<(&str, &str)> =
        texts.map(|(language, text)| (language.as_deref().unwrap_or_default(), text.trim())).collect();
    texts.sort_by_key(|(tag, _)| !tag.eq_ignore_ascii_case(language));
    texts
}

/// The numbers of a question: counts and F1 where sets are compared, the measures that the profile has for one question.
fn numbers(explained: &Explanation, observation: &Observation) -> Vec<String> {
    let counts = observation.counts;
    let of_sets = [
        ("tp", counts.tp.to_string()),
        ("fp", counts.fp.to_string()),
        ("fn", counts.missing.to_string()),
        ("precision", observation.precision.to_string()),
        ("recall", observation.recall.to_string()),
        ("F1", observation.f1.to_string()),
    ];
    let of_sets = of_sets.into_iter().filter(|_| !explained.ranks_candidates);
    let own = observation.measures.iter().filter_map(|(metric, measured)| {
        let measured = measured.as_ref().filter(|_| explained.shown.contains(metric))?;
        let ties = measured.ties.as_ref();
        let ties = ties.map_or_else(String::new, |ties| format!(" (ties: {} to {})", ties.worst, ties.best));
        Some(format!("{} {}{ties}", heading(*metric), measured.value))
    });
    of_sets.map(|(name, value)| format!("{name} {value}")).chain(own).collect()
}

fn origin_words(origin: ItemOrigin) -> &'static str {
    match origin {
        ItemOrigin::Stated => "stated by the file",
        ItemOrigin::Annotated => "annotated in the file",
        ItemOrigin::Query => "named by the query",
        ItemOrigin::Inferred => "inferred from the answers",
        ItemOrigin::Types => "classes of the answers (rdf:type)",
    }
}

/// An item for people: what its node stands for, an IRI bare, a literal in quotes with what belongs to it.
fn show(explained: &Explanation, written: &str) -> String {
    let Ok(item) = written.parse::<Term>() else { return written.to_owned() };
    if let Some(text) = explained.texts.get(term::text(&item).as_ref()) {
        return text.clone();
    }
    match &item {
        Term::Literal(literal) => match literal.datatype().as_str().strip_prefix(xsd::NAMESPACE) {
            Some(datatype) if datatype != "string" => format!("{:?}^^xsd:{datatype}", literal.value()),
            _ => item.to_string(),
        },
        _ => term::text(&item).into_owned(),
    }
}

/// A property of labels as people write it.
fn short(property: &str) -> String {
    let vocabularies = [(rdfs::NAMESPACE, "rdfs"), (skos::NAMESPACE, "skos")];
    let name =
        |(namespace, prefix): (&str, &str)| Some(format!("{prefix}:{}", property.strip_prefix(namespace)?));
    vocabularies.into_iter().find_map(name).unwrap_or_else(|| format!("<{property}>"))
}

/// The rule of a match, the normalisations it needed, who assessed it, the label, the chain of links.
fn why(pair: &ExplainedPair) -> Vec<String> {
    let matched = &pair.matched;
    let mut why = vec![format!("rule {}", matched.rule.trim_start_matches("match-"))];
    if !matched.normalisations.is_empty() {
        let names = matched.normalisations.iter().map(|name| name.trim_start_matches("norm-"));
        why.push(format!("normalised: {}", names.collect::<Vec<_>>().join(", ")));
    }
    why.extend(pair.votes.iter().cloned());
    why.extend(matched.label.iter().map(|MatchedLabel { property, resource, text, file }| {
        format!("<{resource}> {} {text}  in {file}", short(property))
    }));
    why.extend(
        pair.chain
            .iter()
            .map(|ChainLink { from, predicate, to, file }| format!("<{from}> {predicate} <{to}>  in {file}")),
    );
    why
}

/// Matched, missed and extra items.
fn items(text: &mut String, explained: &Explanation) {
    let pair = |pair: &ExplainedPair| {
        let [gold, system] = [&pair.matched.gold, &pair.matched.system].map(|item| show(explained, item));
        (if gold == system { gold } else { format!("{gold}  ~  {system}") }, why(pair))
    };
    let near = near(explained);
    let item = |item: &UnmatchedItem| {
        let near = near.iter().filter(|near| near.missed == item.term).map(|near| {
            format!("nearest: {}; differs in {}", show(explained, &near.extra), near.differences.join(", "))
        });
        (show(explained, &item.term), item.votes.iter().cloned().chain(near).collect())
    };
    let pairs = explained.pairs.iter().filter(|_| !explained.ranks_candidates);
    section(text, "both", pairs.map(pair).collect());
    for (heading, items) in ["missed", "extra"].into_iter().zip(explained.unmatched.iter().flatten()) {
        section(text, heading, items.iter().map(item).collect());
    }
    let label = |label: &ReadLabel| {
        (show(explained, &label.term), vec![format!("column {}, names {}", label.column, label.of)])
    };
    let headings = ["labels in gold, no answers", "labels of the system, no answers"];
    for (heading, labels) in headings.into_iter().zip(&explained.labels) {
        section(text, heading, labels.iter().map(label).collect());
    }
}

/// How many rows of a group are shown that do not count.
const MOST_OTHERS: usize = 20;

/// The rows of the gold answer that tie: those that count, and the first of the others.
fn ties(text: &mut String, explained: &Explanation) {
    let met: BTreeSet<&str> = explained.pairs.iter().map(|pair| pair.matched.gold.as_str()).collect();
    for ties in &explained.ties {
        let (all, wanted) = (ties.rows.len(), ties.wanted);
        let right = if wanted == 1 { "is" } else { "are" };
        writeln!(text, "\nany {wanted} of these {all} tied rows {right} right")
            .expect("writing to a String cannot fail");
        let (counted, others): (Vec<_>, Vec<_>) = ties.rows.iter().partition(|row| row.is_counted);
        let more = others.len().saturating_sub(MOST_OTHERS);
        for row in counted.into_iter().chain(others.into_iter().take(MOST_OTHERS)) {
            let given = row.terms.iter().filter(|term| met.contains(term.as_str())).count();
            let counts = match (row.is_counted, given) {
                (false, _) => "",
                (true, given) if given == row.terms.len() => "  (counts: given)",
                (true, 0) => "  (counts: missing)",
                (true, _) => "  (counts: given in part)",
            };
            let terms: Vec<String> = row.terms.iter().map(|term| show(explained, term)).collect();
            writeln!(text, "  {}{counts}", text::cell(&terms.join(", ")))
                .expect("writing to a String cannot fail");
        }
        if more > 0 {
            writeln!(text, "  … and {more} more").expect("writing to a String cannot fail");
        }
    }
}

fn section(text: &mut String, heading: &str, items: Vec<(String, Vec<String>)>) {
    if items.is_empty() {
        return;
    }
    writeln!(text, "\n{heading} ({})", items.len()).expect("writing to a String cannot fail");
    for (shown, why) in items {
        writeln!(text, "  {}", text::cell(&shown)).expect("writing to a String cannot fail");
        for why in &why {
            writeln!(text, "      {}", text::cell(why)).expect("writing to a String cannot fail");
        }
    }
}

fn write_pair(text: &mut String, name: &str, iri: &str) {
    writeln!(text, "  {name:<13} {iri}").expect("writing to a String cannot fail");
}

fn write_block(text: &mut String, heading: &str, content: &str) {
    writeln!(text, "\n{heading}").expect("writing to a String cannot fail");
    for line in content.lines() {
        writeln!(text, "  {}", text::line(line.trim_end())).expect("writing to a String cannot fail");
    }
}

/// The answers with their ranks, a line each; nothing where they are not judged one by one.
fn ranking(text: &mut String, explained: &Explanation, observation: &Observation) {
    let judged = &observation.judged;
    if judged.is_empty() {
        return;
    }
    writeln!(text, "\nranking ({})", judged.len()).expect("writing to a String cannot fail");
    let scores: Vec<String> = judged
        .iter()
        .map(|answer| answer.score.as_ref().map_or_else(|| "-".to_owned(), Decimal::to_string))
        .collect();
    let rank_width = judged.len().to_string().len();
    let score_width = scores.iter().map(String::len).max().unwrap_or_default();
    for ((answer, score), rank) in judged.iter().zip(&scores).zip(1..) {
        let shown = answer.term.as_ref().map_or_else(|| "no answer".to_owned(), |term| show(explained, term));
        let beginning: String = shown.chars().take(MOST_SHOWN).collect();
        let more = if explained.ranks_candidates && beginning.len() < shown.len() { "…" } else { "" };
        let shown = if more.is_empty() { shown } else { beginning + more };
        let (verdict, shown) = (answer.verdict.name(), text::cell(&shown));
        writeln!(text, "  {rank:>rank_width$}  {verdict:<9}  {score:<score_width$}  {shown}")
            .expect("writing to a String cannot fail");
    }
}

/// What comes nearest to a missed item.
#[derive(Serialize)]
struct NearView {
    missed: String,
    extra: String,
    differences: Vec<String>,
}

/// What comes nearest to the missed items, of those that nothing else explains: items that stand for nodes are not looked
/// at.
fn near(explained: &Explanation) -> Vec<NearView> {
    let Some([missed, extra]) = &explained.unmatched else { return Vec::new() };
    if explained.ranks_candidates {
        return Vec::new();
    }
    let terms: Vec<Term> = extra.iter().filter_map(|item| item.term.parse().ok()).collect();
    if terms.len() != extra.len() {
        return Vec::new();
    }
    let near = missed.iter().take(MOST_COMPARED).filter_map(|item| {
        let term: Term = item.term.parse().ok().filter(|_| !explained.texts.contains_key(&item.term))?;
        let (place, differences) = nearest(&term, &terms[..terms.len().min(MOST_COMPARED)])?;
        Some(NearView { missed: item.term.clone(), extra: extra[place].term.clone(), differences })
    });
    near.collect()
}

/// The explanation for scripts. Terms are in N-Triples.
pub fn explanation_json(explained: &Explanation, exchange: &KeptExchange) -> impl Serialize {
    let observed = explained.results.observed.as_ref();
    let texts = explained.question.texts.iter();
    let origins = ["gold", "system"].into_iter().zip(explained.results.origins);
    let [gold, system] = &explained.queries;
    let [missed, extra] =
        explained.unmatched.as_ref().map_or([&[][..]; 2], |sides| sides.each_ref().map(Vec::as_slice));
    ExplanationView {
        experiment: &explained.experiment,
        id: &explained.question.key,
        texts: texts.map(|(language, text)| TextView { language: language.as_deref(), text }).collect(),
        scores: observed.ok().map(|observation| QuestionView::of(&explained.question, observation)),
        skipped: observed.err().map(|skip| SkipView::of(*skip)),
        origins: NamedEntries::of(
            origins.filter_map(|(side, origin)| Some((side.to_owned(), origin?.name()))),
        ),
        pairs: &explained.pairs,
        missed,
        extra,
        near: near(explained),
        labels: LabelsView { gold: &explained.labels[0], system: &explained.labels[1] },
        ties: &explained.ties,
        judged: observed.map_or_else(|_| Vec::new(), |observation| judged(&observation.judged)),
        nodes: &explained.texts,
        notes: &explained.notes,
        reasons: explained.peculiarities.iter().flatten().map(ReasonView::of).collect(),
        queries: QueriesView { gold, system },
        error: explained.error.as_deref(),
        observation: &explained.observation,
        question: &explained.node,
        gold_answer: &explained.gold_node,
        answer: explained.system_node.as_deref(),
        exchange: exchange_json(exchange),
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExplanationView<'a> {
    experiment: &'a str,
    id: &'a str,
    texts: Vec<TextView<'a>>,
    scores: Option<QuestionView<'a>>,
    skipped: Option<SkipView>,
    origins: NamedEntries<&'static str>,
    pairs: &'a [ExplainedPair],
    missed: &'a [UnmatchedItem],
    extra: &'a [UnmatchedItem],
    near: Vec<NearView>,
    labels: LabelsView<'a>,
    #[serde(skip_serializing_if = "<[ExplainedTies]>::is_empty")]
    ties: &'a [ExplainedTies],
    judged: Vec<JudgedView<'a>>,
    nodes: &'a BTreeMap<String, String>,
    notes: &'a [String],
    reasons: Vec<ReasonView<'a>>,
    queries: QueriesView<'a>,
    error: Option<&'a str>,
    observation: &'a str,
    question: &'a str,
    gold_answer: &'a str,
    answer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exchange: Option<serde_json::Value>,
}

#[derive(Serialize)]
struct TextView<'a> {
    language: Option<&'a str>,
    text: &'a str,
}

#[derive(Serialize)]
struct QueriesView<'a> {
    gold: &'a [String],
    system: &'a [String],
}

#[derive(Serialize)]
struct LabelsView<'a> {
    gold: &'a [ReadLabel],
    system: &'a [ReadLabel],
}

#[derive(Serialize)]
struct JudgedView<'a> {
    verdict: &'static str,
    gain: u64,
    score: Option<Num<'a>>,
    term: Option<&'a str>,
}

fn judged(answers: &[JudgedAnswer]) -> Vec<JudgedView<'_>> {
    let view = answers.iter().map(|answer| JudgedView {
        verdict: answer.verdict.name(),
        gain: answer.gain,
        score: answer.score.as_ref().map(Num),
        term: answer.term.as_deref(),
    });
    view.collect()
}
