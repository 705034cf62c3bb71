//! Compares two documents field by field.

use crate::sources::document::{AnswerSet, Cell, CellKind, Document, Question};
use crate::sources::write::field::Field;

/// A field in which two documents differ.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The key of the question in the first document; empty for the documents themselves.
    pub place: String,
    /// The field.
    pub field: Field,
}

/// The fields in which two documents differ, question by question in their order. Issues are not compared.
pub fn differences(one: &Document, other: &Document) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut tell = |place: &str, field| found.push(Difference { place: place.to_owned(), field });
    if one.dataset_id != other.dataset_id {
        tell("", Field::DatasetId);
    }
    if one.questions.len() != other.questions.len() {
        tell("", Field::Questions);
    }
    for (one, other) in one.questions.iter().zip(&other.questions) {
        for field in of_question(one, other).into_iter().chain(of_answers(one, other)) {
            tell(&one.key, field);
        }
    }
    found
}

fn of_question(one: &Question, other: &Question) -> Vec<Field> {
    let queries = |question: &Question| -> Vec<_> {
        question.queries.iter().map(|query| (query.kind, query.text.clone())).collect()
    };
    // where queries are missing, only the languages that are stated can be compared
    let all = queries(one) == queries(other);
    let languages = |question: &Question| -> Vec<Option<String>> {
        let of_each = question.queries.iter().map(|query| query.language.clone());
        of_each.filter(|language| all || language.is_some()).collect()
    };
    let same = [
        // the key follows from the ids of the file
        (Field::Id, one.id == other.id),
        (Field::IdIsNumber, one.id_is_number == other.id_is_number),
        (Field::Place, one.place == other.place && one.blank_query_node == other.blank_query_node),
        (Field::Texts, one.texts == other.texts),
        (Field::Language, one.language == other.language),
        (Field::Keywords, one.keywords == other.keywords),
        (Field::AnswerType, one.answer_type == other.answer_type),
        (Field::ItemTypes, one.answer_item_types == other.answer_item_types),
        (Field::Flags, one.flags == other.flags),
        (Field::Queries, all),
        (Field::QueryLanguage, languages(one) == languages(other)),
        (Field::Annotations, one.annotations == other.annotations),
        (Field::State, one.answers.state == other.answers.state),
        (Field::Candidates, one.candidates == other.candidates),
        (Field::Error, one.error == other.error),
        (Field::Time, one.response_time == other.response_time),
        (Field::Extras, one.extras == other.extras),
    ];
    differing(&same)
}

fn of_answers(one: &Question, other: &Question) -> Vec<Field> {
    let (one, other) = (&one.answers.sets, &other.answers.sets);
    if one == other {
        return Vec::new();
    }
    let whole = [
        (Field::Sets, one.len() == other.len()),
        (Field::Variables, same_variables(one, other)),
        (Field::AddedVariables, one.len() != other.len() || !gains_variables(one, other)),
        (Field::Boolean, same(one, other, |set| set.boolean)),
        (Field::HasBindings, same(one, other, |set| set.has_bindings.then_some(()))),
        (Field::Confidence, same(one, other, |set| set.confidence.clone())),
        (Field::Rows, same_rows(one, other)),
    ];
    let mut fields = differing(&whole);
    if !fields.contains(&Field::Rows) {
        fields.extend(of_cells(one, other));
    }
    fields
}

/// Whether something of the sets is the same: set by set, or without sets where their numbers differ.
fn same<T: PartialEq>(one: &[AnswerSet], other: &[AnswerSet], of: impl Fn(&AnswerSet) -> Option<T>) -> bool {
    if one.len() == other.len() {
        return one.iter().zip(other).all(|(one, other)| of(one) == of(other));
    }
    one.iter().filter_map(&of).eq(other.iter().filter_map(&of))
}

