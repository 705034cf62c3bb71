//! The way in: what this is, where to go, what was published last, and one number down to its bytes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::base::query::QueryFile;
use crate::base::text::counted;
use crate::base::vocab::{code, dcat};
use crate::record::archived::{Archived, ArchivedEvaluation};
use crate::record::summaries::NumberChoice;
use crate::report::columns::heading;
use crate::site::context::PageContext;
use crate::site::lists::results_in_order;
use crate::site::matrix::main_number;
use crate::site::page::{PagePiece, PageSheet, Section, SitePage, WordLine, Words};
use crate::site::route::{ListPage, Route};

/// So many evaluations are on the home page.
const LATEST: usize = 20;

/// What there is to say of an archive in two sentences.
pub(crate) const LEAD: &str = "Every number here can be followed to the answer, the rule that matched it, and the bytes it was read from. Anybody can run it again and get the same digits.";

/// What people ask first, by the names of queries.
const READY: [&str; 6] = [
    "report/leaderboard",
    "report/hardest",
    "report/complementarity",
    "report/rules",
    "report/patterns",
    "report/issues",
];

/// The home page.
pub(crate) fn page(context: &PageContext<'_>) -> SitePage {
    let evaluations = &context.view.archived.evaluations;
    let systems: BTreeSet<&String> = evaluations.iter().flat_map(ArchivedEvaluation::systems).collect();
    let summaries = evaluations.iter().filter_map(|one| context.view.summary(&one.iri));
    let whole = |version| context.view.records().text(version, dcat::IS_VERSION_OF).unwrap_or(version);
    let datasets: BTreeSet<&str> = summaries.map(|one| whole(one.dataset.as_str())).collect();
    let counts = [
        counted(evaluations.len() as u64, "evaluation"),
        counted(datasets.len() as u64, "dataset"),
        counted(systems.len() as u64, "system"),
    ];
    let latest = latest(context);
    let table = PageSheet {
        is_filtered: false,
        ..results_in_order(context, &latest, &NumberChoice::default(), ("The latest first", "latest"))
    };
    let all = context.link(
        Words::plain(&format!("All results of {}", counted(evaluations.len() as u64, "evaluation"))),
        &Route::List(ListPage::Results),
    );
    let results = if latest.is_empty() {
        vec![PagePiece::said(
            "Results would be here: what `qassay evaluate` makes, and `qassay publish` publishes.",
        )]
    } else {
        vec![PagePiece::Sheet(table), PagePiece::text(vec![all, Words::plain(".")])]
    };
    // A number that may mean something else is no example.
    let means = |one: &&&ArchivedEvaluation| {
        main_number(context, one).is_some_and(|number| number.cautions.is_empty())
    };
    let whole = latest.iter().find(means).and_then(|one| chain(context, one));
    let whole = whole.map(|pieces| Section::new("whole-way", "From a file to a number, and back", pieces));
    let asked = READY.iter().filter_map(|name| ready(context, name)).collect();
    SitePage {
        title: "Question answering over knowledge graphs, measured".to_owned(),
        heading: vec![Words::plain("How well do systems answer questions over knowledge graphs?")],
        lead: vec![Words::plain(LEAD)],
        pieces: vec![
            PagePiece::Ways(ways(context)),
            PagePiece::Text("soft", vec![Words::plain(&counts.join(" · "))]),
        ],
        doors: [("New evaluation", ListPage::New), ("See all results", ListPage::Results)]
            .map(|(text, to)| context.link(Words::plain(text), &Route::List(to)))
            .to_vec(),
        sections: [Section::new("results", "Latest results", results)]
            .into_iter()
            .chain(whole)
            .chain([Section::new("asked", "Questions people ask", vec![PagePiece::List(asked)])])
            .collect(),
        ..SitePage::default()
    }
}

