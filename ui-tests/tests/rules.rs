//! Faults in rule sets.

#[test]
fn rules() {
    let tests = trybuild::TestCases::new();
    tests.compile_fail("tests/rules/fail/*.rs");
    tests.pass("tests/rules/pass/*.rs");
}
