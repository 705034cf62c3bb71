//! `qassay push`: the archive to a place elsewhere.

use std::process::ExitCode;

use clap::{Args, ValueHint};
use qassay::base::error::Result;
use qassay::base::text::counted;
use qassay::sources::depot::Depot;
use qassay::workbench::push::Pushed;

use super::output::Output;
use super::words::ArchivePlace;

/// Send what a folder or an object store lacks of the archive
#[derive(Debug, Args)]
#[command(after_help = CREDENTIALS)]
pub(super) struct Push {
    /// Where it goes: a folder, `s3://BUCKET/PREFIX`, `gs://BUCKET/PREFIX` or `az://CONTAINER/PREFIX`
    #[arg(value_name = "TO", value_hint = ValueHint::AnyPath)]
    to: String,
    /// What goes
    #[command(flatten)]
    archive: ArchivePlace,
}

/// Where a store is, and who asks.
pub(super) const CREDENTIALS: &str = "The environment says where a store is and who asks:
  s3  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_DEFAULT_REGION; AWS_ENDPOINT of a store that
      is not Amazon's, and AWS_ALLOW_HTTP=true where it has no TLS
  gs  GOOGLE_SERVICE_ACCOUNT, the file of the account
  az  AZURE_STORAGE_ACCOUNT_NAME, AZURE_STORAGE_ACCOUNT_KEY";

impl Push {
    /// Runs the command.
    pub(super) fn run(&self, output: &Output) -> Result<ExitCode> {
        let to = Depot::at(&self.to)?;
        let Pushed { contents, records, bytes, known } = self.archive.workbench().push(&to, output)?;
        output.result(&format!(
            "pushed to {}: {} and {}, {}; {known} already there\n",
            to.name(),
            counted(contents, "file"),
            counted(records, "record"),
            counted(bytes, "byte"),
        ))
    }
}
