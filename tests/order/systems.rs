//! The dtypes of results beside those of the systems, which `data/functions/observe_order.py` observed.

use std::collections::BTreeMap;

use supremum::prelude::*;
use supremum::{C128, JaxStrict, OperandType, Operation};

/// The functions of the table, by name.
fn by_name(system: &str, function: &str, x: &DynTensor) -> Result<DynTensor, Error> {
    let zeros = DynTensor::zeros(DType::I64, [2])?;
    let positions = || DynTensor::arange(DType::I64, 0, 2, 1);
    let edges = || DynTensor::arange(DType::F64, 0, 3, 1);
    match function {
        "sort" => x.try_sort(0),
        "argsort" => x.try_argsort(0),
        "top_k" => x.try_top_k(1, 0).map(|(elements, _)| elements),
        "top_k_positions" => x.try_top_k(1, 0).map(|(_, positions)| positions),
        "searchsorted" => x.try_searchsorted(x),
        "unique" => x.try_unique(),
        "unique_inverse" => x.try_unique_inverse().map(|(_, inverse)| inverse),
        "unique_counts" => x.try_unique_counts().map(|(_, counts)| counts),
        "median" => x.try_median(),
        "quantile" => x.try_quantile(0.25, QuantileMethod::Linear),
        "nan_median" => x.try_nan_median(),
        "nan_quantile" => x.try_nan_quantile(0.25, QuantileMethod::Linear),
        "trace" => x.try_diag(0)?.try_trace(0),
        "scatter_max" => x.try_scatter_max(&zeros, x, 0),
        "scatter_min" => x.try_scatter_min(&zeros, x, 0),
        "scatter_add" => x.try_scatter_add(&zeros, x, 0),
        "bincount" => x.try_bincount(0),
        "histogram" => x.try_histogram(2, 0.0..=2.0),
        "diff" => x.try_diff(1, 0),
        "bincount_weighted" => positions()?.try_bincount_weighted(x, 0),
        "histogram_edges" => x.try_histogram_edges(&edges()?),
        "histogram_weighted" => {
            positions()?.try_histogram_weighted(&edges()?.with_rules(x.rules()), x)
        }
        "density" => {
            // NumPy's edges are a list of integers, those of the others have the dtype of the elements.
            let dtype = if system == "numpy" {
                DType::I64
            } else {
                x.dtype()
            };
            let edges = edges()?.with_rules(x.rules()).cast(dtype);
            x.try_histogram_edges(&edges)?.try_density(&edges)
        }
        "count_nonzero" => x.try_count_nonzero(),
        other => panic!("no reading of {other}"),
    }
}

/// Returns whether a function returns elements of its operand as they are.
fn moves(function: &str) -> bool {
    ["sort", "top_k", "unique"].contains(&function)
}

/// Why an answer differs from the system's, if that is on purpose.
fn reason(
    system: &str,
    rules: &RuleSet,
    function: &str,
    dtype: DType,
    answer: &str,
    found: &str,
) -> Option<&'static str> {
    let refused = answer == "error";
    let complex = dtype.kind() == supremum::Kind::Complex;
    let is_of = |group| {
        let result = rules.operation(group, OperandType::dimensioned(dtype));
        found == result.map_or("error", |result| result.dtype.name())
    };
    if system == "jax_x32" && moves(function) && refused == (found == "error") {
        let narrowed = JaxX32::rule_set()
            .promote(dtype, dtype)
            .expect("a dtype of JAX");
        assert_eq!(
            (found, answer),
            (dtype.name(), narrowed.dtype.name()),
            "{function}"
        );
        return Some(
            "elements that are only moved keep their dtype under `JaxX32`, which JAX narrows",
        );
    }
    Some(match function {
        "trace" => {
            assert!(system == "torch" && refused);
            "a trace has the dtype of the sum"
        }
        "count_nonzero" if refused => "elements of every dtype are counted",
        "scatter_add" if is_of(Operation::Add) => "elements are added where `+` is defined",
        "bincount_weighted" | "histogram_weighted" if is_of(Operation::Sum) => {
            "weights are summed by `sum`"
        }
        _ if complex && found == "error" => "complex numbers have no order here",
        "median" | "quantile" | "nan_median" | "nan_quantile" if is_of(Operation::Mean) => {
            "quantiles have the dtype of the mean"
        }
        _ if ["i64", "i32"].contains(&answer) && is_of(Operation::ArgMinMax) => {
            "positions and counts have the dtype of `argmax`"
        }
        "bincount" => "`bincount` counts integers of any dtype",
        "histogram" | "histogram_edges" => {
            "histograms count elements of any real dtype, in integers"
        }
        _ if refused => "elements that have an order can be sorted",
        _ => return None,
    })
}

