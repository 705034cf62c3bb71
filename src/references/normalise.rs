//! Normal forms of IRIs: the ways in which one resource is written, each with a name that a match records.
//!
//! RFC 3986, section 6.2 and RFC 3987, section 5.3 define the general ones; the others are habits of the
//! knowledge bases that the benchmarks ask about.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A normalisation: its concept in `code:normalisation`, and what it does to an IRI that it concerns.
#[derive(Debug)]
struct Normalisation {
    /// The local name of the concept.
    name: &'static str,
    /// Whether links are closed with it, whatever the profile: those that the first profiles have.
    of_links: bool,
    rewrite: fn(&str) -> Option<String>,
}

/// All normalisations of IRIs in the order in which they apply.
static NORMALISATIONS: &[Normalisation] = &[
    Normalisation { name: "norm-ampersand", of_links: false, rewrite: ampersand },
    Normalisation { name: "norm-host-case", of_links: false, rewrite: host_case },
    Normalisation { name: "norm-default-port", of_links: false, rewrite: default_port },
    Normalisation { name: "norm-empty-path", of_links: false, rewrite: empty_path },
    Normalisation { name: "norm-scheme", of_links: true, rewrite: scheme },
    Normalisation { name: "norm-dbpedia-language-host", of_links: true, rewrite: dbpedia_host },
    Normalisation { name: "norm-dbpedia-page", of_links: true, rewrite: dbpedia_page },
    Normalisation { name: "norm-wikidata-host", of_links: true, rewrite: wikidata_host },
    Normalisation { name: "norm-wikidata-page", of_links: true, rewrite: wikidata_page },
    Normalisation { name: "norm-wikidata-data", of_links: false, rewrite: wikidata_data },
    Normalisation { name: "norm-percent-encoding", of_links: true, rewrite: percent_encoding },
    Normalisation { name: "norm-unicode", of_links: true, rewrite: unicode },
];

/// The normal form of an IRI and the normalisations that changed it; the IRI itself where none did.
pub fn normal_form<'a>(iri: &'a str, enabled: &dyn Fn(&str) -> bool) -> (Cow<'a, str>, Vec<&'static str>) {
    let mut form = Cow::Borrowed(iri);
    let mut applied = Vec::new();
    if is_plain(iri) {
        return (form, applied);
    }
    for normalisation in NORMALISATIONS.iter().filter(|normalisation| enabled(normalisation.name)) {
        if let Some(changed) = (normalisation.rewrite)(&form) {
            form = Cow::Owned(changed);
            applied.push(normalisation.name);
        }
    }
    (form, applied)
}

/// Whether links are closed with a normalisation, whatever the profile.
pub fn is_of_links(name: &str) -> bool {
    of_links().any(|(known, _)| known == name)
}

fn of_links() -> impl Iterator<Item = (&'static str, u8)> {
    let all = NORMALISATIONS.iter().filter(|normalisation| normalisation.of_links);
    all.map(|normalisation| normalisation.name).zip(0..)
}

/// The normalisations of links as bits, in the order in which they apply.
pub(crate) fn bits(applied: &[&str]) -> u8 {
    of_links().fold(0, |bits, (name, place)| bits | (u8::from(applied.contains(&name)) << place))
}

/// The normalisations that bits stand for.
pub(crate) fn of_bits(bits: u8) -> impl Iterator<Item = &'static str> {
    of_links().filter(move |(_, place)| bits & (1 << place) != 0).map(|(name, _)| name)
}

/// Most IRIs of most files: nothing to do, seen at a glance.
fn is_plain(iri: &str) -> bool {
    let is_known = || {
        let is_entity =
            || iri.strip_prefix("http://www.wikidata.org/entity/").is_some_and(|id| !id.contains('.'));
        let known = ["http://dbpedia.org/resource/", "http://dbpedia.org/ontology/"];
        known.iter().any(|prefix| iri.starts_with(prefix)) || is_entity()
    };
    let is_foreign = || {
        let rest = iri.strip_prefix("http://").filter(|rest| has_plain_host(rest));
        rest.is_some() && !iri.contains("dbpedia.org/") && !iri.contains("wikidata.org/")
    };
    iri.bytes().all(|b| b != b'%' && b != b'&' && b.is_ascii()) && (is_known() || is_foreign())
}

