//! Operations on whole tensors within an expression, such as `softmax` and `matmul`.

use supremum::prelude::*;
use supremum::{fuse_backend, promote_unsafe, try_fuse, try_promote_unsafe};

fn operands() -> [Tensor<F32, Rank2>; 2] {
    let a = tensor![[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]];
    let b = tensor![[0.5, 1.0, -1.0], [2.0, 0.0, 4.0]];
    [a, b]
}

#[test]
fn values_are_those_of_statements() {
    let [a, b] = operands();
    let sum = &a + &b;
    assert_eq!(fuse!(a.softmax(-1)), a.softmax(-1));
    assert_eq!(fuse!((a + b).softmax(-1)), sum.softmax(-1));
    assert_eq!(
        fuse!((a + b).softmax(-1) * 2.0 - a),
        sum.softmax(-1) * 2.0 - &a
    );
    assert_eq!(
        fuse!(a - a.log_sum_exp_keepdims(1)),
        &a - a.log_sum_exp_keepdims(1)
    );
    assert_eq!(
        fuse!(a.transpose().cumsum(0) + 1),
        a.transpose().cumsum(0) + 1
    );
    // One within another, a binding, and a reduction of it
    let eager = (&sum.cumsum(1) * 0.5).log_softmax(0).sum_axis(1);
    assert_eq!(
        fuse!(let s = a + b; (s.cumsum(1) * 0.5).log_softmax(0).sum_axis(1)),
        eager
    );
    let named = fuse!(let shares = (a + b).softmax(1); shares * shares + shares);
    let shares = sum.softmax(1);
    assert_eq!(named, &shares * &shares + &shares);
    let norms = fuse!(a / a.norm_keepdims(2.0, -1) + b.var_corrected(1, 1).unsqueeze(1));
    assert!(norms.approx_eq(
        &(&a / a.norm_keepdims(2.0, -1) + b.var_corrected(1, 1).unsqueeze(1)),
        0.0,
        0.0
    ));
}

/// Methods that copy elements are called on expressions, whose values they do not share with the operands.
#[test]
fn copies_of_expressions_are_operands() {
    let [a, b] = operands();
    let gap = &a - &b;
    assert_eq!(fuse!((a - b).sort(1)), gap.sort(1));
    assert_eq!(
        fuse!(let gap = a - b; gap.sort(1) * gap + gap.pad([[0, 0], [1, 0]], 7.0).slice(1, ..3)),
        &gap.sort(1) * &gap + gap.pad([[0, 0], [1, 0]], 7.0).slice(1, ..3)
    );
    // One within another; of an operand it is part of the operand
    assert_eq!(
        fuse!((a.sort(0) + b).tril(0).exp()),
        (a.sort(0) + &b).tril(0).exp()
    );
    let mut out = b.clone();
    fuse!(out = (out - a).sort_descending(0));
    assert_eq!(out, (&b - &a).sort_descending(0));
    let indices: Tensor<I64, Rank1> = tensor![1, 0, 1];
    let error = try_fuse!((a + b).take(&indices, 2) + a).unwrap_err();
    assert_eq!(error, (&a + &b).try_take(&indices, 2).unwrap_err());
}

#[test]
fn products_are_operands() {
    let [a, b] = operands();
    let bias: Tensor<F32, Rank1> = tensor![0.5, -0.5];
    let turned = b.transpose();
    let eager = (a.matmul(&turned) + &bias).maximum(0.0);
    assert_eq!(fuse!((a.matmul(&turned) + bias).maximum(0.0)), eager);
    assert_eq!(
        fuse!((a * 2.0).matmul(&b.transpose()) + bias),
        (&a * 2.0).matmul(&turned) + &bias
    );
    let bytes: Tensor<I8, Rank2> = tensor![[100, 100], [1, 2]];
    let sums: Tensor<I32, Rank2> = fuse!(bytes.matmul_in::<I32>(&bytes) + 1);
    assert_eq!(sums.to_vec(), [10101, 10201, 103, 105]);
}

#[test]
fn small_floats_and_outputs() {
    let [a, b] = operands();
    let half = a.cast::<BF16>();
    let shares: Tensor<F32, Rank2> = fuse!(half.softmax(-1) * b);
    assert_eq!(shares, half.softmax(-1) * &b);
    let mut out = b.clone();
    fuse!(out = a.softmax(0) + out);
    assert_eq!(out, a.softmax(0) + &b);
    fuse!(out += (out * 2.0).softmax(1));
    let before = a.softmax(0) + &b;
    assert_eq!(out, &before + (&before * 2.0).softmax(1));
    fuse!(out = a.softmax(0));
    assert_eq!(out, a.softmax(0));
}

#[test]
fn views_of_values_are_values() {
    let [a, b] = operands();
    assert_eq!(
        fuse!(a - a.sum_axis(1).unsqueeze(1)),
        &a - a.sum_axis(1).unsqueeze(1)
    );
    let turned = fuse!((a + b).softmax(-1).transpose() * 2.0);
    assert_eq!(turned, (&a + &b).softmax(-1).transpose() * 2.0);
    assert_eq!(
        try_fuse!(a.cumsum(0).flatten() + 1.0),
        Ok(a.cumsum(0).flatten() + 1.0)
    );
    let text = try_fuse!(a.cumsum(0).squeeze(0) + 1.0).expect_err("an axis of size two");
    assert_eq!(text.to_string(), "squeeze: axis 0 has size 2, expected 1");
    // The output, read as a whole
    let mut out = a.clone();
    fuse!(out = out.softmax(0));
    assert_eq!(out, a.softmax(0));
    fuse!(out = out.matmul(&b.transpose()).matmul(&b) - out);
    let before = a.softmax(0);
    assert_eq!(out, before.matmul(&b.transpose()).matmul(&b) - &before);
    // Reductions of such values, by rows
    let large = Tensor::<F32, Rank2>::from_fn([300, 400], |[i, j]| ((i * 7 + j) % 13) as f32);
    let eager = (large.softmax(-1) - large.softmax(-1).mean_keepdims(-1)).exp();
    assert_eq!(
        fuse!(let s = large.softmax(-1); (s - s.mean_keepdims(-1)).exp()),
        eager
    );
}

