//! The items of one question on either side, in the order in which GERBIL counts them.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::LazyLock;

use crate::profiles::era::Era;
use crate::scoring::gerbil::LabelLookup;
use crate::scoring::gerbil::java::{annotation_hash, hash_order, string_hash};
use crate::scoring::gerbil::known_kb::is_known;
use crate::scoring::gerbil::same_as::Retriever;
use crate::scoring::gerbil::uri::{is_iri_like, is_java_uri};

/// What an item is for the counting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKind {
    /// A string.
    Text,
    /// An entity.
    Annotation,
    /// An entity that a string is forced to if the string finds no partner (statement 2.4).
    Forced {
        /// The position of the string among the items.
        from: usize,
    },
}

/// One thing to match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GerbilAnswer {
    /// String, entity or forced entity.
    pub kind: AnswerKind,
    /// The string, or the URI as given.
    pub text: String,
    /// All URIs of an entity; none for a string.
    pub uris: Vec<String>,
    /// Whether the entity is in a known knowledge base (statement 3.5.1); false for a string.
    pub known: bool,
}

impl GerbilAnswer {
    fn text(text: String) -> Self {
        Self { kind: AnswerKind::Text, text, uris: Vec::new(), known: false }
    }

    fn annotation(text: String, uris: Vec<String>) -> Self {
        Self { kind: AnswerKind::Annotation, text, known: is_known(&uris), uris }
    }

    fn forced(from: usize, uri: String) -> Self {
        Self { kind: AnswerKind::Forced { from }, ..Self::annotation(uri.clone(), vec![uri]) }
    }

    /// The hash of the Java object (statement 2.5.3).
    pub fn hash(&self) -> i32 {
        if self.kind == AnswerKind::Text { string_hash(&self.text) } else { annotation_hash(&self.uris) }
    }

    /// Whether the URI sets share a member.
    fn overlaps(&self, other: &Self) -> bool {
        self.uris.iter().any(|uri| other.uris.contains(uri))
    }
}

/// The gold items: strings and entities in the order of the hash set, then forced items (statements 2.1, 2.3, 2.5.3).
///
/// Gold entities are not expanded (2.2.4) and gold strings not upgraded; era C does not force them (2.3.4).
pub fn gold_items(strings: &[String], era: Era, labels: LabelLookup<'_>) -> Vec<GerbilAnswer> {
    let mut items = java_set(typed(strings, era));
    if era != Era::C {
        push_forced(&mut items, labels);
    }
    items
}

/// The items of the system: strings and entities in the order of the hash set after the expansion, then forced
/// items (statements 2.1 to 2.3, 2.5.3).
pub fn system_items(
    strings: &[String],
    era: Era,
    retriever: &Retriever,
    labels: LabelLookup<'_>,
) -> Vec<GerbilAnswer> {
    let expanded = java_set(typed(strings, era)).into_iter().map(|item| processed(item, retriever));
    let mut items = java_set(merged(expanded));
    push_forced(&mut items, labels);
    items
}

/// The members of the typed answer set, in the order of the hash set of strings that the loader made.
fn typed(strings: &[String], era: Era) -> Vec<GerbilAnswer> {
    let (texts, make): (_, fn(String) -> GerbilAnswer) = match TypedAnswers::of(strings, era) {
        TypedAnswers::Strings(texts) => (texts, GerbilAnswer::text),
        TypedAnswers::Annotations(uris) => (uris, |uri| GerbilAnswer::annotation(uri.clone(), vec![uri])),
    };
    let hashes: Vec<i32> = texts.iter().map(|text| string_hash(text)).collect();
    in_order(texts, &hash_order(&hashes)).map(make).collect()
}

/// What becomes of an item of the system: entities and valid URLs are expanded (statements 2.2.1, 2.2.2).
fn processed(item: GerbilAnswer, retriever: &Retriever) -> GerbilAnswer {
    if item.kind == AnswerKind::Text && !is_valid_url(&item.text) {
        return item;
    }
    let uris = retriever.expand(&item.text);
    GerbilAnswer::annotation(item.text, uris)
}

