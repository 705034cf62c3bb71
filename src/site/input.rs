//! The pages of what evaluations are made of: datasets and their versions, systems, submissions, files. What came of them
//! stands first, all that is said of them last.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::base::error::Result;
use crate::base::iri;
use crate::base::text::{counted, html};
use crate::base::vocab::{dcat, dct, prov, qassay, schema};
use crate::record::archived::ArchivedEvaluation;
use crate::record::summaries::NumberChoice;
use crate::site::asked::{figure, identifier, text_of_question};
use crate::site::context::PageContext;
use crate::site::evaluation::origin::size;
use crate::site::graphs::text_of;
use crate::site::lists::results_sheet;
use crate::site::matrix::matrices;
use crate::site::page::{
    Figure, PagePiece, PageSheet, Section, SheetCell, SheetHead, SheetRow, SitePage, WordLine, Words,
};
use crate::site::route::{ListPage, Route};
use crate::site::rows::other_pages;
use crate::site::thing;
use crate::sources::archive::hashing::read_file;

/// So long a file is whose lines stand on its page.
const MOST_BYTES: u64 = 400_000;

/// And so many lines.
const MOST_LINES: usize = 10_000;

/// So many questions of a dataset stand on a page.
const MOST: usize = 50;

/// How many pages the questions of a dataset need, with that of the dataset.
pub(crate) fn further_pages(parts: &BTreeSet<Route>) -> usize {
    parts.iter().filter(|route| matches!(route, Route::Question(..))).count().div_ceil(MOST)
}

/// The page of a thing, where it is one of these kinds; nothing where it is another.
///
/// # Errors
/// Where a graph cannot be read.
pub(crate) fn page(context: &PageContext<'_>, parts: &[String]) -> Result<Option<SitePage>> {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let iri = context.linker.iri(context.route);
    Ok(Some(match *parts.as_slice() {
        ["dataset", _] => dataset(context, &iri)?,
        ["dataset", _, _] => version(context, &iri)?,
        ["system", _] => system(context, &iri)?,
        ["submission", _] => submission(context, &iri)?,
        ["file", "sha256", sha256] => file(context, sha256)?,
        ["experiment", _] => experiment(context, &iri)?,
        _ => return Ok(None),
    }))
}

/// The evaluations that a thing is part of.
fn evaluations<'c>(
    context: &PageContext<'c>,
    is_of: impl Fn(&ArchivedEvaluation) -> bool,
) -> Vec<&'c ArchivedEvaluation> {
    context.view.archived.evaluations.iter().filter(|one| is_of(one)).collect()
}

/// The table of their results.
fn results(context: &PageContext<'_>, all: &[&ArchivedEvaluation]) -> Section {
    let none = || PagePiece::said("No evaluation is here yet: `qassay evaluate` makes them.");
    let piece = if all.is_empty() { none() } else { PagePiece::Sheet(results_sheet(context, all)) };
    Section::new("results", "Results", vec![piece])
}

fn count_of(all: &[&ArchivedEvaluation]) -> Figure {
    let mut profiles: Vec<&str> = all.iter().map(|one| one.profile.as_str()).collect();
    profiles.sort_unstable();
    profiles.dedup();
    let count = counted(profiles.len() as u64, "profile");
    figure("Evaluations", &all.len().to_string(), &count)
}

/// The page of a dataset: its versions, and what came of them.
fn dataset(context: &PageContext<'_>, iri: &str) -> Result<SitePage> {
    let below = format!("{iri}/");
    let all = evaluations(context, |one| {
        context.view.summary(&one.iri).is_some_and(|summary| summary.dataset.starts_with(&below))
    });
    let versions: Vec<WordLine> = context
        .view
        .records()
        .texts(iri, dcat::HAS_VERSION)
        .map(|version| vec![context.named(version), Words::plain(" "), Words::iri(version)])
        .collect();
    let mut page = thing::page(context)?;
    page.figures =
        vec![figure("Versions", &versions.len().to_string(), "by the checksums of files"), count_of(&all)];
    let versions = Section::new("versions", "Versions", vec![PagePiece::List(versions)]);
    Ok(thing::with(page, vec![versions, results(context, &all)]))
}

/// What the graph of a dataset says of a question.
struct StatedQuestion {
    key: String,
    node: String,
    text: Words,
    answer_type: String,
    languages: Vec<String>,
    items: usize,
    has_query: bool,
}

