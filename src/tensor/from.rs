//! `From` of values to a tensor and between tensors, from a tensor of rank 0 to its element, and from one of rank 1 to a `Vec`.
//!
//! One impl of `From` makes tensors of all values. With an impl for each type, rustc would write its own message and list the impls below
//! it. The trait [`Makes`] has an impl for each type instead, and a message of ours.
//!
//! Rust has `From` between numbers if no value is lost. Tensors have it in the same cases, with the same `.into()`. If
//! a type does not match (E0308) and a `From` would convert the value, rustc proposes `.into()`. That is the only part
//! of the message that depends on the library.
//!
//! Integers have no `From` to another dtype. With such a `From`, `let y: Tensor<I32, Rank2> = a.matmul(&b)` of two `I8`
//! would compile after the user adds the `.into()` that rustc proposes, but the products have already wrapped in `i8`.
//! A float that is widened too late has only rounded, as its own dtype promises.

use super::Tensor;
use crate::dtype::{StaticDType, StrongDType, Weak, c128};
use crate::rank::{Rank, Rank0, Rank1};
use crate::rules::{Rules, SafePromote};
use crate::tensor::or_panic;

/// A tensor that `from` and `into` make. Bounds are on this type, because rustc reports `From` or `Into` in place of a bound on the tensor.
#[cfg_attr(doc, doc(hidden))]
#[derive(Debug)]
pub struct Target<To>(pub(crate) To);

/// Makes a tensor of elements in an array, a slice or a `Vec`, or of a tensor all of whose values its dtype has.
// Each impl either is not recommended or is for a type parameter. Rustc would list other impls below the message.
#[diagnostic::on_unimplemented(
    message = "`from` and `into` make no such tensor of `{Value}`",
    label = "not made of `{Value}`",
    note = "they convert elements in an array, a slice or a `Vec`, and tensors of narrower floats; of literals it is `tensor![F32; 1.0, 2.0]`, of one number `Tensor::<F32, Rank0>::scalar(x)`, of an iterator `.collect::<Tensor<F32>>()`, of elements and a shape `Tensor::<F32, Rank2>::from_vec(elements, [2, 3])?`; another dtype is `.cast::<F32>()`, another rank `.rank::<Rank2>()?` or `.reshape([2, 3])`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Makes<Value> {
    #[doc(hidden)]
    fn make(value: Value) -> Self;
}

/// Implemented for no type. It refuses numbers that are operands: literals, and variables of the types `i64`, `f64`, `bool` and
/// `Complex<f64>`.
#[diagnostic::on_unimplemented(
    message = "`from` and `into` make no tensor of one number",
    label = "a number is an operand without a conversion",
    note = "beside a tensor write the number alone: `0.5 + &t`, `&t * 0.5`; a tensor of rank 0 is `Tensor::<F32, Rank0>::scalar(0.5)`, a vector of literals `tensor![F32; 0.5]`, a tensor of equal elements `Tensor::<F32, Rank2>::full([2, 3], 0.5)`"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OfOneNumber {}

// The types of literals. With a second float type, rustc would report `Makes` in place of the bound.
macro_rules! numbers {
    ($($number:ty)*) => {$(
        #[doc(hidden)]
        impl<T: OfOneNumber> Makes<$number> for T {
            fn make(_: $number) -> Self {
                unreachable!("the bound never holds")
            }
        }
    )*};
}

numbers! { i64 f64 bool c128 }

/// Arrays, slices and vectors are copied. A tensor is converted to a float dtype that has all its values. If only its rank is forgotten,
/// the two share their elements.
///
/// # Panics
/// Without memory, with the text of [`Error::OutOfMemory`](crate::Error::OutOfMemory).
///
/// ```
/// use supremum::{F32, Rank1, Rank2, Tensor};
/// let vector: Tensor<F32, Rank1> = vec![0.5, 1.5].into();
/// let matrix = Tensor::<F32, Rank2>::from([[1.0, 2.0], [3.0, 4.0]]);
/// assert_eq!((vector[1], matrix[[1, 0]]), (1.5, 3.0));
/// ```
#[rustfmt::skip] // On one line, because the compiler quotes it.
impl<Value, D, N, R> From<Value> for Tensor<D, N, R> where Target<Self>: Makes<Value> { // e.g. `Tensor::<F32, Rank1>::from([0.5, 1.5])`
    #[track_caller]
    fn from(value: Value) -> Self {
        Target::make(value).0
    }
}

/// The claim that a tensor has the dtype, rank and rules of a [`TargetTensor`]. Only this crate can make it.
#[doc(hidden)]
#[derive(Debug)]
pub struct SameParts(());

impl SameParts {
    pub(super) const fn new() -> Self {
        Self(())
    }
}

/// The dtype, the rank and the rules of a tensor that is made.
#[doc(hidden)]
pub trait TargetTensor {
    type DType;
    type Rank;
    type Rules;

