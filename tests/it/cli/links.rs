//! Link sets from outside: formats and packings, kinds of links, registered versions, inspection.

use std::fmt::Write as _;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::common::{files_below, qassay};
use tempfile::TempDir;

const SAME_AS: &str = "<http://www.w3.org/2002/07/owl#sameAs>";
const DBR: &str = "http://dbpedia.org/resource/";
const WD: &str = "http://www.wikidata.org/entity/";

/// Three questions of one answer each; the system names the same things by a link, a redirect, a page.
fn dataset(answers: [&str; 3]) -> String {
    let question = |(number, answer): (usize, &str)| {
        format!(
            r#"{{"id": "{number}", "question": [{{"language": "en", "string": "Which one is {number}?"}}],
 "answers": [{{"head": {{"vars": ["x"]}}, "results": {{"bindings": [
  {{"x": {{"type": "uri", "value": "{answer}"}}}}]}}}}]}}"#
        )
    };
    let questions: Vec<String> = (1..).zip(answers).map(question).collect();
    format!(r#"{{"dataset": {{"id": "linked"}}, "questions": [{}]}}"#, questions.join(",\n"))
}

const LINKS: &str = "@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix dbo: <http://dbpedia.org/ontology/> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix schema: <http://schema.org/> .
@prefix dbr: <http://dbpedia.org/resource/> .
@prefix wd: <http://www.wikidata.org/entity/> .
dbr:Bonn owl:sameAs wd:Q586 .
dbr:UK dbo:wikiPageRedirects dbr:United_Kingdom .
dbr:United_Kingdom owl:sameAs wd:Q145 .
dbr:Mainz foaf:isPrimaryTopicOf <http://en.wikipedia.org/wiki/Mainz> .
<https://en.wikipedia.org/wiki/Mainz> schema:about wd:Q1720 .
";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let dbr = ["Bonn", "UK", "Mainz"].map(|name| format!("{DBR}{name}"));
    let wd = ["Q586", "Q145", "Q1720"].map(|name| format!("{WD}{name}"));
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a file");
    write("gold.json", &dataset(dbr.each_ref().map(String::as_str)));
    write("system.json", &dataset(wd.each_ref().map(String::as_str)));
    write("links.ttl", LINKS);
    folder
}

fn refused<const N: usize>(folder: &Path, arguments: [&str; N]) -> String {
    let ran = qassay(folder, arguments);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    ran.stderr
}

fn bzip2(content: &[u8]) -> Vec<u8> {
    let mut writer = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    writer.write_all(content).expect("content");
    writer.finish().expect("a stream")
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    writer.write_all(content).expect("content");
    writer.finish().expect("a stream")
}

fn zstd(content: &[u8]) -> Vec<u8> {
    zstd::encode_all(content, 1).expect("a stream")
}

fn zip(content: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("links", zip::write::SimpleFileOptions::default()).expect("a file");
    writer.write_all(content).expect("content");
    writer.finish().expect("an archive").into_inner()
}

