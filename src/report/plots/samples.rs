//! Comparisons for tests: with numbers that follow from the place of a system, and are compared with nothing.

use crate::measures::fraction::Fraction;
use crate::record::comparison::across::SystemComparison;
use crate::record::comparison::meant::Caution;
use crate::record::comparison::risk::ComparedRisk;
use crate::record::comparison::settings::{ClusterUnit, ComparisonSettings};
use crate::record::comparison::{
    ComparedEffect, ComparedEnsembles, ComparedInterval, ComparedItem, ComparedPair, ComparedSet,
    ComparedSystem, ComparedTable, ComparedTest, OwnQuestions, TableKey,
};
use crate::record::results::decimal::Decimal;
use crate::statistics::interval::IntervalMethod;
use crate::statistics::randomisation::Computation;
use crate::statistics::risk::RatedQuestion;
use crate::statistics::undefined::Undefined;

fn decimal(over: i128, under: i128) -> Decimal {
    Decimal::of(&Fraction::quotient(over, under).unwrap())
}

fn thousandths(number: usize) -> Decimal {
    decimal(number as i128, 1000)
}

/// Some tables, compared.
pub(crate) fn comparison(tables: Vec<ComparedTable>) -> SystemComparison {
    SystemComparison {
        key: "0123456789abcdef0123456789abcdef".to_owned(),
        settings: ComparisonSettings::default(),
        evaluations: vec!["https://w3id.org/qassay/evaluation/1".to_owned()],
        tables,
        over_datasets: Vec::new(),
        drift: Vec::new(),
        profiles: Vec::new(),
    }
}

/// The value of a system in thousandths: the first is the best.
fn value(at: usize, systems: usize) -> usize {
    100 + 800 * (systems - at) / systems
}

/// A table of systems, of which the first is the best.
pub(crate) fn table(names: &[&str], questions: usize, dataset: &str) -> ComparedTable {
    let count = names.len();
    let interval = |low: usize, high: usize| ComparedInterval {
        low: thousandths(low),
        high: thousandths(high),
        method: IntervalMethod::Bca,
    };
    let system = |(at, name): (usize, &&str)| {
        let value = value(at, count);
        let mut ranks = vec![0; count];
        ranks[at] = 9000;
        ranks[(at + 1) % count] += 999;
        ComparedSystem {
            system: (*name).to_owned(),
            evaluation: format!("https://w3id.org/qassay/evaluation/{at}"),
            value: Some(thousandths(value)),
            common_value: Some(thousandths(value)),
            interval: Some(interval(value - 50, value + 60)),
            no_interval: None,
            missing: 0,
            failed: 0,
            rank: Some(at + 1),
            significance_rank: Some(at + 1),
            ranks,
            rank_range: Some([at + 1, (at + 2).min(count)]),
            letters: Some(letters(at, count)),
            cautions: Vec::new(),
            own: OwnQuestions { scored: questions, missing: 0, failed: 0, left_out: 0 },
        }
    };
    let pairs = (0..count).flat_map(|one| (one + 1..count).map(move |other| [one, other]));
    let pair = |[one, other]: [usize; 2]| {
        let difference = value(one, count) as i128 - value(other, count) as i128;
        ComparedPair {
            a: names[one].to_owned(),
            b: names[other].to_owned(),
            difference: decimal(difference, 1000),
            interval: Some(ComparedInterval {
                low: decimal(difference - 70, 1000),
                high: decimal(difference + 80, 1000),
                method: IntervalMethod::Expanded,
            }),
            no_interval: None,
            test: ComparedTest {
                computation: Computation::Sampled,
                differing: questions,
                p: decimal(1, 100_000),
                adjusted: decimal(1, 1000),
                significant: difference > 70,
            },
            family_size: count * (count - 1) / 2,
            effect: Some(ComparedEffect {
                wins: questions,
                ties: 0,
                losses: 0,
                dominance: decimal(1, 1),
                standardised: None,
                detectable: Some(decimal(1, 10)),
            }),
        }
    };
    let grown = |size: usize| ComparedSet {
        value: thousandths(900 + 90 * size / count),
        systems: names[..size].iter().map(|name| (*name).to_owned()).collect(),
    };
    ComparedTable {
        key: TableKey {
            dataset: dataset.to_owned(),
            dataset_version: format!("https://w3id.org/qassay/dataset/{dataset}/1"),
            profile: "qassay".to_owned(),
            profile_version: "https://w3id.org/qassay/code#profile-qassay-4".to_owned(),
            options: Vec::new(),
            experiment: "QA".to_owned(),
            measure: "macroF1".to_owned(),
            gold: "curated".to_owned(),
            refreshed: None,
        },
        gold_sha256: "0".repeat(64),
        lower_is_better: false,
        questions,
        cluster: ClusterUnit::Question,
        clusters: questions,
        left_out: Vec::new(),
        systems: names.iter().enumerate().map(system).collect(),
        baseline: None,
        pairs: pairs.map(pair).collect(),
        no_pairs: (count < 2).then_some(Undefined::OneSystem),
        ensembles: (count > 1).then(|| ComparedEnsembles {
            best: (count <= 20).then(|| (1..=count).map(grown).collect()),
            greedy: (1..=count).map(grown).collect(),
            without: Vec::new(),
            gains: Vec::new(),
        }),
        items: (0..questions).map(|question| item(question, count)).collect(),
        risk: names.iter().enumerate().filter_map(|(at, name)| risk(name, at, questions)).collect(),
        groups: None,
    }
}

/// Neighbours cannot be told apart.
fn letters(at: usize, count: usize) -> String {
    let letter = |number: usize| char::from(b'a' + u8::try_from(number % 26).unwrap());
    let second = (at + 1 < count.min(26)).then(|| letter(at));
    at.checked_sub(1).map(letter).into_iter().chain(second).collect()
}

fn item(question: usize, systems: usize) -> ComparedItem {
    let score = |system: usize| match (question * 7 + system * 3) % 5 {
        _ if question % 4 == 3 => 0,
        0 => 0,
        1 => 300,
        2 => 600,
        _ => 1000,
    };
    let scores: Vec<usize> = (0..systems).map(score).collect();
    ComparedItem {
        question: question.to_string(),
        difficulty: decimal(scores.iter().sum::<usize>() as i128, 1000 * systems as i128),
        discrimination: None,
        scores: scores.into_iter().map(thousandths).collect(),
    }
}

/// Each system is silent about some questions, and surer of those that are answered well.
fn risk(name: &str, system: usize, questions: usize) -> Option<ComparedRisk> {
    let rated = |question: usize| {
        let sure = (question * 5 + system * 3) % 11;
        let score = (sure + question % 3) as u64;
        RatedQuestion {
            confidence: ((question + system) % 7 != 1).then(|| thousandths(sure * 90).fraction()),
            score: Fraction::ratio(score, 12).unwrap(),
        }
    };
    ComparedRisk::of(name, &(0..questions).map(rated).collect::<Vec<_>>())
}

/// A value means something else than it seems to.
pub(super) fn warn_of(table: &mut ComparedTable, name: &str, code: &str, reason: &str) {
    for system in table.systems.iter_mut().filter(|system| system.system == name) {
        system.cautions = vec![Caution { code: code.to_owned(), reason: reason.to_owned() }];
        (system.rank, system.significance_rank, system.letters) = (None, None, None);
        (system.ranks, system.rank_range) = (Vec::new(), None);
    }
}
