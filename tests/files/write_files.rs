//! Files that are written, and read or mapped again: what comes back is what went in, and old files are safe.

use std::fs;
use std::path::PathBuf;

use supremum::prelude::*;
use supremum::{NpzFile, SafeTensorsFile};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn names(&self) -> Vec<String> {
        let files = fs::read_dir(self.0.path()).expect("the folder is there");
        let names = files.map(|file| file.expect("a file").file_name());
        let mut names: Vec<_> = names
            .map(|name| name.into_string().expect("a short name"))
            .collect();
        names.sort();
        names
    }
}

/// All that makes a tensor; elements as their bytes.
fn content(tensor: &DynTensor) -> (DType, Vec<usize>, Vec<u8>) {
    fn bytes<D: StaticDType>(tensor: &Tensor<D>) -> Vec<u8> {
        bytemuck::cast_slice(&tensor.to_vec()).to_vec()
    }
    let bytes = dispatch!(tensor, |tensor| bytes(&tensor)).expect("every dtype");
    (tensor.dtype(), tensor.shape().to_vec(), bytes)
}

/// Tensors of a dtype in every layout: row-major, transposed, flipped, sliced, broadcast, of rank 0, of no elements.
fn tensors(dtype: DType) -> Vec<DynTensor> {
    let make = |shape: &[usize]| {
        let count = shape.iter().product::<usize>() * dtype.size();
        // Odd bytes, so that a swapped or dropped one is seen; truth values are 0 and 1.
        let bytes = (1..=u8::MAX).cycle().take(count);
        let bytes = bytes.map(|byte| if dtype == DType::Bool { byte & 1 } else { byte });
        DynTensor::from_bytes(dtype, shape, &bytes.collect::<Vec<_>>()).expect("as many bytes")
    };
    let matrix = make(&[2, 3]);
    let view = |view: Result<DynTensor, Error>| view.expect("a view");
    vec![
        make(&[]),
        make(&[0, 3]),
        make(&[5]),
        make(&[2, 3, 4]),
        matrix.transpose(),
        view(make(&[2, 3, 4]).try_permute([2, 1, 0])),
        view(make(&[2, 3, 4]).try_permute([1, 0, 2])),
        view(matrix.try_flip(1)),
        view(make(&[4, 4]).try_slice(1, 1..3)),
        view(make(&[3]).try_broadcast_to([2, 3])),
        matrix,
    ]
}

#[test]
fn every_dtype_and_layout_comes_back() -> Result<(), Error> {
    let folder = Folder::new();
    let rules = Jax::rule_set();
    for dtype in DType::ALL.iter().copied() {
        for tensor in tensors(dtype) {
            let expected = content(&tensor);
            let path = folder.path("t.npy");
            tensor.write_npy(&path)?;
            let npy = DynTensor::read_npy_as(&path, dtype, rules)?;
            assert_eq!(content(&npy), expected);
            let path = folder.path("t.npz");
            NpzFile::write(&path, &[("t", &tensor), ("a/b c", &tensor)])?;
            let npz = NpzFile::read(&path)?;
            assert_eq!(npz.names(), ["t", "a/b c"]);
            assert_eq!(content(&npz.dyn_tensor_as("t", dtype, rules)?), expected);
            // The format has no name for these.
            if matches!(dtype, DType::C128 | DType::F8E4M3B11FNUZ) {
                continue;
            }
            let path = folder.path("t.safetensors");
            SafeTensorsFile::write(&path, &[("t", &tensor), ("again", &tensor)])?;
            let read = SafeTensorsFile::read(&path)?;
            assert_eq!(read.names(), ["again", "t"]);
            for name in ["again", "t"] {
                assert_eq!(content(&read.dyn_tensor(name, rules)?), expected);
                assert_eq!(content(&map(&path)?.dyn_tensor(name, rules)?), expected);
            }
        }
    }
    Ok(())
}

