//! Results of a computation.

use crate::measures::judged::Judged;
use crate::measures::metric::Metric;
use crate::measures::result::{QuestionResult, Value};
use crate::measures::sets::Counts;
use crate::profiles::Profile;
use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::choices::{CHOICES, Choice};
use crate::profiles::loaders::{Loaded, Loader};
use crate::profiles::rules::{ExperimentRules, Reading};
use crate::record::results::decimal::Decimal;
use crate::record::results::{
    Chosen, Conditions, Detail, ExecutedResults, GroupResults, IDENTICAL, InputFile, JudgedAnswer, KeptFile,
    LoadedResults, MatchedLabel, MatchedPair, Measured, Observation, ProfileFacts, QuestionFacts,
    QuestionResults, RefreshResults, RefreshedQuestion, Results, SetCounts, TieBounds, TypeResults,
};
use crate::references::ReferenceKind;
use crate::scoring::asked::kept::KeptAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::scoring::asked::wanted::has_query;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::{Experiment, Group};
use crate::scoring::skip::Skip;
use crate::sources::document::{Document, Question, Text};

impl Results {
    /// The results of an evaluation.
    pub fn of(evaluation: &Evaluation) -> Self {
        let mut results = Self::numbers_of(evaluation);
        for (experiment, found) in evaluation.experiments.iter().zip(&mut results.experiments) {
            for (position, question) in found.questions.iter_mut().enumerate() {
                if let Ok(observation) = &mut question.observed {
                    observation.matches = matches(evaluation, experiment, position);
                }
            }
        }
        results
    }

    /// The results of an evaluation without the matches of single questions, which tables do not show.
    pub fn numbers_of(evaluation: &Evaluation) -> Self {
        Self::with_detail(evaluation, Detail::Questions)
    }

    fn with_detail(evaluation: &Evaluation, detail: Detail) -> Self {
        let (dataset, submission) = (&evaluation.cases.dataset, &evaluation.cases.submission);
        let skipped = evaluation.skipped.iter().map(|(name, skip)| ((*name).to_owned(), *skip));
        let issues = evaluation.issues().map(|(file, issue)| (file.to_owned(), issue.clone()));
        let references = evaluation
            .references()
            .iter()
            .map(|reference| (reference.kind, InputFile::of(&reference.iri, "", reference.source.sha256())));
        Self {
            iri: evaluation.iri.clone(),
            digest: evaluation.digest.clone(),
            dataset: InputFile::of(&dataset.iri, &dataset.name, dataset.source.sha256()),
            submission: InputFile::of(&submission.iri, &submission.name, submission.source.sha256()),
            profile: ProfileFacts::of(evaluation.profile()),
            conditions: conditions(evaluation),
            references: references.collect(),
            refreshed: evaluation
                .cases
                .asked
                .gold
                .as_ref()
                .map(|gold| RefreshResults::of(&dataset.document, gold)),
            executed: evaluation.cases.asked.executed.as_ref().map(|executed| ExecutedResults {
                iri: executed.iri.clone(),
                answers: KeptFile::of(&executed.kept),
                count: executed.count(),
                failed: executed.failed(),
                undecided: executed.undecided(),
            }),
            loaded: is_loaded(evaluation).then(|| LoadedResults::of(&evaluation.cases.loaded)),
            questions: dataset.document.questions.iter().map(QuestionFacts::of).collect(),
            experiments: evaluation
                .experiments
                .iter()
                .map(|one| experiment(evaluation, one, detail))
                .collect(),
            skipped: skipped.collect(),
            issues: issues.collect(),
        }
    }

    /// The same with the names that its files have here: what tables and pages show.
    pub fn shown_of(evaluation: &Evaluation, detail: Detail) -> Self {
        let inputs = [&evaluation.cases.dataset.source, &evaluation.cases.submission.source]
            .into_iter()
            .chain(evaluation.references().iter().map(|reference| &reference.source))
            .chain(evaluation.cases.asked.kept().map(|(_, kept)| &kept.source));
        Self::with_detail(evaluation, detail)
            .naming_files(inputs.map(|source| (source.sha256(), source.file_name())))
    }
}

impl InputFile {
    /// A file that nobody has named.
    pub(crate) fn of(iri: &str, name: &str, sha256: &str) -> Self {
        let [iri, name, sha256] = [iri, name, sha256].map(str::to_owned);
        Self { iri, name, sha256, file_name: String::new() }
    }
}

