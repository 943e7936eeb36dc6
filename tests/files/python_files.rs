//! The Rust half of `scripts/files_check`: reads what `python_files.py` wrote, and writes it again.

use std::path::{Path, PathBuf};

use supremum::prelude::*;
use supremum::{AnyTensor, NpzFile, SafeTensorsFile};

/// The dtype that begins the name of a case.
fn dtype(name: &str) -> DType {
    let dtype = name.split('.').next().unwrap_or(name);
    dtype.parse().expect("cases are named after dtypes")
}

/// Element number k, in row-major order, is k % 5; truth values are whether it is not zero.
fn check(name: &str, tensor: &DynTensor) {
    assert_eq!(tensor.dtype(), dtype(name), "{name}");
    let found = tensor.cast(DType::F64).to_vec::<F64>().expect("just cast");
    let strided = name.ends_with(".strided");
    for (k, found) in found.into_iter().enumerate() {
        // Rows 0 and 2 of the transpose of six rows of four.
        let k = if strided { k % 6 * 4 + k / 6 * 2 } else { k };
        let element = f64::from(u8::try_from(k % 5).expect("below five"));
        let element = if tensor.dtype() == DType::Bool {
            element.min(1.0)
        } else {
            element
        };
        assert_eq!(found, element, "{name}, element {k}");
    }
}

fn all(tensors: &[(String, DynTensor)]) -> Vec<(&str, &dyn AnyTensor)> {
    let all = tensors.iter();
    all.map(|(name, tensor)| -> (&str, &dyn AnyTensor) { (name, tensor) })
        .collect()
}

#[test]
#[ignore = "scripts/files_check runs it, with files from Python"]
fn files_of_python_are_read_and_written_again() -> Result<(), Error> {
    let folder = PathBuf::from(std::env::var("SUPREMUM_FILES").expect("set by the script"));
    let out = folder.join("out");
    std::fs::create_dir(&out).expect("the script's folder is ours");
    let rules = Numpy::rule_set();
    let files = std::fs::read_dir(&folder).expect("the script made it");
    let mut count = 0;
    for path in files.map(|file| file.expect("a file").path()) {
        if path.extension().is_none_or(|extension| extension != "npy") {
            continue;
        }
        let name = path
            .file_stem()
            .and_then(|name| name.to_str())
            .expect("a case");
        let tensor = DynTensor::read_npy_as(&path, dtype(name), rules)?;
        check(name, &tensor);
        tensor.write_npy(out.join(format!("{name}.npy")))?;
        count += 1;
    }
    assert!(count > 100, "only {count} files");
    for name in ["stored.npz", "deflated.npz"] {
        let file = NpzFile::read(folder.join(name))?;
        let read = |name: String| {
            let tensor = file.dyn_tensor_as(&name, dtype(&name), rules)?;
            check(&name, &tensor);
            Ok((name, tensor))
        };
        let tensors = file.names().into_iter().map(read);
        let tensors = tensors.collect::<Result<Vec<_>, Error>>()?;
        NpzFile::write(out.join(name), &all(&tensors))?;
    }
    let path = folder.join("model.safetensors");
    let read = SafeTensorsFile::read(&path)?;
    let mapped = map(&path)?;
    let tensors = mapped.names().into_iter().map(|name| {
        let tensor = mapped.dyn_tensor(&name, rules)?;
        check(&name, &tensor);
        check(&name, &read.dyn_tensor(&name, rules)?);
        Ok((name, tensor))
    });
    let tensors = tensors.collect::<Result<Vec<_>, Error>>()?;
    let metadata: Vec<_> = mapped.metadata().into_iter().collect();
    SafeTensorsFile::write_with_metadata(out.join("model.safetensors"), &all(&tensors), &metadata)
}

#[allow(unsafe_code, reason = "mapping is")]
fn map(path: &Path) -> Result<SafeTensorsFile, Error> {
    // SAFETY: nobody changes the script's files.
    unsafe { SafeTensorsFile::map(path) }
}
