//! The parts of a run, and the process that does one of them: it checks what was sent, asks and scores one system on one dataset,
//! or publishes all that came of a run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::{Error, ErrorKind, Result};
use crate::base::watch::{FailedSteps, Watcher};
use crate::base::{limits, memory, parallel};
use crate::profiles::loaders::{Loader, Loading};
use crate::record::archived::ArchivedEvaluation;
use crate::record::publication::act::Publication;
use crate::record::publication::agent::Agent;
use crate::record::publication::licence::{Licence, USUAL};
use crate::record::results::Results;
use crate::record::summaries::NumberChoice;
use crate::record::verify::place::Location;
use crate::report::blind::accepted_json;
use crate::report::checked::{CheckedFile, MetIds};
use crate::report::json;
use crate::report::quality::Quality;
use crate::scoring::groups::Grouping;
use crate::sources::archive::hashing::read_file;
use crate::sources::archive::{Archive, PUBLICATION};
use crate::sources::file::source::Source;
use crate::sources::format::read;
use crate::sources::quality::inspection::Inspection;
use crate::systems::address::AddressPolicy;
use crate::systems::choose::WantedQuestions;
use crate::systems::description::{Manners, Protocol};
use crate::systems::run::{LONGEST_WAIT, Politeness};
use crate::workbench::Workbench;
use crate::workbench::apart;
use crate::workbench::archive::Thoroughness;
use crate::workbench::ask::{AskRequest, Continuing};
use crate::workbench::assessing::pool;
use crate::workbench::blind::BlindPhase;
use crate::workbench::evaluate::SubmissionFile;
use crate::workbench::list::{ListedEvaluation, evaluations};
use crate::workbench::publish::PublishingDesk;
use crate::workbench::publish_request::{PublishRequest, title};
use crate::workbench::request::Request;
use crate::workbench::run_request::{AnswerSource, RunRequest};

/// The verb of the process.
pub const WORKER: &str = "run-worker";

/// The longest that a system may take for a question that a stranger wants asked.
const LONGEST_QUESTION: Duration = Duration::from_secs(60);

/// The most bytes of a reply to such a question.
const MOST_REPLIED: u64 = 1 << 20;

/// So many issues of a file are told: a small one may have as many as it has questions.
const MOST_ISSUES: usize = 1_000;

/// So many ids of questions are told.
const IDS_TOLD: usize = 20;

/// A part of a run: one system on one dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunPart {
    /// The dataset: a name in the catalogue, or a file.
    pub gold: String,
    /// Where the answers come from.
    pub answers: AnswerSource,
    /// How far it is.
    pub state: PartState,
    /// What failed of a system that was asked, once the part is over; nothing where nothing did.
    #[serde(default)]
    pub failures: Option<FailedSteps>,
    /// What came of it before it was scored again.
    #[serde(default)]
    pub before: Vec<ListedEvaluation>,
}

/// How far a part of a run is. That it runs is not kept: what has no end begins again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PartState {
    /// Its turn has not come, or it was not done to its end.
    Waiting,
    /// All of it is there: an evaluation for each profile.
    Done(Vec<ListedEvaluation>),
    /// Nothing came of it.
    Failed(Error),
    /// Somebody stopped it.
    Stopped,
}

impl RunPart {
    /// Has it scored again; what came of it stays.
    pub fn wait_again(&mut self) {
        if let PartState::Done(all) = std::mem::replace(&mut self.state, PartState::Waiting) {
            self.before.extend(all);
        }
    }

    /// What came of it before, and is not what came of it now.
    pub fn earlier<'p>(&'p self, now: &'p [ListedEvaluation]) -> impl Iterator<Item = &'p ListedEvaluation> {
        self.before.iter().filter(|one| now.iter().all(|other| other.iri != one.iri))
    }

    /// One that waits.
    pub fn new(gold: &str, answers: &AnswerSource) -> Self {
        Self {
            gold: gold.to_owned(),
            answers: answers.clone(),
            state: PartState::Waiting,
            failures: None,
            before: Vec::new(),
        }
    }
}

