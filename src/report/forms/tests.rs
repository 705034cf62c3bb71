//! All forms of one record, and of records whose texts try to be something else.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{NamedOrBlankNode, Term};
use quick_xml::Reader;
use quick_xml::events::Event as XmlEvent;
use saphyr_parser::{Event as YamlEvent, Parser};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::text;
use crate::base::vocab::{dcat, dct, foaf};
use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::*;
use crate::record::results::Results;
use crate::report::forms::shared::DATA_CUBE;
use crate::report::forms::signposting::{header, links};
use crate::report::forms::{WrittenForm, forms, schema_org, tables};

/// The base of the fixture.
const BASE: &str = "https://w3id.org/qassay/";

/// A text that ends, begins and commands whatever it can.
const EVIL: &str = "</script><!-- <script> ]]> \"'`&amp;&{}}{\\ %_#$~^ @\u{1b}[31m\0\u{202e}\u{2028}\u{feff}\u{ffff}\r\n\t- a: b\n# x\n=1+1";

fn licence(spdx: &str, iri: &str, title: &str) -> StatedLicence {
    StatedLicence { iri: iri.to_owned(), spdx: Some(spdx.to_owned()), title: title.to_owned() }
}

fn cc0() -> StatedLicence {
    licence("CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/", "CC0 1.0 Universal")
}

fn by(version: &str) -> StatedLicence {
    let iri = format!("https://creativecommons.org/licenses/{version}/4.0/");
    licence(&format!("CC-{}-4.0", version.to_uppercase()), &iri, &format!("CC {version} 4.0"))
}

/// A record in memory: what it says of itself, and the bytes of its files.
struct Fixture {
    metadata: RecordMetadata,
    contents: Vec<Vec<u8>>,
}

impl Fixture {
    fn add(&mut self, path: &str, role: FileRole, media_type: &str, content: &[u8]) -> &mut RecordFile {
        let statements = String::from_utf8_lossy(content).lines().count() as u64;
        self.metadata.files.push(RecordFile {
            path: path.to_owned(),
            role,
            title: format!("File {path}"),
            description: format!("What is in {path}."),
            media_type: media_type.to_owned(),
            sha256: hex(&Sha256::digest(content)),
            bytes: content.len() as u64,
            licence: None,
            about: None,
            conforms_to: None,
            statements: (role == FileRole::Graph).then_some(statements),
        });
        self.contents.push(content.to_vec());
        self.metadata.files.last_mut().expect("a file")
    }
}

fn named(path: &str, title: &str) -> NamedThing {
    NamedThing { iri: format!("{BASE}{path}"), title: title.to_owned() }
}

fn input(part: &str, content: &[u8], licence: Option<StatedLicence>) -> RecordInput {
    let sha256 = hex(&Sha256::digest(content));
    let is_free = licence.is_some();
    RecordInput {
        iri: format!("{BASE}{part}/x/{}", &sha256[..16]),
        part: part.to_owned(),
        title: format!("The {part} & more"),
        file: format!("{BASE}file/sha256/{sha256}"),
        bytes: content.len() as u64,
        media_type: "application/json".to_owned(),
        source: Some(format!("https://example.org/{part}.json")),
        publisher: is_free.then(|| "https://example.org/them".to_owned()),
        licence,
        path: is_free.then(|| format!("files/sha256/{sha256}.json")),
        withheld: (!is_free).then(|| "The source states no licence.".to_owned()),
        sha256,
    }
}

