//! Numbers as arguments that are `f64`.

/// A number as an argument that is an `f64`, such as the bounds of [`Tensor::arange`](crate::Tensor::arange): an `f64` or a number of a
/// type whose values all fit in one. So literals need no point, and a `usize` or `i64`, which may round, needs `as f64`.
#[diagnostic::on_unimplemented(
    message = "not every `{Self}` is an `f64`",
    label = "this argument is a number that fits in an `f64`",
    note = "convert it yourself: `n as f64`"
)]
pub trait FitsF64 {
    #[doc(hidden)]
    fn to_f64(self) -> f64;
}

// Hidden from messages: the compiler would name the bound and list the impls of `From`.
#[diagnostic::do_not_recommend]
impl<T: Into<f64>> FitsF64 for T {
    fn to_f64(self) -> f64 {
        self.into()
    }
}
