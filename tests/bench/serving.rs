//! What a server with a thousand published evaluations of 200 questions costs: how soon its first page is there, how long the first
//! byte of a page takes beside a bare page of axum, 500 readers beside a run and a query that never ends, memory.
//!
//! Who asks is [`oha`](https://crates.io/crates/oha): `cargo install oha`. All traffic stays on this machine, bounded in number.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use axum::Router;
use axum::routing::get;
use qassay::record::publication::agent::Agent;
use qassay::record::publication::licence::Licence;
use qassay::workbench::Workbench;
use qassay::workbench::publish::PublishingDesk;
use qassay::workbench::publish_request::PublishRequest;
use serde_json::Value;

use crate::{Effort, generate, process, qassay, site};

/// How many are published: with `--quick`, and without.
const EVALUATIONS: [u64; 2] = [200, 1000];

/// A query whose rows are more than anybody can wait for.
const HOSTILE: &str = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }";

/// A process that ends with this.
struct Server {
    child: Child,
    url: String,
}

impl Server {
    fn start(archive: &Path) -> Result<Self, Box<dyn Error>> {
        let mut serve = qassay();
        serve.args(["serve", "--port", "0", "--archive"]).arg(archive);
        let mut child = serve.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut url = String::new();
        BufReader::new(child.stdout.take().ok_or("no output")?).read_line(&mut url)?;
        Ok(Self { child, url: url.trim().to_owned() })
    }

    /// Megabytes of its own memory now, and at the highest.
    fn memory(&self) -> Result<[f64; 2], Box<dyn Error>> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let of = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
            number.unwrap_or(f64::NAN) / 1024.0
        };
        Ok([of("VmRSS:"), of("VmHWM:")])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.child.kill().and_then(|()| self.child.wait()));
    }
}

/// What somebody who asked many times saw.
#[derive(Debug, Clone, Copy)]
struct Latency {
    /// Milliseconds: the median, and what 99 of 100 are below.
    p50: f64,
    p99: f64,
    /// Requests a second.
    rate: f64,
}

/// Asks an address, or those of a file.
fn ask(words: &[&str], url: &str) -> Result<Latency, Box<dyn Error>> {
    let mut oha = Command::new(std::env::var("OHA").unwrap_or_else(|_| "oha".to_owned()));
    oha.args(["--no-tui", "--output-format", "json", "--disable-compression", "-t", "60s"]);
    oha.args(["-H", "accept: text/html"]).args(words).arg(url);
    let said = oha.stderr(Stdio::inherit()).output()?;
    let told: Value = serde_json::from_slice(&said.stdout)?;
    let all = told["statusCodeDistribution"].as_object().ok_or("no statuses")?;
    if all.keys().any(|status| status != "200")
        || !told["errorDistribution"].as_object().is_none_or(serde_json::Map::is_empty)
    {
        println!("!!! {url}: {} {}", told["statusCodeDistribution"], told["errorDistribution"]);
    }
    let of = |name: &str| told["latencyPercentiles"][name].as_f64().unwrap_or(f64::NAN) * 1e3;
    Ok(Latency {
        p50: of("p50"),
        p99: of("p99"),
        rate: told["summary"]["requestsPerSec"].as_f64().unwrap_or(f64::NAN),
    })
}

/// A bare page of axum, for as long as the program runs: what this machine can do.
fn bare(bytes: usize) -> Result<String, Box<dyn Error>> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
    listener.set_nonblocking(true)?;
    let address: SocketAddr = listener.local_addr()?;
    let page = "x".repeat(bytes);
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
        let Ok(runtime) = runtime else { return };
        runtime.block_on(async move {
            let router = Router::new().route("/", get(move || async move { page }));
            let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
            drop(axum::serve(listener, router).await);
        });
    });
    Ok(format!("http://{address}/"))
}

/// Publishes each evaluation of an archive by itself, without writing its pages; gives how many.
fn publish(archive: &Path) -> Result<usize, Box<dyn Error>> {
    let bench = Workbench::new(archive);
    let archived = bench.archived()?;
    let desk = PublishingDesk::new(&archived)?;
    let licence = Licence::named("CC0-1.0")?;
    let publications = archived.evaluations.iter().map(|one| {
        let request = PublishRequest {
            words: vec![one.iri.clone()],
            creators: vec![Agent::parse("Ada Lovelace <https://example.org/ada>", true)?],
            input_licences: ["dataset", "submission"].map(|input| (input.to_owned(), licence)).to_vec(),
            day: Some("2026-01-01".to_owned()),
            ..PublishRequest::default()
        };
        Ok(desk.ready(&request)?.publication())
    });
    let publications: Vec<_> = publications.collect::<Result<_, qassay::base::error::Error>>()?;
    publications.iter().try_for_each(|publication| publication.keep(&archived.archive))?;
    Ok(publications.len())
}

