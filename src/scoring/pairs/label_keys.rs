//! States in the index which literals are labels of which resources: what `queries/match/label.rq` joins on.
//!
//! Only what can match gets a key: a text, for the resources on the other side of its question; a resource that some
//! text names.

use std::collections::{BTreeSet, HashMap};

use indexmap::IndexSet;
use oxigraph::model::{Literal, Term};
use rustc_hash::FxBuildHasher;

use crate::base::vocab::{code, qassay};
use crate::references::labels::{Naming, is_text};
use crate::references::languages::Languages;
use crate::scoring::pairs::candidates::SideItems;
use crate::scoring::pairs::keys::{literals_of, text};
use crate::sparql::index::Index;

/// A text among the items of an answer.
struct NamingText {
    question: usize,
    answer: u32,
    term: u32,
    literal: Literal,
    /// The resources on the other side: numbers of [`Resources`].
    others: BTreeSet<usize>,
}

/// Adds the keys of labels to the graph `code:role-keys`.
pub(crate) fn add(
    index: &mut Index,
    naming: &Naming<'_>,
    gold: &SideItems,
    system: &SideItems,
    languages: impl Fn(usize) -> Languages,
) {
    let mut resources = Resources::default();
    let texts = texts(index, naming, [gold, system], &mut resources);
    let mut labelled = KnownNames { naming, resources: &resources, known: HashMap::default() };
    let mut named: BTreeSet<usize> = BTreeSet::new();
    let graph = code::iri("role-keys");
    let tables = [qassay::IN_ANSWER, qassay::TERM, qassay::DENOTES].map(|name| index.table(&graph, name));
    for found in texts {
        let called = labelled.by(found.term, &found.literal, languages(found.question));
        let meant: Vec<usize> = called.intersection(&found.others).copied().collect();
        if meant.is_empty() {
            continue;
        }
        let item = index.node();
        index.add(tables[0], item, found.answer);
        index.add(tables[1], item, found.term);
        for resource in &meant {
            let key = index.intern_iri(&resources.keys[*resource]);
            index.add(tables[2], item, key);
        }
        named.extend(meant);
    }
    let table = index.table(&graph, qassay::RESOURCE_KEY);
    for resource in named {
        let key = index.intern_iri(&resources.keys[resource]);
        for &iri in &resources.spellings[resource] {
            index.add(table, iri, key);
        }
    }
}

/// The texts of questions where the other side has a resource.
fn texts(
    index: &Index,
    naming: &Naming<'_>,
    sides: [&SideItems; 2],
    resources: &mut Resources,
) -> Vec<NamingText> {
    let mut texts = Vec::new();
    let [gold, system] = sides;
    for question in 0..gold.items.len() {
        for (side, other) in [(gold, system), (system, gold)] {
            let Some(answer) = side.answers[question] else { continue };
            let literals = literals_of(index, &side.items[question]).into_iter();
            let literals: Vec<_> = literals.filter(|(_, literal)| is_text(literal)).collect();
            if literals.is_empty() {
                continue;
            }
            let items = other.items[question].iter();
            let iris = items.filter(|&&item| matches!(index.term(item), Term::NamedNode(_)));
            let others: BTreeSet<usize> = iris.map(|&iri| resources.number(index, naming, iri)).collect();
            if others.is_empty() {
                continue;
            }
            texts.extend(literals.into_iter().map(|(term, literal)| NamingText {
                question,
                answer,
                term,
                literal,
                others: others.clone(),
            }));
        }
    }
    texts
}

/// The resources of answers, each with all its spellings.
#[derive(Default)]
struct Resources {
    keys: IndexSet<String, FxBuildHasher>,
    spellings: Vec<Vec<u32>>,
    known: HashMap<u32, usize, FxBuildHasher>,
}

impl Resources {
    /// The number of the resource that an IRI is of.
    fn number(&mut self, index: &Index, naming: &Naming<'_>, iri: u32) -> usize {
        if let Some(&known) = self.known.get(&iri) {
            return known;
        }
        let (number, is_new) = self.keys.insert_full(naming.key(text(index, iri)));
        if is_new {
            self.spellings.push(Vec::new());
        }
        self.spellings[number].push(iri);
        self.known.insert(iri, number);
        number
    }
}

/// The resources that a text names, looked up once for each text and language: some texts are many answers.
struct KnownNames<'a> {
    naming: &'a Naming<'a>,
    resources: &'a Resources,
    known: HashMap<(u32, Languages), BTreeSet<usize>, FxBuildHasher>,
}

impl KnownNames<'_> {
    fn by(&mut self, term: u32, literal: &Literal, languages: Languages) -> &BTreeSet<usize> {
        let (naming, resources) = (self.naming, self.resources);
        self.known.entry((term, languages)).or_insert_with_key(|(_, languages)| {
            let labels = naming.labels(literal, languages).into_iter();
            labels.filter_map(|label| resources.keys.get_index_of(&naming.key(label.resource))).collect()
        })
    }
}
