//! The items of one question on either side, in the order in which GERBIL counts them.

use std::collections::BTreeMap;

use crate::profiles::era::Era;
use crate::scoring::gerbil::Labels;
use crate::scoring::gerbil::answers::AnswerSet;
use crate::scoring::gerbil::force::force;
use crate::scoring::gerbil::java::{annotation_hash, hash_order, string_hash};
use crate::scoring::gerbil::known_kb::is_known;
use crate::scoring::gerbil::same_as::Retriever;
use crate::scoring::gerbil::url::is_valid_url;

/// What an item is for the counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A string.
    Text,
    /// An entity.
    Annotation,
    /// An entity that a string is forced to if the string finds no partner (statement 2.4).
    Forced {
        /// The position of the string among the items.
        from: usize,
    },
}

/// One thing to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// String, entity or forced entity.
    pub kind: Kind,
    /// The string, or the URI as given.
    pub text: String,
    /// All URIs of an entity; none for a string.
    pub uris: Vec<String>,
    /// Whether the entity is in a known knowledge base (statement 3.5.1); false for a string.
    pub known: bool,
}

impl Item {
    fn text(text: String) -> Self {
        Self { kind: Kind::Text, text, uris: Vec::new(), known: false }
    }

    fn annotation(text: String, uris: Vec<String>) -> Self {
        Self { kind: Kind::Annotation, text, known: is_known(&uris), uris }
    }

    fn forced(from: usize, uri: String) -> Self {
        Self { kind: Kind::Forced { from }, ..Self::annotation(uri.clone(), vec![uri]) }
    }

    /// The hash of the Java object (statement 2.5.3).
    pub fn hash(&self) -> i32 {
        if self.kind == Kind::Text { string_hash(&self.text) } else { annotation_hash(&self.uris) }
    }

    /// Whether the URI sets share a member.
    fn overlaps(&self, other: &Self) -> bool {
        self.uris.iter().any(|uri| other.uris.contains(uri))
    }
}

/// The gold items: strings and entities in the order of the hash set, then forced items (statements 2.1, 2.3, 2.5.3).
///
/// Gold entities are not expanded (2.2.4) and gold strings not upgraded; era C does not force them (2.3.4).
pub fn gold_items(strings: &[String], era: Era, labels: Labels<'_>) -> Vec<Item> {
    let mut items = java_set(typed(strings, era));
    if era != Era::C {
        push_forced(&mut items, labels);
    }
    items
}

/// The items of the system: strings and entities in the order of the hash set after the expansion, then forced
/// items (statements 2.1 to 2.3, 2.5.3).
pub fn system_items(
    strings: &[String],
    era: Era,
    retriever: &Retriever<'_>,
    labels: Labels<'_>,
) -> Vec<Item> {
    let expanded = java_set(typed(strings, era)).into_iter().map(|item| processed(item, retriever));
    let mut items = java_set(merged(expanded));
    push_forced(&mut items, labels);
    items
}

/// The members of the typed answer set, in the order of the hash set of strings that the loader made.
fn typed(strings: &[String], era: Era) -> Vec<Item> {
    let (texts, make): (_, fn(String) -> Item) = match AnswerSet::of(strings, era) {
        AnswerSet::Strings(texts) => (texts, Item::text),
        AnswerSet::Annotations(uris) => (uris, |uri| Item::annotation(uri.clone(), vec![uri])),
    };
    let hashes: Vec<i32> = texts.iter().map(|text| string_hash(text)).collect();
    in_order(texts, &hash_order(&hashes)).map(make).collect()
}

/// What becomes of an item of the system: entities and valid URLs are expanded (statements 2.2.1, 2.2.2).
fn processed(item: Item, retriever: &Retriever<'_>) -> Item {
    if item.kind == Kind::Text && !is_valid_url(&item.text) {
        return item;
    }
    let uris = retriever.expand(&item.text);
    Item::annotation(item.text, uris)
}

