//! What a graph holds, in a few words: which properties and classes the subjects of each region have. Enough to know that a
//! query finds nothing in a graph, or in a part of it, without reading it.
//!
//! A region is the beginning of the IRIs of its subjects, and the same subject is always in the same region. Regions below
//! what a graph is about are told relative to it: the graphs of one kind of all evaluations hold the same.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};

use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::vocab::rdf;

/// How many regions are told apart; where there are more, nothing is said of where subjects are.
const MOST_REGIONS: usize = 64;

/// How many properties and classes are told, in all regions together: where there are more, nothing is.
const MOST_HELD: usize = 4096;

/// Nothing is told of a graph with a longer line.
const LONGEST: usize = 1 << 20;

/// How many parts of an IRI are its region: those of `https://w3id.org/qassay/evaluation/KEY/obs/`.
const PARTS: usize = 7;

/// Where subjects are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ContentsRegion {
    /// Their IRIs begin with that of what the graph is about, and this behind it.
    Below(String),
    /// Their IRIs begin with this. Nothing: they are anywhere.
    Beginning(String),
}

/// What the subjects of a region have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RegionContents {
    /// The properties.
    pub properties: BTreeSet<String>,
    /// The classes, which are the objects of `rdf:type`.
    pub classes: BTreeSet<String>,
}

/// What a graph holds. That it is known says that all statements about a subject are adjacent lines, and that every subject
/// and property is spelled as it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GraphContents(BTreeMap<ContentsRegion, RegionContents>);

impl GraphContents {
    /// What is held by region.
    pub fn regions(&self) -> impl Iterator<Item = (&ContentsRegion, &RegionContents)> {
        self.0.iter()
    }

    /// What a region holds; nothing, if it was not there.
    pub fn region(&mut self, region: ContentsRegion) -> &mut RegionContents {
        self.0.entry(region).or_default()
    }

    /// Adds what other graphs hold.
    pub fn extend(&mut self, others: Self) {
        for (region, held) in others.0 {
            let known = self.region(region);
            known.properties.extend(held.properties);
            known.classes.extend(held.classes);
        }
    }

    /// The name of these contents, made of all that they are.
    pub fn key(&self) -> String {
        let mut hasher = Sha256::new();
        let mut add = |kind: &str, text: &str| {
            hasher.update([kind, " ", text, "\n"].concat());
        };
        for (region, held) in &self.0 {
            match region {
                ContentsRegion::Below(rest) => add("below", rest),
                ContentsRegion::Beginning(beginning) => add("beginning", beginning),
            }
            held.properties.iter().for_each(|property| add("property", property));
            held.classes.iter().for_each(|class| add("class", class));
        }
        hex(&hasher.finalize())[..32].to_owned()
    }
}

impl ContentsRegion {
    /// The region of an IRI, as it begins: with the `/` behind the last of its parts or the `#` before; of a shorter one up to
    /// its last `/` or `:`.
    pub fn of(iri: &[u8]) -> &[u8] {
        let mut parts = 0;
        let mut last = None;
        for at in memchr::memchr2_iter(b'/', b'#', iri) {
            last = Some(at);
            parts += 1;
            if parts == PARTS || iri[at] == b'#' {
                break;
            }
        }
        let end = last.or_else(|| memchr::memrchr(b':', iri)).map_or(iri.len(), |at| at + 1);
        &iri[..end]
    }

    /// The beginning of the IRIs, in a graph that is about something.
    pub fn beginning(&self, about: &str) -> String {
        match self {
            Self::Below(rest) => [about, rest].concat(),
            Self::Beginning(beginning) => beginning.clone(),
        }
    }
}

/// Finds out what a graph holds, whose bytes come one after the other.
#[derive(Debug)]
pub struct ContentsCollector {
    about: String,
    /// The beginning of a line whose end has not come.
    partial: Vec<u8>,
    /// The subject of the last line with its brackets and the blank behind.
    subject: Vec<u8>,
    regions: Vec<CollectedRegion>,
    /// That of the subject.
    at: usize,
    is_anywhere: bool,
    held: usize,
    /// Nothing can be told.
    is_lost: bool,
    lines: u64,
}

