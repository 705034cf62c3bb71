//! From one format to another, so that nothing is lost in silence.
//!
//! A writer says what its target cannot hold. Nobody has to believe it: [`convert`] reads the bytes again, compares the
//! two documents field by field, and refuses where something is lost that the writer did not name.

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::base::text::counted;
use crate::sources::document::{AnswerSet, Cell, CellKind, Document, Question};
use crate::sources::file::source::Source;
use crate::sources::format::loss::{Field, Loss, LossCount, kinds};
use crate::sources::format::{Target, read, targets};

/// A document in another format.
#[derive(Debug)]
pub struct Converted {
    /// The bytes of the file.
    pub bytes: Vec<u8>,
    /// What the file does not hold, in the order of the questions.
    pub losses: Vec<Loss>,
}

/// How many kinds of losses are listed.
const MOST_KINDS: usize = 20;

impl Converted {
    /// An error that says what would be lost, where something would be.
    ///
    /// # Errors
    /// Where the format cannot hold all of it.
    pub fn refuse_losses(&self, target: &Target) -> Result<()> {
        if self.losses.is_empty() {
            return Ok(());
        }
        Err(Error::input(format!("{} cannot hold all of it; lost would be:", target.name))
            .list(self.lost_kinds())
            .hint("`⌥lossy` writes the rest; RDF (`.nq`, `.ttl`) holds all of it"))
    }

    /// What is lost, a line a kind.
    pub fn lost_kinds(&self) -> Vec<String> {
        let line = |kind: &LossCount| {
            if kind.first.is_empty() {
                return kind.what.to_owned();
            }
            format!("{} ({}, first `{}`)", kind.what, counted(kind.count, "question"), kind.first)
        };
        let lost = kinds(&self.losses);
        let mut lines: Vec<String> = lost.iter().take(MOST_KINDS).map(line).collect();
        if lost.len() > MOST_KINDS {
            lines.push(format!("and {} kinds more", lost.len() - MOST_KINDS));
        }
        lines
    }
}

/// Writes a document as a target, and makes sure that what is lost is named.
pub fn convert(document: &Document, sha256: &str, target: &Target) -> Result<Converted> {
    if document.questions.is_empty() && !target.may_be_empty {
        let able = targets().filter(|target| target.may_be_empty).map(|target| target.name);
        return Err(Error::input(format!("{} cannot hold a file without questions", target.name))
            .allowed(able.collect::<Vec<_>>().join(", ")));
    }
    let (bytes, told) = (target.write)(document, sha256)?;
    let again = read_again(&bytes, target)?;
    let losses = checked(&differences(document, &again), told, target)?;
    Ok(Converted { bytes, losses })
}

/// Reads what was written.
fn read_again(bytes: &[u8], target: &Target) -> Result<Document> {
    let source = Source::from_bytes(target.name, bytes.to_vec())?;
    match read(&source) {
        Ok((document, format)) if format.targets.iter().any(|one| one.name == target.name) => Ok(document),
        Ok((_, format)) => {
            Err(silent(target, &format!("the file that was written reads as {} and not", format.name)))
        }
        Err(error) => Err(silent(target, &format!("the file that was written cannot be read: {error}"))),
    }
}

/// The losses that are real. A difference that no loss names is an error of this program.
fn checked(found: &[Difference], told: Vec<Loss>, target: &Target) -> Result<Vec<Loss>> {
    let named: BTreeSet<(&str, Field)> =
        told.iter().flat_map(|loss| loss.fields.iter().map(|field| (loss.place.as_str(), *field))).collect();
    let is_named = |difference: &&Difference| {
        ((difference.field == Field::Place || difference.field.is_addition()) && !target.is_exact)
            || named.contains(&(difference.place.as_str(), difference.field))
    };
    if let Some(silently) = found.iter().find(|difference| !is_named(difference)) {
        let place = if silently.place.is_empty() { String::new() } else { format!(" of {}", silently.place) };
        return Err(silent(target, &format!("this would silently lose {}{place}", silently.field.name())));
    }
    let lost: BTreeSet<(&str, Field)> = found.iter().map(|d| (d.place.as_str(), d.field)).collect();
    let is_lost = |place: &str, field: Field| {
        // values whose rows are gone are not compared one by one
        lost.contains(&(place, field)) || field.is_in_rows() && lost.contains(&(place, Field::Rows))
    };
    Ok(told.into_iter().filter(|loss| loss.fields.iter().any(|field| is_lost(&loss.place, *field))).collect())
}

fn silent(target: &Target, what: &str) -> Error {
    Error::system(format!("{what} ({}): this is a mistake of qassay", target.name))
        .hint("please report it, with the file")
}

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
        (Field::Asked, one.asked == other.asked),
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
        (Field::Names, all(|a, b| a.names == b.names)),
    ])
}

fn differing(same: &[(Field, bool)]) -> Vec<Field> {
    same.iter().filter(|(_, same)| !same).map(|(field, _)| *field).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::Row;

    fn document(value: &str, kind: CellKind, rows: usize) -> Document {
        let row = Row { cells: [Cell { value: value.to_owned(), kind, ..Cell::default() }].into() };
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
