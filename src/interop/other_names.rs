//! Names that other libraries give to methods which have another name here. A call does not compile, and the compiler's message
//! has the name. Without these methods rustc proposes the most similar name, which is often another operation: `log2` for `log`,
//! `sqrt` for `square`, `log10` for `log1p`, `pow` for `row`.
//!
//! The names are grouped by subject. The list does not contain methods of Rust's own traits, such as `add` and `eq`. A
//! method in the list would take precedence over the trait's, and `a.add(&b)` is correct where `std::ops::Add` is
//! imported.
//!
//! Some of the names are keywords: `where`, `mod`, `type`. For `x.where(..)` rustc proposes to escape the word, and then looks for the method
//! `r#where`, so that our message follows.
//!
//! The methods take `&mut self`, although they change nothing, because the compiler looks for those last: if a program has a trait of its
//! own with `fn layer_norm(&self, ..)`, a call means that.

use crate::dtype::StaticDType;
use crate::dynamic::DynTensor;
use crate::error::Error;
use crate::rank::Rank;
use crate::rules::Rules;
use crate::tensor::Tensor;

/// A trait for a message, which nothing implements, and the methods that are bounded by it. One call for each message, because rustc
/// quotes the call.
///
/// `to` lists methods whose type parameter is a dtype; `same` those that give the tensor's dtype and rank; `typed` those
/// of them that `DynTensor` has as methods of its own; `dtype` those that give a tensor of another dtype; `any` the others, whose
/// result has any type; `make` lists functions that make a tensor, `try_make` those that return a `Result`,
/// `make_both` those that `DynTensor` does not have either. `for<'a>` in a bound
/// keeps the compiler from judging it before a call.
// The name of the trait is in brackets, and of any tokens: rustc quotes the call where such tokens are a bound, and this macro where an
// `ident` is. The methods stand on the same line, so that it quotes one.
macro_rules! other_names {
    ([$($Trait:tt)+]
        $(to $($to:ident)+;)?
        $(same $($same:ident ($($same_argument:ident)*))+;)?
        $(typed $($typed:ident ($($typed_argument:ident)*))+;)?
        $(dtype $($dtype:ident ($($dtype_argument:ident)*))+;)?
        $(any $($any:ident ($($any_argument:ident)*))+;)?
        $(make $($make:ident ($($make_argument:ident)*))+;)?
        $(try_make $($try_make:ident ($($try_make_argument:ident)*))+;)?
        $(make_both $($make_both:ident ($($make_both_argument:ident)*))+;)?
        $message:literal $note:literal
    ) => {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = "a name of other libraries", note = $note)]
        pub trait $($Trait)+ {}

        #[doc(hidden)]
        #[allow(non_snake_case, clippy::self_named_constructors, reason = "names of NumPy and PyTorch")]
        impl<D, N, R> Tensor<D, N, R> {
            other_names!(@each [$($Trait)+] [to] $($($to ())+)?);
            other_names!(@each [$($Trait)+] [same] $($($same ($($same_argument)*))+)?);
            other_names!(@each [$($Trait)+] [same] $($($typed ($($typed_argument)*))+)?);
            other_names!(@each [$($Trait)+] [make] $($($make ($($make_argument)*))+)?);
            other_names!(@each [$($Trait)+] [make] $($($make_both ($($make_both_argument)*))+)?);
            other_names!(@each [$($Trait)+] [try_make] $($($try_make ($($try_make_argument)*))+)?);
            other_names!(@each [$($Trait)+] [dtype] $($($dtype ($($dtype_argument)*))+)?);
            other_names!(@each [$($Trait)+] [any] $($($any ($($any_argument)*))+)?);
        }

        #[doc(hidden)]
        #[allow(non_snake_case, reason = "a name of NumPy")]
        impl DynTensor {
            other_names!(@each [$($Trait)+] [same] $($($to (A))+)?);
            other_names!(@each [$($Trait)+] [same] $($($same ($($same_argument)*))+)?);
            other_names!(@each [$($Trait)+] [same] $($($dtype ($($dtype_argument)*))+)?);
            other_names!(@each [$($Trait)+] [same] $($($any ($($any_argument)*))+)?);
            other_names!(@each [$($Trait)+] [make] $($($make_both ($($make_both_argument)*))+)?);
        }
    };
    (@each $Trait:tt $form:tt $($name:ident $arguments:tt)*) => {
        $(other_names!(@one $Trait $form $name $arguments);)*
    };
    (@one [$($Trait:tt)+] [to] $name:ident ()) => {
        #[doc(hidden)]
        pub fn $name<To>(&mut self) -> Tensor<To, N, R>
        where
            Self: $($Trait)+,
        {
            unreachable!("no type has the bound")
        }
    };
    (@one [$($Trait:tt)+] [same] $name:ident ($($argument:ident)*)) => {
        #[doc(hidden)]
        pub fn $name<$($argument),*>(&mut self $(, _: $argument)*) -> Self
        where
            for<'a> Self: $($Trait)+,
        {
            unreachable!("no type has the bound")
        }
    };
    (@one [$($Trait:tt)+] [make] $name:ident ($($argument:ident)*)) => {
        #[doc(hidden)]
        pub fn $name<$($argument),*>($(_: $argument),*) -> Self
        where
            for<'a> Self: $($Trait)+,
        {
            unreachable!("no type has the bound")
        }
    };
    (@one [$($Trait:tt)+] [try_make] $name:ident ($($argument:ident)*)) => {
        #[doc(hidden)]
        pub fn $name<$($argument),*>($(_: $argument),*) -> Result<Self, Error>
        where
            for<'a> Self: $($Trait)+,
        {
            unreachable!("no type has the bound")
        }
    };
    // Without a type parameter for each argument, so that `x.astype::<F32>()` gives as many as there are.
    (@any $argument:ident) => { impl Sized };
    (@one [$($Trait:tt)+] [dtype] $name:ident ($($argument:ident)*)) => {
        #[doc(hidden)]
        pub fn $name<To>(&mut self $(, _: other_names!(@any $argument))*) -> Tensor<To, N, R>
        where
            Self: $($Trait)+,
        {
            unreachable!("no type has the bound")
        }
    };
    (@one [$($Trait:tt)+] [any] $name:ident ($($argument:ident)*)) => {
        #[doc(hidden)]
        pub fn $name<Out>(&mut self $(, _: other_names!(@any $argument))*) -> Out
        where
            Self: $($Trait)+,
        {
            unreachable!("no type has the bound")
        }
    };
}

