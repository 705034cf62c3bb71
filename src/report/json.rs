//! The JSON of `qassay evaluate --format json`: an interface that scripts rely on, described in
//! `src/report/output.schema.json`. What a field means is told by what it is made of, in [`crate::record::results`].

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};
use serde_json::{Number, Value, json};

use crate::base::issue::Issue;
use crate::profiles::ontology::shown_name;
use crate::record::comparison::headline::{HeadlineInterval, HeadlineIntervals};
use crate::record::results::comparison::{CountedDifferently, ProfileComparison};
use crate::record::results::decimal::Decimal;
use crate::record::results::{
    GroupResults, LoadedResults, Observation, QuestionFacts, RefreshResults, RefreshedQuestion, Results,
    SetCounts, TypeResults,
};
use crate::references::ReferenceKind;
use crate::report::differences::statement;
use crate::report::evaluations::metric_value;
use crate::report::evaluations::skip_reason;
use crate::report::failed;
use crate::scoring::asked::status::RefreshStatus;
use crate::scoring::groups::{PROCESSED, is_headline};
use crate::scoring::items::origin::ItemOrigin;
use crate::scoring::skip::Skip;
use crate::scoring::traits::Peculiarity;
use crate::statistics::undefined::Undefined;

/// All evaluations with every question, where their headline measures are, and what profiles count differently, where there
/// are several. Undefined values are `null`.
pub fn evaluations<'a>(
    results: &'a [Results],
    comparisons: &'a [ProfileComparison],
    intervals: &'a HeadlineIntervals,
) -> impl Serialize + 'a {
    let several = results.iter().any(|other| other.profile.name != results[0].profile.name);
    let differences = comparisons.iter().flat_map(|comparison| {
        comparison.differences.iter().map(|difference| DifferenceView::of(comparison, difference))
    });
    PageView {
        evaluations: results.iter().map(|one| EvaluationView::of(one, intervals)).collect(),
        differences: several.then(|| differences.collect()),
    }
}

/// What the same JSON tells of all questions and of the groups of questions of each experiment type, by its name.
pub fn groups(results: &Results) -> Value {
    let of =
        |one: &TypeResults| json!({ "measures": one.all().map(measures), "groups": group_measures(one) });
    value(&NamedEntries::of(results.experiments.iter().map(|one| (one.name.clone(), of(one)))))
}

/// JSON as it is printed: indented, and with escapes for what could command a terminal.
pub fn text(view: &impl Serialize) -> String {
    crate::base::text::json(&format!("{:#}\n", value(view))).into_owned()
}

/// A view as a value, for those who put it together with others.
pub fn value(view: &impl Serialize) -> Value {
    serde_json::to_value(view).unwrap_or(Value::Null)
}

/// A map in the order of its entries. Of several entries with one name the first counts.
pub(crate) struct NamedEntries<T>(Vec<(String, T)>);

impl<T> NamedEntries<T> {
    pub(crate) fn of(entries: impl IntoIterator<Item = (String, T)>) -> Self {
        let mut once: Vec<(String, T)> = Vec::new();
        for (name, entry) in entries {
            if !once.iter().any(|(known, _)| *known == name) {
                once.push((name, entry));
            }
        }
        Self(once)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T: Serialize> Serialize for NamedEntries<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, entry)| (name, entry)))
    }
}

/// A published decimal as a JSON number: whole numbers without a point.
#[derive(Clone, Copy)]
pub(crate) struct Num<'a>(pub(crate) &'a Decimal);

impl Serialize for Num<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serde_json::from_str::<Number>(self.0.as_str()).ok().serialize(serializer)
    }
}

#[derive(Serialize)]
struct PageView<'a> {
    evaluations: Vec<EvaluationView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    differences: Option<Vec<DifferenceView<'a>>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct EvaluationView<'a> {
    evaluation: &'a str,
    dataset: &'a str,
    dataset_version: &'a str,
    system: &'a str,
    submission: &'a str,
    profile: &'a str,
    #[serde(flatten)]
    choices: ChoicesView<'a>,
    experiments: NamedEntries<TypeView<'a>>,
    skipped: NamedEntries<SkipView>,
    issues: Vec<IssueView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gold_answers: Option<RefreshView<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loading: Option<LoadedView<'a>>,
}

