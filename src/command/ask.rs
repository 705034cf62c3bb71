//! `qassay ask`: asks live systems the questions of a dataset.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::record::comparison::headline::HeadlineIntervals;
use qassay::record::results::{Detail, Results};
use qassay::references::ReferenceKind;
use qassay::report::asking::{AskedView, AskingView, asked};
use qassay::report::evaluations::{DIGITS_FOR_PEOPLE, overview};
use qassay::report::json::{evaluations, text, value};
use qassay::report::table::Layout;
use qassay::systems::address::AddressPolicy;
use qassay::systems::choose::WantedQuestions;
use qassay::systems::description::{Manners, Protocol};
use qassay::systems::run::{LONGEST_WAIT, MOST_BYTES, Politeness};
use qassay::systems::tally::AskedTally;
use qassay::systems::times::{MOST_SECONDS, time_of};
use qassay::workbench::Workbench;
use qassay::workbench::ask::{AskRequest, AskedSystem, Continuing, ReadyToAsk};
use qassay::workbench::evaluate::SubmissionFile;
use qassay::workbench::request::{GoldChoice, Request};

use super::evaluate::kept;
use super::output::Output;
use super::systems::DescriptionFile;
use super::words::BasedArchive;

/// The protocol where nobody names one.
const USUAL: &str = "gerbil";

/// How many keys of questions are listed.
const MOST_LISTED: usize = 10;

/// Ask live systems the questions of a dataset, and keep every exchange
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own on the command line")]
#[command(after_long_help = "Examples:
  qassay ask qald-9-test https://qa.example.org/gerbil --language en
  qassay ask questions.yaml https://t2s.example.org/ --as text2sparql --set dataset=https://…
  qassay ask qald-9-test platypus tebaqa
  qassay ask qald-9-test http://localhost:8899 --as kgqan --dry-run
  qassay ask qald-9-test http://localhost:8899 --as kgqan --resume --evaluate")]
