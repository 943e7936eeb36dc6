//! Batched matrix products, and reductions of the results.

supremum::prelude!();
use supremum::stablehlo::{self, input};
use supremum::try_einsum;

use crate::elementwise::Numbers;
use crate::{Case, Split};

/// Matrices in a batch, rows, inner size, columns.
const SIZES: [usize; 4] = [16, 12, 64, 10];

type Tensors = (
    Tensor<BF16, Rank3>,
    Tensor<BF16, Rank3>,
    Tensor<F16, Rank3>,
    Tensor<I8, Rank3>,
    Tensor<F64, Rank1>,
);

/// Products of small floats, integers and mixed dtypes; a softmax; every reduction; scans.
fn products(
    (queries, keys, values, counts, weights): Tensors,
) -> Result<Vec<(&'static str, DynTensor)>, Error> {
    let scores: Tensor<BF16, Rank3> = queries.try_matmul(&keys)?;
    let mixed: Tensor<F32, Rank3> = queries.try_matmul(&values)?;
    let counted: Tensor<I8, Rank3> = counts.try_matmul(&counts.swap_axes(1, 2))?;
    let exact: Tensor<I32, Rank3> = counts.try_matmul_in::<I32>(&counts.swap_axes(1, 2))?;
    let kept: Tensor<F32, Rank3> = queries.try_matmul_in::<F32>(&keys)?;
    let named: Tensor<BF16, Rank2> = try_einsum!("bqd,bdk->qb", queries, keys)?;
    let any: Tensor<Bool, Rank3> = counts.gt(0).matmul(&counts.lt(0).swap_axes(1, 2));
    let weighted: Tensor<F64, Rank2> = queries.widen::<F64>().try_matmul(&weights)?;

    let exponentials: Tensor<BF16, Rank3> = (&scores - &scores.max_keepdims(-1)).exp();
    let softmax: Tensor<BF16, Rank3> = &exponentials / &exponentials.sum_keepdims(-1);
    let attended = fuse!((softmax * 2.0).sum_axis(1));

    let halves = mixed.cast::<F16>();
    // Most elements are NaN, and all of some rows.
    let gaps: Tensor<BF16, Rank3> = select(&scores.lt(8.0), f64::NAN, &scores);
    Ok(vec![
        ("bf16 @ bf16", scores.clone().into_dyn()),
        ("bf16 @ f16", mixed.clone().into_dyn()),
        ("i8 @ i8", counted.clone().into_dyn()),
        ("i8 @ i8 in i32", exact.into_dyn()),
        ("bf16 @ bf16 in f32", kept.into_dyn()),
        ("einsum of bf16", named.into_dyn()),
        ("bool @ bool", any.clone().into_dyn()),
        ("f64 @ f64", weighted.into_dyn()),
        ("softmax of bf16", softmax.into_dyn()),
        ("sum of a fused product", attended.into_dyn()),
        ("sum of bf16", scores.sum().into_dyn()),
        (
            "sum of f16 over two axes",
            halves.sum_axis(&[0, 2]).into_dyn(),
        ),
        ("sum of f32", mixed.sum_axis(2).into_dyn()),
        ("sum of i8", counts.sum_axis(1).into_dyn()),
        ("sum of bool", any.sum_axis(0).into_dyn()),
        ("product of f32", (&mixed * 0.5).prod_axis(2).into_dyn()),
        ("mean of bf16", queries.mean_axis(2).into_dyn()),
        ("mean of i8", counts.mean().into_dyn()),
        ("variance of f16", values.var_axis(1).into_dyn()),
        ("deviation of f32", mixed.std_keepdims(0).into_dyn()),
        ("minimum of f16", halves.min_axis(1).into_dyn()),
        ("maximum of i8", counted.max_axis(2).into_dyn()),
        ("any", any.any_axis(1).into_dyn()),
        ("all", any.all().into_dyn()),
        ("argmin of f16", halves.argmin_axis(2).into_dyn()),
        ("argmax of bf16", scores.argmax().into_dyn()),
        ("running sum of f32", mixed.cumsum(1).into_dyn()),
        ("running sum of i8", counts.cumsum(2).into_dyn()),
        ("running product of i8", counts.cumprod(1).into_dyn()),
        (
            "running product of f32",
            (&mixed * 0.5).cumprod(2).into_dyn(),
        ),
        ("running maximum of bf16", gaps.cummax(1).into_dyn()),
        ("running minimum of i8", counted.cummin(2).into_dyn()),
        ("running maximum of bool", any.cummax(1).into_dyn()),
        ("sum of bf16 without NaN", gaps.nan_sum_axis(2).into_dyn()),
        ("mean of bf16 without NaN", gaps.nan_mean_axis(1).into_dyn()),
        (
            "mean without NaN, fused",
            fuse!((gaps * 2.0).nan_mean_axis(0)).into_dyn(),
        ),
        (
            "minimum of bf16 without NaN",
            gaps.nan_min_axis(2).into_dyn(),
        ),
        (
            "product of f32 without NaN",
            (gaps.cast::<F32>() * 0.5).nan_prod_axis(1).into_dyn(),
        ),
        (
            "argmin of bf16 without NaN",
            gaps.nan_argmin_axis(1).into_dyn(),
        ),
        ("argmax of bf16 without NaN", gaps.nan_argmax().into_dyn()),
        ("maximum of bf16 without NaN", gaps.nan_max().into_dyn()),
        ("mean of i8 without NaN", counts.nan_mean_axis(1).into_dyn()),
        (
            "variance of bf16 without NaN",
            gaps.nan_var_axis(1).into_dyn(),
        ),
        (
            "deviation of f32 without NaN",
            gaps.cast::<F32>().nan_std_keepdims([0, 2]).into_dyn(),
        ),
        (
            "reversed, every second",
            values.flip(2).slice_step(1, 1.., 2).into_dyn(),
        ),
        (
            "joined",
            concat([&scores.widen::<F32>(), &mixed], 1).into_dyn(),
        ),
        (
            "in another shape",
            mixed.swap_axes(0, 2).reshape([10, 192]).into_dyn(),
        ),
    ])
}

