//! The counting of QA answers (statement 2.3), on pairs of items that were found to match elsewhere.

use crate::profiles::era::Era;
use crate::scoring::gerbil::greedy::{Assigned, Pair, assign_in_order};
use crate::scoring::gerbil::items::{Item, Kind};
use crate::scoring::gerbil::java::hash_order;

/// Counts one question (statements 2.3 and 2.5, and the eras of section 0).
///
/// `text_pairs` are the pairs of equal strings (2.3.2). `candidates` are the pairs of entities, forced ones
/// included, that match by the rule of the era: in C those with a common URI (2.5.1); in A and B those of known
/// entities with a common URI and all those of unknown ones (3.5.2). Both may come in any order.
pub fn assign(
    gold: &[Item],
    system: &[Item],
    text_pairs: &[Pair],
    candidates: &[Pair],
    era: Era,
) -> Assigned {
    let mut pairs = text_pairs.to_vec();
    pairs.sort_unstable();
    let gold_left = leftover_texts(gold, pairs.iter().map(|pair| pair.gold));
    let system_left = leftover_texts(system, pairs.iter().map(|pair| pair.system));

    let reuse = era == Era::B;
    let entities =
        assign_in_order(&entities(gold, &gold_left), &entities(system, &system_left), candidates, reuse);
    // before era C the leftover gold strings are counted as the entities that they were forced to
    let missed_texts = if era == Era::C { gold_left.len() as u64 } else { 0 };
    Assigned {
        tp: pairs.len() as u64 + entities.tp,
        // the false positives of the strings are discarded (2.3.6)
        fp: entities.fp,
        fn_: missed_texts + entities.fn_,
        pairs: [pairs, entities.pairs].concat(),
    }
}

/// The positions of the strings without a partner, in the order of a hash set of their own (statement 2.3.3).
fn leftover_texts(items: &[Item], matched: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut is_left: Vec<bool> = items.iter().map(|item| item.kind == Kind::Text).collect();
    for position in matched {
        if let Some(is_left) = is_left.get_mut(position as usize) {
            *is_left = false;
        }
    }
    let left: Vec<usize> = (0..items.len()).filter(|&at| is_left[at]).collect();
    let hashes: Vec<i32> = left.iter().map(|&at| items[at].hash()).collect();
    hash_order(&hashes).into_iter().map(|rank| left[rank]).collect()
}

