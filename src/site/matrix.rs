//! Numbers of evaluations as matrices, from summaries: systems and datasets, one a profile; of one dataset, systems and experiment
//! types, and systems and profiles.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use oxigraph::model::{Literal, Term};

use crate::base::issue::IssueCode;
use crate::base::text::counted;
use crate::base::vocab::code;
use crate::measures::definition::Unit;
use crate::measures::metric::Metric;
use crate::profiles::ontology::shown_name;
use crate::profiles::rules::EXPERIMENTS;
use crate::record::archived::{ArchivedEvaluation, profile_name};
use crate::record::comparison::meant;
use crate::record::comparison::measured::better;
use crate::record::results::decimal::Decimal;
use crate::record::summaries::{GroupSummary, NumberChoice, Summary, SummaryInterval};
use crate::report::columns::heading;
use crate::report::evaluations::{DIGITS_FOR_PEOPLE, measured_as};
use crate::scoring::groups::ALL;
use crate::site::context::PageContext;
use crate::site::page::{MatrixCell, PagePiece, Section, SheetMatrix, WordLine, Words};
use crate::statistics::ranks::Better;

/// So many systems have a row in a matrix.
const MOST_SYSTEMS: usize = 50;

/// So many digits bounds of intervals have in a cell.
const DIGITS_OF_BOUNDS: u32 = 3;

/// A number of an evaluation, over all questions.
pub(crate) struct MainNumber {
    /// The experiment type.
    pub(crate) experiment: String,
    /// The measure.
    pub(crate) metric: Metric,
    /// The value; none where it is undefined.
    exact: Option<Decimal>,
    /// The value, rounded.
    pub(crate) value: String,
    /// Between which values it is, where that is known.
    pub(crate) range: String,
    /// How many questions there are.
    pub(crate) questions: u64,
    /// Which issues say that the value may mean something else.
    pub(crate) cautions: Vec<IssueCode>,
}

/// An evaluation in a matrix.
struct Placed<'a> {
    evaluation: &'a ArchivedEvaluation,
    summary: &'a Summary,
    number: MainNumber,
}

/// The main number of an evaluation: what its profile ranks by, of its first experiment type.
pub(crate) fn main_number(context: &PageContext<'_>, evaluation: &ArchivedEvaluation) -> Option<MainNumber> {
    number(context.view.summary(&evaluation.iri)?, &NumberChoice::default())
}

pub(crate) fn number(summary: &Summary, choice: &NumberChoice) -> Option<MainNumber> {
    let (types, metric) = summary.number(choice)?;
    let group = types.group(ALL).map(GroupSummary::results);
    // Questions that were skipped are in no measure.
    let measured = group.as_ref().and_then(|group| measured_as(group, &shown_name(metric)));
    let exact = measured.map(|measured| &measured.value);
    let issues = summary.issues.keys().filter_map(|name| IssueCode::find(name));
    let gold_file = summary.is_of_gold_file().then_some(IssueCode::RepeatsGoldAnswers);
    let interval = types.interval.as_ref().filter(|_| summary.headline() == Some(metric));
    Some(MainNumber {
        experiment: types.name.clone(),
        metric,
        value: match exact {
            Some(count) if metric.measure.unit == Unit::Count => count.to_string(),
            Some(value) => value.to_fixed(DIGITS_FOR_PEOPLE),
            None => "–".to_owned(),
        },
        range: interval.zip(exact).map(range).unwrap_or_default(),
        exact: exact.cloned(),
        questions: measured.map_or_else(|| types.statuses.values().sum(), |measured| measured.sample_size),
        cautions: issues.filter(|issue| meant::concerns(*issue, &types.name)).chain(gold_file).collect(),
    })
}

/// An interval in a cell.
fn range((interval, value): (&SummaryInterval, &Decimal)) -> String {
    match &interval.bounds {
        Some(bounds) => {
            let [low, high] = bounds.each_ref().map(|bound| bound.to_fixed(DIGITS_OF_BOUNDS));
            format!("{low} – {high}")
        }
        None if interval.is_constant => format!("all {}", value.to_fixed(0)),
        None => String::new(),
    }
}

/// The evaluations that have the number that is chosen.
fn placed<'a>(
    context: &PageContext<'a>,
    shown: &[&'a ArchivedEvaluation],
    choice: &NumberChoice,
) -> Vec<Placed<'a>> {
    let place = |evaluation: &&'a ArchivedEvaluation| {
        let summary = context.view.summary(&evaluation.iri)?;
        Some(Placed { evaluation, summary, number: number(summary, choice)? })
    };
    shown.iter().filter_map(place).collect()
}

/// By the usual profile first, then in the order of their names.
fn order_of(profile: &str) -> (bool, &str, &str) {
    let name = profile_name(profile);
    (name != "qassay", name, profile)
}

