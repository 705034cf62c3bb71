//! GERBIL's sameAs retrieval without the network (statements 4.2 to 4.4).
//!
//! Not emulated: the redirects that the API of Wikipedia gives, dereferencing by HTTP, and the cache with its
//! history (4.3.4), whose final state the mode `equivalence` approaches.

use std::collections::{BTreeMap, BTreeSet};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::profiles::same_as::Mode;

/// Wikipedias with a bridge to the DBpedia of their language; the English one is apart (statement 4.2.3).
const BRIDGED: &[&str] =
    &["bg", "ca", "cs", "de", "es", "eu", "fr", "hu", "id", "it", "ja", "ko", "nl", "pl", "pt", "ru", "tr"];

/// Domains whose URIs are dropped where they are found (statement 4.3.1).
const BLACKLIST: &[&str] = &["data.nytimes.com"];

/// Where the crawl ends. GERBIL has no limit (statement 4.3.2); a URI that is encoded thousands of times would fill the
/// memory, and no real closure comes near.
const MOST_BYTES: usize = 4_000_000;

/// Finds all URIs that stand for the same thing (statements 4.1 to 4.3), by links in the order given.
#[derive(Debug, Clone)]
pub struct Retriever {
    mode: Mode,
    /// The objects of the links of a subject.
    objects: BTreeMap<String, Vec<String>>,
    /// The subjects of the links of an object.
    subjects: BTreeMap<String, Vec<String>>,
}

impl Retriever {
    /// A retriever by pairs of subject and object; they are looked at in the modes `closure`, `equivalence` and `links`
    /// only.
    pub fn new(mode: Mode, links: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut retriever = Self { mode, objects: BTreeMap::new(), subjects: BTreeMap::new() };
        for (subject, object) in links {
            retriever.subjects.entry(object.clone()).or_default().push(subject.clone());
            retriever.objects.entry(subject).or_default().push(object);
        }
        retriever
    }

    /// The URI and all that is found from it, breadth-first until nothing new appears (statement 4.3.2).
    pub fn expand(&self, uri: &str) -> Vec<String> {
        let mut bytes = 0;
        let mut found = vec![uri.to_owned()];
        let mut seen = BTreeSet::from([uri.to_owned()]);
        let mut next = 0;
        while let Some(current) = found.get(next).filter(|_| self.mode != Mode::None && bytes < MOST_BYTES) {
            for other in self.neighbours(current) {
                if !is_blacklisted(&other) && seen.insert(other.clone()) {
                    bytes += other.len();
                    found.push(other);
                }
            }
            next += 1;
        }
        found
    }

    /// What one round finds from one URI: the static retrievers first, then those of the domain (4.2.2, 4.2.3).
    fn neighbours(&self, uri: &str) -> Vec<String> {
        let mut others: Vec<String> = Vec::new();
        if self.mode != Mode::Links {
            others.extend([fixed_host(uri), variant(uri), bridged(uri)].into_iter().flatten());
        }
        if self.mode.uses_links() {
            others.extend(self.objects.get(uri).into_iter().flatten().cloned());
        }
        if self.mode == Mode::Equivalence {
            others.extend(self.subjects.get(uri).into_iter().flatten().cloned());
        }
        others
    }
}

/// The text between `://` and the following `/` or `:` (statement 4.2.1), or the end.
pub fn domain(uri: &str) -> Option<&str> {
    let (_, rest) = uri.split_once("://")?;
    rest.split(['/', ':']).next()
}

fn is_blacklisted(uri: &str) -> bool {
    domain(uri).is_some_and(|domain| BLACKLIST.contains(&domain))
}

/// Error fixing: the English DBpedia has no host of its own (statement 4.2.2 a).
fn fixed_host(uri: &str) -> Option<String> {
    (domain(uri)? == "en.dbpedia.org").then(|| uri.replacen("://en.dbpedia.org", "://dbpedia.org", 1))
}

/// The article of a resource and the resource of an article (statement 4.2.3).
fn bridged(uri: &str) -> Option<String> {
    let (host, path) = uri.strip_prefix("http://")?.split_once('/')?;
    let (language, site) = match host {
        "dbpedia.org" => ("en", "dbpedia"),
        _ => host.strip_suffix(".org")?.split_once('.')?,
    };
    let is_bridged = BRIDGED.contains(&language) || (language == "en" && host != "en.dbpedia.org");
    match site {
        _ if !is_bridged => None,
        "dbpedia" => {
            Some(format!("http://{language}.wikipedia.org/wiki/{}", path.strip_prefix("resource/")?))
        }
        "wikipedia" => {
            let title = path.strip_prefix("wiki/")?;
            let host = if language == "en" { "dbpedia".to_owned() } else { format!("{language}.dbpedia") };
            Some(format!("http://{host}.org/resource/{title}"))
        }
        _ => None,
    }
}

/// What `URLEncoder` writes as an escape; blanks become plus signs afterwards.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'.').remove(b'-').remove(b'*').remove(b'_').remove(b' ');

/// The URI with its last segment decoded if that holds an escape, else encoded; none where nothing changes
/// (statement 4.2.2 b).
pub(crate) fn variant(uri: &str) -> Option<String> {
    let (head, segment) = uri.split_at(uri.rfind(['/', '#'])? + 1);
    let changed = if has_escape(segment) { decoded(segment)? } else { encoded(segment) };
    (changed != segment).then(|| format!("{head}{changed}"))
}

