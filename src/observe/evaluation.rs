//! The evaluation: a deterministic result, named by the digest of its inputs.

use oxigraph::model::Term;
use sha2::{Digest, Sha256};

use super::groups;
use super::input::{DatasetInput, LinksInput, SubmissionInput};
use crate::error::Result;
use crate::graph::answer::answer_status;
use crate::graph::iri::Mint;
use crate::matching::{self, Alignment, Links, Matching, Sides};
use crate::measure::{self, Fraction, QuestionResult, Scores, Status, Value};
use crate::profile::Profile;
use crate::read::{Issue, IssueCode, Question, hex};

/// Everything that decides the numbers of an evaluation, as sorted lines. No clock, host, path or build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    lines: Vec<String>,
}

impl Manifest {
    /// The manifest of an evaluation.
    pub fn new(
        dataset: &DatasetInput,
        submission: &SubmissionInput,
        links: &[&LinksInput],
        profile: &Profile,
        language: Option<&str>,
    ) -> Self {
        let mut inputs = vec![
            format!("dataset {} sha256:{}", dataset.slug, dataset.source.sha256()),
            format!("submission sha256:{}", submission.source.sha256()),
            format!("profile {}", profile.iri),
            "gold curated".to_owned(),
        ];
        inputs.extend(links.iter().map(|links| format!("links sha256:{}", links.source.sha256())));
        inputs.extend(language.map(|language| format!("language {language}")));
        inputs.sort_unstable();
        inputs.dedup();
        Self { lines: inputs }
    }

    /// sha256 of the lines: 64 lower-case hex digits.
    pub fn digest(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        hex(&Sha256::digest(text))
    }
}

/// The metrics of one group of questions.
#[derive(Debug, Clone)]
pub struct Group {
    /// The concept of `code:questionGroup`, without namespace.
    pub name: String,
    /// Its metrics in the order of the profile; undefined ones are `None`.
    pub metrics: Vec<(String, Option<Value>)>,
}

impl Group {
    /// The value of a metric, where it is defined.
    pub fn value(&self, metric: &str) -> Option<&Fraction> {
        let found = self.metrics.iter().find(|(name, _)| name == metric);
        found.and_then(|(_, value)| value.as_ref()).map(|value| &value.value)
    }
}

/// A submission scored against a dataset.
#[derive(Debug)]
pub struct Evaluation<'a> {
    /// The dataset.
    pub dataset: &'a DatasetInput,
    /// The submission.
    pub submission: &'a SubmissionInput,
    /// The link sets, in order of their IRIs.
    pub links: Vec<&'a LinksInput>,
    /// The closure of the link sets.
    pub closure: Option<&'a Links>,
    /// The profile.
    pub profile: &'a Profile,
    /// The language that the user named.
    pub language: Option<String>,
    /// sha256 of the manifest.
    pub digest: String,
    /// IRI of the evaluation.
    pub iri: String,
    /// Which answer belongs to which question.
    pub alignment: Alignment,
    /// The matches.
    pub matching: Matching,
    /// The results in the order of the dataset's questions.
    pub results: Vec<QuestionResult>,
    /// The metrics of all groups, in order of their names.
    pub groups: Vec<Group>,
}

/// The experiment type that is scored.
pub(super) const EXPERIMENT: &str = "QA";

