//! QALD-JSON, eQALD-JSON and the extended JSON of QALD-7: an object with the list `questions`.

use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::sources::document::Document;
use crate::sources::format::context::Context;
use crate::sources::format::json::list::{read_all, reporting, top_level};
use crate::sources::format::json::value::Json;
use crate::sources::format::json::write::{QaldShape, QuestionObject, not_written, question};
use crate::sources::format::json::{fields, root};
use crate::sources::format::loss::Losses;
use crate::sources::format::{BytesAndLosses, Format, Target, sniff};

/// QALD-JSON and its dialects.
pub(crate) static FORMAT: Format = Format {
    name: "qald-json",
    description: "QALD JSON (QALD-5 to QALD-10, QALD-9-plus), eQALD JSON and extended JSON, gold or answers.",
    media_type: "application/json",
    recognise: |content| sniff::object_keys(content).any(|key| key == b"questions"),
    read,
    targets: &[
        Target {
            name: "qald-json",
            description: "QALD JSON in the shape of QALD-9 and QALD-10",
            ending: Some("json"),
            media_type: "application/json",
            may_be_empty: false,
            is_exact: false,
            write: |document, _| write(document, QaldShape::Qald),
        },
        Target {
            name: "eqald-json",
            description: "eQALD JSON: with metadata, annotations, types of answer items, confidences",
            ending: None,
            media_type: "application/json",
            may_be_empty: false,
            is_exact: false,
            write: |document, _| write(document, QaldShape::Eqald),
        },
    ],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let raw = top_level(root::split(text)?, "questions", here, |key, raw, here| match key {
        "dataset" => read_dataset(raw, here),
        _ => here.unknown("key", key),
    })?;
    let read = reporting(|entries, here| {
        fields::read(entries, here);
        here.check_text();
    });
    read_all(text, &raw, &mut here.key("questions"), &["id"], read);
    Ok(())
}

/// The id of the dataset.
pub(crate) fn read_dataset(raw: &RawValue, here: &mut Context<Document>) {
    here.draft.dataset_id = None;
    match Json::parse(raw.get()) {
        Err(error) => {
            let message = format!("the description of the dataset cannot be read: {}", root::reason(&error));
            here.note(IssueCode::WrongType, message);
        }
        Ok(Json::Text(id)) => {
            here.note(IssueCode::WrongType, "a text stands for the dataset; it is read as its id");
            here.draft.dataset_id = Some(id.into_owned());
        }
        Ok(value) => {
            for (key, value) in value.into_entries(here) {
                let inner = &mut here.key(&key);
                match key.as_ref() {
                    "id" => inner.draft.dataset_id = value.into_text(inner),
                    "metadata" => {}
                    _ => inner.unknown("key", &key),
                }
            }
        }
    }
}

/// The file as an object.
#[derive(Debug, Serialize)]
struct QuestionsFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    dataset: Option<Value>,
    questions: Vec<QuestionObject>,
}

