//! Licences, and what each lets others do: read from `ontology/licences.ttl`.

use std::sync::OnceLock;

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::base::vocab::{cc, dct, odrl, qassay, skos};
use crate::profiles::ontology::{Facts, licences};
use crate::record::publication::metadata::StatedLicence;

/// The licence of what the program makes, unless somebody states another: nobody needs to ask for numbers.
pub const USUAL: &str = "CC0-1.0";

/// The licence of the vocabulary.
pub const OF_VOCABULARY: &str = "CC-BY-4.0";

/// Where SPDX has its licences.
const SPDX: &str = "https://spdx.org/licenses/";

/// A licence, and what it lets others do (ODRL Information Model 2.2, sections 2.6 and 2.7).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Licence {
    /// Its IRI.
    pub iri: String,
    /// Its identifier in the list of SPDX.
    pub spdx: String,
    /// Its name.
    pub title: String,
    /// The IRI of its terms, a policy of ODRL.
    pub terms: String,
    /// Other IRIs that publishers state for it.
    others: Vec<String>,
    /// What it permits: actions of ODRL.
    pub permitted: Vec<String>,
    /// What it demands of whoever does what it permits: actions of ODRL.
    pub demanded: Vec<String>,
    /// What it forbids: actions of ODRL.
    pub forbidden: Vec<String>,
}

impl Licence {
    /// All licences, in the order of their IRIs.
    pub fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Licence>> = OnceLock::new();
        ALL.get_or_init(|| {
            let facts = licences();
            facts.subjects().filter_map(|iri| Self::read(facts, iri)).collect()
        })
    }

    fn read(facts: &Facts, iri: &str) -> Option<Self> {
        let terms = facts.text(iri, qassay::LICENCE_TERMS)?;
        let text = |property| facts.text(iri, property).unwrap_or_default().to_owned();
        let actions = |rules: &mut dyn Iterator<Item = &str>| {
            rules.flat_map(|rule| facts.texts(rule, odrl::ACTION)).map(str::to_owned).collect::<Vec<_>>()
        };
        let permissions = || facts.texts(terms, odrl::PERMISSION);
        Some(Self {
            iri: iri.to_owned(),
            spdx: text(dct::IDENTIFIER),
            title: text(dct::TITLE),
            terms: terms.to_owned(),
            others: facts.texts(iri, skos::EXACT_MATCH).map(str::to_owned).collect(),
            permitted: actions(&mut permissions()),
            demanded: actions(&mut permissions().flat_map(|rule| facts.texts(rule, odrl::DUTY))),
            forbidden: actions(&mut facts.texts(terms, odrl::PROHIBITION)),
        })
    }

    /// Whether copies may be given to others.
    pub fn lets_distribute(&self) -> bool {
        self.permitted.iter().any(|action| action == odrl::DISTRIBUTE)
    }

    /// Whether what is made of it may be given to others.
    pub fn lets_derive(&self) -> bool {
        self.permitted.iter().any(|action| action == odrl::DERIVE)
    }

    /// Whether who made it has to be named.
    pub fn wants_attribution(&self) -> bool {
        self.demanded.iter().any(|action| action == odrl::ATTRIBUTE)
    }

    /// Whether what is made of it must have the same licence.
    pub fn wants_same(&self) -> bool {
        self.demanded.iter().any(|action| action == cc::SHARE_ALIKE)
    }

    /// Whether nobody may earn money with it.
    pub fn is_not_commercial(&self) -> bool {
        self.forbidden.iter().any(|action| action == cc::COMMERCIAL_USE)
    }

    /// The licence that an IRI means, with or without a slash at the end, by `http` or `https`.
    pub fn with_iri(iri: &str) -> Option<&'static Self> {
        let plain = |iri: &str| {
            let address = iri.strip_prefix("https://").or_else(|| iri.strip_prefix("http://")).unwrap_or(iri);
            let address = address.strip_suffix(".html").unwrap_or(address);
            address.trim_end_matches('/').to_owned()
        };
        let wanted = plain(iri);
        let is_meant = |licence: &&Self| {
            plain(&licence.iri) == wanted || licence.others.iter().any(|other| plain(other) == wanted)
        };
        Self::all().iter().find(is_meant)
    }

    /// The licence that a word means: an identifier of SPDX, in any case, or an IRI.
    ///
    /// # Errors
    /// Where it means none that is known.
    pub fn named(word: &str) -> Result<&'static Self> {
        let is_called = |licence: &&Self| licence.spdx.eq_ignore_ascii_case(word);
        let found = Self::all().iter().find(is_called);
        found
            .or_else(|| Self::with_iri(word))
            .or_else(|| Self::with_iri(&format!("{SPDX}{word}")))
            .ok_or_else(|| {
                let known = Self::all().iter().map(|licence| licence.spdx.as_str());
                Error::input(format!("no licence is called `{}`", text::name(word)))
                    .allowed(known.collect::<Vec<_>>().join(", "))
            })
    }

    /// As forms of metadata name it.
    pub fn stated(&self) -> StatedLicence {
        StatedLicence { iri: self.iri.clone(), spdx: Some(self.spdx.clone()), title: self.title.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::catalogue::{Entry, entries};

    #[test]
    fn licences_are_known_by_all_their_names() {
        for word in [
            "cc-by-4.0",
            "https://creativecommons.org/licenses/by/4.0",
            "http://spdx.org/licenses/CC-BY-4.0.html",
        ] {
            assert_eq!(Licence::named(word).unwrap().spdx, "CC-BY-4.0", "{word}");
        }
        assert_eq!(Licence::named("GPL-3.0").unwrap().spdx, "GPL-3.0-only");
        let told = Licence::named("WTFPL\u{1b}[31m").unwrap_err().to_string();
        assert!(told.contains("no licence is called `WTFPL\\u{1b}[31m`") && told.contains("MIT"), "{told}");
    }

    /// Hand-checked against the deeds of Creative Commons and the texts of the others.
    #[test]
    fn what_licences_let_others_do() {
        let rights = |word: &str| {
            let one = Licence::named(word).unwrap();
            let flags = [
                (one.lets_distribute(), "distribute"),
                (one.lets_derive(), "derive"),
                (one.wants_attribution(), "attribute"),
                (one.wants_same(), "same"),
                (one.is_not_commercial(), "not commercial"),
            ];
            flags.into_iter().filter_map(|(is, name)| is.then_some(name)).collect::<Vec<_>>().join(" ")
        };
        for (word, expected) in [
            ("CC0-1.0", "distribute derive"),
            ("MIT", "distribute derive attribute"),
            ("AGPL-3.0-only", "distribute derive attribute same"),
            ("CC-BY-SA-4.0", "distribute derive attribute same"),
            ("CC-BY-ND-4.0", "distribute attribute"),
            ("CC-BY-NC-3.0", "distribute derive attribute not commercial"),
            ("CC-BY-NC-SA-4.0", "distribute derive attribute same not commercial"),
            ("CC-BY-NC-ND-4.0", "distribute attribute not commercial"),
        ] {
            assert_eq!(rights(word), expected, "{word}");
        }
        assert!(Licence::all().iter().all(|one| one.lets_distribute() && !one.title.is_empty()));
    }

    /// The catalogue states none that would be taken for an unknown one.
    #[test]
    fn every_licence_of_the_catalogue_is_known() {
        for iri in entries().iter().filter_map(Entry::licence_iri) {
            assert!(Licence::with_iri(iri).is_some(), "{iri}");
        }
    }
}
