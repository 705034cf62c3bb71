//! What a test needs is looked for when the tests are built (`src/build.rs`), so that one that lacks it is ignored with
//! the reason, and never `ok`.

use std::path::Path;

use crate::common::find_shared;

/// Cargo builds anew when the folder goes; when it comes, nobody tells Cargo.
#[test]
fn no_test_is_ignored_for_what_has_come_since_the_build() {
    assert_eq!(
        cfg!(shared),
        find_shared().is_some(),
        "../shared has come or gone since the tests were built: touch src/build.rs"
    );
}

#[test]
fn nothing_has_been_installed_since_the_build() {
    let scripts = [
        ("text2sparql-client", cfg!(text2sparql_client)),
        ("fair", cfg!(fair)),
        ("moto", cfg!(moto)),
        ("snakemake", cfg!(snakemake)),
    ];
    for (script, is_there) in scripts {
        let complete = Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join(script).join("complete");
        let place = complete.display();
        assert_eq!(
            is_there,
            complete.exists(),
            "{place} has come or gone since the tests were built: touch src/build.rs"
        );
    }
}

/// `QASSAY_VIRTUOSO=required` is for machines that are there to run that test.
#[test]
fn virtuoso_is_there_where_it_is_required() {
    let is_required = std::env::var("QASSAY_VIRTUOSO").is_ok_and(|value| value == "required");
    assert!(
        cfg!(virtuoso) || !is_required,
        "QASSAY_VIRTUOSO=required, and virtuoso-t or isql-vt was not installed when the tests were built"
    );
}
