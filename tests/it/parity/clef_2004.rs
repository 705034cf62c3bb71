//! What the numbers printed for CLEF 2004 must fulfil, since no run file is public: J. Herrera, A. Peñas, F. Verdejo,
//! Question answering pilot task at CLEF 2004 (LNCS 3491, 2005), tables 1 and 2 and the runs that the text describes.

use crate::common::judged::{answer, measured, question, value};
use qassay::measures::fraction::Fraction;
use qassay::measures::judged::Verdict::{Correct, Incorrect};
use qassay::measures::result::QuestionResult;

/// Table 1: run, correct answers, %, rank, CWS and rank, K1 and rank, r. `-` is N/A. Names, ranks and N/A that the
/// scan has damaged (`fuhaO41dede`, `stnx042ptpt`, `39.41`, `5.14`, `NJ/A`) are written as in the other rows.
const TABLE_1: &str = "\
uams042nlnl 91 45.50 1 0.3262 2 0.0078 2 0.1148
uams041nlnl 88 44 2 0.2841 3 0.0063 3 0.0987
uams041ennl 70 35 3 0.2222 4 0.0055 4 0.1105
fuha041dede 67 33.50 4 0.3284 1 -0.3271 28 0.0094
aliv042eses 65 32.50 5 0.1449 8 -0.0416 15 0.1711
aliv041eses 63 31.50 6 0.1218 9 -0.0500 16 0.1099
irst041itit 56 28 7 0.1556 7 -0.1853 19 0.2128
talp042eses 52 26 8 0.1029 13 -0.2252 20 -0.0366
dfki041dede 51 25.50 9..10 - - 0 5..14 -
ilcp041itit 51 25.50 9..10 - - 0 5..14 -
gine042frfr 49 24.50 11 0.1140 11 -0.2748 23 -0.0339
talp041eses 48 24 12 0.0878 15 -0.2464 22 -0.0483
ptue041ptpt 47 23.62 13 0.2162 5 0.0201 1 0.5169
dfki041deen 47 23.50 14 0.1771 6 -0.5131 45 -0.0453
inao041eses 45 22.50 15..16 - - 0 5..14 -
irst041iten 45 22.50 15..16 0.1215 10 -0.2310 21 0.1411
irst042itit 44 22 17 0.1075 12 -0.3248 27 -0.0188
edin042fren 40 20 18 0.0589 21 -0.4066 38 0.0004
lire042fren 39 19.50 19 0.0754 17 -0.1738 18 0.3707
dltg041fren 38 19 20 - - 0 5..14 -
inao042eses 37 18.50 21 - - 0 5..14 -
irst042iten 35 17.50 22 0.0751 18 -0.3300 29 0.0566
edin042deen 34 17 23..25 0.0527 27 -0.3556 31 0.1124
gine042defr 34 17 23..25 0.0970 14 -0.2812 24 -0.0371
gine042esfr 34 17 23..25 0.0750 19 -0.3442 30 -0.0282
edin041fren 33 16.50 26 0.0570 22 -0.5336 46 -0.0560
dltg042fren 29 14.50 27..31 - - 0 5..14 -
gine041defr 29 14.50 27..31 0.0790 16 -0.3747 34 -0.0471
gine042itfr 29 14.50 27..31 0.0540 26 -0.3948 37 -0.0467
gine042nlfr 29 14.50 27..31 0.0650 20 -0.3682 33 -0.0507
gine042ptfr 29 14.50 27..31 0.0560 24..25 -0.3818 35 -0.0359
edin041deen 28 14 32 0.0492 30 -0.5515 47 -0.0077
gine041frfr 27 13.50 33..35 0.0480 32 -0.4425 41 0.0099
gine041esfr 27 13.50 33..35 0.0560 24..25 -0.4463 43 0.0991
gine042enfr 27 13.50 33..35 0.0510 29 -0.3184 25 -0.0336
bgas041bgen 26 13 36 0.0564 23 -0.3618 32 0.2023
gine041itfr 25 12.50 37..38 0.0490 31 -0.3926 36 -0.0368
gine041ptfr 25 12.50 37..38 0.0440 34..35 -0.4412 40 -0.0595
sfnx042ptpt 22 11.06 39..41 - - 0 5..14 -
cole041eses 22 11 39..41 - - 0 5..14 -
lire041fren 22 11 39..41 0.0330 38 -0.3200 26 0.2625
hels041fien 21 10.61 42 0.0443 33 -0.1136 17 0.0359
gine041nlfr 20 10 43 0.0440 34..35 -0.4438 42 -0.0369
mira041eses 18 9 44..45 - - 0 5..14 -
gine041enfr 18 9 44..45 0.0333 37 -0.4389 39 -0.0349
sfnx041ptpt 14 7.04 46 - - 0 5..14 -
gine041bgfr 13 6.50 47..48 0.0514 28 -0.5603 48 -0.0181
gine042bgfr 13 6.50 47..48 0.0380 36 -0.4945 44 0.0928
";

