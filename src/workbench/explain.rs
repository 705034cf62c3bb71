//! Showing how a question was scored.
//!
//! The evaluation is computed again from the archived files; its scores must have the digest that the archive
//! records, so what is explained is what was published.

use std::collections::HashMap;

use oxigraph::model::Term;

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::vocab::{rdfs, skos, xsd};
use crate::base::watch::Watcher;
use crate::profiles::link_kind::LinkKind;
use crate::profiles::rules::ASSESSED;
use crate::record::keep;
use crate::record::results::decimal::Decimal;
use crate::record::results::kept::KeptGraphs;
use crate::record::results::{Observation, Results, TypeResults};
use crate::record::verify::inputs::ArchivedInputs;
use crate::references::linked;
use crate::references::links::chains::{ClusterLinks, Link};
use crate::report::explanation::{Explained, ExplainedItem, RankedAnswer};
use crate::scoring::assessed::votes;
use crate::scoring::basis::Labelled;
use crate::scoring::difference::peculiarities;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;
use crate::scoring::items::origin::ItemOrigin;
use crate::scoring::pairs::pairing::Pair;
use crate::sources::document::{Candidate, QueryKind, Question};
use crate::sources::file::source::Source;
use crate::sources::input::asked::Asked;
use crate::sources::input::term;
use crate::workbench::Workbench;

impl Workbench {
    /// The results of an evaluation as its graphs in the archive tell them, called as in [`Workbench::again`]: nothing is
    /// scored again.
    ///
    /// # Errors
    /// Where no evaluation, or several, are called so; where a graph or the dataset is not here or cannot be read.
    pub fn published(&self, word: &str, profile: Option<&str>) -> Result<Results> {
        let archived = self.archived()?;
        let known = archived.find(word, profile)?;
        Results::read(&KeptGraphs::open(&archived.archive)?, &known.iri)
    }

    /// An evaluation of the archive, computed again: what explains its questions. `word` is its IRI, the beginning of its
    /// key or the name of its system; `profile` the name of the profile, where the system was evaluated with several. Says
    /// where the scores are not those that were recorded.
    ///
    /// # Errors
    /// Where no evaluation, or several, are called so; where an input is not here or cannot be read.
    pub fn again(&self, word: &str, profile: Option<&str>, watcher: &dyn Watcher) -> Result<Evaluation> {
        let archived = self.archived()?;
        let known = archived.find(word, profile)?;
        let evaluation = ArchivedInputs::read(&archived, known, &self.mint)?.evaluate(&self.mint)?;
        let scores = keep::digests(&self.mint, &evaluation)?.scores.sha256;
        if let Some((execution, digest)) = known.digests.iter().find(|(_, digest)| *digest != scores) {
            watcher.note(&format!(
                "warning: {execution} has scores with the digest {digest}, this program computes {scores}"
            ));
        }
        Ok(evaluation)
    }
}

/// How a question was scored in an experiment type; its text in `language` stands first.
///
/// # Errors
/// Where there is no such question, or a file of links cannot be read again.
pub fn question(
    evaluation: &Evaluation,
    results: &Results,
    experiment: &str,
    key: &str,
    language: &str,
) -> Result<Explained> {
    let found = scored_experiment(results, experiment)?;
    let experiment = evaluation.experiments.iter().find(|one| one.name() == found.name);
    let experiment = experiment.ok_or_else(|| Error::system("results are not those of the evaluation"))?;
    explain((evaluation, experiment), found, position(evaluation, key)?, language)
}

/// The experiment type with a name.
///
/// # Errors
/// Where it has no scores.
pub fn scored_experiment<'a>(results: &'a Results, name: &str) -> Result<&'a TypeResults> {
    results.experiment(name).ok_or_else(|| {
        let scored: Vec<&str> = results.experiments.iter().map(|one| one.name.as_str()).collect();
        let why = results.skipped.iter().find(|(skipped, _)| skipped == name);
        let reason = why.map(|(_, skip)| crate::report::evaluations::skip_reason(*skip)).unwrap_or_default();
        let error = Error::input(format!("the evaluation has no scores for the experiment type `{name}`"))
            .allowed(scored.join(", "));
        if reason.is_empty() { error } else { error.hint(reason) }
    })
}

fn position(evaluation: &Evaluation, question: &str) -> Result<usize> {
    let questions = &evaluation.cases.dataset.document.questions;
    questions.iter().position(|q| q.key == question).ok_or_else(|| {
        let first: Vec<&str> = questions.iter().take(10).map(|q| q.key.as_str()).collect();
        Error::input(format!("the dataset {} has no question `{question}`", evaluation.cases.dataset.name))
            .allowed(format!("{}, … ({} questions)", first.join(", "), questions.len()))
    })
}

