//! Matches and counts as GERBIL does (`ontology/gerbil.md`, sections 2 and 3). The queries find the pairs; the order of
//! Java's hash sets and the rules of the era decide which of them count.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::Literal;

use crate::base::vocab::{code, qassay};
use crate::measures::result::ItemPart;
use crate::measures::sets::Counts;
use crate::profiles::era::Era;
use crate::profiles::loaders::LANGUAGE;
use crate::profiles::rules::{ExperimentRules, Pairing, Scope};
use crate::scoring::block::Block;
use crate::scoring::cases::{Answer, Case, Cases};
use crate::scoring::gerbil::greedy::{Assigned, Fit, assign_in_order, assign_meanings};
use crate::scoring::gerbil::items::{AnswerKind, GerbilAnswer};
use crate::scoring::gerbil::java::hash_order;
use crate::scoring::gerbil::offers::{GerbilItem, items};
use crate::scoring::matching::QuestionMatch;
use crate::scoring::pairs::candidates::SideItems;
use crate::scoring::pairs::pairing::Match;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::reader::{Reader, Setting, Sides};
use crate::scoring::skip::{Party, Skip};
use crate::sparql::index::Index;

/// The items of one question on both sides.
struct QuestionItems {
    gold: Vec<GerbilItem>,
    system: Vec<GerbilItem>,
}

/// Items as GERBIL makes them.
pub(crate) struct GerbilReader {
    era: Era,
    /// Question by question.
    all: Vec<QuestionItems>,
    /// The questions whose wildcards are too many for a query.
    many: Vec<bool>,
}

impl GerbilReader {
    /// A reader for the matcher of an era.
    pub(crate) fn new(era: Era) -> Self {
        Self { era, all: Vec::new(), many: Vec::new() }
    }
}

impl Reader for GerbilReader {
    fn skip_all(&self, context: &Setting<'_>, cases: &Cases) -> Option<Skip> {
        let mut kept = cases.iter().filter(|case| skip(context, case).is_none());
        let has_items = |case| {
            let items = self.items(context, case);
            !items.gold.is_empty() || !items.system.is_empty()
        };
        (context.rules.scope == Scope::WhereAnyItem && !kept.any(has_items)).then_some(Skip::NoItems)
    }

    fn read(&mut self, context: &Setting<'_>, block: &Block<'_>) -> Vec<Option<Skip>> {
        self.all = block.iter().map(|case| self.items(context, case)).collect();
        let are_many = |items: &QuestionItems| are_many(context.rules, &items.gold, &items.system);
        self.many = self.all.iter().map(are_many).collect();
        block.iter().map(|case| skip(context, &case)).collect()
    }

    fn state(&mut self, context: &Setting<'_>, _: &Block<'_>, workspace: &mut Workspace) -> Sides {
        let Self { all, many, .. } = self;
        let mut stated = ItemStatements { workspace, rules: context.rules, many, tables: Vec::new() };
        let gold = stated.side(Party::Gold, all.iter().map(|items| &items.gold));
        let system = stated.side(Party::System, all.iter().map(|items| &items.system));
        Sides { gold, system }
    }

    fn choose(
        &self,
        context: &Setting<'_>,
        _: &Block<'_>,
        _: &Index,
        (position, mut found): (usize, Vec<Match>),
        sides: &mut Sides,
    ) -> QuestionMatch {
        let (rules, era, items) = (context.rules, self.era, &self.all[position]);
        if self.many[position] {
            found.extend(few_pairs(rules, era, (&items.gold, &items.system), &found));
            found.sort_unstable_by_key(|candidate| (candidate.gold, candidate.system));
        }
        let assigned = count(rules, era, items, &found);
        let mut question = question(rules, items, &found, &assigned);
        let kept = CountedItems::of(rules, era, items, &question.pairs);
        question.gold = kept.gold.iter().map(|&at| sides.gold.items[position][at as usize]).collect();
        question.system = kept.system.iter().map(|&at| sides.system.items[position][at as usize]).collect();
        kept.renumber(&mut question.pairs);
        question
    }
}

