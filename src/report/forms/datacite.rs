//! `DataCite` 4.6, in both its forms: XML for those who register DOIs, JSON for interfaces and harvesters.

use std::io;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};
use serde_json::{Value, json};

use crate::base::error::{Error, Result};
use crate::base::text;
use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::{RecordMetadata, StatedLicence};
use crate::report::forms::shared::{
    LANGUAGE, RelatedWork, computed, json_bytes, kind, licences, media_types, relations,
};

/// The namespace, which JSON calls the version of the schema.
const KERNEL: &str = "http://datacite.org/schema/kernel-4";

/// Where the schema of the XML is.
const SCHEMA_LOCATION: &str =
    "http://datacite.org/schema/kernel-4 https://schema.datacite.org/meta/kernel-4.6/metadata.xsd";

/// The identifier of a licence is that of this list.
const SPDX: (&str, &str) = ("SPDX", "https://spdx.org/licenses/");

/// Who identifies agents: the name, its address and the identifier; nothing where it is only a page.
fn name_identifier(agent: &Agent) -> Option<(&'static str, &'static str, &str)> {
    let orcid = agent.orcid().map(|_| ("ORCID", "https://orcid.org", agent.iri.as_str()));
    orcid.or_else(|| agent.ror().map(|_| ("ROR", "https://ror.org", agent.iri.as_str())))
}

/// Days, with what they are of.
fn dates(metadata: &RecordMetadata) -> Vec<(String, &'static str)> {
    let mut dates = vec![(metadata.issued.clone(), "Issued")];
    if metadata.modified != metadata.issued {
        dates.push((metadata.modified.clone(), "Updated"));
    }
    dates.extend(computed(metadata).map(|(first, last)| (format!("{first}/{last}"), "Created")));
    dates
}

/// What else it is called: the kind of the identifier, and the identifier.
fn alternatives(metadata: &RecordMetadata) -> Vec<(&'static str, &str)> {
    let iri = metadata.doi.is_some().then_some(("URL", metadata.iri.as_str()));
    iri.into_iter().chain([("checksum", metadata.identifier.as_str())]).collect()
}

/// The bytes of what people fetch.
fn size(metadata: &RecordMetadata) -> String {
    format!("{} bytes", metadata.items().map(|file| file.bytes).sum::<u64>())
}

/// `metadata/datacite.json`.
pub(crate) fn as_json(metadata: &RecordMetadata) -> Vec<u8> {
    let of = |text: &str| text.to_owned();
    let mut datacite = json!({
        "schemaVersion": KERNEL,
        "creators": metadata.creators.iter().map(creator).collect::<Vec<_>>(),
        "titles": [{ "title": metadata.title, "lang": LANGUAGE }],
        "publisher": publisher(&metadata.publisher),
        "publicationYear": metadata.year(),
        "types": { "resourceTypeGeneral": "Dataset", "resourceType": kind(metadata.published) },
        "subjects": metadata.keywords.iter().map(|word| json!({ "subject": word, "lang": LANGUAGE })).collect::<Vec<_>>(),
        "dates": dates(metadata).iter().map(|(date, kind)| json!({ "date": date, "dateType": kind })).collect::<Vec<_>>(),
        "language": LANGUAGE,
        "alternateIdentifiers": alternatives(metadata).iter().map(|(kind, identifier)| {
            json!({ "alternateIdentifier": identifier, "alternateIdentifierType": kind })
        }).collect::<Vec<_>>(),
        "relatedIdentifiers": relations(metadata).iter().map(related).collect::<Vec<_>>(),
        "sizes": [size(metadata)],
        "formats": media_types(metadata).into_iter().map(of).collect::<Vec<_>>(),
        "version": metadata.version.to_string(),
        "rightsList": licences_of_content(metadata).into_iter().map(rights).collect::<Vec<_>>(),
        "descriptions": [{ "description": metadata.description, "descriptionType": "Abstract", "lang": LANGUAGE }],
    });
    // This form has no other field for what identifies the record.
    match &metadata.doi {
        Some(doi) => datacite["doi"] = doi.as_str().into(),
        None => datacite["url"] = metadata.iri.as_str().into(),
    }
    json_bytes(&datacite)
}

