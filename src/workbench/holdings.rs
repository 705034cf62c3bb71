//! What an archive holds, by kind and name.

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::record::archived::Archived;
use crate::record::archived::names::SYSTEM;
use crate::record::asking::ASKING;
use crate::record::comparison::kept::COMPARISON;
use crate::record::publication::act::Publication;
use crate::record::publication::tombstone::Tombstone;
use crate::record::summaries::NumberChoice;
use crate::record::verify::checks::described_files;
use crate::references::ReferenceKind;
use crate::sources::archive::PUBLICATION;
use crate::sources::catalogue::{entries, named};
use crate::workbench::Workbench;
use crate::workbench::list::{ListedEvaluation, evaluations};

/// The kinds of [`Holding`]s beside those of the files of statements, [`ReferenceKind`]: the query `store/contents` names
/// them so.
const KINDS: [&str; 14] = [
    "dataset",
    "submission",
    ASKING,
    SYSTEM,
    "evaluation",
    COMPARISON,
    "blind submission",
    "knowledge base",
    "link set",
    "answers",
    "executed answers",
    "refreshed gold",
    FETCHED,
    PUBLICATION,
];

/// The kind of a file of the catalogue that no record describes: nothing was made of it yet.
pub(super) const FETCHED: &str = "fetched file";

/// Something that an archive holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// `dataset`, `submission`, `evaluation`, `knowledge base`, `link set`, `links`, …
    pub kind: String,
    /// What it is called; several may be called the same.
    pub name: String,
    /// Its IRI.
    pub iri: String,
    /// The IRIs of what is made of it, or refers to it.
    pub used_by: Vec<String>,
}

impl Workbench {
    /// What the archive holds of these kinds, of all where none is named, by kind and name; and, where they are wanted, its
    /// evaluations with what came of them.
    ///
    /// # Errors
    /// Where there is no such kind or no archive, or a record cannot be read.
    pub fn list(&self, kinds: &[String], with_values: bool) -> Result<(Vec<Holding>, Vec<ListedEvaluation>)> {
        let known = || KINDS.into_iter().chain(ReferenceKind::ALL.map(ReferenceKind::name));
        if let Some(unknown) = kinds.iter().find(|kind| !known().any(|known| known == **kind)) {
            let allowed: Vec<&str> = known().collect();
            return Err(Error::input(format!("an archive holds no kind of thing called `{unknown}`"))
                .allowed(allowed.join(", ")));
        }
        let archived = self.archived()?;
        let mut held = holdings(&archived)?;
        held.retain(|one| kinds.is_empty() || kinds.contains(&one.kind));
        let evaluations =
            if with_values { evaluations(&archived, &NumberChoice::default())? } else { Vec::new() };
        Ok((held, evaluations))
    }
}

/// Everything that an archive holds, by kind and name.
pub(super) fn holdings(archived: &Archived) -> Result<Vec<Holding>> {
    let mut all: Vec<Holding> = Vec::new();
    for row in archived.metadata.rows("store/contents")?.into_owned().rows {
        let Ok([kind, name, iri, user]) = <[String; 4]>::try_from(row) else { continue };
        if all.last().is_none_or(|last| (&last.kind, &last.name, &last.iri) != (&kind, &name, &iri)) {
            all.push(Holding { kind, name, iri, used_by: Vec::new() });
        }
        if let Some(last) = all.last_mut() {
            last.used_by.extend((!user.is_empty()).then_some(user));
        }
    }
    let mut known: BTreeSet<String> = all.iter().map(|one| one.iri.clone()).collect();
    let publications = Publication::all(&archived.archive)?;
    let withdrawn = Tombstone::all(&publications);
    for one in &publications {
        let (kind, used_by) = (PUBLICATION.to_owned(), Vec::new());
        all.push(Holding { kind, name: one.name(), iri: one.iri(), used_by });
        // What is withdrawn holds nothing any more.
        if withdrawn.iter().all(|tombstone| tombstone.publication.of != one.of) {
            known.insert(one.iri());
        }
    }
    for one in &mut all {
        one.used_by.retain(|user| known.contains(user));
    }
    let described = described_files(archived)?;
    let fetched = entries().iter().filter(|entry| named::place(archived.archive.root(), entry).is_some());
    let fetched = fetched.map(|entry| (entry.name.to_owned(), archived.archive.mint().file(entry.sha256)));
    let unused = fetched.filter(|(_, iri)| !described.contains(iri));
    all.extend(unused.map(|(name, iri)| Holding {
        kind: FETCHED.to_owned(),
        name,
        iri,
        used_by: Vec::new(),
    }));
    all.sort_by(|a, b| (&a.kind, &a.name, &a.iri).cmp(&(&b.kind, &b.name, &b.iri)));
    Ok(all)
}
