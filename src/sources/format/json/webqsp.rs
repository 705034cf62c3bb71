//! `WebQSP`: questions of `WebQuestions` with their parses over Freebase, each a query and its answers.
//!
//! A system is right there by the parse that suits it best: together the answers of all parses would be another question,
//! so the first one counts. Source: the guide of the dataset (Yih et al., 2016).

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::sources::document::{Document, QueryKind};
use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::FREEBASE;
use crate::sources::format::json::items::{self, TypedKeys, cannot_use};
use crate::sources::format::json::list::{read_all, salvaging, top_level};
use crate::sources::format::json::value::{Entries, Json, plain_key};
use crate::sources::format::json::{fields, root};
use crate::sources::format::{Format, sniff};

/// Where the questions are. QALD-JSON has it in lower case.
const QUESTIONS: &str = "Questions";

/// An answer that cannot be parsed takes no other with it: they are in a list in an object in the list of parses.
const ABOVE_ANSWERS: usize = 3;

/// `WebQSP`.
pub(crate) static FORMAT: Format = Format {
    name: "webqsp",
    description: "WebQSP (JSON): an object with the list Questions, whose parses have queries and answers over Freebase.",
    media_type: "application/json",
    recognise: |content| sniff::object_keys(content).until_questions().any(|key| key == QUESTIONS.as_bytes()),
    read,
    targets: &[],
};

const ANSWER: TypedKeys = TypedKeys {
    kind: "answertype",
    entity: "answerargument",
    value: "answerargument",
    label: "entityname",
    ids: &FREEBASE,
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let raw = top_level(root::split(text)?, QUESTIONS, here, |key, _, here| here.unknown("key", key))?;
    let read = salvaging(&["parses"], ABOVE_ANSWERS, |entries, here| {
        read_fields(entries, here);
        here.check_text();
    });
    read_all(text, &raw, &mut here.key(QUESTIONS), &["questionid"], read);
    Ok(())
}

fn read_fields(entries: Entries, here: &mut Context) {
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "questionid" => fields::check_id(value, inner),
            "rawquestion" => fields::add_text(value, Some("en"), inner),
            "parses" => read_parses(value, inner),
            // the question in lower case, without its mark
            "processedquestion" => inner.keep(&value),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
}

/// Reads the first parse and keeps the others.
fn read_parses(value: Json, here: &mut Context) {
    let Json::List(parses) = value else {
        return cannot_use(&value, here);
    };
    if parses.len() > 1 {
        let message = format!("the first of {} parses is read, the others are kept", parses.len());
        here.note_once(IssueCode::UnknownField, message);
    }
    if parses.is_empty() {
        here.note(IssueCode::WithoutAnswers, "the question has no parse, and so no answers");
    }
    for (index, parse) in parses.into_iter().enumerate() {
        let inner = &mut here.index(index);
        match parse {
            parse if index > 0 => inner.keep(&parse),
            Json::Object(_) => read_parse(parse.into_entries(inner), inner),
            other => cannot_use(&other, inner),
        }
    }
}

