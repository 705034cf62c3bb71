//! Texts with places that are filled for each question: `{question}`, `{language}`, `{kb}`, `{env:OPENAI_API_KEY}`.

use std::collections::BTreeMap;

/// What stands in the places.
#[derive(Debug, Clone, Default)]
pub struct Values {
    values: BTreeMap<String, String>,
    secrets: Secrets,
}

/// Whether secrets, values of the environment, are written out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Secrets {
    /// They are left as they stand in the template: what is kept and shown.
    #[default]
    Hidden,
    /// They are filled in: what is sent.
    Sent,
}

impl Values {
    /// Sets the value of a place.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.values.insert(name.to_owned(), value.into());
        self
    }

    /// The values of one question: what it has of its own, and settings, whose texts may be templates, such as prompts: their
    /// places are filled once. What questions bring is no template.
    #[must_use]
    pub fn of_question(&self, own: &[(&str, &str)]) -> Self {
        let with_own =
            |values: Self| own.iter().fold(values, |values, (name, value)| values.with(name, *value));
        let known = with_own(self.clone()).with_secrets(Secrets::Hidden);
        let mut filled = self.clone();
        for (name, value) in &mut filled.values {
            if !name.starts_with(ENVIRONMENT) && value.contains('{') {
                *value = Template::parse(value).fill(&known);
            }
        }
        with_own(filled)
    }

    /// The same with secrets written out, or not.
    #[must_use]
    pub fn with_secrets(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self
    }

    /// The values of the environment.
    pub fn secrets(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.values.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        all.filter(|(name, _)| name.starts_with(ENVIRONMENT))
    }

    /// The value of a place.
    pub fn get(&self, name: &str) -> Option<&str> {
        let is_hidden = name.starts_with(ENVIRONMENT) && self.secrets == Secrets::Hidden;
        self.values.get(name).map(String::as_str).filter(|_| !is_hidden)
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Values {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let values = pairs.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        Self { values, secrets: Secrets::default() }
    }
}

/// Before the name of a variable of the environment.
pub const ENVIRONMENT: &str = "env:";
/// After the name of a place that stands for several values, separated by commas.
const EACH: char = '*';

/// A text with places. What is filled in is never read as a template again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Place(String),
}

impl Template {
    /// Reads a template. A brace that encloses no name is a brace.
    pub fn parse(text: &str) -> Self {
        let (mut pieces, mut plain, mut rest) = (Vec::new(), String::new(), text);
        while let Some(open) = rest.find('{') {
            plain.push_str(&rest[..open]);
            let after = &rest[open + 1..];
            if let Some((name, behind)) = after.split_once('}').filter(|(name, _)| is_name(name)) {
                if !plain.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut plain)));
                }
                pieces.push(Piece::Place(name.to_owned()));
                rest = behind;
            } else {
                plain.push('{');
                rest = after;
            }
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Text(plain));
        }
        Self { pieces }
    }

    /// The names of the places, in order.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Place(name) => Some(name.trim_end_matches(EACH)),
            Piece::Text(_) => None,
        })
    }

    /// The text before and after a place, where it is the only one.
    pub fn around(&self, name: &str) -> Option<(String, String)> {
        let is_it = |piece: &Piece| matches!(piece, Piece::Place(own) if own == name);
        let at = self.pieces.iter().position(is_it)?;
        let plain = |pieces: &[Piece]| {
            let texts = pieces.iter().map(|piece| match piece {
                Piece::Text(text) => Some(text.as_str()),
                Piece::Place(_) => None,
            });
            texts.collect::<Option<String>>()
        };
        Some((plain(&self.pieces[..at])?, plain(&self.pieces[at + 1..])?))
    }

    /// The text with its places filled; a place without a value stays as it is written.
    pub fn fill(&self, values: &Values) -> String {
        let pieces = self.pieces.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Place(name) => {
                values.get(name.trim_end_matches(EACH)).map_or_else(|| format!("{{{name}}}"), str::to_owned)
            }
        });
        pieces.collect()
    }

    /// The texts that a template stands for: one, or one for each value of a place for several (`{components*}`) that is
    /// all of it.
    pub fn fill_each(&self, values: &Values) -> Vec<String> {
        let several = match self.pieces.as_slice() {
            [Piece::Place(name)] => name.strip_suffix(EACH).and_then(|name| values.get(name)),
            _ => None,
        };
        match several {
            Some(list) => list.split(',').map(|one| one.trim().to_owned()).collect(),
            None => vec![self.fill(values)],
        }
    }
}

/// Whether a text can stand in a header: nothing that ends a line, and no other control character than tabs.
pub(crate) fn is_of_one_line(text: &str) -> bool {
    !text.contains(|c: char| c.is_control() && c != '\t')
}

/// Whether a text can be the name of a place: a letter, then letters, digits, `_`, `-`; `env:` before a variable.
fn is_name(text: &str) -> bool {
    let name = text.strip_prefix(ENVIRONMENT).unwrap_or(text.strip_suffix(EACH).unwrap_or(text));
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        Values::default()
            .with("question", "Is {kb} \"it\"?")
            .with("kb", "dbpedia")
            .with("components", "one, two")
            .with("env:KEY", "secret")
    }

    #[test]
    fn places_are_filled_once() {
        let template = Template::parse("{question} in {kb}, {unknown} {} { x } {question");
        assert_eq!(template.fill(&values()), "Is {kb} \"it\"? in dbpedia, {unknown} {} { x } {question");
        assert_eq!(template.places().collect::<Vec<_>>(), ["question", "kb", "unknown"]);
    }

    #[test]
    fn settings_are_templates_and_questions_are_not() {
        let settings = Values::default()
            .with("kb", "dbpedia")
            .with("env:KEY", "secret")
            .with("prompt", "{schema}: {question} ASK { ?a ?b {env:KEY} } {shots}")
            .with("schema", "classes of {kb}");
        let values = settings.of_question(&[("question", "Is {kb} \"it\"?")]);
        let filled = Template::parse("{prompt}").fill(&values.with_secrets(Secrets::Sent));
        assert_eq!(filled, "classes of {kb}: Is {kb} \"it\"? ASK { ?a ?b {env:KEY} } {shots}");
    }

    #[test]
    fn secrets_are_written_only_where_they_are_sent() {
        let template = Template::parse("Bearer {env:KEY}");
        assert_eq!(template.fill(&values()), "Bearer {env:KEY}");
        assert_eq!(template.fill(&values().with_secrets(Secrets::Sent)), "Bearer secret");
    }

    #[test]
    fn a_header_has_one_line() {
        assert!(is_of_one_line("Bearer k\u{f6}ln\t1") && is_of_one_line(""));
        for wrong in ["a\r\nb", "a\n", "\u{1b}[31m", "\0", "\u{7f}", "\u{85}"] {
            assert!(!is_of_one_line(wrong), "{wrong:?}");
        }
    }

    #[test]
    fn a_place_may_stand_for_several_values() {
        assert_eq!(Template::parse("{components*}").fill_each(&values()), ["one", "two"]);
        assert_eq!(Template::parse("{components*}!").fill_each(&values()), ["one, two!"]);
        assert_eq!(Template::parse("{kb}").fill_each(&values()), ["dbpedia"]);
    }
}
