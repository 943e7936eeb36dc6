//! Operations on two operands of one dtype, by element: a row for each.
//!
//! Everything that the library has for an operation comes from its row, as for a function of one operand (`unary.rs`):
//! the variant of `BinaryOp` with its cost (`kernel/binary/op.rs`), what it does to an element (`ComputeType`), the eager
//! loops, the types of compiled expressions (`kernel/fused/operations.rs`), and the methods and operators of `Tensor`,
//! `DynTensor` and `fuse!`. The names that `fuse!` knows come from the rows too (`fuse/words.rs`). Only the form of the
//! operation in StableHLO is in another file, `trace/lowering/binary.rs` (the compiler names a missing one).
//!
//! # A row
//!
//! ```text
//! /// Documentation of the method that returns a `Result`.
//! name try_name: Variant "name in messages", Group + Bound, cost, [form] {
//!     kind: loop |a, b| what it does to two elements;
//! } { /// Example. }
//! ```
//!
//! The operation is computed in the dtype of the result (but see `ops/compute.rs` for powers). `Group`, `Bound`, cost and kinds are
//! those of `unary.rs`. The form is `method`, for a method `name` that panics beside the `try_` form, or `operator Trait "symbol"
//! AssigningTrait::method "symbol"`; `name` is then the operator's method. The loops:
//!
//! - `map`: vectorised for each instruction set;
//! - `long`: the same, for functions of so many steps that LLVM does not inline them as closures. Their code can name the instruction set
//!   of the loop, `I`; eager loops of the other kinds pass the baseline;
//! - `power` and `quotient`: the same, with a shorter loop for packs of usual powers (`ComputeType::is_usual_power`) and of short quotients
//!   (`ComputeType::has_short_quotient`);
//! - `unit`: the same, with a shorter loop for packs whose second operand is one;
//! - `bits`: as `map`, of the unsigned integer of that size, so that `I8`, `U8` and `Bool` share one;
//! - `element`: vectorised, of the elements themselves: small floats are not computed in `f32`. `Format` has a function of that
//!   name, which calls the row's code except for small floats;
//! - `short`: divisions of integers, vectorised up to 32 bits, with a shorter loop for a divisor that all have (`kernel/binary/division.rs`);
//! - `each`: plain, one pair after the other, for operations that branch or call a library.
//!
//! `BinaryOp::check` says which right operands of integers are errors.

