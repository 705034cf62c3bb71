//! IC-0 of the Data Cube recommendation: every typed literal is in the lexical space of its datatype.
//!
//! SPARQL cannot ask for this, and a store may have rewritten what it could; so the published literals are
//! looked at one by one.

use std::str::FromStr;

use oxigraph::model::{Literal, Term};
use oxsdatatypes::{DateTime, Decimal, Integer};

use crate::base::error::Result;
use crate::base::rdf::dataset::Dataset;
use crate::base::rdf::named_query::NamedQuery;
use crate::base::vocab::xsd;

/// Literals that are not in the lexical space of their datatype.
pub fn violations(dataset: &dyn Dataset) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    dataset.each_row(&NamedQuery::find("store/literals")?, &mut |row| {
        if let [Some(subject), Some(property), Some(Term::Literal(literal))] = row
            && !is_well_formed(literal)
        {
            problems.push(format!("ic-00 (well-formed literals): {subject} {property} {literal}"));
        }
        Ok(())
    })?;
    problems.sort_unstable();
    problems.dedup();
    Ok(problems)
}

fn is_well_formed(literal: &Literal) -> bool {
    let text = literal.value();
    match literal.datatype().as_str() {
        xsd::INTEGER => Integer::from_str(text).is_ok(),
        xsd::NON_NEGATIVE_INTEGER => text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty(),
        xsd::DECIMAL => Decimal::from_str(text).is_ok(),
        xsd::BOOLEAN => matches!(text, "true" | "false" | "1" | "0"),
        xsd::DATE_TIME => DateTime::from_str(text).is_ok(),
        xsd::HEX_BINARY => text.len().is_multiple_of(2) && text.bytes().all(|byte| byte.is_ascii_hexdigit()),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rdf::store::Store;
    use crate::base::vocab::qassay;

    #[test]
    fn an_exponent_is_no_decimal() {
        let store = Store::in_memory().unwrap();
        let quads = format!(
            "<http://a> <http://p> \"1.0E-4\"^^<{0}> <http://g> .\n<http://a> <http://p> \"NaN\"^^<{0}> <http://g> .\n\
             <http://a> <http://p> \"0.5\"^^<{0}> <http://g> .\n<http://a> <{1}> \"x\"^^<{0}> <http://g> .\n",
            xsd::DECIMAL,
            qassay::ANSWER_TERM
        );
        store.load_nquads(quads.as_bytes(), true).unwrap();
        assert_eq!(violations(&store).unwrap().len(), 2);
    }
}
