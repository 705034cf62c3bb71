//! The evaluation: a deterministic result, named by the digest of its inputs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use oxigraph::model::Term;
use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::error::Result;
use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::watch::Watcher;
use crate::measures::fraction::Fraction;
use crate::measures::result::Status;
use crate::profiles::Profile;
use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::rules::Reading;
use crate::references::links::LinkSet;
use crate::references::links::suspicious::{Example, MOST_MEMBERS, Suspicion, examples};
use crate::references::{ReferenceInput, ReferenceKind};
use crate::scoring::asked::executed::to_execute;
use crate::scoring::cases::{Answer, Case, Cases};
use crate::scoring::experiment::{Experiment, Group};
use crate::scoring::groups::Grouping;
use crate::scoring::items::given::GivenAnswer;
use crate::scoring::items::origin::ItemOrigin;
use crate::scoring::plan::Plan;
use crate::scoring::reader::Setting;
use crate::scoring::repeats;
use crate::scoring::score::score_all;
use crate::scoring::skip::Skip;
use crate::scoring::{assessed, block, gold, groups};
use crate::sources::document::{AnswerState, Document, Question};
use crate::sources::file::source::Source;
use crate::sources::input::answer::{Item, LabelColumns, answer_type, inferred_type, labels};
use crate::sources::input::term;

/// A submission scored against a dataset.
#[derive(Debug)]
pub struct Evaluation {
    /// Dataset and submission, question by question.
    pub cases: Cases,
    /// The profile with its references and the choices of the user.
    pub plan: Arc<Plan>,
    /// sha256 of the manifest.
    pub digest: String,
    /// IRI of the evaluation.
    pub iri: String,
    /// The experiment types that were scored, in the order of [`EXPERIMENTS`].
    pub experiments: Vec<Experiment>,
    /// The experiment types that have no scores, and why.
    pub skipped: Vec<(&'static str, Skip)>,
    /// The groups of open schemes, which no ontology lists: name, and label as written.
    pub open_groups: BTreeMap<String, String>,
    /// What was noticed beside what the readers of the files say, each with the checksum of a file.
    noticed: Vec<(String, Issue)>,
}

impl Evaluation {
    /// Scores a submission, and measures every group of questions.
    ///
    /// # Errors
    /// As [`Evaluation::with_groups`].
    pub fn compute(mint: &Mint, cases: Cases, plan: Arc<Plan>, watcher: &dyn Watcher) -> Result<Self> {
        Self::with_groups(mint, cases, plan, Grouping::Shown, watcher)
    }

    /// Scores a submission, and measures the wanted groups of questions.
    ///
    /// # Errors
    /// Where a reference names a question that the dataset does not have; where a file of links cannot be read again.
    /// Where the watcher no longer wants it.
    pub fn with_groups(
        mint: &Mint,
        cases: Cases,
        plan: Arc<Plan>,
        wanted: Grouping,
        watcher: &dyn Watcher,
    ) -> Result<Self> {
        Self::in_blocks(mint, cases, plan, wanted, (block::QUESTIONS, watcher))
    }

    /// The same in blocks of a size, on which nothing depends.
    pub(crate) fn in_blocks(
        mint: &Mint,
        cases: Cases,
        plan: Arc<Plan>,
        wanted: Grouping,
        how: (usize, &dyn Watcher),
    ) -> Result<Self> {
        let digest = Manifest::new(&cases, &plan).digest();
        assessed::check(&plan, &cases.dataset)?;
        let members = groups::membership(mint, &plan, &cases, wanted)?;
        let open_groups = groups::open(&plan, &cases.dataset, &members);
        let (mut experiments, skipped) = score_all(&plan, &cases, &members, how)?;
        for experiment in &mut experiments {
            time_out(experiment, &cases);
        }
        let iri = mint.evaluation(&digest);
        let noticed = noticed(&plan, &cases, &experiments)?;
        Ok(Self { cases, plan, digest, iri, experiments, skipped, open_groups, noticed })
    }

    /// The profile.
    pub fn profile(&self) -> &Profile {
        &self.plan.profile
    }

    /// An experiment type that was scored.
    pub fn experiment(&self, name: &str) -> Option<&Experiment> {
        self.experiments.iter().find(|experiment| experiment.name() == name)
    }

    /// The groups of questions of all experiment types.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        self.experiments.iter().flat_map(|experiment| &experiment.groups)
    }

    /// The references that decided something, in order of their IRIs.
    pub fn references(&self) -> &[Arc<ReferenceInput>] {
        &self.plan.references.files
    }

