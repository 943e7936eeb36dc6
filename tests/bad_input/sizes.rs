//! Sizes, counts and offsets that are out of range.

use supremum::prelude::*;
use supremum::{ConvOptions, PadMode, PoolOptions, QuantileMethod};

use crate::{Faults, SHAPES, refused, tensor};

const HUGE: [usize; 3] = [isize::MAX.unsigned_abs(), usize::MAX, usize::MAX / 2 + 2];

#[test]
pub(crate) fn sizes_that_do_not_fit_are_named() {
    let mut faults = Faults::default();
    for shape in SHAPES {
        let typed = tensor(shape);
        let dynamic = typed.clone().into_dyn();
        let from = format!("{shape:?}");
        for sizes in [
            &[5_isize][..],
            &[-2],
            &[-1, -1],
            &[isize::MAX],
            &[isize::MIN],
            &[5, 0, -1],
            &[isize::MAX, isize::MAX],
        ] {
            let mention = &[from.clone(), format!("{sizes:?}")];
            refused!(faults, mention, [typed, dynamic]; try_reshape reshape(sizes));
            let error = typed.try_reshape(sizes).expect_err("sizes that do not fit");
            let says_so = error.to_string().contains("only one size may be left out");
            assert_eq!(says_so, sizes == [-1, -1], "{error}");
        }
        let wider: Vec<usize> = shape.iter().map(|size| size + 2).chain([7]).rev().collect();
        if !shape.is_empty() {
            let mention = &[from.clone(), format!("{wider:?}")];
            refused!(faults, mention, [typed, dynamic]; try_broadcast_to broadcast_to(&wider[..]));
        }
        for counts in [vec![1; shape.len() + 1], vec![0; shape.len() + 2]] {
            let mention = &[counts.len().to_string(), shape.len().to_string()];
            refused!(faults, mention, [typed]; try_tile tile(&counts[..]));
            refused!(faults, mention, [dynamic]; try_tile tile(&counts));
            let padding = vec![[1, 1]; counts.len()];
            refused!(faults, mention, [typed, dynamic]; try_pad pad(&padding, 0.0));
            refused!(faults, mention, [typed, dynamic]; try_pad_with pad_with(&padding, PadMode::Edge));
        }
        for (axis, size) in shape.iter().enumerate() {
            let signed = axis.cast_signed();
            let place = [format!("axis {axis}"), format!("size {size}")];
            for count in HUGE.into_iter().chain([size + 1]) {
                let mention = &[place.clone(), [count.to_string(), String::new()]].concat()[..3];
                refused!(faults, mention, [typed, dynamic]; try_top_k top_k(count, signed));
            }
            for sizes in [
                vec![],
                vec![size + 1],
                vec![usize::MAX, 1],
                vec![usize::MAX, size + 1],
                vec![*size, 1],
            ] {
                if !sizes.contains(&usize::MAX) && sizes.iter().sum::<usize>() == *size {
                    continue;
                }
                let mention = &[place.clone(), [format!("{sizes:?}"), String::new()]].concat()[..3];
                refused!(faults, mention, [typed, dynamic]; try_split split(&sizes, signed));
            }
            refused!(faults, &place, [typed, dynamic]; try_chunk chunk(0, signed));
            if *size != 1 {
                let mention = &[format!("axis {axis}"), size.to_string()];
                refused!(faults, mention, [typed, dynamic]; try_squeeze squeeze(signed));
            }
        }
    }
}

/// The name of the last method of a call, without `try_`.
fn called(call: &str) -> &str {
    let start = match call.rfind("try_") {
        Some(start) => start + "try_".len(),
        None => call.find("::").map_or(0, |start| start + "::".len()),
    };
    let name = &call[start..];
    &name[..name.find('(').expect("a call")]
}

