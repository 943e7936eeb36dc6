//! Products, slices, convolutions and functions that StableHLO lacks; shardings.

use supremum::prelude::*;
use supremum::stablehlo::{self, Mesh, Program, ShardingError, dyn_input, input};
use supremum::{Scalar, einsum, try_einsum};

use super::{names, outputs, traced};

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
    let inputs = (
        input::<F32, _>([5, 2]),
        input::<F32, _>([2, 6]),
        input::<F32, _>([6]),
    );
    let program = traced(inputs, |(a, b, c)| einsum!("ij,jk,k->i", a, b, c));
    let text = program.to_string();
    assert!(
        text.contains("(tensor<2x6xf32>, tensor<6x1xf32>) -> tensor<2x1xf32>"),
        "{text}"
    );
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
        "1 specification for 2 inputs"
    );
    assert_eq!(
        refused(sharded(&[whole, &[None]], &[])),
        "0 specifications for 1 output"
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
fn functions_that_stablehlo_lacks_are_spelled_out() {
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
    for function in [DynTensor::erf, DynTensor::erfc, DynTensor::gelu] {
        let program = stablehlo::trace(vec![dyn_input(DType::F64, &[2])], |x: Vec<DynTensor>| {
            function(&x[0])
        });
        let program = program.expect("spelled out").into_dyn();
        assert!(names(&program).contains(&"exponential".to_owned()));
        assert_eq!(outputs(&program), ["f64 [2]"]);
    }
}

/// XLA's CPU backend takes subnormal numbers for zero, so an edge at zero must not become the next number above it.
#[test]
fn the_last_bin_of_a_histogram_has_its_upper_edge_in_programs() {
    let program = traced(input::<F32, _>([4]), |x| x.histogram(2, -4..=0));
    let text = program.to_string();
    let edges = [-4.0_f64, -2.0, 0.0].map(|edge| format!("{:016X}", edge.to_bits().swap_bytes()));
    for part in [&edges[..2].concat(), &edges[2]] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    let compared = |direction| text.matches(direction).count();
    assert_eq!(
        (
            compared("<comparison_direction LT>"),
            compared("<comparison_direction LE>")
        ),
        (1, 1)
    );
    assert!(
        !text.contains(&format!("{:016X}", 1_u64.swap_bytes())),
        "{text}"
    );
    assert_eq!(outputs(&program), ["i64 [2]"]);
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
    let options = ConvOptions::new().stride([2, 1]).padding([1, 0]).groups(2);
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
    let program = traced(input::<F32, _>([2, 3]), |x| {
        fuse!((x * 2.0).softmax(-1) + x)
    });
    assert_eq!(outputs(&program), ["f32 [2, 3]"]);
    let program = traced(input::<F16, _>([0, 3]), |x| x.log_sum_exp(0));
    assert_eq!(outputs(&program), ["f16 [3]"]);
    let pools = traced(input::<I8, _>([1, 1, 4, 4]), |x| {
        x.max_pool2d(PoolOptions::new([2, 2]))
    });
    assert_eq!(outputs(&pools), ["i8 [1, 1, 2, 2]"]);
    stablehlo::trace(
        vec![dyn_input(DType::F32, &[1, 1, 4])],
        |x: Vec<DynTensor>| {
            let error = x[0].try_conv1d(&x[0], ConvOptions::new().stride([0]));
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
