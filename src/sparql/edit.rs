//! Changes to a text, collected first and made at once.

use std::ops::Range;

/// Changes to a text. Of changes that overlap the first one counts: a broken query may have one SELECT within another.
#[derive(Debug, Default)]
pub(crate) struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces a piece.
    pub(crate) fn replace(&mut self, piece: Range<usize>, by: impl Into<String>) {
        self.0.push((piece, by.into()));
    }

    /// Inserts before an offset.
    pub(crate) fn insert(&mut self, at: usize, what: impl Into<String>) {
        self.replace(at..at, what);
    }

    /// The text with the changes.
    pub(crate) fn apply(mut self, text: &str) -> Edited {
        // An insertion comes before what is replaced at the same place.
        self.0.sort_by_key(|(piece, _)| (piece.start, piece.end));
        let mut end = 0;
        self.0.retain(|(piece, _)| {
            let is_free = piece.start >= end;
            end = end.max(piece.end);
            is_free
        });
        let mut edited = String::with_capacity(text.len());
        let mut done = 0;
        for (piece, by) in &self.0 {
            edited.push_str(&text[done..piece.start]);
            edited.push_str(by);
            done = piece.end;
        }
        edited.push_str(&text[done..]);
        Edited { text: edited, rounds: vec![self] }
    }
}

/// A text after changes upon changes, which knows where its pieces were.
#[derive(Debug)]
pub(crate) struct Edited {
    pub(crate) text: String,
    /// The rounds of changes, each made at once.
    rounds: Vec<Edits>,
}

impl Edited {
    /// A text as it stands.
    pub(crate) fn unchanged(text: &str) -> Self {
        Self { text: text.to_owned(), rounds: Vec::new() }
    }

    /// The text after more changes.
    pub(crate) fn change(&mut self, edits: Edits) {
        let Self { text, rounds } = edits.apply(&self.text);
        self.text = text;
        self.rounds.extend(rounds);
    }

    /// The offset in the text before the changes; for what was inserted, the place of the insertion.
    pub(crate) fn origin(&self, offset: usize) -> usize {
        self.rounds.iter().rev().fold(offset, |offset, edits| edits.origin(offset))
    }
}

impl Edits {
    /// Whether nothing is changed.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn origin(&self, offset: usize) -> usize {
        let (mut before, mut after) = (0, 0);
        for (piece, by) in &self.0 {
            let untouched = piece.start - before;
            if offset < after + untouched {
                break;
            }
            after += untouched + by.len();
            before = piece.end;
            if offset < after {
                return piece.start;
            }
        }
        before + offset.saturating_sub(after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn insertions_come_before_replacements() {
        let mut edits = Edits::default();
        edits.replace(1..2, "x");
        edits.insert(1, "!");
        assert_eq!(edits.apply("abc").text, "a!xc");
    }

    #[test]
    fn the_first_of_overlapping_changes_counts() {
        let mut edits = Edits::default();
        edits.replace(1..4, "x");
        edits.replace(2..3, "!");
        edits.replace(1..4, "?");
        edits.replace(4..5, "y");
        assert_eq!(edits.apply("abcdefg").text, "axyfg");
    }

    #[test]
    fn edited_texts_know_their_origin() {
        let mut edits = Edits::default();
        edits.insert(5, "!!");
        edits.replace(1..3, "x");
        let edited = edits.apply("abcdefg");
        assert_eq!(edited.text, "axde!!fg");
        let origins: Vec<usize> = (0..=8).map(|offset| edited.origin(offset)).collect();
        assert_eq!(origins, [0, 1, 3, 4, 5, 5, 5, 6, 7]);
    }

    #[test]
    fn changes_upon_changes() {
        let mut edited = Edited::unchanged("abc");
        for _ in 0..2 {
            let mut edits = Edits::default();
            edits.insert(0, "__");
            edited.change(edits);
        }
        assert_eq!(edited.text, "____abc");
        assert_eq!((edited.origin(1), edited.origin(5)), (0, 1));
    }
}
