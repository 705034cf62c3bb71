//! What GERBIL does with one question that no other profile does: facts about the question, each with the statement of
//! `ontology/gerbil.md` that it follows from. They say why counts differ, and what an explanation must mention.

use std::collections::BTreeSet;

use oxigraph::model::Term;
use serde::{Deserialize, Serialize};

use crate::profiles::loaders::gerbil_names::cell_text;
use crate::profiles::rules::Reading;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;
use crate::sources::document::{Cell, QueryKind, Question};
use crate::sources::input::answer::{LabelColumns, answer_terms};
use crate::sources::input::term;
use crate::sparql::features::{Feature, Predicate, QueryGraph};
use crate::sparql::walk::markings_if_parsed;

/// A rule that makes a difference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Peculiarity {
    /// The name of the profile whose rule it is.
    pub profile: String,
    /// The concept, without namespace: of `code:matchRule`, `code:differenceReason`, `code:skipReason`.
    pub rule: String,
    /// Gold item and system item of an example, as texts.
    pub example: Option<(String, String)>,
}

/// What the rules of GERBIL do in a question, where the profile follows it: what an explanation must mention.
pub fn peculiarities(evaluation: &Evaluation, experiment: &Experiment, position: usize) -> Vec<Peculiarity> {
    let follows_gerbil = evaluation.profile().era.is_some();
    let found = if follows_gerbil { traits(evaluation, experiment, position) } else { Vec::new() };
    let profile = &evaluation.profile().name;
    found
        .into_iter()
        .map(|(rule, example)| Peculiarity { profile: profile.clone(), rule: rule.to_owned(), example })
        .collect()
}

