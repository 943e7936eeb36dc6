//! Positions outside an axis, ranges that are not within one, and orders of the axes that are not permutations.

use supremum::prelude::*;

use crate::{Faults, SHAPES, refused, refused_alone, tensor};

/// The names in an error of a position outside an axis.
fn outside(index: impl std::fmt::Display, axis: usize, size: usize) -> [String; 3] {
    [
        format!("index {index}"),
        format!("axis {axis}"),
        format!("size {size}"),
    ]
}

#[test]
pub(crate) fn positions_outside_an_axis_are_named() {
    let mut faults = Faults::default();
    for shape in SHAPES.into_iter().filter(|shape| !shape.is_empty()) {
        let mut typed = tensor(shape);
        let mut dynamic = typed.clone().into_dyn();
        for (axis, size) in shape.iter().copied().enumerate() {
            let signed = axis.cast_signed();
            for index in [size, size + 1, isize::MAX.unsigned_abs(), usize::MAX] {
                let mention = &outside(index, axis, size);
                refused!(faults, mention, [typed, dynamic]; try_index_axis index_axis(signed, index));
                refused!(faults, mention, [typed, dynamic]; try_index_axis_mut index_axis_mut(signed, index));
            }
            for index in [
                size.cast_signed(),
                isize::MAX,
                -size.cast_signed() - 1,
                isize::MIN,
            ] {
                let mention = &outside(index, axis, size);
                macro_rules! slices {
                    ($($slices:expr),*) => {{$(
                        refused!(faults, mention, [typed, dynamic]; try_slice_axes slice_axes($slices));
                        refused!(faults, mention, [typed, dynamic]; try_slice_axes_mut slice_axes_mut($slices));
                    )*}};
                }
                match axis {
                    0 => slices!(s![index], s![NewAxis, index]),
                    1 => slices!(s![.., index], s![..;-1, NewAxis, index]),
                    _ => slices!(s![.., .., index], s![..., index]),
                }
            }
        }
    }
}

#[test]
pub(crate) fn elements_outside_the_shape_are_named() {
    let mut faults = Faults::default();
    for shape in [&[3_usize][..], &[2, 3], &[0, 3]] {
        let mut typed = tensor(shape);
        let mut dynamic = typed.clone().into_dyn();
        for (axis, size) in shape.iter().copied().enumerate() {
            if shape[..axis].contains(&0) {
                continue; // the axis before it is named
            }
            for index in [size, isize::MAX.unsigned_abs(), usize::MAX] {
                let mut position = vec![0; shape.len()];
                position[axis] = index;
                let mention = &outside(index, axis, size);
                refused_alone!(faults, "get", mention, typed; try_get(&position));
                refused_alone!(faults, "get", mention, dynamic; try_get(&position));
                refused!(faults, mention, [typed, dynamic]; try_set set(&position, 1.0));
                assert_eq!((typed.get(&position), dynamic.get(&position)), (None, None));
                let call = format!("{position:?} of {shape:?}");
                let text = crate::panic_text(&mut || _ = typed[&position[..]]);
                if !mention.iter().all(|part| text.contains(part)) || !text.starts_with("index: ") {
                    faults.note(&call, mention, &text);
                }
            }
        }
        // Another number of positions than axes.
        for position in [vec![0; shape.len() + 1], vec![0; shape.len() - 1]] {
            let mention = &[position.len().to_string(), shape.len().to_string()];
            refused_alone!(faults, "get", mention, typed; try_get(&position));
            refused_alone!(faults, "get", mention, dynamic; try_get(&position));
            refused!(faults, mention, [typed, dynamic]; try_set set(&position, 1.0));
        }
    }
    let scalar = Tensor::<F32, Rank0>::scalar(1.0);
    assert_eq!((scalar.try_get(&[]), scalar[[]]), (Ok(1.0), 1.0));
}

