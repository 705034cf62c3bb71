//! Runs over HTTP: begun by forms and by programs, private until they are published, finished after whatever ends the server.

use std::fs;
use std::path::Path;

use qassay::base::checksum::hex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::served::{Heard, SentForm, Served};
use crate::asking::mocked::Mock;
use crate::common::{evaluation, qassay};
use crate::net::lying::{Lie, server};
use crate::publish::record::{WHO, example, publish};

/// Who publishes.
pub(super) const CREATOR: &str = "Josiah Carberry <0000-0002-1825-0097>";

pub(super) fn bytes(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example").join(name)).unwrap()
}

/// A form with the gold file of the example and the answers of a system.
pub(super) fn form(system: &str) -> SentForm {
    let form = SentForm::default().file("gold", "gold.json", &bytes("gold.json"));
    form.file("answers", "answers.json", &bytes("borealis.json")).field("system", system)
}

/// A run that was begun by a program: the path of it behind `api/v1/`, and what was said.
pub(super) fn begin(served: &Served, form: &SentForm) -> (String, Value) {
    let heard = served.send("api/v1/runs", &[], form);
    assert_eq!(heard.status, 202, "{}", heard.text());
    let begun = heard.json();
    assert_eq!(heard.header("location"), begun["run"].as_str().unwrap());
    (path(served, &begun["run"]), begun)
}

/// The path of an address of the server.
pub(super) fn path(served: &Served, address: &Value) -> String {
    address.as_str().unwrap().strip_prefix(&served.url).unwrap().to_owned()
}

/// Waits until a run is as somebody wants it.
pub(super) fn until(served: &Served, run: &str, is_wanted: impl Fn(&Value) -> bool) -> Value {
    let heard = served.until(run, |heard| is_wanted(&heard.json()));
    assert!(is_wanted(&heard.json()), "{}", heard.text());
    heard.json()
}

pub(super) fn done(served: &Served, run: &str) -> Value {
    until(served, run, |status| status["state"] == "done")
}

/// The values of the first measure of each experiment type.
fn values(evaluation: &Value) -> Vec<Value> {
    let types = evaluation["experiments"].as_object().unwrap().values();
    types.map(|one| one["measures"].clone()).collect()
}

#[test]
fn what_a_run_gives_is_what_the_command_line_gives() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let (run, begun) = begin(&served, &form("Mine").field("profile", "qassay").field("profile", "gerbil"));
    assert_eq!(begun["evaluations"], 2);
    assert_eq!(
        begun["lines"],
        json!(["qassay evaluate gold.json answers.json --system Mine --profile qassay,gerbil"])
    );
    let status = done(&served, &run);
    let of = |profile: &str| {
        status["evaluations"]
            .as_array()
            .unwrap()
            .iter()
            .find(|one| one["profile"] == profile)
            .unwrap()
            .clone()
    };
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    for profile in ["qassay", "gerbil"] {
        let one = of(profile);
        assert_eq!((&one["state"], &one["system"]), (&json!("done"), &json!("Mine")));
        let look = path(&served, &begun["look"]);
        let page = served.get(&format!("{look}evaluation/{}.nq", one["key"].as_str().unwrap()), &[]);
        assert_eq!(page.status, 200);
        // Nothing tells where the server has its files.
        assert!(!page.text().contains(&folder.path().display().to_string()));
        let by_hand = evaluation(&project.join("gold.json"), &project.join("borealis.json"), profile);
        let macro_f1 = &by_hand["experiments"]["QA"]["measures"]["macroF1"].to_string();
        assert_eq!(one["value"], *macro_f1);
    }
}

#[test]
fn answers_that_are_published_are_scored_again_without_being_sent() {
    let folder = example();
    publish(&folder, &[&["--site", "web", "borealis"], &WHO[..]].concat()).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    let key = |system: &str| hex(&Sha256::digest(bytes(&format!("{system}.json"))))[..32].to_owned();
    let gold = || SentForm::default().file("gold", "gold.json", &bytes("gold.json"));
    let (run, _) = begin(&served, &gold().field("submission", &key("borealis")).field("profile", "gerbil"));
    let status = done(&served, &run);
    let one = &status["evaluations"][0];
    assert_eq!((&one["state"], &one["system"]), (&json!("done"), &json!("borealis")));
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let by_hand = evaluation(&project.join("gold.json"), &project.join("borealis.json"), "gerbil");
    assert_eq!(one["value"], by_hand["experiments"]["QA"]["measures"]["macroF1"].to_string());
    // The page of the submission fills the form in.
    let page = served.get(&format!("submission/{}", key("borealis")), &[]).text();
    let link = format!("../new.html?submission={}", key("borealis"));
    assert!(page.contains(&link), "{page}");
    let filled = served.get(&link[3..], &[("accept", "text/html")]).text();
    assert!(filled.contains(&format!("value=\"{}\"", key("borealis"))), "{filled}");
    // What nobody has published is like nothing.
    for word in
        [key("aurora"), "0".repeat(32), "../../etc/passwd".to_owned(), key("borealis")[..31].to_owned()]
    {
        let heard = served.send("api/v1/runs", &[], &gold().field("submission", &word));
        assert_eq!(heard.status, 422, "{}", heard.text());
        assert!(heard.text().contains("no submission `"), "{}", heard.text());
    }
}

