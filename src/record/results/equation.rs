//! The equation: results of a computation are those that its published graphs tell.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::*;
use crate::base::clock::Instant;
use crate::base::iri::Mint;
use crate::base::watch::Silent;
use crate::kb::allowance::Asking;
use crate::kb::answered_by::AnsweredBy;
use crate::kb::ask::Limits;
use crate::kb::testing::TestKb;
use crate::profiles::Profile;
use crate::profiles::answers_from::AnswersFrom;
use crate::profiles::choices::Choices;
use crate::profiles::loaders::{Loader, Part};
use crate::profiles::same_as::Mode;
use crate::record::keep::{Keeper, digests};
use crate::record::publish::provenance::Execution;
use crate::record::results::comparison::{CountedDifferently, ProfileComparison};
use crate::record::results::explanation::Explanation;
use crate::record::results::kept::KeptGraphs;
use crate::record::results::published_sides::PublishedSides;
use crate::references::ReferenceInput;
use crate::scoring::asked::KbAnswers;
use crate::scoring::asked::executed::ExecutedAnswers;
use crate::scoring::asked::refreshed::RefreshedGold;
use crate::scoring::block::QUESTIONS;
use crate::scoring::cases::Cases;
use crate::scoring::evaluation::Evaluation;
use crate::scoring::experiment::Experiment;
use crate::scoring::groups::Grouping;
use crate::scoring::plan::Plan;
use crate::sources::archive::Archive;
use crate::sources::file::source::Source;
use crate::sources::input::Input;
use crate::sources::input::answer::Item;
use crate::sources::input::term;

/// What is evaluated.
struct Golden {
    gold: Source,
    answers: Source,
    references: Vec<(ReferenceKind, Source)>,
    choices: Choices,
    /// The triples that queries are run on.
    triples: Option<&'static str>,
}

impl Golden {
    fn new(gold: Source, answers: Source) -> Self {
        Self { gold, answers, references: Vec::new(), choices: Choices::default(), triples: None }
    }

    fn with(mut self, kind: ReferenceKind, text: &str) -> Self {
        self.references.push((kind, source("reference", text)));
        self
    }

    /// An evaluation with a profile.
    fn evaluation(&self, mint: &Mint, profile: &str) -> Evaluation {
        self.in_blocks(mint, profile, QUESTIONS)
    }

    fn in_blocks(&self, mint: &Mint, profile: &str, size: usize) -> Evaluation {
        let profile = Arc::new(Profile::find(profile).unwrap());
        let references = self
            .references
            .iter()
            .map(|(kind, source)| Arc::new(ReferenceInput::open(*kind, source.clone(), mint).unwrap()));
        let references: Vec<_> = references.collect();
        let dataset = Arc::new(Input::dataset(self.gold.clone(), mint).unwrap());
        let submission = Input::submission(self.answers.clone(), Some("A system".to_owned()), mint);
        let submission = Arc::new(submission.unwrap());
        let choices = Arc::new(self.choices.clone());
        let plan = Arc::new(Plan::new(Arc::clone(&profile), choices, &references).unwrap());
        let asked = self.triples.map(|triples| asked(mint, &dataset, &submission, &profile, triples));
        let asked = asked.unwrap_or_default();
        let cases = Cases::new(dataset, submission, &plan, asked).unwrap();
        Evaluation::in_blocks(mint, cases, plan, Grouping::Shown, (size, &Silent)).unwrap()
    }

    /// Computes and keeps an evaluation with a profile, and compares.
    #[track_caller]
    fn check(&self, profile: &str) -> Results {
        let (mint, folder) = (Mint::default(), TempDir::new().unwrap());
        let archive = Archive::create(folder.path()).unwrap();
        let evaluation = self.evaluation(&mint, profile);
        keep(&archive, &evaluation);
        let computed = Results::of(&evaluation);
        let kept = KeptGraphs::open(&archive).unwrap();
        let read = Results::read(&kept, &evaluation.iri).unwrap();
        assert_same(&computed.clone().published(), &read);
        let dataset = kept.dataset(&read.dataset.sha256).unwrap();
        let numbers = Results::read_numbers(&kept, &evaluation.iri, dataset).unwrap();
        assert_same(&without_items(read), &without_origins(numbers));
        let text = serde_json::to_string(&computed).unwrap();
        assert_eq!(serde_json::from_str::<Results>(&text).unwrap(), computed);
        explanations_are_the_same(&evaluation, &computed, &kept);
        assert_eq!(
            checksums(&mint, &evaluation),
            checksums(&mint, &self.in_blocks(&mint, profile, 1)),
            "a question alone"
        );
        computed
    }

