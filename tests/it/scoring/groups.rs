//! Groups of questions: their sizes on a real file are those that an independent count gives, and all are declared.

use crate::common::{evaluation, mirror};
use qassay::base::query::{QUERIES, QueryFile};
use qassay::base::vocab::code;
use qassay::profiles::Profile;
use qassay::profiles::ontology;
use qassay::profiles::ontology::Family;

const QALD_9: &str =
    "ag-sc/QALD/7a43e2b99a523f74377c317630f5ec55a6d8c1cf/9/data/qald-9-test-multilingual.json";

/// Counted with a Python script that splits texts into words and looks for keywords in queries, save the numbers of
/// triple patterns, which are ours. Three of the 150 queries cannot be read: they are in no group of queries.
const SIZES: &[(&str, u64)] = &[
    ("aggregation-false", 139),
    ("aggregation-true", 11),
    ("answertype-boolean", 4),
    ("answertype-date", 12),
    ("answertype-number", 18),
    ("answertype-resource", 102),
    ("answertype-string", 14),
    ("feature-count", 12),
    ("feature-filter", 17),
    ("feature-group-by", 4),
    ("feature-having", 2),
    ("feature-limit", 12),
    ("feature-optional", 2),
    ("feature-order-by", 12),
    ("feature-union", 17),
    ("form-ask", 4),
    ("form-select", 146),
    ("hybrid-false", 150),
    ("language-de", 150),
    ("language-en", 150),
    ("language-es", 150),
    ("language-fa", 150),
    ("language-fr", 150),
    ("language-hi-in", 150),
    ("language-it", 150),
    ("language-nl", 150),
    ("language-pt", 150),
    ("language-pt-br", 20),
    ("language-ro", 150),
    ("language-ru", 150),
    ("onlydbo-false", 30),
    ("onlydbo-true", 120),
    ("patterns-1", 65),
    ("patterns-2", 45),
    ("patterns-3", 23),
    ("patterns-4-or-more", 17),
    ("questionword-how", 4),
    ("questionword-how-many", 13),
    ("questionword-imperative", 24),
    ("questionword-other", 2),
    ("questionword-what", 22),
    ("questionword-when", 11),
    ("questionword-where", 3),
    ("questionword-which", 41),
    ("questionword-who", 25),
    ("questionword-whom", 1),
    ("questionword-yes-no", 4),
];

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn group_sizes_of_qald_9() {
    let mirror = mirror();
    let file = mirror.join(QALD_9);
    let evaluation = evaluation(&file, &file, "qassay");
    let groups = evaluation["experiments"]["QA"]["groups"].as_object().expect("groups");
    let size = |measures: &serde_json::Value| measures["questionCount"].as_u64().expect("a count");
    let mut sizes: Vec<(&str, u64)> =
        groups.iter().map(|(name, measures)| (name.as_str(), size(measures))).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, SIZES);
}

#[test]
fn every_family_is_a_query_and_every_query_a_family() {
    let mut asked: Vec<&str> = Family::all().iter().map(|family| family.query.name).collect();
    asked.sort_unstable();
    assert_eq!(asked, QueryFile::folder("group").map(|query| query.name).collect::<Vec<_>>());
    for profile in Profile::all() {
        for name in profile.groups.iter().filter(|name| *name != qassay::scoring::groups::PROCESSED) {
            assert!(Family::all().iter().any(|family| family.name == *name), "{}: {name}", profile.name);
        }
    }
}

/// Every group that a query names, or puts together, is declared with its family.
#[test]
fn every_group_is_declared() {
    let declared: Vec<String> = [ontology::groups(), ontology::terms()]
        .iter()
        .flat_map(|facts| facts.subjects())
        .filter_map(|iri| iri.strip_prefix(code::NAMESPACE))
        .map(str::to_owned)
        .collect();
    for query in QUERIES.iter().filter(|query| query.name.starts_with("group/")) {
        for (at, _) in query.text.match_indices("code:group-") {
            let rest = query.text[at + "code:".len()..].chars();
            let name: String = rest.take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
            let is_declared = declared.contains(&name) || name.ends_with('-');
            assert!(is_declared, "{}: {name}", query.name);
        }
    }
    for word in "who whose whom what which when where why how".split(' ') {
        assert!(declared.contains(&format!("group-questionword-{word}")), "{word}");
    }
}
