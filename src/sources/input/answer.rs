//! What the answers of a question are as RDF: items, status, type.

use std::collections::HashSet;

use oxigraph::model::Term;
use rustc_hash::FxBuildHasher;

use crate::base::vocab::qassay;
use crate::sources::document::{AnswerState, Cell, LiveAnswer, Question, Row};
use crate::sources::failure_kind::FailureKind;
use crate::sources::input::term;
use crate::sources::input::term::CellTerm;

/// One item of an answer: a cell of a row, or the boolean.
#[derive(Debug, Clone)]
pub struct Item<'a> {
    /// Position among the items of the answer, from 1.
    pub number: usize,
    /// Position of its row among all rows of the answer, from 1.
    pub row: usize,
    /// The cell; none for a boolean.
    pub cell: Option<&'a Cell>,
    /// The term and what it cannot say.
    pub term: CellTerm,
    /// Whether it belongs to the answer set. A boolean beside rows does not.
    pub counts: bool,
    /// The cell of its row that its column only names, so that it may be read as a label of that.
    pub label_of: Option<&'a Cell>,
    /// The confidence of its answer object, as written.
    pub confidence: Option<&'a str>,
    /// Whether a plain term cannot say all of it.
    pub needs_node: bool,
}

/// What a column that names another one says about the resource there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelColumn {
    /// What it is called.
    Name,
    /// What it is.
    Description,
}

/// How columns are called that name another one: what stands behind its name.
const LABEL_COLUMNS: [(&str, LabelColumn); 3] = [
    ("Label", LabelColumn::Name),
    ("AltLabel", LabelColumn::Name),
    ("Description", LabelColumn::Description),
];

/// What a cell is as a label, and the resource in its row that it names; nothing where it names none.
///
/// The files of QALD-1 and 2 have `uri` and `string` in one answer, which is a label; the label service of Wikidata puts
/// names of `?x` into `?xLabel`, `?xAltLabel` and `?xDescription`.
pub fn label_of<'a>(row: &'a Row, cell: &Cell) -> Option<(LabelColumn, &'a Cell)> {
    let resource = |name: &str| {
        let is_named = |other: &&Cell| other.variable == name && term::of_cell(other).term.is_named_node();
        row.cells.iter().find(is_named)
    };
    let of_qald = || (cell.variable == "string").then(|| Some((LabelColumn::Name, resource("uri")?)))?;
    let of_service = |(ending, what): &(&str, LabelColumn)| {
        let name = cell.variable.strip_suffix(ending).filter(|name| !name.is_empty())?;
        Some((*what, resource(name)?))
    };
    let found = LABEL_COLUMNS.iter().find_map(of_service).or_else(of_qald);
    // Most columns have no such name: only of the others the term matters.
    found.filter(|_| !term::of_cell(cell).term.is_named_node())
}

/// The items of a question's answers in file order.
///
/// The answer set is made of the cells of all rows. A boolean counts where the answers have no row.
pub fn items(question: &Question) -> Vec<Item<'_>> {
    let sets = &question.answers.sets;
    let has_rows = sets.iter().any(|set| !set.rows.is_empty());
    let several = sets.len() > 1;
    let mut items = Vec::with_capacity(sets.iter().map(|set| set.rows.len() + 1).sum());
    let mut row_number = 0;
    for set in sets {
        let confidence = set.confidence.as_deref();
        let special = several || confidence.is_some();
        for row in &set.rows {
            row_number += 1;
            for cell in &row.cells {
                let term = term::of_cell(cell);
                let says_more = term.loses.is_some() || !cell.names.is_empty();
                let needs_node = special || row.cells.len() > 1 || says_more;
                let number = items.len() + 1;
                items.push(Item {
                    number,
                    row: row_number,
                    cell: Some(cell),
                    term,
                    counts: true,
                    label_of: label_of(row, cell).map(|(_, resource)| resource),
                    confidence,
                    needs_node,
                });
            }
        }
        if let Some(value) = set.boolean {
            row_number += 1;
            let term = CellTerm { term: term::of_boolean(value), loses: None };
            let number = items.len() + 1;
            let needs_node = special || has_rows;
            items.push(Item {
                number,
                row: row_number,
                cell: None,
                term,
                counts: !has_rows,
                label_of: None,
                confidence,
                needs_node,
            });
        }
    }
    items
}

