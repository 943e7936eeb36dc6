//! The folders of `src/` are layers: a file uses its own folder and those below it. Files do not use one another in a circle. And
//! the blocks of methods of `Tensor` and `DynTensor` have headings.

use std::collections::{BTreeMap, BTreeSet};
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

/// Adds the paths of a `use` tree: `a::{b, c::d}` has `a::b` and `a::c::d`.
fn add_paths(tree: &str, prefix: &[&str], paths: &mut Vec<Vec<String>>) {
    let mut depth = 0;
    let branches = tree.split(|c: char| {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    for branch in branches {
        let (path, list) = branch.split_once('{').unwrap_or((branch, ""));
        let segments = path.split("::").map(str::trim);
        let segments = segments.filter(|segment| !segment.is_empty());
        let path: Vec<_> = prefix.iter().copied().chain(segments).collect();
        match list.rsplit_once('}') {
            Some((list, _)) => add_paths(list, &path, paths),
            None => paths.push(path.into_iter().map(str::to_string).collect()),
        }
    }
}

/// The paths that code writes from `crate`, `super` or `self` on.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    let starts = ["crate::", "super::", "self::"].into_iter();
    for (position, _) in starts.flat_map(|start| code.match_indices(start)) {
        if code[..position].ends_with(|c: char| c.is_alphanumeric() || "_:".contains(c)) {
            continue;
        }
        let rest = &code[position..];
        let is_segment = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let len = rest.find(|c| !is_segment(c)).unwrap_or(rest.len());
        let is_list = rest[len..].starts_with('{');
        let len = if is_list { rest.find(';') } else { Some(len) };
        add_paths(&rest[..len.expect("the end of a list")], &[], &mut paths);
    }
    paths
}

/// The module of a file, as a path from `crate` on.
fn module(name: &str) -> Vec<&str> {
    let path = name.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').collect()
}

/// The modules that each module uses, but for those that it lies in. A module uses those that it declares.
fn modules_used(sources: &[(Vec<&str>, &str)]) -> BTreeMap<String, BTreeSet<String>> {
    let known: BTreeSet<&[&str]> = sources.iter().map(|(module, _)| &module[..]).collect();
    let used_by = |(module, code): &(Vec<&str>, &str)| {
        let paths = paths(code);
        let mut used = BTreeSet::new();
        for path in &paths {
            let mut path = path.iter().map(String::as_str).peekable();
            let mut from: Vec<&str> = match path.next() {
                Some("crate") => Vec::new(),
                Some("super") => module[..module.len() - 1].to_vec(),
                _ => module.clone(),
            };
            while path.next_if_eq(&"super").is_some() {
                from.pop();
            }
            from.extend(path);
            let known_part = (1..=from.len()).rev().map(|len| &from[..len]);
            let module_used = known_part.into_iter().find(|part| known.contains(part));
            used.extend(module_used.map(<[&str]>::to_vec));
        }
        let declared = sources.iter().map(|(other, _)| other);
        let declared = declared.filter(|other| other[..other.len() - 1] == module[..]);
        used.extend(declared.cloned());
        used.retain(|other| !module.starts_with(other));
        used.iter().map(|other| other.join("/")).collect()
    };
    let each = sources.iter();
    each.map(|source| (source.0.join("/"), used_by(source)))
        .collect()
}

/// Returns the modules that remain if those that use none of the others, or are used by none, are removed.
fn circles(mut used: BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    loop {
        let remaining = used.len();
        let users: BTreeSet<String> = used.keys().cloned().collect();
        used.values_mut()
            .for_each(|used| used.retain(|module| users.contains(module)));
        let targets: BTreeSet<String> = used.values().flatten().cloned().collect();
        used.retain(|module, used| !used.is_empty() && targets.contains(module));
        if used.len() == remaining {
            return used.into_keys().collect();
        }
    }
}

#[test]
fn files_use_one_another_in_no_circle() {
    let sources = sources();
    let files = sources.iter();
    let files: Vec<_> = files
        .map(|source| (module(&source.name), source.code.as_str()))
        .collect();
    assert_eq!(circles(modules_used(&files)), Vec::<String>::new());
}

#[test]
fn circles_of_files_are_found() {
    let files = |last: &'static str| {
        let files = [
            ("a/mod.rs", "mod b; pub(crate) use self::b::B;"),
            ("a/b.rs", "use super::{A, c::{C, D}}; use crate::d;"),
            ("a/c.rs", "fn f() { super::super::e::f() }"),
            ("d.rs", "pub struct D;"),
            ("e.rs", last),
        ];
        circles(modules_used(
            &files.map(|(name, code)| (module(name), code)),
        ))
    };
    assert_eq!(files("use crate::d::D;"), Vec::<String>::new());
    assert_eq!(files("use crate::{a::b::B, d};"), ["a/b", "a/c", "e"]);
    assert_eq!(files("use crate::a::A;"), ["a", "a/b", "a/c", "e"]);
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

#[test]
fn the_map_of_the_kernel_names_each_part() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let parts: BTreeSet<String> = fs::read_dir(root.join("src/kernel"))
        .expect("the kernel")
        .map(|entry| entry.expect("an entry of a folder").path())
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| !["mod", "tests"].contains(&name.as_str()))
        .collect();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the page");
    let (_, map) = text.split_once("## A map of the kernel").expect("the map");
    let rows = map
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with("## "));
    let first_cells = rows.filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let named: BTreeSet<String> = first_cells
        .flat_map(|cell| cell.split(['`', ' ', '/']))
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    assert_eq!(named, parts);
}

/// The lines that begin blocks of public methods of `Tensor` or `DynTensor` without a heading, `/// # Reductions`, in the documentation
/// before it.
fn blocks_without_heading(text: &str) -> Vec<String> {
    let mut documented = false; // the lines of documentation and attributes before this one have a heading
    let mut unnamed = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let start = line.trim_start();
        let is_typed = start.starts_with("impl<") && start.contains("> Tensor<");
        let is_dynamic = start.starts_with("impl DynTensor {");
        if is_dynamic || is_typed && !start.contains(" for ") {
            let indent = &line[..line.len() - start.len()];
            let end = |line: &&str| !line.starts_with(&format!("{indent}}}"));
            let is_public = lines.by_ref().take_while(end).any(|line| {
                ["pub fn ", "plain!", "$here"]
                    .iter()
                    .any(|public| line.contains(public))
            });
            if is_public && !documented {
                unnamed.push(line.to_string());
            }
        }
        let continues = start.starts_with("//") || start.starts_with("#[");
        documented =
            start.starts_with("/// # ") || start == "#[doc(hidden)]" || documented && continues;
    }
    unnamed
}

#[test]
fn blocks_of_methods_have_headings() {
    let (named, unnamed) = ("/// # Sums\n", "/// Sums.\n#[rustfmt::skip]\n");
    let block = "impl<D, N> Tensor<D, N> {\n    pub fn sum(&self) {}\n}\n";
    assert_eq!(blocks_without_heading(&[named, block].concat()).len(), 0);
    assert_eq!(
        blocks_without_heading(&[named, block, unnamed, block].concat()).len(),
        1
    );

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    files_below(&root, &mut files);
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file of the library");
        let unnamed = blocks_without_heading(&text).into_iter();
        found.extend(unnamed.map(|line| (file.clone(), line)));
    }
    assert_eq!(
        found,
        [],
        "rustdoc lists these methods without a heading: write `/// # ..` before the block"
    );
}
