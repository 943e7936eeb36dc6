//! Groups of dtypes.

use super::*;

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
        only [F16 Float Float64 uint8 BFloat16]
        operations { Sum { Float: F32; Float: F64; F16: F32; F16: F64; signed: I64 } #lines }
    });
    let starts = [
        "unknown dtype `Floats`; the dtypes are Bool,",
        "`Integer` is not an operand of these rules",
        "`Float` stands for several dtypes, and one is meant here; name it",
        "`only` lists `F16` twice",
        "unknown dtype `Float64`; write `F64`",
        "unknown dtype `uint8`; write `U8`",
        "unknown dtype `BFloat16`; write `BF16`",
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
