//! Work in a process of its own, which can be ended from outside: what takes all memory, or never ends, takes this process
//! with it and nothing else.
//!
//! Both are the same program. The one that asks writes a line of JSON to the other and reads lines of JSON from it: how far it
//! is, what is worth saying, and at the end all that came of it or why nothing did. The other ends where its input ends:
//! nobody is left who wants an answer.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::{ChildStdout, ExitStatus};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::base::child::{ChildProcess, program};
use crate::base::error::{Error, Result};
use crate::base::limits;
use crate::base::watch::Watcher;

/// Deep queries are evaluated by functions that call themselves.
const STACK: usize = 256 << 20;

/// How often somebody who waits is asked whether he still does.
const PATIENCE: Duration = Duration::from_millis(100);

/// What a process says.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum WorkMessage {
    Progress {
        stage: String,
        done: u64,
        total: u64,
    },
    Detail(String),
    Failures {
        stage: String,
        count: u64,
        last: String,
    },
    End(String),
    Note {
        text: String,
        lines: Vec<String>,
    },
    /// All that came of it. The process ends.
    Done(String),
    /// Why nothing came of it. The process ends.
    Failed(Error),
}

/// Has a process do work, which gives a text. `words` are those after the name of the program; `memory`: how many bytes it
/// was allowed, for those who are told that it needed more.
///
/// # Errors
/// Where the work fails, or its process ends before it is done.
pub fn ask(
    words: &[impl AsRef<OsStr>],
    request: &impl Serialize,
    memory: Option<u64>,
    watcher: &dyn Watcher,
) -> Result<String> {
    let (mut process, output) = start(words, request)?;
    let output = output.ok_or_else(|| Error::system("the process has no output"))?;
    let (hear, heard) = channel();
    // It ends with the process, which ends when this returns.
    thread::spawn(move || {
        let lines = BufReader::new(output).split(b'\n').map_while(std::result::Result::ok);
        lines
            .map_while(|line| serde_json::from_slice::<WorkMessage>(&line).ok())
            .try_for_each(|message| hear.send(message))
    });
    loop {
        let message = match heard.recv_timeout(PATIENCE) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => {
                watcher.check()?;
                continue;
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        match message {
            WorkMessage::Progress { stage, done, total } => watcher.progress(&stage, done, total),
            WorkMessage::Detail(text) => watcher.detail(&text),
            WorkMessage::Failures { stage, count, last } => watcher.failures(&stage, count, &last),
            WorkMessage::End(stage) => watcher.end(&stage),
            WorkMessage::Note { text, lines } => watcher.note_list(&text, &lines),
            WorkMessage::Done(text) => return Ok(text),
            WorkMessage::Failed(error) => return Err(error),
        }
        watcher.check()?;
    }
    let (status, said) = process.end();
    Err(why(status, &said, memory))
}

/// Starts the process and says what is asked of it; gives its output too.
fn start(
    words: &[impl AsRef<OsStr>],
    request: &impl Serialize,
) -> Result<(ChildProcess, Option<ChildStdout>)> {
    let program = program()?;
    let started = ChildProcess::start(&program, words);
    let (mut process, output) = started.map_err(|error| Error::io("start the process", &program, &error))?;
    let line = serde_json::to_string(request).map_err(|error| Error::system(error.to_string()))?;
    if let Some(input) = &mut process.input {
        // One that has ended already is noticed where nothing comes of it.
        drop(writeln!(input, "{line}").and_then(|()| input.flush()));
    }
    Ok((process, output))
}

/// Why a process ended that was not done.
fn why(status: ExitStatus, said: &str, memory: Option<u64>) -> Error {
    let is_memory = said.contains("memory allocation of");
    match memory {
        _ if said.contains("overflowed its stack") => Error::input("the evaluator overflowed its stack"),
        Some(most) if is_memory => {
            Error::limit(format!("the query took more memory than {}, the limit", limits::bytes(most)))
                .hint("`⌥memory MB` gives it more: 200 are needed for the smallest query; patterns that share no variable multiply each other")
        }
        _ => {
            let said = said.trim();
            let colon = if said.is_empty() { "" } else { ": " };
            let ended = status.to_string().replacen(": ", " ", 1);
            Error::system(format!("the process of the query ended before it was done ({ended}){colon}{said}"))
                .hint("where the memory of the machine does not suffice, a narrower query needs less")
        }
    }
}

/// Does work for who asked for it, and says what comes of it. Whoever calls it ends the process when it returns, which it
/// does also where nobody waits any more.
///
/// # Errors
/// Where it cannot be understood what is asked.
pub fn answer<Q: DeserializeOwned + Send + 'static>(
    mut input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
    work: impl FnOnce(Q, &dyn Watcher) -> Result<String> + Send + 'static,
) -> Result<()> {
    let mut line = String::new();
    let read =
        input.read_line(&mut line).map_err(|error| Error::system(format!("nothing is asked: {error}")))?;
    if read == 0 {
        return Ok(());
    }
    let request = serde_json::from_str(&line)
        .map_err(|error| Error::input(format!("this cannot be asked: {error}")))?;
    let (tell, ended) = channel();
    let listener = tell.clone();
    thread::spawn(move || {
        drop(std::io::copy(&mut input, &mut std::io::sink()));
        listener.send(()).unwrap_or_default();
    });
    // Not scoped: what cannot be stopped ends with the process.
    let worker = thread::Builder::new().name("query".to_owned()).stack_size(STACK);
    worker
        .spawn(move || {
            let teller = WorkTeller(Mutex::new(output));
            teller.say(&match work(request, &teller) {
                Ok(text) => WorkMessage::Done(text),
                Err(error) => WorkMessage::Failed(error),
            });
            tell.send(()).unwrap_or_default();
        })
        .map_err(|error| Error::system(format!("cannot start a thread: {error}")))?;
    // The listener holds one end: this is no error before somebody says so.
    ended.recv().unwrap_or_default();
    Ok(())
}

