//! The words of a query: what stands where, not whether it is right.
//!
//! The grammar is spargebra's. Repairs, features and GERBIL's reading need only to tell keywords from names, texts
//! and comments, and paths from expressions.

/// What a piece of a query is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyword, the name of a function, `a`, `true`.
    Word,
    /// `?x`, `$x`.
    Variable,
    /// `<http://…>`.
    Iri,
    /// `dbo:City`, `dbo:`.
    Name,
    /// `_:b`.
    Label,
    /// A quoted text with its quotes.
    Text,
    /// Digits, with point and exponent.
    Number,
    /// `@en`.
    Language,
    /// Brackets and operators.
    Mark,
}

/// A piece of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    pub(crate) start: usize,
}

impl Token<'_> {
    /// Where it ends in the query.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Whether it is this bracket or operator.
    pub(crate) fn is(&self, mark: &str) -> bool {
        self.kind == Kind::Mark && self.text == mark
    }

    /// Whether it is this keyword, in any case of letters.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// Whether it is one of these keywords.
    pub(crate) fn is_one_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.is_word(word))
    }

    /// The prefix and the local part of a prefixed name.
    pub(crate) fn name(&self) -> Option<(&str, &str)> {
        (self.kind == Kind::Name).then(|| self.text.split_once(':')).flatten()
    }
}

/// The pieces of a query, without spaces and comments.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut start, mut no_prefix) = (0, 0);
    while start < text.len() {
        let rest = &text[start..];
        let skipped = gap(rest);
        if skipped > 0 {
            start += skipped;
            continue;
        }
        let (kind, length) = token(rest, text.len() - rest.len(), &mut no_prefix);
        found.push(Token { kind, text: &rest[..length], start });
        start += length;
    }
    found
}

/// The length of the spaces or of the comment at the start.
fn gap(rest: &str) -> usize {
    if rest.starts_with('#') {
        return rest.find(['\n', '\r']).unwrap_or(rest.len());
    }
    length_of(rest, |c| matches!(c, ' ' | '\t' | '\n' | '\r'))
}

/// The piece at the start. `at` is where it begins, `no_prefix` how far a run of letters, hyphens and points is known to
/// hold no prefix: it is looked through once, not again from each of its letters.
fn token(rest: &str, at: usize, no_prefix: &mut usize) -> (Kind, usize) {
    let first = rest.chars().next().unwrap_or_default();
    let second = rest[first.len_utf8()..].chars().next().unwrap_or_default();
    match first {
        '<' => iri(rest).map_or_else(|| mark(rest), |length| (Kind::Iri, length)),
        '"' | '\'' => (Kind::Text, quoted(rest, first)),
        '?' | '$' if is_name(second) => (Kind::Variable, 1 + length_of(&rest[1..], is_name)),
        '@' if second.is_ascii_alphabetic() => {
            (Kind::Language, 1 + length_of(&rest[1..], |c| c.is_ascii_alphanumeric() || c == '-'))
        }
        '_' if second == ':' => (Kind::Label, 2 + local(&rest[2..])),
        '.' if second.is_ascii_digit() => (Kind::Number, number(rest)),
        '0'..='9' => (Kind::Number, number(rest)),
        ':' => (Kind::Name, 1 + local(&rest[1..])),
        _ if is_name(first) => name_or_word(rest, at, no_prefix),
        _ => mark(rest),
    }
}

fn length_of(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}

pub(crate) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || (c > '\u{bf}' && !c.is_whitespace())
}

/// The length of an IRI in angle brackets: without the characters that SPARQL forbids there, else it is less-than.
fn iri(rest: &str) -> Option<usize> {
    let end = rest[1..].find(|c: char| c <= ' ' || "<>\"{}|^`".contains(c))?;
    rest[1 + end..].starts_with('>').then_some(end + 2)
}

/// The length of a quoted text. One that is not closed ends with the line, or with the query if its quotes are triple.
fn quoted(rest: &str, quote: char) -> usize {
    let triple: String = [quote; 3].iter().collect();
    let is_long = rest.starts_with(&triple);
    let open = if is_long { 3 } else { 1 };
    let mut is_escaped = false;
    for (at, c) in rest.char_indices().skip(open) {
        let is_end = if is_long { rest[at..].starts_with(&triple) } else { c == quote };
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '\n' | '\r' if !is_long => return at,
            _ if is_end => return at + open,
            _ => {}
        }
    }
    rest.len()
}

fn number(rest: &str) -> usize {
    let is_digit = |c: char| c.is_ascii_digit();
    let mut length = length_of(rest, is_digit);
    if rest[length..].starts_with('.') {
        let fraction = length_of(&rest[length + 1..], is_digit);
        length += if fraction > 0 { 1 + fraction } else { 0 };
    }
    if let Some(exponent) = rest[length..].strip_prefix(['e', 'E']) {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let count = length_of(digits, is_digit);
        length += if count > 0 { 1 + exponent.len() - digits.len() + count } else { 0 };
    }
    length
}

