//! The transcripts of the pages in `docs`. `TRYCMD=overwrite cargo test --package supremum-cli --test transcripts` writes them
//! again.

#[test]
fn the_pages_show_what_the_command_prints() {
    trycmd::TestCases::new()
        .register_bin(
            "supremum",
            trycmd::schema::Bin::Path(env!("CARGO_BIN_EXE_supremum").into()),
        )
        .case("../docs/explorer.md");
}