#[test]
pub(crate) fn ranges_that_are_not_within_an_axis_are_named() {
    let mut faults = Faults::default();
    for shape in SHAPES.into_iter().filter(|shape| !shape.is_empty()) {
        let mut typed = tensor(shape);
        let mut dynamic = typed.clone().into_dyn();
        for (axis, size) in shape.iter().copied().enumerate() {
            let (signed, last) = (axis.cast_signed(), size.cast_signed());
            let ends = [
                (0, last + 1),
                (last + 1, last + 1),
                (-last - 1, last),
                (0, isize::MAX),
                (isize::MIN, isize::MAX),
                (isize::MIN, isize::MIN),
                (isize::MAX, isize::MIN),
            ];
            for (start, end) in ends {
                let range = format!("{start}..{end}");
                let mention = &[range, format!("axis {axis}"), format!("size {size}")];
                let bounds = start..end;
                refused!(faults, mention, [typed, dynamic]; try_slice slice(signed, bounds.clone()));
                refused!(faults, mention, [typed, dynamic]; try_slice_mut slice_mut(signed, bounds.clone()));
                for step in [1, -1, isize::MAX, isize::MIN] {
                    refused!(faults, mention, [typed, dynamic];
                        try_slice_step slice_step(signed, bounds.clone(), step));
                    refused!(faults, mention, [typed, dynamic];
                        try_slice_step_mut slice_step_mut(signed, bounds.clone(), step));
                }
            }
            let mention = &[format!("axis {axis}")];
            refused!(faults, mention, [typed, dynamic]; try_slice_step slice_step(signed, .., 0));
            refused!(faults, mention, [typed, dynamic]; try_slice_step_mut slice_step_mut(signed, .., 0));
            for step in [isize::MAX, isize::MIN, isize::MIN + 1] {
                faults.accepted("slice_step", || typed.try_slice_step(signed, .., step));
                faults.accepted("slice_step", || dynamic.try_slice_step(signed, .., step));
                faults.accepted("slice_step_mut", || {
                    typed.try_slice_step_mut(signed, .., step).map(drop)
                });
                faults.accepted("..=", || {
                    typed.try_slice(signed, ..=-1).map(drop).or(match size {
                        0 => Ok(()),
                        _ => Err(Error::NoTensors {
                            operation: "a range",
                        }),
                    })
                });
            }
            faults.refused(("..=", "slice"), &[format!("axis {axis}")], || {
                typed.try_slice(signed, ..=usize::MAX)
            });
        }
    }
}

#[test]
pub(crate) fn indices_in_tensors_are_named() {
    let mut faults = Faults::default();
    let typed = tensor(&[2, 3]);
    let dynamic = typed.clone().into_dyn();
    for (axis, size) in [(0, 2_usize), (1, 3)] {
        let signed_size = size as i64;
        for index in [signed_size, -signed_size - 1, i64::MAX, i64::MIN] {
            let mention = &outside(index, axis, size);
            let axis = axis.cast_signed();
            let indices = Tensor::<I64>::full([1], index);
            refused!(faults, mention, [typed]; try_take take(&indices, axis));
            let every = indices.broadcast_to([2, 3]).into_any();
            refused!(faults, mention, [typed]; try_take_along_axis take_along_axis(&every, axis));
            refused!(faults, mention, [typed]; try_scatter scatter(&every, &typed, axis));
            refused!(faults, mention, [typed]; try_scatter_add scatter_add(&every, &typed, axis));
            refused!(faults, mention, [typed]; try_scatter_max scatter_max(&every, &typed, axis));
            crate::tried(&indices, "try_one_hot");
            faults.refused(("one_hot", "one_hot"), &outside(index, 1, size), || {
                indices.try_one_hot::<F32>(size)
            });
            let (indices, every) = (indices.into_dyn(), every.into_dyn());
            refused!(faults, &outside(index, 1, size), [indices]; try_one_hot one_hot(size, DType::F32));
            refused!(faults, mention, [dynamic]; try_take take(&indices, axis));
            refused!(faults, mention, [dynamic]; try_take_along_axis take_along_axis(&every, axis));
            refused!(faults, mention, [dynamic]; try_scatter scatter(&every, &dynamic, axis));
            refused!(faults, mention, [dynamic]; try_scatter_add scatter_add(&every, &dynamic, axis));
        }
        // Unsigned integers beyond those of `isize`.
        let indices = Tensor::<U64>::full([1], u64::MAX);
        let axis = axis.cast_signed();
        let mention = &[format!("axis {axis}"), format!("size {size}")];
        refused!(faults, mention, [typed]; try_take take(&indices, axis));
        let mention = &[
            u64::MAX.to_string(),
            format!("axis {axis}"),
            format!("size {size}"),
        ];
        let vector = vec![0, u64::MAX];
        refused!(faults, mention, [typed]; try_take take(&vector, axis));
        // From nothing, nothing can be taken.
        let none = tensor(&[0]);
        let first = Tensor::<I64>::zeros([1]);
        refused!(faults, &outside(0, 0, 0), [none]; try_take take(&first, 0));
    }
}