fn explain(
    (evaluation, experiment): (&Evaluation, &Experiment),
    found: &TypeResults,
    position: usize,
    language: &str,
) -> Result<Explained> {
    let question = &evaluation.cases.dataset.document.questions[position];
    let answer = evaluation.cases.answer(position);
    let question_results = &found.questions[position];
    let observed = question_results.observed.as_ref();
    let node = iri::question(&evaluation.cases.dataset.iri, &question.key);
    let mut nodes = vec![
        ("question".to_owned(), node.clone()),
        ("gold answer".to_owned(), evaluation.gold_node(experiment, position)),
    ];
    nodes.extend(evaluation.system_node(experiment, position).map(|answer| ("answer".to_owned(), answer)));
    Ok(Explained {
        question: question.key.clone(),
        texts: texts(question, language),
        experiment: experiment.name().to_owned(),
        status: observed.map_or("skipped", |observation| observation.status.name()).to_owned(),
        skipped: observed.err().map(|skip| crate::report::evaluations::skip_reason(*skip)),
        numbers: observed.map_or_else(|_| Vec::new(), |observation| numbers(found, observation)),
        origins: origins(question_results.origins),
        notes: notes(evaluation, experiment, position),
        ranking: observed
            .map_or_else(|_| Vec::new(), |observation| ranking(evaluation, observation, position)),
        items: if found.ranks_candidates { Vec::new() } else { items(evaluation, experiment, position)? },
        gold_queries: queries(question),
        system_queries: answer.map(queries).unwrap_or_default(),
        error: answer.and_then(|answer| answer.error.clone()),
        observation: iri::observation(&evaluation.iri, experiment.name(), &question.key),
        nodes,
    })
}

fn origins(origins: [Option<ItemOrigin>; 2]) -> Vec<(String, String)> {
    let words = |origin| match origin {
        ItemOrigin::Stated => "stated by the file",
        ItemOrigin::Annotated => "annotated in the file",
        ItemOrigin::Query => "named by the query",
        ItemOrigin::Inferred => "inferred from the answers",
        ItemOrigin::Types => "classes of the answers (rdf:type)",
    };
    let sides = ["gold", "system"].into_iter().zip(origins);
    sides.filter_map(|(side, origin)| Some((side.to_owned(), words(origin?).to_owned()))).collect()
}

/// What a reader would not expect: queries that cannot be read or were repaired, and what the rules of GERBIL do.
fn notes(evaluation: &Evaluation, experiment: &Experiment, position: usize) -> Vec<String> {
    let answer = evaluation.cases.alignment.answers[position];
    let sides = [
        ("gold", Some(&evaluation.cases.dataset.queries[position])),
        ("system", answer.map(|answer| &evaluation.cases.submission.queries[answer])),
    ];
    // What GERBIL makes of a query is said by its own rules.
    let is_ours = evaluation.profile().era.is_none() && !experiment.is_of_answers();
    let key = &evaluation.cases.dataset.document.questions[position].key;
    let of_question = evaluation.cases.loaded.left_out().filter(|(question, _)| question.key == *key);
    let mut notes: Vec<String> = of_question.map(|(_, left_out)| format!("not loaded: {left_out}")).collect();
    let changes = evaluation.cases.loaded.changes().filter(|(question, _)| question.key == *key);
    notes.extend(changes.map(|(_, what)| format!("changed by the loader: {what}")));
    for (side, query) in sides.into_iter().filter(|_| is_ours) {
        match query.map(|query| &query.asked) {
            Some(Asked::Unparsable(why)) => notes.push(format!("the {side} query cannot be read: {why}")),
            Some(Asked::Graph(graph)) => {
                let repaired = |repair| format!("the {side} query was read after a repair: {repair}");
                notes.extend(graph.repairs.iter().map(repaired));
            }
            Some(Asked::Nothing | Asked::Pseudo(_)) | None => {}
        }
    }
    notes.extend(peculiarities(evaluation, experiment, position).iter().map(crate::report::differences::why));
    notes
}

/// The wanted language first, then the others in file order.
fn texts(question: &Question, language: &str) -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = question
        .texts
        .iter()
        .map(|text| (text.language.clone().unwrap_or_default(), text.text.trim().to_owned()))
        .collect();
    texts.sort_by_key(|(tag, _)| !tag.eq_ignore_ascii_case(language));
    texts
}

