//! Lists by what somebody looks for: evaluations by dataset, system and profile; datasets by what they are about. Where there is no
//! server, the lists are whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::Result;
use crate::base::text::{self, counted};
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::record::archived::{ArchivedEvaluation, profile_name};
use crate::record::summaries::NumberChoice;
use crate::report::columns::heading;
use crate::scoring::groups::ALL;
use crate::site::compare::MOST_COMPARED;
use crate::site::context::PageContext;
use crate::site::dataset_list::{ListedDataset, dataset_sheet, datasets};
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, WebForm, filled_in};
use crate::site::lists::chosen_sheet;
use crate::site::matrix::{matrices, of_one_dataset};
use crate::site::page::{PagePiece, Section, SitePage, Words};
use crate::site::route::{ListPage, Route};
use crate::site::rows::{ROWS, WantedRows, other_pages};

/// Which evaluations are wanted, and which number of each is shown; nothing: all, and what its profile ranks by.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ResultChoice {
    /// The name of the dataset.
    pub dataset: Option<String>,
    /// The name of the system.
    pub system: Option<String>,
    /// The name of the profile.
    pub profile: Option<String>,
    /// The language of the questions.
    pub language: Option<String>,
    /// The experiment type.
    pub experiment: Option<String>,
    /// The measure.
    pub measure: Option<String>,
    /// Words of the rows.
    pub words: String,
    /// The page of the table, from 1.
    pub page: Option<String>,
}

/// One of the lists of a form: its name and label, what is chosen, and what can be: values, and what they are called.
type ChoiceList<'c> = (&'static str, &'static str, &'c Option<String>, BTreeMap<String, String>);

impl ResultChoice {
    /// The choice of a query string.
    pub fn parse(query: &str) -> Self {
        let mut choice = Self::default();
        for (name, value) in filled_in(query) {
            match &*name {
                "dataset" => choice.dataset = Some(value),
                "system" => choice.system = Some(value),
                "profile" => choice.profile = Some(value),
                "language" => choice.language = Some(value),
                "experiment" => choice.experiment = Some(value),
                "measure" => choice.measure = Some(value),
                "page" => choice.page = Some(value),
                "q" => choice.words = value,
                _ => {}
            }
        }
        choice
    }

    /// Whether an evaluation is wanted; `dataset`: what its dataset is called by people, `slug`: and by programs.
    pub fn wants(&self, one: &ArchivedEvaluation, dataset: &str, slug: Option<&str>) -> bool {
        let fits = |wish: &Option<String>, value: &str| wish.as_deref().is_none_or(|wish| is_it(wish, value));
        fits(&self.profile, profile_name(&one.profile))
            && one.systems().any(|system| fits(&self.system, system))
            && (fits(&self.dataset, dataset) || self.dataset.as_deref() == slug)
            && fits(&self.language, one.choices.language.as_deref().unwrap_or_default())
    }

    /// The page.
    ///
    /// # Errors
    /// Where there is no such number.
    pub(crate) fn page(&self, context: &PageContext<'_>) -> Result<SitePage> {
        let all = &context.view.archived.evaluations;
        let dataset = |one: &ArchivedEvaluation| context.dataset_title(&one.iri).unwrap_or_default();
        let slug = |one: &ArchivedEvaluation| {
            let summary = context.view.summary(&one.iri)?;
            summary.dataset.split_once("/dataset/")?.1.split('/').next()
        };
        // Who names a dataset as programs do has it chosen in the form, too.
        let of_programs =
            all.iter().find(|one| self.dataset.is_some() && slug(one) == self.dataset.as_deref());
        if let Some(title) = of_programs.map(dataset).filter(|title| Some(title) != self.dataset.as_ref()) {
            return Self { dataset: Some(title), ..self.clone() }.page(context);
        }
        let number = NumberChoice::named(self.experiment.as_deref(), self.measure.as_deref())?;
        let chosen: Vec<&ArchivedEvaluation> =
            all.iter().filter(|one| self.wants(one, &dataset(one), slug(one))).collect();
        let lists = self.lists(context);
        let words = FieldKind::Line(text::html(&self.words).into_owned(), "");
        let words = vec![FormField::new("q", "Words of a row", "", words)];
        let mut pieces = vec![PagePiece::Form(asking("results", words, &lists))];
        // A name that is nowhere here may be a slip, or that of something that is gone.
        let unknown = lists.iter().filter_map(|(_, label, wish, known)| {
            let wish = wish.as_deref()?;
            let is_known = known.keys().any(|value| is_it(wish, value));
            (!is_known).then(|| format!("No evaluation here has the {} “{wish}”.", label.to_lowercase()))
        });
        pieces.extend(unknown.map(|said| PagePiece::text(vec![Words::foreign(&said)])));
        pieces.push(PagePiece::said(&format!("{} of {}.", chosen.len(), counted(all.len(), "evaluation"))));
        let beside = context
            .href(&Route::List(ListPage::Compare))
            .filter(|_| (2..=MOST_COMPARED).contains(&chosen.len()));
        pieces.extend(beside.map(|href| {
            let keys = chosen.iter().map(|one| format!("e={}", one.key()));
            let href = format!("{href}?{}", keys.collect::<Vec<_>>().join("&"));
            PagePiece::text(vec![Words::plain("Compare them").to(Some(href)), Words::plain(".")])
        }));
        pieces.extend(matrices(context, &chosen, &number));
        let mut sections = of_one_dataset(context, &chosen, &number);
        if !chosen.is_empty() {
            sections.push(Section::new(
                "evaluations",
                "These evaluations",
                self.rows(context, &chosen, &number)?,
            ));
        }
        Ok(SitePage {
            title: "Systems and datasets".to_owned(),
            kicker: "Results".to_owned(),
            heading: vec![Words::plain("Systems and datasets")],
            pieces,
            sections,
            ..SitePage::default()
        })
    }

