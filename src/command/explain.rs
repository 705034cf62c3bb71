//! `qassay explain`: shows how a question was scored.
//!
//! The evaluation is computed again from the archived files; its scores must have the digest that the archive
//! records, so what is explained is what was published.

use std::process::ExitCode;

use oxigraph::model::Term;
use qassay::base::error::{Error, Result};
use qassay::base::iri;
use qassay::base::iri::Mint;
use qassay::base::vocab::{rdfs, skos, xsd};
use qassay::profiles::rules::ASSESSED;
use qassay::record::publish::labelled::Labelled;
use qassay::references::links::chains::{ClusterLinks, Link};
use qassay::references::links::kind::LinkKind;
use qassay::report::explanation::{Explained, ExplainedItem};
use qassay::report::table::Format;
use qassay::scoring::difference::peculiarities;
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::experiment::Experiment;
use qassay::scoring::items::origin::Origin;
use qassay::scoring::pairs::pairing::Pair;
use qassay::sources::archive::Archive;
use qassay::sources::document::{QueryKind, Question};
use qassay::sources::file::source::Source;
use qassay::sources::input::asked::Asked;
use qassay::sources::input::term;

use super::archived::Archived;
use super::inputs::Inputs;
use super::{Output, explain_ranking, keep, linked};
use crate::cli::Explain;

