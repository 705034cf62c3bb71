//! `qassay completions` and `qassay man`: what a shell completes, and the pages of the manual, made of the words of every verb.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command, CommandFactory, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use qassay::base::error::{Error, Result};
use qassay::base::text::counted;
use qassay::base::watch::Watcher;

use super::Cli;
use super::output::Output;

/// Print what a shell needs to complete words, to be put where it looks
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay completions bash > ~/.local/share/bash-completion/completions/qassay
  qassay completions zsh > ~/.zfunc/_qassay
  qassay completions fish > ~/.config/fish/completions/qassay.fish")]
pub(super) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut shown(), "qassay", &mut text);
        output.data(&text)
    }
}

/// Print the page of the manual, or write those of all verbs
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay man evaluate | man -l -
  qassay man --to ~/.local/share/man/man1")]
pub(super) struct ManPages {
    /// The verb, and what is below it; without one, the page of the program
    #[arg(value_name = "VERB")]
    verb: Vec<String>,
    /// Write the pages of the program and all verbs into this folder, as qassay.1, qassay-evaluate.1, …
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "verb")]
    to: Option<PathBuf>,
}

impl ManPages {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let mut program = shown();
        program.build();
        if let Some(folder) = &self.to {
            let written = write_all(&program, folder)?;
            output.note(&format!("wrote {} to {}", counted(written, "page"), folder.display()));
            return Ok(ExitCode::SUCCESS);
        }
        let mut of = &program;
        for word in &self.verb {
            of = of.get_subcommands().find(|verb| verb.get_name() == word).ok_or_else(|| {
                let known: Vec<&str> = of.get_subcommands().map(Command::get_name).collect();
                Error::input(format!("there is no page `{}`", self.verb.join(" "))).allowed(known.join(", "))
            })?;
        }
        output.data(&page(of)?)
    }
}

/// The words of the program without the verbs that it starts itself.
fn shown() -> Command {
    let whole = Cli::command();
    let mut program = Command::new("qassay")
        .version(env!("CARGO_PKG_VERSION"))
        .about(whole.get_about().cloned().unwrap_or_default())
        .after_help(whole.get_after_help().cloned().unwrap_or_default())
        .subcommand_required(true)
        .disable_help_flag(true)
        .propagate_version(true);
    for argument in whole.get_arguments() {
        program = program.arg(argument.clone());
    }
    program
        .subcommands(whole.get_subcommands().filter(|verb| !verb.is_hide_set()).cloned().map(with_every_text))
}

/// A verb whose options all have their text: `clap_mangen` takes what the short help leaves out for what has no short text.
fn with_every_text(verb: Command) -> Command {
    verb.mut_args(|argument| argument.hide_short_help(false)).mut_subcommands(with_every_text)
}

/// Writes the page of a command and those of all below it; gives how many.
fn write_all(command: &Command, folder: &Path) -> Result<usize> {
    fs::create_dir_all(folder).map_err(|error| Error::io("make the folder", folder, &error))?;
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, page(command)?).map_err(|error| Error::io("write the file", &path, &error))?;
    let below = command.get_subcommands().filter(|verb| verb.get_name() != "help" && !verb.is_hide_set());
    below.map(|verb| write_all(verb, folder)).try_fold(1, |sum, written| Ok(sum + written?))
}

fn page(command: &Command) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let page = Man::new(command.clone()).date("").manual("qassay").render(&mut text);
    page.map_err(|error| Error::system(format!("cannot write the page: {error}")))?;
    Ok(text)
}