impl GerbilReader {
    fn items(&self, context: &Setting<'_>, case: Case<'_>) -> QuestionItems {
        let Setting { plan, rules } = *context;
        let of = |role, answer: &Answer<'_>| items(rules.reading, self.era, role, answer, plan);
        QuestionItems {
            gold: of(Party::Gold, &case.gold),
            system: case.system.map(|answer| of(Party::System, &answer)).unwrap_or_default(),
        }
    }
}

/// GERBIL drops the questions without a text in the language before it looks at anything (5.2.6).
fn skip(context: &Setting<'_>, case: &Case<'_>) -> Option<Skip> {
    let language = context.plan.language().unwrap_or(LANGUAGE);
    let no_text = || (!case.gold.question.has_text(language)).then_some(Skip::NoText);
    case.left_out.map(Skip::NotLoaded).or_else(no_text)
}

/// What is stated for the queries.
struct ItemStatements<'a> {
    workspace: &'a mut Workspace,
    rules: &'a ExperimentRules,
    /// The questions whose wildcards are too many for a query.
    many: &'a [bool],
    /// The tables of what items are joined on, by the property.
    tables: Vec<(&'static str, usize)>,
}

impl ItemStatements<'_> {
    /// States the items of one side: each is a node, since lists hold things several times.
    fn side<'b>(&mut self, role: Party, items: impl Iterator<Item = &'b Vec<GerbilItem>>) -> SideItems {
        let table = self.workspace.item_table(role, self.rules.reading);
        let mut side = SideItems { answers: self.workspace.answers(role).to_vec(), items: Vec::new() };
        for ((items, answer), many) in items.zip(&side.answers).zip(self.many) {
            let mut nodes = Vec::with_capacity(items.len());
            for item in items {
                let Some(answer) = *answer else { continue };
                let node = self.workspace.item(item.meant());
                self.workspace.index.add(table, answer, node);
                if !(*many && is_wildcard(item)) {
                    self.keys(node, item);
                }
                nodes.push(node);
            }
            side.items.push(nodes);
        }
        side
    }

    /// States what the queries join an item on.
    fn keys(&mut self, node: u32, item: &GerbilItem) {
        match item {
            GerbilItem::Answer(GerbilAnswer { kind: AnswerKind::Text, text, .. }) => {
                self.text(node, qassay::TEXT_KEY, text);
            }
            GerbilItem::Answer(GerbilAnswer { uris, known, .. })
            | GerbilItem::Meaning { uris, known, .. } => {
                for uri in uris {
                    self.text(node, qassay::MEANING_URI, uri);
                }
                self.text(node, qassay::MEANING_CLASS, if *known { "InKB" } else { "EE" });
            }
            GerbilItem::Relation { subject, predicate, object, literal } => {
                let literal: Vec<String> = literal.iter().cloned().collect();
                for (property, values) in [
                    (qassay::RELATION_SUBJECT, subject),
                    (qassay::RELATION_PREDICATE, predicate),
                    (qassay::RELATION_OBJECT, object),
                    (qassay::RELATION_LITERAL, &literal),
                ] {
                    // What is not there equals what is not there.
                    if values.is_empty() {
                        self.text(node, property, "");
                    }
                    for value in values {
                        self.text(node, property, &format!("={value}"));
                    }
                }
            }
            GerbilItem::Type(name) => self.text(node, qassay::TEXT_KEY, name),
        }
    }

    fn text(&mut self, node: u32, property: &'static str, value: &str) {
        let index = &mut self.workspace.index;
        let known = self.tables.iter().find(|(known, _)| *known == property);
        let table = known.map_or_else(|| index.table(&code::iri("role-keys"), property), |(_, table)| *table);
        if known.is_none() {
            self.tables.push((property, table));
        }
        let value = index.intern(Literal::new_simple_literal(value));
        index.add(table, node, value);
    }
}

