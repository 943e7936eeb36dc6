//! Products of matrices.

#[cfg(feature = "parallel")]
use crate::kernel::drive::parallel;

use std::borrow::Cow;

use crate::array::Array;
use crate::dtype::cast::cast as cast_element;
use crate::dtype::{DType, Element, bf16, c64, c128, f16};
use crate::kernel::tests::elementwise::{at_each_level, converted, for_each_element, level_of};
use crate::kernel::tests::layouts::{random, visited};
use crate::kernel::tests::oracle::Oracle;
use crate::kernel::*;
use crate::simd::{SimdLevel, with_level};

/// Small whole numbers: their products and sums are exact in every dtype but the 8-bit floats.
fn small<E: Oracle>(shape: &[usize], seed: u64) -> (Array, Vec<i64>) {
    let count = shape.iter().product::<usize>();
    let numbers = visited([1, count], &|_, at| (random(seed + at as u64) % 3) as i64);
    let elements: Vec<E> = converted(&numbers);
    (Array::from_elements(&elements, shape).unwrap(), numbers)
}

fn matmul_of<E: Oracle>() {
    for [batch, rows, inner, columns] in [
        [1, 1, 1, 1],
        [2, 3, 4, 5],
        [3, 7, 0, 2],
        [1, 17, 33, 9],
        [2, 0, 3, 2],
    ] {
        let (a, x) = small::<E>(&[batch, 1, rows, inner], 1);
        let (b_turned, y) = small::<E>(&[2, columns, inner], 2);
        let b = b_turned.permute(&[0, 2, 1]).unwrap();
        let product = matmul(&a, &b, E::DTYPE).unwrap();
        assert_eq!(product.shape(), [batch, 2, rows, columns]);
        let found: Vec<E> = product.to_vec();
        let mut at = 0;
        for i in 0..batch {
            for j in 0..2 {
                for row in 0..rows {
                    for column in 0..columns {
                        let terms = (0..inner).map(|k| {
                            x[(i * rows + row) * inner + k].min(limit::<E>())
                                * y[(j * columns + column) * inner + k].min(limit::<E>())
                        });
                        let sum: i64 = terms.sum();
                        let expected = cast_element::<i64, E>(sum);
                        assert!(
                            E::alike(found[at], expected),
                            "{} [{batch}, {rows}, {inner}, {columns}]: {:?} {expected:?}",
                            E::DTYPE,
                            found[at]
                        );
                        at += 1;
                    }
                }
            }
        }
    }
    let (v, _) = small::<E>(&[3], 3);
    let (m, _) = small::<E>(&[3, 2], 4);
    assert_eq!(matmul(&v, &m, E::DTYPE).unwrap().shape(), [2]);
    assert_eq!(
        matmul(&m.permute(&[1, 0]).unwrap(), &v, E::DTYPE)
            .unwrap()
            .shape(),
        [2]
    );
    assert_eq!(matmul(&v, &v, E::DTYPE).unwrap().shape(), [0_usize; 0]);
    assert!(matmul(&m, &m, E::DTYPE).is_err());
    assert!(matmul(&v, &v.index_axis(0, 0).unwrap(), E::DTYPE).is_err());
}

/// A boolean makes 1 of 2.
fn limit<E: Element>() -> i64 {
    if E::DTYPE == DType::Bool { 1 } else { 2 }
}

#[test]
fn matmul_agrees() {
    for_each_element!(matmul_of());
    let z = |re, im| c64::new(re, im);
    let a = Array::from_elements(&[z(1.0, 2.0), z(0.0, 1.0)], &[1, 2]).unwrap();
    let b = Array::from_elements(&[z(3.0, -1.0), z(2.0, 0.0)], &[2, 1]).unwrap();
    assert_eq!(
        matmul(&a, &b, DType::C64).unwrap().to_vec::<c64>(),
        [z(5.0, 7.0)]
    );
}

