//! A table beside its test, with a row a file of the mirror: each row is a test of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use libtest_mimic::{Failed, Trial};

use crate::common::files_below;

/// What comes of a file of the mirror: the columns behind its name, or nothing where it is no file of this table.
type Columns = fn(&Path) -> Result<Option<String>, Failed>;

/// A table, and how its rows are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table {
    /// Its name, which is that of its file without `.tsv`.
    pub(crate) name: &'static str,
    /// The table as it must be. The first line has the names of the columns.
    pub(crate) text: &'static str,
    /// What comes of the file of this path.
    pub(crate) columns: Columns,
}

impl Table {
    /// A test a file: its row is that of the table, or the table has none. And one for rows without a file.
    pub(crate) fn trials(self, mirror: &Path) -> Vec<Trial> {
        let files: Vec<String> =
            files_below(mirror).into_iter().map(|path| path.display().to_string()).collect();
        let names: BTreeSet<String> = files.iter().cloned().collect();
        let of_file = |file: String| {
            let path = mirror.join(&file);
            Trial::test(format!("{}::{file}", self.name), move || {
                let (found, expected) = ((self.columns)(&path)?, self.rows().remove(file.as_str()));
                if found.as_deref() == expected {
                    return Ok(());
                }
                Err(format!("found    {found:?}\nexpected {expected:?} ({}.tsv)", self.name).into())
            })
        };
        let mut trials: Vec<Trial> = files.into_iter().map(of_file).collect();
        trials.push(Trial::test(format!("{}: each row is about a file", self.name), move || {
            let lost: Vec<&str> = self.rows().into_keys().filter(|file| !names.contains(*file)).collect();
            if lost.is_empty() { Ok(()) } else { Err(format!("no such files: {lost:?}").into()) }
        }));
        trials
    }

    /// The rows of the table by file.
    pub(crate) fn rows(self) -> BTreeMap<&'static str, &'static str> {
        self.text.lines().skip(1).filter_map(|row| row.split_once('\t')).collect()
    }

    /// Writes the table anew into a folder, as it would be right today.
    pub(crate) fn write(self, mirror: &Path, folder: &Path) {
        let row = |file: &Path| {
            let columns = (self.columns)(&mirror.join(file)).unwrap_or_else(|failed| {
                panic!("{}: {}", file.display(), failed.message().unwrap_or_default())
            })?;
            Some(format!("{}\t{columns}\n", file.display()))
        };
        let rows: String = files_below(mirror).iter().filter_map(|file| row(file)).collect();
        let head = self.text.lines().next().unwrap_or_default();
        fs::write(folder.join(self.name).with_extension("tsv"), format!("{head}\n{rows}")).expect("written");
    }
}
