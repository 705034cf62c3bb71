//! A server over an archive, as its own process, and somebody who asks it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::blocking::{Client, Response};
use reqwest::redirect::Policy;

/// A server. It ends with this.
pub(crate) struct Served {
    child: Child,
    /// What its addresses begin with.
    pub(crate) url: String,
    client: Client,
}

/// A reply that was read.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) status: u16,
    headers: reqwest::header::HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Heard {
    fn of(reply: Response) -> Self {
        let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
        Self { status, headers, bytes: reply.bytes().unwrap().to_vec() }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.bytes.clone()).unwrap()
    }

    /// The value of a header; of several, all.
    pub(crate) fn header(&self, name: &str) -> String {
        let all = self.headers.get_all(name).iter().map(|one| one.to_str().unwrap());
        all.collect::<Vec<_>>().join(", ")
    }
}

/// The media type of forms with files, with what stands between their parts.
const MULTIPART: &str = "multipart/form-data; boundary=between";

/// A form with files.
#[derive(Debug, Clone, Default)]
pub(crate) struct SentForm {
    parts: Vec<u8>,
}

impl SentForm {
    pub(crate) fn field(mut self, name: &str, value: &str) -> Self {
        let part = format!("--between\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        self.parts.extend(part.into_bytes());
        self
    }

    pub(crate) fn file(mut self, name: &str, called: &str, bytes: &[u8]) -> Self {
        let head = format!(
            "--between\r\ncontent-disposition: form-data; name=\"{name}\"; filename=\"{called}\"\r\n\r\n"
        );
        self.parts.extend(head.into_bytes());
        self.parts.extend(bytes);
        self.parts.extend(b"\r\n");
        self
    }

    fn body(&self) -> Vec<u8> {
        [&self.parts[..], b"--between--\r\n"].concat()
    }
}

impl Heard {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

impl Served {
    /// Serves an archive of a folder with these words beside, at a port that is free.
    pub(crate) fn of(folder: &Path, archive: &str, words: &[&str]) -> Self {
        Self::with(folder, archive, words, &[])
    }

    /// The same with something in its environment.
    pub(crate) fn with(folder: &Path, archive: &str, words: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_qassay"))
            .current_dir(folder)
            .envs(environment.iter().copied())
            .args(["serve", "--archive", archive])
            .args(if words.contains(&"--port") { &[][..] } else { &["--port", "0"] })
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut url = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
        let client = Client::builder()
            .no_proxy()
            .redirect(Policy::none())
            .timeout(Duration::from_secs(120))
            .build()
            .unwrap();
        assert!(url.starts_with("http"), "the server does not say where it is: {url}");
        Self { child, url: url.trim().to_owned(), client }
    }

    /// Asks with a method, headers and a body.
    pub(crate) fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Heard {
        let method = method.parse().unwrap();
        let mut request = self.client.request(method, format!("{}{path}", self.url)).body(body.to_owned());
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        Heard::of(request.send().unwrap())
    }

    /// Sends a form, as programs do: fields, and files by their fields, names and bytes.
    pub(crate) fn send(&self, path: &str, headers: &[(&str, &str)], form: &SentForm) -> Heard {
        let mut request = self.client.post(format!("{}{path}", self.url)).body(form.body());
        for (name, value) in headers.iter().chain(&[("content-type", MULTIPART)]) {
            request = request.header(*name, *value);
        }
        Heard::of(request.send().unwrap())
    }

    /// The same, as the pages of the server do.
    pub(crate) fn fill_in(&self, path: &str, form: &SentForm) -> Heard {
        self.send(path, &[("origin", self.url.trim_end_matches('/')), ("accept", "text/html")], form)
    }

    pub(crate) fn get(&self, path: &str, headers: &[(&str, &str)]) -> Heard {
        self.ask("GET", path, headers, "")
    }

    /// What is said to a path that is sent as it is.
    pub(crate) fn raw(&self, path: &str) -> String {
        let host = self.url.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n").unwrap();
        let mut told = Vec::new();
        stream.read_to_end(&mut told).unwrap();
        String::from_utf8_lossy(&told).into_owned()
    }

    /// Asks for a path until the reply is as somebody wants it, for some seconds.
    pub(crate) fn until(&self, path: &str, is_wanted: impl Fn(&Heard) -> bool) -> Heard {
        let mut heard = self.get(path, &[]);
        for _ in 0..600 {
            if is_wanted(&heard) {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
            heard = self.get(path, &[]);
        }
        heard
    }

    /// A query by the protocol, with the media type that is wanted.
    pub(crate) fn query(&self, text: &str, accept: &str) -> Heard {
        let body: String =
            form_urlencoded::Serializer::new(String::new()).append_pair("query", text).finish();
        let form = ("content-type", "application/x-www-form-urlencoded");
        self.ask("POST", "sparql", &[form, ("accept", accept)], &body)
    }

    /// Ends it from one moment to the next.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Tells it to end; gives its exit code.
    #[cfg(unix)]
    pub(crate) fn end(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
