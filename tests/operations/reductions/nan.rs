//! Reductions that skip NaN, and the extremes of zeros and NaN.

use supremum::{
    AnyRank, BF16, Bool, C64, C128, DType, DynTensor, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ,
    F8E5M2, F8E5M2FNUZ, F16, F32, F64, I8, I16, I32, I64, Rank1, Rank2, StaticDType, Tensor, U8,
    U16, U32, U64, c64, c128, f16, fuse, select, tensor,
};

use super::forms::extreme;
use super::naive_groups::{groups, operands, sets_of_axes};
use crate::exact::{Kind, Tally, Tested};
use crate::naive::{self, Plain, Typed, convert, each_dtype, edges, sample};

/// Without NaN and with some, in each layout of [`operands`], which have the special values of the dtype among them.
fn without_nan<D: Typed>(tally: &mut Tally) {
    let mut operands = operands::<D>();
    let only_nan: Vec<D::Element> = edges::<D::Element>().into_iter().filter(is_nan).collect();
    if !only_nan.is_empty() {
        let shape = [only_nan.len()];
        let t = Tensor::from_slice(&only_nan, shape).expect("a vector");
        operands.push(("NaN alone".into(), t, Plain::new(&shape, only_nan)));
    }
    for (what, t, plain) in operands {
        let x = t.into_dyn();
        sums_and_means(&x, &what, tally);
        if !matches!(D::Element::KIND, Kind::Complex(_)) {
            extremes::<D>(&x, &plain, &what, tally);
        }
    }
}

/// Sums, products and means are those of elements in which a number stands for NaN.
fn sums_and_means(x: &DynTensor, what: &str, tally: &mut Tally) {
    let dtype = x.dtype();
    let zero = DynTensor::zeros(dtype, []).expect("memory");
    let missing = x.is_nan().expect("every dtype has classes");
    let zeroed = missing.try_select(zero, x).expect("one dtype");
    let one = DynTensor::ones(dtype, []).expect("memory");
    let ones = missing.try_select(one, x).expect("one dtype");
    let counts = missing.try_not().expect("booleans").cast(DType::F64);
    let rank = x.ndim();
    for axes in sets_of_axes(rank) {
        let what = format!("{dtype} {what} over {axes:?}");
        let signed: Vec<isize> = axes.iter().map(|axis| *axis as isize).collect();
        let mut record = |name: &str, holds: bool| {
            tally.record(holds, || format!("{name} of {what}"));
        };
        // The same elements, in the same order.
        let sums = [x.try_nan_sum_axis(&signed), x.try_nan_sum_keepdims(&signed)];
        let zeroed_sums = [
            zeroed.try_sum_axis(&signed),
            zeroed.try_sum_keepdims(&signed),
        ];
        record("nan_sum", same_results(&sums, &zeroed_sums));
        let products = [
            x.try_nan_prod_axis(&signed),
            x.try_nan_prod_keepdims(&signed),
        ];
        let of_ones = [ones.try_prod_axis(&signed), ones.try_prod_keepdims(&signed)];
        record("nan_prod", same_results(&products, &of_ones));
        if axes.len() == rank {
            let all = [x.try_nan_sum(), x.try_nan_mean(), x.try_nan_prod()];
            let by_axes = [
                x.try_nan_sum_axis(&signed),
                x.try_nan_mean_axis(&signed),
                x.try_nan_prod_axis(&signed),
            ];
            record("forms", same_results(&all, &by_axes));
        }
        if let [axis] = signed[..] {
            let one = [
                x.try_nan_sum_axis(axis),
                x.try_nan_mean_axis(axis - rank as isize),
            ];
            let by_axes = [x.try_nan_sum_axis(&signed), x.try_nan_mean_axis(&signed)];
            record("forms", same_results(&one, &by_axes));
        }
        // The mean of zeroed elements, times how many more of them there are.
        let means = x
            .try_nan_mean_axis(&signed)
            .expect("every dtype has a mean");
        let zeroed_means = zeroed
            .try_mean_axis(&signed)
            .expect("every dtype has a mean");
        let share = counts.try_mean_axis(&signed).expect("a float");
        let (found, expected) = (values(&means), values(&zeroed_means));
        let tolerance = if dtype.size() == 1 { 0.3 } else { 0.02 };
        for ((found, expected), share) in found.iter().zip(&expected).zip(values(&share)) {
            let expected = *expected / share.re;
            let near = (*found - expected).norm() <= tolerance * expected.norm().max(0.1);
            let special = !expected.is_finite() || !found.is_finite() || expected.norm() > 200.0;
            record("nan_mean", near || special);
            record("nan_mean of nothing", share.re > 0.0 || found.is_nan());
        }
    }
}

