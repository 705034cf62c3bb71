//! What closing a link set costs beside parsing alone, in one run: `cargo bench --bench links -- [LINKS]`.
//!
//! Links like those of DBpedia and Wikidata, in clusters of 2 to 5 resources, are written to a file. Two processes of their
//! own read it: one only parses (the same parser, piece by piece), one reads, hashes and closes. In turns, three times; the
//! bounds are 2 times the time of parsing and 120 bytes of memory a link. Linux only: memory and CPU time are from `/proc`.
#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]
#![expect(clippy::cast_precision_loss, reason = "ratios of measured numbers")]

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use oxigraph::io::{RdfFormat, RdfParser};
use qassay::references::links::{LinkSet, Links};

type Outcome<T> = Result<T, Box<dyn Error>>;

const TURNS: usize = 3;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match arguments.as_slice() {
        [what, path] if what == "parse" => measured(|| parse(Path::new(path))),
        [what, path] if what == "close" => measured(|| close(Path::new(path))),
        words => compare(words.first().map_or(Ok(10_000_000), |word| word.parse())?),
    }
}

fn compare(links: u64) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("links.nt");
    write(&path, links)?;
    println!("{links} links, {:.0} MB", fs::metadata(&path)?.len() as f64 / 1e6);
    println!("| work | wall ms | ÷ parsing | CPU ms | ÷ parsing | bytes a link, at most | after |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
    let (mut parsing, mut closing) = (Vec::new(), Vec::new());
    for _ in 0..TURNS {
        parsing.push(turn("parse", &path)?);
        closing.push(turn("close", &path)?);
    }
    let (parsing, closing) = (median(parsing), median(closing));
    for (name, found) in [("parsing alone", parsing), ("reading, hashing, closing", closing)] {
        println!(
            "| {name} | {:.0} | {:.2} | {:.0} | {:.2} | {:.1} | {:.1} |",
            found[0],
            found[0] / parsing[0],
            found[1],
            found[1] / parsing[1],
            found[2] / links as f64,
            found[3] / links as f64
        );
    }
    Ok(())
}

/// Runs this program for one kind of work: wall and CPU milliseconds, bytes at most and after the work.
fn turn(what: &str, path: &Path) -> Outcome<[f64; 4]> {
    let run = Command::new(std::env::current_exe()?).arg(what).arg(path).output()?;
    let text = String::from_utf8(run.stdout)?;
    let numbers: Vec<f64> = text.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    numbers.try_into().map_err(|_| format!("{what}: {text} {}", String::from_utf8_lossy(&run.stderr)).into())
}

/// The turn with the middle wall time.
fn median(mut turns: Vec<[f64; 4]>) -> [f64; 4] {
    turns.sort_by(|one, other| one[0].total_cmp(&other[0]));
    turns[turns.len() / 2]
}

#[expect(clippy::disallowed_methods, reason = "the time of a run is measured, not published")]
fn measured<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<()> {
    let (before, start) = (status("VmRSS")?, Instant::now());
    let kept = work()?;
    let wall = start.elapsed().as_secs_f64() * 1e3;
    println!("{wall} {} {} {}", cpu()?, status("VmHWM")? - before, status("VmRSS")? - before);
    drop(kept);
    Ok(())
}

fn parse(path: &Path) -> Outcome<u64> {
    let mut count = 0;
    let file = BufReader::with_capacity(1 << 18, File::open(path)?);
    for quad in RdfParser::from_format(RdfFormat::NQuads).for_reader(file) {
        std::hint::black_box(quad?);
        count += 1;
    }
    Ok(count)
}

fn close(path: &Path) -> Outcome<(LinkSet, Links)> {
    let (source, set) = LinkSet::open(path, &[])?;
    assert_eq!(source.sha256().len(), 64);
    let links = Links::close([&set]);
    let [one, other] = ["http://dbpedia.org/resource/Resource_1", "http://www.wikidata.org/entity/Q1"];
    assert!(links.canonical(one).is_some() && links.canonical(one) == links.canonical(other));
    Ok((set, links))
}

/// Clusters of 2 to 5 resources, each linked with the first one; in an order that is not that of the clusters.
fn write(path: &Path, links: u64) -> Outcome<()> {
    let mut out = BufWriter::with_capacity(1 << 18, File::create(path)?);
    let same_as = "http://www.w3.org/2002/07/owl#sameAs";
    let mut written = 0;
    let clusters = links; // more than there can be
    for cluster in (0..clusters).map(|number| scattered(number, clusters)) {
        let others = [
            format!("http://www.wikidata.org/entity/Q{cluster}"),
            format!("http://de.dbpedia.org/resource/Ressource_{cluster}"),
            format!("http://rdf.freebase.com/ns/m.0{cluster:x}"),
            format!("http://yago-knowledge.org/resource/Resource_{cluster}"),
        ];
        for other in others.iter().take(1 + usize::try_from(cluster % 4)?) {
            if written == links {
                break;
            }
            writeln!(out, "<http://dbpedia.org/resource/Resource_{cluster}> <{same_as}> <{other}> .")?;
            written += 1;
        }
    }
    out.flush().map_err(Into::into)
}

/// Every number once, neighbours far from each other; 1 stays what it is.
fn scattered(number: u64, of: u64) -> u64 {
    let golden = of / 1000 * 618;
    let step = (golden..golden + of).find(|step| gcd(*step, of) == 1).unwrap_or(1);
    (number * step + 1) % of
}

fn gcd(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { gcd(other, one % other) }
}

/// Bytes of a line of `/proc/self/status`.
fn status(name: &str) -> Outcome<f64> {
    let text = fs::read_to_string("/proc/self/status")?;
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()).ok_or("no such line")?;
    Ok(kilobytes.parse::<f64>()? * 1024.0)
}

/// CPU milliseconds of all threads so far: the kernel counts in hundredths of a second.
fn cpu() -> Outcome<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    let behind = text.rsplit_once(')').ok_or("no name")?.1;
    let ticks: Vec<f64> =
        behind.split_whitespace().skip(11).take(2).map(str::parse).collect::<Result<_, _>>()?;
    Ok(ticks.iter().sum::<f64>() * 10.0)
}
