//! Files: bytes, checksum, packing, encoding; whole or in one pass.

pub mod encoding;
pub mod eval_log;
pub mod joined;
pub mod large;
pub mod line;
pub mod pack;
pub mod source;
pub mod syntax;
pub mod text;
pub mod unpack;
pub mod whole_xml;
pub mod zipped;
pub mod zstd;
