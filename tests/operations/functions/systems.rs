//! Result dtypes are those that the systems answered.

use supremum::__private::FUNCTIONS;
use supremum::{
    AllowUnsafe, ArrayApi, ConvOptions, DType, DynTensor, Error, Jax, JaxX32, Numpy, PoolOptions,
    Rules, TensorFlow, Torch,
};

/// The functions of `data/functions`, by name.
fn by_name(function: &str, operands: &[DynTensor]) -> Result<DynTensor, Error> {
    match (function, operands) {
        ("nan_sum", [x]) => x.try_nan_sum(),
        ("nan_var", [x]) => x.try_nan_var(),
        ("nan_std", [x]) => x.try_nan_std(),
        ("nan_prod", [x]) => x.try_nan_prod(),
        ("nan_argmin", [x]) => x.try_nan_argmin(),
        ("nan_argmax", [x]) => x.try_nan_argmax(),
        ("nan_mean", [x]) => x.try_nan_mean(),
        ("nan_min", [x]) => x.try_nan_min(),
        ("nan_max", [x]) => x.try_nan_max(),
        ("cumprod", [x]) => x.try_cumprod(0),
        ("cummax", [x]) => x.try_cummax(0),
        ("cummin", [x]) => x.try_cummin(0),
        ("softmax", [x]) => x.try_softmax(0),
        ("log_softmax", [x]) => x.try_log_softmax(0),
        ("log_sum_exp", [x]) => x.try_log_sum_exp(0),
        ("norm", [x]) => x.try_norm(2.0, ..),
        ("norm_1", [x]) => x.try_norm(1.0, ..),
        ("norm_inf", [x]) => x.try_norm(f64::INFINITY, ..),
        ("conv1d", [x]) => {
            let x = x.try_reshape([1, 1, 2])?;
            x.try_conv1d(&x, ConvOptions::new())
        }
        ("max_pool1d", [x]) => x
            .try_reshape([1, 1, 2])?
            .try_max_pool1d(PoolOptions::new([2])),
        ("avg_pool1d", [x]) => x
            .try_reshape([1, 1, 2])?
            .try_avg_pool1d(PoolOptions::new([2])),
        ("conv2d", [x]) => {
            let x = x.try_reshape([1, 1, 1, 2])?;
            x.try_conv2d(&x, ConvOptions::new())
        }
        ("max_pool2d", [x]) => x
            .try_reshape([1, 1, 1, 2])?
            .try_max_pool2d(PoolOptions::new([1, 2])),
        ("avg_pool2d", [x]) => x
            .try_reshape([1, 1, 1, 2])?
            .try_avg_pool2d(PoolOptions::new([1, 2])),
        ("cov", [x]) => x.try_reshape([1, 2])?.try_tile([2, 1])?.try_cov(1),
        ("corrcoef", [x]) => x.try_reshape([1, 2])?.try_tile([2, 1])?.try_corrcoef(),
        ("interp", [x, values]) => x.try_interp(x, values),
        ("hypot", [a, b]) => a.try_hypot(b),
        ("log_add_exp", [a, b]) => a.try_log_add_exp(b),
        ("copysign", [a, b]) => a.try_copysign(b),
        ("next_after", [a, b]) => a.try_next_after(b),
        ("leaky_relu", [a, b]) => a.try_leaky_relu(b),
        ("elu", [a, b]) => a.try_elu(b),
        (name, [x]) => {
            let row = FUNCTIONS.iter().find(|row| row.name == name);
            (row.unwrap_or_else(|| panic!("no reading of {name}")).call)(x)
        }
        other => panic!("no reading of {other:?}"),
    }
}

/// Returns whether a function is a convolution or a pooling.
fn is_of_windows(function: &str) -> bool {
    function.starts_with("conv") || function.contains("_pool")
}

