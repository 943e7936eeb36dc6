//! Reading and writing elements: indices, iteration, conversions from vectors, slices of several axes, and views for writing; typed
//! and dynamic, beside naive index maps.

use std::ops::Bound;
use std::panic::{AssertUnwindSafe, catch_unwind};

use supremum::prelude::*;
use supremum::{AxisSlices, Step};

type Matrix = Tensor<I32, Rank2>;

/// Which elements of row-major memory a view has: its shape, and their positions in row-major order.
#[derive(Clone, Debug)]
struct Selection {
    shape: Vec<usize>,
    positions: Vec<usize>,
}

impl Selection {
    fn all(shape: &[usize]) -> Self {
        Self {
            shape: shape.to_vec(),
            positions: (0..shape.iter().product()).collect(),
        }
    }

    /// Keeps the indices of one axis that a list names, in that order.
    fn along(&self, axis: usize, kept: &[usize]) -> Self {
        let mut shape = self.shape.clone();
        shape[axis] = kept.len();
        let inner: usize = self.shape[axis + 1..].iter().product();
        let outer: usize = self.shape[..axis].iter().product();
        let mut positions = Vec::new();
        for row in 0..outer {
            for index in kept {
                let first = (row * self.shape[axis] + index) * inner;
                positions.extend(&self.positions[first..first + inner]);
            }
        }
        Self { shape, positions }
    }

    fn without(mut self, axis: usize) -> Self {
        assert_eq!(self.shape.remove(axis), 1);
        self
    }

    fn read(&self, memory: &[i32]) -> Vec<i32> {
        self.positions.iter().map(|at| memory[*at]).collect()
    }
}

/// A random range of an axis: as bounds that may count from the end, its step, and the indices that it keeps.
fn range(rng: &mut fastrand::Rng, size: usize) -> (Step<(Bound<isize>, Bound<isize>)>, Vec<usize>) {
    let start = rng.usize(..=size);
    let end = rng.usize(start..=size);
    let from_end = |rng: &mut fastrand::Rng, bound: usize| match rng.bool() && bound < size {
        true => bound.cast_signed() - size.cast_signed(),
        false => bound.cast_signed(),
    };
    let low = match rng.u8(..3) {
        0 if start == 0 => Bound::Unbounded,
        1 if start > 0 => Bound::Excluded(start.cast_signed() - 1),
        _ => Bound::Included(from_end(rng, start)),
    };
    let high = match rng.u8(..3) {
        0 if end == size => Bound::Unbounded,
        1 if end > 0 => Bound::Included(end.cast_signed() - 1),
        _ => Bound::Excluded(from_end(rng, end)),
    };
    let step = rng.usize(1..4);
    let mut kept: Vec<usize> = (start..end).collect();
    let signed = if rng.bool() {
        kept.reverse();
        -step.cast_signed()
    } else {
        step.cast_signed()
    };
    (
        Step((low, high), signed),
        kept.into_iter().step_by(step).collect(),
    )
}

fn numbers(count: usize) -> Vec<i32> {
    (1..).take(count).collect()
}

fn text(action: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(action)).expect_err("a panic");
    *panic.downcast::<String>().expect("a message")
}

/// Tensors of random shape and layout, with their elements.
fn each_view(count: u64, mut run: impl FnMut(&mut fastrand::Rng, Tensor<I32>, Vec<i32>)) {
    for seed in 0..count {
        let mut rng = fastrand::Rng::with_seed(seed);
        let rank = rng.usize(..5);
        let shape: Vec<usize> = (0..rank).map(|_| rng.usize(..5)).collect();
        let memory = numbers(shape.iter().product());
        let mut view = Tensor::<I32>::from_slice(&memory, &shape[..]).expect("a shape");
        let mut selection = Selection::all(&shape);
        for axis in 0..rank {
            if rng.bool() {
                let (Step(bounds, step), kept) = range(&mut rng, shape[axis]);
                view = view.slice_step(axis.cast_signed(), bounds, step);
                selection = selection.along(axis, &kept);
            }
        }
        let mut elements = selection.read(&memory);
        if rank == 2 && rng.bool() {
            let columns = selection.shape[1];
            elements = (0..columns)
                .flat_map(|column| {
                    elements
                        .iter()
                        .skip(column)
                        .step_by(columns)
                        .copied()
                        .collect::<Vec<_>>()
                })
                .collect();
            view = view.transpose();
        }
        if rank < 5 && rng.u8(..4) == 0 {
            let repeated: Vec<usize> = [3].iter().chain(view.shape()).copied().collect();
            view = view.broadcast_to(&repeated[..]);
            elements = elements.repeat(3);
        }
        run(&mut rng, view, elements);
    }
}

/// All indices of a shape in row-major order.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    shape.iter().fold(vec![vec![]], |so_far, size| {
        let more = |index: Vec<usize>| (0..*size).map(move |at| [&index[..], &[at]].concat());
        so_far.into_iter().flat_map(more).collect()
    })
}