/// Of entities with equal hashes and a common URI only the first stays (statement 2.2.3).
fn merged(items: impl IntoIterator<Item = GerbilAnswer>) -> Vec<GerbilAnswer> {
    let mut kept: Vec<GerbilAnswer> = Vec::new();
    let mut by_hash: BTreeMap<i32, Vec<usize>> = BTreeMap::new();
    for item in items {
        let equal_hash = by_hash.entry(item.hash()).or_default();
        if !equal_hash.iter().any(|&at| kept[at].overlaps(&item)) {
            equal_hash.push(kept.len());
            kept.push(item);
        }
    }
    kept
}

/// Distinct items in the order of a hash set into which they were put one by one.
fn java_set(items: Vec<GerbilAnswer>) -> Vec<GerbilAnswer> {
    let hashes: Vec<i32> = items.iter().map(GerbilAnswer::hash).collect();
    let mut ordered: Vec<GerbilAnswer> = in_order(items, &hash_order(&hashes)).collect();
    // a stable sort: strings and entities are counted apart
    ordered.sort_by_key(|item| item.kind != AnswerKind::Text);
    ordered
}

/// The elements at these positions; each position once.
fn in_order<T>(elements: Vec<T>, order: &[usize]) -> impl Iterator<Item = T> {
    let mut slots: Vec<Option<T>> = elements.into_iter().map(Some).collect();
    order.iter().filter_map(move |&at| slots[at].take()).collect::<Vec<_>>().into_iter()
}

/// Appends what each string would be forced to; the counting uses those of leftover strings only.
fn push_forced(items: &mut Vec<GerbilAnswer>, labels: LabelLookup<'_>) {
    let texts = items.iter().take_while(|item| item.kind == AnswerKind::Text).enumerate();
    let forced: Vec<GerbilAnswer> = texts
        .flat_map(|(from, item)| {
            force(&item.text, labels).into_iter().map(move |uri| GerbilAnswer::forced(from, uri))
        })
        .collect();
    items.extend(forced);
}

/// The URIs that stand for a literal, each an annotation of its own (statements 2.4.1 to 2.4.3).
///
/// A valid URL stands for itself and is not expanded by sameAs. Otherwise the literal is looked up as it is
/// (2.4.4: also with a language tag in it); without a hit it becomes a pseudo URI. `labels` is restricted to the
/// language of the question and gives its hits in the order in which they are to be paired.
pub fn force(literal: &str, labels: LabelLookup<'_>) -> Vec<String> {
    let itself = || vec![literal.to_owned()];
    if is_valid_url(literal) {
        return itself();
    }
    let hits = labels(literal);
    if hits.is_empty() { itself() } else { hits }
}

/// The answers of one side as GERBIL types them: the whole set becomes the one or the other (statement 2.1.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypedAnswers {
    /// URIs; also the empty set (statement 2.1.4).
    Annotations(Vec<String>),
    /// Strings, be there URIs among them or not.
    Strings(Vec<String>),
}

impl TypedAnswers {
    /// The typed set of these strings (statements 2.1.1 to 2.1.4): each once, in the order of its first mention.
    pub fn of(strings: &[String], era: Era) -> Self {
        let distinct = distinct(strings);
        if distinct.iter().all(|text| is_annotation(text, era)) {
            Self::Annotations(distinct)
        } else {
            Self::Strings(distinct)
        }
    }
}

/// Whether a member lets the set be one of annotations; the eras before C looked for no colon (section 0).
fn is_annotation(text: &str, era: Era) -> bool {
    is_java_uri(text) && (era != Era::C || is_iri_like(text))
}

/// Duplicates vanish by string equality (statement 2.1.1).
fn distinct(strings: &[String]) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    strings.iter().filter(|text| seen.insert(text.as_str())).cloned().collect()
}

/// The registered top-level domains, sorted.
static TOP_LEVEL_DOMAINS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("tlds.txt").lines().filter(|line| !line.starts_with('#')).collect());

/// Whether `UrlValidator` accepts this text as a URL (statement 2.2.2).
///
/// One thing differs: a host with letters beyond ASCII is judged as it stands and not in its ASCII form
/// (`IDN.toASCII`), so its length counts otherwise, a top-level domain beyond ASCII is unknown, and a user
/// beyond ASCII is never valid.
pub fn is_valid_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let known = ["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    // query and fragment: whatever the first test takes
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    known && is_java_uri(text) && is_valid_authority(authority) && is_valid_path(path)
}

