//! Traced operations have the dtypes and shapes of eager ones. `scripts/xla_check` compares the values of the programs.

use supremum::QuantileMethod;
use supremum::prelude::*;
use supremum::stablehlo::{self, dyn_input};

type Function = fn(&DynTensor) -> Result<DynTensor, Error>;

const FUNCTIONS: &[(&str, Function)] = &[
    ("sort", |x| x.try_sort(0)),
    ("sort_descending", |x| x.try_sort_descending(-1)),
    ("argsort", |x| x.try_argsort(1)),
    ("argsort_descending", |x| x.try_argsort_descending(0)),
    ("top_k", |x| x.try_top_k(2, 1).map(|(elements, _)| elements)),
    ("top_k_positions", |x| {
        x.try_top_k(1, 0).map(|(_, positions)| positions)
    }),
    ("searchsorted", |x| {
        x.try_index_axis(0, 0)?.try_searchsorted(x)
    }),
    ("searchsorted_right", |x| {
        x.try_index_axis(0, 0)?.try_searchsorted_right(x)
    }),
    ("searchsorted_rows", |x| x.try_searchsorted_rows(x)),
    ("searchsorted_rows_right", |x| {
        x.try_searchsorted_rows_right(&x.try_slice(1, ..1)?)
    }),
    ("median", |x| x.try_median()),
    ("median_axis", |x| x.try_median_axis(1)),
    ("quantile", |x| {
        x.try_quantile_keepdims(0.3, QuantileMethod::Linear, 0)
    }),
    ("nearest", |x| {
        x.try_quantile_axis(0.3, QuantileMethod::Nearest, 0)
    }),
    ("median_axes", |x| x.try_median_keepdims([0, 1])),
    ("nan_median", |x| x.try_nan_median_axis(1)),
    ("nan_quantile", |x| {
        x.try_nan_quantile_keepdims(0.3, QuantileMethod::Linear, 0)
    }),
    ("nan_nearest", |x| {
        x.try_nan_quantile(0.3, QuantileMethod::Nearest)
    }),
    ("histogram", |x| x.try_histogram(3, 0.0..=2.0)),
    ("histogram_edges", |x| {
        x.try_histogram_edges(&tensor![F32; 0.0, 1.0, 2.0].into_dyn())
    }),
    ("histogram_edges of a trace", |x| {
        x.try_histogram_edges(&x.try_index_axis(0, 0)?)
    }),
    ("histogram_weighted", |x| {
        x.try_histogram_weighted(&x.try_index_axis(0, 0)?, x)
    }),
    ("density", |x| {
        x.try_index_axis(0, 0)?
            .try_density(&x.try_reshape([-1])?.try_slice(0, 1..)?)
    }),
    ("is_close", |x| x.try_is_close(x, 1e-5, 1e-8)),
    ("is_in", |x| x.try_is_in(&x.try_index_axis(0, 0)?)),
    ("is_in of known values", |x| {
        x.try_is_in(&DynTensor::ones(x.dtype(), [2])?)
    }),
    ("interp", |x| {
        let points = tensor![F32; 0.0, 1.0, 2.0].into_dyn();
        x.try_interp(&points, &x.try_index_axis(0, 0)?.try_pad([[1, 0]], 0)?)
    }),
    ("cov", |x| x.try_cov(1)),
    ("corrcoef", |x| x.try_corrcoef()),
    ("unfold", |x| x.try_unfold(0, 2, 1)),
    ("rot90", |x| x.try_rot90(3, 0, 1)),
    ("diff", |x| x.try_diff(1, 1)),
    ("count_nonzero", |x| x.try_count_nonzero()),
    ("count_nonzero_axis", |x| x.try_count_nonzero_axis(-1)),
    ("move_axis", |x| x.try_move_axis(0, 1)),
    ("matrix_transpose", |x| x.try_matrix_transpose()),
    ("diag", |x| x.try_index_axis(0, 0)?.try_diag(-1)),
    ("diag of a matrix", |x| x.try_diag(0)),
    ("diag_embed", |x| x.try_diag_embed(-1)),
    ("trace", |x| x.try_trace(0)),
    ("one_hot", |x| x.try_one_hot(3, DType::BF16)),
    ("scatter", |x| x.try_scatter(&known(), x, 0)),
    ("scatter_add", |x| x.try_scatter_add(&known(), x, 0)),
    ("scatter_max", |x| x.try_scatter_max(&known(), x, 0)),
    ("scatter_min", |x| x.try_scatter_min(&known(), x, 0)),
];

