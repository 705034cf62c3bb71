//! REBASE: an archive whose IRIs are under one base becomes one whose IRIs are under another.
//!
//! Nothing is computed: what an archive names itself is renamed in all its graphs and records, the terms of the ontology stay,
//! and so do the keys, which are made of the names under the usual base. The graphs get the checksums of their new bytes, wherever
//! these are told. What comes of it is what would have been written under the new base: `verify` computes it again.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::checksum::is_checksum;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::vocab::qassay;
use crate::base::watch::{Steps, Watcher};
use crate::record::archived::{Archived, RegisteredGraph};
use crate::record::publish::catalogue::DATAID_OF;
use crate::record::upgrade::described::{Records, descriptions, records};
use crate::sources::archive::replace::NewRecords;
use crate::sources::archive::{CONTENTS, PUBLICATION};

/// What was renamed, or would be.
#[derive(Debug, Default)]
pub struct Rebased {
    /// The base that the archive had.
    pub from: String,
    /// The graphs.
    pub graphs: usize,
    /// The records.
    pub records: usize,
}

/// Gives an archive that nobody else writes into another base; with `is_dry`, only says what would be renamed. Whoever kills
/// it leaves the old archive or the new one.
///
/// # Errors
/// Where something of it was published, is not here or is damaged: then nothing was changed.
pub fn rebase(archived: &Archived, to: &Mint, is_dry: bool, watcher: &dyn Watcher) -> Result<Rebased> {
    let archive = &archived.archive;
    let known = records(archive)?;
    if known.keys().any(|(kind, _)| kind == PUBLICATION) {
        return Err(Error::input("something of the archive was published: what was once public keeps its IRIs")
            .in_file(archive.root().display().to_string())
            .hint("`qassay list publication` shows what; evaluate again in another archive: `⌥archive DIR ⌥base IRI`"));
    }
    let mut renaming = Renaming { from: archive.mint(), to, sums: BTreeMap::new() };
    let is_own = |graph: &&RegisteredGraph| !to.is_ontology_graph(&graph.name);
    let graphs: Vec<&RegisteredGraph> = archived.graphs.iter().filter(is_own).collect();
    let done = Rebased { from: archive.mint().base().to_owned(), graphs: graphs.len(), records: known.len() };
    if is_dry || archive.mint() == to {
        return Ok(done);
    }
    renaming.graphs(archived, graphs, watcher)?;
    let new = renaming.records(&known);
    let described = descriptions(archive, to, &new)?;
    let replacing = NewRecords::begin(archive)?;
    for ((kind, key), content) in new.iter().chain(&described.records) {
        replacing.keep(kind, key, content)?;
    }
    replacing.replace(to)?;
    archive.clear_replaced()?;
    Ok(done)
}

/// From which base to which, and what became of the checksums of graphs.
struct Renaming<'a> {
    from: &'a Mint,
    to: &'a Mint,
    sums: BTreeMap<String, String>,
}

