//! Which names go with a publication, of a submission that several systems share: the first one, and of the others those that were
//! published with it. Whoever gives the same bytes another name later changes nothing of what is public.

use std::collections::BTreeSet;

use crate::base::error::Result;
use crate::base::iri::Mint;
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::publication::act::Publication;
use crate::record::systems::key;

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

/// An evaluation without the names that a publication does not have.
pub(crate) fn as_published(
    mint: &Mint,
    evaluation: &ArchivedEvaluation,
    publication: &Publication,
) -> ArchivedEvaluation {
    let mut named = evaluation.clone();
    named.others.retain(|name| has_name(mint, evaluation, name, publication));
    named
}

/// Whether a further name of an evaluation goes with a publication.
fn has_name(mint: &Mint, evaluation: &ArchivedEvaluation, name: &str, publication: &Publication) -> bool {
    publication.graphs.contains(&iri_of(mint, evaluation, name))
}

/// Takes away the names that others gave the bytes of a submission: of an evaluation those stay that it was published with. Where
/// nothing was published all stay.
pub(crate) fn keep_published(archived: &mut Archived) -> Result<()> {
    let all = Publication::all(&archived.archive)?;
    let latest = Publication::latest(&all);
    let mint = archived.archive.mint();
    for one in archived.evaluations.iter_mut().filter(|one| !one.others.is_empty()) {
        let own = || latest.iter().filter(|known| known.members.contains(&one.iri));
        if own().next().is_some() {
            let mut others = one.others.clone();
            others.retain(|name| own().any(|known| has_name(mint, one, name, known)));
            one.others = others;
        }
    }
    Ok(())
}

/// The further names that are to be published.
#[derive(Debug, Default)]
pub(crate) struct PublishedNames {
    all: BTreeSet<String>,
    /// Those that somebody said: they are new where the version before does not have them.
    asked_for: BTreeSet<String>,
}

impl PublishedNames {
    /// Those of evaluations: the ones that are wanted, where somebody says which; else those among the words that mean the
    /// evaluation, or all where it is named otherwise.
    pub(crate) fn of(
        mint: &Mint,
        evaluations: &[&ArchivedEvaluation],
        words: &[String],
        wanted: Option<&BTreeSet<String>>,
    ) -> Self {
        let mut names = Self::default();
        let is_word = |name: &String| words.iter().any(|word| word.eq_ignore_ascii_case(name));
        for evaluation in evaluations {
            let is_named_so = evaluation.systems().any(is_word);
            for name in &evaluation.others {
                let goes = match wanted {
                    Some(wanted) => wanted.contains(name),
                    None => !is_named_so || is_word(name),
                };
                let iri = iri_of(mint, evaluation, name);
                names.asked_for.extend((goes && wanted.is_none() && is_named_so).then(|| iri.clone()));
                names.all.extend(goes.then_some(iri));
            }
        }
        names
    }

    /// Whether a name goes with a version that follows another, or is the first.
    pub(crate) fn goes(&self, iri: &str, known: Option<&Publication>) -> bool {
        match known {
            Some(known) => known.graphs.contains(iri) || self.asked_for.contains(iri),
            None => self.all.contains(iri),
        }
    }
}
