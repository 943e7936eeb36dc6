//! Reductions and scans, judged by exact sums of integers and by `f64` with a stated bound:
//! over all axes, one, several, kept or not, of views, of nothing.
#![allow(
    clippy::as_conversions,
    reason = "integers of known size; the elements' own conversions are not used"
)]

use crate::naive;
use core::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::exact::{Kind, Tally, Tested};
use crate::naive::{Plain, Typed, convert, each_dtype, each_real, edges, indices, same, sample};
use supremum::operations::{AnyAll, ArgMinMax, CumulativeSum, Mean, MinMaxReduce, Sum, Variance};
use supremum::{
    AnyRank, BF16, Bool, C64, C128, DType, DynTensor, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ,
    F8E5M2, F8E5M2FNUZ, F16, F32, F64, I8, I16, I32, I64, Jax, Rank, Rank0, Rank1, Rank2, Rank3,
    StaticDType, Tensor, U8, U16, U32, U64, bf16, c64, c128, f16, fuse, select, tensor,
};

/// The elements that are reduced into each element of the result, in row-major order.
fn groups<E: Copy>(plain: &Plain<E>, axes: &[usize]) -> (Vec<usize>, Vec<Vec<E>>) {
    let kept: Vec<usize> = (0..plain.shape.len())
        .filter(|axis| !axes.contains(axis))
        .collect();
    let sizes =
        |axes: &[usize]| -> Vec<usize> { axes.iter().map(|axis| plain.shape[*axis]).collect() };
    let groups = indices(&sizes(&kept))
        .iter()
        .map(|outer| {
            indices(&sizes(axes))
                .iter()
                .map(|inner| {
                    let mut index = vec![0; plain.shape.len()];
                    for (axis, at) in kept.iter().zip(outer).chain(axes.iter().zip(inner)) {
                        index[*axis] = *at;
                    }
                    plain.at(&index)
                })
                .collect()
        })
        .collect();
    (sizes(&kept), groups)
}

/// Every set of axes of a rank.
fn sets_of_axes(rank: usize) -> Vec<Vec<usize>> {
    (0..1_usize << rank)
        .map(|set| (0..rank).filter(|axis| set >> axis & 1 == 1).collect())
        .collect()
}

/// The same tensor from storage of different orders, with what it shows. Random elements and
/// adversarial ones.
fn operands<D: Typed>() -> Vec<(String, Tensor<D>, Plain<D::Element>)> {
    let all_edges = edges::<D::Element>();
    let mut operands = vec![];
    for (shape, what) in [
        (vec![2, 3, 4], "small"),
        (vec![2, 530], "long rows"),
        (vec![1100], "a vector"),
        (vec![0], "nothing"),
        (vec![2, 0, 3], "no columns"),
        (vec![], "a scalar"),
        (vec![1, 1], "one"),
    ] {
        let count = shape.iter().product();
        let plain = Plain::new(&shape, sample::<D::Element>(count, 3));
        let tensor = || {
            Tensor::<D>::from_slice(&plain.elements, shape.as_slice()).expect("a shape that fits")
        };
        operands.push((format!("{what} {shape:?}"), tensor(), plain.clone()));
        let backwards = |values: &[usize]| -> Vec<usize> { values.iter().rev().copied().collect() };
        operands.push((
            format!("{what} {shape:?} transposed"),
            tensor().transpose(),
            plain.mapped(&backwards(&shape), backwards),
        ));
        // Groups are slow to make in a debug build: few views of long ones.
        if !shape.is_empty() && shape != [2, 530] {
            let flipped = plain.mapped(&shape, |index| {
                let mut source = index.to_vec();
                source[0] = shape[0] - 1 - index[0];
                source
            });
            operands.push((
                format!("{what} {shape:?} flipped"),
                tensor().flip(0),
                flipped,
            ));
            if count > 100 {
                continue;
            }
            let mut to = shape.clone();
            to.insert(0, 3);
            let repeated = plain.mapped(&to, |index| index[1..].to_vec());
            operands.push((
                format!("{what} {shape:?} broadcast"),
                tensor().broadcast_to(to.as_slice()),
                repeated,
            ));
        }
    }
    let plain = Plain::new(&[all_edges.len()], all_edges.clone());
    operands.push((
        "edges".into(),
        Tensor::from_slice(&all_edges, [all_edges.len()]).expect("a vector"),
        plain,
    ));
    operands
}

