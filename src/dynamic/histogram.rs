//! Counts of elements: in bins, with weights, and densities.

use core::ops::RangeInclusive;

use super::DynTensor;
use super::binary::made;
use crate::error::Error;
use crate::exec;
use crate::ops::histogram::{bincount_weighted, density, histogram_edges, histogram_weighted};
use crate::rules::{OperandType, Operation};

/// # Histograms
impl DynTensor {
    /// The type of sums of these weights.
    fn weight_type(&self, operation: &'static str) -> Result<OperandType, Error> {
        self.borrowed()
            .result(operation, Operation::Sum, self.rules())
    }

    /// Counts how often each integer from zero on occurs in a vector; see [`Tensor::bincount`](crate::Tensor::bincount).
    ///
    /// # Errors
    /// [`Error::NotIndices`] if the elements are not integers; [`Error::UndefinedOperation`]; those of
    /// [`Tensor::try_bincount`](crate::Tensor::try_bincount).
    pub fn try_bincount(&self, min_len: usize) -> Result<Self, Error> {
        let result = self.position_type("bincount")?;
        let array = exec::bincount("bincount", self.array(), min_len, result.dtype)?;
        Ok(made(array, result, self.rules()))
    }

    /// Sums the weights of each integer from zero on in a vector; see [`Tensor::bincount_weighted`](crate::Tensor::bincount_weighted).
    ///
    /// # Errors
    /// [`Error::NotIndices`] if the elements are not integers; [`Error::UndefinedOperation`] if the weights have no sums; those of
    /// [`Tensor::try_bincount_weighted`](crate::Tensor::try_bincount_weighted).
    pub fn try_bincount_weighted(&self, weights: &Self, min_len: usize) -> Result<Self, Error> {
        let result = weights.weight_type("bincount_weighted")?;
        let array = bincount_weighted(self.array(), weights.array(), min_len, result.dtype)?;
        Ok(made(array, result, self.rules()))
    }

    /// Counts the elements in `bins` bins of equal width; see [`Tensor::histogram`](crate::Tensor::histogram).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`]; [`Error::Histogram`] if `bins` is zero, or the bounds are not finite numbers in ascending order;
    /// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    #[rustfmt::skip] // The compiler quotes the first line, with its comment, where a call has other arguments.
    pub fn try_histogram( // bins and a range: `try_histogram(10, 0..=100)?`
        &self,
        bins: usize,
        range: RangeInclusive<impl Into<f64>>,
    ) -> Result<Self, Error> {
        let result = self.position_type("histogram")?;
        let (low, high) = range.into_inner();
        let bounds = [low.into(), high.into()];
        let array = exec::histogram(self.array(), bins, bounds, result.dtype)?;
        Ok(made(array, result, self.rules()))
    }

    /// Counts the elements in the bins between neighbours of a vector of edges; see
    /// [`Tensor::histogram_edges`](crate::Tensor::histogram_edges).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`]; those of [`Tensor::try_histogram_edges`](crate::Tensor::try_histogram_edges).
    ///
    /// ```
    /// use supremum::{DynTensor, Error, F32, I64, tensor};
    /// let x = tensor![F32; 0.5, 1.0, 3.0, 4.0].into_dyn();
    /// let edges = tensor![F32; 0.0, 2.0, 4.0].into_dyn();
    /// let counts = x.try_histogram_edges(&edges)?;
    /// assert_eq!(counts.to_string(), "[2, 2] i64 [2]");
    /// assert_eq!(counts.try_density(&edges)?.to_string(), "[0.25, 0.25] f32 [2]");
    /// let weights = tensor![I64; 5, 6, 7, 8].into_dyn();
    /// assert_eq!(x.try_histogram_weighted(&edges, &weights)?.to_string(), "[11, 15] i64 [2]");
    /// let error = x.try_histogram_edges(&edges.try_flip(0)?).unwrap_err();
    /// let text = "histogram_edges: the edge at position 1 is below the edge before it, or is NaN";
    /// assert_eq!(error.to_string(), text);
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_histogram_edges(&self, edges: &Self) -> Result<Self, Error> {
        let result = self.position_type("histogram_edges")?;
        let array = histogram_edges(self.array(), edges.array(), result.dtype)?;
        Ok(made(array, result, self.rules()))
    }

    /// Sums the weights of the elements in the bins between neighbours of a vector of edges; see
    /// [`Tensor::histogram_weighted`](crate::Tensor::histogram_weighted).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`] if the weights have no sums; those of
    /// [`Tensor::try_histogram_weighted`](crate::Tensor::try_histogram_weighted).
    pub fn try_histogram_weighted(&self, edges: &Self, weights: &Self) -> Result<Self, Error> {
        let result = weights.weight_type("histogram_weighted")?;
        let (x, edges, weights) = (self.array(), edges.array(), weights.array());
        let array = histogram_weighted(x, edges, weights, result.dtype)?;
        Ok(made(array, result, self.rules()))
    }

    /// Divides the counts or sums of a histogram by their total and by the widths of the bins; see
    /// [`Tensor::density`](crate::Tensor::density).
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`] if the edges have no quotients; [`Error::UnsupportedDType`] of complex numbers; those of
    /// [`Tensor::try_density`](crate::Tensor::try_density).
    pub fn try_density(&self, edges: &Self) -> Result<Self, Error> {
        edges.of_group("density", Operation::Divide, |edges, out| {
            density(self.array(), edges, out)
        })
    }
}
