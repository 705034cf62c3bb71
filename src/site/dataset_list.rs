//! The datasets of an archive, each with what is known of it: by its record, by the catalogue of published files, by what came of it.

use std::collections::BTreeSet;

use crate::base::text::counted;
use crate::base::vocab::{dcat, dct, rdf};
use crate::site::context::PageContext;
use crate::site::page::{PagePiece, PageSheet, SheetCell, SheetHead, SheetRow, Words};
use crate::site::thing::evaluations;
use crate::sources::catalogue::{Entry, by_checksum};

/// A dataset; its versions are on its page.
pub(crate) struct ListedDataset<'c> {
    /// Its IRI; nothing where nothing of it is here.
    pub(crate) iri: &'c str,
    /// What it is called.
    pub(crate) title: String,
    /// What the catalogue says of its files; nothing where it does not know them.
    pub(crate) entries: Vec<&'static Entry>,
    /// The licences of all versions.
    pub(crate) licences: BTreeSet<String>,
    versions: usize,
    pub(crate) evaluations: usize,
    /// The most questions that a version has.
    pub(crate) questions: Option<u64>,
}

impl ListedDataset<'_> {
    /// What only the catalogue tells of a dataset.
    pub(crate) fn catalogued(entry: &'static Entry) -> Self {
        Self {
            iri: "",
            title: entry.title.to_owned(),
            entries: vec![entry],
            licences: BTreeSet::from([entry.licence.to_owned()]),
            versions: 0,
            evaluations: 0,
            questions: entry.questions,
        }
    }

    /// The knowledge graphs that its questions are about.
    pub(crate) fn graphs(&self) -> BTreeSet<&'static str> {
        self.entries.iter().map(|entry| entry.kb).collect()
    }

    /// The languages of its questions.
    pub(crate) fn languages(&self) -> BTreeSet<&'static str> {
        self.entries.iter().flat_map(|entry| entry.languages.iter().copied()).collect()
    }
}

/// The datasets, by their IRIs.
pub(crate) fn datasets<'c>(context: &PageContext<'c>) -> Vec<ListedDataset<'c>> {
    let beginning = format!("{}dataset/", context.linker.base());
    let facts = context.view.records();
    let is_dataset = |iri: &&str| {
        iri.starts_with(&beginning) && facts.texts(iri, rdf::TYPE).any(|known| known == dcat::DATASET_CLASS)
    };
    let all: Vec<&str> = context.view.recorded().filter(is_dataset).collect();
    let (versions, whole): (Vec<&str>, Vec<&str>) =
        all.into_iter().partition(|iri| facts.text(iri, dcat::IS_VERSION_OF).is_some());
    let one = |iri: &'c str| {
        let own: Vec<&str> = versions
            .iter()
            .copied()
            .filter(|one| facts.text(one, dcat::IS_VERSION_OF) == Some(iri))
            .collect();
        let on = evaluations(context, iri);
        let mut entries: Vec<&'static Entry> = on.iter().filter_map(|one| by_checksum(&one.gold)).collect();
        entries.sort_unstable_by_key(|entry| entry.name);
        entries.dedup_by_key(|entry| entry.name);
        let summaries = on.iter().filter_map(|one| context.view.summary(&one.iri));
        let counts = summaries.flat_map(|one| &one.experiments).map(|one| one.statuses.values().sum());
        let licences = own.iter().chain([&iri]).flat_map(|iri| facts.texts(iri, dct::LICENSE));
        ListedDataset {
            iri,
            title: context.view.title(iri).unwrap_or_default(),
            licences: licences.map(str::to_owned).collect(),
            versions: own.len(),
            evaluations: on.len(),
            questions: counts.max().or_else(|| entries.iter().filter_map(|entry| entry.questions).max()),
            entries,
        }
    };
    whole.into_iter().map(one).collect()
}

/// Datasets as a table.
pub(crate) fn dataset_sheet(context: &PageContext<'_>, shown: &[ListedDataset<'_>]) -> PagePiece {
    if shown.is_empty() {
        return PagePiece::said("Datasets would be here: `qassay evaluate` makes them.");
    }
    let listed = |names: &BTreeSet<&str>| -> SheetCell {
        let text = names.iter().copied().collect::<Vec<_>>().join(", ");
        Words::foreign(if text.is_empty() { "–" } else { &text }).into()
    };
    let row = |one: &ListedDataset<'_>| {
        let path = context.linker.path(one.iri).unwrap_or(one.iri);
        let name = if one.title.is_empty() { path } else { &one.title };
        let mut name = vec![context.link_to(Words::foreign(name), one.iri)];
        if one.versions > 1 {
            name.push(Words::soft(&format!(" {}", counted(one.versions as u64, "version"))));
        }
        let licences = one.licences.iter().flat_map(|iri| {
            let name =
                iri.trim_end_matches('/').rsplit_once("licenses/").map_or(iri.as_str(), |(_, name)| name);
            [context.anywhere(Words::foreign(name), iri), Words::plain(" ")]
        });
        let licences: Vec<Words> = licences.collect();
        let licences = if licences.is_empty() { vec![Words::plain("–")] } else { licences };
        SheetRow::from(vec![
            name.into(),
            SheetCell::number(&one.questions.map_or_else(|| "–".to_owned(), |count| count.to_string())),
            listed(&one.graphs()),
            listed(&one.languages()),
            licences.into(),
            SheetCell::number(&one.evaluations.to_string()),
        ])
    };
    PagePiece::Sheet(
        PageSheet {
            id: "things".to_owned(),
            caption: vec![Words::plain(
                "Each leads to its versions, its questions, and to what came of it. A dash: neither its record nor the catalogue tells.",
            )],
            heads: vec![
                SheetHead::text("Name"),
                SheetHead::number(Words::plain("Questions")),
                SheetHead::text("Knowledge graph"),
                SheetHead::text("Languages"),
                SheetHead::text("Licence"),
                SheetHead::number(Words::plain("Evaluations")),
            ],
            rows: shown.iter().map(row).collect(),
            is_filtered: true,
            ..PageSheet::default()
        }
        .with_query(context.asked_by("dataset", &[])),
    )
}
