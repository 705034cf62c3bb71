//! What nobody states is never right: files as gold standards whose answers are not read, whatever happened to them.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use qassay::Silent;
use qassay::base::iri::Mint;
use qassay::profiles::Profile;
use qassay::profiles::choices::Choices;
use qassay::scoring::asked::KbAnswers;
use qassay::scoring::cases::Cases;
use qassay::scoring::evaluation::Evaluation;
use qassay::scoring::plan::Plan;
use qassay::sources::document::AnswerState;
use qassay::sources::file::source::Source;
use qassay::sources::input::Input;
use serde_json::{Value, json};

use crate::common::find_shared;
use crate::common::in_process::Program;

/// A question of QA with a score above 0: the key, the matched items, and what gold and system state.
#[derive(Debug)]
struct Right {
    key: String,
    matched: Vec<String>,
    gold: AnswerState,
    system: Option<AnswerState>,
}

/// Scores QA by the default profile; nothing where the files are refused.
fn right(gold: &[u8], answers: &[u8]) -> Option<Vec<Right>> {
    let mint = Mint::default();
    let source = |name, bytes: &[u8]| Source::from_bytes(name, bytes.to_vec()).ok();
    let dataset = Input::dataset(source("gold", gold)?, &mint).ok()?;
    let submission = Input::submission(source("answers", answers)?, None, &mint).ok()?;
    let choices = Choices { experiments: Some(vec!["QA".to_owned()]), ..Choices::default() };
    let profile = Arc::new(Profile::find("qassay").unwrap());
    let plan = Arc::new(Plan::new(profile, Arc::new(choices), &[]).unwrap());
    let cases = Cases::new(dataset.into(), submission.into(), &plan, KbAnswers::default()).ok()?;
    let evaluation = Evaluation::compute(&mint, cases, plan, &Silent).ok()?;
    let Some(experiment) = evaluation.experiment("QA") else { return Some(Vec::new()) };
    let results = experiment.results.iter().enumerate();
    let above = results.filter_map(|(at, result)| Some((at, result.as_ref()?)));
    let above = above.filter(|(_, result)| result.scores.f1.to_decimal() != "0");
    let of = |(at, _)| {
        let (matched, case) = (&experiment.matching.questions[at], evaluation.cases.at(at));
        let term = |at: u32| experiment.matching.term(matched.gold[at as usize]).to_string();
        Right {
            key: case.gold.question.key.clone(),
            matched: matched.pairs.iter().map(|pair| term(pair.gold)).collect(),
            gold: case.gold.question.answers.state,
            system: case.system.map(|answer| answer.question.answers.state),
        }
    };
    Some(above.map(of).collect())
}

/// Answers that say of each question that there is none.
fn nothing(gold: &[u8]) -> Option<Vec<u8>> {
    let dataset = Input::dataset(Source::from_bytes("gold", gold.to_vec()).ok()?, &Mint::default()).ok()?;
    let question = |key: &String| json!({"id": key, "question": [], "answers": []});
    let keys = dataset.document.questions.iter().map(|question| &question.key);
    Some(json!({"questions": keys.map(question).collect::<Vec<_>>()}).to_string().into_bytes())
}

