//! Croissant 1.0: the tables of a record for hubs of machine learning. All values are texts: the decimals as published, of
//! which a number of Croissant would make doubles.

use serde_json::{Value, json};

use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::{FileRole, RecordFile, RecordMetadata};
use crate::report::forms::shared::{citation, json_bytes};
use crate::report::forms::tables::{AGGREGATES, QUESTIONS, TableColumns};

/// `metadata/croissant.json`.
pub(crate) fn croissant(metadata: &RecordMetadata) -> Vec<u8> {
    let tables = || metadata.files_of(FileRole::Table);
    let sets = tables().filter_map(|file| {
        let columns = [AGGREGATES, QUESTIONS].into_iter().find(|table| table.path == file.path)?;
        Some(record_set(file, &columns))
    });
    json_bytes(&json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "@id": metadata.cited_as(),
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": metadata.title,
        "description": metadata.description,
        "url": metadata.iri,
        "version": metadata.version.to_string(),
        "datePublished": metadata.issued,
        "dateModified": metadata.modified,
        "license": metadata.licence.iri,
        "citeAs": citation(metadata),
        "creator": metadata.creators.iter().map(agent).collect::<Vec<_>>(),
        "publisher": agent(&metadata.publisher),
        "keywords": metadata.keywords,
        "isLiveDataset": false,
        "distribution": tables().map(|file| file_object(metadata, file)).collect::<Vec<_>>(),
        "recordSet": sets.collect::<Vec<_>>(),
    }))
}

fn agent(agent: &Agent) -> Value {
    let class = if agent.is_person { "sc:Person" } else { "sc:Organization" };
    json!({ "@type": class, "name": agent.spoken(), "url": agent.iri })
}

fn file_object(metadata: &RecordMetadata, file: &RecordFile) -> Value {
    json!({
        "@type": "cr:FileObject",
        "@id": file.path,
        "name": file.path,
        "description": file.description,
        "contentUrl": metadata.file_iri(&file.path),
        "encodingFormat": file.media_type,
        "contentSize": format!("{} B", file.bytes),
        "sha256": file.sha256,
    })
}

fn record_set(file: &RecordFile, table: &TableColumns) -> Value {
    let field = |(column, description): &(&str, &str)| {
        json!({
            "@type": "cr:Field",
            "@id": format!("{}/{column}", table.name),
            "name": column,
            "description": description,
            "dataType": "sc:Text",
            "source": { "fileObject": { "@id": file.path }, "extract": { "column": column } },
        })
    };
    json!({
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": format!("{} All values are texts; those of measures are exact decimals.", file.description),
        "field": table.columns.iter().map(field).collect::<Vec<_>>(),
    })
}

/// The standard context of Croissant 1.0: validators compare it.
fn context() -> Value {
    json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "citeAs": "cr:citeAs",
        "column": "cr:column",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "rai": "http://mlcommons.org/croissant/RAI/",
        "data": { "@id": "cr:data", "@type": "@json" },
        "dataType": { "@id": "cr:dataType", "@type": "@vocab" },
        "dct": "http://purl.org/dc/terms/",
        "equivalentProperty": "cr:equivalentProperty",
        "examples": { "@id": "cr:examples", "@type": "@json" },
        "extract": "cr:extract",
        "field": "cr:field",
        "fileProperty": "cr:fileProperty",
        "fileObject": "cr:fileObject",
        "fileSet": "cr:fileSet",
        "format": "cr:format",
        "includes": "cr:includes",
        "isLiveDataset": "cr:isLiveDataset",
        "jsonPath": "cr:jsonPath",
        "key": "cr:key",
        "md5": "cr:md5",
        "parentField": "cr:parentField",
        "path": "cr:path",
        "recordSet": "cr:recordSet",
        "references": "cr:references",
        "regex": "cr:regex",
        "repeated": "cr:repeated",
        "replace": "cr:replace",
        "samplingRate": "cr:samplingRate",
        "sc": "https://schema.org/",
        "separator": "cr:separator",
        "source": "cr:source",
        "subField": "cr:subField",
        "transform": "cr:transform",
    })
}