/// How a submission answered a question: the concept of `code:answerStatus`.
pub fn answer_status(question: &Question) -> &'static str {
    // Answers that are there count, also beside an error.
    if question.answers.state == AnswerState::Given {
        "status-ok"
    } else if question.asked.as_ref().and_then(LiveAnswer::failure_kind).is_some_and(FailureKind::is_timeout)
    {
        "status-timeout"
    } else if question.error.is_some() || question.answers.state == AnswerState::Unreadable {
        "status-error"
    } else {
        "status-empty"
    }
}

/// The answer type of a gold question as a concept of `code:answerType`, without `type-`; none where it is no such word.
pub fn answer_type(question: &Question) -> Option<&'static str> {
    let written = question.answer_type.as_deref()?.trim().to_ascii_lowercase();
    match written.as_str() {
        "resource" | "uri" | "list" | "listofresource" => Some("resource"),
        "date" => Some("date"),
        "number" | "num" => Some("number"),
        "string" => Some("string"),
        "boolean" => Some("boolean"),
        _ => None,
    }
}

/// A flag of a gold question as a property and its value; nothing where either is another word.
pub fn flag(name: &str, value: &str) -> Option<(&'static str, bool)> {
    let property = match name {
        "aggregation" => qassay::AGGREGATION,
        "onlydbo" => qassay::ONLYDBO,
        "hybrid" => qassay::HYBRID,
        _ => return None,
    };
    match value.trim().to_ascii_lowercase().as_str() {
        "true" => Some((property, true)),
        "false" => Some((property, false)),
        _ => None,
    }
}

/// The answer type that the answers of a question have, as [`answer_type`]; none where there are none, or several.
///
/// A number or a date in an untyped literal counts: most files do not write datatypes.
pub fn inferred_type(question: &Question, columns: LabelColumns) -> Option<&'static str> {
    let sets = &question.answers.sets;
    let is_answer = |row, cell: &Cell| columns == LabelColumns::Answers || label_of(row, cell).is_none();
    let rows = sets.iter().flat_map(|set| &set.rows);
    let cells = rows.flat_map(|row| row.cells.iter().filter(move |cell| is_answer(row, cell)));
    let mut types = cells.map(type_of_cell);
    let Some(first) = types.next() else {
        return sets.iter().any(|set| set.boolean.is_some()).then_some("boolean");
    };
    types.all(|other| other == first).then_some(first)
}

/// The answer type that one cell has. A number or a date in an untyped literal counts.
pub fn type_of_cell(cell: &Cell) -> &'static str {
    let term = term::of_cell(cell).term;
    let Term::Literal(literal) = &term else { return "resource" };
    let text = literal.value().trim();
    let datatype = literal.datatype();
    let datatype = datatype.as_str();
    let is_numeral = || crate::measures::fraction::Fraction::parse(text).is_some();
    let is_day = || text.get(..10).is_some_and(|day| day.parse::<oxsdatatypes::Date>().is_ok());
    match datatype.strip_prefix(crate::base::vocab::xsd::NAMESPACE) {
        Some("boolean") => "boolean",
        Some("date" | "dateTime" | "gYear" | "gYearMonth" | "time") => "date",
        Some("string") if literal.language().is_none() => match text {
            "true" | "false" => "boolean",
            _ if is_numeral() => "number",
            _ if is_day() => "date",
            _ => "string",
        },
        Some("decimal" | "double" | "float") => "number",
        Some(name)
            if name.ends_with("nteger")
                || name.ends_with("nt")
                || name.ends_with("ong")
                || name.ends_with("hort")
                || name.ends_with("yte") =>
        {
            "number"
        }
        _ if is_numeral() && literal.language().is_none() => "number",
        _ => "string",
    }
}

/// What columns are that only name another one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum LabelColumns {
    /// Answers as all others.
    #[default]
    Answers,
    /// Labels of what they name, and no answers.
    Labels,
}

impl LabelColumns {
    /// Whether an item is one of the answer.
    pub fn counts(self, item: &Item<'_>) -> bool {
        item.counts && (self == Self::Answers || item.label_of.is_none())
    }
}

