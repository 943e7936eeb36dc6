//! Rolls, repeats, padding, triangles and other arrangements.

use supremum::prelude::*;
use supremum::stablehlo::{self, dyn_input};

use super::{each_operand, moves, names, refused, signed};
use crate::naive;
use crate::naive::Plain;

#[test]
fn rolls_and_repeats_are_index_maps() {
    each_operand(200, 4, |rng, x, p| {
        let rank = p.shape.len();
        if rank == 0 {
            return;
        }
        let axis = rng.usize(..rank);
        let size = p.shape[axis];
        let at = signed(rng, axis, rank);
        let shift = match rng.u8(..8) {
            0 => isize::MIN,
            1 => isize::MAX,
            _ => rng.isize(-9..10),
        };
        let rolled = p.mapped(&p.shape, |index| {
            let mut from = index.to_vec();
            let back = i128::try_from(index[axis]).unwrap() - i128::try_from(shift).unwrap();
            let size = i128::try_from(size).unwrap();
            from[axis] = usize::try_from(back.rem_euclid(size)).unwrap();
            from
        });
        moves("roll", x, &rolled, |x| x.try_roll(shift, at));

        let count = rng.usize(..4);
        let mut to = p.shape.clone();
        to[axis] *= count;
        let repeated = p.mapped(&to, |index| {
            let mut from = index.to_vec();
            from[axis] /= count;
            from
        });
        moves("repeat", x, &repeated, |x| x.try_repeat(count, at));

        let counts: Vec<usize> = (0..rank).map(|_| rng.usize(..4)).collect();
        let to: Vec<usize> = p.shape.iter().zip(&counts).map(|(a, b)| a * b).collect();
        let tiled = p.mapped(&to, |index| {
            index
                .iter()
                .zip(&p.shape)
                .map(|(at, size)| at % size)
                .collect()
        });
        moves("tile", x, &tiled, |x| x.try_tile(&counts));
    });
}

#[test]
fn padding_surrounds() {
    each_operand(200, 4, |rng, x, p| {
        let pairs: Vec<[usize; 2]> = p
            .shape
            .iter()
            .map(|_| [rng.usize(..3), rng.usize(..3)])
            .collect();
        let to: Vec<usize> = p
            .shape
            .iter()
            .zip(&pairs)
            .map(|(size, [before, after])| before + size + after)
            .collect();
        let elements = naive::indices(&to).into_iter().map(|index| {
            let from: Option<Vec<usize>> = index
                .iter()
                .zip(&pairs)
                .zip(&p.shape)
                .map(|((at, [before, _]), size)| at.checked_sub(*before).filter(|at| at < size))
                .collect();
            from.map_or(1, |from| p.at(&from))
        });
        let expected = Plain::new(&to, elements.collect());
        moves("pad", x, &expected, |x| x.try_pad(&pairs, 1));
    });
}

#[test]
fn diagonals_and_triangles_follow_rows_and_columns() {
    each_operand(300, 4, |rng, x, p| {
        let rank = p.shape.len();
        if rank < 2 {
            return;
        }
        let offset = match rng.u8(..10) {
            0 => isize::MIN,
            1 => isize::MAX,
            _ => rng.isize(-4..5),
        };
        // The number of rows and columns by which an element lies beside the diagonal.
        let beside = |row: usize, column: usize| {
            let [row, column, offset] = [row.cast_signed(), column.cast_signed(), offset]
                .map(|at| i128::try_from(at).unwrap());
            column - row - offset
        };
        let numbers = p.shape.iter().product::<usize>();
        let kept = |keeps: &dyn Fn(i128) -> bool| {
            let mut elements = Vec::with_capacity(numbers);
            for index in naive::indices(&p.shape) {
                let kept = keeps(beside(index[rank - 2], index[rank - 1]));
                elements.push(if kept { p.at(&index) } else { 0 });
            }
            Plain::new(&p.shape, elements)
        };
        moves("tril", x, &kept(&|beside| beside <= 0), |x| {
            x.try_tril(offset)
        });
        moves("triu", x, &kept(&|beside| beside >= 0), |x| {
            x.try_triu(offset)
        });

        let first = rng.usize(..rank);
        let second = (first + rng.usize(1..rank)) % rank;
        let mut steps = vec![];
        for row in 0..p.shape[first] {
            steps.extend(
                (0..p.shape[second])
                    .filter(|column| beside(row, *column) == 0)
                    .map(|column| [row, column]),
            );
        }
        let others: Vec<usize> = (0..rank)
            .filter(|axis| *axis != first && *axis != second)
            .collect();
        let mut to: Vec<usize> = others.iter().map(|axis| p.shape[*axis]).collect();
        to.push(steps.len());
        let diagonal = p.mapped(&to, |index| {
            let mut from = vec![0; rank];
            for (at, axis) in index.iter().zip(&others) {
                from[*axis] = *at;
            }
            [from[first], from[second]] = steps[index[rank - 2]];
            from
        });
        let axes = [signed(rng, first, rank), signed(rng, second, rank)];
        moves("diagonal", x, &diagonal, |x| {
            x.try_diagonal(offset, axes[0], axes[1])
        });
    });
}