#[allow(unsafe_code, reason = "mapping is")]
fn map(path: &std::path::Path) -> Result<SafeTensorsFile, Error> {
    // SAFETY: files of tests are replaced, never changed.
    unsafe { SafeTensorsFile::map(path) }
}

#[test]
fn typed_and_dynamic_tensors_stand_side_by_side() -> Result<(), Error> {
    let folder = Folder::new();
    let path = folder.path("model.safetensors");
    let weights: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let half: Tensor<Weak<F64>, Rank0, Numpy> = Tensor::scalar(0.5);
    let steps = DynTensor::full(DType::I64, [], 7)?;
    SafeTensorsFile::write_with_metadata(
        &path,
        &[("weights", &weights), ("half", &half), ("steps", &steps)],
        &[("format", "pt"), ("epoch", "3")],
    )?;
    let file = SafeTensorsFile::read(&path)?;
    assert_eq!(file.tensor::<BF16, Rank2>("weights")?, weights);
    assert_eq!(file.tensor::<F64, Rank0>("half")?.item(), Ok(0.5));
    assert_eq!(file.tensor::<I64, AnyRank>("steps")?.item(), Ok(7));
    let metadata: Vec<_> = file.metadata().into_iter().collect();
    assert_eq!(metadata, [("epoch", "3"), ("format", "pt")]);
    Ok(())
}

#[test]
fn fortran_order_is_written_as_it_lies() -> Result<(), Error> {
    let folder = Folder::new();
    let path = folder.path("t.npy");
    let matrix: Tensor<U8, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    for (tensor, fortran, last) in [
        (matrix.clone(), "False", [5, 6]),
        (matrix.transpose(), "True", [5, 6]),
        (matrix.flip(0), "False", [2, 3]),
    ] {
        tensor.write_npy(&path)?;
        let bytes = fs::read(&path).expect("it was written");
        let text = String::from_utf8_lossy(&bytes);
        assert!(
            text.contains(&format!("'fortran_order': {fortran}")),
            "{text}"
        );
        assert_eq!(bytes[bytes.len() - 2..], last);
        assert_eq!(Tensor::<U8, Rank2>::read_npy(&path)?, tensor);
    }
    Ok(())
}

#[test]
fn what_is_of_no_name_for_numpy_is_of_the_dtype_that_is_asked_for() -> Result<(), Error> {
    let folder = Folder::new();
    let path = folder.path("raw.npy");
    let rules = Jax::rule_set();
    let npy = |descr: &str, data: &[u8]| {
        let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (2,), }}\n");
        let length = u16::try_from(header.len()).expect("short").to_le_bytes();
        let parts = [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes(), data];
        fs::write(&path, parts.concat()).expect("a temporary file");
    };
    // NumPy itself writes `|V2`, ml_dtypes a byte order.
    for (descr, data) in [
        ("|V2", [0x80, 0x3f, 0, 0x40]),
        ("<V2", [0x80, 0x3f, 0, 0x40]),
        (">V2", [0x3f, 0x80, 0x40, 0]),
    ] {
        npy(descr, &data);
        let read = Tensor::<BF16, Rank1>::read_npy(&path)?;
        assert_eq!(read.cast::<F32>().to_vec(), [1.0, 2.0], "{descr}");
        let read = DynTensor::read_npy_as(&path, DType::BF16, rules)?;
        assert_eq!(read.to_string(), "[1.0, 2.0] bf16 [2]");
        let error = DynTensor::read_npy(&path, rules).unwrap_err().to_string();
        assert!(
            error.contains(
                "which may be bf16: name the dtype, by `Tensor<BF16>`, or by `read_npy_as`"
            ),
            "{error}"
        );
        for dtype in [DType::F16, DType::U16, DType::F8E5M2] {
            let refused = DynTensor::read_npy_as(&path, dtype, rules);
            assert!(matches!(refused, Err(Error::Unreadable { .. })), "{dtype}");
        }
    }
    npy("|V1", &[0x38, 0x40]);
    let read = Tensor::<F8E4M3FN, Rank1>::read_npy(&path)?;
    assert_eq!(read.cast::<F32>().to_vec(), [1.0, 2.0]);
    let error = DynTensor::read_npy(&path, rules).unwrap_err().to_string();
    assert!(error.contains("f8e4m3fn or f8e5m2"), "{error}");
    // A name that ml_dtypes alone uses.
    npy("<f1", &[0x3c, 0x40]);
    let read = DynTensor::read_npy(&path, rules)?;
    assert_eq!(read.to_string(), "[1.0, 2.0] f8e5m2 [2]");
    assert!(matches!(
        Tensor::<F8E4M3FN, Rank1>::read_npy(&path),
        Err(Error::UnexpectedTensor { .. })
    ));
    npy("|V3", &[0; 6]);
    assert!(DynTensor::read_npy(&path, rules).is_err());
    npy("<f2", &[0; 4]);
    assert!(matches!(
        DynTensor::read_npy_as(&path, DType::BF16, rules),
        Err(Error::UnexpectedTensor { .. })
    ));
    Ok(())
}

