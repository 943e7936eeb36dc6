//! Bounds on other types than `Self` that a bound on a trait implies.
//!
//! If code has a trait as a bound, rustc knows the trait's bounds on `Self` and on associated types. Every user has to repeat a `where`
//! clause on a parameter. [`ImpliedBound<T>`] has `T` as an associated type, so `trait Promotes<T>: ImpliedBound<T, Is: StaticDType>`
//! implies `T: StaticDType`.

/// `Is` is always `T`, and code with this bound knows it.
// The second trait is needed: a bound hides the blanket impl, which says what `Is` is; the supertrait's `Is = T` says it again.
pub trait ImpliedBound<T>: ImpliedBoundAs<T, Is = T> {}
impl<T, Any: ?Sized> ImpliedBound<T> for Any {}

pub trait ImpliedBoundAs<T> {
    type Is;
}
impl<T, Any: ?Sized> ImpliedBoundAs<T> for Any {
    type Is = T;
}
