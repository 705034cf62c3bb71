//! QALD-4's procedure (challenge document, sections 3 to 5) on its own gold standards: submissions that are made from them
//! by [`mutate`], with results that are known before.

mod mutate;

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{mirror, qassay};
use mutate::{Given, Gold, MUTATIONS, Question, Scores, all, invented, nothing};
use oxigraph::model::{Literal, NamedNode};
use qassay::measures::fraction::Fraction;
use serde_json::Value;
use tempfile::TempDir;

const FOLDER: &str = "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/4/data";
/// The gold standards of the three tasks, with the number of questions and how many are out of scope.
const GOLDS: [(&str, usize, usize); 6] = [
    ("qald-4_multilingual_test_withanswers.xml", 50, 2),
    ("qald-4_multilingual_train_withanswers.xml", 200, 12),
    ("qald-4_biomedical_test_withanswers.xml", 25, 0),
    // Question 2 of this file has no answers, and a query.
    ("qald-4_biomedical_train_withanswers.xml", 25, 1),
    ("qald-4_hybrid_test_withanswers.xml", 10, 0),
    ("qald-4_hybrid_train.xml", 25, 0),
];

fn gold_file(name: &str) -> PathBuf {
    mirror().join(FOLDER).join(name)
}

/// A folder with a gold standard and submissions to it.
struct Case {
    folder: TempDir,
    gold: Gold,
    systems: Vec<String>,
}

