//! XML as a stream of the root's children, each a small tree.
//!
//! Text, CDATA and entities of one element are joined. What is not well-formed but clear is repaired and told.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};

use crate::base::error::{Error, Result};
use crate::base::limits::{MOST_LEVELS, exceeded};
use crate::sources::file::text::{LineCounter, line_and_column, line_of, part_of};
use crate::sources::format::xml::element::{Element, Node};

/// The element whose inner elements are closed with it: QALD-5 has questions without `</answers>`.
const REPAIRABLE: &str = "question";

/// A file whose root element is open.
#[derive(Debug)]
pub(crate) struct Xml<'a> {
    text: &'a str,
    reader: Reader<&'a [u8]>,
    lines: LineCounter<'a>,
    root: Cow<'a, str>,
    stack: Vec<Element<'a>>,
    repairs: Vec<String>,
    ended: bool,
}

impl<'a> Xml<'a> {
    /// Reads up to the start tag of the root element and gives it, without content.
    pub(crate) fn open(text: &'a str) -> Result<(Self, Element<'a>)> {
        let mut reader = Reader::from_str(text);
        let config = reader.config_mut();
        // end tags are checked here, so that a missing one can be repaired
        config.check_end_names = false;
        config.allow_unmatched_ends = true;
        config.allow_dangling_amp = true;
        let (lines, root, stack, repairs) =
            (LineCounter::new(text), Cow::Borrowed(""), Vec::new(), Vec::new());
        let mut xml = Self { text, reader, lines, root, stack, repairs, ended: false };
        loop {
            let offset = xml.offset();
            match xml.event()? {
                Event::Start(tag) => return Ok(xml.with_root(&tag, offset, false)),
                Event::Empty(tag) => return Ok(xml.with_root(&tag, offset, true)),
                Event::Text(text) if !text.trim().is_empty() => {
                    return Err(xml.broken(offset, "text before the root element"));
                }
                Event::Eof => return Err(Error::input("the XML has no root element")),
                Event::CData(_) | Event::GeneralRef(_) | Event::End(_) => {
                    return Err(xml.broken(offset, "the XML does not begin with an element"));
                }
                Event::Text(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
    }

    fn with_root(mut self, tag: &BytesStart, offset: usize, ended: bool) -> (Self, Element<'a>) {
        let mut root = self.element(tag, offset);
        root.repairs = std::mem::take(&mut self.repairs);
        self.root.clone_from(&root.name);
        self.ended = ended;
        (self, root)
    }

    /// The next part of the root's content; none at its end. White space between elements is skipped.
    pub(crate) fn next(&mut self) -> Result<Option<Node<'a>>> {
        while !self.ended {
            let offset = self.offset();
            match self.event()? {
                Event::Start(tag) => {
                    if self.stack.len() >= MOST_LEVELS {
                        let found = format!("elements nest {} levels deep", self.stack.len() + 1);
                        return Err(exceeded(found, MOST_LEVELS).at(line_and_column(self.text, offset)));
                    }
                    let element = self.element(&tag, offset);
                    self.stack.push(element);
                }
                Event::Empty(tag) => {
                    let element = self.element(&tag, offset);
                    if let Some(child) = self.attach(element) {
                        return Ok(Some(child));
                    }
                }
                Event::End(tag) => {
                    if let Some(child) = self.close(tag.name().0, offset)? {
                        return Ok(Some(child));
                    }
                }
                Event::Eof => return Err(self.cut_off()),
                content => {
                    if let Some(child) = self.content(content) {
                        return Ok(Some(child));
                    }
                }
            }
        }
        self.check_rest()?;
        Ok(None)
    }

    fn event(&mut self) -> Result<Event<'a>> {
        self.reader.read_event().map_err(|error| {
            let offset = usize::try_from(self.reader.error_position()).unwrap_or(usize::MAX);
            let hint = match error {
                quick_xml::Error::Syntax(_) => "the file may end too early: fetch it again",
                _ => "look at the text at this place",
            };
            Error::input(format!("this is no well-formed XML: {error}"))
                .at(line_and_column(self.text, offset))
                .hint(hint)
        })
    }

    fn offset(&self) -> usize {
        usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX)
    }

