//! The example `digits`: what it computes, and what it says about files that are not as they should
//! be.

#[path = "../../examples/digits/model.rs"]
mod model;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;

use model::{HeldOut, Mixed, Reference, correct};
use supremum::prelude::*;

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/digits/data")
}

/// The pipeline gives the logits that JAX gives for it. Their order of summation is the only freedom,
/// so nearly all are equal bit for bit; a wrong dtype anywhere leaves at most 88 of 160 equal.
#[test]
fn logits_are_those_of_jax() {
    let expected = Tensor::<F32, Rank2>::read_npy(data().join("expected_logits.npy")).unwrap();
    let held_out = HeldOut::read(&data()).unwrap();
    let model = Mixed::read(&data().join("model.safetensors")).unwrap();
    let logits = model.forward(&held_out.images.slice(0, ..16)).unwrap();
    let equal: u32 = logits
        .equal(&expected)
        .sum()
        .try_cast::<U32>()
        .unwrap()
        .item()
        .unwrap();
    println!("{equal} of 160 logits equal bit for bit");
    assert!(equal >= 150);
    assert!(logits.approx_eq(&expected, 0.0, 0.0625));
}

#[test]
fn accuracy_is_that_of_the_reference() {
    let held_out = HeldOut::read(&data()).unwrap();
    let mixed = Mixed::read(&data().join("model.safetensors"))
        .unwrap()
        .forward(&held_out.images)
        .unwrap();
    let full = Reference::read(&data().join("model_f32.safetensors"))
        .unwrap()
        .forward(&held_out.images)
        .unwrap();
    assert_eq!(correct(&mixed, &held_out.labels), Ok(445));
    assert_eq!(correct(&full, &held_out.labels), Ok(445));
}

/// The program of the example, which is built if this test alone is: with the tests' profile, so that the library is not built again.
static EXAMPLE: LazyLock<PathBuf> = LazyLock::new(|| {
    let build = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["build", "--quiet", "--profile", "test"])
        .args(["--example", "digits", "--features", "npy,safetensors"])
        .args(["--message-format", "json"])
        .output()
        .unwrap();
    let messages = String::from_utf8(build.stdout).unwrap();
    let program = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| Some(message["executable"].as_str()?.into()));
    program.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&build.stderr)))
});

/// Runs the example on a copy of the data in which one file is replaced.
fn run_with(name: &str, file: &str, change: impl Fn(Vec<u8>) -> Vec<u8>) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(data()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), folder.join(entry.file_name())).unwrap();
    }
    fs::write(
        folder.join(file),
        change(fs::read(data().join(file)).unwrap()),
    )
    .unwrap();
    Command::new(&*EXAMPLE)
        .arg("--data")
        .arg(folder)
        .output()
        .unwrap()
}

#[test]
fn the_example_runs() {
    let output = run_with("whole", "images.npy", |bytes| bytes);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        output.status.success() && text.contains("mixed      445/450 correct, 98.89 %"),
        "{text}"
    );
}

#[test]
fn files_that_are_not_as_they_should_be_end_it_with_a_reason() {
    let half = |bytes: Vec<u8>| bytes[..bytes.len() / 2].to_vec();
    let replace = |from: &'static str, to: &'static str| {
        move |bytes: Vec<u8>| {
            let at = bytes
                .windows(from.len())
                .position(|window| window == from.as_bytes())
                .unwrap();
            [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..]].concat()
        }
    };
    type Change = Box<dyn Fn(Vec<u8>) -> Vec<u8>>;
    let cases: [(&str, &str, Change, &str); 8] = [
        (
            "truncated-npy",
            "images.npy",
            Box::new(half),
            "115008 bytes of elements expected, 57440",
        ),
        (
            "truncated-head",
            "images.npy",
            Box::new(|bytes| bytes[..20].to_vec()),
            "ends within its header",
        ),
        (
            "empty",
            "labels.npy",
            Box::new(|_| Vec::new()),
            "does not begin with the magic string",
        ),
        (
            "wrong-dtype",
            "images.npy",
            Box::new(replace("|u1", "|i1")),
            "expected u8 of rank 3, found i8 of shape [1797, 8, 8]",
        ),
        (
            "no-dtype",
            "images.npy",
            Box::new(replace("|u1", "|S1")),
            "no dtype of Supremum: |S1, which is text",
        ),
        (
            "huge",
            "labels.npy",
            Box::new(replace("(1797,)", "(99999999999999999999,)")),
            "the axes have sizes that cannot be addressed",
        ),
        (
            "truncated-safetensors",
            "model.safetensors",
            Box::new(half),
            "model.safetensors",
        ),
        (
            "other-name",
            "model.safetensors",
            Box::new(replace("fc1.weight", "fc9.weight")),
            "`fc1.weight` is missing\n  `fc9.weight` is in no field",
        ),
    ];
    for (name, file, change, reason) in cases {
        let output = run_with(name, file, change);
        let text = String::from_utf8(output.stderr).unwrap();
        let text = text.trim_end();
        assert_eq!(output.status.code(), Some(1), "{name}: {text}");
        assert!(
            text.starts_with("error: ") && text.contains(file) && text.contains(reason),
            "{name}: {text}"
        );
    }
}
