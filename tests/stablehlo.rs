//! Tracing functions into programs: what they print, what cannot be traced, and what may not leave a trace. That XLA
//! computes with them what Supremum does is shown by `scripts/xla_check`.
#![cfg(feature = "stablehlo")]

use std::cell::RefCell;

use supremum::prelude::*;
use supremum::stablehlo::{self, Inputs, Mesh, Outputs, Program, ShardingError, dyn_input, input};
use supremum::{Scalar, einsum, elementwise, try_einsum, try_fuse};

/// The program of a function.
#[track_caller]
fn traced<I: Inputs, O: Outputs>(inputs: I, function: impl FnOnce(I::Tensors) -> O) -> Program {
    stablehlo::trace(inputs, function).unwrap().into_dyn()
}

/// The names of a program's operations, without the dialect.
fn names(program: &Program) -> Vec<String> {
    let text = program.to_string();
    let lines = text.lines().filter(|line| line.starts_with("    %"));
    let names = lines.map(|line| line.split('"').nth(1).unwrap().replace("stablehlo.", ""));
    names.collect()
}

/// The results' types.
fn outputs(program: &Program) -> Vec<String> {
    program.outputs().iter().map(ToString::to_string).collect()
}

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

#[test]
fn views_are_operations() {
    let program = traced(input::<I32, _>([2, 3, 4]), |x| {
        let turned = x.permute(&[2, 0, 1]);
        let part = turned.slice(0, 1..3);
        let flipped = part.flip(2).slice_step(2, .., -2);
        let row: Tensor<I32, Rank2> = flipped.index_axis(1, 0);
        (
            row.reshape([4]).unsqueeze(0).squeeze(0),
            row.broadcast_to([5, 2, 2]),
        )
    });
    assert_eq!(outputs(&program), ["i32 [4]", "i32 [5, 2, 2]"]);
    assert_eq!(
        names(&program),
        [
            "transpose",
            "slice",
            "slice",
            "reverse",
            "slice",
            "reverse",
            "slice",
            "reshape",
            "reshape",
            "reshape",
            "reshape",
            "broadcast_in_dim"
        ]
    );
    let text = program.to_string();
    // Positions 2 and 0, backwards.
    let every_second = "start_indices = array<i64: 0, 0, 0>, limit_indices = array<i64: 2, 2, 3>, \
                        strides = array<i64: 1, 1, 2>";
    assert!(text.contains(every_second), "{text}");
    let refused = stablehlo::trace(input::<I32, _>([2, 3]), |x| x.try_reshape([7]));
    assert!(matches!(refused, Err(Error::Reshape { .. })));
}

#[test]
fn shapes_are_checked_as_ever() {
    let inputs = || (input::<F32, _>([2, 3]), input::<F32, _>([4]));
    let error = stablehlo::trace(inputs(), |(a, b)| a.try_add(&b)).unwrap_err();
    assert!(matches!(
        error,
        Error::ShapeMismatch {
            operation: "add",
            ..
        }
    ));
    let error = stablehlo::trace(inputs(), |(a, b)| a.try_matmul(&b)).unwrap_err();
    assert!(matches!(
        error,
        Error::ShapeMismatch {
            operation: "matmul",
            ..
        }
    ));
    let error = stablehlo::trace(input::<F32, _>([0]), |x| x.try_max()).unwrap_err();
    assert!(matches!(error, Error::EmptyReduction { .. }));
    let error = stablehlo::trace(input::<F32, _>([usize::MAX, 2]), |x| x).unwrap_err();
    assert!(matches!(error, Error::ShapeTooLarge { .. }));
    let error = stablehlo::trace(input::<F32, _>(vec![1; 9]), |x| x).unwrap_err();
    assert!(matches!(error, Error::RankTooLarge { .. }));
}

#[test]
fn large_shapes_take_no_memory() {
    let inputs = (
        input::<BF16, _>([1 << 20, 1 << 20]),
        input::<F16, _>([1 << 20]),
    );
    let program = traced(inputs, |(a, b)| (&a + &b).sum_axis(1));
    assert_eq!(outputs(&program), ["f32 [1048576]"]);
}