/// `[rows, columns]` of small numbers in several layouts, as arrays and in row-major order.
fn layouts_of<E: Oracle>([rows, columns]: [usize; 2], seed: u64) -> [(Array, Vec<i64>); 4] {
    let (straight, numbers) = small::<E>(&[rows, columns], seed);
    let columns_first = |at: usize| numbers[at % rows * columns + at / rows];
    let turned: Vec<i64> = (0..rows * columns).map(columns_first).collect();
    let turned: Vec<E> = converted(&turned);
    let turned = Array::from_elements(&turned, &[columns, rows]).unwrap();
    let reversed = |array: &Array| array.flip(0).unwrap().flip(1).unwrap();
    let backwards: Vec<i64> = numbers.iter().rev().copied().collect();
    let row = straight.slice(0, 0, 1, 1).unwrap();
    [
        (reversed(&straight), backwards),
        (straight, numbers.clone()),
        (turned.permute(&[1, 0]).unwrap(), numbers.clone()),
        (
            row.broadcast_to(&[rows, columns]).unwrap(),
            numbers[..columns].repeat(rows),
        ),
    ]
}

/// Every seventh sum of a product of matrices in row-major order. (The loop does not depend on a dtype, so it is compiled once.)
fn naive_sums(x: &[i64], y: &[i64], [rows, inner, columns]: [usize; 3]) -> Vec<i64> {
    let mut sums = Vec::new();
    for at in (0..rows * columns).step_by(7) {
        let (row, column) = (at / columns, at % columns);
        let (mut sum, mut k) = (0, 0);
        while k < inner {
            sum += x[row * inner + k] * y[k * columns + column];
            k += 1;
        }
        sums.push(sum);
    }
    sums
}

/// Operands that are read in place, packed, backwards or again and again, around the sizes of blocks.
fn layouts_agree<E: Oracle>(case: usize, [rows, inner, columns]: [usize; 3]) {
    let lefts = layouts_of::<E>([rows, inner], 1);
    let rights = layouts_of::<E>([inner, columns], 2);
    for (left, (a, x)) in lefts.iter().enumerate() {
        // Each layout meets each other one, in half of the sizes.
        for (b, y) in rights.iter().skip((left + case) % 2).step_by(2) {
            let found: Vec<E> = matmul(a, b, E::DTYPE).unwrap().to_vec();
            let expected: Vec<E> = converted(&naive_sums(x, y, [rows, inner, columns]));
            for (number, expected) in expected.into_iter().enumerate() {
                let at = 7 * number;
                assert!(
                    E::alike(found[at], expected),
                    "{} [{rows}, {inner}, {columns}] at {at}: {:?} {expected:?}",
                    E::DTYPE,
                    found[at]
                );
            }
        }
    }
}

/// Sizes take the instruction sets in turn; the first one is that of this number.
fn layouts_agree_around_blocks<E: Oracle>(first_level: usize) {
    let sizes = [
        [12, 256, 32],
        [13, 257, 33],
        [25, 5, 129],
        [97, 300, 17],
        [1, 40, 300],
        [300, 40, 1],
        [70, 1, 70],
        [3, 2, 50],
    ];
    for (case, sizes) in sizes.into_iter().enumerate() {
        with_level(level_of(first_level + case), || {
            layouts_agree::<E>(case, sizes)
        });
    }
}

#[test]
fn matmul_agrees_around_blocks() {
    let all = |first_level: usize| {
        layouts_agree_around_blocks::<u64>(first_level);
        layouts_agree_around_blocks::<i16>(first_level + 1);
        layouts_agree_around_blocks::<f32>(first_level);
        layouts_agree_around_blocks::<f64>(first_level + 1);
        layouts_agree_around_blocks::<c64>(first_level);
        layouts_agree_around_blocks::<c128>(first_level + 1);
    };
    all(0);
    #[cfg(feature = "parallel")]
    parallel::with_threads(3, || all(1));
}

/// A vector by the matrix whose rows are all of its windows: the rows overlap, so terms and sums are both contiguous.
fn windows_agree<E: Oracle>() {
    for [sums, terms] in [[1, 3], [15, 33], [17, 64], [1025, 7], [2050, 2]] {
        let (x, numbers) = small::<E>(&[1, 1, sums + terms - 1], 5);
        let (v, factors) = small::<E>(&[terms], 6);
        let windows = x.windows(2, &[terms], &[1], &[1]).unwrap();
        let windows = windows.reshape(&[sums, terms]).unwrap();
        let turned = windows.permute(&[1, 0]).unwrap();
        let expected: Vec<E> = (0..sums)
            .map(|sum| {
                (0..terms)
                    .map(|term| numbers[sum + term] * factors[term])
                    .sum()
            })
            .map(|sum: i64| cast_element(sum))
            .collect();
        for found in [
            matmul(&windows, &v, E::DTYPE),
            matmul(&v, &turned, E::DTYPE),
        ] {
            let found: Vec<E> = found.unwrap().to_vec();
            let equal = found.iter().zip(&expected).all(|(x, y)| E::alike(*x, *y));
            assert!(equal, "{} [{sums}, {terms}]", E::DTYPE);
        }
    }
}

