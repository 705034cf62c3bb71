//! Where a file is, and what it is called in RDF.

use crate::base::iri::{Mint, segment, slug};
use crate::sources::catalogue::{Entry, Kind, SERVER};

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
            Kind::Dataset => mint.dataset_version(&self.slug(), self.sha256),
            Kind::Submission => mint.submission(self.sha256),
            Kind::Links | Kind::KnowledgeBase => mint.reference(self.kind.name(), self.sha256),
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
