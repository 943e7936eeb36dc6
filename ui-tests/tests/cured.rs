//! The programs of the mistakes, each changed as its message proposes: `tests/<theme>/cured/x.rs` is `tests/<theme>/fail/x.rs` with
//! the cure applied, `x-2.rs` with another one that the same message proposes. They compile and run, and what they add stands in
//! the message.

#![allow(
    unused,
    clippy::all,
    clippy::as_conversions,
    reason = "programs of mistakes, each about one thing"
)]

use std::fs;
use std::path::{Path, PathBuf};

// The modules that `build.rs` lists.
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
        "tensors/a_file_is_read_by_a_type",
        "the features of this crate's library have no files",
    ),
    (
        "tensors/a_file_is_written_by_its_format",
        "the features of this crate's library have no files",
    ),
    (
        "tensors/files_of_several_tensors_need_a_feature",
        "the cure is written in Cargo.toml",
    ),
    (
        "tensors/random_numbers_are_named_otherwise",
        "the features of this crate's library have no random numbers",
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

/// The files of a folder of each theme with this extension, with the theme.
fn files(folder: &str, extension: &str) -> Vec<(String, PathBuf)> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files = Vec::new();
    for theme in fs::read_dir(tests).expect("the folder of themes") {
        let theme = theme.expect("a theme");
        let Ok(entries) = fs::read_dir(theme.path().join(folder)) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|found| found == extension) {
                files.push((theme.file_name().to_string_lossy().into_owned(), path));
            }
        }
    }
    files.sort();
    files
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().expect("a name");
    stem.to_string_lossy().into_owned()
}

/// The name of the mistake that a program cures: without its number.
fn mistake(cured: &Path) -> String {
    let name = stem(cured);
    name.split('-').next().expect("a name").to_owned()
}

/// Words, numbers and single punctuation marks of a program or message.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let of_word = |c: char| c.is_alphanumeric() || c == '_';
            let length = match first {
                _ if of_word(first) => rest.find(|c| !of_word(c)).unwrap_or(rest.len()),
                '.' if rest.starts_with("..") => 2,
                _ => first.len_utf8(),
            };
            let (token, after) = rest.split_at(length);
            if !first.is_whitespace() {
                tokens.push(token);
            }
            rest = after;
        }
    }
    tokens
}

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

/// A program without its comments, and without its imports, which follow from the names in it.
fn without_imports(program: &str) -> String {
    let code = |line| str::split(line, "//").next();
    let program: Vec<_> = program.lines().filter_map(code).collect();
    let program = program.join("\n");
    let mut rest = program.as_str();
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("use supremum::") {
        kept.push_str(before);
        rest = after.split_once(';').expect("the end of an import").1;
    }
    kept + rest
}

/// Whether a message says this, from `at` on; `..` in a message is for the reader to fill in.
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

/// Whether an insertion stands in the message: as a whole, or each of its words does, or stood in the program already.
fn says(message: &[&str], program: &[&str], run: &[&str]) -> bool {
    let is_word = |token: &&&str| token.chars().all(|c| c.is_alphanumeric() || c == '_');
    run.iter()
        .filter(is_word)
        .all(|word| message.contains(word) || program.contains(word))
        || (0..message.len()).any(|at| message[at] != ".." && says_at(&message[at..], run))
}

/// A message without the lines that rustc writes about its traits and about our code.
fn own_words(message: &str) -> String {
    let of_rustc = |line: &&str| {
        let line = line.trim_start();
        let text = line.trim_start_matches("= ");
        !(text.starts_with("help: the trait")
            || text.starts_with("help: the following")
            || text.starts_with("note: required")
            || text.starts_with("note: this error originates"))
    };
    let lines: Vec<_> = message.lines().filter(of_rustc).collect();
    lines.join("\n")
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
        let cure = without_imports(&fs::read_to_string(path).expect("a program"));
        let program = without_imports(&program);
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
    let cured: Vec<_> = files("cured", "rs")
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
