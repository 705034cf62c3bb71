//! Harvesting: what an evaluation needs of a knowledge base, asked for and written as a file of statements.
//!
//! The queries are files of `queries/kb/`; the resources or texts in question stand in VALUES, some at a time, in an order
//! that is always the same. A query that is too much is asked again in halves; one that fails with a single term is an
//! error: a part of the statements must not look like all of them. The file is N-Triples in byte order, with comments
//! that say where it is from.

pub mod harvester;
pub mod needs;
#[cfg(test)]
mod tests;

use crate::base::error::{Error, Result};
use crate::base::vocab::{dbo, owl, rdf, rdfs, skos};
use crate::kb::ask::Asker;
use crate::kb::endpoint::dataset::term;
use crate::kb::outcome::{Cause, Outcome};
use crate::references::harvest::needs::Needs;
use crate::references::normalise::{is_of_links, normal_form};
use crate::sources::document::{AnswerSet, Cell, CellKind};
use crate::sources::file::source::Source;
use crate::sparql::named_query::NamedQuery;
use crate::sparql::print::printed;
use oxigraph::model::{Literal, NamedNode, Term, Triple};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Read as _;

/// The most classes that a hierarchy may have: below a cycle of mistakes, it ends here.
const MOST_STEPS: usize = 100;

/// Where statements were harvested, and when: what the head of the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Harvested {
    /// Who was asked: the address of an endpoint, or the IRI of a knowledge base.
    pub source: String,
    /// When: `xsd:dateTime`.
    pub time: String,
}

/// The most resources whose links are asked for.
const MOST_LINKED: usize = 1_000_000;

/// The most bytes that the first lines may have.
const LONGEST_HEAD: u64 = 1 << 14;

/// The properties that hold labels, with their queries: the labels of resources, and the resources with labels.
const LABELS: [(&str, &str, &str); 3] = [
    (rdfs::LABEL, "kb/rdfs-label-of", "kb/rdfs-label-to"),
    (skos::PREF_LABEL, "kb/skos-pref-label-of", "kb/skos-pref-label-to"),
    (skos::ALT_LABEL, "kb/skos-alt-label-of", "kb/skos-alt-label-to"),
];

/// The `owl:sameAs` links of resources in both directions, and where wanted, what they redirect to
/// (`dbo:wikiPageRedirects`); then those of what they are linked with, until nothing is new: what a file of all links would
/// put in one cluster is in one here. A resource is asked for as it is written and by its normal form.
///
/// # Errors
/// Where the knowledge base fails, or clusters have more than a million resources together.
pub fn links(
    asker: &dyn Asker,
    resources: &BTreeSet<String>,
    redirects: bool,
    origin: &Harvested,
) -> Result<Vec<u8>> {
    let mut queries = vec![("kb/links-from", owl::SAME_AS), ("kb/links-to", owl::SAME_AS)];
    if redirects {
        queries.push(("kb/redirects", dbo::WIKI_PAGE_REDIRECTS));
    }
    let mut found = HarvestFile::new("links", 0, 0);
    let (mut new, mut known) = (spellings(resources.iter()), BTreeSet::new());
    while !new.is_empty() {
        let (terms, odd) = iris(&new);
        (found.asked, found.odd) = (found.asked + terms.len(), found.odd + odd);
        known.extend(new);
        if known.len() > MOST_LINKED {
            return Err(Error::limit(format!(
                "more than {MOST_LINKED} resources are linked with each other"
            ))
            .hint("are there links that are wrong? `qassay links check` looks for them in files"));
        }
        let mut ends = BTreeSet::new();
        for (name, property) in &queries {
            let rows = KbQuery::new(name)?.ask(asker, &terms)?;
            found.add(&rows, property);
            let cells = rows.into_iter().flat_map(|row| [row.subject, row.object]);
            ends.extend(cells.filter(|cell| cell.kind == CellKind::Uri).map(|cell| cell.value));
        }
        new = &spellings(ends.iter()) - &known;
    }
    Ok(found.write(origin))
}

