//! `count as f32` in an expression: a Rust number that is converted and inserted.

/// A type that Rust's `as` converts to a number; `D` is the dtype of that number, for the message.
///
/// `N` is the type itself. It is a parameter, so that rustc reports a wrong operand once: of an associated type it would report the bound
/// and the type, and of `Self` the conversion.
#[diagnostic::on_unimplemented(
    message = "`as` converts a Rust number, and `{Self}` is not one",
    label = "not a number",
    note = "`.cast::<{D}>()` converts the elements of a tensor"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait RustNumber<D, N> {
    /// Returns the number.
    fn number(self) -> N;
}

macro_rules! numbers {
    ($($number:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<D> RustNumber<D, $number> for $number {
            #[inline]
            fn number(self) -> $number {
                self
            }
        }
    )*};
}

numbers! { u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64 bool char }

/// Returns a number that `as` converts.
#[inline]
pub fn number<D, T: RustNumber<D, N>, N>(number: T) -> N {
    number.number()
}
