//! An XML element as the readers use it: borrowed from the file where nothing had to be resolved.

use std::borrow::Cow;

use std::fmt;

use quick_xml::escape::{escape, partial_escape};

/// An element with all that is in it.
#[derive(Debug, Default)]
pub(crate) struct Element<'a> {
    /// The name as written.
    pub(crate) name: Cow<'a, str>,
    /// Names and values of the attributes.
    pub(crate) attributes: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// What is in it, in file order; without white space at its beginning, which no text keeps.
    pub(crate) nodes: Vec<Node<'a>>,
    /// Where its start tag begins, in bytes.
    pub(crate) offset: usize,
    /// The line of its start tag; only for the root and its children, 0 for what is in them.
    pub(crate) line: u64,
    /// Whether it begins with white space, which is no node here.
    pub(crate) begins_blank: bool,
    /// Whether its first node in the file is white space: it holds nothing else, or CDATA follows.
    pub(crate) blank_first: bool,
    /// What had to be repaired to read it; only for children of the root.
    pub(crate) repairs: Vec<String>,
}

/// A part of the content of an element.
#[derive(Debug)]
pub(crate) enum Node<'a> {
    /// An element.
    Element(Element<'a>),
    /// Text, entities resolved.
    Text(Cow<'a, str>),
    /// A comment.
    Comment,
}

impl Element<'_> {
    /// The value of an attribute.
    pub(crate) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_ref())
    }

    /// The text directly in it, white space around it removed.
    pub(crate) fn text(&self) -> String {
        let mut texts = self.nodes.iter().filter_map(|node| match node {
            Node::Text(text) => Some(text.as_ref()),
            Node::Element(_) | Node::Comment => None,
        });
        let first = texts.next().unwrap_or_default();
        match texts.next() {
            None => first.trim().to_owned(),
            Some(second) => (first.to_owned() + second + &texts.collect::<String>()).trim().to_owned(),
        }
    }

    /// The elements directly in it.
    pub(crate) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) | Node::Comment => None,
        })
    }
}

/// The element as XML, comments left out: what is kept of elements that no rule reads.
impl fmt::Display for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<{}", self.name)?;
        for (name, value) in &self.attributes {
            write!(f, " {name}=\"{}\"", escape(value.as_ref()))?;
        }
        f.write_str(">")?;
        for node in &self.nodes {
            match node {
                Node::Element(inner) => write!(f, "{inner}")?,
                Node::Text(text) => f.write_str(&partial_escape(text.as_ref()))?,
                Node::Comment => {}
            }
        }
        write!(f, "</{}>", self.name)
    }
}
