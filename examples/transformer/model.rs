//! A transformer encoder over any float dtype: weights, products and activations are in `D`; norms, softmax and logits in f32.

use std::collections::BTreeMap;
use std::path::Path;

supremum::prelude!();
use supremum::{AccumulatesIn, SafeTensorsFile, StrongDType};

const HEADS: usize = 8;
/// The square root of the size of a head, 16.
const HEAD_SIZE_ROOT: f64 = 4.0;
/// The row of the embedding of positions that belongs to the first token.
const FIRST_POSITION: usize = 2;

/// Activations: rows of a batch, tokens, features.
type Batch<D> = Tensor<D, Rank3>;

/// Dtypes that the encoder computes in: floats that f32 has all values of, so that sums of products can stay in f32.
pub(crate) trait Compute:
    StrongDType + Floating + WidensTo<F32> + AccumulatesIn<F32>
{
}
impl<D: StrongDType + Floating + WidensTo<F32> + AccumulatesIn<F32>> Compute for D {}

/// A RoBERTa encoder with the head of a masked language model.
#[derive(LoadTensors)]
pub(crate) struct Encoder<D: Compute> {
    #[tensor("embed_tokens.weight", shape = [25, 128])]
    tokens: Tensor<D, Rank2>,
    #[tensor("embed_positions.weight", shape = [_, 128])]
    positions: Tensor<D, Rank2>,
    emb_layer_norm: Norm,
    layers: Vec<Block<D>>,
    lm_head: Head<D>,
}

/// Attention and a perceptron, each added to its input and normalised.
#[derive(LoadTensors)]
struct Block<D: Compute> {
    self_attn: Attention<D>,
    self_attn_layer_norm: Norm,
    fc1: Linear<D>,
    fc2: Linear<D>,
    final_layer_norm: Norm,
}

#[derive(LoadTensors)]
struct Attention<D: Compute> {
    q_proj: Linear<D>,
    k_proj: Linear<D>,
    v_proj: Linear<D>,
    out_proj: Linear<D>,
}

/// The layers before the last product, which is by the embedding of tokens.
#[derive(LoadTensors)]
struct Head<D: Compute> {
    dense: Linear<D>,
    layer_norm: Norm,
    bias: Tensor<F32, Rank1>,
}

/// A linear layer, with weights of shape `[outputs, inputs]`.
#[derive(LoadTensors)]
struct Linear<D: Compute> {
    weight: Tensor<D, Rank2>,
    bias: Tensor<D, Rank1>,
}

/// A layer norm, whose parameters stay in f32.
#[derive(LoadTensors)]
struct Norm {
    weight: Tensor<F32, Rank1>,
    bias: Tensor<F32, Rank1>,
}

impl<D: Compute> Encoder<D> {
    /// Reads a model whose weights are stored in any float dtype, and converts them to `D`.
    ///
    /// # Errors
    /// If the file is not a valid model file, or its tensors are not those of the record.
    pub(crate) fn read(path: &Path) -> Result<Self, Error> {
        let file = SafeTensorsFile::read(path)?;
        let mut tensors = BTreeMap::new();
        for name in file.names() {
            let in_f32 = name.contains("layer_norm") || name == "lm_head.bias";
            let dtype = if in_f32 { DType::F32 } else { D::DTYPE };
            let stored = file.dyn_tensor(&name, Jax::rule_set())?;
            tensors.insert(name, stored.cast(dtype));
        }
        Self::load_from(&tensors)
    }

    /// Returns the logits of all tokens, shape `[rows, length, 25]`, for rows of tokens of shape `[rows, length]`.
    ///
    /// # Panics
    /// If a row is longer than 144 tokens, or has a number that is not a token.
    pub(crate) fn forward(&self, tokens: &Tensor<I64, Rank2>) -> Tensor<F32, Rank3> {
        let [_, length] = tokens.sizes();
        let positions = self
            .positions
            .slice(0, FIRST_POSITION..FIRST_POSITION + length);
        let embedded: Batch<D> = self.tokens.take(tokens, 0) + positions;
        let mut x = self.emb_layer_norm.forward(&embedded);
        for block in &self.layers {
            x = block.forward(&x);
        }
        let head = &self.lm_head;
        let hidden = head.layer_norm.forward(&head.dense.forward(&x).gelu());
        hidden.matmul_in::<F32>(&self.tokens.transpose()) + &head.bias
    }
}

impl<D: Compute> Block<D> {
    fn forward(&self, x: &Batch<D>) -> Batch<D> {
        let x = self
            .self_attn_layer_norm
            .forward(&(x + self.self_attn.forward(x)));
        let hidden = self.fc1.forward(&x).gelu();
        self.final_layer_norm
            .forward(&(&x + self.fc2.forward(&hidden)))
    }
}

impl<D: Compute> Attention<D> {
    fn forward(&self, x: &Batch<D>) -> Batch<D> {
        let [rows, length, size] = x.sizes();
        let heads = |x: Batch<D>| {
            x.reshape([rows, length, HEADS, size / HEADS])
                .swap_axes(1, 2)
        };
        let queries: Tensor<D, Rank4> = heads(self.q_proj.forward(x));
        let keys = heads(self.k_proj.forward(x));
        let values = heads(self.v_proj.forward(x));

        let scores: Tensor<F32, Rank4> =
            queries.matmul_in::<F32>(&keys.swap_axes(2, 3)) / HEAD_SIZE_ROOT;
        let mixed = scores.softmax(-1).cast::<D>().matmul(&values);
        self.out_proj
            .forward(&mixed.swap_axes(1, 2).reshape([rows, length, size]))
    }
}

impl<D: Compute> Linear<D> {
    fn forward(&self, x: &Batch<D>) -> Batch<D> {
        x.matmul(&self.weight.transpose()) + &self.bias
    }
}

impl Norm {
    /// Normalises the features of each token in f32, and rounds the result to `D`.
    fn forward<D: Compute>(&self, x: &Batch<D>) -> Batch<D> {
        let x = x.widen::<F32>();
        let (mean, variance) = (x.mean_keepdims(-1), x.var_keepdims(-1));
        fuse!(((x - mean) / (variance + 1e-5).sqrt() * self.weight + self.bias).cast::<D>())
    }
}
