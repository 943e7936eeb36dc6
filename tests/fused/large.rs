//! Large operands, which are split among threads, streamed past the caches and read in tiles.

use supremum::{F32, F64, I32, Rank1, Rank2, Tensor, fuse, select, try_fuse};

/// Large operands, which are split among threads, streamed and read in tiles.
#[test]
fn large_integers_are_divided_as_those_of_tensors() {
    let [rows, columns] = [600, 700];
    let of = |len: usize, zero: Option<usize>| {
        let divisor = |at| {
            if Some(at) == zero {
                0
            } else {
                (at % 13) as i32 - 20
            }
        };
        Tensor::<I32, Rank1>::from_vec((0..len).map(divisor).collect(), [len])
    };
    let len = rows * columns;
    let square = |zero| of(len, zero).map(|t| t.reshape([rows, columns]));
    let a = square(None).expect("a matrix");
    let mask = a.try_gt(-15).expect("one shape");
    for zero in [None, Some(0), Some(len / 2), Some(len - 1)] {
        let b = square(zero).expect("a matrix");
        let found = try_fuse!(if mask { a % b } else { a });
        let expected = a.try_rem(&b).map(|rest| select(&mask, &rest, &a));
        assert_eq!(found, expected, "{zero:?}");
        let turned = b.transpose();
        let a = a.reshape([columns, rows]);
        assert_eq!(try_fuse!(a % turned), a.try_rem(&turned), "{zero:?}");
        let sums = a.try_rem(&turned).map(|rest| rest.sum_axis(0));
        assert_eq!(try_fuse!((a % turned).sum_axis(0)), sums, "{zero:?}");
        let mut out = a.clone();
        let divided = try_fuse!(out = a.floor_div(out) % turned);
        let expected = (a.try_floor_div(&a)).and_then(|ones| ones.try_rem(&turned));
        assert_eq!(divided.is_ok(), zero.is_none());
        assert_eq!(out, expected.unwrap_or(a), "{zero:?}");
    }
}

/// Enough to be streamed past the caches, and to be split among threads, neither into equal parts.
#[test]
fn large_results_are_those_of_tensors() {
    let len = 1_600_003;
    let numbers = |step: f64| {
        let elements = (0..len).map(|at| f64::from(at % 1009) * step).collect();
        let length = usize::try_from(len).expect("a number of elements");
        Tensor::<F64, Rank1>::from_vec(elements, [length]).expect("as many elements")
    };
    let (a, b, c) = (numbers(0.5), numbers(-1.25), numbers(3.0));
    let expected = &a * &b + &c;
    assert!(fuse!(a * b + c) == expected);
    let mut out = numbers(1.0);
    fuse!(out = a * b + c);
    assert!(out == expected);
    // An output that is read is not streamed.
    fuse!(out += a * b);
    assert!(out == expected + a * b);
}

/// The last columns once were a piece of less than a pack, and were not written.
#[test]
#[cfg_attr(
    debug_assertions,
    ignore = "millions of elements, which only compiled loops read fast"
)]
fn very_many_columns_are_reduced_to_the_last() {
    let columns = 2_018 * 2_048 - 2_017;
    let x: Tensor<F32, Rank2> = Tensor::ones([2, columns]);
    let sums: Tensor<F32, Rank1> = fuse!((x + x).sum_axis(0));
    assert!(sums.to_vec().iter().all(|sum| *sum == 4.0));
}

/// Rows that come from memory, so that all passes are evaluated for some rows at a time. Only compiled loops do that; without them, a few
/// rows show the same.
#[test]
fn large_rows_are_normalised_as_those_of_tensors() {
    let (rows, width) = (if cfg!(debug_assertions) { 331 } else { 33_001 }, 500);
    let x = Tensor::<F32, Rank2>::from_fn([rows, width], |at| {
        ((at[0] * 31 + at[1] * 17) % 1_009) as f32 * 0.25 - 100.0
    });
    let gain = Tensor::<F32, Rank1>::from_fn([width], |at| at[0] as f32 * 0.01);
    let (mean, variance) = (x.mean_keepdims(-1), x.var_keepdims(-1));
    let expected = (&x - mean) * (variance + 1e-5).rsqrt() * &gain;
    let found = fuse!((x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt() * gain);
    assert!(found == expected);
    let found = fuse!(let power = (x - x.max_keepdims(1)).exp(); power / power.sum_keepdims(1));
    let power = (&x - x.max_keepdims(1)).exp();
    assert!(found == &power / power.sum_keepdims(1));
    // The error is that of the whole.
    let other = Tensor::<F32, Rank1>::zeros([3]);
    let expected = (&x - x.max_keepdims(-1)).try_add(&other).unwrap_err();
    assert_eq!(try_fuse!(x - x.max_keepdims(-1) + other), Err(expected));
}
