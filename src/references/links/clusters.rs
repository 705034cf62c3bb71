//! Union-find over IRIs that are known by 128-bit keys: no text is kept, so that a link costs few bytes.
//!
//! Keys are SipHash-1-3 with 128 bits and a secret of the process: nobody can write two IRIs with one key into a file, and
//! by chance it does not happen (10^8 IRIs: 10^-23). No number and no order depends on a key.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::OnceLock;

use hashbrown::HashTable;
use siphasher::sip128::SipHasher13;

/// The key of an IRI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct IriKey([u64; 2]);

impl IriKey {
    /// The key of an IRI, the same in the whole process.
    pub(crate) fn of(iri: &str) -> Self {
        static SECRET: OnceLock<SipHasher13> = OnceLock::new();
        let random = || RandomState::new().build_hasher().finish();
        let hasher = SECRET.get_or_init(|| SipHasher13::new_with_keys(random(), random()));
        let hash = hasher.hash(iri.as_bytes());
        Self([hash.h1, hash.h2])
    }

    /// Half of the first half.
    fn part(self) -> u32 {
        u32::try_from(self.0[0] >> 32).unwrap_or_default()
    }
}

/// What is known of an IRI beside its cluster, in one byte: whether a link has it as it stands, else the
/// normalisations that lead to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Marks(u8);

const IN_A_LINK: u8 = 1 << 7;

/// A number with a part of its key, so that the table grows without looking at keys elsewhere.
#[derive(Debug, Clone, Copy)]
struct Slot {
    number: u32,
    part: u32,
}

impl Slot {
    fn hash(self) -> u64 {
        spread(self.part)
    }
}

/// The hash of a part of a key, which is random already; an odd factor (2^64 divided by the golden ratio) fills the bits.
fn spread(part: u32) -> u64 {
    u64::from(part).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// The clusters of IRIs. A number stands for an IRI, in the order of their coming.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clusters {
    table: HashTable<Slot>,
    keys: Vec<IriKey>,
    parent: Vec<u32>,
    marks: Vec<Marks>,
    /// The namespace of the IRI in [`crate::references::links::namespaces::Namespaces`].
    space: Vec<u16>,
}

impl Clusters {
    /// How many IRIs there are.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// All numbers.
    pub(crate) fn numbers(&self) -> std::ops::Range<u32> {
        0..to_number(self.len())
    }

    /// The number of an IRI, if it is in.
    pub(crate) fn find(&self, key: IriKey) -> Option<u32> {
        let part = key.part();
        let is = |slot: &Slot| slot.part == part && self.keys[slot.number as usize] == key;
        self.table.find(spread(part), is).map(|slot| slot.number)
    }

    /// The number of an IRI; a new one is a cluster of its own.
    pub(crate) fn number(&mut self, key: IriKey, space: u16) -> u32 {
        let keys = &self.keys;
        let number = to_number(keys.len());
        let part = key.part();
        let is = |slot: &Slot| slot.part == part && keys[slot.number as usize] == key;
        match self.table.entry(spread(part), is, |slot| slot.hash()) {
            hashbrown::hash_table::Entry::Occupied(known) => known.get().number,
            hashbrown::hash_table::Entry::Vacant(vacant) => {
                vacant.insert(Slot { number, part });
                self.keys.push(key);
                self.parent.push(number);
                self.marks.push(Marks(0));
                self.space.push(space);
                number
            }
        }
    }

    /// A link has this IRI as it stands.
    pub(crate) fn mark_linked(&mut self, number: u32) {
        self.marks[number as usize].0 |= IN_A_LINK;
    }

    /// Normalisations lead to this IRI.
    pub(crate) fn mark_derived(&mut self, number: u32, normalisations: u8) {
        self.marks[number as usize].0 |= normalisations & !IN_A_LINK;
    }

    /// Whether a link has this IRI as it stands.
    pub(crate) fn is_linked(&self, number: u32) -> bool {
        self.marks[number as usize].0 & IN_A_LINK != 0
    }

    /// The normalisations that lead to this IRI from those in links; none where a link has it as it stands.
    pub(crate) fn derived(&self, number: u32) -> u8 {
        if self.is_linked(number) { 0 } else { self.marks[number as usize].0 }
    }

    /// The namespace of an IRI.
    pub(crate) fn space(&self, number: u32) -> u16 {
        self.space[number as usize]
    }

    /// Makes two clusters one.
    pub(crate) fn unite(&mut self, a: u32, b: u32) {
        unite(&mut self.parent, a, b);
    }

    /// The cluster of an IRI: its smallest number.
    pub(crate) fn root(&self, number: u32) -> u32 {
        root(&self.parent, number)
    }

    /// The parents of all numbers, to unite more than this forest does.
    pub(crate) fn parents(&self) -> Vec<u32> {
        self.parent.clone()
    }

    /// Every parent becomes the root.
    pub(crate) fn flatten(&mut self) {
        flatten(&mut self.parent);
    }

    /// Gives back the memory that growing took ahead.
    pub(crate) fn shrink(&mut self) {
        self.table.shrink_to_fit(|slot| slot.hash());
        self.keys.shrink_to_fit();
        self.parent.shrink_to_fit();
        self.marks.shrink_to_fit();
        self.space.shrink_to_fit();
    }

    /// Takes all that another forest says; gives the numbers that its IRIs have here.
    pub(crate) fn take(&mut self, other: &Self, namespaces: &[u16]) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(other.len());
        for number in other.numbers() {
            let at = number as usize;
            let space = namespaces.get(usize::from(other.space[at])).copied().unwrap_or_default();
            let here = self.number(other.keys[at], space);
            self.marks[here as usize].0 |= other.marks[at].0;
            numbers.push(here);
            let parent = other.parent[at];
            if parent != number {
                self.unite(here, numbers[parent as usize]);
            }
        }
        numbers
    }
}

fn to_number(count: usize) -> u32 {
    u32::try_from(count).expect("memory ends before four billion IRIs")
}

/// The root of a number.
pub(crate) fn root(parent: &[u32], mut number: u32) -> u32 {
    while parent[number as usize] != number {
        number = parent[number as usize];
    }
    number
}

/// Union with path halving; the smaller number becomes the root, so that the forest does not depend on time.
pub(crate) fn unite(parent: &mut [u32], a: u32, b: u32) {
    let (a, b) = (halve(parent, a), halve(parent, b));
    if a != b {
        parent[a.max(b) as usize] = a.min(b);
    }
}

fn halve(parent: &mut [u32], mut number: u32) -> u32 {
    while parent[number as usize] != number {
        let grandparent = parent[parent[number as usize] as usize];
        parent[number as usize] = grandparent;
        number = grandparent;
    }
    number
}

/// Every parent becomes the root: parents are smaller, so that one way up is enough.
pub(crate) fn flatten(parent: &mut [u32]) {
    for number in 0..parent.len() {
        parent[number] = parent[parent[number] as usize];
    }
}
