//! TEXT2SPARQL: the question files of the campaign, in YAML. Each language of a question is a question of its own, whose
//! id `prefix:number-language` is that of the result sets.

use crate::base::error::{Error, Result};
use crate::base::issue::Place;
use crate::sources::document::Document;
use crate::sources::file::text::without_mark;
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::json::list::no_question;
use crate::sources::format::json::text2sparql::ORDER_FLAG;
use crate::sources::format::json::value::{Entries, Json, plain_key, unique, value_of};
use crate::sources::format::json::yaml::{YamlNode, YamlValue};
use crate::sources::format::json::{fields, yaml};

/// The feature that is a flag.
const ORDER_MATTERS: &str = "RESULT_ORDER_MATTERS";

/// The questions of TEXT2SPARQL.
pub(crate) static FORMAT: Format = Format {
    name: "text2sparql-questions",
    description: "TEXT2SPARQL questions (YAML): questions in their languages with the gold query.",
    media_type: "application/yaml",
    recognise,
    read,
    targets: &[],
};

/// The first line that says something is the start of a YAML document or one of the two keys of the root.
fn recognise(content: &[u8]) -> bool {
    let mut lines = without_mark(content).split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let first = lines.find(|line| !line.trim_ascii_start().is_empty() && !line.starts_with(b"#"));
    let is_key = |line: &[u8], key: &[u8]| {
        line.strip_prefix(key).is_some_and(|rest| rest.trim_ascii_start().starts_with(b":"))
    };
    first.is_some_and(|line| line == b"---" || is_key(line, b"dataset") || is_key(line, b"questions"))
}

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let text = here.text(content)?;
    let missing = || Error::input("the YAML has no questions").allowed("a map with the list `questions`");
    let root = yaml::parse(text)?;
    let Some(YamlNode { value: YamlValue::Map(parts), .. }) = root else {
        return Err(missing().hint("comments in the file may say where the questions are"));
    };
    let (mut questions, mut prefix) = (Vec::new(), None);
    for (key, node) in parts {
        let here = &mut here.key(&key);
        match (key.as_ref(), node.value) {
            ("questions", YamlValue::List(items)) => questions = items,
            ("dataset", YamlValue::Map(entries)) => {
                prefix = read_dataset(unique(yaml::into_entries(entries), here), here);
            }
            _ => here.unknown("key", &key),
        }
    }
    if questions.is_empty() {
        return Err(missing());
    }
    let here = &mut here.key("questions");
    for (index, node) in questions.into_iter().enumerate() {
        read_question(node, prefix.as_deref(), &mut here.index(index));
    }
    Ok(())
}

/// Reads the id of the dataset and gives the prefix of the ids.
fn read_dataset(entries: Entries, here: &mut Context<Document>) -> Option<String> {
    let mut prefix = None;
    here.draft.dataset_id = None;
    for (key, value) in entries {
        let inner = &mut here.key(&key);
        match key.as_ref() {
            "id" => inner.draft.dataset_id = value.into_text(inner),
            "prefix" => prefix = value.into_text(inner),
            _ => inner.unknown("key", &key),
        }
    }
    prefix
}

/// One question a language.
fn read_question(node: YamlNode, prefix: Option<&str>, here: &mut Context<Document>) {
    let line = node.line;
    here.enter(Place::line(line));
    let entries = match node.into_json() {
        Json::Object(entries) => unique(entries, here),
        other => return no_question(&format!("the entry is {}", other.kind()), here),
    };
    let (number, _) = fields::find_id(&entries, &["id"]);
    for (language, text) in texts(&entries) {
        here.question(&id_of(prefix, &number, language), line, |here| {
            here.draft.question.language = language.map(str::to_owned);
            fields::add_text(text, language, &mut here.key("question"));
            read_fields(entries.clone(), here);
            here.check_text();
        });
    }
    here.enter(Place::default());
}

/// The text of each language; a question without any is one in none.
fn texts<'e, 'a>(entries: &'e Entries<'a>) -> Vec<(Option<&'e str>, Json<'a>)> {
    let question = value_of(entries, "question");
    match question {
        Some(Json::Object(texts)) if !texts.is_empty() => {
            texts.iter().map(|(language, text)| (Some(language.as_ref()), text.clone())).collect()
        }
        Some(other) => vec![(None, other.clone())],
        None => vec![(None, Json::Null)],
    }
}

fn id_of(prefix: Option<&str>, number: &str, language: Option<&str>) -> String {
    if number.is_empty() {
        return String::new();
    }
    let before = prefix.map(|prefix| format!("{prefix}:")).unwrap_or_default();
    let after = language.map(|language| format!("-{language}")).unwrap_or_default();
    format!("{before}{number}{after}")
}

