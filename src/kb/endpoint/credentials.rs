//! Who asks: from the environment, and from nowhere else.

use std::fmt;

use reqwest::blocking::RequestBuilder;

use crate::base::error::{Error, Result};
use crate::kb::endpoint::digest::Challenge;

/// The variable with the name.
const USER: &str = "QASSAY_ENDPOINT_USER";
/// The variable with the password.
const PASSWORD: &str = "QASSAY_ENDPOINT_PASSWORD";
/// The variable with the token.
const TOKEN: &str = "QASSAY_ENDPOINT_TOKEN";

/// A name with a password, a token, or nothing. They are never printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Credentials(Secret);

#[derive(Clone, Default, PartialEq, Eq)]
enum Secret {
    #[default]
    None,
    Basic {
        user: String,
        password: String,
    },
    Bearer(String),
}

impl Credentials {
    /// Nothing.
    pub fn none() -> Self {
        Self::default()
    }

    /// A name and a password.
    pub fn basic(user: &str, password: &str) -> Self {
        Self(Secret::Basic { user: user.to_owned(), password: password.to_owned() })
    }

    /// A token.
    pub fn bearer(token: &str) -> Self {
        Self(Secret::Bearer(token.to_owned()))
    }

    /// What the environment says: `QASSAY_ENDPOINT_USER` with `QASSAY_ENDPOINT_PASSWORD`, or `QASSAY_ENDPOINT_TOKEN`.
    pub fn from_environment() -> Result<Self> {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    fn from_variables(value: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let value = |name| value(name).filter(|value| !value.is_empty());
        match (value(USER), value(PASSWORD), value(TOKEN)) {
            (None, None, None) => Ok(Self::none()),
            (Some(user), password, None) => Ok(Self::basic(&user, &password.unwrap_or_default())),
            (None, None, Some(token)) => Ok(Self::bearer(&token)),
            (None, Some(_), _) => Err(Error::input(format!("{PASSWORD} is set, and {USER} is not"))),
            (Some(_), _, Some(_)) => Err(Error::input(format!("{USER} and {TOKEN} are both set"))
                .allowed("a name with a password, or a token")),
        }
    }

    /// Whether there are any.
    pub(crate) fn are_given(&self) -> bool {
        self.0 != Secret::None
    }

    /// Adds them to a request.
    pub(crate) fn add(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.0 {
            Secret::None => request,
            Secret::Basic { user, password } => request.basic_auth(user, Some(password)),
            Secret::Bearer(token) => request.bearer_auth(token),
        }
    }

    /// The header of a request to a server that wants Digest; nothing where there is no name.
    pub(crate) fn digest(&self, challenge: &Challenge, request: (&str, &str), count: u32) -> Option<String> {
        let Secret::Basic { user, password } = &self.0 else { return None };
        Some(challenge.answer((user, password), request, count))
    }

    /// A text without them: a server may repeat in its message what it was sent.
    pub(crate) fn hide(&self, text: &str) -> String {
        let secrets = match &self.0 {
            Secret::None => return text.to_owned(),
            Secret::Basic { user, password } => vec![base64(&format!("{user}:{password}")), password.clone()],
            Secret::Bearer(token) => vec![token.clone()],
        };
        let secrets = secrets.into_iter().filter(|secret| !secret.is_empty());
        secrets.fold(text.to_owned(), |text, secret| text.replace(&secret, "***"))
    }
}

impl fmt::Debug for Credentials {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Secret::None => "Credentials(none)",
            Secret::Basic { .. } => "Credentials(Basic ***)",
            Secret::Bearer(_) => "Credentials(Bearer ***)",
        })
    }
}

/// The text as it stands in the header of Basic authentication.
fn base64(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut written = String::new();
    for bytes in text.as_bytes().chunks(3) {
        let number =
            (0..3).fold(0_usize, |sum, at| sum << 8 | usize::from(bytes.get(at).copied().unwrap_or(0)));
        for place in 0..4 {
            let letter = char::from(LETTERS[number >> (18 - 6 * place) & 63]);
            written.push(if place <= bytes.len() { letter } else { '=' });
        }
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_never_shown() {
        let basic = Credentials::basic("Aladdin", "open sesame");
        assert_eq!(base64("Aladdin:open sesame"), "QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
        assert_eq!(format!("{basic:?}"), "Credentials(Basic ***)");
        let text = "no `open sesame` here: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==";
        assert_eq!(basic.hide(text), "no `***` here: Basic ***");
        assert_eq!(Credentials::bearer("abc").hide("Bearer abc"), "Bearer ***");
        assert_eq!(Credentials::none().hide("abc"), "abc");
    }

    #[test]
    fn the_environment_says_who_asks() {
        let of = |pairs: &[(&str, &str)]| {
            let found =
                |name: &str| pairs.iter().find(|(known, _)| *known == name).map(|(_, v)| (*v).to_owned());
            Credentials::from_variables(found)
        };
        assert_eq!(of(&[]).unwrap(), Credentials::none());
        assert_eq!(of(&[(USER, ""), (TOKEN, "")]).unwrap(), Credentials::none());
        assert_eq!(of(&[(USER, "a"), (PASSWORD, "b")]).unwrap(), Credentials::basic("a", "b"));
        assert_eq!(of(&[(TOKEN, "t")]).unwrap(), Credentials::bearer("t"));
        assert!(of(&[(PASSWORD, "b")]).is_err());
        assert!(!of(&[(USER, "a"), (TOKEN, "sesame")]).unwrap_err().to_string().contains("sesame"));
    }
}
