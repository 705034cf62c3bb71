//! Reading over HTTP: the pages of the server are those of the folder, in the form that is asked for; what is not published, or
//! withdrawn, is not here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use qassay::base::checksum::hex;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::served::Served;
use crate::common::{files_below, qassay};
use crate::publish::record::{WHO, evaluate, example, publish};

/// The key of the evaluation of a system.
pub(super) fn key(folder: &TempDir, system: &str) -> String {
    let listed = qassay(folder.path(), ["list", "--archive", "kept", "--format", "json"]).json();
    let one = listed.as_array().unwrap().iter().find(|one| one["evaluation"]["system"] == *system).unwrap();
    one["evaluation"]["key"].as_str().unwrap().to_owned()
}

/// The example, with what `aurora` gave published as the folder `web`.
fn published() -> TempDir {
    let folder = example();
    publish(&folder, &[&["--site", "web", "aurora"], &WHO[..]].concat()).ok();
    folder
}

/// The files of a site that say where it is.
const OF_PLACE: [&str; 4] = ["feed.atom", "sitemap.xml", "robots.txt", ".htaccess"];

/// What a server says of itself, too.
const ABOUT: &str = "about.html";

/// Where a server does more than a file can.
const DOORS: [&str; 7] = ["results", "datasets", "search", "compare", "sparql", "check", "new"];

#[test]
fn every_file_of_the_site_has_the_same_bytes_on_the_server() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let root = folder.path().join("web");
    let mut compared = 0;
    for path in files_below(&root) {
        let name = path.to_string_lossy().into_owned();
        let is_of_server = OF_PLACE.contains(&name.as_str())
            || name == ABOUT
            || name.strip_suffix(".html").is_some_and(|door| DOORS.contains(&door));
        if is_of_server || name.starts_with(".qassay") || name == "SHA256SUMS" || name == "index.html" {
            continue;
        }
        let encoded: Vec<String> = name
            .split('/')
            .map(|part| {
                percent_encoding::utf8_percent_encode(part, percent_encoding::NON_ALPHANUMERIC).to_string()
            })
            .collect();
        let heard = served.get(&encoded.join("/"), &[]);
        assert_eq!(heard.status, 200, "{name}: {}", String::from_utf8_lossy(&heard.bytes));
        assert!(heard.bytes == fs::read(root.join(&path)).unwrap(), "{name} has other bytes");
        compared += 1;
    }
    assert!(compared > 1_000, "{compared}");
    assert_eq!(served.get("", &[]).bytes, fs::read(root.join("index.html")).unwrap());
}

#[test]
fn links_lead_to_what_a_server_does() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let home = served.get("", &[]).text();
    for door in DOORS {
        let name = format!("{door}.html");
        let page = served.get(&name, &[("accept", "text/html")]).text();
        assert!(!page.contains("These pages are files"), "{name}");
        assert!(page.contains(&format!("action=\"{door}")), "{name}");
    }
    for door in ["results", "sparql", "check", "new", "compare"] {
        assert!(home.contains(&format!("href=\"{door}.html\"")), "{door}");
    }
}

#[test]
fn a_page_says_what_the_archive_is_and_what_the_server_does() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &["--runs", "3"]);
    let file = fs::read_to_string(folder.path().join("web").join(ABOUT)).unwrap();
    let page = served.get(ABOUT, &[]).text();
    assert_eq!(page, served.get("about", &[("accept", "text/html")]).text());
    assert_eq!(served.get("about", &[("accept", "text/turtle")]).status, 406);
    assert_eq!(served.ask("POST", "about", &[], "").status, 405);
    for said in [
        env!("CARGO_PKG_VERSION"),
        "Example Laboratory",
        "licenses/by/4.0",
        "publicdomain/zero/1.0",
        "CITATION.cff",
        "feed.atom",
    ] {
        assert!(page.contains(said) && file.contains(said), "{said}: {page}");
    }
    for said in [
        "90 days",
        "32 MiB",
        "anyone begins runs; 3 at a time",
        "100000 rows",
        "api/v1/openapi.json",
        "href=\"http",
    ] {
        assert!(page.contains(said), "{said}: {page}");
    }
    assert!(!file.contains("90 days"), "{file}");
    assert!(served.get("", &[]).text().contains("<a href=\"about.html\">About</a>"));
    // What the endpoint has, by each of its names.
    for (path, media_type) in [
        ("void", "text/turtle"),
        ("void.ttl", "text/turtle"),
        ("void.nt", "application/n-triples"),
        ("sd.jsonld", "application/ld+json"),
    ] {
        let heard = served.get(path, &[("accept", "*/*")]);
        assert!(heard.status == 200 && heard.header("content-type").starts_with(media_type), "{path}");
        assert!(heard.text().contains("sparql-service-description#namedGraph"), "{path}: {}", heard.text());
    }
    assert_eq!(served.get("void.zzz", &[]).status, 404);
    let known = served.get(".well-known/void", &[]);
    assert_eq!((known.status, known.header("location")), (303, format!("{}void", served.url)));
}

