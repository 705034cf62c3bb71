//! Places in JSON: `$.questions[3].answers[0]`.

use std::fmt;

/// A place in a JSON value, written out only when there is something to say about it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Path<'p> {
    /// The whole file: `$`.
    Root,
    /// The value of a key.
    Key(&'p Self, &'p str),
    /// An item of a list, from 0.
    Index(&'p Self, usize),
}

impl Path<'_> {
    /// The value of a key of this object.
    pub(crate) fn key<'p>(&'p self, key: &'p str) -> Path<'p> {
        Path::Key(self, key)
    }

    /// An item of this list.
    pub(crate) fn index(&self, index: usize) -> Path<'_> {
        Path::Index(self, index)
    }

    /// The place below the question: the key itself, or a path for what is nested in it (`question[0].foo`).
    pub(crate) fn in_question(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(parent, key) if parent.is_question() => (*key).to_owned(),
            Self::Key(parent, key) if is_name(key) => format!("{}.{key}", parent.in_question()),
            Self::Key(parent, key) => format!("{}[{key:?}]", parent.in_question()),
            Self::Index(parent, index) => format!("{}[{index}]", parent.in_question()),
        }
    }

    /// A question is the whole line, an item of the list that is the file, or an item of `questions`.
    fn is_question(&self) -> bool {
        match self {
            Self::Root => true,
            Self::Key(..) => false,
            Self::Index(parent, _) => matches!(parent, Self::Root | Self::Key(Self::Root, "questions")),
        }
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

    #[test]
    fn places_in_a_question_begin_below_it() {
        let questions = Path::Root.key("questions");
        for question in [Path::Root, Path::Root.index(7), questions.index(3)] {
            assert_eq!(question.key("xml:lang").in_question(), "xml:lang");
            let texts = question.key("question");
            let text = texts.index(0);
            assert_eq!(text.key("foo").in_question(), "question[0].foo");
            assert_eq!(text.key("x y").in_question(), r#"question[0]["x y"]"#);
        }
    }
}
