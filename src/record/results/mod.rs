//! RESULTS: all that is shown of an evaluation, owned and with the decimals that are published.
//!
//! Results are made of a computation ([`Results::of`], in `of`) or read back from what was published (in `read`), and are
//! the same: reports need no more than them, and nothing that they show has to be computed again.

#[cfg(test)]
mod blocks;
pub mod comparison;
pub mod decimal;
#[cfg(test)]
mod equation;
pub mod explanation;
pub mod kept;
mod observed;
pub mod of;
pub mod opened;
pub mod published_sides;
pub mod read;
mod said;
pub mod tied;
mod told;

use serde::{Deserialize, Serialize};

use crate::base::issue::{Issue, IssueCode};
use crate::measures::judged::Verdict;
use crate::measures::metric::Metric;
use crate::measures::result::{ItemPart, Status};
use crate::profiles::choices::{CHOICES, Choice};
use crate::profiles::loaders::reason::Reason;
use crate::record::results::decimal::Decimal;
use crate::references::ReferenceKind;
use crate::scoring::asked::status::RefreshStatus;
use crate::scoring::groups::ALL;
use crate::scoring::items::origin::ItemOrigin;
use crate::scoring::skip::Skip;

/// The results of one submission on one dataset with one profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Results {
    /// IRI of the evaluation.
    pub iri: String,
    /// sha256 of its manifest: 64 lower-case hex digits.
    pub digest: String,
    /// The dataset version; its name is the slug of the dataset.
    pub dataset: InputFile,
    /// The submission; its name is that of the system.
    pub submission: InputFile,
    /// The profile.
    pub profile: ProfileFacts,
    /// What else was decided before the numbers were computed.
    pub conditions: Conditions,
    /// The files of links, labels and so on that decided something, in order of their IRIs.
    pub references: Vec<(ReferenceKind, InputFile)>,
    /// The refreshed gold answers, where they count in place of the curated ones.
    pub refreshed: Option<RefreshResults>,
    /// What the queries of the submission gave, where that counts.
    pub executed: Option<ExecutedResults>,
    /// What a loader made of the dataset, where it is not taken as it is.
    pub loaded: Option<LoadedResults>,
    /// The questions in the order of the dataset.
    pub questions: Vec<QuestionFacts>,
    /// The experiment types that were scored, in their usual order.
    pub experiments: Vec<TypeResults>,
    /// The experiment types without scores, and why.
    pub skipped: Vec<(String, Skip)>,
    /// What was noticed, each with the sha256 of the file that it is about.
    pub issues: Vec<(String, Issue)>,
}

/// A file that decided numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputFile {
    /// The IRI of what it holds.
    pub iri: String,
    /// What it is called in reports; empty where it has no name.
    pub name: String,
    /// The checksum of its bytes.
    pub sha256: String,
    /// The name of the file, which nothing that is published tells: empty unless somebody [names](Results::naming_files)
    /// it.
    pub file_name: String,
}

/// What reports say about a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfileFacts {
    /// Its IRI with its version.
    pub iri: String,
    /// Its name.
    pub name: String,
    /// A few words.
    pub label: String,
    /// What it does.
    pub definition: String,
    /// Where its rules come from.
    pub source: String,
    /// Whether it follows GERBIL, whose page shows a question mark for what it cannot compute.
    pub follows_gerbil: bool,
    /// Whether the answers of a system's query count in place of those that it states.
    pub prefers_queries: bool,
    /// The metric that says which of several submissions of a system is the best.
    pub ranked_by: Option<Metric>,
}

/// What was decided beside the files and the profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conditions {
    /// Which gold answers count: `curated` or `refreshed`.
    pub gold: String,
    /// Every choice of [`CHOICES`], in their order.
    pub chosen: Vec<Chosen>,
}

/// A choice in an evaluation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// Its option on the command line.
    pub option: String,
    /// The values that hold in the profile and are worth stating.
    pub values: Vec<String>,
    /// What holds where there are none, if that has a name.
    pub usual: Option<String>,
}

impl Conditions {
    /// The choices that are worth stating, with their values.
    pub fn stated(&self) -> impl Iterator<Item = (&'static Choice, &Chosen)> {
        CHOICES.iter().zip(&self.chosen)
    }

    /// The values of a choice, by its option.
    pub fn values(&self, option: &str) -> Vec<&str> {
        let chosen = self.chosen.iter().filter(|chosen| chosen.option == option);
        chosen.flat_map(|chosen| &chosen.values).map(String::as_str).collect()
    }
}

/// What became of gold answers on a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefreshResults {
    /// The IRI of the refreshed gold answers.
    pub iri: String,
    /// What was answered.
    pub answers: KeptFile,
    /// One entry a question, in the order of the dataset.
    pub questions: Vec<RefreshedQuestion>,
}