/// Chooses among the pairs that match.
fn count(rules: &ExperimentRules, era: Era, items: &QuestionItems, candidates: &[Match]) -> Assigned {
    let pair = |candidate: &Match| Fit { gold: candidate.gold, system: candidate.system };
    if rules.pairing != Pairing::GerbilAnswers {
        let pairs: Vec<Fit> = candidates.iter().map(pair).collect();
        let length = |items: &[GerbilItem]| u32::try_from(items.len()).unwrap_or(u32::MAX);
        let reuse = rules.pairing == Pairing::GreedyReuse;
        return assign_meanings(length(&items.gold), length(&items.system), &pairs, reuse);
    }
    let (gold, system) = (answers(&items.gold), answers(&items.system));
    // Strings match strings only, and everything else entities only.
    let is_text = |candidate: &&Match| gold[candidate.gold as usize].kind == AnswerKind::Text;
    let texts: Vec<Fit> = candidates.iter().filter(is_text).map(pair).collect();
    let others: Vec<Fit> = candidates.iter().filter(|candidate| !is_text(candidate)).map(pair).collect();
    assign(&gold, &system, &texts, &others, era)
}

/// The answers among items.
fn answers(items: &[GerbilItem]) -> Vec<&GerbilAnswer> {
    let all = items.iter().filter_map(|item| match item {
        GerbilItem::Answer(item) => Some(item),
        _ => None,
    });
    all.collect()
}

/// What the counting says of a question. The counts are GERBIL's, whatever the number of items is: precision is
/// tp / (tp + fp), recall is tp / (tp + fn) (statement 1.1.3).
fn question(
    rules: &ExperimentRules,
    items: &QuestionItems,
    candidates: &[Match],
    assigned: &Assigned,
) -> QuestionMatch {
    let step = |pair: &Fit| {
        // They are sorted.
        let found = candidates.binary_search_by_key(&(pair.gold, pair.system), |c| (c.gold, c.system));
        found.map_or(0, |at| candidates[at].step)
    };
    let mut pairs: Vec<Match> = assigned
        .pairs
        .iter()
        .map(|pair| Match { step: step(pair), gold: pair.gold, system: pair.system })
        .collect();
    pairs.sort_unstable_by_key(|pair| (pair.gold, pair.system));
    let counts =
        Counts { gold: assigned.tp + assigned.fn_, system: assigned.tp + assigned.fp, matched: assigned.tp };
    let mut parts = BTreeMap::new();
    if rules.measures_part(ItemPart::InKb) {
        parts.insert(ItemPart::InKb, part(items, &assigned.pairs, true));
        parts.insert(ItemPart::Emerging, part(items, &assigned.pairs, false));
    }
    QuestionMatch { counts, pairs, parts, ..QuestionMatch::default() }
}

/// The items that are counted, by their positions: a string that is counted as what its label names is not counted
/// itself, and what a string could have been is not counted where the string has a partner.
struct CountedItems {
    gold: Vec<u32>,
    system: Vec<u32>,
}

impl CountedItems {
    fn of(rules: &ExperimentRules, era: Era, items: &QuestionItems, pairs: &[Match]) -> Self {
        let paired = |side: fn(&Match) -> u32| -> BTreeSet<usize> {
            pairs.iter().map(|pair| side(pair) as usize).collect()
        };
        let keep = |items: &[GerbilItem], paired: BTreeSet<usize>, forces: bool| -> Vec<u32> {
            let is_kept = |(at, item): (usize, &GerbilItem)| {
                let kept = match item {
                    GerbilItem::Answer(GerbilAnswer { kind: AnswerKind::Text, .. }) => {
                        !forces || paired.contains(&at)
                    }
                    GerbilItem::Answer(GerbilAnswer { kind: AnswerKind::Forced { from }, .. }) => {
                        forces && !paired.contains(from)
                    }
                    _ => true,
                };
                kept.then(|| u32::try_from(at).ok()).flatten()
            };
            items.iter().enumerate().filter_map(is_kept).collect()
        };
        let of_answers = rules.pairing == Pairing::GerbilAnswers;
        Self {
            // Era C does not force gold strings (statement 2.3.4).
            gold: keep(&items.gold, paired(|pair| pair.gold), of_answers && era != Era::C),
            system: keep(&items.system, paired(|pair| pair.system), of_answers),
        }
    }

