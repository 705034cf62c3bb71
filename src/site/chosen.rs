//! Lists by what somebody looks for: evaluations by dataset, system and profile; everything by a word of its name. Where there is no
//! server, the lists are whole.

use std::collections::BTreeSet;

use crate::base::text::{self, counted};
use crate::record::archived::{ArchivedEvaluation, profile_name};
use crate::site::compare::MOST_COMPARED;
use crate::site::context::PageContext;
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, FormOption, WebForm};
use crate::site::lists::{findable, results_sheet, search_sheet};
use crate::site::matrix::matrices;
use crate::site::page::{PagePiece, Section, SitePage, Words};
use crate::site::route::{ListPage, Route};

/// Which evaluations are wanted; nothing: all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultChoice {
    /// The name of the dataset.
    pub dataset: Option<String>,
    /// The name of the system.
    pub system: Option<String>,
    /// The name of the profile.
    pub profile: Option<String>,
}

impl ResultChoice {
    /// The choice of a query string.
    pub fn parse(query: &str) -> Self {
        let mut choice = Self::default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty()) {
            match &*name {
                "dataset" => choice.dataset = Some(value.into_owned()),
                "system" => choice.system = Some(value.into_owned()),
                "profile" => choice.profile = Some(value.into_owned()),
                _ => {}
            }
        }
        choice
    }

    /// The page.
    pub(crate) fn page(&self, context: &PageContext<'_>) -> SitePage {
        let all = &context.view.archived.evaluations;
        let dataset = |one: &ArchivedEvaluation| {
            let dataset =
                context.view.summary(&one.iri).map(|summary| summary.dataset.clone()).unwrap_or_default();
            context.view.title(&dataset).unwrap_or_default()
        };
        // A form sends names as they are shown.
        let is_it = |wish: &str, value: &str| wish == value || wish == text::html(value);
        let fits = |wish: &Option<String>, value: &str| wish.as_deref().is_none_or(|wish| is_it(wish, value));
        let is_wanted = |one: &&ArchivedEvaluation| {
            fits(&self.profile, profile_name(&one.profile))
                && one.systems().any(|system| fits(&self.system, system))
                && fits(&self.dataset, &dataset(one))
        };
        let chosen: Vec<&ArchivedEvaluation> = all.iter().filter(is_wanted).collect();
        let names = [
            ("dataset", "Dataset", &self.dataset, all.iter().map(dataset).collect::<BTreeSet<String>>()),
            ("system", "System", &self.system, all.iter().flat_map(|one| one.systems().cloned()).collect()),
            (
                "profile",
                "Profile",
                &self.profile,
                all.iter().map(|one| profile_name(&one.profile).to_owned()).collect(),
            ),
        ];
        let field = |(name, label, chosen, names): (&str, &str, &Option<String>, BTreeSet<String>)| {
            let chosen: Vec<String> = chosen.iter().cloned().collect();
            let any = FormOption { label: "any".to_owned(), ..FormOption::default() };
            let options = [any].into_iter().chain(names.iter().map(|one| FormOption::plain(one, &chosen)));
            FormField::new(name, label, "", FieldKind::List(options.collect()))
        };
        let form = WebForm {
            action: "results".to_owned(),
            is_asking: true,
            groups: vec![FormGroup { fields: names.map(field).to_vec(), ..FormGroup::default() }],
            buttons: vec![FormButton::main("Show")],
            ..WebForm::default()
        };
        let mut pieces = vec![
            PagePiece::Form(form),
            PagePiece::said(&format!("{} of {}.", chosen.len(), counted(all.len(), "evaluation"))),
        ];
        let beside = context
            .href(&Route::List(ListPage::Compare))
            .filter(|_| (2..=MOST_COMPARED).contains(&chosen.len()));
        pieces.extend(beside.map(|href| {
            let keys =
                chosen.iter().map(|one| format!("e={}", one.iri.rsplit('/').next().unwrap_or_default()));
            let href = format!("{href}?{}", keys.collect::<Vec<_>>().join("&"));
            PagePiece::text(vec![Words::plain("Compare them").to(Some(href)), Words::plain(".")])
        }));
        pieces.extend(matrices(context, &chosen));
        let table = (!chosen.is_empty())
            .then(|| Section::new("evaluations", "These evaluations", vec![results_sheet(context, &chosen)]));
        SitePage {
            title: "Results".to_owned(),
            kicker: "List".to_owned(),
            heading: vec![Words::plain("Results")],
            pieces,
            sections: table.into_iter().collect(),
            ..SitePage::default()
        }
    }
}

/// The page of what is called like some words.
pub(crate) fn found(context: &PageContext<'_>, words: &str) -> SitePage {
    let wanted = words.to_lowercase();
    let fits = |name: &str| wanted.split_whitespace().all(|word| name.to_lowercase().contains(word));
    let all = findable(context);
    let found: Vec<_> = all.iter().filter(|(name, ..)| fits(name)).cloned().collect();
    let said = format!("{} of {} are called so.", found.len(), counted(all.len(), "name"));
    let mut pieces = vec![PagePiece::said(&said)];
    pieces.extend((!found.is_empty()).then(|| PagePiece::Sheet(search_sheet(context, &found))));
    SitePage {
        title: format!("Search: {}", Words::foreign(words).text),
        kicker: "Search".to_owned(),
        heading: vec![Words::plain("Called like "), Words::foreign(words)],
        pieces,
        ..SitePage::default()
    }
}