#[test]
fn of_a_day_the_feed_has_first_what_was_computed_last() {
    let folder = example();
    for profile in ["gerbil", "qald"] {
        evaluate(&folder, &["gold.json", "aurora.json", "--profile", profile]).ok();
    }
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    let feed = Served::of(folder.path(), "kept", &[]).get("feed.atom", &[]).text();
    let again = Served::of(folder.path(), "kept", &["--accept", "nobody"]).get("feed.atom", &[]).text();
    assert_eq!(feed.split("<entry>").count(), again.split("<entry>").count());
    let entries: Vec<&str> = feed.split("<entry>").skip(1).collect();
    let at =
        |profile: &str| entries.iter().position(|one| one.contains(&format!("profile {profile}/"))).unwrap();
    assert_eq!((entries.len(), at("qald"), at("gerbil")), (4, 0, 1), "{feed}");
}

#[test]
fn evaluations_are_compared_when_somebody_asks() {
    let folder = example();
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    let page = |query: &str| served.get(&format!("compare{query}"), &[("accept", "text/html")]);
    let choice = page("").text();
    assert!(choice.contains("type=\"checkbox\"") && choice.contains("profile qassay"), "{choice}");
    let [aurora, borealis] = ["aurora", "borealis"].map(|system| key(&folder, system));
    assert!(page(&format!("?e={aurora}")).text().contains("Choose at least one more"));
    // One experiment type unless all are wanted: each says what it is about.
    let usual = page(&format!("?e={aurora}&e={borealis}")).text();
    assert!(usual.contains("--experiment QA") && !usual.contains("C2KB, "), "{usual}");
    assert!(usual.contains("id=\"together\"") && usual.contains("id=\"deciding\""), "{usual}");
    // Where they are furthest apart comes first.
    let deciding = usual.split("id=\"deciding\"").nth(1).unwrap().split("</table>").next().unwrap();
    let apart = |row: &str| {
        let cells: Vec<f64> =
            row.split("<td").filter_map(|cell| cell.split(['>', '<']).nth(1)?.parse().ok()).collect();
        let [.., one, other] = cells[..] else { panic!("{row}") };
        (one - other).abs()
    };
    let spreads: Vec<f64> = deciding.split("<tr>").skip(2).map(apart).collect();
    assert!(spreads.len() == 16 && spreads.is_sorted_by(|one, next| one >= next), "{spreads:?}");
    let all = page(&format!("?e={aurora}&e={borealis}&experiment=all")).text();
    assert!(
        !all.contains("--experiment")
            && all.contains(">qassay-example, C2KB macroF1, profile qassay, 15 questions</a>: "),
        "{all}"
    );
    let both = page(&format!("?e={aurora}&e={borealis}&measure=microF1&experiment=all"));
    assert_eq!(both.status, 200, "{}", both.text());
    let both = both.text();
    // The page of the command line says the same sentence and the same digits.
    let words =
        ["compare", "--archive", "kept", "--measure", "microF1", "--html", "page.html", &aurora, &borealis];
    qassay(folder.path(), words).ok();
    let alone = fs::read_to_string(folder.path().join("page.html")).unwrap();
    let cells = |page: &str| -> Vec<String> {
        let page = scraper::Html::parse_document(page);
        let table = scraper::Selector::parse("table td").unwrap();
        page.select(&table).map(|cell| cell.text().collect::<String>().trim().to_owned()).collect()
    };
    // Minus signs are written in two ways, and the page of the command begins with a table of all systems.
    let digits = |page: &str| -> Vec<String> {
        let cells = cells(page).into_iter().filter(|cell| cell.contains("0."));
        cells.map(|cell| cell.replace('−', "-")).collect()
    };
    let (shown, alone) = (digits(&both), digits(&alone));
    assert!(shown.len() > 50 && alone.ends_with(&shown), "{shown:?} {alone:?}");
    assert!(both.contains("qassay compare"), "{both}");
    for (query, status, said) in [
        (format!("?e={aurora}&e=nothing"), 400, "there is no evaluation `nothing`"),
        (format!("?e={aurora}&e={borealis}&measure=luck"), 400, "there is no measure `luck`"),
        (format!("?e={aurora}&e={borealis}&experiment=luck"), 400, "scored the experiment type `luck`"),
        (format!("?e={aurora}&e={borealis}&baseline=luck"), 400, "luck"),
        (format!("?e={aurora}&e={borealis}&test=luck"), 400, "there is no test `luck`"),
        ("?e=0&e=1&e=2&e=3&e=4&e=5&e=6&e=7&e=8".to_owned(), 422, "too many for a page"),
    ] {
        let heard = page(&query);
        assert_eq!(heard.status, status, "{query}: {}", heard.text());
        assert!(heard.text().contains(said), "{query}: {}", heard.text());
    }
}