impl<'a> EvaluationView<'a> {
    fn of(results: &'a Results, intervals: &'a HeadlineIntervals) -> Self {
        let experiments = results.experiments.iter();
        Self {
            evaluation: &results.iri,
            dataset: &results.dataset.name,
            dataset_version: &results.dataset.iri,
            system: &results.submission.name,
            submission: &results.submission.iri,
            profile: &results.profile.name,
            choices: ChoicesView::of(results),
            experiments: NamedEntries::of(
                experiments.map(|one| (one.name.clone(), TypeView::of(results, one, intervals))),
            ),
            skipped: NamedEntries::of(
                results.skipped.iter().map(|(name, skip)| (name.clone(), SkipView::of(*skip))),
            ),
            issues: results.issues.iter().map(|(file, issue)| IssueView::of(file, issue)).collect(),
            gold_answers: results.refreshed.as_ref().map(RefreshView::of),
            loading: results.loaded.as_ref().map(LoadedView::of),
        }
    }
}

/// What was chosen beside dataset, submission and profile.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ChoicesView<'a> {
    gold: &'a str,
    #[serde(flatten)]
    chosen: NamedEntries<Value>,
    links: Vec<&'a str>,
    labels: Vec<&'a str>,
    classes: Vec<&'a str>,
    types: Vec<&'a str>,
    question_types: Vec<&'a str>,
    assessments: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    profile_file: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    executed: Option<ExecutedView<'a>>,
}

impl<'a> ChoicesView<'a> {
    pub(crate) fn of(results: &'a Results) -> Self {
        let conditions = &results.conditions;
        let iris = |kind| {
            let of_kind = results.references.iter().filter(move |(known, _)| *known == kind);
            of_kind.map(|(_, file)| file.iri.as_str()).collect()
        };
        Self {
            gold: &conditions.gold,
            chosen: NamedEntries::of(conditions.stated().map(|(choice, chosen)| {
                (choice.field.to_owned(), choice.json(&chosen.values, chosen.usual.as_deref()))
            })),
            links: iris(ReferenceKind::Links),
            labels: iris(ReferenceKind::Labels),
            classes: iris(ReferenceKind::Classes),
            types: iris(ReferenceKind::Types),
            question_types: iris(ReferenceKind::QuestionTypes),
            assessments: iris(ReferenceKind::Assessments),
            profile_file: iris(ReferenceKind::Profiles),
            executed: results.executed.as_ref().map(|executed| ExecutedView {
                answers: &executed.answers.iri,
                queries: executed.count,
                failed: executed.failed,
                undecided: executed.undecided,
            }),
        }
    }
}

#[derive(Serialize)]
struct ExecutedView<'a> {
    answers: &'a str,
    queries: usize,
    failed: usize,
    undecided: usize,
}

#[derive(Serialize)]
pub(crate) struct SkipView {
    code: &'static str,
    reason: String,
}

impl SkipView {
    pub(crate) fn of(skip: Skip) -> Self {
        Self { code: skip.code(), reason: skip_reason(skip) }
    }
}

/// An issue with its file (by checksum) and place.
#[derive(Serialize)]
pub(crate) struct IssueView<'a> {
    code: &'static str,
    severity: &'static str,
    message: &'a str,
    file: String,
    line: Option<u64>,
    question: Option<&'a str>,
    path: Option<&'a str>,
}

impl<'a> IssueView<'a> {
    pub(crate) fn of(file: &str, issue: &'a Issue) -> Self {
        Self {
            code: issue.code.name(),
            severity: issue.severity().name(),
            message: &issue.message,
            file: format!("sha256:{file}"),
            line: issue.place.line,
            question: issue.place.question.as_deref(),
            path: issue.place.path.as_deref(),
        }
    }
}

/// What a loader made of a file: how many questions are loaded, which are left out or changed.
pub fn loaded(loaded: &LoadedResults) -> Value {
    value(&LoadedView::of(loaded))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct LoadedView<'a> {
    loaded: usize,
    left_out: Vec<LeftOutView<'a>>,
    changed: Vec<ChangedView<'a>>,
}

#[derive(Serialize)]
struct LeftOutView<'a> {
    id: &'a str,
    code: &'static str,
    reason: &'static str,
    detail: Option<&'a str>,
}

#[derive(Serialize)]
struct ChangedView<'a> {
    id: &'a str,
    change: &'a str,
}

impl<'a> LoadedView<'a> {
    fn of(loaded: &'a LoadedResults) -> Self {
        let left_out = loaded.left_out.iter().map(|(id, reason, detail)| LeftOutView {
            id,
            code: reason.code(),
            reason: reason.definition(),
            detail: detail.as_deref(),
        });
        let changed = loaded.changed.iter().map(|(id, change)| ChangedView { id, change });
        Self { loaded: loaded.count, left_out: left_out.collect(), changed: changed.collect() }
    }
}

