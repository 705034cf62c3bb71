//! Systems and datasets as a matrix, one a profile: the number that the profile ranks by, from summaries.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::{Literal, Term};

use crate::base::issue::IssueCode;
use crate::base::text::counted;
use crate::base::vocab::{code, dcat};
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::profiles::ontology::shown_name;
use crate::record::archived::{ArchivedEvaluation, profile_name};
use crate::record::comparison::meant;
use crate::report::columns::heading;
use crate::report::evaluations::{DIGITS_FOR_PEOPLE, metric_value};
use crate::scoring::groups::ALL;
use crate::site::context::PageContext;
use crate::site::page::{MatrixCell, PagePiece, SheetMatrix, WordLine, Words};

/// An evaluation in a matrix.
struct Placed<'a> {
    evaluation: &'a ArchivedEvaluation,
    dataset: &'a str,
    number: MainNumber,
}

/// The number that the profile of an evaluation ranks by, over all questions.
pub(crate) struct MainNumber {
    /// The experiment type.
    pub(crate) experiment: String,
    /// The measure.
    pub(crate) metric: Metric,
    /// The value, rounded.
    pub(crate) value: String,
    /// How many questions there are.
    pub(crate) questions: u64,
    /// Which issues say that the value may mean something else.
    pub(crate) cautions: Vec<IssueCode>,
}

/// The main number of an evaluation.
pub(crate) fn main_number(context: &PageContext<'_>, evaluation: &ArchivedEvaluation) -> Option<MainNumber> {
    let summary = context.view.summary(&evaluation.iri)?;
    let main = summary.experiments.first()?;
    let group = main.group(ALL)?.results();
    let metric = summary.ranked_by.or_else(|| Metric::named("macroF1"))?;
    let value = metric_value(&group, &shown_name(metric))
        .map_or_else(|| "–".to_owned(), |one| one.to_fixed(DIGITS_FOR_PEOPLE));
    let issues = summary.issues.keys().filter_map(|name| IssueCode::find(name));
    Some(MainNumber {
        experiment: main.name.clone(),
        metric,
        value,
        questions: main.statuses.values().sum(),
        cautions: issues.filter(|issue| meant::concerns(*issue, &main.name)).collect(),
    })
}

/// The matrices of all profiles, the usual one first, then in the order of their names.
pub(crate) fn matrices(context: &PageContext<'_>, shown: &[&ArchivedEvaluation]) -> Vec<PagePiece> {
    let mut profiles: BTreeMap<(bool, &str, &str, String), Vec<Placed<'_>>> = BTreeMap::new();
    for one in shown.iter().filter_map(|one| placed(context, one)) {
        let profile = one.evaluation.profile.as_str();
        let name = profile_name(profile);
        let key = (name != "qassay", name, profile, one.number.experiment.clone());
        profiles.entry(key).or_default().push(one);
    }
    let all = profiles.into_iter().enumerate();
    all.flat_map(|(number, ((_, _, profile, _), all))| matrix(context, number, profile, &all)).collect()
}

fn placed<'a>(context: &PageContext<'a>, evaluation: &'a ArchivedEvaluation) -> Option<Placed<'a>> {
    let summary = context.view.summary(&evaluation.iri)?;
    Some(Placed { evaluation, dataset: &summary.dataset, number: main_number(context, evaluation)? })
}

