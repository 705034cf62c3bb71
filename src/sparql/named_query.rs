//! A query with a name: parsed once, with terms in its parameters, and known by its name where it fails.
//!
//! A parameter is a variable with VALUES of its own, as in `VALUES ?resource { UNDEF }`. Terms are put there in the
//! algebra, never into the text: so a query with terms can be sent to whoever reads SPARQL.

use oxigraph::model::{NamedNode, Term, Variable};
use oxigraph::sparql::QueryEvaluationError;
use spargebra::algebra::{GraphPattern, QueryDataset};
use spargebra::term::GroundTerm;
use spargebra::{Query, SparqlParser};

use crate::base::error::{Error, Result};
use crate::base::query::QueryFile;
use crate::base::text;
use crate::sparql::limits::refuse_heavy;
use crate::sparql::parts::patterns_mut;
use crate::sparql::typed;

/// A query with a name.
#[derive(Debug, Clone)]
pub struct NamedQuery {
    /// The path of its file, or what its author calls it.
    name: String,
    /// Whether it is a file of `queries/`: then its failures are ours.
    is_ours: bool,
    algebra: Query,
}

impl NamedQuery {
    /// A query of `queries/` by folder and name, as in `report/graphs`.
    pub fn find(name: &str) -> Result<Self> {
        Self::of(QueryFile::find(name)?)
    }

    /// A query of `queries/`.
    pub fn of(file: &QueryFile) -> Result<Self> {
        let name = file.path();
        match SparqlParser::new().parse_query(file.text) {
            Ok(algebra) => Ok(Self { name, is_ours: true, algebra }),
            Err(error) => Err(Error::input(format!("the query is no SPARQL: {error}")).in_file(name)),
        }
    }

    /// A query that a user wrote, and what it is called. It need not declare the prefixes of the archive.
    pub fn written(name: impl Into<String>, text: &str) -> Result<Self> {
        let name = name.into();
        // The parser calls itself for brackets and operators, and reads some calls again and again: too many would end
        // the program, or keep it busy for ever.
        refuse_heavy(text).map_err(|why| {
            Error::input(why.to_string())
                .in_file(name.as_str())
                .hint("split the query; or `qassay export` writes files that every SPARQL store reads")
        })?;
        let algebra = typed::parse(text).map_err(|error| error.in_file(name.as_str()))?;
        Ok(Self { name, is_ours: false, algebra })
    }

    /// The query over other graphs than it names itself (SPARQL 1.1 Protocol, section 2.1.4).
    #[must_use]
    pub fn over(mut self, default: Vec<NamedNode>, named: Vec<NamedNode>) -> Self {
        let (Query::Select { dataset, .. }
        | Query::Ask { dataset, .. }
        | Query::Construct { dataset, .. }
        | Query::Describe { dataset, .. }) = &mut self.algebra;
        *dataset = Some(QueryDataset { default, named: Some(named) });
        self
    }

    /// Another query in place of this one, known by its name.
    #[must_use]
    pub(crate) fn replaced(self, algebra: Query) -> Self {
        Self { algebra, ..self }
    }

    /// The graphs that it asks to be its dataset.
    pub fn dataset(&self) -> impl Iterator<Item = &str> {
        let dataset = self.algebra.dataset();
        let named = dataset.and_then(|dataset| dataset.named.as_ref()).into_iter().flatten();
        dataset.into_iter().flat_map(|dataset| &dataset.default).chain(named).map(NamedNode::as_str)
    }

    /// What is run. As a text: [`printed`](crate::sparql::print::printed).
    pub fn algebra(&self) -> &Query {
        &self.algebra
    }

    /// Whether what it finds are statements, and neither rows nor an answer.
    pub fn gives_statements(&self) -> bool {
        matches!(self.algebra, Query::Construct { .. } | Query::Describe { .. })
    }

    /// What it is called in messages: the path of its file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The query with terms for a parameter: the rows are those of all terms. Blank nodes are left out, as nobody but their
    /// store knows them. A query without this parameter is an error.
    pub fn with(&self, parameter: &str, terms: &[Term]) -> Result<Self> {
        let mut query = self.clone();
        let (Query::Select { pattern, .. }
        | Query::Ask { pattern, .. }
        | Query::Construct { pattern, .. }
        | Query::Describe { pattern, .. }) = &mut query.algebra;
        if fill(pattern, &Variable::new_unchecked(parameter), terms) {
            return Ok(query);
        }
        Err(Error::system(format!("the query has no parameter: no VALUES ?{parameter}")).in_file(query.name))
    }