/// Tells how far it is to who asked.
struct WorkTeller<W>(Mutex<W>);

impl<W: Write> WorkTeller<W> {
    fn say(&self, message: &WorkMessage) {
        let mut out = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let line = serde_json::to_string(message).unwrap_or_default();
        // Nobody can be told that nobody listens.
        drop(writeln!(out, "{line}").and_then(|()| out.flush()));
    }
}

impl<W: Write + Send> Watcher for WorkTeller<W> {
    fn progress(&self, stage: &str, done: u64, total: u64) {
        self.say(&WorkMessage::Progress { stage: stage.to_owned(), done, total });
    }

    fn detail(&self, text: &str) {
        self.say(&WorkMessage::Detail(text.to_owned()));
    }

    fn failures(&self, stage: &str, count: u64, last: &str) {
        self.say(&WorkMessage::Failures { stage: stage.to_owned(), count, last: last.to_owned() });
    }

    fn end(&self, stage: &str) {
        self.say(&WorkMessage::End(stage.to_owned()));
    }

    fn note_list(&self, text: &str, lines: &[String]) {
        self.say(&WorkMessage::Note { text: text.to_owned(), lines: lines.to_vec() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;
    use std::sync::Arc;

    /// What a process prints.
    #[derive(Clone, Default)]
    struct Printed(Arc<Mutex<Vec<u8>>>);

    impl Write for Printed {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    /// An input that stays open.
    struct Open(std::io::Cursor<Vec<u8>>);

    impl Read for Open {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.read(buffer)?;
            if count == 0 {
                thread::park();
            }
            Ok(count)
        }
    }

    fn answered(
        asked: &str,
        work: impl FnOnce(u32, &dyn Watcher) -> Result<String> + Send + 'static,
    ) -> String {
        let printed = Printed::default();
        let input = BufReader::new(Open(std::io::Cursor::new(format!("{asked}\n").into_bytes())));
        answer(input, printed.clone(), work).unwrap();
        String::from_utf8(printed.0.lock().unwrap().clone()).unwrap()
    }

    #[test]
    fn all_is_said_in_lines() {
        let said = answered("7", |number: u32, watcher| {
            watcher.progress("loading", 1, 2);
            watcher.note("two\nlines");
            Ok(format!("{number}\n"))
        });
        insta::assert_snapshot!(said, @r#"
        {"progress":{"stage":"loading","done":1,"total":2}}
        {"note":{"text":"two\nlines","lines":[]}}
        {"done":"7\n"}
        "#);
        let error = Error::check("it is wrong").in_file("a file").hint("mend it");
        let said = answered("7", {
            let error = error.clone();
            move |_: u32, _| Err(error)
        });
        let WorkMessage::Failed(told) = serde_json::from_str(&said).unwrap() else { panic!("{said}") };
        assert_eq!(told, error);
        assert_eq!(told.exit_code(), 1);
    }

    #[test]
    fn nobody_waits_no_more() {
        // Its input is at its end: it returns before the work does.
        let work = |_: u32, _: &dyn Watcher| {
            thread::park();
            Ok(String::new())
        };
        answer(&b"7\n"[..], Printed::default(), work).unwrap();
        answer(&b""[..], Printed::default(), work).unwrap();
        assert!(answer(&b"{\n"[..], Printed::default(), work).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn the_reason_is_told() {
        use std::os::unix::process::ExitStatusExt as _;
        let aborted = ExitStatus::from_raw(6);
        let told = |said: &str, memory| why(aborted, said, memory).to_string();
        assert!(
            told("memory allocation of 7 bytes failed", Some(1 << 20))
                .contains("more memory than 1 MiB, the limit")
        );
        assert!(
            told("memory allocation of 7 bytes failed", None).contains("(signal 6 (SIGABRT)"),
            "{}",
            told("memory allocation of 7 bytes failed", None)
        );
        assert!(told("thread 'query' has overflowed its stack", Some(1)).contains("overflowed its stack"));
        assert!(told("", None).contains("ended before it was done"));
    }
}