#[test]
fn iteration_is_in_row_major_order_over_any_layout() {
    each_view(400, |rng, view, elements| {
        let mut by_next = Vec::new();
        for element in &view {
            by_next.push(element);
        }
        assert_eq!(by_next, elements);
        assert_eq!(
            view.iter()
                .map(|x| x)
                .fold(vec![], |all, x| [all, vec![x]].concat()),
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
                Err(Error::AxisOutOfRange { .. })
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
        format!("get: index {} is outside axis 0 of size 2", isize::MAX)
    );
    let any = t.clone().into_any();
    assert_eq!(
        text(|| _ = any[[1]]),
        "number of indices: expected 2, found 1"
    );
    assert_eq!(
        t.try_set(&[0, 0, 0], 1).unwrap_err().to_string(),
        "number of indices: expected 2, found 3"
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
        "zip_mut_with: shapes [2, 2] and [3] do not fit together"
    );
}

#[test]
fn slices_of_several_axes_have_the_elements_of_slices_one_by_one() {
    for seed in 0..300 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let shape = [(); 3].map(|()| rng.usize(1..6));
        let memory = numbers(shape.iter().product());
        let t = Tensor::<I32, Rank3>::from_vec(memory.clone(), shape).expect("a shape");
        let (a, kept_a) = range(&mut rng, shape[0]);
        let (c, kept_c) = range(&mut rng, shape[2]);
        let at = rng.usize(..shape[1]);
        let counted = at.cast_signed()
            - if rng.bool() {
                shape[1].cast_signed()
            } else {
                0
            };
        let expected = Selection::all(&shape)
            .along(0, &kept_a)
            .along(1, &[at])
            .without(1)
            .along(1, &kept_c);
        let sliced: Matrix = t.slice_axes((a, counted, c));
        assert_eq!(
            (sliced.shape(), sliced.to_vec()),
            (&expected.shape[..], expected.read(&memory)),
            "{seed}"
        );
        let dynamic = t
            .clone()
            .into_dyn()
            .try_slice_axes((a, counted, c))
            .expect("a slice");
        assert_eq!(dynamic, sliced.into_dyn());
        let first: Tensor<I32, Rank3> = t.slice_axes((a,));
        assert_eq!(
            first.to_vec(),
            Selection::all(&shape).along(0, &kept_a).read(&memory)
        );
    }
    let t = Matrix::from([[1, 2, 3], [4, 5, 6]]);
    assert_eq!(t.slice_axes(s![.., 0..=1]).to_vec(), [1, 2, 4, 5]);
    assert_eq!(t.slice_axes(s![..;-1, 1..;2]).to_vec(), [5, 2]);
    assert_eq!(t.slice_axes(s![1_usize, -1]).item(), Ok(6));
    assert_eq!(t.slice_axes(s![-1,]).to_vec(), [4, 5, 6]);
    fn error<S: AxisSlices<AnyRank>>(slices: S) -> String {
        let t = Matrix::from([[1, 2, 3], [4, 5, 6]]).into_any();
        t.try_slice_axes(slices).map(drop).unwrap_err().to_string()
    }
    assert_eq!(
        error(s![.., -4]),
        "slice: index -4 is outside axis 1 of size 3"
    );
    assert_eq!(
        error(s![.., 3_usize]),
        "slice: index 3 is outside axis 1 of size 3"
    );
    assert_eq!(
        error(s![.., ..-4]),
        "slice: 0..-4 is not within axis 1 of size 3"
    );
    assert_eq!(
        error(s![0, 3]),
        "slice: index 3 is outside axis 1 of size 3"
    );
    assert_eq!(error(s![..;0]), "slice: the step along axis 0 is zero");
    assert_eq!(
        error(s![.., .., ..]),
        "slice: axis 2 does not exist at rank 2"
    );
    assert_eq!(error(s![0, 0, 0]), "slice: axis 2 does not exist at rank 2");
}

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
    match rng.u8(..7) {
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
        "assign: shapes [4, 3] and [4] do not fit together"
    );
    assert_eq!(
        error(cache.try_slice_mut(2, ..).map(drop)),
        "slice: axis 2 does not exist at rank 2"
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
        "assign: shapes [1, 2] and [3] do not fit together"
    );
    assert_eq!(
        text(|| _ = t.slice_mut(0, 1..4)),
        "slice: 1..4 is not within axis 0 of size 2"
    );
    let taller = Matrix::zeros([2, 2]);
    let text = text(|| {
        let mut row = t.slice_mut(0, ..1);
        row += &taller;
    });
    assert_eq!(text, "+=: shapes [1, 2] and [2, 2] do not fit together");
    assert_eq!(t, before);
}

#[test]
fn constructors_that_depend_on_sizes_have_fallible_forms() -> Result<(), Error> {
    assert_eq!(Matrix::try_zeros([2, 3])?, Matrix::zeros([2, 3]));
    assert_eq!(Matrix::try_ones(&[2, 3])?, Matrix::ones([2, 3]));
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
