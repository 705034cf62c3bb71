//! What is made of values and queries that a reply alone leaves unclear. Each rule has a name, which the description of a
//! protocol states and the record of a run repeats.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::base::vocab::xsd;
use crate::sources::document::{Cell, CellKind};
use crate::sparql::read::check;

/// The namespaces of DBpedia and Wikidata that systems leave out.
const DBPEDIA_RESOURCE: &str = "http://dbpedia.org/resource/";
const DBPEDIA_ONTOLOGY: &str = "http://dbpedia.org/ontology/";
const WIKIDATA_ENTITY: &str = "http://www.wikidata.org/entity/";
const RDF_TYPE: &str = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type";

/// What a value becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueRule {
    /// `{"@type": "xsd:decimal", "@value": "1."}` is a literal with its datatype.
    JsonldValue,
    /// `wd:Q1` is an IRI of Wikidata.
    PrefixWd,
    /// `Q1` is one too.
    WikidataId,
    /// `+1799-05-26^^T` is a date.
    DeeppavlovDate,
    /// `<X>` is the IRI X.
    AngleBrackets,
    /// A name that is no IRI is one of DBpedia's resources.
    GanswerNames,
}

impl ValueRule {
    /// All rules, in the order in which they are applied.
    pub const ALL: [Self; 6] = [
        Self::JsonldValue,
        Self::PrefixWd,
        Self::WikidataId,
        Self::DeeppavlovDate,
        Self::AngleBrackets,
        Self::GanswerNames,
    ];

    /// The name of its concept.
    pub fn name(self) -> &'static str {
        match self {
            Self::JsonldValue => "jsonld-value",
            Self::PrefixWd => "prefix-wd",
            Self::WikidataId => "wikidata-id",
            Self::DeeppavlovDate => "deeppavlov-date",
            Self::AngleBrackets => "angle-brackets",
            Self::GanswerNames => "ganswer-names",
        }
    }

    /// The cell of a value that is no text, number or boolean, if the rule knows what it is.
    pub(crate) fn of_object(self, value: &Value) -> Option<Cell> {
        if self != Self::JsonldValue {
            return None;
        }
        let text = |name: &str| value.get(name).and_then(Value::as_str);
        let datatype = text("@type").map(|name| match name.strip_prefix("xsd:") {
            Some(local) => format!("{}{local}", xsd::NAMESPACE),
            None => name.to_owned(),
        });
        Some(Cell {
            kind: CellKind::Literal,
            value: text("@value")?.to_owned(),
            datatype,
            language: text("@language").map(str::to_owned),
            ..Cell::default()
        })
    }

    /// Changes a cell, if the rule is for what it holds.
    pub(crate) fn apply(self, cell: &mut Cell) {
        let value = cell.value.as_str();
        let iri = match self {
            Self::JsonldValue => None,
            Self::PrefixWd => value.strip_prefix("wd:").map(|id| format!("{WIKIDATA_ENTITY}{id}")),
            Self::WikidataId => is_wikidata_id(value).then(|| format!("{WIKIDATA_ENTITY}{value}")),
            Self::DeeppavlovDate => {
                if let Some(date) = value.strip_prefix('+').and_then(|rest| rest.strip_suffix("^^T")) {
                    let date = date.to_owned();
                    *cell = Cell {
                        kind: CellKind::Literal,
                        value: date,
                        datatype: Some(xsd::DATE.to_owned()),
                        ..std::mem::take(cell)
                    };
                }
                None
            }
            Self::AngleBrackets => {
                value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>')).map(str::to_owned)
            }
            Self::GanswerNames => (cell.kind == CellKind::Uri && !value.contains("://"))
                .then(|| format!("{DBPEDIA_RESOURCE}{value}")),
        };
        if let Some(iri) = iri {
            (cell.kind, cell.value) = (CellKind::Uri, iri);
        }
    }
}

/// `Q42`, `P31`.
fn is_wikidata_id(text: &str) -> bool {
    text.strip_prefix(['Q', 'P'])
        .is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// How a query is taken out of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryRule {
    /// The text is base64.
    Base64,
    /// The text may hold more than the query: reasoning, prose, a Markdown fence.
    QueryInProse,
    /// Names in angle brackets are DBpedia's: of its ontology where a predicate or a class stands, else resources.
    GanswerNames,
}

/// A query, and what was odd about the text that held it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) query: String,
    pub(crate) notes: Vec<String>,
}

/// Why a text holds no query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoQuery {
    /// There is none: the text is empty.
    Empty,
    /// The text is something else.
    NotSparql,
}

