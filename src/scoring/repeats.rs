//! What a submission repeats: gold queries, stated answer types and answers given back as they stand in the gold file; and
//! answers that end at a round number of rows, or give rows beside a boolean. All are facts with counts: whoever reads the numbers judges them.

use std::cmp::Ordering;

use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::text::counted;
use crate::scoring::cases::Cases;
use crate::sources::document::{AnswerState, Cell, Query, QueryKind, Question};
use crate::sources::input::answer::{LabelColumns, answer_type, inferred_type};

/// How many questions must say the same before anything is told: of fewer, a good system may well give the same.
const LEAST: usize = 10;

/// How many answers with an order of their own must stand in the order of the gold file.
const LEAST_ORDERED: usize = 5;

/// How many items give an answer an order that chance does not: one in 24 lists of four is in it.
const LEAST_ITEMS: usize = 4;

/// The numbers of rows at which servers and systems cut answers.
const LIMITS: [usize; 3] = [100, 1_000, 10_000];

/// What a submission repeats of its gold file, and where it ends too early. A file against itself repeats everything:
/// nothing is told of it.
pub(crate) fn issues(cases: &Cases) -> Vec<Issue> {
    if cases.dataset.source.sha256() == cases.submission.source.sha256() {
        return Vec::new();
    }
    let gold = &cases.dataset.document.questions;
    let pairs: Vec<(&Question, &Question)> = (gold.iter().zip(&cases.alignment.answers))
        .filter_map(|(gold, answer)| Some((gold, cases.submission.document.questions.get((*answer)?)?)))
        .collect();
    let queries = queries(&pairs);
    let answers = answers(&pairs, queries.is_some());
    let told = [
        (IssueCode::RepeatsGoldQueries, queries),
        (IssueCode::RepeatsGoldTypes, types(&pairs)),
        (IssueCode::RepeatsGoldAnswers, answers),
        (IssueCode::AnswersCut, cut(&pairs)),
        (IssueCode::AnswersOfTwoKinds, of_two_kinds(&pairs)),
    ];
    let issue = |(code, told): (IssueCode, Option<String>)| Some(Issue::new(code, &Place::default(), told?));
    told.into_iter().filter_map(issue).collect()
}

/// Whether nearly all are so: nineteen of twenty.
fn nearly_all(some: usize, all: usize) -> bool {
    some * 20 >= all * 19
}

/// Queries word for word: two writers of one query choose other variables, prefixes and spaces.
fn queries(pairs: &[(&Question, &Question)]) -> Option<String> {
    let texts = |question: &Question| -> Vec<String> {
        let sparql = |query: &&Query| query.kind == QueryKind::Sparql;
        question.queries.iter().filter(sparql).map(|query| query.text.trim().to_owned()).collect()
    };
    let (mut same, mut both) = (0, 0);
    for (gold, given) in pairs {
        let (gold, given) = (texts(gold), texts(given));
        both += usize::from(!gold.is_empty() && !given.is_empty());
        same += usize::from(gold.iter().any(|query| given.contains(query)));
    }
    let message = format!(
        "the queries of {same} of {both} questions are those of the gold file, letter by letter: what is computed from queries (C2KB, P2KB, RE2KB, AIT2KB) compares the gold file with itself there"
    );
    (same >= LEAST && nearly_all(same, both)).then_some(message)
}

/// Stated answer types that are those of the gold file, also where the answer is none or another: who answers a number
/// states that.
fn types(pairs: &[(&Question, &Question)]) -> Option<String> {
    let stated: Vec<&(&Question, &Question)> = pairs
        .iter()
        .filter(|(gold, given)| gold.answer_type.is_some() && given.answer_type.is_some())
        .collect();
    let is_same = |(gold, given): &&&(&Question, &Question)| gold.answer_type == given.answer_type;
    let is_free = |(_, given): &&&(&Question, &Question)| {
        let inferred = || inferred_type(given, LabelColumns::Labels);
        given.answers.state != AnswerState::Given || inferred() != answer_type(given)
    };
    let same = stated.iter().filter(is_same).count();
    let free = stated.iter().filter(is_same).filter(is_free).count();
    let message = format!(
        "the stated answer types of {same} of {} are those of the gold file, in {free} of them beside no answer or one of another type: AT says nothing about the system there",
        counted(stated.len(), "question")
    );
    (same >= LEAST && nearly_all(same, stated.len()) && free * 10 >= same).then_some(message)
}

/// The cells of the answers of a question.
fn cells(question: &Question) -> impl Iterator<Item = &Cell> {
    question.answers.sets.iter().flat_map(|set| &set.rows).flat_map(|row| &row.cells)
}

/// Whether two cells have the same value as it is written, with kind, language and datatype.
fn is_written_alike(one: &Cell, other: &Cell) -> bool {
    (one.kind, &one.value, &one.datatype, &one.language)
        == (other.kind, &other.value, &other.datatype, &other.language)
}