#[test]
fn private_is_what_nobody_has_published() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let (run, begun) = begin(&served, &form("Nobody knows it"));
    let key = done(&served, &run)["evaluations"][0]["key"].as_str().unwrap().to_owned();
    let [look, manage] = ["look", "manage"].map(|name| path(&served, &begun[name]));
    let everywhere = |served: &Served| -> Vec<Heard> {
        let lists =
            ["", "results", "systems", "search", "search.json", "feed.atom", "sitemap.xml", "catalog.ttl"];
        let api = ["api/v1/evaluations", "api/v1/systems"];
        let mut heard: Vec<Heard> = lists.iter().chain(&api).map(|path| served.get(path, &[])).collect();
        heard.push(served.query("SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }", "text/csv"));
        heard
    };
    let knows = |heard: &Heard| {
        let text = String::from_utf8_lossy(&heard.bytes);
        text.contains("Nobody knows it") || text.contains(&key)
    };
    assert!(!everywhere(&served).iter().any(knows));
    // Where nothing is, and where it is private, the same is said.
    let nothing = served.get("evaluation/00000000000000000000000000000000", &[]);
    let private = served.get(&format!("evaluation/{key}"), &[]);
    assert_eq!((private.status, nothing.status), (404, 404));
    assert_eq!(private.text(), nothing.text());
    for secret in [&look, &manage] {
        let page = served.get(secret, &[]);
        assert_eq!(page.status, 200);
        assert_eq!(
            (page.header("cache-control"), page.header("referrer-policy")),
            ("no-store".into(), "no-referrer".into())
        );
        assert_eq!(
            (page.header("x-robots-tag"), page.header("access-control-allow-origin")),
            ("noindex".into(), String::new())
        );
        assert!(
            page.text().contains("private") && !page.text().contains("rel=\"canonical\""),
            "{}",
            page.text()
        );
    }
    // Who may look may not manage, and whoever guesses has nothing.
    let token = look.trim_start_matches("p/").trim_end_matches('/');
    for path in [format!("m/{token}/"), "p/x/".to_owned(), format!("p/{}/", "A".repeat(43))] {
        assert_eq!(served.get(&path, &[]).status, 404, "{path}");
    }
    assert_eq!(served.ask("DELETE", &format!("api/v1/runs/{token}"), &[], "").status, 404);
    // It has pages and an endpoint of its own.
    let own = served.get(&format!("{look}evaluation/{key}"), &[("accept", "text/html")]);
    assert!(own.text().contains("Only who has the address sees this page"), "{}", own.text());
    let query = "sparql?query=ASK%20%7B%20%3Fs%20%3Fp%20%22Nobody%20knows%20it%22%20%7D&format=csv";
    assert!(served.get(&format!("{look}{query}"), &[]).text().contains("true"));
    // Published, it is everywhere.
    let body = form_urlencoded::Serializer::new(String::new()).append_pair("creator", CREATOR).finish();
    let urlencoded = ("content-type", "application/x-www-form-urlencoded");
    let wanted = served.ask("POST", &format!("{run}/publish"), &[urlencoded], &body);
    assert_eq!(wanted.status, 202, "{}", wanted.text());
    let public = until(&served, &run, |status| status["publication"] == "published");
    assert_eq!(public["published"], format!("https://w3id.org/qassay/evaluation/{key}"));
    let page = served.until(&format!("evaluation/{key}"), |heard| heard.status == 200);
    assert_eq!(page.status, 200);
    assert!(everywhere(&served).iter().filter(|heard| knows(heard)).count() >= 7);
    let looked = served.get(&format!("{look}evaluation/{key}"), &[]);
    assert_eq!((looked.status, looked.header("location")), (303, format!("{}evaluation/{key}", served.url)));
    // Its JSON is that of the command line.
    let told = served.get(&format!("api/v1/evaluations/{key}"), &[]).json();
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let by_hand = evaluation(&project.join("gold.json"), &project.join("borealis.json"), "qassay");
    assert_eq!(values(&told["evaluations"][0]), values(&by_hand));
    // What is public is not deleted; withdrawn, it is gone and says why.
    assert_eq!(served.ask("DELETE", &run, &[], "").status, 400);
    let gone = served.ask("POST", &format!("{run}/withdraw"), &[urlencoded], "reason=wrong+file");
    assert_eq!(gone.json()["publication"], "withdrawn");
    let tombstone = served.until(&format!("evaluation/{key}"), |heard| heard.status == 410);
    assert!(tombstone.status == 410 && tombstone.text().contains("wrong file"));
    // The archive is whole.
    let verified = qassay(folder.path(), ["verify", "--archive", "kept"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

/// With a server beneath: what is published it gets, and what is not it never hears of, whoever asks about it.
#[test]
fn a_server_beneath_hears_of_nothing_that_is_private() {
    let folder = example();
    let (beneath, _) = server(Lie::None);
    let there = ["--store", &beneath.base, "--store-graphs", &beneath.base];
    let served = Served::with(folder.path(), "kept", &there, &[("NO_PROXY", "127.0.0.1")]);
    // Other bytes than any that were sent before.
    let answers = [&bytes("borealis.json")[..], b"\n"].concat();
    let form = SentForm::default().file("gold", "gold.json", &bytes("gold.json"));
    let (run, begun) =
        begin(&served, &form.file("answers", "answers.json", &answers).field("system", "Unheard"));
    let key = done(&served, &run)["evaluations"][0]["key"].as_str().unwrap().to_owned();
    let look = path(&served, &begun["look"]);
    // Of what was made by hand nothing is published.
    let listed = qassay(folder.path(), ["list", "evaluation", "--archive", "kept", "--format", "csv"]).ok();
    let others = listed.split(['/', ',', '\n']).filter(|word| word.len() == 32 && **word != key);
    let others: Vec<String> = others.map(str::to_owned).collect();
    assert!(!others.is_empty(), "{listed}");
    let hears_of = |what: &str| {
        beneath.requests().iter().any(|request| request.line.contains(what) || request.body.contains(what))
    };
    let everything = "SELECT ?s ?p ?o { { ?s a qassay:Evaluation ; ?p ?o } UNION { GRAPH ?g { ?s a qassay:Submission ; ?p ?o } } }";
    let own = form_urlencoded::Serializer::new(String::new())
        .append_pair("query", everything)
        .append_pair("format", "csv")
        .finish();
    let ask_all = |heard_before: usize| {
        let public = served.query(everything, "text/csv");
        assert!(public.status == 200 && beneath.requests().len() > heard_before, "{}", public.text());
        public.text()
    };
    let public = ask_all(beneath.requests().len());
    assert!(!public.contains("Unheard") && !public.contains(&key));
    let private = served.get(&format!("{look}sparql?{own}"), &[]);
    assert!(private.status == 200 && private.text().contains("Unheard"), "{}", private.text());
    for page in ["", "results", &look, &format!("{look}evaluation/{key}"), &format!("{look}sparql")] {
        assert_eq!(served.get(page, &[("accept", "text/html")]).status, 200, "{page}");
    }
    assert!(!hears_of("Unheard") && !hears_of(&key) && !others.iter().any(|key| hears_of(key)));
    let body = form_urlencoded::Serializer::new(String::new()).append_pair("creator", CREATOR).finish();
    let urlencoded = ("content-type", "application/x-www-form-urlencoded");
    assert_eq!(served.ask("POST", &format!("{run}/publish"), &[urlencoded], &body).status, 202);
    until(&served, &run, |status| status["publication"] == "published");
    served.until(&format!("evaluation/{key}"), |heard| heard.status == 200);
    let public = ask_all(beneath.requests().len());
    assert!(public.contains("Unheard") && public.contains(&key), "{public}");
    assert!(hears_of("Unheard") && hears_of(&key) && !others.iter().any(|key| hears_of(key)));
    // Nobody hears who may look and who may manage.
    let secrets =
        [&look, &path(&served, &begun["manage"])].map(|path| path.split('/').nth(1).unwrap().to_owned());
    assert!(!secrets.iter().any(|secret| hears_of(secret)));
}

#[test]
fn forms_say_what_is_wrong_and_keep_what_was_sent() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let broken = SentForm::default()
        .file("gold", "gold.json", &bytes("gold.json"))
        .file("answers", "mine.json", b"{\n\"questions\": [\n{\"id\": \"1\" \"x\"}]}")
        .field("system", "By a form");
    let wrong = served.fill_in("new", &broken);
    let page = wrong.text();
    assert_eq!(wrong.status, 422);
    assert!(
        page.contains("mine.json, line 3, column 12: this is no valid JSON") && page.contains("aria-invalid"),
        "{page}"
    );
    assert!(page.contains("value=\"By a form\"") && page.contains("Here already: gold.json"), "{page}");
    // All that is to be mended is told at once.
    let more = served.fill_in("new", &broken.clone().field("profile", "gerbli").field("links", "nothing@1"));
    let told = more.text();
    assert!(more.status == 422 && told.contains("3 things to mend"), "{told}");
    assert!(["gerbli", "nothing@1", "line 3, column 12"].iter().all(|said| told.contains(said)), "{told}");
    let options = [("gold-answers", "zzz"), ("loader", "zzz"), ("cutoffs", "0"), ("language", "xx-yy-zz!")];
    let many = options.iter().fold(broken.clone(), |form, (name, value)| form.field(name, value));
    let told = served.fill_in("new", &many).text();
    assert!(told.contains("5 things to mend"), "{told}");
    assert!(options.iter().all(|(name, _)| told.contains(&format!("<a href=\"#{name}\">"))), "{told}");
    let refused = served.send("api/v1/runs", &[], &many).json();
    let field = |name: &str| {
        let mut all = refused["problems"].as_array().unwrap().iter();
        all.find(|one| one["field"] == *name).unwrap_or_else(|| panic!("{name}: {refused}")).clone()
    };
    assert_eq!((&field("answers")["line"], &field("answers")["column"]), (&json!(3), &json!(12)));
    assert_eq!(field("cutoffs")["allowed"], json!("ranks from 1 to 1000000"));
    let uploads = page.split("name=\"uploads\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    // Only what was wrong is sent again.
    let mended = SentForm::default()
        .field("uploads", uploads)
        .file("answers", "mine.json", &bytes("borealis.json"))
        .field("system", "By a form");
    let begun = served.fill_in("new", &mended);
    assert_eq!(begun.status, 303, "{}", begun.text());
    let manage = begun.header("location").strip_prefix(&served.url).unwrap().to_owned();
    let over = served.until(&manage, |heard| heard.text().contains("1 of 1 part done"));
    let page = over.text();
    assert!(page.contains("✓ done") && page.contains("macro F1 0.7188"), "{page}");
    // The page of another site speaks for nobody.
    for headers in
        [[("origin", "https://evil.example")], [("sec-fetch-site", "cross-site")], [("accept", "text/html")]]
    {
        assert_eq!(served.send("new", &headers, &mended).status, 403, "{headers:?}");
        assert_eq!(served.send(&manage, &headers, &SentForm::default().field("do", "delete")).status, 403);
    }
    // Deleted, there is nothing any more.
    let deleted = served.fill_in(&manage, &SentForm::default().field("do", "delete"));
    assert_eq!((deleted.status, served.get(&manage, &[]).status), (303, 404));
    let left =
        fs::read_dir(folder.path().join("kept/private")).unwrap().flatten().filter(|one| one.path().is_dir());
    // What was sent by two forms that nobody mended waits for its hour.
    assert_eq!(left.count(), 2);
}

#[test]
fn files_are_looked_at_and_not_kept() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let files = SentForm::default().file("file", "../../broken.json", b"{\"questions\": [").file(
        "file",
        "answers.json",
        &bytes("borealis.json"),
    );
    let report = served.send("api/v1/check", &[], &files).json();
    let [broken, whole] = report["files"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert_eq!(
        (&broken["file"], &broken["readable"], &broken["problem"]["line"]),
        (&json!("broken.json"), &json!(false), &json!(1))
    );
    let by_hand = qassay(folder.path(), ["check", "borealis.json", "--format", "json"]).json();
    assert_eq!(whole["report"]["issues"], by_hand["files"][0]["issues"]);
    let page = served.fill_in("check", &files).text();
    assert!(
        page.contains("broken.json cannot be read") && page.contains("answers.json can be used"),
        "{page}"
    );
    // What a loader takes, as the command line tells it; a word that nobody knows is told at its field.
    let gold = || SentForm::default().file("file", "gold.json", &bytes("gold.json"));
    let report = served.send("api/v1/check", &[], &gold().field("loader", "gerbil-current")).json();
    let words = ["check", "gold.json", "--loader", "gerbil-current", "--format", "json"];
    let by_hand = qassay(folder.path(), words).json();
    assert_eq!(report["files"][0]["loaded"], by_hand["files"][0], "{report}");
    assert!(by_hand["files"][0]["loaded"].as_u64().unwrap() > 0);
    let page = served.fill_in("check", &gold().field("loader", "gerbil-current")).text();
    assert!(page.contains("The loader gerbil-current takes"), "{page}");
    assert!(page.contains("value=\"gerbil-current\" selected"), "{page}");
    // All are told of; and the lines below have what was chosen.
    assert!(!page.contains("The first 500"), "{page}");
    assert!(page.contains("qassay check answers.json --loader gerbil-current"), "{page}");
    assert!(page.contains("curl -F file=@answers.json -F loader=gerbil-current "), "{page}");
    for (field, value) in [("encoding", "zzz"), ("loader", "zzz"), ("against", "zzz")] {
        let refused = served.send("api/v1/check", &[], &gold().field(field, value));
        let told = refused.json();
        assert_eq!((refused.status, &told["problems"][0]["field"]), (422, &json!(field)), "{told}");
    }
    let wrong = gold().field("encoding", "zzz").field("loader", "zzz").field("against", "zzz");
    let page = served.fill_in("check", &wrong);
    let told = page.text();
    assert!(page.status == 422 && told.contains("3 things to mend"), "{told}");
    assert!(told.contains("value=\"zzz\"") && told.contains("`zzz` is no loader"), "{told}");
    let left = fs::read_dir(folder.path().join("kept/private")).unwrap().flatten();
    assert_eq!(left.filter(|one| one.path().is_dir()).count(), 0);
}

#[test]
fn what_strangers_may_not_is_refused() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    for (name, value) in [
        ("dataset", "/etc/passwd"),
        ("links", "http://127.0.0.1:1/"),
        ("links", "/etc/passwd"),
        ("kb", "http://127.0.0.1:1/"),
        ("profile", "./own.ttl"),
        ("endpoint", "http://127.0.0.1:1/"),
        ("loader", "x"),
        ("unknown", "x"),
        ("visibility", "public"),
    ] {
        let heard = served.send("api/v1/runs", &[], &form("X").field(name, value));
        assert_eq!(heard.status, 422, "{name}={value}: {}", heard.text());
        assert!(heard.json()["problems"][0]["field"].is_string(), "{}", heard.text());
    }
    // Beside it, another server is for reading.
    let twice = ["serve", "--archive", "kept", "--port", "0"];
    let refused = qassay(folder.path(), twice);
    assert!(
        refused.code == Some(2) && refused.stderr.contains("another server does the runs"),
        "{}",
        refused.stderr
    );
    let reading = Served::of(folder.path(), "kept", &["--accept", "nobody"]);
    assert_eq!(reading.send("api/v1/runs", &[], &form("X")).status, 403);
    drop(served);
    let guarded = Served::of(folder.path(), "kept", &["--accept", "token"]);
    let token = qassay(folder.path(), ["token", "new", "ci", "--archive", "kept"]).ok();
    let shown = format!("Bearer {}", token.trim());
    let nobody = guarded.send("api/v1/runs", &[], &form("X"));
    assert_eq!((nobody.status, nobody.header("www-authenticate").as_str()), (401, "Bearer"));
    assert_eq!(guarded.send("api/v1/runs", &[("authorization", "Bearer x")], &form("X")).status, 401);
    let begun = guarded.send("api/v1/runs", &[("authorization", &shown)], &form("X"));
    assert_eq!(begun.status, 202);
    let run = path(&guarded, &begun.json()["run"]);
    done(&guarded, &run);
    // It is good for runs, not for publishing, neither now nor later.
    let public = form("Y").field("visibility", "public").field("creator", CREATOR);
    assert_eq!(guarded.send("api/v1/runs", &[("authorization", &shown)], &public).status, 403);
    let creator = format!("creator={}", CREATOR.replace(' ', "+"));
    let headers = [("authorization", shown.as_str()), ("content-type", "application/x-www-form-urlencoded")];
    assert_eq!(guarded.ask("POST", &format!("{run}/publish"), &headers, &creator).status, 403);
    qassay(folder.path(), ["token", "remove", "ci", "--archive", "kept"]).ok();
    assert_eq!(guarded.send("api/v1/runs", &[("authorization", &shown)], &form("X")).status, 403);
}

#[test]
fn a_request_that_is_sent_again_begins_nothing_else() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let key = [("idempotency-key", "8e03978e-40d5-43dd-bc93-6894a57f9324")];
    let first = served.send("api/v1/runs", &key, &form("X")).json();
    assert_eq!(served.send("api/v1/runs", &key, &form("X")).json(), first);
    assert_eq!(served.send("api/v1/runs", &key, &form("Y")).status, 400);
    assert_ne!(served.send("api/v1/runs", &[], &form("X")).json()["run"], first["run"]);
    // Who guesses a key is somebody else.
    let token = format!("Bearer {}", "A".repeat(43));
    let other = served.send("api/v1/runs", &[key[0], ("authorization", &token)], &form("X"));
    assert!(other.status == 202 && other.json()["run"] != first["run"], "{}", other.text());
    drop(served);
    // Also by a server that was begun again.
    let served = Served::of(folder.path(), "kept", &[]);
    let again = served.send("api/v1/runs", &key, &form("X")).json();
    assert_eq!(path(&served, &again["run"]), first["run"].as_str().unwrap().splitn(4, '/').nth(3).unwrap());
}

