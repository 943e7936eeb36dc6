//! Views, and shapes of any size.

use supremum::prelude::*;
use supremum::stablehlo::{self, input};

use super::{names, outputs, traced};

#[test]
fn views_are_operations() {
    let program = traced(input::<I32, _>([2, 3, 4]), |x| {
        let turned = x.permute([2, 0, 1]);
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
        Error::SizeMismatch {
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
            a.nan_std_axis(1),
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
            "f32 [0]",
            "f32 [1, 1]"
        ]
    );
    let none = traced((), |()| Tensor::<F32, Rank2>::zeros([0, 2]));
    assert!(none.to_string().contains("dense<> : tensor<0x2xf32>"));
}
