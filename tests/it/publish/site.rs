//! The site of all that an archive has published, as files: what is on it, what is not, what is written again, and what a real
//! web server makes of it.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, SystemTime};

use oxigraph::io::{RdfFormat, RdfParser};
use tempfile::TempDir;

use super::record::{WHO, evaluate, example, publish, text};
use crate::common::{QALD_8_TRAIN, TEXT2SPARQL_2025, files_below, mirror, qald_8_answers, qassay};
use crate::pages::site::crawl;

/// The key of the evaluation of a system in the archive `kept`.
fn key(folder: &TempDir, system: &str) -> String {
    let listed = qassay(folder.path(), ["list", "--archive", "kept", "--format", "json"]).json();
    let evaluations = listed.as_array().unwrap().iter().map(|one| &one["evaluation"]);
    let one = evaluations.into_iter().find(|one| one["system"] == *system).unwrap();
    one["key"].as_str().unwrap().to_owned()
}

fn write(folder: &TempDir, words: &[&str]) -> String {
    let ran = publish(folder, &[&["--site", "web"], words].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    ran.stderr
}

/// The files of the site, by their paths.
fn site(folder: &TempDir) -> BTreeMap<String, String> {
    let root = folder.path().join("web");
    let read = |path: &Path| {
        let name = path.to_string_lossy().into_owned();
        (name, String::from_utf8_lossy(&fs::read(root.join(path)).unwrap()).into_owned())
    };
    files_below(&root).iter().map(|path| read(path)).collect()
}

#[test]
fn a_site_has_what_is_published_and_nothing_else() {
    let folder = example();
    let hidden = key(&folder, "borealis");
    write(&folder, &[&["aurora"], &WHO[..]].concat());
    let files = site(&folder);
    assert!(crawl(&files) > 1_000);
    let shown = key(&folder, "aurora");
    for (path, content) in &files {
        assert!(
            !content.contains(&hidden) && !content.contains("borealis"),
            "{path} tells of what is private"
        );
        assert!(!content.contains(&folder.path().to_string_lossy().into_owned()), "{path}");
    }
    let page = &files[&format!("evaluation/{shown}.html")];
    for head in [
        "<link rel=\"cite-as\" href=\"https://w3id.org/qassay/evaluation/",
        "<link rel=\"author\" href=\"https://orcid.org/0000-0002-1825-0097\">",
        "<link rel=\"describedby\" href=\"../evaluation/",
        "<script type=\"application/ld+json\">",
        "Files of the record",
    ] {
        assert!(page.contains(head), "{head}");
    }
    for list in ["feed.atom", "sitemap.xml", "catalog.ttl"] {
        assert!(files[list].contains(&shown), "{list}");
    }
    let catalogue = RdfParser::from_format(RdfFormat::Turtle).for_slice(files["catalog.ttl"].as_bytes());
    assert!(catalogue.filter(|quad| quad.as_ref().unwrap().subject.is_named_node()).count() > 50);
    // The whole site is a record, and so is the zip beside the page of each.
    let zip = format!("web/evaluation/{shown}/file/qassay-{}.zip", &shown[..8]);
    for record in ["web", zip.as_str()] {
        let verified = qassay(folder.path(), ["verify", record]);
        assert!(verified.code == Some(0) && verified.stdout.contains("re-execution"), "{}", verified.stdout);
    }
}

/// What does not fit on the page of a dataset is on further pages: each question is linked once.
#[test]
fn all_questions_of_a_dataset_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let question = |id: usize| {
        serde_json::json!({
            "id": format!("q{id}"), "question": [{"language": "en", "string": format!("Who was number {id}?")}],
            "query": {"sparql": "SELECT ?x WHERE { ?x a <http://example.org/C> }"},
            "answers": [{"head": {"vars": ["x"]}, "results": {"bindings": [
                {"x": {"type": "uri", "value": format!("http://example.org/{id}")}}]}}],
        })
    };
    let gold = serde_json::json!({
        "dataset": {"id": "large"}, "questions": (1..=120).map(question).collect::<Vec<_>>()
    });
    fs::write(folder.path().join("gold.json"), gold.to_string()).unwrap();
    fs::write(folder.path().join("aurora.json"), gold.to_string()).unwrap();
    evaluate(&folder, &["gold.json", "aurora.json"]).ok();
    write(&folder, &[&["aurora", "--input-licence", "dataset=CC0-1.0"], &WHO[..]].concat());
    let files = site(&folder);
    crawl(&files);
    let table = |(path, page): (&String, &String)| {
        let table = page.split_once("id=\"question-table\"")?.1.split_once("</table>")?.0.to_owned();
        path.starts_with("dataset/").then_some((path.clone(), table))
    };
    let lists: Vec<(String, String)> = files.iter().filter_map(table).collect();
    assert_eq!(lists.len(), 3);
    assert!(lists[1].0.ends_with("/questions/2.html") && lists[2].0.ends_with("/questions/3.html"));
    assert!(lists[2].1.contains("Questions 101 to 120 of 120"));
    for id in 1..=120 {
        let link = format!("/q{id}.html\"");
        let rows = lists.iter().map(|(_, table)| table.matches(&link).count());
        assert_eq!(rows.sum::<usize>(), 1, "{link}");
    }
}

