//! The evaluation: a deterministic result, named by the digest of its inputs.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::base::error::Result;
use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::issue::{Issue, IssueCode, Place};
use crate::measures::result::Status;
use crate::profiles::Profile;
use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::loaders::Loaded;
use crate::profiles::rules::Reading;
use crate::references::ReferenceInput;
use crate::references::links::LinkSet;
use crate::scoring::align::Alignment;
use crate::scoring::aligned::Aligned;
use crate::scoring::asked::Asked;
use crate::scoring::asked::executed::to_execute;
use crate::scoring::cases::{Answer, Answers, Cases};
use crate::scoring::experiment::Experiment;
use crate::scoring::experiments;
use crate::scoring::items::origin::Origin;
use crate::scoring::link_issues;
use crate::scoring::manifest::Manifest;
use crate::scoring::options::Prepared;
use crate::scoring::reader::Context;
use crate::scoring::skip::Skip;
use crate::scoring::{assessed, confidence_issues, groups};
use crate::sources::document::{AnswerState, Document, Question};
use crate::sources::input::pattern::QueryNodes;
use crate::sources::input::{DatasetInput, SubmissionInput};

/// A submission scored against a dataset.
#[derive(Debug)]
pub struct Evaluation {
    /// The dataset.
    pub dataset: Arc<DatasetInput>,
    /// The submission.
    pub submission: Arc<SubmissionInput>,
    /// The profile with its references and the choices of the user.
    pub prepared: Arc<Prepared>,
    /// The answers that come from a knowledge base.
    pub asked: Asked,
    /// sha256 of the manifest.
    pub digest: String,
    /// IRI of the evaluation.
    pub iri: String,
    /// The dataset as the loader gives it.
    pub loaded: Loaded,
    /// Which answer belongs to which question.
    pub alignment: Alignment,
    /// What the one answer of a file of scores says about each question, if it is one.
    laid_out: Option<Vec<Question>>,
    /// That queries of the submission were not run, if so.
    not_executed: Option<Issue>,
    /// The experiment types that were scored, in the order of [`EXPERIMENTS`].
    pub experiments: Vec<Experiment>,
    /// The experiment types that have no scores, and why.
    pub skipped: Vec<(&'static str, Skip)>,
    /// The groups of open schemes, which no ontology lists: name, and label as written.
    pub open_groups: BTreeMap<String, String>,
    /// What is suspicious about links, assessments and confidences, each with the checksum of a file.
    reference_issues: Vec<(String, Issue)>,
}

impl Evaluation {
    /// Scores a submission.
    pub fn compute(
        mint: &Mint,
        dataset: Arc<DatasetInput>,
        submission: Arc<SubmissionInput>,
        prepared: Arc<Prepared>,
    ) -> Result<Self> {
        Self::compute_asked(mint, dataset, submission, prepared, Asked::default())
    }

    /// Scores a submission with answers that come from a knowledge base.
    pub fn compute_asked(
        mint: &Mint,
        dataset: Arc<DatasetInput>,
        submission: Arc<SubmissionInput>,
        prepared: Arc<Prepared>,
        asked: Asked,
    ) -> Result<Self> {
        let digest = Manifest::new(&dataset, &submission, &prepared, &asked).digest();
        let answers = asked.system_answers(&submission);
        let Aligned { loaded, alignment, laid_out } = Aligned::new(&dataset, &submission, &prepared, &asked)?;
        let system = Answers {
            document: answers,
            queries: &submission.queries,
            alignment: &alignment,
            laid_out: laid_out.as_deref(),
        };
        let cases = Cases::new((&dataset.iri, &loaded, &dataset.queries), (&submission.iri, system));
        assessed::check(&prepared, &dataset)?;
        let members = groups::membership(mint, &prepared, &dataset, &alignment)?;
        let open_groups = groups::open(&prepared, &dataset, &members);
        let (mut experiments, skipped) = experiments::score_all(&prepared, &cases, &members)?;
        for experiment in &mut experiments {
            time_out(experiment, &asked, &alignment);
        }
        let iri = mint.evaluation(&digest);
        let mut reference_issues = link_issues::issues(&prepared, &experiments)?;
        let sha256 = submission.source.sha256();
        reference_issues.extend(assessed::issues(&prepared, &dataset, sha256, &experiments));
        let odd = confidence_issues::issues(&experiments, &alignment, answers);
        reference_issues.extend(odd.into_iter().map(|issue| (sha256.to_owned(), issue)));
        let not_executed =
            asked.executed.is_none().then(|| not_executed(&submission.document, &prepared.profile)).flatten();
        Ok(Self {
            dataset,
            submission,
            prepared,
            asked,
            digest,
            iri,
            loaded,
            alignment,
            laid_out,
            not_executed,
            experiments,
            skipped,
            open_groups,
            reference_issues,
        })
    }

    /// The profile.
    pub fn profile(&self) -> &Profile {
        &self.prepared.profile
    }

    /// An experiment type that was scored.
    pub fn experiment(&self, name: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|experiment| experiment.name() == name)
    }

    /// The references that decided something, in order of their IRIs.
    pub fn references(&self) -> &[Arc<ReferenceInput>] {
        &self.prepared.references
    }

    /// The link sets among the references.
    pub fn links(&self) -> impl Iterator<Item = (&ReferenceInput, &LinkSet)> {
        self.prepared.references.iter().filter_map(|reference| Some((&**reference, reference.links()?)))
    }

    /// The answer to a question of the dataset.
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