    /// The link sets among the references.
    pub fn links(&self) -> impl Iterator<Item = (&ReferenceInput, &LinkSet)> {
        self.references().iter().filter_map(|reference| Some((&**reference, reference.links()?)))
    }

    /// The node of the gold answer that an experiment type looks at: what it reads of queries is in the curated one.
    pub fn gold_node(&self, experiment: &Experiment, position: usize) -> String {
        match self.cases.asked.gold.as_ref().filter(|_| reads_answers(experiment)) {
            Some(gold) => gold.node(&self.cases.question_node(position), position),
            None => self.cases.gold_node(position),
        }
    }

    /// The nodes of the tied rows of gold that count in a question, sorted.
    pub fn counted_rows(&self, experiment: &Experiment, position: usize) -> Vec<String> {
        let gold = self.gold_node(experiment, position);
        let groups = experiment.matching.questions[position].counted_rows.iter().zip(1..);
        let nodes = groups.flat_map(|(rows, group)| rows.iter().map(move |row| (group, *row)));
        let mut nodes: Vec<String> = nodes.map(|(group, row)| iri::tied_row(&gold, group, row + 1)).collect();
        nodes.sort_unstable();
        nodes
    }

    /// The node of the system's answer that an experiment type looks at: that of the submission, or that of its query.
    pub fn system_node(&self, experiment: &Experiment, position: usize) -> Option<String> {
        let executed = self.cases.executed_node(position).filter(|_| reads_answers(experiment));
        executed.or_else(|| self.cases.submitted_node(position))
    }

    /// Where the items of gold and system come from in a question, where there are several ways.
    pub fn origins(&self, experiment: &Experiment, position: usize) -> [Option<ItemOrigin>; 2] {
        let context = Setting { plan: &self.plan, rules: &experiment.rules };
        let gold = &self.cases.gold().questions[position];
        let case = self.cases.at(position);
        let gold = ItemOrigin::of(&context, &Answer { question: gold, query: case.gold.query });
        [gold, case.system.and_then(|answer| ItemOrigin::of(&context, &answer))]
    }

    /// The items of gold and system that the profile reads as labels, and not as answers, in a question that has scores.
    /// Those of a question that a loader changed have no nodes, and are not told.
    pub fn labels(&self, experiment: &Experiment, position: usize) -> [Vec<Item<'_>>; 2] {
        let columns = self.profile().label_columns;
        let is_told = || {
            experiment.matching.questions[position].skip.is_none() && !self.cases.loaded.is_changed(position)
        };
        if columns == LabelColumns::Answers || experiment.rules.reading != Reading::Terms || !is_told() {
            return Default::default();
        }
        let Case { gold, system, .. } = self.cases.at(position);
        [Some(gold), system].map(|side| side.map_or_else(Vec::new, |side| labels(side.question, columns)))
    }

    /// The types that answers have where labels are none, by the nodes of the answers: graphs of files, which know no
    /// profile, see labels among the answers and say none.
    pub fn types_without_labels(&self, experiment: &Experiment) -> Vec<(String, &'static str)> {
        let columns = self.profile().label_columns;
        if experiment.rules.reading != Reading::AnswerType || columns == LabelColumns::Answers {
            return Vec::new();
        }
        let type_of = |question: &Question| {
            let is_open =
                answer_type(question).is_none() && inferred_type(question, LabelColumns::Answers).is_none();
            is_open.then(|| inferred_type(question, columns)).flatten()
        };
        let typed = self.cases.gold().questions.iter().enumerate().flat_map(|(position, question)| {
            let gold = type_of(question).map(|name| (self.gold_node(experiment, position), name));
            let answered = self.cases.answer(position).and_then(type_of);
            let system = answered.and_then(|name| Some((self.system_node(experiment, position)?, name)));
            [gold, system].into_iter().flatten()
        });
        typed.collect()
    }

    /// The content of the triple patterns of a question on both sides, by their IRIs; nothing where the items of the
    /// experiment type are something else.
    pub fn pattern_texts(&self, experiment: &Experiment, position: usize) -> BTreeMap<String, String> {
        if experiment.rules.reading != Reading::Patterns {
            return BTreeMap::new();
        }
        let Case { gold, system, .. } = self.cases.at(position);
        let patterns = std::iter::once(gold).chain(system).flat_map(|answer| answer.query.patterns());
        patterns.map(|(node, pattern)| (node.iri.clone(), pattern.text())).collect()
    }

