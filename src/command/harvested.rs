//! Files of statements that an endpoint is asked for: what is needed, as a file like every other.

use qassay::base::error::{Error, Result};
use qassay::base::iri::Mint;
use qassay::kb::endpoint::Endpoint;
use qassay::references::harvest;
use qassay::references::harvest::Origin;
use qassay::references::harvest::needs::Needs;
use qassay::references::links::kind::LinkKind;
use qassay::references::{ReferenceInput, ReferenceKind};
use qassay::sources::file::source::Source;

use super::{Output, asker, clock};
use crate::cli::Limiting;

/// An endpoint that is asked for statements.
pub(crate) struct Harvester(Endpoint);

impl Harvester {
    /// The endpoint with an address, if somebody is there.
    pub(crate) fn open(address: &str, limiting: &Limiting) -> Result<Self> {
        asker::endpoint(address, limiting).map(Self)
    }

    /// Its address.
    pub(crate) fn address(&self) -> &str {
        self.0.address()
    }

    /// Asks for what is needed; nothing where the endpoint has none of it.
    pub(crate) fn ask(
        &self,
        kind: ReferenceKind,
        needs: &Needs,
        link_kinds: &[LinkKind],
        mint: &Mint,
        output: &Output,
    ) -> Result<Option<ReferenceInput>> {
        let (time, address) = (clock::now()?.date_time, self.address());
        let origin = Origin { source: address, time: &time };
        let bytes = match kind {
            ReferenceKind::Links => {
                if link_kinds.contains(&LinkKind::Wikipedia) {
                    output.note("note: an endpoint is not asked for links of the kind `wikipedia`");
                }
                let redirects = link_kinds.contains(&LinkKind::Redirect);
                harvest::links(&self.0, &needs.resources, redirects, origin)
            }
            ReferenceKind::Labels => harvest::labels(&self.0, needs, origin),
            ReferenceKind::Classes => harvest::classes(&self.0, &needs.classes, origin),
            ReferenceKind::Types => harvest::types(&self.0, &needs.resources, origin),
            // No knowledge base has what people say about questions and answers.
            ReferenceKind::QuestionTypes | ReferenceKind::Assessments => return Ok(None),
        };
        let bytes = bytes.map_err(|error: Error| error.hint(format!("{address} was asked")))?;
        if !has_statements(&bytes) {
            let name = kind.name();
            output.note(&format!("note: {address} has no {name} of what is named, and none are used"));
            return Ok(None);
        }
        let source = Source::from_bytes(format!("{} of {address} at {time}", kind.name()), bytes)?;
        match kind {
            ReferenceKind::Links => ReferenceInput::links_of(source, link_kinds, mint),
            _ => ReferenceInput::open(kind, source, mint),
        }
        .map(Some)
    }
}

/// Whether a file of N-Triples has more than comments.
fn has_statements(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').any(|line| !line.is_empty() && !line.starts_with(b"#"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn comments_are_no_statements() {
        assert!(!super::has_statements(b"# a\n# b\n"));
        assert!(super::has_statements(b"# a\n<http://a> <http://b> <http://c> .\n"));
    }
}