pub(super) use other_names;

// Make a tensor.

other_names! {
    [NamedNew] make new(A) from_floats(A B) from_ints(A B) from_data(A B);
    "a tensor of literals is `tensor![[1.0, 2.0], [3.0, 4.0]]`"
    "that of the elements of a `Vec` is `Tensor::from_vec(elements, [2, 2])?`, of a slice or array `Tensor::from_slice(&elements, [2, 2])?`"
}
other_names! {
    [NamedFromVec] try_make from_shape_vec(A B);
    "a tensor of the elements of a `Vec` is `Tensor::from_vec(elements, [2, 2])?`"
    "the shape is an array, and comes last"
}
other_names! {
    [NamedFull] make from_elem(A B);
    "a tensor of equal elements is `Tensor::full([2, 3], 0.5)`"
    "of zeros and ones it is `Tensor::zeros([2, 3])` and `Tensor::ones([2, 3])`"
}
other_names! {
    [NamedFromFn] make from_shape_fn(A B);
    "a tensor of the results of a function is `Tensor::from_fn([2, 3], |[i, j]| (i + j) as f32)`"
    "the function takes an array of positions, and gives an element"
}
other_names! {
    [NamedEye] make identity(A);
    "the identity matrix is `Tensor::eye(size)`"
    "the elements of another diagonal matrix are written by `.diagonal_mut(0, 0, 1)`"
}
other_names! {
    [NamedZeros] make empty(A); // `Tensor::zeros([2, 3])`, not as `help` says
    "a tensor of any elements is `Tensor::zeros([2, 3])`"
    "memory without values is not given out; a tensor of size 0 is `Tensor::zeros([0])`"
}
other_names! {
    [NamedIntegers] make randint(A B C E);
    "random integers are made by `Tensor::integers([2, 3], 0..10, &mut rng)`"
    "they need the feature `rand` of the crate `supremum`; a generator is `let mut rng = supremum::rand::rng();`"
}
other_names! {
    [NamedWindows] any windows(A) array_windows() tuple_windows() sliding_window_view(A) rolling(A);
    "windows of two elements along axis 0 are `t.unfold(0, 2, 1)`"
    "the first axis counts them, and the last has their elements: one by one they are `t.unfold(0, 2, 1).axis_iter(0)`, and moving sums `t.unfold(0, 2, 1).sum_axis(-1)`"
}
other_names! {
    [NamedFromDiagonal] make from_diag(A) from_diag_elem(A B);
    "a matrix with this diagonal is `v.diag_embed(0)`"
    "with equal elements it is `Tensor::<F32, Rank2>::eye(3) * 2.0`"
}
other_names! {
    [NamedTriangle] any triu_indices_from() tril_indices_from(); make_both triu_indices(A) tril_indices(A) tri(A);
    "the positions of a triangle are `Tensor::<Bool, Rank2>::ones([3, 3]).triu(0).argwhere()`"
    "below the diagonal it is `.tril(-1)`; the triangle itself is `Tensor::<F32, Rank2>::ones([3, 3]).tril(0)`, and its elements are `a.masked_select(&mask)`"
}
other_names! {
    [NamedArange] make iota(A);
    "integers from zero are `Tensor::arange(0, n, 1)`"
    "along an axis of a larger shape they are `Tensor::<I64, Rank1>::arange(0, 2, 1).unsqueeze(1).broadcast_to([2, 3])`"
}
other_names! {
    [NamedLogspace] make geomspace(A B C);
    "numbers in equal ratios are powers of ten: `Tensor::logspace(0.0, 3.0, 4)`"
    "it takes exponents: between `low` and `high` it is `Tensor::logspace(low.log10(), high.log10(), 4)`"
}
other_names! {
    [NamedLike] any new_zeros(A) new_ones(A) new_full(A B) new_empty(A) empty_like();
    "a tensor of zeros like another is `a.zeros_like()`"
    "of ones it is `a.ones_like()`, of equal elements `a.full_like(0.5)`, and of another shape `Tensor::zeros([2, 3])`"
}
other_names! {
    [NamedRandom] make randn(A) rand(A); // `Tensor::normal([2, 3], 0.0, 1.0, &mut rng)`, not as `help` says
    "random numbers are made by `Tensor::normal(shape, mean, std, &mut rng)` and `Tensor::uniform(shape, range, &mut rng)`"
    "they need the feature `rand` of the crate `supremum`; a generator is `let mut rng = supremum::rand::rng();`, and one with a seed makes the same numbers again"
}
other_names! {
    [NamedRandomLike] any randn_like(A B) rand_like(A B);
    "random numbers in the shape of another tensor are `Tensor::normal(a.sizes(), 0.0, 1.0, &mut rng)`"
    "equally likely ones are `Tensor::uniform(a.sizes(), 0.0..1.0, &mut rng)`; they need the feature `rand` of the crate `supremum`"
}