/// Elements and shape.
fn read<D: StaticDType, N: Rank>(t: Tensor<D, N>) -> (Vec<D::Element>, Vec<usize>) {
    (t.to_vec(), t.shape().to_vec())
}

/// Checks all six forms of a reduction against a function of each group.
macro_rules! forms {
    ($tally:ident, $t:ident, $plain:ident, $what:expr, $judge:expr;
     $all:ident $axis:ident $keepdims:ident) => {{
        let rank = $plain.shape.len();
        let signed = |axis: usize| -> [isize; 2] { [axis as isize, axis as isize - rank as isize] };
        for axes in sets_of_axes(rank) {
            let (shape, groups) = groups(&$plain, &axes);
            let kept_shape: Vec<usize> = (0..rank)
                .map(|axis| {
                    if axes.contains(&axis) {
                        1
                    } else {
                        $plain.shape[axis]
                    }
                })
                .collect();
            let mut backwards: Vec<isize> =
                axes.iter().map(|axis| signed(*axis)[axis % 2]).collect();
            backwards.reverse();
            let mut results = vec![
                (read($t.$axis(&backwards)), shape.clone()),
                (read($t.$keepdims(&backwards)), kept_shape.clone()),
            ];
            if axes.len() == rank {
                results.push((read($t.$all()), vec![]));
            }
            if let [axis] = axes[..] {
                let [front, back] = signed(axis);
                results.push((read($t.$axis(front)), shape.clone()));
                results.push((read($t.$keepdims(back)), kept_shape.clone()));
            }
            for (form, ((found, found_shape), expected_shape)) in results.iter().enumerate() {
                let what = format!(
                    "{} of {} over {axes:?}, form {form}",
                    stringify!($all),
                    $what
                );
                assert_eq!(found_shape, expected_shape, "{what}");
                naive::assert_same(found, &results[0].0.0, &what);
            }
            assert_eq!(results[0].0.0.len(), groups.len());
            for (found, group) in results[0].0.0.iter().zip(&groups) {
                let holds: bool = $judge(group, *found);
                $tally.record(holds, || {
                    format!(
                        "{} of {} over {axes:?}: {found:?} of {} elements",
                        stringify!($all),
                        $what,
                        group.len()
                    )
                });
            }
        }
    }};
}

/// Integers are exact, floats within a bound that grows with their magnitudes.
fn is_close<E: Tested>(found: E, expected: c128, magnitude: f64, count: usize) -> bool {
    let unit = match E::KIND {
        Kind::Float(format) | Kind::Complex(format) => 1.0 / format.hidden_bit() as f64,
        _ => 0.0,
    };
    // Small floats accumulate in f32, others in f64.
    let accumulator = if unit > 1e-6 { 2e-7 } else { 4e-16 };
    let least: c128 = convert(E::from_raw(1));
    let found: c128 = convert(found);
    let slack = unit * expected.norm() + accumulator * magnitude * (count as f64).log2().max(1.0);
    // Without infinities NaN stands for sums out of range.
    let overflows = match E::KIND {
        Kind::Float(format) if !format.infinities() => {
            let largest: c128 = convert(E::from_raw(format.max().into()));
            expected.norm() + slack > largest.re
        }
        _ => false,
    };
    (found - expected).norm() <= slack + least.re
        || (found.is_nan() && (expected.is_nan() || overflows))
}

/// The sum or product modulo 2^64.
fn wrapped(group: &[i128], start: i128, f: impl Fn(i128, i128) -> i128) -> i128 {
    group
        .iter()
        .fold(start, |sum, x| f(sum, *x) & i128::from(u64::MAX))
}

fn low_bits<E: Tested>(x: E) -> i128 {
    match E::KIND {
        Kind::Signed(_) => i128::from(convert::<E, i64>(x)) & i128::from(u64::MAX),
        _ => i128::from(convert::<E, u64>(x)),
    }
}

