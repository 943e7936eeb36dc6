//! Every error of a shape: its text, and that the panicking form has it.

use supremum::{Error, F32, I32, Rank1, Rank2, Rank3, Tensor, U8, try_concat, try_stack};

use crate::Any;
use crate::panics::refused;

#[test]
fn errors_of_shapes_in_full() {
    let t = Any::zeros([2, 3]);
    let empty = Any::zeros([0, 3]);
    let deep = Any::zeros([1; 8]);
    let flat = Any::zeros([3]);
    refused! {
        t.try_reshape([4, 2]), t.reshape([4, 2]) => "reshape: the elements of [2, 3] do not fill the shape [4, 2]";
        t.try_reshape([usize::MAX, 2]), t.reshape([usize::MAX, 2]) => "reshape: the elements of [2, 3] do not fill the shape [9223372036854775807, 2]; the size that is left out is `-1`, and beside a `usize` in a tuple: `(n, -1)`";
        t.try_reshape(vec![1; 9]), t.reshape(vec![1; 9]) => "reshape: rank 9 is above the limit of 8";
        t.try_permute([0, 0]), t.permute([0, 0]) => "permute: [0, 0] is not an order of the axes of rank 2";
        t.try_permute([0]), t.permute([0]) => "permute: [0] is not an order of the axes of rank 2";
        t.try_permute([0, 2]), t.permute([0, 2]) => "permute: [0, 2] is not an order of the axes of rank 2";
        t.try_permute([0, -2]), t.permute([0, -2]) => "permute: [0, -2] is not an order of the axes of rank 2";
        t.try_permute([0, -3]), t.permute([0, -3]) => "permute: [0, -3] is not an order of the axes of rank 2";
        t.try_permute([0, usize::MAX]), t.permute([0, usize::MAX]) => "permute: [0, 9223372036854775807] is not an order of the axes of rank 2";
        t.try_permute([0, 1, 1]), t.permute([0, 1, 1]) => "permute: [0, 1, 1] is not an order of the axes of rank 2";
        t.try_slice(2, ..), t.slice(2, ..) => "slice: axis 2 does not exist at rank 2";
        t.try_slice(-3, ..), t.slice(-3, ..) => "slice: axis -3 does not exist at rank 2";
        t.try_slice(0, ..3), t.slice(0, ..3) => "slice: ..3 is not within axis 0 of size 2";
        t.try_slice(-1, 4..), t.slice(-1, 4..) => "slice: 4.. is not within axis -1 of size 3";
        t.try_slice(1, 2..=usize::MAX), t.slice(1, 2..=usize::MAX) => "slice: 2..=18446744073709551615 is not within axis 1 of size 3";
        t.try_slice_step(0, .., 0), t.slice_step(0, .., 0) => "slice_step: the step along axis 0 is zero";
        t.try_index_axis(1, 3), t.index_axis(1, 3) => "index_axis: index 3 is outside axis 1 of size 3";
        t.try_index_axis(isize::MIN, 0), t.index_axis(isize::MIN, 0) => "index_axis: axis -9223372036854775808 does not exist at rank 2";
        empty.try_index_axis(0, 0), empty.index_axis(0, 0) => "index_axis: index 0 is outside axis 0 of size 0";
        t.try_broadcast_to([2, 2]), t.broadcast_to([2, 2]) => "broadcast_to: shapes [2, 3] and [2, 2] do not fit together; axis 1 has sizes 3 and 2";
        t.try_broadcast_to([3]), t.broadcast_to([3]) => "broadcast_to: shapes [2, 3] and [3] do not fit together; the ranks are 2 and 1";
        t.try_broadcast_to([1 << 62, 2, 3]), t.broadcast_to([1 << 62, 2, 3]) => "broadcast_to: shape [4611686018427387904, 2, 3] has more elements than can be addressed";
        t.try_squeeze(0), t.squeeze(0) => "squeeze: axis 0 has size 2, expected 1";
        t.try_squeeze(5), t.squeeze(5) => "squeeze: axis 5 does not exist at rank 2";
        t.try_unsqueeze(4), t.unsqueeze(4) => "unsqueeze: axis 4 does not exist at rank 3";
        deep.try_unsqueeze(0), deep.unsqueeze(0) => "unsqueeze: rank 9 is above the limit of 8";
        t.try_flip(2), t.flip(2) => "flip: axis 2 does not exist at rank 2";
        t.try_swap_axes(0, 2), t.swap_axes(0, 2) => "swap_axes: axis 2 does not exist at rank 2";
        t.try_move_axis(2, 0), t.move_axis(2, 0) => "move_axis: axis 2 does not exist at rank 2";
        t.try_move_axis(0, -3), t.move_axis(0, -3) => "move_axis: axis -3 does not exist at rank 2";
        flat.try_matrix_transpose(), flat.matrix_transpose() => "matrix_transpose: at least 2 axes expected, found rank 1 (shape [3])";
        Any::try_full([1 << 61], 0), Any::full([1 << 61], 0) => "full: shape [2305843009213693952] has more elements than can be addressed";
        Any::try_full([0, usize::MAX, 2], 0), Any::full([0, usize::MAX, 2], 0) => "full: shape [0, 18446744073709551615, 2] has more elements than can be addressed";
        Any::try_full(vec![1; 9], 0), Any::full(vec![1; 9], 0) => "full: rank 9 is above the limit of 8";
    }
    let errors = [
        Any::from_vec(vec![1, 2, 3], [2, 2]).map(|_| ()),
        Any::from_vec(vec![], []).map(|_| ()),
        try_concat(&Vec::<Tensor<I32>>::new(), 0).map(|_| ()),
        try_concat(&[&t, &Any::zeros([2, 2])], 0).map(|_| ()),
        try_concat(&[&t, &t], 2).map(|_| ()),
        try_concat(&[&Any::zeros([]), &Any::zeros([])], 0).map(|_| ()),
        try_concat(&[&t, &Any::zeros([3])], 0).map(|_| ()),
        try_stack(&Vec::<Tensor<I32>>::new(), 0).map(|_| ()),
        try_stack(&[&t, &empty], 0).map(|_| ()),
        try_stack(&[&t], 3).map(|_| ()),
        try_stack(&[&deep], 0).map(|_| ()),
        t.rank::<Rank3>().map(|_| ()),
        t.item().map(|_| ()),
    ];
    let texts: Vec<String> = errors
        .iter()
        .map(|e| e.clone().expect_err("an error").to_string())
        .collect();
    assert_eq!(
        texts,
        [
            "from_vec: expected 4 elements, found 3",
            "from_vec: expected 1 element, found 0",
            "concat: no tensors",
            "concat: axis 1 of tensor 0 has size 3, axis 1 of tensor 1 has size 2 (shapes [2, 3] and [2, 2])",
            "concat: axis 2 does not exist at rank 2",
            "concat: axis 0 does not exist at rank 0",
            "concat: shapes [2, 3] and [3] do not fit together; the ranks are 2 and 1",
            "stack: no tensors",
            "stack: axis 0 of tensor 0 has size 2, axis 0 of tensor 1 has size 0 (shapes [2, 3] and [0, 3])",
            "stack: axis 3 does not exist at rank 3",
            "stack: rank 9 is above the limit of 8",
            "rank: rank 3 expected, found shape [2, 3]",
            "item: one element expected, found shape [2, 3]",
        ]
    );
}

#[test]
fn shapes_beyond_memory_are_errors() {
    let found = Tensor::<U8, Rank1>::try_full([1 << 57], 0);
    assert!(matches!(found, Err(Error::OutOfMemory { .. })), "{found:?}");
    let found = Tensor::<F32, Rank2>::try_full([1 << 28, 1 << 28], 1.5);
    assert!(matches!(found, Err(Error::OutOfMemory { .. })));
}
