//! What a target cannot hold.

use indexmap::IndexMap;

use crate::sources::document::Question;
use crate::sources::write::field::Field;

/// Something that a file says and the converted one does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// The key of the question; empty for the file as a whole.
    pub place: String,
    /// What it is, for people: a plural without verb, such as `keywords`.
    pub what: &'static str,
    /// The fields of the record that it is in.
    pub fields: Vec<Field>,
}

/// Losses of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// What is lost.
    pub what: &'static str,
    /// In how many places.
    pub count: usize,
    /// The first of them: the key of a question, or empty for the file as a whole.
    pub first: String,
}

/// Losses by kind, in the order in which they occur.
pub fn kinds(losses: &[Loss]) -> Vec<Kind> {
    let mut kinds: IndexMap<&'static str, Kind> = IndexMap::new();
    for loss in losses {
        let new = || Kind { what: loss.what, count: 0, first: loss.place.clone() };
        kinds.entry(loss.what).or_insert_with(new).count += 1;
    }
    kinds.into_values().collect()
}

/// Collects the losses of a file, each once a question.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    list: Vec<Loss>,
    place: String,
    start: usize,
}

impl Losses {
    /// Losses from now on are of this question.
    pub(crate) fn enter(&mut self, question: &Question) {
        self.place.clone_from(&question.key);
        self.start = self.list.len();
    }

    /// These fields are lost, as `what` says.
    pub(crate) fn tell(&mut self, fields: &[Field], what: &'static str) {
        match self.list[self.start..].iter_mut().find(|loss| loss.what == what) {
            Some(known) => {
                for field in fields {
                    if !known.fields.contains(field) {
                        known.fields.push(*field);
                    }
                }
            }
            None => self.list.push(Loss { place: self.place.clone(), what, fields: fields.to_vec() }),
        }
    }

    /// These fields are lost if the condition holds.
    pub(crate) fn tell_if(&mut self, condition: bool, fields: &[Field], what: &'static str) {
        if condition {
            self.tell(fields, what);
        }
    }

    /// The target has no place for these fields: they are lost where the question has something in them.
    pub(crate) fn not_held(&mut self, question: &Question, fields: &[Field]) {
        for field in fields {
            self.tell_if(field.is_in(question), &[*field], field.name());
        }
    }

    /// All losses, in the order of the questions.
    pub(crate) fn into_list(self) -> Vec<Loss> {
        self.list
    }
}