#[test]
fn what_was_not_done_to_its_end_begins_again() {
    let folder = example();
    let mut runs = Vec::new();
    for number in 0..3 {
        let served = Served::of(folder.path(), "kept", &[]);
        let (run, _) = begin(&served, &form(&format!("System {number}")));
        runs.push(run);
        // At another moment each time.
        std::thread::sleep(std::time::Duration::from_millis(300 * number));
        served.kill();
    }
    let served = Served::of(folder.path(), "kept", &[]);
    for run in &runs {
        let status = done(&served, run);
        assert_eq!(status["evaluations"][0]["state"], "done", "{status}");
    }
    #[cfg(unix)]
    {
        let (run, _) = begin(&served, &form("The last one"));
        assert_eq!(served.end(), Some(0));
        let served = Served::of(folder.path(), "kept", &[]);
        assert_eq!(done(&served, &run)["evaluations"][0]["state"], "done");
    }
}

#[test]
fn systems_that_run_are_asked_where_who_runs_the_server_lists_them() {
    let folder = example();
    let answers = folder.path().join("borealis.json").display().to_string();
    let mocks = ["gerbil", "kgqan", "text2sparql"]
        .map(|protocol| (protocol, Mock::start(folder.path(), &[&answers, "--as", protocol])));
    let line = |(protocol, mock): &(&str, Mock)| {
        let set = if *protocol == "text2sparql" { "dataset=https://example.org/d " } else { "" };
        format!("{} {protocol} {set}Mock of {protocol}", mock.address)
    };
    let lines: Vec<String> = mocks.iter().map(line).collect();
    fs::write(folder.path().join("systems.txt"), lines.join("\n")).unwrap();
    let served = Served::of(folder.path(), "kept", &["--systems", "systems.txt"]);
    let ask = SentForm::default().file("gold", "gold.json", &bytes("gold.json"));
    let ask = mocks.iter().fold(ask, |form, (protocol, _)| form.field("ask", &format!("Mock of {protocol}")));
    let (run, _) = begin(&served, &ask);
    let status = done(&served, &run);
    for (protocol, mock) in &mocks {
        let of_server = status["evaluations"].as_array().unwrap().iter();
        let of_server = of_server.clone().find(|one| one["system"] == format!("Mock of {protocol}")).unwrap();
        let words = [
            "ask",
            "gold.json",
            &mock.address,
            "--as",
            protocol,
            "--evaluate",
            "--archive",
            "asked",
            "--format",
            "json",
        ];
        let set: &[&str] =
            if *protocol == "text2sparql" { &["--set", "dataset=https://example.org/d"] } else { &[] };
        let by_hand = qassay(folder.path(), words.iter().chain(set)).json();
        let by_hand = &by_hand["evaluations"][0]["experiments"]["QA"]["measures"]["macroF1"];
        assert!(by_hand.is_number());
        assert_eq!(of_server["value"], by_hand.to_string(), "{protocol}: {status}");
    }
}

