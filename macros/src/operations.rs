//! The one list of operation groups that the macros know.

use crate::dtypes::Kind;

/// The groups of `src/rules/operations.rs`, in the same order; a test there compares the two.
pub(crate) const OPERATIONS: [&str; 30] = [
    "Add",
    "Subtract",
    "Multiply",
    "Divide",
    "FloorDivide",
    "Power",
    "Atan2",
    "MinMax",
    "Bitwise",
    "Shift",
    "Equality",
    "Ordering",
    "Join",
    "MatrixMultiply",
    "Negate",
    "Sign",
    "Round",
    "Floor",
    "Invert",
    "UnaryFloat",
    "Reciprocal",
    "Absolute",
    "FloatClass",
    "Sum",
    "CumulativeSum",
    "Mean",
    "Variance",
    "MinMaxReduce",
    "ArgMinMax",
    "AnyAll",
];

/// How many of them, from the start, take two operands, and so promote.
pub(crate) const BINARY: usize = 14;

/// What the results of a group have to be, for its operations to mean anything; nothing if they can be any
/// dtype. The operations are computed in the dtype of the result.
pub(crate) fn results(group: &str) -> Option<(&'static str, fn(Kind) -> bool)> {
    match group {
        "Divide" | "Atan2" | "UnaryFloat" => {
            Some(("a float or complex dtype", |kind| kind >= Kind::Float))
        }
        "Subtract" | "Power" | "Negate" => Some(("a numeric dtype", |kind| kind != Kind::Bool)),
        "FloorDivide" => Some(("an integer or float dtype", |kind| {
            kind != Kind::Bool && kind != Kind::Complex
        })),
        "MinMax" | "Floor" | "MinMaxReduce" => Some(("a real dtype", |kind| kind != Kind::Complex)),
        "Bitwise" | "Invert" => Some(("an integer dtype or `Bool`", |kind| kind < Kind::Float)),
        "Shift" | "ArgMinMax" => Some(("an integer dtype", |kind| {
            kind == Kind::Unsigned || kind == Kind::Signed
        })),
        "Equality" | "Ordering" | "FloatClass" => Some(("`Bool`", |kind| kind == Kind::Bool)),
        _ => None,
    }
}
