//! RDF: the statements that an archive publishes of a dataset, and the record that holds the rest.

use std::io;

use oxigraph::io::{RdfFormat, RdfParser, RdfSerializer};

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::vocab::{code, dct, foaf, qassay, schema, xsd};
use crate::sources::document::Document;
use crate::sources::input::pattern::QueryNodes;
use crate::sources::input::publish;
use crate::sources::write::{Target, Written, rdf_record};

macro_rules! target {
    ($name:ident, $format:ident, $short:literal, $ending:literal, $media:literal, $description:literal) => {
        #[doc = $description]
        pub(crate) static $name: Target = Target {
            name: $short,
            description: $description,
            ending: Some($ending),
            media_type: $media,
            read_as: "rdf",
            may_be_empty: true,
            is_exact: true,
            write: |document, sha256| write(document, sha256, RdfFormat::$format),
        };
    };
}

target!(TURTLE, Turtle, "turtle", "ttl", "text/turtle", "RDF: Turtle");
target!(N_TRIPLES, NTriples, "n-triples", "nt", "application/n-triples", "RDF: N-Triples");
target!(N_QUADS, NQuads, "n-quads", "nq", "application/n-quads", "RDF: canonical N-Quads, as in an archive");
target!(TRIG, TriG, "trig", "trig", "application/trig", "RDF: TriG");

/// The prefixes of Turtle and TriG.
const PREFIXES: [(&str, &str); 6] = [
    ("qassay", qassay::NAMESPACE),
    ("code", code::NAMESPACE),
    ("dct", dct::NAMESPACE),
    ("foaf", foaf::NAMESPACE),
    ("schema", schema::NAMESPACE),
    ("xsd", xsd::NAMESPACE),
];

fn write(document: &Document, sha256: &str, format: RdfFormat) -> Result<Written> {
    let quads = quads(document, sha256).map_err(|error| failed(&error))?;
    let bytes = if format == RdfFormat::NQuads { quads } else { in_syntax(&quads, format)? };
    Ok((bytes, Vec::new()))
}

fn failed(error: &dyn std::fmt::Display) -> Error {
    Error::system(format!("the RDF cannot be written: {error}"))
}

/// Canonical N-Quads of two graphs: what an archive publishes, and the record.
fn quads(document: &Document, sha256: &str) -> io::Result<Vec<u8>> {
    let mint = Mint::default();
    let slug = iri::slug(document.dataset_id.as_deref().unwrap_or("dataset"));
    let version = mint.dataset_version(&slug, sha256);
    // the queries may add issues, which are no part of what is written
    let mut published = document.clone();
    let queries = QueryNodes::of_all(&mint, &mut published);
    let (mut statements, mut record) = (Vec::new(), Vec::new());
    publish::dataset(&mut statements, &mint, &slug, &version, &published, &queries)?;
    rdf_record::write(&mut record, &mint, &version, document)?;
    Ok(merged(&statements, &record))
}

/// The lines of two sorted files as one sorted file.
fn merged(one: &[u8], other: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> =
        [one, other].iter().flat_map(|file| file.split_inclusive(|byte| *byte == b'\n')).collect();
    lines.sort();
    lines.dedup();
    lines.concat()
}

fn in_syntax(quads: &[u8], format: RdfFormat) -> Result<Vec<u8>> {
    let mut serializer = RdfSerializer::from_format(format);
    for (name, namespace) in PREFIXES {
        serializer = serializer.with_prefix(name, namespace).map_err(|error| failed(&error))?;
    }
    let mut out = serializer.for_writer(Vec::new());
    for quad in RdfParser::from_format(RdfFormat::NQuads).for_slice(quads) {
        let quad = quad.map_err(|error| failed(&error))?;
        let written = if format.supports_datasets() {
            out.serialize_quad(&quad)
        } else {
            out.serialize_triple(quad.as_ref())
        };
        written.map_err(|error| failed(&error))?;
    }
    out.finish().map_err(|error| failed(&error))
}
