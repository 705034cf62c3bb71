//! From records to the graphs that are published of an input: datasets, submissions, link sets.
//!
//! A graph is a function of the bytes of its file: no name of a file, no clock, no other input is in it.

use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::rdf::language::language_tag;
use crate::base::rdf::lines;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dct, qassay, rdf, schema, xsd};
use crate::sources::document::{
    AnswerSet, AnswerState, Cell, CellKind, Document, LiveAnswer, QueryKind, Question,
};
use crate::sources::input::answer::{
    Item, LabelColumns, answer_status, answer_type, flag, inferred_type, items,
};
use crate::sources::input::asked::Asked;
use crate::sources::input::pattern::{PatternNode, QueryNodes};
use crate::sources::input::publish_candidates::decimal;
use crate::sources::input::{publish_candidates, term};
use crate::sparql::features::{Pattern, Position, Predicate};
use crate::sparql::repair::Repair;
use oxigraph::model::{Literal, NamedNode, Term};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::io::Write;

/// What a subject of a dataset or submission graph is.
#[derive(Debug)]
enum Subject<'a> {
    Question(usize),
    Answer(usize),
    /// An item and the answer it is in.
    Item(Item<'a>, String),
    Pattern(&'a PatternNode, &'a Pattern),
    /// A candidate or a part of one, with its IRI.
    Candidate(publish_candidates::CandidateNode<'a>, String),
}

/// Writes the graph of a dataset version.
pub fn dataset(
    out: &mut (impl Write + ?Sized),
    mint: &Mint,
    dataset_slug: &str,
    version: &str,
    document: &Document,
    queries: &[QueryNodes],
) -> io::Result<u64> {
    let identity = mint.dataset(dataset_slug);
    let mut subjects = Vec::with_capacity(document.questions.len() * 2);
    for (index, question) in document.questions.iter().enumerate() {
        let node = iri::question(version, &question.key);
        let gold = iri::curated_gold(&node);
        push_items(&mut subjects, question, &gold);
        push_candidates(&mut subjects, question, &gold);
        subjects.push((gold, Subject::Answer(index)));
        subjects.push((node, Subject::Question(index)));
    }
    if !mint.model().has_pattern_graph() {
        push_patterns(&mut subjects, queries);
    }
    lines::write_subjects(out, &mint.graph_of(version), subjects, |part, lines| match part {
        Subject::Question(index) => {
            let question = &document.questions[*index];
            lines
                .iri(rdf::TYPE, qassay::QUESTION)
                .iri(qassay::IN_DATASET_VERSION, version)
                .iri(dct::IS_VERSION_OF, &iri::question(&identity, &question.key));
            question_text(lines, question, *index);
            question_features(lines, question);
            answer_types(lines, question);
        }
        Subject::Answer(index) => {
            let question = &document.questions[*index];
            lines
                .iri(rdf::TYPE, qassay::GOLD_ANSWER)
                .iri(qassay::FOR_QUESTION, &iri::question(version, &question.key))
                .iri(qassay::GOLD_ORIGIN, &code::iri("gold-curated"));
            answer(lines, question);
            inferred(lines, question);
            annotations(lines, question);
            asked(lines, &queries[*index]);
        }
        Subject::Pattern(node, pattern) => describe_pattern(lines, node, pattern),
        Subject::Item(item, answer) => item_node(lines, item, answer),
        Subject::Candidate(node, iri) => publish_candidates::write(lines, iri, node),
    })
}

/// Writes the graph of a submission.
pub fn submission(
    out: &mut (impl Write + ?Sized),
    mint: &Mint,
    submission: &str,
    document: &Document,
    queries: &[QueryNodes],
) -> io::Result<u64> {
    let mut subjects = Vec::with_capacity(document.questions.len());
    for (index, question) in document.questions.iter().enumerate() {
        let node = iri::system_answer(submission, &question.key);
        push_items(&mut subjects, question, &node);
        push_candidates(&mut subjects, question, &node);
        subjects.push((node, Subject::Answer(index)));
    }
    if !mint.model().has_pattern_graph() {
        push_patterns(&mut subjects, queries);
    }
    lines::write_subjects(out, &mint.graph_of(submission), subjects, |part, lines| match part {
        Subject::Answer(index) | Subject::Question(index) => {
            let question = &document.questions[*index];
            lines
                .iri(rdf::TYPE, qassay::SYSTEM_ANSWER)
                .iri(qassay::IN_SUBMISSION, submission)
                .iri(qassay::ANSWER_STATUS, &code::iri(answer_status(question)));
            question_text(lines, question, *index);
            answer(lines, question);
            answer_types(lines, question);
            inferred(lines, question);
            annotations(lines, question);
            asked(lines, &queries[*index]);
            if let Some(seconds) = question.response_time.as_deref().and_then(decimal) {
                lines.typed(qassay::RESPONSE_TIME, &seconds, xsd::DECIMAL);
            }
            if let Some(error) = &question.error {
                lines.text(qassay::ERROR_MESSAGE, error);
            }
            if let Some(asked) = &question.asked {
                how_it_was_asked(lines, asked);
            }
        }
        Subject::Item(item, answer) => item_node(lines, item, answer),
        Subject::Candidate(node, iri) => publish_candidates::write(lines, iri, node),
        Subject::Pattern(node, pattern) => describe_pattern(lines, node, pattern),
    })
}

fn how_it_was_asked(lines: &mut Lines, asked: &LiveAnswer) {
    lines.integer(qassay::TRIES, asked.tries.into());
    if let Some(kind) = asked.failure_kind() {
        lines.iri(qassay::FAILURE_KIND, &code::iri(&kind.concept()));
    }
    if let Some(exchange) = asked.exchange.as_ref().filter(|iri| NamedNode::new(iri.as_str()).is_ok()) {
        lines.iri(qassay::EXCHANGE, exchange);
    }
    for note in &asked.notes {
        lines.text(qassay::REPLY_NOTE, note);
    }
    for (place, value) in &asked.kept {
        lines.text(qassay::REPLY_PART, &format!("{place}={value}"));
    }
}

/// Writes what the queries of an input add to the graph of triple patterns.
pub fn triple_patterns(
    out: &mut (impl Write + ?Sized),
    mint: &Mint,
    queries: &[QueryNodes],
) -> io::Result<u64> {
    let subjects = patterns(queries).into_iter().map(|(iri, found)| (iri.to_owned(), found)).collect();
    lines::write_subjects(out, &mint.patterns_graph(), subjects, |(node, pattern), lines| {
        describe_pattern(lines, node, pattern);
    })
}

fn push_patterns<'a>(subjects: &mut Vec<(String, Subject<'a>)>, queries: &'a [QueryNodes]) {
    let patterns = patterns(queries);
    let parts =
        patterns.into_iter().map(|(iri, (node, pattern))| (iri.to_owned(), Subject::Pattern(node, pattern)));
    subjects.extend(parts);
}

