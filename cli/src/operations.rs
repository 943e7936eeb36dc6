//! The groups of operations, and the names by which users know their members.

use supremum::Operation;

/// An operator, function or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) group: Operation,
    /// As the library spells it: an operator or the name of a method or function.
    pub(crate) library: &'static str,
    /// As NumPy and JAX spell it: an operator or the name of a function.
    pub(crate) python: &'static str,
}

impl Member {
    /// As PyTorch spells it.
    pub(crate) fn torch(self) -> &'static str {
        match self.python {
            "arctan2" => "atan2",
            "clip" => "clamp",
            "concatenate" => "cat",
            other => other,
        }
    }

    /// Returns whether this is one of its names, or another usual one.
    fn is_called(self, name: &str) -> bool {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
        let name = alias.map_or(name, |(_, library)| library);
        name == self.library || name == self.python || name == self.torch()
    }
}

macro_rules! members {
    ($($group:ident: $($library:literal $python:literal),+;)*) => {
        /// The members of each group, the most usual one first.
        const MEMBERS: &[Member] = &[$($(Member {
            group: Operation::$group,
            library: $library,
            python: $python,
        }),+),*];
    };
}

// The library's name, and that of NumPy and JAX.
members! {
    Add: "+" "+";
    Subtract: "-" "-";
    Multiply: "*" "*";
    Divide: "/" "/";
    FloorDivide: "floor_div" "//", "%" "%";
    Power: "pow" "**";
    Atan2: "atan2" "arctan2", "hypot" "hypot", "log_add_exp" "logaddexp", "copysign" "copysign",
        "next_after" "nextafter";
    MinMax: "minimum" "minimum", "maximum" "maximum", "clamp" "clip";
    Bitwise: "&" "&", "|" "|", "^" "^";
    Shift: "<<" "<<", ">>" ">>";
    Equality: "equal" "==", "not_equal" "!=";
    Ordering: "lt" "<", "le" "<=", "gt" ">", "ge" ">=";
    Join: "select" "where", "concat" "concatenate", "stack" "stack";
    MatrixMultiply: "matmul" "@", "dot" "dot";
    Negate: "neg" "negative";
    Sign: "sign" "sign";
    Round: "round" "round";
    Floor: "floor" "floor", "ceil" "ceil", "trunc" "trunc";
    Invert: "!" "~";
    UnaryFloat: "sqrt" "sqrt", "exp" "exp", "ln" "log", "sin" "sin", "cos" "cos", "tanh" "tanh";
    Reciprocal: "recip" "reciprocal";
    Absolute: "abs" "abs", "real" "real", "imag" "imag";
    FloatClass: "is_nan" "isnan", "is_infinite" "isinf", "is_finite" "isfinite";
    Sum: "sum" "sum", "prod" "prod", "nan_sum" "nansum";
    CumulativeSum: "cumsum" "cumsum", "cumprod" "cumprod";
    Mean: "mean" "mean", "nan_mean" "nanmean";
    Variance: "var" "var", "std" "std";
    MinMaxReduce: "min" "min", "max" "max", "nan_min" "nanmin", "nan_max" "nanmax";
    ArgMinMax: "argmin" "argmin", "argmax" "argmax";
    AnyAll: "any" "any", "all" "all";
}

/// Other usual names, and the library's for the same.
const ALIASES: &[(&str, &str)] = &[
    ("add", "+"),
    ("sub", "-"),
    ("mul", "*"),
    ("div", "/"),
    ("true_divide", "/"),
    ("floor_divide", "floor_div"),
    ("mod", "%"),
    ("rem", "%"),
    ("remainder", "%"),
    ("bitwise_and", "&"),
    ("bitwise_or", "|"),
    ("bitwise_xor", "^"),
    ("left_shift", "<<"),
    ("right_shift", ">>"),
    ("eq", "equal"),
    ("ne", "not_equal"),
    ("less", "lt"),
    ("less_equal", "le"),
    ("greater", "gt"),
    ("greater_equal", "ge"),
    ("cat", "concat"),
    ("bitwise_not", "!"),
    ("logical_not", "!"),
    ("absolute", "abs"),
];

/// The members of a group.
pub(crate) fn members(group: Operation) -> impl Iterator<Item = Member> {
    let all = MEMBERS.iter().copied();
    all.filter(move |member| member.group == group)
}

/// Finds an operation by a name of its own or by that of its group; then it is the first of the group.
pub(crate) fn find(name: &str) -> Option<Member> {
    let wanted = name.to_ascii_lowercase().replace('-', "_");
    let wanted = if name == "-" { name } else { &wanted };
    let by_member = MEMBERS.iter().find(|member| member.is_called(wanted));
    let by_group = || {
        let wanted = wanted.replace('_', "");
        let mut all = MEMBERS.iter();
        all.find(|member| member.group.name().eq_ignore_ascii_case(&wanted))
    };
    by_member.or_else(by_group).copied()
}

/// Every name that [`find`] knows.
pub(crate) fn all_names() -> impl Iterator<Item = &'static str> {
    let names = MEMBERS
        .iter()
        .flat_map(|member| [member.library, member.python, member.torch()]);
    let groups = Operation::ALL.iter().map(|operation| operation.name());
    names
        .chain(groups)
        .chain(ALIASES.iter().map(|(alias, _)| *alias))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_has_members_and_no_name_stands_for_two() {
        for operation in Operation::ALL {
            assert!(members(*operation).next().is_some(), "{}", operation.name());
            let found = find(operation.name()).map(|member| member.group);
            assert_eq!(found, Some(*operation));
        }
        for member in MEMBERS {
            assert_eq!(find(member.library), Some(*member));
            assert_eq!(find(member.python), Some(*member));
            assert_eq!(find(member.torch()), Some(*member));
        }
        for (alias, library) in ALIASES {
            assert_eq!(find(alias), find(library), "{alias}");
            assert!(find(alias).is_some(), "{alias}");
        }
    }
}
