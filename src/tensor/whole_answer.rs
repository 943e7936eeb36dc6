//! What `a == b` answers: a `bool`, without the methods that NumPy's answer by element has.

/// Implemented by no type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "operators compare whole tensors: `a == b` is one `bool`",
    label = "a method of a comparison by element",
    note = "by element, tensors compare by methods, which give a tensor of `Bool`: `a.equal(&b).sum()`, `a.not_equal(&b).any()`, `a.lt(1.0).all()`; of one `bool`, `all` and `any` would be the `bool` itself"
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
}

impl WholeAnswer for bool {}