/// A fact: the concept of `code:differenceReason`, and an example.
type Trait = (&'static str, Option<(String, String)>);

/// What GERBIL's rules do in a question of an experiment type.
fn traits(evaluation: &Evaluation, experiment: &Experiment, position: usize) -> Vec<Trait> {
    let gold = &evaluation.cases.gold().questions[position];
    let case = evaluation.cases.at(position);
    let system = evaluation.cases.answer(position);
    let sides: Vec<&Question> = std::iter::once(gold).chain(system).collect();
    let mut found = Vec::new();
    match experiment.rules.reading {
        Reading::GerbilAnswers => of_answers(&mut found, experiment, position, &sides),
        Reading::GerbilAnswerType => found.push(("diff-answer-types", None)),
        Reading::GerbilConcepts | Reading::GerbilProperties | Reading::GerbilRelations => {
            for (question, answer) in sides.iter().zip(std::iter::once(case.gold).chain(case.system)) {
                of_query(&mut found, question, answer.query.graph());
            }
            of_meanings(&mut found, experiment, position);
        }
        _ => {}
    }
    let mut seen = BTreeSet::new();
    found.retain(|(name, _)| seen.insert(*name));
    found
}

fn of_answers(found: &mut Vec<Trait>, experiment: &Experiment, position: usize, sides: &[&Question]) {
    let cells = |question: &Question| -> Vec<Cell> {
        let rows = question.answers.sets.iter().flat_map(|set| &set.rows);
        rows.flat_map(|row| row.cells.iter().cloned()).collect()
    };
    for question in sides {
        let sets = &question.answers.sets;
        if sets.iter().any(|set| set.boolean.is_some()) && sets.iter().any(|set| !set.rows.is_empty()) {
            found.push(("diff-boolean-beside-rows", None));
        }
        let cells = cells(question);
        let rewritten = |cell: &&Cell| text(cell) != cell.value;
        if let Some(cell) = cells.iter().find(rewritten) {
            found.push(("diff-rewritten", Some((cell.value.clone(), text(cell)))));
        }
        let texts: BTreeSet<String> = cells.iter().map(text).collect();
        if !cells.is_empty() && texts.len() < answer_terms(question, LabelColumns::Answers).len() {
            found.push(("diff-one-text", None));
        }
    }
    let matched = &experiment.matching.questions[position];
    let is_iri = |item: &u32| matches!(experiment.matching.term(*item), Term::NamedNode(_));
    let looks_like_iri =
        |item: &&u32| !is_iri(item) && term::text(experiment.matching.term(**item)).contains("://");
    if let Some(item) = matched.gold.iter().find(looks_like_iri) {
        let text = term::text(experiment.matching.term(*item)).into_owned();
        found.push(("diff-typed-as-strings", Some((text.clone(), text))));
    }
    let given: BTreeSet<String> =
        sides.iter().skip(1).flat_map(|system| cells(system)).map(|c| text(&c)).collect();
    let entities = given.iter().filter(|text| text.contains("://")).count();
    if matched.system.iter().filter(|item| is_iri(item)).count() < entities {
        found.push(("diff-merged", None));
    }
    let by_label = matched.pairs.iter().find(|pair| {
        let item = matched.system[pair.system as usize];
        is_iri(&item) && !given.contains(term::text(experiment.matching.term(item)).as_ref())
    });
    if let Some(pair) = by_label {
        let gold = term::text(experiment.matching.term(matched.gold[pair.gold as usize])).into_owned();
        let label = given.iter().find(|text| !text.contains("://")).cloned().unwrap_or_default();
        found.push(("diff-label", Some((gold, label))));
    }
}

fn text(cell: &Cell) -> String {
    cell_text(&cell.value, cell.datatype.as_deref(), cell.datatype_first)
}

fn of_query(found: &mut Vec<Trait>, question: &Question, graph: Option<&QueryGraph>) {
    let queries: Vec<&str> = question
        .queries
        .iter()
        .filter(|query| query.kind == QueryKind::Sparql)
        .map(|query| query.text.as_str())
        .collect();
    if !queries.is_empty() && queries.iter().all(|query| markings_if_parsed(query).is_none()) {
        found.push(("diff-query-unread", None));
        return;
    }
    let Some(graph) = graph else { return };
    let resolved = queries.iter().any(|query| query.contains('/') && has_path(query));
    if resolved || graph.patterns.iter().any(|pattern| !matches!(pattern.predicate, Predicate::Property(_))) {
        found.push(("diff-walk", None));
    }
    let unseen = [Feature::SubSelect, Feature::Exists, Feature::NotExists];
    if unseen.iter().any(|feature| graph.features.contains(feature)) {
        found.push(("diff-not-visited", None));
    }
}

/// Whether the walk sees fewer relations than the query has patterns: sequence and inverse paths are patterns too.
fn has_path(query: &str) -> bool {
    let seen = markings_if_parsed(query).unwrap_or_default();
    let relations =
        seen.iter().filter(|marking| matches!(marking, crate::sparql::walk::Marking::Relation { .. }));
    let patterns = crate::sparql::read::analyse(query).map_or(0, |graph| graph.patterns.len());
    relations.count() < patterns
}

fn of_meanings(found: &mut Vec<Trait>, experiment: &Experiment, position: usize) {
    let matched = &experiment.matching.questions[position];
    let texts = |items: &[u32]| -> Vec<String> {
        items.iter().map(|item| term::text(experiment.matching.term(*item)).into_owned()).collect()
    };
    if experiment.rules.reading == Reading::GerbilConcepts
        && !(matched.gold.is_empty() && matched.system.is_empty())
    {
        found.push(("diff-concepts", None));
    }
    for items in [texts(&matched.gold), texts(&matched.system)] {
        let mut seen = BTreeSet::new();
        if let Some(repeated) = items.iter().find(|text| !seen.insert(text.as_str())) {
            found.push(("diff-listed", Some((repeated.clone(), repeated.clone()))));
        }
    }
    let mut used = BTreeSet::new();
    if matched.pairs.iter().any(|pair| !used.insert(pair.system)) {
        found.push(("diff-used-again", None));
    }
}