/// The matrices of all profiles.
pub(crate) fn matrices(
    context: &PageContext<'_>,
    shown: &[&ArchivedEvaluation],
    choice: &NumberChoice,
) -> Vec<PagePiece> {
    let mut profiles: BTreeMap<_, Vec<Placed<'_>>> = BTreeMap::new();
    for one in placed(context, shown, choice) {
        let key = (order_of(&one.evaluation.profile), one.number.experiment.clone());
        profiles.entry(key).or_default().push(one);
    }
    let all = profiles.into_values().enumerate();
    all.flat_map(|(number, all)| by_dataset(context, number, choice, &all)).collect()
}

/// The names of systems: by the first dataset that each has a value on, the best first.
fn systems<'a>(all: &[Placed<'a>]) -> Vec<&'a str> {
    let mut ranked: Vec<&Placed<'a>> = all.iter().collect();
    ranked.sort_by_cached_key(|one| {
        let value = one.number.exact.as_ref().map(Decimal::fraction);
        let name = one.evaluation.system.as_str();
        (one.summary.dataset.as_str(), Reverse(value), name.to_lowercase(), name)
    });
    let mut known = BTreeSet::new();
    ranked.into_iter().map(|one| one.evaluation.system.as_str()).filter(|name| known.insert(*name)).collect()
}

