//! The type promotion of [PyTorch](https://docs.pytorch.org), version 2.15.0, on the CPU.
//!
//! Sources: `c10::promoteTypes` (`c10/core/ScalarType.cpp`), which `torch.promote_types` shows; and
//! `torch.result_type`, documented in
//! [type promotion](https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc),
//! for every pair of dtypes, ranks and literals. The results of operations were observed, for every operation and dtype.
//!
//! Some things differ from PyTorch. `x ** True` promotes as other powers do (PyTorch copies `x` and keeps its dtype). `arctan2`,
//! `minimum` and `maximum` take a literal as one operand (PyTorch takes tensors only), and so does `f8 * literal` (PyTorch has a
//! kernel of two tensors only). `var` and `std` of PyTorch divide by n - 1 by default, ours by n; only their dtypes are the same.
//!
//! PyTorch wraps a literal that an integer dtype does not have, and makes it infinite in a float, but refuses an
//! integer beyond `i64`. Here all of these are refused, unless unsafe promotions are admitted; then only the last is.

super::builtin_rules! {
    /// The rules of PyTorch: `torch.result_type` (PyTorch 2.15.0, default dtype `float32`).
    ///
    /// Operands fall into three categories: dimensioned tensors, zero-dim tensors, and literals, which PyTorch calls wrapped
    /// numbers. Within a category `torch.promote_types` decides: a float beside an integer keeps its width, so that `i64` with
    /// `f16` is `f16`. Of two categories the higher one decides, unless the other operand has a higher kind (bool < integer < real
    /// < complex): then the result is the dtype of the lower category. For a literal that is `i64`, `f32` or `c64`. A complex
    /// scalar beside a real tensor takes the width of the tensor.
    ///
    /// Refused are `u16`, `u32` and `u64` with booleans, with other integers and with complex numbers, and 8-bit floats with
    /// everything but themselves, within a category. Across categories they are refused only if the tensor would change its dtype.
    /// A result of `torch.complex32`, as for `f16` with a complex literal, or of its `bf16` counterpart has no dtype in this
    /// library, and is refused too.
    ///
    /// The rules are not associative: (`bool`, `u16`, `f32`) is undefined from the left and `f32` from the
    /// right. Within one rank and without `u16`, `u32`, `u64` and literals they would be. Across ranks
    /// they are not: of `bool`, a zero-dim `u8` and `i8`, the left pair first gives `i16`, the right pair
    /// first `i8`.
    ///
    /// A literal `True` is a weak operand of its own: unlike a boolean of rank zero, it promotes with 8-bit floats and with `u16`, `u32` and
    /// `u64` of rank zero.
    #[law(commutative)]
    #[extensible]
    pub struct Torch = "torch";

    source "PyTorch 2.15.0 on the CPU" "https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc";

    weak_pairs: replaced;
    common: by_class;
    only [Bool Integer F8E4M3FN F8E5M2 F8E4M3FNUZ F8E5M2FNUZ BF16 F16 F32 F64 Complex]
    literals { Bool: Weak<Bool>; Int: Weak<I64> wraps; Float: Weak<F64> overflows }

    // A row has three lines: beside booleans and integers; beside 8-bit floats; beside others and literals.
    table {
        _          => [Bool,     U8,     U16,        U32,        U64,  I8,   I16,        I32,        I64,
                       F8E4M3FN, F8E5M2, F8E4M3FNUZ, F8E5M2FNUZ,
                       BF16,     F16,    F32,        F64,        C64,  C128, Weak<Bool>, Weak<I64>,  Weak<F64>,  Weak<C128>],
        Bool       => [Bool,     U8,     _,          _,          _,    I8,   I16,        I32,        I64,
                       _,        _,      _,          _,
                       BF16,     F16,    F32,        F64,        C64,  C128, Bool,       I64,        F32,        C64],
        U8         => [U8,       U8,     _,          _,          _,    I16,  I16,        I32,        I64,
                       _,        _,      _,          _,
                       BF16,     F16,    F32,        F64,        C64,  C128, U8,         U8,         F32,        C64],
        U16        => [_,        _,      U16,        _,          _,    _,    _,          _,          _,
                       _,        _,      _,          _,
                       BF16,     F16,    F32,        F64,        _,    _,    U16,        U16,        F32,        C64],
        U32        => [_,        _,      _,          U32,        _,    _,    _,          _,          _,
                       _,        _,      _,          _,
                       BF16,     F16,    F32,        F64,        _,    _,    U32,        U32,        F32,        C64],
        U64        => [_,        _,      _,          _,          U64,  _,    _,          _,          _,
                       _,        _,      _,          _,
                       BF16,     F16,    F32,        F64,        _,    _,    U64,        U64,        F32,        C64],
        I8         => [I8,       I16,    _,          _,          _,    I8,   I16,        I32,        I64,
                       _,        _,      _,          _,
                       BF16,     F16,    F32,        F64,        C64,  C128, I8,         I8,         F32,        C64],
        I16        => [I16,      I16,    _,          _,          _,    I16,  I16,        I32,        I64,
                       _,        _,      _,          _,
                       BF16,     F16,    F32,        F64,        C64,  C128, I16,        I16,        F32,        C64],
        I32        => [I32,      I32,    _,          _,          _,    I32,  I32,        I32,        I64,
                       _,        _,      _,          _,
                       BF16,     F16,    F32,        F64,        C64,  C128, I32,        I32,        F32,        C64],
        I64        => [I64,      I64,    _,          _,          _,    I64,  I64,        I64,        I64,
                       _,        _,      _,          _,
                       BF16,     F16,    F32,        F64,        C64,  C128, I64,        I64,        F32,        C64],
        F8E4M3FN   => [_,        _,      _,          _,          _,    _,    _,          _,          _,
                       F8E4M3FN, _,      _,          _,
                       _,        _,      _,          _,          _,    _,    F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   _],
        F8E5M2     => [_,        _,      _,          _,          _,    _,    _,          _,          _,
                       _,        F8E5M2, _,          _,
                       _,        _,      _,          _,          _,    _,    F8E5M2,     F8E5M2,     F8E5M2,     _],
        F8E4M3FNUZ => [_,        _,      _,          _,          _,    _,    _,          _,          _,
                       _,        _,      F8E4M3FNUZ, _,
                       _,        _,      _,          _,          _,    _,    F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, _],
        F8E5M2FNUZ => [_,        _,      _,          _,          _,    _,    _,          _,          _,
                       _,        _,      _,          F8E5M2FNUZ,
                       _,        _,      _,          _,          _,    _,    F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, _],
        BF16       => [BF16,     BF16,   BF16,       BF16,       BF16, BF16, BF16,       BF16,       BF16,
                       _,        _,      _,          _,
                       BF16,     F32,    F32,        F64,        C64,  C128, BF16,       BF16,       BF16,       _],
        F16        => [F16,      F16,    F16,        F16,        F16,  F16,  F16,        F16,        F16,
                       _,        _,      _,          _,
                       F32,      F16,    F32,        F64,        C64,  C128, F16,        F16,        F16,        _],
        F32        => [F32,      F32,    F32,        F32,        F32,  F32,  F32,        F32,        F32,
                       _,        _,      _,          _,
                       F32,      F32,    F32,        F64,        C64,  C128, F32,        F32,        F32,        C64],
        F64        => [F64,      F64,    F64,        F64,        F64,  F64,  F64,        F64,        F64,
                       _,        _,      _,          _,
                       F64,      F64,    F64,        F64,        C128, C128, F64,        F64,        F64,        C128],
        C64        => [C64,      C64,    _,          _,          _,    C64,  C64,        C64,        C64,
                       _,        _,      _,          _,
                       C64,      C64,    C64,        C128,       C64,  C128, C64,        C64,        C64,        C64],
        C128       => [C128,     C128,   _,          _,          _,    C128, C128,       C128,       C128,
                       _,        _,      _,          _,
                       C128,     C128,   C128,       C128,       C128, C128, C128,       C128,       C128,       C128],
        Weak<Bool> => [Bool,     U8,     U16,        U32,        U64,  I8,   I16,        I32,        I64,
                       F8E4M3FN, F8E5M2, F8E4M3FNUZ, F8E5M2FNUZ,
                       BF16,     F16,    F32,        F64,        C64,  C128, Weak<Bool>, Weak<I64>,  Weak<F64>,  Weak<C128>],
        Weak<I64>  => [I64,      U8,     U16,        U32,        U64,  I8,   I16,        I32,        I64,
                       F8E4M3FN, F8E5M2, F8E4M3FNUZ, F8E5M2FNUZ,
                       BF16,     F16,    F32,        F64,        C64,  C128, Weak<I64>,  Weak<I64>,  Weak<F64>,  Weak<C128>],
        Weak<F64>  => [F32,      F32,    F32,        F32,        F32,  F32,  F32,        F32,        F32,
                       F8E4M3FN, F8E5M2, F8E4M3FNUZ, F8E5M2FNUZ,
                       BF16,     F16,    F32,        F64,        C64,  C128, Weak<F64>,  Weak<F64>,  Weak<F64>,  Weak<C128>],
        Weak<C128> => [C64,      C64,    C64,        C64,        C64,  C64,  C64,        C64,        C64,
                       _,        _,      _,          _,
                       _,        _,      C64,        C128,       C64,  C128, Weak<C128>, Weak<C128>, Weak<C128>, Weak<C128>],
    }

    // Rows are dimensioned, columns zero-dim.
    zero_dim {
        _          => [Bool,       U8,         U16,        U32,        U64,        I8,         I16,        I32,        I64,
                       F8E4M3FN,   F8E5M2,     F8E4M3FNUZ, F8E5M2FNUZ,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        Bool       => [Bool,       U8,         _,          _,          _,          I8,         I16,        I32,        I64,
                       _,          _,          _,          _,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        U8         => [U8,         U8,         U8,         U8,         U8,         U8,         U8,         U8,         U8,
                       _,          _,          _,          _,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        U16        => [U16,        U16,        U16,        U16,        U16,        U16,        U16,        U16,        U16,
                       _,          _,          _,          _,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        U32        => [U32,        U32,        U32,        U32,        U32,        U32,        U32,        U32,        U32,
                       _,          _,          _,          _,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        U64        => [U64,        U64,        U64,        U64,        U64,        U64,        U64,        U64,        U64,
                       _,          _,          _,          _,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        I8         => [I8,         I8,         I8,         I8,         I8,         I8,         I8,         I8,         I8,
                       _,          _,          _,          _,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        I16        => [I16,        I16,        I16,        I16,        I16,        I16,        I16,        I16,        I16,
                       _,          _,          _,          _,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        I32        => [I32,        I32,        I32,        I32,        I32,        I32,        I32,        I32,        I32,
                       _,          _,          _,          _,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        I64        => [I64,        I64,        I64,        I64,        I64,        I64,        I64,        I64,        I64,
                       _,          _,          _,          _,
                       BF16,       F16,        F32,        F64,        C64,        C128],
        F8E4M3FN   => [F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   F8E4M3FN,
                       F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   F8E4M3FN,
                       F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   F8E4M3FN,   _,          _],
        F8E5M2     => [F8E5M2,     F8E5M2,     F8E5M2,     F8E5M2,     F8E5M2,     F8E5M2,     F8E5M2,     F8E5M2,     F8E5M2,
                       F8E5M2,     F8E5M2,     F8E5M2,     F8E5M2,
                       F8E5M2,     F8E5M2,     F8E5M2,     F8E5M2,     _,          _],
        F8E4M3FNUZ => [F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ,
                       F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ,
                       F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, F8E4M3FNUZ, _,          _],
        F8E5M2FNUZ => [F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ,
                       F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ,
                       F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, F8E5M2FNUZ, _,          _],
        BF16       => [BF16,       BF16,       BF16,       BF16,       BF16,       BF16,       BF16,       BF16,       BF16,
                       BF16,       BF16,       BF16,       BF16,
                       BF16,       BF16,       BF16,       BF16,       _,          _],
        F16        => [F16,        F16,        F16,        F16,        F16,        F16,        F16,        F16,        F16,
                       F16,        F16,        F16,        F16,
                       F16,        F16,        F16,        F16,        _,          _],
        F32        => [F32,        F32,        F32,        F32,        F32,        F32,        F32,        F32,        F32,
                       F32,        F32,        F32,        F32,
                       F32,        F32,        F32,        F32,        C64,        C64],
        F64        => [F64,        F64,        F64,        F64,        F64,        F64,        F64,        F64,        F64,
                       F64,        F64,        F64,        F64,
                       F64,        F64,        F64,        F64,        C128,       C128],
        C64        => [C64,        C64,        C64,        C64,        C64,        C64,        C64,        C64,        C64,
                       C64,        C64,        C64,        C64,
                       C64,        C64,        C64,        C64,        C64,        C64],
        C128       => [C128,       C128,       C128,       C128,       C128,       C128,       C128,       C128,       C128,
                       C128,       C128,       C128,       C128,
                       C128,       C128,       C128,       C128,       C128,       C128],
    }

    // Most `_` are CPU kernels that PyTorch 2.15 does not have: all of 8-bit floats, of U16 U32 U64 outside
    // Mean and Variance, and of Bool outside Negate, Mean, Variance and ArgMinMax. The function itself
    // refuses these four for Bool, and Mean and Variance for integers.
    operations {
        Add { U16 U32 U64 Float8: _ }
        Subtract under TorchSubtract { U16 U32 U64 Float8: _ }
        // There is a kernel for `f8 * f8`, and none for `f8 * literal`, which has the same dtype.
        Multiply {}
        Divide {
            Bool Integer: F32;
            Float8: _;
            Weak<Bool> Weak<I64>: Weak<F64>;
        }
        FloorDivide { Bool U16 U32 U64 Float8 Complex: _ }
        Power { Bool U16 U32 U64 Float8: _ }
        Atan2 {
            Bool Integer: F32;
            Float8 Complex: _;
            Weak<Bool> Weak<I64>: Weak<F64>;
        }
        MinMax { Float8 Complex: _ }
        Bitwise { Float Complex: _ }
        Shift { Bool U16 U32 U64 Float Complex: _ }
        strong Equality {
            Integer Float Complex: Bool;
        }
        strong Ordering {
            U8 Signed Float: Bool;
            U16 U32 U64 Float8 Complex: _;
        }
        // Two literals joined have the default dtypes.
        strong Join { Weak<F64>: F32; Weak<C128>: C64 }
        MatrixMultiply under TorchEqual { Bool U16 U32 U64: _ }

        Negate { Bool U16 U32 U64 Float8: _ }
        Sign { U16 U32 U64 Float8 Complex: _ }
        Round { Bool Float8 Complex: _ }
        Floor { Bool Float8 Complex: _ }
        Invert { U16 U32 U64 Float Complex: _ }
        UnaryFloat = Divide
        // Of gelu, silu, softplus and softmax. PyTorch converts no integers there.
        Activation { Bool Integer Float8 Complex: _ }
        Reciprocal = Divide
        Absolute { Bool U16 U32 U64: _; C64: F32; C128: F64 }
        strong FloatClass = Equality

        strong Sum { Bool Unsigned I8 I16 I32: I64; Float8: _ }
        strong CumulativeSum = Sum
        strong Mean { Bool Integer Float8: _ }
        strong Variance {
            Bool Integer Float8: _;
            C64: F32; C128: F64;
        }
        strong MinMaxReduce { U16 U32 U64 Float8 Complex: _ }
        strong ArgMinMax {
            U8 I8 I16 I32 Float: I64;
            Bool U16 U32 U64 Float8 Complex: _;
        }
        strong AnyAll {
            U16 U32 U64 Signed Float Complex: Bool;
        }
    }

    /// The promotion of PyTorch's `-`: like [`Torch`], but booleans do not subtract.
    ///
    /// A boolean operand is refused beside every dtype, be it a tensor or the literal `True`.
    #[law(commutative)]
    #[extensible]
    #[part_of(Torch)]
    pub struct TorchSubtract = "torch-subtract";

    like Torch;
    only [Integer F8E4M3FN F8E5M2 F8E4M3FNUZ F8E5M2FNUZ BF16 F16 F32 F64 Complex]
    operations Torch;

    /// The promotion of PyTorch's `matmul`: none. Both operands must have the same dtype.
    #[law(commutative, associative)]
    #[extensible]
    #[part_of(Torch)]
    pub struct TorchEqual = "torch-equal";

    source "PyTorch 2.15.0 on the CPU" "https://docs.pytorch.org/docs/stable/generated/torch.matmul.html";

    weak_pairs: replaced;

    lattice {
        Bool; Integer; F8E4M3FN; F8E5M2; F8E4M3FNUZ; F8E5M2FNUZ; BF16; F16; F32; F64; Complex;
    }
    operations Torch;
}
