use quote::quote;

use super::*;
use crate::model::Verdict;
use crate::operations::OPERATIONS;
use crate::parse::Invocation;

fn checked(rules: TokenStream) -> (Vec<Option<Checked>>, Vec<String>) {
    let invocation: Invocation =
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

/// The operand with this name, as rules are written.
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
    let rest: Vec<_> = OPERATIONS
        .into_iter()
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
        let operation = OPERATIONS.iter().position(|name| *name == operation);
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
            I32 => [I32, Float, F64],
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
        "unknown dtype `Float`",
        "the row of `F32`",
        "`F64` with `I32`",
        "`F64` with itself",
    ];
    assert_eq!(faults.len(), starts.len(), "{faults:#?}");
    for (fault, start) in faults.iter().zip(starts) {
        assert!(fault.starts_with(start), "{fault}");
    }
}