    /// Compares profiles in a computation and in an archive. What the first counts differently, with the reasons that are
    /// read back.
    #[track_caller]
    fn compare(&self, profiles: &[&str]) -> Vec<CountedDifferently> {
        let (mint, folder) = (Mint::default(), TempDir::new().unwrap());
        let archive = Archive::create(folder.path()).unwrap();
        let evaluations = profiles.iter().map(|profile| self.evaluation(&mint, profile));
        let evaluations: Vec<Evaluation> = evaluations.collect();
        for evaluation in &evaluations {
            keep(&archive, evaluation);
        }
        let computed: Vec<Results> =
            evaluations.iter().map(|one| Results::shown_of(one, Detail::Overview)).collect();
        let mut computed = ProfileComparison::of(&evaluations, &computed).unwrap();
        let kept = KeptGraphs::open(&archive).unwrap();
        let read = evaluations.iter().map(|evaluation| Results::read(&kept, &evaluation.iri).unwrap());
        let mut read = ProfileComparison::read(&kept, &read.collect::<Vec<_>>()).unwrap();
        let found = read[0].differences.clone();
        // What GERBIL does no graph tells, but which questions it counts differently.
        if evaluations.iter().any(|evaluation| evaluation.profile().era.is_some()) {
            for (computed, read) in computed[0].differences.iter_mut().zip(&mut read[0].differences) {
                assert!(computed.reasons.is_some());
                if read.reasons.is_none() {
                    computed.reasons = None;
                }
            }
        }
        assert_same(&computed, &read);
        found
    }
}

/// The checksums of the graphs, scores first.
pub(super) fn checksums(mint: &Mint, evaluation: &Evaluation) -> Vec<String> {
    let graphs = digests(mint, evaluation).unwrap();
    graphs.iter().map(|(_, graph)| graph.sha256.clone()).collect()
}

fn is_of_cells(experiment: &Experiment) -> bool {
    experiment.rules.reading.is_of_cells()
}

/// Whether the graphs of a question tell all rows: no boolean, and no row of one cell twice.
fn tells_rows(evaluation: &Evaluation, key: &str) -> bool {
    let mut cases = evaluation.cases.iter();
    let case = cases.find(|case| case.gold.question.key == key).unwrap();
    let sides = [Some(case.gold.question), case.system.map(|answer| answer.question)];
    sides.into_iter().flatten().all(|question| {
        let sets = &question.answers.sets;
        let rows = sets.iter().flat_map(|set| &set.rows).filter(|row| row.cells.len() == 1);
        let values: Vec<&str> = rows.map(|row| row.cells[0].value.as_str()).collect();
        let once: BTreeSet<&str> = values.iter().copied().collect();
        sets.iter().all(|set| set.boolean.is_none()) && once.len() == values.len()
    })
}

