//! Compile errors are part of the API: each file under `tests/<theme>/fail` is a mistake, the
//! `.stderr` beside it what the compiler says about it.
//!
//! The programs under `tests/<theme>/cured` are the mistakes with the cures of their messages applied, and those under
//! `tests/<theme>/applied` apply code of the messages in another setting. The library's test program `files` compiles those under
//! `tests/features` and `tests/<theme>/featured`, which need features that the library of this crate lacks.
//!
//! To accept new messages run with `TRYBUILD=overwrite`, and read the difference.
//!
//! This crate reads the programs and messages for the tests.

use std::fs;
use std::path::{Path, PathBuf};

/// The files of a folder of each theme with this extension, with the theme.
pub fn files(folder: &str, extension: &str) -> Vec<(String, PathBuf)> {
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

/// The name of a file without its extension.
pub fn stem(path: &Path) -> String {
    let stem = path.file_stem().expect("a name");
    stem.to_string_lossy().into_owned()
}

/// The name of the mistake that a program cures: without its number.
pub fn mistake(cured: &Path) -> String {
    let name = stem(cured);
    name.split('-').next().expect("a name").to_owned()
}

/// Words, numbers and single punctuation marks of a program or message.
pub fn tokens(text: &str) -> Vec<&str> {
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

/// Returns the statements of a program, without comments, imports and the `Result` that `main` returns if the code uses `?`. A cure may add
/// these without having to print them.
pub fn code(program: &str) -> String {
    let code = |line| str::split(line, "//").next();
    let program: Vec<_> = program.lines().filter_map(code).collect();
    let program = program.join("\n");
    let mut rest = program.as_str();
    let mut kept = String::new();
    while let Some((before, after)) = rest.split_once("use supremum::") {
        kept.push_str(before);
        rest = after.split_once(';').expect("the end of an import").1;
    }
    (kept + rest)
        .replace("fn main() -> Result<(), Error>", "fn main()")
        .replace("    Ok(())\n", "")
}

/// A message without the lines that rustc writes about its traits and about our code.
pub fn own_words(message: &str) -> String {
    let of_rustc = |line: &&str| {
        let line = line.trim_start();
        let text = line.trim_start_matches("= ");
        !(text.starts_with("help: the trait")
            || text.starts_with("help: the following")
            || text.starts_with("help: implement the missing item")
            || text.starts_with("note: `#[warn(")
            || text.starts_with("note: cannot satisfy")
            || text.starts_with("note: expected")
            || text.starts_with("note: the trait bound")
            || text.contains("doesn't satisfy")
            || text.starts_with("note: required")
            || text.starts_with("note: this error originates"))
    };
    let lines: Vec<_> = message.lines().filter(of_rustc).collect();
    lines.join("\n")
}

/// The string literals of a source file before its tests, without those in comments.
pub fn strings(source: &str) -> Vec<String> {
    let code = source.split("#[cfg(test)]").next().unwrap_or(source);
    let code: Vec<_> = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let code = code.join("\n");
    let mut strings = Vec::new();
    let mut rest = code.as_str();
    while let Some((_, after)) = rest.split_once('"') {
        let mut text = String::new();
        let mut chars = after.char_indices();
        let mut end = after.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    end = at + 1;
                    break;
                }
                '\\' => text.extend(chars.next().map(|(_, escaped)| escaped)),
                c => text.push(c),
            }
        }
        strings.push(text);
        rest = &after[end..];
    }
    strings
}