/// What became of one gold answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefreshedQuestion {
    /// The key of the question.
    pub key: String,
    /// In a word.
    pub status: RefreshStatus,
    /// Why, where the word does not say it.
    pub reason: Option<String>,
    /// Whether it has a query, be it a broken one: see [`has_query`](crate::scoring::asked::wanted::has_query).
    pub has_query: bool,
    /// How many answers the query gives that the dataset does not have.
    pub added: u64,
    /// How many the dataset has that the query does not give.
    pub removed: u64,
    /// Whether the query gives the curated answers by the rules of version 3 of the default profile.
    pub is_same: bool,
    /// Whether it gives them term by term.
    pub is_identical: bool,
    /// The rules by which answers that are not identical are the same, without `match-`, sorted.
    pub rules: Vec<String>,
}

/// What a knowledge base answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFile {
    /// The IRI of the answer snapshot.
    pub iri: String,
    /// After what graphs made of it are called: a knowledge base, or the snapshot itself.
    pub name: String,
    /// The checksum of its bytes.
    pub sha256: String,
    /// The name of the file; see [`InputFile::file_name`].
    pub file_name: String,
}

/// What came of the queries of a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExecutedResults {
    /// The IRI of the executed answers.
    pub iri: String,
    /// What was answered.
    pub answers: KeptFile,
    /// How many queries were run or should have been.
    pub count: usize,
    /// How many of them failed.
    pub failed: usize,
    /// How many have answers that the data do not decide.
    pub undecided: usize,
}

/// What a loader made of a dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedResults {
    /// How many questions it loaded.
    pub count: usize,
    /// The questions that it left out, by key: why, and more about it.
    pub left_out: Vec<(String, Reason, Option<String>)>,
    /// The questions that it changed, by key, and how.
    pub changed: Vec<(String, String)>,
}

/// A question for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionFacts {
    /// The key: the id, made unique.
    pub key: String,
    /// Its texts with their languages as written, in the order of the file.
    pub texts: Vec<(Option<String>, String)>,
    /// Its keywords likewise.
    pub keywords: Vec<(Option<String>, String)>,
}

/// The results of one experiment type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TypeResults {
    /// Its name: `QA`.
    pub name: String,
    /// Whether candidates of the dataset are ranked: all are in the answer, so precision and recall say nothing.
    pub ranks_candidates: bool,
    /// Whether the items are the classes of the answers: stated by the file, asked by the query, or told by other files.
    pub is_of_item_types: bool,
    /// Whether answers are judged one by one.
    pub judges: bool,
    /// The metrics that the overview shows; none: the usual ones.
    pub headline: Vec<Metric>,
    /// The metrics that tables of groups show; none: those of the overview.
    pub group_headline: Vec<Metric>,
    /// The metrics of single questions that tables show, beside precision, recall and F1.
    pub question_headline: Vec<Metric>,
    /// The groups of questions, in order of their names.
    pub groups: Vec<GroupResults>,
    /// One entry a question, in the order of the dataset.
    pub questions: Vec<QuestionResults>,
}

/// The metrics of one group of questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupResults {
    /// The concept of `code:questionGroup`, without namespace.
    pub name: String,
    /// Its metrics in the order of the profile; undefined ones are `None`.
    pub metrics: Vec<(Metric, Option<Measured>)>,
}

/// A value as it is published.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measured {
    /// The value.
    pub value: Decimal,
    /// The number of questions behind it.
    pub sample_size: u64,
    /// What it could be with ties between equal scores broken otherwise, where that makes it another.
    pub ties: Option<TieBounds>,
}

/// What a value could be if ties were broken otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TieBounds {
    /// Every tie broken against the system.
    pub worst: Decimal,
    /// Every tie broken in favour of the system.
    pub best: Decimal,
}

/// What came of one question in an experiment type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuestionResults {
    /// Where the items of gold and system come from, where there are several ways.
    pub origins: [Option<ItemOrigin>; 2],
    /// The scores, or why there are none.
    pub observed: Result<Observation, Skip>,
}

/// How much results made of a computation say of single questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// What a table over all questions needs: no measures of one question, and not its answers one by one. Of rankings
    /// these are many times what the files have.
    Overview,
    /// Everything.
    Questions,
}