fn has_escape(text: &str) -> bool {
    text.as_bytes().windows(3).any(|window| escaped_byte(window).is_some())
}

/// The byte that `%hh` at the start of this text stands for.
fn escaped_byte(text: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    match text {
        [b'%', high, low, ..] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    }
}

/// `URLDecoder.decode`: also `+` as a blank; nothing where an escape is broken (Java throws there). Bytes that
/// are no UTF-8 become U+FFFD.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let (byte, left) = match first {
            b'%' => (escaped_byte(rest)?, &rest[3..]),
            b'+' => (b' ', after),
            other => (other, after),
        };
        bytes.push(byte);
        rest = left;
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// `URLEncoder.encode` with UTF-8.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string().replace(' ', "+")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARIS: &str = "http://dbpedia.org/resource/Paris";
    const WD: &str = "http://www.wikidata.org/entity/Q75";
    const EN: &str = "http://en.wikipedia.org/wiki/Paris";

    fn closure(mode: Mode, uri: &str) -> Vec<String> {
        let mut found = Retriever::new(mode, [(PARIS.to_owned(), WD.to_owned())]).expand(uri);
        found.sort_unstable();
        found
    }

    #[test]
    fn a_crawl_that_would_not_end_ends() {
        let uri = format!("http://dbpedia.org/resource/%{}", "25".repeat(30_000));
        let found = Retriever::new(Mode::Static, []).expand(&uri);
        assert!(found.iter().map(String::len).sum::<usize>() < 2 * MOST_BYTES);
    }

    #[test]
    fn s_4_3_3_closures() {
        assert_eq!(closure(Mode::Closure, PARIS), [PARIS, EN, WD]);
        assert_eq!(closure(Mode::Closure, EN), [PARIS, EN, WD]);
        let wrong = "http://en.dbpedia.org/resource/Paris";
        assert_eq!(closure(Mode::Closure, wrong), [PARIS, wrong, EN, WD]);
        assert_eq!(closure(Mode::Closure, WD), [WD]);
        let german = ["http://de.dbpedia.org/resource/Paris", "http://de.wikipedia.org/wiki/Paris"];
        for uri in german {
            assert_eq!(closure(Mode::Closure, uri), german);
        }
    }

    #[test]
    fn s_4_3_6_modes() {
        assert_eq!(closure(Mode::None, PARIS), [PARIS]);
        assert_eq!(closure(Mode::Static, PARIS), [PARIS, EN]);
        assert_eq!(closure(Mode::Equivalence, WD), [PARIS, EN, WD]);
    }

    #[test]
    fn s_4_2_1_domain() {
        let cases = [
            ("http://a.org/b", Some("a.org")),
            ("http://a.org:80/b", Some("a.org")),
            ("http://a.org", Some("a.org")),
            ("urn:isbn:1", None),
        ];
        for (uri, expected) in cases {
            assert_eq!(domain(uri), expected, "{uri}");
        }
    }

    #[test]
    fn s_4_2_3_bridge() {
        let pairs = [
            ("http://en.wikipedia.org/wiki/A", Some(PARIS.replace("Paris", "A"))),
            ("http://tr.wikipedia.org/wiki/A", Some("http://tr.dbpedia.org/resource/A".to_owned())),
            ("http://ja.dbpedia.org/resource/A", Some("http://ja.wikipedia.org/wiki/A".to_owned())),
            ("http://sv.wikipedia.org/wiki/A", None),
            ("https://en.wikipedia.org/wiki/A", None),
            ("http://dbpedia.org/ontology/A", None),
            ("http://en.dbpedia.org/resource/A", None),
        ];
        for (uri, expected) in pairs {
            assert_eq!(bridged(uri), expected, "{uri}");
        }
    }

    #[test]
    fn s_4_3_1_blacklist() {
        let links = [("http://a.org/b".to_owned(), "http://data.nytimes.com/1".to_owned())];
        assert_eq!(Retriever::new(Mode::Closure, links).expand("http://a.org/b"), ["http://a.org/b"]);
    }

    #[test]
    fn s_4_2_2_variants_in_the_closure() {
        let plain = "http://dbpedia.org/resource/Köln";
        let found = closure(Mode::Static, "http://dbpedia.org/resource/K%C3%B6ln");
        assert!(found.contains(&plain.to_owned()), "{found:?}");
        assert!(found.contains(&"http://en.wikipedia.org/wiki/Köln".to_owned()), "{found:?}");
    }
}

#[cfg(test)]
mod segment_tests {
    use super::*;

    #[test]
    fn s_4_2_2_encoding_of_the_last_segment() {
        let cases = [
            ("http://a/Köln", Some("http://a/K%C3%B6ln")),
            ("http://a/K%c3%b6ln", Some("http://a/Köln")),
            ("http://a/b (c),d~e", Some("http://a/b+%28c%29%2Cd%7Ee")),
            ("http://a/b%20c+d", Some("http://a/b c d")),
            ("http://a/C++", Some("http://a/C%2B%2B")),
            ("http://ä/b#c'd", Some("http://ä/b#c%27d")),
            ("http://a/%41%zz", None),
            ("http://a/b.c-d_e*", None),
            ("http://a/", None),
            ("8é", None),
        ];
        for (uri, expected) in cases {
            assert_eq!(variant(uri).as_deref(), expected, "{uri}");
        }
    }
}
