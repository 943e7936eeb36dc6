//! The folders of `src/` are layers: a file uses its own folder and those below it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers, from the lowest to the highest. ARCHITECTURE.md says what each is for.
const LAYERS: &[&str] = &[
    "op",
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
    "tensor",
    "ops",
    "dynamic",
    "fuse",
    "stablehlo",
    "interop",
];

/// Uses of a higher layer that are still to be removed: `(file, layer)`. All of them record operations of a trace.
const UPWARDS: &[(&str, &str)] = &[
    ("array/mod.rs", "stablehlo"),
    ("array/traced.rs", "stablehlo"),
    ("array/views.rs", "stablehlo"),
    ("fuse/leaf.rs", "stablehlo"),
    ("fuse/mod.rs", "stablehlo"),
    ("fuse/run.rs", "stablehlo"),
    ("kernel/concat.rs", "stablehlo"),
    ("kernel/graph/call.rs", "stablehlo"),
    ("kernel/graph/mod.rs", "stablehlo"),
    ("kernel/matmul.rs", "stablehlo"),
    ("kernel/reduce/mod.rs", "stablehlo"),
    ("kernel/reduce/plan.rs", "stablehlo"),
    ("kernel/scan.rs", "stablehlo"),
    ("simd/mod.rs", "dtype"),
    ("tensor/mod.rs", "stablehlo"),
];

/// Every `.rs` file below a folder, but for those that hold only tests.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the library") {
        let path = entry.expect("an entry of a folder").path();
        let is_test = path
            .file_stem()
            .is_some_and(|name| name == "tests" || name == "fence");
        if is_test {
            continue;
        }
        if path.is_dir() {
            sources(&path, found);
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

/// `(file, layer)` for each use of a layer above that of the file.
fn upward_uses() -> BTreeSet<(String, &'static str)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 100, "the library has files");
    let mut upwards = BTreeSet::new();
    for file in files {
        let name = file.strip_prefix(&root).expect("a file below the folder");
        let name = name.to_string_lossy().replace('\\', "/");
        let layer = name
            .split('/')
            .next()
            .unwrap_or_default()
            .trim_end_matches(".rs");
        if layer == "lib" || layer == "__private" {
            continue; // Both re-export from everywhere.
        }
        let level = LAYERS.iter().position(|known| *known == layer);
        let level = level.unwrap_or_else(|| panic!("`{layer}` is in no layer: add it to `LAYERS`"));
        let text = fs::read_to_string(&file).expect("a file of the library");
        for used in layers_used(&code(&text)) {
            if LAYERS[level + 1..].contains(&used) {
                upwards.insert((name.clone(), used));
            }
        }
    }
    upwards
}

#[test]
fn layers_use_only_what_is_below_them() {
    let known: BTreeSet<_> = UPWARDS
        .iter()
        .map(|(file, layer)| (file.to_string(), *layer))
        .collect();
    let found = upward_uses();
    let new: Vec<_> = found.difference(&known).collect();
    assert!(new.is_empty(), "these files use a higher layer: {new:?}");
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(
        gone.is_empty(),
        "delete from `UPWARDS`, as they are gone: {gone:?}"
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
    assert!(layers_used(&code("// crate::kernel\nfn f() {} // crate::tensor")).is_empty());
}
