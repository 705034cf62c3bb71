//! schema.org: the JSON-LD in the landing page of a record. Its context stands in it, since readers should not have to fetch
//! one; scores are texts, since a number of JSON-LD is a double.

use serde_json::{Value, json};

use crate::base::iri;
use crate::base::text;
use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::{MeasuredValue, RecordFile, RecordInput, RecordMetadata};
use crate::report::forms::shared::{LANGUAGE, address, citation, computed};

/// The content of the element `script` with the type `application/ld+json`: as it is to be written, without further
/// escapes. Nothing in it ends the element or begins a comment.
pub fn script(metadata: &RecordMetadata) -> String {
    text::json(&format!("{:#}", dataset(metadata))).replace("</", "<\\/").replace("<!", "\\u003c!")
}

fn dataset(metadata: &RecordMetadata) -> Value {
    let mut identifiers = vec![metadata.iri.clone(), metadata.identifier.clone()];
    identifiers.extend(metadata.doi_address());
    let mut dataset = json!({
        "@context": { "@vocab": "https://schema.org/" },
        "@type": "Dataset",
        "@id": metadata.cited_as(),
        "url": metadata.page(),
        "identifier": identifiers,
        "name": metadata.title,
        "description": metadata.description,
        "version": metadata.version.to_string(),
        "datePublished": metadata.issued,
        "dateModified": metadata.modified,
        "inLanguage": LANGUAGE,
        "isAccessibleForFree": true,
        "license": metadata.licence.iri,
        "keywords": metadata.keywords,
        "conditionsOfAccess": conditions(metadata),
        "creativeWorkStatus": "published",
        "creator": metadata.creators.iter().map(agent).collect::<Vec<_>>(),
        "publisher": agent(&metadata.publisher),
        "includedInDataCatalog": {
            "@type": "DataCatalog",
            "@id": iri::catalogue_of(&metadata.base),
            "name": "qassay catalogue",
            "url": metadata.base,
        },
        "measurementTechnique": metadata.profiles.iter().map(|one| one.iri.as_str()).collect::<Vec<_>>(),
        "variableMeasured": metadata.measured.iter().map(variable).collect::<Vec<_>>(),
        "isBasedOn": based_on(metadata),
        "distribution": metadata.items().map(|file| download(metadata, file)).collect::<Vec<_>>(),
        "citation": citation(metadata),
    });
    if let Some((first, _)) = computed(metadata) {
        dataset["dateCreated"] = first.into();
    }
    if !metadata.attributions.is_empty() {
        dataset["creditText"] = metadata.attributions.join("; ").into();
    }
    dataset
}

/// Who may read it: everybody, all that is not withheld.
fn conditions(metadata: &RecordMetadata) -> &'static str {
    let has_withheld =
        !metadata.withheld.is_empty() || metadata.inputs.iter().any(|input| input.withheld.is_some());
    if has_withheld {
        "public; inputs that may not be passed on are named by checksum and source"
    } else {
        "public"
    }
}

fn agent(of: &Agent) -> Value {
    let class = if of.is_person { "Person" } else { "Organization" };
    let mut described = json!({ "@type": class, "@id": of.iri, "name": of.spoken(), "url": of.iri });
    if let Some(affiliation) = &of.affiliation {
        described["affiliation"] = agent(affiliation);
    }
    described
}

fn variable(measured: &MeasuredValue) -> Value {
    json!({
        "@type": "PropertyValue",
        "@id": measured.iri,
        "name": format!("{} ({})", measured.name, measured.experiment),
        "description": format!("{} of {} on {}, {}", measured.name, measured.system, measured.dataset, measured.experiment),
        "propertyID": measured.measure,
        "value": measured.value,
    })
}

/// Inputs and members.
fn based_on(metadata: &RecordMetadata) -> Vec<Value> {
    let members = metadata.members.iter();
    let members =
        members.map(|one| json!({ "@type": "Dataset", "@id": one.iri, "name": one.title, "url": one.iri }));
    metadata.inputs.iter().map(input).chain(members).collect()
}

/// An input; one that is withheld says so, and where a stranger can get it.
fn input(input: &RecordInput) -> Value {
    let mut based = json!({
        "@type": "CreativeWork",
        "@id": input.iri,
        "name": input.title,
        "identifier": format!("sha256:{}", input.sha256),
    });
    if let Some(source) = input.source.as_deref().and_then(address) {
        based["url"] = source.into();
    }
    if let Some(licence) = &input.licence {
        based["license"] = licence.iri.as_str().into();
    }
    if let Some(reason) = &input.withheld {
        based["conditionsOfAccess"] = reason.as_str().into();
    }
    based
}

fn download(metadata: &RecordMetadata, file: &RecordFile) -> Value {
    let mut download = json!({
        "@type": "DataDownload",
        "name": file.title,
        "description": file.description,
        "contentUrl": metadata.file_iri(&file.path),
        "encodingFormat": file.media_type,
        "contentSize": format!("{} B", file.bytes),
        "sha256": file.sha256,
    });
    if let Some(licence) = &file.licence {
        download["license"] = licence.iri.as_str().into();
    }
    download
}
