//! Bounds on other types than `Self` that a bound on a trait implies.
//!
//! Of a trait's bounds rustc takes those on `Self` and on associated types for granted wherever the trait is
//! a bound; a `where` clause on a parameter has to be repeated by every user. [`ImpliedBound<T>`] has `T` as an
//! associated type, so `trait Promotes<T>: Given<T, Is: StaticDType>` implies `T: StaticDType`.

/// `Is` is `T`, and whoever has the bound knows it.
// The second trait is needed: a bound hides the blanket impl, and with it what `Is` is; the supertrait's
// `Is = T` says it again.
pub trait ImpliedBound<T>: ImpliedBoundAs<T, Is = T> {}
impl<T, Any: ?Sized> ImpliedBound<T> for Any {}

pub trait ImpliedBoundAs<T> {
    type Is;
}
impl<T, Any: ?Sized> ImpliedBoundAs<T> for Any {
    type Is = T;
}
