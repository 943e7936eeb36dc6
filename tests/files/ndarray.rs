//! Arrays of `ndarray` and tensors, both ways.

use supremum::NdarrayRank;
use supremum::ndarray::{ArcArray, Array, ArrayD, ArrayView, Axis, Ix2, IxDyn, array, s};
use supremum::prelude::*;

/// `0, 1, ..`, again from 0 after 16, up to which every dtype has the integers.
fn counted<D: StaticDType>(shape: &[usize]) -> Tensor<D> {
    let count = shape.iter().product::<usize>();
    let numbers: Vec<i64> = (0..count)
        .map(|number| i64::try_from(number % 17).unwrap())
        .collect();
    Tensor::<I64>::from_vec(numbers, shape).unwrap().cast()
}

/// That a view has the tensor's elements where they are, and that they make the same tensor again.
fn same<D: StaticDType, N: NdarrayRank>(t: &Tensor<D, N>) {
    let view: ArrayView<'_, D::Element, N::Dim> = t.view_ndarray();
    assert_eq!(view.shape(), t.shape());
    assert!(view.iter().copied().eq(t.iter()), "{:?}", t.strides());
    match t.as_slice() {
        Some(elements) => assert!(t.is_empty() || view.as_ptr() == elements.as_ptr()),
        None => assert_eq!(view.strides(), t.strides()),
    }
    let copied: Array<D::Element, N::Dim> = t.into();
    assert!(copied.iter().copied().eq(t.iter()) && copied.is_standard_layout());
    let back = Tensor::<D, N>::from_ndarray(copied).unwrap();
    assert!(back.shape() == t.shape() && back.iter().eq(t.iter()));
}

fn views<D: StaticDType>() {
    let t = counted::<D>(&[3, 4, 5]);
    same(&t);
    same(&t.transpose());
    same(&t.flip(0).flip(2));
    same(&t.slice_step(1, .., -2));
    same(&t.slice_step(2, .., 2).permute([2, 0, 1]));
    same(&t.index_axis(0, 1).unsqueeze(0).flip(0));
    same(&t.unsqueeze(0).broadcast_to([2, 3, 4, 5]));
    same(&t.slice(1, 2..2));
    same(&counted::<D>(&[]));
    same(&counted::<D>(&[0, 3]));
    same(&counted::<D>(&[1, 1, 1, 1, 1, 1, 1, 2]));
    same(&counted::<D>(&[2, 3]).rank::<Rank2>().unwrap().transpose());
    same(&counted::<D>(&[]).rank::<Rank0>().unwrap());
}

#[test]
fn views_of_every_dtype_are_where_the_elements_are() {
    macro_rules! each {
        ([$($dtype:ident)*]) => { $(views::<$dtype>();)* };
    }
    supremum::__private::with_markers! { each }
}

#[test]
fn owned_arrays_are_kept_with_their_strides() -> Result<(), Error> {
    let whole = Array::from_iter(0_u16..24)
        .into_shape_with_order((4, 6))
        .expect("24 elements");
    let mut turned = whole.clone().reversed_axes();
    turned.invert_axis(Axis(1));
    let cases = [
        whole.clone(),
        turned,
        whole.clone().slice_move(s![1..3, ..;2]),
        whole.clone().slice_move(s![..;-1, 1..5;-2]),
        whole.clone().slice_move(s![3..4, ..]),
        whole.clone().slice_move(s![2..2, ..]),
        Array::zeros((0, 5)),
    ];
    for array in cases {
        let (expected, place) = (array.clone(), array.as_ptr());
        let t: Tensor<U16, Rank2> = array.try_into()?;
        assert_eq!(t.view_ndarray(), expected);
        if !expected.is_empty() {
            assert_eq!(t.view_ndarray().as_ptr(), place, "it was copied");
        }
        // Results are right, and the array's memory is not written.
        let before = t.clone();
        assert_eq!((t + 1).view_ndarray(), expected.mapv(|n| n + 1));
        assert_eq!(before.view_ndarray(), expected);
    }
    Ok(())
}

