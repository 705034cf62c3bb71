//! `qassay systems`: the protocols by which live systems are asked.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::{Error, Result};
use qassay::report::json::text;
use qassay::report::protocols;
use qassay::report::table::Layout;
use qassay::sources::file::source::Source;
use qassay::systems::description::Protocol;

use super::definitions::paragraphs;
use super::output::Output;

/// List and explain the protocols by which live systems are asked
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  qassay systems
  qassay systems kgqan
  qassay systems --description mine.ttl")]
pub(super) struct Systems {
    /// The protocols to explain, each with an example of what it sends; without any, all are listed
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Those of a Turtle file of your own
    #[command(flatten)]
    description: DescriptionFile,
    /// How to print them
    #[arg(long, short, value_enum, default_value_t)]
    format: Layout,
}

/// Protocols of a user's own
#[derive(Debug, Clone, Args)]
pub(super) struct DescriptionFile {
    /// A Turtle file that describes protocols with the terms of `ontology/systems.ttl`; they may be like built-in ones
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    description: Option<PathBuf>,
}

impl DescriptionFile {
    /// The protocols of the file, else the built-in ones.
    pub(super) fn protocols(&self) -> Result<Vec<Protocol>> {
        match &self.description {
            Some(path) => Protocol::of_file(&Source::open(path)?),
            None => Ok(Protocol::all().to_vec()),
        }
    }

    /// The protocol with a name: of the file, else a built-in one; none named: the only one of the file, else `usual`.
    pub(super) fn protocol(&self, name: Option<&str>, usual: &str) -> Result<Protocol> {
        let own = if self.description.is_some() { self.protocols()? } else { Vec::new() };
        match (name, own.as_slice()) {
            (Some(name), own) => match own.iter().find(|one| one.name == name) {
                Some(one) => Ok(one.clone()),
                None => Protocol::named(name).cloned(),
            },
            (None, []) => Protocol::named(usual).cloned(),
            (None, [only]) => Ok(only.clone()),
            (None, several) => {
                let names: Vec<&str> = several.iter().map(|one| one.name.as_str()).collect();
                Err(Error::input("the file describes several protocols")
                    .allowed(names.join(", "))
                    .hint("`--as NAME` says which is meant"))
            }
        }
    }
}

impl Systems {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let known = self.description.protocols()?;
        if self.names.is_empty() {
            return output.table(&protocols::protocols(&known), self.format);
        }
        let chosen: Vec<Protocol> =
            self.names.iter().map(|name| self.description.protocol(Some(name), "")).collect::<Result<_>>()?;
        if self.format == Layout::Json {
            return output.result(&text(&protocols::protocols_json(&chosen)));
        }
        let explained = |one: &Protocol| {
            let table = protocols::protocol(one);
            match self.format {
                Layout::Table => Ok(format!("{}\n{}", paragraphs(&table), protocols::example(one)?)),
                format => table.render(format),
            }
        };
        let texts: Vec<String> = chosen.iter().map(explained).collect::<Result<_>>()?;
        output.result(&texts.join("\n"))
    }
}
