//! Mistakes, and the messages that name them.

use super::*;

#[test]
fn all_faults_are_found_at_once_and_none_twice() {
    let (checked, faults) = checked(quote! {
        #[law(associative)]
        struct Mine = "mine";
        table {
            _ => [I32, F32, F64],
            I32 => [I32, Real, F64],
            F32 => [F32, F32],
            F64 => [_, F64, F32],
        }
        narrow { I64: I32 }
        operations Jax;
        struct Like = "like";
        like Mine;
    });
    assert!(checked.iter().all(Option::is_none));
    let starts = [
        "unknown dtype `Real`",
        "the row of `F32`",
        "`F64` with `I32`",
        "`F64` with itself",
    ];
    assert_eq!(faults.len(), starts.len(), "{faults:#?}");
    for (fault, start) in faults.iter().zip(starts) {
        assert!(fault.starts_with(start), "{fault}");
    }
}

/// Checks that the messages of these rules' faults start with these texts, and that there are no others.
pub(super) fn assert_faults(rules: TokenStream, starts: &[&str]) {
    let (_, faults) = checked(rules);
    assert_eq!(faults.len(), starts.len(), "{faults:#?}");
    for (fault, start) in faults.iter().zip(starts) {
        assert!(fault.starts_with(start), "{fault}");
    }
}

#[test]
fn one_mistake_is_one_fault() {
    let form = quote!(table { _ => [I8, F32], I8 => [I8, F32], F32 => [F32, F32] });
    let operations = other_lines(&[]);
    for (parts, starts) in [
        (
            quote!(cells { I8 F64 => F64 }),
            &["`F64` is not an operand of these rules; cells are"][..],
        ),
        (quote!(cells { I8 F32 => F64 }), &["`F64` is a result here"]),
        (
            quote!(cells { I8 F32 => I8; F32 I8 => I8 }),
            &["the cell of `F32` and `I8`"],
        ),
        (quote!(cells { I8 I8 => F32 }), &["`I8` with itself"]),
        (
            quote!(zero_dim { _ => [I8, F64], I8 => [I8, F64], F64 => [F64, F64] }),
            &[
                "`F64` is not an operand of the table",
                "`F64` is not an operand of the table",
            ],
        ),
        (
            quote!(zero_dim { _ => [I8, F32], I8 => [I8, F32], F32 => [F32, F32], F64 => [F32, F32] }),
            &["`F64` is not an operand of the table"],
        ),
        (
            quote!(zero_dim { _ => [I8], I8 => [I8] }),
            &["`zero_dim` leaves out `F32`"],
        ),
        (
            quote!(cells { I8 F32 => F32^odd }),
            &["nothing says what the mark `odd` stands for"],
        ),
        (
            quote!(cells { I8 F32 => F32^odd } marks { old: crate::Old }),
            &["unknown mark `odd`; the marks are `old`"],
        ),
        (
            quote!(literals { Int: Weak<I64> }),
            &["`Weak<I64>` is not an operand of these rules, so such a literal"],
        ),
        (quote!(literals { Whole: I8 }), &["unknown kind `Whole`"]),
        (
            quote!(literals { Int: I8 overflows, Float: F32 wraps, Bool: I8 wraps }),
            &[
                "write `wraps`, or nothing if integers",
                "write `overflows`, or nothing if floats",
                "write nothing: every dtype has the truth values",
            ],
        ),
        (
            quote!(only [I8 I8 Weak<F32>] operations { #operations }),
            &["`only` lists `I8` twice", "`only` lists dtypes"],
        ),
        (
            quote!(only [I8] cells { I8 F32 => I8 } operations { #operations }),
            &["these rules are restricted to some dtypes, and `F32`"],
        ),
        (
            quote!(only [I8 F32] operations Jax; narrow { F32: _ }),
            &["a dtype narrows to a dtype"],
        ),
    ] {
        assert_faults(quote!(struct Mine = "mine"; #form #parts), starts);
    }
}

#[test]
fn the_parameter_of_rules_is_named_as_in_the_cells_that_they_take() {
    assert_faults(
        quote! {
            struct Generic<Target = F64> = "generic";
            table { _ => [I64, U64], I64 => [I64, unsafe Target], U64 => [unsafe Target, U64] }
            struct Renamed<Other = F64> = "renamed";
            like Generic;
            struct Unmarked<Target = F64> = "unmarked";
            extend Generic { I64 U64 => Target }
        },
        &[
            "the cells of the rules that these are like name the parameter `Target`",
            "what a promotion to the parameter `Target` loses depends on it",
        ],
    );
}

#[test]
fn a_rule_set_has_a_name() {
    for name in ["", " "] {
        let (checked, faults) = checked(quote! {
            struct Mine = #name;
            lattice { F16 -> F32; }
        });
        assert!(checked[0].is_none());
        assert_eq!(
            faults,
            [
                "rules need a name, which messages and `RuleSet::name` give: `struct Mine = \"name\";`"
            ]
        );
    }
}
