//! Queries for terms, some at a time.

use oxigraph::model::Term;

use crate::base::error::{Error, Result};
use crate::base::rdf::named_query::NamedQuery;
use crate::kb::ask::Asker;
use crate::kb::outcome::{Cause, Outcome};
use crate::sources::document::{AnswerSet, Cell};

/// How many terms are asked for at once.
const AT_ONCE: usize = 50;

/// A statement that was found, without its property.
pub(crate) struct Found {
    pub(crate) subject: Cell,
    pub(crate) object: Cell,
}

/// A query of `queries/kb/`: the first variable is the subject, the second the object, and the terms that are asked for
/// are its parameter `?resource`.
pub(crate) struct Wanted(NamedQuery);

impl Wanted {
    pub(crate) fn new(name: &str) -> Result<Self> {
        NamedQuery::find(name).map(Self)
    }

    /// The query with terms for another parameter.
    pub(crate) fn with(&self, parameter: &str, terms: &[Term]) -> Result<Self> {
        self.0.with(parameter, terms).map(Self)
    }

    /// Asks for terms, some at a time.
    pub(crate) fn ask(&self, asker: &dyn Asker, terms: &[Term]) -> Result<Vec<Found>> {
        let mut found = Vec::new();
        for some in terms.chunks(AT_ONCE) {
            self.ask_for(asker, some, &mut found)?;
        }
        Ok(found)
    }

    fn ask_for(&self, asker: &dyn Asker, terms: &[Term], found: &mut Vec<Found>) -> Result<()> {
        let query = self.0.with("resource", terms)?;
        let failure = match asker.ask(&query.algebra().to_string())? {
            Outcome::Answered(answers) => return take(answers, found),
            Outcome::Failed(failure) => failure,
        };
        let is_too_much = matches!(failure.cause, Cause::TimedOut | Cause::TooManyRows | Cause::OutOfMemory);
        if is_too_much && terms.len() > 1 {
            let (first, second) = terms.split_at(terms.len() / 2);
            self.ask_for(asker, first, found)?;
            return self.ask_for(asker, second, found);
        }
        let about = match terms {
            [one] => format!("for {one}"),
            several => format!("for {} terms", several.len()),
        };
        Err(Error::system(format!("the knowledge base cannot be harvested: {}", failure.message))
            .in_file(query.name())
            .at(about))
    }
}

fn take(answers: AnswerSet, found: &mut Vec<Found>) -> Result<()> {
    for row in answers.rows {
        let Ok([subject, object]) = <[Cell; 2]>::try_from(row.cells) else {
            return Err(Error::system("the knowledge base answers with rows that lack a term"));
        };
        found.push(Found { subject, object });
    }
    Ok(())
}
