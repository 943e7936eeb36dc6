//! The type promotion of [NumPy](https://numpy.org), version 2.4.6, with the floats of
//! [ml_dtypes](https://github.com/jax-ml/ml_dtypes), version 0.6.0.
//!
//! Sources: [NEP 50](https://numpy.org/neps/nep-0050-scalar-promotion.html); the tables are what
//! `np.promote_types`, `np.result_type` with a Python literal and the ufuncs gave, for every pair.
//!
//! NumPy promotes in more than one way. `np.promote_types` finds the common dtype of two. A ufunc looks for a loop to which both
//! operands cast safely. It may find one where there is no common dtype, and a narrower one for `arctan2`. Comparisons of `u64`
//! with signed integers have loops that compare the values. [`Numpy`] is `np.promote_types`. Its operations use [`NumpyUfunc`],
//! [`NumpyArctan2`] and [`ExactIntegers`] where NumPy runs a ufunc.
//!
//! Some things differ from NumPy. Complex numbers have no order here (NumPy orders them lexicographically). `bool ** 2` is `i64`,
//! as with every other integer literal (NumPy squares, and gives `i8`). Comparisons refuse an integer that is out of the range of
//! the dtype (NumPy compares it: `np.uint8(1) < 300` is true). Beside the floats of ml_dtypes, integers may have more than 64 bits
//! (in NumPy that is an error).
//!
//! In NumPy an integer out of the range of an integer dtype is an error, so it is refused even if unsafe promotions are admitted. A number
//! out of the range of a float becomes infinite.

use crate::rules::ExactIntegers;