    /// What was noticed: in the dataset file and by its loader, in the submission file, in the references, and between
    /// them.
    pub fn issues(&self) -> impl Iterator<Item = (&str, &Issue)> {
        let Cases { dataset, submission, loaded, .. } = &self.cases;
        let (gold, answers) = (dataset.source.sha256(), submission.source.sha256());
        let of_dataset = dataset.document.issues.iter().chain(loaded.issues());
        // A file that is both sides is one file; what it says of one side only is said of the other nowhere.
        let said: HashSet<&Issue> = dataset.document.issues.iter().filter(|_| gold == answers).collect();
        let of_submission = submission.document.issues.iter().filter(move |issue| !said.contains(issue));
        let references = self
            .references()
            .iter()
            .flat_map(|reference| reference.issues().iter().map(|issue| (reference.source.sha256(), issue)));
        of_dataset
            .map(move |issue| (gold, issue))
            .chain(of_submission.map(move |issue| (answers, issue)))
            .chain(references)
            .chain(self.noticed.iter().map(|(sha256, issue)| (sha256.as_str(), issue)))
    }
}

/// What is odd about links, assessments and confidences, about ids that do not meet, and about queries that were run or
/// were not; each with the checksum of a file.
fn noticed(plan: &Plan, cases: &Cases, experiments: &[Experiment]) -> Result<Vec<(String, Issue)>> {
    let [gold, answers] = [&cases.dataset, &cases.submission].map(|file| file.source.sha256().to_owned());
    let of_answers = |issue: Issue| (answers.clone(), issue);
    let mut noticed = link_issues(plan, experiments)?;
    noticed.extend(assessed::issues(plan, &cases.dataset, &answers, experiments));
    noticed.extend(issues(experiments, cases).into_iter().map(of_answers));
    let between = cases.alignment.issues.iter().map(|issue| {
        let is_gold = issue.code == IssueCode::QuestionNotSubmitted;
        (if is_gold { &gold } else { &answers }.clone(), issue.clone())
    });
    noticed.extend(between);
    noticed.extend(repeats::issues(cases).into_iter().map(of_answers));
    noticed.extend(gold::counts_as_empty(&plan.profile, cases).map(|issue| (gold.clone(), issue)));
    match &cases.asked.executed {
        None => noticed.extend(not_executed(&cases.submission.document, &plan.profile).map(of_answers)),
        Some(executed) => noticed.extend(executed.issues.iter().cloned().map(of_answers)),
    }
    Ok(noticed)
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
fn time_out(experiment: &mut Experiment, cases: &Cases) {
    let Some(executed) = cases.asked.executed.as_ref().filter(|_| experiment.is_of_answers()) else { return };
    for (result, answer) in experiment.results.iter_mut().zip(&cases.alignment.answers) {
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

/// The measure that a profile has where it asks how sure a system is.
const ASKS: &str = "kMeasure";

/// An issue for each answer with an odd confidence, and one for the answers that have none.
fn issues(experiments: &[Experiment], cases: &Cases) -> Vec<Issue> {
    let asks = |experiment: &&Experiment| experiment.rules.measures(ASKS);
    experiments.iter().filter(asks).flat_map(|experiment| of(experiment, cases)).collect()
}

fn of(experiment: &Experiment, cases: &Cases) -> Vec<Issue> {
    let (mut given, mut without, mut issues) = (0, 0, Vec::new());
    for (matched, answer) in experiment.matching.questions.iter().zip(&cases.alignment.answers) {
        let Some(question) = answer.map(|answer| &cases.answers().questions[answer]) else { continue };
        given += matched.given.len();
        without += matched.given.iter().filter(|given| given.score.is_none()).count();
        for (odd, score) in matched.given.iter().filter_map(|given| Some((given, odd(given)?))) {
            let text = odd.item.map_or_else(
                || "that there is none".to_owned(),
                |item| format!("{:?}", term::text(experiment.matching.term(item))),
            );
            let message = format!(
                "the confidence {} of the answer {text} is no number from 0 to 1: K, K1, calibration and Brier score are undefined",
                score.to_decimal()
            );
            let place = Place { question: Some(question.id.clone()), ..question.place.clone() };
            issues.push(Issue::new(IssueCode::OddConfidence, &place, message));
        }
    }
    if without > 0 {
        let message =
            format!("{without} of {given} answers have no confidence: measures of confidence are undefined");
        issues.insert(0, Issue::new(IssueCode::OddConfidence, &Place::default(), message));
    }
    issues
}

fn odd(given: &GivenAnswer) -> Option<&Fraction> {
    let score = given.score.as_ref()?;
    (*score < Fraction::zero() || *score > Fraction::one()).then_some(score)
}

/// Everything that decides the numbers of an evaluation, as sorted lines. No clock, host, path or build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    lines: Vec<String>,
}

impl Manifest {
    /// The manifest of an evaluation.
    pub fn new(cases: &Cases, plan: &Plan) -> Self {
        let Cases { dataset, submission, asked, .. } = cases;
        let mut inputs = vec![
            format!("dataset {} sha256:{}", dataset.name, dataset.source.sha256()),
            format!("submission sha256:{}", submission.source.sha256()),
            format!("profile {}", plan.profile.iri),
            format!("gold {}", asked.origin()),
        ];
        inputs.extend(
            plan.references
                .files
                .iter()
                .map(|reference| format!("{} sha256:{}", reference.kind.name(), reference.source.sha256())),
        );
        for (what, kept) in asked.kept() {
            inputs.push(format!("{what} sha256:{}", kept.sha256));
            inputs.push(kept.manifest_line());
        }
        for (choice, values) in plan.chosen() {
            let values = choice.written(values).into_iter();
            inputs.extend(values.map(|value| format!("{} {value}", choice.manifest)));
        }
        inputs.sort_unstable();
        inputs.dedup();
        Self { lines: inputs }
    }

    /// The lines, sorted.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// sha256 of the lines: 64 lower-case hex digits.
    pub fn digest(&self) -> String {
        let mut text = self.lines.join("\n");
        text.push('\n');
        hex(&Sha256::digest(text))
    }
}

/// How many suspicious clusters are told.
const MOST_TOLD: usize = 20;

/// What is suspicious about the clusters that items of the evaluation are in, each with the checksum of a file. Links
/// that touch no answer are a matter of `qassay links check`.
pub(crate) fn link_issues(plan: &Plan, experiments: &[Experiment]) -> Result<Vec<(String, Issue)>> {
    let Some(closure) = &plan.references.links else { return Ok(Vec::new()) };
    let clusters = closure.clusters(experiments.iter().flat_map(iris));
    let found = closure.suspicious(MOST_MEMBERS, Some(&clusters));
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let files: Vec<_> = plan.references.of(ReferenceKind::Links).collect();
    let sources: Vec<&Source> = files.iter().map(|file| &file.source).collect();
    let told = &found[..found.len().min(MOST_TOLD)];
    let file = |example: &Example| example.chain.first().map_or(0, |link| link.file);
    let mut link_issues = Vec::new();
    for (suspicion, example) in told.iter().zip(examples(closure, &sources, told)?) {
        let sha256 = sources[file(&example)].sha256();
        let of_cluster = of_cluster(suspicion, &example);
        link_issues.extend(of_cluster.into_iter().map(|issue| (sha256.to_owned(), issue)));
    }
    if found.len() > told.len() {
        let code = if found[told.len()].is_large { IssueCode::LargeCluster } else { IssueCode::TwoOfOneKb };
        let message = format!(
            "{} more clusters of answers are suspicious; `qassay links check` lists them",
            found.len() - told.len()
        );
        link_issues.push((sources[0].sha256().to_owned(), Issue::new(code, &Place::default(), message)));
    }
    Ok(link_issues)
}

/// The IRIs of both sides.
fn iris(experiment: &Experiment) -> BTreeSet<&str> {
    let items = experiment
        .matching
        .questions
        .iter()
        .flat_map(|question| question.gold.iter().chain(&question.system));
    let numbers: BTreeSet<u32> = items.copied().collect();
    let iri = |number: u32| match experiment.matching.term(number) {
        Term::NamedNode(node) => Some(node.as_str()),
        _ => None,
    };
    numbers.into_iter().filter_map(iri).collect()
}

fn of_cluster(suspicion: &Suspicion, example: &Example) -> Vec<Issue> {
    let named = example.members.iter().map(|member| format!("<{member}>")).collect::<Vec<_>>().join(", ");
    let mut link_issues = Vec::new();
    if suspicion.is_large {
        let message = format!(
            "the links put {} resources into one cluster, more than {MOST_MEMBERS}; the first are {named}",
            suspicion.size
        );
        link_issues.push(Issue::new(IssueCode::LargeCluster, &Place::default(), message));
    }
    if let (Some([one, other]), Some((space, _))) = (&example.two, suspicion.repeated.first()) {
        let chain: Vec<String> = example
            .chain
            .iter()
            .map(|found| format!("<{}> = <{}>", found.link.from, found.link.to))
            .collect();
        let message = format!(
            "the links make <{one}> and <{other}> one, and {space} keeps them apart: {}",
            chain.join(", ")
        );
        link_issues.push(Issue::new(IssueCode::TwoOfOneKb, &Place::default(), message));
    }
    link_issues
}
