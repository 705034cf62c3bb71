//! CATALOGUE: what is known about published files, one row of `datasets/catalogue.tsv` each.
//!
//! The table is kept by hand. `datasets/catalogue.ttl` says the same as DCAT and DataID: `tests/it/readers/catalogue` writes it
//! from the table and compares both with the files of the mirror.

pub mod find;
pub mod named;
pub mod row;

use crate::base::iri::{Mint, segment, slug};
use std::sync::OnceLock;

/// The table, as kept in the project.
pub static TABLE: &str = include_str!("../../../datasets/catalogue.tsv");

/// The server that has the files of GitHub repositories as they are.
pub const SERVER: &str = "https://raw.githubusercontent.com/";

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    /// Questions, most with gold answers.
    Dataset,
    /// Answers of a system.
    Submission,
    /// Links between equal resources.
    Links,
    /// A knowledge graph.
    KnowledgeBase,
}

impl EntryKind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Dataset, Self::Submission, Self::Links, Self::KnowledgeBase];

    /// The name, as in the table.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dataset => "dataset",
            Self::Submission => "submission",
            Self::Links => "links",
            Self::KnowledgeBase => "kb",
        }
    }
}

/// A row of Table 1 of the GERBIL QA paper: a file or a part of one, counted by a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableRow {
    /// The name in the paper.
    pub name: &'static str,
    /// The number of questions in the paper.
    pub questions: u64,
    /// What must be counted to get this number.
    pub rule: &'static str,
}

/// A published file. Empty texts mean that there is nothing to say.
#[derive(Debug)]
pub struct Entry {
    /// The short name, in lower case with hyphens.
    pub name: &'static str,
    /// The title for people.
    pub title: &'static str,
    /// What it is.
    pub kind: EntryKind,
    /// The edition or collection that it is part of.
    pub family: &'static str,
    /// The version, as its authors count.
    pub version: &'static str,
    /// Who publishes it: an IRI.
    pub publisher: &'static str,
    /// The licence: an IRI, or `none stated`, or `not known`.
    pub licence: &'static str,
    /// The languages of the questions (BCP 47).
    pub languages: Vec<&'static str>,
    /// The knowledge graph that the questions are about.
    pub kb: &'static str,
    /// Its version, or `not stated`.
    pub kb_version: &'static str,
    /// The number of questions, where it is known.
    pub questions: Option<u64>,
    /// What was counted.
    pub counted: &'static str,
    /// The repository on GitHub, `OWNER/NAME`.
    pub repository: &'static str,
    /// The commit.
    pub commit: &'static str,
    /// The path in the repository.
    pub path: &'static str,
    /// The checksum, where there are bytes: 64 lower-case hex digits.
    pub sha256: &'static str,
    /// The size.
    pub bytes: Option<u64>,
    /// The format, in the words of the survey of formats.
    pub format: &'static str,
    /// The id that the content gives itself; `not known` where nobody has looked.
    pub dataset_id: &'static str,
    /// What a file of its kind has and this one has not: `answers`, `queries`, …
    pub lacks: &'static str,
    /// What is wrong with this copy.
    pub damage: &'static str,
    /// The name of the sibling to take in place of it, or beside it for what it lacks.
    pub instead: &'static str,
    /// The names of the versions before it.
    pub previous: Vec<&'static str>,
    /// The names of the versions after it.
    pub next: Vec<&'static str>,
    /// What GERBIL's loader calls it.
    pub gerbil: Vec<&'static str>,
    /// The rows of Table 1 that are made from it.
    pub table1: Vec<TableRow>,
    /// Why nobody can fetch it.
    pub absent: &'static str,
}

/// All entries, in the order of the table.
pub fn entries() -> &'static [Entry] {
    static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
    ENTRIES.get_or_init(|| TABLE.lines().skip(1).map(row::parse).collect())
}

