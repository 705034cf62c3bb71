//! Tables over HTTP: each leads to its query, and without a script their reader says which rows he wants.

use std::collections::BTreeSet;

use scraper::{Html, Selector};
use tempfile::TempDir;

use super::reading::key;
use super::served::Served;
use crate::common::qassay;
use crate::publish::record::{WHO, evaluate, example, publish};

const HTML: [(&str, &str); 1] = [("accept", "text/html")];

/// The example, published with a comparison of both.
fn published() -> TempDir {
    let folder = example();
    qassay(folder.path(), ["compare", "--archive", "kept", "aurora", "borealis"]).ok();
    publish(&folder, &[&["--site", "web", "--all"], &WHO[..]].concat()).ok();
    folder
}

/// The pages that the way in leads to, one of each kind, and those that these lead to.
fn pages(served: &Served) -> Vec<(String, Html)> {
    let link = Selector::parse("a[href]").unwrap();
    let (mut kinds, mut open, mut pages) =
        (BTreeSet::new(), vec![String::new(), "search.html".to_owned()], Vec::new());
    while let Some(path) = open.pop() {
        let page = Html::parse_document(&served.get(&path, &HTML).text());
        let here = url::Url::parse(&format!("{}{path}", served.url)).unwrap();
        for found in page.select(&link) {
            let href = found.attr("href").unwrap().split(['?', '#']).next().unwrap();
            let whole = here.join(href).unwrap();
            let Some(found) = whole.as_str().strip_prefix(&served.url) else { continue };
            let parts: Vec<&str> = found.split('/').collect();
            // Lists are all of a kind of their own.
            let kind =
                (parts.len(), parts[0].to_owned(), parts.get(2).copied().unwrap_or_default().to_owned());
            let is_page =
                found.strip_suffix(".html").is_some() && !["ns", "code", "query"].contains(&parts[0]);
            if is_page && kinds.insert(kind) {
                open.push(found.to_owned());
            }
        }
        pages.push((path, page));
    }
    pages
}

#[test]
fn every_table_leads_to_its_query() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let link = Selector::parse("a[href*='canned=']").unwrap();
    let mut queries: BTreeSet<String> = BTreeSet::new();
    let mut asked: BTreeSet<String> = BTreeSet::new();
    for (path, page) in pages(&served) {
        for found in page.select(&link) {
            let address = found.attr("href").unwrap().split_once('?').unwrap().1.to_owned();
            let name = address.trim_start_matches("canned=").split('&').next().unwrap().to_owned();
            // Of each query two addresses are asked.
            if path.starts_with("sparql")
                || asked.iter().filter(|one| one.contains(&format!("={name}"))).count() > 1
                || !asked.insert(address.clone())
            {
                continue;
            }
            let rows = served.get(&format!("sparql?{address}&format=csv"), &[]);
            assert_eq!(rows.status, 200, "{path}: {address}: {}", rows.text());
            let is_nothing = ["issues", "rules"].contains(&name.as_str());
            assert!(rows.text().lines().count() > 1 || is_nothing, "{path}: {address} finds nothing");
            queries.insert(name);
        }
    }
    let known = [
        "aggregate",
        "comparisons",
        "dataset",
        "complementarity",
        "match",
        "measures",
        "question",
        "question-systems",
        "ranking",
        "rules",
        "search",
        "system",
    ];
    for name in known {
        assert!(queries.contains(name), "no table leads to {name}: {queries:?}");
    }
}

#[test]
fn a_column_that_is_given_stays_in_the_form_and_narrows_the_rows() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let csv = |query: &str| served.get(&format!("sparql?canned=measures&format=csv{query}"), &[]);
    let lines = |query: &str| csv(query).text().lines().count();
    let one = "&%24system=%22aurora%22";
    assert_eq!(lines("") - 1, lines(one) - 1 + lines("&%24system=%22borealis%22") - 1);
    assert_eq!(lines(&format!("{one}&%24experiment=%22QA%22&%24measure=%22macroF1%22")), 2);
    assert_eq!(lines("&%24system="), lines(""));
    assert_eq!(lines("&%24system=%22nobody%22"), 1);
    let page = served.get(&format!("sparql?canned=measures{one}"), &HTML).text();
    assert!(page.contains("name=\"$system\" value=\"&#34;aurora&#34;\""), "{page}");
    assert!(page.contains("%24system=%22aurora%22&#38;format=csv"), "{page}");
    for (query, said) in [
        ("&%24luck=%22a%22", "no column `?luck`"),
        ("&%24system=aurora", "`aurora`, which ?system is to be, is no term"),
        ("&%24system=_:b", "is no term"),
        ("&%24=%22a%22", "no column"),
    ] {
        let refused = csv(query);
        assert!(refused.status == 400 && refused.text().contains(said), "{query}: {}", refused.text());
    }
    let construct =
        "query=CONSTRUCT%20WHERE%20%7B%3Fs%20a%20qassay%3AEvaluation%7D&%24s=%3Chttp%3A%2F%2Fe%2F%3E";
    assert_eq!(served.get(&format!("sparql?{construct}"), &[]).status, 400);
    // The command line has the same.
    let words = ["query", "measures", "--archive", "kept", "--bind", "system=\"aurora\"", "--format", "csv"];
    let printed = qassay(folder.path(), words).ok();
    assert_eq!(printed.lines().count(), lines(one));
}