/// What is said of the publication of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PublishWish {
    /// Who made it: name, and ORCID or the address of a page. It can be said later.
    pub creator: Option<String>,
    /// The licence of the answers and of a dataset of one's own, if it is stated.
    pub licence: Option<String>,
    /// What it is called, where it is to be called something.
    pub title: Option<String>,
}

impl PublishWish {
    /// What is wrong with what is said, each with its field.
    pub fn problems(&self) -> Vec<Error> {
        let creator = self.creator.as_deref().map(|creator| Agent::parse(creator, true).map(drop));
        let licence = self.licence.as_deref().map(|licence| Licence::named(licence).map(drop));
        let named = self.title.as_deref().map(|stated| title(stated).map(drop));
        let all = [("creator", creator), ("licence", licence), ("title", named)];
        all.into_iter().filter_map(|(field, said)| Some(said?.err()?.at(field))).collect()
    }

    /// What is said, by the fields of a form.
    pub fn fields(&self) -> BTreeMap<String, Vec<String>> {
        let all = [("creator", &self.creator), ("licence", &self.licence), ("title", &self.title)];
        all.into_iter().filter_map(|(name, said)| Some((name.to_owned(), vec![said.clone()?]))).collect()
    }

    /// What is wrong with it where the publication is wanted now: somebody must have made it.
    pub fn problems_now(&self) -> Vec<Error> {
        let nobody = self.creator.is_none().then(|| self.creator().err()).flatten();
        nobody.into_iter().chain(self.problems()).collect()
    }

    fn creator(&self) -> Result<Agent> {
        Agent::parse(self.creator.as_deref().unwrap_or_default(), true).map_err(|error| error.at("creator"))
    }
}

/// What is public of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublicRun {
    /// The IRI.
    pub iri: String,
    /// The evaluations that were published.
    pub members: Vec<String>,
    /// Whether this run published it; else it was public before.
    pub is_own: bool,
    /// Whether it was withdrawn.
    pub is_withdrawn: bool,
}

/// What a process is asked to do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunTask {
    /// Says what is in files, and what is wrong with them.
    Check(FileCheck),
    /// Asks and scores.
    Score(PartTask),
    /// Gathers what systems answered, for people to judge.
    Pool {
        /// The archive of the run.
        archive: PathBuf,
    },
    /// Computes an evaluation again, for its groups of questions.
    Groups {
        /// The archive.
        archive: PathBuf,
        /// The key of the evaluation.
        key: String,
    },
    /// Accepts answers in a test phase.
    HandIn(HandInTask),
    /// Takes what came of a run into the archive, and publishes it.
    Publish(PublishTask),
    /// Withdraws what a run published.
    Withdraw(WithdrawTask),
}

/// Files to be looked at.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FileCheck {
    /// Where they are.
    pub folder: PathBuf,
    /// Their names there.
    pub files: Vec<String>,
    /// Where named things are.
    pub shelf: PathBuf,
    /// Their encoding, where somebody knows it better.
    pub encoding: Option<String>,
    /// The dataset with whose ids theirs are compared, by its name in the catalogue.
    pub against: Option<String>,
    /// The loader that says which questions it takes.
    pub loader: Option<Loader>,
}

/// One system on one dataset.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PartTask {
    /// The files of the run.
    pub folder: PathBuf,
    /// The archive in which all is kept.
    pub archive: PathBuf,
    /// Where named things are.
    pub shelf: PathBuf,
    /// What is wanted, with one dataset and one system.
    pub request: RunRequest,
    /// Whether a system in a private network may be asked: who runs the server named it.
    pub asks_anybody: bool,
}

/// Answers that are handed in.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct HandInTask {
    /// Where they are.
    pub folder: PathBuf,
    /// The archive.
    pub archive: PathBuf,
    /// The test phase.
    pub phase: BlindPhase,
    /// The files, and the names of their systems.
    pub answers: Vec<(String, Option<String>)>,
}

