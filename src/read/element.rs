//! An XML element as the readers use it.

/// An element with all that is in it.
#[derive(Debug, Default)]
pub(super) struct Element {
    /// The name as written.
    pub(super) name: String,
    /// Names and values of the attributes.
    pub(super) attributes: Vec<(String, String)>,
    /// What is in it, in file order.
    pub(super) nodes: Vec<Node>,
    /// The line of its start tag.
    pub(super) line: u64,
    /// Whether its first node in the file is white space: it holds nothing else, or CDATA follows.
    pub(super) blank_first: bool,
    /// What had to be repaired to read it; only for children of the root.
    pub(super) repairs: Vec<String>,
}

/// A part of the content of an element.
#[derive(Debug)]
pub(super) enum Node {
    /// An element.
    Element(Element),
    /// Text, entities resolved.
    Text(String),
    /// A comment.
    Comment,
}

impl Element {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The text directly in it, white space around it removed.
    pub(super) fn text(&self) -> String {
        let mut texts = self.nodes.iter().filter_map(|node| match node {
            Node::Text(text) => Some(text.as_str()),
            Node::Element(_) | Node::Comment => None,
        });
        let first = texts.next().unwrap_or_default();
        match texts.next() {
            None => first.trim().to_owned(),
            Some(second) => (first.to_owned() + second + &texts.collect::<String>()).trim().to_owned(),
        }
    }

    /// The elements directly in it.
    pub(super) fn elements(&self) -> impl Iterator<Item = &Self> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            Node::Text(_) | Node::Comment => None,
        })
    }
}