#[test]
fn rows_are_chosen_without_a_script() {
    let folder = published();
    let served = Served::of(folder.path(), "kept", &[]);
    let key = key(&folder, "aurora");
    let page = |path: &str| {
        let heard = served.get(path, &HTML);
        assert_eq!(heard.status, 200, "{path}: {}", heard.text());
        heard.text()
    };
    let rows = |path: &str| -> Vec<Vec<String>> {
        let (page, row, cell) = (Html::parse_document(&page(path)), "tbody tr", "th, td");
        let [row, cell] = [row, cell].map(|words| Selector::parse(words).unwrap());
        let cells = |row: scraper::ElementRef<'_>| {
            row.select(&cell).map(|cell| cell.text().collect::<String>()).collect()
        };
        page.select(&row).map(cells).collect()
    };
    let all = rows(&format!("evaluation/{key}?q="));
    let danube = rows(&format!("evaluation/{key}?q=DANUBE"));
    assert!(all.len() == 16 && !danube.is_empty() && danube.len() < 16, "{danube:?}");
    assert!(danube.iter().all(|row| row[1].contains("Danube")), "{danube:?}");
    let right = rows(&format!("evaluation/{key}.html?outcome=all+right"));
    assert!(!right.is_empty() && right.iter().all(|row| row[2] == "✓ all right"), "{right:?}");
    let lowest = rows(&format!("evaluation/{key}?sort=lowest+F1"));
    let f1: Vec<f64> = lowest.iter().filter_map(|row| row[8].parse().ok()).collect();
    assert!(lowest.len() == 16 && f1.is_sorted() && f1[0] < f1[f1.len() - 1], "{lowest:?}");
    let highest = rows(&format!("evaluation/{key}?sort=highest+F1"));
    assert!(highest[0][8].starts_with('1'), "{highest:?}");
    assert_eq!(rows(&format!("evaluation/{key}?q=7")), [all[6].clone()]);
    assert_eq!(rows(&format!("evaluation/{key}?q=nothing+of+it")).len(), 0);
    // What there is not is told, with what there is.
    for (wrong, allowed) in [
        ("page=99999999999999999999", "1, 2, …"),
        ("page=-1", "1, 2, …"),
        ("page=9", "1 to 1"),
        ("outcome=zzz", "all right"),
        ("sort=zzz", "lowest F1"),
    ] {
        let refused = served.get(&format!("evaluation/{key}?{wrong}"), &HTML);
        assert!(refused.status == 400 && refused.text().contains(allowed), "{wrong}: {}", refused.text());
    }
    assert!(page(&format!("evaluation/{key}?q=%3Cscript%3E")).contains("value=\"&#60;script&#62;\""));
    // Programs have the statements, whatever stands behind `?`.
    let turtle = served.get(&format!("evaluation/{key}?q=a"), &[("accept", "text/turtle")]);
    assert!(turtle.header("content-type").starts_with("text/turtle"), "{}", turtle.header("content-type"));
    let terms = page("ns.html?q=blind");
    assert!(terms.contains(" rows. ") && terms.contains("value=\"blind\""), "{terms}");
    assert!(rows("ns?q=blind").len() < rows("ns").len());
    assert_eq!(rows("results?q=nothing+of+it").iter().filter(|row| row.len() == 9).count(), 0);
}

#[test]
fn questions_of_a_group_are_chosen() {
    let folder = example();
    evaluate(&folder, &["--groups", "gold.json", "aurora.json"]).ok();
    publish(&folder, &[&["--site", "web", "aurora"], &WHO[..]].concat()).ok();
    let served = Served::of(folder.path(), "kept", &[]);
    let key = key(&folder, "aurora");
    let page = |query: &str| served.get(&format!("evaluation/{key}?{query}"), &HTML);
    assert!(page("q=").text().contains("<option value=\"answertype-boolean\">"), "{}", page("q=").text());
    let known: serde_json::Value =
        serde_json::from_str(include_str!("../../../datasets/example/gold.json")).unwrap();
    let questions = known["questions"].as_array().unwrap();
    let booleans = questions.iter().filter(|one| one["answertype"] == "boolean").count();
    let chosen = page("group=answertype-boolean").text();
    assert!(booleans > 0 && chosen.contains(&format!("{booleans} of 16 questions in QA.")), "{chosen}");
    let refused = page("group=answertype-nothing");
    assert!(refused.status == 400 && refused.text().contains("answertype-boolean"), "{}", refused.text());
}
