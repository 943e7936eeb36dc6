//! Rule sets made from others, of the library and of this crate.

/// Names that an expansion might mistake for the library's rules.
#[allow(dead_code, reason = "decoys")]
mod decoys {
    pub(super) struct Jax;
    pub(super) struct Torch;
    pub(super) struct OpenVino;
    pub(super) struct StaticVerdict;
}
#[allow(unused_imports, reason = "decoys")]
use decoys::*;

/// Why [`Careful`] rules refuse a promotion.
#[derive(Clone, Copy, Debug)]
pub struct IsALabel;

impl ::promo::StaticVerdict for IsALabel {
    const VERDICT: ::promo::Verdict = ::promo::Verdict::Refused("8-bit integers are labels");
}

::promo::promotion_rules! {
    /// JAX, but integers of 32 bits and more take `f32` to `f64`.
    #[law(commutative)]
    #[extensible]
    pub struct Wider = "wider";

    extend Jax {
        I32 F32 => F64;
        I64 F32 => F64;
    }

    /// The same with reasons, and no result that is neither operand.
    #[law(commutative)]
    #[extensible]
    pub struct Careful = "careful";

    extend Wider {
        I8 F32 => F32^label;
        U8 F32 => unsafe F32;
        I64 F32 => safe F64;
    }
    marks { label: crate::extended::IsALabel }
    deny widening;
}

::promo::promotion_rules! {
    /// PyTorch, in which `u16` is a plain integer dtype.
    #[law(commutative)]
    pub struct TorchWithU16 = "torch-u16";

    extend Torch {
        U16 Bool => U16;
        U16 U8 => U16;
        U16 I32 => I32;
        U16 I64 => I64;
    }
}

::promo::promotion_rules! {
    /// OpenVINO, in which booleans do not take part in arithmetic.
    #[law(commutative)]
    pub struct NumbersOnly<U64Target = F64> = "numbers-only";

    extend OpenVino {
        Bool U8 => _;
        Bool I32 => _;
        I8 U8 => I16;
    }
}

::promo::promotion_rules! {
    /// OpenVINO with its default target.
    #[law(commutative)]
    pub struct OneTarget = "one-target";

    extend OpenVino { I8 U8 => I16 }
}

::promo::promotion_rules! {
    /// The dtypes in which a device without 64-bit dtypes computes.
    #[law(commutative, associative)]
    pub struct Device = "device";

    like Jax;
    only [Bool I32 F16 BF16 F32]
}

::promo::promotion_rules! {
    /// Values do not count: only marks do.
    #[law(commutative)]
    pub struct Trusting = "trusting";

    extend Jax { I64 F32 => unsafe F32 }
    safety: marks;
}

::promo::promotion_rules! {
    /// Tensors with dimensions decide, literals are narrow, and users say what mixed signs give.
    #[law(commutative)]
    pub struct ByRank<Signed = I64> = "by-rank";

    table {
        _         => [I64,           U64,           F32, F64, Weak<I32>, Weak<F32>],
        I64       => [I64,           unsafe Signed, F64, F64, I64,       F64],
        U64       => [unsafe Signed, U64,           F64, F64, U64,       F64],
        F32       => [F64,           F64,           F32, F64, F32,       F32],
        F64       => [F64,           F64,           F64, F64, F64,       F64],
        Weak<I32> => [I64,           U64,           F32, F64, Weak<I32>, Weak<F32>],
        Weak<F32> => [F64,           F64,           F32, F64, Weak<F32>, Weak<F32>],
    }
    zero_dim {
        _   => [I64,           U64,           F32, F64],
        I64 => [I64,           unsafe Signed, F32, F64],
        U64 => [unsafe Signed, U64,           F32, F64],
        F32 => [safe F32,      F32,           F32, F32],
        F64 => [F64,           F64,           F64, F64],
    }
    literals { Int: Weak<I32>; Float: Weak<F32> }
}

/// Rules of this crate's other invocations, wherever they are.
pub mod elsewhere {
    ::promo::promotion_rules! {
        /// One pair more.
        #[law(commutative)]
        pub struct WiderYet = "wider-yet";
        extend crate::extended::Wider { I16 F16 => F32 }
    }

    ::promo::promotion_rules! {
        /// By another path, and extensible itself.
        #[extensible]
        pub struct Within = "within";
        extend super::Wider { I16 F16 => F32 }
    }

    ::promo::promotion_rules! {
        /// Rules like rules like rules.
        pub struct Outside = "outside";
        like self::Within;
    }
}
