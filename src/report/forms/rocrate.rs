//! RO-Crate 1.1 with the profile Process Run Crate 0.5: every file of the record, the execution that made it, what it used.

use indexmap::IndexMap;
use serde_json::{Map, Value, json};

use crate::base::iri;
use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::{
    FileRole, MeasuredValue, PublishedKind, RecordFile, RecordInput, RecordMetadata, RecordRun,
    StatedLicence, WithheldPart,
};
use crate::report::forms::shared::{DATA_CUBE, LANGUAGE, address, agents, json_bytes, kind, licences, once};

/// The profile that the crate follows beside RO-Crate itself.
const PROCESS_RUN: &str = "https://w3id.org/ro/wfrun/process/0.5";

/// The crate itself.
const ROOT: &str = "./";

/// Media types that have a specification on the web: its address and name.
const SPECIFICATIONS: [(&str, &str, &str); 3] = [
    ("application/n-quads", "https://www.w3.org/TR/n-quads/", "RDF 1.1 N-Quads"),
    ("text/turtle", "https://www.w3.org/TR/turtle/", "RDF 1.1 Turtle"),
    ("text/csv", "https://www.nationalarchives.gov.uk/PRONOM/x-fmt/18", "Comma Separated Values"),
];

/// Entities in their order; what was said first of one holds.
#[derive(Default)]
struct Crate(IndexMap<String, Value>);

impl Crate {
    /// Adds an entity, by the rule of RO-Crate that one value stands alone, and that none is not written.
    fn add(&mut self, id: &str, properties: Value) {
        let mut entity = Map::from_iter([("@id".to_owned(), Value::from(id))]);
        let properties = if let Value::Object(properties) = properties { properties } else { Map::new() };
        for (name, value) in properties {
            let value = match value {
                Value::Array(mut all) if all.len() < 2 => all.pop().unwrap_or_default(),
                value => value,
            };
            if !value.is_null() {
                entity.insert(name, value);
            }
        }
        self.0.entry(id.to_owned()).or_insert(Value::Object(entity));
    }
}

/// `ro-crate-metadata.json`: the metadata, and all other forms of it as finished files.
pub(crate) fn rocrate(metadata: &RecordMetadata, finished: &[RecordFile]) -> Vec<u8> {
    let mut whole = Crate::default();
    let files = || metadata.files.iter().chain(finished);
    whole.add(
        "ro-crate-metadata.json",
        json!({ "@type": "CreativeWork", "about": to(ROOT), "conformsTo": to("https://w3id.org/ro/crate/1.1") }),
    );
    whole.add(ROOT, root(metadata, &mut files()));
    files().for_each(|file| whole.add(&reference(&file.path), described(file)));
    inputs(metadata, &mut whole);
    metadata.withheld.iter().for_each(|part| whole.add(&part.iri, withheld(part)));
    metadata.runs.iter().for_each(|run| whole.add(&run.iri, action(metadata, run)));
    things(metadata, &mut whole);
    metadata.measured.iter().for_each(|one| whole.add(&one.iri, variable(one)));
    for one in agents(metadata) {
        whole.add(&one.iri, agent(one));
    }
    for one in licences(metadata) {
        whole.add(&one.iri, licence(one));
    }
    specifications(metadata, &mut files(), &mut whole);
    let preview = json!({
        "@type": "CreativeWork",
        "about": to(ROOT),
        "name": "Landing page as preview",
        "encodingFormat": "text/html",
    });
    whole.add("ro-crate-preview.html", preview);
    let context = json!([
        "https://w3id.org/ro/crate/1.1/context",
        // The context of 1.1 lacks it.
        {
            "sha256": "https://w3id.org/ro/terms/workflow-run#sha256",
            "creditText": "http://schema.org/creditText",
        },
    ]);
    json_bytes(&json!({ "@context": context, "@graph": whole.0.into_values().collect::<Vec<_>>() }))
}

/// A reference to an entity.
fn to(id: &str) -> Value {
    json!({ "@id": id })
}

/// References to entities; one of them is no list.
fn to_all<'a>(ids: impl Iterator<Item = &'a str>) -> Value {
    let mut all: Vec<Value> = ids.map(to).collect();
    if all.len() == 1 { all.remove(0) } else { all.into() }
}

/// A file of the crate as an entity is called.
fn reference(path: &str) -> String {
    iri::published_path(path)
}

/// A time as validators read it: with milliseconds, and a number for the zone.
fn time(text: &str) -> String {
    let stamp: Option<jiff::Timestamp> = text.parse().ok();
    stamp.map_or_else(|| text.to_owned(), |stamp| stamp.strftime("%Y-%m-%dT%H:%M:%S%.3f+00:00").to_string())
}

