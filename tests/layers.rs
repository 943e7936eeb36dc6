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
    "pjrt",
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

/// The names that code writes after a prefix such as `crate::`, one or a list in braces.
fn names_after<'c>(code: &'c str, prefix: &str) -> impl Iterator<Item = &'c str> {
    code.match_indices(prefix)
        .flat_map(move |(position, prefix)| {
            let rest = &code[position + prefix.len()..];
            let names = match rest.strip_prefix('{') {
                Some(list) => list.split('}').next().unwrap_or_default(),
                None => rest
                    .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .next()
                    .unwrap_or_default(),
            };
            let first_segment = |name: &'c str| name.split(':').next().unwrap_or_default().trim();
            names.split(',').map(first_segment)
        })
}

/// The layers that code names after `crate::`.
fn layers_used(code: &str) -> BTreeSet<&str> {
    let names = names_after(code, "crate::");
    names.filter(|name| LAYERS.contains(name)).collect()
}

/// The functions of the kernel that code names. Their names are in lower case, and so is the module of the loops of `fuse!`.
fn kernel_functions(code: &str) -> BTreeSet<&str> {
    let is_function = |name: &&str| name.starts_with(char::is_lowercase) && *name != "fused";
    names_after(code, "kernel::").filter(is_function).collect()
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

/// The methods in [`READS`] that code calls on what is named `array`.
fn array_reads(code: &str) -> BTreeSet<&str> {
    let receivers = ["array.", "array()."].into_iter();
    let methods = receivers.flat_map(|receiver| names_after(code, receiver));
    methods.filter(|method| READS.contains(method)).collect()
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

/// All files of the library but `lib.rs` and `__private.rs`, which re-export from everywhere, and the pages of `guide.rs`.
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
        if ["lib", "guide", "__private"].contains(&layer) {
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

/// Returns the findings of a search in the files of the library, each with the file's name.
fn found(search: impl Fn(&Source) -> Vec<String>) -> Vec<(String, String)> {
    let sources = sources();
    let in_file = |source| {
        let found = search(source).into_iter();
        found.map(|what| (source.name.clone(), what))
    };
    sources.iter().flat_map(in_file).collect()
}

/// Returns the findings of a search in the code of the files above `exec/`.
fn found_above_exec(search: fn(&str) -> BTreeSet<&str>) -> Vec<(String, String)> {
    let exec = level_of("exec");
    found(|source| {
        let code = if source.level > exec {
            &source.code
        } else {
            ""
        };
        search(code).into_iter().map(str::to_string).collect()
    })
}

#[test]
fn layers_use_only_what_is_below_them() {
    let upwards = found(|source| {
        let above = &LAYERS[source.level + 1..];
        let used = layers_used(&source.code).into_iter();
        let upwards = used.filter(|used| above.contains(used));
        upwards.map(str::to_string).collect()
    });
    assert_eq!(upwards, [], "these files use a higher layer");
}

/// A kernel that is called past `exec/` reads a traced tensor as zeros.
#[test]
fn kernels_are_called_by_exec_alone() {
    let calls = found_above_exec(kernel_functions);
    assert_eq!(calls, [], "call the function of `exec/` instead");
}

/// An array's views and elements are zeros if it is a tracer.
#[test]
fn arrays_are_read_by_exec_alone() {
    let reads = found_above_exec(array_reads);
    assert_eq!(reads, [], "call the function of `exec/` instead");
}

/// Every file and folder of the repository but hidden ones and build outputs, each after a slash.
fn paths_below(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder of the repository") {
        let path = entry.expect("an entry of a folder").path();
        let name = path.file_name().and_then(|name| name.to_str());
        if name.is_none_or(|name| name.starts_with('.') || name == "target") {
            continue;
        }
        found.push(path.to_string_lossy().replace('\\', "/"));
        if path.is_dir() {
            paths_below(&path, found);
        }
    }
}

/// A path in the text is a word in backticks with a slash, which ends in a slash or in a file's extension.
#[test]
fn architecture_names_paths_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = Vec::new();
    paths_below(root, &mut paths);
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    let quoted = text.split('`').skip(1).step_by(2);
    let named: Vec<_> = quoted
        .filter(|word| word.contains('/') && !word.contains([' ', '*', '(', '\n']))
        .filter(|word| word.ends_with('/') || word.ends_with(".rs") || word.ends_with(".md"))
        .collect();
    assert!(named.len() > 100, "{named:?}");
    let missing: Vec<_> = named
        .into_iter()
        .filter(|word| {
            let end = format!("/{}", word.trim_end_matches('/'));
            !paths.iter().any(|path| path.ends_with(&end))
        })
        .collect();
    assert_eq!(missing, Vec::<&str>::new());
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
        BTreeSet::from(["cast", "self", "unary"])
    );
    assert_eq!(
        array_reads(
            "self.array().permute(&order); self.array.get(i); array.shape(); exec::iter(array)"
        ),
        BTreeSet::from(["get", "permute"])
    );
    assert!(layers_used(&code("// crate::kernel\nfn f() {} // crate::tensor")).is_empty());
}