fn fixture(published: PublishedKind) -> Fixture {
    let (kind, title, members) = match published {
        PublishedKind::Evaluation => {
            ("evaluation", "Evaluation of KGQAn on QALD-9 test (QA, profile qassay)", 0)
        }
        PublishedKind::Comparison => ("comparison", "Comparison of KGQAn and gAnswer on QALD-9 test", 2),
        PublishedKind::Experiment => ("experiment", "KGQAn and gAnswer on QALD-9 test", 2),
    };
    let iri = format!("{BASE}{kind}/ccd4335609c10f98cde5fe3f440d1ec8");
    let (free, unfree) = (b"{\"questions\": []}".as_slice(), b"{}".as_slice());
    let inputs = vec![input("dataset", free, Some(by("by-sa"))), input("submission", unfree, None)];
    let graph = format!("{BASE}graph/scores/ccd4335609c10f98cde5fe3f440d1ec8");
    let run = |number: usize| RecordRun {
        iri: format!("{BASE}execution/{number}"),
        of: if published == PublishedKind::Experiment {
            format!("{BASE}evaluation/{number}")
        } else {
            iri.clone()
        },
        started: format!("2026-11-22T06:42:2{number}.199Z"),
        ended: format!("2026-11-22T06:42:2{number}.567Z"),
        engine: format!("{BASE}engine/qassay/0.1.0+494491fd7f1e"),
        version: "0.1.0".to_owned(),
        command: Some("qassay evaluate --profile qassay --experiment QA".to_owned()),
        used: inputs.iter().map(|one| one.iri.clone()).chain([format!("{BASE}profile/qassay/3")]).collect(),
        generated: vec![graph.clone()],
    };
    let metadata = RecordMetadata {
        base: BASE.to_owned(),
        published,
        key: "ccd4335609c10f98cde5fe3f440d1ec8".to_owned(),
        identifier: format!("sha256:{}", "ccd4335609c10f98".repeat(4)),
        title: title.to_owned(),
        description: "How well systems answer the 150 test questions of QALD-9: macro F1 0.075751168279."
            .to_owned(),
        version: 1,
        issued: "2026-11-22".to_owned(),
        modified: "2026-11-22".to_owned(),
        creators: vec![
            Agent::parse("Josiah Carberry <0000-0002-1825-0097>", true).expect("a person"),
            Agent::parse("Example Consortium <https://ror.org/05gq02987>", false).expect("an organisation"),
        ],
        publisher: Agent::parse("Example Laboratory <https://example.org/lab>", false).expect("a publisher"),
        licence: cc0(),
        attributions: vec!["Questions by Them, CC BY-SA 4.0".to_owned()],
        keywords: ["question answering", "QALD-9", "RDF Data Cube"].map(str::to_owned).to_vec(),
        doi: None,
        withheld: vec![WithheldPart {
            iri: format!("{BASE}graph/match/ccd4335609c10f98cde5fe3f440d1ec8"),
            path: "graphs/sha256/00/00.nq".to_owned(),
            sha256: "0".repeat(64),
            bytes: 7,
            reason: "It quotes answers that have no licence.".to_owned(),
            source: None,
        }],
        runs: (1..=members.max(1)).map(run).collect(),
        inputs,
        profiles: vec![named("profile/qassay/3", "Profile qassay, version 3")],
        members: (1..=members)
            .map(|at| named(&format!("evaluation/{at}"), &format!("Evaluation {at}")))
            .collect(),
        again: vec!["qassay evaluate files/sha256/aa/aa --system '</script>'".to_owned()],
        measured: vec![MeasuredValue {
            iri: format!("{iri}/agg/QA/group-all/macroF1"),
            measure: "https://w3id.org/qassay/code#macroF1".to_owned(),
            name: "Macro F1".to_owned(),
            experiment: "QA".to_owned(),
            system: "KGQAn".to_owned(),
            dataset: "QALD-9 test".to_owned(),
            value: "0.075751168279".to_owned(),
        }],
        files: Vec::new(),
        iri,
    };
    let mut fixture = Fixture { metadata, contents: Vec::new() };
    let line = format!("<{BASE}a> <{BASE}b> \"c\" <{graph}> .\n");
    let file = fixture.add("graphs/sha256/aa/aa.nq", FileRole::Graph, "application/n-quads", line.as_bytes());
    (file.about, file.conforms_to) = (Some(graph), Some(DATA_CUBE.to_owned()));
    let words = format!("<{BASE}a> <{BASE}b> \"d\" <{BASE}ns/0.1.0> .\n");
    let file =
        fixture.add("graphs/sha256/bb/bb.nq", FileRole::Graph, "application/n-quads", words.as_bytes());
    (file.about, file.licence) = (Some(format!("{BASE}ns/0.1.0")), Some(by("by")));
    let tables = [tables::aggregates(&[results("1")]), tables::questions(&[results("1")])];
    for (path, table) in [tables::AGGREGATES_PATH, tables::QUESTIONS_PATH].into_iter().zip(tables) {
        fixture.add(path, FileRole::Table, "text/csv", &table.expect("a table"));
    }
    let path = fixture.metadata.inputs[0].path.clone().expect("a path");
    fixture.add(&path, FileRole::Input, "application/json", free).licence = Some(by("by-sa"));
    let line = line.replace("graph/scores/ccd4335609c10f98cde5fe3f440d1ec8", "graph/catalog");
    fixture.add("records/execution/1.nq", FileRole::Record, "application/n-quads", line.as_bytes());
    fixture
}

