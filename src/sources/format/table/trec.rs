//! TREC: relevance judgements (qrels) and runs, as `trec_eval` reads them.
//!
//! White space separates the fields: `question iteration document grade` and `question iteration document rank score
//! tag`. A line that begins with `#` is a comment. In judgements, documents with a grade above 0 are the gold answers.
//! In runs the score decides, highest first; among equal scores the document id that is last in the order of bytes
//! stands first, as `trec_eval` has it (scores are compared as 64-bit floating point numbers there and here). The rank
//! that a run states is kept and not used. The second field of judgements may name a group of judges: it is kept with
//! the document, which counts if one group calls it relevant. The tag of a run is kept with every question, and so is
//! what stands behind it: `trec_eval` keeps the end of lines for later use.

use crate::base::error::{Error, Result};
use crate::base::issue::IssueCode;
use crate::base::shared::SharedList;
use crate::sources::document::{Candidate, Cell, Document, Row};
use crate::sources::file::line;
use crate::sources::format::context::{Context, Draft};
use crate::sources::format::drafts::{Drafts, literal};
use crate::sources::format::numeral::decimal;
use crate::sources::format::table::named_documents::{NamedDocuments, Repeats, SeenLines};
use crate::sources::format::{Format, unknown};

/// Relevance judgements.
pub(crate) static QRELS: Format = Format {
    name: "trec-qrels",
    description: "TREC relevance judgements (text): lines of question, 0, document, grade.",
    media_type: "text/plain",
    recognise: |content| {
        let has_form = |fields: &[&str]| matches!(fields, [_, _, _, grade] if line::is_integer(grade));
        // `ID Precision Recall F1` stands above lines that look like judgements
        recognise(content, has_form) && !unknown::has_measures(&line::first_lines(content))
    },
    read: |content, here| read(content, here, &LineForm { fields: 4, add: judgement, settle: |_| {} }),
    targets: &[],
};

/// Runs.
pub(crate) static RUN: Format = Format {
    name: "trec-run",
    description: "TREC run (text): lines of question, Q0, document, rank, score, tag.",
    media_type: "text/plain",
    recognise: |content| {
        recognise(
            content,
            |fields| matches!(fields, [_, _, _, rank, score, _, ..] if line::is_integer(rank) && decimal(score, 0).is_some()),
        )
    },
    read: |content, here| read(content, here, &LineForm { fields: 6, add: retrieved, settle: rank }),
    targets: &[],
};

/// What differs between judgements and runs.
struct LineForm {
    fields: usize,
    add: fn(&[&str], SharedList<Cell>, &mut Context),
    /// What is done at the end of the file.
    settle: fn(&mut Draft),
}

impl LineForm {
    /// Whether a line has as many fields; a run may say more behind its tag.
    fn has(&self, fields: &[&str]) -> bool {
        fields.len() == self.fields || (fields.len() > self.fields && self.fields != 4)
    }

    /// What a line that was read before says: question, document, second field.
    fn seen<'t>(
        &self,
        line: &'t str,
        drafts: &Drafts<'_>,
        documents: &NamedDocuments<'t>,
    ) -> Option<((usize, u32), &'t str)> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [id, group, document, ..] = fields[..] else { return None };
        let is_read = !is_comment(line) && self.has(&fields);
        is_read.then_some(((drafts.find(id)?, documents.find(document)?), group))
    }
}

