//! Indices, iteration, conversions from vectors, functions of the user, and constructors.

use supremum::prelude::*;

use crate::{Matrix, each_view, indices, text};

#[test]
fn iteration_is_in_row_major_order_over_any_layout() {
    each_view(400, |rng, view, elements| {
        let mut by_next = Vec::new();
        for element in &view {
            by_next.push(element);
        }
        assert_eq!(by_next, elements);
        assert_eq!(
            view.iter().fold(vec![], |all, x| [all, vec![x]].concat()),
            elements
        );
        let taken = rng.usize(..=elements.len());
        let mut rest = view.iter();
        assert_eq!(
            rest.by_ref().take(taken).collect::<Vec<_>>(),
            elements[..taken]
        );
        assert_eq!(rest.len(), elements.len() - taken);
        assert_eq!(
            rest.clone().sum::<i32>(),
            elements[taken..].iter().sum::<i32>()
        );
        assert_eq!(rest.collect::<Vec<_>>(), elements[taken..]);
        assert!(view.iter().rev().eq(elements.iter().rev().copied()));
        // From both ends, in any order, and the rest at once.
        let (mut both, mut left) = (view.iter(), &elements[..]);
        for _ in 0..rng.usize(..=elements.len()) {
            let (found, expected) = match rng.bool() {
                true => (both.next(), left.split_off_first()),
                false => (both.next_back(), left.split_off_last()),
            };
            assert_eq!((found, both.len()), (expected.copied(), left.len()));
        }
        assert_eq!(
            both.clone()
                .fold(1, |folded: i32, x| folded.wrapping_mul(3) ^ x),
            left.iter()
                .fold(1, |folded: i32, x| folded.wrapping_mul(3) ^ x)
        );
        assert!(both.eq(left.iter().copied()));
        let by_index: Vec<_> = indices(view.shape())
            .iter()
            .map(|index| view[&index[..]])
            .collect();
        assert_eq!(by_index, elements);
        assert_eq!(
            view.map(|x| f64::from(x) / 2.0).to_vec(),
            elements
                .iter()
                .map(|x| f64::from(*x) / 2.0)
                .collect::<Vec<_>>()
        );
        assert_eq!(view.into_iter().collect::<Vec<_>>(), elements);
    });
}

#[test]
fn rows_and_axes_are_views_in_order() {
    each_view(200, |rng, view, elements| {
        if view.ndim() == 0 {
            assert!(matches!(
                view.try_rows().map(drop),
                Err(Error::TooFewAxes { least: 1, .. })
            ));
            return;
        }
        let last = view.shape()[view.ndim() - 1];
        let rows = view.rows();
        assert_eq!(rows.len() * last, elements.len().max(rows.len() * last));
        for (at, row) in rows.enumerate() {
            assert_eq!(row.to_vec(), elements[at * last..(at + 1) * last]);
        }
        let axis = rng.usize(..view.ndim());
        let parts: Vec<_> = view.axis_iter(axis.cast_signed()).collect();
        assert_eq!(parts.len(), view.shape()[axis]);
        let mut backwards: Vec<_> = view.axis_iter(axis.cast_signed()).rev().collect();
        backwards.reverse();
        assert_eq!(backwards, parts);
        for (at, part) in parts.iter().enumerate() {
            assert_eq!(
                part.to_vec(),
                view.index_axis(axis.cast_signed(), at).to_vec()
            );
        }
    });
}

#[test]
fn vectors_arrays_and_iterators_become_tensors() {
    let vector: Tensor<F32, Rank1> = vec![1.5, 2.5].into();
    assert_eq!(vector.to_vec(), [1.5, 2.5]);
    let any = Tensor::<Bool>::from(vec![true, false]);
    assert_eq!(any.shape(), [2]);
    assert_eq!(Tensor::<I64, Rank1>::from([1, 2, 3]).shape(), [3]);
    assert_eq!(Tensor::<I64, Rank1>::from(&[1, 2, 3][..]).shape(), [3]);
    let matrix = Matrix::from([[1, 2, 3], [4, 5, 6]]);
    assert_eq!((matrix.shape(), matrix[[1, 0]]), (&[2, 3][..], 4));
    let cube = Tensor::<U8, Rank3>::from([[[1], [2]], [[3], [4]]]);
    assert_eq!((cube.shape(), cube[[1, 0, 0]]), (&[2, 2, 1][..], 3));
    assert_eq!(Tensor::<F32, Rank2>::from([[0.0; 0]; 3]).shape(), [3, 0]);
    let collected: Tensor<F16, Rank1> = (0..3_u8).map(f16::from).collect();
    assert_eq!(collected.cast::<I8>().to_vec(), [0, 1, 2]);
    let none: Tensor<I8> = core::iter::empty().collect();
    assert_eq!(none.shape(), [0]);
}

#[test]
fn elements_are_read_and_written_by_index() {
    let mut t = Matrix::from([[1, 2, 3], [4, 5, 6]]);
    let (before, turned) = (t.clone(), t.transpose());
    t[[0, 2]] = 30;
    t[[1, 1]] *= 10;
    t.set(&[1, 0], 40);
    assert_eq!(t.to_vec(), [1, 2, 30, 40, 50, 6]);
    assert_eq!(
        (before.to_vec(), turned[[2, 1]]),
        (vec![1, 2, 3, 4, 5, 6], 6)
    );
    let mut any = turned.into_any();
    any[[2, 1]] = 60;
    assert_eq!((any[[2, 1]], any[[2, 0]], before[[1, 2]]), (60, 3, 6));
    let mut repeated = Tensor::<I32, Rank1>::from([7]).broadcast_to([3]);
    repeated[1] = 8;
    assert_eq!(repeated.to_vec(), [7, 8, 7]);
    let mut scalar = Tensor::<F32, Rank0>::scalar(1.0);
    scalar[[]] += 1.0;
    assert_eq!(scalar.item(), Ok(2.0));
}

