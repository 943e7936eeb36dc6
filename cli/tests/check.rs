//! `supremum check` reports what the macro reports: the faults of each program in `ui-tests`, at their places.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

/// The faults in the output of the compiler or of the command: messages, lines and columns. Errors with a code are the
/// compiler's own.
fn faults(text: &str) -> Vec<(String, String)> {
    let lines: Vec<_> = text.lines().collect();
    let found = lines.windows(2).filter_map(|pair| {
        let message = pair[0].strip_prefix("error: ")?;
        let place = pair[1].trim_start().strip_prefix("--> ")?;
        let (_, column) = place.rsplit_once(':')?;
        let (_, line) = place.rsplit_once(':')?.0.rsplit_once(':')?;
        Some((message.to_owned(), format!("{line}:{column}")))
    });
    found.collect()
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ui-tests/tests/rules/fail");
    let entries = fs::read_dir(folder).expect("the programs");
    let mut programs: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    programs.sort();
    programs
}

#[test]
fn faults_are_those_of_the_macro() {
    let mut compared = 0;
    for program in programs() {
        let messages = fs::read_to_string(program.with_extension("stderr")).expect("messages");
        let mut expected = faults(&messages);
        if expected.is_empty() {
            continue; // The compiler's own errors only.
        }
        let output = support::command()
            .arg("check")
            .arg(&program)
            .output()
            .expect("it runs");
        let mut found = faults(&String::from_utf8_lossy(&output.stdout));
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "{}", program.display());
        assert_eq!(output.status.code(), Some(1), "{}", program.display());
        compared += expected.len();
    }
    assert!(compared > 50, "{compared}");
}

#[test]
fn the_rule_sets_of_the_library_have_no_faults() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/rules/systems");
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).expect("the systems") {
        let path = entry.expect("an entry").path();
        if path.ends_with("mod.rs") {
            continue;
        }
        let output = support::command()
            .arg("check")
            .arg(&path)
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{text}");
        let titles = text
            .lines()
            .filter_map(|line| line.split('"').nth(1).map(str::to_owned));
        names.extend(titles);
    }
    names.sort();
    let mut expected: Vec<_> = supremum::RuleSet::builtin()
        .iter()
        .map(|rules| rules.name().to_owned())
        .collect();
    expected.sort();
    assert_eq!(names, expected);
}