#[test]
fn a_file_that_cannot_be_written_leaves_the_old_one() -> Result<(), Error> {
    let folder = Folder::new();
    let path = folder.path("old.safetensors");
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    SafeTensorsFile::write(&path, &[("t", &t)])?;
    let npz = folder.path("old.npz");
    NpzFile::write(&npz, &[("t", &t)])?;
    let old = [&path, &npz].map(|path| fs::read(path).expect("it was written"));
    let unwritable = |result: Result<(), Error>, word: &str| {
        let error = result.unwrap_err();
        assert!(matches!(error, Error::Unwritable { .. }), "{error}");
        assert!(error.to_string().contains(word), "{error}");
    };
    for dtype in [DType::C128, DType::F8E4M3B11FNUZ] {
        let nameless = DynTensor::zeros(dtype, [1])?;
        unwritable(
            SafeTensorsFile::write(&path, &[("t", &t), ("z", &nameless)]),
            &format!("`z`: the format has no {dtype};"),
        );
    }
    unwritable(
        SafeTensorsFile::write(&path, &[("t", &t), ("t", &t)]),
        "two",
    );
    unwritable(
        SafeTensorsFile::write(&path, &[("__metadata__", &t)]),
        "for its metadata",
    );
    unwritable(NpzFile::write(&npz, &[("t", &t), ("t", &t)]), "two");
    let nowhere = folder.path("no folder").join("t.npy");
    unwritable(t.write_npy(nowhere), "");
    unwritable(t.write_npy(folder.0.path()), "");
    assert_eq!(
        [&path, &npz].map(|path| fs::read(path).expect("it is there")),
        old
    );
    assert_eq!(folder.names(), ["old.npz", "old.safetensors"]);
    Ok(())
}

#[cfg(unix)]
#[test]
fn links_and_permissions_stay() -> Result<(), Error> {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new();
    let (path, link) = (folder.path("t.npy"), folder.path("link.npy"));
    let mode = || {
        fs::metadata(&path)
            .expect("it is there")
            .permissions()
            .mode()
            & 0o777
    };
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    t.write_npy(&path)?;
    assert_eq!(mode() & 0o600, 0o600);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("the file is ours");
    symlink(&path, &link).expect("the folder is ours");
    (&t * 2.0).write_npy(&link)?;
    assert_eq!(mode(), 0o640);
    assert!(link.is_symlink());
    assert_eq!(Tensor::<F32, Rank1>::read_npy(&path)?.to_vec(), [2.0, 4.0]);
    Ok(())
}