fn known() -> DynTensor {
    tensor![I32; [-1], [0]].into_dyn()
}

/// A trace gives the dtype, weakness and shape that the operation gives, or its error.
#[test]
fn traced_operations_have_the_types_of_eager_ones() {
    traced_as_eager(Jax::RULE_SET);
    traced_as_eager(JaxX32::RULE_SET);
}

fn traced_as_eager(rules: &'static RuleSet) {
    for (name, function) in FUNCTIONS {
        for dtype in DType::ALL {
            for shape in [[2, 3], [2, 2], [2, 0]] {
                let x = DynTensor::ones(*dtype, shape).expect("memory");
                let eager = function(&x.with_rules(rules));
                let input = dyn_input(*dtype, &shape).with_rules(rules);
                let traced = stablehlo::trace(vec![input], |x| function(&x[0]));
                match (eager, traced) {
                    (Ok(eager), Ok(program)) => {
                        let [output] = &program.outputs()[..] else {
                            panic!("one result")
                        };
                        let expected = (eager.dtype(), eager.shape());
                        assert_eq!(
                            (output.dtype, &output.shape[..]),
                            expected,
                            "{name} of {dtype}"
                        );
                    }
                    (Err(eager), Err(traced)) => assert_eq!(eager, traced, "{name} of {dtype}"),
                    (eager, traced) => {
                        panic!("{name} of {dtype} {shape:?}: {eager:?}, {:?}", traced.err())
                    }
                }
            }
        }
    }
}

/// The sizes of these results depend on elements.
#[test]
fn sizes_that_depend_on_elements_are_refused() {
    let functions: [(&str, Function); 6] = [
        ("unique", |x| x.try_unique()),
        ("unique_counts", |x| {
            x.try_unique_counts().map(|(values, _)| values)
        }),
        ("unique_index", |x| {
            x.try_unique_index().map(|(values, _)| values)
        }),
        ("unique_inverse", |x| {
            x.try_unique_inverse().map(|(values, _)| values)
        }),
        ("bincount", |x| x.try_bincount(0)),
        ("bincount_weighted", |x| x.try_bincount_weighted(x, 0)),
    ];
    for (name, function) in functions {
        let traced = stablehlo::trace(vec![dyn_input(DType::I32, &[3])], |x| function(&x[0]));
        match traced {
            Err(Error::Untraceable { operation }) => assert_eq!(operation, name),
            other => panic!("{name}: {:?}", other.err()),
        }
    }
}

#[test]
fn sorts_compare_keys() -> Result<(), Error> {
    let program = stablehlo::trace(stablehlo::input::<I8, _>([2, 3]), |x| x.sort_descending(1))?;
    let text = program.to_string();
    assert!(text.contains("\"stablehlo.sort\"("), "{text}");
    assert!(text.contains("comparison_direction GT"), "{text}");
    assert!(
        text.contains("{dimension = 1 : i64, is_stable = true}"),
        "{text}"
    );
    let inputs = (
        stablehlo::input::<F32, _>([5, 4]),
        stablehlo::input::<I8, _>([2, 1]),
        stablehlo::input::<F32, _>([2, 4]),
    );
    let program = stablehlo::trace(inputs, |(x, indices, updates)| {
        x.scatter_add(&indices, &updates, 0)
    })?;
    let text = program.to_string();
    let scatter = "{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], input_batching_dims = [1], \
                   scatter_indices_batching_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, \
                   indices_are_sorted = false, unique_indices = false} \
                   : (tensor<5x4xf32>, tensor<2x4xi64>, tensor<2x4xf32>) -> tensor<5x4xf32>";
    assert!(text.contains(scatter), "{text}");
    // Known indices are checked.
    let outside = tensor![U8; [5]];
    let inputs = stablehlo::input::<F32, _>([5, 4]);
    let error = stablehlo::trace(inputs, |x| x.try_scatter(&outside, &x.slice(0, ..1), 0));
    assert_eq!(
        error.expect_err("an error").to_string(),
        "scatter: index 5 is outside axis 0 of size 5"
    );
    Ok(())
}