/// Extremes and their positions, of real elements.
fn extremes<D: Typed>(x: &DynTensor, plain: &Plain<D::Element>, what: &str, tally: &mut Tally) {
    let rank = plain.shape.len();
    for axes in sets_of_axes(rank) {
        let what = format!("{} {what} over {axes:?}", D::DTYPE);
        let signed: Vec<isize> = axes.iter().map(|axis| *axis as isize).collect();
        let mut record = |name: &str, holds: bool| {
            tally.record(holds, || format!("{name} of {what}"));
        };
        let extremes = [x.try_nan_min_axis(&signed), x.try_nan_max_axis(&signed)];
        let groups = groups(plain, &axes);
        for (found, greatest) in extremes.into_iter().zip([false, true]) {
            if groups.iter().any(Vec::is_empty) {
                record(
                    "of nothing",
                    matches!(found, Err(Error::EmptyReduction { .. })),
                );
                continue;
            }
            let found = found.expect("an extreme");
            let found: Tensor<D, AnyRank> = found.typed().expect("the same dtype");
            for (found, group) in found.to_vec().into_iter().zip(&groups) {
                let numbers: Vec<D::Element> =
                    group.iter().copied().filter(|x| !is_nan(x)).collect();
                let holds = match numbers.is_empty() {
                    true => is_nan(&found),
                    false => found == numbers[extreme(&numbers, greatest)],
                };
                record("an extreme number", holds);
            }
        }
        // Positions are along one axis, or among all elements.
        let positions = match signed[..] {
            [axis] => [x.try_nan_argmin_axis(axis), x.try_nan_argmax_keepdims(axis)],
            _ if axes.len() == rank => [x.try_nan_argmin(), x.try_nan_argmax()],
            _ => continue,
        };
        for (found, greatest) in positions.into_iter().zip([false, true]) {
            if groups.iter().any(Vec::is_empty) {
                let refused = matches!(
                    found,
                    Err(Error::EmptyReduction { operation, .. }) if operation.starts_with("nan_arg")
                );
                record("a position in nothing", refused);
                continue;
            }
            let found: Tensor<I64, AnyRank> = found.and_then(|x| x.typed()).expect("positions");
            for (found, group) in found.to_vec().into_iter().zip(&groups) {
                let numbered: Vec<usize> =
                    (0..group.len()).filter(|at| !is_nan(&group[*at])).collect();
                let numbers: Vec<D::Element> = numbered.iter().map(|at| group[*at]).collect();
                let expected = match numbers.is_empty() {
                    true => -1,
                    false => numbered[extreme(&numbers, greatest)] as i64,
                };
                record("a position among numbers", found == expected);
            }
        }
    }
}

#[expect(clippy::eq_op, reason = "only NaN differs from itself")]
pub(super) fn is_nan<E: PartialEq>(x: &E) -> bool {
    *x != *x
}

/// Returns whether two results have the same dtype, shape and bits, any NaN being as good as another.
fn same_results(found: &[Result<DynTensor, Error>], expected: &[Result<DynTensor, Error>]) -> bool {
    found.iter().zip(expected).all(|pair| match pair {
        (Ok(a), Ok(b)) => {
            let parts = values(a).into_iter().zip(values(b));
            let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan());
            (a.dtype(), a.shape()) == (b.dtype(), b.shape())
                && parts
                    .into_iter()
                    .all(|(x, y)| same(x.re, y.re) && same(x.im, y.im))
        }
        _ => false,
    })
}

/// The elements; 64-bit integers as far as `f64` has them.
pub(super) fn values(x: &DynTensor) -> Vec<c128> {
    let x: Tensor<C128> = x.cast(DType::C128).typed().expect("that dtype");
    x.to_vec()
}

#[test]
fn reductions_without_nan() {
    let mut tally = Tally::default();
    each_dtype!(each[without_nan tally]);
    tally.finish("nan_sum, nan_mean, nan_prod, nan_min, nan_max and their positions");
}