/// Checks that a call returns: a result, or the error of too many elements, which names the method, or of too little memory.
macro_rules! returns {
    ($faults:ident; $($call:expr),+ $(,)?) => {$(
        let result = crate::catch_unwind(&mut || $call.map(drop));
        match result {
            Ok(Ok(())) => {}
            Ok(Err(Error::ShapeTooLarge { operation, .. })) if operation == called(stringify!($call)) => {}
            Ok(Err(Error::OutOfMemory { .. } | Error::TooManyPositions { .. })) => {}
            Ok(Err(error)) => $faults.note(stringify!($call), &[], &error.to_string()),
            Err(_) => $faults.note(stringify!($call), &[], "a panic"),
        }
    )+};
}

#[test]
pub(crate) fn huge_sizes_are_errors_where_there_is_no_memory() {
    let mut faults = Faults::default();
    for size in HUGE {
        returns! { faults;
            Tensor::<F32>::try_zeros([size]), Tensor::<F32>::try_ones([2, size]), Tensor::<F32>::try_full([size, size], 1.0),
            Tensor::<F32>::try_from_fn([size, 2], |_| 0.0), Tensor::<Bool>::try_eye(size),
            Tensor::<F64>::try_linspace(0.0, 1.0, size), Tensor::<F32>::try_logspace(0.0, 1.0, size),
            DynTensor::zeros(DType::U8, [size]), DynTensor::ones(DType::C128, [2, size]), DynTensor::eye(DType::F32, size),
            DynTensor::full(DType::F32, [size, size], 1.0), DynTensor::try_linspace(DType::F32, 0.0, 1.0, size),
            DynTensor::try_logspace(DType::F32, 0.0, 1.0, size),
            Tensor::<I64, Rank1>::zeros([2]).try_bincount(size), DynTensor::zeros(DType::I64, [2]).and_then(|t| t.try_bincount(size)),
            Tensor::<F32>::ones([2]).try_histogram(size, 0.0..=1.0),
            DynTensor::ones(DType::F32, [2]).and_then(|t| t.try_histogram(size, 0.0..=1.0)),
            Tensor::<I64, Rank1>::try_permutation(size, &mut rand_pcg::Pcg32::new(1, 1)),
            DynTensor::try_permutation(DType::I64, size, &mut rand_pcg::Pcg32::new(1, 1)),
        }
        for shape in SHAPES {
            let (typed, rank) = (tensor(shape), shape.len());
            let dynamic = typed.clone().into_dyn();
            let wide = vec![size; rank + 1];
            let counts = vec![size; rank];
            let padding = vec![[size, size]; rank];
            returns! { faults;
                dynamic.try_tile(&counts), typed.try_tile(&counts[..]),
                dynamic.try_pad(&padding, 1.0), typed.try_pad(&padding, 1.0),
            }
            if rank == 0 || shape.iter().all(|size| *size == 1) {
                returns!(faults; typed.try_broadcast_to(&wide[..]), dynamic.try_broadcast_to(&wide[..]));
            }
            for axis in 0..rank.cast_signed() {
                returns! { faults;
                    typed.try_repeat(size, axis), dynamic.try_repeat(size, axis),
                    typed.try_chunk(size, axis), dynamic.try_chunk(size, axis),
                }
            }
            for offset in [size.cast_signed(), isize::MIN, isize::MIN + 1, isize::MAX] {
                if rank > 0 {
                    returns! { faults;
                        typed.try_diag_embed(offset), dynamic.try_diag_embed(offset),
                        typed.flatten().try_diag(offset), dynamic.flatten().try_diag(offset),
                    }
                    returns!(faults; typed.try_roll(offset, 0), dynamic.try_roll(offset, 0));
                }
                if rank > 1 {
                    returns! { faults;
                        typed.try_tril(offset), dynamic.try_tril(offset), typed.try_triu(offset), dynamic.try_triu(offset),
                        typed.try_trace(offset), dynamic.try_trace(offset),
                        typed.try_diagonal(offset, 0, 1), dynamic.try_diagonal(offset, 0, 1),
                        typed.try_diagonal(offset, -1, 0), dynamic.try_diagonal(offset, -1, 0),
                    }
                }
            }
            for correction in [size, 6] {
                returns!(faults; typed.try_var_corrected(correction, ..), dynamic.try_std_corrected(correction, ..));
            }
        }
    }
}