/// What is to be published.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PublishTask {
    /// The archive of the run.
    pub private: PathBuf,
    /// The archive into which it goes.
    pub archive: PathBuf,
    /// Who wants it.
    pub wish: PublishWish,
    /// The dataset of one's own.
    pub gold: Option<PathBuf>,
    /// Where it is noted what is about to be public: who is ended in that moment knows afterwards whose it is.
    pub note: PathBuf,
}

/// What is to be withdrawn.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct WithdrawTask {
    /// The archive.
    pub archive: PathBuf,
    /// The IRIs of the evaluations.
    pub members: Vec<String>,
    /// Why, in public.
    pub reason: String,
}

impl WithdrawTask {
    fn run(&self, watcher: &dyn Watcher) -> Result<()> {
        let bench = Workbench::new(&self.archive);
        let request = PublishRequest { words: self.members.clone(), ..PublishRequest::default() };
        let ready = bench.ready_withdrawal(&request, (&self.reason, None), watcher)?;
        bench.withdraw(&ready, None, None).map(drop)
    }
}

/// What is about to be public.
#[derive(Debug, Serialize, Deserialize)]
struct PublishingNote {
    /// The key of the record of the publication, and its checksum.
    record: (String, String),
    public: PublicRun,
}

/// What became public by a run that noted it, whether or not that was told.
pub fn published_by(note: &Path, archive: &Path) -> Option<PublicRun> {
    let note: PublishingNote = serde_json::from_slice(&fs::read(note).ok()?).ok()?;
    let (key, sha256) = note.record;
    let record = read_file(&Archive::open(archive).ok()?.record(PUBLICATION, &key)).ok()?;
    (hex(&Sha256::digest(record)) == sha256).then_some(note.public)
}

impl RunTask {
    /// Has a process of its own do this; `memory`: the bytes that it may take.
    ///
    /// # Errors
    /// Where it fails, takes more than it may, or is no longer wanted.
    pub fn apart(&self, memory: u64, watcher: &dyn Watcher) -> Result<String> {
        let words = [WORKER.to_owned(), "--memory".to_owned(), (memory >> 20).to_string()];
        apart::ask(&words, self, Some(memory), watcher).map_err(|error| match error.kind() {
            ErrorKind::Limit => Error::limit(format!("it took more memory than {}", limits::bytes(memory)))
                .hint("at the command line, with a copy of the files, it may have more"),
            _ => error,
        })
    }

    /// Does it, in the process that was started for it. It gives JSON.
    ///
    /// # Errors
    /// Where it fails.
    pub fn run(&self, memory: u64, watcher: &dyn Watcher) -> Result<String> {
        parallel::make_ready();
        memory::limit(memory)?;
        let told = match self {
            Self::Check(check) => serde_json::to_value(check.run()?),
            Self::Score(part) => serde_json::to_value(part.run(watcher)?),
            Self::Pool { archive } => serde_json::to_value(pool(archive)?),
            Self::Groups { archive, key } => {
                let evaluation = Workbench::new(archive).again(key, None, watcher)?;
                Ok(json::groups(&Results::numbers_of(&evaluation)))
            }
            Self::HandIn(task) => serde_json::to_value(task.run()?),
            Self::Publish(task) => serde_json::to_value(task.run(watcher)?),
            Self::Withdraw(task) => serde_json::to_value(task.run(watcher)?),
        };
        told.map(|told| told.to_string()).map_err(|error| Error::system(error.to_string()))
    }
}

/// Files are called as strangers called them, in a folder of theirs.
fn enter(folder: &PathBuf) -> Result<()> {
    std::env::set_current_dir(folder).map_err(|error| Error::io("enter the folder", folder, &error))
}

