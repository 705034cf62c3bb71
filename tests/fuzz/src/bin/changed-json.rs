//! seeds: none
//! dictionary: none
#![no_main]

use qassay_fuzz::json::{Change, changed};

libfuzzer_sys::fuzz_target!(|changes: Vec<Change>| qassay_fuzz::fuzz_reader(
    "qald-json",
    changed(&changes).as_bytes()
));
