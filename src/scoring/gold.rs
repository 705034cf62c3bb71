//! Questions whose gold answer is none: nobody states it, or the data do not decide it. A profile says whether they are
//! scored all the same.

use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::text::counted;
use crate::profiles::Profile;
use crate::profiles::rules::{ExperimentRules, Reading};
use crate::scoring::asked::KbAnswers;
use crate::scoring::asked::status::RefreshStatus;
use crate::scoring::cases::{Case, Cases};
use crate::scoring::reader::Setting;
use crate::scoring::skip::Skip;
use crate::sources::document::{AnswerState, Candidate, Question};

/// Why questions are not scored where answers are compared, question by question; or why none is: of no question a gold
/// answer is stated, or no answer of the submission was read.
pub(crate) fn skips(setting: &Setting<'_>, cases: &Cases) -> Result<Vec<Option<Skip>>, Skip> {
    let skips: Vec<Option<Skip>> = cases.iter().enumerate().map(|case| skip(setting, cases, case)).collect();
    let loaded =
        || cases.iter().zip(&skips).filter(|(case, _)| case.left_out.is_none()).map(|(_, skip)| *skip);
    // A question of which nothing can be read comes closer to an answer than one of which nothing is said.
    let last = loaded().max().flatten();
    match last.filter(|_| loaded().all(|skip| skip.is_some())) {
        Some(skip) => Err(skip),
        None if setting.plan.profile.gold.skips_unstated && is_unread(cases) => {
            Err(Skip::SystemAnswersUnread)
        }
        None => Ok(skips),
    }
}

/// Whether only questions were read of the submission: what it may say of answers is none that is empty.
fn is_unread(cases: &Cases) -> bool {
    let issues = &cases.submission.document.issues;
    cases.asked.executed.is_none() && issues.iter().any(|issue| issue.code == IssueCode::QuestionsOnly)
}

fn skip(setting: &Setting<'_>, cases: &Cases, (position, case): (usize, Case<'_>)) -> Option<Skip> {
    let rules = setting.plan.profile.gold;
    if cases.asked.ties(position).is_some() {
        return (!takes_ties(setting.rules)).then_some(Skip::GoldUndecided);
    }
    let undecided = || undecided(&cases.asked, position).filter(|_| rules.skips_undecided);
    let unstated = || unstated(case.gold.question).filter(|_| rules.skips_unstated);
    undecided().or_else(unstated)
}

/// What keeps a gold answer from being one, if anything does: a file that says that there is none states an empty one.
pub(crate) fn unstated(question: &Question) -> Option<Skip> {
    match question.answers.state {
        // Scores say what a system thinks of candidates, not what is right.
        AnswerState::Given if has_only_scores(question) => Some(Skip::GoldAnswerAbsent),
        AnswerState::Absent => Some(Skip::GoldAnswerAbsent),
        AnswerState::Unreadable => Some(Skip::GoldAnswerUnreadable),
        AnswerState::Empty | AnswerState::Given | AnswerState::OutOfScope => None,
    }
}

fn has_only_scores(question: &Question) -> bool {
    let is_scored = |candidate: &Candidate| candidate.label.is_none() && candidate.score.is_some();
    question.answers.sets.is_empty()
        && !question.candidates.is_empty()
        && question.candidates.iter().all(is_scored)
}

/// What keeps the query of a question from having gold answers. A question without a query has what the file says.
fn undecided(asked: &KbAnswers, position: usize) -> Option<Skip> {
    match asked.gold.as_ref()?.questions[position].status {
        RefreshStatus::Failed => Some(Skip::GoldQueryFailed),
        RefreshStatus::TimedOut => Some(Skip::GoldQueryTimedOut),
        RefreshStatus::Undecidable => Some(Skip::GoldUndecided),
        RefreshStatus::Same
        | RefreshStatus::Changed
        | RefreshStatus::Empty
        | RefreshStatus::Tied
        | RefreshStatus::NoQuery => None,
    }
}

/// Whether an experiment type can be told which of several rows are right: where items are terms, and all of an answer
/// count alike.
pub(crate) fn takes_ties(rules: &ExperimentRules) -> bool {
    rules.reading == Reading::Terms && rules.judging.is_none()
}

/// That gold answers that nobody states count as empty, where the profile has it so.
pub(crate) fn counts_as_empty(profile: &Profile, cases: &Cases) -> Option<Issue> {
    let reads_answers = profile.experiments.iter().any(|rules| rules.reading.is_of_answers());
    if profile.gold.skips_unstated || !reads_answers {
        return None;
    }
    let loaded = cases.iter().filter(|case| case.left_out.is_none());
    let unstated: Vec<Skip> = loaded.filter_map(|case| unstated(case.gold.question)).collect();
    let of = |why: Skip| unstated.iter().filter(|skip| **skip == why).count();
    let (unreadable, absent) = (of(Skip::GoldAnswerUnreadable), of(Skip::GoldAnswerAbsent));
    let unreadable =
        (unreadable > 0).then(|| format!("{} cannot be read", counted(unreadable, "gold answer")));
    let absent = (absent > 0)
        .then(|| format!("the gold file says nothing about the answers of {}", counted(absent, "question")));
    let what: Vec<String> = unreadable.into_iter().chain(absent).collect();
    let message =
        || format!("{}: that counts as an empty answer, as in {}", what.join(", and "), profile.label);
    (!what.is_empty()).then(|| Issue::new(IssueCode::UnstatedGold, &Place::default(), message()))
}
