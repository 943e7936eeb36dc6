//! Products of dynamic tensors: `matmul_in`, `tensordot`, `outer`, `kron`, `cross` and `einsum`.

use super::binary::made;
use super::operand::{DynDatum, common_rules, product_type, resolve};
use super::{DynOperand, DynTensor};
use crate::array::Array;
use crate::dtype::{DType, Loss};
use crate::error::{Error, named};
use crate::exec;
use crate::ops::einsum::{Equation, einsum_arrays};
use crate::ops::tensor_products as products;
use crate::rank::{Axes, Axis};
use crate::rules::{OperandType, Operation};

/// # Products
impl DynTensor {
    /// Computes the matrix product with sums of a dtype, which is that of the result; see
    /// [`Tensor::matmul_in`](crate::Tensor::matmul_in). Any ranks can be multiplied that [`Self::try_matmul`] multiplies. The result is
    /// strong.
    ///
    /// # Errors
    /// [`Error::NarrowAccumulator`] if the dtype does not have every value of the one that the operands promote to; else as
    /// [`Self::try_matmul`].
    ///
    /// ```
    /// use supremum::{DType, Error, I8, tensor};
    /// let x = tensor![I8; [100, 100], [1, -2]].into_dyn();
    /// assert_eq!(x.try_matmul_in(tensor![I8; 100, 1], DType::I32)?.to_string(), "[10100,    98] i32 [2]");
    /// assert_eq!(
    ///     x.try_matmul_in(&x, DType::U32).unwrap_err().to_string(),
    ///     "matmul_in: products of i8 do not accumulate in u32, which loses range"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_matmul_in<'a>(
        &'a self,
        rhs: impl DynOperand<'a>,
        dtype: DType,
    ) -> Result<Self, Error> {
        const OPERATION: &str = "matmul_in";
        let (lhs, mut rhs) = (self.borrowed(), rhs.lower());
        let rules = common_rules(OPERATION, [&lhs, &rhs])?;
        let resolved = resolve(OPERATION, Operation::MatrixMultiply, &lhs, &rhs, rules)?;
        let promoted = resolved.promoted.dtype;
        let loss = match promoted.loss_to(dtype) {
            Loss::None => None,
            Loss::Precision => Some("precision"),
            Loss::Range => Some("range"),
        };
        if let Some(loss) = loss {
            return Err(Error::NarrowAccumulator {
                operation: OPERATION,
                promoted,
                accumulator: dtype,
                loss,
            });
        }
        let result = OperandType::dimensioned(dtype);
        rules.operation(Operation::MatrixMultiply, result)?;
        let rhs = rhs.convert_literal(OPERATION, promoted, || resolved.literal_policy())?;
        let array = named(
            OPERATION,
            exec::matmul(self.array(), &*rhs.into_array()?, dtype),
        )?;
        Ok(made(array, result, rules))
    }

    /// Sums products of the elements of both tensors over axes of this one and as many of the other one; see
    /// [`Tensor::tensordot`](crate::Tensor::tensordot).
    ///
    /// # Errors
    /// As [`Self::try_matmul`] and [`Tensor::try_tensordot`](crate::Tensor::try_tensordot).
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let (a, b) = (DynTensor::ones(DType::F32, [2, 3])?, DynTensor::ones(DType::F16, [4, 3])?);
    /// let sums = a.try_tensordot(&b, -1, -1)?;
    /// assert_eq!((sums.dtype(), sums.shape()), (DType::F32, &[2, 4][..]));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_tensordot<'a>(
        &'a self,
        rhs: impl DynOperand<'a>,
        axes: impl Axes,
        rhs_axes: impl Axes,
    ) -> Result<Self, Error> {
        let (operation, group) = ("tensordot", Operation::MatrixMultiply);
        let product = |axes: [Option<&[isize]>; 2]| {
            self.combined(operation, group, rhs.lower(), |a, b, out| {
                products::tensordot(a, b, axes, out)
            })
        };
        product([axes.numbers().as_slice(), rhs_axes.numbers().as_slice()])
    }

    /// Multiplies each element of a vector by each of another one; see [`Tensor::outer`](crate::Tensor::outer).
    ///
    /// # Errors
    /// The errors of [`Self::try_mul`]; [`Error::RankMismatch`] if one has another rank than 1.
    pub fn try_outer<'a>(&'a self, rhs: impl DynOperand<'a>) -> Result<Self, Error> {
        self.combined("outer", Operation::Multiply, rhs.lower(), products::outer)
    }

    /// Computes the Kronecker product; see [`Tensor::kron`](crate::Tensor::kron).
    ///
    /// # Errors
    /// The errors of [`Self::try_mul`]; [`Error::RankTooLarge`] above rank 4.
    pub fn try_kron<'a>(&'a self, rhs: impl DynOperand<'a>) -> Result<Self, Error> {
        self.combined("kron", Operation::Multiply, rhs.lower(), products::kron)
    }

    /// Computes the cross products of vectors along an axis; see [`Tensor::cross`](crate::Tensor::cross).
    ///
    /// # Errors
    /// As [`Self::try_sub`] and [`Tensor::try_cross`](crate::Tensor::try_cross).
    pub fn try_cross<'a>(
        &'a self,
        rhs: impl DynOperand<'a>,
        axis: impl Axis,
    ) -> Result<Self, Error> {
        self.combined("cross", Operation::Subtract, rhs.lower(), |a, b, out| {
            products::cross(a, b, axis.to_signed(), out)
        })
    }

    /// Finds the dtype of an operation on two operands, and runs it.
    fn combined(
        &self,
        operation: &'static str,
        group: Operation,
        mut rhs: DynDatum<'_>,
        run: impl FnOnce(&Array, &Array, DType) -> Result<Array, Error>,
    ) -> Result<Self, Error> {
        let lhs = self.borrowed();
        let rules = common_rules(operation, [&lhs, &rhs])?;
        let resolved = resolve(operation, group, &lhs, &rhs, rules)?;
        let promoted = resolved.promoted.dtype;
        let rhs = rhs.convert_literal(operation, promoted, || resolved.literal_policy())?;
        let array = run(self.array(), &*rhs.into_array()?, resolved.result.dtype)?;
        Ok(made(array, resolved.result, rules))
    }

    /// Sums products of elements over named axes; see [`einsum!`](crate::einsum), which checks the equation when it compiles.
    ///
    /// # Errors
    /// [`Error::Equation`] with the place of a mistake in the equation; [`Error::LengthMismatch`] if it has another number of terms than
    /// there are operands; [`Error::SubscriptRank`], [`Error::SubscriptSize`]; of dtypes and rules those of [`Self::try_matmul`];
    /// [`Error::RankTooLarge`], [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error};
    /// let (a, b) = (DynTensor::ones(DType::I8, [2, 3])?, DynTensor::ones(DType::BF16, [3])?);
    /// let sums = DynTensor::try_einsum("ij,j->i", &[&a, &b])?;
    /// assert_eq!(sums.to_string(), "[3.0, 3.0] bf16 [2]");
    /// assert_eq!(
    ///     DynTensor::try_einsum("ij,k->l", &[&a, &b]).unwrap_err().to_string(),
    ///     "einsum: `l` at position 6 of `ij,k->l`: a letter of the result is in no operand"
    /// );
    /// # Ok::<(), Error>(())
    /// ```
    pub fn try_einsum(equation: &str, operands: &[&Self]) -> Result<Self, Error> {
        const OPERATION: &str = "einsum";
        let parsed = Equation::of(equation)?;
        if operands.len() != parsed.operands() {
            return Err(Error::LengthMismatch {
                operation: OPERATION,
                what: "operands",
                expected: parsed.operands(),
                found: operands.len(),
            });
        }
        let data: Vec<_> = operands.iter().map(|operand| operand.borrowed()).collect();
        let rules = common_rules(OPERATION, &data)?;
        let result = product_type(OPERATION, &data, rules)?;
        let arrays: Vec<&Array> = operands.iter().map(|operand| operand.array()).collect();
        let array = einsum_arrays(&parsed, &arrays, result.dtype)?;
        Ok(made(array, result, rules))
    }

    /// [`Self::try_einsum`] of operands that fit the equation.
    ///
    /// # Panics
    /// With the text of its error.
    #[track_caller]
    #[must_use]
    pub fn einsum(equation: &str, operands: &[&Self]) -> Self {
        exec::or_panic(Self::try_einsum(equation, operands))
    }
}
