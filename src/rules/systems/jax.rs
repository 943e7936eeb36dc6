//! The type promotion of [JAX](https://docs.jax.dev), version 0.10.2.
//!
//! Sources: the lattice is that of [Type promotion semantics](https://docs.jax.dev/en/latest/type_promotion.html) and of
//! `_type_promotion_lattice` in `jax/_src/dtypes.py`; weak operands follow `_lattice_result_type` there. The results of operations
//! were observed, for every operation and dtype.
//!
//! Some choices differ from JAX: complex numbers have no order here (JAX orders them lexicographically);
//! `matmul` promotes its operands like any other operation (JAX refuses some weak ones that are wider than
//! the result); two weak arrays divide by `//` as they do by `%`; and a literal exponent is a weak operand
//! like others (in JAX `bool ** 2` is an `i32`).
//!
//! JAX wraps an integer literal that is out of the range of an integer dtype, and converts one that overflows in a float to
//! infinity, but refuses an integer beyond its own `i64` (`i32` without 64-bit dtypes). Here all of these are refused, unless
//! unsafe promotions are admitted; then literals convert as in JAX.

super::builtin_rules! {
    /// The rules of JAX with 64-bit dtypes enabled (`jax_enable_x64`); the default of this library.
    ///
    /// `i*`, `f*` and `c*` of JAX's lattice are `i64*`, `f64*` and `c128*`. Beside a strong operand
    /// a weak one counts as the literal of its kind; two weak operands keep their widths.
    #[law(commutative, associative)]
    #[extensible]
    pub struct Jax = "jax";

    source "JAX 0.10.2" "https://docs.jax.dev/en/latest/type_promotion.html";

    literals { Int: Weak<I64> wraps; Float: Weak<F64> overflows }

    lattice {
        Bool -> Weak<I64>;
        Weak<I64> -> U8, I8;
        U8 -> I16, U16;
        U16 -> I32, U32;
        U32 -> I64, U64;
        I8 -> I16;
        I16 -> I32;
        I32 -> I64;
        I64 -> Weak<F64>;
        U64 -> Weak<F64>;
        Weak<F64> -> Float8, BF16, F16, Weak<C128>;
        BF16 -> F32;
        F16 -> F32;
        F32 -> F64, C64;
        F64 -> C128;
        Weak<C128> -> C64;
        C64 -> C128;
    }

    weak {
        Bool: Bool;
        Integer: Weak<I64>;
        Float: Weak<F64>;
        Complex: Weak<C128>;
    }

    operations {
        Add {}
        Subtract { Bool: _ }
        Multiply {}
        Divide { Bool U8 U16 U32 I8 I16 I32: F32; U64 I64: F64 }
        FloorDivide { Bool: I32; Complex: _ }
        Power under PowKeepsBase {
            Bool: I32;
            Weak<U8>: U8; Weak<U16>: U16; Weak<U32>: U32; Weak<U64>: U64;
            Weak<I8>: I8; Weak<I16>: I16; Weak<I32>: I32; Weak<I64>: I64;
        }
        Atan2 = Divide
        MinMax { Complex: _ }
        Bitwise { Float Complex: _ }
        Shift { Bool: I32; Float Complex: _ }
        Equality {
            Integer Float Complex: Bool;
        }
        Ordering {
            Integer Float: Bool;
            Complex: _;
        }
        Join {}
        MatrixMultiply {
            Weak<U8> Weak<U16> Weak<U32> Weak<U64> Weak<I8> Weak<I16> Weak<I32>: Weak<I64>;
            Weak<Float>: Weak<F64>;
            Weak<C64>: Weak<C128>;
        }
        Negate { Bool: _ }
        Sign = Negate
        Round = Negate
        Floor { Complex: _ }
        Invert = Bitwise
        UnaryFloat = Divide
        Reciprocal = Divide
        Absolute { C64: F32; C128: F64 }
        FloatClass = Equality
        strong Sum { Bool I8 I16 I32: I64; U8 U16 U32: U64 }
        strong CumulativeSum { Bool: I64 }
        strong Mean = Divide
        strong Variance {
            Bool U8 U16 U32 I8 I16 I32: F32; U64 I64: F64;
            C64: F32; C128: F64;
        }
        strong MinMaxReduce { Complex: _ }
        strong ArgMinMax {
            Bool Unsigned I8 I16 I32 Float: I64;
            Complex: _;
        }
        strong AnyAll = Equality
    }

    /// The default rules of JAX, without 64-bit dtypes: operations that compute narrow 64-bit operands first, and so every result.
    ///
    /// Operations that only move or choose elements, such as [`sort`](crate::Tensor::sort), keep the dtype of their operand, which JAX
    /// would have narrowed before.
    #[law(commutative, associative)]
    #[extensible]
    pub struct JaxX32 = "jax-x32";

    like Jax;
    narrow { I64: I32; U64: U32; F64: F32; C128: C64 }

    /// The rules of JAX under `jax_numpy_dtype_promotion="strict"`: only equal dtypes promote, and a literal with a dtype whose kind
    /// includes the literal's.
    ///
    /// Source: the `strict` lattice of `_type_promotion_lattice`, in which two weak operands
    /// count as literals too.
    #[law(commutative, associative)]
    #[extensible]
    pub struct JaxStrict = "jax-strict";

    like Jax;
    lattice {
        Bool;
        Weak<I64> -> Weak<F64>, Integer;
        Weak<F64> -> Weak<C128>, Float;
        Weak<C128> -> Complex;
    }
    weak_pairs: replaced;
}
