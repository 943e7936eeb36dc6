//! What each operation makes of a dtype, beyond promotion.
//!
//! Every binary operation first promotes its operands; what it then makes of the promoted dtype,
//! and what every unary operation and reduction makes of its operand's, is a table of the rule set,
//! written in the `operations` part of [`promotion_rules!`](crate::promotion_rules). The compiler
//! reads it as one trait for each group of operations that share a table, the dynamic API as
//! [`RuleSet::operation`](super::RuleSet::operation).
//!
//! The parameter of the traits is [`Rules::Operations`](super::Rules::Operations): the rule set whose
//! table is followed.

use crate::dtype::StaticDType;

macro_rules! operations {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $message:literal, $label:literal $(, $note:literal)?;
    )*) => {
        /// A group of operations that share a table.
        // Hidden for the reason that `DType` is.
        #[cfg_attr(not(doc), doc(hidden))]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Operation {
            $($(#[doc = $doc])+ $name,)*
        }

        impl Operation {
            /// Every group.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name of the group.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name)),* }
            }

            #[allow(clippy::as_conversions, reason = "a fieldless enum to its discriminant")]
            pub(crate) const fn index(self) -> usize {
                self as usize
            }
        }

        $(
            $(#[doc = $doc])+
            ///
            /// Implemented by every dtype on which the rules `R` define it.
            #[diagnostic::on_unimplemented(message = $message, label = $label $(, note = $note)?)]
            pub trait $name<R> {
                /// The dtype of the result.
                type Output: StaticDType;
            }
        )*
    };
}

operations! {
    /// `-` between two tensors.
    Subtract: "`-` is not defined on `{Self}` under `{R}` rules", "booleans do not subtract",
        "use `^` for where they differ, or cast both sides first, e.g. `.cast::<I32>()`";
    /// True division `/`, and `atan2`.
    Divide: "`/` is not defined on `{Self}` under `{R}` rules", "cannot divide";
    /// Floor division and the remainder `%`.
    FloorDivide: "floor division and `%` are not defined on `{Self}` under `{R}` rules", "no floor here",
        "complex numbers have no floor; divide with `/`";
    /// `&`, `|`, `^` and `!`.
    Bitwise: "bitwise operators are not defined on `{Self}` under `{R}` rules", "not an integer or boolean dtype",
        "compare first to get booleans, e.g. `a.gt(0.0) & b.gt(0.0)`, or cast to an integer dtype";
    /// `<<` and `>>`.
    Shift: "shifts are not defined on `{Self}` under `{R}` rules", "not an integer dtype",
        "multiply by a power of two instead, or cast to an integer dtype";
    /// Negation, `sign`, and rounding half to even.
    Negate: "negation, `sign` and `round` are not defined on `{Self}` under `{R}` rules", "booleans have no sign",
        "use `!` for the opposite truth value, or cast first, e.g. `.cast::<I32>()`";
    /// `floor` and `ceil`.
    Floor: "`floor` and `ceil` are not defined on `{Self}` under `{R}` rules", "no floor here";
    /// `sqrt`, `exp`, `ln`, `sin`, `tanh` and the other functions whose results are inexact.
    FloatFunction: "float functions are not defined on `{Self}` under `{R}` rules", "no float for this dtype";
    /// The absolute value.
    Absolute: "`abs` is not defined on `{Self}` under `{R}` rules", "no absolute value";
    /// `==` and `!=` by element, `is_nan` and the like.
    Equality: "`{Self}` cannot be compared under `{R}` rules", "no equality";
    /// `<`, `<=`, `>`, `>=` by element, and with them `min`, `max`, `clamp`, `argmin` and `argmax`.
    Ordering: "`{Self}` has no order under `{R}` rules", "cannot be ordered",
        "compare a real number made of it, e.g. `.abs()`; equality works: `.eq_elements(..)`";
    /// The reductions `sum` and `prod`.
    Sum: "`sum` and `prod` are not defined on `{Self}` under `{R}` rules", "cannot be summed";
    /// The cumulative sum.
    CumulativeSum: "`cumsum` is not defined on `{Self}` under `{R}` rules", "cannot be summed";
    /// The reduction `mean`.
    Mean: "`mean` is not defined on `{Self}` under `{R}` rules", "has no mean";
    /// The reductions `var` and `std`.
    Variance: "`var` and `std` are not defined on `{Self}` under `{R}` rules", "has no variance";
    /// The reductions `min` and `max`.
    Extremum: "`min` and `max` are not defined on `{Self}` under `{R}` rules", "has no order";
    /// The reductions `argmin` and `argmax`.
    ExtremumIndex: "`argmin` and `argmax` are not defined on `{Self}` under `{R}` rules", "has no order";
    /// The reductions `any` and `all`.
    AnyAll: "`any` and `all` are not defined on `{Self}` under `{R}` rules", "has no truth value";
    /// Powers, of the promoted operands; see [`Raise`](super::Raise).
    Power: "powers are not defined on `{Self}` under `{R}` rules", "has no powers";
    /// Matrix products.
    MatrixMultiply: "`matmul` and `dot` are not defined on `{Self}` under `{R}` rules", "cannot be multiplied";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_macros_know_the_same_operations() {
        let names: Vec<_> = Operation::ALL.iter().map(|group| group.name()).collect();
        assert_eq!(names, supremum_macros::operation_names!());
    }
}
