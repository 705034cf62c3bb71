//! NLQ: questions in English and Korean, each with a query and a label as its answer.

use std::collections::BTreeSet;

use crate::profiles::loaders::reason::{LeftOut, Reason};
use crate::profiles::loaders::{LANGUAGE, Loaded};
use crate::sources::document::{AnswerSet, Answers, Query, Question, Row};

/// Leaves out the questions whose id is no integer, and all but the first of those with the same integer.
pub(crate) fn integer_ids(loaded: &mut Loaded) {
    let mut seen = BTreeSet::new();
    loaded.leave_out(|question| match integer(&question.id) {
        None => Some(Reason::IdNotInteger.into()),
        Some(id) => (!seen.insert(id)).then(|| Reason::IdRepeated.into()),
    });
}

/// As `Integer.parseInt`.
fn integer(id: &str) -> Option<i32> {
    id.parse().ok()
}

/// What GERBIL's loader keeps: questions with an integer id, a row in English, and a query there that Jena parses.
pub(crate) fn load(loaded: &mut Loaded) {
    integer_ids(loaded);
    loaded.leave_out(refused);
    loaded.change(|question| {
        let query = english_query(question).cloned();
        question.queries = query.into_iter().collect();
        let before = cells(&question.answers);
        question.answers = english_answers(&question.answers);
        let after = cells(&question.answers);
        let told = format!("of {before} labels only the {after} in English are answers");
        (after < before).then_some(told).into_iter().collect()
    });
}

fn refused(question: &Question) -> Option<LeftOut> {
    if !question.has_text(LANGUAGE) {
        return Some(Reason::NoEnglish.into());
    }
    let error = match english_query(question) {
        Some(query) => crate::sparql::read::check(&query.text).err()?.to_string(),
        None => "there is none".to_owned(),
    };
    Some(LeftOut { reason: Reason::QueryRefused, detail: Some(error) })
}

/// The query of the English row. Rows with the same query may share one, under the language of the first.
fn english_query(question: &Question) -> Option<&Query> {
    let is_english = |query: &&Query| query.language.as_deref().is_none_or(is_english_tag);
    question.queries.iter().find(is_english).or_else(|| question.queries.first())
}

fn is_english_tag(tag: &str) -> bool {
    tag.eq_ignore_ascii_case(LANGUAGE)
}

/// The answers without the labels in other languages.
fn english_answers(answers: &Answers) -> Answers {
    let sets = answers.sets.iter().map(|set| {
        let rows = set.rows.iter().map(|row| {
            let english =
                |cell: &&crate::sources::document::Cell| cell.language.as_deref().is_none_or(is_english_tag);
            Row { cells: row.cells.iter().filter(english).cloned().collect() }
        });
        AnswerSet { rows: rows.filter(|row| !row.cells.is_empty()).collect(), ..set.clone() }
    });
    Answers { state: answers.state, sets: sets.collect() }
}

fn cells(answers: &Answers) -> usize {
    answers.sets.iter().flat_map(|set| &set.rows).map(|row| row.cells.len()).sum()
}

#[cfg(test)]
mod tests {
    use crate::profiles::loaders::{Loader, Loading, load};
    use crate::sources::document::{
        AnswerSet, Answers, Cell, Document, Query, QueryKind, Question, Row, Text,
    };

    /// A question with a row in each of these languages.
    fn question(id: &str, languages: &[&str], query: &str) -> Question {
        let cell = |language: &&str| Cell {
            variable: "answer".to_owned(),
            value: format!("label {language}"),
            language: Some((*language).to_owned()),
            ..Cell::default()
        };
        let rows = languages.iter().map(|language| Row { cells: [cell(language)].into() }).collect();
        Question {
            id: id.to_owned(),
            key: id.to_owned(),
            texts: languages
                .iter()
                .map(|language| Text { language: Some((*language).to_owned()), text: "Q".to_owned() })
                .collect(),
            queries: languages
                .iter()
                .map(|language| Query {
                    kind: QueryKind::Sparql,
                    text: if *language == "en" { query.to_owned() } else { "no query".to_owned() },
                    language: Some((*language).to_owned()),
                })
                .collect(),
            answers: Answers { sets: vec![AnswerSet { rows, ..AnswerSet::default() }], ..Answers::default() },
            ..Question::default()
        }
    }

    fn document() -> Document {
        let questions = vec![
            question("7", &["ko", "en"], "ASK {}"),
            question("", &["en", "ko"], "ASK {}"),
            question("8a", &["en"], "ASK {}"),
            question("8", &["ko"], ""),
            question("9", &["en"], "SELECT COUNT(?x) { ?x ?y ?z }"),
            question("007", &["en"], "ASK {}"),
        ];
        Document { questions, ..Document::default() }
    }

    fn reasons(loader: Loader) -> Vec<(String, &'static str)> {
        let document = document();
        let given = load(&document.clone().into(), "nlq", Loading { loader, ..Loading::default() }).unwrap();
        given.left_out().map(|(question, left_out)| (question.id.clone(), left_out.reason.code())).collect()
    }

    #[test]
    fn table_1_counts_distinct_integers() {
        let expected =
            [("", "skip-id-not-integer"), ("8a", "skip-id-not-integer"), ("007", "skip-id-repeated")];
        assert_eq!(reasons(Loader::Table1), expected.map(|(id, code)| (id.to_owned(), code)));
    }

    #[test]
    fn gerbil_needs_english_and_a_query() {
        let expected = [
            ("", "skip-id-not-integer"),
            ("8a", "skip-id-not-integer"),
            ("8", "skip-no-english"),
            ("9", "skip-query-refused"),
            ("007", "skip-id-repeated"),
        ];
        assert_eq!(reasons(Loader::GerbilCurrent), expected.map(|(id, code)| (id.to_owned(), code)));
    }

    #[test]
    fn gerbil_takes_the_english_label_and_query() {
        let document = document();
        let loading = Loading { loader: Loader::GerbilCurrent, ..Loading::default() };
        let loaded = load(&document.clone().into(), "nlq", loading).unwrap();
        let question = loaded.questions().next().unwrap();
        assert_eq!(question.queries.len(), 1);
        assert_eq!(question.queries[0].text, "ASK {}");
        let cells: Vec<&str> = question.answers.sets[0]
            .rows
            .iter()
            .flat_map(|row| &row.cells)
            .map(|c| c.value.as_str())
            .collect();
        assert_eq!(cells, ["label en"]);
        let told: Vec<&str> = loaded.changes().map(|(_, what)| what).collect();
        assert_eq!(told, ["of 2 labels only the 1 in English are answers"]);
    }
}
