//! What the compiler says about mistakes with tensors.

#[test]
fn promotion() {
    trybuild::TestCases::new().compile_fail("tests/promotion/fail/*.rs");
}

#[test]
fn operations() {
    trybuild::TestCases::new().compile_fail("tests/operations/fail/*.rs");
}

#[test]
fn fuse() {
    trybuild::TestCases::new().compile_fail("tests/fuse/fail/*.rs");
}

#[test]
fn tensors() {
    trybuild::TestCases::new().compile_fail("tests/tensors/fail/*.rs");
}

#[test]
fn dynamic() {
    trybuild::TestCases::new().compile_fail("tests/dynamic/fail/*.rs");
}

#[test]
fn stablehlo() {
    trybuild::TestCases::new().compile_fail("tests/stablehlo/fail/*.rs");
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

#[test]
fn literals() {
    trybuild::TestCases::new().compile_fail("tests/literals/fail/*.rs");
}

#[test]
fn records() {
    trybuild::TestCases::new().compile_fail("tests/records/fail/*.rs");
}