#[test]
fn things_have_the_form_that_their_reader_likes() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let path = format!("evaluation/{}", key(&folder, "aurora"));
    for (accept, media_type) in [
        ("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html; charset=utf-8"),
        ("*/*", "text/html; charset=utf-8"),
        ("text/turtle", "text/turtle; charset=utf-8"),
        ("application/ld+json, text/html;q=0.5", "application/ld+json"),
        ("application/n-quads;q=0.9, text/turtle;q=0.5", "application/n-quads"),
    ] {
        let heard = served.get(&path, &[("accept", accept)]);
        assert_eq!((heard.status, heard.header("content-type").as_str()), (200, media_type), "{accept}");
        assert!(heard.header("vary").contains("Accept"), "{accept}");
        // The form itself has an address, with the same bytes.
        let own = format!("evaluation/{}", heard.header("content-location"));
        assert_eq!(served.get(&own, &[("accept", "image/png")]).bytes, heard.bytes, "{own}");
        let tag = heard.header("etag");
        let again = served.get(&path, &[("accept", accept), ("if-none-match", &tag)]);
        assert_eq!((again.status, again.bytes.len()), (304, 0), "{accept}");
        let bare = served.ask("HEAD", &path, &[("accept", accept)], "");
        assert_eq!((bare.status, bare.bytes.len(), bare.header("etag")), (200, 0, tag), "{accept}");
    }
    let refused = served.get(&path, &[("accept", "image/png")]);
    assert!(refused.status == 406 && refused.text().contains("text/turtle"), "{refused:?}");
    let links = served.get(&path, &[]).header("link");
    for relation in ["canonical", "cite-as", "author", "license", "type", "item", "describedby", "collection"]
    {
        assert!(links.contains(&format!("rel=\"{relation}\"")), "{relation}: {links}");
    }
    for encoding in ["gzip", "br"] {
        let packed = served.get(&path, &[("accept-encoding", encoding)]);
        assert_eq!(packed.header("content-encoding"), encoding);
        assert!(packed.bytes.len() * 3 < served.get(&path, &[]).bytes.len());
    }
    let vocabulary = served.get("ns", &[("accept", "text/turtle")]);
    assert!(vocabulary.text().contains("Evaluation"));
}

#[test]
fn what_is_wrong_is_told_and_nothing_is_guessed() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    for (method, path, headers, status) in [
        ("GET", "nothing", &[][..], 404),
        ("GET", "evaluation/00000000000000000000000000000000", &[], 404),
        ("GET", "files/..%2f..%2fetc/passwd", &[], 404),
        ("GET", "files/sha256/%00", &[], 404),
        ("GET", "%ff%fe", &[], 404),
        ("GET", "ns/", &[], 308),
        ("POST", "results", &[], 405),
        ("DELETE", "results", &[], 405),
        ("OPTIONS", "results", &[], 204),
        ("GET", "results", &[("host", "evil.example")], 421),
    ] {
        let heard = served.ask(method, path, headers, "");
        assert_eq!(heard.status, status, "{method} {path}");
        assert_eq!(heard.header("x-content-type-options"), "nosniff", "{method} {path}");
        assert!(heard.header("content-security-policy").starts_with("default-src 'none'"), "{method} {path}");
        assert!(!heard.text().contains("root:"), "{method} {path}");
    }
    for path in [
        "/../../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/files/../../../etc/passwd",
        "//etc/passwd",
        "/..",
    ] {
        let told = served.raw(path);
        assert!(told.starts_with("HTTP/1.1 404 ") && !told.contains("root:"), "{path}: {told}");
    }
    let page = served.get("a/b/c", &[("accept", "text/html")]).text();
    assert!(page.contains("<h1>Not Found</h1>") && page.contains("href=\"../../static/"), "{page}");
    let problem = served.get("a/b/c", &[("accept", "application/json")]);
    assert_eq!(problem.header("content-type"), "application/problem+json");
    assert!(problem.text().contains("\"code\": \"not-found\""), "{}", problem.text());
    let health = served.get("health", &[]);
    assert_eq!((health.status, health.text().as_str()), (200, "ready\n"));
    assert_eq!(served.end(), Some(0));
}