/// Matrices and vectors of floats, around the sizes of blocks, in layouts that are read in place and in others.
#[test]
fn products_by_vectors_agree() {
    let sizes = [1, 15, 16, 17, 1025, 2051];
    for (case, size) in sizes.into_iter().enumerate() {
        for (turn, other) in [1, 3, 4, 33, 70].into_iter().enumerate() {
            // Sizes take the instruction sets in turn: each loop meets each size of either kind at all of them.
            let agree = |number: usize, run: &dyn Fn()| {
                with_level(level_of(case + turn + number), run);
            };
            agree(0, &|| layouts_agree::<f32>(case, [1, other, size]));
            agree(1, &|| layouts_agree::<f64>(case, [size, other, 1]));
            agree(2, &|| layouts_agree::<f64>(case + 1, [1, size, other]));
            agree(0, &|| layouts_agree::<f32>(case + 1, [other, size, 1]));
        }
    }
    at_each_level(|| {
        for [rows, inner, columns] in [[1, 40, 300], [1, 33, 17], [300, 40, 1], [17, 70, 1]] {
            for case in 0..2 {
                layouts_agree::<bf16>(case, [rows, inner, columns]);
                layouts_agree::<f16>(case, [rows, inner, columns]);
            }
        }
        windows_agree::<f32>();
        windows_agree::<f64>();
        let nan = Array::from_elements(&[f32::NAN, 1.0, f32::INFINITY], &[3]).unwrap();
        let zeros = Array::full(0.0_f32, &[3, 40]).unwrap();
        let product = matmul(&nan, &zeros, DType::F32).unwrap().to_vec::<f32>();
        assert!(product.iter().all(|sum| sum.is_nan()));
    });
}

/// Matrices of small floats that are widened as they are read give the bits of widened matrices of the same layout.
fn widened_in_place<E: Element + Oracle>(sizes: &[[usize; 2]]) {
    let fractions = |shape: &[usize], seed| {
        let element = |at: usize| cast_element(random(seed + at as u64) as f64 * 1e-19 - 0.9);
        Array::from_positions::<E>(shape, element).unwrap()
    };
    let turned = |x: &Array| x.permute(&[0, 2, 1]).unwrap();
    let wide = |x: &Array| cast(Cow::Borrowed(x), DType::F32).unwrap();
    let same = |a: &Array, b: &Array, wide: Array| {
        for out in [E::DTYPE, DType::F32] {
            let found = matmul(a, b, out).unwrap();
            let expected = cast(Cow::Borrowed(&wide), out).unwrap();
            let [found, expected] =
                [found, expected].map(|x| cast(Cow::Owned(x), DType::F32).unwrap());
            let [found, expected] = [found, expected].map(|x| x.to_vec::<f32>());
            assert!(
                found
                    .iter()
                    .zip(&expected)
                    .all(|(x, y)| x.to_bits() == y.to_bits()),
                "{:?} {:?}",
                a.shape(),
                b.shape()
            );
        }
    };
    for &[inner, many] in sizes {
        let (row, matrix) = (
            fractions(&[2, 1, inner], 1),
            fractions(&[2, inner, many], 2),
        );
        let contiguous = fractions(&[2, many, inner], 3);
        same(
            &row,
            &matrix,
            matmul(&wide(&row), &wide(&matrix), DType::F32).unwrap(),
        );
        let product = matmul(&wide(&row), &turned(&wide(&contiguous)), DType::F32).unwrap();
        same(&row, &turned(&contiguous), product);
        let column = turned(&row);
        let product = matmul(&wide(&contiguous), &wide(&column), DType::F32).unwrap();
        same(&contiguous, &column, product);
        let product = matmul(&turned(&wide(&matrix)), &wide(&column), DType::F32).unwrap();
        same(&turned(&matrix), &column, product);
        // One matrix for all rows, and a row of `f32`.
        let first = matrix.index_axis(0, 0).unwrap();
        same(
            &row,
            &first,
            matmul(&wide(&row), &wide(&first), DType::F32).unwrap(),
        );
        let product = matmul(&wide(&row), &wide(&matrix), DType::F32).unwrap();
        let mixed = matmul(&wide(&row), &matrix, DType::F32).unwrap();
        assert_eq!(mixed.to_vec::<f32>(), product.to_vec::<f32>());
    }
}