#[test]
fn indices_outside_the_shape_are_errors() {
    let mut t = Matrix::from([[1, 2, 3], [4, 5, 6]]);
    let error = "index: index 3 is outside axis 1 of size 3";
    assert_eq!(text(|| _ = t[[1, 3]]), error);
    assert_eq!(text(|| t[[1, 3]] = 0), error);
    assert_eq!(
        text(|| t.set(&[2, 5], 0)),
        "set: index 2 is outside axis 0 of size 2"
    );
    assert_eq!(
        t.try_get(&[usize::MAX, 0]).unwrap_err().to_string(),
        format!("get: index {} is outside axis 0 of size 2", usize::MAX)
    );
    let any = t.clone().into_any();
    assert_eq!(
        text(|| _ = any[[1]]),
        "index: expected 2 positions, found 1"
    );
    assert_eq!(
        t.try_set(&[0, 0, 0], 1).unwrap_err().to_string(),
        "set: expected 2 positions, found 3"
    );
    let mut dynamic = t.clone().into_dyn();
    assert_eq!(
        dynamic.try_get(&[2, 0]).unwrap_err().to_string(),
        "get: index 2 is outside axis 0 of size 2"
    );
    assert_eq!(
        dynamic.try_set(&[2, 0], 1).unwrap_err().to_string(),
        "set: index 2 is outside axis 0 of size 2"
    );
    assert_eq!(
        dynamic.try_set(&[0, 0], 1.5).unwrap_err().to_string(),
        "set: the literal 1.5 is out of range for i32"
    );
    assert_eq!(t.to_vec(), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn elements_of_two_tensors_are_visited_together() {
    each_view(200, |rng, view, elements| {
        let mut target = view.map(|x| -x);
        let before = target.clone();
        target.zip_mut_with(&view, |x, y| *x = 2 * *x + y);
        assert_eq!(
            target.to_vec(),
            elements.iter().map(|x| -x).collect::<Vec<_>>()
        );
        assert_eq!(before.to_vec(), target.to_vec());
        if view.ndim() > 0 {
            let axis = rng.usize(..view.ndim());
            let one = view
                .ones_like()
                .sum_keepdims(axis.cast_signed())
                .map(|_| 1_u8);
            target.zip_mut_with(&one, |x, y| *x += i32::from(y));
            assert_eq!(target, &view * -1 + 1);
        }
    });
    let mut t = Matrix::zeros([2, 2]);
    let wrong = Tensor::<U8, Rank1>::zeros([3]);
    let error = t
        .try_zip_mut_with(&wrong, |_, _| unreachable!())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "zip_mut_with: shapes [2, 2] and [3] do not fit together; axis -1 has sizes 2 and 3"
    );
}

#[test]
fn constructors_that_depend_on_sizes_have_fallible_forms() -> Result<(), Error> {
    assert_eq!(Matrix::try_zeros([2, 3])?, Matrix::zeros([2, 3]));
    assert_eq!(Matrix::try_ones([2, 3])?, Matrix::ones([2, 3]));
    assert_eq!(Matrix::try_eye(2)?.try_to_vec()?, [1, 0, 0, 1]);
    let counted = Matrix::try_from_fn([2, 2], |at| {
        i32::try_from(2 * at[0] + at[1]).expect("small")
    })?;
    assert_eq!(counted.to_vec(), [0, 1, 2, 3]);
    let mut shared = counted.clone();
    shared.try_as_mut_slice()?[3] = 7;
    assert_eq!((counted[[1, 1]], shared[[1, 1]]), (3, 7));
    let wide = [usize::MAX, 2];
    let long = vec![1; 3];
    assert!(matches!(
        Matrix::try_zeros(wide),
        Err(Error::ShapeTooLarge { .. })
    ));
    assert!(matches!(
        Matrix::try_ones(&long),
        Err(Error::RankMismatch { expected: 2, .. })
    ));
    assert!(matches!(
        Matrix::try_from_fn(wide, |_| unreachable!()),
        Err(Error::ShapeTooLarge { .. })
    ));
    assert!(matches!(
        Matrix::try_eye(usize::MAX),
        Err(Error::ShapeTooLarge { .. })
    ));
    assert_eq!(
        text(|| _ = Matrix::zeros(wide)),
        Matrix::try_zeros(wide).unwrap_err().to_string()
    );
    assert_eq!(
        text(|| _ = Matrix::eye(usize::MAX)),
        Matrix::try_eye(usize::MAX).unwrap_err().to_string()
    );
    Ok(())
}

#[test]
fn positions_are_of_four_integer_types_and_count_from_the_end() {
    let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let (row, column): (i64, isize) = (-2, -1);
    assert_eq!((t[[-1, 0]], t[[row, 1]], t[[0, column]]), (4, 2, 3));
    let any = t.clone().into_any();
    assert_eq!((any[[-1, -1]], any[&[1, 0][..]]), (6, 4));

    let mut v: Tensor<I32, Rank1> = tensor![7, 9, 8];
    let greatest = v.argmax().item().expect("one element");
    assert_eq!((v[greatest], v[-1], v[2_i32]), (9, 8, 8));
    v[-3] = 1;
    let mut view = v.view_mut();
    view[-2] += 1;
    assert_eq!((view[[-1]], v.to_vec()), (8, vec![1, 10, 8]));
}

#[test]
#[should_panic(expected = "index: index -4 is outside axis 1 of size 3")]
fn a_negative_position_below_the_first_is_named() {
    let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let _ = t[[1, -4]];
}
