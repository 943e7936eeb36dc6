//! What the compiler says about mistakes with tensors and in rule sets.

use std::path::PathBuf;
use std::sync::Once;

/// The programs of a theme do not compile, each for the reasons in its `.stderr`.
fn fail(theme: &str) {
    do_not_compile(&format!("tests/{theme}/fail/*.rs"));
}

/// These programs do not compile, each for the reasons in its `.stderr`.
fn do_not_compile(programs: &str) {
    static FLAGS: Once = Once::new();
    FLAGS.call_once(same_flags);
    trybuild::TestCases::new().compile_fail(programs);
}

/// Has `trybuild` compile dependencies with the flags that it compiles programs with. By default the two differ in
/// `--diagnostic-width`, so that the library and all that it depends on are checked twice. What it builds lies beside what `cargo test`
/// has built, so that procedural macros of others are not compiled again.
#[allow(unsafe_code, reason = "`trybuild` takes no flags")]
fn same_flags() {
    let built = concat!(env!("CARGO_TARGET_TMPDIR"), "/..");
    let flags = "--cfg trybuild --verbose -A dead_code --diagnostic-width=140";
    // SAFETY: on systems other than Windows no other thread may read or write the environment meanwhile but by `std::env`, which
    // locks it. This process consists of tests that call `trybuild`, which uses `std` only.
    unsafe {
        std::env::set_var("CARGO_ENCODED_RUSTFLAGS", flags.replace(' ', "\x1f"));
        std::env::set_var("CARGO_BUILD_BUILD_DIR", built);
        std::env::set_var("CARGO_PROFILE_DEV_DEBUG", "false");
    }
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

/// What `tests/traits.rs` reads. Its proposals have programs in the other themes.
#[test]
fn traits() {
    do_not_compile("tests/traits/lacking/*.rs");
}

/// Every message of a program that fails, with the program's file.
fn messages() -> Vec<(PathBuf, String)> {
    let themes = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests"));
    let mut messages = Vec::new();
    for theme in themes.expect("the folder of themes") {
        let Ok(programs) = std::fs::read_dir(theme.expect("a theme").path().join("fail")) else {
            continue;
        };
        for program in programs {
            let path = program.expect("a file").path();
            if path.extension().is_some_and(|found| found == "stderr") {
                let message = std::fs::read_to_string(&path).expect("a message");
                messages.push((path, message));
            }
        }
    }
    messages
}

/// The number of lines of an error, without those that rustc adds and that no attribute of ours prevents:
///
/// - a bound, a `where` clause or a `*` that it proposes, from `help: consider` on;
/// - the quote of the only impl that it knows, from ``help: the trait `..` is implemented for`` on, and the quote of a type or of a similar
///   impl below ``help: the trait `..` is not implemented for`` (that line counts).
///
/// Each ends where the next `help` or `note` begins. So notes of ours behind a quote count.
fn own_lines(error: &str) -> usize {
    let (mut lines, mut counts) = (0, true);
    for line in error.lines() {
        let of_trait = line.starts_with("help: the trait `");
        if of_trait && line.contains("` is not implemented for `") {
            lines += 1;
            counts = false;
        } else if of_trait || line.starts_with("help: consider ") {
            counts = false;
        } else if ["help: ", "note: ", "= "]
            .iter()
            .any(|word| line.trim_start().starts_with(word))
        {
            counts = true;
        }
        lines += usize::from(counts);
    }
    lines
}

/// A message of our traits at an operator has at most ten lines, of those that [`own_lines`] counts: rustc's header, place and quoted line,
/// our label and notes, and rustc's lines about the trait and about what an impl requires.
///
/// Literals in `tensor!` and `fuse!`, `s![..]`, operators of views, which require those of tensors, may take eleven, and `.into()`, which
/// requires `From` and `Makes`, twelve. Two kinds of errors are not judged. At methods, rustc quotes the bound ("required by a bound in").
/// At some operators it asks no trait of ours (E0600, E0369).
#[test]
fn messages_at_operators_take_ten_lines_at_most() {
    let (mut long, mut count) = (Vec::new(), 0);
    for (path, message) in messages() {
        for error in message.split("\n\n") {
            let of_operator =
                error.starts_with("error[E0277]") && !error.contains("required by a bound in");
            if !of_operator {
                continue;
            }
            let in_macro = error.contains("to implement `FitsLiteral<")
                || error.contains("in the macro `$crate::s`");
            let of_view = error.contains("required for `TensorViewMut<");
            let of_into = ["Into", "From"]
                .iter()
                .any(|of| error.contains(&format!("to implement `{of}<")));
            let lines = own_lines(error);
            if lines > 10 + usize::from(in_macro || of_view) + 2 * usize::from(of_into) {
                long.push(format!("{lines} lines: {}", path.display()));
            }
            count += 1;
        }
    }
    assert!(long.is_empty(), "{}", long.join("\n"));
    assert!(count >= 150, "{count} messages at operators");
}

/// No message shows a path that is not public, a list of impls, or a type too long for the message. (That a trait is implemented for
/// `&Tensor` but not for `&mut Tensor` is no list.)
#[test]
fn messages_show_nothing_private() {
    let messages = messages();
    let mut shown = Vec::new();
    for (path, message) in &messages {
        for private in [
            "__private",
            "other types implement",
            "long-type",
            "is implemented for `&",
            "multiple `impl`s satisfying",
            "full name for the type",
        ] {
            let shows = |line: &str| line.contains(private) && !line.contains("but not for `&mut");
            if message.lines().any(shows) {
                shown.push(format!("{}: {private}", path.display()));
            }
        }
    }
    assert!(shown.is_empty(), "{}", shown.join("\n"));
    assert!(messages.len() > 240, "{} messages", messages.len());
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
