//! Tensors of every dtype, shape and layout, through each format and back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use supremum::prelude::*;
use supremum::{NpzFile, SafeTensorsFile};
use supremum_fuzz::{content, file, rules, survives_npy};

fuzz_target!(|bytes: &[u8]| {
    let Some(tensor) = tensor(bytes) else {
        return;
    };
    survives_npy(&tensor, &file("trip.npy"));
    let path = file("trip.npz");
    NpzFile::write(&path, &[("t", &tensor)]).expect("it can be written");
    let npz = NpzFile::read(&path).expect("it can be read");
    let again = npz.dyn_tensor_as("t", tensor.dtype(), rules());
    assert_eq!(content(&again.expect("it is there")), content(&tensor));
    let path = file("trip.safetensors");
    let written = SafeTensorsFile::write(&path, &[("t", &tensor), ("odd", &tensor)]);
    assert_eq!(written.is_err(), tensor.dtype() == DType::C128);
    if written.is_ok() {
        // SAFETY: files are replaced, not changed.
        let mapped = unsafe { SafeTensorsFile::map(&path) }.expect("it can be read");
        for name in ["t", "odd"] {
            let again = mapped.dyn_tensor(name, rules());
            assert_eq!(content(&again.expect("it is there")), content(&tensor));
        }
    }
});

/// The first byte says the dtype, the second the rank; then come sizes, what is done with it, and elements.
fn tensor(bytes: &[u8]) -> Option<DynTensor> {
    let mut bytes = bytes.iter().map(|byte| usize::from(*byte));
    let dtype = DType::ALL[bytes.next()? % DType::ALL.len()];
    let rank = bytes.next()? % 5;
    let shape: Vec<usize> = bytes.by_ref().take(rank).map(|size| size % 6).collect();
    let views: Vec<usize> = bytes.by_ref().take(2).collect();
    let count = shape.iter().product::<usize>() * dtype.size();
    let elements: Vec<u8> = bytes.map(|byte| byte as u8).chain([0]).collect();
    let mut elements: Vec<u8> = elements.into_iter().cycle().take(count).collect();
    if dtype == DType::Bool {
        elements.iter_mut().for_each(|byte| *byte &= 1);
    }
    let mut tensor = DynTensor::from_bytes(dtype, &shape, &elements).expect("as many as it needs");
    for view in views {
        if tensor.ndim() == 0 {
            break;
        }
        let axis = (view / 4) % tensor.ndim();
        let size = tensor.shape()[axis];
        let axes: Vec<usize> = (0..tensor.ndim()).rev().collect();
        tensor = match view % 4 {
            0 => tensor.try_permute(&axes),
            1 => tensor.try_flip(axis as isize),
            2 => tensor.try_slice(axis as isize, size / 2..),
            _ => Ok(tensor),
        }
        .expect("such views there are");
    }
    Some(tensor)
}
