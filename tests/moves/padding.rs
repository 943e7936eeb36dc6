//! Padding with elements of the tensor, and counts of positions.

use supremum::PadMode;
use supremum::PadMode::{Edge, Reflect, Symmetric, Wrap};
use supremum::prelude::*;
use supremum::stablehlo::{self, dyn_input};

use super::{each_operand, moves, refused, signed};

/// The position that an offset from the first one has, found by walking along the axis one step at a time.
fn walked(mode: PadMode, offset: isize, size: usize) -> usize {
    let last = size - 1;
    let (mut at, mut up) = (0, offset > 0);
    for _ in 0..offset.unsigned_abs() {
        let at_end = at == if up { last } else { 0 };
        at = match (mode, at_end) {
            (Edge, true) => at,
            (Wrap, true) => last - at,
            (Reflect, true) if size == 1 => 0,
            (Symmetric, true) => {
                up = !up;
                at
            }
            (_, at_end) => {
                up ^= at_end;
                if up { at + 1 } else { at - 1 }
            }
        };
    }
    at
}

#[test]
fn padding_repeats_elements() {
    each_operand(300, 4, |rng, x, p| {
        let most = if p.shape.len() > 2 { 3 } else { 12 };
        let pairs: Vec<[usize; 2]> = p
            .shape
            .iter()
            .map(|size| match size {
                0 => [0, 0],
                _ => [rng.usize(..most), rng.usize(..most)],
            })
            .collect();
        let to: Vec<usize> = p
            .shape
            .iter()
            .zip(&pairs)
            .map(|(size, [before, after])| before + size + after)
            .collect();
        for mode in [Edge, Reflect, Symmetric, Wrap] {
            let expected = p.mapped(&to, |index| {
                let places = index.iter().zip(&pairs).zip(&p.shape);
                places
                    .map(|((at, [before, _]), size)| {
                        walked(mode, at.cast_signed() - before.cast_signed(), *size)
                    })
                    .collect()
            });
            moves("pad_with", x, &expected, |x| x.try_pad_with(&pairs, mode));
        }
    });
}

/// The answers of NumPy 2.4's `pad`, also of widths beyond the size.
#[test]
fn padding_is_that_of_numpy() {
    let x: Tensor<I32, Rank1> = tensor![1, 2, 3];
    for (mode, expected) in [
        (Edge, [1, 1, 1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 3]),
        (Reflect, [2, 1, 2, 3, 2, 1, 2, 3, 2, 1, 2, 3, 2]),
        (Symmetric, [2, 3, 3, 2, 1, 1, 2, 3, 3, 2, 1, 1, 2]),
        (Wrap, [2, 3, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2]),
    ] {
        let found = x.pad_with([[5, 5]], mode).to_vec();
        assert_eq!(found, expected, "{mode:?}");
    }
    let one: Tensor<I32, Rank1> = tensor![7];
    for mode in [Edge, Reflect, Symmetric, Wrap] {
        assert_eq!(one.pad_with([[1, 2]], mode).to_vec(), [7; 4]);
    }
}

#[test]
fn positions_are_repeated_by_their_counts() {
    each_operand(200, 4, |rng, x, p| {
        let rank = p.shape.len();
        if rank == 0 {
            return;
        }
        let axis = rng.usize(..rank);
        let counts: Vec<usize> = (0..p.shape[axis]).map(|_| rng.usize(..4)).collect();
        let sources: Vec<usize> = counts
            .iter()
            .enumerate()
            .flat_map(|(at, count)| vec![at; *count])
            .collect();
        let mut to = p.shape.clone();
        to[axis] = sources.len();
        let expected = p.mapped(&to, |index| {
            let mut from = index.to_vec();
            from[axis] = sources[index[axis]];
            from
        });
        let at = signed(rng, axis, rank);
        moves("repeat_each", x, &expected, |x| {
            x.try_repeat_each(&counts, at)
        });
    });
}

#[test]
fn wrong_paddings_and_counts_are_errors() {
    let x = Tensor::<I32>::ones([2, 3]);
    let none = Tensor::<I32>::ones([2, 0]);
    let large = usize::MAX;
    refused! {
        x.try_pad_with([[1, 1]], Edge), x.pad_with([[1, 1]], Edge) => "pad_with: expected 2 pairs, one for each axis, found 1";
        x.try_pad_with([[large, large], [0, 0]], Wrap), x.pad_with([[large, large], [0, 0]], Wrap) => "pad_with: shape [18446744073709551615, 3] has more elements than can be addressed";
        none.try_pad_with([[1, 1], [0, 1]], Reflect), none.pad_with([[1, 1], [0, 1]], Reflect) => "pad_with: axis 1 has size 0, so there are no elements to repeat";
        x.try_repeat_each([1, 2], 1), x.repeat_each([1, 2], 1) => "repeat_each: axis 1 of the tensor has size 3, axis 0 of the counts has size 2 (shapes [2, 3] and [2])";
        x.try_repeat_each([1, 2], 2), x.repeat_each([1, 2], 2) => "repeat_each: axis 2 does not exist at rank 2";
        x.try_repeat_each([large, large], 0), x.repeat_each([large, large], 0) => "repeat_each: shape [18446744073709551615, 3] has more elements than can be addressed";
    }
    // Other axes may be padded where one has no elements.
    assert_eq!(none.pad_with([[1, 2], [0, 0]], Symmetric).shape(), [5, 0]);
    assert_eq!(none.repeat_each([0; 0], 1).shape(), [2, 0]);
    // A result without elements takes no memory, however long its axes are.
    let (columns, long) = (Tensor::<I32>::ones([0, 3]), 1 << 50);
    assert_eq!(
        columns.pad_with([[0, 0], [long, long]], Wrap).shape(),
        [0, 2 * long + 3]
    );
    assert_eq!(
        columns.repeat_each([long, 0, long], 1).shape(),
        [0, 2 * long]
    );
    let program = stablehlo::trace(vec![dyn_input(DType::F32, &[0])], |x| {
        x[0].try_pad_with([[1, 0]], Edge)
    });
    assert_eq!(
        program.err().map(|error| error.to_string()),
        Some("pad_with: axis 0 has size 0, so there are no elements to repeat".to_owned())
    );
}
