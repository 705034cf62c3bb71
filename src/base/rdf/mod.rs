//! GRAPH: where records become RDF, and where RDF is kept and queried.
//!
//! [`vocab`] and [`iri`] name things, [`canonical`] writes graphs byte for byte the same, [`archive`] keeps
//! them. Whatever is queried is a [`Dataset`]: a [`store`], an [`Index`], or a server elsewhere.

pub mod dataset;
pub mod index;
pub mod lines;
pub mod named_query;
pub mod store;