/// A file of each format, of which no question states that it has no answer.
const SAMPLES: [&str; 12] = [
    r#"{"questions": [{"id": "1", "question": [{"language": "en", "string": "Which?"}], "query": {"sparql": "SELECT ?x { ?x ?y ?z }"},
      "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://e/a"}}]}}]},
     {"id": "2", "question": [{"language": "en", "string": "Is it?"}], "answers": [{"head": {}, "boolean": true}]}]}"#,
    r#"{"questions": [{"question": {"id": "3", "language": [{"language": "en", "question": "?", "SPARQL": "ASK {}"}], "answers": {"head": {}, "results": {}, "boolean": true}}}]}"#,
    r#"[{"id": 1, "question": "Who?", "sparql": "ASK {}", "answers": ["http://e/a", 3]}, {"id": 2, "question": "Where?", "answers": ["b"]}]"#,
    r#"[{"id": "WebQTrn-1", "utterance": "who?", "sparql": "SELECT ?x {}", "results": [{"x": {"type": "uri", "value": "http://e/a"}}]},
      {"id": "WebQTrn-2", "utterance": "is it?", "sparql": "ASK {}", "results": true}]"#,
    "{\"id\": \"1\", \"question\": \"Who?\", \"answers\": [\"a\"]}\n{\"id\": \"2\", \"question\": \"Is it?\", \"answers\": [true]}\n",
    "{\"id\": \"1\", \"prediction\": [\"http://e/a\"]}\n{\"id\": \"2\", \"prediction\": [\"b\"]}\n",
    r#"[{"id": "2", "lang": "en", "question": "Who?", "answer": "x", "type": "1-1", "sparql": "SELECT ?x {}"},
      {"id": "2", "lang": "ko", "question": "누구?", "answer": "y", "type": "1-1", "sparql": "SELECT ?y {}"}]"#,
    "<?xml version=\"1.0\"?>\n<dataset id=\"d\">\n<question id=\"1\" answertype=\"resource\"><string lang=\"en\">Who?</string><query>SELECT</query><answers><answer><uri>http://e/a</uri></answer></answers></question>\n<question id=\"2\"><string lang=\"en\">Is it?</string><answers><answer><boolean>true</boolean></answer></answers></question>\n</dataset>\n",
    "id,answer\n1,http://e/a\n2,b\n2,c\n",
    "id\tanswer\ttype\n1\thttp://e/a\turi\n2\tb\tliteral\n",
    "Q1\tP17\tQ183\tWhere is it?\nQ2\tP18\tQ184\tWhere is that?\n",
    "who is [tom hanks]\ttom|hanks\nwhere is [big]\tben\n",
];

/// Damages after which a file says that there is no answer: results without rows, and a row that binds nothing.
const SAYS_NOTHING: [&str; 4] = ["bindings removed", "boolean removed", "result removed", "x removed"];

/// The samples, and the beginnings of real files: one a format.
fn samples() -> Vec<(String, Vec<u8>)> {
    let invented = SAMPLES.iter().map(|text| ("a sample".to_owned(), text.as_bytes().to_vec()));
    let mut formats = BTreeSet::new();
    let real = files().into_iter().filter_map(|path| {
        let bytes = beginning(&std::fs::read(&path).ok()?);
        if bytes.len() > LONGEST {
            return None;
        }
        let (document, format) =
            qassay::sources::format::read(&Source::from_bytes("file", bytes.clone()).ok()?).ok()?;
        let is_stated =
            document.questions.iter().all(|question| question.answers.state == AnswerState::Given);
        (is_stated && formats.insert(format.name))
            .then(|| (format!("{} {}", format.name, path.display()), bytes))
    });
    invented.chain(real.collect::<Vec<_>>()).collect()
}

/// Longer beginnings are not damaged: each word of them would be.
const LONGEST: usize = 8_000;

/// A few questions of a file: the first entries of its list, or its first lines.
fn beginning(bytes: &[u8]) -> Vec<u8> {
    const QUESTIONS: usize = 3;
    match serde_json::from_slice::<Value>(bytes) {
        Ok(Value::Array(mut list)) => {
            list.truncate(QUESTIONS);
            Value::from(list).to_string().into_bytes()
        }
        Ok(mut object @ Value::Object(_)) => {
            for list in object.as_object_mut().unwrap().values_mut().filter_map(Value::as_array_mut) {
                list.truncate(QUESTIONS);
            }
            object.to_string().into_bytes()
        }
        _ if bytes.starts_with(b"<") => bytes.to_vec(),
        _ => bytes.split_inclusive(|byte| *byte == b'\n').take(9).flatten().copied().collect(),
    }
}

/// The files of the mirrors that are small enough to be read often.
fn files() -> Vec<PathBuf> {
    fn add(folder: &Path, all: &mut Vec<PathBuf>) {
        let mut entries: Vec<PathBuf> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            match path.is_dir() {
                true => add(&path, all),
                false if path.metadata().unwrap().len() < 400_000 => all.push(path),
                false => {}
            }
        }
    }
    let mut all = Vec::new();
    if let Some(shared) = find_shared() {
        add(&shared.join("data/mirror"), &mut all);
        add(&shared.join("data/mirror-2"), &mut all);
    }
    all
}

