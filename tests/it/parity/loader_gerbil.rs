//! What GERBIL's own loader classes yielded when they were run (`ontology/gerbil.md`, section E): every dataset, every id.

use std::collections::BTreeSet;
use std::path::Path;

use crate::common::loading::{open, rows};
use crate::common::mirror;
use qassay::profiles::loaders::{Loaded, Loader, Loading, Part, load};
use qassay::sources::document::Document;

const CURRENT: Loader = Loader::GerbilCurrent;

/// Ids as the table writes them: no order, `-` for none.
fn ids(text: &str) -> BTreeSet<String> {
    text.split_whitespace().filter(|id| *id != "-").map(|id| id.trim_matches('"').to_owned()).collect()
}

/// What the loader said, in the columns of the table.
fn measured(
    loaded: &Loaded,
    document: &Document,
    part: Option<Part>,
) -> (usize, usize, BTreeSet<String>, BTreeSet<String>, usize) {
    let of_part = load(&document.clone().into(), "qald-xml", Loading { part, ..Loading::default() })
        .expect("a part")
        .count();
    let dropped = loaded.left_out().filter(|(_, left_out)| left_out.reason.code() != "skip-other-part");
    let overwritten = loaded.changes().filter(|(_, what)| what.starts_with("in place of its text"));
    let id = |question: &qassay::sources::document::Question| question.id.clone();
    let is_empty = |question: &&qassay::sources::document::Question| {
        question.answers.sets.iter().all(|set| set.rows.is_empty() && set.boolean.is_none())
    };
    (
        of_part,
        loaded.count(),
        dropped.map(|(question, _)| id(question)).collect(),
        overwritten.map(|(question, _)| id(question)).collect(),
        loaded.questions().filter(is_empty).count(),
    )
}

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn every_row_of_the_survey() {
    let mirror = mirror();
    let (mut compared, mut absent, mut different) = (0, Vec::new(), Vec::new());
    for row in rows(include_str!("loader_gerbil.tsv")) {
        let [name, file, part, raw, loaded, dropped, overwritten, empty] = row[..] else { panic!("{row:?}") };
        if !mirror.join(file).is_file() {
            absent.push(name);
            continue;
        }
        let (document, format) = open(&mirror.join(file));
        let part = Part::find(part);
        let ours =
            load(&document.clone().into(), format, Loading { loader: CURRENT, part, language: Some("en") })
                .expect(name);
        let number = |text: &str| text.parse::<usize>().expect("a number");
        let theirs = (number(raw), number(loaded), ids(dropped), ids(overwritten), number(empty));
        let ours = measured(&ours, &document, part);
        if ours != theirs {
            different.push(format!("{name}:\n  ours   {ours:?}\n  theirs {theirs:?}"));
        }
        compared += 1;
    }
    assert!(different.is_empty(), "{}", different.join("\n"));
    assert_eq!((compared, absent), (39, vec!["QALD3_Test_musicbrainz"]));
}

/// Files that GERBIL's reader refuses as a whole, where the records tell.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn refused_files() {
    let mirror = mirror();
    let folder = mirror.join("ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf");
    for (file, why) in [
        ("5/data/qald-5_train.json", "answers of the form"),
        ("7/data/qald-7-train-largescale.json", "the flag aggregation `union`"),
    ] {
        let (document, format) = open(&folder.join(Path::new(file)));
        let error = load(&document.clone().into(), format, Loading { loader: CURRENT, ..Loading::default() })
            .expect_err(file);
        assert!(error.to_string().contains(why), "{file}: {error}");
    }
}
