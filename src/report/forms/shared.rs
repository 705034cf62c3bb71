//! What several forms of metadata say alike.

use oxigraph::model::NamedNode;
use serde_json::Value;

use crate::base::text;
use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::{PublishedKind, RecordMetadata, StatedLicence};

/// The language in which records describe themselves.
pub(crate) const LANGUAGE: &str = "en";

/// What scores are: the IRI of the RDF Data Cube vocabulary.
pub(crate) const DATA_CUBE: &str = "http://purl.org/linked-data/cube";

/// JSON as it is written into a record: indented, with escapes for what could command a terminal.
pub(crate) fn json_bytes(value: &Value) -> Vec<u8> {
    text::json(&format!("{value:#}\n")).into_owned().into_bytes()
}

/// An address that may be followed: a valid IRI of the web. Sources are texts of strangers.
pub(crate) fn address(text: &str) -> Option<&str> {
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    (is_web && NamedNode::new(text).is_ok()).then_some(text)
}

/// What a record publishes, in words.
pub(crate) fn kind(published: PublishedKind) -> &'static str {
    match published {
        PublishedKind::Evaluation => "Evaluation of a question answering system",
        PublishedKind::Comparison => "Comparison of question answering systems",
        PublishedKind::Experiment => "Evaluations of question answering systems",
    }
}

/// The names of creators in the order of catalogues.
fn authors(creators: &[Agent]) -> String {
    creators.iter().map(Agent::sorted).collect::<Vec<_>>().join("; ")
}

/// How people cite the record, in one line.
pub(crate) fn citation(metadata: &RecordMetadata) -> String {
    format!(
        "{} ({}): {}. Version {}. {}. {}",
        authors(&metadata.creators),
        metadata.year(),
        metadata.title,
        metadata.version,
        metadata.publisher.spoken(),
        metadata.cited_as()
    )
}

/// The licences of the record, its files and its inputs, each once.
pub(crate) fn licences(metadata: &RecordMetadata) -> Vec<&StatedLicence> {
    let files = metadata.files.iter().filter_map(|file| file.licence.as_ref());
    let inputs = metadata.inputs.iter().filter_map(|input| input.licence.as_ref());
    once(std::iter::once(&metadata.licence).chain(files).chain(inputs), |licence| &licence.iri)
}

/// Creators and publisher, and the organisations that they work for, each once.
pub(crate) fn agents(metadata: &RecordMetadata) -> Vec<&Agent> {
    let all = metadata.creators.iter().chain([&metadata.publisher]);
    let all = all.flat_map(|agent| std::iter::once(agent).chain(agent.affiliation.as_deref()));
    once(all, |agent| &agent.iri)
}

/// Whatever has a name of its own, each once, in its order.
pub(crate) fn once<'a, T>(all: impl Iterator<Item = &'a T>, name: fn(&T) -> &String) -> Vec<&'a T> {
    let mut found: Vec<&T> = Vec::new();
    for one in all {
        if !found.iter().any(|known| name(known) == name(one)) {
            found.push(one);
        }
    }
    found
}

/// The media types of the files that people fetch, each once.
pub(crate) fn media_types(metadata: &RecordMetadata) -> Vec<&str> {
    let types = once(metadata.items(), |file| &file.media_type);
    types.into_iter().map(|file| file.media_type.as_str()).collect()
}

/// How something else is related to a record, in the terms of `DataCite`.
pub(crate) struct RelatedWork {
    /// Its address.
    pub(crate) address: String,
    /// `IsDerivedFrom`, `IsDocumentedBy`, …
    pub(crate) kind: &'static str,
    /// What it is: `Dataset`, `Software`; nothing where the terms have no word.
    pub(crate) general: Option<&'static str>,
}

/// What a record is related to: inputs, members, profiles, programs, its earlier version; each once.
pub(crate) fn relations(metadata: &RecordMetadata) -> Vec<RelatedWork> {
    let relation = |address: &str, kind, general| RelatedWork { address: address.to_owned(), kind, general };
    let of_member = match metadata.published {
        PublishedKind::Experiment => "HasPart",
        PublishedKind::Evaluation | PublishedKind::Comparison => "IsDerivedFrom",
    };
    let inputs = metadata.inputs.iter().map(|input| {
        let source = input.source.as_deref().and_then(address).unwrap_or(&input.iri);
        relation(source, "IsDerivedFrom", Some("Dataset"))
    });
    let members = metadata.members.iter().map(|one| relation(&one.iri, of_member, Some("Dataset")));
    let profiles = metadata.profiles.iter().map(|one| relation(&one.iri, "IsDocumentedBy", None));
    let engines = metadata.runs.iter().map(|run| relation(&run.engine, "IsCompiledBy", Some("Software")));
    let version = metadata.doi.iter().map(|_| relation(&metadata.iri, "IsVersionOf", Some("Dataset")));
    let before = metadata.previous_version_iri();
    let before = before.iter().map(|iri| relation(iri, "IsNewVersionOf", Some("Dataset")));
    let mut all: Vec<RelatedWork> = Vec::new();
    for one in inputs.chain(members).chain(profiles).chain(engines).chain(version).chain(before) {
        if !all.iter().any(|known| (&known.address, known.kind) == (&one.address, one.kind)) {
            all.push(one);
        }
    }
    all
}

/// When the published numbers were computed: the first beginning and the last end.
pub(crate) fn computed(metadata: &RecordMetadata) -> Option<(&str, &str)> {
    let first = metadata.runs.iter().map(|run| run.started.as_str()).min()?;
    let last = metadata.runs.iter().map(|run| run.ended.as_str()).max()?;
    Some((first, last))
}
