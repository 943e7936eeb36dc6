//! Dynamic tensors: which rules decide, reductions, views, operators, errors and the ways from and to typed code. That
//! every operation gives what typed tensors give is shown in `paths.rs`.

use crate::agreement::{COUNTS, NUMBERS, agree, bits, column, is_refusal};
use crate::naive::each_dtype;

use supremum::operations::Add;
use supremum::{
    AllowUnsafe, AnyRank, BF16, Bool, C64, C128, Class, DType, DynTensor, Error, F8E4M3B11FNUZ,
    F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16, F32, F64, I8, I16, I32, I64, Jax, Kind, Numpy,
    OpenVino, Operation, Promoted, Rank0, Rank1, Rank2, RuleSet, Rules, SafePromote, Scalar,
    StaticDType, Tensor, U8, U16, U32, U64, Weak, c128, concat, dispatch, stack, tensor,
    try_select,
};

type Method = fn(&DynTensor, &DynTensor) -> Result<DynTensor, Error>;

macro_rules! methods {
    ($($method:ident: $group:ident;)*) => {
        [$((stringify!($method), Operation::$group, {
            let method: Method = |lhs, rhs| lhs.$method(rhs);
            method
        })),*]
    };
}

/// Every dtype as a tensor of ones: dimensioned, of rank zero, and weak.
fn operands(rules: &'static RuleSet) -> Vec<DynTensor> {
    macro_rules! ones {
        ([] $($dtype:ident)*) => {
            vec![$(
                Tensor::<$dtype, Rank1>::ones([1]).into_dyn().with_rules(rules),
                Tensor::<$dtype, Rank0>::ones([]).into_dyn().with_rules(rules),
                Tensor::<Weak<$dtype>, Rank1>::ones([1]).into_dyn().with_rules(rules),
            )*]
        };
    }
    each_dtype!(ones [])
}

/// Those tables are compared with the compiler's answers in `result_types.rs`.
#[test]
fn the_tables_decide_every_operation_for_all_operands_under_all_rules() {
    let methods = methods! {
        try_add: Add; try_sub: Subtract; try_mul: Multiply; try_div: Divide; try_rem: FloorDivide; try_pow: Power;
        try_atan2: Atan2; try_maximum: MinMax; try_bitxor: Bitwise; try_shr: Shift; try_not_equal: Equality;
        try_ge: Ordering;
    };
    let check = |rules: &'static RuleSet| {
        let operands = operands(rules);
        for (name, group, method) in methods {
            for lhs in &operands {
                for rhs in &operands {
                    let expected = rules.binary(group, lhs.operand(), rhs.operand());
                    let what = || format!("{name} of {lhs} and {rhs} under {rules:?}");
                    match (expected, method(lhs, rhs)) {
                        (Ok(expected), Ok(found)) => {
                            assert_eq!(
                                (found.dtype(), found.is_weak()),
                                (expected.dtype, expected.weak),
                                "{}",
                                what()
                            );
                        }
                        (Err(_), Err(error)) => assert!(is_refusal(&error), "{}: {error}", what()),
                        (expected, found) => panic!("{}: {expected:?} but {found:?}", what()),
                    }
                }
            }
        }
    };
    check(Jax::RULE_SET);
    for rules in RuleSet::builtin() {
        check(rules.allowing_unsafe().interned());
    }
}

