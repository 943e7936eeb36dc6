//! Pooling.

use super::DynTensor;
use crate::error::Error;
use crate::ops::pool::{Pool, pool};
use crate::ops::{IntoPoolPadding, PoolOptions};
use crate::rules::Operation;

/// # Pooling
impl DynTensor {
    fn pooled<const N: usize>(
        &self,
        operation: &'static str,
        group: Operation,
        of: Pool,
        options: PoolOptions<N, impl IntoPoolPadding<N>>,
    ) -> Result<Self, Error> {
        self.of_group(operation, group, |x, out| {
            pool(operation, of, x, options, out)
        })
    }

    /// The greatest element of each window; see [`Tensor::max_pool1d`](crate::Tensor::max_pool1d).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`], and those of [`Tensor::try_max_pool1d`](crate::Tensor::try_max_pool1d).
    pub fn try_max_pool1d(
        &self,
        options: PoolOptions<1, impl IntoPoolPadding<1>>,
    ) -> Result<Self, Error> {
        self.pooled(
            "max_pool1d",
            Operation::MinMaxReduce,
            Pool::Maximum,
            options,
        )
    }

    /// The greatest element of each window; see [`Tensor::max_pool2d`](crate::Tensor::max_pool2d).
    ///
    /// # Errors
    /// The errors of [`Self::try_max_pool1d`].
    pub fn try_max_pool2d(
        &self,
        options: PoolOptions<2, impl IntoPoolPadding<2>>,
    ) -> Result<Self, Error> {
        self.pooled(
            "max_pool2d",
            Operation::MinMaxReduce,
            Pool::Maximum,
            options,
        )
    }

    /// The mean of each window; see [`Tensor::avg_pool1d`](crate::Tensor::avg_pool1d).
    ///
    /// # Errors
    /// The errors of [`Self::try_max_pool1d`].
    pub fn try_avg_pool1d(
        &self,
        options: PoolOptions<1, impl IntoPoolPadding<1>>,
    ) -> Result<Self, Error> {
        self.pooled("avg_pool1d", Operation::Mean, Pool::Mean, options)
    }

    /// The mean of each window; see [`Tensor::avg_pool2d`](crate::Tensor::avg_pool2d).
    ///
    /// # Errors
    /// The errors of [`Self::try_max_pool1d`].
    pub fn try_avg_pool2d(
        &self,
        options: PoolOptions<2, impl IntoPoolPadding<2>>,
    ) -> Result<Self, Error> {
        self.pooled("avg_pool2d", Operation::Mean, Pool::Mean, options)
    }
}
