//! The messages of the library and of its macros name items as a program with the prelude can write them: those outside of it by their
//! path, because rustc 1.95 proposes no `use` for items of other crates.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use supremum::DType;
use supremum_ui_tests::strings;

/// The items outside of the prelude that messages name.
mod named {
    #![allow(unused_imports, reason = "that they are found is the test")]

    use supremum::operations::{ArgMinMax, Sum};
    use supremum::rank::{
        AddAxis, Broadcast, HasMatrices, MatrixProduct, MayBe, RemoveAxis, TakeAxis,
    };
    use supremum::stablehlo::input;
    use supremum::{
        AccumulatesIn, EqDType, FitsLiteral, FloatDType, IntegerDType, NpzFile, NumpyUfunc,
        PadMode, PoolPadding, RealDType, SafeTensorsFile, SamePadding, Scalar, StaticVerdict,
        StrongDType, Verdict, assert_refused, einsum, literal, promotion_rules, s,
        try_promote_unsafe,
    };
}

/// Names that are no items of the library, or need no import where the message says them.
const OTHER_NAMES: &[&str] = &[
    // Of Rust.
    "Clone",
    "Debug",
    "Eq",
    "Err",
    "From",
    "Hash",
    "Mul",
    "None",
    "Ok",
    "Option",
    "Ord",
    "Output",
    "PartialEq",
    "Result",
    "Self",
    "Some",
    "VERDICT",
    "Vec",
    "crate",
    "f32",
    "f64",
    "for",
    "i64",
    "let",
    "std",
    // Of the standard library, in messages about sources of tensors.
    "BTreeMap",
    "String",
    // Of the program, or of an example.
    "F33",
    "Layer",
    "Mine",
    "Other",
    "Reason",
    "f",
    // Crates, which messages name.
    "other",
    "rand",
    // Of `ndarray`, in messages about its arrays.
    "Array2",
    "ArrayD",
    "Ix0",
    "Ix6",
    "IxDyn",
    // What the message of `assert_promotes!` has in place of a dtype if the rules refuse.
    "NoCommonDType",
    "Unsafe",
    // Words of the languages of macros, and names that a program has written that gets the message.
    "Float",
    "NewAxis",
    "PowKeepsBase",
    "Power",
    "_axis",
    "fuse_backend",
    "literal",
    // Of a feature that is off in this crate.
    "rng",
    // A macro that shows itself.
    "einsum",
];

/// The files whose strings are messages of the compiler. Those of the list of dtypes are documentation.
fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<_> = ["src", "macros/src", "rules-syntax/src"]
        .map(|folder| root.join(folder))
        .into();
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("a file").path();
            let is_test = path.ends_with("tests") || path.ends_with("tests.rs");
            if path.is_dir() && !is_test && !path.ends_with("snapshots") {
                folders.push(path);
            } else if path.extension().is_some_and(|rs| rs == "rs")
                && !is_test
                && !path.ends_with("rules-syntax/src/dtypes.rs")
            {
                let text = fs::read_to_string(&path).expect("a source file");
                let of_compiler = [
                    "on_unimplemented",
                    "compile_error!",
                    "other_names!",
                    "syn::Error",
                ];
                if of_compiler.iter().any(|word| text.contains(word))
                    || !folder.starts_with(root.join("src"))
                {
                    sources.push((path, text));
                }
            }
        }
    }
    sources
}

/// The code in a message: what stands between backticks, without its own strings.
fn code(message: &str) -> impl Iterator<Item = String> {
    let code = message.split('`').skip(1).step_by(2);
    code.map(|code| code.split('"').step_by(2).collect())
}

/// A name in code, with the path before it. Names of methods and fields, and the placeholders of messages, are none.
fn names(code: &str) -> Vec<(String, String)> {
    let mut names = Vec::new();
    let (mut path, mut last) = (String::new(), ' ');
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let of_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            c if of_word(c) => rest.find(|c| !of_word(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            c => c.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        let next = after.trim_start();
        let is_path = next.starts_with("::") && !next.starts_with("::<");
        let is_item = token.starts_with(|c: char| c.is_ascii_uppercase()) && token.len() > 1
            || next.starts_with('!') && !next.starts_with("!=")
            || next.starts_with('(')
            || next.starts_with("::<");
        if of_word(first) && !first.is_ascii_digit() {
            let in_braces = last == '{' && next.starts_with('}');
            let is_attribute = code[..code.len() - rest.len()].ends_with("#[");
            if !in_braces && !is_attribute && last != '.' && last != '\'' && (is_path || is_item) {
                names.push((path.clone(), token.to_owned()));
            }
            path = if is_path {
                format!("{path}{token}::")
            } else {
                String::new()
            };
        } else if token != "::" {
            path.clear();
        } else if last == '>' {
            path = "_::".to_owned();
        }
        last = if token == ".." {
            ' '
        } else {
            token.chars().last().unwrap_or(' ')
        };
        rest = after;
    }
    names
}

/// The names that `supremum::prelude!()` brings.
fn prelude() -> BTreeSet<String> {
    let prelude = include_str!("../../src/prelude.rs");
    let mut names = BTreeSet::new();
    for imports in ["use $crate::{", "use crate::{", "use crate::fuse::{"] {
        let lists = prelude.split(imports).skip(1);
        for list in lists.filter_map(|list| list.split('}').next()) {
            let words = list.split(|c: char| !c.is_alphanumeric() && c != '_');
            names.extend(words.map(str::to_owned));
        }
    }
    names.extend(DType::ALL.iter().map(|dtype| format!("{dtype:?}")));
    names
}

#[test]
fn messages_write_the_path_of_what_the_prelude_does_not_have() {
    let prelude = prelude();
    let named = include_str!("names.rs");
    let named = named.split("mod named {").nth(1).expect("the module");
    let named = named.split("\n}").next().expect("its end");
    let named: BTreeSet<_> = named
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .collect();
    let (mut faults, mut paths, mut count) = (BTreeSet::new(), BTreeSet::new(), 0);
    for (file, source) in sources() {
        for code in strings(&source).iter().flat_map(|message| code(message)) {
            for (path, name) in names(&code) {
                count += 1;
                if path.starts_with("supremum::") {
                    let known = named.contains(name.as_str())
                        || prelude.contains(&name)
                        || OTHER_NAMES.contains(&name.as_str());
                    let of_type = path.contains(|c: char| c.is_ascii_uppercase());
                    let is_module = code
                        .split(&format!("{path}{name}::"))
                        .nth(1)
                        .is_some_and(|after| !after.starts_with('<'));
                    if !known && !is_module && !of_type {
                        faults.insert(format!(
                            "`{path}{name}` of {} is not in `named`",
                            file.display()
                        ));
                    }
                    paths.insert(name);
                } else if path.is_empty()
                    && (name.len() > 1 || name == "s")
                    && name != "supremum"
                    && !prelude.contains(&name)
                    && !OTHER_NAMES.contains(&name.as_str())
                {
                    faults.insert(format!("{}: `{name}` in `{code}`", file.display()));
                }
            }
        }
    }
    let faults: Vec<_> = faults.into_iter().collect();
    assert!(
        faults.is_empty(),
        "write `supremum::..`:\n{}",
        faults.join("\n")
    );
    assert!(
        count > 500 && paths.len() > 10,
        "{count} names, {} paths",
        paths.len()
    );
}