/// Of entities with equal hashes and a common URI only the first stays (statement 2.2.3).
fn merged(items: impl IntoIterator<Item = Item>) -> Vec<Item> {
    let mut kept: Vec<Item> = Vec::new();
    let mut by_hash: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    for item in items {
        let equal_hash = by_hash.entry(item.hash()).or_default();
        if !equal_hash.iter().any(|&at| kept[at].overlaps(&item)) {
            equal_hash.push(kept.len());
            kept.push(item);
        }
    }
    kept
}

/// Distinct items in the order of a hash set into which they were put one by one.
fn java_set(items: Vec<Item>) -> Vec<Item> {
    let hashes: Vec<i32> = items.iter().map(Item::hash).collect();
    let mut ordered: Vec<Item> = in_order(items, &hash_order(&hashes)).collect();
    // a stable sort: strings and entities are counted apart
    ordered.sort_by_key(|item| item.kind != Kind::Text);
    ordered
}

/// The elements at these positions; each position once.
fn in_order<T>(elements: Vec<T>, order: &[usize]) -> impl Iterator<Item = T> {
    let mut slots: Vec<Option<T>> = elements.into_iter().map(Some).collect();
    order.iter().filter_map(move |&at| slots[at].take()).collect::<Vec<_>>().into_iter()
}

/// Appends what each string would be forced to; the counting uses those of leftover strings only.
fn push_forced(items: &mut Vec<Item>, labels: Labels<'_>) {
    let texts = items.iter().take_while(|item| item.kind == Kind::Text).enumerate();
    let forced: Vec<Item> = texts
        .flat_map(|(from, item)| {
            force(&item.text, labels).into_iter().map(move |uri| Item::forced(from, uri))
        })
        .collect();
    items.extend(forced);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles::same_as::Mode;
    use crate::scoring::gerbil::same_as::LinkTable;

    const BERLIN: &str = "http://dbpedia.org/resource/Berlin";

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn system(texts: &[&str]) -> Vec<Item> {
        let links = LinkTable::default();
        system_items(&strings(texts), Era::C, &Retriever::new(Mode::Static, &links), &|_| vec![])
    }

    #[test]
    fn s_2_2_3_equal_closures_merge() {
        let items = system(&[BERLIN, "http://en.wikipedia.org/wiki/Berlin"]);
        assert_eq!(items.len(), 1);
        assert_eq!(items[0].uris.len(), 2);
        assert!(items[0].known);
    }

    #[test]
    fn s_2_2_2_urls_among_strings_are_upgraded() {
        let items = system(&[BERLIN, "foo bar", "http://dbpedia.org/resource/Köln"]);
        let kinds: Vec<Kind> = items.iter().map(|item| item.kind).collect();
        let forced = [Kind::Forced { from: 0 }, Kind::Forced { from: 1 }];
        assert_eq!(kinds, [Kind::Text, Kind::Text, Kind::Annotation, forced[0], forced[1]]);
        assert_eq!(items[2].text, BERLIN);
        assert_eq!([&items[3].text, &items[4].text], [&items[0].text, &items[1].text]);
    }

    #[test]
    fn s_2_2_4_gold_is_not_expanded() {
        let items = gold_items(&strings(&[BERLIN]), Era::C, &|_| vec![]);
        assert_eq!(items[0].uris, [BERLIN]);
    }

    #[test]
    fn s_2_3_4_gold_is_forced_before_era_c_only() {
        let count = |era| gold_items(&strings(&[BERLIN, "foo bar"]), era, &|_| vec![]).len();
        assert_eq!([count(Era::A), count(Era::B), count(Era::C)], [4, 4, 2]);
    }

    #[test]
    fn s_2_4_1_forced_urls_are_not_expanded() {
        let items = gold_items(&strings(&[BERLIN, "foo bar"]), Era::A, &|_| vec![]);
        let forced = items.iter().find(|item| item.text == BERLIN && item.kind != Kind::Text);
        assert_eq!(forced.map(|item| item.uris.len()), Some(1));
    }
}
