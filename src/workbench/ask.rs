//! Asking live systems: every exchange is kept as it ends, what is kept is asked no more, and the submission follows from
//! what is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use reqwest::Url;
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::system_name::check_system_name;
use crate::base::text::{counted, with_choices};
use crate::base::watch::{Together, Watcher};
use crate::record::asking::{AskingFacts, AskingFigures};
use crate::record::keep::Keeper;
use crate::record::publish::provenance::build;
use crate::report::asking::AskedWhom;
use crate::sources::archive::Archive;
use crate::sources::document::Document;
use crate::sources::file::source::Source;
use crate::sources::format::read;
use crate::sources::input::Input;
use crate::systems::address::AddressPolicy;
use crate::systems::choose::{ChosenQuestions, WantedQuestions};
use crate::systems::description::Protocol;
use crate::systems::dialogue::Dialogue;
use crate::systems::exchange::Responder;
use crate::systems::failure::TryAgain;
use crate::systems::journal::Journal;
use crate::systems::replay::Replay;
use crate::systems::run::{DueQuestion, LiveSystem, Politeness, RunEnd};
use crate::systems::tally::AskedTally;
use crate::systems::template::{ENVIRONMENT, Secrets, Template, Values};
use crate::workbench::Workbench;

/// Who is asked what, and how.
#[derive(Debug, Clone)]
pub struct AskRequest {
    /// The dataset: a file, or the name of a fetched one. Gold answers are not needed.
    pub dataset: PathBuf,
    /// Where the system is.
    pub address: String,
    /// What it is called; none: by its address.
    pub system: Option<String>,
    /// How it is asked.
    pub protocol: Protocol,
    /// Values of places of the templates.
    pub settings: BTreeMap<String, String>,
    /// Which questions.
    pub wanted: WantedQuestions,
    /// Who may be asked.
    pub policy: AddressPolicy,
}

/// What becomes of exchanges that are kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Continuing {
    /// A new run; one that was interrupted must be named.
    #[default]
    Anew,
    /// What is missing is asked.
    Resume,
    /// What is missing and what failed is asked.
    RetryFailed,
    /// Nothing is asked: what is kept is read with the description of today.
    Replay,
    /// A new run, and one that was interrupted is kept as it is.
    Restart,
}

/// A request that was checked: nothing is asked yet.
#[derive(Debug)]
pub struct ReadyToAsk {
    /// What the system is called.
    pub system: String,
    /// Where it is.
    pub address: Url,
    /// How it is asked.
    pub protocol: Protocol,
    /// What is asked.
    pub chosen: ChosenQuestions,
    /// Places within the texts of settings for which nobody says anything: they are sent as they stand.
    pub unsaid: Vec<String>,
    policy: AddressPolicy,
    responder: Option<Arc<dyn Responder>>,
    settings: BTreeMap<String, String>,
    source: Source,
    document: Document,
    plan: String,
}

/// What came of asking a system.
#[derive(Debug)]
pub struct AskedSystem {
    /// The counts.
    pub tally: AskedTally,
    /// How the run ended; nothing where none was made.
    pub end: Option<RunEnd>,
    /// The IRI of the submission.
    pub submission: String,
    /// Where the archive has it.
    pub file: PathBuf,
}

impl AskedSystem {
    /// Why the run was stopped before its end, if it was.
    pub fn stopped(&self) -> Option<&str> {
        self.end.as_ref()?.stopped.as_deref()
    }

    /// Who was asked, and where what came of it is.
    pub fn whom(&self, ready: &ReadyToAsk) -> AskedWhom {
        AskedWhom {
            address: ready.address.to_string(),
            protocol: ready.protocol.name.clone(),
            submission: self.submission.clone(),
            file: self.file.display().to_string(),
            stopped: self.stopped().map(str::to_owned),
        }
    }
}

impl Workbench {
    /// Checks a request, and chooses the questions.
    ///
    /// # Errors
    /// Where the dataset cannot be read, the address is none that may be asked, or a place of the templates has no value.
    pub fn ready_to_ask(&self, request: &AskRequest) -> Result<ReadyToAsk> {
        request.system.as_deref().map_or(Ok(()), check_system_name)?;
        let address = request.policy.address(&request.address)?;
        let source = self.open(&request.dataset, None)?;
        let (document, _) = read(&source)?;
        let chosen = request.wanted.of(&document)?;
        let (settings, unsaid) = settled(request, document.dataset_id.as_deref())?;
        let system = request.system.clone().unwrap_or_else(|| address.authority().to_owned());
        let mut ready = ReadyToAsk {
            system,
            address,
            protocol: request.protocol.clone(),
            chosen,
            policy: request.policy,
            responder: None,
            settings,
            unsaid,
            source,
            document,
            plan: String::new(),
        };
        ready.protocol.check_headers(&ready.values())?;
        ready.plan = ready.checksum(&request.wanted);
        Ok(ready)
    }

