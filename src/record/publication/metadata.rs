//! What a published record says of itself: one structure, of which every form of metadata is a function, so that no two
//! of them can differ.

use serde::{Deserialize, Serialize};

use crate::base::iri;
use crate::record::publication::agent::Agent;

/// What a record publishes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PublishedKind {
    /// One evaluation.
    Evaluation,
    /// A comparison, with the evaluations that it compares.
    Comparison,
    /// Several evaluations that were asked for together.
    Experiment,
}

/// A licence as the forms name it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StatedLicence {
    /// Its IRI.
    pub iri: String,
    /// Its identifier in the list of SPDX, where it has one: `CC0-1.0`.
    pub spdx: Option<String>,
    /// Its name.
    pub title: String,
}

/// What a file of a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum FileRole {
    /// A graph, as N-Quads.
    Graph,
    /// A table, as CSV.
    Table,
    /// An input as it was received.
    Input,
    /// What the archive says of one thing, as N-Quads.
    Record,
    /// A form of this metadata.
    Metadata,
    /// A page for people.
    Page,
}

/// A file of a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordFile {
    /// Its path in the record, with `/`.
    pub path: String,
    /// What it is.
    pub role: FileRole,
    /// A name for people: `Scores`.
    pub title: String,
    /// A sentence on what is in it.
    pub description: String,
    /// Its media type, without parameters.
    pub media_type: String,
    /// The checksum of its bytes, in hexadecimal digits.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its licence, where it is another than that of the record.
    pub licence: Option<StatedLicence>,
    /// The IRI of what it is about: of the graph, of the input, of the thing.
    pub about: Option<String>,
    /// The IRI of the specification that its content follows, beyond its media type.
    pub conforms_to: Option<String>,
    /// The number of statements of a graph.
    pub statements: Option<u64>,
}

/// Something that the published thing was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordInput {
    /// The IRI of the dataset version, the submission, the links, …
    pub iri: String,
    /// What it is for the evaluation: `dataset`, `submission`, `links`, …
    pub part: String,
    /// Its title.
    pub title: String,
    /// The IRI of its bytes, `…/file/sha256/HEX`.
    pub file: String,
    /// The checksum of its bytes.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Its media type.
    pub media_type: String,
    /// The address where it was published, where that is known.
    pub source: Option<String>,
    /// Who published it: an address, where that is known.
    pub publisher: Option<String>,
    /// Its licence, where one is stated.
    pub licence: Option<StatedLicence>,
    /// The path of its bytes in the record; nothing where they are withheld.
    pub path: Option<String>,
    /// Why it is withheld, as a sentence; nothing where it is contained.
    pub withheld: Option<String>,
}

/// Something that is left out of a record: a graph or a file that the archive has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WithheldPart {
    /// The IRI of the graph or file.
    pub iri: String,
    /// Its path in the archive.
    pub path: String,
    /// The checksum of its bytes.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Why it is left out, as a sentence.
    pub reason: String,
    /// Where a stranger can get it, where that is known.
    pub source: Option<String>,
}

/// An execution that computed what is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordRun {
    /// Its IRI.
    pub iri: String,
    /// The IRI of what it computed: an evaluation, a comparison.
    pub of: String,
    /// When it began: `2026-11-22T06:42:20.199Z`.
    pub started: String,
    /// When it ended.
    pub ended: String,
    /// The IRI of the program's build.
    pub engine: String,
    /// The version of the program: `0.1.0`.
    pub version: String,
    /// The command, with the names of files and without their folders.
    pub command: Option<String>,
    /// The IRIs of what it used: of inputs and profiles of the record.
    pub used: Vec<String>,
    /// The IRIs of the graphs that it generated, as their files are [about](RecordFile::about).
    pub generated: Vec<String>,
}

/// A number that the record has, among the few that describe it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeasuredValue {
    /// The IRI of the aggregate, which is an observation.
    pub iri: String,
    /// The IRI of the measure.
    pub measure: String,
    /// The name of the measure for people: `Macro F1`.
    pub name: String,
    /// The experiment type: `QA`.
    pub experiment: String,
    /// The system.
    pub system: String,
    /// The dataset.
    pub dataset: String,
    /// The value as published: a decimal.
    pub value: String,
}

