//! Catalogue records: DCAT and DataID descriptions of inputs, and the registry of graphs with their checksums.

use crate::base::iri::{Mint, slug};
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{databus, dataid, dcat, dct, foaf, prov, qassay, rdf, schema, sd, spdx, void, xsd};
use crate::record::publish::stated::Typed;
use crate::references::links::LinkSet;
use crate::references::{ReferenceInput, ReferenceKind};
use crate::scoring::asked::executed::ExecutedAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::sources::archive::StoredGraph;
use crate::sources::catalogue::by_checksum;
use crate::sources::file::joined::Joined;
use crate::sources::file::source::Source;
use crate::sources::file::unpack::Packing;
use crate::sources::format::recognise;
use crate::sources::input::Input;
use oxigraph::model::NamedNode;

/// The graphs that an input was written to.
#[derive(Debug, Clone)]
pub struct InputGraphs {
    /// Its own.
    pub own: StoredGraph,
    /// What it adds to the graph of triple patterns, where it has some.
    pub patterns: Option<StoredGraph>,
}

/// The record of a dataset version. Without a graph, questions and gold answers are in the file only.
pub fn dataset(mint: &Mint, input: &Input, graphs: Option<&InputGraphs>) -> Lines {
    let identity = mint.dataset(&input.name);
    let mut lines = Described {
        thing: &input.iri,
        classes: &[dcat::DATASET_CLASS, dataid::DATASET, void::DATASET, databus::VERSION],
        title: known_title(&input.source).unwrap_or(&input.name),
        description: "Questions with their gold answers, as published in one file.",
        source: &input.source,
        media_type: input.format.media_type,
        format: Some(input.format.name),
    }
    .with_graph(mint, graphs.map(|graphs| &graphs.own));
    triple_patterns(&mut lines, mint, &input.iri, graphs);
    lines
        .subject(&input.iri)
        .text(dcat::VERSION, &input.source.sha256()[..16])
        .iri(dcat::IS_VERSION_OF, &identity);
    lines.subject(&identity);
    for class in [dcat::DATASET_CLASS, dataid::DATASET, databus::ARTIFACT] {
        lines.iri(rdf::TYPE, class);
    }
    lines.text(dct::TITLE, &input.name).iri(dcat::HAS_VERSION, &input.iri);
    Typed::new(&mut lines, mint)
        .described(&identity, "Questions with their gold answers, in all versions that are here.");
    lines
}

/// Registers what an input adds to the graph of triple patterns.
fn triple_patterns(lines: &mut Lines, mint: &Mint, thing: &str, graphs: Option<&InputGraphs>) {
    if let Some(stored) = graphs.and_then(|graphs| graphs.patterns.as_ref()) {
        let part = mint.patterns_of(thing);
        register(lines, mint, &part, thing, stored);
        lines.subject(&part).iri(dct::IS_PART_OF, &mint.patterns_graph());
    }
}

/// The record of a submission of a system with this name.
pub fn submission(mint: &Mint, input: &Input, name: &str, graphs: &InputGraphs) -> Lines {
    let (version, system) = (input.system_iri(), mint.system(name));
    let mut lines = Described {
        thing: &input.iri,
        classes: &[qassay::SUBMISSION_CLASS, dataid::DATASET, dcat::DATASET_CLASS],
        title: &format!("Answers of {name}"),
        description: "The answers of a system, as received in one file.",
        source: &input.source,
        media_type: input.format.media_type,
        format: Some(input.format.name),
    }
    .lines(mint, &graphs.own);
    triple_patterns(&mut lines, mint, &input.iri, Some(graphs));
    lines.subject(&input.iri).iri(qassay::SYSTEM, &version);
    lines
        .subject(&version)
        .iri(rdf::TYPE, schema::SOFTWARE_APPLICATION)
        .iri(rdf::TYPE, prov::SOFTWARE_AGENT)
        .text(schema::NAME, name)
        .iri(prov::SPECIALIZATION_OF, &system);
    lines.subject(&system).iri(rdf::TYPE, schema::SOFTWARE_APPLICATION).text(schema::NAME, name);
    Typed::new(&mut lines, mint).entity(&system);
    lines
}

