//! The type promotion of [{anvil}](https://github.com/r-xla/anvil), an R package for XLA, now named anvl.
//!
//! Source: its function `common_dtype()` at commit ef9f93aa (2026-05-18), evaluated for every pair. Later
//! versions differ: they refuse `u64` with a signed integer.
//!
//! The results of operations were not observed. The results of `mean` and `var`, which the package computes by several
//! operations, were read from its source of about that time. The others are those of
//! [StableHLO](https://openxla.org/stablehlo/spec): a result has the dtype of its operands, even for a sum, and
//! comparisons give booleans. Three choices are ours: `/` is undefined on integers, where {anvil} divides as integers
//! do; sums of booleans are undefined, where StableHLO's is their `or`; and reciprocals, which have no operation, are
//! left to floats.
//!
//! {anvil} publishes nothing on out-of-range literals, so they are refused in any case.

super::builtin_rules! {
    /// The rules of the R package {anvil}, `common_dtype()` (commit ef9f93aa).
    ///
    /// {anvil} calls weak dtypes ambiguous: R's `1L` is an ambiguous `i32`, `1` an ambiguous `f32`; R's logical `TRUE` is a plain
    /// boolean. A float beside an integer of any width gives the float, and two floats give the wider one. An unsigned and a
    /// signed integer give the next signed integer that holds both; with `u64` they give `i64`, which does not. An ambiguous
    /// dtype yields to every known dtype of its kind or of a higher one. Beside a lower kind it decides, with its own width:
    /// ambiguous `f64` with `i8` is ambiguous `f64`, with `f32` it is `f32`. Two ambiguous dtypes promote as known ones, and stay
    /// ambiguous.
    #[law(commutative, associative)]
    #[extensible]
    pub struct Anvil = "anvil";

    source "{anvil} ef9f93aa (2026-05-18)" "https://github.com/r-xla/anvil";

    only [Bool Integer F32 F64]
    literals { Int: Weak<I32>; Float: Weak<F32> }

    lattice {
        Weak<Bool> -> Bool;
        Bool -> Weak<U8>, Weak<I8>;
        Weak<U8> -> Weak<U16>, Weak<I16>;
        Weak<U16> -> Weak<U32>, Weak<I32>;
        Weak<U32> -> Weak<U64>, Weak<I64>;
        Weak<U64> -> Weak<I64>;
        Weak<I8> -> Weak<I16>;
        Weak<I16> -> Weak<I32>;
        Weak<I32> -> Weak<I64>;
        Weak<I64> -> U8, I8;
        U8 -> U16, I16;
        U16 -> U32, I32;
        U32 -> U64, I64;
        U64 -> I64;
        I8 -> I16;
        I16 -> I32;
        I32 -> I64;
        I64 -> Weak<F32>;
        Weak<F32> -> Weak<F64>;
        Weak<F64> -> F32;
        F32 -> F64;
    }

    operations {
        // Or, and `*` is and.
        Add {}
        Subtract { Bool: _ }
        Multiply {}
        // On integers, use `floor_div`.
        Divide { Bool Integer: _ }
        FloorDivide { Bool: _ }
        Power { Bool: _ }
        Atan2 { Bool Integer: _ }
        MinMax {}
        Bitwise { Float: _ }
        Shift { Bool Float: _ }
        Equality { Integer Float: Bool }
        Ordering = Equality
        Join {}
        // A product of matrices is never ambiguous.
        strong MatrixMultiply { Bool: _ }

        Negate { Bool: _ }
        Sign { Bool Unsigned: _ }
        Round { Bool Integer: _ }
        Floor { Bool Integer: _ }
        Invert { Float: _ }
        UnaryFloat { Bool Integer: _ }
        Reciprocal = UnaryFloat
        Absolute { Bool Unsigned: _ }
        FloatClass {
            Bool Integer: _;
            Float: Bool;
        }

        Sum { Bool: _ }
        CumulativeSum { Bool: _ }
        // The sum is divided by an R number, an ambiguous `f32`.
        Mean { Bool: _; Integer: Weak<F32> }
        Variance { Bool: _; Integer: Weak<F32> }
        MinMaxReduce {}
        strong ArgMinMax { Bool: _; Unsigned I8 I16 I64 Float: I32 }
        strong AnyAll { Integer Float: _ }
    }
}
