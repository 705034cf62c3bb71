//! `qassay publish`: evaluations and comparisons as a FAIR record, in a folder or a zip; or all that is published as a site.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::base::text::counted;
use qassay::base::watch::Watcher;
use qassay::record::publication::agent::Agent;
use qassay::record::publication::licence::Licence;
use qassay::record::publication::signature::SigningKey;
use qassay::report::publication::{publication, publication_json};
use qassay::report::table::Layout;
use qassay::workbench::Workbench;
use qassay::workbench::deposit::{DepositDraft, Repository};
use qassay::workbench::publish::{Package, ReadyRecord};
use qassay::workbench::publish_request::PublishRequest;
use qassay::workbench::site::{SiteReport, SiteRequest};
use serde_json::Value;

use super::output::Output;
use super::words::BasedArchive;

/// The environment variable with the password of a secret key.
const PASSWORD: &str = "QASSAY_SIGN_PASSWORD";

/// Publish evaluations and comparisons as a FAIR record, or a site of many
///
/// A record is a folder for a web host, or a zip for a repository.
#[derive(Debug, Args)]
#[command(
    override_usage = "qassay publish [OPTIONS] <EVALUATIONS>... <TO>\n       qassay publish [OPTIONS] --site <DIR> [EVALUATIONS]...\n       qassay publish --withdraw --reason <TEXT> [OPTIONS] <EVALUATIONS>... [TO]"
)]
pub(super) struct Publish {
    /// Evaluations or comparisons; and TO, the last word: a new folder or .zip file
    ///
    /// An evaluation by its IRI, the beginning of its key, or the name of the system; a comparison by its IRI or the
    /// beginning of its key. TO is a new folder, or a new file whose name ends with .zip. With `--site` there is no TO.
    // One argument: between it and another no options could stand.
    #[arg(required_unless_present = "site", value_name = "EVALUATIONS", value_hint = ValueHint::AnyPath)]
    words: Vec<String>,
    /// Who made it; may be given again [default: as the last time]
    ///
    /// NAME and an ORCID or the address of a page, as in "Josiah Carberry <0000-0002-1825-0097>".
    #[arg(long, value_name = "WHO")]
    creator: Vec<String>,
    /// Who publishes it [default: as the last time, else the first who made it]
    ///
    /// NAME and a ROR or the address of a page, as in "Example Laboratory <https://example.org/lab>".
    #[arg(long, value_name = "WHO")]
    publisher: Option<String>,
    /// The licence of what qassay made [default: as the last time, else CC0-1.0]
    ///
    /// Of scores, provenance, records, tables.
    #[arg(long, value_name = "LICENCE")]
    licence: Option<String>,
    /// The licence of an input, where its record does not state it
    ///
    /// And where you know it: INPUT is `dataset`, `submission`, `links`, …, a title, the name of a system, an IRI or the
    /// beginning of a checksum, and LICENCE is a name in the list of SPDX. What has no licence is withheld. May be given
    /// again.
    #[arg(long, value_name = "INPUT=LICENCE")]
    input_licence: Vec<String>,
    /// The DOI that a repository gave it
    ///
    /// The next version has it in all its metadata.
    #[arg(long, value_name = "DOI")]
    doi: Option<String>,
    /// What it is called [default: as the last time, else what is in it]
    #[arg(long, value_name = "TEXT", conflicts_with = "site")]
    title: Option<String>,
    /// The day of the publication [default: today]
    #[arg(long, value_name = "YYYY-MM-DD")]
    date: Option<String>,
    /// As a bag (RFC 8493), for archives
    ///
    /// The record is in its folder `data`.
    #[arg(long)]
    bag: bool,
    /// Sign the list of checksums with this secret key of minisign
    ///
    /// As `minisign -G` makes it; the signature is SHA256SUMS.minisig. The password of the key is in the variable
    /// `QASSAY_SIGN_PASSWORD`, or is asked for at a terminal.
    #[arg(long, value_name = "KEYFILE", value_hint = ValueHint::FilePath)]
    sign: Option<PathBuf>,
    /// A whole site
    #[command(flatten)]
    site: SiteWords,
    /// Deposit the zip TO as a draft in a repository
    ///
    /// It runs `InvenioRDM`, such as <https://sandbox.zenodo.org>; the variable `QASSAY_DEPOSIT_TOKEN` has the token.
    /// Nothing is published there by it.
    #[arg(long, value_name = "URL", conflicts_with_all = ["site", "check"])]
    deposit: Option<String>,
    /// Say that it is no longer public
    ///
    /// The archive keeps that, and in TO, which a single evaluation does not need, is a tombstone to be put where the
    /// record was.
    #[arg(long, requires = "reason", conflicts_with_all = ["bag", "check", "licence", "input_licence", "doi", "title", "site", "deposit"])]
    withdraw: bool,
    /// Why it is withdrawn, for everybody
    #[arg(long, value_name = "TEXT", requires = "withdraw")]
    reason: Option<String>,
    /// What replaces it
    #[arg(long, value_name = "IRI", requires = "withdraw")]
    successor: Option<String>,
    /// Write nothing, and tell what would be written, withheld, and visible to everybody
    #[arg(long)]
    check: bool,
    /// How to print what `--check` tells
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Where evaluations are kept
    #[command(flatten)]
    archive: BasedArchive,
}