#[test]
fn contiguous_tensors_are_slices() {
    each_operand(100, 4, |_, x, p| {
        moves("contiguous", x, &p, |x| {
            let contiguous = x.try_contiguous()?;
            if x.dtype() == DType::I64 {
                let slice = contiguous.as_slice::<I64>()?.expect("contiguous");
                assert_eq!(slice, p.elements);
                if let Some(own) = x.as_slice::<I64>()? {
                    assert_eq!(own.as_ptr(), slice.as_ptr(), "it is not copied");
                }
            }
            Ok(contiguous)
        });
        moves("full_like", x, &p.map(|_| 1), |x| x.try_full_like(1));
        moves("ones_like", x, &p.map(|_| 1), DynTensor::try_ones_like);
        moves("zeros_like", x, &p.map(|_| 0), DynTensor::try_zeros_like);
    });
}

#[test]
fn arrangements_of_rank_0_and_of_8_axes() -> Result<(), Error> {
    let scalar = Tensor::<I32, Rank0>::scalar(7);
    assert_eq!(scalar.pad([], 1).item(), Ok(7));
    assert_eq!(scalar.tile([]).item(), Ok(7));
    assert_eq!(scalar.contiguous().item(), Ok(7));
    let []: [usize; 0] = scalar.sizes();
    let deep = Tensor::<I32>::from_fn([1, 2, 1, 2, 1, 1, 3, 1], |index| {
        i32::try_from(10 * index[1] + 3 * index[3] + index[6]).unwrap()
    });
    assert_eq!(deep.repeat(2, 1).index_axis(1, 3), deep.index_axis(1, 1));
    assert_eq!(
        deep.tile([1, 2, 1, 1, 1, 1, 1, 2]).shape(),
        [1, 4, 1, 2, 1, 1, 3, 2]
    );
    assert_eq!(deep.pad([[0, 1]; 8], 0).shape(), [2, 3, 2, 3, 2, 2, 4, 2]);
    assert_eq!(deep.diagonal(0, 1, 6).to_vec(), [0, 11, 3, 14]);
    Ok(())
}

#[test]
fn steps_between_two_numbers() {
    let to = |count| Tensor::<F64>::linspace(0.1, 0.7, count).to_vec();
    assert_eq!(to(0), [0.0; 0]);
    assert_eq!(to(1), [0.1]);
    assert_eq!(to(2), [0.1, 0.7]);
    // As NumPy's: the last one exactly, the others from the start.
    let step = (0.7 - 0.1) / 3.0;
    assert_eq!(to(4), [0.1, 0.1 + step, 0.1 + 2.0 * step, 0.7]);
    assert_eq!(
        Tensor::<I8, Rank1>::linspace(5.0, -5.0, 3).to_vec(),
        [5, 0, -5]
    );
}

