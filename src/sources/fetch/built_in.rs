//! The example files: the program has them with it.

use crate::sources::catalogue::Entry;

/// The bytes of a file that is part of the program.
pub(crate) fn bytes(entry: &Entry) -> Option<&'static [u8]> {
    let bytes: &[u8] = match entry.path {
        _ if !entry.is_built_in() => return None,
        "datasets/example/gold.json" => include_bytes!("../../../datasets/example/gold.json"),
        "datasets/example/aurora.json" => include_bytes!("../../../datasets/example/aurora.json"),
        "datasets/example/borealis.json" => include_bytes!("../../../datasets/example/borealis.json"),
        "datasets/example/same-as.nt" => include_bytes!("../../../datasets/example/same-as.nt"),
        "datasets/example/kb.ttl" => include_bytes!("../../../datasets/example/kb.ttl"),
        _ => return None,
    };
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::catalogue::entries;

    #[test]
    fn every_file_without_a_repository_is_built_in() {
        let built_in: Vec<&Entry> = entries().iter().filter(|entry| entry.is_built_in()).collect();
        assert_eq!(built_in.len(), 5);
        for entry in built_in {
            assert_eq!(bytes(entry).map(|bytes| bytes.len() as u64), entry.bytes, "{}", entry.name);
        }
    }
}
