//! Evaluations beside each other that a reader chooses: `compare?e=KEY&e=…`. What he asks for is in the address, and nothing is
//! kept; the line of the command that keeps it stands below.

use std::collections::{BTreeMap, BTreeSet};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::measures::metric::Metric;
use crate::profiles::rules::EXPERIMENTS;
use crate::record::archived::{ArchivedEvaluation, profile_name};
use crate::record::comparison::archived::beside;
use crate::record::comparison::settings::ComparisonSettings;
use crate::record::rerun::option;
use crate::site::comparison::shown;
use crate::site::context::PageContext;
use crate::site::form::{FieldKind, FormButton, FormField, FormGroup, FormOption, WebForm, filled_in};
use crate::site::page::{PagePiece, Section, SitePage, WordLine, Words};
use crate::site::route::{ListPage, Route};
use crate::statistics::table::PairedTest;

/// So many can be compared on a page: each with each takes time that grows with their square.
pub const MOST_COMPARED: usize = 8;

/// Of more evaluations, the datasets are listed first.
const MOST_LISTED: usize = 60;

/// So many evaluations of a dataset are offered; `results` finds the others.
const MOST_OFFERED: usize = 50;

/// The measures that are offered; others can be named in the address.
const MEASURES: [&str; 6] =
    ["macroF1", "microF1", "macroPrecision", "macroRecall", "macroF1Qald", "exactMatch"];

/// What is compared, and how.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CompareChoice {
    /// Keys of evaluations, or their IRIs.
    pub evaluations: Vec<String>,
    /// The name of the dataset whose evaluations are offered; none: all.
    pub dataset: Option<String>,
    /// The name of a measure; none: the one that the profile ranks by.
    pub measure: Option<String>,
    /// An experiment type, or [`EVERY`]; none: the first that all have.
    pub experiment: Option<String>,
    /// The system that the others are compared with; none: each with each.
    pub baseline: Option<String>,
    /// How it is tested whether two systems differ.
    pub test: Option<String>,
}

/// All experiment types at once: a long page.
const EVERY: &str = "all";

impl CompareChoice {
    /// The choice of a query string.
    pub fn parse(query: &str) -> Self {
        let mut choice = Self::default();
        for (name, value) in filled_in(query) {
            match &*name {
                "e" if !choice.evaluations.contains(&value) => choice.evaluations.push(value),
                "dataset" => choice.dataset = Some(value),
                "measure" => choice.measure = Some(value),
                "experiment" => choice.experiment = Some(value),
                "baseline" => choice.baseline = Some(value),
                "test" => choice.test = Some(value),
                _ => {}
            }
        }
        choice
    }

    /// The page: what can be chosen, and, of two or more evaluations, how they compare.
    ///
    /// # Errors
    /// Where something that was chosen is not here, or cannot stand in one table.
    pub(crate) fn page(&self, context: &PageContext<'_>) -> Result<SitePage> {
        let chosen = self.chosen(context)?;
        let mut page = SitePage {
            title: "Compare".to_owned(),
            kicker: "Compare".to_owned(),
            heading: vec![Words::plain("Compare evaluations")],
            lead: vec![Words::plain("Who is better, by how much, and could it be chance.")],
            ..SitePage::default()
        };
        if chosen.len() < 2 {
            let one = chosen.iter().map(|one| {
                let line = [Words::plain("Chosen so far: ")].into_iter().chain(context.evaluation(&one.iri));
                PagePiece::Text("", line.chain([Words::plain(". Choose at least one more.")]).collect())
            });
            page.pieces = one.chain(self.choices(context, &chosen)).collect();
            return Ok(page);
        }
        chosen.iter().try_for_each(|one| context.view.refuse_large(&one.iri))?;
        let settings = self.settings(context, &chosen)?;
        let key = settings.key(chosen.iter().map(|one| one.iri.as_str()));
        let make = || beside((context.view.archived, context.view.kept()), &chosen, &settings);
        let comparison = context.view.compared(&key, make)?;
        page.heading = vec![Words::foreign(&heading(&chosen))];
        page.title = text::html(&heading(&chosen)).into_owned();
        let (pieces, sections) = shown(context, &comparison)?;
        (page.pieces, page.sections) = (pieces, sections);
        let kept = format!("{}comparison/{}", context.linker.base(), comparison.key);
        page.pieces.extend(context.linker.href_of(context.route, &kept).map(|href| {
            let words = Words::plain("The same comparison is kept here").to(Some(href));
            PagePiece::text(vec![words, Words::plain(", with an address that stays.")])
        }));
        page.sections.push(Section::new("other", "Compare others", self.choices(context, &chosen)));
        page.sections.push(Section::new("made", "How it was made", self.made(context, &chosen)));
        Ok(page)
    }

