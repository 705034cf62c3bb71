//! Results as the published graphs tell them.
//!
//! Numbers, matches, statuses, reasons and issues are statements of the graphs. From the ontology come what a profile
//! shows and its undefined metrics, which are absent from graphs. From the kept files come what graphs, being sets, do not
//! keep: the texts of questions in their order, grades of ranked answers, what a loader did to single questions, and by
//! which rules refreshed answers equal the curated ones.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::base::error::{Error, Result};
use crate::base::iri;
use crate::base::issue::{Issue, IssueCode, Place};
use crate::base::rdf::wanted::StatementFilter;
use crate::base::vocab::{dcat, dct, prov, qassay, qb, schema};
use crate::kb::snapshot::AnswerSnapshot;
use crate::measures::metric::{Metric, at_ranks};
use crate::profiles::Profile;
use crate::profiles::choices::{Choices, Form};
use crate::profiles::gold_rules::LimitTies;
use crate::profiles::loaders::{Loader, Loading, load};
use crate::profiles::ontology::Facts;
use crate::profiles::rules::{EXPERIMENTS, ExperimentRules};
use crate::record::results::kept::{KeptDataset, KeptGraphs, used_as};
use crate::record::results::observed::Observed;
use crate::record::results::said::{absent, decimal, number, said, skip};
use crate::record::results::{
    Conditions, ExecutedResults, GroupResults, InputFile, KeptFile, LoadedResults, Measured, ProfileFacts,
    QuestionFacts, RefreshResults, RefreshedQuestion, Results, TieBounds, TypeResults,
};
use crate::references::ReferenceKind;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::scoring::asked::status::RefreshStatus;
use crate::scoring::asked::wanted::has_query;
use crate::scoring::groups::{ALL, PROCESSED};
use crate::scoring::skip::Skip;
use crate::sources::document::Document;
use crate::sources::input::Input;

/// What is read in the graphs of inputs, and of answers to their queries: most of these are answers, texts and queries.
const READ_OF_INPUTS: [&str; 14] = [
    qassay::ADDED_ANSWERS,
    qassay::ANNOTATED_PROPERTY,
    qassay::ANNOTATED_RESOURCE,
    qassay::ANSWER_ITEM_TYPE,
    qassay::ANSWER_STATUS,
    qassay::ANSWER_TYPE,
    qassay::FOR_QUESTION,
    qassay::IN_SUBMISSION,
    qassay::INFERRED_TYPE,
    qassay::QUERY_FORM,
    qassay::REFRESH_REASON,
    qassay::REFRESH_STATUS,
    qassay::REMOVED_ANSWERS,
    qassay::UNDECIDED_REASON,
];

impl Results {
    /// The results of an evaluation as an archive has them. Nothing is scored again.
    ///
    /// They are those of the computation but for what no graph tells, see [`Results::published`].
    pub fn read(kept: &KeptGraphs<'_>, evaluation: &str) -> Result<Self> {
        Published::read(kept, evaluation, &|_, _| true)?.results(&ReadParts::All)
    }

    /// The same of an evaluation on a dataset that was read before, without what comparisons do not need: the matches of
    /// single questions, and where their items come from.
    pub fn read_numbers(kept: &KeptGraphs<'_>, evaluation: &str, dataset: KeptDataset) -> Result<Self> {
        let matches = format!("{evaluation}/match/");
        let is_wanted = |subject: &str, predicate: &str| {
            predicate != qassay::IDENTICAL_MATCH && !subject.starts_with(&matches)
        };
        Published::read(kept, evaluation, &is_wanted)?.results(&ReadParts::Numbers(dataset))
    }

    /// The same of one question only, without groups: what its explanation needs.
    ///
    /// # Errors
    /// Where there is no such question, and as [`Results::read`].
    pub fn read_question(kept: &KeptGraphs<'_>, evaluation: &str, question: &str) -> Result<Self> {
        let segment = iri::segment(question);
        let is_wanted =
            |subject: &str, _: &str| match subject.strip_prefix(evaluation).map(|rest| rest.split('/')) {
                Some(mut parts) => match parts.nth(1) {
                    Some("obs" | "match" | "judgement") => parts.nth(1) == Some(&segment),
                    Some("skipped") => parts.nth(1).is_none_or(|key| key == segment),
                    Some("agg") => false,
                    _ => true,
                },
                None => true,
            };
        Published::read(kept, evaluation, &is_wanted)?.results(&ReadParts::Question(question))
    }
}

