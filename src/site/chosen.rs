//! Lists by what somebody looks for: evaluations by dataset, system and profile; datasets by what they are about. Where there is no
//! server, the lists are whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::text::{self, counted};
use crate::base::vocab::{dcat, dct};
use crate::record::archived::{ArchivedEvaluation, profile_name};
use crate::site::compare::MOST_COMPARED;
use crate::site::context::PageContext;
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, WebForm, filled_in};
use crate::site::lists::{recorded, results_sheet, things_sheet};
use crate::site::matrix::matrices;
use crate::site::page::{PagePiece, Section, SitePage, Words};
use crate::site::route::{ListPage, Route};
use crate::sources::catalogue::{Entry, by_checksum};

/// Which evaluations are wanted; nothing: all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultChoice {
    /// The name of the dataset.
    pub dataset: Option<String>,
    /// The name of the system.
    pub system: Option<String>,
    /// The name of the profile.
    pub profile: Option<String>,
    /// Words of the rows.
    pub words: String,
}

impl ResultChoice {
    /// The choice of a query string.
    pub fn parse(query: &str) -> Self {
        let mut choice = Self::default();
        for (name, value) in filled_in(query) {
            match &*name {
                "dataset" => choice.dataset = Some(value),
                "system" => choice.system = Some(value),
                "profile" => choice.profile = Some(value),
                "q" => choice.words = value,
                _ => {}
            }
        }
        choice
    }

    /// The page.
    pub(crate) fn page(&self, context: &PageContext<'_>) -> SitePage {
        let all = &context.view.archived.evaluations;
        let dataset = |one: &ArchivedEvaluation| context.dataset_title(&one.iri).unwrap_or_default();
        // What programs call it.
        let slug = |one: &ArchivedEvaluation| {
            let summary = context.view.summary(&one.iri)?;
            summary.dataset.split_once("/dataset/")?.1.split('/').next()
        };
        let fits = |wish: &Option<String>, value: &str| wish.as_deref().is_none_or(|wish| is_it(wish, value));
        let is_wanted = |one: &&ArchivedEvaluation| {
            fits(&self.profile, profile_name(&one.profile))
                && one.systems().any(|system| fits(&self.system, system))
                && (fits(&self.dataset, &dataset(one)) || self.dataset.as_deref() == slug(one))
        };
        let chosen: Vec<&ArchivedEvaluation> = all.iter().filter(is_wanted).collect();
        let fields = [
            ("dataset", "Dataset", &self.dataset, all.iter().map(dataset).collect::<BTreeSet<String>>()),
            ("system", "System", &self.system, all.iter().flat_map(|one| one.systems().cloned()).collect()),
            (
                "profile",
                "Profile",
                &self.profile,
                all.iter().map(|one| profile_name(&one.profile).to_owned()).collect(),
            ),
        ];
        let form = asking("results", Vec::new(), fields);
        let mut pieces = vec![
            PagePiece::Form(form),
            PagePiece::said(&format!("{} of {}.", chosen.len(), counted(all.len(), "evaluation"))),
        ];
        let beside = context
            .href(&Route::List(ListPage::Compare))
            .filter(|_| (2..=MOST_COMPARED).contains(&chosen.len()));
        pieces.extend(beside.map(|href| {
            let keys = chosen.iter().map(|one| format!("e={}", one.key()));
            let href = format!("{href}?{}", keys.collect::<Vec<_>>().join("&"));
            PagePiece::text(vec![Words::plain("Compare them").to(Some(href)), Words::plain(".")])
        }));
        pieces.extend(matrices(context, &chosen));
        let table = (!chosen.is_empty())
            .then(|| Section::new("evaluations", "These evaluations", vec![results_sheet(context, &chosen)]));
        let page = SitePage {
            title: "Results".to_owned(),
            kicker: "List".to_owned(),
            heading: vec![Words::plain("Results")],
            pieces,
            sections: table.into_iter().collect(),
            ..SitePage::default()
        };
        if self.words.is_empty() { page } else { page.with_rows(&self.words) }
    }
}