/// Explains every question in every experiment type both ways. What no graph tells is told by the computation only.
#[track_caller]
fn explanations_are_the_same(evaluation: &Evaluation, computed: &Results, kept: &KeptGraphs<'_>) {
    // No other items are unpublished: a reader that never tells any would be found here.
    let has = |kind| evaluation.references().iter().any(|file| file.kind == kind);
    let is_told = evaluation.profile().era.is_none()
        && computed.loaded.is_none()
        && !has(ReferenceKind::Types)
        && !has(ReferenceKind::Assessments);
    // Of many questions some are enough, others for each evaluation: the test must end.
    let step = 1 + computed.questions.len() / 4;
    let first = evaluation.iri.bytes().fold(0, |sum, byte| sum + usize::from(byte)) % step;
    for question in computed.questions.iter().skip(first).step_by(step) {
        let read = Results::read_question(kept, &evaluation.iri, &question.key).unwrap();
        let sides = PublishedSides::open(kept, &read, &question.key).unwrap();
        for experiment in &computed.experiments {
            let read = sides.explanation(&experiment.name, &question.key).unwrap();
            let computed = Explanation::of(evaluation, computed, &experiment.name, &question.key).unwrap();
            let mut expected = computed;
            expected.results.forget_unpublished(experiment.is_of_item_types);
            let name = &evaluation.profile().name;
            let is_of_cells = evaluation.experiment(&experiment.name).is_some_and(is_of_cells);
            let is_told = is_told && (!is_of_cells || tells_rows(evaluation, &question.key));
            assert!(read.is_complete() || !is_told, "{name} {} {}", experiment.name, question.key);
            if read.unmatched.is_none() {
                expected.unmatched = None;
            }
            if read.peculiarities.is_none() {
                expected.peculiarities = None;
            }
            assert_same(&expected, &read);
        }
    }
}

/// Results without the matches of single questions, and where items come from.
fn without_items(mut results: Results) -> Results {
    let questions = results.experiments.iter_mut().flat_map(|one| &mut one.questions);
    questions.filter_map(|one| one.observed.as_mut().ok()).for_each(|one| one.matches.clear());
    without_origins(results)
}

fn without_origins(mut results: Results) -> Results {
    let questions = results.experiments.iter_mut().flat_map(|one| &mut one.questions);
    questions.for_each(|one| one.origins = [None, None]);
    results
}

/// Says in which line two values differ.
#[track_caller]
fn assert_same<T: PartialEq + std::fmt::Debug>(computed: &T, read: &T) {
    if computed == read {
        return;
    }
    let [computed, read] = [computed, read].map(|results| format!("{results:#?}"));
    let mut lines = computed.lines().zip(read.lines()).enumerate();
    let (at, _) = lines.find(|(_, (one, other))| one != other).unwrap_or_default();
    let around =
        |text: &str| text.lines().skip(at.saturating_sub(12)).take(30).collect::<Vec<_>>().join("\n");
    panic!("line {at}\ncomputed\n{}\n\nread\n{}", around(&computed), around(&read));
}

fn asked(
    mint: &Mint,
    dataset: &Arc<Input>,
    submission: &Input,
    profile: &Profile,
    triples: &str,
) -> KbAnswers {
    let asker = TestKb::new(triples);
    let answered_by =
        || AnsweredBy::Snapshot { iri: "https://w3id.org/qassay/kb/e/1".to_owned(), digest: "ab".repeat(32) };
    let (one, from): (_, AnswersFrom) = (NonZeroUsize::MIN, profile.answers_from);
    let gold =
        RefreshedGold::ask(mint, (dataset, profile.gold.limit_ties), &asker, answered_by, one, &|_| {})
            .unwrap();
    let executed = ExecutedAnswers::ask(mint, submission, from, &asker, answered_by, one, &|_| {}).unwrap();
    KbAnswers { gold: Some(Arc::new(gold)), executed: executed.map(Arc::new) }
}

fn keep(archive: &Archive, evaluation: &Evaluation) {
    let keeper = Keeper::new(archive);
    let submissions = [Arc::clone(&evaluation.cases.submission)];
    keeper.inputs(&evaluation.cases.dataset, &submissions, evaluation.references()).unwrap();
    let instant = Instant { nanoseconds: 0, date_time: "2026-11-21T09:00:00Z".to_owned() };
    let asking = Asking { limits: Limits::default(), started: instant.clone(), ended: instant.clone() };
    if let Some(gold) = &evaluation.cases.asked.gold {
        keeper.refreshed(&evaluation.cases.dataset, gold, &asking).unwrap();
    }
    if let Some(executed) = &evaluation.cases.asked.executed {
        keeper.executed(&evaluation.cases.submission, executed, &asking).unwrap();
    }
    let command = "evaluate".to_owned();
    let execution = Execution { started: instant.clone(), ended: instant, command, process: 1 };
    keeper.evaluation(evaluation, &execution).unwrap();
    keeper.groups(evaluation).unwrap();
}

