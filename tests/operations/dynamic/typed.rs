//! The tables decide, and results are those of typed tensors.

use supremum::{
    BF16, Bool, C64, C128, DType, DynTensor, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2,
    F8E5M2FNUZ, F16, F32, F64, I8, I16, I32, I64, Jax, Numpy, Operation, Rank0, Rank1, Rank2,
    RuleSet, Rules, Tensor, U8, U16, U32, U64, Weak, tensor, try_concat, try_select, try_stack,
};

use crate::agreement::{COUNTS, NUMBERS, agree, bits, column, is_refusal};
use crate::naive::each_dtype;

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
pub(super) fn operands(rules: &'static RuleSet) -> Vec<DynTensor> {
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
        agree("nan_argmin", Some(x.try_nan_argmin().map(Tensor::into_dyn)), any.try_nan_argmin());
        agree("nan_argmax_axis", Some(x.try_nan_argmax_axis(1).map(Tensor::into_dyn)), any.try_nan_argmax_axis(1));
        agree("nan_argmin_keepdims", Some(x.try_nan_argmin_keepdims(0).map(Tensor::into_dyn)), any.try_nan_argmin_keepdims(0));
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
            nan_prod_axis try_nan_prod_axis nan_prod_keepdims try_nan_prod_keepdims;
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
        try_permute([1, 0]);
        try_permute([1, 1]);
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
        try_move_axis(0, -1);
        try_move_axis(0, 2);
        try_matrix_transpose();
        try_diff(1, 0);
        try_diff(1, -1);
        try_diff(1, 2);
        try_count_nonzero();
        try_count_nonzero_axis(1);
        try_count_nonzero_keepdims([0, 1]);
        try_count_nonzero_axis([0, 0]);
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
        try_var_corrected_keepdims(1, 1);
        try_std_corrected_keepdims(1, ..);
        try_nan_var_corrected(1, 1);
        try_nan_var_corrected_keepdims(1, 1);
        try_nan_std_corrected(1, [0]);
        try_nan_std_corrected_keepdims(1, ..);
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
        any.try_masked_select(&mask.clone().into_dyn()),
    );
    for (chosen, axis) in [(mask.index_axis(0, 0), 1), (mask.index_axis(1, 0), 1)] {
        agree(
            "compress",
            Some(x.try_compress(&chosen, axis).map(Tensor::into_dyn)),
            any.try_compress(&chosen.into_dyn(), axis),
        );
    }
    agree(
        "argwhere",
        Some(x.try_argwhere().map(Tensor::into_dyn)),
        any.try_argwhere(),
    );
    agree(
        "flatnonzero",
        Some(x.try_flatnonzero().map(Tensor::into_dyn)),
        any.try_flatnonzero(),
    );
    agree(
        "nonzero",
        Some(x.try_nonzero().map(|mut found| found.remove(1).into_dyn())),
        any.try_nonzero().map(|mut found| found.remove(1)),
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
            x.try_pad([[0, 1], [2, 0]], supremum::bf16::ONE)
                .map(Tensor::into_dyn),
        ),
        any.try_pad([[0, 1], [2, 0]], 1),
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
        Some(try_concat(&[&v, &v], 0).map(Tensor::into_dyn)),
        try_concat(&[&dv, &dv], 0),
    );
    agree(
        "stack",
        Some(try_stack(&[&v, &v], -1).map(Tensor::into_dyn)),
        try_stack(&[&dv, &dv], -1),
    );
    assert_eq!(try_concat(&[&v, &v], 0)?, v.concat(&v, 0));
    agree(
        "stack",
        Some(try_stack(&[&v, &v], 3).map(Tensor::into_dyn)),
        try_stack(&[&dv, &dv], 3),
    );
    assert_eq!(
        try_concat(&Vec::<DynTensor>::new(), 0),
        Err(Error::NoTensors {
            operation: "concat"
        })
    );
    assert_eq!(try_concat(&[&dv, &dw], 0)?, dv.try_concat(&dw, 0)?);
    let long = DynTensor::ones(DType::I64, [1])?;
    let error = |tensors: &[&DynTensor]| try_concat(tensors, 0).unwrap_err();
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
