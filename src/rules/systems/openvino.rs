//! The type promotion of [OpenVINO](https://docs.openvino.ai), version 2026.4.1.
//!
//! Source: the operation ConvertPromoteTypes-14 of the operation set specifications; the promotions are what
//! it gave for every pair of dtypes and ranks, with each value of its attributes (five of
//! `u64_integer_promotion_target`). `promote_unsafe=true` gives the results; what `promote_unsafe=false`
//! refuses is marked as unsafe, with OpenVINO's reason. OpenVINO's dtypes `u1`, `u4`, `i4`, `string` and
//! `dynamic` are not in this library, and OpenVINO has no complex dtypes.
//!
//! OpenVINO has no literals, because its constants have dtypes; those here are our choice. An integer literal yields to every
//! integer and float, and a float literal to every float. Neither promotes with a boolean. A boolean literal is a boolean. A
//! literal that the dtype does not have is refused in any case.
//!
//! The results of operations are taken from the OpenVINO 2026 operation set specifications (Add-1, Divide-1,
//! Less-1, BitwiseAnd-13, BitwiseLeftShift-15, ReduceMean-1, TopK-11, Atan2-17 and so on), not observed.
//! They give the dtype of their operands, comparisons booleans. Three choices are ours: `/` is undefined
//! on integers, where Divide-1 divides as integers do; so are functions such as `sqrt`, where Sqrt-1
//! rounds to an integer; and positions are `i64`, where TopK-11 offers `i32` too. Reciprocals and
//! variances have no operation of their own; they are left to floats.

use crate::dtype::{DType, dispatch_dtype};
use crate::error::Error;
use crate::rules::{AllowUnsafe, OperandType, Promotion, RuleSet, Rules, StaticVerdict, Verdict};

/// Reasons of OpenVINO, as verdicts.
macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $name:ident: $reason:literal;)*) => {$(
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, Default)]
        pub struct $name;

        #[diagnostic::do_not_recommend]
        impl StaticVerdict for $name {
            const VERDICT: Verdict = Verdict::Refused($reason);
        }
    )*};
}

reasons! {
    /// An unsigned integer promotes with a signed one that is not wider, and that does not hold it.
    WidensBits: "bit widening: no operand is as wide as the result";
    /// `u64` promotes with a signed integer. No signed integer holds it, and the result is the parameter of the rules.
    MixesU64WithSigned: "no signed integer holds every u64";
    /// An integer promotes with a float that has less than twice its bits, and that does not hold it.
    ExceedsFloat: "the float has under twice the bits of the integer";
    /// Two different floats of one width promote to a wider one.
    MixesFloats: "two floats of one width meet in a wider one";
    /// A scalar takes the dtype of a tensor that has too few bits for it.
    NarrowsScalar: "the scalar has too many bits for the tensor";
    /// A signed scalar takes the dtype of an unsigned tensor.
    DropsScalarSign: "a signed scalar in an unsigned tensor loses its sign";
}

