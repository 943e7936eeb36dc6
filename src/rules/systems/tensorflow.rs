//! The type promotion of [TensorFlow](https://www.tensorflow.org), version 2.21.0, on the CPU.
//!
//! Sources: [TF-NumPy type promotion](https://www.tensorflow.org/guide/tf_numpy_type_promotion), the
//! modes `all` and `safe` of `tf.experimental.numpy.experimental_enable_numpy_behavior`; the promotions are
//! what `result_type` of `tensorflow/python/framework/flexible_dtypes.py` and the operators gave, for
//! every pair. What operations give was observed in mode `all`, for every operation and dtype.
//!
//! Not every operation promotes. [`TensorFlow`] has the answers of `result_type`. The operators `+ - * / // % ** ==` and `minimum`
//! follow it, except for a literal `True` ([`TensorFlowOperators`]) and for `*` with a boolean ([`TensorFlowMultiply`]). Bitwise
//! operators, shifts, `<`, `where`, `concatenate` and `arctan2` promote nothing ([`TensorFlowLegacy`]).
//!
//! Some things differ from TensorFlow. A literal and a weak tensor of the literal's dtype are one operand here.
//! If nothing promotes, TensorFlow converts the literal and refuses the weak tensor; here both convert.
//! There it also refuses a literal on the left of `&`, and (except for `<`) a literal on the left of a weak tensor of another dtype. Here
//! literals convert on either side. It has a kernel for `bool * f8` and for
//! `concatenate` of 8-bit floats, not for `where`; here 8-bit floats join, and nothing else.
//!
//! TensorFlow converts an integer literal to `i32` first, and refuses one that `i32` does not have, even beside `i64`. Other integer literals
//! wrap in integer dtypes that do not have them, and become infinite in floats. Here they are refused unless unsafe promotions are admitted.
//! Mode `"off"` was not observed with such literals; they are refused in any case.

