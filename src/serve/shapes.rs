//! The shapes of what the interface for programs takes and gives: its description is made of them.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::serve::replies::FieldProblem;

/// The path of the interface.
pub(crate) const API: &str = "api/v1";

/// A run that was begun.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunBegun {
    /// The address for looking: for reviewers.
    pub(crate) look: String,
    /// The address for publishing or deleting: for its owner.
    pub(crate) manage: String,
    /// How many evaluations there will be.
    pub(crate) evaluations: usize,
    /// The address at which this interface tells how far it is.
    pub(crate) run: String,
    /// The lines that would do the same at the command line.
    pub(crate) lines: Vec<String>,
}

/// How far a run is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct RunStatus {
    /// `running`: something more will happen; `done`, or `stopped` where somebody stopped a part of it.
    pub(crate) state: &'static str,
    /// When it was begun, in UTC.
    pub(crate) started: String,
    /// `private`, `wanted` (it is verified and published when all is done), `refused`, `published` or `withdrawn`.
    pub(crate) publication: &'static str,
    /// What is public of it: an IRI.
    pub(crate) published: Option<String>,
    /// Why it was not published.
    pub(crate) refused: Option<FieldProblem>,
    /// Its evaluations.
    pub(crate) evaluations: Vec<EvaluationStatus>,
}

/// How far an evaluation of a run is.
#[derive(Debug, Default, Serialize, ToSchema)]
pub(crate) struct EvaluationStatus {
    /// The system.
    pub(crate) system: String,
    /// The dataset.
    pub(crate) dataset: String,
    /// The profile.
    pub(crate) profile: String,
    /// `waiting`, `asking`, `running`, `done`, `failed` or `stopped`.
    pub(crate) state: &'static str,
    /// Its place in the queue, from 1.
    pub(crate) place: Option<usize>,
    /// What is being done.
    pub(crate) stage: Option<String>,
    /// How many steps of that are done.
    pub(crate) done: Option<u64>,
    /// How many steps that has.
    pub(crate) of: Option<u64>,
    /// How many of the questions that a system was asked had no usable reply so far; none where no system is asked.
    pub(crate) errors: Option<u64>,
    /// Why the last of them had none.
    pub(crate) last_error: Option<String>,
    /// Once it is done: whether it was public before, and so is not published again.
    pub(crate) known: Option<bool>,
    /// The key of the evaluation.
    pub(crate) key: Option<String>,
    /// Its IRI; it leads to its page once it is published.
    pub(crate) evaluation: Option<String>,
    /// The measure that is told.
    pub(crate) measure: Option<String>,
    /// Its value, with all digits.
    pub(crate) value: Option<String>,
    /// Why nothing came of it.
    pub(crate) problem: Option<FieldProblem>,
}

/// Evaluations that are published.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EvaluationList {
    /// How many fit.
    pub(crate) count: usize,
    /// The first of them.
    pub(crate) evaluations: Vec<EvaluationEntry>,
    /// The address of the next ones.
    pub(crate) next: Option<String>,
}

/// An evaluation that is published.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct EvaluationEntry {
    /// Its key.
    pub(crate) key: String,
    /// Its IRI.
    pub(crate) iri: String,
    /// The first of its systems.
    pub(crate) system: String,
    /// All of them: the same bytes may have been handed in under several names.
    pub(crate) systems: Vec<String>,
    /// The dataset.
    pub(crate) dataset: String,
    /// The profile.
    pub(crate) profile: String,
    /// The language of the questions, where one was chosen.
    pub(crate) language: Option<String>,
    /// When it was computed, in UTC.
    pub(crate) time: String,
    /// The experiment type of the value.
    pub(crate) experiment: Option<String>,
    /// The measure.
    pub(crate) measure: Option<String>,
    /// Its value, with all digits.
    pub(crate) value: Option<String>,
    /// The issues that say that the value may mean something else, such as `repeats-gold-answers`.
    pub(crate) cautions: Vec<&'static str>,
}

/// Datasets of which something is published, and those with which answers can be scored here.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DatasetList {
    /// How many fit.
    pub(crate) count: usize,
    /// The first of them.
    pub(crate) datasets: Vec<DatasetEntry>,
    /// The address of the next ones.
    pub(crate) next: Option<String>,
}

/// A dataset.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct DatasetEntry {
    /// Its name: what the field `dataset` takes, where it is offered.
    pub(crate) name: String,
    /// Whether answers can be scored with it here, by its name.
    pub(crate) offered: bool,
    /// Its IRI, where something of it is published.
    pub(crate) iri: Option<String>,
    /// Its title.
    pub(crate) title: String,
    /// How many questions it has.
    pub(crate) questions: Option<u64>,
    /// The knowledge base, where one is known; several are parted by commas.
    pub(crate) kb: Option<String>,
    /// The languages of its questions, as far as they are known.
    pub(crate) languages: Vec<&'static str>,
    /// The licence; several are parted by commas, and without one none is stated.
    pub(crate) licence: Option<String>,
    /// How many evaluations on it are published.
    pub(crate) evaluations: usize,
}

/// Systems with published evaluations.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SystemList {
    /// How many fit.
    pub(crate) count: usize,
    /// The first of them.
    pub(crate) systems: Vec<SystemEntry>,
    /// The address of the next ones.
    pub(crate) next: Option<String>,
}

/// A system.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SystemEntry {
    /// Its name.
    pub(crate) name: String,
    /// Its IRI.
    pub(crate) iri: String,
    /// How many evaluations of it are published.
    pub(crate) evaluations: usize,
}

/// What was found in files.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CheckReport {
    /// The files.
    pub(crate) files: Vec<FileReport>,
}