/// The matrix of a profile, and why values have a mark.
fn matrix(context: &PageContext<'_>, number: usize, profile: &str, all: &[Placed<'_>]) -> Vec<PagePiece> {
    let Some(first) = all.first() else { return Vec::new() };
    let datasets: BTreeSet<&str> = all.iter().map(|one| one.dataset).collect();
    let mut systems: Vec<&str> = all.iter().map(|one| one.evaluation.system.as_str()).collect();
    systems.sort_by_cached_key(|name| (name.to_lowercase(), *name));
    systems.dedup();
    let best: BTreeMap<&str, f64> =
        datasets.iter().filter_map(|dataset| Some((*dataset, best(all, dataset)?))).collect();
    let row = |system: &&str| {
        let name =
            context.link_to(Words::foreign(system), &context.view.archived.archive.mint().system(system));
        let cell = |dataset: &&str| {
            let is_here = |one: &&Placed<'_>| one.dataset == *dataset && one.evaluation.system == **system;
            let here: Vec<&Placed<'_>> = all.iter().filter(is_here).collect();
            cell(context, &here, best.get(dataset).copied())
        };
        (vec![name], datasets.iter().map(cell).collect())
    };
    let head = |dataset: &&str| -> WordLine {
        let whole = context.view.records().text(dataset, dcat::IS_VERSION_OF).unwrap_or(dataset);
        let name = context.view.title(whole).unwrap_or_default();
        let questions =
            all.iter().filter(|one| one.dataset == *dataset).map(|one| one.number.questions).max();
        let words = Words::soft(&format!(" n = {}", questions.unwrap_or_default()));
        vec![context.link_to(Words::foreign(&name), dataset), words]
    };
    let caption = [
        context
            .link_to(Words::bold(&heading(first.number.metric)), &code::iri(&first.number.metric.concept())),
        Words::plain(&format!(", {}, profile ", first.number.experiment)),
        context.link_to(Words::foreign(profile_name(profile)), profile),
        Words::plain(
            ". The darker, the higher. ★ best of a dataset that has more than one system. A dot: not evaluated.",
        ),
    ];
    let text = |text: &str| Term::from(Literal::new_simple_literal(text));
    let given = [("profile", text(profile_name(profile))), ("experiment", text(&first.number.experiment))];
    let caption = caption.into_iter().chain(context.asked_by("ranking", &given)).collect();
    let table = SheetMatrix {
        id: format!("matrix-{}", number + 1),
        caption,
        heads: datasets.iter().map(head).collect(),
        rows: systems.iter().map(row).collect(),
    };
    let mut cautions: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for one in all {
        for issue in &one.number.cautions {
            cautions.entry(issue.name()).or_default().insert(&one.evaluation.system);
        }
    }
    let said = cautions.into_iter().map(|(name, systems)| {
        let concept = format!("issue-{name}");
        let words = context.view.title(&code::iri(&concept)).unwrap_or_else(|| name.to_owned());
        let systems: Vec<&str> = systems.into_iter().collect();
        PagePiece::Banner(vec![
            Words::plain("Values with this mark may mean something else, and take no part in ★: "),
            context.concept(&concept, &words),
            Words::foreign(&format!(" ({}).", systems.join(", "))),
        ])
    });
    [PagePiece::Matrix(table)].into_iter().chain(said).collect()
}

/// The highest value of a dataset that has several systems, where each means what it seems to.
fn best(all: &[Placed<'_>], dataset: &str) -> Option<f64> {
    let here = all.iter().filter(|one| one.dataset == dataset && one.number.cautions.is_empty());
    let here: Vec<(&str, f64)> = here
        .filter_map(|one| Some((one.evaluation.system.as_str(), one.number.value.parse().ok()?)))
        .collect();
    let systems: BTreeSet<&str> = here.iter().map(|(system, _)| *system).collect();
    let best = here.iter().map(|(_, value)| *value).max_by(f64::total_cmp)?;
    (systems.len() > 1 && best > 0.0).then_some(best)
}

/// A cell: the first evaluation of a system on a dataset, and how many there are beside it.
fn cell(context: &PageContext<'_>, here: &[&Placed<'_>], best: Option<f64>) -> MatrixCell {
    let Some(first) = here.first() else { return MatrixCell::default() };
    let value: Option<f64> = first.number.value.parse().ok();
    let is_best = first.number.cautions.is_empty() && best.is_some() && value == best;
    let more = here.len() as u64 - 1;
    MatrixCell {
        value: Words::plain(&first.number.value)
            .to(context.linker.href_of(context.route, &first.evaluation.iri)),
        below: if more > 0 { format!("and {} more", counted(more, "evaluation")) } else { String::new() },
        class: if first.number.metric.measure.unit == Unit::Count { "" } else { tint(value) },
        is_best,
        is_doubtful: !first.number.cautions.is_empty(),
    }
}

/// The class of a colour: by tenths.
fn tint(value: Option<f64>) -> &'static str {
    const TINTS: [&str; 9] = ["h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9"];
    let steps = (1_u8..=8).filter(|step| value.is_some_and(|value| value >= f64::from(*step) / 10.0 + 0.05));
    TINTS[steps.count()]
}
