//! The groups of operations: a row for each. The macros read the rows, and `with_operations!` passes them to the
//! library, which makes a trait and a variant of `Operation` from each.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::dtypes::Kind;

/// A group of operations, which share a line in rule sets.
pub(crate) struct Group {
    pub(crate) name: &'static str,
    /// The documentation of the trait.
    documentation: &'static [&'static str],
    pub(crate) results: Results,
    /// `true` if its results do not depend on the operand's dtype (booleans and positions): `only` keeps them.
    pub(crate) answers: bool,
    /// The group that rule sets without a line of this one follow. Without it each rule set has a line.
    pub(crate) default: Option<&'static str>,
    /// The compiler's message on a dtype without the operations, its label and its note.
    message: &'static str,
    label: &'static str,
    note: Option<&'static str>,
}

/// The dtypes that the results of a group can have, in which its operations are computed.
#[derive(Clone, Copy)]
pub(crate) enum Results {
    Any,
    Inexact,
    Numeric,
    IntegerOrFloat,
    Real,
    IntegerOrBool,
    Integer,
    Bool,
}

impl Results {
    /// Returns whether results may have a dtype of this kind.
    pub(crate) fn admit(self, kind: Kind) -> bool {
        match self {
            Self::Any => true,
            Self::Inexact => kind >= Kind::Float,
            Self::Numeric => kind != Kind::Bool,
            Self::IntegerOrFloat => kind != Kind::Bool && kind != Kind::Complex,
            Self::Real => kind != Kind::Complex,
            Self::IntegerOrBool => kind < Kind::Float,
            Self::Integer => kind == Kind::Unsigned || kind == Kind::Signed,
            Self::Bool => kind == Kind::Bool,
        }
    }

    /// These dtypes in a message.
    pub(crate) fn description(self) -> &'static str {
        match self {
            Self::Any => "any dtype",
            Self::Inexact => "a float or complex dtype",
            Self::Numeric => "a numeric dtype",
            Self::IntegerOrFloat => "an integer or float dtype",
            Self::Real => "a real dtype",
            Self::IntegerOrBool => "an integer dtype or `Bool`",
            Self::Integer => "an integer dtype",
            Self::Bool => "`Bool`",
        }
    }
}