/// Typed, fused and dynamic: reductions that skip NaN, alone and of an expression, and scans.
#[test]
fn each_form_gives_the_same() {
    macro_rules! same_reductions {
        ([$($name:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident: $Out:ident;)*] $D:ident) => {{
            let mut elements = edges::<<$D as StaticDType>::Element>();
            elements.extend(sample::<<$D as StaticDType>::Element>(600, 5));
            elements.truncate(elements.len() / 3 * 3);
            let x: Tensor<$D, Rank1> = Tensor::from_slice(&elements, [elements.len()]).expect("a vector");
            let x = x.reshape([3, elements.len() / 3]);
            let any = x.clone().into_dyn();
            $(
                let what = concat!(stringify!($name), " of ", stringify!($D));
                let along: Tensor<$Out, Rank1> = x.$axis(-1);
                naive::assert_same(&fuse!(x.$axis(-1)).to_vec(), &along.to_vec(), what);
                let joined = select(&x.is_nan(), &x, &x);
                naive::assert_same(&fuse!(select(x.is_nan(), x, x).$axis(-1)).to_vec(), &joined.$axis(-1).to_vec(), what);
                let dynamic: Tensor<$Out, Rank1> = any.$try_axis(-1).expect("defined").typed().expect("the dtype");
                naive::assert_same(&dynamic.to_vec(), &along.to_vec(), what);
                let kept: Tensor<$Out, Rank2> = x.$keepdims(0);
                naive::assert_same(&fuse!(x.$keepdims(0)).to_vec(), &kept.to_vec(), what);
                let dynamic: Tensor<$Out, Rank2> = any.$try_keepdims(0).expect("defined").typed().expect("the dtype");
                naive::assert_same(&dynamic.to_vec(), &kept.to_vec(), what);
            )*
        }};
    }
    macro_rules! same_scans {
        ([$($name:ident $try_name:ident: $Out:ident;)*] $D:ident) => {{
            let mut elements = edges::<<$D as StaticDType>::Element>();
            elements.extend(sample::<<$D as StaticDType>::Element>(600, 5));
            let x: Tensor<$D, Rank1> = Tensor::from_slice(&elements, [elements.len()]).expect("a vector");
            let any = x.clone().into_dyn();
            $(
                let what = concat!(stringify!($name), " of ", stringify!($D));
                let along: Tensor<$Out, Rank1> = x.$name(0);
                let dynamic: Tensor<$Out, Rank1> = any.$try_name(0).expect("defined").typed().expect("the dtype");
                naive::assert_same(&dynamic.to_vec(), &along.to_vec(), what);
                let backwards = x.flip(0).$name(0).slice(0, ..1);
                naive::assert_same(&backwards.to_vec(), &[convert(elements[elements.len() - 1])], what);
            )*
        }};
    }
    macro_rules! each_form {
        ($($D:ident $Sum:ident $Mean:ident $Running:ident;)*) => {$(
            same_reductions!([
                nan_sum nan_sum_axis try_nan_sum_axis nan_sum_keepdims try_nan_sum_keepdims: $Sum;
                nan_prod nan_prod_axis try_nan_prod_axis nan_prod_keepdims try_nan_prod_keepdims: $Sum;
                nan_argmin nan_argmin_axis try_nan_argmin_axis nan_argmin_keepdims try_nan_argmin_keepdims: I64;
                nan_argmax nan_argmax_axis try_nan_argmax_axis nan_argmax_keepdims try_nan_argmax_keepdims: I64;
                nan_mean nan_mean_axis try_nan_mean_axis nan_mean_keepdims try_nan_mean_keepdims: $Mean;
                nan_var nan_var_axis try_nan_var_axis nan_var_keepdims try_nan_var_keepdims: $Mean;
                nan_std nan_std_axis try_nan_std_axis nan_std_keepdims try_nan_std_keepdims: $Mean;
                nan_min nan_min_axis try_nan_min_axis nan_min_keepdims try_nan_min_keepdims: $D;
                nan_max nan_max_axis try_nan_max_axis nan_max_keepdims try_nan_max_keepdims: $D;
            ] $D);
            same_scans!([
                cumsum try_cumsum: $Running; cumprod try_cumprod: $Running; cummax try_cummax: $D; cummin try_cummin: $D;
            ] $D);
        )*};
    }
    each_form! {
        Bool I64 F32 I64; U8 U64 F32 U8; I64 I64 F64 I64; F8E4M3FN F8E4M3FN F8E4M3FN F8E4M3FN; BF16 BF16 BF16 BF16;
        F16 F16 F16 F16; F32 F32 F32 F32; F64 F64 F64 F64;
    }
    same_reductions!([
        nan_sum nan_sum_axis try_nan_sum_axis nan_sum_keepdims try_nan_sum_keepdims: C64;
        nan_prod nan_prod_axis try_nan_prod_axis nan_prod_keepdims try_nan_prod_keepdims: C64;
        nan_mean nan_mean_axis try_nan_mean_axis nan_mean_keepdims try_nan_mean_keepdims: C64;
        nan_var nan_var_axis try_nan_var_axis nan_var_keepdims try_nan_var_keepdims: F32;
        nan_std nan_std_axis try_nan_std_axis nan_std_keepdims try_nan_std_keepdims: F32;
    ] C64);
    same_scans!([cumsum try_cumsum: C64; cumprod try_cumprod: C64;] C64);
}