fn recognise(content: &[u8], has_form: impl Fn(&[&str]) -> bool) -> bool {
    let lines: Vec<String> =
        line::first_lines(content).into_iter().filter(|line| !is_comment(line)).collect();
    line::may_be_lines(content)
        && line::most(&lines, |line| has_form(&line.split_whitespace().collect::<Vec<_>>()))
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// Whether the second field has the value that says nothing.
fn is_no_group(field: &str) -> bool {
    field == "0" || field.eq_ignore_ascii_case("Q0")
}

fn read(content: &[u8], here: &mut Context<Document>, form: &LineForm) -> Result<()> {
    let text = here.text(content)?;
    let mut drafts = Drafts::new(here.notes);
    let (mut documents, mut seen) = (NamedDocuments::default(), SeenLines::default());
    let mut fields: Vec<&str> = Vec::new();
    for (number, line) in line::lines(text).filter(|(_, line)| !is_comment(line)) {
        fields.clear();
        fields.extend(line.split_whitespace());
        if !form.has(&fields) {
            let why = format!("the line has {} fields, not {}", fields.len(), form.fields);
            drafts.stray(number, line, &why);
            continue;
        }
        let (before, questions) = (drafts.last(), drafts.len());
        let question = drafts.position(fields[0], number);
        if question < questions && before != Some(question) {
            let read = line::lines(text).take_while(|(earlier, _)| *earlier < number);
            seen.of_all(read.filter_map(|(_, line)| form.seen(line, &drafts, &documents)));
        }
        let document = fields[2];
        let known = documents.number(document);
        let repeats = seen.repeats((question, known), fields[1]);
        let here = &mut drafts.at_line(question, number);
        here.draft.has_answers = true;
        if repeats == Some(Repeats::Line) {
            let message = format!("the document `{document}` occurs again for the question; both are kept");
            here.named("document").note(IssueCode::DuplicateCandidate, message);
        } else if repeats == Some(Repeats::Document) {
            let message =
                "a document stands there for several groups (second field); it counts if one of them says so";
            here.named("group").note_once(IssueCode::DuplicateCandidate, message);
        }
        (form.add)(&fields, documents.cells(known), here);
    }
    if drafts.len() == 0 {
        return Err(Error::input(format!("no line has {} fields", form.fields)));
    }
    drafts.finish(here.draft, |here| (form.settle)(here.draft));
    Ok(())
}

/// A document with its grade.
fn judgement(fields: &[&str], mut cells: SharedList<Cell>, here: &mut Context) {
    let [_, group, _, grade] = *fields else { return };
    let number = here.named("grade").numeral("grade", grade, "the document counts as not relevant");
    if number.is_some_and(|number| line::is_positive(&number)) {
        here.draft.extend_rows(vec![Row { cells: cells.clone() }]);
    }
    if !is_no_group(group) {
        cells.change(|cells| cells.push(literal("group", group)));
    }
    let label = Some(grade.into());
    here.draft.question.candidates.push(Candidate { cells, label, ..Candidate::default() });
}

/// A document with its score.
fn retrieved(fields: &[&str], cells: SharedList<Cell>, here: &mut Context) {
    let [_, iteration, _, rank, score, tag, ref more @ ..] = *fields else { return };
    let score = here.named("score").numeral("score", score, "the document comes last").map(Box::from);
    let extras = &here.draft.question.extras;
    let is_other = extras.iter().any(|extra| extra.name == "run" && extra.value != tag);
    if is_other && !extras.iter().any(|extra| extra.name == "run" && extra.value == tag) {
        let message = format!("the question has results of another run, `{tag}`; they are ranked together");
        here.named("tag").note(IssueCode::OutOfOrder, message);
    }
    here.draft.keep_once("run", tag);
    if !is_no_group(iteration) {
        here.draft.keep_once("iteration", iteration);
    }
    if !more.is_empty() {
        here.named("tag")
            .note_once(IssueCode::UnknownField, "something stands behind the tag; it is kept and not used");
        here.draft.keep_once("behind the tag", &more.join(" "));
    }
    here.draft.question.candidates.push(Candidate { cells, label: None, score, rank: Some(rank.into()) });
}

fn document(candidate: &Candidate) -> Option<&str> {
    candidate.cells.first().map(|cell| cell.value.as_str())
}

/// Puts the documents of a question into the order of their scores and makes answers of them. Without score: last.
fn rank(draft: &mut Draft) {
    let candidates = std::mem::take(&mut draft.question.candidates);
    let mut scored: Vec<(f64, Candidate)> = candidates
        .into_iter()
        .map(|candidate| {
            let score: Option<f64> = candidate.score.as_deref().and_then(|score| score.parse().ok());
            // Minus zero is zero.
            (score.map_or(f64::NEG_INFINITY, |score| score + 0.0), candidate)
        })
        .collect();
    // a stable sort: the same document with the same score keeps its place
    scored.sort_by(|(a, one), (b, other)| b.total_cmp(a).then_with(|| document(other).cmp(&document(one))));
    draft.question.candidates = scored.into_iter().map(|(_, candidate)| candidate).collect();
    let rows = draft.question.candidates.iter().map(|c| Row { cells: c.cells.clone() }).collect();
    draft.add_rows(rows);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    fn told(document: &Document) -> String {
        let line = |i: &crate::base::issue::Issue| format!("{} {}: {}", i.place, i.code.name(), i.message);
        document.issues.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn judged_documents() {
        let found = QRELS.recognised("# a comment\n301 0 A 0\n301 0 B 2\n301 0 C -1\n302\tQ0\tA\t0\r\n301 0 D x\n301 0 B 1\n302 0 E 1 2\n302 7 F 1\n",
        );
        insta::assert_snapshot!(told(&found), @r"
        line 6, question 301, grade not-a-number: the grade `x` is no number; the document counts as not relevant
        line 7, question 301, document duplicate-candidate: the document `B` occurs again for the question; both are kept
        line 8, line unreadable-line: the line has 5 fields, not 4; it is not used: `302 0 E 1 2`
        ");
        assert_eq!(found.questions.len(), 2);
        let (first, second) = (&found.questions[0], &found.questions[1]);
        assert_eq!((first.answers.values(), second.answers.values()), (vec!["B", "B"], vec!["F"]));
        let labels: Vec<&str> = first.candidates.iter().filter_map(|c| c.label.as_deref()).collect();
        assert_eq!(labels, ["0", "2", "-1", "x", "1"]);
        let group: Vec<&str> = second.candidates[1].cells.iter().map(|c| c.value.as_str()).collect();
        assert_eq!(group, ["F", "7"]);
        assert_eq!((second.extras[0].value.as_str(), second.place.line), ("302 0 E 1 2", Some(5)));
    }

    #[test]
    fn groups_of_judges() {
        let found = QRELS.recognised("1 0 A 0\n1 1 A 1\n1 2 A 0\n");
        assert_eq!(
            (found.questions[0].answers.values(), found.questions[0].candidates.len()),
            (vec!["A"], 3)
        );
        assert_eq!(
            told(&found),
            "line 2, question 1, group duplicate-candidate: a document stands there for several groups (second field); it counts if one of them says so (2 times, here first)"
        );
    }

    #[test]
    fn nothing_relevant_is_an_empty_answer() {
        let found = QRELS.recognised("1 0 A 0\n");
        assert_eq!((found.issues.len(), found.questions[0].answers.state), (0, AnswerState::Empty));
    }

    #[test]
    fn runs_are_ranked_by_score_and_then_by_document() {
        let found = RUN.recognised("7 Q0 A 1 2.50 me\n7 Q0 B 9 2.5 me\n7 Q0 C 3 1e1 me more junk\n8\tQ0\tZ\t1\t-1\tme\n7 Q0 D 4 high you\n7 Q0 D 5 -3 me\n7 Q0 E 5\n",
        );
        insta::assert_snapshot!(told(&found), @r"
        line 3, question 7, tag unknown-field: something stands behind the tag; it is kept and not used
        line 5, question 7, score not-a-number: the score `high` is no number; the document comes last
        line 5, question 7, tag out-of-order: the question has results of another run, `you`; they are ranked together
        line 6, question 7, document duplicate-candidate: the document `D` occurs again for the question; both are kept
        line 7, line unreadable-line: the line has 4 fields, not 6; it is not used: `7 Q0 E 5`
        ");
        let first = &found.questions[0];
        assert_eq!(first.answers.values(), ["C", "B", "A", "D", "D"]);
        let ranked: Vec<(Option<&str>, Option<&str>)> =
            first.candidates.iter().map(|c| (c.score.as_deref(), c.rank.as_deref())).collect();
        assert_eq!(ranked[..2], [(Some("10"), Some("3")), (Some("2.5"), Some("9"))]);
        assert_eq!(ranked[4], (None, Some("4")));
        let extras: Vec<(&str, &str)> =
            first.extras.iter().map(|e| (e.name.as_str(), e.value.as_str())).collect();
        assert_eq!(extras, [("run", "me"), ("behind the tag", "more junk"), ("run", "you")]);
        assert_eq!(found.questions[1].answers.values(), ["Z"]);
    }

    #[test]
    fn other_tables_are_not_recognised() {
        for text in [
            "301 num_ret 967.0000 169.1719\n",
            "1.EC.AB  F:Ret,C:Not   F:Rnkd  FR94  1\n",
            "ID\tPrecision\tRecall\tF1\n1\t0\t0\t0\n2\t0\t0\t0\n",
            "Q0 FR94 9 2.97 STANDARD\n",
            "num_q all 3\n",
            "# only\n# comments\n",
            "",
        ] {
            assert!(!(QRELS.recognise)(text.as_bytes()) && !(RUN.recognise)(text.as_bytes()), "{text}");
        }
    }
}
