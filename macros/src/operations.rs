//! The list of operation groups, for the macros.

use crate::dtypes::Kind;

/// The groups of `src/rule_set/operations.rs`, in the same order; a test there compares the two lists.
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

/// The number of groups with two operands, which promote; they come first.
pub(crate) const BINARY: usize = 14;

/// Returns the requirement on the result dtypes of a group, in which its operations are computed; `None` if any dtype
/// is allowed.
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