/// Where to go.
fn ways(context: &PageContext<'_>) -> Vec<(Words, &'static str)> {
    let ways = [
        (
            ListPage::Check,
            "Check a file",
            "What a dataset or an answer file holds and what is wrong with it, by line. Nothing is kept.",
        ),
        (
            ListPage::Compare,
            "Compare systems",
            "Differences with confidence intervals, question by question, and which are chance.",
        ),
        (
            ListPage::Sparql,
            "Ask in SPARQL",
            "Questions, answers, matches, scores and provenance as RDF; every table leads to the query behind it.",
        ),
        (
            ListPage::Datasets,
            "Datasets",
            "Pinned by checksum, with licence, languages, knowledge graph and known damage.",
        ),
    ];
    ways.map(|(to, text, about)| (context.link(Words::plain(text), &Route::List(to)), about)).to_vec()
}

/// The evaluations that were published last, of a day those that were computed last; of what was never published, too.
fn latest<'a>(context: &PageContext<'a>) -> Vec<&'a ArchivedEvaluation> {
    let archived = context.view.archived;
    let mut all: Vec<&ArchivedEvaluation> = archived.evaluations.iter().collect();
    let days = context.view.days();
    let computed = computed(archived);
    all.sort_by_cached_key(|one| {
        (Reverse(days.get(one.iri.as_str())), Reverse(computed.get(&one.iri)), one.iri.as_str())
    });
    all.truncate(LATEST);
    all
}

/// When each evaluation was computed last, by its IRI: a text that is larger for what is later.
pub(crate) fn computed(archived: &Archived) -> BTreeMap<String, String> {
    let all = archived.metadata.rows("store/evaluations").map(|table| table.into_owned().rows);
    let times = all.unwrap_or_default().into_iter().filter_map(|row| <[String; 3]>::try_from(row).ok());
    // `57.1Z` is before `57.12Z`.
    times.map(|[iri, _, time]| (iri, time.trim_end_matches('Z').to_owned())).collect()
}

/// One number down to its bytes, with a page for each step.
fn chain(context: &PageContext<'_>, evaluation: &ArchivedEvaluation) -> Option<Vec<PagePiece>> {
    let summary = context.view.summary(&evaluation.iri)?;
    let number = main_number(context, evaluation)?;
    let link = |text: &str, iri: &str| context.link_to(Words::plain(text), iri);
    let own = Route::Evaluation(evaluation.key().to_owned());
    let questions = context.href(&own).map(|href| format!("{href}#questions"));
    let cube = Route::EvaluationPart(evaluation.key().to_owned(), "cube".to_owned());
    let queries = context.link(Words::plain("queries"), &Route::List(ListPage::Queries));
    let step = |name: &str, line: WordLine| (name.to_owned(), line);
    let steps = vec![
        step(
            "Bytes",
            vec![
                Words::plain("The "),
                link("file of answers", &summary.submission),
                Words::plain(" and the "),
                link("dataset", &summary.dataset),
                Words::plain(
                    " are kept as they were received, under their checksums. What could not be used is listed with its line.",
                ),
            ],
        ),
        step(
            "Graph",
            vec![Words::plain("Each question and each answer becomes statements in a named graph.")],
        ),
        step(
            "Match",
            vec![queries, Words::plain(" find which answers are the same, by which rule, over which links.")],
        ),
        step(
            "Measure",
            vec![
                Words::plain("What "),
                Words::plain("each question").to(questions),
                Words::plain(" has right, missed and too much gives "),
                link(&heading(number.metric), &code::iri(&number.metric.concept())),
                Words::plain(", an exact fraction, rounded for display only."),
            ],
        ),
        step(
            "Observation",
            vec![
                Words::plain("The number is an observation in a "),
                context.link(Words::plain("data cube"), &cube),
                Words::plain(", with the software, the choices and the files that made it."),
            ],
        ),
    ];
    let said = vec![
        context.link(Words::foreign(&evaluation.system), &own),
        Words::plain(&format!(" has {} {} over ", heading(number.metric), number.value)),
        Words::plain(&counted(number.questions, "question")),
        Words::plain(". This is its way:"),
    ];
    Some(vec![PagePiece::text(said), PagePiece::Chain(steps)])
}

/// A query that is ready to be asked.
fn ready(context: &PageContext<'_>, name: &str) -> Option<WordLine> {
    let (folder, short) = name.split_once('/')?;
    let route = Route::Query(folder.to_owned(), short.to_owned());
    Some(vec![context.link(Words::plain(QueryFile::find(name).ok()?.title()), &route)])
}