/// Calls `$consumer!` with the tokens behind it and then a row for each operation, of one of these forms.
///
/// - `kernels`: `name: Variant "name", cost => Itself { kind: loop |a, b| code; .. }`, as functions of one operand
/// - `methods`: documentation, `name try_name: Variant, Group + Bound, [form] { example }`
macro_rules! each_binary {
    (kernels $consumer:ident! $($more:tt)*) => {
        each_binary! { @rows each_binary! @kernels [$consumer! $($more)*] }
    };
    (methods $consumer:ident! $($more:tt)*) => {
        each_binary! { @rows each_binary! @methods [$consumer! $($more)*] }
    };
    (@rows $consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            /// Adds element by element: the operator `+`, fallible. Integers wrap; the sum of booleans is their `or`.
            ///
            /// The result has the promoted dtype and the broadcast shape. The operands are cast first, then
            /// added.
            add try_add: Add "add", Add, 1, [operator Add "+" AddAssign::add_assign "+="] {
                bool: map |a, b| Self(a.0 | b.0);
                unsigned: map |a, b| a.wrapping_add(b);
                signed: bits |a, b| a.wrapping_add(b);
                float: map |a, b| a + b;
                complex: map |a, b| Self::new(a.re + b.re, a.im + b.im);
            } {
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
            /// Subtracts element by element: the operator `-`, fallible. Integers wrap. Booleans have no difference.
            sub try_sub: Sub "sub", Subtract, 1, [operator Sub "-" SubAssign::sub_assign "-="] {
                unsigned: map |a, b| a.wrapping_sub(b);
                signed: bits |a, b| a.wrapping_sub(b);
                float: map |a, b| a - b;
                complex: map |a, b| Self::new(a.re - b.re, a.im - b.im);
            } {}
            /// Multiplies element by element: the operator `*`, fallible. Integers wrap; the product of booleans is their `and`.
            mul try_mul: Mul "mul", Multiply, 1, [operator Mul "*" MulAssign::mul_assign "*="] {
                bool: map |a, b| Self(a.0 & b.0);
                unsigned: map |a, b| a.wrapping_mul(b);
                signed: bits |a, b| a.wrapping_mul(b);
                float: map |a, b| a * b;
                complex: map |a, b| arithmetic::complex_mul(a, b);
            } {}
            /// True division, element by element: the operator `/`, fallible. The quotient of integers is a float: of two `I32` it is
            /// `F32` under JAX's rules. Division by zero gives an infinity or NaN.
            div try_div: Div "div", Divide, 1, [operator Div "/" DivAssign::div_assign "/="] {
                unsigned: short |a, b| arithmetic::truncated_div(a, b);
                signed: short |a, b| arithmetic::truncated_div(a, b);
                float: map |a, b| a / b;
                complex: map |a, b| arithmetic::complex_div(a, b);
            } {
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
            rem try_rem: Rem "rem", FloorDivide, 4, [operator Rem "%" RemAssign::rem_assign "%="] {
                unsigned: short |a, b| Divide::floor_rem(a, b);
                signed: short |a, b| Divide::floor_rem(a, b);
                float: quotient |a, b| Divide::floor_rem(a, b);
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let a: Tensor<I32> = tensor![7, -7];
                /// assert_eq!(a.try_rem(3)?.to_vec(), [1, 2]);
                /// assert!(a.try_rem(0).is_err());
                /// # Ok::<(), supremum::Error>(())
                /// ```
            }
            /// Divides and rounds down, element by element.
            floor_div try_floor_div: FloorDiv "floor_div", FloorDivide, 4, [method] {
                unsigned: short |a, b| Divide::floor_div(a, b);
                signed: short |a, b| Divide::floor_div(a, b);
                float: quotient |a, b| Divide::floor_div(a, b);
            } {
                /// ```
                /// use supremum::{I32, Tensor, tensor};
                /// let a: Tensor<I32> = tensor![7, -7];
                /// assert_eq!(a.floor_div(2).to_vec(), [3, -4]);
                /// ```
            }
            /// `and` of booleans, or of the bits of integers, element by element: the operator `&`, fallible.
            bitand try_bitand: And "bitand", Bitwise, 1, [operator BitAnd "&" BitAndAssign::bitand_assign "&="] {
                bool: bits |a, b| Self(a.0 & b.0);
                unsigned: map |a, b| a & b;
                signed: bits |a, b| a & b;
            } {}
            /// `or` of booleans, or of the bits of integers, element by element: the operator `|`, fallible.
            bitor try_bitor: Or "bitor", Bitwise, 1, [operator BitOr "|" BitOrAssign::bitor_assign "|="] {
                bool: bits |a, b| Self(a.0 | b.0);
                unsigned: map |a, b| a | b;
                signed: bits |a, b| a | b;
            } {}
            /// Exclusive `or` of booleans, or of the bits of integers, element by element: the operator `^`, fallible.
            bitxor try_bitxor: Xor "bitxor", Bitwise, 1, [operator BitXor "^" BitXorAssign::bitxor_assign "^="] {
                bool: bits |a, b| Self(a.0 ^ b.0);
                unsigned: map |a, b| a ^ b;
                signed: bits |a, b| a ^ b;
            } {}
            /// Shifts left, element by element: the operator `<<`, fallible. A shift by the width or more, or by a negative count, gives 0.
            shl try_shl: Shl "shl", Shift, 1, [operator Shl "<<" ShlAssign::shl_assign "<<="] {
                unsigned: map |a, b| arithmetic::shl(a, b);
                signed: bits |a, b| arithmetic::shl(a, b);
            } {}
            /// Shifts right, element by element: the operator `>>`, fallible. Signed integers keep their sign. A shift by the width or more,
            /// or by a negative count, gives 0 or -1.
            shr try_shr: Shr "shr", Shift, 1, [operator Shr ">>" ShrAssign::shr_assign ">>="] {
                unsigned: map |a, b| arithmetic::shr(a, b);
                signed: map |a, b| arithmetic::shr(a, b);
            } {}
            /// The angle of the point `(rhs, self)` in radians, by element, within -pi to pi.
            ///
            /// In `F32` the result is within 0.54 units in the last place.
            atan2 try_atan2: Atan2 "atan2", Atan2, 16, [method] {
                float: long |y, x| Functions::atan2(y, x);
                complex: each |y, x| ComplexOperations::atan2(y, x);
            } {
                /// ```
                /// use supremum::{F64, Tensor, tensor};
                /// let y: Tensor<F64> = tensor![1.0, -1.0];
                /// let x: Tensor<F64> = tensor![0.0, 0.0];
                /// let angle = y.atan2(&x);
                /// assert_eq!(angle.to_vec(), [std::f64::consts::FRAC_PI_2, -std::f64::consts::FRAC_PI_2]);
                /// ```
            }
            /// The smaller of two, by element; NaN if either is.
            minimum try_minimum: Min "minimum", MinMax, 1, [method] {
                bool: bits |a, b| Self(a.0 & b.0);
                unsigned: map |a, b| a.lesser(b);
                signed: map |a, b| a.lesser(b);
                float: map |a, b| a.lesser(b);
                complex: each |a, b| a.lesser(b);
            } {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![-1.5, 0.5];
                /// assert_eq!(t.minimum(0.0).to_vec(), [-1.5, 0.0]);
                /// ```
            }
            /// The greater of two, by element; NaN if either is.
            maximum try_maximum: Max "maximum", MinMax, 1, [method] {
                bool: bits |a, b| Self(a.0 | b.0);
                unsigned: map |a, b| a.greater(b);
                signed: map |a, b| a.greater(b);
                float: map |a, b| a.greater(b);
                complex: each |a, b| a.greater(b);
            } {}
            /// The length of the vector `(self, rhs)`, by element: the square root of the sum of the squares, which do not
            /// overflow. Infinite if either is, even beside NaN.
            ///
            /// In `F32` the result is within 0.51 units in the last place.
            hypot try_hypot: Hypot "hypot", Atan2 + RealDType, 16, [method] {
                float: long |a, b| Functions::hypot(a, b);
            } {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let x: Tensor<F32> = tensor![3.0, 3e38];
                /// let y: Tensor<F32> = tensor![-4.0, 1e38];
                /// assert_eq!(x.hypot(&y).to_vec(), [5.0, 3.162_277_7e38]);
                /// ```
            }
            /// `ln(exp(self) + exp(rhs))` by element, without overflow: the sum of two numbers whose logarithms these are.
            ///
            /// In `F32` the result is within one unit in the last place of the result or of the greater operand, whichever is larger.
            log_add_exp try_log_add_exp: LogAddExp "log_add_exp", Atan2 + RealDType, 32, [method] {
                float: long |a, b| Functions::log_add_exp(a, b);
            } {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let a: Tensor<F32> = tensor![0.0, 1000.0, 0.0];
                /// let b: Tensor<F32> = tensor![0.0, -1000.0, f32::NEG_INFINITY];
                /// assert_eq!(a.log_add_exp(&b).to_vec(), [std::f32::consts::LN_2, 1000.0, 0.0]);
                /// ```
            }
            /// The magnitude of this element with the sign of the other, element by element; also of NaN, infinities and zeros.
            copysign try_copysign: CopySign "copysign", Atan2 + RealDType, 1, [method] {
                float: map |size, sign| size.copysign(sign);
            } {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![1.5, -0.5];
                /// assert_eq!(t.copysign(-0.0).to_vec(), [-1.5, -0.5]);
                /// ```
            }
            /// The next number of the result's dtype from this element towards the other, element by element. If both are equal, it is the
            /// other; if either is NaN, it is NaN. After the greatest number comes infinity, if the dtype has it.
            next_after try_next_after: NextAfter "next_after", Atan2 + RealDType, 1, [method] {
                float: element |x, towards| Float::next_after(x, towards);
            } {
                /// ```
                /// use supremum::{BF16, Tensor, bf16, tensor};
                /// let t: Tensor<BF16> = tensor![1.0, 0.0];
                /// let next = t.next_after(2.0);
                /// assert_eq!(next.to_vec(), [bf16::from_f32(1.0 + 1.0 / 128.0), bf16::MIN_POSITIVE_SUBNORMAL]);
                /// ```
            }
            /// The element where it is not negative, else the element times the slope: `x.leaky_relu(0.01)`. A tensor of slopes makes
            /// PyTorch's `prelu`. NaN stays NaN.
            leaky_relu try_leaky_relu: LeakyRelu "leaky_relu", Atan2 + RealDType, 1, [method] {
                float: map |x, slope| if x >= 0.0 { x } else { slope * x };
            } {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![-2.0, 0.0, 3.0];
                /// assert_eq!(t.leaky_relu(0.5).to_vec(), [-1.0, 0.0, 3.0]);
                /// ```
            }
            /// The exponential linear unit: the element where it is not negative, else `alpha * (exp(x) - 1)`.
            /// PyTorch's and JAX's default is `x.elu(1.0)`. NaN stays NaN. In `F32` the result is within 0.9 units in
            /// the last place.
            elu try_elu: Elu "elu", Atan2 + RealDType, 32, [method] {
                float: unit |x, alpha| Functions::elu::<I>(x, alpha);
            } {
                /// ```
                /// use supremum::{F32, Tensor, tensor};
                /// let t: Tensor<F32> = tensor![f32::NEG_INFINITY, -1.0, 0.0, 3.0];
                /// assert_eq!(t.elu(1.0).to_vec(), [-1.0, -0.632_120_55, 0.0, 3.0]);
                /// ```
            }
            /// Raises each element to the power of the exponent's element.
            ///
            /// A float or complex base keeps its dtype if the exponent is an integer; otherwise the operands
            /// promote. Integers wrap. Small floats with integer exponents are computed in `f64` and
            /// rounded at the end. The square of a real number is the product `x * x`, and as fast. By the integers 3, 4, -1 and -2, floats of
            /// at most 32 bits take two products and a quotient at most, with the same results as by other exponents.
            /// Powers of complex numbers by these integers and by 2 are products and quotients too, and by one half square roots.
            ///
            /// In `F32` the result is within 0.6 units in the last place.
            pow try_pow: Pow "pow", Power, 16, [method] {
                unsigned: power |a, b| arithmetic::integer_pow(a, b);
                signed: power |a, b| arithmetic::integer_pow(a, b);
                float: power |a, b| Functions::pow(a, b);
                complex: each |a, b| ComplexOperations::pow(a, b);
            } {
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
    (@kernels [$consumer:ident! $($more:tt)*]
        $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $Op:ident $text:literal, $group:ident $(+ $Bound:ident)?, $cost:literal, $form:tt $kinds:tt $example:tt)*
    ) => {
        $consumer! { $($more)* $($name: $Op $text, $cost => Itself $kinds)* }
    };
    (@methods [$consumer:ident! $($more:tt)*]
        $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $Op:ident $text:literal, $group:ident $(+ $Bound:ident)?, $cost:literal, $form:tt $kinds:tt $example:tt)*
    ) => {
        $consumer! { $($more)* $($(#[doc = $doc])+ $name $try_name: $Op, $group $(+ $Bound)?, $form $example)* }
    };
}

pub(crate) use each_binary;
