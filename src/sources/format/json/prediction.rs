//! What a system predicts for a question: a value, a list of values, or nothing.

use std::collections::BTreeSet;

use crate::base::issue::IssueCode;
use crate::sources::document::{Cell, CellKind};
use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::{FREEBASE, WIKIDATA};
use crate::sources::format::json::short;
use crate::sources::format::json::value::Json;

/// Reads a prediction. Null is an answer without anything in it: the place is there.
///
/// A text is an IRI if it looks like one, as everywhere. Systems write the items of Wikidata and Freebase as ids, which gold
/// standards have as IRIs: a text that has the form of one (`Q42`, `m.0f8l9c`, `/m/0f8l9c`), and nothing else in it, is read
/// as the item, and an issue of the file says so.
pub(crate) fn read(value: Json, here: &mut Context) {
    here.draft.has_answers = true;
    let known = here.draft.question.answers.sets.len();
    match value {
        Json::Null => here.note_once(IssueCode::NullValue, "the prediction is null; it is read as none"),
        Json::Unread(_, ref why) => {
            here.cannot_read(format!("the prediction cannot be read: {why}"));
            here.keep(&value);
        }
        Json::List(items) => short::read_answers(Json::List(usable(items, here)), here),
        other => short::read_answers(other, here),
    }
    let sets = here.draft.question.answers.sets.iter_mut().skip(known);
    let cells = sets.flat_map(|set| &mut set.rows).flat_map(|row| &mut row.cells);
    let graphs: BTreeSet<&str> = cells.filter_map(name_item).collect();
    for message in graphs {
        here.note_once(IssueCode::UnknownTermKind, message);
    }
}

/// The items of a list without those that say nothing; what is no value is kept too, as nothing reads it.
fn usable<'j>(items: Vec<Json<'j>>, here: &mut Context) -> Vec<Json<'j>> {
    let mut found = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let inner = &mut here.index(index);
        match item {
            Json::Null => inner.note_once(IssueCode::NullValue, "a prediction is null; it is left out"),
            Json::List(_) | Json::Unread(..) => {
                inner.keep(&item);
                found.push(item);
            }
            other => found.push(other),
        }
    }
    found
}

/// Makes the IRI of an item of its id, if the cell has one, and tells which id it is.
fn name_item(cell: &mut Cell) -> Option<&'static str> {
    let text = cell.value.trim();
    let of_wikidata = || {
        let iri = WIKIDATA.iri(text).filter(|_| text.starts_with('Q'))?;
        Some((iri, "texts such as `Q42` are read as the items of Wikidata that they are the ids of"))
    };
    // All ids of Freebase begin with a digit, and no word does.
    let of_freebase = || {
        let iri = FREEBASE
            .iri(text)
            .filter(|_| matches!(text.trim_start_matches('/').as_bytes().get(2), Some(b'0' | b'1')))?;
        Some((iri, "texts such as `m.0f8l9c` are read as the topics of Freebase that they are the ids of"))
    };
    let (iri, message) = (cell.kind == CellKind::Unknown).then(|| of_wikidata().or_else(of_freebase))??;
    cell.value = iri;
    cell.kind = CellKind::Uri;
    Some(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerState, Question};
    use crate::sources::format::context::Draft;

    fn one(text: &str) -> (Question, Vec<String>) {
        let value = Json::parse(text).expect("JSON");
        let (question, _, told) = Draft::made_by(|here| read(value, here));
        (question, told)
    }

    fn cells(question: &Question) -> Vec<(CellKind, &str)> {
        let cells = question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells);
        cells.map(|cell| (cell.kind, cell.value.as_str())).collect()
    }

    #[test]
    fn values_and_lists_of_them() {
        use CellKind::Unknown;
        let (question, told) = one(r#"["http://e/a", "Mark Twain", 3, 1.5]"#);
        assert_eq!(told, [""; 0]);
        let expected = [(Unknown, "http://e/a"), (Unknown, "Mark Twain"), (Unknown, "3"), (Unknown, "1.5")];
        assert_eq!(cells(&question), expected);
        let (question, told) = one("false");
        assert_eq!((question.answers.sets[0].boolean, told), (Some(false), vec![]));
    }

    #[test]
    fn ids_are_items_and_the_file_says_so() {
        let (question, told) = one(r#"["Q42", "Q 42", "Q", "Quito", "q42", "see Q42", "P31"]"#);
        let found = cells(&question);
        assert_eq!(found[0], (CellKind::Uri, "http://www.wikidata.org/entity/Q42"));
        assert!(found[1..].iter().all(|(kind, _)| *kind == CellKind::Unknown) && found.len() == 7);
        assert_eq!(told, ["texts such as `Q42` are read as the items of Wikidata that they are the ids of"]);
        assert_eq!(one(r#""Quito""#).1, [""; 0]);
        let (question, told) = one(r#"["m.0rh6k", "/m/0f8l9c", "g.11b_x", "m.rh", "m. 0", "3.14"]"#);
        let iris = ["m.0rh6k", "m.0f8l9c", "g.11b_x"].map(|id| format!("http://rdf.freebase.com/ns/{id}"));
        assert!(cells(&question).iter().take(3).map(|(_, value)| *value).eq(iris.iter().map(String::as_str)));
        assert!(cells(&question)[3..].iter().all(|(kind, _)| *kind == CellKind::Unknown));
        assert_eq!(
            told,
            ["texts such as `m.0f8l9c` are read as the topics of Freebase that they are the ids of"]
        );
    }

    #[test]
    fn nothing_is_an_empty_answer_and_what_is_no_value_is_kept() {
        let state = |text: &str| {
            let (question, told) = one(text);
            (question.answers.state, question.extras.len(), told.len())
        };
        assert_eq!(state("null"), (AnswerState::Empty, 0, 1));
        assert_eq!(state("[]"), (AnswerState::Empty, 0, 0));
        assert_eq!(state("[null]"), (AnswerState::Empty, 0, 1));
        assert_eq!(state(r#"" ""#), (AnswerState::Empty, 0, 1));
        assert_eq!(state(r#"["x", null]"#), (AnswerState::Given, 0, 1));
        assert_eq!(state("[[1]]"), (AnswerState::Unreadable, 1, 1));
        assert_eq!(state(r#"{"head": {}, "boolean": true}"#), (AnswerState::Given, 0, 0));
    }
}
