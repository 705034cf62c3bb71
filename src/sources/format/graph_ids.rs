//! Ids that benchmarks write in place of IRIs: one rule for each knowledge graph.

use crate::base::issue::IssueCode;
use crate::sources::format::context::Context;

/// How the ids of a knowledge graph become IRIs.
#[derive(Debug)]
pub(crate) struct IdRule {
    graph: &'static str,
    /// What stands before the id.
    before: &'static str,
    /// The id as it stands in IRIs; none for what has not the form of one.
    id: fn(&str) -> Option<String>,
}

/// `Q42` and `P31`, the items and properties of Wikidata.
pub(crate) static WIKIDATA: IdRule = IdRule {
    graph: "Wikidata",
    before: "http://www.wikidata.org/entity/",
    id: |text| {
        let number = text.strip_prefix(['Q', 'P'])?;
        has(number, |byte| byte.is_ascii_digit()).then(|| text.to_owned())
    },
};

/// `m.0abc` and `g.11x` of Freebase, which are `/m/0abc` and `/g/11x` too.
pub(crate) static FREEBASE: IdRule = IdRule {
    graph: "Freebase",
    before: "http://rdf.freebase.com/ns/",
    id: |text| {
        let (kind, rest) = match text.strip_prefix('/') {
            Some(path) => path.split_once('/')?,
            None => text.split_once('.')?,
        };
        let is_rest = has(rest, |byte| byte.is_ascii_digit() || byte.is_ascii_lowercase() || byte == b'_');
        (matches!(kind, "m" | "g") && is_rest).then(|| format!("{kind}.{rest}"))
    },
};

fn has(text: &str, only: fn(u8) -> bool) -> bool {
    !text.is_empty() && text.bytes().all(only)
}

impl IdRule {
    /// The IRI of what has the form of an id.
    pub(crate) fn iri(&self, text: &str) -> Option<String> {
        Some([self.before, &(self.id)(text)?].concat())
    }

    /// The IRI of what the file calls an entity; what has not the form of an id stays as written, with an issue.
    pub(crate) fn of_entity(&self, text: String, here: &mut Context) -> String {
        self.iri(&text).unwrap_or_else(|| {
            let message = format!("`{text}` is no id of {}; it is used as written", self.graph);
            here.note(IssueCode::InvalidIri, message);
            text
        })
    }
}

/// The id in the IRI of an item of Freebase or Wikidata; what is none stays as it is.
pub(crate) fn entity_id(value: &str) -> &str {
    let mut ids = [&FREEBASE, &WIKIDATA].into_iter().filter_map(|rule| {
        let id = value.strip_prefix(rule.before)?;
        (rule.id)(id).is_some().then_some(id)
    });
    ids.next().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_become_iris() {
        let wikidata = |text: &str| WIKIDATA.iri(text);
        assert_eq!(wikidata("Q42").as_deref(), Some("http://www.wikidata.org/entity/Q42"));
        assert_eq!(wikidata("P31").as_deref(), Some("http://www.wikidata.org/entity/P31"));
        for none in ["", "Q", "q42", "Q4 2", "Q42 ", "QQ1", "L7", "42", "http://www.wikidata.org/entity/Q42"]
        {
            assert_eq!(wikidata(none), None, "{none}");
        }
        let freebase = |text: &str| FREEBASE.iri(text);
        for text in ["m.0f8l9c", "/m/0f8l9c"] {
            assert_eq!(freebase(text).as_deref(), Some("http://rdf.freebase.com/ns/m.0f8l9c"));
        }
        assert_eq!(freebase("g.11b_x").as_deref(), Some("http://rdf.freebase.com/ns/g.11b_x"));
        for none in ["", "m.", "/m/", "/m", "m/0f8", "/m.0f8", "M.0f8", "m.0F8", "en.berlin", "2.5", "m.0 f"]
        {
            assert_eq!(freebase(none), None, "{none}");
        }
    }

    #[test]
    fn items_have_ids() {
        for (value, id) in [
            ("http://rdf.freebase.com/ns/m.0f8l9c", "m.0f8l9c"),
            ("http://www.wikidata.org/entity/Q42", "Q42"),
            ("http://rdf.freebase.com/ns/people.person", "http://rdf.freebase.com/ns/people.person"),
            ("https://www.wikidata.org/entity/Q42", "https://www.wikidata.org/entity/Q42"),
            ("m.0f8l9c", "m.0f8l9c"),
        ] {
            assert_eq!(entity_id(value), id);
        }
    }
}
