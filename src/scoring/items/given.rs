//! The answers to a question one by one, as the system gave them and in the order in which they are judged.

use std::borrow::Cow;
use std::cmp::Reverse;

use oxigraph::model::vocab::xsd;
use oxigraph::model::{Literal, Term};

use crate::measures::fraction::Fraction;
use crate::profiles::Profile;
use crate::profiles::rules::{Judging, Order, Reading};
use crate::scoring::items::texts;
use crate::sources::document::{AnswerSet, Question};
use crate::sources::format::numeral::is_numeral;
use crate::sources::input::answer;
use crate::sources::input::term;
use crate::sparql::index::Index;

/// One answer in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenAnswer {
    /// The number of its item among the terms; none where it says that the question has no answer.
    pub item: Option<u32>,
    /// What it was ranked by, or how sure the system is of it; none where the file says nothing.
    pub score: Option<Fraction>,
}

/// An answer that no number stands for yet.
struct Written<'a> {
    item: WrittenItem<'a>,
    score: Option<&'a str>,
}

/// What it says.
enum WrittenItem<'a> {
    Term(Term),
    /// A plain literal.
    Text(Cow<'a, str>),
    /// That the question has no answer.
    Nothing,
}

impl WrittenItem<'_> {
    /// Whether this term is the item.
    fn is(&self, term: &Term) -> bool {
        match (self, term) {
            (Self::Term(own), other) => own == other,
            (Self::Text(text), Term::Literal(literal)) => {
                literal.datatype() == xsd::STRING && literal.value() == text
            }
            _ => false,
        }
    }

    /// It as a term.
    fn into_term(self) -> Option<Term> {
        match self {
            Self::Term(term) => Some(term),
            Self::Text(text) => Some(Literal::new_simple_literal(text).into()),
            Self::Nothing => None,
        }
    }
}

/// The answers to a question, best first, repetitions included. `items` are the items of the answer: the candidates of the
/// question, where they are what is ranked.
pub(crate) fn given(
    index: &Index,
    profile: &Profile,
    (judging, reading): (&Judging, Reading),
    question: &Question,
    items: &[u32],
) -> Vec<GivenAnswer> {
    let mut all: Vec<GivenAnswer> = if reading == Reading::Candidates {
        let scores = question.candidates.iter().map(|candidate| candidate.score.as_deref());
        let ranked = items.iter().zip(scores);
        ranked.map(|(node, score)| GivenAnswer { item: Some(*node), score: fraction(score) }).collect()
    } else {
        let written = written(question, profile, reading, judging);
        // Nearly always the next one of the items.
        let mut next = items.iter().copied().peekable();
        let mut number = |written: WrittenItem<'_>| {
            let expected = next.next_if(|item| written.is(index.term(*item)));
            expected
                .map(Some)
                .or_else(|| written.into_term().map_or(Some(None), |term| index.number(&term).map(Some)))
        };
        let known = written.into_iter().filter_map(|Written { item, score }| {
            let item = number(item)?;
            // The scores of runs are compared as floating point numbers (TREC), so they are tied as such: of 64 bits in
            // trec_eval 10, of 32 bits before.
            let score = match judging.order {
                Order::SingleScore => of_single(score),
                _ if question.candidates.is_empty() => fraction(score),
                _ => of_double(score),
            };
            Some(GivenAnswer { item, score })
        });
        known.collect()
    };
    let by_score = |one: &GivenAnswer, other: &GivenAnswer| Reverse(&one.score).cmp(&Reverse(&other.score));
    match judging.order {
        Order::Given => {}
        // A stable sort: equal scores keep the order of the file.
        Order::Score => all.sort_by(by_score),
        Order::SingleScore => {
            let text = |given: &GivenAnswer| given.item.map(|item| term::text(index.term(item)));
            all.sort_by(|one, other| by_score(one, other).then_with(|| text(other).cmp(&text(one))));
        }
    }
    all
}

