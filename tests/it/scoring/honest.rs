//! What nobody states is never right: gold answers that are none, answers that are errors, files that do not belong
//! together.

use std::collections::BTreeMap;
use qassay::sources::file::source::Source;
use qassay::sources::format::read;
use crate::common::{mirror, mirror_2};

#[test]
fn scan() {
    for root in [mirror(), mirror_2()] {
        for file in walkdir(&root) {
            let Ok(source) = Source::open(&file) else { continue };
            let Ok((document, format)) = read(&source) else { continue };
            let mut states: BTreeMap<&str, usize> = BTreeMap::new();
            for q in &document.questions { *states.entry(q.answers.state.name()).or_default() += 1; }
            let extras = document.questions.iter().filter(|q| !q.extras.is_empty()).count();
            let queries = document.questions.iter().filter(|q| !q.queries.is_empty()).count();
            println!("{}\t{}\t{states:?}\textras {extras}\tqueries {queries}\t{}", format.name, document.questions.len(), file.strip_prefix(&root).unwrap().display());
        }
    }
}

fn walkdir(root: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { all.extend(walkdir(&path)); } else { all.push(path); }
    }
    all.sort();
    all
}
