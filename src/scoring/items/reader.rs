//! Items that are terms: read from answers, queries or annotations, joined on keys, paired one to one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use oxigraph::model::{Literal, Term};
use rustc_hash::FxBuildHasher;

use crate::base::vocab::{code, qassay};
use crate::measures::judged::Verdict;
use crate::measures::result::ItemPart;
use crate::measures::sets::Counts;
use crate::profiles::Profile;
use crate::profiles::link_kind::LinkKind;
use crate::profiles::rules::{Reading, Scope};
use crate::references::classes::ClassNames;
use crate::references::labels::Naming;
use crate::references::languages::Languages;
use crate::references::links::{Links, resource_key};
use crate::references::literal;
use crate::references::normalise::normal_form;
use crate::scoring::block::Block;
use crate::scoring::cases::{Answer, Cases};
use crate::scoring::gold::takes_ties;
use crate::scoring::items::given::GivenAnswer;
use crate::scoring::items::{given, items};
use crate::scoring::matching::QuestionMatch;
use crate::scoring::pairs::assess::AnswerPool;
use crate::scoring::pairs::pairing::{Match, Pair, pair, pair_in_order};
use crate::scoring::pairs::tied::TiedItems;
use crate::scoring::pairs::workspace::Workspace;
use crate::scoring::pairs::{alias_keys, assess, column_labels, form_keys, keys, label_keys};
use crate::scoring::reader::{Items, Reader, Setting, Sides};
use crate::scoring::skip::{Lack, Party, Skip};
use crate::sources::document::{AnswerState, Question};
use crate::sparql::features::{Pattern, Position, Predicate};
use crate::sparql::index::Index;

/// Items that are terms.
#[derive(Default)]
pub(crate) struct TermReader {
    gold: Vec<Vec<Term>>,
    system: Vec<Vec<Term>>,
    /// The assessments of each question; none without assessments.
    pools: Vec<AnswerPool>,
    /// The rows of questions whose gold answer has rows that tie.
    ties: HashMap<usize, TiedItems>,
    /// The names of the classes of the hierarchy, where those that match are one; none where they are as written.
    classes: Option<ClassNames>,
}

impl Reader for TermReader {
    fn skip_all(&self, context: &Setting<'_>, cases: &Cases) -> Option<Skip> {
        if context.rules.scope != Scope::WhereOffered {
            return None;
        }
        let loaded = || cases.iter().enumerate().filter(|(_, case)| case.left_out.is_none());
        let of_gold = loaded().map(|(at, case)| of(context, cases, at, (case.gold, Party::Gold)));
        let of_system =
            loaded().filter_map(|(at, case)| Some(of(context, cases, at, (case.system?, Party::System))));
        let of_gold = lack(of_gold).map(|lack| Skip::of(lack, Party::Gold));
        of_gold.or_else(|| lack(of_system).map(|lack| Skip::of(lack, Party::System)))
    }

    fn read(&mut self, context: &Setting<'_>, block: &Block<'_>) -> Vec<Option<Skip>> {
        let of = |at, answer, role| of(context, block.cases, at, (answer, role));
        let all = || block.positions().zip(block.iter());
        let gold: Vec<Items> = all().map(|(at, case)| of(at, case.gold, Party::Gold)).collect();
        let system: Vec<Option<Items>> =
            all().map(|(at, case)| case.system.map(|answer| of(at, answer, Party::System))).collect();
        let both = gold.iter().zip(&system).zip(block.iter());
        let skips = both.map(|((gold, system), case)| {
            case.left_out.map(Skip::NotLoaded).or_else(|| skip(gold, system.as_ref()))
        });
        let skips = skips.collect();
        self.gold = gold.into_iter().map(Items::unwrap_or_default).collect();
        self.system = system.into_iter().map(|items| items.and_then(Items::ok).unwrap_or_default()).collect();
        self.pools = pools(context, block, &mut self.gold, &mut self.system);
        self.ties = self.tied(context, block);
        skips
    }

