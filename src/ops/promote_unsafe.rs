//! Methods of an operand whose promotion may lose values: operations on two tensors, with that operand on the left.
//!
//! The bounds are those of the methods of [`Tensor`] under the rules `AllowUnsafe<R>`. The result follows `R`.

use super::arithmetic::binary;
use super::compare::compare;
use super::conv::{Conv, ConvOptions, conv};
use super::join::concat_arrays;
use super::matmul_in::{RightFactor, matmul_in};
use super::operand::Operand;
use super::padding::WindowPadding;
use super::results::Contracted;
use super::tensor_products::{cross, kron, outer, tensordot};
use crate::dtype::{RealDType, StaticDType};
use crate::error::{Error, named};
use crate::exec;
use crate::kernel::{BinaryOp, CompareOp};
use crate::op::{each_binary, each_comparison};
use crate::rank::{
    AddAxis, Axis, Broadcast, MatrixProduct, MayBe, PairsWith, Rank, Rank0, Rank1, Rank2, Rank3,
    Rank4, RemoveAxes, TakeAxis, VectorRanks,
};
use crate::rules::operations::*; // the groups that the rows of `op/binary.rs` name
use crate::rules::{AllowUnsafe, Rules, SafePromote, SameRules};
use crate::tensor::{PromoteUnsafe, Tensor, or_panic};

/// Writes the two forms of a method, with the documentation that refers to those of [`Tensor`]. The body gives the result.
macro_rules! forms {
    (
        $name:ident, $try_name:ident [$($parameters:tt)*] (&$self:ident $(, $argument:ident: $type:ty)*) -> $output:ty
        where { $($bounds:tt)* } $body:block
    ) => {
        forms! { @plain $name, $try_name [$($parameters)*] (&$self $(, $argument: $type)*) -> $output where { $($bounds)* } }
        forms! { @fallible $try_name [$($parameters)*] (&$self $(, $argument: $type)*) -> $output where { $($bounds)* } $body }
    };
    (
        @plain $name:ident, $try_name:ident [$($parameters:tt)*] (&$self:ident $(, $argument:ident: $type:ty)*) -> $output:ty
        where { $($bounds:tt)* }
    ) => {
        #[doc = concat!("[`Tensor::", stringify!($name), "`] with this operand on the left.")]
        ///
        /// # Panics
        #[doc = concat!("With the text of [`Self::", stringify!($try_name), "`]'s error.")]
        #[track_caller]
        pub fn $name<$($parameters)*>(&$self $(, $argument: $type)*) -> $output
        where
            $($bounds)*
        {
            or_panic($self.$try_name($($argument),*))
        }
    };
    (
        @fallible $try_name:ident [$($parameters:tt)*] (&$self:ident $(, $argument:ident: $type:ty)*) -> $output:ty
        where { $($bounds:tt)* } $body:block
    ) => {
        #[doc = concat!("[`Tensor::", stringify!($try_name), "`] with this operand on the left.")]
        ///
        /// # Errors
        #[doc = concat!("The errors of [`Tensor::", stringify!($try_name), "`].")]
        pub fn $try_name<$($parameters)*>(&$self $(, $argument: $type)*) -> Result<$output, Error>
        where
            $($bounds)*
        $body
    };
}

macro_rules! arithmetic {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*) => {
        /// # Arithmetic
        impl<D, N: Rank, R: Rules> PromoteUnsafe<D, N, R> {
            $(arithmetic!(@$form $name $try_name: $kernel, $group $(+ $Bound)?);)*
        }
    };
    (@operator $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?) => {
        arithmetic!(@write [@fallible $try_name] $kernel, $group $(+ $Bound)?);
    };
    (@method $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?) => {
        arithmetic!(@write [$name, $try_name] $kernel, $group $(+ $Bound)?);
    };
    (@write [$($names:tt)+] $kernel:ident, $group:ident $(+ $Bound:ident)?) => {
        forms! {
            $($names)+ [Rhs, P, Out, M] (&self, rhs: Rhs) -> Tensor<Out, M, R>
            where {
                D: StaticDType,
                Rhs: Operand<R>,
                R::Operand<D, N>: SafePromote<Rhs::DType, AllowUnsafe<R::$group>, Output = P>,
                P: StaticDType + $group<R::Operations, Output = Out> $(+ $Bound)?,
                Out: StaticDType,
                N: Broadcast<Rhs::Rank, Output = M>,
                M: Rank,
            } {
                binary(BinaryOp::$kernel, P::DTYPE, self, rhs)
            }
        }
    };
}

each_binary!(methods arithmetic!);

