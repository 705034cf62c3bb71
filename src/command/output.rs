//! The one door for output: results on stdout, everything else on stderr.

use std::borrow::Cow;
use std::io::{IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use qassay::base::error::{Error, Result};
use qassay::base::text;
use qassay::base::watch::Watcher;
use qassay::report::table::{Layout, Table};

use super::definitions::json;

/// The characters of a line on stderr: nobody reads more.
const LONGEST_NOTE: usize = 10_000;

/// Where words go.
#[derive(Debug)]
pub(crate) struct Output {
    quiet: bool,
    /// What is shown of the stage that is under way.
    bar: Mutex<Option<ProgressBar>>,
}

impl Output {
    pub(crate) fn new(quiet: bool) -> Self {
        Self { quiet, bar: Mutex::new(None) }
    }

    /// Whether nothing but results and errors is to be said.
    pub(crate) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a result for people on stdout; gives the exit code of success. Whatever it holds, nothing in it commands a
    /// terminal.
    pub(crate) fn result(&self, text: &str) -> Result<ExitCode> {
        self.print(shown(text, std::io::stdout().is_terminal()).as_bytes())?;
        Ok(ExitCode::SUCCESS)
    }

    /// Prints a table; as JSON, its rows are objects by the names of the columns.
    pub(crate) fn table(&self, table: &Table, format: Layout) -> Result<ExitCode> {
        let text = if format == Layout::Json { json(table) } else { table.render(format)? };
        self.result(&text)
    }

    /// Prints data for machines on stdout: byte for byte, unless a person looks at them on a terminal.
    pub(crate) fn data(&self, bytes: &[u8]) -> Result<ExitCode> {
        self.print(&seen(bytes, std::io::stdout().is_terminal()))?;
        Ok(ExitCode::SUCCESS)
    }

    /// A reader that has gone away is no error.
    #[expect(clippy::unused_self, reason = "the door is passed through, so that nobody prints elsewhere")]
    fn print(&self, bytes: &[u8]) -> Result<()> {
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
        drop(writeln!(anstream::stderr(), "{red}error:\u{1b}[0m {error}"));
        ExitCode::from(error.exit_code())
    }

    /// A bar for bytes that arrive; shown on a terminal only.
    pub(crate) fn bytes_progress(&self, bytes: u64, what: &str) -> ProgressBar {
        self.new_bar(bytes, what, "{msg} {wide_bar} {bytes}/{total_bytes} {bytes_per_sec}")
    }

    fn new_bar(&self, steps: u64, what: &str, template: &str) -> ProgressBar {
        let hidden = self.quiet || !std::io::stderr().is_terminal();
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(steps), target);
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        bar.set_message(note(what).into_owned());
        bar.enable_steady_tick(Duration::from_secs(1));
        bar
    }

    fn bar(&self) -> MutexGuard<'_, Option<ProgressBar>> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Progress becomes a bar for work that takes longer than a second; shown on a terminal only. Notes are lines on stderr,
/// unless `--quiet`.
impl Watcher for Output {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        let mut bar = self.bar();
        let bar = bar.get_or_insert_with(|| {
            self.new_bar(total, stage, "{msg} {wide_bar} {pos}/{len} {elapsed}, {eta} left")
        });
        bar.set_position(bar.position().max(done));
    }

    fn detail(&self, text: &str) {
        if let Some(bar) = &*self.bar() {
            bar.set_message(note(text).into_owned());
        }
    }

    fn end(&self, _stage: &str) {
        if let Some(bar) = self.bar().take() {
            bar.finish_and_clear();
        }
    }

    fn note_list(&self, text: &str, lines: &[String]) {
        if self.quiet {
            return;
        }
        let (apart, text) = text.strip_prefix('\n').map_or(("", text), |text| ("\n", text));
        let said = [format!("{apart}{}", note(text))].into_iter();
        for line in said.chain(lines.iter().map(|line| format!("  {}", note(line)))) {
            // Nobody can be told that stderr is gone.
            drop(writeln!(anstream::stderr(), "{line}"));
        }
    }
}

/// A result as it is printed. Tables have nothing left to escape; what may still turn the direction of a line stands in CSV,
/// which keeps its values where no person looks at them.
fn shown(text: &str, is_terminal: bool) -> Cow<'_, str> {
    if is_terminal { text::lines(text) } else { text::csv(text) }
}

/// Data as they are printed.
fn seen(bytes: &[u8], is_terminal: bool) -> Cow<'_, [u8]> {
    if !is_terminal {
        return Cow::Borrowed(bytes);
    }
    Cow::Owned(text::lines(&String::from_utf8_lossy(bytes)).into_owned().into_bytes())
}

/// What is said, on one line.
fn note(text: &str) -> Cow<'_, str> {
    text::brief(text, LONGEST_NOTE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_commands_a_terminal_and_data_stay_as_they_are() {
        let evil = "a\u{1b}[31m\u{202e}b\r\nc";
        assert_eq!(shown(evil, true), "a\\u{1b}[31m\\u{202e}b\r\nc");
        assert_eq!(shown(evil, false), "a\\u{1b}[31m\u{202e}b\r\nc");
        assert_eq!(seen(evil.as_bytes(), true).as_ref(), shown(evil, true).as_bytes());
        assert_eq!(seen(b"\xff\x1b", false).as_ref(), b"\xff\x1b");
        assert_eq!(seen(b"\xff\x1b", true).as_ref(), "\u{fffd}\\u{1b}".as_bytes());
    }
}
