//! Pairs of items: what the match queries join on, what they find, and which pairs count.

pub mod alias_keys;
pub mod assess;
pub mod candidates;
pub mod column_labels;
pub mod form_keys;
pub mod judged;
pub mod keyed_items;
pub mod keys;
pub mod label_keys;
pub mod pairing;
pub(crate) mod remote;
pub mod tied;
pub mod workspace;
