//! Answers one by one: verdicts where the profile judges them, nDCG of the questions whose order matters.

use crate::measures::ranking::binary_ndcg;
use crate::measures::result::QuestionResult;
use crate::profiles::rules::ExperimentRules;
use crate::scoring::cases::Cases;
use crate::scoring::matching::Matched;
use crate::scoring::pairs::workspace::Workspace;
use crate::sources::document::Question;

/// The flag that says that the order of a question's answer matters.
const FLAG: &str = "result_order_matters";

/// Adds the verdicts on the answers one by one, if the profile judges them.
pub(crate) fn judge(
    rules: &ExperimentRules,
    cases: &Cases<'_>,
    workspace: &Workspace,
    matched: &Matched,
    results: &mut [Option<QuestionResult>],
) {
    let Some(judging) = &rules.judging else { return };
    let questions = cases.all.iter().map(|case| case.gold.question);
    for ((question, of_question), result) in questions.zip(&matched.questions).zip(results) {
        if let Some(result) = result {
            let judged = matched.judged(workspace, (judging, rules.reading), question, of_question);
            result.judged = Some(judged);
        }
    }
}

/// Adds nDCG to the results of the questions whose order matters, if the profile measures it.
pub(crate) fn rank(
    rules: &ExperimentRules,
    cases: &Cases<'_>,
    workspace: &Workspace,
    matched: &Matched,
    results: &mut [Option<QuestionResult>],
) {
    if !rules.measures("ndcg") {
        return;
    }
    let questions = cases.all.iter().map(|case| case.gold.question);
    for ((question, of_question), result) in questions.zip(&matched.questions).zip(results) {
        if let Some(result) = result
            && order_matters(question)
        {
            result.ndcg = Some(binary_ndcg(matched.ranked(workspace, of_question), of_question.counts.gold));
        }
    }
}

fn order_matters(question: &Question) -> bool {
    question.flags.iter().any(|(name, value)| name == FLAG && value.trim().eq_ignore_ascii_case("true"))
}
