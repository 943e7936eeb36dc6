//! Shorthand bounds of generic code over one dtype: [`Arithmetic`] and [`Floating`].

use super::Jax;
use super::promote::{Rules, SafePromote};
use crate::dtype::implied_bound::ImpliedBound;
use crate::dtype::{Bool, RealDType, StaticDType};
use crate::rank::{AnyRank, Broadcast, Rank, Rank0, Rank1, Rank2};
use crate::rule_set::operations::{
    Absolute, Activation, Add, Atan2, CumulativeSum, Divide, Equality, FloatClass, Floor,
    FloorDivide, Join, MatrixMultiply, Mean, MinMax, MinMaxReduce, Multiply, Negate, Ordering,
    Power, Reciprocal, Round, Sign, Subtract, Sum, UnaryFloat, Variance,
};

/// Declares traits that imply a list of bounds, each with a blanket impl.
///
/// Bounds on `Self` become supertraits. Rust does not imply bounds on other types (`Of<Self, N, R>: ..`), so these
/// go through [`ImpliedBound`].
macro_rules! shorthands {
    ($(
        $(#[$attribute:meta])*
        $name:ident: { $($of_self:tt)+ } $({ $other:ty: $($of_other:tt)+ })*
    )+) => {$(
        $(#[$attribute])*
        pub trait $name<R: Rules = Jax, N: Rank = AnyRank>: $($of_self)+ $(+ ImpliedBound<$other, Is: $($of_other)+>)* {}

        #[diagnostic::do_not_recommend]
        impl<D, R: Rules, N: Rank> $name<R, N> for D
        where
            D: $($of_self)+,
            $($other: $($of_other)+,)*
        {
        }
    )+};
}

type Of<D, N, R> = <R as Rules>::Operand<D, N>;

shorthands! {
    /// A dtype that is closed under `+`, `-`, `*` and negation, under the rules `R` and at the rank `N`: the one bound
    /// that generic code over rules needs.
    ///
    /// Each of these operations between two tensors of dtype `Self` gives a tensor of dtype `Self`. The other operand
    /// may also be an integer literal or a tensor of rank zero, and on the right a vector if
    /// `N: Broadcast<Rank1, Output = N>` is stated. `equal` and `not_equal` give a tensor of `Bool`, and `select` and
    /// `concat` give the dtype back.
    ///
    /// ```
    /// use supremum::{Arithmetic, Rank, Rules, Tensor};
    ///
    /// fn square_plus<D: Arithmetic<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>, y: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    ///     x * x + y * 2 - 1
    /// }
    /// # use supremum::{I16, Numpy, Rank1, tensor};
    /// # let x: Tensor<I16, Rank1, Numpy> = tensor![3];
    /// # assert_eq!(square_plus(&x, &x).to_vec(), [14]);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "`+`, `-` and `*` do not give `{Self}` back under `{R}` rules",
        label = "not an arithmetic dtype",
        note = "cast first, e.g. `.cast::<I32>()`; generic code states it as a bound: `D: Arithmetic<R, N>`"
    )]
    Arithmetic: {
        StaticDType
        + Add<R::Operations, Output = Self>
        + Subtract<R::Operations, Output = Self>
        + Multiply<R::Operations, Output = Self>
        + Negate<R::Operations, Output = Self>
        + Equality<R::Operations, Output = Bool>
        + Join<R::Operations, Output = Self>
    }
    { Of<Self, N, R>:
        SafePromote<Of<Self, N, R>, R::Add, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Subtract, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Multiply, Output = Self>
        + SafePromote<Of<Self, Rank0, R>, R::Add, Output = Self>
        + SafePromote<Of<Self, Rank0, R>, R::Subtract, Output = Self>
        + SafePromote<Of<Self, Rank0, R>, R::Multiply, Output = Self>
        + SafePromote<Of<Self, Rank1, R>, R::Add, Output = Self>
        + SafePromote<Of<Self, Rank1, R>, R::Subtract, Output = Self>
        + SafePromote<Of<Self, Rank1, R>, R::Multiply, Output = Self>
        + SafePromote<R::Int, R::Add, Output = Self>
        + SafePromote<R::Int, R::Subtract, Output = Self>
        + SafePromote<R::Int, R::Multiply, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Equality, Output = Self>
        + SafePromote<R::Int, R::Equality, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Join, Output = Self>
        + SafePromote<R::Int, R::Join, Output = Self>
    }
    { R::Int:
        SafePromote<Of<Self, N, R>, R::Add, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Subtract, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Multiply, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Join, Output = Self>
    }
    { N: Broadcast<N, Output = N> + Broadcast<Rank0, Output = N> }
    { Rank0: Broadcast<N, Output = N> }

    /// A real float dtype: an [`Arithmetic`] dtype that is closed under the float operations too.
    ///
    /// These are `/`, `floor_div`, powers, `minimum` and `maximum`, `hypot` and `atan2`, `matmul` of two matrices, the float
    /// functions (also those of real numbers only, such as `gelu`), `recip`, `abs`, `sign`, `round`, `floor` and `ceil`, `sum`,
    /// `cumsum`, `mean`, `var`, `std`, `min` and `max`. Float literals keep the dtype as well. `lt`, `le`, `gt`, `ge`, `is_nan` and
    /// the like give a tensor of `Bool`.
    ///
    /// ```
    /// use supremum::{Floating, Rank, Rank0, Rules, Tensor};
    ///
    /// fn mse<D: Floating<R, N>, N: Rank, R: Rules>(a: &Tensor<D, N, R>, b: &Tensor<D, N, R>) -> Tensor<D, Rank0, R> {
    ///     (a - b).pow(2).mean()
    /// }
    /// # use supremum::{F16, Rank1, Torch, tensor};
    /// # let (a, b): (Tensor<F16, Rank1, Torch>, Tensor<F16, Rank1, Torch>) = (tensor![3.0], tensor![1.0]);
    /// # assert_eq!(mse(&a, &b).to_vec()[0].to_f32(), 4.0);
    /// ```
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not a float to compute with under `{R}` rules",
        label = "float operations give another dtype, or are not defined",
        note = "cast to a float dtype first, e.g. `.cast::<F32>()`: integers are no floats, and under `Numpy` rules `BF16` and 8-bit floats beside float literals give `F32`; generic code states it as a bound: `D: Floating<R, N>`"
    )]
    Floating: {
        Arithmetic<R, N>
        + RealDType
        + Divide<R::Operations, Output = Self>
        + Power<R::Operations, Output = Self>
        + MatrixMultiply<R::Operations, Output = Self>
        + MinMax<R::Operations, Output = Self>
        + UnaryFloat<R::Operations, Output = Self>
        + Activation<R::Operations, Output = Self>
        + Reciprocal<R::Operations, Output = Self>
        + Sum<R::Operations, Output = Self>
        + Mean<R::Operations, Output = Self>
        + Variance<R::Operations, Output = Self>
        + MinMaxReduce<R::Operations, Output = Self>
        + Ordering<R::Operations, Output = Bool>
        + Absolute<R::Operations, Output = Self>
        + Sign<R::Operations, Output = Self>
        + Floor<R::Operations, Output = Self>
        + Round<R::Operations, Output = Self>
        + FloorDivide<R::Operations, Output = Self>
        + Atan2<R::Operations, Output = Self>
        + FloatClass<R::Operations, Output = Bool>
        + CumulativeSum<R::Operations, Output = Self>
    }
    { Of<Self, N, R>:
        SafePromote<Of<Self, N, R>, R::Divide, Output = Self>
        + SafePromote<Of<Self, N, R>, R::MinMax, Output = Self>
        + SafePromote<Of<Self, Rank0, R>, R::Divide, Output = Self>
        + SafePromote<Of<Self, Rank1, R>, R::Divide, Output = Self>
        + SafePromote<R::Int, R::Divide, Output = Self>
        + SafePromote<R::Int, R::Power, Output = Self>
        + SafePromote<R::Float, R::Add, Output = Self>
        + SafePromote<R::Float, R::Subtract, Output = Self>
        + SafePromote<R::Float, R::Multiply, Output = Self>
        + SafePromote<R::Float, R::Divide, Output = Self>
        + SafePromote<R::Float, R::MinMax, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Ordering, Output = Self>
        + SafePromote<R::Int, R::Ordering, Output = Self>
        + SafePromote<R::Float, R::Ordering, Output = Self>
        + SafePromote<R::Float, R::Equality, Output = Self>
        + SafePromote<R::Int, R::MinMax, Output = Self>
        + SafePromote<R::Float, R::Join, Output = Self>
        + SafePromote<Of<Self, N, R>, R::FloorDivide, Output = Self>
        + SafePromote<R::Int, R::FloorDivide, Output = Self>
        + SafePromote<R::Float, R::FloorDivide, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Atan2, Output = Self>
        + SafePromote<R::Float, R::Atan2, Output = Self>
        + SafePromote<R::Float, R::Power, Output = Self>
    }
    { Of<Self, Rank2, R>: SafePromote<Of<Self, Rank2, R>, R::MatrixMultiply, Output = Self> }
    { R::Int: SafePromote<Of<Self, N, R>, R::Divide, Output = Self> }
    { R::Float:
        SafePromote<Of<Self, N, R>, R::Add, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Subtract, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Multiply, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Divide, Output = Self>
        + SafePromote<Of<Self, N, R>, R::Join, Output = Self>
    }
}