super::builtin_rules! {
    /// The rules of TensorFlow with `dtype_conversion_mode="all"`; unsafe is what mode `"safe"` refuses
    /// (TensorFlow 2.21.0).
    ///
    /// The strong dtypes promote as in [`Jax`](crate::Jax): `u64` with a signed integer is a weak `f64`. A
    /// literal integer is a weak `i32`, a literal float a weak `f32`, a complex one a weak `c128`. Weak dtypes
    /// keep their widths beside each other and yield to strong ones of their kind; a weak float beside
    /// a strong integer is a weak `f64`.
    ///
    /// Mode `"safe"` gives the same results and refuses two things: a result that does not hold every
    /// value of each strong operand, and a result that is neither operand. One such result is
    /// allowed: `c128` from `f64` and a complex literal.
    ///
    /// A literal `True` is a weak operand of its own, since operators convert it to some dtypes only; in
    /// these promotions it counts as a boolean. 8-bit floats have no promotions, not even with themselves.
    #[law(commutative, associative)]
    #[extensible]
    pub struct TensorFlow = "tensorflow";

    source "TensorFlow 2.21.0" "https://www.tensorflow.org/guide/tf_numpy_type_promotion";

    weak_pairs: replaced;
    only [Bool Integer F8E4M3FN F8E5M2 BF16 F16 F32 F64 Complex]
    literals { Bool: Weak<Bool>; Int: Weak<I32> wraps; Float: Weak<F32> overflows }
    safety: values;
    deny widening;

    lattice {
        Weak<Bool> -> Bool;
        Bool -> Weak<I32>;
        Weak<I32> -> Weak<I64>;
        Weak<I64> -> U8, I8, Weak<F32>;
        U8 -> I16, U16;
        U16 -> I32, U32;
        U32 -> I64, U64;
        I8 -> I16;
        I16 -> I32;
        I32 -> I64;
        I64 -> Weak<F64>;
        U64 -> Weak<F64>;
        Weak<F32> -> Weak<F64>;
        Weak<F64> -> BF16, F16, Weak<C128>;
        BF16 -> F32;
        F16 -> F32;
        F32 -> F64, C64;
        F64 -> C128;
        Weak<C128> -> C64;
        C64 -> C128;
    }

    cells { F64 Weak<C128> => safe C128 }

    // `_` marks kernels that TensorFlow 2.21 does not have.
    operations {
        Add under TensorFlowOperators { Bool Float8: _ }
        Subtract under TensorFlowOperators { Bool Float8: _ }
        Multiply under TensorFlowMultiply { Float8: _ }
        Divide under TensorFlowOperators {
            U8 U16 I8 I16: F32; U32 U64 I32 I64: F64;
            Bool Float8: _;
        }
        FloorDivide under TensorFlowOperators { Bool Float8 Complex: _ }
        Power under TensorFlowOperators { Bool Unsigned Float8: _ }
        strong Atan2 under TensorFlowLegacy {
            Bool Integer: _;
            Float8 Complex: _;
        }
        strong MinMax under TensorFlowOperators { Bool Float8 Complex: _ }
        strong Bitwise under TensorFlowLegacy { Float Complex: _ }
        strong Shift under TensorFlowLegacy { Bool Float Complex: _ }
        strong Equality under TensorFlowOperators {
            Integer Float Complex: Bool;
            Float8: _;
        }
        strong Ordering under TensorFlowLegacy {
            Integer Float: Bool;
            Bool Float8 Complex: _;
        }
        strong Join under TensorFlowLegacy {}
        MatrixMultiply { Bool Unsigned I8 I16 Float8: _ }

        Negate { Bool Unsigned Float8: _ }
        Sign = Negate
        Round { Bool Float8 Complex: _ }
        Floor {
            Bool Integer: _;
            Float8 Complex: _;
        }
        strong Invert { Bool Float Complex: _ }
        UnaryFloat {
            Bool Integer: _;
            Float8: _;
        }
        Reciprocal = UnaryFloat
        Absolute {
            Bool Unsigned Float8: _;
            C64: F32; C128: F64;
        }
        strong FloatClass {
            Bool Integer: _;
            Float8 Complex: _;
            Float: Bool;
        }

        Sum { Bool Float8: _ }
        strong CumulativeSum = Sum
        // The mean of integers is an integer.
        Mean = Sum
        Variance {
            Bool Integer: _;
            Float8: _;
            C64: F32; C128: F64;
        }
        MinMaxReduce { Bool Float8 Complex: _ }
        strong ArgMinMax {
            Bool Unsigned I8 I16 I32 Float: I64;
            Float8 Complex: _;
        }
        strong AnyAll {
            Integer Float Complex: _;
        }
    }

    /// The promotion of TensorFlow's arithmetic operators, `==` and `minimum`: [`TensorFlow`], without a
    /// literal `True` beside `u8`, `u16`, `u32`, `i8`, `i16`, `bf16` and `c64`.
    ///
    /// There `result_type` counts `True` as a boolean, but the operator fails to convert it.
    #[law(commutative)]
    #[extensible]
    #[part_of(TensorFlow)]
    pub struct TensorFlowOperators = "tensorflow-operators";

    extend TensorFlow {
        U8 Weak<Bool> => _;
        U16 Weak<Bool> => _;
        U32 Weak<Bool> => _;
        I8 Weak<Bool> => _;
        I16 Weak<Bool> => _;
        BF16 Weak<Bool> => _;
        C64 Weak<Bool> => _;
    }

    /// The promotion of TensorFlow's `*`: with a boolean tensor it is logical and, and gives booleans.
    ///
    /// A literal `True` is not a boolean tensor: `True * f32` is `f32`. `*` was not observed in mode `"safe"`; here values decide as in
    /// [`TensorFlow`], so `bool * f32` is unsafe.
    #[law(commutative)]
    #[extensible]
    #[part_of(TensorFlow)]
    pub struct TensorFlowMultiply = "tensorflow-multiply";

    extend TensorFlowOperators {
        Bool U8 => Bool;
        Bool U16 => Bool;
        Bool U32 => Bool;
        Bool U64 => Bool;
        Bool I8 => Bool;
        Bool I16 => Bool;
        Bool I32 => Bool;
        Bool I64 => Bool;
        Bool BF16 => Bool;
        Bool F16 => Bool;
        Bool F32 => Bool;
        Bool F64 => Bool;
        Bool C64 => Bool;
        Bool C128 => Bool;
        Bool Weak<I32> => Bool;
        Bool Weak<I64> => Bool;
        Bool Weak<F32> => Bool;
        Bool Weak<F64> => Bool;
        Bool Weak<C128> => Bool;
    }

    /// The rules of TensorFlow by default, mode `"off"`: only equal dtypes promote, and a dtype with a literal that converts to it.
    ///
    /// A literal integer converts to every integer, float and complex dtype, a float to floats and
    /// complex dtypes, a complex number to complex dtypes only. `True` converts to `bool`, `u64`, `i32`, `i64`,
    /// `f16`, `f32`, `f64` and `c128`. In every mode, bitwise operators, shifts, `<`, `where`, `concatenate` and `arctan2` follow these rules.
    ///
    /// Not to be confused with TensorFlow's mode `"legacy"`, whose operators promote tensors and literals as
    /// [`Numpy`](crate::Numpy): use those rules for it. Where the modes `"legacy"` and `"off"` take different
    /// literals (`1.0` beside an integer), these rules refuse, as mode `"off"` does.
    ///
    /// They are not associative: (`True`, `1`, `u8`) is `u8` from the left and undefined from the right.
    #[law(commutative)]
    #[extensible]
    pub struct TensorFlowLegacy = "tensorflow-legacy";

    source "TensorFlow 2.21.0" "https://www.tensorflow.org/guide/tf_numpy_type_promotion";

    weak_pairs: replaced;
    literals { Bool: Weak<Bool>; Int: Weak<I32>; Float: Weak<F32> }

    lattice {
        Weak<Bool>;
        Weak<I32> -> U8, U16, U32, U64, I8, I16, I32, Weak<I64>, Weak<F32>;
        Weak<I64> -> I64;
        Weak<F32> -> BF16, F16, F32, Weak<F64>, Weak<C128>;
        Weak<F64> -> F64;
        Weak<C128> -> C64, C128;
        Bool;
        F8E4M3FN;
        F8E5M2;
    }

    cells {
        Weak<Bool> Bool => Bool;
        Weak<Bool> U64 => U64;
        Weak<Bool> I32 => I32;
        Weak<Bool> I64 => I64;
        Weak<Bool> F16 => F16;
        Weak<Bool> F32 => F32;
        Weak<Bool> F64 => F64;
        Weak<Bool> C128 => C128;
        Weak<Bool> Weak<I32> => Weak<I32>;
        Weak<Bool> Weak<I64> => Weak<I64>;
        Weak<Bool> Weak<F32> => Weak<F32>;
        Weak<Bool> Weak<F64> => Weak<F64>;
        Weak<Bool> Weak<C128> => Weak<C128>;
    }

    operations TensorFlow;
}