fn queries(question: &Question) -> Vec<String> {
    let query = |query: &crate::sources::document::Query| match query.kind {
        QueryKind::Sparql => query.text.clone(),
        QueryKind::Pseudo => format!("# pseudo query\n{}", query.text),
        QueryKind::Schemaless => format!("# schema-less query\n{}", query.text),
    };
    question.queries.iter().map(query).collect()
}

/// Matched, missed and extra items.
fn items(evaluation: &Evaluation, experiment: &Experiment, position: usize) -> Result<Vec<ExplainedItem>> {
    let matched = &experiment.matching.questions[position];
    let links = links(evaluation, experiment, position)?;
    let patterns = evaluation.pattern_texts(experiment, position);
    let shown = |number: u32| {
        let term = experiment.matching.term(number);
        patterns.get(term::text(term).as_ref()).cloned().unwrap_or_else(|| show(term))
    };
    let mut items: Vec<ExplainedItem> = matched
        .pairs
        .iter()
        .map(|pair| ExplainedItem {
            gold: Some(shown(matched.gold[pair.gold as usize])),
            system: Some(shown(matched.system[pair.system as usize])),
            why: why(evaluation, experiment, position, *pair, &links),
        })
        .collect();
    let is_free =
        |number: u32, side: fn(&Pair) -> u32| !matched.pairs.iter().any(|pair| side(pair) == number);
    for (item, _) in matched.gold.iter().zip(0u32..).filter(|(_, number)| is_free(*number, |p| p.gold)) {
        let why =
            votes(&evaluation.cases, &evaluation.plan.references, position, experiment.matching.term(*item));
        items.push(ExplainedItem { gold: Some(shown(*item)), system: None, why });
    }
    for (item, _) in matched.system.iter().zip(0u32..).filter(|(_, number)| is_free(*number, |p| p.system)) {
        let why =
            votes(&evaluation.cases, &evaluation.plan.references, position, experiment.matching.term(*item));
        items.push(ExplainedItem { gold: None, system: Some(shown(*item)), why });
    }
    Ok(items)
}

/// The rule of a match, the normalisations it needed, the chain of links.
fn why(
    evaluation: &Evaluation,
    experiment: &Experiment,
    position: usize,
    pair: Pair,
    links: &ClusterLinks,
) -> Vec<String> {
    let matched = &experiment.matching.questions[position];
    let gold = experiment.matching.term(matched.gold[pair.gold as usize]);
    let system = experiment.matching.term(matched.system[pair.system as usize]);
    let rule = &experiment.rules.steps[usize::from(pair.step)].rule;
    let mut why = vec![format!("rule {}", rule.trim_start_matches("match-"))];
    let normalisations = evaluation.normalisations(position, rule, gold, system);
    if !normalisations.is_empty() {
        let names: Vec<&str> = normalisations.iter().map(|n| n.trim_start_matches("norm-")).collect();
        why.push(format!("normalised: {}", names.join(", ")));
    }
    if let (Term::NamedNode(gold), Term::NamedNode(system), Some(kind)) =
        (gold, system, LinkKind::of_rule(rule))
    {
        why.extend(chain(evaluation, links, kind, gold.as_str(), system.as_str()));
    }
    if rule == ASSESSED {
        why.extend(votes(&evaluation.cases, &evaluation.plan.references, position, system));
    }
    if let Some(Labelled { resource, label, file, by_links, .. }) =
        evaluation.labelled(position, rule, gold, system)
    {
        why.push(format!(
            "<{}> {} {}  in {}",
            label.resource,
            short(label.property),
            label.literal,
            file.iri
        ));
        if by_links {
            why.extend(chain(evaluation, links, LinkKind::SameAs, resource.as_str(), label.resource));
        }
    }
    why
}

/// A property of labels as people write it.
fn short(property: &str) -> String {
    let vocabularies = [(rdfs::NAMESPACE, "rdfs"), (skos::NAMESPACE, "skos")];
    let name =
        |(namespace, prefix): (&str, &str)| Some(format!("{prefix}:{}", property.strip_prefix(namespace)?));
    vocabularies.into_iter().find_map(name).unwrap_or_else(|| format!("<{property}>"))
}

/// The chain of links between two IRIs, a line each.
fn chain(
    evaluation: &Evaluation,
    links: &ClusterLinks,
    kind: LinkKind,
    gold: &str,
    system: &str,
) -> Vec<String> {
    let files: Vec<&str> = evaluation.links().map(|(file, _)| file.iri.as_str()).collect();
    let chain = links.chain(kind, gold, system).unwrap_or_default();
    chain.iter().map(|Link { link, file }| linked::line(link, files[*file])).collect()
}