#[test]
pub(crate) fn orders_that_are_no_permutations_are_named() {
    let mut faults = Faults::default();
    for shape in SHAPES {
        let (typed, rank) = (tensor(shape), shape.len());
        let dynamic = typed.clone().into_dyn();
        let end = rank.cast_signed();
        let all: Vec<isize> = (0..end).collect();
        let mut orders = vec![
            [&all[..], &[end]].concat(),
            [&all[..], &[isize::MAX]].concat(),
            vec![7; 20],
        ];
        if rank > 0 {
            orders.push(all[1..].to_vec());
            for outside in [end, -end - 1, isize::MAX, isize::MIN] {
                orders.push([&all[1..], &[outside]].concat());
            }
        }
        if rank > 1 {
            orders.push([&all[1..], &[1]].concat());
            orders.push([&all[1..], &[-1]].concat());
        }
        for order in orders {
            let mention = &[format!("{order:?}"), format!("rank {rank}")];
            refused!(faults, mention, [typed, dynamic]; try_permute permute(&order));
        }
        if rank > 0 {
            let twice = [0, -rank.cast_signed()];
            let mention = &["axis 0".to_owned(), format!("as 0 and {}", twice[1])];
            refused!(faults, mention, [typed, dynamic]; try_sum_axis sum_axis(&twice));
            refused!(faults, mention, [typed, dynamic]; try_sum_keepdims sum_keepdims(&twice));
            refused!(faults, mention, [typed, dynamic]; try_norm norm(2.0, &twice));
            refused!(faults, mention, [typed, dynamic]; try_var_corrected var_corrected(0, &twice));
            refused!(faults, mention, [typed, dynamic]; try_log_sum_exp log_sum_exp(&twice));
            refused!(faults, mention, [typed]; try_tensordot tensordot(&typed, &twice, &twice));
            refused!(faults, mention, [typed, dynamic]; try_diagonal diagonal(0, 0, twice[1]));
            refused!(faults, mention, [typed, dynamic]; try_flip flip(twice));
            refused!(faults, mention, [typed, dynamic]; try_rot90 rot90(1, 0, twice[1]));
            let exactly = typed.try_sum_axis(&[0, 0]).map(drop);
            let exactly = exactly.expect_err("an axis twice").to_string();
            assert_eq!(exactly, "sum_axis: axis 0 is named twice");
        }
    }
}

/// Negative axes, and ranges with open or negative ends, stand in errors as the caller wrote them.
#[test]
pub(crate) fn axes_and_ranges_are_named_as_they_were_given() {
    let mut faults = Faults::default();
    let mut typed = tensor(&[2, 3]);
    let mut dynamic = typed.clone().into_dyn();
    let mention = |index: &str, axis: isize| {
        let size = if axis == -1 { 3 } else { 2 };
        [
            index.to_owned(),
            format!("axis {axis}"),
            format!("size {size}"),
        ]
    };
    macro_rules! ranges {
        ($($range:expr, $text:literal;)*) => {$(
            for axis in [-1, -2] {
                let mention = &mention(concat!($text, " is not"), axis);
                refused!(faults, mention, [typed, dynamic]; try_slice slice(axis, $range));
                refused!(faults, mention, [typed, dynamic]; try_slice_mut slice_mut(axis, $range));
                refused!(faults, mention, [typed, dynamic]; try_slice_step slice_step(axis, $range, -2));
                refused!(faults, mention, [typed, dynamic]; try_slice_step_mut slice_step_mut(axis, $range, 2));
            }
            let last = &[concat!($text, " is not").to_owned(), "axis 1".to_owned()];
            refused!(faults, last, [typed, dynamic]; try_slice_axes slice_axes(s![.., $range]));
        )*};
    }
    ranges! {
        5.., " 5..";
        ..5, " ..5";
        ..=5, " ..=5";
        -4.., " -4..";
        ..-4, " ..-4";
        ..=-5, " ..=-5";
        1..=7, " 1..=7";
        -5..-1, " -5..-1";
        1..=usize::MAX, " 1..=18446744073709551615";
        ..usize::MAX, " ..18446744073709551615";
        u64::MAX.., " 18446744073709551615..";
        isize::MIN..=-1, " -9223372036854775808..=-1";
    }
    let zero_step = &["axis -1".to_owned()];
    refused!(faults, zero_step, [typed, dynamic]; try_slice_step slice_step(-1, .., 0));
    let far = &mention("index 3", -1);
    refused!(faults, far, [typed, dynamic]; try_index_axis index_axis(-1, 3));
    refused!(faults, far, [typed, dynamic]; try_index_axis_mut index_axis_mut(-1, 3));
    let beyond = &mention("index 18446744073709551615", -1);
    refused!(faults, beyond, [typed, dynamic]; try_index_axis index_axis(-1, usize::MAX));
    refused!(faults, beyond, [typed, dynamic]; try_index_axis_mut index_axis_mut(-1, u64::MAX));
    let beyond = &[beyond[0].clone(), "axis 1".to_owned()];
    refused!(faults, beyond, [typed, dynamic]; try_slice_axes slice_axes(s![.., usize::MAX]));
    let indices: Tensor<I64, Rank2> = tensor![[0, 3]];
    let (indices, dyn_indices) = (indices.clone().into_any(), indices.into_dyn());
    refused!(faults, far, [typed]; try_take take(&indices, -1));
    refused!(faults, far, [dynamic]; try_take take(&dyn_indices, -1));
    refused!(faults, far, [typed]; try_take_along_axis take_along_axis(&indices, -1));
    refused!(faults, far, [dynamic]; try_take_along_axis take_along_axis(&dyn_indices, -1));
    refused!(faults, far, [typed]; try_scatter scatter(&indices, &typed.slice(1, ..2), -1));
    refused!(faults, far, [typed]; try_scatter_add scatter_add(&indices, &typed.slice(1, ..2), -1));
    refused!(faults, far, [typed]; try_scatter_max scatter_max(&indices, &typed.slice(1, ..2), -1));
    refused!(faults, far, [typed]; try_scatter_min scatter_min(&indices, &typed.slice(1, ..2), -1));
    let updates = dynamic.slice(1, ..2);
    refused!(faults, far, [dynamic]; try_scatter scatter(&dyn_indices, &updates, -1));
    refused!(faults, far, [dynamic]; try_scatter_add scatter_add(&dyn_indices, &updates, -1));
    refused!(faults, far, [dynamic]; try_scatter_max scatter_max(&dyn_indices, &updates, -1));
    refused!(faults, far, [dynamic]; try_scatter_min scatter_min(&dyn_indices, &updates, -1));
    refused!(faults, &mention("4 elements", -1), [typed, dynamic]; try_top_k top_k(4, -1));
    refused!(faults, &mention("[1, 1]", -1), [typed, dynamic]; try_split split(&[1, 1], -1));
    refused!(faults, &mention("0 chunks", -1), [typed, dynamic]; try_chunk chunk(0, -1));
    refused!(faults, &mention("expected 1", -1), [typed, dynamic]; try_squeeze squeeze(-1));
    refused!(faults, &mention("window of 4", -1), [typed, dynamic]; try_unfold unfold(-1, 4, 1));
    let zero_window = &["size of the window along axis -1 is zero".to_owned()];
    refused!(faults, zero_window, [typed, dynamic]; try_unfold unfold(-1, 0, 1));
    let three = &mention("expected 3", -2);
    refused!(faults, three, [typed]; try_cross cross(&typed, -2));
    refused!(faults, three, [dynamic]; try_cross cross(&dynamic, -2));
}

