//! Views for writing.

use supremum::prelude::*;

use crate::{Matrix, Selection, numbers, range, text};

/// Writes random parts of tensors, and of plain memory at the same indices, while clones and views of the tensors are alive or not.
#[test]
fn parts_are_written_as_in_plain_memory() {
    for seed in 0..500 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let shape = [rng.usize(1..6), rng.usize(1..6)];
        let mut memory = numbers(shape.iter().product());
        let mut t = Matrix::from_vec(memory.clone(), shape).expect("a shape");
        if rng.bool() {
            // The same elements in another layout.
            t = t.transpose().contiguous().transpose();
        }
        for _ in 0..6 {
            let witness = rng.bool().then(|| (t.clone(), t.flip(0), memory.clone()));
            write(&mut rng, &mut t, &mut memory);
            assert_eq!(t.to_vec(), memory, "{seed}");
            if let Some((clone, flipped, before)) = witness {
                assert_eq!(
                    (clone.to_vec(), flipped.flip(0).to_vec()),
                    (before.clone(), before)
                );
            }
        }
    }
}

/// Writes a random part of a matrix, and of memory with the same elements.
fn write(rng: &mut fastrand::Rng, t: &mut Matrix, memory: &mut [i32]) {
    let shape = [t.shape()[0], t.shape()[1]];
    let ((a, kept_a), (b, kept_b)) = (range(rng, shape[0]), range(rng, shape[1]));
    let part = Selection::all(&shape).along(0, &kept_a).along(1, &kept_b);
    let set = |memory: &mut [i32], value: &dyn Fn(usize, i32) -> i32| {
        for (number, at) in part.positions.iter().enumerate() {
            memory[*at] = value(number, memory[*at]);
        }
    };
    let value = rng.i32(100..);
    let mut view = t.slice_axes_mut((a, b));
    assert_eq!(
        (view.shape(), view.to_tensor().to_vec()),
        (&part.shape[..], part.read(memory))
    );
    match rng.u8(..8) {
        0 => {
            view.fill(value);
            set(memory, &|_, _| value);
        }
        1 => {
            view.map_inplace(|x| x.wrapping_mul(3));
            set(memory, &|_, x| x.wrapping_mul(3));
        }
        2 => {
            view += 5;
            set(memory, &|_, x| x.wrapping_add(5));
        }
        3 => {
            let row: Tensor<I32, Rank1> = (0..kept_b.len())
                .map(|at| value.wrapping_sub(at as i32))
                .collect();
            view.assign(&row.flip(0).flip(0));
            let columns = kept_b.len();
            set(memory, &|number, _| {
                value.wrapping_sub((number % columns) as i32)
            });
        }
        4 => {
            let columns: Vec<i32> = (0..part.positions.len())
                .map(|at| value.wrapping_add(at as i32))
                .collect();
            let turned = Matrix::from_vec(columns, [kept_b.len(), kept_a.len()])
                .expect("a shape")
                .transpose();
            view.assign(&turned);
            let rows = kept_a.len();
            let columns = kept_b.len();
            set(memory, &|number, _| {
                value.wrapping_add((number % columns * rows + number / columns) as i32)
            });
        }
        5 if !part.positions.is_empty() => {
            let number = rng.usize(..part.positions.len());
            view[[number / kept_b.len(), number % kept_b.len()]] = value;
            memory[part.positions[number]] = value;
        }
        6 => {
            let numbers: Tensor<I32, Rank1> = (0..kept_b.len()).map(|at| at as i32).collect();
            view.zip_mut_with(&numbers, |x, number| *x = x.wrapping_sub(2 * number));
            let columns = kept_b.len();
            set(memory, &|number, x| {
                x.wrapping_sub(2 * (number % columns) as i32)
            });
        }
        _ => {
            // A part of the part.
            let mut inner = view.slice_mut(0, ..kept_a.len().min(1));
            inner.fill(value);
            for at in part
                .positions
                .iter()
                .take(kept_b.len().min(part.positions.len()))
            {
                memory[*at] = value;
            }
        }
    }
}