#[test]
fn errors_of_arrangements_in_full() {
    let x = Tensor::<U8>::zeros([2, 3]);
    let row = Tensor::<U8>::zeros([3]);
    let large = usize::MAX;
    refused! {
        x.try_split(&[1, 1], 1), x.split(&[1, 1], 1) => "split: the sizes [1, 1] do not add up to axis 1 of size 3";
        x.try_split(&[large, 4], 1), x.split(&[large, 4], 1) => "split: the sizes [18446744073709551615, 4] do not add up to axis 1 of size 3";
        x.try_split(&[], -3), x.split(&[], -3) => "split: axis -3 does not exist at rank 2";
        x.try_chunk(0, -1), x.chunk(0, -1) => "chunk: axis -1 of size 3 cannot be split into 0 chunks";
        x.try_chunk(1, 2), x.chunk(1, 2) => "chunk: axis 2 does not exist at rank 2";
        x.try_unstack(2), x.unstack(2) => "unstack: axis 2 does not exist at rank 2";
        x.try_roll(1, 2), x.roll(1, 2) => "roll: axis 2 does not exist at rank 2";
        x.try_repeat(1, 2), x.repeat(1, 2) => "repeat: axis 2 does not exist at rank 2";
        x.try_repeat(1 << 57, 1), x.repeat(1 << 57, 1) => "repeat: shape [2, 432345564227567616] has more elements than can be addressed";
        x.try_repeat(large, 0), x.repeat(large, 0) => "repeat: shape [18446744073709551615, 3] has more elements than can be addressed";
        x.try_tile([1]), x.tile([1]) => "tile: expected 2 counts, one for each axis, found 1";
        x.try_tile([large, 0]), x.tile([large, 0]) => "tile: shape [18446744073709551615, 0] has more elements than can be addressed";
        x.try_pad([[1, 1]], 0), x.pad([[1, 1]], 0) => "pad: expected 2 pairs, one for each axis, found 1";
        x.try_pad([[large, large], [0, 0]], 0), x.pad([[large, large], [0, 0]], 0) => "pad: shape [18446744073709551615, 3] has more elements than can be addressed";
        row.try_tril(0), row.tril(0) => "tril: at least 2 axes expected, found rank 1 (shape [3])";
        row.try_triu(0), row.triu(0) => "triu: at least 2 axes expected, found rank 1 (shape [3])";
        x.try_diagonal(0, 0, 2), x.diagonal(0, 0, 2) => "diagonal: axis 2 does not exist at rank 2";
        x.try_diagonal(0, -2, 0), x.diagonal(0, -2, 0) => "diagonal: axis 0 is named twice, as -2 and 0";
        Tensor::<F32>::try_linspace(0.0, f64::NAN, 2), Tensor::<F32>::linspace(0.0, f64::NAN, 2) => "linspace: no finite steps from 0 to NaN";
        Tensor::<F32>::try_linspace(-1e308, 1e308, 2), Tensor::<F32>::linspace(-1e308, 1e308, 2) => "linspace: no finite steps from -1e308 to 1e308";
        Tensor::<F32>::try_linspace(0.0, 1.0, 1 << 58), Tensor::<F32>::linspace(0.0, 1.0, 1 << 58) => "linspace: shape [288230376151711744] has more elements than can be addressed";
    }
    let x = x.into_dyn();
    let text = |result: Result<DynTensor, Error>| result.expect_err("an error").to_string();
    assert_eq!(
        text(x.try_full_like(256)),
        "full_like: the literal 256 is out of range for u8"
    );
    assert_eq!(
        text(x.try_pad([[0, 0]; 2], -1)),
        "pad: the literal -1 is out of range for u8"
    );
}

#[test]
fn arrangements_are_operations_of_programs() -> Result<(), Error> {
    let of = |operation: fn(&DynTensor) -> Result<DynTensor, Error>| {
        let program = stablehlo::trace(vec![dyn_input(DType::F32, &[3, 4])], |x| operation(&x[0]));
        program.map(|program| names(&program))
    };
    assert_eq!(
        of(|x| x.try_pad([[1, 0], [0, 2]], 0.5))?,
        ["constant", "pad"]
    );
    assert_eq!(of(|x| x.try_roll(1, 1))?, ["slice", "slice", "concatenate"]);
    assert_eq!(of(|x| x.try_roll(4, 1))?, [""; 0]);
    assert_eq!(of(|x| x.try_contiguous())?, [""; 0]);
    assert_eq!(
        of(|x| x.try_tril(1))?,
        [
            "iota", "iota", "constant", "add", "compare", "constant", "select"
        ]
    );
    assert_eq!(
        of(|x| x.try_diagonal(1, 0, 1))?,
        ["transpose", "slice", "slice", "reshape", "slice"]
    );
    assert_eq!(
        of(|x| x.try_repeat(2, 0))?,
        ["reshape", "broadcast_in_dim", "reshape"]
    );
    assert_eq!(
        of(|x| x.try_unstack(0).map(|mut rows| rows.remove(1)))?,
        ["slice", "reshape"]
    );
    Ok(())
}

/// Rows are copied in pieces up to some length, and those of short rows by their positions.
#[test]
fn long_rows_are_copied_whole() {
    for columns in [1, 127, 128, 129, 1023, 1024, 1025, 2049, 16_000, 65_537] {
        let element = |row: usize, column: usize| u8::try_from((7 * row + column) % 251).unwrap();
        let x = Tensor::<U8, Rank2>::from_fn([3, columns], |[row, column]| element(row, column));
        let rolled = Tensor::<U8, Rank2>::from_fn([3, columns], |[row, column]| {
            element(row, (column + columns - 1) % columns)
        });
        assert_eq!(x.roll(1, 1), rolled, "{columns}");
        let repeated =
            Tensor::<U8, Rank2>::from_fn([6, columns], |[row, column]| element(row / 2, column));
        assert_eq!(x.repeat(2, 0), repeated, "{columns}");
        let mask = x.lt(240);
        let kept: Vec<u8> = x.iter().filter(|element| *element < 240).collect();
        assert_eq!(x.masked_select(&mask).to_vec(), kept, "{columns}");
    }
}
