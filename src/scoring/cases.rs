//! The questions of an evaluation, one by one: what the gold standard says as the profile loads it, what the system says,
//! and what is left out.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::base::error::Result;
use crate::base::iri;
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::rdf::language::language_tag;
use crate::base::text::first;
use crate::profiles::loaders::reason::Reason;
use crate::profiles::loaders::{Loaded, load};
use crate::references::languages::agree;
use crate::scoring::align::{Alignment, align};
use crate::scoring::asked::KbAnswers;
use crate::scoring::laid_out;
use crate::scoring::plan::Plan;
use crate::sources::document::{Document, Question};
use crate::sources::input::Input;
use crate::sources::input::pattern::QueryNodes;

/// So many languages a message lists.
const TAGS_TOLD: usize = 5;

/// What one side says about a question.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The question of the dataset, or the answer of the submission.
    pub question: &'a Question,
    /// What its query asks.
    pub query: &'a QueryNodes,
}

/// One question of the dataset.
#[derive(Debug, Clone, Copy)]
pub struct Case<'a> {
    /// The gold answer, as the loader gives it.
    pub gold: Answer<'a>,
    /// The answer of the system, where there is one.
    pub system: Option<Answer<'a>>,
    /// Why the loader leaves it out, if it does.
    pub left_out: Option<Reason>,
}

/// A dataset and a submission that fit each other, question by question in the order of the dataset.
#[derive(Debug)]
pub struct Cases {
    /// The dataset.
    pub dataset: Arc<Input>,
    /// The submission.
    pub submission: Arc<Input>,
    /// The answers that come from a knowledge base.
    pub asked: KbAnswers,
    /// The dataset as the loader gives it.
    pub loaded: Loaded,
    /// Which answer belongs to which question.
    pub alignment: Alignment,
    /// What the one answer of a file of scores says about each question, if it is one.
    laid_out: Option<Vec<Question>>,
}

impl Cases {
    /// Loads the dataset and looks for the answer to each of its questions.
    ///
    /// # Errors
    /// Where the loader refuses the dataset or leaves out all of it; where no answer belongs to a question; where the
    /// files and the profile do not go together.
    pub fn new(dataset: Arc<Input>, submission: Arc<Input>, plan: &Plan, asked: KbAnswers) -> Result<Self> {
        let loaded = load(asked.gold_answers(&dataset), dataset.format.name, plan.loading())
            .and_then(|loaded| loaded.refuse_nothing().map(|()| loaded))
            .map_err(|error| error.in_file(dataset.source.name()))?;
        let laid_out = laid_out::answers(&dataset, &submission, &plan.profile)?;
        let mut alignment = match &laid_out {
            Some(questions) => Alignment::of_one(questions.len()),
            None => align(&dataset.document, asked.system_answers(&submission), plan.profile.identifiers)
                .map_err(|error| error.in_file(submission.source.name()))?,
        };
        drop_unasked(&mut alignment, &loaded);
        alignment.issues.extend(other_language(&dataset.document, plan.language()));
        Ok(Self { dataset, submission, asked, loaded, alignment, laid_out })
    }

    /// All questions of a dataset against other answers to them, one each in the same order.
    pub(crate) fn of_same(dataset: Arc<Input>, answers: Input) -> Self {
        let positions = (0..answers.document.questions.len()).map(Some).collect();
        let alignment = Alignment { answers: positions, issues: Vec::new() };
        let loaded = Loaded::whole(&dataset.document);
        let (submission, asked) = (Arc::new(answers), KbAnswers::default());
        Self { dataset, submission, asked, loaded, alignment, laid_out: None }
    }

    /// The questions.
    pub fn iter(&self) -> impl Iterator<Item = Case<'_>> {
        (0..self.loaded.document().questions.len()).map(|position| self.at(position))
    }

    /// A question.
    pub fn at(&self, position: usize) -> Case<'_> {
        let gold = Answer {
            question: &self.loaded.document().questions[position],
            query: &self.dataset.queries[position],
        };
        let query = self.alignment.answers[position].map(|at| &self.submission.queries[at]);
        let system = self.answer(position).zip(query).map(|(question, query)| Answer { question, query });
        Case { gold, system, left_out: self.loaded.reason(position) }
    }

    /// The answer to a question.
    pub fn answer(&self, position: usize) -> Option<&Question> {
        let answer = self.alignment.answers[position]?;
        let laid_out = self.laid_out.as_ref().map(|questions| &questions[position]);
        laid_out.or_else(|| self.answers().questions.get(answer))
    }

    /// The gold answers: of the dataset, or refreshed.
    pub fn gold(&self) -> &Document {
        self.asked.gold_answers(&self.dataset)
    }

    /// The answers: of the submission, or with those of its queries.
    pub fn answers(&self) -> &Document {
        self.asked.system_answers(&self.submission)
    }

    /// What the submission itself says: the answers of its file, or its scores question by question.
    pub fn submitted(&self) -> &[Question] {
        self.laid_out.as_deref().unwrap_or(&self.submission.document.questions)
    }

    /// The node of a question.
    pub fn question_node(&self, position: usize) -> String {
        iri::question(&self.dataset.iri, &self.dataset.document.questions[position].key)
    }

    /// The node of the curated gold answer to a question: what its candidates are named after.
    pub(crate) fn gold_node(&self, position: usize) -> String {
        iri::curated_gold(&self.question_node(position))
    }

    /// The node of the answer of the submission: for all questions the same, where it is a file of scores.
    pub(crate) fn submitted_node(&self, position: usize) -> Option<String> {
        let answer = self.alignment.answers[position]?;
        Some(iri::system_answer(&self.submission.iri, &self.submission.document.questions[answer].key))
    }

    /// The node of what the system's query gives, where it was run.
    pub fn executed_node(&self, position: usize) -> Option<String> {
        let (executed, answer) = (self.asked.executed.as_ref()?, self.alignment.answers[position]?);
        executed.answers[answer].as_ref()?;
        Some(iri::system_answer(&executed.iri, &self.submission.document.questions[answer].key))
    }
}

/// What is odd where the texts of a dataset have languages, and the chosen one is none of them.
fn other_language(dataset: &Document, chosen: Option<&str>) -> Option<Issue> {
    let chosen = language_tag(chosen?)?;
    let of_texts = dataset.questions.iter().flat_map(|question| &question.texts);
    let of_texts = of_texts.filter_map(|text| text.language.as_deref());
    let of_ids = dataset.questions.iter().filter_map(|question| question.language.as_deref());
    let tags: BTreeSet<String> = of_texts.chain(of_ids).filter_map(language_tag).collect();
    let message = || {
        format!("no question has a text in `{chosen}`, only in {}", first(tags.iter().cloned(), TAGS_TOLD))
    };
    let is_other = !tags.is_empty() && !tags.iter().any(|tag| agree(tag, &chosen));
    is_other.then(|| Issue::new(IssueCode::OtherLanguage, &Place::default(), message()))
}

/// Nobody asks for an answer to a question that is not loaded.
fn drop_unasked(alignment: &mut Alignment, loaded: &Loaded) {
    let unasked: Vec<&Question> = loaded.left_out().map(|(question, _)| question).collect();
    alignment.issues.retain(|issue| {
        issue.code != IssueCode::QuestionNotSubmitted
            || !unasked.iter().any(|question| question.place == issue.place)
    });
}
