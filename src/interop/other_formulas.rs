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
    [NamedAlongAxis] any apply_along_axis(A B) apply_over_axes(A B) map_rows(A);
    "a function of rows is called in an iterator: `a.rows().map(|row| row.sort(0)).collect::<Vec<_>>()`"
    "the results are joined by `stack(&results, 0)`; rows along another axis are those of `a.move_axis(0, -1)`, and most methods take an axis: `.sort(1)`"
}
other_names! {
    [NamedDelete] any delete(A B) remove_index(A B);
    "a position is left out by `concat([&a.slice(0, ..i), &a.slice(0, i + 1..)], 0)`"
    "several are left out by a mask: `a.compress(&keep, 0)`"
}
other_names! {
    [NamedReplace] any put_along_axis(A B C) index_copy(A B C) index_fill(A B C) put(A B);
    "elements at given positions are replaced by `a.scatter(&positions, &values, axis)`"
    "one position for each row is `&rows.unsqueeze(1)`; whole rows become equal by `for i in [0, 2] {{ a.index_axis_mut(0, i).fill(0.0); }}`"
}
other_names! {
    [NamedResize] any resize(A) interpolate(A) upsample(A);
    "an image becomes larger by `.repeat(2, 0).repeat(2, 1)`, and smaller by `.avg_pool2d(..)`"
    "the nearest elements at any positions are `.take(&positions, axis)`, and numbers between given points `x.interp(&points, &values)`; another shape of the same elements is `.reshape([2, -1])`"
}
other_names! {
    [NamedGlobalPool] any global_avg_pool2d() adaptive_avg_pool2d(A);
    "the mean of each channel of images is `x.mean_keepdims([2, 3])`"
    "parts of equal size are the windows of `.avg_pool2d(..)`"
}
other_names! {
    [NamedPixelShuffle] any pixel_shuffle(A) pixel_unshuffle(A);
    "channels become pixels by `x.reshape([n, c, 2, 2, h, w]).permute([0, 1, 4, 2, 5, 3]).reshape([n, c, h * 2, w * 2])`"
    "there are `c * 4` channels before; back it is `y.reshape([n, c, h, 2, w, 2]).permute([0, 1, 3, 5, 2, 4]).reshape([n, c * 4, h, w])`"
}
other_names! {
    [NamedBytes] any nbytes() itemsize() element_size();
    "the number of bytes is `a.len() * a.dtype().size()`"
    "the bytes themselves are those of a `DynTensor`: `a.into_dyn().to_bytes()?`"
}
other_names! {
    [NamedKind] any is_floating_point() is_complex() is_signed() isrealobj() iscomplexobj();
    "the kind of elements is that of the dtype: `a.dtype().kind() == supremum::Kind::Float`"
    "of generic code it is `D::DTYPE.kind()`; generic code over floats states a bound, `D: Floating`"
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
other_names! {
    [NamedPositions] any unravel_index(A) ravel_multi_index(A);
    "positions counted row by row are, with 3 columns, in rows `at.floor_div(3)` and columns `&at % 3`"
    "the count is `&rows * 3 + &columns`; all positions of a mask are `mask.argwhere()`"
}
other_names! {
    [NamedDivmod] any divmod(A) div_rem(A) div_mod_floor(A);
    "quotients and remainders are `(a.floor_div(&b), &a % &b)`"
    "quotients are rounded down, and remainders have the sign of the divisor; floats are divided towards zero by `(&a / &b).trunc()`"
}
other_names! {
    [NamedGcd] any gcd(A) lcm(A);
    "common divisors are computed by a closure in an expression: `fuse!(f(a, b))`"
    "before it stands `let f = |mut x: i32, mut y: i32| loop {{ if y == 0 {{ break x.abs(); }} (x, y) = (y, x % y); }};`, and the least common multiple is `(a.floor_div(&g) * &b).abs()` of a tensor `g` of them"
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
    [NamedHuber] any huber_loss(A) smooth_l1_loss(A) binary_cross_entropy_with_logits(A);
    "the Huber loss is `select(&d.lt(1.0), d.pow(2) * 0.5, &d - 0.5).mean()` of the distances `let d = (&a - &b).abs();`"
    "the binary cross entropy of logits is `fuse!((x.softplus() - x * y).mean())`"
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
    [NamedAttention] any attention(A B) scaled_dot_product_attention(A B) dot_product_attention(A B);
    "attention is `(q.matmul(&k.matrix_transpose()) * scale).softmax(-1).matmul(&v)`"
    "the scale of `d` columns is `let scale = 1.0 / (d as f64).sqrt();`, and a mask chooses scores before the softmax: `select(&mask, &scores, f64::NEG_INFINITY)`"
}
other_names! {
    [NamedLinear] any linear(A B) embedding(A);
    "a linear layer is `x.matmul(&weights.transpose()) + &bias`"
    "an embedding is `weights.take(&ids, 0)`"
}
other_names! {
    [NamedGelu] same gelu_exact() gelu_erf();
    "the exact `gelu` is `.gelu()`"
    "its approximation by `tanh` is `.gelu_tanh()`"
}
other_names! {
    [NamedHardTanh] any hardtanh() hard_tanh() softsign() soft_sign() tanhshrink() glu();
    "`hardtanh` is `.clamp(-1, 1)`, and `softsign` is `fuse!(x / (x.abs() + 1.0))`"
    "`tanhshrink` is `fuse!(x - x.tanh())`, and `glu` is `&halves[0] * halves[1].sigmoid()` with `let halves = x.chunk(2, -1);`"
}
other_names! {
    [NamedRound] any round_to(A) round_decimals(A) rint();
    "two decimals are kept by `(&a * 100.0).round() / 100.0`"
    "`.round()` rounds to integers, and halves to even"
}
other_names! {
    [NamedXLogY] any xlogy(A) xlog1py(A);
    "a product with a logarithm that is zero at zero is `select(&x.equal(0.0), 0.0, &x * y.ln())`"
    "`xlog1py` is `select(&x.equal(0.0), 0.0, &x * y.ln_1p())`"
}
other_names! {
    [NamedSinc] same sinc();
    "`sinc` is `select(&x.equal(0.0), 1.0, p.sin() / &p)` with `let p = &x * 3.141592653589793;`"
    "that is the one of NumPy and PyTorch; without the factor it is `select(&x.equal(0.0), 1.0, x.sin() / &x)`"
}
other_names! {
    [NamedDegrees] same deg2rad() radians() to_radians() rad2deg() degrees() to_degrees();
    "degrees become radians by `a.map(f32::to_radians)`"
    "radians become degrees by `a.map(f32::to_degrees)`"
}
other_names! {
    [NamedFraction] any frac() fract() modf();
    "the part behind the point is `&a - a.trunc()`"
    "the part before it is `a.trunc()`; `&a - a.floor()` is never negative"
}
other_names! {
    [NamedFrexp] any frexp();
    "the exponents of normal numbers of `F32` are `((a.map(f32::to_bits) >> 23) & 255).cast::<I32>() - 126`"
    "with `e` for them as `F32`, the numbers from 0.5 to 1 that they scale are `&a * (-&e).exp2()`"
}
other_names! {
    [NamedLdexp] any ldexp(A);
    "a power of two is a factor: `&a * exponents.cast::<F32>().exp2()`"
    "in an expression it is `fuse!(a * b.exp2())`"
}
other_names! {
    [NamedStep] any heaviside(A);
    "a step is `fuse!((a.sign() + 1.0) / 2.0)`, which is 0.5 at zero"
    "with 0 there it is `a.gt(0.0).cast::<F32>()`, and with 1 `a.ge(0.0).cast::<F32>()`"
}
other_names! {
    [NamedDigamma] same digamma() psi();
    "the derivative of the logarithm of the gamma function is, for positive `F32`, `fuse!({{ let z = x + 5.0; z.ln() - 0.5 / z - (1.0 / 12.0 - 1.0 / (120.0 * z * z)) / (z * z) - 1.0 / x - 1.0 / (x + 1.0) - 1.0 / (x + 2.0) - 1.0 / (x + 3.0) - 1.0 / (x + 4.0) }})`"
    "with more digits it is a function of another crate, called by `.map(..)`"
}
other_names! {
    [NamedLnGamma] same lgamma() gammaln() ln_gamma();
    "the logarithm of the gamma function is, for `F32` from 0 to 1e7, `fuse!({{ let z = x + 5.0; (z - 0.5) * z.ln() - z + 0.9189385 + (1.0 / 12.0 - 1.0 / (360.0 * z * z)) / z - (x * (x + 1.0) * (x + 2.0) * (x + 3.0) * (x + 4.0)).ln() }})`"
    "with more digits it is a function of another crate, called by `.map(..)`"
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
    [NamedExtremes] any aminmax() min_max() minmax() ptp();
    "the least and the greatest element are `(a.min(), a.max())`"
    "along an axis they are `.min_axis(axis)` and `.max_axis(axis)`; their distance is `a.max() - a.min()`"
}
other_names! {
    [NamedFMax] any fmax(A) fmin(A);
    "a maximum that skips NaN is `select(&a.is_nan(), &b, select(&b.is_nan(), &a, a.maximum(&b)))`"
    "a minimum has `a.minimum(&b)` there; `.nan_max()` reduces all elements"
}
other_names! {
    [NamedCounts] any value_counts() count_values() mode();
    "elements and how often they occur are `.unique_counts()`"
    "the most frequent one is `values.take(&counts.argmax(), 0)` of both; of integers the counts are `.bincount(0)`"
}
other_names! {
    [NamedAverage] any average(A) weighted_mean(A);
    "a weighted mean is `(&a * &weights).sum() / weights.sum()`"
    "along an axis it is `(&a * &weights).sum_axis(1) / weights.sum()`; without weights it is `.mean()`"
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
    [NamedUnitRows] any normalize() l2_normalize() cosine_similarity(A) pairwise_distance(A);
    "rows get length 1 by `&a / a.norm_keepdims(2.0, -1)`"
    "the cosine similarity of rows is `fuse!((a * b).sum_axis(-1) / (a.pow(2).sum_axis(-1) * b.pow(2).sum_axis(-1)).sqrt())`, and their distance `(&a - &b).norm(2.0, -1)`"
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
    [NamedFit] any polyfit(A B);
    "the slope of a fitted line is `fuse!(((x - x.mean()) * (y - y.mean())).sum() / (x - x.mean()).pow(2).sum())`"
    "the line begins at `y.mean() - &slope * x.mean()`; higher degrees need a crate of linear algebra"
}
other_names! {
    [NamedBlockDiagonal] any block_diag(A);
    "matrices on a diagonal are padded and added: `a.pad([[0, 2], [0, 3]], 0.0) + b.pad([[4, 0], [5, 0]], 0.0)`"
    "`b` has the shape `[2, 3]` there, and `a` `[4, 5]`; equal blocks are `Tensor::<F32, Rank2>::eye(3).kron(&a)`, and vectors on diagonals `.diag_embed(0)`"
}
other_names! {
    [NamedFourier] any fft() ifft() rfft() irfft() fft2() stft();
    "there are no Fourier transforms"
    "of a vector `x` up to some thousand elements, the real part is `a.cos().matmul(&x)` and the imaginary one `-a.sin().matmul(&x)`, behind `let n = Tensor::<F64, Rank1>::arange(0, x.len(), 1); let a = n.outer(&n) * (std::f64::consts::TAU / x.len() as f64);`; longer ones are for a crate such as `rustfft`, with the elements by `.to_vec()`"
}