/// Each box within a small tensor of three axes. If a box leaves out a part of each axis, no two axes can be walked as one.
#[test]
fn boxes_of_three_axes_are_written_where_they_lie() {
    const SHAPE: [usize; 3] = [3, 4, 3];
    let ranges = |size: usize| (0..size).flat_map(move |a| (a + 1..=size).map(move |b| a..b));
    for i in ranges(SHAPE[0]) {
        for j in ranges(SHAPE[1]) {
            for k in ranges(SHAPE[2]) {
                let mut t = Tensor::<I32, Rank3>::zeros(SHAPE);
                let value = |[i, j, k]: [usize; 3]| {
                    i32::try_from(1 + 100 * i + 10 * j + k).expect("a small number")
                };
                let part = Tensor::<I32, Rank3>::from_fn([i.len(), j.len(), k.len()], value);
                t.slice_axes_mut((i.clone(), j.clone(), k.clone()))
                    .assign(&part);
                let expected = Tensor::<I32, Rank3>::from_fn(SHAPE, |[x, y, z]| {
                    let is_within = i.contains(&x) && j.contains(&y) && k.contains(&z);
                    if is_within {
                        value([x - i.start, y - j.start, z - k.start])
                    } else {
                        0
                    }
                });
                assert_eq!(t, expected, "{i:?}, {j:?}, {k:?}");
            }
        }
    }
}

#[test]
fn parts_along_an_axis_are_written_at_the_same_time() {
    let mut t = Tensor::<I64, Rank3>::zeros([2, 3, 4]);
    let shared = t.clone();
    for (value, mut part) in (1..).zip(t.axis_iter_mut(1)) {
        assert_eq!(part.shape(), [2, 4]);
        part.fill(value);
    }
    assert_eq!(t.index_axis(1, 2), Matrix::full([2, 4], 3).cast());
    assert_eq!(shared, shared.zeros_like());
    let mut parts: Vec<_> = t.axis_iter_mut(0).rev().collect();
    let [second, first] = &mut parts[..] else {
        panic!("two parts")
    };
    std::thread::scope(|scope| {
        scope.spawn(|| first.fill(-1));
        scope.spawn(|| second.fill(-2));
    });
    assert_eq!((t[[0, 2, 3]], t[[1, 0, 0]]), (-1, -2));
    for (at, mut row) in t.rows_mut().enumerate() {
        row[3] = at as i64;
    }
    assert_eq!(
        (t[[1, 1, 3]], t[[1, 1, 2]], t.try_axis_iter_mut(3).is_err()),
        (4, -2, true)
    );
}

#[test]
fn a_leaked_view_does_not_let_others_see_writes() {
    let mut t = Tensor::<I32, Rank1>::from([1, 2, 3]);
    std::mem::forget(t.slice_mut(0, 1..));
    let clone = t.clone();
    t[0] = 9;
    assert_eq!((t.to_vec(), clone.to_vec()), (vec![9, 2, 3], vec![1, 2, 3]));
}

#[test]
fn a_view_that_is_used_no_more_does_not_make_the_tensor_shared() {
    let mut t = Tensor::<I32, Rank1>::zeros([3]);
    let address = t.as_slice().expect("contiguous").as_ptr();
    let mut first = t.slice_mut(0, ..1);
    first.fill(1);
    let mut last = t.slice_mut(0, 2..); // `first` is dropped later, at the end of the test
    last.fill(2);
    t[1] = 3;
    assert_eq!(t.as_slice().expect("contiguous").as_ptr(), address);
    assert_eq!(t.to_vec(), [1, 3, 2]);
}

#[test]
fn rows_are_written_into_a_cache_without_copying_it() {
    let mut cache = Tensor::<F32, Rank2>::zeros([1024, 64]);
    let address = cache.as_slice().expect("contiguous").as_ptr();
    for position in 0..1024 {
        let row: Tensor<F32, Rank1> = (0..64_u16)
            .map(|at| f32::from(at) + position as f32)
            .collect();
        cache.index_axis_mut(0, position).assign(&row);
        // A view for reading that is dropped before the next row is written.
        let so_far = cache.slice(0, ..=position);
        assert_eq!(
            so_far.sum_axis(1)[position],
            64.0 * position as f32 + 2016.0
        );
    }
    assert_eq!(cache.as_slice().expect("contiguous").as_ptr(), address);
    let kept = cache.slice(0, ..1);
    cache.slice_mut(0, ..1).fill(0.0);
    assert_ne!(cache.as_slice().expect("contiguous").as_ptr(), address);
    assert_eq!((kept[[0, 5]], cache[[0, 5]]), (5.0, 0.0));
}