    fn state(&mut self, context: &Setting<'_>, block: &Block<'_>, workspace: &mut Workspace) -> Sides {
        let Setting { plan, rules } = *context;
        let (profile, links) = (&*plan.profile, plan.references.links.as_ref());
        let gold = workspace.state(Party::Gold, rules.reading, std::mem::take(&mut self.gold));
        let system = workspace.state(Party::System, rules.reading, std::mem::take(&mut self.system));
        assess::state(workspace, &self.pools, &system.items);
        let index = &mut workspace.index;
        match rules.reading {
            Reading::Terms | Reading::Resources | Reading::Properties | Reading::ItemTypes => {
                keys::add(index, profile, &gold, &system, links);
                form_keys::add(index, (profile, rules), [&gold, &system], links);
                column_labels::add(index, rules, block, [&gold, &system]);
                alias_keys::add(index, (profile, rules), block, [&gold, &system]);
            }
            Reading::Patterns => add_keys(index, profile, block, links),
            _ => {}
        }
        let hierarchy = plan.references.classes.as_ref().filter(|_| rules.reading == Reading::ItemTypes);
        self.classes = hierarchy
            .filter(|_| rules.classes_as_matched)
            .map(|classes| classes.names(|class| class_key(class, profile, links)));
        if let Some(labels) = plan.references.labels.as_ref().filter(|_| rules.reads_labels()) {
            let naming = Naming { profile, labels, links };
            let languages = |at: usize| Languages::of(block.at(at).gold.question, plan.language());
            label_keys::add(index, &naming, &gold, &system, languages);
        }
        Sides { gold, system }
    }

    fn choose(
        &self,
        context: &Setting<'_>,
        block: &Block<'_>,
        index: &Index,
        (position, mut found): (usize, Vec<Match>),
        sides: &mut Sides,
    ) -> QuestionMatch {
        let rules = context.rules;
        let mut gold = std::mem::take(&mut sides.gold.items[position]);
        let mut system = std::mem::take(&mut sides.system.items[position]);
        let counted = self.ties.get(&position).map(|ties| ties.choose(&found));
        if let Some(counted) = &counted {
            counted.leave_others(&mut gold, &mut found);
        }
        let answer = block.answer(position);
        let judging = rules.judging.as_ref().zip(answer);
        let given = judging.map_or_else(Vec::new, |(judging, answer)| {
            given::given(index, &context.plan.profile, (judging, rules.reading), answer, &system)
        });
        let pool = self.pools.get(position);
        let (pairs, echoes) = match (pool, &rules.judging) {
            (Some(pool), _) => {
                let ranks = ranks(&system, &given);
                let decided = pool.decide(rules, &found, &ranks, &mut gold, &mut system);
                (decided.pairs, decided.echoes)
            }
            (None, Some(_)) => {
                let pairs = pair_in_order(&found, &ranks(&system, &given));
                let echoes = echoes(&found, &pairs);
                (pairs, echoes)
            }
            (None, None) => (pair(&mut found), Vec::new()),
        };
        let nil = pool.and_then(|pool| pool.nil);
        let count = |items: &[u32]| items.len() as u64;
        let mut counts = Counts { gold: count(&gold), system: count(&system), matched: pairs.len() as u64 };
        counts.system += u64::from(says_wrongly_nothing(answer, &given, nil, &gold));
        let parts = self.hierarchical(context, index, &gold, &system);
        let counted_rows = counted.map_or_else(Vec::new, |counted| counted.rows);
        let found = QuestionMatch { given, nil, echoes, counted_rows, parts, ..QuestionMatch::default() };
        QuestionMatch { counts, gold, system, pairs, ..found }
    }
}

/// The items of an answer to the question at a position of all.
fn of(context: &Setting<'_>, cases: &Cases, at: usize, (answer, role): (Answer<'_>, Party)) -> Items {
    items(context, &answer, || cases.gold_node(at), role)
}

