//! Every word of the language, called on a tensor and on an expression, gives the elements of the method.

use std::collections::BTreeSet;

use supremum::__private::FUSE_WORDS;
use supremum::prelude::*;
use supremum::{ConvOptions, PadMode, PoolOptions, QuantileMethod, Rank, Rules, try_fuse};

use crate::naive::Typed;
use crate::raw;

/// A shape and elements, which compare.
type Given = (Vec<usize>, Vec<Option<u128>>);

fn given<D: Typed, N: Rank, R: Rules>(tensor: &Tensor<D, N, R>) -> Given {
    (tensor.shape().to_vec(), raw(tensor))
}

/// Calls a function that is compiled apart. Inlined, all words would make one function of 150,000 lines, which takes LLVM long to optimise.
#[inline(never)]
fn apart(function: impl FnOnce() -> Given) -> Given {
    function()
}

/// Calls words on tensors.
macro_rules! on_tensors {
    ($called:ident: $($x:ident.$word:ident $(::<$to:ty>)? ($($argument:expr),*);)*) => {$(
        let expected = apart(|| given(&$x.$word $(::<$to>)? ($($argument),*)));
        let found = apart(|| given(&try_fuse!($x.$word $(::<$to>)? ($($argument),*)).expect(stringify!($word))));
        assert_eq!(found, expected, stringify!($word));
        $called.insert(stringify!($word));
    )*};
}

/// Calls words on tensors and on sums.
macro_rules! on_sums {
    ($called:ident: $($x:ident.$word:ident $(::<$to:ty>)? ($($argument:expr),*);)*) => {$(
        let expected = apart(|| given(&(&*$x + &*$x).$word $(::<$to>)? ($($argument),*)));
        let found = apart(|| given(&fuse!(($x + $x).$word $(::<$to>)? ($($argument),*))));
        assert_eq!(found, expected, stringify!($word));
        on_tensors!($called: $x.$word $(::<$to>)? ($($argument),*););
    )*};
}

