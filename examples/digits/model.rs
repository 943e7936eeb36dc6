//! The classifier. Every dtype of the mixed-precision pipeline is part of a type.

use std::path::Path;

use supremum::StrongDType;
supremum::prelude!();

/// A perceptron with one hidden layer, 64 -> 48 -> 10: its weights are `W`, its biases `B`.
#[derive(LoadTensors)]
pub(crate) struct Mlp<W, B> {
    #[tensor("norm.mean")]
    mean: Tensor<F32, Rank1>,
    #[tensor("norm.inv_std")]
    inv_std: Tensor<F32, Rank1>,
    #[tensor("fc1.weight", shape = [64, 48])]
    weight1: Tensor<W, Rank2>,
    #[tensor("fc1.bias", shape = [48])]
    bias1: Tensor<B, Rank1>,
    #[tensor("fc2.weight", shape = [48, 10])]
    weight2: Tensor<W, Rank2>,
    #[tensor("fc2.bias", shape = [10])]
    bias2: Tensor<B, Rank1>,
}

/// The model of the example, `model.safetensors`.
pub(crate) type Mixed = Mlp<BF16, F16>;
/// The same network in f32 throughout, for comparison: `model_f32.safetensors`.
pub(crate) type Reference = Mlp<F32, F32>;

impl<W: StrongDType, B: StrongDType> Mlp<W, B> {
    /// Reads a model.
    ///
    /// # Errors
    /// If the file is not a valid model file. If its tensors differ from the record, one error lists all differences.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        Self::load(path)
    }

    /// Normalises images of shape `[n, 64]`. u8 and f32 promote to f32. Every u8 is an f32, so no value is
    /// lost and this compiles.
    fn normalise(&self, images: &Tensor<U8, Rank2>) -> Result<Tensor<F32, Rank2>, Error> {
        images.try_sub(&self.mean)?.try_mul(&self.inv_std)
    }
}

impl Mixed {
    /// The scores of every digit, shape `[n, 10]`, for images of shape `[n, 64]`.
    ///
    /// # Errors
    /// [`Error::SizeMismatch`] or [`Error::ShapeMismatch`] if the shapes in the file do not fit each other or the images.
    pub(crate) fn forward(&self, images: &Tensor<U8, Rank2>) -> Result<Tensor<F32, Rank2>, Error> {
        let normalised: Tensor<F32, Rank2> = self.normalise(images)?;
        // This loses precision on purpose: a `widen` to bf16 would not compile.
        let hidden: Tensor<BF16, Rank2> = normalised.cast::<BF16>().try_matmul(&self.weight1)?;
        // bf16 and f16 promote to f32, the smallest dtype that has the values of both.
        let hidden: Tensor<F32, Rank2> = hidden.try_add(&self.bias1)?.maximum(0.0);
        let scores: Tensor<BF16, Rank2> = hidden.cast::<BF16>().try_matmul(&self.weight2)?;
        scores.try_add(&self.bias2)
    }
}

impl Reference {
    /// As [`Mixed::forward`], in f32.
    ///
    /// # Errors
    /// As [`Mixed::forward`].
    pub(crate) fn forward(&self, images: &Tensor<U8, Rank2>) -> Result<Tensor<F32, Rank2>, Error> {
        let normalised = self.normalise(images)?;
        let hidden = normalised
            .try_matmul(&self.weight1)?
            .try_add(&self.bias1)?
            .maximum(0.0);
        hidden.try_matmul(&self.weight2)?.try_add(&self.bias2)
    }
}

/// The held-out images and their digits.
pub(crate) struct HeldOut {
    /// Ink, 0 to 16, shape `[n, 64]`.
    pub(crate) images: Tensor<U8, Rank2>,
    /// The digits, shape `[n]`.
    pub(crate) labels: Tensor<I64, Rank1>,
}

impl HeldOut {
    /// Reads `images.npy`, `labels.npy` and `test_indices.npy` from a folder.
    ///
    /// # Errors
    /// If a file cannot be read or has another dtype or rank, or if an index is out of range.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let images = Tensor::<U8, Rank3>::read_npy(folder.join("images.npy"))?;
        let labels = Tensor::<U8, Rank1>::read_npy(folder.join("labels.npy"))?.widen::<I64>();
        let indices = Tensor::<U32, Rank1>::read_npy(folder.join("test_indices.npy"))?;
        let positions: Vec<usize> = indices
            .iter()
            .map(|index| index.try_into().unwrap_or(usize::MAX))
            .collect();
        let images = positions
            .iter()
            .map(|position| images.try_index_axis(0, *position))
            .collect::<Result<Vec<_>, _>>()?;
        let labels = positions
            .iter()
            .map(|position| labels.try_index_axis(0, *position))
            .collect::<Result<Vec<_>, _>>()?;
        let images = stack(&images, 0);
        let pixels = images.shape()[1] * images.shape()[2];
        Ok(Self {
            images: images.try_reshape([positions.len(), pixels])?,
            labels: stack(&labels, 0),
        })
    }
}

/// The number of rows of `scores` whose greatest element is at their label.
///
/// # Errors
/// [`Error::ShapeMismatch`] if there are more or fewer labels than rows.
pub(crate) fn correct(
    scores: &Tensor<F32, Rank2>,
    labels: &Tensor<I64, Rank1>,
) -> Result<u32, Error> {
    let right: Tensor<Bool, Rank1> = scores.try_argmax_axis(1)?.try_equal(labels)?;
    right.sum().try_cast::<U32>()?.item()
}
