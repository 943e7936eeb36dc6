//! Promotions, literals and roundings are operations of their own.

use supremum::prelude::*;
use supremum::stablehlo::{self, dyn_input, input};
use supremum::try_fuse;

use super::{names, traced};

#[test]
fn promotions_are_converts_and_literals_exact_constants() {
    let inputs = (input::<F16, _>([2, 3]), input::<BF16, _>([3]));
    let program = traced(inputs, |(a, b)| (&a + &b) * 1.5);
    assert_eq!(
        program.to_string(),
        r#"module @supremum {
  func.func public @main(%arg0: tensor<2x3xf16>, %arg1: tensor<3xbf16>) -> (tensor<2x3xf32>) {
    %2 = "stablehlo.convert"(%arg0) : (tensor<2x3xf16>) -> tensor<2x3xf32>
    %3 = "stablehlo.convert"(%arg1) : (tensor<3xbf16>) -> tensor<3xf32>
    %4 = "stablehlo.broadcast_in_dim"(%3) {broadcast_dimensions = array<i64: 1>} : (tensor<3xf32>) -> tensor<2x3xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    %7 = "stablehlo.constant"() {value = dense<0x3FC00000> : tensor<2x3xf32>} : () -> tensor<2x3xf32>
    %8 = "stablehlo.multiply"(%5, %7) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    return %8 : tensor<2x3xf32>
  }
}
"#
    );
}

#[test]
fn a_reduction_is_a_region_in_the_dtype_that_accumulates() {
    let program = traced(input::<F32, _>([4, 2]), |x| x.sum_axis(0));
    let text = program.to_string();
    let body: Vec<&str> = text.lines().skip(2).collect();
    assert_eq!(
        body,
        [
            r#"    %1 = "stablehlo.convert"(%arg0) : (tensor<4x2xf32>) -> tensor<4x2xf64>"#,
            r#"    %4 = "stablehlo.constant"() {value = dense<0x0000000000000000> : tensor<f64>} : () -> tensor<f64>"#,
            r#"    %5 = "stablehlo.reduce"(%1, %4) ({"#,
            r#"    ^bb0(%p0: tensor<f64>, %p1: tensor<f64>):"#,
            r#"      %r2 = "stablehlo.add"(%p0, %p1) : (tensor<f64>, tensor<f64>) -> tensor<f64>"#,
            r#"      "stablehlo.return"(%r2) : (tensor<f64>) -> ()"#,
            r#"    }) {dimensions = array<i64: 0>} : (tensor<4x2xf64>, tensor<f64>) -> tensor<2xf64>"#,
            r#"    %6 = "stablehlo.convert"(%5) : (tensor<2xf64>) -> tensor<2xf32>"#,
            r#"    return %6 : tensor<2xf32>"#,
            r#"  }"#,
            r#"}"#,
        ]
    );
}

#[test]
fn small_floats_compute_in_f32_and_round_once() {
    let program = traced(input::<F16, _>([2]), |x| &x * &x);
    assert_eq!(names(&program), ["convert", "multiply", "convert"]);
}

/// Each operation on two operands that StableHLO has too, in the dtypes in which it is that alone.
#[test]
fn operations_have_the_names_of_stablehlo() {
    type Operation = fn(&DynTensor, &DynTensor) -> Result<DynTensor, Error>;
    let operations: [(Operation, &str, &[DType]); 10] = [
        (
            |a, b| a.try_add(b),
            "add",
            &[DType::F32, DType::I32, DType::C64],
        ),
        (
            |a, b| a.try_sub(b),
            "subtract",
            &[DType::F32, DType::I32, DType::C64],
        ),
        (|a, b| a.try_mul(b), "multiply", &[DType::F32, DType::I32]),
        (|a, b| a.try_div(b), "divide", &[DType::F32]),
        (|a, b| a.try_atan2(b), "atan2", &[DType::F32]),
        (
            |a, b| a.try_minimum(b),
            "minimum",
            &[DType::F32, DType::I32],
        ),
        (
            |a, b| a.try_maximum(b),
            "maximum",
            &[DType::F32, DType::I32],
        ),
        (|a, b| a.try_bitand(b), "and", &[DType::I32, DType::Bool]),
        (|a, b| a.try_bitor(b), "or", &[DType::I32, DType::Bool]),
        (|a, b| a.try_bitxor(b), "xor", &[DType::I32, DType::Bool]),
    ];
    for (operation, name, dtypes) in operations {
        for dtype in dtypes {
            let inputs = vec![dyn_input(*dtype, &[2]), dyn_input(*dtype, &[2])];
            let program = traced(inputs, |x| operation(&x[0], &x[1]));
            assert_eq!(names(&program), [name], "{dtype}");
        }
    }
}

