//! Which files of `tests/data/oracles` speak of which rule set, and how to read them.
//!
//! A rule set is one entry of [`SYSTEMS`]. What the file says and what the rule set says have to be equal
//! but for the deviations that an entry lists, each with the number of rows that it explains.
#![allow(unreachable_pub, reason = "shared by tests")]

use supremum::{
    Anvil, ArrayApi, F64, I32, I64, Jax, JaxStrict, JaxX32, Numpy, NumpyArctan2, NumpyUfunc,
    OpenVino, OpenVinoScalar, Rules, TensorFlow, TensorFlowLegacy, TensorFlowMultiply,
    TensorFlowOperators, Torch, TorchEqual, TorchSubtract, U64,
};

mod answers;
mod deviations;

pub use answers::*;

use Answer::{Bare, Flagged, Starred};
use deviations::*;

/// OpenVINO with an attribute that decides what u64 and signed integers give; the file has no other
/// pairs.
macro_rules! u64_target {
    ($title:literal, $rules:ty, $target:literal, $scalar:literal, $agree:literal, $others:literal) => {
        System {
            title: $title,
            rules: <$rules>::rule_set,
            safety: Safety::Own,
            answers: &[
                Answers::pairs("openvino_u64_target.csv", promotion(STRONG), $agree, &[]).only(&[
                    ("u64_integer_promotion_target", $target),
                    ("pytorch_scalar_promotion", $scalar),
                ]),
            ],
            // `the_target_of_u64_decides_nothing_else`.
            unpublished: $others,
        }
    };
}