/// Why a side has no items in any question; nothing where it has some. Of several reasons the one that comes closest to
/// an item is told.
fn lack(all: impl Iterator<Item = Items>) -> Option<Lack> {
    let mut lack = Lack::Query;
    let mut is_any = false;
    for items in all {
        is_any = true;
        match items {
            Ok(items) if !items.is_empty() => return None,
            Ok(_) => lack = lack.max(Lack::Items),
            Err(found) => lack = lack.max(found),
        }
    }
    Some(if is_any { lack } else { Lack::Items })
}

/// Why a question is not scored: gold has no items, or those of the system cannot be read.
fn skip(gold: &Items, system: Option<&Items>) -> Option<Skip> {
    match (gold, system) {
        (Err(lack), _) => Some(Skip::of(*lack, Party::Gold)),
        (_, Some(Err(Lack::Unreadable))) => Some(Skip::of(Lack::Unreadable, Party::System)),
        _ => None,
    }
}

/// Whether a system says by a word that there is no answer, and that is not correct: an answer too many.
fn says_wrongly_nothing(
    answer: Option<&Question>,
    given: &[GivenAnswer],
    nil: Option<Verdict>,
    gold: &[u32],
) -> bool {
    let says = answer.is_some_and(|answer| answer.answers.state == AnswerState::Given)
        && given.iter().any(|given| given.item.is_none());
    let is_right = nil.map_or(gold.is_empty(), |nil| nil == Verdict::Correct);
    says && !is_right
}

/// The assessments of each question, which add known answers to both sides; none without assessments.
fn pools(
    context: &Setting<'_>,
    block: &Block<'_>,
    gold: &mut [Vec<Term>],
    system: &mut [Vec<Term>],
) -> Vec<AnswerPool> {
    let rules = context.rules;
    let assessments = context.plan.references.assessments.as_ref().filter(|_| rules.reads_assessments());
    let Some((assessments, judging)) = assessments.zip(rules.judging.as_ref()) else { return Vec::new() };
    let both = gold.iter_mut().zip(system);
    let questions = block.iter().map(|case| case.gold.question).zip(both);
    questions
        .map(|(question, (gold, system))| assess::pool(assessments, judging, question, gold, system))
        .collect()
}

/// The rank of each item of the system: that of the first answer that gives it.
fn ranks(items: &[u32], given: &[GivenAnswer]) -> Vec<u32> {
    let mut ranks: HashMap<u32, u32, FxBuildHasher> =
        HashMap::with_capacity_and_hasher(items.len(), FxBuildHasher);
    for (given, rank) in given.iter().zip(0..) {
        given.item.map(|item| ranks.entry(item).or_insert(rank));
    }
    items.iter().map(|item| ranks.get(item).copied().unwrap_or(u32::MAX)).collect()
}

/// The system's items that match something and have no partner.
fn echoes(candidates: &[Match], pairs: &[Pair]) -> Vec<u32> {
    let paired: HashSet<u32> = pairs.iter().map(|pair| pair.system).collect();
    let others = candidates.iter().map(|candidate| candidate.system);
    let echoes: BTreeSet<u32> = others.filter(|system| !paired.contains(system)).collect();
    echoes.into_iter().collect()
}

/// What a class has in common with those that match it: as the steps of the profile compare IRIs.
fn class_key(iri: &str, profile: &Profile, links: Option<&Links>) -> String {
    let form = normal_form(iri, &|name: &str| profile.normalises(name)).0;
    // The last kind of links includes those before it.
    let cluster = |iri: &str| links.and_then(|links| links.canonical_by(LinkKind::Wikipedia, iri));
    cluster(iri).or_else(|| cluster(&form)).unwrap_or_else(|| form.into_owned())
}

impl TermReader {
    /// The rows of questions whose gold answer has rows that tie, where the experiment type is told which are right.
    fn tied(&self, context: &Setting<'_>, block: &Block<'_>) -> HashMap<usize, TiedItems> {
        let columns = context.plan.profile.label_columns;
        let tied = |at: usize| {
            let ties = block.cases.asked.ties(block.position(at))?;
            let items = [&self.gold, &self.system].map(|side| side[at].as_slice());
            Some((at, TiedItems::of(ties, block.answer(at), items, columns)))
        };
        (0..self.gold.len()).filter(|_| takes_ties(context.rules)).filter_map(tied).collect()
    }

