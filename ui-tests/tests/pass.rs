//! Programs that stand beside the mistakes: they compile, and run. They are modules of this test and not cases of `trybuild`, which
//! would build the library anew for them, where it only checks it for programs that are to fail.

macro_rules! programs {
    ($($name:ident: $file:literal;)*) => {$(
        mod $name {
            include!($file);

            #[test]
            fn runs() {
                main();
            }
        }
    )*};
}

programs! {
    generic_code_states_its_literals: "literals/pass/generic_code_states_its_literals.rs";
    a_literal_on_the_left_needs_no_rank: "operations/pass/a_literal_on_the_left_needs_no_rank.rs";
    tensors_behind_mut_compare: "operations/pass/tensors_behind_mut_compare.rs";
    generic_code_with_bounds: "promotion/pass/generic_code_with_bounds.rs";
    literals_and_integers_infer_as_without_the_library: "promotion/pass/literals_and_integers_infer_as_without_the_library.rs";
    losses_are_admitted_by_name: "promotion/pass/losses_are_admitted_by_name.rs";
    rules_may_be_local: "rules/pass/rules_may_be_local.rs";
    arrays_convert_without_annotations: "tensors/pass/arrays_convert_without_annotations.rs";
    names_are_imported_beside_the_prelude: "tensors/pass/names_are_imported_beside_the_prelude.rs";
    ranks_follow_from_operations: "tensors/pass/ranks_follow_from_operations.rs";
}

/// No program is left out.
#[test]
fn every_program_is_run() {
    let tests = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let mut programs = 0;
    for theme in std::fs::read_dir(tests).expect("a folder of themes") {
        let Ok(pass) = std::fs::read_dir(theme.expect("a theme").path().join("pass")) else {
            continue;
        };
        for program in pass {
            let path = program.expect("a program").path();
            let name = path
                .file_name()
                .and_then(|name| name.to_str())
                .expect("a name");
            assert!(
                include_str!("pass.rs").contains(&format!("/pass/{name}\";")),
                "{name}"
            );
            programs += 1;
        }
    }
    assert!(programs > 5, "{programs}");
}
