//! What an evaluation is checked with, on a server.

use std::collections::BTreeMap;

use oxigraph::model::NamedNode;

use crate::base::error::Result;
use crate::kb::remote::{LentGraphs, RemoteStore, lines};
use crate::sparql::dataset::{Dataset as _, Solution};
use crate::sparql::layers::Layer;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::Store;

/// A layer, with all below it, that a server has.
pub(super) struct RemoteLayer<'a> {
    remote: &'a RemoteStore,
    graphs: LentGraphs<'a>,
    default: NamedNode,
    /// What the named graphs are called here, by their names there.
    called: BTreeMap<String, String>,
}

impl<'a> RemoteLayer<'a> {
    /// Lends a layer to a server.
    pub(super) fn lend(remote: &'a RemoteStore, layer: &Layer) -> Result<Self> {
        let prefix = RemoteStore::prefix()?;
        let (default, named) = layer.statements();
        let default_name = format!("{prefix}default");
        let mut graphs = BTreeMap::from([(default_name.clone(), lines(&default))]);
        let mut called = BTreeMap::new();
        for (number, (name, statements)) in named.into_iter().enumerate() {
            let there = format!("{prefix}{number}");
            graphs.insert(there.clone(), lines(&statements));
            called.insert(there, name);
        }
        let default = NamedNode::new_unchecked(default_name);
        Ok(Self { remote, graphs: remote.lend(graphs)?, default, called })
    }

    /// The rows of a constraint.
    pub(super) fn rows(&self, constraint: &NamedQuery) -> Result<Vec<Solution>> {
        let named = self.called.keys().map(NamedNode::new_unchecked).collect();
        let found = self.remote.found(constraint, [vec![self.default.clone()], named], &self.called)?;
        Store::in_memory()?.select(&found)
    }

    /// Whether the server had all statements all the time.
    pub(super) fn check(&self) -> Result<()> {
        self.graphs.check()
    }
}
