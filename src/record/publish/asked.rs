//! The graphs of refreshed gold answers and of executed answers. They are functions of the dataset or submission and of the
//! answer snapshot; the graphs of the files stay as they are.

use std::io::{self, Write};

use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::rdf::lines;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dct, prov, qassay, rdf};
use crate::kb::snapshot::query_checksum;
use crate::kb::ties::{PossibleRows, TiedRows};
use crate::scoring::asked::executed::{ExecutedAnswers, QueryRun};
use crate::scoring::asked::refreshed::{Refreshed, RefreshedGold};
use crate::scoring::pairs::tied::row_terms;
use crate::sources::document::{Question, Row};
use crate::sources::input::Input;
use crate::sources::input::answer::{Item, LabelColumns};
use crate::sources::input::publish::{answer_types, inferred, item_node, item_nodes, terms};

/// What a subject is.
enum AskedSubject<'a, T> {
    Answer(&'a Question, usize, &'a T),
    Item(Item<'a>, String),
    /// Rows that tie, in an answer.
    Ties(&'a TiedRows, String),
    /// A row of such rows.
    Tied(&'a Row, String),
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
            let node = iri::refreshed_gold(&iri::question(&dataset.iri, &question.key), &self.name);
            push_ties(&mut subjects, &node, refreshed.ties.as_ref());
            push(&mut subjects, node, question, position, refreshed, refreshed.status.has_answers());
        }
        lines::write_subjects(out, &mint.graph_of(&self.iri), subjects, |part, lines| match part {
            AskedSubject::Answer(question, _, refreshed) => {
                self.describe(lines, dataset, question, refreshed);
            }
            other => describe_part(lines, other),
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
        if let Some(ties) = &refreshed.ties {
            let node = iri::refreshed_gold(&asked, &self.name);
            for group in 1..=ties.groups.len() {
                lines.iri(qassay::TIED_ROWS, &iri::tied_rows(&node, group));
            }
            for term in ties.sure.iter().flat_map(|row| row_terms(row, LabelColumns::Answers)) {
                lines.term(qassay::SURE_TERM, &term);
            }
        }
    }
}

/// The subjects of rows that tie.
fn push_ties<'a, T>(
    subjects: &mut Vec<(String, AskedSubject<'a, T>)>,
    answer: &str,
    ties: Option<&'a PossibleRows>,
) {
    for (group, number) in ties.into_iter().flat_map(|ties| &ties.groups).zip(1..) {
        let node = iri::tied_rows(answer, number);
        let rows = group.rows.iter().zip(1..).map(|(row, place)| {
            (iri::tied_row(answer, number, place), AskedSubject::Tied(row, node.clone()))
        });
        subjects.extend(rows);
        subjects.push((node, AskedSubject::Ties(group, answer.to_owned())));
    }
}

/// What is said of a part of an answer.
fn describe_part<T>(lines: &mut Lines, part: &AskedSubject<'_, T>) {
    match part {
        AskedSubject::Answer(..) => {}
        AskedSubject::Item(item, answer) => item_node(lines, item, answer),
        AskedSubject::Ties(group, answer) => {
            lines
                .iri(rdf::TYPE, qassay::TIED_ROWS_CLASS)
                .iri(qassay::IN_ANSWER, answer)
                .integer(qassay::WANTED_ROWS, group.wanted as u64);
        }
        AskedSubject::Tied(row, group) => {
            lines.iri(rdf::TYPE, qassay::TIED_ROW_CLASS).iri(qassay::IN_TIED_ROWS, group);
            for term in row_terms(row, LabelColumns::Answers) {
                lines.term(qassay::TIED_TERM, &term);
            }
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
            AskedSubject::Answer(question, position, execution) => {
                self.describe(lines, submission, question, *position, execution);
            }
            other => describe_part(lines, other),
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
