//! A file with everything that can be said about it.

use crate::base::error::Result;
use crate::base::issue::{Issue, IssueCode, Severity};
use crate::sources::catalogue::{Entry, named};
use crate::sources::document::{Document, QueryKind, Question};
use crate::sources::file::source::Source;
use crate::sources::format::{Format, read};
use crate::sources::input::asked::ask_all;
use crate::sources::input::audit::audit;
use crate::sources::quality::contents::Contents;
use crate::sources::quality::{answers, texts};
use crate::sparql::prefixes::odd_prefixes;

/// A file with everything that can be said about it.
#[derive(Debug)]
pub struct Inspection {
    /// The file.
    pub source: Source,
    /// What the reader made of it.
    pub document: Document,
    /// Its format.
    pub format: &'static Format,
    /// The file in the catalogue, where it is known.
    pub known: Option<&'static Entry>,
    /// How much of what is in it.
    pub contents: Contents,
    /// What is wrong with it: about the file first, then in the order of the questions.
    pub issues: Vec<Issue>,
}

impl Inspection {
    /// Reads a file and looks at all of it. Fails where no reader takes the file.
    pub fn of(source: Source) -> Result<Self> {
        let (mut document, format) = read(&source)?;
        audit(&mut document);
        ask_all(&mut document);
        let contents = Contents::of(&document);
        let mut issues = std::mem::take(&mut document.issues);
        for question in &document.questions {
            issues.extend(answers::issues(question));
            issues.extend(texts::issues(question));
            issues.extend(prefix_issues(question));
        }
        issues.extend(answers::without(&document));
        let known = named::known(&source);
        issues.extend(known.and_then(named::issue));
        // Readers, queries and rules each went through the file: together again, by line.
        issues.sort_by_key(|issue| issue.place.line);
        Ok(Self { source, document, format, known, contents, issues })
    }

    /// Whether something in the file is this bad or worse.
    pub fn has(&self, severity: Severity) -> bool {
        self.issues.iter().any(|issue| issue.severity() >= severity)
    }
}

/// The issues about the queries of one question.
pub(crate) fn prefix_issues(question: &Question) -> Vec<Issue> {
    let queries = question.queries.iter().filter(|query| query.kind != QueryKind::Schemaless);
    let odd = queries.flat_map(|query| odd_prefixes(&query.text)).map(|odd| {
        let message = format!(
            "the query declares `{}:` as <{}>, public endpoints know it as <{}>",
            odd.prefix, odd.declared, odd.usual
        );
        Issue::new(IssueCode::OddPrefix, &question.place.with_path("query"), message)
    });
    let mut issues: Vec<Issue> = odd.collect();
    issues.dedup();
    issues
}
