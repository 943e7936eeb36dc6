//! Operations of neural networks: softmax and its like, norms, convolutions and pooling.

supremum::prelude!();
use supremum::stablehlo::{self, input};
use supremum::{ConvOptions, PoolOptions, PoolPadding, SamePadding};

use crate::elementwise::Numbers;
use crate::{Case, Split};

/// Examples, channels, height, width.
const IMAGES: [usize; 4] = [16, 4, 9, 8];
/// Filters, channels of a group, height, width.
const FILTERS: [usize; 4] = [6, 2, 3, 2];

type Tensors = (
    Tensor<BF16, Rank4>,
    Tensor<BF16, Rank4>,
    Tensor<F32, Rank4>,
    Tensor<I8, Rank4>,
    Tensor<F64, Rank4>,
);

fn networks((x, filters, y, n, w): Tensors) -> Vec<(&'static str, DynTensor)> {
    let options = ConvOptions::new()
        .stride([2, 1])
        .padding([1, 2])
        .dilation([1, 2])
        .groups(2);
    let wide: Tensor<F32, Rank4> = filters.cast();
    let sizes = PoolOptions::new([3, 2]).stride([2, 2]).padding([1, 0]);
    let padding = PoolPadding::new([1, 1])
        .ceil_mode(true)
        .count_include_pad(false);
    // Channels, filters of a group, height, width.
    let spread = filters.slice(0, ..4);
    vec![
        ("conv2d of bf16", x.conv2d(&filters, options).into_dyn()),
        (
            "conv2d of bf16 and f32",
            x.conv2d(&wide, options).into_dyn(),
        ),
        (
            "conv2d of f32",
            y.conv2d(&wide, ConvOptions::new().groups(2)).into_dyn(),
        ),
        (
            "conv2d of i8",
            n.conv2d(&filters.cast::<I8>(), options).into_dyn(),
        ),
        (
            "conv2d of f64",
            w.conv2d(&filters.cast::<F64>(), options).into_dyn(),
        ),
        (
            "conv1d",
            y.index_axis(2, 0)
                .conv1d(
                    &wide.index_axis(2, 0),
                    ConvOptions::new().padding([1]).groups(2),
                )
                .into_dyn(),
        ),
        (
            "conv2d, padded to the same size",
            x.conv2d(&filters, options.padding(SamePadding)).into_dyn(),
        ),
        (
            "conv_transpose2d of bf16",
            x.conv_transpose2d(&spread, options).into_dyn(),
        ),
        (
            "conv_transpose2d of i8, with two paddings",
            n.conv_transpose2d(&spread.cast::<I8>(), options.padding([[3, 0], [0, 1]]))
                .into_dyn(),
        ),
        (
            "conv_transpose2d of f64",
            w.conv_transpose2d(
                &spread.cast::<F64>(),
                ConvOptions::new().stride([3, 2]).padding(SamePadding),
            )
            .into_dyn(),
        ),
        (
            "conv_transpose1d",
            y.index_axis(2, 0)
                .conv_transpose1d(
                    &spread.cast::<F32>().index_axis(3, 0),
                    ConvOptions::new().stride([2]).padding([1]).groups(4),
                )
                .into_dyn(),
        ),
        ("max_pool2d", x.max_pool2d(sizes).into_dyn()),
        (
            "max_pool2d with one more window",
            x.max_pool2d(sizes.padding(padding)).into_dyn(),
        ),
        (
            "avg_pool2d of elements alone",
            y.avg_pool2d(sizes.padding(padding)).into_dyn(),
        ),
        (
            "avg_pool2d, padded to the same size",
            x.avg_pool2d(sizes.padding(SamePadding)).into_dyn(),
        ),
        ("max_pool2d of i8", n.max_pool2d(sizes).into_dyn()),
        ("avg_pool2d", x.avg_pool2d(sizes).into_dyn()),
        ("avg_pool2d of f32", y.avg_pool2d(sizes).into_dyn()),
        ("softmax of bf16", x.softmax(-1).into_dyn()),
        ("log_softmax of bf16", x.log_softmax(1).into_dyn()),
        ("log_sum_exp of bf16", x.log_sum_exp([1, 3]).into_dyn()),
        ("softmax of i8", n.softmax(2).cast::<BF16>().into_dyn()),
        (
            "log_sum_exp of f32",
            y.log_sum_exp(-1).cast::<BF16>().into_dyn(),
        ),
        ("norm 2 of bf16", x.norm(2.0, -1).into_dyn()),
        (
            "norm 1 of f32",
            y.norm(1.0, [1, 2]).cast::<BF16>().into_dyn(),
        ),
        ("norm inf of i8", n.norm(f64::INFINITY, 1).into_dyn()),
        (
            "covariances",
            x.index_axis(1, 0).index_axis(1, 0).cov(1).into_dyn(),
        ),
        (
            "correlations",
            x.index_axis(1, 0).index_axis(1, 1).corrcoef().into_dyn(),
        ),
        ("var with a correction", x.var_corrected(1, -1).into_dyn()),
    ]
}

pub(crate) fn case() -> Result<Case, Error> {
    let mut numbers = Numbers::new();
    // Sums of products of quarters are exact, in any order.
    let quarter = |number: f64, _| (number * 12.0).floor() / 4.0;
    let index = |number: f64, _| (number * 12.0).floor();
    let inputs = vec![
        numbers.tensor(DType::BF16, &IMAGES, quarter)?,
        numbers.tensor(DType::BF16, &FILTERS, quarter)?,
        numbers.tensor(DType::F32, &IMAGES, quarter)?,
        numbers.tensor(DType::I8, &IMAGES, index)?,
        numbers.tensor(DType::F64, &IMAGES, quarter)?,
    ];
    let tensors: Tensors = (
        inputs[0].typed()?,
        inputs[1].typed()?,
        inputs[2].typed()?,
        inputs[3].typed()?,
        inputs[4].typed()?,
    );
    let arguments = (
        input::<BF16, _>(IMAGES),
        input::<BF16, _>(FILTERS),
        input::<F32, _>(IMAGES),
        input::<I8, _>(IMAGES),
        input::<F64, _>(IMAGES),
    );
    let program = stablehlo::trace(arguments, |tensors| {
        let results = networks(tensors);
        results
            .into_iter()
            .map(|(_, result)| result)
            .collect::<Vec<_>>()
    })?;
    let expected: Vec<(String, DynTensor)> = networks(tensors)
        .into_iter()
        .map(|(name, result)| (name.into(), result))
        .collect();
    let outputs = expected.len();
    Ok(Case {
        name: "networks",
        program: program.into_dyn(),
        data: Split {
            inputs: vec![Some(0), None, Some(0), Some(0), Some(0)],
            outputs: vec![Some(0); outputs],
        },
        features: Split {
            inputs: vec![Some(3), None, None, Some(3), Some(3)],
            outputs: vec![None; outputs],
        },
        inputs,
        expected,
    })
}