/// The record of a link set, of labels, of classes, or of types. Without a graph, it is published as its file only.
pub fn reference(mint: &Mint, input: &ReferenceInput, graph: Option<&StoredGraph>) -> Lines {
    let mut names: Vec<&str> = input.profiles().iter().map(|profile| profile.name.as_str()).collect();
    names.dedup();
    let names = names.join(", ");
    let (class, title, description) = match input.kind {
        ReferenceKind::Links => {
            (void::LINKSET, "owl:sameAs links", "Links between equal resources, as received in one file.")
        }
        ReferenceKind::Labels => {
            (void::DATASET, "labels of resources", "What resources are called, as received in one file.")
        }
        ReferenceKind::Classes => {
            (void::DATASET, "hierarchy of classes", "Which classes are below which, as received in one file.")
        }
        ReferenceKind::Types => {
            (void::DATASET, "types of resources", "Which classes resources are of, as received in one file.")
        }
        ReferenceKind::QuestionTypes => {
            (void::DATASET, "types of questions", "What types questions are of, as received in one file.")
        }
        ReferenceKind::Assessments => (
            void::DATASET,
            "assessments of answers",
            "What people say about answers, as received in one file.",
        ),
        ReferenceKind::Profiles => {
            (void::DATASET, names.as_str(), "Profiles of a user's own, as received in one file.")
        }
    };
    let mut lines = Described {
        thing: &input.iri,
        classes: &[class, dataid::DATASET, dcat::DATASET_CLASS],
        title: known_title(&input.source).unwrap_or(title),
        description,
        source: &input.source,
        media_type: input.media_type(),
        format: None,
    }
    .with_graph(mint, graph);
    let set = input.links();
    lines.subject(&input.iri);
    match (graph, set) {
        (Some(graph), _) => lines.integer(void::TRIPLES, graph.statements),
        (None, Some(set)) => lines.integer(void::TRIPLES, set.count_all()),
        (None, None) => &mut lines,
    };
    if graph.is_none() {
        lines.typed(qassay::ONLY_AS_FILE, "true", xsd::BOOLEAN);
    }
    for predicate in set.iter().flat_map(|set| set.predicates()) {
        lines.iri(void::LINK_PREDICATE, predicate);
    }
    for profile in input.profiles() {
        lines.iri(dct::HAS_PART, &profile.iri);
    }
    lines
}

/// The record of a registered version of a link set: a name for files that have records of their own.
pub fn link_set(
    mint: &Mint,
    name: &str,
    version: &str,
    source: Option<&str>,
    files: &[ReferenceInput],
) -> Lines {
    let (name_slug, version_slug) = (slug(name), slug(version));
    let iri = mint.link_set(&name_slug, &version_slug);
    let mut lines = Lines::new(&mint.catalogue_graph());
    lines.subject(&iri);
    lines.iri(rdf::TYPE, qassay::LINKSET_VERSION).iri(rdf::TYPE, dcat::DATASET_CLASS);
    let total: u64 = files.iter().filter_map(ReferenceInput::links).map(LinkSet::count_all).sum();
    lines.text(dct::TITLE, name).text(dcat::VERSION, version).integer(void::TRIPLES, total);
    match source {
        Some(source) if is_address(source) => lines.iri(prov::HAD_PRIMARY_SOURCE, source),
        Some(source) => lines.text(dct::SOURCE, source),
        None => &mut lines,
    };
    for file in files {
        lines.iri(dct::HAS_PART, &file.iri);
    }
    lines.subject(&mint.catalogue()).iri(dcat::DATASET, &iri);
    lines
}

/// The title of the DataID of something.
pub fn described_by(iri: &str) -> String {
    format!("{DATAID_OF}{iri}")
}

/// What the title of a DataID says before an IRI.
pub const DATAID_OF: &str = "DataID of ";

fn is_address(source: &str) -> bool {
    (source.starts_with("http://") || source.starts_with("https://")) && NamedNode::new(source).is_ok()
}

/// The record of refreshed gold answers.
pub fn refreshed_gold(mint: &Mint, dataset: &Input, gold: &RefreshedGold, graph: &StoredGraph) -> Lines {
    let mut lines = Lines::new(&mint.catalogue_graph());
    lines
        .subject(&gold.iri)
        .iri(rdf::TYPE, qassay::REFRESHED_GOLD_CLASS)
        .iri(rdf::TYPE, prov::ENTITY_CLASS)
        .text_in(dct::TITLE, &format!("Gold answers of {} on {}", dataset.name, gold.name), Some("en"))
        .iri(prov::WAS_DERIVED_FROM, &dataset.iri)
        .iri(prov::WAS_DERIVED_FROM, &gold.kept.iri);
    register(&mut lines, mint, &mint.graph_of(&gold.iri), &gold.iri, graph);
    lines
}

