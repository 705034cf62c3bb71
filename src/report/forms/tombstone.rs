//! The record of what was withdrawn: a page for people and the same as RDF. The metadata stay, the files are gone.

use std::collections::BTreeMap;

use askama::Template;
use oxigraph::io::{JsonLdProfile, JsonLdProfileSet, RdfFormat, RdfParser, RdfSerializer};

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::text;
use crate::base::vocab::{adms, dcat, dct, foaf, prov, qassay, schema, xsd};
use crate::record::publication::agent::Agent;
use crate::record::publication::tombstone::{TOMBSTONE, Tombstone};
use crate::report::forms::shared::address;

/// Prefixes of the file in Turtle.
const PREFIXES: [(&str, &str); 8] = [
    ("adms", adms::NAMESPACE),
    ("dcat", dcat::NAMESPACE),
    ("dct", dct::NAMESPACE),
    ("foaf", foaf::NAMESPACE),
    ("prov", prov::NAMESPACE),
    ("qassay", qassay::NAMESPACE),
    ("schema", schema::NAMESPACE),
    ("xsd", xsd::NAMESPACE),
];

/// The forms beside the page: what each is called, and its media type.
const FORMS: [(&str, &str); 3] = [
    (TOMBSTONE, "text/turtle"),
    ("tombstone.jsonld", "application/ld+json"),
    ("tombstone.nt", "application/n-triples"),
];

#[derive(Template)]
#[template(config = "src/report/askama.toml", path = "tombstone.html")]
struct TombstonePage {
    title: String,
    iri: String,
    doi: Option<String>,
    version: u32,
    published: String,
    day: String,
    creators: Vec<(String, String)>,
    who: (String, String),
    reason: String,
    successor: Option<(String, Option<String>)>,
    forms: [(&'static str, &'static str); 3],
}

/// The page, with links to the other forms beside it.
///
/// # Errors
/// Where there is no memory for it.
pub fn page(tombstone: &Tombstone<'_>) -> Result<Vec<u8>> {
    let Tombstone { publication, why, published } = tombstone;
    let named = |agent: &Agent| (shown(&agent.spoken()), agent.iri.clone());
    let successor = |iri: &String| (shown(iri), address(iri).map(str::to_owned));
    let page = TombstonePage {
        title: shown(&why.title),
        iri: publication.of.clone(),
        doi: publication.by.doi.as_ref().map(|doi| format!("https://doi.org/{doi}")),
        version: publication.number,
        published: (*published).to_owned(),
        day: publication.day.clone(),
        creators: publication.by.creators.iter().map(named).collect(),
        who: named(&publication.by.publisher),
        reason: shown(&why.reason),
        successor: why.successor.as_ref().map(successor),
        forms: FORMS,
    };
    let html = page.render().map_err(|error| Error::system(format!("cannot write HTML: {error}")))?;
    Ok(html.into_bytes())
}

/// A text without characters that command a terminal or turn the direction of a line.
fn shown(text: &str) -> String {
    text::html(text).into_owned()
}

/// All files of the record of a tombstone, by their paths: the page, and the same as Turtle, JSON-LD and N-Triples.
///
/// # Errors
/// Where there is no memory for them.
pub fn tombstone_files(tombstone: &Tombstone<'_>, mint: &Mint) -> Result<BTreeMap<String, Vec<u8>>> {
    let mut quads = Vec::new();
    tombstone.lines(mint).write_to(&mut quads).map_err(|error| failed(&error))?;
    let mut turtle = RdfSerializer::from_format(RdfFormat::Turtle);
    for (prefix, namespace) in PREFIXES {
        turtle = turtle.with_prefix(prefix, namespace).map_err(|error| failed(&error))?;
    }
    let profile = JsonLdProfileSet::from(JsonLdProfile::Streaming);
    let forms = [
        turtle,
        RdfSerializer::from_format(RdfFormat::JsonLd { profile }),
        RdfSerializer::from_format(RdfFormat::NTriples),
    ];
    let mut files = BTreeMap::from([("index.html".to_owned(), page(tombstone)?)]);
    for ((name, _), serializer) in FORMS.into_iter().zip(forms) {
        let written = String::from_utf8(written(&quads, serializer)?).map_err(|error| failed(&error))?;
        let escaped = match name {
            "tombstone.jsonld" => text::json(&written),
            _ => text::turtle(&written),
        };
        files.insert(name.to_owned(), escaped.into_owned().into_bytes());
    }
    Ok(files)
}

/// Statements in another form, without the graph that they are in.
fn written(quads: &[u8], serializer: RdfSerializer) -> Result<Vec<u8>> {
    let mut writer = serializer.for_writer(Vec::new());
    for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(quads) {
        let quad = quad.map_err(|error| failed(&error))?;
        writer.serialize_triple(quad.as_ref()).map_err(|error| failed(&error))?;
    }
    writer.finish().map_err(|error| failed(&error))
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::system(format!("cannot write the tombstone: {error}"))
}