pub(super) struct Ask {
    /// The dataset: a file of questions, or the name of a fetched one
    ///
    /// With or without gold answers.
    #[arg(value_hint = ValueHint::FilePath)]
    dataset: PathBuf,
    /// The systems: addresses, or names of protocols whose service address is known
    ///
    /// The protocols are those of `qassay systems`. Systems on one host are asked one after the other, others at the same
    /// time.
    #[arg(required = true, value_name = "ADDRESS|NAME", value_hint = ValueHint::Url)]
    systems: Vec<String>,
    /// The protocol of those that are named by their addresses [default: gerbil, or the only one of `--description`]
    ///
    /// See `qassay systems`.
    #[arg(long = "as", value_name = "PROTOCOL")]
    protocol: Option<String>,
    /// A protocol of your own
    #[command(flatten)]
    description: DescriptionFile,
    /// The name of the system; given as often as there are systems [default: host and port, or the name]
    #[arg(long, value_name = "NAME")]
    system: Vec<String>,
    /// The languages to ask in, the preferred one first [default: the only one of the dataset, else en]
    ///
    /// Questions in none of them are not asked.
    #[arg(long, short, value_name = "TAGS", value_delimiter = ',')]
    language: Vec<String>,
    /// What stands in a place of the protocol, such as kb=dbpedia
    ///
    /// Or instruction=@prompt.txt for the text of a file. It is kept: secrets belong into the environment. May be given
    /// again.
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<(String, String)>,
    /// Ask at most so many questions, the first ones of the dataset
    ///
    /// Of those that have a text in the language.
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Ask only the questions with these ids, separated by commas
    #[arg(long, value_name = "IDS", value_delimiter = ',', conflicts_with = "limit")]
    questions: Vec<String>,
    /// Ask so many questions at the same time
    #[arg(long, value_name = "N", default_value = "1")]
    parallel: NonZeroUsize,
    /// The longest that one try at a question may take, all its calls together [default: as the protocol says]
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    time_limit: Option<Duration>,
    /// How often a question is asked again after a failure that may pass [default: as the protocol says]
    #[arg(long, value_name = "N")]
    retries: Option<u32>,
    /// The wait between two questions [default: as the protocol says]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pause: Option<Duration>,
    /// The longest wait that a server may ask for
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(..=u64::from(MOST_SECONDS)), default_value_t = LONGEST_WAIT.as_secs())]
    max_wait: u64,
    /// Go on where keys are refused, quotas are used up, or nobody is reached
    #[arg(long)]
    keep_going: bool,
    /// Say what would be asked, and send nothing
    #[arg(long, conflicts_with_all = ["resume", "retry_failed", "replay", "evaluate"])]
    dry_run: bool,
    /// Ask what an interrupted or aborted run did not
    #[arg(long, group = "kept")]
    resume: bool,
    /// The same, and ask again what failed; the exchanges of before stay
    #[arg(long, group = "kept")]
    retry_failed: bool,
    /// Ask nothing: read the kept exchanges again
    ///
    /// With the protocol as it is described now.
    #[arg(long, group = "kept")]
    replay: bool,
    /// Begin again; an interrupted run is kept as it is
    #[arg(long, group = "kept")]
    restart: bool,
    /// Score the answers against the gold answers of the dataset
    #[arg(long)]
    evaluate: bool,
    /// With `--evaluate`: the ways to score
    #[arg(long, short, value_delimiter = ',', default_value = "qassay", requires = "evaluate")]
    profile: Vec<String>,
    /// With `--evaluate`: the knowledge base on which queries are run
    #[arg(long, value_name = "KB", requires = "evaluate")]
    kb: Vec<String>,
    /// With `--evaluate`: links between equal resources
    #[arg(long, value_name = "LINKS", requires = "evaluate", value_hint = ValueHint::FilePath)]
    links: Vec<PathBuf>,
    /// With `--evaluate`: which gold answers count; the refreshed ones need `--kb`
    #[arg(long, value_enum, value_name = "GOLD", default_value_t, requires = "evaluate")]
    gold: GoldChoice,
    /// With `--evaluate`: labels, for systems that answer with texts
    #[arg(long, value_name = "LABELS", requires = "evaluate", value_hint = ValueHint::FilePath)]
    labels: Vec<PathBuf>,
    /// How to print the table
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where exchanges and answers are kept
    #[command(flatten)]
    archive: BasedArchive,
}

