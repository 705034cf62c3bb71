//! QALD-XML in the shape of QALD-3 and QALD-4: typed children in the answers, pseudo queries, `OUT OF SCOPE`.

use crate::base::error::{Error, Result};
use crate::sources::document::{AnswerSet, AnswerState, Cell, CellKind, Document, QueryKind, Question, Text};
use crate::sources::format::BytesAndLosses;
use crate::sources::format::context::OUT_OF_SCOPE;
use crate::sources::format::json::fields::FLAGS;
use crate::sources::format::loss::{Field, Losses, read_state, tell_odd_query};
use crate::sources::format::numeral::is_numeral;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use std::borrow::Cow;
use std::io;

/// An XML file while it is written.
struct XmlWriter {
    writer: Writer<Vec<u8>>,
    /// What it cannot hold.
    losses: Losses,
}

/// Writes a document.
pub(crate) fn write(document: &Document) -> Result<BytesAndLosses> {
    events(document).map_err(|error| Error::system(format!("the XML cannot be written: {error}")))
}

fn events(document: &Document) -> io::Result<BytesAndLosses> {
    let mut xml =
        XmlWriter { writer: Writer::new_with_indent(Vec::new(), b' ', 1), losses: Losses::default() };
    xml.writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let id = document.dataset_id.as_deref().map(|id| xml.clean(id, Field::DatasetId));
    let attributes: Vec<(&str, &str)> = id.as_deref().map(|id| ("id", id)).into_iter().collect();
    xml.inside("dataset", &attributes, |xml| document.questions.iter().try_for_each(|q| xml.question(q)))?;
    let mut bytes = xml.writer.into_inner();
    bytes.push(b'\n');
    Ok((bytes, xml.losses.into_list()))
}

/// Whether XML can hold a character.
fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

impl XmlWriter {
    /// The text with a replacement for characters that no XML file can hold.
    fn clean<'t>(&mut self, text: &'t str, field: Field) -> Cow<'t, str> {
        if text.chars().all(is_xml) {
            return Cow::Borrowed(text);
        }
        self.losses.tell(&[field], "characters that XML cannot hold");
        Cow::Owned(text.chars().map(|c| if is_xml(c) { c } else { char::REPLACEMENT_CHARACTER }).collect())
    }

    /// An element with other elements in it.
    fn inside(
        &mut self,
        name: &str,
        attributes: &[(&str, &str)],
        content: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        let start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.writer.write_event(Event::Start(start))?;
        content(self)?;
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }

    /// An element without content.
    fn empty(&mut self, name: &str) -> io::Result<()> {
        self.writer.write_event(Event::Empty(BytesStart::new(name)))
    }

    /// An element with a text.
    fn text(&mut self, name: &str, attributes: &[(&str, &str)], text: &str, field: Field) -> io::Result<()> {
        self.losses.tell_if(text.trim() != text, &[field], "white space around texts");
        let text = self.clean(text, field);
        let start = BytesStart::new(name).with_attributes(attributes.iter().copied());
        self.writer.write_event(Event::Start(start))?;
        self.writer.write_event(Event::Text(BytesText::new(&text)))?;
        self.writer.write_event(Event::End(BytesEnd::new(name)))
    }

    fn question(&mut self, question: &Question) -> io::Result<()> {
        self.losses.enter(question);
        self.losses.not_held(
            question,
            &[
                Field::IdIsNumber,
                Field::Language,
                Field::ItemTypes,
                Field::QueryLanguage,
                Field::Annotations,
                Field::Names,
                Field::Candidates,
                Field::Asked,
                Field::Extras,
            ],
        );
        let attributes = self.attributes(question);
        let attributes: Vec<(&str, &str)> =
            attributes.iter().map(|(n, value)| (n.as_str(), &**value)).collect();
        self.inside("question", &attributes, |xml| {
            xml.texts("string", &question.texts, Field::Texts)?;
            xml.texts("keywords", &question.keywords, Field::Keywords)?;
            xml.queries(question)?;
            write_answers(xml, question)?;
            if let Some(error) = &question.error {
                xml.losses.tell_if(error.trim().is_empty(), &[Field::Error], "errors without text");
                xml.text("error", &[], error, Field::Error)?;
            }
            if let Some(seconds) = &question.response_time {
                let is_odd = !is_numeral(seconds) || seconds.starts_with('-');
                xml.losses.tell_if(is_odd, &[Field::Time], "times that are no numbers");
                xml.text("time", &[], seconds, Field::Time)?;
            }
            Ok(())
        })
    }

    fn attributes<'q>(&mut self, question: &'q Question) -> Vec<(String, Cow<'q, str>)> {
        let mut attributes: Vec<(String, Cow<str>)> = Vec::new();
        self.losses.tell_if(question.id.trim() != question.id, &[Field::Id], "white space around ids");
        if !question.id.is_empty() {
            attributes.push(("id".to_owned(), self.clean(&question.id, Field::Id)));
        }
        if let Some(word) = &question.answer_type {
            attributes.push(("answertype".to_owned(), self.clean(word, Field::AnswerType)));
        }
        for (name, value) in &question.flags {
            if FLAGS.contains(&name.as_str()) && attributes.iter().all(|(known, _)| known != name) {
                attributes.push((name.clone(), self.clean(value, Field::Flags)));
            } else {
                self.losses.tell(&[Field::Flags], "flags that QALD does not have, or twice");
            }
        }
        for extra in &question.extras {
            let is_new = attributes.iter().all(|(known, _)| *known != extra.name);
            let is_known = FLAGS.contains(&&*extra.name) || ["id", "answertype"].contains(&&*extra.name);
            if is_new && !is_known && is_name(&extra.name) {
                attributes.push((extra.name.clone(), self.clean(&extra.value, Field::Extras)));
            }
        }
        attributes
    }

    fn texts(&mut self, name: &str, texts: &[Text], field: Field) -> io::Result<()> {
        for text in texts {
            let language = text.language.as_deref().map(|language| self.clean(language, field));
            let attributes: Vec<(&str, &str)> =
                language.as_deref().map(|tag| ("lang", tag)).into_iter().collect();
            self.text(name, &attributes, &text.text, field)?;
        }
        Ok(())
    }

    fn queries(&mut self, question: &Question) -> io::Result<()> {
        for (index, query) in question.queries.iter().enumerate() {
            let before = &question.queries[..index];
            let is_again = before.iter().any(|known| known.kind == query.kind && known.text == query.text);
            self.losses.tell_if(
                is_again,
                &[Field::Queries, Field::QueryLanguage],
                "queries that occur again",
            );
            tell_odd_query(&query.text, &mut self.losses);
            let name = match query.kind {
                QueryKind::Sparql => "query",
                QueryKind::Pseudo => "pseudoquery",
                QueryKind::Schemaless => {
                    self.losses.tell(&[Field::Queries], "schema-less queries");
                    continue;
                }
            };
            self.text(name, &[], &query.text, Field::Queries)?;
        }
        if question.answers.state == AnswerState::OutOfScope {
            self.text("query", &[], OUT_OF_SCOPE, Field::State)?;
        }
        Ok(())
    }
}

