//! Whatever has an IRI: what is said of it and of its parts, and what names it, as a page; and the same statements in the
//! forms of RDF.

use std::collections::{BTreeMap, BTreeSet};

use oxigraph::io::{JsonLdProfileSet, RdfFormat, RdfSerializer};
use oxigraph::model::{GraphName, Quad};

use crate::base::error::{Error, Result};
use crate::base::text::{beginning, counted};
use crate::base::vocab::{code, qassay, rdf, skos};
use crate::profiles::ontology;
use crate::record::archived::ArchivedEvaluation;
use crate::site::context::PageContext;
use crate::site::graphs::{named, ontology_lines, text_of};
use crate::site::page::{PagePiece, PageSheet, Section, SheetHead, SheetRow, SitePage, WordLine, Words};
use crate::site::route::{PageForm, Route, Vocabulary};

/// So many parts of a thing stand on its page, and so many things that name it.
const MOST: usize = 200;

/// What a page is about: the thing, and the parts that have no page of their own, in order.
///
/// # Errors
/// Where a graph cannot be read.
pub(crate) fn subjects(context: &PageContext<'_>) -> Result<Vec<String>> {
    let route = context.route;
    if let Route::Terms(vocabulary) = route {
        return Ok(ontology_lines().below(vocabulary.namespace()).map(str::to_owned).collect());
    }
    let iri = context.linker.iri(route);
    // Of what was withdrawn nothing else is left: who withdrew it and why is said of its parts.
    let is_gone = context.view.tombstone(&iri).is_some();
    let is_here = |part: &String| {
        let path = context.linker.path(part).and_then(Route::showing);
        is_gone || path.is_some_and(|(shown, _)| shown == *route)
    };
    let mut parts: BTreeSet<String> = context.view.parts(&iri)?.into_iter().filter(is_here).collect();
    // Matches and judgements stand beside the observation that they belong to.
    if let Route::Observation(key, experiment, question) = route {
        let evaluation = context.linker.iri(&Route::Evaluation(key.clone()));
        for kind in ["match", "judgement"] {
            let whole = format!(
                "{}{}",
                crate::base::iri::part_of(&evaluation, kind, experiment),
                crate::base::iri::segment(question)
            );
            parts.extend(context.view.parts(&whole)?);
        }
    }
    Ok([iri].into_iter().chain(parts).collect())
}

/// The page.
///
/// # Errors
/// Where a graph cannot be read.
pub(crate) fn page(context: &PageContext<'_>) -> Result<SitePage> {
    let iri = context.linker.iri(context.route);
    let subjects = subjects(context)?;
    let title = context.view.title(&iri);
    let path = context.route.path();
    let said = context.view.said(&iri)?;
    let classes = said.iter().filter(|quad| quad.predicate.as_str() == rdf::TYPE);
    let mut names: Vec<String> = classes.map(|quad| class_name(context, text_of(&quad.object))).collect();
    names.dedup();
    let mut page = SitePage {
        title: crate::base::text::html(title.as_deref().unwrap_or(&path)).into_owned(),
        kicker: kind(&path).to_owned(),
        heading: vec![title.map_or_else(|| Words::iri(&path), |title| Words::foreign(&title))],
        lead: vec![Words::foreign(&names.join(", "))],
        crumbs: crumbs(context),
        has_statements: true,
        ..SitePage::default()
    };
    if said.is_empty() {
        page.pieces.push(PagePiece::said(if subjects.len() > 1 {
            "Its parts:"
        } else {
            "Nothing is said of it here."
        }));
    } else {
        page.pieces.push(PagePiece::Facts(context.facts(&said)));
    }
    page.pieces.extend(query_of(context, &iri));
    page.sections.extend(parts(context, &iri, &subjects)?);
    page.sections.extend(naming(context, &iri, &subjects)?);
    Ok(page)
}

/// A page with sections of its own before all that is said of the thing.
pub(crate) fn with(mut page: SitePage, own: Vec<Section>) -> SitePage {
    let said = Section::new("statements", "All that is said of it", std::mem::take(&mut page.pieces));
    let further = std::mem::take(&mut page.sections);
    page.sections = own.into_iter().chain([said]).chain(further).collect();
    page.sections.retain(|section| !section.pieces.is_empty());
    page
}

