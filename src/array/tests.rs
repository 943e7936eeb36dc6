use super::*;
use crate::error::Error;

fn counted(shape: &[usize]) -> Array {
    Array::from_positions(shape, |position| i32::try_from(position).unwrap()).unwrap()
}

fn values(array: &Array) -> Vec<i32> {
    array.to_vec()
}

#[test]
fn views_reach_the_right_elements() {
    let a = counted(&[2, 3]);
    assert_eq!(values(&a.permute(&[1, 0]).unwrap()), [0, 3, 1, 4, 2, 5]);
    assert_eq!(values(&a.flip(1).unwrap()), [2, 1, 0, 5, 4, 3]);
    assert_eq!(values(&a.slice(1, 0, 3, 2).unwrap()), [0, 2, 3, 5]);
    assert_eq!(values(&a.slice(1, 2, 0, -1).unwrap()), [2, 1, 5, 4]);
    assert!(values(&a.slice(1, 3, 3, 1).unwrap()).is_empty());
    assert_eq!(values(&a.index_axis(0, 1).unwrap()), [3, 4, 5]);
    assert_eq!(values(&a.index_axis(1, 1).unwrap()), [1, 4]);
    let row = a.index_axis(0, 1).unwrap();
    assert_eq!(
        values(&row.broadcast_to(&[2, 3]).unwrap()),
        [3, 4, 5, 3, 4, 5]
    );
    assert_eq!(a.unsqueeze(1).unwrap().shape(), [2, 1, 3]);
    assert_eq!(a.unsqueeze(2).unwrap().squeeze(2).unwrap().shape(), [2, 3]);
    assert_eq!(a.get::<i32>(&[1, 2]), Some(5));
    assert_eq!(a.get::<i32>(&[1, 3]), None);
    assert_eq!(a.get::<u32>(&[1, 2]), None);
}

#[test]
fn reshape_copies_only_if_it_must() {
    let a = counted(&[4, 6]);
    let shares = |view: &Array| view.buffer.as_ptr() == a.buffer.as_ptr();
    let flipped = a.flip(0).unwrap();
    let split = flipped.reshape(&[2, 2, 3, 2]).unwrap();
    assert!(shares(&split));
    assert_eq!(values(&split), values(&flipped));
    let flat = flipped.reshape(&[24]).unwrap();
    assert!(!shares(&flat));
    assert_eq!(values(&flat), values(&flipped));
    let turned = a.permute(&[1, 0]).unwrap();
    let split = turned.reshape(&[2, 3, 1, 4]).unwrap();
    assert!(shares(&split));
    assert_eq!(values(&split), values(&turned));
    assert_eq!(values(&turned.reshape(&[8, 3]).unwrap()), values(&turned));
    let scalar = counted(&[1, 1]).reshape(&[]).unwrap();
    assert_eq!(scalar.rank(), 0);
    assert_eq!(counted(&[0, 3]).reshape(&[5, 0]).unwrap().shape(), [5, 0]);
    assert!(matches!(a.reshape(&[5]), Err(Error::Reshape { .. })));
}

#[test]
fn writing_copies_what_is_shared() {
    let mut a = counted(&[3]);
    let b = a.clone();
    a.as_mut_slice::<i32>().unwrap()[0] = 7;
    assert_eq!((values(&a), values(&b)), (vec![7, 1, 2], vec![0, 1, 2]));
    let mut flipped = a.flip(0).unwrap();
    drop(a);
    flipped.as_mut_slice::<i32>().unwrap()[0] = 9;
    assert_eq!(values(&flipped), [9, 1, 7]);
}

#[test]
fn what_cannot_be_is_an_error() {
    let a = counted(&[2, 3]);
    assert!(matches!(
        a.permute(&[0, 0]),
        Err(Error::NotAPermutation { .. })
    ));
    assert!(matches!(
        a.index_axis(2, 0),
        Err(Error::AxisOutOfRange { .. })
    ));
    assert!(matches!(
        a.index_axis(1, 3),
        Err(Error::IndexOutOfRange { .. })
    ));
    assert!(matches!(
        a.slice(1, 0, 4, 1),
        Err(Error::IndexOutOfRange { .. })
    ));
    assert!(matches!(a.slice(1, 0, 2, 0), Err(Error::ZeroStep { .. })));
    assert!(matches!(
        a.broadcast_to(&[3]),
        Err(Error::ShapeMismatch { .. })
    ));
    assert!(matches!(
        a.broadcast_to(&[1, 2, 1]),
        Err(Error::ShapeMismatch { .. })
    ));
    assert!(matches!(
        a.broadcast_to(&[usize::MAX, 2, 3]),
        Err(Error::ShapeTooLarge { .. })
    ));
    assert!(matches!(a.squeeze(0), Err(Error::AxisSize { .. })));
    assert!(matches!(
        Array::from_elements(&[1_u8], &[2]),
        Err(Error::LengthMismatch { .. })
    ));
    assert!(matches!(
        Array::from_elements(&[1_u8], &[1; 9]),
        Err(Error::RankTooLarge { .. })
    ));
    let bytes = Array::from_bytes(DType::Bool, &[2], &[1, 2]);
    assert!(matches!(
        bytes,
        Err(Error::NotABool {
            byte: 2,
            position: 1
        })
    ));
}

#[test]
fn empty_arrays_have_empty_views() {
    let a = counted(&[0, 3]);
    assert!(values(&a.index_axis(1, 2).unwrap()).is_empty());
    assert!(values(&a.flip(0).unwrap()).is_empty());
    assert!(values(&a.flip(1).unwrap().slice(1, 2, -1, -2).unwrap()).is_empty());
    assert!(
        values(
            &a.broadcast_to(&[4, 0, 3])
                .unwrap()
                .permute(&[2, 0, 1])
                .unwrap()
        )
        .is_empty()
    );
}

#[test]
fn a_function_gets_the_axes_in_the_order_of_memory() {
    let a = counted(&[2, 3, 4]);
    for order in [[0, 1, 2], [2, 0, 1], [2, 1, 0], [1, 0, 2]] {
        let turned = a.permute(&order).unwrap().flip(1).unwrap();
        let mapped = turned.map_in_memory_order(|x| {
            assert_eq!(x.shape(), [2, 3, 4]);
            Ok(x.clone())
        });
        let mapped = mapped.unwrap();
        assert_eq!(mapped.shape(), turned.shape());
        assert_eq!(values(&mapped), values(&turned));
    }
}

#[test]
fn axes_along_which_elements_repeat_come_first() {
    let repeated = counted(&[3, 4]).broadcast_to(&[5, 3, 4]).unwrap();
    let turned = repeated.permute(&[2, 0, 1]).unwrap();
    let mapped = turned.map_in_memory_order(|x| {
        assert_eq!(x.shape(), [5, 3, 4]);
        Ok(x.clone())
    });
    assert_eq!(values(&mapped.unwrap()), values(&turned));
}