// Dtypes, copies, devices.

other_names! {
    [NamedCast] to to_type;
    dtype astype(A) to(A) to_dtype(A) to_kind(A) // `.cast::<F32>()`, not as `help` says
    half() bfloat16() float() double() int() long() r#type(A) type_as(A) convert_element_type(A);
    "elements are converted to another dtype as in `.cast::<F32>()`"
    "`.widen::<F64>()` compiles only if nothing is lost, and `.try_cast::<F32>()?` checks each value; of a `DynTensor` it is `.cast(DType::F32)`"
}
other_names! {
    [NamedSaturatingCast] to saturate saturating_cast saturate_cast;
    "elements are converted, and limited to the values of the dtype, by `.cast_saturating::<I8>()`"
    "`.clamp(low, high)` limits elements without a conversion; of a `DynTensor` the conversion is `.cast_saturating(DType::I8)`"
}
other_names! {
    [NamedTensor] same to_tensor();
    "the rows and other parts of a tensor are tensors already"
    "leave the call out, or write `.clone()`: elements are copied when one of the two is written; views for writing have `.to_tensor()`"
}
other_names! {
    [NamedClone] same copy() into_owned();
    "a tensor is copied by `.clone()`"
    "views own their elements too: what is shared is copied when one of the two is written"
}
other_names! {
    [NamedDetach] same detach() cpu() cuda() to_device(A) backward() grad() stop_gradient() requires_grad_(A);
    "tensors have no gradients and no devices: leave this call out"
    "a copy that shares the elements is `.clone()`"
}

