//! Examples of bounds, ranks, strides, and tensors without elements.

use supremum::{
    AnyRank, Error, F16, F32, I32, I64, Rank0, Rank1, Rank2, Rank3, Rank6, Tensor, U8, concat,
    stack, tensor,
};

use crate::Any;

#[test]
fn bounds_of_ranges() {
    use core::ops::Bound;
    let t: Tensor<I32, Rank1> = tensor![0, 1, 2, 3, 4];
    assert_eq!(t.slice(0, 1..=3).to_vec(), [1, 2, 3]);
    assert_eq!(
        t.slice(0, (Bound::Excluded(1), Bound::Unbounded)).to_vec(),
        [2, 3, 4]
    );
    assert_eq!(t.slice(0, 5..).to_vec(), [0_i32; 0]);
    assert_eq!(t.slice(0, 2..2).to_vec(), [0_i32; 0]);
    assert_eq!(t.slice_step(0, .., isize::MAX).to_vec(), [0]);
    assert_eq!(t.slice_step(0, .., isize::MIN).to_vec(), [4]);
    assert_eq!(t.slice_step(0, 1..4, -2).to_vec(), [3, 1]);
    assert_eq!(t.slice_step(0, 0..0, -1).to_vec(), [0_i32; 0]);
    assert!(
        t.try_slice(0, (Bound::Excluded(usize::MAX), Bound::Unbounded))
            .is_err()
    );
    #[expect(clippy::reversed_empty_ranges, reason = "that is the error")]
    let backwards = t.try_slice(0, 3..2);
    assert!(matches!(backwards, Err(Error::SliceOutOfRange { .. })));
    let none = Tensor::<I32, Rank1>::zeros([0]);
    assert_eq!(
        none.flip(0).slice(0, ..).slice_step(0, .., -5).to_vec(),
        [0_i32; 0]
    );
}

#[test]
fn ranks_in_types() {
    let cube = Tensor::<F32, Rank3>::zeros([2, 3, 4]);
    let matrix: Tensor<F32, Rank2> = cube.index_axis(-1, 0);
    let scalar: Tensor<F32, Rank0> = matrix.index_axis(0, 1).index_axis(0, 2);
    assert_eq!(scalar.shape(), [0_usize; 0]);
    let six: Tensor<F32, Rank6> = cube.unsqueeze(0).unsqueeze(0).unsqueeze(-1);
    assert_eq!(six.shape(), [1, 1, 2, 3, 4, 1]);
    let seven: Tensor<F32, AnyRank> = six.unsqueeze(3);
    assert_eq!(seven.shape(), [1, 1, 2, 1, 3, 4, 1]);
    let sum: Tensor<F32, Rank3> = &cube + &matrix.unsqueeze(-1);
    assert_eq!(sum.shape(), [2, 3, 4]);
    let forgotten: Tensor<F32> = &cube + &matrix.clone().into_any().unsqueeze(-1);
    assert_eq!(forgotten.shape(), [2, 3, 4]);
    let flat: Tensor<F32, Rank1> = cube.flatten();
    assert_eq!(flat.shape(), [24]);
    let from: Tensor<F32> = matrix.into();
    assert_eq!(from.rank::<Rank2>().expect("a matrix").shape(), [2, 3]);
}

#[test]
fn views_share_and_copies_do_not() {
    let t = Any::zeros([4, 6]);
    assert_eq!(t.strides(), [6, 1]);
    assert_eq!(t.transpose().strides(), [1, 6]);
    assert_eq!(t.flip(0).strides(), [-6, 1]);
    assert_eq!(t.slice_step(1, .., 2).strides(), [6, 2]);
    assert_eq!(t.index_axis(0, 0).broadcast_to([3, 6]).strides(), [0, 1]);
    // Rows of a slice can be split, but not joined.
    assert_eq!(t.slice(1, ..4).reshape([4, 2, 2]).strides(), [6, 2, 1]);
    assert_eq!(t.slice(1, ..4).reshape([16]).strides(), [1]);
    assert_eq!(t.flip(0).flip(1).reshape([24]).strides(), [-1]);
    assert!(t.transpose().as_slice().is_none());
    assert!(t.slice(0, 1..).as_slice().is_some());
}

