//! TREC: the measures are those that `trec_eval` prints for its own test files, to its four decimals (P11 of
//! `ontology/README.md`).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::common::judged::{RULES, result};
use crate::common::{mirror, qassay};
use qassay::measures::fraction::Fraction;
use qassay::measures::judged::{Judged, Judgement, Verdict};
use qassay::measures::metric::metric;
use qassay::measures::result::QuestionResult;
use qassay::sources::document::{Document, Question};
use qassay::sources::file::source::Source;
use qassay::sources::format::read;

const TEST: &str = "usnistgov/trec_eval/f4253652c8efd0d86ddffd0d163cc0a0f813111a/test";

/// One of the commands of `make quicktest`.
#[derive(Clone, Copy)]
struct Run {
    qrels: &'static str,
    results: &'static str,
    output: &'static str,
    /// `-l`: the lowest grade that is relevant. Gains do not ask for it.
    level: u64,
    /// `-c`: the questions of the judgements count, also those that the run lacks. Else: those of both files.
    complete: bool,
    /// `-M`: how many documents of a question count.
    most: usize,
}

const DEFAULT: Run = Run {
    qrels: "qrels.test",
    results: "results.test",
    output: "out.test",
    level: 1,
    complete: false,
    most: usize::MAX,
};

/// How a value of the output is computed here.
#[derive(Debug)]
enum Ours {
    /// The number of questions.
    Questions,
    /// A metric over the documents judged at the level of the run.
    Metric(String),
    /// A metric of gains.
    Gain(String),
}

/// The metric that a measure of `trec_eval` is, for the measures that are here.
fn ours(theirs: &str) -> Option<Ours> {
    if theirs.starts_with("ndcg_1=") {
        // the gains 3, 9, 4.5 of the grades 1, 2, 4: all are of grade 1 in these files, and a factor is divided out
        return Some(Ours::Gain("meanNdcg".to_owned()));
    }
    if let Some((family, n)) = theirs.rsplit_once('_')
        && n.parse::<u64>().is_ok()
    {
        return match family {
            "P" => Some(Ours::Metric(format!("precisionAt{n}"))),
            "recall" => Some(Ours::Metric(format!("recallAt{n}"))),
            "success" => Some(Ours::Metric(format!("accuracyAt{n}"))),
            "ndcg_cut" => Some(Ours::Gain(format!("ndcgAt{n}"))),
            _ => None,
        };
    }
    if let Some(level) = theirs.strip_prefix("iprec_at_recall_") {
        let percent = Fraction::parse(level)?.to_fixed(2).replace('.', "");
        let percent = percent.trim_start_matches('0');
        let percent = if percent.is_empty() { "0" } else { percent };
        return Some(Ours::Metric(format!("interpolatedPrecisionAtRecall{percent}")));
    }
    let name = match theirs {
        "num_q" => return Some(Ours::Questions),
        "ndcg" => return Some(Ours::Gain("meanNdcg".to_owned())),
        "num_ret" => "retrievedCount",
        "num_rel" => "relevantCount",
        "num_rel_ret" => "relevantRetrievedCount",
        "map" => "meanAveragePrecision",
        "gm_map" => "geometricMeanAveragePrecision",
        "bpref" => "meanBpref",
        "recip_rank" => "meanReciprocalRank",
        "Rprec" => "meanRPrecision",
        _ => return None,
    };
    Some(Ours::Metric(name.to_owned()))
}

fn document(folder: &Path, file: &str) -> Document {
    let source = Source::open(&folder.join(file)).expect("a file of trec_eval");
    let (document, _) = read(&source).expect("judgements or a run");
    document
}

/// The grades above 0 of the documents of a question.
fn grades(question: &Question) -> BTreeMap<&str, u64> {
    let grade =
        |candidate: &'_ qassay::sources::document::Candidate| candidate.label.as_deref()?.parse::<u64>().ok();
    let graded = question.candidates.iter().filter_map(|candidate| {
        let grade = grade(candidate).filter(|grade| *grade > 0)?;
        Some((candidate.cells.first()?.value.as_str(), grade))
    });
    graded.collect()
}

/// The documents of a question that are judged, with a grade below a level.
fn rejected(question: &Question, level: u64) -> BTreeSet<&str> {
    let is_rejected = |candidate: &&qassay::sources::document::Candidate| {
        let grade = candidate.label.as_deref().and_then(|label| label.parse::<u64>().ok());
        grade.is_some_and(|grade| grade < level)
    };
    let rejected = question.candidates.iter().filter(is_rejected);
    rejected.filter_map(|candidate| Some(candidate.cells.first()?.value.as_str())).collect()
}

/// The documents of a run, in the order that they were read in, with the grades that they have.
fn judged(run: Option<&Question>, gold: &Question, level: u64, most: usize) -> Judged {
    let (grades, rejected) = (grades(gold), rejected(gold, level));
    let answer = |candidate: &qassay::sources::document::Candidate| {
        let document = candidate.cells.first().map_or("", |cell| cell.value.as_str());
        let gain = grades.get(document).copied().filter(|grade| *grade >= level).unwrap_or(0);
        Judgement {
            verdict: if gain > 0 { Verdict::Correct } else { Verdict::Incorrect },
            gain,
            rejected: rejected.contains(document),
            score: candidate.score.as_deref().and_then(Fraction::parse),
        }
    };
    let candidates = run.map_or(&[][..], |run| run.candidates.as_slice());
    let mut gold: Vec<u64> = grades.values().copied().filter(|grade| *grade >= level).collect();
    gold.sort_unstable_by(|a, b| b.cmp(a));
    Judged::new(candidates.iter().take(most).map(answer).collect(), gold, rejected.len() as u64)
}

