//! Operations of neural networks: softmax, norms, convolutions and pooling, judged by naive loops in `f64`.
#![allow(clippy::as_conversions, reason = "integers and floats of known size")]

use supremum::{
    AnyRank, BF16, Bool, ConvOptions, DType, DynTensor, Error, F16, F32, F64, I8, Jax, Kind,
    PoolOptions, Rank1, Rank2, Rank3, Rank4, Tensor, U8, tensor,
};

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

fn softmax(row: &[f64]) -> [Vec<f64>; 3] {
    let maximum = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = row.iter().map(|x| (x - maximum).exp()).collect();
    let sum: f64 = powers.iter().sum();
    let sum_exp = if maximum.is_finite() {
        maximum + sum.ln()
    } else {
        maximum
    };
    let logs = row.iter().map(|x| x - maximum - sum.ln()).collect();
    [
        powers.iter().map(|power| power / sum).collect(),
        logs,
        vec![sum_exp],
    ]
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
fn softmax_and_its_like_are_near_the_exact_ones_in_every_layout() {
    let mut random = Random(3);
    for shape in [
        vec![1],
        vec![7],
        vec![2, 33],
        vec![3, 1, 513],
        vec![4, 5, 6],
        vec![2, 1100],
    ] {
        for dtype in FLOATS {
            let count = shape.iter().product();
            let x = of(dtype, &shape, &random.numbers(count));
            let values = numbers(&x);
            for axis in 0..shape.len() {
                let mut exact = [vec![0.0; count], vec![0.0; count], vec![]];
                let mut depths = vec![0.0; count];
                for row in rows(&shape, axis) {
                    let elements: Vec<f64> = row.iter().map(|at| values[*at]).collect();
                    let [shares, logs, sums] = softmax(&elements);
                    let greatest = elements.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                    for (number, at) in row.iter().enumerate() {
                        exact[0][*at] = shares[number];
                        exact[1][*at] = logs[number];
                        depths[*at] = greatest - elements[number];
                    }
                    exact[2].extend(sums);
                }
                let what = format!("{dtype} {shape:?} along {axis}");
                let axis = axis as isize;
                let mut first: Option<Vec<DynTensor>> = None;
                for x in layouts(&x) {
                    let results = [x.softmax(axis), x.log_softmax(axis), x.log_sum_exp(axis)];
                    assert_near(&results[0], &exact[0], |at| 3.0 + depths[at], &what);
                    // Logarithms are as exact as the sum and the maximum: beside a result near zero that is less.
                    for (number, name) in [(1, "log_softmax"), (2, "log_sum_exp")] {
                        for (found, exact) in numbers(&results[number]).iter().zip(&exact[number]) {
                            let allowed = bound(dtype, *exact, 4.0) + 3e-7;
                            let off = (found - exact).abs();
                            assert!(off <= allowed, "{name} of {what} is off by {off}");
                        }
                    }
                    let kept = x.log_sum_exp_keepdims(axis);
                    assert_eq!(numbers(&kept), numbers(&results[2]), "{what}");
                    assert_eq!(kept.shape()[axis as usize], 1);
                    let first = first.get_or_insert_with(|| results.to_vec());
                    for (a, b) in first.iter().zip(&results) {
                        assert_eq!(a.to_bytes(), b.to_bytes(), "{what}: layouts differ");
                        assert_eq!(a.dtype(), dtype);
                    }
                }
            }
            let all = x.log_sum_exp(..);
            let off = (numbers(&all)[0] - softmax(&values)[2][0]).abs();
            assert!(
                off <= bound(dtype, softmax(&values)[2][0], 4.0) + 3e-7,
                "all axes: off by {off}"
            );
        }
    }
}

#[test]
fn softmax_of_infinities_nan_and_nothing() {
    let (inf, nan) = (f32::INFINITY, f32::NAN);
    for (row, shares, sum) in [
        ([-inf, 0.0, -inf], [0.0, 1.0, 0.0], 0.0),
        ([-inf; 3], [nan; 3], -inf),
        ([inf, 0.0, 1.0], [nan; 3], inf),
        ([inf, -inf, nan], [nan; 3], nan),
        ([0.0, nan, 1.0], [nan; 3], nan),
        ([3e38, -3e38, 3e38], [0.5, 0.0, 0.5], 3e38),
        ([-1e30, -1e30, -inf], [0.5, 0.5, 0.0], -1e30),
        (
            [1e-45, 0.0, -200.0],
            [0.5, 0.5, 0.0],
            core::f32::consts::LN_2,
        ),
    ] {
        let x = Tensor::<F32, Rank1>::from_slice(&row, [3]).expect("three");
        for typed in [x.softmax(0), x.softmax(-1)] {
            let equal = |(a, b): (&f32, &f32)| a == b || a.is_nan() && b.is_nan();
            assert!(
                typed.to_vec().iter().zip(&shares).all(equal),
                "softmax of {row:?}: {typed}"
            );
        }
        let found: f32 = x.log_sum_exp(0).item().expect("one");
        assert!(
            found == sum || found.is_nan() && sum.is_nan(),
            "log_sum_exp of {row:?}: {found}"
        );
        let wide: f64 = x.cast::<F64>().log_sum_exp(..).item().expect("one");
        assert!(
            wide as f32 == sum || wide.is_nan() && sum.is_nan(),
            "log_sum_exp of f64 {row:?}: {wide}"
        );
        let logs = x.log_softmax(0).to_vec();
        assert!(
            logs.iter()
                .zip(&shares)
                .all(|(log, share)| (log.exp() - share).abs() < 1e-6
                    || log.is_nan() && share.is_nan()),
            "{row:?}: {logs:?}"
        );
    }
    for dtype in FLOATS {
        let empty = DynTensor::zeros(dtype, [2, 0, 3]).expect("no memory needed");
        assert_eq!(empty.softmax(1).shape(), [2, 0, 3]);
        assert_eq!(empty.softmax(2).shape(), [2, 0, 3]);
        let sums = empty.log_sum_exp(1);
        assert_eq!(sums.shape(), [2, 3]);
        if ![DType::F8E4M3FN, DType::F8E4M3FNUZ].contains(&dtype) {
            assert_eq!(numbers(&sums), [f64::NEG_INFINITY; 6]);
        }
    }
    let scalar = DynTensor::ones(DType::F32, []).expect("memory");
    assert_eq!(
        scalar.try_softmax(0).unwrap_err().to_string(),
        "softmax: axis 0 does not exist at rank 0"
    );
    assert_eq!(numbers(&scalar.log_sum_exp(..)), [1.0]);
    let complex = DynTensor::ones(DType::C64, [2]).expect("memory");
    assert!(matches!(
        complex.try_softmax(0),
        Err(Error::UnsupportedDType {
            operation: "softmax",
            ..
        })
    ));
    assert!(matches!(
        complex.try_log_sum_exp([0, 0]),
        Err(Error::RepeatedAxis { .. })
    ));
}

#[test]
fn integers_and_booleans_have_softmaxes_under_rules_that_convert_them() {
    let x: Tensor<I8, Rank1> = tensor![0, 127, 127];
    let shares: Tensor<F32, Rank1> = x.softmax(0);
    assert_eq!(shares.to_vec(), [0.0, 0.5, 0.5]);
    let x: Tensor<Bool, Rank1> = tensor![true, true];
    assert_eq!(x.softmax(0).to_vec(), [0.5, 0.5]);
    let x: Tensor<BF16, Rank1> = tensor![0, 0, 0];
    let shares: Tensor<BF16, Rank1> = x.softmax(0);
    assert_eq!(shares.to_vec()[0].to_f32(), 0.333_984_38);
}

/// `sum(|x|^p)^(1/p)`
fn naive_norm(p: f64, row: &[f64]) -> f64 {
    let sizes = row.iter().map(|x| x.abs());
    match p {
        f64::INFINITY => sizes.fold(0.0, f64::max),
        f64::NEG_INFINITY => sizes.fold(f64::INFINITY, f64::min),
        0.0 => sizes.filter(|size| *size != 0.0).count() as f64,
        p => sizes.map(|size| size.powf(p)).sum::<f64>().powf(1.0 / p),
    }
}

#[test]
fn norms_are_near_the_exact_ones() {
    let mut random = Random(11);
    for shape in [vec![5], vec![3, 40], vec![2, 3, 700]] {
        for dtype in FLOATS
            .into_iter()
            .chain([DType::I8, DType::I64, DType::U16])
        {
            let count = shape.iter().product();
            let x = of(dtype, &shape, &random.numbers(count));
            let values = numbers(&x);
            for p in [1.0, 2.0, 3.0, 0.5, 0.0, f64::INFINITY, f64::NEG_INFINITY] {
                for axis in 0..shape.len() {
                    let exact: Vec<f64> = rows(&shape, axis)
                        .iter()
                        .map(|row| {
                            naive_norm(p, &row.iter().map(|at| values[*at]).collect::<Vec<_>>())
                        })
                        .collect();
                    let what = format!("norm {p} of {dtype} {shape:?} along {axis}");
                    for x in layouts(&x) {
                        let found = x.norm(p, axis as isize);
                        // An overflow of 8 bits is of the dtype, not of the norm.
                        if dtype.size() > 1 || dtype.kind() != Kind::Float {
                            assert_near(&found, &exact, |_| 24.0, &what);
                        }
                        assert_eq!(x.norm_keepdims(p, axis as isize).ndim(), shape.len());
                    }
                }
                if dtype.size() > 2 || dtype.kind() != Kind::Float {
                    assert_near(
                        &x.norm(p, ..),
                        &[naive_norm(p, &values)],
                        |_| 24.0,
                        "all axes",
                    );
                }
            }
        }
    }
    let z: Tensor<supremum::C64, Rank1> =
        tensor![supremum::c64::new(3.0, -4.0), supremum::c64::new(0.0, 12.0)];
    let length: Tensor<F32, _> = z.norm(2.0, ..);
    assert_eq!(length.item(), Ok(13.0));
    // The squares overflow in f32.
    let x: Tensor<F32, Rank1> = tensor![3e30, 4e30];
    assert_eq!(x.norm(2.0, 0).item(), Ok(5e30));
    let nothing = Tensor::<F32, Rank2>::zeros([2, 0]);
    assert_eq!(nothing.norm(2.0, 1).to_vec(), [0.0, 0.0]);
    let error = nothing.try_norm(f64::INFINITY, 1).unwrap_err().to_string();
    assert!(error.starts_with("norm: "), "{error}");
    let error = nothing.try_norm(2.0, 2).unwrap_err().to_string();
    assert_eq!(error, "norm: axis 2 does not exist at rank 2");
}

#[test]
fn variances_have_corrections() {
    let mut random = Random(5);
    let shape = [3, 40];
    let values = random.numbers(120);
    for dtype in [DType::BF16, DType::F32, DType::F64, DType::I16] {
        let x = of(dtype, &shape, &values);
        let values = numbers(&x);
        for correction in [0, 1, 2, 40, 41] {
            let exact: Vec<f64> = rows(&shape, 1)
                .iter()
                .map(|row| {
                    let mean = row.iter().map(|at| values[*at]).sum::<f64>() / 40.0;
                    let squares: f64 = row.iter().map(|at| (values[*at] - mean).powi(2)).sum();
                    squares / 40_usize.saturating_sub(correction) as f64
                })
                .collect();
            assert_near(&x.var_corrected(correction, 1), &exact, |_| 4.0, "var");
            let roots: Vec<f64> = exact.iter().map(|x| x.sqrt()).collect();
            assert_near(&x.std_corrected(correction, [1]), &roots, |_| 4.0, "std");
        }
        assert_eq!(numbers(&x.var_corrected(0, ..)), numbers(&x.var()));
    }
    let error = DynTensor::ones(DType::F32, [2])
        .and_then(|x| x.try_std_corrected(1, 1))
        .unwrap_err();
    assert_eq!(error.to_string(), "std: axis 1 does not exist at rank 1");
}

#[test]
fn logspace_has_equal_ratios() {
    assert_eq!(
        Tensor::<F64, Rank1>::logspace(-2.0, 2.0, 3).to_vec(),
        [0.01, 1.0, 100.0]
    );
    assert_eq!(
        Tensor::<U8, Rank1>::logspace(0.0, 2.0, 3).to_vec(),
        [1, 10, 100]
    );
    assert_eq!(
        Tensor::<F32, Rank1>::logspace(3.0, 9.0, 1).to_vec(),
        [1000.0]
    );
    assert!(Tensor::<F32, Rank1>::logspace(3.0, 9.0, 0).is_empty());
    let error = DynTensor::try_logspace(DType::F32, 0.0, f64::NAN, 2).unwrap_err();
    assert_eq!(error.to_string(), "logspace: no finite steps from 0 to NaN");
}

struct Geometry {
    size: [usize; 2],
    stride: [usize; 2],
    padding: [usize; 2],
    dilation: [usize; 2],
}

impl Geometry {
    fn random(random: &mut Random) -> Self {
        let mut pair = |least: usize, count: usize| [0, 1].map(|_| least + random.below(count));
        Self {
            size: pair(1, 3),
            stride: pair(1, 3),
            padding: pair(0, 3),
            dilation: pair(1, 2),
        }
    }

    /// The number of windows along an axis of this size; `None` if none fits.
    fn count(&self, axis: usize, size: usize) -> Option<usize> {
        let window = (self.size[axis] - 1) * self.dilation[axis] + 1;
        Some((size + 2 * self.padding[axis]).checked_sub(window)? / self.stride[axis] + 1)
    }

    /// The position of a window's element along an axis, if it is not in the padding.
    fn position(&self, axis: usize, size: usize, window: usize, element: usize) -> Option<usize> {
        let position = window * self.stride[axis] + element * self.dilation[axis];
        position
            .checked_sub(self.padding[axis])
            .filter(|position| *position < size)
    }
}

#[test]
fn convolutions_are_sums_of_products() {
    let mut random = Random(17);
    for round in 0..150 {
        let geometry = Geometry::random(&mut random);
        let groups = 1 + random.below(3);
        let (channels, filters) = (1 + random.below(3), 1 + random.below(3));
        let shape = [
            random.below(3),
            channels * groups,
            1 + random.below(6),
            1 + random.below(6),
        ];
        let filter_shape = [
            filters * groups,
            channels,
            geometry.size[0],
            geometry.size[1],
        ];
        let dtype = [
            DType::F32,
            DType::BF16,
            DType::F64,
            DType::I32,
            DType::F16,
            DType::U8,
        ][round % 6];
        // Small integers, whose sums are exact in every one of these dtypes.
        let mut integers = |count: usize| {
            (0..count)
                .map(|_| random.below(3) as f64)
                .collect::<Vec<_>>()
        };
        let (x, w) = (
            integers(shape.iter().product()),
            integers(filter_shape.iter().product()),
        );
        let options = ConvOptions {
            stride: geometry.stride,
            padding: geometry.padding,
            dilation: geometry.dilation,
            groups,
        };
        let (tensor, kernel) = (of(dtype, &shape, &x), of(dtype, &filter_shape, &w));
        let result = tensor.try_conv2d(&kernel, options);
        let counts = [geometry.count(0, shape[2]), geometry.count(1, shape[3])];
        let [Some(rows), Some(columns)] = counts else {
            assert!(
                matches!(
                    result,
                    Err(Error::WindowTooLarge {
                        operation: "conv2d",
                        ..
                    })
                ),
                "{result:?}"
            );
            continue;
        };
        let result_shape = [shape[0], filters * groups, rows, columns];
        let exact: Vec<f64> = indices(&result_shape)
            .iter()
            .map(|index| {
                let mut sum = 0.0;
                for element in indices(&[channels, geometry.size[0], geometry.size[1]]) {
                    let places = [0, 1].map(|axis| {
                        geometry.position(axis, shape[2 + axis], index[2 + axis], element[1 + axis])
                    });
                    if let [Some(row), Some(column)] = places {
                        let channel = index[1] / filters * channels + element[0];
                        sum += x[at(&shape, &[index[0], channel, row, column])]
                            * w[at(
                                &filter_shape,
                                &[index[1], element[0], element[1], element[2]],
                            )];
                    }
                }
                sum
            })
            .collect();
        let result = result.expect("windows that fit");
        assert_eq!((result.dtype(), result.shape()), (dtype, &result_shape[..]));
        assert_eq!(
            numbers(&result),
            exact,
            "{dtype} {shape:?} {filter_shape:?} {options:?}"
        );
        for x in layouts(&tensor) {
            assert_eq!(
                numbers(&x.conv2d(&kernel, options)),
                exact,
                "another layout"
            );
        }
        let typed: Tensor<F64, Rank4> = tensor.cast(DType::F64).typed().expect("rank 4");
        let typed_kernel: Tensor<F64, Rank4> = kernel.cast(DType::F64).typed().expect("rank 4");
        assert_eq!(typed.conv2d(&typed_kernel, options).to_vec(), exact);
        // A height of one: a convolution along one axis.
        if geometry.size[0] == 1 && shape[2] == 1 && rows == 1 && geometry.padding[0] == 0 {
            let along = ConvOptions::<1> {
                stride: [options.stride[1]],
                padding: [options.padding[1]],
                dilation: [options.dilation[1]],
                groups,
            };
            let found = tensor.squeeze(2).conv1d(&kernel.squeeze(2), along);
            assert_eq!(numbers(&found), exact);
        }
    }
}

#[test]
fn small_floats_convolve_in_f32_and_round_once() {
    let x = Tensor::<BF16, Rank3>::from_fn([1, 1, 300], |_| supremum::bf16::ONE);
    let sum = x.conv1d(&x, ConvOptions::new());
    // One by one in bf16 the sum would stop at 256.
    assert_eq!(sum.to_vec(), [supremum::bf16::from_f32(300.0)]);
    let half: Tensor<F16, Rank3> = x.cast();
    let mixed: Tensor<F32, Rank3> = x.conv1d(&half, ConvOptions::new());
    assert_eq!(mixed.to_vec(), [300.0]);
}

#[test]
fn pools_are_maxima_and_means_of_windows() {
    let mut random = Random(23);
    for round in 0..150 {
        let geometry = Geometry::random(&mut random);
        let shape = [
            1 + random.below(2),
            random.below(3),
            1 + random.below(7),
            1 + random.below(7),
        ];
        let dtype = [
            DType::F32,
            DType::BF16,
            DType::F64,
            DType::I8,
            DType::F8E4M3FN,
            DType::U8,
        ][round % 6];
        let values = random.numbers(shape.iter().product());
        let x = of(dtype, &shape, &values);
        let values = numbers(&x);
        let options = PoolOptions {
            size: geometry.size,
            stride: geometry.stride,
            padding: geometry.padding,
            dilation: geometry.dilation,
        };
        let results = [x.try_max_pool2d(options), x.try_avg_pool2d(options)];
        let counts = [geometry.count(0, shape[2]), geometry.count(1, shape[3])];
        let [Some(rows), Some(columns)] = counts else {
            assert!(
                results
                    .iter()
                    .all(|result| matches!(result, Err(Error::WindowTooLarge { .. })))
            );
            continue;
        };
        let result_shape = [shape[0], shape[1], rows, columns];
        let [maxima, means] = results.map(|result| result.expect("windows that fit"));
        assert_eq!(maxima.shape(), result_shape);
        assert_eq!(maxima.dtype(), dtype);
        let lowest = match dtype {
            DType::I8 => -128.0,
            DType::U8 => 0.0,
            _ => f64::NEG_INFINITY,
        };
        let (mut greatest, mut averages) = (vec![], vec![]);
        for index in indices(&result_shape) {
            let (mut maximum, mut sum) = (lowest, 0.0);
            for element in indices(&geometry.size) {
                let places = [0, 1].map(|axis| {
                    geometry.position(axis, shape[2 + axis], index[2 + axis], element[axis])
                });
                if let [Some(row), Some(column)] = places {
                    let value = values[at(&shape, &[index[0], index[1], row, column])];
                    maximum = f64::max(maximum, value);
                    sum += value;
                }
            }
            greatest.push(maximum);
            averages.push(sum / (geometry.size[0] * geometry.size[1]) as f64);
        }
        // A window that lies in the padding alone has no value in dtypes without infinities.
        let comparable = |x: &f64| dtype != DType::F8E4M3FN || x.is_finite();
        for (found, exact) in numbers(&maxima).iter().zip(&greatest) {
            assert!(
                found == exact || !comparable(exact),
                "{dtype} {shape:?} {options:?}: {found}, not {exact}"
            );
        }
        assert_near(
            &means,
            &averages,
            |_| 2.0,
            &format!("means of {dtype} {shape:?} {options:?}"),
        );
        for x in layouts(&x) {
            assert_eq!(numbers(&x.avg_pool2d(options)), numbers(&means));
        }
    }
    let x: Tensor<F32, Rank3> = tensor![[[1.0, f32::NAN, 3.0, 5.0]]];
    let maxima = x.max_pool1d(PoolOptions::new([2])).to_vec();
    assert!(maxima[0].is_nan() && maxima[1] == 5.0);
    assert_eq!(x.avg_pool1d(PoolOptions::new([2])).to_vec()[1], 4.0);
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
            "conv2d: shapes [1, 4, 5, 5] and [6, 4, 3, 3] do not fit together",
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
            "shape [1, 6, 18446744073709551613, 5] has more elements than can be addressed",
        ),
        (
            x.try_conv2d(&ones(&[6, 4, 3]), options),
            "rank 4 expected, found shape [6, 4, 3]",
        ),
        (
            x.try_conv1d(&w, ConvOptions::new()),
            "rank 3 expected, found shape [1, 4, 5, 5]",
        ),
        (
            ones(&[]).try_conv1d(&w, ConvOptions::new()),
            "rank 3 expected, found shape []",
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
            "rank 3 expected, found shape [1, 4, 5, 5]",
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