/// A call is no place to assign to, so the operator stands beside the elements of its view.
#[test]
fn a_part_is_changed_where_it_is_taken() -> Result<(), Error> {
    let mut t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let before = t.clone();
    *t.index_axis_mut(0, 1) += 10;
    let factors = t.index_axis(0, 0).slice(0, ..2);
    *t.slice_axes_mut(s![.., ..2]) *= &factors;
    let greatest = t.max();
    *t.diagonal_mut(1, 0, 1) -= greatest;
    let expected = [1, -26, 3, 14, 30, -14];
    assert_eq!(t.to_vec(), expected);
    assert_eq!(before.to_vec(), [1, 2, 3, 4, 5, 6]);

    let mut dynamic = before.into_dyn();
    *dynamic.try_index_axis_mut(0, 1)? += 10;
    let factors = dynamic.try_index_axis(0, 0)?.try_slice(0, ..2)?;
    *dynamic.try_slice_axes_mut(s![.., ..2])? *= &factors;
    let greatest = dynamic.try_max()?;
    *dynamic.try_diagonal_mut(1, 0, 1)? -= greatest;
    assert_eq!(dynamic.to_vec::<I32>()?, expected);

    let row: Tensor<I32, Rank1> = tensor![1, 2];
    let mut whole = t.index_axis_mut(0, 0);
    assert_eq!(text(|| *whole += &row), text(|| whole += &row));
    Ok(())
}

#[test]
fn dynamic_parts_are_described_as_typed_ones() -> Result<(), Error> {
    let mut typed: Tensor<F16, Rank2> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let mut dynamic = typed.clone().into_dyn();
    let (part, other) = (typed.slice_mut(1, 1..), dynamic.slice_mut(1, 1..));
    assert_eq!((part.shape(), part.ndim()), (other.shape(), other.ndim()));
    assert_eq!((other.len(), other.is_empty()), (part.len(), false));
    assert_eq!(other.get(&[1, 0]), Some(Scalar::Float(5.0)));
    assert_eq!(part.get(&[1, 0]).map(f16::to_f32), Some(5.0));
    assert_eq!((other.get(&[0, 2]), other.get(&[0])), (None, None));
    let nothing = dynamic.try_slice_mut(0, 1..1)?;
    assert!(nothing.is_empty());
    Ok(())
}

#[test]
fn dynamic_parts_are_written() -> Result<(), Error> {
    let mut cache = DynTensor::zeros(DType::BF16, [4, 3])?;
    let address = cache.as_slice::<BF16>()?.expect("contiguous").as_ptr();
    let row = DynTensor::arange(DType::BF16, 1.0, 4.0, 1.0)?;
    cache.try_index_axis_mut(0, 2)?.try_assign(&row)?;
    let mut column = cache.try_slice_axes_mut(s![..;-2, -1])?;
    column += 1;
    column.try_slice_mut(0, ..1)?.try_fill(7)?;
    cache.try_diagonal_mut(1, 0, 1)?.try_fill(-1)?;
    cache.try_set(&[0, 0], 0.5)?;
    assert_eq!(
        cache.as_slice::<BF16>()?.expect("contiguous").as_ptr(),
        address
    );
    let expected = [0.5, -1.0, 0.0, 0.0, 0.0, -1.0, 1.0, 2.0, 3.0, 0.0, 0.0, 7.0];
    assert_eq!(cache.cast(DType::F64).to_vec::<F64>()?, expected);
    let error = |result: Result<(), Error>| result.unwrap_err().to_string();
    let wide = DynTensor::ones(DType::F32, [3])?;
    let long = DynTensor::ones(DType::BF16, [4])?;
    assert_eq!(
        error(cache.try_view_mut()?.try_assign(&wide)),
        "assign: expected bf16, found f32"
    );
    assert_eq!(
        error(cache.try_view_mut()?.try_assign(&long)),
        "assign: shapes [4, 3] and [4] do not fit together; axis -1 has sizes 3 and 4"
    );
    assert_eq!(
        error(cache.try_slice_mut(2, ..).map(drop)),
        "slice_mut: axis 2 does not exist at rank 2"
    );
    assert_eq!(cache.cast(DType::F64).to_vec::<F64>()?, expected);
    Ok(())
}

