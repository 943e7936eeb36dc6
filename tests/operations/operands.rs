//! The forms that operands take: values, references, wrapped operands, compound assignment, views; and that an operation does not
//! change its operands.

use crate::exact::Tally;
use crate::naive::{
    Arith, Op, Typed, assert_same, convert, each_dtype, each_number, edges, sample,
};
use crate::panics::panic_text;
use crate::vector;
use supremum::operations::{Invert, Negate};
use supremum::{
    BF16, Bool, C64, C128, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16,
    F32, F64, I8, I16, I32, I64, Jax, Promoted, Rank, Rank0, Rank1, Rank2, SafePromote,
    StaticDType, Tensor, U8, U16, U32, U64, f16, tensor,
};

/// The same storage in five forms, with the elements that each shows.
fn views<D: Typed>(rows: usize, columns: usize) -> Vec<(&'static str, Tensor<D, Rank2>)> {
    let base = || {
        let elements = sample::<D::Element>(2 * rows * columns, 7);
        Tensor::<D, Rank2>::from_vec(elements, [2 * rows, columns]).expect("a matrix")
    };
    let transposed: Tensor<D, Rank2> = base().reshape([columns, 2 * rows]).transpose();
    vec![
        ("contiguous", base().slice(0, ..rows)),
        ("the second half", base().slice(0, rows..)),
        ("every second row", base().slice_step(0, .., 2)),
        ("transposed", transposed.slice(0, ..rows)),
        ("flipped", base().slice(0, ..rows).flip(0).flip(1)),
        (
            "broadcast",
            base().slice(0, ..1).broadcast_to([rows, columns]),
        ),
    ]
}

/// Every mix of ownership gives what the oracle gives, for every pair of views, and leaves the
/// operands of others alone.
fn mixes<A, B>(tally: &mut Tally)
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: Typed,
{
    for size in [[3, 5], [24, 30]] {
        for (left, a) in views::<A>(size[0], size[1]) {
            for (right, b) in views::<B>(size[0], size[1]) {
                let (kept_a, kept_b) = (a.to_vec(), b.to_vec());
                let expected: Vec<_> = kept_a
                    .iter()
                    .zip(&kept_b)
                    .map(|(a, b)| {
                        Arith::apply(Op::Mul, convert(*a), convert(*b)).expect("a product")
                    })
                    .collect();
                let fresh_a = || vector::<A>(&kept_a).reshape([size[0], size[1]]);
                let fresh_b = || vector::<B>(&kept_b).reshape([size[0], size[1]]);
                let results = [
                    &a * &b,
                    &a * b.clone(),
                    a.clone() * &b,
                    a.clone() * b.clone(),
                    fresh_a() * &b,
                    &a * fresh_b(),
                    fresh_a() * fresh_b(),
                    a.try_mul(&b).expect("shapes that fit"),
                    a.try_mul(fresh_b()).expect("shapes that fit"),
                    // The only owners of their storage, but of a view of it.
                    views::<A>(size[0], size[1])
                        .into_iter()
                        .find(|view| view.0 == left)
                        .expect("the view")
                        .1
                        * &b,
                    &a * views::<B>(size[0], size[1])
                        .into_iter()
                        .find(|view| view.0 == right)
                        .expect("the view")
                        .1,
                ];
                for (number, result) in results.into_iter().enumerate() {
                    let what = format!("{} {left} * {} {right}, form {number}", A::DTYPE, B::DTYPE);
                    assert_same(&result.to_vec(), &expected, &what);
                    assert_same(&a.to_vec(), &kept_a, &format!("{what}: left afterwards"));
                    assert_same(&b.to_vec(), &kept_b, &format!("{what}: right afterwards"));
                    tally.record(true, String::new);
                }
            }
        }
    }
}

#[test]
fn owned_and_borrowed_operands_and_views_mix() {
    let mut tally = Tally::default();
    mixes::<F32, F32>(&mut tally);
    mixes::<F16, BF16>(&mut tally);
    mixes::<F32, F16>(&mut tally);
    mixes::<U8, I8>(&mut tally);
    mixes::<I32, U32>(&mut tally);
    mixes::<Bool, Bool>(&mut tally);
    mixes::<Bool, F8E5M2>(&mut tally);
    mixes::<C64, F64>(&mut tally);
    mixes::<C128, C128>(&mut tally);
    tally.finish("mixes of ownership and views");
}