// Shapes and axes.

other_names! {
    [NamedLen] any numel() nelement() size() dim() dims() len_of(A) // `.len()`, `.shape()[axis]`, not as `help` says
    dims1() dims2() dims3() dims4() nrows() ncols() elem_count() raw_dim();
    "the number of elements is `.len()`, the size of an axis is `.shape()[axis]`"
    "`.shape()` is a slice of all sizes, `.sizes()` an array of them"
}
other_names! {
    [NamedReshape] any view(A) into_shape(A) into_shape_with_order(A) ravel() flatten_all() unflatten(A B); // not as `help` says
    "a tensor gets another shape by `.reshape([2, -1])`"
    "one size may be `-1`; all axes become one by `.flatten()`; ndarray's `.view()` without a shape is not needed, because a clone shares the elements (for the crate `ndarray` it is `.view_ndarray()`)"
}
other_names! {
    [NamedBroadcast] any expand(A) expand_as(A) broadcast_as(A) broadcast(A); // `.broadcast_to([2, 3])`, not as `help` says
    "a tensor is repeated to a larger shape by `.broadcast_to([2, 3])`"
    "operators broadcast by themselves: `&matrix + &row`"
}
other_names! {
    [NamedUnsqueeze] any insert_axis(A) expand_dims(A) new_axis(A);
    "an axis of size 1 is inserted by `.unsqueeze(axis)`"
    "it is removed by `.squeeze(axis)`"
}
other_names! {
    [NamedTranspose] same t() reversed_axes();
    "axes are reversed by `.transpose()`"
    "two axes change places by `.swap_axes(0, 1)`; all are put in another order by `.permute([0, 2, 1])`"
}
other_names! {
    [NamedMatrixTranspose] same mT();
    "each matrix of a stack is transposed by `.matrix_transpose()`"
    "`.transpose()` reverses all axes"
}
other_names! {
    [NamedSwapAxes] same swapaxes(A B) swapdims(A B);
    "two axes change places by `.swap_axes(0, 1)`"
    "the last two are those of `.matrix_transpose()`, in any order of axes `.permute([0, 2, 1])`"
}
other_names! {
    [NamedMoveAxis] same moveaxis(A B) movedim(A B) rollaxis(A B);
    "an axis is moved by `.move_axis(-1, 0)`"
    "the first number is its position now, the second its position in the result; two axes change places by `.swap_axes(0, 1)`"
}
other_names! {
    [NamedFlip] same flip_axis(A) invert_axis(A) flipud() fliplr();
    "an axis is reversed by `.flip(axis)`"
    "`.slice_axes(s![..;-1])` reverses the first one too; a quarter turn of a matrix is `.rot90(1, 0, 1)`"
}

// Elements, rows and other parts.

