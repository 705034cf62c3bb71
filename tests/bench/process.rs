//! What a process costs: CPU time, wall time, peak memory, as Linux counts them.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The cost of a process from start to end.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    /// Seconds of CPU time, of user and kernel.
    pub(crate) cpu: f64,
    /// Seconds of wall time.
    pub(crate) wall: f64,
    /// Bytes of memory at the highest.
    pub(crate) peak: f64,
}

/// Runs a command and says what it cost, and what it printed.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures wall time")]
pub(crate) fn run(command: &mut Command) -> io::Result<(Cost, String)> {
    let (before, started) = (children_cpu()?, Instant::now());
    let mut child = command.stdout(Stdio::piped()).spawn()?;
    // Whoever prints much waits until somebody reads.
    let output = child.stdout.take().map(|output| thread::spawn(move || io::read_to_string(output)));
    let status = format!("/proc/{}/status", child.id());
    // The peak only grows, and the last thing a program does is not what needs most.
    let mut peak = 0;
    let ended = loop {
        if let Some(ended) = child.try_wait()? {
            break ended;
        }
        peak = peak.max(fs::read_to_string(&status).map_or(0, |text| highest_memory(&text)));
        thread::sleep(Duration::from_millis(2));
    };
    let wall = started.elapsed().as_secs_f64();
    let cost = Cost { cpu: children_cpu()? - before, wall, peak: peak as f64 * 1024.0 };
    let printed = output.and_then(|output| output.join().ok()).transpose()?.unwrap_or_default();
    if ended.success() {
        return Ok((cost, printed));
    }
    Err(io::Error::other(format!("{command:?} failed: {ended}")))
}

/// Runs a command some times, each time after `before`, and gives the median of each cost.
pub(crate) fn median(
    turns: usize,
    mut before: impl FnMut() -> io::Result<()>,
    command: impl Fn() -> Command,
) -> io::Result<Cost> {
    let mut costs = Vec::new();
    for _ in 0..turns.max(1) {
        before()?;
        costs.push(run(&mut command())?.0);
    }
    let middle = |of: fn(&Cost) -> f64| {
        let mut all: Vec<f64> = costs.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    Ok(Cost { cpu: middle(|cost| cost.cpu), wall: middle(|cost| cost.wall), peak: middle(|cost| cost.peak) })
}

/// The median of the CPU seconds of a command that is over at once: of rounds of some runs, since the kernel counts in
/// 10 ms.
pub(crate) fn short_cpu(rounds: u32, runs: u32, command: &mut Command) -> io::Result<f64> {
    let mut all = Vec::new();
    for _ in 0..rounds {
        let before = children_cpu()?;
        for _ in 0..runs {
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
            if !status.success() {
                return Err(io::Error::other(format!("{command:?} failed: {status}")));
            }
        }
        all.push((children_cpu()? - before) / f64::from(runs));
    }
    all.sort_by(f64::total_cmp);
    Ok(all[all.len() / 2])
}

/// Removes a folder, if it is there.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The bytes of the files below a folder.
pub(crate) fn bytes(folder: &Path) -> io::Result<f64> {
    let mut sum = 0.0;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        sum += if kind.is_dir() { bytes(&entry.path())? } else { entry.metadata()?.len() as f64 };
    }
    Ok(sum)
}

/// CPU seconds of this process so far.
pub(crate) fn own_cpu() -> io::Result<f64> {
    cpu_fields(13)
}

/// CPU seconds of all children that were waited for.
fn children_cpu() -> io::Result<f64> {
    cpu_fields(15)
}

/// User and kernel time from `/proc/self/stat`, where `first` is the index of the first of both fields.
fn cpu_fields(first: usize) -> io::Result<f64> {
    const TICKS_PER_SECOND: f64 = 100.0;
    let text = fs::read_to_string("/proc/self/stat")?;
    // The name of the program may hold spaces: count from the parenthesis that closes it.
    let rest = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let ticks =
        |at: usize| fields.get(at - 2).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    Ok((ticks(first) + ticks(first + 1)) / TICKS_PER_SECOND)
}

/// `VmHWM` in kB; nothing of a process that has ended.
fn highest_memory(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or_default()
}
