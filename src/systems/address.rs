//! Which addresses may be asked: the one place that knows.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, ToSocketAddrs as _};

use reqwest::Url;

use crate::base::error::{Error, Result};
use crate::sources::net::client;

/// Who may be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AddressPolicy {
    /// Whoever the user names: what people do on their own machine.
    #[default]
    Any,
    /// Nobody in private networks: what a server does for strangers.
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
        Ok(url)
    }
}

/// Whether any machine of that name is private; a name that nobody knows is asked in vain.
fn reaches_private(url: &Url) -> bool {
    let port = url.port_or_known_default().unwrap_or_default();
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    let machines = (host, port).to_socket_addrs();
    machines.is_ok_and(|mut machines| machines.any(|machine| is_private(machine.ip())))
}

/// Whether an address is not one of the open network.
fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, ..] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_unspecified()
        || address.is_broadcast()
        || address.is_multicast()
        || address.is_documentation()
        || is_shared
        || first == 0
        || first >= 240
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    address.is_loopback()
        || address.is_unspecified()
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
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
        for private in [
            "http://127.0.0.1/",
            "http://10.1.2.3/",
            "http://192.168.0.1/",
            "http://169.254.169.254/latest",
            "http://100.64.0.1/",
            "http://0.0.0.0/",
            "http://[::1]/",
            "http://[fd00::1]/",
            "http://[::ffff:10.0.0.1]/",
            "http://2130706433/",
            "http://localhost/",
        ] {
            assert!(AddressPolicy::Public.address(private).is_err(), "{private}");
        }
        assert!(AddressPolicy::Public.address("http://93.184.216.34/").is_ok());
    }
}
