//! YAML as the readers use it: as JSON, with the line where each item of a list begins.
//!
//! Aliases are refused: no question file has them, and a few lines of them unfold to gigabytes.

use std::borrow::Cow;

use saphyr_parser::{Event, Parser, ScalarStyle, Span, StrInput};

use crate::base::error::{Error, Result};
use crate::base::limits::{MOST_LEVELS, exceeded};
use crate::sources::format::json::value::{Entries, Json};

/// A value with the line where it begins.
#[derive(Debug)]
pub(crate) struct YamlNode<'a> {
    /// The line, from 1.
    pub(crate) line: u64,
    /// The value.
    pub(crate) value: YamlValue<'a>,
}

/// A YAML value.
#[derive(Debug)]
pub(crate) enum YamlValue<'a> {
    /// A text, a number, a boolean, null
    Scalar(Json<'a>),
    /// A list
    List(Vec<YamlNode<'a>>),
    /// A map in file order, repeated keys included
    Map(Vec<(Cow<'a, str>, YamlNode<'a>)>),
}

impl<'a> YamlNode<'a> {
    /// The value without lines.
    pub(crate) fn into_json(self) -> Json<'a> {
        match self.value {
            YamlValue::Scalar(json) => json,
            YamlValue::List(items) => Json::List(items.into_iter().map(Self::into_json).collect()),
            YamlValue::Map(entries) => Json::Object(into_entries(entries)),
        }
    }
}

/// The entries without lines.
pub(crate) fn into_entries<'a>(entries: Vec<(Cow<'a, str>, YamlNode<'a>)>) -> Entries<'a> {
    entries.into_iter().map(|(key, node)| (key, node.into_json())).collect()
}

/// Parses a file with one document; none where the document is empty.
pub(crate) fn parse(text: &str) -> Result<Option<YamlNode<'_>>> {
    let mut parser: Parser<StrInput> = Parser::new_from_str(text);
    let mut builder = Builder::default();
    let mut documents = 0;
    while let Some(event) = parser.next_event() {
        let (event, span) = event.map_err(|error| {
            let (line, column) = (error.marker().line(), error.marker().col() + 1);
            Error::input(format!("this is no valid YAML: {}", error.info()))
                .at(format!("line {line}, column {column}"))
                .hint("look at the indentation, the quotes and the colons at this place")
        })?;
        if matches!(event, Event::DocumentStart(_)) {
            documents += 1;
            if documents > 1 {
                return Err(at(&span, "the file has a second YAML document").allowed("one document"));
            }
        }
        builder.take(event, &span)?;
    }
    Ok(builder.root.filter(|node| !matches!(node.value, YamlValue::Scalar(Json::Null))))
}

fn at(span: &Span, what: &str) -> Error {
    Error::input(what).at(place(span))
}

fn place(span: &Span) -> String {
    format!("line {}, column {}", span.start.line(), span.start.col() + 1)
}

/// A list or map that is still open, and the key that waits for its value.
#[derive(Debug)]
struct Open<'a> {
    node: YamlNode<'a>,
    key: Option<Cow<'a, str>>,
}

#[derive(Debug, Default)]
struct Builder<'a> {
    stack: Vec<Open<'a>>,
    root: Option<YamlNode<'a>>,
}

impl<'a> Builder<'a> {
    fn take(&mut self, event: Event<'a>, span: &Span) -> Result<()> {
        match event {
            Event::Scalar(text, style, _, _) => self.scalar(text, style, span),
            Event::SequenceStart(..) => self.open(YamlValue::List(Vec::new()), span),
            Event::MappingStart(..) => self.open(YamlValue::Map(Vec::new()), span),
            Event::SequenceEnd | Event::MappingEnd => match self.stack.pop() {
                Some(open) => self.attach(open.node, span),
                None => Ok(()),
            },
            Event::Alias(_) => Err(at(span, "an alias (`*name`) stands for a value")
                .hint("write the value where the alias is: aliases are not followed")),
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => Ok(()),
        }
    }

    fn scalar(&mut self, text: Cow<'a, str>, style: ScalarStyle, span: &Span) -> Result<()> {
        if let Some(Open { node: YamlNode { value: YamlValue::Map(_), .. }, key: key @ None }) =
            self.stack.last_mut()
        {
            *key = Some(text);
            return Ok(());
        }
        let json = if style == ScalarStyle::Plain { plain(text) } else { Json::Text(text) };
        self.attach(YamlNode { line: span.start.line() as u64, value: YamlValue::Scalar(json) }, span)
    }