/// Prints the tables.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures wall time")]
pub(crate) fn print(effort: Effort, scratch: &Path) -> Result<(), Box<dyn Error>> {
    if Command::new(std::env::var("OHA").unwrap_or_else(|_| "oha".to_owned()))
        .arg("--version")
        .output()
        .is_err()
    {
        println!("SKIPPED: no oha (`cargo install oha`, or its path in OHA)");
        return Ok(());
    }
    let count = EVALUATIONS[usize::from(!effort.is_quick)];
    let kept = std::env::var_os("SERVED").map(PathBuf::from);
    let archive = kept.clone().unwrap_or_else(|| scratch.join("archive"));
    if !archive.exists() {
        site::evaluate(scratch, &archive, 0..count)?;
        publish(&archive)?;
    }
    generate::files(scratch, 200, 0)?;
    let started = Instant::now();
    let server = Server::start(&archive)?;
    let listening = started.elapsed().as_secs_f64();
    let home = ask(&["-n", "1"], &server.url)?;
    let first = started.elapsed().as_secs_f64();
    let [memory, _] = server.memory()?;
    println!(
        "{count} published evaluations: it listens after {listening:.2} s, the first page is there after {first:.2} s ({:.0} ms of that for the page); {memory:.0} MB.\n",
        home.p50
    );
    drop(server);
    let started = Instant::now();
    let server = Server::start(&archive)?;
    println!("The second time it listens after {:.2} s.\n", started.elapsed().as_secs_f64());
    let archived = Workbench::new(&archive).archived()?;
    let keys: Vec<&str> = archived.evaluations.iter().filter_map(|one| one.iri.rsplit('/').next()).collect();
    let gold = archived.evaluations.first().map(|one| one.gold[..16].to_owned()).ok_or("no evaluation")?;
    let four: Vec<String> = keys.iter().take(4).map(|key| format!("e={key}")).collect();
    let pages = BTreeMap::from([
        ("1 home", String::new()),
        ("2 evaluation", format!("evaluation/{}", keys[0])),
        ("3 question of it", format!("evaluation/{}/obs/QA/7", keys[0])),
        ("4 dataset", format!("dataset/generated/{gold}")),
        ("5 results of one system", "results?system=answers-7".to_owned()),
        ("6 all results", "results".to_owned()),
        ("7 compare four, kept", format!("compare?{}", four.join("&"))),
    ]);
    let bare = bare(20_000)?;
    let plain = ask(&["-n", "2000", "-c", "1"], &bare)?;
    println!(
        "| page | first time, ms | p50, ms | p99, ms | p50 ÷ a bare page of axum |\n|---|--:|--:|--:|--:|"
    );
    println!("| a bare page of axum, 20 kB | | {:.2} | {:.2} | 1 |", plain.p50, plain.p99);
    for (name, path) in &pages {
        let url = format!("{}{path}", server.url);
        let first = ask(&["-n", "1"], &url)?;
        let warm = ask(&["-n", "100", "-c", "1"], &url)?;
        println!(
            "| {} | {:.1} | {:.2} | {:.2} | {:.0} |",
            &name[2..],
            first.p50,
            warm.p50,
            warm.p99,
            warm.p50 / plain.p50
        );
    }
    let urls = scratch.join("urls.txt");
    let lines: Vec<String> =
        keys.iter().take(50).map(|key| format!("{}evaluation/{key}", server.url)).collect();
    fs::write(&urls, lines.join("\n"))?;
    let readers = |words: &[&str]| ask(&[&["--urls-from-file"], words].concat(), &urls.display().to_string());
    readers(&["-n", "100", "-c", "2"])?;
    let one = readers(&["-n", "500", "-c", "1"])?;
    let idle = readers(&["-n", "5000", "-c", "500"])?;
    let mut busy = Command::new("sh");
    busy.args(["-c", "for i in 1 2 3 4 5 6; do curl -s -o /dev/null --data-urlencode \"query=$0\" \"$1sparql\" & done; wait", HOSTILE, &server.url]);
    let mut busy = busy.spawn()?;
    let answers = scratch.join("answers-0.json");
    let run = format!(
        "for i in 1 2 3; do curl -s -o /dev/null -F gold=@{gold} -F answers=@{answers} -F system=run$i {url}api/v1/runs; done",
        gold = scratch.join("gold.json").display(),
        answers = answers.display(),
        url = server.url
    );
    let begun = Command::new("sh").args(["-c", &run]).status()?;
    let during = readers(&["-n", "5000", "-c", "500"])?;
    drop(busy.kill().and_then(|()| busy.wait()));
    println!("\n| readers of 50 evaluations | p50, ms | p99, ms | pages a second |\n|---|--:|--:|--:|");
    let row = |name: &str, seen: Latency| {
        println!("| {name} | {:.1} | {:.1} | {:.0} |", seen.p50, seen.p99, seen.rate);
    };
    row("one", one);
    row("500", idle);
    row(
        &format!("500, beside six queries without end and {} runs", if begun.success() { 3 } else { 0 }),
        during,
    );
    println!("\np99 beside them ÷ p99 without: {:.1}.", during.p99 / idle.p99);
    let [now, most] = server.memory()?;
    println!(
        "Memory: {now:.0} MB now, {most:.0} MB at the highest, and {:.0} MB on disk for the archive.",
        process::bytes(&archive)? / 1e6
    );
    Ok(())
}
