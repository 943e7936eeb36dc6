//! The result dtypes of operations.
//!
//! A binary operation first promotes its operands. Then a table of the rule set maps the promoted dtype to the dtype of
//! the result. The same table maps the operand of unary operations and reductions. It is the `operations` part of
//! [`promotion_rules!`](crate::promotion_rules). The compiler reads it as one trait for each group of operations that
//! share a row, the dynamic API reads it by [`RuleSet::operation`](crate::RuleSet::operation).
//!
//! The traits have the parameter [`Rules::Operations`](crate::Rules::Operations), the rule set whose table applies.

use crate::dtype::StaticDType;

macro_rules! operations {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $message:literal, $label:literal $(, $note:literal)?;
    )*) => {
        /// A group of operations that share a row of the table.
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
    /// `+`.
    Add: "`+` is not defined on `{Self}` under `{R}` rules", "cannot be added";
    /// `-` between two tensors.
    Subtract: "`-` is not defined on `{Self}` under `{R}` rules", "cannot be subtracted",
        "of booleans, `^` says where they differ; or cast both sides first, e.g. `.cast::<I32>()`";
    /// `*`.
    Multiply: "`*` is not defined on `{Self}` under `{R}` rules", "cannot be multiplied";
    /// True division `/`.
    Divide: "`/` is not defined on `{Self}` under `{R}` rules", "cannot divide",
        "for integers there is `.floor_div(..)`; or cast to a float dtype first";
    /// Floor division and the remainder `%`.
    FloorDivide: "floor division and `%` are not defined on `{Self}` under `{R}` rules", "no floor here",
        "complex numbers have no floor; divide with `/`";
    /// Powers.
    Power: "powers are not defined on `{Self}` under `{R}` rules", "has no powers";
    /// `atan2`, and the other functions of two floats: `hypot`, `log_add_exp`, `copysign` and `next_after`.
    Atan2: "`atan2`, `hypot`, `log_add_exp`, `copysign` and `next_after` are not defined on `{Self}` under `{R}` rules",
        "no float for these dtypes", "cast to a float dtype first, e.g. `.cast::<F32>()`";
    /// `minimum`, `maximum` and `clamp`.
    MinMax: "`minimum`, `maximum` and `clamp` are not defined on `{Self}` under `{R}` rules", "cannot be ordered",
        "compare a real number made of it, e.g. `.abs()`";
    /// `&`, `|` and `^`.
    Bitwise: "bitwise operators are not defined on `{Self}` under `{R}` rules", "not an integer or boolean dtype",
        "compare first to get booleans, e.g. `a.gt(0.0) & b.gt(0.0)`, or cast to an integer dtype";
    /// `<<` and `>>`.
    Shift: "shifts are not defined on `{Self}` under `{R}` rules", "not an integer dtype",
        "multiply by a power of two instead, or cast to an integer dtype";
    /// `==` and `!=` by element.
    Equality: "`{Self}` cannot be compared under `{R}` rules", "no equality";
    /// `<`, `<=`, `>` and `>=` by element.
    Ordering: "`{Self}` has no order under `{R}` rules", "cannot be ordered",
        "compare a real number made of it, e.g. `.abs()`; equality works: `.equal(..)`";
    /// `select` between the elements of two tensors, and `concat` along an axis.
    Join: "`select` and `concat` are not defined on `{Self}` under `{R}` rules", "cannot be joined";
    /// Matrix products.
    MatrixMultiply: "`matmul` and `dot` are not defined on `{Self}` under `{R}` rules", "cannot be multiplied";
    /// Negation, the operator `-`.
    Negate: "negation is not defined on `{Self}` under `{R}` rules", "cannot be negated",
        "of booleans, `!` is the opposite; or cast first, e.g. `.cast::<I32>()`";
    /// `sign`.
    Sign: "`sign` is not defined on `{Self}` under `{R}` rules", "has no sign",
        "booleans have no sign; cast first, e.g. `.cast::<I32>()`";
    /// Rounding half to even.
    Round: "`round` is not defined on `{Self}` under `{R}` rules", "cannot be rounded";
    /// `floor`, `ceil` and `trunc`.
    Floor: "`floor`, `ceil` and `trunc` are not defined on `{Self}` under `{R}` rules", "no floor here";
    /// The operator `!`: logical not of a boolean, bitwise not of an integer.
    Invert: "`!` is not defined on `{Self}` under `{R}` rules", "not an integer or boolean dtype",
        "compare first to get booleans, e.g. `a.equal(0.0)`, or cast to an integer dtype";
    /// `sqrt`, `exp`, `ln`, `sin`, `tanh` and the other functions whose results are float or complex.
    UnaryFloat: "float functions are not defined on `{Self}` under `{R}` rules", "no float for this dtype",
        "cast to a float dtype first, e.g. `.cast::<F32>()`";
    /// `1 / x`.
    Reciprocal: "`recip` is not defined on `{Self}` under `{R}` rules", "no reciprocal";
    /// The absolute value, and the real and the imaginary part.
    Absolute: "`abs`, `real` and `imag` are not defined on `{Self}` under `{R}` rules", "no absolute value";
    /// Whether elements are NaN, infinite or finite.
    FloatClass: "`is_nan` and the like are not defined on `{Self}` under `{R}` rules", "no float";
    /// The reductions `sum`, `prod` and `nan_sum`.
    Sum: "`sum`, `prod` and `nan_sum` are not defined on `{Self}` under `{R}` rules", "cannot be summed";
    /// The cumulative sum and product.
    CumulativeSum: "`cumsum` and `cumprod` are not defined on `{Self}` under `{R}` rules", "cannot be summed";
    /// The reductions `mean` and `nan_mean`.
    Mean: "`mean` and `nan_mean` are not defined on `{Self}` under `{R}` rules", "has no mean",
        "cast to a float dtype first, e.g. `.cast::<F32>()`";
    /// The reductions `var` and `std`.
    Variance: "`var` and `std` are not defined on `{Self}` under `{R}` rules", "has no variance",
        "cast to a float dtype first, e.g. `.cast::<F32>()`";
    /// The reductions `min`, `max`, `nan_min` and `nan_max`, and the scans `cummin` and `cummax`.
    MinMaxReduce: "`min`, `max` and the like are not defined on `{Self}` under `{R}` rules", "has no order";
    /// The reductions `argmin` and `argmax`.
    ArgMinMax: "`argmin` and `argmax` are not defined on `{Self}` under `{R}` rules", "has no order";
    /// The reductions `any` and `all`.
    AnyAll: "`any` and `all` are not defined on `{Self}` under `{R}` rules", "has no truth value";
}

impl Operation {
    /// The number of groups with two operands; they come first in [`Self::ALL`].
    pub(crate) const BINARY: usize = Self::MatrixMultiply.index() + 1;

    /// Whether the operations of the group have two operands, which promote.
    pub const fn is_binary(self) -> bool {
        self.index() < Self::BINARY
    }
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