fn read_fields(entries: Entries, here: &mut Context) {
    let mut others = Vec::with_capacity(entries.len());
    for (key, value) in entries {
        match plain_key(&key).as_ref() {
            "id" | "question" => {}
            "features" => read_features(value, &mut here.key(&key)),
            _ => others.push((key, value)),
        }
    }
    fields::read(others, here);
}

/// The features: the order is a flag, the others have no rule.
fn read_features(value: Json, here: &mut Context) {
    for (index, item) in value.into_list(here).into_iter().enumerate() {
        let inner = &mut here.index(index);
        match item {
            Json::Text(text) if text == ORDER_MATTERS => {
                inner.add_flag(ORDER_FLAG, true.to_string());
            }
            other => here.keep(&other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState;

    #[test]
    fn a_question_for_each_language() {
        let found = FORMAT.recognised(
            "# c\n---\ndataset:\n  id: https://e/\n  prefix: db25\nquestions:\n\n  - id: 46\n    question:\n      en: Which?\n      es: \"¿Cuál?\"\n    features:\n      - RESULT_ORDER_MATTERS\n      - OTHER\n    query:\n      sparql: |\n        ASK {}\n",
        );
        assert_eq!((found.issues.len(), found.dataset_id.as_deref()), (0, Some("https://e/")));
        let [en, es] = &found.questions[..] else { panic!("not two questions") };
        assert_eq!((en.id.as_str(), es.id.as_str(), es.place.line), ("db25:46-en", "db25:46-es", Some(8)));
        assert_eq!((es.language.as_deref(), es.texts[0].text.as_str()), (Some("es"), "¿Cuál?"));
        for question in [en, es] {
            assert_eq!((question.queries.len(), question.queries[0].text.as_str()), (1, "ASK {}"));
            assert_eq!(question.flags, [(ORDER_FLAG.to_owned(), "true".to_owned())]);
            assert_eq!(
                (question.extras[0].name.as_str(), question.extras[0].value.as_str()),
                ("features", "\"OTHER\"")
            );
            assert_eq!(question.answers.state, AnswerState::Absent);
        }
    }

    #[test]
    fn odd_questions() {
        let found = FORMAT.recognised(
            "dataset: {prefix: a, zzz: 1}\nquestions:\n- {id: 1, id: 2, question: Who?}\n- 3\n- {id: 4, foo: [x]}\n- question: {en: ~}\n- {id: 2, question: Who?}\n",
        );
        let ids: Vec<&str> = found.questions.iter().map(|question| question.id.as_str()).collect();
        assert_eq!(ids, ["a:2", "", "a:4", "", "a:2"]);
        let codes: Vec<&str> = found.issues.iter().map(|issue| issue.code.name()).collect();
        let expected = [
            "unknown-field", // zzz
            "duplicate-key",
            "not-a-question",
            "null-value", // no question
            "unknown-field",
            "missing-text",
            "null-value", // ~
            "missing-text",
            "missing-id",
            "missing-id",
            "duplicate-id",
        ];
        assert_eq!(codes, expected);
        assert_eq!(
            (found.questions[2].extras[0].name.as_str(), found.questions[1].place.line),
            ("foo", Some(4))
        );
    }

    #[test]
    fn files_without_questions() {
        let told = [
            "# stub\n---\n\n",
            "---\n- a\n",
            "questions: []\n",
            "dataset:\n  id: x\n",
            "---\nquestions:\n  a: 1\n",
        ]
        .map(|text| {
            assert!((FORMAT.recognise)(text.as_bytes()));
            FORMAT.document(text.as_bytes()).expect_err("an error").to_string()
        });
        insta::assert_snapshot!(told.join("\n---\n"), @r"
        the YAML has no questions.
        allowed: a map with the list `questions`
        hint: comments in the file may say where the questions are
        ---
        the YAML has no questions.
        allowed: a map with the list `questions`
        hint: comments in the file may say where the questions are
        ---
        the YAML has no questions.
        allowed: a map with the list `questions`
        ---
        the YAML has no questions.
        allowed: a map with the list `questions`
        ---
        the YAML has no questions.
        allowed: a map with the list `questions`
        ");
        for text in [
            "",
            "# only a comment",
            "a: b",
            "questions",
            "{\"questions\": []}",
            "--- \u{e9}",
            "question\tanswer",
        ] {
            assert!(!recognise(text.as_bytes()), "{text}");
        }
    }
}
