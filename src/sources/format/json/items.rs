//! Answers of benchmarks in JSON: a list of values, or of objects that say whether they are an entity.

use crate::base::issue::IssueCode;
use crate::sources::document::{Cell, CellKind, Row};
use crate::sources::format::context::Context;
use crate::sources::format::graph_ids::IdRule;
use crate::sources::format::json::names;
use crate::sources::format::json::value::{Entries, Json, plain_key, text_of};

/// Reads a list of answers, each with the reader of one.
pub(crate) fn read(value: Json, here: &mut Context, item: impl Fn(Json, &mut Context) -> Option<Cell>) {
    here.draft.has_answers = true;
    let Json::List(items) = value else {
        return cannot_use(&value, here);
    };
    let mut rows = Vec::with_capacity(items.len());
    for (index, part) in items.into_iter().enumerate() {
        rows.extend(item(part, &mut here.index(index)).map(row));
    }
    here.draft.add_rows(rows);
}

/// A row of one cell.
pub(crate) fn row(cell: Cell) -> Row {
    Row { cells: [cell].into() }
}

/// A value as an answer.
pub(crate) fn cell(kind: CellKind, value: String) -> Cell {
    Cell { variable: "answer".to_owned(), kind, value, ..Cell::default() }
}

/// An answer that is a text, a number or a boolean.
pub(crate) fn plain(item: Json, here: &mut Context) -> Option<Cell> {
    match item {
        Json::Bool(value) => {
            here.draft.add_boolean(value);
            None
        }
        Json::Text(_) | Json::Number(_) => Some(cell(CellKind::Literal, item.into_scalar()?)),
        Json::Null | Json::List(_) | Json::Object(_) | Json::Unread(..) => {
            cannot_use(&item, here);
            None
        }
    }
}

/// The boolean that a text means: `yes` or `no`, in any case of letters.
pub(crate) fn yes_or_no(value: &Json) -> Option<bool> {
    let Json::Text(text) = value else { return None };
    let position = ["no", "yes"].iter().position(|word| text.trim().eq_ignore_ascii_case(word))?;
    Some(position == 1)
}

/// What stands where an answer should be: told, and kept.
pub(crate) fn cannot_use(value: &Json, here: &mut Context) {
    match value {
        Json::Unread(_, why) => here.cannot_read(format!("the answer cannot be read: {why}")),
        other => here.cannot_read(format!("{} stands for an answer", other.kind())),
    }
    if !matches!(value, Json::Null) {
        here.keep(value);
    }
}

/// The keys, in lower case, of answers that say whether they are an entity.
#[derive(Debug)]
pub(crate) struct TypedKeys {
    /// The kind: `Entity`, `Value`, or another word, whose answers are values too.
    pub(crate) kind: &'static str,
    /// The id of an entity.
    pub(crate) entity: &'static str,
    /// Any other value.
    pub(crate) value: &'static str,
    /// The label.
    pub(crate) label: &'static str,
    /// How ids become IRIs.
    pub(crate) ids: &'static IdRule,
}

impl TypedKeys {
    /// An answer that says whether it is an entity.
    pub(crate) fn read(&self, item: Json, here: &mut Context) -> Option<Cell> {
        if !matches!(item, Json::Object(_)) {
            cannot_use(&item, here);
            return None;
        }
        let entries = item.into_entries(here);
        let is_entity = match text_of(&entries, self.kind) {
            Some(word) => word.eq_ignore_ascii_case("entity"),
            None => self.looks_like_entity(text_of(&entries, self.entity), here),
        };
        let wanted = if is_entity { self.entity } else { self.value };
        let (mut found, mut beside) = (None, Entries::new());
        for (key, value) in entries {
            let inner = &mut here.key(&key);
            match plain_key(&key).as_ref() {
                name if name == wanted => found = argument(value, inner),
                name if name == self.kind && is_usual(&value) => {}
                name if name == self.label => beside.push((key, value)),
                name if [self.kind, self.entity, self.value].contains(&name) => {
                    inner.keep(&value);
                }
                _ => inner.keep_unknown("key", &key, &value),
            }
        }
        if found.is_none() {
            here.cannot_read("an answer has no value");
        }
        let found = found.map(|text| {
            if is_entity {
                cell(CellKind::Uri, self.ids.of_entity(text, here))
            } else {
                cell(CellKind::Literal, text)
            }
        });
        names::named(found, beside, here)
    }

