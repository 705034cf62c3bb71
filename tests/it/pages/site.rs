//! The site of an archive: every page is there, and every link leads somewhere; nothing that a file says becomes markup.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use qassay::record::archived::Archived;
use qassay::site::asset::Asset;
use qassay::site::route::{ListPage, PageForm, Route};
use qassay::site::view::SiteView;
use qassay::site::{PageHead, Site};
use qassay::sources::archive::Archive;
use qassay::workbench::public::LISTS;
use scraper::{Html, Selector};
use tempfile::TempDir;

use crate::common::qassay;

/// Texts that are markup, end scripts, turn lines around, hide.
const HOSTILE: [&str; 4] = [
    "</script><img src=x onerror=alert(1)>",
    "a/b%2F..",
    "\u{202e}abc\u{0}",
    "\"><svg onload=alert(1)>👩\u{200d}🔬",
];

/// The example with two profiles, compared.
fn example() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let words = ["evaluate", "--links"].map(str::to_owned).into_iter();
    let files = ["same-as.nt", "gold.json", "aurora.json", "borealis.json"];
    let datasets = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/example");
    let files = files.map(|file| datasets.join(file).display().to_string());
    let words = words.chain(files).chain(["--profile", "qassay,gerbil"].map(str::to_owned));
    qassay(folder.path(), words).ok();
    qassay(folder.path(), ["compare", "--experiment", "QA", "--profile", "qassay"]).ok();
    folder
}

/// A dataset and answers with hostile ids, texts, answers and names.
fn hostile() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let question = |id: &str, answer: &str| {
        serde_json::json!({
            "id": id,
            "question": [{ "language": "en", "string": id }],
            "query": { "sparql": format!("SELECT ?x WHERE {{ ?x ?y \"\"\"{answer}\"\"\" }}") },
            "answers": [{ "head": { "vars": ["x"] }, "results": { "bindings": [
                { "x": { "type": "literal", "value": answer } },
                { "x": { "type": "uri", "value": "http://example.org/javascript:alert(1)" } },
            ] } }],
        })
    };
    let file = |shift: usize| {
        let ids = HOSTILE.iter().enumerate();
        let questions: Vec<_> =
            ids.map(|(at, id)| question(id, HOSTILE[(at + shift) % HOSTILE.len()])).collect();
        serde_json::json!({ "dataset": { "id": HOSTILE[0] }, "questions": questions }).to_string()
    };
    std::fs::write(folder.path().join("gold.json"), file(0)).unwrap();
    std::fs::write(folder.path().join("answers.json"), file(1)).unwrap();
    qassay(folder.path(), ["evaluate", "gold.json", "answers.json", "--system", HOSTILE[0]]).ok();
    folder
}