fn name_or_word(rest: &str, at: usize, no_prefix: &mut usize) -> (Kind, usize) {
    if at >= *no_prefix {
        let prefix = length_of(rest, |c| is_name(c) || c == '-' || c == '.');
        if rest[prefix..].starts_with(':') {
            return (Kind::Name, prefix + 1 + local(&rest[prefix + 1..]));
        }
        *no_prefix = at + prefix;
    }
    (Kind::Word, length_of(rest, is_name))
}

/// The length of the local part of a prefixed name. A point at its end is none of it.
fn local(rest: &str) -> usize {
    let mut length = 0;
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '.' => continue,
            '\\' if chars.next().is_some() => {}
            '%' if rest[at + 1..].bytes().take(2).filter(u8::is_ascii_hexdigit).count() == 2 => {}
            '-' | ':' => {}
            _ if is_name(c) => {}
            _ => break,
        }
        length = rest.len() - chars.as_str().len();
    }
    length
}

fn mark(rest: &str) -> (Kind, usize) {
    const PAIRS: [&str; 6] = ["^^", "||", "&&", "!=", "<=", ">="];
    let length = if PAIRS.iter().any(|pair| rest.starts_with(pair)) {
        2
    } else {
        rest.chars().next().map_or(1, char::len_utf8)
    };
    (Kind::Mark, length)
}

/// Where a piece stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    /// Outside of the braces of a query or sub-query: projection, grouping, order.
    Head,
    /// Where triples stand: `/` makes a path.
    Triples,
    /// Between the brackets of an expression: `/` divides.
    Expression,
}

/// The place of each piece. A bracket stands where what is around it stands.
pub(crate) fn places(tokens: &[Token<'_>]) -> Vec<Region> {
    let mut around = vec![Region::Head];
    let mut found = Vec::with_capacity(tokens.len());
    for (number, token) in tokens.iter().enumerate() {
        if token.is("}") || token.is(")") || token.is("]") {
            around.pop();
        } else if token.is_word("SELECT") {
            // A sub-query is all that its braces hold.
            around.pop();
            around.push(Region::Head);
        }
        let place = around.last().copied().unwrap_or(Region::Head);
        found.push(place);
        if token.is("{") || token.is("[") {
            around.push(Region::Triples);
        } else if token.is("(") {
            around.push(inside(place, &tokens[..number]));
        }
    }
    found
}

/// The place between round brackets that open behind `before`.
fn inside(place: Region, before: &[Token<'_>]) -> Region {
    let is_call = match before {
        [.., last] if last.kind == Kind::Word => !last.is_word("a"),
        [.., filter, last] => filter.is_word("FILTER") && matches!(last.kind, Kind::Name | Kind::Iri),
        _ => false,
    };
    if place == Region::Triples && !is_call { Region::Triples } else { Region::Expression }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|token| token.text).collect()
    }

    #[test]
    fn pieces() {
        let cases: [(&str, &[&str]); 9] = [
            ("SELECT ?x{?x a:b,<u>}", &["SELECT", "?x", "{", "?x", "a:b", ",", "<u>", "}"]),
            ("?a<?b # <c>\n>=5.5.", &["?a", "<", "?b", ">=", "5.5", "."]),
            (
                "\"a\\\"b\"@en-GB '''x'y'''^^xsd:string",
                &["\"a\\\"b\"", "@en-GB", "'''x'y'''", "^^", "xsd:string"],
            ),
            ("dbr:J._R._R.. .", &["dbr:J._R._R", ".", ".", "."]),
            ("dbr:A\\,_B% dbr:%C3 :x", &["dbr:A\\,_B", "%", "dbr:%C3", ":x"]),
            ("text:\"a b\" _:l.", &["text:", "\"a b\"", "_:l", "."]),
            ("\"open\n}", &["\"open", "}"]),
            (":p?/:q? ?x", &[":p", "?", "/", ":q", "?", "?x"]),
            ("-1e-3 .5E7e", &["-", "1e-3", ".5E7", "e"]),
        ];
        for (text, expected) in cases {
            assert_eq!(texts(text), expected, "{text}");
        }
    }

    #[test]
    fn slashes_divide_or_make_paths() {
        let text = "SELECT (?a/2 AS ?b) { ?x (a/b:c)*/d:e [ f:g/h:i (1) ] FILTER(?x/2 > (1)/3) \
                    { SELECT ?x (?x/2 AS ?y) { ?x b:c/d:e ?y } ORDER BY ?x (?y/3) } FILTER b:f(?x/?y) }";
        let found = tokens(text);
        let slashes = found.iter().zip(places(&found)).filter(|(token, _)| token.is("/"));
        let is_path: String =
            slashes.map(|(_, place)| if place == Region::Triples { 'p' } else { 'd' }).collect();
        assert_eq!(is_path, "dpppdddpdd");
    }
}
