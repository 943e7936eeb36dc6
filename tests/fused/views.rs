//! Views for writing as outputs: the same elements as by `assign`, in every layout.

use std::panic::{AssertUnwindSafe, catch_unwind};

use supremum::prelude::*;
use supremum::{StaticRank, Step};

use crate::raw;

/// A range of an axis with a step, at random.
fn range(rng: &mut fastrand::Rng, size: usize) -> Step<std::ops::Range<usize>> {
    let start = rng.usize(..=size);
    let end = rng.usize(start..=size);
    let step = rng.isize(1..4);
    Step(start..end, if rng.bool() { step } else { -step })
}

fn numbers<N: StaticRank>(rng: &mut fastrand::Rng, sizes: N::Sizes) -> Tensor<F32, N> {
    Tensor::from_fn(sizes, |_| (rng.f32() - 0.5) * 8.0)
}

/// A matrix whose rows are broadcast, transposed, or as they are.
fn operand(rng: &mut fastrand::Rng, [rows, columns]: [usize; 2]) -> Tensor<F32, Rank2> {
    match rng.u8(..5) {
        0 => numbers(rng, [1, columns]),
        1 => numbers(rng, [rows, 1]),
        2 => numbers::<Rank2>(rng, [columns, rows]).transpose(),
        3 => numbers::<Rank2>(rng, [rows, 2 * columns]).slice_step(1, .., 2),
        _ => numbers(rng, [rows, columns]),
    }
}

#[test]
fn expressions_write_parts_as_assignments_do() {
    for seed in 0..400 {
        let mut rng = fastrand::Rng::with_seed(seed);
        let longest = if seed % 8 == 0 { 700 } else { 40 };
        let sizes = [rng.usize(1..40), rng.usize(1..longest)];
        let before: Tensor<F32, Rank2> = numbers(&mut rng, sizes);
        let (mut t, mut expected) = (before.clone(), before.contiguous());
        let parts = (range(&mut rng, sizes[0]), range(&mut rng, sizes[1]));
        let part = t.slice_axes(parts.clone());
        let (a, b) = (
            operand(&mut rng, part.sizes()),
            operand(&mut rng, part.sizes()),
        );
        let value = fuse!(if a > b { part * a - b } else { part + 0.5 });
        expected.slice_axes_mut(parts.clone()).assign(&value);
        let mut view = t.slice_axes_mut(parts.clone());
        if rng.bool() {
            fuse!(view = if a > b { view * a - b } else { view + 0.5 });
        } else {
            fuse!(t.slice_axes_mut(parts.clone()) = if a > b { part * a - b } else { part + 0.5 });
        }
        assert_eq!(raw(&t), raw(&expected), "{seed}");

        let value = fuse!(part + a);
        let mut updated = before.contiguous();
        updated.slice_axes_mut(parts.clone()).assign(&value);
        let mut t = before.clone();
        fuse!(t.slice_axes_mut(parts) += a);
        assert_eq!(raw(&t), raw(&updated), "{seed}");
    }
}

#[test]
fn every_size_of_element_is_written() {
    let a: Tensor<BF16, Rank2> = Tensor::from_fn([5, 70], |index| bf16::from_f32(index[1] as f32));
    let mut out = Tensor::<BF16, Rank2>::zeros([5, 140]);
    fuse!(out.slice_step_mut(1, .., 2) = a * 2.0);
    assert_eq!(out.slice_step(1, .., 2), &a * 2.0);
    assert!(out.slice_step(1, 1.., 2).iter().all(|x| x == bf16::ZERO));

    let mut mask = Tensor::<Bool, Rank2>::zeros([5, 72]);
    fuse!(mask.slice_mut(1, 1..71) = a > 3.0);
    assert_eq!(mask.slice(1, 1..71), a.gt(3.0));
    assert_eq!(mask.sum().item(), a.gt(3.0).sum().item());

    let z = Tensor::<C128, Rank2>::ones([3, 4]);
    let mut wide = Tensor::<C128, Rank2>::zeros([6, 4]);
    fuse!(wide.slice_step_mut(0, .., -2) = z + z);
    assert_eq!(wide.slice_step(0, .., -2), &z + &z);
    assert_eq!(wide.sum().item(), (&z + &z).sum().item());

    let n: Tensor<I64, Rank1> = Tensor::from_fn([6], |index| index[0] as i64);
    let mut square = Tensor::<I64, Rank2>::zeros([6, 6]);
    fuse!(square.diagonal_mut(0, 0, 1) = n * n);
    assert_eq!(square.diagonal(0, 0, 1), &n * &n);
}