impl KeptFile {
    fn of(kept: &KeptAnswers) -> Self {
        Self {
            iri: kept.iri.clone(),
            name: kept.name.clone(),
            sha256: kept.source.sha256().to_owned(),
            file_name: String::new(),
        }
    }
}

impl ProfileFacts {
    /// What reports say about a profile.
    pub(crate) fn of(profile: &Profile) -> Self {
        Self {
            iri: profile.iri.clone(),
            name: profile.name.clone(),
            label: profile.label.clone(),
            definition: profile.definition.clone(),
            source: profile.source.clone(),
            follows_gerbil: profile.era.is_some(),
            prefers_queries: profile.answers_from == AnswersFrom::Query,
            ranked_by: profile.ranked_by,
        }
    }
}

impl Conditions {
    /// What was chosen, with the gold answers that count.
    pub(crate) fn of(gold: &str, profile: &Profile, values: impl Fn(&Choice) -> Vec<String>) -> Self {
        let chosen = CHOICES.iter().map(|choice| Chosen {
            option: choice.option.to_owned(),
            values: values(choice),
            usual: (choice.usual)(profile).map(str::to_owned),
        });
        Self { gold: gold.to_owned(), chosen: chosen.collect() }
    }
}

fn conditions(evaluation: &Evaluation) -> Conditions {
    let (plan, profile) = (&evaluation.plan, evaluation.profile());
    let has_links = evaluation.references().iter().any(|reference| reference.kind == ReferenceKind::Links);
    let values = |choice: &Choice| choice.stated(&plan.choices, profile, has_links);
    Conditions::of(evaluation.cases.asked.origin(), profile, values)
}

/// Whether the dataset is not taken as it is.
fn is_loaded(evaluation: &Evaluation) -> bool {
    let loading = evaluation.plan.loading();
    loading.loader != Loader::Plain || loading.part.is_some()
}

impl RefreshResults {
    /// What became of the gold answers of a dataset.
    pub fn of(dataset: &Document, gold: &RefreshedGold) -> Self {
        let questions = dataset.questions.iter().zip(&gold.questions);
        let questions = questions.map(|(question, refreshed)| RefreshedQuestion {
            key: question.key.clone(),
            status: refreshed.status,
            reason: refreshed.reason.clone(),
            has_query: has_query(question),
            added: refreshed.added,
            removed: refreshed.removed,
            is_same: refreshed.is_same,
            is_identical: refreshed.is_identical,
            rules: refreshed.rules.iter().cloned().collect(),
        });
        Self { iri: gold.iri.clone(), answers: KeptFile::of(&gold.kept), questions: questions.collect() }
    }
}

impl LoadedResults {
    /// What a loader made of a dataset.
    pub fn of(loaded: &Loaded) -> Self {
        let left_out = loaded
            .left_out()
            .map(|(question, left_out)| (question.key.clone(), left_out.reason, left_out.detail.clone()));
        let changed = loaded.changes().map(|(question, what)| (question.key.clone(), what.to_owned()));
        Self { count: loaded.count(), left_out: left_out.collect(), changed: changed.collect() }
    }
}

impl QuestionFacts {
    /// A question of a dataset.
    pub(crate) fn of(question: &Question) -> Self {
        let texts =
            |texts: &[Text]| texts.iter().map(|one| (one.language.clone(), one.text.clone())).collect();
        Self { key: question.key.clone(), texts: texts(&question.texts), keywords: texts(&question.keywords) }
    }
}

impl TypeResults {
    /// What a profile says about an experiment type, with the ranks that the user chose; without results.
    pub(crate) fn empty(rules: &ExperimentRules, metrics: impl Fn(&[Metric]) -> Vec<Metric>) -> Self {
        let shown: Vec<Metric> = rules.shown_question_metrics().collect();
        Self {
            name: rules.name.clone(),
            ranks_candidates: rules.reading == Reading::Candidates,
            is_of_item_types: rules.reading == Reading::ItemTypes,
            judges: rules.judging.is_some(),
            headline: metrics(&rules.headline),
            group_headline: metrics(&rules.group_headline),
            question_headline: metrics(&shown),
            groups: Vec::new(),
            questions: Vec::new(),
        }
    }
}

fn experiment(evaluation: &Evaluation, experiment: &Experiment, detail: Detail) -> TypeResults {
    let question = |position| QuestionResults {
        origins: evaluation.origins(experiment, position),
        observed: observed(evaluation, experiment, position, detail),
    };
    TypeResults {
        groups: experiment.groups.iter().map(group).collect(),
        questions: (0..experiment.results.len()).map(question).collect(),
        ..TypeResults::empty(&experiment.rules, |metrics| evaluation.plan.metrics(metrics))
    }
}

