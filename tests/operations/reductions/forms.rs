//! Every form of a reduction against a function of each group.

use supremum::operations::{AnyAll, ArgMinMax, CumulativeSum, Mean, MinMaxReduce, Sum, Variance};
use supremum::{
    BF16, Bool, C64, C128, Error, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ, F16,
    F32, F64, I8, I16, I32, I64, Jax, StaticDType, U8, U16, U32, U64, c128,
};

use super::naive_groups::{groups, is_close, low_bits, operands, read, sets_of_axes, wrapped};
use crate::exact::{Kind, Tally, Tested};
use crate::naive::{self, Plain, Typed, convert, each_dtype, each_real, same};

/// A set of axes, and the arguments and results of reductions along them.
struct Axes {
    axes: Vec<usize>,
    /// From last to first, some counted from the end.
    backwards: Vec<isize>,
    /// The axis counted from either end, if it is a single one.
    single: Option<[isize; 2]>,
    are_all: bool,
    shape: Vec<usize>,
    kept_shape: Vec<usize>,
}

impl Axes {
    /// Returns every set of axes of a shape.
    fn sets(shape: &[usize]) -> Vec<Self> {
        let rank = shape.len();
        let signed = |axis: usize| -> [isize; 2] { [axis as isize, axis as isize - rank as isize] };
        let mut sets = vec![];
        for axes in sets_of_axes(rank) {
            let backwards = axes.iter().rev().map(|axis| signed(*axis)[axis % 2]);
            let size = |axis: usize| if axes.contains(&axis) { 1 } else { shape[axis] };
            let is_kept = |axis: &usize| !axes.contains(axis);
            sets.push(Self {
                backwards: backwards.collect(),
                single: match axes[..] {
                    [axis] => Some(signed(axis)),
                    _ => None,
                },
                are_all: axes.len() == rank,
                shape: (0..rank).filter(is_kept).map(|axis| shape[axis]).collect(),
                kept_shape: (0..rank).map(size).collect(),
                axes,
            });
        }
        sets
    }

    /// Returns the shape of the result in each form, in the order of [`forms`].
    fn shapes(&self) -> Vec<&[usize]> {
        let mut shapes = vec![&self.shape[..], &self.kept_shape];
        if self.are_all {
            shapes.push(&[]);
        }
        if self.single.is_some() {
            shapes.extend([&self.shape[..], &self.kept_shape]);
        }
        shapes
    }

    /// Checks the elements and shapes of all forms against a function of each group. It knows no dtype of operands: the compiler
    /// compiles it for each dtype of results.
    fn judge<G: Copy, E: Tested>(
        &self,
        tally: &mut Tally,
        what: &str,
        plain: &Plain<G>,
        results: &[(Vec<E>, Vec<usize>)],
        judge: &dyn Fn(&[G], E) -> bool,
    ) {
        let what = format!("{what} over {:?}", self.axes);
        let shapes = self.shapes();
        assert_eq!(results.len(), shapes.len(), "{what}");
        for (form, ((found, found_shape), shape)) in results.iter().zip(shapes).enumerate() {
            let what = format!("{what}, form {form}");
            assert_eq!(found_shape, shape, "{what}");
            naive::assert_same(found, &results[0].0, &what);
        }
        let groups = groups(plain, &self.axes);
        assert_eq!(results[0].0.len(), groups.len(), "{what}");
        for (found, group) in results[0].0.iter().zip(&groups) {
            tally.record(judge(group, *found), || {
                format!("{what}: {found:?} of {} elements", group.len())
            });
        }
    }
}

/// Checks all forms of a reduction against a function of each group.
macro_rules! forms {
    ($tally:ident, $t:ident, $plain:ident, $what:expr, $judge:expr;
     $all:ident $axis:ident $keepdims:ident) => {
        for axes in Axes::sets(&$plain.shape) {
            let mut results = vec![
                read($t.$axis(&axes.backwards)),
                read($t.$keepdims(&axes.backwards)),
            ];
            if axes.are_all {
                results.push(read($t.$all()));
            }
            if let Some([front, back]) = axes.single {
                results.extend([read($t.$axis(front)), read($t.$keepdims(back))]);
            }
            let what = format!("{} of {}", stringify!($all), $what);
            axes.judge($tally, &what, &$plain, &results, &$judge);
        }
    };
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
            let groups = groups(&plain, &axes);
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
            let found = groups(&found, &[axis]);
            if let Some(numbers) = numbers {
                for (found, group) in found.iter().zip(groups(&numbers, &[axis])) {
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
                for (found, group) in found.iter().zip(groups(&integers, &[axis])) {
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