    /// The node of the gold answer that an experiment type looks at: what it reads of queries is in the curated one.
    pub fn gold_node(&self, experiment: &Experiment, position: usize) -> String {
        let question = iri::question(&self.dataset.iri, &self.dataset.document.questions[position].key);
        match self.asked.gold.as_ref().filter(|_| reads_answers(experiment)) {
            Some(gold) => gold.node(&question, position),
            None => iri::curated_gold(&question),
        }
    }

    /// The node of the system's answer that an experiment type looks at: that of the submission, or that of its query.
    pub fn system_node(&self, experiment: &Experiment, position: usize) -> Option<String> {
        let executed = self.executed_node(position).filter(|_| reads_answers(experiment));
        executed.or_else(|| self.submitted_node(position))
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

    /// Where the items of gold and system come from in a question, where there are several ways.
    pub fn origins(&self, experiment: &Experiment, position: usize) -> [Option<Origin>; 2] {
        let knowledge = self.prepared.knowledge();
        let context = Context { profile: self.profile(), rules: &experiment.rules, knowledge: &knowledge };
        let origin = |question, query| Origin::of(&context, &Answer { question, query });
        let gold = origin(&self.gold().questions[position], &self.dataset.queries[position]);
        let system = self.answer(position).zip(self.alignment.answers[position]);
        let system = system.and_then(|(answer, at)| origin(answer, &self.submission.queries[at]));
        [gold, system]
    }

    /// The content of the triple patterns of a question on both sides, by their IRIs; nothing where the items of the
    /// experiment type are something else.
    pub fn pattern_texts(&self, experiment: &Experiment, position: usize) -> BTreeMap<String, String> {
        if experiment.rules.reading != Reading::Patterns {
            return BTreeMap::new();
        }
        let system = self.alignment.answers[position].map(|answer| &self.submission.queries[answer]);
        let queries = [Some(&self.dataset.queries[position]), system].into_iter().flatten();
        let patterns = queries.flat_map(QueryNodes::patterns);
        patterns.map(|(node, pattern)| (node.iri.clone(), pattern.text())).collect()
    }

    /// That queries of the submission were not run although their answers would count, if so.
    pub fn not_executed(&self) -> Option<&Issue> {
        self.not_executed.as_ref()
    }

    /// What was noticed: in the dataset file and by its loader, in the submission file, in the references, and between
    /// them.
    pub fn issues(&self) -> impl Iterator<Item = (&str, &Issue)> {
        let dataset = self.dataset.document.issues.iter().chain(self.loaded.issues());
        let dataset = dataset.map(|issue| (self.dataset.source.sha256(), issue));
        // A file that is both sides is one file.
        let is_same = self.dataset.source.sha256() == self.submission.source.sha256();
        let answers = if is_same { &[] } else { self.submission.document.issues.as_slice() };
        let submission = answers.iter().map(|issue| (self.submission.source.sha256(), issue));
        let references = self
            .references()
            .iter()
            .flat_map(|reference| reference.issues().iter().map(|issue| (reference.source.sha256(), issue)));
        let between = self.alignment.issues.iter().map(|issue| {
            let gold = issue.code == IssueCode::QuestionNotSubmitted;
            let source = if gold { &self.dataset.source } else { &self.submission.source };
            (source.sha256(), issue)
        });
        let links = self.reference_issues.iter().map(|(sha256, issue)| (sha256.as_str(), issue));
        let not_executed = self.not_executed.iter().map(|issue| (self.submission.source.sha256(), issue));
        let executed = self.asked.executed.iter().flat_map(|executed| &executed.issues);
        let executed = executed.map(|issue| (self.submission.source.sha256(), issue));
        dataset
            .chain(submission)
            .chain(references)
            .chain(links)
            .chain(between)
            .chain(not_executed)
            .chain(executed)
    }
}

/// Whether an experiment type reads answers, if only their types; else it reads queries.
fn reads_answers(experiment: &Experiment) -> bool {
    let reading = experiment.rules.reading;
    reading.is_of_answers() || matches!(reading, Reading::AnswerType | Reading::GerbilAnswerType)
}

/// What is said where queries could be run and are not.
fn not_executed(submission: &Document, profile: &Profile) -> Option<Issue> {
    let questions = submission.questions.iter().zip(to_execute(submission, profile.answers_from));
    let open: Vec<&Question> = questions.filter_map(|(question, open)| open.then_some(question)).collect();
    let given = open.iter().filter(|question| question.answers.state == AnswerState::Given).count();
    let (open, all) = (open.len(), submission.questions.len());
    let message = match profile.answers_from {
        AnswersFrom::Given => format!(
            "{open} of {all} questions have a query and no answers: they count as unanswered; `--kb NAME` runs the queries"
        ),
        AnswersFrom::Query => format!(
            "{open} of {all} questions have a query that was not run: the answers of the file count, where it has some ({given}); `--kb NAME` runs the queries"
        ),
    };
    (open > 0).then(|| Issue::new(IssueCode::NotExecuted, &Place::default(), message))
}

/// Tells queries that were stopped at the time limit from other errors.
fn time_out(experiment: &mut Experiment, asked: &Asked, alignment: &Alignment) {
    let Some(executed) = asked.executed.as_ref().filter(|_| experiment.is_of_answers()) else { return };
    for (result, answer) in experiment.results.iter_mut().zip(&alignment.answers) {
        let execution = answer.and_then(|answer| executed.answers[answer].as_ref());
        if let Some(result) = result.as_mut().filter(|result| result.status == Status::Error)
            && execution.is_some_and(|execution| execution.status == "status-timeout")
        {
            result.status = Status::Timeout;
        }
    }
}

/// Evaluations are made on threads, and outlive the inputs of whoever asked for them.
const _: () = {
    const fn owned<T: Send + Sync + 'static>() {}
    owned::<Evaluation>();
};