    /// The query where variables are these terms: as if `VALUES` stood at its end (SPARQL 1.1 Query Language, section 10.2).
    ///
    /// # Errors
    /// Where it gives statements, or a variable is none of its columns.
    pub fn bound(mut self, bindings: &[(String, Term)]) -> Result<Self> {
        if bindings.is_empty() {
            return Ok(self);
        }
        let Query::Select { pattern, .. } = &mut self.algebra else { return Err(self.is_not("SELECT")) };
        let columns = columns(pattern);
        for (name, _) in bindings {
            if columns.iter().all(|column| column.as_str() != name) {
                let all: Vec<String> = columns.iter().map(ToString::to_string).collect();
                return Err(Error::input(format!("the query has no column `?{}`", text::name(name)))
                    .in_file(self.name.as_str())
                    .allowed(all.join(", ")));
            }
        }
        let variables: Vec<Variable> =
            bindings.iter().map(|(name, _)| Variable::new_unchecked(name.as_str())).collect();
        let terms = bindings.iter().map(|(_, term)| GroundTerm::try_from(term.clone()).ok()).collect();
        let inner = below_values(pattern, &variables);
        let values = GraphPattern::Values { variables, bindings: vec![terms] };
        let asked = std::mem::take(inner);
        *inner = GraphPattern::Join { left: Box::new(values), right: Box::new(asked) };
        Ok(self)
    }

    /// The error of a run that failed.
    pub fn failed(&self, error: &QueryEvaluationError) -> Error {
        let text = format!("the query cannot be evaluated: {error}");
        let told =
            if self.is_ours { Error::system(text) } else { Error::input(text) }.in_file(self.name.as_str());
        match error {
            QueryEvaluationError::Service(_)
            | QueryEvaluationError::UnboundService
            | QueryEvaluationError::InvalidServiceName(_)
            | QueryEvaluationError::UnsupportedService(_) => {
                told.hint("SERVICE is off: qassay does not query the network")
            }
            _ => told,
        }
    }

    /// The error of a query that is of another form.
    pub(crate) fn is_not(&self, form: &str) -> Error {
        Error::input(format!("the query is no {form} query")).in_file(self.name.as_str())
    }
}

/// What the columns of a query are.
fn columns(pattern: &GraphPattern) -> &[Variable] {
    match pattern {
        GraphPattern::Project { variables, .. } => variables,
        GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner } => columns(inner),
        _ => &[],
    }
}

/// The part of a query that `VALUES` at its end would be joined with: what is computed of its solutions comes later, but for what
/// is already known.
fn below_values<'p>(pattern: &'p mut GraphPattern, known: &[Variable]) -> &'p mut GraphPattern {
    match pattern {
        GraphPattern::Extend { variable, .. } if known.contains(variable) => pattern,
        GraphPattern::Project { inner, .. }
        | GraphPattern::Slice { inner, .. }
        | GraphPattern::Distinct { inner }
        | GraphPattern::Reduced { inner }
        | GraphPattern::OrderBy { inner, .. }
        | GraphPattern::Extend { inner, .. } => below_values(inner, known),
        _ => pattern,
    }
}

/// Puts terms into the VALUES of a variable, wherever they are; says whether there were any.
fn fill(pattern: &mut GraphPattern, variable: &Variable, terms: &[Term]) -> bool {
    if let GraphPattern::Values { variables, bindings } = pattern
        && variables.as_slice() == std::slice::from_ref(variable)
    {
        let ground = terms.iter().filter_map(|term| GroundTerm::try_from(term.clone()).ok());
        *bindings = ground.map(|term| vec![Some(term)]).collect();
        return true;
    }
    let mut found = false;
    for part in patterns_mut(pattern) {
        found |= fill(part, variable, terms);
    }
    found
}

#[cfg(test)]
mod tests {
    use oxigraph::model::{BlankNode, Literal, NamedNode};

    use super::*;

    #[test]
    fn terms_stand_in_values_wherever_they_are() {
        let texts = [
            "SELECT ?s WHERE { VALUES ?x { UNDEF } ?s ?p ?x }",
            "SELECT (COUNT(?s) AS ?n) WHERE { GRAPH ?g { ?s ?p ?x } VALUES ?x { UNDEF } } GROUP BY ?g HAVING (COUNT(?s) > 1) ORDER BY ?n LIMIT 3",
            "ASK { ?s ?p ?o OPTIONAL { VALUES ?x { UNDEF } ?s ?q ?x } MINUS { ?s a ?c } }",
            "CONSTRUCT { ?s ?p ?x } WHERE { { SELECT ?s ?x { ?s ?p ?x VALUES ?x { 1 2 } } } UNION { ?s ?q 1 } }",
        ];
        let terms = [
            Literal::new_simple_literal("\" } DROP ALL #\\").into(),
            NamedNode::new_unchecked("http://e/a").into(),
            BlankNode::new_unchecked("b").into(),
        ];
        for text in texts {
            let query = NamedQuery::written("test", text).unwrap();
            let filled = query.with("x", &terms).unwrap();
            let printed = crate::sparql::print::printed(filled.algebra());
            assert!(printed.contains(r#"( "\" } DROP ALL #\\" ) ( <http://e/a> )"#), "{printed}");
            NamedQuery::written("test", &printed).unwrap();
            assert!(query.with("y", &terms).is_err(), "{text}");
        }
    }
}
