//! A layer of a network, for every float dtype, rank and rule set that its users choose.

use ::promo::rank::Broadcast;
use ::promo::{Floating, Jax, Rank1, Rules, StaticDType, Tensor};

/// Normalises the last axis to mean 0 and variance 1, then scales and shifts each feature.
#[derive(Clone, Debug)]
pub struct LayerNorm<D: StaticDType, R: Rules = Jax> {
    scale: Tensor<D, Rank1, R>,
    shift: Tensor<D, Rank1, R>,
}

impl<D: StaticDType, R: Rules> LayerNorm<D, R> {
    /// Makes a layer from vectors with an element for each feature.
    pub fn new(scale: Tensor<D, Rank1, R>, shift: Tensor<D, Rank1, R>) -> Self {
        Self { scale, shift }
    }

    /// Returns a tensor of the same shape.
    ///
    /// # Panics
    /// If the last axis has another size than the layer.
    pub fn forward<N>(&self, x: &Tensor<D, N, R>) -> Tensor<D, N, R>
    where
        D: Floating<R, N>,
        N: Broadcast<Rank1, Output = N>,
    {
        let normal = (x - x.mean_keepdims(-1)) / (x.var_keepdims(-1) + 1e-5).sqrt();
        normal * &self.scale + &self.shift
    }
}