#[test]
fn a_refused_assignment_changes_nothing() {
    let mut t = Matrix::from([[1, 2], [3, 4]]);
    let before = t.clone();
    let wrong = Tensor::<I32, Rank1>::zeros([3]);
    assert_eq!(
        text(|| t.slice_mut(0, 1..).assign(&wrong)),
        "assign: shapes [1, 2] and [3] do not fit together; axis -1 has sizes 2 and 3"
    );
    assert_eq!(
        text(|| _ = t.slice_mut(0, 1..4)),
        "slice_mut: 1..4 is not within axis 0 of size 2"
    );
    let taller = Matrix::zeros([2, 2]);
    let text = text(|| {
        let mut row = t.slice_mut(0, ..1);
        row += &taller;
    });
    assert_eq!(
        text,
        "+=: shapes [1, 2] and [2, 2] do not fit together; axis 0 has sizes 1 and 2"
    );
    assert_eq!(t, before);
}

#[test]
fn dynamic_rows_are_read_and_written_as_typed_ones() -> Result<(), Error> {
    let original = DynTensor::arange(DType::I32, 0.0, 12.0, 1.0)?.try_reshape([2, 2, 3])?;
    let mut changed = original.clone();
    let rows = changed.try_rows_mut()?;
    assert_eq!(rows.len(), 4);
    for (mut row, value) in rows.rev().zip([7, 8]) {
        assert_eq!((row.shape(), row.dtype()), (&[3][..], DType::I32));
        row.try_fill(value)?;
    }
    let expected: Tensor<I32, Rank3> = tensor![[[0, 1, 2], [3, 4, 5]], [[8, 8, 8], [7, 7, 7]]];
    assert_eq!(changed, expected.clone().into_dyn());
    // The other owner of the elements keeps them.
    assert_eq!(original.try_sum()?.item()?, 66.into());
    let mut typed = expected;
    for (mut part, from) in typed.axis_iter_mut(-1).zip([1, 2, 3]) {
        part.fill(from);
    }
    for (mut part, from) in changed.try_axis_iter_mut(-1)?.zip([1, 2, 3]) {
        part.try_fill(from)?;
    }
    assert_eq!(changed, typed.into_dyn());
    let wrong = changed.try_axis_iter_mut(3).err();
    assert!(matches!(wrong, Some(Error::AxisOutOfRange { axis: 3, .. })));
    let typed: Tensor<I32, Rank3> = changed.typed()?;
    let views = changed.transpose().with_rules(Numpy).weak();
    let expected: Vec<_> = typed.transpose().rows().map(Tensor::into_dyn).collect();
    let rows: Vec<_> = views.rows().rev().collect();
    assert_eq!(rows.len(), 6);
    for (row, expected) in rows.iter().rev().zip(&expected) {
        assert_eq!((row.is_weak(), row.rules().name()), (true, "numpy"));
        assert_eq!(row.strong(), *expected);
    }
    let parts: Vec<_> = changed.axis_iter(-1).skip(1).collect();
    assert_eq!(
        parts,
        [
            typed.index_axis(2, 1).into_dyn(),
            typed.index_axis(2, 2).into_dyn()
        ]
    );
    let wrong = changed.try_axis_iter(-4).err();
    assert!(matches!(
        wrong,
        Some(Error::AxisOutOfRange { axis: -4, .. })
    ));
    let mut scalar = DynTensor::zeros(DType::F32, [])?;
    for error in [scalar.try_rows().map(drop), scalar.try_rows_mut().map(drop)] {
        assert!(matches!(error, Err(Error::TooFewAxes { .. })));
    }
    Ok(())
}

