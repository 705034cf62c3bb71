//! Refuses XML that ends in the middle, and entities that grow without measure, before a parser gets to see them.
//!
//! The parser of RDF/XML takes what ends inside of an element for complete: all that would follow is lost in silence. And
//! it replaces entities of entities of entities until the memory is full.

use std::collections::HashMap;
use std::io::{Error, ErrorKind, Read, Result};

use crate::base::limits;
use crate::base::limits::{
    LONGEST_DOCTYPE, LONGEST_ENTITY, MOST_OF_ENTITIES, MOST_OF_ENTITIES_PER_BYTE, endless, exceeded,
};
use crate::base::text;

/// No longer name of an entity is looked up.
const LONGEST_NAME: usize = 256;

/// XML that is looked at while it is read.
pub struct WholeXml<R> {
    content: R,
    state: Within,
    depth: u64,
    entities: HashMap<Vec<u8>, u64>,
    /// The name of the entity that is being read.
    reference: Option<Vec<u8>>,
    bytes: u64,
    replaced: u64,
}

/// Where in the markup.
enum Within {
    Text,
    /// Behind `<`, with what follows it.
    Start(Vec<u8>),
    Tag {
        is_closing: bool,
        quote: Option<u8>,
        last: u8,
    },
    /// Up to this end, with as many bytes as it has.
    Until(&'static [u8], Vec<u8>),
    /// A document type declaration, with the number of open angle brackets.
    Declaration(Vec<u8>, u64),
}

impl<R: Read> WholeXml<R> {
    /// Looks at this content.
    pub fn new(content: R) -> Self {
        let (entities, reference) = (HashMap::new(), None);
        Self { content, state: Within::Text, depth: 0, entities, reference, bytes: 0, replaced: 0 }
    }

    fn see(&mut self, byte: u8) -> Result<()> {
        self.bytes += 1;
        let state = std::mem::replace(&mut self.state, Within::Text);
        if matches!(state, Within::Text | Within::Tag { .. }) {
            self.refer(byte)?;
        }
        self.state = match state {
            Within::Text if byte == b'<' => Within::Start(Vec::new()),
            Within::Text => Within::Text,
            Within::Start(seen) => begin(seen, byte),
            Within::Tag { is_closing, quote: None, last } if byte == b'>' => {
                self.depth = match (is_closing, last) {
                    (true, _) => self.depth.saturating_sub(1),
                    (_, b'/') => self.depth,
                    _ => self.depth + 1,
                };
                Within::Text
            }
            Within::Tag { is_closing, quote, .. } => {
                let quote = match quote {
                    None => Some(byte).filter(|byte| b"'\"".contains(byte)),
                    Some(quote) => Some(quote).filter(|quote| *quote != byte),
                };
                Within::Tag { is_closing, quote, last: byte }
            }
            Within::Until(end, mut seen) => {
                seen.push(byte);
                if seen.len() > end.len() {
                    seen.remove(0);
                }
                if seen == end { Within::Text } else { Within::Until(end, seen) }
            }
            Within::Declaration(mut seen, open) => {
                seen.push(byte);
                match byte {
                    b'>' if open == 1 => {
                        self.declare(&seen)?;
                        Within::Text
                    }
                    _ if seen.len() > LONGEST_DOCTYPE => {
                        return Err(Error::other(endless("the DOCTYPE", LONGEST_DOCTYPE as u64)));
                    }
                    b'>' => Within::Declaration(seen, open - 1),
                    b'<' => Within::Declaration(seen, open + 1),
                    _ => Within::Declaration(seen, open),
                }
            }
        };
        Ok(())
    }

    /// Counts what a reference to an entity stands for.
    fn refer(&mut self, byte: u8) -> Result<()> {
        match (byte, self.reference.take()) {
            (b'&', _) => self.reference = Some(Vec::new()),
            (b';', Some(name)) => {
                self.replaced += self.entities.get(&name).copied().unwrap_or(1);
                let most = MOST_OF_ENTITIES + MOST_OF_ENTITIES_PER_BYTE * self.bytes;
                if self.replaced > most {
                    let found = format!("entities stand for {} bytes", self.replaced);
                    return Err(refused(&found, format_args!("{most} bytes")));
                }
            }
            (_, Some(mut name)) if name.len() < LONGEST_NAME => {
                name.push(byte);
                self.reference = Some(name);
            }
            _ => {}
        }
        Ok(())
    }