#[test]
fn what_would_be_on_a_site_is_told_before() {
    let folder = example();
    let check = |words: &[&str]| {
        let ran = publish(&folder, &[&["--site", "web", "--check", "--format", "json"], words].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let told = ran.json();
        let one = |one: &serde_json::Value| (one["iri"].as_str().unwrap().to_owned(), one["known"] == true);
        told.as_array().unwrap().iter().map(one).collect::<BTreeMap<_, _>>()
    };
    let nothing = publish(&folder, &["--site", "web", "--check"]);
    assert!(nothing.code == Some(2) && nothing.stderr.contains("nothing of this archive is published"));
    let all = check(&[&["--all"], &WHO[..]].concat());
    assert!(all.len() >= 2 && all.values().all(|known| !known), "{all:?}");
    assert!(!folder.path().join("web").exists());
    // Nothing was published by telling.
    write(&folder, &[&["aurora"], &WHO[..]].concat());
    let next = check(&["borealis"]);
    assert_eq!(next.values().filter(|known| **known).count(), 1, "{next:?}");
    assert_eq!(next.len(), 2);
    let table = publish(&folder, &["--site", "web", "--check", "borealis"]);
    assert!(table.stdout.matches("published before").count() == 1, "{}", table.stdout);
}

/// What has no licence is not on a site; the numbers that came of it are.
#[test]
fn what_is_withheld_is_on_no_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = |answer: &str| {
        let binding = serde_json::json!({ "x": { "type": "literal", "value": answer } });
        serde_json::json!({ "dataset": { "id": "mine" }, "questions": [{
            "id": "1",
            "question": [{ "language": "en", "string": "zyzzyva question" }],
            "query": { "sparql": "SELECT ?x WHERE { ?x a <http://zyzzyva.example/Class> }" },
            "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": [binding] } }],
        }] })
        .to_string()
    };
    fs::write(folder.path().join("gold.json"), file("zyzzyva answer")).unwrap();
    fs::write(folder.path().join("other.json"), file("zyzzyva guess")).unwrap();
    evaluate(&folder, &["gold.json", "other.json"]).ok();
    write(&folder, &[&["other"], &WHO[..]].concat());
    let files = site(&folder);
    assert!(crawl(&files) > 1_000);
    for (path, content) in &files {
        assert!(!content.contains("zyzzyva"), "{path}");
    }
    assert!(!folder.path().join("web/files").exists());
    let page = &files[&format!("evaluation/{}.html", key(&folder, "other"))];
    assert!(page.contains("other") && page.contains("0.0000"), "{page}");
    assert_eq!(qassay(folder.path(), ["verify", "web"]).code, Some(3));
}

