//! The programs of the mistakes, each changed as its message proposes: `tests/<theme>/cured/x.rs` is `tests/<theme>/fail/x.rs` with
//! the cure applied, `x-2.rs` with another one that the same message proposes. They compile and run, and what they add stands in
//! the message. `tests/<theme>/applied/x.rs` applies code of the message, too, in a setting that the mistake does not have: generic
//! code, a variable, another operand. It compiles and runs. The library's test program `files` compiles those under
//! `tests/<theme>/featured`, and all under `tests/features`, with features that the library of this crate does without.

#![deny(
    warnings,
    reason = "Clippy, for which `.ci/run` denies them, does not see the programs"
)]
#![allow(
    unused,
    clippy::all,
    clippy::as_conversions,
    reason = "programs of mistakes, each about one thing"
)]

use std::fs;

use supremum_ui_tests::{code, files, mistake, own_words, stem, tokens};

// The modules that `build.rs` lists. Clippy would only compile them once more, as no lint of it is on here.
#[cfg(not(clippy))]
include!(concat!(env!("OUT_DIR"), "/cured.rs"));

/// The programs whose message proposes a cure that no test applies, with the reason.
const NOT_APPLIED: &[(&str, &str)] = &[
    (
        "dynamic/a_listed_dtype_cannot_run_the_code",
        "the words are those of the program",
    ),
    (
        "fuse/a_string_is_no_operand",
        "a string has no elements, and no rules to move",
    ),
    (
        "pjrt/a_value_on_the_device_has_a_dtype",
        "a value on the device is converted by a program",
    ),
    (
        "records/files_need_a_feature",
        "the cure is written in Cargo.toml",
    ),
    (
        "records/two_fields_have_one_name",
        "it does not know the names in the file",
    ),
    (
        "tensors/files_of_several_tensors_need_a_feature",
        "the cure is written in Cargo.toml",
    ),
    (
        "tensors/random_numbers_need_a_feature",
        "the cure is written in Cargo.toml",
    ),
    (
        "tensors/the_prelude_has_the_common_names",
        "the proposal is rustc's; the second import goes",
    ),
    (
        "rules/rules_are_like_rules_that_cannot_be_extended",
        "the proposal is rustc's",
    ),
];

/// The words by which a message proposes something: verbs in the imperative, and an example in code.
const PROPOSING: &[&str] = &[
    "add", "apply", "cast", "change", "choose", "compare", "compute", "connect", "convert",
    "divide", "evaluate", "follow", "give", "instead", "keep", "leave", "make", "mark", "move",
    "multiply", "name", "remove", "say", "state", "states", "take", "use", "write", "e.g", "as in",
];

/// What the second text has that the first has not: runs of tokens between those of a longest common subsequence.
fn inserted<'a>(before: &[&'a str], after: &[&'a str]) -> Vec<Vec<&'a str>> {
    let mut common = vec![vec![0; after.len() + 1]; before.len() + 1];
    for (i, b) in before.iter().enumerate().rev() {
        for (j, a) in after.iter().enumerate().rev() {
            common[i][j] = match a == b {
                true => common[i + 1][j + 1] + 1,
                false => common[i + 1][j].max(common[i][j + 1]),
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut runs = vec![Vec::new()];
    while j < after.len() {
        if i < before.len() && before[i] == after[j] {
            (i, j) = (i + 1, j + 1);
            runs.push(Vec::new());
        } else if i < before.len() && common[i + 1][j] >= common[i][j + 1] {
            i += 1;
        } else {
            runs.last_mut().expect("a run").push(after[j]);
            j += 1;
        }
    }
    runs.into_iter().filter(|run| !run.is_empty()).collect()
}

/// Returns whether a message begins with these tokens. `..` in a message stands for tokens that the reader fills in.
fn says_at(message: &[&str], run: &[&str]) -> bool {
    match (message, run) {
        (_, []) => true,
        ([], _) => false,
        (["..", message @ ..], _) => {
            (0..=run.len().min(12)).any(|filled| says_at(message, &run[filled..]))
        }
        ([word, message @ ..], [token, run @ ..]) => word == token && says_at(message, run),
    }
}

/// Returns whether the message contains an insertion as a whole, or each of its tokens occurs in the message or in the original program.
fn says(message: &[&str], program: &[&str], run: &[&str]) -> bool {
    run.iter()
        .all(|token| message.contains(token) || program.contains(token))
        || (0..message.len()).any(|at| message[at] != ".." && says_at(&message[at..], run))
}

#[test]
fn what_a_cure_adds_stands_in_the_message() {
    let mut faults = Vec::new();
    let cured = files("cured", "rs");
    for (theme, path) in &cured {
        let name = mistake(path);
        let read = |extension: &str| {
            let file = path.with_file_name(format!("../fail/{name}.{extension}"));
            fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
        };
        let (program, message) = (read("rs"), own_words(&read("stderr")));
        let cure = code(&fs::read_to_string(path).expect("a program"));
        let program = code(&program);
        let (said, before, after) = (tokens(&message), tokens(&program), tokens(&cure));
        if before == after {
            faults.push(format!("{theme}/{name}: the same program"));
        }
        for run in inserted(&before, &after) {
            if !says(&said, &before, &run) {
                faults.push(format!("{theme}/{}: `{}`", stem(path), run.join(" ")));
            }
        }
    }
    assert!(
        faults.is_empty(),
        "these insertions stand in no message:\n{}",
        faults.join("\n")
    );
    assert!(cured.len() > 100, "{} cures", cured.len());
}

#[test]
fn every_proposed_cure_is_applied() {
    let cured: Vec<_> = ["cured", "applied", "featured"]
        .map(|folder| files(folder, "rs"))
        .concat()
        .iter()
        .map(|(theme, path)| format!("{theme}/{}", mistake(path)))
        .collect();
    let mut missing = Vec::new();
    let mut listed = 0;
    for (theme, path) in files("fail", "stderr") {
        let message = own_words(&fs::read_to_string(&path).expect("a message"));
        let words = tokens(&message).join(" ");
        let proposes = PROPOSING
            .iter()
            .map(|word| tokens(word).join(" "))
            .any(|word| format!(" {words} ").contains(&format!(" {word} ")));
        let name = format!("{theme}/{}", stem(&path));
        let is_listed = NOT_APPLIED.iter().any(|(listed, _)| *listed == name);
        listed += usize::from(is_listed);
        if proposes && !is_listed && !cured.contains(&name) {
            missing.push(name);
        } else if is_listed && cured.contains(&name) {
            missing.push(format!("{name} (is cured, and need not be listed)"));
        }
    }
    assert!(
        missing.is_empty(),
        "write a program with the cure to `tests/<theme>/cured`, or list it with the reason:\n{}",
        missing.join("\n")
    );
    assert_eq!(listed, NOT_APPLIED.len(), "a listed program is gone");
}