fn read_parse(entries: Entries, here: &mut Context) {
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match plain_key(&key).as_ref() {
            "sparql" => fields::add_query(QueryKind::Sparql, value, inner),
            "answers" => items::read(value, inner, |item, here| ANSWER.read(item, here)),
            // who made the parse and what it is about
            "parseid"
            | "annotatorid"
            | "annotatorcomment"
            | "potentialtopicentitymention"
            | "topicentityname"
            | "topicentitymid"
            | "inferentialchain"
            | "constraints"
            | "time"
            | "order" => inner.keep(&value),
            _ => inner.keep_unknown("key", &key, &value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, CellKind, Question};

    fn one(parses: &str) -> (Question, Vec<String>) {
        let text = format!(
            r#"{{"Version": "1.0", "FreebaseVersion": "2015-08-09", "Questions": [
                {{"QuestionId": "WebQTest-0", "RawQuestion": "what?", "ProcessedQuestion": "what", "Parses": {parses}}}]}}"#
        );
        let mut document = FORMAT.recognised(&text);
        let told =
            document.issues.iter().skip(2).map(|issue| format!("{} {}", issue.code.name(), issue.message));
        (document.questions.remove(0), told.collect())
    }

    #[test]
    fn the_first_parse_counts() {
        let (question, told) = one(
            r#"[{"ParseId": "WebQTest-0.P0", "AnnotatorComment": {"Confidence": "Normal"}, "TopicEntityMid": "m.0d", "Sparql": "SELECT ?x {}",
                 "Answers": [{"AnswerType": "Entity", "AnswerArgument": "m.01428y", "EntityName": "Jamaican English"},
                             {"AnswerType": "Value", "AnswerArgument": "2012", "EntityName": null}, 1e999999]},
                {"ParseId": "WebQTest-0.P1", "Sparql": "ASK {}", "Answers": [{"AnswerType": "Value", "AnswerArgument": "7"}]}]"#,
        );
        assert_eq!((question.id.as_str(), question.texts[0].text.as_str()), ("WebQTest-0", "what?"));
        let queries: Vec<&str> = question.queries.iter().map(|query| query.text.as_str()).collect();
        assert_eq!(queries, ["SELECT ?x {}"]);
        let cells = question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
        let values: Vec<_> = cells.map(|cell| (cell.kind, cell.value.as_str())).collect();
        assert_eq!(
            values,
            [(CellKind::Uri, "http://rdf.freebase.com/ns/m.01428y"), (CellKind::Literal, "2012")]
        );
        let cell = &question.answers.sets[0].rows[0].cells[0];
        assert_eq!(
            cell.names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>(),
            ["Jamaican English"]
        );
        let kept: Vec<&str> = question.extras.iter().map(|extra| extra.name.as_str()).collect();
        assert_eq!(
            kept,
            [
                "ProcessedQuestion",
                "Parses[0].ParseId",
                "Parses[0].AnnotatorComment",
                "Parses[0].TopicEntityMid",
                "Parses[0].Answers[1].EntityName",
                "Parses[0].Answers[2]",
                "Parses[1]",
            ]
        );
        assert_eq!(
            told,
            [
                "unknown-field the first of 2 parses is read, the others are kept",
                "unreadable-answer the answer cannot be read: number out of range",
            ]
        );
    }

    #[test]
    fn no_parse_is_no_empty_answer() {
        use AnswerState::{Absent, Empty, Unreadable};
        for (parses, state, code) in [
            ("[]", Absent, "without-answers questions-only"),
            ("null", Unreadable, "unreadable-answer"),
            ("[null]", Unreadable, "unreadable-answer"),
            (r#"[{"Answers": "m.0"}]"#, Unreadable, "unreadable-answer"),
            (r#"[{"Answers": []}]"#, Empty, ""),
        ] {
            let (question, told) = one(parses);
            assert_eq!(question.answers.state, state, "{parses}");
            assert_eq!(
                told.iter().filter_map(|told| told.split(' ').next()).collect::<Vec<_>>().join(" "),
                code
            );
        }
    }

    #[test]
    fn other_files_are_not_recognised_or_have_no_questions() {
        for text in ["[]", r#"{"questions": []}"#, r#"[{"Questions": []}]"#] {
            assert!(!(FORMAT.recognise)(text.as_bytes()), "{text}");
        }
        let error = |text: &str| FORMAT.document(text.as_bytes()).expect_err(text).to_string();
        assert!(error(r#"{"Questions": []}"#).starts_with("$.Questions: the list of questions is empty"));
        assert!(error(r#"{"Questions": 3}"#).starts_with("$.Questions: `Questions` is a number"));
        assert!(error("{}").starts_with("$.Questions: the file has no key `Questions`"));
    }
}
