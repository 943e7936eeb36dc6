//! The operators and methods of the language. A test of the library compares the methods with its own.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::BinOp;
use syn::spanned::Spanned;

/// Returns the operator of `op=`, and its group.
pub(super) fn assigned(operator: &BinOp) -> Option<(TokenStream, &'static str)> {
    let span = operator.span();
    Some(match operator {
        BinOp::AddAssign(_) => (quote_spanned!(span=> +), "Add"),
        BinOp::SubAssign(_) => (quote_spanned!(span=> -), "Subtract"),
        BinOp::MulAssign(_) => (quote_spanned!(span=> *), "Multiply"),
        BinOp::DivAssign(_) => (quote_spanned!(span=> /), "Divide"),
        BinOp::RemAssign(_) => (quote_spanned!(span=> %), "FloorDivide"),
        BinOp::BitAndAssign(_) => (quote_spanned!(span=> &), "Bitwise"),
        BinOp::BitOrAssign(_) => (quote_spanned!(span=> |), "Bitwise"),
        BinOp::BitXorAssign(_) => (quote_spanned!(span=> ^), "Bitwise"),
        BinOp::ShlAssign(_) => (quote_spanned!(span=> <<), "Shift"),
        BinOp::ShrAssign(_) => (quote_spanned!(span=> >>), "Shift"),
        _ => return None,
    })
}

/// The meaning of a Rust operator in the language.
pub(super) enum Operator {
    Infix(&'static str),
    /// A comparison becomes a method, because Rust's own operators return a single `bool`.
    Method(&'static str, &'static str),
}

pub(super) fn operator(operator: &BinOp) -> Option<Operator> {
    Some(match operator {
        BinOp::Add(_) => Operator::Infix("Add"),
        BinOp::Sub(_) => Operator::Infix("Subtract"),
        BinOp::Mul(_) => Operator::Infix("Multiply"),
        BinOp::Div(_) => Operator::Infix("Divide"),
        BinOp::Rem(_) => Operator::Infix("FloorDivide"),
        BinOp::BitAnd(_) | BinOp::BitOr(_) | BinOp::BitXor(_) => Operator::Infix("Bitwise"),
        BinOp::Shl(_) | BinOp::Shr(_) => Operator::Infix("Shift"),
        BinOp::Eq(_) => Operator::Method("equal", "Equality"),
        BinOp::Ne(_) => Operator::Method("not_equal", "Equality"),
        BinOp::Lt(_) => Operator::Method("lt", "Ordering"),
        BinOp::Le(_) => Operator::Method("le", "Ordering"),
        BinOp::Gt(_) => Operator::Method("gt", "Ordering"),
        BinOp::Ge(_) => Operator::Method("ge", "Ordering"),
        _ => return None,
    })
}

/// Functions of one operand, by element.
pub(crate) const FUNCTIONS: &[&str] = &[
    "sqrt",
    "exp",
    "exp2",
    "exp_m1",
    "ln",
    "ln_1p",
    "log2",
    "log10",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "sigmoid",
    "erf",
    "erfc",
    "rsqrt",
    "cbrt",
    "round",
    "sign",
    "floor",
    "ceil",
    "trunc",
    "abs",
    "real",
    "imag",
    "is_nan",
    "is_infinite",
    "is_finite",
    "recip",
    "conj",
];

/// Methods of two operands, and the group of operations by which they promote.
pub(crate) const METHODS: &[(&str, &str)] = &[
    ("floor_div", "FloorDivide"),
    ("pow", "Power"),
    ("atan2", "Atan2"),
    ("hypot", "Atan2"),
    ("log_add_exp", "Atan2"),
    ("copysign", "Atan2"),
    ("next_after", "Atan2"),
    ("minimum", "MinMax"),
    ("maximum", "MinMax"),
    ("equal", "Equality"),
    ("not_equal", "Equality"),
    ("lt", "Ordering"),
    ("le", "Ordering"),
    ("gt", "Ordering"),
    ("ge", "Ordering"),
];

/// The suffixes of the forms of a reduction.
const FORMS: &[&str] = &["", "_axis", "_axes", "_keepdims"];
const REDUCTIONS: &[&str] = &[
    "sum", "prod", "mean", "var", "std", "min", "max", "any", "all", "nan_sum", "nan_min",
    "nan_max", "nan_mean",
];
/// The reductions to positions, which take one axis or all elements.
const POSITIONS: &[&str] = &["argmin", "argmax"];
const POSITION_FORMS: &[&str] = &["", "_axis", "_keepdims"];

pub(crate) fn is_reduction(method: &str) -> bool {
    let has = |names: &[&str], forms: &[&str]| {
        names.iter().any(|name| {
            method
                .strip_prefix(name)
                .is_some_and(|form| forms.contains(&form))
        })
    };
    has(REDUCTIONS, FORMS) || has(POSITIONS, POSITION_FORMS)
}

/// Views of a tensor; they are made before the expression is evaluated.
pub(crate) const VIEWS: &[&str] = &[
    "reshape",
    "permute",
    "slice",
    "slice_step",
    "index_axis",
    "broadcast_to",
    "squeeze",
    "unsqueeze",
    "flip",
    "swap_axes",
    "transpose",
    "flatten",
    "with_rules",
    "strong",
];

/// `(functions, methods and their groups, reductions in all forms, views)`, as arrays of strings.
pub(crate) fn words() -> TokenStream {
    let methods = METHODS
        .iter()
        .map(|(method, group)| quote!((#method, #group)));
    let forms = |names: &[&str], forms: &[&str]| -> Vec<String> {
        let all = names
            .iter()
            .flat_map(|name| forms.iter().map(move |form| format!("{name}{form}")));
        all.collect()
    };
    let mut reductions = forms(REDUCTIONS, FORMS);
    reductions.extend(forms(POSITIONS, POSITION_FORMS));
    let (functions, views) = (FUNCTIONS, VIEWS);
    quote!((&[#(#functions),*], &[#(#methods),*], &[#(#reductions),*], &[#(#views),*]))
}
