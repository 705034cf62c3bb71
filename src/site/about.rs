//! The page about the archive itself: what it is, who publishes in it, what is kept, under which licences and limits, how it is cited,
//! where programs ask. Where there is a server, it says what it does, too.

use std::collections::BTreeMap;

use crate::record::publication::licence::{Licence, OF_VOCABULARY, USUAL};
use crate::record::publish::provenance::build;
use crate::site::context::PageContext;
use crate::site::home::LEAD;
use crate::site::linker::relative;
use crate::site::page::{PagePiece, Section, SitePage, WordLine, Words};
use crate::site::route::{ListPage, Route, Vocabulary};

/// So many of those who publish are named.
const PUBLISHERS: usize = 20;

/// The lists of all that is public, for machines: what they are called, and their files.
pub(crate) const FRAME_LISTS: [(&str, &str); 2] = [("DCAT catalogue", "catalog.ttl"), ("feed", "feed.atom")];

/// What a server says of itself.
#[derive(Debug, Clone, Default)]
pub struct AboutServer {
    /// What its addresses begin with.
    pub place: String,
    /// What it does for whom, and how much: what, and within which limits.
    pub limits: Vec<(String, String)>,
    /// What it keeps of what is sent, and how long.
    pub kept: Vec<String>,
    /// The paths where programs ask, and what is there.
    pub doors: Vec<(String, String)>,
}

/// The page.
pub(crate) fn page(context: &PageContext<'_>, server: Option<&AboutServer>) -> SitePage {
    let facts = |facts: Vec<(&str, Vec<WordLine>)>| {
        let facts = facts.into_iter().filter(|(_, lines)| !lines.is_empty());
        PagePiece::Facts(facts.map(|(what, lines)| (Words::plain(what), lines)).collect())
    };
    let of = vec![
        ("Published by", publishers(context)),
        ("IRIs begin with", vec![vec![Words::iri(context.linker.base())]]),
        ("Made by", vec![vec![Words::plain("qassay, build "), Words::code(&build())]]),
    ];
    let mut sections = vec![Section::new("kept", "What is kept", vec![PagePiece::List(kept(server))])];
    if let Some(server) = server {
        let line = |told: &str| vec![vec![Words::plain(told)]];
        let limits = server.limits.iter().map(|(what, told)| (what.as_str(), line(told))).collect();
        sections.push(Section::new("limits", "Limits", vec![facts(limits)]));
    }
    sections.push(Section::new("licences", "Licences", vec![facts(licences(context))]));
    sections.push(Section::new("cite", "How to cite", vec![PagePiece::text(cite(context))]));
    sections.push(Section::new("programs", "For programs", vec![PagePiece::List(programs(context, server))]));
    SitePage {
        title: "About".to_owned(),
        kicker: "About".to_owned(),
        heading: vec![Words::plain("About this archive")],
        lead: vec![Words::plain(LEAD)],
        pieces: vec![facts(of)],
        sections,
        ..SitePage::default()
    }
}

/// Who publishes here, by what they are called.
fn publishers(context: &PageContext<'_>) -> Vec<WordLine> {
    let publications =
        context.view.archived.evaluations.iter().flat_map(|one| context.view.publications(&one.iri));
    let all: BTreeMap<String, &str> =
        publications.map(|one| (one.by.publisher.spoken(), one.by.publisher.iri.as_str())).collect();
    let more = all.len().saturating_sub(PUBLISHERS);
    let named =
        all.iter().take(PUBLISHERS).map(|(name, iri)| vec![context.anywhere(Words::foreign(name), iri)]);
    let rest = (more > 0).then(|| vec![Words::plain(&format!("and {more} more"))]);
    named.chain(rest).collect()
}

fn kept(server: Option<&AboutServer>) -> Vec<WordLine> {
    let of_all = [
        "What is published stays as it is: every input as it was received, under its checksum, and what was made of it.",
        "What is withdrawn is in no list any more. Its page says who withdrew it, when and why.",
    ];
    let of_server = server.into_iter().flat_map(|server| server.kept.iter().map(String::as_str));
    of_all.into_iter().chain(of_server).map(|said| vec![Words::plain(said)]).collect()
}

fn licences<'s>(context: &PageContext<'_>) -> Vec<(&'s str, Vec<WordLine>)> {
    let named = |spdx: &str| match Licence::named(spdx) {
        Ok(licence) => vec![vec![context.anywhere(Words::plain(&licence.title), &licence.iri)]],
        Err(_) => vec![vec![Words::plain(spdx)]],
    };
    let inputs = "Each has the licence that its page tells, by whom. Where none is stated, its content is not handed on.";
    vec![
        (
            "Numbers, tables, descriptions",
            [named(USUAL), vec![vec![Words::plain("unless a publication states another")]]].concat(),
        ),
        ("Vocabulary", named(OF_VOCABULARY)),
        ("Datasets, answers, links", vec![vec![Words::plain(inputs)]]),
    ]
}

fn cite(context: &PageContext<'_>) -> WordLine {
    vec![
        Words::plain("By what a number is from: the page of each "),
        context.link(Words::plain("evaluation"), &Route::List(ListPage::Results)),
        Words::plain(" and of each "),
        context.link(Words::plain("comparison"), &Route::List(ListPage::Comparisons)),
        Words::plain(
            " has its citation with its permanent name, also as BibTeX and, with the files of its record, as CITATION.cff.",
        ),
    ]
}

fn programs(context: &PageContext<'_>, server: Option<&AboutServer>) -> Vec<WordLine> {
    let page = |words: &str, about: &str, to: &Route| {
        vec![context.link(Words::plain(words), to), Words::plain(&format!(": {about}"))]
    };
    let lists = FRAME_LISTS.into_iter().map(|(name, file)| {
        let href = relative(context.route, &[file.to_owned()]);
        vec![Words::plain(name).to(Some(href)), Words::plain(": all that is public")]
    });
    let of_server = server.into_iter().flat_map(|server| {
        server.doors.iter().map(|(path, about)| {
            let href = Some(format!("{}{path}", server.place));
            vec![Words::code(path).to(href), Words::plain(&format!(": {about}"))]
        })
    });
    [
        page("SPARQL", "all that is published, by queries", &Route::List(ListPage::Sparql)),
        page("Queries", "those behind the tables", &Route::List(ListPage::Queries)),
        page("Vocabulary", "what statements are made of", &Route::Terms(Vocabulary::Ns)),
    ]
    .into_iter()
    .chain(lists)
    .chain(of_server)
    .collect()
}
