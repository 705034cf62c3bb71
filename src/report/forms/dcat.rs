//! The catalogue record: DCAT-AP 3.0.1, DataID, VoID and policies of ODRL, as Turtle. Whatever is pointed at has its class in
//! the same file, because validators look nothing up.

use indexmap::{IndexMap, IndexSet};
use oxigraph::io::{RdfFormat, RdfSerializer};
use oxigraph::model::{Literal, NamedNode, NamedOrBlankNode, Term, Triple};

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::text;
use crate::base::vocab::{
    adms, cc, databus, dataid, dcat, dcatap, dct, foaf, odrl, prov, qassay, qb, rdf, rdfs, schema, skos,
    spdx, vcard, void, xsd,
};
use crate::record::publication::agent::Agent;
use crate::record::publication::licence::Licence;
use crate::record::publication::metadata::{
    PublishedKind, RecordFile, RecordInput, RecordMetadata, StatedLicence, WithheldPart,
};
use crate::record::publish::catalogue::described_by;
use crate::record::publish::stated::KEEPER;
use crate::report::forms::shared::{DATA_CUBE, LANGUAGE, address, agents, kind, licences};

/// Prefixes of the file.
const PREFIXES: [(&str, &str); 15] = [
    ("adms", adms::NAMESPACE),
    ("cc", cc::NAMESPACE),
    ("databus", databus::NAMESPACE),
    ("dataid", dataid::NAMESPACE),
    ("dcat", dcat::NAMESPACE),
    ("dcatap", dcatap::NAMESPACE),
    ("dct", dct::NAMESPACE),
    ("foaf", foaf::NAMESPACE),
    ("odrl", odrl::NAMESPACE),
    ("prov", prov::NAMESPACE),
    ("skos", skos::NAMESPACE),
    ("spdx", spdx::NAMESPACE),
    ("vcard", vcard::NAMESPACE),
    ("void", void::NAMESPACE),
    ("xsd", xsd::NAMESPACE),
];

/// The authority tables of the Publications Office of the EU.
const AUTHORITY: &str = "http://publications.europa.eu/resource/authority/";

/// Its types of files, by media type.
const FILE_TYPES: [(&str, &str); 6] = [
    ("application/n-quads", "RDF_N_QUADS"),
    ("text/csv", "CSV"),
    ("text/turtle", "RDF_TURTLE"),
    ("application/json", "JSON"),
    ("application/xml", "XML"),
    ("text/tab-separated-values", "TSV"),
];

/// Concepts of others that the file points at: IRI and name.
const CONCEPTS: [(&str, &str); 4] = [
    ("http://publications.europa.eu/resource/authority/data-theme/TECH", "Science and technology"),
    ("http://publications.europa.eu/resource/authority/dataset-status/COMPLETED", "completed"),
    ("http://publications.europa.eu/resource/authority/planned-availability/STABLE", "stable"),
    ("http://purl.org/dc/dcmitype/Dataset", "Dataset"),
];

/// Everybody may read it.
const PUBLIC: &str = "http://publications.europa.eu/resource/authority/access-right/PUBLIC";

/// Not everybody may read it, or nobody said that everybody may.
const RESTRICTED: &str = "http://publications.europa.eu/resource/authority/access-right/RESTRICTED";

/// English.
const ENGLISH: &str = "http://publications.europa.eu/resource/authority/language/ENG";

/// The themes of data.
const THEMES: &str = "http://publications.europa.eu/resource/authority/data-theme";

/// The registry of media types.
const MEDIA_TYPES: &str = "https://www.iana.org/assignments/media-types/";

/// `metadata/dcat.ttl`.
///
/// # Errors
/// Where the metadata name something by a text that is no IRI.
pub(crate) fn dcat(metadata: &RecordMetadata) -> Result<Vec<u8>> {
    let mut writer = CatalogueWriter { metadata, statements: IndexMap::new(), wrong: None };
    writer.catalogue();
    writer.dataset();
    writer.versions();
    metadata.items().for_each(|file| writer.distribution(file));
    metadata.inputs.iter().for_each(|input| writer.input(input));
    metadata.withheld.iter().for_each(|part| writer.withheld(part));
    writer.members_and_runs();
    writer.policies();
    for agent in agents(metadata) {
        writer.agent(agent);
    }
    writer.standing();
    writer.turtle()
}