/// The words of a file that something could be called: letters, the first so many.
fn words(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphabetic() && c != '_' && c != '-');
    let mut seen = BTreeSet::new();
    words.filter(|word| word.len() > 1 && seen.insert(*word)).take(40).collect()
}

/// All keys of a JSON tree.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Object(map) => map.iter().for_each(|(key, item)| {
            found.insert(key.clone());
            keys(item, found);
        }),
        _ => {}
    }
}

/// The tree with another value under a key, wherever it stands; none removes it.
fn retyped(value: &Value, key: &str, with: Option<&Value>) -> Value {
    match value {
        Value::Array(items) => items.iter().map(|item| retyped(item, key, with)).collect(),
        Value::Object(map) => {
            let entries = map.iter().filter_map(|(known, item)| {
                let item = if known == key { with?.clone() } else { retyped(item, key, with) };
                Some((known.clone(), item))
            });
            entries.collect::<serde_json::Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

/// What can happen to a file without anybody saying that there is no answer: something is called otherwise, is of another
/// type, or is not there.
fn damaged(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Vec::new() };
    let mut all: Vec<(String, Vec<u8>)> = Vec::new();
    for word in words(text) {
        all.push((format!("{word} renamed"), text.replace(word, "zzz").into_bytes()));
    }
    let lines: Vec<Result<Value, _>> = text.lines().map(serde_json::from_str).collect();
    let values: Vec<Value> = match serde_json::from_str(text) {
        Ok(value) => vec![value],
        Err(_) if lines.iter().all(Result::is_ok) => lines.into_iter().flatten().collect(),
        Err(_) => return all,
    };
    let mut found = BTreeSet::new();
    for value in &values {
        keys(value, &mut found);
    }
    let others = [
        json!(7),
        json!("zzz"),
        json!(true),
        json!({"zzz": 1}),
        json!([{"zzz": 1}]),
        json!([[]]),
        json!([7]),
    ];
    for key in found {
        for with in others.iter().map(Some).chain([None]) {
            let lines = values.iter().map(|value| retyped(value, &key, with).to_string());
            let what = with.map_or_else(|| "removed".to_owned(), |with| format!("is {with}"));
            all.push((format!("{key} {what}"), lines.collect::<Vec<_>>().join("\n").into_bytes()));
        }
    }
    all
}

#[test]
fn nothing_is_never_right() {
    let (mut looked_at, mut wrong) = (0, Vec::new());
    for (name, sample) in samples() {
        for (what, gold) in std::iter::once((String::new(), sample.clone())).chain(damaged(&sample)) {
            if SAYS_NOTHING.iter().any(|said| what == *said) {
                continue;
            }
            let Some(right) = nothing(&gold).and_then(|nothing| right(&gold, &nothing)) else { continue };
            looked_at += 1;
            if let Some(first) = right.first() {
                wrong.push(format!("{name}: {what}: {first:?}"));
            }
        }
    }
    assert!(looked_at > 500, "{looked_at}");
    assert!(wrong.is_empty(), "{} of {looked_at}\n{}", wrong.len(), wrong.join("\n"));
}

/// What QA gives for one gold question and one answer, each as the answers of a QALD-JSON file: F1, or why it is skipped.
fn one(gold: &str, answer: &str) -> String {
    let file = |rest: &str| format!(r#"{{"questions": [{{"id": "1", "question": []{rest}}}]}}"#);
    let program = Program::new("qassay", None, &[]);
    program.score(file(gold).as_bytes(), file(answer).as_bytes(), |evaluation, _| {
        let whole =
            evaluation.skipped.iter().find(|(name, _)| *name == "QA").map(|(_, skip)| skip.code().to_owned());
        let result = evaluation.experiment("QA").and_then(|qa| qa.results[0].as_ref());
        let scored =
            result.map(|result| format!("{} {}", result.status.name(), result.scores.f1.to_decimal()));
        whole.or(scored).unwrap_or_default()
    })
}

#[test]
fn an_empty_answer_must_be_stated() {
    const EMPTY: &str = r#", "answers": []"#;
    const BROKEN: &str = r#", "answers": [[7]]"#;
    assert_eq!(one("", EMPTY), "skip-gold-answer-absent");
    assert_eq!(one(BROKEN, EMPTY), "skip-gold-answer-unreadable");
    assert_eq!(one(EMPTY, EMPTY), "empty 1");
    assert_eq!(one(r#", "query": {"sparql": "OUT OF SCOPE"}"#, EMPTY), "empty 1");
    assert_eq!(one(EMPTY, ""), "empty 1");
    assert_eq!(one(EMPTY, BROKEN), "error 0", "what cannot be read is never right");
    assert_eq!(one(EMPTY, r#", "error": "timeout""#), "error 0");
    let unread = r#", "output_text": ["a"]"#;
    assert_eq!(one(EMPTY, unread), "skip-system-answers-unread", "and what is not read is nothing at all");
    assert_eq!(one(r#", "answers": [{"head": {}, "boolean": true}]"#, BROKEN), "error 0");
}

#[test]
fn a_question_without_a_gold_answer_does_not_count() {
    let gold = r#"{"questions": [{"id": "1", "question": [], "answers": ["a"]}, {"id": "2", "question": []},
      {"id": "3", "question": [], "answers": [[7]]}, {"id": "4", "question": [], "answers": []}]}"#;
    let silent = r#"{"questions": [{"id": "1", "question": [], "answers": []}]}"#;
    let value = |profile: Profile| {
        let json = Program::with(profile, None, &[]).json(gold, silent);
        json["experiments"]["QA"]["measures"]["macroF1"].clone()
    };
    // Only the fourth says that there is no answer.
    assert_eq!(value(Profile::find("qassay").unwrap()), 0.5);
    assert_eq!(value(Profile::with_iri("https://w3id.org/qassay/profile/qassay/3").unwrap()), 0.75);
}

/// A number that looks random, and is the same each time (Knuth's MMIX).
struct Seeded(u64);

impl Seeded {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// 100 pairs of files that are about different things, and what scores above 0 in them all the same: both sides say of
/// the same id that there is no answer, or give the same answer (`true`, a number, a city that two tasks ask for).
/// Nothing else does.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn unrelated_files_share_only_true_answers() {
    let files = files();
    let texts = |path: &Path| {
        let source = Source::from_bytes("file", std::fs::read(path).unwrap()).ok()?;
        let (document, _) = qassay::sources::format::read(&source).ok()?;
        let texts = document.questions.iter().flat_map(|question| &question.texts);
        Some(texts.map(|text| text.text.clone()).collect::<BTreeSet<String>>())
    };
    let texts: Vec<Option<BTreeSet<String>>> = files.iter().map(|path| texts(path)).collect();
    let (mut seeded, mut pairs, mut refused, mut told) = (Seeded(14), 0, 0, String::new());
    while pairs < 100 {
        let [gold, answers] = [seeded.below(files.len()), seeded.below(files.len())];
        let Some((of_gold, of_answers)) = texts[gold].as_ref().zip(texts[answers].as_ref()) else { continue };
        // Files without texts may be about the same questions wherever they are.
        if of_gold.is_empty() || of_answers.is_empty() || !of_gold.is_disjoint(of_answers) {
            continue;
        }
        pairs += 1;
        let [gold, answers] = [&files[gold], &files[answers]];
        let Some(right) = right(&std::fs::read(gold).unwrap(), &std::fs::read(answers).unwrap()) else {
            refused += 1;
            continue;
        };
        let mut same = Vec::new();
        let (all, mut without) = (right.len(), 0);
        for Right { key, matched, gold: stated, system } in right {
            let is_stated = matches!(stated, AnswerState::Empty | AnswerState::OutOfScope);
            let is_silent = !matches!(system, Some(AnswerState::Given | AnswerState::Unreadable));
            if matched.is_empty() {
                assert!(is_stated && is_silent, "{key} of {} {}", gold.display(), answers.display());
                without += 1;
            } else {
                same.push(format!("{key} {}", matched.join(" ")));
            }
        }
        if all > 0 {
            let [gold, answers] = [gold, answers].map(|path| path.file_name().unwrap().to_string_lossy());
            writeln!(told, "{gold} {answers}: {without} without answer, as stated; same: {same:?}").unwrap();
        }
    }
    insta::assert_snapshot!(format!("{pairs} pairs, {refused} refused\n{told}"));
}
