//! Outputs behind references and in fields.

use supremum::{F32, Rank1, Tensor, fuse, promote_unsafe, tensor, try_fuse};

struct State {
    mean: Tensor<F32, Rank1>,
    parts: Vec<Tensor<F32, Rank1>>,
}

fn update(mean: &mut Tensor<F32, Rank1>, x: &Tensor<F32, Rank1>) {
    fuse!(mean = mean * 0.5 + x);
    fuse!(*mean += x);
}

#[test]
fn an_output_may_be_behind_a_reference() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let mut mean: Tensor<F32, Rank1> = tensor![2.0, 4.0];
    update(&mut mean, &x);
    assert_eq!(mean.to_vec(), [3.0, 6.0]);
    let mut behind = &mut mean;
    fuse!(behind -= 1.0);
    promote_unsafe!(behind = behind * 2.0);
    let nested = &mut behind;
    assert_eq!(try_fuse!(**nested = x), Ok(()));
    assert_eq!(mean, x);
}

#[test]
fn an_output_may_be_a_field_or_an_item_behind_a_reference() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let mut state = State {
        mean: x.clone(),
        parts: vec![x.clone(), x.clone()],
    };
    let state = &mut state;
    fuse!(state.mean = state.mean + x);
    fuse!(state.parts[1] *= x);
    for part in &mut state.parts {
        fuse!(part += 1.0);
    }
    assert_eq!(state.mean.to_vec(), [2.0, 4.0]);
    assert_eq!(state.parts[0].to_vec(), [2.0, 3.0]);
    assert_eq!(state.parts[1].to_vec(), [2.0, 5.0]);
    assert_eq!(x.to_vec(), [1.0, 2.0]);
}