/// Whether it may be the name of an attribute. XML has more names; fields of real files have such.
fn is_name(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && !name.to_ascii_lowercase().starts_with("xml")
}

/// The names of elements that are literals.
const LITERALS: [&str; 4] = ["string", "number", "date", "boolean"];

/// Writes the answers of a question: an element for each answer object.
fn write_answers(xml: &mut XmlWriter, question: &Question) -> io::Result<()> {
    let sets = &question.answers.sets;
    let is_marked = question.answers.state == AnswerState::OutOfScope;
    let is_there = matches!(question.answers.state, AnswerState::Empty | AnswerState::Unreadable);
    let found = read_state(sets, is_marked, is_there || !sets.is_empty());
    xml.losses.tell_if(found != question.answers.state, &[Field::State], Field::State.name());
    xml.losses
        .not_held(question, &[Field::Variables, Field::Datatype, Field::CellLanguage, Field::DatatypeFirst]);
    if sets.is_empty() && is_there {
        xml.losses.tell(&[Field::Sets, Field::HasBindings], "answers without any object");
        return xml.empty("answers");
    }
    sets.iter().try_for_each(|set| write_set(xml, set))
}

fn write_set(xml: &mut XmlWriter, set: &AnswerSet) -> io::Result<()> {
    let is_odd = !set.has_bindings && set.boolean.is_none();
    xml.losses.tell_if(is_odd, &[Field::HasBindings], Field::HasBindings.name());
    if let Some(confidence) = &set.confidence {
        xml.losses.tell_if(!is_numeral(confidence), &[Field::Confidence], "confidences that are no numbers");
    }
    let confidence = set.confidence.as_deref().map(|confidence| xml.clean(confidence, Field::Confidence));
    let attributes: Vec<(&str, &str)> =
        confidence.as_deref().map(|confidence| ("confidence", confidence)).into_iter().collect();
    xml.inside("answers", &attributes, |xml| {
        for row in &set.rows {
            match &row.cells[..] {
                [cell] if is_flat(cell) => write_cell(xml, "answer", cell)?,
                cells => xml.inside("answer", &[], |xml| {
                    cells.iter().try_for_each(|cell| write_cell(xml, element(cell), cell))
                })?,
            }
        }
        let Some(value) = set.boolean else { return Ok(()) };
        xml.losses.tell(&[Field::Boolean, Field::Rows, Field::HasBindings], "booleans that are no rows");
        let text = if value { "true" } else { "false" };
        xml.inside("answer", &[], |xml| xml.text("boolean", &[], text, Field::Boolean))
    })
}

/// Whether the answer is its own value. An empty one would be left out.
fn is_flat(cell: &Cell) -> bool {
    element(cell) == "answer" && !cell.value.trim().is_empty()
}

/// The element of a value: what it is called, if that says the kind, or the kind.
fn element(cell: &Cell) -> &'static str {
    match cell.kind {
        CellKind::Uri => "uri",
        CellKind::Literal => LITERALS
            .into_iter()
            .find(|name| *name == cell.variable)
            .unwrap_or_else(|| of_datatype(cell.datatype.as_deref().unwrap_or_default())),
        CellKind::BlankNode | CellKind::Unknown => "answer",
    }
}

fn of_datatype(datatype: &str) -> &'static str {
    let local = datatype.rsplit(['#', '/']).next().unwrap_or_default();
    match local {
        "boolean" => "boolean",
        "date" | "dateTime" | "gYear" | "gYearMonth" | "gMonthDay" => "date",
        "integer" | "int" | "long" | "short" | "byte" | "decimal" | "double" | "float"
        | "nonNegativeInteger" | "positiveInteger" | "negativeInteger" | "nonPositiveInteger"
        | "unsignedInt" | "unsignedLong" => "number",
        _ => "string",
    }
}

fn write_cell(xml: &mut XmlWriter, name: &str, cell: &Cell) -> io::Result<()> {
    xml.losses.tell_if(cell.variable != name, &[Field::Variable], Field::Variable.name());
    xml.losses.tell_if(cell.kind == CellKind::BlankNode, &[Field::Kind], "that terms are blank nodes");
    xml.text(name, &[], &cell.value, Field::Value)
}
