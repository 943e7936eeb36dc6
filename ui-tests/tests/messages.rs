//! What the compiler says about mistakes with tensors and in rule sets.

use std::sync::Once;

/// The programs of a theme do not compile, each for the reasons in its `.stderr`.
fn fail(theme: &str) {
    static FLAGS: Once = Once::new();
    FLAGS.call_once(same_flags);
    trybuild::TestCases::new().compile_fail(format!("tests/{theme}/fail/*.rs"));
}

/// Has `trybuild` compile dependencies with the flags that it compiles programs with. By default the two differ in
/// `--diagnostic-width`, so that the library and all that it depends on are checked twice.
#[allow(unsafe_code, reason = "`trybuild` takes no flags")]
fn same_flags() {
    let flags = "--cfg trybuild --verbose -A dead_code --diagnostic-width=140";
    // SAFETY: on systems other than Windows no other thread may read or write the environment meanwhile but by `std::env`, which
    // locks it. This process consists of tests that call `trybuild`, which uses `std` only.
    unsafe { std::env::set_var("CARGO_ENCODED_RUSTFLAGS", flags.replace(' ', "\x1f")) };
}

#[test]
fn promotion() {
    fail("promotion");
}

#[test]
fn operations() {
    fail("operations");
}

#[test]
fn fuse() {
    fail("fuse");
}

#[test]
fn tensors() {
    fail("tensors");
}

#[test]
fn dynamic() {
    fail("dynamic");
}

#[test]
fn stablehlo() {
    fail("stablehlo");
}

#[test]
fn pjrt() {
    fail("pjrt");
}

/// Messages at operators are short. (Those at methods are longer by rustc's own note on where the
/// bound stands, those of generic code by its proposal of a bound.)
#[test]
fn messages_at_operators_take_ten_lines_at_most() {
    let mut short = 0;
    for theme in ["promotion", "operations"] {
        let folder = format!("{}/tests/{theme}/fail", env!("CARGO_MANIFEST_DIR"));
        for entry in std::fs::read_dir(folder).expect("a folder of tests") {
            let path = entry.expect("a file").path();
            if path
                .extension()
                .is_none_or(|extension| extension != "stderr")
            {
                continue;
            }
            let message = std::fs::read_to_string(&path).expect("a message");
            if message.contains("required by a bound in") || message.contains("\nhelp: ") {
                continue;
            }
            assert!(message.lines().count() <= 10, "{}", path.display());
            short += 1;
        }
    }
    assert!(short >= 12, "{short} messages at operators");
}

/// What no message shows: a path that is not public, a list of impls, and a type too long for the message.
#[test]
fn messages_show_nothing_private() {
    let themes = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
    let mut shown = Vec::new();
    let mut messages = 0;
    for theme in themes.expect("the folder of themes") {
        let Ok(programs) = std::fs::read_dir(theme.expect("a theme").path().join("fail")) else {
            continue;
        };
        for program in programs {
            let path = program.expect("a file").path();
            if path.extension().is_none_or(|found| found != "stderr") {
                continue;
            }
            messages += 1;
            let message = std::fs::read_to_string(&path).expect("a message");
            for private in ["__private", "other types implement", "long-type"] {
                if message.contains(private) {
                    shown.push(format!("{}: {private}", path.display()));
                }
            }
        }
    }
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    assert!(messages > 150, "{messages} messages");
}

#[test]
fn literals() {
    fail("literals");
}

#[test]
fn records() {
    fail("records");
}

#[test]
fn rules() {
    fail("rules");
}