    /// Asks several systems: those on one host one after the other, others at the same time. Nobody is asked before it is
    /// certain that all can be.
    ///
    /// # Errors
    /// Where one of them cannot be asked, as [`Workbench::ask`] says, or is there twice. What goes wrong later with one system
    /// is its own result.
    pub fn ask_all(
        &self,
        all: &[(ReadyToAsk, Politeness)],
        again: Continuing,
        watcher: &dyn Watcher,
    ) -> Result<Vec<Result<AskedSystem>>> {
        let archive = self.create()?;
        let mut plans = BTreeSet::new();
        for (ready, _) in all {
            ready.check(&archive, again)?;
            if !plans.insert(&ready.plan) {
                return Err(Error::input(format!("{} is to be asked twice", ready.address)));
            }
        }
        let mut hosts: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for ((ready, _), at) in all.iter().zip(0..) {
            hosts.entry(ready.address.host_str().unwrap_or_default()).or_default().push(at);
        }
        let questions: Vec<u64> = all.iter().map(|(ready, _)| ready.chosen.asked.len() as u64).collect();
        let together = Together::new(watcher, "asking", &questions);
        let results: Mutex<BTreeMap<usize, Result<AskedSystem>>> = Mutex::default();
        thread::scope(|scope| {
            let (together, results) = (&together, &results);
            for of_host in hosts.into_values() {
                scope.spawn(move || {
                    for at in of_host {
                        let (ready, polite) = &all[at];
                        let asked = self.ask(ready, again, polite, &together.part(at));
                        results.lock().unwrap_or_else(PoisonError::into_inner).insert(at, asked);
                    }
                });
            }
        });
        drop(together);
        Ok(results.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect())
    }

    /// Asks, as far as `again` says, and keeps what came of it: exchanges, submission, record.
    ///
    /// # Errors
    /// Where exchanges are kept of an interrupted run and `again` does not say what becomes of them, or there are none;
    /// where a variable of the environment is missing; where something cannot be kept. A system that fails is no error.
    pub fn ask(
        &self,
        ready: &ReadyToAsk,
        again: Continuing,
        polite: &Politeness,
        watcher: &dyn Watcher,
    ) -> Result<AskedSystem> {
        let archive = self.create()?;
        ready.check(&archive, again)?;
        let path = archive.asking(&ready.plan);
        let is_interrupted = path.exists();
        match again {
            Continuing::Replay => {
                return replayed(&archive, ready, is_interrupted.then_some(&*path), watcher);
            }
            Continuing::Restart if is_interrupted => put_by(&archive, ready, &path, watcher)?,
            Continuing::Resume | Continuing::RetryFailed if !is_interrupted => {
                // Where nothing is left to ask, what is kept stays as it is.
                let (last, known) = last_run(&archive, ready)?;
                if ready.due(&known, again, polite.manners.retries).is_empty() {
                    watcher.note(&format!("{}: nothing is left to ask", ready.system));
                    return made_of(&archive, ready, &known, Some(&last.exchanges));
                }
                take_up(&archive, &last)?;
            }
            _ => {}
        }
        let values = ready.secrets()?;
        let (journal, known) = ready.open(&path)?;
        let due = ready.due(&known, again, polite.manners.retries);
        if known.tries() > 0 {
            let left = counted(due.len(), "question");
            watcher.note(&format!("{}: {left} left of {}", ready.system, ready.chosen.asked.len()));
        }
        let plan = [("plan", ready.plan.clone()), ("languages", ready.chosen.languages.join(","))];
        journal.begin(&[&polite.settings()[..], &plan].concat())?;
        let system = LiveSystem {
            protocol: &ready.protocol,
            address: &ready.address,
            values,
            responder: ready.responder.as_deref(),
        };
        let end = Some(system.ask_all(&due, polite, ready.policy, &|one| journal.add(one), watcher)?);
        let mut known = ready.replay();
        journal.read(&mut |one| known.add(one))?;
        let asked = conclude(&archive, ready, journal, &known)?;
        Ok(AskedSystem { end, ..asked })
    }
}