/// The page of a version of a dataset.
fn version(context: &PageContext<'_>, iri: &str) -> Result<SitePage> {
    let all = evaluations(context, |one| {
        context.view.summary(&one.iri).is_some_and(|summary| summary.dataset == iri)
    });
    let questions = questions(context, &context.view.questions_of(iri)?)?;
    let total = questions.len();
    let mut page = thing::page(context)?;
    page.figures = figures(context, iri, &questions);
    page.figures.push(count_of(&all));
    page.lead = source(context, iri);
    let sides = context.view.side_by_side(iri)?;
    let (systems, profile, solved) = sides.solved();
    let mut sections = vec![results(context, &all)];
    if systems > 0 {
        let piece = hardness(systems, profile, &solved);
        let alone = context.asked_of("complementarity", "dataset", iri);
        let said = [Words::plain("Which of them only one system answers:")].into_iter().chain(alone);
        sections.push(Section::new("difficulty", "How hard", vec![piece, PagePiece::text(said.collect())]));
    }
    if !questions.is_empty() {
        let shown = &questions[..total.min(MOST)];
        let mut table = vec![question_table(context, shown, (1, total), systems, &solved)];
        table.extend(further_questions(context, context.route, (1, total)));
        sections.push(Section::new("questions", "Questions", table));
        sections.push(Section::new("profile", "What is in it", contents(context, &questions)));
    }
    Ok(thing::with(page, sections))
}

/// The page of further questions of a version of a dataset.
///
/// # Errors
/// Where a graph cannot be read.
pub(crate) fn questions_page(
    context: &PageContext<'_>,
    slug: &str,
    version: &str,
    number: usize,
) -> Result<SitePage> {
    let whole = Route::version(slug, version);
    let iri = context.linker.iri(&whole);
    let all = context.view.questions_of(&iri)?;
    let from = ((number - 1) * MOST).min(all.len());
    let shown = questions(context, &all[from..(from + MOST).min(all.len())])?;
    let place = (number, all.len());
    let sides = context.view.side_by_side(&iri)?;
    let (systems, _, solved) = sides.solved();
    let name = context.view.title(&iri).unwrap_or_else(|| slug.to_owned());
    let mut pieces = vec![question_table(context, &shown, place, systems, &solved)];
    pieces.extend(further_questions(context, &whole, place));
    Ok(SitePage {
        title: html(&format!("Questions of {name}, page {number}")).into_owned(),
        kicker: format!("Questions, page {number}"),
        heading: vec![Words::foreign(&name)],
        crumbs: vec![
            context.link(Words::plain("Datasets"), &Route::List(ListPage::Datasets)),
            context.link(Words::foreign(&name), &whole),
        ],
        pieces,
        ..SitePage::default()
    })
}

/// Links to the other pages of questions, from the number of a page and of all questions.
fn further_questions(
    context: &PageContext<'_>,
    whole: &Route,
    (number, total): (usize, usize),
) -> Option<PagePiece> {
    let pages = total.div_ceil(MOST);
    let route = |page| if page == 1 { Some(whole.clone()) } else { whole.further_questions(page) };
    other_pages("Questions", (number, pages), |page| context.href(&route(page)?)).map(PagePiece::text)
}

/// What the graph of a dataset says of some of its questions.
fn questions(context: &PageContext<'_>, nodes: &[String]) -> Result<Vec<StatedQuestion>> {
    let mut all = Vec::new();
    for node in nodes {
        let said = context.view.said(node)?;
        let gold = context.view.said(&iri::curated_gold(node))?;
        let all_of = |property: &str| {
            said.iter()
                .filter(move |quad| quad.predicate.as_str() == property)
                .map(|quad| &quad.object)
                .collect::<Vec<_>>()
        };
        let count = |property: &str| gold.iter().filter(|quad| quad.predicate.as_str() == property).count();
        let languages = all_of(schema::TEXT).into_iter().filter_map(|text| match text {
            oxigraph::model::Term::Literal(literal) => literal.language().map(str::to_owned),
            _ => None,
        });
        let stated = |property: &str| all_of(property).first().map(|term| text_of(term).to_owned());
        all.push(StatedQuestion {
            key: identifier(&said).unwrap_or_default().to_owned(),
            text: text_of_question(&said).unwrap_or_default(),
            answer_type: stated(qassay::ANSWER_TYPE).unwrap_or_default(),
            languages: languages.collect(),
            items: count(qassay::ANSWER_TERM),
            has_query: count(qassay::SPARQL_QUERY) > 0,
            node: node.clone(),
        });
    }
    Ok(all)
}

