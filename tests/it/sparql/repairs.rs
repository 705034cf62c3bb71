//! Repairs of queries over every real file: at least as many queries are read as in the survey, and the rest is listed.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::mirror;
use qassay::base::issue::IssueCode;
use qassay::base::vocab::code;
use qassay::profiles::ontology::TERMS;
use qassay::sources::document::{Document, QueryKind};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use qassay::sources::format::sibling::mend;
use qassay::sources::input::asked::{Asked, ask_all};
use qassay::sparql::read::analyse;
use qassay::sparql::repair::{REPAIRS, Repair};

const QALD: &str = "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/";
const NLQ: &str = "AKSW/NLIWOD/28141294f61c0a565cea9de880fd4fb19018fdb3/qa.datasets/src/main/resources/NLQ-OKBQA/nlq1_vis.json";

/// Damaged copies, the files to take instead, and how many questions get another query.
///
/// As in a survey of the same files with other software, save: the biomedical copy lost quotes in 11 queries, and has a twelfth in other letter case; in
/// qald-5_train.json 88 queries have other characters, 228 if white space counts (its line ends are deleted), and the 40
/// pseudo queries are not there at all.
const DAMAGED: &[(&str, &str, usize)] = &[
    ("2/data/musicbrainz-train-answers.xml", "2/data/musicbrainz-train.xml", 6),
    ("3/data/dbpedia-test-answers.xml", "3/data/dbpedia-test.xml", 1),
    ("3/data/esdbpedia-test-answers.xml", "3/data/esdbpedia-test.xml", 47),
    ("3/data/musicbrainz-train-answers.xml", "3/data/musicbrainz-train.xml", 6),
    ("4/data/qald-4_biomedical_test_withanswers.xml", "4/data/qald-4_biomedical_test.xml", 12),
    ("4/data/qald-4_multilingual_test_withanswers.xml", "4/data/qald-4_multilingual_test.xml", 5),
    ("5/data/qald-5_train.json", "5/data/qald-5_train.xml", 268),
    ("7/data/qald-7-train-hybrid-extended-json.json", "7/data/qald-7-train-hybrid.json", 102),
];

fn document(mirror: &Path, file: &str) -> Option<Document> {
    let source = Source::open(&mirror.join(file)).expect("a file of the mirror");
    read(&source).map(|(document, _)| document).ok()
}

/// A query text with the id of its question.
type Text = (String, String);

/// The queries of a file by kind.
fn texts(document: &Document) -> BTreeMap<&'static str, Vec<Text>> {
    let mut found: BTreeMap<&str, Vec<Text>> = BTreeMap::new();
    for question in &document.questions {
        for query in &question.queries {
            let kind = match query.kind {
                QueryKind::Sparql => "query",
                QueryKind::Pseudo => "pseudo",
                QueryKind::Schemaless => continue,
            };
            found.entry(kind).or_default().push((question.key.clone(), query.text.clone()));
        }
    }
    found
}

/// The queries of NLQ, which has one row a language.
fn nlq(mirror: &Path) -> BTreeMap<&'static str, Vec<Text>> {
    let text = fs::read(mirror.join(NLQ)).expect("NLQ");
    let rows: Vec<BTreeMap<String, String>> = serde_json::from_slice(&text).expect("JSON");
    let row =
        |row: &BTreeMap<String, String>| (format!("{} {}", row["id"], row["lang"]), row["sparql"].clone());
    BTreeMap::from([("query", rows.iter().map(row).collect())])
}

/// How the queries of one kind in one file parse.
#[derive(Debug, Default, Clone)]
struct Parsing {
    queries: usize,
    as_they_stand: usize,
    parsed: usize,
    pseudo: usize,
    repairs: BTreeMap<&'static str, usize>,
    reasons: Vec<(String, String)>,
}

impl Parsing {
    fn of(texts: &[Text]) -> Self {
        let mut parsing = Self { queries: texts.len(), ..Self::default() };
        for (id, text) in texts {
            match analyse(text) {
                Ok(graph) => {
                    parsing.parsed += 1;
                    parsing.as_they_stand += usize::from(graph.repairs.is_empty());
                    parsing.pseudo += usize::from(graph.is_pseudo());
                    let names: BTreeSet<&str> = graph.repairs.iter().map(Repair::name).collect();
                    for name in names {
                        *parsing.repairs.entry(name).or_default() += 1;
                    }
                }
                Err(error) => parsing.reasons.push((id.clone(), error.to_string())),
            }
        }
        parsing
    }
}