/// What became of gold answers.
#[derive(Serialize)]
pub(crate) struct RefreshView<'a> {
    gold: &'a str,
    answers: &'a str,
    counts: NamedEntries<usize>,
    queries: usize,
    same: usize,
    identical: usize,
    questions: Vec<RefreshedView<'a>>,
}

#[derive(Serialize)]
struct RefreshedView<'a> {
    id: &'a str,
    status: &'static str,
    reason: Option<&'a str>,
    added: u64,
    removed: u64,
    same: bool,
    identical: bool,
    rules: &'a [String],
}

impl<'a> RefreshView<'a> {
    pub(crate) fn of(gold: &'a RefreshResults) -> Self {
        let count = |is: fn(&RefreshedQuestion) -> bool| gold.questions.iter().filter(|one| is(one)).count();
        let questions = gold.questions.iter().map(|one| RefreshedView {
            id: &one.key,
            status: one.status.name(),
            reason: one.reason.as_deref(),
            added: one.added,
            removed: one.removed,
            same: one.is_same,
            identical: one.is_identical,
            rules: &one.rules,
        });
        Self {
            gold: &gold.iri,
            answers: &gold.answers.iri,
            counts: NamedEntries::of(
                RefreshStatus::ALL.map(|status| (status.name().to_owned(), gold.count(status))),
            ),
            queries: gold.queries(),
            same: count(|one| one.is_same),
            identical: count(|one| one.is_identical),
            questions: questions.collect(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TypeView<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    measures: Option<Measures<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    measures_processed: Option<Measures<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    headline: Option<HeadlineView<'a>>,
    groups: NamedEntries<Measures<'a>>,
    #[serde(skip_serializing_if = "NamedEntries::is_empty")]
    ties: NamedEntries<TieView<'a>>,
    #[serde(skip_serializing_if = "NamedEntries::is_empty")]
    origins: NamedEntries<NamedEntries<u64>>,
    questions: Vec<QuestionView<'a>>,
    failed: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    skipped_questions: Vec<SkippedQuestionView<'a>>,
}

impl<'a> TypeView<'a> {
    fn of(results: &'a Results, experiment: &'a TypeResults, intervals: &'a HeadlineIntervals) -> Self {
        let questions = results.questions.iter().zip(&experiment.questions);
        let observed =
            questions.filter_map(|(question, found)| Some((question, found.observed.as_ref().ok()?)));
        let skipped = experiment.skips().map(|(position, skip)| SkippedQuestionView {
            id: &results.questions[position].key,
            skip: SkipView::of(skip),
        });
        Self {
            measures: experiment.all().map(measures),
            measures_processed: experiment.group(PROCESSED).map(measures),
            headline: intervals.get(results, experiment).map(HeadlineView::of),
            groups: group_measures(experiment),
            ties: experiment.all().map_or_else(|| NamedEntries(Vec::new()), ties),
            origins: origins(experiment),
            questions: observed
                .map(|(question, observation)| QuestionView::of(question, observation))
                .collect(),
            failed: failed::of(results, experiment).map(|(question, _)| question.key.as_str()).collect(),
            skipped_questions: skipped.collect(),
        }
    }
}

/// The headline measure of an experiment type, and where it is.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HeadlineView<'a> {
    measure: String,
    cluster: &'static str,
    interval: Option<[Num<'a>; 2]>,
    interval_method: Option<&'static str>,
    no_interval: Option<&'static str>,
}

impl<'a> HeadlineView<'a> {
    fn of(one: &'a HeadlineInterval) -> Self {
        let interval = one.interval.as_ref();
        Self {
            measure: shown_name(one.metric),
            cluster: one.cluster.name(),
            interval: interval.map(|interval| [Num(&interval.low), Num(&interval.high)]),
            interval_method: interval.map(|interval| interval.method.name()),
            no_interval: one.no_interval.map(Undefined::code),
        }
    }
}

/// The metrics of a group by the names that scripts use; undefined ones are `null`.
pub(crate) type Measures<'a> = NamedEntries<Option<Num<'a>>>;

pub(crate) fn measures(group: &GroupResults) -> Measures<'_> {
    let names = group.metrics.iter().map(|(metric, _)| shown_name(*metric));
    NamedEntries::of(names.map(|name| {
        let value = metric_value(group, &name).map(Num);
        (name, value)
    }))
}

/// The metrics of the groups of questions, by their names.
fn group_measures(experiment: &TypeResults) -> NamedEntries<Measures<'_>> {
    let others = experiment.groups.iter().filter(|group| !is_headline(&group.name));
    let name = |group: &GroupResults| group.name.trim_start_matches("group-").to_owned();
    NamedEntries::of(others.map(|group| (name(group), measures(group))))
}

/// What a measure could be with ties between equal scores broken otherwise.
#[derive(Serialize)]
pub(crate) struct TieView<'a> {
    worst: Num<'a>,
    best: Num<'a>,
}