    fn element(&mut self, tag: &BytesStart, offset: usize) -> Element<'a> {
        let mut attributes = Vec::new();
        let name = part_of(self.text, tag.name().0.into());
        for attribute in tag.attributes() {
            match attribute {
                Ok(found) => {
                    let value = found.normalized_value(quick_xml::XmlVersion::Implicit1_0);
                    let value = value.unwrap_or_else(|_| found.value.clone());
                    attributes.push((part_of(self.text, found.key.0.into()), part_of(self.text, value)));
                }
                Err(error) => self.repairs.push(format!("an attribute of `<{name}>` is left out: {error}")),
            }
        }
        // the lines of inner elements are counted only where they are told
        let line = if self.stack.is_empty() { self.lines.at(offset) } else { 0 };
        Element { name, attributes, offset, line, ..Element::default() }
    }

    /// Puts a finished element where it belongs; gives it back if that is the root.
    fn attach(&mut self, mut element: Element<'a>) -> Option<Node<'a>> {
        if let Some(parent) = self.stack.last_mut() {
            parent.nodes.push(Node::Element(element));
            return None;
        }
        element.repairs = std::mem::take(&mut self.repairs);
        Some(Node::Element(element))
    }

    fn close(&mut self, name: &str, offset: usize) -> Result<Option<Node<'a>>> {
        let Some(open) = self.stack.last() else {
            if name == self.root {
                self.ended = true;
                return Ok(None);
            }
            return Err(self.broken(offset, &format!("`</{name}>` closes nothing")));
        };
        if open.name != name {
            if name != REPAIRABLE || self.stack.first().is_none_or(|first| first.name != name) {
                let line = line_of(self.text, open.offset);
                let message = format!("`<{}>` of line {line} is closed by `</{name}>`", open.name);
                return Err(self.broken(offset, &message));
            }
            self.close_inner();
        }
        let element = self.stack.pop().unwrap_or_default();
        Ok(self.attach(element))
    }

    /// Closes all elements but the outermost.
    fn close_inner(&mut self) {
        while self.stack.len() > 1 {
            let element = self.stack.pop().unwrap_or_default();
            let (name, line) = (&element.name, line_of(self.text, element.offset));
            self.repairs.push(format!("`<{name}>` of line {line} is not closed; it ends with the question"));
            self.attach(element);
        }
    }

    /// Text, CDATA, entities and comments.
    fn content(&mut self, event: Event<'a>) -> Option<Node<'a>> {
        let text = match event {
            Event::Text(text) => {
                if text.starts_with('&') {
                    self.repairs.push("`&` stands alone; it is read as a character".to_owned());
                }
                text.xml10_content()
            }
            Event::CData(text) => {
                self.note_blank();
                text.xml10_content()
            }
            Event::GeneralRef(reference) => Cow::Owned(self.resolve(&reference)),
            Event::Comment(_) => {
                if let Some(parent) = self.stack.last_mut() {
                    parent.nodes.push(Node::Comment);
                }
                return None;
            }
            _ => return None,
        };
        let Some(parent) = self.stack.last_mut() else {
            return (!text.trim().is_empty()).then_some(Node::Text(text));
        };
        match parent.nodes.last_mut() {
            Some(Node::Text(before)) => before.to_mut().push_str(&text),
            Some(_) => parent.nodes.push(Node::Text(text)),
            None if text.trim().is_empty() => parent.begins_blank |= !text.is_empty(),
            None => {
                // most elements hold one text: no room for more
                parent.nodes.reserve_exact(1);
                parent.nodes.push(Node::Text(text));
            }
        }
        None
    }

    /// CDATA begins: what stands before it is a node of its own.
    fn note_blank(&mut self) {
        if let Some(parent) = self.stack.last_mut()
            && parent.nodes.is_empty()
        {
            parent.blank_first |= parent.begins_blank;
        }
    }

    /// The character of an entity; unknown ones stay as written.
    fn resolve(&mut self, reference: &BytesRef) -> String {
        if let Ok(Some(character)) = reference.resolve_char_ref() {
            return character.to_string();
        }
        if let Some(text) = resolve_predefined_entity(reference) {
            return text.to_owned();
        }
        let written = format!("&{};", &**reference);
        self.repairs.push(format!("`{written}` is no known entity; it stays as written"));
        written
    }

    /// Nothing but white space and comments may follow the root.
    fn check_rest(&mut self) -> Result<()> {
        loop {
            let offset = self.offset();
            match self.event()? {
                Event::Eof => return Ok(()),
                Event::Text(text) if text.trim().is_empty() => {}
                Event::Comment(_) | Event::PI(_) => {}
                _ => return Err(self.broken(offset, "there is more after the end of the root element")),
            }
        }
    }

    fn cut_off(&self) -> Error {
        let (name, line) = match self.stack.first() {
            Some(open) => (&open.name, format!(" of line {}", open.line)),
            None => (&self.root, String::new()),
        };
        Error::input(format!("the file ends inside `<{name}>`{line}"))
            .at(line_and_column(self.text, self.text.len()))
            .hint("the file ends too early: fetch it again, or compare its size with the original")
    }

    fn broken(&self, offset: usize, what: &str) -> Error {
        Error::input(format!("this is no well-formed XML: {what}")).at(line_and_column(self.text, offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(text: &str) -> Result<Vec<Node<'_>>> {
        let (mut xml, _) = Xml::open(text)?;
        let mut nodes = Vec::new();
        while let Some(node) = xml.next()? {
            nodes.push(node);
        }
        Ok(nodes)
    }

    fn only(text: &str) -> Element<'_> {
        match children(text).expect("XML").pop() {
            Some(Node::Element(element)) => element,
            other => panic!("no element: {other:?}"),
        }
    }

    #[test]
    fn text_cdata_and_entities_are_joined() {
        let element =
            only("<d>\n<q a='x &amp; y'>\n a &lt;<![CDATA[b &amp; <c>]]><!-- no -->&#x41; &eacute; </q></d>");
        assert_eq!(element.text(), "a <b &amp; <c>A &eacute;");
        assert_eq!((element.attribute("a"), element.line), (Some("x & y"), 2));
        assert_eq!(element.repairs, ["`&eacute;` is no known entity; it stays as written"]);
    }

    #[test]
    fn missing_end_tags_are_repaired_in_questions_only() {
        let element = only("<d><question><answers><answer>x</answer></question></d>");
        assert_eq!(element.elements().next().map(|e| e.elements().count()), Some(1));
        assert_eq!(element.repairs, ["`<answers>` of line 1 is not closed; it ends with the question"]);
    }

    #[test]
    fn errors_name_the_place() {
        let told = |text: &str| children(text).expect_err("an error").to_string();
        let cases = [
            told("<d>\n<question>\n<query>x"),
            told("<d><question></query></question></d>"),
            told("<d></question></d>"),
            told("<d/><d/>"),
            told("<d><question id='1"),
            told("x<d/>"),
            told("<!-- -->"),
            told(&format!("<d>{}", "<a>".repeat(1000))),
        ];
        insta::assert_snapshot!(cases.join("\n---\n"), @r"
        line 3, column 9: the file ends inside `<question>` of line 2.
        hint: the file ends too early: fetch it again, or compare its size with the original
        ---
        line 1, column 14: this is no well-formed XML: `<question>` of line 1 is closed by `</query>`.
        ---
        line 1, column 4: this is no well-formed XML: `</question>` closes nothing.
        ---
        line 1, column 5: this is no well-formed XML: there is more after the end of the root element.
        ---
        line 1, column 4: this is no well-formed XML: syntax error: attribute value not closed: `'` not found before end of input.
        hint: the file may end too early: fetch it again
        ---
        line 1, column 1: this is no well-formed XML: text before the root element.
        ---
        the XML has no root element.
        ---
        line 1, column 196: elements nest 65 levels deep, more than 64, a limit of qassay.
        ");
    }
}
