//! What a system predicts for a question: a value, a list of values, or nothing.

use crate::base::issue::IssueCode;
use crate::sources::document::{Cell, CellKind};
use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::WIKIDATA;
use crate::sources::format::json::short;
use crate::sources::format::json::value::Json;

/// Reads a prediction. Null is an answer without anything in it: the place is there.
///
/// A text is an IRI if it looks like one, as everywhere. Systems write the items of Wikidata as ids, which gold
/// standards have as IRIs: a text that has the form of one, and nothing else in it, is read as the item, and
/// an issue of the file says so.
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
    let mut has_items = false;
    for cell in sets.flat_map(|set| &mut set.rows).flat_map(|row| &mut row.cells) {
        has_items |= name_item(cell);
    }
    if has_items {
        let message = "texts such as `Q42` are read as the items of Wikidata that they are the ids of";
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

/// Makes the IRI of an item of Wikidata of its id, if the cell has one.
fn name_item(cell: &mut Cell) -> bool {
    let may_be_item = cell.kind == CellKind::Unknown && cell.value.trim().starts_with('Q');
    let Some(iri) = WIKIDATA.iri(cell.value.trim()).filter(|_| may_be_item) else { return false };
    cell.value = iri;
    cell.kind = CellKind::Uri;
    true
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
