//! SPARQL results, a file a question: a folder, a tar or a zip of files named `ID.srj`, `ID.srx`, `ID.csv`, `ID.tsv`.
//!
//! A folder and a zip come here as the tar that [`crate::sources::file::pack`] makes of them.

use std::io::Read;

use crate::base::error::{Error, Result};
use crate::base::issue::{IssueCode, Place};
use crate::sources::document::{AnswerState, Document};
use crate::sources::file::{pack, text};
use crate::sources::format::Format;
use crate::sources::format::context::Context;
use crate::sources::format::results::file;

/// Folders and archives of SPARQL results.
pub(crate) static FORMAT: Format = Format {
    name: "sparql-results",
    description: "SPARQL results (JSON, XML, CSV, TSV), a file a question: a folder, tar or zip of files named by id.",
    media_type: "application/x-tar",
    recognise: pack::is_tar,
    read,
    targets: &[],
};

fn read(content: &[u8], here: &mut Context<Document>) -> Result<()> {
    let mut archive = tar::Archive::new(content);
    let damaged = |error: &std::io::Error| format!("the archive is damaged: {error}");
    let entries = archive.entries().map_err(|error| Error::input(damaged(&error)))?;
    for (entry, files) in entries.zip(1..) {
        pack::refuse_many(files)?;
        let mut bytes = Vec::new();
        let member = entry.and_then(|mut entry| {
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            let kind = entry.header().entry_type();
            // Other kinds may say that they have any number of bytes.
            if kind.is_file() {
                entry.read_to_end(&mut bytes)?;
            }
            Ok((name, kind))
        });
        let (name, kind) = match member {
            Ok(member) => member,
            Err(error) => {
                here.enter(Place::default());
                let message = format!("{}; what follows is lost", damaged(&error));
                here.named("archive").note(IssueCode::UnreadableAnswer, message);
                break;
            }
        };
        pack::refuse_outside(&name)?;
        match pack::result_name(&name) {
            Some((id, ending)) if kind.is_file() => {
                member_of(id, &ending, &bytes, &mut here.named(&name));
            }
            _ if kind.is_dir() && name.ends_with('/') => {}
            _ => {
                here.enter(Place::default());
                let what = if kind.is_dir() {
                    "a folder; it is not entered"
                } else if kind.is_file() {
                    "no result file (`.srj`, `.json`, `.srx`, `.xml`, `.csv`, `.tsv`); it is not read"
                } else {
                    "a link or a special file; it is not followed"
                };
                here.named(&name).note(IssueCode::IgnoredFile, format!("`{name}` is {what}"));
            }
        }
    }
    if here.draft.questions.iter().all(|question| question.answers.state == AnswerState::Unreadable) {
        let issues = std::mem::take(here.notes).into_issues();
        let first = issues.iter().find(|issue| issue.code == IssueCode::UnreadableAnswer);
        let why = first.map(|issue| format!("; the first one, {}: {}", issue.place, issue.message));
        return Err(Error::input(format!("no file in it holds SPARQL results{}", why.unwrap_or_default()))
            .allowed("files named after questions: `ID.srj`, `ID.srx`, `ID.csv`, `ID.tsv`")
            .hint("name one of the files in it, if each is a dataset"));
    }
    Ok(())
}

fn member_of(id: &str, ending: &str, bytes: &[u8], here: &mut Context<Document>) {
    let decoded = text::decode(bytes, here.notes);
    here.enter(Place { question: Some(id.trim().to_owned()), ..Place::default() });
    here.add_question(|here| {
        id.trim().clone_into(&mut here.draft.question.id);
        match decoded {
            Ok(text) => file::read(ending, text, here),
            Err(error) => {
                let error = error.to_string();
                let first = error.lines().next().unwrap_or_default().trim_end_matches('.');
                here.cannot_read(format!("the file cannot be read: {first}"));
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::document::AnswerState::{Empty, Given, Unreadable};
    use crate::sources::file::source::Source;
    use crate::sources::format::read;

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        let files: [(&str, &[u8]); 6] = [
            ("2.csv", b"x\nhttp://e/a\n"),
            ("10.srj", b"{\"head\": {}, \"boolean\": true}"),
            ("3.tsv", b"?x\n<http://e/a\n"),
            ("3.srj", b"{\"head\": {\"vars\": [\"x\"]}, \"results\": {\"bindings\": []}}"),
            ("4.srx", b"\xff\xfe"),
            ("notes.txt", b"text"),
        ];
        for (name, content) in files {
            std::fs::write(folder.path().join(name), content).expect("a file");
        }
        std::fs::create_dir(folder.path().join("old")).expect("a folder");
        folder
    }

    #[test]
    fn a_folder_its_tar_and_its_copy_are_the_same() {
        let folder = folder();
        let source = Source::open(folder.path()).expect("a source");
        let (document, format) = read(&source).expect("a document");
        assert_eq!(format.name, "sparql-results");
        let states: Vec<(&str, AnswerState)> =
            document.questions.iter().map(|q| (q.key.as_str(), q.answers.state)).collect();
        assert_eq!(
            states,
            [("10", Given), ("2", Given), ("3", Empty), ("3~2", Unreadable), ("4", Unreadable)]
        );
        let told: Vec<String> =
            document.issues.iter().map(|i| format!("{} {}: {}", i.place, i.code.name(), i.message)).collect();
        insta::assert_snapshot!(told.join("\n"), @r"
        question 3, 3.tsv unreadable-answer: the results cannot be read: Error Named node serialization should end with a > on '<http://e/a' in line 2
        question 4, 4.srx unreadable-answer: the file cannot be read: line 1: the byte 0xFF at offset 0 is not UTF-8
        notes.txt ignored-file: `notes.txt` is no result file (`.srj`, `.json`, `.srx`, `.xml`, `.csv`, `.tsv`); it is not read
        old ignored-file: `old` is a folder; it is not entered
        question 3 duplicate-id: the id `3` occurs again; this question is called `3~2`
        ");
        let copy = Source::from_bytes("copy.tar", source.bytes().to_vec()).expect("a source");
        assert_eq!((copy.sha256(), &read(&copy).expect("a document").0), (source.sha256(), &document));
    }

    #[test]
    fn archives_without_results_are_errors() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("gold.json"), b"{\"questions\": []}").expect("a file");
        let source = Source::open(folder.path()).expect("a source");
        insta::assert_snapshot!(FORMAT.document(source.content()).expect_err("no results"), @r"
        no file in it holds SPARQL results; the first one, question gold, gold.json: the JSON has no `head` with `results` or `boolean`.
        allowed: files named after questions: `ID.srj`, `ID.srx`, `ID.csv`, `ID.tsv`
        hint: name one of the files in it, if each is a dataset
        ");
        let cut = source.bytes().get(..600).expect("bytes");
        assert!(FORMAT.document(cut).is_err());
    }
}