fn fraction(written: Option<&str>) -> Option<Fraction> {
    written.and_then(Fraction::parse)
}

/// The exact value of the floating point number nearest to what is written; minus zero is zero.
fn of_double(written: Option<&str>) -> Option<Fraction> {
    let written = written?;
    // So few digits come back from 64 bits as they are, in the shortest text that stands for the number: as Rust has it.
    if written.len() <= SURE_DIGITS && is_numeral(written) {
        return Fraction::parse(written);
    }
    let number: f64 = written.parse().ok()?;
    Fraction::parse(&(number + 0.0).to_string())
}

/// The same with 32 bits.
fn of_single(written: Option<&str>) -> Option<Fraction> {
    let number: f32 = written?.parse().ok()?;
    Fraction::parse(&(f64::from(number) + 0.0).to_string())
}

/// The decimal digits that every number of 64 bits keeps.
const SURE_DIGITS: usize = f64::DIGITS as usize;

fn written<'a>(
    question: &'a Question,
    profile: &Profile,
    reading: Reading,
    judging: &Judging,
) -> Vec<Written<'a>> {
    let mut all: Vec<Written<'a>> = if reading == Reading::Terms {
        let items = answer::items(question).into_iter().filter(|item| profile.label_columns.counts(item));
        items
            .map(|item| Written { item: WrittenItem::Term(item.term.term), score: item.confidence })
            .collect()
    } else {
        let of_set = |set: &'a AnswerSet| {
            let texts = texts::texts(set, profile, reading, false);
            let score = set.confidence.as_deref();
            texts.into_iter().map(move |text| Written { item: WrittenItem::Text(text), score })
        };
        let mut all = Vec::with_capacity(question.candidates.len());
        all.extend(question.answers.sets.iter().flat_map(of_set));
        all
    };
    // What is ranked may have scores of its own, one an answer (TREC).
    if all.len() == question.candidates.len() {
        for (written, candidate) in all.iter_mut().zip(&question.candidates) {
            written.score = written.score.or(candidate.score.as_deref());
        }
    }
    for written in &mut all {
        let says_nothing = match &written.item {
            WrittenItem::Term(term) => says_nothing(judging, term),
            WrittenItem::Text(text) => judging.is_nil(text),
            WrittenItem::Nothing => true,
        };
        if says_nothing {
            written.item = WrittenItem::Nothing;
        }
    }
    // An answer object without an answer says that there is none, and may say how sure that is.
    let empty = |set: &&AnswerSet| set.rows.is_empty() && set.boolean.is_none() && set.confidence.is_some();
    let sets = question.answers.sets.iter().filter(|set| judging.nil.is_some() && empty(set));
    all.extend(sets.map(|set| Written { item: WrittenItem::Nothing, score: set.confidence.as_deref() }));
    all
}

/// Whether an item says that the question has no answer.
pub(crate) fn says_nothing(judging: &Judging, term: &Term) -> bool {
    matches!(term, Term::Literal(literal) if judging.is_nil(literal.value()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// What is read without floating point is what floating point makes of it.
        #[test]
        fn short_numerals_come_back_from_64_bits(
            whole in 0u64..1_000_000_000, fraction in "[0-9]{0,6}", is_negative in any::<bool>(),
        ) {
            let sign = if is_negative { "-" } else { "" };
            let point = if fraction.is_empty() { "" } else { "." };
            let text = format!("{sign}{whole}{point}{fraction}");
            let number: f64 = text.parse().unwrap();
            prop_assert_eq!(of_double(Some(&text)), Fraction::parse(&(number + 0.0).to_string()), "{}", text);
        }
    }

    #[test]
    fn longer_numerals_are_those_of_64_bits() {
        assert_eq!(of_double(Some("0.1234567890123456789")), Fraction::parse("0.12345678901234568"));
        assert_eq!(of_double(Some("123456789012345678")), Fraction::parse("123456789012345680"));
        assert_eq!([of_double(Some("x")), of_double(None)], [None, None]);
    }
}
