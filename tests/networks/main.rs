//! Operations of neural networks: softmax, norms, convolutions and pooling, judged by naive loops in `f64`.
#![allow(clippy::as_conversions, reason = "integers and floats of known size")]

mod norms;
mod paddings;
mod softmax;
mod windows;

use supremum::{AnyRank, ConvOptions, DType, DynTensor, Error, F64, Jax, PoolOptions, Tensor};

/// Numbers without pattern.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next()).expect("31 bits") % bound
    }

    /// Quarters between -8 and 8, which all floats of 8 bits and more have or round to.
    fn numbers(&mut self, count: usize) -> Vec<f64> {
        (0..count)
            .map(|_| self.below(65) as f64 / 4.0 - 8.0)
            .collect()
    }
}

const FLOATS: [DType; 7] = [
    DType::F8E4M3FN,
    DType::F8E5M2,
    DType::F8E4M3FNUZ,
    DType::BF16,
    DType::F16,
    DType::F32,
    DType::F64,
];

fn of(dtype: DType, shape: &[usize], numbers: &[f64]) -> DynTensor {
    let wide = Tensor::<F64>::from_slice(numbers, shape).expect("a shape that fits");
    wide.into_dyn().cast(dtype)
}

fn numbers(x: &DynTensor) -> Vec<f64> {
    let wide: Tensor<F64, AnyRank, Jax> = x.cast(DType::F64).typed().expect("that dtype");
    wide.to_vec()
}

/// Every index of a shape, in row-major order.
fn indices(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for size in shape {
        all = all
            .iter()
            .flat_map(|start: &Vec<usize>| (0..*size).map(move |at| [&start[..], &[at]].concat()))
            .collect();
    }
    all
}

fn at(shape: &[usize], index: &[usize]) -> usize {
    index
        .iter()
        .zip(shape)
        .fold(0, |position, (at, size)| position * size + at)
}

/// The largest distance of a result from the exact number, if it was rounded once and computed with `units` errors of `f32` or `f64`.
fn bound(dtype: DType, exact: f64, units: f64) -> f64 {
    let (rounding, least) = match dtype {
        DType::F64 => (2_f64.powi(-53), 0.0),
        DType::F32 => (2_f64.powi(-24), 2_f64.powi(-126)),
        DType::F16 => (2_f64.powi(-11), 2_f64.powi(-25)),
        DType::BF16 => (2_f64.powi(-8), 2_f64.powi(-126)),
        DType::F8E4M3FN | DType::F8E4M3FNUZ => (2_f64.powi(-4), 2_f64.powi(-9)),
        _ => (2_f64.powi(-3), 2_f64.powi(-16)),
    };
    // The naive loops themselves are not exact in `f64`.
    let computed = match dtype {
        DType::F64 => 2_f64.powi(-50),
        _ => 2_f64.powi(-24),
    };
    exact.abs() * (rounding + units * 2.0 * computed) + least
}

#[track_caller]
fn assert_near(found: &DynTensor, exact: &[f64], units: impl Fn(usize) -> f64, what: &str) {
    let found_numbers = numbers(found);
    assert_eq!(found_numbers.len(), exact.len(), "{what}");
    for (at, (found_number, exact)) in found_numbers.iter().zip(exact).enumerate() {
        let allowed = bound(found.dtype(), *exact, units(at));
        let holds = (found_number - exact).abs() <= allowed
            || found_number.is_nan() && exact.is_nan()
            || found_number == exact
            || found.dtype() == DType::F16 && found_number.is_infinite() && *exact > 65_519.0;
        assert!(
            holds,
            "{what}, position {at}: {found_number} is not {exact}, within {allowed}"
        );
    }
}

/// The same elements in other layouts: as they are, transposed in memory, and every second of more.
fn layouts(x: &DynTensor) -> Vec<DynTensor> {
    let rank = x.ndim() as isize;
    let turned = x.transpose().contiguous().transpose();
    let mut layouts = vec![x.clone(), turned];
    if rank > 0 {
        layouts.push(x.repeat(2, -1).slice_step(-1, .., 2));
    }
    layouts
}

/// Rows of an array along an axis: the positions of their elements.
fn rows(shape: &[usize], axis: usize) -> Vec<Vec<usize>> {
    let mut others = shape.to_vec();
    others[axis] = 1;
    let row = |mut index: Vec<usize>| {
        (0..shape[axis])
            .map(|number| {
                index[axis] = number;
                at(shape, &index)
            })
            .collect()
    };
    indices(&others).into_iter().map(row).collect()
}