impl Case {
    fn new(name: &str, submissions: impl Fn(&Gold) -> Vec<(String, String)>) -> Self {
        let path = gold_file(name);
        let folder = tempfile::tempdir().unwrap();
        fs::copy(&path, folder.path().join("gold.xml")).unwrap();
        let gold = Gold::read(&path);
        let mut systems = Vec::new();
        for (system, text) in submissions(&gold) {
            fs::write(folder.path().join(format!("{system}.xml")), text).unwrap();
            systems.push(system);
        }
        Self { folder, gold, systems }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// What the program prints for scripts, one evaluation a system, in their order.
    fn evaluate(&self, options: &[&str]) -> Vec<Value> {
        let mut arguments = vec!["evaluate".to_owned(), "gold.xml".to_owned()];
        arguments.extend(self.systems.iter().map(|system| format!("{system}.xml")));
        arguments
            .extend(["--profile", "qald-4", "--format", "json"].iter().chain(options).map(|&o| o.to_owned()));
        let mut printed = qassay(self.path(), arguments).json();
        printed["evaluations"].as_array_mut().map(std::mem::take).unwrap_or_default()
    }
}

fn decimal(value: &Value) -> String {
    value.to_string()
}

/// The evaluation says exactly this of every question and overall: the means of P and R, and F of the two.
#[track_caller]
fn says(evaluation: &Value, expected: &[Scores], name: &str) {
    let qa = &evaluation["experiments"]["QA"];
    let questions = qa["questions"].as_array().unwrap();
    assert_eq!(questions.len(), expected.len(), "{name}");
    let mut failed = Vec::new();
    for (question, (precision, recall)) in questions.iter().zip(expected) {
        let f = Fraction::harmonic(precision, recall);
        let told = ["precision", "recall", "f1"].map(|measure| decimal(&question[measure]));
        assert_eq!(told, [precision, recall, &f].map(Fraction::to_decimal), "{name}: {question}");
        if f != Fraction::one() {
            failed.push(question["id"].clone());
        }
    }
    let mean = |of: fn(&Scores) -> &Fraction| Fraction::mean(expected.iter().map(of)).unwrap();
    let (precision, recall) = (mean(|scores| &scores.0), mean(|scores| &scores.1));
    let overall =
        [precision.to_decimal(), recall.to_decimal(), Fraction::harmonic(&precision, &recall).to_decimal()];
    let told = ["macroPrecision", "macroRecall", "macroF1"].map(|measure| decimal(&qa["measures"][measure]));
    assert_eq!(told, overall, "{name}");
    assert_eq!(qa["measures"]["failedCount"], failed.len(), "{name}");
    assert_eq!(qa["failed"], Value::Array(failed), "{name}");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn submissions_made_from_every_gold_standard() {
    for (file, count, out_of_scope) in GOLDS {
        let submissions = |gold: &Gold| {
            MUTATIONS
                .iter()
                .map(|mutation| (mutation.name.replace(' ', "-"), mutation.apply(gold).0))
                .collect()
        };
        let case = Case::new(file, submissions);
        assert_eq!(case.gold.questions.len(), count, "{file}");
        assert_eq!(
            case.gold.questions.iter().filter(|q| q.is_out_of_scope()).count(),
            out_of_scope,
            "{file}"
        );
        let evaluations = case.evaluate(&["--no-archive"]);
        assert_eq!(evaluations.len(), MUTATIONS.len());
        for (evaluation, mutation) in evaluations.iter().zip(&MUTATIONS) {
            assert_eq!(evaluation["system"], mutation.name.replace(' ', "-"));
            says(evaluation, &mutation.apply(&case.gold).1, &format!("{file}, {}", mutation.name));
        }
    }
}

/// The same by hand, without the arithmetic of the other tests.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn computed_by_hand() {
    // Precision, recall, F and the number of failed questions of each mutation that does not look at the number of answers.
    let cases = [
        // 50 questions, 2 of them out of scope; 17 are left out.
        (GOLDS[0].0, "wrong answers", ["0", "0", "0", "50"]),
        (GOLDS[0].0, "out of scope answered", ["0.96", "0.96", "0.96", "2"]),
        (GOLDS[0].0, "all said to be out of scope", ["0.04", "0.04", "0.04", "48"]),
        (GOLDS[0].0, "questions left out", ["0.66", "0.66", "0.66", "17"]),
        (GOLDS[0].0, "shuffled", ["1", "1", "1", "0"]),
        // 25 questions; 9 are left out.
        (GOLDS[2].0, "all said to be out of scope", ["0", "0", "0", "25"]),
        (GOLDS[2].0, "questions left out", ["0.64", "0.64", "0.64", "9"]),
        // 10 questions, one answer each: 1 + (at mod 3 + 1) answers give 4 times 1/2, 3 times 1/3, 3 times 1/4, so that
        // P = 3.75/10, R = 1, F = 0.75/1.375 = 6/11.
        (GOLDS[4].0, "extra answers", ["0.375", "1", "0.545454545455", "10"]),
        (GOLDS[4].0, "questions left out", ["0.6", "0.6", "0.6", "4"]),
    ];
    for (file, name, expected) in cases {
        let mutation = MUTATIONS.iter().find(|mutation| mutation.name == name).unwrap();
        let case = Case::new(file, |gold| vec![("system".to_owned(), mutation.apply(gold).0)]);
        let evaluation = case.evaluate(&["--no-archive"]).remove(0);
        let measures = &evaluation["experiments"]["QA"]["measures"];
        let told = ["macroPrecision", "macroRecall", "macroF1", "failedCount"].map(|m| decimal(&measures[m]));
        assert_eq!(told, expected, "{file}, {name}");
        let told =
            evaluation["issues"].to_string().contains("the marker `OUT OF SCOPE`, but there are answers");
        assert_eq!(told, name == "out of scope answered", "{file}, {name}");
    }
}

/// A knowledge base in which the answers to every question are, and the query that finds those to one.
fn knowledge_base(gold: &Gold) -> String {
    let mut text = String::new();
    for question in &gold.questions {
        for answer in &question.answers {
            for (tag, value) in values(answer) {
                let object = match NamedNode::new(&value) {
                    Ok(iri) if tag == "uri" => iri.to_string(),
                    _ => Literal::new_simple_literal(&value).to_string(),
                };
                text.extend(["<urn:question:", &question.id, "> <urn:answer> ", &object, " .\n"]);
            }
        }
    }
    text
}

/// The values of `<answer>…</answer>`, with their tags.
fn values(answer: &str) -> Vec<(String, String)> {
    let inner = answer.trim_start_matches("<answer>").trim_end_matches("</answer>");
    let parts = inner.split("</").map(|part| part.split_once('<').map_or("", |(_, part)| part));
    let text = |value: &str| {
        let value = value.trim().trim_start_matches("<![CDATA[").trim_end_matches("]]>");
        value.trim().replace("&amp;", "&")
    };
    let values = parts.filter_map(|part| part.split_once('>'));
    values.map(|(tag, value)| (tag.to_owned(), text(value))).collect()
}

/// A query for the answers of a question; a yes or a no is what an ASK query answers.
fn finds(question: &Question) -> String {
    let values: Vec<(String, String)> = question.answers.iter().flat_map(|answer| values(answer)).collect();
    if let [(tag, value)] = &values[..]
        && tag == "boolean"
    {
        return format!("ASK {{ FILTER({}) }}", value.to_ascii_lowercase());
    }
    format!("SELECT ?x WHERE {{ <urn:question:{}> <urn:answer> ?x }}", question.id)
}

type Make = fn(&Question) -> Given;

/// Queries in place of answers, and beside them.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn answers_are_those_of_the_submitted_query() {
    let makes: [(&str, Make); 4] = [
        ("queries", |question| Given::query(question, &finds(question))),
        ("beside-wrong", |question| Given::answers(question, invented(2)).with_query(&finds(question))),
        ("broken", |question| Given::right(question).with_query("SELECT ?x WHERE { no SPARQL }")),
        ("answers", |question| Given::answers(question, question.answers.clone())),
    ];
    for (file, _, _) in [GOLDS[0], GOLDS[2]] {
        let submissions = |gold: &Gold| {
            let made = |name: &str, make: Make| {
                gold.submission(name, &gold.questions.iter().map(make).collect::<Vec<_>>())
            };
            makes.iter().map(|(name, make)| ((*name).to_owned(), made(name, *make))).collect()
        };
        let case = Case::new(file, submissions);
        let gold = &case.gold;
        let of = |scores: fn(&Question) -> Scores| gold.questions.iter().map(scores).collect::<Vec<Scores>>();
        let ones = of(|_| all());
        let only_empty = of(|question| if question.is_out_of_scope() { all() } else { nothing() });
        // Nobody runs the queries: the answers of the file count, where there are some.
        let evaluations = case.evaluate(&["--no-archive"]);
        for (evaluation, expected) in evaluations.iter().zip([&only_empty, &of(|_| nothing()), &ones, &ones])
        {
            says(evaluation, expected, &format!("{file}, not run: {}", evaluation["system"]));
        }
        let told = |evaluation: &Value, code: &str| {
            let issues = evaluation["issues"].as_array().unwrap();
            issues.iter().filter(|issue| issue["code"] == code).count()
        };
        assert_eq!(evaluations.iter().map(|e| told(e, "not-executed")).collect::<Vec<_>>(), [1, 1, 1, 0]);
        // They are run.
        fs::write(case.path().join("kb.nt"), knowledge_base(gold)).unwrap();
        qassay(case.path(), ["kb", "add", "little", "--version", "1", "kb.nt"]).ok();
        let evaluations = case.evaluate(&["--kb", "little@1"]);
        for (evaluation, expected) in evaluations.iter().zip([&ones, &ones, &only_empty, &ones]) {
            says(evaluation, expected, &format!("{file}, run: {}", evaluation["system"]));
        }
        let count = gold.questions.len();
        let answered = gold.questions.iter().filter(|question| !question.is_out_of_scope()).count();
        let others = evaluations.iter().map(|e| told(e, "answers-not-of-query"));
        assert_eq!(others.collect::<Vec<_>>(), [0, count, answered, 0]);
        assert_eq!(evaluations[2]["experiments"]["QA"]["measures"]["errorCount"], count);
        let issue = &evaluations[1]["issues"].as_array().unwrap();
        let message =
            issue.iter().find(|issue| issue["code"] == "answers-not-of-query").unwrap()["message"].as_str();
        assert!(message.unwrap().starts_with("the file gives 2 answers, its query "), "{message:?}");
        // All of it can be computed again, from what is kept and on the knowledge base.
        let verified = qassay(case.path(), ["verify"]);
        assert_eq!(verified.code, Some(0), "{}\n{}", verified.stdout, verified.stderr);
    }
}

