//! What asking costs the client: a mock of the program serves the answers of generated questions, each after a delay, in a
//! process of its own; `qassay ask` asks it, several questions at a time. The bound is 0.3 ms of CPU time a question for the
//! client alone, and memory that does not grow with what was received: a tenth of the questions is asked first.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Stdio};

use crate::{Effort, process, qassay};

/// How long the mock takes for a question, and how many are asked at the same time: about 100 answers a second.
const DELAY: &str = "40";
const PARALLEL: &str = "4";

/// How many questions are asked.
const QUESTIONS: [usize; 2] = [1_000, 10_000];

/// Ends with the table.
struct Mock(Child, String);

impl Mock {
    fn start(answers: &Path) -> Result<Self, Box<dyn Error>> {
        let mut mock = qassay();
        mock.arg("mock").arg(answers).args(["--as", "gerbil", "--delay", DELAY]);
        let mut child = mock.stdout(Stdio::piped()).spawn()?;
        let mut address = String::new();
        let output = child.stdout.take().ok_or("a mock without output")?;
        BufReader::new(output).read_line(&mut address)?;
        Ok(Self(child, address.trim().to_owned()))
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        drop(self.0.kill().and_then(|()| self.0.wait()));
    }
}

/// Prints the table.
pub(crate) fn print(_: Effort, scratch: &Path) -> Result<(), Box<dyn Error>> {
    println!("| questions | wall s | answers a second | CPU ms of the client a question | peak memory, MB |");
    println!("|--:|--:|--:|--:|--:|");
    for number in QUESTIONS {
        let dataset = scratch.join(format!("{number}.json"));
        fs::write(&dataset, generated(number)?)?;
        let mock = Mock::start(&dataset)?;
        let mut ask = qassay();
        ask.arg("ask").args([&dataset]).args([
            &mock.1,
            "--parallel",
            PARALLEL,
            "--language",
            "en",
            "--quiet",
        ]);
        ask.arg("--archive").arg(scratch.join(format!("archive-{number}")));
        let (cost, _) = process::run(&mut ask)?;
        println!(
            "| {number} | {:.1} | {:.0} | {:.3} | {:.1} |",
            cost.wall,
            number as f64 / cost.wall,
            cost.cpu * 1000.0 / number as f64,
            cost.peak / 1e6
        );
    }
    Ok(())
}

/// Questions with five answers each, as QALD JSON.
fn generated(questions: usize) -> Result<String, std::fmt::Error> {
    let mut text = String::from(r#"{"questions": ["#);
    for number in 0..questions {
        let comma = if number == 0 { "" } else { ",\n" };
        let cells: Vec<String> = (0..5)
            .map(|answer| {
                format!(r#"{{"x": {{"type": "uri", "value": "http://a.example/{number}/{answer}"}}}}"#)
            })
            .collect();
        write!(
            text,
            r#"{comma}{{"id": "{number}", "question": [{{"language": "en", "string": "Which are the answers of {number}?"}}], "query": {{"sparql": "SELECT ?x {{ <http://a.example/{number}> <http://a.example/has> ?x }}"}}, "answers": [{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{}]}}}}]}}"#,
            cells.join(", ")
        )?;
    }
    text.push_str("]}");
    Ok(text)
}