    fn looks_like_entity(&self, id: Option<&str>, here: &mut Context) -> bool {
        let message = "an answer does not say whether it is an entity; it is read for what it looks like";
        here.note_once(IssueCode::UnknownTermKind, message);
        id.is_some_and(|id| self.ids.iri(id).is_some())
    }
}

/// Whether the kind is a word that the answer read says too.
fn is_usual(kind: &Json) -> bool {
    let is = |text: &str| ["entity", "value"].iter().any(|word| text.eq_ignore_ascii_case(word));
    matches!(kind, Json::Text(text) if is(text))
}

/// The text of a value; what is none is kept.
fn argument(value: Json, here: &mut Context) -> Option<String> {
    if matches!(value, Json::List(_) | Json::Object(_) | Json::Unread(..)) {
        here.keep(&value);
    }
    value.into_scalar()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::format::context::Draft;
    use crate::sources::format::graph_ids::WIKIDATA;

    const KEYS: TypedKeys =
        TypedKeys { kind: "type", entity: "qid", value: "argument", label: "label", ids: &WIKIDATA };

    /// The kind and value of an answer, what is kept and how it is named, what is told.
    fn one(item: &str) -> (Option<(CellKind, String)>, Vec<String>, Vec<&'static str>) {
        let mut found = None;
        let (question, codes, _) = Draft::made_by(|here| {
            found = KEYS.read(Json::parse(item).expect("JSON"), here);
        });
        let names = found.iter().flat_map(|cell| &cell.names).map(|name| format!("named {}", name.text));
        let kept = question.extras.into_iter().map(|extra| extra.value).chain(names).collect();
        (found.map(|cell| (cell.kind, cell.value)), kept, codes)
    }

    #[test]
    fn an_answer_says_what_it_is() {
        let q5 = || Some((CellKind::Uri, "http://www.wikidata.org/entity/Q5".to_owned()));
        let text = |text: &str| Some((CellKind::Literal, text.to_owned()));
        assert_eq!(
            one(r#"{"Type": "Entity", "Qid": "Q5", "Label": "human", "Argument": null}"#),
            (q5(), vec!["null".to_owned(), "named human".to_owned()], vec![])
        );
        assert_eq!(one(r#"{"type": "Value", "argument": 1.50}"#), (text("1.5"), vec![], vec![]));
        let (found, kept, codes) = one(r#"{"type": "Timestamp", "argument": "1956", "qid": "Q5", "x": 1}"#);
        assert_eq!((found, codes), (text("1956"), vec!["unknown-field"]));
        assert_eq!(kept, ["\"Timestamp\"", "\"Q5\"", "1"]);
        assert_eq!(one(r#"{"qid": "Q5"}"#), (q5(), vec![], vec!["unknown-term-kind"]));
        assert_eq!(one(r#"{"argument": "Q5"}"#), (text("Q5"), vec![], vec!["unknown-term-kind"]));
    }

    #[test]
    fn what_is_no_answer_is_told_and_kept() {
        for (item, kept) in [
            (r#"{"type": "Entity", "argument": "Berlin"}"#, vec!["\"Berlin\""]),
            (r#"{"type": "Value", "argument": [1]}"#, vec!["[1]"]),
            (r#"{"type": "Value", "argument": null, "label": "x"}"#, vec!["\"x\""]),
            (r#""Berlin""#, vec!["\"Berlin\""]),
            ("null", vec![]),
        ] {
            let (found, extras, codes) = one(item);
            assert_eq!((found, codes), (None, vec!["unreadable-answer"]), "{item}");
            assert_eq!(extras, kept, "{item}");
        }
        let (found, _, codes) = one(r#"{"type": "Entity", "qid": "Berlin"}"#);
        assert_eq!((found, codes), (Some((CellKind::Uri, "Berlin".to_owned())), vec!["invalid-iri"]));
    }
}
