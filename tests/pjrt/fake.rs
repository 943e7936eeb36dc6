//! Compiles `fake_plugin.rs`.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, OnceLock};

use supremum::Error;
use supremum::pjrt::Plugin;

/// The number of functions in the table of API 0.81.
pub(crate) const ALL: &str = "118";

/// Compiles the fake plugin with this version and number of functions, and returns its file. The folder stays until the process
/// ends, because plugins are not unloaded.
pub(crate) fn compiled(version: (i32, i32), slots: &str) -> PathBuf {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    static COMPILING: Mutex<()> = Mutex::new(());
    let folder = FOLDER.get_or_init(|| tempfile::tempdir().expect("a folder"));
    let name = format!(
        "fake_{}_{}_{slots}{}",
        version.0,
        version.1,
        std::env::consts::DLL_SUFFIX
    );
    let file = folder.path().join(name);
    let _lock = COMPILING.lock().unwrap_or_else(|error| error.into_inner());
    if file.exists() {
        return file;
    }
    // Beside the Cargo that built this test, there is the compiler.
    let rustc = PathBuf::from(env!("CARGO")).with_file_name("rustc");
    let output = Command::new(rustc)
        .args([
            "--edition=2024",
            "--crate-type=cdylib",
            "--crate-name=fake_plugin",
        ])
        .args(["-A", "unsafe_op_in_unsafe_fn", "-C", "prefer-dynamic=no"])
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/pjrt/fake_plugin.rs"
        ))
        .arg("-o")
        .arg(&file)
        .env("MAJOR", version.0.to_string())
        .env("MINOR", version.1.to_string())
        .env("SLOTS", slots)
        .output()
        .expect("the compiler");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    file
}

/// Loads the fake plugin with this version and number of functions.
#[allow(unsafe_code, reason = "loads a plugin")]
pub(crate) fn loaded(version: (i32, i32), slots: &str) -> Result<Plugin, Error> {
    // SAFETY: the file was just made of `fake_plugin.rs`, which does nothing.
    unsafe { Plugin::load(compiled(version, slots)) }
}