/// The licence of the record first, then those of files in it.
fn licences_of_content(metadata: &RecordMetadata) -> Vec<&StatedLicence> {
    let is_in = |one: &&StatedLicence| {
        let files = metadata.files.iter().filter_map(|file| file.licence.as_ref());
        files.chain([&metadata.licence]).any(|licence| licence.iri == one.iri)
    };
    licences(metadata).into_iter().filter(is_in).collect()
}

fn creator(agent: &Agent) -> Value {
    let mut creator = json!({
        "name": agent.sorted(),
        "nameType": if agent.is_person { "Personal" } else { "Organizational" },
    });
    let (family, given) = agent.names();
    if agent.is_person && !given.is_empty() {
        creator["givenName"] = given.into();
        creator["familyName"] = family.into();
    }
    if let Some((scheme, address, identifier)) = name_identifier(agent) {
        creator["nameIdentifiers"] =
            json!([{ "nameIdentifier": identifier, "nameIdentifierScheme": scheme, "schemeUri": address }]);
    }
    if let Some(affiliation) = &agent.affiliation {
        creator["affiliation"] = json!([{ "name": affiliation.name }]);
    }
    creator
}

fn publisher(agent: &Agent) -> Value {
    let mut publisher = json!({ "name": agent.spoken() });
    if let Some((scheme, address, identifier)) = name_identifier(agent) {
        publisher["publisherIdentifier"] = identifier.into();
        publisher["publisherIdentifierScheme"] = scheme.into();
        publisher["schemeUri"] = address.into();
    }
    publisher
}

fn related(relation: &RelatedWork) -> Value {
    let mut related = json!({
        "relatedIdentifier": relation.address,
        "relatedIdentifierType": "URL",
        "relationType": relation.kind,
    });
    if let Some(general) = relation.general {
        related["resourceTypeGeneral"] = general.into();
    }
    related
}

fn rights(licence: &StatedLicence) -> Value {
    let mut rights = json!({ "rights": licence.title, "rightsUri": licence.iri, "lang": LANGUAGE });
    if let Some(spdx) = &licence.spdx {
        rights["rightsIdentifier"] = spdx.as_str().into();
        rights["rightsIdentifierScheme"] = SPDX.0.into();
        rights["schemeUri"] = SPDX.1.into();
    }
    rights
}