#[test]
fn what_is_private_is_unknown_until_it_is_published_and_gone_when_it_is_withdrawn() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let [private, public] = ["borealis", "aurora"].map(|system| key(&folder, system));
    let path = format!("evaluation/{private}");
    let nothing = served.get("evaluation/00000000000000000000000000000000", &[]);
    let hidden = served.get(&path, &[]);
    // The same words, but for nothing.
    assert_eq!((hidden.status, &hidden.bytes), (nothing.status, &nothing.bytes));
    for list in ["", "results", "systems", "search", "search.json", "feed.atom", "sitemap.xml", "catalog.ttl"]
    {
        let told = served.get(list, &[]).text();
        assert!(!told.contains(&private) && !told.contains("borealis"), "{list}");
    }
    let ask = "SELECT ?s { { ?s ?p ?o } UNION { GRAPH ?s { ?x ?p ?o } } FILTER(CONTAINS(CONCAT(STR(?s), STR(?o)), \"borealis\")) }";
    assert_eq!(served.query(ask, "text/csv").text(), "s\r\n");

    publish(&folder, &[&["--site", "web", "borealis"], &WHO[..]].concat()).ok();
    assert_eq!(served.until(&path, |heard| heard.status == 200).status, 200);
    assert!(served.get("results", &[]).text().contains("borealis"));

    publish(&folder, &["--withdraw", "aurora", "--reason", "A reason.", "--date", "2026-12-24"]).ok();
    let path = format!("evaluation/{public}");
    let gone = served.until(&path, |heard| heard.status == 410);
    assert!(gone.status == 410 && gone.text().contains("A reason."), "{}", gone.text());
    for form in ["html", "ttl", "nq", "trig", "nt", "jsonld"] {
        let told = served.get(&format!("{path}.{form}"), &[]);
        assert!(told.status == 410 && told.text().contains("A reason."), "{form}: {}", told.text());
    }
    let sha256 = hex(&Sha256::digest(fs::read(folder.path().join("aurora.json")).unwrap()));
    let submission = format!("submission/{}", &sha256[..32]);
    for gone in [
        submission.clone(),
        format!("{submission}.ttl"),
        format!("{submission}/a/1"),
        format!("file/sha256/{sha256}"),
        format!("files/sha256/{}/{sha256}", &sha256[..2]),
        format!("graph/{submission}"),
    ] {
        let told = served.get(&gone, &[]);
        assert!(
            told.status == 410 && told.text().contains(&format!("{public}.html")),
            "{gone}: {}",
            told.text()
        );
    }
    // The other one has the same gold answers.
    let sha256 = hex(&Sha256::digest(fs::read(folder.path().join("gold.json")).unwrap()));
    assert_eq!(served.get(&format!("file/sha256/{sha256}"), &[]).status, 200);
    for list in ["", "results", "systems", "search", "search.json", "feed.atom", "sitemap.xml", "catalog.ttl"]
    {
        assert!(!served.get(list, &[]).text().contains(&public), "{list}");
    }
    // What was part of it is gone with it, whatever somebody has of it; nothing leads there but its own address.
    for below in
        ["/obs/QA/1", "/file/tables/questions.csv", "/agg/QA/all", "/questions/2", "/cube.html", "/cube.ttl"]
    {
        assert_eq!(served.get(&format!("{path}{below}"), &[]).status, 410, "{below}");
    }
    let tag = gone.header("etag");
    assert_eq!(served.get(&path, &[("if-none-match", if tag.is_empty() { "*" } else { &tag })]).status, 410);
    assert_eq!(served.get(&format!("api/v1/evaluations/{public}"), &[]).status, 410);
    assert!(!served.get("search?q=aurora", &[]).text().contains(&public));
    assert_eq!(served.get(&format!("search?q={}", &public[..8]), &[]).status, 200);
    assert_eq!(served.get(&format!("search?q={public}"), &[]).status, 303);
}

#[test]
fn whatever_is_named_in_what_is_published_is_told_of() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let key = key(&folder, "aurora");
    for (part, above) in [("agg/QA/all/macroF1", "agg/QA/all#macroF1"), ("slice/QA", "slice#QA"), ("v/1", "")]
    {
        for accept in ["text/html", "text/turtle"] {
            let heard = served.get(&format!("evaluation/{key}/{part}"), &[("accept", accept)]);
            let to = heard.header("location");
            let (page, part) = to.split_once('#').unwrap_or((&to, ""));
            assert!(heard.status == 303 && to.ends_with(above), "{part}: {} {to}", heard.status);
            let page = page.strip_prefix(&served.url).unwrap();
            assert_eq!(served.get(page, &[("accept", accept)]).status, 200, "{to}");
        }
    }
    assert_eq!(served.get(&format!("evaluation/{key}/agg/QA/all/nothing"), &[]).status, 404);
    // Who names a checksum is led to the file.
    let page = served.get(&format!("evaluation/{key}.html"), &[]).text();
    let sha256 = page.split("file/sha256/").nth(1).unwrap()[..64].to_owned();
    let led = served.get(&format!("search?q={sha256}"), &[]);
    assert_eq!(led.header("location"), format!("{}file/sha256/{sha256}", served.url));
}

