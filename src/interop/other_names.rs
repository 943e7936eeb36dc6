//! Names that other libraries give to methods which have another name here. A call does not compile, and the compiler's message
//! has the name. Without these methods rustc proposes the most similar name, which is often another operation: `log2` for `log`,
//! `sqrt` for `square`, `log10` for `log1p`, `pow` for `row`.

use crate::dynamic::DynTensor;
use crate::tensor::{Tensor, TensorViewMut};

/// A trait for a message, which nothing implements, and the methods that are bounded by it. One call for each message, because rustc
/// quotes the call.
///
/// `to` lists methods whose type parameter is a dtype; `same` those that give the tensor's dtype and rank; `any` the others, whose
/// result has any type; `make` lists functions that make a tensor. `for<'a>` in a bound keeps the compiler from judging it before a call.
macro_rules! other_names {
    ($Trait:ident $message:literal $note:literal
        $(to $($to:ident)+;)?
        $(same $($same:ident ($($same_argument:ident)*))+;)?
        $(any $($any:ident ($($any_argument:ident)*))+;)?
        $(make $($make:ident ($($make_argument:ident)*))+;)?
    ) => {
        #[doc(hidden)]
        #[diagnostic::on_unimplemented(message = $message, label = "a name of other libraries", note = $note)]
        pub trait $Trait {}

        #[doc(hidden)]
        impl<D, N, R> Tensor<D, N, R> {
            $($(
                #[doc(hidden)]
                pub fn $to<To>(&self) -> Tensor<To, N, R>
                where
                    Self: $Trait,
                {
                    unreachable!("no type has the bound")
                }
            )+)?
            other_names!(@methods $Trait; $($($same ($($same_argument)*))+)?);
            $($(
                #[doc(hidden)]
                pub fn $make<$($make_argument),*>($(_: $make_argument),*) -> Self
                where
                    for<'a> Self: $Trait,
                {
                    unreachable!("no type has the bound")
                }
            )+)?
            $($(
                #[doc(hidden)]
                pub fn $any<Out $(, $any_argument)*>(&self $(, _: $any_argument)*) -> Out
                where
                    Self: $Trait,
                {
                    unreachable!("no type has the bound")
                }
            )+)?
        }

        #[doc(hidden)]
        impl DynTensor {
            $(other_names!(@methods $Trait; $($to (A))+);)?
            $(other_names!(@methods $Trait; $($same ($($same_argument)*))+);)?
            $(other_names!(@methods $Trait; $($any ($($any_argument)*))+);)?
        }
    };
    (@methods $Trait:ident; $($name:ident ($($argument:ident)*))*) => {$(
        #[doc(hidden)]
        pub fn $name<$($argument),*>(&self $(, _: $argument)*) -> Self
        where
            for<'a> Self: $Trait,
        {
            unreachable!("no type has the bound")
        }
    )*};
}