struct Row {
    run: &'static str,
    correct: u64,
    percent: &'static str,
    rank: &'static str,
    cws: Option<Fraction>,
    cws_rank: &'static str,
    k1: Fraction,
    k1_rank: &'static str,
    r: Option<Fraction>,
}

fn table_1() -> Vec<Row> {
    let row = |line: &'static str| {
        let [run, correct, percent, rank, cws, cws_rank, k1, k1_rank, r] =
            line.split(' ').collect::<Vec<_>>().try_into().unwrap();
        let correct = correct.parse().unwrap();
        let [cws, r] = [cws, r].map(Fraction::parse);
        let k1 = Fraction::parse(k1).unwrap();
        Row { run, correct, percent, rank, cws, cws_rank, k1, k1_rank, r }
    };
    TABLE_1.lines().map(row).collect()
}

/// A run with one answer to each question and one correct answer known: the correct ones first, with their
/// confidence, then the incorrect ones with theirs.
fn run(correct: u64, score: &str, incorrect: u64, score_of_incorrect: &str) -> Vec<QuestionResult> {
    let right = (0..correct).map(|_| question(1, vec![answer(Correct, score)]));
    right.chain((0..incorrect).map(|_| question(1, vec![answer(Incorrect, score_of_incorrect)]))).collect()
}

fn ratio(part: u64, whole: u64) -> Fraction {
    Fraction::ratio(part, whole).unwrap()
}

/// With as many digits as are printed, without the zeros that the tables leave out.
fn percent(share: &Fraction, digits: u32) -> String {
    let text = (share * &Fraction::whole(100)).to_fixed(digits);
    text.strip_suffix(".00").unwrap_or(&text).to_owned()
}

/// The questions of a run that its percentage is of. Four runs were of fewer than 200: the three that answered in
/// Portuguese of 199, the one that asked in Finnish of 198. No other number of questions from 150 to 250 gives what
/// is printed.
fn questions(run: &str) -> u64 {
    match &run[..7] {
        "ptue041" | "sfnx041" | "sfnx042" => 199,
        "hels041" => 198,
        _ => 200,
    }
}

#[test]
fn percentages_are_correct_answers_of_200_questions() {
    let rows = table_1();
    assert_eq!(rows.len(), 48);
    for row in &rows {
        let possible: Vec<u64> =
            (150..=250).filter(|number| percent(&ratio(row.correct, *number), 2) == row.percent).collect();
        assert_eq!(possible, [questions(row.run)], "{}: {} is {} %", row.run, row.correct, row.percent);
    }
    assert_eq!(rows.iter().filter(|row| questions(row.run) != 200).count(), 4);
}

/// The rank of a value as the table prints it: `9..10` for two that share the ninth place.
fn rank<T: Ord>(value: &T, all: &[&T]) -> String {
    let (above, equal) = (
        all.iter().filter(|other| **other > value).count(),
        all.iter().filter(|other| **other == value).count(),
    );
    if equal == 1 { (above + 1).to_string() } else { format!("{}..{}", above + 1, above + equal) }
}

#[test]
fn rankings_follow_from_the_values() {
    let rows = table_1();
    let correct: Vec<&u64> = rows.iter().map(|row| &row.correct).collect();
    let k1: Vec<&Fraction> = rows.iter().map(|row| &row.k1).collect();
    let cws: Vec<&Fraction> = rows.iter().filter_map(|row| row.cws.as_ref()).collect();
    for row in &rows {
        match row.run {
            // 47 of 199 is before 47 of 200. The table does not do so for 22 of 199 and 22 of 200 (39..41).
            "ptue041ptpt" | "dfki041deen" => assert_eq!(rank(&row.correct, &correct), "13..14"),
            _ => assert_eq!(rank(&row.correct, &correct), row.rank, "{}", row.run),
        }
        assert_eq!(rank(&row.k1, &k1), row.k1_rank, "{}", row.run);
        let found = row.cws.as_ref().map_or("-".to_owned(), |value| rank(value, &cws));
        assert_eq!(found, row.cws_rank, "{}", row.run);
    }
}

