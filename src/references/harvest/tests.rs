use std::sync::Mutex;

use crate::kb::outcome::{Cause, Outcome};
use crate::kb::testing::TestKb;
use crate::references::harvest::*;
use crate::sources::file::source::Source;
use crate::sources::format::read;

fn origin() -> Harvested {
    Harvested { source: "http://a/sparql".to_owned(), time: "2026-11-21T09:00:00Z".to_owned() }
}

/// A knowledge base in memory that answers a few terms at once only, and keeps what it was asked.
struct Small {
    little: TestKb,
    most: usize,
    asked: Mutex<Vec<String>>,
}

impl Small {
    fn new(turtle: &str, most: usize) -> Self {
        let prefixes = "@prefix e: <http://e/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix dbo: <http://dbpedia.org/ontology/> .
            @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .";
        Self { little: TestKb::new(&format!("{prefixes}{turtle}")), most, asked: Mutex::default() }
    }
}

impl Asker for Small {
    fn ask(&self, query: &str) -> Result<Outcome> {
        self.asked.lock().unwrap().push(query.to_owned());
        if query.matches("<http://e/").count() > self.most {
            return Ok(Outcome::failed(Cause::TimedOut, "too many at once"));
        }
        self.little.ask(query)
    }
}

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn text(file: Result<Vec<u8>>) -> String {
    String::from_utf8(file.unwrap()).unwrap()
}

