//! The provenance of an execution (PROV-O), and the record that makes it and its evaluation exist.

use std::collections::BTreeSet;

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::clock::Instant;
use crate::base::iri::Mint;
use crate::base::issue::Issue;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dct, prov, qassay, rdf, schema, xsd};
use crate::measures::fraction::Fraction;
use crate::record::publish::catalogue::{checksum, register};
use crate::record::publish::graphs::EvaluationGraphs;
use crate::record::publish::stated::Typed;
use crate::scoring::evaluation::Evaluation;
use crate::sources::archive::StoredGraph;

/// The event of computing an evaluation.
#[derive(Debug, Clone)]
pub struct Execution {
    /// When it began.
    pub started: Instant,
    /// When the numbers were there.
    pub ended: Instant,
    /// The options of the command, without paths.
    pub command: String,
    /// The process, to tell executions of one instant apart.
    pub process: u32,
}

impl Execution {
    /// The digest that names the execution: of the evaluation, the time and the process.
    pub fn digest(&self, evaluation: &Evaluation) -> String {
        self.digest_of(&evaluation.digest)
    }

    /// The same of something else that was computed, by its digest.
    pub(crate) fn digest_of(&self, computed: &str) -> String {
        let text = format!("{computed}\n{}\n{}\n", self.started.nanoseconds, self.process);
        hex(&Sha256::digest(text))
    }

    /// The provenance graph. The first execution of an evaluation generates it, a later one reproduces it: what is
    /// generated twice would be two things.
    pub fn provenance(
        &self,
        mint: &Mint,
        evaluation: &Evaluation,
        graphs: &EvaluationGraphs,
        is_first: bool,
    ) -> Lines {
        let digest = self.digest(evaluation);
        let execution = mint.execution(&digest);
        let mut lines = Lines::new(&mint.provenance_graph(&digest));
        self.describe(&mut lines, mint, &execution, evaluation, graphs);
        describe_usage(&mut lines, mint, &execution, evaluation);
        describe_engine(&mut lines, mint, &execution, evaluation);
        for (node, file, issue) in issues(&execution, evaluation) {
            lines.subject(&execution).iri(qassay::ISSUE, &node);
            let message =
                if mint.model().quotes_apart() { issue.without_values() } else { issue.message.clone() };
            issue_statements(&mut lines, &node, &mint.file(file), issue, &message);
        }
        describe_results(&mut lines, mint, &execution, (evaluation, graphs), is_first);
        lines
    }

    /// The messages of the issues that quote inputs, whole: a graph that can be left out where inputs are. None where the
    /// provenance has them.
    pub fn messages(&self, mint: &Mint, evaluation: &Evaluation) -> Option<Lines> {
        messages(mint, &self.digest(evaluation), evaluation)
    }

    fn describe(
        &self,
        lines: &mut Lines,
        mint: &Mint,
        execution: &str,
        evaluation: &Evaluation,
        graphs: &EvaluationGraphs,
    ) {
        lines.subject(execution).iri(rdf::TYPE, qassay::EXECUTION).iri(qassay::EXECUTION_OF, &evaluation.iri);
        self.state_run(lines, mint);
        for (kind, graph) in graphs.iter() {
            if let Some(property) = kind.digest() {
                lines.typed(property, &graph.sha256, xsd::HEX_BINARY);
            }
        }
        // What re-execution needs to know besides the files.
        for (choice, values) in evaluation.plan.chosen() {
            choice.write(lines, &values);
        }
    }

    /// States of what the lines are about when it ran, where, and by which program.
    pub(crate) fn state_run(&self, lines: &mut Lines, mint: &Mint) {
        let nanoseconds =
            u64::try_from(self.ended.nanoseconds - self.started.nanoseconds).unwrap_or_default();
        let duration = Fraction::ratio(nanoseconds, 1_000_000_000).unwrap_or_else(Fraction::zero);
        lines
            .iri(rdf::TYPE, prov::ACTIVITY)
            .typed(prov::STARTED_AT_TIME, &self.started.date_time, xsd::DATE_TIME)
            .typed(prov::ENDED_AT_TIME, &self.ended.date_time, xsd::DATE_TIME)
            .typed(qassay::DURATION_SECONDS, &duration.to_decimal(), xsd::DECIMAL)
            .iri(prov::WAS_ASSOCIATED_WITH, &engine(mint))
            .text(schema::OPERATING_SYSTEM, &format!("{} {}", std::env::consts::OS, std::env::consts::ARCH))
            .text(schema::DESCRIPTION, &self.command);
    }

