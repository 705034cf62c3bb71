//! How a record is cited: `CITATION.cff` (Citation File Format 1.2.0) and BibTeX.

use serde_json::{Map, Value, json};

use crate::base::text;
use crate::base::text::bibtex;
use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::{RecordInput, RecordMetadata};
use crate::report::forms::shared::{address, once};

/// `CITATION.cff`.
pub(crate) fn cff(metadata: &RecordMetadata) -> Vec<u8> {
    let licence = &metadata.licence;
    let (named, name) = licence.spdx.as_ref().map_or(("license-url", &licence.iri), |spdx| ("license", spdx));
    let cff = json!({
        "cff-version": "1.2.0",
        "message": message(metadata),
        "type": "dataset",
        "title": metadata.title,
        "abstract": metadata.description,
        "version": metadata.version.to_string(),
        "date-released": metadata.issued,
        named: name,
        "doi": metadata.doi,
        "url": metadata.cited_as(),
        "repository-artifact": metadata.iri,
        "keywords": once(metadata.keywords.iter(), |keyword| keyword),
        "authors": metadata.creators.iter().map(author).collect::<Vec<_>>(),
        "contact": [author(&metadata.publisher)],
        "identifiers": identifiers(metadata),
        "references": references(metadata),
    });
    yaml(&cff, 0).into_bytes()
}

/// Whom to name, and the thanks that licences of inputs ask for.
fn message(metadata: &RecordMetadata) -> String {
    let mut message = "Please cite this record, and the datasets and systems that it evaluates.".to_owned();
    if !metadata.attributions.is_empty() {
        message.push_str(" It contains work of others: ");
        message.push_str(&metadata.attributions.join("; "));
    }
    message
}

fn author(agent: &Agent) -> Value {
    let mut author = if agent.is_person {
        let (family, given) = agent.names();
        let mut names = Map::from_iter([("family-names".to_owned(), Value::from(family))]);
        if !given.is_empty() {
            names.insert("given-names".to_owned(), given.into());
        }
        Value::Object(names)
    } else {
        json!({ "name": agent.name })
    };
    let property = if agent.is_person && agent.orcid().is_some() { "orcid" } else { "website" };
    author[property] = agent.iri.as_str().into();
    if let Some(affiliation) = &agent.affiliation {
        author["affiliation"] = affiliation.name.as_str().into();
    }
    author
}

fn identifiers(metadata: &RecordMetadata) -> Vec<Value> {
    let doi = metadata.doi.iter();
    let doi = doi.map(|doi| json!({ "type": "doi", "value": doi, "description": "the DOI of this version" }));
    let version = json!({ "type": "url", "value": metadata.version_iri(), "description": "this version" });
    let digest = json!({
        "type": "other",
        "value": metadata.identifier,
        "description": "checksum of the content, from which the IRI is made",
    });
    doi.chain([version, digest]).collect()
}

/// The inputs, and the program.
fn references(metadata: &RecordMetadata) -> Vec<Value> {
    let engines = once(metadata.runs.iter(), |run| &run.engine).into_iter().map(|run| {
        json!({
            "type": "software",
            "title": "qassay",
            "version": run.version,
            "url": run.engine,
            "authors": [{ "name": "The developers of qassay" }],
        })
    });
    metadata.inputs.iter().map(reference).chain(engines).collect()
}

fn reference(input: &RecordInput) -> Value {
    let mut reference = json!({
        "type": "data",
        "title": input.title,
        "url": input.source.as_deref().and_then(address).unwrap_or(&input.iri),
        "authors": [{ "name": input.publisher.as_deref().unwrap_or("not stated") }],
        "identifiers": [{ "type": "other", "value": format!("sha256:{}", input.sha256), "description": "checksum of the file" }],
    });
    if let Some(spdx) = input.licence.as_ref().and_then(|licence| licence.spdx.as_deref()) {
        reference["license"] = spdx.into();
    }
    if let Some(reason) = &input.withheld {
        reference["notes"] = reason.as_str().into();
    }
    reference
}

/// Maps and lists in the block style of YAML, every text as a quoted scalar; what is not there or empty is left out. No
/// kept crate writes YAML: those of today are archived or not released.
fn yaml(value: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    let is_there = |value: &Value| !value.is_null() && value.as_array().is_none_or(|all| !all.is_empty());
    let lines: Vec<String> = match value {
        Value::Object(entries) => {
            let entries = entries.iter().filter(|(_, value)| is_there(value));
            entries.map(|(name, value)| format!("{indent}{name}:{}", behind_name(value, depth))).collect()
        }
        // The first line of an item stands behind its hyphen.
        Value::Array(items) => {
            items.iter().map(|item| format!("{indent}- {}", yaml(item, depth + 1).trim_start())).collect()
        }
        scalar => vec![format!("{indent}{}\n", text::yaml(&scalar.to_string()))],
    };
    lines.concat()
}

fn behind_name(value: &Value, depth: usize) -> String {
    if value.is_object() || value.is_array() {
        return format!("\n{}", yaml(value, depth + 1));
    }
    format!(" {}", yaml(value, 0))
}

/// `citation.bib`: one entry.
pub(crate) fn bib(metadata: &RecordMetadata) -> Vec<u8> {
    // Braces keep the name of an organisation in one piece, and one that a person writes with `and`.
    let author = |agent: &Agent| match agent.names() {
        (family, given) if agent.is_person && !given.is_empty() => {
            let [family, given] = [family, given].map(|name| bibtex(name).replace(" and ", " {and} "));
            format!("{family}, {given}")
        }
        _ => format!("{{{}}}", bibtex(&agent.name)),
    };
    let authors: Vec<String> = metadata.creators.iter().map(author).collect();
    let mut fields = vec![
        ("author", authors.join(" and ")),
        // Styles write titles in lower case, save what is in braces.
        ("title", format!("{{{}}}", bibtex(&metadata.title))),
        ("year", bibtex(metadata.year())),
        ("publisher", bibtex(&metadata.publisher.spoken())),
        ("version", metadata.version.to_string()),
        // IRIs have no braces, and are taken as they are.
        ("url", metadata.cited_as()),
    ];
    fields.extend(metadata.doi.iter().map(|doi| ("doi", doi.clone())));
    let fields: Vec<String> =
        fields.iter().map(|(name, value)| format!("  {name:<9} = {{{value}}}")).collect();
    format!("@dataset{{{},\n{}\n}}\n", metadata.short_name(), fields.join(",\n")).into_bytes()
}