impl Renaming<'_> {
    /// Writes all graphs anew: first those that tell no checksum of another.
    fn graphs(
        &mut self,
        archived: &Archived,
        graphs: Vec<&RegisteredGraph>,
        watcher: &dyn Watcher,
    ) -> Result<()> {
        let steps = Steps::new(watcher, "renaming", graphs.len());
        let mut waiting: BTreeSet<&str> = graphs.iter().map(|graph| graph.sha256.as_str()).collect();
        let mut left = graphs;
        while !left.is_empty() {
            let (mut later, mut done) = (Vec::new(), BTreeSet::new());
            let before = left.len();
            for graph in left {
                watcher.check()?;
                let file = archived.archive.graph(&graph.sha256);
                let content = file.content()?;
                let is_waiting = |sum: &[u8]| {
                    std::str::from_utf8(sum).is_ok_and(|sum| sum != graph.sha256 && waiting.contains(sum))
                };
                if told_sums(&content).any(is_waiting) {
                    later.push(graph);
                    continue;
                }
                let about = self.from.renamed(&graph.subject, self.to);
                let renamed = self.statements(&content);
                let stored = archived
                    .archive
                    .keep_graph(&about, |out| out.write_all(&renamed).map(|()| graph.statements))?;
                self.sums.insert(graph.sha256.clone(), stored.sha256);
                done.insert(graph.sha256.as_str());
                steps.step();
            }
            if later.len() == before {
                return Err(Error::check("graphs tell the checksums of each other")
                    .list(later.iter().map(|graph| graph.name.clone())));
            }
            waiting.retain(|sum| !done.contains(sum));
            left = later;
        }
        Ok(())
    }

    /// The records; what graphs hold is told anew.
    fn records(&self, known: &Records) -> Records {
        let tells = format!("> <{}> <", qassay::CONTENTS);
        let is_told = |line: &&[u8]| memchr::memmem::find(line, tells.as_bytes()).is_none();
        let own = known.iter().filter(|((kind, _), _)| kind != CONTENTS && kind != "archive");
        own.map(|(at, content)| {
            let lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').filter(is_told).collect();
            (at.clone(), self.statements(&lines.concat()))
        })
        .collect()
    }

    /// N-Quads with the new names and checksums, in their order.
    fn statements(&self, content: &[u8]) -> Vec<u8> {
        let lines: BTreeSet<Vec<u8>> =
            content.split_inclusive(|byte| *byte == b'\n').map(|line| self.statement(line)).collect();
        lines.into_iter().flatten().collect()
    }

    fn statement(&self, line: &[u8]) -> Vec<u8> {
        let mut new = Vec::with_capacity(line.len() + 64);
        let mut rest = line;
        while let Some(at) = memchr::memchr2(b'<', b'"', rest) {
            let (before, term) = rest.split_at(at);
            new.extend_from_slice(before);
            let end = if term[0] == b'<' { memchr::memchr(b'>', term) } else { end_of_literal(term) };
            let end = end.map_or(term.len(), |end| end + 1);
            match self.term(&term[..end]) {
                Some(renamed) => new.extend_from_slice(renamed.as_bytes()),
                None => new.extend_from_slice(&term[..end]),
            }
            rest = &term[end..];
        }
        new.extend_from_slice(rest);
        new
    }

    /// What a term becomes: an IRI with its brackets, or the text of a literal with its quotation marks.
    fn term(&self, term: &[u8]) -> Option<String> {
        let inner = std::str::from_utf8(term.get(1..term.len() - 1)?).ok()?;
        if term[0] == b'<' {
            self.from.path(inner)?;
            // What was answered is a graph, and the file that an evaluation is computed from.
            let file = inner.strip_prefix(&self.from.file("")).and_then(|sum| self.sums.get(sum));
            let renamed = file.map_or_else(|| self.from.renamed(inner, self.to), |sum| self.to.file(sum));
            return Some(format!("<{renamed}>"));
        }
        // No other literal tells a name: what inputs and people have written stays.
        let renamed = inner.strip_prefix(DATAID_OF).and_then(|iri| {
            self.from.path(iri).map(|_| format!("{DATAID_OF}{}", self.from.renamed(iri, self.to)))
        });
        renamed.as_ref().or_else(|| self.sums.get(inner)).map(|text| format!("\"{text}\""))
    }
}

/// What stands before the checksum of a file in its name.
const FILE: &[u8] = b"/file/sha256/";

/// The place of the quotation mark that ends a literal.
fn end_of_literal(term: &[u8]) -> Option<usize> {
    let mut at = 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', term.get(at..)?)?;
        if term[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// The checksums that are texts of literals, or that name files.
fn told_sums(content: &[u8]) -> impl Iterator<Item = &[u8]> {
    let sum = |at: usize, end: u8| {
        let sum = content.get(at..at + 64).filter(|_| content.get(at + 64) == Some(&end))?;
        std::str::from_utf8(sum).is_ok_and(is_checksum).then_some(sum)
    };
    let texts = memchr::memchr_iter(b'"', content).filter_map(move |at| sum(at + 1, b'"'));
    let files = memchr::memmem::find_iter(content, FILE).filter_map(move |at| sum(at + FILE.len(), b'>'));
    texts.chain(files)
}