/// What annotations mark in the text of a question. One without a kind marks an entity.
fn annotations(lines: &mut Lines, question: &Question) {
    for annotation in &question.annotations {
        let property = match annotation.kind.as_deref().unwrap_or("ENTITY").to_ascii_uppercase().as_str() {
            "ENTITY" | "CLASS" => qassay::ANNOTATED_RESOURCE,
            "PROPERTY" => qassay::ANNOTATED_PROPERTY,
            _ => continue,
        };
        if let Ok(node) = NamedNode::new(annotation.iri.trim()) {
            lines.iri(property, node.as_str());
        }
    }
}

/// The type that the answers have, where the file does not state one. What is a label, a profile says: here all are answers.
pub(crate) fn inferred(lines: &mut Lines, question: &Question) {
    if answer_type(question).is_none()
        && let Some(name) = inferred_type(question, LabelColumns::Answers)
    {
        lines.iri(qassay::INFERRED_TYPE, &code::iri(&format!("type-{name}")));
    }
}

/// A statement of a file that is published: subject, and predicate with object.
pub type Stated = (String, (Cow<'static, str>, Term));

/// Writes the graph of a file of statements: links, labels, classes, types.
pub fn statements(out: &mut (impl Write + ?Sized), graph: &str, statements: Vec<Stated>) -> io::Result<u64> {
    lines::write_subjects(out, graph, statements, |(predicate, object), lines| {
        lines.term(predicate, object);
    })
}

fn push_items<'a>(subjects: &mut Vec<(String, Subject<'a>)>, question: &'a Question, answer: &str) {
    let nodes = item_nodes(question, answer);
    subjects.extend(nodes.map(|(node, item)| (node, Subject::Item(item, answer.to_owned()))));
}