/// The scores of one question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Observation {
    /// How the system answered.
    pub status: Status,
    /// The counts.
    pub counts: SetCounts,
    /// Precision.
    pub precision: Decimal,
    /// Recall.
    pub recall: Decimal,
    /// F1.
    pub f1: Decimal,
    /// The counts of the parts of its items that have measures of their own.
    pub parts: Vec<(ItemPart, SetCounts)>,
    /// nDCG of the answer, where its order matters.
    pub ndcg: Option<Decimal>,
    /// The measures that the profile has for one question; undefined ones are `None`. None in a [`Detail::Overview`].
    pub measures: Vec<(Metric, Option<Measured>)>,
    /// The answers in their order, where they are judged one by one. None in a [`Detail::Overview`].
    pub judged: Vec<JudgedAnswer>,
    /// The pairs of items that count: identical ones in the order of their terms and each once, then the others. None in
    /// [`Results::numbers_of`].
    pub matches: Vec<MatchedPair>,
    /// The nodes of the rows of the gold answer that tie and counted, sorted.
    pub counted_rows: Vec<String>,
    /// The node of the gold answer.
    pub gold_node: String,
    /// The node of the system's answer.
    pub system_node: Option<String>,
}

/// How many items are right, too many, and missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetCounts {
    /// Right items.
    pub tp: u64,
    /// Items too many.
    pub fp: u64,
    /// Missing items.
    #[serde(rename = "fn")]
    pub missing: u64,
}

/// A gold item and the item of the system that meets it. Terms are in N-Triples.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MatchedPair {
    /// The gold item.
    pub gold: String,
    /// The system's item.
    pub system: String,
    /// The rule, a concept of `code:matchRule` without namespace.
    pub rule: String,
    /// The normalisations that it took, concepts of `code:normalisation` without namespace, sorted.
    pub normalisations: Vec<String>,
    /// The label that made the match.
    pub label: Option<MatchedLabel>,
}

/// What a resource is called by a text that was matched with it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MatchedLabel {
    /// The property.
    pub property: String,
    /// The resource that is called so: that of the answer, or one that links connect with it.
    pub resource: String,
    /// The text, as a term in N-Triples.
    pub text: String,
    /// The IRI of the file of labels.
    pub file: String,
}

/// What was read as a label of another item, and not as an answer.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ReadLabel {
    /// The label, as a term in N-Triples.
    pub term: String,
    /// Its column.
    pub column: String,
    /// The IRI that it names.
    pub of: String,
}

/// The rule of items that are the same term.
pub(crate) const IDENTICAL: &str = "match-identical";

/// One answer in its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgedAnswer {
    /// What became of it.
    pub verdict: Verdict,
    /// What it gains.
    pub gain: u64,
    /// What it was ranked by.
    pub score: Option<Decimal>,
    /// What the answer is, as a term in N-Triples; none where the system says that there is no answer.
    pub term: Option<String>,
}

impl Results {
    /// Takes the groups of questions of the same evaluation from other results.
    pub(crate) fn with_groups_of(&mut self, others: Self) {
        for (mine, theirs) in self.experiments.iter_mut().zip(others.experiments) {
            mine.groups = theirs.groups;
        }
    }

    /// The same under a name of the system: a submission may have several.
    #[must_use]
    pub fn of_system(mut self, name: &str) -> Self {
        name.clone_into(&mut self.submission.name);
        self
    }

    /// Whether the answers are the gold file itself.
    pub fn is_of_gold_file(&self) -> bool {
        self.submission.sha256 == self.dataset.sha256
    }

    /// An experiment type that was scored.
    pub fn experiment(&self, name: &str) -> Option<&TypeResults> {
        self.experiments.iter().find(|experiment| experiment.name == name)
    }

    /// The results with the names that files have here, by their checksums.
    #[must_use]
    pub fn naming_files<'a>(mut self, names: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        for (sha256, name) in names {
            self.files_mut()
                .filter(|(known, _)| *known == sha256)
                .for_each(|(_, file_name)| name.clone_into(file_name));
        }
        self
    }

    fn files_mut(&mut self) -> impl Iterator<Item = (&str, &mut String)> {
        let references = self.references.iter_mut().map(|(_, file)| file);
        let inputs = [&mut self.dataset, &mut self.submission].into_iter().chain(references);
        let inputs = inputs.map(|file| (file.sha256.as_str(), &mut file.file_name));
        let gold = self.refreshed.as_mut().map(|gold| &mut gold.answers);
        let kept = gold.into_iter().chain(self.executed.as_mut().map(|executed| &mut executed.answers));
        inputs.chain(kept.map(|file| (file.sha256.as_str(), &mut file.file_name)))
    }

    /// The files behind the numbers, with the names that they have here.
    pub fn file_names(&self) -> impl Iterator<Item = (&str, &str)> {
        let references = self.references.iter().map(|(_, file)| file);
        let inputs = [&self.dataset, &self.submission].into_iter().chain(references);
        let kept = self.kept().map(|(_, file)| (file.sha256.as_str(), file.file_name.as_str()));
        inputs.map(|file| (file.sha256.as_str(), file.file_name.as_str())).chain(kept)
    }

    /// What knowledge bases answered: to the gold queries (`gold-answers`), to those of the system (`executed-answers`).
    pub fn kept(&self) -> impl Iterator<Item = (&'static str, &KeptFile)> {
        let gold = self.refreshed.as_ref().map(|gold| ("gold-answers", &gold.answers));
        let executed = self.executed.as_ref().map(|executed| ("executed-answers", &executed.answers));
        gold.into_iter().chain(executed)
    }

    /// The results without what no published graph tells: the names of files here; the counts of parts of the items of
    /// single questions (their measures over all questions are published); and of questions without scores, where item
    /// types would come from that the file does not state.
    #[must_use]
    pub fn published(mut self) -> Self {
        self.files_mut().for_each(|(_, file_name)| file_name.clear());
        for experiment in &mut self.experiments {
            let may_be_classes = experiment.is_of_item_types;
            for question in &mut experiment.questions {
                question.forget_unpublished(may_be_classes);
            }
        }
        self
    }

    /// That queries of the submission were not run although their answers would count, if so.
    pub fn not_executed(&self) -> Option<&Issue> {
        self.issues.iter().map(|(_, issue)| issue).find(|issue| issue.code == IssueCode::NotExecuted)
    }
}

