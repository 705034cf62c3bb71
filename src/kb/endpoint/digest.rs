//! Digest authentication (RFC 7616), as far as servers of graphs want it: Virtuoso lets only those write who have it.

use md5::Md5;
use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;

/// What a server wants to see the password by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Challenge {
    realm: String,
    nonce: String,
    opaque: Option<String>,
    /// Whether it wants requests to be counted: `qop=auth`.
    counts: bool,
    is_sha256: bool,
}

impl Challenge {
    /// The challenge of a header `WWW-Authenticate`; none where it is another scheme, or a form that is not known here.
    pub(crate) fn read(header: &str) -> Option<Self> {
        let parameters = header.trim().strip_prefix("Digest ")?;
        let value = |wanted: &str| {
            parts(parameters).find(|(name, _)| name.eq_ignore_ascii_case(wanted)).map(|(_, value)| value)
        };
        let qop = value("qop");
        let counts = qop.as_ref().is_some_and(|all| all.split(',').any(|one| one.trim() == "auth"));
        let is_sha256 = match value("algorithm").unwrap_or_default().to_ascii_uppercase().as_str() {
            "" | "MD5" => false,
            "SHA-256" => true,
            _ => return None,
        };
        // Only `auth-int` hashes the body.
        let is_known = qop.is_none() || counts;
        is_known.then_some(Self {
            realm: value("realm")?,
            nonce: value("nonce")?,
            opaque: value("opaque"),
            counts,
            is_sha256,
        })
    }

    /// The header `Authorization` of a request, the `count`th with this challenge (RFC 7616, section 3.4.1).
    pub(crate) fn answer(
        &self,
        (user, password): (&str, &str),
        (method, uri): (&str, &str),
        count: u32,
    ) -> String {
        let Self { realm, nonce, .. } = self;
        let secret = self.hash(&format!("{user}:{realm}:{password}"));
        let request = self.hash(&format!("{method}:{uri}"));
        let (count, own) = (format!("{count:08x}"), self.hash(&format!("{nonce}:{count}:{secret}")));
        let response = if self.counts {
            self.hash(&format!("{secret}:{nonce}:{count}:{own}:auth:{request}"))
        } else {
            self.hash(&format!("{secret}:{nonce}:{request}"))
        };
        let user = user.replace('\\', "\\\\").replace('"', "\\\"");
        let algorithm = if self.is_sha256 { "SHA-256" } else { "MD5" };
        let mut header = format!(
            "Digest username=\"{user}\", realm=\"{realm}\", nonce=\"{nonce}\", uri=\"{uri}\", algorithm={algorithm}, response=\"{response}\""
        );
        if self.counts {
            header.extend([format!(", qop=auth, nc={count}, cnonce=\"{own}\"")]);
        }
        if let Some(opaque) = &self.opaque {
            header.extend([format!(", opaque=\"{opaque}\"")]);
        }
        header
    }

    fn hash(&self, text: &str) -> String {
        if self.is_sha256 { hex(&Sha256::digest(text)) } else { hex(&Md5::digest(text)) }
    }
}

/// The parameters of a challenge: names and values, which may be in quotation marks.
fn parts(mut text: &str) -> impl Iterator<Item = (&str, String)> {
    std::iter::from_fn(move || {
        let (name, rest) = text.split_once('=')?;
        let (value, rest) = match rest.trim_start().strip_prefix('"') {
            Some(quoted) => quoted.split_once('"')?,
            None => rest.split_once(',').unwrap_or((rest, "")),
        };
        text = rest;
        Some((name.trim_matches([' ', ',', '\t']), value.trim().to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_is_that_of_the_standard() {
        // RFC 2617, section 3.5, without its cnonce, which is another here.
        let old = "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", opaque=\"5ccc\"";
        let challenge = Challenge::read(old).unwrap();
        let answer = challenge.answer(("Mufasa", "Circle Of Life"), ("GET", "/dir/index.html"), 1);
        assert!(answer.contains("response=\"670fd8c2df070c60b045671b8b24ff02\""), "{answer}");
        assert!(answer.ends_with(", opaque=\"5ccc\"") && !answer.contains("qop"), "{answer}");
        let counted = Challenge::read(&format!("{old}, qop=\"auth,auth-int\", algorithm=SHA-256")).unwrap();
        let answer = counted.answer(("Mu\"fasa", "x"), ("PUT", "/g?graph=urn:a"), 2);
        assert!(
            answer.contains("qop=auth, nc=00000002, cnonce=") && answer.contains("\"Mu\\\"fasa\""),
            "{answer}"
        );
        assert_eq!(answer.split("response=\"").nth(1).unwrap().find('"'), Some(64));
    }

    #[test]
    fn what_is_not_known_is_no_challenge() {
        for header in [
            "Basic realm=\"a\"",
            "Digest realm=\"a\"",
            "Digest realm=\"a\", nonce=\"b\", algorithm=MD5-sess",
            "Digest realm=\"a\", nonce=\"b\", qop=\"auth-int\"",
            "Digest realm=\"a, nonce",
        ] {
            assert_eq!(Challenge::read(header), None, "{header}");
        }
    }
}
