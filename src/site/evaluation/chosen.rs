//! The questions of an evaluation that a reader chooses, in an order of his: `evaluation/KEY?q=…&outcome=…&sort=…&page=…`.

use crate::base::error::Result;
use crate::base::text;
use crate::record::results::{QuestionFacts, QuestionResults, Results, TypeResults};
use crate::site::context::{PageContext, other_pages};
use crate::site::evaluation::outcome::QuestionFate;
use crate::site::evaluation::{QUESTIONS, called, crumbs_of, heading_of, tables};
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, WebForm, filled_in};
use crate::site::page::{PagePiece, SitePage};
use crate::site::route::Route;

/// The orders beside that of the file: the lowest F1 first, the highest first.
const ORDERS: [&str; 2] = ["lowest F1", "highest F1"];

/// Which questions, in which order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QuestionChoice {
    /// Words of the question, or its id.
    pub words: String,
    /// How it fell; none: anyhow.
    pub outcome: Option<String>,
    /// The order; none: that of the file.
    pub order: Option<String>,
    /// The page, from 1.
    pub page: usize,
}

impl QuestionChoice {
    /// The choice of a query string; none where that chooses nothing.
    pub fn parse(query: &str) -> Option<Self> {
        let mut pairs = form_urlencoded::parse(query.as_bytes());
        let chooses = pairs.any(|(name, _)| ["q", "outcome", "sort", "page"].contains(&&*name));
        let mut choice = Self { page: 1, ..Self::default() };
        for (name, value) in filled_in(query) {
            match &*name {
                "q" => choice.words = value,
                "outcome" => choice.outcome = Some(value),
                "sort" => choice.order = Some(value),
                "page" => choice.page = value.parse().ok().filter(|page| *page > 0).unwrap_or(1),
                _ => {}
            }
        }
        chooses.then_some(choice)
    }

    /// The page.
    ///
    /// # Errors
    /// Where the graphs of the evaluation cannot be read.
    pub(crate) fn page(&self, context: &PageContext<'_>, key: &str) -> Result<SitePage> {
        let whole = Route::Evaluation(key.to_owned());
        let shown = context.view.evaluation(&context.linker.iri(&whole))?;
        let results = &shown.results;
        let mut pieces = vec![PagePiece::Form(self.form(format!("{key}.html")))];
        if let Some(main) = results.experiments.first() {
            let chosen = self.chosen(results, main);
            let from = ((self.page - 1) * QUESTIONS).min(chosen.len());
            let here = &chosen[from..(from + QUESTIONS).min(chosen.len())];
            let said = format!("{} of {} questions in {}.", chosen.len(), main.questions.len(), main.name);
            pieces.push(PagePiece::said(&said));
            let table = tables::question_table(context, results, main, here.iter().copied());
            pieces.extend((!here.is_empty()).then_some(PagePiece::Sheet(table)));
            let pages = (self.page, chosen.len().div_ceil(QUESTIONS));
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

    fn form(&self, action: String) -> WebForm {
        let words = FieldKind::Line(text::html(&self.words).into_owned(), "");
        let fates = QuestionFate::ALL.map(QuestionFate::words);
        let fields = vec![
            FormField::new("q", "Words or id", "", words),
            FormField::one_of(("outcome", "Outcome"), "any", self.outcome.as_deref(), fates),
            FormField::one_of(("sort", "Order"), "as in the file", self.order.as_deref(), ORDERS),
        ];
        WebForm {
            action,
            is_asking: true,
            groups: vec![FormGroup { fields, ..FormGroup::default() }],
            buttons: vec![FormButton::main("Show")],
            ..WebForm::default()
        }
    }

    /// The places of the questions.
    fn chosen(&self, results: &Results, main: &TypeResults) -> Vec<usize> {
        let words = self.words.to_lowercase();
        let is_wanted = |(facts, found): &(&QuestionFacts, &QuestionResults)| {
            let texts = facts.texts.iter().map(|(_, text)| text.to_lowercase());
            let is_called = facts.key == self.words || texts.into_iter().any(|text| text.contains(&words));
            is_called && self.outcome.as_ref().is_none_or(|wish| wish == QuestionFate::of(found).words())
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
        address.extend_pairs(self.order.iter().map(|order| ("sort", order)));
        address.append_pair("page", &page.to_string());
        format!("?{}", address.finish())
    }
}