/// The results of the questions that count: judged at the level of the run, and by gains.
fn results(run: Run, folder: &Path) -> BTreeMap<String, [QuestionResult; 2]> {
    let (qrels, answers) = (document(folder, run.qrels), document(folder, run.results));
    let of_run: BTreeMap<&str, &Question> =
        answers.questions.iter().map(|question| (question.id.as_str(), question)).collect();
    let counted =
        qrels.questions.iter().filter(|question| run.complete || of_run.contains_key(question.id.as_str()));
    let results = counted.map(|question| {
        let given = of_run.get(question.id.as_str()).copied();
        let of_level = |level| result(judged(given, question, level, run.most));
        (question.id.clone(), [of_level(run.level), of_level(1)])
    });
    results.collect()
}

/// Compares what `trec_eval` printed with what is computed here; gives the number of values, and the measures that
/// are not here.
fn compare(run: Run, folder: &Path) -> (usize, BTreeSet<String>) {
    let results = results(run, folder);
    let output = std::fs::read_to_string(folder.join(run.output)).expect("an output of trec_eval");
    let (mut compared, mut others, mut differences) = (0, BTreeSet::new(), Vec::new());
    for line in output.lines() {
        let [theirs, id, printed] = *line.split_whitespace().collect::<Vec<_>>() else {
            panic!("{}: {line}", run.output)
        };
        let Some(ours) = ours(theirs) else {
            others.insert(theirs.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').to_owned());
            continue;
        };
        let of = |kind: usize| -> Vec<&QuestionResult> {
            results.iter().filter(|(of, _)| id == "all" || *of == id).map(|(_, both)| &both[kind]).collect()
        };
        let value = match &ours {
            Ours::Questions => Some(Fraction::whole(of(0).len() as u64)),
            Ours::Metric(name) => metric(name, &of(0), *RULES).map(|value| value.value),
            Ours::Gain(name) => metric(name, &of(1), *RULES).map(|value| value.value),
        };
        let digits = if printed.contains('.') { 4 } else { 0 };
        let value = value.map(|value| value.to_fixed(digits));
        compared += 1;
        if value.as_deref() != Some(printed) {
            differences.push(format!("{}: {theirs} of {id}: {printed}, here {value:?}", run.output));
        }
    }
    assert_eq!(differences, [""; 0]);
    (compared, others)
}

fn folder() -> PathBuf {
    mirror().join(TEST)
}

#[track_caller]
fn p11(run: Run, values: usize) {
    let folder = folder();
    assert_eq!(compare(run, &folder).0, values, "as many values");
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_official_measures() {
    p11(DEFAULT, 29);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_all_measures() {
    p11(Run { output: "out.test.a", ..DEFAULT }, 51);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_every_question() {
    p11(Run { output: "out.test.aq", ..DEFAULT }, 198);
}

/// A question of the judgements that the run lacks counts with 0.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_questions_that_the_run_lacks() {
    p11(Run { output: "out.test.aqc", results: "results.trunc", complete: true, ..DEFAULT }, 198);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_the_first_hundred() {
    let run = Run { output: "out.test.aqcM", results: "results.trunc", complete: true, most: 100, ..DEFAULT };
    p11(run, 198);
}

/// Grades from 0 to 4, of which those from 2 are relevant; grades of 1 have a gain.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_grades() {
    p11(Run { output: "out.test.aql", qrels: "qrels.rel_level", level: 2, ..DEFAULT }, 198);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_other_cut_offs() {
    p11(Run { output: "out.test.meas_params", ..DEFAULT }, 68);
}

/// A run of 301 questions, of which 31 are judged, with 149 lines whose scores are tied.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_questions_without_judgements() {
    let run = Run {
        output: "out.comment.test",
        qrels: "qrels.comment.test",
        results: "results.comment.test",
        ..DEFAULT
    };
    p11(run, 29);
}

/// The profiles on the files of [`p11_questions_that_the_run_lacks`], whose means are over all questions: every value of
/// `all` that is a measure of the profile. No two scores there differ beyond 32 bits only, so that both are to be had.
fn p11_profile(profile: &str) {
    let [gold, run, output] =
        ["qrels.test", "results.trunc", "out.test.aqc"].map(|file| folder().join(file).display().to_string());
    let words = ["evaluate", &gold, &run, "--profile", profile, "--format", "json", "--no-archive"];
    let work = tempfile::tempdir().expect("a folder");
    let told = qassay(work.path(), words).json();
    let measures = &told["evaluations"][0]["experiments"]["QA"]["measures"];
    let mut compared = 0;
    for line in std::fs::read_to_string(output).expect("an output of trec_eval").lines() {
        let [theirs, "all", printed] = *line.split_whitespace().collect::<Vec<_>>() else { continue };
        let Some(Ours::Metric(name) | Ours::Gain(name)) = ours(theirs) else { continue };
        let Some(found) = measures[&name].as_f64() else { continue };
        let printed: f64 = printed.parse().expect("a number");
        assert!((found - printed).abs() < 0.000_051, "{theirs}: {printed}, here {name} {found}");
        compared += 1;
    }
    assert_eq!(compared, 47);
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_with_the_profiles() {
    for profile in ["trec", "trec-9"] {
        p11_profile(profile);
    }
}

/// What `trec_eval` measures too and qassay does not.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn p11_measures_that_are_not_here() {
    let folder = folder();
    let (_, others) = compare(Run { output: "out.test.aq", ..DEFAULT }, &folder);
    insta::assert_snapshot!(others.into_iter().collect::<Vec<_>>().join(" "), @"11pt_avg G Rndcg Rprec_mult_ binG gm_bpref infAP map_cut_ ndcg_rel num_nonrel_judged_ret rbp rbp_resid relative_P_ relstring runid set_F set_P set_map set_recall set_relative_P unj_ utility");
}
