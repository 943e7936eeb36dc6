//! Writes to parts of tensors, in dtypes of each size, and a cache of keys and values.

supremum::prelude!();
use supremum::stablehlo::{self, input};

use crate::Case;
use crate::elementwise::Numbers;

/// Batch, rows, columns; or heads, positions, size of a head.
const SIZES: [usize; 3] = [16, 12, 24];

type Tensors = (
    Tensor<BF16, Rank3>,
    Tensor<F32, Rank3>,
    Tensor<I8, Rank3>,
    Tensor<C64, Rank3>,
    Tensor<Bool, Rank3>,
    Tensor<F8E4M3FN, Rank3>,
    Tensor<U64, Rank3>,
);

/// A tensor after writes to parts of it.
fn written<D: StaticDType>(
    t: &Tensor<D, Rank3>,
    write: impl FnOnce(&mut Tensor<D, Rank3>),
) -> DynTensor {
    let mut t = t.clone();
    write(&mut t);
    t.into_dyn()
}

fn parts((x, y, n, z, truths, small, wide): Tensors) -> Vec<(&'static str, DynTensor)> {
    let row = y.index_axis(0, 3).index_axis(0, 1);
    vec![
        (
            "a range",
            written(&x, |t| t.slice_mut(1, 2..7).assign(&x.slice(1, 7..))),
        ),
        (
            "a range of several axes, broadcast",
            written(&y, |t| {
                t.slice_axes_mut(s![.., 3..9, -6..])
                    .assign(&row.slice(0, ..6))
            }),
        ),
        (
            "one position",
            written(&z, |t| t.index_axis_mut(1, 4).assign(&z.index_axis(1, 0))),
        ),
        (
            "every second column of bf16, multiplied",
            written(&x, |t| *t.slice_step_mut(2, .., 2) *= &x.slice(2, ..12)),
        ),
        (
            "backwards, i8",
            written(&n, |t| {
                t.slice_step_mut(1, 1..9, -3).assign(&n.slice(1, ..3))
            }),
        ),
        (
            "steps along two axes and a range, of complex numbers",
            written(&z, |t| *t.slice_axes_mut(s![..;3, 2..5, ..;-2]) -= 1.5),
        ),
        (
            "diagonals of booleans",
            written(&truths, |t| t.diagonal_mut(3, 1, 2).fill(true)),
        ),
        (
            "diagonals through the batch",
            written(&y, |t| {
                *t.diagonal_mut(-1, 2, 0) += &row.slice(0, ..12).unsqueeze(1)
            }),
        ),
        (
            "every second row of 8-bit floats",
            written(&small, |t| {
                *t.slice_step_mut(1, .., 2) += &small.slice(1, 6..);
            }),
        ),
        (
            "elements of u64",
            written(&wide, |t| {
                t.set(&[15, 0, 23], u64::MAX);
                t.index_axis_mut(2, 0).diagonal_mut(0, 0, 1).fill(1 << 60);
            }),
        ),
        (
            "rows",
            written(&x, |t| {
                for mut row in t.rows_mut().step_by(37) {
                    row += 2.0;
                    row.slice_step_mut(0, .., 5).fill(bf16::from_f32(-3.5));
                }
            }),
        ),
        (
            "fused",
            written(&y, |t| {
                fuse!(
                    t.slice_axes_mut(s![.., ..;2, ..12]) =
                        x.slice_axes(s![.., ..6, ..12]) * 0.5 + row.slice(0, ..12)
                );
                fuse!(t.index_axis_mut(2, 7) *= y.index_axis(2, 8));
            }),
        ),
        ("attention with a cache", attention_by_steps(&x).into_dyn()),
    ]
}

type Heads = Tensor<BF16, Rank3>;

fn attention(queries: &Heads, keys: &Heads, values: &Heads) -> Heads {
    let ([_, length, _], [_, total, _]) = (queries.sizes(), keys.sizes());
    let start = total - length;
    let scores: Tensor<F32, Rank3> =
        queries.matmul_in::<F32>(&keys.swap_axes(1, 2)) / 24_f64.sqrt();
    let later = Tensor::<Bool, Rank2>::from_fn([length, total], |[query, key]| key > start + query);
    let scores = select(&later, f64::NEG_INFINITY, &scores);
    scores.softmax(-1).cast::<BF16>().matmul(values)
}

/// The attention of all positions, some at a time, with the caches of keys and values of docs/cookbook.md.
fn attention_by_steps(x: &Heads) -> Heads {
    let [mut keys, mut values, mut outputs] = [(); 3].map(|()| Heads::zeros(SIZES));
    let mut start = 0;
    for length in [5, 1, 1, 3, 2] {
        let end = start + length;
        let step = x.slice(1, start..end);
        keys.slice_mut(1, start..end).assign(&step);
        values.slice_mut(1, start..end).assign(&step.flip(2));
        let output = attention(&step, &keys.slice(1, ..end), &values.slice(1, ..end));
        outputs.slice_mut(1, start..end).assign(&output);
        start = end;
    }
    outputs
}

pub(crate) fn case() -> Result<Case, Error> {
    let mut numbers = Numbers::new();
    // Sums of products of quarters are exact, in any order.
    let quarter = |number: f64, _| (number * 12.0).floor() / 4.0;
    let inputs = vec![
        numbers.tensor(DType::BF16, &SIZES, quarter)?,
        numbers.tensor(DType::F32, &SIZES, |number, _| number)?,
        numbers.tensor(DType::I8, &SIZES, |number, _| number * 50.0)?,
        numbers.tensor(DType::C64, &SIZES, |number, _| number)?,
        numbers.tensor(DType::Bool, &SIZES, |number, _| number.max(0.0))?,
        numbers.tensor(DType::F8E4M3FN, &SIZES, quarter)?,
        numbers.tensor(DType::U64, &SIZES, |number, _| number.abs() * 1e18)?,
    ];
    let tensors: Tensors = (
        inputs[0].typed()?,
        inputs[1].typed()?,
        inputs[2].typed()?,
        inputs[3].typed()?,
        inputs[4].typed()?,
        inputs[5].typed()?,
        inputs[6].typed()?,
    );
    let arguments = (
        input::<BF16, _>(SIZES),
        input::<F32, _>(SIZES),
        input::<I8, _>(SIZES),
        input::<C64, _>(SIZES),
        input::<Bool, _>(SIZES),
        input::<F8E4M3FN, _>(SIZES),
        input::<U64, _>(SIZES),
    );
    let program = stablehlo::trace(arguments, |tensors| {
        let results = parts(tensors).into_iter();
        results.map(|(_, result)| result).collect::<Vec<_>>()
    })?;
    let expected = parts(tensors);
    Ok(Case::of_batches(
        "parts",
        program.into_dyn(),
        inputs,
        expected,
        SIZES[0],
    ))
}
