//! What a harvested file says about itself: its records are made of its bytes, and verified against them.

use std::io::Read;

use oxigraph::model::NamedNode;

use crate::sources::file::source::Source;

/// The most bytes that the first lines may have.
const LONGEST: u64 = 1 << 14;

/// Where a file was harvested, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The address of the endpoint.
    pub source: String,
    /// When: `xsd:dateTime`.
    pub time: String,
}

/// What the head of a harvested file says; nothing for any other file.
pub fn head(source: &Source) -> Option<Head> {
    let mut start = Vec::new();
    let read = source.with_bytes(|bytes| Ok(bytes.take(LONGEST).read_to_end(&mut start).is_ok()));
    read.ok().filter(|is_read| *is_read)?;
    let text = String::from_utf8_lossy(&start);
    let mut lines = text.lines();
    lines.next().filter(|what| what.starts_with("# ") && what.ends_with(" resources or texts"))?;
    let from = lines.next()?.strip_prefix("# from <")?.strip_suffix('>')?;
    let (time, _) = lines.next()?.strip_prefix("# at ")?.split_once(", by qassay ")?;
    let is_time = time.len() <= 40
        && time.ends_with('Z')
        && time.starts_with(|c: char| c.is_ascii_digit())
        && time.contains('T')
        && time.bytes().all(|byte| byte.is_ascii_digit() || b"-:.TZ".contains(&byte));
    NamedNode::new(from).ok().filter(|_| is_time)?;
    Some(Head { source: from.to_owned(), time: time.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Head> {
        head(&Source::from_bytes("x.nt", text.as_bytes().to_vec()).unwrap())
    }

    #[test]
    fn only_a_harvested_file_has_a_head() {
        let good = "# labels: 1 statements about 2 resources or texts\n# from <http://a/sparql?x=1>\n# at 2026-11-21T09:00:00.25Z, by qassay 0.1.0\n<http://a> <http://b> <http://c> .\n";
        let told = of(good).unwrap();
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
            assert_eq!(of(&other), None, "{other}");
        }
    }
}
