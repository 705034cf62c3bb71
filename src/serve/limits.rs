//! How often somebody may ask for what costs much: by his address, that of a network where that is what one has.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;

use axum::extract::{ConnectInfo, Request};
use axum::http::header::{FORWARDED, HeaderMap};
use axum::http::{HeaderName, StatusCode};
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;

use crate::serve::replies::HttpProblem;

/// Evaluations with more questions have no pages where others reach the server.
const MOST_QUESTIONS: u64 = 10_000;

/// What is limited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limited {
    /// Runs: ten an hour.
    Run,
    /// Files that are looked at: sixty an hour.
    Check,
    /// Queries: a hundred and twenty a minute.
    Query,
}

/// How much of each is too much, in their order.
const TOLD: [&str; 3] = ["10 runs an hour", "60 checks an hour", "120 queries a minute"];

/// Who asked how often.
#[derive(Debug)]
pub(crate) struct CallLimits {
    /// Nothing where only this machine reaches the server.
    buckets: Option<[DefaultKeyedRateLimiter<IpAddr>; 3]>,
    /// The proxies whose word is believed about who calls.
    proxies: Vec<IpNet>,
}

impl CallLimits {
    /// Limits for a server that others reach; else none.
    pub(crate) fn new(is_public: bool, proxies: &[IpNet]) -> Self {
        let number = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let buckets = || {
            [
                RateLimiter::keyed(Quota::per_hour(number(10))),
                RateLimiter::keyed(Quota::per_hour(number(60))),
                RateLimiter::keyed(Quota::per_minute(number(120))),
            ]
        };
        Self { buckets: is_public.then(buckets), proxies: proxies.to_vec() }
    }

    /// Pages are made of evaluations with so many questions at most; none where only this machine reaches the server: they are made
    /// in its own memory, some 40 kB a question.
    pub(crate) fn most_questions(&self) -> Option<u64> {
        self.buckets.as_ref().map(|_| MOST_QUESTIONS)
    }

    /// How often each may ask, in words; nothing where all may as often as they like.
    pub(crate) fn told(&self) -> Option<String> {
        self.buckets.as_ref().map(|_| TOLD.join(", "))
    }

    /// The network of who calls.
    pub(crate) fn caller(&self, request: &Request) -> Option<IpAddr> {
        let ConnectInfo(peer) = request.extensions().get::<ConnectInfo<SocketAddr>>()?;
        let peer = peer.ip().to_canonical();
        let is_proxy = self.proxies.iter().any(|net| net.contains(&peer));
        let stated = is_proxy.then(|| self.forwarded(request.headers())).flatten();
        Some(network(stated.unwrap_or(peer)))
    }

    /// Who a proxy says that calls: the last that is no proxy itself (RFC 7239, section 5.2; or the older header).
    fn forwarded(&self, headers: &HeaderMap) -> Option<IpAddr> {
        let of = |name: &HeaderName| -> Vec<String> {
            let all = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
            all.flat_map(|value| value.split(',')).map(|part| part.trim().to_owned()).collect()
        };
        let new = of(&FORWARDED);
        let stated: Vec<String> = if new.is_empty() {
            of(&HeaderName::from_static("x-forwarded-for"))
        } else {
            let node = |element: &String| {
                let pairs = element.split(';').filter_map(|pair| pair.trim().split_once('='));
                pairs
                    .into_iter()
                    .find(|(name, _)| name.eq_ignore_ascii_case("for"))
                    .map(|(_, node)| node.to_owned())
            };
            new.iter().filter_map(node).collect()
        };
        let addresses = stated.iter().rev().filter_map(|node| address(node));
        let is_proxy = |one: &IpAddr| self.proxies.iter().any(|net| net.contains(one));
        addresses.map(|one| one.to_canonical()).find(|one| !is_proxy(one))
    }

    /// An error where somebody asks too often.
    pub(crate) fn pass(&self, request: &Request, what: Limited) -> Result<(), HttpProblem> {
        self.pass_from(self.caller(request), what)
    }

    /// The same, of who is known already.
    pub(crate) fn pass_from(&self, caller: Option<IpAddr>, what: Limited) -> Result<(), HttpProblem> {
        let (Some(buckets), Some(caller)) = (&self.buckets, caller) else { return Ok(()) };
        let at = what as usize;
        let (bucket, told) = (&buckets[at], TOLD[at]);
        bucket.check_key(&caller).map_err(|until| {
            let wait = until.wait_time_from(DefaultClock::default().now()).as_secs() + 1;
            let seconds = u32::try_from(wait).unwrap_or(u32::MAX);
            HttpProblem::new(StatusCode::TOO_MANY_REQUESTS, "rate", "too many requests from your address")
                .allowed(told)
                .hint(&format!("the next is possible in {seconds} s; or run it on your machine"))
                .later(seconds)
        })
    }

    /// Forgets who has not asked for long.
    pub(crate) fn forget(&self) {
        for bucket in self.buckets.iter().flatten() {
            bucket.retain_recent();
        }
    }
}

/// The address of a node, with its port or without.
fn address(node: &str) -> Option<IpAddr> {
    let node = node.trim_matches('"');
    let own = node.parse::<IpAddr>().ok();
    let with_port = || node.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    let in_brackets = || node.strip_prefix('[')?.strip_suffix(']')?.parse().ok();
    own.or_else(with_port).or_else(in_brackets)
}

/// What one has: an address of IPv4, a network of 64 bits of IPv6.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(six) => IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() >> 64 << 64)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proxies_are_believed_as_far_as_they_are_known() {
        let limits = CallLimits::new(true, &["10.0.0.0/8".parse().unwrap()]);
        let of = |peer: &str, name: &'static str, value: &str| {
            let mut request = Request::new(axum::body::Body::empty());
            request.extensions_mut().insert(ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 1)));
            request.headers_mut().insert(name, value.parse().unwrap());
            limits.caller(&request).unwrap().to_string()
        };
        assert_eq!(of("9.9.9.9", "x-forwarded-for", "1.1.1.1"), "9.9.9.9");
        assert_eq!(of("10.0.0.1", "x-forwarded-for", "6.6.6.6, 1.1.1.1, 10.2.2.2"), "1.1.1.1");
        assert_eq!(
            of("10.0.0.1", "forwarded", "for=6.6.6.6, for=\"[2001:db8::5:1]:80\";proto=https"),
            "2001:db8::"
        );
        assert_eq!(of("::ffff:10.0.0.1", "x-forwarded-for", "nonsense"), "10.0.0.1");
    }

    #[test]
    fn who_asks_too_often_is_told_when_he_may_again() {
        let limits = CallLimits::new(true, &[]);
        let caller: Option<IpAddr> = "1.1.1.1".parse().ok();
        assert!((0..10).all(|_| limits.pass_from(caller, Limited::Run).is_ok()));
        let refused = limits.pass_from(caller, Limited::Run).unwrap_err();
        assert_eq!(refused.code_of_http(), StatusCode::TOO_MANY_REQUESTS);
        assert!(limits.pass_from("1.1.1.2".parse().ok(), Limited::Run).is_ok());
        assert!((0..100).all(|_| CallLimits::new(false, &[]).pass_from(caller, Limited::Run).is_ok()));
    }
}