other_names! {
    [NamedItem] any to_scalar() into_scalar() to_vec0();
    "the only element of a tensor is `.item()?`"
    "the elements of any tensor are `.to_vec()`, row by row"
}
other_names! {
    [NamedToVec] any to_vec1() to_vec2() to_vec3() tolist() numpy() into_vec() to_nested_vec() to_rows() into_data() to_data() collect();
    "the elements of a tensor of any rank are one `Vec`, `.to_vec()`, row by row"
    "a `Vec` for each row is `a.rows().map(|row| row.to_vec()).collect::<Vec<_>>()`"
}
other_names! {
    [NamedRow] any row(A) column(A) row_mut(A) column_mut(A) col(A) cols() columns() column_iter() iter_rows();
    "row `i` of a matrix is `.index_axis(0, i)`, column `j` is `.index_axis(1, j)`"
    "for writing they are `.index_axis_mut(0, i)` and `.index_axis_mut(1, j)`; `.rows()` iterates over rows, `.axis_iter(1)` over columns"
}
other_names! {
    [NamedIndexAxis] any index(A B);
    "a position of an axis is `.index_axis(axis, position)`"
    "it gives the tensor without that axis; an element is `t[[row, column]]`"
}
other_names! {
    [NamedSlice] same narrow(A B C) narrow_copy(A B C) slice_axis(A B) slice_in_dim(A B C);
    "a range along an axis is `.slice(axis, start..end)`"
    "ranges along several axes are `.slice_axes(s![1.., ..-1])`"
}
other_names! {
    [NamedSliceAxes] any i(A) at(A);
    "positions and ranges along several axes are `.slice_axes(s![0, 1..])`"
    "an element is `t[[row, column]]`, a position of one axis `.index_axis(0, 1)`"
}
other_names! {
    [NamedAxisIter] any outer_iter() genrows() lanes(A) unbind(A) map_axis(A B) fold_axis(A B C);
    "the parts of a tensor along an axis are the iterator `.axis_iter(0)`"
    "each is a tensor, as in `a.axis_iter(0).map(|part| part.sum())`; the rows along the last axis are `.rows()`, for writing `.axis_iter_mut(0)`, and as a `Vec` `.unstack(0)`"
}
other_names! {
    [NamedIndexedIter] any indexed_iter() indexed_iter_mut() enumerate() ndenumerate();
    "elements with their positions are `t.iter().enumerate()`, which counts row by row"
    "of a matrix the row and the column are those of `for (i, row) in t.rows().enumerate()` and `for (j, x) in row.iter().enumerate()`"
}
other_names! {
    [NamedSplit] any split_at(A B) tensor_split(A B) array_split(A B) vsplit(A) hsplit(A) dsplit(A) split_with_sizes(A B);
    "a tensor is split into a `Vec` of parts of given sizes by `.split(&[8, 2], 0)`"
    "equal parts are `.chunk(2, 0)`; one part is `.slice(0, ..8)`"
}
other_names! {
    [NamedChunks] any chunks(A) chunks_exact(A) exact_chunks(A) axis_chunks_iter(A B) batch(A) batches(A);
    "parts of four positions are `(0..n).step_by(4).map(|i| a.slice(0, i..n.min(i + 4)))`, with `let n = a.shape()[0];`"
    "the last part may be smaller; four parts are `.chunk(4, 0)`, single rows `.axis_iter(0)`, and rows in another order `.take(&order, 0)`"
}
other_names! {
    [NamedTake] any gather(A B) index_select(A B);
    "elements at given positions are `.take(&indices, axis)` and `.take_along_axis(&indices, axis)`"
    "`.take` reads whole rows, as `index_select`; `.take_along_axis` reads an element for each index, as `gather` of PyTorch; the indices are a tensor of integers"
}
other_names! {
    [NamedSort] any sort_by(A) sort_unstable() sort_by_key(A) sorted() argsort_by(A) argsort_stable(A) msort() rank_data() rankdata();
    "elements are sorted along an axis by `.sort(axis)` and `.sort_descending(axis)`"
    "in the order of other elements it is `values.take(&keys.argsort(0), 0)`; ranks are `.argsort(0).argsort(0)`"
}

// Write elements.

other_names! {
    [NamedWrite] any fill(A) assign(A) fill_(A) copy_(A) copy_from(A) slice_assign(A B) slice_scatter(A B C) select_scatter(A B C) fill_diagonal(A);
    "elements are written through a view for writing"
    "of the whole tensor it is `t.view_mut().fill(0.0)` or `.assign(&u)`, of a part `t.slice_mut(0, 1..3).fill(0.0)`, of a row `t.index_axis_mut(0, 1).assign(&row)`, of the diagonal `t.diagonal_mut(0, 0, 1).fill(1.0)`"
}
other_names! {
    [NamedAsMutSlice] any as_slice_mut();
    "the elements for writing are `.as_mut_slice()`"
    "a part of the tensor for writing is `.slice_mut(axis, range)`"
}
other_names! {
    [NamedAssign] any add_(A) sub_(A) mul_(A) div_(A) zero_();
    "a tensor is changed by the operators `a += &b`, `a -= &b`, `a *= &b`, `a /= &b`"
    "by a formula it is changed by `fuse!(a += ..)` and `fuse!(a = ..)`; all elements become zero by `a.view_mut().fill(0.0)`"
}