fn root(metadata: &RecordMetadata, files: &mut dyn Iterator<Item = &RecordFile>) -> Value {
    let creators = || to_all(metadata.creators.iter().map(|one| one.iri.as_str()));
    let is_comparison = metadata.published == PublishedKind::Comparison;
    let based_on = metadata.inputs.iter().map(|input| input.iri.as_str());
    let compared = metadata.members.iter().filter(|_| is_comparison).map(|one| one.iri.as_str());
    let evaluated = metadata.members.iter().filter(|_| !is_comparison).map(|one| one.iri.as_str());
    let runs = metadata.runs.iter().map(|run| run.iri.as_str());
    let withheld = metadata.withheld.iter().map(|part| part.iri.as_str());
    let mut root = json!({
        "@type": "Dataset",
        "name": metadata.title,
        "description": metadata.description,
        "identifier": metadata.cited_as(),
        "url": metadata.iri,
        "version": metadata.version.to_string(),
        "datePublished": format!("{}T00:00:00+00:00", metadata.issued),
        "dateModified": format!("{}T00:00:00+00:00", metadata.modified),
        "license": to(&metadata.licence.iri),
        "author": creators(),
        "creator": creators(),
        "publisher": to(&metadata.publisher.iri),
        "keywords": metadata.keywords.join(", "),
        "inLanguage": LANGUAGE,
        "about": to(&metadata.iri),
        "isBasedOn": to_all(based_on.chain(compared)),
        "mentions": to_all(runs.chain(evaluated).chain(withheld)),
        "variableMeasured": to_all(metadata.measured.iter().map(|one| one.iri.as_str())),
        "hasPart": files.map(|file| to(&reference(&file.path))).collect::<Vec<_>>(),
    });
    // What ran nothing is a crate, and no process run.
    if !metadata.runs.is_empty() {
        root["conformsTo"] = to(PROCESS_RUN);
    }
    if !metadata.attributions.is_empty() {
        root["creditText"] = metadata.attributions.join("; ").into();
    }
    root
}

fn described(file: &RecordFile) -> Value {
    let specification = SPECIFICATIONS.iter().find(|(media_type, ..)| *media_type == file.media_type);
    let media_type = file.media_type.as_str();
    let format = specification.map_or_else(|| json!(media_type), |(_, at, _)| json!([media_type, to(at)]));
    let mut entity = json!({
        "@type": "File",
        "name": file.title,
        "description": file.description,
        "encodingFormat": format,
        "contentSize": file.bytes.to_string(),
        "sha256": file.sha256,
    });
    if let Some(licence) = &file.licence {
        entity["license"] = to(&licence.iri);
    }
    if let Some(standard) = &file.conforms_to {
        entity["conformsTo"] = to(standard);
    }
    if let Some(about) = &file.about {
        entity["identifier"] = about.as_str().into();
    }
    entity
}

/// The inputs: the versions, and the bytes of those that are withheld.
fn inputs(metadata: &RecordMetadata, whole: &mut Crate) {
    for input in &metadata.inputs {
        let source = input.source.as_deref().and_then(address);
        let mut version = json!({
            "@type": "CreativeWork",
            "name": input.title,
            "description": format!("Used as {}.", input.part),
            "identifier": format!("sha256:{}", input.sha256),
            "workExample": to(&bytes_of(metadata, input)),
        });
        let mut bytes = json!({
            "@type": "CreativeWork",
            "name": input.title,
            "description": format!("A file as it was received, not contained. Used as {}.", input.part),
            "encodingFormat": input.media_type,
            "contentSize": input.bytes.to_string(),
            "sha256": input.sha256,
            "identifier": format!("sha256:{}", input.sha256),
            "conditionsOfAccess": input.withheld.as_deref().unwrap_or("by its source"),
            "exampleOfWork": to(&input.iri),
        });
        for entity in [&mut version, &mut bytes] {
            if let Some(source) = source {
                entity["url"] = source.into();
            }
            if let Some(licence) = &input.licence {
                entity["license"] = to(&licence.iri);
            }
        }
        whole.add(&input.iri, version);
        // What is contained is described as a file.
        whole.add(&bytes_of(metadata, input), bytes);
    }
}

/// What the bytes of an input are called: a file of the crate, or their IRI.
fn bytes_of(metadata: &RecordMetadata, input: &RecordInput) -> String {
    let contained =
        input.path.as_deref().filter(|path| metadata.files.iter().any(|file| file.path == **path));
    contained.map_or_else(|| input.file.clone(), reference)
}