/// An evaluation in its graphs.
struct Published<'a> {
    kept: &'a KeptGraphs<'a>,
    /// Its scores, matches and provenance.
    facts: Facts,
    evaluation: &'a str,
    execution: String,
}

/// What is read of an evaluation.
enum ReadParts<'a> {
    /// All of it.
    All,
    /// One question.
    Question(&'a str),
    /// The numbers, on a dataset that was read before.
    Numbers(KeptDataset),
}

impl<'a> Published<'a> {
    fn read(kept: &'a KeptGraphs<'a>, evaluation: &'a str, is_wanted: &StatementFilter<'_>) -> Result<Self> {
        let (facts, execution) = kept.evaluation(evaluation, is_wanted)?;
        Ok(Self { kept, facts, evaluation, execution })
    }

    fn results(mut self, parts: &ReadParts<'_>) -> Result<Results> {
        let dataset = self.input(qassay::DATASET_VERSION, |records, iri| {
            records.text(records.text(iri, dcat::IS_VERSION_OF)?, dct::TITLE)
        })?;
        let submission = self.input(qassay::SUBMISSION, |records, iri| {
            records.text(records.text(iri, qassay::SYSTEM)?, schema::NAME)
        })?;
        let references = self.references()?;
        let profile = self.kept.profile(self.said(self.evaluation, qassay::POLICY)?, &references)?;
        let has_links = references.iter().any(|(kind, _)| *kind == ReferenceKind::Links);
        let choices = self.choices();
        let conditions = self.conditions(&choices, &profile, has_links);
        self.add_graphs(&[qassay::REFRESHED_GOLD, qassay::EXECUTED_ANSWERS])?;
        let KeptDataset { mut document, format } = match parts {
            ReadParts::Numbers(known) => known.clone(),
            ReadParts::All | ReadParts::Question(_) => {
                self.add_graphs(&[qassay::DATASET_VERSION, qassay::SUBMISSION])?;
                self.kept.dataset(&dataset.sha256)?
            }
        };
        let mut refreshed = self.refreshed(&dataset, &document, profile.gold.limit_ties)?;
        if let ReadParts::Question(only) = *parts {
            if !document.questions.iter().any(|question| question.key == only) {
                let keys = document.questions.iter().map(|known| known.key.as_str());
                return Err(no_question(&dataset.name, only, keys));
            }
            Arc::make_mut(&mut document).questions.retain(|question| question.key == only);
            let questions = refreshed.iter_mut().map(|gold| &mut gold.questions);
            questions.for_each(|questions| questions.retain(|question| question.key == only));
        }
        let executed = self.executed()?;
        let label_files: Vec<&str> = references
            .iter()
            .filter(|(kind, _)| *kind == ReferenceKind::Labels)
            .map(|(_, file)| file.iri.as_str())
            .collect();
        let observed = Observed::new(
            &self.facts,
            &profile,
            (&dataset.iri, &submission.iri),
            &document,
            refreshed.as_ref(),
            label_files,
            self.kept.mint.model().match_source(),
        );
        let metrics = |of_profile: &[Metric]| at_ranks(of_profile, &choices.cutoffs);
        let experiments = self.scored(&profile).map(|rules| {
            Ok(TypeResults {
                groups: self.groups(rules, &metrics(&rules.metrics))?,
                questions: observed.questions(rules, &metrics(&rules.question_metrics))?,
                ..TypeResults::empty(rules, metrics)
            })
        });
        let experiments = experiments.collect::<Result<_>>()?;
        let questions = document.questions.iter().map(QuestionFacts::of).collect();
        let loaded = Self::loaded(choices.loading(&profile), &document, format.name)?;
        Ok(Results {
            iri: self.evaluation.to_owned(),
            digest: self.said(self.evaluation, qassay::INPUT_DIGEST)?.to_owned(),
            profile: ProfileFacts::of(&profile),
            questions,
            experiments,
            skipped: self.skipped()?,
            issues: self.issues()?,
            dataset,
            submission,
            conditions,
            references,
            refreshed,
            executed,
            loaded,
        })
    }