    fn open(&mut self, value: YamlValue<'a>, span: &Span) -> Result<()> {
        if self.stack.len() >= MOST_LEVELS {
            let found = format!("the YAML nests {} levels deep", self.stack.len() + 1);
            return Err(exceeded(found, MOST_LEVELS).at(place(span)));
        }
        let line = span.start.line() as u64;
        self.stack.push(Open { node: YamlNode { line, value }, key: None });
        Ok(())
    }

    /// Puts a finished value where it belongs.
    fn attach(&mut self, node: YamlNode<'a>, span: &Span) -> Result<()> {
        match self.stack.last_mut() {
            None => self.root = Some(node),
            Some(Open { node: YamlNode { value: YamlValue::List(items), .. }, .. }) => items.push(node),
            Some(Open { node: YamlNode { value: YamlValue::Map(entries), .. }, key }) => match key.take() {
                Some(key) => entries.push((key, node)),
                None => return Err(at(span, "a list or map stands for a key").allowed("texts as keys")),
            },
            Some(Open { node: YamlNode { value: YamlValue::Scalar(_), .. }, .. }) => {}
        }
        Ok(())
    }
}

/// A scalar without quotes, by the core schema: null, booleans, numbers as JSON has them, else a text.
fn plain(text: Cow<'_, str>) -> Json<'_> {
    match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => Json::Null,
        "true" | "True" | "TRUE" => Json::Bool(true),
        "false" | "False" | "FALSE" => Json::Bool(false),
        _ => match Json::parse(&text) {
            // `1.0` as a number would lose nothing but its look, and that is what an id is
            Ok(Json::Number(number)) if number.to_string() == text => Json::Number(number),
            _ => Json::Text(text),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(text: &str) -> String {
        parse(text).expect("YAML").map_or_else(|| "nothing".to_owned(), |node| node.into_json().to_string())
    }

    #[test]
    fn values_are_those_of_json() {
        assert_eq!(
            json(
                "a: [1, '1', 1.0, -2, 1.5, ~, yes, true]\nb:\n  c: |\n    x\n    y\n  a: \"\\u00e9\"\na: 2\n"
            ),
            r#"{"a":[1,"1",1.0,-2,1.5,null,"yes",true],"b":{"c":"x\ny\n","a":"é"},"a":2}"#
        );
        assert_eq!(["", "# only\n", "---\n\n", "---\n...\n", "null"].map(json), ["nothing"; 5]);
        assert_eq!(["3", "[]", "{}", "- x"].map(json), ["3", "[]", "{}", r#"["x"]"#]);
    }

    #[test]
    fn lines_are_those_of_the_file() {
        let root = parse("# comment\n---\nq:\n  - id: 1\n\n  - id: 2\n").expect("YAML").expect("a value");
        let YamlValue::Map(mut entries) = root.value else { panic!("no map") };
        let YamlValue::List(items) = entries.remove(0).1.value else { panic!("no list") };
        assert_eq!(items.iter().map(|item| item.line).collect::<Vec<_>>(), [4, 6]);
    }

    #[test]
    fn bombs_and_damage_are_errors() {
        let bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n";
        let deep = format!("a: {}", "[".repeat(100_000));
        let block = "- ".repeat(100_000);
        let cases = [
            bomb,
            &deep,
            &block,
            "a: b: c",
            "a: [1,\n",
            "a: \"x\n",
            "? [a]\n: 1\n",
            "---\na: 1\n---\nb: 2\n",
            "a:\n\t- b",
        ];
        let told = cases.map(|text| parse(text).expect_err("an error").to_string());
        insta::assert_snapshot!(told.join("\n---\n"), @r"
        line 2, column 8: an alias (`*name`) stands for a value.
        hint: write the value where the alias is: aliases are not followed
        ---
        line 1, column 259: this is no valid YAML: recursion limit exceeded.
        hint: look at the indentation, the quotes and the colons at this place
        ---
        line 1, column 129: the YAML nests 65 levels deep, more than 64, a limit of qassay.
        ---
        line 1, column 5: this is no valid YAML: mapping values are not allowed in this context.
        hint: look at the indentation, the quotes and the colons at this place
        ---
        line 2, column 1: this is no valid YAML: while parsing a node, did not find expected node content.
        hint: look at the indentation, the quotes and the colons at this place
        ---
        line 1, column 4: this is no valid YAML: while scanning a quoted scalar, found unexpected end of stream.
        hint: look at the indentation, the quotes and the colons at this place
        ---
        line 1, column 5: a list or map stands for a key.
        allowed: texts as keys
        ---
        line 3, column 1: the file has a second YAML document.
        allowed: one document
        ---
        line 2, column 2: this is no valid YAML: tabs disallowed within this context (block indentation).
        hint: look at the indentation, the quotes and the colons at this place
        ");
    }
}