impl ReadyToAsk {
    /// The same, where somebody of this program replies in place of the server: nothing is sent anywhere.
    #[must_use]
    pub fn answered_by(self, responder: Arc<dyn Responder>) -> Self {
        Self { responder: Some(responder), ..self }
    }

    /// How many questions the dataset has, asked or not.
    pub fn questions(&self) -> usize {
        self.document.questions.len()
    }

    /// When all of this was asked before, if it was.
    ///
    /// # Errors
    /// Where the records of the archive cannot be read.
    pub fn asked_before(&self, bench: &Workbench) -> Result<Option<String>> {
        let Ok(archive) = Archive::open(bench.root()) else { return Ok(None) };
        let last = AskingFacts::last(&archive, &self.plan)?;
        Ok(last.and_then(|last| last.times).map(|[_, ended]| ended))
    }

    /// Whether some of it was asked, and kept.
    ///
    /// # Errors
    /// Where the records of the archive cannot be read.
    pub fn is_begun(&self, bench: &Workbench) -> Result<bool> {
        let is_interrupted =
            Archive::open(bench.root()).is_ok_and(|archive| archive.asking(&self.plan).exists());
        Ok(is_interrupted || self.asked_before(bench)?.is_some())
    }

    /// A checksum of what is asked of whom.
    fn checksum(&self, wanted: &WantedQuestions) -> String {
        let said = [
            self.source.sha256().to_owned(),
            self.address.to_string(),
            self.protocol.iri.clone(),
            self.chosen.languages.join(","),
            format!("{:?} {:?}", wanted.limit, wanted.keys),
            self.stated_settings().join("\n"),
        ];
        hex(&Sha256::digest(said.join("\n")))[..32].to_owned()
    }

    /// The settings, `name=value`.
    fn stated_settings(&self) -> Vec<String> {
        self.settings.iter().map(|(name, value)| format!("{name}={value}")).collect()
    }

    /// The values of all places that no question has of its own, without secrets.
    pub fn values(&self) -> Values {
        self.settings.iter().collect()
    }

    /// The same, with the variables of the environment.
    fn secrets(&self) -> Result<Values> {
        let mut values = self.values();
        for name in self.protocol.variables() {
            let value = std::env::var(name).map_err(|_| {
                Error::input(format!("the variable {name} of the environment is not set"))
                    .hint(format!("`{}` sends it; it is kept nowhere", self.protocol.name))
            })?;
            values = values.with(&format!("{ENVIRONMENT}{name}"), value);
        }
        Ok(values.with_secrets(Secrets::Hidden))
    }

    /// Whether it can be asked: nobody forgets a run that was interrupted, and all variables of the environment are set.
    fn check(&self, archive: &Archive, again: Continuing) -> Result<()> {
        let path = archive.asking(&self.plan);
        if again == Continuing::Anew && path.exists() {
            return Err(Error::input("a run that asked the same was interrupted")
                .in_file(path.display().to_string())
                .hint("`⌥resume` asks what is missing; `⌥restart` keeps it as it is and begins again"));
        }
        if again == Continuing::Replay {
            return Ok(());
        }
        self.protocol.check_headers(&self.secrets()?.with_secrets(Secrets::Sent))
    }

    /// The first request that would be sent, without secrets.
    ///
    /// # Errors
    /// Where no question is asked.
    pub fn first_request(&self) -> Result<String> {
        let none = || Error::input("no question has a text in one of these languages");
        let first = self.chosen.asked.first().ok_or_else(none)?;
        let system = LiveSystem {
            protocol: &self.protocol,
            address: &self.address,
            values: self.values(),
            responder: None,
        };
        let values = system.values_of(first);
        let dialogue = Dialogue { protocol: &self.protocol, address: &self.address, values: &values };
        let request = dialogue.first().map_err(|failure| Error::input(failure.message))?;
        Ok(String::from_utf8_lossy(&request.kept.as_http()).into_owned())
    }