fn source(name: &str, text: &str) -> Source {
    Source::from_bytes(name, text.as_bytes().to_vec()).unwrap()
}

fn example(name: &str) -> Source {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    Source::open(&folder.join(name)).unwrap()
}

fn links() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example/same-as.nt"))
        .unwrap()
}

#[test]
fn the_example_with_every_profile() {
    for answers in ["aurora.json", "borealis.json", "gold.json"] {
        let case = Golden::new(example("gold.json"), example(answers)).with(ReferenceKind::Links, &links());
        for profile in Profile::all().iter().filter(|profile| !profile.ranks_candidates()) {
            case.check(&profile.name);
        }
    }
}

#[test]
fn comparisons_of_the_example() {
    let case =
        Golden::new(example("gold.json"), example("borealis.json")).with(ReferenceKind::Links, &links());
    for profiles in [&["qassay", "text2sparql"][..], &["qald", "nliwod", "qassay", "qald-4"]] {
        let found = case.compare(profiles);
        assert!(!found.is_empty() && found.iter().all(|one| one.reasons.is_some()), "{found:?}");
    }
    let found = case.compare(&["qassay", "gerbil"]);
    assert!(found.iter().any(|one| one.reasons.is_none()), "{found:?}");
}

#[test]
fn the_modes_of_gerbil() {
    for mode in [None, Some(Mode::Static), Some(Mode::Closure)] {
        for profile in Profile::all().iter().filter(|profile| profile.era.is_some()) {
            let mut case = Golden::new(example("gold.json"), example("borealis.json"));
            case.choices.same_as = mode;
            case.check(&profile.name);
            case.with(ReferenceKind::Links, &links()).check(&profile.name);
        }
    }
}

#[test]
fn rankings() {
    for profile in Profile::all().iter().filter(|profile| profile.ranks_candidates()) {
        let mut case = Golden::new(example("sentences.txt"), example("sentences-scores.txt"));
        case.check(&profile.name);
        case.choices.cutoffs = vec![1, 3];
        case.check(&profile.name);
    }
    let qrels = "1 0 A 1\n1 0 B 0\n1 0 C 2\n2 0 A 1\n2 0 D 3\n3 0 A 0\n";
    let run =
        "1 Q0 A 1 2.5 me\n1 Q0 B 2 2.5 me\n1 Q0 C 3 1 me\n2 Q0 X 1 9 me\n2 Q0 D 2 8 me\n2 Q0 A 3 8 me\n";
    let mut case = Golden::new(source("qrels", qrels), source("run", run));
    case.check("trec");
    case.choices.cutoffs = vec![1, 2, 5];
    case.check("trec");
}

#[test]
fn clef_with_and_without_assessments() {
    let mut case = Golden::new(example("clef-gold.csv"), example("clef-run.csv"));
    case.check("clef-2004");
    case.references.push((ReferenceKind::Assessments, example("clef-assessments.csv")));
    case.check("clef-2004");
}

#[test]
fn loaders_languages_parts_and_experiments() {
    let gold = r#"{"dataset": {"id": "two"}, "questions": [
        {"id": "1", "hybrid": "true", "question": [{"language": "en", "string": "A?"}, {"language": "de", "string": "B?"}],
         "query": {"sparql": "SELECT ?x { ?x <http://e/p> 1 }"},
         "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://e/a"}}]}}]},
        {"id": "2", "hybrid": "false", "question": [{"language": "de", "string": "C?"}], "query": {"sparql": "SELECT"},
         "answers": [{"head": {"vars": ["y"]}, "results": {"bindings": [{"x": {"type": "uri", "value": "http://e/b"}}]}}]}]}"#;
    let mut case = Golden::new(source("gold.json", gold), source("answers.json", gold));
    case.check("qassay");
    for part in Part::ALL {
        case.choices.part = Some(part);
        case.check("qassay");
    }
    case.choices = Choices { language: Some("de".to_owned()), ..Choices::default() };
    case.check("qassay");
    case.choices.experiments = Some(vec!["QA".to_owned(), "C2KB".to_owned()]);
    case.check("qassay");
    case.choices = Choices { loader: Some(Loader::Table1), ..Choices::default() };
    let results = case.check("qassay");
    assert!(results.loaded.is_some_and(|loaded| loaded.count == 1));
}