impl RefreshResults {
    /// How many questions have a query.
    pub fn queries(&self) -> usize {
        self.questions.iter().filter(|question| question.has_query).count()
    }

    /// What the nodes of its answers are called after.
    pub(crate) fn name(&self) -> &str {
        self.iri.rsplit('/').next().unwrap_or_default()
    }

    /// How many questions have a status.
    pub fn count(&self, status: RefreshStatus) -> usize {
        self.questions.iter().filter(|question| question.status == status).count()
    }
}

impl TypeResults {
    /// The metrics of a group.
    pub fn group(&self, name: &str) -> Option<&GroupResults> {
        self.groups.iter().find(|group| group.name == name)
    }

    /// The metrics of all questions.
    pub fn all(&self) -> Option<&GroupResults> {
        self.group(ALL)
    }

    /// The observation of the question at a position.
    pub fn observation(&self, position: usize) -> Option<&Observation> {
        self.questions.get(position)?.observed.as_ref().ok()
    }

    /// The questions without scores, with the reason, by position.
    pub fn skips(&self) -> impl Iterator<Item = (usize, Skip)> {
        let skips = self.questions.iter().map(|question| question.observed.as_ref().err());
        skips.enumerate().filter_map(|(position, skip)| Some((position, *skip?)))
    }

    /// Whether the answer that stands first is the right one, where answers are judged one by one.
    fn is_first_right(observation: &Observation) -> bool {
        observation.judged.first().is_some_and(|first| first.verdict == Verdict::Correct)
    }

    /// Whether the system failed a question: anything but exactly the gold answers; where only ranks count, anything but
    /// the right answer in the first place.
    pub fn is_failed(&self, observation: &Observation) -> bool {
        let by_rank = self.judges && self.is_ranking();
        if by_rank { !Self::is_first_right(observation) } else { observation.is_wrong() }
    }

    /// Whether the answer to a question is not exactly the gold answers. Where candidates are ranked, all are in the
    /// answer: there the first has to be right.
    pub fn is_wrong(&self, observation: &Observation) -> bool {
        if self.ranks_candidates { self.is_failed(observation) } else { observation.is_wrong() }
    }

    /// Whether only ranks count: there precision and recall of a whole answer say nothing.
    pub fn is_ranking(&self) -> bool {
        let mut metrics = self.all().into_iter().flat_map(|all| &all.metrics);
        !metrics.any(|(metric, _)| metric.measure.compares_sets())
    }
}

impl QuestionResults {
    /// Forgets what no published graph tells, see [`Results::published`].
    fn forget_unpublished(&mut self, may_be_classes: bool) {
        match &mut self.observed {
            Ok(observation) => observation.parts.clear(),
            Err(_) if may_be_classes => {
                let stated = |origin: Option<ItemOrigin>| origin.filter(|one| *one == ItemOrigin::Stated);
                self.origins = self.origins.map(stated);
            }
            Err(_) => {}
        }
    }
}

impl GroupResults {
    /// A metric, where it is defined.
    pub fn measured(&self, metric: &str) -> Option<&Measured> {
        let found = self.metrics.iter().find(|(known, _)| known.to_string() == metric);
        found.and_then(|(_, measured)| measured.as_ref())
    }
}

impl Observation {
    /// Whether the answer is anything but exactly the gold answers: F1 is not 1.
    fn is_wrong(&self) -> bool {
        !self.f1.is_one()
    }

    /// The rank of the first right answer, from 1, where answers are judged one by one.
    pub fn first_right(&self) -> Option<usize> {
        let position = self.judged.iter().position(|answer| answer.verdict == Verdict::Correct)?;
        Some(position + 1)
    }
}
