//! The record of a file in RDF: all that a reader keeps, as written. It is read back exactly, parts in the order of
//! their positions.
//!
//! One node a part (`qassay:part`, a concept of `code:recordPart`), named by its place: `…/record/question/1/set/1/cell/3`.
//! Every text is a plain string, so that no store changes it.

use std::collections::BTreeMap;
use std::io;

use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::issue::{IssueCode, Place};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{foaf, part, qassay};
use crate::sources::document::{
    Annotation, AnswerSet, AnswerState, Answers, Candidate, Cell, CellKind, Document, Extra, Query,
    QueryKind, Question, Row, Text,
};
use crate::sources::format::context::Context;
use crate::sources::format::rdf::Statements;

/// The parts of a record: below each node, by kind, in order.
struct RecordParts<'a> {
    statements: &'a Statements,
    below: BTreeMap<(&'a str, &'a str), Vec<(u64, &'a str)>>,
}

/// Reads the record with this root.
pub(crate) fn read(statements: &Statements, root: &str, here: &mut Context<Document>) {
    let parts = RecordParts::of(statements, here);
    here.draft.dataset_id = parts.only(root, part::DATASET_ID);
    here.draft.questions =
        parts.of_kind(root, part::QUESTION).map(|node| parts.question(node, here)).collect();
}

impl<'a> RecordParts<'a> {
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
            asked: self.only(node, part::ASKED).and_then(|text| serde_json::from_str(&text).ok()),
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
            label: self.only(node, part::LABEL).map(Box::from),
            score: self.only(node, part::SCORE).map(Box::from),
            rank: self.only(node, part::RANK).map(Box::from),
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
                Some(last) if row == number => last.cells.change(|cells| cells.push(self.cell(cell))),
                _ => rows.push(Row { cells: [self.cell(cell)].into() }),
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
            names: self.of_kind(node, part::TEXT).map(|name| self.text(name)).collect(),
        }
    }
}

/// Writes the record of a document.
pub(crate) fn write(out: &mut Vec<u8>, mint: &Mint, version: &str, document: &Document) -> io::Result<()> {
    let mut record = RecordLines { lines: Lines::new(&mint.record_graph(version)), version };
    let root = iri::record(version);
    record.lines.subject(&root).iri(qassay::PART, part::DOCUMENT).iri(foaf::PRIMARY_TOPIC, version);
    record.optional(&root, part::DATASET_ID, document.dataset_id.as_deref());
    for (number, question) in (1..).zip(&document.questions) {
        record.question(&root, number, question);
    }
    record.lines.write_to(out)
}

struct RecordLines<'v> {
    lines: Lines,
    version: &'v str,
}