#[test]
fn small_floats_are_widened_in_place() {
    at_each_level(|| {
        let sizes = [[1, 16], [3, 40], [7, 65], [35, 1025], [70, 31], [129, 64]];
        widened_in_place::<f16>(&sizes);
        widened_in_place::<bf16>(&sizes);
    });
    #[cfg(feature = "parallel")]
    parallel::with_threads(3, || widened_in_place::<bf16>(&[[35, 96]]));
}

/// Matrices of fractions in three layouts: contiguous, transposed, and with rows that lie farther apart.
fn fractions_of<E: Element>([rows, columns]: [usize; 2], seed: u64) -> [Array; 3] {
    let of = |shape: &[usize]| {
        let element = |at: usize| cast_element(random(seed + at as u64) as f64 * 1e-19 - 0.9);
        Array::from_positions::<E>(shape, element).unwrap()
    };
    let wide = of(&[rows, columns + 3]);
    [
        of(&[rows, columns]),
        of(&[columns, rows]).permute(&[1, 0]).unwrap(),
        wide.slice(1, 1, columns.cast_signed() + 1, 1).unwrap(),
    ]
}

/// Products with few terms and few columns are sums of one product after another: by vectors each is rounded, by matrices only the sum if
/// the processor has fused multiply-adds.
macro_rules! narrow_products {
    ($name:ident $number:ident) => {
        fn $name() {
            let is_fused = crate::simd::level() != SimdLevel::Baseline;
            for inner in [1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 33, 64] {
                for (rows, columns) in [
                    (70, 1),
                    (37, 1),
                    (5, 3),
                    (66, 4),
                    (33, 5),
                    (12, 8),
                    (35, 16),
                    (9, 17),
                    (18, 32),
                ] {
                    if columns == 1 && inner > 31 {
                        continue;
                    }
                    for a in fractions_of::<$number>([rows, inner], 1) {
                        let lefts = a.to_vec::<$number>();
                        for b in fractions_of::<$number>([inner, columns], 2) {
                            let found = matmul(&a, &b, $number::DTYPE).unwrap();
                            let found = found.to_vec::<$number>();
                            let rights = b.permute(&[1, 0]).unwrap().to_vec::<$number>();
                            for (at, found) in found.iter().enumerate() {
                                let (row, column) = (at / columns, at % columns);
                                let xs = &lefts[row * inner..][..inner];
                                let ys = &rights[column * inner..][..inner];
                                let mut sum: $number = 0.0;
                                for (x, y) in xs.iter().zip(ys) {
                                    sum = if columns > 1 && is_fused {
                                        x.mul_add(*y, sum)
                                    } else {
                                        sum + x * y
                                    };
                                }
                                let is_same = match columns == 1 && a.strides()[0] == 1 {
                                    true => (found - sum).abs() < 1e-5, // rows are added, four at a time
                                    false => found.to_bits() == sum.to_bits(),
                                };
                                assert!(
                                    is_same,
                                    "[{rows}, {inner}, {columns}] at {at}: {found} {sum}"
                                );
                            }
                        }
                    }
                }
            }
        }
    };
}

narrow_products! { narrow_products_of_f32 f32 }
narrow_products! { narrow_products_of_f64 f64 }

#[test]
fn narrow_products_add_one_term_after_another() {
    at_each_level(|| {
        narrow_products_of_f32();
        narrow_products_of_f64();
    });
}

/// A product in pieces is the whole one except for rounding.
#[cfg(feature = "parallel")]
#[test]
fn matmul_in_pieces_is_close() {
    let fractions = |shape: &[usize], seed| {
        Array::from_positions(shape, |at| (random(seed + at as u64) % 1000) as f32 / 7.0).unwrap()
    };
    let a = fractions(&[2, 161, 700], 1);
    let b = fractions(&[2, 700, 195], 2);
    let product = || matmul(&a, &b, DType::F32).unwrap().to_vec::<f32>();
    let whole = parallel::with_threads(1, product);
    for threads in [2, 5] {
        for (found, whole) in parallel::with_threads(threads, product).iter().zip(&whole) {
            assert!((found - whole).abs() <= whole * 1e-5, "{found} {whole}");
        }
    }
}
