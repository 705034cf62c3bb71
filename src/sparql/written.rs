//! What a query finds, in the formats of the W3C: SPARQL results for rows and answers, RDF for statements.

use oxigraph::io::{JsonLdProfileSet, RdfFormat, RdfSerializer};
use oxigraph::sparql::results::{QueryResultsFormat, QueryResultsSerializer};
use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};
use crate::sparql::timed::QueryResult;

/// A format of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ResultForm {
    /// SPARQL 1.1 Query Results JSON.
    Json,
    /// SPARQL Query Results XML.
    Xml,
    /// SPARQL 1.1 Query Results CSV: terms lose their types.
    Csv,
    /// SPARQL 1.1 Query Results TSV.
    Tsv,
    /// RDF 1.1 Turtle.
    Turtle,
    /// RDF 1.1 N-Triples.
    NTriples,
    /// RDF 1.1 N-Quads.
    NQuads,
    /// RDF 1.1 TriG.
    TriG,
    /// RDF 1.1 XML.
    RdfXml,
    /// JSON-LD 1.0 and later.
    JsonLd,
}

impl ResultForm {
    /// The formats of rows and answers; the first is the usual one.
    pub const ROWS: [Self; 4] = [Self::Json, Self::Xml, Self::Csv, Self::Tsv];

    /// The formats of statements; the first is the usual one.
    pub const STATEMENTS: [Self; 6] =
        [Self::Turtle, Self::NTriples, Self::NQuads, Self::TriG, Self::RdfXml, Self::JsonLd];

    /// The word for it in an address.
    pub fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Xml => "xml",
            Self::Csv => "csv",
            Self::Tsv => "tsv",
            Self::Turtle => "ttl",
            Self::NTriples => "nt",
            Self::NQuads => "nq",
            Self::TriG => "trig",
            Self::RdfXml => "rdf",
            Self::JsonLd => "jsonld",
        }
    }

    /// The media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/sparql-results+json",
            Self::Xml => "application/sparql-results+xml",
            Self::Csv => "text/csv; charset=utf-8",
            Self::Tsv => "text/tab-separated-values; charset=utf-8",
            Self::Turtle => "text/turtle; charset=utf-8",
            Self::NTriples => "application/n-triples",
            Self::NQuads => "application/n-quads",
            Self::TriG => "application/trig; charset=utf-8",
            Self::RdfXml => "application/rdf+xml",
            Self::JsonLd => "application/ld+json",
        }
    }

    /// The IRI of the format (W3C, Unique URIs for File Formats).
    pub fn iri(self) -> String {
        let name = match self {
            Self::Json => "SPARQL_Results_JSON",
            Self::Xml => "SPARQL_Results_XML",
            Self::Csv => "SPARQL_Results_CSV",
            Self::Tsv => "SPARQL_Results_TSV",
            Self::Turtle => "Turtle",
            Self::NTriples => "N-Triples",
            Self::NQuads => "N-Quads",
            Self::TriG => "TriG",
            Self::RdfXml => "RDF_XML",
            Self::JsonLd => "JSON-LD",
        };
        format!("http://www.w3.org/ns/formats/{name}")
    }

    fn rows(self) -> Option<QueryResultsFormat> {
        Some(match self {
            Self::Json => QueryResultsFormat::Json,
            Self::Xml => QueryResultsFormat::Xml,
            Self::Csv => QueryResultsFormat::Csv,
            Self::Tsv => QueryResultsFormat::Tsv,
            _ => return None,
        })
    }

    fn statements(self) -> Option<RdfFormat> {
        Some(match self {
            Self::Turtle => RdfFormat::Turtle,
            Self::NTriples => RdfFormat::NTriples,
            Self::NQuads => RdfFormat::NQuads,
            Self::TriG => RdfFormat::TriG,
            Self::RdfXml => RdfFormat::RdfXml,
            Self::JsonLd => RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() },
            _ => return None,
        })
    }
}

impl QueryResult {
    /// All that was found, as a text.
    ///
    /// # Errors
    /// Where the format is none of such results.
    pub fn written(&self, form: ResultForm) -> Result<String> {
        let of_other =
            || Error::input(format!("`{}` is no format of what this query finds", form.media_type()));
        let bytes = match self {
            Self::Statements(triples) => {
                let format = form.statements().ok_or_else(of_other)?;
                let mut serializer = RdfSerializer::from_format(format).for_writer(Vec::new());
                for triple in triples {
                    serializer.serialize_triple(triple).map_err(|error| unwritten(&error))?;
                }
                serializer.finish()
            }
            Self::Boolean(answer) => {
                let format = form.rows().ok_or_else(of_other)?;
                QueryResultsSerializer::from_format(format).serialize_boolean_to_writer(Vec::new(), *answer)
            }
            Self::Solutions { variables, rows } => {
                let format = form.rows().ok_or_else(of_other)?;
                let mut writer = QueryResultsSerializer::from_format(format)
                    .serialize_solutions_to_writer(Vec::new(), variables.clone())
                    .map_err(|error| unwritten(&error))?;
                for row in rows {
                    let bound = variables.iter().zip(row);
                    let bound = bound.filter_map(|(variable, term)| Some((variable, term.as_ref()?)));
                    writer.serialize(bound).map_err(|error| unwritten(&error))?;
                }
                writer.finish()
            }
        };
        let bytes = bytes.map_err(|error| unwritten(&error))?;
        String::from_utf8(bytes).map_err(|error| Error::system(format!("the results are no UTF-8: {error}")))
    }
}

fn unwritten(error: &std::io::Error) -> Error {
    Error::system(format!("the results cannot be written: {error}"))
}

#[cfg(test)]
mod tests {
    use oxigraph::model::{Literal, Variable};

    use super::*;

    #[test]
    fn each_format_is_for_one_kind_of_results() {
        let rows = QueryResult::Solutions {
            variables: vec![Variable::new_unchecked("x")],
            rows: vec![vec![Some(Literal::new_simple_literal("a,b").into())], vec![None]],
        };
        let statements = QueryResult::Statements(Vec::new());
        for form in ResultForm::ROWS {
            assert!(
                rows.written(form).is_ok() && QueryResult::Boolean(true).written(form).is_ok(),
                "{form:?}"
            );
            assert!(statements.written(form).is_err(), "{form:?}");
        }
        for form in ResultForm::STATEMENTS {
            assert!(statements.written(form).is_ok() && rows.written(form).is_err(), "{form:?}");
        }
        assert_eq!(rows.written(ResultForm::Csv).unwrap(), "x\r\n\"a,b\"\r\n\r\n");
        assert_eq!(rows.written(ResultForm::Tsv).unwrap(), "?x\n\"a,b\"\n\n");
    }
}