impl QueryRule {
    /// All rules, in the order in which they are applied.
    pub const ALL: [Self; 3] = [Self::Base64, Self::QueryInProse, Self::GanswerNames];

    /// The name of its concept.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base64 => "base64",
            Self::QueryInProse => "query-in-prose",
            Self::GanswerNames => "ganswer-names",
        }
    }

    fn apply(self, text: &str, notes: &mut Vec<String>) -> String {
        match self {
            Self::Base64 => {
                let bytes = STANDARD.decode(text.trim()).ok();
                bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_else(|| {
                    notes.push("the query is not in base64".to_owned());
                    text.to_owned()
                })
            }
            Self::QueryInProse => in_prose(text, notes),
            Self::GanswerNames => with_namespaces(text),
        }
    }
}

/// Takes the query out of a text.
pub(crate) fn take_query(text: &str, rules: &[QueryRule]) -> Result<Taken, NoQuery> {
    let mut notes = Vec::new();
    let query = rules.iter().fold(text.to_owned(), |text, rule| rule.apply(&text, &mut notes));
    let query = query.trim().to_owned();
    if query.is_empty() {
        return Err(NoQuery::Empty);
    }
    if let Err(error) = check(&query) {
        if !looks_like_sparql(&query) {
            return Err(NoQuery::NotSparql);
        }
        notes.push(format!("the query is no valid SPARQL: {error}"));
    }
    Ok(Taken { query, notes })
}

/// The words of query forms, and what may follow them.
const FORMS: [(&str, &[&str]); 4] = [
    ("select", &["?", "$", "*", "(", "{", "distinct", "reduced", "where"]),
    ("ask", &["{", "where", "from"]),
    ("construct", &["{", "where", "from"]),
    ("describe", &["?", "$", "*", "<"]),
];

/// Whether a text that cannot be parsed is meant as a query: the word of a query form, what may follow it, and a brace.
fn looks_like_sparql(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    FORMS.iter().any(|(form, followers)| {
        lower.match_indices(form).any(|(at, _)| {
            let (before, behind) = (lower[..at].chars().next_back(), &lower[at + form.len()..]);
            before.is_none_or(|before| !before.is_alphanumeric())
                && followers.iter().any(|follower| behind.trim_start().starts_with(follower))
                && behind.contains('{')
        })
    })
}

/// The query within the reply of a language model: what follows its reasoning, and of that the last fenced block.
fn in_prose(text: &str, notes: &mut Vec<String>) -> String {
    let mut rest = text;
    if let Some((_, behind)) = text.rsplit_once("</think>") {
        notes.push("reasoning stands before the query; it is left out".to_owned());
        rest = behind;
    }
    let fences: Vec<usize> = rest.match_indices("```").map(|(at, _)| at).collect();
    let Some([open, close]) = fences.chunks_exact(2).last() else { return rest.to_owned() };
    let block = &rest[open + 3..*close];
    // The word behind the fence names the language.
    let block = match block.split_once('\n') {
        Some((word, query)) if word.trim().bytes().all(|byte| byte.is_ascii_alphanumeric()) => query,
        _ => block.strip_prefix("sparql").unwrap_or(block),
    };
    let around = rest[..*open].trim().len() + rest[close + 3..].trim().len();
    let what = if around > 0 { "text stands around the query" } else { "the query stands in a code fence" };
    notes.push(format!("{what}; it is left out"));
    block.to_owned()
}

/// gAnswer's queries: `<spouse>` and `<Ivana_Trump>` with the namespaces that it leaves out. Its triples are separated by
/// line ends or full stops, and its terms by tabs.
fn with_namespaces(query: &str) -> String {
    let (mut written, mut rest, mut terms) = (String::new(), query, 0);
    let mut after_type = false;
    while let Some(open) = rest.find(['<', '?', '.', '{', '}']) {
        let before = &rest[..open];
        let mark = rest.as_bytes()[open];
        written.push_str(before);
        rest = &rest[open..];
        match (mark, rest.find('>')) {
            (b'<', Some(close)) => {
                let name = &rest[1..close];
                terms += 1;
                written.push_str(&named(name, terms == 2, after_type));
                after_type = terms == 2 && name == "type";
                rest = &rest[close + 1..];
            }
            (b'?', _) => {
                terms += 1;
                after_type = false;
                written.push('?');
                rest = &rest[1..];
            }
            _ => {
                terms = 0;
                written.push(char::from(mark));
                rest = &rest[1..];
            }
        }
    }
    written.push_str(rest);
    written
}

