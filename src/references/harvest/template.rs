//! Queries with terms in their VALUES.

use oxigraph::model::{Term, Variable};
use spargebra::algebra::GraphPattern;
use spargebra::term::GroundTerm;
use spargebra::{Query, SparqlParser};

use crate::base::error::{Error, Result};
use crate::base::query::QueryFile;
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
/// stand in the VALUES of `?resource`.
pub(crate) struct Wanted {
    name: &'static str,
    query: Query,
}

impl Wanted {
    pub(crate) fn new(name: &'static str) -> Result<Self> {
        let file = QueryFile::find(name)?;
        let query = SparqlParser::new().parse_query(file.text);
        let query =
            query.map_err(|error| Error::system(format!("the query {name} is no SPARQL: {error}")))?;
        Ok(Self { name, query })
    }

    /// The query with terms for another of its variables.
    pub(crate) fn with(mut self, variable: &str, terms: &[Term]) -> Self {
        self.query = filled(&self.query, variable, terms);
        self
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
        let failure = match asker.ask(&filled(&self.query, "resource", terms).to_string())? {
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
            .in_file(format!("queries/{}.rq", self.name))
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

/// The query with terms in the VALUES of a variable.
fn filled(query: &Query, variable: &str, terms: &[Term]) -> Query {
    let mut query = query.clone();
    if let Query::Select { pattern, .. } = &mut query {
        fill(pattern, &Variable::new_unchecked(variable), terms);
    }
    query
}

fn fill(pattern: &mut GraphPattern, variable: &Variable, terms: &[Term]) {
    match pattern {
        GraphPattern::Values { variables, bindings }
            if variables.as_slice() == std::slice::from_ref(variable) =>
        {
            let row = |term: &Term| match term {
                Term::NamedNode(node) => Some(vec![Some(GroundTerm::from(node.clone()))]),
                Term::Literal(literal) => Some(vec![Some(GroundTerm::from(literal.clone()))]),
                Term::BlankNode(_) => None,
            };
            *bindings = terms.iter().filter_map(row).collect();
        }
        GraphPattern::Join { left, right } => {
            fill(left, variable, terms);
            fill(right, variable, terms);
        }
        GraphPattern::Filter { inner, .. } | GraphPattern::Project { inner, .. } => {
            fill(inner, variable, terms);
        }
        _ => {}
    }
}
