//! The lines of a graph that a query can touch.

use crate::base::rdf::contents::ContentsRegion;
use crate::sparql::touched::TouchedGraph;

/// The most bytes of one subject that are held back: of a larger one every line that a pattern touches is let through.
const MOST_HELD_BACK: usize = 1 << 20;

/// Lets through the lines of canonical N-Quads that can be touched. Lines of another shape are: whoever parses them knows
/// better.
///
/// Where all that is said of a subject is here, and one thing that is asked of it is not, nothing is let through of what is
/// asked together with it.
#[derive(Debug)]
pub struct LineFilter<'a> {
    graph: &'a TouchedGraph<'a>,
    has_whole_subjects: bool,
    /// The subject of the last line with its brackets and the blank behind.
    subject: Vec<u8>,
    /// The region of the subject.
    beginning: Vec<u8>,
    /// The accesses that can find something in the region.
    here: Vec<usize>,
    /// Of each star of which all is said here, its accesses.
    whole: Vec<Vec<usize>>,
    /// The lines of the subject that an access finds, which are held back, each with its end.
    held: Vec<u8>,
    ends: Vec<(usize, Vec<usize>)>,
    /// The accesses that have found a line of the subject.
    found: Vec<bool>,
    /// Whether it is known already that nothing is to be held back.
    is_open: bool,
    /// The lines that were let through.
    pub passed: u64,
}

impl<'a> LineFilter<'a> {
    /// For a graph. `has_whole_subjects`: what it says about a subject is in adjacent lines.
    pub fn new(graph: &'a TouchedGraph<'a>, has_whole_subjects: bool) -> Self {
        Self {
            graph,
            has_whole_subjects,
            subject: Vec::new(),
            beginning: Vec::new(),
            here: Vec::new(),
            whole: Vec::new(),
            held: Vec::new(),
            ends: Vec::new(),
            found: Vec::new(),
            is_open: false,
            passed: 0,
        }
    }

    /// The next line. What is let through, of this one and of those before, is added to `out`.
    pub fn line(&mut self, line: &[u8], out: &mut Vec<u8>) {
        if self.subject.is_empty() || !line.starts_with(&self.subject) {
            self.end(out);
            if !self.next_subject(line) {
                return self.pass(line, out);
            }
        }
        let Some((property, object)) = rest(&line[self.subject.len()..]) else {
            // It may be all that is asked.
            self.open(out);
            return self.pass(line, out);
        };
        let graph = self.graph;
        let finds = |access: &usize| graph.accesses[*access].finds(property, object);
        if self.is_open || self.whole.is_empty() {
            if self.here.iter().any(finds) {
                self.pass(line, out);
            }
            return;
        }
        let found: Vec<usize> = self.here.iter().copied().filter(finds).collect();
        if found.is_empty() {
            return;
        }
        for access in &found {
            self.found[*access] = true;
        }
        self.held.extend_from_slice(line);
        self.ends.push((self.held.len(), found));
        if self.held.len() > MOST_HELD_BACK {
            self.open(out);
        }
    }

    /// There are no more lines of the subject.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        if !self.ends.is_empty() {
            let is_lacking = |star: &&Vec<usize>| !star.iter().all(|access| self.found[*access]);
            let lacking: Vec<&Vec<usize>> = self.whole.iter().filter(is_lacking).collect();
            let is_needed = |access: &usize| !lacking.iter().any(|star| star.contains(access));
            let mut start = 0;
            for (end, found) in &self.ends {
                if found.iter().any(is_needed) {
                    out.extend_from_slice(&self.held[start..*end]);
                    self.passed += 1;
                }
                start = *end;
            }
            self.held.clear();
            self.ends.clear();
            self.found.fill(false);
        }
        self.is_open = false;
        self.subject.clear();
    }

    /// Lets through what was held back, and all that comes of the subject.
    fn open(&mut self, out: &mut Vec<u8>) {
        out.append(&mut self.held);
        self.passed += self.ends.len() as u64;
        self.ends.clear();
        self.found.fill(false);
        self.is_open = true;
    }

    fn pass(&mut self, line: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(line);
        self.passed += 1;
    }

    /// Whether the subject of a line can be read.
    fn next_subject(&mut self, line: &[u8]) -> bool {
        let Some(end) = iri(line).filter(|end| line[end + 1..].starts_with(b" ")) else { return false };
        self.subject.extend_from_slice(&line[..end + 2]);
        let graph = self.graph;
        let subject = &line[1..end];
        let beginning = ContentsRegion::of(subject);
        if graph.has_subjects || self.found.is_empty() || self.beginning != beginning {
            self.beginning.clear();
            self.beginning.extend_from_slice(beginning);
            self.enter(subject);
        }
        true
    }

    /// Finds out what can be found of a subject, and of the others of its region.
    fn enter(&mut self, subject: &[u8]) {
        let graph = self.graph;
        let beginning = std::str::from_utf8(&self.beginning).ok();
        self.found = vec![false; graph.accesses.len()];
        let can_find = |access: &usize| {
            let access = graph.accesses[*access];
            let star = access.star.map(|star| &graph.stars[star]);
            let is_of_star = star.zip(beginning).is_none_or(|(star, beginning)| star.can_be_in(beginning));
            is_of_star && access.subject.as_ref().is_none_or(|wanted| wanted.as_bytes() == subject)
        };
        self.here = (0..graph.accesses.len()).filter(can_find).collect();
        self.whole.clear();
        let Some(beginning) = beginning.filter(|_| self.has_whole_subjects) else { return };
        for (number, star) in graph.stars.iter().enumerate() {
            let of_star = |access: &usize| graph.accesses[*access].star == Some(number);
            let accesses: Vec<usize> = self.here.iter().copied().filter(of_star).collect();
            if !accesses.is_empty() && star.is_alone_in(beginning) {
                self.whole.push(accesses);
            }
        }
    }
}

/// The end of the IRI with which a text begins; nothing where it may be spelled otherwise.
fn iri(text: &[u8]) -> Option<usize> {
    let end = memchr::memchr2(b'>', b'\\', text)?;
    (text.first() == Some(&b'<') && text[end] == b'>').then_some(end)
}

/// The IRIs of property and object of a line behind its subject; of another object none. Nothing where they may be spelled
/// otherwise.
fn rest(line: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    let end = iri(line)?;
    let (property, object) = (&line[1..end], line[end + 1..].strip_prefix(b" ")?);
    match object.first()? {
        b'<' => iri(object).map(|end| (property, Some(&object[1..end]))),
        b'"' => Some((property, None)),
        _ => None,
    }
}