fn figures(context: &PageContext<'_>, iri: &str, questions: &[StatedQuestion]) -> Vec<Figure> {
    let mut figures = Vec::new();
    if !questions.is_empty() {
        let answered = questions.iter().filter(|one| one.items > 0).count();
        let items: usize = questions.iter().map(|one| one.items).sum();
        let queries = questions.iter().filter(|one| one.has_query).count();
        figures.extend([
            figure("Questions", &questions.len().to_string(), &format!("{answered} with gold answers")),
            figure("Gold answers", &items.to_string(), "different terms"),
            figure("With a query", &queries.to_string(), "in SPARQL"),
        ]);
    }
    figures.extend(size(context.view.records(), iri).map(|bytes| figure("Size", bytes, "bytes")));
    figures
}

/// Licence, publisher and source of a thing, in a line.
fn source(context: &PageContext<'_>, iri: &str) -> WordLine {
    let values = |what: &str, property| -> Vec<WordLine> {
        // Each publication says it again.
        let values: BTreeSet<&str> = context.view.records().texts(iri, property).collect();
        values.into_iter().map(|value| vec![Words::plain(what), context.named(value)]).collect()
    };
    let licences: Vec<WordLine> = context.licences(iri);
    let mut parts = values("System ", qassay::SYSTEM);
    let none = if parts.is_empty() { "No licence stated" } else { "no licence stated" };
    parts.extend(licences.is_empty().then(|| vec![Words::plain(none)]));
    parts.extend(licences.into_iter().map(|licence| [vec![Words::plain("Licence ")], licence].concat()));
    parts.extend(values("published by ", dct::PUBLISHER));
    parts.extend(values("from ", prov::HAD_PRIMARY_SOURCE));
    parts.join(&Words::plain(" · "))
}

/// How many questions are answered completely by how many systems.
fn hardness(systems: usize, profile: &str, solved: &BTreeMap<&str, usize>) -> PagePiece {
    let row = |count: usize| {
        let questions = solved.values().filter(|known| **known == count).count();
        let name = if count == 0 { "nobody".to_owned() } else { counted(count as u64, "system") };
        SheetRow::from(vec![Words::plain(&name).into(), SheetCell::number(&questions.to_string())])
    };
    PagePiece::Sheet(PageSheet {
        id: "difficulty-table".to_owned(),
        caption: vec![Words::foreign(&format!(
            "Questions by the number of systems that answer them completely, profile {profile}, of {systems}."
        ))],
        heads: vec![SheetHead::text("Answered completely by"), SheetHead::number(Words::plain("Questions"))],
        rows: (0..=systems).map(row).filter(|row| row.cells[1].line[0].text != "0").collect(),
        ..PageSheet::default()
    })
}

fn question_table(
    context: &PageContext<'_>,
    shown: &[StatedQuestion],
    (number, total): (usize, usize),
    systems: usize,
    solved: &BTreeMap<&str, usize>,
) -> PagePiece {
    let row = |one: &StatedQuestion| {
        let answered = solved
            .get(one.key.as_str())
            .map_or_else(|| "–".to_owned(), |count| format!("{count} of {systems}"));
        SheetRow::from(vec![
            context.link_to(Words::foreign(&one.key), &one.node).into(),
            one.text.clone().into(),
            Words::plain(&type_name(&one.answer_type)).into(),
            SheetCell::number(&one.items.to_string()),
            SheetCell::number(&answered),
        ])
    };
    let from = (number - 1) * MOST;
    let caption = format!(
        "Questions {} to {} of {}; the last column counts systems that answer completely.",
        from + 1,
        from + shown.len(),
        total
    );
    let mut heads = ["Id", "Question", "Answer type"].map(SheetHead::text).to_vec();
    heads.extend(["Gold", "Answered by"].map(|name| SheetHead::number(Words::plain(name))));
    PagePiece::Sheet(PageSheet {
        id: "question-table".to_owned(),
        caption: vec![Words::plain(&caption)],
        heads,
        rows: shown.iter().map(row).collect(),
        is_filtered: true,
        ..PageSheet::default()
    })
}

/// `resource` of the concept `type-resource`.
fn type_name(concept: &str) -> String {
    concept.rsplit(['#', '/']).next().unwrap_or_default().trim_start_matches("type-").to_owned()
}

