//! A server behind the seam: the queries of qassay have the same answers there as in memory.

use oxigraph::model::NamedNode;
use oxigraph::sparql::results::{QueryResultsFormat, QueryResultsSerializer};
use qassay::sparql::dataset::Dataset;
use qassay::sparql::named_query::NamedQuery;
use qassay::sparql::store::Store;
use qassay::sparql::timed::{QueryBounds, QueryResult, run_within};

use crate::common::server::{Server, send};
use crate::net::endpoint::{JSON, endpoint, limits};

const TURTLE: &str = r#"@prefix e: <http://e/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    e:a a e:T , [ a e:Odd ] ; rdfs:label "A"@en , "Ä"@de , "1" , 1 . e:b a e:U ; rdfs:subClassOf e:a , e:c ."#;

fn store() -> Store {
    let store = Store::in_memory().unwrap();
    store.load_turtle(TURTLE, "http://e/g").unwrap();
    store
}

/// What a SPARQL server says to a query.
fn reply(query: &str) -> Vec<u8> {
    let serializer = QueryResultsSerializer::from_format(QueryResultsFormat::Json);
    let query = NamedQuery::written("request", query).unwrap();
    match run_within(&store(), &query, QueryBounds::time(limits().time)).unwrap() {
        QueryResult::Solutions { variables, rows } => {
            let mut writer = serializer.serialize_solutions_to_writer(Vec::new(), variables.clone()).unwrap();
            for row in rows {
                let bound =
                    variables.iter().zip(&row).filter_map(|(name, term)| Some((name, term.as_ref()?)));
                writer.serialize(bound).unwrap();
            }
            writer.finish().unwrap()
        }
        QueryResult::Boolean(answer) => serializer.serialize_boolean_to_writer(Vec::new(), answer).unwrap(),
        QueryResult::Statements(_) => panic!("no answers"),
    }
}

#[test]
fn a_server_answers_as_memory_does() {
    let server = Server::start(|request, stream| match request.header("content-type") {
        Some("application/sparql-query") => send(stream, "200 OK", &[JSON], &reply(&request.body)),
        _ => send(stream, "415 Unsupported Media Type", &[], b""),
    });
    let (near, far) = (store(), endpoint(&server));
    let a = [NamedNode::new_unchecked("http://e/a").into(), NamedNode::new_unchecked("http://e/b").into()];
    for name in ["kb/types", "kb/classes", "kb/rdfs-label-to"] {
        let query = NamedQuery::find(name).unwrap().with("resource", &a).unwrap();
        let sorted = |dataset: &dyn Dataset| {
            let mut rows: Vec<String> =
                dataset.select(&query).unwrap().iter().map(|row| format!("{row:?}")).collect();
            rows.sort();
            rows
        };
        assert_eq!(sorted(&far), sorted(&near), "{name}");
    }
    for (text, expected) in [("ASK { ?s a <http://e/T> }", true), ("ASK { ?s a <http://e/none> }", false)] {
        assert_eq!(far.ask(&NamedQuery::written("ask", text).unwrap()).unwrap(), expected, "{text}");
    }
    let made = NamedQuery::written(
        "made",
        "CONSTRUCT { ?class <http://e/of> ?s . ?s ?p \"x\"@en } WHERE { ?s a ?class ; ?p ?o FILTER(!isBLANK(?class) && !isBLANK(?s)) }",
    );
    let made = made.unwrap();
    assert_eq!(far.construct(&made).unwrap(), near.construct(&made).unwrap());
    assert!(!near.construct(&made).unwrap().is_empty());
}

#[test]
fn what_a_server_does_not_answer_is_an_error() {
    let server = Server::start(|_, stream| send(stream, "500 Internal Server Error", &[], b"out of order"));
    let query = NamedQuery::find("kb/types").unwrap();
    let told = endpoint(&server).select(&query).unwrap_err().to_string();
    assert!(told.contains("queries/kb/types.rq") && told.contains("out of order"), "{told}");
}