/// Errors of two shapes name an axis along which they do not fit, if there is one.
#[test]
fn shapes_that_do_not_fit_are_named_with_an_axis() {
    let text = |shapes: [&[usize]; 2]| {
        let [a, b] = shapes.map(tensor);
        let error = a.try_add(&b).map(drop).expect_err("shapes that do not fit");
        error.to_string()
    };
    assert_eq!(
        text([&[2, 3], &[2, 4]]),
        "add: shapes [2, 3] and [2, 4] do not fit together; axis 1 has sizes 3 and 4"
    );
    assert_eq!(
        text([&[5, 1, 2], &[4, 3, 1]]),
        "add: shapes [5, 1, 2] and [4, 3, 1] do not fit together; axis 0 has sizes 5 and 4"
    );
    assert_eq!(
        text([&[4, 2, 3], &[3, 1]]),
        "add: shapes [4, 2, 3] and [3, 1] do not fit together; axis -2 has sizes 2 and 3"
    );
    let text = |shapes: [&[usize]; 2]| {
        let [a, b] = shapes.map(tensor);
        let error = a
            .try_matmul(&b)
            .map(drop)
            .expect_err("shapes that do not fit");
        error.to_string()
    };
    assert_eq!(
        text([&[2, 3], &[4, 3]]),
        "matmul: axis 1 of the left operand has size 3, axis 0 of the right operand has size 4 (shapes [2, 3] and [4, 3])"
    );
    assert_eq!(
        text([&[3], &[5, 4, 2]]),
        "matmul: axis 0 of the left operand has size 3, axis 1 of the right operand has size 4 (shapes [3] and [5, 4, 2])"
    );
    assert_eq!(
        text([&[2, 4, 3], &[5, 3, 3]]),
        "matmul: shapes [2, 4, 3] and [5, 3, 3] do not fit together; axis 0 has sizes 2 and 5"
    );
    assert_eq!(
        text([&[], &[3]]),
        "matmul: at least 1 axis expected, found rank 0 (shape [])"
    );
}