/// Results with one question whose id is this.
fn results(id: &str) -> Results {
    let file = |name: &str| json!({ "iri": format!("{BASE}{name}"), "name": name, "sha256": "", "file_name": "secret.json" });
    let observation = json!({
        "status": "Answered", "counts": { "tp": 1, "fp": 61, "fn": 0 },
        "precision": "0.016129032258", "recall": "1", "f1": "0.031746031746", "parts": [], "ndcg": null,
        "measures": [["meanReciprocalRank", { "value": "0.5", "sample_size": 1, "ties": null }]],
        "judged": [], "counted_rows": [], "gold_node": "http://gold", "system_node": null,
        "matches": [{ "gold": "\"secret gold\"", "system": "\"secret answer\"", "rule": "r", "normalisations": [], "label": null }],
    });
    let ties = json!({ "worst": "0.1", "best": "0.9" });
    let metrics = json!([
        ["macroF1", { "value": "0.031746031746", "sample_size": 1, "ties": ties }],
        ["macroPrecision", null],
    ]);
    let question = |key: &str| json!({ "key": key, "texts": [["en", "secret text"]], "keywords": [[null, "secret word"]] });
    let results = json!({
        "iri": format!("{BASE}evaluation/1"), "digest": "", "dataset": file("qald-9"), "submission": file("KGQAn"),
        "profile": {
            "iri": format!("{BASE}profile/qassay/3"), "name": "qassay", "label": "", "definition": "", "source": "",
            "follows_gerbil": false, "prefers_queries": false, "ranked_by": null,
        },
        "conditions": { "gold": "curated", "chosen": [] },
        "references": [], "refreshed": null, "executed": null, "loaded": null,
        "questions": [question(id), question("2")],
        "experiments": [{
            "name": "QA", "ranks_candidates": false, "is_of_item_types": false, "judges": false,
            "headline": [], "group_headline": [], "question_headline": [],
            "groups": [{ "name": "group-all", "metrics": metrics }],
            "questions": [
                { "origins": [null, null], "observed": { "Ok": observation } },
                { "origins": [null, null], "observed": { "Err": "GoldQueryAbsent" } },
            ],
        }],
        "skipped": [], "issues": [],
    });
    serde_json::from_value(results).expect("results")
}

/// The bytes of all forms, by path.
fn written(metadata: &RecordMetadata) -> BTreeMap<String, Vec<u8>> {
    let all = forms(metadata, &page(metadata)).expect("forms");
    all.into_iter().map(|WrittenForm { file, bytes }| (file.path, bytes)).collect()
}

/// A page with what the forms give it.
fn page(metadata: &RecordMetadata) -> Vec<u8> {
    let escape = |text: &str| quick_xml::escape::escape(text).into_owned();
    let links: Vec<String> = links(metadata)
        .iter()
        .map(|link| {
            let media_type = link.media_type.as_ref().map(|one| format!(" type=\"{}\"", escape(one)));
            let href = escape(link.href());
            format!("<link rel=\"{}\" href=\"{href}\"{}>", link.relation, media_type.unwrap_or_default())
        })
        .collect();
    let title = escape(&text::html(&metadata.title));
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>{}<script type=\"application/ld+json\">{}</script></head><body><h1>{title}</h1></body></html>",
        links.concat(),
        schema_org::script(metadata)
    )
    .into_bytes()
}

fn read_json(forms: &BTreeMap<String, Vec<u8>>, path: &str) -> Value {
    serde_json::from_slice(&forms[path]).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The texts of the elements of an XML file, by the names on the way to them, and their attributes.
fn read_xml(bytes: &[u8]) -> Vec<(String, String)> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let (mut reader, mut path, mut found) = (Reader::from_str(text), Vec::new(), Vec::new());
    loop {
        match reader.read_event().expect("well-formed XML") {
            XmlEvent::Start(start) => {
                path.push(start.name().as_ref().to_owned());
                found.push((path.join("/"), String::new()));
                for attribute in start.attributes() {
                    let attribute = attribute.expect("an attribute");
                    let name = attribute.key.as_ref().to_owned();
                    let value =
                        attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0).expect("a value");
                    found.insert(found.len() - 1, (format!("{}@{name}", path.join("/")), value.into_owned()));
                }
            }
            XmlEvent::End(_) => drop(path.pop()),
            // Between elements there is white space, also before the first.
            XmlEvent::Text(text) => {
                found.last_mut().into_iter().for_each(|(_, all)| all.push_str(&text.xml10_content()));
            }
            XmlEvent::GeneralRef(name) => {
                let value =
                    quick_xml::escape::unescape(&format!("&{};", &*name)).expect("an entity").into_owned();
                found.last_mut().expect("an element").1.push_str(&value);
            }
            XmlEvent::Eof => return found,
            _ => {}
        }
    }
}

/// The scalars of a YAML file in their order: names and values.
fn read_yaml(bytes: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let events = Parser::new_from_str(text).map(|event| event.expect("YAML").0);
    let scalar = |event| match event {
        YamlEvent::Scalar(value, ..) => Some(value.into_owned()),
        _ => None,
    };
    events.filter_map(scalar).collect()
}

