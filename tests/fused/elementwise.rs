//! Functions of the user's in `fuse!`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use supremum::{
    Bool, C64, F16, F32, F64, I32, Rank0, Rank1, Rank2, Tensor, U8, c64, elementwise, f16, fuse,
    tensor,
};

elementwise! {
    /// `x / (1 + |x|)`
    fn softsign(x: f32) -> f32 {
        x / (1.0 + x.abs())
    }

    fn blend(a: f32, b: f32, t: f16) -> f64 {
        f64::from(a) + f64::from(b - a) * f64::from(t)
    }

    fn is_power_of_two(x: u8) -> bool {
        x.is_power_of_two()
    }

    fn turned(z: c64) -> c64 {
        z * c64::new(0.0, 1.0)
    }

    fn divided(a: i32, b: i32) -> i32 {
        a / b
    }

    fn below_four(x: f32) -> f32 {
        assert!(x < 4.0, "no element is so large");
        x
    }
}

#[test]
fn functions_of_elements_are_called() {
    let x: Tensor<F32, Rank2> = tensor![[1.0], [-3.0]];
    let y: Tensor<F32, Rank1> = tensor![2.0, 4.0];
    let t: Tensor<F16, Rank0> = Tensor::scalar(f16::from_f32(0.5));
    let found: Tensor<F64, Rank2> = fuse!(blend(softsign(x), y * 2, t) + 1);
    assert_eq!(found.to_vec(), [3.25, 5.25, 2.625, 4.625]);
    let n: Tensor<U8> = Tensor::from_vec((0..=255).collect(), [256]).expect("256 elements");
    let powers: Tensor<Bool> = fuse!(is_power_of_two(n));
    assert_eq!(powers.iter().filter(|power| *power).count(), 8);
    let z = Tensor::<C64, Rank1>::from_vec(vec![c64::new(1.0, 2.0)], [1]).expect("one");
    assert_eq!(fuse!(turned(z)).to_vec(), [c64::new(-2.0, 1.0)]);
    // A function that panics ends the evaluation, and the output is a tensor still.
    let mut out: Tensor<I32> = tensor![1, 2];
    let divisors: Tensor<I32> = tensor![1, 0];
    let ended = catch_unwind(AssertUnwindSafe(|| fuse!(out = divided(out, divisors))));
    assert!(ended.is_err());
    assert_eq!(out.shape(), [2]);
}

#[test]
fn functions_see_no_elements_but_those_that_are_there() {
    // Memory of former elements is behind the few.
    drop([(); 20].map(|()| Tensor::<F32, Rank1>::full([32], 9.0)));
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0, 3.0];
    assert_eq!(fuse!(below_four(x) + x).to_vec(), [2.0, 4.0, 6.0]);
    let mut out = x.clone();
    fuse!(out = below_four(x * x / 4.0));
    assert_eq!(out.to_vec(), [0.25, 1.0, 2.25]);
    assert_eq!(fuse!(below_four(x).sum()).item(), Ok(6.0));
    assert_eq!(fuse!(below_four(x).max_axis(0)).item(), Ok(3.0));
    assert_eq!(fuse!(below_four(x).std()).item(), x.std().item());
    let column: Tensor<F32, Rank2> = tensor![[1.0], [0.5]];
    assert_eq!(
        fuse!(below_four(x * column)).to_vec(),
        [1.0, 2.0, 3.0, 0.5, 1.0, 1.5]
    );
    // Expressions that call no function compute with the padding as well, which is not part of the result.
    fuse!(out = x / x);
    assert_eq!((out.to_vec(), out.sum().item()), (vec![1.0; 3], Ok(3.0)));
}

/// Functions that are not marked, those of the standard library and closures that capture nothing are called too.
#[test]
fn functions_of_elements_need_no_mark() {
    fn squashed(x: f32) -> f32 {
        x / (1.0 + x.abs())
    }
    let x: Tensor<F32, Rank1> = tensor![3.0, -1.0, 8.0];
    let scaled = |x: f32, by: f64| (f64::from(x) * by).round();
    let by = 2.0_f64;
    assert_eq!(
        fuse!(squashed(x) + 1.0).to_vec(),
        [1.75, 0.5, 1.0 + 8.0 / 9.0]
    );
    assert_eq!(fuse!(f32::cbrt(x + 0)).to_vec(), [3_f32.cbrt(), -1.0, 2.0]);
    assert_eq!(fuse!(scaled(x, by).sum()).item(), Ok(20.0));
}