/// Properties with brackets and the blank behind, classes with brackets, as they come.
#[derive(Debug, Default)]
struct CollectedRegion {
    beginning: Vec<u8>,
    properties: Vec<Vec<u8>>,
    classes: Vec<Vec<u8>>,
    /// Those of the last line: the next one has most likely the same, or the next.
    last: [usize; 2],
}

impl ContentsCollector {
    /// Nothing came yet of a graph about something.
    pub fn new(about: &str) -> Self {
        Self {
            about: about.to_owned(),
            partial: Vec::new(),
            subject: Vec::new(),
            regions: Vec::new(),
            at: 0,
            is_anywhere: false,
            held: 0,
            is_lost: false,
            lines: 0,
        }
    }

    /// The next bytes.
    pub fn add(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.lines += 1;
            if self.partial.is_empty() {
                self.line(&bytes[..end]);
            } else {
                let mut line = std::mem::take(&mut self.partial);
                line.extend_from_slice(&bytes[..end]);
                self.line(&line);
                line.clear();
                self.partial = line;
            }
            bytes = &bytes[end + 1..];
        }
        if self.partial.len() + bytes.len() > LONGEST {
            self.is_lost = true;
        }
        if !self.is_lost {
            self.partial.extend_from_slice(bytes);
        }
    }

    /// All of a graph: how many lines there are, and what it holds, if that can be told.
    ///
    /// # Errors
    /// Where it cannot be read to its end.
    pub fn read(mut self, mut content: impl Read) -> io::Result<(u64, Option<GraphContents>)> {
        let mut piece = vec![0; 1 << 16];
        loop {
            match content.read(&mut piece)? {
                0 => return Ok(self.finish()),
                count => self.add(&piece[..count]),
            }
        }
    }

    /// How many lines there were, and what the graph holds, if that can be told.
    pub fn finish(mut self) -> (u64, Option<GraphContents>) {
        if !self.partial.is_empty() {
            let line = std::mem::take(&mut self.partial);
            self.line(&line);
        }
        let contents = if self.is_lost { None } else { self.contents() };
        (self.lines, contents)
    }

    fn contents(&self) -> Option<GraphContents> {
        let mut contents = GraphContents::default();
        for found in &self.regions {
            let beginning = std::str::from_utf8(&found.beginning).ok()?;
            let below = beginning.strip_prefix(&self.about).filter(|rest| rest.starts_with(['/', '#']));
            let region = below.map_or_else(
                || ContentsRegion::Beginning(beginning.to_owned()),
                |rest| ContentsRegion::Below(rest.to_owned()),
            );
            let held = contents.region(region);
            let inner = |term: &[u8]| {
                let text = std::str::from_utf8(term).ok()?.trim_end();
                Some(text.strip_prefix('<')?.strip_suffix('>')?.to_owned())
            };
            for property in &found.properties {
                held.properties.insert(inner(property)?);
            }
            for class in &found.classes {
                held.classes.insert(inner(class)?);
            }
        }
        Some(contents)
    }

    fn line(&mut self, line: &[u8]) {
        if self.is_lost || line.is_empty() {
            return;
        }
        if self.see(line).is_none() {
            self.is_lost = true;
        }
    }

    /// Nothing where only a parser knows what a line says.
    fn see(&mut self, line: &[u8]) -> Option<()> {
        if line.len() > LONGEST {
            return None;
        }
        if self.subject.is_empty() || !line.starts_with(&self.subject) {
            self.next_subject(line)?;
        }
        let rest = &line[self.subject.len()..];
        let found = &mut self.regions[self.at];
        let (property, is_new) = known(&mut found.properties, found.last[0], rest, b"> ")?;
        found.last[0] = property;
        self.held += usize::from(is_new);
        let property = &found.properties[property];
        if property[1..].strip_suffix(b"> ") == Some(rdf::TYPE.as_bytes()) {
            let object = &rest[property.len()..];
            let (class, is_new) = known(&mut found.classes, found.last[1], object, b">")?;
            found.last[1] = class;
            self.held += usize::from(is_new);
        }
        (self.held <= MOST_HELD).then_some(())
    }

    fn next_subject(&mut self, line: &[u8]) -> Option<()> {
        let subject = &line[..term(line, b"> ")?];
        // Another order may bring a subject again.
        if *self.subject >= *subject {
            return None;
        }
        self.subject.clear();
        self.subject.extend_from_slice(subject);
        let beginning = ContentsRegion::of(&self.subject[1..self.subject.len() - 2]);
        if self.is_anywhere || self.regions.get(self.at).is_some_and(|found| found.beginning == beginning) {
            return Some(());
        }
        let known = self.regions.iter().position(|found| found.beginning == beginning);
        self.at = known.unwrap_or(self.regions.len());
        if known.is_none() {
            let beginning = beginning.to_vec();
            self.regions.push(CollectedRegion { beginning, ..CollectedRegion::default() });
        }
        if self.regions.len() > MOST_REGIONS {
            self.forget_regions();
        }
        Some(())
    }

    fn forget_regions(&mut self) {
        let mut all = CollectedRegion::default();
        for found in self.regions.drain(..) {
            all.properties.extend(found.properties);
            all.classes.extend(found.classes);
        }
        for terms in [&mut all.properties, &mut all.classes] {
            terms.sort_unstable();
            terms.dedup();
        }
        self.held = all.properties.len() + all.classes.len();
        self.regions.push(all);
        (self.at, self.is_anywhere) = (0, true);
    }
}

