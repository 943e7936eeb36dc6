//! Faults in rule sets.

#[test]
fn rules() {
    trybuild::TestCases::new().compile_fail("tests/rules/fail/*.rs");
}