    /// The evaluations that are chosen, in the order of the choice.
    fn chosen<'a>(&self, context: &PageContext<'a>) -> Result<Vec<&'a ArchivedEvaluation>> {
        if self.evaluations.len() > MOST_COMPARED {
            return Err(Error::limit(format!(
                "{} evaluations are too many for a page",
                self.evaluations.len()
            ))
            .allowed(format!("{MOST_COMPARED} at once"))
            .hint("`qassay compare` compares as many as there are"));
        }
        let base = context.linker.base();
        let find = |word: &String| {
            let key = word.strip_prefix(base).unwrap_or(word);
            let key = key.strip_prefix("evaluation/").unwrap_or(key);
            let route = Route::Evaluation(key.to_owned());
            let iri = context.linker.iri(&route);
            let found = context.view.archived.evaluations.iter().find(|one| one.iri == iri);
            // What was withdrawn is told of on its own page only.
            let found =
                found.filter(|_| context.linker.has(&route) && context.view.tombstone(&iri).is_none());
            found.ok_or_else(|| {
                Error::input(format!("there is no evaluation `{word}`"))
                    .hint("`results` lists them; the key is the last part of the address of each")
            })
        };
        self.evaluations.iter().map(find).collect()
    }

    /// The experiment type that is compared; none: all.
    fn of_type<'c>(
        &'c self,
        context: &'c PageContext<'_>,
        chosen: &[&ArchivedEvaluation],
    ) -> Option<&'c str> {
        match self.experiment.as_deref() {
            Some(EVERY) => None,
            Some(name) => Some(name),
            None => EXPERIMENTS.into_iter().find(|name| {
                chosen.iter().all(|one| {
                    let summary = context.view.summary(&one.iri);
                    summary.is_some_and(|known| known.experiments.iter().any(|types| types.name == *name))
                })
            }),
        }
    }

    fn settings(
        &self,
        context: &PageContext<'_>,
        chosen: &[&ArchivedEvaluation],
    ) -> Result<ComparisonSettings> {
        let measure = |name: &String| {
            Metric::named(name).ok_or_else(|| {
                Error::input(format!("there is no measure `{name}`")).allowed(MEASURES.join(", "))
            })
        };
        let test = |name: &String| {
            let found = PairedTest::ALL.into_iter().find(|test| test.name() == name);
            found
                .ok_or_else(|| Error::input(format!("there is no test `{name}`")).allowed(tests().join(", ")))
        };
        Ok(ComparisonSettings {
            measures: self.measure.iter().map(measure).collect::<Result<_>>()?,
            experiments: self.of_type(context, chosen).map(str::to_owned).into_iter().collect(),
            baseline: self.baseline.clone(),
            test: self.test.as_ref().map_or_else(|| Ok(PairedTest::default()), test)?,
            ..ComparisonSettings::default()
        })
    }

    /// What can be compared: a form, or the datasets where there is much.
    fn choices(&self, context: &PageContext<'_>, chosen: &[&ArchivedEvaluation]) -> Vec<PagePiece> {
        let dataset_of = |one: &ArchivedEvaluation| context.dataset_title(&one.iri).unwrap_or_default();
        let mut datasets: BTreeMap<String, Vec<&ArchivedEvaluation>> = BTreeMap::new();
        for one in &context.view.archived.evaluations {
            datasets.entry(dataset_of(one)).or_default().push(one);
        }
        let count = context.view.archived.evaluations.len();
        let of_chosen: BTreeSet<String> = chosen.iter().map(|one| dataset_of(one)).collect();
        // What is chosen already says which others are of use.
        let is_offered = |name: &str| match &self.dataset {
            Some(wanted) => wanted == name || *wanted == text::html(name),
            None => of_chosen.is_empty() || of_chosen.contains(name),
        };
        let offered: usize =
            datasets.iter().filter(|(name, _)| is_offered(name)).map(|(_, all)| all.len()).sum();
        if count == 0 {
            return vec![PagePiece::said("Evaluations would be here: `qassay evaluate` makes them.")];
        }
        if self.dataset.is_none() && of_chosen.is_empty() && offered > MOST_LISTED {
            let line = |(name, all): (&String, &Vec<&ArchivedEvaluation>)| -> WordLine {
                let query: String =
                    form_urlencoded::Serializer::new(String::new()).append_pair("dataset", name).finish();
                let link = Words::foreign(name).to(Some(format!("compare?{query}")));
                vec![link, Words::soft(&format!(" {}", text::counted(all.len() as u64, "evaluation")))]
            };
            let several = datasets.iter().filter(|(_, all)| all.len() > 1);
            return vec![PagePiece::said("On which dataset?"), PagePiece::List(several.map(line).collect())];
        }
        let keys: Vec<String> = chosen.iter().map(|one| one.key().to_owned()).collect();
        let (several, keys) = (datasets.len() > 1, keys.as_slice());
        let options = datasets.iter().filter(|(name, _)| is_offered(name)).flat_map(|(name, all)| {
            let on = if several { format!("on {name}, ") } else { String::new() };
            // What is chosen first, then by their names: who looks for one finds it.
            let mut all = all.clone();
            let is_chosen = |one: &ArchivedEvaluation| keys.iter().any(|key| key == one.key());
            all.sort_by_cached_key(|one| {
                (!is_chosen(one), one.system.to_lowercase(), one.profile.clone(), one.iri.clone())
            });
            all.into_iter().map(move |one| {
                let hint = format!("{on}profile {}", profile_name(&one.profile));
                FormOption::new(one.key(), &one.system, &text::html(&hint), keys)
            })
        });
        let options: Vec<FormOption> = options.take(MOST_OFFERED).collect();
        let is_cut = offered > MOST_OFFERED;
        let rest = is_cut.then(|| {
            PagePiece::text(vec![
                Words::plain(&format!("These are the first {MOST_OFFERED} of {offered}. For others: ")),
                context.link(Words::plain("results"), &Route::List(ListPage::Results)),
                Words::plain(&format!(", where a choice of two to {MOST_COMPARED} can be compared.")),
            ])
        });
        rest.into_iter().chain([PagePiece::Form(self.form(options, chosen))]).collect()
    }

    fn form(&self, options: Vec<FormOption>, chosen: &[&ArchivedEvaluation]) -> WebForm {
        let systems: BTreeSet<&str> = chosen.iter().map(|one| one.system.as_str()).collect();
        let hint = format!("Two to {MOST_COMPARED}, each with each.");
        let boxes = FieldKind::Boxes { is_one: false, options };
        let lists = [
            ("measure", "Measure", "the one that the profile ranks by", &self.measure, MEASURES.to_vec()),
            (
                "experiment",
                "Experiment type",
                "the first that all have",
                &self.experiment,
                EXPERIMENTS.into_iter().chain([EVERY]).collect(),
            ),
            ("baseline", "Compare with", "each other", &self.baseline, systems.into_iter().collect()),
            ("test", "Test", PairedTest::default().name(), &self.test, tests().split_off(1)),
        ];
        let lists = lists.map(|(name, label, usual, chosen, mut names)| {
            let chosen = chosen.as_deref();
            names.extend(chosen.filter(|one| !names.contains(one)));
            FormField::one_of((name, label), usual, chosen, names)
        });
        let evaluations = FormField::new("e", "Evaluations", &hint, boxes);
        let fields = [evaluations].into_iter().chain(lists).collect();
        WebForm {
            action: ListPage::Compare.name().to_owned(),
            is_asking: true,
            groups: vec![FormGroup { fields, ..FormGroup::default() }],
            buttons: vec![FormButton::main("Compare")],
            ..WebForm::default()
        }
    }

    /// What was compared, and the line that compares and keeps it.
    fn made(&self, context: &PageContext<'_>, chosen: &[&ArchivedEvaluation]) -> Vec<PagePiece> {
        let options = [
            ("measure", self.measure.as_deref()),
            ("experiment", self.of_type(context, chosen)),
            ("baseline", self.baseline.as_deref()),
            ("test", self.test.as_deref()),
        ];
        let options = options.into_iter().filter_map(|(name, value)| Some(option(name, value?)));
        let keys = chosen.iter().map(|one| one.key().to_owned());
        let line: Vec<String> =
            ["qassay compare".to_owned()].into_iter().chain(keys).chain(options).collect();
        vec![
            PagePiece::Facts(vec![(
                Words::plain("Evaluations"),
                chosen.iter().map(|one| context.evaluation(&one.iri)).collect(),
            )]),
            PagePiece::said(
                "Nothing of it is kept. Who has the evaluations gets the same digits, and an address that stays, by:",
            ),
            PagePiece::code("sh", &line.join(" \\\n  ")),
        ]
    }
}

/// The systems, on what.
fn heading(chosen: &[&ArchivedEvaluation]) -> String {
    let mut names: Vec<&str> = Vec::new();
    for one in chosen {
        if !names.contains(&one.system.as_str()) {
            names.push(&one.system);
        }
    }
    names.join(", ")
}

/// The names of the tests, the usual one first.
fn tests() -> Vec<&'static str> {
    PairedTest::ALL.into_iter().map(PairedTest::name).collect()
}
