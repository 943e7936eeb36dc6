//! Functions of one operand, by element: a row for each.
//!
//! Everything that the library has for a function comes from its row: the variant of `UnaryOp` with its cost and its
//! result's dtype (`kernel/unary.rs`), what it does to an element (`ComputeType`), the eager loops, the types of
//! compiled expressions (`kernel/fused/operations.rs`), and the methods of `Tensor`, `DynTensor` and `fuse!`. Only the
//! form of the function in StableHLO is in another file, `trace/lowering/functions.rs` (the compiler names a missing
//! one).
//!
//! # A row
//!
//! ```text
//! /// Documentation of the method.
//! method: Variant "name in messages", Group + Bound, Compute, cost => Result {
//!     kind: loop |x| what it does to an element;
//! } { /// Example. }
//! ```
//!
//! `Group` is the group of operations whose rules give the result's dtype. If the group has a kind of dtype for which
//! the function is not defined, a trait restricts the dtypes (`+ RealDType`). `Compute` says in which dtype the
//! function is computed (a variant of `ops::compute::Compute`). Operators have both from the operator. The cost is in
//! additions; from 16 on, compiled expressions compute the function in advance. `Result` gives the dtype of the result
//! from the compute dtype: `Itself`; its `Part`, the real dtype of a complex one; or `Truth`, a boolean.
//!
//! A kind of dtype without an entry does not have the function. Small floats compute in `f32`. The code is that of a method
//! of the compute type, with `Self` and the names that `dtype/compute/mod.rs` imports. The loops:
//!
//! - `same`: none, because the function is the identity;
//! - `map`: vectorised for each instruction set;
//! - `bits`: the same, of the unsigned integer of that size, so that `I8`, `U8` and `Bool` share one;
//! - `long`: the same, for functions of so many steps that LLVM does not inline them as closures;
//! - `near`: the same, with a shorter loop for packs of numbers that are all near zero (`ComputeType::is_near`); plain for `c128`, whose functions
//!   branch;
//! - `moderate`: the same, with a shorter loop for packs of numbers whose exponentials are all normal numbers (`ComputeType::is_moderate`);
//! - `small`: the same, with a shorter loop for packs of numbers of small magnitude (`ComputeType::is_small`);
//! - `positive`: the same, with a shorter loop for packs of positive normal numbers (`ComputeType::is_positive_normal`);
//! - `each`: plain, one element after the other, for functions that call a library;
//! - `wide`: the same, of complex numbers; `c64` is computed in `c128` and rounded once.

