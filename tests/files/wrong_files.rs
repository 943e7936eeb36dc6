//! Files that lie: every one is an error with a reason, never a panic or a huge allocation.

use std::fs;
use std::path::{Path, PathBuf};

use supremum::SafeTensorsFile;
use supremum::prelude::*;

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("a temporary file");
    path
}

/// A `.npy` file of version 1 or 2 with this header and data.
fn npy(version: u8, header: &str, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(header.len())
        .expect("a short header")
        .to_le_bytes();
    let length = if version == 1 {
        &length[..2]
    } else {
        &length[..]
    };
    [
        b"\x93NUMPY",
        &[version, 0][..],
        length,
        header.as_bytes(),
        data,
    ]
    .concat()
}

fn read_npy(name: &str, bytes: &[u8]) -> Result<Tensor<U8>, Error> {
    Tensor::read_npy(file(name, bytes))
}

#[test]
fn headers_of_npy_files_are_read_as_numpy_writes_them() {
    let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 3), }\n";
    for version in [1, 2] {
        let t = read_npy("plain.npy", &npy(version, header, &[1, 2, 3, 4, 5, 6]))
            .expect("a plain file");
        assert_eq!(
            (t.shape(), t.to_vec()),
            (&[2, 3][..], vec![1, 2, 3, 4, 5, 6])
        );
    }
    let fortran = header.replace("False", "True");
    let t = read_npy("fortran.npy", &npy(1, &fortran, &[1, 4, 2, 5, 3, 6])).expect("Fortran order");
    assert_eq!(t.to_vec(), [1, 2, 3, 4, 5, 6]);
    let scalar = header.replace("(2, 3)", "()");
    assert_eq!(
        read_npy("scalar.npy", &npy(1, &scalar, &[7]))
            .expect("rank 0")
            .item(),
        Ok(7)
    );
    let empty = header.replace("(2, 3)", "(0, 3)");
    assert_eq!(
        read_npy("empty.npy", &npy(1, &empty, &[]))
            .expect("no elements")
            .shape(),
        [0, 3]
    );
    let big = "{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }\n";
    let t = Tensor::<I16>::read_npy(file("big.npy", &npy(1, big, &[1, 0, 255, 254])))
        .expect("big-endian");
    assert_eq!(t.to_vec(), [256, -2]);
}

#[test]
fn elements_without_a_dtype_are_refused_by_name() {
    let integers = "are not supported; NumPy's `a.astype('i8')` makes integers of them";
    for (dtype, expected) in [
        (
            "[('a', '<f4')]",
            "records are not supported; save each field as an array".to_owned(),
        ),
        ("'<M8[s]'", format!("dates {integers}")),
        ("'<m8[ns]'", format!("spans of time {integers}")),
        (
            "'|O'",
            "no dtype of Supremum: |O, which is Python objects".to_owned(),
        ),
        (
            "'<f16'",
            "no dtype of Supremum: <f16, which is NumPy's long double; half precision is `<f2`"
                .to_owned(),
        ),
        (
            "'<c32'",
            "no dtype of Supremum: <c32, which is two of NumPy's long doubles".to_owned(),
        ),
        (
            "'<U3'",
            "no dtype of Supremum: <U3, which is text".to_owned(),
        ),
    ] {
        let header = format!("{{'descr': {dtype}, 'fortran_order': False, 'shape': (1,), }}\n");
        let path = file("dates.npy", &npy(1, &header, &[0; 8]));
        let error = DynTensor::read_npy(path, Jax).unwrap_err().to_string();
        assert!(error.ends_with(&expected), "{error}");
    }
}

/// As NumPy does, since a file may have several arrays one after the other. In an archive every array has a file of its own,
/// whose end is known.
#[test]
fn bytes_behind_the_elements_are_left_alone() -> Result<(), Error> {
    let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n";
    let bytes = npy(1, header, &[1, 2, 3]);
    let path = file("more.npy", &bytes);
    assert_eq!(Tensor::<U8, Rank1>::read_npy(&path)?.to_vec(), [1, 2]);
    assert_eq!(DynTensor::read_npy(&path, Jax::rule_set())?.shape(), [2]);
    let two = npy(
        1,
        header,
        &[[1, 2].as_slice(), &npy(1, header, &[3, 4])].concat(),
    );
    assert_eq!(read_npy("two.npy", &two)?.to_vec(), [1, 2]);
    for length in 0..bytes.len() - 1 {
        assert!(read_npy("less.npy", &bytes[..length]).is_err(), "{length}");
    }
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let started = archive.start_file("a.npy", zip::write::SimpleFileOptions::default());
    started.expect("a sound archive");
    std::io::Write::write_all(&mut archive, &bytes).expect("memory is writable");
    let archive = archive.finish().expect("a sound archive").into_inner();
    let refused = Tensor::<U8, Rank1>::read_npz(file("more.npz", &archive), "a");
    assert!(
        matches!(refused, Err(Error::Unreadable { .. })),
        "{refused:?}"
    );
    Ok(())
}

