//! `qassay explain`: shows how a question was scored.
//!
//! The evaluation is computed again from the archived files; its scores must have the digest that the archive
//! records, so what is explained is what was published.

use std::process::ExitCode;

use oxigraph::model::Term;
use qassay::graph::iri::{self, Mint};
use qassay::graph::vocab::xsd;
use qassay::graph::{Archive, term};
use qassay::matching::{LinkSet, Pair, normal_form};
use qassay::observe::Evaluation;
use qassay::read::{QueryKind, Question};
use qassay::report::{self, Explained, ExplainedItem, Format};
use qassay::{Error, Result};

use super::archived::Archived;
use super::{Output, keep};
use crate::cli::Explain;

/// Runs the command.
pub(crate) fn run(arguments: &Explain, output: &Output) -> Result<ExitCode> {
    let mint = Mint::default();
    let archived = Archived::open(Archive::open(&arguments.archive.archive)?)?;
    let known = archived.find(&arguments.evaluation, arguments.profile.as_deref())?;
    let inputs = archived.inputs(known, &mint)?;
    let closure = inputs.closure();
    let evaluation = inputs.evaluate(&mint, closure.as_ref())?;
    let scores = keep::digests(&mint, &evaluation)?.scores.sha256;
    if let Some((execution, digest)) = known.digests.iter().find(|(_, digest)| *digest != scores) {
        output.note(&format!(
            "warning: {execution} has scores with the digest {digest}, this program computes {scores}"
        ));
    }
    match &arguments.question {
        Some(question) => {
            let position = position(&evaluation, question)?;
            let explained = explain(&evaluation, position, &arguments.language);
            output.result(&report::explanation(&explained))?;
        }
        None => list(arguments, &evaluation, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn position(evaluation: &Evaluation<'_>, question: &str) -> Result<usize> {
    let questions = &evaluation.dataset.document.questions;
    questions.iter().position(|q| q.key == question).ok_or_else(|| {
        let first: Vec<&str> = questions.iter().take(10).map(|q| q.key.as_str()).collect();
        Error::input(format!("the dataset {} has no question `{question}`", evaluation.dataset.slug))
            .allowed(format!("{}, … ({} questions)", first.join(", "), questions.len()))
    })
}

fn list(arguments: &Explain, evaluation: &Evaluation<'_>, output: &Output) -> Result<()> {
    let one = std::slice::from_ref(evaluation);
    if arguments.format == Format::Json {
        return output.result(&format!("{:#}\n", report::evaluations_json(one)));
    }
    let digits = (arguments.format != Format::Csv).then_some(report::DIGITS_FOR_PEOPLE);
    let mut table = report::details(one, digits);
    table.title = format!(
        "{} on {}, profile {}",
        evaluation.submission.system, evaluation.dataset.slug, evaluation.profile.name
    );
    if arguments.wrong {
        table.rows.retain(|row| row.last().is_none_or(|f1| f1.trim_end_matches(['0', '.']) != "1"));
    }
    output.result(&table.render(arguments.format)?)
}

fn explain(evaluation: &Evaluation<'_>, position: usize, language: &str) -> Explained {
    let question = &evaluation.dataset.document.questions[position];
    let answer = evaluation.answer(position);
    let result = &evaluation.results[position];
    let counts = result.counts;
    let node = iri::question(&evaluation.dataset.iri, &question.key);
    let number = |name: &str, value: String| (name.to_owned(), value);
    let mut nodes =
        vec![("question".to_owned(), node.clone()), ("gold answer".to_owned(), iri::curated_gold(&node))];
    nodes.extend(
        answer.map(|a| ("answer".to_owned(), iri::system_answer(&evaluation.submission.iri, &a.key))),
    );
    Explained {
        question: question.key.clone(),
        texts: texts(question, language),
        status: result.status.name().to_owned(),
        numbers: vec![
            number("tp", counts.true_positives().to_string()),
            number("fp", counts.false_positives().to_string()),
            number("fn", counts.false_negatives().to_string()),
            number("precision", result.scores.precision.to_decimal()),
            number("recall", result.scores.recall.to_decimal()),
            number("F1", result.scores.f1.to_decimal()),
        ],
        items: items(evaluation, position),
        gold_queries: queries(question),
        system_queries: answer.map(queries).unwrap_or_default(),
        error: answer.and_then(|answer| answer.error.clone()),
        observation: iri::observation(&evaluation.iri, "QA", &question.key),
        nodes,
    }
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
    let query = |query: &qassay::read::Query| match query.kind {
        QueryKind::Sparql => query.text.clone(),
        QueryKind::Pseudo => format!("# pseudo query\n{}", query.text),
        QueryKind::Schemaless => format!("# schema-less query\n{}", query.text),
    };
    question.queries.iter().map(query).collect()
}

/// Matched, missed and extra items.
fn items(evaluation: &Evaluation<'_>, position: usize) -> Vec<ExplainedItem> {
    let matched = &evaluation.matching.questions[position];
    let shown = |number: u32| show(evaluation.matching.term(number));
    let mut items: Vec<ExplainedItem> = matched
        .pairs
        .iter()
        .map(|pair| ExplainedItem {
            gold: Some(shown(matched.gold[pair.gold as usize])),
            system: Some(shown(matched.system[pair.system as usize])),
            why: why(evaluation, position, *pair),
        })
        .collect();
    let is_free =
        |number: u32, side: fn(&Pair) -> u32| !matched.pairs.iter().any(|pair| side(pair) == number);
    for (item, _) in matched.gold.iter().zip(0u32..).filter(|(_, number)| is_free(*number, |p| p.gold)) {
        items.push(ExplainedItem { gold: Some(shown(*item)), system: None, why: Vec::new() });
    }
    for (item, _) in matched.system.iter().zip(0u32..).filter(|(_, number)| is_free(*number, |p| p.system)) {
        items.push(ExplainedItem { gold: None, system: Some(shown(*item)), why: Vec::new() });
    }
    items
}

/// A term for people: an IRI bare, a literal in quotes with what belongs to it.
fn show(item: &Term) -> String {
    match item {
        Term::Literal(literal) => match literal.datatype().as_str().strip_prefix(xsd::NAMESPACE) {
            Some(datatype) if datatype != "string" => format!("{:?}^^xsd:{datatype}", literal.value()),
            _ => item.to_string(),
        },
        _ => term::text(item).into_owned(),
    }
}

/// The rule of a match, the normalisations it needed, the chain of links.
fn why(evaluation: &Evaluation<'_>, position: usize, pair: Pair) -> Vec<String> {
    let matched = &evaluation.matching.questions[position];
    let gold = evaluation.matching.term(matched.gold[pair.gold as usize]);
    let system = evaluation.matching.term(matched.system[pair.system as usize]);
    let rule = &evaluation.profile.steps[usize::from(pair.step)].rule;
    let mut why = vec![format!("rule {}", rule.trim_start_matches("match-"))];
    let normalisations = evaluation.normalisations(rule, gold, system);
    if !normalisations.is_empty() {
        let names: Vec<&str> = normalisations.iter().map(|n| n.trim_start_matches("norm-")).collect();
        why.push(format!("normalised: {}", names.join(", ")));
    }
    if let (Term::NamedNode(gold), Term::NamedNode(system), "match-sameas") = (gold, system, rule.as_str()) {
        why.extend(chain(evaluation, gold.as_str(), system.as_str()));
    }
    why
}

fn chain(evaluation: &Evaluation<'_>, gold: &str, system: &str) -> Vec<String> {
    let sets: Vec<&LinkSet> = evaluation.links.iter().map(|links| &links.set).collect();
    let enabled = |name: &str| evaluation.profile.normalises(name);
    let same = |a: &str, b: &str| normal_form(a, &enabled).0 == normal_form(b, &enabled).0;
    let chain = LinkSet::chain(&sets, gold, system, same).unwrap_or_default();
    let link = |(from, to, set): (String, String, usize)| {
        format!("<{from}> owl:sameAs <{to}>  in {}", evaluation.links[set].iri)
    };
    chain.into_iter().map(link).collect()
}