/// The value behind a name in a list of scalars.
fn behind<'a>(scalars: &'a [String], name: &str) -> &'a str {
    let at = scalars.iter().position(|one| one == name).unwrap_or_else(|| panic!("no {name}"));
    &scalars[at + 1]
}

/// The objects of a property of a node in Turtle.
fn objects(turtle: &[u8], node: &str, property: &str) -> Vec<String> {
    let quads = RdfParser::from_format(RdfFormat::Turtle).for_slice(turtle).map(|quad| quad.expect("Turtle"));
    let is_meant = |subject: &NamedOrBlankNode| matches!(subject, NamedOrBlankNode::NamedNode(name) if name.as_str() == node);
    let found = quads.filter(|quad| is_meant(&quad.subject) && quad.predicate.as_str() == property);
    found
        .map(|quad| match quad.object {
            Term::NamedNode(name) => name.into_string(),
            Term::Literal(literal) => literal.value().to_owned(),
            Term::BlankNode(node) => panic!("{node}"),
        })
        .collect()
}

/// What a field of BibTeX holds, with a count of braces as BibTeX counts; nothing of an entry may stand behind it.
fn bib_field(bytes: &[u8], name: &str) -> String {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let begin = text.find(&format!("\n  {name:<9} = {{")).unwrap_or_else(|| panic!("no {name}")) + 16;
    let mut depth = 1;
    let end = text[begin..].find(|one| {
        depth += match one {
            '{' => 1,
            '}' => -1,
            _ => 0,
        };
        depth == 0
    });
    text[begin..begin + end.expect("an end")].to_owned()
}

/// What a form says of what all must say.
type Said = BTreeMap<&'static str, String>;

