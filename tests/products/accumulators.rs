//! `matmul_in`: products whose sums have a given dtype.

use supremum::{
    AccumulatesIn, AnyRank, BF16, Class, DType, DynTensor, Error, F8E4M3FN, F16, F32, F64, I8, I16,
    I32, I64, Jax, Loss, Numpy, OperandType, Operation, Promoted, Rank1, Rank2, Rank3, RuleSet,
    SafePromote, StaticDType, Tensor, Torch, U8, U32, U64, tensor,
};

use super::exact::Tally;
use super::naive::{Plain, Typed, convert, sample};
use super::{SHAPES, judge, tensor_of, terms};
use supremum::operations::MatrixMultiply;

/// Compares products in a given dtype with naive sums in it, typed and dynamic.
fn sums_in<A, B, Out>(tally: &mut Tally)
where
    A: Typed + SafePromote<B>,
    B: Typed,
    Promoted<A, B>: MatrixMultiply<Jax> + AccumulatesIn<Out>,
    Out: Typed + MatrixMultiply<Jax>,
{
    for (left, right) in SHAPES {
        let a = Plain::new(left, sample::<A::Element>(left.iter().product(), 21));
        let b = Plain::new(right, sample::<B::Element>(right.iter().product(), 22));
        let (x, y) = (tensor_of::<A>(&a), tensor_of::<B>(&b));
        let (shape, groups) =
            terms::<Out::Element>(&a.map(convert), &b.map(convert)).expect("shapes that fit");
        let what = format!(
            "{} {left:?} times {} {right:?} in {}",
            A::DTYPE,
            B::DTYPE,
            Out::DTYPE
        );
        let found: Tensor<Out> = x.matmul_in::<Out>(&y);
        assert_eq!(found.shape(), shape, "{what}");
        judge(tally, &what, &found.to_vec(), &groups);
        let views = [
            (x.transpose(), y.transpose()),
            (x.flip(0).flip(0), y.flip(-1).flip(-1)),
        ];
        let views = views.map(|(x, y)| (x.contiguous_copy(), y.contiguous_copy()));
        let dynamic = x.clone().into_dyn().matmul_in(&y, Out::DTYPE);
        assert_eq!(dynamic.dtype(), Out::DTYPE, "{what}");
        assert!(
            dynamic.typed().as_ref() == Ok(&found),
            "{what}: dynamic and typed differ"
        );
        let again = views[0]
            .0
            .transpose()
            .matmul_in::<Out>(&views[0].1.transpose());
        judge(tally, &what, &again.to_vec(), &groups);
        let again = views[1].0.matmul_in::<Out>(&views[1].1);
        judge(tally, &what, &again.to_vec(), &groups);
    }
}

/// The same tensor in memory of its own.
trait ContiguousCopy {
    fn contiguous_copy(&self) -> Self;
}

impl<D: StaticDType> ContiguousCopy for Tensor<D> {
    fn contiguous_copy(&self) -> Self {
        Tensor::from_vec(self.to_vec(), self.shape()).expect("the shape")
    }
}

#[test]
fn sums_of_every_pair_that_has_a_loop_of_its_own() {
    let mut tally = Tally::default();
    sums_in::<I8, I8, I32>(&mut tally);
    sums_in::<U8, U8, I32>(&mut tally);
    sums_in::<U8, U8, U32>(&mut tally);
    sums_in::<I8, U8, I32>(&mut tally);
    sums_in::<U8, I8, I32>(&mut tally);
    sums_in::<I16, I16, I32>(&mut tally);
    sums_in::<I16, I8, I32>(&mut tally);
    sums_in::<I8, I8, I16>(&mut tally);
    sums_in::<I8, I8, I64>(&mut tally);
    sums_in::<I16, I16, I64>(&mut tally);
    sums_in::<U8, U8, U64>(&mut tally);
    tally.finish("matmul_in of integers");
}

#[test]
fn sums_of_floats() {
    let mut tally = Tally::default();
    sums_in::<BF16, BF16, F32>(&mut tally);
    sums_in::<F16, F16, F32>(&mut tally);
    sums_in::<F16, BF16, F32>(&mut tally);
    sums_in::<BF16, BF16, F64>(&mut tally);
    sums_in::<F8E4M3FN, F8E4M3FN, BF16>(&mut tally);
    sums_in::<F8E4M3FN, F8E4M3FN, F32>(&mut tally);
    sums_in::<F32, F32, F64>(&mut tally);
    sums_in::<I8, I8, F32>(&mut tally);
    tally.finish("matmul_in of floats");
}

#[test]
fn nothing_is_rounded_in_between() {
    // 4,096 ones in bf16 would stop at 256, and in f16 at 2,048.
    let ones = Tensor::<BF16, Rank2>::ones([1, 4096]);
    assert_eq!(ones.matmul_in::<F32>(&ones.transpose()).to_vec(), [4096.0]);
    let ones = Tensor::<F16, Rank2>::ones([1, 100_000]);
    assert_eq!(
        ones.matmul_in::<F32>(&ones.transpose()).to_vec(),
        [100_000.0]
    );
    // 2^24 + 1 is no f32.
    let x: Tensor<F32, Rank2> = tensor![[4096.0, 1.0]];
    assert_eq!(x.matmul_in::<F64>(&x.transpose()).to_vec(), [16_777_217.0]);
}

