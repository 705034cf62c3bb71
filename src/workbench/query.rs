//! Asking an archive.

use crate::base::error::Result;
use crate::base::watch::{Steps, Watcher};
use crate::sparql::dataset::Dataset as _;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::store::Store;
use crate::workbench::Workbench;

impl Workbench {
    /// Everything that the archive holds, with the ontology, to ask it anything. Link sets only where asked for, as named
    /// graphs.
    ///
    /// # Errors
    /// Where there is no archive, or a record or a graph cannot be read.
    pub fn everything(&self, with_links: bool, watcher: &dyn Watcher) -> Result<Store> {
        let archived = self.archived()?;
        let store = archived.store()?;
        let steps = Steps::new(watcher, "loading", archived.graphs.len());
        for graph in &archived.graphs {
            watcher.check()?;
            if !graph.is_links() || with_links {
                archived.load(graph, &store)?;
            }
            steps.step();
        }
        drop(steps);
        let only_files = archived.metadata.select(&NamedQuery::find("report/files-only")?)?.len();
        if with_links && only_files > 0 {
            let sets = if only_files == 1 {
                "1 link set is".to_owned()
            } else {
                format!("{only_files} link sets are")
            };
            watcher.note(&format!(
                "note: {sets} kept as a file only, too large for a graph; `qassay links show` reads it"
            ));
        }
        Ok(store)
    }
}
