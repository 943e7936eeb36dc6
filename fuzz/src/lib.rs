//! What the targets share: a file to read from, and what a tensor is made of.

use std::path::{Path, PathBuf};

use supremum::prelude::*;

/// The file of this process with this name.
pub fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("supremum-fuzz-{}-{name}", std::process::id()))
}

/// A file of these bytes.
pub fn written(name: &str, bytes: &[u8]) -> PathBuf {
    let path = file(name);
    std::fs::write(&path, bytes).expect("a temporary file");
    path
}

/// All that makes a tensor: dtype, shape and the bytes of its elements in row-major order.
pub type Content = (DType, Vec<usize>, Vec<u8>);

pub fn content(tensor: &DynTensor) -> Content {
    fn bytes<D: StaticDType>(tensor: &Tensor<D>) -> Vec<u8> {
        let elements = tensor.to_vec();
        // Truth values are looked at: others than the bytes 0 and 1 are undefined.
        bytemuck::cast_slice(&elements).to_vec()
    }
    let bytes = dispatch!(tensor, |tensor| bytes(&tensor)).expect("every dtype");
    if tensor.dtype() == DType::Bool {
        assert!(bytes.iter().all(|byte| *byte <= 1));
    }
    (tensor.dtype(), tensor.shape().to_vec(), bytes)
}

pub fn rules() -> &'static RuleSet {
    Jax::rule_set()
}

/// What was read is written and read again, and is the same.
pub fn survives_npy(tensor: &DynTensor, path: &Path) {
    tensor.write_npy(path).expect("it can be written");
    let again = DynTensor::read_npy_as(path, tensor.dtype(), rules()).expect("it can be read");
    assert_eq!(content(&again), content(tensor));
}
