//! Joins, choices by a condition, and clamping.

use supremum::operations::MinMax;
use supremum::{
    AllowUnsafe, BF16, Bool, C64, C128, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2,
    F8E5M2FNUZ, F16, F32, F64, I8, I16, I32, I64, Jax, Promoted, Rank0, Rank1, Rank2, SafePromote,
    StaticDType, Tensor, U8, U16, U32, U64, f16, select, tensor,
};

use crate::exact::Tally;
use crate::naive::{Arith, Op, Typed, assert_same, convert, each_dtype, each_real, edges, indices};

fn joins<A, B>(tally: &mut Tally)
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: Typed,
{
    let (left, right) = (edges::<A::Element>(), edges::<B::Element>());
    let a = Tensor::<A, Rank1>::from_slice(&left, [left.len()]).expect("a vector");
    let b = Tensor::<B, Rank1>::from_slice(&right, [right.len()]).expect("a vector");
    let expected: Vec<_> = left
        .iter()
        .map(|x| convert(*x))
        .chain(right.iter().map(|x| convert(*x)))
        .collect();
    let what = format!("{} and {}", A::DTYPE, B::DTYPE);
    assert_same(&a.concat(&b, 0).to_vec(), &expected, &what);

    let (a, b) = (a.unsqueeze(-1), b.unsqueeze(0));
    let condition =
        Tensor::<Bool, Rank2>::from_fn([left.len(), right.len()], |at| (at[0] + at[1]) % 3 == 0);
    let chosen = select(&condition, &a, &b);
    let expected: Vec<Elem<A, B>> = indices(&[left.len(), right.len()])
        .iter()
        .map(|at| {
            if (at[0] + at[1]) % 3 == 0 {
                convert(left[at[0]])
            } else {
                convert(right[at[1]])
            }
        })
        .collect();
    assert_same(&chosen.to_vec(), &expected, &what);
    let shape = [left.len(), right.len()];
    let a = Tensor::<A, Rank2>::from_vec(a.broadcast_to(shape).to_vec(), shape);
    let owned = select(&condition, a.expect("the shape"), b);
    assert_same(&owned.to_vec(), &expected, &what);
    for _ in 0..3 {
        tally.record(true, String::new);
    }
}

type Elem<A, B> = <Promoted<A, B> as StaticDType>::Element;

macro_rules! joins_with {
    ([$tally:ident] $($dtype:ident)*) => {
        $(joins::<Bool, $dtype>(&mut $tally); joins::<$dtype, Bool>(&mut $tally); joins::<$dtype, $dtype>(&mut $tally);)*
    };
}

#[test]
fn joins_and_choices() {
    let mut tally = Tally::default();
    each_dtype!(joins_with[tally]);
    joins::<F16, BF16>(&mut tally);
    joins::<U16, I16>(&mut tally);
    joins::<C64, F64>(&mut tally);
    tally.finish("concat and select");

    let t: Tensor<U8, Rank1> = tensor![1, 2, 3];
    assert_eq!(select(&t.gt(1), &t, 0).to_vec(), [0, 2, 3]);
    assert_eq!(select(&t.gt(1), 9, &t).to_vec(), [1, 9, 9]);
    assert!(supremum::try_select(&t.gt(1), &t, 256).is_err());
    assert_eq!(
        select(
            &t.gt(1),
            t.promote_unsafe(),
            Tensor::<F16, Rank1>::zeros([3])
        )
        .to_vec(),
        [0.0, 2.0, 3.0].map(f16::from_f32)
    );
    let weak_condition = (tensor![Bool; true] + 1).gt(1);
    assert_eq!(select(&weak_condition, &t, true).to_vec(), [1, 2, 3]);
    let admitted = t.with_rules::<AllowUnsafe<Jax>>();
    assert_eq!(select(&admitted.gt(1), &admitted, 256).to_vec(), [0, 2, 3]);
}

fn clamps<D>(tally: &mut Tally)
where
    D: Typed + SafePromote<D>,
    Promoted<D, D>: Typed + SafePromote<D> + MinMax<Jax, Output = Promoted<D, D>>,
    Promoted<Promoted<D, D>, D>: Typed + MinMax<Jax, Output = Promoted<Promoted<D, D>, D>>,
{
    let elements = edges::<D::Element>();
    let t = Tensor::<D, Rank1>::from_slice(&elements, [elements.len()]).expect("a vector");
    for low in &elements {
        for high in elements.iter().step_by(3) {
            let (l, h) = (
                Tensor::<D, Rank0>::scalar(*low),
                Tensor::<D, Rank0>::scalar(*high),
            );
            let expected: Vec<Elem<Promoted<D, D>, D>> = elements
                .iter()
                .map(|x| {
                    let raised = Arith::apply(Op::Max, *x, *low).expect("defined");
                    convert(Arith::apply(Op::Min, raised, *high).expect("defined"))
                })
                .collect();
            assert_same(
                &t.clamp(&l, h).to_vec(),
                &expected,
                &format!("{} clamped to {low:?} and {high:?}", D::DTYPE),
            );
            tally.record(true, String::new);
        }
    }
    assert_same(&t.to_vec(), &elements, "the operand afterwards");
}

macro_rules! clamp_each {
    ([$tally:ident] $($dtype:ident)*) => { $(clamps::<$dtype>(&mut $tally);)* };
}

#[test]
fn clamping() {
    let mut tally = Tally::default();
    each_real!(clamp_each[tally]);
    tally.finish("clamp");
    let t: Tensor<I16, Rank1> = tensor![-300, 5, 300];
    assert_eq!(t.clamp(-1, 255).to_vec(), [-1, 5, 255]);
    assert_eq!(
        t.clamp(&tensor![U8; [0], [10]], 20).to_vec(),
        [0, 5, 20, 10, 10, 20]
    );
    assert!(matches!(
        t.try_clamp(0, 40000),
        Err(Error::LiteralOutOfRange { .. })
    ));
    let bytes: Tensor<U8, Rank1> = tensor![1];
    assert_eq!(
        bytes.try_clamp(-1, 5).expect_err("below u8").to_string(),
        "clamp: the literal -1 is out of range for u8"
    );
}
