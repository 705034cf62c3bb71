//! What the `UrlValidator` of Apache commons-validator accepts with its default options (statement 2.2.2).
//!
//! The default options: the schemes http, https and ftp, fragments, no `//` in paths, no local hosts.

use std::net::Ipv4Addr;
use std::sync::LazyLock;

use crate::scoring::gerbil::uri::is_java_uri;

/// The registered top-level domains, sorted.
static TOP_LEVEL_DOMAINS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("tlds.txt").lines().filter(|line| !line.starts_with('#')).collect());

/// Whether `UrlValidator` accepts this text as a URL (statement 2.2.2).
///
/// One thing differs: a host with letters beyond ASCII is judged as it stands and not in its ASCII form
/// (`IDN.toASCII`), so its length counts otherwise, a top-level domain beyond ASCII is unknown, and a user
/// beyond ASCII is never valid.
pub fn is_valid_url(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let known = ["http", "https", "ftp"].iter().any(|known| scheme.eq_ignore_ascii_case(known));
    // query and fragment: whatever the first test takes
    let rest = &rest[..rest.find(['?', '#']).unwrap_or(rest.len())];
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    known && is_java_uri(text) && is_valid_authority(authority) && is_valid_path(path)
}

fn is_valid_authority(authority: &str) -> bool {
    if let Some(bracketed) = authority.strip_prefix('[') {
        // `java.net.URI` has parsed the IPv6 address; of this one the port is not looked at
        return !bracketed.contains('%') && (!bracketed.contains('.') || bracketed.starts_with("::FFFF:"));
    }
    let host = match authority.split_once('@') {
        Some((user, host)) if is_user(user) => host,
        Some(_) => return false,
        None => authority,
    };
    let (name, port) = host.split_once(':').unwrap_or((host, ""));
    is_port(port) && (is_valid_domain(name) || is_valid_ipv4(name))
}

fn is_port(port: &str) -> bool {
    port.is_empty() || (port.bytes().all(|byte| byte.is_ascii_digit()) && port.parse::<u16>().is_ok())
}

/// A name and perhaps a password. `java.net.URI` has tested the characters, except for those beyond ASCII.
fn is_user(user: &str) -> bool {
    user.is_ascii() && !user.is_empty() && !user.starts_with(':') && user.matches(':').count() <= 1
}

/// At least two labels, the last a registered top-level domain; a dot may follow.
fn is_valid_domain(name: &str) -> bool {
    let name = name.strip_suffix('.').unwrap_or(name);
    name.len() <= 253
        && name.rsplit_once('.').is_some_and(|(labels, last)| {
            labels.split('.').all(is_label)
                && TOP_LEVEL_DOMAINS.binary_search(&last.to_ascii_lowercase().as_str()).is_ok()
        })
}

/// Letters, digits and inner hyphens.
fn is_label(label: &str) -> bool {
    let inside = |c: char| c == '-' || c.is_ascii_alphanumeric() || (!c.is_ascii() && c.is_alphanumeric());
    (1..=63).contains(&label.len())
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.chars().all(inside)
}

fn is_valid_ipv4(name: &str) -> bool {
    name.parse::<Ipv4Addr>().is_ok()
}

/// A path of ASCII characters without `//` that does not climb above the root.
fn is_valid_path(path: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "/-_:@&?=+,.!~*'%$;()".contains(c);
    path.chars().all(allowed) && !path.contains("//") && !climbs_out(path)
}

/// Whether `..` leads above the root.
fn climbs_out(path: &str) -> bool {
    let mut depth = 0_usize;
    for segment in path.split('/').filter(|segment| !segment.is_empty() && *segment != ".") {
        match (segment, depth) {
            ("..", 0) => return true,
            ("..", _) => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_2_2_2_valid_urls() {
        let accepted = [
            "http://a.org",
            "HTTP://A.ORG/",
            "ftp://a.org/b",
            "https://a.b.de:80/c",
            "http://a.org:/",
            "http://u@a.org",
            "http://u:p@a.org/",
            "http://1.2.3.4/x",
            "http://a.org./",
            "http://a.org/b/../c",
            "http://a.org/..a",
            "http://a.org?q=é[1]",
            "http://a.org/b#c",
            "http://a.org#é",
            "http://[::1]/a",
            "http://xn--kln-sna.de/",
            "http://köln.de/",
            "http://a.org/a%C3%B6_(b)'c,d+e&f!g;h",
        ];
        for text in accepted {
            assert!(is_valid_url(text), "{text}");
        }
        let rejected = [
            "",
            "a.org",
            "//a.org",
            "http:a.org",
            "http:/a.org",
            "http:///a",
            "http://a/b",
            "http://localhost/",
            "http://a.invalidtld/",
            "mailto:a@b.org",
            "http://a.org//b",
            "http://a.org/../b",
            "http://a.org/..",
            "http://a.org/b c",
            "http://a.org/é",
            "http://a.org/100%",
            "http://a.org:99999/",
            "http://a.org:x/",
            "http://-a.org/",
            "http://u@[::1]/",
            "http://[::1.2.3.4]/",
            "http://u:p:q@a.org/",
            "http://a_b.org/",
            "http://1.2.3/",
            "http://256.1.1.1/",
            "http://a..org/",
        ];
        for text in rejected {
            assert!(!is_valid_url(text), "{text}");
        }
    }

    #[test]
    fn the_list_of_top_level_domains_is_sorted() {
        assert!(TOP_LEVEL_DOMAINS.is_sorted() && TOP_LEVEL_DOMAINS.len() == 1509);
        assert!(
            TOP_LEVEL_DOMAINS
                .iter()
                .all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'))
        );
    }
}
