//! Operations that only move elements, judged by naive index maps: every dtype, random shapes and layouts, also without
//! elements and of rank 0; typed, dynamic and traced; and the text of every error.

mod exact;
mod naive;

use core::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use naive::{Plain, broadcast};
use supremum::prelude::*;
use supremum::stablehlo::{self, dyn_input};

/// A layout of elements: they are stored in a shape, of which a view is taken.
struct Layout {
    stored: Vec<usize>,
    view: Box<dyn Fn(&DynTensor) -> Result<DynTensor, Error>>,
}

impl Layout {
    /// A tensor in this layout, of numbers that a function makes from the position in memory.
    fn tensor(&self, dtype: DType, number: impl Fn(i64) -> i64) -> DynTensor {
        let count = i64::try_from(self.stored.iter().product::<usize>()).expect("few elements");
        let stored = Plain::new(&self.stored, (1..=count).map(number).collect());
        (self.view)(&tensor_of(&stored, dtype)).expect("a view")
    }
}

/// The dtypes of indices.
const INTEGERS: [DType; 8] = [
    DType::U8,
    DType::U16,
    DType::U32,
    DType::U64,
    DType::I8,
    DType::I16,
    DType::I32,
    DType::I64,
];

fn plain(tensor: &DynTensor) -> Plain<i64> {
    let elements = tensor.cast(DType::I64).to_vec::<I64>().expect("of i64");
    Plain::new(tensor.shape(), elements)
}

fn tensor_of(plain: &Plain<i64>, dtype: DType) -> DynTensor {
    let shape = plain.shape.as_slice();
    let tensor = Tensor::<I64>::from_slice(&plain.elements, shape).expect("a shape that fits");
    tensor.into_dyn().cast(dtype)
}

/// A random layout of this shape: contiguous, permuted, a part of a larger one, reversed or broadcast.
fn layout(rng: &mut fastrand::Rng, shape: &[usize]) -> Layout {
    let (rank, mut stored) = (shape.len(), shape.to_vec());
    let axis = rng.usize(..rank.max(1));
    let signed = axis.cast_signed();
    let view: Box<dyn Fn(&DynTensor) -> Result<DynTensor, Error>> = match rng.u8(..5) {
        1 if rank > 1 => {
            let mut order: Vec<usize> = (0..rank).collect();
            rng.shuffle(&mut order);
            for (at, axis) in order.iter().enumerate() {
                stored[*axis] = shape[at];
            }
            Box::new(move |x| x.try_permute(&order))
        }
        2 if rank > 0 => {
            stored[axis] = 2 * shape[axis] + 1;
            let end = 2 * shape[axis];
            Box::new(move |x| x.try_slice_step(signed, ..end, 2))
        }
        3 if rank > 0 => Box::new(move |x| x.try_flip(signed)),
        4 if rank > 0 => {
            stored[axis] = 1;
            let shape = shape.to_vec();
            Box::new(move |x| x.try_broadcast_to(&shape[..]))
        }
        _ => Box::new(|x| Ok(x.clone())),
    };
    Layout { stored, view }
}

fn shape(rng: &mut fastrand::Rng, max_rank: usize) -> Vec<usize> {
    let rank = rng.usize(..=max_rank);
    let size = |_| match rng.u8(..12) {
        0 => 0,
        1..=3 => 1,
        number => usize::from(number % 5 + 2),
    };
    (0..rank).map(size).collect()
}

/// Runs with numbered elements of random shape and layout.
fn each_operand(
    count: u64,
    max_rank: usize,
    mut run: impl FnMut(&mut fastrand::Rng, &Layout, Plain<i64>),
) {
    for seed in 0..count {
        let mut rng = fastrand::Rng::with_seed(seed);
        let shape = shape(&mut rng, max_rank);
        let layout = layout(&mut rng, &shape);
        let elements = plain(&layout.tensor(DType::I64, |number| number));
        run(&mut rng, &layout, elements);
    }
}

fn signed(rng: &mut fastrand::Rng, axis: usize, rank: usize) -> isize {
    match rng.bool() {
        true => axis.cast_signed(),
        false => axis.cast_signed() - rank.cast_signed(),
    }
}

