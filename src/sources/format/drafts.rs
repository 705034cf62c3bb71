//! Questions that are read line by line, where the lines of a question may stand anywhere in the file.

use std::collections::HashMap;

use crate::base::issue::{IssueCode, Place};
use crate::sources::document::{Cell, CellKind, Extra, Question};
use crate::sources::format::draft::Draft;
use crate::sources::format::notes::Notes;

/// How much of a line a message shows.
const MOST_SHOWN: usize = 60;

/// The questions of a file while its lines are read.
#[derive(Debug, Default)]
pub(crate) struct Drafts {
    by_id: HashMap<String, usize>,
    all: Vec<(Place, Draft)>,
    /// Lines before the first question.
    early: Vec<Extra>,
}

impl Drafts {
    /// The number of questions so far.
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    /// The position of the question with this id.
    pub(crate) fn find(&self, id: &str) -> Option<usize> {
        self.by_id.get(id).copied()
    }

    /// The question at a position.
    pub(crate) fn at(&mut self, position: usize) -> Option<&mut Draft> {
        self.all.get_mut(position).map(|(_, draft)| draft)
    }

    /// Begins a question; from now on its id names this one.
    pub(crate) fn begin(&mut self, id: &str, line: u64) -> usize {
        let place = Place { question: Some(id.to_owned()).filter(|id| !id.is_empty()), ..Place::line(line) };
        let mut draft = Draft::default();
        id.clone_into(&mut draft.question.id);
        draft.question.extras.append(&mut self.early);
        self.all.push((place, draft));
        let position = self.all.len() - 1;
        if !id.is_empty() {
            self.by_id.insert(id.to_owned(), position);
        }
        position
    }

    /// The question with this id, which begins here if it is new. One without id is always new.
    pub(crate) fn of(&mut self, id: &str, line: u64) -> &mut Draft {
        let position = self.find(id).unwrap_or_else(|| self.begin(id, line));
        &mut self.all[position].1
    }

    /// A line that the format does not have: an issue, and the line is kept with the question before it.
    pub(crate) fn stray(&mut self, line: u64, text: &str, why: &str, notes: &mut Notes) {
        let shown: String = text.chars().take(MOST_SHOWN).collect();
        let dots = if shown.len() < text.len() { "…" } else { "" };
        notes.enter(Place::line(line));
        notes.add(IssueCode::UnreadableLine, &"line", format!("{why}; it is not used: `{shown}{dots}`"));
        let extra = Extra { name: format!("line {line}"), value: text.to_owned() };
        match self.all.last_mut() {
            Some((_, draft)) => draft.question.extras.push(extra),
            None => self.early.push(extra),
        }
    }

    /// Every question so far, for what is settled at the end of the file.
    pub(crate) fn each(&mut self, notes: &mut Notes, mut settle: impl FnMut(&mut Draft, &mut Notes)) {
        for (place, draft) in &mut self.all {
            notes.enter(place.clone());
            settle(draft, notes);
        }
    }

    /// The finished questions in the order in which they began.
    pub(crate) fn finish(self, notes: &mut Notes) -> Vec<Question> {
        let mut questions = Vec::with_capacity(self.all.len());
        for (place, draft) in self.all {
            notes.enter(place);
            questions.push(draft.finish(&"question", notes));
        }
        notes.enter(Place::default());
        questions
    }
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

/// Keeps a field that the format does not know, once.
pub(crate) fn keep(extras: &mut Vec<Extra>, name: &str, value: &str) {
    if !extras.iter().any(|known| known.name == name && known.value == value) {
        extras.push(Extra { name: name.to_owned(), value: value.to_owned() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_keep_their_order_and_stray_lines() {
        let mut notes = Notes::default();
        let mut drafts = Drafts::default();
        drafts.stray(1, "early", "odd", &mut notes);
        drafts.of("b", 2).has_answers = true;
        drafts.of("a", 3).has_answers = true;
        drafts.of("b", 4).add_text(None, "text".to_owned());
        drafts.stray(5, &"x".repeat(70), "odd", &mut notes);
        let questions = drafts.finish(&mut notes);
        let ids: Vec<(&str, usize, Option<u64>, usize)> =
            questions.iter().map(|q| (q.id.as_str(), q.texts.len(), q.place.line, q.extras.len())).collect();
        assert_eq!(ids, [("b", 1, Some(2), 1), ("a", 0, Some(3), 1)]);
        assert_eq!(questions[1].extras[0].value.len(), 70);
        let issues = notes.into_issues();
        assert_eq!(issues[0].message, "odd; it is not used: `early`");
        assert_eq!((issues[1].place.line, issues[1].message.ends_with("x…`")), (Some(5), true));
    }
}
