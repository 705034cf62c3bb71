//! Finding a file by what people call it.

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::sources::catalogue::{Entry, by_checksum, entries};

/// The entry that a word means: a name, a name of GERBIL or of its Table 1, an IRI, or a checksum.
pub fn find(word: &str) -> Result<&'static Entry> {
    let word = word.trim();
    let lower = word.to_ascii_lowercase();
    let named = entries().iter().find(|entry| entry.is_called(word));
    let found = named.or_else(|| by_checksum(&lower)).or_else(|| by_iri(word));
    found.ok_or_else(|| {
        let error = Error::input(format!("the catalogue has no `{word}`"));
        let nearest = nearest(&lower);
        let error = if nearest.is_empty() { error } else { error.allowed(nearest.join(", ")) };
        error.hint("`qassay datasets` lists all names")
    })
}

fn by_iri(word: &str) -> Option<&'static Entry> {
    let mint = Mint::default();
    let below = word.contains("://");
    entries().iter().find(|entry| below && (entry.iri(&mint) == word || mint.file(entry.sha256) == word))
}

impl Entry {
    /// Whether a word is one of its names, in capitals or not.
    pub fn is_called(&self, word: &str) -> bool {
        self.names().any(|name| name.eq_ignore_ascii_case(word))
    }

    /// All its names.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        let table1 = self.table1.iter().map(|row| row.name);
        std::iter::once(self.name).chain(self.gerbil.iter().copied()).chain(table1)
    }
}

/// The names that look most like a word: those that contain it, else those that differ in few letters.
fn nearest(word: &str) -> Vec<&'static str> {
    const SHOWN: usize = 5;
    // what its content calls itself is what evaluations are titled with, but not always unique
    let titled = entries().iter().filter(|entry| entry.dataset_id.eq_ignore_ascii_case(word));
    let titled: Vec<&str> = titled.map(|entry| entry.name).take(SHOWN).collect();
    if !titled.is_empty() {
        return titled;
    }
    let containing = entries().iter().map(|entry| entry.name).filter(|name| name.contains(word));
    let containing: Vec<&str> = containing.take(SHOWN).collect();
    if !containing.is_empty() && word.len() > 2 {
        return containing;
    }
    let mut near: Vec<(usize, &str)> = Vec::new();
    for entry in entries() {
        let distance = |name: &str| strsim::damerau_levenshtein(&name.to_ascii_lowercase(), word);
        let best = entry.names().map(|name| (distance(name), name)).min();
        near.extend(best.filter(|(distance, name)| distance * 3 <= name.len()));
    }
    near.sort_unstable();
    near.into_iter().take(SHOWN).map(|(_, name)| name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_name_a_file_finds_it() {
        let sha256 = "1bc68b2576d2f01be5e3a074cf31e326cf6ba8a5ad5fb8947fd80a3ec93bbf08";
        for word in [
            "qald-5-train",
            "QALD-5-Train",
            "QALD5_Train_Hybrid",
            "qald5_train_multilingual",
            sha256,
            "https://w3id.org/qassay/dataset/qald-5-train/1bc68b2576d2f01b",
            "https://w3id.org/qassay/file/sha256/1bc68b2576d2f01be5e3a074cf31e326cf6ba8a5ad5fb8947fd80a3ec93bbf08",
        ] {
            assert_eq!(find(word).unwrap().name, "qald-5-train", "{word}");
        }
        assert_eq!(find("NLQ shared task 1").unwrap().name, "nlq");
        // The same bytes under two names: the checksum means the first, each name means itself.
        let (first, second) = (find("text2sparql-ck25-aifb-results"), find("text2sparql-ck25-infai-results"));
        assert_eq!(first.unwrap().sha256, second.unwrap().sha256);
    }

    #[test]
    fn absent_files_are_found_by_name_and_by_nothing_else() {
        assert_eq!(find("QALD3_Test_musicbrainz").unwrap().sha256, "");
        assert!(find("").is_err());
        assert!(find("https://w3id.org/qassay/file/sha256/0").is_err());
    }

    #[test]
    fn an_unknown_name_brings_the_nearest() {
        insta::assert_snapshot!(find("qald-9-tset").unwrap_err(), @"
        the catalogue has no `qald-9-tset`.
        allowed: qald-9-test, qald-5-test, qald-8-test, qald-10-test, qald-9-train
        hint: `qassay datasets` lists all names
        ");
        insta::assert_snapshot!(find("lc-quad").unwrap_err(), @"
        the catalogue has no `lc-quad`.
        allowed: lc-quad-1-train, lc-quad-1-test, lc-quad-2-test-grasp
        hint: `qassay datasets` lists all names
        ");
        insta::assert_snapshot!(find("mintaka-of-long-ago").unwrap_err(), @"
        the catalogue has no `mintaka-of-long-ago`.
        hint: `qassay datasets` lists all names
        ");
    }
}