/// Questions by language and by type of answer.
fn contents(context: &PageContext<'_>, questions: &[StatedQuestion]) -> Vec<PagePiece> {
    let (mut languages, mut types) = (BTreeMap::<&str, usize>::new(), BTreeMap::<&str, usize>::new());
    for one in questions {
        one.languages.iter().for_each(|tag| *languages.entry(tag).or_default() += 1);
        *types.entry(&one.answer_type).or_default() += 1;
    }
    let sheet = |id: &str, what: &str, caption: &str, rows: Vec<(Words, usize)>| {
        PagePiece::Sheet(PageSheet {
            id: id.to_owned(),
            caption: vec![Words::plain(caption)],
            heads: vec![SheetHead::text(what), SheetHead::number(Words::plain("Questions"))],
            rows: rows
                .into_iter()
                .map(|(name, count)| SheetRow::from(vec![name.into(), SheetCell::number(&count.to_string())]))
                .collect(),
            ..PageSheet::default()
        })
    };
    let languages = languages.into_iter().map(|(tag, count)| (Words::code(tag), count)).collect();
    let types = types.into_iter().map(|(concept, count)| match type_name(concept) {
        name if name.is_empty() => (Words::plain("not stated"), count),
        name => (context.link_to(Words::plain(&name), concept), count),
    });
    vec![
        sheet("language-table", "Language", "Questions with a text, by language.", languages),
        sheet(
            "type-table",
            "Answer type",
            "Questions by the answer type that the file states.",
            types.collect(),
        ),
    ]
}

/// The page of a system: its evaluations and its files.
fn system(context: &PageContext<'_>, iri: &str) -> Result<SitePage> {
    let archived = context.view.archived;
    let mint = archived.archive.mint();
    let all = evaluations(context, |one| one.systems().any(|name| mint.system(name) == iri));
    let mut submissions: Vec<&str> =
        all.iter().filter_map(|one| Some(context.view.summary(&one.iri)?.submission.as_str())).collect();
    submissions.sort_unstable();
    submissions.dedup();
    let mut page = thing::page(context)?;
    let count = counted(submissions.len() as u64, "file");
    page.figures = vec![figure("Submissions", &submissions.len().to_string(), &count), count_of(&all)];
    let lines = submissions.into_iter().map(|submission| {
        [context.named(submission), Words::plain(": ")]
            .into_iter()
            .chain(source(context, submission))
            .collect()
    });
    let files =
        Section::new("submissions", "Its files, and who said so", vec![PagePiece::List(lines.collect())]);
    Ok(thing::with(page, vec![results(context, &all), files]))
}

/// The page of a submission: what came of it, its answers.
fn submission(context: &PageContext<'_>, iri: &str) -> Result<SitePage> {
    let all = evaluations(context, |one| {
        context.view.summary(&one.iri).is_some_and(|summary| summary.submission == iri)
    });
    let mut page = thing::page(context)?;
    let is_gold = all.iter().any(|one| one.gold == one.answers);
    let gold = is_gold.then(|| vec![Words::plain("the bytes are those of the gold file")]);
    let lines = [Some(source(context, iri)), names_of(&all), gold];
    page.lead = lines.into_iter().flatten().collect::<Vec<_>>().join(&Words::plain(" · "));
    let mut sections = vec![results(context, &all)];
    if context.view.shows_content(iri) {
        let key = iri.rsplit('/').next().unwrap_or_default();
        let again = context.href(&Route::List(ListPage::New)).map(|href| format!("{href}?submission={key}"));
        page.pieces.push(PagePiece::text(vec![Words::plain("Score these answers again").to(again)]));
        let below = format!("{iri}/a/");
        let parts = context.view.parts(iri)?;
        let is_answer = |node: &&String| node.strip_prefix(&below).is_some_and(|rest| !rest.contains('/'));
        let nodes: Vec<&String> = parts.iter().filter(is_answer).collect();
        page.figures.push(figure("Answers", &nodes.len().to_string(), "to questions"));
        let link = |node: &&String| {
            let key = percent_encoding::percent_decode_str(&node[below.len()..]).decode_utf8_lossy();
            vec![context.link_to(Words::foreign(&key), node)]
        };
        sections.push(Section::new(
            "answers",
            "Answers, by question",
            vec![PagePiece::Names(nodes.iter().map(link).collect())],
        ));
    }
    page.figures.extend(size(context.view.records(), iri).map(|bytes| figure("Size", bytes, "bytes")));
    page.figures.push(count_of(&all));
    Ok(thing::with(page, sections))
}

/// The names under which the same answers are here, where there are several.
fn names_of(all: &[&ArchivedEvaluation]) -> Option<WordLine> {
    let names: BTreeSet<&str> = all.iter().flat_map(|one| one.systems()).map(String::as_str).collect();
    let listed = names.iter().copied().collect::<Vec<_>>().join(", ");
    (names.len() > 1)
        .then(|| vec![Words::plain("the same bytes under several names: "), Words::foreign(&listed)])
}

