//! Pages that list: results, comparisons, datasets, systems, profiles, canned queries, and everything by its name.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::base::error::Result;
use crate::base::query::{QUERIES, QueryFile};
use crate::base::text::counted;
use crate::base::vocab::{code, rdf};
use crate::measures::definition::Unit;
use crate::profiles::Profile;
use crate::profiles::choices::CHOICES;
use crate::record::archived::{ArchivedEvaluation, profile_name};
use crate::record::summaries::NumberChoice;
use crate::report::columns::heading;
use crate::site::about;
use crate::site::context::PageContext;
use crate::site::dataset_list::{dataset_sheet, datasets};
use crate::site::matrix::{MainNumber, matrices, number, of_one_dataset};
use crate::site::new::{EXAMPLE, example_line};
use crate::site::page::{
    PagePiece, PageSheet, Section, SheetCell, SheetHead, SheetRow, SitePage, WordLine, Words,
};
use crate::site::route::{ListPage, PageForm, Route};
use crate::site::thing::evaluation_counts;

/// A list.
pub(crate) fn list(context: &PageContext<'_>, list: ListPage) -> SitePage {
    if list == ListPage::About {
        return about::page(context, None);
    }
    let (title, pieces) = match list {
        ListPage::Results => ("Systems and datasets", results(context)),
        ListPage::Comparisons => ("Comparisons", comparisons(context)),
        ListPage::Compare => ("Compare evaluations", by_hand("qassay compare gAnswer2 QAKiS")),
        ListPage::Datasets => ("Datasets", vec![dataset_sheet(context, &datasets(context))]),
        ListPage::Systems => ("Systems", vec![things_sheet(context, "system", &recorded_systems(context))]),
        ListPage::Profiles => ("Profiles", profiles(context)),
        ListPage::Queries => ("Queries", queries(context)),
        ListPage::Sparql => ("SPARQL", sparql(context)),
        ListPage::Check => ("Check a file", by_hand("qassay check answers.json")),
        ListPage::New => ("New evaluation", by_hand(&format!("qassay fetch {EXAMPLE}\n{}", example_line()))),
        ListPage::Search | ListPage::About => ("Everything by its name", search(context)),
    };
    let all: Vec<&ArchivedEvaluation> = context.view.archived.evaluations.iter().collect();
    let every = || {
        Section::new("evaluations", "All evaluations", vec![PagePiece::Sheet(results_sheet(context, &all))])
    };
    SitePage {
        title: title.to_owned(),
        kicker: if list == ListPage::Results { "Results" } else { title }.to_owned(),
        heading: vec![Words::plain(title)],
        pieces,
        sections: if list == ListPage::Results && !all.is_empty() {
            let of_dataset = of_one_dataset(context, &all, &NumberChoice::default());
            of_dataset.into_iter().chain([every()]).collect()
        } else {
            Vec::new()
        },
        ..SitePage::default()
    }
}

/// Why there is no form here, and what does the same.
fn by_hand(line: &str) -> Vec<PagePiece> {
    vec![
        PagePiece::said("These pages are files: nothing is computed here. At the command line:"),
        PagePiece::code("sh", line),
        PagePiece::said("`qassay serve` has a form at this address."),
    ]
}

/// In a table with more rows values have no bars: they are seen beside few others only.
const MOST_BARS: usize = 50;

/// What came of evaluations, a row each.
pub(crate) fn results_sheet(context: &PageContext<'_>, shown: &[&ArchivedEvaluation]) -> PageSheet {
    chosen_sheet(context, shown, &NumberChoice::default())
}

/// The same with another number of each.
pub(crate) fn chosen_sheet(
    context: &PageContext<'_>,
    shown: &[&ArchivedEvaluation],
    choice: &NumberChoice,
) -> PageSheet {
    let mut sorted: Vec<&ArchivedEvaluation> = shown.to_vec();
    let order = |one: &ArchivedEvaluation| {
        let summary = context.view.summary(&one.iri);
        (
            summary.map(|summary| summary.dataset.clone()),
            one.profile.clone(),
            one.system.to_lowercase(),
            one.iri.clone(),
        )
    };
    sorted.sort_by_cached_key(|one| order(one));
    results_in_order(context, &sorted, choice, ("By dataset and profile", "ranking"))
}