#[test]
fn tensors_of_no_elements_and_of_rank_zero() {
    let inputs = (
        input::<F32, _>([0, 3]),
        input::<F32, _>([3, 2]),
        input::<F32, _>([]),
    );
    let program = traced(inputs, |(a, b, c)| {
        (
            a.matmul(&b),
            a.sum(),
            &c + 1.0,
            a.cumsum(0),
            a.cummax(1),
            a.nan_mean_axis(0),
            c.reshape([1, 1]),
        )
    });
    assert_eq!(
        outputs(&program),
        [
            "f32 [0, 2]",
            "f32 []",
            "f32 []",
            "f32 [0, 3]",
            "f32 [0, 3]",
            "f32 [3]",
            "f32 [1, 1]"
        ]
    );
    let none = traced((), |()| Tensor::<F32, Rank2>::zeros([0, 2]));
    assert!(none.to_string().contains("dense<> : tensor<0x2xf32>"));
}

#[test]
fn constants_are_bits_and_the_same_ones_are_one() {
    let weights: Tensor<F16, Rank1> = tensor![1.0, -2.0, 0.5];
    let truths: Tensor<Bool, Rank1> = tensor![true, false, true];
    let program = traced(input::<F16, _>([3]), |x| {
        let twice = &x * &weights + &weights;
        select(&truths, &twice, 0)
    });
    let text = program.to_string();
    assert!(
        text.contains(r#"dense<"0x003C00C00038"> : tensor<3xf16>"#),
        "{text}"
    );
    // Booleans as bytes, compared with zero.
    assert!(
        text.contains(r#"dense<"0x010001"> : tensor<3xui8>"#),
        "{text}"
    );
    assert_eq!(text.matches("tensor<3xf16>} : ()").count(), 2, "{text}"); // with the zeros
    // Memory that is used again is no constant of before.
    let sum = traced(input::<I32, _>([3]), |x| {
        let mut sum = x;
        for number in 1..3 {
            let row = Tensor::<I32, Rank1>::from_fn([3], |index| {
                number * 10 + i32::try_from(index[0]).unwrap()
            });
            sum += row;
        }
        sum
    });
    let text = sum.to_string();
    assert!(text.contains(r#""0x0A0000000B0000000C000000""#), "{text}");
    assert!(text.contains(r#""0x140000001500000016000000""#), "{text}");
}

#[test]
fn constants_of_products_keep_their_dtype() {
    let weights: Tensor<BF16, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let program = traced(input::<BF16, _>([3, 2]), |x| {
        x.matmul(&weights) + x.matmul(&weights)
    });
    let text = program.to_string();
    assert_eq!(text.matches("-> tensor<2x2xbf16>").count(), 1, "{text}");
    assert_eq!(text.matches("dot_general").count(), 2, "{text}");
}

#[test]
fn one_element_everywhere_is_printed_once_in_every_dtype() {
    fn splat<D: supremum::StrongDType>(element: D::Element) -> String {
        let full = Tensor::<D, Rank1>::full([2], element);
        let text = traced((), |()| full).to_string();
        let start = text.find("dense<").unwrap() + "dense<".len();
        let end = text[start..].find("> :").unwrap();
        text[start..start + end].into()
    }
    assert_eq!(splat::<Bool>(true), "true");
    assert_eq!(splat::<U64>(u64::MAX), "18446744073709551615");
    assert_eq!(splat::<I8>(-128), "-128");
    assert_eq!(splat::<I64>(i64::MIN), "-9223372036854775808");
    assert_eq!(splat::<F8E4M3FN>(f8e4m3fn::from_f32(-1.0)), "0xB8");
    assert_eq!(splat::<F8E5M2>(f8e5m2::from_f32(1.0)), "0x3C");
    assert_eq!(splat::<BF16>(bf16::from_f32(1.0)), "0x3F80");
    assert_eq!(splat::<F32>(-0.0), "0x80000000");
    assert_eq!(splat::<F64>(1.0), "0x3FF0000000000000");
    assert_eq!(
        splat::<C64>(c64::new(1.0, -0.0)),
        "(0x3F800000, 0x80000000)"
    );
}

#[test]
fn what_no_result_needs_is_dropped() {
    let program = traced(
        (input::<F32, _>([2]), input::<F32, _>([2])),
        |(x, _unused)| {
            let _dead = (&x * 2.0).exp().sum();
            x
        },
    );
    assert_eq!(program.operations(), 0);
    assert_eq!(program.inputs().len(), 2);
    assert!(program.to_string().contains("return %arg0 : tensor<2xf32>"));
    let nothing = traced((), |()| Vec::<DynTensor>::new());
    assert!(
        nothing
            .to_string()
            .contains("@main() -> () {\n    return\n")
    );
}

#[test]
fn division_by_a_literal_zero_is_refused_and_by_tensors_recorded() {
    let error = stablehlo::trace(input::<I32, _>([2]), |x| x.try_rem(0)).unwrap_err();
    assert!(matches!(error, Error::DivisionByZero { .. }));
    let inputs = (input::<I32, _>([2]), input::<I32, _>([2]));
    assert!(stablehlo::trace(inputs, |(a, b)| (a.floor_div(&b), a.pow(&b))).is_ok());
}

/// The operation that ended a trace, by name.
#[track_caller]
fn refused<O: Outputs>(read: impl FnOnce(Tensor<F32, Rank1>) -> O) -> &'static str {
    match stablehlo::trace(input::<F32, _>([1]), read) {
        Err(Error::Untraceable { operation }) => operation,
        other => panic!("{other:?}"),
    }
}

/// The same of a function that gives no tensors, and would not end if it saw elements.
#[track_caller]
fn refused_at_once(read: impl FnOnce(Tensor<F32, Rank1>)) -> &'static str {
    refused(|x| {
        read(x);
        unreachable!("the function is ended");
        #[expect(unreachable_code, reason = "says what the closure would give")]
        Vec::<DynTensor>::new()
    })
}

elementwise! {
    fn cubed(x: f32) -> f32 {
        x * x * x
    }
}

#[test]
fn reading_elements_is_refused_by_name() {
    assert_eq!(refused_at_once(|x| drop(x.to_vec())), "to_vec");
    assert_eq!(refused_at_once(|x| assert!(x.get(&[0]).is_some())), "get");
    assert_eq!(
        refused_at_once(|x| assert!(x.iter().next().is_some())),
        "iter"
    );
    assert_eq!(refused_at_once(|x| drop(x.to_string())), "printing");
    assert_eq!(refused_at_once(|x| drop(format!("{x:?}"))), "printing");
    assert_eq!(refused_at_once(|x| assert!(x == x.clone())), "==");
    assert_eq!(
        refused_at_once(|x| assert!(x.approx_eq(&x, 0.0, 0.0))),
        "approx_eq"
    );
    assert_eq!(
        refused_at_once(|mut x| x.as_mut_slice()[0] = 1.0),
        "as_mut_slice"
    );
    assert_eq!(refused_at_once(|x| assert!(x[0] > 0.0)), "index");
    assert_eq!(refused_at_once(|mut x| x[0] = 1.0), "index");
    assert_eq!(refused_at_once(|mut x| x.set(&[0], 1.0)), "set");
    assert_eq!(refused_at_once(|x| drop(x.map(f32::sqrt))), "map");
    assert_eq!(
        refused_at_once(|mut x| x.slice_mut(0, ..).fill(1.0)),
        "slice_mut"
    );
    assert_eq!(
        refused_at_once(|x| x.zeros_like().view_mut().assign(&x)),
        "assign"
    );
    assert_eq!(
        refused_at_once(|x| x.zeros_like().zip_mut_with(&x, |_, _| ())),
        "zip_mut_with"
    );
    assert_eq!(refused(|x| x.try_get(&[0]).map(|_| x)), "get");
    assert_eq!(
        refused(|mut x| match x.try_rows_mut().map(drop) {
            Ok(()) => Ok(x),
            Err(error) => Err(error),
        }),
        "rows_mut"
    );
    assert_eq!(
        refused_at_once(|x| assert!(!x.view_ndarray().is_empty())),
        "view_ndarray"
    );
    assert_eq!(refused_at_once(|x| drop(x.to_ndarray())), "to_vec");
    assert_eq!(refused_at_once(|x| drop(x.into_dlpack())), "into_dlpack");
    let shared = |x: Tensor<F32, Rank1>| drop(x.clone().into_dlpack_legacy());
    assert_eq!(refused_at_once(shared), "into_dlpack_legacy");
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/traced.npy");
    let written = |x: Tensor<F32, Rank1>| drop(x.write_npy(file));
    assert_eq!(refused_at_once(written), "writing elements");
    assert!(!std::path::Path::new(file).exists());
    assert_eq!(refused_at_once(|x| drop(fuse!(cubed(x)))), "cubed");
    assert_eq!(refused(|x| x.item().map(|_| x)), "item");
    assert_eq!(refused(|x| x.try_cast::<F16>()), "try_cast");
    assert_eq!(refused(|x| try_fuse!(cubed(x) + 1.0)), "cubed");
    // There is no slice to see, as of any tensor that is not row-major.
    assert!(
        stablehlo::trace(input::<F32, _>([1]), |x| {
            assert!(x.as_slice().is_none());
            x
        })
        .is_ok()
    );
    // What no value can fail at needs none.
    assert!(stablehlo::trace(input::<F16, _>([1]), |x| x.try_cast::<F32>()).is_ok());
}

#[test]
fn reading_dynamic_tensors_is_refused_by_name() {
    fn refused<O: Outputs>(read: impl FnOnce(DynTensor) -> O) -> &'static str {
        self::refused(|x| read(x.into_dyn()))
    }
    assert_eq!(refused(|x| x.to_vec::<F32>().map(|_| x)), "to_vec");
    assert_eq!(refused(|x| x.iter::<F32>().map(|_| x.clone())), "iter");
    assert_eq!(refused(|x| x.item().map(|_| x)), "item");
    assert_eq!(refused(|x| x.try_cast(DType::F16)), "try_cast");
    assert_eq!(refused(|x| x.to_bytes().map(|_| x)), "to_bytes");
    assert_eq!(refused(|mut x| x.try_set(&[0], 1).map(|()| x)), "set");
    assert_eq!(
        refused(|mut x| x.try_view_mut().map(drop).map(|()| x)),
        "view_mut"
    );
    assert_eq!(
        refused(|x| x.approx_eq(&x, 0.0, 0.0).map(|_| x)),
        "approx_eq"
    );
    assert_eq!(
        refused_at_once(|x| assert!(x.into_dyn().get(&[0]).is_some())),
        "get"
    );
    assert_eq!(
        refused_at_once(|x| drop(x.into_dyn().to_string())),
        "printing"
    );
    assert_eq!(
        refused_at_once(|x| {
            let x = x.into_dyn();
            assert!(x == x.clone());
        }),
        "=="
    );
}

#[test]
fn the_first_refusal_counts_even_if_the_function_goes_on() {
    let traced = stablehlo::trace(input::<F32, _>([2]), |x| {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| x.to_vec()));
        assert!(caught.is_err());
        x
    });
    assert!(matches!(
        traced,
        Err(Error::Untraceable {
            operation: "to_vec"
        })
    ));
}

/// A tensor that left its trace.
fn stray() -> Tensor<F32, Rank1> {
    let left = RefCell::new(None);
    let program = stablehlo::trace(input::<F32, _>([2]), |x| {
        left.replace(Some(x.clone()));
        x
    });
    assert!(program.is_ok());
    left.into_inner().unwrap()
}

#[test]
fn tensors_that_left_their_trace_are_refused() {
    let stray = stray();
    let is_outside = |result: Result<(), Error>| matches!(result, Err(Error::OutsideTrace { .. }));
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    assert!(is_outside(stray.try_add(&x).map(drop)));
    assert!(is_outside(x.try_mul(&stray).map(drop)));
    assert!(is_outside(stray.try_lt(&x).map(drop)));
    assert!(is_outside(stray.try_sum_axis(0).map(drop)));
    assert!(is_outside(stray.try_argmax_axis(0).map(drop)));
    assert!(is_outside(stray.try_reshape([2, 1]).map(drop)));
    assert!(is_outside(stray.try_dot(&x).map(drop)));
    assert!(is_outside(stray.item().map(drop)));
    assert!(is_outside(try_fuse!(x + stray).map(drop)));
    assert!(is_outside(try_fuse!((x + stray).sum()).map(drop)));
    let mut out = stray.clone();
    assert!(is_outside(try_fuse!(out += x)));
    let another = stablehlo::trace(input::<F32, _>([2]), |x| x.try_add(&stray));
    assert!(is_outside(another.map(drop)));
    // Where there is no `Result` too, in a trace; elsewhere that is a panic.
    let another = stablehlo::trace(input::<F32, _>([2]), |_| stray.exp());
    assert!(is_outside(another.map(drop)));
    let another = stablehlo::trace(input::<F32, _>([2]), |_| stray.clone());
    assert!(is_outside(another.map(drop)));
    assert!(std::panic::catch_unwind(|| stray.exp()).is_err());
    assert!(std::panic::catch_unwind(|| stray.to_vec()).is_err());
}

#[test]
fn other_threads_and_inner_traces_know_nothing_of_a_trace() {
    let program = stablehlo::trace(input::<F32, _>([2]), |x| {
        let elsewhere =
            std::thread::scope(|scope| scope.spawn(|| x.try_add(1.0).map(drop)).join().unwrap());
        assert!(matches!(elsewhere, Err(Error::OutsideTrace { .. })));
        let inner = stablehlo::trace(input::<F32, _>([2]), |y| y.try_add(&x));
        assert!(matches!(inner, Err(Error::OutsideTrace { .. })));
        let inner = stablehlo::trace(input::<F32, _>([2]), |y| y + 1.0);
        assert_eq!(inner.unwrap().operations(), 2);
        // The outer one goes on.
        x * 2.0
    });
    assert_eq!(program.unwrap().operations(), 2);
}

#[test]
fn a_panic_ends_the_trace_and_is_the_callers() {
    let caught = std::panic::catch_unwind(|| {
        stablehlo::trace(input::<F32, _>([2]), |x| {
            assert!(x.is_empty(), "the function's own");
            x
        })
    });
    let payload = caught.unwrap_err();
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the function's own"));
    // Nothing is traced any more.
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y: Tensor<F32, Rank1> = fuse!(x * 2.0);
    assert_eq!(y.to_vec(), [2.0, 4.0]);
}

#[test]
fn tensors_with_elements_are_computed_as_ever_in_a_trace() {
    let program = traced(input::<F32, _>([2]), |x| {
        let known: Tensor<F32, Rank1> = tensor![1.0, 2.0];
        let fused = fuse!(cubed(known) + 1.0);
        assert_eq!(fused.to_vec(), [2.0, 9.0]);
        assert_eq!((&known + &known).sum().item(), Ok(6.0));
        x + fused
    });
    assert_eq!(names(&program), ["constant", "add"]);
}

#[test]
fn products_in_a_dtype_are_one_operation() {
    let inputs = (input::<I8, _>([2, 3]), input::<I8, _>([3, 4]));
    let program = traced(inputs, |(a, b)| a.matmul_in::<I32>(&b));
    assert_eq!(names(&program), ["dot_general"]);
    let text = program.to_string();
    assert!(
        text.contains("(tensor<2x3xi8>, tensor<3x4xi8>) -> tensor<2x4xi32>"),
        "{text}"
    );
    let inputs = (input::<BF16, _>([2, 3]), input::<BF16, _>([3, 4]));
    let program = traced(inputs, |(a, b)| a.matmul_in::<F32>(&b));
    let text = program.to_string();
    assert_eq!(names(&program), ["dot_general"]);
    assert!(
        text.contains("(tensor<2x3xbf16>, tensor<3x4xbf16>) -> tensor<2x4xf32>"),
        "{text}"
    );
    // Operands of two dtypes are converted first.
    let inputs = (input::<I8, _>([2, 3]), input::<U8, _>([3, 4]));
    let program = traced(inputs, |(a, b)| a.matmul_in::<I32>(&b));
    assert_eq!(names(&program)[..2], ["convert", "convert"]);
    assert!(
        program.to_string().contains("-> (tensor<2x4xi32>)"),
        "{program}"
    );
}

#[test]
fn equations_are_traced() {
    let inputs = (input::<F32, _>([5, 2, 3]), input::<F32, _>([5, 3, 4]));
    let program = traced(inputs, |(a, b)| einsum!("bij,bjk->bik", a, b));
    assert_eq!(names(&program), ["dot_general"]);
    let inputs = (input::<F32, _>([3]), input::<F32, _>([3]));
    let program = traced(inputs, |(a, b)| {
        (a.cross(&b, 0), a.outer(&b), a.tensordot(&b, 0, 0))
    });
    let text = program.to_string();
    assert!(
        text.contains("-> (tensor<3xf32>, tensor<3x3xf32>, tensor<f32>)"),
        "{text}"
    );
    let error = stablehlo::trace(
        (input::<F32, _>([2, 3]), input::<F32, _>([4, 5])),
        |(a, b): (Tensor<F32, Rank2>, Tensor<F32, Rank2>)| try_einsum!("ij,jk->ik", a, b),
    );
    assert!(matches!(
        error.map(|_| ()),
        Err(Error::SubscriptSize { .. })
    ));
}

#[test]
fn shardings_are_checked() {
    let inputs = (input::<F32, _>([8, 6]), input::<F32, _>([6]));
    let program = traced(inputs, |(a, b)| a.matmul(&b));
    let mesh = Mesh::new([("x", 4), ("y", 2)]).unwrap();
    let sharded = |inputs: &[&[Option<&str>]], outputs: &[&[Option<&str>]]| match program
        .shard(&mesh, inputs, outputs)
    {
        Err(Error::Sharding(error)) => Err(error),
        Ok(program) => Ok(program.to_string()),
        Err(error) => panic!("{error}"),
    };
    let text = sharded(&[&[Some("x"), Some("y")], &[Some("y")]], &[&[None]]).unwrap();
    for part in [
        r#"  sdy.mesh @mesh = <["x"=4, "y"=2]>"#,
        r#"%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}"#,
        r#"-> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})"#,
    ] {
        assert!(text.contains(part), "{text}");
    }
    let whole: &[Option<&str>] = &[None, None];
    let refused = |result: Result<String, ShardingError>| result.unwrap_err().to_string();
    assert_eq!(
        refused(sharded(&[whole], &[&[None]])),
        "1 specifications for 2 inputs"
    );
    assert_eq!(
        refused(sharded(&[whole, &[None]], &[])),
        "0 specifications for 1 outputs"
    );
    assert_eq!(
        refused(sharded(&[whole, whole], &[&[None]])),
        "input 1, f32 [6]: a specification of 2 dimensions"
    );
    assert_eq!(
        refused(sharded(&[whole, &[Some("z")]], &[&[None]])),
        r#"input 1: no axis `z` in the mesh <["x"=4, "y"=2]>"#
    );
    assert_eq!(
        refused(sharded(&[&[Some("y"), Some("y")], &[None]], &[&[None]])),
        "input 0: the mesh axis `y` splits two dimensions"
    );
    assert_eq!(
        refused(sharded(&[&[None, Some("x")], &[None]], &[&[None]])),
        "input 0, f32 [8, 6]: dimension 1 is not divisible by the 4 devices of `x`"
    );
    for axes in [
        [("x", 2), ("x", 2)],
        [("", 2), ("y", 2)],
        [("a\"", 2), ("y", 2)],
        [("x", 0), ("y", 2)],
        [("x", usize::MAX), ("y", 2)],
    ] {
        assert!(
            matches!(Mesh::new(axes), Err(Error::Sharding(_))),
            "{axes:?}"
        );
    }
}

#[test]
fn functions_that_stablehlo_lacks_are_spelled_out_or_refused() {
    let program = traced(input::<F16, _>([2]), |x| x.erf());
    assert!(!names(&program).contains(&"erf".to_owned()));
    assert_eq!(outputs(&program), ["f16 [2]"]);
    let last = |program: &Program| names(program).pop();
    assert_eq!(
        last(&traced(input::<F64, _>([2]), |x| x.rsqrt())),
        Some("rsqrt".to_owned())
    );
    assert_eq!(
        last(&traced(input::<C64, _>([2]), |x| x.rsqrt())),
        Some("rsqrt".to_owned())
    );
    assert_eq!(
        last(&traced(input::<F64, _>([2]), |x| x.cbrt())),
        Some("cbrt".to_owned())
    );
    stablehlo::trace(vec![dyn_input(DType::F64, &[2])], |x: Vec<DynTensor>| {
        for result in [x[0].erf(), x[0].erfc(), x[0].gelu()] {
            let error = result.expect_err("not in f64").to_string();
            assert!(
                error.ends_with("in StableHLO is not defined on f64"),
                "{error}"
            );
        }
        x[0].clone()
    })
    .expect("the argument itself");
}

#[test]
fn slices_of_several_axes_and_their_parts_are_recorded() -> Result<(), Error> {
    let t: Tensor<I32, Rank2> = tensor![[1, 2, 3], [4, 5, 6], [7, 8, 9]];
    let program = |x: Tensor<I32, Rank2>| {
        let corner = x.slice_axes(s![1.., ..;-2]);
        let rows = corner.rows().map(|row| row.sum_axis(0)).collect::<Vec<_>>();
        let columns: Vec<_> = corner
            .axis_iter(1)
            .map(|column| column.into_dyn())
            .collect();
        (
            corner.into_dyn(),
            rows[1].clone().into_dyn(),
            columns[0].clone(),
        )
    };
    let (corner, row, column) = program(t);
    assert_eq!(corner.to_string(), "[[6, 4],\n [9, 7]] i32 [2, 2]");
    let traced = stablehlo::trace(input::<I32, _>([3, 3]), |x| {
        let (corner, row, column) = program(x);
        vec![corner, row, column]
    })?;
    let text = traced.to_string();
    assert!(
        text.contains("stablehlo.slice") && text.contains("stablehlo.reverse"),
        "{text}"
    );
    assert_eq!(
        (row.item()?, column.to_string()),
        (Scalar::Int(16), "[6, 9] i32 [2]".to_owned())
    );
    Ok(())
}

#[test]
fn convolutions_and_softmax_are_recorded() {
    let inputs = (
        input::<BF16, _>([2, 4, 9, 8]),
        input::<F32, _>([6, 2, 3, 3]),
    );
    let options = supremum::ConvOptions::new()
        .stride([2, 1])
        .padding([1, 0])
        .groups(2);
    let program = traced(inputs, |(x, filters)| x.conv2d(&filters, options));
    assert_eq!(names(&program), ["convert", "convolution"]);
    assert_eq!(outputs(&program), ["f32 [2, 6, 5, 6]"]);
    let text = program.to_string();
    for part in [
        "window_strides = array<i64: 2, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>",
        "#stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>, feature_group_count = 2 : i64",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let program = traced(input::<F16, _>([2, 3]), |x| x.softmax(-1));
    assert_eq!(outputs(&program), ["f16 [2, 3]"]);
    assert_eq!(names(&program).last().map(String::as_str), Some("convert"));
    let program = traced(input::<F16, _>([0, 3]), |x| x.log_sum_exp(0));
    assert_eq!(outputs(&program), ["f16 [3]"]);
    let pools = traced(input::<I8, _>([1, 1, 4, 4]), |x| {
        x.max_pool2d(supremum::PoolOptions::new([2, 2]))
    });
    assert_eq!(outputs(&pools), ["i8 [1, 1, 2, 2]"]);
    stablehlo::trace(
        vec![dyn_input(DType::F32, &[1, 1, 4])],
        |x: Vec<DynTensor>| {
            let error = x[0].try_conv1d(&x[0], supremum::ConvOptions::new().stride([0]));
            assert!(matches!(
                error,
                Err(Error::ZeroWindow {
                    operation: "conv1d",
                    ..
                })
            ));
            x[0].clone()
        },
    )
    .expect("the argument itself");
}