/// Errors about ranks and shapes name the method that was called.
#[test]
pub(crate) fn ranks_that_do_not_fit_are_named() {
    let mut faults = Faults::default();
    let deep = [1_usize; 9];
    let huge = [1_usize << 40, 1 << 40];
    let mut refused = |call: &str, operation: &str, result: Result<(), Error>| {
        let mention = match operation {
            _ if call.contains("huge") => "1099511627776".to_owned(),
            _ if call.contains("deep") => "9".to_owned(),
            _ => "rank".to_owned(),
        };
        _ = faults.refused((call, operation), &[mention], || result.clone());
    };
    macro_rules! constructors {
        ($($operation:literal: $call:expr;)*) => {
            $(refused(stringify!($call), $operation, $call.map(drop));)*
        };
    }
    let mut rng = rand_pcg::Pcg32::new(1, 1);
    let mut rng = &mut rng;
    constructors! {
        "zeros": Tensor::<F32>::try_zeros(&deep[..]);
        "zeros": Tensor::<F32>::try_zeros(huge);
        "zeros": Tensor::<F32, Rank1>::try_zeros(&[2, 2][..]);
        "ones": Tensor::<F32>::try_ones(&deep[..]);
        "ones": Tensor::<F32, Rank1>::try_ones(&[2, 2][..]);
        "full": Tensor::<F32>::try_full(huge, 1.0);
        "full": Tensor::<F32, Rank3>::try_full(&[2, 2][..], 1.0);
        "from_fn": Tensor::<F32>::try_from_fn(&deep[..], |_| 0.0);
        "from_fn": Tensor::<F32, Rank1>::try_from_fn(&[2, 2][..], |_| 0.0);
        "from_vec": Tensor::<F32>::from_vec(vec![0.0], &deep[..]);
        "from_vec": Tensor::<F32>::try_from_vec(vec![], huge);
        "from_vec": Tensor::<F32, Rank1>::from_vec(vec![0.0], &[1, 1][..]);
        "from_slice": Tensor::<F32>::try_from_slice(&[0.0], &deep[..]);
        "from_slice": Tensor::<F32, Rank1>::from_slice(&[0.0], &[1, 1][..]);
        "eye": Tensor::<F32>::try_eye(huge[0]);
        "uniform": Tensor::<F32>::try_uniform(&deep[..], 0.0..1.0, &mut rng);
        "uniform": Tensor::<F32, Rank1>::try_uniform(&[1, 1][..], 0.0..1.0, &mut rng);
        "normal": Tensor::<F32>::try_normal(huge, 0.0, 1.0, &mut rng);
        "integers": Tensor::<I32>::try_integers(huge, 0..2, &mut rng);
        "bernoulli": Tensor::<Bool>::try_bernoulli(&deep[..], 0.5, &mut rng);
        "zeros": DynTensor::zeros(DType::U8, deep);
        "ones": DynTensor::ones(DType::U8, huge);
        "full": DynTensor::full(DType::U8, huge, 1);
        "eye": DynTensor::eye(DType::U8, huge[0]);
        "from_bytes": DynTensor::try_from_bytes(DType::U8, deep, &[0]);
        "from_vec": DynTensor::from_vec(vec![0_u8], deep);
        "from_vec": DynTensor::try_from_vec(vec![0_u8], huge);
        "from_slice": DynTensor::from_slice(&[0.5], deep);
        "from_slice": DynTensor::try_from_slice(&[0.5], huge);
        "from_fn": DynTensor::try_from_fn(deep, |_| 0.5);
        "from_fn": DynTensor::try_from_fn(huge, |_| 0.5);
        "uniform": DynTensor::try_uniform(DType::F32, huge, 0.0..1.0, &mut rng);
        "normal": DynTensor::try_normal(DType::F32, deep, 0.0, 1.0, &mut rng);
        "integers": DynTensor::try_integers(DType::I8, deep, 0..2, &mut rng);
        "bernoulli": DynTensor::try_bernoulli(deep, 0.5, &mut rng);
    }
    let most = Tensor::<F32>::ones(&[1; 8][..]);
    let dynamic = most.clone().into_dyn();
    let nine = &["9".to_owned()];
    let far = Tensor::<I64, Rank1>::zeros([1]).broadcast_to([1 << 57]);
    refused!(faults, nine, [most, dynamic]; try_reshape reshape(&deep[..]));
    refused!(faults, nine, [most, dynamic]; try_broadcast_to broadcast_to(&deep[..]));
    refused!(faults, nine, [most, dynamic]; try_unsqueeze unsqueeze(0));
    refused!(faults, nine, [most, dynamic]; try_diag_embed diag_embed(0));
    let all = Tensor::<F32, Rank5>::ones([1; 5]);
    let dynamic_five = all.clone().into_dyn();
    let ten = &["10".to_owned()];
    refused!(faults, ten, [all]; try_kron kron(&all));
    refused!(faults, ten, [dynamic_five]; try_kron kron(&dynamic_five));
    refused!(faults, nine, [dynamic_five]; try_tensordot tensordot(&dynamic_five, &[0_isize; 0], &[0_isize; 0]));
    let matrix = Tensor::<F32, AnyRank>::ones([1, 3]);
    let dynamic = matrix.clone().into_dyn();
    let one = &["rank 1".to_owned(), "[1, 3]".to_owned()];
    refused!(faults, one, [matrix]; try_dot dot(&matrix));
    refused!(faults, one, [dynamic]; try_dot dot(&dynamic));
    let vector = &["vector".to_owned(), "[1, 3]".to_owned()];
    refused!(faults, vector, [matrix, dynamic]; try_diag diag(0));
    let flattened = &[
        "rank 1".to_owned(),
        "[1, 3]".to_owned(),
        ".flatten()".to_owned(),
    ];
    refused!(faults, flattened, [matrix]; try_outer outer(&matrix));
    refused!(faults, flattened, [dynamic]; try_outer outer(&dynamic));
    refused!(faults, one, [dynamic]; try_searchsorted searchsorted(&dynamic));
    let long = &["[144115188075855872, 3]".to_owned()];
    let wide = Tensor::<F32, Rank2>::ones([2, 3]);
    let dynamic = wide.clone().into_dyn();
    refused!(faults, long, [wide, dynamic]; try_take take(&far, 0));
    let _ = faults.refused(("rank", "rank"), one, || matrix.rank::<Rank1>());
    let _ = faults.refused(("typed", "typed tensor"), one, || {
        matrix.clone().into_dyn().typed::<F32, Rank1, Jax>()
    });
    let copies = vec![&most; 2];
    let _ = faults.refused(("stack", "stack"), nine, || try_stack(&copies, 0));
    let huge = Tensor::<F32, Rank1>::zeros([1]).broadcast_to([1 << 57]);
    let several = vec![&huge; 2];
    let twice = &["[2, 144115188075855872]".to_owned()];
    let _ = faults.refused(("stack", "stack"), twice, || try_stack(&several, 0));
    let twice = &["[288230376151711744]".to_owned()];
    let _ = faults.refused(("concat", "concat"), twice, || try_concat(&several, 0));
}

