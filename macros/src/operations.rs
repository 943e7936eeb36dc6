//! The one list of operation groups that the macros know.

/// The groups of `src/rules/operations.rs`, in the same order; a test there compares the two.
pub(crate) const OPERATIONS: [&str; 20] = [
    "Subtract",
    "Divide",
    "FloorDivide",
    "Bitwise",
    "Shift",
    "Negate",
    "Floor",
    "FloatFunction",
    "Absolute",
    "Equality",
    "Ordering",
    "Sum",
    "CumulativeSum",
    "Mean",
    "Variance",
    "Extremum",
    "ExtremumIndex",
    "AnyAll",
    "Power",
    "MatrixMultiply",
];