/// `catalog.ttl`: what many publications publish, without their files; each says where its own catalogue record is.
///
/// # Errors
/// Where the metadata name something by a text that is no IRI.
pub fn catalogue(all: &[RecordMetadata]) -> Result<Vec<u8>> {
    let Some(first) = all.first() else { return Ok(Vec::new()) };
    let mut writer = CatalogueWriter { metadata: first, statements: IndexMap::new(), wrong: None };
    for metadata in all {
        writer.metadata = metadata;
        writer.catalogue();
        writer.dataset();
        writer.versions();
        writer.iri(&metadata.iri, rdfs::SEE_ALSO, &metadata.file_iri("metadata/dcat.ttl"));
        writer.classes(&metadata.licence.iri, &[dct::LICENSE_DOCUMENT]);
        writer.words(&metadata.licence.iri, dct::TITLE, &metadata.licence.title);
        for agent in agents(metadata) {
            writer.agent(agent);
        }
    }
    writer.standing();
    writer.turtle()
}

/// Statements by their subjects, in the order in which they were made.
struct CatalogueWriter<'a> {
    metadata: &'a RecordMetadata,
    statements: IndexMap<NamedNode, IndexSet<(NamedNode, Term)>>,
    /// The first text that is no IRI.
    wrong: Option<String>,
}