super::builtin_rules! {
    /// The rules of OpenVINO's ConvertPromoteTypes (OpenVINO 2026.4.1).
    ///
    /// A boolean takes the dtype of the other operand, an integer that of a float. Two floats promote to the wider one, as do two
    /// integers with the same sign; a signed integer also holds every narrower unsigned one. Unsafe are an integer of more than
    /// half the bits of the float, an unsigned integer with a signed one that is not wider, and two floats of one width.
    ///
    /// `u64` with a signed integer has no dtype of its own: the result is `U64Target`, OpenVINO's attribute
    /// `u64_integer_promotion_target`. It is `f32` by default; `OpenVino<I64>` names another.
    ///
    /// The rules are not associative: (`u64`, `i8`, `f16`) is `f32` from the left and `f16` from the right.
    #[law(commutative)]
    #[extensible]
    pub struct OpenVino<U64Target = F32> = "openvino";

    source "OpenVINO 2026.4.1" "https://docs.openvino.ai";

    weak_pairs: replaced;
    only [Bool Integer F8E4M3FN F8E5M2 BF16 F16 F32 F64]
    safety: marks;
    marks {
        w: crate::rules::openvino::WidensBits;
        u: crate::rules::openvino::MixesU64WithSigned;
        e: crate::rules::openvino::ExceedsFloat;
        f: crate::rules::openvino::MixesFloats;
        n: crate::rules::openvino::NarrowsScalar;
        s: crate::rules::openvino::DropsScalarSign;
    }

    // A row has two lines: beside booleans and integers; beside floats and literals.
    table {
        _         => [Bool,     U8,         U16,        U32,        U64,         I8,          I16,         I32,         I64,
                      F8E4M3FN,   F8E5M2,   BF16,   F16,   F32,   F64,   Weak<I64>, Weak<F64>],
        Bool      => [Bool,     U8,         U16,        U32,        U64,         I8,          I16,         I32,         I64,
                      F8E4M3FN,   F8E5M2,   BF16,   F16,   F32,   F64,   _,         _],
        U8        => [U8,       U8,         U16,        U32,        U64,         I16^w,       I16,         I32,         I64,
                      F8E4M3FN^e, F8E5M2^e, BF16,   F16,   F32,   F64,   U8,        _],
        U16       => [U16,      U16,        U16,        U32,        U64,         I32^w,       I32^w,       I32,         I64,
                      F8E4M3FN^e, F8E5M2^e, BF16^e, F16^e, F32,   F64,   U16,       _],
        U32       => [U32,      U32,        U32,        U32,        U64,         I64^w,       I64^w,       I64^w,       I64,
                      F8E4M3FN^e, F8E5M2^e, BF16^e, F16^e, F32^e, F64,   U32,       _],
        U64       => [U64,      U64,        U64,        U64,        U64,         U64Target^u, U64Target^u, U64Target^u, U64Target^u,
                      F8E4M3FN^e, F8E5M2^e, BF16^e, F16^e, F32^e, F64^e, U64,       _],
        I8        => [I8,       I16^w,      I32^w,      I64^w,      U64Target^u, I8,          I16,         I32,         I64,
                      F8E4M3FN^e, F8E5M2^e, BF16,   F16,   F32,   F64,   I8,        _],
        I16       => [I16,      I16,        I32^w,      I64^w,      U64Target^u, I16,         I16,         I32,         I64,
                      F8E4M3FN^e, F8E5M2^e, BF16^e, F16^e, F32,   F64,   I16,       _],
        I32       => [I32,      I32,        I32,        I64^w,      U64Target^u, I32,         I32,         I32,         I64,
                      F8E4M3FN^e, F8E5M2^e, BF16^e, F16^e, F32^e, F64,   I32,       _],
        I64       => [I64,      I64,        I64,        I64,        U64Target^u, I64,         I64,         I64,         I64,
                      F8E4M3FN^e, F8E5M2^e, BF16^e, F16^e, F32^e, F64^e, I64,       _],
        F8E4M3FN  => [F8E4M3FN, F8E4M3FN^e, F8E4M3FN^e, F8E4M3FN^e, F8E4M3FN^e,  F8E4M3FN^e,  F8E4M3FN^e,  F8E4M3FN^e,  F8E4M3FN^e,
                      F8E4M3FN,   F16^f,    BF16,   F16,   F32,   F64,   F8E4M3FN,  F8E4M3FN],
        F8E5M2    => [F8E5M2,   F8E5M2^e,   F8E5M2^e,   F8E5M2^e,   F8E5M2^e,    F8E5M2^e,    F8E5M2^e,    F8E5M2^e,    F8E5M2^e,
                      F16^f,      F8E5M2,   BF16,   F16,   F32,   F64,   F8E5M2,    F8E5M2],
        BF16      => [BF16,     BF16,       BF16^e,     BF16^e,     BF16^e,      BF16,        BF16^e,      BF16^e,      BF16^e,
                      BF16,       BF16,     BF16,   F32^f, F32,   F64,   BF16,      BF16],
        F16       => [F16,      F16,        F16^e,      F16^e,      F16^e,       F16,         F16^e,       F16^e,       F16^e,
                      F16,        F16,      F32^f,  F16,   F32,   F64,   F16,       F16],
        F32       => [F32,      F32,        F32,        F32^e,      F32^e,       F32,         F32,         F32^e,       F32^e,
                      F32,        F32,      F32,    F32,   F32,   F64,   F32,       F32],
        F64       => [F64,      F64,        F64,        F64,        F64^e,       F64,         F64,         F64,         F64^e,
                      F64,        F64,      F64,    F64,   F64,   F64,   F64,       F64],
        Weak<I64> => [_,        U8,         U16,        U32,        U64,         I8,          I16,         I32,         I64,
                      F8E4M3FN,   F8E5M2,   BF16,   F16,   F32,   F64,   Weak<I64>, Weak<F64>],
        Weak<F64> => [_,        _,          _,          _,          _,           _,           _,           _,           _,
                      F8E4M3FN,   F8E5M2,   BF16,   F16,   F32,   F64,   Weak<F64>, Weak<F64>],
    }

    operations {
        Add { Bool: _ }
        Subtract { Bool: _ }
        Multiply { Bool: _ }
        // On integers, use `floor_div`.
        Divide { Bool Integer: _ }
        FloorDivide { Bool: _ }
        Power { Bool: _ }
        Atan2 { Bool Integer: _ }
        MinMax { Bool: _ }
        Bitwise { Float: _ }
        Shift { Bool Float: _ }
        strong Equality {
            Integer Float: Bool;
        }
        strong Ordering = Equality
        Join {}
        MatrixMultiply { Bool: _ }

        Negate { Bool Unsigned: _ }
        Sign { Bool: _ }
        Round { Bool: _ }
        Floor { Bool: _ }
        Invert { Float: _ }
        UnaryFloat { Bool Integer: _ }
        Reciprocal = UnaryFloat
        Absolute { Bool: _ }
        strong FloatClass {
            Bool Integer: _;
            Float: Bool;
        }

        Sum { Bool: _ }
        CumulativeSum { Bool: _ }
        // The mean of integers is an integer.
        Mean { Bool: _ }
        Variance = UnaryFloat
        MinMaxReduce { Bool: _ }
        strong ArgMinMax {
            Bool: _;
            Integer Float: I64;
        }
        strong AnyAll {
            Integer Float: _;
        }
    }

    /// The rules of OpenVINO's ConvertPromoteTypes with `pytorch_scalar_promotion=true`: beside a
    /// dimensioned tensor of its kind, a tensor of rank zero takes the dtype of the other.
    ///
    /// Booleans, integers and floats are the three kinds; between them, and between tensors of rank zero,
    /// [`OpenVino`] decides. A scalar is unsafe if it has more bits than the tensor, or a sign that the
    /// tensor lacks. An unsigned scalar may have twice the bits of a signed tensor. Of floats only the bits count: `f16` as `bf16` is accepted.
    ///
    /// Within one rank the rules are not associative either; see [`OpenVino`].
    #[law(commutative)]
    #[extensible]
    pub struct OpenVinoScalar<U64Target = F32> = "openvino-scalar";

    like OpenVino;

    // Rows are dimensioned, columns zero-dim.
    zero_dim {
        _        => [Bool,     U8,         U16,        U32,        U64,        I8,         I16,        I32,        I64,
                     F8E4M3FN,   F8E5M2,   BF16,       F16,        F32,        F64],
        Bool     => [Bool,     U8,         U16,        U32,        U64,        I8,         I16,        I32,        I64,
                     F8E4M3FN,   F8E5M2,   BF16,       F16,        F32,        F64],
        U8       => [U8,       U8,         U8^n,       U8^n,       U8^n,       U8^s,       U8^s,       U8^s,       U8^s,
                     F8E4M3FN^e, F8E5M2^e, BF16,       F16,        F32,        F64],
        U16      => [U16,      U16,        U16,        U16^n,      U16^n,      U16^s,      U16^s,      U16^s,      U16^s,
                     F8E4M3FN^e, F8E5M2^e, BF16^e,     F16^e,      F32,        F64],
        U32      => [U32,      U32,        U32,        U32,        U32^n,      U32^s,      U32^s,      U32^s,      U32^s,
                     F8E4M3FN^e, F8E5M2^e, BF16^e,     F16^e,      F32^e,      F64],
        U64      => [U64,      U64,        U64,        U64,        U64,        U64^s,      U64^s,      U64^s,      U64^s,
                     F8E4M3FN^e, F8E5M2^e, BF16^e,     F16^e,      F32^e,      F64^e],
        I8       => [I8,       I8,         I8,         I8^n,       I8^n,       I8,         I8^n,       I8^n,       I8^n,
                     F8E4M3FN^e, F8E5M2^e, BF16,       F16,        F32,        F64],
        I16      => [I16,      I16,        I16,        I16,        I16^n,      I16,        I16,        I16^n,      I16^n,
                     F8E4M3FN^e, F8E5M2^e, BF16^e,     F16^e,      F32,        F64],
        I32      => [I32,      I32,        I32,        I32,        I32,        I32,        I32,        I32,        I32^n,
                     F8E4M3FN^e, F8E5M2^e, BF16^e,     F16^e,      F32^e,      F64],
        I64      => [I64,      I64,        I64,        I64,        I64,        I64,        I64,        I64,        I64,
                     F8E4M3FN^e, F8E5M2^e, BF16^e,     F16^e,      F32^e,      F64^e],
        F8E4M3FN => [F8E4M3FN, F8E4M3FN^e, F8E4M3FN^e, F8E4M3FN^e, F8E4M3FN^e, F8E4M3FN^e, F8E4M3FN^e, F8E4M3FN^e, F8E4M3FN^e,
                     F8E4M3FN,   F8E4M3FN, F8E4M3FN^n, F8E4M3FN^n, F8E4M3FN^n, F8E4M3FN^n],
        F8E5M2   => [F8E5M2,   F8E5M2^e,   F8E5M2^e,   F8E5M2^e,   F8E5M2^e,   F8E5M2^e,   F8E5M2^e,   F8E5M2^e,   F8E5M2^e,
                     F8E5M2,     F8E5M2,   F8E5M2^n,   F8E5M2^n,   F8E5M2^n,   F8E5M2^n],
        BF16     => [BF16,     BF16,       BF16^e,     BF16^e,     BF16^e,     BF16,       BF16^e,     BF16^e,     BF16^e,
                     BF16,       BF16,     BF16,       BF16,       BF16^n,     BF16^n],
        F16      => [F16,      F16,        F16^e,      F16^e,      F16^e,      F16,        F16^e,      F16^e,      F16^e,
                     F16,        F16,      F16,        F16,        F16^n,      F16^n],
        F32      => [F32,      F32,        F32,        F32^e,      F32^e,      F32,        F32,        F32^e,      F32^e,
                     F32,        F32,      F32,        F32,        F32,        F32^n],
        F64      => [F64,      F64,        F64,        F64,        F64^e,      F64,        F64,        F64,        F64^e,
                     F64,        F64,      F64,        F64,        F64,        F64],
    }
}

