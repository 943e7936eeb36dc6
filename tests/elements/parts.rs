//! Every combination of parts in slices of several axes: ranges, steps, positions, new axes and the ellipsis.

use std::ops::Bound;

use supremum::prelude::*;
use supremum::{AxisPart, AxisSlice, AxisSlices, Ellipsis, NewAxis};

use crate::{Selection, numbers};

/// A part that is chosen at run time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    All,
    Backwards,
    Tail,
    First,
    Last,
    New,
    Ellipsis,
}

const PARTS: [Part; 7] = [
    Part::All,
    Part::Backwards,
    Part::Tail,
    Part::First,
    Part::Last,
    Part::New,
    Part::Ellipsis,
];

impl AxisSlice<AnyRank, AnyRank> for Part {
    type Output = AnyRank;
    type Left = AnyRank;

    fn part(&self) -> AxisPart {
        let whole = [Bound::Unbounded; 2];
        match self {
            Self::All => AxisPart::Range(whole, 1),
            Self::Backwards => AxisPart::Range(whole, -1),
            Self::Tail => AxisPart::Range([Bound::Included(-1), Bound::Unbounded], 1),
            Self::First => AxisPart::Position(0),
            Self::Last => AxisPart::Position(-1),
            Self::New => AxisPart::New,
            Self::Ellipsis => AxisPart::Ellipsis,
        }
    }
}

impl Part {
    fn names_an_axis(self) -> bool {
        !matches!(self, Self::New | Self::Ellipsis)
    }

    /// The positions that it keeps of an axis.
    fn kept(self, size: usize) -> Vec<usize> {
        match self {
            Self::Backwards => (0..size).rev().collect(),
            Self::Tail | Self::Last => vec![size - 1],
            Self::First => vec![0],
            _ => (0..size).collect(),
        }
    }
}

/// The selection of some parts, one after the other from the left; `None` if they name too many axes.
fn selected(shape: &[usize], parts: &[Part]) -> Option<Selection> {
    let named = parts.iter().filter(|part| part.names_an_axis()).count();
    let mut left_over = shape.len().checked_sub(named)?;
    let (mut selection, mut axis, mut result) = (Selection::all(shape), 0, Vec::new());
    for part in parts {
        match part {
            Part::New => result.push(1),
            Part::Ellipsis => {
                let covered = std::mem::take(&mut left_over);
                result.extend(&selection.shape[axis..axis + covered]);
                axis += covered;
            }
            _ => {
                selection = selection.along(axis, &part.kept(selection.shape[axis]));
                if matches!(part, Part::First | Part::Last) {
                    selection = selection.without(axis);
                } else {
                    result.push(selection.shape[axis]);
                    axis += 1;
                }
            }
        }
    }
    result.extend(&selection.shape[axis..]);
    selection.shape = result;
    Some(selection)
}

/// Reads and writes a slice, typed and dynamic, and compares it with the selection of its parts.
fn check<S: AxisSlices<AnyRank, Output = AnyRank> + Copy>(
    shape: &[usize],
    parts: &[Part],
    slices: S,
) {
    let memory = numbers(shape.iter().product());
    let mut t = Tensor::<I32>::from_vec(memory.clone(), shape).expect("a shape");
    let mut dynamic = t.clone().into_dyn();
    let Some(expected) = selected(shape, parts) else {
        let rank = shape.len();
        let errors = [
            ("slice_axes", t.try_slice_axes(slices).map(drop)),
            ("slice_axes_mut", t.try_slice_axes_mut(slices).map(drop)),
            ("slice_axes", dynamic.try_slice_axes(slices).map(drop)),
            (
                "slice_axes_mut",
                dynamic.try_slice_axes_mut(slices).map(drop),
            ),
        ];
        for (operation, error) in errors {
            assert_eq!(
                error.unwrap_err().to_string(),
                format!("{operation}: axis {rank} does not exist at rank {rank}"),
                "{parts:?} of {shape:?}"
            );
        }
        return;
    };
    let sliced = t.slice_axes(slices);
    let elements = expected.read(&memory);
    assert_eq!(
        (sliced.shape(), sliced.to_vec()),
        (&expected.shape[..], elements),
        "{parts:?} of {shape:?}"
    );
    assert_eq!(dynamic.try_slice_axes(slices), Ok(sliced.into_dyn()));

    let mut written = memory;
    let values = Tensor::<I32>::from_vec(
        (100..).take(expected.positions.len()).collect(),
        &expected.shape[..],
    )
    .expect("a shape");
    for (at, value) in expected.positions.iter().zip(100..) {
        written[*at] = value;
    }
    t.slice_axes_mut(slices).assign(&values);
    assert_eq!(t.to_vec(), written, "{parts:?} of {shape:?}");
    let mut part = dynamic.try_slice_axes_mut(slices).expect("a slice");
    part.try_assign(&values.into_dyn()).expect("one shape");
    assert_eq!(dynamic, t.into_dyn());
}