pub const SYSTEMS: &[System] = &[
    System {
        title: "jax",
        rules: Jax::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::pairs(
                "jax_promote_types.csv",
                promotion(Flagged("out", "out_weak")),
                1521,
                &[],
            )
            .only(&[("x64", "1"), ("mode", "standard")]),
            Answers::pairs("seeds_jax.csv", promotion(Bare("out")), 225, &[]),
            Answers::unary("jax_x64", 286),
            Answers::unary_float8("jax_x64", 39),
            Answers::reductions_float8("jax_x64", 30),
            Answers::binary_float8("jax_x64", 2112, &[]),
            Answers::reductions("jax_x64", 214, &[(COMPLEX_ORDER, 6)]),
            Answers::binary(
                "jax_x64",
                6331,
                &[(COMPLEX_ORDER, 196), (JAX_LITERAL_EXPONENT, 1)],
            ),
            Answers::binary_weak(
                "jax_x64",
                3497,
                &[
                    (COMPLEX_ORDER, 142),
                    (JAX_LITERAL_EXPONENT, 5),
                    (JAX_WEAK_FLOOR_DIVISION, 8),
                    (JAX_WEAK_PRODUCT, 28),
                ],
            ),
        ],
        unpublished: 0,
    },
    System {
        title: "jax-x32",
        rules: JaxX32::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::pairs(
                "jax_promote_types.csv",
                promotion(Flagged("out", "out_weak")),
                1521,
                &[],
            )
            .only(&[("x64", "0"), ("mode", "standard")]),
            Answers::unary("jax_x32", 286),
            Answers::unary_float8("jax_x32", 39),
            Answers::reductions_float8("jax_x32", 30),
            Answers::binary_float8("jax_x32", 2112, &[]),
            Answers::reductions("jax_x32", 214, &[(COMPLEX_ORDER, 6)]),
            Answers::binary("jax_x32", 6332, &[(COMPLEX_ORDER, 196)]),
            Answers::binary_weak(
                "jax_x32",
                3518,
                &[
                    (COMPLEX_ORDER, 142),
                    (JAX_LITERAL_EXPONENT, 4),
                    (JAX_WEAK_PRODUCT, 16),
                ],
            ),
        ],
        unpublished: 0,
    },
    System {
        title: "jax-strict",
        rules: JaxStrict::rule_set,
        safety: Safety::Values,
        answers: &[Answers::pairs(
            "jax_promote_types.csv",
            promotion(Flagged("out", "out_weak")),
            1521,
            &[],
        )
        .only(&[("x64", "1"), ("mode", "strict")])],
        unpublished: 0,
    },
    System {
        title: "numpy",
        rules: Numpy::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::pairs("numpy_promote_types.csv", promotion(STRONG), 400, &[]),
            Answers::literals(
                "numpy_result_type_weak.csv",
                promotion(Starred("result_type")),
                80,
                &[],
            ),
            Answers::literals(
                "numpy_weak_values.csv",
                promotion(Starred("result_type")),
                600,
                &[],
            ),
            // TensorFlow's mode "legacy" promotes as NumPy does.
            Answers::pairs(
                "tensorflow_operators.csv",
                promotion(Starred("op_out")),
                1320,
                &[(TENSORFLOW_NO_SUM, 80), (TENSORFLOW_TRUE, 28)],
            )
            .only(&[("mode", "legacy")]),
            Answers::pairs(
                "tensorflow_operators.csv",
                promotion(Starred("tnp_add")),
                1356,
                &[(TENSORFLOW_NO_SUM, 72)],
            )
            .only(&[("mode", "legacy")]),
            Answers::unary("numpy", 221),
            Answers::unary_float8("numpy", 39),
            Answers::reductions_float8("numpy", 30),
            Answers::binary_float8("numpy", 2076, &[(COMPLEX_ORDER, 36)]),
            Answers::reductions("numpy", 166, &[(COMPLEX_ORDER, 4)]),
            Answers::binary(
                "numpy",
                6307,
                &[(COMPLEX_ORDER, 220), (NUMPY_BOOL_SQUARED, 1)],
            ),
        ],
        // Two literals.
        unpublished: 9,
    },
    System {
        title: "numpy-ufunc",
        rules: NumpyUfunc::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::pairs("op_binary.csv", promotion(Starred("numpy")), 425, &[])
                .only(&[("op", "add")]),
            Answers::pairs(
                "op_binary_float8.csv",
                promotion(Starred("numpy")),
                135,
                &[],
            )
            .only(&[("op", "add")]),
            Answers::literals(
                "numpy_result_type_weak.csv",
                promotion(Starred("add")),
                80,
                &[],
            ),
            Answers::literals(
                "numpy_result_type_weak.csv",
                promotion(Starred("radd")),
                80,
                &[],
            )
            .reversed(),
        ],
        // Two literals.
        unpublished: 9,
    },
    System {
        title: "numpy-arctan2",
        rules: NumpyArctan2::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::binary("numpy", 425, &[]).only(&[("op", "arctan2")]),
            Answers::binary_float8("numpy", 135, &[]).only(&[("op", "arctan2")]),
        ],
        // Two literals.
        unpublished: 9,
    },
    System {
        title: "torch",
        rules: Torch::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::pairs("torch_promote_types.csv", promotion(STRONG), 361, &[]),
            Answers::pairs(
                "torch_result_type.csv",
                promotion(Starred("result_type")),
                1732,
                &[(COMPLEX_HALF, 16), (TWO_LITERALS, 16)],
            ),
            Answers::pairs(
                "torch_result_type.csv",
                sum(Starred("add")),
                1740,
                &[(COMPLEX_HALF, 8)],
            ),
            Answers::unary("torch", 221),
            Answers::unary_float8("torch", 39),
            Answers::reductions_float8("torch", 30),
            Answers::binary_float8(
                "torch",
                2098,
                &[(TORCH_F8_LITERAL, 12), (TORCH_TO_THE_POWER_OF_TRUE, 2)],
            ),
            Answers::reductions("torch", 170, &[]),
            Answers::binary(
                "torch",
                6339,
                &[
                    (COMPLEX_HALF, 15),
                    (TORCH_TENSORS_ONLY, 156),
                    (TORCH_F8_LITERAL, 12),
                    (TORCH_TO_THE_POWER_OF_TRUE, 6),
                ],
            ),
        ],
        unpublished: 0,
    },
    System {
        title: "torch-subtract",
        rules: TorchSubtract::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::binary("torch", 423, &[(COMPLEX_HALF, 2)]).only(&[("op", "subtract")]),
            Answers::binary_float8("torch", 135, &[]).only(&[("op", "subtract")]),
        ],
        // Tensors of rank zero, and two literals.
        unpublished: 817,
    },
    System {
        title: "torch-equal",
        rules: TorchEqual::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::binary("torch", 289, &[]).only(&[("op", "matmul")]),
            Answers::binary_float8("torch", 111, &[]).only(&[("op", "matmul")]),
        ],
        unpublished: 0,
    },
    System {
        title: "tensorflow",
        rules: TensorFlow::rule_set,
        safety: Safety::Own,
        answers: &[
            Answers::pairs(
                "tensorflow_flexible.csv",
                promotion(Flagged("out", "out_weak")),
                675,
                &[(TWO_LITERALS, 1)],
            )
            .only(&[("mode", "all")]),
            Answers::pairs(
                "tensorflow_flexible.csv",
                promotion(Flagged("out", "out_weak")),
                675,
                &[(TWO_LITERALS, 1)],
            )
            .safe()
            .only(&[("mode", "safe")]),
            Answers::pairs(
                "tensorflow_flexible.csv",
                sum(Flagged("op_out", "op_weak")),
                676,
                &[],
            )
            .only(&[("mode", "all")]),
            Answers::pairs(
                "tensorflow_flexible.csv",
                sum(Flagged("op_out", "op_weak")),
                676,
                &[],
            )
            .safe()
            .only(&[("mode", "safe")]),
            Answers::unary("tensorflow", 286),
            Answers::reductions("tensorflow", 220, &[]),
            Answers::binary(
                "tensorflow",
                6510,
                &[
                    (TENSORFLOW_LITERAL_LEFT, 12),
                    (TENSORFLOW_BOOL_TIMES_F8, 4),
                    (TENSORFLOW_WHERE_F8, 2),
                ],
            ),
            Answers::binary_weak("tensorflow", 3459, &[(TENSORFLOW_WEAK_TENSOR, 221)]),
        ],
        unpublished: 0,
    },
    System {
        title: "tensorflow-operators",
        rules: TensorFlowOperators::rule_set,
        safety: Safety::Own,
        answers: &[
            Answers::binary("tensorflow", 425, &[]).only(&[("op", "true_divide")]),
            Answers::binary_weak("tensorflow", 235, &[]).only(&[("op", "true_divide")]),
        ],
        // Two literals `True`.
        unpublished: 1,
    },
    System {
        title: "tensorflow-multiply",
        rules: TensorFlowMultiply::rule_set,
        safety: Safety::Own,
        answers: &[
            Answers::binary("tensorflow", 421, &[(TENSORFLOW_BOOL_TIMES_F8, 4)])
                .only(&[("op", "multiply")]),
            Answers::binary_weak("tensorflow", 235, &[]).only(&[("op", "multiply")]),
        ],
        // Two literals `True`.
        unpublished: 1,
    },
    System {
        title: "tensorflow-legacy",
        rules: TensorFlowLegacy::rule_set,
        safety: Safety::Values,
        answers: &[Answers::pairs(
            "tensorflow_operators.csv",
            promotion(Starred("op_out")),
            1412,
            &[(TENSORFLOW_NO_SUM, 16)],
        )
        .only(&[("mode", "off")])],
        // Two literals.
        unpublished: 16,
    },
    System {
        title: "array-api",
        rules: ArrayApi::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::pairs(
                "array_api.csv",
                promotion(Starred("result_type")),
                285,
                &[(ARRAY_API_TWO_LITERALS, 4)],
            ),
            Answers::pairs("array_api.csv", sum(Starred("add")), 273, &[]),
            Answers::pairs("array_api.csv", promotion(Starred("where")), 273, &[]),
            Answers::pairs(
                "seeds_array_api.csv",
                promotion(STRONG),
                50,
                &[(ARRAY_API_NOTES, 3)],
            ),
            Answers::unary("array_api", 169),
            Answers::reductions("array_api", 130, &[]),
            Answers::binary("array_api", 4152, &[(ARRAY_API_COMPLEX_LITERAL, 8)]),
        ],
        // f16, which the package lacks, with literals.
        unpublished: 4,
    },
    System {
        title: "anvil",
        rules: Anvil::rule_set,
        safety: Safety::Values,
        answers: &[
            Answers::pairs(
                "anvil_common_dtype.csv",
                promotion(Flagged("out", "out_ambiguous")),
                484,
                &[],
            ),
            Answers::pairs("seeds_anvil_known.csv", promotion(STRONG), 121, &[]),
            Answers::new(
                "seeds_anvil_ambiguous.csv",
                &["ambiguous", "known"],
                promotion(Bare("out")),
                121,
                &[],
            ),
        ],
        unpublished: 0,
    },
    System {
        title: "openvino",
        rules: <OpenVino>::rule_set,
        safety: Safety::Own,
        answers: &[
            Answers::openvino(&[("promote_unsafe", "1"), ("pytorch_scalar_promotion", "0")]),
            Answers::openvino(&[("promote_unsafe", "0"), ("pytorch_scalar_promotion", "0")]).safe(),
            Answers::pairs("openvino_u64_target.csv", promotion(STRONG), 32, &[]).only(&[
                ("u64_integer_promotion_target", "f32"),
                ("pytorch_scalar_promotion", "0"),
            ]),
            Answers::pairs("seeds_openvino_examples.csv", promotion(STRONG), 12, &[])
                .only(&[("pytorch_scalar_promotion", "0")]),
        ],
        // Literals, which OpenVINO does not have.
        unpublished: 44,
    },
    System {
        title: "openvino-scalar",
        rules: <OpenVinoScalar>::rule_set,
        safety: Safety::Own,
        answers: &[
            Answers::openvino(&[("promote_unsafe", "1"), ("pytorch_scalar_promotion", "1")]),
            Answers::openvino(&[("promote_unsafe", "0"), ("pytorch_scalar_promotion", "1")]).safe(),
            Answers::pairs("openvino_u64_target.csv", promotion(STRONG), 16, &[]).only(&[
                ("u64_integer_promotion_target", "f32"),
                ("pytorch_scalar_promotion", "1"),
            ]),
            Answers::pairs("seeds_openvino_examples.csv", promotion(STRONG), 2, &[])
                .only(&[("pytorch_scalar_promotion", "1")]),
        ],
        // As above, and with tensors of rank zero.
        unpublished: 84,
    },
    u64_target!("openvino, u64 to f64", OpenVino<F64>, "f64", "0", 32, 261),
    u64_target!("openvino, u64 to i64", OpenVino<I64>, "i64", "0", 32, 261),
    u64_target!("openvino, u64 to u64", OpenVino<U64>, "u64", "0", 32, 261),
    u64_target!("openvino, u64 to i32", OpenVino<I32>, "i32", "0", 32, 261),
    u64_target!(
        "openvino-scalar, u64 to f64",
        OpenVinoScalar<F64>,
        "f64",
        "1",
        16,
        968
    ),
    u64_target!(
        "openvino-scalar, u64 to i64",
        OpenVinoScalar<I64>,
        "i64",
        "1",
        16,
        968
    ),
    u64_target!(
        "openvino-scalar, u64 to u64",
        OpenVinoScalar<U64>,
        "u64",
        "1",
        16,
        968
    ),
    u64_target!(
        "openvino-scalar, u64 to i32",
        OpenVinoScalar<I32>,
        "i32",
        "1",
        16,
        968
    ),
];