fn sums<D: Typed + Sum<Jax, Output: Typed>>(tally: &mut Tally) {
    for (what, t, plain) in operands::<D>() {
        let what = format!("{} {what}", D::DTYPE);
        let is_edges = what.ends_with("edges");
        if matches!(D::Element::KIND, Kind::Float(_) | Kind::Complex(_)) {
            if is_edges {
                continue;
            }
            let plain = plain.map(convert::<_, c128>);
            forms!(tally, t, plain, what, |group: &[c128], found| {
                let magnitude = group.iter().map(|x| x.norm()).sum();
                is_close(found, group.iter().sum(), magnitude, group.len())
            }; sum sum_axis sum_keepdims);
            if plain.elements.len() < 100 {
                // Products of quarters of small integers: exact in few digits only if few.
                forms!(tally, t, plain, what, |group: &[c128], found| {
                    if group.len() > 3 {
                        return true;
                    }
                    let expected: c128 = group.iter().product();
                    is_close(found, expected, expected.norm(), group.len()) || expected.norm() > 400.0
                }; prod prod_axis prod_keepdims);
            }
        } else {
            let plain = plain.map(low_bits);
            forms!(tally, t, plain, what, |group: &[i128], found| {
                low_bits(found) == wrapped(group, 0, |a, b| a + b)
            }; sum sum_axis sum_keepdims);
            forms!(tally, t, plain, what, |group: &[i128], found| {
                low_bits(found) == wrapped(group, 1, i128::wrapping_mul)
            }; prod prod_axis prod_keepdims);
        }
    }
}

fn means<D: Typed + Mean<Jax, Output: Typed>>(tally: &mut Tally) {
    for (what, t, plain) in operands::<D>() {
        if what == "edges" {
            continue;
        }
        let what = format!("{} {what}", D::DTYPE);
        let plain = plain.map(convert::<_, c128>);
        forms!(tally, t, plain, what, |group: &[c128], found| {
            let count = group.len() as f64;
            let magnitude = group.iter().map(|x| x.norm()).sum::<f64>() / count;
            is_close(found, group.iter().sum::<c128>() / count, magnitude, group.len())
        }; mean mean_axis mean_keepdims);
    }
}

fn variances<D: Typed + Variance<Jax, Output: Typed>>(tally: &mut Tally) {
    let variance = |group: &[c128]| {
        let mean = group.iter().sum::<c128>() / group.len() as f64;
        group.iter().map(|x| (x - mean).norm_sqr()).sum::<f64>() / group.len() as f64
    };
    for (what, t, plain) in operands::<D>() {
        if what == "edges" {
            continue;
        }
        let what = format!("{} {what}", D::DTYPE);
        let plain = plain.map(convert::<_, c128>);
        forms!(tally, t, plain, what, |group: &[c128], found| {
            let expected = variance(group);
            is_close(found, expected.into(), 400.0, group.len())
        }; var var_axis var_keepdims);
        forms!(tally, t, plain, what, |group: &[c128], found| {
            let expected = variance(group).sqrt();
            // The root of a rounding error near zero.
            is_close(found, expected.into(), 400.0, group.len()) || expected < 1e-3
        }; std std_axis std_keepdims);
    }
}

fn truths<D: Typed + AnyAll<Jax, Output: StaticDType<Element = bool>>>(tally: &mut Tally) {
    for (what, t, plain) in operands::<D>() {
        let what = format!("{} {what}", D::DTYPE);
        let plain = plain.map(convert::<_, bool>);
        forms!(tally, t, plain, what, |group: &[bool], found: bool| found == group.contains(&true); any any_axis any_keepdims);
        forms!(tally, t, plain, what, |group: &[bool], found: bool| found != group.contains(&false); all all_axis all_keepdims);
    }
}

/// Where the first extreme is; NaN beats all.
fn extreme<E: naive::Arith>(group: &[E], most: bool) -> usize {
    #[expect(clippy::eq_op, reason = "only NaN differs from itself")]
    let is_nan = |x: E| x != x;
    let mut best = 0;
    for (at, x) in group.iter().enumerate() {
        let better = if most {
            E::less(group[best], *x)
        } else {
            E::less(*x, group[best])
        };
        if (better || is_nan(*x)) && !is_nan(group[best]) {
            best = at;
        }
    }
    best
}

