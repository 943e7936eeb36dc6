//! Paddings of convolutions and pools, and transposed convolutions, beside JAX and PyTorch (`data/windows/observe.py`).

use supremum::{
    BF16, ConvOptions, DType, DynTensor, Error, F16, F32, Numpy, PoolOptions, PoolPadding, Rank3,
    Rank4, SamePadding, Tensor, WindowPadding, bf16, tensor,
};

use super::{Random, assert_near, indices, layouts, numbers, of};

/// An observed operation and its result.
struct Answer<'a> {
    line: &'a str,
    operation: &'a str,
    x: DynTensor,
    /// The shape of the filters, or the size of a window.
    filters: Vec<usize>,
    stride: [usize; 2],
    padding: &'a str,
    dilation: [usize; 2],
    groups: &'a str,
    option: &'a str,
    shape: Vec<usize>,
    elements: Vec<f64>,
}

fn sizes(text: &str) -> Vec<usize> {
    text.split('x')
        .map(|size| size.parse().expect("a size"))
        .collect()
}

fn pair(text: &str) -> [usize; 2] {
    sizes(text).try_into().expect("two axes")
}

/// Elements in row-major order: `i * factor % modulus + least`.
fn pattern(shape: &[usize], factor: usize, modulus: usize, least: f64) -> DynTensor {
    let elements: Vec<f64> = (0..shape.iter().product())
        .map(|i| (i * factor % modulus) as f64 + least)
        .collect();
    of(DType::F32, shape, &elements)
}

fn answers() -> Vec<Answer<'static>> {
    let lines = include_str!("../data/windows/answers.csv").lines().skip(1);
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let elements = cells[10].split(' ');
            Answer {
                line,
                operation: cells[1],
                x: pattern(&sizes(cells[2]), 7, 11, -5.0),
                filters: sizes(cells[3]),
                stride: pair(cells[4]),
                padding: cells[5],
                dilation: pair(cells[6]),
                groups: cells[7],
                option: cells[8],
                shape: sizes(cells[9]),
                elements: elements
                    .map(|element| element.parse().expect("a number"))
                    .collect(),
            }
        })
        .collect()
}

impl Answer<'_> {
    fn convolved(&self, padding: impl WindowPadding<2>) -> DynTensor {
        let filters = pattern(&self.filters, 5, 7, -3.0);
        let options = ConvOptions::new()
            .stride(self.stride)
            .padding(padding)
            .dilation(self.dilation)
            .groups(self.groups.parse().expect("a number"));
        match self.operation {
            "conv2d" => self.x.conv2d(&filters, options),
            _ => self.x.conv_transpose2d(&filters, options),
        }
    }
}

#[test]
fn paddings_of_convolutions_are_those_of_jax_and_pytorch() {
    let mut compared = [0; 2];
    for answer in answers() {
        if !answer.operation.starts_with("conv") {
            continue;
        }
        let found = match (answer.padding, answer.option.split_once(' ')) {
            ("same", _) => answer.convolved(SamePadding),
            (both, Some(("output_padding", less))) => {
                let (both, less) = (pair(both), pair(less));
                answer.convolved([0, 1].map(|axis| [both[axis], both[axis] - less[axis]]))
            }
            (sides, _) => {
                let sides: Vec<[usize; 2]> = sides
                    .split('x')
                    .map(|sides| pair(&sides.replace(':', "x")))
                    .collect();
                answer.convolved([sides[0], sides[1]])
            }
        };
        assert_eq!(found.shape(), answer.shape, "{}", answer.line);
        assert_eq!(numbers(&found), answer.elements, "{}", answer.line);
        compared[usize::from(answer.operation == "conv2d")] += 1;
    }
    assert_eq!(compared, [32, 47]);
}