fn is_valid_authority(authority: &str) -> bool {
    if let Some(bracketed) = authority.strip_prefix('[') {
        // `java.net.URI` has parsed the IPv6 address; of this one the port is not looked at
        return !bracketed.contains('%') && (!bracketed.contains('.') || bracketed.starts_with("::FFFF:"));
    }
    let host = match authority.split_once('@') {
        Some((user, host)) if is_user(user) => host,
        Some(_) => return false,
        None => authority,
    };
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    is_port(port) && (is_valid_domain(name) || is_valid_ipv4(name))
}

fn is_port(port: &str) -> bool {
    port.is_empty() || (port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok())
}

/// A name and perhaps a password. `java.net.URI` has tested the characters, except for those beyond ASCII.
fn is_user(user: &str) -> bool {
    user.is_ascii() && !user.is_empty() && !user.starts_with(':') && user.matches(':').count() <= 1
}

/// At least two labels, the last a registered top-level domain; a dot may follow.
fn is_valid_domain(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.len() <= 253
        && name.rsplit_once('.').is_some_and(|(labels, last)| {
            labels.split('.').all(is_label)
                && TOP_LEVEL_DOMAINS.binary_search(&last.to_ascii_lowercase().as_str()).is_ok()
        })
}

/// Letters, digits and inner hyphens.
fn is_label(label: &str) -> bool {
    let inside = |c: char| c == '-' || c.is_ascii_alphanumeric() || (!c.is_ascii() && c.is_alphanumeric());
    (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(inside)
}

fn is_valid_ipv4(name: &str) -> bool {
    name.parse::<Ipv4Addr>().is_ok()
}

/// A path of ASCII characters without `//` that does not climb above the root.
fn is_valid_path(path: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "/-_:@&?=+,.!~*'%$;()".contains(c);
    path.chars().all(allowed) && !path.contains("//") && !climbs_out(path)
}

/// Whether `..` leads above the root.
fn climbs_out(path: &str) -> bool {
    let mut depth = 0_usize;
    for segment in path.split('/').filter(|segment| !segment.is_empty() && *segment != ".") {
        match (segment, depth) {
            ("..", 0) => return true,
            ("..", _) => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profiles::same_as::Mode;

    const BERLIN: &str = "http://dbpedia.org/resource/Berlin";

    fn strings(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    fn system(texts: &[&str]) -> Vec<GerbilAnswer> {
        system_items(&strings(texts), Era::C, &Retriever::new(Mode::Static, []), &|_| vec![])
    }

    #[test]
    fn s_2_2_3_equal_closures_merge() {
        let items = system(&[BERLIN, "http://en.wikipedia.org/wiki/Berlin"]);
        assert_eq!(items.len(), 1);
        assert_eq!(items[0].uris.len(), 2);
        assert!(items[0].known);
    }

    #[test]
    fn s_2_2_2_urls_among_strings_are_upgraded() {
        let items = system(&[BERLIN, "foo bar", "http://dbpedia.org/resource/Köln"]);
        let kinds: Vec<AnswerKind> = items.iter().map(|item| item.kind).collect();
        let forced = [AnswerKind::Forced { from: 0 }, AnswerKind::Forced { from: 1 }];
        assert_eq!(kinds, [AnswerKind::Text, AnswerKind::Text, AnswerKind::Annotation, forced[0], forced[1]]);
        assert_eq!(items[2].text, BERLIN);
        assert_eq!([&items[3].text, &items[4].text], [&items[0].text, &items[1].text]);
    }

    #[test]
    fn s_2_2_4_gold_is_not_expanded() {
        let items = gold_items(&strings(&[BERLIN]), Era::C, &|_| vec![]);
        assert_eq!(items[0].uris, [BERLIN]);
    }

    #[test]
    fn s_2_3_4_gold_is_forced_before_era_c_only() {
        let count = |era| gold_items(&strings(&[BERLIN, "foo bar"]), era, &|_| vec![]).len();
        assert_eq!([count(Era::A), count(Era::B), count(Era::C)], [4, 4, 2]);
    }

    #[test]
    fn s_2_4_1_forced_urls_are_not_expanded() {
        let items = gold_items(&strings(&[BERLIN, "foo bar"]), Era::A, &|_| vec![]);
        let forced = items.iter().find(|item| item.text == BERLIN && item.kind != AnswerKind::Text);
        assert_eq!(forced.map(|item| item.uris.len()), Some(1));
    }
}

#[cfg(test)]
mod force_tests {
    use super::*;

    #[test]
    fn s_2_4_force() {
        let labels =
            |text: &str| if text == "Berlin" { vec!["x:1".to_owned(), "x:2".to_owned()] } else { vec![] };
        assert_eq!(force("Berlin", &labels), ["x:1", "x:2"]);
        assert_eq!(force("Berlin@en", &labels), ["Berlin@en"]);
        assert_eq!(force("http://a.org/b", &|_| vec!["x:1".to_owned()]), ["http://a.org/b"]);
        let koeln = "http://dbpedia.org/resource/Köln";
        assert_eq!(force(koeln, &|_| vec!["x:1".to_owned()]), ["x:1"], "no valid URL: looked up");
    }
}

#[cfg(test)]
mod answers_tests {
    use super::*;

    fn is_annotations(strings: &[&str], era: Era) -> bool {
        let strings: Vec<String> = strings.iter().map(|&text| text.to_owned()).collect();
        matches!(TypedAnswers::of(&strings, era), TypedAnswers::Annotations(_))
    }

    #[test]
    fn s_2_1_2_the_eras_differ_by_the_colon() {
        for (text, a, c) in [
            ("8", true, false),
            ("true", true, false),
            ("1990-01-01", true, false),
            ("1990-01-01T00:00:00Z", false, false),
            ("12:30", false, false),
            ("a:b", true, true),
            ("New York", false, false),
            ("http://dbpedia.org/resource/Köln", true, true),
        ] {
            assert_eq!(is_annotations(&[text], Era::A), a, "{text}");
            assert_eq!(is_annotations(&[text], Era::B), a, "{text}");
            assert_eq!(is_annotations(&[text], Era::C), c, "{text}");
        }
    }

    #[test]
    fn s_2_1_3_one_literal_makes_all_strings() {
        assert!(!is_annotations(&["http://dbpedia.org/resource/A", "foo bar"], Era::C));
        assert!(!is_annotations(&["http://dbpedia.org/resource/A", "foo bar"], Era::A));
    }

    #[test]
    fn s_2_1_4_the_empty_set_is_of_annotations() {
        assert!(is_annotations(&[], Era::C));
    }

    #[test]
    fn s_2_1_1_duplicates_vanish() {
        let strings = ["b", "a", "b"].map(str::to_owned);
        assert_eq!(
            TypedAnswers::of(&strings, Era::C),
            TypedAnswers::Strings(vec!["b".to_owned(), "a".to_owned()])
        );
    }
}

#[cfg(test)]
mod url_tests {
    use super::*;

    #[test]
    fn s_2_2_2_valid_urls() {
        let accepted = [
            "http://a.org",
            "HTTP://A.ORG/",
            "ftp://a.org/b",
            "https://a.b.de:80/c",
            "http://a.org:/",
            "http://u@a.org",
            "http://u:p@a.org/",
            "http://1.2.3.4/x",
            "http://a.org./",
            "http://a.org/b/../c",
            "http://a.org/..a",
            "http://a.org?q=é[1]",
            "http://a.org/b#c",
            "http://a.org#é",
            "http://[::1]/a",
            "http://xn--kln-sna.de/",
            "http://köln.de/",
            "http://a.org/a%C3%B6_(b)'c,d+e&f!g;h",
        ];
        for text in accepted {
            assert!(is_valid_url(text), "{text}");
        }
        let rejected = [
            "",
            "a.org",
            "//a.org",
            "http:a.org",
            "http:/a.org",
            "http:///a",
            "http://a/b",
            "http://localhost/",
            "http://a.invalidtld/",
            "mailto:a@b.org",
            "http://a.org//b",
            "http://a.org/../b",
            "http://a.org/..",
            "http://a.org/b c",
            "http://a.org/é",
            "http://a.org/100%",
            "http://a.org:99999/",
            "http://a.org:x/",
            "http://-a.org/",
            "http://u@[::1]/",
            "http://[::1.2.3.4]/",
            "http://u:p:q@a.org/",
            "http://a_b.org/",
            "http://1.2.3/",
            "http://256.1.1.1/",
            "http://a..org/",
        ];
        for text in rejected {
            assert!(!is_valid_url(text), "{text}");
        }
    }

    #[test]
    fn the_list_of_top_level_domains_is_sorted() {
        assert!(TOP_LEVEL_DOMAINS.is_sorted() && TOP_LEVEL_DOMAINS.len() == 1509);
        assert!(
            TOP_LEVEL_DOMAINS
                .iter()
                .all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
        );
    }
}
