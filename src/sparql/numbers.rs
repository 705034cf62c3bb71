//! Why a query may find nothing: in a triple pattern a number is a term, and `1` is another one than `1.0`.

use std::collections::BTreeSet;
use std::time::Duration;

use oxigraph::model::{Literal, NamedNode, Term};

use crate::base::error::Result;
use crate::sparql::features::{Position, Predicate};
use crate::sparql::named_query::NamedQuery;
use crate::sparql::print::printed;
use crate::sparql::read::analyse;
use crate::sparql::store::Store;
use crate::sparql::timed::{QueryBounds, QueryResult, run_within};
use crate::sparql::typed::PREFIXES;

/// How long is looked for a reason.
const MOST: Duration = Duration::from_secs(10);

/// What to write for a number in a triple pattern of a query that found nothing, where the property has numbers of other
/// datatypes only.
///
/// # Errors
/// Where the store cannot be asked.
pub fn hint(store: &Store, query: &NamedQuery) -> Result<Option<String>> {
    let Ok(graph) = analyse(&printed(query.algebra())) else { return Ok(None) };
    for pattern in &graph.patterns {
        let (Predicate::Property(property), Position::Term(Term::Literal(number))) =
            (&pattern.predicate, &pattern.object)
        else {
            continue;
        };
        if number.language().is_some() || number.value().parse::<f64>().is_err() {
            continue;
        }
        let known = datatypes(store, property)?;
        if !known.is_empty() && !known.contains(number.datatype().as_str()) {
            return Ok(Some(told(property, number, &known)));
        }
    }
    Ok(None)
}

/// The datatypes of the numbers that a property has.
fn datatypes(store: &Store, property: &NamedNode) -> Result<BTreeSet<String>> {
    let query = NamedQuery::find("store/number-datatypes")?.with("property", &[property.clone().into()])?;
    let QueryResult::Solutions { rows, .. } = run_within(store, &query, QueryBounds::time(MOST))? else {
        return Ok(BTreeSet::new());
    };
    let datatype = |term: Term| match term {
        Term::NamedNode(node) => Some(node.into_string()),
        _ => None,
    };
    Ok(rows.into_iter().flatten().flatten().filter_map(datatype).collect())
}

fn told(property: &NamedNode, number: &Literal, known: &BTreeSet<String>) -> String {
    let property = short(property.as_str());
    let known: Vec<String> = known.iter().map(|datatype| short(datatype)).collect();
    format!(
        "no row: a triple pattern finds equal terms, `{}` is {}, and the numbers of {property} are {}. By value: \
         `{property} ?number . FILTER(?number = {})`",
        number.value(),
        short(number.datatype().as_str()),
        known.join(" and "),
        number.value()
    )
}

/// An IRI as a query of the archive may write it.
fn short(iri: &str) -> String {
    let named = PREFIXES.iter().find_map(|(prefix, namespace)| {
        let name = iri.strip_prefix(namespace)?;
        (!name.contains(['/', '#'])).then(|| format!("{prefix}:{name}"))
    });
    named.unwrap_or_else(|| format!("<{iri}>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_another_datatype_is_told() {
        let store = Store::in_memory().unwrap();
        let turtle = "@prefix qassay: <https://w3id.org/qassay/ns#> . @prefix e: <http://e/> .
            e:a qassay:value 1.0 ; qassay:truePositives 1 ; e:size 2.5e0 , 3 ; e:name '1' .";
        store.load_turtle(turtle, "http://e/graph").unwrap();
        let of = |pattern: &str| {
            let query =
                NamedQuery::written("test", &format!("PREFIX e: <http://e/> SELECT * {{ {pattern} }}"))
                    .unwrap();
            hint(&store, &query).unwrap()
        };
        let decimal = "no row: a triple pattern finds equal terms, `1` is xsd:integer, and the numbers of qassay:value are \
            xsd:decimal. By value: `qassay:value ?number . FILTER(?number = 1)`";
        for pattern in
            ["?o qassay:value 1", "?o qassay:value '1'^^xsd:integer", "GRAPH ?g { ?o qassay:value 1 }"]
        {
            assert_eq!(of(pattern).as_deref(), Some(decimal), "{pattern}");
        }
        assert!(of("?o qassay:value '1'").is_some_and(|told| told.contains("`1` is xsd:string")));
        for pattern in [
            "?o qassay:value 2.0",
            "?o qassay:truePositives 7",
            "?o e:size 4",
            "?o e:name 1",
            "?o qassay:value ?v FILTER(?v = 1)",
            "?o qassay:value 'one'",
            "?o ?p 1",
        ] {
            assert_eq!(of(pattern), None, "{pattern}");
        }
        assert!(
            of("?o e:size 4.0")
                .is_some_and(|told| told.contains("<http://e/size> are xsd:double and xsd:integer"))
        );
    }
}
