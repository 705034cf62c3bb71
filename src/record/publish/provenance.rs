//! The provenance of an execution (PROV-O), and the record that makes it and its evaluation exist.

use sha2::{Digest, Sha256};

use crate::base::checksum::hex;
use crate::base::clock::Instant;
use crate::base::iri::Mint;
use crate::base::issue::Issue;
use crate::base::rdf::lines::Lines;
use crate::base::vocab::{code, dct, prov, qassay, rdf, schema, xsd};
use crate::measures::fraction::Fraction;
use crate::record::publish::catalogue::{checksum, register};
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

/// The graphs of an evaluation as they were written.
#[derive(Debug, Clone)]
pub struct EvaluationGraphs {
    /// The observations.
    pub scores: StoredGraph,
    /// The matches.
    pub matches: StoredGraph,
}

impl Execution {
    /// The digest that names the execution: of the evaluation, the time and the process.
    pub fn digest(&self, evaluation: &Evaluation) -> String {
        let text = format!("{}\n{}\n{}\n", evaluation.digest, self.started.nanoseconds, self.process);
        hex(&Sha256::digest(text))
    }

    /// The provenance graph.
    pub fn provenance(&self, mint: &Mint, evaluation: &Evaluation, graphs: &EvaluationGraphs) -> Lines {
        let digest = self.digest(evaluation);
        let execution = mint.execution(&digest);
        let mut lines = Lines::new(&mint.provenance_graph(&digest));
        self.describe(&mut lines, mint, &execution, evaluation, graphs);
        describe_usage(&mut lines, mint, &execution, evaluation);
        describe_engine(&mut lines, mint, &execution, evaluation);
        for ((file, issue), number) in evaluation.issues().zip(1..) {
            describe_issue(&mut lines, &execution, number, &mint.file(file), issue);
        }
        let (scores, matches) = (mint.scores_graph(&evaluation.digest), mint.match_graph(&evaluation.digest));
        for thing in [&evaluation.iri, &scores, &matches] {
            lines.subject(&execution).iri(prov::GENERATED, thing);
            lines.subject(thing).iri(prov::WAS_GENERATED_BY, &execution);
        }
        lines
    }

    fn describe(
        &self,
        lines: &mut Lines,
        mint: &Mint,
        execution: &str,
        evaluation: &Evaluation,
        graphs: &EvaluationGraphs,
    ) {
        let nanoseconds =
            u64::try_from(self.ended.nanoseconds - self.started.nanoseconds).unwrap_or_default();
        let duration = Fraction::ratio(nanoseconds, 1_000_000_000).unwrap_or_else(Fraction::zero);
        lines
            .subject(execution)
            .iri(rdf::TYPE, qassay::EXECUTION)
            .iri(rdf::TYPE, prov::ACTIVITY)
            .iri(qassay::EXECUTION_OF, &evaluation.iri)
            .typed(prov::STARTED_AT_TIME, &self.started.date_time, xsd::DATE_TIME)
            .typed(prov::ENDED_AT_TIME, &self.ended.date_time, xsd::DATE_TIME)
            .typed(qassay::DURATION_SECONDS, &duration.to_decimal(), xsd::DECIMAL)
            .typed(qassay::SCORES_DIGEST, &graphs.scores.sha256, xsd::HEX_BINARY)
            .typed(qassay::MATCH_DIGEST, &graphs.matches.sha256, xsd::HEX_BINARY)
            .iri(prov::WAS_ASSOCIATED_WITH, &engine(mint))
            .text(schema::OPERATING_SYSTEM, &format!("{} {}", std::env::consts::OS, std::env::consts::ARCH))
            .text(schema::DESCRIPTION, &self.command);
        // What re-execution needs to know besides the files.
        for (choice, values) in evaluation.plan.chosen() {
            choice.write(lines, &values);
        }
    }

    /// The record of the execution: the registry entries of its graphs.
    pub fn record(
        &self,
        mint: &Mint,
        evaluation: &Evaluation,
        graphs: &EvaluationGraphs,
        provenance: &StoredGraph,
    ) -> Lines {
        record(mint, (&evaluation.digest, &self.digest(evaluation)), graphs, provenance, &build())
    }
}

/// The record of an execution, from the digests of evaluation and execution (their first 32 hex digits are enough) and
/// the build that ran: what makes it possible to check a record.
pub fn record(
    mint: &Mint,
    (evaluation, execution): (&str, &str),
    graphs: &EvaluationGraphs,
    provenance: &StoredGraph,
    build: &str,
) -> Lines {
    let mut lines = Lines::new(&mint.catalogue_graph());
    let about = mint.evaluation(evaluation);
    register(&mut lines, &mint.scores_graph(evaluation), &about, &graphs.scores);
    register(&mut lines, &mint.match_graph(evaluation), &about, &graphs.matches);
    register(&mut lines, &mint.provenance_graph(execution), &mint.execution(execution), provenance);
    describe_build(&mut lines, mint, build);
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

/// Every input with its role.
fn describe_usage(out: &mut Lines, mint: &Mint, execution: &str, evaluation: &Evaluation) {
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
    for (name, sha256, role) in inputs {
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
    let (engine, association) = (engine(mint), format!("{execution}#by-engine"));
    lines.subject(execution).iri(prov::QUALIFIED_ASSOCIATION, &association);
    lines
        .subject(&association)
        .iri(rdf::TYPE, prov::ASSOCIATION)
        .iri(prov::AGENT, &engine)
        .iri(prov::HAD_PLAN, &evaluation.profile().iri)
        .iri(prov::HAD_ROLE, &code::iri("role-engine"));
    for ((path, sha256), number) in evaluation.profile().plan_files().iter().zip(1..) {
        let file = format!("{execution}#plan-{number}");
        lines.subject(execution).iri(qassay::PLAN_FILE, &file);
        lines.subject(&file).iri(rdf::TYPE, prov::ENTITY_CLASS).text(dct::TITLE, path);
        checksum(lines, &file, sha256);
    }
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

fn describe_issue(lines: &mut Lines, execution: &str, number: u64, file: &str, issue: &Issue) {
    let node = format!("{execution}#issue-{number}");
    lines.subject(execution).iri(qassay::ISSUE, &node);
    issue_statements(lines, &node, file, issue);
}

/// What an issue is, where it is, how bad it is.
pub(crate) fn issue_statements(lines: &mut Lines, node: &str, file: &str, issue: &Issue) {
    lines
        .subject(node)
        .iri(rdf::TYPE, qassay::ISSUE_CLASS)
        .iri(dct::TYPE, &code::iri(&format!("issue-{}", issue.code.name())))
        .iri(qassay::SEVERITY, &code::iri(&format!("severity-{}", issue.severity().name())))
        .text(dct::DESCRIPTION, &issue.message)
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
