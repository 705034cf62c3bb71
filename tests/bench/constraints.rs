//! How long each constraint takes on the evaluations of an archive.

use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};

use qassay::base::query::QueryFile;
use qassay::record::archived::Archived;
use qassay::record::verify::constraints::{Constraints, rows};
use qassay::sources::archive::Archive;
use qassay::sparql::named_query::NamedQuery;

/// Prints a line a constraint, the slowest first.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures wall time")]
pub(crate) fn print(archive: &Path) -> Result<(), Box<dyn Error>> {
    let (archived, _) = Archived::open_damaged(Archive::open(archive)?)?;
    let constraints = Constraints::new(&archived)?;
    let mut times: Vec<(Duration, &str)> =
        QueryFile::folder("check").map(|file| (Duration::ZERO, file.name)).collect();
    let mut loading = Duration::ZERO;
    for evaluation in &archived.evaluations {
        let start = Instant::now();
        let (layer, _) = constraints.layer(evaluation);
        loading += start.elapsed();
        for (time, name) in &mut times {
            let start = Instant::now();
            rows(&layer, &NamedQuery::find(name)?)?;
            *time += start.elapsed();
        }
    }
    times.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
    println!("| ms of {} evaluations | |\n|--:|---|", archived.evaluations.len());
    println!("| {:.1} | loading |", loading.as_secs_f64() * 1e3);
    for (time, name) in times {
        println!("| {:.1} | {name} |", time.as_secs_f64() * 1e3);
    }
    Ok(())
}