/// The entry of the file with this checksum; of several names, the first.
pub fn by_checksum(sha256: &str) -> Option<&'static Entry> {
    // Absent files have no checksum, and an empty one is nobody's.
    entries().iter().find(|entry| !sha256.is_empty() && entry.sha256 == sha256)
}

/// The entry with this name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    entries().iter().find(|entry| entry.name == name)
}

impl Entry {
    /// The licence as an IRI, where one is stated.
    pub fn licence_iri(&self) -> Option<&'static str> {
        self.licence.starts_with("https://").then_some(self.licence)
    }

    /// The licence in few letters: `MIT`, `by-sa/4.0`, `none stated`.
    pub fn licence_name(&self) -> String {
        let known = ["https://spdx.org/licenses/", "https://creativecommons.org/licenses/"];
        match known.iter().find_map(|start| self.licence.strip_prefix(start)) {
            Some(creative_commons) if creative_commons.contains('/') => {
                let name = creative_commons.trim_end_matches('/').replace('/', "-");
                format!("CC-{}", name.to_ascii_uppercase())
            }
            Some(name) => name.to_owned(),
            None if self.licence.ends_with("publicdomain/zero/1.0/") => "CC0-1.0".to_owned(),
            None => self.licence.to_owned(),
        }
    }

    /// Whether there are bytes that somebody can fetch.
    pub fn exists(&self) -> bool {
        self.absent.is_empty()
    }

    /// Whether the program itself contains the file.
    pub fn is_built_in(&self) -> bool {
        self.repository.is_empty()
    }
}

impl Entry {
    /// The address of the bytes.
    pub fn address(&self) -> Option<String> {
        self.address_below(SERVER)
    }

    /// The address of the bytes at a server with the same layout: `BASE/OWNER/REPOSITORY/COMMIT/PATH`.
    pub fn address_below(&self, base: &str) -> Option<String> {
        let path = self.place()?.iter().map(|part| segment(part)).collect::<Vec<_>>().join("/");
        Some(format!("{}/{path}", base.trim_end_matches('/')))
    }

    /// The page of the file for people.
    pub fn page(&self) -> Option<String> {
        let path = self.path.split('/').map(segment).collect::<Vec<_>>().join("/");
        let Self { repository, commit, .. } = self;
        (!self.is_built_in()).then(|| format!("https://github.com/{repository}/blob/{commit}/{path}"))
    }

    /// Owner, repository, commit and the segments of the path: where a mirror has the file.
    pub fn place(&self) -> Option<Vec<&'static str>> {
        let parts = self.repository.split('/').chain([self.commit]).chain(self.path.split('/'));
        (!self.is_built_in()).then(|| parts.collect())
    }

    /// The IRI: the one that qassay mints for the content, so that evaluations name the same thing.
    pub fn iri(&self, mint: &Mint) -> String {
        if !self.exists() {
            return format!("{}/absent", mint.dataset(self.name));
        }
        match self.kind {
            EntryKind::Dataset => mint.dataset_version(&self.slug(), self.sha256),
            EntryKind::Submission => mint.submission(self.sha256),
            EntryKind::Links | EntryKind::KnowledgeBase => mint.reference(self.kind.name(), self.sha256),
        }
    }

    /// The name of the dataset in IRIs.
    fn slug(&self) -> String {
        match self.dataset_id {
            "not known" => self.name.to_owned(),
            "" => "dataset".to_owned(),
            id => slug(id),
        }
    }

    /// The media type of the bytes.
    pub fn media_type(&self) -> &'static str {
        match self.path.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "json" => "application/json",
            "xml" => "application/xml",
            "yaml" | "yml" => "application/yaml",
            "ttl" => "text/turtle",
            "nt" => "application/n-triples",
            "zip" => "application/zip",
            // The parts of a split archive are `.zip.001` and so on.
            "001" | "002" => "application/octet-stream",
            _ => "text/plain",
        }
    }
}