/// The metrics of a group, as they are published.
pub(crate) fn group(group: &Group) -> GroupResults {
    let metric = |(metric, value): &(Metric, Option<Value>)| (*metric, value.as_ref().map(Measured::of));
    GroupResults { name: group.name.clone(), metrics: group.metrics.iter().map(metric).collect() }
}

impl Measured {
    /// A value as it is published.
    pub(crate) fn of(value: &Value) -> Self {
        let ties = value
            .ties
            .as_ref()
            .map(|ties| TieBounds { worst: Decimal::of(&ties.worst), best: Decimal::of(&ties.best) });
        Self { value: Decimal::of(&value.value), sample_size: value.sample_size, ties }
    }
}

impl From<Counts> for SetCounts {
    fn from(counts: Counts) -> Self {
        Self { tp: counts.true_positives(), fp: counts.false_positives(), missing: counts.false_negatives() }
    }
}

fn observed(
    evaluation: &Evaluation,
    experiment: &Experiment,
    position: usize,
    detail: Detail,
) -> Result<Observation, Skip> {
    if let Some(skip) = experiment.matching.questions[position].skip {
        return Err(skip);
    }
    // What is not skipped has a result.
    let result = experiment.results[position].as_ref().ok_or(Skip::NoItems)?;
    let measures = || {
        let values = experiment.question_values(&evaluation.plan, result).into_iter();
        values.map(|(name, value)| (name, value.as_ref().map(Measured::of))).collect()
    };
    let is_whole = detail == Detail::Questions;
    Ok(Observation {
        status: result.status,
        counts: result.counts.into(),
        precision: Decimal::of(&result.scores.precision),
        recall: Decimal::of(&result.scores.recall),
        f1: Decimal::of(&result.scores.f1),
        parts: result.parts.iter().map(|(part, counts)| (*part, (*counts).into())).collect(),
        ndcg: result.ndcg.as_ref().map(Decimal::of),
        measures: if is_whole { measures() } else { Vec::new() },
        judged: if is_whole { judged(experiment, position, result) } else { Vec::new() },
        matches: Vec::new(),
        counted_rows: evaluation.counted_rows(experiment, position),
        gold_node: evaluation.gold_node(experiment, position),
        system_node: evaluation.system_node(experiment, position),
    })
}

fn judged(experiment: &Experiment, position: usize, result: &QuestionResult) -> Vec<JudgedAnswer> {
    let given = &experiment.matching.questions[position].given;
    let answers = result.judged.iter().flat_map(Judged::answers).zip(given);
    let answer = answers.map(|(judgement, given)| JudgedAnswer {
        verdict: judgement.verdict,
        gain: judgement.gain,
        score: judgement.score.as_ref().map(Decimal::of),
        term: given.item.map(|item| experiment.matching.term(item).to_string()),
    });
    answer.collect()
}

/// The pairs of a question with scores: identical ones in the order of their terms and each once, as they are published, then the
/// others.
pub(super) fn matches(evaluation: &Evaluation, experiment: &Experiment, position: usize) -> Vec<MatchedPair> {
    let matched = &experiment.matching.questions[position];
    let pairs = matched.pairs.iter().filter(|_| matched.skip.is_none()).map(|pair| {
        let rule = &experiment.rules.steps[usize::from(pair.step)].rule;
        let gold = experiment.matching.term(matched.gold[pair.gold as usize]);
        let system = experiment.matching.term(matched.system[pair.system as usize]);
        let label = evaluation.labelled(position, rule, gold, system).map(|labelled| MatchedLabel {
            property: labelled.label.property.to_owned(),
            resource: labelled.label.resource.to_owned(),
            text: labelled.label.literal.to_string(),
            file: labelled.file.iri.clone(),
        });
        let normalisations = evaluation.normalisations(position, rule, gold, system);
        MatchedPair {
            gold: gold.to_string(),
            system: system.to_string(),
            rule: rule.clone(),
            normalisations: normalisations.into_iter().map(str::to_owned).collect(),
            label,
        }
    });
    let (mut identical, others): (Vec<_>, Vec<_>) = pairs.partition(|pair| pair.rule == IDENTICAL);
    identical.sort_unstable();
    identical.dedup();
    identical.extend(others);
    identical
}
