//! The record of a knowledge base: DCAT and `DataID` describe its files, `VoID` how much it says, and where a server has it.

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::iri::{Mint, slug};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{databus, dataid, dcat, dct, foaf, prov, qassay, rdf, void, xsd};
use crate::kb::base::{KbFile, KnowledgeBase, PinnedGraph, ServedGraphs};
use crate::kb::tally::Statistics;
use crate::record::publish::catalogue::{ReceivedFile, described_by, received};
use crate::record::publish::stated::Typed;

/// The record of a version of a knowledge base. Of one that a server has only statements are counted.
pub fn knowledge_base(mint: &Mint, base: &KnowledgeBase, statistics: &Statistics) -> Lines {
    let iri = base.iri(mint);
    let mut lines = Lines::new(&mint.catalogue_graph());
    described(&mut lines, mint, base);
    for file in &base.files {
        distribution(&mut lines, mint, &iri, file);
    }
    match &base.served {
        Some(there) => served(&mut lines, &iri, there),
        None => counted(&mut lines, &iri, statistics),
    }
    let identity = mint.knowledge_base_name(&slug(&base.name));
    Typed::new(&mut lines, mint)
        .algorithm()
        .catalogue(mint)
        .described(&identity, "A knowledge base, in all versions that are here.");
    lines
}

fn described(lines: &mut Lines, mint: &Mint, base: &KnowledgeBase) {
    let iri = base.iri(mint);
    let identity = mint.knowledge_base_name(&slug(&base.name));
    let record = format!("{iri}/dataid");
    let received_as = match base.served {
        Some(_) => "A version of a knowledge base, as a server has it.",
        None => "A version of a knowledge base, as received in files.",
    };
    lines.subject(&iri);
    for class in [
        qassay::KNOWLEDGE_BASE_SNAPSHOT,
        dcat::DATASET_CLASS,
        dataid::DATASET,
        void::DATASET,
        prov::ENTITY_CLASS,
    ] {
        lines.iri(rdf::TYPE, class);
    }
    // A version of the Databus is files.
    if base.served.is_none() {
        lines.iri(rdf::TYPE, databus::VERSION);
    }
    lines
        .text(dct::TITLE, &base.label())
        .text_in(dct::DESCRIPTION, received_as, Some("en"))
        .text(dct::IDENTIFIER, &base.label())
        .text(dcat::VERSION, &base.version)
        .iri(dcat::IS_VERSION_OF, &identity)
        .typed(qassay::KNOWLEDGE_BASE_DIGEST, &base.digest(), xsd::HEX_BINARY)
        .iri(foaf::IS_PRIMARY_TOPIC_OF, &record);
    lines.subject(&identity);
    for class in [dcat::DATASET_CLASS, dataid::DATASET, databus::ARTIFACT] {
        lines.iri(rdf::TYPE, class);
    }
    lines.text(dct::TITLE, &base.name).iri(dcat::HAS_VERSION, &iri);
    lines
        .subject(&record)
        .iri(rdf::TYPE, dataid::DATA_ID)
        .iri(rdf::TYPE, dcat::CATALOG_RECORD)
        .iri(foaf::PRIMARY_TOPIC, &iri)
        .iri(dataid::IN_CATALOG, &mint.catalogue())
        .text(dct::TITLE, &described_by(&iri));
    lines
        .subject(&mint.catalogue())
        .iri(rdf::TYPE, dcat::CATALOG)
        .text_in(dct::TITLE, "qassay catalogue", Some("en"))
        .iri(dcat::DATASET, &iri)
        .iri(dcat::RECORD, &record);
}

fn distribution(lines: &mut Lines, mint: &Mint, iri: &str, file: &KbFile) {
    let distribution = format!("{iri}/dist/{}", &file.sha256[..16]);
    lines.subject(iri).iri(dcat::DISTRIBUTION, &distribution);
    let facts = ReceivedFile {
        sha256: &file.sha256,
        bytes: file.bytes,
        media_type: &file.media_type,
        packing: file.packing.as_deref(),
        format: None,
    };
    received(lines, mint, (iri, &distribution), &facts);
    lines
        .subject(&distribution)
        .text(dct::TITLE, &file.name)
        .integer(qassay::READ_STATEMENTS, file.statements)
        .integer(qassay::SKIPPED_STATEMENTS, file.skipped);
}

fn served(lines: &mut Lines, iri: &str, served: &ServedGraphs) {
    lines
        .subject(iri)
        .iri(void::SPARQL_ENDPOINT, &served.address)
        .integer(void::TRIPLES, served.statements());
    for PinnedGraph { name, statements, checksum } in &served.graphs {
        let node = format!("{iri}/graph/{}", &hex(&Sha256::digest(name))[..32]);
        lines.subject(iri).iri(void::SUBSET, &node);
        lines
            .subject(&node)
            .iri(rdf::TYPE, void::DATASET)
            .text(dct::TITLE, name)
            .integer(void::TRIPLES, *statements);
        if let Some(checksum) = checksum {
            lines.typed(qassay::GRAPH_CHECKSUM, checksum, xsd::HEX_BINARY);
        }
    }
}

fn counted(lines: &mut Lines, iri: &str, statistics: &Statistics) {
    let partition = |kind: &str, of: &str| format!("{iri}/{kind}/{}", &hex(&Sha256::digest(of))[..32]);
    lines
        .subject(iri)
        .integer(void::TRIPLES, statistics.triples)
        .integer(void::DISTINCT_SUBJECTS, statistics.subjects)
        .integer(void::DISTINCT_OBJECTS, statistics.objects)
        .integer(void::PROPERTIES, statistics.properties.len() as u64)
        .integer(void::CLASSES, statistics.classes.len() as u64);
    for (property, counts) in &statistics.properties {
        let node = partition("property", property);
        lines.subject(iri).iri(void::PROPERTY_PARTITION, &node);
        lines
            .subject(&node)
            .iri(void::PROPERTY, property)
            .integer(void::TRIPLES, counts.triples)
            .integer(void::DISTINCT_SUBJECTS, counts.subjects)
            .integer(void::DISTINCT_OBJECTS, counts.objects);
    }
    for (class, members) in &statistics.classes {
        let node = partition("class", class);
        lines.subject(iri).iri(void::CLASS_PARTITION, &node);
        lines.subject(&node).iri(void::CLASS, class).integer(void::ENTITIES, *members);
    }
}