#[test]
fn the_interface_describes_itself() {
    let folder: TempDir = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let described = served.get("api/v1/openapi.json", &[]).json();
    assert!(described["openapi"].as_str().unwrap().starts_with("3.1"), "{described}");
    let paths = described["paths"].as_object().unwrap();
    assert!(paths.len() >= 10, "{paths:?}");
    for (path, methods) in paths {
        let answered = |method: &str| {
            let path = path.trim_start_matches('/').replace("{token}", "x").replace("{key}", "x");
            served.ask(&method.to_uppercase(), &format!("api/v1/{path}"), &[], "").status
        };
        for method in methods.as_object().unwrap().keys() {
            let status = answered(method).to_string();
            let stated = &methods[method]["responses"];
            assert!(stated.get(&status).is_some(), "{method} {path}: {status} is not described");
        }
        assert_eq!(answered("put"), 405, "{path}");
    }
    assert_eq!(served.get("api/v1/nothing", &[]).status, 404);
}

#[test]
fn in_a_test_phase_nobody_is_told_what_is_right() {
    let folder = example();
    let words =
        ["evaluate", "--blind", "gold.json", "aurora.json", "--system", "Baseline", "--archive", "sealed"];
    qassay(folder.path(), words).ok();
    let served = Served::of(folder.path(), "sealed", &[]);
    let page = served.get("new", &[]).text();
    let phase =
        page.split("name=\"phase\" value=\"").nth(1).expect("a phase").split('"').next().unwrap().to_owned();
    let hand_in = SentForm::default().field("phase", &phase).field("system", "Mine");
    let hand_in = hand_in.file("answers", "mine.json", &bytes("borealis.json"));
    let accepted = served.send("api/v1/submissions", &[], &hand_in);
    assert_eq!(accepted.status, 201, "{}", accepted.text());
    let one = &accepted.json()["blind"][0];
    assert_eq!((&one["number"], &one["questions"], &one["new"]), (&json!(2), &json!(16), &json!(true)));
    assert!(one["time"].as_str().unwrap().starts_with("20"), "{one}");
    assert!(one.get("macroF1").is_none() && !accepted.text().contains("0.71"), "{}", accepted.text());
    let again = served.fill_in("new", &hand_in).text();
    assert!(again.contains("✓ accepted") && again.contains("with the number 2"), "{again}");
    let unknown =
        SentForm::default().field("phase", "x").file("answers", "mine.json", &bytes("borealis.json"));
    assert_eq!(served.send("api/v1/submissions", &[], &unknown).status, 422);
    let unnamed = SentForm::default().field("phase", &phase).field("system", &"x".repeat(2_000));
    let unnamed = unnamed.file("answers", "mine.json", &bytes("borealis.json"));
    let refused = served.send("api/v1/submissions", &[], &unnamed).json();
    assert_eq!(refused["problems"][0]["field"], "system", "{refused}");
    // Nobody hears that somebody else has sent the same bytes: neither in this phase nor before it.
    for (number, system, file) in [(3, "Copy", "borealis.json"), (4, "Other copy", "aurora.json")] {
        let copy = SentForm::default().field("phase", &phase).field("system", system);
        let copy = copy.file("answers", "copy.json", &bytes(file));
        let accepted = served.send("api/v1/submissions", &[], &copy);
        assert_eq!(accepted.status, 201, "{}", accepted.text());
        let one = &accepted.json()["blind"][0];
        assert_eq!((&one["number"], &one["new"]), (&json!(number), &json!(true)));
        let again = served.send("api/v1/submissions", &[], &copy).json();
        assert_eq!(again["blind"][0]["number"], json!(number), "{again}");
    }
    qassay(folder.path(), ["verify", "--archive", "sealed"]).ok();
    // The organiser releases them, and is told; nobody hands in any more.
    let released = qassay(folder.path(), ["release", "gold.json", "--archive", "sealed"]);
    let told = format!("{}{}", released.stdout, released.stderr);
    assert!(released.code == Some(1), "{told}");
    for same in ["no. 2, sent by Mine", "no. 1, sent by Baseline"] {
        assert!(told.contains(same), "{told}");
    }
    qassay(folder.path(), ["verify", "--archive", "sealed"]).ok();
    let listed = qassay(folder.path(), ["list", "--archive", "sealed", "--format", "json"]).json();
    assert!(listed.to_string().contains("\"Mine\""), "{listed}");
    assert_eq!(served.send("api/v1/submissions", &[], &hand_in).status, 422);
    assert!(!served.get("new", &[]).text().contains("Test phase"));
}

