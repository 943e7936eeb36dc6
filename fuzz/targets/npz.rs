//! `.npz` files of any bytes: an error, or arrays that can be read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use supremum::NpzFile;
use supremum::prelude::*;
use supremum_fuzz::{content, rules, written};

fuzz_target!(|bytes: &[u8]| {
    let path = written("in.npz", bytes);
    let Ok(file) = NpzFile::read(&path) else {
        return;
    };
    for name in file.names() {
        if let Ok(tensor) = file.dyn_tensor(&name, rules()) {
            content(&tensor);
        }
        let _ = file.tensor::<BF16, AnyRank>(&name);
    }
    let _ = DynTensor::read_npz(&path, rules());
});