fn write(document: &Document, dialect: QaldShape) -> Result<BytesAndLosses> {
    let mut losses = Losses::default();
    let file = QuestionsFile {
        dataset: document.dataset_id.as_ref().map(|id| json!({ "id": id })),
        questions: document.questions.iter().map(|q| question(q, dialect, &mut losses)).collect(),
    };
    let mut bytes = serde_json::to_vec_pretty(&file).map_err(|error| not_written(&error))?;
    bytes.push(b'\n');
    Ok((bytes, losses.into_list()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, CellKind, QueryKind, Question};

    /// The document of one question, and the codes of its issues without those about missing texts.
    fn one(question: &str) -> (Question, Vec<&'static str>) {
        let mut document = FORMAT.recognised(&format!("{{\"questions\": [\n{question}]}}"));
        let codes = document.issues.iter().map(|i| i.code.name()).filter(|c| *c != "missing-text").collect();
        (document.questions.remove(0), codes)
    }

    /// The rows as `variable=value` texts, a boolean as itself.
    fn answers(question: &Question) -> Vec<String> {
        let mut found = Vec::new();
        for set in &question.answers.sets {
            found.extend(set.boolean.map(|boolean| boolean.to_string()));
            found.extend(set.rows.iter().map(|row| {
                let cells = row.cells.iter().map(|cell| format!("{}={}", cell.variable, cell.value));
                cells.collect::<Vec<_>>().join(" ")
            }));
        }
        found
    }

    fn with_answers(answers_json: &str) -> (Vec<String>, AnswerState, Vec<&'static str>) {
        let (question, codes) = one(&format!(r#"{{"id": "1", "answers": {answers_json}}}"#));
        (answers(&question), question.answers.state, codes)
    }

    #[test]
    fn qald_9() {
        let text = r#"{"dataset": {"id": "qald-9"}, "questions": [{
            "id": "1", "answertype": "resource", "aggregation": false, "onlydbo": true, "hybrid": "FALSE",
            "question": [{"language": "en", "string": " Who? ", "keywords": "who"}, {"language": "de"}],
            "query": {"sparql": " SELECT ?uri {} "},
            "answers": [{"head": {"link": [], "vars": ["uri", "l"]}, "results": {"distinct": false, "bindings": [
                {"uri": {"type": "uri", "value": "http://e/a"},
                 "l": {"datatype": "http://d", "type": "typed-literal", "value": "1"}},
                {"uri": {"type": "literal", "xml:lang": "en", "value": "<x>"}}]}}]}]}"#;
        let document = FORMAT.recognised(text);
        assert_eq!(document.issues, []);
        assert_eq!(document.dataset_id.as_deref(), Some("qald-9"));
        let question = &document.questions[0];
        assert_eq!((question.key.as_str(), question.place.line), ("1", Some(1)));
        assert_eq!((question.texts.len(), question.texts[0].text.as_str()), (1, " Who? "));
        assert_eq!(question.keywords[0].language.as_deref(), Some("en"));
        assert_eq!(question.queries[0].text, "SELECT ?uri {}");
        assert_eq!(question.flags[2], ("hybrid".to_owned(), "FALSE".to_owned()));
        assert_eq!(question.answers.sets[0].variables, ["uri", "l"]);
        assert_eq!(answers(question), ["uri=http://e/a l=1", "uri=<x>"]);
        let cells = &question.answers.sets[0].rows[0].cells;
        assert_eq!((cells[0].kind, cells[1].kind), (CellKind::Uri, CellKind::Literal));
        assert_eq!(cells[1].datatype.as_deref(), Some("http://d"));
        assert_eq!(question.answers.sets[0].rows[1].cells[0].language.as_deref(), Some("en"));
    }

    #[test]
    fn unknown_fields_are_kept() {
        let (question, codes) = one(
            r#"{"id": 7, "foo": [1, {"a": null}], "metadata": {"bar": 0.5}, "query": {"sparql": "ASK {}", "cypher": "x"},
            "question": [{"language": "en", "string": "?", "a b": true}],
            "answers": [{"head": {"vars": ["x"], "zzz": 1}, "results": {"bindings": [{"x": {"type": "uri", "value": "v", "score": 2}}]}}]}"#,
        );
        assert_eq!((codes.len(), question.id_is_number), (6, true));
        let extras: Vec<String> = question.extras.iter().map(|e| format!("{}={}", e.name, e.value)).collect();
        assert_eq!(
            extras,
            [
                "foo=[1,{\"a\":null}]",
                "metadata.bar=0.5",
                "query.cypher=\"x\"",
                "question[0][\"a b\"]=true",
                "answers[0].head.zzz=1",
                "answers[0].results.bindings[0].x.score=2",
            ]
        );
        assert!(!one(r#"{"id": "7"}"#).0.id_is_number);
    }

    #[test]
    fn queries_that_differ_by_language_say_so() {
        let languages = |texts: &str| {
            let (question, _) = one(&format!(r#"{{"question": {{"id": "1", "language": [{texts}]}}}}"#));
            let queries = question.queries.into_iter().map(|q| format!("{} {:?}", q.text, q.language));
            queries.collect::<Vec<_>>().join(", ")
        };
        let text =
            |language: &str, query: &str| format!(r#"{{"language": "{language}", "SPARQL": "{query}"}}"#);
        let [en, de, fr] = [text("en", "A"), text("de", "A"), text("fr", "B")];
        assert_eq!(languages(&[en.as_str(), &de].join(",")), "A None");
        assert_eq!(languages(&en), "A None");
        assert_eq!(languages(&[en.as_str(), &fr].join(",")), "A Some(\"en\"), B Some(\"fr\")");
        assert_eq!(languages(&[en.as_str(), &de, &fr].join(",")), "A None, B Some(\"fr\")");
    }

    #[test]
    fn eqald() {
        let (question, codes) = one(
            r#"{"id": "q", "metadata": {"answertype": "ListOfResource", "hybrid": "TRUE", "aggregation": "FALSE",
                "answeritemtype": ["dbo:Person", "dbo:Agent"]},
            "question": [{"language": "en", "string": "Who?", "keywords": "who", "annotations": [
                {"char_begin": "5", "char_end": 11, "URI": "dbr:Berlin", "type": "ENTITY"}]}],
            "query": {"SPARQL": "SELECT", "schemaless ": "less"},
            "answers": [{"bindings": [{"result": {"type": "uri", "value": "v"}}], "confidence": "0.90"},
                        {"bindings": [], "confidence": 1e-2}, {"boolean": true, "confidence": "high"}]}"#,
        );
        assert_eq!(codes, ["not-a-number"]);
        assert_eq!(question.answer_type.as_deref(), Some("ListOfResource"));
        assert_eq!(question.answer_item_types, ["dbo:Person", "dbo:Agent"]);
        assert_eq!(question.flags.len(), 2);
        let kinds: Vec<QueryKind> = question.queries.iter().map(|q| q.kind).collect();
        assert_eq!(kinds, [QueryKind::Sparql, QueryKind::Schemaless]);
        let annotation = &question.annotations[0];
        assert_eq!((annotation.begin.as_deref(), annotation.end.as_deref()), (Some("5"), Some("11")));
        assert_eq!((annotation.iri.as_str(), annotation.kind.as_deref()), ("dbr:Berlin", Some("ENTITY")));
        let confidences: Vec<_> = question.answers.sets.iter().map(|s| s.confidence.as_deref()).collect();
        assert_eq!(confidences, [Some("0.90"), Some("0.01"), None]);
        assert_eq!(answers(&question), ["result=v", "true"]);
    }

    #[test]
    fn extended_json_nests_the_question() {
        let (question, codes) =
            one(r#"{"question": {"id": "7", "answertype": "boolean", "metadata": {"hybrid": false},
            "language": [{"language": "en", "question": "Is it?", "keywords": "k", "SPARQL": "ASK {}"},
                         {"language": "de", "SPARQL": "ASK {}"}],
            "answers": {"head": {}, "results": {}, "boolean": true}}}"#);
        assert!(codes.is_empty(), "{codes:?}");
        assert_eq!((question.id.as_str(), question.place.question.as_deref()), ("7", Some("7")));
        assert_eq!((question.texts.len(), question.keywords.len(), question.queries.len()), (1, 1, 1));
        assert_eq!(answers(&question), ["true"]);
    }

    #[test]
    fn qald_5_json() {
        let (question, codes) =
            one(r#"{"id": 3, "body": [{"language": "en", "string": "Q"}], "query": "SELECT",
                "answers": [{"string": "http://e/a"}, {"string": "b"}]}"#);
        assert!(codes.is_empty(), "{codes:?}");
        assert_eq!((question.id.as_str(), question.answers.sets.len()), ("3", 1));
        assert_eq!(answers(&question), ["string=http://e/a", "string=b"]);
        assert_eq!(question.answers.sets[0].rows[0].cells[0].kind, CellKind::Unknown);
        assert_eq!(question.queries[0].kind, QueryKind::Sparql);
    }

    #[test]
    fn answers_in_every_shape() {
        use AnswerState::{Empty, Given, Unreadable};
        let row = r#"{"uri": {"type": "uri", "value": "a"}}"#;
        let results = format!(r#"{{"head": {{"vars": ["uri"]}}, "results": {{"bindings": [{row}]}}}}"#);
        let quoted = serde_json::to_string(&results).expect("JSON");
        let cases: [(&str, &[&str], AnswerState, &[&str]); 26] = [
            (&results, &["uri=a"], Given, &[]),
            (&format!("[{results}, {results}]"), &["uri=a", "uri=a"], Given, &[]),
            (&quoted, &["uri=a"], Given, &["wrong-type"]),
            (&format!(r#"[{{"results": [{row}]}}]"#), &["uri=a"], Given, &["wrong-type"]),
            (&format!("[{row}]"), &["uri=a"], Given, &["wrong-type"]),
            ("[]", &[], Empty, &[]),
            ("[{}]", &[], Empty, &[]),
            ("null", &[], Empty, &["null-value"]),
            ("[null]", &[], Empty, &["null-value"]),
            ("\"\"", &[], Empty, &["wrong-type"]),
            (r#"[{"head": {"vars": ["x"]}, "results": {}}]"#, &[], Empty, &[]),
            (r#"[{"head": {"vars": ["x"]}}]"#, &[], Unreadable, &["unreadable-answer"]),
            (r#"[{"results": {"bindings": [{}, null]}}]"#, &[], Empty, &["null-value", "null-value"]),
            (r#"[{"results": null, "boolean": "False"}]"#, &["false"], Given, &["null-value", "wrong-type"]),
            (r#"[{"boolean": "perhaps"}]"#, &[], Unreadable, &["unreadable-answer"]),
            (r#"[{"boolean": null}]"#, &[], Empty, &["null-value"]),
            ("[true]", &["true"], Given, &["wrong-type"]),
            ("\"Berlin\"", &["answer=Berlin"], Given, &["wrong-type"]),
            ("\"{\\\"head\\\": \"", &[], Unreadable, &["unreadable-answer"]),
            ("42", &["answer=42"], Given, &["wrong-type"]),
            ("[[]]", &[], Unreadable, &["unreadable-answer"]),
            (r#"[{"results": 1}]"#, &[], Unreadable, &["unreadable-answer"]),
            (
                r#"[{"results": {"bindings": {"x": {"type": "uri", "value": "a"}}}}]"#,
                &["x=a"],
                Given,
                &["wrong-type"],
            ),
            (
                r#"[{"results": {"bindings": [3, {"x": "a", "y": null}]}}]"#,
                &["x=a"],
                Given,
                &["unreadable-answer", "wrong-type", "null-value"],
            ),
            (
                r#"[{"results": {"bindings": [{"x": {"type": "uri", "value": []}}]}}]"#,
                &[],
                Unreadable,
                &["unreadable-answer"],
            ),
            (
                r#"[{"answer": 1, "score": 2}]"#,
                &[],
                Unreadable,
                &["unknown-field", "unknown-field", "unreadable-answer"],
            ),
        ];
        for (json, expected, state, codes) in cases {
            let found = with_answers(json);
            assert_eq!(
                (&found.0[..], found.1, &found.2[..]),
                (&expected.map_strings()[..], state, codes),
                "{json}"
            );
        }
    }

    #[test]
    fn a_place_for_rows_is_kept_apart_from_none() {
        let place =
            |json: &str| one(&format!(r#"{{"id": "1", "answers": {json}}}"#)).0.answers.sets[0].has_bindings;
        assert!(
            place(r#"[{"results": {"bindings": []}}]"#)
                && place(r#"[{"bindings": []}]"#)
                && place(r#"[{"string": "v"}]"#)
        );
        assert!(!place(r#"[{"head": {}, "results": {}, "boolean": true}]"#) && !place("[{}]"));
    }

    trait MapStrings {
        fn map_strings(&self) -> Vec<String>;
    }

    impl MapStrings for &[&str] {
        fn map_strings(&self) -> Vec<String> {
            self.iter().map(|text| (*text).to_owned()).collect()
        }
    }

    #[test]
    fn variables_and_kinds() {
        let json = r#"[{"head": {"vars": ["callret-0", "uri"]}, "results": {"bindings": [
            {"\"callret-0\"": {"type": "number", "value": 5}},
            {"string": {"value": "s"}}, {"string": {"type": "list", "value": "s"}},
            {"uri": {"type": "number", "value": "5", "unit": "m"}}, {"uri": {"type": "bnode", "value": "b"}}]}}]"#;
        let (question, codes) = one(&format!(r#"{{"id": "1", "answers": {json}}}"#));
        assert_eq!(
            codes,
            [
                "quoted-variable",
                "wrong-type",
                "unknown-term-kind",
                "undeclared-variable",
                "unknown-term-kind",
                "unknown-term-kind",
                "unknown-field"
            ]
        );
        assert_eq!(answers(&question), ["callret-0=5", "string=s", "string=s", "uri=5", "uri=b"]);
        assert_eq!(question.answers.sets[0].rows[4].cells[0].kind, CellKind::BlankNode);
    }

    #[test]
    fn out_of_scope_and_odd_queries() {
        let state = |json: &str| {
            let (question, codes) = one(json);
            (question.answers.state, question.queries.len(), codes)
        };
        assert_eq!(
            state(r#"{"id": "1", "query": {"sparql": "OUT OF SCOPE"}, "answers": []}"#),
            (AnswerState::OutOfScope, 0, vec![])
        );
        assert_eq!(state(r#"{"id": "1", "query": "OUT OF SCOPE"}"#), (AnswerState::OutOfScope, 0, vec![]));
        assert_eq!(state(r#"{"id": "1", "query": {}}"#), (AnswerState::Absent, 0, vec![]));
        assert_eq!(state(r#"{"id": "1", "query": {"sparql": " "}}"#).2, ["empty-query"]);
        assert_eq!(
            state(r#"{"id": "1", "query": {"sparql": null, "sql": "x"}}"#).2,
            ["null-value", "unknown-field", "questions-only"]
        );
        assert_eq!(state(r#"{"id": "1", "query": ["x"]}"#).2, ["wrong-type"]);
        assert_eq!(state(r#"{"id": "1", "query": null}"#).2, ["null-value"]);
    }

    #[test]
    fn odd_questions() {
        let codes = |json: &str| one(json).1;
        assert_eq!(
            codes(r#"{"id": "1", "id": "2", "answertype": "list", "hybrid": 1}"#),
            ["duplicate-key", "unknown-answer-type", "odd-flag"]
        );
        assert_eq!(codes(r#"{"id": null}"#), ["missing-id"]);
        assert_eq!(codes(r#"{"id": [1]}"#), ["wrong-type", "missing-id"]);
        assert_eq!(codes(r#"{"id": "1", "question": {"id": "2"}}"#), ["duplicate-key"]);
        assert_eq!(
            codes(r#"{"id": "1", "question": "Who?", "metadata": "x", "answeritemtype": "dbo:X"}"#),
            ["wrong-type", "wrong-type"]
        );
        assert_eq!(
            codes(r#"{"id": "1", "question": [{"language": "en", "string": 5, "keywords": ["a", "b"]}, 3]}"#),
            ["wrong-type", "wrong-type", "wrong-type"]
        );
        assert_eq!(
            codes(r#"{"id": "1", "onlydbo": null, "answertype": null}"#),
            ["null-value", "null-value"]
        );
    }

    #[test]
    fn errors_and_times_of_systems() {
        let (question, codes) = one(r#"{"id": "1", "error": "timeout", "time": "1.50"}"#);
        assert_eq!(
            (question.error.as_deref(), question.response_time.as_deref()),
            (Some("timeout"), Some("1.50"))
        );
        assert_eq!(codes, ["system-error"]);
        let (question, codes) = one(r#"{"id": "1", "errorMessage": null, "error": false, "timeMs": 2500}"#);
        assert_eq!((question.error, question.response_time.as_deref()), (None, Some("2.500")));
        assert!(codes.is_empty());
        assert_eq!(
            one(r#"{"id": "1", "error": {"code": 1}, "responseTime": "fast"}"#).1,
            ["wrong-type", "system-error", "not-a-number"]
        );
    }

    #[test]
    fn places_are_exact() {
        let document = FORMAT.recognised(
            "\u{feff}{\"questions\": [\n{\"id\": \"a\"},\n\n  {\"id\": \"b\",\n \"zzz\": 1, \"answers\": [{\"results\": {\"bindings\": [{\"u\": {\"type\": \"uri\", \"value\": null}}]}}]}, 5]}",
        );
        let lines: Vec<_> = document.questions.iter().map(|q| q.place.line).collect();
        assert_eq!(lines, [Some(2), Some(4), Some(5)]);
        let told: Vec<String> =
            document.issues.iter().map(|i| format!("{} {}", i.code.name(), i.place)).collect();
        assert_eq!(
            told,
            [
                "byte-order-mark line 1, start of the file",
                "missing-text line 2, question a, $.questions[0]",
                "unknown-field line 4, question b, $.questions[1].zzz",
                "null-value line 4, question b, $.questions[1].answers[0].results.bindings[0].u.value",
                "missing-text line 4, question b, $.questions[1]",
                "not-a-question line 5, $.questions[2]",
                "missing-id line 5",
            ]
        );
        assert_eq!(document.questions[2].answers.state, AnswerState::Unreadable);
    }

    #[test]
    fn values_beyond_json_parsers_damage_one_question() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        let text = format!(
            r#"{{"questions": [{{"id": "1", "answers": {deep}}}, {deep}, {{"id": "3", "query": "\ud800"}}]}}"#
        );
        let document = FORMAT.recognised(&text);
        let states: Vec<_> = document.questions.iter().map(|q| q.answers.state).collect();
        assert_eq!(states, [AnswerState::Unreadable, AnswerState::Unreadable, AnswerState::Absent]);
        assert_eq!(document.questions[0].id, "1");
    }

    #[test]
    fn files_without_questions_are_errors() {
        let told = |text: &str| FORMAT.document(text.as_bytes()).expect_err("an error").to_string();
        let cases = [
            "[]",
            "{}",
            r#"{"questions": []}"#,
            r#"{"questions": {"id": 1}}"#,
            r#"{"questions": null}"#,
            "{\"questions\": [\n{\"id\": 1}",
        ];
        insta::assert_snapshot!(cases.map(told).join("\n---\n"), @r"
        the file is no JSON object.
        allowed: an object with the list `questions`
        ---
        $.questions: the file has no key `questions`.
        allowed: a list of questions
        ---
        $.questions: the list of questions is empty.
        allowed: a list of questions
        ---
        $.questions: `questions` is an object.
        allowed: a list of questions
        ---
        $.questions: `questions` is null.
        allowed: a list of questions
        ---
        line 2, column 9: this is no valid JSON: EOF while parsing a list.
        hint: the file ends too early: fetch it again, or compare its size with the original
        ");
    }

    #[test]
    fn only_questions_at_the_root_count() {
        let recognise = |text: &str| (FORMAT.recognise)(text.as_bytes());
        assert!(recognise(r#"{"dataset": {}, "questions""#));
        assert!(!recognise(r#"{"a": {"questions": []}, "b": "questions"}"#));
        assert!(!recognise(r#"[{"questions": []}]"#));
    }
}