// Arithmetic.

other_names! {
    [NamedOperator] same broadcast_add(A) broadcast_sub(A) broadcast_mul(A) broadcast_div(A) add_scalar(A) sub_scalar(A) mul_scalar(A) div_scalar(A) divide(A) subtract(A) multiply(A) true_divide(A) affine(A B);
    "tensors are computed with by operators, which broadcast: `&a + &b`, `&a - &b`, `&a * &b`, `&a / &b`"
    "candle's `affine` is `&a * 2.0 + 1.0`; if the shapes may not fit, `a.try_add(&b)?` and the like return an error"
}
other_names! {
    [NamedPow] same square() sqr();
    "a square is `.pow(2)`"
    "it is also a product, `&a * &a`"
}
other_names! {
    [NamedPower] any powf(A) powi(A) powf_scalar(A) powi_scalar(A) vander(A);
    "a power is `.pow(2)`, `.pow(0.5)` or `.pow(&b)`"
    "an exponent in a variable is an `f64` or `i64`, which yields to the tensor's dtype; the columns of `vander` are `x.unsqueeze(1).pow(&Tensor::<I64, Rank1>::arange(0, 3, 1))`"
}
other_names! {
    [NamedSilu] same swish() sigmoid_linear_unit();
    "the activation `swish` is `.silu()`"
    "others are `.gelu()`, `.softplus()`, `.elu(1.0)` and `.leaky_relu(0.01)`"
}
other_names! {
    [NamedActivation] same relu6() hard_swish() hardswish() mish() log_sigmoid() logsigmoid() selu() celu(A) hard_sigmoid() hardsigmoid() prelu(A);
    "other activations are expressions: `relu6` is `.clamp(0, 6)`, and `mish` is `fuse!(x * x.softplus().tanh())`"
    "`hard_swish` is `fuse!(x * (x + 3.0).clamp(0.0, 6.0) / 6.0)`, `selu` is `fuse!(x.elu(1.67326324) * 1.05070099)`, `log_sigmoid` is `fuse!(-(-x).softplus())`, `hard_sigmoid` is `fuse!((x + 3.0).clamp(0.0, 6.0) / 6.0)`, and `prelu` is `.leaky_relu(&slopes)`"
}
other_names! {
    [NamedRemainder] any remainder(A) fmod(A) r#mod(A) rem_euclid(A);
    "the remainder of a division is the operator `&a % &b`"
    "it has the sign of the divisor; the quotient, rounded down, is `.floor_div(&b)`"
}
other_names! {
    [NamedNegative] same negative();
    "elements are negated by the operator `-&a`"
    "`!&a` negates booleans"
}
other_names! {
    [NamedMap] any mapv(A) mapv_into(A) apply(A) vectorize(A);
    "a function of single elements is called for each of them by `.map(|x| x + 1.0)`"
    "in place it is `.map_inplace(..)`; within an expression it is called in `fuse!(f(a) * 2.0)`"
}
other_names! {
    [NamedZip] any zip_with(A B) zip_map(A B);
    "a function of the elements of two tensors is called in `fuse!(f(a, b))`"
    "`f` is a closure in a variable, or a function in `elementwise!`; to change a tensor it is `a.zip_mut_with(&b, |x, y| *x += y)`"
}

// Comparisons, booleans, choices.

