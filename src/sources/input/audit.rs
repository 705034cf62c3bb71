//! Looks at the values of a document as RDF terms and reports what is odd about them.

use std::collections::BTreeMap;

use crate::base::issue::{Issue, IssueCode};
use crate::base::text::and_more;
use crate::sources::document::{AnswerSet, Document, Question};
use crate::sources::input::answer::items;
use crate::sources::input::term;
use crate::sources::input::term::TermLoss;

/// Adds an issue for every question and kind of oddity: no IRI where the file says there is one, brackets,
/// datatypes and language tags that are none, a boolean beside rows.
pub fn audit(document: &mut Document) {
    for question in &document.questions {
        document.issues.extend(audit_question(question));
    }
}

fn audit_question(question: &Question) -> Vec<Issue> {
    let is_plain = |set: &AnswerSet| {
        set.boolean.is_none() && set.rows.iter().flat_map(|row| &row.cells).all(term::says_all)
    };
    if question.answers.sets.iter().all(is_plain) {
        return Vec::new();
    }
    let mut odd: BTreeMap<IssueCode, (usize, String)> = BTreeMap::new();
    for item in items(question) {
        let code = match item.term.loses {
            Some(TermLoss::NotAnIri) => IssueCode::InvalidIri,
            Some(TermLoss::Brackets) => IssueCode::BracketedIri,
            Some(TermLoss::Datatype) => IssueCode::InvalidDatatype,
            Some(TermLoss::Language) => IssueCode::InvalidLanguage,
            Some(TermLoss::LexicalForm | TermLoss::BlankNode) | None if !item.counts => {
                IssueCode::BooleanBesideRows
            }
            Some(TermLoss::LexicalForm | TermLoss::BlankNode) | None => continue,
        };
        let value = item.cell.map_or_else(String::new, |cell| match code {
            IssueCode::InvalidDatatype => cell.datatype.clone().unwrap_or_default(),
            IssueCode::InvalidLanguage => cell.language.clone().unwrap_or_default(),
            _ => cell.value.clone(),
        });
        odd.entry(code).or_insert((0, value)).0 += 1;
    }
    odd.into_iter()
        .map(|(code, (count, first))| {
            let place = question.place.with_path("answers");
            Issue::new(code, &place, message(code, count, &first))
        })
        .collect()
}

fn message(code: IssueCode, count: usize, first: &str) -> String {
    let shown: String = first.chars().take(60).collect();
    let more = and_more(count);
    match code {
        IssueCode::InvalidIri => format!("`{shown}` is no IRI{more}; read as a plain literal"),
        IssueCode::BracketedIri => format!("`{shown}` stands in angle brackets{more}; they are removed"),
        IssueCode::InvalidDatatype => {
            format!("the datatype `{shown}` cannot be one{more}; read as a plain literal")
        }
        IssueCode::InvalidLanguage => {
            format!("`{shown}` is no language tag{more}; read as a plain literal")
        }
        _ => "the answer has rows and a boolean; the rows count".to_owned(),
    }
}
