//! Protocols of live systems: a list, and each explained, with an example of what it sends.

use oxigraph::model::Term;
use reqwest::Url;
use serde_json::Value;

use crate::base::error::{Error, Result};
use crate::base::vocab::{code, qassay, rdf, rdfs, skos};
use crate::profiles::ontology::{property, systems};
use crate::report::table::{Column, Table};
use crate::systems::description::{Driver, Manners, Protocol, ReplyKind};
use crate::systems::request::SystemRequest;
use crate::systems::template::{ENVIRONMENT, Values};

/// The question of the example.
const QUESTION: &str = "Who wrote Faust?";
/// Where the system of the example is.
const ADDRESS: &str = "http://system.example";

/// All of them, one a row.
pub fn protocols(all: &[Protocol]) -> Table {
    let mut table = Table { title: "Protocols of live systems".to_owned(), ..Table::default() };
    table.columns = ["protocol", "name", "sends", "calls", "reply"]
        .map(|heading| Column::text(heading, heading))
        .to_vec();
    let row = |one: &Protocol| {
        let path = one.request.path.fill(&Values::default());
        vec![
            one.name.clone(),
            one.title.clone(),
            format!("{} {path}", one.request.method).trim_end().to_owned(),
            calls(&one.driver).to_owned(),
            reply(one.reply.kind).to_owned(),
        ]
    };
    table.rows = all.iter().map(row).collect();
    table
}

fn calls(driver: &Driver) -> &'static str {
    match driver {
        Driver::Once => "one",
        Driver::ThenQuery(_) => "two: the second gives the query",
        Driver::Poll { .. } => "until it is done",
        Driver::Qanary => "three: the pipeline, then two queries",
        Driver::Form { .. } => "two: a form, then what is filled in",
    }
}

fn reply(kind: ReplyKind) -> &'static str {
    match kind {
        ReplyKind::Recognised => "QALD JSON, eQALD JSON or SPARQL results",
        ReplyKind::SparqlResults => "SPARQL results in JSON",
        ReplyKind::Query => "a query",
        ReplyKind::Values => "values in JSON",
        ReplyKind::Page => "a web page",
    }
}

/// One of them with all that is said of it: what is sent, where the answers are, how patient one is.
pub fn protocol(one: &Protocol) -> Table {
    let mut fields: Vec<(String, String)> = vec![
        ("protocol".to_owned(), one.name.clone()),
        ("name".to_owned(), one.title.clone()),
        ("about".to_owned(), one.definition.clone()),
        ("calls".to_owned(), calls(&one.driver).to_owned()),
    ];
    for (predicate, objects) in &one.statements {
        let is_shown = predicate.starts_with(qassay::NAMESPACE) && !is_said_otherwise(predicate);
        if let Some(label) = systems().text(predicate, rdfs::LABEL).filter(|_| is_shown) {
            fields.push((label.to_owned(), objects.iter().map(shown).collect::<Vec<_>>().join(", ")));
        }
    }
    let variables: Vec<&str> = one.variables().collect();
    if !variables.is_empty() {
        fields.push(("from the environment".to_owned(), variables.join(", ")));
    }
    fields.push(("manners".to_owned(), manners(&one.manners)));
    fields.push(("in RDF".to_owned(), one.iri.clone()));
    Table {
        title: one.title.clone(),
        columns: fields.iter().map(|(name, _)| Column::text(name, &name.replace(' ', "_"))).collect(),
        rows: vec![fields.into_iter().map(|(_, value)| value).collect()],
        ..Table::default()
    }
}

/// The same for scripts.
pub fn protocols_json(chosen: &[Protocol]) -> Value {
    let object = |one: &Protocol| {
        let table = protocol(one);
        let row = table.rows.into_iter().next().unwrap_or_default();
        let fields = table.columns.into_iter().zip(row);
        Value::Object(fields.map(|(column, value)| (column.name, Value::from(value))).collect())
    };
    chosen.iter().map(object).collect()
}

/// What stands in a field of its own: how calls follow each other, and manners.
fn is_said_otherwise(predicate: &str) -> bool {
    let others = ["driver", "like", "totalTimeLimit", "retries", "retryPause", "pause", "oneAtATime"];
    predicate == rdf::TYPE
        || predicate == skos::NOTATION
        || others.iter().any(|name| predicate == property(name))
}

fn shown(object: &Term) -> String {
    match object {
        Term::Literal(literal) => literal.value().to_owned(),
        Term::NamedNode(node) => {
            let name = systems().text(node.as_str(), skos::NOTATION);
            name.unwrap_or_else(|| node.as_str().trim_start_matches(code::NAMESPACE)).to_owned()
        }
        Term::BlankNode(node) => node.to_string(),
    }
}

fn manners(manners: &Manners) -> String {
    let Manners { time_limit, retries, retry_pause, pause, one_at_a_time } = manners;
    let mut said = vec![
        format!("at most {} s a try", time_limit.as_secs_f64()),
        format!("{retries} further tries, the first after {} s", retry_pause.as_secs_f64()),
    ];
    if !pause.is_zero() {
        said.push(format!("{} s between questions", pause.as_secs_f64()));
    }
    if *one_at_a_time {
        said.push("never two at once".to_owned());
    }
    said.join("; ")
}

/// What is sent first for a question of an example. A place without a value stays as it is.
///
/// # Errors
/// Where path and parameters make no address.
pub fn example(one: &Protocol) -> Result<String> {
    let values: Values = one.settings.iter().collect();
    let values = values.with("question", QUESTION).with("language", "en").with("id", "1");
    let address = Url::parse(ADDRESS).map_err(|error| Error::system(error.to_string()))?;
    let request = SystemRequest::first(one, &address, &values)?;
    let text = String::from_utf8_lossy(&request.as_http()).replace('\r', "");
    let lines: Vec<String> = text.lines().map(|line| format!("  {line}").trim_end().to_owned()).collect();
    let missing: Vec<String> = one
        .places()
        .into_iter()
        .filter(|place| values.get(place).is_none() && !place.starts_with(ENVIRONMENT))
        .filter(|place| !["json", "run", "state"].contains(place))
        .map(|place| format!("{{{place}}}"))
        .collect();
    let ask_for = if missing.is_empty() {
        String::new()
    } else {
        format!("\nusers must say what stands for {}\n", missing.join(", "))
    };
    Ok(format!("sent for “{QUESTION}” to {ADDRESS}\n\n{}\n{ask_for}", lines.join("\n").trim_end()))
}
