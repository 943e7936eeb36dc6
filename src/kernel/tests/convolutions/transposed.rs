//! Transposed convolutions, beside sums of products one by one.

use std::borrow::Cow;

use super::{array, integers};
use crate::array::Array;
use crate::dtype::{DType, c128};
use crate::kernel::tests::{cast, copied, fenced};
use crate::kernel::{TransposedShapes, Windows, conv_transpose};
use crate::simd::{SimdLevel, with_level};

/// A transposed convolution along two axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transposed {
    pub(super) x: [usize; 4],
    pub(super) filters: [usize; 4],
    pub(super) groups: usize,
    pub(super) stride: [usize; 2],
    pub(super) dilation: [usize; 2],
    pub(super) removed: [[isize; 2]; 2],
}

pub(super) const fn transposed(x: [usize; 4], filters: [usize; 4], groups: usize) -> Transposed {
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

    pub(super) fn conv(&self, x: &Array, filters: &Array, dtype: DType) -> Array {
        self.shapes([x, filters], |shapes| {
            conv_transpose(x, filters, shapes, dtype).unwrap()
        })
    }

    /// Folds the terms of each sum: numbers of an element of the operand and of a weight. They come channel by channel, in each the window
    /// row by row.
    pub(super) fn sums<T: Copy>(&self, zero: T, add: impl Fn(T, usize, usize) -> T) -> Vec<T> {
        let [_, filters, height, width] = self.filters;
        let [examples, channels, ..] = self.x;
        let channels = channels / self.groups;
        let result = [0, 1].map(|axis| {
            let last = (self.x[2 + axis] - 1) * self.stride[axis];
            let window = (self.filters[2 + axis] - 1) * self.dilation[axis];
            (last + window + 1).strict_sub_signed(self.removed[axis].iter().sum())
        });
        // For each position along an axis: the elements of the window that meet one of the operand, and those.
        let [rows, columns] = [0, 1].map(|axis| {
            let meets = |position: usize, within: usize| {
                let place = position.checked_add_signed(self.removed[axis][0])?;
                let start = place.checked_sub(within * self.dilation[axis])?;
                let element = start / self.stride[axis];
                let is_element = start % self.stride[axis] == 0;
                (is_element && element < self.x[2 + axis]).then_some((within, element))
            };
            let window = 0..self.filters[2 + axis];
            let of_position = |position| {
                window
                    .clone()
                    .filter_map(|within| meets(position, within))
                    .collect()
            };
            (0..result[axis])
                .map(of_position)
                .collect::<Vec<Vec<(usize, usize)>>>()
        });
        let mut sums = Vec::with_capacity(examples * self.groups * filters * result[0] * result[1]);
        for stack in 0..examples * self.groups {
            for filter in 0..filters {
                for row in &rows {
                    for column in &columns {
                        let mut sum = zero;
                        for channel in 0..channels {
                            let plane = (stack * channels + channel) * self.x[2];
                            let channel = stack % self.groups * channels + channel;
                            let weights = (channel * filters + filter) * height;
                            for (down, y) in row {
                                for (along, x) in column {
                                    let element = (plane + y) * self.x[3] + x;
                                    let weight = (weights + down) * width + along;
                                    sum = add(sum, element, weight);
                                }
                            }
                        }
                        sums.push(sum);
                    }
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
        copied(&array).as_slice().unwrap().to_vec()
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
                        copied(&x.permute(&[0, 2, 3, 1]).unwrap())
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