#[test]
fn every_word_gives_the_elements_of_its_method() {
    let x: Tensor<F32, Rank2> =
        tensor![[0.5, 0.25, 0.75], [0.125, 0.5, 0.375], [0.25, 0.625, 0.875]];
    let n: Tensor<I32, Rank2> = tensor![[2, 1, 3], [1, 2, 2], [3, 1, 1]];
    let k: Tensor<I32, Rank1> = tensor![2, 0, 1];
    let (y, v, m) = (x.transpose(), x.index_axis(0, 0), x.gt(0.3));
    let (row, image) = (x.reshape([1, 1, 9]), x.reshape([1, 1, 3, 3]));
    let (positions, rows, keep) = (&n - 1, k.unsqueeze(1), v.gt(0.3));
    let (edges, ends) = (&v.sort(0), &row.flatten().slice(0, ..4));
    let (x, y, v, m, k, row, image) = (&x, &y, &v, &m, &k, &row, &image);
    let mut called = BTreeSet::new();
    on_sums! { called:
        x.sqrt(); x.exp(); x.exp2(); x.exp_m1(); x.ln(); x.ln_1p(); x.log2(); x.log10(); x.sin(); x.cos(); x.tan(); x.asin(); x.acos();
        x.atan(); x.sinh(); x.cosh(); x.tanh(); x.asinh(); x.acosh(); x.atanh(); x.sigmoid(); x.relu(); x.gelu(); x.gelu_tanh(); x.silu();
        x.softplus(); x.erf(); x.rsqrt(); x.cbrt(); x.erfc(); x.round(); x.sign(); x.floor(); x.ceil(); x.trunc(); x.recip(); x.abs();
        x.real(); x.imag(); x.is_nan(); x.is_infinite(); x.is_finite(); x.is_sign_negative(); x.conj(); x.sum(); x.sum_axis(-1);
        x.sum_keepdims([0, 1]); x.prod(); x.prod_axis(-1); x.prod_keepdims([0, 1]); x.mean(); x.mean_axis(-1); x.mean_keepdims([0, 1]);
        x.var(); x.var_axis(-1); x.var_keepdims([0, 1]); x.std(); x.std_axis(-1); x.std_keepdims([0, 1]); x.min(); x.min_axis(-1);
        x.min_keepdims([0, 1]); x.max(); x.max_axis(-1); x.max_keepdims([0, 1]); x.any(); x.any_axis(-1); x.any_keepdims([0, 1]); x.all();
        x.all_axis(-1); x.all_keepdims([0, 1]); x.argmin(); x.argmin_axis(-1); x.argmin_keepdims(1); x.argmax(); x.argmax_axis(-1);
        x.argmax_keepdims(1); x.nan_argmin(); x.nan_argmin_axis(-1); x.nan_argmin_keepdims(1); x.nan_argmax(); x.nan_argmax_axis(-1);
        x.nan_argmax_keepdims(1); x.nan_prod(); x.nan_prod_axis(-1); x.nan_prod_keepdims([0, 1]); x.nan_sum(); x.nan_sum_axis(-1); x.nan_sum_keepdims([0, 1]); x.nan_mean(); x.nan_mean_axis(-1);
        x.nan_mean_keepdims([0, 1]); x.nan_var(); x.nan_var_axis(-1); x.nan_var_keepdims([0, 1]); x.nan_std(); x.nan_std_axis(-1);
        x.nan_std_keepdims([0, 1]); x.nan_min(); x.nan_min_axis(-1); x.nan_min_keepdims([0, 1]); x.nan_max(); x.nan_max_axis(-1);
        x.nan_max_keepdims([0, 1]); x.count_nonzero(); x.count_nonzero_axis(-1); x.count_nonzero_keepdims([0, 1]); x.median();
        x.median_axis(-1); x.median_keepdims(1); x.quantile(0.25, QuantileMethod::Linear);
        x.quantile_axis(0.25, QuantileMethod::Linear, 1); x.quantile_keepdims(0.25, QuantileMethod::Linear, 1);
        x.nan_median(); x.nan_median_axis(-1); x.nan_median_keepdims([0, 1]); x.nan_quantile(0.25, QuantileMethod::Linear);
        x.nan_quantile_axis(0.25, QuantileMethod::Linear, 1); x.nan_quantile_keepdims(0.25, QuantileMethod::Linear, 1); x.floor_div(y); x.pow(y);
        x.atan2(y); x.hypot(y); x.log_add_exp(y); x.copysign(y); x.next_after(y); x.leaky_relu(y); x.elu(y); x.minimum(y); x.maximum(y); x.equal(y); x.not_equal(y);
        x.lt(y); x.le(y); x.gt(y); x.ge(y); x.cumsum(-1); x.cumprod(-1); x.cummax(-1); x.cummin(-1); x.softmax(-1); x.log_softmax(-1);
        x.log_sum_exp(-1); x.log_sum_exp_keepdims(-1); x.norm(2.0, 0); x.norm_keepdims(2.0, 0); x.var_corrected(1, 0);
        x.std_corrected(1, 0);
        x.var_corrected_keepdims(1, 0); x.std_corrected_keepdims(1, 0); x.nan_var_corrected(1, 0); x.nan_std_corrected(1, 0);
        x.nan_var_corrected_keepdims(1, 0); x.nan_std_corrected_keepdims(1, 0); x.matmul(y); x.matmul_in::<F64>(y); v.dot(v); v.outer(v); x.kron(y); x.cross(y, 0);
        x.tensordot(y, [1], [0]); x.trace(0); row.conv1d(&row.slice(2, ..2), ConvOptions::new());
        row.conv_transpose1d(&row, ConvOptions::new()); image.conv_transpose2d(&image, ConvOptions::new().stride([2, 1]));
        image.conv2d(&image.slice(2, ..2), ConvOptions::new()); row.max_pool1d(PoolOptions::new([2]));
        row.avg_pool1d(PoolOptions::new([2])); image.max_pool2d(PoolOptions::new([2, 2])); image.avg_pool2d(PoolOptions::new([2, 2]));
        x.argwhere(); x.flatnonzero(); x.argsort(0); x.argsort_descending(0); v.searchsorted(x); v.searchsorted_right(x); x.searchsorted_rows(y); x.searchsorted_rows_right(y); x.unique(); k.bincount(0); k.one_hot::<F32>(5);
        x.histogram(4, 0.0..=8.0); x.histogram_edges(edges); x.histogram_weighted(edges, y); k.bincount_weighted(v, 4); k.density(ends); x.is_close(y, 0.1, 0.01); x.is_in(v); x.interp(edges, v); x.cov(1); x.corrcoef(); x.concat(y, 0); x.cast::<F16>(); x.cast_saturating::<I8>(); x.cast::<F64>(); x.widen::<F64>();
        x.take(k, 0); x.take_along_axis(&positions, 0); x.masked_select(m); x.compress(&keep, 0); x.scatter(&rows, y, 0); x.scatter_add(&rows, y, 0);
        x.scatter_max(&rows, y, 0); x.scatter_min(&rows, y, 0); x.sort(0); x.sort_descending(0); x.diff(1, 0); x.pad([[1, 0], [0, 1]], 1.0);
        x.pad_with([[1, 0], [0, 1]], PadMode::Reflect); x.roll(1, 0); x.repeat(2, 0); x.repeat_each([1, 2, 0], 0); x.tile([1, 2]); x.tril(0);
        x.triu(0); v.diag(0); x.diag_embed(0);
    }
    on_tensors! { called:
        x.diagonal(0, 0, 1); x.unfold(1, 2, 1); x.rot90(1, 0, 1); x.reshape([-1]); x.permute([-1, 0]); x.slice(0, 1..); x.slice_step(0, .., 2);
        x.slice_axes(s![0, 1..]); x.index_axis(0, 1); x.broadcast_to([2, 3, 3]); row.squeeze(0); x.unsqueeze(0); x.flip(0);
        x.contiguous(); x.swap_axes(0, 1); x.move_axis(0, 1); x.matrix_transpose(); x.transpose(); x.flatten();
        x.with_rules::<Numpy>(); x.strong();
    }
    let lists = [
        "functions",
        "methods",
        "operators",
        "reductions",
        "views",
        "tensors",
        "promoting",
    ];
    let words = FUSE_WORDS.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let words = words.filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    let words: BTreeSet<&str> = words.filter(|word| !lists.contains(word)).collect();
    let missing: Vec<_> = words.difference(&called).collect();
    assert!(missing.is_empty(), "not called: {missing:?}");
}
