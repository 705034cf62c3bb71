//! Table 1 of the GERBIL QA paper: all 21 rows, each with the rule that gives its number of questions.

use crate::common::loading::{open, rows};
use crate::common::mirror;
use qassay::profiles::loaders::{Loader, Loading, Part, load};

#[test]
#[cfg_attr(not(shared), ignore = "no ../shared")]
fn every_row_of_table_1() {
    let mirror = mirror();
    let (mut names, mut different) = (Vec::new(), Vec::new());
    for row in rows(include_str!("table1.tsv")) {
        let [name, file, part, paper, raw, rule, ours] = row[..] else { panic!("{row:?}") };
        let (document, format) = open(&mirror.join(file));
        let loading = Loading { loader: Loader::Table1, part: Part::find(part), language: None };
        let loaded = load(&document.clone().into(), format, loading).expect("the loader takes every format");
        let raw = format!("{raw} questions of which {paper} count: {rule}");
        if loaded.count().to_string() != paper || paper != ours {
            different.push(format!("{name}: {} loaded; {raw}", loaded.count()));
        }
        names.push(name);
    }
    assert_eq!(different, Vec::<String>::new());
    names.dedup();
    assert_eq!(names.len(), 21);
}