/// The items of an answer that need a node of their own.
pub(crate) fn item_nodes<'a>(
    question: &'a Question,
    answer: &str,
) -> impl Iterator<Item = (String, Item<'a>)> {
    let all = if is_plain(question) { Vec::new() } else { items(question) };
    let nodes = all.into_iter().filter(|item| item.needs_node);
    nodes.map(move |item| (iri::item(answer, item.number), item))
}

fn push_candidates<'a>(subjects: &mut Vec<(String, Subject<'a>)>, question: &'a Question, answer: &str) {
    let nodes = publish_candidates::nodes(question, answer);
    subjects.extend(nodes.map(|(iri, node)| (iri.clone(), Subject::Candidate(node, iri))));
}

/// Whether no item certainly needs a node: most answers, seen at a glance.
fn is_plain(question: &Question) -> bool {
    let one_cell = |set: &AnswerSet| set.rows.iter().all(|row| row.cells.len() == 1);
    match &question.answers.sets[..] {
        [] => true,
        [set] if set.confidence.is_none() && set.boolean.is_none() && one_cell(set) => {
            set.rows.iter().flat_map(|row| &row.cells).all(term::is_plain)
        }
        _ => false,
    }
}

/// The items of a plain question, written without making terms of them.
fn plain_items(lines: &mut Lines, question: &Question) {
    for cell in question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells) {
        match cell.kind {
            CellKind::Uri => lines.iri(qassay::ANSWER_TERM, &cell.value),
            _ => lines.text(qassay::ANSWER_TERM, &cell.value),
        };
    }
}

/// What a question and an answer of a submission have in common: identity, place, texts.
fn question_text(lines: &mut Lines, question: &Question, index: usize) {
    lines.text(dct::IDENTIFIER, &question.id).integer(qassay::POSITION, index as u64 + 1);
    if let Some(line) = question.place.line {
        lines.integer(qassay::LINE, line);
    }
    for text in &question.texts {
        lines.text_in(schema::TEXT, &text.text, text.language.as_deref());
    }
    if let Some(language) = question.language.as_deref().and_then(language_tag) {
        lines.text(schema::IN_LANGUAGE, &language);
    }
    for keywords in &question.keywords {
        lines.text_in(qassay::KEYWORDS, &keywords.text, keywords.language.as_deref());
    }
}

fn question_features(lines: &mut Lines, question: &Question) {
    let status = match question.answers.state {
        AnswerState::Given => "question-answerable",
        AnswerState::Absent | AnswerState::Empty => "question-without-answers",
        AnswerState::OutOfScope => "question-out-of-scope",
        AnswerState::Unreadable => "question-unreadable",
    };
    lines.iri(qassay::QUESTION_STATUS, &code::iri(status));
    if let Some(written) = question.question_type() {
        lines.text(qassay::QUESTION_TYPE, &written);
    }
    for (name, value) in &question.flags {
        match flag(name, value) {
            Some((property, value)) => lines.typed(property, &value.to_string(), xsd::BOOLEAN),
            None => lines.text(qassay::FLAG_TEXT, &format!("{name}={value}")),
        };
    }
}

/// What gold and system answers have in common.
fn answer(lines: &mut Lines, question: &Question) {
    terms(lines, question);
    for query in &question.queries {
        let property = match query.kind {
            QueryKind::Sparql => qassay::SPARQL_QUERY,
            QueryKind::Pseudo => qassay::PSEUDO_QUERY,
            QueryKind::Schemaless => qassay::SCHEMALESS_QUERY,
        };
        lines.text(property, &query.text);
    }
}

/// The terms of an answer.
pub(crate) fn terms(lines: &mut Lines, question: &Question) {
    if is_plain(question) {
        plain_items(lines, question);
    } else {
        for item in items(question).iter().filter(|item| item.counts) {
            lines.term(qassay::ANSWER_TERM, &item.term.term);
        }
    }
}

/// The answer type and the types of the items: of the question in a dataset, of the answer in a submission.
pub(crate) fn answer_types(lines: &mut Lines, question: &Question) {
    if let Some(written) = &question.answer_type {
        match answer_type(question) {
            Some(name) => lines.iri(qassay::ANSWER_TYPE, &code::iri(&format!("type-{name}"))),
            None => lines.text(qassay::ANSWER_TYPE_TEXT, written),
        };
    }
    for written in &question.answer_item_types {
        match NamedNode::new(written.trim()) {
            Ok(node) => lines.iri(qassay::ANSWER_ITEM_TYPE, node.as_str()),
            Err(_) => lines.text(qassay::ANSWER_ITEM_TYPE, written),
        };
    }
}