fn withheld(part: &WithheldPart) -> Value {
    let mut entity = json!({
        "@type": "CreativeWork",
        "name": format!("Not contained: {}", part.path),
        "description": part.reason,
        "contentSize": part.bytes.to_string(),
        "sha256": part.sha256,
        "identifier": format!("sha256:{}", part.sha256),
        "conditionsOfAccess": part.reason,
    });
    if let Some(source) = part.source.as_deref().and_then(address) {
        entity["url"] = source.into();
    }
    entity
}

fn action(metadata: &RecordMetadata, run: &RecordRun) -> Value {
    let is_used = |iri: &String| run.used.is_empty() || run.used.contains(iri);
    let inputs = metadata.inputs.iter().filter(|input| is_used(&input.iri));
    let profiles = metadata.profiles.iter().filter(|profile| is_used(&profile.iri));
    let objects = inputs.map(|input| bytes_of(metadata, input)).chain(profiles.map(|one| one.iri.clone()));
    let is_result = |file: &&RecordFile| {
        run.generated.is_empty() || file.about.as_ref().is_some_and(|about| run.generated.contains(about))
    };
    let results = metadata.files_of(FileRole::Graph).filter(is_result);
    let mut action = json!({
        "@type": "CreateAction",
        "name": format!("{} by qassay", kind(metadata.published)),
        "identifier": run.iri,
        "instrument": to(&run.engine),
        "agent": metadata.creators.first().map(|agent| to(&agent.iri)),
        "object": objects.map(|id| to(&id)).collect::<Vec<_>>(),
        "result": results.map(|file| to(&reference(&file.path))).collect::<Vec<_>>(),
        "startTime": time(&run.started),
        "endTime": time(&run.ended),
        "actionStatus": "http://schema.org/CompletedActionStatus",
    });
    action["description"] = run.command.as_deref().unwrap_or("qassay").into();
    action
}

/// Programs, profiles, members, and what is published.
fn things(metadata: &RecordMetadata, whole: &mut Crate) {
    for run in once(metadata.runs.iter(), |run| &run.engine) {
        whole.add(
            &run.engine,
            json!({
                "@type": "SoftwareApplication",
                "name": "qassay",
                "description": "Measures how well systems answer questions over knowledge graphs.",
                "version": run.version,
                "url": metadata.base,
            }),
        );
    }
    for profile in &metadata.profiles {
        whole.add(&profile.iri, json!({
            "@type": "CreativeWork",
            "name": profile.title,
            "description": "How answers are read, which match queries run, how items are paired and what empty answers mean.",
        }));
    }
    for member in &metadata.members {
        whole.add(&member.iri, json!({ "@type": "CreativeWork", "name": member.title, "url": member.iri }));
    }
    let published =
        json!({ "@type": "CreativeWork", "name": metadata.title, "identifier": metadata.identifier });
    whole.add(&metadata.iri, published);
}

fn variable(measured: &MeasuredValue) -> Value {
    json!({
        "@type": "PropertyValue",
        "name": format!("{} ({})", measured.name, measured.experiment),
        "description": format!("{} of {} on {}, {}", measured.name, measured.system, measured.dataset, measured.experiment),
        "propertyID": measured.measure,
        "value": measured.value,
    })
}

fn agent(agent: &Agent) -> Value {
    let mut entity = json!({
        "@type": if agent.is_person { "Person" } else { "Organization" },
        "name": agent.spoken(),
        "url": agent.iri,
    });
    if let Some(affiliation) = &agent.affiliation {
        entity["affiliation"] = to(&affiliation.iri);
    }
    let (family, given) = agent.names();
    if agent.is_person && !given.is_empty() {
        entity["givenName"] = given.into();
        entity["familyName"] = family.into();
    }
    entity
}

fn licence(licence: &StatedLicence) -> Value {
    json!({
        "@type": "CreativeWork",
        "name": licence.title,
        "description": format!("Licence: {}", licence.title),
        "identifier": licence.spdx.as_deref().unwrap_or(&licence.iri),
    })
}

/// What files and the crate follow.
fn specifications(
    metadata: &RecordMetadata,
    files: &mut dyn Iterator<Item = &RecordFile>,
    whole: &mut Crate,
) {
    if !metadata.runs.is_empty() {
        let name = json!({ "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5" });
        whole.add(PROCESS_RUN, name);
    }
    for file in files {
        if let Some((_, at, name)) =
            SPECIFICATIONS.iter().find(|(media_type, ..)| *media_type == file.media_type)
        {
            // Versions of RO-Crate disagree about the class.
            whole.add(at, json!({ "@type": ["WebPage", "WebSite"], "name": name }));
        }
        if let Some(standard) = &file.conforms_to {
            let name = if standard == DATA_CUBE { "The RDF Data Cube Vocabulary" } else { standard };
            whole.add(standard, json!({ "@type": "CreativeWork", "name": name }));
        }
    }
}