    /// What a subject must say.
    fn said(&self, subject: &str, predicate: &str) -> Result<&str> {
        said(&self.facts, subject, predicate)
    }

    /// The file behind an input, with the name that its record has.
    fn input<'s>(
        &'s self,
        property: &str,
        name: impl FnOnce(&'s Facts, &str) -> Option<&'s str>,
    ) -> Result<InputFile> {
        let iri = self.said(self.evaluation, property)?;
        let name = name(&self.kept.records, iri).unwrap_or_default();
        Ok(InputFile::of(iri, name, self.sha256(iri)?))
    }

    /// The checksum of the file that something is made of.
    fn sha256(&self, iri: &str) -> Result<&str> {
        let identifier = said(&self.kept.records, iri, dct::IDENTIFIER)?;
        Ok(identifier.trim_start_matches("sha256:"))
    }

    /// The local names of the concepts that the evaluation has as objects, without a beginning.
    fn codes<'s>(&'s self, predicate: &str, beginning: &'s str) -> impl Iterator<Item = &'s str> {
        self.facts.codes(self.evaluation, predicate).filter_map(move |code| code.strip_prefix(beginning))
    }

    /// The choices as the evaluation states them.
    fn choices(&self) -> Choices {
        Choices::read(|choice| match choice.form {
            Form::Concept(beginning) => self.codes(choice.property, beginning).collect(),
            Form::Text | Form::Integer => self.facts.texts(self.evaluation, choice.property).collect(),
        })
    }

    fn conditions(&self, choices: &Choices, profile: &Profile, has_links: bool) -> Conditions {
        let gold = self.codes(qassay::GOLD_ORIGIN, "gold-").next().unwrap_or_default();
        Conditions::of(gold, profile, |choice| choice.stated(choices, profile, has_links))
    }

    fn references(&self) -> Result<Vec<(ReferenceKind, InputFile)>> {
        let of_kind = |kind: ReferenceKind| {
            self.facts.texts(self.evaluation, kind.property()).map(move |iri| (kind, iri))
        };
        let all = ReferenceKind::ALL.into_iter().flat_map(of_kind);
        let files = all.map(|(kind, iri)| Ok((kind, InputFile::of(iri, "", self.sha256(iri)?))));
        let mut files = files.collect::<Result<Vec<_>>>()?;
        files.sort_by(|(_, a), (_, b)| a.iri.cmp(&b.iri));
        Ok(files)
    }

    /// Adds the graphs of inputs that the evaluation has, by the properties that name them.
    fn add_graphs(&mut self, properties: &[&str]) -> Result<()> {
        let inputs = properties.iter().filter_map(|property| self.facts.text(self.evaluation, property));
        let graphs: Vec<String> = inputs.map(|input| self.kept.mint.graph_of(input)).collect();
        let is_wanted = |_: &str, predicate: &str| READ_OF_INPUTS.contains(&predicate);
        graphs.iter().try_for_each(|graph| self.kept.add_graph(&mut self.facts, graph, &is_wanted))
    }

    /// The answer snapshot behind answers: what they were derived from beside a file.
    fn kept_file(&self, answers: &str, role: &str, input: &str) -> Result<KeptFile> {
        let mut sources = self.kept.records.texts(answers, prov::WAS_DERIVED_FROM);
        let iri = sources.find(|iri| *iri != input).unwrap_or_default();
        let name = answers.rsplit('/').next().unwrap_or_default();
        let name = name.split_once('~').map_or(name, |(name, _)| name);
        let sha256 =
            used_as(&self.facts, &self.execution, role).ok_or_else(|| absent(&self.execution, role))?;
        let [iri, name, sha256] = [iri, name, sha256].map(str::to_owned);
        Ok(KeptFile { iri, name, sha256, file_name: String::new() })
    }