#[test]
pub(crate) fn positions_that_the_dtype_does_not_have_are_counted() {
    let mut faults = Faults::default();
    let mut rng = rand_pcg::Pcg32::new(1, 1);
    let mention = |parts: [&str; 3]| parts.map(str::to_owned);
    let call = ("permutation", "permutation");
    faults.refused(call, &mention(["300", "i8", "127"]), || {
        Tensor::<I8, Rank1>::try_permutation(300, &mut rng)
    });
    faults.refused(call, &mention(["257", "u8", "255"]), || {
        DynTensor::try_permutation(DType::U8, 257, &mut rng)
    });
    faults.refused(call, &mention(["32769", "i16", "32767"]), || {
        DynTensor::try_permutation(DType::I16, 32769, &mut rng)
    });
    faults.accepted("permutation", || {
        Tensor::<I8, Rank1>::try_permutation(128, &mut rng)
    });
}

#[test]
pub(crate) fn operations_made_of_others_give_their_own_name() {
    let mut faults = Faults::default();
    let (typed, other) = (tensor(&[2, 3]), tensor(&[2]));
    let (dynamic, dyn_other) = (typed.clone().into_dyn(), other.clone().into_dyn());
    let mention = &["[2, 3]".to_owned(), "[2]".to_owned()];
    refused!(faults, mention, [typed]; try_clamp clamp(&other, 1.0));
    refused!(faults, mention, [typed]; try_clamp clamp(0.0, &other));
    refused!(faults, mention, [dynamic]; try_clamp clamp(&dyn_other, 1.0));
    refused!(faults, mention, [dynamic]; try_clamp clamp(0.0, &dyn_other));
    let mention = &["300".to_owned()];
    let bytes = DynTensor::ones(DType::U8, [2]).expect("two elements");
    refused!(faults, mention, [bytes]; try_clamp clamp(300, 1));
    refused!(faults, mention, [bytes]; try_clamp clamp(1, 300));
    let complex = DynTensor::ones(DType::C64, [2]).expect("two elements");
    let mention = &["[2]".to_owned()];
    refused!(faults, mention, [complex]; try_clamp clamp(0.0, 1.0));
    let mention = &["[2]".to_owned(), "[3]".to_owned()];
    let longer = tensor(&[3]);
    refused!(faults, mention, [other]; try_dot dot(&longer));
    let longer = longer.into_dyn();
    refused!(faults, mention, [dyn_other]; try_dot dot(&longer));
    for right in [vec![2], vec![2, 3], vec![4, 4, 1], vec![]] {
        let mention = &match right.len() {
            0 => vec!["at least 1".to_owned(), "[]".to_owned()],
            rank => vec![
                "axis 1 of the left operand has size 3".to_owned(),
                format!("axis {} of the right", rank.saturating_sub(2)),
                "[2, 3]".to_owned(),
                format!("{right:?}"),
            ],
        };
        let (right, dyn_right) = (tensor(&right), tensor(&right).into_dyn());
        faults.refused(("matmul_in", "matmul_in"), mention, || {
            typed.try_matmul_in::<F64>(&right)
        });
        refused!(faults, mention, [dynamic]; try_matmul_in matmul_in(&dyn_right, DType::F64));
        refused!(faults, mention, [typed]; try_matmul matmul(&right));
        refused!(faults, mention, [dynamic]; try_matmul matmul(&dyn_right));
    }
}