/// A row for each system, with a cell for each column.
fn rows<C>(
    context: &PageContext<'_>,
    all: &[Placed<'_>],
    columns: &[C],
    cell: impl Fn(&str, &C) -> MatrixCell,
) -> Vec<(WordLine, Vec<MatrixCell>)> {
    let mint = context.view.archived.archive.mint();
    let row = |system: &str| {
        let name = context.link_to(Words::foreign(system), &mint.system(system));
        (vec![name], columns.iter().map(|column| cell(system, column)).collect())
    };
    systems(all).into_iter().take(MOST_SYSTEMS).map(row).collect()
}

/// What is said where not all systems have a row.
fn cut(all: &[Placed<'_>]) -> Option<Words> {
    let count = systems(all).len();
    let said = format!(" The first {MOST_SYSTEMS} of {count} systems; the table of evaluations has all.");
    (count > MOST_SYSTEMS).then(|| Words::plain(&said))
}

/// The matrix of systems and datasets of a profile, and why values have a mark.
fn by_dataset(
    context: &PageContext<'_>,
    number: usize,
    choice: &NumberChoice,
    all: &[Placed<'_>],
) -> Vec<PagePiece> {
    let Some(first) = all.first() else { return Vec::new() };
    let datasets: BTreeSet<&str> = all.iter().map(|one| one.summary.dataset.as_str()).collect();
    let datasets: Vec<(&str, Option<f64>)> =
        datasets.into_iter().map(|dataset| (dataset, best(all, dataset))).collect();
    let head = |(dataset, _): &(&str, Option<f64>)| -> WordLine {
        let here = all.iter().filter(|one| one.summary.dataset == *dataset);
        let questions = here.map(|one| one.number.questions).max();
        let words = Words::soft(&format!(" n = {}", questions.unwrap_or_default()));
        vec![context.link_to(Words::foreign(&context.version_name(dataset)), dataset), words]
    };
    let profile = first.evaluation.profile.as_str();
    let caption = [
        measure(context, first.number.metric),
        Words::plain(&format!(", {}, profile ", first.number.experiment)),
        context.link_to(Words::foreign(profile_name(profile)), profile),
        Words::plain(if number == 0 {
            ". Below a value its 95 % bootstrap interval over the questions, where there is one. The darker, the higher. ★ best of a dataset that has more than one system. A dot: not evaluated."
        } else {
            "."
        }),
    ];
    let text = |text: &str| Term::from(Literal::new_simple_literal(text));
    let given = [("profile", text(profile_name(profile))), ("experiment", text(&first.number.experiment))];
    let query = match choice.measure {
        Some(measure) => context.asked_by("measures", &[("measure", text(&shown_name(measure)))]),
        None => context.asked_by("ranking", &given),
    };
    let caption = caption.into_iter().chain(cut(all)).chain(query).collect();
    let table = SheetMatrix {
        id: format!("matrix-{}", number + 1),
        caption,
        heads: datasets.iter().map(head).collect(),
        rows: rows(context, all, &datasets, |system, (dataset, best)| {
            let is_here =
                |one: &&Placed<'_>| one.summary.dataset == *dataset && one.evaluation.system == system;
            cell(context, &all.iter().filter(is_here).collect::<Vec<_>>(), *best)
        }),
    };
    [PagePiece::Matrix(table)].into_iter().chain(warnings(context, all)).collect()
}

/// What a measure is called, with a link.
fn measure(context: &PageContext<'_>, metric: Metric) -> Words {
    context.link_to(Words::bold(&heading(metric)), &code::iri(&metric.concept()))
}

/// Why values have a mark.
fn warnings(context: &PageContext<'_>, all: &[Placed<'_>]) -> Vec<PagePiece> {
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
    said.collect()
}

/// The highest value of a dataset that has several systems, where each means what it seems to.
fn best(all: &[Placed<'_>], dataset: &str) -> Option<f64> {
    let here = all.iter().filter(|one| one.summary.dataset == dataset && one.number.cautions.is_empty());
    let here: Vec<(&str, f64)> = here
        .filter_map(|one| Some((one.evaluation.system.as_str(), one.number.value.parse().ok()?)))
        .collect();
    let systems: BTreeSet<&str> = here.iter().map(|(system, _)| *system).collect();
    let best = here.iter().map(|(_, value)| *value).max_by(f64::total_cmp)?;
    // Of what is no merit, the most is not the best.
    let is_merit = all.first().is_some_and(|one| better(one.number.metric) == Better::Higher);
    (systems.len() > 1 && best > 0.0 && is_merit).then_some(best)
}

/// A cell: the first of some evaluations, and how many there are beside it.
fn cell(context: &PageContext<'_>, here: &[&Placed<'_>], best: Option<f64>) -> MatrixCell {
    let Some(first) = here.first() else { return MatrixCell::default() };
    let number = &first.number;
    let value: Option<f64> = number.value.parse().ok();
    let more = here.len() as u64 - 1;
    let more = (more > 0).then(|| format!("and {} more", counted(more, "evaluation")));
    let range = Some(number.range.clone()).filter(|range| !range.is_empty());
    MatrixCell {
        value: Words::plain(&number.value).to(context.linker.href_of(context.route, &first.evaluation.iri)),
        below: range.into_iter().chain(more).collect::<Vec<_>>().join(", "),
        class: if number.metric.measure.unit == Unit::Count { "" } else { tint(value) },
        is_best: number.cautions.is_empty() && best.is_some() && value == best,
        is_doubtful: !number.cautions.is_empty(),
        is_state: false,
    }
}

/// The class of a colour: by tenths.
fn tint(value: Option<f64>) -> &'static str {
    const TINTS: [&str; 9] = ["h1", "h2", "h3", "h4", "h5", "h6", "h7", "h8", "h9"];
    let steps = (1_u8..=8).filter(|step| value.is_some_and(|value| value >= f64::from(*step) / 10.0 + 0.05));
    TINTS[steps.count()]
}

/// Where all that is shown is on one dataset: its systems by experiment type, and by profile, as far as there are several.
pub(crate) fn of_one_dataset(
    context: &PageContext<'_>,
    shown: &[&ArchivedEvaluation],
    choice: &NumberChoice,
) -> Vec<Section> {
    let all = placed(context, shown, &NumberChoice { experiment: None, ..choice.clone() });
    let datasets: BTreeSet<&str> = all.iter().map(|one| one.summary.dataset.as_str()).collect();
    let [dataset] = datasets.into_iter().collect::<Vec<_>>()[..] else { return Vec::new() };
    let name = context.version_name(dataset);
    let by_type = by_type(context, &all, choice.measure).map(|table| {
        let of_types = EXPERIMENTS.into_iter().flat_map(|name| {
            let choice = NumberChoice { experiment: Some(name.to_owned()), ..choice.clone() };
            placed(context, shown, &choice)
        });
        let said = warnings(context, &of_types.collect::<Vec<_>>());
        let pieces = [PagePiece::Matrix(table)].into_iter().chain(said).collect();
        let mut section = Section::new("experiment-types", "", pieces);
        section.title = Words::foreign(&format!("{name}: all experiment types")).text;
        section
    });
    let profiles = placed(context, shown, choice);
    let by_profile = by_profile(context, &profiles).map(|(number, table)| {
        let title = format!("The same answers, scored {number} ways");
        Section::new("scorings", &title, vec![PagePiece::Matrix(table)])
    });
    by_type.into_iter().chain(by_profile).collect()
}

/// The systems of a dataset by experiment type, in the usual profile of those that there are.
fn by_type(context: &PageContext<'_>, all: &[Placed<'_>], chosen: Option<Metric>) -> Option<SheetMatrix> {
    let profile = all.iter().map(|one| one.evaluation.profile.as_str()).min_by_key(|one| order_of(one))?;
    let all: Vec<&Placed<'_>> = all.iter().filter(|one| one.evaluation.profile == profile).collect();
    let scores =
        |name: &str| all.iter().any(|one| one.summary.experiments.iter().any(|types| types.name == name));
    let types: Vec<&str> = EXPERIMENTS.into_iter().filter(|name| scores(name)).collect();
    let first = all.first().filter(|_| types.len() > 1)?;
    let of_type = |system: &str, experiment: &&str| {
        let choice = NumberChoice { experiment: Some((*experiment).to_owned()), measure: chosen };
        let own: Vec<&ArchivedEvaluation> =
            all.iter().map(|one| one.evaluation).filter(|one| one.system == system).collect();
        let here = placed(context, &own, &choice);
        let skipped = || skipped(context, &own, experiment).unwrap_or_default();
        if here.is_empty() { skipped() } else { cell(context, &here.iter().collect::<Vec<_>>(), None) }
    };
    let caption = [
        measure(context, first.number.metric),
        Words::plain(", profile "),
        context.link_to(Words::foreign(profile_name(profile)), profile),
        Words::plain(". Skipped is not zero: there was nothing to compare, and the cell says why."),
    ];
    let head = |name: &&str| vec![context.link_to(Words::plain(name), &code::iri(name))];
    let placed: Vec<Placed<'_>> = placed(
        context,
        &all.iter().map(|one| one.evaluation).collect::<Vec<_>>(),
        &NumberChoice { experiment: None, measure: chosen },
    );
    Some(SheetMatrix {
        id: "matrix-types".to_owned(),
        caption: caption.into_iter().chain(cut(&placed)).collect(),
        heads: types.iter().map(head).collect(),
        rows: rows(context, &placed, &types, of_type),
    })
}

