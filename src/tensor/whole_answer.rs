//! Methods of tensors on values that are not tensors, defined for their messages: on `bool`, which `a == b` gives, on
//! elements, which `for x in &tensor` gives, on `Result`, which functions of a `DynTensor` give, and on numbers.

use super::Tensor;
use crate::dtype::{bf16, c64, c128, f16};
use crate::error::Error;

/// Writes methods that never compile, and implements a trait for numbers.
macro_rules! elements {
    // The bound is of any tokens, so that rustc quotes the call.
    (@methods $bound:tt $($name:ident ($($argument:ident)*))*) => {
        $(elements!(@method $bound $name ($($argument)*));)*
    };
    (@method [$($Part:tt)+] $name:ident ($($argument:ident)*)) => {
        /// Never compiles.
        fn $name<T $(, $argument)*>(self $(, _: $argument)*) -> T
        where
            for<'a> Self: $($Part)+,
        {
            unreachable!("no type has the bound")
        }
    };
    (@numbers $($number:ty)*) => {
        $(impl ElementOfLoop for $number {})*
    };
}

/// Implemented by no type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "operators compare whole tensors: `a == b` is one `bool`, and `&&` joins two",
    label = "a method of a comparison by element",
    note = "by element, tensors compare by methods, which give a tensor of `Bool`: `a.equal(&b).sum()`, `a.equal(&b).cast::<F32>().mean()`, `a.not_equal(&b).any()`, `a.lt(1).all()`; masks are joined by `a & b` and `a | b`, not by `&&` and `||`; of one `bool`, `all` and `any` would be the `bool` itself",
    note = "of a `t: &&Tensor`, as in `.iter().filter(|t| ..)`, Rust finds the `gt` of references first, which compares whole tensors: write `(*t).gt(1)`"
)]
pub trait ByElement {}

/// The methods that users of NumPy call on the answer of `==`. The prelude imports the trait, so that such a call says what to write;
/// without it rustc says that a `bool` is no iterator.
#[doc(hidden)]
pub trait WholeAnswer: Sized {
    /// Never compiles.
    fn sum<T>(self) -> T
    where
        Self: ByElement,
    {
        unreachable!("no type has the bound")
    }

    /// Never compiles.
    fn any<T>(self) -> T
    where
        Self: ByElement,
    {
        unreachable!("no type has the bound")
    }

    /// Never compiles.
    fn all<T>(self) -> T
    where
        Self: ByElement,
    {
        unreachable!("no type has the bound")
    }

    /// Never compiles.
    fn mean<T>(self) -> T
    where
        Self: ByElement,
    {
        unreachable!("no type has the bound")
    }

    /// Never compiles.
    fn item<T>(self) -> T
    where
        Self: ByElement,
    {
        unreachable!("no type has the bound")
    }

    /// Never compiles. Without it rustc proposes to import the trait that converts elements.
    fn cast<To>(self) -> Tensor<To>
    where
        Self: ByElement,
    {
        unreachable!("no type has the bound")
    }
}

impl WholeAnswer for bool {}

/// Implemented by no type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this is an element and not a tensor: `for x in &t`, `t.iter()` and `t[[0, 1]]` give elements",
    label = "a method of tensors",
    note = "the rows are `t.rows()`, the parts along any axis `t.axis_iter(0)`: `for row in t.rows() {{ .. }}`; one row is `t.index_axis(0, 1)`"
)]
pub trait Part {}

/// The methods of tensors that users of NumPy, PyTorch and `ndarray` call on the rows of a loop. The prelude imports the trait.
#[doc(hidden)]
#[rustfmt::skip] // On few lines, because the compiler quotes them.
pub trait ElementOfLoop: Sized {
    elements!(@methods [Part] sum() mean() std() var() item() iter() rows() shape() to_vec() all() any() argmax() argmin());
    elements!(@methods [Part] dot(A) matmul(A) index_axis(A B) slice(A B) sum_axis(A) mean_axis(A) max_axis(A) min_axis(A));
}

/// Implemented by no type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this is a `Result`, and its tensor is taken out first, by `?`",
    label = "a method of what the `Result` holds",
    note = "write `?` before the method: `x.exp()?.sum()`, `try_concat([&a, &b], 0)?.sum()`; in a function that returns no `Result` it is `.unwrap()`"
)]
pub trait TakenOut {}

/// The methods of tensors that iterators have too: of these rustc proposes `.into_iter().sum()` where users call them on the results of
/// fallible functions. For other methods it proposes `?`. The prelude imports the trait.
#[doc(hidden)]
#[rustfmt::skip] // On one line, because the compiler quotes it.
pub trait FallibleAnswer: Sized {
    elements!(@methods [TakenOut] sum() max() min() any() all() flatten() take(A B) gt(A) ge(A) lt(A) le(A));
}

impl<T> FallibleAnswer for Result<T, Error> {}

/// Implemented by no type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a number is raised to the powers in a tensor by `fuse!(2.0.pow(a))`, after `let a = ..;`",
    label = "a method of tensors",
    note = "outside of an expression it is `Tensor::<F64, Rank0>::scalar(2.0).pow(&a)`; a number has `.powf(0.5)` and `.powi(2)` for another number"
)]
pub trait RaisedByTensor {}

/// `pow` of floats, which have no such method of their own: of it rustc proposes to import a trait of `num_traits`. The method takes
/// `&mut self`, although it changes nothing, so that a call means that trait's method where it is imported. The prelude imports the trait.
#[doc(hidden)]
pub trait NumberToPower {
    /// Never compiles.
    #[rustfmt::skip] // On one line, because the compiler quotes it.
    fn pow<T, A>(&mut self, _: A) -> T where for<'a> Self: RaisedByTensor {
        unreachable!("no type has the bound")
    }
}

impl NumberToPower for f32 {}
impl NumberToPower for f64 {}

elements!(@numbers i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128);
