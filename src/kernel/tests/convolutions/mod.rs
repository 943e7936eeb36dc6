//! Convolutions, beside sums of products one by one; `transposed` has transposed ones, and `random` has both in random shapes.
#![allow(clippy::as_conversions, reason = "small integers")]

mod random;
mod transposed;

use std::borrow::Cow;

use super::{cast, fenced};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::kernel::{ConvShapes, Windows, conv};
use crate::simd::{SimdLevel, with_level};

/// A convolution along two axes.
#[derive(Clone, Copy, Debug)]
struct Case {
    x: [usize; 4],
    filters: [usize; 4],
    stride: [usize; 2],
    padding: [[usize; 2]; 2],
    dilation: [usize; 2],
    groups: usize,
}

const fn case(x: [usize; 4], filters: [usize; 4], groups: usize) -> Case {
    Case {
        x,
        filters,
        stride: [1; 2],
        padding: [[0; 2]; 2],
        dilation: [1; 2],
        groups,
    }
}

const CASES: [Case; 14] = [
    Case {
        padding: [[1; 2]; 2],
        ..case([2, 3, 7, 5], [3, 1, 3, 3], 3)
    },
    // Phases of both axes, of which dilation leaves out some.
    Case {
        stride: [2, 3],
        padding: [[0, 2], [3, 0]],
        ..case([1, 4, 9, 70], [2, 2, 4, 5], 2)
    },
    Case {
        stride: [4, 6],
        dilation: [2, 3],
        ..case([1, 2, 19, 40], [4, 1, 3, 4], 2)
    },
    // A stride beyond the window.
    Case {
        stride: [5, 7],
        padding: [[1; 2]; 2],
        ..case([2, 1, 21, 30], [1, 1, 2, 2], 1)
    },
    // Blocks of four filters, of two, and one.
    case([1, 3, 6, 33], [7, 3, 2, 3], 1),
    // Several tiles of columns.
    case([1, 1, 1, 9_000], [2, 1, 1, 5], 1),
    // Several tiles of rows.
    Case {
        padding: [[2, 1], [1, 2]],
        ..case([1, 2, 400, 130], [2, 1, 3, 3], 2)
    },
    // A window that is wider than a tile.
    Case {
        dilation: [1, 5_000],
        ..case([1, 1, 2, 11_000], [1, 1, 1, 2], 1)
    },
    // A window in the padding alone.
    Case {
        padding: [[4; 2]; 2],
        stride: [3, 3],
        ..case([1, 2, 1, 2], [2, 1, 2, 3], 2)
    },
    // More filters than the loop takes for a single position, and of a window that spans the row of a result three times.
    case([1, 2, 2, 2], [34, 1, 2, 2], 2),
    case([1, 1, 21, 12], [17, 1, 2, 10], 1),
    // Blocks of eight filters, and others.
    case([2, 6, 6, 9], [46, 3, 2, 3], 2),
    // Chunks of filters, of one tile and of several.
    case([1, 2, 7, 6], [50, 2, 3, 2], 1),
    Case {
        padding: [[2, 1], [1, 2]],
        ..case([1, 2, 300, 130], [35, 2, 2, 1], 1)
    },
];

impl Case {
    fn positions(&self) -> [usize; 2] {
        [0, 1].map(|axis| {
            let window = (self.filters[2 + axis] - 1) * self.dilation[axis] + 1;
            let padded = self.x[2 + axis] + self.padding[axis].iter().sum::<usize>();
            (padded - window) / self.stride[axis] + 1
        })
    }

    /// Folds the terms of each sum: numbers of an element of the operand, or `None` for padding, and of a weight.
    fn sums<T: Copy>(&self, zero: T, add: impl Fn(T, Option<usize>, usize) -> T) -> Vec<T> {
        let [rows, columns] = self.positions();
        let [filters, channels, height, width] = self.filters;
        let mut sums = vec![zero; self.x[0] * filters * rows * columns];
        // Each term is added to all sums of a filter before the next one.
        for (number, sums) in sums.chunks_exact_mut(rows * columns).enumerate() {
            let (example, filter) = (number / filters, number % filters);
            let group = filter / (filters / self.groups);
            for term in 0..channels * height * width {
                let plane = example * self.x[1] + group * channels + term / (height * width);
                let within = [term / width % height, term % width];
                let place = |axis: usize, position: usize| {
                    (position * self.stride[axis] + within[axis] * self.dilation[axis])
                        .checked_sub(self.padding[axis][0])
                        .filter(|place| *place < self.x[2 + axis])
                };
                let places: Vec<_> = (0..columns).map(|column| place(1, column)).collect();
                let weight = filter * channels * height * width + term;
                for (row, sums) in sums.chunks_exact_mut(columns).enumerate() {
                    let y = place(0, row);
                    for (sum, x) in sums.iter_mut().zip(&places) {
                        let element = match (y, *x) {
                            (Some(y), Some(x)) => Some((plane * self.x[2] + y) * self.x[3] + x),
                            _ => None,
                        };
                        *sum = add(*sum, element, weight);
                    }
                }
            }
        }
        sums
    }

