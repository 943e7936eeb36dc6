//! Names that other libraries give to methods which are expressions, or several methods, here; see `other_names.rs`.

use super::other_names::other_names;
use crate::dynamic::DynTensor;
use crate::tensor::Tensor;

// Parts and elements.

other_names! {
    [NamedScatter] any scatter_reduce(A B C E) scatter_mul(A B C) index_add(A B C) index_put(A B) segment_sum(A B) segment_max(A B) segment_min(A B);
    "elements and updates are combined by `zeros.scatter_add(&groups, &values, 0)`, `.scatter_max(..)` and `.scatter_min(..)`"
    "`.scatter(..)` replaces elements; one index for each row is `&groups.unsqueeze(1)`, and equal elements to begin with are those of `Tensor::full`"
}
other_names! {
    [NamedPad] any pad_edge(A) pad_reflect(A) reflection_pad(A);
    "a tensor is padded by its own elements by `a.pad_with([[1, 1]], supremum::PadMode::Edge)`"
    "`supremum::PadMode` has reflections too, and the elements of the other end; equal elements are added by `.pad([[1, 1]], 0.0)`"
}
other_names! {
    [NamedResize] any resize(A) interpolate(A) upsample(A);
    "an image becomes larger by `.repeat(2, 0).repeat(2, 1)`, and smaller by `.avg_pool2d(..)`"
    "the nearest elements at any positions are `.take(&positions, axis)`, and numbers between given points `x.interp(&points, &values)`; another shape of the same elements is `.reshape([2, -1])`"
}
other_names! {
    [NamedBytes] any nbytes() itemsize() element_size();
    "the number of bytes is `a.len() * a.dtype().size()`"
    "the bytes themselves are those of a `DynTensor`: `a.into_dyn().to_bytes()?`"
}

// Bits of integers.

other_names! {
    [NamedBits] any bitwise_and(A) bitwise_or(A) bitwise_xor(A) bitwise_not() bitwise_invert() invert() bitwise_left_shift(A) bitwise_right_shift(A) left_shift(A) right_shift(A);
    "bits are combined by the operators `&a & &b`, `&a | &b`, `&a ^ &b` and `!&a`, and shifted by `&a << 3` and `&a >> 3`"
    "a rotation of 32 bits is `(&a << 7) | (&a >> 25)`, if they are unsigned; signed integers are shifted to the right with their sign"
}
other_names! {
    [NamedBitCount] any bitwise_count() popcount() population_count() count_ones() count_zeros() leading_zeros() trailing_zeros() clz() rotate_left(A) rotate_right(A) swap_bytes() reverse_bits();
    "a function of the bits of an integer is called for each element: `a.map(|x| x.count_ones())`"
    "the result has the dtype that the function returns, here `U32`; `a.map(|x| x.rotate_left(7))` keeps that of `a`"
}
other_names! {
    [NamedBitcast] any bitcast() bitcast_convert_type(A) to_bits() from_bits() view_as() view_dtype(A);
    "the bits of floats are integers by `a.map(f32::to_bits)`, and floats again by `bits.map(f32::from_bits)`"
    "the values are converted by `.cast::<U32>()`"
}
other_names! {
    [NamedWrapping] any wrapping_add(A) wrapping_sub(A) wrapping_mul(A) saturating_add(A) saturating_sub(A) saturating_mul(A) checked_add(A) checked_sub(A) checked_mul(A);
    "integers wrap in the operators: `&a + &b`, `&a - &b` and `&a * &b`"
    "if they should not, compute in a wider dtype and convert back: `(a.widen::<I64>() + &b).cast_saturating::<I32>()`, or `.try_cast::<I32>()?`, which is an error for a value that does not fit"
}

// Formulas.

other_names! {
    [NamedFormula] any lerp(A B) mul_add(A B) fma(A B) addmm(A B) addcmul(A B) addcdiv(A B);
    "a formula is one pass: `fuse!(a * b + c)`, and instead of `lerp` `fuse!(a + (b - a) * 0.5)`"
    "`addmm` is a product and a sum, `a.matmul(&b) + &bias`"
}
other_names! {
    [NamedLoss] any cross_entropy(A) nll_loss(A) mse_loss(A) l1_loss(A) binary_cross_entropy(A) kl_div(A);
    "a loss is an expression: `fuse!((a - b).pow(2).mean())`"
    "the cross entropy of logits and labels is `-logits.log_softmax(1).take_along_axis(&labels.unsqueeze(1), 1).mean()`"
}
other_names! {
    [NamedNormalized] any layer_norm(A) batch_norm(A) rms_norm(A) group_norm(A B);
    "rows are normalized by a formula: `fuse!((x - x.mean_keepdims(-1)) / (x.var_keepdims(-1) + 1e-5).sqrt())`"
    "other axes are normalized in the same way, for `batch_norm` by `x.mean_keepdims([0, 2, 3])`; `rms_norm` is `fuse!(x / (x.pow(2).mean_keepdims(-1) + 1e-5).sqrt())`"
}
other_names! {
    [NamedSoftmax] same softmax_axis(A) softmax_dim(A) log_softmax_axis(A);
    "a softmax along an axis is `.softmax(axis)`"
    "its logarithm is `.log_softmax(axis)`"
}
other_names! {
    [NamedGelu] same gelu_exact() gelu_erf();
    "the exact `gelu` is `.gelu()`"
    "its approximation by `tanh` is `.gelu_tanh()`"
}
other_names! {
    [NamedRound] any round_to(A) round_decimals(A);
    "two decimals are kept by `(&a * 100.0).round() / 100.0`"
    "`.round()` rounds to integers, and halves to even"
}
other_names! {
    [NamedDropout] any dropout(A);
    "elements are dropped under a mask: `select(&keep, &x / 0.9, 0.0)`"
    "with the feature `rand` the mask is `Tensor::<Bool, Rank2>::bernoulli(x.sizes(), 0.9, &mut rng)`"
}
other_names! {
    [NamedSlope] any gradient() trapz() trapezoid();
    "slopes are the differences of neighbours, `.diff(1, 0)`"
    "in the middle of three they are `(a.slice(0, 2..) - a.slice(0, ..-2)) / 2.0`, and the area below is `(a.slice(0, 1..) + a.slice(0, ..-1)).sum() / 2.0`"
}