/// The record of executed answers.
pub fn executed_answers(
    mint: &Mint,
    submission: &Input,
    executed: &ExecutedAnswers,
    graph: &StoredGraph,
) -> Lines {
    let mut lines = Lines::new(&mint.catalogue_graph());
    let title = format!("Executed answers of {} on {}", &submission.source.sha256()[..8], executed.name);
    lines
        .subject(&executed.iri)
        .iri(rdf::TYPE, qassay::EXECUTED_ANSWERS_CLASS)
        .iri(rdf::TYPE, prov::ENTITY_CLASS)
        .text_in(dct::TITLE, &title, Some("en"))
        .iri(prov::WAS_DERIVED_FROM, &submission.iri)
        .iri(prov::WAS_DERIVED_FROM, &executed.kept.iri);
    register(&mut lines, mint, &mint.graph_of(&executed.iri), &executed.iri, graph);
    lines
}

/// What the records of all inputs have in common.
struct Described<'a> {
    thing: &'a str,
    classes: &'a [&'a str],
    title: &'a str,
    description: &'a str,
    source: &'a Source,
    media_type: &'a str,
    format: Option<&'a str>,
}

impl Described<'_> {
    fn lines(&self, mint: &Mint, graph: &StoredGraph) -> Lines {
        self.with_graph(mint, Some(graph))
    }

    fn with_graph(&self, mint: &Mint, graph: Option<&StoredGraph>) -> Lines {
        let mut lines = Lines::new(&mint.catalogue_graph());
        lines.subject(self.thing);
        for class in self.classes {
            lines.iri(rdf::TYPE, class);
        }
        lines
            .text(dct::TITLE, self.title)
            .text_in(dct::DESCRIPTION, self.description, Some("en"))
            .text(dct::IDENTIFIER, &format!("sha256:{}", self.source.sha256()));
        known(&mut lines, mint, self.thing, self.source);
        harvested(&mut lines, mint, self.source);
        distribution(&mut lines, mint, self);
        parts(&mut lines, mint, self.thing, self.source);
        Typed::new(&mut lines, mint).entity(self.thing).algorithm().catalogue(mint);
        if let Some(graph) = graph {
            register(&mut lines, mint, &mint.graph_of(self.thing), self.thing, graph);
        }
        lines
    }
}

/// Describes the file of an input, its DataID record and its place in the catalogue.
fn distribution(lines: &mut Lines, mint: &Mint, described: &Described<'_>) {
    let thing = described.thing;
    let distribution = format!("{thing}/dist/file");
    let record = format!("{thing}/dataid");
    lines.subject(thing).iri(dcat::DISTRIBUTION, &distribution).iri(foaf::IS_PRIMARY_TOPIC_OF, &record);
    let file = ReceivedFile::of(described.source, described.media_type, described.format);
    received(lines, mint, (thing, &distribution), &file);
    lines
        .subject(&record)
        .iri(rdf::TYPE, dataid::DATA_ID)
        .iri(rdf::TYPE, dcat::CATALOG_RECORD)
        .iri(foaf::PRIMARY_TOPIC, thing)
        .iri(dataid::IN_CATALOG, &mint.catalogue())
        .text(dct::TITLE, &described_by(thing));
    lines
        .subject(&mint.catalogue())
        .iri(rdf::TYPE, dcat::CATALOG)
        .text_in(dct::TITLE, "qassay catalogue", Some("en"))
        .iri(dcat::DATASET, thing)
        .iri(dcat::RECORD, &record);
}

/// Describes the two files that an input was made of, if it was: each is a distribution, a part of the one that both are
/// together, with what is known of the file.
fn parts(lines: &mut Lines, mint: &Mint, thing: &str, source: &Source) {
    let Some(Ok(joined)) = Joined::of(source.content()) else { return };
    let whole = format!("{thing}/dist/file");
    for (what, part) in joined.parts() {
        known(lines, mint, thing, part);
        let distribution = format!("{thing}/dist/{what}");
        lines.subject(&whole).iri(dct::HAS_PART, &distribution);
        let format = recognise(part).ok();
        let media_type = format.map_or(UNKNOWN_MEDIA_TYPE, |format| format.media_type);
        let file = ReceivedFile::of(part, media_type, format.map(|format| format.name));
        received(lines, mint, (thing, &distribution), &file);
    }
}

/// The media type of a file that no reader knows.
pub(crate) const UNKNOWN_MEDIA_TYPE: &str = "application/octet-stream";

/// A file as it was received.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReceivedFile<'a> {
    pub(crate) sha256: &'a str,
    pub(crate) bytes: u64,
    /// The media type of what is in it.
    pub(crate) media_type: &'a str,
    /// The media type of its packing.
    pub(crate) packing: Option<&'a str>,
    /// The name of its format.
    pub(crate) format: Option<&'a str>,
}

impl<'a> ReceivedFile<'a> {
    fn of(source: &'a Source, media_type: &'a str, format: Option<&'a str>) -> Self {
        Self {
            sha256: source.sha256(),
            bytes: source.size(),
            media_type,
            packing: source.packing().map(Packing::media_type),
            format,
        }
    }
}

