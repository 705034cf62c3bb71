//! Which names go with a publication, of a submission that several systems share: those that were published with it, and the first
//! one where it says none. Whoever gives the same bytes another name later changes nothing of what is public.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::record::archived::names::SYSTEM;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::publication::act::Publication;
use crate::record::systems::{called, key};

/// What a publication calls a name that goes with it, by the key of its record: it says that there is one, and not which. So the
/// record of what is withdrawn names nobody.
pub(crate) fn name_iri(mint: &Mint, sha256: &str, key: &str) -> String {
    format!("{}/system/{}", mint.submission(sha256), key.get(..32).unwrap_or(key))
}

/// Whether an IRI is one of these.
pub(crate) fn is_name_iri(iri: &str) -> bool {
    iri.split_once("/submission/").is_some_and(|(_, rest)| rest.contains("/system/"))
}

fn iri_of(mint: &Mint, evaluation: &ArchivedEvaluation, name: &str) -> String {
    name_iri(mint, &evaluation.answers, &key(&evaluation.answers, name))
}

/// The names that an evaluation was published with, in order.
fn published<'e>(
    mint: &Mint,
    evaluation: &'e ArchivedEvaluation,
    publication: &Publication,
) -> Vec<&'e String> {
    let said = |name: &&String| publication.graphs.contains(&iri_of(mint, evaluation, name));
    let names: Vec<&String> = evaluation.systems().filter(said).collect();
    if names.is_empty() { vec![&evaluation.system] } else { names }
}

/// The names that somebody and others have published for the bytes of an evaluation.
fn published_by<'a>(
    archived: &'a Archived,
    evaluation: &ArchivedEvaluation,
    earlier: &[Publication],
    publisher: &str,
) -> [BTreeSet<&'a String>; 2] {
    let mint = archived.archive.mint();
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    // Nearly always they have one.
    if evaluation.others.is_empty() {
        return found;
    }
    for one in archived.evaluations.iter().filter(|one| one.answers == evaluation.answers) {
        for publication in earlier.iter().filter(|known| known.members.contains(&one.iri)) {
            let side = usize::from(publication.by.publisher.iri != publisher);
            found[side].extend(published(mint, one, publication));
        }
    }
    found
}

/// An evaluation with no other names than these; of none it keeps all.
fn with_names(evaluation: &ArchivedEvaluation, names: &BTreeSet<&String>) -> ArchivedEvaluation {
    let mut kept = evaluation.systems().filter(|name| names.contains(name)).cloned();
    match kept.next() {
        Some(system) => ArchivedEvaluation { system, others: kept.collect(), ..evaluation.clone() },
        None => evaluation.clone(),
    }
}

/// An evaluation without the names that a publication does not have.
pub(crate) fn as_published(
    mint: &Mint,
    evaluation: &ArchivedEvaluation,
    publication: &Publication,
) -> ArchivedEvaluation {
    with_names(evaluation, &published(mint, evaluation, publication).into_iter().collect())
}

/// Takes away the names that others gave the bytes of a submission: of an evaluation those stay that it was published with. Where
/// nothing was published all stay.
pub(crate) fn keep_published(archived: &mut Archived) -> Result<()> {
    let all = Publication::all(&archived.archive)?;
    let latest = Publication::latest(&all);
    let mint = archived.archive.mint();
    for one in archived.evaluations.iter_mut().filter(|one| !one.others.is_empty()) {
        let own = latest.iter().filter(|known| known.members.contains(&one.iri));
        let names = own.flat_map(|known| published(mint, one, known)).collect();
        *one = with_names(one, &names);
    }
    Ok(())
}

/// The records of further names that not all evaluations of a submission were published with, by their paths, as queries have them:
/// to a query an evaluation has the names of its submission, and these would be names of what was published without them.
pub(crate) fn apart(published: &Archived) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let (archive, mint) = (&published.archive, published.archive.mint());
    let mut all: BTreeMap<&str, usize> = BTreeMap::new();
    let mut named: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for one in &published.evaluations {
        *all.entry(&one.answers).or_default() += 1;
        for name in one.systems() {
            *named.entry((&one.answers, name)).or_default() += 1;
        }
    }
    let of_some = named.into_iter().filter(|((answers, _), count)| all[answers] > *count);
    let record = |((answers, name), _): ((&str, &str), usize)| {
        let key = key(answers, name);
        let path = archive.record(SYSTEM, &key);
        path.is_file().then(|| {
            let mut bytes = Vec::new();
            let node = name_iri(mint, answers, &key);
            let written = called(mint, answers, &node, name).write_to(&mut bytes);
            written.map_err(|error| Error::io("write the record", &path, &error))?;
            Ok((path, bytes))
        })
    };
    of_some.filter_map(record).collect()
}

/// The names that are to be published.
#[derive(Debug, Default)]
pub(crate) struct PublishedNames {
    all: BTreeSet<String>,
    /// What the publication says: nothing of an evaluation that goes under its first name only.
    said: BTreeSet<String>,
}

impl PublishedNames {
    /// Those of evaluations: the ones that are wanted, where somebody says which; else those among the words that mean the
    /// evaluation. Where it is named otherwise, all but those that only others than the publisher have published; of a version after
    /// another one those that this one had.
    pub(crate) fn of(
        archived: &Archived,
        evaluations: &[&ArchivedEvaluation],
        (words, wanted): (&[String], Option<&BTreeSet<String>>),
        (latest, earlier, publisher): (Option<&Publication>, &[Publication], &str),
    ) -> Self {
        let mint = archived.archive.mint();
        let mut names = Self::default();
        let is_word = |name: &String| words.iter().any(|word| word.eq_ignore_ascii_case(name));
        for evaluation in evaluations {
            let is_named_so = evaluation.systems().any(is_word);
            let [own, others] = published_by(archived, evaluation, earlier, publisher);
            let is_ours = |name: &String| own.contains(name) || !others.contains(name);
            let has_ours = evaluation.systems().any(is_ours);
            let had = latest.map(|latest| published(mint, evaluation, latest));
            let goes = |name: &&String| match (&had, wanted) {
                (_, Some(wanted)) => wanted.contains(*name),
                (Some(had), None) => had.contains(name) || is_word(name),
                (None, None) if is_named_so => is_word(name),
                (None, None) => !has_ours || is_ours(name),
            };
            let goes: Vec<&String> = evaluation.systems().filter(goes).collect();
            let iris = goes.iter().map(|name| iri_of(mint, evaluation, name));
            names.all.extend(iris.clone());
            names.said.extend(iris.filter(|_| goes != [&evaluation.system]));
        }
        names
    }

    /// Whether a further name goes.
    pub(crate) fn goes(&self, iri: &str) -> bool {
        self.all.contains(iri)
    }

    /// What the publication says of the names.
    pub(crate) fn said(&self) -> impl Iterator<Item = &String> {
        self.said.iter()
    }
}
