//! Orders: what the fields of a form want done, checked against what the server has and lets strangers do.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::base::error::{Error, Result};
use crate::base::system_name::check_system_name;
use crate::base::text::{self, counted};
use crate::kb::find::recorded;
use crate::serve::place::RunSettings;
use crate::serve::uploads::SentForm;
use crate::site::new::RunOffer;
use crate::sources::archive::Archive;
use crate::sources::catalogue::{EntryKind, entries, named};
use crate::systems::address::AddressPolicy;
use crate::systems::description::Protocol;
use crate::workbench::Workbench;
use crate::workbench::blind::BlindPhase;
use crate::workbench::run::{PublishWish, refuse_secrets};
use crate::workbench::run_request::{AnswerSource, RunRequest, choice_names};

/// The fields with files of what is referred to. Links are registered ones where they are named by a text.
const REFERENCE_FILES: [(&str, &str); 7] = [
    ("links-file", "links"),
    ("links", "links"),
    ("labels", "labels"),
    ("types", "types"),
    ("classes", "classes"),
    ("question-types", "question-types"),
    ("assessments", "assessments"),
];

/// The other fields with files.
const FILES: [&str; 2] = ["gold", "answers"];

/// The other fields.
const FIELDS: [&str; 15] = [
    "dataset",
    "submission",
    "system",
    "ask",
    "endpoint",
    "protocol",
    "set",
    "profile",
    "links",
    "kb",
    "gold-answers",
    "visibility",
    "creator",
    "licence",
    "title",
];

/// Fields of the page alone.
const OF_PAGE: [&str; 3] = ["only", "words", "phase"];

/// The fields with texts.
fn text_fields() -> Vec<&'static str> {
    FIELDS.into_iter().chain(OF_PAGE).chain(choice_names()).collect()
}

/// The fields with files.
fn file_fields() -> Vec<&'static str> {
    FILES.into_iter().chain(REFERENCE_FILES.map(|(field, _)| field)).collect()
}

/// A run that somebody wants.
#[derive(Debug, Clone)]
pub(crate) struct RunOrder {
    /// What is to be scored.
    pub(crate) request: RunRequest,
    /// What is said of its publication.
    pub(crate) stated: PublishWish,
    /// Whether it is to be published when it is done.
    pub(crate) is_public: bool,
}

/// What an archive has to score with, and what may be asked.
///
/// # Errors
/// Where the archive cannot be read.
pub(crate) fn offer(archive: &Path, settings: &RunSettings) -> Result<RunOffer> {
    let is_here = |entry: &&'static crate::sources::catalogue::Entry| {
        entry.kind == EntryKind::Dataset && named::place(archive, entry).is_some()
    };
    let links = Workbench::new(archive).link_sets()?;
    let is_offered = |one: &&Protocol| one.name != Protocol::FUNCTION && refuse_secrets(one).is_ok();
    let protocols = Protocol::all().iter().filter(is_offered);
    let protocols = protocols.map(|one| (one.name.clone(), one.title.clone()));
    Ok(RunOffer {
        datasets: entries().iter().filter(is_here).collect(),
        links: links.iter().map(|one| format!("{}@{}", one.name, one.version)).collect(),
        bases: recorded(&Archive::open(archive)?)?.iter().map(|one| one.base.label()).collect(),
        systems: settings.listed.iter().map(|one| one.name.clone()).collect(),
        protocols: if settings.asks_public { protocols.collect() } else { Vec::new() },
        phases: Workbench::new(archive).phases()?.iter().map(|phase| (word(phase), title(phase))).collect(),
        closed: None,
    })
}

/// What names a test phase in a form.
fn word(phase: &BlindPhase) -> String {
    format!("{} {}", phase.dataset, phase.profile)
}

/// What a test phase is called.
fn title(phase: &BlindPhase) -> String {
    let version = phase.dataset.rsplit('/').next().unwrap_or_default();
    format!("{} (version {version}), scored with {}", phase.name, phase.profile)
}

/// Answers for a test phase: the phase, the files, and the names of their systems.
pub(crate) type HandedIn = (BlindPhase, Vec<(String, Option<String>)>);

