//! `.safetensors` files of any bytes, read and mapped: the same error, or the same tensors.
#![no_main]

use libfuzzer_sys::fuzz_target;
use supremum::SafeTensorsFile;
use supremum::prelude::*;
use supremum_fuzz::{content, file, rules, written};

#[derive(Debug, LoadTensors)]
#[allow(dead_code)]
struct Record {
    #[tensor("w", shape = [2, _])]
    weight: Option<Tensor<F32, Rank2>>,
    layers: Vec<Layer>,
}

#[derive(Debug, LoadTensors)]
#[allow(dead_code)]
struct Layer {
    b: Tensor<Bool>,
}

fuzz_target!(|bytes: &[u8]| {
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
    let named: Vec<(&str, &dyn supremum::AnyTensor)> = tensors
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
});
