//! Large operands, which are split among threads, streamed past the caches and read in tiles.

use supremum::{
    BF16, Bool, C64, F16, F32, F64, I32, I64, Rank, Rank1, Rank2, Rank3, StaticDType, Tensor, fuse,
    promote_unsafe, select, try_fuse, try_promote_unsafe,
};

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

/// Compares the bytes of two tensors, of which there may be millions.
fn assert_same<D: StaticDType, N: Rank>(found: &Tensor<D, N>, expected: &Tensor<D, N>) {
    assert_eq!(found.shape(), expected.shape());
    let [found, expected] = [found, expected].map(|x| x.clone().into_dyn().to_bytes());
    assert!(found == expected, "other elements");
}

/// Returns a number of rows that exceed the caches, if a row and its result have this many bytes. Crates without compiled loops evaluate the
/// whole, so a few rows are enough there.
fn rows_from_memory(bytes: usize) -> usize {
    if cfg!(debug_assertions) {
        37
    } else {
        (50 << 20) / bytes + 5
    }
}

/// A number for each position, without a pattern along rows.
fn number(position: usize) -> f32 {
    let bits = position.wrapping_mul(0x9E37_79B9) >> 7;
    (bits % 4_001) as f32 / 512.0 - 3.5
}

/// Operands that repeat along rows, operands that repeat from row to row, values that are computed from other values, and rows that do not
/// follow one another in memory.
#[test]
fn large_rows_of_every_form_are_those_of_tensors() {
    let rows = rows_from_memory(512 * 8);
    let x = Tensor::<F32, Rank2>::from_fn([rows, 512], |[row, at]| number(row * 512 + at));
    let column = Tensor::<F32, Rank2>::from_fn([rows, 1], |[row, _]| number(row * 7));
    let gain = Tensor::<F32, Rank1>::from_fn([512], |[at]| number(at * 3));
    let (max, mean) = (x.max_keepdims(-1), x.mean_keepdims(-1));
    // A value that is computed of the values of passes, beside a column.
    let found =
        fuse!(x - x.max_keepdims(-1) - (x - x.max_keepdims(-1)).exp().sum_keepdims(-1).ln());
    let expected = &x - &max - (&x - &max).exp().sum_keepdims(-1).ln();
    assert_same(&found, &expected);
    let found = fuse!((x * gain - column) / (x.std_keepdims(-1) + x.mean_keepdims(-1)));
    let expected = (&x * &gain - &column) / (x.std_keepdims(-1) + &mean);
    assert_same(&found, &expected);
    // A reduction of a part with all operands.
    let found = fuse!(x * gain - (x * gain + column).mean_keepdims(-1));
    let expected = &x * &gain - (&x * &gain + &column).mean_keepdims(-1);
    assert_same(&found, &expected);
    // Rows that lie apart, of a length that is no number of packs.
    let part = x.slice(1, 3..500);
    let found = fuse!(part / part.abs().sum_keepdims(1));
    assert_same(&found, &(&part / part.abs().sum_keepdims(1)));
}

