//! What the compiler says about mistakes with tensors.

#[test]
fn promotion() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("tests/promotion/fail/*.rs");
    tests.pass("tests/promotion/pass/*.rs");
}

#[test]
fn operations() {
    trybuild::TestCases::new().compile_fail("tests/operations/fail/*.rs");
}

#[test]
fn tensors() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("tests/tensors/fail/*.rs");
    tests.pass("tests/tensors/pass/*.rs");
}
