//! What `java.net.URI` accepts: RFC 2396 with Java's deviations (statement 2.1.2).
//!
//! Written from the grammar in the documentation of the class; checked against `OpenJDK` 17.

use std::net::Ipv6Addr;

/// `unreserved` without letters and digits.
const MARKS: &str = "_-!.~'()*";

/// Contains non-space(s), a colon and non-space(s): what GERBIL takes for a sign of an IRI (statement 2.1.2).
pub fn is_iri_like(text: &str) -> bool {
    let solid = |character: Option<char>| character.is_some_and(|c| !c.is_ascii_whitespace());
    text.match_indices(':')
        .any(|(at, _)| solid(text[..at].chars().next_back()) && solid(text[at + 1..].chars().next()))
}

/// Whether the constructor of `java.net.URI` takes this text, as an absolute or a relative one (statement 2.1.2).
pub fn is_java_uri(text: &str) -> bool {
    let (text, fragment) = cut(text, '#');
    let has_fragment = fragment.is_some();
    let is_body = match text.find([':', '/', '?']) {
        Some(at) if text[at..].starts_with(':') => {
            let rest = &text[at + 1..];
            let is_rest =
                if rest.starts_with('/') { is_hierarchical(rest, has_fragment) } else { is_opaque(rest) };
            is_scheme(&text[..at]) && is_rest
        }
        _ => is_hierarchical(text, has_fragment),
    };
    is_body && fragment.is_none_or(is_uric)
}

/// The text before a character, and what follows it if it is there.
fn cut(text: &str, at: char) -> (&str, Option<&str>) {
    text.split_once(at).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

/// `mailto:a@b`: something must follow the scheme.
fn is_opaque(text: &str) -> bool {
    !text.is_empty() && is_uric(text)
}

/// Authority, path and query.
fn is_hierarchical(text: &str, has_fragment: bool) -> bool {
    let (text, query) = cut(text, '?');
    let path = match text.strip_prefix("//") {
        None => text,
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            // `file:///a` is allowed, against RFC 2396; `http://` alone is not
            let allowed = if authority.is_empty() {
                !path.is_empty() || query.is_some() || has_fragment
            } else {
                is_authority(authority)
            };
            if !allowed {
                return false;
            }
            path
        }
    };
    query.is_none_or(is_uric) && consists_of(path, "/;:@&=+$,")
}

/// Reserved, unreserved, escaped and other characters; Java adds the brackets of RFC 2732.
fn is_uric(text: &str) -> bool {
    consists_of(text, ";/?:@&=+$,[]")
}

/// Unreserved characters, those given, valid escapes, and visible ones beyond ASCII.
fn consists_of(text: &str, also: &str) -> bool {
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        let allowed = match character {
            '%' => [rest.next(), rest.next()].iter().all(|c| c.is_some_and(|c| c.is_ascii_hexdigit())),
            _ if character.is_ascii() => {
                character.is_ascii_alphanumeric() || MARKS.contains(character) || also.contains(character)
            }
            _ => is_other(character),
        };
        if !allowed {
            return false;
        }
    }
    true
}

/// The "other" category of `java.net.URI`: beyond ASCII, no control and no space.
fn is_other(character: char) -> bool {
    !character.is_control() && !character.is_whitespace()
}

/// A registry-based authority, which is nearly anything, or a server with an IPv6 address.
///
/// A server without brackets consists of the characters of a registry name, so its own rules exclude nothing.
fn is_authority(text: &str) -> bool {
    consists_of(text, "$,;:@&=+") || is_ipv6_server(text)
}

fn is_ipv6_server(text: &str) -> bool {
    let (user, host) = text.split_once('@').unwrap_or(("", text));
    let Some((address, port)) = host.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
        return false;
    };
    let (address, zone) = cut(address, '%');
    let port_is_number = match port.strip_prefix(':') {
        None => port.is_empty(),
        Some(digits) => digits.is_empty() || (is_digits(digits) && digits.parse::<i32>().is_ok()),
    };
    consists_of(user, ";:&=+$,")
        && address.parse::<Ipv6Addr>().is_ok()
        && zone.is_none_or(|zone| !zone.is_empty() && zone.chars().all(is_zone))
        && port_is_number
}

fn is_zone(character: char) -> bool {
    character.is_ascii_alphanumeric() || "_.".contains(character)
}

fn is_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_2_1_2_java_net_uri() {
        let accepted = [
            "",
            "a",
            "8",
            "8.0",
            "true",
            "1990-01-01",
            "a:b",
            "Berlin@en",
            "#",
            "#f",
            "?q",
            "/a",
            "//a",
            "a#[b]",
            "http:/a",
            "http:///a",
            "http://?a",
            "http://a",
            "http://a:b",
            "http://a:/",
            "http://a_b",
            "http://a@b",
            "http://köln.de",
            "http://[::1]",
            "http://[::1]:80/x",
            "http://u@[fe80::1%eth0]/",
            "urn:isbn:1",
            "http://a/é%20b",
            "http://a/\u{AD}",
            "a:?b",
            "http://a;b,c",
            "mailto:a@b.c",
            "http://a/b?c[d]",
            "http://#f",
        ];
        for text in accepted {
            assert!(is_java_uri(text), "{text}");
        }
        let rejected = [
            "12:30",
            ":a",
            "a:",
            "a:#b",
            "1990-01-01T00:00:00Z",
            "New York",
            "http://",
            "//",
            "a|b",
            "a\"b",
            "<a>",
            "{a}",
            "a^b",
            "a`b",
            "a\\b",
            "100%",
            "a%2",
            "a%zz",
            "a[b]",
            "http://a[b",
            "http://[::1]a",
            "http://[::1",
            "http://a%/b",
            "http://a/\u{A0}",
            "http://a/\u{85}",
            "http://a/\u{2028}",
            "a##b",
            "a\tb",
            "é:b",
        ];
        for text in rejected {
            assert!(!is_java_uri(text), "{text}");
        }
    }

    #[test]
    fn s_2_1_2_the_colon_pattern() {
        for (text, expected) in [
            ("a:b", true),
            ("a: b", false),
            (" :b", false),
            ("x a:b y", true),
            ("a:", false),
            ("::", false),
            (":::", true),
            ("ab", false),
        ] {
            assert_eq!(is_iri_like(text), expected, "{text}");
        }
    }
}