/// Calls `$consumer!` with the tokens behind it and then a row for each function, of one of these forms.
///
/// - `kernels`: all functions, as `method: Variant "name", cost => Result { kind: loop |x| code; .. }`
/// - `methods`: documentation, `method: Variant, Group + Bound, Compute { example }`
/// - `operators`: documentation, `Trait::method try_method: Variant, Group {}`
macro_rules! each_unary {
    (kernels $consumer:ident! $($more:tt)*) => {
        each_unary! { @rows each_unary! @kernels [$consumer! $($more)*] }
    };
    (methods $consumer:ident! $($more:tt)*) => {
        each_unary! { @rows each_unary! @methods [$consumer! $($more)*] }
    };
    (operators $consumer:ident! $($more:tt)*) => {
        each_unary! { @rows each_unary! @operators [$consumer! $($more)*] }
    };
    (@rows $consumer:ident! $($more:tt)*) => {
        $consumer! { $($more)*
            methods {
                /// The square root; NaN below zero.
                sqrt: Sqrt "sqrt", UnaryFloat, Result, 4 => Itself {
                    float: map |x| x.sqrt();
                    complex: map |z| ComplexFunctions::sqrt(z);
                } {
                    /// ```
                    /// use supremum::{F32, I32, Tensor, tensor};
                    /// let t: Tensor<I32> = tensor![4, 9];
                    /// let roots: Tensor<F32> = t.sqrt(); // an inexact dtype, by the rules' `UnaryFloat` table
                    /// assert_eq!(roots.to_vec(), [2.0, 3.0]);
                    /// ```
                }
                /// e to the power of the element.
                ///
                /// In `F32` the result is within 0.65 units in the last place, or within 0.8 below the least normal number.
                exp: Exp "exp", UnaryFloat, Result, 16 => Itself {
                    float: moderate |x| Functions::exp::<I>(x);
                    complex: near |z| ComplexFunctions::exp(z);
                } {}
                /// 2 to the power of the element.
                ///
                /// In `F32` the result is within 0.65 units in the last place, or within 0.8 below the least normal number.
                exp2: Exp2 "exp2", UnaryFloat, Result, 16 => Itself {
                    float: moderate |x| Functions::exp2::<I>(x);
                    complex: wide |z| complex::exp2(z);
                } {}
                /// `exp(x) - 1`, accurate near zero.
                ///
                /// In `F32` the result is within 0.8 units in the last place.
                exp_m1: Expm1 "expm1", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::exp_m1::<I>(x);
                    complex: near |z| ComplexFunctions::exp_m1(z);
                } {}
                /// The natural logarithm; -inf at zero, NaN below.
                ///
                /// In `F32` the result is within 0.75 units in the last place.
                ln: Ln "ln", UnaryFloat, Result, 16 => Itself {
                    float: positive |x| Functions::ln(x);
                    complex: wide |z| complex::ln(z);
                } {}
                /// `ln(1 + x)`, accurate near zero.
                ///
                /// In `F32` the result is within 0.75 units in the last place.
                ln_1p: Log1p "log1p", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::ln_1p(x);
                    complex: wide |z| complex::ln_1p(z);
                } {}
                /// The logarithm to base 2.
                ///
                /// In `F32` the result is within 0.9 units in the last place.
                log2: Log2 "log2", UnaryFloat, Result, 16 => Itself {
                    float: positive |x| Functions::log2(x);
                    complex: wide |z| complex::ln(z) / core::f64::consts::LN_2;
                } {}
                /// The logarithm to base 10.
                ///
                /// In `F32` the result is within 0.75 units in the last place.
                log10: Log10 "log10", UnaryFloat, Result, 16 => Itself {
                    float: positive |x| Functions::log10(x);
                    complex: wide |z| complex::ln(z) / core::f64::consts::LN_10;
                } {}
                /// The sine, of radians.
                ///
                /// In `F32` the result is within 0.51 units in the last place, also for large arguments.
                sin: Sin "sin", UnaryFloat, Result, 16 => Itself {
                    float: near |x| Functions::sin(x);
                    complex: near |z| ComplexFunctions::sin(z);
                } {}
                /// The cosine, of radians.
                ///
                /// In `F32` the result is within 0.51 units in the last place, also for large arguments.
                cos: Cos "cos", UnaryFloat, Result, 16 => Itself {
                    float: near |x| Functions::cos(x);
                    complex: near |z| ComplexFunctions::cos(z);
                } {}
                /// The tangent, of radians.
                ///
                /// In `F32` the result is within 0.51 units in the last place, also for large arguments.
                tan: Tan "tan", UnaryFloat, Result, 16 => Itself {
                    float: near |x| Functions::tan(x);
                    complex: near |z| ComplexFunctions::tan(z);
                } {}
                /// The angle in radians whose sine this is; NaN outside -1 to 1.
                ///
                /// In `F32` the result is within 0.53 units in the last place.
                asin: Asin "asin", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::asin(x);
                    complex: wide |z| complex_inverse::asin(z);
                } {}
                /// The angle in radians whose cosine this is; NaN outside -1 to 1.
                ///
                /// In `F32` the result is within 0.53 units in the last place.
                acos: Acos "acos", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::acos(x);
                    complex: wide |z| complex_inverse::acos(z);
                } {}
                /// The angle in radians whose tangent this is.
                ///
                /// In `F32` the result is within 0.85 units in the last place.
                atan: Atan "atan", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::atan(x);
                    complex: wide |z| complex_inverse::atan(z);
                } {}
                /// The hyperbolic sine.
                ///
                /// In `F32` the result is within 0.9 units in the last place.
                sinh: Sinh "sinh", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::sinh(x);
                    complex: near |z| ComplexFunctions::sinh(z);
                } {}
                /// The hyperbolic cosine.
                ///
                /// In `F32` the result is within 0.85 units in the last place.
                cosh: Cosh "cosh", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::cosh(x);
                    complex: near |z| ComplexFunctions::cosh(z);
                } {}
                /// The hyperbolic tangent.
                ///
                /// In `F32` the result is within 0.89 units in the last place.
                tanh: Tanh "tanh", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::tanh::<I>(x);
                    complex: near |z| ComplexFunctions::tanh(z);
                } {}
                /// The inverse of the hyperbolic sine.
                ///
                /// In `F32` the result is within 0.6 units in the last place.
                asinh: Asinh "asinh", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::asinh(x);
                    complex: wide |z| complex_inverse::asinh(z);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![0.0, 1.0, -1e30];
                    /// assert_eq!(t.asinh().to_vec(), [0.0, 0.881_373_6, -69.770_7]);
                    /// ```
                }
                /// The inverse of the hyperbolic cosine; NaN below one.
                ///
                /// In `F32` the result is within 0.6 units in the last place.
                acosh: Acosh "acosh", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::acosh(x);
                    complex: wide |z| complex_inverse::acosh(z);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![1.0, 2.0, 1e30];
                    /// assert_eq!(t.acosh().to_vec(), [0.0, 1.316_957_9, 69.770_7]);
                    /// ```
                }
                /// The inverse of the hyperbolic tangent; infinite at -1 and 1, NaN outside them.
                ///
                /// In `F32` the result is within 0.6 units in the last place.
                atanh: Atanh "atanh", UnaryFloat, Result, 16 => Itself {
                    float: map |x| Functions::atanh(x);
                    complex: wide |z| complex_inverse::atanh(z);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![0.0, 0.5, -1.0];
                    /// assert_eq!(t.atanh().to_vec(), [0.0, 0.549_306_15, f32::NEG_INFINITY]);
                    /// ```
                }
                /// `1 / (1 + exp(-x))`.
                ///
                /// In `F32` the result is within 0.85 units in the last place.
                sigmoid: Sigmoid "sigmoid", UnaryFloat, Result, 16 => Itself {
                    float: moderate |x| Functions::sigmoid::<I>(x);
                    complex: wide |z| complex::sigmoid(z);
                } {
                    /// ```
                    /// use supremum::{F64, Tensor, tensor};
                    /// let t: Tensor<F64> = tensor![0.0, -1000.0];
                    /// assert_eq!(t.sigmoid().to_vec(), [0.5, 0.0]);
                    /// ```
                }
                /// The element where it is positive, else zero. NaN stays NaN.
                relu: Relu "relu", MinMax, Result, 1 => Itself {
                    bool: same |x| x;
                    unsigned: same |x| x;
                    signed: map |x| x.max(0);
                    float: map |x| if x <= 0.0 { 0.0 } else { x };
                } {
                    /// ```
                    /// use supremum::{I8, Tensor, tensor};
                    /// let t: Tensor<I8> = tensor![-3, 0, 5];
                    /// assert_eq!(t.relu().to_vec(), [0, 0, 5]);
                    /// ```
                }
                /// The Gaussian error linear unit `x / 2 * (1 + erf(x / sqrt(2)))`. At -inf it is -0.
                ///
                /// In `F32` the result is within 1.2 units in the last place.
                gelu: Gelu "gelu", Activation + RealDType, Result, 16 => Itself {
                    float: small |x| Functions::gelu::<I>(x);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![0.0, 1.0, -1.0];
                    /// assert_eq!(t.gelu().to_vec(), [0.0, 0.841_344_77, -0.158_655_26]);
                    /// ```
                }
                /// The approximation of [`Self::gelu`] by `x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))`. At -inf it is -0.
                ///
                /// In `F32` the result is within 0.85 units in the last place.
                gelu_tanh: GeluTanh "gelu_tanh", Activation + RealDType, Result, 16 => Itself {
                    float: small |x| Functions::gelu_tanh::<I>(x);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![0.0, 1.0, -1.0];
                    /// assert_eq!(t.gelu_tanh().to_vec(), [0.0, 0.841_192, -0.158_808_01]);
                    /// ```
                }
                /// The sigmoid linear unit `x / (1 + exp(-x))`, also known as swish. At -inf it is -0.
                ///
                /// In `F32` the result is within 0.8 units in the last place.
                silu: Silu "silu", Activation + RealDType, Result, 16 => Itself {
                    float: moderate |x| Functions::silu::<I>(x);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![0.0, 1.0, -1000.0];
                    /// assert_eq!(t.silu().to_vec(), [0.0, 0.731_058_6, 0.0]);
                    /// ```
                }
                /// `ln(1 + exp(x))`, which does not overflow: `log_add_exp` of the element and zero.
                ///
                /// In `F32` the result is within 0.6 units in the last place.
                softplus: Softplus "softplus", Activation + RealDType, Result, 16 => Itself {
                    float: long |x| Functions::softplus(x);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![0.0, 1000.0, -1000.0];
                    /// assert_eq!(t.softplus().to_vec(), [core::f32::consts::LN_2, 1000.0, 0.0]);
                    /// ```
                }
                /// The error function: `2 / sqrt(pi)` times the integral of `exp(-t * t)` from 0 to x.
                ///
                /// In `F32` the result is within 1 units in the last place.
                erf: Erf "erf", UnaryFloat + RealDType, Result, 16 => Itself {
                    float: long |x| Functions::erf::<I>(x);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![0.0, 1.0, -10.0];
                    /// assert_eq!(t.erf().to_vec(), [0.0, 0.842_700_8, -1.0]);
                    /// ```
                }
                /// `1 / sqrt(x)`, rounded once; infinite at zero, NaN below.
                ///
                /// In `F32` the result is within 0.51 units in the last place.
                rsqrt: Rsqrt "rsqrt", UnaryFloat, Result, 8 => Itself {
                    float: map |x| Functions::rsqrt(x);
                    complex: wide |z| arithmetic::complex_recip(complex::sqrt(z));
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![4.0, 0.0625];
                    /// assert_eq!(t.rsqrt().to_vec(), [0.5, 4.0]);
                    /// ```
                }
                /// The cube root, also of negative numbers.
                ///
                /// In `F32` the result is within 0.51 units in the last place.
                cbrt: Cbrt "cbrt", UnaryFloat + RealDType, Result, 16 => Itself {
                    float: map |x| Functions::cbrt(x);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![27.0, -8.0];
                    /// assert_eq!(t.cbrt().to_vec(), [3.0, -2.0]);
                    /// ```
                }
                /// `1 - erf(x)`, accurate where that is small.
                ///
                /// In `F32` the result is within 0.6 units in the last place.
                erfc: Erfc "erfc", UnaryFloat + RealDType, Result, 16 => Itself {
                    float: long |x| Functions::erfc(x);
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![0.0, -10.0, 5.0];
                    /// assert_eq!(t.erfc().to_vec(), [1.0, 2.0, 1.537_459_8e-12]);
                    /// ```
                }
                /// Rounded to the nearest integer, halves to the even one.
                round: Round "round", Round, Result, 1 => Itself { // to decimals: `(&t * 100.0).round() / 100.0`, not as `help` says
                    bool: same |x| x;
                    unsigned: same |x| x;
                    signed: same |x| x;
                    float: map |x| x.round_ties_even();
                    complex: map |z| Self::new(z.re.round_ties_even(), z.im.round_ties_even());
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![0.5, 1.5, -2.5];
                    /// assert_eq!(t.round().to_vec(), [0.0, 2.0, -2.0]);
                    /// ```
                }
                /// -1, 0 or 1 by the sign; for complex numbers `z / |z|`; NaN stays NaN.
                sign: Sign "sign", Sign, Result, 1 => Itself {
                    bool: bits |x| x;
                    unsigned: bits |x| Self::from(x != 0);
                    signed: map |x| Self::from(x > 0) - Self::from(x < 0);
                    float: map |x| Float::sign(x);
                    complex: each |z| ComplexOperations::sign(z);
                } {}
                /// Rounded down.
                floor: Floor "floor", Floor, Result, 1 => Itself {
                    bool: same |x| x;
                    unsigned: same |x| x;
                    signed: same |x| x;
                    float: map |x| x.floor();
                } {}
                /// Rounded up.
                ceil: Ceil "ceil", Floor, Result, 1 => Itself {
                    bool: same |x| x;
                    unsigned: same |x| x;
                    signed: same |x| x;
                    float: map |x| x.ceil();
                } {}
                /// Rounded towards zero.
                trunc: Trunc "trunc", Floor, Result, 1 => Itself {
                    bool: same |x| x;
                    unsigned: same |x| x;
                    signed: same |x| x;
                    float: map |x| x.trunc();
                } {}
                /// `1 / x`. If the result is an integer, as for integers under NumPy's rules, it is rounded towards zero, and `1 / 0` is the
                /// greatest integer.
                recip: Recip "recip", Reciprocal, Float, 4 => Itself {
                    float: map |x| 1.0 / x;
                    complex: map |z| arithmetic::complex_recip(z);
                } {
                    /// ```
                    /// use supremum::{F32, I32, Numpy, Rank1, Tensor, tensor};
                    /// let t: Tensor<I32> = tensor![4, -2];
                    /// let parts: Tensor<F32> = t.recip();
                    /// assert_eq!(parts.to_vec(), [0.25, -0.5]);
                    /// let t: Tensor<I32, Rank1, Numpy> = tensor![4, -1, 0];
                    /// let parts: Tensor<I32, Rank1, Numpy> = t.recip();
                    /// assert_eq!(parts.to_vec(), [0, -1, i32::MAX]);
                    /// ```
                }
                /// The absolute value; the magnitude of a complex number. The least signed integer stays the same.
                abs: Abs "abs", Absolute, Operand, 1 => Part {
                    bool: same |x| x;
                    unsigned: same |x| x;
                    signed: map |x| x.wrapping_abs();
                    float: map |x| x.abs();
                    complex: map |z| Functions::hypot(z.re, z.im);
                } {
                    /// ```
                    /// use supremum::{C64, F32, Tensor, c64};
                    /// let z = Tensor::<C64>::from_vec(vec![c64::new(3.0, -4.0)], [1])?;
                    /// let length: Tensor<F32> = z.abs();
                    /// assert_eq!(length.to_vec(), [5.0]);
                    /// # Ok::<(), supremum::Error>(())
                    /// ```
                }
                /// The real part; a real number is its own real part.
                real: Real "real", Absolute, Operand, 1 => Part {
                    bool: same |x| x;
                    unsigned: same |x| x;
                    signed: same |x| x;
                    float: same |x| x;
                    complex: map |z| z.re;
                } {
                    /// ```
                    /// use supremum::{C64, F32, Tensor, c64};
                    /// let z = Tensor::<C64>::from_vec(vec![c64::new(3.0, -4.0)], [1])?;
                    /// let (re, im): (Tensor<F32>, Tensor<F32>) = (z.real(), z.imag());
                    /// assert_eq!((re.to_vec(), im.to_vec()), (vec![3.0], vec![-4.0]));
                    /// # Ok::<(), supremum::Error>(())
                    /// ```
                }
                /// The imaginary part; zero for real numbers.
                imag: Imag "imag", Absolute, Operand, 1 => Part {
                    bool: bits |_| Self(0);
                    unsigned: bits |_| 0;
                    signed: bits |_| 0;
                    float: map |_| 0.0;
                    complex: map |z| z.im;
                } {}
                /// Tests whether elements are not a number.
                is_nan: IsNan "is_nan", FloatClass, Operand, 1 => Truth {
                    bool: bits |_| false;
                    unsigned: bits |_| false;
                    signed: bits |_| false;
                    float: map |x| x.is_nan();
                    complex: map |z| z.re.is_nan() | z.im.is_nan();
                } {}
                /// Tests whether elements are infinite.
                is_infinite: IsInf "is_inf", FloatClass, Operand, 1 => Truth {
                    bool: bits |_| false;
                    unsigned: bits |_| false;
                    signed: bits |_| false;
                    float: map |x| x.is_infinite();
                    complex: map |z| z.re.is_infinite() | z.im.is_infinite();
                } {}
                /// Tests whether elements are neither infinite nor NaN.
                is_finite: IsFinite "is_finite", FloatClass, Operand, 1 => Truth {
                    bool: bits |_| true;
                    unsigned: bits |_| true;
                    signed: bits |_| true;
                    float: map |x| x.is_finite();
                    complex: map |z| z.re.is_finite() & z.im.is_finite();
                } {}
                /// Tests whether elements have a minus sign; also of zeros and NaN. NumPy's `signbit`.
                is_sign_negative: SignBit "is_sign_negative", FloatClass + RealDType, Operand, 1 => Truth {
                    bool: bits |_| false;
                    unsigned: bits |_| false;
                    signed: map |x| x < 0;
                    float: map |x| x.is_sign_negative();
                } {
                    /// ```
                    /// use supremum::{F32, Tensor, tensor};
                    /// let t: Tensor<F32> = tensor![1.5, -0.0, f32::NEG_INFINITY];
                    /// assert_eq!(t.is_sign_negative().to_vec(), [false, true, true]);
                    /// ```
                }
            }
            operators {
                /// The opposite number: the operator `-`. The least signed integer stays the same; unsigned integers wrap.
                Neg::neg try_neg: Neg "neg", Negate, 1 => Itself {
                    unsigned: bits |x| x.wrapping_neg();
                    signed: bits |x| x.wrapping_neg();
                    float: map |x| -x;
                    complex: map |z| Self::new(-z.re, -z.im);
                } {}
                /// The opposite boolean, or the inverted bits of an integer: the operator `!`.
                Not::not try_not: Not "not", Invert, 1 => Itself {
                    bool: map |x| Self(x.0 ^ 1);
                    unsigned: bits |x| !x;
                    signed: bits |x| !x;
                } {}
            }
            // A method without a group: the result has the operand's dtype under all rules.
            conjugate {
                /// The complex conjugate; a real number is its own conjugate.
                conj: Conj "conj", 1 => Itself {
                    bool: same |x| x;
                    unsigned: same |x| x;
                    signed: same |x| x;
                    float: same |x| x;
                    complex: map |z| Self::new(z.re, -z.im);
                } {}
            }
        }
    };
    (@kernels [$consumer:ident! $($more:tt)*]
        methods { $($(#[doc = $doc:literal])+ $method:ident: $Method:ident $method_name:literal, $group:ident $(+ $Bound:ident)?, $compute:ident, $method_cost:literal => $MethodResult:ident $method_kinds:tt $example:tt)* }
        operators { $($(#[doc = $operator_doc:literal])+ $trait:ident::$operator:ident $try_operator:ident: $Operator:ident $operator_name:literal, $operator_group:ident, $operator_cost:literal => $OperatorResult:ident $operator_kinds:tt {})* }
        conjugate { $(#[doc = $conj_doc:literal])+ $conj:ident: $Conj:ident $conj_name:literal, $conj_cost:literal => $ConjResult:ident $conj_kinds:tt {} }
    ) => {
        $consumer! { $($more)*
            $($method: $Method $method_name, $method_cost => $MethodResult $method_kinds)*
            $($operator: $Operator $operator_name, $operator_cost => $OperatorResult $operator_kinds)*
            $conj: $Conj $conj_name, $conj_cost => $ConjResult $conj_kinds
        }
    };
    (@methods [$consumer:ident! $($more:tt)*]
        methods { $($(#[doc = $doc:literal])+ $name:ident: $Op:ident $text:literal, $group:ident $(+ $Bound:ident)?, $compute:ident, $cost:literal => $Result:ident $kinds:tt $example:tt)* }
        $($others:tt)*
    ) => {
        $consumer! { $($more)* $($(#[doc = $doc])+ $name: $Op, $group $(+ $Bound)?, $compute $example)* }
    };
    (@operators [$consumer:ident! $($more:tt)*]
        methods $methods:tt
        operators { $($(#[doc = $doc:literal])+ $trait:ident::$name:ident $try_name:ident: $Op:ident $text:literal, $group:ident, $cost:literal => $Result:ident $kinds:tt {})* }
        $($others:tt)*
    ) => {
        $consumer! { $($more)* $($(#[doc = $doc])+ $trait::$name $try_name: $Op, $group {})* }
    };
}

pub(crate) use each_unary;
