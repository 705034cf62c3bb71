//! Files of statements that an endpoint is asked for: what is needed, as a file like every other.

use crate::base::clock;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::watch::Watcher;
use crate::kb::allowance::Allowance;
use crate::kb::endpoint::Endpoint;
use crate::profiles::link_kind::LinkKind;
use crate::references::harvest::Harvested;
use crate::references::harvest::needs::Needs;
use crate::references::{ReferenceInput, ReferenceKind, harvest};
use crate::sources::file::source::Source;

/// An endpoint that is asked for statements.
#[derive(Debug)]
pub struct Harvester(Endpoint);

impl Harvester {
    /// The endpoint with an address, if somebody is there.
    pub fn open(address: &str, allowance: &Allowance) -> Result<Self> {
        allowance.endpoint(address).map(Self)
    }

    /// Its address.
    pub fn address(&self) -> &str {
        self.0.address()
    }

    /// Asks for what is needed; nothing where the endpoint has none of it.
    pub fn ask(
        &self,
        kind: ReferenceKind,
        needs: &Needs,
        link_kinds: &[LinkKind],
        mint: &Mint,
        watcher: &dyn Watcher,
    ) -> Result<Option<ReferenceInput>> {
        let (time, address) = (clock::now()?.date_time, self.address());
        let origin = &Harvested { source: address.to_owned(), time: time.clone() };
        let bytes = match kind {
            ReferenceKind::Links => {
                if link_kinds.contains(&LinkKind::Wikipedia) {
                    watcher.note("note: an endpoint is not asked for links of the kind `wikipedia`");
                }
                let redirects = link_kinds.contains(&LinkKind::Redirect);
                harvest::links(&self.0, &needs.resources, redirects, origin)
            }
            ReferenceKind::Labels => harvest::labels(&self.0, needs, origin),
            ReferenceKind::Classes => harvest::classes(&self.0, &needs.classes, origin),
            ReferenceKind::Types => harvest::types(&self.0, &needs.resources, origin),
            // No knowledge base has what people say about questions and answers, and how to score them.
            ReferenceKind::QuestionTypes | ReferenceKind::Assessments | ReferenceKind::Profiles => {
                return Ok(None);
            }
        };
        let bytes = bytes.map_err(|error: Error| error.hint(format!("{address} was asked")))?;
        if !has_statements(&bytes) {
            let name = kind.name();
            watcher.note(&format!("note: {address} has no {name} of what is named, and none are used"));
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
