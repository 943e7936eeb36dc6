//! Programs that callers must not be able to write. After a change that is meant, run with `TRYBUILD=overwrite`, and read the difference.

#[test]
fn mistakes_do_not_compile() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
