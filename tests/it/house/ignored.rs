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
fn no_client_has_come_since_the_build() {
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/text2sparql-client/complete");
    assert_eq!(
        cfg!(text2sparql_client),
        client.exists(),
        "{} has come or gone since the tests were built: touch src/build.rs",
        client.display()
    );
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