/// Operands that share their storage with each other or with a clone.
fn aliases<D>(tally: &mut Tally)
where
    D: Typed + SafePromote<D>,
    Promoted<D, D>: Typed,
{
    let elements = edges::<D::Element>();
    let n = elements.len();
    let sum = |a: &[D::Element], b: &[D::Element]| -> Vec<_> {
        let pairs = a.iter().zip(b);
        pairs
            .map(|(a, b)| Arith::apply(Op::Add, convert(*a), convert(*b)).expect("a sum"))
            .collect()
    };
    let mut check = |found: Tensor<Promoted<D, D>, Rank1>, expected: Vec<_>, what: &str| {
        assert_same(&found.to_vec(), &expected, &format!("{} {what}", D::DTYPE));
        tally.record(true, String::new);
    };
    let backwards: Vec<_> = elements.iter().rev().copied().collect();
    let t = vector::<D>(&elements);
    check(&t + t.clone(), sum(&elements, &elements), "t + its clone");
    check(t.clone() + &t, sum(&elements, &elements), "its clone + t");
    check(&t + &t, sum(&elements, &elements), "t + t");
    check(t.flip(0) + &t, sum(&backwards, &elements), "flipped + t");
    check(&t + t.flip(0), sum(&elements, &backwards), "t + flipped");
    check(
        t.slice(0, 1..) + t.slice(0, ..n - 1),
        sum(&elements[1..], &elements),
        "overlapping slices",
    );
    assert_same(&t.to_vec(), &elements, "the storage that all shared");

    let kept = t.clone();
    check(
        t + vector::<D>(&elements),
        sum(&elements, &elements),
        "an owned operand with a clone",
    );
    assert_same(&kept.to_vec(), &elements, "the clone");
    // Views die with the last owner's name, not with its storage.
    let flipped = kept.flip(0);
    check(
        kept + flipped,
        sum(&elements, &backwards),
        "the last owner + its view",
    );
    // A slice that owns its storage alone: the reused part is the slice's.
    let part = vector::<D>(&elements).slice(0, 1..);
    let rest = vector::<D>(&elements[1..]);
    check(
        part + &rest,
        sum(&elements[1..], &elements[1..]),
        "a slice that owns all",
    );
}

macro_rules! alias_each {
    ([$tally:ident] $($dtype:ident)*) => { $(aliases::<$dtype>(&mut $tally);)* };
}

#[test]
fn operands_that_share_storage() {
    let mut tally = Tally::default();
    each_dtype!(alias_each[tally]);
    tally.finish("aliases");
}

#[test]
fn reuse_changes_the_dtype_but_not_the_clones() {
    // Elements of the same size: the sum may take the operand's memory.
    let a: Tensor<I32, Rank1> = tensor![7, -1, 0];
    let clone = a.clone();
    let quotient: Tensor<F32, Rank1> = a / 2;
    assert_eq!(quotient.to_vec(), [3.5, -0.5, 0.0]);
    assert_eq!(clone.to_vec(), [7, -1, 0]);
    let scaled: Tensor<F32, Rank1> = clone.promote_unsafe() * quotient.clone();
    assert_eq!(scaled.to_vec(), [24.5, 0.5, 0.0]);
    assert_eq!(
        (clone.to_vec(), quotient.to_vec()),
        (vec![7, -1, 0], vec![3.5, -0.5, 0.0])
    );
    let negated = -clone.clone();
    assert_eq!(
        (clone.to_vec(), negated.to_vec()),
        (vec![7, -1, 0], vec![-7, 1, 0])
    );
    let lower = negated.lt(clone.clone());
    assert_eq!(lower.to_vec(), [true, false, false]);
    assert_eq!(clone.to_vec(), [7, -1, 0]);
    let cast: Tensor<U32, Rank1> = clone.cast();
    assert_eq!(cast.to_vec(), [7, u32::MAX, 0]);
    assert_eq!(clone.to_vec(), [7, -1, 0]);
    let mut written = clone.clone();
    written.as_mut_slice()[0] = 9;
    assert_eq!(
        (clone.to_vec(), written.to_vec()),
        (vec![7, -1, 0], vec![9, -1, 0])
    );
    let mut flipped = clone.flip(0);
    flipped.as_mut_slice()[0] = 5;
    assert_eq!(
        (clone.to_vec(), flipped.to_vec()),
        (vec![7, -1, 0], vec![5, -1, 7])
    );
}