#[test]
fn nan_is_skipped() {
    let t: Tensor<F32, Rank2> = tensor![[1.0, f32::NAN, 3.0], [f32::NAN, f32::NAN, f32::NAN]];
    assert_eq!(t.nan_sum_axis(1).to_vec(), [4.0, 0.0]);
    assert_eq!(t.nan_sum().item(), Ok(4.0));
    assert_eq!(t.nan_mean().item(), Ok(2.0));
    assert_eq!((t.nan_min().item(), t.nan_max().item()), (Ok(1.0), Ok(3.0)));
    assert!(t.nan_mean_axis(1).to_vec()[1].is_nan() && t.nan_max_axis(1).to_vec()[1].is_nan());
    naive::assert_same(
        &t.nan_min_axis(0).to_vec(),
        &[1.0, f32::NAN, 3.0],
        "columns",
    );
    let infinite: Tensor<F32> = tensor![f32::INFINITY, f32::NAN, f32::NEG_INFINITY];
    assert!(
        infinite.nan_sum().item().expect("one").is_nan(),
        "a sum that is NaN stays one"
    );
    let low: Tensor<F32> = tensor![f32::NEG_INFINITY, f32::NAN];
    assert_eq!(low.nan_max().item(), Ok(f32::NEG_INFINITY));
    for zeros in [[0.0, f32::NAN, -0.0], [-0.0, f32::NAN, 0.0]] {
        let t: Tensor<F32, Rank1> = Tensor::from_slice(&zeros, [3]).expect("a vector");
        assert!(t.nan_min().item().expect("one").is_sign_negative());
        assert!(t.nan_max().item().expect("one").is_sign_positive());
    }
    let none = Tensor::<F32>::zeros([0, 3]);
    assert_eq!(none.nan_sum_axis(0).to_vec(), [0.0; 3]);
    assert!(none.nan_mean_axis(0).iter().all(f32::is_nan));
    assert_eq!(none.nan_max_axis(1).shape(), [0], "no group is empty");
    // A small float has no more than 65,504, but the mean is computed in f32, with an exact count.
    let many = Tensor::<F16, Rank1>::from_fn([4096], |at| {
        if at[0] % 2 == 0 {
            f16::from_f32(60000.0)
        } else {
            f16::NAN
        }
    });
    assert_eq!(many.nan_mean().item(), Ok(f16::from_f32(60000.0)));
    assert_eq!(many.nan_sum().item(), Ok(f16::INFINITY));
    let z: Tensor<C64, Rank1> = tensor![
        c64::new(1.0, f32::NAN),
        c64::new(2.0, -4.0),
        c64::new(f32::NAN, 0.0)
    ];
    assert_eq!(z.nan_sum().item(), Ok(c64::new(2.0, -4.0)));
    assert_eq!(z.nan_mean().item(), Ok(c64::new(2.0, -4.0)));
}