#[test]
fn only_what_changed_is_written_again() {
    let folder = example();
    write(&folder, &[&["aurora"], &WHO[..]].concat());
    let marks = |folder: &TempDir| -> BTreeMap<String, SystemTime> {
        let root = folder.path().join("web");
        let mark = |path: &Path| fs::metadata(root.join(path)).unwrap().modified().unwrap();
        files_below(&root).iter().map(|path| (path.to_string_lossy().into_owned(), mark(path))).collect()
    };
    let first = marks(&folder);
    let said = write(&folder, &[]);
    assert!(said.contains("web: 0 of ") && said.contains(" 0 removed; 1 publication"), "{said}");
    assert_eq!(marks(&folder), first);
    // Another evaluation: what is about the first alone stays as it is.
    write(&folder, &["borealis"]);
    let (second, key) = (marks(&folder), key(&folder, "aurora"));
    let own = first.iter().filter(|(path, _)| {
        path.starts_with(&format!("evaluation/{key}"))
            || ["ns", "code", "query", "graphs"].iter().any(|folder| path.starts_with(&format!("{folder}/")))
    });
    assert!(own.clone().count() > 1_000);
    let rewritten: Vec<&String> =
        own.filter(|(path, mark)| second[*path] != **mark).map(|(path, _)| path).collect();
    assert_eq!(rewritten, [""; 0]);
    // What somebody put there stays; what was damaged is mended.
    fs::write(folder.path().join("web/CNAME"), "example.org").unwrap();
    fs::write(folder.path().join("web/index.html"), "").unwrap();
    let said = write(&folder, &["--all", "--public-url", "https://example.org/qa"]);
    assert!(said.contains("2 publications"), "{said}");
    assert!(text(&folder, "web/index.html").contains("aurora"));
    assert_eq!(text(&folder, "web/CNAME"), "example.org");
    assert!(text(&folder, "web/sitemap.xml").contains("<loc>https://example.org/qa/</loc>"));
    assert!(text(&folder, "web/robots.txt").ends_with("Sitemap: https://example.org/qa/sitemap.xml\n"));
}

#[test]
fn what_cannot_be_a_site_is_refused() {
    let folder = example();
    let refused = |words: &[&str], said: &str| {
        let ran = publish(&folder, words);
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{words:?}: {}", ran.stderr);
    };
    refused(&["--site", "web"], "nothing of this archive is published");
    refused(&["--site", "web", "aurora"], "nobody says who publishes this");
    assert!(!folder.path().join("web").exists());
    publish(&folder, &[&["aurora", "record"][..], &WHO].concat()).ok();
    refused(&["--site", "."], "parts of each other");
    refused(&["--site", "kept/web"], "parts of each other");
    refused(&["--site", "record"], "no site of qassay");
    refused(&["--site", "web", "--public-url", "ftp://example.org"], "is no place for a site");
    refused(&["--site", "web", "--public-url", "https://example.org/?q=1"], "is no place for a site");
    assert_eq!(publish(&folder, &["--site", "web", "--all", "aurora"]).code, Some(2));
    assert_eq!(publish(&folder, &["--all", "aurora", "there"]).code, Some(2));
    // An evaluation that is gone is told, and the site stays as it was.
    write(&folder, &[]);
    let list = text(&folder, "web/SHA256SUMS");
    for record in files_below(&folder.path().join("kept/records/execution")) {
        fs::remove_file(folder.path().join("kept/records/execution").join(record)).unwrap();
    }
    refused(&["--site", "web"], "it was published as <https://w3id.org/qassay/evaluation/");
    assert_eq!(text(&folder, "web/SHA256SUMS"), list);
}