    /// The record of the execution: the registry entries of its graphs.
    pub fn record(
        &self,
        mint: &Mint,
        evaluation: &Evaluation,
        graphs: &EvaluationGraphs,
        told: &ToldGraphs,
    ) -> Lines {
        let keys = (evaluation.digest.as_str(), &*self.digest(evaluation));
        record(mint, keys, (graphs, told), &build(), &Cast::of(evaluation))
    }
}

/// The graphs that an execution writes about itself.
#[derive(Debug, Clone)]
pub struct ToldGraphs {
    /// Its provenance.
    pub provenance: StoredGraph,
    /// The messages that quote inputs, where they are apart.
    pub messages: Option<StoredGraph>,
}

/// The messages of an execution, see [`Execution::messages`], by its digest, of which the first 32 digits are enough.
pub fn messages(mint: &Mint, execution: &str, evaluation: &Evaluation) -> Option<Lines> {
    let about = mint.execution(execution);
    let mut quoting = issues(&about, evaluation)
        .filter(|(_, _, issue)| mint.model().quotes_apart() && issue.without_values() != issue.message)
        .peekable();
    quoting.peek()?;
    let mut lines = Lines::new(&mint.messages_graph(execution));
    for (node, _, issue) in quoting {
        lines.subject(&node).text(qassay::MESSAGE, &issue.message);
    }
    Some(lines)
}

/// Who plays which part in an execution, as IRIs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cast {
    /// The profile.
    pub plan: String,
    /// The roles of inputs and program.
    pub roles: BTreeSet<String>,
}

impl Cast {
    fn of(evaluation: &Evaluation) -> Self {
        let roles = inputs(evaluation).into_iter().map(|(_, _, role)| role);
        Self {
            plan: evaluation.profile().iri.clone(),
            roles: roles.chain(["role-engine".to_owned()]).map(|role| code::iri(&role)).collect(),
        }
    }
}

/// The record of an execution, from the digests of evaluation and execution (their first 32 hex digits are enough) and
/// the build that ran: what makes it possible to check a record.
pub fn record(
    mint: &Mint,
    (evaluation, execution): (&str, &str),
    (graphs, told): (&EvaluationGraphs, &ToldGraphs),
    build: &str,
    cast: &Cast,
) -> Lines {
    let mut lines = Lines::new(&mint.catalogue_graph());
    let about = mint.evaluation(evaluation);
    for (kind, graph) in graphs.iter() {
        register(&mut lines, mint, &kind.graph(mint, evaluation), &about, graph);
    }
    let about = mint.execution(execution);
    register(&mut lines, mint, &mint.provenance_graph(execution), &about, &told.provenance);
    if let Some(messages) = &told.messages {
        register(&mut lines, mint, &mint.messages_graph(execution), &about, messages);
    }
    let stated = Typed::new(&mut lines, mint).is(&cast.plan, prov::PLAN);
    cast.roles.iter().fold(stated, |stated, role| stated.is(role, prov::ROLE));
    describe_build(&mut lines, mint, build);
    lines
}

/// The record of the graph of the aggregates over groups of questions of an evaluation: it follows from the scores and
/// the dataset, and belongs to no execution.
pub fn groups_record(mint: &Mint, evaluation: &str, graph: &StoredGraph) -> Lines {
    let mut lines = Lines::new(&mint.catalogue_graph());
    let name = mint.groups_graph(evaluation);
    register(&mut lines, mint, &name, &mint.evaluation(evaluation), graph);
    lines.subject(&name).iri(prov::WAS_DERIVED_FROM, &mint.scores_graph(evaluation));
    lines
}

/// The build that runs: its version, and its commit where the build knew it: `VERSION+COMMIT`.
pub fn build() -> String {
    let version = env!("CARGO_PKG_VERSION");
    option_env!("QASSAY_GIT_COMMIT")
        .map_or_else(|| version.to_owned(), |commit| format!("{version}+{commit}"))
}

/// The IRI of the build that runs.
pub(crate) fn engine(mint: &Mint) -> String {
    mint.engine(&build())
}

/// Every input: the name of its use, its checksum, its role.
fn inputs(evaluation: &Evaluation) -> Vec<(String, &str, String)> {
    let mut inputs = vec![
        ("use-gold".to_owned(), evaluation.cases.dataset.source.sha256(), "role-gold".to_owned()),
        ("use-answers".to_owned(), evaluation.cases.submission.source.sha256(), "role-answers".to_owned()),
    ];
    for (reference, number) in evaluation.references().iter().zip(1..) {
        let role = format!("role-{}", reference.kind.name());
        let name = format!("use-{}-{number}", reference.kind.name());
        inputs.push((name, reference.source.sha256(), role));
    }
    for (what, kept) in evaluation.cases.asked.kept() {
        inputs.push((format!("use-{what}"), kept.source.sha256(), format!("role-{what}")));
    }
    inputs
}