/// The dtype is stated by the type of elements; a wrong one is refused, and nothing is written then.
#[test]
fn dynamic_tensors_are_written_as_typed_ones() -> Result<(), Error> {
    let typed: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let original = typed.clone().into_dyn();
    let negate = tensor![Bool; true, false, true].into_dyn();

    let mut t = original.clone();
    t.iter_mut::<I32>()?.for_each(|x| *x *= 10);
    t.as_mut_slice::<I32>()?[5] = 7;
    t.try_as_mut_slice::<I32>()?[4] += 1;
    assert_eq!(t.try_to_vec::<I32>()?, [10, 20, 30, 40, 51, 7]);
    t.zip_mut_with(&negate, |x: &mut i32, negate: bool| {
        if negate {
            *x = -*x
        }
    })?;
    t.map_inplace(|x: i32| x + 1)?;
    assert_eq!(t.to_vec::<I32>()?, [-9, 21, -29, -39, 52, -6]);
    // A part that is not contiguous, and one that is.
    t.index_axis_mut(1, 1).map_inplace(|x: i32| 2 * x)?;
    t.index_axis_mut(0, 1).map_inplace(|x: i32| x + 1)?;
    assert_eq!(t.to_vec::<I32>()?, [-9, 42, -29, -38, 105, -5]);
    let signs = DynTensor::from_slice(&[1_i8, -1, 1], [3])?;
    t.index_axis_mut(0, 0)
        .zip_mut_with(&signs, |x: &mut i32, sign: i8| *x *= i32::from(sign))?;
    t.index_axis_mut(1, 2)
        .try_zip_mut_with(&negate.slice(0, ..2), |x: &mut i32, negate: bool| {
            *x += i32::from(negate)
        })?;
    assert_eq!(t.to_vec::<I32>()?, [-9, -42, -28, -38, 105, -5]);
    // The other owner of the elements keeps them.
    assert_eq!(original, typed.clone().into_dyn());

    // In row-major order, whatever the strides are.
    let halves = original.transpose().map(|x: i32| f64::from(x) / 2.0)?;
    assert_eq!(
        halves,
        typed.transpose().map(|x| f64::from(x) / 2.0).into_dyn()
    );
    let numpy = original.with_rules(Numpy).weak().map(|x: i32| x)?;
    assert_eq!((numpy.rules().name(), numpy.is_weak()), ("numpy", false));
    let mut weak = original.weak();
    weak.map_inplace(|x: i32| x)?;
    assert!(weak.is_weak());

    let mut t = original.clone();
    let refusals = [
        (t.map(|x: u32| x).map(drop), "map"),
        (t.map_inplace(|x: f32| x), "map_inplace"),
        (t.view_mut().map_inplace(|x: f32| x), "map_inplace"),
        (
            t.zip_mut_with(&negate, |_: &mut u8, _: bool| ()),
            "zip_mut_with",
        ),
        (
            t.try_zip_mut_with(&negate, |_: &mut i32, _: u8| ()),
            "zip_mut_with",
        ),
        (
            t.view_mut().zip_mut_with(&negate, |_: &mut u8, _: bool| ()),
            "zip_mut_with",
        ),
        (
            t.view_mut()
                .try_zip_mut_with(&negate, |_: &mut i32, _: u8| ()),
            "zip_mut_with",
        ),
        (t.as_mut_slice::<F32>().map(drop), "as_mut_slice"),
        (t.iter_mut::<F32>().map(drop), "iter_mut"),
    ];
    for (refused, name) in refusals {
        assert!(
            matches!(refused, Err(Error::DTypeMismatch { operation, .. }) if operation == name)
        );
    }
    let long = DynTensor::zeros(DType::Bool, [4])?;
    let refused = t.try_zip_mut_with(&long, |x: &mut i32, _: bool| *x = 0);
    assert!(matches!(refused, Err(Error::ShapeMismatch { .. })));
    let mut part = t.index_axis_mut(1, 0);
    let refused = part.try_zip_mut_with(&long, |x: &mut i32, _: bool| *x = 0);
    assert_eq!(
        refused.unwrap_err().to_string(),
        "zip_mut_with: shapes [2] and [4] do not fit together; axis 0 has sizes 2 and 4"
    );
    assert_eq!(t, original);
    Ok(())
}