#[test]
fn every_iri_that_is_published_answers() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let base = "https://w3id.org/qassay/";
    let mut iris: BTreeSet<String> = BTreeSet::new();
    for place in ["s", "p", "o", "g"] {
        let query = format!(
            "SELECT DISTINCT ?{place} {{ {{ ?s ?p ?o }} UNION {{ GRAPH ?g {{ ?s ?p ?o }} }} \
             FILTER(ISIRI(?{place}) && STRSTARTS(STR(?{place}), \"{base}\")) }}"
        );
        let found = served.query(&query, "text/csv").text();
        iris.extend(found.lines().skip(1).map(|line| line.trim_matches('"').to_owned()));
    }
    assert!(iris.len() > 1_000, "{}", iris.len());
    let mut kinds: BTreeMap<(usize, String, String), usize> = BTreeMap::new();
    for iri in iris {
        let path = iri[base.len()..].split('#').next().unwrap();
        let parts: Vec<&str> = path.split('/').collect();
        let part = |at: usize| parts.get(at).copied().unwrap_or_default().to_owned();
        // Two of each kind.
        let count = kinds.entry((parts.len(), part(0), part(2))).or_default();
        *count += 1;
        if *count > 2 {
            continue;
        }
        for accept in ["text/html", "text/turtle"] {
            let mut heard = served.get(path, &[("accept", accept)]);
            // What a query is has no statements.
            let is_text = accept == "text/turtle" && path.starts_with("query/") && heard.status == 406;
            if heard.status == 303 {
                let to = heard.header("location");
                heard = served.get(to.strip_prefix(&served.url).unwrap(), &[("accept", accept)]);
            }
            let is_graph = accept == "text/html" && heard.status == 406 && path.starts_with("graph/");
            assert!(heard.status == 200 || is_text || is_graph, "{iri} as {accept}: {}", heard.status);
        }
    }
}

#[test]
fn a_reader_has_the_form_that_he_names_and_the_part_that_he_asks_for() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let key = key(&folder, "aurora");
    let page = format!("evaluation/{key}");
    for (path, accept, media_type) in [
        (page.as_str(), "text/turtle;version=1.1", "text/turtle"),
        (&page, "text/html;level=1;q=0.9, text/turtle;q=0.1", "text/html"),
        ("ns", "*/*", "text/turtle"),
        ("ns", "text/html,*/*;q=0.8", "text/html"),
        ("sparql.html", "*/*", "text/html"),
    ] {
        let heard = served.get(path, &[("accept", accept)]);
        assert!(
            heard.status == 200 && heard.header("content-type").starts_with(media_type),
            "{path} {accept}: {} {}",
            heard.status,
            heard.header("content-type")
        );
    }
    let turtle = served.get(&format!("{page}.ttl"), &[]);
    assert!(turtle.header("etag").starts_with('"'), "{}", turtle.header("etag"));
    let packed = served.get(&format!("{page}.ttl"), &[("accept-encoding", "gzip")]);
    assert_eq!(packed.header("etag"), format!("W/{}", turtle.header("etag")));
    let known = served.get(&format!("{page}.ttl"), &[("if-none-match", &packed.header("etag"))]);
    assert_eq!(known.status, 304);
    // A file, and some of it (RFC 9110, section 14).
    let html = served.get(&format!("{page}.html"), &[]).text();
    let path = format!("file/sha256/{}", &html.split("file/sha256/").nth(1).unwrap()[..64]);
    let bytes = [("accept", "application/octet-stream")];
    let whole = served.get(&path, &bytes);
    assert_eq!((whole.status, whole.header("accept-ranges")), (200, "bytes".to_owned()));
    for (range, status, stated) in [
        ("bytes=0-3", 206, format!("bytes 0-3/{}", whole.bytes.len())),
        ("bytes=-2", 206, format!("bytes {}-{}/{0}", whole.bytes.len() - 2, whole.bytes.len() - 1)),
        ("bytes=9999999-", 416, format!("bytes */{}", whole.bytes.len())),
        ("bytes=0-1,3-4", 200, String::new()),
        ("lines=1-2", 200, String::new()),
        ("bytes=5-2", 200, String::new()),
        ("bytes=abc", 200, String::new()),
    ] {
        let part = served.get(&path, &[bytes[0], ("range", range)]);
        assert_eq!(part.status, status, "{range}");
        assert!(status == 200 || part.header("content-range").starts_with("bytes "), "{range} {stated}");
        if range == "bytes=0-3" {
            assert_eq!((&part.bytes[..], part.header("content-range")), (&whole.bytes[..4], stated));
        }
    }
    let other = served.get(&path, &[bytes[0], ("range", "bytes=0-3"), ("if-range", "\"other\"")]);
    assert_eq!((other.status, other.bytes.len()), (200, whole.bytes.len()));
    assert_eq!(served.ask("HEAD", &path, &[bytes[0], ("range", "bytes=0-3")], "").status, 200);
    // Its bytes, its page, what is said of it: one address.
    for (accept, media_type) in [
        ("*/*", "application/octet-stream"),
        ("application/json", "application/octet-stream"),
        ("text/turtle", "text/turtle"),
        ("text/html,*/*;q=0.8", "text/html"),
    ] {
        let heard = served.get(&path, &[("accept", accept)]);
        assert!(heard.header("content-type").starts_with(media_type), "{accept}");
        assert!(heard.header("vary").to_lowercase().contains("accept"), "{accept}");
    }
    for method in ["POST", "DELETE"] {
        assert_eq!(served.ask(method, "health", &[], "").status, 405, "{method}");
    }
}

