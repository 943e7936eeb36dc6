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

// Formulas.

other_names! {
    [NamedFormula] any lerp(A B) mul_add(A B) fma(A B) addmm(A B) addcmul(A B) addcdiv(A B);
    "a formula is one pass: `fuse!(a * b + c)`, and instead of `lerp` `fuse!(a + (b - a) * 0.5)`"
    "`addmm` is a product and a sum, `a.matmul(&b) + &bias`"
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
