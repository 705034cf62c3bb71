//! A deposit in `InvenioRDM` or Zenodo: `metadata/invenio.json`, as one sends it to `/api/records`.

use quick_xml::escape::escape;
use serde_json::{Value, json};

use crate::base::text;
use crate::record::publication::agent::Agent;
use crate::record::publication::metadata::{RecordMetadata, StatedLicence};
use crate::report::forms::shared::{address, citation, json_bytes, licences, relations};

/// `metadata/invenio.json`.
pub(crate) fn invenio(metadata: &RecordMetadata) -> Vec<u8> {
    let mut deposit = json!({
        "resource_type": { "id": "dataset" },
        "creators": metadata.creators.iter().map(creator).collect::<Vec<_>>(),
        "title": metadata.title,
        "publication_date": metadata.issued,
        "publisher": metadata.publisher.spoken(),
        "description": paragraph(&metadata.description),
        "subjects": metadata.keywords.iter().map(|word| json!({ "subject": word })).collect::<Vec<_>>(),
        "languages": [{ "id": "eng" }],
        "version": metadata.version.to_string(),
        "rights": licences(metadata).into_iter().map(rights).collect::<Vec<_>>(),
        "dates": dates(metadata),
        "identifiers": identifiers(metadata),
        "related_identifiers": relations(metadata).iter().map(|relation| json!({
            "identifier": relation.address,
            "scheme": "url",
            "relation_type": { "id": relation.kind.to_lowercase() },
        })).collect::<Vec<_>>(),
    });
    if let Some(notes) = notes(metadata) {
        deposit["additional_descriptions"] = json!([{ "description": notes, "type": { "id": "other" } }]);
    }
    json_bytes(&json!({
        "access": { "record": "public", "files": "public" },
        "files": { "enabled": true },
        "metadata": deposit,
    }))
}

/// A text as a paragraph of HTML, which descriptions of deposits are.
fn paragraph(content: &str) -> String {
    format!("<p>{}</p>", escape(text::lines(content)))
}

fn creator(agent: &Agent) -> Value {
    let mut creator = json!({ "person_or_org": person_or_org(agent) });
    if let Some(affiliation) = &agent.affiliation {
        creator["affiliations"] = json!([{ "name": affiliation.name }]);
    }
    creator
}

fn person_or_org(agent: &Agent) -> Value {
    let (family, given) = agent.names();
    let mut named = match agent.is_person {
        true if given.is_empty() => json!({ "type": "personal", "family_name": family }),
        true => json!({ "type": "personal", "family_name": family, "given_name": given }),
        false => json!({ "type": "organizational", "name": agent.name }),
    };
    let orcid = agent.orcid().map(|id| ("orcid", id));
    if let Some((scheme, identifier)) = orcid.or_else(|| agent.ror().map(|id| ("ror", id))) {
        named["identifiers"] = json!([{ "scheme": scheme, "identifier": identifier }]);
    }
    named
}

/// A licence: one of the vocabulary of licences, which has those of SPDX in lower case, or one of its own.
fn rights(licence: &StatedLicence) -> Value {
    if let Some(spdx) = &licence.spdx {
        return json!({ "id": spdx.to_lowercase() });
    }
    let mut rights = json!({ "title": { "en": licence.title } });
    if let Some(link) = address(&licence.iri) {
        rights["link"] = link.into();
    }
    rights
}

fn dates(metadata: &RecordMetadata) -> Vec<Value> {
    let mut dates = vec![json!({ "date": metadata.issued, "type": { "id": "issued" } })];
    if metadata.modified != metadata.issued {
        dates.push(json!({ "date": metadata.modified, "type": { "id": "updated" } }));
    }
    dates
}

/// The DOI, once there is one, then the IRI: a deposit gets a DOI of its own.
fn identifiers(metadata: &RecordMetadata) -> Vec<Value> {
    let doi = metadata.doi_address().map(|doi| json!({ "identifier": doi, "scheme": "doi" }));
    doi.into_iter().chain([json!({ "identifier": metadata.iri, "scheme": "url" })]).collect()
}

/// What is withheld, whom to name, and how the record is cited.
fn notes(metadata: &RecordMetadata) -> Option<String> {
    let withheld = metadata.inputs.iter().filter_map(|input| {
        let reason = input.withheld.as_deref()?;
        Some(paragraph(&format!("Not contained: {} (sha256 {}). {reason}", input.title, input.sha256)))
    });
    let named = metadata.attributions.iter().map(|text| paragraph(text));
    let notes: String = withheld.chain(named).collect();
    (!notes.is_empty()).then(|| format!("{notes}{}", paragraph(&citation(metadata))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_identifier_is_named() {
        let iri = "https://example.org/licence".to_owned();
        let licence = StatedLicence { iri, spdx: None, title: "Ours".to_owned() };
        assert_eq!(
            rights(&licence),
            json!({ "title": { "en": "Ours" }, "link": "https://example.org/licence" })
        );
        let who = Agent::parse("Plato <https://example.org/plato>", true).expect("a person");
        assert_eq!(person_or_org(&who), json!({ "type": "personal", "family_name": "Plato" }));
        assert_eq!(paragraph("a < b & \"c\""), "<p>a &lt; b &amp; &quot;c&quot;</p>");
    }
}