/// The measures that could be others with ties broken otherwise.
pub(crate) fn ties(group: &GroupResults) -> NamedEntries<TieView<'_>> {
    let tied =
        group.metrics.iter().filter_map(|(metric, value)| Some((metric, value.as_ref()?.ties.as_ref()?)));
    NamedEntries::of(tied.map(|(metric, ties)| {
        (metric.to_string(), TieView { worst: Num(&ties.worst), best: Num(&ties.best) })
    }))
}

/// In how many questions the items come from where, for both sides; nothing where there is only one way.
fn origins(experiment: &TypeResults) -> NamedEntries<NamedEntries<u64>> {
    let mut counts: [BTreeMap<ItemOrigin, u64>; 2] = Default::default();
    for question in &experiment.questions {
        for (counts, origin) in counts.iter_mut().zip(question.origins) {
            if let Some(origin) = origin {
                *counts.entry(origin).or_default() += 1;
            }
        }
    }
    let named = |counts: BTreeMap<ItemOrigin, u64>| {
        NamedEntries::of(counts.into_iter().map(|(origin, count)| (origin.name().to_owned(), count)))
    };
    let sides = ["gold", "system"].into_iter().zip(counts).filter(|(_, counts)| !counts.is_empty());
    NamedEntries::of(sides.map(|(side, counts)| (side.to_owned(), named(counts))))
}

#[derive(Serialize)]
struct SkippedQuestionView<'a> {
    id: &'a str,
    #[serde(flatten)]
    skip: SkipView,
}

/// The scores of a question.
#[derive(Serialize)]
pub(crate) struct QuestionView<'a> {
    id: &'a str,
    status: &'static str,
    #[serde(flatten)]
    counts: SetCounts,
    precision: Num<'a>,
    recall: Num<'a>,
    f1: Num<'a>,
    #[serde(skip_serializing_if = "NamedEntries::is_empty")]
    parts: NamedEntries<SetCounts>,
    #[serde(skip_serializing_if = "NamedEntries::is_empty")]
    measures: Measures<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ndcg: Option<Num<'a>>,
}

impl<'a> QuestionView<'a> {
    pub(crate) fn of(question: &'a QuestionFacts, observation: &'a Observation) -> Self {
        let own = observation.measures.iter();
        Self {
            id: &question.key,
            status: observation.status.name(),
            counts: observation.counts,
            precision: Num(&observation.precision),
            recall: Num(&observation.recall),
            f1: Num(&observation.f1),
            parts: NamedEntries::of(
                observation.parts.iter().map(|(part, counts)| (part.name().to_owned(), *counts)),
            ),
            measures: NamedEntries::of(
                own.map(|(metric, one)| (metric.to_string(), one.as_ref().map(|one| Num(&one.value)))),
            ),
            ndcg: observation.ndcg.as_ref().map(Num),
        }
    }
}

/// A question that profiles count differently.
#[derive(Serialize)]
struct DifferenceView<'a> {
    system: &'a str,
    experiment: &'a str,
    question: &'a str,
    counts: NamedEntries<Option<[u64; 3]>>,
    reasons: Vec<ReasonView<'a>>,
}

/// A rule that makes a difference.
#[derive(Serialize)]
pub(crate) struct ReasonView<'a> {
    profile: &'a str,
    rule: &'a str,
    statement: Option<&'static str>,
    gold: Option<&'a str>,
    system: Option<&'a str>,
}

impl<'a> ReasonView<'a> {
    pub(crate) fn of(reason: &'a Peculiarity) -> Self {
        Self {
            profile: &reason.profile,
            rule: &reason.rule,
            statement: statement(&reason.rule),
            gold: reason.example.as_ref().map(|(gold, _)| gold.as_str()),
            system: reason.example.as_ref().map(|(_, system)| system.as_str()),
        }
    }
}

impl<'a> DifferenceView<'a> {
    fn of(comparison: &'a ProfileComparison, difference: &'a CountedDifferently) -> Self {
        let numbers = |SetCounts { tp, fp, missing }| [tp, fp, missing];
        let counts = comparison.profiles.iter().cloned().zip(&difference.counts);
        Self {
            system: &comparison.system,
            experiment: &difference.experiment,
            question: &difference.question,
            counts: NamedEntries::of(counts.map(|(profile, counts)| (profile, counts.map(numbers)))),
            reasons: difference.reasons.iter().flatten().map(ReasonView::of).collect(),
        }
    }
}