/// Where a list has the IRI with which a text begins, and whether it is new there; it is sought from some place on.
fn known(list: &mut Vec<Vec<u8>>, from: usize, text: &[u8], end: &[u8]) -> Option<(usize, bool)> {
    let (before, behind) = list.split_at(from.min(list.len()));
    if let Some(at) = behind.iter().position(|one| text.starts_with(one)) {
        return Some((before.len() + at, false));
    }
    if let Some(at) = before.iter().position(|one| text.starts_with(one)) {
        return Some((at, false));
    }
    list.push(text[..term(text, end)?].to_vec());
    Some((list.len() - 1, true))
}

/// The length of the IRI with which a text begins, with its end; nothing where it may be spelled otherwise.
fn term(text: &[u8], end: &[u8]) -> Option<usize> {
    let at = memchr::memchr2(b'>', b'\\', text)?;
    (text.first() == Some(&b'<') && text[at..].starts_with(end)).then_some(at + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    const E: &str = "https://w3id.org/qassay/evaluation/k";

    fn collected(lines: &[&str]) -> Option<GraphContents> {
        let text = lines.iter().flat_map(|line| [line, "\n"]).collect::<String>();
        let whole = pieces(&text, text.len().max(1));
        for size in [1, 7, 64] {
            assert_eq!(pieces(&text, size), whole);
        }
        assert_eq!(whole.0, lines.len() as u64);
        whole.1
    }

    fn pieces(text: &str, size: usize) -> (u64, Option<GraphContents>) {
        let mut collector = ContentsCollector::new(E);
        text.as_bytes().chunks(size).for_each(|piece| collector.add(piece));
        collector.finish()
    }

    fn told(contents: &GraphContents) -> Vec<String> {
        let told = |(region, held): (&ContentsRegion, &RegionContents)| {
            let RegionContents { properties, classes } = held;
            format!("{region:?} {properties:?} {classes:?}")
        };
        contents.regions().map(told).collect()
    }

    #[test]
    fn what_a_graph_holds_and_about_what() {
        let is = |subject: &str, class: &str| format!("<{subject}> <{}> <{class}> <u:g> .", rdf::TYPE);
        let contents = collected(&[
            &is(&format!("{E}/obs/QA/1"), "u:C"),
            &is(&format!("{E}/obs/QA/1"), "u:D"),
            &format!("<{E}/obs/QA/1> <u:p> \"x\" <u:g> ."),
            &is(&format!("{E}/obs/QA/2"), "u:D"),
            &format!("<{E}/obs/QA/2> <u:p> <u:o> <u:g> ."),
            &format!("<{E}/obs/QA/2> <u:q> <u:o> <u:g> ."),
            &format!("<{E}> <u:r> \"x\" <u:g> ."),
            "<urn:b:c> <u:r> \"x\" <u:g> .",
        ]);
        let contents = contents.unwrap();
        assert_eq!(
            told(&contents),
            [
                r#"Below("/obs/") {"u:p", "u:q"} {"u:C", "u:D"}"#
                    .replace("{\"u:p\"", &format!("{{\"{}\", \"u:p\"", rdf::TYPE)),
                r#"Beginning("https://w3id.org/qassay/evaluation/") {"u:r"} {}"#.to_owned(),
                r#"Beginning("urn:b:") {"u:r"} {}"#.to_owned(),
            ]
        );
        assert_eq!(contents.key().len(), 32);
        let mut other = contents.clone();
        assert_eq!(other.key(), contents.key());
        other.region(ContentsRegion::Below("/agg/".to_owned())).properties.insert("u:p".to_owned());
        assert_ne!(other.key(), contents.key());
        assert_eq!(collected(&[]), Some(GraphContents::default()));
    }

    #[test]
    fn regions_are_beginnings() {
        for (iri, expected) in [
            ("https://w3id.org/qassay/evaluation/k/obs/QA/1", "https://w3id.org/qassay/evaluation/k/obs/"),
            ("https://w3id.org/qassay/evaluation/k", "https://w3id.org/qassay/evaluation/"),
            ("https://w3id.org/qassay/execution/k#issue-1", "https://w3id.org/qassay/execution/k#"),
            ("http://dbpedia.org/resource/A/B", "http://dbpedia.org/resource/A/"),
            ("http://e", "http://"),
            ("urn:isbn:1", "urn:isbn:"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(ContentsRegion::of(iri.as_bytes()), expected.as_bytes(), "{iri}");
        }
    }

    #[test]
    fn nothing_is_told_of_lines_that_only_a_parser_reads() {
        let first = "<u:m> <u:p> <u:o> <u:g> .";
        for line in [
            "_:b <u:q> <u:o> <u:g> .",
            "<u:\\u0061> <u:q> <u:o> <u:g> .",
            "<u:x>  <u:q> <u:o> <u:g> .",
            "<u:x> <u:\\u0061> <u:o> <u:g> .",
            "# nothing",
            "<u:a> <u:q> <u:o> <u:g> .",
            &format!("<u:x> <{}> _:b <u:g> .", rdf::TYPE),
            &format!("<u:x> <u:p> \"{}\" <u:g> .", "x".repeat(LONGEST)),
        ] {
            assert_eq!(collected(&[first, line]), None, "{}", &line[..20.min(line.len())]);
        }
        assert!(collected(&[first, "<u:x> <u:q> _:b <u:g> .", "<u:y> <u:q> \"\\\\\" <u:g> ."]).is_some());
    }

    #[test]
    fn many_regions_are_one() {
        let lines: Vec<String> =
            (100..200).map(|number| format!("<u:{number}:a> <u:p{}> \"x\" <u:g> .", number % 3)).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let expected = [r#"Beginning("") {"u:p0", "u:p1", "u:p2"} {}"#];
        assert_eq!(told(&collected(&lines).unwrap()), expected);
        let lines: Vec<String> =
            (0..=MOST_HELD).map(|number| format!("<u:a> <u:p{number}> \"x\" <u:g> .")).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        assert_eq!(collected(&lines), None);
    }
}
