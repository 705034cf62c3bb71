//! Files of statements that an endpoint, or a server with a pinned knowledge base, is asked for: what is needed, as a file like every other.

use crate::base::clock;
use crate::base::error::{Error, Result};
use crate::base::iri::Mint;
use crate::base::watch::Watcher;
use crate::kb::allowance::Allowance;
use crate::kb::ask::Asker;
use crate::kb::base::KnowledgeBase;
use crate::kb::endpoint::Endpoint;
use crate::kb::served::ServedBase;
use crate::profiles::link_kind::LinkKind;
use crate::references::harvest::Harvested;
use crate::references::harvest::needs::Needs;
use crate::references::{ReferenceInput, ReferenceKind, harvest};
use crate::sources::file::source::Source;

/// A server that is asked for statements.
#[derive(Debug)]
pub struct Harvester {
    /// Where its statements are from: the address of an endpoint, or the IRI of a pinned knowledge base.
    address: String,
    asked: Informant,
}

/// Who is asked for statements.
#[derive(Debug)]
enum Informant {
    Endpoint(Box<Endpoint>),
    Served(Box<ServedBase>),
}

impl Harvester {
    /// The endpoint with an address, if somebody is there.
    pub fn open(address: &str, allowance: &Allowance) -> Result<Self> {
        let endpoint = allowance.endpoint(address)?;
        Ok(Self { address: endpoint.address().to_owned(), asked: Informant::Endpoint(Box::new(endpoint)) })
    }

    /// The server that has a pinned knowledge base, if it has what was pinned; nothing where that is files.
    pub fn of_base(base: &KnowledgeBase, allowance: &Allowance, mint: &Mint) -> Result<Option<Self>> {
        let served = ServedBase::open(base, allowance)?;
        Ok(served.map(|served| Self { address: base.iri(mint), asked: Informant::Served(Box::new(served)) }))
    }

    /// Its address, or the IRI of the knowledge base that it has.
    pub fn address(&self) -> &str {
        &self.address
    }

    fn asker(&self) -> &dyn Asker {
        match &self.asked {
            Informant::Endpoint(endpoint) => endpoint.as_ref(),
            Informant::Served(served) => served.as_ref(),
        }
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
                harvest::links(self.asker(), &needs.linked(), redirects, origin)
            }
            ReferenceKind::Labels => harvest::labels(self.asker(), needs, origin),
            ReferenceKind::Classes => harvest::classes(self.asker(), &needs.classes, origin),
            ReferenceKind::Types => harvest::types(self.asker(), &needs.resources, origin),
            // No knowledge base has what people say about questions and answers, and how to score them.
            ReferenceKind::QuestionTypes | ReferenceKind::Assessments | ReferenceKind::Profiles => {
                return Ok(None);
            }
        };
        let bytes = bytes.map_err(|error: Error| error.hint(format!("{address} was asked")))?;
        if let Informant::Served(served) = &self.asked {
            served.check()?;
        }
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
