//! Which submissions are scores of candidates, and whether they can be laid out over a dataset.

use crate::base::error::{Error, Result};
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::text::counted;
use crate::profiles::Profile;
use crate::sources::document::{AnswerState, Answers, Candidate, Document, Question};
use crate::sources::input::Input;

/// The format of a file of scores.
const SCORES: &str = "nlpcc-scores";

/// The formats of the datasets whose lines are candidates.
const OF_CANDIDATES: [&str; 2] = ["nlpcc-dbqa", "nlpcc-tbqa"];

/// What their lines are.
const LINES: &str = "a line is `question TAB sentence TAB label` or `label TAB question TAB caption TAB attributes TAB cells`, \
                     with a number as label; most of the first lines must be so";

/// The format that can say what each of these files says.
const RDF: &str = "rdf";

/// The answers of a submission that gives scores only, a question each of the dataset; none where it gives answers.
///
/// # Errors
/// Where scores meet another dataset or profile, or a profile that needs them has none; where their lines do not fit.
pub(crate) fn answers(
    dataset: &Input,
    submission: &Input,
    profile: &Profile,
) -> Result<Option<Vec<Question>>> {
    let is_scores = has_scores(submission);
    if !is_scores && !profile.ranks_candidates() {
        return Ok(None);
    }
    check_dataset(dataset, profile)?;
    if !is_scores {
        return Err(no_scores(submission, profile));
    }
    if !profile.ranks_candidates() {
        let (name, ranking) = (&profile.name, ranking_profiles());
        return Err(Error::input(format!(
            "these are scores of candidates, and the profile `{name}` ranks none"
        ))
        .in_file(submission.source.name())
        .allowed(format!("⌥profile {}", ranking.join(" or "))));
    }
    dataset
        .document
        .issues
        .iter()
        .find_map(misplaced)
        .map_or(Ok(()), |error| Err(error.in_file(dataset.source.name())))?;
    let scores = submission.document.questions.iter().flat_map(|question| question.candidates.clone());
    let laid_out = lay_out(&dataset.document, &scores.collect::<Vec<_>>());
    laid_out.map(Some).map_err(|error| {
        error
            .in_file(submission.source.name())
            .hint(format!("is {} the file that was scored?", dataset.source.name()))
    })
}

/// An error where the lines of the dataset are no candidates.
fn check_dataset(dataset: &Input, profile: &Profile) -> Result<()> {
    let format = dataset.format.name;
    let is_labelled = |candidate: &Candidate| candidate.label.is_some();
    if OF_CANDIDATES.contains(&format) || (format == RDF && all_are(&dataset.document, is_labelled)) {
        return Ok(());
    }
    let error = if format == SCORES {
        Error::input("these are the scores of a system, and not a dataset")
            .hint("were the two files swapped?")
    } else if profile.ranks_candidates() {
        Error::input(format!(
            "the profile `{}` ranks candidates, and the dataset ({format}) has none that scores could belong to",
            profile.name
        ))
        .hint(LINES)
    } else {
        Error::input(format!(
            "a file of scores belongs to the lines of a dataset of candidates, and this is `{format}`"
        ))
    };
    Err(error.in_file(dataset.source.name()).allowed(OF_CANDIDATES.join(", ")))
}

/// Whether a submission is nothing but scores.
fn has_scores(submission: &Input) -> bool {
    let is_score = |candidate: &Candidate| candidate.score.is_some() && candidate.cells.is_empty();
    match submission.format.name {
        SCORES => true,
        RDF => submission.document.questions.len() == 1 && all_are(&submission.document, is_score),
        _ => false,
    }
}

/// Whether every question has candidates, all of them of a kind.
fn all_are(document: &Document, is: impl Fn(&Candidate) -> bool) -> bool {
    let of_question =
        |question: &Question| !question.candidates.is_empty() && question.candidates.iter().all(&is);
    !document.questions.is_empty() && document.questions.iter().all(of_question)
}

/// The error for answers in another form.
fn no_scores(submission: &Input, profile: &Profile) -> Error {
    let format = submission.format.name;
    let error = Error::input(format!(
        "the profile `{}` needs the scores of the candidates, and this is `{format}`",
        profile.name
    ))
    .in_file(submission.source.name())
    .allowed(format!("{SCORES}: one number per line, in the order of the lines of the dataset"));
    match format {
        "nlpcc-dbqa" => error.hint("the scores alone are the third column: `cut -f3 FILE`"),
        "nlpcc-tbqa" => error.hint("the scores alone are the first column: `cut -f1 FILE`"),
        _ => error,
    }
}

