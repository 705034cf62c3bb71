//! What one file says, in small: a record of fixed size a statement. Statistics are made of these, so that a run that was
//! killed need not read again the files that it had read.

use crate::base::error::Result;
use crate::kb::dump::Dump;
use oxigraph::model::vocab::rdf;
use oxigraph::model::{NamedNode, Quad, Term};
use rustc_hash::FxHasher;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};
use std::io;
use std::io::{Read, Write};

/// Bytes of a statement.
const SIZE: usize = 24;

/// A statement of a tally: keys of its terms, numbers of its property and class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tallied {
    pub(crate) subject: u64,
    pub(crate) property: u32,
    pub(crate) object: u64,
    /// The number of the class, from 1, where the property is `rdf:type`.
    pub(crate) class: u32,
}

/// What is known of the file as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Statements that were read.
    pub statements: u64,
    /// Malformed statements that were left out.
    pub skipped: u64,
    /// The first of them, a line each.
    pub told: Vec<String>,
    /// The properties in the order in which they come.
    pub(crate) properties: Vec<String>,
    /// The classes in the order in which they come.
    pub(crate) classes: Vec<String>,
}

impl Tally {
    /// Reads a dump and writes its statements. The checksum tells its blank nodes from those of other files.
    pub fn write(
        dump: &Dump,
        sha256: &str,
        out: &mut dyn Write,
        seen: &dyn Fn(u64),
    ) -> Result<(Self, io::Result<()>)> {
        let mut tally = Self::default();
        let (mut properties, mut classes) = (Numbering::default(), Numbering::default());
        let mut written = Ok(());
        let mut count = 0;
        let term = |term: &Term| match term {
            Term::NamedNode(node) => key_of(&node.as_str()),
            Term::BlankNode(node) => key_of(&(sha256, node.as_str())),
            literal @ Term::Literal(_) => key_of(literal),
        };
        let reading = dump.read(0, &mut |quad: Quad| {
            let class = match &quad.object {
                Term::NamedNode(class) if quad.predicate == rdf::TYPE => classes.of(class) + 1,
                _ => 0,
            };
            let statement = Tallied {
                subject: term(&quad.subject.into()),
                property: properties.of(&quad.predicate),
                object: term(&quad.object),
                class,
            };
            if written.is_ok() {
                written = out.write_all(&statement.bytes());
            }
            count += 1;
            if count % 50_000 == 0 {
                seen(count);
            }
            Ok(())
        })?;
        (tally.statements, tally.skipped) = (reading.statements, reading.malformed);
        tally.told = reading.told();
        (tally.properties, tally.classes) = (properties.names, classes.names);
        Ok((tally, written))
    }
}

impl Tallied {
    fn bytes(self) -> [u8; SIZE] {
        let mut bytes = [0; SIZE];
        bytes[..8].copy_from_slice(&self.subject.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.object.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.property.to_le_bytes());
        bytes[20..].copy_from_slice(&self.class.to_le_bytes());
        bytes
    }

    /// All statements of a tally; the first error ends them.
    pub fn read(mut from: impl Read) -> impl Iterator<Item = Self> {
        let mut bytes = [0; SIZE];
        std::iter::from_fn(move || {
            from.read_exact(&mut bytes).ok()?;
            let long = |at: usize| bytes[at..at + 8].try_into().map(u64::from_le_bytes).ok();
            let short = |at: usize| bytes[at..at + 4].try_into().map(u32::from_le_bytes).ok();
            Some(Self { subject: long(0)?, object: long(8)?, property: short(16)?, class: short(20)? })
        })
    }
}

/// Names numbered in the order in which they come.
#[derive(Default)]
struct Numbering {
    names: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Numbering {
    fn of(&mut self, name: &NamedNode) -> u32 {
        if let Some(number) = self.numbers.get(name.as_str()) {
            return *number;
        }
        // More than four thousand million names do not fit in memory.
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.as_str().to_owned());
        self.numbers.insert(name.as_str().to_owned(), number);
        number
    }
}

/// The numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Different statements.
    pub triples: u64,
    /// Different subjects.
    pub subjects: u64,
    /// Different objects.
    pub objects: u64,
    /// The properties in the order of their IRIs.
    pub properties: BTreeMap<String, PropertyCounts>,
    /// The classes that `rdf:type` names, with the number of their members.
    pub classes: BTreeMap<String, u64>,
}

/// How often a property is used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PropertyCounts {
    /// Different statements.
    pub triples: u64,
    /// Different subjects of it.
    pub subjects: u64,
    /// Different objects of it.
    pub objects: u64,
}

/// Keys that are hashes already.
type Hashes = HashSet<u64, BuildHasherDefault<FxHasher>>;

/// Counts the statements of all files.
#[derive(Default)]
pub struct Counting {
    statistics: Statistics,
    triples: Hashes,
    subjects: Hashes,
    objects: Hashes,
    subjects_of: Hashes,
    objects_of: Hashes,
}

impl Counting {
    /// Counts what a tally has.
    pub fn add(&mut self, tally: &Tally, statements: impl IntoIterator<Item = Tallied>) {
        let key = |text: &str| key_of(&text);
        let properties: Vec<u64> = tally.properties.iter().map(|iri| key(iri)).collect();
        let mut counts = vec![PropertyCounts::default(); properties.len()];
        let mut members = vec![0_u64; tally.classes.len()];
        for Tallied { subject, property, object, class } in statements {
            let (Some(number), Some(count)) =
                (properties.get(property as usize), counts.get_mut(property as usize))
            else {
                continue;
            };
            count.subjects += u64::from(self.subjects_of.insert(key_of(&(subject, number))));
            count.objects += u64::from(self.objects_of.insert(key_of(&(object, number))));
            self.subjects.insert(subject);
            self.objects.insert(object);
            if self.triples.insert(key_of(&(subject, number, object))) {
                count.triples += 1;
                if let Some(members) = class.checked_sub(1).and_then(|class| members.get_mut(class as usize))
                {
                    *members += 1;
                }
            }
        }
        for (iri, count) in tally.properties.iter().zip(counts) {
            let known = self.statistics.properties.entry(iri.clone()).or_default();
            known.triples += count.triples;
            known.subjects += count.subjects;
            known.objects += count.objects;
        }
        for (iri, members) in tally.classes.iter().zip(members) {
            *self.statistics.classes.entry(iri.clone()).or_default() += members;
        }
    }

    /// The numbers.
    pub fn finish(self) -> Statistics {
        Statistics {
            triples: self.triples.len() as u64,
            subjects: self.subjects.len() as u64,
            objects: self.objects.len() as u64,
            ..self.statistics
        }
    }
}

/// The key of a value: the same in every run of one build.
pub(crate) fn key_of(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