impl Ask {
    /// Runs the command: exit code 1 where a run was stopped before its end.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        self.check()?;
        let bench = self.archive.workbench()?;
        // Hours of asking are not for an evaluation that cannot be.
        let evaluation = self.evaluate.then(|| self.evaluation(&bench)).transpose()?;
        let mut ready = Vec::new();
        for (at, word) in self.systems.iter().enumerate() {
            let request = self.request(word, self.system.get(at))?;
            let polite = self.politeness(&request.protocol)?;
            ready.push((bench.ready_to_ask(&request)?, polite));
        }
        if let Some((first, _)) = ready.first() {
            self.announce(first, output);
        }
        for (one, _) in &ready {
            self.remark(&bench, one, output)?;
        }
        if self.dry_run {
            let texts: Vec<String> = ready.iter().map(|(one, _)| would(one)).collect::<Result<_>>()?;
            return output.result(&texts.join("\n"));
        }
        let results = bench.ask_all(&ready, self.again(), output)?;
        let (mut all, mut failed) = (Vec::new(), None);
        for ((ready, _), result) in ready.iter().zip(results) {
            match result {
                Ok(asked) => all.push((ready, asked)),
                Err(error) if failed.is_none() => failed = Some(error),
                Err(error) => output.note(&error.to_string()),
            }
        }
        if !all.is_empty() {
            self.tell(&bench, evaluation.as_ref(), &all, output)?;
        }
        if let Some(error) = failed {
            return Err(error);
        }
        let is_bad = |one: &AskedSystem| one.stopped().is_some() || one.tally.replies() == 0;
        Ok(if all.iter().any(|(_, one)| is_bad(one)) { ExitCode::from(1) } else { ExitCode::SUCCESS })
    }

    /// What the command line cannot say by itself.
    fn check(&self) -> Result<()> {
        let names: BTreeSet<&String> = self.system.iter().collect();
        if !self.system.is_empty() && names.len() != self.systems.len() {
            return Err(Error::input("there are not as many different names as systems")
                .allowed("`--system NAME` once for each system, in their order"));
        }
        if self.limit == Some(0) {
            return Err(Error::input("no question would be asked").allowed("`--limit 1` or more"));
        }
        if self.protocol.is_some() && !self.systems.iter().any(|word| is_address(word)) {
            return Err(Error::input("`--as` is for systems that are named by their addresses")
                .hint("a name in place of an address is that of the protocol too"));
        }
        if self.evaluate && self.format == Layout::Csv {
            return Err(Error::input("CSV holds one table, and what came of asking and its scores are two")
                .allowed("another --format, or `--evaluate` later, with `--replay`"));
        }
        Ok(())
    }

    /// How the answers will be scored.
    fn evaluation(&self, bench: &Workbench) -> Result<Request> {
        let of_kind =
            |kind, words: &[PathBuf]| words.iter().map(|word| (kind, word.clone())).collect::<Vec<_>>();
        let references =
            [of_kind(ReferenceKind::Links, &self.links), of_kind(ReferenceKind::Labels, &self.labels)];
        let request = Request {
            references: references.concat(),
            kb: self.kb.clone(),
            gold: self.gold,
            ..Request::with_profiles(self.profile.iter().map(String::as_str))?
        };
        bench.can_evaluate(&request)?;
        Ok(request)
    }

    /// Says what is asked in which language, what is not, and what is kept.
    fn announce(&self, first: &ReadyToAsk, output: &Output) {
        told(first, output);
        if self.evaluate && first.chosen.asked.len() < first.questions() {
            let others = first.questions() - first.chosen.asked.len();
            output.note(&format!(
                "  all {} questions of the dataset are scored: the {others} that are not asked count as unanswered",
                first.questions()
            ));
        }
        if self.again() == Continuing::Anew && !self.dry_run {
            output.note(
                "  each reply is kept as it comes; after an interruption `--resume` asks what is missing",
            );
        }
    }

    /// Says what is odd about asking one of the systems, and that it was asked the same before.
    fn remark(&self, bench: &Workbench, one: &ReadyToAsk, output: &Output) -> Result<()> {
        if one.address.query().is_some() {
            output.note(&format!(
                "  the address of {} is kept as it is, with what stands behind `?`",
                one.system
            ));
        }
        for place in &one.unsaid {
            output.note(&format!("  nobody says what stands for {{{place}}}: it is sent as it stands"));
        }
        if self.again() == Continuing::Anew
            && let Some(when) = one.asked_before(bench)?
        {
            let when = when.get(..19).unwrap_or(&when);
            output.note(&format!(
                "{} was asked the same until {when}: `--replay` shows what came of it, and asks nobody",
                one.system
            ));
        }
        Ok(())
    }

    /// Who is asked what, by an address or by the name of a protocol that knows one.
    fn request(&self, word: &str, name: Option<&String>) -> Result<AskRequest> {
        let (address, protocol, usual_name) = if is_address(word) {
            (word.to_owned(), self.description.protocol(self.protocol.as_deref(), USUAL)?, None)
        } else {
            if word.contains([':', '/', '.']) {
                return Err(Error::input(format!("`{word}` is no address of a system")).allowed(
                    "an address that begins with http:// or https://, or a name of `qassay systems`",
                ));
            }
            let protocol = self.description.protocol(Some(word), USUAL)?;
            let address = protocol.address.clone().ok_or_else(|| {
                Error::input(format!("nobody says where `{word}` is"))
                    .hint(format!("give its address, with `--as {word}`"))
            })?;
            (address.to_string(), protocol, Some(word.to_owned()))
        };
        Ok(AskRequest {
            dataset: self.dataset.clone(),
            address,
            system: name.cloned().or(usual_name),
            protocol,
            settings: self.set.iter().cloned().collect::<BTreeMap<_, _>>(),
            wanted: WantedQuestions {
                languages: self.language.clone(),
                limit: self.limit,
                keys: self.questions.clone(),
            },
            policy: AddressPolicy::Any,
        })
    }

    fn again(&self) -> Continuing {
        match (self.resume, self.retry_failed, self.replay, self.restart) {
            (true, ..) => Continuing::Resume,
            (_, true, ..) => Continuing::RetryFailed,
            (_, _, true, _) => Continuing::Replay,
            (.., true) => Continuing::Restart,
            _ => Continuing::Anew,
        }
    }

    fn politeness(&self, protocol: &Protocol) -> Result<Politeness> {
        let own = protocol.manners.clone();
        if own.one_at_a_time && self.parallel.get() > 1 {
            return Err(Error::input(format!(
                "`{}` must never be asked two questions at once",
                protocol.name
            ))
            .allowed("--parallel 1"));
        }
        let manners = Manners {
            time_limit: self.time_limit.unwrap_or(own.time_limit),
            retries: self.retries.unwrap_or(own.retries),
            pause: self.pause.unwrap_or(own.pause),
            ..own
        };
        Ok(Politeness {
            manners,
            parallel: self.parallel,
            longest_wait: Duration::from_secs(self.max_wait),
            most_bytes: MOST_BYTES,
            keeps_going: self.keep_going,
        })
    }

    /// Prints what came of it, with the scores of the answers if they are wanted.
    fn tell(
        &self,
        bench: &Workbench,
        evaluation: Option<&Request>,
        all: &[(&ReadyToAsk, AskedSystem)],
        output: &Output,
    ) -> Result<()> {
        for (_, one) in all {
            if let Some(why) = one.stopped() {
                output.note(&format!("stopped asking {}: {why}", one.tally.system));
            }
            let failures = one.tally.failures();
            if !failures.is_empty() {
                output.note_list(&format!("\nwhat went wrong with {}:", one.tally.system), &failures);
            }
            if one.tally.replies() == 0 {
                output.note("nothing of what came could be read: is it the right protocol? `--as` names it");
            }
        }
        let submissions = all.iter().map(|(_, one)| format!("{}  {}", one.submission, one.tally.system));
        output.note_list(&format!("\nkept in {}:", bench.root().display()), &submissions.collect::<Vec<_>>());
        if !self.evaluate {
            output.note(
                "`qassay ask` with the same words and `--replay --evaluate` scores them, and asks nobody",
            );
        }
        let tallies: Vec<AskedTally> = all.iter().map(|(_, one)| one.tally.clone()).collect();
        let table = asked(&tallies, self.format == Layout::Table);
        let views = all.iter().map(|(ready, one)| AskedView::of(one.whom(ready), &one.tally)).collect();
        let Some(evaluation) = evaluation else {
            return match self.format {
                Layout::Json => output.result(&text(&AskingView::of(views, None))).map(drop),
                format => output.table(&table, format).map(drop),
            };
        };
        if self.format != Layout::Json {
            output.table(&table, self.format)?;
        }
        let file = |(_, one): &(&ReadyToAsk, AskedSystem)| SubmissionFile {
            path: one.file.clone(),
            system: Some(one.tally.system.clone()),
        };
        let files: Vec<SubmissionFile> = all.iter().map(file).collect();
        let evaluated = bench.evaluate(evaluation, &self.dataset, &files, output)?;
        let detail = if self.format == Layout::Json { Detail::Questions } else { Detail::Overview };
        let results: Vec<Results> =
            evaluated.evaluations.iter().map(|one| Results::shown_of(one, detail)).collect();
        if self.format == Layout::Json {
            let intervals = HeadlineIntervals::of(&results)?;
            let evaluated = value(&evaluations(&results, &[], &intervals));
            output.result(&text(&AskingView::of(views, Some(evaluated))))?;
        } else {
            output.result("\n")?;
            output.table(&overview(&results, Some(DIGITS_FOR_PEOPLE)), self.format)?;
        }
        evaluated.kept?;
        kept(bench, &results, &evaluated.again, output);
        Ok(())
    }
}

