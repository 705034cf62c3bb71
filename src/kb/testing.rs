//! A small knowledge base in the process itself, for tests.

use oxigraph::io::RdfFormat;
use oxigraph::sparql::CancellationToken;
use oxigraph::store::Store;

use crate::base::error::Result;
use crate::kb::ask::{Asker, Limits};
use crate::kb::evaluate::evaluate;
use crate::kb::outcome::{Cause, Outcome};

/// Towns with sizes, of which some are equal, and the countries that they are in.
pub(crate) const TOWNS: &str =
    ":a :size 5 ; :in :x . :b :size 5 ; :in :x . :c :size 4.0 ; :in :y . :d :size 4 ; :in :y .
    :e :size 1 ; :in :y . :f :size 9 . :x :name 'X' . :y :name 'Y' .";

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