    /// Wraps a tensor of this dtype, rank and rules. Generic code calls it if its bounds imply that they are the same, but the compiler
    /// does not see that.
    fn of<D, N, R>(tensor: Tensor<D, N, R>, same: SameParts) -> Self;
}

#[diagnostic::do_not_recommend]
impl<D, N, R> TargetTensor for Target<Tensor<D, N, R>> {
    type DType = D;
    type Rank = N;
    type Rules = R;

    fn of<From, M, S>(tensor: Tensor<From, M, S>, _: SameParts) -> Self {
        Target(Tensor::wrap(tensor.array))
    }
}

/// Requires the same rank and rules. A bound on the dtype follows on `Then`, so that there is one message for both.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`from` and `into` change the dtype of a tensor, but not its rank or its rules",
    label = "rank and rules are `{Same}`, not `{Self}`",
    note = "to another rank it is `.rank::<Rank2>()?` if the rank is known at run time only, else `.reshape([4])` or `.into_any()`, which also tensors of several ranks in one `Vec` need; other rules are `.with_rules::<Numpy>()`"
)]
pub trait Keeps<Same> {
    type Then<T>;
}

#[diagnostic::do_not_recommend]
impl<Same> Keeps<Same> for Same {
    type Then<T> = T;
}

/// A dtype other than `D` that has all values of `D`. No dtype is wider than an integer one.
// Not `WidensTo`, which holds for each dtype and itself: the compiler has to see that `From<T> for T` remains the standard library's.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`.into()` converts no tensor of `{D}` to `{Self}`",
    label = "`{D}` is an integer, or has values that `{Self}` does not have",
    note = "`.cast::<{Self}>()` converts every value, and rounds or wraps those that `{Self}` does not have; `.widen::<{Self}>()` compiles if it has them all; integer results may have wrapped by then: convert an operand, `a.widen::<{Self}>() * &b`, or choose the dtype of a product of matrices, `a.matmul_in::<{Self}>(&b)`; where the dtype is chosen at run time, each branch gives a dynamic tensor, `x.into_dyn()`"
)]
pub trait Wider<D>: StrongDType {}

macro_rules! elements {
    ($D:ty => $To:ty) => {
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<R: Rules> From<Tensor<$D, Rank0, R>> for <$To as StaticDType>::Element {
            #[track_caller]
            fn from(tensor: Tensor<$D, Rank0, R>) -> Self {
                or_panic(tensor.cast::<$To>().item())
            }
        }
    };
}

macro_rules! widenings {
    ($($D:ident $kind:ident: $($To:ident)*;)*) => {$(
        widenings! { @$kind $D: $($To)* }
        // Most integers have one other impl, for `Bool`. Rustc prints the only impl of a type below the message, so they get a second one.
        #[diagnostic::do_not_recommend]
        impl Wider<Weak<crate::dtype::$D>> for crate::dtype::$D {}
        $(elements! { crate::dtype::$D => crate::dtype::$To })*
        elements! { crate::dtype::$D => crate::dtype::$D }

        // Without `do_not_recommend`, so that the message of `Wider` is printed.
        #[doc(hidden)]
        impl<T, N, R> Makes<Tensor<crate::dtype::$D, N, R>> for T
        where
            T: TargetTensor<DType: StaticDType>,
            (T::Rank, T::Rules): Keeps<(N, R), Then<T::DType>: Wider<crate::dtype::$D>>,
            N: Rank,
            R: Rules,
        {
            #[track_caller]
            fn make(tensor: Tensor<crate::dtype::$D, N, R>) -> Self {
                T::of(tensor.cast::<T::DType>(), SameParts::new())
            }
        }

        /// The reverse of `From<Vec<_>>`.
        #[doc(hidden)]
        #[diagnostic::do_not_recommend]
        impl<R: Rules> From<Tensor<crate::dtype::$D, Rank1, R>> for Vec<<crate::dtype::$D as StaticDType>::Element> {
            #[track_caller]
            fn from(tensor: Tensor<crate::dtype::$D, Rank1, R>) -> Self {
                tensor.to_vec()
            }
        }
    )*};
    (@Signed $($dtypes:tt)*) => {};
    (@Unsigned $($dtypes:tt)*) => {};
    (@$kind:ident $D:ident: $($To:ident)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl Wider<crate::dtype::$D> for crate::dtype::$To {}
        )*
    };
}

supremum_macros::with_widenings! { widenings }

/// A weak tensor yields to `To`, as it does beside an operand of `To`.
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<W, To, N, R> Makes<Tensor<Weak<W>, N, R>> for Target<Tensor<To, N, R>>
where
    W: StrongDType,
    To: StrongDType + SafePromote<Weak<W>, R, Output = To>,
    N: Rank,
    R: Rules,
{
    #[track_caller]
    fn make(tensor: Tensor<Weak<W>, N, R>) -> Self {
        Target(tensor.cast())
    }
}
