//! The questions of an evaluation that a reader chooses, in an order of his: `evaluation/KEY?q=…&outcome=…&group=…&sort=…&page=…`.

use std::collections::BTreeSet;

use crate::base::error::{Error, Result};
use crate::base::text::{self, counted};
use crate::record::results::{QuestionFacts, QuestionResults, Results, TypeResults};
use crate::scoring::groups::is_headline;
use crate::site::context::PageContext;
use crate::site::evaluation::outcome::QuestionFate;
use crate::site::evaluation::{QUESTIONS, called, crumbs_of, heading_of, tables};
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, WebForm, filled_in};
use crate::site::page::{PagePiece, SitePage};
use crate::site::route::Route;
use crate::site::rows::other_pages;

/// What the concepts of groups of questions begin with.
const GROUP: &str = "group-";

/// The orders beside that of the file: the lowest F1 first, the highest first.
const ORDERS: [&str; 2] = ["lowest F1", "highest F1"];

/// Which questions, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuestionChoice {
    /// Words of the question, or its id.
    pub words: String,
    /// How it fell; none: anyhow.
    pub outcome: Option<String>,
    /// A group of questions that the profile tells apart, without `group-`; none: all.
    pub group: Option<String>,
    /// The order; none: that of the file.
    pub order: Option<String>,
    /// The page, from 1; none: the first.
    pub page: Option<String>,
}

impl QuestionChoice {
    /// The choice of a query string; none where that chooses nothing.
    pub fn parse(query: &str) -> Option<Self> {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        let chooses = pairs.any(|(name, _)| ["q", "outcome", "group", "sort", "page"].contains(&&*name));
        let mut choice = Self::default();
        for (name, value) in filled_in(query) {
            match &*name {
                "q" => choice.words = value,
                "outcome" => choice.outcome = Some(value),
                "group" => choice.group = Some(value),
                "sort" => choice.order = Some(value),
                "page" => choice.page = Some(value),
                _ => {}
            }
        }
        chooses.then_some(choice)
    }

    /// The number of the page, where all that is chosen can be.
    fn checked(&self) -> Result<usize> {
        let none =
            |what: &str, wish: &str| Error::input(format!("there is no {what} `{}`", text::name(wish)));
        let fates = QuestionFate::ALL.map(QuestionFate::words);
        for (what, wish, known) in [("outcome", &self.outcome, &fates[..]), ("order", &self.order, &ORDERS)] {
            if let Some(unknown) = wish.as_ref().filter(|wish| !known.contains(&wish.as_str())) {
                return Err(none(what, unknown).allowed(known.join(", ")));
            }
        }
        let Some(page) = &self.page else { return Ok(1) };
        let number = page.parse().ok().filter(|page| *page > 0);
        number.ok_or_else(|| none("page", page).allowed("1, 2, …"))
    }

    /// The page.
    ///
    /// # Errors
    /// Where the graphs of the evaluation cannot be read, or something is chosen that there is not.
    pub(crate) fn page(&self, context: &PageContext<'_>, key: &str) -> Result<SitePage> {
        let number = self.checked()?;
        let whole = Route::Evaluation(key.to_owned());
        let shown = context.view.evaluation(&context.linker.iri(&whole))?;
        let results = &shown.results;
        let main = results.experiments.first();
        let groups = main.filter(|_| context.view.shows_content(&results.dataset.iri));
        let groups = groups.into_iter().flat_map(|main| &main.groups).filter(|one| !is_headline(&one.name));
        let groups: Vec<&str> = groups.map(|one| one.name.strip_prefix(GROUP).unwrap_or(&one.name)).collect();
        let mut pieces = vec![PagePiece::Form(self.form(format!("{key}.html"), &groups))];
        if let Some(main) = main {
            let members = match &self.group {
                Some(group) if groups.contains(&group.as_str()) => {
                    Some(context.view.members_of_groups(&results.iri)?)
                }
                Some(group) => {
                    return Err(Error::input(format!(
                        "there is no group of questions `{}`",
                        text::name(group)
                    ))
                    .allowed(if groups.is_empty() {
                        "none: it was scored without groups".to_owned()
                    } else {
                        groups.join(", ")
                    }));
                }
                None => None,
            };
            let named = self.group.as_ref().map(|group| format!("{GROUP}{group}"));
            let members = members.as_ref().zip(named).and_then(|(all, group)| all.get(&group));
            let chosen = self.chosen(results, main, members);
            let from = ((number - 1).saturating_mul(QUESTIONS)).min(chosen.len());
            let here = &chosen[from..(from + QUESTIONS).min(chosen.len())];
            let said = format!("{} of {} questions in {}.", chosen.len(), main.questions.len(), main.name);
            pieces.push(PagePiece::said(&said));
            let table = tables::question_table(context, results, main, here.iter().copied());
            pieces.extend((!here.is_empty()).then_some(PagePiece::Sheet(table)));
            let last = chosen.len().div_ceil(QUESTIONS).max(1);
            if number > last {
                let what = format!("there is no page `{number}` of {}", counted(chosen.len(), "question"));
                return Err(Error::input(what).allowed(format!("1 to {last}")));
            }
            let pages = (number, chosen.len().div_ceil(QUESTIONS));
            let others = other_pages("Questions", pages, |page| Some(self.address(page)));
            pieces.extend(others.map(PagePiece::text));
        }
        Ok(SitePage {
            title: text::html(&format!("Questions of {}", called(context, results))).into_owned(),
            kicker: "Questions".to_owned(),
            heading: heading_of(context, results),
            crumbs: crumbs_of(context, results),
            pieces,
            ..SitePage::default()
        })
    }

