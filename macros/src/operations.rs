//! The one list of operation groups that the macros know.

/// The groups of `src/rules/operations.rs`, in the same order; a test there compares the two.
pub(crate) const OPERATIONS: [&str; 30] = [
    "Add",
    "Subtract",
    "Multiply",
    "Divide",
    "FloorDivide",
    "Power",
    "Arctangent",
    "Minimum",
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
    "FloatFunction",
    "Reciprocal",
    "Absolute",
    "Classify",
    "Sum",
    "CumulativeSum",
    "Mean",
    "Variance",
    "Extremum",
    "ExtremumIndex",
    "AnyAll",
];

/// How many of them, from the start, take two operands, and so promote.
pub(crate) const BINARY: usize = 14;