#[test]
fn people_judge_answers_and_the_run_is_scored_by_what_they_say() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let open = SentForm::default()
        .file("gold", "open.csv", &bytes("clef-gold.csv"))
        .file("answers", "run.csv", &bytes("clef-run.csv"))
        .field("profile", "clef-2004")
        .field("system", "Open");
    let (run, begun) = begin(&served, &open);
    let before = done(&served, &run)["evaluations"][0].clone();
    assert_eq!(before["state"], "done", "{before}");
    let manage = path(&served, &begun["manage"]);
    let invited =
        served.fill_in(&manage, &SentForm::default().field("do", "judge").field("assessors", "Ada, Ben"));
    assert_eq!(invited.status, 303, "{}", invited.text());
    let page = served.get(&manage, &[]).text();
    let addresses: Vec<String> = page
        .split(&format!("{}a/", served.url))
        .skip(1)
        .map(|rest| format!("a/{}", rest.split('<').next().unwrap()))
        .collect();
    assert_eq!(addresses.len(), 2, "{page}");
    for (address, verdict) in addresses.iter().zip(["correct", "inexact"]) {
        let sheet = served.get(address, &[]).text();
        // Nobody sees whose answers they are.
        assert!(sheet.contains("a boat with sails") && !sheet.contains("Open"), "{sheet}");
        let fields = sheet.split("type=\"radio\" id=\"").skip(1).filter(|rest| rest.contains("-1\" name="));
        let names: Vec<&str> =
            fields.map(|rest| rest.split("name=\"").nth(1).unwrap().split('"').next().unwrap()).collect();
        assert!(names.len() >= 8, "{sheet}");
        // All of it is what the first says, the second agrees but for the last.
        let mut form = SentForm::default();
        for (at, name) in names.iter().enumerate() {
            form = form.field(name, if at + 1 == names.len() { verdict } else { "correct" });
        }
        let kept = served.fill_in(address, &form);
        assert_eq!(kept.status, 303, "{}", kept.text());
        assert!(served.get(address, &[]).text().contains("checked"));
        assert_eq!(served.fill_in(address, &SentForm::default().field("v-0-0", "maybe")).status, 422);
        assert_eq!(served.fill_in(address, &SentForm::default().field("v-99-0", "correct")).status, 422);
    }
    let file = served.get(&format!("{manage}assessments.csv"), &[]).text();
    assert!(
        file.starts_with("question,answer,verdict,assessor\n") && file.contains(",inexact,Ben"),
        "{file}"
    );
    assert!(served.get(&manage, &[]).text().contains("Equal verdicts: 0."));
    // It is a file of assessments like any other.
    fs::write(folder.path().join("judged.csv"), &file).unwrap();
    for name in ["clef-gold.csv", "clef-run.csv"] {
        fs::write(folder.path().join(name), bytes(name)).unwrap();
    }
    let words = [
        "evaluate",
        "clef-gold.csv",
        "clef-run.csv",
        "--profile",
        "clef-2004",
        "--assessments",
        "judged.csv",
    ];
    let by_hand = qassay(folder.path(), words.iter().chain(&["--format", "json", "--no-archive"])).json();
    let scored = served.fill_in(&manage, &SentForm::default().field("do", "score-judged"));
    assert_eq!(scored.status, 303, "{}", scored.text());
    let status = done(&served, &run);
    let after = status["evaluations"][0].clone();
    assert_ne!(after["key"], before["key"]);
    // What came of it without them stays, and is told apart.
    assert!(
        status["evaluations"].as_array().unwrap().iter().any(|one| one["key"] == before["key"]),
        "{status}"
    );
    let look = path(&served, &begun["look"]);
    let list = served.get(&format!("{look}results"), &[]).text();
    assert!(list.contains(" with assessments") && list.contains(" without options"), "{list}");
    let measure = after["measure"].as_str().unwrap();
    let measures = &by_hand["evaluations"][0]["experiments"]["QA"]["measures"];
    assert_eq!(after["value"], measures[measure].to_string(), "{after}");
    // Who guesses an address finds nothing, and a judge sees no results.
    assert_eq!(served.get(&format!("a/{}/", "A".repeat(43)), &[]).status, 404);
    assert_eq!(served.get(&addresses[0].replace("a/", "p/"), &[]).status, 404);
}