impl CatalogueWriter<'_> {
    fn node(&mut self, iri: &str) -> Option<NamedNode> {
        let node = NamedNode::new(iri).ok();
        if node.is_none() && self.wrong.is_none() {
            self.wrong = Some(iri.to_owned());
        }
        node
    }

    fn say(&mut self, subject: &str, property: &str, object: impl Into<Term>) {
        if let (Some(subject), Some(property)) = (self.node(subject), self.node(property)) {
            self.statements.entry(subject).or_default().insert((property, object.into()));
        }
    }

    fn iri(&mut self, subject: &str, property: &str, object: &str) {
        if let Some(object) = self.node(object) {
            self.say(subject, property, object);
        }
    }

    fn iris(&mut self, subject: &str, statements: &[(&str, &str)]) {
        for (property, object) in statements {
            self.iri(subject, property, object);
        }
    }

    fn classes(&mut self, subject: &str, classes: &[&str]) {
        for class in classes {
            self.iri(subject, rdf::TYPE, class);
        }
    }

    /// A text for people, in English.
    fn words(&mut self, subject: &str, property: &str, text: &str) {
        let literal = Literal::new_language_tagged_literal(text, LANGUAGE);
        self.say(subject, property, literal.unwrap_or_else(|_| Literal::new_simple_literal(text)));
    }

    fn text(&mut self, subject: &str, property: &str, text: &str) {
        self.say(subject, property, Literal::new_simple_literal(text));
    }

    fn typed(&mut self, subject: &str, property: &str, text: &str, datatype: &str) {
        if let Some(datatype) = self.node(datatype) {
            self.say(subject, property, Literal::new_typed_literal(text, datatype));
        }
    }

    /// Days of publication.
    fn days(&mut self, subject: &str) {
        self.typed(subject, dct::ISSUED, &self.metadata.issued, xsd::DATE);
        self.typed(subject, dct::MODIFIED, &self.metadata.modified, xsd::DATE);
    }

    /// The catalogue record of the dataset, and what stands in it.
    fn record(&self, fragment: &str) -> String {
        format!("{}/dataid{fragment}", self.metadata.iri)
    }

    fn catalogue(&mut self) {
        let metadata = self.metadata;
        let (catalogue, record) = (iri::catalogue_of(&metadata.base), self.record(""));
        // As the record of the archive says it: a catalogue has one publisher.
        let keeper = iri::catalogue_keeper_of(&metadata.base);
        self.classes(&keeper, &[foaf::AGENT]);
        self.words(&keeper, foaf::NAME, KEEPER);
        self.classes(&catalogue, &[dcat::CATALOG]);
        self.words(&catalogue, dct::TITLE, "qassay catalogue");
        self.words(&catalogue, dct::DESCRIPTION, "Evaluations of question answering systems, with the datasets, answers, links and knowledge bases that they used.");
        self.iris(
            &catalogue,
            &[
                (dct::PUBLISHER, &keeper),
                (foaf::HOMEPAGE, &metadata.base),
                (dct::LANGUAGE, ENGLISH),
                (dcat::THEME_TAXONOMY, THEMES),
                (dcat::DATASET, &metadata.iri),
                (dcat::RECORD, &record),
            ],
        );
        self.classes(&metadata.base, &[foaf::DOCUMENT]);
        self.classes(&record, &[dcat::CATALOG_RECORD, dataid::DATA_ID]);
        self.text(&record, dct::TITLE, &described_by(&metadata.iri));
        self.days(&record);
        self.iris(
            &record,
            &[
                (foaf::PRIMARY_TOPIC, &metadata.iri),
                (dct::CONFORMS_TO, dcatap::NAMESPACE),
                (adms::STATUS, CONCEPTS[1].0),
                (dct::LANGUAGE, ENGLISH),
                (dataid::IN_CATALOG, &catalogue),
            ],
        );
    }

    fn dataset(&mut self) {
        let (metadata, iri, page) = (self.metadata, &self.metadata.iri, self.metadata.page());
        self.classes(iri, &[dcat::DATASET_CLASS, dataid::DATASET, void::DATASET, prov::ENTITY_CLASS]);
        self.words(iri, dct::TITLE, &metadata.title);
        self.words(iri, dct::DESCRIPTION, &metadata.description);
        self.text(iri, dct::IDENTIFIER, &metadata.cited_as());
        self.text(iri, dcat::VERSION, &metadata.version.to_string());
        self.days(iri);
        metadata.keywords.iter().for_each(|word| self.words(iri, dcat::KEYWORD, word));
        self.iris(
            iri,
            &[
                (dct::LICENSE, &metadata.licence.iri),
                (dct::PUBLISHER, &metadata.publisher.iri),
                (dct::LANGUAGE, ENGLISH),
                (dct::ACCESS_RIGHTS, PUBLIC),
                (dcat::THEME, CONCEPTS[0].0),
                (dct::TYPE, CONCEPTS[3].0),
                (dct::CONFORMS_TO, DATA_CUBE),
                (dcat::LANDING_PAGE, &page),
                (foaf::PAGE, &page),
                (void::VOCABULARY, qb::NAMESPACE),
                (void::VOCABULARY, prov::NAMESPACE),
                (void::VOCABULARY, qassay::NAMESPACE),
            ],
        );
        self.classes(&page, &[foaf::DOCUMENT]);
        self.words(&page, dct::TITLE, "Landing page");
        metadata.creators.iter().for_each(|agent| self.iri(iri, dct::CREATOR, &agent.iri));
        for agent in agents(metadata) {
            self.iri(iri, dataid::ASSOCIATED_AGENT, &agent.iri);
        }
        metadata.attributions.iter().for_each(|text| self.words(iri, cc::ATTRIBUTION_NAME, text));
        self.authority();
    }

    /// Who answers for it, and whom to ask.
    fn authority(&mut self) {
        let (metadata, contact, authority) =
            (self.metadata, self.record("#contact"), self.record("#publisher"));
        let publisher = &metadata.publisher;
        self.iris(
            &metadata.iri,
            &[(dcat::CONTACT_POINT, &contact), (dataid::UNDER_AUTHORIZATION, &authority)],
        );
        let class = if publisher.is_person { vcard::INDIVIDUAL } else { vcard::ORGANIZATION };
        self.classes(&contact, &[vcard::KIND, class]);
        self.text(&contact, vcard::FN, &publisher.spoken());
        self.iri(&contact, vcard::HAS_URL, &publisher.iri);
        self.classes(&authority, &[dataid::AUTHORIZATION]);
        self.iris(
            &authority,
            &[
                (dataid::AUTHORITY_AGENT_ROLE, dataid::PUBLISHER),
                (dataid::AUTHORIZED_AGENT, &publisher.iri),
                (dataid::AUTHORIZED_FOR, &metadata.iri),
            ],
        );
    }

    /// The version of the publication, and the one before it.
    fn versions(&mut self) {
        let (metadata, version) = (self.metadata, self.metadata.version_iri());
        self.iri(&metadata.iri, dcat::HAS_VERSION, &version);
        self.classes(&version, &[dcat::DATASET_CLASS]);
        self.words(&version, dct::TITLE, &metadata.title);
        self.words(&version, dct::DESCRIPTION, &metadata.description);
        self.text(&version, dcat::VERSION, &metadata.version.to_string());
        self.iri(&version, dcat::IS_VERSION_OF, &metadata.iri);
        if let Some(before) = metadata.previous_version_iri() {
            self.iri(&version, dcat::PREVIOUS_VERSION, &before);
        }
    }

    fn distribution(&mut self, file: &RecordFile) {
        let (metadata, iri) = (self.metadata, self.metadata.file_iri(&file.path));
        let licence = file.licence.as_ref().unwrap_or(&metadata.licence);
        let media_type = format!("{MEDIA_TYPES}{}", file.media_type);
        self.iri(&metadata.iri, dcat::DISTRIBUTION, &iri);
        self.classes(&iri, &[dcat::DISTRIBUTION_CLASS, dataid::DISTRIBUTION]);
        self.words(&iri, dct::TITLE, &file.title);
        self.words(&iri, dct::DESCRIPTION, &file.description);
        self.days(&iri);
        self.iris(
            &iri,
            &[
                (dct::LICENSE, &licence.iri),
                (dcat::ACCESS_URL, &metadata.page()),
                (dcat::DOWNLOAD_URL, &iri),
                (dcat::MEDIA_TYPE, &media_type),
                (dcatap::AVAILABILITY, CONCEPTS[2].0),
                (dataid::IS_DISTRIBUTION_OF, &metadata.iri),
                (odrl::HAS_POLICY, &self.policy(licence)),
            ],
        );
        self.classes(&media_type, &[dct::MEDIA_TYPE_CLASS]);
        if let Some((_, name)) = FILE_TYPES.iter().find(|(media_type, _)| *media_type == file.media_type) {
            let file_type = format!("{AUTHORITY}file-type/{name}");
            self.iri(&iri, dct::FORMAT, &file_type);
            self.classes(&file_type, &[dct::MEDIA_TYPE_OR_EXTENT]);
        }
        if let Some(standard) = &file.conforms_to {
            self.iri(&iri, dct::CONFORMS_TO, standard);
            self.classes(standard, &[dct::STANDARD]);
        }
        self.content(&iri, &file.sha256, file.bytes);
        if let (Some(graph), Some(statements)) = (&file.about, file.statements) {
            self.iri(&metadata.iri, void::SUBSET, graph);
            self.classes(graph, &[void::DATASET]);
            self.typed(graph, void::TRIPLES, &statements.to_string(), xsd::INTEGER);
            self.iri(graph, void::DATA_DUMP, &iri);
        }
    }

    /// Size and checksum.
    fn content(&mut self, subject: &str, sha256: &str, bytes: u64) {
        let checksum = format!("{subject}#sha256");
        self.typed(subject, dcat::BYTE_SIZE, &bytes.to_string(), xsd::NON_NEGATIVE_INTEGER);
        self.text(subject, databus::SHA256SUM, sha256);
        self.iri(subject, spdx::CHECKSUM, &checksum);
        self.classes(&checksum, &[spdx::CHECKSUM_CLASS]);
        self.iri(&checksum, spdx::ALGORITHM, spdx::SHA256);
        self.typed(&checksum, spdx::CHECKSUM_VALUE, sha256, xsd::HEX_BINARY);
        self.classes(spdx::SHA256, &[spdx::ALGORITHM_CLASS]);
    }

    /// A dataset that this one was computed from.
    fn source(&mut self, iri: &str, title: &str, description: &str) {
        self.iris(&self.metadata.iri, &[(prov::WAS_DERIVED_FROM, iri), (dct::SOURCE, iri)]);
        self.classes(iri, &[dcat::DATASET_CLASS, prov::ENTITY_CLASS]);
        self.words(iri, dct::TITLE, title);
        self.words(iri, dct::DESCRIPTION, description);
    }

    fn input(&mut self, input: &RecordInput) {
        let description =
            format!("Used as {}. {}", input.part, input.withheld.as_deref().unwrap_or("Contained."));
        self.source(&input.iri, &input.title, description.trim());
        let rights = if input.withheld.is_some() { RESTRICTED } else { PUBLIC };
        self.iri(&input.iri, dct::ACCESS_RIGHTS, rights);
        self.typed(&format!("{}/dataid", input.iri), dct::MODIFIED, &self.metadata.issued, xsd::DATE);
        if let Some(publisher) = input.publisher.as_deref().and_then(address) {
            self.iri(&input.iri, dct::PUBLISHER, publisher);
            self.classes(publisher, &[foaf::AGENT]);
            self.text(publisher, foaf::NAME, publisher);
        }
        if let Some(licence) = &input.licence {
            self.iris(&input.iri, &[(dct::LICENSE, &licence.iri), (odrl::HAS_POLICY, &self.policy(licence))]);
        }
        if let Some(reason) = &input.withheld {
            let policy = self.record(&format!("#withheld-{}", input.sha256));
            self.iri(&input.iri, odrl::HAS_POLICY, &policy);
            self.prohibition(&policy, &input.iri, reason);
        }
    }

    /// That something is not passed on.
    fn prohibition(&mut self, policy: &str, target: &str, reason: &str) {
        let rule = format!("{policy}-distribute");
        self.classes(policy, &[odrl::SET, odrl::POLICY]);
        self.iris(policy, &[(odrl::UID, policy), (odrl::PROHIBITION, &rule)]);
        self.words(policy, dct::DESCRIPTION, reason);
        self.classes(&rule, &[odrl::PROHIBITION_CLASS]);
        self.iris(&rule, &[(odrl::TARGET, target), (odrl::ACTION, odrl::DISTRIBUTE)]);
    }

    /// A graph or file that is left out: what is known of it, and why.
    fn withheld(&mut self, part: &WithheldPart) {
        self.iris(&part.iri, &[(dct::IS_PART_OF, &self.metadata.iri), (dct::ACCESS_RIGHTS, RESTRICTED)]);
        self.words(&part.iri, dct::DESCRIPTION, &part.reason);
        self.content(&part.iri, &part.sha256, part.bytes);
        if let Some(source) = part.source.as_deref().and_then(address) {
            self.iri(&part.iri, dct::SOURCE, source);
        }
    }

    fn members_and_runs(&mut self) {
        let metadata = self.metadata;
        for member in &metadata.members {
            match metadata.published {
                PublishedKind::Experiment => {
                    self.iri(&metadata.iri, dct::HAS_PART, &member.iri);
                    self.classes(&member.iri, &[dcat::DATASET_CLASS, prov::ENTITY_CLASS]);
                    self.words(&member.iri, dct::TITLE, &member.title);
                    self.words(&member.iri, dct::DESCRIPTION, kind(PublishedKind::Evaluation));
                }
                PublishedKind::Comparison | PublishedKind::Evaluation => {
                    self.source(&member.iri, &member.title, kind(PublishedKind::Evaluation));
                }
            }
        }
        // A thing is generated once: of several executions only the first that computed it generated it.
        if let Some(run) = metadata.runs.iter().find(|run| run.of == metadata.iri) {
            self.iri(&metadata.iri, prov::WAS_GENERATED_BY, &run.iri);
            self.classes(&run.iri, &[prov::ACTIVITY]);
        }
    }

    /// The policy of a licence in this record.
    fn policy(&self, licence: &StatedLicence) -> String {
        self.record(&format!("#policy-{}", iri::slug(licence.spdx.as_deref().unwrap_or(&licence.iri))))
    }

    /// The licences, and what they permit, ask for and forbid; of those that are not known nothing is said.
    fn policies(&mut self) {
        let metadata = self.metadata;
        self.iri(&metadata.iri, odrl::HAS_POLICY, &self.policy(&metadata.licence));
        for licence in licences(metadata) {
            self.classes(&licence.iri, &[dct::LICENSE_DOCUMENT]);
            self.words(&licence.iri, dct::TITLE, &licence.title);
            let policy = self.policy(licence);
            self.classes(&policy, &[odrl::SET, odrl::POLICY]);
            self.iris(&policy, &[(odrl::UID, &policy), (dct::SOURCE, &licence.iri)]);
            let targets = self.targets(licence);
            let Some(terms) = Licence::with_iri(&licence.iri) else { continue };
            self.rule(
                &policy,
                "permission",
                odrl::PERMISSION,
                odrl::PERMISSION_CLASS,
                &terms.permitted,
                &targets,
            );
            self.rule(
                &policy,
                "prohibition",
                odrl::PROHIBITION,
                odrl::PROHIBITION_CLASS,
                &terms.forbidden,
                &targets,
            );
            for (number, duty) in terms.demanded.iter().enumerate() {
                let node = format!("{policy}-duty-{}", number + 1);
                self.iri(&format!("{policy}-permission"), odrl::DUTY, &node);
                self.classes(&node, &[odrl::DUTY_CLASS]);
                self.iri(&node, odrl::ACTION, duty);
            }
        }
    }

    /// What a licence is of: the record, files, inputs.
    fn targets(&self, licence: &StatedLicence) -> Vec<String> {
        let metadata = self.metadata;
        let is_of =
            |other: &Option<StatedLicence>| other.as_ref().is_some_and(|other| other.iri == licence.iri);
        let whole = (metadata.licence.iri == licence.iri).then(|| metadata.iri.clone());
        let files =
            metadata.items().filter(|file| is_of(&file.licence)).map(|file| metadata.file_iri(&file.path));
        let inputs =
            metadata.inputs.iter().filter(|input| is_of(&input.licence)).map(|input| input.iri.clone());
        whole.into_iter().chain(files).chain(inputs).collect()
    }

    fn rule(
        &mut self,
        policy: &str,
        name: &str,
        property: &str,
        class: &str,
        actions: &[String],
        targets: &[String],
    ) {
        if actions.is_empty() || targets.is_empty() {
            return;
        }
        let rule = format!("{policy}-{name}");
        self.iri(policy, property, &rule);
        self.classes(&rule, &[class]);
        for target in targets {
            self.iri(&rule, odrl::TARGET, target);
        }
        for action in actions {
            self.iri(&rule, odrl::ACTION, action);
        }
    }

    fn agent(&mut self, agent: &Agent) {
        let classes = if agent.is_person {
            [foaf::PERSON, prov::PERSON]
        } else {
            [foaf::ORGANIZATION, prov::ORGANIZATION]
        };
        self.classes(&agent.iri, &classes);
        self.classes(&agent.iri, &[foaf::AGENT, prov::AGENT_CLASS, dataid::AGENT]);
        self.text(&agent.iri, foaf::NAME, &agent.spoken());
        if let Some(affiliation) = &agent.affiliation {
            self.iri(&agent.iri, schema::AFFILIATION, &affiliation.iri);
        }
        if !agent.is_person && agent.ror().is_none() {
            self.iri(&agent.iri, foaf::HOMEPAGE, &agent.iri);
            self.classes(&agent.iri, &[foaf::DOCUMENT]);
        }
    }

    /// What stands in every record: concepts of others that it points at.
    fn standing(&mut self) {
        for (concept, name) in CONCEPTS {
            self.classes(concept, &[skos::CONCEPT]);
            self.words(concept, skos::PREF_LABEL, name);
        }
        self.iri(CONCEPTS[0].0, skos::IN_SCHEME, THEMES);
        self.classes(THEMES, &[skos::CONCEPT_SCHEME]);
        self.words(THEMES, dct::TITLE, "Data theme");
        self.classes(DATA_CUBE, &[dct::STANDARD]);
        self.classes(dcatap::NAMESPACE, &[dct::STANDARD]);
        self.classes(ENGLISH, &[dct::LINGUISTIC_SYSTEM]);
        for rights in [PUBLIC, RESTRICTED] {
            self.classes(rights, &[dct::RIGHTS_STATEMENT]);
        }
    }

    fn turtle(self) -> Result<Vec<u8>> {
        if let Some(wrong) = self.wrong {
            return Err(Error::input(format!("`{}` is no IRI", text::name(&wrong))));
        }
        let failed = |error: &dyn std::fmt::Display| Error::system(format!("cannot write Turtle: {error}"));
        let mut serializer = RdfSerializer::from_format(RdfFormat::Turtle);
        for (prefix, namespace) in PREFIXES {
            serializer = serializer.with_prefix(prefix, namespace).map_err(|error| failed(&error))?;
        }
        let mut writer = serializer.for_writer(Vec::new());
        for (subject, statements) in self.statements {
            for (property, object) in statements {
                let triple = Triple::new(NamedOrBlankNode::from(subject.clone()), property, object);
                writer.serialize_triple(&triple).map_err(|error| failed(&error))?;
            }
        }
        let turtle = writer.finish().map_err(|error| failed(&error))?;
        let turtle = String::from_utf8(turtle).map_err(|error| failed(&error))?;
        Ok(text::turtle(&turtle).into_owned().into_bytes())
    }
}
