//! What pages look like and what makes them handier: files that are no pages, in the program itself.

use std::sync::LazyLock;

use sha2::{Digest as _, Sha256};

use crate::base::checksum::hex;

/// A file of the site that is not a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    /// Its name.
    pub name: &'static str,
    /// Its content.
    pub text: &'static str,
    /// Its media type.
    pub media_type: &'static str,
}

/// How pages look. The addresses of assets have the checksum of their content, so they may be kept for ever.
pub const STYLE: Asset = Asset {
    name: "style.css",
    text: include_str!("assets/style.css"),
    media_type: "text/css; charset=utf-8",
};

/// What makes pages handier, and none needs.
pub const SCRIPT: Asset = Asset {
    name: "qassay.js",
    text: include_str!("assets/qassay.js"),
    media_type: "text/javascript; charset=utf-8",
};

/// The picture of a window.
pub const ICON: Asset =
    Asset { name: "icon.svg", text: include_str!("assets/icon.svg"), media_type: "image/svg+xml" };

/// How plots of comparisons look, on the pages that have some.
pub const PLOTS: Asset = Asset {
    name: "plot.css",
    text: include_str!("../report/pages/plot.css"),
    media_type: "text/css; charset=utf-8",
};

impl Asset {
    /// All of them.
    pub const ALL: [Self; 4] = [STYLE, SCRIPT, ICON, PLOTS];

    /// The names of its folders and of its file in a site.
    pub fn file(&self) -> Vec<String> {
        // Every page names them: what is sent once is hashed once.
        static HASHES: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
            Asset::ALL.iter().map(|one| (one.name, hex(&Sha256::digest(one.text))[..16].to_owned())).collect()
        });
        let hash = HASHES.iter().find(|(name, _)| *name == self.name).map_or("", |(_, hash)| hash);
        ["static", hash, self.name].map(str::to_owned).to_vec()
    }

    /// The one whose file has this path.
    pub fn find(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.file().join("/") == path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_small() {
        assert!(STYLE.text.len() <= 24_000, "{}", STYLE.text.len());
        assert!(SCRIPT.text.len() <= 6_000, "{}", SCRIPT.text.len());
    }
}