macro_rules! reductions {
    ($x:expr, $rules:ty; $($axis:ident $try_axis:ident $keep:ident $try_keep:ident;)* @scans $($scan:ident $try_scan:ident;)*) => {{
        let (x, any) = ($x, $x.into_dyn());
        $(
            agree(stringify!($axis), Some(x.$try_axis(-1).map(Tensor::into_dyn)), any.$try_axis(-1));
            agree(stringify!($axis), Some(x.$try_axis(2).map(Tensor::into_dyn)), any.$try_axis(2));
            agree(stringify!($axis), Some(x.$try_axis(&[1, 0]).map(Tensor::into_dyn)), any.$try_axis(&[1, 0]));
            agree(stringify!($axis), Some(x.$try_axis(&[0, -2]).map(Tensor::into_dyn)), any.$try_axis(&[0, -2]));
            agree(stringify!($keep), Some(x.$try_keep(0).map(Tensor::into_dyn)), any.$try_keep(0));
            agree(stringify!($keep), Some(x.$try_keep([0, 1]).map(Tensor::into_dyn)), any.$try_keep(&[0, 1]));
        )*
        agree("argmin_axis", Some(x.try_argmin_axis(1).map(Tensor::into_dyn)), any.try_argmin_axis(1));
        agree("argmax_keepdims", Some(x.try_argmax_keepdims(0).map(Tensor::into_dyn)), any.try_argmax_keepdims(0));
        $(
            agree(stringify!($scan), Some(x.$try_scan(0).map(Tensor::into_dyn)), any.$try_scan(0));
            agree(stringify!($scan), Some(x.$try_scan(-1).map(Tensor::into_dyn)), any.$try_scan(-1));
            agree(stringify!($scan), Some(x.$try_scan(5).map(Tensor::into_dyn)), any.$try_scan(5));
        )*
        agree("neg", Some(Ok((-&x).into_dyn())), any.try_neg());
        agree("conj", Some(Ok(x.conj().into_dyn())), Ok(any.conj()));
    }};
}

macro_rules! reductions_of {
    ($($x:expr, $rules:ty;)*) => {$(
        reductions!($x, $rules;
            sum_axis try_sum_axis sum_keepdims try_sum_keepdims;
            prod_axis try_prod_axis prod_keepdims try_prod_keepdims;
            mean_axis try_mean_axis mean_keepdims try_mean_keepdims;
            var_axis try_var_axis var_keepdims try_var_keepdims;
            std_axis try_std_axis std_keepdims try_std_keepdims;
            min_axis try_min_axis min_keepdims try_min_keepdims;
            max_axis try_max_axis max_keepdims try_max_keepdims;
            any_axis try_any_axis any_keepdims try_any_keepdims;
            all_axis try_all_axis all_keepdims try_all_keepdims;
            nan_sum_axis try_nan_sum_axis nan_sum_keepdims try_nan_sum_keepdims;
            nan_min_axis try_nan_min_axis nan_min_keepdims try_nan_min_keepdims;
            nan_max_axis try_nan_max_axis nan_max_keepdims try_nan_max_keepdims;
            nan_mean_axis try_nan_mean_axis nan_mean_keepdims try_nan_mean_keepdims;
            @scans cumsum try_cumsum; cumprod try_cumprod; cummax try_cummax; cummin try_cummin;
        );
    )*};
}

#[test]
fn reductions_have_the_bits_and_errors_of_typed_ones() {
    reductions_of! {
        column::<I8, Jax>(&NUMBERS).try_reshape([4, 6]).expect("24 numbers"), Jax;
        column::<F16, Numpy>(&NUMBERS).try_reshape([4, 6]).expect("24 numbers"), Numpy;
        column::<F8E4M3FN, Jax>(&COUNTS), Jax;
        Tensor::<F32, Rank2>::zeros([0, 3]), Jax;
        Tensor::<Weak<F64>, Rank2>::zeros([2, 0]), Jax;
    }
}

macro_rules! views {
    ($x:ident, $any:ident; $($method:ident($($argument:expr),*);)*) => {$(
        agree(stringify!($method), Some($x.$method($($argument),*).map(Tensor::into_dyn)), $any.$method($($argument),*));
    )*};
}

