//! RIGHTS: whether something may go with a publication, by the licences of the inputs that it quotes. What has no licence
//! never goes.

use std::collections::BTreeSet;

use crate::base::text;
use crate::record::publication::licence::Licence;

/// An input with the licences that are stated for it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LicensedInput {
    /// Its IRI.
    pub iri: String,
    /// Its title.
    pub title: String,
    /// The IRIs of its licences, as stated: of each of the files that it was joined from.
    pub licences: BTreeSet<String>,
}

/// Whether something goes with a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Right {
    /// It goes, with the licence that its inputs demand; nothing where it quotes none.
    Goes(Option<&'static Licence>),
    /// It does not go: why, as a sentence.
    Stays(String),
}

impl Right {
    /// The right to an input as it was received: its licences let everybody distribute copies.
    pub fn to_copy(input: &LicensedInput) -> Self {
        Self::by(&[input], Licence::lets_distribute, "be distributed")
    }

    /// The right to what is made of inputs and quotes them: all licences let everybody distribute what is made of them, and
    /// none excludes another.
    pub fn to_quote(inputs: &[&LicensedInput]) -> Self {
        Self::by(
            inputs,
            |licence| licence.lets_distribute() && licence.lets_derive(),
            "be distributed otherwise than unchanged",
        )
    }

    fn by(inputs: &[&LicensedInput], lets: fn(&Licence) -> bool, act: &str) -> Self {
        let mut all: BTreeSet<&'static Licence> = BTreeSet::new();
        for input in inputs {
            let title = text::brief(&input.title, 200);
            if input.licences.is_empty() {
                return Self::Stays(format!("no licence is stated for {title}"));
            }
            for iri in &input.licences {
                let Some(licence) = Licence::with_iri(iri) else {
                    return Self::Stays(format!("nothing is known of <{iri}>, the licence of {title}"));
                };
                if !lets(licence) {
                    return Self::Stays(format!("{title} must not {act} ({})", licence.spdx));
                }
                all.insert(licence);
            }
        }
        together(&all)
    }
}

/// The licence of what quotes inputs with these licences: the one that demands most. One that demands to be kept excludes
/// every other that demands to be kept or restricts more.
fn together(licences: &BTreeSet<&'static Licence>) -> Right {
    let demands = |licence: &&'static Licence| {
        (licence.wants_same(), licence.is_not_commercial(), licence.wants_attribution())
    };
    let Some(strictest) = licences.iter().copied().max_by_key(demands) else { return Right::Goes(None) };
    let excludes = |other: &&&'static Licence| {
        **other != strictest
            && strictest.wants_same()
            && (other.wants_same() || other.is_not_commercial() && !strictest.is_not_commercial())
    };
    match licences.iter().find(excludes) {
        None => Right::Goes(Some(strictest)),
        Some(other) => Right::Stays(format!(
            "it quotes inputs whose licences exclude each other: {} and {}",
            other.spdx, strictest.spdx
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(title: &str, licences: &[&str]) -> LicensedInput {
        let iri = |word: &&str| {
            Licence::named(word).map_or_else(|_| (*word).to_owned(), |licence| licence.iri.clone())
        };
        LicensedInput {
            iri: format!("https://example.org/{title}"),
            title: title.to_owned(),
            licences: licences.iter().map(iri).collect(),
        }
    }

    fn told(right: &Right) -> String {
        match right {
            Right::Goes(licence) => licence.map_or_else(|| "goes".to_owned(), |licence| licence.spdx.clone()),
            Right::Stays(why) => why.clone(),
        }
    }

    #[test]
    fn copies_go_where_their_licence_lets_them() {
        for (licences, expected) in [
            (&[][..], "no licence is stated for D"),
            (
                &["https://example.org/mine"],
                "nothing is known of <https://example.org/mine>, the licence of D",
            ),
            (&["CC-BY-ND-4.0"], "CC-BY-ND-4.0"),
            (&["CC0-1.0"], "CC0-1.0"),
            (&["MIT", "CC-BY-SA-4.0"], "CC-BY-SA-4.0"),
        ] {
            assert_eq!(told(&Right::to_copy(&input("D", licences))), expected);
        }
    }

    #[test]
    fn what_quotes_inputs_goes_where_all_let_it() {
        let quote = |licences: &[&[&str]]| {
            let inputs: Vec<LicensedInput> = licences
                .iter()
                .zip(["D", "S", "L"])
                .map(|(licences, title)| input(title, licences))
                .collect();
            told(&Right::to_quote(&inputs.iter().collect::<Vec<_>>()))
        };
        assert_eq!(quote(&[]), "goes");
        assert_eq!(quote(&[&["MIT"], &[]]), "no licence is stated for S");
        assert_eq!(quote(&[&["MIT"], &["CC0-1.0"]]), "MIT");
        assert_eq!(quote(&[&["CC-BY-SA-4.0"], &["MIT"]]), "CC-BY-SA-4.0");
        assert_eq!(
            quote(&[&["CC-BY-ND-4.0"], &["MIT"]]),
            "D must not be distributed otherwise than unchanged (CC-BY-ND-4.0)"
        );
        assert_eq!(
            quote(&[&["CC-BY-SA-4.0"], &["AGPL-3.0-only"]]),
            "it quotes inputs whose licences exclude each other: CC-BY-SA-4.0 and AGPL-3.0-only"
        );
        assert_eq!(
            quote(&[&["CC-BY-SA-4.0"], &["CC-BY-NC-4.0"]]),
            "it quotes inputs whose licences exclude each other: CC-BY-NC-4.0 and CC-BY-SA-4.0"
        );
        assert_eq!(quote(&[&["CC-BY-NC-SA-4.0"], &["CC-BY-NC-4.0"]]), "CC-BY-NC-SA-4.0");
        assert_eq!(quote(&[&["CC-BY-NC-4.0"], &["CC-BY-4.0"], &["CC0-1.0"]]), "CC-BY-NC-4.0");
    }
}