/// Why an answer differs from the system's, if that is on purpose.
fn reason(
    system: &str,
    function: &str,
    operands: &[DType],
    answer: &str,
    found: &str,
) -> Option<&'static str> {
    let any = |kind: fn(&DType) -> bool| operands.iter().any(kind);
    let float8 = any(|dtype| dtype.size() == 1 && dtype.kind() == supremum::Kind::Float);
    let complex = any(|dtype| dtype.kind() == supremum::Kind::Complex);
    let integer = operands.iter().all(|dtype| !dtype.kind().is_inexact());
    let refused = answer == "error";
    // The same functions refuse the same operands without 64-bit dtypes.
    let system = if system == "jax_x32" { "jax" } else { system };
    Some(match (system, function) {
        (_, "cov" | "corrcoef" | "interp") if complex && found == "error" => {
            "covariances and interpolations are of real numbers here"
        }
        ("numpy", "cov" | "corrcoef" | "interp") if answer == "f64" => {
            "NumPy computes covariances and interpolations in f64"
        }
        ("torch", "cov" | "corrcoef") if integer && found == "error" => {
            "variances of PyTorch are of floats"
        }
        ("jax", "interp") if refused && (float8 || operands[0] == DType::BF16) => {
            "JAX has no `interp` of 8-bit floats, nor of points of `bf16`"
        }
        ("jax", "rsqrt") if refused && found.starts_with('f') => {
            "`jax.lax.rsqrt` converts no integers"
        }
        ("jax", "erfc" | "copysign" | "is_sign_negative") if refused && float8 => {
            "no 8-bit floats in JAX"
        }
        ("jax" | "torch", "log_add_exp") if complex && found == "error" => {
            "complex logarithms are not here"
        }
        ("torch", "hypot" | "log_add_exp" | "next_after")
            if refused
                && found == "f32"
                && operands.iter().all(|dtype| !dtype.kind().is_inexact()) =>
        {
            "integers promote as for `copysign` and `atan2` of PyTorch"
        }
        ("torch", "is_sign_negative") if refused && float8 => {
            "PyTorch's `signbit` has no 8-bit floats"
        }
        ("array_api", "is_sign_negative") if refused && integer => {
            "the standard's `signbit` is of floats"
        }
        ("array_api", _) if refused && any(|dtype| *dtype == DType::F16) => {
            "the standard has no 16-bit floats, the rules have"
        }
        ("jax" | "numpy", "nan_min" | "nan_max" | "cummax" | "cummin")
            if complex && found == "error" =>
        {
            "complex numbers have no order here"
        }
        ("numpy", "nan_argmin" | "nan_argmax") if complex && found == "error" => {
            "complex numbers have no order here"
        }
        ("torch", "nan_sum" | "nan_mean") if complex && refused => {
            "PyTorch adds complex numbers, but not those that are not NaN"
        }
        ("jax", "elu") if integer && answer == "f64" => {
            "JAX's `elu` computes integers in its default float"
        }
        ("jax", "leaky_relu") if integer => "the slope of `leaky_relu` is a float here",
        ("jax", "leaky_relu" | "elu") if complex && found == "error" => {
            "the function is of real numbers here"
        }
        ("jax", "relu") if operands == [DType::Bool] => {
            "a boolean beside JAX's literal 0 is a weak integer"
        }
        ("jax", "relu") if complex => "complex numbers have no order here",
        (
            "jax" | "torch" | "tensorflow",
            "gelu_tanh" | "silu" | "softplus" | "softmax" | "log_softmax" | "log_sum_exp",
        ) if complex && found == "error" => "the function is of real numbers here",
        ("jax", "gelu") if refused && float8 => "no 8-bit floats in JAX",
        ("jax", "silu" | "softmax" | "log_softmax") if refused && integer => {
            "`jax.nn` refuses booleans, and integers in `silu`"
        }
        ("jax", "softplus") if answer == "f64" => {
            "a boolean beside JAX's literal 0 is a weak integer"
        }
        ("torch", "relu") if refused && operands == [DType::Bool] => "PyTorch refuses booleans",
        ("tensorflow", "norm" | "norm_1" | "norm_inf") => {
            "TensorFlow's norms have the operand's dtype"
        }
        ("numpy", "norm" | "norm_1" | "norm_inf") if answer == "f64" => {
            "NumPy computes norms of ml_dtypes' floats in f64"
        }
        ("array_api", "norm" | "norm_1" | "norm_inf") if complex => {
            "variances of the standard are of real numbers"
        }
        ("torch", name) if is_of_windows(name) && (refused || found == "error") => {
            "PyTorch's kernels of convolution and pooling have fewer dtypes, or others"
        }
        ("tensorflow", name) if is_of_windows(name) && refused => {
            "TensorFlow's kernels of convolution and pooling have fewer dtypes"
        }
        ("tensorflow", "next_after") if refused => "TensorFlow has it of f32 and f64 only",
        _ => return None,
    })
}