    /// The rows with the words, as many as stand on a page.
    fn rows(
        &self,
        context: &PageContext<'_>,
        chosen: &[&ArchivedEvaluation],
        number: &NumberChoice,
    ) -> Result<Vec<PagePiece>> {
        let mut sheet = chosen_sheet(context, chosen, number);
        sheet.is_filtered = false;
        let words = self.words.to_lowercase();
        sheet.rows.retain(|row| row.has_words(&words));
        let rows = WantedRows { words: self.words.clone(), page: self.page.clone() };
        let (number, pages) = rows.page_of(sheet.rows.len(), "these evaluations")?;
        let said = if words.is_empty() {
            None
        } else {
            Some(PagePiece::said(&format!("{} of these have the words.", sheet.rows.len())))
        };
        sheet.rows = sheet.rows.into_iter().skip((number - 1) * ROWS).take(ROWS).collect();
        let others = other_pages("Evaluations", (number, pages), |page| Some(self.address(page)));
        let table = (!sheet.rows.is_empty()).then_some(PagePiece::Sheet(sheet));
        Ok(said.into_iter().chain(table).chain(others.map(PagePiece::text)).collect())
    }

    /// The same choice, on a page of the table.
    fn address(&self, page: usize) -> String {
        let chosen = [
            ("dataset", &self.dataset),
            ("system", &self.system),
            ("profile", &self.profile),
            ("language", &self.language),
            ("experiment", &self.experiment),
            ("measure", &self.measure),
        ];
        let mut address = form_urlencoded::Serializer::new(String::new());
        address.extend_pairs(chosen.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))));
        if !self.words.is_empty() {
            address.append_pair("q", &self.words);
        }
        format!("?{}#evaluations", address.append_pair("page", &page.to_string()).finish())
    }

    /// What can be chosen.
    fn lists(&self, context: &PageContext<'_>) -> [ChoiceList<'_>; 6] {
        let all = &context.view.archived.evaluations;
        let summaries = || all.iter().filter_map(|one| context.view.summary(&one.iri));
        let types = || summaries().flat_map(|summary| &summary.experiments);
        let metrics: BTreeSet<String> = types()
            .filter_map(|one| one.group(ALL))
            .flat_map(|group| group.metrics().map(|(name, _)| name.to_owned()).collect::<Vec<_>>())
            .collect();
        let mut measures: BTreeMap<String, String> = BTreeMap::new();
        for (name, metric) in
            metrics.into_iter().filter_map(|name| Some((name.clone(), Metric::named(&name)?)))
        {
            if metric.measure.unit != Unit::Count {
                let called = heading(metric);
                // Profiles have measures of their own that are called the same.
                let is_new = measures.values().all(|known| *known != called);
                measures.insert(name.clone(), if is_new { called } else { format!("{called} ({name})") });
            }
        }
        let datasets = all.iter().filter_map(|one| context.dataset_title(&one.iri));
        [
            ("dataset", "Dataset", &self.dataset, itself(datasets)),
            ("system", "System", &self.system, itself(all.iter().flat_map(|one| one.systems().cloned()))),
            (
                "profile",
                "Profile",
                &self.profile,
                itself(all.iter().map(|one| profile_name(&one.profile).to_owned())),
            ),
            (
                "language",
                "Language",
                &self.language,
                itself(all.iter().filter_map(|one| one.choices.language.clone())),
            ),
            ("experiment", "Experiment type", &self.experiment, itself(types().map(|one| one.name.clone()))),
            ("measure", "Measure", &self.measure, measures),
        ]
    }
}