#[test]
fn paddings_of_pools_are_those_of_jax_and_pytorch() {
    let mut compared = [0; 2];
    for answer in answers() {
        let size: [usize; 2] = match answer.operation.ends_with("pool2d") {
            true => answer.filters[..].try_into().expect("two axes"),
            false => continue,
        };
        let options = PoolOptions::new(size)
            .stride(answer.stride)
            .dilation(answer.dilation);
        let padding = match answer.padding {
            "same" => PoolPadding::new(SamePadding),
            both => PoolPadding::new(pair(both)),
        };
        let padding = padding
            .ceil_mode(answer.option.contains("ceil_mode True"))
            .count_include_pad(!answer.option.contains("count_include_pad False"));
        let options = options.padding(padding);
        let found = match answer.operation {
            "max_pool2d" => answer.x.max_pool2d(options),
            _ => answer.x.avg_pool2d(options),
        };
        assert_eq!(found.shape(), answer.shape, "{}", answer.line);
        assert_near(&found, &answer.elements, |_| 8.0, answer.line);
        compared[usize::from(answer.operation == "max_pool2d")] += 1;
    }
    assert_eq!(compared, [59, 104]);
}

#[test]
fn windows_of_padding_alone_have_no_mean_without_it() {
    let x: Tensor<F32, Rank3> = tensor![[[1.0, 2.0]]];
    let padding = PoolPadding::new([2]).count_include_pad(false);
    let means = x
        .avg_pool1d(PoolOptions::new([2]).padding(padding))
        .to_vec();
    assert!(means[0].is_nan() && means[1] == 1.5 && means[2].is_nan());
    // So many places that a loop over them would not end.
    let nothing = Tensor::<F32, Rank3>::zeros([0, 1, 1 << 50]);
    let options = PoolOptions::new([1 << 49]).stride([1 << 48]);
    let means = nothing.avg_pool1d(options.padding(padding.ceil_mode(true)));
    assert_eq!(means.shape(), [0, 1, 4]);
}

/// The gradient by the operand: the sum of products of `x` and a convolution of `y` is that of the transposed convolution of `x` and `y`.
#[test]
fn transposed_convolutions_are_gradients_of_convolutions() {
    let mut random = Random(29);
    for round in 0..60 {
        let mut number = |least: usize, count: usize| least + random.below(count);
        let groups = number(1, 2);
        let (channels, filters) = (number(1, 2) * groups, number(1, 2) * groups);
        let options = ConvOptions::new()
            .stride([number(1, 3)])
            .padding([[number(0, 3), number(0, 3)]])
            .dilation([number(1, 2)])
            .groups(groups);
        let dtype = [DType::F32, DType::BF16, DType::I32, DType::F16, DType::F64][round % 5];
        let mut integers = |shape: &[usize]| {
            let elements: Vec<f64> = indices(shape)
                .iter()
                .map(|_| random.below(3) as f64)
                .collect();
            of(dtype, shape, &elements)
        };
        let y = integers(&[2, channels, 9]);
        let kernel = integers(&[filters, channels / groups, 3]);
        let convolved = y.conv1d(&kernel, options);
        let x = integers(convolved.shape());
        // The padding behind `y` that the last window reaches.
        let (before, window) = (options.padding[0][0], 2 * options.dilation[0] + 1);
        let end = (x.shape()[2] - 1) * options.stride[0] + window;
        let behind = end.saturating_sub(before + 9);
        let options = options.padding([[before, behind]]);
        let transposed = x.conv_transpose1d(&kernel, options);
        // Positions of `y` behind the last window have no part in the convolution.
        let seen = transposed.shape()[2];
        assert!(seen <= 9 && 9 - seen < options.stride[0], "{options:?}");
        let sum = |a: &DynTensor, b: &DynTensor| -> f64 {
            let products = numbers(a).into_iter().zip(numbers(b)).map(|(a, b)| a * b);
            products.sum()
        };
        let y = y.slice(2, ..seen as isize);
        assert_eq!(
            sum(&x, &convolved),
            sum(&transposed, &y),
            "{dtype} {options:?}"
        );
        for x in layouts(&x) {
            let found = x.conv_transpose1d(&kernel, options);
            assert_eq!(numbers(&found), numbers(&transposed), "another layout");
        }
    }
}