    /// The pairs by the positions among the kept items.
    fn renumber(&self, pairs: &mut Vec<Match>) {
        let place =
            |kept: &[u32], at: u32| kept.binary_search(&at).ok().and_then(|place| u32::try_from(place).ok());
        pairs.retain_mut(|pair| match (place(&self.gold, pair.gold), place(&self.system, pair.system)) {
            (Some(gold), Some(system)) => {
                (pair.gold, pair.system) = (gold, system);
                true
            }
            _ => false,
        });
    }
}

/// The counts of the meanings that are, or are not, in a known knowledge base. No pair has one of each.
fn part(items: &QuestionItems, pairs: &[Fit], wanted: bool) -> Counts {
    let belongs = |item: &GerbilItem| matches!(item, GerbilItem::Meaning { known, .. } if *known == wanted);
    let count = |items: &[GerbilItem]| items.iter().filter(|item| belongs(item)).count() as u64;
    let of_part: Vec<&Fit> = pairs.iter().filter(|pair| belongs(&items.gold[pair.gold as usize])).collect();
    let mut used: Vec<u32> = of_part.iter().map(|pair| pair.system).collect();
    used.sort_unstable();
    used.dedup();
    let matched = of_part.len() as u64;
    Counts { gold: count(&items.gold), system: matched + count(&items.system) - used.len() as u64, matched }
}