macro_rules! groups {
    (two operands { $($binary:tt)* } one operand { $($unary:tt)* }) => {
        /// Every group, in the order of the tables at run time: first those of two operands.
        pub(crate) const GROUPS: &[Group] = groups!(@rows $($binary)* $($unary)*);
        /// The number of groups with two operands, which promote.
        pub(crate) const BINARY: usize = groups!(@rows $($binary)*).len();
    };
    (@rows $(
        $(#[doc = $doc:literal])+
        $name:ident $(or $default:ident)? => $results:ident $($answer:ident)?: $message:literal, $label:literal $(, $note:literal)?;
    )*) => {
        &[$(Group {
            name: stringify!($name),
            documentation: &[$($doc),+],
            results: Results::$results,
            answers: groups!(@is $($answer)?),
            default: groups!(@note $(stringify!($default))?),
            message: $message,
            label: $label,
            note: groups!(@note $($note)?),
        }),*]
    };
    (@is answer) => { true };
    (@is) => { false };
    (@note $note:expr) => { Some($note) };
    (@note) => { None };
}

// /// Documentation of the trait.
// Name or the group that it follows without a line of its own => what its results can be, and whether they are an answer: "message", "label", "note";
groups! {
    two operands {
        /// `+`, `scatter_add` and `diff`.
        Add => Any: "`+` is not defined on `{Self}` under `{R}` rules", "cannot be added",
            "cast both sides first, e.g. `.cast::<I32>()`";
        /// `-` between two tensors.
        Subtract => Numeric: "`-` is not defined on `{Self}` under `{R}` rules", "cannot be subtracted",
            "of booleans, `^` says where they differ; or cast both sides first, e.g. `.cast::<I32>()`";
        /// `*`.
        Multiply => Any: "`*` is not defined on `{Self}` under `{R}` rules", "cannot be multiplied",
            "cast both sides first, e.g. `.cast::<I32>()`";
        /// True division `/`, `density` and `interp`.
        Divide => Inexact: "`/` is not defined on `{Self}` under `{R}` rules", "cannot divide",
            "for integers there is `.floor_div(..)`; or cast to a float dtype first, e.g. `.cast::<F32>()`, under rules without floats `.cast::<F32>().with_rules::<Jax>()`";
        /// Floor division and the remainder `%`.
        FloorDivide => IntegerOrFloat: "floor division and `%` are not defined on `{Self}` under `{R}` rules", "no floor here",
            "complex numbers have no floor; divide with `/`";
        /// Powers.
        Power => Numeric: "powers are not defined on `{Self}` under `{R}` rules", "has no powers";
        /// `atan2`, and the other functions of two floats: `hypot`, `log_add_exp`, `copysign`, `next_after`, `leaky_relu` and `elu`.
        Atan2 => Inexact: "`atan2`, `hypot`, `log_add_exp`, `copysign`, `next_after`, `leaky_relu` and `elu` are not defined on `{Self}` under `{R}` rules",
            "no float for these dtypes", "cast to a float dtype first, e.g. `.cast::<F32>()`, under rules without floats `.cast::<F32>().with_rules::<Jax>()`";
        /// `minimum`, `maximum`, `clamp`, `relu`, `scatter_max` and `scatter_min`.
        MinMax => Real: "`minimum`, `maximum`, `clamp` and `relu` are not defined on `{Self}` under `{R}` rules", "cannot be ordered",
            "of complex numbers compare a part: `.real()`, `.imag()` or `.abs()`";
        /// `&`, `|` and `^`.
        Bitwise => IntegerOrBool: "bitwise operators are not defined on `{Self}` under `{R}` rules", "not an integer or boolean dtype",
            "compare first to get booleans, e.g. `a.gt(0.0) & b.gt(0.0)`, which in `fuse!` needs brackets, `(a > 0.0) & (b > 0.0)`; elements under a mask are `select(&mask, &a, 0.0)`; or cast to an integer dtype, e.g. `.cast::<I32>()`; a power is `a.pow(2)`";
        /// `<<` and `>>`.
        Shift => Integer: "shifts are not defined on `{Self}` under `{R}` rules", "not an integer dtype",
            "cast to an integer dtype first, e.g. `.cast::<I32>()`";
        /// `==` and `!=` by element.
        Equality => Bool answer: "`{Self}` cannot be compared under `{R}` rules", "no equality";
        /// `<`, `<=`, `>` and `>=` by element.
        Ordering => Bool answer: "`{Self}` has no order under `{R}` rules", "cannot be ordered",
            "of complex numbers compare a part: `.real()`, `.imag()` or `.abs()`; equality works: `.equal(..)`";
        /// `select` between the elements of two tensors, and `concat` along an axis.
        Join => Any: "`select` and `concat` are not defined on `{Self}` under `{R}` rules", "cannot be joined";
        /// Matrix products and convolutions.
        MatrixMultiply => Any: "`matmul` and `dot` are not defined on `{Self}` under `{R}` rules", "cannot be multiplied";
    }
    one operand {
        /// Negation, the operator `-`.
        Negate => Numeric: "negation is not defined on `{Self}` under `{R}` rules", "cannot be negated",
            "of booleans, `!` is the opposite; or cast first, e.g. `.cast::<I32>()`";
        /// `sign`.
        Sign => Any: "`sign` is not defined on `{Self}` under `{R}` rules", "has no sign",
            "booleans have no sign; cast first, e.g. `.cast::<I32>()`";
        /// Rounding half to even.
        Round => Any: "`round` is not defined on `{Self}` under `{R}` rules", "cannot be rounded";
        /// `floor`, `ceil` and `trunc`.
        Floor => Real: "`floor`, `ceil` and `trunc` are not defined on `{Self}` under `{R}` rules", "no floor here",
            "of complex numbers take a part first: `.real()`, `.imag()` or `.abs()`";
        /// The operator `!`: logical not of a boolean, bitwise not of an integer.
        Invert => IntegerOrBool: "`!` is not defined on `{Self}` under `{R}` rules", "not an integer or boolean dtype",
            "compare first to get booleans, e.g. `a.equal(0.0)`, which in `fuse!` needs brackets, `!(a == b)`; or cast to an integer dtype, e.g. `.cast::<I32>()`";
        /// `sqrt`, `exp`, `ln`, `sin`, `tanh` and the other functions whose results are float or complex.
        UnaryFloat => Inexact: "float functions are not defined on `{Self}` under `{R}` rules", "no float for this dtype",
            "cast to a float dtype first, e.g. `.cast::<F32>()`, under rules without floats `.cast::<F32>().with_rules::<Jax>()`";
        /// The activations `gelu`, `gelu_tanh`, `silu` and `softplus`, and `softmax` and `log_softmax`, which PyTorch defines on floats
        /// only. A rule set without a line of it follows `UnaryFloat`.
        Activation or UnaryFloat => Inexact: "`gelu`, `silu`, `softmax` and the like are not defined on `{Self}` under `{R}` rules",
            "no activation of this dtype", "cast to a float dtype first, e.g. `.cast::<F32>()`, under rules without floats `.cast::<F32>().with_rules::<Jax>()`";
        /// `1 / x`.
        Reciprocal => Any: "`recip` is not defined on `{Self}` under `{R}` rules", "no reciprocal";
        /// The absolute value, and the real and the imaginary part.
        Absolute => Any: "`abs`, `real` and `imag` are not defined on `{Self}` under `{R}` rules", "no absolute value";
        /// Tests whether elements are NaN, infinite or finite.
        FloatClass => Bool answer: "`is_nan` and the like are not defined on `{Self}` under `{R}` rules", "no float";
        /// The reductions `sum`, `prod`, `nan_sum` and `nan_prod`, and `trace`.
        Sum => Any: "`sum`, `prod`, `nan_sum` and `nan_prod` are not defined on `{Self}` under `{R}` rules", "cannot be summed";
        /// The cumulative sum and product.
        CumulativeSum => Any: "`cumsum` and `cumprod` are not defined on `{Self}` under `{R}` rules", "cannot be summed";
        /// The reductions `mean`, `nan_mean`, `median` and `quantile`.
        Mean => Any: "`mean` and `nan_mean` are not defined on `{Self}` under `{R}` rules", "has no mean",
            "cast to a float dtype first, e.g. `.cast::<F32>()`, under rules without floats `.cast::<F32>().with_rules::<Jax>()`";
        /// The reductions `var`, `std`, `nan_var`, `nan_std` and `norm`.
        Variance => Any: "`var`, `std` and `norm` are not defined on `{Self}` under `{R}` rules", "has no variance",
            "cast to a float dtype first, e.g. `.cast::<F32>()`, under rules without floats `.cast::<F32>().with_rules::<Jax>()`";
        /// The reductions `min`, `max`, `nan_min` and `nan_max`, and the scans `cummin` and `cummax`.
        MinMaxReduce => Real: "`min`, `max` and the like are not defined on `{Self}` under `{R}` rules", "has no order",
            "of complex numbers take a part first: `.real()`, `.imag()` or `.abs()`";
        /// The reductions `argmin`, `argmax`, `nan_argmin` and `nan_argmax`, and other positions and counts: `argsort`, `top_k`, `searchsorted`, `unique`, `bincount`
        /// and `histogram`.
        ArgMinMax => Integer answer: "`argmin` and `argmax` are not defined on `{Self}` under `{R}` rules", "has no order",
            "of complex numbers take a part first: `.real()`, `.imag()` or `.abs()`";
        /// The reductions `any` and `all`.
        AnyAll => Any answer: "`any` and `all` are not defined on `{Self}` under `{R}` rules", "has no truth value";
    }
}

/// Returns the position of the group of that name.
pub(crate) fn position(name: &str) -> Option<usize> {
    GROUPS.iter().position(|group| group.name == name)
}

/// The names of all groups, for messages.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    GROUPS.iter().map(|group| group.name)
}