#[test]
fn files_may_be_as_large_as_it_says() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let padded = |size: usize| {
        let mut file = bytes("gold.json");
        file.extend(vec![b' '; size - file.len()]);
        file
    };
    let check = |size| {
        served.send("api/v1/check", &[], &SentForm::default().file("file", "gold.json", &padded(size)))
    };
    let large = check(20 << 20);
    assert_eq!((large.status, &large.json()["files"][0]["readable"]), (200, &json!(true)));
    assert_eq!(check((32 << 20) + 1).status, 413);
    let many = (0..11).fold(SentForm::default(), |form, at| form.file("file", &format!("{at}.json"), b"{}"));
    assert_eq!(served.send("api/v1/check", &[], &many).status, 413);
}

#[test]
#[cfg_attr(not(curl), ignore = "no curl")]
fn the_examples_of_the_page_work() {
    let folder = example();
    fs::copy(folder.path().join("borealis.json"), folder.path().join("answers.json")).unwrap();
    let served = Served::of(folder.path(), "kept", &[]);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve/README.md");
    let page = fs::read_to_string(page).unwrap();
    let lines = page.split("```sh\n").nth(1).unwrap().split("```").next().unwrap();
    let mut token = String::new();
    let mut said = Vec::new();
    for line in lines.lines().filter(|line| line.starts_with("curl ")) {
        let line = line.replace("http://127.0.0.1:8080/", &served.url).replace("TOKEN", &token);
        let mut shell = std::process::Command::new("sh");
        let ran = shell.args(["-c", &format!("{line} -sS")]).current_dir(folder.path()).output().unwrap();
        let told: Value =
            serde_json::from_slice(&ran.stdout).unwrap_or_else(|error| panic!("{line}: {error}"));
        if let Some(run) = told["run"].as_str() {
            run.rsplit('/').next().unwrap().clone_into(&mut token);
            done(&served, &format!("api/v1/runs/{token}"));
        }
        said.push(told);
    }
    let [_, status, wanted, checked, listed] = said.as_slice() else { panic!("{said:?}") };
    assert_eq!((&status["state"], &wanted["publication"]), (&json!("done"), &json!("wanted")));
    assert_eq!((&checked["files"][0]["readable"], listed["count"].is_number()), (&json!(true), true));
}

