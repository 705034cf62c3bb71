//! A record as a draft in a repository: a server that speaks as `InvenioRDM` does, and ones that do not.

use std::fs;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::record::{WHO, example};
use crate::common::server::{Request, Server, send};
use crate::common::{Ran, program};

/// The token of the tests.
const TOKEN: &str = "a-secret-token";

/// What a repository does that is not as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Trouble {
    None,
    RefusesTheToken,
    RefusesTheMetadata,
    LosesTheFile,
    CountsWrong,
    LeadsAway,
    IsNone,
}

/// The calls of a deposit, in their order.
const CALLS: [&str; 4] = [
    "POST /api/records ",
    "POST /api/records/ab12-cd34/draft/files ",
    "PUT /api/records/ab12-cd34/draft/files/record.zip/content ",
    "POST /api/records/ab12-cd34/draft/files/record.zip/commit ",
];

/// A repository (`InvenioRDM`, REST API reference: drafts, draft files).
fn repository(trouble: Trouble) -> Server {
    Server::start(move |request, stream| {
        let (status, body) = reply(trouble, request);
        let headers =
            [("Content-Type", "application/json"), ("Location", "http://other.example/api/records")];
        let headers = if status.starts_with("307") { &headers[..] } else { &headers[..1] };
        send(stream, status, headers, body.as_bytes());
    })
}

