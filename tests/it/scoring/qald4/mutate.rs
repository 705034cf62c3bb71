//! Submissions made from the gold standards of QALD-4 by changing their text, with the precision and recall that each
//! question must have. The text is cut at its tags and put together again: no reader of qassay is asked.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use qassay::measures::fraction::Fraction;

/// A gold standard of QALD-4, cut into its questions.
pub(crate) struct Gold {
    /// The questions in the order of the file.
    pub(crate) questions: Vec<Question>,
    head: String,
}

/// A question as it is written.
#[derive(Clone)]
pub(crate) struct Question {
    /// The id.
    pub(crate) id: String,
    /// From `<question` to the queries, with the texts.
    start: String,
    /// `<query>…</query>` or `<pseudoquery>…</pseudoquery>`.
    query: String,
    /// `<answer>…</answer>`, each once.
    pub(crate) answers: Vec<String>,
}

impl Question {
    /// Whether the gold standard has no answers.
    pub(crate) fn is_out_of_scope(&self) -> bool {
        self.answers.is_empty()
    }

    /// Whether it has a query that can be run.
    pub(crate) fn has_query(&self) -> bool {
        self.query.contains("<query>") && !self.query.contains(MARKER)
    }

    /// How many gold answers it has.
    pub(crate) fn count(&self) -> u64 {
        self.answers.len() as u64
    }

    fn read(text: &str) -> Self {
        let id = between(text, " id=\"", "\"").expect("an id").to_owned();
        let begin = text.find("<query>").or_else(|| text.find("<pseudoquery>")).expect("a query");
        let end = ["</query>", "</pseudoquery>"].iter().find_map(|tag| Some(text.find(tag)? + tag.len()));
        let end = end.expect("the end of the query");
        let mut known = BTreeSet::new();
        let all = text.split("<answer>").skip(1).filter_map(|rest| rest.split("</answer>").next());
        // An answer that stands there twice is one.
        let once = all.filter(|answer| known.insert(answer.split_whitespace().collect::<String>()));
        let answers = once.map(|answer| format!("<answer>{answer}</answer>")).collect();
        Self { id, start: text[..begin].to_owned(), query: text[begin..end].to_owned(), answers }
    }
}

/// What stands between two texts.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> Option<&'t str> {
    text.split_once(begin)?.1.split(end).next()
}

const MARKER: &str = "OUT OF SCOPE";

impl Gold {
    /// Cuts a file.
    pub(crate) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a gold standard");
        let mut parts = text.split("<question ");
        let head = parts.next().expect("a head").to_owned();
        let questions = parts.map(|part| Question::read(&format!("<question {part}"))).collect();
        Self { questions, head }
    }

    /// A submission with the same root.
    pub(crate) fn submission(&self, name: &str, given: &[Given]) -> String {
        let written: Vec<String> = given.iter().map(Given::write).collect();
        // The name makes other bytes of two mutations that change nothing.
        format!("{}{}<!-- {name} -->\n</dataset>\n", self.head, written.join("\n"))
    }
}

/// What a submission says about a question.
#[derive(Clone)]
pub(crate) struct Given {
    question: Question,
    query: Option<String>,
    answers: Option<Vec<String>>,
    time: Option<&'static str>,
}

impl Given {
    /// Query and answers of the gold standard.
    pub(crate) fn right(question: &Question) -> Self {
        let query = Some(question.query.clone());
        Self { question: question.clone(), query, answers: Some(question.answers.clone()), time: None }
    }

    /// Other answers, and no query.
    pub(crate) fn answers(question: &Question, answers: Vec<String>) -> Self {
        Self { query: None, answers: Some(answers), ..Self::right(question) }
    }

    /// No answers: only this query.
    pub(crate) fn query(question: &Question, query: &str) -> Self {
        Self { answers: None, ..Self::right(question) }.with_query(query)
    }

    /// The same with another query.
    pub(crate) fn with_query(self, query: &str) -> Self {
        Self { query: Some(format!("<query><![CDATA[{query}]]></query>")), ..self }
    }

    /// The same with a time.
    pub(crate) fn with_time(self, time: &'static str) -> Self {
        Self { time: Some(time), ..self }
    }

    /// Out of scope in the three ways that the document allows: by the query, by no answers, by both.
    pub(crate) fn out_of_scope(question: &Question, way: usize) -> Self {
        match way % 3 {
            0 => Self::query(question, MARKER),
            1 => Self::answers(question, Vec::new()),
            _ => Self::answers(question, Vec::new()).with_query(MARKER),
        }
    }

    fn write(&self) -> String {
        let query = self.query.as_deref().unwrap_or_default();
        let answers = self.answers.as_ref().map(|all| match all.as_slice() {
            [] => "<answers/>".to_owned(),
            all => format!("<answers>\n{}\n</answers>", all.join("\n")),
        });
        let time = self.time.map(|time| format!("<time>{time}</time>\n")).unwrap_or_default();
        format!("{}{query}\n{time}{}\n</question>", self.question.start, answers.unwrap_or_default())
    }
}

/// Answers that no gold standard has.
pub(crate) fn invented(count: usize) -> Vec<String> {
    (1..=count)
        .map(|number| format!("<answer>\n<uri>http://example.org/wrong/{number}</uri>\n</answer>"))
        .collect()
}

