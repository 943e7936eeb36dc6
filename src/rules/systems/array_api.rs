//! The type promotion of the [Python array API standard](https://data-apis.org/array-api), version 2025.12.
//!
//! Sources: [Type promotion rules](https://data-apis.org/array-api/latest/API_specification/type_promotion.html)
//! of the standard; for `f16`, which the standard does not have, the proposal that came before it (2022). The
//! promotions and what operations give were compared with `array_api_strict` 2.6.1, which refuses what
//! the standard leaves open, for every pair and every operation.
//!
//! Two things differ from `array_api_strict`. It accepts a complex literal beside `f32` or `f64` in `minimum` and `<`; these rules
//! refuse it. Here two equal literals promote, as all equal dtypes do; the standard has only literals beside arrays.
//!
//! The standard says nothing about a literal that is out of the range of the array's dtype, so it is refused in any case.

super::builtin_rules! {
    /// Exactly the pairs that the array API standard defines (version 2025.12), and no other.
    ///
    /// Integers promote with integers, and floats with floats and complex numbers. Undefined are a boolean with a number, an
    /// integer with a float or a complex number, and `u64` with a signed integer. Libraries differ there. Every library that
    /// follows the standard gives what these rules define (except for `f16`).
    ///
    /// A literal takes the dtype of an array of its kind or a higher one: an integer takes every numeric dtype, a float takes
    /// floats and complex dtypes. A complex literal beside a float gives the complex dtype of that width. Literals of different
    /// kinds do not promote. `f16` promotes with floats and with literals that are not complex; in operations it behaves as
    /// `f32`.
    ///
    /// The rules are not associative: two of three operands may have a common dtype only by way of the third.
    /// (`1`, `2.0`, `f32`) is undefined from the left and `f32` from the right.
    #[law(commutative)]
    #[extensible]
    pub struct ArrayApi = "array-api";

    source "Python array API standard 2025.12" "https://data-apis.org/array-api/latest/API_specification/type_promotion.html";

    weak_pairs: replaced;
    only [Bool Integer F16 F32 F64 Complex]

    table {
        _          => [Bool, U8,  U16, U32, U64, I8,  I16, I32, I64, F16, F32,  F64,  C64,  C128, Weak<I64>, Weak<F64>, Weak<C128>],
        Bool       => [Bool, _,   _,   _,   _,   _,   _,   _,   _,   _,   _,    _,    _,    _,    _,         _,         _],
        U8         => [_,    U8,  U16, U32, U64, I16, I16, I32, I64, _,   _,    _,    _,    _,    U8,        _,         _],
        U16        => [_,    U16, U16, U32, U64, I32, I32, I32, I64, _,   _,    _,    _,    _,    U16,       _,         _],
        U32        => [_,    U32, U32, U32, U64, I64, I64, I64, I64, _,   _,    _,    _,    _,    U32,       _,         _],
        U64        => [_,    U64, U64, U64, U64, _,   _,   _,   _,   _,   _,    _,    _,    _,    U64,       _,         _],
        I8         => [_,    I16, I32, I64, _,   I8,  I16, I32, I64, _,   _,    _,    _,    _,    I8,        _,         _],
        I16        => [_,    I16, I32, I64, _,   I16, I16, I32, I64, _,   _,    _,    _,    _,    I16,       _,         _],
        I32        => [_,    I32, I32, I64, _,   I32, I32, I32, I64, _,   _,    _,    _,    _,    I32,       _,         _],
        I64        => [_,    I64, I64, I64, _,   I64, I64, I64, I64, _,   _,    _,    _,    _,    I64,       _,         _],
        F16        => [_,    _,   _,   _,   _,   _,   _,   _,   _,   F16, F32,  F64,  _,    _,    F16,       F16,       _],
        F32        => [_,    _,   _,   _,   _,   _,   _,   _,   _,   F32, F32,  F64,  C64,  C128, F32,       F32,       C64],
        F64        => [_,    _,   _,   _,   _,   _,   _,   _,   _,   F64, F64,  F64,  C128, C128, F64,       F64,       C128],
        C64        => [_,    _,   _,   _,   _,   _,   _,   _,   _,   _,   C64,  C128, C64,  C128, C64,       C64,       C64],
        C128       => [_,    _,   _,   _,   _,   _,   _,   _,   _,   _,   C128, C128, C128, C128, C128,      C128,      C128],
        Weak<I64>  => [_,    U8,  U16, U32, U64, I8,  I16, I32, I64, F16, F32,  F64,  C64,  C128, Weak<I64>, _,         _],
        Weak<F64>  => [_,    _,   _,   _,   _,   _,   _,   _,   _,   F16, F32,  F64,  C64,  C128, _,         Weak<F64>, _],
        Weak<C128> => [_,    _,   _,   _,   _,   _,   _,   _,   _,   _,   C64,  C128, C64,  C128, _,         _,         Weak<C128>],
    }

    // A comparison, function or reduction gives an array, and so a strong dtype.
    operations {
        Add { Bool: _ }
        Subtract { Bool: _ }
        Multiply { Bool: _ }
        Divide { Bool Integer: _ }
        FloorDivide { Bool Complex: _ }
        Power { Bool: _ }
        strong Atan2 { Bool Integer Complex: _ }
        strong MinMax { Bool Complex: _ }
        Bitwise { Float Complex: _ }
        Shift { Bool Float Complex: _ }
        strong Equality {
            Integer Float Complex: Bool;
        }
        strong Ordering {
            Integer Float: Bool;
            Bool Complex: _;
        }
        strong Join {}
        strong MatrixMultiply { Bool: _ }

        Negate { Bool: _ }
        strong Sign { Bool: _ }
        strong Round { Bool: _ }
        strong Floor { Bool Complex: _ }
        Invert { Float Complex: _ }
        strong UnaryFloat { Bool Integer: _ }
        strong Reciprocal = UnaryFloat
        strong Absolute { Bool: _; C64: F32; C128: F64 }
        strong FloatClass {
            Bool: _;
            Integer Float Complex: Bool;
        }

        strong Sum { Bool: _; U8 U16 U32: U64; I8 I16 I32: I64 }
        strong CumulativeSum = Sum
        strong Mean = UnaryFloat
        strong Variance = Atan2
        strong MinMaxReduce { Bool Complex: _ }
        strong ArgMinMax {
            Unsigned I8 I16 I32: I64;
            Float: I64;
            Bool Complex: _;
        }
        strong AnyAll = Equality
    }
}
