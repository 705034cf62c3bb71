//! What the endpoint can do, and what it has (SPARQL 1.1 Service Description; VoID): its limits, formats and named graphs.

use axum::http::StatusCode;
use axum::http::header::{ACCEPT, HeaderMap, HeaderValue};
use axum::response::Response;
use oxigraph::model::{BlankNode, Literal, NamedNode, NamedOrBlankNode, Term, Triple};

use crate::base::vocab::{dct, rdf, sd, void, xsd};
use crate::serve::place::ServerPlace;
use crate::serve::replies::{HttpProblem, liked, reply};
use crate::sparql::timed::QueryResult;
use crate::sparql::written::ResultForm;

/// The path of the endpoint.
pub(crate) const SPARQL: &str = "sparql";

/// The path of what it is and has, by another name than `sd`.
pub(crate) const VOID: &str = "void";

/// The most rows or statements of a result.
pub(crate) const MOST_ROWS: u64 = 100_000;

/// The most bytes of a result.
pub(crate) const MOST_BYTES: u64 = 64 << 20;

/// The forms of the description.
const FORMS: [ResultForm; 3] = [ResultForm::Turtle, ResultForm::NTriples, ResultForm::JsonLd];

/// The headers of a reader of the description, by its path: an ending names the form. Nothing at other paths.
pub(crate) fn described(path: &str, headers: &HeaderMap) -> Option<HeaderMap> {
    let (name, ending) = path.split_once('.').unwrap_or((path, ""));
    let mut headers = headers.clone();
    if !ending.is_empty() {
        let form = FORMS.into_iter().find(|form| form.name() == ending)?;
        headers.insert(ACCEPT, HeaderValue::from_static(form.media_type()));
    }
    ["sd", VOID].contains(&name).then_some(headers)
}

/// The description of the endpoint at a place, for who takes RDF: a query has so many seconds and bytes of memory, and graphs have
/// so many statements, where that is known.
pub(crate) fn description(
    place: &ServerPlace,
    headers: &HeaderMap,
    (seconds, memory): (u64, u64),
    graphs: &[(String, Option<u64>)],
) -> Response {
    let known = FORMS.map(ResultForm::media_type);
    let Some(form) = liked(headers, &known).map(|at| FORMS[at]) else {
        let title = "without a query, the endpoint is described in RDF";
        let problem = HttpProblem::new(StatusCode::NOT_ACCEPTABLE, "not-acceptable", title);
        return problem.allowed(&format!("text/html, {}", known.join(", "))).reply();
    };
    let limits = format!(
        "What is published here, for reading. A query has {seconds} s, {MOST_ROWS} rows, {MOST_BYTES} bytes of result and {memory} bytes of \
         memory; what takes more is an error. No SERVICE, no updates."
    );
    match QueryResult::Statements(statements(place, limits, graphs)).written(form) {
        Ok(text) => reply(StatusCode::OK, form.media_type(), text),
        Err(error) => HttpProblem::told(error).reply(),
    }
}

fn statements(place: &ServerPlace, limits: String, graphs: &[(String, Option<u64>)]) -> Vec<Triple> {
    let node = |iri: &str| NamedNode::new_unchecked(iri);
    let service = node(&format!("{}{SPARQL}", place.url));
    let [dataset, graph] = ["dataset", "graph"].map(|name| node(&format!("{}#{name}", service.as_str())));
    let mut triples = Vec::new();
    let mut say = |subject: NamedOrBlankNode, property: &str, object: Term| {
        triples.push(Triple::new(subject, node(property), object));
    };
    let of_service = || NamedOrBlankNode::from(service.clone());
    say(of_service(), rdf::TYPE, node(sd::SERVICE).into());
    say(of_service(), sd::ENDPOINT, service.clone().into());
    say(of_service(), sd::SUPPORTED_LANGUAGE, node(sd::SPARQL_11_QUERY).into());
    say(of_service(), sd::DEFAULT_DATASET, dataset.clone().into());
    say(of_service(), dct::DESCRIPTION, Literal::new_language_tagged_literal_unchecked(limits, "en").into());
    for form in ResultForm::ROWS.into_iter().chain(ResultForm::STATEMENTS) {
        say(of_service(), sd::RESULT_FORMAT, node(&form.iri()).into());
    }
    let of_dataset = || NamedOrBlankNode::from(dataset.clone());
    say(of_dataset(), rdf::TYPE, node(sd::DATASET).into());
    say(of_dataset(), rdf::TYPE, node(void::DATASET).into());
    say(of_dataset(), void::SPARQL_ENDPOINT, service.clone().into());
    say(of_dataset(), sd::DEFAULT_GRAPH, graph.clone().into());
    say(graph.into(), rdf::TYPE, node(sd::GRAPH).into());
    for (number, (name, count)) in graphs.iter().enumerate() {
        let [named, content] =
            ["named", "graph"].map(|kind| BlankNode::new_unchecked(format!("{kind}{number}")));
        say(of_dataset(), sd::NAMED_GRAPH, named.clone().into());
        say(named.clone().into(), rdf::TYPE, node(sd::NAMED_GRAPH_CLASS).into());
        say(named.clone().into(), sd::NAME, node(name).into());
        say(named.into(), sd::OF_GRAPH, content.clone().into());
        say(content.clone().into(), rdf::TYPE, node(sd::GRAPH).into());
        if let Some(count) = count {
            let count = Literal::new_typed_literal(count.to_string(), node(xsd::INTEGER));
            say(content.into(), void::TRIPLES, count.into());
        }
    }
    triples
}
