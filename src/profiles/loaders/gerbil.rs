//! GERBIL's loader as it is since August 2016 (`ontology/gerbil.md`, section E), by the kind of file.
//!
//! - QALD-XML: see [`crate::profiles::loaders::xml`].
//! - QALD-JSON: no question is dropped. The values of all variables make one set, which is how the profiles read answers
//!   anyway; a language keeps its last text. Files that GERBIL's JSON reader refuses as a whole are refused here too,
//!   where the records tell: flags that are no booleans, answers of the form `{"string": …}`. What the records do not
//!   tell: queries that are plain texts, and unknown keys.
//! - Extended JSON, where each language has its own query: the last language and its query.
//! - NLQ: see [`crate::profiles::loaders::nlq`].
//!
//! Not here: QALD-3 esdbpedia test, whose queries GERBIL takes from a second file. With its own file nothing is
//! validated, as there, and all 50 questions stay, without queries.

use crate::base::error::{Error, Result};
use crate::profiles::loaders::{Loaded, nlq, xml};
use crate::sources::document::{AnswerSet, Question, Text};

pub(crate) fn load(loaded: &mut Loaded, format: &str, language: &str) -> Result<()> {
    match format {
        "qald-xml" => xml::load(loaded, language),
        "qald-json" => load_json(loaded)?,
        "nlq" => nlq::load(loaded),
        _ => {
            return Err(Error::input(format!("GERBIL has no loader for the format {format}"))
                .allowed("qald-xml, qald-json, nlq")
                .hint("`⌥loader plain` takes every question as it is"));
        }
    }
    Ok(())
}

fn load_json(loaded: &mut Loaded) -> Result<()> {
    for question in &loaded.document().questions {
        if let Some(why) = refused(question) {
            let message =
                format!("GERBIL's reader refuses the whole file: question `{}` has {why}", question.key);
            let error = Error::input(message).hint("`⌥loader plain` takes every question as it is");
            return Err(match question.place.line {
                Some(line) => error.at(format!("line {line}")),
                None => error,
            });
        }
    }
    loaded.change(|question| {
        let before = question.texts.len();
        last_texts(question);
        let dropped = before - question.texts.len();
        let told = format!("{dropped} of its {before} texts are lost: the last of a language counts");
        (dropped > 0).then_some(told).into_iter().collect()
    });
    Ok(())
}

/// What GERBIL's reader does not take.
fn refused(question: &Question) -> Option<String> {
    let is_boolean =
        |value: &str| ["true", "false"].iter().any(|known| value.trim().eq_ignore_ascii_case(known));
    if let Some((name, value)) = question.flags.iter().find(|(_, value)| !is_boolean(value)) {
        return Some(format!("the flag {name} `{value}`"));
    }
    let is_plain = |set: &AnswerSet| {
        let mut cells = set.rows.iter().flat_map(|row| &row.cells);
        set.variables.is_empty()
            && cells.any(|cell| {
                cell.variable == "string" && cell.kind == crate::sources::document::CellKind::Unknown
            })
    };
    question.answers.sets.iter().any(is_plain).then(|| "answers of the form {\"string\": …}".to_owned())
}

/// The last text of each language; where languages have queries of their own, the last language only.
fn last_texts(question: &mut Question) {
    let is_extended = question.queries.iter().any(|query| query.language.is_some());
    let last = question.texts.last().and_then(|text| text.language.clone());
    if is_extended {
        question.texts.retain(|text| text.language == last);
        let of_last = question.queries.iter().rposition(|query| query.language == last);
        question.queries = of_last.map(|at| question.queries.swap_remove(at)).into_iter().collect();
    }
    let mut kept: Vec<Text> = Vec::with_capacity(question.texts.len());
    for text in question.texts.drain(..) {
        match kept.iter_mut().find(|known| known.language == text.language) {
            Some(known) => *known = text,
            None => kept.push(text),
        }
    }
    question.texts = kept;
}

#[cfg(test)]
mod tests {
    use crate::base::error::Result;
    use crate::profiles::loaders::{Loader, Loading, load};
    use crate::sources::document::{Document, Query, QueryKind, Text};
    use crate::sources::file::source::Source;
    use crate::sources::format::read;

    fn document(questions: &str) -> Document {
        let json = format!(r#"{{"questions": [{questions}]}}"#);
        read(&Source::from_bytes("gold.json", json.into_bytes()).unwrap()).unwrap().0
    }

    fn loaded(document: &Document, format: &str) -> Result<(usize, Vec<String>, Vec<String>)> {
        let loading = Loading { loader: Loader::GerbilCurrent, ..Loading::default() };
        let loaded = load(&document.clone().into(), format, loading)?;
        let texts = loaded.questions().flat_map(|question| &question.texts).map(|text| text.text.clone());
        let told = loaded.changes().map(|(_, what)| what.to_owned());
        Ok((loaded.count(), texts.collect(), told.collect()))
    }

    #[test]
    fn json_drops_nothing_and_keeps_the_last_text() {
        let texts = r#"[{"language": "ru", "string": "A"}, {"language": "en", "string": "B"}, {"language": "ru", "string": "C"}]"#;
        let document = document(&format!(
            r#"{{"id": "1", "question": {texts}, "query": {{"sparql": "no query"}}, "answers": []}}"#
        ));
        let told = "1 of its 3 texts are lost: the last of a language counts".to_owned();
        let texts = vec!["C".to_owned(), "B".to_owned()];
        assert_eq!(loaded(&document, "qald-json").unwrap(), (1, texts, vec![told]));
    }

    #[test]
    fn extended_json_keeps_the_last_language() {
        let mut document = document(r#"{"id": "1", "question": [], "query": {}, "answers": []}"#);
        let question = &mut document.questions[0];
        for language in ["en", "de"] {
            let tag = Some(language.to_owned());
            question.texts.push(Text { language: tag.clone(), text: format!("text {language}") });
            question.queries.push(Query {
                kind: QueryKind::Sparql,
                text: language.to_owned(),
                language: tag,
            });
        }
        let loading = Loading { loader: Loader::GerbilCurrent, ..Loading::default() };
        let loaded = load(&document.clone().into(), "qald-json", loading).unwrap();
        let question = loaded.questions().next().unwrap();
        assert_eq!((question.texts.len(), question.texts[0].text.as_str()), (1, "text de"));
        assert_eq!((question.queries.len(), question.queries[0].text.as_str()), (1, "de"));
    }

    #[test]
    fn whole_files_are_refused() {
        let texts = r#""question": [{"language": "en", "string": "Q"}], "query": {}"#;
        let union = document(&format!(r#"{{"id": "1", {texts}, "aggregation": "union", "answers": []}}"#));
        let plain = document(&format!(r#"{{"id": "1", {texts}, "answers": [{{"string": "x"}}]}}"#));
        for (document, why) in [(&union, "the flag aggregation `union`"), (&plain, "answers of the form")] {
            let error = loaded(document, "qald-json").unwrap_err().to_string();
            assert!(error.contains(why) && error.contains("line 1"), "{error}");
        }
        let error = loaded(&Document::default(), "trec").unwrap_err().to_string();
        assert!(error.contains("allowed: qald-xml, qald-json, nlq"), "{error}");
    }
}
