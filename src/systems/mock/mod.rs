//! A live system that gives the answers of a file, by any protocol that is described: for clients that are to be tested.

pub mod book;
pub mod heard;
pub mod said;
pub mod server;
