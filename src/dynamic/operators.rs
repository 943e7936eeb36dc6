//! Operators of dynamic tensors. They panic with the text of the `try_` form's error.

use core::ops;

use super::binary::binary;
use super::functions::unary;
use super::{DynOperand, DynPromoteUnsafe, DynTensor};
use crate::dtype::{StaticDType, c128};
use crate::error::Error;
use crate::kernel::{BinaryOp, UnaryOp};
use crate::literals::Scalar;
use crate::op::{each_binary, each_unary};
use crate::ops::compute::Compute;
use crate::rank::Rank;
use crate::rules::{Operation, Rules};
use crate::tensor::{PromoteUnsafe, Tensor, or_panic};

/// Writes all impls of one operator. One generic impl takes any [`DynOperand`] on the right of a dynamic tensor. Each
/// type on its left needs an impl of its own, because operators are foreign traits.
macro_rules! operator {
    ($trait:ident::$method:ident $try_name:ident ($kernel:ident, $group:ident)) => {
        operator!(@right $trait::$method $try_name ($kernel, $group) DynTensor);
        operator!(@right $trait::$method $try_name ($kernel, $group) &DynTensor);
        operator!(@right $trait::$method $try_name ($kernel, $group) DynPromoteUnsafe);
        operator!(@right $trait::$method $try_name ($kernel, $group) &DynPromoteUnsafe);
        operator!(@left $trait::$method $try_name ($kernel, $group) [] i64);
        operator!(@left $trait::$method $try_name ($kernel, $group) [] f64);
        operator!(@left $trait::$method $try_name ($kernel, $group) [] c128);
        operator!(@left $trait::$method $try_name ($kernel, $group) [] bool);
        operator!(@left $trait::$method $try_name ($kernel, $group) [] Scalar);
        operator!(@left $trait::$method $try_name ($kernel, $group) [D: StaticDType, N: Rank, R: Rules] Tensor<D, N, R>);
        operator!(@left $trait::$method $try_name ($kernel, $group) [D: StaticDType, N: Rank, R: Rules] &Tensor<D, N, R>);
        operator!(@left $trait::$method $try_name ($kernel, $group) [D: StaticDType, N: Rank, R: Rules] PromoteUnsafe<D, N, R>);
        operator!(@left $trait::$method $try_name ($kernel, $group) [D: StaticDType, N: Rank, R: Rules] &PromoteUnsafe<D, N, R>);
    };
    (@right $trait:ident::$method:ident $try_name:ident ($kernel:ident, $group:ident) $left:ty) => {
        #[doc = concat!("Panics with the text of [`DynTensor::", stringify!($try_name), "`]'s error.")]
        impl<'a, Rhs: DynOperand<'a>> ops::$trait<Rhs> for $left {
            type Output = DynTensor;

            #[track_caller]
            fn $method(self, rhs: Rhs) -> DynTensor {
                or_panic(binary(BinaryOp::$kernel, Operation::$group, self.lower(), rhs.lower()))
            }
        }
    };
    (@left $trait:ident::$method:ident $try_name:ident ($kernel:ident, $group:ident) [$($generics:tt)*] $left:ty) => {
        operator!(@left $trait::$method $try_name ($kernel, $group) [$($generics)*] $left, DynTensor);
        operator!(@left $trait::$method $try_name ($kernel, $group) [$($generics)*] $left, &DynTensor);
        operator!(@left $trait::$method $try_name ($kernel, $group) [$($generics)*] $left, DynPromoteUnsafe, #[doc(hidden)]); // beside the same for `DynTensor`
        operator!(@left $trait::$method $try_name ($kernel, $group) [$($generics)*] $left, &DynPromoteUnsafe, #[doc(hidden)]);
    };
    (@left $trait:ident::$method:ident $try_name:ident ($kernel:ident, $group:ident) [$($generics:tt)*] $left:ty, $right:ty $(, #[$attribute:meta])?) => {
        #[doc = concat!("Panics with the text of [`DynTensor::", stringify!($try_name), "`]'s error.")]
        $(#[$attribute])?
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> ops::$trait<$right> for $left {
            type Output = DynTensor;

            #[track_caller]
            fn $method(self, rhs: $right) -> DynTensor {
                or_panic(binary(BinaryOp::$kernel, Operation::$group, self.lower(), rhs.lower()))
            }
        }
    };
}

/// Writes `lhs op= rhs`: the result must have the dtype and shape of the left side.
macro_rules! assign {
    ($trait:ident::$method:ident $tracer:literal $try_name:ident ($kernel:ident, $group:ident)) => {
        #[doc = concat!("Panics with the text of [`DynTensor::", stringify!($try_name), "`]'s error, and if the right")]
        /// side would change the dtype of the left or enlarge it.
        impl<'a, Rhs: DynOperand<'a>> ops::$trait<Rhs> for DynTensor {
            #[track_caller]
            fn $method(&mut self, rhs: Rhs) {
                let result = binary(BinaryOp::$kernel, Operation::$group, self.borrowed(), rhs.lower());
                *self = or_panic(result.and_then(|result| self.replaced_by(result, $tracer)));
            }
        }
    };
}

macro_rules! operators {
    (
        $($(#[doc = $doc:literal])+ $name:ident $try_name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, [$form:ident $($operator:tt)*] { $(#[doc = $example:literal])* })*
    ) => {
        $(operators!(@$form $name $($operator)* => $try_name $kernel, $group);)*
    };
    (@method $name:ident => $try_name:ident $kernel:ident, $group:ident) => {};
    (
        @operator $method:ident $trait:ident $symbol:literal $assign:ident::$assign_method:ident $assign_symbol:literal
        => $try_name:ident $kernel:ident, $group:ident
    ) => {
        operator!($trait::$method $try_name ($kernel, $group));
        assign!($assign::$assign_method $assign_symbol $try_name ($kernel, $group));
    };
}

each_binary!(methods operators!);

impl DynTensor {
    /// Returns the result of an assigning operator if it has the dtype and shape of this tensor.
    fn replaced_by(&self, result: Self, operation: &'static str) -> Result<Self, Error> {
        if (result.dtype(), result.weak) != (self.dtype(), self.weak) {
            return Err(Error::UnexpectedOperand {
                operation,
                expected: self.operand(),
                found: result.operand(),
            });
        }
        if result.shape() != self.shape() {
            return Err(Error::ShapeMismatch {
                operation,
                lhs: self.shape().to_vec(),
                rhs: result.shape().to_vec(),
            });
        }
        Ok(result)
    }
}

macro_rules! prefix_operators {
    ($($(#[doc = $doc:literal])+ $trait:ident::$method:ident $try_name:ident: $kernel:ident, $group:ident {})*) => {
        /// # Prefix operators
        impl DynTensor {$(
            $(#[doc = $doc])+
            ///
            /// # Errors
            /// [`Error::UndefinedOperation`], [`Error::OutOfMemory`].
            pub fn $try_name(&self) -> Result<Self, Error> {
                unary(UnaryOp::$kernel, Operation::$group, Compute::Result, self.borrowed())
            }
        )*}

        $(
            prefix_operators!(@impl $trait::$method $try_name: $kernel, $group; DynTensor);
            prefix_operators!(@impl $trait::$method $try_name: $kernel, $group; &DynTensor);
        )*
    };
    (@impl $trait:ident::$method:ident $try_name:ident: $kernel:ident, $group:ident; $operand:ty) => {
        #[doc = concat!("Panics with the text of [`DynTensor::", stringify!($try_name), "`]'s error.")]
        impl ops::$trait for $operand {
            type Output = DynTensor;

            #[track_caller]
            fn $method(self) -> DynTensor {
                or_panic(unary(UnaryOp::$kernel, Operation::$group, Compute::Result, self.lower()))
            }
        }
    };
}

each_unary!(operators prefix_operators!);
