//! Axes and positions by any integer type. The rank of a result is known beside a literal, whose type is not known yet.

use supremum::{
    DType, DynTensor, Error, F32, Rank0, Rank1, Rank2, Rank3, Tensor, try_concat, try_stack,
};

/// `[2, 3, 4]`, counting from zero.
fn counting() -> Tensor<F32, Rank3> {
    Tensor::from_fn([2, 3, 4], |index| {
        (index[0] * 12 + index[1] * 4 + index[2]) as f32
    })
}

#[test]
fn every_integer_type_names_an_axis() {
    let t = counting();
    let middle: Tensor<F32, Rank2> = t.sum_axis(1);
    assert_eq!(middle, t.sum_axis(1_usize));
    assert_eq!(middle, t.sum_axis(1_i32));
    assert_eq!(middle, t.sum_axis(-2_i64));
    assert_eq!(middle, t.sum_axis(-2_isize));
    for axis in 0..t.ndim() {
        let signed = axis.cast_signed() - 3;
        assert_eq!(t.max_axis(axis), t.max_axis(signed));
        assert_eq!(t.mean_keepdims(axis), t.mean_keepdims(signed));
        assert_eq!(t.softmax(axis), t.softmax(signed));
        assert_eq!(t.argmax_axis(axis), t.argmax_axis(signed));
        assert_eq!(t.cumsum(axis), t.cumsum(signed));
        assert_eq!(t.sort(axis).flip(axis), t.sort(signed).flip(signed));
        let dynamic = t.clone().into_dyn();
        assert_eq!(dynamic.sum_axis(axis), dynamic.sum_axis(signed));
        assert_eq!(dynamic.softmax(axis), dynamic.softmax(signed));
    }
}

#[test]
fn several_axes_are_of_any_integer_type() {
    let t = counting();
    let rows: Tensor<F32, Rank1> = t.sum_axis([0, -1]);
    let [first, last] = [0_usize, 2];
    assert_eq!(rows, t.sum_axis([first, last]));
    for of_any_rank in [
        t.sum_axis(&[first, last]),
        t.sum_axis(&[first, last][..]),
        t.sum_axis(&vec![0_i64, -1]),
        t.sum_axis(&vec![0_isize, -1]),
    ] {
        assert_eq!(of_any_rank, rows.clone().into_any());
    }
    let total: Tensor<F32, Rank0> = t.sum_axis(..);
    assert_eq!(total, t.sum());
    let none: Tensor<F32, Rank3> = t.sum_axis([]);
    assert_eq!(none, t);
    let (many, repeated) = ([0_usize; 20], [1_i32, 1]);
    assert!(matches!(
        t.try_sum_axis(&many[..]),
        Err(Error::RepeatedAxis { .. })
    ));
    assert!(matches!(
        t.try_sum_axis(repeated),
        Err(Error::RepeatedAxis { .. })
    ));
    assert_eq!(
        t.tensordot(&t, [1_usize, 2], [-2, -1]),
        t.tensordot(&t, [1, 2], [1, 2])
    );
}

#[test]
fn an_axis_that_no_tensor_has_is_an_error() {
    let t = counting();
    for error in [
        t.try_sum_axis(3_usize).err(),
        t.try_sum_axis(usize::MAX).err(),
        t.try_sum_axis(-4).err(),
        t.try_softmax(i64::MIN).err(),
        t.try_flip(usize::MAX).err(),
        try_concat(&[&t], 3_usize).err(),
        try_stack(&[&t], -5_i64).err(),
        DynTensor::ones(DType::U8, [2])
            .and_then(|x| x.try_sum_axis(1_usize))
            .err(),
    ] {
        assert!(
            matches!(error, Some(Error::AxisOutOfRange { .. })),
            "{error:?}"
        );
    }
}

#[test]
fn positions_along_an_axis_count_from_the_end() {
    let mut t = counting();
    assert_eq!(t.index_axis(0, -1), t.index_axis(0, 1_usize));
    assert_eq!(t.index_axis(2, -4_i64), t.index_axis(2, 0));
    let dynamic = t.clone().into_dyn();
    assert_eq!(
        dynamic.index_axis(-1, -1),
        dynamic.index_axis(2_usize, 3_usize)
    );
    t.index_axis_mut(1, -1).fill(0.0);
    assert_eq!(t.index_axis(1, 2).sum().item(), Ok(0.0));
    for (position, text) in [
        (-3_isize, "index_axis: index -3 is outside axis 0 of size 2"),
        (2, "index_axis: index 2 is outside axis 0 of size 2"),
    ] {
        let error = t.try_index_axis(0, position).expect_err("two positions");
        assert_eq!(error.to_string(), text);
        let error = dynamic
            .try_index_axis(0, position)
            .expect_err("two positions");
        assert_eq!(error.to_string(), text);
    }
    assert!(matches!(
        t.try_index_axis(0, usize::MAX),
        Err(Error::IndexOutOfRange { .. })
    ));
}
