//! A small knowledge base in the process itself, for tests.

use oxigraph::io::RdfFormat;
use oxigraph::sparql::CancellationToken;
use oxigraph::store::Store;

use crate::base::error::Result;
use crate::kb::ask::{Asker, Limits};
use crate::kb::evaluate::evaluate;
use crate::kb::outcome::{Cause, Outcome};

/// A few triples.
pub(crate) struct TestKb(Store);

impl TestKb {
    /// Reads Turtle; `:` is `http://e/`.
    pub(crate) fn new(turtle: &str) -> Self {
        let store = Store::new().expect("a store");
        let text = format!("@prefix : <http://e/> . {turtle}");
        store.load_from_slice(RdfFormat::Turtle, &text).expect("Turtle");
        Self(store)
    }
}

impl Asker for TestKb {
    fn ask(&self, query: &str) -> Result<Outcome> {
        if query.contains("never") {
            return Ok(Outcome::failed(Cause::TimedOut, "stopped after 1 s"));
        }
        evaluate(&self.0, query, &Limits::default(), CancellationToken::new())
    }
}
