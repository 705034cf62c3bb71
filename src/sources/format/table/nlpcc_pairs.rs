//! NLPCC DBQA and TBQA: a line a candidate, with its question and whether it is right.
//!
//! The files have no ids: consecutive lines with the same question text are one question, named by its position.
//! Every line is a candidate. The right ones, those with a label above 0, are the gold answers too: a sentence as
//! written, a table by its caption. The scores of a system are another file, one number per line
//! (`nlpcc_scores`).

use std::collections::HashSet;

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Place};
use crate::base::shared::SharedList;
use crate::sources::document::{Candidate, Cell, Document, Row};
use crate::sources::file::line;
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::drafts::{Drafts, literal};

/// NLPCC DBQA.
pub(crate) static DBQA: Format = Format {
    name: "nlpcc-dbqa",
    description: "NLPCC DBQA (text): lines of question, sentence and label 0 or 1, separated by tabs.",
    media_type: "text/tab-separated-values",
    recognise: |content| {
        line::may_be_lines(content)
            && line::most(&line::first_lines(content), |line| SENTENCES.has_form(line))
    },
    read: |content, here| read(content, here, &SENTENCES),
    targets: &[],
};

/// NLPCC TBQA.
pub(crate) static TBQA: Format = Format {
    name: "nlpcc-tbqa",
    description: "NLPCC TBQA (text): lines of label, question, caption, attributes and cells, separated by tabs.",
    media_type: "text/tab-separated-values",
    recognise: |content| {
        line::may_be_lines(content) && line::most(&line::first_lines(content), |line| TABLES.has_form(line))
    },
    read: |content, here| read(content, here, &TABLES),
    targets: &[],
};

/// The columns of a line.
#[derive(Debug)]
struct PairColumns {
    question: usize,
    label: usize,
    /// The columns of the candidate with their names. The first is the answer.
    candidate: &'static [(usize, &'static str)],
}

const SENTENCES: PairColumns = PairColumns { question: 0, label: 2, candidate: &[(1, "sentence")] };

const TABLES: PairColumns =
    PairColumns { question: 1, label: 0, candidate: &[(2, "caption"), (3, "attributes"), (4, "cells")] };

impl PairColumns {
    fn count(&self) -> usize {
        self.candidate.len() + 2
    }

    /// The columns of a line, if it has the right number.
    fn split<'l>(&self, line: &'l str) -> Option<Vec<&'l str>> {
        let fields: Vec<&str> = line.split('\t').collect();
        (fields.len() == self.count()).then_some(fields)
    }

    /// Whether a line looks like one of the format. The output of `trec_eval` does not: its measures are single words.
    fn has_form(&self, line: &str) -> bool {
        let is_word = |text: &str| {
            text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'@' | b'+'))
        };
        self.split(line).is_some_and(|fields| {
            // Nothing else has so many columns.
            let is_table = self.candidate.len() > 1;
            line::is_integer(fields[self.label].trim())
                && (is_table || !is_word(fields[self.question].trim()))
        })
    }
}

fn read(content: &[u8], here: &mut Context<Document>, form: &PairColumns) -> Result<()> {
    let text = here.text(content)?;
    let mut drafts = Drafts::new(here.notes);
    let mut before = None;
    let mut known = HashSet::new();
    for (number, line) in line::lines(text) {
        let Some(fields) = form.split(line) else {
            let count = line.split('\t').count();
            let why = format!("the line has {count} columns, not {}", form.count());
            drafts.stray(number, line, &why);
            continue;
        };
        let question = fields[form.question];
        if before != Some(question.trim()) {
            before = Some(question.trim());
            let here = &mut drafts.of("", number);
            here.draft.has_answers = true;
            here.draft.add_text(None, question.to_owned());
            if !known.insert(question.trim()) {
                separated(question.trim(), here);
            }
        }
        let position = drafts.len() - 1;
        read_candidate(&fields, form, &mut drafts.at(position, Place::line(number)));
    }
    if drafts.len() == 0 {
        return Err(Error::input(format!("no line has {} columns", form.count())));
    }
    drafts.finish(here.draft, |_| {});
    here.draft.name_by_position();
    Ok(())
}

/// A text that was there before is a question of its own, as the campaign's tool has it.
fn separated(text: &str, here: &mut Context) {
    let message = format!(
        "the lines of the question `{text}` are not together; from here on they are a question of their own"
    );
    here.note(IssueCode::OutOfOrder, message);
}