/// The names of the profiles that rank candidates.
fn ranking_profiles() -> Vec<String> {
    Profile::all().into_iter().filter(Profile::ranks_candidates).map(|profile| profile.name).collect()
}

/// The error for what the reader noticed, where lines of scores could belong to the wrong candidates.
fn misplaced(issue: &Issue) -> Option<Error> {
    let error = match issue.code {
        IssueCode::OutOfOrder => Error::input("this question has lines further up: where its lines are not together, it is not clear which candidates a ranking is of")
            .allowed("the candidates of a question on lines that follow each other")
            .hint("sort the lines of the dataset, and those of the scores with them"),
        IssueCode::UnreadableLine => Error::input(format!("{}. A score is told by its line, so no line may be left out", issue.message))
            .allowed("a candidate on every line"),
        _ => return None,
    };
    Some(error.at(Place { path: None, ..issue.place.clone() }))
}

/// What a system gave to the candidates of each question, in the order of the dataset: a question with the key of the
/// gold question, and its candidates in their order with the scores.
///
/// `scores` are the candidates of a file of scores, one a line. The candidates of `gold` must be those of its lines, in
/// their order.
///
/// # Errors
/// Where there are more or fewer scores than candidates.
pub fn lay_out(gold: &Document, scores: &[Candidate]) -> Result<Vec<Question>> {
    let count = gold.questions.iter().map(|question| question.candidates.len()).sum::<usize>();
    if scores.len() != count {
        let missing = if scores.len() < count {
            format!("candidate {} has no score", scores.len() + 1)
        } else {
            format!("line {} has no candidate", count + 1)
        };
        return Err(Error::input(format!(
            "the scores have {}, the dataset has {}: {missing}",
            counted(scores.len(), "line"),
            counted(count, "candidate")
        ))
        .allowed("as many scores as the dataset has candidates, one per line, in their order"));
    }
    let mut rest = scores;
    let mut all = Vec::with_capacity(gold.questions.len());
    for question in &gold.questions {
        let (own, others) = rest.split_at(question.candidates.len());
        rest = others;
        all.push(Question {
            id: question.id.clone(),
            key: question.key.clone(),
            place: question.place.clone(),
            answers: Answers { state: AnswerState::Given, sets: Vec::new() },
            candidates: own.to_vec(),
            ..Question::default()
        });
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn gold(sizes: &[usize]) -> Document {
        let question = |(size, number): (&usize, usize)| Question {
            key: format!("~{number}"),
            candidates: vec![Candidate::default(); *size],
            ..Question::default()
        };
        Document { questions: sizes.iter().zip(1..).map(question).collect(), ..Document::default() }
    }

    fn scores(count: usize) -> Vec<Candidate> {
        (0..count).map(|n| Candidate { score: Some(n.to_string().into()), ..Candidate::default() }).collect()
    }

    fn laid(sizes: &[usize]) -> Vec<(String, Vec<String>)> {
        let count = sizes.iter().sum();
        let all = lay_out(&gold(sizes), &scores(count)).expect("as many");
        let of =
            |q: Question| (q.key, q.candidates.into_iter().filter_map(|c| Some(c.score?.into())).collect());
        all.into_iter().map(of).collect()
    }

    #[test]
    fn lines_are_those_of_the_dataset() {
        let own = |scores: &[&str]| scores.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
        assert_eq!(laid(&[2, 1]), [("~1".to_owned(), own(&["0", "1"])), ("~2".to_owned(), own(&["2"]))]);
    }

    #[test]
    fn more_or_fewer_lines_are_an_error() {
        for (count, told) in [
            (9, "the scores have 9 lines, the dataset has 10 candidates"),
            (1, "the scores have 1 line, the dataset has 10 candidates"),
            (11, "the scores have 11 lines, "),
        ] {
            let error = lay_out(&gold(&[7, 3]), &scores(count)).expect_err("an error").to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    proptest! {
        #[test]
        fn no_score_is_lost_or_moved(sizes in prop::collection::vec(0usize..5, 0..8)) {
            let all = laid(&sizes);
            let lengths: Vec<usize> = all.iter().map(|(_, scores)| scores.len()).collect();
            prop_assert_eq!(lengths, sizes);
            let flat: Vec<String> = all.into_iter().flat_map(|(_, scores)| scores).collect();
            let expected: Vec<String> = (0..flat.len()).map(|n| n.to_string()).collect();
            prop_assert_eq!(flat, expected);
        }
    }
}
