//! Blind submissions: accepted, and not evaluated before they are released.

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::clock::Instant;
use crate::base::iri::Mint;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{dct, prov, qassay, rdf, schema, xsd};
use crate::profiles::Profile;
use crate::record::publish::catalogue::register;
use crate::record::publish::provenance::{build, describe_build, engine};
use crate::record::publish::stated::Typed;
use crate::references::ReferenceKind;
use crate::sources::archive::StoredGraph;
use crate::sources::input::Input;

/// A submission that is accepted in test mode. Nothing here looks at a gold answer.
#[derive(Debug, Clone, Copy)]
pub struct Blind<'a> {
    /// The dataset whose questions it answers.
    pub dataset: &'a Input,
    /// The submission.
    pub submission: &'a Input,
    /// What it will be evaluated with.
    pub profile: &'a Profile,
    /// Its place among the blind submissions to this dataset version, from 1.
    pub number: u64,
    /// Whether the archive knows the same bytes as those of another system, who is not to hear of it.
    pub is_shared: bool,
}

impl Blind<'_> {
    /// The digest that names it: of dataset, submission and profile, with the file of a user's own. The same bytes are accepted once
    /// of each system.
    pub fn digest(&self) -> String {
        let files = [self.dataset, self.submission].map(|input| input.source.sha256());
        Self::digest_of(files, &self.profile.iri, self.profile.file_sha256(), self.further_name())
    }

    /// The digest from the checksums of the two files, the IRI of the profile, the checksum of its file where it is a user's own, of
    /// which the first 32 digits are enough, and the name of a system whose bytes are those of another one, too.
    pub fn digest_of(
        [dataset, submission]: [&str; 2],
        profile: &str,
        file: Option<&str>,
        name: Option<&str>,
    ) -> String {
        let file = file.map_or_else(String::new, |sha256| format!("{}\n", &sha256[..32]));
        let name = name.map_or_else(String::new, |name| format!("system\n{name}\n"));
        hex(&Sha256::digest(format!("blind\n{dataset}\n{submission}\n{profile}\n{file}{name}")))
    }

    fn further_name(&self) -> Option<&str> {
        self.is_shared.then_some(self.submission.name.as_str())
    }

    /// What a blind submission calls the system that sent it, where it shares the bytes with another one.
    pub fn sender_of(blind: &str) -> String {
        format!("{blind}#system")
    }

    /// Its IRI.
    pub fn iri(&self, mint: &Mint) -> String {
        mint.blind(&self.digest())
    }

    /// When it came, as a graph of its own: the only place with a clock.
    pub fn provenance(&self, mint: &Mint, time: &Instant) -> Lines {
        let (digest, iri) = (self.digest(), self.iri(mint));
        let mut lines = Lines::new(&mint.provenance_graph(&digest));
        let activity = format!("{iri}#acceptance");
        lines
            .subject(&activity)
            .iri(rdf::TYPE, prov::ACTIVITY)
            .iri(prov::USED, &mint.file(self.submission.source.sha256()))
            .iri(prov::GENERATED, &iri)
            .iri(prov::WAS_ASSOCIATED_WITH, &engine(mint))
            .typed(prov::ENDED_AT_TIME, &time.date_time, xsd::DATE_TIME);
        lines.subject(&iri).iri(prov::WAS_GENERATED_BY, &activity);
        lines
    }

    /// The record that makes it exist.
    pub fn record(&self, mint: &Mint, provenance: &StoredGraph) -> Lines {
        let (digest, iri) = (self.digest(), self.iri(mint));
        let mut lines = Lines::new(&mint.catalogue_graph());
        let system = self.further_name().map(|name| {
            let (sender, system) = (Self::sender_of(&iri), mint.system(name));
            lines.subject(&sender).text(schema::NAME, name).iri(prov::SPECIALIZATION_OF, &system);
            Typed::new(&mut lines, mint).entity(&sender);
            sender
        });
        let system = system.unwrap_or_else(|| self.submission.system_iri());
        let title = format!("Blind submission {} to {}", self.number, self.dataset.name);
        lines
            .subject(&iri)
            .iri(rdf::TYPE, qassay::BLIND_SUBMISSION)
            .iri(rdf::TYPE, prov::ENTITY_CLASS)
            .text_in(dct::TITLE, &title, Some("en"))
            .iri(qassay::DATASET_VERSION, &self.dataset.iri)
            .iri(qassay::SUBMISSION, &self.submission.iri)
            .iri(qassay::SYSTEM, &system)
            .iri(qassay::POLICY, &self.profile.iri)
            .integer(qassay::ACCEPTANCE_NUMBER, self.number);
        if let Some(sha256) = self.profile.file_sha256() {
            lines.iri(qassay::PROFILE_FILE, &mint.reference(ReferenceKind::Profiles.name(), sha256));
        }
        register(&mut lines, mint, &mint.provenance_graph(&digest), &format!("{iri}#acceptance"), provenance);
        describe_build(&mut lines, mint, &build());
        lines
    }
}