#[test]
fn links_are_found_in_both_directions() {
    let turtle = "e:a owl:sameAs e:b, e:d, \"no\" . e:c owl:sameAs e:a . e:x owl:sameAs e:y . e:a dbo:wikiPageRedirects e:r .";
    let kb = Small::new(turtle, 50);
    let resources = set(&["http://e/a", "http://e/b", "http://e/none", "no iri"]);
    insta::assert_snapshot!(text(links(&kb, &resources, false, &origin())), @r"
    # links: 3 statements about 5 resources or texts
    # from <http://a/sparql>
    # at 2026-11-21T09:00:00Z, by qassay 0.1.0
    # not asked for, because they are no IRIs: 1
    <http://e/a> <http://www.w3.org/2002/07/owl#sameAs> <http://e/b> .
    <http://e/a> <http://www.w3.org/2002/07/owl#sameAs> <http://e/d> .
    <http://e/c> <http://www.w3.org/2002/07/owl#sameAs> <http://e/a> .
    ");
    assert_eq!(kb.asked.lock().unwrap().len(), 4, "what is given, and what it is linked with");
    let with = text(links(&kb, &resources, true, &origin()));
    assert!(
        with.contains("<http://e/a> <http://dbpedia.org/ontology/wikiPageRedirects> <http://e/r> .\n"),
        "{with}"
    );
}

#[test]
fn links_are_followed_to_their_ends() {
    let turtle = "e:a owl:sameAs e:b . e:c owl:sameAs e:b . e:c owl:sameAs e:d . e:x owl:sameAs e:y .
        <http://dbpedia.org/resource/A> owl:sameAs e:a .";
    let kb = Small::new(turtle, 50);
    let resources = set(&["https://dbpedia.org/resource/A"]);
    let found = text(links(&kb, &resources, false, &origin()));
    assert_eq!(found.lines().filter(|line| !line.starts_with('#')).count(), 4, "{found}");
    assert!(
        found.contains("<http://e/c> <http://www.w3.org/2002/07/owl#sameAs> <http://e/d> .\n"),
        "{found}"
    );
}

#[test]
fn a_query_that_is_too_much_is_asked_in_halves() {
    let turtle = (0..7).map(|n| format!("e:r{n} owl:sameAs e:s{n} .")).collect::<Vec<_>>().join("\n");
    let resources: BTreeSet<String> = (0..7).map(|n| format!("http://e/r{n}")).collect();
    let whole = text(links(&Small::new(&turtle, 50), &resources, false, &origin()));
    assert_eq!(whole.lines().count(), 3 + 7);
    assert_eq!(text(links(&Small::new(&turtle, 2), &resources, false, &origin())), whole);
    // One at a time is the least.
    let error = links(&Small::new(&turtle, 0), &resources, false, &origin()).unwrap_err().to_string();
    insta::assert_snapshot!(error, @"queries/kb/links-from.rq, for <http://e/r0>: the knowledge base cannot be harvested: too many at once.");
}

#[test]
fn labels_of_resources_and_resources_with_labels() {
    let turtle = r#"e:obama rdfs:label "Barack Obama"@en, "Barack Obama"@de, "奥巴马"@zh ; skos:altLabel "Obama" .
        e:book rdfs:label "Barack Obama"@en . e:other rdfs:label "Barack Obama"@fr, "Barack" ; skos:prefLabel "Barack Obama" .
        e:berlin rdfs:label "Berlin"@en, "Berlin, UK"@en-gb, "Berlyn"@enm, "Berlino"@it, "Berlin \"1\"" ."#;
    let needs = Needs {
        texts: set(&["Barack Obama", "Obama", "say \"no\"\\\n"]),
        called: set(&["http://e/berlin"]),
        languages: set(&["en"]),
        ..Needs::default()
    };
    insta::assert_snapshot!(text(labels(&Small::new(turtle, 50), &needs, &origin())), @r#"
    # labels: 7 statements about 4 resources or texts
    # from <http://a/sparql>
    # at 2026-11-21T09:00:00Z, by qassay 0.1.0
    <http://e/berlin> <http://www.w3.org/2000/01/rdf-schema#label> "Berlin \"1\"" .
    <http://e/berlin> <http://www.w3.org/2000/01/rdf-schema#label> "Berlin"@en .
    <http://e/berlin> <http://www.w3.org/2000/01/rdf-schema#label> "Berlin, UK"@en-gb .
    <http://e/book> <http://www.w3.org/2000/01/rdf-schema#label> "Barack Obama"@en .
    <http://e/obama> <http://www.w3.org/2000/01/rdf-schema#label> "Barack Obama"@en .
    <http://e/obama> <http://www.w3.org/2004/02/skos/core#altLabel> "Obama" .
    <http://e/other> <http://www.w3.org/2004/02/skos/core#prefLabel> "Barack Obama" .
    "#);
}

#[test]
fn types_and_the_classes_above_them() {
    let turtle = "e:a a e:City, e:Place . e:City rdfs:subClassOf e:Settlement . e:Settlement rdfs:subClassOf e:Place, [] . e:Place rdfs:subClassOf e:City .";
    let kb = Small::new(turtle, 50);
    let found = text(types(&kb, &set(&["http://e/a"]), &origin()));
    assert_eq!(found.lines().filter(|line| !line.starts_with('#')).count(), 2, "{found}");
    let found = text(classes(&kb, &set(&["http://e/City"]), &origin()));
    assert_eq!(found.lines().filter(|line| !line.starts_with('#')).count(), 3, "{found}");
    let found = text(types(&kb, &set(&[]), &origin()));
    assert!(found.starts_with("# types: 0 statements about 0 resources or texts\n"), "{found}");
}

#[test]
fn an_evaluation_needs_what_its_answers_name() {
    let document = |questions: &str| {
        let source =
            Source::from_bytes("x.json", format!("{{\"questions\": [{questions}]}}").into_bytes()).unwrap();
        read(&source).unwrap().0
    };
    let question = |id: &str, kind: &str, value: &str| {
        format!(
            r#"{{"id": "{id}", "question": [{{"language": "EN", "string": "?"}}], "answers": [{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [{{"x": {{"type": "{kind}", "value": "{value}"}}}}]}}}}]}}"#
        )
    };
    let gold = [
        question("1", "uri", "http://e/obama"),
        question("2", "literal", "Berlin"),
        question("3", "literal", "12"),
    ];
    let system = [
        question("1", "literal", "Barack Obama"),
        question("2", "uri", "http://e/b"),
        question("3", "uri", "http://e/c"),
    ];
    let (gold, system) = (document(&gold.join(",")), document(&system.join(",")));
    let needs = Needs::of(&gold, &[(&system, &[Some(0), Some(1), Some(2)])]);
    assert_eq!(needs.resources, set(&["http://e/b", "http://e/c", "http://e/obama"]));
    assert_eq!(needs.texts, set(&["Barack Obama", "Berlin"]));
    assert_eq!(needs.called, set(&["http://e/b", "http://e/obama"]));
    assert_eq!(needs.languages, set(&["en"]));
    // Who answers which question is said by the alignment: here nothing is compared with anything.
    let none = Needs::of(&gold, &[(&system, &[None, None, None])]);
    assert!(none.texts.is_empty() && none.called.is_empty(), "{none:?}");
    assert_eq!(none.resources, needs.resources);
    assert_eq!(none.clone().and(needs.clone()), needs);
}

fn head_of(text: &str) -> Option<Harvested> {
    head(&Source::from_bytes("x.nt", text.as_bytes().to_vec()).unwrap())
}

#[test]
fn only_a_harvested_file_has_a_head() {
    let good = "# labels: 1 statements about 2 resources or texts\n# from <http://a/sparql?x=1>\n# at 2026-11-21T09:00:00.25Z, by qassay 0.1.0\n<http://a> <http://b> <http://c> .\n";
    let told = head_of(good).unwrap();
    assert_eq!(
        (told.source.as_str(), told.time.as_str()),
        ("http://a/sparql?x=1", "2026-11-21T09:00:00.25Z")
    );
    for other in [
        String::new(),
        "<http://a> <http://b> <http://c> .\n".to_owned(),
        good.replace("http://a/sparql?x=1", "no address"),
        good.replace("2026-11-21T", "yesterday "),
        good.replace(", by qassay", ""),
        format!("\n{good}"),
    ] {
        assert_eq!(head_of(&other), None, "{other}");
    }
}
