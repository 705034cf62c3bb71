//! Real files of benchmarks that have a format of their own, with counts made by Python's `json`.

use std::collections::BTreeMap;

use crate::common::shared;
use qassay::sources::document::{AnswerState, Cell, CellKind, Document};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;

const RUBQ: &str = "vladislavneon/RuBQ/fade3eae6a4807c35b19cfce20dfa805fc8c0cdf/RuBQ_2.0/RuBQ_2.0_dev.json";
const FACTOID: &str = "brmson/dataset-factoid-webquestions/668890853388010fe6ae9a5eb035a7917b88933b/main";

/// The document of a file of the second mirror, which must be of this format.
#[track_caller]
fn open(file: &str, expected: &str) -> Document {
    let source = Source::open(&shared().join("data/mirror-2").join(file)).expect("a file of the mirror");
    let (document, format) = read(&source).expect("a document");
    assert_eq!(format.name, expected, "{file}");
    document
}

fn cells(document: &Document) -> impl Iterator<Item = &Cell> {
    let sets = document.questions.iter().flat_map(|question| &question.answers.sets);
    sets.flat_map(|set| &set.rows).flat_map(|row| &row.cells)
}

fn count<T: Ord>(items: impl Iterator<Item = T>) -> BTreeMap<T, usize> {
    let mut counts = BTreeMap::new();
    items.for_each(|item| *counts.entry(item).or_default() += 1);
    counts
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn rubq() {
    let document = open(RUBQ, "rubq");
    assert_eq!((document.issues.len(), document.questions.len()), (0, 580));
    let state = |state| document.questions.iter().filter(|question| question.answers.state == state).count();
    assert_eq!((state(AnswerState::Given), state(AnswerState::Empty)), (480, 100));
    assert_eq!(document.questions.iter().map(|question| question.queries.len()).sum::<usize>(), 480);
    let languages = document.questions.iter().flat_map(|question| &question.texts);
    assert_eq!(
        count(languages.filter_map(|text| text.language.as_deref())),
        [("en", 580), ("ru", 580)].into()
    );
    let kinds = cells(&document).map(|cell| (cell.kind == CellKind::Uri, cell.datatype.as_deref()));
    let xsd = |name: &str| format!("http://www.w3.org/2001/XMLSchema#{name}");
    let [integer, decimal, time] = ["integer", "decimal", "dateTime"].map(xsd);
    let expected = [
        ((true, None), 602),
        ((false, None), 9),
        ((false, Some(integer.as_str())), 70),
        ((false, Some(&decimal)), 27),
        ((false, Some(&time)), 35),
    ];
    assert_eq!(count(kinds), expected.into());
    let tagged = count(cells(&document).filter_map(|cell| cell.language.as_deref()));
    assert_eq!(tagged, [("en", 2), ("ru", 4)].into());
    let island = &document.questions[0];
    assert_eq!(
        (island.id.as_str(), island.texts[0].text.as_str()),
        ("4", "Какой стране принадлежит знаменитый остров Пасхи?")
    );
    assert_eq!(island.answers.sets[0].rows[0].cells[0].value, "http://www.wikidata.org/entity/Q298");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn factoid_web_questions() {
    for (file, questions, answers) in [("val", 755, 1821), ("devtest", 189, 444)] {
        let document = open(&format!("{FACTOID}/{file}.json"), "webquestions");
        assert_eq!((document.issues.len(), document.questions.len()), (0, questions));
        assert_eq!(cells(&document).filter(|cell| cell.kind == CellKind::Literal).count(), answers);
        assert!(document.questions.iter().all(|question| question.answers.state == AnswerState::Given));
    }
    let document = open(&format!("{FACTOID}/devtest.json"), "webquestions");
    let first = &document.questions[0];
    assert_eq!(
        (first.id.as_str(), first.texts[0].text.as_str()),
        ("wqr000000", "what is the name of justin bieber brother?")
    );
    let values: Vec<&str> = cells(&document).take(3).map(|cell| cell.value.as_str()).collect();
    assert_eq!(values, ["Jazmyn Bieber", "Jaxon Bieber", "Ngurah Rai Airport"]);
}