/// Says what is asked in which language, and what is not.
fn told(ready: &ReadyToAsk, output: &Output) {
    let chosen = &ready.chosen;
    let language = chosen.languages.first().map_or("", String::as_str);
    let languages = chosen.languages.join("`, else `");
    output.note(&format!("{} to ask, in `{languages}`", counted(chosen.asked.len(), "question")));
    for (other, count) in &chosen.otherwise {
        output.note(&format!("  {count} of them in `{other}`, as they lack the preferred language"));
    }
    if chosen.untagged > 0 {
        let count = chosen.untagged;
        output.note(&format!("  {count} of them say no language: they are asked as if in `{language}`"));
    }
    if !chosen.lacking.is_empty() {
        let count = counted(chosen.lacking.len(), "question");
        output.note(&format!(
            "  not asked, without a text in {}: {count}: {}",
            chosen.languages.join(", "),
            listed(&chosen.lacking)
        ));
    }
    let repeated: Vec<String> = chosen.repeated().into_iter().map(str::to_owned).collect();
    if !repeated.is_empty() {
        output.note(&format!("  asked with the text of another question: {}", listed(&repeated)));
    }
}

/// Whether a word is an address, and no name.
fn is_address(word: &str) -> bool {
    word.contains("://")
}

fn listed(keys: &[String]) -> String {
    let more = keys.len().saturating_sub(MOST_LISTED);
    let first = keys.iter().take(MOST_LISTED).cloned().collect::<Vec<_>>().join(", ");
    if more > 0 { format!("{first} and {more} more") } else { first }
}

