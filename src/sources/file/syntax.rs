//! The syntax of a file of statements: links, labels, classes, knowledge bases. It is recognised by content.

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::NamedNode;

use crate::sources::file::text::without_mark;

/// How statements are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// N-Quads; N-Triples are N-Quads without graphs.
    NQuads,
    /// TriG; Turtle is TriG without graphs.
    TriG,
    /// RDF/XML
    RdfXml,
    /// Two columns of IRIs, separated by a tab, with or without `<>`.
    Pairs,
    /// The binary format Header Dictionary Triples.
    Hdt,
}

/// How many lines of a beginning are looked at for columns of IRIs.
const MOST_LINES: usize = 50;

impl Syntax {
    /// What messages say that can be read.
    pub const ALLOWED: &'static str = "N-Triples, N-Quads, Turtle, TriG, RDF/XML or two columns of IRIs";

    /// What messages say that can be read where columns of IRIs do not suffice.
    pub const ALLOWED_RDF: &'static str = "N-Triples, N-Quads, Turtle, TriG or RDF/XML";

    /// The syntax of a file that begins so.
    pub fn of(start: &[u8]) -> Self {
        let start = without_mark(start);
        if start.starts_with(b"$HDT") {
            return Self::Hdt;
        }
        if is_xml(start) {
            return Self::RdfXml;
        }
        let lines = start.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let mut lines = lines.filter(|line| !line.is_empty() && !line.starts_with(b"#"));
        let Some(first) = lines.next() else { return Self::NQuads };
        let mut parsed = RdfParser::from_format(RdfFormat::NQuads).for_slice(first);
        if parsed.next().is_some_and(|quad| quad.is_ok()) {
            return Self::NQuads;
        }
        let has_columns = first.contains(&b'\t') && !first.starts_with(b"@");
        if has_columns
            && std::iter::once(first).chain(lines).take(MOST_LINES).any(|line| pair(line).is_some())
        {
            return Self::Pairs;
        }
        Self::TriG
    }

    /// The parser that reads it; none for columns and for what cannot be read.
    pub fn rdf_format(self) -> Option<RdfFormat> {
        match self {
            Self::NQuads => Some(RdfFormat::NQuads),
            Self::TriG => Some(RdfFormat::TriG),
            Self::RdfXml => Some(RdfFormat::RdfXml),
            Self::Pairs | Self::Hdt => None,
        }
    }

    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::NQuads => "application/n-quads",
            Self::TriG => "application/trig",
            Self::RdfXml => "application/rdf+xml",
            Self::Pairs => "text/tab-separated-values",
            Self::Hdt => "application/vnd.hdt",
        }
    }
}

/// An element or a declaration; an IRI in `<>` has no white space.
fn is_xml(start: &[u8]) -> bool {
    let start = start.trim_ascii_start();
    let Some(rest) = start.strip_prefix(b"<") else { return false };
    let end = rest.iter().position(|byte| *byte == b'>' || byte.is_ascii_whitespace());
    rest.starts_with(b"?xml") || rest.starts_with(b"!") || end.is_some_and(|end| end > 0 && rest[end] != b'>')
}

/// The two IRIs of a line of columns.
pub fn pair(line: &[u8]) -> Option<(NamedNode, NamedNode)> {
    let line = std::str::from_utf8(line).ok()?;
    let (from, to) = line.split_once('\t')?;
    Some((cell(from)?, cell(to)?))
}

fn cell(text: &str) -> Option<NamedNode> {
    let text = text.trim();
    let text = text.strip_prefix('<').and_then(|text| text.strip_suffix('>')).unwrap_or(text);
    NamedNode::new(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn syntaxes_are_recognised_by_content() {
        let cases: [(&str, Syntax); 20] = [
            ("", Syntax::NQuads),
            ("# only a comment\n", Syntax::NQuads),
            ("<http://a> <http://p> <http://b> .\n", Syntax::NQuads),
            ("\u{feff}<http://a> <http://p> <http://b> .\n", Syntax::NQuads),
            ("# links\r\n\r\n<http://a> <http://p> \"x\"@en <http://g> .\r\n", Syntax::NQuads),
            ("<http://a>\t<http://p>\t<http://b>\t.\n", Syntax::NQuads),
            ("@prefix owl: <http://o#> .\n<http://a> owl:sameAs <http://b> .", Syntax::TriG),
            ("@prefix\towl: <http://o#> .\n<http://a>\towl:sameAs <http://b> .", Syntax::TriG),
            ("PREFIX owl: <http://o#>\n<http://a>\n  owl:sameAs\t<http://b> .", Syntax::TriG),
            ("<http://g> { <http://a> <http://p> <http://b> }", Syntax::TriG),
            ("words", Syntax::TriG),
            ("<?xml version=\"1.0\"?>\n<rdf:RDF/>", Syntax::RdfXml),
            ("\n <rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"/>", Syntax::RdfXml),
            ("<!-- links -->\n<rdf:RDF", Syntax::RdfXml),
            ("http://a\thttp://b\n", Syntax::Pairs),
            ("<http://a>\t<http://b>\r\n", Syntax::Pairs),
            ("# links\ndbpedia\twikidata\nhttp://a\thttp://b\n", Syntax::Pairs),
            ("http://a\tno iri\nhttp://a\thttp://b\n", Syntax::Pairs),
            ("http://a http://b\n", Syntax::TriG),
            ("$HDT\u{1}", Syntax::Hdt),
        ];
        for (text, syntax) in cases {
            assert_eq!(Syntax::of(text.as_bytes()), syntax, "{text:?}");
        }
    }
}
