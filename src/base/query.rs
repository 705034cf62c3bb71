//! The files of `queries/`, embedded and named by what they answer.

use crate::base::error::{Error, Result};

/// A query file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryFile {
    /// Folder and name without `.rq`: `match/identical`.
    pub name: &'static str,
    /// The text.
    pub text: &'static str,
}

/// All query files in the order of their names. The build script lists the folder.
pub static QUERIES: &[QueryFile] = include!(concat!(env!("OUT_DIR"), "/queries.rs"));

impl QueryFile {
    /// The query with this name.
    pub fn find(name: &str) -> Result<&'static Self> {
        QUERIES.iter().find(|query| query.name == name).ok_or_else(|| {
            Error::input(format!("there is no query `{name}`"))
                .allowed(QUERIES.iter().map(|q| q.name).collect::<Vec<_>>().join(", "))
        })
    }

    /// The query that users call so: one of those that report, or any by its path.
    ///
    /// # Errors
    /// Where there is none.
    pub fn canned(name: &str) -> Result<&'static Self> {
        Self::find(&format!("report/{name}")).or_else(|_| Self::find(name))
    }

    /// What users call it: without its folder where it reports.
    pub fn called(&self) -> &'static str {
        self.name.strip_prefix("report/").unwrap_or(self.name)
    }

    /// What the queries that report are called, in a line.
    pub fn reports() -> String {
        Self::folder("report").map(Self::called).collect::<Vec<_>>().join(", ")
    }

    /// All queries of a folder.
    pub fn folder(folder: &str) -> impl Iterator<Item = &'static Self> {
        QUERIES.iter().filter(move |query| query.name.split_once('/').is_some_and(|(f, _)| f == folder))
    }

    /// The path in the project.
    pub fn path(&self) -> String {
        format!("queries/{}.rq", self.name)
    }

    /// The first line of the header: what the query answers.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }

    /// The header: the comment lines before the query.
    pub fn header(&self) -> impl Iterator<Item = &'static str> {
        let lines = self.text.lines().take_while(|line| line.starts_with('#'));
        lines.map(|line| line.trim_start_matches('#').strip_prefix(' ').unwrap_or_default())
    }
}