#[test]
fn transposed_convolutions_of_small_floats_round_once() {
    let x = Tensor::<BF16, Rank3>::from_fn([1, 300, 1], |_| bf16::ONE);
    let filters = Tensor::<BF16, Rank3>::from_fn([300, 1, 1], |_| bf16::ONE);
    // One by one in bf16 the sum would stop at 256.
    let sum = x.conv_transpose1d(&filters, ConvOptions::new());
    assert_eq!(sum.to_vec(), [bf16::from_f32(300.0)]);
    let half: Tensor<F16, Rank3> = filters.cast();
    let mixed: Tensor<F32, Rank3> = x.conv_transpose1d(&half, ConvOptions::new());
    assert_eq!(mixed.to_vec(), [300.0]);
}

/// Positions between elements are no products with zeros: infinities and NaN of a filter reach the positions on which they fall. The answers
/// are PyTorch's (2.15.0).
#[test]
fn infinities_of_filters_stay_where_they_fall() {
    const INF: f64 = f64::INFINITY;
    const NAN: f64 = f64::NAN;
    let options = ConvOptions::new();
    let x = of(DType::F32, &[1, 1, 2, 2], &[1.0, -2.0, 0.0, 3.0]);
    let w = of(DType::F32, &[1, 1, 2, 2], &[INF, 1.0, 2.0, NAN]);
    let line = of(DType::F32, &[1, 1, 2], &[1.0, 2.0]);
    let filter = of(DType::F32, &[1, 1, 3], &[INF, 1.0, 2.0]);
    let answers: [(DynTensor, &[f64]); 4] = [
        (
            x.conv_transpose2d(&w, options.stride([2, 2])),
            &[
                INF, 1.0, -INF, -2.0, 2.0, NAN, -4.0, NAN, NAN, 0.0, INF, 3.0, 0.0, NAN, 6.0, NAN,
            ],
        ),
        (
            x.conv_transpose2d(&w, options),
            &[INF, -INF, -2.0, NAN, NAN, NAN, 0.0, NAN, NAN],
        ),
        (
            x.conv_transpose2d(&w, options.stride([3, 2]).padding([1, 1])),
            &[NAN, -4.0, 0.0, 0.0, 0.0, INF],
        ),
        (
            line.conv_transpose1d(&filter, ConvOptions::new().stride([2])),
            &[INF, 1.0, INF, 2.0, 4.0],
        ),
    ];
    for (found, expected) in answers {
        let found = numbers(&found);
        let same = |(a, b): (&f64, &f64)| a == b || a.is_nan() && b.is_nan();
        assert!(
            found.len() == expected.len() && found.iter().zip(expected).all(same),
            "{found:?}, not {expected:?}"
        );
    }
}

#[test]
fn other_rules_have_transposed_convolutions_too() {
    let x: Tensor<F32, Rank4> = tensor![[[[1.0, 2.0]]]];
    let (x, options) = (x.with_rules::<Numpy>(), ConvOptions::new().stride([1, 2]));
    let found = x.conv_transpose2d(&x, options);
    assert_eq!(found.to_vec(), [1.0, 2.0, 2.0, 4.0]);
    let x = x.into_dyn();
    assert_eq!(
        numbers(&x.conv_transpose2d(&x, options)),
        [1.0, 2.0, 2.0, 4.0]
    );
}

