//! Files of statements that an evaluation refers to: links, labels, classes. All are RDF, recognised by content.

use oxigraph::model::{NamedOrBlankNode, Quad, Term};

use super::quads::{Reading, each_quad};
use crate::error::{Error, Result};
use crate::graph::vocab::rdfs;
use crate::read::{Issue, IssueCode, Place, Source, Syntax};

/// What statements a file is read for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// The predicate.
    pub(super) predicate: &'static str,
    /// Whether objects are literals, else IRIs.
    pub(super) literals: bool,
    /// What the file is read as, in messages: `links`.
    pub(super) name: &'static str,
    /// One statement in words.
    pub(super) example: &'static str,
}

/// The statements of a file with one predicate, as written.
#[derive(Debug, Default)]
pub struct StatementSet {
    pub(super) pairs: Vec<(String, Term)>,
    pub(super) media_type: &'static str,
    /// What is in the file and is no such statement.
    pub issues: Vec<Issue>,
}

impl StatementSet {
    /// Reads the `rdfs:label` statements of an RDF file.
    pub fn labels(source: &Source) -> Result<Self> {
        let example = "<a> rdfs:label \"label\"@en";
        Self::read(source, Wanted { predicate: rdfs::LABEL, literals: true, name: "labels", example })
    }

    /// Reads the `rdfs:subClassOf` statements of an RDF file.
    pub fn classes(source: &Source) -> Result<Self> {
        let example = "<a> rdfs:subClassOf <b>";
        Self::read(
            source,
            Wanted { predicate: rdfs::SUB_CLASS_OF, literals: false, name: "classes", example },
        )
    }

    fn read(source: &Source, wanted: Wanted) -> Result<Self> {
        let mut pairs = Vec::new();
        let read = read(source, wanted, |subject, object| pairs.push((subject, object)))?;
        Ok(Self { pairs, media_type: read.media_type, issues: read.issues })
    }

    /// The media type of the syntax it was read in.
    pub fn media_type(&self) -> &'static str {
        self.media_type
    }

    /// Subject and object of each statement, in file order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &Term)> {
        self.pairs.iter().map(|(subject, object)| (subject.as_str(), object))
    }
}

/// What a file is, and what is odd about it.
pub(super) struct Statements {
    pub(super) media_type: &'static str,
    pub(super) issues: Vec<Issue>,
}

/// Reads statements of any syntax and gives subject and object of what is wanted to `each`. Graph names do
/// not matter.
pub(super) fn read(
    source: &Source,
    wanted: Wanted,
    mut each: impl FnMut(String, Term),
) -> Result<Statements> {
    let reading = Reading { file: source.name(), name: wanted.name, predicate: wanted.predicate };
    let (mut found, mut others) = (0u64, 0u64);
    let (syntax, odd) = each_quad(reading, &mut source.content(), |quad| {
        match quad {
            Quad { subject: NamedOrBlankNode::NamedNode(from), predicate, object, .. }
                if predicate.as_str() == wanted.predicate && is_wanted(&object, wanted) =>
            {
                each(from.into_string(), object);
                found += 1;
            }
            _ => others += 1,
        }
        Ok(())
    })?;
    if found == 0 {
        return Err(Error::input(format!("there is no `{}` in it", wanted.example))
            .in_file(source.name())
            .allowed(format!("{} with statements `{}`", Syntax::ALLOWED, wanted.example)));
    }
    let message = format!("{others} statements are no `{}` and are not used", wanted.example);
    let others = (others > 0).then(|| Issue::new(IssueCode::NotALink, &Place::default(), message));
    let issues = source.encoding_issue().cloned().into_iter().chain(odd).chain(others).collect();
    Ok(Statements { media_type: syntax.media_type(), issues })
}

fn is_wanted(object: &Term, wanted: Wanted) -> bool {
    match object {
        Term::NamedNode(_) => !wanted.literals,
        Term::Literal(_) => wanted.literals,
        Term::BlankNode(_) => false,
    }
}