/// `callback! { two operands { row .. } one operand { row .. } }` with the rows as
/// `/// documentation` and `Name: "message", "label", "note";`.
///
/// Input: `callback`.
pub fn with_operations(callback: &TokenStream) -> TokenStream {
    let row = |group: &Group| {
        let Group {
            documentation,
            message,
            label,
            ..
        } = group;
        let name = Ident::new(group.name, Span::call_site());
        let bound = match group.name {
            "Add" | "Subtract" | "Multiply" | "Negate" | "Equality" | "Join" => Some("Arithmetic"),
            "Divide" | "Power" | "MatrixMultiply" | "MinMax" | "UnaryFloat" | "Activation"
            | "Reciprocal" | "Sum" | "Mean" | "Variance" | "MinMaxReduce" | "Ordering"
            | "Absolute" | "Sign" | "Floor" | "Round" | "FloorDivide" | "Atan2" | "FloatClass"
            | "CumulativeSum" => Some("Floating"),
            _ => None,
        };
        let bound = bound.map(|bound| {
            let integers = match group.name {
                // An `I32` has a sum of the dtype `I64`, so `Floating` and `Arithmetic` do not say it.
                "Sum" => "; for integers too `D: StaticDType + supremum::operations::Sum<{R}>`, with `.sum().cast::<D>()`",
                _ => "",
            };
            format!("generic code states a bound (more than `help` proposes): `D: {bound}`, of a promotion `A: SafePromote<B, Output: {bound}>`, of `promote` `(A, B): SafeCommon<Output: {bound}>`{integers}; with other rules than `Jax`, or a rank parameter, `D: {bound}<R, N>` and `(A, B): SafeCommon<R, Output: {bound}<R, N>>`")
        });
        let bound = bound.or((group.name == "ArgMinMax").then(|| {
            "generic code states it beside the other bounds, with the dtype of positions (more than `help` proposes): `D: Floating + supremum::operations::ArgMinMax<{R}, Output = I64>`".to_owned()
        }));
        let notes: Vec<_> = group
            .note
            .map(str::to_owned)
            .into_iter()
            .chain(bound)
            .collect();
        let notes = notes.join("; ");
        let note = (!notes.is_empty()).then(|| quote!(, #notes));
        quote!(#(#[doc = #documentation])* #name: #message, #label #note;)
    };
    let (binary, unary) = GROUPS.split_at(BINARY);
    let (binary, unary) = (binary.iter().map(row), unary.iter().map(row));
    quote!(#callback! { two operands { #(#binary)* } one operand { #(#unary)* } })
}