#[test]
fn small_operands_broadcast_over_owned_ones() {
    let big: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let row: Tensor<F32, Rank1> = tensor![10.0, 20.0, 30.0];
    let column: Tensor<F32, Rank2> = tensor![[0.5], [0.25]];
    let expected = [11.0, 22.0, 33.0, 14.0, 25.0, 36.0];
    assert_eq!((big.clone() + row.clone()).to_vec(), expected);
    assert_eq!((row.clone() + big.clone()).to_vec(), expected);
    assert_eq!((&row + big.clone()).shape(), [2, 3]);
    // Neither owned operand has the result's shape.
    let outer = column.clone() * row.clone();
    assert_eq!(outer.to_vec(), [5.0, 10.0, 15.0, 2.5, 5.0, 7.5]);
    // An operand that repeats its own storage cannot lend it.
    let repeated = row.broadcast_to([2, 3]);
    assert_eq!((repeated + big).to_vec(), expected);
    let scalar = Tensor::<F32, Rank0>::scalar(2.0);
    assert_eq!((scalar.clone() - scalar).item(), Ok(0.0));
}

/// `&a.promote_unsafe()` borrows what the method gives: whoever adds the method to `&a + &b` leaves the `&` in place.
#[test]
fn operands_that_admit_unsafe_promotions_may_be_borrowed() {
    let counts: Tensor<I64, Rank1> = tensor![3, 4];
    let scale: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    let products: [Tensor<F32, Rank1>; 4] = [
        &counts.promote_unsafe() * &scale,
        &scale * &counts.promote_unsafe(),
        &counts.promote_unsafe() * &scale.promote_unsafe(),
        counts.try_mul(&scale.promote_unsafe()).expect("one shape"),
    ];
    for product in products {
        assert_eq!(product.to_vec(), [1.5, 1.0]);
    }
    let bytes: Tensor<U8, Rank1> = tensor![200, 1];
    assert_eq!((&bytes.promote_unsafe() + 300).to_vec(), [244, 45]);
    assert_eq!((-1 - &bytes.promote_unsafe()).to_vec(), [55, 254]);
    assert_eq!(counts.lt(&scale.promote_unsafe()).to_vec(), [false, false]);
    let mut sums = scale.clone();
    sums += &counts.promote_unsafe();
    assert_eq!(sums.to_vec(), [3.5, 4.25]);

    let typed = counts.clone();
    let (counts, scale) = (counts.into_dyn(), scale.into_dyn());
    let twice: Tensor<I64, Rank1> = (2 * &counts.promote_unsafe()).try_into().expect("i64");
    assert_eq!(twice.to_vec(), [6, 8]);
    let products = [
        &counts.promote_unsafe() * &scale,
        &scale * &counts.promote_unsafe(),
        &scale * &typed.promote_unsafe(),
        &typed.promote_unsafe() * &scale,
    ];
    for product in products {
        let product: Tensor<F32, Rank1> = product.try_into().expect("f32 of rank 1");
        assert_eq!(product.to_vec(), [1.5, 1.0]);
    }
}

#[test]
fn a_tensor_of_rank_zero_changes_a_number() {
    let losses: Tensor<F32, Rank1> = tensor![0.5, 2.0];
    let hits: Tensor<Bool, Rank1> = tensor![true, true];
    let (mut total, mut right) = (0.0, 0); // f64 and i64, by inference
    for _ in 0..2 {
        total += losses.sum();
        right += hits.sum();
        total += 0.25;
    }
    assert_eq!((total, right), (5.5_f64, 4_i64));

    total /= losses.max();
    assert_eq!(total, 2.75);
    let (mut next, counts) = (0, tensor![I64; 2, 3]);
    next += counts.sum(); // of the integers only i64 has all values
    assert_eq!(next, 5_i64);

    let mut rate = 3.0_f32;
    rate -= &losses.max();
    rate *= losses.mean();
    assert_eq!(rate, 1.25_f32);
    let mut bytes = 200_u8;
    bytes -= tensor![U8; 7, 9].max();
    let mut half = f16::ONE;
    half += tensor![F16; 0.5].sum();
    assert_eq!((bytes, half), (191, f16::from_f32(1.5)));
}