impl FileCheck {
    fn run(&self) -> Result<Vec<CheckedFile>> {
        enter(&self.folder)?;
        let bench = Workbench::new(&self.shelf);
        let known = self.against.as_deref().map(|name| ids_of(&bench, name)).transpose()?;
        let one = |file: &String| {
            let inspected = bench.inspect(file.as_ref(), self.encoding.as_deref());
            let (report, error, inspection) = match inspected {
                Ok(inspection) => (Some(report(&inspection)), None, Some(inspection)),
                Err(error) => (None, Some(error), None),
            };
            let against = known.as_ref().zip(self.against.as_deref()).zip(inspection.as_ref());
            let against = against.map(|((ids, name), inspection)| met(name, ids, inspection));
            let loading = |loader| Loading { loader, ..Loading::default() };
            let loaded = self.loader.filter(|_| inspection.is_some()).map(|loader| {
                let loaded = bench.load(file.as_ref(), self.encoding.as_deref(), loading(loader));
                loaded.map(|loaded| loaded.json(loading(loader)))
            });
            CheckedFile { file: file.clone(), report, error, against, loaded }
        };
        Ok(self.files.iter().map(one).collect())
    }
}

fn ids_of(bench: &Workbench, name: &str) -> Result<BTreeSet<String>> {
    let (document, _) = read(&bench.open(name.as_ref(), None)?)?;
    Ok(document.questions.into_iter().map(|question| question.key).collect())
}

/// What `qassay check` says of a file, with no more issues than somebody reads.
fn report(inspection: &Inspection) -> Value {
    let mut report = json::value(&Quality::of(inspection));
    if let Some(issues) = report["issues"].as_array_mut()
        && issues.len() > MOST_ISSUES
    {
        // The severest are not among those that are left out.
        let rank = |issue: &Value| {
            ["error", "warning"].iter().position(|one| issue["severity"] == **one).unwrap_or(2)
        };
        issues.sort_by_key(|issue| rank(issue));
        let left_out = issues.len() - MOST_ISSUES;
        issues.truncate(MOST_ISSUES);
        report["issuesLeftOut"] = left_out.into();
    }
    report
}

fn met(dataset: &str, ids: &BTreeSet<String>, inspection: &Inspection) -> MetIds {
    let own: BTreeSet<&String> = inspection.document.questions.iter().map(|question| &question.key).collect();
    let unknown: Vec<&String> = own.iter().copied().filter(|id| !ids.contains(*id)).collect();
    MetIds {
        dataset: dataset.to_owned(),
        questions: ids.len(),
        met: own.len() - unknown.len(),
        unknown_count: unknown.len(),
        unknown: unknown.into_iter().take(IDS_TOLD).cloned().collect(),
    }
}

impl PartTask {
    fn run(&self, watcher: &dyn Watcher) -> Result<Vec<ListedEvaluation>> {
        enter(&self.folder)?;
        let bench = Workbench::new(&self.archive).taking_from(&self.shelf);
        let request = Request { grouping: Grouping::Kept, ..self.request.scoring()? };
        let (Some(gold), [source]) = (self.request.golds().next(), self.request.answers.as_slice()) else {
            return Err(Error::system("a part of a run has one dataset and one system"));
        };
        let submission = match source {
            AnswerSource::File { file, system } => {
                SubmissionFile { path: file.into(), system: system.clone() }
            }
            AnswerSource::Live { .. } => {
                bench.can_evaluate(&request)?;
                self.asked(&bench, gold, source, watcher)?
            }
        };
        let evaluated = bench.evaluate(&request, gold.as_ref(), &[submission], watcher)?;
        evaluated.kept?;
        let iris: BTreeSet<&str> = evaluated.evaluations.iter().map(|one| one.iri.as_str()).collect();
        let mut listed = evaluations(&bench.archived()?, &NumberChoice::default())?;
        // Systems that gave the same bytes share an evaluation.
        listed.retain(|one| iris.contains(one.iri.as_str()) && one.system == source.system());
        Ok(listed)
    }