// Reductions and products.

other_names! {
    [NamedExtremes] any aminmax() min_max() minmax();
    "the least and the greatest element are `(a.min(), a.max())`"
    "along an axis they are `.min_axis(axis)` and `.max_axis(axis)`"
}
other_names! {
    [NamedCounts] any value_counts() count_values() mode();
    "elements and how often they occur are `.unique_counts()`"
    "the most frequent one is `values.take(&counts.argmax(), 0)` of both; of integers the counts are `.bincount(0)`"
}
other_names! {
    [NamedQuantile] any percentile(A) nanpercentile(A) iqr();
    "quantiles are `a.quantile(0.9, QuantileMethod::Linear)`, and several `a.quantile([0.25, 0.75], QuantileMethod::Linear)`"
    "along an axis they are `.quantile_axis(0.9, QuantileMethod::Linear, 1)`; `nan_quantile` skips NaN; the middle one is `.median()`"
}
other_names! {
    [NamedPartition] any partition(A) argpartition(A) kthvalue(A);
    "the largest elements and their positions are `.top_k(3, axis)`"
    "the smallest ones are `.sort(axis).slice(axis, ..3)`, and their positions `.argsort(axis).slice(axis, ..3)`"
}
other_names! {
    [NamedSets] any union1d(A) intersect1d(A) setdiff1d(A);
    "the elements of either of two sets are `concat([&a, &b], 0).unique()`"
    "those of both are `a.masked_select(&a.is_in(&b)).unique()`, and those of the first alone `a.masked_select(&!a.is_in(&b)).unique()`"
}
other_names! {
    [NamedMatrixPower] same matrix_power(A);
    "a power of a matrix is a product: `a.matmul(&a)`"
    "a higher one is `(1..n).fold(a.clone(), |power, _| power.matmul(&a))`; `.pow(2)` is by element"
}
other_names! {
    [NamedConvolve] any convolve(A) correlate(A);
    "a convolution is `a.reshape([1, 1, -1]).conv1d(&filter.reshape([1, 1, -1]), supremum::ConvOptions::new())`"
    "it does not turn the filter round, as NumPy's `correlate`; for `convolve` the filter is `filter.flip(0)`"
}
other_names! {
    [NamedDistances] any cdist(A);
    "distances of rows are `(a.unsqueeze(1) - b.unsqueeze(0)).norm(2.0, -1)`"
    "their squares need less memory by `a.pow(2).sum_keepdims(1) + b.pow(2).sum_axis(1) - a.matmul(&b.transpose()) * 2.0`"
}
other_names! {
    [NamedMembership] any isin(A) in1d(A);
    "a mask of the elements that are among others is `a.is_in(&values)`"
    "values of another dtype are converted first, by `.cast::<F32>()`; the positions of the mask are `.flatnonzero()`"
}
other_names! {
    [NamedBins] any digitize(A) bucketize(A) cut(A);
    "the bins of numbers between sorted edges are `edges.searchsorted_right(&a)`"
    "counts of the bins are `a.histogram_edges(&edges)`; PyTorch's `bucketize` without `right` is `edges.searchsorted(&a)`"
}
other_names! {
    [NamedMeshgrid] any meshgrid(A);
    "coordinates broadcast: operators take `x` beside `y.unsqueeze(1)`"
    "whole matrices of them are `x.broadcast_to([rows, columns])` and `y.unsqueeze(1).broadcast_to([rows, columns])`, which copy nothing"
}
other_names! {
    [NamedPolynomial] any polyval(A);
    "a polynomial is one pass: `fuse!((a * x + b) * x + c)`"
    "with coefficients in a tensor, the highest first, it is `(0..c.len()).fold(x.zeros_like(), |y, i| y * &x + c.slice(0, i..i + 1))`"
}
other_names! {
    [NamedBlockDiagonal] any block_diag(A);
    "matrices on a diagonal are padded and added: `a.pad([[0, 2], [0, 3]], 0.0) + b.pad([[4, 0], [5, 0]], 0.0)`"
    "`b` has the shape `[2, 3]` there, and `a` `[4, 5]`; equal blocks are `Tensor::<F32, Rank2>::eye(3).kron(&a)`, and vectors on diagonals `.diag_embed(0)`"
}
other_names! {
    [NamedFourier] any fft() ifft() rfft() irfft() fft2() stft();
    "there are no Fourier transforms"
    "take the elements by `.to_vec()` to a crate such as `rustfft`; a short transform is a product by a matrix of sines and cosines"
}