#[test]
fn products_and_positions_skip_nan() {
    let (nan, inf) = (f32::NAN, f32::INFINITY);
    let t: Tensor<F32, Rank2> = tensor![[2.0, nan, 3.0], [nan, nan, nan], [nan, -inf, nan]];
    assert_eq!(t.nan_prod_axis(1).to_vec(), [6.0, 1.0, -inf]);
    assert_eq!(t.nan_prod_axis(0).to_vec(), [2.0, -inf, 3.0]);
    // An infinity is found behind a NaN, whose position NumPy and JAX give; -1 stands for nothing but NaN, as in JAX.
    assert_eq!(t.nan_argmax_axis(1).to_vec(), [2, -1, 1]);
    assert_eq!(t.nan_argmin_axis(1).to_vec(), [0, -1, 1]);
    assert_eq!(t.nan_argmax_axis(0).to_vec(), [0, 2, 0]);
    assert_eq!(
        (t.nan_argmin().item(), t.nan_argmax().item()),
        (Ok(7), Ok(2))
    );
    let kept: Tensor<I64, Rank2> = t.nan_argmax_keepdims(1);
    assert_eq!(kept.shape(), [3, 1]);
    let none: Tensor<F32, Rank2> = t.slice(0, 1..2);
    assert_eq!(
        (none.nan_argmin().item(), none.nan_prod().item()),
        (Ok(-1), Ok(1.0))
    );
    // The first of equal ones; zeros of both signs are equal.
    let ties: Tensor<F32, Rank1> = tensor![nan, 0.0, -0.0, 0.0];
    assert_eq!(
        (ties.nan_argmin().item(), ties.nan_argmax().item()),
        (Ok(1), Ok(1))
    );
    // The product of small floats is computed in f32 and rounded once.
    let halves: Tensor<F16, Rank1> = tensor![60000.0, f16::NAN, 60000.0, 0.0];
    assert_eq!(halves.nan_prod().item(), Ok(f16::ZERO));
    let z: Tensor<C64, Rank1> = tensor![
        c64::new(1.0, f32::NAN),
        c64::new(2.0, -4.0),
        c64::new(0.0, 1.0)
    ];
    assert_eq!(z.nan_prod().item(), Ok(c64::new(4.0, 2.0)));
    let bytes = tensor![U8; 3, 200, 7];
    assert_eq!(
        (bytes.nan_prod().item(), bytes.nan_argmax().item()),
        (Ok(4200), Ok(1))
    );
    let fused = fuse!((t * 2.0).nan_argmax_axis(1));
    assert_eq!(fused.to_vec(), [2, -1, 1]);
}

#[test]
fn variances_skip_nan() {
    let t: Tensor<F32, Rank2> = tensor![[1.0, f32::NAN, 5.0], [f32::NAN, f32::NAN, f32::NAN]];
    let rows: Tensor<F32, Rank1> = t.nan_var_axis(1);
    naive::assert_same(&rows.to_vec(), &[4.0, f32::NAN], "rows");
    let columns: Tensor<F32, Rank1> = t.nan_std_axis(0);
    naive::assert_same(&columns.to_vec(), &[0.0, f32::NAN, 0.0], "columns");
    assert_eq!((t.nan_var().item(), t.nan_std().item()), (Ok(4.0), Ok(2.0)));
    // An infinity is not NaN: it deviates from the infinite mean by NaN, which counts.
    for other in [f32::INFINITY, f32::NEG_INFINITY] {
        let infinite: Tensor<F32, Rank1> =
            Tensor::from_slice(&[1.0, other, f32::NAN], [3]).expect("a vector");
        assert!(infinite.nan_var().item().expect("one").is_nan());
    }
    let none = Tensor::<F32>::zeros([0, 3]);
    assert!(none.nan_var_axis(0).iter().all(f32::is_nan));
    // Each part of a complex number that is NaN makes the number one; the variance is real.
    let z: Tensor<C64, Rank1> = tensor![
        c64::new(1.0, f32::NAN),
        c64::new(3.0, 4.0),
        c64::new(-3.0, -4.0)
    ];
    let variance: Tensor<F32, _> = z.nan_var();
    assert_eq!(variance.item(), Ok(25.0));
    let bytes: Tensor<U8, Rank1> = tensor![1, 3];
    assert_eq!(bytes.nan_var(), bytes.var());
    // Many short groups, which are reduced side by side, and long ones: the same as without the NaN between numbers.
    for (rows, columns) in [(5, 200), (200, 5), (3, 3000)] {
        let with_nan = Tensor::<F32, Rank2>::from_fn([rows, 2 * columns], |at| {
            if at[1] % 2 == 0 {
                f32::NAN
            } else {
                ((at[0] * 31 + at[1] * 17) % 101) as f32
            }
        });
        let numbers = with_nan.slice_step(1, 1.., 2);
        for (found, expected) in [
            (with_nan.nan_var_axis(1), numbers.var_axis(1)),
            (with_nan.transpose().nan_var_axis(0), numbers.var_axis(1)),
        ] {
            for (found, expected) in found.iter().zip(expected.iter()) {
                assert!(
                    (found - expected).abs() <= expected * 1e-6,
                    "{found} {expected}"
                );
            }
        }
    }
}