/// `zip -r` writes an entry for each folder.
#[test]
fn folders_in_an_archive_are_no_arrays() -> Result<(), Error> {
    let header = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n";
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.add_directory("layers/", options).expect("a name");
    let started = archive.start_file("layers/w.npy", options);
    started.expect("a sound archive");
    let written = std::io::Write::write_all(&mut archive, &npy(1, header, &[3, 4]));
    written.expect("memory is writable");
    let archive = archive.finish().expect("a sound archive").into_inner();
    let folders = NpzFile::read(file("folders.npz", &archive))?;
    assert_eq!(folders.names(), ["layers/w"]);
    let w: Tensor<U8, Rank1> = folders.tensor("layers/w")?;
    assert_eq!(w.to_vec(), [3, 4]);
    Ok(())
}

#[test]
fn hostile_npy_headers_are_errors() {
    let with_shape =
        |shape: &str| format!("{{'descr': '|u1', 'fortran_order': False, 'shape': {shape}, }}\n");
    let deep = format!("{}1{}", "(".repeat(30_000), ")".repeat(30_000));
    let headers = [
        with_shape("(4294967296, 4294967296)"),
        with_shape("(0, 4294967296, 4294967296)"),
        with_shape("(4294967296, 4294967296)").replace('\'', "\""),
        with_shape("(4294967296, 4294967296)").replace("shape", "sh\\x61pe"),
        with_shape("(0xffffffffffffffff, 0xffffffffffffffff)"),
        with_shape("[4294967296, 4294967296]"),
        with_shape("(-1, 2)"),
        with_shape("3"),
        with_shape(&deep),
        "{'descr': [('a', '|u1')], 'fortran_order': False, 'shape': (1,), }".to_owned(),
        "{".repeat(30_000),
        ")(".to_owned(),
        String::new(),
    ];
    for (number, header) in headers.iter().enumerate() {
        let result = read_npy(&format!("hostile-{number}.npy"), &npy(2, header, &[0; 8]));
        assert!(
            matches!(result, Err(Error::Unreadable { .. })),
            "{number}: {result:?}"
        );
    }
    for (name, header) in [
        (
            "f1 as a key",
            "{'x': '<f1', 'descr': '|b1', 'fortran_order': False, 'shape': (1,), }",
        ),
        (
            "a fourth key",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), 'x': 1, }",
        ),
        ("no order", "{'descr': '|u1', 'shape': (1,), }"),
        ("no dtype", "{'fortran_order': False, 'shape': (1,), }"),
        (
            "no shape",
            "{'descr': '|u1', 'fortran_order': False, 'x': (1,), }",
        ),
        (
            "dtype twice",
            "{'descr': '|u1', 'descr': '|u1', 'fortran_order': False, 'shape': (1,), }",
        ),
        (
            "order twice",
            "{'descr': '|u1', 'fortran_order': True, 'fortran_order': False, 'shape': (1,), }",
        ),
        (
            "shape thrice",
            "{'descr': '|u1', 'fortran_order': False, 'shape': 1, 'shape': (1,), 'shape': 2}",
        ),
        (
            "twice, escaped",
            "{'descr': '|u1', 'd\\x65scr': '|u1', 'fortran_order': False, 'shape': (1,), }",
        ),
        (
            "no string",
            "{'descr': 1, 'fortran_order': False, 'shape': (1,), }",
        ),
        (
            "no truth value",
            "{'descr': '|u1', 'fortran_order': 0, 'shape': (1,), }",
        ),
        (
            "f1 in a string",
            "{'descr': '|u1\\'<f1', 'fortran_order': False, 'shape': (1,), }",
        ),
        (
            "a key of bytes",
            "{b'descr': '|u1', 'fortran_order': False, 'shape': (1,), }",
        ),
        (
            "a truth value",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (True,), }",
        ),
        (
            "more behind",
            "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), } 1",
        ),
    ] {
        let path = file("keys.npy", &npy(1, header, &[1]));
        let result = DynTensor::read_npy(&path, Jax::rule_set()).map(|t| t.to_string());
        assert!(
            matches!(result, Err(Error::Unreadable { .. })),
            "{name}: {result:?}"
        );
    }
    let unknown = npy(
        4,
        "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }",
        &[1],
    );
    assert!(read_npy("version.npy", &unknown).is_err());
    let lies_about_its_length = [b"\x93NUMPY\x02\x00\xff\xff\xff\xff", &[b'{'; 20][..]].concat();
    assert!(read_npy("length.npy", &lies_about_its_length).is_err());
    // The longest header that NumPy reads.
    let padded = |length: usize| npy(2, &format!("{:length$}", with_shape("(1,)")), &[7]);
    let longest = read_npy("longest.npy", &padded(10_000)).expect("not too long");
    assert_eq!(longest.to_vec(), [7]);
    let longer = read_npy("longer.npy", &padded(10_001));
    assert!(
        matches!(longer, Err(Error::Unreadable { .. })),
        "{longer:?}"
    );
}