/// Checks an operation in every dtype against the elements that it should give.
#[track_caller]
fn moves(
    what: &str,
    layout: &Layout,
    expected: &Plain<i64>,
    operation: impl Fn(&DynTensor) -> Result<DynTensor, Error>,
) {
    for dtype in DType::ALL {
        // Large numbers are NaN in some of the small floats.
        let largest = if dtype.size() == 1 { 29 } else { i64::MAX };
        let x = layout.tensor(*dtype, |number| number % largest);
        let found = operation(&x).unwrap_or_else(|error| panic!("{what} of {dtype}: {error}"));
        let expected = tensor_of(&expected.map(|number| number % largest), *dtype);
        assert!(
            found == expected,
            "{what} of {dtype}: {found} but {expected}"
        );
    }
    let tensor = layout.tensor(DType::F16, |number| number);
    let traced = stablehlo::trace(vec![dyn_input(DType::F16, tensor.shape())], |x| {
        operation(&x[0])
    });
    match traced {
        Ok(program) => {
            let [output] = &program.outputs()[..] else {
                panic!("one result")
            };
            assert_eq!(
                (output.dtype, &output.shape),
                (DType::F16, &expected.shape),
                "{what}"
            );
        }
        Err(Error::Untraceable { operation }) => assert_eq!(operation, "masked_select"),
        Err(error) => panic!("{what}, traced: {error}"),
    }
}

fn panic_text<T: Debug>(f: impl FnOnce() -> T) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    panic
        .downcast_ref::<String>()
        .expect("a formatted panic")
        .clone()
}

/// The fallible form's error, with this text; the other form panics with it.
macro_rules! refused {
    ($($fallible:expr, $panicking:expr => $text:expr;)*) => {$(
        assert_eq!($fallible.expect_err("an error").to_string(), $text);
        assert_eq!(panic_text(|| $panicking), $text);
    )*};
}

fn without(values: &[usize], axis: usize) -> Vec<usize> {
    let mut left = values.to_vec();
    left.remove(axis);
    left
}

/// Random indices into an axis, in a random integer dtype and layout, and their numbers.
fn random_indices(
    rng: &mut fastrand::Rng,
    shape: &[usize],
    size: usize,
) -> (DynTensor, Plain<i64>) {
    let dtype = INTEGERS[rng.usize(..INTEGERS.len())];
    let size = i64::try_from(size).expect("a small size");
    let low = match dtype.kind() {
        supremum::Kind::Signed => -size,
        _ => 0,
    };
    let tensor = layout(rng, shape).tensor(dtype, |number| low + number * 7 % (size - low).max(1));
    let numbers = plain(&tensor);
    (tensor, numbers)
}

fn from_start(index: i64, size: usize) -> usize {
    let size = i64::try_from(size).expect("a small size");
    usize::try_from(if index < 0 { index + size } else { index }).expect("an index")
}

#[test]
fn takes_are_index_maps() {
    each_operand(400, 4, |rng, x, p| {
        let rank = p.shape.len();
        if rank == 0 {
            return;
        }
        let axis = rng.usize(..rank);
        let size = p.shape[axis];
        let mut index_shape = shape(rng, 3);
        if size == 0 && !index_shape.contains(&0) {
            index_shape.push(0);
        }
        let (taken, places) = random_indices(rng, &index_shape, size);
        let to = [&p.shape[..axis], &index_shape, &p.shape[axis + 1..]].concat();
        let expected = p.mapped(&to, |index| {
            let (before, rest) = index.split_at(axis);
            let (at, after) = rest.split_at(index_shape.len());
            [before, &[from_start(places.at(at), size)], after].concat()
        });
        let axis = signed(rng, axis, rank);
        moves("take", x, &expected, |x| x.try_take(&taken, axis));
    });
}

