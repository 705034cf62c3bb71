//! A detached signature over the list of checksums.

/// The signature of the list of checksums, as minisign writes it.
pub const SIGNATURE: &str = "SHA256SUMS.minisig";
