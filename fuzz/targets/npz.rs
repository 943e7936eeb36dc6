//! `.npz` files of any bytes: an error, or arrays that can be read.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| supremum_fuzz::npz(bytes));