/// N/A is said of the same ten runs for CWS and r, and these have K1 = 0: all their confidences are 0. So do the
/// measures say of such a run.
#[test]
fn all_zeros_have_k1_of_zero_and_neither_cws_nor_r() {
    let rows = table_1();
    let zero: Vec<&Row> = rows.iter().filter(|row| row.k1.is_zero()).collect();
    assert_eq!(zero.len(), 10);
    for row in &rows {
        assert_eq!((row.cws.is_none(), row.r.is_none()), (row.k1.is_zero(), row.k1.is_zero()), "{}", row.run);
    }
    for row in zero {
        let run = run(row.correct, "0", questions(row.run) - row.correct, "0.0");
        for name in ["kMeasure", "k1Measure"] {
            assert_eq!(value(name, &run), Some(Fraction::zero()), "{name}");
        }
        assert_eq!(value("confidenceWeightedScore", &run), None);
        assert_eq!(value("selfScoreCorrelation", &run), None);
    }
}

/// K1 and CWS of a row are between those of the worst and the best self-score with its number of correct answers.
#[test]
fn values_are_possible_with_so_many_correct_answers() {
    for row in table_1() {
        let incorrect = questions(row.run) - row.correct;
        let best = run(row.correct, "1", incorrect, "0");
        let worst = run(row.correct, "0", incorrect, "1");
        let between = |name: &str, printed: &Fraction| {
            value(name, &worst).unwrap() <= *printed && *printed <= value(name, &best).unwrap()
        };
        assert!(between("k1Measure", &row.k1), "{}", row.run);
        let cws = row.cws.as_ref();
        assert!(cws.is_none_or(|cws| between("confidenceWeightedScore", cws)), "{}", row.run);
        assert!(row.r.is_none_or(|r| r.absolute() <= Fraction::one()), "{}", row.run);
    }
}

#[test]
fn a_perfect_self_score() {
    for correct in [1, 20, 43, 91, 199] {
        let run = run(correct, "1", 200 - correct, "0");
        assert_eq!(value("selfScoreCorrelation", &run), Some(Fraction::one()));
        assert_eq!(value("k1Measure", &run), Some(ratio(correct, 200)));
        assert_eq!(value("kMeasure", &run), Some(ratio(correct, 200)));
        assert_eq!(value("expectedCalibrationError", &run), Some(Fraction::zero()));
        assert_eq!(value("brierScore", &run), Some(Fraction::zero()));
        assert_eq!(value("coverageAtPrecision100", &run), Some(ratio(correct, 200)));
    }
    let wrong_way = run(20, "0", 180, "1");
    assert_eq!(value("selfScoreCorrelation", &wrong_way).unwrap().to_decimal(), "-1");
    assert_eq!(value("k1Measure", &wrong_way).unwrap().to_decimal(), "-0.9");
}

/// NIL to every question, with the same confidence: right where the question has no answer, 20 of 200 in the main task.
#[test]
fn all_nil() {
    let sure = run(20, "1", 180, "1");
    assert_eq!(value("k1Measure", &sure).unwrap().to_decimal(), "-0.8");
    assert_eq!(value("selfScoreCorrelation", &sure), None);
    // All are tied: the order of the questions decides, and here it is the best one.
    let score = measured("confidenceWeightedScore", &sure).unwrap();
    let ties = score.ties.unwrap();
    assert_eq!(score.value, ties.best);
    assert_eq!(Some(ties.worst), value("confidenceWeightedScore", &run(20, "0", 180, "1")));
    // 41 NIL with confidence 0 and none of them right, as in the pilot run: nothing gained and nothing lost.
    assert_eq!(value("kMeasure", &run(0, "0", 41, "0")), Some(Fraction::zero()));
}

/// To beat K1 = 0.218, a system with a perfect self-score needs more than 43 of 200 correct answers: 43 give 0.215.
/// The paper says "more than 40 questions (20%)", which is true and not sharp.
#[test]
fn the_threshold_of_fuha041dede() {
    let beats = |correct: &u64| {
        let run = run(*correct, "1", 200 - correct, "0");
        value("k1Measure", &run) > Fraction::parse("0.218")
    };
    assert_eq!((0..=200).find(beats), Some(44));
    assert_eq!((0..=200).filter(beats).count(), 157);
    // 67 of its answers are correct, 20 of them NIL: without these 0.218 is possible, but not without its best.
    assert!(ratio(67 - 20, 200) > Fraction::parse("0.218").unwrap());
}