#[test]
fn what_was_published_is_remembered_and_believed_only_where_it_is_true() {
    let folder = published();
    let path = format!("evaluation/{}", key(&folder, "aurora"));
    let pages = || {
        let served = Served::of(folder.path(), "kept", &[]);
        [path.as_str(), "catalog.ttl", "results", "datasets"].map(|path| served.get(path, &[]).text())
    };
    let memory = folder.path().join("kept/stores/summaries");
    let remembered = || files_below(&memory).into_iter().filter(|path| path.starts_with("texts")).count();
    let first = pages();
    assert!(remembered() > 0);
    assert_eq!(pages(), first);
    let file =
        files_below(&memory).into_iter().find(|path| path.to_string_lossy().starts_with("publication-"));
    let file = memory.join(file.unwrap());
    let content = fs::read_to_string(&file).unwrap();
    let forge = |text: &str| {
        let (head, _) = content.split_once('\n').unwrap();
        let (form, _) = head.rsplit_once(' ').unwrap();
        fs::write(&file, format!("{form} {}\n{text}", hex(&Sha256::digest(text)))).unwrap();
    };
    let verify = || qassay(folder.path(), ["verify", "--archive", "kept", "--no-reexecution"]);
    assert!([0, 3].contains(&verify().code.unwrap()), "{}", verify().stdout);
    let body = content.split_once('\n').unwrap().1;
    forge(&body.replace("Carberry", "Carberrz"));
    let ran = verify();
    assert!(ran.code == Some(1) && ran.stdout.contains("is another"), "{}{}", ran.stdout, ran.stderr);
    // What is damaged, or gone, is made again.
    for text in ["", "{}", &content[..content.len() / 2]] {
        fs::write(&file, text).unwrap();
        assert!(pages() == first, "damaged to {text:.20}, it is believed");
        assert!(fs::read_to_string(&file).unwrap() == content, "damaged to {text:.20}, it stays so");
    }
    fs::remove_dir_all(memory.join("texts")).unwrap();
    assert!(pages() == first, "without texts it has other pages");
    assert!(remembered() > 0);
}

#[test]
fn inputs_without_a_licence_are_in_no_file_and_no_graph() {
    let folder = tempfile::tempdir().unwrap();
    let file = |answer: &str| {
        let binding = json!({ "x": { "type": "literal", "value": answer } });
        json!({ "dataset": { "id": "mine" }, "questions": [{
            "id": "1",
            "question": [{ "language": "en", "string": "zyzzyva question" }],
            "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": [binding] } }],
        }] })
        .to_string()
    };
    fs::write(folder.path().join("gold.json"), file("zyzzyva answer")).unwrap();
    fs::write(folder.path().join("other.json"), file("zyzzyva guess")).unwrap();
    evaluate(&folder, &["gold.json", "other.json"]).ok();
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    let path = format!("evaluation/{}", key(&folder, "other"));
    for page in [path.clone(), format!("{path}.nq"), format!("{path}/obs/QA/1"), "search.json".to_owned()] {
        let shown = served.get(&page, &[]);
        assert!(shown.status == 200 && !shown.text().contains("zyzzyva"), "{page}");
    }
    for name in ["gold.json", "other.json"] {
        let sha256 = hex(&Sha256::digest(fs::read(folder.path().join(name)).unwrap()));
        assert_eq!(served.get(&format!("files/sha256/{}/{sha256}", &sha256[..2]), &[]).status, 404);
        let bytes = served.get(&format!("file/sha256/{sha256}"), &[("accept", "application/octet-stream")]);
        assert!(!bytes.text().contains("zyzzyva"), "{name}");
    }
    let query =
        "SELECT ?o { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } FILTER(CONTAINS(STR(?o), \"zyzzyva\")) }";
    assert_eq!(served.query(query, "text/csv").text(), "o\r\n");
    assert!(served.query("ASK { ?s qassay:f1 ?f1 }", "application/json").text().contains("true"));
    // Who publishes the same file under a licence says so for himself, until he withdraws it.
    evaluate(&folder, &["gold.json", "other.json", "--profile", "gerbil"]).ok();
    let listed = qassay(folder.path(), ["list", "--archive", "kept", "--format", "json"]).json();
    let mut all = listed.as_array().unwrap().iter().map(|one| &one["evaluation"]);
    let licensed = all.find(|one| one["profile"] == "gerbil").unwrap()["key"].as_str().unwrap();
    let who = ["--creator", "Ben <https://example.org/ben>", "--publisher", "Ben <https://example.org/ben>"];
    publish(&folder, &[&["--site", "web", licensed, "--input-licence", "dataset=MIT"], &who[..]].concat())
        .ok();
    // What he says is no licence of what was published before him.
    qassay(folder.path(), ["verify", "--archive", "kept"]).ok();
    let sha256 = hex(&Sha256::digest(fs::read(folder.path().join("gold.json")).unwrap()));
    let page = format!("file/sha256/{sha256}.html");
    let told = served.until(&page, |heard| heard.text().contains("as stated by"));
    assert!(told.text().contains("as stated by") && told.text().contains(">Ben<"), "{}", told.text());
    publish(&folder, &["--withdraw", licensed, "--reason", "A reason.", "--date", "2026-12-24"]).ok();
    let told = served.until(&page, |heard| heard.text().contains(", withdrawn"));
    assert!(told.text().contains("as stated by <bdi>Ben</bdi>, withdrawn"), "{}", told.text());
}