fn reply(trouble: Trouble, request: &Request) -> (&'static str, String) {
    let is = |call: &str| request.line.starts_with(call);
    let file =
        |size: u64, status: &str| json!({ "key": "record.zip", "size": size, "status": status }).to_string();
    if trouble == Trouble::IsNone {
        return ("200 OK", "<html>hello</html>".to_owned());
    }
    if request.header("authorization") != Some(&format!("Bearer {TOKEN}"))
        || trouble == Trouble::RefusesTheToken
    {
        // It repeats what it was sent, as some do.
        let message = format!("no such token: {}", request.header("authorization").unwrap_or_default());
        return ("403 Forbidden", json!({ "status": 403, "message": message }).to_string());
    }
    if is(CALLS[0]) {
        let metadata: Value = serde_json::from_str(&request.body).unwrap_or_default();
        assert_eq!(metadata["files"]["enabled"], true, "{}", request.body);
        if trouble == Trouble::LeadsAway {
            return ("307 Temporary Redirect", String::new());
        }
        if trouble == Trouble::RefusesTheMetadata {
            let errors =
                json!([{ "field": "metadata.title", "messages": ["Missing data for required field."] }]);
            let body = json!({ "status": 400, "message": "A validation error occurred.", "errors": errors });
            return ("400 BAD REQUEST", body.to_string());
        }
        let links = json!({ "self_html": "https://phishing.example/uploads/ab12-cd34" });
        let pids = json!({ "doi": { "identifier": "10.5072/zenodo.1", "provider": "datacite" } });
        return (
            "201 CREATED",
            json!({ "id": "ab12-cd34", "is_published": false, "links": links, "pids": pids }).to_string(),
        );
    }
    if is(CALLS[1]) {
        assert_eq!(request.body, r#"[{"key":"record.zip"}]"#);
        return (
            "201 CREATED",
            json!({ "entries": [{ "key": "record.zip", "status": "pending" }] }).to_string(),
        );
    }
    if is(CALLS[2]) {
        assert_eq!(request.header("content-type"), Some("application/octet-stream"));
        let status = if trouble == Trouble::LosesTheFile { "500 INTERNAL SERVER ERROR" } else { "200 OK" };
        return (status, file(request.content.len() as u64, "pending"));
    }
    if is(CALLS[3]) && trouble == Trouble::CountsWrong {
        return ("200 OK", file(1, "completed"));
    }
    if is(CALLS[3]) {
        return ("200 OK", json!({ "key": "record.zip", "status": "completed" }).to_string());
    }
    if is("DELETE /api/records/ab12-cd34/draft ") {
        return ("204 NO CONTENT", String::new());
    }
    ("404 NOT FOUND", json!({ "status": 404, "message": "unexpected call" }).to_string())
}

fn deposit(folder: &TempDir, words: &[&str]) -> Ran {
    let mut program = program(folder.path());
    program.env("QASSAY_DEPOSIT_TOKEN", TOKEN).args(["publish", "--archive", "kept", "aurora"]);
    Ran::of(program.args(words).args(WHO))
}

fn place(server: &Server) -> String {
    server.base.trim_end_matches("/files").to_owned()
}

#[test]
fn a_draft_has_the_metadata_and_the_record() {
    let (folder, server) = (example(), repository(Trouble::None));
    let ran = deposit(&folder, &["record.zip", "--deposit", &place(&server)]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("the draft ab12-cd34, which is not published"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`--doi 10.5072/zenodo.1`"), "{}", ran.stderr);
    // An address that the repository gives is shown only where it is its own.
    assert!(!ran.stderr.contains("phishing") && !ran.stderr.contains(TOKEN), "{}", ran.stderr);
    let requests = server.requests();
    assert_eq!(requests.len(), CALLS.len(), "{requests:?}");
    for (request, call) in requests.iter().zip(CALLS) {
        assert!(request.line.starts_with(call), "{}", request.line);
    }
    let bytes = fs::read(folder.path().join("record.zip")).unwrap();
    assert_eq!(Sha256::digest(&requests[2].content), Sha256::digest(&bytes));
    let sent: Value = serde_json::from_str(&requests[0].body).unwrap();
    assert_eq!(sent["metadata"]["title"], "Evaluation of aurora on The example of qassay (profile qassay/4)");
    assert_eq!(sent["metadata"]["creators"][0]["person_or_org"]["family_name"], "Carberry");
    // Nothing publishes.
    assert!(requests.iter().all(|request| !request.line.contains("actions")));
}

#[test]
fn what_a_repository_refuses_is_told_and_no_draft_is_left() {
    let folder = example();
    for (trouble, calls, said) in [
        (Trouble::RefusesTheToken, 1, "cannot make the draft: status 403: no such token: Bearer ***"),
        (Trouble::RefusesTheMetadata, 1, "metadata.title: Missing data for required field."),
        (Trouble::LosesTheFile, 4, "cannot send the file: status 500"),
        (Trouble::CountsWrong, 5, "cannot commit the file: it has 1 bytes of the file"),
        (Trouble::LeadsAway, 1, "name the address of that server if you trust it"),
        (Trouble::IsNone, 1, "cannot make the draft: the reply is no JSON"),
    ] {
        let server = repository(trouble);
        drop(fs::remove_file(folder.path().join("record.zip")));
        let ran = deposit(&folder, &["record.zip", "--deposit", &place(&server)]);
        assert!(ran.code != Some(0) && ran.stderr.contains(said), "{trouble:?}: {}", ran.stderr);
        assert!(!ran.stderr.contains(TOKEN) && ran.stderr.contains(" to record.zip"), "{}", ran.stderr);
        let requests = server.requests();
        assert_eq!(requests.len(), calls, "{trouble:?}: {requests:?}");
        assert_eq!(requests.last().unwrap().line.starts_with("DELETE"), calls > 3, "{trouble:?}");
        assert!(folder.path().join("record.zip").is_file());
    }
}

#[test]
fn what_cannot_be_deposited_is_told_before_anything_is_written() {
    let folder = example();
    for (words, said) in [
        (["record", "--deposit", "http://127.0.0.1:1"], "a repository gets one file"),
        (["record.zip", "--deposit", "http://example.org"], "the token would travel in the clear"),
        (["record.zip", "--deposit", "zenodo"], "is no address of a repository"),
    ] {
        let ran = deposit(&folder, &words);
        assert!(ran.code == Some(2) && ran.stderr.contains(said), "{}", ran.stderr);
    }
    let mut without = program(folder.path());
    without.args(["publish", "--archive", "kept", "aurora", "record.zip", "--deposit", "https://zenodo.org"]);
    let ran = Ran::of(without.args(WHO));
    assert!(ran.code == Some(2) && ran.stderr.contains("QASSAY_DEPOSIT_TOKEN"), "{}", ran.stderr);
    assert!(!folder.path().join("record.zip").exists() && !folder.path().join("record").exists());
    // Nobody listens.
    let ran = deposit(&folder, &["record.zip", "--deposit", "http://127.0.0.1:1"]);
    assert!(
        ran.code == Some(2) && ran.stderr.contains("Connection refused"),
        "{:?} {}",
        ran.code,
        ran.stderr
    );
}
