//! Matches and counts as GERBIL does (`ontology/gerbil.md`, sections 2 and 3). The queries find the pairs; the order of
//! Java's hash sets and the rules of the era decide which of them count.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::{Literal, Term};

use crate::base::iri;
use crate::base::vocab::{code, qassay};
use crate::measures::result::ItemPart;
use crate::measures::sets::Counts;
use crate::profiles::era::Era;
use crate::profiles::loaders::LANGUAGE;
use crate::profiles::rules::{ExperimentRules, Pairing, Scope};
use crate::scoring::cases::{Answer, Case, Cases};
use crate::scoring::gerbil::count::assign;
use crate::scoring::gerbil::greedy::{Assigned, Pair, assign_meanings};
use crate::scoring::gerbil::items::{Item, Kind};
use crate::scoring::gerbil::offers::{GerbilItem, items};
use crate::scoring::gerbil::wildcards::{are_many, few_pairs, is_wildcard};
use crate::scoring::matching::QuestionMatch;
use crate::scoring::pairs::candidates::Side;
use crate::scoring::pairs::pairing::Match;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::reader::{Context, Reader, Sides};
use crate::scoring::skip::{Role, Skip};
use crate::sources::input::term;
use crate::sparql::index::Index;

/// The items of one question on both sides.
struct Items {
    gold: Vec<GerbilItem>,
    system: Vec<GerbilItem>,
}

/// Items as GERBIL makes them.
pub(crate) struct OfGerbil {
    era: Era,
    /// Question by question.
    all: Vec<Items>,
    /// The questions whose wildcards are too many for a query.
    many: Vec<bool>,
    meant: BTreeMap<u32, Term>,
}

impl OfGerbil {
    /// A reader for the matcher of an era.
    pub(crate) fn new(era: Era) -> Self {
        Self { era, all: Vec::new(), many: Vec::new(), meant: BTreeMap::new() }
    }
}

impl Reader for OfGerbil {
    fn read(&mut self, context: &Context<'_>, cases: &Cases<'_>) -> Result<Vec<Option<Skip>>, Skip> {
        let Context { rules, knowledge, .. } = *context;
        let of = |role, answer: &Answer<'_>| items(rules.reading, self.era, role, answer, knowledge);
        let of_case = |case: &Case<'_>| Items {
            gold: of(Role::Gold, &case.gold),
            system: case.system.map(|answer| of(Role::System, &answer)).unwrap_or_default(),
        };
        let all: Vec<Items> = cases.all.iter().map(of_case).collect();
        // GERBIL drops the questions without a text in the language before it looks at anything (5.2.6).
        let language = knowledge.language.unwrap_or(LANGUAGE);
        let skip = |case: &Case<'_>| {
            let no_text = || (!case.gold.question.has_text(language)).then_some(Skip::NoText);
            case.left_out.map(Skip::NotLoaded).or_else(no_text)
        };
        let skips: Vec<Option<Skip>> = cases.all.iter().map(skip).collect();
        let mut kept = all.iter().zip(&skips).filter(|(_, skip)| skip.is_none());
        let has_items = |(items, _): (&Items, _)| !items.gold.is_empty() || !items.system.is_empty();
        if rules.scope == Scope::WhereAnyItem && !kept.any(has_items) {
            return Err(Skip::NoItems);
        }
        self.many = all.iter().map(|items| are_many(rules, &items.gold, &items.system)).collect();
        self.all = all;
        Ok(skips)
    }

    fn state(&mut self, context: &Context<'_>, _: &Cases<'_>, workspace: &mut Workspace) -> Sides {
        let Self { all, many, meant, .. } = self;
        let mut stated = Stated { workspace, meant, rules: context.rules, many };
        let gold = stated.side(Role::Gold, all.iter().map(|items| &items.gold));
        let system = stated.side(Role::System, all.iter().map(|items| &items.system));
        Sides { gold, system }
    }

    fn choose(
        &self,
        context: &Context<'_>,
        _: &Cases<'_>,
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
        let kept = Kept::of(rules, era, items, &question.pairs);
        question.gold = kept.gold.iter().map(|&at| sides.gold.items[position][at as usize]).collect();
        question.system = kept.system.iter().map(|&at| sides.system.items[position][at as usize]).collect();
        kept.renumber(&mut question.pairs);
        question
    }

    fn meant(self: Box<Self>) -> BTreeMap<u32, Term> {
        self.meant
    }
}

/// What is stated for the queries.
struct Stated<'a> {
    workspace: &'a mut Workspace,
    meant: &'a mut BTreeMap<u32, Term>,
    rules: &'a ExperimentRules,
    /// The questions whose wildcards are too many for a query.
    many: &'a [bool],
}

