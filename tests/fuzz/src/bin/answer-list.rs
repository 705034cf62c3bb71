//! seeds: *.json
//! dictionary: json
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| qassay_fuzz::fuzz_reader("answer-list", data));
