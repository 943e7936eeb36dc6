mod faults;
mod groups;
mod lines;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::*;
use crate::ast::MacroInput;
use crate::model::{Under, Verdict};
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
    // A result has the rank of the operation, so it is not a zero-dim operand.
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
