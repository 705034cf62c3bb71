//! The texts for operators on the page of the server, as they stand there: nginx before the server, the unit of systemd.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Duration;

use tempfile::TempDir;

use super::served::{SentForm, Served};
use crate::publish::record::{WHO, example, publish};

/// A block of the page, by its language.
fn block(language: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/README.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, rest) = page.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// An nginx of our own. It ends with this.
struct Nginx(Child);

impl Nginx {
    /// Starts it at a port with the block of the page, before a server at another port.
    fn start(folder: &Path, port: u16, behind: u16) -> Self {
        let place = folder.display();
        // Where the tests are run by root, its workers would be somebody else, who may not write here.
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|said| said.stdout == b"0\n");
        let who = if is_root { "user root;" } else { "" };
        let location = block("nginx").replace("127.0.0.1:8080", &format!("127.0.0.1:{behind}"));
        let paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|kind| format!("{kind}_temp_path {place}/{kind};\n"))
            .concat();
        let settings = format!(
            "{who} daemon off; worker_processes 1; pid {place}/pid; error_log {place}/log;\n\
             events {{}}\nhttp {{\naccess_log off;\n{paths}server {{\nlisten 127.0.0.1:{port};\n{location}}}\n}}\n"
        );
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.join("settings"), settings).unwrap();
        let child =
            Command::new("nginx").arg("-p").arg(folder).arg("-c").arg(folder.join("settings")).spawn();
        let mut nginx = Self(child.unwrap());
        for _ in 0..100 {
            assert!(nginx.0.try_wait().unwrap().is_none(), "nginx ends");
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return nginx;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("nginx does not start within 5 s");
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // Its worker ends with it.
        let pid = self.0.id().to_string();
        drop(Command::new("kill").args(["-TERM", &pid]).status());
        drop(self.0.wait());
    }
}

#[test]
#[cfg_attr(not(nginx), ignore = "no nginx (apt-get install nginx-light)")]
fn a_server_behind_nginx_is_like_one_without() {
    let folder = example();
    publish(&folder, &[&["--site", "web", "aurora"], &WHO[..]].concat()).ok();
    let [port, behind] = [free_port(), free_port()];
    // That of the page, with the port of this test: browsers say it, and so does the block.
    let place = format!("http://127.0.0.1:{port}/qassay/");
    let words = ["--port", &behind.to_string(), "--public-url", &place, "--accept", "anyone"];
    let words = [&words[..], &["--forwarded-from", "127.0.0.1"]].concat();
    let served = Served::of(folder.path(), "kept", &words);
    assert_eq!(served.url, place);
    let space = TempDir::new().unwrap();
    let _nginx = Nginx::start(space.path(), port, behind);
    // From here on everything goes through nginx.
    assert_eq!(served.get("", &[]).bytes, fs::read(folder.path().join("web/index.html")).unwrap());
    assert_eq!(served.get("../results", &[]).status, 404);
    // A file larger than nginx usually takes.
    let bytes = |name: &str| {
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name)).unwrap()
    };
    let large = [bytes("borealis.json"), vec![b' '; 3 << 20]].concat();
    let form = SentForm::default().file("gold", "gold.json", &bytes("gold.json"));
    let form = form.file("answers", "answers.json", &large).field("system", "behind nginx");
    let begun = served.send("api/v1/runs", &[], &form);
    assert_eq!(begun.status, 202, "{}", begun.text());
    let begun = begun.json();
    let run = begun["run"].as_str().unwrap().strip_prefix(&place).unwrap().to_owned();
    // Events come when they happen, to the last one.
    let events = served.get(&format!("{run}/events"), &[]).text();
    assert!(events.contains("\"done\""), "{events}");
    let page = served.get(&format!("m/{}/", run.rsplit('/').next().unwrap()), &[]).text();
    assert!(page.contains("1 of 1 part done"), "{page}");
}

#[test]
#[cfg_attr(not(systemd), ignore = "no systemd-analyze (apt-get install systemd)")]
fn the_unit_of_systemd_is_one() {
    let space = TempDir::new().unwrap();
    let program = env!("CARGO_BIN_EXE_qassay");
    let unit = block("ini").replace("/usr/local/bin/qassay", program);
    let path = space.path().join("qassay.service");
    fs::write(&path, &unit).unwrap();
    let checked = Command::new("systemd-analyze").arg("verify").arg(&path).output().unwrap();
    let said = String::from_utf8_lossy(&checked.stderr).into_owned();
    let about: Vec<&str> = said.lines().filter(|line| line.contains("qassay.service")).collect();
    assert!(about.is_empty(), "{said}");
    // Its line is one that the program understands.
    let line = unit.split_once("ExecStart=").unwrap().1.split_once("\nDynamicUser").unwrap().0;
    let words: Vec<&str> = line.split_whitespace().filter(|word| *word != "\\").collect();
    let folder = example();
    publish(&folder, &[&["--site", "web", "aurora"], &WHO[..]].concat()).ok();
    let kept = folder.path().join("kept").display().to_string();
    let words =
        words[1..].iter().map(|word| if *word == "/var/lib/qassay/archive" { kept.as_str() } else { word });
    let ran = crate::common::qassay(folder.path(), words.chain(["--check", "--port", "0"]));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("https://example.org/qassay/"), "{}", ran.stdout);
}

#[test]
fn the_command_of_the_container_is_one() {
    let file = block("Dockerfile");
    let line = file.lines().find_map(|line| line.strip_prefix("CMD ")).unwrap();
    let words: Vec<String> = serde_json::from_str(line).unwrap();
    let folder = example();
    publish(&folder, &[&["--site", "web", "aurora"], &WHO[..]].concat()).ok();
    let kept = folder.path().join("kept").display().to_string();
    let words = words[1..].iter().map(|word| if word == "/archive" { kept.clone() } else { word.clone() });
    let more = ["--check", "--port", "0"].map(str::to_owned);
    let ran = crate::common::qassay(folder.path(), words.chain(more));
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("who shows a token begins runs"), "{}", ran.stdout);
}
