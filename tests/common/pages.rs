//! The pages of the project, and what they show where something made them.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::files_below;

/// The project.
pub(crate) fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files of the project below some of its folders with one of these endings, as paths in the project.
pub(crate) fn files(folders: &[&str], endings: &[&str]) -> Vec<PathBuf> {
    let below = folders.iter().flat_map(|folder| {
        files_below(&project().join(folder)).into_iter().map(move |path| Path::new(folder).join(path))
    });
    let has_ending =
        |path: &PathBuf| endings.iter().any(|ending| path.extension().is_some_and(|own| own == *ending));
    below.filter(has_ending).collect()
}

/// All pages, as paths in the project.
pub(crate) fn pages() -> Vec<PathBuf> {
    let below = files(&["ontology", "queries", "datasets", "src", "tests"], &["md"]);
    std::iter::once("README.md".into()).chain(below).collect()
}

/// The text of a file of the project.
#[track_caller]
pub(crate) fn text_of(path: &Path) -> String {
    fs::read_to_string(project().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A page is as it would be written now. `QASSAY_WRITE=1` writes it.
#[track_caller]
pub(crate) fn assert_page(path: &Path, now: &str) {
    if std::env::var_os("QASSAY_WRITE").is_some() {
        fs::write(project().join(path), now).expect("the page can be written");
        return;
    }
    let shown = text_of(path);
    if shown == now {
        return;
    }
    let is_same = |(shown, now): &(&str, &str)| shown == now;
    let at = shown.lines().zip(now.lines()).take_while(is_same).count();
    let from = |text: &str| text.lines().skip(at).take(12).collect::<Vec<_>>().join("\n");
    panic!(
        "{}:{}: the page shows\n{}\n\nand now it would be\n{}\n\n`QASSAY_WRITE=1 cargo test page` writes it",
        path.display(),
        at + 1,
        from(&shown),
        from(now)
    );
}