    fn conv(&self, x: &Array, filters: &Array, out: DType) -> Array {
        let windows = Windows {
            sizes: &self.filters[2..],
            strides: &self.stride,
            padding: &self.padding,
            dilation: &self.dilation,
        };
        let dims = [x, filters].map(|array| *array.dims());
        let shapes = ConvShapes::new("conv2d", &dims[0], &dims[1], windows, self.groups).unwrap();
        let result = conv(x, filters, &shapes, out).unwrap();
        let [rows, columns] = self.positions();
        assert_eq!(
            result.shape(),
            [self.x[0], self.filters[0], rows, columns],
            "{self:?}"
        );
        result
    }
}

/// Small integers of both signs.
fn integers(count: usize, seed: usize) -> Vec<f64> {
    (0..count)
        .map(|at| [2.0, -1.0, 0.0, 3.0, 1.0, -2.0, 1.0][(at * 5 + at / 7 + seed) % 7])
        .collect()
}

fn array(numbers: &[f64], shape: &[usize], dtype: DType) -> Array {
    let numbers = Array::from_elements(numbers, shape).unwrap();
    cast(Cow::Owned(numbers), dtype)
}

#[test]
fn convolutions_are_sums_of_products() {
    let dtypes = [
        DType::F32,
        DType::F64,
        DType::I32,
        DType::I64,
        DType::F16,
        DType::I8,
        DType::C64,
        DType::C128,
        DType::BF16,
    ];
    for (number, case) in CASES.iter().enumerate() {
        let [x, w] = [case.x, case.filters].map(|shape| shape.iter().product::<usize>());
        let (x, w) = (integers(x, 1), integers(w, 2));
        let exact = case.sums(0.0, |sum, element, weight| {
            sum + element.map_or(0.0, |element| x[element]) * w[weight]
        });
        // A third of the dtypes takes each of the large cases, and each instruction set takes one: tiles do not depend on the dtype.
        let is_large = exact.len() > 50_000;
        let step = if is_large { 3 } else { 1 };
        for turn in (0..dtypes.len()).step_by(step) {
            let level = SimdLevel::ALL[turn / step % SimdLevel::ALL.len()];
            let dtype = dtypes[(number + turn) % dtypes.len()];
            with_level(level, || {
                fenced(|| {
                    let operand = array(&x, &case.x, dtype);
                    let filters = array(&w, &case.filters, dtype);
                    let found = case.conv(&operand, &filters, dtype);
                    let expected = array(&exact, found.shape(), dtype);
                    let message = format!("{dtype} {level:?} {case:?}");
                    assert!(found.as_bytes() == expected.as_bytes(), "{message}");
                    if turn / step % 2 == 0 {
                        // Channels last, and filters in another order.
                        let moved = |x: &Array| {
                            super::copied(&x.permute(&[0, 2, 3, 1]).unwrap())
                                .permute(&[0, 3, 1, 2])
                                .unwrap()
                        };
                        let found = case.conv(&moved(&operand), &moved(&filters), dtype);
                        assert!(found.as_bytes() == expected.as_bytes(), "moved {message}");
                    }
                });
            });
        }
    }
}