/// OpenVINO's ConvertPromoteTypes-14 with attributes of run time: the operation on operand types and on
/// [`DynTensor`](crate::DynTensor)s.
///
/// The default is OpenVINO's: safe, not as PyTorch, and `f32`. For typed tensors see
/// [`convert_promote_types`](crate::convert_promote_types()).
///
/// ```
/// use supremum::{ConvertPromoteTypes, DType, Error, OperandType};
/// let [u64, i8] = [DType::U64, DType::I8].map(OperandType::dimensioned);
/// let safe = ConvertPromoteTypes::default();
/// assert!(matches!(safe.promote(u64, i8), Err(Error::UnsafePromotion { .. })));
/// let admitted = ConvertPromoteTypes {
///     promote_unsafe: true,
///     u64_integer_promotion_target: DType::I64,
///     ..safe
/// };
/// assert_eq!(admitted.promote(u64, i8)?.dtype, DType::I64);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConvertPromoteTypes {
    /// `true` if promotions that OpenVINO calls unsafe are admitted.
    pub promote_unsafe: bool,
    /// `true` if a scalar (rank zero) takes the dtype of a tensor of its kind, as in PyTorch.
    pub pytorch_scalar_promotion: bool,
    /// The promotion of `u64` and a signed integer.
    pub u64_integer_promotion_target: DType,
}