/// The items of a question that are labels and no answers. A text that is an answer in another row is one.
pub fn labels(question: &Question, columns: LabelColumns) -> Vec<Item<'_>> {
    let mut rows = question.answers.sets.iter().flat_map(|set| &set.rows);
    if columns == LabelColumns::Answers || rows.all(|row| row.cells.len() < 2) {
        return Vec::new();
    }
    let (answers, mut labels): (Vec<Item<'_>>, Vec<Item<'_>>) =
        items(question).into_iter().partition(|item| item.label_of.is_none());
    let answers: HashSet<&Term> =
        answers.iter().filter(|item| item.counts).map(|item| &item.term.term).collect();
    labels.retain(|label| !answers.contains(&label.term.term));
    labels
}

/// The terms of an answer set, each once, in the order of their first occurrence.
pub fn answer_terms(question: &Question, columns: LabelColumns) -> Vec<Term> {
    let items = items(question);
    let mut seen = HashSet::with_capacity_and_hasher(items.len(), FxBuildHasher);
    let first: Vec<bool> =
        items.iter().map(|item| columns.counts(item) && seen.insert(&item.term.term)).collect();
    items.into_iter().zip(first).filter(|(_, first)| *first).map(|(item, _)| item.term.term).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::{AnswerSet, CellKind};

    /// A question with one row of `variable=value`; addresses are IRIs.
    fn question(cells: &[&str]) -> Question {
        let cell = |written: &&str| {
            let (variable, value) = written.split_once('=').expect("variable=value");
            let is_iri = value.starts_with("http:");
            Cell {
                variable: variable.to_owned(),
                kind: if is_iri { CellKind::Uri } else { CellKind::Literal },
                value: value.to_owned(),
                ..Cell::default()
            }
        };
        let rows = vec![Row { cells: cells.iter().map(cell).collect() }];
        let mut question = Question::default();
        question.answers.sets = vec![AnswerSet { rows, ..AnswerSet::default() }];
        question
    }

    #[test]
    fn a_type_is_inferred_from_answers_and_from_no_label_of_theirs() {
        let labelled = question(&["uri=http://e/a", "string=A"]);
        assert_eq!(inferred_type(&labelled, LabelColumns::Labels), Some("resource"));
        assert_eq!(inferred_type(&labelled, LabelColumns::Answers), None);
        let two = question(&["uri=http://e/a", "name=A"]);
        assert_eq!(inferred_type(&two, LabelColumns::Labels), None);
    }

    #[test]
    fn a_text_that_is_an_answer_in_another_row_is_no_label() {
        let texts = |question: &Question, columns| -> Vec<String> {
            labels(question, columns).iter().map(|item| term::text(&item.term.term).into_owned()).collect()
        };
        let mut asked = question(&["x=http://e/a", "xLabel=A", "xDescription=B"]);
        assert_eq!(texts(&asked, LabelColumns::Labels), ["A", "B"]);
        assert!(texts(&asked, LabelColumns::Answers).is_empty());
        asked.answers.sets.extend(question(&["name=A"]).answers.sets);
        assert_eq!(texts(&asked, LabelColumns::Labels), ["B"]);
    }

    #[test]
    fn columns_that_only_name_another_one_are_labels() {
        let cases: [(&[&str], usize); 9] = [
            (&["x=http://e/a", "xLabel=A", "xAltLabel=B", "xDescription=C"], 1),
            (&["uri=http://e/a", "string=A"], 1),
            (&["x=http://e/a", "xLabel=A", "y=http://e/b", "yLabel=B"], 2),
            (&["x=http://e/a", "yLabel=A"], 2),
            (&["xLabel=A"], 1),
            (&["string=A"], 1),
            (&["x=5", "xLabel=A"], 2),
            (&["x=http://e/a", "xLabel=http://e/b"], 2),
            (&["uri=http://e/a", "date=2000-01-01"], 2),
        ];
        for (cells, answers) in cases {
            let question = question(cells);
            assert_eq!(answer_terms(&question, LabelColumns::Labels).len(), answers, "{cells:?}");
            assert_eq!(answer_terms(&question, LabelColumns::Answers).len(), cells.len(), "{cells:?}");
        }
    }
}
