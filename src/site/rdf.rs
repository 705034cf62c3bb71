//! What a page is about as statements, in the forms of RDF: what is said of the thing and of the parts that its page shows,
//! in records, graphs and the ontology.

use std::collections::BTreeSet;

use oxigraph::io::{JsonLdProfileSet, RdfFormat, RdfSerializer};
use oxigraph::model::{GraphName, Quad};

use crate::base::error::{Error, Result};
use crate::base::vocab::{code, qassay};
use crate::site::context::Context;
use crate::site::graphs::named;
use crate::site::route::Form;
use crate::site::thing::subjects;

/// The prefixes of forms that have some.
const PREFIXES: [(&str, &str); 8] = [
    ("qassay", qassay::NAMESPACE),
    ("code", code::NAMESPACE),
    ("qb", "http://purl.org/linked-data/cube#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("dct", "http://purl.org/dc/terms/"),
    ("dcat", "http://www.w3.org/ns/dcat#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// The statements of a page in a form.
///
/// # Errors
/// Where they cannot be read, or the form is none of RDF.
pub(crate) fn statements(context: &Context<'_>, form: Form) -> Result<Vec<u8>> {
    let format = match form {
        Form::Turtle => RdfFormat::Turtle,
        Form::NQuads => RdfFormat::NQuads,
        Form::TriG => RdfFormat::TriG,
        Form::NTriples => RdfFormat::NTriples,
        Form::JsonLd => RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() },
        Form::Html | Form::Json => return Err(Error::input(format!("{} has no statements", form.name()))),
    };
    let mut quads: BTreeSet<(String, String)> = BTreeSet::new();
    let mut all: Vec<Quad> = Vec::new();
    for subject in subjects(context)? {
        for quad in context.view.said(&subject)? {
            let graph =
                if format.supports_datasets() { quad.graph_name.clone() } else { GraphName::DefaultGraph };
            let quad = Quad { graph_name: graph, ..quad };
            if quads.insert((quad.graph_name.to_string(), quad.to_string())) {
                all.push(quad);
            }
        }
    }
    all.sort_by_cached_key(|quad| {
        (quad.graph_name.to_string(), named(quad).map(str::to_owned), quad.to_string())
    });
    write(format, &all).map_err(|error| Error::system(format!("cannot write {}: {error}", form.name())))
}

fn write(format: RdfFormat, quads: &[Quad]) -> std::io::Result<Vec<u8>> {
    let mut serializer = RdfSerializer::from_format(format);
    for (name, iri) in PREFIXES {
        serializer = serializer.with_prefix(name, iri).map_err(std::io::Error::other)?;
    }
    let mut writer = serializer.for_writer(Vec::new());
    for quad in quads {
        writer.serialize_quad(quad)?;
    }
    writer.finish()
}