macro_rules! comparisons {
    ($($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident, |$a:ident, $b:ident| $holds:expr; { $(#[doc = $example:literal])* })*) => {
        /// # Comparisons
        impl<D, N: Rank, R: Rules> PromoteUnsafe<D, N, R> {$(
            forms! {
                $name, $try_name [Rhs, P, Out, M] (&self, rhs: Rhs) -> Tensor<Out, M, R>
                where {
                    D: StaticDType,
                    Rhs: Operand<R>,
                    R::Operand<D, N>: SafePromote<Rhs::DType, AllowUnsafe<R::$group>, Output = P>,
                    P: StaticDType + $group<R::Operations, Output = Out>,
                    Out: StaticDType,
                    N: Broadcast<Rhs::Rank, Output = M>,
                    M: Rank,
                } {
                    compare::<D, Rhs, P, AllowUnsafe<R::$group>, _, _, R>(
                        CompareOp::$kernel,
                        self.tensor.array(),
                        rhs,
                        || AllowUnsafe::<R>::RULE_SET.literal_policy(),
                    )
                }
            }
        )*}
    };
}

each_comparison!(comparisons!);

/// # Limits
impl<D, N: Rank, R: Rules> PromoteUnsafe<D, N, R> {
    forms! {
        clamp, try_clamp [Low, High, P, Raised, K, Q, Out, M] (&self, low: Low, high: High) -> Tensor<Out, M, R>
        where {
            D: StaticDType,
            Low: Operand<R>,
            High: Operand<R>,
            R::Operand<D, N>: SafePromote<Low::DType, AllowUnsafe<R::MinMax>, Output = P>,
            P: StaticDType + MinMax<R::Operations, Output = Raised>,
            Raised: StaticDType,
            N: Broadcast<Low::Rank, Output = K>,
            R::Operand<Raised, K>: SafePromote<High::DType, AllowUnsafe<R::MinMax>, Output = Q>,
            Q: StaticDType + MinMax<R::Operations, Output = Out>,
            Out: StaticDType,
            K: Broadcast<High::Rank, Output = M>,
            M: Rank,
        } {
            let raised: Tensor<Raised, K, R> =
                named("clamp", binary(BinaryOp::Max, P::DTYPE, self, low))?;
            named("clamp", binary(BinaryOp::Min, Q::DTYPE, PromoteUnsafe { tensor: raised }, high))
        }
    }
}

/// # Products
impl<A, N: Rank, R: Rules> PromoteUnsafe<A, N, R> {
    forms! {
        matmul, try_matmul [B, M, S, P, Out, K] (&self, rhs: &Tensor<B, M, S>) -> Tensor<Out, K, R>
        where {
            A: StaticDType,
            R: SameRules<S>,
            S: Rules,
            R::Operand<A, N>: SafePromote<R::Operand<B, M>, AllowUnsafe<R::MatrixMultiply>, Output = P>,
            B: StaticDType,
            P: MatrixMultiply<R::Operations, Output = Out>,
            Out: StaticDType,
            N: MatrixProduct<M, Output = K>,
            M: Rank,
            K: Rank,
        } {
            exec::matmul(self.tensor.array(), rhs.array(), Out::DTYPE).map(Tensor::from_array)
        }
    }

    forms! {
        matmul_in, try_matmul_in [Out: StaticDType] (&self, rhs: impl RightFactor<Self, Out>) -> Tensor<Out, N, R>
        where { A: StaticDType } {
            matmul_in(self.tensor.array(), rhs.erased(), Out::DTYPE).map(Tensor::from_array)
        }
    }

    forms! {
        dot, try_dot [B, M, S, P, Out] (&self, rhs: &Tensor<B, M, S>) -> Tensor<Out, Rank0, R>
        where {
            A: StaticDType,
            R: SameRules<S>,
            S: Rules,
            R::Operand<A, Rank1>: SafePromote<R::Operand<B, Rank1>, AllowUnsafe<R::MatrixMultiply>, Output = P>,
            B: StaticDType,
            P: MatrixMultiply<R::Operations, Output = Out>,
            Out: StaticDType,
            N: VectorRanks<M>,
        } {
            let lhs = named("dot", self.tensor.rank::<Rank1>())?.promote_unsafe();
            named("dot", lhs.try_matmul(&named("dot", rhs.rank::<Rank1>())?))
        }
    }

    forms! {
        tensordot, try_tensordot [B, M, S, X, Y, P, Out]
        (&self, rhs: &Tensor<B, M, S>, axes: X, rhs_axes: Y) -> Tensor<Out, Contracted<X, N, Y, M>, R>
        where {
            A: StaticDType,
            R: SameRules<S>,
            S: Rules,
            B: StaticDType,
            M: Rank,
            R::Operand<A, N>: SafePromote<R::Operand<B, M>, AllowUnsafe<R::MatrixMultiply>, Output = P>,
            P: MatrixMultiply<R::Operations, Output = Out>,
            Out: StaticDType,
            X: RemoveAxes<N, Output: AddAxis<Output: TakeAxis<<Y as RemoveAxes<M>>::Output>>>,
            Y: RemoveAxes<M>,
            X::Count: PairsWith<Y::Count>,
        } {
            let (lhs, rhs) = (self.tensor.array(), rhs.array());
            tensordot(lhs, rhs, [axes.numbers().as_slice(), rhs_axes.numbers().as_slice()], Out::DTYPE).map(Tensor::from_array)
        }
    }

    forms! {
        outer, try_outer [B, M, S, P, Out] (&self, rhs: &Tensor<B, M, S>) -> Tensor<Out, Rank2, R>
        where {
            A: StaticDType,
            R: SameRules<S>,
            S: Rules,
            B: StaticDType,
            N: MayBe<Rank1>,
            M: Rank + MayBe<Rank1>,
            R::Operand<A, Rank1>: SafePromote<R::Operand<B, Rank1>, AllowUnsafe<R::Multiply>, Output = P>,
            P: Multiply<R::Operations, Output = Out>,
            Out: StaticDType,
        } {
            outer(self.tensor.array(), rhs.array(), Out::DTYPE).map(Tensor::from_array)
        }
    }

    forms! {
        kron, try_kron [B, M, S, P, Out, K] (&self, rhs: &Tensor<B, M, S>) -> Tensor<Out, K, R>
        where {
            A: StaticDType,
            R: SameRules<S>,
            S: Rules,
            B: StaticDType,
            M: Rank,
            N: Broadcast<M, Output = K>,
            K: Rank,
            R::Operand<A, N>: SafePromote<R::Operand<B, M>, AllowUnsafe<R::Multiply>, Output = P>,
            P: Multiply<R::Operations, Output = Out>,
            Out: StaticDType,
        } {
            kron(self.tensor.array(), rhs.array(), Out::DTYPE).map(Tensor::from_array)
        }
    }

    forms! {
        cross, try_cross [B, M, S, P, Out, K]
        (&self, rhs: &Tensor<B, M, S>, axis: impl Axis) -> Tensor<Out, K, R>
        where {
            A: StaticDType,
            R: SameRules<S>,
            S: Rules,
            B: StaticDType,
            M: Rank,
            N: Broadcast<M, Output = K>,
            K: Rank,
            R::Operand<A, N>: SafePromote<R::Operand<B, M>, AllowUnsafe<R::Subtract>, Output = P>,
            P: Subtract<R::Operations, Output = Out>,
            Out: StaticDType,
        } {
            cross(self.tensor.array(), rhs.array(), axis.to_signed(), Out::DTYPE).map(Tensor::from_array)
        }
    }
}

macro_rules! convolutions {
    ($($name:ident $try_name:ident $spatial:literal $Rank:ident: $Conv:ident)*) => {
        /// # Convolutions
        impl<A: StaticDType, N: Rank, R: Rules> PromoteUnsafe<A, N, R> {$(
            forms! {
                $name, $try_name [B, M, S, P, Out]
                (&self, filters: &Tensor<B, M, S>, options: ConvOptions<$spatial, impl WindowPadding<$spatial>>) -> Tensor<Out, $Rank, R>
                where {
                    R: SameRules<S>,
                    S: Rules,
                    R::Operand<A, N>: SafePromote<R::Operand<B, M>, AllowUnsafe<R::MatrixMultiply>, Output = P>,
                    B: StaticDType,
                    P: MatrixMultiply<R::Operations, Output = Out>,
                    Out: StaticDType,
                    N: MayBe<$Rank>,
                    M: Rank + MayBe<$Rank>,
                } {
                    let arrays = [self.tensor.array(), filters.array()];
                    conv(stringify!($name), Conv::$Conv, arrays, options, Out::DTYPE).map(Tensor::from_array)
                }
            }
        )*}
    };
}

convolutions! {
    conv1d try_conv1d 1 Rank3: Forward
    conv2d try_conv2d 2 Rank4: Forward
    conv_transpose1d try_conv_transpose1d 1 Rank3: Transposed
    conv_transpose2d try_conv_transpose2d 2 Rank4: Transposed
}

/// # Joining
impl<A, N: Rank, R: Rules> PromoteUnsafe<A, N, R> {
    forms! {
        concat, try_concat [B, S, P, Out] (&self, other: &Tensor<B, N, S>, axis: impl Axis) -> Tensor<Out, N, R>
        where {
            A: StaticDType,
            R: SameRules<S>,
            S: Rules,
            R::Operand<A, N>: SafePromote<R::Operand<B, N>, AllowUnsafe<R::Join>, Output = P>,
            P: Join<R::Operations, Output = Out>,
            B: StaticDType,
            Out: StaticDType,
        } {
            let arrays = [self.tensor.array(), other.array()];
            concat_arrays("concat", &arrays, axis.to_signed(), Out::DTYPE).map(Tensor::from_array)
        }
    }
}
