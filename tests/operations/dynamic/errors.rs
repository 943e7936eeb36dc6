//! Operators and plain names panic with the text of the error, which says operands, rules and cure.

use supremum::{
    AllowUnsafe, Bool, ConvOptions, DType, DynTensor, Error, F32, I8, I32, I64, Jax, Rank1, Rules,
    Scalar, Tensor, U8, c128, concat, stack, tensor, try_concat, try_stack,
};

use super::named;
use crate::agreement::bits;
use crate::panics::panic_text;

#[test]
fn operators_take_everything_on_either_side() -> Result<(), Error> {
    let typed: Tensor<F32, Rank1> = tensor![1.5, -2.0];
    let any = typed.clone().into_dyn();
    let sum = bits(&(&typed + &typed).into_dyn());
    for dynamic in [
        &any + &any,
        any.clone() + &any,
        &any + any.clone(),
        any.clone() + any.clone(),
        &any + &typed,
        &any + typed.clone(),
        &typed + &any,
        typed.clone() + any.clone(),
        any.promote_unsafe() + &any,
        any.promote_unsafe() + typed.promote_unsafe(),
        typed.promote_unsafe() + &any,
        &any + any.promote_unsafe(),
        any.try_add(&any)?,
        any.try_add(any.clone())?,
        any.try_add(&typed)?,
        any.try_add(any.promote_unsafe())?,
    ] {
        assert_eq!(bits(&dynamic), sum);
    }
    assert_eq!((2 * &any).to_string(), "[ 3.0, -4.0] f32 [2]");
    assert_eq!(
        (&any - 0.5 - Scalar::Int(1)).to_string(),
        "[ 0.0, -3.5] f32 [2]"
    );
    assert_eq!(
        (Scalar::Float(3.0) / any.clone()).to_string(),
        "[ 2.0, -1.5] f32 [2]"
    );
    assert_eq!((any.clone() * c128::new(0.0, 1.0)).dtype(), DType::C64);
    assert_eq!(
        (true + any.promote_unsafe()).to_string(),
        "[ 2.5, -1.0] f32 [2]"
    );
    assert_eq!((-&any).to_string(), "[-1.5,  2.0] f32 [2]");
    let flags = tensor![Bool; true, false].into_dyn();
    assert_eq!((!&flags ^ true).to_string(), "[ true, false] bool [2]");
    assert_eq!((!flags & false).to_string(), "[false, false] bool [2]");
    let bits_of = tensor![I32; 5, -8].into_dyn();
    assert_eq!((&bits_of << 1 | 1).to_string(), "[ 11, -15] i32 [2]");
    assert_eq!((&bits_of >> (1 % &bits_of)).to_string(), "[ 2, -1] i32 [2]");

    let mut total = bits_of;
    total += 1;
    total *= tensor![I8; 2];
    total -= total.clone();
    assert_eq!(total.to_string(), "[0, 0] i32 [2]");
    Ok(())
}

#[test]
fn operators_panic_with_the_text_of_the_error() {
    let (a, b) = (tensor![I64; 1, 2].into_dyn(), tensor![F32; 0.5].into_dyn());
    let text = a.try_add(&b).unwrap_err().to_string();
    assert_eq!(panic_text(|| &a + &b), text);
    let text = panic_text(|| {
        let mut a = tensor![I32; 1].into_dyn();
        a /= 2;
    });
    assert_eq!(text, "/=: expected i32, found f32");
    let text = panic_text(|| {
        let mut a = tensor![I32; 1].into_dyn();
        a += tensor![I32; 1, 2];
    });
    assert_eq!(
        text,
        "+=: shapes [1] and [2] do not fit together; axis 0 has sizes 1 and 2"
    );
    assert_eq!(
        panic_text(|| -tensor![Bool; true].into_dyn()),
        "neg: undefined on bool under `jax` rules, for bool of shape [1]; cast first"
    );
}

