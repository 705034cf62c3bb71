//! Dumps in a store that answers queries.
//!
//! Every statement is in the default graph, so that a query without GRAPH sees all; those of named graphs are in their
//! graphs too. The store writes typed literals in its own way (`01` is `1`, `xsd:int` is `xsd:integer`): what it gives
//! back is the answer.

use oxigraph::model::{GraphName, Quad};
use oxigraph::store::Store;

use crate::base::error::{Error, Result};
use crate::kb::dump::Dump;

/// Statements that are given to the store at once.
const BATCH: usize = 100_000;

/// Loads all dumps into a store.
pub(crate) fn load(store: &Store, dumps: &[Dump]) -> Result<()> {
    let mut loader = store.bulk_loader();
    let mut batch: Vec<Quad> = Vec::new();
    for (number, dump) in dumps.iter().enumerate() {
        dump.read(number, &mut |quad| {
            if quad.graph_name != GraphName::DefaultGraph {
                batch.push(Quad { graph_name: GraphName::DefaultGraph, ..quad.clone() });
            }
            batch.push(quad);
            if batch.len() < BATCH {
                return Ok(());
            }
            loader.load_quads(std::mem::take(&mut batch)).map_err(|error| failed(&error))
        })?;
    }
    loader.load_quads(batch).map_err(|error| failed(&error))?;
    loader.commit().map_err(|error| failed(&error))
}

/// The store failed.
pub(crate) fn failed(error: &impl std::fmt::Display) -> Error {
    Error::system(format!("the store of the knowledge base failed: {error}"))
}