/// IRIs with their normal forms.
fn spellings<'a>(iris: impl Iterator<Item = &'a String>) -> BTreeSet<String> {
    iris.flat_map(|iri| [iri.clone(), normal_form(iri, &is_of_links).0.into_owned()]).collect()
}

/// Labels (`rdfs:label`, `skos:prefLabel`, `skos:altLabel`) in some languages and without one: those of resources, and all
/// statements that have one of some texts as label.
pub fn labels(asker: &dyn Asker, needs: &Needs, origin: &Harvested) -> Result<Vec<u8>> {
    let (resources, odd) = iris(&needs.called);
    let languages: BTreeSet<String> =
        needs.languages.iter().map(|tag| tag.to_ascii_lowercase()).chain([String::new()]).collect();
    let tags: Vec<Term> = languages.iter().map(|tag| Literal::new_simple_literal(tag).into()).collect();
    let mut texts: Vec<Term> = Vec::new();
    for text in &needs.texts {
        texts.push(Literal::new_simple_literal(text).into());
        // A tag that is none labels nothing.
        let tagged = languages.iter().filter_map(|tag| Literal::new_language_tagged_literal(text, tag).ok());
        texts.extend(tagged.map(Term::from));
    }
    let mut found = HarvestFile::new("labels", resources.len() + needs.texts.len(), odd);
    for (property, of, to) in LABELS {
        found.add(&KbQuery::new(of)?.with("language", &tags)?.ask(asker, &resources)?, property);
        found.add(&KbQuery::new(to)?.ask(asker, &texts)?, property);
    }
    Ok(found.write(origin))
}

/// The types (`rdf:type`) of resources.
pub fn types(asker: &dyn Asker, resources: &BTreeSet<String>, origin: &Harvested) -> Result<Vec<u8>> {
    let (terms, odd) = iris(resources);
    let mut found = HarvestFile::new("types", terms.len(), odd);
    found.add(&KbQuery::new("kb/types")?.ask(asker, &terms)?, rdf::TYPE);
    Ok(found.write(origin))
}

/// The classes above classes (`rdfs:subClassOf`), step by step to the top.
pub fn classes(asker: &dyn Asker, classes: &BTreeSet<String>, origin: &Harvested) -> Result<Vec<u8>> {
    let (mut terms, odd) = iris(classes);
    let mut found = HarvestFile::new("classes", terms.len(), odd);
    let wanted = KbQuery::new("kb/classes")?;
    let mut known: BTreeSet<String> = classes.clone();
    for _ in 0..MOST_STEPS {
        let rows = wanted.ask(asker, &terms)?;
        found.add(&rows, rdfs::SUB_CLASS_OF);
        let above: BTreeSet<String> = rows.into_iter().map(|row| row.object.value).collect();
        let new: BTreeSet<String> = above.difference(&known).cloned().collect();
        if new.is_empty() {
            break;
        }
        terms = iris(&new).0;
        known.extend(new);
    }
    Ok(found.write(origin))
}

/// The texts that are IRIs, in order, and how many are none: no knowledge base has them.
fn iris(texts: &BTreeSet<String>) -> (Vec<Term>, usize) {
    let iris: Vec<Term> = texts.iter().filter_map(|text| NamedNode::new(text).ok()).map(Term::from).collect();
    let odd = texts.len() - iris.len();
    (iris, odd)
}

/// Statements, each once, in the order of their lines.
pub(crate) struct HarvestFile {
    /// What they are, for the head of the file.
    what: &'static str,
    asked: usize,
    /// How many texts are no IRIs and were not asked for.
    odd: usize,
    lines: BTreeSet<String>,
    /// How many statements have a term that RDF cannot hold: an IRI with a space, a tag that is none.
    unwritten: usize,
}

impl HarvestFile {
    pub(crate) fn new(what: &'static str, asked: usize, odd: usize) -> Self {
        Self { what, asked, odd, lines: BTreeSet::new(), unwritten: 0 }
    }