/// The text that a value of JSON is.
fn text_of(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text")).to_owned()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// The names of some agents.
fn names(agents: &Value) -> String {
    list(agents).iter().map(|one| text_of(&one["name"])).collect::<Vec<_>>().join("; ")
}

/// Version, licence, date and IRI come in many shapes; this is what each form says of what all must say.
fn said(metadata: &RecordMetadata) -> Vec<(&'static str, Said)> {
    let forms = written(metadata);
    let script = serde_json::from_str(&schema_org::script(metadata)).expect("JSON");
    let set = &read_json(&forms, "linkset.json")["linkset"][0];
    let links = [("licence", &set["license"][0]["href"])];
    assert_eq!(set["cite-as"][0]["href"], metadata.iri.as_str());
    vec![
        ("schema.org", in_json_ld(&script)),
        ("croissant.json", in_json_ld(&read_json(&forms, "metadata/croissant.json"))),
        ("ro-crate-metadata.json", in_crate(&read_json(&forms, "ro-crate-metadata.json"))),
        ("datacite.json", in_datacite(&read_json(&forms, "metadata/datacite.json"))),
        ("datacite.xml", in_xml(&forms["metadata/datacite.xml"])),
        ("invenio.json", in_deposit(&read_json(&forms, "metadata/invenio.json")["metadata"])),
        ("CITATION.cff", in_cff(&read_yaml(&forms["CITATION.cff"]))),
        ("citation.bib", in_bib(&forms["citation.bib"])),
        ("dcat.ttl", in_catalogue(&forms["metadata/dcat.ttl"], &metadata.iri)),
        ("linkset.json", links.map(|(what, value)| (what, text_of(value))).into()),
    ]
}

fn in_json_ld(value: &Value) -> Said {
    BTreeMap::from([
        ("title", text_of(&value["name"])),
        ("description", text_of(&value["description"])),
        ("version", text_of(&value["version"])),
        ("licence", text_of(&value["license"])),
        ("creators", names(&value["creator"])),
        ("publisher", text_of(&value["publisher"]["name"])),
        ("date", text_of(&value["datePublished"])),
        ("identifier", text_of(&value["@id"])),
    ])
}

fn in_crate(whole: &Value) -> Said {
    let entity = |id: &Value| list(&whole["@graph"]).iter().find(|one| one["@id"] == *id).expect("an entity");
    let root = entity(&json!("./"));
    let creators = list(&root["creator"]).iter().map(|one| text_of(&entity(&one["@id"])["name"]));
    BTreeMap::from([
        ("title", text_of(&root["name"])),
        ("description", text_of(&root["description"])),
        ("version", text_of(&root["version"])),
        ("licence", text_of(&root["license"]["@id"])),
        ("creators", creators.collect::<Vec<_>>().join("; ")),
        ("publisher", text_of(&entity(&root["publisher"]["@id"])["name"])),
        ("date", text_of(&root["datePublished"]).replace("T00:00:00+00:00", "")),
        ("identifier", text_of(&root["identifier"])),
    ])
}

fn in_datacite(datacite: &Value) -> Said {
    BTreeMap::from([
        ("title", text_of(&datacite["titles"][0]["title"])),
        ("description", text_of(&datacite["descriptions"][0]["description"])),
        ("version", text_of(&datacite["version"])),
        ("licence", text_of(&datacite["rightsList"][0]["rightsUri"])),
        ("creators", names(&datacite["creators"])),
        ("publisher", text_of(&datacite["publisher"]["name"])),
        ("date", text_of(&datacite["dates"][0]["date"])),
        (
            "identifier",
            datacite["doi"]
                .as_str()
                .map_or_else(|| text_of(&datacite["url"]), |doi| format!("https://doi.org/{doi}")),
        ),
    ])
}

fn in_xml(bytes: &[u8]) -> Said {
    let xml = read_xml(bytes);
    let all = |path: &str| {
        let found = xml.iter().filter(|(known, _)| *known == format!("resource/{path}"));
        found.map(|(_, text)| text.trim_end().to_owned()).collect::<Vec<_>>()
    };
    BTreeMap::from([
        ("title", all("titles/title").concat()),
        ("description", all("descriptions/description").concat()),
        ("version", all("version").concat()),
        ("licence", all("rightsList/rights@rightsURI").remove(0)),
        ("creators", all("creators/creator/creatorName").join("; ")),
        ("publisher", all("publisher").concat()),
        ("date", all("dates/date").remove(0)),
        ("identifier", all("identifier").remove(0)),
    ])
}

fn in_deposit(deposit: &Value) -> Said {
    let person = |one: &Value| match &one["person_or_org"] {
        person if person["type"] == "personal" => {
            format!("{}, {}", text_of(&person["family_name"]), text_of(&person["given_name"]))
        }
        other => text_of(&other["name"]),
    };
    BTreeMap::from([
        ("title", text_of(&deposit["title"])),
        ("description", text_of(&deposit["description"]).replace("<p>", "").replace("</p>", "")),
        ("version", text_of(&deposit["version"])),
        ("licence", text_of(&deposit["rights"][0]["id"])),
        ("creators", list(&deposit["creators"]).iter().map(person).collect::<Vec<_>>().join("; ")),
        ("publisher", text_of(&deposit["publisher"])),
        ("date", text_of(&deposit["publication_date"])),
        ("identifier", text_of(&deposit["identifiers"][0]["identifier"])),
    ])
}

fn in_cff(scalars: &[String]) -> Said {
    let of = |name: &str| behind(scalars, name).to_owned();
    let contact = scalars.iter().position(|one| one == "contact").expect("a contact");
    BTreeMap::from([
        ("title", of("title")),
        ("description", of("abstract")),
        ("version", of("version")),
        ("licence", of("license")),
        ("creators", format!("{}, {}; {}", of("family-names"), of("given-names"), of("name"))),
        ("publisher", scalars[contact + 2].clone()),
        ("date", of("date-released")),
        ("identifier", of("url")),
    ])
}

fn in_bib(bytes: &[u8]) -> Said {
    let of = |name: &str| bib_field(bytes, name).replace(['{', '}'], "");
    BTreeMap::from([
        ("title", of("title")),
        ("version", of("version")),
        ("creators", of("author").replace(" and ", "; ")),
        ("publisher", of("publisher")),
        ("date", of("year")),
        ("identifier", of("url")),
    ])
}

fn in_catalogue(turtle: &[u8], iri: &str) -> Said {
    let of = |property: &str| objects(turtle, iri, property);
    let agents =
        |property| of(property).iter().flat_map(|one| objects(turtle, one, foaf::NAME)).collect::<Vec<_>>();
    BTreeMap::from([
        ("title", of(dct::TITLE).concat()),
        ("description", of(dct::DESCRIPTION).concat()),
        ("version", of(dcat::VERSION).concat()),
        ("licence", of(dct::LICENSE).concat()),
        ("creators", agents(dct::CREATOR).join("; ")),
        ("publisher", agents(dct::PUBLISHER).concat()),
        ("date", of(dct::ISSUED).concat()),
        ("identifier", of(dct::IDENTIFIER).concat()),
    ])
}

#[test]
fn all_forms_say_the_same() {
    for (published, doi) in ALL {
        let mut metadata = fixture(published).metadata;
        metadata.doi = doi.map(str::to_owned);
        let spoken = "Josiah Carberry; Example Consortium";
        let cited_as = doi.map_or_else(|| metadata.iri.clone(), |doi| format!("https://doi.org/{doi}"));
        let meant = BTreeMap::from([
            ("title", vec![metadata.title.as_str()]),
            ("description", vec![metadata.description.as_str()]),
            ("version", vec!["1"]),
            ("licence", vec![metadata.licence.iri.as_str(), "CC0-1.0", "cc0-1.0"]),
            ("creators", vec![spoken, "Carberry, Josiah; Example Consortium"]),
            ("publisher", vec!["Example Laboratory"]),
            ("date", vec!["2026-11-22", "2026"]),
            ("identifier", vec![cited_as.as_str()]),
        ]);
        let all = said(&metadata);
        assert_eq!(all.len(), 10);
        for (form, says) in all {
            for (what, value) in says {
                assert!(meant[what].contains(&value.as_str()), "{form} says of {what}: {value}");
            }
        }
    }
}

/// Every kind of record, with a DOI and without.
const ALL: [(PublishedKind, Option<&str>); 4] = [
    (PublishedKind::Evaluation, None),
    (PublishedKind::Evaluation, Some("10.5281/zenodo.1234")),
    (PublishedKind::Comparison, None),
    (PublishedKind::Experiment, None),
];

/// A record of which every text is this.
fn hostile(published: PublishedKind, evil: &str) -> RecordMetadata {
    let mut metadata = fixture(published).metadata;
    let text = || evil.to_owned();
    (metadata.title, metadata.description, metadata.keywords) =
        (text(), text(), vec![text(), format!("{evil}2")]);
    (metadata.attributions, metadata.publisher.name, metadata.licence.title) = (vec![text()], text(), text());
    metadata.creators = [true, false]
        .map(|is_person| Agent { name: text(), is_person, ..metadata.creators[1].clone() })
        .to_vec();
    for input in &mut metadata.inputs {
        (input.title, input.part, input.withheld) = (text(), text(), Some(text()));
        (input.source, input.publisher) = (Some(format!("https://example.org/{evil}")), Some(text()));
    }
    for file in &mut metadata.files {
        (file.title, file.description) = (text(), text());
    }
    for part in &mut metadata.withheld {
        (part.reason, part.source) = (text(), Some(format!("javascript:{evil}")));
    }
    for value in &mut metadata.measured {
        (value.name, value.system, value.dataset, value.experiment) = (text(), text(), text(), text());
    }
    for thing in metadata.profiles.iter_mut().chain(&mut metadata.members) {
        thing.title = text();
    }
    for run in &mut metadata.runs {
        run.command = Some(text());
    }
    metadata
}

/// Records of every kind whose texts try to be something else, with their forms and the text.
fn hostile_records() -> Vec<(RecordMetadata, BTreeMap<String, Vec<u8>>, String)> {
    let texts = [EVIL.to_owned(), EVIL.repeat(400), EVIL.to_owned(), EVIL.to_owned()];
    let records = ALL.into_iter().zip(texts).map(|((published, _), evil)| {
        let metadata = hostile(published, &evil);
        let forms = written(&metadata);
        (metadata, forms, evil)
    });
    records.collect()
}

#[test]
fn nothing_commands_a_terminal_or_is_followed() {
    for (_, forms, _) in hostile_records() {
        for (path, bytes) in &forms {
            let text = std::str::from_utf8(bytes).expect("UTF-8");
            assert_eq!(text::lines(text), text, "{path}");
            assert!(!text.contains("javascript:"), "{path}");
        }
    }
}

#[test]
fn nothing_breaks_out_of_a_form() {
    for (metadata, forms, evil) in hostile_records() {
        // JSON means the same.
        assert_eq!(read_json(&forms, "metadata/datacite.json")["titles"][0]["title"], evil);
        assert_eq!(read_json(&forms, "metadata/croissant.json")["name"], evil);
        let script = schema_org::script(&metadata);
        assert!(!script.contains("</") && !script.contains("<!"), "the element ends early");
        assert_eq!(serde_json::from_str::<Value>(&script).expect("JSON")["name"], evil);
        let description = text_of(&read_json(&forms, "metadata/invenio.json")["metadata"]["description"]);
        assert_eq!(description.matches('<').count(), 2, "only the paragraph is markup");
        // XML shows what it cannot hold.
        let xml = read_xml(&forms["metadata/datacite.xml"]);
        let titles: Vec<_> = xml.iter().filter(|(path, _)| path == "resource/titles/title").collect();
        assert_eq!((titles.len(), titles[0].1.trim_end()), (1, text::xml(&evil).trim_end()));
        // Turtle means the same.
        assert_eq!(objects(&forms["metadata/dcat.ttl"], &metadata.iri, dct::TITLE), [evil.as_str()]);
        // YAML too; of it, names are only ours.
        let cff = read_yaml(&forms["CITATION.cff"]);
        assert_eq!(behind(&cff, "title"), evil);
        assert!(!cff.iter().any(|scalar| scalar == "a" || scalar == "- a"));
        // BibTeX has one entry, which ends where it ends.
        let bib = std::str::from_utf8(&forms["citation.bib"]).expect("UTF-8");
        assert_eq!(bib.matches('{').count(), bib.matches('}').count());
        assert_eq!(bib_field(&forms["citation.bib"], "title"), format!("{{{}}}", text::bibtex(&evil)));
        assert_eq!(bib_field(&forms["citation.bib"], "url"), metadata.iri);
    }
}

#[test]
fn the_same_metadata_give_the_same_bytes() {
    for (published, doi) in ALL {
        let mut metadata = fixture(published).metadata;
        metadata.doi = doi.map(str::to_owned);
        assert_eq!(written(&metadata), written(&metadata.clone()));
    }
}

#[test]
fn forms_stand_in_their_order() {
    let metadata = fixture(PublishedKind::Evaluation).metadata;
    let all = forms(&metadata, b"<!doctype html>").expect("forms");
    let paths: Vec<&str> = all.iter().map(|form| form.file.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "ro-crate-metadata.json",
            "linkset.json",
            "CITATION.cff",
            "citation.bib",
            "metadata/dcat.ttl",
            "metadata/datacite.json",
            "metadata/datacite.xml",
            "metadata/invenio.json",
            "metadata/croissant.json",
        ]
    );
    let whole: Value = serde_json::from_slice(&all[0].bytes).expect("JSON");
    let described = |path: &str| {
        whole["@graph"].as_array().expect("a graph").iter().find(|one| one["@id"] == path).cloned()
    };
    for form in &all[1..] {
        let entity = described(&form.file.path).unwrap_or_else(|| panic!("no {}", form.file.path));
        assert_eq!(entity["sha256"], hex(&Sha256::digest(&form.bytes)));
        assert_eq!(entity["contentSize"], form.bytes.len().to_string());
    }
    assert_eq!(described("index.html").expect("the page")["contentSize"], "15");
}

