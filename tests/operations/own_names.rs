//! A program may give its own methods the names that other libraries have.

use std::sync::Arc;

use supremum::prelude::*;

trait Layers {
    fn layer_norm(&self) -> Self;
    fn square(&self) -> Self;
    fn astype(self) -> Vec<f32>;
}

impl Layers for Tensor<F32, Rank2> {
    fn layer_norm(&self) -> Self {
        (self - self.mean_keepdims(-1)) / self.std_keepdims(-1)
    }

    fn square(&self) -> Self {
        self.pow(2)
    }

    fn astype(self) -> Vec<f32> {
        self.to_vec()
    }
}

/// The compiler finds them before the hidden methods that exist for a message.
#[test]
fn methods_of_a_trait_of_the_program_are_called() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 3.0], [2.0, 6.0]];
    assert_eq!(x.layer_norm().to_vec(), [-1.0, 1.0, -1.0, 1.0]);
    let shared = Arc::new(&x);
    assert_eq!(shared.square().to_vec(), [1.0, 9.0, 4.0, 36.0]);
    assert_eq!((&x + 1.0).square().astype(), [4.0, 16.0, 9.0, 49.0]);
}
