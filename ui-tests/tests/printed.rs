//! Each text that the library gives the compiler for its messages is printed by a program that a test compiles: those of
//! `on_unimplemented` and of `compile_error!`, and those of the groups of operations, of which `promotion_rules!` makes traits.

use std::fs;
use std::path::{Path, PathBuf};

use supremum_ui_tests::{files, strings};

/// The code that begins a list of texts for messages, up to the bracket that it opens.
const STARTS: [&str; 4] = [
    "on_unimplemented(",
    "compile_error!(",
    "compile_error! {",
    "\ngroups! {",
];

/// The source files of the library and of the language of rules, without their tests.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = vec![root.join("src"), root.join("rules-syntax/src")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the repository") {
            let path = entry.expect("a file").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|rs| rs == "rs") && !path.ends_with("tests.rs") {
                sources.push(path);
            }
        }
    }
    sources.sort();
    sources
}

/// The part of a source behind an opening bracket, up to the bracket that closes it. Brackets in strings are no brackets.
fn inside(source: &str) -> &str {
    let (mut depth, mut in_string, mut escaped) = (0, false, false);
    for (at, c) in source.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' if depth == 0 => return &source[..at],
            ')' | '}' | ']' => depth -= 1,
            _ => {}
        }
    }
    panic!("a bracket that is not closed: {source:.60}")
}

/// The texts of messages in a source.
fn texts(source: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for start in STARTS {
        for rest in source.split(start).skip(1) {
            texts.extend(strings(inside(rest)));
        }
    }
    texts
}

/// Returns whether a line ends in a text with these parts, as the lines of messages, labels and notes do.
fn ends_in(line: &str, parts: &[&str]) -> bool {
    let (last, first) = parts.split_last().expect("a part");
    let Some(mut rest) = line.strip_suffix(last) else {
        return false;
    };
    first.iter().rev().all(|part| match rest.rsplit_once(part) {
        Some((before, _)) => {
            rest = before;
            true
        }
        None => false,
    })
}

/// Returns whether a line prints a text. After a semicolon a note may go on.
fn prints(line: &str, parts: &[&str]) -> bool {
    let ends = line.match_indices(';').map(|(at, _)| at);
    ends.chain([line.len()])
        .any(|end| ends_in(&line[..end], parts))
}

/// The parts of a text between its placeholders, as in `{Self}`.
fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in text.split('{') {
        parts.push(part.split_once('}').map_or(part, |(_, after)| after));
    }
    parts
}

#[test]
fn every_text_is_printed() {
    let printed: Vec<_> = files("fail", "stderr")
        .into_iter()
        .chain(files("lacking", "stderr"))
        .map(|(_, path)| fs::read_to_string(path).expect("a message"))
        .collect();
    let (mut missing, mut count) = (Vec::new(), 0);
    for path in sources() {
        let source = fs::read_to_string(&path).expect("a source file");
        for text in texts(&source) {
            let parts = parts(&text);
            let lines = |message: &String| message.lines().any(|line| prints(line, &parts));
            if !printed.iter().any(lines) {
                missing.push(format!("{}: {text}", path.display()));
            }
            count += 1;
        }
    }
    assert!(
        missing.is_empty(),
        "write programs to `tests/<theme>/fail` whose messages have these texts:\n{}",
        missing.join("\n")
    );
    assert!(count > 500, "{count} texts");
}

/// The lines of messages, labels and notes that the test finds, and those that it does not.
#[test]
fn texts_are_found() {
    let source =
        r#"#[on_unimplemented(message = "`{Self}` is no (`{R}`)", note = "a note")] trait T {}"#;
    let found = texts(source);
    assert_eq!(found, ["`{Self}` is no (`{R}`)", "a note"]);
    let message = parts(&found[0]);
    assert!(ends_in("error[E0277]: `F32` is no (`Jax`)", &message));
    assert!(!ends_in(
        "error[E0277]: `F32` is no (`Jax`) of them",
        &message
    ));
    assert!(!ends_in("error[E0277]: `F32` is a (`Jax`)", &message));
}