#[test]
fn compound_assignment() {
    let mut t: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let clone = t.clone();
    t += 1.0;
    t -= &Tensor::<F32, Rank1>::ones([2]);
    t *= tensor![I8; [2], [3]].rank::<Rank2>().expect("a matrix");
    t /= 2;
    assert_eq!(t.to_vec(), [1.0, 2.0, 4.5, 6.0]);
    assert_eq!(clone.to_vec(), [1.0, 2.0, 3.0, 4.0]);
    let counts: Tensor<I64, Rank2> = tensor![[1, 1], [2, 2]];
    t *= counts.promote_unsafe();
    assert_eq!(t.to_vec(), [1.0, 2.0, 9.0, 12.0]);
    let alias = t.clone();
    t += alias;
    assert_eq!(t.to_vec(), [2.0, 4.0, 18.0, 24.0]);

    let mut row: Tensor<F32> = tensor![1.0, 2.0];
    let matrix: Tensor<F32> = Tensor::ones([2, 2]);
    let text = panic_text(|| row += &matrix);
    assert_eq!(
        text,
        "+=: shapes [2] and [2, 2] do not fit together; the ranks are 1 and 2"
    );
    assert_eq!(row.to_vec(), [1.0, 2.0], "unchanged after the panic");
    let mut bytes: Tensor<U8, Rank1> = tensor![1];
    assert_eq!(
        panic_text(|| bytes += 300),
        "add: the literal 300 is out of range for u8"
    );
    assert_eq!(bytes.to_vec(), [1]);
}

fn negations<D: Typed + Negate<Jax, Output = D>>(tally: &mut Tally) {
    let elements = edges::<D::Element>();
    let t = vector::<D>(&elements);
    let expected: Vec<_> = elements.iter().map(|x| Arith::negated(*x)).collect();
    for result in [
        -&t,
        -t.clone(),
        -vector::<D>(&elements),
        -(t.flip(0)).flip(0),
    ] {
        assert_same(&result.to_vec(), &expected, &format!("- {}", D::DTYPE));
        tally.record(true, String::new);
    }
    assert_same(
        &(-t.flip(0)).flip(0).to_vec(),
        &expected,
        "a flipped operand",
    );
    assert_same(&t.to_vec(), &elements, "the operand afterwards");
}

fn inversions<D: Typed + Invert<Jax, Output = D>>(tally: &mut Tally) {
    let elements = edges::<D::Element>();
    let t = vector::<D>(&elements);
    let expected: Vec<_> = elements.iter().map(|x| Arith::inverted(*x)).collect();
    for result in [
        !&t,
        !t.clone(),
        !vector::<D>(&elements),
        (!t.flip(0)).flip(0),
    ] {
        assert_same(&result.to_vec(), &expected, &format!("! {}", D::DTYPE));
        tally.record(true, String::new);
    }
    assert_same(&t.to_vec(), &elements, "the operand afterwards");
}

macro_rules! each_of {
    ([$check:ident $tally:ident] $($dtype:ident)*) => { $($check::<$dtype>(&mut $tally);)* };
}

#[test]
fn negation_and_inversion() {
    let mut tally = Tally::default();
    each_number!(each_of[negations tally]);
    each_of!([inversions tally] Bool U8 U16 U32 U64 I8 I16 I32 I64);
    tally.finish("neg and not");
}

