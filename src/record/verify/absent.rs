//! What is not here: a graph or a file that a record describes.

use std::path::Path;

use serde::Serialize;

use crate::base::checksum::is_checksum;
use crate::base::text;
use crate::sources::archive::stored::StoredFile;

/// Something that is not here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct AbsentPart {
    /// The checksum of the graph or the file that it is, where it is one.
    #[serde(skip)]
    pub sha256: Option<String>,
    /// What is told of it.
    pub told: String,
}

impl AbsentPart {
    /// A graph or a file with this checksum.
    pub fn of(sha256: &str, told: String) -> Self {
        Self { sha256: Some(sha256.to_owned()), told }
    }

    /// A file of the archive.
    pub fn of_path(path: &Path) -> Self {
        let sha256 = Some(StoredFile::new(path).sha256()).filter(|name| is_checksum(name));
        Self { sha256, told: format!("{} is not here", text::path(path)) }
    }

    /// Something that has no checksum.
    pub fn told(told: String) -> Self {
        Self { sha256: None, told }
    }
}
