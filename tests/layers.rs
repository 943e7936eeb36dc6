//! The folders of `src/` are layers: a file uses its own folder and those below it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, from the lowest to the highest. ARCHITECTURE.md says what each is for.
const LAYERS: &[&str] = &[
    "op",
    "codec",
    "simd",
    "dtype",
    "literals",
    "rank",
    "rule_set",
    "error",
    "rules",
    "array",
    "memory",
    "kernel",
    "trace",
    "exec",
    "tensor",
    "ops",
    "dynamic",
    "fuse",
    "stablehlo",
    "interop",
    "prelude",
];

/// Every `.rs` file below a folder, but for those that hold only tests.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the library") {
        let path = entry.expect("an entry of a folder").path();
        let is_test = path
            .file_stem()
            .is_some_and(|name| name == "tests" || name == "fence");
        if is_test {
            continue;
        }
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments, and without the unit tests at its end.
fn code(text: &str) -> String {
    let text = text
        .split("\n#[cfg(test)]\nmod tests {")
        .next()
        .unwrap_or_default();
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The layers that code names after `crate::`, also in a list in braces.
fn layers_used(code: &str) -> BTreeSet<&'static str> {
    let layer = |name: &str| LAYERS.iter().copied().find(|layer| *layer == name);
    let mut used = BTreeSet::new();
    for (position, path) in code.match_indices("crate::") {
        let rest = &code[position + path.len()..];
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .next()
                .unwrap_or_default(),
        };
        let first_segments = names
            .split(',')
            .map(|name| name.split(':').next().unwrap_or_default().trim());
        used.extend(first_segments.filter_map(layer));
    }
    used
}

/// What the names are that code uses of the kernel and that are functions: lower case, but for the loops of `fuse!`.
fn kernel_functions(code: &str) -> BTreeSet<String> {
    let mut functions = BTreeSet::new();
    for (position, path) in code.match_indices("kernel::") {
        let rest = &code[position + path.len()..];
        let names = match rest.strip_prefix('{') {
            Some(list) => list.split('}').next().unwrap_or_default(),
            None => rest
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .next()
                .unwrap_or_default(),
        };
        let names = names
            .split(',')
            .map(|name| name.split(':').next().unwrap_or_default().trim());
        let is_function = |name: &&str| name.starts_with(char::is_lowercase) && *name != "fused";
        functions.extend(names.filter(is_function).map(str::to_string));
    }
    functions
}

/// Methods of arrays for which `exec/` has a function.
const READS: &[&str] = &[
    "reshape",
    "permute",
    "slice",
    "index_axis",
    "broadcast_to",
    "squeeze",
    "unsqueeze",
    "diagonal",
    "flip",
    "get",
    "iter",
    "try_to_vec",
    "as_mut_slice",
    "row_major",
];

/// Which of [`READS`] code calls on what is named `array`.
fn array_reads(code: &str) -> BTreeSet<&'static str> {
    let mut reads = BTreeSet::new();
    for receiver in ["array.", "array()."] {
        for (position, path) in code.match_indices(receiver) {
            let rest = &code[position + path.len()..];
            let method = rest
                .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                .next()
                .unwrap_or_default();
            reads.extend(READS.iter().copied().find(|read| *read == method));
        }
    }
    reads
}

/// A file of the library.
struct Source {
    /// The path below `src/`.
    name: String,
    /// The position in [`LAYERS`].
    level: usize,
    /// The text without comments and unit tests.
    code: String,
}

fn level_of(layer: &str) -> usize {
    let level = LAYERS.iter().position(|known| *known == layer);
    level.unwrap_or_else(|| panic!("`{layer}` is in no layer: add it to `LAYERS`"))
}

/// All files of the library but `lib.rs` and `__private.rs`, which re-export from everywhere.
fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&root, &mut files);
    assert!(files.len() > 100, "the library has files");
    let mut sources = Vec::with_capacity(files.len());
    for file in files {
        let name = file.strip_prefix(&root).expect("a file below the folder");
        let name = name.to_string_lossy().replace('\\', "/");
        let layer = name
            .split('/')
            .next()
            .unwrap_or_default()
            .trim_end_matches(".rs");
        if layer == "lib" || layer == "__private" {
            continue;
        }
        let level = level_of(layer);
        let text = fs::read_to_string(&file).expect("a file of the library");
        sources.push(Source {
            name,
            level,
            code: code(&text),
        });
    }
    sources
}

#[test]
fn layers_use_only_what_is_below_them() {
    let mut upwards = BTreeSet::new();
    for Source { name, level, code } in sources() {
        let above = &LAYERS[level + 1..];
        let used = layers_used(&code).into_iter();
        upwards.extend(
            used.filter(|used| above.contains(used))
                .map(|used| (name.clone(), used)),
        );
    }
    assert!(
        upwards.is_empty(),
        "these files use a higher layer: {upwards:?}"
    );
}

/// A kernel that is called past `exec/` reads a traced tensor as zeros.
#[test]
fn kernels_are_called_by_exec_alone() {
    let exec = level_of("exec");
    let mut calls = BTreeSet::new();
    for Source { name, code, .. } in sources().into_iter().filter(|source| source.level > exec) {
        calls.extend(
            kernel_functions(&code)
                .into_iter()
                .map(|function| (name.clone(), function)),
        );
    }
    assert!(
        calls.is_empty(),
        "call the function of `exec/` instead: {calls:?}"
    );
}

/// An array's views and elements are zeros if it is a tracer.
#[test]
fn arrays_are_read_by_exec_alone() {
    let exec = level_of("exec");
    let mut reads = BTreeSet::new();
    for Source { name, code, .. } in sources().into_iter().filter(|source| source.level > exec) {
        reads.extend(
            array_reads(&code)
                .into_iter()
                .map(|method| (name.clone(), method)),
        );
    }
    assert!(
        reads.is_empty(),
        "call the function of `exec/` instead: {reads:?}"
    );
}

#[test]
fn uses_are_found_in_paths_and_in_lists() {
    assert_eq!(
        layers_used("use crate::kernel::cast;"),
        BTreeSet::from(["kernel"])
    );
    assert_eq!(
        layers_used("$crate::stablehlo::record::$f()"),
        BTreeSet::from(["stablehlo"])
    );
    assert_eq!(
        layers_used("use crate::{Error, dtype::DType, array};"),
        BTreeSet::from(["array", "dtype"])
    );
    assert_eq!(
        kernel_functions(
            "use crate::kernel::{self, BinaryOp, cast}; kernel::fused::run; kernel::unary()"
        ),
        BTreeSet::from(["cast", "self", "unary"].map(String::from))
    );
    assert_eq!(
        array_reads(
            "self.array().permute(&order); self.array.get(i); array.shape(); exec::iter(array)"
        ),
        BTreeSet::from(["get", "permute"])
    );
    assert!(layers_used(&code("// crate::kernel\nfn f() {} // crate::tensor")).is_empty());
}
