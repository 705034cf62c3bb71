//! seeds: *.json *.xml *.yml *.yaml *.jsonl *.csv *.tsv *.txt *.ttl *.nt *.gz
//! dictionary: all
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| qassay_fuzz::fuzz_all(data));