    /// Asks a system; what was answered before stays.
    fn asked(
        &self,
        bench: &Workbench,
        gold: &str,
        source: &AnswerSource,
        watcher: &dyn Watcher,
    ) -> Result<SubmissionFile> {
        let AnswerSource::Live { address, protocol, system, set } = source else {
            return Err(Error::system("a file is not asked"));
        };
        let protocol = Protocol::named(protocol)?.clone();
        if !self.asks_anybody {
            refuse_secrets(&protocol)?;
        }
        let settings = set.iter().map(|one| {
            let parts = one.split_once('=').filter(|(name, _)| !name.is_empty());
            let (name, value) =
                parts.ok_or_else(|| Error::input("this is no setting").allowed("NAME=VALUE"))?;
            Ok((name.to_owned(), value.to_owned()))
        });
        let languages = self.request.choices.get("language").cloned().unwrap_or_default();
        let own = protocol.manners.clone();
        let polite = Politeness {
            manners: Manners { time_limit: own.time_limit.min(LONGEST_QUESTION), ..own },
            parallel: NonZeroUsize::MIN,
            longest_wait: LONGEST_WAIT,
            most_bytes: MOST_REPLIED,
            keeps_going: false,
        };
        let ready = bench.ready_to_ask(&AskRequest {
            dataset: gold.into(),
            address: address.clone(),
            system: system.clone(),
            protocol,
            settings: settings.collect::<Result<_>>()?,
            wanted: WantedQuestions { languages, limit: None, keys: Vec::new() },
            policy: if self.asks_anybody { AddressPolicy::Any } else { AddressPolicy::Public },
        })?;
        let again = if ready.is_begun(bench)? { Continuing::Resume } else { Continuing::Anew };
        let asked = bench.ask(&ready, again, &polite, watcher)?;
        if let Some(why) = asked.stopped() {
            return Err(Error::check(format!("the system was not asked to the end: {why}"))
                .hint("what it answered is kept; the same again asks what is missing"));
        }
        if asked.tally.replies() == 0 {
            return Err(Error::check("nothing of what the system said could be read")
                .list(asked.tally.failures())
                .hint("is it another protocol?"));
        }
        Ok(SubmissionFile { path: asked.file, system: Some(source.system().to_owned()) })
    }
}

/// An error where a protocol sends what is in the environment of the server: strangers do not choose who is given that.
///
/// # Errors
/// Where it does.
pub fn refuse_secrets(protocol: &Protocol) -> Result<()> {
    match protocol.variables().next() {
        None => Ok(()),
        Some(_) => Err(Error::input(format!("`{}` sends a key of who runs this server", protocol.name))
            .hint("`qassay ask` asks such systems with a key of yours, on your machine")),
    }
}

impl HandInTask {
    fn run(&self) -> Result<Value> {
        enter(&self.folder)?;
        let file = |(path, system): &(String, Option<String>)| SubmissionFile {
            path: path.into(),
            system: system.clone(),
        };
        let answers: Vec<SubmissionFile> = self.answers.iter().map(file).collect();
        let accepted = Workbench::new(&self.archive).hand_in(&self.phase, &answers)?.accepted();
        Ok(json::value(&accepted_json(&accepted)))
    }
}