#[test]
fn refreshed_gold_and_executed_answers() {
    let question = |id: &str, query: &str, value: &str| {
        format!(
            r#"{{"id": "{id}", "query": {{"sparql": "PREFIX : <http://e/> {query}"}},
            "answers": [{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{{"x": {{"type": "uri", "value": "{value}"}}}}]}}}}]}}"#
        )
    };
    let file = |all: &[String]| format!(r#"{{"questions": [{}]}}"#, all.join(", "));
    let gold = file(&[
        question("same", "SELECT ?x { ?x :in :x }", "http://e/b"),
        question("changed", "SELECT ?x { ?x :size 5 }", "http://e/z"),
        question("broken", "SELECT ?x { ?x :size }", "http://e/a"),
        question("slow", "SELECT ?never { ?never :size 5 }", "http://e/a"),
        question("tie", "SELECT ?x { ?x :size ?n } ORDER BY DESC(?n) LIMIT 1", "http://e/a"),
        question("some", "SELECT ?x ?n { ?x :size ?n } LIMIT 2", "http://e/a"),
        question("missed", "SELECT ?x { ?x :size ?n } ORDER BY DESC(?n) OFFSET 1", "http://e/a"),
    ]);
    let answers = r#"{"questions": [
        {"id": "same", "query": {"sparql": "PREFIX : <http://e/> SELECT ?x { ?x :in :x }"}},
        {"id": "changed", "query": {"sparql": "PREFIX : <http://e/> SELECT ?x { ?x :in }"}},
        {"id": "tie", "query": {"sparql": "PREFIX : <http://e/> SELECT ?x { ?x :size ?n } ORDER BY DESC(?n) LIMIT 1"}},
        {"id": "some", "query": {"sparql": "PREFIX : <http://e/> SELECT ?x ?n { ?x :size ?n } ORDER BY ?n LIMIT 2"}},
        {"id": "missed", "query": {"sparql": "PREFIX : <http://e/> SELECT (:z AS ?x) {}"}}]}"#;
    let mut case = Golden::new(source("gold.json", &gold), source("answers.json", answers));
    case.triples = Some(":a :size 5 . :b :size 5 ; :in :x . :c :size 4 .");
    for profile in ["qassay", "text2sparql"] {
        let results = case.check(profile);
        assert!(results.refreshed.is_some() && results.executed.is_some(), "{profile}");
    }
    case.compare(&["qassay", "text2sparql"]);
}

const PREFIXES: &str = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . \
    @prefix dbr: <http://dbpedia.org/resource/> . @prefix dbo: <http://dbpedia.org/ontology/> . @prefix wd: <http://www.wikidata.org/entity/> . ";

