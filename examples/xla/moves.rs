//! Operations that only move elements, in dtypes of each size.

use supremum::PadMode;
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
    Tensor<C64, Rank3>,
    Tensor<Bool, Rank3>,
);

fn moves((x, y, places, z, truths): Tensors) -> Vec<(&'static str, DynTensor)> {
    vec![
        (
            "taken by constants",
            x.take(&tensor![I16; -1, 0, 5], 1).into_dyn(),
        ),
        (
            "rows of complex numbers, taken by a matrix of i8",
            z.take(&places.index_axis(0, 1), 1).into_dyn(),
        ),
        (
            "taken from the last axis by u8",
            truths
                .take(&(&places & 15).cast::<U8>().index_axis(2, 0), 2)
                .into_dyn(),
        ),
        (
            "taken along an axis by i8",
            y.take_along_axis(&places, 1).into_dyn(),
        ),
        (
            "a column, taken along an axis",
            x.take_along_axis(&places.cast::<I64>().slice(2, ..1), 2)
                .into_dyn(),
        ),
        (
            "one of each row, broadcast",
            y.take_along_axis(&tensor![I64; [[-3, 7]]], 2).into_dyn(),
        ),
        ("split", x.split(&[5, 4, 3], 1)[1].clone().into_dyn()),
        (
            "the last of three chunks",
            z.chunk(5, 2)[4].clone().into_dyn(),
        ),
        ("unstacked", truths.unstack(1)[11].clone().into_dyn()),
        ("rolled", x.roll(-5, 2).into_dyn()),
        ("rolled along the batch", y.roll(3, 0).into_dyn()),
        ("repeated", places.repeat(3, 1).into_dyn()),
        ("tiled", x.tile([1, 2, 3]).into_dyn()),
        (
            "padded",
            x.pad([[0, 0], [1, 2], [0, 3]], bf16::from_f32(-1.5))
                .into_dyn(),
        ),
        (
            "complex numbers, padded",
            z.pad([[0, 0], [0, 0], [2, 1]], c64::new(0.5, -0.0))
                .into_dyn(),
        ),
        (
            "padded by the nearest elements",
            x.pad_with([[0, 0], [1, 2], [0, 3]], PadMode::Edge)
                .into_dyn(),
        ),
        (
            "padded by reflections",
            y.pad_with([[0, 0], [4, 0], [2, 3]], PadMode::Reflect)
                .into_dyn(),
        ),
        (
            "padded by reflections with the ends",
            z.pad_with([[0, 0], [4, 0], [2, 3]], PadMode::Symmetric)
                .into_dyn(),
        ),
        (
            "padded by the other end",
            truths
                .pad_with([[0, 0], [0, 5], [7, 0]], PadMode::Wrap)
                .into_dyn(),
        ),
        (
            "repeated, each a number of times",
            z.repeat_each([2, 0, 1, 3, 0, 1, 1, 1, 0, 0, 0, 2], 1)
                .into_dyn(),
        ),
        (
            "vectors on diagonals",
            x.index_axis(1, 0).diag_embed(1).into_dyn(),
        ),
        (
            "a vector on a diagonal",
            y.index_axis(1, 0).index_axis(1, 0).diag(-1).into_dyn(),
        ),
        ("overlapping windows", y.unfold(1, 5, 3).into_dyn()),
        ("a quarter turn", z.rot90(1, 1, 2).into_dyn()),
        ("turned back", truths.rot90(-1, 2, 1).into_dyn()),
        (
            "classes as vectors",
            (&places & 15).one_hot::<F16>(16).into_dyn(),
        ),
        ("lower triangles", y.tril(-1).into_dyn()),
        ("upper triangles of bool", truths.triu(2).into_dyn()),
        ("diagonals", x.diagonal(-2, 1, 2).into_dyn()),
        ("diagonals of other axes", z.diagonal(3, 2, 1).into_dyn()),
        (
            "diagonals through the batch",
            y.diagonal(1, 0, 2).into_dyn(),
        ),
        ("contiguous", y.transpose().contiguous().into_dyn()),
    ]
}

pub(crate) fn case() -> Result<Case, Error> {
    let mut numbers = Numbers::new();
    // Indices into an axis of twelve, from its end too.
    let index = |number: f64, _| (number * 12.0).floor();
    let inputs = vec![
        numbers.tensor(DType::BF16, &SIZES, |number, _| number * 9.0)?,
        numbers.tensor(DType::F32, &SIZES, |number, _| number)?,
        numbers.tensor(DType::I8, &SIZES, index)?,
        numbers.tensor(DType::C64, &SIZES, |number, _| number)?,
        numbers.tensor(DType::Bool, &SIZES, |number, _| number.max(0.0))?,
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
        input::<C64, _>(SIZES),
        input::<Bool, _>(SIZES),
    );
    let program = stablehlo::trace(arguments, |tensors| {
        let results = moves(tensors).into_iter();
        results.map(|(_, result)| result).collect::<Vec<_>>()
    })?;
    let expected = moves(tensors);
    Ok(Case::of_batches(
        "moves",
        program.into_dyn(),
        inputs,
        expected,
        SIZES[0],
    ))
}
