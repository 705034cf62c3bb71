//! The yardstick: bulk-loading quads into an Oxigraph store in memory. Runs in a process of its own.

use std::error::Error;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::Command;

use oxigraph::io::{RdfFormat, RdfParser};
use oxigraph::model::Quad;
use oxigraph::store::Store;
use qassay::sources::archive::stored::StoredFile;

use crate::process::{self, Cost};

/// The word that makes the benchmark a process that only loads.
pub(crate) const COMMAND: &str = "load-only";

/// What loading cost.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    /// How many quads.
    pub(crate) quads: f64,
    /// CPU seconds of loading alone, from quads that are parsed already.
    pub(crate) cpu_parsed: f64,
    /// CPU time, wall time and memory of a process that parses and loads.
    pub(crate) whole: Cost,
}

/// Measures the loading of the graphs of an archive that a predicate chooses.
pub(crate) fn measure(archive: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<Load> {
    let graphs = graphs(archive, wanted)?;
    let run = |mode: &str| {
        process::run(Command::new(std::env::current_exe()?).arg(COMMAND).arg(mode).args(&graphs))
    };
    let (whole, quads) = run("text")?;
    let (_, cpu) = run("parsed")?;
    let number = |text: String| text.trim().parse().map_err(io::Error::other);
    Ok(Load { quads: number(quads)?, cpu_parsed: number(cpu)?, whole })
}

/// The graph files of an archive whose first statement is in a graph with a wanted name.
fn graphs(archive: &Path, wanted: impl Fn(&str) -> bool) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in fs::read_dir(archive.join("graphs/sha256"))? {
        for file in fs::read_dir(folder?.path())? {
            let path = file?.path();
            let mut start = Vec::new();
            StoredFile::new(&path).open()?.take(4096).read_to_end(&mut start)?;
            let start = String::from_utf8_lossy(&start).into_owned();
            let line = start.lines().next().unwrap_or_default();
            if line.rsplit_once(" <").is_some_and(|(_, graph)| wanted(graph)) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The process that only loads: prints the number of quads, or the CPU seconds of loading parsed quads.
pub(crate) fn child(mode: &str, files: &[String]) -> Result<String, Box<dyn Error>> {
    let store = Store::new()?;
    if mode == "parsed" {
        let quads = files.iter().map(|file| parse(file)).collect::<Result<Vec<_>, _>>()?.concat();
        let before = process::own_cpu()?;
        let mut loader = store.bulk_loader();
        loader.load_quads(quads)?;
        loader.commit()?;
        let cpu = process::own_cpu()? - before;
        std::mem::forget(store);
        return Ok(cpu.to_string());
    }
    for file in files {
        let mut loader = store.bulk_loader();
        loader.load_from_reader(RdfFormat::NQuads, open(file)?)?;
        loader.commit()?;
    }
    let quads = store.len()?;
    std::mem::forget(store);
    Ok(quads.to_string())
}

fn open(file: &str) -> io::Result<impl Read> {
    StoredFile::new(file).open()
}

fn parse(file: &str) -> Result<Vec<Quad>, Box<dyn Error>> {
    let quads = RdfParser::from_format(RdfFormat::NQuads).for_reader(open(file)?);
    Ok(quads.collect::<Result<Vec<_>, _>>()?)
}
