//! Files that are made to exhaust memory or to be read in two ways: errors, within bounded memory. And the corpus of the
//! fuzz targets, run without a fuzzer.

mod peak;
#[path = "../fuzz/src/lib.rs"]
#[allow(
    unsafe_code,
    dead_code,
    clippy::as_conversions,
    unreachable_pub,
    reason = "it is the fuzzer's crate"
)]
mod targets;

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use peak::peak;
use supremum::prelude::*;
use supremum::{NpzFile, ReadOptions, SafeTensorsFile};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

fn wide(bytes: usize) -> u64 {
    bytes.try_into().expect("at most 64 bits")
}

const KIB: usize = 1 << 10;
const MIB: usize = 1 << 20;

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).expect("a temporary file");
    path
}

/// The beginning of a `.npy` file of `u8`.
fn header(len: usize) -> Vec<u8> {
    let text = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({len},), }}\n");
    let length = u16::try_from(text.len()).expect("short").to_le_bytes();
    [b"\x93NUMPY\x01\x00", &length[..], text.as_bytes()].concat()
}

/// An archive of one compressed entry, `a.npy`: a header that announces `announced` elements, and `len` zeros.
fn archive(
    announced: usize,
    len: usize,
    more: impl FnOnce(&mut ZipWriter<Cursor<Vec<u8>>>),
) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(true);
    archive
        .start_file("a.npy", options)
        .expect("a sound archive");
    let mut write = |bytes: &[u8]| archive.write_all(bytes).expect("memory is writable");
    write(&header(announced));
    let zeros = vec![0; 64 * KIB];
    let mut left = len;
    while left > 0 {
        let now = left.min(zeros.len());
        write(&zeros[..now]);
        left -= now;
    }
    more(&mut archive);
    archive.finish().expect("a sound archive").into_inner()
}

/// An archive of so many names that share one entry of `len` zeros.
fn shared(names: usize, len: usize) -> Vec<u8> {
    archive(len, len, |archive| {
        for name in 1..names {
            archive
                .shallow_copy_file("a.npy", &format!("{name}.npy"))
                .expect("it is there");
        }
    })
}

fn reason<T: std::fmt::Debug>(result: Result<T, Error>) -> String {
    match result {
        Err(Error::Unreadable { reason, .. }) => reason,
        other => panic!("{other:?}"),
    }
}

/// `.safetensors`: this header, and so many zeros.
fn safetensors(header: &str, len: usize) -> Vec<u8> {
    let length = u64::try_from(header.len()).expect("short").to_le_bytes();
    [&length[..], header.as_bytes(), &vec![0; len]].concat()
}

#[test]
fn an_archive_is_read_into_the_memory_of_the_tensor() {
    const LEN: usize = 16 * MIB;
    let bytes = archive(LEN, LEN, |_| ());
    assert!(bytes.len() < 64 * KIB, "{}", bytes.len());
    let path = file("zeros.npz", &bytes);
    let (tensor, taken) = peak(|| Tensor::<U8, Rank1>::read_npz(&path, "a"));
    assert_eq!(tensor.expect("a sound archive").shape(), [LEN]);
    assert!(taken < LEN + MIB, "{taken} bytes for {LEN}");
}

#[test]
fn an_archive_that_announces_more_than_it_has_takes_no_memory() {
    // 100 bytes cannot become a gigabyte; and 16 MiB of zeros are not what a gigabyte would be.
    for (name, len) in [("few.npz", 100), ("more.npz", 16 * MIB)] {
        let path = file(name, &archive(1024 * MIB, len, |_| ()));
        let (result, taken) = peak(|| DynTensor::read_npz(&path, Jax::rule_set()));
        let reason = reason(result);
        assert!(reason.starts_with("`a`: "), "{reason}");
        assert!(taken < MIB, "{name}: {taken} bytes");
    }
}

/// Archives and `.safetensors` files of two tensors, `a` and `b`, of so many zeros each.
fn two(len: usize) -> [PathBuf; 2] {
    let zeros = Tensor::<U8, Rank1>::zeros([len]);
    let path = |name| Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("two-{len}.{name}"));
    let [npz, safetensors] = ["npz", "safetensors"].map(path);
    let tensors: [(&str, &dyn supremum::AnyTensor); 2] = [("a", &zeros), ("b", &zeros)];
    NpzFile::write(&npz, &tensors).expect("the folder is ours");
    SafeTensorsFile::write(&safetensors, &tensors).expect("the folder is ours");
    [npz, safetensors]
}

fn limits(error: &Error) -> (Option<&str>, u64, u64, u64) {
    match error {
        Error::ReadLimit {
            name,
            bytes,
            total,
            limit,
            ..
        } => (name.as_deref(), *bytes, *total, *limit),
        other => panic!("{other:?}"),
    }
}