#[test]
fn takes_along_an_axis_are_index_maps() {
    each_operand(400, 4, |rng, x, p| {
        let rank = p.shape.len();
        if rank == 0 {
            return;
        }
        let axis = rng.usize(..rank);
        let size = p.shape[axis];
        let mut index_shape: Vec<usize> = p
            .shape
            .iter()
            .map(|size| match (size, rng.u8(..4)) {
                (1, 0) => 3,
                (_, 1) => 1,
                _ => *size,
            })
            .collect();
        index_shape[axis] = if size == 0 { 0 } else { rng.usize(..6) };
        let (taken, places) = random_indices(rng, &index_shape, size);
        let mut others = p.shape.clone();
        others[axis] = index_shape[axis];
        let Some(to) = broadcast(&others, &index_shape) else {
            panic!("{others:?} and {index_shape:?}")
        };
        let expected = p.mapped(&to, |index| {
            let mut from = index.to_vec();
            from[axis] = from_start(places.at(index), size);
            from
        });
        let axis = signed(rng, axis, rank);
        moves("take_along_axis", x, &expected, |x| {
            x.try_take_along_axis(&taken, axis)
        });
    });
}

#[test]
fn masks_select_in_row_major_order() {
    each_operand(400, 4, |rng, x, p| {
        let mask_shape: Vec<usize> = p
            .shape
            .iter()
            .map(|size| match rng.u8(..4) {
                0 => 1,
                _ => *size,
            })
            .collect();
        let dropped = rng.usize(..=mask_shape.len()) * usize::from(rng.u8(..3) == 0);
        let share = rng.i64(1..20);
        let mask_layout = layout(rng, &mask_shape[dropped..]);
        let mask = mask_layout.tensor(DType::Bool, |number| i64::from(number * 5 % 19 < share));
        let chosen = plain(&mask);
        let both = p.zip(&chosen, |element, is_chosen| (element, is_chosen));
        let kept = both.elements.iter().filter(|(_, chosen)| *chosen == 1);
        let kept: Vec<i64> = kept.map(|(element, _)| *element).collect();
        let expected = Plain::new(&[kept.len()], kept);
        moves("masked_select", x, &expected, |x| {
            x.try_masked_select(&mask)
        });
    });
}

/// Large enough that loops take blocks, whole rows, and several threads if there are some.
#[test]
fn large_gathers() -> Result<(), Error> {
    for (rows, columns) in [(3000, 700), (100_000, 3), (50, 40_000), (300_000, 1)] {
        let x = Tensor::<I32, Rank2>::from_fn([rows, columns], |index| {
            i32::try_from(index[0] * columns + index[1]).expect("a small number")
        });
        let order = Tensor::<I64, Rank1>::from_fn([rows], |index| {
            i64::try_from(index[0] * 7919 % rows).expect("a small number")
        });
        let row = |position: usize| position * 7919 % rows;
        let taken = x.try_take(&order, 0)?;
        let expected = (0..rows).flat_map(|at| {
            (0..columns).map(move |column| i32::try_from(row(at) * columns + column))
        });
        assert!(taken.iter().map(Ok).eq(expected), "{rows} {columns}");
        let across = x.transpose().try_take(&order, 1)?;
        assert_eq!(across, taken.transpose(), "{rows} {columns}");
        let along = x.try_take_along_axis(&order.unsqueeze(1), 0)?;
        assert_eq!(along, taken, "{rows} {columns}");
        let even = x.masked_select(&(&x & 1).equal(0));
        assert!(even.iter().eq(x.iter().filter(|number| number % 2 == 0)));
    }
    Ok(())
}

/// Checks operations that give several tensors by joining them again.
#[track_caller]
fn splits(
    what: &str,
    layout: &Layout,
    expected: &[Plain<i64>],
    operation: impl Fn(&DynTensor) -> Result<Vec<DynTensor>, Error>,
) {
    let x = layout.tensor(DType::I64, |number| number);
    let found = operation(&x).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(found.len(), expected.len(), "{what}");
    for (number, expected) in expected.iter().enumerate() {
        moves(&format!("part {number} of {what}"), layout, expected, |x| {
            operation(x).map(|mut parts| parts.swap_remove(number))
        });
    }
}

