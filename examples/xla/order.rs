//! Sorts, quantiles, scatters and counts, with ties, NaN and zeros of both signs.

use supremum::QuantileMethod::{Linear, Midpoint, Nearest};
supremum::prelude!();
use supremum::stablehlo::{self, input};

use crate::Case;
use crate::elementwise::Numbers;

/// Batch, rows, columns.
const SIZES: [usize; 3] = [16, 12, 24];

type Tensors = (
    Tensor<BF16, Rank3>,
    Tensor<F32, Rank3>,
    Tensor<I8, Rank3>,
    Tensor<Bool, Rank3>,
    Tensor<F64, Rank3>,
);

fn results((x, y, places, truths, wide): Tensors) -> Vec<(&'static str, DynTensor)> {
    let (greatest, at) = x.top_k(5, 2);
    let (first, first_at) = places.top_k(1, 1);
    let edges = y.index_axis(0, 0).index_axis(0, 0).sort(0);
    let columns = places.slice(1, ..1);
    let whole = y.round();
    vec![
        ("sorted bf16", x.sort(1).into_dyn()),
        ("sorted f32, descending", y.sort_descending(2).into_dyn()),
        ("sorted f64", wide.sort(2).into_dyn()),
        ("sorted i8 through the batch", places.sort(0).into_dyn()),
        (
            "sorted u8",
            places.cast::<U8>().sort_descending(1).into_dyn(),
        ),
        ("sorted bool", truths.sort(2).into_dyn()),
        ("positions of bf16", x.argsort(1).into_dyn()),
        (
            "positions of f32, descending",
            y.argsort_descending(2).into_dyn(),
        ),
        ("positions of i8", places.argsort(2).into_dyn()),
        (
            "positions of bool, descending",
            truths.argsort_descending(1).into_dyn(),
        ),
        ("the greatest five", greatest.into_dyn()),
        ("their positions", at.into_dyn()),
        ("the greatest i8 of each column", first.into_dyn()),
        ("its position", first_at.into_dyn()),
        ("searched", edges.searchsorted(&y).into_dyn()),
        (
            "searched to the right",
            edges.searchsorted_right(&y).into_dyn(),
        ),
        ("median of i8", places.median().into_dyn()),
        ("medians of bf16", x.median_axis(1).into_dyn()),
        ("medians of f64", wide.median_axis(2).into_dyn()),
        ("quantiles", y.quantile_keepdims(0.3, Linear, 2).into_dyn()),
        (
            "nearest quantiles",
            y.quantile_axis(0.7, Nearest, 1).into_dyn(),
        ),
        (
            "midpoints",
            places.quantile_axis(0.1, Midpoint, 2).into_dyn(),
        ),
        (
            "greatest updates",
            whole.scatter_max(&places, &whole, 1).into_dyn(),
        ),
        (
            "least updates",
            places.scatter_min(&places, &places, 1).into_dyn(),
        ),
        (
            "quantiles of numbers",
            y.nan_quantile_axis(0.3, Linear, [0, 2]).into_dyn(),
        ),
        ("medians of numbers", x.nan_median_axis(1).into_dyn()),
        ("histogram", y.histogram(7, -0.5..=0.75).into_dyn()),
        (
            "histogram of i8",
            places.histogram(5, -10.0..=0.0).into_dyn(), // an upper edge at zero, next to subnormal numbers
        ),
        (
            "searched in rows",
            y.sort(2).searchsorted_rows(&y.slice(2, ..5)).into_dyn(),
        ),
        (
            "searched in rows to the right",
            places.sort(2).searchsorted_rows_right(&places).into_dyn(),
        ),
        (
            "several quantiles",
            y.quantile_axis([0.1, 0.5, 0.9], Linear, 1).into_dyn(),
        ),
        (
            "several quantiles of numbers",
            x.nan_quantile_keepdims([0.25, 0.75], Nearest, 2).into_dyn(),
        ),
        (
            "histogram of given edges",
            y.histogram_edges(&tensor![F32; -0.5, -0.25, 0.5, 0.5, 0.75])
                .into_dyn(),
        ),
        (
            "histogram of computed edges",
            places.histogram_edges(&edges).into_dyn(),
        ),
        (
            "weighted histogram",
            y.histogram_weighted(&tensor![F32; -1, 0, 1], &places)
                .into_dyn(),
        ),
        ("among others", y.is_in(&edges).into_dyn()),
        ("i8 among others", places.is_in(&columns).into_dyn()),
        ("near others", y.is_close(&edges, 0.1, 0.05).into_dyn()),
        (
            "bf16 near others",
            x.is_close(&x.roll(1, 1), 0.5, 0.0).into_dyn(),
        ),
        (
            "interpolated",
            y.interp(&edges, &edges.cumsum(0)).into_dyn(),
        ),
        (
            "density",
            y.histogram_edges(&edges).density(&edges).into_dyn(),
        ),
        ("diagonal matrices", x.diag_embed(-2).into_dyn()),
        ("traces", places.trace(1).into_dyn()),
        (
            "rows replaced",
            x.scatter(&tensor![I64; [[-1], [0], [5]]], &x.slice(1, 2..5), 1)
                .into_dyn(),
        ),
        (
            "sums by i8",
            whole.scatter_add(&places, &whole, 1).into_dyn(),
        ),
        (
            "sums of columns",
            wide.floor()
                .scatter_add(&columns, &wide.floor().slice(1, ..1), 1)
                .into_dyn(),
        ),
        (
            "counts of i8",
            places
                .zeros_like()
                .scatter_add(&places, &places.ones_like(), 1)
                .into_dyn(),
        ),
        (
            "truths by i8",
            truths
                .with_rules::<Numpy>()
                .scatter_add(&places, &truths.with_rules(), 1)
                .into_dyn(),
        ),
    ]
}

pub(crate) fn case() -> Result<Case, Error> {
    let mut numbers = Numbers::new();
    // In few steps, so that there are ties.
    let special = |number: f64, position: usize| match position % 41 {
        3 | 17 => -0.0,
        5 | 29 => 0.0,
        7 => f64::NAN,
        11 => f64::INFINITY,
        13 => f64::NEG_INFINITY,
        _ => (number * 16.0).round() / 8.0,
    };
    // Indices into an axis of twelve, from its end too.
    let index = |number: f64, _| (number * 12.0).floor();
    let inputs = vec![
        numbers.tensor(DType::BF16, &SIZES, special)?,
        numbers.tensor(DType::F32, &SIZES, |number, position| match position % 3 {
            0 => number,
            _ => (number * 8.0).round() / 8.0,
        })?,
        numbers.tensor(DType::I8, &SIZES, index)?,
        numbers.tensor(DType::Bool, &SIZES, |number, _| number.max(0.0))?,
        numbers.tensor(DType::F64, &SIZES, |number, _| number * 9.0)?,
    ];
    let tensors: Tensors = (
        inputs[0].typed()?,
        inputs[1].typed()?,
        inputs[2].typed()?,
        inputs[3].typed()?,
        inputs[4].typed()?,
    );
    let arguments = (
        input::<BF16, _>(SIZES),
        input::<F32, _>(SIZES),
        input::<I8, _>(SIZES),
        input::<Bool, _>(SIZES),
        input::<F64, _>(SIZES),
    );
    let program = stablehlo::trace(arguments, |tensors| {
        let results = results(tensors).into_iter();
        results.map(|(_, result)| result).collect::<Vec<_>>()
    })?;
    let expected = results(tensors);
    Ok(Case::of_batches(
        "order",
        program.into_dyn(),
        inputs,
        expected,
        SIZES[0],
    ))
}
