//! The address of an endpoint.

use reqwest::Url;

use crate::base::error::{Error, Result};

/// Parameters that hold secrets: addresses are shown in messages and kept in archives.
const SECRET: [&str; 10] =
    ["apikey", "api_key", "api-key", "key", "token", "access_token", "auth", "password", "passwd", "secret"];

/// The address, if it is one of a server and holds no secret.
pub(crate) fn check(address: &str) -> Result<Url> {
    let instead = "addresses are shown and kept: set QASSAY_ENDPOINT_USER and QASSAY_ENDPOINT_PASSWORD, or \
                   QASSAY_ENDPOINT_TOKEN, in the environment";
    let mut url = crate::sources::net::client::address(address, "an endpoint", instead)?;
    if let Some((name, _)) =
        url.query_pairs().find(|(name, _)| SECRET.contains(&name.to_ascii_lowercase().as_str()))
    {
        return Err(Error::input(format!(
            "the address of the endpoint has a parameter `{name}`, which looks secret"
        ))
        .hint(instead));
    }
    url.set_fragment(None);
    Ok(url)
}

/// Whether it is on this machine.
pub(crate) fn is_local(url: &Url) -> bool {
    matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_do_not_belong_into_addresses() {
        for address in [
            "http://name:word@a.example/sparql",
            "http://name@a.example/sparql",
            "https://a.example/sparql?apikey=12345",
            "https://a.example/sparql?Access_Token=12345",
            "ht!tp://name:word@a.example",
            "a.example/sparql",
            "ftp://a.example/sparql",
            "http://",
        ] {
            let told = check(address).unwrap_err().to_string();
            assert!(!told.contains("word@") && !told.contains("12345"), "{told}");
        }
        let url = check("https://a.example/sparql?default-graph-uri=http://dbpedia.org#there").unwrap();
        assert_eq!(url.as_str(), "https://a.example/sparql?default-graph-uri=http://dbpedia.org");
    }
}