/// What was found in a file.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FileReport {
    /// Its name.
    pub(crate) file: String,
    /// Whether it can be read.
    pub(crate) readable: bool,
    /// What is in it, as `qassay check --format json` says it.
    pub(crate) report: Option<Value>,
    /// Why it cannot be read.
    pub(crate) problem: Option<FieldProblem>,
    /// How its ids meet those of a dataset.
    pub(crate) against: Option<Value>,
    /// What the loader makes of it, as `qassay check --loader … --format json` says it.
    pub(crate) loaded: Option<Value>,
}

/// The fields of a run, those of the page `new`: the names of the options of `qassay evaluate`.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes a form")]
#[schema(rename_all = "kebab-case")]
pub(crate) struct RunForm {
    /// Datasets of this server, by their names.
    pub(crate) dataset: Option<Vec<String>>,
    /// A dataset of one's own.
    #[schema(value_type = String, format = Binary, required = false)]
    pub(crate) gold: Option<Vec<u8>>,
    /// Files of answers.
    #[schema(value_type = Vec<String>, format = Binary, required = false)]
    pub(crate) answers: Option<Vec<Vec<u8>>>,
    /// The names of the systems, in the order of the files.
    pub(crate) system: Option<Vec<String>>,
    /// Answers that are published here, by the keys of their submissions.
    pub(crate) submission: Option<Vec<String>>,
    /// Systems that this server may ask, by their names.
    pub(crate) ask: Option<Vec<String>>,
    /// The address of a system that is asked.
    pub(crate) endpoint: Option<String>,
    /// Its protocol.
    pub(crate) protocol: Option<String>,
    /// Settings of the protocol, NAME=VALUE.
    pub(crate) set: Option<Vec<String>>,
    /// The profiles.
    pub(crate) profile: Option<Vec<String>>,
    /// The language of the questions.
    pub(crate) language: Option<String>,
    /// Which experiment types; none: all that the profile scores.
    pub(crate) experiment: Option<Vec<String>>,
    /// Registered link sets, or files of links.
    pub(crate) links: Option<Vec<String>>,
    /// Files of links.
    #[schema(value_type = Vec<String>, format = Binary, required = false)]
    pub(crate) links_file: Option<Vec<Vec<u8>>>,
    /// Kinds of links beside `owl:sameAs`.
    pub(crate) link_kind: Option<Vec<String>>,
    /// How GERBIL's profiles find the equals of a resource.
    pub(crate) same_as: Option<String>,
    /// How the gold file is loaded.
    pub(crate) loader: Option<String>,
    /// The part of the gold file.
    pub(crate) part: Option<String>,
    /// The ranks at which measures look.
    pub(crate) cutoffs: Option<Vec<u64>>,
    /// Files of labels.
    #[schema(value_type = Vec<String>, format = Binary, required = false)]
    pub(crate) labels: Option<Vec<Vec<u8>>>,
    /// Files of types.
    #[schema(value_type = Vec<String>, format = Binary, required = false)]
    pub(crate) types: Option<Vec<Vec<u8>>>,
    /// Files of classes.
    #[schema(value_type = Vec<String>, format = Binary, required = false)]
    pub(crate) classes: Option<Vec<Vec<u8>>>,
    /// Files of types of questions.
    #[schema(value_type = Vec<String>, format = Binary, required = false)]
    pub(crate) question_types: Option<Vec<Vec<u8>>>,
    /// Files of assessments.
    #[schema(value_type = Vec<String>, format = Binary, required = false)]
    pub(crate) assessments: Option<Vec<Vec<u8>>>,
    /// Pinned knowledge bases.
    pub(crate) kb: Option<Vec<String>>,
    /// curated, refreshed or both.
    pub(crate) gold_answers: Option<String>,
    /// private or public.
    pub(crate) visibility: Option<String>,
    /// Who made it: name, and ORCID or the address of a page.
    pub(crate) creator: Option<String>,
    /// The licence of the answers.
    pub(crate) licence: Option<String>,
    /// What the publication is called.
    pub(crate) title: Option<String>,
}

/// Answers that are handed in for a test phase.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes a form")]
pub(crate) struct SubmissionForm {
    /// What names the phase: the page `new` has it.
    pub(crate) phase: String,
    /// Files of answers.
    #[schema(value_type = Vec<String>, format = Binary, min_items = 1)]
    pub(crate) answers: Vec<Vec<u8>>,
    /// The names of the systems, in the order of the files.
    pub(crate) system: Option<Vec<String>>,
}

/// Files to be looked at.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes a form")]
pub(crate) struct CheckForm {
    /// The files.
    #[schema(value_type = Vec<String>, format = Binary, min_items = 1)]
    pub(crate) file: Vec<Vec<u8>>,
    /// A dataset of this server, with whose ids theirs are compared.
    pub(crate) against: Option<String>,
    /// Their encoding, where it is known better.
    pub(crate) encoding: Option<String>,
    /// A loader that is to say which questions it takes: `plain`, `table1` or `gerbil-current`.
    pub(crate) loader: Option<String>,
}

/// Who publishes.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes a form")]
pub(crate) struct PublishForm {
    /// Who made it: name, and ORCID or the address of a page; none: what was said when the run was begun.
    pub(crate) creator: Option<String>,
    /// The licence of the answers; none: what was said before, else files are not offered.
    pub(crate) licence: Option<String>,
    /// What the publication is called; none: what was said before, else what is in it.
    pub(crate) title: Option<String>,
}

/// Why it is withdrawn.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it describes a form")]
pub(crate) struct WithdrawForm {
    /// A sentence for everybody.
    pub(crate) reason: String,
}
