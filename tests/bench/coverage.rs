//! How often 95 % intervals hold what they are about, and how often the randomisation test finds a difference that is not
//! there, and one that is: samples of questions from real systems, whose scores are the population.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

use qassay::base::parallel;
use qassay::measures::fraction::Fraction;
use qassay::statistics::flips::DrawnFlips;
use qassay::statistics::interval::Interval;
use qassay::statistics::matrix::Clustering;
use qassay::statistics::randomisation::randomisation;
use qassay::statistics::resample::replicates;
use qassay::statistics::sampled::Sampled;
use qassay::statistics::stream::{Purpose, Streams};
use qassay::statistics::undefined::Undefined;
use serde_json::Value;

use crate::comparison::QALD_8;
use crate::generate::Random;
use crate::{Effort, has_mirror, in_mirror, process, qassay};

/// Questions with languages, and the answers of two systems.
const DB25: (&str, [&str; 2]) = (
    "AKSW/text2sparql.aksw.org/*/docs/benchmark/db25_true_result_set.json",
    [
        "AKSW/text2sparql.aksw.org/*/docs/results/AIFB/db25_system_result_set.json",
        "AKSW/text2sparql.aksw.org/*/docs/results/INFAI/db25_system_result_set.json",
    ],
);

/// How many questions a sample has.
const SIZES: [usize; 3] = [25, 50, 150];

/// How many samples are drawn of a size; of them a share of .95 has a standard error of .0056.
const SAMPLES: u64 = 1500;

/// What the test may say by mistake.
const LEVEL: (u64, u64) = (5, 100);

/// The scores of systems, by name, question by question.
type Population = BTreeMap<String, Vec<Fraction>>;

/// Prints a row a system and size, then a row a pair and size.
pub(crate) fn print(effort: Effort, _scratch: &Path) -> Result<(), Box<dyn Error>> {
    if !has_mirror() {
        return Ok(());
    }
    // A tenth is enough to see that everything works.
    let samples = if effort.is_quick { SAMPLES / 10 } else { SAMPLES };
    let populations = [
        population(QALD_8.0, &QALD_8.1, &["AskNow", "gAnswer2", "QAKiS", "TeBaQA"], "qassay")?,
        population(DB25.0, &DB25.1, &["AIFB", "INFAI"], "text2sparql")?,
    ];
    println!("{samples} samples a row\n");
    println!("| system | n | F1 | BCa | without | exact match | Wilson |\n|---|--:|--:|--:|--:|--:|--:|");
    for (name, scores) in populations.iter().flatten() {
        for size in SIZES {
            values(name, scores, size, samples)?;
        }
    }
    println!(
        "\n| pair | n | difference | expanded | without | level | power |\n|---|--:|--:|--:|--:|--:|--:|"
    );
    for population in &populations {
        let systems: Vec<(&String, &Vec<Fraction>)> = population.iter().collect();
        for (at, one) in systems.iter().enumerate() {
            for other in &systems[at + 1..] {
                for size in SIZES {
                    differences([*one, *other], size, samples)?;
                }
            }
        }
    }
    Ok(())
}

/// What the program scores.
fn population(
    gold: &str,
    answers: &[&str],
    systems: &[&str],
    profile: &str,
) -> Result<Population, Box<dyn Error>> {
    let files: Option<Vec<PathBuf>> = [gold].iter().chain(answers).map(|path| in_mirror(path)).collect();
    let files = files.ok_or_else(|| format!("{gold} or answers to it are not in the mirror"))?;
    let mut command = qassay();
    command.arg("evaluate").args(files).args(systems.iter().flat_map(|system| ["--system", system]));
    command.args(["--profile", profile, "--experiment", "QA", "--no-archive", "--format", "json"]);
    let printed: Value = serde_json::from_str(&process::run(&mut command)?.1)?;
    let score = |question: &Value| Fraction::parse(&question["f1"].to_string());
    let of_system = |one: &Value| {
        let questions = one["experiments"]["QA"]["questions"].as_array()?;
        let scores = questions.iter().map(score).collect::<Option<Vec<_>>>()?;
        Some((one["system"].as_str()?.to_owned(), scores))
    };
    let found: Option<Population> =
        printed["evaluations"].as_array().and_then(|all| all.iter().map(of_system).collect());
    found.ok_or_else(|| "the printed evaluations have no scores".into())
}

/// What came of all samples.
#[derive(Debug, Default)]
struct Tally {
    /// Intervals that hold the value of the population.
    held: [usize; 2],
    /// Samples without interval.
    without: usize,
    /// Tests that find a difference.
    found: [usize; 2],
}

/// The questions of a sample, and the streams of a dataset that has them.
fn drawn(number: u64, size: usize, questions: usize) -> (Vec<usize>, Random, Streams) {
    let mut random = Random(number.wrapping_mul(0x9E37_79B9) + size as u64);
    let sample = (0..size).map(|_| below(&mut random, questions)).collect();
    (sample, random, Streams::of([format!("{number:064}")], ""))
}

