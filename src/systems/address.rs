//! Which addresses may be asked: the one place that knows.

use reqwest::Url;

use crate::base::error::{Error, Result};
use crate::sources::net::client;
use crate::sources::net::reach::{NetworkReach, OPEN_PORTS, closed_port, reaches_private};

/// Who may be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AddressPolicy {
    /// Whoever the user names: what people do on their own machine.
    #[default]
    Any,
    /// Nobody in private networks, and no services but those of the web: what a server does for strangers.
    Public,
}

impl AddressPolicy {
    /// The address that a text is, if it may be asked.
    ///
    /// # Errors
    /// Where it is none of the web, holds a name or a password, or is refused.
    pub fn address(self, text: &str) -> Result<Url> {
        let instead = "a protocol takes them from the environment: `{env:NAME}` in a header";
        let url = client::address(text, "a system", instead)?;
        if self == Self::Public && reaches_private(&url) {
            return Err(Error::input(format!("`{url}` is in a private network, and is not asked here")));
        }
        if self == Self::Public
            && let Some(port) = closed_port(&url)
        {
            return Err(Error::input(format!("port {port} is not asked here")).allowed(OPEN_PORTS));
        }
        Ok(url)
    }

    /// Whom the client may reach: what a name stood for when the address was checked may be another machine later.
    pub(crate) fn reach(self) -> NetworkReach {
        match self {
            Self::Any => NetworkReach::Anybody,
            Self::Public => NetworkReach::Public,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_web_without_secrets_are_asked() {
        for refused in ["ftp://a.example/", "file:///etc/passwd", "a.example", "http://n:secret@a.example/"] {
            let error = AddressPolicy::Any.address(refused).unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }
        assert_eq!(AddressPolicy::Any.address("http://127.0.0.1:8080/qa").unwrap().port(), Some(8080));
    }

    #[test]
    fn private_networks_can_be_refused() {
        for private in
            ["http://127.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://2130706433/", "http://localhost/"]
        {
            let refused = AddressPolicy::Public.address(private).unwrap_err().to_string();
            assert!(refused.contains("private network"), "{private}: {refused}");
        }
        assert!(AddressPolicy::Public.address("http://93.184.216.34/").is_ok());
        let refused = AddressPolicy::Public.address("http://93.184.216.34:22/").unwrap_err().to_string();
        assert!(refused.contains("port 22") && refused.contains("allowed: 80, 443 and"), "{refused}");
        // Who runs the server names whom he likes.
        assert!(AddressPolicy::Any.address("http://93.184.216.34:22/").is_ok());
    }
}