/// Describes a file as it was received: a distribution of a thing, with its media type and its format.
pub(crate) fn received(
    lines: &mut Lines,
    mint: &Mint,
    (thing, distribution): (&str, &str),
    file: &ReceivedFile<'_>,
) {
    let bytes = mint.file(file.sha256);
    lines
        .subject(distribution)
        .iri(rdf::TYPE, dcat::DISTRIBUTION_CLASS)
        .iri(rdf::TYPE, dataid::DISTRIBUTION)
        .iri(dcat::DOWNLOAD_URL, &bytes)
        .iri(dcat::ACCESS_URL, thing)
        .iri(dcat::MEDIA_TYPE, &media_type_iri(file.media_type))
        .typed(dcat::BYTE_SIZE, &file.bytes.to_string(), xsd::NON_NEGATIVE_INTEGER)
        .iri(dataid::IS_DISTRIBUTION_OF, thing)
        .text(databus::SHA256SUM, file.sha256);
    if let Some(packing) = file.packing {
        lines.iri(dcat::COMPRESS_FORMAT, &media_type_iri(packing));
    }
    if let Some(format) = file.format {
        lines.text(qassay::FORMAT, format);
    }
    checksum(lines, distribution, file.sha256);
    Typed::new(lines, mint).entity(distribution);
    for media_type in std::iter::once(file.media_type).chain(file.packing) {
        Typed::new(lines, mint).is(&media_type_iri(media_type), dct::MEDIA_TYPE_CLASS);
    }
    lines
        .subject(&bytes)
        .iri(rdf::TYPE, prov::ENTITY_CLASS)
        .iri(rdf::TYPE, schema::MEDIA_OBJECT)
        .iri(prov::SPECIALIZATION_OF, distribution);
}

pub(crate) fn media_type_iri(media_type: &str) -> String {
    format!("https://www.iana.org/assignments/media-types/{media_type}")
}

/// Registers a published graph: what it is about, its size, what it holds, its checksum.
pub(crate) fn register(lines: &mut Lines, mint: &Mint, graph: &str, about: &str, stored: &StoredGraph) {
    lines
        .subject(graph)
        .iri(rdf::TYPE, sd::GRAPH)
        .iri(dct::SUBJECT, about)
        .integer(void::TRIPLES, stored.statements);
    if let Some(contents) = stored.contents.as_ref().filter(|_| mint.model().tells_contents()) {
        lines.iri(qassay::CONTENTS, &mint.contents(contents));
    }
    checksum(lines, graph, &stored.sha256);
    Typed::new(lines, mint).entity(graph).algorithm();
}

/// States the checksum of a file or graph.
pub(crate) fn checksum(lines: &mut Lines, thing: &str, sha256: &str) {
    let separator = if thing.contains('#') { '-' } else { '#' };
    let node = format!("{thing}{separator}sha256");
    lines.subject(thing).iri(spdx::CHECKSUM, &node);
    lines.subject(&node).iri(rdf::TYPE, spdx::CHECKSUM_CLASS).iri(spdx::ALGORITHM, spdx::SHA256).typed(
        spdx::CHECKSUM_VALUE,
        sha256,
        xsd::HEX_BINARY,
    );
}

/// States what the catalogue of published files knows about a file.
fn known(lines: &mut Lines, mint: &Mint, thing: &str, source: &Source) {
    let Some(entry) = by_checksum(source.sha256()) else { return };
    lines.subject(thing);
    for (property, value) in [
        (dct::LICENSE, entry.licence_iri().map(str::to_owned)),
        (dct::PUBLISHER, Some(entry.publisher.to_owned())),
        (prov::HAD_PRIMARY_SOURCE, entry.page()),
    ] {
        if let Some(value) = value {
            lines.iri(property, &value);
        }
    }
    let page = entry.page();
    let stated = Typed::new(lines, mint).agent(entry.publisher);
    page.iter().fold(stated, |stated, page| stated.entity(page));
    lines.subject(thing);
}

/// States where and when a file was harvested, which its bytes say.
fn harvested(lines: &mut Lines, mint: &Mint, source: &Source) {
    if let Some(head) = crate::references::harvest::head(source) {
        lines.iri(prov::HAD_PRIMARY_SOURCE, &head.source).typed(
            prov::GENERATED_AT_TIME,
            &head.time,
            xsd::DATE_TIME,
        );
        Typed::new(lines, mint).entity(&head.source);
    }
}

/// The title of a published file.
fn known_title(source: &Source) -> Option<&'static str> {
    by_checksum(source.sha256()).map(|entry| entry.title)
}