/// The same for dtypes other than `f32`.
#[test]
fn large_rows_of_other_dtypes_are_those_of_tensors() {
    let numbers = |rows, width| {
        Tensor::<F32, Rank2>::from_fn([rows, width], |[row, at]| number(row * width + at))
    };
    let x: Tensor<BF16, Rank2> = numbers(rows_from_memory(512 * 4), 512).cast();
    let found = fuse!((x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt());
    let expected = (&x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt();
    assert_same(&found, &expected);
    let x: Tensor<F16, Rank2> = numbers(rows_from_memory(100 * 4), 100).cast();
    let found = fuse!(x / x.max_keepdims(-1));
    assert_same(&found, &(&x / x.max_keepdims(-1)));
    let x: Tensor<F64, Rank2> = numbers(rows_from_memory(1_024 * 16), 1_024).cast();
    let found = fuse!(x * (x * x).mean_keepdims(-1).rsqrt());
    assert_same(&found, &(&x * (&x * &x).mean_keepdims(-1).rsqrt()));
    let x: Tensor<C64, Rank2> = numbers(rows_from_memory(64 * 16), 64).cast();
    let found = fuse!(x - x.sum_keepdims(-1));
    assert_same(&found, &(&x - x.sum_keepdims(-1)));
    let x = Tensor::<I32, Rank2>::from_fn([rows_from_memory(96 * 8), 96], |[row, at]| {
        (number(row * 96 + at) * 1e6) as i32
    });
    let found = fuse!(x - x.min_keepdims(-1));
    assert_same(&found, &(&x - x.min_keepdims(-1)));
    let x = numbers(rows_from_memory(64 * 5), 64);
    let found: Tensor<Bool, Rank2> = fuse!(x > x.mean_keepdims(-1));
    assert_same(&found, &x.gt(x.mean_keepdims(-1)));
}

/// The same for tensors of three axes, also with rows that consist of two axes.
#[test]
fn large_blocks_of_rows_are_those_of_tensors() {
    let count = rows_from_memory(40 * 60 * 8);
    let x =
        Tensor::<F32, Rank3>::from_fn([count, 40, 60], |[i, j, k]| number((i * 40 + j) * 60 + k));
    let (gain, mask) = (
        Tensor::<F32, Rank1>::from_fn([60], |[at]| number(at)),
        Tensor::<F32, Rank3>::from_fn([count, 40, 1], |[i, j, _]| number(i + j)),
    );
    let found = fuse!((x - x.mean_keepdims(-1)) * gain + mask);
    let expected = (&x - x.mean_keepdims(-1)) * &gain + &mask;
    assert_same(&found, &expected);
    let found = fuse!((x - x.mean_keepdims([-2, -1])) / x.std_keepdims([-2, -1]));
    let expected = (&x - x.mean_keepdims([-2, -1])) / x.std_keepdims([-2, -1]);
    assert_same(&found, &expected);
    // Operands that are no matrix of rows, and an axis in between.
    let plane = Tensor::<F32, Rank2>::from_fn([40, 60], |[j, k]| number(j * 60 + k));
    let found = fuse!((x - x.max_keepdims(-1)) * plane);
    assert_same(&found, &((&x - x.max_keepdims(-1)) * &plane));
    let found = fuse!(x - x.max_keepdims(1));
    assert_same(&found, &(&x - x.max_keepdims(1)));
}

/// The same into outputs: tensors, also one that shares its elements, and views for writing.
#[test]
fn large_rows_are_written_to_outputs() {
    let rows = rows_from_memory(512 * 8);
    let x = Tensor::<F32, Rank2>::from_fn([rows, 512], |[row, at]| number(row * 512 + at));
    let gain = Tensor::<F32, Rank1>::from_fn([512], |[at]| number(at * 3));
    let expected = (&x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt() * &gain;
    let mut out: Tensor<F32, Rank2> = Tensor::zeros([rows, 512]);
    fuse!(out = (x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt() * gain);
    assert_same(&out, &expected);
    // A tensor that shares the elements keeps the former ones.
    let shared = out.clone();
    fuse!(out = x / x.abs().max_keepdims(-1));
    assert_same(&shared, &expected);
    assert_same(&out, &(&x / x.abs().max_keepdims(-1)));
    // An operand that shares them is read as it was.
    out = x.clone();
    let found = try_fuse!(out = (x - x.max_keepdims(-1)).exp());
    assert_eq!(found, Ok(()));
    assert_same(&out, &(&x - x.max_keepdims(-1)).exp());
    // Rows of a larger tensor, and columns of one, which are not contiguous.
    let mut large: Tensor<F32, Rank2> = Tensor::ones([rows + 3, 512]);
    fuse!(large.slice_mut(0, 1..rows + 1) = x - x.mean_keepdims(-1));
    let expected = &x - x.mean_keepdims(-1);
    assert_same(&large.slice(0, 1..rows + 1), &expected);
    assert!(large.get(&[0, 511]) == Some(1.0) && large.get(&[rows + 1, 0]) == Some(1.0));
    let mut wide: Tensor<F32, Rank2> = Tensor::ones([rows, 515]);
    fuse!(wide.slice_mut(1, 3..) = x - x.mean_keepdims(-1));
    assert_same(&wide.slice(1, 3..), &expected);
    assert_same(&wide.slice(1, ..3), &Tensor::ones([rows, 3]));
    // An output of another shape is unchanged.
    let error = try_fuse!(wide = x - x.mean_keepdims(-1));
    assert!(error.is_err(), "a shape of 515 columns");
    assert_same(&wide.slice(1, 3..), &expected);
}

/// The same into an output that the expression reads: in a pass, in the result, and in both.
#[test]
fn large_rows_are_normalised_in_place() {
    let rows = rows_from_memory(512 * 8);
    let x = Tensor::<F32, Rank2>::from_fn([rows, 512], |[row, at]| number(row * 512 + at));
    let other = Tensor::<F32, Rank2>::from_fn([rows, 512], |[row, at]| number(row + at));
    let normal = (&x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt();
    let mut out = &x + 0.0;
    fuse!(out = (out - out.mean_keepdims(-1)) * (out.var_keepdims(-1) + 1e-5).rsqrt());
    assert_same(&out, &normal);
    fuse!(out = other - out.max_keepdims(-1));
    assert_same(&out, &(&other - normal.max_keepdims(-1)));
    let mut out = &x + 0.0;
    fuse!(out -= other.mean_keepdims(-1));
    assert_same(&out, &(&x - other.mean_keepdims(-1)));
    // Rows that are no whole packs: the last pack would read what the one before has overwritten.
    let part = x.slice(1, 3..500) + 0.0;
    let mut out = &part + 0.0;
    fuse!(out = out * out / out.abs().sum_keepdims(-1));
    assert_same(&out, &(&part * &part / part.abs().sum_keepdims(-1)));
    // Rules that refuse a promotion, which the macro admits.
    let counts = Tensor::<I64, Rank2>::from_fn([rows, 512], |[row, at]| (row % 7 + at) as i64);
    let mut out = &x + 0.0;
    promote_unsafe!(out = out * counts - (out * counts).mean_keepdims(-1));
    let product = x.promote_unsafe() * &counts;
    assert_same(&out, &(&product - product.mean_keepdims(-1)));
    assert_eq!(
        try_promote_unsafe!(out = counts * out.max_keepdims(-1)),
        Ok(())
    );
    let expected =
        counts.promote_unsafe() * (&product - product.mean_keepdims(-1)).max_keepdims(-1);
    assert_same(&out, &expected);
    // A view, whose name stands for it.
    let mut twice: Tensor<F32, Rank2> = Tensor::zeros([rows * 2, 512]);
    twice.slice_mut(0, rows..).assign(&x);
    let mut view = twice.slice_mut(0, rows..);
    fuse!(
        view = {
            let power = (view - view.max_keepdims(-1)).exp();
            power / power.sum_keepdims(-1)
        }
    );
    let power = (&x - x.max_keepdims(-1)).exp();
    let expected = &power / power.sum_keepdims(-1);
    assert_same(&twice.slice(0, rows..), &expected);
    assert_same(&twice.slice(0, ..rows), &Tensor::zeros([rows, 512]));
}