/// A thing that the record is about, beside the one that it publishes: an evaluation, a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedThing {
    /// Its IRI.
    pub iri: String,
    /// Its title.
    pub title: String,
}

/// What a published record says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordMetadata {
    /// The base of all IRIs of the archive, with a slash at the end.
    pub base: String,
    /// The permanent IRI of what is published, whatever the version of the publication.
    pub iri: String,
    /// What it is.
    pub published: PublishedKind,
    /// The key: the last segment of the IRI, 32 hexadecimal digits.
    pub key: String,
    /// What identifies the content: `sha256:` and 64 digits.
    pub identifier: String,
    /// The title.
    pub title: String,
    /// Some sentences: what was measured, the main numbers, what is withheld. 50 to 5,000 characters.
    pub description: String,
    /// The number of the publication, from 1.
    pub version: u32,
    /// The day of the first publication: `2026-11-22`.
    pub issued: String,
    /// The day of this publication.
    pub modified: String,
    /// Who made it: one or more.
    pub creators: Vec<Agent>,
    /// Who publishes it.
    pub publisher: Agent,
    /// The licence of everything of which no other is stated.
    pub licence: StatedLicence,
    /// Whom to name, by the licences of inputs that go with the record.
    pub attributions: Vec<String>,
    /// Keywords, in English.
    pub keywords: Vec<String>,
    /// The DOI, once there is one: `10.5281/zenodo.1234`.
    pub doi: Option<String>,
    /// What it was computed from.
    pub inputs: Vec<RecordInput>,
    /// What is left out.
    pub withheld: Vec<WithheldPart>,
    /// The executions, in their order in time.
    pub runs: Vec<RecordRun>,
    /// The profiles.
    pub profiles: Vec<NamedThing>,
    /// The evaluations, where the record publishes a comparison or several of them.
    pub members: Vec<NamedThing>,
    /// The main numbers.
    pub measured: Vec<MeasuredValue>,
    /// The command lines that compute its evaluations again where the files of the record are, one for each.
    pub again: Vec<String>,
    /// The files of the record that are not metadata of it: graphs, tables, inputs, records of the archive.
    pub files: Vec<RecordFile>,
}

impl RecordMetadata {
    /// The IRI of this version of the publication.
    pub fn version_iri(&self) -> String {
        format!("{}/v/{}", self.iri, self.version)
    }

    /// The IRI of the version before it.
    pub fn previous_version_iri(&self) -> Option<String> {
        (self.version > 1).then(|| format!("{}/v/{}", self.iri, self.version - 1))
    }

    /// The address of its page.
    pub fn page(&self) -> String {
        format!("{}.html", self.iri)
    }

    /// The year of the first publication.
    pub fn year(&self) -> &str {
        self.issued.split('-').next().unwrap_or_default()
    }

    /// The name of a folder or file for it: `qassay-ccd43356`.
    pub fn short_name(&self) -> String {
        format!("qassay-{}", self.key.get(..8).unwrap_or(&self.key))
    }

    /// The IRI of a file of the record, by its path.
    pub fn file_iri(&self, path: &str) -> String {
        iri::published_file(&self.iri, path)
    }

    /// The address of the DOI, once there is one.
    pub fn doi_address(&self) -> Option<String> {
        self.doi.as_deref().map(|doi| format!("https://doi.org/{doi}"))
    }

    /// What identifies it to others: the address of the DOI, once there is one; the permanent IRI until then.
    pub fn cited_as(&self) -> String {
        self.doi_address().unwrap_or_else(|| self.iri.clone())
    }

    /// The files that people fetch: graphs, tables and inputs.
    pub fn items(&self) -> impl Iterator<Item = &RecordFile> {
        self.files
            .iter()
            .filter(|file| matches!(file.role, FileRole::Graph | FileRole::Table | FileRole::Input))
    }

    /// The files of a role.
    pub fn files_of(&self, role: FileRole) -> impl Iterator<Item = &RecordFile> {
        self.files.iter().filter(move |file| file.role == role)
    }
}