/// Pseudo queries cannot be run: the answers of the file count.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn pseudo_queries_are_not_run() {
    let right = |gold: &Gold| vec![("system".to_owned(), MUTATIONS[0].apply(gold).0)];
    let case = Case::new(GOLDS[4].0, right);
    assert!(!case.gold.questions.iter().any(Question::has_query));
    fs::write(case.path().join("kb.nt"), knowledge_base(&case.gold)).unwrap();
    qassay(case.path(), ["kb", "add", "little", "--version", "1", "kb.nt"]).ok();
    let evaluation = case.evaluate(&["--kb", "little@1", "--no-archive"]);
    // `--no-archive` leaves the archive of the knowledge base as it is.
    says(&evaluation[0], &vec![all(); 10], "pseudo queries");
    assert!(!evaluation[0]["issues"].to_string().contains("not-executed"));
}

/// The other profiles take the answers of the file, so that both kinds in one run have no one set of answers.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn profiles_of_two_kinds_are_refused_where_queries_are_run() {
    let case = Case::new(GOLDS[4].0, |gold| vec![("a".to_owned(), MUTATIONS[0].apply(gold).0)]);
    let ran = qassay(
        case.path(),
        ["evaluate", "gold.xml", "a.xml", "--profile", "qald-4,qald", "--kb", "little@1"],
    );
    assert_eq!(ran.code, Some(2));
    for part in ["qald-4 (of the query), qald (of the file)", "evaluate once for each kind"] {
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    let both =
        qassay(case.path(), ["evaluate", "gold.xml", "a.xml", "--profile", "qald-4,qald", "--no-archive"]);
    assert_eq!(both.code, Some(0), "{}", both.stderr);
}

