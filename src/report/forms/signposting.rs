//! Typed links of a record (FAIR Signposting): one list, from which the links of its page, the link set and the header of
//! a server are made.

use serde_json::{Map, Value, json};

use crate::base::iri;
use crate::record::publication::metadata::{RecordFile, RecordMetadata};
use crate::report::forms::shared::json_bytes;

/// The path of the link set.
pub(crate) const LINK_SET: &str = "linkset.json";

/// The media type of the link set.
pub(crate) const LINK_SET_TYPE: &str = "application/linkset+json";

/// What a header may have, in bytes: many proxies cut behind 8 kB of all headers together.
pub(crate) const LONGEST_HEADER: usize = 7_500;

/// The forms of metadata that describe a record to programs: path, media type, and the profile where there is one.
const DESCRIBED_BY: [(&str, &str, Option<&str>); 5] = [
    ("ro-crate-metadata.json", "application/ld+json", Some("https://w3id.org/ro/crate/1.1")),
    ("metadata/dcat.ttl", "text/turtle", Some("http://data.europa.eu/r5r/")),
    ("metadata/datacite.json", "application/vnd.datacite.datacite+json", None),
    ("metadata/datacite.xml", "application/vnd.datacite.datacite+xml", None),
    ("citation.bib", "application/x-bibtex", None),
];

/// A typed link of RFC 8288 from the landing page of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedLink {
    /// The relation: `cite-as`, `item`, …
    pub relation: &'static str,
    /// The IRI of its target.
    pub iri: String,
    /// The reference of its target from within the record, where it is a file of the record.
    pub path: Option<String>,
    /// The media type of its target.
    pub media_type: Option<String>,
    /// The IRI of the profile that its target follows; HTML has no attribute for it.
    pub profile: Option<&'static str>,
    /// The licence of its target, where it is an item.
    licence: Option<String>,
}

impl TypedLink {
    fn to(relation: &'static str, iri: &str) -> Self {
        let iri = iri.to_owned();
        Self { relation, iri, path: None, media_type: None, profile: None, licence: None }
    }

    fn to_page(relation: &'static str, iri: &str) -> Self {
        Self { media_type: Some("text/html".to_owned()), ..Self::to(relation, iri) }
    }

    fn to_file(relation: &'static str, metadata: &RecordMetadata, path: &str, media_type: &str) -> Self {
        let reference = Some(iri::published_path(path));
        let media_type = Some(media_type.to_owned());
        Self { path: reference, media_type, ..Self::to(relation, &metadata.file_iri(path)) }
    }

    fn to_item(metadata: &RecordMetadata, file: &RecordFile) -> Self {
        let licence = file.licence.as_ref().unwrap_or(&metadata.licence);
        let licence = Some(licence.iri.clone());
        Self { licence, ..Self::to_file("item", metadata, &file.path, &file.media_type) }
    }

    /// Where it leads to from a page in the record: a path, or an IRI.
    pub fn href(&self) -> &str {
        self.path.as_deref().unwrap_or(&self.iri)
    }

    /// As a target of a link set.
    fn target(&self) -> Value {
        let mut target = json!({ "href": self.iri });
        if let Some(media_type) = &self.media_type {
            target["type"] = media_type.as_str().into();
        }
        if let Some(profile) = self.profile {
            target["profile"] = profile.into();
        }
        target
    }

    /// As a value of the header `Link`.
    fn value(&self) -> String {
        let parameter = |name, value: &str| {
            // Media types and profiles need no more than this within quotes.
            let value: String =
                value.chars().filter(|one| !matches!(one, '"' | '\\') && !one.is_control()).collect();
            format!("; {name}=\"{value}\"")
        };
        let media_type = self.media_type.as_deref().map(|value| parameter("type", value)).unwrap_or_default();
        let profile = self.profile.map(|value| parameter("profile", value)).unwrap_or_default();
        format!("<{}>; rel=\"{}\"{media_type}{profile}", in_header(&self.iri), self.relation)
    }
}

/// An IRI as a header has it: in ASCII, and without what would end it.
pub(crate) fn in_header(iri: &str) -> String {
    let is_plain = |one: &char| one.is_ascii_graphic() && !matches!(one, '<' | '>' | '"');
    let encode = |one: char| if is_plain(&one) { one.to_string() } else { iri::segment(&one.to_string()) };
    iri.chars().map(encode).collect()
}

/// The typed links of the landing page, in the order in which they are shown.
pub fn links(metadata: &RecordMetadata) -> Vec<TypedLink> {
    let mut links = vec![TypedLink::to("cite-as", &metadata.iri)];
    links.extend(metadata.creators.iter().map(|creator| TypedLink::to("author", &creator.iri)));
    links.push(TypedLink::to("license", &metadata.licence.iri));
    links.extend(
        ["AboutPage", "Dataset"].map(|kind| TypedLink::to("type", &format!("https://schema.org/{kind}"))),
    );
    links.extend(metadata.items().map(|file| TypedLink::to_item(metadata, file)));
    links.extend(DESCRIBED_BY.map(|(path, media_type, profile)| TypedLink {
        profile,
        ..TypedLink::to_file("describedby", metadata, path, media_type)
    }));
    links.push(TypedLink::to_page("collection", &iri::catalogue_of(&metadata.base)));
    links.push(TypedLink::to_page("latest-version", &metadata.iri));
    links.extend(
        metadata.previous_version_iri().map(|before| TypedLink::to_page("predecessor-version", &before)),
    );
    links.push(TypedLink::to_file("linkset", metadata, LINK_SET, LINK_SET_TYPE));
    links
}

/// The link set of RFC 9264: the links of the page, and those of items and forms back to it.
pub(crate) fn link_set(metadata: &RecordMetadata) -> Vec<u8> {
    let links = links(metadata);
    let mut page = Map::from_iter([("anchor".to_owned(), Value::from(metadata.iri.as_str()))]);
    for link in links.iter().filter(|link| link.relation != "linkset") {
        let targets = page.entry(link.relation).or_insert_with(|| json!([]));
        targets.as_array_mut().into_iter().for_each(|targets| targets.push(link.target()));
    }
    let back = json!([{ "href": metadata.iri, "type": "text/html" }]);
    let others = links.iter().filter_map(|link| match link.relation {
        "item" => Some(json!({
            "anchor": link.iri,
            "collection": back,
            "license": [{ "href": link.licence }],
            "type": [{ "href": "https://schema.org/MediaObject" }],
        })),
        "describedby" => Some(json!({ "anchor": link.iri, "describes": back })),
        _ => None,
    });
    json_bytes(&json!({ "linkset": std::iter::once(Value::Object(page)).chain(others).collect::<Vec<_>>() }))
}

/// The value of the header `Link` of the landing page: all links, where that is too long without the items that are no
/// graphs, where it is still too long without items. The link set always has all.
pub fn header(links: &[TypedLink]) -> String {
    let is_graph = |link: &TypedLink| link.media_type.as_deref() == Some("application/n-quads");
    let header = |is_in: &dyn Fn(&TypedLink) -> bool| {
        links.iter().filter(|link| is_in(link)).map(TypedLink::value).collect::<Vec<_>>().join(", ")
    };
    let all = header(&|_| true);
    if all.len() <= LONGEST_HEADER {
        return all;
    }
    let graphs = header(&|link| link.relation != "item" || is_graph(link));
    if graphs.len() <= LONGEST_HEADER { graphs } else { header(&|link| link.relation != "item") }
}
