//! Functions of one tensor, by element.

use std::borrow::Cow;

use super::DynTensor;
use super::binary::{made, typed};
use super::operand::{DynDatum, common_rules};
use crate::array::Array;
use crate::dtype::DType;
use crate::error::Error;
use crate::exec;
use crate::kernel::UnaryOp;
use crate::op::each_unary;
use crate::ops::compute::Compute;
use crate::rules::Operation;

pub(super) fn unary(
    op: UnaryOp,
    group: Operation,
    compute: Compute,
    mut x: DynDatum<'_>,
) -> Result<DynTensor, Error> {
    let rules = common_rules(op.name(), [&x])?;
    let result = x.result(op.name(), group, rules)?;
    let compute = compute.dtype(x.operand(rules).dtype, result.dtype);
    let x = x.convert_literal(op.name(), compute, || rules.literal_policy())?;
    let made = exec::unary(op, compute, result.dtype, x.into_array()?);
    typed(made, result, rules)
}

impl DynTensor {
    /// Runs an operation on this tensor alone, the dtype of whose result a group of operations decides.
    ///
    /// # Errors
    /// [`Error::UndefinedOperation`], and those of the operation.
    pub(super) fn of_group(
        &self,
        operation: &'static str,
        group: Operation,
        run: impl FnOnce(&Array, DType) -> Result<Array, Error>,
    ) -> Result<Self, Error> {
        let result = self.borrowed().result(operation, group, self.rules())?;
        let array = run(self.array(), result.dtype)?;
        Ok(made(array, result, self.rules()))
    }
}

macro_rules! functions {
    ($(
        $(#[doc = $doc:literal])+
        $name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, $compute:ident { $(#[doc = $example:literal])* }
    )*) => {
        supremum_macros::with_try_names! {
        /// # Functions
        impl DynTensor {$(
            $(#[doc = $doc])+
            ///
            #[doc = concat!("See [`Tensor::", stringify!($name), "`](crate::Tensor::", stringify!($name), ").")]
            ///
            /// # Errors
            /// [`Error::UndefinedOperation`], [`Error::OutOfMemory`].
            pub fn $name(&self) -> Result<Self, Error> {
                unary(UnaryOp::$kernel, Operation::$group, Compute::$compute, self.borrowed())
            }

            #[doc = concat!("[`Self::", stringify!($name), "`], under the name that a fallible form has.")]
            ///
            /// # Errors
            #[doc = concat!("The errors of [`Self::", stringify!($name), "`].")]
            pub fn [try_ $name](&self) -> Result<Self, Error> {
                self.$name()
            }
        )*}}
    };
}

each_unary!(methods functions!);

/// # Complex conjugates
impl DynTensor {
    /// Returns the complex conjugate; a real number is its own conjugate.
    ///
    /// # Panics
    /// Without memory, with the text of [`Error::OutOfMemory`].
    #[must_use]
    pub fn conj(&self) -> Self {
        let x = Cow::Borrowed(self.array());
        let dtype = self.dtype();
        self.with(exec::unary(UnaryOp::Conj, dtype, dtype, x).array_or_panic())
    }
}
