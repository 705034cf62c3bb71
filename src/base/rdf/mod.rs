//! GRAPH: where records become RDF, and where RDF is kept and queried.
//!
//! [`vocab`] and [`iri`] name things, [`canonical`] writes graphs byte for byte the same, [`archive`] keeps
//! them, [`store`] is the only place that touches an Oxigraph store or its evaluator.

pub mod index;
pub mod lines;
pub mod store;
