//! The groups of operations, and the names by which users know their members.

use supremum::Operation;

/// The operators and functions of each group, as NumPy and the library spell them.
const MEMBERS: &[(Operation, &[&str])] = {
    use Operation::*;
    &[
        (Add, &["+", "add"]),
        (Subtract, &["-", "subtract", "sub"]),
        (Multiply, &["*", "multiply", "mul"]),
        (Divide, &["/", "divide", "div", "true_divide"]),
        (
            FloorDivide,
            &["//", "%", "floor_divide", "floor_div", "remainder", "mod"],
        ),
        (Power, &["**", "power", "pow"]),
        (
            Atan2,
            &[
                "atan2",
                "arctan2",
                "hypot",
                "log_add_exp",
                "logaddexp",
                "copysign",
                "next_after",
                "nextafter",
            ],
        ),
        (MinMax, &["minimum", "maximum", "clamp", "clip"]),
        (
            Bitwise,
            &["&", "|", "^", "bitwise_and", "bitwise_or", "bitwise_xor"],
        ),
        (Shift, &["<<", ">>", "left_shift", "right_shift"]),
        (Equality, &["==", "!=", "equal", "not_equal"]),
        (
            Ordering,
            &[
                "<",
                "<=",
                ">",
                ">=",
                "less",
                "less_equal",
                "greater",
                "greater_equal",
            ],
        ),
        (Join, &["select", "where", "concat", "concatenate", "stack"]),
        (MatrixMultiply, &["@", "matmul", "dot"]),
        (Negate, &["negate", "negative", "neg"]),
        (Sign, &["sign"]),
        (Round, &["round"]),
        (Floor, &["floor", "ceil", "trunc"]),
        (Invert, &["!", "~", "invert", "logical_not"]),
        (
            UnaryFloat,
            &["sqrt", "exp", "ln", "log", "sin", "cos", "tanh", "sigmoid"],
        ),
        (Reciprocal, &["recip", "reciprocal"]),
        (Absolute, &["abs", "real", "imag"]),
        (
            FloatClass,
            &[
                "is_nan",
                "is_finite",
                "is_infinite",
                "isnan",
                "isfinite",
                "isinf",
            ],
        ),
        (Sum, &["sum", "prod", "nan_sum"]),
        (CumulativeSum, &["cumsum", "cumprod"]),
        (Mean, &["mean", "nan_mean"]),
        (Variance, &["var", "std"]),
        (
            MinMaxReduce,
            &["min", "max", "nan_min", "nan_max", "cummin", "cummax"],
        ),
        (ArgMinMax, &["argmin", "argmax"]),
        (AnyAll, &["any", "all"]),
    ]
};

/// The members of a group, operators first.
pub(crate) fn members(operation: Operation) -> &'static [&'static str] {
    let found = MEMBERS.iter().find(|(group, _)| *group == operation);
    found.map_or(&[], |(_, members)| members)
}

/// Finds a group by its name or that of a member.
pub(crate) fn find(name: &str) -> Option<Operation> {
    let wanted = name.to_ascii_lowercase().replace('-', "_");
    Operation::ALL.iter().copied().find(|operation| {
        operation
            .name()
            .eq_ignore_ascii_case(&wanted.replace('_', ""))
            || members(*operation)
                .iter()
                .any(|member| *member == wanted || *member == name)
    })
}

/// Every member of every group.
pub(crate) fn all_names() -> impl Iterator<Item = &'static str> {
    MEMBERS
        .iter()
        .flat_map(|(_, members)| members.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_members_and_no_name_stands_for_two() {
        for operation in Operation::ALL {
            assert!(!members(*operation).is_empty(), "{}", operation.name());
            assert_eq!(find(operation.name()), Some(*operation));
            for member in members(*operation) {
                assert_eq!(find(member), Some(*operation), "{member}");
            }
        }
    }
}