fn class_name(context: &PageContext<'_>, class: &str) -> String {
    let local = class.rsplit(['#', '/']).next().unwrap_or(class);
    context.view.title(class).unwrap_or_else(|| local.to_owned())
}

/// What kind of thing has a path, in a word.
fn kind(path: &str) -> &'static str {
    let parts: Vec<&str> = path.split('/').collect();
    match *parts.as_slice() {
        ["dataset", _] => "Dataset",
        ["dataset", _, _] => "Dataset version",
        ["dataset", _, _, "q", ..] => "Question",
        ["submission", _] => "Submission",
        ["submission", _, "a", ..] => "Answer",
        ["system", ..] => "System",
        ["experiment", ..] => "Experiment",
        ["file", ..] => "File",
        ["profile", ..] => "Profile",
        ["links" | "linkset", ..] => "Links",
        ["kb", ..] => "Knowledge base",
        ["answers", ..] => "What a knowledge base answered",
        ["gold", ..] => "Refreshed gold answers",
        ["execution", ..] => "Execution",
        ["engine", ..] => "Build",
        ["graph", ..] => "Graph",
        ["contents", ..] => "Contents of graphs",
        ["evaluation", _, "agg", ..] => "Numbers of a group of questions",
        ["evaluation", ..] => "Part of an evaluation",
        ["catalog"] => "Catalogue",
        ["ns", _] => "Term",
        ["code", _] => "Concept",
        _ => "Thing",
    }
}

/// The pages on the way to this one that exist.
fn crumbs(context: &PageContext<'_>) -> Vec<Words> {
    let path = context.route.path();
    let ends = path.match_indices('/').map(|(at, _)| &path[..at]);
    let links = ends.filter_map(|above| {
        let route = Route::parse(above)?;
        let title = context.view.title(&context.linker.iri(&route));
        let words = context.link(Words::foreign(title.as_deref().unwrap_or(above)), &route);
        (!words.href.is_empty()).then_some(words)
    });
    links.collect()
}

/// The place of a part on the page of a thing.
fn place(whole: &str, part: &str) -> String {
    part.strip_prefix(whole).unwrap_or(part).trim_start_matches(['/', '#']).to_owned()
}

fn parts(context: &PageContext<'_>, iri: &str, subjects: &[String]) -> Result<Vec<Section>> {
    let parts: Vec<&String> = subjects.iter().filter(|part| *part != iri).collect();
    // All places that others link to must be there.
    let is_whole = matches!(context.route, Route::EvaluationPart(..));
    let most = if is_whole { parts.len() } else { MOST };
    let mut sections = Vec::new();
    for part in parts.iter().take(most) {
        let place = place(iri, part);
        let title = context.view.title(part).unwrap_or_else(|| place.clone());
        let title = crate::base::text::html(&title).into_owned();
        let pieces = vec![PagePiece::Facts(context.facts(&context.view.said(part)?))];
        sections.push(Section::new(&place, &title, pieces));
    }
    if parts.len() > most {
        let more = counted((parts.len() - most) as u64, "part");
        sections.push(Section::new(
            "more",
            "More",
            vec![PagePiece::said(&format!("The statements have {more} more."))],
        ));
    }
    Ok(sections)
}

/// The query that a concept names.
fn query_of(context: &PageContext<'_>, concept: &str) -> Option<PagePiece> {
    let name = concept.strip_prefix(code::NAMESPACE)?.strip_prefix("match-")?;
    let route = Route::Query("match".to_owned(), name.to_owned());
    let words = context.link(Words::code(&format!("queries/match/{name}.rq")), &route);
    (!words.href.is_empty()).then(|| PagePiece::text(vec![Words::plain("Query: "), words]))
}