#[test]
fn what_is_withheld_is_named_with_its_reason() {
    let metadata = fixture(PublishedKind::Evaluation).metadata;
    let forms = written(&metadata);
    let whole = read_json(&forms, "ro-crate-metadata.json");
    let withheld = &metadata.inputs[1];
    let entity =
        whole["@graph"].as_array().expect("a graph").iter().find(|one| one["@id"] == withheld.file.as_str());
    let entity = entity.expect("the file");
    assert_eq!((&entity["@type"], &entity["sha256"]), (&json!("CreativeWork"), &json!(withheld.sha256)));
    assert_eq!(entity["conditionsOfAccess"], "The source states no licence.");
    let rights = objects(&forms["metadata/dcat.ttl"], &withheld.iri, dct::ACCESS_RIGHTS);
    assert_eq!(rights, ["http://publications.europa.eu/resource/authority/access-right/RESTRICTED"]);
    for (path, bytes) in &forms {
        let text = std::str::from_utf8(bytes).expect("UTF-8");
        let has_it = ["ro-crate-metadata.json", "metadata/dcat.ttl", "metadata/invenio.json", "CITATION.cff"]
            .contains(&path.as_str());
        assert!(!has_it || text.contains("The source states no licence."), "{path}");
    }
    assert!(schema_org::script(&metadata).contains("The source states no licence."));
}