/// The positions from `start` to before `end` of an axis.
fn sliced(p: &Plain<i64>, axis: usize, start: usize, end: usize) -> Plain<i64> {
    let mut to = p.shape.clone();
    to[axis] = end - start;
    // Not `mapped`, for which axes of size one repeat.
    p.mapped(&to, |index| {
        let mut from = index.to_vec();
        from[axis] += start;
        from
    })
}

#[test]
fn parts_are_slices() {
    each_operand(120, 3, |rng, x, p| {
        let rank = p.shape.len();
        if rank == 0 {
            return;
        }
        let axis = rng.usize(..rank);
        let size = p.shape[axis];
        let at = signed(rng, axis, rank);
        let mut ends = [rng.usize(..=size), rng.usize(..=size), size];
        ends.sort_unstable();
        let sizes = [ends[0], ends[1] - ends[0], size - ends[1]];
        let expected = [(0, ends[0]), (ends[0], ends[1]), (ends[1], size)]
            .map(|(start, end)| sliced(&p, axis, start, end));
        splits("split", x, &expected, |x| x.try_split(&sizes, at));

        let count = rng.usize(1..5);
        let most = size.div_ceil(count);
        let expected: Vec<_> = if size == 0 {
            vec![p.clone(); count]
        } else {
            let starts = (0..size).step_by(most);
            starts
                .map(|start| sliced(&p, axis, start, size.min(start + most)))
                .collect()
        };
        splits("chunk", x, &expected, |x| x.try_chunk(count, at));

        let expected: Vec<_> = (0..size)
            .map(|position| {
                let shape = without(&p.shape, axis);
                Plain::new(&shape, sliced(&p, axis, position, position + 1).elements)
            })
            .collect();
        splits("unstack", x, &expected, |x| x.try_unstack(at));
    });
}

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
    assert_eq!(scalar.pad(&[], 1).item(), Ok(7));
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
    assert_eq!(deep.pad(&[[0, 1]; 8], 0).shape(), [2, 3, 2, 3, 2, 2, 4, 2]);
    assert_eq!(deep.diagonal(0, 1, 6).to_vec(), [0, 11, 3, 14]);
    Ok(())
}

