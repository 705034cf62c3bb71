//! Why an evaluation is not computed again as it was.

use serde::Serialize;

use crate::record::verify::execution::{Build, PlanDifference};

/// The kinds of causes, in the order in which they are looked for: the first one that is found is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CauseKind {
    /// A kept input has other bytes than the evaluation used.
    OtherInput,
    /// An input is not here.
    MissingInput,
    /// A kept graph has other bytes than its checksum says: it was changed after it was written.
    ChangedGraph,
    /// The profile or a query has another text in this program, or the profile is unknown to it.
    OtherPlan,
    /// Another version or commit of the program.
    OtherSoftware,
    /// The knowledge base gives other answers.
    OtherAnswers,
    /// Nothing of this.
    Unexplained,
}

impl CauseKind {
    /// Whether other bytes with the same numbers are to be expected: the files are the same, the program is not.
    pub fn is_of_program(self) -> bool {
        matches!(self, Self::OtherPlan | Self::OtherSoftware)
    }
}

/// The first cause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FirstCause {
    /// Its kind.
    pub kind: CauseKind,
    /// What it is, in words.
    pub text: String,
    /// The file or files that it is about.
    pub files: Vec<String>,
}

impl FirstCause {
    /// A kept input has other bytes.
    pub fn other_input(role: &str, path: &str, recorded: &str, found: &str) -> Self {
        let text = format!(
            "another input: the file of the role {role}, {path}, has the sha256 {found}; the evaluation used {recorded}"
        );
        Self { kind: CauseKind::OtherInput, text, files: vec![path.to_owned()] }
    }

    /// An input is not here.
    pub fn missing_input(role: &str, path: &str) -> Self {
        let text = format!("a missing input: the file of the role {role}, {path}, is not here");
        Self { kind: CauseKind::MissingInput, text, files: vec![path.to_owned()] }
    }

    /// A kept graph has other bytes.
    pub fn changed_graph(path: &str, recorded: &str, found: &str) -> Self {
        let text =
            format!("a changed graph: {path} has the sha256 {found}; the execution recorded {recorded}");
        Self { kind: CauseKind::ChangedGraph, text, files: vec![path.to_owned()] }
    }

    /// The profile or queries have other texts.
    pub fn other_plan(files: &[PlanDifference]) -> Self {
        let files: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        let text = format!("another plan: other text in {}", files.join(", "));
        Self { kind: CauseKind::OtherPlan, text, files }
    }

    /// This program has no such profile.
    pub fn unknown_profile(iri: &str) -> Self {
        let text = format!("another plan: this program has no profile <{iri}>");
        Self { kind: CauseKind::OtherPlan, text, files: Vec::new() }
    }

    /// Another build of the program.
    pub fn other_software(recorded: &Build, this: &Build) -> Self {
        let text = format!("other software: {} then, {} now", recorded.text(), this.text());
        Self { kind: CauseKind::OtherSoftware, text, files: Vec::new() }
    }

    /// The knowledge base gives other answers to these queries.
    pub fn other_answers(knowledge_base: &str, questions: &[String]) -> Self {
        let text = format!(
            "other answers of the knowledge base {knowledge_base}: to the queries of the questions {}",
            questions.join(", ")
        );
        Self { kind: CauseKind::OtherAnswers, text, files: Vec::new() }
    }

    /// Nothing of this: what the build knows of itself decides how sure that is.
    pub fn unexplained(this: &Build) -> Self {
        let same = "inputs, plan and version are the same";
        let text = match &this.commit {
            Some(commit) => format!(
                "unexplained: {same}, and the commit ({commit}): what was recorded was changed, or qassay has a defect"
            ),
            None => format!(
                "unexplained: {same}: what was recorded was changed, or qassay has a defect (the builds do not name \
                 their commits)"
            ),
        };
        Self { kind: CauseKind::Unexplained, text, files: Vec::new() }
    }
}