/// Whether there is a host without capital letters and without port, and a path.
fn has_plain_host(rest: &str) -> bool {
    let end = rest.bytes().position(|byte| !matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-'));
    end.is_some_and(|end| end > 0 && rest.as_bytes()[end] == b'/')
}

/// Scheme, authority and the rest of an address of the web.
fn web_parts(iri: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = iri.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    (is_web && !authority.is_empty()).then_some((scheme, authority, path))
}

/// An ampersand that was escaped for HTML or XML once too often: the gold standard of QALD-5 has some.
fn ampersand(iri: &str) -> Option<String> {
    iri.contains("&amp;").then(|| iri.replace("&amp;", "&"))
}

/// Scheme and host in lower case (RFC 3986, section 6.2.2.1); what stands before an `@` keeps its letters.
fn host_case(iri: &str) -> Option<String> {
    let (scheme, authority, path) = web_parts(iri)?;
    let (user, host) = authority.split_at(authority.rfind('@').map_or(0, |at| at + 1));
    let lower = format!("{}://{user}{}{path}", scheme.to_ascii_lowercase(), host.to_ascii_lowercase());
    (lower != iri).then_some(lower)
}

/// The port that the scheme has anyway, or an empty one, left out (RFC 3986, section 6.2.3).
fn default_port(iri: &str) -> Option<String> {
    let (scheme, authority, path) = web_parts(iri)?;
    let (host, port) = authority.rsplit_once(':')?;
    let usual = if scheme.eq_ignore_ascii_case("http") { "80" } else { "443" };
    (port.is_empty() || port == usual).then(|| format!("{scheme}://{host}{path}"))
}

/// An empty path as `/` (RFC 3986, section 6.2.3).
fn empty_path(iri: &str) -> Option<String> {
    let (scheme, authority, path) = web_parts(iri)?;
    (!path.starts_with('/')).then(|| format!("{scheme}://{authority}/{path}"))
}

/// `https` as `http`: the knowledge bases serve and name the same resources by both.
fn scheme(iri: &str) -> Option<String> {
    iri.strip_prefix("https://").map(|rest| format!("http://{rest}"))
}

/// The English DBpedia under its other hosts.
fn dbpedia_host(iri: &str) -> Option<String> {
    ["http://en.dbpedia.org/", "http://www.dbpedia.org/"]
        .iter()
        .find_map(|host| iri.strip_prefix(host))
        .map(|rest| format!("http://dbpedia.org/{rest}"))
}

/// Page and data addresses of DBpedia, of all languages, as the resource they are about.
fn dbpedia_page(iri: &str) -> Option<String> {
    let (host, path) = iri.strip_prefix("http://")?.split_once('/')?;
    if host != "dbpedia.org" && !host.ends_with(".dbpedia.org") {
        return None;
    }
    let name = match path.split_once('/')? {
        ("page", name) => name,
        ("data", name) => {
            let endings = [".json", ".jsod", ".ttl", ".rdf", ".n3", ".ntriples", ".nt", ".atom"];
            endings.iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
        }
        _ => return None,
    };
    Some(format!("http://{host}/resource/{name}"))
}

/// Wikidata under its other hosts.
fn wikidata_host(iri: &str) -> Option<String> {
    ["http://wikidata.org/", "http://m.wikidata.org/"]
        .iter()
        .find_map(|host| iri.strip_prefix(host))
        .map(|rest| format!("http://www.wikidata.org/{rest}"))
}

/// Wiki pages and data addresses of Wikidata as the entity they are about.
fn wikidata_page(iri: &str) -> Option<String> {
    let path = iri.strip_prefix("http://www.wikidata.org/wiki/")?;
    let id = ["Special:EntityData/", "Special:EntityPage/", "Property:", "Lexeme:", "Item:"]
        .iter()
        .find_map(|prefix| path.strip_prefix(prefix))
        .unwrap_or(path);
    entity(id.split_once('.').map_or(id, |(id, _)| id))
}

/// The other addresses of the data of an entity of Wikidata, as the entity.
fn wikidata_data(iri: &str) -> Option<String> {
    const DATA: [&str; 3] = ["Special:EntityData", "Special%3AEntityData", "Special%3aEntityData"];
    let path = iri.strip_prefix("http://www.wikidata.org/")?;
    let of_entity = || path.strip_prefix("entity/").filter(|id| id.contains('.'));
    let page = path.strip_prefix("wiki/").or_else(|| path.strip_prefix("w/index.php?title="));
    let of_data = || {
        let rest = page.and_then(|page| DATA.iter().find_map(|name| page.strip_prefix(name)))?;
        rest.strip_prefix(['/', '?', '&']).map(|rest| rest.strip_prefix("id=").unwrap_or(rest))
    };
    let id = of_entity().or_else(of_data)?;
    entity(&id[..id.find(['.', '?', '&', '#']).unwrap_or(id.len())])
}

/// The entity of Wikidata with an id.
fn entity(id: &str) -> Option<String> {
    let is_id =
        id.len() > 1 && id.starts_with(['Q', 'P', 'L']) && id[1..].bytes().all(|byte| byte.is_ascii_digit());
    is_id.then(|| format!("http://www.wikidata.org/entity/{id}"))
}

/// Percent-encoded characters as themselves, where an IRI may hold them; the other escapes in upper case.
fn percent_encoding(iri: &str) -> Option<String> {
    if !iri.contains('%') {
        return None;
    }
    let mut out: Vec<u8> = Vec::with_capacity(iri.len());
    let mut rest = iri;
    while let Some(at) = rest.find('%') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let escapes = escape_run(&rest.as_bytes()[at..]);
        push_decoded(&mut out, &escapes);
        let length = (escapes.len() * 3).max(1);
        if escapes.is_empty() {
            out.push(b'%');
        }
        rest = &rest[at + length..];
    }
    out.extend_from_slice(rest.as_bytes());
    let decoded = String::from_utf8(out).ok()?;
    (decoded != iri).then_some(decoded)
}