    /// The counts over the hierarchy of classes, where it is known and the items are classes.
    fn hierarchical(
        &self,
        context: &Setting<'_>,
        index: &Index,
        gold: &[u32],
        system: &[u32],
    ) -> BTreeMap<ItemPart, Counts> {
        let Setting { plan, rules } = *context;
        let classes = plan.references.classes.as_ref().filter(|_| rules.reading == Reading::ItemTypes);
        let Some(classes) = classes else { return BTreeMap::new() };
        let iri = |number: &u32| match index.term(*number) {
            Term::NamedNode(node) => Some(node.as_str()),
            _ => None,
        };
        let (gold, system) = (gold.iter().filter_map(iri), system.iter().filter_map(iri));
        let counts = match &self.classes {
            None => classes.counts(gold, system),
            Some(names) => {
                let links = plan.references.links.as_ref();
                let keys = |iri: &str| class_key(iri, &plan.profile, links);
                let (gold, system): (Vec<_>, Vec<_>) = (gold.map(keys).collect(), system.map(keys).collect());
                let (gold, system) = (gold.iter().map(String::as_str), system.iter().map(String::as_str));
                classes.counts_by(names, gold, system)
            }
        };
        BTreeMap::from([(ItemPart::Hierarchical, counts)])
    }
}

/// Adds the keys of the patterns of both sides to the graph `code:role-keys`.
pub(crate) fn add_keys(index: &mut Index, profile: &Profile, block: &Block<'_>, links: Option<&Links>) {
    let canonical = Canonical { profile, links };
    let mut by_key: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    let mut seen: HashSet<&str, FxBuildHasher> = HashSet::default();
    let gold = block.iter().map(|case| case.gold);
    let system = block.iter().filter_map(|case| case.system);
    for (node, pattern) in gold.chain(system).flat_map(|answer| answer.query.patterns()) {
        if seen.insert(&node.iri) {
            by_key.entry(canonical.key(pattern)).or_default().push(&node.iri);
        }
    }
    let table = index.table(&code::iri("role-keys"), qassay::PATTERN_KEY);
    for (key, nodes) in by_key.into_iter().filter(|(_, nodes)| nodes.len() > 1) {
        let key = index.intern(Literal::new_simple_literal(key));
        for node in nodes {
            let node = index.intern_iri(node);
            index.add(table, node, key);
        }
    }
}

/// How terms are written in keys.
struct Canonical<'a> {
    profile: &'a Profile,
    links: Option<&'a Links>,
}

impl Canonical<'_> {
    fn key(&self, pattern: &Pattern) -> String {
        let predicate = match &pattern.predicate {
            Predicate::Variable => "?".to_owned(),
            Predicate::Property(node) => self.iri(node.as_str()),
            Predicate::Path(path) => path.clone(),
        };
        format!("{} {predicate} {}", self.position(&pattern.subject), self.position(&pattern.object))
    }

    fn position(&self, position: &Position) -> String {
        match position {
            Position::Variable => "?".to_owned(),
            Position::Term(Term::NamedNode(node)) => self.iri(node.as_str()),
            Position::Term(Term::Literal(literal)) => self.literal(literal),
            Position::Term(other) => other.to_string(),
        }
    }

    fn iri(&self, iri: &str) -> String {
        let enabled = |name: &str| self.profile.normalises(name);
        format!("<{}>", resource_key(iri, &enabled, self.links))
    }

    /// A literal by its value, else by its text. Language tags do not count: the pattern of a query either has a
    /// tag or matches nothing, so the tag is a matter of the data, not of what is asked.
    fn literal(&self, literal: &Literal) -> String {
        let unicode = self.profile.normalises("norm-text-unicode");
        let trim = self.profile.normalises("norm-text-trim");
        let keys = literal::keys(literal, unicode, trim);
        match (keys.value, keys.text) {
            (Some(value), _) => format!("value {value:?}"),
            (None, Some(text)) => format!("text {text:?}"),
            (None, None) => literal.to_string(),
        }
    }
}