pub(crate) fn item_node(lines: &mut Lines, item: &Item<'_>, answer: &str) {
    lines
        .iri(rdf::TYPE, qassay::ANSWER_ITEM)
        .iri(qassay::IN_ANSWER, answer)
        .term(qassay::TERM, &item.term.term)
        .integer(qassay::ROW, item.row as u64);
    if let Some(cell) = item.cell {
        lines.text(qassay::VARIABLE, &cell.variable).text(qassay::ITEM_TEXT, &written(cell));
    }
    for name in item.cell.iter().flat_map(|cell| &cell.names) {
        lines.text_in(qassay::ALIAS, &name.text, name.language.as_deref());
    }
    if let Some(confidence) = item.confidence.and_then(decimal) {
        lines.typed(qassay::CONFIDENCE, &confidence, xsd::DECIMAL);
    }
}

/// A cell as the file wrote it: the value, and the datatype where a store may change it.
fn written(cell: &Cell) -> String {
    match cell.datatype.as_deref().filter(|d| !d.is_empty()) {
        Some(datatype) => format!("\"{}\"^^<{datatype}>", cell.value),
        None => cell.value.clone(),
    }
}

/// What is asked: form, features, resources, properties, classes, patterns; or why the query cannot be read. Of a pseudo
/// query only its repairs.
pub(crate) fn asked(lines: &mut Lines, query: &QueryNodes) {
    if let Asked::Unparsable(why) = &query.asked {
        lines.text(qassay::QUERY_PROBLEM, why);
    }
    let repairs: BTreeSet<&str> = query.repairs().iter().map(Repair::name).collect();
    for name in repairs {
        lines.iri(qassay::QUERY_REPAIR, &code::iri(&format!("repair-{name}")));
    }
    let Some(graph) = query.graph() else { return };
    lines.iri(qassay::QUERY_FORM, &code::iri(&format!("form-{}", graph.form.name())));
    for feature in &graph.features {
        lines.iri(qassay::QUERY_FEATURE, &code::iri(&format!("feature-{}", feature.name())));
    }
    for (property, nodes) in [
        (qassay::USES_RESOURCE, &graph.resources),
        (qassay::USES_PROPERTY, &graph.properties),
        (qassay::ASKED_ITEM_TYPE, &graph.item_types),
    ] {
        for node in nodes {
            lines.iri(property, node.as_str());
        }
    }
    for (node, _) in query.patterns() {
        lines.iri(qassay::USES_TRIPLE_PATTERN, &node.iri);
    }
}

/// The patterns of many queries, each once, by their IRIs.
pub(crate) fn patterns(queries: &[QueryNodes]) -> BTreeMap<&str, (&PatternNode, &Pattern)> {
    queries.iter().flat_map(QueryNodes::patterns).map(|found| (found.0.iri.as_str(), found)).collect()
}

/// A triple pattern: what stands at each position; nothing for a variable.
pub(crate) fn describe_pattern(lines: &mut Lines, node: &PatternNode, pattern: &Pattern) {
    lines.iri(rdf::TYPE, qassay::TRIPLE_PATTERN);
    if let Position::Term(term) = &pattern.subject {
        lines.term(qassay::TP_SUBJECT, published(term).as_ref());
    }
    match &pattern.predicate {
        Predicate::Variable => {}
        Predicate::Property(property) => {
            lines.iri(qassay::TP_PREDICATE, property.as_str());
        }
        Predicate::Path(path) => {
            lines.text(qassay::TP_PATH, path);
        }
    }
    if let Position::Term(term) = &pattern.object {
        lines.term(qassay::TP_OBJECT, published(term).as_ref());
    }
    if node.occurrence > 1 {
        lines.integer(qassay::OCCURRENCE, u64::from(node.occurrence));
    }
}

/// The datatypes of literals with a language tag.
const LANGUAGE_TYPES: [&str; 2] = [
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString",
];

/// A term of a query as RDF has it. SPARQL parsers take `"x"^^rdf:langString`, which is no literal of RDF: such a
/// literal is published as a plain text.
fn published(term: &Term) -> Cow<'_, Term> {
    match term {
        Term::Literal(literal)
            if literal.language().is_none() && LANGUAGE_TYPES.contains(&literal.datatype().as_str()) =>
        {
            Cow::Owned(Literal::new_simple_literal(literal.value()).into())
        }
        _ => Cow::Borrowed(term),
    }
}