/// The same in an order of one's own: what it is called, and the query that tells the same.
pub(crate) fn results_in_order(
    context: &PageContext<'_>,
    shown: &[&ArchivedEvaluation],
    choice: &NumberChoice,
    (order, query): (&str, &str),
) -> PageSheet {
    let with_bars = shown.len() <= MOST_BARS;
    let mut alike: BTreeMap<_, usize> = BTreeMap::new();
    let what = |one: &ArchivedEvaluation| (one.gold.clone(), one.answers.clone(), one.profile.clone());
    for one in shown {
        *alike.entry(what(one)).or_default() += 1;
    }
    let mut heads = ["System", "Dataset", "Profile", "Type"].map(SheetHead::text).to_vec();
    heads.push(SheetHead::number(Words::plain("Questions")));
    heads.push(SheetHead::text("Measure"));
    heads.extend(["Value", "95 % interval"].map(|name| SheetHead::number(Words::plain(name))));
    heads.extend(with_bars.then(|| SheetHead::text("As a bar")));
    let row = |one: &&ArchivedEvaluation| {
        let dataset =
            context.view.summary(&one.iri).map(|summary| summary.dataset.clone()).unwrap_or_default();
        let name = context.version_name(&dataset);
        let systems: Vec<&str> = one.systems().map(String::as_str).collect();
        let mut profile = vec![context.link_to(Words::foreign(profile_name(&one.profile)), &one.profile)];
        profile.extend((alike.get(&what(one)) > Some(&1)).then(|| Words::soft(&format!(" {}", chosen(one)))));
        let mut cells: Vec<SheetCell> = vec![
            context.link_to(Words::foreign(&systems.join(", ")), &one.iri).into(),
            context.link_to(Words::foreign(&name), &dataset).into(),
            profile.into(),
        ];
        let dash = || SheetCell::from(Words::plain("–"));
        if let Some(MainNumber { experiment, metric, value, range, questions, cautions, .. }) =
            context.view.summary(&one.iri).and_then(|summary| number(summary, choice))
        {
            let marks = cautions.iter().flat_map(|issue| {
                [context.concept(&format!("issue-{}", issue.name()), "!"), Words::plain(" ")]
            });
            cells.extend([
                Words::plain(&experiment).into(),
                SheetCell::number(&questions.to_string()),
                context.link_to(Words::plain(&heading(metric)), &code::iri(&metric.concept())).into(),
                SheetCell { line: marks.chain([Words::bold(&value)]).collect(), ..SheetCell::number("") },
                SheetCell { line: vec![Words::soft(&range)], ..SheetCell::number("") },
            ]);
            if with_bars {
                let share = value.parse().ok().filter(|_| metric.measure.unit != Unit::Count);
                cells.push(share.map(SheetCell::bar).unwrap_or_default());
            }
        } else {
            cells.extend(std::iter::repeat_with(dash).take(heads.len() - cells.len()));
        }
        SheetRow::from(cells)
    };
    PageSheet {
        id: "result-table".to_owned(),
        caption: vec![Words::plain(&format!(
            "{order}; {}, over all questions. ! leads to why a value may mean something else.",
            if *choice == NumberChoice::default() {
                "the number that the profile ranks by, else macro F1"
            } else {
                "the number that was chosen"
            },
        ))],
        rows: shown.iter().map(row).collect(),
        heads,
        is_filtered: true,
        ..PageSheet::default()
    }
    .with_query(context.asked_by(query, &[]))
}

/// What tells an evaluation from others of the same files with the same profile: what was chosen beside them.
fn chosen(one: &ArchivedEvaluation) -> String {
    let choices = CHOICES.iter().filter_map(|choice| choice.words(&choice.given(&one.choices)));
    let kinds: BTreeSet<&str> = one.references.iter().map(|(kind, _)| kind.name()).collect();
    let answered = [(&one.gold_answers, "refreshed gold"), (&one.executed_answers, "executed queries")];
    let answered = answered.into_iter().filter(|(file, _)| file.is_some()).map(|(_, name)| name.to_owned());
    let all: Vec<String> = choices.chain(kinds.into_iter().map(str::to_owned)).chain(answered).collect();
    if all.is_empty() { "without options".to_owned() } else { format!("with {}", all.join(", ")) }
}

fn results(context: &PageContext<'_>) -> Vec<PagePiece> {
    let all: Vec<&ArchivedEvaluation> = context.view.archived.evaluations.iter().collect();
    if all.is_empty() {
        return vec![PagePiece::said("Evaluations would be here: `qassay evaluate` makes them.")];
    }
    matrices(context, &all, &NumberChoice::default())
}