/// What would be sent.
fn would(ready: &ReadyToAsk) -> Result<String> {
    let request = ready.first_request()?.replace('\r', "");
    Ok(format!("{} at {}, first:\n\n{}\n", ready.system, ready.address, request.trim_end()))
}

fn setting(text: &str) -> std::result::Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), text_of(value)?)),
        _ => Err("a name, `=` and a value".to_owned()),
    }
}

/// A value, or the text of the file that `@FILE` names.
fn text_of(value: &str) -> std::result::Result<String, String> {
    let Some(path) = value.strip_prefix('@') else { return Ok(value.to_owned()) };
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    Ok(text.trim_end().to_owned())
}

fn seconds(text: &str) -> std::result::Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    number.and_then(time_of).ok_or_else(|| format!("a number of seconds, at most {MOST_SECONDS} (31 days)"))
}

/// The same, and more than none.
fn some_seconds(text: &str) -> std::result::Result<Duration, String> {
    match seconds(text)? {
        Duration::ZERO => Err("a number of seconds, more than 0".to_owned()),
        time => Ok(time),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_neither_endless_nor_limits_of_nothing() {
        assert_eq!(seconds("1.5"), Ok(Duration::from_millis(1500)));
        assert_eq!((seconds("0"), some_seconds("0.001")), (Ok(Duration::ZERO), Ok(Duration::from_millis(1))));
        for wrong in ["1e19", "-1", "nan", "2678401", "x"] {
            assert!(seconds(wrong).unwrap_err().contains("at most 2678400"), "{wrong}");
        }
        assert!(some_seconds("0").unwrap_err().contains("more than 0"));
    }
}