impl Stated<'_> {
    /// States the items of one side: each is a node, since lists hold things several times.
    fn side<'b>(&mut self, role: Role, items: impl Iterator<Item = &'b Vec<GerbilItem>>) -> Side {
        let table = self.workspace.item_table(role, self.rules.reading);
        let mut side = Side { answers: self.workspace.answers(role).to_vec(), items: Vec::new() };
        for ((items, answer), many) in items.zip(&side.answers).zip(self.many) {
            let mut nodes = Vec::with_capacity(items.len());
            for (item, at) in items.iter().zip(1..) {
                let Some(answer) = *answer else { continue };
                let name = term::text(self.workspace.index.term(answer)).into_owned();
                let name = format!("{}/{}", iri::item(&name, at), self.rules.name);
                let node = self.workspace.index.intern_iri(name);
                self.workspace.index.add(table, answer, node);
                if !(*many && is_wildcard(item)) {
                    self.keys(node, item);
                }
                self.meant.insert(node, item.meant());
                nodes.push(node);
            }
            side.items.push(nodes);
        }
        side
    }

    /// States what the queries join an item on.
    fn keys(&mut self, node: u32, item: &GerbilItem) {
        match item {
            GerbilItem::Answer(Item { kind: Kind::Text, text, .. }) => {
                self.text(node, qassay::TEXT_KEY, text);
            }
            GerbilItem::Answer(Item { uris, known, .. }) | GerbilItem::Meaning { uris, known, .. } => {
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

    fn text(&mut self, node: u32, property: &str, value: &str) {
        let index = &mut self.workspace.index;
        let table = index.table(&code::iri("role-keys"), property);
        let value = index.intern(Literal::new_simple_literal(value));
        index.add(table, node, value);
    }
}

/// Chooses among the pairs that match.
fn count(rules: &ExperimentRules, era: Era, items: &Items, candidates: &[Match]) -> Assigned {
    let pair = |candidate: &Match| Pair { gold: candidate.gold, system: candidate.system };
    if rules.pairing != Pairing::GerbilAnswers {
        let pairs: Vec<Pair> = candidates.iter().map(pair).collect();
        let length = |items: &[GerbilItem]| u32::try_from(items.len()).unwrap_or(u32::MAX);
        let reuse = rules.pairing == Pairing::GreedyReuse;
        return assign_meanings(length(&items.gold), length(&items.system), &pairs, reuse);
    }
    let answers = |items: &[GerbilItem]| -> Vec<Item> {
        let answer = |item: &GerbilItem| match item {
            GerbilItem::Answer(item) => Some(item.clone()),
            _ => None,
        };
        items.iter().filter_map(answer).collect()
    };
    let (gold, system) = (answers(&items.gold), answers(&items.system));
    // Strings match strings only, and everything else entities only.
    let is_text = |candidate: &&Match| gold[candidate.gold as usize].kind == Kind::Text;
    let texts: Vec<Pair> = candidates.iter().filter(is_text).map(pair).collect();
    let others: Vec<Pair> = candidates.iter().filter(|candidate| !is_text(candidate)).map(pair).collect();
    assign(&gold, &system, &texts, &others, era)
}

/// What the counting says of a question. The counts are GERBIL's, whatever the number of items is: precision is
/// tp / (tp + fp), recall is tp / (tp + fn) (statement 1.1.3).
fn question(
    rules: &ExperimentRules,
    items: &Items,
    candidates: &[Match],
    assigned: &Assigned,
) -> QuestionMatch {
    let step = |pair: &Pair| {
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
struct Kept {
    gold: Vec<u32>,
    system: Vec<u32>,
}

impl Kept {
    fn of(rules: &ExperimentRules, era: Era, items: &Items, pairs: &[Match]) -> Self {
        let paired = |side: fn(&Match) -> u32| -> BTreeSet<usize> {
            pairs.iter().map(|pair| side(pair) as usize).collect()
        };
        let keep = |items: &[GerbilItem], paired: BTreeSet<usize>, forces: bool| -> Vec<u32> {
            let is_kept = |(at, item): (usize, &GerbilItem)| {
                let kept = match item {
                    GerbilItem::Answer(Item { kind: Kind::Text, .. }) => !forces || paired.contains(&at),
                    GerbilItem::Answer(Item { kind: Kind::Forced { from }, .. }) => {
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
fn part(items: &Items, pairs: &[Pair], wanted: bool) -> Counts {
    let belongs = |item: &GerbilItem| matches!(item, GerbilItem::Meaning { known, .. } if *known == wanted);
    let count = |items: &[GerbilItem]| items.iter().filter(|item| belongs(item)).count() as u64;
    let of_part: Vec<&Pair> = pairs.iter().filter(|pair| belongs(&items.gold[pair.gold as usize])).collect();
    let mut used: Vec<u32> = of_part.iter().map(|pair| pair.system).collect();
    used.sort_unstable();
    used.dedup();
    let matched = of_part.len() as u64;
    Counts { gold: count(&items.gold), system: matched + count(&items.system) - used.len() as u64, matched }
}