fn comparisons(context: &PageContext<'_>) -> Vec<PagePiece> {
    let line = |one: &crate::record::archived::comparisons::ArchivedComparison| {
        let count = format!(" · {}", counted(one.evaluations.len() as u64, "evaluation"));
        vec![context.link_to(Words::foreign(&one.title), &one.iri), Words::soft(&count)]
    };
    let own =
        context.link(Words::plain("Compare evaluations of your choice"), &Route::List(ListPage::Compare));
    let own = PagePiece::text(vec![own, Words::plain(".")]);
    let all: Vec<WordLine> = context.view.archived.comparisons.iter().map(line).collect();
    if all.is_empty() {
        return vec![PagePiece::said("Comparisons would be here: `qassay compare` makes them."), own];
    }
    vec![PagePiece::List(all), own]
}

/// The recorded things below a path that are of a class, by their IRIs.
pub(crate) fn recorded<'c>(context: &PageContext<'c>, below: &str, class: &str) -> Vec<&'c str> {
    let beginning = format!("{}{below}", context.linker.base());
    let facts = context.view.records();
    let is_one =
        |iri: &&str| iri.starts_with(&beginning) && facts.texts(iri, rdf::TYPE).any(|known| known == class);
    context.view.recorded().filter(is_one).collect()
}

fn recorded_systems<'c>(context: &PageContext<'c>) -> Vec<&'c str> {
    recorded(context, "system/", crate::base::vocab::schema::SOFTWARE_APPLICATION)
}

/// The systems whose rows on the page have some words: what they are called, their IRIs, and how many evaluations they have.
pub(crate) fn systems<'c>(context: &PageContext<'c>, words: &str) -> Vec<(String, &'c str, usize)> {
    let counts = evaluation_counts(context);
    let wanted = words.to_lowercase();
    let all = recorded_systems(context).into_iter().map(|iri| {
        let name = context.view.title(iri).unwrap_or_else(|| iri.to_owned());
        (name, iri, counts.get(iri).copied().unwrap_or_default())
    });
    let path = |iri| context.linker.path(iri).unwrap_or(iri);
    let has_words = |(name, iri, count): &(String, &'c str, usize)| {
        format!("{name}{}{count}", path(iri)).to_lowercase().contains(&wanted)
    };
    all.filter(has_words).collect()
}

/// Things by their names, with how much came of them, and the query that tells more of each.
pub(crate) fn things_sheet(context: &PageContext<'_>, query: &str, things: &[&str]) -> PagePiece {
    let counts = evaluation_counts(context);
    let row = |iri: &&str| {
        let path = context.linker.path(iri).unwrap_or(iri);
        let title = context.view.title(iri);
        SheetRow::from(vec![
            context.link_to(Words::foreign(title.as_deref().unwrap_or(path)), iri).into(),
            Words::iri(path).into(),
            SheetCell::number(&counts.get(*iri).copied().unwrap_or_default().to_string()),
        ])
    };
    if things.is_empty() {
        return PagePiece::said("None yet.");
    }
    let mut heads = ["Name", "Path"].map(SheetHead::text).to_vec();
    heads.push(SheetHead::number(Words::plain("Evaluations")));
    PagePiece::Sheet(
        PageSheet {
            id: "things".to_owned(),
            caption: vec![Words::plain("Each leads to what is known of it, and to what came of it.")],
            heads,
            rows: things.iter().map(row).collect(),
            is_filtered: true,
            ..PageSheet::default()
        }
        .with_query(context.asked_by(query, &[])),
    )
}

fn profiles(context: &PageContext<'_>) -> Vec<PagePiece> {
    let line = |profile: &Profile| {
        let name = format!("{}, version {}", profile.name, profile.version);
        vec![
            context.link_to(Words::bold(&name), &profile.iri),
            Words::plain(&format!(": {}. {}", profile.label, profile.definition)),
        ]
    };
    vec![PagePiece::List(Profile::all().iter().map(line).collect())]
}

fn queries(context: &PageContext<'_>) -> Vec<PagePiece> {
    let line = |query: &QueryFile| {
        let (folder, name) = query.name.split_once('/')?;
        let route = Route::Query(folder.to_owned(), name.to_owned());
        Some(vec![
            context.link(Words::code(query.name), &route),
            Words::plain(&format!(" {}", query.title())),
        ])
    };
    vec![PagePiece::List(QUERIES.iter().filter_map(line).collect())]
}