/// The positions of the entities, then of those that the leftover strings are forced to.
fn entities(items: &[Item], left: &[usize]) -> Vec<u32> {
    let mut annotations = Vec::new();
    let mut forced: Vec<Vec<u32>> = vec![Vec::new(); items.len()];
    for (position, item) in (0_u32..).zip(items) {
        match item.kind {
            Kind::Text => {}
            Kind::Annotation => annotations.push(position),
            Kind::Forced { from } => forced[from].push(position),
        }
    }
    annotations.extend(left.iter().flat_map(|&from| &forced[from]));
    annotations
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles::same_as::Mode;
    use crate::scoring::gerbil::items::{gold_items, system_items};
    use crate::scoring::gerbil::same_as::{LinkTable, Retriever};

    const BERLIN: &str = "http://dbpedia.org/resource/Berlin";
    const WD: &str = "http://www.wikidata.org/entity/";

    /// `A` is `dbr:A`; the pairs are found one by one.
    fn counts(gold: &[&str], system: &[&str], era: Era) -> [u64; 3] {
        let strings = |texts: &[&str]| texts.iter().map(|text| full(text)).collect::<Vec<_>>();
        let berlin = ["", ",_Connecticut"].map(|rest| format!("{BERLIN}{rest}"));
        let labels = |text: &str| if text == "Berlin" { berlin.to_vec() } else { vec![] };
        let links = [("Berlin", 64), ("Paris", 75), ("Vienna", 45)]
            .map(|(name, q)| (full(&format!("dbr:{name}")), format!("{WD}Q{q}")));
        let links = LinkTable::new(links);
        let gold = gold_items(&strings(gold), era, &labels);
        let system = system_items(&strings(system), era, &Retriever::new(Mode::Closure, &links), &labels);
        let all = || (0_u32..).zip(&gold).flat_map(|g| (0_u32..).zip(&system).map(move |s| (g, s)));
        let pairs = |matches: &dyn Fn(&Item, &Item) -> bool| -> Vec<Pair> {
            all()
                .filter(|((_, g), (_, s))| matches(g, s))
                .map(|((gold, _), (system, _))| Pair { gold, system })
                .collect()
        };
        let texts = pairs(&|g, s| g.kind == Kind::Text && s.kind == Kind::Text && g.text == s.text);
        let candidates = pairs(&|g, s| {
            let overlap = g.uris.iter().any(|uri| s.uris.contains(uri));
            let entities = g.kind != Kind::Text && s.kind != Kind::Text;
            entities && if era == Era::C { overlap } else { g.known == s.known && (overlap || !g.known) }
        });
        let assigned = assign(&gold, &system, &texts, &candidates, era);
        assert_eq!(assigned.tp, assigned.pairs.len() as u64);
        [assigned.tp, assigned.fp, assigned.fn_]
    }

    fn full(text: &str) -> String {
        text.strip_prefix("dbr:")
            .map_or_else(|| text.replace("wd:", WD), |name| format!("http://dbpedia.org/resource/{name}"))
    }

    #[test]
    fn s_0_era_differences() {
        type Case = (&'static [&'static str], &'static [&'static str], [u64; 3], [u64; 3], [u64; 3]);
        let cases: &[Case] = &[
            (&["true"], &["false"], [1, 0, 0], [1, 0, 0], [0, 1, 1]),
            (&["8"], &["8.0"], [1, 0, 0], [1, 0, 0], [0, 1, 1]),
            (&["1990-01-01"], &["1990-01-01T00:00:00Z"], [1, 0, 0], [1, 0, 0], [0, 1, 1]),
            (&["Berlin"], &["Berlin@en"], [1, 0, 0], [1, 0, 0], [0, 1, 1]),
            (&["New York"], &["New York@en"], [1, 0, 0], [1, 0, 0], [0, 1, 1]),
            (&["dbr:Berlin"], &["Berlin"], [0, 1, 1], [0, 1, 1], [1, 1, 0]),
            (&["dbr:A", "foo bar"], &["dbr:A", "foo bar"], [2, 0, 0], [2, 0, 0], [1, 1, 1]),
            (&["dbr:A", "foo bar"], &["dbr:A"], [1, 0, 1], [1, 0, 1], [0, 1, 2]),
            (&["dbr:A", "dbr:B|C"], &["dbr:A"], [1, 0, 1], [1, 0, 1], [0, 1, 2]),
            (&["dbr:Berlin", "wd:Q64"], &["dbr:Berlin"], [1, 0, 1], [2, 0, 0], [1, 0, 1]),
            (&["dbr:A", "dbr:B"], &["dbr:A"], [1, 0, 1], [1, 0, 1], [1, 0, 1]),
            (&[], &[], [0, 0, 0], [0, 0, 0], [0, 0, 0]),
            (&[], &["dbr:A"], [0, 1, 0], [0, 1, 0], [0, 1, 0]),
            (&["dbr:A"], &[], [0, 0, 1], [0, 0, 1], [0, 0, 1]),
        ];
        for (gold, system, a, b, c) in cases {
            let found = [Era::A, Era::B, Era::C].map(|era| counts(gold, system, era));
            assert_eq!(found, [*a, *b, *c], "{gold:?} / {system:?}");
        }
    }

    #[test]
    fn s_2_7_worked_examples() {
        type Case = (&'static str, &'static [&'static str], &'static [&'static str], [u64; 3]);
        // those that section 0 does not have; era C
        let cases: &[Case] = &[
            ("M3b", &["8"], &["8"], [1, 0, 0]),
            ("M4b", &["true"], &["True"], [0, 1, 1]),
            ("M5b", &["dbr:Berlin"], &["dbr:Berlin", "http://en.wikipedia.org/wiki/Berlin"], [1, 0, 0]),
            ("M5c", &["dbr:Berlin"], &["wd:Q64"], [0, 1, 1]),
            ("M5d", &["wd:Q64"], &["dbr:Berlin"], [1, 0, 0]),
            ("M5e", &["wd:Q75", "dbr:Paris"], &["wd:Q75", "dbr:Paris"], [1, 1, 1]),
            ("2.5.2", &["wd:Q45", "dbr:Vienna"], &["wd:Q45", "dbr:Vienna"], [2, 0, 0]),
            ("M7c", &["dbr:A"], &["dbr:A", "foo bar"], [1, 1, 0]),
            ("M8", &["dbr:Köln"], &["dbr:K%C3%B6ln"], [1, 0, 0]),
            ("M8b", &["dbr:Köln"], &["dbr:Köln", "x y"], [1, 1, 0]),
            ("M9", &["12:30"], &["12:30"], [1, 0, 0]),
            ("M9b", &["a:b"], &["a:b"], [1, 0, 0]),
            ("M11", &["wd:Q64"], &["https://www.wikidata.org/entity/Q64"], [0, 1, 1]),
            ("M12", &["dbr:Berlin"], &["http://en.dbpedia.org/resource/Berlin"], [1, 0, 0]),
            ("M15", &["A b", "A b"], &["A b"], [1, 0, 0]),
        ];
        for (name, gold, system, expected) in cases {
            assert_eq!(counts(gold, system, Era::C), *expected, "{name}");
        }
    }

    #[test]
    fn s_2_3_one_literal_costs_as_many_as_its_label_has_hits() {
        assert_eq!(counts(&["dbr:A"], &["Berlin"], Era::C), [0, 2, 1]);
    }
}