/// Table 2: type, questions, distinct answers, given answers, questions with a correct answer and their share, correct
/// answers, recall, precision, K, r.
const TABLE_2: &str = "\
Definition 2 3 2 0 0 0 0 0 0 -
Factoid 18 26 42 4 22.22 5 19.23 11.9 -0.029 -0.089
List 20 191 55 4 20 6 3.14 10.9 -0.070 0.284
Date 20 20 30 2 10 2 10 6.67 -0.019 -
Event 20 20 42 2 10 2 10 4.76 -0.024 0.255
Period 20 20 29 3 15 3 15 10.3 -0.003 0.648
Total 100 280 200 15 15 18 6.43 9 -0.086 0.246
";

/// A run with the counts of a row: the first of the questions have one correct answer each, and the first of all has
/// what is over.
fn run_with(
    questions: usize,
    known: usize,
    given: usize,
    with_correct: usize,
    correct: usize,
) -> Vec<QuestionResult> {
    let of = |at: usize| {
        let over = |all: usize, each: usize| if at == 0 { all - each } else { 0 };
        let right = usize::from(at < with_correct) + over(correct, with_correct);
        let wrong = over(given, correct);
        let answers = [vec![answer(Correct, "0.5"); right], vec![answer(Incorrect, "0.25"); wrong]].concat();
        question(right + over(known, correct), answers)
    };
    (0..questions).map(of).collect()
}

#[test]
fn recall_and_precision_follow_from_the_counts() {
    for line in TABLE_2.lines() {
        let cells: Vec<&str> = line.split(' ').collect();
        let count = |at: usize| cells[at].parse::<usize>().unwrap();
        let run = run_with(count(1), count(2), count(3), count(4), count(6));
        let shown = |name: &str| value(name, &run).unwrap().to_decimal();
        assert_eq!(shown("questionCount"), cells[1], "{line}");
        assert_eq!(shown("distinctGoldCount"), cells[2], "{line}");
        assert_eq!(shown("givenAnswerCount"), cells[3], "{line}");
        assert_eq!(shown("questionsWithCorrectCount"), cells[4], "{line}");
        assert_eq!(shown("correctAnswerCount"), cells[6], "{line}");
        let digits =
            |cell: &str| cell.split_once('.').map_or(2, |(_, digits)| u32::try_from(digits.len()).unwrap());
        let share = ratio(cells[4].parse().unwrap(), cells[1].parse().unwrap());
        assert_eq!(percent(&share, digits(cells[5])), cells[5], "{line}");
        for (name, cell) in [("answerRecall", cells[7]), ("answerPrecision", cells[8])] {
            assert_eq!(percent(&value(name, &run).unwrap(), digits(cell)), cell, "{name}: {line}");
        }
    }
}

#[test]
fn totals_are_sums() {
    let rows: Vec<Vec<&str>> = TABLE_2.lines().map(|line| line.split(' ').collect()).collect();
    let (total, types) = rows.split_last().unwrap();
    for column in [1, 2, 3, 4, 6] {
        let sum: u64 = types.iter().map(|row| row[column].parse::<u64>().unwrap()).sum();
        assert_eq!(sum.to_string(), total[column], "column {column}");
    }
}

/// K is a mean over questions, so that K of all is the mean of the K of the types, weighted by their questions. With
/// the printed digits of the types that is from −0.0289 to −0.0279. The table and the text say −0.086 for all: that
/// does not follow from formula 1 and the other rows, and qassay does not make it so.
#[test]
fn k_of_all_types_is_not_what_is_printed() {
    let rows: Vec<Vec<&str>> = TABLE_2.lines().map(|line| line.split(' ').collect()).collect();
    let (total, types) = rows.split_last().unwrap();
    let weighted: Vec<Fraction> = types
        .iter()
        .map(|row| &Fraction::parse(row[1]).unwrap() * &Fraction::parse(row[9]).unwrap())
        .collect();
    let mean = Fraction::sum(&weighted).over(&Fraction::whole(100)).unwrap();
    assert_eq!(mean.to_decimal(), "-0.02842");
    assert_eq!(total[9], "-0.086");
    // What qassay computes is consistent in this way.
    let types = [run_with(18, 26, 42, 4, 5), run_with(20, 191, 55, 4, 6), run_with(20, 20, 29, 3, 3)];
    let weighted =
        types.iter().map(|run| &Fraction::whole(run.len() as u64) * &value("kMeasure", run).unwrap());
    let mean = Fraction::sum(&weighted.collect::<Vec<_>>()).over(&Fraction::whole(58));
    assert_eq!(value("kMeasure", &types.concat()), mean);
}