other_names! {
    NamedCast "elements are converted to another dtype by `.cast::<F32>()`"
    "`.widen::<F64>()` compiles only if nothing is lost, and `.try_cast::<F32>()?` checks each value; of a `DynTensor` it is `.cast(DType::F32)`"
    to astype to to_type;
    any to_dtype(A) to_kind(A);
}
other_names! {
    NamedTensor "the rows and other parts of a tensor are tensors already"
    "leave the call out, or write `.clone()`: elements are copied when one of the two is written; views for writing have `.to_tensor()`"
    same to_tensor();
}
other_names! {
    NamedLn "the natural logarithm is `.ln()`"
    "other bases have `.log2()` and `.log10()`; that of `1 + x` is `.ln_1p()`"
    same log() log1p();
}
other_names! {
    NamedPow "a square is `.pow(2)`"
    "it is also a product, `&a * &a`"
    same square();
}
other_names! {
    NamedTranspose "axes are reversed by `.transpose()`"
    "two axes change places by `.swap_axes(0, 1)`; all are put in another order by `.permute([0, 2, 1])`"
    same t();
}
other_names! {
    NamedReal "the parts of complex numbers are `.real()` and `.imag()`"
    "their distance from zero is `.abs()`"
    any re() im();
}
other_names! {
    NamedClamp "numbers are limited by `.clamp(low, high)`"
    "one limit is `.maximum(low)` or `.minimum(high)`"
    same clip(A B);
}
other_names! {
    NamedReshape "a tensor gets another shape by `.reshape([2, -1])`"
    "one size may be `-1`; all axes become one by `.flatten()`; a view of the crate `ndarray` is `.view_ndarray()`"
    any view(A) into_shape(A) into_shape_with_order(A) ravel();
}
other_names! {
    NamedBroadcast "a tensor is repeated to a larger shape by `.broadcast_to([2, 3])`"
    "operators broadcast by themselves: `&matrix + &row`"
    any expand(A) expand_as(A);
}
other_names! {
    NamedOperator "operators broadcast: `&a + &b`, `&a - &b`, `&a * &b`, `&a / &b`"
    "if the shapes may not fit, `a.try_add(&b)?` and the like return an error"
    same broadcast_add(A) broadcast_sub(A) broadcast_mul(A) broadcast_div(A);
}
other_names! {
    NamedUnsqueeze "an axis of size 1 is inserted by `.unsqueeze(axis)`"
    "it is removed by `.squeeze(axis)`"
    any insert_axis(A) expand_dims(A);
}
other_names! {
    NamedSlice "a range along an axis is `.slice(axis, start..end)`"
    "ranges along several axes are `.slice_axes(s![1.., ..-1])`"
    same narrow(A B C);
}
other_names! {
    NamedRandom "random numbers are made by `Tensor::normal(shape, mean, std, &mut rng)` and `Tensor::uniform(shape, range, &mut rng)`"
    "they need the feature `rand` of the crate `supremum`; the generator is one of the crate `rand`, which makes the numbers the same for a seed"
    make randn(A) rand(A);
}
other_names! {
    NamedJoin "tensors are joined by the functions `concat(&[&a, &b], axis)?` and `stack(&[&a, &b], axis)?`"
    "those of a `Vec` are `concat(&tensors, axis)?`; two of different dtypes are joined by `a.concat(&b, axis)`"
    make stack(A B) cat(A B);
}
other_names! {
    NamedTake "elements at given positions are `.take(&indices, axis)` and `.take_along_axis(&indices, axis)`"
    "`.take` reads whole rows, as `index_select`; `.take_along_axis` reads an element for each index, as `gather` of PyTorch; the indices are a tensor of integers"
    any gather(A B) index_select(A B);
}
other_names! {
    NamedSelect "elements are chosen by `select(&mask, then, otherwise)`, as in `select(&a.gt(0.0), &a, 0.0)`"
    "the mask is a tensor of `Bool`; the elements under it are `.masked_select(&mask)`"
    same where_(A B) where_cond(A B) masked_fill(A B) masked_fill_(A B);
}
other_names! {
    NamedMaskedSelect "the elements that meet a condition are `.masked_select(&mask)`, as in `a.masked_select(&a.not_equal(0))`"
    "there is no method for their positions: `a.iter().enumerate()` counts the elements row by row"
    any nonzero() argwhere();
}
other_names! {
    NamedWriteFile "a tensor is written to a file by `.write_npy(path)?`"
    "several tensors are written by `SafeTensorsFile::write(path, &[(\"weights\", &weights)])?` or `NpzFile::write(..)?` with the same arguments; a format needs its feature: `npy`, `npz` or `safetensors`"
    any save(A) save_npy(A) to_npy(A) write_npz(A) save_npz(A) write_safetensors(A);
}
other_names! {
    NamedRow "row `i` of a matrix is `.index_axis(0, i)`, column `j` is `.index_axis(1, j)`"
    "for writing they are `.index_axis_mut(0, i)` and `.index_axis_mut(1, j)`; `.rows()` iterates"
    any row(A) column(A) row_mut(A) column_mut(A);
}
other_names! {
    NamedMatmul "matrices are multiplied by `.matmul(&b)`"
    "it takes batches of matrices too"
    same mm(A) bmm(A);
}
other_names! {
    NamedLen "the number of elements is `.len()`, the size of an axis is `.shape()[axis]`"
    "`.shape()` is a slice of all sizes, `.sizes()` an array of them"
    any numel() size() dim() dims() nrows() ncols();
}
other_names! {
    NamedReduction "one axis is reduced by `.sum_axis(axis)`, `.mean_axis(axis)`, `.max_axis(axis)` and the like"
    "`.sum_keepdims(axis)` keeps the axis with size 1; without an axis, `.sum()` reduces all"
    any sum_dim(A) mean_dim(A) max_dim(A) min_dim(A) argmax_dim(A) argmin_dim(A) sum_all() mean_all();
}
other_names! {
    NamedItem "the only element of a tensor is `.item()?`"
    "the elements of any tensor are `.to_vec()`, row by row"
    any to_scalar();
}
other_names! {
    NamedDetach "tensors have no gradients and no devices: leave this call out"
    "a copy that shares the elements is `.clone()`"
    same detach() cpu();
}
other_names! {
    NamedWrite "elements are written through a view for writing"
    "of the whole tensor it is `t.view_mut().fill(0.0)` or `.assign(&u)`, of a part `t.slice_mut(0, 1..3).fill(0.0)` or `t.index_axis_mut(0, 1).assign(&row)`"
    any fill(A) assign(A) fill_(A);
}

other_names! {
    NamedNew "a tensor of literals is `tensor![[1.0, 2.0], [3.0, 4.0]]`"
    "that of the elements of a `Vec` is `Tensor::from_vec(elements, [2, 2])?`, of a slice or array `Tensor::from_slice(&elements, [2, 2])?`"
    make new(A);
}
other_names! {
    NamedEinsum "sums of products over named axes are the macro `einsum!(\"ij,jk->ik\", a, b)`"
    "it borrows its operands: write them without `&`"
    make einsum(A B C);
}

/// Nothing implements it: a view for writing has no operations but those in place.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a view for writing has no operations but those in place",
    label = "only elements are read through a view for writing",
    note = "`.to_tensor()` copies its elements; a view for reading, such as `t.index_axis(0, 1)`, costs no copy and has all operations"
)]
pub trait ReadView {}

/// Methods of views for writing, bounded by [`ReadView`]. Without them rustc takes the view for an iterator.
macro_rules! of_views {
    ($($method:ident)+) => {
        impl<D, N, R> TensorViewMut<'_, D, N, R> {$(
            #[doc(hidden)]
            pub fn $method<Out>(&self) -> Out
            where
                Self: ReadView,
            {
                unreachable!("no type has the bound")
            }
        )+}
    };
}

of_views! { sum mean max min any all to_vec iter exp }
