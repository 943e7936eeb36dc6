use quote::quote;

use super::*;
use crate::ast::MacroInput;
use crate::model::Verdict;
use crate::operations;

fn checked(rules: TokenStream) -> (Vec<Option<Checked>>, Vec<String>) {
    let invocation: MacroInput =
        syn::parse2(quote!([::supremum] #rules)).expect("rules that parse");
    let (checked, faults) = check(&invocation);
    (checked, faults.messages())
}

/// The only rule set, without faults.
fn sound(rules: TokenStream) -> Checked {
    let (mut checked, faults) = checked(rules);
    assert_eq!(faults, [""; 0]);
    checked.pop().flatten().expect("a rule set")
}

/// Parses the name of an operand.
fn named(name: &str) -> Operand {
    Operand::all()
        .find(|operand| operand.to_string() == name)
        .expect("an operand's name")
}

fn promoted(rules: &Checked, lhs: &str, rhs: &str) -> Option<String> {
    let result = rules.promotion(named(lhs), named(rhs));
    result.map(|cell| cell.result.to_string())
}

#[test]
fn a_lattice_is_closed_and_joined() {
    let rules = sound(quote! {
        #[law(commutative, associative)]
        struct Mine = "mine";
        lattice { Bool; U8 -> I16; I8 -> I16; I16 -> I32; }
    });
    assert_eq!(promoted(&rules, "U8", "I8").as_deref(), Some("I16"));
    assert_eq!(promoted(&rules, "I32", "I8").as_deref(), Some("I32"));
    assert_eq!(promoted(&rules, "Bool", "I8"), None);
    assert_eq!(promoted(&rules, "F32", "F32"), None);
}

#[test]
fn weak_operands_are_replaced_beside_strong_ones_only() {
    let text = quote! {
        struct Mine = "mine";
        lattice { Bool -> Weak<I64>; Weak<I64> -> I8; I8 -> I32; I32 -> I64; }
        weak { Bool: Bool; I8 I32 I64: Weak<I64> }
    };
    let kept = sound(text.clone());
    assert_eq!(promoted(&kept, "I8", "Weak<I32>").as_deref(), Some("I8"));
    assert_eq!(
        promoted(&kept, "Bool", "Weak<I32>").as_deref(),
        Some("Weak<I64>")
    );
    assert_eq!(
        promoted(&kept, "Weak<I8>", "Weak<I32>").as_deref(),
        Some("Weak<I32>")
    );
    assert_eq!(
        promoted(&kept, "Weak<Bool>", "Weak<I32>").as_deref(),
        Some("Weak<I32>")
    );
    assert_eq!(
        promoted(&kept, "Weak<Bool>", "Weak<Bool>").as_deref(),
        Some("Bool")
    );
    let replaced = sound(quote!(#text weak_pairs: replaced;));
    assert_eq!(
        promoted(&replaced, "Weak<I8>", "Weak<I32>").as_deref(),
        Some("Weak<I64>")
    );
}

#[test]
fn cells_of_weak_operands_stand_as_written() {
    let rules = sound(quote! {
        struct Mine = "mine";
        table {
            _ => [F32, Weak<I64>, Weak<F64>],
            F32 => [F32, F32, F32],
            Weak<I64> => [F32, Weak<I64>, F32],
            Weak<F64> => [F32, F32, Weak<F64>],
        }
    });
    assert_eq!(
        promoted(&rules, "Weak<I64>", "Weak<F64>").as_deref(),
        Some("F32")
    );
}

#[test]
fn narrowing_replaces_operands_and_results() {
    let (checked, faults) = checked(quote! {
        struct Wide = "wide";
        lattice { U32 -> I64; I32 -> I64; I64 -> Weak<F64>; }
        weak { F32: Weak<F64> }
        struct Narrow = "narrow";
        like Wide;
        narrow { I64: I32; F64: F32 }
        operations Wide;
    });
    assert_eq!(faults, [""; 0]);
    let narrow = checked[1].as_ref().expect("a rule set");
    assert_eq!(promoted(narrow, "U32", "I32").as_deref(), Some("I32"));
    assert_eq!(promoted(narrow, "I64", "I64").as_deref(), Some("I32"));
    assert_eq!(
        promoted(narrow, "Weak<F64>", "I64").as_deref(),
        Some("Weak<F32>")
    );
}

#[test]
fn verdicts_put_range_before_precision_and_left_before_right() {
    let verdict = |lhs, rhs, result| Verdict::of_values(named(lhs), named(rhs), named(result));
    assert_eq!(verdict("F16", "F32", "F32"), Verdict::Lossless);
    assert_eq!(
        verdict("I64", "F32", "F32"),
        Verdict::LosesPrecision(named("I64"))
    );
    assert_eq!(
        verdict("F32", "F64", "F16"),
        Verdict::LosesRange(named("F32"))
    );
    assert_eq!(
        verdict("I16", "U16", "F16"),
        Verdict::LosesRange(named("U16"))
    );
    assert_eq!(verdict("Weak<F64>", "F32", "F32"), Verdict::Lossless);
}

#[test]
fn operations_keep_weakness_unless_strong_and_narrow_last() {
    let lines = |names: &[&str]| {
        let names = names.iter().map(|name| quote::format_ident!("{name}"));
        quote!(#(#names {})*)
    };
    let written = ["Subtract", "Divide", "FloorDivide"];
    let rest: Vec<_> = operations::names()
        .filter(|name| !written.contains(name))
        .collect();
    let rest = lines(&rest);
    let rules = sound(quote! {
        struct Mine = "mine";
        lattice { F64; }
        narrow { F64: F32 }
        operations {
            Subtract { Bool: _; Weak<I8>: Weak<I64> }
            Divide { I8: F64 }
            strong FloorDivide = Divide
            #rest
        }
    });
    let Operations::Own(rows) = rules.operations else {
        panic!("operations of their own");
    };
    let result = |operation: &str, operand| {
        let operation = operations::position(operation);
        let operation = operation.expect("an operation's name");
        let result: Option<Operand> = rows[operation][named(operand).index()];
        result.map(|cell| cell.to_string())
    };
    assert_eq!(result("Subtract", "Bool"), None);
    assert_eq!(result("Subtract", "Weak<Bool>"), None);
    assert_eq!(result("Subtract", "I8").as_deref(), Some("I8"));
    assert_eq!(result("Subtract", "Weak<I8>").as_deref(), Some("Weak<I64>"));
    assert_eq!(result("Divide", "I8").as_deref(), Some("F32"));
    assert_eq!(result("Divide", "Weak<I8>").as_deref(), Some("Weak<F32>"));
    assert_eq!(result("FloorDivide", "Weak<I8>").as_deref(), Some("F32"));
    assert_eq!(result("FloorDivide", "F64").as_deref(), Some("F32"));
}

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

#[test]
fn a_group_stands_for_its_dtypes_and_yields_to_names_and_smaller_groups() {
    let lines = other_lines(&["Sum", "Absolute", "Mean"]);
    let rules = sound(quote! {
        #[law(commutative)]
        struct Mine = "mine";
        lattice { Weak<I64> -> Integer, Weak<F64>; Weak<F64> -> Float; BF16 -> F32; }
        weak { I8: I8; Integer: Weak<I64>; Float: Weak<F64> }
        cells { Float8 F64 => F64; F8E5M2 F64 => _; Float8 Float8 => F32 }
        operations {
            strong Sum { Signed: I64; Integer: I32; I8: I16; Float8: F16; Float: F32 }
            Absolute { Weak<Float>: Weak<F64>; Complex: _ }
            Mean { F16: F16; Float: F64 }
            #lines
        }
    });
    let result = |lhs, rhs| promoted(&rules, lhs, rhs);
    assert_eq!(result("F8E4M3FN", "Weak<I32>").as_deref(), Some("F8E4M3FN"));
    assert_eq!(result("U64", "Weak<I32>").as_deref(), Some("U64"));
    assert_eq!(result("I8", "Weak<I8>").as_deref(), Some("I8"));
    assert_eq!(result("BF16", "F32").as_deref(), Some("F32"));
    assert_eq!(result("F8E4M3FN", "F64").as_deref(), Some("F64"));
    assert_eq!(result("F64", "F8E5M2"), None);
    assert_eq!(result("F8E5M2", "F8E4M3FN").as_deref(), Some("F32"));
    assert_eq!(result("F8E5M2", "F8E5M2").as_deref(), Some("F8E5M2"));
    let Operations::Own(rows) = &rules.operations else {
        panic!("operations of their own");
    };
    let result = |operation: &str, operand| {
        let operation = operations::position(operation);
        let result = rows[operation.expect("an operation's name")][named(operand).index()];
        result.map(|result| result.to_string())
    };
    let sums = [
        ("I32", "I64"),
        ("I8", "I16"),
        ("U8", "I32"),
        ("F8E5M2", "F16"),
        ("F64", "F32"),
    ];
    for (operand, expected) in sums {
        assert_eq!(
            result("Sum", operand).as_deref(),
            Some(expected),
            "{operand}"
        );
    }
    assert_eq!(
        result("Absolute", "Weak<F16>").as_deref(),
        Some("Weak<F64>")
    );
    assert_eq!(result("Absolute", "F16").as_deref(), Some("F16"));
    assert_eq!(result("Absolute", "C64"), None);
    assert_eq!(result("Mean", "F16").as_deref(), Some("F16"));
    assert_eq!(result("Mean", "BF16").as_deref(), Some("F64"));
}

#[test]
fn mistakes_with_groups_are_found() {
    let lines = other_lines(&["Sum"]);
    let (_, faults) = checked(quote! {
        struct Mine = "mine";
        lattice { F16 -> F32; F16 -> Floats; }
        cells { Integer F32 => F32; F16 F32 => Float }
        only [F16 Float]
        operations { Sum { Float: F32; Float: F64; F16: F32; F16: F64; signed: I64 } #lines }
    });
    let starts = [
        "unknown dtype `Floats`; the dtypes are Bool,",
        "`Integer` is no operand of these rules",
        "`Float` stands for several dtypes, and one is meant here; name it",
        "`only` lists `F16` twice",
        "`Float` is in this line already",
        "`F16` is in this line already",
        "unknown dtype `signed`; write `Signed`",
    ];
    assert_eq!(faults.len(), starts.len(), "{faults:#?}");
    for (fault, start) in faults.iter().zip(starts) {
        assert!(fault.starts_with(start), "{fault}");
    }
    assert!(
        faults[0]
            .ends_with("the groups of dtypes Unsigned, Signed, Integer, Float8, Float, Complex")
    );
}

/// A line for every group of operations but these, each dtype giving itself.
fn other_lines(but: &[&str]) -> TokenStream {
    let names = operations::names().filter(|name| !but.contains(name));
    let names = names.map(|name| quote::format_ident!("{name}"));
    quote!(#(#names {})*)
}

fn verdict(rules: &Checked, lhs: &str, rhs: &str) -> Option<Verdict> {
    let found = rules.promotion(named(lhs), named(rhs));
    found.map(|cell| cell.verdict)
}

#[test]
fn rank_decides_between_a_zero_dim_operand_and_a_dimensioned_one_only() {
    let rules = sound(quote! {
        struct Mine = "mine";
        table {
            _         => [F16, F32, Weak<F64>],
            F16       => [F16, F32, F16],
            F32       => [F32, F32, _],
            Weak<F64> => [F16, _,   Weak<F64>],
        }
        zero_dim {
            _   => [F16, F32],
            F16 => [F16, F16],
            F32 => [_,   F32],
        }
    });
    assert!(rules.looks_at_rank);
    assert_eq!(
        promoted(&rules, "F16", "ZeroDim<F32>").as_deref(),
        Some("F16")
    );
    assert_eq!(
        promoted(&rules, "ZeroDim<F32>", "F16").as_deref(),
        Some("F16")
    );
    assert_eq!(promoted(&rules, "ZeroDim<F16>", "F32"), None);
    assert_eq!(
        promoted(&rules, "ZeroDim<F16>", "ZeroDim<F32>").as_deref(),
        Some("F32")
    );
    // A weak operand promotes with a zero-dim one as with a dimensioned one.
    assert_eq!(
        promoted(&rules, "ZeroDim<F16>", "Weak<F64>").as_deref(),
        Some("F16")
    );
    assert_eq!(promoted(&rules, "Weak<F64>", "ZeroDim<F32>"), None);
    // The verdict names the dtype that loses values without its rank.
    assert_eq!(
        verdict(&rules, "F16", "ZeroDim<F32>"),
        Some(Verdict::LosesRange(named("ZeroDim<F32>")))
    );
    // A result has the rank of the operation, so it is no zero-dim operand.
    assert!(!Operand::all().any(|lhs| {
        let result = |rhs| rules.promotion(lhs, rhs).map(|cell| cell.result.class);
        Operand::all().any(|rhs| result(rhs) == Some(Class::ZeroDim))
    }));
}

#[test]
fn rules_without_zero_dim_do_not_look_at_rank() {
    let rules = sound(quote!(struct Mine = "mine"; lattice { F16 -> F32; }));
    assert!(!rules.looks_at_rank);
    assert!(
        rules
            .operands()
            .all(|operand| operand.class != Class::ZeroDim)
    );
}

#[test]
fn marks_come_before_values_and_values_before_widening() {
    let text = quote! {
        struct Mine = "mine";
        marks { odd: crate::Odd; other: crate::Other }
        deny widening;
        table {
            _    => [I8,           I32,        I64,             F16,        BF16, F32],
            I8   => [I8,           I32^other,  I64,             F16,        BF16, unsafe F32],
            I32  => [I32^other,    I32,        I64,             F32,        F32,  safe F32],
            I64  => [I64,          I64,        I64,             unsafe F32, _,    F32],
            F16  => [F16,          F32,        unsafe F32,      F16,        F32,  F32],
            BF16 => [BF16,         F32,        _,               F32,        BF16, F32],
            F32  => [unsafe F32,   safe F32,   F32,             F32,        F32,  F32],
        }
    };
    let rules = sound(text.clone());
    let of = |lhs, rhs| verdict(&rules, lhs, rhs).expect("a promotion");
    assert_eq!(of("I8", "I32"), Verdict::Reason(1));
    assert_eq!(of("I8", "F32"), Verdict::Marked);
    assert_eq!(of("I64", "F16"), Verdict::LosesPrecision(named("I64")));
    assert_eq!(of("I32", "F32"), Verdict::Accepted);
    assert_eq!(of("I64", "F32"), Verdict::LosesPrecision(named("I64")));
    assert_eq!(of("F16", "BF16"), Verdict::WidensBoth);
    // A loss of values is reported before widening.
    assert_eq!(of("I32", "F16"), Verdict::LosesPrecision(named("I32")));
    assert_eq!(of("I8", "I64"), Verdict::Lossless);
    assert_eq!(rules.reasons.len(), 2);

    let rules = sound(quote!(#text safety: marks;));
    let of = |lhs, rhs| verdict(&rules, lhs, rhs).expect("a promotion");
    assert_eq!(of("I64", "F32"), Verdict::Accepted);
    assert_eq!(of("I32", "F16"), Verdict::WidensBoth);
    assert_eq!(of("I8", "F32"), Verdict::Marked);
    assert_eq!(of("I64", "F16"), Verdict::LosesPrecision(named("I64")));
    assert_eq!(of("I8", "I64"), Verdict::Lossless);
}

#[test]
fn a_weak_result_of_two_strong_operands_widens_both() {
    let rules = sound(quote! {
        struct Mine = "mine";
        lattice { U8 -> Weak<F64>; I8 -> Weak<F64>; Weak<F64> -> F64; }
        deny widening;
    });
    assert_eq!(verdict(&rules, "U8", "I8"), Some(Verdict::WidensBoth));
    assert_eq!(verdict(&rules, "U8", "Weak<F64>"), Some(Verdict::Lossless));
}

#[test]
fn cells_override_both_orders_unless_rules_are_asymmetric() {
    let form = quote!(lattice { I8 -> F32; F32 -> F64; });
    let rules = sound(quote!(struct Mine = "mine"; #form cells { I8 F32 => F64; F32 F64 => _ }));
    assert_eq!(promoted(&rules, "F32", "I8").as_deref(), Some("F64"));
    assert_eq!(promoted(&rules, "F64", "F32"), None);
    assert_eq!(promoted(&rules, "I8", "F64").as_deref(), Some("F64"));
    let rules = sound(quote! {
        #[asymmetric]
        struct Mine = "mine";
        #form
        cells { I8 F32 => F64; F32 I8 => I8 }
    });
    assert_eq!(promoted(&rules, "I8", "F32").as_deref(), Some("F64"));
    assert_eq!(promoted(&rules, "F32", "I8").as_deref(), Some("I8"));
}

#[test]
fn extensions_add_up_and_a_form_of_their_own_drops_them() {
    let (checked, faults) = checked(quote! {
        struct First = "first";
        lattice { I8 -> I16; I16 -> F32; }
        struct Second = "second";
        extend First { I8 I16 => I8 }
        struct Third = "third";
        extend Second { I16 F32 => I16 }
        struct Fourth = "fourth";
        like Third;
        lattice { I8 -> I16; I16 -> F32; }
    });
    assert_eq!(faults, [""; 0]);
    let rules = |position: usize| checked[position].as_ref().expect("a rule set");
    assert_eq!(promoted(rules(2), "I8", "I16").as_deref(), Some("I8"));
    assert_eq!(promoted(rules(2), "I16", "F32").as_deref(), Some("I16"));
    assert_eq!(promoted(rules(1), "I16", "F32").as_deref(), Some("F32"));
    assert_eq!(promoted(rules(3), "I8", "I16").as_deref(), Some("I16"));
}

#[test]
fn a_restriction_takes_operands_and_results_but_leaves_weak_ones_and_answers() {
    let lines = other_lines(&["Divide", "Equality", "Sum"]);
    let rules = sound(quote! {
        #[law(commutative, associative)]
        struct Mine = "mine";
        lattice { Bool -> Weak<I64>; Weak<I64> -> I32; I32 -> I64; I64 -> Weak<F64>; Weak<F64> -> F16; F16 -> F32; }
        only [F32 I32]
        operations {
            Divide { I32: F64 }
            Equality { I32 F32 F64: Bool; Weak<I64> Weak<F64>: Bool }
            strong Sum { I32: I64; F16: F32 }
            #lines
        }
    });
    assert_eq!(promoted(&rules, "I32", "F32").as_deref(), Some("F32"));
    assert_eq!(promoted(&rules, "I32", "I64"), None);
    assert_eq!(promoted(&rules, "I64", "I64"), None);
    assert_eq!(promoted(&rules, "F16", "F32"), None);
    assert_eq!(promoted(&rules, "Bool", "I32"), None);
    assert_eq!(
        promoted(&rules, "I32", "Weak<F64>").as_deref(),
        Some("Weak<F64>")
    );
    assert_eq!(promoted(&rules, "Weak<I64>", "F32").as_deref(), Some("F32"));
    // The written operands are those that still have promotions.
    assert!(!rules.written.contains(&named("F16")) && rules.written.contains(&named("Weak<I64>")));
    let Operations::Own(rows) = &rules.operations else {
        panic!("operations of their own");
    };
    let result = |operation: &str, operand| {
        let operation = operations::position(operation);
        rows[operation.expect("an operation's name")][named(operand).index()]
    };
    assert_eq!(result("Divide", "I32"), None);
    assert_eq!(result("Equality", "I32"), Some(named("Bool")));
    assert_eq!(result("Sum", "I32"), None);
    assert_eq!(result("Sum", "F16"), None);
    assert_eq!(result("Sum", "F32"), Some(named("F32")));
}

#[test]
fn literals_are_as_written() {
    let rules = sound(quote! {
        struct Mine = "mine";
        lattice { Weak<I32> -> I8; I8 -> Weak<F32>; Weak<F32> -> F32; }
        literals { Int: Weak<I32> wraps, Float: Weak<F32> }
    });
    let expected = ["Bool", "Weak<I32>", "Weak<F32>", "Weak<C128>"].map(named);
    assert_eq!(rules.literals, expected);
    let overflow_policy = (
        rules.overflow_policy.ints_wrap,
        rules.overflow_policy.floats_overflow,
    );
    assert_eq!(overflow_policy, (true, false));
}

#[test]
fn a_cell_is_the_parameter_if_the_rules_have_it_and_its_default_else() {
    let (checked, faults) = checked(quote! {
        struct Generic<Target = F64> = "generic";
        table {
            _   => [I64,           U64],
            I64 => [I64,           unsafe Target],
            U64 => [unsafe Target, U64],
        }
        struct Same<Target = F32> = "same";
        like Generic;
        struct Fixed = "fixed";
        like Generic;
    });
    assert_eq!(faults, [""; 0]);
    let cell = |position: usize| {
        let rules = checked[position].as_ref().expect("a rule set");
        let cell = rules
            .promotion(named("I64"), named("U64"))
            .expect("a promotion");
        (cell.parameter, cell.result, cell.verdict)
    };
    assert_eq!(cell(0), (true, named("F64"), Verdict::Marked));
    assert_eq!(cell(1), (true, named("F32"), Verdict::Marked));
    assert_eq!(
        cell(2),
        (false, named("F64"), Verdict::LosesPrecision(named("I64")))
    );
}

#[test]
fn operations_promote_under_other_rules_and_rules_like_them_by_themselves() {
    let lines = other_lines(&["Add", "Power"]);
    let (checked, faults) = checked(quote! {
        struct Mine = "mine";
        lattice { I8 -> F32; }
        operations { Add under crate::Others {} Power under PowKeepsBase {} #lines }
        struct Like = "like";
        like Mine;
    });
    assert_eq!(faults, [""; 0]);
    let under = |position: usize, group: &str| {
        let rules = checked[position].as_ref().expect("a rule set");
        let group = operations::position(group);
        match &rules.under[group.expect("a group's name")] {
            Under::These => "these".to_owned(),
            Under::PowKeepsBase => "keeps base".to_owned(),
            Under::Other(path) => path.to_token_stream().to_string(),
        }
    };
    assert_eq!(under(0, "Add"), "crate :: Others");
    assert_eq!(under(1, "Add"), "these");
    assert_eq!([under(0, "Power"), under(1, "Power")], ["keeps base"; 2]);
    assert_eq!(under(0, "Subtract"), "these");
}

#[test]
fn rules_of_another_invocation_may_be_like_rules_of_a_third() {
    let invocation: MacroInput = syn::parse2(quote! {
        [::supremum]
        base other::Wider {
            pub struct Wider = "wider";
            extend Jax { I8 F32 => F32^m }
            marks { m: crate::Odd }
        }
        base Jax { pub struct Jax = "jax"; lattice { I8 -> F16; F16 -> F32; } }
        pub struct Mine = "mine";
        extend other::Wider { I8 F16 => F32 }
    })
    .expect("rules that parse");
    let (checked, faults) = check(&invocation);
    assert_eq!(faults.messages(), [""; 0]);
    let rules = checked[0].as_ref().expect("a rule set");
    assert_eq!(promoted(rules, "I8", "F16").as_deref(), Some("F32"));
    assert_eq!(verdict(rules, "F32", "I8"), Some(Verdict::Reason(0)));
    let Operations::Of(path) = &rules.operations else {
        panic!("operations of the other rules");
    };
    assert_eq!(path.to_token_stream().to_string(), "other :: Wider");
}

#[test]
fn a_bare_name_of_another_invocation_is_of_the_library() {
    let invocation: MacroInput = syn::parse2(quote! {
        [::renamed]
        base Jax { pub struct Jax = "jax"; lattice { I8 -> F16; } }
        pub struct Mine = "mine";
        like Jax;
    })
    .expect("rules that parse");
    let (checked, _) = check(&invocation);
    let Some(Operations::Of(path)) = checked[0].as_ref().map(|rules| &rules.operations) else {
        panic!("operations of the other rules");
    };
    assert_eq!(path.to_token_stream().to_string(), ":: renamed :: Jax");
}

#[test]
fn a_bare_name_of_builtin_rules_needs_no_import_anywhere() {
    let lines = other_lines(&["Add", "Join"]);
    let (checked, faults) = checked(quote! {
        struct Mine = "mine";
        lattice { I8 -> F32; }
        operations { Add under Torch {} Join under Mine {} #lines }
        struct Other = "other";
        lattice { I8 -> F32; }
        operations JaxX32;
        struct Third = "third";
        lattice { I8 -> F32; }
        operations Mine;
    });
    assert_eq!(faults, [""; 0]);
    let path = |position: usize| match &checked[position].as_ref().expect("a rule set").operations {
        Operations::Of(path) => path.to_token_stream().to_string(),
        Operations::Own(_) => String::new(),
    };
    assert_eq!([path(1), path(2)], [":: supremum :: JaxX32", "Mine"]);
    let Some(Under::Other(torch)) = checked[0].as_ref().map(|rules| &rules.under[0]) else {
        panic!("other rules");
    };
    assert_eq!(torch.to_token_stream().to_string(), ":: supremum :: Torch");
}

/// Checks that the messages of these rules' faults start with these texts, and that there are no others.
fn assert_faults(rules: TokenStream, starts: &[&str]) {
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
            &["`F64` is no operand of these rules; cells are"][..],
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
                "`F64` is no operand of the table",
                "`F64` is no operand of the table",
            ],
        ),
        (
            quote!(zero_dim { _ => [I8, F32], I8 => [I8, F32], F32 => [F32, F32], F64 => [F32, F32] }),
            &["`F64` is no operand of the table"],
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
            &["`Weak<I64>` is no operand of these rules, so such a literal"],
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
fn rules_that_others_are_like_have_to_be_there() {
    assert_faults(
        quote! {
            struct Misspelt = "misspelt";
            like jax;
            struct Unknown = "unknown";
            like Theirs;
            struct Early = "early";
            like Late;
            struct Late = "late";
            like Late;
            struct Again = "again";
            like Misspelt;
        },
        &[
            "no rules `jax`; write `Jax`",
            "no rules `Theirs` above, nor in the library",
            "`Late` stands below",
            "these rules cannot be like themselves",
        ],
    );
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

#[test]
fn equal_parts_are_found_in_linear_time() {
    // Comparing each edge with all earlier ones took 90 s.
    let times = 20_000;
    let start = std::time::Instant::now();
    let edges = std::iter::repeat_n(quote!(F16 -> F32;), times);
    let (_, faults) = checked(quote! {
        struct Mine = "mine";
        lattice { #(#edges)* }
    });
    assert_eq!(faults, ["this edge is written twice; remove one"]);
    let rows = std::iter::repeat_n(quote!(F16 => [F16],), times);
    let (_, faults) = checked(quote! {
        struct Mine = "mine";
        table { _ => [F16], #(#rows)* }
    });
    assert_eq!(faults.len(), times - 1);
    let cells = std::iter::repeat_n(quote!(F16 F32 => F32), times);
    let (_, faults) = checked(quote! {
        struct Mine = "mine";
        lattice { F16 -> F32; }
        cells { #(#cells),* }
    });
    assert_eq!(faults.len(), times - 1);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
