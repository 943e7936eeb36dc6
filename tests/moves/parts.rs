//! Splits into parts, and their joins.

use supremum::prelude::*;

use super::{Layout, each_operand, moves, signed, without};
use crate::naive::Plain;

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
    assert_eq!(x.flip([-1, 0]).to_vec(), [6.0, 5.0, 4.0, 3.0, 2.0, 1.0]);
    assert_eq!(x.flip(..), x.flip([0, 1]));
    assert_eq!(x.flip([0; 0]), x);
    assert_eq!(
        x.try_flip([1, -1]),
        Err(Error::RepeatedAxis {
            operation: "flip",
            axis: 1,
            given: [1, -1],
        })
    );
    assert_eq!(
        x.repeat(2, 0).to_vec(),
        [1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 4.0, 5.0, 6.0]
    );
    assert_eq!(left.tile([1, 2]).to_vec(), [1.0, 1.0, 4.0, 4.0]);
    assert_eq!(
        left.pad([[1, 0], [0, 1]], 9.0).to_vec(),
        [9.0, 9.0, 1.0, 9.0, 4.0, 9.0]
    );
    let [rows, columns] = x.sizes();
    assert_eq!((rows, columns), (2, 3));
    assert_eq!(x.zeros_like() + x.ones_like(), x.full_like(1.0));
    // Views of operands in fused expressions.
    let scaled = fuse!(x.roll(1, 1) * x.take(&tensor![I64; 1, 0], 0) + 1.0);
    assert_eq!(scaled.to_vec(), [13.0, 6.0, 13.0, 7.0, 9.0, 16.0]);
}

/// Shifts, offsets, steps and turns are integers of any type, in typed and in dynamic code, and so are those of views for writing.
#[test]
fn shifts_offsets_and_steps_are_integers_of_any_type() {
    macro_rules! of_each {
        ($($integer:ty)*) => {$({
            let x: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6], [7, 8, 9]];
            let row: Tensor<I32, Rank1> = x.index_axis(0, 0);
            let (d, dynamic_row) = (x.clone().into_dyn(), row.clone().into_dyn());
            let (one, two): ($integer, $integer) = (1, 2);
            let typed = [
                x.roll(one, 1), x.tril(one), x.triu(one), x.rot90(one, 0, 1), x.slice_step(0, .., two),
                x.slice_axes(s![..;two, ..]), row.diag(one), row.diag_embed(one),
            ];
            let dynamic = [
                d.roll(one, 1), d.tril(one), d.triu(one), d.rot90(one, 0, 1), d.slice_step(0, .., two),
                d.slice_axes(s![..;two, ..]), dynamic_row.diag(one), dynamic_row.diag_embed(one),
            ];
            let by_isize = [
                x.roll(1, 1), x.tril(1), x.triu(1), x.rot90(1, 0, 1), x.slice_step(0, .., 2), x.slice_axes(s![..;2, ..]),
                row.diag(1), row.diag_embed(1),
            ];
            for ((typed, dynamic), expected) in typed.into_iter().zip(dynamic).zip(by_isize) {
                assert_eq!(typed, expected);
                assert_eq!(dynamic, expected.into_dyn());
            }
            assert_eq!((x.trace(one).item(), d.trace(one).to_vec::<I64>()), (Ok(8), Ok(vec![8])));
            assert_eq!(x.diagonal(one, 0, 1).to_vec(), [2, 6]);
            assert_eq!(d.diagonal(one, 0, 1).to_vec::<I32>(), Ok(vec![2, 6]));
            let mut changed = x.clone();
            changed.slice_step_mut(1, .., two).fill(0);
            changed.diagonal_mut(one, 0, 1).fill(-1);
            assert_eq!(changed.to_vec(), [0, -1, 0, 0, 5, -1, 0, 8, 0]);
        })*};
    }
    of_each!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);
}

/// Shifts and turns beyond the range of `isize` count as they are.
#[test]
fn a_shift_of_64_bits_is_exact() {
    let x: Tensor<I32, Rank2> = tensor![[1, 2, 3]];
    assert_eq!(u64::MAX % 3, 0); // the greatest `isize` has the remainder 1
    assert_eq!(x.roll(u64::MAX, 1), x);
    assert_eq!(x.roll(u64::MAX - 1, 1), x.roll(2, 1));
    assert_eq!(x.roll(i64::MIN, 1), x.roll(1, 1)); // -2^63 = 1 modulo 3
    assert_eq!(x.rot90(u64::MAX - 1, 0, 1), x.rot90(2, 0, 1));
    assert_eq!(x.slice_step(1, .., u64::MAX).to_vec(), [1]);
    assert_eq!(x.tril(u64::MAX), x);
}

/// Lists of tensors in each form join as references do.
#[test]
fn lists_of_tensors_join_in_every_form() -> Result<(), Error> {
    let a: Tensor<I32, Rank1> = tensor![1, 2];
    let list = vec![a.clone(), &a + 2];
    let references: Vec<_> = list.iter().collect();
    let expected = stack(&[&list[0], &list[1]], 0);
    assert_eq!(expected.to_vec(), [1, 2, 3, 4]);
    assert_eq!(stack(&list, 0), expected);
    assert_eq!(stack(&list[..], 0), expected);
    assert_eq!(stack(&references, 0), expected);
    assert_eq!(stack(&references[..], 0), expected);
    assert_eq!(stack([a.clone(), &a + 2], 0), expected);
    assert_eq!(stack([&list[0], &list[1]], 0), expected);
    assert_eq!(stack((&list[0], &list[1]), 0), expected);
    assert_eq!(stack(references, 0), expected);
    assert_eq!(stack(list.clone(), 0), expected);
    assert_eq!(concat(&list, 0), expected.flatten());
    assert_eq!(concat((&a, &a, &a), 0).shape(), [6]);

    let dynamic: Vec<DynTensor> = list.into_iter().map(Tensor::into_dyn).collect();
    let (expected, flat) = (expected.into_dyn(), concat(&dynamic, 0));
    assert_eq!(flat, expected.flatten());
    assert_eq!(stack(&dynamic, 0), expected);
    assert_eq!(stack([&dynamic[0], &dynamic[1]], 0), expected);
    assert_eq!(try_stack(&dynamic, 0)?, expected);
    assert_eq!(try_concat(&dynamic[..], 0)?, flat);
    assert_eq!(dynamic[0].concat(&dynamic[1], 0), flat);
    assert_eq!(dynamic[0].try_concat(&dynamic[1], 0)?, flat);
    let none: Vec<Tensor<I32, Rank1>> = Vec::new();
    assert!(matches!(
        try_stack(&none, 0),
        Err(Error::NoTensors { operation: "stack" })
    ));
    Ok(())
}
