//! Secrets that open doors: 256 random bits, of which nothing but the checksum is ever kept.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::base::checksum::hex;
use crate::base::error::{Error, Result};

/// Random bytes of a token.
const BYTES: usize = 32;

/// A secret. It is printed by [`Self::text`] and by nothing else.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretToken([u8; BYTES]);

impl fmt::Debug for SecretToken {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("SecretToken")
    }
}

impl SecretToken {
    /// A new one, of the randomness of the system.
    ///
    /// # Errors
    /// Where the system has none.
    pub fn random() -> Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)
            .map_err(|error| Error::system(format!("the system gives no random bits: {error}")))?;
        Ok(Self(bytes))
    }

    /// The token that somebody shows: nothing where the text cannot be one.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self(URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?))
    }

    /// The token of a weaker right, which follows from this one; this one does not follow from it.
    #[must_use]
    pub fn weaker(&self, right: &str) -> Self {
        Self(Sha256::new().chain_update(self.0).chain_update(right).finalize().into())
    }

    /// The token as it is shown once to who is to have it: 43 letters, digits, `-` and `_`.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// What may be kept of it.
    pub fn sha256(&self) -> String {
        hex(&Sha256::digest(self.0))
    }

    /// Whether this is the token of which the checksum was kept; how long that takes tells nothing about it.
    pub fn is(&self, sha256: &str) -> bool {
        self.sha256().as_bytes().ct_eq(sha256.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_token_only_its_checksum_tells() {
        let token = SecretToken::random().unwrap();
        assert_ne!(token, SecretToken::random().unwrap());
        let text = token.text();
        assert_eq!((text.len(), SecretToken::parse(&text)), (43, Some(token.clone())));
        assert!(token.is(&token.sha256()) && !token.is(&token.weaker("look").sha256()) && !token.is(""));
        assert_ne!(token.weaker("look"), token.weaker("else"));
        assert_eq!(format!("{token:?}"), "SecretToken");
        for none in ["", "a", "../../etc/passwd", &text[1..], &format!("{text}A"), "ä"] {
            assert_eq!(SecretToken::parse(none), None, "{none}");
        }
    }
}
