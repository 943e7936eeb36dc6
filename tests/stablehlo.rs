//! Tracing functions into programs: what they print, and what cannot be traced.
#![cfg(feature = "stablehlo")]

use supremum::prelude::*;
use supremum::stablehlo::{self, dyn_input, input};

/// The lines of a program's function, without its signature and `return`.
fn body(program: &stablehlo::Program) -> Vec<String> {
    let text = program.to_string();
    let lines = text.lines().skip(2).map(|line| line.trim().to_owned());
    lines
        .take_while(|line| !line.starts_with("return"))
        .collect()
}

#[test]
fn promotions_are_converts_and_literals_exact_constants() {
    let inputs = (input::<F16, _>([2, 3]), input::<BF16, _>([3]));
    let program = stablehlo::trace(inputs, |(a, b)| (&a + &b) * 1.5).unwrap();
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
fn small_floats_compute_in_f32_and_round_once() {
    let program = stablehlo::trace(input::<F16, _>([2]), |x| &x * &x).unwrap();
    let names: Vec<String> = body(&program)
        .iter()
        .map(|line| line.split('"').nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(
        names,
        [
            "stablehlo.convert",
            "stablehlo.multiply",
            "stablehlo.convert"
        ]
    );
}

#[test]
fn fused_expressions_are_what_operators_are() {
    let inputs = || (input::<BF16, _>([4, 3]), input::<F16, _>([3]));
    let eager = stablehlo::trace(inputs(), |(a, b)| {
        let c = &a * &b;
        select(&c.gt(0.0), &c, &(c.exp() - 1))
    });
    let fused = stablehlo::trace(
        inputs(),
        |(a, b)| fuse!(let c = a * b; if c > 0.0 { c } else { c.exp() - 1 }),
    );
    assert_eq!(eager.unwrap().to_string(), fused.unwrap().to_string());
}

#[test]
fn reading_elements_is_refused_by_name() {
    let refused = |read: fn(Tensor<F32, Rank1>)| {
        let traced = stablehlo::trace(input::<F32, _>([3]), |x| {
            read(x.clone());
            x
        });
        match traced.unwrap_err() {
            Error::Untraceable { operation } => operation,
            other => panic!("{other}"),
        }
    };
    assert_eq!(refused(|x| drop(x.to_vec())), "to_vec");
    assert_eq!(
        refused(|x| {
            let _ = x.get(&[0]);
        }),
        "get"
    );
    assert_eq!(
        refused(|x| {
            let _ = x.iter().next();
        }),
        "iter"
    );
    assert_eq!(refused(|x| drop(x.to_string())), "printing");
    assert_eq!(refused(|x| drop(format!("{x:?}"))), "printing");
    assert_eq!(
        refused(|x| {
            let _ = x == x.clone();
        }),
        "=="
    );
    assert_eq!(
        refused(|x| {
            let _ = x.approx_eq(&x, 0.0, 0.0);
        }),
        "approx_eq"
    );
    assert_eq!(refused(|mut x| x.as_mut_slice()[0] = 1.0), "as_mut_slice");
}

#[test]
fn dynamic_tensors_are_traced() {
    let inputs = vec![dyn_input(DType::I8, &[2]), dyn_input(DType::F32, &[2])];
    let program = stablehlo::trace(inputs, |x| x[0].try_mul(&x[1])?.try_sum()).unwrap();
    assert_eq!(program.outputs()[0].to_string(), "f32 []");
}
