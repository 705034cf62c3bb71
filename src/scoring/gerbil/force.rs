//! Forcing a literal to entities (statement 2.4).

use crate::scoring::gerbil::Labels;
use crate::scoring::gerbil::url::is_valid_url;

/// The URIs that stand for a literal, each an annotation of its own (statements 2.4.1 to 2.4.3).
///
/// A valid URL stands for itself and is not expanded by sameAs. Otherwise the literal is looked up as it is
/// (2.4.4: also with a language tag in it); without a hit it becomes a pseudo URI. `labels` is restricted to the
/// language of the question and gives its hits in the order in which they are to be paired.
pub fn force(literal: &str, labels: Labels<'_>) -> Vec<String> {
    let itself = || vec![literal.to_owned()];
    if is_valid_url(literal) {
        return itself();
    }
    let hits = labels(literal);
    if hits.is_empty() { itself() } else { hits }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s_2_4_force() {
        let labels =
            |text: &str| if text == "Berlin" { vec!["x:1".to_owned(), "x:2".to_owned()] } else { vec![] };
        assert_eq!(force("Berlin", &labels), ["x:1", "x:2"]);
        assert_eq!(force("Berlin@en", &labels), ["Berlin@en"]);
        assert_eq!(force("http://a.org/b", &|_| vec!["x:1".to_owned()]), ["http://a.org/b"]);
        let koeln = "http://dbpedia.org/resource/Köln";
        assert_eq!(force(koeln, &|_| vec!["x:1".to_owned()]), ["x:1"], "no valid URL: looked up");
    }
}