/// Whether no set loses its variables. A set without any may get some.
fn same_variables(one: &[AnswerSet], other: &[AnswerSet]) -> bool {
    if one.len() == other.len() {
        let kept = |(one, other): (&AnswerSet, &AnswerSet)| {
            one.variables.is_empty() || one.variables == other.variables
        };
        return one.iter().zip(other).all(kept);
    }
    same(one, other, |set| (!set.variables.is_empty()).then(|| set.variables.clone()))
}

fn gains_variables(one: &[AnswerSet], other: &[AnswerSet]) -> bool {
    one.iter().zip(other).any(|(one, other)| one.variables.is_empty() && !other.variables.is_empty())
}

/// Whether the rows have the same numbers of cells.
fn same_rows(one: &[AnswerSet], other: &[AnswerSet]) -> bool {
    let lengths = |sets: &[AnswerSet]| -> Vec<Vec<usize>> {
        let of_set = |set: &AnswerSet| set.rows.iter().map(|row| row.cells.len()).collect();
        sets.iter().map(of_set).collect()
    };
    let (one, other) = (lengths(one), lengths(other));
    if one.len() == other.len() { one == other } else { one.concat() == other.concat() }
}

fn of_cells(one: &[AnswerSet], other: &[AnswerSet]) -> Vec<Field> {
    let cells = |sets| -> Vec<&Cell> {
        let rows = <[AnswerSet]>::iter(sets).flat_map(|set| &set.rows);
        rows.flat_map(|row| &row.cells).collect()
    };
    let (one, other) = (cells(one), cells(other));
    let all = |same: fn(&Cell, &Cell) -> bool| one.iter().zip(&other).all(|(one, other)| same(one, other));
    differing(&[
        (Field::Variable, all(|a, b| a.variable == b.variable)),
        (Field::Kind, all(|a, b| a.kind == b.kind || a.kind == CellKind::Unknown)),
        (Field::AddedKind, all(|a, b| a.kind == b.kind || a.kind != CellKind::Unknown)),
        (Field::Value, all(|a, b| a.value == b.value)),
        (Field::Datatype, all(|a, b| a.datatype == b.datatype)),
        (Field::CellLanguage, all(|a, b| a.language == b.language)),
        (Field::DatatypeFirst, all(|a, b| a.datatype_first == b.datatype_first)),
    ])
}

fn differing(same: &[(Field, bool)]) -> Vec<Field> {
    same.iter().filter(|(_, same)| !same).map(|(field, _)| *field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{CellKind, Row};

    fn document(value: &str, kind: CellKind, rows: usize) -> Document {
        let row = Row { cells: vec![Cell { value: value.to_owned(), kind, ..Cell::default() }] };
        let set = AnswerSet { rows: vec![row; rows], ..AnswerSet::default() };
        let mut question = Question { key: "q".to_owned(), ..Question::default() };
        question.answers.sets = vec![set];
        Document { questions: vec![question], ..Document::default() }
    }

    #[test]
    fn every_difference_is_named_once() {
        let fields = |one: &Document, other: &Document| -> Vec<Field> {
            differences(one, other).into_iter().map(|difference| difference.field).collect()
        };
        let one = document("a", CellKind::Uri, 2);
        assert_eq!(fields(&one, &one), []);
        assert_eq!(fields(&one, &document("b", CellKind::Literal, 2)), [Field::Kind, Field::Value]);
        assert_eq!(fields(&one, &document("b", CellKind::Literal, 1)), [Field::Rows]);
        assert_eq!(fields(&one, &Document::default()), [Field::Questions]);
        let mut two = one.clone();
        two.dataset_id = Some(String::new());
        let question = &mut two.questions[0];
        question.place.line = Some(3);
        question.answers.sets.insert(0, AnswerSet { has_bindings: true, ..AnswerSet::default() });
        assert_eq!(fields(&one, &two), [Field::DatasetId, Field::Place, Field::Sets, Field::HasBindings]);
    }
}