fn extremes<D>(tally: &mut Tally)
where
    D: Typed
        + MinMaxReduce<Jax, Output: StaticDType<Element = D::Element>>
        + ArgMinMax<Jax, Output: StaticDType<Element = i64>>,
{
    for (what, t, plain) in operands::<D>() {
        let what = format!("{} {what}", D::DTYPE);
        if plain.elements.is_empty() {
            assert!(
                matches!(t.try_min(), Err(Error::EmptyReduction { .. })),
                "{what}"
            );
            assert!(
                matches!(t.try_argmax(), Err(Error::EmptyReduction { .. })),
                "{what}"
            );
            continue;
        }
        // Of zeros, any: their signs are checked apart.
        let is =
            |found: D::Element, expected: D::Element| same(found, expected) || found == expected;
        forms!(tally, t, plain, what, |group: &[D::Element], found| is(found, group[extreme(group, false)]); min min_axis min_keepdims);
        forms!(tally, t, plain, what, |group: &[D::Element], found| is(found, group[extreme(group, true)]); max max_axis max_keepdims);
        let rank = plain.shape.len();
        let all: Vec<usize> = (0..rank).collect();
        let mut cases = vec![(all, t.argmin().to_vec(), t.argmax().to_vec())];
        for axis in 0..rank {
            cases.push((
                vec![axis],
                t.argmin_axis(axis as isize).to_vec(),
                t.argmax_axis(axis as isize - rank as isize).to_vec(),
            ));
        }
        for (axes, least, most) in cases {
            let (_, groups) = groups(&plain, &axes);
            for ((group, least), most) in groups.iter().zip(least).zip(most) {
                let holds = least as usize == extreme(group, false)
                    && most as usize == extreme(group, true);
                tally.record(holds, || {
                    format!("arg extremes of {what} over {axes:?}: {least}, {most}")
                });
            }
        }
    }
}

fn running<D: Typed + CumulativeSum<Jax, Output: Typed>>(tally: &mut Tally) {
    for (what, t, plain) in operands::<D>() {
        let what = format!("{} {what}", D::DTYPE);
        let is_float = matches!(D::Element::KIND, Kind::Float(_) | Kind::Complex(_));
        if is_float && what.ends_with("edges") {
            continue;
        }
        for axis in 0..plain.shape.len() {
            let signed = axis as isize
                - if axis % 2 == 0 {
                    0
                } else {
                    plain.shape.len() as isize
                };
            let found = t.cumsum(signed);
            assert_eq!(found.shape(), plain.shape, "{what}");
            let found = Plain::new(&plain.shape, found.to_vec());
            let (numbers, integers) = if is_float {
                (Some(plain.map(convert::<_, c128>)), None)
            } else {
                (None, Some(plain.map(low_bits)))
            };
            let mut record = |holds: bool, found| {
                tally.record(holds, || {
                    format!("cumsum of {what} along {axis}: {found:?}")
                });
            };
            let (_, found) = groups(&found, &[axis]);
            if let Some(numbers) = numbers {
                for (found, group) in found.iter().zip(groups(&numbers, &[axis]).1) {
                    let (mut sum, mut magnitude) = (c128::default(), 0.0);
                    for (at, (found, x)) in found.iter().zip(group).enumerate() {
                        sum += x;
                        // One after the other, so the error grows faster than of `sum`.
                        magnitude += 4.0 * x.norm();
                        record(is_close(*found, sum, magnitude, at + 1), *found);
                    }
                }
            }
            if let Some(integers) = integers {
                for (found, group) in found.iter().zip(groups(&integers, &[axis]).1) {
                    let mut sum = 0;
                    for (found, x) in found.iter().zip(group) {
                        sum += x;
                        // Wraps to the width of the result.
                        let mask = (1_i128 << (8 * size_of_val(found))) - 1;
                        record((low_bits(*found) ^ sum) & mask == 0, *found);
                    }
                }
            }
        }
    }
}

