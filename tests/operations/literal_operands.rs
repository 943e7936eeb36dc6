//! Literals as operands: on either side, in every dtype, out of range, and weak results.

use supremum::{
    AllowUnsafe, BF16, Bool, C64, C128, Error, F8E4M3FN, F8E5M2, F16, F32, F64, I8, I16, I32, I64,
    Jax, JaxX32, Rank1, StaticDType, Tensor, U8, U64, Weak, c128, f16, tensor,
};

use crate::exact::{Tally, Tested};
use crate::naive::{Arith, Op, assert_same, convert, edges};
use crate::panics::panic_text;
use crate::vector;

/// The results of an operation on each element and a literal. The literal is the left operand if `swap` is true.
fn beside_literal<E: Tested, Out: Arith>(
    op: Op,
    elements: &[E],
    literal: Out,
    swap: bool,
) -> Vec<Out> {
    let mut expected = vec![];
    for x in elements {
        let x = convert(*x);
        let (a, b) = if swap { (literal, x) } else { (x, literal) };
        expected.push(Arith::apply(op, a, b).expect("no zero divisors"));
    }
    expected
}

/// Every operator with a literal on both sides, by value and by reference.
macro_rules! literal_sides {
    ($tally:ident, $dtype:ident, $literal:expr, $weak:ident, $out:ident: $($operator:tt $op:ident),*) => {{
        let elements = edges::<<$dtype as StaticDType>::Element>();
        let t = vector::<$dtype>(&elements);
        let literal: <$out as StaticDType>::Element = convert($literal);
        $({
            let right: [Tensor<_, Rank1>; 3] = [&t $operator $literal, t.clone() $operator $literal, vector::<$dtype>(&elements) $operator $literal];
            let left: [Tensor<_, Rank1>; 3] = [$literal $operator &t, $literal $operator t.clone(), $literal $operator vector::<$dtype>(&elements)];
            for (swap, results) in [(false, right), (true, left)] {
                for result in results {
                    // The dtype, weak or strong, is what the promotion says.
                    assert_eq!(result.dtype(), <$out as StaticDType>::DTYPE);
                    let what = format!("{} {} {} (literal left: {swap})", stringify!($dtype), stringify!($operator), stringify!($literal));
                    assert_same(&result.to_vec(), &beside_literal(Op::$op, &elements, literal, swap), &what);
                    $tally.record(true, String::new);
                }
            }
            assert_same(&t.to_vec(), &elements, "the operand afterwards");
        })*
    }};
}

#[test]
fn literals_on_both_sides() {
    let mut tally = Tally::default();
    literal_sides!(tally, U8, 7, I64, U8: + Add, - Sub, * Mul, & And, | Or, ^ Xor, << Shl, >> Shr);
    literal_sides!(tally, I16, -3, I64, I16: + Add, - Sub, * Mul, & And, | Or, ^ Xor, << Shl, >> Shr);
    literal_sides!(tally, U64, 3, I64, U64: + Add, - Sub, * Mul, & And, | Or, ^ Xor, << Shl, >> Shr);
    literal_sides!(tally, I64, i64::MIN, I64, I64: + Add, - Sub, * Mul, & And);
    literal_sides!(tally, Bool, 7, I64, I64: + Add, - Sub, * Mul, & And, << Shl);
    literal_sides!(tally, Bool, true, Bool, Bool: + Add, * Mul, & And, | Or, ^ Xor);
    literal_sides!(tally, U8, true, Bool, U8: + Add, - Sub, * Mul, & And, | Or, ^ Xor, << Shl);
    literal_sides!(tally, F16, true, Bool, F16: + Add, - Sub, * Mul, / Div);
    literal_sides!(tally, Bool, 2.5, F64, F64: + Add, - Sub, * Mul, / Div, % Rem);
    literal_sides!(tally, F8E4M3FN, 2.5, F64, F8E4M3FN: + Add, - Sub, * Mul, / Div, % Rem);
    literal_sides!(tally, F8E5M2, 2, I64, F8E5M2: + Add, - Sub, * Mul, / Div, % Rem);
    literal_sides!(tally, BF16, 1.1, F64, BF16: + Add, - Sub, * Mul, / Div, % Rem);
    literal_sides!(tally, F16, -1.5, F64, F16: + Add, - Sub, * Mul, / Div, % Rem);
    literal_sides!(tally, F32, 0.1, F64, F32: + Add, - Sub, * Mul, / Div, % Rem);
    literal_sides!(tally, F64, f64::NAN, F64, F64: + Add, - Sub, * Mul, / Div, % Rem);
    literal_sides!(tally, C64, 1.5, F64, C64: + Add, - Sub, * Mul);
    literal_sides!(tally, C128, c128::new(0.5, -2.0), C128, C128: + Add, - Sub, * Mul);
    literal_sides!(tally, F32, c128::new(0.5, -2.0), C128, C64: + Add, - Sub, * Mul);
    tally.finish("literals on both sides");
}

