//! Repairs: what everybody understands and the standard does not allow.
//!
//! [`REPAIRS`] is the table; each line is a function over the pieces of a text. They run one after the other over a text
//! that does not parse, each on what the one before left, and each changes only what no SPARQL has at that place. Then
//! those that were not needed are taken back: no smaller choice of the repairs that were used makes the text parse.

pub mod braces;
pub mod escaped;
pub mod from;
pub mod having;
pub mod labels;
pub mod local;
pub mod mark;
#[cfg(test)]
mod meaning;
pub mod names;
pub mod not;
pub mod prefix;
pub mod projection;
pub mod scope;
pub mod shape;
#[cfg(test)]
mod shapes;
pub mod terms;
#[cfg(test)]
mod tests;

use crate::sparql::edit::{Edited, Edits};
use crate::sparql::error::Unparsable;
use crate::sparql::lexer::{Token, tokens};
use crate::sparql::limits::refuse_deep;

/// A kind of repair: a concept `code:repair-NAME` of the ontology.
#[derive(Debug)]
pub struct RepairKind {
    /// Its name, words with hyphens.
    pub name: &'static str,
    /// What is wrong, as part of a sentence.
    pub problem: &'static str,
    /// What it does and when: the definition in the ontology.
    pub definition: &'static str,
    /// A piece of a query before and after.
    pub example: (&'static str, &'static str),
    apply: fn(&Given<'_>, &mut Changes),
}

/// All kinds of repairs, in the order in which they are tried.
pub static REPAIRS: &[&RepairKind] = &[
    &mark::BYTE_ORDER_MARK,
    &escaped::ESCAPED_TEXT,
    &terms::TEXT_TERM,
    &terms::TEXT_STATEMENT,
    &terms::BARE_IRI,
    &local::LOCAL_NAME,
    &labels::BLANK_LABEL,
    &prefix::PREFIX,
    &not::NOT_CALL,
    &braces::LAST_BRACE,
    &from::INNER_FROM,
    &having::BARE_HAVING,
    &projection::BRACKETED_VARIABLE,
    &names::BARE_CALL,
    &names::NO_NAME,
    &scope::ALIAS_IN_SCOPE,
    &scope::NO_GROUP,
];

/// What had to be done to a query so that it parses.
#[derive(Debug, Clone)]
pub struct Repair {
    kind: &'static RepairKind,
    about: Option<String>,
}

impl Repair {
    /// The kind of repair, words with hyphens.
    pub fn name(&self) -> &'static str {
        self.kind.name
    }

    /// Whether the text was no SPARQL at all: pseudo terms of hybrid questions were taken as terms, so that it parses.
    /// No such query may be asked of a knowledge base.
    pub fn is_of_pseudo_query(&self) -> bool {
        [terms::TEXT_TERM.name, terms::TEXT_STATEMENT.name].contains(&self.name())
    }
}

impl PartialEq for Repair {
    fn eq(&self, other: &Self) -> bool {
        (self.name(), &self.about) == (other.name(), &other.about)
    }
}

impl Eq for Repair {}

impl std::fmt::Display for Repair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.about {
            Some(about) => write!(f, "the prefix `{about}:` {}", self.kind.problem),
            None => f.write_str(self.kind.problem),
        }
    }
}

/// A text and its pieces.
struct Given<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
}

impl<'a> Given<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, tokens: tokens(text) }
    }

    /// What stands at the offset, up to the end.
    fn rest(&self, offset: usize) -> &'a str {
        self.text.get(offset..).unwrap_or_default()
    }

    /// Whether nothing stands between two pieces.
    fn touch(&self, first: usize) -> bool {
        matches!(self.tokens.get(first..first + 2), Some([a, b]) if a.end() == b.start)
    }
}

/// What a repair changes, and what about; one repair is reported for each thing, one if there is none.
#[derive(Default)]
struct Changes {
    edits: Edits,
    about: Vec<String>,
}

/// The text after all repairs but some, and what was done. A change may bring to light what is too deep.
pub(crate) fn repair(text: &str, without: &[&str]) -> Result<(Edited, Vec<Repair>), Unparsable> {
    let (mut edited, mut repairs) = (Edited::unchanged(text), Vec::new());
    for kind in REPAIRS.iter().copied().filter(|kind| !without.contains(&kind.name)) {
        let mut changes = Changes::default();
        (kind.apply)(&Given::of(&edited.text), &mut changes);
        if changes.edits.is_empty() {
            continue;
        }
        edited.change(changes.edits);
        refuse_deep(&tokens(&edited.text))?;
        if changes.about.is_empty() {
            repairs.push(Repair { kind, about: None });
        }
        repairs.extend(changes.about.into_iter().map(|about| Repair { kind, about: Some(about) }));
    }
    Ok((edited, repairs))
}

/// A prefix that is neither declared nor known, as the reason why a query cannot be read.
pub(crate) fn unknown_prefix(edited: &Edited) -> Option<Unparsable> {
    let given = Given::of(&edited.text);
    let token = prefix::undeclared(&given.tokens).into_iter().next()?;
    let (prefix, _) = token.name()?;
    Some(Unparsable::at(&edited.text, token.start, format!("the prefix `{prefix}:` is not declared")))
}