#[test]
fn a_server_below_a_path_links_within_it() {
    let folder = published();
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let place = format!("http://127.0.0.1:{port}/a/b/");
    let served =
        Served::of(folder.path(), "kept", &["--port", &port, "--public-url", &place, "--accept", "nobody"]);
    assert_eq!(served.url, place);
    assert!(served.get("robots.txt", &[]).text().contains(&format!("Sitemap: {place}sitemap.xml")));
    let page = served.get("", &[]);
    assert_eq!(page.bytes, fs::read(folder.path().join("web/index.html")).unwrap());
    let path = format!("evaluation/{}", key(&folder, "aurora"));
    let moved = served.get(&format!("{path}/"), &[]);
    assert_eq!((moved.status, moved.header("location")), (308, format!("{place}{path}")));
    let outside = |path: &str| reqwest::blocking::get(format!("http://127.0.0.1:{port}/{path}")).unwrap();
    assert_eq!(
        (served.get("health", &[]).text(), outside("health").text().unwrap()),
        ("ready\n".into(), "ready\n".into())
    );
    let outside = outside("results");
    assert_eq!(outside.status(), 404);
}

#[test]
fn a_server_that_others_reach_says_under_which_name() {
    let folder = published();
    let ran = qassay(folder.path(), ["serve", "--archive", "kept", "--host", "0.0.0.0", "--port", "0"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--public-url"), "{}", ran.stderr);
    let ran = qassay(folder.path(), ["serve", "--archive", "nowhere", "--port", "0"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("there is no qassay archive here"), "{}", ran.stderr);
    let with = |words: &[&str]| {
        qassay(folder.path(), ["serve", "--archive", "kept", "--port", "0"].iter().chain(words))
    };
    let ran = with(&["--public-url", "https://example.org/"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("--accept token"), "{}", ran.stderr);
    let ran = with(&["--public-url", "ftp://e/", "--accept", "nobody"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("an address of the web"), "{}", ran.stderr);
}

#[test]
fn lists_show_what_is_looked_for() {
    let folder = example();
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    let results = |query: &str| served.get(&format!("results{query}"), &[]).text();
    let rows = |page: &str| {
        page.split("id=\"evaluations\"")
            .nth(1)
            .map_or(0, |rest| rest.matches("<tr><th scope=\"row\"").count())
    };
    assert!(results("").contains("2 of 2 evaluations"));
    let one = results("?system=aurora&profile=qassay");
    assert!(one.contains("1 of 2 evaluations") && one.contains("value=\"aurora\" selected"), "{one}");
    assert!(rows(&results("")) >= rows(&one));
    let nobody = results("?system=nobody");
    assert!(nobody.contains("0 of 2 evaluations") && nobody.contains("has the system “nobody”"), "{nobody}");
    // Another number of each; the systems of one dataset by experiment type.
    let resources = results("?experiment=C2KB&measure=microF1");
    assert!(resources.contains(", C2KB, profile") && resources.contains("value=\"microF1\" selected"));
    assert!(results("").contains("id=\"matrix-types\"") && results("").contains("<span class=\"ci\">0."));
    for wrong in ["experiment=zzz", "measure=zzz", "page=0", "page=2", "page=x"] {
        let refused = served.get(&format!("results?{wrong}"), &[("accept", "text/html")]);
        assert!(
            refused.status == 400 && refused.text().contains("There is no")
                || refused.text().contains("there is no"),
            "{wrong}: {}",
            refused.text()
        );
    }
    let by_slug = results("?dataset=qassay-example");
    assert!(
        by_slug.contains("2 of 2 evaluations") && by_slug.contains("selected>The example of qassay"),
        "{by_slug}"
    );
    assert!(results("?system=AURORA&profile=Qassay").contains("1 of 2 evaluations"));
    // Programs choose numbers in the same way.
    let api = |query: &str| served.get(&format!("api/v1/evaluations{query}"), &[]);
    let chosen = api("?experiment=C2KB&measure=microF1&system=Aurora").json();
    let one = &chosen["evaluations"][0];
    assert_eq!((&one["experiment"], &one["measure"]), (&json!("C2KB"), &json!("microF1")), "{chosen}");
    let all = served.get(&format!("api/v1/evaluations/{}", one["key"].as_str().unwrap()), &[]).text();
    assert!(
        all.contains(&format!("\"{}\"", one["value"].as_str().unwrap()))
            || all.contains(one["value"].as_str().unwrap())
    );
    for path in ["evaluations", "datasets", "systems", &format!("evaluations/{}", key(&folder, "aurora"))] {
        let path = format!("api/v1/{path}");
        let tag = served.get(&path, &[]).header("etag");
        assert_eq!(served.get(&path, &[("if-none-match", &tag)]).status, 304, "{path}");
    }
    for wrong in ["?experiment=zzz", "?measure=zzz", "?zzz=1", "?after=x"] {
        assert_eq!(api(wrong).status, 400, "{wrong}: {}", api(wrong).text());
    }
    assert!(api("?zzz=1").text().contains("expected one of"), "{}", api("?zzz=1").text());
    let systems = served.get("systems?q=AUR", &[("accept", "text/html")]).text();
    assert!(systems.contains("1 of 2 rows.") && !systems.contains(">borealis<"), "{systems}");
    let none = served.get("systems?q=zzz", &[("accept", "text/html")]).text();
    assert!(none.contains("0 of 2 rows.") && none.contains("None has “zzz”; without words"), "{none}");
    assert!(!none.contains("<tbody>") && none.contains("name=\"q\" value=\"zzz\""), "{none}");
    assert_eq!(served.get("systems?page=2", &[("accept", "text/html")]).status, 400);
    let bad = results("?measure=falsePositiveCount");
    assert!(!bad.contains("best of this dataset") && bad.contains("the number that was chosen"), "{bad}");
    let datasets = |query: &str| served.get(&format!("datasets{query}"), &[]).text();
    let cc0 = "licence=https%3A%2F%2Fcreativecommons.org%2Fpublicdomain%2Fzero%2F1.0%2F";
    for (query, said) in [
        ("", "1 of 1 dataset."),
        ("?q=EXAMPLE", "1 of 1 dataset."),
        ("?q=nothing+of+it", "None of 1 dataset."),
        (&format!("?{cc0}"), "1 of 1 dataset."),
        ("?language=xx", "None of 1 dataset."),
    ] {
        let page = datasets(query);
        assert!(page.contains(said), "{query}: {page}");
    }
    // Whoever names one thing is led to it.
    let key = key(&folder, "aurora");
    for word in [key.clone(), key[..8].to_owned(), format!("https://w3id.org/qassay/evaluation/{key}")] {
        let word: String = form_urlencoded::byte_serialize(word.as_bytes()).collect();
        let led = served.get(&format!("search?q={word}"), &[]);
        assert_eq!((led.status, led.header("location")), (303, format!("{}evaluation/{key}", served.url)));
    }
    let found = served.get("search?q=AURORA", &[]).text();
    assert!(found.contains("aurora") && !found.contains(">borealis<"), "{found}");
    assert!(served.get("search?q=%3Cscript%3E", &[]).text().contains("&#60;script&#62;"));
    // Questions are found by what they say, in each of their languages.
    let asked = served.get("search?q=hauptst%C3%A4dte+DONAU", &[]).text();
    assert!(asked.contains("2 of 39 texts of questions") && asked.contains("lang=\"de\""), "{asked}");
    let link = asked
        .split("href=\"")
        .map(|rest| rest.split('"').next().unwrap())
        .find(|href| href.ends_with("/q/1.html"));
    let page = served.get(link.unwrap(), &[("accept", "text/html")]);
    assert!(
        page.status == 200 && page.text().contains("Which capitals lie on the Danube?"),
        "{}",
        page.text()
    );
    let words: Vec<String> = (0..30).map(|number| format!("word{number}")).collect();
    let many = served.get(&format!("search?q={}", words.join("+")), &[]);
    assert!(many.text().contains("30 words are too many to look for"), "{}", many.text());
    assert_eq!(served.get(&format!("search?q={}donau", "donau+".repeat(5000)), &[]).status, 200);
    let none = served.get("search?q=no+such+words+anywhere", &[]).text();
    assert!(none.contains("0 of ") && none.contains("of questions have these words"), "{none}");
}

/// Whoever gives the bytes of somebody another name takes nothing from him: not his rank, not his table, not his page.
#[test]
fn a_copy_under_another_name_takes_nothing_from_the_first() {
    let folder = example();
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    let words = ["gold.json", "aurora.json", "--system", "My system", "--profile", "gerbil"];
    evaluate(&folder, &words).ok();
    let listed = qassay(folder.path(), ["list", "--archive", "kept", "--format", "json"]).json();
    let mut all = listed.as_array().unwrap().iter().map(|one| &one["evaluation"]);
    let copy = all.find(|one| one["profile"] == "gerbil").unwrap()["key"].as_str().unwrap();
    publish(&folder, &[&["--site", "web", copy], &WHO[..]].concat()).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    let listed = served.get("api/v1/evaluations?system=My%20system", &[]).json();
    assert_eq!(listed["count"], 1, "{listed}");
    assert_eq!(listed["evaluations"][0]["profile"], "gerbil");
    let of = |system: &str| {
        let query = format!("api/v1/evaluations?system={system}&profile=qassay");
        served.get(&query, &[]).json()["evaluations"][0]["key"].as_str().unwrap().to_owned()
    };
    let page = format!("compare?e={}&e={}", of("aurora"), of("borealis"));
    let both = served.get(&page, &[("accept", "text/html")]).text();
    assert!(!both.contains("has no rank") && !both.contains("My system"), "{both}");
}
