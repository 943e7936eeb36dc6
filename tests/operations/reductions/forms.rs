//! Every form of a reduction against a function of each group.

use supremum::operations::{AnyAll, ArgMinMax, CumulativeSum, Mean, MinMaxReduce, Sum, Variance};
use supremum::{
    BF16, Bool, C64, C128, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16,
    F32, F64, I8, I16, I32, I64, Jax, StaticDType, U8, U16, U32, U64, c128,
};

use super::naive_groups::{groups, is_close, low_bits, operands, read, sets_of_axes, wrapped};
use crate::exact::{Kind, Tally, Tested};
use crate::naive::{self, Plain, Typed, convert, each_dtype, each_real, same};

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

pub(super) fn sums<D: Typed + Sum<Jax, Output: Typed>>(tally: &mut Tally) {
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

pub(super) fn means<D: Typed + Mean<Jax, Output: Typed>>(tally: &mut Tally) {
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

pub(super) fn truths<D: Typed + AnyAll<Jax, Output: StaticDType<Element = bool>>>(
    tally: &mut Tally,
) {
    for (what, t, plain) in operands::<D>() {
        let what = format!("{} {what}", D::DTYPE);
        let plain = plain.map(convert::<_, bool>);
        forms!(tally, t, plain, what, |group: &[bool], found: bool| found == group.contains(&true); any any_axis any_keepdims);
        forms!(tally, t, plain, what, |group: &[bool], found: bool| found != group.contains(&false); all all_axis all_keepdims);
    }
}

/// Returns the position of the first extreme; NaN beats all.
pub(super) fn extreme<E: naive::Arith>(group: &[E], most: bool) -> usize {
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

pub(super) fn extremes<D>(tally: &mut Tally)
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

pub(super) fn running<D: Typed + CumulativeSum<Jax, Output: Typed>>(tally: &mut Tally) {
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
