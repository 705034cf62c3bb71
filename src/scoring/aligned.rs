//! What comes before scoring: the gold file as the profile loads it, and which answer belongs to which question.

use crate::base::error::Result;
use crate::base::issue::IssueCode;
use crate::profiles::loaders;
use crate::profiles::loaders::Loaded;
use crate::scoring::align::Alignment;
use crate::scoring::asked::Asked;
use crate::scoring::laid_out;
use crate::scoring::options::Prepared;
use crate::sources::document::Question;
use crate::sources::input::{DatasetInput, SubmissionInput};

/// A dataset and a submission that fit each other, before anything is scored.
#[derive(Debug)]
pub struct Aligned {
    /// The dataset as the loader gives it.
    pub(crate) loaded: Loaded,
    /// Which answer belongs to which question.
    pub alignment: Alignment,
    /// What the one answer of a file of scores says about each question, if it is one.
    pub(crate) laid_out: Option<Vec<Question>>,
}

impl Aligned {
    /// Loads the dataset and looks for the answer to each of its questions.
    ///
    /// # Errors
    /// Where the loader refuses the dataset or leaves out all of it; where no answer belongs to a question; where the
    /// files and the profile do not go together.
    pub fn new(
        dataset: &DatasetInput,
        submission: &SubmissionInput,
        prepared: &Prepared,
        asked: &Asked,
    ) -> Result<Self> {
        let gold = asked.gold_answers(dataset);
        let answers = asked.system_answers(submission);
        let profile = &*prepared.profile;
        let loaded = loaders::load(gold, dataset.format.name, prepared.loading())
            .and_then(|loaded| loaded.refuse_nothing().map(|()| loaded))
            .map_err(|error| error.in_file(dataset.source.name()))?;
        let laid_out = laid_out::answers(dataset, submission, profile)?;
        let mut alignment = match &laid_out {
            Some(questions) => Alignment::of_one(questions.len()),
            None => crate::scoring::align::align(&dataset.document, answers, profile.identifiers)
                .map_err(|error| error.in_file(submission.source.name()))?,
        };
        drop_unasked(&mut alignment, &loaded);
        Ok(Self { loaded, alignment, laid_out })
    }

    /// The answers of the submission: those of its file, or its scores question by question.
    pub fn answers<'s>(&'s self, submission: &'s SubmissionInput) -> &'s [Question] {
        self.laid_out.as_deref().unwrap_or(&submission.document.questions)
    }
}

/// Nobody asks for an answer to a question that is not loaded.
fn drop_unasked(alignment: &mut Alignment, loaded: &Loaded) {
    let unasked: Vec<&Question> = loaded.left_out().map(|(question, _)| question).collect();
    alignment.issues.retain(|issue| {
        issue.code != IssueCode::QuestionNotSubmitted
            || !unasked.iter().any(|question| question.place == issue.place)
    });
}