#[test]
fn a_run_that_was_stopped_says_so_and_nothing_runs_after_it() {
    let folder = example();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let metrics = format!("127.0.0.1:{port}");
    let served = Served::of(folder.path(), "kept", &["--metrics", &metrics]);
    // A long queue: the last part has not begun when it is stopped.
    let many = (1..9).fold(form("System 0"), |form, number| {
        let name = format!("{number}.json");
        form.file("answers", &name, &bytes("borealis.json")).field("system", &format!("System {number}"))
    });
    let (run, begun) = begin(&served, &many);
    let stopped = served.ask("POST", &format!("{run}/stop"), &[], "");
    assert_eq!(stopped.status, 200, "{}", stopped.text());
    let status = until(&served, &run, |status| status["state"] != "running");
    assert_eq!(status["state"], "stopped", "{status}");
    assert_eq!(status["evaluations"][8]["state"], "stopped", "{status}");
    let page = served.get(&path(&served, &begun["manage"]), &[]).text();
    assert!(page.contains("<h1>Stopped: ") && page.contains("of 9 parts done</h1>"), "{page}");
    let events = served.get(&format!("{run}/events"), &[]).text();
    assert!(events.contains("\"state\":\"stopped\""), "{events}");
    // What is published is no longer worked at.
    let (run, _) = begin(&served, &form("Whole"));
    assert_eq!(done(&served, &run)["state"], "done");
    let body = form_urlencoded::Serializer::new(String::new()).append_pair("creator", CREATOR).finish();
    let urlencoded = ("content-type", "application/x-www-form-urlencoded");
    assert_eq!(served.ask("POST", &format!("{run}/publish"), &[urlencoded], &body).status, 202);
    until(&served, &run, |status| status["publication"] == "published");
    let told = reqwest::blocking::get(format!("http://{metrics}/metrics")).unwrap().text().unwrap();
    assert!(told.contains("qassay_waiting_parts 0") && !told.contains("qassay_running_parts{"), "{told}");
}
