//! The record of a file in RDF, read back exactly: parts in the order of their positions.

use std::collections::BTreeMap;

use crate::base::issue::{IssueCode, Place};
use crate::base::vocab::{part, qassay};
use crate::sources::document::{
    Annotation, AnswerSet, AnswerState, Answers, Candidate, Cell, CellKind, Document, Extra, Query,
    QueryKind, Question, Row, Text,
};
use crate::sources::format::context::Context;
use crate::sources::format::rdf::Statements;

/// The parts of a record: below each node, by kind, in order.
struct Parts<'a> {
    statements: &'a Statements,
    below: BTreeMap<(&'a str, &'a str), Vec<(u64, &'a str)>>,
}

/// Reads the record with this root.
pub(crate) fn read(statements: &Statements, root: &str, here: &mut Context<Document>) {
    let parts = Parts::of(statements, here);
    here.draft.dataset_id = parts.only(root, part::DATASET_ID);
    here.draft.questions =
        parts.of_kind(root, part::QUESTION).map(|node| parts.question(node, here)).collect();
}

impl<'a> Parts<'a> {
    fn of(statements: &'a Statements, here: &mut Context<Document>) -> Self {
        let mut below: BTreeMap<(&str, &str), Vec<(u64, &str)>> = BTreeMap::new();
        for node in statements.subjects() {
            let Some(parent) = statements.text(node, qassay::PART_OF) else { continue };
            let Some(kind) = statements.text(node, qassay::PART) else { continue };
            if !part::ALL.contains(&kind) {
                here.named(node).unknown("part", kind);
            }
            let position = statements.number(node, qassay::POSITION).unwrap_or_default();
            below.entry((parent, kind)).or_default().push((position, node));
        }
        for list in below.values_mut() {
            list.sort_unstable();
        }
        Self { statements, below }
    }

    /// The parts of a kind below a node.
    fn of_kind(&self, parent: &str, kind: &'static str) -> impl Iterator<Item = &'a str> + use<'a> {
        let list = self.below.get(&(parent, kind)).cloned().unwrap_or_default();
        list.into_iter().map(|(_, node)| node)
    }

    fn get(&self, node: &str, property: &'static str) -> Option<String> {
        self.statements.text(node, property).map(str::to_owned)
    }

    /// The text of a part; empty where it has none.
    fn written(&self, node: &str) -> String {
        self.get(node, qassay::AS_WRITTEN).unwrap_or_default()
    }

    /// The text of the only part of a kind.
    fn only(&self, parent: &str, kind: &'static str) -> Option<String> {
        self.of_kind(parent, kind).next().map(|node| self.written(node))
    }

    fn is_marked(&self, node: &str, mark: &str) -> bool {
        self.statements.values(node, qassay::PART_MARK).any(|value| value.text() == mark)
    }

    fn question(&self, node: &str, here: &mut Context<Document>) -> Question {
        let place = self.of_kind(node, part::PLACE).next();
        let texts = |kind| self.of_kind(node, kind).map(|text| self.text(text)).collect();
        let named = |kind| {
            let named = self.of_kind(node, kind);
            named.map(|named| (self.get(named, qassay::PART_NAME).unwrap_or_default(), self.written(named)))
        };
        let mut question = Question {
            id: self.written(node),
            id_is_number: self.is_marked(node, "number"),
            key: String::new(),
            place: Place {
                line: self.statements.number(node, qassay::LINE),
                question: place.and_then(|place| self.get(place, qassay::PART_NAME)),
                path: place.and_then(|place| self.get(place, qassay::AS_WRITTEN)),
            },
            texts: texts(part::TEXT),
            language: self.get(node, qassay::PART_LANGUAGE),
            keywords: texts(part::KEYWORDS),
            answer_type: self.only(node, part::ANSWER_TYPE),
            answer_item_types: self.of_kind(node, part::ITEM_TYPE).map(|item| self.written(item)).collect(),
            flags: named(part::FLAG).collect(),
            queries: Vec::new(),
            annotations: self.of_kind(node, part::ANNOTATION).map(|item| self.annotation(item)).collect(),
            answers: Answers::default(),
            candidates: self.of_kind(node, part::CANDIDATE).map(|item| self.candidate(item)).collect(),
            error: self.only(node, part::ERROR),
            response_time: self.only(node, part::TIME),
            blank_query_node: self.is_marked(node, "blank before query"),
            extras: named(part::EXTRA).map(|(name, value)| Extra { name, value }).collect(),
        };
        here.enter(question.place.clone());
        question.queries = self.of_kind(node, part::QUERY).map(|query| self.query(query, here)).collect();
        question.answers.sets = self.of_kind(node, part::SET).map(|set| self.set(set)).collect();
        question.answers.state = self.state(node, &question.answers.sets, here);
        here.enter(Place::default());
        question
    }