/// Without examples, channels or filters there are no products, however long an axis is.
#[test]
fn transposed_convolutions_of_nothing_need_no_memory() {
    let options = ConvOptions::new();
    let long = 1 << 50;
    let zeros = |shape| Tensor::<F32, Rank3>::zeros(shape);
    let filter = zeros([1, 1, 3]);
    let no_examples = zeros([0, 1, 1]).broadcast_to([0, 1, long]);
    let found = no_examples.conv_transpose1d(&filter, options);
    assert_eq!(found.shape(), [0, 1, long + 2]);
    let one_example = zeros([1, 1, 1]).broadcast_to([1, 1, long]);
    let found = one_example.conv_transpose1d(&zeros([1, 0, 3]), options.stride([2]));
    assert_eq!(found.shape(), [1, 0, 2 * long + 1]);
    let no_channels = zeros([2, 0, 4]);
    let found = no_channels.conv_transpose1d(&zeros([0, 1, 3]), options);
    assert_eq!(found.shape(), [2, 1, 6]);
    assert_eq!(found.to_vec(), [0.0; 12]);
}

#[test]
fn transposed_convolutions_that_do_not_fit_are_errors() {
    let ones = |shape: &[usize]| DynTensor::ones(DType::F32, shape).expect("memory");
    let (x, w) = (ones(&[1, 4, 5, 5]), ones(&[4, 6, 3, 3]));
    let options = ConvOptions::new();
    let huge = usize::MAX;
    for (result, expected) in [
        (
            x.try_conv_transpose2d(&w, options.stride([1, 0])),
            "conv_transpose2d: the stride of the window along axis 3 is zero",
        ),
        (
            x.try_conv_transpose2d(&ones(&[4, 6, 0, 3]), options),
            "conv_transpose2d: the size of the window along axis 2 is zero",
        ),
        (
            x.try_conv_transpose2d(&w, options.groups(3)),
            "conv_transpose2d: 4 channels are not divisible into 3 groups",
        ),
        (
            x.try_conv_transpose2d(&ones(&[6, 4, 3, 3]), options),
            "conv_transpose2d: axis 1 of the operand has size 4, axis 0 of the filters has size 6 (shapes [1, 4, 5, 5] and [6, 4, 3, 3])",
        ),
        (
            x.try_conv_transpose2d(&w, options.padding([[0, 0], [3, 4]])),
            "conv_transpose2d: padding of 3 and 4 takes all of axis 3, which has size 7 without it",
        ),
        (
            x.try_conv_transpose2d(&w, options.padding([huge, 0])),
            "conv_transpose2d: padding of 18446744073709551615 and 18446744073709551615 takes all of axis 2, which has size 7 \
             without it",
        ),
        (
            x.try_conv_transpose1d(&w, ConvOptions::new()),
            "conv_transpose1d: rank 3 expected, found shape [1, 4, 5, 5]",
        ),
    ] {
        assert_eq!(result.unwrap_err().to_string(), expected);
    }
    for options in [options.stride([huge, 1]), options.dilation([1, huge])] {
        let results = [
            x.try_conv_transpose2d(&w, options),
            x.try_conv_transpose2d(&w, options.padding(SamePadding)),
            x.try_conv_transpose2d(&w, options.padding([huge, huge])),
        ];
        for result in results {
            assert!(
                matches!(result, Err(Error::ShapeTooLarge { .. }))
                    || result
                        .unwrap_err()
                        .to_string()
                        .starts_with("conv_transpose2d: ")
            );
        }
    }
    // Strides of one element, and more padding than filters reach beyond the operand.
    let one = ones(&[1, 4, 1, 5]);
    let far = options.stride([huge, 1]).padding([1, 3]);
    assert_eq!(one.conv_transpose2d(&w, far).shape(), [1, 6, 1, 1]);
    // Nothing to convolve.
    let nothing = |x: &[usize], w: &[usize]| ones(x).conv_transpose2d(&ones(w), options);
    assert_eq!(nothing(&[0, 4, 5, 5], &[4, 6, 3, 3]).shape(), [0, 6, 7, 7]);
    let zeros = nothing(&[1, 0, 1, 1], &[0, 2, 1, 2]);
    assert_eq!(
        (zeros.shape(), numbers(&zeros)),
        (&[1, 2, 1, 2][..], vec![0.0; 4])
    );
    assert_eq!(nothing(&[1, 4, 0, 1], &[4, 1, 3, 1]).shape(), [1, 1, 2, 1]);
}
