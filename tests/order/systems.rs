//! The dtypes of results beside those of the systems, which `data/functions/observe_order.py` observed.

use std::collections::BTreeMap;

use supremum::prelude::*;

/// The functions of the table, by name.
fn by_name(function: &str, x: &DynTensor) -> Result<DynTensor, Error> {
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
        "density" => x.try_histogram_edges(&edges()?)?.try_density(&edges()?),
        "count_nonzero" => x.try_count_nonzero(),
        other => panic!("no reading of {other}"),
    }
}

/// Why an answer differs from the system's, if that is on purpose.
fn reason(
    system: &str,
    function: &str,
    dtype: DType,
    answer: &str,
    found: &str,
) -> Option<&'static str> {
    let refused = answer == "error";
    let complex = dtype.kind() == supremum::Kind::Complex;
    let is_position = |name: &str| ["i64", "i32"].contains(&name);
    Some(match function {
        "trace" => {
            assert!(system == "torch" && refused);
            "a trace has the dtype of the sum"
        }
        "diff" if refused => "differences keep every dtype",
        "count_nonzero" if refused => "elements of every dtype are counted",
        "scatter_add" => "elements are added where `+` is defined",
        "bincount_weighted" | "histogram_weighted" => "weights are summed by `sum`",
        "density" if !complex => "densities are `f64`",
        _ if complex && found == "error" => "complex numbers have no order here",
        _ if is_position(answer) && is_position(found) => {
            "positions and counts have the dtype of `argmax`"
        }
        "median" | "quantile" | "nan_median" | "nan_quantile" => {
            "quantiles have the dtype of the mean"
        }
        "bincount" => "`bincount` counts integers of any dtype",
        "histogram" | "histogram_edges" => {
            "histograms count elements of any real dtype, in integers"
        }
        _ if refused => "elements that have an order can be sorted",
        _ if found == "error" => "positions and counts are defined where `argmax` is",
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
        let found = by_name(function, &x).map_or("error", |result| result.dtype().name());
        if found == answer {
            equal += 1;
        } else if let Some(reason) = reason(system, function, dtype, answer, found) {
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
        ("`bincount` counts integers of any dtype", 13),
        ("a trace has the dtype of the sum", 4),
        ("complex numbers have no order here", 56),
        ("densities are `f64`", 20),
        ("differences keep every dtype", 6),
        ("elements are added where `+` is defined", 4),
        ("elements of every dtype are counted", 5),
        ("elements that have an order can be sorted", 16),
        (
            "histograms count elements of any real dtype, in integers",
            57,
        ),
        ("positions and counts are defined where `argmax` is", 14),
        ("positions and counts have the dtype of `argmax`", 98),
        ("quantiles have the dtype of the mean", 22),
        ("weights are summed by `sum`", 84),
    ];
    assert_eq!(
        (equal, reasons.into_iter().collect::<Vec<_>>()),
        (1148, expected.to_vec())
    );
}
