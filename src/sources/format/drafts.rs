//! Questions that are read line by line, where the lines of a question may stand anywhere in the file.

use std::collections::HashMap;

use crate::base::issue::{IssueCode, Place};
use crate::base::text::beginning;
use crate::sources::document::{Cell, CellKind, Document, Extra};
use crate::sources::format::context::{Context, Draft};
use crate::sources::format::notes::Notes;

/// How much of a line a message shows.
const MOST_SHOWN: usize = 60;

/// The questions of a file while its lines are read.
#[derive(Debug)]
pub(crate) struct Drafts<'n> {
    notes: &'n mut Notes,
    by_id: HashMap<String, usize>,
    /// In boxes: a list that grows moves what it has, and questions are large.
    all: Vec<(Place, Box<Draft>)>,
    /// Lines before the first question.
    early: Vec<Extra>,
    /// The question of the line before.
    last: Option<usize>,
}

impl<'n> Drafts<'n> {
    /// No questions yet.
    pub(crate) fn new(notes: &'n mut Notes) -> Self {
        Self { notes, by_id: HashMap::new(), all: Vec::new(), early: Vec::new(), last: None }
    }

    /// The number of questions so far.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The position of the question of the line before.
    pub(crate) fn last(&self) -> Option<usize> {
        self.last
    }

    /// The position of the question with this id.
    pub(crate) fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The question at a position, while a line is read that is at this place.
    pub(crate) fn at(&mut self, position: usize, place: Place) -> Context<'_> {
        self.notes.enter(place);
        Context::new("question", &mut self.all[position].1, self.notes)
    }

    /// What is known of the question at a position.
    pub(crate) fn peek(&self, position: usize) -> &Draft {
        &self.all[position].1
    }

    /// Begins a question; from now on its id names this one.
    pub(crate) fn begin(&mut self, id: &str, line: u64) -> usize {
        let mut draft = Box::<Draft>::default();
        id.clone_into(&mut draft.question.id);
        draft.question.extras.append(&mut self.early);
        self.all.push((place_of(id, line), draft));
        let position = self.all.len() - 1;
        self.last = Some(position);
        if !id.is_empty() {
            self.by_id.insert(id.to_owned(), position);
        }
        position
    }

    /// The question with this id, which begins here if it is new. One without id is always new.
    pub(crate) fn of(&mut self, id: &str, line: u64) -> Context<'_> {
        let position = self.position(id, line);
        self.at_line(position, line)
    }

    /// Its position, likewise.
    pub(crate) fn position(&mut self, id: &str, line: u64) -> usize {
        // Most lines stand below one of the same question.
        let last = self.last.filter(|last| !id.is_empty() && self.all[*last].1.question.id == id);
        let position = last.or_else(|| self.find(id)).unwrap_or_else(|| self.begin(id, line));
        self.last = Some(position);
        position
    }

    /// The question at a position, while this line of it is read.
    pub(crate) fn at_line(&mut self, position: usize, line: u64) -> Context<'_> {
        let draft = &mut self.all[position].1;
        self.notes.enter_line(&draft.question.id, line);
        Context::new("question", draft, self.notes)
    }

    /// An issue of a line, whatever question it belongs to.
    pub(crate) fn note(&mut self, place: Place, field: &str, code: IssueCode, message: impl Into<String>) {
        self.notes.enter(place);
        self.notes.add(code, &field, message);
    }

    /// A line that the format does not have: an issue, and the line is kept with the question before it.
    pub(crate) fn stray(&mut self, line: u64, text: &str, why: &str) {
        let message = format!("{why}; it is not used: `{}`", beginning(text, MOST_SHOWN));
        self.note(Place::line(line), "line", IssueCode::UnreadableLine, message);
        let extra = Extra { name: format!("line {line}"), value: text.to_owned() };
        match self.all.last_mut() {
            Some((_, draft)) => draft.question.extras.push(extra),
            None => self.early.push(extra),
        }
    }

    /// Finishes the questions, in the order in which they began; `settle` is what is done to each at the end of the file.
    pub(crate) fn finish(self, document: &mut Document, settle: impl Fn(&mut Context)) {
        document.questions.reserve_exact(self.all.len());
        for (place, mut draft) in self.all {
            self.notes.enter(place);
            let mut here = Context::new("question", draft.as_mut(), self.notes);
            settle(&mut here);
            document.questions.push(here.finish());
        }
        self.notes.enter(Place::default());
    }
}

fn place_of(id: &str, line: u64) -> Place {
    Place { question: Some(id.to_owned()).filter(|id| !id.is_empty()), ..Place::line(line) }
}

/// A literal as a cell.
pub(crate) fn literal(variable: &str, value: &str) -> Cell {
    Cell {
        variable: variable.to_owned(),
        kind: CellKind::Literal,
        value: value.to_owned(),
        ..Cell::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_keep_their_order_and_stray_lines() {
        let (mut document, mut notes) = (Document::default(), Notes::default());
        let mut drafts = Drafts::new(&mut notes);
        drafts.stray(1, "early", "odd");
        drafts.of("b", 2).draft.has_answers = true;
        drafts.of("a", 3).draft.has_answers = true;
        drafts.of("b", 4).draft.add_text(None, "text".to_owned());
        drafts.stray(5, &"x".repeat(70), "odd");
        drafts.finish(&mut document, |_| {});
        let questions = document.questions;
        let ids: Vec<(&str, usize, Option<u64>, usize)> =
            questions.iter().map(|q| (q.id.as_str(), q.texts.len(), q.place.line, q.extras.len())).collect();
        assert_eq!(ids, [("b", 1, Some(2), 1), ("a", 0, Some(3), 1)]);
        assert_eq!(questions[1].extras[0].value.len(), 70);
        let issues = notes.into_issues();
        assert_eq!(issues[0].message, "odd; it is not used: `early`");
        assert_eq!((issues[1].place.line, issues[1].message.ends_with("x…`")), (Some(5), true));
    }
}