#[test]
fn errors_of_operators_have_the_text_of_the_fallible_form() {
    let a: Tensor<F32> = Tensor::ones([2, 3]);
    let b: Tensor<F32> = Tensor::ones([2]);
    let ia: Tensor<I32> = Tensor::ones([2, 3]);
    let ib: Tensor<I32> = Tensor::ones([2]);
    let mut checked = 0;
    macro_rules! same_text {
        ($($operator:expr, $fallible:expr;)*) => {$(
            let error = $fallible.expect_err("shapes that do not fit");
            let is_mismatch = matches!(error, Error::ShapeMismatch { .. } | Error::SizeMismatch { .. });
            assert!(is_mismatch, "{error:?}");
            assert_eq!(panic_text(|| $operator), error.to_string());
            checked += 1;
        )*};
    }
    same_text! {
        &a + &b, a.try_add(&b);
        &a - &b, a.try_sub(&b);
        &a * &b, a.try_mul(&b);
        &a / &b, a.try_div(&b);
        &a % &b, a.try_rem(&b);
        a.floor_div(&b), a.try_floor_div(&b);
        a.atan2(&b), a.try_atan2(&b);
        a.hypot(&b), a.try_hypot(&b);
        a.log_add_exp(&b), a.try_log_add_exp(&b);
        a.copysign(&b), a.try_copysign(&b);
        a.next_after(&b), a.try_next_after(&b);
        a.leaky_relu(&b), a.try_leaky_relu(&b);
        a.elu(&b), a.try_elu(&b);
        a.minimum(&b), a.try_minimum(&b);
        a.maximum(&b), a.try_maximum(&b);
        a.lt(&b), a.try_lt(&b);
        a.equal(&b), a.try_equal(&b);
        &ia & &ib, ia.try_bitand(&ib);
        &ia | &ib, ia.try_bitor(&ib);
        &ia ^ &ib, ia.try_bitxor(&ib);
        &ia << &ib, ia.try_shl(&ib);
        &ia >> &ib, ia.try_shr(&ib);
        a.clamp(&b, 1.0), a.try_clamp(&b, 1.0);
        a.matmul(&b), a.try_matmul(&b);
        a.concat(&b, 0), a.try_concat(&b, 0);
        supremum::select(&a.lt(1.0), &a, &b), supremum::try_select(&a.lt(1.0), &a, &b);
    }
    println!("{checked} operators panic with the text of the fallible form");
}

/// Code that is generic over dtypes and ranks states what it needs, and no more.
fn generic<A, B, N>(a: &Tensor<A, N>, b: &Tensor<B, N>) -> Tensor<Promoted<A, B>, N>
where
    A: SafePromote<B>,
    B: StaticDType,
    N: Rank + supremum::rank::Broadcast<N, Output = N>,
{
    a + b
}

#[test]
fn generic_code_adds() {
    let sum: Tensor<F32, Rank1> = generic(&tensor![F16; 1.0, 2.0], &tensor![BF16; 0.5, 0.5]);
    assert_eq!(sum.to_vec(), [1.5, 2.5]);
}

#[test]
fn every_operator_assigns() {
    let mut t: Tensor<I32, Rank1> = tensor![7, -7];
    t %= 4;
    assert_eq!(t.to_vec(), [3, 1]);
    t <<= 2;
    t |= &tensor![I32; 1, 2];
    assert_eq!(t.to_vec(), [13, 6]);
    t ^= 4;
    t &= 11;
    t >>= 1;
    assert_eq!(t.to_vec(), [4, 1]);
}

/// Code that is generic over Rust's traits, or made by derives, calls their methods by name.
#[test]
fn operators_are_methods_of_traits() {
    use core::ops::{Add, Div, Mul, Neg, Not, Rem, Sub};
    let a: Tensor<I32> = tensor![7, -8];
    let b: Tensor<I32> = tensor![2, 3];
    assert!((&a).add(&b).eq(&(&a + &b)) && a.ne(&b));
    assert_eq!((&a).sub(&b), &a - &b);
    assert_eq!((&a).mul(2), &a * 2);
    assert_eq!((&a).rem(&b), &a % &b);
    assert_eq!((&a).neg(), -&a);
    assert_eq!((&a).not(), !&a);
    let x: Tensor<F32> = tensor![1.0, 3.0];
    assert_eq!((&x).div(2.0), &x / 2.0);
    let clone: Tensor<F32> = Clone::clone(&x);
    assert!(x.eq(&clone));
}