#[derive(Debug, LoadTensors)]
struct Two {
    a: Tensor<U8, Rank1>,
    b: Tensor<U8, Rank1>,
}

#[test]
fn one_array_is_limited_before_memory_is_allocated() {
    const LEN: usize = 4 * MIB;
    let limited = |bytes| ReadOptions::new().max_bytes(bytes);
    let npy = file("limit.npy", &[header(LEN), vec![0; LEN]].concat());
    let npz = file("limit.npz", &archive(LEN, LEN, |_| ()));
    let sizes = (wide(LEN), wide(LEN), wide(LEN) - 1);
    let rules = Jax::rule_set();
    type Read<'a> = &'a dyn Fn(ReadOptions) -> Result<DynTensor, Error>;
    let typed: Read<'_> = &|options| {
        let tensor: Tensor<U8, Rank1> = options.read_npy(&npy)?;
        Ok(tensor.into_dyn())
    };
    let dynamic: Read<'_> = &|options| options.read_dyn_npy(&npy, rules);
    let named: Read<'_> = &|options| options.read_dyn_npy_as(&npy, DType::U8, rules);
    let entry: Read<'_> = &|options| options.read_npz(&npz)?.dyn_tensor("a", rules);
    let typed_entry: Read<'_> = &|options| {
        let tensor = options.read_npz(&npz)?.tensor::<U8, Rank1>("a")?;
        Ok(tensor.into_dyn())
    };
    for (name, read) in [
        (None, typed),
        (None, dynamic),
        (None, named),
        (Some("a"), entry),
        (Some("a"), typed_entry),
    ] {
        let (result, taken) = peak(|| read(limited(sizes.2)));
        let error = result.map(|tensor| tensor.len()).unwrap_err();
        assert_eq!(limits(&error), (name, sizes.0, sizes.1, sizes.2));
        assert!(
            error
                .to_string()
                .contains("4194304 bytes of elements are above the limit of 4194303"),
            "{error}"
        );
        assert!(taken < MIB, "{taken} bytes");
        assert_eq!(read(limited(sizes.0)).map(|tensor| tensor.len()), Ok(LEN));
        assert_eq!(
            read(ReadOptions::default()).map(|tensor| tensor.len()),
            Ok(LEN)
        );
    }
}