#[test]
fn views_of_rank_zero_and_without_elements_are_written() {
    let mut t: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let x = Tensor::<F32, Rank0>::scalar(0.5);
    fuse!(t.slice_axes_mut(s![1, 0]) = x * 3.0);
    assert_eq!(t.to_vec(), [1.0, 2.0, 1.5, 4.0]);
    let none = Tensor::<F32, Rank2>::zeros([2, 0]);
    fuse!(t.slice_mut(1, 1..1) = none + 1.0);
    assert_eq!(t.to_vec(), [1.0, 2.0, 1.5, 4.0]);
}

/// A cache stays where it is, and gets the rows of each step from one loop.
#[test]
fn a_cache_is_written_in_place() {
    let mut cache = Tensor::<BF16, Rank3>::zeros([2, 8, 64]);
    let address = cache.as_slice().map(<[bf16]>::as_ptr);
    for position in 0..8 {
        let key = Tensor::<F32, Rank2>::full([2, 64], position as f32);
        fuse!(cache.slice_axes_mut(s![.., position, ..]) = (key * 0.5).cast::<BF16>());
    }
    assert_eq!(cache.as_slice().map(<[bf16]>::as_ptr), address);
    let expected: Tensor<F32, Rank3> = Tensor::from_fn([2, 8, 64], |index| index[1] as f32 / 2.0);
    assert_eq!(cache.cast::<F32>(), expected);
}

#[test]
fn operands_that_share_the_elements_keep_the_former_ones() {
    let mut t: Tensor<I32, Rank1> = tensor![1, 2, 3, 4, 5];
    let before = t.clone();
    fuse!(t.slice_mut(0, 1..) = t.slice(0, ..-1) * 10);
    assert_eq!(
        (t.to_vec(), before.to_vec()),
        (vec![1, 10, 20, 30, 40], vec![1, 2, 3, 4, 5])
    );
    let mut reversed = t.clone();
    fuse!(reversed.view_mut() = t.flip(0) + &reversed.clone());
    assert_eq!(reversed.to_vec(), [41, 40, 40, 40, 41]);
}

#[test]
fn errors_leave_the_view() {
    let mut t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let a: Tensor<I32, Rank1> = tensor![8, 9];
    let zero: Tensor<I32, Rank1> = tensor![1, 0];
    let error = a.try_rem(&zero).unwrap_err();
    assert_eq!(try_fuse!(t.index_axis_mut(1, 1) = a % zero), Err(error));
    let shapes = Error::ShapeMismatch {
        operation: "fuse!",
        lhs: vec![3],
        rhs: vec![2],
    };
    assert_eq!(try_fuse!(t.index_axis_mut(0, 1) = a), Err(shapes.clone()));
    assert_eq!(try_fuse!(t.index_axis_mut(0, 1) = a + a), Err(shapes));
    assert_eq!(t.to_vec(), [1, 2, 3, 4, 5, 6]);
    let mut row = t.index_axis_mut(1, 0);
    fuse!(row = a % 5);
    fuse!(row = row.floor_div(2));
    fuse!(t.slice_mut(0, 1..) += 1); // no operand but the output
    fuse!(t.slice_mut(0, 1..) -= 1);
    let row = t.index_axis_mut(1, 0);
    assert_eq!(row.to_tensor().to_vec(), [1, 2]);
    assert_eq!(t.to_vec(), [1, 2, 3, 2, 5, 6]);
}

#[test]
fn unsafe_promotions_and_references_write_to_views() {
    let counts: Tensor<I64, Rank1> = tensor![3, 4];
    let scale: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    let mut out = Tensor::<F32, Rank2>::zeros([2, 2]);
    promote_unsafe!(out.index_axis_mut(1, 1) = counts * scale);
    assert_eq!(out.to_vec(), [0.0, 1.5, 0.0, 1.0]);
    fn halved(part: &mut supremum::TensorViewMut<'_, F32, Rank1>) {
        fuse!(*part *= 0.5);
    }
    halved(&mut out.index_axis_mut(1, 1));
    assert_eq!(out.to_vec(), [0.0, 0.75, 0.0, 0.5]);
}

#[test]
fn functions_of_the_caller_are_called_and_may_panic() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    supremum::elementwise! {
        fn counted(x: f32) -> f32 {
            CALLS.fetch_add(1, Ordering::Relaxed);
            x + 1.0
        }
    }
    let x = Tensor::<F32, Rank2>::zeros([3, 33]);
    let mut out = Tensor::<F32, Rank2>::zeros([3, 66]);
    fuse!(out.slice_step_mut(1, .., 2) = counted(x));
    assert_eq!(out.sum().item(), Ok(99.0));
    assert!(CALLS.load(Ordering::Relaxed) >= 99);
    let ended = catch_unwind(AssertUnwindSafe(|| {
        fn refuse(_: f32) -> f32 {
            panic!("no")
        }
        fuse!(out.slice_mut(1, ..33) = refuse(x))
    }));
    assert!(ended.is_err() && out.shape() == [3, 66]);
}