#[test]
fn views_products_and_choices_are_those_of_typed_tensors() -> Result<(), Error> {
    let x: Tensor<BF16, Rank2> = tensor![[1.0, -2.0, 3.5], [supremum::bf16::NAN, 0.0, -0.0]];
    let any = x.clone().into_dyn();
    views! { x, any;
        try_reshape([3, 2]);
        try_reshape([4, 2]);
        try_permute(&[1, 0]);
        try_permute(&[1, 1]);
        try_slice(1, 1..);
        try_slice(1, 2..9);
        try_slice_step(1, .., -2);
        try_slice_step(0, .., 0);
        try_index_axis(-1, 2);
        try_index_axis(0, 2);
        try_broadcast_to([4, 2, 3]);
        try_broadcast_to([4, 2, 2]);
        try_squeeze(0);
        try_unsqueeze(-1);
        try_flip(1);
        try_flip(2);
        try_swap_axes(0, -1);
        try_diagonal(1, 0, -1);
        try_diagonal(0, 1, 1);
        try_tril(0);
        try_triu(1);
        try_roll(-1, 1);
        try_roll(1, 2);
        try_repeat(2, 0);
        try_repeat(usize::MAX, 0);
        try_tile([2, 1]);
        try_softmax(1);
        try_softmax(2);
        try_log_softmax(-1);
        try_log_sum_exp(0);
        try_log_sum_exp([0, 0]);
        try_log_sum_exp_keepdims(..);
        try_norm(2.0, 1);
        try_norm_keepdims(1.0, ..);
        try_var_corrected(1, 1);
        try_std_corrected(1, ..);
        try_contiguous();
    }
    assert_eq!(bits(&any.transpose()), bits(&x.transpose().into_dyn()));
    assert_eq!(bits(&any.flatten()), bits(&x.flatten().into_dyn()));
    assert_eq!(any.strides(), x.strides());

    let (places, outside) = (tensor![I8; -1, 0], tensor![I8; 3]);
    for indices in [places, outside] {
        agree(
            "take",
            Some(x.try_take(&indices, 1).map(Tensor::into_dyn)),
            any.try_take(&indices.clone().into_dyn(), 1),
        );
        let column = indices.unsqueeze(0);
        agree(
            "take_along_axis",
            Some(x.try_take_along_axis(&column, 1).map(Tensor::into_dyn)),
            any.try_take_along_axis(&column.into_dyn(), 1),
        );
    }
    let mask = x.lt(1.0);
    agree(
        "masked_select",
        Some(x.try_masked_select(&mask).map(Tensor::into_dyn)),
        any.try_masked_select(&mask.into_dyn()),
    );
    for (sizes, count) in [([1, 2], 2), ([2, 2], 0)] {
        let dynamic = |parts: Vec<Tensor<BF16, Rank2>>| -> Vec<_> {
            parts.into_iter().map(Tensor::into_dyn).collect()
        };
        let last = |mut parts: Vec<DynTensor>| parts.remove(1);
        agree(
            "split",
            Some(x.try_split(&sizes, 1).map(dynamic).map(last)),
            any.try_split(&sizes, 1).map(last),
        );
        agree(
            "chunk",
            Some(x.try_chunk(count, 1).map(dynamic).map(last)),
            any.try_chunk(count, 1).map(last),
        );
    }
    agree(
        "pad",
        Some(
            x.try_pad(&[[0, 1], [2, 0]], supremum::bf16::ONE)
                .map(Tensor::into_dyn),
        ),
        any.try_pad(&[[0, 1], [2, 0]], 1),
    );

    let y: Tensor<F16, Rank2> = tensor![[1.0], [0.5], [-4.0]];
    agree(
        "matmul",
        Some(x.try_matmul(&y).map(Tensor::into_dyn)),
        any.try_matmul(&y),
    );
    agree(
        "matmul",
        Some(y.try_matmul(&y).map(Tensor::into_dyn)),
        y.clone().into_dyn().try_matmul(&y),
    );
    let (v, w): (Tensor<I16, Rank1>, Tensor<F32, Rank1>) =
        (tensor![1, 2, -3], tensor![0.5, 1e-9, 7.0]);
    agree(
        "dot",
        Some(v.try_dot(&w).map(Tensor::into_dyn)),
        v.clone().into_dyn().try_dot(&w),
    );
    assert!(matches!(
        any.try_dot(&v),
        Err(Error::RankMismatch { expected: 1, .. })
    ));

    let positive = x.gt(0.0);
    let chosen = positive.clone().into_dyn();
    agree(
        "select",
        Some(try_select(&positive, &x, 0.5).map(Tensor::into_dyn)),
        chosen.try_select(&any, 0.5),
    );
    let lows: Tensor<F16, Rank1> = tensor![0.0, 0.5, 1.0];
    agree(
        "select",
        Some(try_select(&positive, &x, &lows).map(Tensor::into_dyn)),
        chosen.try_select(&any, &lows),
    );
    let error = any.try_select(&any, &any).unwrap_err();
    assert_eq!(error.to_string(), "select: expected bool, found bf16");
    agree(
        "clamp",
        Some(x.try_clamp(&lows, 2).map(Tensor::into_dyn)),
        any.try_clamp(&lows, 2),
    );
    agree(
        "concat",
        Some(v.try_concat(&w, 0).map(Tensor::into_dyn)),
        v.clone().into_dyn().try_concat(&w, 0),
    );
    let (dv, dw) = (v.clone().into_dyn(), w.clone().into_dyn());
    agree(
        "concat",
        Some(concat(&[&v, &v], 0).map(Tensor::into_dyn)),
        DynTensor::concat(&[&dv, &dv], 0),
    );
    agree(
        "stack",
        Some(stack(&[&v, &v], -1).map(Tensor::into_dyn)),
        DynTensor::stack(&[&dv, &dv], -1),
    );
    agree(
        "stack",
        Some(stack(&[&v, &v], 3).map(Tensor::into_dyn)),
        DynTensor::stack(&[&dv, &dv], 3),
    );
    assert_eq!(
        DynTensor::concat(&[], 0),
        Err(Error::NoTensors {
            operation: "concat"
        })
    );
    assert_eq!(DynTensor::concat(&[&dv, &dw], 0)?, dv.try_concat(&dw, 0)?);
    let long = DynTensor::ones(DType::I64, [1])?;
    let error = |tensors: &[&DynTensor]| DynTensor::concat(tensors, 0).unwrap_err();
    assert_eq!(error(&[&dw, &long]), dw.try_concat(&long, 0).unwrap_err());
    let text = error(&[&dv, &dw, &long]).to_string();
    assert!(
        text.starts_with("concat: unsafe promotion: under `jax` rules "),
        "{text}"
    );
    assert!(
        text.contains("promote to f32, which loses precision of i64"),
        "{text}"
    );
    Ok(())
}