#[test]
fn mapped_tensors_are_not_copied() -> Result<(), Error> {
    let folder = Folder::new();
    let path = folder.path("model.safetensors");
    let counted = Tensor::<F32, Rank1>::arange(0.0, 2048.0, 1.0);
    let t: Tensor<F32, Rank2> = counted.reshape([64, 32]);
    let half = t.cast::<F16>();
    SafeTensorsFile::write(&path, &[("t", &t), ("half", &half), ("last", &t)])?;
    let file = map(&path)?;
    let mapped: Tensor<F32, Rank2> = file.tensor("t")?;
    let last: Tensor<F32, Rank2> = file.tensor("last")?;
    let address = |t: &Tensor<F32, Rank2>| t.as_slice().expect("row-major").as_ptr().addr();
    // They lie where they lie in the file, which is written in the order of names.
    assert_eq!(address(&mapped) - address(&last), 64 * 32 * 4);
    assert_eq!(address(&mapped), address(&file.tensor("t")?));
    #[cfg(target_os = "linux")]
    {
        let maps = fs::read_to_string("/proc/self/maps").expect("Linux tells");
        let name = path.canonicalize().expect("it is there");
        let within = |line: &&str| {
            let range = line.split_once(' ').expect("a range and more").0;
            let (from, to) = range.split_once('-').expect("from and to");
            let number = |text| usize::from_str_radix(text, 16).expect("a number");
            (number(from)..number(to)).contains(&address(&mapped))
        };
        let line = maps.lines().find(within).expect("it is mapped");
        assert!(
            line.ends_with(name.to_str().expect("a short name")),
            "{line}"
        );
    }
    drop((file, last));
    assert_eq!(mapped, t);
    // Replacing the file leaves what is mapped.
    SafeTensorsFile::write(&path, &[("t", &half)])?;
    assert_eq!(mapped, t);
    Ok(())
}

#[test]
fn mapped_tensors_are_written_on_a_copy() -> Result<(), Error> {
    let folder = Folder::new();
    let path = folder.path("model.safetensors");
    let t: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0];
    SafeTensorsFile::write(&path, &[("t", &t)])?;
    let before = fs::read(&path).expect("it was written");
    let file = map(&path)?;
    let mut changed: Tensor<F32, Rank1> = file.tensor("t")?;
    changed += 1.0;
    changed.as_mut_slice()[0] = 9.0;
    assert_eq!(changed.to_vec(), [9.0, 3.0, 4.0]);
    // An operand that is owned gives its memory to the result, but not this one.
    let owned = file.tensor::<F32, Rank1>("t")? * 2.0;
    assert_eq!(owned.to_vec(), [2.0, 4.0, 6.0]);
    let fused: Tensor<F32, Rank1> = {
        let t = file.tensor::<F32, Rank1>("t")?;
        fuse!(t * 3.0)
    };
    assert_eq!(fused.to_vec(), [3.0, 6.0, 9.0]);
    assert_eq!(file.tensor::<F32, Rank1>("t")?, t);
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let t = file.tensor::<F32, Rank1>("t").expect("it is there");
            std::thread::spawn(move || (&t + &t).to_vec())
        })
        .collect();
    drop(file);
    for thread in threads {
        assert_eq!(thread.join().expect("it ends well"), [2.0, 4.0, 6.0]);
    }
    assert_eq!(fs::read(&path).expect("it is there"), before);
    Ok(())
}

#[test]
fn mapped_tensors_that_are_not_aligned_are_copied() -> Result<(), Error> {
    let folder = Folder::new();
    let path = folder.path("odd.safetensors");
    let header = r#"{"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},"f":{"dtype":"F32","shape":[2],"data_offsets":[1,9]},"t":{"dtype":"BOOL","shape":[2],"data_offsets":[9,11]}}"#;
    let length = u64::try_from(header.len()).expect("short").to_le_bytes();
    let data = [
        &[7][..],
        &1_f32.to_le_bytes(),
        &2_f32.to_le_bytes(),
        &[1, 2],
    ]
    .concat();
    fs::write(&path, [&length[..], header.as_bytes(), &data].concat()).expect("a temporary file");
    let file = map(&path)?;
    assert_eq!(file.tensor::<F32, Rank1>("f")?.to_vec(), [1.0, 2.0]);
    assert_eq!(file.tensor::<U8, Rank1>("b")?.to_vec(), [7]);
    let error = file.tensor::<Bool, Rank1>("t").unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }), "{error}");
    Ok(())
}
