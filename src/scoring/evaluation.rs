//! The evaluation: a deterministic result, named by the digest of its inputs.

use crate::base::checksum::hex;
use crate::base::error::Result;
use crate::base::iri;
use crate::base::iri::Mint;
use crate::base::issue::Issue;
use crate::base::issue::IssueCode;
use crate::base::issue::Place;
use crate::measures::fraction::Fraction;
use crate::measures::result::Status;
use crate::profiles::Profile;
use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::loaders::Loaded;
use crate::profiles::rules::EXPERIMENTS;
use crate::profiles::rules::ExperimentRules;
use crate::profiles::rules::Reading;
use crate::references::ReferenceInput;
use crate::references::links::LinkSet;
use crate::references::links::suspicious::Example;
use crate::references::links::suspicious::MOST_MEMBERS;
use crate::references::links::suspicious::Suspicion;
use crate::references::links::suspicious::examples;
use crate::scoring::align::Alignment;
use crate::scoring::aligned::Aligned;
use crate::scoring::asked::Asked;
use crate::scoring::asked::executed::to_execute;
use crate::scoring::assessed;
use crate::scoring::cases::Answer;
use crate::scoring::cases::Answers;
use crate::scoring::cases::Cases;
use crate::scoring::experiment;
use crate::scoring::experiment::Experiment;
use crate::scoring::groups;
use crate::scoring::items::given::Given;
use crate::scoring::items::origin::Origin;
use crate::scoring::options::Prepared;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::reader::Context;
use crate::scoring::skip::Skip;
use crate::sources::document::AnswerState;
use crate::sources::document::Document;
use crate::sources::document::Question;
use crate::sources::file::source::Source;
use crate::sources::input::DatasetInput;
use crate::sources::input::SubmissionInput;
use crate::sources::input::pattern::QueryNodes;
use crate::sources::input::term;
use oxigraph::model::Term;
use sha2::Digest;
use sha2::Sha256;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

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
        let (mut experiments, skipped) = score_all(&prepared, &cases, &members)?;
        for experiment in &mut experiments {
            time_out(experiment, &asked, &alignment);
        }
        let iri = mint.evaluation(&digest);
        let mut reference_issues = link_issues(&prepared, &experiments)?;
        let sha256 = submission.source.sha256();
        reference_issues.extend(assessed::issues(&prepared, &dataset, sha256, &experiments));
        let odd = issues(&experiments, &alignment, answers);
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

/// The measure that a profile has where it asks how sure a system is.
const ASKS: &str = "kMeasure";

/// An issue for each answer with an odd confidence, and one for the answers that have none.
pub(crate) fn issues(experiments: &[Experiment], alignment: &Alignment, answers: &Document) -> Vec<Issue> {
    let asks = |experiment: &&Experiment| experiment.rules.measures(ASKS);
    experiments.iter().filter(asks).flat_map(|experiment| of(experiment, alignment, answers)).collect()
}

fn of(experiment: &Experiment, alignment: &Alignment, answers: &Document) -> Vec<Issue> {
    let (mut given, mut without, mut issues) = (0, 0, Vec::new());
    for (matched, answer) in experiment.matching.questions.iter().zip(&alignment.answers) {
        let Some(question) = answer.map(|answer| &answers.questions[answer]) else { continue };
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

fn odd(given: &Given) -> Option<&Fraction> {
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
    pub fn new(
        dataset: &DatasetInput,
        submission: &SubmissionInput,
        prepared: &Prepared,
        asked: &Asked,
    ) -> Self {
        let mut inputs = vec![
            format!("dataset {} sha256:{}", dataset.slug, dataset.source.sha256()),
            format!("submission sha256:{}", submission.source.sha256()),
            format!("profile {}", prepared.profile.iri),
            format!("gold {}", asked.origin()),
        ];
        inputs.extend(
            prepared
                .references
                .iter()
                .map(|reference| format!("{} sha256:{}", reference.kind.name(), reference.source.sha256())),
        );
        for (what, kept) in asked.kept() {
            inputs.push(format!("{what} sha256:{}", kept.source.sha256()));
            inputs.push(kept.manifest_line());
        }
        for (choice, values) in prepared.chosen() {
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

/// What was scored, and what was skipped and why.
type Scores = (Vec<Experiment>, Vec<(&'static str, Skip)>);

/// Scores all experiment types: what systems answer beside everything else, which takes about as long.
pub(crate) fn score_all(
    prepared: &Prepared,
    cases: &Cases<'_>,
    members: &groups::Membership,
) -> Result<Scores> {
    let wanted = prepared.profile.experiments.iter().filter(|rules| prepared.choices.wants(&rules.name));
    let (answers, others): (Vec<_>, Vec<_>) = wanted.partition(|rules| rules.reading.is_of_answers());
    let (answers, others) = thread::scope(|scope| {
        let others = scope.spawn(|| score(prepared, &others, cases, members));
        let answers = score(prepared, &answers, cases, members);
        (answers, others.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    });
    let (mut experiments, mut skipped) = answers?;
    let (other_experiments, other_skipped) = others?;
    experiments.extend(other_experiments);
    skipped.extend(other_skipped);
    skipped.extend(never_offered(prepared));
    experiments.sort_by_key(|experiment| EXPERIMENTS.iter().position(|name| *name == experiment.name()));
    skipped.sort_by_key(|(skipped, _)| EXPERIMENTS.iter().position(|name| name == skipped));
    Ok((experiments, skipped))
}

/// Scores some experiment types, one after the other, over one working dataset.
fn score(
    prepared: &Prepared,
    wanted: &[&Arc<ExperimentRules>],
    cases: &Cases<'_>,
    members: &groups::Membership,
) -> Result<Scores> {
    let (mut scored, mut skipped) = (Vec::new(), Vec::new());
    let mut workspace = Workspace::new(cases);
    for name in EXPERIMENTS {
        let Some(rules) = wanted.iter().find(|rules| rules.name == name) else { continue };
        match experiment::compute(prepared, rules, cases, members, &mut workspace)? {
            Ok(experiment) => scored.push(experiment),
            Err(skip) => skipped.push((name, skip)),
        }
    }
    let terms = Arc::new(workspace.into_terms());
    Ok((scored.into_iter().map(|scored| scored.with_terms(&terms)).collect(), skipped))
}

/// What the peer announces and never has results for.
fn never_offered(prepared: &Prepared) -> impl Iterator<Item = (&'static str, Skip)> {
    // Who names the experiment types is told about these only. The manifest knows no more than that.
    let is_told = prepared.wants_all();
    let announced =
        move |name: &&str| is_told && prepared.profile.not_offered.iter().any(|never| never == name);
    EXPERIMENTS.into_iter().filter(announced).map(|name| (name, Skip::NeverOffered))
}

/// How many suspicious clusters are told.
const MOST_TOLD: usize = 20;

/// What is suspicious about the clusters that items of the evaluation are in, each with the checksum of a file. Links
/// that touch no answer are a matter of `qassay links check`.
pub(crate) fn link_issues(prepared: &Prepared, experiments: &[Experiment]) -> Result<Vec<(String, Issue)>> {
    let Some(closure) = prepared.closure() else { return Ok(Vec::new()) };
    let clusters = closure.clusters(experiments.iter().flat_map(iris));
    let found = closure.suspicious(MOST_MEMBERS, Some(&clusters));
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let files: Vec<_> = prepared.references.iter().filter(|reference| reference.links().is_some()).collect();
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
