//! Convolutions and transposed convolutions, beside sums of products one by one.
#![allow(clippy::as_conversions, reason = "small integers")]

use std::borrow::Cow;

use super::{cast, fenced};
use crate::array::Array;
use crate::dtype::{DType, c128};
use crate::error::Error;
use crate::kernel::{ConvShapes, TransposedShapes, Windows, conv, conv_transpose};
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
        ..case([1, 2, 300, 130], [35, 2, 3, 3], 1)
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
        let mut sums = Vec::new();
        for example in 0..self.x[0] {
            for filter in 0..filters {
                let group = filter / (filters / self.groups);
                for row in 0..rows {
                    for column in 0..columns {
                        let mut sum = zero;
                        for term in 0..channels * height * width {
                            let channel = term / (height * width);
                            let within = [term / width % height, term % width];
                            let at = [row, column];
                            let place = [0, 1].map(|axis| {
                                (at[axis] * self.stride[axis] + within[axis] * self.dilation[axis])
                                    .checked_sub(self.padding[axis][0])
                                    .filter(|place| *place < self.x[2 + axis])
                            });
                            let element = match place {
                                [Some(y), Some(x)] => {
                                    let plane = example * self.x[1] + group * channels + channel;
                                    Some((plane * self.x[2] + y) * self.x[3] + x)
                                }
                                _ => None,
                            };
                            let weight = filter * channels * height * width + term;
                            sum = add(sum, element, weight);
                        }
                        sums.push(sum);
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
        for (level, dtype) in SimdLevel::ALL.into_iter().cycle().zip(
            dtypes
                .into_iter()
                .cycle()
                .skip(number)
                .take(dtypes.len())
                .collect::<Vec<_>>(),
        ) {
            with_level(level, || {
                fenced(|| {
                    let operand = array(&x, &case.x, dtype);
                    let filters = array(&w, &case.filters, dtype);
                    let found = case.conv(&operand, &filters, dtype);
                    let expected = array(&exact, found.shape(), dtype);
                    let message = format!("{dtype} {level:?} {case:?}");
                    assert!(found.as_bytes() == expected.as_bytes(), "{message}");
                    // Channels last, and filters in another order.
                    let last = [0, 2, 3, 1];
                    let back = [0, 3, 1, 2];
                    let moved = |x: &Array| {
                        super::copied(&x.permute(&last).unwrap())
                            .permute(&back)
                            .unwrap()
                    };
                    let found = case.conv(&moved(&operand), &moved(&filters), dtype);
                    assert!(found.as_bytes() == expected.as_bytes(), "moved {message}");
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

/// A transposed convolution along two axes.
#[derive(Clone, Copy, Debug)]
struct Transposed {
    x: [usize; 4],
    filters: [usize; 4],
    groups: usize,
    stride: [usize; 2],
    dilation: [usize; 2],
    removed: [[isize; 2]; 2],
}

const fn transposed(x: [usize; 4], filters: [usize; 4], groups: usize) -> Transposed {
    Transposed {
        x,
        filters,
        groups,
        stride: [2, 3],
        dilation: [1, 2],
        removed: [[1, 0], [0, 2]],
    }
}

impl Transposed {
    fn shapes<R>(
        &self,
        [x, filters]: [&Array; 2],
        run: impl FnOnce(&TransposedShapes<'_>) -> R,
    ) -> R {
        let windows = Windows {
            sizes: &self.filters[2..],
            strides: &self.stride,
            padding: &[[0; 2]; 2],
            dilation: &self.dilation,
        };
        let shapes = TransposedShapes::new(
            "conv_transpose2d",
            x.dims(),
            filters.dims(),
            windows,
            &self.removed,
            self.groups,
        );
        run(&shapes.unwrap())
    }

    fn conv(&self, x: &Array, filters: &Array, dtype: DType) -> Array {
        self.shapes([x, filters], |shapes| {
            conv_transpose(x, filters, shapes, dtype).unwrap()
        })
    }

    /// Folds the terms of each sum: numbers of an element of the operand and of a weight. They come channel by channel, in each the window
    /// row by row.
    fn sums<T: Copy>(&self, zero: T, add: impl Fn(T, usize, usize) -> T) -> Vec<T> {
        let [_, filters, height, width] = self.filters;
        let [examples, channels, ..] = self.x;
        let channels = channels / self.groups;
        let result = [0, 1].map(|axis| {
            let last = (self.x[2 + axis] - 1) * self.stride[axis];
            let window = (self.filters[2 + axis] - 1) * self.dilation[axis];
            (last + window + 1).strict_sub_signed(self.removed[axis].iter().sum())
        });
        let mut sums = Vec::new();
        for stack in 0..examples * self.groups {
            for filter in 0..filters {
                for position in 0..result[0] * result[1] {
                    let position = [position / result[1], position % result[1]];
                    let mut sum = zero;
                    for term in 0..channels * height * width {
                        let channel = term / (height * width);
                        let within = [term / width % height, term % width];
                        let [Some(y), Some(x)] = [0, 1].map(|axis| {
                            let place = position[axis].checked_add_signed(self.removed[axis][0])?;
                            let start = place.checked_sub(within[axis] * self.dilation[axis])?;
                            let element = start / self.stride[axis];
                            let is_element = start % self.stride[axis] == 0;
                            (is_element && element < self.x[2 + axis]).then_some(element)
                        }) else {
                            continue;
                        };
                        let element =
                            ((stack * channels + channel) * self.x[2] + y) * self.x[3] + x;
                        let channel = stack % self.groups * channels + channel;
                        let weight = (channel * filters + filter) * height * width;
                        sum = add(sum, element, weight + term % (height * width));
                    }
                    sums.push(sum);
                }
            }
        }
        sums
    }
}

const TRANSPOSED: [Transposed; 13] = [
    // These have more channels than the loop takes: their products take several parts.
    transposed([1, 33, 1, 70], [33, 1, 1, 7], 1),
    transposed([2, 130, 5, 9], [130, 3, 2, 3], 2),
    transposed([1, 99, 11, 4], [99, 1, 3, 1], 3),
    // A window that is a part alone.
    transposed([1, 33, 3, 2], [33, 1, 20, 19], 1),
    // Blocks of eight filters.
    transposed([1, 2, 5, 6], [2, 45, 3, 3], 1),
    // A stride beyond those of the loop.
    Transposed {
        stride: [40, 1],
        ..transposed([1, 1, 3, 5], [1, 2, 2, 2], 1)
    },
    // Two phases side by side, from the first position on or from the second one.
    Transposed {
        stride: [2, 2],
        dilation: [1, 1],
        removed: [[1, 1], [0, 1]],
        ..transposed([2, 3, 7, 37], [3, 1, 4, 4], 3)
    },
    Transposed {
        stride: [1, 2],
        dilation: [2, 3],
        removed: [[2, 3], [1, 0]],
        ..transposed([1, 4, 6, 21], [4, 7, 3, 5], 2)
    },
    // Padding beyond the windows, and zeros around them.
    Transposed {
        stride: [3, 2],
        removed: [[8, 2], [9, -3]],
        ..transposed([1, 2, 9, 17], [2, 1, 2, 3], 2)
    },
    Transposed {
        removed: [[-4, -1], [-7, -5]],
        ..transposed([1, 2, 3, 4], [2, 2, 3, 2], 1)
    },
    // Positions on which nothing falls.
    Transposed {
        stride: [4, 4],
        dilation: [2, 1],
        removed: [[0, 0], [3, 0]],
        ..transposed([1, 2, 5, 6], [2, 1, 3, 2], 2)
    },
    // Several tiles of columns, and of rows.
    Transposed {
        stride: [1, 2],
        removed: [[0, 0], [1, 1]],
        ..transposed([1, 1, 1, 9_000], [1, 2, 1, 3], 1)
    },
    Transposed {
        stride: [2, 1],
        removed: [[1, 1], [2, 2]],
        ..transposed([1, 2, 400, 130], [2, 1, 3, 3], 2)
    },
];

#[test]
fn transposed_convolutions_add_all_products() {
    let dtypes = [
        DType::F32,
        DType::F16,
        DType::I32,
        DType::C64,
        DType::F64,
        DType::I64,
        DType::C128,
    ];
    let numbers = |array: &Array| -> Vec<c128> {
        let array = cast(Cow::Borrowed(array), DType::C128);
        super::copied(&array).as_slice().unwrap().to_vec()
    };
    for (number, case) in TRANSPOSED.iter().enumerate() {
        let [x, w] = [case.x, case.filters].map(|shape| shape.iter().product::<usize>());
        let (x, w) = (integers(x, 3), integers(w, 5));
        let exact = case.sums(0.0, |sum, element, weight| sum + x[element] * w[weight]);
        for (step, level) in SimdLevel::ALL.into_iter().cycle().take(4).enumerate() {
            let dtype = dtypes[(number + step) % dtypes.len()];
            let message = format!("{dtype} {level:?} {case:?}");
            with_level(level, || {
                fenced(|| {
                    let operand = array(&x, &case.x, dtype);
                    let filters = array(&w, &case.filters, dtype);
                    let found = case.conv(&operand, &filters, dtype);
                    // Matrix products of complex numbers may give -0.
                    let expected = numbers(&array(&exact, found.shape(), dtype));
                    assert!(numbers(&found) == expected, "{message}");
                    // Channels last, and filters in another order.
                    let moved = |x: &Array| {
                        super::copied(&x.permute(&[0, 2, 3, 1]).unwrap())
                            .permute(&[0, 3, 1, 2])
                            .unwrap()
                    };
                    let found = case.conv(&moved(&operand), &moved(&filters), dtype);
                    assert!(numbers(&found) == expected, "moved {message}");
                });
            });
        }
    }
}

/// Terms are added channel by channel, in each the window row by row.
#[test]
fn transposed_terms_are_added_in_order() {
    let case = Transposed {
        stride: [2, 2],
        dilation: [1, 1],
        removed: [[1, 1], [1, 1]],
        ..transposed([1, 4, 9, 37], [4, 3, 4, 5], 2)
    };
    let numbers = |count: usize, seed: f32| -> Vec<f32> {
        (0..count)
            .map(|at| (f32::from(u16::try_from(at).unwrap()) * seed).sin())
            .collect()
    };
    let (x, w) = (numbers(4 * 9 * 37, 0.7), numbers(12 * 20, 1.3));
    for level in SimdLevel::ALL {
        with_level(level, || {
            let expected = case.sums(0.0_f32, |sum, element, weight| match level {
                SimdLevel::Baseline => x[element] * w[weight] + sum,
                _ => x[element].mul_add(w[weight], sum),
            });
            let operand = Array::from_elements(&x, &case.x).unwrap();
            let filters = Array::from_elements(&w, &case.filters).unwrap();
            let found = case.conv(&operand, &filters, DType::F32);
            assert_eq!(found.as_slice::<f32>().unwrap(), expected, "{level:?}");
        });
    }
}

/// A dilation beyond all memory, of which only the result's few positions are computed.
#[cfg(target_pointer_width = "64")]
#[test]
fn transposed_windows_may_reach_far() {
    let case = Transposed {
        stride: [1, 1],
        dilation: [1, 1 << 60],
        removed: [[0, 0], [(1 << 60) - 1, 0]],
        ..transposed([1, 1, 1, 2], [1, 1, 1, 2], 1)
    };
    let x = array(&[2.0, 3.0], &case.x, DType::F32);
    let w = array(&[5.0, 7.0], &case.filters, DType::F32);
    let found = case.conv(&x, &w, DType::F32);
    assert_eq!(found.as_slice::<f32>().unwrap(), [0.0, 14.0, 21.0]);
}

/// Whether numbers are the same, any NaN equal to any NaN.
fn same(found: &Array, expected: &[f64]) -> bool {
    let found = super::copied(&cast(Cow::Borrowed(found), DType::F64));
    let found = found.as_slice::<f64>().unwrap();
    let is_same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
    found.len() == expected.len() && found.iter().zip(expected).all(is_same)
}

/// The numbers as an array, or as a view of every second column of one with NaN between them.
fn operand(numbers: &[f64], shape: [usize; 4], dtype: DType, rng: &mut fastrand::Rng) -> Array {
    let [examples, channels, height, width] = shape;
    let first = match rng.u8(..3) {
        0 => 0,
        1 => 1,
        _ => return array(numbers, &shape, dtype),
    };
    let pair = |number: &f64| match first {
        0 => [*number, f64::NAN],
        _ => [f64::NAN, *number],
    };
    let pairs: Vec<f64> = numbers.iter().flat_map(pair).collect();
    let wide = array(&pairs, &[examples, channels, height, 2 * width], dtype);
    wide.slice(3, first, 2 * width.cast_signed(), 2).unwrap()
}

/// Random shapes, with an infinity in the operand, which must not reach sums that have no term with it.
#[test]
fn random_convolutions_are_sums_of_products() {
    for seed in 0..400 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        let groups = rng.usize(1..3);
        let channels = rng.usize(1..4);
        let mut pair = |most: usize| [rng.usize(1..=most), rng.usize(1..=most)];
        let ([height, width], [rows, columns]) = (pair(12), pair(4));
        let (stride, dilation) = (pair(5), pair(4));
        let (before, behind) = (pair(6), pair(6));
        let filters = rng.usize(1..20);
        let examples = rng.usize(1..3);
        let x_shape = [examples, groups * channels, height, width];
        let mut x = integers(x_shape.iter().product(), rng.usize(..7));
        let infinite = rng.usize(..x.len());
        x[infinite] = f64::INFINITY;
        let dtype = [DType::F32, DType::F64][rng.usize(..2)];
        let operand = operand(&x, x_shape, dtype, rng);
        let level = SimdLevel::ALL[rng.usize(..SimdLevel::ALL.len())];

        let padding = [
            [before[0] - 1, behind[0] - 1],
            [before[1] - 1, behind[1] - 1],
        ];
        let window = [rows, columns];
        let padded = [0, 1].map(|axis| x_shape[2 + axis] + padding[axis].iter().sum::<usize>());
        let spans = [0, 1].map(|axis| (window[axis] - 1) * dilation[axis] + 1);
        if padded[0] >= spans[0] && padded[1] >= spans[1] {
            let case = Case {
                stride,
                padding,
                dilation,
                ..case(x_shape, [groups * filters, channels, rows, columns], groups)
            };
            let w = integers(case.filters.iter().product(), rng.usize(..7));
            let weights = array(&w, &case.filters, dtype);
            let expected = case.sums(0.0, |sum, element, weight| {
                sum + element.map_or(0.0, |element| x[element]) * w[weight]
            });
            with_level(level, || {
                let found = case.conv(&operand, &weights, dtype);
                assert!(same(&found, &expected), "seed {seed} {level:?} {case:?}");
            });
        }

        let whole = [0, 1].map(|axis| (x_shape[2 + axis] - 1) * stride[axis] + spans[axis]);
        let removed = [0, 1].map(|axis| {
            let before = rng.usize(..whole[axis]).cast_signed();
            let most = whole[axis].cast_signed() - before;
            [before - 3, rng.isize(-3..most + 3)]
        });
        let case = Transposed {
            stride,
            dilation,
            removed,
            ..transposed(x_shape, [groups * channels, filters, rows, columns], groups)
        };
        let w = integers(case.filters.iter().product(), rng.usize(..7));
        let weights = array(&w, &case.filters, dtype);
        let expected = case.sums(0.0, |sum, element, weight| sum + x[element] * w[weight]);
        with_level(level, || {
            let found = case.conv(&operand, &weights, dtype);
            assert!(same(&found, &expected), "seed {seed} {level:?} {case:?}");
        });
    }
}
