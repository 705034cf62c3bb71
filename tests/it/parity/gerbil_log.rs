//! Answer logs of GERBIL itself (P7 of `ontology/README.md`): the profile `gerbil` gives the logged counts of every row.
//!
//! `tests/it/parity/gerbil_log.py` does the same in Python and says which era's rules fit: those of today (era C) give
//! all 133 rows of the three logs, those of 2019 to 2023 (era A) only 97.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::common::{Ran, mirror, program};
use serde_json::{Value, json};

const FOLDER: &str = "dice-group/TeBaQA";
const ANNOTATION: &str = "Annotation [uri=[";

/// The characters of Windows-1252 from 0x80 to 0x9F; the five unused bytes are control characters.
const HIGH: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}',
    '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

fn windows_1252(bytes: &[u8]) -> String {
    let character = |byte: &u8| match byte {
        0x80..=0x9f => HIGH[usize::from(byte - 0x80)],
        _ => char::from(*byte),
    };
    bytes.iter().map(character).collect()
}

/// An item of a printed answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Item {
    Text(String),
    /// All members of a closure of `owl:sameAs`, in no order. Gold items have one.
    Uris(BTreeSet<String>),
}

/// A row of a log.
#[derive(Debug)]
struct Row {
    question: String,
    system: Vec<Item>,
    gold: Vec<Item>,
    /// tp, fp, fn.
    counts: [usize; 3],
}

/// The items of a printed Java set. Nothing is escaped: where the set is known to have one item, `, ` is part of it.
fn items(cell: &str, size: usize) -> Vec<Item> {
    let inner = cell.strip_prefix('[').and_then(|cell| cell.strip_suffix(']')).expect("a set");
    let (mut rest, mut found) = (inner, Vec::new());
    while !rest.is_empty() {
        if let Some(uris) = rest.strip_prefix(ANNOTATION) {
            let end = uris.find("]], ").or_else(|| uris.strip_suffix("]]").map(str::len)).expect("an end");
            found.push(Item::Uris(uris[..end].split(", ").map(str::to_owned).collect()));
            rest = uris[end + 2..].trim_start_matches(", ");
        } else {
            let (text, after) = rest.split_once(", ").unwrap_or((rest, ""));
            found.push(Item::Text(text.to_owned()));
            rest = after;
        }
    }
    if size == 1 && found.len() > 1 && found.iter().all(|item| matches!(item, Item::Text(_))) {
        return vec![Item::Text(inner.to_owned())];
    }
    found
}

/// The rows of a log, and the numbers of its last two lines by their names.
fn read(log: &str) -> (Vec<Row>, BTreeMap<String, f64>) {
    let (mut rows, mut totals) = (Vec::new(), BTreeMap::new());
    for line in log.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        if let [question, system, gold, tp, fp, missed, _, _, _] = columns[..] {
            let counts = [tp, fp, missed].map(|count| count.parse().expect("a count"));
            rows.push(Row {
                question: question.to_owned(),
                system: items(system, counts[0] + counts[1]),
                gold: items(gold, counts[0] + counts[2]),
                counts,
            });
        } else {
            let named = columns.iter().filter_map(|column| column.trim().split_once(": "));
            totals.extend(named.map(|(name, value)| (name.to_owned(), value.parse().expect("a number"))));
        }
    }
    (rows, totals)
}

/// Certainly an address, for everybody who has an opinion: Java, the validator of URLs, N-Triples.
fn is_plain(uri: &str) -> bool {
    let rest = uri.strip_prefix("http://").or_else(|| uri.strip_prefix("https://"));
    let allowed = |b: u8| b.is_ascii_alphanumeric() || b"/._~!$&'()*+,;=:@#-".contains(&b);
    rest.is_some_and(|rest| rest.contains('/') && rest.bytes().all(allowed))
}

/// An IRI that N-Triples can hold. The logs have others: `?` and blanks stand for characters that were lost.
fn is_iri(uri: &str) -> bool {
    uri.contains("://") && !uri.chars().any(|c| c <= ' ' || "<>\"{}|^`\\".contains(c))
}

/// For each recorded set the member that stands for it as the system's answer.
///
/// The log does not say which one the system gave. It gets links to all others, and no other URI has links: so its
/// closure is the recorded set if it is in no other set, and nothing matches without the links if it is no gold item.
fn own_members<'a>(rows: &'a [Row]) -> BTreeMap<&'a BTreeSet<String>, &'a str> {
    let mut sets = BTreeSet::new();
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for row in rows {
        taken.extend(row.gold.iter().map(value));
        for item in &row.system {
            match item {
                Item::Text(text) => taken.insert(text),
                Item::Uris(uris) => sets.insert(uris),
            };
        }
    }
    let own = |members: &'a BTreeSet<String>| {
        let in_others = |uri: &str| sets.iter().any(|other| *other != members && other.contains(uri));
        let members = members.iter().map(String::as_str);
        let free = members.filter(|uri| is_plain(uri) && !taken.contains(uri) && !in_others(uri));
        free.min_by_key(|uri| (!uri.starts_with("http://dbpedia.org/resource/"), uri.len(), *uri))
    };
    sets.iter().map(|members| (*members, own(members).expect("a member of its own"))).collect()
}

/// The text of an item, the first URI of a set.
fn value(item: &Item) -> &str {
    match item {
        Item::Text(text) => text,
        Item::Uris(uris) => uris.first().expect("a member"),
    }
}

