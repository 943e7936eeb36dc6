//! The operation and the operands that an error of the rules names.

use core::fmt;

use super::{Error, SizedAxis};
use crate::literals::Scalar;
use crate::rule_set::OperandType;

/// An operation on dynamic tensors, with its operands.
#[derive(Clone, Debug, PartialEq)]
pub struct OpContext {
    /// The operation.
    pub operation: &'static str,
    /// The name of the rules that the operands follow. They may promote by others for this operation.
    pub rules: &'static str,
    /// Its operands.
    pub operands: Vec<ErrorOperand>,
}

/// An operand of a failed operation.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorOperand {
    /// A tensor.
    Tensor {
        /// Its operand type: the dtype, and whether it is weak or of rank zero.
        operand: OperandType,
        /// The size of each axis.
        shape: Vec<usize>,
    },
    /// A literal.
    Literal {
        /// Its operand type under the rules.
        operand: OperandType,
        /// Its value.
        value: Scalar,
    },
}

impl fmt::Display for ErrorOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tensor { operand, shape } => write!(f, "{operand} of shape {shape:?}"),
            Self::Literal { operand, value } => write!(f, "the literal {value} ({operand})"),
        }
    }
}

impl Error {
    /// Adds the operation and its operands to an error of the rules.
    pub(crate) fn within(mut self, given: OpContext) -> Self {
        if let Self::NoPromotion { context, .. }
        | Self::UnsafePromotion { context, .. }
        | Self::UndefinedOperation { context, .. } = &mut self
        {
            *context = Some(Box::new(given));
        }
        self
    }

    fn named(mut self, called: &'static str) -> Self {
        match &mut self {
            Self::ShapeTooLarge { operation, .. }
            | Self::RankTooLarge { operation, .. }
            | Self::RankMismatch { operation, .. }
            | Self::TooFewAxes { operation, .. }
            | Self::ShapeMismatch { operation, .. }
            | Self::SizeMismatch { operation, .. }
            | Self::LiteralOutOfRange { operation, .. }
            | Self::MixedRules { operation, .. }
            | Self::AxisOutOfRange { operation, .. }
            | Self::RepeatedAxis { operation, .. }
            | Self::IndexOutOfRange { operation, .. }
            | Self::SliceOutOfRange { operation, .. }
            | Self::ZeroStep { operation, .. }
            | Self::DTypeMismatch { operation, .. }
            | Self::UnsupportedDType { operation, .. }
            | Self::QuantileOutOfRange { operation, .. }
            | Self::EmptyReduction { operation, .. } => *operation = called,
            Self::NoPromotion { context, .. }
            | Self::UnsafePromotion { context, .. }
            | Self::UndefinedOperation { context, .. } => {
                if let Some(context) = context {
                    context.operation = called;
                }
            }
            _ => {}
        }
        self
    }

    /// Puts the axis that was given into an error about the axis that was found for it.
    pub(crate) fn along(mut self, found: usize, given: isize) -> Self {
        if let Self::AxisSize { axis, .. }
        | Self::IndexOutOfRange { axis, .. }
        | Self::CountOutOfRange { axis, .. }
        | Self::SliceOutOfRange { axis, .. }
        | Self::ZeroStep { axis, .. }
        | Self::SplitSizes { axis, .. }
        | Self::NoChunks { axis, .. }
        | Self::ZeroWindow { axis, .. }
        | Self::WindowTooLarge { axis, .. } = &mut self
            && *axis == found.cast_signed()
        {
            *axis = given;
        }
        self
    }
}

/// Checks that an operation has as many axes as it works on.
///
/// # Errors
/// [`Error::TooFewAxes`].
pub(crate) fn check_axes(
    operation: &'static str,
    least: usize,
    shape: &[usize],
) -> Result<(), Error> {
    match shape.len() < least {
        false => Ok(()),
        true => Err(Error::TooFewAxes {
            operation,
            least,
            shape: shape.to_vec(),
        }),
    }
}

/// Returns the error of two shapes that have to be equal, but for some axes: it names the first axis along which they are not, if
/// there are as many axes.
pub(crate) fn unequal_shapes(
    operation: &'static str,
    operands: [String; 2],
    [lhs, rhs]: [&[usize]; 2],
    may_differ: impl Fn(usize) -> bool,
) -> Error {
    let unequal = |axis: &usize| lhs[*axis] != rhs[*axis] && !may_differ(*axis);
    let axis = match lhs.len() == rhs.len() {
        true => (0..lhs.len()).find(unequal),
        false => None,
    };
    let [lhs_name, rhs_name] = operands;
    match axis.map(usize::cast_signed) {
        Some(axis) => Error::SizeMismatch {
            operation,
            axes: Box::new([
                SizedAxis::new(lhs_name, axis, lhs),
                SizedAxis::new(rhs_name, axis, rhs),
            ]),
        },
        None => Error::ShapeMismatch {
            operation,
            lhs: lhs.to_vec(),
            rhs: rhs.to_vec(),
        },
    }
}

/// Converts an index to `i128`, the type of indices in [`Error::IndexOutOfRange`]: it holds those of every integer type.
pub(crate) fn wide_index(index: impl TryInto<i128>) -> i128 {
    index.try_into().unwrap_or(i128::MAX)
}

/// Puts the name of the operation that was called into an error about a shape, a rank, an axis, a position, a dtype, a literal,
/// rules or a promotion, which may come from code that many operations call.
pub(crate) fn named<T>(operation: &'static str, made: Result<T, Error>) -> Result<T, Error> {
    made.map_err(|error| error.named(operation))
}
