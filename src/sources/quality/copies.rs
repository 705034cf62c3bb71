//! Files that the catalogue knows by their checksum as damaged copies.

use crate::base::issue::{Issue, IssueCode, Place};
use crate::sources::catalogue;
use crate::sources::catalogue::Entry;
use crate::sources::file::source::Source;

/// The entry of a file in the catalogue, also where the file is packed.
pub fn known(source: &Source) -> Option<&'static Entry> {
    catalogue::by_checksum(source.sha256()).or_else(|| catalogue::by_checksum(&source.content_sha256()?))
}

/// The issue about a file that is known to be damaged.
pub fn damaged(source: &Source) -> Option<Issue> {
    known(source).and_then(issue)
}

/// The issue about an entry of the catalogue that is damaged.
pub(crate) fn issue(entry: &Entry) -> Option<Issue> {
    if entry.damage.is_empty() {
        return None;
    }
    let advice = match entry.instead {
        "" => "no better copy is known".to_owned(),
        sibling => format!("`{sibling}` is better there: `qassay datasets {sibling}`"),
    };
    let message = format!("this copy is known to be damaged: {}; {advice}", entry.damage);
    Some(Issue::new(IssueCode::DamagedCopy, &Place::default(), message))
}

#[cfg(test)]
mod tests {
    use super::issue;
    use crate::sources::catalogue::by_name;

    #[test]
    fn damage_and_the_file_to_take() {
        let told = |name| issue(by_name(name).expect("an entry")).map(|issue| issue.message);
        assert_eq!(told("qald-1-test-dbpedia"), None);
        let damaged = told("qald-5-train-json").expect("an issue");
        assert!(
            damaged.contains("squeezed") && damaged.contains("`qassay datasets qald-5-train`"),
            "{damaged}"
        );
    }
}
