//! The match graph: which gold item met which system item, by which rule and which links.

use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::model::Model;
use crate::base::rdf::lines;
use crate::base::rdf::lines::{Lines, SubjectRegion};
use crate::base::vocab::code;
use crate::base::vocab::qassay;
use crate::base::vocab::rdf;
use crate::base::vocab::xsd;
use crate::profiles::rules::ASSESSED;
use crate::record::written_term::{self, ill_typed};
use crate::references::ReferenceKind;
use crate::scoring::basis::Labelled;
use crate::scoring::cases::Cases;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;
use crate::scoring::pairs::pairing::Pair;
use oxigraph::model::{Literal, Term};
use std::collections::BTreeMap;
use std::io;
use std::io::Write;

/// What a subject of the graph is.
enum MatchSubject<'a> {
    /// The answer to the question at this position.
    Answer(usize),
    /// The observation of the question at this position: its identical items.
    Observation(&'a Experiment, usize),
    /// The same observation: the nodes of the items that are labels there.
    Labels(Vec<String>),
    /// An answer, and the type that it has without labels.
    Typed(&'static str),
    /// A pair of the question at this position.
    Match(&'a Experiment, usize, Pair),
    /// The answer at this rank to the question at this position.
    Judgement(&'a Experiment, usize, usize),
    /// A literal whose text is none of its datatype.
    Written(&'a Literal),
}

/// Writes the match graph of an evaluation.
///
/// Identical items are one statement of the observation (`qassay:identicalMatch`), other matches are nodes; so are
/// answers that are judged one by one. Items that the profile reads as labels are told (`qassay:readAsLabel`).
pub fn write(out: &mut (impl Write + ?Sized), mint: &Mint, evaluation: &Evaluation) -> io::Result<u64> {
    let (questions, cases) = (&evaluation.cases.dataset.document.questions, &evaluation.cases);
    let of_type: Vec<(String, &str)> = evaluation
        .experiments
        .iter()
        .flat_map(|experiment| evaluation.types_without_labels(experiment))
        .collect();
    let answers = |of: &str, node: fn(&Cases, usize) -> Option<String>| {
        let prefix = format!("{of}/");
        let typed = of_type.iter().filter(|(node, _)| node.starts_with(&prefix));
        let typed: Vec<_> = typed.map(|(node, name)| (node.clone(), MatchSubject::Typed(name))).collect();
        let nodes =
            (0..questions.len()).filter_map(move |at| Some((node(cases, at)?, MatchSubject::Answer(at))));
        SubjectRegion::new(prefix, move || nodes.chain(typed).collect())
    };
    let mut regions =
        vec![answers(&cases.dataset.iri, |_, _| None), answers(&cases.submission.iri, Cases::submitted_node)];
    if let Some(executed) = &cases.asked.executed {
        regions.push(answers(&executed.iri, Cases::executed_node));
    }
    for experiment in &evaluation.experiments {
        push_experiment(&mut regions, evaluation, experiment);
    }
    let writer = Writer { evaluation, model: mint.model() };
    if writer.model.names_ill_typed() {
        regions.push(SubjectRegion::new(iri::written_term(&evaluation.iri, ""), move || written(evaluation)));
    }
    lines::write_regions(out, &mint.match_graph(&evaluation.digest), regions, |part, lines| match *part {
        MatchSubject::Answer(position) => {
            lines.iri(
                qassay::FOR_QUESTION,
                &iri::question(&evaluation.cases.dataset.iri, &questions[position].key),
            );
        }
        MatchSubject::Observation(experiment, position) => {
            let matched = &experiment.matching.questions[position];
            for pair in matched.pairs.iter().filter(|pair| is_identical(experiment, pair)) {
                let term = experiment.matching.term(matched.gold[pair.gold as usize]);
                writer.term(lines, qassay::IDENTICAL_MATCH, term);
            }
        }
        MatchSubject::Labels(ref items) => {
            for item in items {
                lines.iri(qassay::READ_AS_LABEL, item);
            }
        }
        MatchSubject::Typed(name) => {
            lines.iri(qassay::INFERRED_TYPE, &code::iri(&format!("type-{name}")));
        }
        MatchSubject::Match(experiment, position, pair) => {
            writer.describe(lines, experiment, position, pair);
        }
        MatchSubject::Judgement(experiment, position, rank) => {
            writer.describe_judgements(lines, experiment, position, rank);
        }
        MatchSubject::Written(literal) => written_term::describe(lines, literal),
    })
}

/// The literals of matches and judgements whose texts are none of their datatypes, each once, by their nodes.
fn written(evaluation: &Evaluation) -> Vec<(String, MatchSubject<'_>)> {
    let mut nodes = BTreeMap::new();
    for experiment in &evaluation.experiments {
        for (at, matched) in experiment.matching.questions.iter().enumerate() {
            if matched.skip.is_some() {
                continue;
            }
            let pairs = matched
                .pairs
                .iter()
                .flat_map(|pair| [matched.gold[pair.gold as usize], matched.system[pair.system as usize]]);
            let judged = experiment.results[at].as_ref().and_then(|result| result.judged.as_ref());
            let given = matched.given.iter().take(judged.map_or(0, |judged| judged.answers().len()));
            for number in pairs.chain(given.filter_map(|given| given.item)) {
                if let Some(literal) = ill_typed(experiment.matching.term(number)) {
                    nodes
                        .insert(written_term::node(&evaluation.iri, literal), MatchSubject::Written(literal));
                }
            }
        }
    }
    nodes.into_iter().collect()
}

fn is_identical(experiment: &Experiment, pair: &Pair) -> bool {
    experiment.rules.steps[usize::from(pair.step)].rule == "match-identical"
}

fn push_experiment<'a>(
    regions: &mut Vec<SubjectRegion<'a, MatchSubject<'a>>>,
    evaluation: &'a Evaluation,
    experiment: &'a Experiment,
) {
    let name = experiment.name();
    let part = |kind| iri::part_of(&evaluation.iri, kind, name);
    let key = |position: usize| &evaluation.cases.dataset.document.questions[position].key;
    let matched = || {
        let questions = experiment.matching.questions.iter().enumerate();
        questions.filter(|(_, matched)| matched.skip.is_none())
    };
    regions.push(SubjectRegion::new(part("obs"), move || {
        let identical =
            matched().filter(|(_, matched)| matched.pairs.iter().any(|pair| is_identical(experiment, pair)));
        let observed = |(at, _)| {
            (iri::observation(&evaluation.iri, name, key(at)), MatchSubject::Observation(experiment, at))
        };
        let labelled = matched().map(|(at, _)| (at, labels(evaluation, experiment, at)));
        let labelled = labelled.filter(|(_, items)| !items.is_empty());
        let read =
            |(at, items)| (iri::observation(&evaluation.iri, name, key(at)), MatchSubject::Labels(items));
        identical.map(observed).chain(labelled.map(read)).collect()
    }));
    regions.push(SubjectRegion::new(part("match"), move || {
        let others = matched().flat_map(|(at, matched)| {
            let others = matched.pairs.iter().filter(|pair| !is_identical(experiment, pair));
            others.zip(1..).map(move |(pair, number)| {
                let node = iri::matched(&evaluation.iri, name, key(at), number);
                (node, MatchSubject::Match(experiment, at, *pair))
            })
        });
        others.collect()
    }));
    regions.push(SubjectRegion::new(part("judgement"), move || {
        let judged = matched().flat_map(|(at, _)| {
            let nodes = nodes(evaluation, experiment, at);
            nodes.map(move |(node, rank)| (node, MatchSubject::Judgement(experiment, at, rank)))
        });
        judged.collect()
    }));
}

/// The nodes of the items that are labels in a question.
fn labels(evaluation: &Evaluation, experiment: &Experiment, position: usize) -> Vec<String> {
    let [gold, system] = evaluation.labels(experiment, position);
    let of_gold = gold.iter().map(|item| iri::item(&evaluation.gold_node(experiment, position), item.number));
    // Nearly no question has labels: only then the node is made.
    let of_system = system.iter().filter_map(|item| {
        let node = evaluation.system_node(experiment, position)?;
        Some(iri::item(&node, item.number))
    });
    of_gold.chain(of_system).collect()
}

/// What the statements about matches depend on.
struct Writer<'a> {
    evaluation: &'a Evaluation,
    model: Model,
}

impl Writer<'_> {
    /// States a term, or the node that stands for it.
    fn term(&self, lines: &mut Lines, property: &str, term: &Term) {
        match ill_typed(term).filter(|_| self.model.names_ill_typed()) {
            Some(literal) => lines.iri(property, &written_term::node(&self.evaluation.iri, literal)),
            None => lines.term(property, term),
        };
    }

    fn describe(&self, lines: &mut Lines, experiment: &Experiment, position: usize, pair: Pair) {
        let evaluation = self.evaluation;
        let matched = &experiment.matching.questions[position];
        let gold = experiment.matching.term(matched.gold[pair.gold as usize]);
        let system = experiment.matching.term(matched.system[pair.system as usize]);
        let rule = &experiment.rules.steps[usize::from(pair.step)].rule;
        let key = &evaluation.cases.dataset.document.questions[position].key;
        lines
            .iri(rdf::TYPE, qassay::MATCH)
            .iri(qassay::IN_OBSERVATION, &iri::observation(&evaluation.iri, experiment.name(), key));
        self.term(lines, qassay::GOLD_TERM, gold);
        self.term(lines, qassay::SYSTEM_TERM, system);
        lines.iri(qassay::MATCH_RULE, &code::iri(rule));
        for normalisation in evaluation.normalisations(position, rule, gold, system) {
            lines.iri(qassay::NORMALISATION, &code::iri(normalisation));
        }
        if evaluation.is_by_links(rule, gold, system) {
            for (reference, _) in evaluation.links() {
                lines.iri(self.model.match_source(), &reference.iri);
            }
        }
        if rule == ASSESSED {
            for file in evaluation.plan.references.of(ReferenceKind::Assessments) {
                lines.iri(self.model.match_source(), &file.iri);
            }
        }
        if let Some(labelled) = evaluation.labelled(position, rule, gold, system) {
            self.describe_label(&labelled, lines);
        }
    }

    /// States what a match by a label rests on.
    fn describe_label(&self, label: &Labelled<'_>, lines: &mut Lines) {
        lines
            .iri(qassay::LABEL_PROPERTY, label.label.property)
            .iri(qassay::LABELLED_RESOURCE, label.label.resource)
            .term(qassay::LABEL_TEXT, label.label.literal)
            .iri(self.model.match_source(), &label.file.iri);
        for (reference, _) in self.evaluation.links().filter(|_| label.by_links) {
            lines.iri(self.model.match_source(), &reference.iri);
        }
    }

    /// The statements about the answer at a rank; the subject is set.
    fn describe_judgements(&self, lines: &mut Lines, experiment: &Experiment, position: usize, rank: usize) {
        let evaluation = self.evaluation;
        let key = &evaluation.cases.dataset.document.questions[position].key;
        let judged = experiment.results[position].as_ref().and_then(|result| result.judged.as_ref());
        let given = &experiment.matching.questions[position].given;
        let Some((judgement, given)) =
            judged.and_then(|judged| judged.answers().get(rank - 1)).zip(given.get(rank - 1))
        else {
            return;
        };
        lines
            .iri(rdf::TYPE, qassay::JUDGEMENT)
            .iri(qassay::JUDGED_IN, &iri::observation(&evaluation.iri, experiment.name(), key))
            .integer(qassay::JUDGED_RANK, rank as u64)
            .iri(qassay::VERDICT, &code::iri(&format!("verdict-{}", judgement.verdict.name())))
            .integer(qassay::GAIN, judgement.gain);
        if let Some(item) = given.item {
            self.term(lines, qassay::SYSTEM_TERM, experiment.matching.term(item));
        }
        if let Some(score) = &judgement.score {
            lines.typed(qassay::JUDGED_SCORE, &score.to_decimal(), xsd::DECIMAL);
        }
    }
}

/// The nodes of the answers to a question: their IRIs and ranks, from 1; none where answers are not judged one by one.
fn nodes(
    evaluation: &Evaluation,
    experiment: &Experiment,
    position: usize,
) -> impl Iterator<Item = (String, usize)> {
    let judged = experiment.results[position].as_ref().and_then(|result| result.judged.as_ref());
    let count = judged.map_or(0, |judged| judged.answers().len());
    let key = &evaluation.cases.dataset.document.questions[position].key;
    (1..=count).map(move |rank| (iri::judgement(&evaluation.iri, experiment.name(), key, rank), rank))
}