/// All files of a site, by their names.
fn rendered(folder: &TempDir, withheld: &dyn Fn(&str) -> bool) -> BTreeMap<String, String> {
    let archive = Archive::open(&folder.path().join("qassay-archive")).unwrap();
    let archived = Archived::open(archive).unwrap();
    let withheld = archived.graphs.iter().map(|graph| graph.name.clone()).filter(|name| withheld(name));
    let view = SiteView::new(&archived, withheld.collect()).unwrap();
    let site = Site::new(&view);
    let head = PageHead {
        json_ld: Some(r#"{"name":"</script>"}"#.to_owned()),
        links: Vec::new(),
        is_private: false,
    };
    let mut files = BTreeMap::new();
    for route in site.pages() {
        let route = route.unwrap();
        for form in Site::forms(&route) {
            let head = if route == Route::Home { head.clone() } else { PageHead::default() };
            let one = site.render(&route, form, &head).unwrap();
            let file = route.file(form).join("/");
            let again = site.find(&format!("{}.{}", route.path(), form.ending())).unwrap();
            assert!(route == Route::Home || again == Some((route.clone(), Some(form))), "{file}");
            assert!(
                files.insert(file.clone(), String::from_utf8(one.bytes).unwrap()).is_none(),
                "{file} twice"
            );
        }
    }
    files.extend(Asset::ALL.iter().map(|asset| (asset.file().join("/"), asset.text.to_owned())));
    if let Ok(target) = std::env::var("QASSAY_SITE") {
        for (file, text) in &files {
            let path = Path::new(&target).join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
    }
    files
}

#[test]
fn evaluations_that_are_too_large_have_no_pages_where_that_is_said() {
    let folder = crate::publish::record::example();
    let archived = Archived::open(Archive::open(&folder.path().join("kept")).unwrap()).unwrap();
    let view = SiteView::new(&archived, BTreeSet::new()).unwrap().bounded(Some(15));
    let site = Site::new(&view);
    let key = archived.evaluations[0].key().to_owned();
    for (route, form) in [
        (Route::Evaluation(key.clone()), PageForm::Html),
        (Route::Evaluation(key.clone()), PageForm::Turtle),
        (Route::Observation(key, "QA".to_owned(), "1".to_owned()), PageForm::Html),
    ] {
        let refused = site.render(&route, form, &PageHead::default()).unwrap_err().to_string();
        assert!(
            refused.contains("the evaluation has 16 questions") && refused.contains("15 questions or fewer"),
            "{refused}"
        );
    }
    site.render(&Route::List(ListPage::Results), PageForm::Html, &PageHead::default()).unwrap();
    let all = SiteView::new(&archived, BTreeSet::new()).unwrap().bounded(Some(16));
    let route = Route::Evaluation(archived.evaluations[0].key().to_owned());
    Site::new(&all).render(&route, PageForm::Html, &PageHead::default()).unwrap();
}

fn attributes(page: &Html, selector: &str, name: &str) -> Vec<String> {
    let selector = Selector::parse(selector).unwrap();
    page.select(&selector).filter_map(|one| one.value().attr(name).map(str::to_owned)).collect()
}

/// The file that an address means, from a page.
fn target(file: &str, href: &str) -> String {
    let base = url_of(file);
    let (mut parts, mut rest): (Vec<&str>, &str) = (base.split('/').collect(), href);
    parts.pop();
    while let Some(up) = rest.strip_prefix("../") {
        assert!(parts.pop().is_some(), "{file}: {href} leaves the site");
        rest = up;
    }
    let decoded = percent_encoding::percent_decode_str(rest).decode_utf8().unwrap().into_owned();
    parts.iter().copied().chain([decoded.as_str()]).collect::<Vec<_>>().join("/")
}

fn url_of(file: &str) -> String {
    file.to_owned()
}

/// Looks at every page, and at every link of it.
pub(crate) fn crawl(files: &BTreeMap<String, String>) -> usize {
    let pages = files.iter().filter(|(file, _)| is_page(file));
    let parsed: BTreeMap<&str, Html> =
        pages.map(|(file, text)| (file.as_str(), Html::parse_document(text))).collect();
    let ids: BTreeMap<&str, BTreeSet<String>> = parsed
        .iter()
        .map(|(file, page)| (*file, attributes(page, "[id]", "id").into_iter().collect()))
        .collect();
    let mut links = 0;
    for (file, page) in &parsed {
        let all = attributes(page, "[id]", "id");
        let mut once = BTreeSet::new();
        let twice: Vec<&String> = all.iter().filter(|id| !once.insert(*id)).collect();
        assert!(twice.is_empty(), "{file}: {twice:?}");
        let count = |selector| page.select(&Selector::parse(selector).unwrap()).count();
        assert_eq!((count("h1"), count("title:not(svg title)"), count("main")), (1, 1, 1), "{file}");
        assert_eq!(count("[style], style, iframe, object, img, [onerror], [onload], base"), 0, "{file}");
        let own = "script[src$='qassay.js'], script[type='application/ld+json']";
        assert_eq!(count("script"), count(own), "{file}");
        let title: String =
            page.select(&Selector::parse("head > title").unwrap()).flat_map(|one| one.text()).collect();
        assert!(title.len() > " · qassay".len(), "{file}");
        for (tag, name) in
            [("a", "href"), ("link:not([rel=canonical])", "href"), ("script", "src"), ("form", "action")]
        {
            for href in attributes(page, tag, name) {
                if href.starts_with("http://") || href.starts_with("https://") {
                    continue;
                }
                let (path, fragment) = href.split_once('#').unwrap_or((&href, ""));
                // What is asked for there is for a server.
                let path = path.split_once('?').map_or(path, |(path, _)| path);
                let to = if path.is_empty() { (*file).to_owned() } else { target(file, path) };
                // Lists of all that is public are made with the site.
                if LISTS.contains(&to.as_str()) {
                    continue;
                }
                assert!(files.contains_key(&to), "{file}: {href} leads to {to}");
                let place =
                    percent_encoding::percent_decode_str(fragment).decode_utf8().unwrap().into_owned();
                let known = |ids: &BTreeSet<String>| ids.contains(fragment) || ids.contains(&place);
                assert!(fragment.is_empty() || ids.get(to.as_str()).is_some_and(known), "{file}: {href}");
                links += 1;
            }
        }
        for outside in attributes(page, "a[href^='http']", "rel") {
            assert_eq!(outside, "nofollow noopener", "{file}");
        }
        assert_eq!(count("a[href^='http']:not([rel])"), 0, "{file}");
        let named = attributes(page, "[aria-labelledby]", "aria-labelledby");
        for named in named.iter().flat_map(|names| names.split(' ')) {
            assert!(ids[file].contains(named), "{file}: {named}");
        }
    }
    links
}

/// Whether a file of a site is a page.
fn is_page(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|ending| ending == "html")
}

#[test]
fn every_link_of_the_site_of_the_example_leads_somewhere() {
    let folder = example();
    let files = rendered(&folder, &|_| false);
    let pages = files.keys().filter(|file| is_page(file)).count();
    assert!(pages > 400, "{pages}");
    assert!(crawl(&files) > 10_000);
    let evaluation = &files["evaluation/96ffefb80b25e766dd2442c469fd552c.html"];
    for said in [
        "0.7966",
        "95 % 0.545 – 0.931",
        "Run it again",
        "on <bdi>The example of qassay</bdi>",
        "rel=\"canonical\"",
    ] {
        assert!(evaluation.contains(said), "{said}");
    }
    let question = &files["evaluation/96ffefb80b25e766dd2442c469fd552c/obs/QA/2.html"];
    for said in
        ["Who composed Rusalka?", "owl:sameAs", "percent-encoding", "✓ In both: 1", "code/match-sameas.html"]
    {
        assert!(question.contains(said), "{said}");
    }
    forms_agree(&files);
    gives_the_same_iri(folder.path(), evaluation);
    looks_as_it_did(evaluation);
    let home = &files["index.html"];
    assert!(home.len() < 20_000, "{}", home.len());
    assert!(home.contains(r#"{"name":"\u003c/script>"}"#));
}

/// The command that a page names, run where its files are, makes the same evaluation in an empty archive.
fn gives_the_same_iri(folder: &Path, page: &str) {
    let page = Html::parse_document(page);
    let code = Selector::parse("#provenance ~ div pre").unwrap();
    let code: String = page.select(&code).next().unwrap().text().collect();
    let (command, verify) = code.split_once("\nqassay verify ").unwrap();
    let words = command.replace("\\\n", " ");
    let words: Vec<&str> = words.split_whitespace().skip(1).collect();
    let again = folder.join("again");
    let ran = qassay(
        &folder.join("qassay-archive"),
        words.into_iter().chain(["--archive", again.to_str().unwrap()]),
    );
    assert!(ran.stderr.contains(&format!("/evaluation/{}", verify.trim())), "{verify}: {}", ran.stderr);
}

/// The page, but for times and what they are in.
fn looks_as_it_did(page: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.add_filter(r"execution/[0-9a-f]{32}", "execution/[key]");
    settings.add_filter(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "[time]");
    settings.add_filter(r"static/[0-9a-f]{16}", "static/[hash]");
    settings.add_filter(r", 20\d\d\.|\{20\d\d\}", "[year]");
    settings.add_filter(env!("CARGO_PKG_VERSION"), "[version]");
    settings.bind(|| insta::assert_snapshot!("evaluation", page));
}

#[test]
fn what_files_say_is_no_markup_and_withheld_parts_stay_away() {
    let folder = hostile();
    let files = rendered(&folder, &|_| false);
    assert!(crawl(&files) > 1_000);
    for (file, text) in files.iter().filter(|(file, _)| is_page(file)) {
        for raw in ["<img", "<svg onload", "\u{202e}", "\0", "</script><"] {
            assert!(!text.contains(raw), "{file}: {raw:?}");
        }
        assert!(!text.contains("href=\"javascript:"), "{file}");
    }
    let is_withheld = |name: &str| {
        ["/graph/dataset/", "/graph/submission/", "/graph/match/", "/graph/messages/", "/graph/patterns/"]
            .iter()
            .any(|kind| name.contains(kind))
    };
    let without = rendered(&folder, &is_withheld);
    crawl(&without);
    let observations = without.iter().filter(|(file, _)| file.contains("/obs/QA/") && is_page(file));
    assert_eq!(observations.clone().count(), HOSTILE.len());
    for (file, text) in observations {
        assert!(text.contains("only the counts are shown") && !text.contains("In both"), "{file}");
    }
    assert!(!without.keys().any(|file| file.contains("/q/") || file.contains("/a/")));
    let answer = "http://example.org/javascript:alert(1)";
    assert!(files.values().any(|text| text.contains(answer)));
    assert!(!without.iter().any(|(_, text)| text.contains(answer)));
}

/// The forms of RDF say the same.
fn forms_agree(files: &BTreeMap<String, String>) {
    let evaluation = "evaluation/96ffefb80b25e766dd2442c469fd552c";
    let count = |ending: &str| {
        let text = &files[&format!("{evaluation}.{ending}")];
        let format = oxigraph::io::RdfFormat::from_extension(ending).unwrap();
        let quads = oxigraph::io::RdfParser::from_format(format).for_slice(text.as_bytes());
        let triples: BTreeSet<String> = quads
            .map(|quad| quad.unwrap())
            .map(|quad| format!("{} {} {}", quad.subject, quad.predicate, quad.object))
            .collect();
        triples
    };
    let turtle = count("ttl");
    assert!(turtle.len() > 10, "{turtle:?}");
    for ending in ["nq", "trig", "nt", "jsonld"] {
        assert_eq!(count(ending), turtle, "{ending}");
    }
}