fn named(rules: &str) -> &'static RuleSet {
    RuleSet::named(rules).expect("rules of that name")
}

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

/// The text with which something panics.
fn panic_text<T>(run: impl FnOnce() -> T + std::panic::UnwindSafe) -> String {
    let Err(text) = std::panic::catch_unwind(run) else {
        panic!("it did not panic");
    };
    text.downcast_ref::<String>().expect("a text").clone()
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
    assert_eq!(text, "+=: shapes [1] and [2] do not fit together");
    assert_eq!(
        panic_text(|| -tensor![Bool; true].into_dyn()),
        "neg: undefined: Negate on bool under `jax` rules, for bool of shape [1]; cast first"
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
    let api = named("array-api");
    assert_eq!(
        text(counts.with_rules(api).try_sub(scale.with_rules(api))),
        "sub: no promotion: under `array-api` rules i64 of shape [2] and f32 of shape [2, 1] have no common dtype; cast \
         one side, or move both to other rules by `.with_rules(..)`"
    );
    assert_eq!(
        text(scale.try_bitand(&scale)),
        "and: undefined: Bitwise on f32 under `jax` rules, for f32 of shape [2, 1] and f32 of shape [2, 1]; cast first"
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
        "add: shapes [2] and [3] do not fit together"
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

/// The parameter of rules tells them apart as well as their name.
#[test]
fn rules_are_the_same_if_all_they_say_is() -> Result<(), Error> {
    let a = tensor![U64; 1].with_rules::<OpenVino<F32>>().into_dyn();
    let b = tensor![U64; 1].with_rules::<OpenVino<I64>>().into_dyn();
    assert_eq!(a.try_add(&a)?.dtype(), DType::U64);
    assert_eq!(
        a.try_add(&b).unwrap_err().to_string(),
        "add: operands under different rules: one follows `openvino` rules of f32, another `openvino` rules of i64; \
         move one side, free of cost, by `.with_rules(..)`"
    );
    let copy: &'static RuleSet = Box::leak(Box::new(*Jax::RULE_SET));
    let c = tensor![I32; 1].into_dyn();
    assert_eq!(c.try_add(c.with_rules(copy))?.rules(), Jax::RULE_SET);
    Ok(())
}

mod wrapping {
    supremum::promotion_rules! {
        /// Integers wrap.
        pub struct Same = "same";
        literals { Int: Weak<I32> wraps; Float: Weak<F32> }
        lattice { Weak<I32> -> I8; I8 -> Weak<F32>; Weak<F32> -> F16; }
    }
}

mod refusing {
    supremum::promotion_rules! {
        /// They do not.
        pub struct Same = "same";
        literals { Int: Weak<I32>; Float: Weak<F32> }
        lattice { Weak<I32> -> I8; I8 -> Weak<F32>; Weak<F32> -> F16; }
    }
}

#[test]
fn rules_differ_by_what_becomes_of_literals() {
    assert_ne!(wrapping::Same::RULE_SET, refusing::Same::RULE_SET);
}

#[test]
fn promote_unsafe_admits_one_operation() -> Result<(), Error> {
    let counts = tensor![I64; 3, 4].into_dyn();
    let scale = tensor![F32; 0.5].into_dyn();
    let scaled = counts.promote_unsafe() * &scale;
    assert_eq!(scaled.to_string(), "[1.5, 2.0] f32 [2]");
    assert_eq!(scaled.rules(), Jax::RULE_SET);
    assert!(matches!(
        scaled.try_add(&counts),
        Err(Error::UnsafePromotion { .. })
    ));
    assert_eq!(scaled.try_add(counts.promote_unsafe())?.dtype(), DType::F32);
    let typed = tensor![I64; 3, 4].promote_unsafe();
    assert_eq!(scaled.try_gt(typed)?.to_string(), "[false, false] bool [2]");
    let allowing: &'static RuleSet = AllowUnsafe::<Jax>::RULE_SET;
    let small = tensor![U8; 255].into_dyn().with_rules(allowing);
    assert_eq!(small.try_add(300)?.to_string(), "[43] u8 [1]");
    Ok(())
}

#[test]
fn promote_unsafe_lands_literals_as_the_system_does() {
    let bytes: Tensor<U8, Rank1> = tensor![1, 2];
    let any = bytes.clone().into_dyn();
    assert!(any.try_add(300).is_err());
    let typed: Tensor<U8, Rank1> = bytes.promote_unsafe() + 300;
    assert_eq!(any.promote_unsafe() + 300, typed.into_dyn());
    assert_eq!((300 - any.promote_unsafe()).to_string(), "[43, 42] u8 [2]");
    let condition: DynTensor = tensor![Bool; true, false].into_dyn();
    let chosen = condition.try_select(any.promote_unsafe(), -1);
    assert_eq!(chosen.expect("-1 wraps").to_string(), "[  1, 255] u8 [2]");
    // NumPy refuses integers in any case.
    let numpy = any.with_rules(Numpy::RULE_SET);
    let text = panic_text(move || numpy.promote_unsafe() + 300);
    assert_eq!(text, "add: the literal 300 is out of range for u8");
}

#[test]
fn the_type_says_which_rules_a_typed_tensor_follows() -> Result<(), Error> {
    let numpy = DynTensor::ones(DType::U8, [2])?.with_rules(Numpy::RULE_SET);
    let typed: Tensor<U8, Rank1, Numpy> = numpy.clone().try_into()?;
    assert_eq!((typed / 2).into_dyn().dtype(), DType::F64);
    let moved: Tensor<U8, Rank1> = numpy.clone().try_into()?;
    assert_eq!((moved / 2).into_dyn().dtype(), DType::F32);
    assert!(dispatch!(numpy in [U8], |t: Tensor<_, Rank1, Jax>| t.len()).is_err());
    Ok(())
}

#[test]
fn weak_results_yield_and_can_be_made_strong() -> Result<(), Error> {
    let weak = tensor![Bool; true, false].into_dyn() / 2.0;
    assert_eq!(
        (weak.is_weak(), weak.to_string()),
        (true, "[0.5, 0.0] f64* [2]".into())
    );
    assert_eq!(weak.try_add(tensor![F16; 1.0])?.dtype(), DType::F16);
    assert_eq!(
        weak.strong().try_add(tensor![F16; 1.0])?.dtype(),
        DType::F64
    );
    let error = weak.typed::<F64, Rank1, Jax>().unwrap_err();
    assert_eq!(error.to_string(), "typed tensor: expected f64, found f64*");
    assert!(weak.typed::<Weak<F64>, Rank1, Jax>().is_ok());
    assert_eq!(weak.to_vec::<F64>()?, [0.5, 0.0]);
    Ok(())
}

#[test]
fn nothing_is_copied_on_the_way_between_typed_and_dynamic() -> Result<(), Error> {
    let typed: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let place = typed.as_slice().expect("contiguous").as_ptr();
    let any = typed.into_dyn();
    assert_eq!(any.as_slice::<F32>()?.expect("contiguous").as_ptr(), place);
    assert_eq!(
        any.try_slice(0, ..1)?
            .as_slice::<F32>()?
            .expect("contiguous")
            .as_ptr(),
        place
    );
    assert_eq!(
        any.with_rules(named("numpy"))
            .as_slice::<F32>()?
            .expect("contiguous")
            .as_ptr(),
        place
    );
    let inside = dispatch!(&any, |t: Tensor<_, Rank2>| t
        .as_slice()
        .map(|all| all.as_ptr().addr()))?;
    assert_eq!(inside, Some(place.addr()));
    let back: Tensor<F32, Rank2> = any.try_into()?;
    assert_eq!(back.as_slice().expect("contiguous").as_ptr(), place);
    Ok(())
}

#[test]
fn an_owned_operand_gives_its_memory_to_the_result() -> Result<(), Error> {
    let owned = DynTensor::ones(DType::F32, [64])?;
    let place = owned.as_slice::<F32>()?.expect("contiguous").as_ptr();
    let result = -(owned * 3 + tensor![F32; 0.5]);
    assert_eq!(
        result.as_slice::<F32>()?.expect("contiguous").as_ptr(),
        place
    );
    Ok(())
}

#[test]
fn tensors_without_elements_and_of_rank_zero_work() -> Result<(), Error> {
    let none = DynTensor::zeros(DType::I32, [0, 3])?;
    assert!(none.is_empty() && !DynTensor::ones(DType::I32, [1])?.is_empty());
    assert_eq!((&none / 0).shape(), [0, 3]);
    assert_eq!(none.try_floor_div(0)?.dtype(), DType::I32);
    assert_eq!(none.try_sum()?.item()?, Scalar::Int(0));
    assert_eq!(
        none.try_max().unwrap_err(),
        none.typed::<I32, Rank2, Jax>()?.try_max().unwrap_err()
    );
    assert_eq!(none.to_string(), "[] i32 [0, 3]");
    let scalar = DynTensor::full(DType::C64, [], c128::new(1.0, -2.0))?;
    assert_eq!(scalar.operand().to_string(), "zero-dim c64");
    assert_eq!(scalar.item()?, Scalar::Complex(c128::new(1.0, -2.0)));
    assert_eq!(
        (scalar.abs()?.dtype(), scalar.imag()?.item()?),
        (DType::F32, Scalar::Float(-2.0))
    );
    assert_eq!(
        scalar.try_matmul(&scalar).unwrap_err().to_string(),
        "matmul: shapes [] and [] do not fit together"
    );
    assert_eq!(
        DynTensor::full(DType::U64, [], Scalar::Int(u64::MAX.into()))?.item()?,
        Scalar::Int(u64::MAX.into())
    );
    Ok(())
}

#[test]
fn making_and_reading() -> Result<(), Error> {
    assert_eq!(
        DynTensor::eye(DType::Bool, 2)?.to_string(),
        "[[ true, false],\n [false,  true]] bool [2, 2]"
    );
    assert_eq!(
        DynTensor::ones(DType::BF16, vec![1])?,
        tensor![BF16; 1.0].into_dyn()
    );
    assert!(DynTensor::ones(DType::BF16, [1])? != DynTensor::ones(DType::F16, [1])?);
    assert!(matches!(
        DynTensor::eye(DType::F64, usize::MAX),
        Err(Error::ShapeTooLarge { .. })
    ));
    assert!(matches!(
        DynTensor::zeros(DType::F64, [1; 9]),
        Err(Error::RankTooLarge { .. })
    ));
    assert!(matches!(
        DynTensor::arange(DType::F64, 0.0, 1.0, 0.0),
        Err(Error::Arange { .. })
    ));
    assert!(matches!(
        DynTensor::from_bytes(DType::Bool, [1], &[2]),
        Err(Error::NotABool { .. })
    ));
    assert!(matches!(
        DynTensor::from_bytes(DType::F16, [1], &[2]),
        Err(Error::LengthMismatch { .. })
    ));
    let t = DynTensor::arange(DType::I16, 3.0, 0.0, -1.0)?;
    assert_eq!(t.iter::<I16>()?.collect::<Vec<_>>(), [3, 2, 1]);
    assert!(t.iter::<U16>().is_err());
    assert!(t.approx_eq(&t, 0.0, 0.0)? && t.approx_eq(&t.cast(DType::F16), 0.0, 0.0).is_err());
    assert_eq!(
        t.widen(DType::U32).unwrap_err().to_string(),
        "widen: i16 to u32 loses range; `.try_cast(..)` checks the values, `.cast(..)` does not"
    );
    assert_eq!(t.try_cast(DType::U8)?, t.cast(DType::U8));
    Ok(())
}

fn doubled<D>(t: &Tensor<D>) -> Tensor<Promoted<D, D>>
where
    D: StaticDType + SafePromote<D>,
    Promoted<D, D>: Add<Jax, Output = Promoted<D, D>>,
    Jax: Rules<Add = Jax, Operations = Jax, Operand<D, AnyRank> = D>,
{
    t + t
}

#[test]
fn dispatch_calls_generic_code_with_the_dtype_that_arrives() -> Result<(), Error> {
    let t = DynTensor::full(DType::F16, [2], 1.5)?;
    let sum = dispatch!(t in [F16, BF16, F32], |t| doubled(&t).into_dyn())?;
    assert_eq!(sum.to_string(), "[3.0, 3.0] f16 [2]");
    assert_eq!(dispatch!(t, |t| t.dtype())?, DType::F16);
    assert_eq!(dispatch!(&t, |t| t.dtype())?, DType::F16);
    assert_eq!(dispatch!(t.clone(), move |t| t.len(),)?, 2);
    let mut seen = Vec::new();
    dispatch!(DynTensor::ones(DType::I8, [3])? in [I8, I16,], |t| seen.push(t.shape().to_vec()))?;
    assert_eq!(seen, [[3]]);
    // What is moved into the code is moved into one of its copies.
    let text = String::from("of ");
    assert_eq!(
        dispatch!(t in [F16, F32], move |t| text + t.dtype().name())?,
        "of f16"
    );
    // `?` leaves the code only.
    let item =
        dispatch!(t in [F16], |t: Tensor<_>| -> Result<f32, Error> { Ok(t.item()?.to_f32()) })?;
    assert!(matches!(item, Err(Error::NotOneElement { .. })));
    Ok(())
}

#[test]
fn dispatch_enters_other_ranks_and_rules_on_demand() -> Result<(), Error> {
    let t = DynTensor::ones(DType::I32, [2, 3])?;
    let means = dispatch!(t in [I32, I64], |t: Tensor<_, Rank2>| t.mean_axis(0).into_dyn())?;
    assert_eq!(means.to_string(), "[1.0, 1.0, 1.0] f32 [3]");
    let error = dispatch!(t in [I32], |t: Tensor<_, Rank1>| t.len()).unwrap_err();
    assert_eq!(
        error,
        Error::RankMismatch {
            expected: 1,
            shape: vec![2, 3]
        }
    );

    let error = dispatch!(t in [I32], |t: Tensor<_, AnyRank, Numpy>| t.len()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dispatch!: expected `numpy` rules, found `jax` rules; move the tensor, free of cost, by `.with_rules(..)`"
    );
    let moved = t.with_rules(Numpy::RULE_SET);
    let half = dispatch!(moved in [I32], |t: Tensor<_, AnyRank, Numpy>| (t / 2).into_dyn())?;
    assert_eq!((half.dtype(), half.rules().name()), (DType::F64, "numpy"));
    assert!(matches!(
        dispatch!(moved, |t| t.len()),
        Err(Error::UnexpectedRules { .. })
    ));
    Ok(())
}

#[test]
fn dispatch_takes_two_operands() -> Result<(), Error> {
    let x = DynTensor::full(DType::F16, [2], 0.5)?;
    let y = DynTensor::full(DType::I8, [2], 3)?;
    let product = dispatch!((x in [F16, F32], y in [I8, U8]), |x, y| (x * y).into_dyn())?;
    assert_eq!(product.to_string(), "[1.5, 1.5] f16 [2]");
    let lengths = dispatch!((&x, y in [I8]), |x: Tensor<_, Rank1>, y| x.len() + y.len())?;
    assert_eq!(lengths, 4);
    let error =
        dispatch!((x in [F16, F32], y in [F16, F32]), |x, y| x.len() + y.len()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dispatch!: expected one of f16, f32, found i8"
    );
    assert_eq!(dispatch!((x in [F16]), |x| x.len())?, 2);
    Ok(())
}

#[test]
fn weak_tensors_enter_as_weak_if_that_is_listed() -> Result<(), Error> {
    let weak = DynTensor::ones(DType::Bool, [1])? * 2.5;
    assert!(weak.is_weak());
    let text = |t: &dyn core::fmt::Display| t.to_string();
    assert_eq!(
        dispatch!(weak in [F64, Weak<F64>], |t| text(&t))?,
        "[2.5] f64* [1]"
    );
    assert_eq!(dispatch!(weak in [F64], |t| text(&t))?, "[2.5] f64 [1]");
    assert_eq!(dispatch!(weak, |t| text(&t))?, "[2.5] f64 [1]");
    let error = dispatch!(weak.strong() in [Weak<F64>], |t| text(&t)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "dispatch!: expected one of f64*, found f64"
    );
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

/// PyTorch has no operations on some formats of 8 bits, whose tensors are joined all the same.
#[test]
fn tensors_of_one_dtype_are_joined_under_all_rules() -> Result<(), Error> {
    for rules in RuleSet::builtin() {
        for dtype in DType::ALL {
            let x = DynTensor::ones(*dtype, [2])?.with_rules(rules);
            let joined = DynTensor::concat(&[&x, &x, &x], 0)?;
            assert_eq!((joined.dtype(), joined.shape()), (*dtype, &[6][..]));
            assert_eq!(DynTensor::stack(&[&x, &x], 0)?.dtype(), *dtype);
        }
    }
    Ok(())
}

#[test]
fn weak_tensors_promote_as_literals_do() -> Result<(), Error> {
    let t = DynTensor::ones(DType::BF16, [2])?;
    for rules in RuleSet::builtin() {
        let t = t.with_rules(rules);
        for (literal, kind) in [
            (Scalar::from(1), Kind::Signed),
            (Scalar::from(1.0), Kind::Float),
        ] {
            let operand = rules.literal(kind);
            if operand.class != Class::Weak {
                continue;
            }
            let weak = DynTensor::ones(operand.dtype, [])?.with_rules(rules).weak();
            assert!(weak.is_weak() && !weak.strong().is_weak());
            let (beside_weak, beside_literal) = (t.try_mul(&weak), t.try_mul(literal));
            let dtype = |result: &Result<DynTensor, Error>| {
                result.as_ref().ok().map(|t| (t.dtype(), t.is_weak()))
            };
            assert_eq!(
                dtype(&beside_weak),
                dtype(&beside_literal),
                "{}",
                rules.name()
            );
        }
    }
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
    assert_eq!(m.clamp(1.0, 4.0), m.try_clamp(1.0, 4.0).unwrap());
    assert_eq!(
        m.pad(&[[0, 1], [1, 0]], 7),
        m.try_pad(&[[0, 1], [1, 0]], 7).unwrap()
    );
    let error = m.try_sum_axis(2).unwrap_err().to_string();
    let panic = std::panic::catch_unwind(|| m.sum_axis(2)).unwrap_err();
    assert_eq!(panic.downcast_ref::<String>(), Some(&error));
}