#[test]
fn shared_arrays_are_shared_until_somebody_writes() -> Result<(), Error> {
    let mut shared: ArcArray<f32, Ix2> = array![[1.0, 2.0], [3.0, 4.0]].into_shared();
    let mut t: Tensor<F32, Rank2> = Tensor::from_arc_array(shared.clone())?;
    assert_eq!(t.view_ndarray().as_ptr(), shared.as_ptr());
    t.as_mut_slice()[0] = 9.0;
    assert_eq!(shared[[0, 0]], 1.0);
    let t: Tensor<F32, Rank2> = shared.clone().try_into()?;
    shared[[0, 0]] = 7.0;
    assert_eq!(t.to_vec(), [1.0, 2.0, 3.0, 4.0]);
    let mut reversed = shared.reversed_axes();
    reversed.invert_axis(Axis(0));
    let t: Tensor<F32, Rank2> = Tensor::from_arc_array(reversed.clone())?;
    assert_eq!(t.view_ndarray(), reversed);
    assert_eq!(t.view_ndarray().as_ptr(), reversed.as_ptr());
    // With others between them they are copied.
    let row = reversed.slice_move(s![..1, ..]);
    let t: Tensor<F32, Rank2> = Tensor::from_arc_array(row.clone())?;
    assert_eq!(t.view_ndarray(), row);
    assert_ne!(t.view_ndarray().as_ptr(), row.as_ptr());
    Ok(())
}

#[test]
fn borrowed_views_are_copied() -> Result<(), Error> {
    let array = array![[1_i64, 2, 3], [4, 5, 6]];
    for view in [array.view(), array.slice(s![..;-1, 1..])] {
        let t: Tensor<I64, Rank2> = view.try_into()?;
        assert_eq!(t.view_ndarray(), view);
        assert!(t.as_slice().is_some());
    }
    let wide = array.broadcast((2, 2, 3)).unwrap();
    let t: Tensor<I64, Rank3> = wide.try_into()?;
    assert_eq!(t.view_ndarray(), wide);
    Ok(())
}

#[test]
fn the_memory_is_freed_with_the_last_tensor() -> Result<(), Error> {
    let shared = Array::<u8, _>::zeros(1000).into_shared();
    let t: Tensor<U8, Rank1> = Tensor::from_arc_array(shared.clone())?;
    let view = t.slice(0, 10..20);
    drop(t);
    let mut shared = shared;
    let place = shared.as_ptr();
    assert!(shared.get_mut(0).is_some());
    assert_ne!(
        shared.as_ptr(),
        place,
        "a tensor has it still, so that it was copied"
    );
    let place = shared.as_ptr();
    let t: Tensor<U8, Rank1> = Tensor::from_arc_array(shared.clone())?;
    drop((t, view));
    assert!(shared.get_mut(0).is_some());
    assert_eq!(shared.as_ptr(), place, "nobody else has it");
    Ok(())
}

#[test]
fn what_cannot_be_a_tensor_is_an_error() {
    let refused = |error: Result<Tensor<U8>, Error>| error.unwrap_err();
    let nine = || ArrayD::<u8>::zeros(IxDyn(&[1; 9]));
    let too_large = |operation| Error::RankTooLarge {
        operation,
        rank: 9,
        limit: 8,
    };
    assert_eq!(
        refused(Tensor::from_ndarray(nine())),
        too_large("from_ndarray")
    );
    assert_eq!(
        refused(Tensor::from_arc_array(nine().into_shared())),
        too_large("from_arc_array")
    );
    assert_eq!(refused(nine().view().try_into()), too_large("from_ndarray"));
    // No elements, but one axis beyond what can be addressed.
    let long = || ArrayD::<u8>::zeros(IxDyn(&[0, 1 << 60]));
    let too_large = |error| matches!(error, Error::ShapeTooLarge { .. });
    assert!(too_large(refused(Tensor::from_ndarray(long()))));
    assert!(too_large(refused(Tensor::from_arc_array(
        long().into_shared()
    ))));
    assert!(too_large(refused(long().view().try_into())));
    let one = [1_u8];
    let wide = ArrayView::from(&one);
    assert!(too_large(refused(
        wide.broadcast(IxDyn(&[1 << 60])).unwrap().try_into()
    )));
}

/// Rank and element are found from the array.
#[test]
fn generic_code_converts() {
    fn there_and_back<D, N>(
        array: Array<D::Element, N::Dim>,
    ) -> Result<Array<D::Element, N::Dim>, Error>
    where
        D: StaticDType,
        N: NdarrayRank,
    {
        let t: Tensor<D, N> = Tensor::from_ndarray(array)?;
        Ok(t.view_ndarray().to_owned())
    }
    assert_eq!(
        there_and_back::<I8, Rank1>(array![1_i8, 2]),
        Ok(array![1_i8, 2])
    );
}