#[test]
fn all_combinations_of_three_parts_are_those_of_one_axis_after_the_other() {
    for shape in [&[][..], &[3], &[2, 3], &[2, 1, 3], &[2, 3, 1, 2]] {
        for a in PARTS {
            check(shape, &[a], (a,));
            for b in PARTS {
                if [a, b] == [Part::Ellipsis; 2] {
                    continue;
                }
                check(shape, &[a, b], (a, b));
                for c in PARTS {
                    let parts = [a, b, c];
                    if parts.iter().filter(|part| **part == Part::Ellipsis).count() < 2 {
                        check(shape, &parts, (a, b, c));
                    }
                }
            }
        }
    }
}

#[test]
fn the_macro_writes_new_axes_and_ellipses_and_the_compiler_knows_the_rank() {
    let t = Tensor::<I32, Rank3>::from_vec(numbers(24), [2, 3, 4]).expect("a shape");
    let last: Tensor<I32, Rank2> = t.slice_axes(s![..., -1]);
    assert_eq!(last.to_vec(), [4, 8, 12, 16, 20, 24]);
    let row: Tensor<I32, Rank1> = t.slice_axes(s![1, ..., 0]);
    assert_eq!(row.to_vec(), [13, 17, 21]);
    let columns: Tensor<I32, Rank4> = t.slice_axes(s![NewAxis, ..., ..;2]);
    assert_eq!(columns.shape(), [1, 2, 3, 2]);
    let between: Tensor<I32, Rank4> = t.slice_axes(s![0, NewAxis, .., NewAxis]);
    assert_eq!(between.shape(), [1, 3, 1, 4]);
    let all: Tensor<I32, Rank3> = t.slice_axes(s![...]);
    assert_eq!(all, t);
    let many: Tensor<I32, Rank4> = t.slice_axes(s![.., .., .., ..., NewAxis,]);
    assert_eq!(many.shape(), [2, 3, 4, 1]);
    let element: Tensor<I32, Rank0> = t.slice_axes((1, Ellipsis, 2, 3));
    assert_eq!(element.item(), Ok(24));
    let scalar = Tensor::<I32, Rank0>::scalar(7);
    let matrix: Tensor<I32, Rank2> = scalar.slice_axes(s![NewAxis, ..., NewAxis]);
    assert_eq!((matrix.shape(), matrix.to_vec()), (&[1, 1][..], vec![7]));

    let mut t = Tensor::<I32, Rank2>::zeros([2, 3]);
    let column: Tensor<I32, Rank2> = [[5], [6]].into();
    t.slice_axes_mut(s![..., 1, NewAxis]).assign(&column);
    assert_eq!(t.to_vec(), [0, 5, 0, 0, 6, 0]);
}

/// The ranks of parts follow in generic code too.
fn heads<N: supremum::rank::RemoveAxis<Output: supremum::rank::RemoveAxis>>(
    t: &Tensor<I32, N>,
) -> Tensor<I32, N::Output> {
    t.slice_axes(s![0, ..., ..1])
}

#[test]
fn slices_of_a_generic_rank_have_its_ranks() {
    let t = Tensor::<I32, Rank3>::ones([2, 3, 4]);
    let part: Tensor<I32, Rank2> = heads(&t);
    assert_eq!(part.shape(), [3, 1]);
}

#[test]
fn errors_name_the_axis_of_the_tensor() {
    let t = Tensor::<I32>::zeros([2, 3, 4]);
    let text = |slice: Result<Tensor<I32>, Error>| slice.unwrap_err().to_string();
    assert_eq!(
        text(t.try_slice_axes(s![0, NewAxis, ..., 4])),
        "slice_axes: index 4 is outside axis 2 of size 4"
    );
    assert_eq!(
        text(t.try_slice_axes(s![..., 2..5, ..])),
        "slice_axes: 2..5 is not within axis 1 of size 3"
    );
    assert_eq!(
        text(t.try_slice_axes(s![..., ..;0])),
        "slice_axes: the step along axis 2 is zero"
    );
    assert_eq!(
        text(t.try_slice_axes(s![0, ..., 0, 0, 0])),
        "slice_axes: axis 3 does not exist at rank 3"
    );
    let full = Tensor::<I32>::zeros([1; 8]);
    assert_eq!(
        text(full.try_slice_axes(s![..., NewAxis])),
        "slice_axes: rank 9 is above the limit of 8"
    );
    // The rank in between does not count.
    let replaced = full.slice_axes((NewAxis, 0, Ellipsis));
    assert_eq!(replaced.shape(), [1; 8]);
}