/// Counts one question (statements 2.3 and 2.5, and the eras of section 0).
///
/// `text_pairs` are the pairs of equal strings (2.3.2). `candidates` are the pairs of entities, forced ones
/// included, that match by the rule of the era: in C those with a common URI (2.5.1); in A and B those of known
/// entities with a common URI and all those of unknown ones (3.5.2). Both may come in any order.
pub fn assign(
    gold: &[impl Borrow<GerbilAnswer>],
    system: &[impl Borrow<GerbilAnswer>],
    text_pairs: &[Fit],
    candidates: &[Fit],
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
fn leftover_texts(items: &[impl Borrow<GerbilAnswer>], matched: impl Iterator<Item = u32>) -> Vec<usize> {
    let mut is_left: Vec<bool> = items.iter().map(|item| item.borrow().kind == AnswerKind::Text).collect();
    for position in matched {
        if let Some(is_left) = is_left.get_mut(position as usize) {
            *is_left = false;
        }
    }
    let left: Vec<usize> = (0..items.len()).filter(|&at| is_left[at]).collect();
    let hashes: Vec<i32> = left.iter().map(|&at| items[at].borrow().hash()).collect();
    hash_order(&hashes).into_iter().map(|rank| left[rank]).collect()
}

/// The positions of the entities, then of those that the leftover strings are forced to.
fn entities(items: &[impl Borrow<GerbilAnswer>], left: &[usize]) -> Vec<u32> {
    let mut annotations = Vec::new();
    let mut forced: Vec<Vec<u32>> = vec![Vec::new(); items.len()];
    for (position, item) in (0_u32..).zip(items) {
        match item.borrow().kind {
            AnswerKind::Text => {}
            AnswerKind::Annotation => annotations.push(position),
            AnswerKind::Forced { from } => forced[from].push(position),
        }
    }
    annotations.extend(left.iter().flat_map(|&from| &forced[from]));
    annotations
}

/// The most pairs of wildcards in a question that the query lists.
const MOST_LISTED: usize = 100_000;

/// Whether the wildcards of a question are too many for the query.
pub(crate) fn are_many(rules: &ExperimentRules, gold: &[GerbilItem], system: &[GerbilItem]) -> bool {
    // In the other eras entities match by their URIs, wherever they are.
    if step(rules).is_none() {
        return false;
    }
    let count = |items: &[GerbilItem]| items.iter().filter(|item| is_wildcard(item)).count();
    count(gold).saturating_mul(count(system)) > MOST_LISTED
}

/// The step that makes wildcards match.
fn step(rules: &ExperimentRules) -> Option<u8> {
    let found = rules.steps.iter().position(|step| step.rule == "match-gerbil-emerging");
    found.and_then(|step| u8::try_from(step).ok())
}

/// An entity of an answer that is in no known knowledge base.
pub(crate) fn is_wildcard(item: &GerbilItem) -> bool {
    matches!(
        item,
        GerbilItem::Answer(GerbilAnswer {
            kind: AnswerKind::Annotation | AnswerKind::Forced { .. },
            known: false,
            ..
        })
    )
}

/// Pairs of wildcards that give the counts that all pairs would give. Every wildcard fits every other, so the n-th may
/// take the n-th; where items are used again (era B), the first serves all.
pub(crate) fn few_pairs(
    rules: &ExperimentRules,
    era: Era,
    (gold, system): (&[GerbilItem], &[GerbilItem]),
    listed: &[Match],
) -> Vec<Match> {
    let Some(step) = step(rules) else { return Vec::new() };
    let is_text = |items: &[GerbilItem], at: u32| {
        matches!(
            items.get(at as usize),
            Some(GerbilItem::Answer(GerbilAnswer { kind: AnswerKind::Text, .. }))
        )
    };
    let texts: Vec<&Match> = listed.iter().filter(|pair| is_text(gold, pair.gold)).collect();
    let gold = counted(gold, &texts.iter().map(|pair| pair.gold as usize).collect());
    let system = counted(system, &texts.iter().map(|pair| pair.system as usize).collect());
    let pair = |gold: u32, system: u32| Match { step, gold, system };
    match system.first() {
        Some(&first) if era == Era::B => gold.into_iter().map(|gold| pair(gold, first)).collect(),
        _ => gold.into_iter().zip(system).map(|(gold, system)| pair(gold, system)).collect(),
    }
}

/// The positions of the wildcards that are counted: not what a string could have been that has a partner.
fn counted(items: &[GerbilItem], paired: &BTreeSet<usize>) -> Vec<u32> {
    let is_counted = |item: &GerbilItem| match item {
        GerbilItem::Answer(GerbilAnswer { kind: AnswerKind::Forced { from }, .. }) => !paired.contains(from),
        _ => true,
    };
    let wildcards = items.iter().zip(0..).filter(|(item, _)| is_wildcard(item) && is_counted(item));
    wildcards.map(|(_, at)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles::same_as::Mode;
    use crate::scoring::gerbil::items::{gold_items, system_items};
    use crate::scoring::gerbil::same_as::Retriever;

    const BERLIN: &str = "http://dbpedia.org/resource/Berlin";
    const WD: &str = "http://www.wikidata.org/entity/";

    /// `A` is `dbr:A`; the pairs are found one by one.
    fn counts(gold: &[&str], system: &[&str], era: Era) -> [u64; 3] {
        let strings = |texts: &[&str]| texts.iter().map(|text| full(text)).collect::<Vec<_>>();
        let berlin = ["", ",_Connecticut"].map(|rest| format!("{BERLIN}{rest}"));
        let labels = |text: &str| if text == "Berlin" { berlin.to_vec() } else { vec![] };
        let links = [("Berlin", 64), ("Paris", 75), ("Vienna", 45)]
            .map(|(name, q)| (full(&format!("dbr:{name}")), format!("{WD}Q{q}")));
        let gold = gold_items(&strings(gold), era, &labels);
        let system = system_items(&strings(system), era, &Retriever::new(Mode::Closure, links), &labels);
        let all = || (0_u32..).zip(&gold).flat_map(|g| (0_u32..).zip(&system).map(move |s| (g, s)));
        let pairs = |matches: &dyn Fn(&GerbilAnswer, &GerbilAnswer) -> bool| -> Vec<Fit> {
            all()
                .filter(|((_, g), (_, s))| matches(g, s))
                .map(|((gold, _), (system, _))| Fit { gold, system })
                .collect()
        };
        let texts =
            pairs(&|g, s| g.kind == AnswerKind::Text && s.kind == AnswerKind::Text && g.text == s.text);
        let candidates = pairs(&|g, s| {
            let overlap = g.uris.iter().any(|uri| s.uris.contains(uri));
            let entities = g.kind != AnswerKind::Text && s.kind != AnswerKind::Text;
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
