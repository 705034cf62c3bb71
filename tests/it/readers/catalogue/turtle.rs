//! `datasets/catalogue.ttl`, written from the table: each file as DCAT and DataID.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use qassay::base::iri::Mint;
use qassay::sources::catalogue::{Entry, EntryKind, TableRow, by_name};

const HEAD: &str = "# Published files: what they are, where they are, what is wrong with them. DCAT 3 and DataID.
#
# Written from datasets/catalogue.tsv, which is kept by hand; to write it again:
#     QASSAY_CATALOGUE=write cargo test --test catalogue
# A file without dct:license states none or is not known to: see qassay:licenceStatement. There are no blank nodes.

@prefix databus: <https://dataid.dbpedia.org/databus#> .
@prefix dataid: <http://dataid.dbpedia.org/ns/core#> .
@prefix dcat: <http://www.w3.org/ns/dcat#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix qassay: <https://w3id.org/qassay/ns#> .
@prefix schema: <http://schema.org/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix spdx: <http://spdx.org/rdf/terms#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
";

/// The whole file.
pub(crate) fn turtle(entries: &[Entry]) -> String {
    let mut text = HEAD.to_owned();
    catalogue(&mut text, entries);
    for entry in entries {
        record(&mut text, entry);
    }
    text
}

/// One subject with its statements, in the order in which they are said.
struct Paragraph {
    subject: String,
    statements: Vec<String>,
}

impl Paragraph {
    fn about(subject: &str) -> Self {
        Self { subject: iri(subject), statements: Vec::new() }
    }

    fn say(&mut self, predicate: &str, objects: impl IntoIterator<Item = String>) -> &mut Self {
        let objects: Vec<String> = objects.into_iter().collect();
        if !objects.is_empty() {
            self.statements.push(format!("{predicate} {}", objects.join(" , ")));
        }
        self
    }

    fn text(&mut self, predicate: &str, text: &str) -> &mut Self {
        self.say(predicate, (!text.is_empty()).then(|| literal(text)))
    }

    fn english(&mut self, predicate: &str, text: &str) -> &mut Self {
        self.say(predicate, (!text.is_empty()).then(|| format!("{}@en", literal(text))))
    }

    fn node(&mut self, predicate: &str, node: &str) -> &mut Self {
        self.say(predicate, (!node.is_empty()).then(|| iri(node)))
    }

    fn number(&mut self, predicate: &str, number: Option<u64>, datatype: &str) -> &mut Self {
        self.say(predicate, number.map(|number| format!("\"{number}\"^^xsd:{datatype}")))
    }

    fn write(&self, text: &mut String) {
        writeln!(text, "\n{} {} .", self.subject, self.statements.join(" ;\n    ")).unwrap();
    }
}

fn iri(text: &str) -> String {
    assert!(!text.contains(['<', '>', '"', ' ', '{', '}', '|', '\\', '^', '`']), "{text} is no IRI");
    format!("<{text}>")
}