/// What names the thing or one of its parts, and is not one of them.
fn naming(context: &PageContext<'_>, iri: &str, subjects: &[String]) -> Result<Option<Section>> {
    let known: BTreeSet<&String> = subjects.iter().collect();
    // What uses a term is everything: only what defines others by it is worth a line.
    let all = match context.route {
        Route::Term(..) => ontology_lines().naming(iri).map(str::to_owned).collect(),
        _ => context.view.naming(iri)?,
    };
    // Its parts with pages of their own are listed as such.
    let below = format!("{iri}/");
    let is_other = |other: &String| !known.contains(other) && !other.starts_with(&below);
    let all: Vec<String> = all.into_iter().filter(is_other).collect();
    let of_evaluations = evaluations(context, iri);
    if all.is_empty() && of_evaluations.is_empty() {
        return Ok(None);
    }
    let mut pieces = Vec::new();
    if !of_evaluations.is_empty() {
        let lines = of_evaluations.into_iter().map(|one| context.evaluation(&one.iri)).collect();
        pieces.extend([PagePiece::Heading("", "Evaluations".to_owned()), PagePiece::List(lines)]);
    }
    let lines: Vec<WordLine> =
        all.iter().take(MOST).map(|other| vec![context.link_to(Words::iri(other), other)]).collect();
    if !lines.is_empty() {
        pieces.extend([PagePiece::Heading("", "Statements".to_owned()), PagePiece::List(lines)]);
    }
    if all.len() > MOST {
        pieces.push(PagePiece::said(&format!("And {} more.", all.len() - MOST)));
    }
    Ok(Some(Section::new("named-by", "What refers to it", pieces)))
}

/// The evaluations that used the thing.
pub(crate) fn evaluations<'c>(context: &PageContext<'c>, iri: &str) -> Vec<&'c ArchivedEvaluation> {
    context.view.archived.evaluations.iter().filter(|one| parts_of(context, one).contains(iri)).collect()
}

/// How many evaluations each thing is part of, by its IRI.
pub(crate) fn evaluation_counts(context: &PageContext<'_>) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for iri in context.view.archived.evaluations.iter().flat_map(|one| parts_of(context, one)) {
        *counts.entry(iri).or_default() += 1;
    }
    counts
}

/// The things that an evaluation is made of, by their IRIs.
fn parts_of(context: &PageContext<'_>, one: &ArchivedEvaluation) -> BTreeSet<String> {
    let mint = context.view.archived.archive.mint();
    let mut parts: BTreeSet<String> = one.systems().map(|name| mint.system(name)).collect();
    parts.insert(one.profile.clone());
    parts.extend(one.references.iter().map(|(kind, sha256)| mint.reference(kind.name(), sha256)));
    if let Some(summary) = context.view.summary(&one.iri) {
        parts.extend([summary.dataset.clone(), summary.submission.clone()]);
        parts.extend(summary.dataset.rsplit_once('/').map(|(dataset, _)| dataset.to_owned()));
    }
    parts
}

/// The page of a vocabulary: all of its terms.
///
/// # Errors
/// Where the ontology cannot be read.
pub(crate) fn vocabulary(context: &PageContext<'_>, vocabulary: Vocabulary) -> Result<SitePage> {
    let (title, lead) = match vocabulary {
        Vocabulary::Ns => ("Classes and properties", "What statements of qassay are made of."),
        Vocabulary::Code => (
            "Code lists",
            "Measures, rules, groups of questions and all other concepts, with their definitions.",
        ),
    };
    let subjects = subjects(context)?;
    let row = |term: &String| {
        let name = place(vocabulary.namespace(), term);
        let title = context.view.title(term).unwrap_or_default();
        let cells = vec![
            context.link_to(Words::code(&name), term).into(),
            Words::plain(&title).into(),
            Words::plain(&definition(term)).into(),
        ];
        SheetRow { id: name, cells }
    };
    let sheet = |id: &str, caption: &str, terms: Vec<&String>| {
        PagePiece::Sheet(PageSheet {
            id: format!("terms-{id}"),
            caption: vec![Words::plain(caption)],
            heads: ["Name", "Label", "Definition"].map(SheetHead::text).to_vec(),
            rows: terms.into_iter().map(row).collect(),
            is_filtered: true,
            ..PageSheet::default()
        })
    };
    let terms = subjects.iter().filter(|term| *term != vocabulary.namespace());
    let (measures, others): (Vec<&String>, Vec<&String>) = terms.partition(|term| is_measure(term));
    let all = vec![sheet("others", "Each leads to all that is said of it.", others)];
    let mut sections = vec![Section::new("terms", "Terms", all)];
    if !measures.is_empty() {
        let caption = "Each leads to its formula, its empty cases and its source.";
        sections.insert(0, Section::new("measures", "Measures", vec![sheet("measures", caption, measures)]));
    }
    Ok(SitePage {
        title: title.to_owned(),
        kicker: "Vocabulary".to_owned(),
        heading: vec![Words::plain(title)],
        lead: vec![Words::plain(lead)],
        has_statements: true,
        sections,
        ..SitePage::default()
    })
}