#[test]
fn literals_land_in_integers_of_an_integer_quotient() {
    let t: Tensor<I32, Rank1> = tensor![7, -7, 0];
    assert_eq!((&t / 2).to_vec(), [3.5_f32, -3.5, 0.0]);
    assert_eq!(
        (2 / &t).to_vec(),
        [2.0_f32 / 7.0, 2.0_f32 / -7.0, f32::INFINITY]
    );
    assert_eq!((&t % 4).to_vec(), [3, 1, 0]);
    assert_eq!(t.floor_div(-4).to_vec(), [-2, 1, 0]);
    assert_eq!(t.minimum(3).to_vec(), [3, -7, 0]);
    assert_eq!(t.maximum(true).to_vec(), [7, 1, 1]);
    assert_eq!(t.lt(3).to_vec(), [false, true, true]);
    assert!(matches!(t.try_rem(0), Err(Error::DivisionByZero { .. })));
    assert!(matches!(
        t.try_floor_div(false),
        Err(Error::DivisionByZero { .. })
    ));
    assert!(panic_text(|| &t % 0).contains("divided by zero"));
    let none = Tensor::<I32, Rank1>::zeros([0]);
    assert_eq!((none % 0).to_vec(), [0_i32; 0]);
}

#[test]
fn literals_out_of_range() {
    let bytes: Tensor<U8, Rank1> = tensor![1, 200];
    let check = |result: Result<Tensor<U8, Rank1>, Error>, text: &str| {
        let error = result.expect_err("out of range");
        assert!(
            matches!(error, Error::LiteralOutOfRange { .. }),
            "{error:?}"
        );
        assert_eq!(error.to_string(), text);
        text.to_owned()
    };
    let text = check(
        bytes.try_add(300),
        "add: the literal 300 is out of range for u8",
    );
    assert_eq!(panic_text(|| &bytes + 300), text);
    assert_eq!(panic_text(|| 300 + &bytes), text);
    check(
        bytes.try_sub(-1),
        "sub: the literal -1 is out of range for u8",
    );
    check(
        bytes.try_bitand(256),
        "bitand: the literal 256 is out of range for u8",
    );
    assert!(bytes.try_lt(256).is_err() && bytes.try_lt(255).is_ok());
    assert!(bytes.try_equal(-1).is_err());
    assert!(bytes.try_clamp(0, 256).is_err());

    let halves: Tensor<F16, Rank1> = tensor![1.0];
    assert!(halves.try_add(65504.0).is_ok());
    assert!(halves.try_add(65519.9).is_ok(), "rounds to the largest f16");
    assert!(halves.try_add(65520.0).is_err(), "rounds to infinity");
    assert!(halves.try_add(70000).is_err());
    assert_eq!(
        halves.try_add(f64::INFINITY).map(|t| t.to_vec()),
        Ok(vec![f16::INFINITY])
    );
    let tiny: Tensor<F8E4M3FN, Rank1> = tensor![1.0];
    assert!(tiny.try_mul(448).is_ok() && tiny.try_mul(-448.0).is_ok());
    assert!(tiny.try_mul(500).is_err());
    let singles: Tensor<F32, Rank1> = tensor![1.0];
    assert!(singles.try_add(1e39).is_err() && singles.try_add(3.4e38).is_ok());
    let complex: Tensor<C64, Rank1> = tensor![1.0];
    assert!(complex.try_add(c128::new(0.0, 1e39)).is_err());
    let wide: Tensor<U64, Rank1> = tensor![1];
    assert!(wide.try_add(-1).is_err() && wide.try_add(i64::MAX).is_ok());

    // Admitted: integers wrap, floats overflow.
    let bytes = bytes.with_rules::<AllowUnsafe<Jax>>();
    assert_eq!((&bytes + 300).to_vec(), [45, 244]);
    assert_eq!((-1 + &bytes).to_vec(), [0, 199]);
    let halves = halves.with_rules::<AllowUnsafe<Jax>>();
    assert_eq!((&halves + 70000).to_vec(), [f16::INFINITY]);
    assert_eq!((&halves - 70000.0).to_vec(), [f16::NEG_INFINITY]);
}

#[test]
fn weakness_yields_and_spreads() {
    let truths: Tensor<Bool, Rank1> = tensor![true, false];
    let counts: Tensor<Weak<I64>, Rank1> = &truths + 1;
    assert_eq!(counts.to_vec(), [2, 1]);
    let bytes: Tensor<U8, Rank1> = tensor![250, 250];
    let sum: Tensor<U8, Rank1> = &bytes + &counts;
    assert_eq!(sum.to_vec(), [252, 251]);
    let weak: Tensor<Weak<F64>, Rank1> = &counts * 0.5;
    let half: Tensor<F16, Rank1> = tensor![1.0, 1.0];
    let scaled: Tensor<F16, Rank1> = &weak * &half;
    assert_eq!(scaled.to_vec(), [f16::ONE, f16::from_f32(0.5)]);
    let weak_truth: Tensor<Weak<Bool>, Rank1> = counts.equal(2);
    assert_eq!(weak_truth.to_vec(), [true, false]);
    let mixed: Tensor<Weak<F64>, Rank1> =
        Tensor::<U64, Rank1>::ones([2]).promote_unsafe() + Tensor::<I8, Rank1>::ones([2]);
    let single: Tensor<F32, Rank1> = mixed + Tensor::<F32, Rank1>::ones([2]);
    assert_eq!(single.to_vec(), [3.0, 3.0]);
    let x32: Tensor<Weak<I32>, Rank1, JaxX32> = truths.with_rules::<JaxX32>() + 1;
    assert_eq!(x32.to_vec(), [2, 1]);
}
