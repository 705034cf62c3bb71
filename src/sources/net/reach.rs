//! Who may be reached: whoever is named, or nobody in private networks. A name is looked up once for a connection, and the
//! connection goes to the addresses that were checked: nobody can give others in between.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::{ClientBuilder, Url};

use crate::sources::net::failure::Failure;

/// Who may be reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NetworkReach {
    /// Whoever is named.
    #[default]
    Anybody,
    /// Machines of the open network only.
    Public,
}

impl NetworkReach {
    /// A client that looks names up so. Where private networks are out of reach, so are proxies: they would look up names
    /// themselves.
    pub(crate) fn applied(self, builder: ClientBuilder) -> ClientBuilder {
        match self {
            Self::Anybody => builder,
            Self::Public => builder.no_proxy().dns_resolver(Arc::new(PublicNames)),
        }
    }

    /// A failure where an address names a machine, or a port of one, that is out of reach, without looking up names.
    pub(crate) fn check(self, url: &Url) -> Result<(), Failure> {
        let host = url.host_str().unwrap_or_default();
        match closed_port(url) {
            _ if self == Self::Anybody => Ok(()),
            _ if is_private_host(host) => Err(Failure::Unreachable(private(host))),
            Some(port) => {
                Err(Failure::Unreachable(format!("port {port} is not asked here: {OPEN_PORTS} are")))
            }
            None => Ok(()),
        }
    }
}

/// The ports that are asked: those of the web, and those that no machine keeps for its own services.
pub(crate) const OPEN_PORTS: &str = "80, 443 and ports above 1023";

/// The port of an address where it is none of these.
pub(crate) fn closed_port(url: &Url) -> Option<u16> {
    url.port_or_known_default().filter(|port| *port <= 1023 && ![80, 443].contains(port))
}