const HEAD: &str = "file\tkind\tqueries\tas they stand\trepaired\tmended\tsurvey\tpseudo\trepairs\n";

/// How many queries parsed in a survey of the same files, after mending by hand: a column of the table.
fn survey() -> BTreeMap<(&'static str, &'static str), usize> {
    let row = |line: &'static str| {
        let cells: Vec<&str> = line.split('\t').collect();
        Some(((cells[0], cells[1]), cells[6].parse().ok()?))
    };
    include_str!("repairs.tsv").lines().skip(1).filter_map(row).collect()
}

/// The name of a file, its queries by kind, and the document after mending, if it is a damaged copy.
type File = (String, BTreeMap<&'static str, Vec<Text>>, Option<Document>);

/// The queries of each file by kind, as they are and with those of the sibling.
fn files(mirror: &Path) -> Vec<File> {
    let names =
        include_str!("../readers/qald.tsv").lines().skip(1).filter_map(|line| line.split('\t').next());
    let mut found: Vec<_> = names
        .filter(|file| *file != NLQ)
        .filter_map(|file| Some((file.to_owned(), document(mirror, file)?)))
        .map(|(file, mut document)| {
            let texts = texts(&document);
            let pair = DAMAGED.iter().find(|(damaged, ..)| file == format!("{QALD}{damaged}"));
            let mended = pair.map(|(_, sibling, _)| {
                let sibling = self::document(mirror, &format!("{QALD}{sibling}")).expect("the sibling");
                mend(&mut document, &sibling);
                document
            });
            (file, texts, mended)
        })
        .collect();
    found.push((NLQ.to_owned(), nlq(mirror), None));
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn as_many_queries_are_read_as_in_the_survey() {
    let mirror = mirror();
    let survey = survey();
    let (mut table, mut unparsable) = (HEAD.to_owned(), "file\tkind\tid\treason\n".to_owned());
    let (mut short, mut total, mut goal) = (Vec::new(), 0, 0);
    for (file, texts, mended) in files(&mirror) {
        let mended = mended.as_ref().map(self::texts);
        let kinds: BTreeSet<&str> =
            texts.keys().chain(mended.iter().flat_map(BTreeMap::keys)).copied().collect();
        for kind in kinds.into_iter().rev() {
            let parsing = Parsing::of(texts.get(kind).map_or(&[], Vec::as_slice));
            let after = mended.as_ref().map_or_else(
                || parsing.clone(),
                |mended| Parsing::of(mended.get(kind).map_or(&[], Vec::as_slice)),
            );
            let expected = survey.get(&(file.as_str(), kind)).copied();
            if expected.is_some_and(|expected| after.parsed < expected) {
                short.push((file.clone(), expected.unwrap_or_default() - after.parsed));
            }
            if let Some(expected) = expected {
                total += after.parsed;
                goal += expected;
            }
            let repairs: Vec<String> =
                parsing.repairs.iter().map(|(name, n)| format!("{name}={n}")).collect();
            let shown = expected.map_or("-".to_owned(), |number| number.to_string());
            let Parsing { queries, as_they_stand, parsed, pseudo, .. } = &parsing;
            let _ = writeln!(
                table,
                "{file}\t{kind}\t{queries}\t{as_they_stand}\t{parsed}\t{}\t{shown}\t{pseudo}\t{}",
                after.parsed,
                repairs.join(" ")
            );
            let is_mended: BTreeSet<&String> = after.reasons.iter().map(|(id, _)| id).collect();
            for (id, reason) in &parsing.reasons {
                let helped = if is_mended.contains(id) { "" } else { "; the sibling file has it undamaged" };
                let _ = writeln!(unparsable, "{file}\t{kind}\t{id}\t{reason}{helped}");
            }
        }
    }
    // To make the tables anew.
    if let Some(folder) = std::env::var_os("QASSAY_REPAIRS_TABLE") {
        fs::write(Path::new(&folder).join("repairs.tsv"), &table).expect("written");
        fs::write(Path::new(&folder).join("unparsable.tsv"), &unparsable).expect("written");
    }
    // The survey read the first version of NLQ, which is not in the mirror; in this one the Korean is destroyed.
    assert_eq!(short, [(NLQ.to_owned(), 29)]);
    // 8 735 of the survey less 537 in files that are not in the mirror. More than in the survey: 47 of the empty queries of
    // esdbpedia-test-answers by its sibling, 38 pseudo queries of qald-5_train_raw behind its broken element.
    assert_eq!((goal, total), (8_735 - 537, 8_735 - 537 - 29 + 47 + 38));
    assert_eq!(table, include_str!("repairs.tsv"));
    assert_eq!(unparsable, include_str!("unparsable.tsv"));
}

/// What parses as it stands is neither changed nor reported, and what was repaired needs no more repair.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn real_queries_that_need_no_repair_get_none() {
    let mirror = mirror();
    let parser = || spargebra::SparqlParser::new();
    let mut valid = 0;
    for (file, texts, _) in files(&mirror) {
        for (id, text) in texts.values().flatten() {
            let Ok(graph) = analyse(text) else { continue };
            if parser().parse_query(text).is_ok() {
                valid += 1;
                assert_eq!((graph.repairs.len(), graph.repaired), (0, None), "{file} {id}");
            } else if let Some(repaired) = graph.repaired {
                assert_ne!(&repaired, text, "{file} {id}");
                let again = analyse(&repaired).expect("what was read once");
                assert_eq!((again.repairs.len(), again.patterns), (0, graph.patterns), "{file} {id}");
            }
        }
    }
    assert!(valid > 6_000, "{valid}");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn pseudo_queries_are_nothing_to_ask_for() {
    let mirror = mirror();
    let mut document = document(&mirror, &format!("{QALD}7/data/qald-7-test-hybrid.json")).expect("a file");
    let asked = ask_all(&mut document);
    assert!(asked.iter().all(|asked| matches!(asked, Asked::Pseudo(_))), "under `sparql`, and no SPARQL");
    let repaired = document.issues.iter().filter(|issue| issue.code == IssueCode::QueryRepaired);
    assert!(repaired.count() >= 50);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn damaged_copies_are_mended() {
    let mirror = mirror();
    let mut found = Vec::new();
    for (damaged, sibling, _) in DAMAGED {
        let mut document = document(&mirror, &format!("{QALD}{damaged}")).expect("a file");
        let sibling_document = self::document(&mirror, &format!("{QALD}{sibling}")).expect("a file");
        let changed = mend(&mut document, &sibling_document).changed;
        let issues = document.issues.iter().filter(|issue| issue.code == IssueCode::QueryFromSibling).count();
        assert_eq!(issues, changed, "{damaged}");
        found.push((*damaged, *sibling, changed));
    }
    assert_eq!(found, DAMAGED);
}

/// The table of repairs and the code list say the same.
#[test]
fn repairs_are_the_concepts_of_the_ontology() {
    const SKOS: &str = "http://www.w3.org/2004/02/skos/core#";
    let facts = TERMS.facts();
    let scheme = code::iri("queryRepair");
    let is_repair = |subject: &&str| facts.text(subject, &format!("{SKOS}inScheme")) == Some(scheme.as_str());
    let concepts: BTreeSet<String> = facts.subjects().filter(is_repair).map(str::to_owned).collect();
    let ours: BTreeSet<String> =
        REPAIRS.iter().map(|kind| code::iri(&format!("repair-{}", kind.name))).collect();
    if let Some(folder) = std::env::var_os("QASSAY_REPAIRS_TABLE") {
        fs::write(Path::new(&folder).join("repairs.ttl"), turtle()).expect("written");
    }
    assert_eq!(concepts, ours);
    for kind in REPAIRS {
        let concept = code::iri(&format!("repair-{}", kind.name));
        let text = |property: &str| facts.text(&concept, &format!("{SKOS}{property}"));
        assert_eq!(text("definition"), Some(kind.definition));
        assert_eq!(text("notation"), Some(kind.name));
        let (before, after) = kind.example;
        assert_eq!(text("example"), Some(format!("{before} → {after}").as_str()));
    }
}

/// The code list as Turtle, to copy after a change.
fn turtle() -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    REPAIRS.iter().fold(String::new(), |mut all, kind| {
        let (name, (before, after)) = (kind.name, kind.example);
        let mut label = name.replace('-', " ");
        label[..1].make_ascii_uppercase();
        let _ = writeln!(
            all,
            "code:repair-{name} a skos:Concept ;\n    skos:inScheme code:queryRepair ;\n    skos:notation \"{name}\" ;\n    \
             skos:prefLabel \"{label}\"@en ;\n    skos:definition \"{}\"@en ;\n    skos:example \"{} → {}\" .\n",
            quoted(kind.definition),
            quoted(before),
            quoted(after)
        );
        all
    })
}
