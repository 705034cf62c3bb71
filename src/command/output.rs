//! The one door for output: results on stdout, everything else on stderr.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use qassay::base::error::{Error, Result};
use qassay::base::watch::Watcher;
use qassay::report::table::printable_lines;

/// Where words go.
#[derive(Debug)]
pub(crate) struct Output {
    quiet: bool,
    /// What is shown of the stage that is under way.
    shown: Mutex<Option<ProgressBar>>,
}

impl Output {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet, shown: Mutex::new(None) }
    }

    /// Prints a result on stdout. A reader that has gone away is no error.
    pub(crate) fn result(&self, text: &str) -> Result<()> {
        self.bytes(text.as_bytes())
    }

    /// Prints a result on stdout.
    #[expect(clippy::unused_self, reason = "the door is passed through, so that nobody prints elsewhere")]
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<()> {
        let mut out = std::io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                Err(Error::system(format!("cannot write to standard output: {error}")))
            }
            _ => Ok(()),
        }
    }

    /// Prints an error on stderr and gives the exit code.
    #[expect(clippy::unused_self, reason = "the door is passed through, so that nobody prints elsewhere")]
    pub(crate) fn error(&self, error: &Error) -> ExitCode {
        let red = "\u{1b}[1;31m";
        drop(writeln!(anstream::stderr(), "{red}error:\u{1b}[0m {}", printable_lines(&error.to_string())));
        ExitCode::from(error.exit_code())
    }

    /// A bar for bytes that arrive; shown on a terminal only.
    pub(super) fn bytes_progress(&self, bytes: u64, what: &str) -> ProgressBar {
        self.bar(bytes, what, "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}")
    }

    fn bar(&self, steps: u64, what: &str, template: &str) -> ProgressBar {
        let hidden = self.quiet || !std::io::stderr().is_terminal();
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(steps), target);
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_secs(1));
        bar
    }

    fn shown(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Progress becomes a bar for work that takes longer than a second; shown on a terminal only.
impl Watcher for Output {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        let mut shown = self.shown();
        let bar =
            shown.get_or_insert_with(|| self.bar(total, stage, "{msg} {wide_bar} {pos}/{len} {elapsed}"));
        bar.set_position(bar.position().max(done));
    }

    fn detail(&self, text: &str) {
        if let Some(bar) = &*self.shown() {
            bar.set_message(text.to_owned());
        }
    }

    fn end(&self, _stage: &str) {
        if let Some(bar) = self.shown().take() {
            bar.finish_and_clear();
        }
    }

    fn note(&self, text: &str) {
        // Nobody can be told that stderr is gone.
        if !self.quiet {
            drop(writeln!(anstream::stderr(), "{}", printable_lines(text)));
        }
    }
}
