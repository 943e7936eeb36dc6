//! Literals and single elements in `fuse!`: their dtypes, and how they are folded.

use supremum::{
    Bool, F16, F32, F64, I64, Rank1, Tensor, Torch, U8, Weak, bf16, f16, fuse, promote_unsafe,
    select, tensor,
};

#[test]
fn literals_are_weak_and_elements_strong() {
    let x: Tensor<F16> = tensor![1.5, 2.5];
    let weak: Tensor<F16> = fuse!(x * 2 + 0.5);
    assert_eq!(weak.to_vec(), [3.5, 5.5].map(f16::from_f64));
    let strong: Tensor<F32> = fuse!(x * 2.0f32);
    assert_eq!(strong.to_vec(), [3.0, 5.0]);
    let factor = bf16::from_f32(2.0);
    let variable: Tensor<F32> = fuse!(x * factor);
    assert_eq!(variable, strong);
    let factors = vec![2_i8, 3];
    for factor in &factors {
        let product: Tensor<F16> = fuse!(x * *factor);
        assert_eq!(product, fuse!(factors[usize::from(*factor == 3)] * x));
    }
    let angle: Tensor<F64> = fuse!(x / std::f64::consts::PI);
    assert_eq!(angle.to_vec(), [1.5, 2.5].map(|x| x / std::f64::consts::PI));
    let flags: Tensor<Bool> = tensor![true, false];
    let weak: Tensor<Weak<I64>> = fuse!(flags + 1);
    assert_eq!(weak.to_vec(), [2, 1]);
    let truth: Tensor<F16> = fuse!(x * true);
    assert_eq!(truth, x);
}

#[test]
fn an_element_is_of_rank_zero_to_rules_that_look_at_rank() {
    let x: Tensor<F16, Rank1, Torch> = tensor![1.5, 2.5];
    let exact: Tensor<F16, Rank1, Torch> = fuse!(x * &f16::from_f32(2.0) + f16::ONE);
    assert_eq!(exact.to_vec(), [4.0, 6.0].map(f16::from_f64));
    // The tensor's dtype wins, and an f32 may not fit it.
    let rounded: Tensor<F16, Rank1, Torch> = promote_unsafe!(x * 1.1f32);
    assert_eq!(rounded, promote_unsafe!(1.1f32 * x));
}

#[test]
fn a_choice_between_literals_is_of_the_dtype_that_the_rules_give() {
    // PyTorch makes of two literals its default dtype.
    let c: Tensor<Bool, Rank1, Torch> = tensor![true, false];
    let fused: Tensor<F32, Rank1, Torch> = fuse!(if c { 1.5 } else { 1.0 });
    assert_eq!(fused.to_vec(), [1.5, 1.0]);
    let eager: Tensor<F32, Rank1, Torch> = select(&c, 1.5, 1.0);
    assert_eq!(eager, fused);
    let dynamic = c.into_dyn().try_select(1.5, 1.0).expect("two floats");
    assert_eq!(dynamic, fused.into_dyn());
}

#[test]
fn literals_are_folded_exactly() {
    let x: Tensor<F64, Rank1> = tensor![3.0];
    assert_eq!(fuse!(1 / 3 * x).to_vec(), [1.0 / 3.0 * 3.0]);
    assert_eq!(fuse!((2 + 3) * -(4 - 1) * x).to_vec(), [-45.0]);
    assert_eq!(fuse!(1e3 / 8 + x).to_vec(), [128.0]);
    // On either side.
    assert_eq!(fuse!(10 - x).to_vec(), [7.0]);
    assert_eq!(fuse!(6 / x).to_vec(), [2.0]);
    let n: Tensor<I64, Rank1> = tensor![1];
    let big: Tensor<I64, _> = fuse!(n + 9_000_000_000 * 1_000_000_000);
    assert_eq!(big.to_vec(), [9_000_000_000_000_000_001]);
    assert_eq!(fuse!(n + 0xff + 0b11 + 0o7).to_vec(), [266]);
    // A binding to a literal is the literal.
    let small: Tensor<U8, Rank1> = tensor![1];
    let sum: Tensor<U8, _> = fuse!(let k = 250; let one = 1; small + k + one);
    assert_eq!(sum.to_vec(), [252]);
}
