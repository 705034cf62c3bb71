//! A valid QALD-JSON document and changes to it: deeper than bytes get by chance.

use arbitrary::Arbitrary;
use serde_json::Value;

/// The keys that the JSON dialects know, and some that they do not.
const KEYS: [&str; 40] = [
    "questions",
    "dataset",
    "id",
    "question",
    "body",
    "language",
    "string",
    "text",
    "keywords",
    "metadata",
    "query",
    "sparql",
    "SPARQL",
    "pseudo",
    "schemaless ",
    "answers",
    "answertype",
    "answeritemtype",
    "error",
    "responsetime",
    "timems",
    "hybrid",
    "aggregation",
    "head",
    "vars",
    "link",
    "results",
    "bindings",
    "boolean",
    "confidence",
    "uri",
    "type",
    "value",
    "datatype",
    "xml:lang",
    "annotations",
    "char_begin",
    "distinct",
    "",
    "é\n",
];

/// Texts that some rule looks at.
const TEXTS: [&str; 24] = [
    "",
    " ",
    "1",
    "en",
    "true",
    "FALSE",
    "OUT OF SCOPE",
    "uri",
    "literal",
    "typed-literal",
    "bnode",
    "list",
    "http://e/a",
    "<http://e/a>",
    "_:b",
    "\"x\"",
    "0.5",
    "1e400",
    "-7E-3",
    "{\"head\": {}}",
    "[1]",
    "resource",
    "http://www.w3.org/2001/XMLSchema#integer",
    "SELECT (COUNT(?x)) { ?x dbo:a [] }",
];

/// Parts of files that are no JSON value for every parser.
const RAW: [&str; 8] =
    ["\"\\ud800\"", "1e999", "-0", "18446744073709551616", "", "nul", "[[[[[[[[", "\"\u{1}\""];

/// A document that uses what the dialects have.
const DOCUMENT: &str = r#"{"dataset": {"id": "d"}, "questions": [
{"id": "1", "answertype": "resource", "aggregation": false, "onlydbo": "true", "hybrid": "FALSE",
 "question": [{"language": "en", "string": "Who?", "keywords": "who"}, {"language": "de", "string": "Wer?"}],
 "query": {"sparql": "SELECT ?uri WHERE { ?uri dbo:a dbr:b }", "pseudo": "SELECT ?u { ?u text:\"is\" ?x }"},
 "answers": [{"head": {"link": [], "vars": ["uri", "l"]}, "results": {"distinct": false, "bindings": [
  {"uri": {"type": "uri", "value": "http://e/a"}, "l": {"datatype": "http://d", "type": "typed-literal", "value": "1"}},
  {"uri": {"type": "literal", "xml:lang": "en", "value": "x"}}]}}]},
{"id": 2, "metadata": {"answertype": "ListOfResource", "answeritemtype": ["dbo:A"]},
 "question": [{"language": "en", "string": "Q", "annotations": [{"char_begin": "0", "char_end": 1, "URI": "dbr:B", "type": "ENTITY"}]}],
 "query": {"SPARQL": "ASK {}", "schemaless ": "less"},
 "answers": [{"bindings": [{"result": {"type": "uri", "value": "v"}}], "confidence": "0.90"}, {"boolean": true, "confidence": 1e-2}]},
{"question": {"id": "3", "language": [{"language": "en", "question": "Is it?", "SPARQL": "ASK {}"}],
 "answers": {"head": {}, "boolean": true}}},
{"id": "4", "body": [{"language": "en", "string": "Q"}], "query": "OUT OF SCOPE", "answers": [{"string": "b"}],
 "error": "none", "responsetime": 1.5}]}"#;