pub(crate) fn case() -> Result<Case, Error> {
    let [batch, rows, inner, columns] = SIZES;
    let mut numbers = Numbers::new();
    // The numbers have few bits, so that sums of products are exact in `f32` whatever the order of additions is.
    let few_bits = |number: f64, _| (number * 16.0).round() / 8.0;
    let queries = numbers.tensor(DType::BF16, &[batch, rows, inner], few_bits)?;
    let keys = numbers.tensor(DType::BF16, &[batch, inner, columns], few_bits)?;
    let values = numbers.tensor(DType::F16, &[batch, inner, columns], few_bits)?;
    let counts = numbers.tensor(DType::I8, &[batch, rows, inner], |number, _| number * 127.0)?;
    let weights = numbers.tensor(DType::F64, &[inner], |number, _| number)?;
    let inputs = vec![queries, keys, values, counts, weights];
    let tensors: Tensors = (
        inputs[0].typed()?,
        inputs[1].typed()?,
        inputs[2].typed()?,
        inputs[3].typed()?,
        inputs[4].typed()?,
    );
    let arguments = (
        input::<BF16, _>([batch, rows, inner]),
        input::<BF16, _>([batch, inner, columns]),
        input::<F16, _>([batch, inner, columns]),
        input::<I8, _>([batch, rows, inner]),
        input::<F64, _>([inner]),
    );
    let program = stablehlo::trace(arguments, |tensors| {
        let results = products(tensors)?;
        Ok(results
            .into_iter()
            .map(|(_, result)| result)
            .collect::<Vec<_>>())
    })?;
    let results = products(tensors)?;
    let expected: Vec<(String, DynTensor)> = results
        .into_iter()
        .map(|(name, result)| (name.into(), result))
        .collect();
    // Splits the batches if the results still have them, else the axis over which products are summed.
    let batches = expected.iter().map(|(_, result)| {
        let is_batched = result.shape().first() == Some(&batch);
        is_batched.then_some(0)
    });
    Ok(Case {
        name: "products",
        program: program.into_dyn(),
        data: Split {
            inputs: vec![Some(0), Some(0), Some(0), Some(0), None],
            outputs: batches.collect(),
        },
        features: Split {
            inputs: vec![Some(2), Some(1), Some(1), Some(2), Some(0)],
            outputs: vec![None; expected.len()],
        },
        inputs,
        expected,
    })
}