/// QALD-JSON of some answers; questions are numbered from 1.
fn qald_json(rows: &[Row], answers: impl Fn(&Row) -> Vec<String>) -> String {
    let binding = |value: String| json!({"x": {"type": if is_iri(&value) { "uri" } else { "literal" }, "value": value}});
    let questions = rows.iter().zip(1..).map(|(row, number)| {
        let bindings: Vec<Value> = answers(row).into_iter().map(binding).collect();
        let answer = json!({"head": {"vars": ["x"]}, "results": {"bindings": bindings}});
        json!({
            "id": number.to_string(),
            "question": [{"language": "en", "string": row.question}],
            "answers": if bindings.is_empty() { json!([]) } else { json!([answer]) },
        })
    });
    json!({"dataset": {"id": "gerbil-log"}, "questions": questions.collect::<Vec<_>>()}).to_string()
}

fn links(owns: &BTreeMap<&BTreeSet<String>, &str>) -> String {
    let mut text = String::new();
    for (members, own) in owns {
        for member in members.iter().filter(|member| member != own && is_iri(member)) {
            writeln!(text, "<{own}> <http://www.w3.org/2002/07/owl#sameAs> <{member}> .").expect("a text");
        }
    }
    text
}

/// Writes the inputs of a log and evaluates them.
fn evaluate(folder: &Path, rows: &[Row], profile: &str) -> Value {
    let owns = own_members(rows);
    let given = |item: &Item| match item {
        Item::Text(text) => text.clone(),
        Item::Uris(uris) => owns[uris].to_owned(),
    };
    let gold = qald_json(rows, |row| row.gold.iter().map(|item| value(item).to_owned()).collect());
    let answers = qald_json(rows, |row| row.system.iter().map(given).collect());
    fs::write(folder.join("gold.json"), gold).expect("a file");
    fs::write(folder.join("answers.json"), answers).expect("a file");
    fs::write(folder.join("links.nt"), links(&owns)).expect("a file");
    let arguments = [
        "evaluate",
        "gold.json",
        "answers.json",
        "--links",
        "links.nt",
        "--same-as",
        "links",
        "--no-archive",
    ];
    let mut command = program(folder);
    command.args(arguments).args(["--format", "json", "--profile", profile]);
    Ran::of(&mut command).json()["evaluations"][0]["experiments"]["QA"].take()
}

/// P7: every row of a log, and its last two lines.
fn p7(number: u32, count: usize) {
    let mirror = mirror();
    let commit =
        fs::read_dir(mirror.join(FOLDER)).expect("a folder").next().expect("a commit").expect("a folder");
    let log = commit.path().join(format!("evaluation/answers_{number}_TeBaQA (WS)_QAMatchingsCounter.csv"));
    let (rows, totals) = read(&windows_1252(&fs::read(log).expect("the log")));
    assert_eq!(rows.len(), count, "rows");
    // the reading of the log: as many items as were counted
    for row in &rows {
        let distinct = |items: &[Item]| items.iter().collect::<BTreeSet<_>>().len();
        let [tp, fp, missed] = row.counts;
        assert_eq!((distinct(&row.system), distinct(&row.gold)), (tp + fp, tp + missed), "{}", row.question);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let qa = evaluate(folder.path(), &rows, "gerbil");
    let questions = qa["questions"].as_array().expect("questions");
    assert_eq!(questions.len(), rows.len());
    let mut different = String::new();
    for (row, question) in rows.iter().zip(questions) {
        let ours = ["tp", "fp", "fn"].map(|count| question[count].as_u64());
        let theirs = row.counts.map(|count| Some(count as u64));
        if ours != theirs {
            writeln!(different, "{}: {ours:?}, logged {theirs:?}", row.question).expect("a text");
        }
    }
    assert!(different.is_empty(), "{different}");
    for (name, concept) in [
        ("sum-tp", "truePositiveCount"),
        ("sum-fp", "falsePositiveCount"),
        ("sum-fn", "falseNegativeCount"),
        ("micro-pre", "microPrecision"),
        ("micro-rec", "microRecall"),
        ("micro-f1", "microF1"),
        ("macro-pre", "macroPrecision"),
        ("macro-rec", "macroRecall"),
        ("macro-f1", "macroF1"),
    ] {
        let ours = qa["measures"][concept].as_f64().unwrap_or(f64::NAN);
        assert!((ours - totals[name]).abs() <= 1e-9, "{name}: {ours}, logged {}", totals[name]);
    }
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p7_13() {
    p7(13, 47);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p7_53() {
    p7(53, 43);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p7_93() {
    p7(93, 43);
}

#[test]
fn printed_sets_are_read() {
    let uris = |uris: &[&str]| Item::Uris(uris.iter().map(|uri| (*uri).to_owned()).collect());
    let text = |text: &str| Item::Text(text.to_owned());
    assert_eq!(items("[]", 0), []);
    assert_eq!(
        items("[Annotation [uri=[a, b]], Annotation [uri=[c]]]", 2),
        [uris(&["a", "b"]), uris(&["c"])]
    );
    assert_eq!(items("[true, false]", 2), [text("true"), text("false")]);
    assert_eq!(items("[Paris, the capital]", 1), [text("Paris, the capital")]);
    assert_eq!(windows_1252(b"D\xfcsseldorf \x96 \x80"), "Düsseldorf – €");
}