#[test]
fn errors_say_what_operands_rules_and_cure_are() -> Result<(), Error> {
    let counts = tensor![I64; 1, 2].into_dyn();
    let scale = tensor![F32; [0.5], [2.0]].into_dyn();
    let text = |result: Result<DynTensor, Error>| result.unwrap_err().to_string();
    assert_eq!(
        text(counts.try_mul(&scale)),
        "mul: unsafe promotion: under `jax` rules i64 of shape [2] and f32 of shape [2, 1] promote to f32, which loses \
         precision of i64; cast one side, or wrap it by `.promote_unsafe()`"
    );
    assert_eq!(
        text(counts.try_lt(0.5)),
        "lt: unsafe promotion: under `jax` rules i64 of shape [2] and the literal 0.5 (f64*) promote to f64*, which \
         loses precision of i64; cast one side, or wrap it by `.promote_unsafe()`"
    );
    let admits = |t: &DynTensor| t.with_rules(t.rules().allowing_unsafe());
    let flat = scale.flatten();
    let joins: [fn(&DynTensor, &DynTensor) -> Result<DynTensor, Error>; 3] = [
        |a, b| try_concat(&[a, b], 0),
        |a, b| try_stack(&[a, b], 0),
        |a, b| DynTensor::try_einsum("i,i->", &[a, b]),
    ];
    for join in joins {
        let refused = text(join(&counts, &flat));
        assert!(refused.ends_with(
            "; cast one side, or move both to rules that admit it: `t.with_rules(t.rules().allowing_unsafe())`"
        ));
        assert_eq!(join(&admits(&counts), &admits(&flat))?.dtype(), DType::F32);
    }
    let signals = |t: &DynTensor| t.reshape([1, 1, -1]);
    let refused = text(signals(&counts).try_conv1d(&signals(&flat), ConvOptions::new()));
    assert!(refused.starts_with("conv1d: ") && refused.contains("rules that admit it"));
    let api = named("array-api");
    assert_eq!(
        text(counts.with_rules(api).try_sub(scale.with_rules(api))),
        "sub: no promotion: under `array-api` rules i64 of shape [2] and f32 of shape [2, 1] have no common dtype; cast \
         one side, or move both to other rules by `.with_rules(..)`"
    );
    assert_eq!(
        text(scale.try_bitand(&scale)),
        "bitand: undefined on f32 under `jax` rules, for f32 of shape [2, 1] and f32 of shape [2, 1]; cast first"
    );
    let tensorflow = named("tensorflow");
    let flags = DynTensor::ones(DType::Bool, [2])?.with_rules(tensorflow);
    assert_eq!(
        text(flags.try_leaky_relu(0.5)),
        "leaky_relu: no promotion: under `tensorflow` rules (`tensorflow-legacy` for this operation) bool of shape [2] and the literal \
         0.5 (f32*) have no common dtype; cast one side, or move both to other rules by `.with_rules(..)`"
    );
    assert_eq!(
        text(counts.with_rules(named("numpy")).try_leaky_relu(0.5)),
        "leaky_relu: unsafe promotion: under `numpy` rules (`numpy-arctan2` for this operation) i64 of shape [2] and the literal \
         0.5 (f64*) promote to f64, which loses precision of i64; cast one side, or wrap it by `.promote_unsafe()`"
    );
    assert_eq!(
        text(
            DynTensor::ones(DType::C64, [2])?
                .with_rules(named("torch"))
                .try_leaky_relu(0.5)
        ),
        "leaky_relu: undefined on c64 under `torch` rules, for c64 of shape [2] and the literal 0.5 (f64*); cast first"
    );
    let torch = named("torch");
    let double = DynTensor::full(DType::F64, [], 1)?.with_rules(torch);
    assert_eq!(
        text(scale.with_rules(torch).try_add(&double)),
        "add: unsafe promotion: under `torch` rules f32 of shape [2, 1] and zero-dim f64 of shape [] promote to f32, which \
         loses range of f64; cast one side, or wrap it by `.promote_unsafe()`"
    );
    assert_eq!(
        text(scale.with_rules(torch).try_add(&scale)),
        "add: operands under different rules: one follows `torch` rules, another `jax` rules; move one side, free of \
         cost, by `.with_rules(..)`"
    );
    let admitting = counts.with_rules(AllowUnsafe::<Jax>::RULE_SET);
    assert_eq!(
        text(admitting.try_add(&counts)),
        "add: operands under different rules: one follows `jax` rules with unsafe promotions allowed, another `jax` \
         rules; move one side, free of cost, by `.with_rules(..)`"
    );
    assert_eq!(
        text(tensor![U8; 1].into_dyn().try_add(300)),
        "add: the literal 300 is out of range for u8"
    );
    assert_eq!(
        text(counts.try_add(tensor![I64; 1, 2, 3])),
        "add: shapes [2] and [3] do not fit together; axis 0 has sizes 2 and 3"
    );
    assert_eq!(
        text(counts.try_floor_div(0)),
        "floor_div: i64 divided by zero"
    );
    assert_eq!(
        text(counts.try_pow(-1)),
        "pow: i64 raised to a negative power"
    );
    assert_eq!(
        text(tensor![F32; 1.5].into_dyn().try_cast(DType::I8)),
        "inexact cast: 1.5 at index [0] is not a value of i8"
    );
    assert_eq!(counts.item(), Err(Error::NotOneElement { shape: vec![2] }));
    Ok(())
}

