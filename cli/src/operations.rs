//! The groups of operations, and the names by which users know their members.

use std::sync::LazyLock;

use supremum::__private::ROWS;
use supremum::Operation;

/// An operator, function or method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Member {
    pub(crate) group: Operation,
    /// The library's spelling: an operator or the name of a method or function.
    pub(crate) library: &'static str,
    /// The spelling of NumPy and JAX: an operator or the name of a function. Empty if they have no such function.
    pub(crate) python: &'static str,
}

impl Member {
    /// Returns PyTorch's spelling; it is empty if it has no such function.
    pub(crate) fn torch(self) -> &'static str {
        match (self.library, self.python) {
            ("erf" | "erfc" | "rsqrt" | "sigmoid" | "softmax" | "log_softmax", _) => self.library,
            ("cbrt", _) => "",
            (_, "arctan2") => "atan2",
            (_, "clip") => "clamp",
            (_, "concatenate") => "cat",
            (_, other) => other,
        }
    }

    /// The name for a reader who knows NumPy, or else the library's.
    pub(crate) fn shown(self) -> &'static str {
        match self.python {
            "" => self.library,
            name => name,
        }
    }

    /// Returns whether this is one of its names, or another usual one.
    fn is_called(self, name: &str) -> bool {
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
        let name = alias.map_or(name, |(_, library)| library);
        !name.is_empty() && [self.library, self.python, self.torch()].contains(&name)
    }
}

macro_rules! members {
    ($($group:ident: $($library:literal $python:literal),+;)*) => {
        /// The members of each group, the most usual one first. Those of the library's rows that are not here follow in [`MEMBERS`].
        const NAMED: &[Member] = &[$($(Member {
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
        "next_after" "nextafter", "leaky_relu" "", "elu" "";
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
    UnaryFloat: "sqrt" "sqrt", "exp" "exp", "ln" "log", "sin" "sin", "cos" "cos", "tanh" "tanh",
        "exp2" "exp2", "exp_m1" "expm1", "ln_1p" "log1p", "log2" "log2", "log10" "log10", "tan" "tan",
        "asin" "arcsin", "acos" "arccos", "atan" "arctan", "sinh" "sinh", "cosh" "cosh", "cbrt" "cbrt",
        "erf" "", "erfc" "", "rsqrt" "", "sigmoid" "", "log_sum_exp" "";
    Activation: "gelu" "", "gelu_tanh" "", "silu" "", "softplus" "", "softmax" "", "log_softmax" "";
    Reciprocal: "recip" "reciprocal";
    Absolute: "abs" "abs", "real" "real", "imag" "imag";
    FloatClass: "is_nan" "isnan", "is_infinite" "isinf", "is_finite" "isfinite",
        "is_sign_negative" "signbit";
    Sum: "sum" "sum", "prod" "prod";
    CumulativeSum: "cumsum" "cumsum", "cumprod" "cumprod";
    Mean: "mean" "mean";
    Variance: "var" "var", "std" "std";
    MinMaxReduce: "min" "min", "max" "max",
        "cummax" "", "cummin" "";
    ArgMinMax: "argmin" "argmin", "argmax" "argmax", "argsort" "argsort";
    AnyAll: "any" "any", "all" "all";
}

/// All members. An operation of the library's rows that has no name above is called in NumPy as here, but without underscores.
static MEMBERS: LazyLock<Vec<Member>> = LazyLock::new(|| {
    let mut members = NAMED.to_vec();
    for (library, group) in ROWS.iter().copied().flatten().copied() {
        // `relu` takes one operand, and its dtype is that of the greater of it and a literal zero.
        let is_new = library != "relu" && !members.iter().any(|member| member.is_called(library));
        if is_new {
            let python = library.replace('_', "").leak();
            members.push(Member {
                group,
                library,
                python,
            });
        }
    }
    members
});

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
    ("bitand", "&"),
    ("bitor", "|"),
    ("bitxor", "^"),
    ("shl", "<<"),
    ("shr", ">>"),
    ("bitwise_not", "!"),
    ("not", "!"),
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
        .flat_map(|member| [member.library, member.python, member.torch()])
        .filter(|name| !name.is_empty());
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
        for member in MEMBERS.iter() {
            for name in [member.library, member.python, member.torch()] {
                if !name.is_empty() {
                    assert_eq!(find(name), Some(*member), "{name}");
                }
            }
        }
        assert_eq!(find(""), None);
        for (alias, library) in ALIASES {
            assert_eq!(find(alias), find(library), "{alias}");
            assert!(find(alias).is_some(), "{alias}");
        }
    }

    #[test]
    fn the_groups_are_those_of_the_library_s_rows() {
        for (name, group) in ROWS.iter().copied().flatten() {
            if *name != "relu" {
                let found = find(name).map(|member| member.group);
                assert_eq!(found, Some(*group), "{name} in its row, and in `members!`");
            }
        }
    }
}