/// A shape without elements, everywhere.
#[test]
fn no_elements_anywhere() {
    for shape in [vec![0], vec![0, 3], vec![2, 0], vec![2, 0, 3], vec![0, 0]] {
        let t = Tensor::<F32>::zeros(shape.as_slice());
        let rank = shape.len();
        assert_eq!((&t + 1.0).shape(), shape);
        assert_eq!((&t / &t).shape(), shape);
        assert_eq!((-&t).sqrt().shape(), shape);
        assert_eq!(t.lt(&t).shape(), shape);
        assert_eq!(t.transpose().transpose().shape(), shape);
        assert_eq!(t.flatten().shape(), [0]);
        assert_eq!(
            t.cast::<U8>()
                .try_cast::<F16>()
                .expect("nothing to lose")
                .shape(),
            shape
        );
        assert_eq!(t.sum().item(), Ok(0.0));
        assert_eq!(t.cumsum(0).shape(), shape);
        assert_eq!(concat(&[&t, &t], 0).shape()[0], 2 * shape[0]);
        assert_eq!(stack(&[&t, &t], -1).shape()[rank], 2);
        assert_eq!(t, t.clone());
        assert!(t.approx_eq(&t, 0.0, 0.0));
        assert_eq!(t.iter().count(), 0);
        assert!(t.item().is_err());
        assert_eq!(t.get(&vec![0; rank]), None);
        assert_eq!(supremum::select(&t.lt(0.0), &t, 1.0).shape(), shape);
        let mut written = t.clone();
        assert!(written.as_mut_slice().is_empty());
    }
    let nothing = Tensor::<I64>::zeros([3, 0]);
    let row: Tensor<I64> = tensor![[5], [6], [7]];
    assert_eq!((&nothing % &row).shape(), [3, 0]);
    assert_eq!((&row + &nothing).shape(), [3, 0]);
    assert!(nothing.try_add(&Tensor::<I64>::zeros([2])).is_err());
}

#[test]
fn literals_have_as_many_axes_as_tensors_can() {
    let t: Tensor<F32> = tensor![[[[[[[[1.0, 2.0]]]]]]]];
    assert_eq!(t.shape(), [1, 1, 1, 1, 1, 1, 1, 2]);
}

/// One size may be left to the number of elements; nothing else may be negative.
#[test]
fn one_size_follows_from_the_others() -> Result<(), Error> {
    let t = Tensor::<I32, Rank1>::arange(0.0, 12.0, 1.0);
    let rows: Tensor<I32, Rank2> = t.reshape([3, -1]);
    assert_eq!(rows.shape(), [3, 4]);
    assert_eq!(t.reshape([-1]).shape(), [12]);
    assert_eq!(t.reshape(vec![2_isize, -1, 3]).shape(), [2, 2, 3]);
    assert_eq!(t.reshape(&[-1_i64, 6][..]).shape(), [2, 6]);
    assert_eq!(t.clone().into_dyn().try_reshape([-1, 2])?.shape(), [6, 2]);
    let none = Tensor::<I32, Rank1>::zeros([0]);
    assert_eq!(none.reshape([5, -1]).shape(), [5, 0]);
    for (refused, shape) in [
        (t.try_reshape([5, -1]), [5, -1]),
        (t.try_reshape([-1, -1]), [-1, -1]),
        (t.try_reshape([-2, -6]), [-2, -6]),
        (t.try_reshape([0, -1]), [0, -1]),
        (none.try_reshape([0, -1]), [0, -1]), // any size would do
    ] {
        let text = refused.expect_err("no such shape").to_string();
        assert!(
            text.contains(&format!("do not fill the shape {shape:?}")),
            "{text}"
        );
        let is_said = text.ends_with("; only one size may be left out, as `-1`");
        assert_eq!(is_said, shape == [-1, -1], "{text}");
    }
    assert!(t.try_reshape([isize::MAX, isize::MAX]).is_err());
    assert!(t.try_reshape([usize::MAX]).is_err());
    assert!(t.try_reshape(vec![1; 9]).is_err());
    Ok(())
}

/// Negative bounds count from the end, and stay within the axis.
#[allow(
    clippy::reversed_empty_ranges,
    reason = "negative ends count from the end of the axis"
)]
#[test]
fn slices_count_from_the_end() -> Result<(), Error> {
    let t = Tensor::<I32, Rank1>::arange(0.0, 5.0, 1.0);
    assert_eq!(t.slice(0, ..-1).to_vec(), [0, 1, 2, 3]);
    assert_eq!(t.slice(0, -2..).to_vec(), [3, 4]);
    assert_eq!(t.slice(0, -4..-1).to_vec(), [1, 2, 3]);
    assert_eq!(t.slice(0, 1..=-1).to_vec(), [1, 2, 3, 4]);
    assert_eq!(t.slice(0, ..=-2).to_vec(), [0, 1, 2, 3]);
    assert_eq!(t.slice_step(0, ..-1, -2).to_vec(), [3, 1]);
    assert_eq!(t.slice(0, -5..0).to_vec(), [0; 0]);
    assert_eq!(t.clone().into_dyn().try_slice(0, 1..-1)?.shape(), [3]);
    let message = |refused: Result<Tensor<I32, Rank1>, Error>| {
        let refused = refused.expect_err("outside the axis");
        refused.to_string()
    };
    assert_eq!(
        message(t.try_slice(0, -6..)),
        "slice: -6.. is not within axis 0 of size 5"
    );
    assert_eq!(
        message(t.try_slice(0, 4..-2)),
        "slice: 4..-2 is not within axis 0 of size 5"
    );
    assert_eq!(
        message(t.try_slice(0, ..6)),
        "slice: ..6 is not within axis 0 of size 5"
    );
    assert!(t.try_slice(0, ..=usize::MAX).is_err() && t.try_slice(0, i64::MIN..).is_err());
    Ok(())
}