fn literal(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The catalogue with its files, and who publishes them.
fn catalogue(text: &mut String, entries: &[Entry]) {
    let mint = Mint::default();
    let files: BTreeSet<String> = entries.iter().map(|entry| iri(&entry.iri(&mint))).collect();
    Paragraph::about(&mint.catalogue())
        .say("a", ["dcat:Catalog".to_owned()])
        .english("dct:title", "Published datasets and answers of question answering over knowledge graphs")
        .say("dcat:dataset", files)
        .write(text);
    let publishers: BTreeSet<&str> = entries.iter().map(|entry| entry.publisher).collect();
    for publisher in publishers {
        let name = publisher.rsplit('/').next().unwrap_or_default();
        Paragraph::about(publisher).say("a", ["foaf:Agent".to_owned()]).text("foaf:name", name).write(text);
    }
}

/// The record of a file, with its distribution and its rows of Table 1.
fn record(text: &mut String, entry: &Entry) {
    let mint = Mint::default();
    let subject = entry.iri(&mint);
    let distribution = format!("{subject}/dist/{}", entry.name);
    let row = |row: &TableRow| format!("{subject}/table1/{}", qassay::base::iri::segment(row.name));
    let named = |names: &[&str]| names.iter().map(|name| sibling(name)).collect::<Vec<_>>();
    let other_names: BTreeSet<&str> =
        entry.gerbil.iter().copied().chain(entry.table1.iter().map(|row| row.name)).collect();
    let mut paragraph = Paragraph::about(&subject);
    paragraph
        .say("a", classes(entry.kind).iter().map(|&class| class.to_owned()))
        .text("dct:identifier", entry.name)
        .text("dct:title", entry.title)
        .say("skos:altLabel", other_names.into_iter().map(literal))
        .say("skos:notation", entry.gerbil.iter().map(|name| literal(name)))
        .text("qassay:edition", entry.family)
        .text("dcat:version", entry.version)
        .say("dcat:previousVersion", named(&entry.previous))
        .say("dcat:nextVersion", named(&entry.next))
        .node("dct:publisher", entry.publisher)
        .node("dct:license", entry.licence_iri().unwrap_or_default())
        .text("qassay:licenceStatement", if entry.licence_iri().is_none() { entry.licence } else { "" })
        .say("dct:language", languages(entry))
        .say("schema:inLanguage", entry.languages.iter().map(|language| literal(language)))
        .text("qassay:aboutKnowledgeGraph", entry.kb)
        .text("qassay:knowledgeGraphVersion", entry.kb_version)
        .number("qassay:numberOfQuestions", entry.questions, "nonNegativeInteger")
        .english("qassay:countRule", entry.counted)
        .english("qassay:lacks", entry.lacks)
        .english("qassay:damage", entry.damage)
        .english("qassay:absence", entry.absent)
        .say("qassay:sibling", (!entry.instead.is_empty()).then(|| sibling(entry.instead)))
        .say("qassay:countedAs", entry.table1.iter().map(|it| iri(&row(it))))
        .node("prov:hadPrimarySource", &entry.page().unwrap_or_default())
        .node("dcat:distribution", &distribution)
        .write(text);
    file(text, entry, &subject, &distribution);
    for it in &entry.table1 {
        Paragraph::about(&row(it))
            .say("a", ["qassay:CountedDataset".to_owned()])
            .text("skos:notation", it.name)
            .number("qassay:numberOfQuestions", Some(it.questions), "nonNegativeInteger")
            .english("qassay:countRule", it.rule)
            .say("dct:source", [literal("Table 1 of the GERBIL QA paper")])
            .write(text);
    }
}

/// The distribution: the bytes.
fn file(text: &mut String, entry: &Entry, subject: &str, distribution: &str) {
    let repository = match entry.repository {
        "" => String::new(),
        name => format!("https://github.com/{name}"),
    };
    let checksum = format!("{distribution}#sha256");
    let has_bytes = !entry.sha256.is_empty();
    Paragraph::about(distribution)
        .say("a", ["dcat:Distribution", "dataid:Distribution"].map(str::to_owned))
        .node("dataid:isDistributionOf", subject)
        .node("dcat:accessURL", &repository)
        .node("dcat:downloadURL", &entry.address().unwrap_or_default())
        .node("schema:codeRepository", &repository)
        .text("qassay:commit", entry.commit)
        .text("qassay:filePath", entry.path)
        .text("qassay:dialect", entry.format)
        .node(
            "dcat:mediaType",
            &format!("https://www.iana.org/assignments/media-types/{}", entry.media_type()),
        )
        .number("dcat:byteSize", entry.bytes, "nonNegativeInteger")
        .text("databus:sha256sum", entry.sha256)
        .node("spdx:checksum", if has_bytes { &checksum } else { "" })
        .write(text);
    if has_bytes {
        Paragraph::about(&checksum)
            .say("a", ["spdx:Checksum".to_owned()])
            .say("spdx:algorithm", ["spdx:checksumAlgorithm_sha256".to_owned()])
            .say("spdx:checksumValue", [format!("\"{}\"^^xsd:hexBinary", entry.sha256)])
            .write(text);
    }
}

fn classes(kind: EntryKind) -> &'static [&'static str] {
    match kind {
        EntryKind::Dataset => &["dcat:Dataset", "dataid:Dataset", "databus:Version"],
        EntryKind::Submission => &["dcat:Dataset", "dataid:Dataset", "qassay:Submission"],
        EntryKind::Links | EntryKind::KnowledgeBase => &["dcat:Dataset", "dataid:Dataset"],
    }
}

/// The languages without regions, as the Library of Congress names them: what DCAT wants.
fn languages(entry: &Entry) -> BTreeSet<String> {
    let main = |tag: &&str| tag.split('-').next().unwrap_or_default().to_owned();
    let named = |code| iri(&format!("http://id.loc.gov/vocabulary/iso639-1/{code}"));
    entry.languages.iter().map(main).map(named).collect()
}

fn sibling(name: &str) -> String {
    let entry = by_name(name).unwrap_or_else(|| panic!("the catalogue has no {name}"));
    iri(&entry.iri(&Mint::default()))
}