/// Terms are added channel by channel, in each row by row.
#[test]
fn terms_are_added_in_order() {
    let case = Case {
        stride: [2, 1],
        padding: [[1; 2]; 2],
        ..case([1, 4, 9, 37], [46, 2, 3, 3], 2)
    };
    let numbers = |count: usize, seed: f32| -> Vec<f32> {
        (0..count)
            .map(|at| (f32::from(u16::try_from(at).unwrap()) * seed).sin())
            .collect()
    };
    let (x, w) = (numbers(4 * 9 * 37, 0.7), numbers(46 * 18, 1.3));
    for level in SimdLevel::ALL {
        with_level(level, || {
            let expected = case.sums(0.0_f32, |sum, element, weight| {
                let element = element.map_or(0.0, |element| x[element]);
                match level {
                    SimdLevel::Baseline => element * w[weight] + sum,
                    _ => element.mul_add(w[weight], sum),
                }
            });
            let operand = Array::from_elements(&x, &case.x).unwrap();
            let filters = Array::from_elements(&w, &case.filters).unwrap();
            let found = case.conv(&operand, &filters, DType::F32);
            assert_eq!(found.as_slice::<f32>().unwrap(), expected, "{level:?}");
        });
    }
}

#[test]
fn complex_numbers_multiply_as_such() {
    use crate::dtype::c64;
    let case = Case {
        padding: [[1; 2]; 2],
        ..case([2, 4, 5, 18], [6, 2, 3, 2], 2)
    };
    let numbers = |count: usize, seed: usize| -> Vec<c64> {
        let parts = [integers(count, seed), integers(count, seed + 3)];
        let part = |part: usize, at: usize| parts[part][at] as f32;
        (0..count)
            .map(|at| c64::new(part(0, at), part(1, at)))
            .collect()
    };
    let (x, w) = (numbers(2 * 4 * 5 * 18, 0), numbers(6 * 12, 4));
    let expected = case.sums(c64::new(0.0, 0.0), |sum, element, weight| {
        sum + element.map_or(c64::new(0.0, 0.0), |element| x[element]) * w[weight]
    });
    let operand = Array::from_elements(&x, &case.x).unwrap();
    let filters = Array::from_elements(&w, &case.filters).unwrap();
    for level in SimdLevel::ALL {
        with_level(level, || {
            let found = case.conv(&operand, &filters, DType::C64);
            assert_eq!(found.as_slice::<c64>().unwrap(), expected, "{level:?}");
        });
    }
}

/// The distance between elements that are a stride apart is beyond `isize`, but there is a single position.
#[test]
fn a_stride_may_be_the_greatest_number() {
    for stride in [isize::MAX.cast_unsigned(), usize::MAX] {
        let case = Case {
            stride: [stride; 2],
            ..case([1, 2, 3, 5], [2, 2, 2, 3], 1)
        };
        let (x, w) = (integers(30, 1), integers(24, 2));
        let exact = case.sums(0.0, |sum, element, weight| {
            sum + element.map_or(0.0, |element| x[element]) * w[weight]
        });
        for dtype in [DType::F32, DType::C128] {
            let (operand, filters) = (array(&x, &case.x, dtype), array(&w, &case.filters, dtype));
            let found = case.conv(&operand, &filters, dtype);
            let expected = array(&exact, found.shape(), dtype);
            assert!(found.as_bytes() == expected.as_bytes(), "{dtype} {stride}");
        }
    }
}

/// The operand with its padding may exist, but nothing has as much memory, and its products are more than `usize` can count.
#[cfg(target_pointer_width = "64")]
#[test]
fn a_padding_beyond_all_memory_is_an_error() {
    let windows = Windows {
        sizes: &[33, 2],
        strides: &[1, 1],
        padding: &[[1 << 17; 2], [1 << 38; 2]],
        dilation: &[1 << 12, 1 << 39],
    };
    let x = array(&[1.0], &[1; 4], DType::F32);
    let shape = [16, 1, 33, 2];
    let filters = array(&integers(16 * 66, 1), &shape, DType::F32);
    let shapes = ConvShapes::new("conv2d", x.dims(), filters.dims(), windows, 1).unwrap();
    let found = conv(&x, &filters, &shapes, DType::F32);
    assert!(matches!(found, Err(Error::OutOfMemory { .. })), "{found:?}");
}

#[cfg(feature = "parallel")]
#[test]
fn threads_share_the_tiles() {
    use crate::kernel::drive::parallel::with_threads;
    for case in &CASES {
        let [x, w] = [case.x, case.filters].map(|shape| shape.iter().product::<usize>());
        let x = array(&integers(x, 1), &case.x, DType::F32);
        let w = array(&integers(w, 2), &case.filters, DType::F32);
        let one = case.conv(&x, &w, DType::F32);
        let several = with_threads(3, || case.conv(&x, &w, DType::F32));
        assert!(one.as_bytes() == several.as_bytes(), "{case:?}");
    }
}
