//! Addresses on the web.

use reqwest::Url;

use crate::base::error::{Error, Result};

/// The address of `whom`, if it is one of a server and holds no name and no password; `instead` says where those belong.
pub(crate) fn address(text: &str, whom: &str, instead: &str) -> Result<Url> {
    let web = |url: &Url| matches!(url.scheme(), "http" | "https") && url.has_host();
    let Some(url) = Url::parse(text).ok().filter(web) else {
        // An address that cannot be read may hold a password all the same.
        let shown = if text.contains('@') { "this".to_owned() } else { format!("`{text}`") };
        return Err(Error::input(format!("{shown} is no address of {whom}"))
            .allowed("an address that begins with https:// or http://"));
    };
    if url.username().is_empty() && url.password().is_none() {
        return Ok(url);
    }
    Err(Error::input(format!("the address of {whom} holds a name or a password")).hint(instead))
}
