//! The record of a file in RDF: all that a reader keeps, in its order and as written.
//!
//! One node a part (`qassay:part`, a concept of `code:recordPart`), named by its place: `…/record/question/1/set/1/cell/3`.
//! Every text is a plain string, so that no store changes it.

use std::io;

use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{foaf, part, qassay};
use crate::sources::document::{AnswerSet, Candidate, Cell, CellKind, Document, Question, Text};

/// Writes the record of a document.
pub(crate) fn write(out: &mut Vec<u8>, mint: &Mint, version: &str, document: &Document) -> io::Result<()> {
    let mut record = Record { lines: Lines::new(&mint.record_graph(version)), version };
    let root = iri::record(version);
    record.lines.subject(&root).iri(qassay::PART, part::DOCUMENT).iri(foaf::PRIMARY_TOPIC, version);
    record.optional(&root, part::DATASET_ID, document.dataset_id.as_deref());
    for (number, question) in (1..).zip(&document.questions) {
        record.question(&root, number, question);
    }
    record.lines.write_to(out)
}

struct Record<'v> {
    lines: Lines,
    version: &'v str,
}

impl Record<'_> {
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
                self.cell(&node, number, cell);
                self.lines.integer(qassay::ROW, row);
            }
        }
    }

    fn candidate(&mut self, question: &str, number: usize, candidate: &Candidate) {
        let node = self.begin(question, part::CANDIDATE, number);
        for (number, cell) in (1..).zip(&candidate.cells) {
            self.cell(&node, number, cell);
        }
        self.optional(&node, part::LABEL, candidate.label.as_deref());
        self.optional(&node, part::SCORE, candidate.score.as_deref());
        self.optional(&node, part::RANK, candidate.rank.as_deref());
    }

    fn cell(&mut self, parent: &str, number: usize, cell: &Cell) {
        self.leaf(parent, part::CELL, number, &cell.value);
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
    }
}