/// Runs the command.
pub(crate) fn run(arguments: &Explain, output: &Output) -> Result<ExitCode> {
    let mint = Mint::default();
    let archived = Archived::open(Archive::open(&arguments.archive.archive)?)?;
    let known = archived.find(&arguments.evaluation, arguments.profile.as_deref())?;
    let inputs = Inputs::read(&archived, known, &mint)?;
    let prepared = inputs.prepare()?;
    let evaluation = inputs.evaluate(&mint, &prepared)?;
    let scores = keep::digests(&mint, &evaluation)?.scores.sha256;
    if let Some((execution, digest)) = known.digests.iter().find(|(_, digest)| *digest != scores) {
        output.note(&format!(
            "warning: {execution} has scores with the digest {digest}, this program computes {scores}"
        ));
    }
    let experiment = wanted(&evaluation, &arguments.experiment)?;
    match &arguments.question {
        Some(question) => {
            let position = position(&evaluation, question)?;
            let explained = explain(&evaluation, experiment, position, &arguments.language)?;
            output.result(&qassay::report::explanation::explanation(&explained))?;
        }
        None => list(arguments, &evaluation, experiment, output)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn wanted<'a>(evaluation: &'a Evaluation<'_>, name: &str) -> Result<&'a Experiment<'a>> {
    evaluation.experiment(name).ok_or_else(|| {
        let scored: Vec<&str> = evaluation.experiments.iter().map(Experiment::name).collect();
        let why = evaluation.skipped.iter().find(|(skipped, _)| *skipped == name);
        let reason = why.map(|(_, skip)| qassay::report::notes::skip_reason(*skip)).unwrap_or_default();
        let error = Error::input(format!("the evaluation has no scores for the experiment type `{name}`"))
            .allowed(scored.join(", "));
        if reason.is_empty() { error } else { error.hint(reason) }
    })
}

fn position(evaluation: &Evaluation<'_>, question: &str) -> Result<usize> {
    let questions = &evaluation.dataset.document.questions;
    questions.iter().position(|q| q.key == question).ok_or_else(|| {
        let first: Vec<&str> = questions.iter().take(10).map(|q| q.key.as_str()).collect();
        Error::input(format!("the dataset {} has no question `{question}`", evaluation.dataset.slug))
            .allowed(format!("{}, … ({} questions)", first.join(", "), questions.len()))
    })
}

fn list(
    arguments: &Explain,
    evaluation: &Evaluation<'_>,
    experiment: &Experiment<'_>,
    output: &Output,
) -> Result<()> {
    let one = std::slice::from_ref(evaluation);
    if arguments.format == Format::Json {
        return output.result(&qassay::report::json::text(&qassay::report::json::evaluations(one)));
    }
    let digits = (arguments.format != Format::Csv).then_some(qassay::report::evaluations::DIGITS_FOR_PEOPLE);
    let mut table = qassay::report::evaluations::details(one, Some(experiment.name()), digits);
    table.title = format!(
        "{} on {}, profile {}, {}",
        evaluation.submission.system,
        evaluation.dataset.slug,
        evaluation.profile().name,
        experiment.name()
    );
    if arguments.wrong {
        table.rows.retain(|row| row.last().is_none_or(|f1| f1.trim_end_matches(['0', '.']) != "1"));
    }
    output.result(&table.render(arguments.format)?)
}

fn explain(
    evaluation: &Evaluation<'_>,
    experiment: &Experiment<'_>,
    position: usize,
    language: &str,
) -> Result<Explained> {
    let question = &evaluation.dataset.document.questions[position];
    let answer = evaluation.answer(position);
    let result = experiment.results[position].as_ref();
    let skip = experiment.matching.questions[position].skip;
    let node = iri::question(&evaluation.dataset.iri, &question.key);
    let mut nodes = vec![
        ("question".to_owned(), node.clone()),
        ("gold answer".to_owned(), evaluation.gold_node(experiment, position)),
    ];
    nodes.extend(evaluation.system_node(experiment, position).map(|answer| ("answer".to_owned(), answer)));
    Ok(Explained {
        question: question.key.clone(),
        texts: texts(question, language),
        experiment: experiment.name().to_owned(),
        status: result.map_or("skipped", |result| result.status.name()).to_owned(),
        skipped: skip.map(qassay::report::notes::skip_reason),
        numbers: result
            .map_or_else(Vec::new, |result| explain_ranking::numbers(evaluation, experiment, result)),
        origins: origins(evaluation, experiment, position),
        notes: notes(evaluation, experiment, position),
        ranking: explain_ranking::ranking(evaluation, experiment, position),
        items: if explain_ranking::ranks_candidates(experiment) {
            Vec::new()
        } else {
            items(evaluation, experiment, position)?
        },
        gold_queries: queries(question),
        system_queries: answer.map(queries).unwrap_or_default(),
        error: answer.and_then(|answer| answer.error.clone()),
        observation: iri::observation(&evaluation.iri, experiment.name(), &question.key),
        nodes,
    })
}

fn origins(
    evaluation: &Evaluation<'_>,
    experiment: &Experiment<'_>,
    position: usize,
) -> Vec<(String, String)> {
    let words = |origin| match origin {
        Origin::Stated => "stated by the file",
        Origin::Annotated => "annotated in the file",
        Origin::Query => "named by the query",
        Origin::Inferred => "inferred from the answers",
        Origin::Types => "classes of the answers (rdf:type)",
    };
    let origins = evaluation.origins(experiment, position);
    let sides = ["gold", "system"].into_iter().zip(origins);
    sides.filter_map(|(side, origin)| Some((side.to_owned(), words(origin?).to_owned()))).collect()
}

/// What a reader would not expect: queries that cannot be read or were repaired, and what the rules of GERBIL do.
fn notes(evaluation: &Evaluation<'_>, experiment: &Experiment<'_>, position: usize) -> Vec<String> {
    let answer = evaluation.alignment.answers[position];
    let sides = [
        ("gold", Some(&evaluation.dataset.queries[position])),
        ("system", answer.map(|answer| &evaluation.submission.queries[answer])),
    ];
    // What GERBIL makes of a query is said by its own rules.
    let is_ours = evaluation.profile().era.is_none() && !experiment.is_of_answers();
    let key = &evaluation.dataset.document.questions[position].key;
    let of_question = evaluation.loaded.left_out().filter(|(question, _)| question.key == *key);
    let mut notes: Vec<String> = of_question.map(|(_, left_out)| format!("not loaded: {left_out}")).collect();
    let changes = evaluation.loaded.changes().filter(|(question, _)| question.key == *key);
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
    notes
        .extend(peculiarities(evaluation, experiment, position).iter().map(qassay::report::differences::why));
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
    let query = |query: &qassay::sources::document::Query| match query.kind {
        QueryKind::Sparql => query.text.clone(),
        QueryKind::Pseudo => format!("# pseudo query\n{}", query.text),
        QueryKind::Schemaless => format!("# schema-less query\n{}", query.text),
    };
    question.queries.iter().map(query).collect()
}

/// Matched, missed and extra items.
fn items(
    evaluation: &Evaluation<'_>,
    experiment: &Experiment<'_>,
    position: usize,
) -> Result<Vec<ExplainedItem>> {
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
        let why = evaluation.votes(position, experiment.matching.term(*item));
        items.push(ExplainedItem { gold: Some(shown(*item)), system: None, why });
    }
    for (item, _) in matched.system.iter().zip(0u32..).filter(|(_, number)| is_free(*number, |p| p.system)) {
        let why = evaluation.votes(position, experiment.matching.term(*item));
        items.push(ExplainedItem { gold: None, system: Some(shown(*item)), why });
    }
    Ok(items)
}

/// A term for people: an IRI bare, a literal in quotes with what belongs to it.
pub(super) fn show(item: &Term) -> String {
    match item {
        Term::Literal(literal) => match literal.datatype().as_str().strip_prefix(xsd::NAMESPACE) {
            Some(datatype) if datatype != "string" => format!("{:?}^^xsd:{datatype}", literal.value()),
            _ => item.to_string(),
        },
        _ => term::text(item).into_owned(),
    }
}

/// The rule of a match, the normalisations it needed, the chain of links.
fn why(
    evaluation: &Evaluation<'_>,
    experiment: &Experiment<'_>,
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
        why.extend(evaluation.votes(position, system));
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
    evaluation: &Evaluation<'_>,
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
fn links(evaluation: &Evaluation<'_>, experiment: &Experiment<'_>, position: usize) -> Result<ClusterLinks> {
    let Some(closure) = evaluation.prepared.closure() else { return Ok(ClusterLinks::default()) };
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
