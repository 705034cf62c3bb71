//! Places in JSON: `$.questions[3].answers[0]`.

use std::fmt;

/// A place in a JSON value, written out only when there is something to say about it.
#[derive(Debug, Clone, Copy)]
pub(super) enum Path<'p> {
    /// The whole file: `$`.
    Root,
    /// The value of a key.
    Key(&'p Self, &'p str),
    /// An item of a list, from 0.
    Index(&'p Self, usize),
}

impl Path<'_> {
    /// The value of a key of this object.
    pub(super) fn key<'p>(&'p self, key: &'p str) -> Path<'p> {
        Path::Key(self, key)
    }

    /// An item of this list.
    pub(super) fn index(&self, index: usize) -> Path<'_> {
        Path::Index(self, index)
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root => f.write_str("$"),
            Self::Key(parent, key) if is_name(key) => write!(f, "{parent}.{key}"),
            Self::Key(parent, key) => write!(f, "{parent}[{key:?}]"),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

fn is_name(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_json_paths() {
        let path = Path::Root.key("questions");
        let path = path.index(3);
        assert_eq!(path.key("xml:lang").to_string(), r#"$.questions[3]["xml:lang"]"#);
    }
}
