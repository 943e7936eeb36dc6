//! `.safetensors` files of any bytes, read and mapped: the same error, or the same tensors.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| supremum_fuzz::safetensors(bytes));