/// The beginning of what the ontology says that a term is.
fn definition(term: &str) -> String {
    const MOST: usize = 120;
    let facts = [ontology::terms(), ontology::groups(), ontology::systems()];
    let said = facts.iter().find_map(|facts| facts.text(term, skos::DEFINITION));
    said.map_or_else(String::new, |text| beginning(text, MOST))
}

/// Whether a term is a measure of evaluations.
fn is_measure(term: &str) -> bool {
    ontology::terms().texts(term, skos::IN_SCHEME).any(|scheme| scheme == code::iri("metric"))
}

/// The prefixes of forms that have some.
const PREFIXES: [(&str, &str); 8] = [
    ("qassay", qassay::NAMESPACE),
    ("code", code::NAMESPACE),
    ("qb", "http://purl.org/linked-data/cube#"),
    ("prov", "http://www.w3.org/ns/prov#"),
    ("dct", "http://purl.org/dc/terms/"),
    ("dcat", "http://www.w3.org/ns/dcat#"),
    ("skos", "http://www.w3.org/2004/02/skos/core#"),
    ("xsd", "http://www.w3.org/2001/XMLSchema#"),
];

/// The statements of a page in a form.
///
/// # Errors
/// Where they cannot be read, or the form is none of RDF.
pub(crate) fn statements(context: &PageContext<'_>, form: PageForm) -> Result<Vec<u8>> {
    let format = match form {
        PageForm::Turtle => RdfFormat::Turtle,
        PageForm::NQuads => RdfFormat::NQuads,
        PageForm::TriG => RdfFormat::TriG,
        PageForm::NTriples => RdfFormat::NTriples,
        PageForm::JsonLd => RdfFormat::JsonLd { profile: JsonLdProfileSet::empty() },
        PageForm::Html | PageForm::Json => {
            return Err(Error::input(format!("{} has no statements", form.name())));
        }
    };
    let mut quads: BTreeSet<(String, String)> = BTreeSet::new();
    let mut all: Vec<Quad> = Vec::new();
    for subject in subjects(context)? {
        for quad in context.view.said(&subject)? {
            let graph =
                if format.supports_datasets() { quad.graph_name.clone() } else { GraphName::DefaultGraph };
            let quad = Quad { graph_name: graph, ..quad };
            if quads.insert((quad.graph_name.to_string(), quad.to_string())) {
                all.push(quad);
            }
        }
    }
    all.sort_by_cached_key(|quad| {
        (quad.graph_name.to_string(), named(quad).map(str::to_owned), quad.to_string())
    });
    write(format, &all).map_err(|error| Error::system(format!("cannot write {}: {error}", form.name())))
}

fn write(format: RdfFormat, quads: &[Quad]) -> std::io::Result<Vec<u8>> {
    let mut serializer = RdfSerializer::from_format(format);
    for (name, iri) in PREFIXES {
        serializer = serializer.with_prefix(name, iri).map_err(std::io::Error::other)?;
    }
    let mut writer = serializer.for_writer(Vec::new());
    for quad in quads {
        writer.serialize_quad(quad)?;
    }
    writer.finish()
}
