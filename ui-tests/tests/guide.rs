//! The page "Reading the compiler" and the README quote what the compiler says, and leave nothing out.

use std::fs;
use std::path::{Path, PathBuf};

use supremum_ui_tests::{files, own_words};

const PAGE: &str = "docs/reading-the-compiler.md";
const README: &str = "README.md";
const LITERALS: &str = "docs/literals-and-weak-types.md";
const PIN: &str = "docs/pin-your-dtypes.md";
/// The folders whose messages the page explains; those of `rules`, `stablehlo` and `pjrt` are not on it.
const THEMES: [&str; 8] = [
    "promotion",
    "operations",
    "tensors",
    "dynamic",
    "literals",
    "fuse",
    "records",
    "features",
];

fn read(path: &Path) -> String {
    let text = fs::read_to_string(path);
    text.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
        .replace("\r\n", "\n")
}

/// A file of the repository.
fn repository(path: &str) -> String {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path))
}

/// The files with this extension under the `fail` of a theme.
fn failures(theme: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(theme)
        .join("fail");
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{theme}: {error}"));
    let mut files: Vec<_> = files
        .map(|file| file.expect("a file of the folder").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    files.sort();
    assert!(!files.is_empty(), "no .{extension} in {}", folder.display());
    files
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .expect("a file")
        .to_string_lossy()
        .into_owned()
}

/// The fenced blocks of a page that begin as a message does.
fn quoted_messages(page: &str) -> Vec<&str> {
    let blocks = page.split("```text\n").skip(1);
    blocks
        .map(|block| block.split("\n```").next().unwrap_or(block))
        .filter(|block| block.starts_with("error"))
        .collect()
}

/// The example has copies, because the UI tests are not in the published package.
#[test]
fn the_mistake_of_the_example_is_that_of_a_ui_test() {
    let mistake = "ui-tests/tests/promotion/fail/counts_and_weights_lose_precision";
    for extension in ["rs", "stderr"] {
        let copy = format!("examples/digits/mistake.{extension}");
        let original = format!("{mistake}.{extension}");
        assert_eq!(
            repository(&copy),
            repository(&original),
            "copy {original} to {copy}"
        );
    }
}

/// The messages of `examples/pinned` are tested in a workspace of its own, which takes a minute. This finds words that have changed.
#[test]
fn notes_of_the_pinned_example_are_those_of_ui_tests() {
    let messages = files("fail", "stderr").into_iter();
    let messages: Vec<_> = messages.map(|(_, path)| read(&path)).collect();
    let pinned = own_words(&repository("examples/pinned/ui/counts_need_a_cast.stderr"));
    let is_note = |line: &&str| line.starts_with("  = note: ");
    let notes: Vec<_> = pinned.lines().filter(is_note).collect();
    assert!(!notes.is_empty(), "a note of ours");
    for note in notes {
        assert!(
            messages.iter().any(|message| message.contains(note)),
            "run the test of examples/pinned with TRYBUILD=overwrite: no message has\n{note}"
        );
    }
}

#[test]
fn every_quoted_message_is_what_the_compiler_says() {
    let messages: Vec<String> = THEMES
        .iter()
        .flat_map(|theme| failures(theme, "stderr"))
        .map(|path| read(&path))
        .collect();
    for (name, least) in [(PAGE, 10), (README, 1), (LITERALS, 1), (PIN, 2)] {
        let page = repository(name);
        let quoted = quoted_messages(&page);
        assert!(
            quoted.len() >= least,
            "only {} messages found in {name}; are they still in blocks that begin with ```text?",
            quoted.len()
        );
        let stale: Vec<_> = quoted
            .iter()
            .filter(|quote| !messages.iter().any(|message| message.contains(**quote)))
            .copied()
            .collect();
        assert!(
            stale.is_empty(),
            "update {name}: these messages are in no `ui-tests/tests/*/fail/*.stderr` any more; copy \
             the new text from the file that the `-->` line names, and read whether the words around \
             it still hold:\n\n{}\n",
            stale.join("\n\n")
        );
    }
}

#[test]
fn every_tested_mistake_is_on_the_page() {
    let page = repository(PAGE);
    let missing: Vec<_> = THEMES
        .iter()
        .flat_map(|theme| {
            failures(theme, "rs")
                .into_iter()
                .map(move |path| (theme, path))
        })
        .filter(|(theme, path)| {
            let name = stem(path);
            let quoted = format!("--> tests/{theme}/fail/{name}.rs:");
            let listed = format!("| `{name}` | {theme} |");
            !page.contains(&quoted) && !page.contains(&listed)
        })
        .map(|(theme, path)| format!("| `{}` | {theme} | .. |", stem(&path)))
        .collect();
    assert!(
        missing.is_empty(),
        "update {PAGE}: these UI tests are neither quoted nor listed; quote their `.stderr` in a \
         section, or add to the table at the end:\n\n{}\n",
        missing.join("\n")
    );
}

#[test]
fn every_listed_program_exists() {
    let page = repository(PAGE);
    let gone: Vec<_> = page
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("| `")?.split('|');
            let name = cells.next()?.trim().strip_suffix('`')?;
            let theme = cells.next()?.trim();
            THEMES.contains(&theme).then_some((name, theme))
        })
        .filter(|(name, theme)| !failures(theme, "rs").iter().any(|path| stem(path) == *name))
        .map(|(name, theme)| format!("{theme}/fail/{name}.rs"))
        .collect();
    assert!(
        gone.is_empty(),
        "update {PAGE}: its last table names UI tests that are gone: {}",
        gone.join(", ")
    );
}