#[test]
fn parts_are_views_of_the_rank_that_follows() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let first = x.as_slice().expect("contiguous").as_ptr();
    let [left, right]: [Tensor<F32, Rank2>; 2] =
        x.split(&[1, 2], -1).try_into().expect("two parts");
    assert_eq!(right.to_vec(), [2.0, 3.0, 5.0, 6.0]);
    let top: Tensor<F32, Rank2> = x.chunk(2, 0).swap_remove(0);
    assert_eq!(top.as_slice().expect("contiguous").as_ptr(), first);
    let rows: Vec<Tensor<F32, Rank1>> = x.unstack(0);
    assert_eq!(rows[0].as_slice().expect("contiguous").as_ptr(), first);
    let diagonal: Tensor<F32, Rank1> = x.diagonal(1, 0, 1);
    assert_eq!(
        (diagonal.strides(), diagonal.to_vec()),
        (&[4][..], vec![2.0, 6.0])
    );
    let lower: Tensor<F32, Rank2> = x.tril(0);
    assert_eq!(lower.to_vec(), [1.0, 0.0, 0.0, 4.0, 5.0, 0.0]);
    assert_eq!(x.triu(1).to_vec(), [0.0, 2.0, 3.0, 0.0, 0.0, 6.0]);
    assert_eq!(x.roll(1, 1).to_vec(), [3.0, 1.0, 2.0, 6.0, 4.0, 5.0]);
    assert_eq!(
        x.repeat(2, 0).to_vec(),
        [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 4.0, 5.0, 6.0]
    );
    assert_eq!(left.tile([1, 2]).to_vec(), [1.0, 1.0, 4.0, 4.0]);
    assert_eq!(
        left.pad(&[[1, 0], [0, 1]], 9.0).to_vec(),
        [9.0, 9.0, 1.0, 9.0, 4.0, 9.0]
    );
    let [rows, columns] = x.sizes();
    assert_eq!((rows, columns), (2, 3));
    assert_eq!(x.zeros_like() + x.ones_like(), x.full_like(1.0));
    // Views of operands in fused expressions.
    let scaled = fuse!(x.roll(1, 1) * x.take(&tensor![I64; 1, 0], 0) + 1.0);
    assert_eq!(scaled.to_vec(), [13.0, 6.0, 13.0, 7.0, 9.0, 16.0]);
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
        x.try_chunk(0, -1), x.chunk(0, -1) => "chunk: axis 1 of size 3 cannot be split into 0 chunks";
        x.try_chunk(1, 2), x.chunk(1, 2) => "chunk: axis 2 does not exist at rank 2";
        x.try_unstack(2), x.unstack(2) => "unstack: axis 2 does not exist at rank 2";
        x.try_roll(1, 2), x.roll(1, 2) => "roll: axis 2 does not exist at rank 2";
        x.try_repeat(1, 2), x.repeat(1, 2) => "repeat: axis 2 does not exist at rank 2";
        x.try_repeat(1 << 57, 1), x.repeat(1 << 57, 1) => "shape [2, 432345564227567616] has more elements than can be addressed";
        x.try_repeat(large, 0), x.repeat(large, 0) => "shape [18446744073709551615, 3] has more elements than can be addressed";
        x.try_tile([1]), x.tile([1]) => "tile: expected 2 counts, one for each axis, found 1";
        x.try_tile([large, 0]), x.tile([large, 0]) => "shape [18446744073709551615, 0] has more elements than can be addressed";
        x.try_pad(&[[1, 1]], 0), x.pad(&[[1, 1]], 0) => "pad: expected 2 pairs, one for each axis, found 1";
        x.try_pad(&[[large, large], [0, 0]], 0), x.pad(&[[large, large], [0, 0]], 0) => "shape [18446744073709551615, 3] has more elements than can be addressed";
        row.try_tril(0), row.tril(0) => "tril: axis -2 does not exist at rank 1";
        row.try_triu(0), row.triu(0) => "triu: axis -2 does not exist at rank 1";
        x.try_diagonal(0, 0, 2), x.diagonal(0, 0, 2) => "diagonal: axis 2 does not exist at rank 2";
        x.try_diagonal(0, -2, 0), x.diagonal(0, -2, 0) => "diagonal: axis 0 is named twice";
        Tensor::<F32>::try_linspace(0.0, f64::NAN, 2), Tensor::<F32>::linspace(0.0, f64::NAN, 2) => "linspace: no finite steps from 0 to NaN";
        Tensor::<F32>::try_linspace(-1e308, 1e308, 2), Tensor::<F32>::linspace(-1e308, 1e308, 2) => format!("linspace: no finite steps from {} to {}", -1e308, 1e308);
        Tensor::<F32>::try_linspace(0.0, 1.0, 1 << 58), Tensor::<F32>::linspace(0.0, 1.0, 1 << 58) => "shape [288230376151711744] has more elements than can be addressed";
    }
    let x = x.into_dyn();
    let text = |result: Result<DynTensor, Error>| result.expect_err("an error").to_string();
    assert_eq!(
        text(x.try_full_like(256)),
        "full_like: the literal 256 is out of range for u8"
    );
    assert_eq!(
        text(x.try_pad(&[[0, 0]; 2], -1)),
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
        of(|x| x.try_pad(&[[1, 0], [0, 2]], 0.5))?,
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

#[test]
fn indices_have_any_rank_and_the_result_the_rank_that_follows() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let row: Tensor<F32, Rank1> = x.take(&Tensor::<U8, Rank0>::scalar(2), 0);
    assert_eq!(row.to_vec(), [5.0, 6.0]);
    let rows: Tensor<F32, Rank2> = x.take(&tensor![I16; -1, 0], 0);
    assert_eq!(rows.to_vec(), [5.0, 6.0, 1.0, 2.0]);
    let stacked: Tensor<F32, Rank4> = x.take(&Tensor::<I8, Rank3>::zeros([2, 1, 2]), -1);
    assert_eq!(stacked.shape(), [3, 2, 1, 2]);
    let any: Tensor<F32, AnyRank> = x.take(&Tensor::<I8, AnyRank>::zeros([1]), 0);
    assert_eq!(any.to_vec(), [1.0, 2.0]);
    let from_any: Tensor<F32, AnyRank> = x.clone().into_any().take(&tensor![I64; 1], 0);
    assert_eq!(from_any.shape(), [1, 2]);
    // Rules of the indices do not matter.
    let other: Tensor<I64, Rank1, Numpy> = tensor![I64; 1].with_rules();
    assert_eq!(x.take(&other, 0).to_vec(), [3.0, 4.0]);
    let mask: Tensor<Bool, Rank1> = tensor![true, false];
    assert_eq!(x.masked_select(&mask).to_vec(), [1.0, 3.0, 5.0]);
    let deep: Tensor<F32, AnyRank> =
        Tensor::<F32, Rank6>::ones([1; 6]).take(&Tensor::<I64, Rank2>::zeros([1, 1]), 0);
    assert_eq!(deep.ndim(), 7);
}