#[test]
fn hostile_safetensors_are_errors() {
    let safetensors = |header: &str, data: &[u8]| {
        let length = u64::try_from(header.len())
            .expect("a short header")
            .to_le_bytes();
        [&length[..], header.as_bytes(), data].concat()
    };
    let cases = [
        safetensors(
            r#"{"a":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,18446744073709551615]}}"#,
            &[],
        ),
        safetensors(
            r#"{"a":{"dtype":"U8","shape":[18446744073709551600],"data_offsets":[0,18446744073709551600]}}"#,
            &[],
        ),
        safetensors(
            r#"{"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,8]}}"#,
            &[0; 8],
        ),
        safetensors(
            r#"{"a":{"dtype":"U8","shape":[4],"data_offsets":[4,0]}}"#,
            &[0; 4],
        ),
        safetensors(
            r#"{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}"#,
            &[0; 3],
        ),
        safetensors("{", &[]),
        u64::MAX.to_le_bytes().to_vec(),
        Vec::new(),
    ];
    let most = u64::MAX >> 3;
    let entry = |number: u64| {
        let (start, end) = (number * most, (number + 1) * most);
        format!(r#""t{number}":{{"dtype":"U8","shape":[{most}],"data_offsets":[{start},{end}]}}"#)
    };
    let chain: Vec<_> = (0..8).map(entry).collect();
    let sums_overflow = safetensors(&format!("{{{}}}", chain.join(",")), &[]);
    for (number, bytes) in cases.iter().chain([&sums_overflow]).enumerate() {
        let result = SafeTensorsFile::read(file(&format!("hostile-{number}.safetensors"), bytes));
        assert!(
            matches!(result, Err(Error::Unreadable { .. })),
            "{number}: {result:?}"
        );
    }
    // Their headers are sound. The errors name the file and the tensor all the same.
    let bytes = safetensors(
        r#"{"deep":{"dtype":"U8","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,1]},"mask":{"dtype":"BOOL","shape":[2],"data_offsets":[1,3]}}"#,
        &[7, 1, 2],
    );
    let path = file("invalid.safetensors", &bytes);
    let read = SafeTensorsFile::read(&path).expect("a sound header");
    for (name, reason) in [
        ("deep", "shape: rank 9 is above the limit of 8"),
        (
            "mask",
            "bool elements are bytes 0 and 1, found byte 2 at position 1",
        ),
    ] {
        assert_eq!(
            read.dyn_tensor(name, Jax),
            Err(Error::Unreadable {
                path: path.clone(),
                reason: format!("`{name}`: {reason}"),
            })
        );
    }
}

const ARCHIVE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data/weather.npz");

#[test]
fn arrays_of_any_dtype_are_read_by_name() -> Result<(), Error> {
    let arrays = DynTensor::read_npz(ARCHIVE, Numpy::rule_set())?;
    let names: Vec<_> = arrays.keys().collect();
    assert_eq!(names, ["rain", "scale", "temperature"]);
    assert_eq!(arrays["scale"].item()?.to_string(), "0.01");
    assert_eq!(arrays["temperature"].shape(), [7, 2]);
    assert_eq!(arrays["rain"].rules(), Numpy::rule_set());
    let header = "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }\n";
    let path = file("any.npy", &npy(1, header, &[0, 0x3e]));
    let any = DynTensor::read_npy(&path, Jax::rule_set())?;
    assert_eq!(any.to_string(), "[1.5] f16 [1]");
    assert!(DynTensor::read_npy("no such file", Jax::rule_set()).is_err());
    Ok(())
}

#[test]
fn damaged_archives_are_errors() {
    let whole = fs::read(ARCHIVE).expect("the example's data");
    let read = |bytes: &[u8]| DynTensor::read_npz(file("damaged.npz", bytes), Jax::rule_set());
    let error = read(&whole[..100]).unwrap_err();
    assert!(matches!(error, Error::Unreadable { .. }), "{error}");
    for length in 0..whole.len() - 1 {
        assert!(read(&whole[..length]).is_err(), "the first {length} bytes");
    }
    for position in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[position] ^= 0x55;
        // Some bytes do not matter, such as those of a date.
        let _ = read(&damaged);
    }
    let text = file("text.npz", b"no archive");
    let error = DynTensor::read_npz(&text, Jax::rule_set()).unwrap_err();
    assert!(
        error.to_string().starts_with(&text.display().to_string()),
        "{error}"
    );
}