/// Precision and recall of a question.
pub(crate) type Scores = (Fraction, Fraction);

/// `right / given` and `right / gold`, where there is something to divide by.
pub(crate) fn scores(right: u64, given: u64, gold: u64) -> Scores {
    let share = |of| Fraction::ratio(right, of).unwrap_or_else(Fraction::zero);
    (share(given), share(gold))
}

pub(crate) fn all() -> Scores {
    (Fraction::one(), Fraction::one())
}

pub(crate) fn nothing() -> Scores {
    (Fraction::zero(), Fraction::zero())
}

/// A way to change a gold standard.
pub(crate) struct Mutation {
    /// Its name.
    pub(crate) name: &'static str,
    /// What the submission says about the question at a position, and the scores that it must have; nothing: it is left out.
    pub(crate) change: fn(usize, &Question) -> (Option<Given>, Scores),
    /// Whether the questions stand in another order.
    pub(crate) is_shuffled: bool,
}

impl Mutation {
    /// The submission, and the scores in the order of the gold standard.
    pub(crate) fn apply(&self, gold: &Gold) -> (String, Vec<Scores>) {
        let changed = gold.questions.iter().enumerate().map(|(at, question)| (self.change)(at, question));
        let (given, scores): (Vec<Option<Given>>, Vec<Scores>) = changed.unzip();
        let mut given: Vec<Given> = given.into_iter().flatten().collect();
        if self.is_shuffled {
            given = shuffled(given);
        }
        (gold.submission(self.name, &given), scores)
    }
}

/// Those at odd places backwards, then those at even places.
fn shuffled<T>(all: Vec<T>) -> Vec<T> {
    let (mut odd, mut even) = (Vec::new(), Vec::new());
    for (at, one) in all.into_iter().enumerate() {
        if at.is_multiple_of(2) { even.push(one) } else { odd.push(one) }
    }
    odd.into_iter().rev().chain(even).collect()
}

/// Every second gold answer, from the first.
fn fewer(question: &Question) -> Vec<String> {
    question.answers.iter().step_by(2).cloned().collect()
}

fn more(question: &Question, extra: usize) -> Vec<String> {
    [question.answers.clone(), invented(extra)].concat()
}

fn right(_: usize, question: &Question) -> (Option<Given>, Scores) {
    (Some(Given::right(question)), all())
}

fn missing_answers(_: usize, question: &Question) -> (Option<Given>, Scores) {
    let kept = fewer(question);
    let (count, gold) = (kept.len() as u64, question.count());
    let scores = if gold == 0 { all() } else { scores(count, count, gold) };
    (Some(Given::answers(question, kept)), scores)
}

fn extra_answers(at: usize, question: &Question) -> (Option<Given>, Scores) {
    let (extra, gold) = (at % 3 + 1, question.count());
    (Some(Given::answers(question, more(question, extra))), scores(gold, gold + extra as u64, gold))
}

fn wrong_answers(at: usize, question: &Question) -> (Option<Given>, Scores) {
    (Some(Given::answers(question, invented(at % 2 + 1))), nothing())
}

/// Gold is out of scope, and the system answers: also where its query says out of scope, since the answers count.
fn answered_out_of_scope(at: usize, question: &Question) -> (Option<Given>, Scores) {
    if !question.is_out_of_scope() {
        return right(at, question);
    }
    let given = Given::answers(question, invented(1));
    (Some(if at.is_multiple_of(2) { given } else { given.with_query(MARKER) }), nothing())
}

/// Gold has answers, and the system says that all is out of scope.
fn says_out_of_scope(at: usize, question: &Question) -> (Option<Given>, Scores) {
    let scores = if question.is_out_of_scope() { all() } else { nothing() };
    (Some(Given::out_of_scope(question, at)), scores)
}

/// Every third question is left out, the first too. A question that is not there is wrong, out of scope or not.
fn left_out(at: usize, question: &Question) -> (Option<Given>, Scores) {
    if at.is_multiple_of(3) { (None, nothing()) } else { right(at, question) }
}

/// Each question by another of the ways.
fn mixed(at: usize, question: &Question) -> (Option<Given>, Scores) {
    let ways = [right, missing_answers, extra_answers, wrong_answers, says_out_of_scope, left_out];
    ways[at % ways.len()](at / 2, question)
}

/// All of them.
pub(crate) const MUTATIONS: [Mutation; 9] = [
    Mutation { name: "right", change: right, is_shuffled: false },
    Mutation { name: "missing answers", change: missing_answers, is_shuffled: false },
    Mutation { name: "extra answers", change: extra_answers, is_shuffled: false },
    Mutation { name: "wrong answers", change: wrong_answers, is_shuffled: false },
    Mutation { name: "out of scope answered", change: answered_out_of_scope, is_shuffled: false },
    Mutation { name: "all said to be out of scope", change: says_out_of_scope, is_shuffled: false },
    Mutation { name: "questions left out", change: left_out, is_shuffled: false },
    Mutation { name: "shuffled", change: right, is_shuffled: true },
    Mutation { name: "mixed and shuffled", change: mixed, is_shuffled: true },
];