/// Answers that are handed in in a test phase: the phase, the files, and the names of their systems; or what is wrong, by its
/// field. `name`: what names the phase, in the form.
pub(crate) fn handed_in(
    form: &SentForm,
    archive: &Path,
    settings: &RunSettings,
) -> Result<HandedIn, (String, Error)> {
    let at = |field: &'static str| move |error: Error| (field.to_owned(), error);
    let phases = Workbench::new(archive).phases().map_err(at("phase"))?;
    let wanted = form.first("phase").unwrap_or_default();
    let phase = phases.iter().find(|phase| word(phase) == wanted).cloned().ok_or_else(|| {
        let known: Vec<String> = phases.iter().map(word).collect();
        let error = Error::input("there is no such test phase");
        at("phase")(match known.as_slice() {
            [] => error.hint("none goes on here: it begins with the first `qassay evaluate ⌥blind`, and ends with the release"),
            known => error.allowed(known.join(", ")),
        })
    })?;
    let first =
        |wrong: WrongAnswers| wrong.into_iter().next().map(|(field, error)| (field.to_owned(), error));
    if let Some(unknown) = form.unknown(&text_fields(), &file_fields()).into_iter().next() {
        return Err(unknown);
    }
    let sources = answers(form, settings).map_err(|wrong| first(wrong).expect("something is wrong"))?;
    sources.iter().map(AnswerSource::system).try_for_each(check_system_name).map_err(at("system"))?;
    let file = |source: AnswerSource| match source {
        AnswerSource::File { file, system } => Ok((file, system)),
        AnswerSource::Live { .. } => Err(at("ask")(Error::input("in a test phase, files are handed in"))),
    };
    let files: Vec<_> = sources.into_iter().map(file).collect::<Result<_, _>>()?;
    if files.is_empty() {
        return Err(at("answers")(Error::input("there are no answers").allowed("a file of answers")));
    }
    Ok((phase, files))
}

impl RunOrder {
    /// The order of a form, with answers that are here already; or what is wrong with it, by its fields.
    pub(crate) fn of(
        form: &SentForm,
        offer: &RunOffer,
        settings: &RunSettings,
        taken: &[AnswerSource],
    ) -> Result<Self, Vec<(String, Error)>> {
        let mut problems: Vec<(String, Error)> = Vec::new();
        let mut fail = |field: &str, error: Error| problems.push((field.to_owned(), error));
        for (name, error) in form.unknown(&text_fields(), &file_fields()) {
            fail(&name, error);
        }
        if form.fields.contains_key("set") && !form.fields.contains_key("endpoint") {
            fail("set", Error::input("no system is named that this would be for").allowed("with `endpoint`"));
        }
        let dataset = form.fields.get("dataset").cloned().unwrap_or_default();
        for name in dataset.iter().filter(|name| !offer.datasets.iter().any(|one| one.name == **name)) {
            let here: Vec<&str> = offer.datasets.iter().map(|one| one.name).collect();
            let error = Error::input(format!("this server has no dataset `{}`", text::name(name)));
            fail(
                "dataset",
                if here.is_empty() {
                    error.allowed("a gold file of your own")
                } else {
                    error.allowed(here.join(", "))
                },
            );
        }
        for (field, here) in [("links", &offer.links), ("kb", &offer.bases)] {
            for word in form.fields.get(field).into_iter().flatten().filter(|word| !here.contains(word)) {
                let error = Error::input(format!("this server has nothing called `{}`", text::name(word)));
                fail(field, if here.is_empty() { error } else { error.allowed(here.join(", ")) });
            }
        }
        let mut golds = form.files("gold").into_iter();
        let gold = golds.next();
        if golds.next().is_some() {
            fail("gold", Error::input("there are several gold files").allowed("one"));
        }
        let answers = match answers(form, settings) {
            Ok(answers) => {
                let stated = form.fields.get("system").cloned().unwrap_or_default();
                let further = stated.get(answers.len()..).unwrap_or_default().iter().map(Some);
                let all = taken.iter().zip(further.chain(std::iter::repeat(None)));
                let taken: Vec<AnswerSource> = all.map(|(one, name)| called(one, name)).collect();
                answers.into_iter().chain(taken).collect()
            }
            Err(wrong) => {
                for (field, error) in wrong {
                    fail(field, error);
                }
                // Some were meant: that there are none is not what is wrong.
                vec![AnswerSource::File { file: "answers".to_owned(), system: None }]
            }
        };
        let request = RunRequest {
            dataset,
            gold,
            answers,
            profile: once_each(form.parted("profile")),
            gold_answers: form.first("gold-answers").map(str::to_owned),
            kb: form.fields.get("kb").cloned().unwrap_or_default(),
            references: references(form),
            choices: choice_names()
                .map(|name| (name.to_owned(), once_each(form.parted(name))))
                .filter(|(_, values)| !values.is_empty())
                .collect(),
        };
        let stated = publication(form, &PublishWish::default());
        let is_public = is_to_be_public(form);
        if !["public", PRIVATE].contains(&visibility(form)) {
            let error = format!("`{}` is nobody who sees it", text::name(visibility(form)));
            fail("visibility", Error::input(error).allowed("private, public"));
        }
        for error in if is_public { stated.problems_now() } else { stated.problems() } {
            fail(&field_of(&error, "visibility"), error);
        }
        for error in request.checked().err().into_iter().flatten() {
            let field = field_of(&error, "profile");
            let is_told = problems.iter().any(|(known, _)| *known == field);
            problems.extend((!is_told).then_some((field, error)));
        }
        if problems.is_empty() { Ok(Self { request, stated, is_public }) } else { Err(problems) }
    }
}

