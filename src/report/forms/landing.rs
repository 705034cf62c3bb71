//! The landing page of a record: the same for people, with typed links and JSON-LD in its head. It loads nothing.

use askama::Template;

use crate::base::error::{Error, Result};
use crate::base::iri::published_path;
use crate::base::text;
use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::{RecordFile, RecordInput, RecordMetadata, StatedLicence};
use crate::report::forms::schema_org;
use crate::report::forms::shared::{address, citation};
use crate::report::forms::signposting::links;

/// How long the summary in the head is, in characters.
const SUMMARY: usize = 300;

#[derive(Template)]
#[template(config = "src/report/askama.toml", path = "landing.html")]
struct LandingPage {
    title: String,
    summary: String,
    description: String,
    links: Vec<LandingLink>,
    json_ld: String,
    iri: String,
    doi: Option<String>,
    version: u32,
    day: String,
    creators: Vec<(String, String)>,
    publisher: (String, String),
    licence: (String, String),
    values: Vec<LandingValue>,
    files: Vec<LandingFile>,
    inputs: Vec<LandingInput>,
    attributions: Vec<String>,
    program: &'static str,
    is_partial: bool,
    folder: String,
    again: Vec<String>,
    citation: String,
}

struct LandingLink {
    relation: &'static str,
    href: String,
    media_type: Option<String>,
}

struct LandingValue {
    system: String,
    dataset: String,
    experiment: String,
    name: String,
    value: String,
}

struct LandingFile {
    href: String,
    title: String,
    description: String,
    licence: String,
    bytes: u64,
    checksum: String,
}

struct LandingInput {
    title: String,
    part: String,
    source: Option<String>,
    licence: String,
    path: Option<String>,
    withheld: String,
    checksum: String,
}

/// The page.
///
/// # Errors
/// Where there is no memory for it.
pub fn landing(metadata: &RecordMetadata) -> Result<Vec<u8>> {
    let link = |link: crate::report::forms::signposting::TypedLink| LandingLink {
        relation: link.relation,
        href: link.href().to_owned(),
        media_type: link.media_type,
    };
    let values = metadata.measured.iter().map(|one| LandingValue {
        system: shown(&one.system),
        dataset: shown(&one.dataset),
        experiment: shown(&one.experiment),
        name: shown(&one.name),
        value: one.value.clone(),
    });
    let page = LandingPage {
        title: shown(&metadata.title),
        summary: shown(&text::beginning(&metadata.description, SUMMARY)),
        description: shown(&metadata.description),
        links: links(metadata).into_iter().map(link).collect(),
        json_ld: schema_org::script(metadata),
        iri: metadata.iri.clone(),
        doi: metadata.doi_address(),
        version: metadata.version,
        day: metadata.modified.clone(),
        creators: metadata.creators.iter().map(named).collect(),
        publisher: named(&metadata.publisher),
        licence: (metadata.licence.title.clone(), metadata.licence.iri.clone()),
        values: values.collect(),
        files: metadata.items().map(|file| LandingFile::of(file, &metadata.licence)).collect(),
        inputs: metadata.inputs.iter().map(LandingInput::of).collect(),
        attributions: metadata.attributions.iter().map(|one| shown(one)).collect(),
        program: env!("CARGO_PKG_VERSION"),
        is_partial: !metadata.withheld.is_empty(),
        folder: metadata.short_name(),
        again: metadata.again.iter().map(|command| shown_lines(command)).collect(),
        citation: shown(&citation(metadata)),
    };
    let html = page.render().map_err(|error| Error::system(format!("cannot write HTML: {error}")))?;
    Ok(html.into_bytes())
}

/// A text without characters that command a terminal or turn the direction of a line.
fn shown(text: &str) -> String {
    text::html(text).into_owned()
}

/// The same of a text with lines.
fn shown_lines(text: &str) -> String {
    text.split('\n').map(shown).collect::<Vec<_>>().join("\n")
}

fn named(agent: &Agent) -> (String, String) {
    (shown(&agent.spoken()), agent.iri.clone())
}

/// The beginning of a checksum.
fn short(sha256: &str) -> String {
    sha256.get(..16).unwrap_or(sha256).to_owned()
}

/// What a licence is called in tables.
fn licence_name(licence: &StatedLicence) -> String {
    licence.spdx.clone().unwrap_or_else(|| shown(&licence.title))
}

impl LandingFile {
    fn of(file: &RecordFile, usual: &StatedLicence) -> Self {
        Self {
            href: published_path(&file.path),
            title: shown(&file.title),
            description: shown(&file.description),
            licence: licence_name(file.licence.as_ref().unwrap_or(usual)),
            bytes: file.bytes,
            checksum: short(&file.sha256),
        }
    }
}

impl LandingInput {
    fn of(input: &RecordInput) -> Self {
        Self {
            title: shown(&input.title),
            part: shown(&input.part),
            source: input.source.as_deref().and_then(address).map(str::to_owned),
            licence: input.licence.as_ref().map_or_else(|| "none stated".to_owned(), licence_name),
            path: input.path.as_deref().map(published_path),
            withheld: shown(input.withheld.as_deref().unwrap_or("it is not here")),
            checksum: short(&input.sha256),
        }
    }
}