/// The page of evaluations that are published together.
fn experiment(context: &PageContext<'_>, iri: &str) -> Result<SitePage> {
    let members = context.view.members(iri);
    let all = evaluations(context, |one| members.contains(one.iri.as_str()));
    let mut page = thing::page(context)?;
    page.title = format!("{}, published together", counted(all.len() as u64, "evaluation"));
    page.heading = vec![Words::plain(&page.title)];
    page.figures = vec![count_of(&all)];
    if let Some(latest) = context.view.publications(iri).last() {
        if let Some(title) = &latest.by.title {
            (page.title, page.heading) = (html(title).into_owned(), vec![Words::foreign(title)]);
        }
        let by = latest.by.creators.iter().chain([&latest.by.publisher]);
        let mut named: Vec<Words> =
            by.map(|one| context.anywhere(Words::foreign(&one.spoken()), &one.iri)).collect();
        named.dedup();
        let mut lead =
            vec![Words::plain(&format!("Published on {}, version {}, by ", latest.day, latest.number))];
        lead.extend(named.into_iter().flat_map(|name| [Words::plain(", "), name]).skip(1));
        page.lead = lead;
    }
    page.pieces.insert(0, PagePiece::text(context.asked_of("experiment", "published", iri).into()));
    let matrix =
        Section::new("matrix", "Systems and datasets", matrices(context, &all, &NumberChoice::default()));
    Ok(thing::with(page, vec![matrix, results(context, &all)]))
}

/// The page of a file: what it is, and who uses it.
fn file(context: &PageContext<'_>, sha256: &str) -> Result<SitePage> {
    let records = context.view.records();
    let iri = context.linker.iri(context.route);
    let all = evaluations(context, |one| {
        one.gold == sha256 || one.answers == sha256 || one.references.iter().any(|(_, known)| known == sha256)
    });
    let mut page = thing::page(context)?;
    page.title = format!("File {}", sha256.get(..16).unwrap_or(sha256));
    page.heading = vec![Words::plain(&page.title)];
    page.lead = vec![Words::iri(sha256)];
    let mut facts = vec![(Words::plain("sha256"), vec![vec![Words::iri(sha256)]])];
    let mut is_shown = false;
    for distribution in records.texts(&iri, prov::SPECIALIZATION_OF) {
        let owner = distribution.split("/dist/").next().unwrap_or(distribution);
        is_shown |= context.view.shows_content(owner);
        facts.push((Words::plain("File of"), vec![vec![context.named(owner)]]));
        if let Some(bytes) = records.text(distribution, dcat::BYTE_SIZE) {
            page.figures.push(figure("Size", bytes, "bytes"));
        }
        let media =
            records.text(distribution, dcat::MEDIA_TYPE).and_then(|iri| iri.split_once("media-types/"));
        facts.extend(media.map(|(_, name)| (Words::plain("Media type"), vec![vec![Words::code(name)]])));
        let format = records.text(distribution, qassay::FORMAT);
        facts.extend(format.map(|name| (Words::plain("Format"), vec![vec![Words::code(name)]])));
        facts.push((Words::plain("Rights and source"), vec![source(context, owner)]));
    }
    page.figures.push(count_of(&all));
    let given: Vec<_> = all.iter().copied().filter(|one| one.answers == sha256).collect();
    facts.extend(names_of(&given).map(|names| (Words::plain("Given by"), vec![names])));
    let about = Section::new("about", "The file", vec![PagePiece::Facts(facts)]);
    let mut sections = vec![about];
    if !all.is_empty() {
        sections.push(results(context, &all));
    }
    if is_shown {
        let lines = lines_of(&context.view.archived.archive.file(sha256)).map_or_else(
            || {
                PagePiece::said(
                    "No text, or too long a one for a page: its address gives programs the bytes.",
                )
            },
            PagePiece::Numbered,
        );
        sections.push(Section::new("lines", "Its lines", vec![lines]));
    }
    Ok(thing::with(page, sections))
}

/// The lines of a text that is not too long for a page.
fn lines_of(place: &Path) -> Option<Vec<String>> {
    let size = place.metadata().ok()?.len();
    let text = String::from_utf8(read_file(place).ok().filter(|_| size <= MOST_BYTES)?).ok()?;
    let lines: Vec<String> = text.lines().map(|line| html(line).into_owned()).collect();
    (lines.len() <= MOST_LINES).then_some(lines)
}