/// Two operands whose sizes along an axis should be equal: the error has the axis and the size of each.
#[test]
pub(crate) fn sizes_that_differ_are_named_with_their_axes() {
    let mut faults = Faults::default();
    let mention = |[axis, size]: [usize; 2], [other, found]: [usize; 2]| {
        [
            format!("axis {axis} of"),
            format!("has size {size},"),
            format!("axis {other} of"),
            format!("has size {found} "),
        ]
    };
    let (a, b) = (tensor(&[2, 3]), tensor(&[2, 4]));
    let (dyn_a, dyn_b) = (a.clone().into_dyn(), b.clone().into_dyn());
    let sizes = &mention([1, 3], [1, 4]);
    refused!(faults, sizes, [a]; try_concat concat(&b, 0));
    refused!(faults, sizes, [dyn_a]; try_concat concat(&dyn_b, 0));
    refused!(faults, sizes, [a]; try_tensordot tensordot(&b, 1, 1));
    refused!(faults, sizes, [dyn_a]; try_tensordot tensordot(&dyn_b, 1, 1));
    let named = |at: usize| [&sizes[..], &[format!("tensor {at} ")]].concat();
    faults.refused(("stack", "stack"), &named(2), || {
        try_stack(&[&a, &a, &b], 0)
    });
    faults.refused(("concat", "concat"), &named(1), || {
        try_concat(&[&dyn_a, &dyn_b], 0)
    });
    let row = tensor(&[4]);
    let ranks = &[
        "[2, 3]".to_owned(),
        "[4]".to_owned(),
        "ranks are 2 and 1".to_owned(),
    ];
    refused!(faults, ranks, [a]; try_concat concat(&row, 0));
    refused!(faults, ranks, [a]; try_scatter scatter(&row.cast::<I64>(), &a, 0));
    faults.refused(("stack", "stack"), ranks, || try_stack(&[&a, &row], 0));
    let grouped = &[
        "axis 1 of the operand has size 4".to_owned(),
        "filters, for each of 2 groups, has size 4".to_owned(),
    ];
    let (line, filters) = (tensor(&[1, 4, 3]), tensor(&[6, 4, 1]));
    refused!(faults, grouped, [line]; try_conv1d conv1d(&filters, ConvOptions::new().groups(2)));
    let indices = Tensor::<I64>::zeros([1, 4]);
    let dyn_indices = indices.clone().into_dyn();
    refused!(faults, sizes, [a]; try_take_along_axis take_along_axis(&indices, 0));
    refused!(faults, sizes, [dyn_a]; try_take_along_axis take_along_axis(&dyn_indices, 0));
    refused!(faults, sizes, [a]; try_scatter scatter(&indices, &a, 0));
    refused!(faults, sizes, [dyn_a]; try_scatter_add scatter_add(&dyn_indices, &dyn_a, 0));
    // The updates along the axis have the sizes of the indices, and those of the tensor along the others.
    let rows = Tensor::<I64>::zeros([4, 3]);
    let updates = tensor(&[5, 3]);
    refused!(faults, &mention([0, 4], [0, 5]), [a]; try_scatter_max scatter_max(&rows, &updates, 0));
    refused!(faults, sizes, [a]; try_scatter scatter(&Tensor::<I64>::zeros([2, 3]), &b, 0));
    let (x, filters) = (tensor(&[1, 3, 5]), tensor(&[4, 2, 3]));
    let (dyn_x, dyn_filters) = (x.clone().into_dyn(), filters.clone().into_dyn());
    let sizes = &mention([1, 3], [1, 2]);
    refused!(faults, sizes, [x]; try_conv1d conv1d(&filters, ConvOptions::new()));
    refused!(faults, sizes, [dyn_x]; try_conv1d conv1d(&dyn_filters, ConvOptions::new()));
    let sizes = &mention([1, 3], [0, 4]);
    refused!(faults, sizes, [x]; try_conv_transpose1d conv_transpose1d(&filters, ConvOptions::new()));
    refused!(faults, sizes, [dyn_x]; try_conv_transpose1d conv_transpose1d(&dyn_filters, ConvOptions::new()));
    let (points, values) = (tensor(&[3]), tensor(&[2]));
    let sizes = &mention([0, 3], [0, 2]);
    refused!(faults, sizes, [a]; try_interp interp(&points, &values));
    // The shapes of factors do not broadcast, and the error names the product that was called.
    let factors = &["[2, 3]".to_owned(), "[4, 3]".to_owned()];
    let (four, dyn_four) = (tensor(&[4, 3]), tensor(&[4, 3]).into_dyn());
    refused!(faults, factors, [a]; try_cross cross(&four, 1));
    refused!(faults, factors, [dyn_a]; try_cross cross(&dyn_four, 1));
}

