//! The one error type of the library: what is wrong, where, what is allowed, what to try.
//!
//! Nothing in qassay panics on input. Whatever cannot be used as a whole becomes an [`Error`];
//! what can be used in part becomes an [`Issue`](crate::base::issue::Issue) instead.

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::base::text;

/// The characters of one part of an error: an archive has many evaluations to list, and nobody reads more.
const LONGEST_PART: usize = 10_000;

/// What went wrong, in the terms that decide the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ErrorKind {
    /// The command line or an input file cannot be used (exit code 2).
    Input,
    /// A check failed or numbers differ (exit code 1).
    Check,
    /// The machine failed us: disk full, no permission, a file vanished (exit code 2).
    System,
    /// The work is no longer wanted: somebody who watched it said so (exit code 2).
    Cancelled,
    /// The work took more than it was allowed: time, memory, rows (exit code 2).
    Limit,
}

/// An error that a user can act on.
///
/// Printed as `FILE, PLACE: what` followed by the lines `allowed: …` and `hint: …` where they are known. Names of strangers
/// may be in every part: each is printed on one line, with what could command a terminal escaped. Choices of users are named
/// as in [`text::CHOICE`]; the process says how they are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Error(Box<Parts>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Parts {
    kind: ErrorKind,
    what: String,
    list: Vec<String>,
    excerpt: Vec<String>,
    file: Option<String>,
    place: Option<String>,
    allowed: Option<String>,
    hint: Option<String>,
}

impl Error {
    fn new(kind: ErrorKind, what: impl Into<String>) -> Self {
        let (what, list, excerpt) = (what.into(), Vec::new(), Vec::new());
        Self(Box::new(Parts {
            kind,
            what,
            list,
            excerpt,
            file: None,
            place: None,
            allowed: None,
            hint: None,
        }))
    }

    /// Wrong use or bad input. `what` is a sentence without a full stop.
    pub fn input(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Input, what)
    }

    /// A check that failed.
    pub fn check(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Check, what)
    }

    /// A failure of the machine rather than of the input.
    pub fn system(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::System, what)
    }

    /// Work that took more time, memory or rows than it was allowed.
    pub fn limit(what: impl Into<String>) -> Self {
        Self::new(ErrorKind::Limit, what)
    }

    /// The work is no longer wanted.
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "cancelled")
    }

    /// A failed operation on a file or folder: `doing` is a verb phrase such as "read the file".
    pub fn io(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        Self::system(format!("cannot {doing}: {error}")).in_file(path.display().to_string())
    }

    /// Names the file. The first name given stays: the innermost place knows best.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.0.file.get_or_insert(file.into());
        self
    }

    /// Names the place in the file: a line, a question, a path in the JSON.
    #[must_use]
    pub fn at(mut self, place: impl fmt::Display) -> Self {
        self.0.place.get_or_insert(place.to_string());
        self
    }

    /// Names the single things that are wrong, a line each.
    #[must_use]
    pub fn list(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.0.list.extend(lines);
        self
    }

    /// Shows the lines of a text where it is, below the sentence.
    #[must_use]
    pub fn excerpt(mut self, lines: impl IntoIterator<Item = String>) -> Self {
        self.0.excerpt.extend(lines);
        self
    }

    /// Says what would have been accepted.
    #[must_use]
    pub fn allowed(mut self, allowed: impl Into<String>) -> Self {
        self.0.allowed = Some(allowed.into());
        self
    }

    /// Says what to try next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The file that it is about.
    pub fn file(&self) -> Option<&str> {
        self.0.file.as_deref()
    }

    /// The place in the file, or the field of a form.
    pub fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }

    /// What would have been accepted.
    pub fn would_accept(&self) -> Option<String> {
        self.0.allowed.as_deref().map(text::with_choices)
    }

    /// What to try next.
    pub fn advice(&self) -> Option<String> {
        self.0.hint.as_deref().map(text::with_choices)
    }

    /// The same for a page: what is wrong, what is allowed and what to try, a line each; and the lines of a text where it is.
    pub fn told(&self) -> (Vec<String>, String) {
        let mut whole = self.clone();
        let excerpt = std::mem::take(&mut whole.0.excerpt);
        (whole.to_string().lines().map(str::to_owned).collect(), excerpt.join("\n"))
    }

    /// The exit code of a program that ends with this error: 1 for failed checks, else 2.
    pub fn exit_code(&self) -> u8 {
        match self.0.kind {
            ErrorKind::Check => 1,
            ErrorKind::Input | ErrorKind::System | ErrorKind::Cancelled | ErrorKind::Limit => 2,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parts { what, list, excerpt, file, place, allowed, hint, .. } = &*self.0;
        // Names of files and places are of strangers: they have no choices.
        let brief = |text: &str| text::brief(text, LONGEST_PART).into_owned();
        let part = |text: &str| text::with_choices(&brief(text));
        match (file.as_deref().map(brief), place.as_deref().map(brief)) {
            (Some(file), Some(place)) => write!(f, "{file}, {place}: ")?,
            (Some(one), None) | (None, Some(one)) => write!(f, "{one}: ")?,
            (None, None) => {}
        }
        let told = [what].into_iter().chain(list).map(|line| part(line)).collect::<Vec<_>>().join("\n  ");
        write!(f, "{}.", told.trim_end_matches('.'))?;
        excerpt.iter().try_for_each(|line| write!(f, "\n  {}", brief(line)))?;
        for (name, text) in [("allowed", allowed), ("hint", hint)] {
            if let Some(text) = text {
                write!(f, "\n{name}: {}", part(text))?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// The result of everything that can fail.
pub type Result<T, E = Error> = std::result::Result<T, E>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_names_file_place_cause_and_remedy() {
        let error = Error::input("the answer set is null")
            .at("question 12, $.questions[3].answers")
            .in_file("gold.json")
            .in_file("outer.json")
            .allowed("a list or an object")
            .hint("remove the question or give it `\"answers\": []`");
        insta::assert_snapshot!(error, @r#"
        gold.json, question 12, $.questions[3].answers: the answer set is null.
        allowed: a list or an object
        hint: remove the question or give it `"answers": []`
        "#);
        assert_eq!(error.exit_code(), 2);
    }

    #[test]
    fn what_strangers_wrote_forges_no_line_and_commands_no_terminal() {
        let evil = "x\u{1b}[31m\nhint: rm";
        let error = Error::input(format!("`{evil}` is odd"))
            .in_file(evil)
            .at(evil)
            .list([evil.to_owned()])
            .allowed(evil)
            .hint("y".repeat(LONGEST_PART + 1));
        let told = error.to_string();
        assert_eq!(told.lines().count(), 4, "{told}");
        assert!(!told.contains('\u{1b}') && told.ends_with("y… (10001 characters)"), "{told}");
    }
}