/// `metadata/datacite.xml`.
pub(crate) fn as_xml(metadata: &RecordMetadata) -> Result<Vec<u8>> {
    let mut xml = DataciteWriter(Writer::new_with_indent(Vec::new(), b' ', 2));
    xml.resource(metadata)
        .map_err(|error| Error::system(format!("cannot write the XML of DataCite: {error}")))?;
    let mut bytes = xml.0.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

/// Attributes of an element.
type Attributes<'a> = &'a [(&'a str, &'a str)];

/// The XML while it is written.
struct DataciteWriter(Writer<Vec<u8>>);

impl DataciteWriter {
    /// An element with a text; what XML cannot hold is shown.
    fn text(&mut self, name: &str, attributes: Attributes<'_>, content: &str) -> io::Result<()> {
        let attributes: Vec<_> = attributes.iter().map(|(name, value)| (*name, text::xml(value))).collect();
        let attributes = attributes.iter().map(|(name, value)| (*name, value.as_ref()));
        let element = self.0.create_element(name).with_attributes(attributes);
        element.write_text_content(BytesText::new(&text::xml(content)))?;
        Ok(())
    }

    /// An element with others in it.
    fn inside(
        &mut self,
        name: &str,
        attributes: Attributes<'_>,
        content: impl FnOnce(&mut Self) -> io::Result<()>,
    ) -> io::Result<()> {
        self.0
            .write_event(Event::Start(BytesStart::new(name).with_attributes(attributes.iter().copied())))?;
        content(self)?;
        self.0.write_event(Event::End(BytesEnd::new(name)))
    }

    fn resource(&mut self, metadata: &RecordMetadata) -> io::Result<()> {
        self.0.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let namespaces = [
            ("xmlns", KERNEL),
            ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
            ("xsi:schemaLocation", SCHEMA_LOCATION),
        ];
        self.inside("resource", &namespaces, |xml| {
            xml.mandatory(metadata)?;
            xml.subjects_and_dates(metadata)?;
            xml.identifiers(metadata)?;
            xml.rest(metadata)
        })
    }

    fn mandatory(&mut self, metadata: &RecordMetadata) -> io::Result<()> {
        let scheme = if metadata.doi.is_some() { "DOI" } else { "URL" };
        self.text("identifier", &[("identifierType", scheme)], &metadata.cited_as())?;
        self.inside("creators", &[], |xml| {
            metadata.creators.iter().try_for_each(|agent| xml.creator(agent))
        })?;
        self.inside("titles", &[], |xml| xml.text("title", &[("xml:lang", LANGUAGE)], &metadata.title))?;
        let mut attributes = vec![("xml:lang", LANGUAGE)];
        if let Some((scheme, address, identifier)) = name_identifier(&metadata.publisher) {
            attributes.extend([
                ("publisherIdentifier", identifier),
                ("publisherIdentifierScheme", scheme),
                ("schemeURI", address),
            ]);
        }
        self.text("publisher", &attributes, &metadata.publisher.spoken())?;
        self.text("publicationYear", &[], metadata.year())?;
        self.text("resourceType", &[("resourceTypeGeneral", "Dataset")], kind(metadata.published))
    }

    fn creator(&mut self, agent: &Agent) -> io::Result<()> {
        self.inside("creator", &[], |xml| {
            let name_type = if agent.is_person { "Personal" } else { "Organizational" };
            xml.text("creatorName", &[("nameType", name_type)], &agent.sorted())?;
            let (family, given) = agent.names();
            if agent.is_person && !given.is_empty() {
                xml.text("givenName", &[], given)?;
                xml.text("familyName", &[], family)?;
            }
            let identifier = name_identifier(agent);
            identifier.into_iter().try_for_each(|(scheme, address, identifier)| {
                xml.text(
                    "nameIdentifier",
                    &[("nameIdentifierScheme", scheme), ("schemeURI", address)],
                    identifier,
                )
            })?;
            agent
                .affiliation
                .iter()
                .try_for_each(|affiliation| xml.text("affiliation", &[], &affiliation.name))
        })
    }

    fn subjects_and_dates(&mut self, metadata: &RecordMetadata) -> io::Result<()> {
        self.inside("subjects", &[], |xml| {
            metadata.keywords.iter().try_for_each(|word| xml.text("subject", &[("xml:lang", LANGUAGE)], word))
        })?;
        self.inside("dates", &[], |xml| {
            dates(metadata).iter().try_for_each(|(date, kind)| xml.text("date", &[("dateType", kind)], date))
        })?;
        self.text("language", &[], LANGUAGE)
    }

    fn identifiers(&mut self, metadata: &RecordMetadata) -> io::Result<()> {
        self.inside("alternateIdentifiers", &[], |xml| {
            alternatives(metadata).into_iter().try_for_each(|(kind, identifier)| {
                xml.text("alternateIdentifier", &[("alternateIdentifierType", kind)], identifier)
            })
        })?;
        self.inside("relatedIdentifiers", &[], |xml| {
            relations(metadata).iter().try_for_each(|relation| {
                let mut attributes = vec![("relatedIdentifierType", "URL"), ("relationType", relation.kind)];
                attributes.extend(relation.general.map(|general| ("resourceTypeGeneral", general)));
                xml.text("relatedIdentifier", &attributes, &relation.address)
            })
        })
    }

    fn rest(&mut self, metadata: &RecordMetadata) -> io::Result<()> {
        self.inside("sizes", &[], |xml| xml.text("size", &[], &size(metadata)))?;
        self.inside("formats", &[], |xml| {
            media_types(metadata).into_iter().try_for_each(|one| xml.text("format", &[], one))
        })?;
        self.text("version", &[], &metadata.version.to_string())?;
        self.inside("rightsList", &[], |xml| {
            licences_of_content(metadata).into_iter().try_for_each(|licence| xml.rights(licence))
        })?;
        self.inside("descriptions", &[], |xml| {
            let attributes = [("descriptionType", "Abstract"), ("xml:lang", LANGUAGE)];
            xml.text("description", &attributes, &metadata.description)
        })
    }

    fn rights(&mut self, licence: &StatedLicence) -> io::Result<()> {
        let mut attributes = vec![("rightsURI", licence.iri.as_str()), ("xml:lang", LANGUAGE)];
        if let Some(spdx) = &licence.spdx {
            attributes.extend([
                ("rightsIdentifier", spdx.as_str()),
                ("rightsIdentifierScheme", SPDX.0),
                ("schemeURI", SPDX.1),
            ]);
        }
        self.text("rights", &attributes, &licence.title)
    }
}
