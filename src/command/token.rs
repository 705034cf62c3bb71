//! `qassay token`: tokens for programs that begin runs on a server.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use qassay::base::error::Result;
use qassay::base::watch::Watcher;
use qassay::report::table::{Column, Layout, Table};
use qassay::workbench::tokens::{AccessTokens, KnownToken, TokenScope};

use super::output::Output;
use super::words::ArchivePlace;

/// Give tokens to programs that begin runs on a server, and take them back
///
/// The server is `qassay serve --accept token`.
#[derive(Debug, Args)]
pub(super) struct TokenVerb {
    #[command(subcommand)]
    action: TokenAction,
}

/// What is done with tokens.
#[derive(Debug, Subcommand)]
enum TokenAction {
    /// Make a token: it is printed once, and only its checksum is kept
    New(NewToken),
    /// List the tokens, without their secrets
    List(TokenList),
    /// Take a token back: the server refuses it from then on
    Remove(RemovedToken),
}

/// A token that is made.
#[derive(Debug, Args)]
struct NewToken {
    /// What it is called, for you
    #[arg(default_value = "unnamed")]
    name: String,
    /// What it is good for, separated by commas
    #[arg(long, value_enum, value_name = "SCOPES", value_delimiter = ',', default_value = "run")]
    scope: Vec<TokenScope>,
    /// For how many days it is good
    #[arg(long, value_name = "N", default_value_t = 90, value_parser = clap::value_parser!(u16).range(1..=3650))]
    days: u16,
    /// Whose it is
    #[command(flatten)]
    archive: ArchivePlace,
}

/// Which tokens are listed.
#[derive(Debug, Args)]
struct TokenList {
    /// How to print the list
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
    /// Whose they are
    #[command(flatten)]
    archive: ArchivePlace,
}

/// A token that is taken back.
#[derive(Debug, Args)]
struct RemovedToken {
    /// Its name, or the beginning of its checksum
    #[arg(value_name = "TOKEN")]
    word: String,
    /// Whose it is
    #[command(flatten)]
    archive: ArchivePlace,
}

impl TokenVerb {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        match &self.action {
            TokenAction::New(new) => {
                let tokens = AccessTokens::of(&new.archive.archive);
                let (secret, known) = tokens.add(&new.name, &new.scope, new.days)?;
                output.note(&format!(
                    "good until {} for: {}; it is not shown again",
                    known.until,
                    scopes(&known)
                ));
                output.result(&format!("{}\n", secret.text()))
            }
            TokenAction::List(list) => {
                let mut table = Table { title: "Tokens".to_owned(), ..Table::default() };
                table.columns =
                    ["name", "scopes", "until", "sha256"].map(|name| Column::text(name, name)).to_vec();
                let row =
                    |one: KnownToken| vec![one.name.clone(), scopes(&one), one.until.clone(), one.sha256];
                table.rows = AccessTokens::of(&list.archive.archive).all()?.into_iter().map(row).collect();
                output.table(&table, list.format)
            }
            TokenAction::Remove(gone) => {
                let known = AccessTokens::of(&gone.archive.archive).remove(&gone.word)?;
                output.note(&format!("`{}` is no longer good", known.name));
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

fn scopes(token: &KnownToken) -> String {
    let names = token.scopes.iter().map(|scope| match scope {
        TokenScope::Run => "run",
        TokenScope::Publish => "publish",
    });
    names.collect::<Vec<_>>().join(", ")
}
