//! What every request is answered from.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::base::limits::bytes;
use crate::base::text::counted;
use crate::serve::description::{MOST_BYTES, MOST_ROWS, SPARQL, VOID};
use crate::serve::endpoint::QueryDesk;
use crate::serve::limits::CallLimits;
use crate::serve::makers::WatchedArchive;
use crate::serve::metrics::ServerMetrics;
use crate::serve::place::{RunAccess, ServerPlace};
use crate::serve::runs::{DAYS_KEPT, RunDesk};
use crate::serve::shapes::API;
use crate::serve::uploads::{KEPT, KeptTrays, MOST_FILES, MOST_OF_FILE, MOST_OF_FORM};
use crate::site::about::AboutServer;
use crate::workbench::tokens::AccessTokens;

/// The parts of a server that requests share.
#[derive(Debug)]
pub(crate) struct Platform {
    pub(crate) place: ServerPlace,
    pub(crate) archive: PathBuf,
    pub(crate) makers: Arc<WatchedArchive>,
    pub(crate) endpoint: QueryDesk,
    pub(crate) desk: Arc<RunDesk>,
    pub(crate) trays: KeptTrays,
    pub(crate) tokens: AccessTokens,
    /// Who may begin runs.
    pub(crate) access: RunAccess,
    pub(crate) limits: CallLimits,
    pub(crate) metrics: ServerMetrics,
    /// Of those who judge, one at a time is kept.
    pub(crate) judging: tokio::sync::Mutex<()>,
    pub(crate) is_ending: AtomicBool,
    /// Whether each request is a line of the log.
    pub(crate) logs: bool,
    /// The longest that a request may take.
    pub(crate) patience: Duration,
}

impl Platform {
    /// Who begins runs, how much these may take, and who is asked.
    pub(crate) fn runs_told(&self) -> String {
        let settings = self.desk.settings();
        let asks = match (settings.asks_public, settings.listed.len()) {
            (false, 0) => "no systems are asked".to_owned(),
            (false, listed) => format!("{} may be asked", counted(listed, "listed system")),
            (true, 0) => "systems at public addresses may be asked".to_owned(),
            (true, listed) => {
                format!("{} and systems at public addresses may be asked", counted(listed, "listed system"))
            }
        };
        let who = match self.access {
            RunAccess::Nobody => "nobody begins runs",
            RunAccess::Token => "who shows a token begins runs",
            RunAccess::Anyone => "anyone begins runs",
        };
        let (parallel, seconds) = (settings.parallel, settings.time.as_secs());
        format!("{who}; {parallel} at a time, {seconds} s and {} each; {asks}", bytes(settings.memory))
    }

    /// What the page about the server says of it.
    pub(crate) fn about(&self) -> AboutServer {
        let (seconds, memory) = self.endpoint.limits();
        let [file, form, result, memory] = [MOST_OF_FILE, MOST_OF_FORM as u64, MOST_BYTES, memory].map(bytes);
        let mut limits = vec![
            ("Runs", self.runs_told()),
            ("Forms", format!("{MOST_FILES} files, each of {file}, {form} together")),
            (
                "Queries",
                format!(
                    "{seconds} s, {MOST_ROWS} rows, {result} of result and {memory} of memory each; what takes more is an error"
                ),
            ),
        ];
        limits.extend(self.limits.told().map(|told| ("Each address", told)));
        let pages = self.limits.most_questions();
        limits.extend(pages.map(|most| ("Pages", format!("of evaluations with {most} questions or fewer"))));
        let door = |path: &str, about: &str| (path.to_owned(), about.to_owned());
        AboutServer {
            place: self.place.url.clone(),
            limits: limits.into_iter().map(|(what, told)| (what.to_owned(), told)).collect(),
            kept: vec![
                format!(
                    "Files that are only checked are not kept; those of a form that is to be mended for {} minutes.",
                    KEPT.as_secs() / 60
                ),
                format!(
                    "Runs are private until they are published. One that nobody visits for {DAYS_KEPT} days is deleted."
                ),
            ],
            doors: vec![
                door(&format!("{API}/openapi.json"), "the interface for programs, described"),
                door(SPARQL, "the endpoint"),
                door(VOID, "what the endpoint can do, and the graphs that it has"),
            ],
        }
    }
}
