//! The rule by which Table 1 of the GERBIL QA paper counts questions (`ontology/gerbil.md`, section F).
//!
//! The table was made with the loader before August 2016. What it did depends on the kind of file:
//!
//! - QALD-XML, and every format that it did not know: each question counts.
//! - QALD-JSON: a question counts if it has an answer, and an answer counts if it is a boolean, or bound to a variable
//!   that `head.vars` names, letter by letter.
//! - NLQ: the distinct ids that are integers.

use crate::base::issue::{Issue, IssueCode};
use crate::profiles::loaders::reason::Reason;
use crate::profiles::loaders::{Loaded, nlq};
use crate::sources::document::{AnswerSet, Question};

pub(crate) fn load(loaded: &mut Loaded, format: &str) {
    match format {
        "nlq" => nlq::integer_ids(loaded),
        "qald-json" => {
            let issues = loaded.document().issues.iter();
            let quoted: Vec<Issue> =
                issues.filter(|issue| issue.code == IssueCode::QuotedVariable).cloned().collect();
            loaded.leave_out(|question| {
                let has_answer = question.answers.sets.iter().any(|set| counts(set, question, &quoted));
                (!has_answer).then(|| Reason::NoHeadAnswer.into())
            });
        }
        _ => {}
    }
}

fn counts(set: &AnswerSet, question: &Question, quoted: &[Issue]) -> bool {
    let mut variables = set.rows.iter().flat_map(|row| &row.cells).map(|cell| &cell.variable);
    let is_named =
        |variable: &String| set.variables.contains(variable) && !is_quoted(question, variable, quoted);
    set.boolean.is_some() || variables.any(is_named)
}

/// Whether a variable stands in quotes in the rows. The reader removes the quotes and says so; the old loader found
/// no variable of the head in them.
fn is_quoted(question: &Question, variable: &str, quoted: &[Issue]) -> bool {
    let key = format!("[{:?}]", format!("\"{variable}\""));
    let is_here = |issue: &&Issue| {
        let (place, own) = (&issue.place, &question.place);
        (place.line, &place.question) == (own.line, &own.question)
    };
    let mut paths = quoted.iter().filter(is_here).filter_map(|issue| issue.place.path.as_deref());
    paths.any(|path| path.ends_with(&key))
}

#[cfg(test)]
mod tests {
    use crate::profiles::loaders::{Loader, Loading, load};
    use crate::sources::document::Document;
    use crate::sources::file::source::Source;
    use crate::sources::format::read;

    /// The ids that are left out.
    fn left_out(questions: &str) -> Vec<String> {
        let json = format!(r#"{{"questions": [{questions}]}}"#);
        let (document, format) = read(&Source::from_bytes("gold.json", json.into_bytes()).unwrap()).unwrap();
        let loading = Loading { loader: Loader::Table1, ..Loading::default() };
        load(&document.clone().into(), format.name, loading)
            .unwrap()
            .left_out()
            .map(|(question, _)| question.id.clone())
            .collect()
    }

    fn question(id: u32, answers: &str) -> String {
        format!(
            r#"{{"id": "{id}", "question": [{{"language": "en", "string": "Q"}}], "query": {{}}, "answers": {answers}}}"#
        )
    }

    fn answers(head: &str, row: &str) -> String {
        format!(r#"[{{"head": {{"vars": [{head}]}}, "results": {{"bindings": [{row}]}}}}]"#)
    }

    #[test]
    fn an_answer_counts_if_the_head_names_its_variable() {
        let value = r#"{"type": "literal", "value": "5"}"#;
        let questions = [
            question(1, &answers(r#""x""#, &format!(r#"{{"x": {value}}}"#))),
            question(2, &answers(r#""x""#, &format!(r#"{{"y": {value}}}"#))),
            question(3, &answers(r#""x", "y""#, &format!(r#"{{"y": {value}}}"#))),
            question(4, &answers("", &format!(r#"{{"x": {value}}}"#))),
            question(5, &answers(r#""x""#, "")),
            question(6, "[]"),
            question(7, r#"[{"head": {}, "boolean": false}]"#),
            // as in QALD-6
            question(8, &answers(r#""callret-0""#, &format!(r#"{{"\"callret-0\"": {value}}}"#))),
            question(9, &answers(r#""callret-0""#, &format!(r#"{{"callret-0": {value}}}"#))),
        ];
        assert_eq!(left_out(&questions.join(",")), ["2", "4", "5", "6", "8"]);
    }

    #[test]
    fn every_question_of_other_formats_counts() {
        let document = Document {
            questions: vec![crate::sources::document::Question::default()],
            ..Document::default()
        };
        let loading = Loading { loader: Loader::Table1, ..Loading::default() };
        assert_eq!(load(&document.clone().into(), "qald-xml", loading).unwrap().count(), 1);
        assert_eq!(load(&document.clone().into(), "qald-json", loading).unwrap().count(), 0);
    }
}