    pub(crate) fn add(&mut self, found: &[SubjectObject], property: &'static str) {
        for SubjectObject { subject, object } in found {
            let subject = NamedNode::new(&subject.value).ok().filter(|_| subject.kind == CellKind::Uri);
            let object = term(object).filter(|object| !object.is_blank_node());
            match subject.zip(object) {
                Some((subject, object)) => {
                    let triple = Triple::new(subject, NamedNode::new_unchecked(property), object);
                    self.lines.insert(format!("{triple} ."));
                }
                None => self.unwritten += 1,
            }
        }
    }

    /// The file.
    pub(crate) fn write(self, origin: &Harvested) -> Vec<u8> {
        let Self { what, asked, odd, lines, unwritten } = self;
        let mut text = String::new();
        let mut line = |words: String| writeln!(text, "{words}").expect("writing to memory cannot fail");
        // Comments end with the line.
        let one_line = |text: &str| text.replace(char::is_control, " ");
        line(format!("# {what}: {} statements about {asked} resources or texts", lines.len()));
        line(format!("# from <{}>", one_line(&origin.source)));
        line(format!("# at {}, by qassay {}", one_line(&origin.time), env!("CARGO_PKG_VERSION")));
        if odd > 0 {
            line(format!("# not asked for, because they are no IRIs: {odd}"));
        }
        if unwritten > 0 {
            line(format!("# not written, because a term of theirs is no RDF: {unwritten}"));
        }
        lines.into_iter().for_each(line);
        text.into_bytes()
    }
}

/// How many terms are asked for at once.
const AT_ONCE: usize = 50;

/// A statement that was found, without its property.
pub(crate) struct SubjectObject {
    pub(crate) subject: Cell,
    pub(crate) object: Cell,
}

/// A query of `queries/kb/`: the first variable is the subject, the second the object, and the terms that are asked for
/// are its parameter `?resource`.
pub(crate) struct KbQuery(NamedQuery);

impl KbQuery {
    pub(crate) fn new(name: &str) -> Result<Self> {
        NamedQuery::find(name).map(Self)
    }

    /// The query with terms for another parameter.
    pub(crate) fn with(&self, parameter: &str, terms: &[Term]) -> Result<Self> {
        self.0.with(parameter, terms).map(Self)
    }

    /// Asks for terms, some at a time.
    pub(crate) fn ask(&self, asker: &dyn Asker, terms: &[Term]) -> Result<Vec<SubjectObject>> {
        let mut found = Vec::new();
        for some in terms.chunks(AT_ONCE) {
            self.ask_for(asker, some, &mut found)?;
        }
        Ok(found)
    }

    fn ask_for(&self, asker: &dyn Asker, terms: &[Term], found: &mut Vec<SubjectObject>) -> Result<()> {
        let query = self.0.with("resource", terms)?;
        let failure = match asker.ask(&printed(query.algebra()))? {
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

fn take(answers: AnswerSet, found: &mut Vec<SubjectObject>) -> Result<()> {
    for row in answers.rows {
        let [subject, object] = &row.cells[..] else {
            return Err(Error::system("the knowledge base answers with rows that lack a term"));
        };
        found.push(SubjectObject { subject: subject.clone(), object: object.clone() });
    }
    Ok(())
}

/// What the head of a harvested file says; nothing for any other file.
pub fn head(source: &Source) -> Option<Harvested> {
    let mut start = Vec::new();
    let read = source.with_bytes(|bytes| Ok(bytes.take(LONGEST_HEAD).read_to_end(&mut start).is_ok()));
    read.ok().filter(|is_read| *is_read)?;
    let text = String::from_utf8_lossy(&start);
    let mut lines = text.lines();
    lines.next().filter(|what| what.starts_with("# ") && what.ends_with(" resources or texts"))?;
    let from = lines.next()?.strip_prefix("# from <")?.strip_suffix('>')?;
    let (time, _) = lines.next()?.strip_prefix("# at ")?.split_once(", by qassay ")?;
    let is_time = time.len() <= 40
        && time.ends_with('Z')
        && time.starts_with(|c: char| c.is_ascii_digit())
        && time.contains('T')
        && time.bytes().all(|byte| byte.is_ascii_digit() || b"-:.TZ".contains(&byte));
    NamedNode::new(from).ok().filter(|_| is_time)?;
    Some(Harvested { source: from.to_owned(), time: time.to_owned() })
}