/// A JSON text as a tree that may repeat keys and hold what is no JSON.
#[derive(Debug, Clone)]
enum Tree {
    Raw(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

/// A change at a node, which is counted in the order of the text.
#[derive(Debug, Arbitrary)]
pub struct Change {
    node: u16,
    what: What,
}

#[derive(Debug, Arbitrary)]
enum What {
    Replace(Leaf),
    /// Puts the node in a list.
    Wrap,
    /// Puts the node in an object.
    WrapIn(u8),
    /// The first thing in it instead of it.
    Unwrap,
    Empty,
    /// Another node in its place.
    Copy(u16),
    Rename(u8, u8),
    RemoveChild(u8),
    RepeatChild(u8),
    Add(u8, Leaf),
}

#[derive(Debug, Arbitrary)]
enum Leaf {
    Null,
    Bool(bool),
    Integer(i64),
    Float(f64),
    Known(u8),
    Text(String),
    Raw(u8),
    List,
    Object,
}

/// The document after the changes, and how many entries its list of questions has, if that can be said.
pub fn changed(changes: &[Change]) -> String {
    let mut tree = Tree::of(&serde_json::from_str(DOCUMENT).expect("the document is JSON"));
    for change in changes.iter().take(32) {
        let count = tree.count();
        let other = match &change.what {
            What::Copy(from) => tree.node(&mut (usize::from(*from) % count)).cloned(),
            _ => None,
        };
        if let Some(node) = tree.node(&mut (usize::from(change.node) % count)) {
            node.change(&change.what, other);
        }
        if tree.count() > 5_000 {
            break;
        }
    }
    let mut text = String::new();
    tree.write(&mut text);
    text
}

fn pick(from: &[&str], at: u8) -> String {
    from[usize::from(at) % from.len()].to_owned()
}

impl Leaf {
    fn tree(&self) -> Tree {
        match self {
            Self::Null => Tree::Raw("null".to_owned()),
            Self::Bool(value) => Tree::Raw(value.to_string()),
            Self::Integer(value) => Tree::Raw(value.to_string()),
            Self::Float(value) => Tree::Raw(format!("{value:e}")),
            Self::Known(at) => Tree::Raw(Value::from(pick(&TEXTS, *at)).to_string()),
            Self::Text(text) => Tree::Raw(Value::from(text.as_str()).to_string()),
            Self::Raw(at) => Tree::Raw(pick(&RAW, *at)),
            Self::List => Tree::List(Vec::new()),
            Self::Object => Tree::Object(Vec::new()),
        }
    }
}

impl Tree {
    fn of(value: &Value) -> Self {
        match value {
            Value::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Object(entries) => {
                Self::Object(entries.iter().map(|(key, value)| (key.clone(), Self::of(value))).collect())
            }
            scalar => Self::Raw(scalar.to_string()),
        }
    }

    fn children(&mut self) -> Vec<&mut Self> {
        match self {
            Self::Raw(_) => Vec::new(),
            Self::List(items) => items.iter_mut().collect(),
            Self::Object(entries) => entries.iter_mut().map(|(_, value)| value).collect(),
        }
    }

    fn count(&mut self) -> usize {
        1 + self.children().into_iter().map(Self::count).sum::<usize>()
    }

    fn node(&mut self, at: &mut usize) -> Option<&mut Self> {
        if *at == 0 {
            return Some(self);
        }
        *at -= 1;
        for child in self.children() {
            if let Some(found) = child.node(at) {
                return Some(found);
            }
        }
        None
    }

    fn change(&mut self, what: &What, other: Option<Self>) {
        match (what, &mut *self) {
            (What::Replace(leaf), _) => *self = leaf.tree(),
            (What::Wrap, _) => *self = Self::List(vec![self.clone()]),
            (What::WrapIn(key), _) => *self = Self::Object(vec![(pick(&KEYS, *key), self.clone())]),
            (What::Unwrap, _) => {
                if let Some(first) = self.children().first().map(|child| (*child).clone()) {
                    *self = first;
                }
            }
            (What::Empty, Self::List(items)) => items.clear(),
            (What::Empty, Self::Object(entries)) => entries.clear(),
            (What::Copy(_), _) => *self = other.unwrap_or(Self::List(Vec::new())),
            (What::RemoveChild(at), Self::List(items)) if !items.is_empty() => {
                items.remove(usize::from(*at) % items.len());
            }
            (What::RemoveChild(at), Self::Object(entries)) if !entries.is_empty() => {
                entries.remove(usize::from(*at) % entries.len());
            }
            (What::RepeatChild(at), Self::List(items)) if !items.is_empty() => {
                items.push(items[usize::from(*at) % items.len()].clone());
            }
            (What::RepeatChild(at), Self::Object(entries)) if !entries.is_empty() => {
                entries.push(entries[usize::from(*at) % entries.len()].clone());
            }
            (What::Rename(at, key), Self::Object(entries)) if !entries.is_empty() => {
                let at = usize::from(*at) % entries.len();
                entries[at].0 = pick(&KEYS, *key);
            }
            (What::Add(_, leaf), Self::List(items)) => items.push(leaf.tree()),
            (What::Add(key, leaf), Self::Object(entries)) => entries.push((pick(&KEYS, *key), leaf.tree())),
            _ => {}
        }
    }

    fn write(&self, text: &mut String) {
        match self {
            Self::Raw(raw) => text.push_str(raw),
            Self::List(items) => {
                text.push('[');
                for (index, item) in items.iter().enumerate() {
                    text.push_str(if index > 0 { ",\n" } else { "" });
                    item.write(text);
                }
                text.push(']');
            }
            Self::Object(entries) => {
                text.push('{');
                for (index, (key, value)) in entries.iter().enumerate() {
                    text.push_str(if index > 0 { ", " } else { "" });
                    text.push_str(&Value::from(key.as_str()).to_string());
                    text.push_str(": ");
                    value.write(text);
                }
                text.push('}');
            }
        }
    }
}