fn named(name: &str, is_predicate: bool, is_class: bool) -> String {
    if name.contains("://") {
        return format!("<{name}>");
    }
    match (is_predicate, name) {
        (true, "type") => format!("<{RDF_TYPE}>"),
        (true, _) => format!("<{DBPEDIA_ONTOLOGY}{name}>"),
        (false, _) if is_class => format!("<{DBPEDIA_ONTOLOGY}{name}>"),
        (false, _) => format!("<{DBPEDIA_RESOURCE}{name}>"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn changed(rule: ValueRule, value: &str) -> (CellKind, String) {
        let mut cell = Cell { kind: CellKind::Literal, value: value.to_owned(), ..Cell::default() };
        rule.apply(&mut cell);
        (cell.kind, cell.value)
    }

    #[test]
    fn values_become_terms() {
        let iri = |text: &str| (CellKind::Uri, text.to_owned());
        let same = |text: &str| (CellKind::Literal, text.to_owned());
        assert_eq!(changed(ValueRule::PrefixWd, "wd:Q1"), iri("http://www.wikidata.org/entity/Q1"));
        assert_eq!(changed(ValueRule::WikidataId, "Q1"), iri("http://www.wikidata.org/entity/Q1"));
        assert_eq!(changed(ValueRule::WikidataId, "Q"), same("Q"));
        assert_eq!(changed(ValueRule::WikidataId, "Queen"), same("Queen"));
        assert_eq!(changed(ValueRule::AngleBrackets, "<http://a/b>"), iri("http://a/b"));
        assert_eq!(changed(ValueRule::DeeppavlovDate, "+1799-05-26^^T"), same("1799-05-26"));
        assert_eq!(changed(ValueRule::GanswerNames, "text"), same("text"));
        let mut name = Cell { kind: CellKind::Uri, value: "Ivana_Trump".to_owned(), ..Cell::default() };
        ValueRule::GanswerNames.apply(&mut name);
        assert_eq!(name.value, "http://dbpedia.org/resource/Ivana_Trump");
        let number = json!({"@type": "xsd:decimal", "@value": "67063703."});
        let cell = ValueRule::JsonldValue.of_object(&number).unwrap();
        assert_eq!((cell.value.as_str(), cell.datatype.as_deref()), ("67063703.", Some(xsd::DECIMAL)));
    }

    #[track_caller]
    fn taken(text: &str, rule: QueryRule) -> (String, usize) {
        let taken = take_query(text, &[rule]).unwrap();
        (taken.query, taken.notes.len())
    }

    #[test]
    fn a_query_is_taken_out_of_prose() {
        let query = "SELECT ?x WHERE { ?x ?y ?z }";
        let prose = QueryRule::QueryInProse;
        assert_eq!(taken(&format!(" {query}\n"), prose), (query.to_owned(), 0));
        for text in [
            format!("```sparql\n{query}\n```"),
            format!("Here it is: ```\n{query}```. ASK {{ }} would not do."),
            format!("```{query}```It lists all."),
            format!("```ASK {{ }}``` or better ```sparql {query}```"),
            format!("<think>ASK {{ ?a ?b ?c }}</think>{query}"),
        ] {
            assert_eq!(taken(&text, prose), (query.to_owned(), 1), "{text}");
        }
        assert_eq!(take_query(" ", &[prose]), Err(NoQuery::Empty));
        assert_eq!(take_query("I cannot select this {x}. Ask again", &[]).unwrap_err(), NoQuery::NotSparql);
        let broken = take_query("SELECT ?x { ?x ?y n) }", &[]).unwrap();
        assert!(broken.notes[0].starts_with("the query is no valid SPARQL"), "{:?}", broken.notes);
    }

    #[test]
    fn other_rules_for_queries() {
        assert_eq!(taken("QVNLIHt9", QueryRule::Base64), ("ASK {}".to_owned(), 0));
        let text = "select DISTINCT ?wife where { <Donald_Trump>\t<spouse>\t?wife. ?wife\t<type>\t<Person>. } LIMIT 1";
        let expected = "select DISTINCT ?wife where { <http://dbpedia.org/resource/Donald_Trump>\t<http://dbpedia.org/ontology/spouse>\t?wife. ?wife\t<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>\t<http://dbpedia.org/ontology/Person>. } LIMIT 1";
        assert_eq!(taken(text, QueryRule::GanswerNames), (expected.to_owned(), 0));
    }
}
