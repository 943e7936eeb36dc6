//! Takes, gathers and masks.

use supremum::prelude::*;
use supremum::stablehlo;

use super::{each_operand, layout, moves, names, plain, refused, shape, signed, tensor_of};
use crate::naive::{INTEGERS, Plain, broadcast};

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

#[test]
fn masks_of_an_axis_keep_its_positions() {
    each_operand(200, 4, |rng, x, p| {
        let rank = p.shape.len();
        if rank == 0 {
            return;
        }
        let axis = rng.usize(..rank);
        let share = rng.i64(0..20);
        let mask_layout = layout(rng, &[p.shape[axis]]);
        let mask = mask_layout.tensor(DType::Bool, |number| i64::from(number * 5 % 19 < share));
        let chosen = plain(&mask).elements;
        let places: Vec<usize> = (0..chosen.len()).filter(|at| chosen[*at] == 1).collect();
        let mut to = p.shape.clone();
        to[axis] = places.len();
        let expected = p.mapped(&to, |index| {
            let mut from = index.to_vec();
            from[axis] = places[index[axis]];
            from
        });
        let axis = signed(rng, axis, rank);
        moves("compress", x, &expected, |x| x.try_compress(&mask, axis));
    });
}

/// Beside a loop over all indices, for each layout and dtype; positions have the dtype that the rules give them.
#[test]
fn positions_of_elements_that_are_not_zero() {
    each_operand(200, 4, |_, _, p| {
        let zero = |number: &i64| *number % 3 == 0;
        let layout = Plain::new(
            &p.shape,
            p.elements.iter().map(|x| i64::from(!zero(x))).collect(),
        );
        for dtype in [
            DType::Bool,
            DType::U8,
            DType::F8E4M3FN,
            DType::F64,
            DType::C64,
        ] {
            let x = tensor_of(&layout, dtype);
            let flat: Vec<i64> = (0_i64..)
                .zip(&layout.elements)
                .filter(|(_, x)| **x != 0)
                .map(|(at, _)| at)
                .collect();
            let found = x.try_flatnonzero().expect("positions");
            assert_eq!(plain(&found).elements, flat);
            let rows = x.try_argwhere().expect("indices");
            assert_eq!(
                (rows.shape(), rows.dtype()),
                (&[flat.len(), p.shape.len()][..], DType::I64)
            );
            let expected: Vec<i64> = flat
                .iter()
                .flat_map(|at| {
                    let mut left = usize::try_from(*at).expect("a position");
                    let mut index: Vec<i64> = p
                        .shape
                        .iter()
                        .rev()
                        .map(|size| {
                            let position = left % size;
                            left /= size;
                            i64::try_from(position).expect("a position")
                        })
                        .collect();
                    index.reverse();
                    index
                })
                .collect();
            assert_eq!(plain(&rows).elements, expected);
            match x.try_nonzero() {
                Ok(axes) => {
                    for (axis, found) in axes.iter().enumerate() {
                        assert!(*found == rows.try_index_axis(1, axis).expect("a column"));
                    }
                }
                Err(error) => {
                    assert!(p.shape.is_empty());
                    assert_eq!(
                        error.to_string(),
                        "nonzero: at least 1 axis expected, found rank 0 (shape [])"
                    );
                }
            }
        }
    });
}

#[test]
fn zeros_and_positions_are_those_of_numpy() {
    let x: Tensor<F32, Rank1> = tensor![-0.0, f32::NAN, 0.0, -1.0];
    assert_eq!(x.flatnonzero().to_vec(), [1, 3]); // np.flatnonzero([-0.0, np.nan, 0.0, -1.0])
    let one = Tensor::<F32, Rank0>::scalar(2.0);
    assert_eq!(one.argwhere().shape(), [1, 0]); // np.argwhere(np.array(2.0)).shape
    assert_eq!(one.zeros_like().argwhere().shape(), [0, 0]);
    assert_eq!(one.flatnonzero().to_vec(), [0]);
    let none = Tensor::<F32, Rank2>::zeros([0, 3]);
    assert_eq!(
        (none.argwhere().shape(), none.nonzero().len()),
        (&[0, 2][..], 2)
    );
    let narrow: Tensor<F32, Rank1, JaxX32> = tensor![0.0, 1.0];
    let found: Tensor<I32, Rank1, JaxX32> = narrow.flatnonzero(); // of `jax.numpy` without 64 bits
    assert_eq!(found.to_vec(), [1]);
    assert_eq!(narrow.into_dyn().flatnonzero().dtype(), DType::I32);
    // Words of eight bytes, of which single ones are true, and a rest.
    let marks = Tensor::<Bool, Rank1>::from_fn([1003], |[at]| at % 17 == 5 || at > 1000);
    let expected: Vec<i64> = (0..1003).filter(|at| at % 17 == 5 || *at > 1000).collect();
    assert_eq!(marks.flatnonzero().to_vec(), expected);
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
        x.try_take(&high, -2), x.take(&high, -2) => "take: index 2 is outside axis -2 of size 2";
        x.try_take(&huge, 1), x.take(&huge, 1) => "take: index 18446744073709551615 is outside axis 1 of size 3";
        none.try_take(&zero, 0), none.take(&zero, 0) => "take: index 0 is outside axis 0 of size 0";
        none.try_take(&high.broadcast_to([2]), 0), none.take(&high, 0) => "take: index 2 is outside axis 0 of size 0";
        x.try_take(&deep, 0), x.take(&deep, 0) => "take: rank 9 is above the limit of 8";
        x.try_take(&zero.broadcast_to([1 << 57]), 0), x.take(&zero.broadcast_to([1 << 57]), 0) => "take: shape [144115188075855872, 3] has more elements than can be addressed";
        x.try_take_along_axis(&square, 2), x.take_along_axis(&square, 2) => "take_along_axis: axis 2 does not exist at rank 2";
        x.try_take_along_axis(&low.reshape(vec![1, 1]), 0), x.take_along_axis(&low.reshape(vec![1, 1]), 0) => "take_along_axis: index -3 is outside axis 0 of size 2";
        x.try_take_along_axis(&low, 0), x.take_along_axis(&low, 0) => "take_along_axis: shapes [2, 3] and [1] do not fit together; the ranks are 2 and 1";
        x.try_take_along_axis(&square, 0), x.take_along_axis(&square, 0) => "take_along_axis: axis 1 of the tensor has size 3, axis 1 of the indices has size 2 (shapes [2, 3] and [2, 2])";
        x.try_masked_select(&mask), x.masked_select(&mask) => "masked_select: shapes [2, 3] and [2] do not fit together; axis -1 has sizes 3 and 2";
        x.try_compress(&mask, 1), x.compress(&mask, 1) => "compress: axis 1 of the tensor has size 3, axis 0 of the mask has size 2 (shapes [2, 3] and [2])";
        x.try_compress(&mask, 2), x.compress(&mask, 2) => "compress: axis 2 does not exist at rank 2";
        scalar.try_compress(&mask, 0), scalar.compress(&mask, 0) => "compress: axis 0 does not exist at rank 0";
        x.try_compress(&x.gt(0), 0), x.compress(&x.gt(0), 0) => "compress: rank 1 expected, found shape [2, 3]";
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
    assert_eq!(
        text(x.try_compress(&floats.unsqueeze(0), 0)),
        "compress: expected bool, found f32"
    );
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