impl PublishTask {
    /// Verifies all of a run that is not public yet, takes it into the archive, and publishes it, and gives
    /// what is public now.
    fn run(&self, watcher: &dyn Watcher) -> Result<PublicRun> {
        if let Some(public) = published_by(&self.note, &self.archive) {
            return Ok(public);
        }
        let creator = self.wish.creator()?;
        let licence = self.wish.licence.as_deref().map(Licence::named).transpose();
        let licence = licence.map_err(|error| error.at("licence"))?;
        let (private, bench) = (Workbench::new(&self.private), Workbench::new(&self.archive));
        let evaluations = private.archived()?.evaluations;
        let names = evaluations.iter().flat_map(ArchivedEvaluation::systems).cloned().collect();
        let all: Vec<String> = evaluations.into_iter().map(|one| one.iri).collect();
        let Some(first) = all.first().cloned() else {
            return Err(Error::input("nothing came of this run, so there is nothing to publish"));
        };
        let words = not_public(&bench, all)?;
        if words.is_empty() {
            return Ok(PublicRun { iri: first, members: Vec::new(), is_own: false, is_withdrawn: false });
        }
        let members = words.clone();
        // Beside the run, and gone with it: it is as private.
        let record = self.note.with_file_name("publishing");
        if record.exists() {
            fs::remove_dir_all(&record).map_err(|error| Error::io("remove the folder", &record, &error))?;
        }
        private.export(&words, &record, true)?;
        let how = Thoroughness { partial: false, reexecution: true, signed_by: None };
        let (findings, imported) = bench.import(&Location::of(&record, None, None)?, how, watcher)?;
        if imported.is_none() {
            let problems = findings.rows.iter().flat_map(|row| row.problems.clone());
            return Err(Error::check("it is not what it says: nothing is published").list(problems));
        }
        let stated = licence.map(|licence| Ok::<_, Error>((self.own_inputs()?, licence))).transpose()?;
        let input_licences =
            stated.map(|(inputs, licence)| inputs.into_iter().map(|input| (input, licence)).collect());
        let archived = bench.archived()?;
        let publication = PublishingDesk::new(&archived)?
            .ready(&PublishRequest {
                words,
                names: Some(names),
                publisher: Some(creator.clone()),
                creators: vec![creator],
                // That of the publication before would be somebody else's.
                licence: Some(Licence::named(USUAL)?),
                input_licences: input_licences.unwrap_or_default(),
                title: self.wish.title.clone(),
                ..PublishRequest::default()
            })?
            .publication();
        drop(fs::remove_dir_all(&record));
        let public = PublicRun { iri: publication.of.clone(), members, is_own: true, is_withdrawn: false };
        self.note_down(&publication, &public, bench.root())?;
        // What was taken in is seen from here on.
        publication.keep(&Archive::open(bench.root())?)?;
        Ok(public)
    }

    fn note_down(&self, publication: &Publication, public: &PublicRun, archive: &Path) -> Result<()> {
        let record = (publication.key(), publication.checksum(&Archive::mint_below(archive)?)?);
        let note = PublishingNote { record, public: public.clone() };
        let text = serde_json::to_vec(&note).map_err(|error| Error::system(error.to_string()))?;
        fs::write(&self.note, text).map_err(|error| Error::io("write the file", &self.note, &error))
    }

    /// What is whoever sent it may license: the answers, and a dataset of his own.
    fn own_inputs(&self) -> Result<Vec<String>> {
        let gold = self.gold.as_ref().map(|path| Ok::<_, Error>(Source::open(path)?.sha256().to_owned()));
        Ok(["submission".to_owned()].into_iter().chain(gold.transpose()?).collect())
    }
}

/// Those of some evaluations that are not public, nor withdrawn. Who sends the same files again does not publish them under another
/// name; an error where nothing but what was withdrawn is left.
fn not_public(bench: &Workbench, evaluations: Vec<String>) -> Result<Vec<String>> {
    let archived = bench.archived()?;
    let desk = PublishingDesk::new(&archived)?;
    let withdrawn = desk.withdrawn();
    let (gone, evaluations): (Vec<String>, Vec<String>) =
        evaluations.into_iter().partition(|iri| withdrawn.contains(iri.as_str()));
    if let Some(gone) = gone.first().filter(|_| evaluations.is_empty()) {
        return Err(Error::input(format!("<{gone}> was withdrawn"))
            .hint("who runs this server can publish it again, at the command line"));
    }
    let latest = desk.latest();
    let public: BTreeSet<&String> =
        latest.iter().filter(|one| one.withdrawn.is_none()).flat_map(|one| &one.members).collect();
    Ok(evaluations.into_iter().filter(|iri| !public.contains(iri)).collect())
}