    fn text(&self, node: &str) -> Text {
        Text { language: self.get(node, qassay::PART_LANGUAGE), text: self.written(node) }
    }

    fn query(&self, node: &str, here: &mut Context<Document>) -> Query {
        let word = self.statements.text(node, qassay::PART_KIND).unwrap_or_default();
        let kind = QueryKind::named(word).unwrap_or_else(|| {
            let message = format!("`{word}` is no kind of query; it is read as SPARQL");
            here.named(node).note(IssueCode::WrongType, message);
            QueryKind::Sparql
        });
        Query { kind, text: self.written(node), language: self.get(node, qassay::PART_LANGUAGE) }
    }

    fn annotation(&self, node: &str) -> Annotation {
        Annotation {
            begin: self.only(node, part::BEGIN),
            end: self.only(node, part::END),
            iri: self.written(node),
            kind: self.get(node, qassay::PART_KIND),
        }
    }

    fn candidate(&self, node: &str) -> Candidate {
        Candidate {
            cells: self.of_kind(node, part::CELL).map(|cell| self.cell(cell)).collect(),
            label: self.only(node, part::LABEL),
            score: self.only(node, part::SCORE),
            rank: self.only(node, part::RANK),
        }
    }

    fn state(&self, node: &str, sets: &[AnswerSet], here: &mut Context<Document>) -> AnswerState {
        let word = self.statements.text(node, qassay::PART_KIND).unwrap_or_default();
        AnswerState::named(word).unwrap_or_else(|| {
            let message = format!("`{word}` is no state of answers; it is told by the answers");
            here.named(node).note(IssueCode::WrongType, message);
            let given = sets.iter().any(|set| set.boolean.is_some() || !set.rows.is_empty());
            if given { AnswerState::Given } else { AnswerState::Empty }
        })
    }

    fn set(&self, node: &str) -> AnswerSet {
        let mut rows: Vec<Row> = Vec::new();
        let mut number = None;
        for cell in self.of_kind(node, part::CELL) {
            let row = self.statements.number(cell, qassay::ROW);
            match rows.last_mut() {
                Some(last) if row == number => last.cells.push(self.cell(cell)),
                _ => rows.push(Row { cells: vec![self.cell(cell)] }),
            }
            number = row;
        }
        AnswerSet {
            variables: self.of_kind(node, part::VARIABLE).map(|name| self.written(name)).collect(),
            boolean: self.statements.text(node, qassay::AS_WRITTEN).map(|word| word == "true"),
            has_bindings: self.is_marked(node, "bindings"),
            rows,
            confidence: self.only(node, part::CONFIDENCE),
        }
    }

    fn cell(&self, node: &str) -> Cell {
        Cell {
            variable: self.get(node, qassay::PART_NAME).unwrap_or_default(),
            kind: match self.statements.text(node, qassay::PART_KIND) {
                Some("uri") => CellKind::Uri,
                Some("literal") => CellKind::Literal,
                Some("bnode") => CellKind::BlankNode,
                _ => CellKind::Unknown,
            },
            value: self.written(node),
            datatype: self.get(node, qassay::PART_DATATYPE),
            language: self.get(node, qassay::PART_LANGUAGE),
            datatype_first: self.is_marked(node, "datatype-first"),
        }
    }
}