other_names! {
    [NamedCompare] any eq_elem(A) less(A) greater(A) less_equal(A) greater_equal(A);
    "elements are compared by `.equal(&b)`, `.not_equal(&b)`, `.lt(&b)`, `.le(&b)`, `.gt(&b)` and `.ge(&b)`"
    "the result is a tensor of `Bool`, whose number of `true` is `.count_nonzero()`; the operator `==` compares whole tensors"
}
other_names! {
    [NamedWhole] any array_equal(A) array_equiv(A);
    "whole tensors are compared by the operators `a == b` and `a != b`"
    "by element it is `a.equal(&b)`, and up to a tolerance `a.approx_eq(&b, 1e-5, 1e-8)`"
}
other_names! {
    [NamedApproxEq] any allclose(A) all_close(A) isclose(A); // `.approx_eq(&b, 1e-5, 1e-8)`, not as `help` says
    "tensors are compared up to a tolerance by `.approx_eq(&b, relative, absolute)`, e.g. `a.approx_eq(&b, 1e-5, 1e-8)`"
    "it is one `bool`; by element it is `a.is_close(&b, 1e-5, 1e-8)`"
}
other_names! {
    [NamedLogical] any logical_not() logical_and(A) logical_or(A) logical_xor(A);
    "booleans are combined by the operators `&a & &b`, `&a | &b`, `&a ^ &b` and `!&a`"
    "numbers become booleans by a comparison, e.g. `.not_equal(0)`"
}
other_names! {
    [NamedSelect] same where_(A B) r#where(A B) where_cond(A B) masked_fill(A B) masked_fill_(A B); typed select(A B);
    "elements are chosen by `select(&mask, then, otherwise)`, as in `select(&a.gt(0.0), &a, 0.0)`"
    "PyTorch's `select(axis, position)` is `.index_axis(axis, position)`; the mask is a tensor of `Bool`; the elements under it are `.masked_select(&mask)`; of a `DynTensor` it is `mask.select(then, otherwise)`"
}
other_names! {
    [NamedChoice] any choice(A B) choose(A) sample(A B) multinomial(A);
    "random elements are those at random positions, `.take(&positions, 0)`"
    "with the feature `rand` the positions are `Tensor::<I64, Rank1>::integers([3], 0..n, &mut rng)`; without repeats the elements are `.shuffle(0, &mut rng).slice(0, ..3)`, and with weights the positions are `p.cumsum(0).searchsorted_right(&u)` of uniform `u`"
}
other_names! {
    [NamedNanToNum] same nan_to_num(); any fill_nan(A) fillna(A) dropna() ffill();
    "NaNs are replaced by `select(&a.is_nan(), 0.0, &a)`"
    "reductions that skip them are `.nan_sum()`, `.nan_mean()`, `.nan_max()` and the like; the other elements are `.masked_select(&!a.is_nan())`"
}
other_names! {
    [NamedInfinite] any isinf() is_inf() isposinf() isneginf();
    "infinite elements are found by `.is_infinite()`"
    "finite ones are `.is_finite()`, and NaNs `.is_nan()`; of one sign they are `a.equal(f64::INFINITY)`"
}

// Functions.

other_names! {
    [NamedLn] same log() log1p();
    "the natural logarithm is `.ln()`"
    "other bases have `.log2()` and `.log10()`; that of `1 + x` is `.ln_1p()`"
}
other_names! {
    [NamedSigmoid] same expit() logistic() logit();
    "the logistic function is `.sigmoid()`"
    "its inverse, `logit`, is `fuse!((p / (1.0 - p)).ln())`"
}
other_names! {
    [NamedLogAddExp] same logaddexp(A) nextafter(A);
    "the words of a name are joined by `_`: `a.log_add_exp(&b)`, `a.next_after(&b)`"
    "the logarithm of a sum of many exponentials is `.log_sum_exp(axis)`"
}
other_names! {
    [NamedClamp] same clip(A B) clamp_min(A) clamp_max(A); // `.clamp(low, high)`, `.maximum(low)`, not as `help` says
    "numbers are limited by `.clamp(low, high)`"
    "one limit is `.maximum(low)` or `.minimum(high)`"
}
other_names! {
    [NamedReal] any re() im();
    "the parts of complex numbers are `.real()` and `.imag()`"
    "their distance from zero is `.abs()`"
}
other_names! {
    [NamedAngle] any angle() arg();
    "the angle of complex numbers is `z.imag().atan2(&z.real())`"
    "their distance from zero is `.abs()`"
}
other_names! {
    [NamedConj] same conjugate() conj_physical() adjoint();
    "complex conjugates are `.conj()`"
    "the conjugate transpose of a matrix is `z.matrix_transpose().conj()`"
}

// Reductions.