/// What a folder of files has in place of an endpoint.
fn sparql(context: &PageContext<'_>) -> Vec<PagePiece> {
    vec![
        PagePiece::said(
            "Everything that is published here is RDF: questions, answers, matches, scores, provenance. These pages are files, and \
             nobody is here who could answer a query. Who has the folder has the archive, and asks it at home:",
        ),
        PagePiece::code(
            "sh",
            "qassay query leaderboard --archive FOLDER\nqassay query my-query.rq --archive FOLDER",
        ),
        PagePiece::text(vec![
            Words::plain("Or with a page like this one, and an editor: "),
            Words::code("qassay serve --archive FOLDER"),
            Words::plain(". Ready-made: "),
            context.link(Words::plain("all queries"), &Route::List(ListPage::Queries)),
            Words::plain("."),
        ]),
    ]
}

/// The page of a canned query; nothing where there is none.
pub(crate) fn query(context: &PageContext<'_>, folder: &str, name: &str) -> Result<SitePage> {
    let query = QueryFile::find(&format!("{folder}/{name}"))?;
    Ok(SitePage {
        title: query.path(),
        kicker: "Query".to_owned(),
        heading: vec![Words::code(&query.path())],
        lead: vec![Words::plain(query.title())],
        crumbs: vec![context.link(Words::plain("Queries"), &Route::List(ListPage::Queries))],
        pieces: vec![PagePiece::code("sparql", query.text)],
        ..SitePage::default()
    })
}

/// What can be found: a name, what kind of thing it is, and its page.
pub(crate) fn findable(context: &PageContext<'_>) -> Vec<(String, &'static str, Route)> {
    let kind = |route: &Route| match route {
        Route::Evaluation(_) => Some("evaluation"),
        Route::Comparison(_) => Some("comparison"),
        Route::Thing(parts) => match parts.first().map(String::as_str) {
            Some("dataset") => Some("dataset"),
            Some("submission") => Some("submission"),
            Some("system") => Some("system"),
            Some("profile") => Some("profile"),
            Some("links") => Some("links"),
            _ => None,
        },
        _ => None,
    };
    let evaluations = &context.view.archived.evaluations;
    let name = |route: &Route| {
        let iri = context.linker.iri(route);
        let evaluation = evaluations.iter().find(|one| one.iri == iri);
        let of_evaluation = |one: &ArchivedEvaluation| {
            format!(
                "{} on {}, {} {}",
                one.system,
                context.dataset_title(&iri).unwrap_or_default(),
                profile_name(&one.profile),
                route.path()
            )
        };
        let title = || {
            context.view.title(&iri).map_or_else(|| route.path(), |title| format!("{title} {}", route.path()))
        };
        evaluation.map_or_else(title, of_evaluation)
    };
    // What was withdrawn is told of on its own page only.
    let is_here = |route: &&Route| context.view.tombstone(&context.linker.iri(route)).is_none();
    let all = context.linker.pages().filter(is_here);
    all.filter_map(|route| Some((name(route), kind(route)?, route.clone()))).collect()
}

fn search(context: &PageContext<'_>) -> Vec<PagePiece> {
    vec![PagePiece::Sheet(search_sheet(context, &findable(context)))]
}

/// Names, with what they are of.
pub(crate) fn search_sheet(context: &PageContext<'_>, names: &[(String, &'static str, Route)]) -> PageSheet {
    let row = |(name, kind, route): &(String, &'static str, Route)| {
        SheetRow::from(vec![context.link(Words::foreign(name), route).into(), Words::plain(kind).into()])
    };
    PageSheet {
        id: "names".to_owned(),
        caption: vec![Words::plain("All names; with script, those with the words that are looked for.")],
        heads: vec![SheetHead::text("Name"), SheetHead::text("What it is")],
        rows: names.iter().map(row).collect(),
        is_filtered: true,
        ..PageSheet::default()
    }
    .with_query(context.asked_by("search", &[]))
}

/// The same names for programs: objects with name, kind, address.
pub(crate) fn search_index(context: &PageContext<'_>) -> String {
    let entry = |(name, kind, route): (String, &str, Route)| {
        let address = context.linker.href(context.route, &route, PageForm::Html);
        serde_json::json!({ "name": name, "kind": kind, "href": address })
    };
    Value::Array(findable(context).into_iter().map(entry).collect()).to_string()
}
