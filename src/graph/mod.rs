//! GRAPH: where records become RDF, and where RDF is kept and queried.
//!
//! [`vocab`] and [`iri`] name things, [`canonical`] writes graphs byte for byte the same, [`archive`] keeps
//! them, [`store`] is the only place that touches an Oxigraph store or its evaluator.

pub mod answer;
pub mod archive;
mod audit;
pub mod canonical;
mod index;
pub mod iri;
pub mod pattern;
pub mod publish;
mod publish_candidates;
mod publish_query;
pub mod store;
mod table_cells;
pub mod term;

pub use archive::Archive;
pub use audit::audit;
pub use canonical::Lines;
pub use index::Index;

pub use crate::vocab;