#[test]
fn links_of_page_set_and_header_are_one_list() {
    let mut metadata = fixture(PublishedKind::Evaluation).metadata;
    metadata.version = 3;
    let links = links(&metadata);
    let set = &read_json(&written(&metadata), "linkset.json")["linkset"][0];
    for link in links.iter().filter(|link| link.relation != "linkset") {
        let targets = set[link.relation].as_array().unwrap_or_else(|| panic!("no {}", link.relation));
        assert!(targets.iter().any(|target| target["href"] == link.iri), "{}", link.iri);
    }
    let before =
        links.iter().find(|link| link.relation == "predecessor-version").expect("an earlier version");
    assert_eq!(before.iri, format!("{}/v/2", metadata.iri));
    let all = header(&links);
    assert_eq!(all.matches("; rel=\"").count(), links.len());
    assert!(
        all.contains("; rel=\"describedby\"; type=\"text/turtle\"; profile=\"http://data.europa.eu/r5r/\"")
    );
}

#[test]
fn a_header_that_is_too_long_has_the_graphs_only() {
    let mut fixture = fixture(PublishedKind::Experiment);
    for number in 0..60 {
        let path = format!("files/sha256/{number}/\"é>.csv");
        fixture.add(&path, FileRole::Input, "text/csv", b"");
    }
    let some = header(&links(&fixture.metadata));
    assert!(some.len() <= 7_500 && some.is_ascii());
    assert_eq!((some.matches("; rel=\"item\"").count(), some.matches("text/csv").count()), (2, 0));
    for number in 0..60 {
        fixture.add(&format!("graphs/sha256/{number}.nq"), FileRole::Graph, "application/n-quads", b"");
    }
    let none = header(&links(&fixture.metadata));
    assert_eq!((none.matches("; rel=\"item\"").count(), none.matches("; rel=\"linkset\"").count()), (0, 1));
    let set = read_json(&written(&fixture.metadata), "linkset.json");
    assert_eq!(set["linkset"][0]["item"].as_array().expect("items").len(), 125);
}