/// Whether the values of an answer are sorted as they are written, up or down.
fn is_sorted(question: &Question) -> bool {
    cells(question).is_sorted_by(|one, other| order(one, other).is_le())
        || cells(question).is_sorted_by(|one, other| order(one, other).is_ge())
}

/// The order of two cells as they are written.
fn order(one: &Cell, other: &Cell) -> Ordering {
    // Nearly always two bytes of the values decide.
    let bytes = one.value.bytes().zip(other.value.bytes());
    if let Some((one, other)) = bytes.filter(|_| one.kind == other.kind).find(|(one, other)| one != other) {
        return one.cmp(&other);
    }
    let written =
        |cell: &Cell| format!("{:?} {} {:?} {:?}", cell.kind, cell.value, cell.datatype, cell.language);
    written(one).cmp(&written(other))
}

/// Answers item for item in the order of the gold file. Order tells only where it is no sorted one, and where there are
/// enough items; the others of the submission must be those of the gold file too. Where the queries are those of the gold file letter by
/// letter, equal answers are enough.
fn answers(pairs: &[(&Question, &Question)], repeats_queries: bool) -> Option<String> {
    let (mut same, mut given_answers, mut ordered, mut in_order) = (0, 0, 0, 0);
    for (gold, given) in pairs {
        if given.answers.state != AnswerState::Given {
            continue;
        }
        let [gold_items, items] = [gold, given].map(|question| cells(question).count());
        let booleans = |question: &Question| -> Vec<Option<bool>> {
            question.answers.sets.iter().map(|set| set.boolean).collect()
        };
        given_answers += 1;
        let is_same = gold_items == items
            && cells(gold).zip(cells(given)).all(|(one, other)| is_written_alike(one, other))
            && booleans(gold) == booleans(given);
        same += usize::from(is_same);
        if gold_items.min(items) >= LEAST_ITEMS && !is_sorted(gold) {
            ordered += 1;
            in_order += usize::from(is_same);
        }
    }
    let message = format!(
        "the answers to {same} of {} are those of the gold file item for item, {in_order} of {} of {LEAST_ITEMS} or more items in its order",
        counted(given_answers, "answered question"),
        counted(ordered, "list")
    );
    let is_ordered = same >= 2 * LEAST && in_order >= LEAST_ORDERED && nearly_all(in_order, ordered);
    let is_told = is_ordered || (repeats_queries && same >= LEAST);
    (is_told && nearly_all(same, given_answers)).then_some(message)
}

/// Answers of exactly a round number of rows, where none has more, and the gold answers have another number.
fn cut(pairs: &[(&Question, &Question)]) -> Option<String> {
    let rows =
        |question: &Question| -> usize { question.answers.sets.iter().map(|set| set.rows.len()).sum() };
    let most = pairs.iter().map(|(_, given)| rows(given)).max()?;
    LIMITS.iter().find(|limit| **limit == most)?;
    let cut: Vec<&Question> = pairs
        .iter()
        .filter(|(gold, given)| rows(given) == most && rows(gold) != most)
        .map(|(_, given)| *given)
        .collect();
    let message = format!(
        "{} exactly {most} rows, and none has more (the first: question {}): were they cut there?",
        if cut.len() == 1 { "1 answer has".to_owned() } else { format!("{} answers have", cut.len()) },
        cut.first()?.key
    );
    (cut.len() >= if most == LIMITS[0] { 2 } else { 1 }).then_some(message)
}

