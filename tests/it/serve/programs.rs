//! The interface for programs beside the pages: the same things are listed, counted and called the same.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use super::reading::key;
use super::served::{SentForm, Served};
use crate::common::evaluation;
use crate::publish::record::{WHO, evaluate, example, publish};

/// The example with a copy of answers under another name, and with a dataset that the catalogue does not know; all published.
fn published() -> TempDir {
    let folder = example();
    let own = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    fs::write(folder.path().join("own.json"), own("gold.json").replace("qassay-example", "my-own")).unwrap();
    evaluate(&folder, &["gold.json", "borealis.json", "--system", "Other name"]).ok();
    evaluate(&folder, &["own.json", "aurora.json"]).ok();
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    folder
}

#[test]
fn lists_for_programs_are_those_of_the_pages() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let api = |query: &str| served.get(&format!("api/v1/{query}"), &[]);
    let page = |path: &str| served.get(path, &[("accept", "text/html")]).text();
    // An evaluation is one thing, whatever its bytes are called.
    let evaluations = api("evaluations").json();
    assert!(page("results").contains("3 of 3 evaluations"));
    assert_eq!((&evaluations["count"], &evaluations["next"]), (&json!(3), &Value::Null), "{evaluations}");
    let all = evaluations["evaluations"].as_array().unwrap().clone();
    let two: Vec<&Value> = all.iter().filter(|one| one["systems"].as_array().unwrap().len() > 1).collect();
    assert_eq!(two.len(), 1, "{evaluations}");
    assert_eq!(two[0]["systems"], json!(["borealis", "Other name"]));
    for name in ["Borealis", "other+name"] {
        assert_eq!(api(&format!("evaluations?system={name}")).json()["evaluations"][0]["key"], two[0]["key"]);
    }
    assert_eq!(api("evaluations?q=AURORA+my-own").json()["count"], 1);
    // Datasets of strangers are datasets.
    let datasets = api("datasets").json();
    assert!(page("datasets").contains("2 of 2 datasets."));
    let names: Vec<&Value> =
        datasets["datasets"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!((&datasets["count"], names), (&json!(2), vec![&json!("my-own"), &json!("qassay-example")]));
    let own = &datasets["datasets"][0];
    assert_eq!(own["iri"], "https://w3id.org/qassay/dataset/my-own");
    assert_eq!((&own["questions"], &own["evaluations"]), (&json!(16), &json!(1)), "{own}");
    assert_eq!(api("datasets?q=my-own").json()["count"], 1);
    // Systems, by the words of the page.
    let systems = api("systems").json();
    assert_eq!((&systems["count"], &systems["next"]), (&json!(3), &Value::Null), "{systems}");
    let found = api("systems?q=AUR").json();
    assert!(page("systems?q=AUR").contains("1 of 3 rows."));
    let one = json!({ "name": "aurora", "iri": "https://w3id.org/qassay/system/aurora", "evaluations": 2 });
    assert_eq!(found["systems"], json!([one]));
    for list in ["evaluations", "datasets", "systems"] {
        for (query, said) in
            [("zzz=1", "expected one of"), ("page=2", "there is no page `2`"), ("after=x", "invalid digit")]
        {
            let refused = api(&format!("{list}?{query}"));
            assert!(refused.status == 400 && refused.text().contains(said), "{list}: {}", refused.text());
        }
        assert_eq!(api(&format!("{list}?page=1")).status, 200);
        assert_eq!(api(&format!("{list}?q=zzz")).json()["count"], 0);
    }
}

#[test]
fn a_field_that_check_does_not_have_is_told_by_its_name() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &[]);
    let file = fs::read(folder.path().join("aurora.json")).unwrap();
    let form = SentForm::default().file("file", "answers.json", &file);
    let form = form.field("zzz", "1").field("loader", "yyy").file("gold", "gold.json", &file);
    let refused = served.send("api/v1/check", &[], &form);
    let fields: Vec<Value> = refused.json()["problems"].as_array().unwrap().clone();
    let names: Vec<&Value> = fields.iter().map(|one| &one["field"]).collect();
    assert_eq!((refused.status, names), (422, vec![&json!("zzz"), &json!("gold"), &json!("loader")]));
    assert_eq!(fields[0]["allowed"], "against, encoding, loader");
}

#[test]
fn problems_tell_each_fact_in_a_field_of_its_own() {
    let folder = example();
    publish(&folder, &[&["--site", "web", "aurora"], &WHO[..]].concat()).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    let wrong = served.query("SELECT ?s {\n ?s qassay:f1 }", "application/json");
    let told = wrong.json();
    assert_eq!((wrong.status, &told["title"], &told["code"]), (400, &json!("Bad Request"), &json!("input")));
    assert_eq!(
        [&told["file"], &told["line"], &told["column"], &told["path"]],
        [&json!("the query"), &json!(2), &json!(15), &Value::Null],
        "{told}"
    );
    assert!(told["allowed"].as_str().unwrap().contains("a variable"), "{told}");
    assert!(told["detail"].as_str().unwrap().contains("`}` is not expected"), "{told}");
    let told = served.query("INSERT DATA { <u:a> <u:b> <u:c> }", "application/json").json();
    assert_eq!(told["allowed"], "SELECT, ASK, CONSTRUCT, DESCRIBE", "{told}");
    assert!(told["hint"].is_string(), "{told}");
    let told = served.get("sparql?canned=zzz", &[]).json();
    assert!(told["allowed"].as_str().unwrap().contains("leaderboard"), "{told}");
}

#[test]
fn groups_that_nobody_kept_are_computed_when_somebody_asks() {
    let folder = example();
    publish(&folder, &[&["--site", "web", "aurora"], &WHO[..]].concat()).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    let path = format!("api/v1/evaluations/{}", key(&folder, "aurora"));
    let heard = served.get(&path, &[]);
    let told = heard.json()["evaluations"][0]["experiments"].clone();
    let by_hand = evaluation(&folder.path().join("gold.json"), &folder.path().join("aurora.json"), "qassay");
    let by_hand = by_hand["experiments"].as_object().unwrap();
    assert_eq!(told.as_object().unwrap().len(), by_hand.len());
    for (name, one) in by_hand {
        assert!(!one["groups"].as_object().unwrap().is_empty());
        assert_eq!(told[name]["groups"], one["groups"], "{name}");
    }
    let tag = heard.header("etag");
    assert_eq!(served.get(&path, &[("if-none-match", &tag)]).status, 304);
}

#[test]
fn all_that_is_wrong_with_a_system_that_strangers_name_is_told() {
    let folder = example();
    let served = Served::of(folder.path(), "kept", &["--ask-public"]);
    let gold = fs::read(folder.path().join("gold.json")).unwrap();
    let form = SentForm::default().file("gold", "gold.json", &gold).field("protocol", "zzz");
    let form = form.field("endpoint", "http://93.184.216.34:22/").field("ask", "yyy");
    let refused = served.send("api/v1/runs", &[], &form);
    let told = refused.json()["problems"].as_array().unwrap().clone();
    let mut fields: Vec<&str> = told.iter().map(|one| one["field"].as_str().unwrap()).collect();
    fields.sort_unstable();
    assert_eq!((refused.status, fields), (422, vec!["ask", "endpoint", "protocol"]), "{told:?}");
    let port = told.iter().find(|one| one["field"] == "endpoint").unwrap();
    assert_eq!(port["allowed"], "80, 443 and ports above 1023", "{port}");
}