    /// Notes how much the entities of a declaration stand for: text and entities that were declared before.
    fn declare(&mut self, declaration: &[u8]) -> Result<()> {
        let declaration = String::from_utf8_lossy(declaration);
        for entity in declaration.split("<!ENTITY").skip(1) {
            let Some((name, rest)) = entity.trim_start().split_once(|c: char| c.is_ascii_whitespace()) else {
                continue;
            };
            let value = rest.split('"').nth(1).unwrap_or_default();
            let mut size = value.len() as u64;
            for part in value.split('&').skip(1) {
                let name = part.split(';').next().unwrap_or_default();
                size = size.saturating_add(self.entities.get(name.as_bytes()).copied().unwrap_or(1));
            }
            if size > LONGEST_ENTITY {
                let found = format!("the entity `{}` stands for {size} bytes", text::name(name));
                return Err(refused(&found, limits::bytes(LONGEST_ENTITY)));
            }
            self.entities.insert(name.as_bytes().to_vec(), size);
        }
        Ok(())
    }

    fn end(&self) -> Result<()> {
        let is_whole = self.depth == 0 && matches!(self.state, Within::Text);
        if is_whole {
            return Ok(());
        }
        let elements = if self.depth == 1 { "1 element is" } else { &format!("{} elements are", self.depth) };
        let open = if self.depth == 0 { "inside of a tag" } else { &format!("where {elements} not closed") };
        Err(Error::new(ErrorKind::UnexpectedEof, format!("the XML ends in the middle, {open}")))
    }
}

impl<R: Read> Read for WholeXml<R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.content.read(buffer)?;
        if count == 0 && !buffer.is_empty() {
            self.end()?;
        }
        for byte in &buffer[..count] {
            self.see(*byte)?;
        }
        Ok(count)
    }
}

/// What begins with `<` and these bytes.
fn begin(mut seen: Vec<u8>, byte: u8) -> Within {
    seen.push(byte);
    match seen.as_slice() {
        [b'?'] => Within::Until(b"?>", Vec::new()),
        b"!--" => Within::Until(b"-->", Vec::new()),
        b"![CDATA[" => Within::Until(b"]]>", Vec::new()),
        [b'/'] => Within::Tag { is_closing: true, quote: None, last: byte },
        start if b"!--".starts_with(start) || b"![CDATA[".starts_with(start) => Within::Start(seen),
        [b'!', ..] => Within::Declaration(seen, 1),
        _ => Within::Tag { is_closing: false, quote: None, last: byte },
    }
}

fn refused(found: &str, most: impl std::fmt::Display) -> Error {
    Error::other(exceeded(found, most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let mut seen = String::new();
        match WholeXml::new(text.as_bytes()).read_to_string(&mut seen) {
            Ok(_) => format!("whole: {}", seen == text),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn what_is_whole_is_as_it_was() {
        for text in [
            "",
            "<a/>",
            "<a b='>' c=\"/>\"><d/></a>\n",
            "<?xml version='1.0'?><!-- <a> --><a><![CDATA[<b>]]]]></a>",
            "<!DOCTYPE a [ <!-- x --> <!ENTITY o \"http://o/\"> <!ENTITY p \"&o;p\">]><a>&p;&amp;&#38;</a>",
            "<a></a><b></b>",
            "<a>\u{e4} & b</a>",
        ] {
            assert_eq!(read(text), "whole: true", "{text}");
        }
    }

    #[test]
    fn what_ends_in_the_middle_is_told() {
        assert_eq!(read("<a><b/>"), "the XML ends in the middle, where 1 element is not closed");
        assert_eq!(read("<a><b>text</b><c>"), "the XML ends in the middle, where 2 elements are not closed");
        assert_eq!(read("<a b='"), "the XML ends in the middle, inside of a tag");
        assert_eq!(read("<a/><!-- -- >"), "the XML ends in the middle, inside of a tag");
    }

    #[test]
    fn entities_that_grow_are_refused() {
        let ten = |name: &str| format!("&{name};").repeat(10);
        let text = format!(
            "<!DOCTYPE a [<!ENTITY b \"{}\"><!ENTITY c \"{}\"><!ENTITY d \"{}\">]><a>&d;</a>",
            "b".repeat(40),
            ten("b"),
            ten("c")
        );
        assert_eq!(read(&text), "the entity `d` stands for 4330 bytes, more than 4 KiB, a limit of qassay.");
        let long = "b".repeat(4000);
        let text = format!("<!DOCTYPE a [<!ENTITY b \"{long}\">]><a>{}</a>", "&b;".repeat(20_000));
        let told = read(&text);
        assert!(told.starts_with("entities stand for ") && told.ends_with("a limit of qassay."), "{told}");
    }
}
