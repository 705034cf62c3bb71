//! What reading costs beside parsing alone, as ratios of one run: `cargo bench --bench reading -- [SECONDS]`.
//!
//! Every file of the mirror in a QALD format, from memory: [`read`] beside `serde_json` into `Value` (JSON) and beside
//! the events of `quick-xml` (XML), in turns. The bound is 1.5 for all files together. Linux only: CPU time is from `/proc`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::cast_precision_loss, reason = "ratios of measured numbers")]

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};

use qassay::sources::file::source::Source;
use qassay::sources::format::{read, recognise};
use quick_xml::Reader;
use quick_xml::events::Event;
use serde_json::Value;

/// The formats that count as QALD.
const FORMATS: [&str; 2] = ["qald-json", "qald-xml"];

/// Files that get a row of their own.
const BIGGEST: usize = 6;

/// One turn lasts at least so many seconds, since the kernel counts in milliseconds.
const TURN: f64 = 0.1;

/// A file in memory, with the parser that it is compared with.
struct File {
    name: String,
    source: Source,
    parser: Parser,
}

/// What parses without reading.
#[derive(Clone, Copy, PartialEq)]
enum Parser {
    Json,
    Xml,
}

/// Seconds of CPU time for one pass over some files.
#[derive(Clone, Copy)]
struct Costs {
    parsing: f64,
    reading: f64,
    /// Reading from bytes: with the checksum of the file and, if need be, its decompression.
    receiving: f64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let seconds = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(20.0);
    let Some(files) = files()? else {
        println!("SKIPPED: no real files in ../shared/data/mirror");
        return Ok(());
    };
    let (json, xml): (Vec<&File>, Vec<&File>) = files.iter().partition(|file| file.parser == Parser::Json);
    let total: Vec<&File> = files.iter().collect();
    let rows = [("all JSON files", &json), ("all XML files", &xml), ("all files", &total)];
    println!(
        "| files | number | MB | parser alone, CPU ms | read | ÷ parser | from bytes, with checksum | ÷ parser |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|");
    let each = seconds / (rows.len() + 2 * BIGGEST.min(json.len())) as f64;
    for (name, files) in rows {
        row(name, files, each)?;
    }
    for file in json.iter().take(BIGGEST).chain(xml.iter().take(BIGGEST)) {
        row(&file.name, &[*file], each)?;
    }
    Ok(())
}

fn row(name: &str, files: &[&File], seconds: f64) -> io::Result<()> {
    let bytes: usize = files.iter().map(|file| file.source.content().len()).sum();
    let Costs { parsing, reading, receiving } = measure(files, seconds)?;
    println!(
        "| {name} | {} | {:.1} | {:.2} | {:.2} | {:.2} | {:.2} | {:.2} |",
        files.len(),
        bytes as f64 / 1e6,
        parsing * 1e3,
        reading * 1e3,
        reading / parsing,
        receiving * 1e3,
        receiving / parsing,
    );
    Ok(())
}

/// The medians of as many turns as there is time for, three at least.
fn measure(files: &[&File], seconds: f64) -> io::Result<Costs> {
    let once = turn(files, 1)?;
    let mut passes = 1;
    while f64::from(passes) * once.parsing < TURN && passes < 1000 {
        passes += 1;
    }
    let (mut costs, mut spent) = (Vec::new(), 0.0);
    while costs.len() < 3 || spent < seconds {
        let found = turn(files, passes)?;
        spent += f64::from(passes) * (found.parsing + found.reading + found.receiving);
        costs.push(found);
    }
    let median = |of: fn(&Costs) -> f64| {
        let mut all: Vec<f64> = costs.iter().map(of).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    Ok(Costs {
        parsing: median(|costs| costs.parsing),
        reading: median(|costs| costs.reading),
        receiving: median(|costs| costs.receiving),
    })
}

fn turn(files: &[&File], passes: u32) -> io::Result<Costs> {
    let timed = |work: &dyn Fn(&File)| {
        let before = cpu()?;
        for _ in 0..passes {
            for file in files {
                work(file);
            }
        }
        Ok::<f64, io::Error>((cpu()? - before) / f64::from(passes))
    };
    Ok(Costs {
        parsing: timed(&|file| {
            black_box(file.parser.parse(file.source.content()));
        })?,
        reading: timed(&|file| {
            black_box(read(&file.source).is_ok());
        })?,
        receiving: timed(&|file| {
            let source = Source::from_bytes(file.name.as_str(), file.source.bytes().to_vec());
            black_box(source.is_ok_and(|source| read(&source).is_ok()));
        })?,
    })
}

/// CPU seconds of this thread so far, counted by the kernel in nanoseconds.
fn cpu() -> io::Result<f64> {
    let text = fs::read_to_string("/proc/thread-self/schedstat")?;
    let nanoseconds = text.split_whitespace().next().and_then(|field| field.parse::<f64>().ok());
    nanoseconds.map(|n| n / 1e9).ok_or_else(|| io::Error::other("no CPU time in schedstat"))
}

impl Parser {
    /// Whether the parser takes it all.
    fn parse(self, content: &[u8]) -> bool {
        match self {
            Self::Json => black_box(serde_json::from_slice::<Value>(content)).is_ok(),
            Self::Xml => events(content),
        }
    }
}

fn events(content: &[u8]) -> bool {
    let mut reader = Reader::from_reader(content);
    loop {
        match black_box(reader.read_event()) {
            Ok(Event::Eof) => return true,
            Ok(_) => {}
            Err(_) => return false,
        }
    }
}

/// The files of the mirror in the QALD formats, the biggest first; nothing where there is no mirror.
fn files() -> io::Result<Option<Vec<File>>> {
    let shared = std::env::var_os("QASSAY_SHARED")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let mirror = shared.join("data/mirror");
    if !mirror.is_dir() {
        return Ok(None);
    }
    let (mut files, mut folders) = (Vec::new(), vec![mirror]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.extend(file(&path)?);
            }
        }
    }
    files.sort_by_key(|file| (std::cmp::Reverse(file.source.content().len()), file.name.clone()));
    Ok(Some(files))
}

/// A file in a QALD format. What the parser alone or the reader refuses is named and left out: both must go to the end.
fn file(path: &Path) -> io::Result<Option<File>> {
    let parser = match path.extension().and_then(|ending| ending.to_str()) {
        Some("json") => Parser::Json,
        Some("xml") => Parser::Xml,
        _ => return Ok(None),
    };
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let Ok(source) = Source::from_bytes(name.as_str(), fs::read(path)?) else { return Ok(None) };
    if !recognise(&source).is_ok_and(|format| FORMATS.contains(&format.name)) {
        return Ok(None);
    }
    if !parser.parse(source.content()) || read(&source).is_err() {
        println!("left out, since the parser or the reader refuses it: {name}");
        return Ok(None);
    }
    Ok(Some(File { name, source, parser }))
}
