//! What each target does with its input. `tests/hostile_files.rs` runs the same functions on the inputs of `fuzz/corpus`, so that
//! they are run without a fuzzer too.

use std::path::{Path, PathBuf};

use supremum::prelude::*;
use supremum::{AnyTensor, NpzFile, ReadOptions, SafeTensorsFile};

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

/// `.npy` files of any bytes: an error, or a tensor that survives being written.
pub fn npy(bytes: &[u8]) {
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
}

/// `.npz` files of any bytes: an error, or arrays that can be read.
pub fn npz(bytes: &[u8]) {
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
    // All that is read is within the limit, or the error says so.
    const LIMIT: u64 = 1 << 10;
    if let Ok(tensors) = ReadOptions::new()
        .max_bytes(LIMIT)
        .read_dyn_npz(&path, rules())
    {
        let bytes = tensors.values().map(|t| t.len() * t.dtype().size());
        assert!(bytes.sum::<usize>() as u64 <= LIMIT);
    }
}

#[derive(Debug, LoadTensors)]
#[allow(dead_code)]
struct Record {
    #[load("w", shape = [2, _])]
    weight: Option<Tensor<F32, Rank2>>,
    layers: Vec<Layer>,
}

#[derive(Debug, LoadTensors)]
#[allow(dead_code)]
struct Layer {
    b: Tensor<Bool>,
}

/// `.safetensors` files of any bytes, read and mapped: the same error, or the same tensors.
pub fn safetensors(bytes: &[u8]) {
    let path = written("in.safetensors", bytes);
    let read = SafeTensorsFile::read(&path);
    // SAFETY: this process alone knows the file, and writes it again when what is mapped was dropped.
    let mapped = unsafe { SafeTensorsFile::map(&path) };
    let (read, mapped) = match (read, mapped) {
        (Ok(read), Ok(mapped)) => (read, mapped),
        (Err(_), Err(_)) => return,
        (read, mapped) => panic!("{read:?} is not {mapped:?}"),
    };
    let mut tensors = Vec::new();
    for name in read.names() {
        let one = read.dyn_tensor(&name, rules());
        let other = mapped.dyn_tensor(&name, rules());
        match (one, other) {
            (Ok(one), Ok(other)) => {
                assert_eq!(content(&one), content(&other));
                tensors.push((name, other));
            }
            (Err(one), Err(other)) => assert_eq!(one.to_string(), other.to_string()),
            (one, other) => panic!("{:?} is not {:?}", one.err(), other.err()),
        }
    }
    let _ = Record::load_from(&mapped).map_err(|error| error.to_string());
    let named: Vec<(&str, &dyn AnyTensor)> = tensors
        .iter()
        .map(|(name, tensor)| (name.as_str(), tensor as _))
        .collect();
    let metadata: Vec<(&str, &str)> = read.metadata().into_iter().collect();
    let again = file("out.safetensors");
    if SafeTensorsFile::write_with_metadata(&again, &named, &metadata).is_err() {
        // The one name that is not a tensor's.
        assert!(tensors.iter().any(|(name, _)| name == "__metadata__"));
        return;
    }
    let again = SafeTensorsFile::read(&again).expect("it can be read");
    assert_eq!(again.metadata(), read.metadata());
    for (name, tensor) in &tensors {
        let read = again.dyn_tensor(name, rules()).expect("it was written");
        assert_eq!(content(&read), content(tensor));
    }
}

/// Tensors of every dtype, shape and layout, through each format and back.
pub fn round_trip(bytes: &[u8]) {
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
    // The format has no name for these.
    let unnamed = matches!(tensor.dtype(), DType::C128 | DType::F8E4M3B11FNUZ);
    assert_eq!(written.is_err(), unnamed);
    if written.is_ok() {
        // SAFETY: files are replaced, not changed.
        let mapped = unsafe { SafeTensorsFile::map(&path) }.expect("it can be read");
        for name in ["t", "odd"] {
            let again = mapped.dyn_tensor(name, rules());
            assert_eq!(content(&again.expect("it is there")), content(&tensor));
        }
    }
}

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