#[test]
pub(crate) fn windows_that_do_not_fit_are_named() {
    let mut faults = Faults::default();
    let line = Tensor::<F32, Rank3>::ones([1, 2, 5]);
    let dynamic = line.clone().into_dyn();
    let filters = Tensor::<F32, Rank3>::ones([4, 2, 3]);
    let dynamic_filters = filters.clone().into_dyn();
    for (options, mention) in [
        (ConvOptions::new().stride([0]), "axis 2"),
        (ConvOptions::new().dilation([0]), "axis 2"),
        (ConvOptions::new().dilation([usize::MAX]), "axis 2"),
        (ConvOptions::new().dilation([3]), "axis 2"),
        (ConvOptions::new().groups(0), "groups"),
        (ConvOptions::new().groups(3), "3 groups"),
        (ConvOptions::new().groups(usize::MAX), "groups"),
    ] {
        let mention = &[mention.to_owned()];
        refused!(faults, mention, [line]; try_conv1d conv1d(&filters, options));
        refused!(faults, mention, [dynamic]; try_conv1d conv1d(&dynamic_filters, options));
    }
    let spread = Tensor::<F32, Rank3>::ones([2, 4, 3]);
    let dynamic_spread = spread.clone().into_dyn();
    for (options, mention) in [
        (ConvOptions::new().stride([0]), "axis 2"),
        (ConvOptions::new().dilation([0]), "axis 2"),
        (ConvOptions::new().padding([4]), "axis 2"),
        (ConvOptions::new().padding([usize::MAX]), "size 7"),
        (ConvOptions::new().groups(3), "3 groups"),
    ] {
        let mention = &[mention.to_owned()];
        refused!(faults, mention, [line]; try_conv_transpose1d conv_transpose1d(&spread, options));
        refused!(faults, mention, [dynamic]; try_conv_transpose1d conv_transpose1d(&dynamic_spread, options));
    }
    let padded = ConvOptions::new().padding([usize::MAX]);
    returns!(faults; line.try_conv1d(&filters, padded), dynamic.try_conv1d(&dynamic_filters, padded));
    let far = ConvOptions::new().stride([usize::MAX]);
    returns!(faults; line.try_conv1d(&filters, far), dynamic.try_conv1d(&dynamic_filters, far));
    for options in [
        PoolOptions::new([0]),
        PoolOptions::new([6]),
        PoolOptions::new([usize::MAX]),
        PoolOptions::new([2]).stride([0]),
    ] {
        let mention = &["axis 2".to_owned()];
        refused!(faults, mention, [line, dynamic]; try_max_pool1d max_pool1d(options));
        refused!(faults, mention, [line, dynamic]; try_avg_pool1d avg_pool1d(options));
    }
    let images = Tensor::<F32, Rank4>::ones([1, 2, 4, 5]);
    let dynamic = images.clone().into_dyn();
    let filters = Tensor::<F32, Rank4>::ones([4, 2, 3, 3]);
    let dynamic_filters = filters.clone().into_dyn();
    for (options, axis) in [
        (ConvOptions::new().stride([0, 1]), 2),
        (ConvOptions::new().dilation([1, 0]), 3),
        (ConvOptions::new().dilation([2, usize::MAX / 2]), 2),
    ] {
        let mention = &[format!("axis {axis}")];
        refused!(faults, mention, [images]; try_conv2d conv2d(&filters, options));
        refused!(faults, mention, [dynamic]; try_conv2d conv2d(&dynamic_filters, options));
    }
    let spread = Tensor::<F32, Rank4>::ones([2, 4, 3, 3]);
    for (options, axis) in [
        (ConvOptions::new().stride([0, 1]), 2),
        (ConvOptions::new().padding([0, 4]), 3),
    ] {
        let mention = &[format!("axis {axis}")];
        refused!(faults, mention, [images]; try_conv_transpose2d conv_transpose2d(&spread, options));
        let spread = spread.clone().into_dyn();
        refused!(faults, mention, [dynamic]; try_conv_transpose2d conv_transpose2d(&spread, options));
    }
    for (options, axis) in [(PoolOptions::new([5, 1]), 2), (PoolOptions::new([1, 0]), 3)] {
        let mention = &[format!("axis {axis}")];
        refused!(faults, mention, [images, dynamic]; try_max_pool2d max_pool2d(options));
        refused!(faults, mention, [images, dynamic]; try_avg_pool2d avg_pool2d(options));
    }
}