/// Whether a host is a private address, or a name that every machine has for itself or for its network.
fn is_private_host(host: &str) -> bool {
    let plain = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    if let Ok(address) = plain.parse() {
        return is_private(address);
    }
    let name = plain.to_ascii_lowercase();
    ["localhost", "local", "internal", "home.arpa"]
        .iter()
        .any(|own| name.strip_suffix(own).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

/// Whether a host is a private address, or a name of any; a name that nobody knows is asked in vain.
pub(crate) fn reaches_private(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    is_private_host(host) || matches!(looked_up(host), Err(error) if error.kind() == PRIVATE)
}

/// What the error is that says that a machine is private.
const PRIVATE: io::ErrorKind = io::ErrorKind::PermissionDenied;

fn private(host: &str) -> String {
    format!("`{host}` is in a private network, and is not asked here")
}

/// Looks up names, and gives no private addresses.
#[derive(Debug)]
struct PublicNames;

impl Resolve for PublicNames {
    fn resolve(&self, name: Name) -> Resolving {
        let name = name.as_str().to_owned();
        Box::pin(async move {
            let found = tokio::task::spawn_blocking(move || looked_up(&name)).await??;
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

fn looked_up(host: &str) -> io::Result<Vec<SocketAddr>> {
    public(host, (host, 0).to_socket_addrs()?.collect())
}

/// The addresses of a host; an error where one of them is private.
fn public(host: &str, found: Vec<SocketAddr>) -> io::Result<Vec<SocketAddr>> {
    if found.iter().any(|machine| is_private(machine.ip())) {
        return Err(io::Error::new(PRIVATE, private(host)));
    }
    Ok(found)
}

/// Whether an address is not one of the open network.
fn is_private(address: IpAddr) -> bool {
    match address.to_canonical() {
        IpAddr::V4(address) => is_private_v4(address),
        IpAddr::V6(address) => is_private_v6(address),
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [first, second, third, _] = address.octets();
    let is_shared = first == 100 && (64..128).contains(&second);
    let is_of_protocols = (first, second, third) == (192, 0, 0);
    let is_of_benchmarks = first == 198 && (18..20).contains(&second);
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || is_shared
        || is_of_protocols
        || is_of_benchmarks
        || first == 0
        || first >= 240
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    let parts = address.segments();
    let v4 = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    let packed = match parts {
        // Written after zeros; translated (RFC 6052, 8215); 6to4.
        [0, 0, 0, 0, 0, 0, high, low]
        | [0x64, 0xff9b, 0 | 1, _, _, _, high, low]
        | [0x2002, high, low, ..] => Some(v4(high, low)),
        _ => None,
    };
    // Of networks of one's own, and what such were before.
    let is_site_local = parts[0] & 0xffc0 == 0xfec0;
    let is_of_documentation = (parts[0], parts[1]) == (0x2001, 0x0db8) || parts[0] & 0xfff0 == 0x3ff0;
    let is_of_teredo = (parts[0], parts[1]) == (0x2001, 0);
    let is_dropped = parts[..4] == [0x100, 0, 0, 0];
    packed.is_some_and(is_private_v4)
        || address.is_multicast()
        || address.is_unique_local()
        || address.is_unicast_link_local()
        || is_site_local
        || is_of_documentation
        || is_of_teredo
        || is_dropped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::net::clock::Deadline;
    use crate::sources::net::patience::Patience;
    use crate::sources::net::whole::WholeClient;
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;
    use std::time::Duration;

    #[test]
    fn private_addresses_are_known_in_each_form() {
        for private in [
            "127.0.0.1",
            "127.1",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "2130706433",
            "0x7f000001",
            "017700000001",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.0.1",
            "169.254.169.254",
            "100.64.0.1",
            "192.0.0.1",
            "198.18.0.1",
            "0.0.0.0",
            "0",
            "224.0.0.1",
            "255.255.255.255",
            "[::]",
            "[::1]",
            "[fc00::1]",
            "[fd00::1]",
            "[fe80::1]",
            "[fec0::1]",
            "[ff02::1]",
            "[::ffff:10.0.0.1]",
            "[::ffff:7f00:1]",
            "[::127.0.0.1]",
            "[64:ff9b::10.0.0.1]",
            "[2002:7f00:1::]",
            "[2001:db8::1]",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "metadata.google.internal",
            "printer.local",
        ] {
            let url = Url::parse(&format!("http://{private}/")).unwrap();
            assert!(NetworkReach::Public.check(&url).is_err(), "{private} {url}");
            assert!(reaches_private(&url), "{private}");
            assert!(NetworkReach::Anybody.check(&url).is_ok(), "{private}");
        }
        for public in [
            "93.184.216.34",
            "172.32.0.1",
            "100.128.0.1",
            "198.20.0.1",
            "[2606:2800:220:1::1]",
            "[::ffff:93.184.216.34]",
            "[64:ff9b::93.184.216.34]",
            "[2002:5db8:d822::]",
            "notlocalhost.example",
            "local.example",
        ] {
            let url = Url::parse(&format!("http://{public}/")).unwrap();
            assert!(NetworkReach::Public.check(&url).is_ok(), "{public}");
        }
    }

    #[test]
    fn services_of_a_machine_are_out_of_reach() {
        for (port, is_open) in [
            ("", true),
            (":80", true),
            (":443", true),
            (":1024", true),
            (":65535", true),
            (":22", false),
            (":1023", false),
            (":0", false),
        ] {
            let url = Url::parse(&format!("http://93.184.216.34{port}/")).unwrap();
            let checked = NetworkReach::Public.check(&url);
            assert_eq!(checked.is_ok(), is_open, "{port}");
            assert_eq!(closed_port(&url).is_none(), is_open, "{port}");
            let told = checked.err().map_or_else(String::new, |error| error.to_string());
            assert!(is_open || told.contains(OPEN_PORTS), "{told}");
            assert!(NetworkReach::Anybody.check(&url).is_ok(), "{port}");
        }
    }

    #[test]
    fn a_name_with_one_private_address_is_private() {
        let of = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<SocketAddr>>();
        let both = public("a.example", of(&["93.184.216.34:0", "10.0.0.1:0"])).unwrap_err();
        assert_eq!((both.kind(), both.to_string().contains("private network")), (PRIVATE, true), "{both}");
        assert_eq!(public("a.example", of(&["93.184.216.34:0"])).unwrap().len(), 1);
        // What the system says of itself, without the list of names.
        assert_eq!(looked_up("localhost").unwrap_err().kind(), PRIVATE);
    }

    /// Who gave a public address when he was asked first, and a private one when the connection is made, gains nothing: the
    /// client looks names up with the same check. The same goes for redirects.
    #[test]
    fn a_client_reaches_nobody_in_private_networks() {
        let client = |reach| WholeClient::new(&Patience::default(), reach).unwrap();
        let deadline = || Deadline::within(Duration::from_secs(20));
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.unwrap();
                drop(stream.read(&mut [0; 4096]));
                drop(stream.write_all(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"));
            }
        });
        for host in ["127.0.0.1", "localhost", "[::ffff:127.0.0.1]", "2130706433"] {
            let url = format!("http://{host}:{port}/");
            let open = client(NetworkReach::Anybody);
            open.exchange(open.http.get(&url), deadline(), 100).unwrap();
            let closed = client(NetworkReach::Public);
            let refused = closed.exchange(closed.http.get(&url), deadline(), 100).unwrap_err();
            assert!(refused.to_string().contains("private network"), "{host}: {refused}");
        }
        // The resolver itself: a name that is in no list, as far as the client knows.
        let unchecked = WholeClient::unchecked(&Patience::default(), NetworkReach::Public).unwrap();
        let asked = unchecked.http.get(format!("http://localhost:{port}/"));
        let refused = unchecked.exchange(asked, deadline(), 100).unwrap_err();
        assert!(refused.to_string().contains("private network"), "{refused:?}");
    }
}
