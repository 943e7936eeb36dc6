//! `.npy` files of any bytes: an error, or a tensor that survives being written.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| supremum_fuzz::npy(bytes));
