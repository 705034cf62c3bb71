//! Submissions of live systems, made again from the exchanges that are kept: the same bytes, or it is told.

use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;
use crate::base::error::Result;
use crate::base::text;
use crate::record::asking::{ASKING, AskingFacts};
use crate::record::verify::findings::Findings;
use crate::sources::archive::Archive;

/// Checks all of them; no row where there are none.
pub fn submissions(archive: &Archive, report: &mut Findings) -> Result<()> {
    let records = archive.records_of(ASKING)?;
    let (mut problems, mut missing) = (Vec::new(), Vec::new());
    for path in &records {
        let told = |problem: String| format!("{}: {problem}", text::path(path));
        let facts = match AskingFacts::read(path) {
            Ok(facts) => facts,
            Err(error) => {
                problems.push(told(error.to_string()));
                continue;
            }
        };
        let files = [&facts.dataset, &facts.exchanges, &facts.description];
        if let Some(absent) = files.into_iter().find(|sha256| !archive.file(sha256).exists()) {
            missing.push(told(format!("{} is not here", text::path(&archive.file(absent)))));
            continue;
        }
        match facts.again(archive) {
            Ok(bytes) if hex(&Sha256::digest(&bytes)) == facts.submission => {}
            Ok(_) => {
                problems.push(told("the exchanges give another submission than the one recorded".to_owned()));
            }
            Err(error) => problems.push(told(error.to_string())),
        }
    }
    if !records.is_empty() {
        report.add("asked systems", "submissions made of exchanges", records.len() as u64, problems, missing);
    }
    Ok(())
}