/// Ten different files of answers by three profiles: two of the twelve have the bytes of another system. Their repositories state licences.
#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn the_site_of_real_evaluations_has_no_loose_ends() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = mirror().join(TEXT2SPARQL_2025);
    let at = |path: std::path::PathBuf| path.display().to_string();
    let systems = ["AIFB", "INFAI", "MIPT", "WSE"];
    let of_qald = ["AskNow", "GANSWER2", "QAKIS", "TeBaQA"];
    let qald: Vec<String> = of_qald.map(|name| at(mirror().join(qald_8_answers(name, "json")))).to_vec();
    let of_campaign = |dataset: &str| -> (String, Vec<String>) {
        let answers =
            systems.map(|name| at(campaign.join(format!("results/{name}/{dataset}_system_result_set.json"))));
        (at(campaign.join(format!("benchmark/{dataset}_true_result_set.json"))), answers.to_vec())
    };
    let (ck25, ck25_answers) = of_campaign("ck25");
    let (db25, db25_answers) = of_campaign("db25");
    for (gold, answers, profiles, names) in [
        (at(mirror().join(QALD_8_TRAIN)), qald, "qassay,gerbil,qald", of_qald),
        (ck25, ck25_answers, "qassay,gerbil,qald", systems),
        (db25, db25_answers, "qassay,gerbil,qald", systems),
    ] {
        let mut words = vec![
            "--experiment".to_owned(),
            "QA".to_owned(),
            "--profile".to_owned(),
            profiles.to_owned(),
            gold,
        ];
        words.extend(answers);
        words.extend(names.iter().flat_map(|name| ["--system".to_owned(), (*name).to_owned()]));
        evaluate(&folder, &words.iter().map(String::as_str).collect::<Vec<_>>()).ok();
    }
    let said = write(&folder, &[&["--all"], &WHO[..]].concat());
    assert!(said.contains("30 publications"), "{said}");
    let files = site(&folder);
    let links = crawl(&files);
    assert!(links > 50_000, "{links}");
    for (path, content) in &files {
        assert!(!content.contains("/mirror/"), "{path} tells where files are");
    }
    // All thirteen files that were read are there, and what was computed from them is again.
    assert_eq!(files_below(&folder.path().join("web/files")).len(), 13);
    let verified = qassay(folder.path(), ["verify", "web"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

/// An Apache of our own.
struct Apache {
    process: Child,
    port: u16,
}

impl Apache {
    fn start(folder: &Path) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let place = folder.display();
        let modules = ["mpm_event", "authz_core", "dir", "mime", "headers", "rewrite", "negotiation"];
        let modules = modules
            .map(|name| format!("LoadModule {name}_module /usr/lib/apache2/modules/mod_{name}.so\n"))
            .concat();
        let settings = format!(
            "ServerRoot {place}\nPidFile {place}/pid\nErrorLog {place}/log\nListen 127.0.0.1:{port}\nServerName localhost\n\
             {modules}TypesConfig {place}/types\nDocumentRoot {place}/web\n\
             <Directory {place}/web>\nAllowOverride All\nRequire all granted\n</Directory>\n"
        );
        fs::write(folder.join("types"), "text/html html\ntext/xml xml\n").unwrap();
        // Where the tests are run by root, Apache is somebody else, and wants to be told who.
        let is_root = Command::new("id").arg("-u").output().is_ok_and(|said| said.stdout == b"0\n");
        let who = if is_root { "User www-data\nGroup www-data\n" } else { "" };
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.join("settings"), settings + who).unwrap();
        let settings = folder.join("settings");
        let mut program = Command::new("apache2");
        let process = program.args(["-X", "-f"]).arg(settings).spawn().unwrap();
        let mut server = Self { process, port };
        for _ in 0..100 {
            assert!(server.process.try_wait().unwrap().is_none(), "Apache ends");
            if std::net::TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return server;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        panic!("Apache does not start within 5 s");
    }

    /// Status, media type and body.
    fn get(&self, path: &str, accept: &str) -> (u16, String, String) {
        let client = reqwest::blocking::Client::builder().no_proxy().build().unwrap();
        let request = client.get(format!("http://127.0.0.1:{}/{path}", self.port)).header("Accept", accept);
        let reply = request.send().unwrap();
        let kind = reply.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
        (reply.status().as_u16(), kind.unwrap_or_default(), reply.text().unwrap())
    }
}

impl Drop for Apache {
    fn drop(&mut self) {
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

#[test]
#[cfg_attr(not(apache), ignore = "no apache2 (apt-get install apache2)")]
fn iris_lead_to_the_forms_that_are_asked_for() {
    let folder = example();
    write(&folder, &[&["aurora"], &WHO[..]].concat());
    let (key, server) = (key(&folder, "aurora"), Apache::start(folder.path()));
    let page = format!("evaluation/{key}");
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    for (accept, status, kind, ending) in [
        (browser, 200, "text/html", "html"),
        ("*/*", 200, "text/html", "html"),
        ("text/turtle", 200, "text/turtle", "ttl"),
        ("application/n-quads", 200, "application/n-quads", "nq"),
        ("application/trig;q=1", 200, "application/trig", "trig"),
        ("application/n-triples", 200, "application/n-triples", "nt"),
        ("application/ld+json, application/json;q=0.5", 200, "application/ld+json", "jsonld"),
        ("application/rdf+xml, text/turtle;q=0.9, */*;q=0.1", 200, "text/turtle", "ttl"),
        ("image/png", 406, "text/html", ""),
    ] {
        let (code, media_type, body) = server.get(&page, accept);
        assert!(code == status && media_type.starts_with(kind), "{accept}: {code} {media_type}");
        if !ending.is_empty() {
            assert!(body == text(&folder, &format!("web/{page}.{ending}")), "{accept}");
        }
    }
    let graph = files_below(&folder.path().join("web/graphs"))[0].to_string_lossy().into_owned();
    let given = fs::read_dir(folder.path().join("web/files/sha256")).unwrap().next().unwrap().unwrap().path();
    let given = files_below(&given)[0].to_string_lossy().into_owned();
    for (path, accept, kind) in [
        (String::new(), browser, "text/html"),
        ("catalog".to_owned(), "text/turtle", "text/turtle"),
        ("catalog".to_owned(), browser, "text/html"),
        (format!("{page}/obs/QA/1"), browser, "text/html"),
        (format!("{page}/obs/QA/1"), "text/turtle", "text/turtle"),
        (format!("{page}/file/metadata/dcat.ttl"), "*/*", "text/turtle"),
        (format!("{page}/file/graphs/{graph}"), "*/*", "application/n-quads"),
        (format!("file/sha256/{given}"), "*/*", ""),
        (format!("file/sha256/{given}"), browser, "text/html"),
        ("ns".to_owned(), "text/turtle", "text/turtle"),
        ("feed.atom".to_owned(), "*/*", "application/atom+xml"),
    ] {
        let (code, media_type, _) = server.get(&path, accept);
        assert!(code == 200 && media_type.starts_with(kind), "{path} as {accept}: {code} {media_type}");
    }
    // Withdrawn, it is gone, and its page tells why.
    publish(&folder, &["--withdraw", "--reason", "A question was \"wrong\" <b>.", "aurora"]).ok();
    assert!(write(&folder, &[]).contains("0 publications"));
    let (code, _, body) = server.get(&page, browser);
    assert!(code == 410 && body.contains("withdrawn"), "{code} {body}");
    assert_eq!(server.get(&format!("{page}/file/metadata/dcat.ttl"), "*/*").0, 410);
    let (code, _, body) = server.get(&format!("{page}.html"), browser);
    assert!(code == 200 && body.contains("A question was &#34;wrong&#34; &#60;b&#62;."), "{code} {body}");
    assert!(text(&folder, &format!("web/{page}.ttl")).contains("invalidatedAtTime"));
    assert!(crawl(&site(&folder)) > 1_000);
    assert!(!folder.path().join("web/graphs").exists() && !folder.path().join("web/files").exists());
    assert_eq!(qassay(folder.path(), ["verify", "web"]).code, Some(0));
    for nothing in ["nothing", "evaluation", "graphs/", "evaluation/0123", "../kept"] {
        assert!([403, 404].contains(&server.get(nothing, browser).0), "{nothing}");
    }
}

/// Its own statements are those of its publication: there are no others.
#[test]
fn what_was_published_together_says_so_as_rdf() {
    let folder = example();
    publish(&folder, &[&["aurora", "borealis", "both"][..], &WHO].concat()).ok();
    publish(&folder, &["--site", "site"]).ok();
    let experiments = files_below(&folder.path().join("site/experiment"));
    let is_turtle = |path: &Path| path.extension().is_some_and(|ending| ending == "ttl");
    // Below are the files of the record.
    let turtle = experiments.iter().find(|path| is_turtle(path) && path.components().count() == 1);
    let said = text(&folder, &format!("site/experiment/{}", turtle.unwrap().display()));
    assert_eq!(said.matches("/evaluation/").count(), 2, "{said}");
    assert!(said.contains("dct:creator <https://orcid.org/0000-0002-1825-0097>"), "{said}");
}