/// Answers that give rows beside a boolean: which of them is meant, nobody can tell.
fn of_two_kinds(pairs: &[(&Question, &Question)]) -> Option<String> {
    let has_both = |question: &Question| {
        let sets = &question.answers.sets;
        sets.iter().any(|set| set.boolean.is_some()) && sets.iter().any(|set| !set.rows.is_empty())
    };
    let mut given = pairs.iter().map(|(_, given)| *given).filter(|given| has_both(given));
    let first = given.next()?;
    Some(format!(
        "{} rows beside a boolean (the first: question {}): the rows count, and the boolean only in profiles that count all values",
        match 1 + given.count() {
            1 => "1 answer gives".to_owned(),
            several => format!("{several} answers give"),
        },
        first.key
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::base::iri::Mint;
    use crate::sources::document::CellKind;
    use crate::sources::file::source::Source;
    use crate::sources::input::Input;

    /// A file of some questions: id, answer type, query, values.
    fn file(questions: impl Iterator<Item = (usize, &'static str, String, Vec<String>)>) -> String {
        let question = |(id, kind, query, values): (usize, &str, String, Vec<String>)| {
            let rows: Vec<String> = values
                .iter()
                .map(|value| format!(r#"{{"x": {{"type": "literal", "value": "{value}"}}}}"#))
                .collect();
            format!(
                r#"{{"id": "{id}", "answertype": "{kind}", "question": [], "query": {{"sparql": "{query}"}},
                    "answers": [{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{}]}}}}]}}"#,
                rows.join(",")
            )
        };
        let questions: Vec<String> = questions.map(question).collect();
        format!(r#"{{"questions": [{}]}}"#, questions.join(","))
    }

    fn told(gold: &str, answers: &str) -> Vec<&'static str> {
        let mint = Mint::default();
        let source = |text: &str| Source::from_bytes("x.json", text.as_bytes().to_vec()).unwrap();
        let gold = Arc::new(Input::dataset(source(gold), &mint).unwrap());
        let answers = Input::submission(source(answers), None, &mint).unwrap();
        issues(&Cases::of_same(gold, answers)).iter().map(|issue| issue.code.name()).collect()
    }

    /// Five letters in an order that is nobody's, other ones in each question.
    fn letters(id: usize) -> Vec<String> {
        [3, 1, 4, 0, 2].map(|letter| format!("{id}-{letter}")).to_vec()
    }

    fn gold(number: usize) -> String {
        file((0..number).map(|id| (id, "resource", format!("ASK {{ ?a <u:{id}> ?b }}"), letters(id))))
    }

    #[test]
    fn what_is_given_back_is_told() {
        let given =
            file((0..20).map(|id| (id, "resource", format!("ASK {{ ?a <u:{id}> ?b }}"), letters(id))));
        let answers = given.replacen('{', "{\"dataset\": {\"id\": \"x\"},", 1);
        assert_eq!(
            told(&gold(20), &answers),
            ["repeats-gold-queries", "repeats-gold-types", "repeats-gold-answers"]
        );
        // with the queries of the gold file fewer answers tell it, in any order
        let few = |number: usize| gold(number).replace("-3\"", "-0\"");
        let copied = few(10).replacen('{', "{\"dataset\": {\"id\": \"x\"},", 1);
        assert_eq!(
            told(&few(10), &copied),
            ["repeats-gold-queries", "repeats-gold-types", "repeats-gold-answers"]
        );
        // a file against itself, and a few questions
        assert_eq!(told(&gold(20), &gold(20)), [""; 0]);
        assert_eq!(told(&gold(9), &gold(9).replacen('{', "{\"dataset\": {},", 1)), [""; 0]);
    }

    /// All is right, and nothing is repeated: another order, own queries, types that the answers have.
    #[test]
    fn a_perfect_system_repeats_nothing() {
        let own = |id: usize| {
            let mut values = letters(id);
            values.rotate_left(1 + id % 4);
            (id, "string", format!("ASK {{ ?x <u:{id}> ?y }}"), values)
        };
        let gold = gold(20).replace("resource", "string");
        assert_eq!(told(&gold, &file((0..20).map(own))), [""; 0]);
        // in sorted lists, any order that is sorted is that of the gold file
        let sorted = |query: &'static str| {
            file((0..20).map(move |id| {
                let mut values = letters(id);
                values.sort();
                (id, "string", format!("ASK {{ ?{query} <u:{id}> ?y }}"), values)
            }))
        };
        assert_eq!(told(&sorted("a"), &sorted("b")), [""; 0]);
    }

    #[test]
    fn round_numbers_of_rows_are_told() {
        let rows = |id: usize, number: usize| {
            let values = (0..number).map(|row| format!("{id}-{row}")).collect();
            (id, "string", format!("ASK {{ ?q{number} <u:{id}> ?y }}"), values)
        };
        let gold = file([rows(1, 150), rows(2, 100), rows(3, 2000), rows(4, 1)].into_iter());
        let of = |numbers: [usize; 4]| {
            told(&gold, &file(numbers.into_iter().zip(1..).map(|(number, id)| rows(id, number))))
        };
        assert_eq!(of([100, 100, 100, 1]), ["answers-cut"]);
        assert_eq!(of([100, 100, 1000, 1]), ["answers-cut"]);
        assert_eq!(of([100, 100, 50, 1]), [""; 0], "one only, and one that is so in the gold file");
        assert_eq!(of([100, 100, 101, 1]), [""; 0]);
    }

    #[test]
    fn rows_beside_booleans_are_told() {
        let gold = gold(2);
        let given = |beside: &str| gold.replacen("\"head\"", &format!("{beside}\"head\""), 1);
        assert_eq!(told(&gold, &given("\"boolean\": true, ")), ["answers-of-two-kinds"]);
        assert_eq!(told(&gold, &given("\"x\": true, ")), [""; 0]);
    }

    #[test]
    fn cells_are_in_the_order_of_what_is_written() {
        let cell = |value: &str, language: Option<&str>| Cell {
            value: value.to_owned(),
            language: language.map(str::to_owned),
            ..Cell::default()
        };
        let uri = Cell { kind: CellKind::Uri, ..cell("a", None) };
        let all = [
            cell("a", None),
            cell("a", Some("en")),
            cell("a b", None),
            cell("a!", None),
            cell("b", None),
            uri,
        ];
        for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other))) {
            let written = |cell: &Cell| {
                format!("{:?} {} {:?} {:?}", cell.kind, cell.value, cell.datatype, cell.language)
            };
            assert_eq!(order(one, other), written(one).cmp(&written(other)), "{one:?} {other:?}");
        }
    }
}
