//! FORMS of metadata: what a published record says of itself, for every kind of reader. Each is a function of
//! [`RecordMetadata`], so that no two of them can differ.

pub(crate) mod citation;
pub(crate) mod croissant;
pub(crate) mod datacite;
pub mod dcat;
pub(crate) mod invenio;
pub mod landing;
pub(crate) mod rocrate;
pub mod schema_org;
pub(crate) mod shared;
pub mod signposting;
pub mod tables;
#[cfg(test)]
mod tests;
pub mod tombstone;

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::Result;
use crate::record::publication::metadata::{FileRole, RecordFile, RecordMetadata};

/// A form of metadata as it is written into a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenForm {
    /// What it is, with its path.
    pub file: RecordFile,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl WrittenForm {
    fn of(path: &str, media_type: &str, title: &str, description: &str, bytes: Vec<u8>) -> Self {
        let file = RecordFile {
            path: path.to_owned(),
            role: FileRole::Metadata,
            title: title.to_owned(),
            description: description.to_owned(),
            media_type: media_type.to_owned(),
            sha256: hex(&Sha256::digest(&bytes)),
            bytes: bytes.len() as u64,
            licence: None,
            about: None,
            conforms_to: None,
            statements: None,
        };
        Self { file, bytes }
    }
}

/// All forms of the metadata of a record, in their order. The landing page is made from
/// [the links](signposting::links) and [the JSON-LD](schema_org::script); its bytes are those of `index.html` and of
/// `ro-crate-preview.html`.
///
/// # Errors
/// Where there is no memory for them.
pub fn forms(metadata: &RecordMetadata, page: &[u8]) -> Result<Vec<WrittenForm>> {
    let others = others(metadata)?;
    let mut page = WrittenForm::of(
        "index.html",
        "text/html",
        "Landing page",
        "The record for people, with JSON-LD of schema.org and typed links.",
        page.to_vec(),
    );
    page.file.role = FileRole::Page;
    let finished: Vec<RecordFile> =
        [&page].into_iter().chain(&others).map(|form| form.file.clone()).collect();
    let root = WrittenForm::of(
        "ro-crate-metadata.json",
        "application/ld+json",
        "RO-Crate",
        "RO-Crate 1.1 and Process Run Crate 0.5.",
        rocrate::rocrate(metadata, &finished),
    );
    Ok(std::iter::once(root).chain(others).collect())
}

/// All but the crate, which describes them.
fn others(metadata: &RecordMetadata) -> Result<Vec<WrittenForm>> {
    let json = "application/json";
    Ok(vec![
        WrittenForm::of(
            signposting::LINK_SET,
            signposting::LINK_SET_TYPE,
            "Typed links",
            "FAIR Signposting, level 2.",
            signposting::link_set(metadata),
        ),
        WrittenForm::of(
            "CITATION.cff",
            "application/yaml",
            "Citation",
            "Citation File Format 1.2.0.",
            citation::cff(metadata),
        ),
        WrittenForm::of(
            "citation.bib",
            "application/x-bibtex",
            "Citation (BibTeX)",
            "An entry for BibTeX.",
            citation::bib(metadata),
        ),
        WrittenForm::of(
            "metadata/dcat.ttl",
            "text/turtle",
            "Catalogue record",
            "DCAT-AP 3, DataID, VoID and ODRL.",
            dcat::dcat(metadata)?,
        ),
        WrittenForm::of(
            "metadata/datacite.json",
            json,
            "DataCite metadata",
            "DataCite 4.6 as JSON.",
            datacite::as_json(metadata),
        ),
        WrittenForm::of(
            "metadata/datacite.xml",
            "application/xml",
            "DataCite metadata (XML)",
            "DataCite 4.6 as XML.",
            datacite::as_xml(metadata)?,
        ),
        WrittenForm::of(
            "metadata/invenio.json",
            json,
            "Deposit metadata",
            "For InvenioRDM and Zenodo.",
            invenio::invenio(metadata),
        ),
        WrittenForm::of(
            "metadata/croissant.json",
            "application/ld+json",
            "Croissant",
            "The tables, by Croissant 1.0.",
            croissant::croissant(metadata),
        ),
    ])
}
