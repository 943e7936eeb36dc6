//! Operands that are ordinary code: macros, functions of `Tensor`, and what ends in `?`.

use supremum::prelude::*;
use supremum::try_fuse;

/// Counts its calls.
fn counted(calls: &mut usize) -> Result<Tensor<F32, Rank1>, Error> {
    *calls += 1;
    Tensor::<F32, Rank1>::try_arange(0.0, 3.0, 1.0)
}

#[test]
fn macros_and_functions_of_tensor_are_operands() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    let row = tensor![F32; 10, 20, 30];
    assert_eq!(fuse!(x * tensor![F32; 10, 20, 30] + 1), &x * &row + 1);
    assert_eq!(fuse!(x - supremum::tensor![F32; 10, 20, 30]), &x - &row);
    let ones =
        fuse!(x * Tensor::<F32, Rank2>::ones([2, 1]) * Tensor::<F32, Rank2>::eye(3).slice(0, ..1));
    assert_eq!(ones.to_vec(), [1.0, 0.0, 0.0, 4.0, 0.0, 0.0]);
    let weak: Tensor<BF16, Rank1> = tensor![2.0, 4.0];
    let step = fuse!(weak * Tensor::<Weak<F64>, Rank0>::scalar(0.5));
    assert_eq!(step.to_vec(), [1.0, 2.0].map(bf16::from_f32));
}

#[test]
fn code_with_a_question_mark_is_evaluated_once() -> Result<(), Error> {
    let x: Tensor<F32, Rank1> = tensor![3.0, -1.0, 2.0];
    let mut calls = 0;
    let normal = fuse!(
        let d = x - counted(&mut calls)?;
        if d > 0 { d / d.abs().max() } else { 0 }
    );
    assert_eq!((calls, normal.to_vec()), (1, vec![1.0, 0.0, 0.0]));
    let chosen = fuse!(if x > 5 { counted(&mut calls)? } else { x });
    assert_eq!((calls, chosen), (2, x.clone()));
    // A column by a view of it, and an element.
    let columns = fuse!(counted(&mut calls)?.unsqueeze(1) * x.max().item()?);
    assert_eq!(
        (columns.shape(), columns.to_vec()),
        (&[3, 1][..], vec![0.0, 3.0, 6.0])
    );
    let mut out = x.clone();
    fuse!(out += counted(&mut calls)?);
    assert_eq!((calls, out.to_vec()), (4, vec![3.0, 0.0, 4.0]));
    Ok(())
}

/// `as` converts a Rust number, as it does outside of the macro, and inserts it.
#[test]
#[expect(clippy::unnecessary_cast, reason = "literals are cases of the test")]
fn a_number_is_converted_where_it_stands() {
    struct State {
        steps: u64,
        mean: Tensor<F32, Rank1>,
    }
    const WINDOW: usize = 512;
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let (n, flag, letter) = (4_usize, true, 'a');
    let mut state = State {
        steps: 3,
        mean: x.clone(),
    };
    assert_eq!(fuse!(x / x.len() as f32).to_vec(), [0.5, 1.0]);
    assert_eq!(fuse!(x / (n as f32)), fuse!(x / &(n as f32)));
    assert_eq!(fuse!(x * WINDOW as f32).to_vec(), [512.0, 1024.0]);
    let below = fuse!(x * (n - 2) as f32 - state.steps as f32);
    assert_eq!(below.to_vec(), [-1.0, 1.0]);
    assert_eq!(fuse!(x * -2 as f32).to_vec(), [-2.0, -4.0]);
    // The type of a literal is the one after `as`: an `i32` would be too narrow.
    let wide = fuse!(x.cast::<I64>() * 3_000_000_000 as i64);
    assert_eq!(wide.to_vec(), [3_000_000_000, 6_000_000_000]);
    // Twice in a row, rounded on the way; `bool` and `char` as in Rust.
    assert_eq!(fuse!((x * 1.9_f64 as u8 as f32).sum()).item(), Ok(3.0));
    let bytes = x.cast::<U8>();
    assert_eq!(fuse!(bytes * flag as u8 + letter as u8).to_vec(), [98, 99]);
    // The dtype is that of the type: `I16` and `F32` are a `F32`.
    let mixed: Tensor<F32, Rank1> = fuse!(x + n as i16);
    assert_eq!(mixed.to_vec(), [5.0, 6.0]);
    assert_eq!(
        try_fuse!(x * n as f32).map(|y| y.to_vec()),
        Ok(vec![4.0, 8.0])
    );
    fuse!(state.mean = state.mean * n as f32 / state.steps.pow(0) as f32);
    fuse!(state.mean += n as f32);
    assert_eq!(state.mean.to_vec(), [8.0, 12.0]);
    // Beside reductions, whose passes read it too.
    let centred = fuse!((x * n as f32 - (x * n as f32).mean()) / n as f32);
    assert_eq!(centred.to_vec(), [-0.5, 0.5]);
}

#[test]
fn a_failing_operand_leaves_the_function() {
    fn sum(x: &Tensor<F32, Rank1>, out: &mut Tensor<F32, Rank1>) -> Result<(), Error> {
        try_fuse!(out = x + Tensor::<F32, Rank1>::try_arange(0.0, 1.0, 0.0)?)
    }
    let x: Tensor<F32, Rank1> = tensor![1.0];
    let mut out = x.clone();
    assert!(sum(&x, &mut out).is_err());
    assert_eq!(out, x);
}
