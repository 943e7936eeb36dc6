//! Powers: the dtype in the type system and at run time, and the values.

use supremum::operations::Power;
use supremum::prelude::*;
use supremum::{OperandType, Operation, PowKeepsBase};

const fn operand<D: StaticDType>() -> OperandType {
    if D::WEAK {
        OperandType::weak(D::DTYPE)
    } else {
        OperandType::dimensioned(D::DTYPE)
    }
}

/// A base, an exponent, and the operand that the compiler finds for their power.
type Row = [OperandType; 3];

const fn row<Base, Exponent>() -> Row
where
    Base: StaticDType + Promote<Exponent, PowKeepsBase<Jax>, Output: Power<Jax>>,
    Exponent: StaticDType,
{
    [
        operand::<Base>(),
        operand::<Exponent>(),
        operand::<<Base::Output as Power<Jax>>::Output>(),
    ]
}

/// Every pair of dtypes and weak dtypes but for the 8-bit floats, which promote with few others.
#[test]
fn the_dtype_is_that_of_the_rule_set() {
    macro_rules! exponents {
        ($base:ty; $($exponent:ident)*) => {{
            // Constants: the compiler compiles no function for each pair.
            const ROWS: &[Row] = &[$(row::<$base, $exponent>(), row::<$base, Weak<$exponent>>()),*];
            ROWS
        }};
    }
    macro_rules! bases {
        ($($base:ident)*) => {
            [$(
                exponents!($base; Bool U8 U16 U32 U64 I8 I16 I32 I64 BF16 F16 F32 F64 C64 C128),
                exponents!(Weak<$base>; Bool U8 U16 U32 U64 I8 I16 I32 I64 BF16 F16 F32 F64 C64 C128),
            )*]
        };
    }
    let rows = bases!(Bool U8 U16 U32 U64 I8 I16 I32 I64 BF16 F16 F32 F64 C64 C128).concat();
    let rules = <AllowUnsafe<Jax>>::rule_set();
    for [base, exponent, expected] in &rows {
        let power = rules.binary(Operation::Power, *base, *exponent);
        let found = power.map(|power| power.operand());
        assert_eq!(found, Ok(*expected), "{base} to the power of {exponent}");
    }
    println!("{} pairs", rows.len());
    assert_eq!(rows.len(), 900);
}

#[test]
fn integers_wrap_and_refuse_negative_exponents() {
    let base: Tensor<I8, Rank1> = tensor![2, -3, 0, -128];
    assert_eq!(base.pow(5).to_vec(), [32, 13, 0, 0]); // (-3)^5 is -243
    assert_eq!(base.pow(0).to_vec(), [1; 4]);
    assert!(matches!(
        base.try_pow(-1),
        Err(Error::NegativeExponent { dtype: DType::I8 })
    ));
    let truth: Tensor<Bool, Rank1> = tensor![true, false];
    let power: Tensor<I32, Rank1> = truth.pow(&truth);
    assert_eq!(power.to_vec(), [1, 1]);
}

/// In f16 the exponent 2049 would round to 2048 and lose that it is odd.
#[test]
fn integer_exponents_of_small_floats_stay_exact() {
    let base: Tensor<F16, Rank1> = tensor![-1.0, 1.5, 0.0];
    let power: Tensor<F16, Rank1> = base.pow(&tensor![I64; 2049, 2, -1]);
    assert_eq!(
        power.to_vec(),
        [-1.0, 2.25, f32::INFINITY].map(f16::from_f32)
    );
    let base: Tensor<C64, Rank1> = tensor![c64::new(0.0, 1.0)];
    let power: Tensor<C64, Rank1> = base.pow(2);
    assert!(power.approx_eq(&tensor![C64; c64::new(-1.0, 0.0)], 1e-6, 1e-6));
}

#[test]
fn floats_promote() {
    let base: Tensor<BF16, Rank1> = tensor![4.0, -8.0];
    let power: Tensor<F32, Rank1> = base.pow(&tensor![F16; 0.5, 0.5]);
    assert_eq!(power.get(&[0]), Some(2.0));
    assert!(power.get(&[1]).is_some_and(f32::is_nan));
    assert_eq!(base.pow(2.0).to_vec(), [16.0, 64.0].map(bf16::from_f32));
}

/// Squares by an integer are computed in the dtype of the base. They are those that `f64` computes and rounds: of all small floats, and of
/// `f32` around the bounds of squares.
#[test]
fn squares_by_integers_are_rounded_once() {
    macro_rules! check {
        ($($D:ident $bits:ty;)*) => {$({
            let bits: Vec<u8> = (0..=<$bits>::MAX).flat_map(<$bits>::to_le_bytes).collect();
            let count = bits.len() / size_of::<$bits>();
            let x = DynTensor::from_bytes(DType::$D, &[count], &bits).unwrap();
            let x: Tensor<$D, Rank1> = x.typed().unwrap();
            let wide = x.widen::<F64>();
            let expected = (&wide * &wide).cast::<$D>();
            for (square, expected) in x.pow(2).iter().zip(expected.iter()) {
                assert!(square.to_bits() == expected.to_bits() || square.is_nan() && expected.is_nan(), "{square} is not {expected}");
            }
        })*};
    }
    check! { F16 u16; BF16 u16; }
    // The least and the greatest squares, and numbers between them.
    let roots = [0x1A00_0000_u32, 0x2000_0000, 0x3F80_0000, 0x5F7F_FF00];
    let x: Tensor<F32, Rank1> = roots
        .iter()
        .flat_map(|first| (0..3000).map(move |step| f32::from_bits(first + step * 7919)))
        .collect();
    let wide = x.widen::<F64>();
    assert_eq!(x.pow(2).to_vec(), (&wide * &wide).cast::<F32>().to_vec());
}

/// Powers by integer literals that are products or quotients have the bits of those by tensors of exponents, in every form.
#[test]
fn powers_by_literals_are_those_by_tensors() {
    macro_rules! check {
        ($($D:ident: $($exponent:literal)*;)*) => {$({
            let roots = (0..4000_i16).map(|step| (f32::from(step) - 2000.0) * 0.0137);
            let limits = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, -0.0, 1e-13, 1e13, -3e-11];
            let x: Tensor<F32, Rank1> = roots.chain(limits).collect();
            let x = x.cast::<$D>();
            let runtime = DynTensor::from(x.clone());
            let bits = |x: &Tensor<$D, Rank1>| -> Vec<_> {
                x.iter().map(|x| (!x.is_nan()).then(|| x.to_bits())).collect()
            };
            $({
                let exponents = Tensor::<I64, Rank1>::full([x.len()], $exponent);
                let expected = bits(&x.pow(&exponents));
                let name = stringify!($D to the power of $exponent);
                assert_eq!(bits(&x.pow($exponent)), expected, "{name}");
                assert_eq!(bits(&fuse!(x.pow($exponent))), expected, "{name}, fused");
                let dynamic = runtime.pow($exponent).typed::<$D, Rank1, Jax>();
                assert_eq!(bits(&dynamic.unwrap()), expected, "{name}, dynamic");
                let more = fuse!(x.pow($exponent) + x);
                assert_eq!(bits(&more), bits(&(x.pow(&exponents) + &x)), "{name}, in an expression");
            })*
        })*};
    }
    check! {
        F16: -3 -2 -1 0 1 2 3 4 5;
        BF16: -3 -2 -1 0 1 2 3 4 5;
        F32: -3 -2 -1 0 1 2 3 4 5;
        F64: -2 -1 3 4;
    }
}