super::builtin_rules! {
    /// The rules of NumPy 2, [NEP 50](https://numpy.org/neps/nep-0050-scalar-promotion.html):
    /// `np.promote_types`, and `np.result_type` for a dtype with a literal (NumPy 2.4.6).
    ///
    /// Only dtypes count, never the values or the ranks of arrays. An integer with a float gives a float that holds the integers of
    /// that width, up to `f64`: `i32` with `f32` is `f64`. `u64` with a signed integer is `f64`. A literal has a kind and no width:
    /// it takes the width of the other dtype, if that is of its kind or a higher one.
    ///
    /// `bf16` and the 8-bit floats are those of ml_dtypes 0.6.0. They promote with booleans, 8-bit
    /// integers, `f32`, `f64` and complex numbers; of these floats, `f16` and wider integers promote only with `f8e5m2`. `bf16` and `f8e5m2` do not
    /// promote with another of these floats. The others do, to the first in this order, even if values are lost: `f8e4m3b11fnuz`,
    /// `f8e4m3fn`, `f8e4m3fnuz`, `f8e5m2fnuz`. A literal float widens them all: `f8e5m2` with `1.0` is `f32`, the others are
    /// `f64`. Operations that are ufuncs follow [`NumpyUfunc`] instead, under which every
    /// pair promotes.
    ///
    /// Chained operators promote pair by pair. `np.result_type` of several arguments does not: it gives `f32` for
    /// (`i8`, `u16`, `f16`), although (`i8`, `u16`) is `i32` and (`i32`, `f16`) is `f64`. For the same reason the rules
    /// are not associative. With literals they are not associative either: (`bool`, `1`, `u8`) is `i64` from the left
    /// and `u8` from the right.
    ///
    /// Results of functions and comparisons are strong, as all arrays of NumPy are. An operator of two weak operands gives a weak result, as
    /// Python computes a number from two numbers.
    ///
    /// [`interp`](crate::Tensor::interp), [`density`](crate::Tensor::density), [`cov`](crate::Tensor::cov) and
    /// [`corrcoef`](crate::Tensor::corrcoef) of `f32` have that dtype under all rules; NumPy gives `f64`. For its results, convert
    /// the operands to `F64`.
    ///
    /// Dask 2026.8.0 follows the same rules: 2408 checks of products and of `da.result_type`, ranks 0
    /// and 1 and literals, were all equal. CuPy documents them too; it could not be run.
    #[law(commutative)]
    #[extensible]
    pub struct Numpy = "numpy";

    source "NumPy 2.4.6 with ml_dtypes 0.6.0" "https://numpy.org/neps/nep-0050-scalar-promotion.html";

    literals { Float: Weak<F64> overflows }
    weak_pairs: replaced;
    common: around_highest;

    // A row has three lines: beside booleans and integers; beside 8-bit floats; beside others and literals.
    table {
        _             => [Bool,          U8,            U16,           U32,           U64,           I8,            I16,           I32,        I64,
                          F8E4M3FN,      F8E5M2,        F8E4M3FNUZ,    F8E5M2FNUZ,    F8E4M3B11FNUZ,
                          BF16,          F16,           F32,           F64,           C64,           C128,          Weak<I64>,     Weak<F64>,  Weak<C128>],
        Bool          => [Bool,          U8,            U16,           U32,           U64,           I8,            I16,           I32,        I64,
                          F8E4M3FN,      F8E5M2,        F8E4M3FNUZ,    F8E5M2FNUZ,    F8E4M3B11FNUZ,
                          BF16,          F16,           F32,           F64,           C64,           C128,          I64,           F64,        C128],
        U8            => [U8,            U8,            U16,           U32,           U64,           I16,           I16,           I32,        I64,
                          F8E4M3FN,      F8E5M2,        F8E4M3FNUZ,    F8E5M2FNUZ,    F8E4M3B11FNUZ,
                          BF16,          F16,           F32,           F64,           C64,           C128,          U8,            F64,        C128],
        U16           => [U16,           U16,           U16,           U32,           U64,           I32,           I32,           I32,        I64,
                          _,             F32,           _,             _,             _,
                          _,             F32,           F32,           F64,           C64,           C128,          U16,           F64,        C128],
        U32           => [U32,           U32,           U32,           U32,           U64,           I64,           I64,           I64,        I64,
                          _,             F64,           _,             _,             _,
                          _,             F64,           F64,           F64,           C128,          C128,          U32,           F64,        C128],
        U64           => [U64,           U64,           U64,           U64,           U64,           F64,           F64,           F64,        F64,
                          _,             F64,           _,             _,             _,
                          _,             F64,           F64,           F64,           C128,          C128,          U64,           F64,        C128],
        I8            => [I8,            I16,           I32,           I64,           F64,           I8,            I16,           I32,        I64,
                          F8E4M3FN,      F8E5M2,        F8E4M3FNUZ,    F8E5M2FNUZ,    F8E4M3B11FNUZ,
                          BF16,          F16,           F32,           F64,           C64,           C128,          I8,            F64,        C128],
        I16           => [I16,           I16,           I32,           I64,           F64,           I16,           I16,           I32,        I64,
                          _,             F32,           _,             _,             _,
                          _,             F32,           F32,           F64,           C64,           C128,          I16,           F64,        C128],
        I32           => [I32,           I32,           I32,           I64,           F64,           I32,           I32,           I32,        I64,
                          _,             F64,           _,             _,             _,
                          _,             F64,           F64,           F64,           C128,          C128,          I32,           F64,        C128],
        I64           => [I64,           I64,           I64,           I64,           F64,           I64,           I64,           I64,        I64,
                          _,             F64,           _,             _,             _,
                          _,             F64,           F64,           F64,           C128,          C128,          I64,           F64,        C128],
        F8E4M3FN      => [F8E4M3FN,      F8E4M3FN,      _,             _,             _,             F8E4M3FN,      _,             _,          _,
                          F8E4M3FN,      _,             F8E4M3FN,      F8E4M3FN,      F8E4M3B11FNUZ,
                          _,             _,             F32,           F64,           C64,           C128,          F8E4M3FN,      F64,        C64],
        F8E5M2        => [F8E5M2,        F8E5M2,        F32,           F64,           F64,           F8E5M2,        F32,           F64,        F64,
                          _,             F8E5M2,        _,             _,             _,
                          _,             F32,           F32,           F64,           C64,           C128,          F8E5M2,        F32,        C64],
        F8E4M3FNUZ    => [F8E4M3FNUZ,    F8E4M3FNUZ,    _,             _,             _,             F8E4M3FNUZ,    _,             _,          _,
                          F8E4M3FN,      _,             F8E4M3FNUZ,    F8E4M3FNUZ,    F8E4M3B11FNUZ,
                          _,             _,             F32,           F64,           C64,           C128,          F8E4M3FNUZ,    F64,        C64],
        F8E5M2FNUZ    => [F8E5M2FNUZ,    F8E5M2FNUZ,    _,             _,             _,             F8E5M2FNUZ,    _,             _,          _,
                          F8E4M3FN,      _,             F8E4M3FNUZ,    F8E5M2FNUZ,    F8E4M3B11FNUZ,
                          _,             _,             F32,           F64,           C64,           C128,          F8E5M2FNUZ,    F64,        C64],
        F8E4M3B11FNUZ => [F8E4M3B11FNUZ, F8E4M3B11FNUZ, _,             _,             _,             F8E4M3B11FNUZ, _,             _,          _,
                          F8E4M3B11FNUZ, _,             F8E4M3B11FNUZ, F8E4M3B11FNUZ, F8E4M3B11FNUZ,
                          _,             _,             F32,           F64,           C64,           C128,          F8E4M3B11FNUZ, F64,        C64],
        BF16          => [BF16,          BF16,          _,             _,             _,             BF16,          _,             _,          _,
                          _,             _,             _,             _,             _,
                          BF16,          _,             F32,           F64,           C64,           C128,          BF16,          F64,        C64],
        F16           => [F16,           F16,           F32,           F64,           F64,           F16,           F32,           F64,        F64,
                          _,             F32,           _,             _,             _,
                          _,             F16,           F32,           F64,           C64,           C128,          F16,           F16,        C64],
        F32           => [F32,           F32,           F32,           F64,           F64,           F32,           F32,           F64,        F64,
                          F32,           F32,           F32,           F32,           F32,
                          F32,           F32,           F32,           F64,           C64,           C128,          F32,           F32,        C64],
        F64           => [F64,           F64,           F64,           F64,           F64,           F64,           F64,           F64,        F64,
                          F64,           F64,           F64,           F64,           F64,
                          F64,           F64,           F64,           F64,           C128,          C128,          F64,           F64,        C128],
        C64           => [C64,           C64,           C64,           C128,          C128,          C64,           C64,           C128,       C128,
                          C64,           C64,           C64,           C64,           C64,
                          C64,           C64,           C64,           C128,          C64,           C128,          C64,           C64,        C64],
        C128          => [C128,          C128,          C128,          C128,          C128,          C128,          C128,          C128,       C128,
                          C128,          C128,          C128,          C128,          C128,
                          C128,          C128,          C128,          C128,          C128,          C128,          C128,          C128,       C128],
        Weak<I64>     => [I64,           U8,            U16,           U32,           U64,           I8,            I16,           I32,        I64,
                          F8E4M3FN,      F8E5M2,        F8E4M3FNUZ,    F8E5M2FNUZ,    F8E4M3B11FNUZ,
                          BF16,          F16,           F32,           F64,           C64,           C128,          Weak<I64>,     Weak<F64>,  Weak<C128>],
        Weak<F64>     => [F64,           F64,           F64,           F64,           F64,           F64,           F64,           F64,        F64,
                          F64,           F32,           F64,           F64,           F64,
                          F64,           F16,           F32,           F64,           C64,           C128,          Weak<F64>,     Weak<F64>,  Weak<C128>],
        Weak<C128>    => [C128,          C128,          C128,          C128,          C128,          C128,          C128,          C128,       C128,
                          C64,           C64,           C64,           C64,           C64,
                          C64,           C64,           C64,           C128,          C64,           C128,          Weak<C128>,    Weak<C128>, Weak<C128>],
    }

    operations {
        Add under NumpyUfunc {}
        Subtract under NumpyUfunc { Bool: _ }
        Multiply under NumpyUfunc {}
        Divide under NumpyUfunc { Bool Integer: F64 }
        FloorDivide under NumpyUfunc { Bool: I8; Complex: _ }
        Power under NumpyUfunc { Bool: I8 }
        strong Atan2 under NumpyArctan2 {
            Bool U8 I8: F16; U16 I16: F32; U32 U64 I32 I64: F64;
            Complex: _;
        }
        strong MinMax under NumpyUfunc { Complex: _ }
        Bitwise under NumpyUfunc { Float Complex: _ }
        Shift under NumpyUfunc { Bool: I8; Float Complex: _ }
        strong Equality under ExactIntegers<NumpyUfunc> {
            Integer Float Complex: Bool;
        }
        strong Ordering under ExactIntegers<NumpyUfunc> {
            Integer Float: Bool;
            Complex: _;
        }
        strong Join {}
        // ml_dtypes registers no loop for `matmul`.
        strong MatrixMultiply under NumpyUfunc { Float8 BF16: F32 }

        Negate { Bool: _ }
        strong Sign { Bool: _ }
        strong Round { Bool: F16 }
        strong Floor { Complex: _ }
        Invert { Float Complex: _ }
        strong UnaryFloat { Bool U8 I8: F16; U16 I16: F32; U32 U64 I32 I64: F64 }
        strong Reciprocal { Bool: I8 }
        strong Absolute { C64: F32; C128: F64 }
        strong FloatClass = Equality

        strong Sum { Bool I8 I16 I32: I64; U8 U16 U32: U64 }
        strong CumulativeSum = Sum
        strong Mean { Bool Integer: F64 }
        strong Variance {
            Bool Integer: F64;
            C64: F32; C128: F64;
        }
        strong MinMaxReduce { Complex: _ }
        strong ArgMinMax {
            Bool Unsigned I8 I16 I32 Float: I64;
            Complex: _;
        }
        strong AnyAll = Equality
    }

    /// The promotion of NumPy's ufuncs (`+ - * / // % ** & << < ==`, `minimum`, `matmul`): observed for `np.add`, and
    /// the same for each of the others. (Comparisons compare integers [by value](ExactIntegers).)
    ///
    /// It differs from [`Numpy`] where `np.promote_types` refuses a float of ml_dtypes, or widens it beside a float literal: a
    /// ufunc has a loop of `f32` or `f64` for these. Two 8-bit floats that ml_dtypes casts to each other (all but `f8e5m2`) give
    /// the left one, so the rules are not commutative.
    #[asymmetric]
    #[extensible]
    #[part_of(Numpy)]
    pub struct NumpyUfunc = "numpy-ufunc";

    extend Numpy {
        Float8 U16 => F32;                           U16 Float8 => F32;
        Float8 I16 => F32;                           I16 Float8 => F32;
        Float8 U32 => F64;                           U32 Float8 => F64;
        Float8 I32 => F64;                           I32 Float8 => F64;
        Float8 U64 => F64;                           U64 Float8 => F64;
        Float8 I64 => F64;                           I64 Float8 => F64;
        BF16 U16 => F32;                             U16 BF16 => F32;
        BF16 I16 => F32;                             I16 BF16 => F32;
        BF16 U32 => F64;                             U32 BF16 => F64;
        BF16 I32 => F64;                             I32 BF16 => F64;
        BF16 U64 => F64;                             U64 BF16 => F64;
        BF16 I64 => F64;                             I64 BF16 => F64;
        Float8 F8E5M2 => F32;                        F8E5M2 Float8 => F32;
        Float8 BF16 => F32;                          BF16 Float8 => F32;
        Float8 F16 => F32;                           F16 Float8 => F32;
        BF16 F16 => F32;                             F16 BF16 => F32;
        Float8 Weak<F64> => F32;                     Weak<F64> Float8 => F32;
        BF16 Weak<F64> => F32;                       Weak<F64> BF16 => F32;
        F8E4M3FNUZ F8E4M3FN => F8E4M3FNUZ;           F8E4M3FN F8E4M3B11FNUZ => F8E4M3FN;
        F8E5M2FNUZ F8E4M3FN => F8E5M2FNUZ;           F8E4M3FNUZ F8E4M3B11FNUZ => F8E4M3FNUZ;
        F8E5M2FNUZ F8E4M3FNUZ => F8E5M2FNUZ;         F8E5M2FNUZ F8E4M3B11FNUZ => F8E5M2FNUZ;
    }
    operations Numpy;

    /// The promotion of `np.arctan2`.
    ///
    /// It has loops of floats only, and takes the narrowest one that holds both operands. Other ufuncs first widen integers of
    /// mixed sign: `u8` with `i8` is `f16` (it would be `f32` by way of `i16`), `u16` with `i8` or `i16` is `f32`. Integers turn to
    /// floats in the line `Atan2` of [`Numpy`]; the cells here are those that it cannot tell from others.
    #[asymmetric]
    #[extensible]
    #[part_of(Numpy)]
    pub struct NumpyArctan2 = "numpy-arctan2";

    extend NumpyUfunc {
        U8 I8 => F16;    I8 U8 => F16;
        U16 I8 => F32;   I8 U16 => F32;
        U16 I16 => F32;  I16 U16 => F32;
    }
    operations Numpy;
}
