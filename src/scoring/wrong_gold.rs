//! Whether the gold file is the one that the answers are for. Ids such as 1, 2, 3 are those of every task, so that answers
//! to one can be scored as if they were answers to another.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::text::first;
use crate::sources::document::{Document, Question, Text};

/// What says that the answers are for another gold file; and one issue that says all of it, where that is likely.
pub(crate) fn issues(gold: &Document, submission: &Document, answers: &[Option<usize>]) -> Vec<Issue> {
    let (texts, name) = (Texts::of(gold, submission, answers), other_dataset(gold, submission));
    let used: BTreeSet<usize> = answers.iter().flatten().copied().collect();
    let (unknown, all) = (submission.questions.len() - used.len(), submission.questions.len());
    // A file whose questions are all there, word by word, is the right one whatever it is called.
    let is_known = unknown == 0 && texts.compared > 0 && texts.others.is_empty();
    let is_named_otherwise = name.is_some() && !is_known;
    // A few answers too many are told one by one; with another sign, they are one.
    let many = if is_named_otherwise || texts.are_others() { MANY_WITH_OTHER_SIGNS } else { MANY };
    let what = [
        (unknown * many > all)
            .then(|| format!("{unknown} of {all} answers are of questions that the dataset does not have")),
        texts.are_others().then(|| texts.message()),
        name.as_ref().filter(|_| is_named_otherwise).map(|issue| issue.message.clone()),
    ];
    let what: Vec<String> = what.into_iter().flatten().collect();
    let summary = (!what.is_empty()).then(|| {
        let message = format!("{}: is this the gold file that the answers are for?", what.join("; "));
        Issue::new(IssueCode::WrongGoldFile, &Place::default(), message)
    });
    name.into_iter().chain(texts.issue()).chain(summary).collect()
}

/// More than one of so many answers to unknown questions is much: half of them.
const MANY: usize = 2;

/// The same where the name of the dataset or texts of questions are others, too.
const MANY_WITH_OTHER_SIGNS: usize = 10;

/// The ids 1, 2, 3 of one task are those of every other task: only the dataset id tells them apart (QALD-4 evaluation
/// document: "obligatory").
fn other_dataset(gold: &Document, submission: &Document) -> Option<Issue> {
    let named = |document: &Document| {
        let id = document.dataset_id.as_deref()?.trim().to_ascii_lowercase();
        let id = id.trim_end_matches(".xml").trim_end_matches(".json");
        (!id.is_empty()).then(|| id.to_owned())
    };
    let (of_gold, of_submission) = (named(gold)?, named(submission)?);
    let message = format!("the submission is for `{of_submission}`, the gold file is `{of_gold}`");
    (of_gold != of_submission).then(|| Issue::new(IssueCode::OtherDatasetId, &Place::default(), message))
}

/// The texts of questions that have one on both sides, in a language that they share.
#[derive(Default)]
struct Texts<'a> {
    compared: usize,
    /// Those that are of other questions, by key.
    others: Vec<&'a str>,
}

impl<'a> Texts<'a> {
    fn of(gold: &'a Document, submission: &Document, answers: &[Option<usize>]) -> Self {
        let mut texts = Self::default();
        for (question, answer) in gold.questions.iter().zip(answers) {
            let answer = answer.map(|at| &submission.questions[at]);
            let Some(is_one) = answer.and_then(|answer| is_one(question, answer)) else { continue };
            texts.compared += 1;
            if !is_one {
                texts.others.push(&question.key);
            }
        }
        texts
    }

    /// Whether most of them are of other questions: a text that was edited says nothing.
    fn are_others(&self) -> bool {
        self.others.len() * 2 > self.compared
    }

    fn message(&self) -> String {
        let (others, compared) = (self.others.len(), self.compared);
        format!("{others} of {compared} questions have another text in the submission")
    }

    fn issue(&self) -> Option<Issue> {
        let named = || first(self.others.iter().copied(), MOST_NAMED);
        let message = || format!("{}: {}", self.message(), named());
        (!self.others.is_empty()).then(|| Issue::new(IssueCode::OtherTexts, &Place::default(), message()))
    }
}

/// How many keys a message lists.
const MOST_NAMED: usize = 5;

/// Whether two questions are one: two of their texts in one language share at least half of their words. Nothing where there
/// are no such texts.
fn is_one(one: &Question, other: &Question) -> Option<bool> {
    let pairs = one.texts.iter().flat_map(|one| other.texts.iter().map(move |other| (one, other)));
    let alike = pairs.filter(|(one, other)| may_be_of_one_language(one, other)).filter_map(|(one, other)| {
        if one.text == other.text {
            return words(&one.text).next().map(|_| true);
        }
        let [one, other] = [one, other].map(|text| words(&text.text).collect::<BTreeSet<String>>());
        let (shared, all) = (one.intersection(&other).count(), one.union(&other).count());
        (!one.is_empty() && !other.is_empty()).then_some(shared * 2 >= all)
    });
    alike.max()
}

fn may_be_of_one_language(one: &Text, other: &Text) -> bool {
    match (&one.language, &other.language) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => true,
    }
}

/// The words of a text without what files write in many ways.
fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase)
}

/// How many questions of two files have the same text, white space and punctuation apart, with the keys of the first of
/// them.
pub(crate) fn shared_texts<'a>(one: &'a Document, other: &'a Document) -> (usize, Option<[&'a str; 2]>) {
    let texts = |question: &'a Question| {
        let texts = question.texts.iter().map(|text| words(&text.text).collect::<Vec<_>>().join(" "));
        texts.filter(|text| !text.is_empty()).map(|text| (text, question.key.as_str()))
    };
    let known: BTreeMap<String, &str> = one.questions.iter().flat_map(texts).collect();
    let shared = other.questions.iter().filter_map(|question| {
        let mut known = texts(question).filter_map(|(text, _)| known.get(&text).copied());
        known.next().map(|key| [key, question.key.as_str()])
    });
    let shared: Vec<[&str; 2]> = shared.collect();
    (shared.len(), shared.first().copied())
}