/// The site of all that an archive has published.
#[derive(Debug, Args)]
struct SiteWords {
    /// Write pages of all that the archive has published into DIR
    ///
    /// With their records, a catalogue, a feed and the rules of a web server. DIR is a new folder, or one that a site was
    /// written into before, of which only what changed is written. What is named is published first, each evaluation and
    /// each comparison by itself.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with_all = ["bag", "doi"])]
    site: Option<PathBuf>,
    /// Publish everything that the archive has before the site is written
    #[arg(long, requires = "site", conflicts_with = "words")]
    all: bool,
    /// Where the site will be, for its feed and its map [default: the base of the IRIs]
    #[arg(long, requires = "site", value_name = "URL")]
    public_url: Option<String>,
}

impl Publish {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        if let Some(folder) = &self.site.site {
            return self.write_site(folder, output);
        }
        if let Some(reason) = &self.reason {
            return self.withdraw(reason, output);
        }
        let [evaluations @ .., out] = self.words.as_slice() else { return Ok(ExitCode::SUCCESS) };
        if evaluations.is_empty() {
            return Err(Error::input(format!("`{out}` is the only word"))
                .allowed("evaluations, and behind them where to publish them to"));
        }
        let repository = self.deposit.as_ref().map(|address| Repository::new(address)).transpose()?;
        if repository.is_some() && Package::of(out)? != Package::Zip {
            return Err(Error::input("a repository gets one file")
                .in_file(out)
                .allowed("with `--deposit`, a new file that ends with .zip"));
        }
        let bench = self.archive.workbench()?;
        let signing = self.signing_key()?;
        let mut record = bench.ready_record(&self.request(evaluations)?, output)?;
        if self.check {
            if self.format == Layout::Json {
                return output.result(&qassay::report::json::text(&json_of(&record)?));
            }
            return output.result(&self.tables_of(&record)?);
        }
        let metadata = record.metadata.clone();
        let signed =
            signing.as_ref().map_or_else(String::new, |key| format!(", signed with the key {}", key.id()));
        if let Some(key) = signing {
            record = record.signed_with(key);
        }
        let again = record.withdrawn.as_ref();
        let again = again.map_or_else(String::new, |day| format!(" again, which was withdrawn on {day},"));
        bench.publish(record, Path::new(out), Package::of(out)?, self.bag)?;
        let withheld = match metadata.withheld.len() {
            0 => String::new(),
            number => format!("; {} withheld, as `--check` tells", counted(number, "file")),
        };
        output.note(&format!(
            "published version {} of {}{again} to {out}{signed}{withheld}",
            metadata.version, metadata.iri
        ));
        if let Some(repository) = repository {
            let DepositDraft { id, page, doi } = repository.deposit(&metadata, Path::new(out))?;
            output.note(&format!("deposited as the draft {id}, which is not published: {page}"));
            if let Some(doi) = doi {
                output.note(&format!(
                    "the repository keeps {doi} for it: `--doi {doi}` puts it into the next version"
                ));
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    fn write_site(&self, folder: &Path, output: &Output) -> Result<ExitCode> {
        let request = SiteRequest {
            publish: self.request(&self.words)?,
            all: self.site.all,
            place: self.site.public_url.clone(),
        };
        let bench = self.archive.workbench()?;
        let signing = self.signing_key()?;
        if self.check {
            return self.check_site(&bench, &request, output);
        }
        let SiteReport { publications, withdrawn, counts } =
            bench.publish_site(&request, folder, signing.as_ref(), output)?;
        let signed =
            signing.as_ref().map_or_else(String::new, |key| format!(", signed with the key {}", key.id()));
        output.note(&format!(
            "{}: {} of {} written, {} removed; {}{signed}",
            folder.display(),
            counts.written,
            counted(counts.files, "file"),
            counts.removed,
            counted(publications, "publication")
        ));
        tell_withdrawn(withdrawn, output);
        Ok(ExitCode::SUCCESS)
    }

    /// Tells what would be on a site.
    fn check_site(&self, bench: &Workbench, request: &SiteRequest, output: &Output) -> Result<ExitCode> {
        if self.format == Layout::Json {
            let (all, _) = bench.check_site(request, output, |record| json_of(&record))?;
            return output.result(&qassay::report::json::text(&Value::Array(all)));
        }
        let (all, withdrawn) = bench.check_site(request, output, |record| self.tables_of(&record))?;
        tell_withdrawn(withdrawn, output);
        output.result(&all.join("\n"))
    }

    /// What a record would have, as tables.
    fn tables_of(&self, record: &ReadyRecord) -> Result<String> {
        let tables = publication(&record.metadata, &record.files()?, record.is_known);
        let told: Vec<String> =
            tables.iter().map(|table| table.render(self.format)).collect::<Result<_>>()?;
        Ok(told.join("\n"))
    }

    /// The key to sign with; none where nothing is written.
    fn signing_key(&self) -> Result<Option<SigningKey>> {
        let file = self.sign.as_ref().filter(|_| !self.check);
        file.map(|file| SigningKey::read(file, password)).transpose()
    }

    fn withdraw(&self, reason: &str, output: &Output) -> Result<ExitCode> {
        let (words, out) = match self.words.as_slice() {
            [words @ .., out] if !words.is_empty() => (words, Some(out)),
            words => (words, None),
        };
        let bench = self.archive.workbench()?;
        let archived = bench.archived()?;
        if let Some(out) = out.filter(|out| {
            archived.find(out).is_ok() || archived.comparison(out).is_ok_and(|one| one.is_some())
        }) {
            return Err(Error::input(format!("`{out}` is the last word"))
                .allowed("behind several evaluations, where the tombstone goes: a new folder, or a new file that ends with .zip"));
        }
        let signing = self.signing_key()?;
        let ready =
            bench.ready_withdrawal(&self.request(words)?, (reason, self.successor.as_deref()), output)?;
        let to = out.map(|out| Ok((Path::new(out), Package::of(out)?))).transpose()?;
        bench.withdraw(&ready, to, signing.as_ref())?;
        let publication = &ready.publication;
        let before = if ready.is_known { ", as before" } else { "" };
        let told = out.map_or_else(String::new, |out| format!("; the tombstone is in {out}"));
        output.note(&format!("withdrew {} by version {}{before}{told}", publication.of, publication.number));
        Ok(ExitCode::SUCCESS)
    }

    fn request(&self, evaluations: &[String]) -> Result<PublishRequest> {
        let input_licence = |stated: &String| {
            let (input, licence) = stated.rsplit_once('=').ok_or_else(|| {
                Error::input(format!("`{stated}` states no licence"))
                    .allowed("INPUT=LICENCE, as in dataset=MIT")
            })?;
            Ok((input.to_owned(), Licence::named(licence)?))
        };
        Ok(PublishRequest {
            names: None,
            words: evaluations.to_vec(),
            creators: self.creator.iter().map(|who| Agent::parse(who, true)).collect::<Result<_>>()?,
            publisher: self.publisher.as_ref().map(|who| Agent::parse(who, false)).transpose()?,
            licence: self.licence.as_ref().map(|licence| Licence::named(licence)).transpose()?,
            input_licences: self.input_licence.iter().map(input_licence).collect::<Result<_>>()?,
            doi: self.doi.clone(),
            title: self.title.clone(),
            day: self.date.clone(),
        })
    }
}

/// What a record would have, as JSON.
fn json_of(record: &ReadyRecord) -> Result<Value> {
    Ok(publication_json(&record.metadata, &record.files()?, record.is_known))
}

/// Says how much was left as it is, because it was withdrawn.
fn tell_withdrawn(withdrawn: usize, output: &Output) {
    let what = match withdrawn {
        0 => return,
        1 => "was, or has a part that was",
        _ => "were, or have parts that were",
    };
    output.note(&format!("not published again: {withdrawn} that {what}, withdrawn"));
}

/// The password of a secret key: a script has it in its environment, a person is asked.
fn password() -> Result<String> {
    if let Ok(password) = std::env::var(PASSWORD) {
        return Ok(password);
    }
    let unasked = || {
        Error::input("the secret key has a password")
            .hint(format!("`{PASSWORD}` holds it, or a terminal asks for it"))
    };
    if !std::io::stdin().is_terminal() {
        return Err(unasked());
    }
    rpassword::prompt_password("password of the secret key: ").map_err(|_| unasked())
}