/// One link in every syntax.
fn syntaxes() -> [(&'static str, String); 7] {
    [
        ("nt", format!("<http://a/1> {SAME_AS} <http://b/1> .\n")),
        ("nq", format!("<http://a/1> {SAME_AS} <http://b/1> <http://g> .\n")),
        (
            "ttl",
            "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n<http://a/1> owl:sameAs <http://b/1> .".into(),
        ),
        ("trig", format!("<http://g> {{ <http://a/1> {SAME_AS} <http://b/1> }}")),
        (
            "rdf",
            "<?xml version=\"1.0\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" \
             xmlns:owl=\"http://www.w3.org/2002/07/owl#\">\n <rdf:Description rdf:about=\"http://a/1\">\n  \
             <owl:sameAs rdf:resource=\"http://b/1\"/>\n </rdf:Description>\n</rdf:RDF>\n"
                .into(),
        ),
        ("tsv", "http://a/1\thttp://b/1\n".into()),
        ("columns.tsv", "one\tother\n<http://a/1>\t<http://b/1>\n".into()),
    ]
}

#[test]
fn every_format_in_every_packing() {
    let folder = folder();
    for (ending, text) in syntaxes() {
        let text = text.into_bytes();
        let packed = [
            ("", text.clone()),
            ("gz", gzip(&text)),
            ("bz2", bzip2(&text)),
            ("zst", zstd(&text)),
            ("zip", zip(&text)),
        ];
        for (packing, bytes) in packed {
            let name = format!("links.{ending}.{packing}");
            fs::write(folder.path().join(&name), bytes).expect("a file");
            let shown = qassay(
                folder.path(),
                ["links", "show", "http://b/1", "http://a/1", "--links", &name, "-f", "json"],
            )
            .json();
            let chain = &shown["chain"][0];
            assert_eq!(
                (&chain["from"], &chain["to"]),
                (&"http://a/1".into(), &"http://b/1".into()),
                "{name}"
            );
            assert_eq!(shown["members"].as_array().map(Vec::len), Some(2), "{name}");
        }
    }
}

#[test]
fn damaged_files_say_where() {
    let folder = folder();
    let good = format!("<http://a/1> {SAME_AS} <http://b/1> .\n");
    let xml = &syntaxes()[4].1;
    let gz = gzip(good.repeat(100).as_bytes());
    let files: [(&str, Vec<u8>); 7] = [
        ("bad.nt", format!("{good}{good}<http://a/1> owl:sameAs <http://b/1> .\n").into_bytes()),
        (
            "bad.ttl",
            b"@prefix owl: <http://www.w3.org/2002/07/owl#> .\n\n<http://a/1> owl:sameAs <http://b 1> ."
                .to_vec(),
        ),
        ("bad.rdf", xml.replace("</rdf:Description>", "</rdf:Other>").into_bytes()),
        ("bad.tsv", b"http://a/1\thttp://b/1\nhttp://a/2\n".to_vec()),
        ("links.hdt", b"$HDT\x01<http://purl.org/HDT/hdt#HDTv1>\0".to_vec()),
        ("cut.nt.gz", gz[..gz.len() - 4].to_vec()),
        ("bad.nt.zst", [zstd(good.as_bytes()), b"rest".to_vec()].concat()),
    ];
    let mut told = String::new();
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("a file");
        let ran = qassay(
            folder.path(),
            ["evaluate", "gold.json", "system.json", "--no-archive", "--issues", "--links", name],
        );
        let issues = ran.stdout.lines().filter(|line| line.contains(name)).collect::<Vec<_>>().join("\n");
        writeln!(told, "{}{issues}", ran.stderr.replace("\nnothing kept (--no-archive)\n", ""))
            .expect("text");
    }
    insta::assert_snapshot!(told, @r"
    error: bad.nt, line 3: the links cannot be read: Parser error at line 3 between columns 14 and 24: The predicate of a triple must be an IRI.

    error: bad.ttl, line 3: the links cannot be read: Parser error at line 3 between columns 25 and 37: Invalid IRI code point ' '.

    error: bad.rdf, line 5: the links cannot be read: ill-formed document: expected `</rdf:Description>`, but `</rdf:Other>` was found.

    error     unreadable-statement  bad.tsv  line 2  the line is no row of two IRIs with a tab between them; it is not used
    error: links.hdt: this is an HDT file, and qassay does not read HDT.
    allowed: N-Triples, N-Quads, Turtle, TriG, RDF/XML or two columns of IRIs
    hint: `hdt2rdf FILE file.nt` of hdt-cpp writes it as N-Triples

    error: cut.nt.gz: the gzip data are damaged after 6700 bytes of content: unexpected end of file.
    hint: fetch the file again, or unpack it with `gzip -dc` to see how far it goes

    error: bad.nt.zst: the zstd data are damaged after 67 bytes of content: Unknown frame descriptor.
    hint: fetch the file again, or unpack it with `zstd -dc` to see how far it goes
    ");
}

fn rules(folder: &Path, archive: &str) -> String {
    let query = "PREFIX qassay: <https://w3id.org/qassay/ns#> SELECT ?gold ?rule { ?m a qassay:Match ; \
                 qassay:goldTerm ?gold ; qassay:matchRule ?rule } ORDER BY ?gold";
    fs::write(folder.join("rules.rq"), query).expect("a query");
    qassay(folder, ["query", "rules.rq", "-f", "csv", "--archive", archive]).ok()
}

#[test]
fn kinds_of_links_are_rules_of_their_own() {
    let folder = folder();
    let folder = folder.path();
    let evaluate = |archive: &str, kinds: &[&str]| {
        let mut arguments = vec![
            "evaluate",
            "gold.json",
            "system.json",
            "--links",
            "links.ttl",
            "--archive",
            archive,
            "-f",
            "json",
        ];
        arguments.extend(kinds);
        qassay(folder, arguments).json()
    };
    let runs = [
        evaluate("none", &[]),
        evaluate("same", &["--link-kind", "same-as"]),
        evaluate("redirect", &["--link-kind", "redirect"]),
        evaluate("both", &["--link-kind", "wikipedia,redirect"]),
    ];
    let iri = |run: &serde_json::Value| run["evaluations"][0]["evaluation"].to_string();
    assert_eq!(iri(&runs[0]), iri(&runs[1]), "owl:sameAs is always followed");
    assert_ne!(iri(&runs[0]), iri(&runs[2]));
    assert_ne!(iri(&runs[2]), iri(&runs[3]));
    insta::assert_snapshot!(rules(folder, "none"), @r"
    gold,rule
    http://dbpedia.org/resource/Bonn,https://w3id.org/qassay/code#match-sameas
    ");
    insta::assert_snapshot!(rules(folder, "redirect"), @r"
    gold,rule
    http://dbpedia.org/resource/Bonn,https://w3id.org/qassay/code#match-sameas
    http://dbpedia.org/resource/UK,https://w3id.org/qassay/code#match-redirect
    ");
    insta::assert_snapshot!(rules(folder, "both"), @r"
    gold,rule
    http://dbpedia.org/resource/Bonn,https://w3id.org/qassay/code#match-sameas
    http://dbpedia.org/resource/Mainz,https://w3id.org/qassay/code#match-wikipedia-page
    http://dbpedia.org/resource/UK,https://w3id.org/qassay/code#match-redirect
    ");
    for archive in ["none", "redirect", "both"] {
        qassay(folder, ["verify", archive]).ok();
    }
    let explained = qassay(folder, ["explain", "system", "3", "--archive", "both"]).ok();
    let both =
        explained.split("both (1)").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap_or_default();
    insta::assert_snapshot!(both, @r"
    http://dbpedia.org/resource/Mainz  ~  http://www.wikidata.org/entity/Q1720
        rule wikipedia-page
        <http://dbpedia.org/resource/Mainz> foaf:isPrimaryTopicOf <http://en.wikipedia.org/wiki/Mainz>  in https://w3id.org/qassay/links/fdeac888a6e7916d1508ca54324b93b8
        <https://en.wikipedia.org/wiki/Mainz> schema:about <http://www.wikidata.org/entity/Q1720>  in https://w3id.org/qassay/links/fdeac888a6e7916d1508ca54324b93b8
    ");
    let explained = qassay(folder, ["explain", "system", "2", "--archive", "both"]).ok();
    assert!(
        explained.contains("rule redirect") && explained.contains(" dbo:wikiPageRedirects "),
        "{explained}"
    );
    assert!(!qassay(folder, ["explain", "system", "1", "--archive", "both"]).ok().contains("wikiPage"));
    let wrong =
        refused(folder, ["evaluate", "gold.json", "system.json", "--link-kind", "redirect", "--no-archive"]);
    assert!(wrong.contains("--links, with --profile qassay"), "{wrong}");
}

#[test]
fn versions_are_registered_and_never_change() {
    let folder = folder();
    let folder = folder.path();
    fs::write(folder.join("more.tsv"), format!("{DBR}Mainz\t{WD}Q1720\n")).expect("a file");
    let missing = refused(folder, ["links", "show", "http://a"]);
    assert!(missing.contains("there is no qassay archive here"), "{missing}");
    let add = [
        "links",
        "add",
        "DBpedia links",
        "--version",
        "2016-10",
        "links.ttl",
        "more.tsv",
        "--source",
        "https://downloads.dbpedia.org/2016-10/links/",
    ];
    let ran = qassay(folder, add);
    insta::assert_snapshot!(ran.stderr.clone() + &ran.stdout, @r"
    DBpedia links@2016-10: 6 links in 2 files
    https://w3id.org/qassay/linkset/dbpedia-links/2016-10
    ");
    let before = files_below(&folder.join("qassay-archive"));
    assert!(qassay(folder, add).stderr.contains("registered already"));
    assert_eq!(before, files_below(&folder.join("qassay-archive")));
    let other = refused(folder, ["links", "add", "DBpedia links", "--version", "2016-10", "more.tsv"]);
    assert!(other.contains("is registered with other files") && other.contains("never changes"), "{other}");
    let other =
        refused(folder, ["links", "add", "dbpedia-LINKS", "--version", "2016-10", "links.ttl", "more.tsv"]);
    assert!(other.contains("written otherwise"), "{other}");
    insta::assert_snapshot!(qassay(folder, ["links", "list"]).ok(), @r"
    Link sets

    name           version  links  files  source
    DBpedia links  2016-10      6      2  https://downloads.dbpedia.org/2016-10/links/
    ");
    qassay(folder, ["evaluate", "gold.json", "system.json", "--links", "dbpedia-links"]).ok();
    fs::write(folder.join("version.rq"), "PREFIX qassay: <https://w3id.org/qassay/ns#> PREFIX dct: <http://purl.org/dc/terms/>
        PREFIX dcat: <http://www.w3.org/ns/dcat#> SELECT DISTINCT ?name ?version ?source {
        ?evaluation qassay:linkset ?file . ?set dct:hasPart ?file ; a qassay:LinksetVersion ; dct:title ?name ; dcat:version ?version ;
        <http://www.w3.org/ns/prov#hadPrimarySource> ?source }").expect("a query");
    insta::assert_snapshot!(qassay(folder, ["query", "version.rq", "-f", "csv"]).ok(), @r"
    name,version,source
    DBpedia links,2016-10,https://downloads.dbpedia.org/2016-10/links/
    ");
    qassay(folder, ["verify"]).ok();
    qassay(folder, ["links", "add", "DBpedia links", "--version", "2022", "more.tsv"]).ok();
    let which = refused(folder, ["evaluate", "gold.json", "system.json", "--links", "dbpedia-links"]);
    assert!(
        which.contains("has 2 versions") && which.contains("DBpedia links@2016-10, DBpedia links@2022"),
        "{which}"
    );
    qassay(folder, ["evaluate", "gold.json", "system.json", "--links", "dbpedia-links@2022"]).ok();
    let none = refused(folder, ["evaluate", "gold.json", "system.json", "--links", "dbpedia-links@1999"]);
    assert!(none.contains("has no such version"), "{none}");
}

#[test]
fn clusters_are_shown_and_checked() {
    let folder = folder();
    let folder = folder.path();
    let mut wrong = LINKS.to_owned() + "dbr:Bonn owl:sameAs wd:Q1 , <https://www.wikidata.org/wiki/Q586> .\n";
    for number in 0..12 {
        writeln!(wrong, "<http://hub> owl:sameAs <http://spoke/{number}/x> .").expect("text");
    }
    fs::write(folder.join("wrong.ttl"), wrong).expect("a file");
    let show = |other: &str| {
        let ran = qassay(
            folder,
            ["links", "show", "http://dbpedia.org/resource/Bonn", other, "--links", "wrong.ttl"],
        );
        ran.stdout + &ran.stderr
    };
    insta::assert_snapshot!(show("http://www.wikidata.org/entity/Q586"), @r"
    cluster of http://dbpedia.org/resource/Bonn: 4 members

    member                               namespace                        files
    http://dbpedia.org/resource/Bonn     http://dbpedia.org/resource/     wrong.ttl
    http://www.wikidata.org/entity/Q1    http://www.wikidata.org/entity/  wrong.ttl
    http://www.wikidata.org/entity/Q586  http://www.wikidata.org/entity/  wrong.ttl
    https://www.wikidata.org/wiki/Q586   http://www.wikidata.org/entity/  wrong.ttl

    <http://dbpedia.org/resource/Bonn> owl:sameAs <http://www.wikidata.org/entity/Q586>  in wrong.ttl
    ");
    insta::assert_snapshot!(show("http://www.wikidata.org/entity/Q2"), @"error: no chain of links connects <http://dbpedia.org/resource/Bonn> and <http://www.wikidata.org/entity/Q2>.");
    let none = refused(folder, ["links", "show", "http://none", "--links", "wrong.ttl"]);
    assert!(none.contains("no link has <http://none>"), "{none}");
    insta::assert_snapshot!(qassay(folder, ["links", "check", "wrong.ttl", "--most", "10"]).ok(), @r"
    3 clusters, 18 resources: 2 suspicious (more than 10 resources, or several of one namespace)

    first member                      resources  too large  several of one namespace
    http://hub                               13  yes
    http://dbpedia.org/resource/Bonn          3  no         2 of http://www.wikidata.org/entity/

    2: <http://dbpedia.org/resource/Bonn> owl:sameAs <http://www.wikidata.org/entity/Q1>  in wrong.ttl
    2: <http://dbpedia.org/resource/Bonn> owl:sameAs <http://www.wikidata.org/entity/Q586>  in wrong.ttl
    ");
    assert_eq!(qassay(folder, ["links", "check", "wrong.ttl", "--strict"]).code, Some(1));
    assert_eq!(qassay(folder, ["links", "check", "links.ttl", "--strict"]).code, Some(0));
    let json = qassay(folder, ["links", "check", "wrong.ttl", "-f", "json", "--limit", "0"]).json();
    assert_eq!((json["suspicious"].as_u64(), json["shown"].as_array().map(Vec::len)), (Some(1), Some(0)));
    let issues = qassay(
        folder,
        ["evaluate", "gold.json", "system.json", "--no-archive", "--issues", "--links", "wrong.ttl"],
    )
    .ok();
    let lines: Vec<&str> = issues.lines().filter(|line| line.contains("wrong.ttl")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    warning   two-of-one-kb  wrong.ttl         the links make <http://www.wikidata.org/entity/Q1> and <http://www.wikidata.org/entity/Q586> one, and http://www.wikidata.org/entity/ keeps them apart: <http://dbpedia.org/resource/Bonn> = <http://www.wikidata.org/entity/Q1>, <http://dbpedia.org/resource/Bonn> = <http://www.wikidata.org/entity/Q586>
    note      not-a-link     wrong.ttl         3 statements are no `<a> owl:sameAs <b>` and are not used
    ");
}

/// More links than are published as a graph: the record says that the file is what there is.
#[test]
fn large_link_sets_are_files_only() {
    let folder = folder();
    let folder = folder.path();
    let mut text = String::from("# many\n");
    for number in 0..500_000 {
        writeln!(text, "<http://a/{number}> {SAME_AS} <http://b/{number}> .").expect("text");
    }
    writeln!(text, "<{DBR}Bonn> {SAME_AS} <{WD}Q586> .").expect("text");
    fs::write(folder.join("many.nt.gz"), gzip(text.as_bytes())).expect("a file");
    qassay(folder, ["evaluate", "gold.json", "system.json", "--links", "many.nt.gz"]).ok();
    qassay(folder, ["verify"]).ok();
    let explained = qassay(folder, ["explain", "system", "1"]).ok();
    assert!(
        explained
            .contains("<http://dbpedia.org/resource/Bonn> owl:sameAs <http://www.wikidata.org/entity/Q586>"),
        "{explained}"
    );
    let asked = "PREFIX qassay: <https://w3id.org/qassay/ns#> SELECT ?links { ?set qassay:onlyAsFile true ; <http://rdfs.org/ns/void#triples> ?links }";
    fs::write(folder.join("large.rq"), asked).expect("a query");
    let ran = qassay(folder, ["query", "large.rq", "--with-links", "-f", "csv"]);
    assert_eq!(ran.stdout.trim().lines().last(), Some("500001"));
    assert!(ran.stderr.contains("1 link set kept as a file only"), "{}", ran.stderr);
}

#[test]
fn a_killed_add_leaves_nothing_half_visible() {
    let folder = folder();
    let folder = folder.path();
    let mut text = String::new();
    for number in 0..20_000 {
        writeln!(text, "<http://a/{number}> {SAME_AS} <http://b/{number}> .").expect("text");
    }
    fs::write(folder.join("many.nt"), text).expect("a file");
    let mut killed = 0;
    for step in 0..40 {
        let mut run = Command::new(assert_cmd::cargo::cargo_bin!("qassay"))
            .current_dir(folder)
            .args(["links", "add", "many", "--version", "1", "many.nt", "links.ttl"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        std::thread::sleep(Duration::from_millis(step * 12 % 400));
        run.kill().expect("a process to kill");
        killed += u64::from(!run.wait().expect("its end").success());
        if folder.join("qassay-archive/records/linkset").is_dir() {
            qassay(folder, ["verify", "--no-reexecution"]).ok();
            let listed = qassay(folder, ["links", "list", "-f", "json"]).json();
            let sets = listed["linkSets"].as_array().cloned().unwrap_or_default();
            assert!(
                sets.iter()
                    .all(|set| set["files"].as_array().map(Vec::len) == Some(2) && set["links"] == 20_005),
                "{listed}"
            );
        }
    }
    assert!(killed > 0, "no run was killed");
    qassay(folder, ["links", "add", "many", "--version", "1", "many.nt", "links.ttl"]).ok();
    assert!(qassay(folder, ["links", "show", "http://a/7", "http://b/7"]).ok().contains("owl:sameAs"));
}

#[test]
fn registered_links_are_called_by_their_names() {
    let folder = folder();
    let folder = folder.path();
    let bonn = "http://dbpedia.org/resource/Bonn";
    fs::write(folder.join("one.tsv"), format!("{bonn}\t{WD}Q586\n")).expect("a file");
    fs::write(folder.join("two.tsv"), format!("{bonn}\t{WD}Q1\n")).expect("a file");
    fs::write(folder.join("more.tsv"), format!("{bonn}\t{WD}Q2\n")).expect("a file");
    qassay(folder, ["links", "add", "One", "--version", "1", "one.tsv"]).ok();
    qassay(folder, ["links", "add", "Two", "--version", "2.0", "two.tsv", "more.tsv"]).ok();
    let shown = qassay(folder, ["links", "show", bonn, &format!("{WD}Q586"), "--links", "one"]).ok();
    assert!(shown.contains("/Q586>  in One@1\n"), "{shown}");
    // a version of several files says which one
    let shown = qassay(folder, ["links", "show", bonn, &format!("{WD}Q1")]).ok();
    assert!(shown.contains("/Q1>  in Two@2.0 (c65e00a2)\n"), "{shown}");
    assert!(shown.contains("One@1, Two@2.0 (c65e00a2), Two@2.0 (f92205c7)\n"), "{shown}");
    let checked = qassay(folder, ["links", "check"]).ok();
    assert!(
        checked.contains("1 suspicious") && checked.contains("/Q2>  in Two@2.0 (f92205c7)\n"),
        "{checked}"
    );
    // a file that somebody names is called as it is
    let shown = qassay(folder, ["links", "show", bonn, "--links", "one.tsv"]).ok();
    assert!(shown.contains("one.tsv") && !shown.contains("One@1"), "{shown}");
}

#[test]
fn unknown_words_say_what_to_try() {
    let folder = folder();
    let folder = folder.path();
    let unknown = refused(folder, ["evaluate", "gold.json", "system.json", "--links", "exx", "--no-archive"]);
    assert!(unknown.contains("exx: no such file") && unknown.contains("`qassay links list`"), "{unknown}");
    let path =
        refused(folder, ["evaluate", "gold.json", "system.json", "--links", "exx.ttl", "--no-archive"]);
    assert!(path.contains("exx.ttl") && !path.contains("links list"), "{path}");
    fs::write(folder.join("links.tsv"), format!("{DBR}Mainz\t{WD}Q1720\n")).expect("a file");
    for wrong in ["links.tsv", "links.ttl"] {
        let wrong =
            refused(folder, ["evaluate", "gold.json", "system.json", "--labels", wrong, "--no-archive"]);
        assert!(wrong.contains("N-Triples") && !wrong.contains("columns"), "{wrong}");
    }
}