fn generic<D: StaticDType, N, R: Rules>(
    x: &Tensor<D, N, R>,
    order: &Tensor<I64, Rank1>,
) -> Tensor<D, N, R>
where
    N: supremum::TakeAxis<Rank1, Output = N>,
{
    x.take(order, 0)
}

#[test]
fn generic_code_keeps_the_rank() {
    let x: Tensor<U8, Rank2> = tensor![[1, 2], [3, 4]];
    assert_eq!(generic(&x, &tensor![1, 1]).to_vec(), [3, 4, 3, 4]);
}

#[test]
fn errors_of_takes_in_full() {
    let x = Tensor::<F32>::zeros([2, 3]);
    let scalar = Tensor::<F32>::zeros([]);
    let none = Tensor::<F32>::zeros([0, 3]);
    let [low, high] = [-3, 2].map(|index| Tensor::<I64>::full([1], index));
    let huge = Tensor::<U64>::full([1], u64::MAX);
    let zero = Tensor::<U8>::zeros([1]);
    let deep = Tensor::<U8>::zeros([1; 8]);
    let square = Tensor::<I64>::zeros([2, 2]);
    let mask = Tensor::<Bool>::ones([2]);
    refused! {
        x.try_take(&zero, 2), x.take(&zero, 2) => "take: axis 2 does not exist at rank 2";
        x.try_take(&zero, -3), x.take(&zero, -3) => "take: axis -3 does not exist at rank 2";
        scalar.try_take(&zero, 0), scalar.take(&zero, 0) => "take: axis 0 does not exist at rank 0";
        x.try_take(&low, 0), x.take(&low, 0) => "take: index -3 is outside axis 0 of size 2";
        x.try_take(&high, -2), x.take(&high, -2) => "take: index 2 is outside axis 0 of size 2";
        x.try_take(&huge, 1), x.take(&huge, 1) => "take: index 9223372036854775807 is outside axis 1 of size 3";
        none.try_take(&zero, 0), none.take(&zero, 0) => "take: index 0 is outside axis 0 of size 0";
        none.try_take(&high.broadcast_to([2]), 0), none.take(&high, 0) => "take: index 2 is outside axis 0 of size 0";
        x.try_take(&deep, 0), x.take(&deep, 0) => "rank 9 is above the limit of 8";
        x.try_take(&zero.broadcast_to([1 << 57]), 0), x.take(&zero.broadcast_to([1 << 57]), 0) => "shape [144115188075855872, 3] has more elements than can be addressed";
        x.try_take_along_axis(&square, 2), x.take_along_axis(&square, 2) => "take_along_axis: axis 2 does not exist at rank 2";
        x.try_take_along_axis(&low.reshape(vec![1, 1]), 0), x.take_along_axis(&low.reshape(vec![1, 1]), 0) => "take_along_axis: index -3 is outside axis 0 of size 2";
        x.try_take_along_axis(&low, 0), x.take_along_axis(&low, 0) => "take_along_axis: shapes [2, 3] and [1] do not fit together";
        x.try_take_along_axis(&square, 0), x.take_along_axis(&square, 0) => "take_along_axis: shapes [2, 3] and [2, 2] do not fit together";
        x.try_masked_select(&mask), x.masked_select(&mask) => "masked_select: shapes [2, 3] and [2] do not fit together";
    }
    let (x, floats) = (x.into_dyn(), scalar.into_dyn());
    let text = |result: Result<DynTensor, Error>| result.expect_err("an error").to_string();
    assert_eq!(
        text(x.try_take(&floats, 0)),
        "take: indices are integers, found f32"
    );
    assert_eq!(
        text(x.try_take_along_axis(&mask.into_dyn(), 0)),
        "take_along_axis: indices are integers, found bool"
    );
    assert_eq!(
        text(x.try_masked_select(&floats)),
        "masked_select: expected bool, found f32"
    );
}

