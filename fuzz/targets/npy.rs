//! `.npy` files of any bytes: an error, or a tensor that survives being written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use supremum::prelude::*;
use supremum_fuzz::{content, file, rules, survives_npy, written};

fuzz_target!(|bytes: &[u8]| {
    let path = written("in.npy", bytes);
    if let Ok(tensor) = DynTensor::read_npy(&path, rules()) {
        survives_npy(&tensor, &file("out.npy"));
    }
    for dtype in [DType::BF16, DType::F8E4M3FN, DType::F8E5M2] {
        if let Ok(tensor) = DynTensor::read_npy_as(&path, dtype, rules()) {
            assert_eq!(content(&tensor).0, dtype);
        }
    }
    let _ = Tensor::<Bool, Rank1>::read_npy(&path);
});