impl<'a> Evaluation<'a> {
    /// Scores a submission.
    pub fn compute(
        mint: &Mint,
        dataset: &'a DatasetInput,
        submission: &'a SubmissionInput,
        links: &[&'a LinksInput],
        closure: Option<&'a Links>,
        profile: &'a Profile,
        language: Option<&str>,
    ) -> Result<Self> {
        // Links that the profile does not look at decide nothing.
        let links = if profile.uses_links() { links } else { &[] };
        let digest = Manifest::new(dataset, submission, links, profile, language).digest();
        let mut links = links.to_vec();
        links.sort_by(|a, b| a.iri.cmp(&b.iri));
        links.dedup_by(|a, b| a.iri == b.iri);
        let alignment = matching::align::align(&dataset.document, &submission.document, profile.identifiers)
            .map_err(|error| error.in_file(submission.source.name()))?;
        let sides = Sides {
            dataset: &dataset.iri,
            gold: &dataset.document,
            submission: &submission.iri,
            answers: &submission.document,
        };
        let matching = matching::run(profile, sides, &alignment, closure)?;
        let results = results(profile, &submission.document.questions, &alignment, &matching);
        let groups = group_metrics(profile, &dataset.document.questions, &results);
        let iri = mint.evaluation(&digest);
        let language = language.map(str::to_owned);
        Ok(Self {
            dataset,
            submission,
            links,
            closure,
            profile,
            language,
            digest,
            iri,
            alignment,
            matching,
            results,
            groups,
        })
    }

    /// The metrics of a group.
    pub fn group(&self, name: &str) -> Option<&Group> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// The answer to a question of the dataset.
    pub fn answer(&self, position: usize) -> Option<&Question> {
        self.alignment.answers[position].map(|answer| &self.submission.document.questions[answer])
    }

    /// The normalisations that a match by a rule needed, each once.
    pub fn normalisations(&self, rule: &str, gold: &Term, system: &Term) -> Vec<&'static str> {
        super::matches::normalisations(self, rule, gold, system)
    }

    /// What was noticed: in the dataset file, in the submission file, in the links, and between them.
    pub fn issues(&self) -> impl Iterator<Item = (&str, &Issue)> {
        let dataset = self.dataset.document.issues.iter().map(|issue| (self.dataset.source.sha256(), issue));
        // A file that is both sides is one file.
        let is_same = self.dataset.source.sha256() == self.submission.source.sha256();
        let answers = if is_same { &[] } else { self.submission.document.issues.as_slice() };
        let submission = answers.iter().map(|issue| (self.submission.source.sha256(), issue));
        let links = self
            .links
            .iter()
            .flat_map(|links| links.set.issues.iter().map(|issue| (links.source.sha256(), issue)));
        let between = self.alignment.issues.iter().map(|issue| {
            let gold = issue.code == IssueCode::QuestionNotSubmitted;
            let source = if gold { &self.dataset.source } else { &self.submission.source };
            (source.sha256(), issue)
        });
        dataset.chain(submission).chain(links).chain(between)
    }
}

fn results(
    profile: &Profile,
    answers: &[Question],
    alignment: &Alignment,
    matching: &Matching,
) -> Vec<QuestionResult> {
    let result = |(matched, answer): (&matching::QuestionMatch, &Option<usize>)| {
        let answer = answer.map(|position| &answers[position]);
        let status = match answer {
            None => Status::Missing,
            Some(answer) => match answer_status(answer) {
                "status-error" => Status::Error,
                "status-ok" => Status::Answered,
                _ => Status::Empty,
            },
        };
        let response_time = answer.and_then(|a| a.response_time.as_deref()).and_then(Fraction::parse);
        let scores = Scores::of(matched.counts, answer.is_none(), profile.empty);
        QuestionResult { status, counts: matched.counts, scores, response_time }
    };
    matching.questions.iter().zip(&alignment.answers).map(result).collect()
}

fn group_metrics(profile: &Profile, questions: &[Question], results: &[QuestionResult]) -> Vec<Group> {
    let processed: Vec<bool> = results.iter().map(|result| result.status != Status::Missing).collect();
    groups::groups(profile, questions, &processed)
        .into_iter()
        .map(|(name, positions)| {
            let members: Vec<&QuestionResult> =
                positions.iter().map(|&position| &results[position]).collect();
            let metrics = profile
                .metrics
                .iter()
                .map(|metric| (metric.clone(), measure::metric(metric, &members, profile.empty)));
            Group { name, metrics: metrics.collect() }
        })
        .collect()
}
