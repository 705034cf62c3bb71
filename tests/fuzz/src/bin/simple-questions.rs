//! seeds: *.txt
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| qassay_fuzz::fuzz_reader("simple-questions", data));
