//! What a query asks, how a broken one is repaired, whether the data decide its answer; and whoever answers queries.
//!
//! The rules of `analyse`:
//!
//! - *Patterns.* Every triple pattern counts each time it stands in the text: within groups, UNION, OPTIONAL, MINUS,
//!   LATERAL, GRAPH, SERVICE, sub-queries and (NOT) EXISTS, also where EXISTS is part of BIND or of the projection. Of CONSTRUCT
//!   only the WHERE part counts, of DESCRIBE the WHERE part and the described IRIs as resources.
//! - *Order.* As in the text, save that conditions and other expressions come after the patterns of their group.
//! - *Variables* have no names, and blank nodes are variables: two patterns are equal if their constants are.
//! - *Literals* keep lexical form, datatype and language (in lower case).
//! - *Paths.* Sequence and inverse are the patterns that they stand for, with variables between them: `?x :a/:b ?y` is
//!   `?x :a ?t . ?t :b ?y`, and `?x ^:a ?y` is `?y :a ?x`. Any other path is one pattern whose predicate is the path in
//!   one spelling; each IRI in it is a property. The feature `Path` is for these only.
//! - *Resources* are the IRIs of subjects and objects, and those that are constants of VALUES or of an expression. Names of
//!   functions, of datatypes, of graphs and of services are none, properties neither.
//! - *Properties* are the IRIs of predicates and in paths, `rdf:type` included.
//! - *Item types* are the classes of what is asked for: the IRI `C` in `?v rdf:type C` and `?v wdt:P31 C` for a projected
//!   variable `?v`, also with `*`, `+` or `?` behind the property, and also through `rdfs:subClassOf` or `wdt:P279`, once or
//!   repeated, with or without variables between. A name by AS or BIND is what it names. COUNT, MIN, MAX and SAMPLE ask for
//!   their variable, `COUNT(*)` and `SELECT *` for all that can be seen. MINUS, EXISTS and other forms than SELECT give none.
//!   A sub-query is asked for what the query around it asks of it.
//! - *Features* are seen in keywords, wherever they stand; COUNT in ORDER BY counts.
//!
//! Repairs are tried where the text does not parse as it stands, and are reported: see `REPAIRS`. Each changes what no
//! SPARQL has at that place into what nobody can doubt; none touches what is SPARQL, and no content is guessed. Only those
//! are used without which the text does not parse. Pseudo terms of hybrid questions are read as terms, so that the rest can
//! be looked at; such a query stays a pseudo query (`QueryGraph::is_pseudo`).
//!
//! Texts that would keep the parser busy for ever or overflow its stack are not read: limits of ours, told as such.

pub mod chance;
pub mod collect;
pub mod dataset;
pub mod edit;
pub mod error;
pub mod features;
pub mod index;
pub mod item_types;
pub mod java;
pub mod layers;
pub mod lexer;
pub mod limits;
pub mod named_query;
pub mod numbered;
pub mod numbers;
pub mod order;
pub(crate) mod pairs;
pub mod parse;
pub mod parts;
pub mod prefixes;
pub mod print;
pub mod read;
pub mod repair;
pub mod store;
#[cfg(test)]
mod tests;
pub mod timed;
pub mod touched;
pub mod typed;
pub mod walk;
pub mod written;