#[test]
fn sums_of_bytes_wrap_in_i32_and_not_in_i64() {
    let length = (1 << 17) + 1;
    let lows = Tensor::<I8, Rank2>::full([1, length], -128);
    let expected = i64::try_from(length).expect("it fits") << 14;
    let exact = lows.matmul_in::<I64>(&lows.transpose());
    assert_eq!(exact.to_vec(), [expected]);
    let wrapped = lows.matmul_in::<I32>(&lows.transpose());
    assert_eq!(wrapped.to_vec(), [i32::MIN + (1 << 14)]);
    let exact = lows
        .slice(1, ..-2)
        .matmul_in::<I32>(&lows.slice(1, ..-2).transpose());
    assert_eq!(exact.to_vec(), [i32::MAX - (1 << 14) + 1]);
}

#[test]
fn ranks_are_those_of_the_left_operand() {
    let (x, w) = (
        Tensor::<I8, Rank3>::ones([2, 3, 4]),
        Tensor::<I8, Rank2>::ones([4, 5]),
    );
    let stacked: Tensor<I32, Rank3> = x.matmul_in::<I32>(&w);
    assert_eq!(stacked.shape(), [2, 3, 5]);
    let row: Tensor<I32, Rank1> = Tensor::<I8, Rank1>::ones([4]).matmul_in::<I32>(&w);
    assert_eq!(row.to_vec(), [4; 5]);
    let column = Tensor::<I8, Rank1>::ones([5]);
    let any: Tensor<I32, AnyRank> = w.into_any().matmul_in::<I32>(&column);
    assert_eq!(any.shape(), [4]);
}

#[test]
fn errors_are_those_of_matmul() {
    let (x, w) = (
        Tensor::<I8, Rank2>::ones([2, 3]),
        Tensor::<I8, Rank2>::ones([4, 5]),
    );
    let error = x.try_matmul_in::<I32>(&w).unwrap_err();
    let of_matmul = x.try_matmul(&w).expect_err("the same shapes").to_string();
    assert_eq!(
        error.to_string(),
        of_matmul.replace("matmul:", "matmul_in:")
    );
    let scalar = DynTensor::ones(DType::I8, []).expect("a scalar");
    let error = scalar.try_matmul_in(&x, DType::I32).unwrap_err();
    assert!(matches!(error, Error::TooFewAxes { .. }), "{error}");
}

/// The dynamic form accepts a dtype if and only if it has every value of the promoted one, and the rules have products in it.
#[test]
fn targets_hold_what_the_operands_promote_to() {
    for rules in RuleSet::builtin() {
        for a in DType::ALL {
            for b in DType::ALL {
                let [x, y] = [a, b].map(|dtype| {
                    DynTensor::ones(*dtype, [1, 1])
                        .expect("a matrix")
                        .with_rules(rules)
                });
                let operands = [a, b].map(|dtype| OperandType::dimensioned(*dtype));
                let promoted =
                    rules.promote_for(Operation::MatrixMultiply, operands[0], operands[1]);
                let defined = rules
                    .binary(Operation::MatrixMultiply, operands[0], operands[1])
                    .is_ok();
                for out in DType::ALL {
                    let target =
                        rules.operation(Operation::MatrixMultiply, OperandType::dimensioned(*out));
                    let holds = promoted
                        .as_ref()
                        .is_ok_and(|promoted| promoted.dtype.loss_to(*out) == Loss::None);
                    let found = x.try_matmul_in(&y, *out);
                    let what = format!("{a} by {b} in {out} under {}: {found:?}", rules.name());
                    assert_eq!(found.is_ok(), holds && defined && target.is_ok(), "{what}");
                    if let Ok(found) = found {
                        assert_eq!(
                            found.operand(),
                            OperandType {
                                dtype: *out,
                                class: Class::Dimensioned
                            },
                            "{what}"
                        );
                    } else if defined && !holds {
                        assert!(
                            matches!(found, Err(Error::NarrowAccumulator { .. })),
                            "{what}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn other_rules_promote_by_their_own_tables() {
    let x: Tensor<I8, Rank2, Torch> = tensor![[100, 100]];
    assert_eq!(x.matmul_in::<I32>(&x.transpose()).to_vec(), [20_000]);
    let y: Tensor<U8, Rank2, Numpy> = tensor![[255], [255]];
    let x: Tensor<I8, Rank2, Numpy> = x.with_rules::<Numpy>();
    assert_eq!(x.matmul_in::<I32>(&y).to_vec(), [51_000]);
    assert_eq!(x.matmul(&y).dtype(), DType::I16);
}
