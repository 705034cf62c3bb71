//! seeds: *.json
//! dictionary: json
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| qassay_fuzz::fuzz_reader("lc-quad-2", data));
