//! Published files that have a question a line: `SimpleQuestions`, `PathQuestion`. Counts are those of `wc`, `cut` and `awk`.

use crate::common::mirror_2;
use qassay::sources::document::{AnswerState, CellKind, Document, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;

const SIMPLE_QUESTIONS: &str = "askplatypus/wikidata-simplequestions/df69267f1db4f85a71325e7e8c06e192bcaf0b0e/annotated_wd_data_valid_answerable.txt";

const PATH_QUESTION: &str = "zmtkeke/IRN/32f70d311978bfc1b911c60dff3e9d291b9a2447/PathQuestion/PQ-2H.txt";

/// The document of a file in this format that has no ids, which is all that is odd about it.
#[track_caller]
fn document(file: &str, format: &str) -> Document {
    let (document, found) = read(&Source::open(&mirror_2().join(file)).unwrap()).unwrap();
    assert_eq!(found.name, format);
    let codes: Vec<&str> = document.issues.iter().map(|issue| issue.code.name()).collect();
    assert_eq!(codes, ["missing-id"]);
    assert!(document.questions.iter().all(|question| question.answers.state == AnswerState::Given));
    document
}

fn values(question: &Question) -> Vec<&str> {
    let cells = question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
    cells.map(|cell| cell.value.as_str()).collect()
}

fn kept<'q>(question: &'q Question, name: &str) -> &'q str {
    &question.extras.iter().find(|extra| extra.name == name).unwrap().value
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn simple_questions_on_wikidata() {
    let found = document(SIMPLE_QUESTIONS, "simple-questions");
    assert_eq!(found.questions.len(), 2821);
    let reversed = found.questions.iter().filter(|question| kept(question, "property").starts_with('R'));
    assert_eq!(reversed.count(), 611);
    let items = found.questions.iter().filter(|question| {
        let cell = &question.answers.sets[0].rows[0].cells[0];
        cell.kind == CellKind::Uri && cell.value.starts_with("http://www.wikidata.org/entity/Q")
    });
    assert_eq!(items.count(), 2821);
    let second = &found.questions[1];
    assert_eq!(second.texts[0].text, "What is a film directed by wiebke von carolsfeld?");
    assert_eq!((kept(second, "subject"), kept(second, "property")), ("Q2568216", "R57"));
    assert_eq!(values(second), ["http://www.wikidata.org/entity/Q14949730"]);
}

/// 150 of 1908 lines have more than one text in their brackets.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn path_question() {
    let found = document(PATH_QUESTION, "path-question");
    assert_eq!(found.questions.len(), 1908);
    let rows: usize = found.questions.iter().map(|question| values(question).len()).sum();
    let several = found.questions.iter().filter(|question| values(question).len() > 1).count();
    assert_eq!((rows, several), (2058, 150));
    let first = &found.questions[0];
    assert_eq!(first.texts[0].text, "which nationality is frederica_of_mecklenburg-strelitz 's couple ?");
    assert_eq!(values(first), ["united_kingdom"]);
    assert!(kept(first, "path").ends_with("#nationality#united_kingdom#<end>#united_kingdom"));
    let text = "what sex is charles_lennox_1st_duke_of_richmond 's offspring  ?";
    let question = found.questions.iter().find(|question| question.texts[0].text == text).unwrap();
    assert_eq!(values(question), ["male", "female"]);
}
