//! What a process costs: CPU time, wall time, peak memory, as Linux counts them.

use std::fs;
use std::io;
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
    let status = format!("/proc/{}/status", child.id());
    // The peak only grows, and the last thing a program does is not what needs most.
    let mut peak = 0;
    while child.try_wait()?.is_none() {
        peak = peak.max(fs::read_to_string(&status).map_or(0, |text| highest_memory(&text)));
        thread::sleep(Duration::from_millis(2));
    }
    let wall = started.elapsed().as_secs_f64();
    let output = child.wait_with_output()?;
    if !output.status.success() {
        return Err(io::Error::other(format!("{command:?} failed: {}", output.status)));
    }
    let cost = Cost { cpu: children_cpu()? - before, wall, peak: peak as f64 * 1024.0 };
    Ok((cost, String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// The smallest mean CPU time of a command, in seconds: five rounds of ten runs, since the kernel counts in 10 ms.
pub(crate) fn smallest_cpu(command: &mut Command) -> io::Result<f64> {
    const RUNS: u32 = 10;
    let mut smallest = f64::MAX;
    for _ in 0..5 {
        let before = children_cpu()?;
        for _ in 0..RUNS {
            let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status()?;
            if !status.success() {
                return Err(io::Error::other(format!("{command:?} failed: {status}")));
            }
        }
        smallest = smallest.min((children_cpu()? - before) / f64::from(RUNS));
    }
    Ok(smallest)
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
