//! What the compiler says about mistakes with files, arrays of `ndarray` and random numbers.
//!
//! The other messages are tested in `ui-tests/`, whose build of the library has none of these features, because it tests the messages
//! that name a feature which is off. With the features it would take 45 seconds of CPU time more: 23 to build them, and 22 for `trybuild`,
//! which checks the library and all that it depends on once more. This program has the features. So `rustc` gets each program and
//! the library beside this program, and takes a tenth of a second. `ui-tests/tests/features/` has mistakes and their cures, and the folders
//! `featured` of other themes have programs that apply code of their messages.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The crates that the programs use.
struct Crates {
    folder: PathBuf,
    supremum: PathBuf,
    ndarray: PathBuf,
}

impl Crates {
    /// Finds the newest builds with all features. The folder may have others, of other features.
    fn find() -> Self {
        let program = env::current_exe().expect("this program");
        let folder = program.parent().expect("its folder");
        let probe = Path::new(env!("CARGO_TARGET_TMPDIR")).join("probe.rs");
        let uses = "use supremum::{F32, NpzFile, Rank1, SafeTensorsFile, Tensor, rand};
            pub fn f(a: ndarray::Array1<f32>) { let _ = Tensor::<F32, Rank1>::from_ndarray(a); }
            fn main() {}";
        fs::write(&probe, uses).expect("a folder for tests");
        for supremum in builds(folder, "supremum") {
            for ndarray in builds(folder, "ndarray") {
                let crates = Self {
                    folder: folder.into(),
                    supremum: supremum.clone(),
                    ndarray,
                };
                if crates.compile(&probe).is_ok() {
                    return crates;
                }
            }
        }
        panic!("no build of the library beside {}", program.display());
    }

    /// Compiles a program, or returns what the compiler says.
    fn compile(&self, program: &Path) -> Result<(), String> {
        let external = |name: &str, file: &Path| format!("{name}={}", file.display());
        let output = Command::new("rustc")
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/ui-tests"))
            .args([
                "--edition",
                "2024",
                "--cap-lints",
                "allow",
                "--emit",
                "metadata",
            ])
            .args(["--diagnostic-width", "140", "--color", "never", "--out-dir"])
            .arg(env!("CARGO_TARGET_TMPDIR"))
            .args(["--extern", &external("supremum", &self.supremum)])
            .args(["--extern", &external("ndarray", &self.ndarray)])
            .args(["-L", &external("dependency", &self.folder)])
            .arg(program)
            .output()
            .expect("rustc");
        match output.status.success() {
            true => Ok(()),
            false => Err(String::from_utf8(output.stderr).expect("text")),
        }
    }
}

/// The builds of a crate in a folder, the newest first.
fn builds(folder: &Path, name: &str) -> Vec<PathBuf> {
    let prefix = format!("lib{name}-");
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let entry = entry.expect("an entry");
        let file = entry.file_name().to_string_lossy().into_owned();
        if file.starts_with(&prefix) && file.ends_with(".rlib") {
            let modified = entry.metadata().and_then(|data| data.modified());
            found.push((modified.expect("a time"), entry.path()));
        }
    }
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

/// The message without what depends on the version of a dependency or the lines of the library: the quotes below a `note` or `help` of its
/// own, and the count of errors at the end.
fn normalised(message: &str) -> String {
    let mut lines = Vec::new();
    let mut quotes = false;
    for line in message.lines() {
        if line.starts_with("error: aborting") {
            break;
        }
        let starts = line.starts_with(|first: char| first.is_ascii_lowercase());
        if starts || line.is_empty() || line.trim_start().starts_with("= ") {
            quotes = line.starts_with("note: ") || line.starts_with("help: ");
        } else if quotes {
            continue;
        }
        lines.push(line.trim_end());
    }
    format!("{}\n", lines.join("\n").trim_end())
}

/// The programs in folders of a name, one for each theme, relative to `ui-tests/`.
fn programs(themes: &[&str], folder: &str) -> Vec<PathBuf> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("ui-tests");
    let mut programs = Vec::new();
    for theme in themes {
        let folder = Path::new("tests").join(theme).join(folder);
        for entry in fs::read_dir(tests.join(&folder)).expect("a folder of programs") {
            programs.push(folder.join(entry.expect("an entry").file_name()));
        }
    }
    programs.retain(|path| path.extension().is_some_and(|found| found == "rs"));
    programs.sort();
    programs
}

#[test]
fn mistakes_have_their_messages_and_cures_compile() {
    let crates = Crates::find();
    let mut faults = Vec::new();
    let mistakes = programs(&["features"], "fail");
    assert!(mistakes.len() >= 15, "{mistakes:?}");
    for program in &mistakes {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("ui-tests")
            .join(program)
            .with_extension("stderr");
        let message = match crates.compile(program) {
            Ok(()) => String::from("it compiles\n"),
            Err(message) => normalised(&message),
        };
        if env::var_os("SUPREMUM_BLESS").is_some() {
            fs::write(&file, &message).expect("a file of the repository");
        }
        let expected = fs::read_to_string(&file).unwrap_or_default();
        if message != expected {
            faults.push(format!(
                "{}: expected\n{expected}\nfound\n{message}",
                program.display()
            ));
        }
    }
    let cured = programs(&["features"], "cured");
    let featured = programs(
        &["features", "literals", "operations", "tensors"],
        "featured",
    );
    for program in cured.iter().chain(&featured) {
        if let Err(message) = crates.compile(program) {
            faults.push(message);
        }
    }
    assert!(
        faults.is_empty(),
        "SUPREMUM_BLESS=1 writes the messages again:\n{}",
        faults.join("\n")
    );
}