/// XLA would round an `f64` to `f32` and then again; what rounds to odd sets the last bit of numbers that `f32` does not have.
#[test]
fn wide_numbers_are_rounded_to_odd_before_they_become_small_floats() {
    for (from, to) in [
        (DType::F64, DType::BF16),
        (DType::I64, DType::F16),
        (DType::U32, DType::BF16),
    ] {
        let program = traced(vec![dyn_input(from, &[2])], |x| x[0].cast(to));
        let names = names(&program);
        let [.., or, bits, encode] = &names[..] else {
            panic!("{names:?}")
        };
        assert_eq!(
            [or, bits, encode],
            ["or", "bitcast_convert", "convert"],
            "{from} to {to}"
        );
    }
    let exact = traced(vec![dyn_input(DType::F32, &[2])], |x| {
        x[0].cast(DType::BF16)
    });
    assert_eq!(names(&exact), ["convert"]);
}

#[test]
fn saturating_casts_clamp_and_convert() {
    let program = |from, to| {
        let program = traced(vec![dyn_input(from, &[2])], |x| x[0].cast_saturating(to));
        (names(&program).join(" "), program.to_string())
    };
    let (names, text) = program(DType::I32, DType::U8);
    assert_eq!(names, "constant constant clamp convert");
    assert!(
        text.contains("dense<0> : tensor<2xi32>") && text.contains("dense<255> : tensor<2xi32>"),
        "{text}"
    );
    let (names, text) = program(DType::F32, DType::F8E4M3FN);
    assert_eq!(names, "constant constant clamp convert");
    assert!(text.contains("0x43E00000"), "448: {text}");
    assert_eq!(
        program(DType::U64, DType::I64).0,
        "constant constant clamp convert"
    );
    // Floats saturate in integers, and no integer of 16 bits is too large for `f32`.
    assert_eq!(program(DType::F32, DType::I8).0, "convert");
    assert_eq!(program(DType::I16, DType::F32).0, "convert");
    let fused = traced(input::<F32, _>([2]), |x| {
        fuse!((x * 3.0).cast_saturating::<F8E5M2>())
    });
    let eager = traced(input::<F32, _>([2]), |x| {
        (x * 3.0).cast_saturating::<F8E5M2>()
    });
    assert_eq!(fused.to_string(), eager.to_string());
    let refused = stablehlo::trace(vec![dyn_input(DType::C64, &[2])], |x| {
        x[0].try_cast_saturating(DType::I8)
    });
    assert!(matches!(
        refused,
        Err(Error::UnsupportedDType {
            operation: "cast_saturating",
            ..
        })
    ));
}

#[test]
fn weak_literals_land_in_the_dtype_before_anything_is_converted() {
    // 0.1 in bf16, not in the f32 that computes.
    let text = traced(input::<BF16, _>([2]), |x| x * 0.1).to_string();
    assert!(text.contains("dense<0x3DCD> : tensor<bf16>"), "{text}");
    let text = traced(input::<U8, _>([2]), |x| x + 255).to_string();
    assert!(text.contains("dense<255> : tensor<2xui8>"), "{text}");
    let error = stablehlo::trace(input::<U8, _>([2]), |x| x.try_add(256));
    assert!(matches!(error, Err(Error::LiteralOutOfRange { .. })));
}

#[test]
fn fused_expressions_and_dynamic_operations_are_what_operators_are() {
    let inputs = || (input::<BF16, _>([4, 3]), input::<F16, _>([3]));
    let eager = traced(inputs(), |(a, b)| {
        let c = &a * &b;
        select(&c.gt(0.0), &c, &(c.exp() - 1)).sum_axis(0)
    });
    let fused = traced(
        inputs(),
        |(a, b)| fuse!(let c = a * b; (if c > 0.0 { c } else { c.exp() - 1 }).sum_axis(0)),
    );
    assert_eq!(eager.to_string(), fused.to_string());
    let inputs = vec![dyn_input(DType::BF16, &[4, 3]), dyn_input(DType::F16, &[3])];
    let dynamic = traced(inputs, |x| {
        let c = x[0].try_mul(&x[1])?;
        c.try_gt(0.0)?
            .try_select(&c, &(c.exp()? - 1))?
            .try_sum_axis(0)
    });
    assert_eq!(eager.to_string(), dynamic.to_string());
}

#[test]
fn expressions_write_into_outputs_and_read_them() {
    let program = traced(input::<F32, _>([3]), |x| {
        let mut out = Tensor::<F32, Rank1>::ones([3]);
        fuse!(out = x * 2.0);
        fuse!(out += x);
        out *= 0.5;
        out
    });
    assert_eq!(
        names(&program),
        ["constant", "multiply", "add", "constant", "multiply"]
    );
    // An output that has elements, and an expression that reads none but traced ones.
    let out = traced(input::<F32, _>([3]), |x| {
        let mut out = Tensor::<F32, Rank1>::ones([3]);
        fuse!(out += x);
        out
    });
    assert_eq!(names(&out), ["constant", "add"]);
    let wrong = stablehlo::trace(input::<F32, _>([3]), |x| {
        let mut out = Tensor::<F32, Rank1>::ones([4]);
        try_fuse!(out = x * 2.0).map(|()| out)
    });
    assert!(matches!(wrong, Err(Error::ShapeMismatch { .. })));
}