#[test]
pub(crate) fn numbers_out_of_range_are_named() {
    let mut faults = Faults::default();
    let typed = tensor(&[3]);
    let dynamic = typed.clone().into_dyn();
    for quantile in [-0.1, 1.5, f64::NAN, f64::INFINITY] {
        let mention = &[quantile.to_string()];
        refused!(faults, mention, [typed, dynamic]; try_quantile quantile(quantile, QuantileMethod::Linear));
        refused!(faults, mention, [typed, dynamic]; try_nan_quantile nan_quantile(quantile, QuantileMethod::Linear));
        refused!(faults, mention, [typed, dynamic]; try_quantile_axis quantile_axis(quantile, QuantileMethod::Linear, 0));
    }
    for (bins, range) in [
        (0, 0.0..=1.0),
        (3, 1.0..=0.0),
        (3, 0.0..=f64::INFINITY),
        (3, f64::NAN..=1.0),
    ] {
        let mention = &[
            format!("{bins} bins"),
            range.start().to_string(),
            range.end().to_string(),
        ];
        refused!(faults, mention, [typed, dynamic]; try_histogram histogram(bins, range.clone()));
    }
    let negative: Tensor<I64, Rank1> = tensor![1, -3, 2];
    let dynamic = negative.clone().into_dyn();
    refused!(faults, &["-3".to_owned()], [negative, dynamic]; try_bincount bincount(0));
    refused!(faults, &["-3".to_owned()], [negative]; try_bincount_weighted bincount_weighted(&negative, 0));
    refused!(faults, &["-3".to_owned()], [dynamic]; try_bincount_weighted bincount_weighted(&dynamic, 0));
    for (start, end, step) in [
        (0.0, 1.0, 0.0),
        (0.0, f64::INFINITY, 1.0),
        (0.0, 1.0, f64::NAN),
        (0.0, 1e300, 1e-300),
    ] {
        // With an exponent, and without a point after a whole number.
        let written = |number: f64| match format!("{number:?}") {
            number if number.ends_with(".0") => number.replace(".0", ""),
            number => number,
        };
        let mention = &[start, end, step].map(written);
        let error = faults.refused(("arange", "arange"), mention, || {
            Tensor::<F32>::try_arange(start, end, step)
        });
        faults.panics("arange", &error.unwrap_or_default(), &mut || {
            Tensor::<F32>::arange(start, end, step);
        });
        faults.refused(("arange", "arange"), mention, || {
            DynTensor::try_arange(DType::F32, start, end, step)
        });
    }
    let mention = &["3".to_owned(), "4".to_owned()];
    faults.refused(("from_vec", "from_vec"), mention, || {
        Tensor::<F32>::from_vec(vec![0.0; 3], [2, 2])
    });
    faults.refused(("from_slice", "from_slice"), mention, || {
        Tensor::<F32>::from_slice(&[0.0; 3], [2, 2])
    });
    faults.refused(("from_vec", "from_vec"), mention, || {
        DynTensor::from_vec(vec![0.0; 3], [2, 2])
    });
    faults.refused(("from_slice", "from_slice"), mention, || {
        DynTensor::from_slice(&[0.0; 3], [2, 2])
    });
    faults.refused(("from_bytes", "from_bytes"), mention, || {
        DynTensor::try_from_bytes(DType::U8, [2, 2], &[0; 3])
    });
}
