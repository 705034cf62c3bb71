//! What a folder of pages needs beside its pages, to be found and to be served: a feed, a map for search engines, the rules of
//! a server for permanent IRIs.

use std::cmp::Reverse;

use askama::Template;

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::record::publication::metadata::RecordMetadata;
use crate::site::Site;
use crate::site::home::computed;
use crate::site::route::{PageForm, Route};
use crate::site::view::SiteView;

/// The rules for Apache: an IRI behind the base is a file with an ending, which depends on what the reader accepts.
const HTACCESS: &str = include_str!("assets/htaccess");

/// Where the rules for what was withdrawn stand.
const WITHDRAWN: &str = "# Withdrawn.\n";

/// How long the summary of an entry is, in characters.
const SUMMARY: usize = 500;

/// How many entries the feed has: the latest.
const ENTRIES: usize = 50;

/// The most addresses of a map (sitemaps.org, protocol).
const ADDRESSES: usize = 50_000;

#[derive(Template)]
#[template(config = "src/site/askama.toml", path = "feed.xml")]
struct Feed<'a> {
    base: &'a str,
    place: &'a str,
    updated: &'a str,
    version: &'static str,
    entries: Vec<FeedEntry>,
}

struct FeedEntry {
    iri: String,
    title: String,
    issued: String,
    modified: String,
    page: String,
    authors: Vec<(String, String)>,
    licence: String,
    summary: String,
}

#[derive(Template)]
#[template(config = "src/site/askama.toml", path = "sitemap.xml")]
struct SiteMap {
    addresses: Vec<(String, Option<String>)>,
}

/// The rules for Apache. What was withdrawn answers 410; its page, with its ending, tells why.
pub fn htaccess(site: &Site<'_>, view: &SiteView<'_>) -> String {
    let is_plain =
        |path: &&str| path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-".contains(&byte));
    let paths = view.withdrawn().filter_map(|iri| site.linker().path(iri)).filter(is_plain);
    let rules: String = paths.flat_map(|path| ["RewriteRule ^", path, "(?:/.*)?$ - [G]\n"]).collect();
    HTACCESS.replace(WITHDRAWN, &format!("{WITHDRAWN}{rules}"))
}

/// The latest publications as an Atom feed (RFC 4287). `place` is where the site is: what its addresses begin with.
///
/// # Errors
/// Where there is no memory for it.
pub fn feed(site: &Site<'_>, records: &[RecordMetadata], place: &str) -> Result<Vec<u8>> {
    let base = site.linker().base();
    let shown = |text: &str| text::xml(text).into_owned();
    let entry = |one: &RecordMetadata| FeedEntry {
        iri: one.iri.clone(),
        title: shown(&one.title),
        issued: one.issued.clone(),
        modified: one.modified.clone(),
        page: format!("{place}{}.html", one.iri.strip_prefix(base).unwrap_or(&one.iri)),
        authors: one.creators.iter().map(|agent| (shown(&agent.spoken()), shown(&agent.iri))).collect(),
        licence: shown(&one.licence.title),
        summary: shown(&text::beginning(&one.description, SUMMARY)),
    };
    // Of a day those first that were computed last; of several together, the last.
    let computed = computed(site.view.archived);
    let time = |one: &RecordMetadata| {
        let members = site.view.members(&one.iri);
        members.iter().chain([&one.iri.as_str()]).filter_map(|iri| computed.get(*iri).cloned()).max()
    };
    let mut latest: Vec<&RecordMetadata> = records.iter().collect();
    latest.sort_by_cached_key(|one| (Reverse((one.modified.clone(), time(one))), one.iri.clone()));
    let updated = latest.first().map_or("1970-01-01", |one| &one.modified);
    let entries = latest.iter().take(ENTRIES).map(|one| entry(one)).collect();
    written(&Feed { base, place, updated, version: env!("CARGO_PKG_VERSION"), entries })
}

/// The pages of whole things, for search engines.
///
/// # Errors
/// Where there is no memory for it.
pub fn sitemap(site: &Site<'_>, records: &[RecordMetadata], place: &str) -> Result<Vec<u8>> {
    let day = |route: &Route| {
        let iri = site.linker().iri(route);
        records.iter().find(|record| record.iri == iri).map(|record| record.modified.clone())
    };
    let is_listed = |route: &&Route| !matches!(route, Route::Term(..)) && !site.is_withdrawn(route);
    let pages = site.linker().pages().filter(is_listed).take(ADDRESSES);
    // The way in is called by its folder.
    let path = |route: &Route| match route {
        Route::Home => String::new(),
        route => site_path(&route.file(PageForm::Html)),
    };
    let address = |route: &Route| (format!("{place}{}", path(route)), day(route));
    written(&SiteMap { addresses: pages.map(address).collect() })
}

/// Whom search engines may ask, and for what: everything.
pub fn robots(place: &str) -> Vec<u8> {
    format!("User-agent: *\nAllow: /\nSitemap: {place}sitemap.xml\n").into_bytes()
}

/// A file of a site as an address behind the place of the site.
fn site_path(names: &[String]) -> String {
    crate::base::iri::published_path(&names.join("/"))
}

fn written(template: &impl Template) -> Result<Vec<u8>> {
    let text = template
        .render()
        .map_err(|error| Error::system(format!("cannot write the list of pages: {error}")))?;
    Ok((text + "\n").into_bytes())
}