    /// What came of tries that are still to be added.
    fn replay(&self) -> Replay<'_> {
        Replay::new(&self.protocol, &self.address, self.values())
    }

    /// Opens the exchanges of a run that is under way; gives what came of them.
    fn open(&self, path: &Path) -> Result<(Journal, Replay<'_>)> {
        let mut known = self.replay();
        let journal = Journal::open(path, &mut |one| known.add(one))?;
        Ok((journal, known))
    }

    /// What is still to be asked: what was not, what would have been tried again, and what was never heard, since nobody
    /// was reached or a key was refused.
    fn due(&self, known: &Replay<'_>, again: Continuing, retries: u32) -> Vec<DueQuestion> {
        let mut tries: BTreeMap<&str, (u32, bool)> = BTreeMap::new();
        for outcome in known.outcomes() {
            let is_done = match &outcome.read {
                Ok(_) => true,
                Err(_) if again == Continuing::RetryFailed => false,
                Err(failure) => {
                    let is_cut_off = failure.again != TryAgain::No && outcome.tries <= retries;
                    !(failure.stops || is_cut_off || failure.is_unheard())
                }
            };
            tries.insert(&outcome.asked.key, (outcome.tries, is_done));
        }
        let due = self.chosen.asked.iter().filter_map(|asked| match tries.get(asked.key.as_str()) {
            None => Some(DueQuestion { asked: asked.clone(), tries: 0 }),
            Some((count, false)) => Some(DueQuestion { asked: asked.clone(), tries: *count }),
            Some((_, true)) => None,
        });
        due.collect()
    }

    fn nothing_kept(&self, root: &Path) -> Error {
        Error::input(format!("no exchanges with {} about these questions are kept", self.address))
            .in_file(root.display().to_string())
            .hint("the dataset, the address, the protocol, languages and settings must be those of the run")
    }
}

/// The last run that ended, and what came of it.
fn last_run<'r>(archive: &Archive, ready: &'r ReadyToAsk) -> Result<(AskingFacts, Replay<'r>)> {
    let last = AskingFacts::last(archive, &ready.plan)?.ok_or_else(|| ready.nothing_kept(archive.root()))?;
    let mut known = ready.replay();
    last.read_exchanges(archive, &mut |one| known.add(one))?;
    Ok((last, known))
}

/// Makes the exchanges of the last run that ended the beginning of this one.
fn take_up(archive: &Archive, last: &AskingFacts) -> Result<()> {
    let (from, to) = (archive.file(&last.exchanges), archive.asking(&last.plan));
    let cannot = |error: std::io::Error| Error::io("write the exchanges", &to, &error);
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder).map_err(cannot)?;
    }
    // Whoever is ended meanwhile leaves none that looks whole.
    let part = to.with_extension("part");
    fs::copy(&from, &part).and_then(|_| fs::rename(&part, &to)).map_err(cannot)
}

/// What is kept gives with the description of today: of the run that was interrupted, which is still to be ended, else of the
/// last that ended.
fn replayed(
    archive: &Archive,
    ready: &ReadyToAsk,
    interrupted: Option<&Path>,
    watcher: &dyn Watcher,
) -> Result<AskedSystem> {
    let Some(path) = interrupted else {
        let (last, known) = last_run(archive, ready)?;
        return made_of(archive, ready, &known, Some(&last.exchanges));
    };
    let told = with_choices("the run was interrupted; `⌥resume` asks what is missing");
    watcher.note(&format!("{}: {told}", ready.system));
    let mut known = ready.replay();
    Journal::look(path, &mut |one| known.add(one))?;
    made_of(archive, ready, &known, None)
}

/// Ends a run that was interrupted; one whose exchanges cannot be read is put aside as it is.
fn put_by(archive: &Archive, ready: &ReadyToAsk, path: &Path, watcher: &dyn Watcher) -> Result<()> {
    match ready.open(path) {
        Ok((journal, known)) if known.tries() == 0 => journal.remove(),
        Ok((journal, known)) => conclude(archive, ready, journal, &known).map(drop),
        Err(error) if error.kind() == ErrorKind::Check => {
            let aside = free_name(path);
            watcher.note(&format!("{error}\nit is put aside as {}", aside.display()));
            fs::rename(path, &aside).map_err(|error| Error::io("rename the file", path, &error))
        }
        Err(error) => Err(error),
    }
}

/// A name beside a file that nobody has.
fn free_name(path: &Path) -> PathBuf {
    let named = |number: u32| path.with_extension(format!("damaged-{number}"));
    (1..u32::MAX).map(named).find(|name| !name.exists()).unwrap_or_else(|| named(0))
}

/// Ends a run: its exchanges become a file of the archive, with the submission that they give and the record. Until then
/// nobody else writes there.
fn conclude(
    archive: &Archive,
    ready: &ReadyToAsk,
    journal: Journal,
    known: &Replay<'_>,
) -> Result<AskedSystem> {
    if known.tries() == 0 {
        journal.remove()?;
        return Err(Error::check("no question was asked: there is nothing to keep"));
    }
    let path = journal.sync()?;
    let exchanges = Source::open(path)?;
    archive.keep_path(path, exchanges.sha256())?;
    let asked = made_of(archive, ready, known, Some(exchanges.sha256()))?;
    journal.remove()?;
    Ok(asked)
}