#[test]
fn literals_and_marked_operands_on_the_left_have_fallible_forms() -> Result<(), Error> {
    let t = tensor![U8; 3, 5].into_dyn();
    assert_eq!(Scalar::from(10).try_sub(&t)?, 10 - &t);
    assert_eq!(Scalar::from(1.0).try_div(&t)?, 1.0 / &t);
    assert_eq!(Scalar::from(4).try_gt(&t)?, t.try_lt(4)?);
    assert_eq!(Scalar::from(7).try_maximum(&t)?, t.try_maximum(7)?);
    let refused = Scalar::from(300).try_sub(&t).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "sub: the literal 300 is out of range for u8"
    );
    assert!(matches!(
        Scalar::from(1).try_rem(t.try_zeros_like()?),
        Err(Error::DivisionByZero { .. })
    ));
    assert_eq!(Scalar::from(2).try_add(0.5)?.to_string(), "2.5 f64* []");
    let (long, float) = (
        DynTensor::ones(DType::I64, [2])?,
        DynTensor::full(DType::F32, [2], 0.5)?,
    );
    assert!(matches!(
        long.try_sub(&float),
        Err(Error::UnsafePromotion { .. })
    ));
    assert_eq!(
        long.promote_unsafe().try_sub(&float)?,
        long.promote_unsafe() - &float
    );
    assert_eq!(
        long.promote_unsafe().try_ge(&float)?.to_string(),
        "[true, true] bool [2]"
    );
    let wrong = DynTensor::ones(DType::F32, [3])?;
    assert!(matches!(
        long.promote_unsafe().try_add(&wrong),
        Err(Error::ShapeMismatch { .. })
    ));
    Ok(())
}

/// The forms without `try_` give what those with it give, and panic with the text of their errors.
#[test]
fn plain_names_panic_with_the_text_of_the_error() {
    let x = DynTensor::arange(DType::F32, 0.0, 6.0, 1.0).unwrap();
    let m = x.reshape([2, 3]);
    assert_eq!(m.sum(), m.try_sum().unwrap());
    assert_eq!(m.mean_axis(-1), m.try_mean_axis(-1).unwrap());
    assert_eq!(m.max_keepdims([0, 1]), m.try_max_keepdims([0, 1]).unwrap());
    assert_eq!(m.argmax_axis(1), m.try_argmax_axis(1).unwrap());
    assert_eq!(m.cumsum(0), m.try_cumsum(0).unwrap());
    assert_eq!(m.maximum(2.0), m.try_maximum(2.0).unwrap());
    assert_eq!(m.gt(&m), m.try_gt(&m).unwrap());
    assert_eq!(
        m.matmul(m.transpose()),
        m.try_matmul(m.transpose()).unwrap()
    );
    assert_eq!(m.split(&[1, 1], 0), m.try_split(&[1, 1], 0).unwrap());
    assert_eq!(m.concat(&m, 1), m.try_concat(&m, 1).unwrap());
    assert_eq!(m.clamp(1.0, 4.0), m.try_clamp(1.0, 4.0).unwrap());
    assert_eq!(
        m.pad([[0, 1], [1, 0]], 7),
        m.try_pad([[0, 1], [1, 0]], 7).unwrap()
    );
    let pairs: [(
        fn(&DynTensor) -> Result<DynTensor, Error>,
        fn(&DynTensor) -> DynTensor,
    ); 4] = [
        (|m| m.try_sum_axis(2), |m| m.sum_axis(2)),
        (|m| m.try_concat(m, 2), |m| m.concat(m, 2)),
        (|m| try_concat([m, m], 2), |m| concat([m, m], 2)),
        (|m| try_stack([m, m], 3), |m| stack([m, m], 3)),
    ];
    for (fallible, plain) in pairs {
        let error = fallible(&m).unwrap_err().to_string();
        let panic = std::panic::catch_unwind(|| plain(&m)).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>(), Some(&error));
    }
}