/// Participants may say how long their system takes: `<time>` in seconds.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn the_average_time_is_shown() {
    let submission = |gold: &Gold| {
        let given = gold.questions.iter().enumerate().map(|(at, question)| {
            let given = Given::right(question);
            // 1.5 s, 0.25 s, and eight questions without a time: the mean is over the two.
            match at {
                0 => given.with_time("1.5"),
                1 => given.with_time("0.25"),
                _ => given,
            }
        });
        vec![("timed".to_owned(), gold.submission("timed", &given.collect::<Vec<_>>()))]
    };
    let case = Case::new(GOLDS[4].0, submission);
    let evaluation = case.evaluate(&["--no-archive"]).remove(0);
    assert_eq!(evaluation["experiments"]["QA"]["measures"]["meanResponseTime"], 0.875);
    let table = qassay(
        case.path(),
        ["evaluate", "gold.xml", "timed.xml", "--profile", "qald-4", "--no-archive", "-q"],
    );
    insta::assert_snapshot!(table.ok(), @r#"
    qald-4-hybrid-test, profile qald-4

    system  profile  experiment   n  answered  macro P  macro R  macro F1  failed  mean time
    timed   qald-4   QA          10        10   1.0000   1.0000    1.0000       0     0.8750
    "#);
}

/// `--failed`: what was right, too much and missing in the questions that the system failed.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn failed_questions_are_listed() {
    let submission = |gold: &Gold| vec![("mixed".to_owned(), MUTATIONS[8].apply(gold).0)];
    let case = Case::new(GOLDS[4].0, submission);
    let arguments =
        ["evaluate", "gold.xml", "mixed.xml", "--profile", "qald-4", "--no-archive", "-q", "--failed"];
    let csv = qassay(case.path(), arguments.iter().chain(&["--format", "csv"])).ok();
    insta::assert_snapshot!(csv, @r#"
    system,profile,experiment,question,text,status,tp,fp,fn,precision,recall,f1
    mixed,qald-4,QA,3,At which college did the only American actor that received the César Award study?,answered,1,2,0,0.333333333333,1,0.5
    mixed,qald-4,QA,4,Did Napoleon's first wife die in France?,answered,0,2,1,0,0,0
    mixed,qald-4,QA,5,Who is the current James Bond?,empty,0,0,1,0,0,0
    mixed,qald-4,QA,9,Who plays Phileas Fogg in the adaptation of Around the World in 80 Days directed by Buzz Kulik?,answered,1,2,0,0.333333333333,1,0.5
    mixed,qald-4,QA,10,Who played the drums in the band that wrote Complete Control?,answered,0,1,1,0,0,0
    "#);
    let perfect =
        ["evaluate", "gold.xml", "gold.xml", "--profile", "qald-4", "--no-archive", "-q", "--failed"];
    let printed = qassay(case.path(), perfect).ok();
    assert!(printed.contains("no question: every answer is right"), "{printed}");
}