/// Which datasets are wanted; nothing: all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DatasetChoice {
    /// Words of its name.
    pub words: String,
    /// The knowledge graph that its questions are about.
    pub kb: Option<String>,
    /// A language of its questions.
    pub language: Option<String>,
    /// Its licence.
    pub licence: Option<String>,
}

impl DatasetChoice {
    /// The choice of a query string.
    pub fn parse(query: &str) -> Self {
        let mut choice = Self::default();
        for (name, value) in filled_in(query) {
            match &*name {
                "q" => choice.words = value,
                "kb" => choice.kb = Some(value),
                "language" => choice.language = Some(value),
                "licence" => choice.licence = Some(value),
                _ => {}
            }
        }
        choice
    }

    /// The page. What the catalogue does not know of a file has no knowledge graph and no language here.
    pub(crate) fn page(&self, context: &PageContext<'_>) -> SitePage {
        let mut entries: BTreeMap<&str, &Entry> = BTreeMap::new();
        for one in &context.view.archived.evaluations {
            let known = context.view.summary(&one.iri).zip(by_checksum(&one.gold));
            entries.extend(known.map(|(summary, entry)| (summary.dataset.as_str(), entry)));
        }
        let facts = context.view.records();
        let all = recorded(context, "dataset/", dcat::DATASET_CLASS);
        let entry = |iri: &str| entries.get(iri).copied();
        let licence =
            |iri: &str| -> BTreeSet<String> { facts.texts(iri, dct::LICENSE).map(str::to_owned).collect() };
        let words = self.words.to_lowercase();
        let is_wanted = |iri: &&str| {
            let title = context.view.title(iri).unwrap_or_default();
            let name = format!("{title} {iri}").to_lowercase();
            words.split_whitespace().all(|word| name.contains(word))
                && self.kb.as_ref().is_none_or(|wish| entry(iri).is_some_and(|one| is_it(wish, one.kb)))
                && self.language.as_ref().is_none_or(|wish| {
                    entry(iri).is_some_and(|one| one.languages.iter().any(|known| is_it(wish, known)))
                })
                && self
                    .licence
                    .as_ref()
                    .is_none_or(|wish| licence(iri).iter().any(|known| is_it(wish, known)))
        };
        let chosen: Vec<&str> = all.iter().copied().filter(is_wanted).collect();
        let of_entries = |of: fn(&Entry) -> Vec<&str>| -> BTreeSet<String> {
            entries.values().flat_map(|one| of(one)).map(str::to_owned).collect()
        };
        let find = FieldKind::Line(text::html(&self.words).into_owned(), "qald");
        let fields = [
            ("kb", "Knowledge graph", &self.kb, of_entries(|one| vec![one.kb])),
            ("language", "Language", &self.language, of_entries(|one| one.languages.clone())),
            ("licence", "Licence", &self.licence, all.iter().flat_map(|iri| licence(iri)).collect()),
        ];
        SitePage {
            title: "Datasets".to_owned(),
            kicker: "List".to_owned(),
            heading: vec![Words::plain("Datasets")],
            pieces: vec![
                PagePiece::Form(asking("datasets", vec![FormField::new("q", "Words", "", find)], fields)),
                PagePiece::said(&format!("{} of {}.", chosen.len(), counted(all.len(), "dataset"))),
                things_sheet(context, "dataset", &chosen),
            ],
            ..SitePage::default()
        }
    }
}

/// Whether somebody wishes for a value: a form sends names as they are shown.
fn is_it(wish: &str, value: &str) -> bool {
    wish == value || wish == text::html(value)
}

/// A form that asks for some of a list: fields of its own, then one of some names each, or any.
fn asking<const N: usize>(
    action: &str,
    own: Vec<FormField>,
    lists: [(&str, &str, &Option<String>, BTreeSet<String>); N],
) -> WebForm {
    let list = |(name, label, chosen, names): (&str, &str, &Option<String>, BTreeSet<String>)| {
        FormField::one_of((name, label), "any", chosen.as_deref(), names.iter().map(String::as_str))
    };
    let fields = own.into_iter().chain(lists.map(list)).collect();
    WebForm {
        action: action.to_owned(),
        is_asking: true,
        groups: vec![FormGroup { fields, ..FormGroup::default() }],
        buttons: vec![FormButton::main("Show")],
        ..WebForm::default()
    }
}