#[test]
fn labels_types_classes_and_links() {
    let question = |id: &str, cells: &str| {
        format!(
            r#"{{"id": "{id}", "question": [{{"language": "en", "string": "Which?"}}],
            "answers": [{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{cells}]}}}}]}}"#
        )
    };
    let uri =
        |name: &str| format!(r#"{{"x": {{"type": "uri", "value": "http://dbpedia.org/resource/{name}"}}}}"#);
    let text =
        |text: &str| format!(r#"{{"x": {{"type": "literal", "value": "{text}", "xml:lang": "en-GB"}}}}"#);
    let file = |all: &[String]| format!(r#"{{"questions": [{}]}}"#, all.join(", "));
    let gold = file(&[
        question("1", &[uri("Berlin"), uri("Bonn")].join(", ")),
        question("2", &uri("Rhine")),
        question("3", &uri("Nowhere")),
        question("4", &[text(" Elbe "), text("Oder")].join(", ")),
    ]);
    let answers = file(&[
        question("1", &[text("Berlin"), uri("Bonn")].join(", ")),
        question("2", r#"{"x": {"type": "uri", "value": "http://www.wikidata.org/entity/Q584"}}"#),
        question("3", &uri("Berlin")),
        question("4", &[text("Elbe"), uri("Oder")].join(", ")),
    ]);
    let prefixed = |text: &str| format!("{PREFIXES}{text}");
    let case = Golden::new(source("gold.json", &gold), source("answers.json", &answers))
        .with(
            ReferenceKind::Labels,
            &prefixed("wd:Q64 rdfs:label \"Berlin\"@en . dbr:Oder rdfs:label \"Oder\"@en ."),
        )
        .with(
            ReferenceKind::Links,
            &prefixed("dbr:Berlin owl:sameAs wd:Q64 . dbr:Rhine owl:sameAs wd:Q584 ."),
        )
        .with(
            ReferenceKind::Types,
            &prefixed("dbr:Berlin a dbo:City . dbr:Bonn a dbo:City . dbr:Rhine a dbo:River ."),
        )
        .with(
            ReferenceKind::Classes,
            &prefixed("dbo:City rdfs:subClassOf dbo:Place . dbo:River rdfs:subClassOf dbo:Place ."),
        );
    for profile in Profile::all().iter().filter(|profile| !profile.ranks_candidates()) {
        case.check(&profile.name);
    }
    assert!(!case.compare(&["qassay", "text2sparql"]).is_empty());
    assert!(!case.compare(&["nliwod", "qassay", "gerbil-2019"]).is_empty());
}

/// Columns that name others, in one answer with a text that is an answer and a label, and with several answer objects.
#[test]
fn columns_of_labels() {
    let cell = |name: &str, value: &str| {
        let kind = if value.starts_with("http:") { "uri" } else { "literal" };
        format!(r#""{name}": {{"type": "{kind}", "value": "{value}"}}"#)
    };
    let row = |cells: &[(&str, &str)]| {
        let cells: Vec<String> = cells.iter().map(|(name, value)| cell(name, value)).collect();
        format!("{{{}}}", cells.join(", "))
    };
    let file = |rows: &[String]| {
        let answers = format!(r#"[{{"head": {{}}, "results": {{"bindings": [{}]}}}}]"#, rows.join(", "));
        let text = r#"[{"language": "en", "string": "Which?"}]"#;
        format!(r#"{{"questions": [{{"id": "1", "question": {text}, "answers": {answers}}}]}}"#)
    };
    let [one, two] = [
        row(&[("x", "http://e/a"), ("xLabel", "A"), ("xDescription", "a letter")]),
        row(&[("uri", "http://e/b"), ("string", "B")]),
    ];
    let named = row(&[("name", "A")]);
    let gold = file(&[one.clone(), two.clone()]);
    for rows in [&[one.clone(), two, named][..], &[row(&[("x", "http://e/a")])], &[one]] {
        let case = Golden::new(source("gold.json", &gold), source("answers.json", &file(rows)));
        case.check("qassay");
        let labels = case.evaluation(&Mint::default(), "qassay");
        let experiment = labels.experiment("QA").unwrap();
        let texts = |items: Vec<Item<'_>>| -> Vec<String> {
            items.iter().map(|item| term::text(&item.term.term).into_owned()).collect()
        };
        let [gold, given] = labels.labels(experiment, 0).map(texts);
        assert_eq!(gold, ["A", "a letter", "B"]);
        // The answer `A` of the last row is no label.
        let expected: &[&str] = match rows.len() {
            3 => &["a letter", "B"],
            _ if rows[0].contains("xLabel") => &["A", "a letter"],
            _ => &[],
        };
        assert_eq!(given, expected);
        let typed = labels.experiment("AT").map(|experiment| labels.types_without_labels(experiment));
        let typed: Option<Vec<&str>> = typed.map(|all| all.iter().map(|(_, name)| *name).collect());
        // Three answers are of two types; one without labels has its type in the graph of its file.
        let expected: Option<&[&str]> = match rows.len() {
            3 => None,
            _ => Some(&["resource"; 2][..=usize::from(!given.is_empty())]),
        };
        assert_eq!(typed.as_deref(), expected);
    }
}

/// A file of the mirror, which is beside the project where there is one.
fn mirrored(path: &str) -> Source {
    let shared = std::env::var_os("QASSAY_SHARED");
    let shared =
        shared.map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    Source::open(&shared.join("data/mirror").join(path)).unwrap()
}

#[test]
fn queries_of_text2sparql_and_what_they_give() {
    let gold =
        |id: &str, results: &str| format!(r#""{id}": {{"head": {{"vars": ["x"]}}, "results": {results}}}"#);
    let rows = |values: &[&str]| {
        let row = |value: &&str| format!(r#"{{"x": {{"type": "uri", "value": "http://e/{value}"}}}}"#);
        format!(r#"{{"bindings": [{}]}}"#, values.iter().map(row).collect::<Vec<_>>().join(", "))
    };
    let file = |all: &[String]| format!("{{{}}}", all.join(", "));
    let gold = file(&[gold("ck25:1-en", &rows(&["a", "b"])), gold("ck25:2-en", &rows(&["c"]))]);
    let answers = r#"[{"qname": "ck25:1-en", "endpoint": "e", "query": "SELECT ?x { ?x <http://e/size> 5 }"},
        {"qname": "ck25:2-en", "endpoint": "e", "query": "SELECT ?x { ?x <http://e/size>"}]"#;
    let mut case = Golden::new(source("gold.json", &gold), source("answers.json", answers));
    case.triples = Some(":a :size 5 . :c :size 4 .");
    for profile in ["text2sparql", "qassay", "nliwod"] {
        assert!(case.check(profile).executed.is_some(), "{profile}");
    }
}

#[test]
fn types_of_questions_from_a_file() {
    let types = "question;type\n1;Temporal by date\n2;temporal-by-date\n3;\n";
    let case = Golden::new(example("clef-gold.csv"), example("clef-run.csv"))
        .with(ReferenceKind::QuestionTypes, types);
    let results = case.check("clef-2004");
    let groups = results.experiments.iter().flat_map(|experiment| &experiment.groups);
    assert!(groups.into_iter().any(|group| group.name.ends_with("questiontype-temporal-by-date")));
}

/// Pairs of the mirror of several kinds, each with some profiles.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn pairs_of_the_mirror() {
    let kgqan = "CoDS-GCS/KGQAn/2cb6f3701e699293175ecf4e4c1b9fe79d97c687/src/evaluation";
    let campaign = "AKSW/text2sparql.aksw.org/d317a8476a3be27a2eef5bfc5f670a58f5c128ee/docs";
    let nlpcc = "Leputa/NLPCC2017_Task5/ca95d5f43cb5462a684f17807230037bb65236c5/evaltool";
    let trec = "usnistgov/trec_eval/f4253652c8efd0d86ddffd0d163cc0a0f813111a/test";
    let qald = "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf";
    let best = "best_results_of_all_time/_F134_v1_e15-VLDB2020/KGQAn_result_20200401-205438.json";
    let qald_8 = format!("{qald}/8/data/qald-8-test-multilingual.json");
    let pairs: [(String, String, &[&str]); 6] = [
        (
            format!("{kgqan}/data/qald-9-test-multilingual.json"),
            format!("{kgqan}/{best}"),
            &["qassay", "gerbil"],
        ),
        (
            format!("{campaign}/benchmark/ck25_true_result_set.json"),
            format!("{campaign}/results/WSE/ck25_system_result_set.json"),
            &["text2sparql", "qassay"],
        ),
        (
            format!("{campaign}/benchmark/ck25_true_result_set.json"),
            format!("{campaign}/results/MIPT/ck25_answers.json"),
            &["qassay"],
        ),
        (format!("{nlpcc}/sample.QApair.txt"), format!("{nlpcc}/sample.score.txt"), &["nlpcc-ranking"]),
        (format!("{trec}/qrels.test"), format!("{trec}/results.trunc"), &["trec"]),
        (qald_8.clone(), qald_8, &["qald", "qald-4", "gerbil", "nliwod"]),
    ];
    for (gold, answers, profiles) in &pairs {
        let golden = Golden::new(mirrored(gold), mirrored(answers));
        for profile in *profiles {
            golden.check(profile);
        }
    }
}

/// Queries without answers: one side of LC-QuAD is the other.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn queries_of_lc_quad() {
    let path = "AskNowQA/LC-QuAD/9b8c16a87091089001a3506e50ebafa68932a13f/test-data.json";
    Golden::new(mirrored(path), mirrored(path)).check("qassay");
}