#[test]
fn result_dtypes_are_those_of_the_systems() {
    let mut equal = 0;
    let mut reasons = std::collections::BTreeMap::<_, usize>::new();
    let mut others = Vec::new();
    for line in include_str!("../../data/functions/answers.csv")
        .lines()
        .skip(1)
    {
        let [system, function, operands, answer] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}");
        };
        // Systems promote these dtypes even where values can be lost, so nothing is refused as unsafe.
        let rules = match system {
            "jax" => <AllowUnsafe<Jax> as Rules>::RULE_SET,
            "jax_x32" => <AllowUnsafe<JaxX32> as Rules>::RULE_SET,
            "numpy" => <AllowUnsafe<Numpy> as Rules>::RULE_SET,
            "array_api" => <AllowUnsafe<ArrayApi> as Rules>::RULE_SET,
            "torch" => <AllowUnsafe<Torch> as Rules>::RULE_SET,
            "tensorflow" => <AllowUnsafe<TensorFlow> as Rules>::RULE_SET,
            other => panic!("no reading of {other}"),
        };
        let dtypes: Vec<DType> = operands
            .split('+')
            .map(|name| name.parse().expect("a dtype"))
            .collect();
        let x: Vec<_> = dtypes
            .iter()
            .map(|dtype| {
                DynTensor::zeros(*dtype, [2])
                    .expect("memory")
                    .with_rules(rules)
            })
            .collect();
        let found = by_name(function, &x);
        let found = found.map_or("error", |result| result.dtype().name());
        if found == answer {
            equal += 1;
        } else if let Some(reason) = reason(system, function, &dtypes, answer, found) {
            *reasons.entry(reason).or_default() += 1;
        } else {
            others.push(format!("{line}, here {found}"));
        }
    }
    assert!(
        others.is_empty(),
        "{} more than {equal}: {others:#?}",
        others.len()
    );
    let expected = [
        (
            "JAX has no `interp` of 8-bit floats, nor of points of `bf16`",
            30,
        ),
        ("JAX's `elu` computes integers in its default float", 43),
        ("NumPy computes covariances and interpolations in f64", 35),
        ("NumPy computes norms of ml_dtypes' floats in f64", 9),
        (
            "PyTorch adds complex numbers, but not those that are not NaN",
            4,
        ),
        ("PyTorch refuses booleans", 1),
        ("PyTorch's `signbit` has no 8-bit floats", 2),
        (
            "PyTorch's kernels of convolution and pooling have fewer dtypes, or others",
            17,
        ),
        ("TensorFlow has it of f32 and f64 only", 2),
        (
            "TensorFlow's kernels of convolution and pooling have fewer dtypes",
            30,
        ),
        ("TensorFlow's norms have the operand's dtype", 10),
        ("`jax.lax.rsqrt` converts no integers", 18),
        ("`jax.nn` refuses booleans, and integers in `silu`", 22),
        ("a boolean beside JAX's literal 0 is a weak integer", 3),
        ("complex logarithms are not here", 156),
        ("complex numbers have no order here", 32),
        (
            "covariances and interpolations are of real numbers here",
            94,
        ),
        (
            "integers promote as for `copysign` and `atan2` of PyTorch",
            117,
        ),
        ("no 8-bit floats in JAX", 88),
        ("the function is of real numbers here", 254),
        ("the slope of `leaky_relu` is a float here", 154),
        ("the standard has no 16-bit floats, the rules have", 20),
        ("the standard's `signbit` is of floats", 8),
        ("variances of PyTorch are of floats", 16),
        ("variances of the standard are of real numbers", 6),
    ];
    assert_eq!(reasons.into_iter().collect::<Vec<_>>(), expected);
}