/// The field that an error names as its place.
pub(crate) fn field_of(error: &Error, else_of: &str) -> String {
    error.place().filter(|place| !place.contains([' ', ','])).unwrap_or(else_of).to_owned()
}

fn references(form: &SentForm) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    if let Some(links) = form.fields.get("links") {
        all.insert("links".to_owned(), links.clone());
    }
    for (field, option) in REFERENCE_FILES {
        let files = form.files(field);
        if !files.is_empty() {
            all.entry(option.to_owned()).or_default().extend(files);
        }
    }
    all
}

/// Answers that are here, under another name where somebody says one.
fn called(answers: &AnswerSource, name: Option<&String>) -> AnswerSource {
    match (answers, name) {
        (AnswerSource::File { file, .. }, Some(name)) => {
            AnswerSource::File { file: file.clone(), system: Some(name.clone()) }
        }
        _ => answers.clone(),
    }
}

/// What is wrong with where answers come from, by its fields.
type WrongAnswers = Vec<(&'static str, Error)>;

/// Where answers come from: files, systems by name, a system at an address.
fn answers(form: &SentForm, settings: &RunSettings) -> Result<Vec<AnswerSource>, WrongAnswers> {
    let mut wrong = WrongAnswers::new();
    let files = form.files("answers");
    let endpoint = form.first("endpoint");
    let stated = form.fields.get("system").cloned().unwrap_or_default();
    let names = if stated.len() == 1 && files.len() > 1 { form.parted("system") } else { stated };
    let taken = once_each(form.parted("submission")).len();
    let wanted = files.len().max(usize::from(endpoint.is_some()));
    // Answers that are here already have names; who says others says all of them.
    if !names.is_empty() && ![wanted, wanted + taken].contains(&names.len()) {
        let what = format!("{}, {}", counted(wanted + taken, "file"), counted(names.len(), "name"));
        let error = Error::input(what).allowed("a name for each file of answers, in their order, or none");
        wrong.push(("system", error));
    }
    let mut all: Vec<AnswerSource> = Vec::new();
    for (at, file) in files.iter().enumerate() {
        all.push(AnswerSource::File { file: file.clone(), system: names.get(at).cloned() });
    }
    for name in form.fields.get("ask").into_iter().flatten() {
        match settings.listed.iter().find(|one| one.name == *name) {
            Some(listed) => all.push(AnswerSource::Live {
                address: listed.address.clone(),
                protocol: listed.protocol.clone(),
                system: Some(listed.name.clone()),
                set: listed.set.clone(),
            }),
            None => {
                wrong.push(("ask", Error::input(format!("no system here is called `{}`", text::name(name)))));
            }
        }
    }
    if endpoint.is_some() && !settings.asks_public {
        let error = Error::input("this server asks no systems at addresses that strangers name")
            .hint("`qassay ask` does, on your machine");
        wrong.push(("endpoint", error));
    } else if let Some(address) = endpoint {
        let checked = AddressPolicy::Public.address(address);
        let protocol = Protocol::named(form.first("protocol").unwrap_or("gerbil"));
        match protocol.and_then(|protocol| refuse_secrets(protocol).map(|()| protocol)) {
            Ok(protocol) => all.push(AnswerSource::Live {
                address: address.to_owned(),
                protocol: protocol.name.clone(),
                system: if files.is_empty() { names.first().cloned() } else { None },
                set: form.parted("set"),
            }),
            Err(error) => wrong.push(("protocol", error)),
        }
        wrong.extend(checked.err().map(|error| ("endpoint", error)));
    }
    if wrong.is_empty() { Ok(all) } else { Err(wrong) }
}

/// Words as they are given, each where it is first: a form may repeat one a hundred thousand times.
pub(crate) fn once_each(mut words: Vec<String>) -> Vec<String> {
    let mut known = BTreeSet::new();
    words.retain(|word| known.insert(word.clone()));
    words
}

/// Who sees what a form begins, when nothing is said.
const PRIVATE: &str = "private";

fn visibility(form: &SentForm) -> &str {
    form.first("visibility").unwrap_or(PRIVATE)
}

/// Whether what a form begins is to be published without another word.
pub(crate) fn is_to_be_public(form: &SentForm) -> bool {
    visibility(form) != PRIVATE
}

/// What the fields of a form say of a publication; what they do not say was said before.
pub(crate) fn publication(form: &SentForm, before: &PublishWish) -> PublishWish {
    let said = |field: &str, before: &Option<String>| form.first(field).map(str::to_owned).or(before.clone());
    PublishWish {
        creator: said("creator", &before.creator),
        licence: said("licence", &before.licence),
        title: said("title", &before.title),
    }
}