/// Keeps the submission that tries give and, where their exchanges are a file of the archive, the record.
fn made_of(
    archive: &Archive,
    ready: &ReadyToAsk,
    known: &Replay<'_>,
    exchanges: Option<&str>,
) -> Result<AskedSystem> {
    if known.outcomes().is_empty() {
        return Err(Error::check("no question was asked: there is nothing to keep"));
    }
    let bytes = known.submission(&ready.document)?;
    let name = format!("{}.jsonl", ready.system);
    let source = Source::from_bytes(name, bytes)?;
    let figures = AskingFigures::of(&ready.system, ready.chosen.asked.len(), &ready.protocol, known);
    let input = Input::submission(source, Some(ready.system.clone()), archive.mint())?;
    Keeper::new(archive).submission(&input)?;
    let sha256 = input.source.sha256().to_owned();
    // What came out of another run, or of another description, to the byte, is generated by that one.
    let is_recorded = || AskingFacts::all(archive).map(|all| all.iter().any(|one| one.submission == sha256));
    if let Some(exchanges) = exchanges
        && !is_recorded()?
    {
        let description = Source::from_bytes("description.nt", ready.protocol.as_triples().into_bytes())?;
        archive.keep_file(&description)?;
        archive.keep_file(&ready.source)?;
        let facts = AskingFacts {
            plan: ready.plan.clone(),
            system: ready.system.clone(),
            address: ready.address.to_string(),
            protocol: ready.protocol.iri.clone(),
            settings: ready.stated_settings(),
            dataset: ready.source.sha256().to_owned(),
            exchanges: exchanges.to_owned(),
            description: description.sha256().to_owned(),
            languages: ready.chosen.languages.join(","),
            questions: ready.chosen.asked.len() as u64,
            submission: sha256.clone(),
            tries: known.tries(),
            times: known.times(),
            build: build(),
        };
        facts.keep(archive, &figures)?;
    }
    Ok(AskedSystem {
        tally: figures.tally,
        end: None,
        submission: input.iri.clone(),
        file: archive.file(&sha256),
    })
}

/// What stands in the places of a protocol, and the places within these texts for which nobody says anything.
fn settled(request: &AskRequest, dataset: Option<&str>) -> Result<(BTreeMap<String, String>, Vec<String>)> {
    let protocol = &request.protocol;
    let mut settings = protocol.settings.clone();
    if let Some(id) = dataset.filter(|id| Url::parse(id).is_ok_and(|id| id.has_host())) {
        settings.insert("dataset".to_owned(), id.to_owned());
    }
    settings.extend(request.settings.clone());
    let needed: BTreeSet<String> = protocol.places().into_iter().map(str::to_owned).collect();
    let mut places = needed.clone();
    for value in settings.values() {
        places.extend(Template::parse(value).places().map(str::to_owned));
    }
    places.retain(|place| is_setting(place));
    settings.retain(|name, _| places.contains(name));
    if let Some(unknown) = request.settings.keys().find(|name| !places.contains(*name)) {
        let known: Vec<&str> = needed.iter().filter(|place| is_setting(place)).map(String::as_str).collect();
        let error = if is_setting(unknown) {
            Error::input(format!("`{}` has no place `{{{unknown}}}`", protocol.name))
        } else {
            Error::input(format!("`{{{unknown}}}` is filled in by the program"))
        };
        return Err(error.allowed(if known.is_empty() {
            "no settings".to_owned()
        } else {
            known.join(", ")
        }));
    }
    let open = places.into_iter().filter(|place| !settings.contains_key(place));
    let (missing, unsaid): (Vec<String>, Vec<String>) = open.partition(|place| needed.contains(place));
    if let Some(first) = missing.first() {
        return Err(Error::input(format!(
            "nobody says what stands for `{{{first}}}` in `{}`",
            protocol.name
        ))
        .hint(format!(
            "`⌥set {first}=…` says it; `qassay systems {}` shows where it stands",
            protocol.name
        )));
    }
    Ok((settings, unsaid))
}

/// Whether users say what stands in a place: neither the program, nor a question, nor the system, nor the environment.
fn is_setting(place: &str) -> bool {
    let known = ["question", "language", "id", "json", "run", "state"];
    !known.contains(&place) && !place.starts_with(ENVIRONMENT)
}