impl Default for ConvertPromoteTypes {
    fn default() -> Self {
        Self {
            promote_unsafe: false,
            pytorch_scalar_promotion: false,
            u64_integer_promotion_target: DType::F32,
        }
    }
}

impl ConvertPromoteTypes {
    /// The rules that these attributes choose.
    pub fn rule_set(self) -> &'static RuleSet {
        dispatch_dtype!(self.u64_integer_promotion_target, Target => {
            match (self.promote_unsafe, self.pytorch_scalar_promotion) {
                (false, false) => OpenVino::<Target>::RULE_SET,
                (false, true) => OpenVinoScalar::<Target>::RULE_SET,
                (true, false) => AllowUnsafe::<OpenVino<Target>>::RULE_SET,
                (true, true) => AllowUnsafe::<OpenVinoScalar<Target>>::RULE_SET,
            }
        })
    }

    /// The dtype that both operands are converted to.
    ///
    /// # Errors
    /// [`Error::NoPromotion`] for dtypes that the operation does not have; [`Error::UnsafePromotion`] with
    /// OpenVINO's reason if it is unsafe and not admitted.
    pub fn promote(self, lhs: OperandType, rhs: OperandType) -> Result<Promotion, Error> {
        self.rule_set().safe_promote(lhs, rhs)
    }
}