#[test]
fn the_tensors_of_a_file_are_limited_together() -> Result<(), Error> {
    let rules = Jax::rule_set();
    let limited = |bytes| ReadOptions::new().max_bytes(bytes);
    let [npz, safetensors] = two(1000);
    let error = limited(1999).read_dyn_npz(&npz, rules).unwrap_err();
    assert_eq!(limits(&error), (Some("b"), 1000, 2000, 1999));
    assert!(
        error
            .to_string()
            .contains("2000 with those that were read before"),
        "{error}"
    );
    assert_eq!(limited(2000).read_dyn_npz(&npz, rules)?.len(), 2);
    for path in [&npz, &safetensors] {
        let Two { a, b } = limited(2000).load(path)?;
        assert_eq!(a, b);
        match limited(1999).load::<Two>(path).unwrap_err() {
            Error::UnexpectedTensors { faults, .. } => match &faults[..] {
                [supremum::TensorMismatch::Unreadable { name, error }] => {
                    assert_eq!((name.as_str(), limits(error).2), ("b", 2000));
                }
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }
    // What is read again is not counted again.
    let npz = limited(1000).read_npz(&npz)?;
    let safetensors = limited(1000).read_safetensors(&safetensors)?;
    for _ in 0..3 {
        npz.dyn_tensor("a", rules)?;
        safetensors.dyn_tensor("a", rules)?;
    }
    let refused = |result: Result<DynTensor, Error>| limits(&result.unwrap_err()).2;
    assert_eq!(refused(npz.dyn_tensor("b", rules)), 2000);
    assert_eq!(refused(safetensors.dyn_tensor("b", rules)), 2000);
    Ok(())
}

/// An archive whose entry announces `announced` elements and says that it has them, but has `len` bytes that cannot be
/// compressed.
fn liar(announced: usize, len: usize) -> Vec<u8> {
    let header = header(announced);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .large_file(true);
    let started = archive.start_file("a.npy", options);
    started.expect("a sound archive");
    let mut state = 1_u64;
    let noise = (0..len / 8).flat_map(|_| {
        // Xorshift.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    let bytes: Vec<u8> = header.iter().copied().chain(noise).collect();
    archive.write_all(&bytes).expect("memory is writable");
    let mut archive = archive.finish().expect("a sound archive").into_inner();
    let size = |len: usize| u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes();
    // The central directory, at the end, is what counts.
    let at = (archive.windows(4)).rposition(|window| window == size(bytes.len()));
    let at = at.expect("its size");
    archive[at..at + 4].copy_from_slice(&size(header.len() + announced));
    archive
}

#[test]
fn an_archive_that_could_become_more_than_the_limit_is_refused() {
    // As much as five million bytes can become at most, and less than what an archive of 32 bits can say.
    const LEN: usize = 3 << 30;
    let path = file("liar.npz", &liar(LEN, 5 * MIB));
    let limited = ReadOptions::new().max_bytes(1 << 30).read_npz(&path);
    let error = limited.and_then(|file| file.dyn_tensor("a", Jax::rule_set()));
    let error = error.map(|tensor| tensor.len()).unwrap_err();
    let len = wide(LEN);
    assert_eq!(limits(&error), (Some("a"), len, len, 1 << 30));
    // One hundredth of it cannot become that.
    let path = file("liar.npz", &liar(LEN, 50 * KIB));
    let (result, taken) = peak(|| DynTensor::read_npz(&path, Jax::rule_set()));
    assert!(reason(result).contains("at most can follow"));
    assert!(taken < MIB, "{taken} bytes");
}

/// Reads files that ask for more than there is, in the process that the next test starts.
#[test]
fn as_a_child() {
    let Ok(folder) = std::env::var("SUPREMUM_CHILD") else {
        return;
    };
    let folder = Path::new(&folder);
    let rules = Jax::rule_set();
    let no_memory = |result: Result<DynTensor, Error>| {
        let error = result.map(|tensor| tensor.len()).unwrap_err();
        assert_eq!(error, Error::OutOfMemory { bytes: SPARSE });
        println!("no memory");
    };
    no_memory(DynTensor::read_npy(folder.join("sparse.npy"), rules));
    let file = SafeTensorsFile::read(folder.join("sparse.safetensors")).expect("it is sound");
    no_memory(file.dyn_tensor("a", rules));
    // An archive that could become as much and does not: the system has given what was written.
    let liar = ReadOptions::new().read_npz(folder.join("liar.npz"));
    let result = liar.and_then(|file| file.dyn_tensor("a", rules));
    let reason = reason(result.map(|tensor| tensor.len()));
    assert!(reason.starts_with("`a`: "), "{reason}");
    // The process goes on.
    assert_eq!(DynTensor::zeros(DType::U8, [3]).map(|t| t.len()), Ok(3));
    let status = fs::read_to_string("/proc/self/status").expect("Linux tells");
    let most = status.split("VmHWM:").nth(1).expect("it is there");
    println!("resident at most: {most}");
}

const SPARSE: usize = 1 << 30;

#[cfg(target_os = "linux")]
#[test]
fn where_there_is_no_memory_that_is_the_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let tensor =
        format!(r#"{{"a":{{"dtype":"U8","shape":[{SPARSE}],"data_offsets":[0,{SPARSE}]}}}}"#);
    for (name, header) in [
        ("sparse.npy", header(SPARSE)),
        ("sparse.safetensors", safetensors(&tensor, 0)),
    ] {
        let path = folder.path().join(name);
        fs::write(&path, &header).expect("the folder is ours");
        let sparse = fs::File::options()
            .write(true)
            .open(&path)
            .expect("it is ours");
        let len = wide(header.len() + SPARSE);
        sparse
            .set_len(len)
            .expect("file systems of Linux have sparse files");
    }
    fs::write(folder.path().join("liar.npz"), liar(256 * MIB, MIB)).expect("the folder is ours");
    let output = std::process::Command::new("sh")
        .args(["-c", "ulimit -v 600000 && exec \"$@\"", "sh"])
        .arg(std::env::current_exe().expect("this is a program"))
        .args(["as_a_child", "--exact", "--nocapture"])
        .env("SUPREMUM_CHILD", folder.path())
        .output()
        .expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(text.matches("no memory").count(), 2, "{output:?}");
    let most = text.split("resident at most: ").nth(1);
    let most: usize = most
        .and_then(|most| most.split_whitespace().next()?.parse().ok())
        .expect("a number");
    assert!(most < 64 * KIB, "{most} KiB");
}

#[test]
fn entries_that_overlap_are_refused() {
    const LEN: usize = 4 * MIB;
    let path = file("shared.npz", &shared(60, LEN));
    let (result, taken) = peak(|| DynTensor::read_npz(&path, Jax::rule_set()));
    let reason = reason(result);
    assert!(reason.contains("overlap"), "{reason}");
    assert!(taken < MIB, "{taken} bytes");
}

#[test]
fn names_that_occur_twice_are_refused() {
    let two = archive(3, 3, |archive| {
        archive
            .start_file("b.npy", SimpleFileOptions::default())
            .expect("a sound archive");
        archive.write_all(&header(1)).expect("memory is writable");
        archive.write_all(&[7]).expect("memory is writable");
    });
    assert!(NpzFile::read(file("two.npz", &two)).is_ok());
    let mut same = two.clone();
    while let Some(at) = same.windows(5).position(|name| name == b"b.npy") {
        same[at] = b'a';
    }
    let reason_of = |bytes: &[u8]| reason(NpzFile::read(file("same.npz", bytes)));
    assert!(reason_of(&same).contains("two"), "{}", reason_of(&same));

    let tensor = r#"{"dtype":"U8","shape":[1],"data_offsets":[0,1]}"#;
    for header in [
        format!(r#"{{"a":{tensor},"a":{tensor}}}"#),
        format!(r#"{{"a":{tensor},"\u0061":{tensor}}}"#),
        format!(r#"{{"__metadata__":{{}},"a":{tensor},"__metadata__":{{}}}}"#),
        format!(r#"{{"__metadata__":{{"k":"1","k":"2"}},"a":{tensor}}}"#),
        r#"{"a":{"dtype":"U8","dtype":"U8","shape":[1],"data_offsets":[0,1]}}"#.to_owned(),
    ] {
        let path = file("same.safetensors", &safetensors(&header, 1));
        for result in [SafeTensorsFile::read(&path), map(&path)] {
            let reason = reason(result);
            assert!(
                reason.contains("two") || reason.contains("duplicate"),
                "{header}: {reason}"
            );
        }
    }
}

#[allow(unsafe_code, reason = "mapping is")]
fn map(path: &Path) -> Result<SafeTensorsFile, Error> {
    // SAFETY: files of tests are replaced, never changed while they are mapped.
    unsafe { SafeTensorsFile::map(path) }
}

#[test]
fn tensors_that_overlap_are_refused() {
    let tensor = |name: &str, start: usize, end: usize| {
        let len = end - start;
        format!(r#""{name}":{{"dtype":"U8","shape":[{len}],"data_offsets":[{start},{end}]}}"#)
    };
    for (tensors, sound) in [
        ([("a", 0, 2), ("b", 2, 4)], true),
        ([("b", 2, 4), ("a", 0, 2)], true),
        ([("a", 0, 4), ("b", 0, 4)], false),
        ([("a", 0, 3), ("b", 2, 4)], false),
        ([("a", 0, 4), ("b", 1, 3)], false),
        ([("a", 0, 1), ("b", 2, 4)], false),
        ([("a", 0, 4), ("b", 2, 2)], false),
    ] {
        let header = tensors.map(|(name, start, end)| tensor(name, start, end));
        let bytes = safetensors(&format!("{{{}}}", header.join(",")), 4);
        let path = file("overlap.safetensors", &bytes);
        for result in [SafeTensorsFile::read(&path), map(&path)] {
            assert_eq!(result.is_ok(), sound, "{tensors:?}: {result:?}");
        }
    }
}

#[test]
fn a_header_takes_memory_in_proportion_to_its_length() {
    let ones = vec!["1"; MIB / 2].join(",");
    let header = format!(r#"{{"a":{{"dtype":"U8","shape":[{ones}],"data_offsets":[0,1]}}}}"#);
    let path = file("long.safetensors", &safetensors(&header, 1));
    let ((), taken) = peak(|| {
        let read = SafeTensorsFile::read(&path).expect("a sound header");
        assert!(read.dyn_tensor("a", Jax::rule_set()).is_err());
    });
    assert!(taken < 8 * header.len(), "{taken} bytes");
}

#[test]
fn inputs_of_the_fuzz_targets_are_survived() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let run = |target: &str, run: fn(&[u8])| {
        let inputs = fs::read_dir(corpus.join(target)).expect("a corpus");
        let mut count = 0;
        for input in inputs {
            let input = input.expect("a file").path();
            let bytes = fs::read(&input).expect("a file");
            let ((), taken) = peak(|| run(&bytes));
            assert!(taken < 4 * MIB, "{}: {taken} bytes", input.display());
            count += 1;
        }
        assert!(count > 2, "{target}: {count} inputs");
    };
    run("npy", targets::npy);
    run("npz", targets::npz);
    run("safetensors", targets::safetensors);
    run("round_trip", targets::round_trip);
}

/// For the process's memory as the system sees it: `/usr/bin/time -v` before the program of the tests.
#[test]
#[ignore = "reads the archive that SUPREMUM_FILE names"]
fn a_file_for_measurements() {
    let path = std::env::var("SUPREMUM_FILE").expect("a path");
    let (result, taken) = peak(|| DynTensor::read_npz(&path, Jax::rule_set()));
    let result = result.map(|arrays| arrays.len());
    println!("{result:?} in {} MiB", taken / MIB);
}