#[test]
fn what_is_no_iri_is_no_turtle() {
    let mut metadata = fixture(PublishedKind::Evaluation).metadata;
    metadata.licence.iri = "no IRI".to_owned();
    let error = forms(&metadata, b"").expect_err("no licence").to_string();
    assert!(error.contains("`no IRI` is no IRI"), "{error}");
}

#[test]
fn tables_have_what_is_ours_and_as_it_is() {
    let id = "=1+1,\"\n\u{1b}";
    let all = [results(id), results("x")];
    let aggregates = String::from_utf8(tables::aggregates(&all).expect("a table")).expect("UTF-8");
    let keys = format!("{BASE}evaluation/1,KGQAn,qald-9,qassay,QA");
    let row =
        format!("{keys},group-all,macroF1,0.031746031746,1,0.1,0.9\n{keys},group-all,macroPrecision,,,,\n");
    let names = "evaluation,system,dataset,profile,experiment,group,measure,value,n,worst,best\n";
    assert_eq!(aggregates, format!("{names}{row}{row}"));
    let questions = String::from_utf8(tables::questions(&all).expect("a table")).expect("UTF-8");
    let scores = ",answered,1,61,0,0.016129032258,1,0.031746031746,,0.5";
    let skipped = format!("{keys},2,skipped,,,,,,,,");
    assert_eq!(
        questions,
        format!(
            "evaluation,system,dataset,profile,experiment,question,status,tp,fp,fn,precision,recall,f1,ndcg,meanReciprocalRank\n\
             {keys},\"=1+1,\"\"\n\\u{{1b}}\"{scores}\n{skipped}\n{keys},x{scores}\n{skipped}\n"
        )
    );
    assert!(!format!("{aggregates}{questions}").contains("secret"));
}

/// Writes records for validators (`.ci/fair` says which) into the folder that `QASSAY_RECORDS` names, else into one that
/// is gone again.
#[test]
fn records_are_whole() {
    let temporary = tempfile::tempdir().expect("a folder");
    let folder =
        std::env::var_os("QASSAY_RECORDS").map_or_else(|| temporary.path().to_owned(), PathBuf::from);
    for (number, (published, doi)) in ALL.into_iter().enumerate() {
        let mut fixture = fixture(published);
        fixture.metadata.doi = doi.map(str::to_owned);
        fixture.metadata.version = if doi.is_some() { 2 } else { 1 };
        let record = folder.join(format!("{published:?}-{number}"));
        write_record(&fixture, &record);
        let whole = std::fs::read(record.join("ro-crate-metadata.json")).expect("the crate");
        let whole: Value = serde_json::from_slice(&whole).expect("JSON");
        let entities = whole["@graph"].as_array().expect("a graph");
        let files: Vec<&Value> = entities.iter().filter(|one| one["@type"] == "File").collect();
        assert_eq!(files.len(), fixture.metadata.files.len() + 9);
        for file in files {
            let path = file["@id"].as_str().expect("a path");
            let bytes = std::fs::read(record.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
            assert_eq!(file["sha256"], hex(&Sha256::digest(&bytes)), "{path}");
        }
    }
}

fn write_record(fixture: &Fixture, folder: &Path) {
    let page = page(&fixture.metadata);
    let metadata = forms(&fixture.metadata, &page).expect("forms");
    let metadata = metadata.iter().map(|form| (form.file.path.as_str(), form.bytes.as_slice()));
    let files = fixture.metadata.files.iter().zip(&fixture.contents);
    let files = files.map(|(file, bytes)| (file.path.as_str(), bytes.as_slice()));
    let pages = ["index.html", "ro-crate-preview.html"].map(|path| (path, page.as_slice()));
    for (path, bytes) in files.chain(metadata).chain(pages) {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, bytes).expect("a file");
    }
}
