//! `datasets/catalogue.tsv` is true of the files in the mirror, and `datasets/catalogue.ttl` says the same in RDF.

mod turtle;

use crate::common;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::{NamedOrBlankNode, Term};
use qassay::base::iri::Mint;
use qassay::profiles::ontology::TERMS;
use qassay::sources::archive::hashing::file_digest;
use qassay::sources::catalogue::find::find;
use qassay::sources::catalogue::row::TABLE_COLUMNS;
use qassay::sources::catalogue::{Entry, EntryKind, TABLE, by_name, entries};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use qassay::sources::input::Input;

fn project(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Where the mirror, the second one, or the project has the bytes.
fn local(mirror: &Path, entry: &Entry) -> Option<PathBuf> {
    let below = |root: PathBuf| match entry.place() {
        Some(place) => place.iter().fold(root, |path, name| path.join(name)),
        None => project(entry.path),
    };
    let places = [mirror.to_path_buf(), common::mirror_2()].map(below);
    places.into_iter().find(|place| place.is_file())
}

/// What no reader takes, and why: a pointer to another repository, scores that belong to the lines of another file, and
/// preferences, which `trec_eval` judges in pairs.
const NOT_READABLE: &[&str] = &[
    "text2sparql-ck25-pointer",
    "trec-eval-prefs-test",
    "trec-eval-prefs-rank20",
    "trec-eval-prefs-comment-test",
];

#[test]
fn the_turtle_is_written_from_the_table() {
    let path = project("datasets/catalogue.ttl");
    let written = turtle::turtle(entries());
    if std::env::var_os("QASSAY_CATALOGUE").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap();
    let differs = kept.lines().zip(written.lines()).find(|(kept, written)| kept != written);
    assert_eq!(differs, None, "QASSAY_CATALOGUE=write writes datasets/catalogue.ttl again");
    assert_eq!(kept.len(), written.len(), "QASSAY_CATALOGUE=write writes datasets/catalogue.ttl again");
}

#[test]
fn the_turtle_is_rdf_without_blank_nodes_and_uses_declared_terms() {
    let text = std::fs::read_to_string(project("datasets/catalogue.ttl")).unwrap();
    let declared: BTreeSet<String> = TERMS.facts().subjects().map(str::to_owned).collect();
    let mut statements = 0;
    let mut distributions = BTreeMap::new();
    for quad in RdfParser::from_format(RdfFormat::Turtle).for_slice(&text) {
        let quad = quad.unwrap();
        assert!(matches!(quad.subject, NamedOrBlankNode::NamedNode(_)), "{quad}");
        assert!(!matches!(quad.object, Term::BlankNode(_)), "{quad}");
        let class = match (&quad.object, quad.predicate.as_str()) {
            (Term::NamedNode(class), "http://www.w3.org/1999/02/22-rdf-syntax-ns#type") => class.as_str(),
            _ => "",
        };
        for term in [quad.predicate.as_str(), class]
            .into_iter()
            .filter(|term| term.starts_with("https://w3id.org/qassay/ns#"))
        {
            assert!(declared.contains(term), "{term} is not declared in ontology/qassay.ttl");
        }
        if quad.predicate.as_str() == "http://www.w3.org/ns/dcat#distribution" {
            *distributions.entry(quad.subject.to_string()).or_insert(0) += 1;
        }
        statements += 1;
    }
    assert!(statements > 4000, "{statements} statements");
    // Two names of one submission are one thing with two distributions.
    let names: usize = distributions.values().sum();
    assert_eq!((names, names - distributions.len()), (entries().len(), 2));
}

#[test]
fn the_table_has_every_cell_and_every_name_once() {
    let mut lines = TABLE.lines();
    assert_eq!(lines.next().unwrap().split('\t').collect::<Vec<_>>(), TABLE_COLUMNS);
    for line in lines {
        assert_eq!(line.split('\t').count(), TABLE_COLUMNS.len(), "{line}");
    }
    let mut names = BTreeSet::new();
    for entry in entries() {
        let name = entry.name;
        assert!(names.insert(name.to_owned()), "{name} twice");
        assert_eq!(qassay::base::iri::slug(name), name, "a name is lower case with hyphens");
        for other in &entry.gerbil {
            assert!(
                names.insert(other.to_ascii_lowercase()) || other.eq_ignore_ascii_case(name),
                "{other} twice"
            );
        }
        let texts = [
            entry.title,
            entry.family,
            entry.publisher,
            entry.licence,
            entry.kb,
            entry.kb_version,
            entry.counted,
            entry.path,
            entry.format,
        ];
        assert!(texts.iter().all(|text| !text.is_empty()), "{name} leaves out what every file has");
        assert!(
            entry.licence_iri().is_some() || ["none stated", "not known"].contains(&entry.licence),
            "{name}"
        );
        let has_bytes = entry.sha256.len() == 64 && entry.bytes.is_some();
        assert!(
            has_bytes != (entry.sha256.is_empty() && entry.bytes.is_none() && !entry.absent.is_empty()),
            "{name}"
        );
        assert_eq!(entry.commit.len(), if entry.is_built_in() { 0 } else { 40 }, "{name}");
        assert_eq!(find(name).unwrap().name, name);
    }
}

#[test]
fn siblings_and_versions_exist_and_agree() {
    let entry = |name: &str| by_name(name).unwrap_or_else(|| panic!("the catalogue has no {name}"));
    for this in entries() {
        for next in &this.next {
            assert!(entry(next).previous.contains(&this.name), "{next} does not come after {}", this.name);
        }
        for previous in &this.previous {
            assert!(entry(previous).next.contains(&this.name), "{previous} is not before {}", this.name);
        }
        if !this.instead.is_empty() {
            assert_ne!(entry(this.instead).name, this.name);
            assert!(entry(this.instead).exists(), "{} is absent too", this.instead);
        }
    }
}

/// Table 1 of the paper, as printed: name and number of questions.
const TABLE_1: [(&str, u64); 21] = [
    ("NLQ shared task 1", 39),
    ("QALD1_Test_dbpedia", 50),
    ("QALD1_Train_dbpedia", 50),
    ("QALD1_Test_musicbrainz", 50),
    ("QALD1_Train_musicbrainz", 50),
    ("QALD2_Test_dbpedia", 99),
    ("QALD2_Train_dbpedia", 100),
    ("QALD3_Test_dbpedia", 99),
    ("QALD3_Train_dbpedia", 100),
    ("QALD3_Test_esdbpedia", 50),
    ("QALD3_Train_esdbpedia", 50),
    ("QALD4_Test_Hybrid", 10),
    ("QALD4_Train_Hybrid", 25),
    ("QALD4_Test_Multilingual", 50),
    ("QALD4_Train_Multilingual", 200),
    ("QALD5_Test_Hybrid", 10),
    ("QALD5_Train_Hybrid", 40),
    ("QALD5_Test_Multilingual", 49),
    ("QALD5_Train_Multilingual", 300),
    ("QALD6_Train_Hybrid", 49),
    ("QALD6_Train_Multilingual", 333),
];

#[test]
fn every_row_of_table_1_is_found_by_its_name() {
    for (name, questions) in TABLE_1 {
        let entry = find(name).unwrap();
        let row = entry.table1.iter().find(|row| row.name == name).unwrap();
        assert_eq!(row.questions, questions, "{name}");
        assert!(!row.rule.is_empty() && entry.exists(), "{name}");
    }
    let rows: usize = entries().iter().map(|entry| entry.table1.len()).sum();
    assert_eq!(rows, TABLE_1.len());
    // Plain counts are those of the file, the two halves of QALD-5 make the whole; two rows have rules of their own.
    for entry in entries().iter().filter(|entry| !entry.table1.is_empty()) {
        let sum: u64 = entry.table1.iter().map(|row| row.questions).sum();
        match entry.name {
            "nlq" => assert_eq!((entry.questions, sum), (Some(40), 39)),
            "qald-6-train-multilingual" => assert_eq!((entry.questions, sum), (Some(350), 333)),
            name => assert_eq!(entry.questions, Some(sum), "{name}"),
        }
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn files_of_the_mirror_have_the_recorded_bytes() {
    let mirror = common::mirror();
    let mut elsewhere = Vec::new();
    for entry in entries() {
        let Some(path) = local(&mirror, entry) else {
            elsewhere.push(entry.name);
            continue;
        };
        assert_eq!(file_digest(&path).unwrap(), entry.sha256, "{}", entry.name);
        assert_eq!(Some(std::fs::metadata(&path).unwrap().len()), entry.bytes, "{}", entry.name);
    }
    // Absent everywhere, or small files of NLIWOD, GERBIL and SPINACH that only their repositories have.
    let fetched_only = elsewhere.iter().filter(|name| by_name(name).unwrap().exists()).count();
    assert_eq!((elsewhere.len() - fetched_only, fetched_only), (9, 23), "{elsewhere:?}");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn readers_find_the_recorded_questions_and_mint_the_recorded_names() {
    let mirror = common::mirror();
    let (mut unread, mut wrong) = (Vec::new(), Vec::new());
    for entry in
        entries().iter().filter(|entry| matches!(entry.kind, EntryKind::Dataset | EntryKind::Submission))
    {
        let Some(path) = local(&mirror, entry) else { continue };
        let source = Source::open(&path).unwrap();
        let Ok((document, format)) = read(&source) else {
            unread.push(entry.name);
            continue;
        };
        // Lines of scores say nothing about questions.
        let is_scores = format.name == "nlpcc-scores";
        let found = document.questions.len() as u64;
        if !is_scores && Some(found) != entry.questions {
            wrong.push(format!("{}: {:?} questions recorded, {found} found", entry.name, entry.questions));
        }
        if entry.kind == EntryKind::Dataset && found > 0 {
            let iri = Input::dataset(source, &Mint::default()).unwrap().iri;
            let recorded = entry.iri(&Mint::default());
            if iri != recorded {
                wrong.push(format!(
                    "{}: <{recorded}> recorded, <{iri}> minted: see the column dataset_id",
                    entry.name
                ));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(unread, NOT_READABLE);
}

/// What the mirror has beside datasets and answers: the end of the path, and why it is none.
const NO_DATASET: &[(&str, &str)] = &[
    ("/LICENSE", "a licence"),
    ("/README.md", "a description"),
    (".html", "a report"),
    ("_eval.json", "scores"),
    ("_QALD8_Train.csv", "scores"),
    ("_QAMatchingsCounter.csv", "a log that GERBIL wrote while it scored"),
    ("/db25_responses.json", "a database of the client (SQLite)"),
    ("_classes_properties.txt", "a list of classes and properties"),
    ("-lexicon-en.ttl", "a lexicon"),
    ("_lexicon_en.ttl", "a lexicon"),
    ("/sample.result.txt", "scores"),
    ("/zscores_file", "parameters of measures"),
];

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn every_dataset_of_the_mirror_is_in_the_catalogue() {
    let mirror = common::mirror();
    let known: BTreeSet<PathBuf> = entries().iter().filter_map(|entry| local(&mirror, entry)).collect();
    let mut used: BTreeSet<&(&str, &str)> = BTreeSet::new();
    for file in common::files_below(&mirror) {
        let path = format!("/{}", file.display());
        let printed = path.contains("/trec_eval/") && path.contains("/test/out.");
        let reason = NO_DATASET.iter().find(|(ending, _)| path.ends_with(ending));
        used.extend(reason);
        let is_known = known.contains(&mirror.join(&file));
        assert!(is_known != (printed || reason.is_some()), "{path}: {reason:?}");
    }
    assert_eq!(used.len(), NO_DATASET.len(), "an exception that nothing needs");
}

/// The survey of formats names each file; the catalogue has them all.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn every_file_of_the_survey_is_in_the_catalogue() {
    let shared = common::shared();
    let survey = std::fs::read_to_string(shared.join("specs/datasets.tsv")).unwrap();
    let mut seen = 0;
    for line in survey.lines().skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let (repository, commit, path, sha256) = (cells[1], cells[2], cells[3], cells[4]);
        let is_it =
            |entry: &&Entry| (entry.repository, entry.commit, entry.path) == (repository, commit, path);
        let entry = entries().iter().find(is_it).unwrap_or_else(|| panic!("{repository} {path} is missing"));
        match sha256.strip_prefix("ABSENT(blob ") {
            Some(blob) => assert!(entry.absent.contains(blob.trim_end_matches(')')), "{path}"),
            None => assert_eq!((entry.sha256, entry.bytes), (sha256, cells[5].parse().ok()), "{path}"),
        }
        seen += 1;
    }
    assert_eq!(seen, survey.lines().count() - 1);
    assert!(seen >= 113, "{seen} files");
}
