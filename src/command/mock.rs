//! `qassay mock`: serves the answers of a file as a live system.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueHint};
use qassay::base::error::Result;
use qassay::base::watch::Watcher;
use qassay::sources::format::{read, read_submission};
use qassay::systems::mock::book::AnswerBook;
use qassay::systems::mock::server::{Listening, MockSystem};

use super::output::Output;
use super::systems::DescriptionFile;
use super::words::ArchivePlace;

/// Serve the answers of a file as a live system, to test clients
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay mock answers.json --as gerbil --port 8080
  qassay mock answers.json --as text2sparql --delay 200 --errors 5%
  qassay mock answers.json --as kgqan --questions gold.json")]
pub(super) struct Mock {
    /// The answers of a system: a file, or the name of a fetched one
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    answers: PathBuf,
    /// The protocol (see `qassay systems`) [default: gerbil, or the only one of `--description`]
    #[arg(long = "as", value_name = "PROTOCOL")]
    protocol: Option<String>,
    /// A protocol of your own
    #[command(flatten)]
    description: DescriptionFile,
    /// The dataset with the texts of the questions, where the answers have none
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    questions: Option<PathBuf>,
    /// Reply after so many milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    delay: u64,
    /// Fail for this share of the questions, always the same ones
    #[arg(long, value_name = "SHARE", default_value = "0%", value_parser = millionths)]
    errors: u32,
    /// Listen at this address
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Listen at this port [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Where fetched files are
    #[command(flatten)]
    archive: ArchivePlace,
}

impl Mock {
    /// Serves until somebody ends the program.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let protocol = self.description.protocol(self.protocol.as_deref(), "gerbil")?;
        protocol.can_be_spoken()?;
        let bench = self.archive.workbench();
        let (document, _) = read_submission(&bench.open(&self.answers, None)?)?;
        let questions = match &self.questions {
            Some(path) => Some(read(&bench.open(path, None)?)?.0),
            None => None,
        };
        let book = AnswerBook::of(&document, questions.as_ref())?;
        let listening = Listening::at(SocketAddr::new(self.host, self.port))?;
        output.note(&format!("{} answers by `{}`; Ctrl-C ends it", book.len(), protocol.name));
        output.result(&format!("http://{}\n", listening.address()?))?;
        let delay = Duration::from_millis(self.delay);
        listening.serve(MockSystem { protocol, book, delay, failing: self.errors })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A share in millionths: `5%`, `0.05`.
fn millionths(text: &str) -> std::result::Result<u32, String> {
    let (number, whole) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    let share: Option<f64> = number.trim().parse().ok().map(|number: f64| number / whole);
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    // Between nothing and a million.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is between 0 and 1")]
    let millionths = share.map(|share| (share * 1_000_000.0).round() as u32);
    millionths.ok_or_else(|| "a share such as 5% or 0.05".to_owned())
}