/// The bytes of the escapes that follow each other from here on.
fn escape_run(bytes: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).and_then(|value| u8::try_from(value).ok());
    bytes
        .chunks_exact(3)
        .map_while(|chunk| match chunk {
            [b'%', high, low] => Some(digit(*high)? << 4 | digit(*low)?),
            _ => None,
        })
        .collect()
}

/// Bytes as characters where they are UTF-8 and may stand in an IRI, else as escapes.
fn push_decoded(out: &mut Vec<u8>, bytes: &[u8]) {
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            let mut buffer = [0; 4];
            let encoded = character.encode_utf8(&mut buffer).as_bytes();
            if stays_encoded(character) { push_escaped(out, encoded) } else { out.extend_from_slice(encoded) }
        }
        push_escaped(out, chunk.invalid());
    }
}

fn push_escaped(out: &mut Vec<u8>, bytes: &[u8]) {
    for byte in bytes {
        out.extend_from_slice(format!("%{byte:02X}").as_bytes());
    }
}

/// Characters that an IRI must not hold, and those that would change how it is taken apart.
fn stays_encoded(character: char) -> bool {
    character.is_control()
        || character.is_whitespace()
        || matches!(
            character,
            '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`' | '%' | '/' | '?' | '#' | '[' | ']'
        )
        || matches!(u32::from(character), 0xE000..=0xF8FF | 0xFFF0..=0xFFFF | 0xF_0000..)
}

