//! Convolutions and pools are sums, maxima and means of windows.

use supremum::{
    BF16, ConvOptions, DType, Error, F16, F32, F64, PoolOptions, Rank3, Rank4, Tensor, tensor,
};

use super::{Random, assert_near, at, indices, layouts, numbers, of};

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
            DType::F8E4M3FN => -448.0, // it has no infinities
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
        assert_eq!(numbers(&maxima), greatest, "{dtype} {shape:?} {options:?}");
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
fn padding_holds_the_lowest_value_of_a_dtype_without_infinities() {
    let lowest = [
        (DType::F8E4M3FN, -448.0),
        (DType::F8E4M3FNUZ, -240.0),
        (DType::F8E4M3B11FNUZ, -30.0),
        (DType::F8E5M2FNUZ, -57344.0),
        (DType::F8E5M2, f64::NEG_INFINITY),
    ];
    for (dtype, lowest) in lowest {
        let x = of(dtype, &[1, 1, 1], &[1.5]);
        let maxima = x.max_pool1d(PoolOptions::new([1]).padding([1]));
        assert_eq!(numbers(&maxima), [lowest, 1.5, lowest], "{dtype}");
    }
}

#[test]
fn windows_of_no_elements_are_not_counted_one_by_one() {
    // So many places in a window that a loop over them would not end.
    let nothing = of(DType::F32, &[0, 1, 1 << 50], &[]);
    let options = PoolOptions::new([1 << 49]).stride([1]);
    for pooled in [
        nothing.try_max_pool1d(options),
        nothing.try_avg_pool1d(options),
    ] {
        assert_eq!(
            pooled.expect("windows that fit").shape(),
            [0, 1, (1 << 49) + 1]
        );
    }
}