macro_rules! each {
    ([$check:ident $tally:ident] $($dtype:ident)*) => { $($check::<$dtype>(&mut $tally);)* };
}

#[test]
fn sums_and_products() {
    let mut tally = Tally::default();
    each_dtype!(each[sums tally]);
    tally.finish("sum and prod");
}

#[test]
fn means_of_everything() {
    let mut tally = Tally::default();
    each_dtype!(each[means tally]);
    tally.finish("mean");
}

#[test]
fn variances_and_deviations() {
    let mut tally = Tally::default();
    each_dtype!(each[variances tally]);
    tally.finish("var and std");
}

#[test]
fn any_and_all() {
    let mut tally = Tally::default();
    each_dtype!(each[truths tally]);
    tally.finish("any and all");
}

#[test]
fn extremes_and_their_positions() {
    let mut tally = Tally::default();
    each_real!(each[extremes tally]);
    tally.finish("min, max, argmin and argmax");
}

#[test]
fn running_sums() {
    let mut tally = Tally::default();
    each_dtype!(each[running tally]);
    tally.finish("cumsum");
}

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
        let zero = DynTensor::zeros(D::DTYPE, []).expect("memory");
        let missing = x.is_nan().expect("every dtype has classes");
        let zeroed = missing.try_select(zero, &x).expect("one dtype");
        let counts = missing.try_not().expect("booleans").cast(DType::F64);
        let rank = plain.shape.len();
        for axes in sets_of_axes(rank) {
            let what = format!("{} {what} over {axes:?}", D::DTYPE);
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
            if axes.len() == rank {
                let all = [x.try_nan_sum(), x.try_nan_mean()];
                let by_axes = [x.try_nan_sum_axis(&signed), x.try_nan_mean_axis(&signed)];
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
            let tolerance = if D::DTYPE.size() == 1 { 0.3 } else { 0.02 };
            for ((found, expected), share) in found.iter().zip(&expected).zip(values(&share)) {
                let expected = *expected / share.re;
                let near = (*found - expected).norm() <= tolerance * expected.norm().max(0.1);
                let special =
                    !expected.is_finite() || !found.is_finite() || expected.norm() > 200.0;
                record("nan_mean", near || special);
                record("nan_mean of nothing", share.re > 0.0 || found.is_nan());
            }
            if matches!(D::Element::KIND, Kind::Complex(_)) {
                continue;
            }
            let extremes = [x.try_nan_min_axis(&signed), x.try_nan_max_axis(&signed)];
            let (_, groups) = groups(&plain, &axes);
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
        }
    }
}

#[expect(clippy::eq_op, reason = "only NaN differs from itself")]
fn is_nan<E: PartialEq>(x: &E) -> bool {
    *x != *x
}

/// Whether two results have the same dtype, shape and bits, any NaN being as good as another.
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
fn values(x: &DynTensor) -> Vec<c128> {
    let x: Tensor<C128> = x.cast(DType::C128).typed().expect("that dtype");
    x.to_vec()
}