/// Every input with its role.
fn describe_usage(out: &mut Lines, mint: &Mint, execution: &str, evaluation: &Evaluation) {
    for (name, sha256, role) in inputs(evaluation) {
        let (usage, file) = (format!("{execution}#{name}"), mint.file(sha256));
        out.subject(execution).iri(prov::USED, &file).iri(prov::QUALIFIED_USAGE, &usage);
        out.subject(&usage)
            .iri(rdf::TYPE, prov::USAGE)
            .iri(prov::ENTITY, &file)
            .iri(prov::HAD_ROLE, &code::iri(&role));
    }
}

/// The program, and its plan: the profile with the checksums of its files.
fn describe_engine(lines: &mut Lines, mint: &Mint, execution: &str, evaluation: &Evaluation) {
    describe_association(lines, mint, execution, &evaluation.profile().iri);
    for ((path, sha256), number) in evaluation.profile().plan_files().iter().zip(1..) {
        let file = format!("{execution}#plan-{number}");
        lines.subject(execution).iri(qassay::PLAN_FILE, &file);
        lines.subject(&file).iri(rdf::TYPE, prov::ENTITY_CLASS).text(dct::TITLE, path);
        checksum(lines, &file, sha256);
    }
}

/// That the program ran after a plan.
pub(crate) fn describe_association(lines: &mut Lines, mint: &Mint, execution: &str, plan: &str) {
    let association = format!("{execution}#by-engine");
    lines.subject(execution).iri(prov::QUALIFIED_ASSOCIATION, &association);
    lines
        .subject(&association)
        .iri(rdf::TYPE, prov::ASSOCIATION)
        .iri(prov::AGENT, &engine(mint))
        .iri(prov::HAD_PLAN, plan)
        .iri(prov::HAD_ROLE, &code::iri("role-engine"));
}

/// The build. It is described in the catalogue: many executions share it, and graphs are disjoint.
pub(crate) fn describe_build(lines: &mut Lines, mint: &Mint, build: &str) {
    let (version, commit) = build.split_once('+').map_or((build, None), |(v, commit)| (v, Some(commit)));
    lines
        .subject(&mint.engine(build))
        .iri(rdf::TYPE, prov::SOFTWARE_AGENT)
        .iri(rdf::TYPE, schema::SOFTWARE_APPLICATION)
        .text(schema::SOFTWARE_VERSION, version);
    if let Some(commit) = commit {
        lines.text(qassay::GIT_COMMIT, commit);
    }
}

/// The issues of an evaluation: the node that each has in an execution, and the checksum of its file.
fn issues<'a>(
    execution: &'a str,
    evaluation: &'a Evaluation,
) -> impl Iterator<Item = (String, &'a str, &'a Issue)> {
    let numbered = evaluation.issues().zip(1..);
    numbered.map(move |((file, issue), number)| (format!("{execution}#issue-{number}"), file, issue))
}

/// What came of an execution.
pub(crate) fn describe_results(
    lines: &mut Lines,
    mint: &Mint,
    execution: &str,
    (evaluation, graphs): (&Evaluation, &EvaluationGraphs),
    is_first: bool,
) {
    let graphs = graphs.iter().map(|(kind, _)| kind.graph(mint, &evaluation.digest));
    for thing in std::iter::once(evaluation.iri.clone()).chain(graphs) {
        if is_first {
            lines.subject(execution).iri(prov::GENERATED, &thing);
            lines.subject(&thing).iri(prov::WAS_GENERATED_BY, execution);
        } else {
            lines.subject(execution).iri(qassay::REPRODUCED, &thing);
        }
    }
}

/// What an issue is, where it is, how bad it is.
pub(crate) fn issue_statements(lines: &mut Lines, node: &str, file: &str, issue: &Issue, message: &str) {
    lines
        .subject(node)
        .iri(rdf::TYPE, qassay::ISSUE_CLASS)
        .iri(dct::TYPE, &code::iri(&format!("issue-{}", issue.code.name())))
        .iri(qassay::SEVERITY, &code::iri(&format!("severity-{}", issue.severity().name())))
        .text(dct::DESCRIPTION, message)
        .iri(qassay::IN_FILE, file);
    if let Some(line) = issue.place.line {
        lines.integer(qassay::LINE, line);
    }
    if let Some(path) = &issue.place.path {
        lines.text(qassay::PATH, path);
    }
    if let Some(question) = &issue.place.question {
        lines.text(qassay::QUESTION_ID, question);
    }
}
