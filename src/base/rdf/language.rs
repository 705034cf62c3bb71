//! Language tags as RDF takes them.

use oxigraph::model::Literal;

/// A language tag in lower case with hyphens, or nothing where it is none (BCP 47 syntax, loosely).
pub fn language_tag(tag: &str) -> Option<String> {
    let tag = tag.trim().to_ascii_lowercase().replace('_', "-");
    let mut parts = tag.split('-');
    let first = parts.next().unwrap_or_default();
    let is_language = (1..=8).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_lowercase());
    let is_rest =
        |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric());
    let looks_like_one = is_language && parts.all(is_rest);
    // Readers of N-Quads are stricter: they want the grammar of BCP 47 (`a`, `en-us-us` and `en-a` are none).
    (looks_like_one && Literal::new_language_tagged_literal("", tag.as_str()).is_ok()).then_some(tag)
}
