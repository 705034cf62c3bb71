//! Who publishes: people with their ORCID, organisations with their ROR.

use serde::{Deserialize, Serialize};

use crate::base::error::{Error, Result};

/// Somebody who made or who publishes a record.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Agent {
    /// The name as people write it: `Josiah Carberry`.
    pub name: String,
    /// The IRI: that of an ORCID (a person), of a ROR or of a web page.
    pub iri: String,
    /// Whether it is a person; else it is an organisation.
    pub is_person: bool,
    /// The organisation that a person works for.
    pub affiliation: Option<Box<Self>>,
}

/// Where ORCIDs live.
const ORCID: &str = "https://orcid.org/";

/// Where RORs live.
const ROR: &str = "https://ror.org/";

/// How somebody is named.
const ALLOWED: &str =
    "NAME <https://orcid.org/0000-0002-1825-0097>, NAME <https://ror.org/…>, NAME <https://PAGE>";

impl Agent {
    /// Reads `NAME <IRI>`, where the IRI is an ORCID, a ROR or the address of a page; ORCIDs and RORs also without
    /// `https://…/`. Somebody with an ORCID is a person, everybody else an organisation, unless `is_person` says so. Behind a
    /// person and a comma may stand the organisation that he works for, in the same form.
    ///
    /// # Errors
    /// Where there is no name or no IRI; where the check digit of the ORCID is another.
    pub fn parse(text: &str, is_person: bool) -> Result<Self> {
        let Some((person, organisation)) = text.split_once(">,") else {
            return Self::single(text, is_person);
        };
        let (person, organisation) =
            (Self::single(&format!("{person}>"), true)?, Self::single(organisation, false)?);
        if !person.is_person || organisation.is_person {
            return Err(Error::input(format!("`{text}` is no person with an organisation")).allowed(ALLOWED));
        }
        Ok(Self { affiliation: Some(Box::new(organisation)), ..person })
    }

    fn single(text: &str, is_person: bool) -> Result<Self> {
        let wrong = |what: String| Error::input(what).allowed(ALLOWED);
        let stated = text.trim().strip_suffix('>').and_then(|text| text.rsplit_once('<'));
        let Some((name, iri)) = stated else {
            return Err(wrong(format!("`{text}` does not say who that is")));
        };
        let (name, iri) = (name.split_whitespace().collect::<Vec<_>>().join(" "), iri.trim());
        if name.is_empty() {
            return Err(wrong(format!("`{text}` has no name")));
        }
        if name.chars().any(char::is_control) {
            return Err(wrong("the name has control characters".to_owned()));
        }
        let iri = if is_orcid(iri) {
            format!("{ORCID}{iri}")
        } else if iri.starts_with("ror.org/") || iri.starts_with("orcid.org/") {
            format!("https://{iri}")
        } else {
            iri.to_owned()
        };
        if let Some(orcid) = iri.strip_prefix(ORCID) {
            if !is_orcid(orcid) {
                return Err(wrong(format!("`{orcid}` is no ORCID"))
                    .hint("an ORCID has 16 digits, of which the last is a check digit"));
            }
            return Ok(Self { name, iri, is_person: true, affiliation: None });
        }
        if !iri.starts_with("https://") && !iri.starts_with("http://")
            || oxigraph::model::NamedNode::new(&iri).is_err()
        {
            return Err(wrong(format!("`{iri}` is no address")));
        }
        let is_person = is_person && !iri.starts_with(ROR);
        Ok(Self { name, iri, is_person, affiliation: None })
    }

    /// The ORCID of a person: `0000-0002-1825-0097`.
    pub fn orcid(&self) -> Option<&str> {
        self.iri.strip_prefix(ORCID)
    }

    /// The ROR of an organisation: `05gq02987`.
    pub fn ror(&self) -> Option<&str> {
        self.iri.strip_prefix(ROR)
    }

    /// Family name and given names of a person. What stands before a comma is the family name; without one it is the last
    /// word: whoever is called otherwise writes `FAMILY, GIVEN`.
    pub fn names(&self) -> (&str, &str) {
        let parted = self.name.split_once(", ");
        parted
            .or_else(|| self.name.rsplit_once(' ').map(|(given, family)| (family, given)))
            .unwrap_or((&self.name, ""))
    }

    /// The name in the order in which people say it.
    pub fn spoken(&self) -> String {
        match self.name.split_once(", ") {
            Some((family, given)) if self.is_person => format!("{given} {family}"),
            _ => self.name.clone(),
        }
    }

    /// The name in the order of catalogues: `Carberry, Josiah`.
    pub fn sorted(&self) -> String {
        match self.names() {
            (family, given) if self.is_person && !given.is_empty() => format!("{family}, {given}"),
            _ => self.name.clone(),
        }
    }
}

/// Whether this is an ORCID whose check digit is right (ISO 7064, MOD 11-2).
fn is_orcid(text: &str) -> bool {
    let groups: Vec<&str> = text.split('-').collect();
    let digits: String = groups.concat();
    let is_laid_out = groups.len() == 4 && groups.iter().all(|group| group.len() == 4);
    if !is_laid_out || !digits[..15].bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let total = digits[..15].bytes().fold(0, |total, digit| (total + u32::from(digit - b'0')) * 2);
    let check = (12 - total % 11) % 11;
    digits.ends_with(&if check == 10 { "X".to_owned() } else { check.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_organisations_are_read() {
        let person = Agent::parse("Josiah  Carberry <0000-0002-1825-0097>", true).unwrap();
        assert_eq!(person.iri, "https://orcid.org/0000-0002-1825-0097");
        assert_eq!((person.names(), person.orcid()), (("Carberry", "Josiah"), Some("0000-0002-1825-0097")));
        let person = Agent::parse("de la Cruz, Ana <https://example.org/ana>", true).unwrap();
        assert_eq!(
            (person.spoken(), person.sorted()),
            ("Ana de la Cruz".to_owned(), "de la Cruz, Ana".to_owned())
        );
        assert!(person.is_person && person.orcid().is_none());
        let both =
            Agent::parse("Josiah Carberry <0000-0002-1825-0097>, Lab, Ltd. <https://example.org/lab>", true)
                .unwrap();
        assert_eq!(
            both.affiliation.map(|lab| (lab.name, lab.is_person)),
            Some(("Lab, Ltd.".to_owned(), false))
        );
        let lab = Agent::parse("Example Laboratory <ror.org/05gq02987>", true).unwrap();
        assert!(!lab.is_person);
        assert_eq!((lab.ror(), lab.sorted()), (Some("05gq02987"), "Example Laboratory".to_owned()));
    }

    #[test]
    fn who_cannot_be_is_told() {
        for (text, why) in [
            ("Josiah", "`Josiah` does not say who that is"),
            ("<https://example.org/>", "has no name"),
            ("A <0000-0002-1825-0098>", "is no address"),
            ("A <https://orcid.org/0000-0002-1825-0098>", "is no ORCID"),
            ("A <https://orcid.org/é000-0002-1825-009>", "is no ORCID"),
            ("A <javascript:alert(1)>", "is no address"),
            ("A <https://a b>", "is no address"),
            (
                "Lab <https://ror.org/05gq02987>, Other <https://example.org/>",
                "no person with an organisation",
            ),
            ("A\u{1b}[31m <https://example.org/>", "control characters"),
        ] {
            let error = Agent::parse(text, true).unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
        }
    }
}