fn below(random: &mut Random, end: usize) -> usize {
    usize::try_from(random.below(end as u64)).unwrap_or_default()
}

fn is_exact(score: &Fraction) -> bool {
    *score == Fraction::one()
}

fn mean(scores: &[Fraction]) -> Result<Sampled, Box<dyn Error>> {
    Ok(Sampled::mean(scores, &Clustering::single(scores.len())).map_err(Undefined::code)?)
}

fn holds(interval: &Interval, value: &Fraction) -> bool {
    interval.low <= *value && *value <= interval.high
}

/// The intervals of a system: of its mean, and of its share of exact matches.
fn values(name: &str, scores: &[Fraction], size: usize, samples: u64) -> Result<(), Box<dyn Error>> {
    let share = |scores: &[Fraction]| {
        let exact: Vec<bool> = scores.iter().map(is_exact).collect();
        Sampled::share(&exact, &Clustering::single(exact.len())).map_err(Undefined::code)
    };
    let (whole, whole_share) = (mean(scores)?, share(scores)?);
    let of_sample = |number: u64| {
        let (questions, _, streams) = drawn(number, size, scores.len());
        let sample: Vec<Fraction> = questions.iter().map(|question| scores[*question].clone()).collect();
        let mut tally = Tally::default();
        let (Ok(mean), Ok(share)) = (mean(&sample), share(&sample)) else { return tally };
        let resampled = replicates(&[&mean, &share], streams.stream(Purpose::Bootstrap));
        let intervals = [(&mean, &whole), (&share, &whole_share)];
        for (at, ((sample, whole), resampled)) in intervals.into_iter().zip(&resampled).enumerate() {
            match Interval::of_value(sample, resampled) {
                Ok(interval) => tally.held[at] = usize::from(holds(&interval, whole.value())),
                Err(_) => tally.without += 1,
            }
        }
        tally
    };
    let tallies = parallel::each((0..samples).collect(), of_sample);
    let [bca, wilson] = [0, 1].map(|at| tallies.iter().map(|tally| tally.held[at]).sum::<usize>());
    let without: usize = tallies.iter().map(|tally| tally.without).sum();
    println!(
        "| {name} | {size} | {} | {:.3} | {without} | {} | {:.3} |",
        whole.value().to_fixed(3),
        share_of(bca, samples),
        whole_share.value().to_fixed(3),
        share_of(wilson, samples),
    );
    Ok(())
}

/// The intervals of the difference of two systems, and the test: where names mean nothing, since they are exchanged at random,
/// and where they mean what they do.
fn differences(
    systems: [(&String, &Vec<Fraction>); 2],
    size: usize,
    samples: u64,
) -> Result<(), Box<dyn Error>> {
    let [(one, scores), (other, other_scores)] = systems;
    let whole = mean(scores)?.value() - mean(other_scores)?.value();
    let level = Fraction::ratio(LEVEL.0, LEVEL.1).unwrap_or_else(Fraction::zero);
    let of_sample = |number: u64| {
        let (questions, mut random, streams) = drawn(number, size, scores.len());
        let flips = DrawnFlips::of(streams.stream(Purpose::Flip), size);
        let mut tally = Tally::default();
        let pair = |exchange: &mut dyn FnMut() -> bool| {
            let (mut mine, mut theirs) = (Vec::new(), Vec::new());
            for question in &questions {
                let (first, second) = (scores[*question].clone(), other_scores[*question].clone());
                let (first, second) = if exchange() { (second, first) } else { (first, second) };
                mine.push(first);
                theirs.push(second);
            }
            Some([mean(&mine).ok()?, mean(&theirs).ok()?])
        };
        let both = [pair(&mut || random.below(2) == 1), pair(&mut || false)];
        for (found, samples) in tally.found.iter_mut().zip(&both) {
            let test = samples.as_ref().map(|[one, other]| randomisation(one, other, &flips));
            *found = usize::from(test.is_some_and(|test| test.p <= level));
        }
        let [_, Some([one, other])] = &both else { return tally };
        let resampled = replicates(&[one, other], streams.stream(Purpose::Bootstrap));
        match Interval::of_difference(one, [&resampled[0], &resampled[1]]) {
            Ok(interval) => tally.held[0] = usize::from(holds(&interval, &whole)),
            Err(_) => tally.without = 1,
        }
        tally
    };
    let tallies = parallel::each((0..samples).collect(), of_sample);
    let sum = |of: fn(&Tally) -> usize| tallies.iter().map(of).sum::<usize>();
    println!(
        "| {one} − {other} | {size} | {} | {:.3} | {} | {:.3} | {:.3} |",
        whole.to_fixed(3),
        share_of(sum(|tally| tally.held[0]), samples),
        sum(|tally| tally.without),
        share_of(sum(|tally| tally.found[0]), samples),
        share_of(sum(|tally| tally.found[1]), samples),
    );
    Ok(())
}

fn share_of(number: usize, samples: u64) -> f64 {
    number as f64 / samples as f64
}
