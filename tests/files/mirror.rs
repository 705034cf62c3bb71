//! Every file of the mirror, each a test of its own: what `qassay check` finds in it, or why no reader takes it.
//!
//! `mirror.tsv` holds the exact numbers. They were reviewed against the survey of these files (in `../shared`); where the survey
//! has numbers too, this test compares them itself. Other software counts in `tests/it/readers/qald_counts.py`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use libtest_mimic::{Failed, Trial};
use qassay::sources::file::source::Source;
use qassay::sources::quality::inspection::Inspection;

use crate::table::Table;

/// What `check` finds in each file.
pub(crate) const TABLE: Table = Table { name: "mirror", text: include_str!("mirror.tsv"), columns };

fn listed(counts: &BTreeMap<impl AsRef<str>, usize>) -> String {
    counts.iter().map(|(name, count)| format!("{}={count}", name.as_ref())).collect::<Vec<_>>().join(" ")
}

#[expect(clippy::unnecessary_wraps, reason = "a column of a table may fail")]
fn columns(path: &Path) -> Result<Option<String>, Failed> {
    Ok(Some(match Source::open(path).and_then(Inspection::of) {
        Ok(inspection) => counts(&inspection),
        Err(error) => {
            let told = error.to_string().replace(&path.display().to_string(), "FILE");
            format!("none\t\t\t\t\t\t{}", told.lines().next().unwrap_or_default())
        }
    }))
}

fn counts(inspection: &Inspection) -> String {
    let questions = &inspection.document.questions;
    let mut issues = BTreeMap::new();
    for issue in &inspection.issues {
        *issues.entry(issue.code.name()).or_insert(0_usize) += 1;
    }
    let rows: usize = questions.iter().flat_map(|q| &q.answers.sets).map(|set| set.rows.len()).sum();
    [
        inspection.format.name.to_owned(),
        questions.len().to_string(),
        listed(&inspection.contents.answer_kinds),
        rows.to_string(),
        questions.iter().map(|question| question.queries.len()).sum::<usize>().to_string(),
        listed(&inspection.contents.languages),
        listed(&issues),
    ]
    .join("\t")
}

/// The table beside the survey.
pub(crate) fn trials(shared: &Path) -> Vec<Trial> {
    let survey = fs::read_to_string(shared.join("specs/datasets.tsv")).expect("the survey");
    vec![Trial::test("mirror: numbers of questions are those of the survey", move || {
        compare_with_survey(&survey);
        Ok(())
    })]
}

/// The survey counted with other software: the same number of questions in every file that it has and we have.
fn compare_with_survey(survey: &str) {
    let ours = TABLE.rows();
    let mut compared = 0;
    for line in survey.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [name, repository, commit, path, _, _, questions, ..] = columns[..] else {
            panic!("an odd line: {line}")
        };
        let Some(row) = ours.get(format!("{repository}/{commit}/{path}").as_str()) else { continue };
        // The rows of NLQ are languages of questions, and one pair of them has no id.
        let expected = if name == "nlq" { "40" } else { questions };
        assert_eq!(row.split('\t').nth(1), Some(expected), "{name}");
        compared += 1;
    }
    assert!(compared >= 90, "only {compared} files of the survey are in the mirror");
}