/// Unicode NFC.
fn unicode(iri: &str) -> Option<String> {
    if is_nfc_quick(iri.chars()) == IsNormalized::Yes {
        return None;
    }
    let composed: String = iri.nfc().collect();
    (composed != iri).then_some(composed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_normalisation_does_its_own_and_is_named() {
        let cases = [
            ("https://dbpedia.org/resource/A", "http://dbpedia.org/resource/A", vec!["norm-scheme"]),
            (
                "http://en.dbpedia.org/resource/A",
                "http://dbpedia.org/resource/A",
                vec!["norm-dbpedia-language-host"],
            ),
            ("http://de.dbpedia.org/resource/A", "http://de.dbpedia.org/resource/A", vec![]),
            ("http://dbpedia.org/page/A", "http://dbpedia.org/resource/A", vec!["norm-dbpedia-page"]),
            ("http://dbpedia.org/data/A.json", "http://dbpedia.org/resource/A", vec!["norm-dbpedia-page"]),
            (
                "http://wikidata.org/entity/Q1",
                "http://www.wikidata.org/entity/Q1",
                vec!["norm-wikidata-host"],
            ),
            (
                "http://www.wikidata.org/wiki/Q64",
                "http://www.wikidata.org/entity/Q64",
                vec!["norm-wikidata-page"],
            ),
            (
                "http://www.wikidata.org/wiki/Special:EntityData/Q64.json",
                "http://www.wikidata.org/entity/Q64",
                vec!["norm-wikidata-page"],
            ),
            (
                "http://www.wikidata.org/wiki/Special:EntityData/Q64?flavor=dump",
                "http://www.wikidata.org/entity/Q64",
                vec!["norm-wikidata-data"],
            ),
            (
                "https://www.wikidata.org/wiki/Special:EntityData?id=Q64&format=json",
                "http://www.wikidata.org/entity/Q64",
                vec!["norm-scheme", "norm-wikidata-data"],
            ),
            (
                "http://www.wikidata.org/entity/Q64.ttl",
                "http://www.wikidata.org/entity/Q64",
                vec!["norm-wikidata-data"],
            ),
            (
                "http://www.wikidata.org/wiki/Special:EntityDataX/Q6",
                "http://www.wikidata.org/wiki/Special:EntityDataX/Q6",
                vec![],
            ),
            (
                "http://dbpedia.org/resource/A_&amp;_B",
                "http://dbpedia.org/resource/A_&_B",
                vec!["norm-ampersand"],
            ),
            ("http://dbpedia.org/resource/A_&amp_B", "http://dbpedia.org/resource/A_&amp_B", vec![]),
            ("http://Example.ORG/Path", "http://example.org/Path", vec!["norm-host-case"]),
            ("HTTP://Me@Example.org/", "http://Me@example.org/", vec!["norm-host-case"]),
            ("http://example.org:80/a", "http://example.org/a", vec!["norm-default-port"]),
            ("https://example.org:443/a", "http://example.org/a", vec!["norm-default-port", "norm-scheme"]),
            ("http://example.org:443/a", "http://example.org:443/a", vec![]),
            ("http://example.org:8080/a", "http://example.org:8080/a", vec![]),
            ("http://example.org", "http://example.org/", vec!["norm-empty-path"]),
            ("http://example.org?q", "http://example.org/?q", vec!["norm-empty-path"]),
            ("http://example.org/a/", "http://example.org/a/", vec![]),
            ("urn:Example:A", "urn:Example:A", vec![]),
            (
                "HTTPS://DBpedia.org:443/resource/A",
                "http://dbpedia.org/resource/A",
                vec!["norm-host-case", "norm-default-port", "norm-scheme"],
            ),
            ("http://sws.geonames.org/1/", "http://sws.geonames.org/1/", vec![]),
            ("http://www.wikidata.org/wiki/Help", "http://www.wikidata.org/wiki/Help", vec![]),
            (
                "http://dbpedia.org/resource/Aida_%28musical%29",
                "http://dbpedia.org/resource/Aida_(musical)",
                vec!["norm-percent-encoding"],
            ),
            ("http://a/%c3%a9%2f%ff%zz%", "http://a/é%2F%FF%zz%", vec!["norm-percent-encoding"]),
            ("http://a/e\u{301}", "http://a/é", vec!["norm-unicode"]),
            (
                "https://en.dbpedia.org/page/Caf%C3%A9",
                "http://dbpedia.org/resource/Café",
                vec![
                    "norm-scheme",
                    "norm-dbpedia-language-host",
                    "norm-dbpedia-page",
                    "norm-percent-encoding",
                ],
            ),
        ];
        for (iri, form, applied) in cases {
            let found = normal_form(iri, &|_| true);
            assert_eq!((found.0.as_ref(), found.1), (form, applied), "{iri}");
            assert_eq!(normal_form(form, &|_| true).0, form, "normal forms are fixed points");
        }
    }

    proptest::proptest! {
        #[test]
        fn normal_forms_are_fixed_points(path in "[a-z%0-9A-F/é ]{0,20}", https in proptest::bool::ANY) {
            let iri = format!("http{}://en.dbpedia.org/{path}", if https { "s" } else { "" });
            let form = normal_form(&iri, &|_| true).0.into_owned();
            let again = normal_form(&form, &|_| true).0.into_owned();
            proptest::prop_assert_eq!(&again, &normal_form(&again, &|_| true).0);
        }
    }
}