other_names! {
    [NamedReduction] any reduce_sum(A) reduce_mean(A) reduce_max(A) reduce_min(A) reduce_prod(A) sum_dim(A) mean_dim(A) max_dim(A) min_dim(A) argmax_dim(A) argmin_dim(A) amax(A) amin(A) sum_all() mean_all() sum_axis_keepdims(A);
    "one axis is reduced by `.sum_axis(axis)`, `.mean_axis(axis)`, `.max_axis(axis)` and the like"
    "`.sum_keepdims(axis)` keeps the axis with size 1; without an axis, `.sum()` reduces all"
}
other_names! {
    [NamedScan] any cumsum_axis(A) cumprod_axis(A) cumulative_sum(A) cumulative_prod(A) logcumsumexp(A) cumlogsumexp(A);
    "results so far along an axis are `.cumsum(axis)`, `.cumprod(axis)` and the like"
    "a sum along an axis is `.sum_axis(axis)`; that of exponentials so far is `(&a - &m).exp().cumsum(0).ln() + &m` with `m = a.max_keepdims(0)`"
}

// Products and joins.

other_names! {
    [NamedMatmul] same mm(A) bmm(A) mv(A) matvec(A) batch_matmul(A) broadcast_matmul(A);
    "matrices are multiplied by `.matmul(&b)`"
    "it takes batches of matrices and vectors too"
}
other_names! {
    [NamedEinsum] make einsum(A B C);
    "sums of products over named axes are the macro `supremum::einsum!(\"ij,jk->ik\", a, b)`"
    "it borrows its operands: write them without `&`"
}
other_names! {
    [NamedInner] any inner(A) vdot(A) vecdot(A);
    "the product of two vectors is `a.dot(&b)`"
    "of the last axes of two matrices it is `a.matmul(&b.transpose())`, and of each row with a row `fuse!((a * b).sum_axis(-1))`"
}
other_names! {
    [NamedLinalg] any inv() inverse() pinv() det() logdet() slogdet() solve(A) lstsq(A) svd() svdvals() solve_triangular(A) matrix_exp() cond() qr() lu() eig() eigh() eigvals() eigvalsh() cholesky() matrix_rank();
    "there are no inverses, determinants and decompositions of matrices, but products: `.matmul(&b)`, `.outer(&b)`, `.kron(&b)`"
    "take the elements by `.to_vec()`, or with the feature `ndarray` by `.view_ndarray()`, to a crate of linear algebra"
}
other_names! {
    [NamedHStack] any vstack(A) hstack(A) dstack(A) append(A) extend(A) push(A) insert(A B);
    "two tensors are joined by `a.concat(&b, axis)`"
    "below each other along axis 0, beside each other along axis 1; several are `concat([&a, &b, &c], 0)`, or along a new axis `stack([&a, &b], 0)`"
}
other_names! {
    [NamedJoin] make_both stack(A B) cat(A B);
    "tensors are joined by the functions `concat([&a, &b], axis)` and `stack([&a, &b], axis)`"
    "those of a `Vec` are `concat(&tensors, axis)`; two of different dtypes are joined by `a.concat(&b, axis)`"
}
other_names! {
    [NamedPushRow] any push_row(A) push_column(A) append_row(A);
    "a row is joined to a matrix by `a.concat(&row.unsqueeze(0), 0)`"
    "a column is joined by `a.concat(&column.unsqueeze(1), 1)`; many rows are copied once by `stack(&rows, 0)`"
}

// Files.

other_names! {
    [NamedWriteFile] any save(A) save_npy(A) to_npy(A) write_npz(A) save_npz(A) write_safetensors(A) tofile(A) savetxt(A);
    "a tensor is written to a file by `.write_npy(path)?`"
    "several tensors are written by `supremum::SafeTensorsFile::write(path, &[(\"weights\", &weights)])?` or `supremum::NpzFile::write(..)?` with the same arguments; a format needs its feature: `npy`, `npz` or `safetensors`"
}

/// rustc proposes `x.T()` for NumPy's attribute `x.T`.
macro_rules! transpose {
    ($([$($generics:tt)*] $tensor:ty;)*) => {$(
        #[doc(hidden)]
        #[allow(non_snake_case, reason = "a name of NumPy")]
        impl<$($generics)*> $tensor {
            #[doc(hidden)]
            #[must_use]
            pub fn T(&self) -> Self {
                self.transpose()
            }
        }
    )*};
}

transpose! {
    [D: StaticDType, N: Rank, R: Rules] Tensor<D, N, R>;
    [] DynTensor;
}