#[test]
fn options_that_do_not_fit_are_errors() {
    let ones = |shape: &[usize]| DynTensor::ones(DType::F32, shape).expect("memory");
    let (x, w) = (ones(&[1, 4, 5, 5]), ones(&[6, 4, 3, 3]));
    let options = ConvOptions::new();
    let text = |result: Result<DynTensor, Error>| result.unwrap_err().to_string();
    for (result, expected) in [
        (
            x.try_conv2d(&w, options.stride([1, 0])),
            "conv2d: the stride of the window along axis 3 is zero",
        ),
        (
            x.try_conv2d(&w, options.dilation([0, 1])),
            "conv2d: the dilation of the window along axis 2 is zero",
        ),
        (
            x.try_conv2d(&ones(&[6, 4, 3, 0]), options),
            "conv2d: the size of the window along axis 3 is zero",
        ),
        (
            x.try_conv2d(&w, options.groups(0)),
            "conv2d: 4 channels are not divisible into 0 groups",
        ),
        (
            x.try_conv2d(&w, options.groups(3)),
            "conv2d: 4 channels are not divisible into 3 groups",
        ),
        (
            x.try_conv2d(&w, options.groups(4)),
            "conv2d: 6 filters are not divisible into 4 groups",
        ),
        (
            x.try_conv2d(&w, options.groups(2)),
            "conv2d: axis 1 of the operand has size 4, axis 1 of the filters, for each of 2 groups, has size 4 (shapes [1, 4, 5, 5] and [6, 4, 3, 3])",
        ),
        (
            x.try_conv2d(&w, options.dilation([3, 1])),
            "conv2d: a window of 7 does not fit axis 2, which has size 5 with its padding",
        ),
        (
            x.try_conv2d(&w, options.dilation([usize::MAX, 1])),
            "conv2d: a window of 18446744073709551615 does not fit axis 2, which has size 5 with its padding",
        ),
        (
            x.try_conv2d(&w, options.padding([usize::MAX, 1])),
            "conv2d: shape [1, 6, 18446744073709551613, 5] has more elements than can be addressed",
        ),
        (
            x.try_conv2d(&ones(&[6, 4, 3]), options),
            "conv2d: rank 4 expected, found shape [6, 4, 3]",
        ),
        (
            x.try_conv1d(&w, ConvOptions::new()),
            "conv1d: rank 3 expected, found shape [1, 4, 5, 5]",
        ),
        (
            ones(&[]).try_conv1d(&w, ConvOptions::new()),
            "conv1d: rank 3 expected, found shape []",
        ),
        (
            x.try_max_pool2d(PoolOptions::new([2, 0])),
            "max_pool2d: the size of the window along axis 3 is zero",
        ),
        (
            x.try_avg_pool2d(PoolOptions::new([2, 2]).stride([0, 1])),
            "avg_pool2d: the stride of the window along axis 2 is zero",
        ),
        (
            x.try_avg_pool2d(PoolOptions::new([2, 6])),
            "avg_pool2d: a window of 6 does not fit axis 3, which has size 5 with its padding",
        ),
        (
            x.try_max_pool1d(PoolOptions::new([2])),
            "max_pool1d: rank 3 expected, found shape [1, 4, 5, 5]",
        ),
    ] {
        assert_eq!(text(result), expected);
    }
    assert!(
        x.try_max_pool2d(PoolOptions::new([2, 2]).padding([usize::MAX, 0]))
            .is_err()
    );
    // Strides beyond the axis make one position.
    assert_eq!(
        x.conv2d(&w, options.stride([usize::MAX, 100])).shape(),
        [1, 6, 1, 1]
    );
    assert_eq!(
        x.max_pool2d(PoolOptions::new([1, 2]).stride([usize::MAX, 9]))
            .shape(),
        [1, 4, 1, 1]
    );
    // Nothing to convolve.
    assert_eq!(
        ones(&[0, 4, 5, 5]).conv2d(&w, options).shape(),
        [0, 6, 3, 3]
    );
    assert_eq!(
        numbers(&ones(&[1, 0, 3, 3]).conv2d(&ones(&[2, 0, 3, 3]), options)),
        [0.0, 0.0]
    );
    assert_eq!(
        ones(&[1, 4, 5, 5])
            .conv2d(&ones(&[0, 4, 1, 1]), options)
            .shape(),
        [1, 0, 5, 5]
    );
}
