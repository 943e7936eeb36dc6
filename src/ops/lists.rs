//! The lists of operations. The methods of typed, fused and dynamic tensors are all generated from them. The functions of one
//! operand have their rows in `op/unary.rs`, reductions in `op/reduction.rs`.
//!
//! A list is a macro that calls `$consumer!` with its own arguments, then all entries. An entry has the documentation,
//! the names, the kernel and the group of operations, and in braces an example for [`Tensor`](crate::Tensor).

/// Operations on two operands: `try_name: kernel, group, form {}`; the form is the operator with its assigning
/// operator, or the panicking method.
macro_rules! each_binary {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Adds by element: the operator `+`, fallible. Integers wrap; on booleans it is or.
            ///
            /// The result has the promoted dtype and the broadcast shape. The operands are cast first, then
            /// added.
            try_add: Add, Add, [operator Add::add "+" AddAssign::add_assign "+="] {
                /// ```
                /// use supremum::{Error, I8, I16, U8, Tensor, tensor};
                /// let a: Tensor<I8> = tensor![-128, 127];
                /// let b: Tensor<U8> = tensor![255, 1];
                /// let sum: Tensor<I16> = a.try_add(&b)?;
                /// assert_eq!(sum.to_vec(), [127, 128]);
                /// let three: Tensor<U8> = tensor![1, 2, 3];
                /// assert!(matches!(a.try_add(&three), Err(Error::ShapeMismatch { .. })));
                /// assert!(matches!(b.try_add(300), Err(Error::LiteralOutOfRange { .. })));
                /// # Ok::<(), Error>(())
                /// ```
            }
            /// Subtracts by element: the operator `-`, fallible. Integers wrap; not defined between booleans.
            try_sub: Sub, Subtract, [operator Sub::sub "-" SubAssign::sub_assign "-="] {}
            /// Multiplies by element: the operator `*`, fallible. Integers wrap; on booleans it is and.
            try_mul: Mul, Multiply, [operator Mul::mul "*" MulAssign::mul_assign "*="] {}
            /// True division by element: the operator `/`, fallible. The result is inexact: dividing two
            /// `I32` gives `F32` under JAX's rules. Division by zero gives an infinity or NaN.
            try_div: Div, Divide, [operator Div::div "/" DivAssign::div_assign "/="] {
                /// ```
                /// use supremum::{F32, I32, Tensor, tensor};
                /// let a: Tensor<I32> = tensor![7, -1];
                /// let quotient: Tensor<F32> = a.try_div(2)?;
                /// assert_eq!(quotient.to_vec(), [3.5, -0.5]);
                /// # Ok::<(), supremum::Error>(())
                /// ```
            }
            /// The remainder of floor division by element, with the sign of the divisor, as in Python: the
            /// operator `%`, fallible.
            try_rem: Rem, FloorDivide, [operator Rem::rem "%" RemAssign::rem_assign "%="] {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let a: Tensor<I32> = tensor![7, -7];
                /// assert_eq!(a.try_rem(3)?.to_vec(), [1, 2]);
                /// assert!(a.try_rem(0).is_err());
                /// # Ok::<(), supremum::Error>(())
                /// ```
            }
            /// Division rounded down, by element.
            try_floor_div: FloorDiv, FloorDivide, [method floor_div] {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let a: Tensor<I32> = tensor![7, -7];
                /// assert_eq!(a.floor_div(2).to_vec(), [3, -4]);
                /// ```
            }
            /// And by element, on integers by bit: the operator `&`, fallible.
            try_bitand: And, Bitwise, [operator BitAnd::bitand "&" BitAndAssign::bitand_assign "&="] {}
            /// Or by element, on integers by bit: the operator `|`, fallible.
            try_bitor: Or, Bitwise, [operator BitOr::bitor "|" BitOrAssign::bitor_assign "|="] {}
            /// Exclusive or by element, on integers by bit: the operator `^`, fallible.
            try_bitxor: Xor, Bitwise, [operator BitXor::bitxor "^" BitXorAssign::bitxor_assign "^="] {}
            /// Shifts left by element: the operator `<<`, fallible. Shifting by the width or more (or by a
            /// negative count) gives 0.
            try_shl: Shl, Shift, [operator Shl::shl "<<" ShlAssign::shl_assign "<<="] {}
            /// Shifts right by element: the operator `>>`, fallible. Signed integers keep their sign;
            /// shifting by the width or more (or by a negative count) leaves 0 or -1.
            try_shr: Shr, Shift, [operator Shr::shr ">>" ShrAssign::shr_assign ">>="] {}
            /// The angle of the point `(rhs, self)` in radians, by element, within -pi to pi.
            try_atan2: Atan2, Atan2, [method atan2] {
                /// ```
                /// use supremum::{F64, Tensor, tensor};
                /// let y: Tensor<F64> = tensor![1.0, -1.0];
                /// let x: Tensor<F64> = tensor![0.0, 0.0];
                /// let angle = y.atan2(&x);
                /// assert_eq!(angle.to_vec(), [std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2]);
                /// ```
            }
            /// The smaller of two, by element; NaN if either is.
            try_minimum: Min, MinMax, [method minimum] {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![-1.5, 0.5];
                /// assert_eq!(t.minimum(0.0).to_vec(), [-1.5, 0.0]);
                /// ```
            }
            /// The greater of two, by element; NaN if either is.
            try_maximum: Max, MinMax, [method maximum] {}
            /// Each element to the power of the exponent's.
            ///
            /// A float or complex base keeps its dtype if the exponent is an integer; otherwise the operands
            /// promote. Integers wrap. Small floats with integer exponents are computed in `f64` and
            /// rounded at the end.
            try_pow: Pow, Power, [method pow] {
                /// ```
                /// use supremum::{F16, I32, Rank1, Tensor, f16, tensor};
                /// let base: Tensor<F16, Rank1> = tensor![-1.5, 2.0];
                /// let exponent: Tensor<I32, Rank1> = tensor![3, -1];
                /// let power: Tensor<F16, Rank1> = base.pow(&exponent); // an integer exponent does not promote
                /// assert_eq!(power.to_vec(), [f16::from_f32(-3.375), f16::from_f32(0.5)]);
                /// ```
            }
        }
    };
}

/// Comparisons by element: `name, try_name: kernel, group {}`.
macro_rules! each_comparison {
    ($consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Whether elements are equal; NaN equals nothing.
            equal, try_equal: Eq, Equality {
                /// ```
                /// use supremum::{Bool, F32, I16, Tensor, tensor};
                /// let a: Tensor<I16> = tensor![1, 2];
                /// let b: Tensor<F32> = tensor![1.0, 2.5];
                /// let equal: Tensor<Bool> = a.equal(&b);
                /// assert_eq!(equal.to_vec(), [true, false]);
                /// ```
            }
            /// Whether elements differ; NaN differs from everything.
            not_equal, try_not_equal: Ne, Equality {}
            /// Whether elements are less; false beside NaN.
            lt, try_lt: Lt, Ordering {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let t: Tensor<I32> = tensor![1, 2, 3];
                /// assert_eq!(t.lt(2).to_vec(), [true, false, false]);
                /// ```
            }
            /// Whether elements are less or equal; false beside NaN.
            le, try_le: Le, Ordering {}
            /// Whether elements are greater; false beside NaN.
            gt, try_gt: Gt, Ordering {}
            /// Whether elements are greater or equal; false beside NaN.
            ge, try_ge: Ge, Ordering {}
        }
    };
}

pub(crate) use {each_binary, each_comparison};