    fn refreshed(
        &self,
        dataset: &InputFile,
        document: &Document,
        limit_ties: LimitTies,
    ) -> Result<Option<RefreshResults>> {
        let Some(gold) = self.facts.text(self.evaluation, qassay::REFRESHED_GOLD) else { return Ok(None) };
        let answers = self.kept_file(gold, "role-gold-answers", &dataset.iri)?;
        let mut results = RefreshResults { iri: gold.to_owned(), answers, questions: Vec::new() };
        let compared = self.compared((dataset, limit_ties), &results.answers)?;
        let questions = document.questions.iter().zip(compared.questions).map(|(question, compared)| {
            let node = iri::refreshed_gold(&iri::question(&dataset.iri, &question.key), results.name());
            let status = self.facts.codes(&node, qassay::REFRESH_STATUS).next();
            let status = status.and_then(|code| RefreshStatus::find(code.strip_prefix("refresh-")?));
            Ok(RefreshedQuestion {
                key: question.key.clone(),
                status: status.ok_or_else(|| absent(&node, qassay::REFRESH_STATUS))?,
                reason: self.facts.text(&node, qassay::REFRESH_REASON).map(str::to_owned),
                has_query: has_query(question),
                added: number(self.said(&node, qassay::ADDED_ANSWERS)?, &node)?,
                removed: number(self.said(&node, qassay::REMOVED_ANSWERS)?, &node)?,
                is_same: compared.is_same,
                is_identical: compared.is_identical,
                rules: compared.rules.into_iter().collect(),
            })
        });
        results.questions = questions.collect::<Result<_>>()?;
        Ok(Some(results))
    }

    /// The refreshed answers beside the curated ones, from the kept answers: by which rules they are the same, no graph
    /// tells.
    fn compared(
        &self,
        (dataset, limit_ties): (&InputFile, LimitTies),
        answers: &KeptFile,
    ) -> Result<RefreshedGold> {
        let mint = &self.kept.mint;
        let dataset = Arc::new(Input::dataset(self.kept.source(&dataset.sha256)?, mint)?);
        let snapshot = AnswerSnapshot::read(&self.kept.source(&answers.sha256)?)?;
        let answered_by = || snapshot.answered_by.clone();
        RefreshedGold::ask(mint, (&dataset, limit_ties), &snapshot, answered_by, NonZeroUsize::MIN, &|_| {})
    }

    fn executed(&self) -> Result<Option<ExecutedResults>> {
        let Some(executed) = self.facts.text(self.evaluation, qassay::EXECUTED_ANSWERS) else {
            return Ok(None);
        };
        let submission = self.said(self.evaluation, qassay::SUBMISSION)?;
        let below = format!("{executed}/a/");
        let is_answer = |node: &&str| node.starts_with(&below) && !node[below.len()..].contains('/');
        let nodes: Vec<&str> = self.facts.subjects().filter(is_answer).collect();
        let has_failed = |node: &&&str| {
            let mut status = self.facts.codes(node, qassay::ANSWER_STATUS);
            status.any(|status| status == "status-error" || status == "status-timeout")
        };
        let is_undecided = |node: &&&str| self.facts.text(node, qassay::UNDECIDED_REASON).is_some();
        Ok(Some(ExecutedResults {
            iri: executed.to_owned(),
            answers: self.kept_file(executed, "role-executed-answers", submission)?,
            count: nodes.len(),
            failed: nodes.iter().filter(has_failed).count(),
            undecided: nodes.iter().filter(is_undecided).count(),
        }))
    }

    /// What the loader makes of the kept file: skipped questions say why, but not in detail.
    fn loaded(loading: Loading<'_>, document: &Arc<Document>, format: &str) -> Result<Option<LoadedResults>> {
        if loading.loader == Loader::Plain && loading.part.is_none() {
            return Ok(None);
        }
        load(document, format, loading).map(|loaded| Some(LoadedResults::of(&loaded)))
    }