/// The links that made pairs of a question, read again from their files in one pass.
fn links(evaluation: &Evaluation, experiment: &Experiment, position: usize) -> Result<ClusterLinks> {
    let Some(closure) = &evaluation.plan.references.links else { return Ok(ClusterLinks::default()) };
    let matched = &experiment.matching.questions[position];
    let by_links = |pair: &&Pair| {
        let rule = &experiment.rules.steps[usize::from(pair.step)].rule;
        LinkKind::of_rule(rule).is_some() || rule == "match-label"
    };
    let term = |number: u32| match experiment.matching.term(number) {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    };
    // Of a text and a resource, either side may be the resource.
    let iris = matched.pairs.iter().filter(by_links).filter_map(|pair| {
        term(matched.gold[pair.gold as usize]).or_else(|| term(matched.system[pair.system as usize]))
    });
    let sources: Vec<&Source> = evaluation.links().map(|(file, _)| &file.source).collect();
    ClusterLinks::read(closure, &sources, iris)
}

/// How many characters of a candidate are shown: enough to know it again.
const MOST_SHOWN: usize = 120;

/// A term for people: an IRI bare, a literal in quotes with what belongs to it.
pub(crate) fn show(item: &Term) -> String {
    match item {
        Term::Literal(literal) => match literal.datatype().as_str().strip_prefix(xsd::NAMESPACE) {
            Some(datatype) if datatype != "string" => format!("{:?}^^xsd:{datatype}", literal.value()),
            _ => item.to_string(),
        },
        _ => term::text(item).into_owned(),
    }
}

/// The numbers of a question: counts and F1 where sets are compared, the measures that the profile has for one question.
pub(crate) fn numbers(experiment: &TypeResults, observation: &Observation) -> Vec<(String, String)> {
    let counts = observation.counts;
    let of_sets = [
        ("tp", counts.tp.to_string()),
        ("fp", counts.fp.to_string()),
        ("fn", counts.missing.to_string()),
        ("precision", observation.precision.to_string()),
        ("recall", observation.recall.to_string()),
        ("F1", observation.f1.to_string()),
    ];
    let of_sets = of_sets.into_iter().filter(|_| !experiment.ranks_candidates);
    let own = observation.measures.iter().filter_map(|(metric, measured)| {
        let measured = measured.as_ref().filter(|_| experiment.question_headline.contains(metric))?;
        let ties = measured.ties.as_ref();
        let ties = ties.map_or_else(String::new, |ties| format!(" (ties: {} to {})", ties.worst, ties.best));
        Some((crate::report::columns::heading(*metric), format!("{}{ties}", measured.value)))
    });
    of_sets.map(|(name, value)| (name.to_owned(), value)).chain(own).collect()
}

/// The answers to a question in their order; none where they are not judged one by one.
pub(crate) fn ranking(
    evaluation: &Evaluation,
    observation: &Observation,
    position: usize,
) -> Vec<RankedAnswer> {
    let candidates = candidates(evaluation, position);
    let ranked = observation.judged.iter().map(|answer| {
        let term = answer.term.as_deref().and_then(|term| term.parse::<Term>().ok());
        let shown = term
            .map(|term| candidates.get(term::text(&term).as_ref()).cloned().unwrap_or_else(|| show(&term)));
        RankedAnswer {
            verdict: answer.verdict.name().to_owned(),
            score: answer.score.as_ref().map(Decimal::to_string),
            answer: shown.unwrap_or_else(|| "no answer".to_owned()),
        }
    });
    ranked.collect()
}

/// The texts of the candidates of a question by their nodes in the dataset.
fn candidates(evaluation: &Evaluation, position: usize) -> HashMap<String, String> {
    let question = &evaluation.cases.dataset.document.questions[position];
    let gold = iri::curated_gold(&iri::question(&evaluation.cases.dataset.iri, &question.key));
    let all = question.candidates.iter().zip(1..);
    all.map(|(candidate, number)| (iri::candidate(&gold, number), shown(candidate))).collect()
}

/// A sentence, or the caption of a table with the beginning of what is in it.
fn shown(candidate: &Candidate) -> String {
    let parts: Vec<&str> = candidate.cells.iter().map(|cell| cell.value.trim()).collect();
    let text = parts.join(" / ");
    let beginning: String = text.chars().take(MOST_SHOWN).collect();
    if beginning.len() < text.len() { beginning + "…" } else { beginning }
}