fn read_candidate(fields: &[&str], form: &PairColumns, here: &mut Context) {
    let label = fields[form.label].trim();
    // what is no number is told
    here.named("label").numeral("label", label, "the candidate counts as wrong");
    let cells: SharedList<Cell> =
        form.candidate.iter().map(|(column, name)| literal(name, fields[*column])).collect();
    let candidate = Candidate { cells, label: Some(label.into()), ..Candidate::default() };
    if let Some(answer) = candidate.cells.first().filter(|_| candidate.is_right()) {
        here.draft.extend_rows(vec![Row { cells: [answer.clone()].into() }]);
    }
    here.draft.question.candidates.push(candidate);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn sentences_of_a_question_stand_together() {
        let text = "多大 吗？\t 第一句。\t 0\r\n多大 吗？\t第二句。\t1\r\nWho is it?\tA.\t0\nWho is it?\tB.\nWho is it?\tC.\t0\n多大 吗？\t第三句。\tx\n";
        assert!((DBQA.recognise)(text.as_bytes()) && !(TBQA.recognise)(text.as_bytes()));
        let found = DBQA.document(text.as_bytes()).expect("a document");
        let told: Vec<String> =
            found.issues.iter().map(|i| format!("{} {}: {}", i.place, i.code.name(), i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        line 4, line unreadable-line: the line has 2 columns, not 3; it is not used: `Who is it?	B.`
        line 6, question out-of-order: the lines of the question `多大 吗？` are not together; from here on they are a question of their own
        line 6, label not-a-number: the label `x` is no number; the candidate counts as wrong
        line 1 missing-id: the format has no ids; questions are called `~1`, `~2`, … after their position
        ");
        let questions: Vec<(&str, &str, usize, AnswerState, Option<u64>)> = found
            .questions
            .iter()
            .map(|q| (&*q.id, &*q.key, q.candidates.len(), q.answers.state, q.place.line))
            .collect();
        let expected = [
            ("", "~1", 2, AnswerState::Given, Some(1)),
            ("", "~2", 2, AnswerState::Empty, Some(3)),
            ("", "~3", 1, AnswerState::Empty, Some(6)),
        ];
        assert_eq!(questions, expected);
        let first = &found.questions[0];
        assert_eq!(first.answers.sets[0].rows[0].cells[0].value, "第二句。");
        let labels: Vec<Option<&str>> = first.candidates.iter().map(|c| c.label.as_deref()).collect();
        assert_eq!(
            (labels, first.candidates[0].cells[0].value.as_str()),
            (vec![Some("0"), Some("1")], " 第一句。")
        );
        assert_eq!(found.questions[1].extras[0].value, "Who is it?\tB.");
    }

    #[test]
    fn tables_are_answers_by_their_captions() {
        let text = "1\tbanks in india \t List of banks\tBANKS |_| CITY\tAllahabad |_| Kolkata |_|_| Andhra |_| Hyderabad\n0\tbanks in india\tThai banks\tRank\t1 |_|_| 2\n";
        assert!((TBQA.recognise)(text.as_bytes()) && !(DBQA.recognise)(text.as_bytes()));
        let found = TBQA.document(text.as_bytes()).expect("a document");
        assert_eq!(found.questions.len(), 1);
        let question = &found.questions[0];
        assert_eq!(question.answers.sets[0].rows.len(), 1);
        assert_eq!(question.answers.sets[0].rows[0].cells[0].value, " List of banks");
        let parts: Vec<&str> =
            question.candidates[0].cells.iter().map(|cell| cell.variable.as_str()).collect();
        assert_eq!(parts, ["caption", "attributes", "cells"]);
        assert_eq!(question.candidates[1].cells[2].value, "1 |_|_| 2");
    }

    #[test]
    fn measures_and_other_tables_are_not_recognised() {
        for text in
            ["num_q \tall\t3\nnum_ret\tall\t1500\n", "a b\tc\td\n", "a b\t1\n", "MAP\t1\n", "", "{\"a\tb\t1"]
        {
            assert!(!(DBQA.recognise)(text.as_bytes()) && !(TBQA.recognise)(text.as_bytes()), "{text}");
        }
    }
}