#[test]
fn reductions_without_nan() {
    let mut tally = Tally::default();
    each_dtype!(each[without_nan tally]);
    tally.finish("nan_sum, nan_mean, nan_min and nan_max");
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
                naive::assert_same(&backwards.to_vec(), &x.flip(0).to_vec()[..1].iter().map(|x| convert(*x)).collect::<Vec<_>>(), what);
            )*
        }};
    }
    macro_rules! each_form {
        ($($D:ident $Sum:ident $Mean:ident $Running:ident;)*) => {$(
            same_reductions!([
                nan_sum nan_sum_axis try_nan_sum_axis nan_sum_keepdims try_nan_sum_keepdims: $Sum;
                nan_mean nan_mean_axis try_nan_mean_axis nan_mean_keepdims try_nan_mean_keepdims: $Mean;
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
        nan_mean nan_mean_axis try_nan_mean_axis nan_mean_keepdims try_nan_mean_keepdims: C64;
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

/// A number of 2^-30 units, exactly.
fn scaled(x: f64) -> i128 {
    let scaled = x * 1_073_741_824.0;
    assert_eq!(scaled.fract(), 0.0, "a multiple of 2^-30");
    scaled as i128
}

#[test]
fn a_million_values() {
    let count = 1_000_000;
    let mut state = 1_u64;
    let values: Vec<f32> = (0..count)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            // Between 0 and 2, of different magnitudes, so that naive sums in few digits stall.
            (state >> 40) as f32 / 8_388_608.0
        })
        .collect();
    let halves: Vec<f16> = values
        .iter()
        .map(|x| f16::from_bits(convert::<f32, f16>(*x).to_bits()))
        .collect();
    let brains: Vec<bf16> = values.iter().map(|x| convert(*x)).collect();
    let exactly = |values: &mut dyn Iterator<Item = f64>| -> f64 {
        values.map(scaled).sum::<i128>() as f64 / 1_073_741_824.0
    };

    let total = exactly(&mut values.iter().map(|x| f64::from(*x)));
    let singles = Tensor::<F32, Rank1>::from_vec(values.clone(), [count]).expect("a vector");
    assert_eq!(
        singles.sum().item(),
        Ok(total as f32),
        "f32 adds in f64 and rounds once"
    );
    assert_eq!(singles.mean().item(), Ok((total / count as f64) as f32));
    let strided = singles.reshape([1000, 1000]).transpose();
    assert_eq!(strided.sum().item(), Ok(total as f32), "in another order");

    let total = exactly(&mut brains.iter().map(|x| f64::from(convert::<bf16, f32>(*x))));
    let t = Tensor::<BF16, Rank1>::from_vec(brains, [count]).expect("a vector");
    let found: f32 = convert(t.sum().item().expect("one"));
    assert!(
        (f64::from(found) - total).abs() <= total / 256.0,
        "{found} for {total}"
    );
    assert_eq!(
        t.sum().item(),
        Ok(convert(total)),
        "rounded once, from an accurate sum"
    );
    let mean: f32 = convert(t.mean().item().expect("one"));
    assert_eq!(mean, convert::<bf16, f32>(convert(total / count as f64)));

    let total = exactly(&mut halves.iter().map(|x| f64::from(convert::<f16, f32>(*x))));
    let t = Tensor::<F16, Rank1>::from_vec(halves.clone(), [count]).expect("a vector");
    assert!(total > 65520.0);
    assert_eq!(t.sum().item(), Ok(f16::INFINITY), "beyond f16");
    assert_eq!(
        t.mean().item(),
        Ok(convert(total / count as f64)),
        "but the mean is not"
    );
    // Beyond f16 on the way, and back.
    let there: Tensor<F16, Rank1> = tensor![60000.0, 60000.0, -60000.0, -58976.0];
    assert_eq!(there.sum().item(), Ok(f16::from_f32(1024.0)));
    assert_eq!(
        there.cumsum(0).to_vec(),
        [60000.0, f32::INFINITY, 60000.0, 1024.0].map(f16::from_f32)
    );
    assert_eq!(there.prod().item(), Ok(f16::INFINITY));
    assert_eq!(
        there.slice(0, ..2).mean().item(),
        Ok(f16::from_f32(60000.0))
    );
    assert_eq!(there.slice(0, ..2).std().item(), Ok(f16::ZERO));
    // 4,096 squares of 100 are far beyond f16; their mean is not.
    let swings = Tensor::<F16, Rank1>::from_fn([4096], |at| {
        f16::from_f32(if at[0] % 2 == 0 { 100.0 } else { -100.0 })
    });
    assert_eq!(swings.var().item(), Ok(f16::from_f32(10000.0)));
    assert_eq!(swings.std().item(), Ok(f16::from_f32(100.0)));
    // A variance beside a large mean needs the second pass.
    let far = Tensor::<F32, Rank1>::from_fn([1000], |at| 1e6 + (at[0] % 2) as f32);
    assert_eq!(far.var().item(), Ok(0.25));
    let ones = Tensor::<F8E4M3FN, Rank1>::ones([400]);
    assert_eq!(
        convert::<_, f32>(ones.sum().item().expect("one")),
        384.0,
        "400 lies between 384 and 416; the even significand wins"
    );
    println!("sums of {count} values in f32, bf16 and f16");
}

#[test]
fn sums_of_integers_are_wide() {
    let bytes = Tensor::<U8, Rank1>::full([1000], 255);
    let total: Tensor<U64, Rank0> = bytes.sum();
    assert_eq!(total.item(), Ok(255_000));
    let running: Tensor<U8, Rank1> = bytes.cumsum(0);
    assert_eq!(running.get(&[1]), Some(254));
    let truths: Tensor<Bool, Rank1> = Tensor::ones([300]);
    assert_eq!(
        (truths.sum().item(), truths.prod().item()),
        (Ok(300_i64), Ok(1))
    );
    assert_eq!(truths.cumsum(0).get(&[299]), Some(300_i64));
    let extremes: Tensor<I64, Rank1> = tensor![i64::MAX, 1];
    assert_eq!(extremes.sum().item(), Ok(i64::MIN));
    let wide: Tensor<U64, Rank1> = tensor![u64::MAX, u64::MAX];
    assert_eq!(wide.mean().item(), Ok(u64::MAX as f64));
    let complex: Tensor<C64, Rank1> = tensor![c64::new(1.0, 2.0), c64::new(3.0, -2.0)];
    assert_eq!(complex.mean().item(), Ok(c64::new(2.0, 0.0)));
    assert_eq!(complex.var().item(), Ok(5.0_f32));
    assert_eq!(complex.prod().item(), Ok(c64::new(7.0, 4.0)));
}

#[test]
fn no_elements() {
    let none = Tensor::<F32>::zeros([0, 3]);
    assert_eq!(none.sum_axis(0).to_vec(), [0.0; 3]);
    assert_eq!(none.prod_axis(0).to_vec(), [1.0; 3]);
    assert!(none.mean_axis(0).iter().all(f32::is_nan));
    assert!(none.var_axis(0).iter().all(f32::is_nan));
    assert!(none.std().item().expect("one").is_nan());
    assert_eq!(none.any_axis(0).to_vec(), [false; 3]);
    assert_eq!(none.all_keepdims(0).to_vec(), [true; 3]);
    assert_eq!(none.sum_axis(1).shape(), [0]);
    assert_eq!(none.max_axis(1).shape(), [0], "no group is empty");
    assert_eq!(none.argmax_axis(1).shape(), [0]);
    assert_eq!(none.cumsum(1).shape(), [0, 3]);
}

fn panic_text<T: Debug>(f: impl FnOnce() -> T) -> String {
    let panic = catch_unwind(AssertUnwindSafe(f)).expect_err("a panic");
    panic
        .downcast_ref::<String>()
        .expect("a formatted panic")
        .clone()
}

#[test]
fn errors_in_full() {
    let t: Tensor<F32, AnyRank> = Tensor::zeros([2, 0]);
    let mut checked = 0;
    macro_rules! refused {
        ($($fallible:expr, $panicking:expr => $text:expr;)*) => {$(
            assert_eq!($fallible.expect_err("an error").to_string(), $text);
            assert_eq!(panic_text(|| $panicking), $text);
            checked += 1;
        )*};
    }
    refused! {
        t.try_sum_axis(2), t.sum_axis(2) => "sum: axis 2 does not exist at rank 2";
        t.try_sum_axis(&[0, -3]), t.sum_axis(&[0, -3]) => "sum: axis -3 does not exist at rank 2";
        t.try_sum_keepdims([1, -1]), t.sum_keepdims([1, -1]) => "sum: axis 1 is named twice";
        t.try_mean_keepdims(7), t.mean_keepdims(7) => "mean: axis 7 does not exist at rank 2";
        t.try_min(), t.min() => "min: no elements along the reduced axes of [2, 0]";
        t.try_max_axis(1), t.max_axis(1) => "max: no elements along the reduced axes of [2, 0]";
        t.try_argmin(), t.argmin() => "argmin: no elements along the reduced axes of [2, 0]";
        t.try_argmax_axis(-1), t.argmax_axis(-1) => "argmax: no elements along the reduced axes of [2, 0]";
        t.try_argmax_axis(2), t.argmax_axis(2) => "argmax: axis 2 does not exist at rank 2";
        t.try_nan_sum_axis(2), t.nan_sum_axis(2) => "nan_sum: axis 2 does not exist at rank 2";
        t.try_nan_min(), t.nan_min() => "nan_min: no elements along the reduced axes of [2, 0]";
        t.try_nan_max_axis(1), t.nan_max_axis(1) => "nan_max: no elements along the reduced axes of [2, 0]";
        t.try_nan_mean_keepdims([1, -1]), t.nan_mean_keepdims([1, -1]) => "nan_mean: axis 1 is named twice";
        t.try_cumprod(2), t.cumprod(2) => "cumprod: axis 2 does not exist at rank 2";
        t.try_cummax(-3), t.cummax(-3) => "cummax: axis -3 does not exist at rank 2";
        Tensor::<I32, Rank0>::scalar(1).try_cummin(0), Tensor::<I32, Rank0>::scalar(1).cummin(0) => "cummin: axis 0 does not exist at rank 0";
        t.try_cumsum(2), t.cumsum(2) => "cumsum: axis 2 does not exist at rank 2";
        Tensor::<F32, Rank0>::scalar(1.0).try_cumsum(0), Tensor::<F32, Rank0>::scalar(1.0).cumsum(0) => "cumsum: axis 0 does not exist at rank 0";
    }
    println!("{checked} errors of reductions");
}

#[test]
fn positions_keep_their_axis_if_asked() {
    let t: Tensor<F32, Rank2> = tensor![[1.0, f32::NAN, 5.0], [7.0, 2.0, 7.0]];
    let kept: Tensor<I64, _> = t.argmax_keepdims(-1);
    assert_eq!((kept.shape(), kept.to_vec()), (&[2, 1][..], vec![1, 0]));
    assert_eq!(t.argmin_keepdims(0).shape(), [1, 3]);
    assert_eq!(t.argmin_keepdims(0).to_vec(), t.argmin_axis(0).to_vec());
    assert!(t.try_argmax_keepdims(2).is_err());
}

#[test]
fn the_rank_is_known_where_the_number_of_axes_is() -> Result<(), Error> {
    let t = Tensor::<F32, Rank3>::from_fn([2, 3, 4], |at| (at[0] + 2 * at[1] + 7 * at[2]) as f32);
    let rows: Tensor<F32, Rank1> = t.mean_axis([0, -1]);
    let column: Tensor<F32, Rank2> = t.max_axis(1);
    let all: Tensor<F32, Rank0> = t.var_axis(..);
    let none: Tensor<F32, Rank3> = t.sum_axis([]);
    let any: Tensor<F32> = t.sum_axis(&[0, 1, 2]);
    let axes = vec![2, 0];
    let listed: Tensor<F32> = t.try_mean_axis(&axes)?;
    assert_eq!((rows.into_any(), column), (listed, t.max_axis(1)));
    assert_eq!((all, none), (t.var(), t.clone()));
    assert_eq!(any, t.sum().into_any());
    assert_eq!(t.min_keepdims(..), t.min_keepdims([0, 1, 2]));
    let fused: Tensor<F32, Rank1> = fuse!((t * 2).sum_axis([0, 2]));
    assert_eq!(fused, (&t * 2).sum_axis([2, 0]));
    let fused: Tensor<F32, Rank0> = fuse!((t * 2).mean_axis(..));
    assert_eq!(fused, (&t * 2).mean());
    assert_eq!(fuse!((t - 1).sum_keepdims(..)).shape(), [1, 1, 1]);
    let dynamic = t.clone().into_dyn();
    assert_eq!(
        dynamic.try_mean_axis([0, -1])?,
        t.mean_axis([0, -1]).into_dyn()
    );
    assert_eq!(dynamic.try_sum_axis(..)?, t.sum().into_dyn());
    assert_eq!(dynamic.try_sum_axis(0)?, dynamic.try_sum_axis(0)?);
    let any = t.into_any();
    let error = any.try_sum_axis([0, 3]).unwrap_err();
    assert_eq!(error.to_string(), "sum: axis 3 does not exist at rank 3");
    let error = any.try_sum_axis([0, -3]).unwrap_err();
    assert_eq!(error.to_string(), "sum: axis 0 is named twice");
    Ok(())
}