#[test]
fn result_dtypes_are_those_of_the_systems() {
    let mut equal = 0;
    let mut reasons = BTreeMap::<_, usize>::new();
    let mut others = Vec::new();
    for line in include_str!("../data/functions/order.csv").lines().skip(1) {
        let [system, function, operand, answer] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("four columns: {line}");
        };
        let rules = match system {
            "jax" => <Jax as Rules>::RULE_SET,
            "jax_x32" => <JaxX32 as Rules>::RULE_SET,
            "numpy" => <Numpy as Rules>::RULE_SET,
            "array_api" => <ArrayApi as Rules>::RULE_SET,
            "torch" => <Torch as Rules>::RULE_SET,
            "tensorflow" => <TensorFlow as Rules>::RULE_SET,
            other => panic!("no reading of {other}"),
        };
        let dtype: DType = operand.parse().expect("a dtype");
        let x = DynTensor::ones(dtype, [2])
            .expect("memory")
            .with_rules(rules);
        let found = by_name(system, function, &x).map_or("error", |result| result.dtype().name());
        if found == answer {
            equal += 1;
        } else if let Some(reason) = reason(system, rules, function, dtype, answer, found) {
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
        ("`bincount` counts integers of any dtype", 14),
        ("a trace has the dtype of the sum", 4),
        ("complex numbers have no order here", 78),
        ("elements are added where `+` is defined", 5),
        ("elements of every dtype are counted", 5),
        (
            "elements that are only moved keep their dtype under `JaxX32`, which JAX narrows",
            9,
        ),
        ("elements that have an order can be sorted", 21),
        (
            "histograms count elements of any real dtype, in integers",
            87,
        ),
        ("positions and counts have the dtype of `argmax`", 112),
        ("quantiles have the dtype of the mean", 22),
        ("weights are summed by `sum`", 102),
    ];
    assert_eq!(
        (equal, reasons.into_iter().collect::<Vec<_>>()),
        (1496, expected.to_vec())
    );
}

/// The dtypes of a call on typed tensors of ones under `JaxX32`, which are those of the same call on dynamic ones.
macro_rules! narrowed {
    (|$x:ident| $call:expr; $($D:ident)+) => {[$({
        let $x = Tensor::<$D, Rank1, JaxX32>::ones([2]);
        let typed = $call.into_dyn();
        let $x = $x.into_dyn();
        let dynamic = $call;
        assert_eq!(typed.to_string(), dynamic.to_string());
        typed.dtype().name()
    }),+]};
}

#[test]
fn results_of_computations_are_narrowed() {
    let first = [0, 0];
    assert_eq!(
        narrowed!(|x| x.diff(1, 0); U64 I64 F64 C128 I16 F16 Bool),
        ["u32", "i32", "f32", "c64", "i16", "f16", "bool"]
    );
    assert_eq!(
        narrowed!(|x| x.scatter_add(first, &x, 0); U64 I64 F64 C128 I16 F16 Bool),
        ["u32", "i32", "f32", "c64", "i16", "f16", "bool"]
    );
    assert_eq!(
        narrowed!(|x| x.scatter_max(first, &x, 0); U64 I64 F64 I16 F16 Bool),
        ["u32", "i32", "f32", "i16", "f16", "bool"]
    );
    assert_eq!(
        narrowed!(|x| x.interp(&x, &x); U64 I64 F64 I16 F16 Bool),
        ["f32", "f32", "f32", "f32", "f16", "f32"]
    );
    assert_eq!(
        narrowed!(|x| x.slice(0, ..1).density(&x); U64 I64 F64 I16 F16 Bool),
        ["f32", "f32", "f32", "f32", "f16", "f32"]
    );
    assert_eq!(
        narrowed!(|x| x.sort(0); U64 I64 F64 I16 F16 Bool),
        ["u64", "i64", "f64", "i16", "f16", "bool"]
    );
}

#[test]
fn interpolations_promote_quotients_of_points_with_quotients_of_values() {
    let x: Tensor<I32, Rank1> = tensor![1];
    let [points, values] = [tensor![I64; 0, 2], tensor![I64; 3, 4]];
    // JAX: `jnp.interp` of the same dtypes, in `data/functions/answers.csv`.
    let of_integers: Tensor<F64, Rank1> = x.interp(&points, &values);
    let of_small_points: Tensor<F32, Rank1> = x.interp(&points.cast::<I8>(), &values.cast::<F16>());
    assert_eq!(of_integers.to_vec(), [3.5]);
    assert_eq!(of_small_points.to_vec(), [3.5]);
    let strict = x.with_rules::<JaxStrict>().into_dyn();
    let points = points.with_rules::<JaxStrict>().into_dyn();
    let error = strict.try_interp(&points, &strict).unwrap_err();
    assert_eq!(
        error.to_string(),
        "interp: no promotion: under `jax-strict` rules i32 and i64 have no common dtype; cast one side, or move both to other rules by \
         `.with_rules(..)`"
    );
}
