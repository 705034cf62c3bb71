//! The graphs of refreshed gold answers and of executed answers. They are functions of the dataset or submission and of the
//! answer snapshot; the graphs of the files stay as they are.

use std::io::{self, Write};

use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::rdf::lines;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dct, prov, qassay, rdf};
use crate::kb::snapshot::query_checksum;
use crate::scoring::asked::executed::{ExecutedAnswers, QueryRun};
use crate::scoring::asked::refreshed::{Refreshed, RefreshedGold};
use crate::sources::document::Question;
use crate::sources::input::Input;
use crate::sources::input::answer::Item;
use crate::sources::input::publish::{answer_types, inferred, item_node, item_nodes, terms};

/// What a subject is.
enum AskedSubject<'a, T> {
    Answer(&'a Question, usize, &'a T),
    Item(Item<'a>, String),
}

/// The subjects of an answer: itself and its items.
fn push<'a, T>(
    subjects: &mut Vec<(String, AskedSubject<'a, T>)>,
    node: String,
    question: &'a Question,
    position: usize,
    what: &'a T,
    with_items: bool,
) {
    if with_items {
        let items = item_nodes(question, &node);
        subjects.extend(items.map(|(item_node, item)| (item_node, AskedSubject::Item(item, node.clone()))));
    }
    subjects.push((node, AskedSubject::Answer(question, position, what)));
}

impl RefreshedGold {
    /// Writes the graph of the refreshed gold answers. Each question has a node that says what became of its answer; it is a
    /// gold answer where there is one.
    pub fn write(&self, out: &mut (impl Write + ?Sized), mint: &Mint, dataset: &Input) -> io::Result<u64> {
        let mut subjects = Vec::new();
        for (position, (question, refreshed)) in
            self.document.questions.iter().zip(&self.questions).enumerate()
        {
            let node = iri::refreshed_gold(&iri::question(&dataset.iri, &question.key), &self.kept.name);
            push(&mut subjects, node, question, position, refreshed, refreshed.status.has_answers());
        }
        lines::write_subjects(out, &mint.graph_of(&self.iri), subjects, |part, lines| match part {
            AskedSubject::Item(item, answer) => item_node(lines, item, answer),
            AskedSubject::Answer(question, _, refreshed) => {
                self.describe(lines, dataset, question, refreshed);
            }
        })
    }

    fn describe(&self, lines: &mut Lines, dataset: &Input, question: &Question, refreshed: &Refreshed) {
        let asked = iri::question(&dataset.iri, &question.key);
        lines
            .iri(qassay::FOR_QUESTION, &asked)
            .iri(qassay::REFRESH_STATUS, &code::iri(&format!("refresh-{}", refreshed.status.name())))
            .iri(prov::WAS_DERIVED_FROM, &iri::curated_gold(&asked))
            .integer(qassay::ADDED_ANSWERS, refreshed.added)
            .integer(qassay::REMOVED_ANSWERS, refreshed.removed);
        if let Some(reason) = &refreshed.reason {
            lines.text(qassay::REFRESH_REASON, reason);
        }
        if let Some(query) = &refreshed.query {
            lines.iri(prov::WAS_DERIVED_FROM, &iri::query_answer(&self.kept.iri, &query_checksum(query)));
        }
        if refreshed.status.has_answers() {
            lines.iri(rdf::TYPE, qassay::GOLD_ANSWER).iri(qassay::GOLD_ORIGIN, &code::iri("gold-refreshed"));
            terms(lines, question);
            inferred(lines, question);
        }
    }
}

impl ExecutedAnswers {
    /// Writes the graph of the executed answers: only of those that were executed.
    pub fn write(&self, out: &mut (impl Write + ?Sized), mint: &Mint, submission: &Input) -> io::Result<u64> {
        let mut subjects = Vec::new();
        for (position, (question, execution)) in self.document.questions.iter().zip(&self.answers).enumerate()
        {
            if let Some(execution) = execution {
                let node = iri::system_answer(&self.iri, &question.key);
                push(&mut subjects, node, question, position, execution, true);
            }
        }
        lines::write_subjects(out, &mint.graph_of(&self.iri), subjects, |part, lines| match part {
            AskedSubject::Item(item, answer) => item_node(lines, item, answer),
            AskedSubject::Answer(question, position, execution) => {
                self.describe(lines, submission, question, *position, execution);
            }
        })
    }

    fn describe(
        &self,
        lines: &mut Lines,
        submission: &Input,
        question: &Question,
        position: usize,
        execution: &QueryRun,
    ) {
        lines
            .iri(rdf::TYPE, qassay::SYSTEM_ANSWER)
            .iri(qassay::IN_SUBMISSION, &submission.iri)
            .iri(qassay::ANSWER_STATUS, &code::iri(execution.status))
            .text(dct::IDENTIFIER, &question.id)
            .integer(qassay::POSITION, position as u64 + 1)
            .iri(prov::WAS_DERIVED_FROM, &iri::system_answer(&submission.iri, &question.key));
        if let Some(query) = &execution.query {
            lines.iri(prov::WAS_DERIVED_FROM, &iri::query_answer(&self.kept.iri, &query_checksum(query)));
        }
        if let Some(why) = &execution.undecided {
            lines.text(qassay::UNDECIDED_REASON, why);
        }
        if let Some(error) = &question.error {
            lines.text(qassay::ERROR_MESSAGE, error);
        }
        terms(lines, question);
        answer_types(lines, question);
        inferred(lines, question);
    }
}