#[test]
fn scans_of_products_and_extremes() {
    let t: Tensor<F32> = tensor![1.0, -2.0, f32::NAN, 3.0];
    naive::assert_same(
        &t.cummax(0).to_vec(),
        &[1.0, 1.0, f32::NAN, f32::NAN],
        "from NaN on",
    );
    naive::assert_same(
        &t.cummin(0).to_vec(),
        &[1.0, -2.0, f32::NAN, f32::NAN],
        "from NaN on",
    );
    naive::assert_same(
        &t.cumprod(0).to_vec(),
        &[1.0, -2.0, f32::NAN, f32::NAN],
        "from NaN on",
    );
    let zeros: Tensor<F32> = tensor![-0.0, 0.0, -0.0];
    naive::assert_same(
        &zeros.cummax(0).to_vec(),
        &[-0.0, 0.0, 0.0],
        "+0 is more than -0",
    );
    naive::assert_same(
        &zeros.cummin(0).to_vec(),
        &[-0.0, -0.0, -0.0],
        "-0 is less than +0",
    );
    let bytes: Tensor<U8, Rank2> = tensor![[100, 3], [3, 1], [2, 5]];
    assert_eq!(bytes.cumprod(0).to_vec(), [100, 3, 44, 3, 88, 15], "wraps");
    assert_eq!(bytes.cummax(0).to_vec(), [100, 3, 100, 3, 100, 5]);
    assert_eq!(bytes.transpose().cummin(1).to_vec(), [100, 3, 2, 3, 1, 1]);
    let truths: Tensor<Bool> = tensor![false, true, false];
    assert_eq!(truths.cummax(0).to_vec(), [false, true, true]);
    assert_eq!(truths.cumprod(0).to_vec(), [0_i64, 0, 0]);
    // Beyond f16 on the way, and back.
    let there: Tensor<F16, Rank1> = tensor![60000.0, 2.0, 0.5];
    assert_eq!(
        there.cumprod(0).to_vec(),
        [60000.0, f32::INFINITY, 60000.0].map(f16::from_f32)
    );
    let z: Tensor<C64, Rank1> = tensor![c64::new(0.0, 1.0), c64::new(0.0, 1.0)];
    assert_eq!(
        z.cumprod(0).to_vec(),
        [c64::new(0.0, 1.0), c64::new(-1.0, 0.0)]
    );
    let row = bytes.slice(0, ..1).broadcast_to([4, 2]);
    assert_eq!(row.cumprod(0).to_vec(), [100, 3, 16, 9, 64, 27, 0, 81]);
    assert_eq!(Tensor::<F32>::zeros([0, 3]).cummax(1).shape(), [0, 3]);
    assert_eq!(Tensor::<F32>::zeros([0, 3]).cumprod(0).shape(), [0, 3]);
}

#[test]
fn signed_zeros_and_nan_of_extremes() {
    for elements in [[0.0, -0.0], [-0.0, 0.0]] {
        let t = Tensor::<F32, Rank1>::from_slice(&elements, [2]).expect("a vector");
        assert!(t.min().item().expect("one").is_sign_negative());
        assert!(t.max().item().expect("one").is_sign_positive());
        assert_eq!(
            (t.argmin().item(), t.argmax().item()),
            (Ok(0), Ok(0)),
            "equal: the first"
        );
    }
    let t: Tensor<F16> = tensor![f16::ONE, f16::NAN, f16::INFINITY, f16::NAN];
    assert!(t.min().item().expect("one").is_nan() && t.max().item().expect("one").is_nan());
    assert_eq!((t.argmin().item(), t.argmax().item()), (Ok(1), Ok(1)));
    let zero: Tensor<F32> = tensor![-0.0, -0.0];
    assert!(
        zero.sum().item().expect("one").is_sign_negative(),
        "as in IEEE 754"
    );
    assert!(
        Tensor::<F32>::zeros([0])
            .sum()
            .item()
            .expect("one")
            .is_sign_positive()
    );
}
