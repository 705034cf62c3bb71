//! What every request is answered from.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::serve::endpoint::QueryDesk;
use crate::serve::limits::CallLimits;
use crate::serve::makers::WatchedArchive;
use crate::serve::metrics::ServerMetrics;
use crate::serve::place::{RunAccess, ServerPlace};
use crate::serve::runs::RunDesk;
use crate::serve::uploads::KeptTrays;
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
