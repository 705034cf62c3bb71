//! The style sheet and the script of all pages. Their addresses have the checksum of their content, so they may be kept for
//! ever.

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

/// How pages look.
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

/// How plots of comparisons look, on the pages that have some.
pub const PLOTS: Asset = Asset {
    name: "plot.css",
    text: include_str!("../report/pages/plot.css"),
    media_type: "text/css; charset=utf-8",
};

impl Asset {
    /// All of them.
    pub const ALL: [Self; 3] = [STYLE, SCRIPT, PLOTS];

    /// The names of its folders and of its file in a site.
    pub fn file(&self) -> Vec<String> {
        let hash = &hex(&Sha256::digest(self.text))[..16];
        ["static", hash, self.name].map(str::to_owned).to_vec()
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