    /// The rules of the experiment types that were scored.
    fn scored<'p>(&self, profile: &'p Profile) -> impl Iterator<Item = &'p ExperimentRules> {
        let slice = |rules: &&ExperimentRules| {
            let slice = format!("{}/slice/{}", self.evaluation, rules.name);
            self.facts.all(&slice, qb::SLICE_STRUCTURE).next().is_some()
        };
        profile.experiments.iter().map(AsRef::as_ref).filter(slice)
    }

    /// The groups of an experiment type that has these metrics, as [`membership`] orders them. What is not stated is
    /// undefined.
    ///
    /// [`membership`]: crate::scoring::groups::membership
    fn groups(&self, rules: &ExperimentRules, metrics: &[Metric]) -> Result<Vec<GroupResults>> {
        let mut found: BTreeMap<(bool, bool, &str), BTreeMap<&str, Measured>> = BTreeMap::new();
        let key = |group| (group != ALL, group != PROCESSED, group);
        found.entry(key(ALL)).or_default();
        let below = format!("{}/agg/{}/", self.evaluation, rules.name);
        for node in self.facts.subjects().filter(|subject| subject.starts_with(&below)) {
            let code =
                |property| self.facts.codes(node, property).next().ok_or_else(|| absent(node, property));
            let (group, metric) = (code(qassay::QUESTION_GROUP)?, code(qassay::METRIC)?);
            found.entry(key(group)).or_default().insert(metric, self.measured(node)?);
        }
        let group = |((_, _, name), mut measured): ((bool, bool, &str), BTreeMap<&str, Measured>)| {
            let metrics =
                metrics.iter().map(|metric| (*metric, measured.remove(metric.to_string().as_str())));
            GroupResults { name: name.to_owned(), metrics: metrics.collect() }
        };
        Ok(found.into_iter().map(group).collect())
    }

    fn measured(&self, node: &str) -> Result<Measured> {
        let decimal = |property| decimal(&self.facts, node, property);
        let ties = match self.facts.text(node, qassay::WORST_VALUE) {
            Some(_) => {
                Some(TieBounds { worst: decimal(qassay::WORST_VALUE)?, best: decimal(qassay::BEST_VALUE)? })
            }
            None => None,
        };
        let sample_size = number(self.said(node, qassay::SAMPLE_SIZE)?, node)?;
        Ok(Measured { value: decimal(qassay::VALUE)?, sample_size, ties })
    }

    /// The experiment types without scores.
    fn skipped(&self) -> Result<Vec<(String, Skip)>> {
        let nodes = EXPERIMENTS.into_iter().map(|name| (name, iri::skipped(self.evaluation, name)));
        let skipped = nodes.filter(|(_, node)| self.facts.text(node, qassay::SKIP_REASON).is_some());
        skipped.map(|(name, node)| Ok((name.to_owned(), skip(&self.facts, &node)?))).collect()
    }

    /// What was noticed, in the order of the execution.
    fn issues(&self) -> Result<Vec<(String, Issue)>> {
        let nodes = self.facts.texts(&self.execution, qassay::ISSUE);
        let place = |node: &str| node.rsplit('-').next().and_then(|number| number.parse::<u64>().ok());
        let mut nodes: Vec<&str> = nodes.collect();
        nodes.sort_by_key(|node| place(node));
        nodes.into_iter().map(|node| self.issue(node)).collect()
    }

    fn issue(&self, node: &str) -> Result<(String, Issue)> {
        let name = self.facts.codes(node, dct::TYPE).next().and_then(|code| code.strip_prefix("issue-"));
        let kind = name.and_then(IssueCode::find).ok_or_else(|| absent(node, dct::TYPE))?;
        let text = |property| self.facts.text(node, property);
        let place = Place {
            line: text(qassay::LINE).map(|line| number(line, node)).transpose()?,
            question: text(qassay::QUESTION_ID).map(str::to_owned),
            path: text(qassay::PATH).map(str::to_owned),
        };
        let file = self.said(node, qassay::IN_FILE)?.rsplit('/').next().unwrap_or_default();
        // A message that quotes inputs is in a graph of its own.
        let message = text(qassay::MESSAGE).map_or_else(|| self.said(node, dct::DESCRIPTION), Ok)?;
        Ok((file.to_owned(), Issue::new(kind, &place, message)))
    }
}

/// The error where a dataset with questions of these keys has not the one that is wanted.
pub(super) fn no_question<'a>(
    dataset: &str,
    question: &str,
    keys: impl ExactSizeIterator<Item = &'a str>,
) -> Error {
    let count = keys.len();
    let first: Vec<&str> = keys.take(10).collect();
    Error::input(format!("the dataset {dataset} has no question `{question}`"))
        .allowed(format!("{}, … ({count} questions)", first.join(", ")))
}