    fn form(&self, action: String, groups: &[&str]) -> WebForm {
        let words = FieldKind::Line(text::html(&self.words).into_owned(), "");
        let fates = QuestionFate::ALL.map(QuestionFate::words);
        let of_groups = (!groups.is_empty()).then(|| {
            FormField::one_of(("group", "Group"), "all", self.group.as_deref(), groups.iter().copied())
        });
        let mut fields = vec![
            FormField::new("q", "Words or id", "", words),
            FormField::one_of(("outcome", "Outcome"), "any", self.outcome.as_deref(), fates),
        ];
        fields.extend(of_groups);
        fields.push(FormField::one_of(("sort", "Order"), "as in the file", self.order.as_deref(), ORDERS));
        WebForm {
            action,
            is_asking: true,
            groups: vec![FormGroup { fields, ..FormGroup::default() }],
            buttons: vec![FormButton::main("Show")],
            ..WebForm::default()
        }
    }

    /// The places of the questions; `members`: the keys of those of the group.
    fn chosen(
        &self,
        results: &Results,
        main: &TypeResults,
        members: Option<&BTreeSet<String>>,
    ) -> Vec<usize> {
        let words = self.words.to_lowercase();
        let is_wanted = |(facts, found): &(&QuestionFacts, &QuestionResults)| {
            let texts = facts.texts.iter().map(|(_, text)| text.to_lowercase());
            let is_called = facts.key == self.words || texts.into_iter().any(|text| text.contains(&words));
            let is_member = members.is_none_or(|members| members.contains(&facts.key));
            is_called
                && is_member
                && self.outcome.as_ref().is_none_or(|wish| wish == QuestionFate::of(found).words())
        };
        let all = results.questions.iter().zip(&main.questions).enumerate();
        let mut chosen: Vec<usize> = all.filter(|(_, one)| is_wanted(one)).map(|(at, _)| at).collect();
        let f1 = |at: usize| -> Option<f64> {
            main.questions[at].observed.as_ref().ok().and_then(|one| one.f1.as_str().parse().ok())
        };
        // What has none is last, whichever way.
        let mut sort = |sign: f64| {
            chosen.sort_by(|one, other| {
                let [one, other] = [f1(*one), f1(*other)].map(|f1| f1.map_or(f64::INFINITY, |f1| sign * f1));
                one.total_cmp(&other)
            });
        };
        match self.order.as_deref() {
            Some(order) if order == ORDERS[0] => sort(1.0),
            Some(order) if order == ORDERS[1] => sort(-1.0),
            _ => {}
        }
        chosen
    }

    /// The same choice, on a page of it.
    fn address(&self, page: usize) -> String {
        let mut address = form_urlencoded::Serializer::new(String::new());
        address.append_pair("q", &self.words);
        address.extend_pairs(self.outcome.iter().map(|outcome| ("outcome", outcome)));
        address.extend_pairs(self.group.iter().map(|group| ("group", group)));
        address.extend_pairs(self.order.iter().map(|order| ("sort", order)));
        address.append_pair("page", &page.to_string());
        format!("?{}", address.finish())
    }
}