/// The cell of an experiment type in which nothing could be compared: why.
fn skipped(context: &PageContext<'_>, own: &[&ArchivedEvaluation], experiment: &str) -> Option<MatrixCell> {
    let reason = |one: &&ArchivedEvaluation| {
        let reason = context.view.summary(&one.iri)?.skipped.get(experiment)?;
        Some((one.iri.clone(), reason.clone()))
    };
    let (iri, reason) = own.iter().find_map(reason)?;
    let why = context.view.title(&code::iri(&reason)).unwrap_or(reason);
    Some(MatrixCell {
        value: Words::plain("skipped").to(context.linker.href_of(context.route, &iri)),
        below: Words::foreign(&why).text,
        is_state: true,
        ..MatrixCell::default()
    })
}

/// The systems of a dataset by profile, with how far each is from the first; and how many profiles there are.
fn by_profile(context: &PageContext<'_>, all: &[Placed<'_>]) -> Option<(usize, SheetMatrix)> {
    let mut profiles: Vec<&str> = all.iter().map(|one| one.evaluation.profile.as_str()).collect();
    profiles.sort_by_key(|profile| order_of(profile));
    profiles.dedup();
    let usual = *profiles.first().filter(|_| profiles.len() > 1)?;
    let of = |system: &str, profile: &str| -> Vec<&Placed<'_>> {
        let is_here =
            |one: &&Placed<'_>| one.evaluation.system == system && one.evaluation.profile == profile;
        all.iter().filter(is_here).collect()
    };
    let scored = |system: &str, profile: &&str| {
        let here = of(system, profile);
        let value = |of: &[&Placed<'_>]| of.first().and_then(|one| one.number.exact.clone());
        let beside = value(&of(system, usual)).zip(value(&here)).filter(|_| *profile != usual);
        let below = beside.map(|(usual, value)| difference(&usual, &value)).unwrap_or_default();
        MatrixCell { below, ..cell(context, &here, None) }
    };
    let head = |profile: &&str| -> WordLine {
        let metric = all.iter().find(|one| one.evaluation.profile == **profile).map(|one| one.number.metric);
        let metric = metric.map(|metric| Words::soft(&format!(" {}", heading(metric))));
        let name = context.link_to(Words::foreign(profile_name(profile)), profile);
        [name].into_iter().chain(metric).collect()
    };
    let first_type = if all.iter().any(|one| one.number.experiment != "QA") {
        " The experiment type is the first that each scores."
    } else {
        ""
    };
    let caption = [Words::plain(&format!(
        "What each profile ranks by, and below it how far that is from the first. The page of an evaluation says which questions differ, and why.{first_type}"
    ))];
    let table = SheetMatrix {
        id: "matrix-profiles".to_owned(),
        caption: caption.into_iter().chain(cut(all)).collect(),
        heads: profiles.iter().map(head).collect(),
        rows: rows(context, all, &profiles, scored),
    };
    Some((profiles.len(), table))
}

/// How far a value is from another one, with its sign.
fn difference(from: &Decimal, to: &Decimal) -> String {
    let (from, to) = (from.fraction(), to.fraction());
    let fixed = |larger: &_, smaller: &_| Decimal::of(&(larger - smaller)).to_fixed(DIGITS_FOR_PEOPLE);
    match to.cmp(&from) {
        std::cmp::Ordering::Equal => "=".to_owned(),
        std::cmp::Ordering::Greater => format!("+{}", fixed(&to, &from)),
        std::cmp::Ordering::Less => format!("−{}", fixed(&from, &to)),
    }
}