impl RecordLines<'_> {
    /// Begins a part; the statements that follow are about it.
    fn begin(&mut self, parent: &str, kind: &'static str, number: usize) -> String {
        let name = kind.strip_prefix(part::NAMESPACE).unwrap_or(kind);
        let node = iri::record_part(parent, name, number);
        self.lines.subject(&node).iri(qassay::PART, kind).iri(qassay::PART_OF, parent);
        self.lines.integer(qassay::POSITION, number as u64);
        node
    }

    /// A property, where there is a value.
    fn say(&mut self, property: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.lines.text(property, value);
        }
    }

    /// A part that is a text.
    fn leaf(&mut self, parent: &str, kind: &'static str, number: usize, text: &str) -> String {
        let node = self.begin(parent, kind, number);
        self.lines.text(qassay::AS_WRITTEN, text);
        node
    }

    /// A part that is a text, where there is one.
    fn optional(&mut self, parent: &str, kind: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.leaf(parent, kind, 1, text);
        }
    }

    fn question(&mut self, root: &str, number: usize, question: &Question) {
        let node = self.leaf(root, part::QUESTION, number, &question.id);
        self.lines.iri(foaf::PRIMARY_TOPIC, &iri::question(self.version, &question.key));
        self.lines.text(qassay::PART_KIND, question.answers.state.name());
        self.say(qassay::PART_LANGUAGE, question.language.as_deref());
        self.say(qassay::PART_MARK, question.id_is_number.then_some("number"));
        self.say(qassay::PART_MARK, question.blank_query_node.then_some("blank before query"));
        if let Some(line) = question.place.line {
            self.lines.integer(qassay::LINE, line);
        }
        if question.place.question.is_some() || question.place.path.is_some() {
            self.begin(&node, part::PLACE, 1);
            self.say(qassay::PART_NAME, question.place.question.as_deref());
            self.say(qassay::AS_WRITTEN, question.place.path.as_deref());
        }
        self.texts(&node, part::TEXT, &question.texts);
        self.texts(&node, part::KEYWORDS, &question.keywords);
        self.optional(&node, part::ANSWER_TYPE, question.answer_type.as_deref());
        for (number, item_type) in (1..).zip(&question.answer_item_types) {
            self.leaf(&node, part::ITEM_TYPE, number, item_type);
        }
        for (number, (name, value)) in (1..).zip(&question.flags) {
            self.leaf(&node, part::FLAG, number, value);
            self.lines.text(qassay::PART_NAME, name);
        }
        for (number, query) in (1..).zip(&question.queries) {
            self.leaf(&node, part::QUERY, number, &query.text);
            self.lines.text(qassay::PART_KIND, query.kind.name());
            self.say(qassay::PART_LANGUAGE, query.language.as_deref());
        }
        for (number, annotation) in (1..).zip(&question.annotations) {
            let marking = self.leaf(&node, part::ANNOTATION, number, &annotation.iri);
            self.say(qassay::PART_KIND, annotation.kind.as_deref());
            self.optional(&marking, part::BEGIN, annotation.begin.as_deref());
            self.optional(&marking, part::END, annotation.end.as_deref());
        }
        for (number, set) in (1..).zip(&question.answers.sets) {
            self.set(&node, number, set);
        }
        for (number, candidate) in (1..).zip(&question.candidates) {
            self.candidate(&node, number, candidate);
        }
        self.optional(&node, part::ERROR, question.error.as_deref());
        self.optional(&node, part::TIME, question.response_time.as_deref());
        let asked = question.asked.as_ref().and_then(|asked| serde_json::to_string(asked).ok());
        self.optional(&node, part::ASKED, asked.as_deref());
        for (number, extra) in (1..).zip(&question.extras) {
            self.leaf(&node, part::EXTRA, number, &extra.value);
            self.lines.text(qassay::PART_NAME, &extra.name);
        }
    }

    fn texts(&mut self, parent: &str, kind: &'static str, texts: &[Text]) {
        for (number, text) in (1..).zip(texts) {
            self.leaf(parent, kind, number, &text.text);
            self.say(qassay::PART_LANGUAGE, text.language.as_deref());
        }
    }

    fn set(&mut self, question: &str, number: usize, set: &AnswerSet) {
        let node = self.begin(question, part::SET, number);
        self.say(qassay::AS_WRITTEN, set.boolean.map(|value| if value { "true" } else { "false" }));
        self.say(qassay::PART_MARK, set.has_bindings.then_some("bindings"));
        for (number, name) in (1..).zip(&set.variables) {
            self.leaf(&node, part::VARIABLE, number, name);
        }
        self.optional(&node, part::CONFIDENCE, set.confidence.as_deref());
        let mut number = 0;
        for (row, cells) in (1..).zip(set.rows.iter().map(|row| &row.cells)) {
            for cell in cells {
                number += 1;
                let name = self.cell(&node, number, cell);
                self.lines.integer(qassay::ROW, row);
                self.texts(&name, part::TEXT, &cell.names);
            }
        }
    }

    fn candidate(&mut self, question: &str, number: usize, candidate: &Candidate) {
        let node = self.begin(question, part::CANDIDATE, number);
        for (number, cell) in (1..).zip(&candidate.cells) {
            let name = self.cell(&node, number, cell);
            self.texts(&name, part::TEXT, &cell.names);
        }
        self.optional(&node, part::LABEL, candidate.label.as_deref());
        self.optional(&node, part::SCORE, candidate.score.as_deref());
        self.optional(&node, part::RANK, candidate.rank.as_deref());
    }

    /// A value; its names are parts of it, which come after what else is said of it.
    fn cell(&mut self, parent: &str, number: usize, cell: &Cell) -> String {
        let node = self.leaf(parent, part::CELL, number, &cell.value);
        self.lines.text(qassay::PART_NAME, &cell.variable);
        self.say(
            qassay::PART_KIND,
            match cell.kind {
                CellKind::Uri => Some("uri"),
                CellKind::Literal => Some("literal"),
                CellKind::BlankNode => Some("bnode"),
                CellKind::Unknown => None,
            },
        );
        self.say(qassay::PART_DATATYPE, cell.datatype.as_deref());
        self.say(qassay::PART_LANGUAGE, cell.language.as_deref());
        self.say(qassay::PART_MARK, cell.datatype_first.then_some("datatype-first"));
        node
    }
}
