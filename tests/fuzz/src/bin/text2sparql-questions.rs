//! seeds: *.yaml
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| qassay_fuzz::fuzz_reader("text2sparql-questions", data));
