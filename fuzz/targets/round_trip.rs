//! Tensors of every dtype, shape and layout, through each format and back.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| supremum_fuzz::round_trip(bytes));
