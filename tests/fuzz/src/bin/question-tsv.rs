//! seeds: *.txt *.csv
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| qassay_fuzz::fuzz_reader("question-tsv", data));
