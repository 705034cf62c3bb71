//! Runs: under which names bytes become public that were public before, and what is said of who made them.

use serde_json::{Value, json};
use tempfile::TempDir;

use super::running::{CREATOR, begin, bytes, done, form, path, until};
use super::served::{SentForm, Served};
use crate::asking::mocked::Mock;
use crate::common::qassay;
use crate::publish::record::{WHO, evaluate, example, publish as publish_here};

/// What the interface tells of an evaluation of a run.
fn first(status: &Value) -> &Value {
    &status["evaluations"][0]
}

/// Publishes what the operator has.
fn everything(folder: &TempDir, words: &[&str]) {
    publish_here(folder, &[words, &WHO[..]].concat()).ok();
}

/// Publishes a run, by what it said when it was begun and these fields.
fn publish(served: &Served, run: &str, fields: &[(&str, &str)]) -> Value {
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let urlencoded = ("content-type", "application/x-www-form-urlencoded");
    let wanted = served.ask("POST", &format!("{run}/publish"), &[urlencoded], &body);
    assert_eq!(wanted.status, 202, "{}", wanted.text());
    until(served, run, |status| !["private", "wanted"].contains(&status["publication"].as_str().unwrap()))
}

/// The same bytes by somebody else, with another profile: what he publishes has his name, and takes nothing from the first one.
#[test]
fn each_evaluation_has_the_name_that_it_was_published_with() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let (mine, _) = begin(&served, &form("Own Two"));
    let key = first(&done(&served, &mine))["key"].as_str().unwrap().to_owned();
    assert_eq!(publish(&served, &mine, &[("creator", CREATOR)])["publication"], "published");
    let other = form("Own Three").field("profile", "gerbil").field("creator", CREATOR);
    let (theirs, _) = begin(&served, &other);
    let other = first(&done(&served, &theirs))["key"].as_str().unwrap().to_owned();
    assert_eq!(publish(&served, &theirs, &[])["publication"], "published");
    for (key, system) in [(&key, "Own Two"), (&other, "Own Three")] {
        let page = served.until(&format!("evaluation/{key}.html"), |heard| heard.status == 200).text();
        let heading = page.split("<h1").nth(1).unwrap().split("</h1>").next().unwrap().to_owned();
        assert!(heading.contains(system), "{heading}");
        let cited = served.get(&format!("evaluation/{key}/file/CITATION.cff"), &[]).text();
        assert!(cited.contains(&format!("Evaluation of {system} on")), "{cited}");
        let told = served.get(&format!("api/v1/evaluations/{key}"), &[]).json();
        assert_eq!(told["evaluations"][0]["system"], system);
        let listed =
            served.get(&format!("api/v1/evaluations?system={}", system.replace(' ', "+")), &[]).json();
        assert_eq!(
            (&listed["count"], &listed["evaluations"][0]["key"]),
            (&json!(1), &json!(key)),
            "{listed}"
        );
    }
    let matrix = served.get("results?profile=gerbil", &[]).text();
    assert!(matrix.contains("<bdi>Own Three</bdi>") && !matrix.contains("<bdi>Own Two</bdi>"), "{matrix}");
    // The page of the bytes has both.
    let told = served.get(&format!("api/v1/evaluations/{key}"), &[]).json();
    let submission = told["evaluations"][0]["submission"]["iri"].as_str().map(str::to_owned);
    let submission =
        submission.unwrap_or_else(|| told["evaluations"][0]["submission"].as_str().unwrap().to_owned());
    let page = submission.rsplit("/submission/").next().unwrap();
    let page = served.get(&format!("submission/{page}.html"), &[]).text();
    assert!(page.contains("the same bytes under several names: <bdi>Own Three, Own Two</bdi>"), "{page}");
    let verified = qassay(folder.path(), ["verify", "--archive", "kept"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

#[test]
fn who_sends_what_is_public_hears_so_before_he_publishes() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let (mine, begun) = begin(&served, &form("Mine"));
    let status = done(&served, &mine);
    assert_eq!(first(&status)["known"], json!(false), "{status}");
    publish(&served, &mine, &[("creator", CREATOR)]);
    assert_eq!(first(&done(&served, &mine))["known"], json!(false), "it is published by this run");
    let (again, begun_again) = begin(&served, &form("Somebody else"));
    let status = done(&served, &again);
    assert_eq!((&first(&status)["known"], &status["publication"]), (&json!(true), &json!("private")));
    let page = |begun: &Value| served.get(&path(&served, &begun["manage"]), &[]).text();
    assert!(page(&begun_again).contains("public before</a>"), "{}", page(&begun_again));
    assert!(!page(&begun).contains("public before"), "{}", page(&begun));
}

#[test]
fn what_is_said_of_a_publication_is_looked_at_and_kept() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let long = "x".repeat(301);
    let wrong = [("licence", "zzz"), ("creator", "Nobody"), ("title", long.as_str())];
    for visibility in ["private", "public"] {
        let sent = wrong.iter().fold(form("Mine"), |form, (name, value)| form.field(name, value));
        let refused = served.send("api/v1/runs", &[], &sent.field("visibility", visibility));
        assert_eq!(refused.status, 422, "{}", refused.text());
        let told = refused.json();
        let fields: Vec<&str> =
            told["problems"].as_array().unwrap().iter().map(|one| one["field"].as_str().unwrap()).collect();
        assert_eq!(fields, ["creator", "licence", "title"], "{told}");
    }
    let said = form("Mine").field("licence", "MIT").field("title", "Our <runs> of autumn");
    let (run, begun) = begin(&served, &said);
    done(&served, &run);
    let page = served.get(&path(&served, &begun["manage"]), &[]).text();
    assert!(page.contains("value=\"Our &#60;runs&#62; of autumn\""), "{page}");
    assert!(page.contains("<option value=\"MIT\" selected"), "{page}");
    let nobody = served.ask(
        "POST",
        &format!("{run}/publish"),
        &[("content-type", "application/x-www-form-urlencoded")],
        "title=%20",
    );
    assert_eq!((nobody.status, &nobody.json()["problems"][0]["field"]), (422, &json!("creator")));
    let status = publish(&served, &run, &[("creator", CREATOR)]);
    assert_eq!(status["publication"], "published", "{status}");
    let key = first(&status)["key"].as_str().unwrap();
    let cited =
        served.until(&format!("evaluation/{key}/file/CITATION.cff"), |heard| heard.status == 200).text();
    assert!(cited.contains("Our <runs> of autumn"), "{cited}");
    let page = served.get(&format!("evaluation/{key}.html"), &[]).text();
    assert!(page.contains("Our &#60;runs&#62; of autumn") && page.contains("MIT"), "{page}");
    let verified = qassay(folder.path(), ["verify", "--archive", "kept"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

#[test]
fn how_many_questions_had_no_reply_stays() {
    let folder = example();
    let answers = folder.path().join("borealis.json").display().to_string();
    let mock = Mock::start(folder.path(), &[&answers, "--errors", "40%"]);
    std::fs::write(folder.path().join("systems.txt"), format!("{} gerbil Mock", mock.address)).unwrap();
    let served = Served::of(folder.path(), "kept", &["--systems", "systems.txt"]);
    let ask = SentForm::default().file("gold", "gold.json", &bytes("gold.json")).field("ask", "Mock");
    let (run, begun) = begin(&served, &ask);
    let status = done(&served, &run);
    let errors = first(&status)["errors"].as_u64().unwrap();
    assert!((1..16).contains(&errors) && first(&status)["last_error"].is_string(), "{status}");
    let page = served.get(&path(&served, &begun["manage"]), &[]).text();
    assert!(page.contains("without a usable reply, the last: "), "{page}");
    // Of files nobody asks.
    let (run, _) = begin(&served, &form("Mine"));
    assert_eq!(first(&done(&served, &run))["errors"], Value::Null);
}

/// Who publishes the bytes of somebody under other options has no part in his numbers, for queries neither.
#[test]
fn a_further_name_is_in_no_ranking_of_queries() {
    let folder = example();
    everything(&folder, &["--site", "web", "--all"]);
    let served = Served::of(folder.path(), "kept", &[]);
    let (run, _) = begin(&served, &form("Usurper").field("profile", "gerbil").field("creator", CREATOR));
    done(&served, &run);
    assert_eq!(publish(&served, &run, &[])["publication"], "published");
    let asked = served.get("sparql?canned=leaderboard&format=csv", &[]).text();
    assert!(asked.lines().count() == 4 && !asked.contains("Usurper"), "{asked}");
    let known =
        served.query("ASK { ?system a schema:SoftwareApplication ; schema:name \"Usurper\" }", "text/csv");
    assert!(known.text().contains("true"), "{}", known.text());
    // Answers that are here are called as they were first; who scores them again may say otherwise.
    let key = {
        let listed = served.get("api/v1/evaluations?system=borealis", &[]).json();
        let key = listed["evaluations"][0]["key"].as_str().unwrap().to_owned();
        let told = served.get(&format!("api/v1/evaluations/{key}"), &[]).json();
        let told = told["evaluations"][0].to_string();
        told.split("/submission/").nth(1).unwrap()[..32].to_owned()
    };
    let gold =
        || SentForm::default().file("gold", "gold.json", &bytes("gold.json")).field("submission", &key);
    for (form, system) in [(gold(), "borealis"), (gold().field("system", "Mine"), "Mine")] {
        let (run, _) = begin(&served, &form);
        assert_eq!(first(&done(&served, &run))["system"], system);
    }
    // What the operator publishes of these bytes later has his name, whatever strangers have called them.
    drop(served);
    evaluate(&folder, &["gold.json", "borealis.json", "--profile", "qald"]).ok();
    everything(&folder, &["--site", "web", "--all"]);
    let served = Served::of(folder.path(), "kept", &[]);
    let listed = served.get("api/v1/evaluations?profile=qald", &[]).json();
    assert_eq!(listed["evaluations"][0]["systems"], json!(["borealis"]), "{listed}");
    let theirs = served.get("api/v1/evaluations?profile=gerbil", &[]).json();
    assert_eq!(theirs["evaluations"][0]["systems"], json!(["Usurper"]), "{theirs}");
    let verified = qassay(folder.path(), ["verify", "--archive", "kept"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

/// What a stranger sends as answers may be something else to the operator: nothing of that becomes public by it, and what is published
/// stays as it was.
#[test]
fn the_same_bytes_as_something_else_change_nothing() {
    let folder = example();
    everything(&folder, &["--site", "web", "--all", "--input-licence", "dataset=CC0-1.0"]);
    let secret = folder.path().join("secret.json");
    let text = String::from_utf8(bytes("gold.json")).unwrap().replace("qassay-example", "secret-test");
    std::fs::write(&secret, &text).unwrap();
    let blind = ["evaluate", "--blind", "secret.json", "aurora.json", "--archive", "kept"];
    qassay(folder.path(), blind).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    for (at, answers) in [&bytes("gold.json"), text.as_bytes()].into_iter().enumerate() {
        let sent = SentForm::default().file("gold", "gold.json", &bytes("gold.json"));
        let sent = sent.file("answers", "answers.json", answers).field("system", &format!("Copy {at}"));
        let (run, _) = begin(&served, &sent.field("creator", CREATOR).field("licence", "CC0-1.0"));
        done(&served, &run);
        assert_eq!(publish(&served, &run, &[])["publication"], "published");
    }
    for path in ["datasets", "search?q=secret-test", "sitemap.xml", "catalog.ttl", "api/v1/datasets"] {
        let told = served.get(path, &[("accept", "text/html, */*;q=0.5")]).text();
        assert!(!told.replace("search?q=secret-test", "").contains("/secret-test"), "{path}: {told}");
    }
    // Copies of the gold file are called so, and are the best of nothing.
    let listed = served.get("api/v1/evaluations?q=copy", &[]).json();
    for one in listed["evaluations"].as_array().unwrap() {
        assert!(one["cautions"].to_string().contains("repeats-gold-answers"), "{one}");
    }
    assert!(!served.get("results?system=Copy+1", &[("accept", "text/html")]).text().contains("<b>★"));
    drop(served);
    let verified = qassay(folder.path(), ["verify", "--archive", "kept"]);
    assert_eq!(verified.code, Some(0), "{}", verified.stdout);
}

/// A field takes what it is for, and is dropped by nobody.
#[test]
fn every_field_counts_or_is_told() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let linked = |name: &str| form("Linked").file(name, "same-as.nt", &bytes("same-as.nt"));
    let value = |form: &SentForm| first(&done(&served, &begin(&served, form).0))["value"].clone();
    let with = value(&linked("links"));
    assert_eq!(with, value(&linked("links-file")));
    assert_ne!(with, value(&form("Linked")));
    for (wrong, field) in [
        (linked("title"), "title"),
        (linked("kb"), "kb"),
        (form("Mine").field("zzz", "1"), "zzz"),
        (form("Mine").field("set", "a=b"), "set"),
        (form("Mine").field("phase", "x"), "phase"),
        (form("Mine").field("labels", "x"), "labels"),
    ] {
        let refused = served.send("api/v1/runs", &[], &wrong);
        assert_eq!((refused.status, &refused.json()["problems"][0]["field"]), (422, &json!(field)));
    }
    let (run, _) = begin(&served, &form("Mine").field("creator", CREATOR));
    done(&served, &run);
    let urlencoded = ("content-type", "application/x-www-form-urlencoded");
    let misspelt = served.ask("POST", &format!("{run}/publish"), &[urlencoded], "license=MIT");
    assert_eq!((misspelt.status, &misspelt.json()["problems"][0]["field"]), (422, &json!("license")));
    // All was said before.
    assert_eq!(served.ask("POST", &format!("{run}/publish"), &[], "").status, 202);
    let status = until(&served, &run, |status| status["publication"] == "published");
    let misspelt = served.ask("POST", &format!("{run}/withdraw"), &[urlencoded], "reson=x");
    assert_eq!(misspelt.status, 422, "{}", misspelt.text());
    // Records have forms that other things have not.
    let page = format!("evaluation/{}", first(&status)["key"].as_str().unwrap());
    for (accept, file) in [
        ("application/vnd.datacite.datacite+json", "metadata/datacite.json"),
        ("application/linkset+json", "linkset.json"),
        ("text/csv", "tables/aggregates.csv"),
    ] {
        let heard = served.until(&page, |heard| heard.status == 200);
        assert_eq!(heard.status, 200);
        let heard = served.get(&page, &[("accept", accept)]);
        assert_eq!(heard.header("location"), format!("{}{page}/file/{file}", served.url), "{accept}");
        assert_eq!(served.get(&format!("{page}/file/{file}"), &[]).status, 200);
    }
    for ending in ["json", "csv"] {
        assert_eq!(served.get(&format!("{page}.{ending}"), &[]).status, 303, "{ending}");
    }
    // Questions that were skipped are in no measure, and not counted as if they were.
    let table = served.get("results?experiment=C2KB", &[("accept", "text/html")]).text();
    assert!(table.contains("n = 15") && !table.contains("n = 16"), "{table}");
}