/// Values that are called as they are.
fn itself(values: impl Iterator<Item = String>) -> BTreeMap<String, String> {
    values.map(|value| (value.clone(), value)).collect()
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

    pub(crate) fn wants(&self, one: &ListedDataset<'_>) -> bool {
        let names = one.entries.iter().map(|entry| entry.name).chain([one.title.as_str(), one.iri]);
        let name = names.collect::<Vec<_>>().join(" ").to_lowercase();
        let fits = |wish: &Option<String>, is_so: &dyn Fn(&str) -> bool| wish.as_deref().is_none_or(is_so);
        self.words.to_lowercase().split_whitespace().all(|word| name.contains(word))
            && fits(&self.kb, &|wish| one.graphs().iter().any(|known| is_it(wish, known)))
            // Language tags have no case (BCP 47, section 2.1.1).
            && fits(&self.language, &|wish| one.languages().iter().any(|known| known.eq_ignore_ascii_case(wish)))
            && fits(&self.licence, &|wish| one.licences.iter().any(|known| is_it(wish, known)))
    }

    /// The page. What the catalogue does not know of a file has no knowledge graph and no language here.
    pub(crate) fn page(&self, context: &PageContext<'_>) -> SitePage {
        let all = datasets(context);
        let of_all = |of: &dyn Fn(&ListedDataset<'_>) -> BTreeSet<String>| itself(all.iter().flat_map(of));
        let owned = |names: BTreeSet<&str>| names.into_iter().map(str::to_owned).collect();
        let find = FieldKind::Line(text::html(&self.words).into_owned(), "qald");
        let lists = [
            ("kb", "Knowledge graph", &self.kb, of_all(&|one| owned(one.graphs()))),
            ("language", "Language", &self.language, of_all(&|one| owned(one.languages()))),
            ("licence", "Licence", &self.licence, of_all(&|one| one.licences.clone())),
        ];
        let form = asking("datasets", vec![FormField::new("q", "Words", "", find)], &lists);
        let count = all.len();
        let chosen: Vec<ListedDataset<'_>> = all.into_iter().filter(|one| self.wants(one)).collect();
        let number = if chosen.is_empty() { "None".to_owned() } else { chosen.len().to_string() };
        let said = format!("{number} of {}.", counted(count, "dataset"));
        let table = (count == 0 || !chosen.is_empty()).then(|| dataset_sheet(context, &chosen));
        SitePage {
            title: "Datasets".to_owned(),
            kicker: "Datasets".to_owned(),
            heading: vec![Words::plain("Datasets")],
            pieces: [PagePiece::Form(form), PagePiece::said(&said)].into_iter().chain(table).collect(),
            ..SitePage::default()
        }
    }
}

/// Whether somebody wishes for a value, in any case of letters: a form sends names as they are shown.
fn is_it(wish: &str, value: &str) -> bool {
    let wish = wish.to_lowercase();
    wish == value.to_lowercase() || wish == text::html(value).to_lowercase()
}

/// A form that asks for some of a list: fields of its own, then one of some names each, or any.
fn asking(action: &str, own: Vec<FormField>, lists: &[ChoiceList<'_>]) -> WebForm {
    let list = |(name, label, chosen, values): &ChoiceList<'_>| {
        let usual = if *name == "measure" || *name == "experiment" { "as usual" } else { "any" };
        let values = values.iter().map(|(value, called)| (value.as_str(), called.clone()));
        FormField::one_called((name, label), usual, chosen.as_deref(), values)
    };
    let fields = own.into_iter().chain(lists.iter().map(list)).collect();
    WebForm {
        action: action.to_owned(),
        is_asking: true,
        groups: vec![FormGroup { fields, ..FormGroup::default() }],
        buttons: vec![FormButton::main("Show")],
        ..WebForm::default()
    }
}