#[test]
fn errors_are_those_of_the_methods() {
    let [a, b] = operands();
    let text =
        |result: Result<Tensor<F32, Rank2>, Error>| result.expect_err("an error").to_string();
    assert_eq!(
        text(try_fuse!(a.softmax(2))),
        "softmax: axis 2 does not exist at rank 2"
    );
    assert_eq!(
        text(try_fuse!((a + b).softmax(-3) + 1.0)),
        "softmax: axis -3 does not exist at rank 2"
    );
    assert_eq!(
        text(try_fuse!(a.matmul(&b) + 1.0)),
        a.try_matmul(&b).expect_err("shapes").to_string()
    );
    let turned = b.transpose();
    assert!(matches!(
        try_fuse!((a + turned).softmax(0)),
        Err(Error::ShapeMismatch { .. })
    ));
    assert_eq!(try_fuse!((a + b).cumsum(0)), Ok((&a + &b).cumsum(0)));
    let caught = std::panic::catch_unwind(|| fuse!((a + b).softmax(5) * 2.0));
    let text = caught.expect_err("a panic");
    assert_eq!(
        text.downcast_ref::<String>().map(String::as_str),
        Some("softmax: axis 5 does not exist at rank 2")
    );
}

#[test]
fn unsafe_promotions_and_backends() -> Result<(), Error> {
    let counts: Tensor<I64, Rank2> = tensor![[1, 2], [3, 4]];
    let scale: Tensor<F32, Rank1> = tensor![0.5, 0.25];
    let shares: Tensor<F32, Rank2> = promote_unsafe!((counts * scale).softmax(-1) * 2.0);
    assert_eq!(shares, promote_unsafe!(counts * scale).softmax(-1) * 2.0);
    let shares: Tensor<F32, Rank2> = promote_unsafe!((counts * scale).softmax(-1));
    assert_eq!(shares, promote_unsafe!(counts * scale).softmax(-1));
    assert!(try_promote_unsafe!((counts * scale).softmax(4) + 1.0).is_err());
    // The operand itself, not an expression of operands.
    let sums: Tensor<F32, Rank2> = promote_unsafe!(counts.cumsum(0) * scale);
    assert_eq!(sums, promote_unsafe!(&counts.cumsum(0) * &scale));
    let rows: Tensor<F32, Rank2> = promote_unsafe!(scale.softmax(0) * counts.sort(0));
    assert_eq!(rows, promote_unsafe!(&scale.softmax(0) * &counts.sort(0)));
    assert!(try_promote_unsafe!(counts.cumsum(3) * scale).is_err());
    // The tensor in the first argument of a product or join promotes as an operand does.
    let product: Tensor<F32, Rank1> = promote_unsafe!(counts.matmul(&scale));
    assert_eq!(product, counts.promote_unsafe().matmul(&scale));
    let twice: Tensor<F32, Rank1> = promote_unsafe!((counts + counts).matmul(&scale) * 0.5 + scale);
    assert_eq!(twice, product + &scale);
    let joined: Tensor<F32, Rank2> = promote_unsafe!(counts.concat(&scale.unsqueeze(0), 0));
    assert_eq!(joined.to_vec(), [1.0, 2.0, 3.0, 4.0, 0.5, 0.25]);
    assert!(try_promote_unsafe!(counts.matmul(&joined)).is_err());
    let [a, b] = operands();
    assert_eq!(
        fuse_backend!((a + b).softmax(-1) * 2.0)?,
        fuse_backend!(a * b)?
    );
    assert_eq!(fuse_backend!(a.softmax(-1) * 2.0)?, fuse_backend!(a * b)?);
    assert!(fuse_backend!(a.softmax(7) * 2.0).is_err());
    Ok(())
}

#[test]
fn equal_calls_are_evaluated_once() {
    let calls = std::cell::Cell::new(0);
    let axis = || {
        calls.set(calls.get() + 1);
        -1
    };
    let [a, _] = operands();
    // Code with calls is evaluated as often as it stands there.
    let once = fuse!(a.softmax(axis()) + a.softmax(axis()));
    assert_eq!((calls.get(), once), (2, a.softmax(-1) + a.softmax(-1)));
    let two = fuse!(a.softmax(-1) - a.softmax(-1) + a.softmax(0));
    assert_eq!(two, a.softmax(-1) - a.softmax(-1) + a.softmax(0));
}

#[test]
fn parts_of_several_axes_are_operands() {
    let [a, b] = operands();
    assert_eq!(
        fuse!(a.slice_axes(s![.., 1..]) * b.slice_axes(s![..;-1, ..2])),
        a.slice_axes(s![.., 1..]) * b.slice_axes(s![..;-1, ..2])
    );
}