#[test]
fn dynamic_tensors_keep_weakness_and_rules() -> Result<(), Error> {
    let weak = (DynTensor::ones(DType::Bool, [2])? * 2.5).with_rules(Torch::rule_set());
    let taken = weak.try_take(&tensor![I64; 1].into_dyn(), 0)?;
    assert_eq!((taken.is_weak(), taken.rules()), (true, Torch::rule_set()));
    Ok(())
}

/// The names of a program's operations, without the dialect.
fn names<I, O>(program: &stablehlo::Program<I, O>) -> Vec<String> {
    let text = program.to_string();
    let lines = text.lines().filter(|line| line.starts_with("    %"));
    let names = lines.map(|line| line.split('"').nth(1).unwrap().replace("stablehlo.", ""));
    names.collect()
}

#[test]
fn takes_are_gathers() -> Result<(), Error> {
    let inputs = (
        stablehlo::input::<F32, _>([5, 4]),
        stablehlo::input::<I8, _>([3, 2]),
    );
    let program = stablehlo::trace(inputs, |(x, indices)| x.take(&indices, 1))?;
    assert_eq!(
        names(&program),
        [
            "convert", "constant", "compare", "constant", "add", "select", "gather"
        ]
    );
    let text = program.to_string();
    let gather = "{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], \
                  start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 5, 1>} \
                  : (tensor<5x4xf32>, tensor<3x2xi64>) -> tensor<5x3x2xf32>";
    assert!(text.contains(gather), "{text}");
    // Known indices are checked, and count from the start.
    let known = tensor![I8; -1, 0];
    let program = stablehlo::trace(stablehlo::input::<F32, _>([5, 4]), |x| x.take(&known, 0))?;
    assert_eq!(names(&program), ["constant", "gather"]);
    assert!(
        program
            .to_string()
            .contains(r#""0x04000000000000000000000000000000""#)
    );
    let outside = tensor![U8; 5];
    let error = stablehlo::trace(stablehlo::input::<F32, _>([5, 4]), |x| {
        x.try_take(&outside, 0)
    });
    assert_eq!(
        error.expect_err("an error").to_string(),
        "take: index 5 is outside axis 0 of size 5"
    );
    let inputs = (
        stablehlo::input::<F32, _>([0, 4]),
        stablehlo::input::<U8, _>([1]),
    );
    let error = stablehlo::trace(inputs, |(x, indices)| x.try_take(&indices, 0));
    assert_eq!(
        error.expect_err("an error").to_string(),
        "take: index 0 is outside axis 0 of size 0"
    );
    let inputs = (
        stablehlo::input::<F32, _>([2, 4]),
        stablehlo::input::<U8, _>([2, 1]),
    );
    let program = stablehlo::trace(inputs, |(x, indices)| x.take_along_axis(&indices, 1))?;
    assert_eq!(names(&program), ["convert", "gather"]);
    let masked = stablehlo::trace(stablehlo::input::<F32, _>([2]), |x| {
        x.masked_select(&x.gt(0.0))
    });
    assert!(matches!(
        masked,
        Err(Error::Untraceable {
            operation: "masked_select"
        })
    ));
    Ok(())
}
