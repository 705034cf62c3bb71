//! What `datasets/catalogue.ttl` says about published files is true of the files in the mirror.

#![expect(dead_code, reason = "each test file uses a part of the common module")]

mod common;

use std::path::PathBuf;

use oxigraph::io::{RdfFormat, RdfParser};
use qassay::graph::archive::file_digest;
use qassay::ontology::OntologyFile;

const SHA256SUM: &str = "https://dataid.dbpedia.org/databus#sha256sum";
const BYTE_SIZE: &str = "http://www.w3.org/ns/dcat#byteSize";
const SOURCE: &str = "http://www.w3.org/ns/prov#hadPrimarySource";

fn catalogue() -> OntologyFile {
    OntologyFile { path: "datasets/catalogue.ttl", text: include_str!("../datasets/catalogue.ttl") }
}

#[test]
fn records_are_complete_and_name_their_checksum() {
    RdfParser::from_format(RdfFormat::Turtle)
        .for_slice(catalogue().text)
        .for_each(|quad| drop(quad.unwrap()));
    let facts = catalogue().facts();
    for subject in facts.subjects() {
        let sha256 = facts.text(subject, SHA256SUM).unwrap_or_else(|| panic!("{subject} has no checksum"));
        assert!(
            sha256.starts_with(subject.rsplit('/').next().unwrap()),
            "{subject} is named by another checksum"
        );
        assert!(facts.text(subject, BYTE_SIZE).is_some(), "{subject} has no size");
    }
}

#[test]
fn files_of_the_mirror_have_the_recorded_bytes() {
    let Some(mirror) = common::mirror() else { return };
    let facts = catalogue().facts();
    let mut seen = 0;
    for subject in facts.subjects() {
        let Some(source) = facts.text(subject, SOURCE) else { continue };
        let path = source.trim_start_matches("https://github.com/").replacen("/blob/", "/", 1);
        let path: PathBuf = mirror.join(path);
        assert_eq!(file_digest(&path).unwrap(), facts.text(subject, SHA256SUM).unwrap(), "{subject}");
        let size = std::fs::metadata(&path).unwrap().len().to_string();
        assert_eq!(facts.text(subject, BYTE_SIZE), Some(size.as_str()), "{subject}");
        seen += 1;
    }
    assert!(seen >= 10, "the catalogue has records of published files");
}

#[test]
fn the_example_has_the_recorded_bytes() {
    let facts = catalogue().facts();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    for name in ["gold.json", "aurora.json", "borealis.json", "same-as.nt"] {
        let sha256 = file_digest(&folder.join(name)).unwrap();
        let known = facts.subjects().any(|subject| facts.text(subject, SHA256SUM) == Some(&sha256));
        assert!(known, "datasets/catalogue.ttl has no record of datasets/example/{name}");
    }
}
