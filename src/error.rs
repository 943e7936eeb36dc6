//! The one error type.

use core::fmt;
use std::path::PathBuf;

use crate::dtype::DType;
use crate::rules::{OperandType, Operation, Promotion, RuleSet};
use crate::tensor::Scalar;

/// What can go wrong at run time. Every message is one line: operation, expected, found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A dtype's name that is none of [`DType::ALL`].
    UnknownDType {
        /// What was to be parsed.
        name: String,
    },
    /// A rule set's name that is none of [`RuleSet::builtin`].
    UnknownRules {
        /// What was asked for.
        name: String,
    },
    /// The rules give these operands no common dtype.
    NoPromotion {
        /// The left operand.
        lhs: OperandType,
        /// The right operand.
        rhs: OperandType,
        /// The rule set's name.
        rules: &'static str,
        /// What was to be computed, if it was an operation.
        invocation: Option<Box<Invocation>>,
    },
    /// The promotion can lose values, and the rules do not allow that.
    UnsafePromotion {
        /// The left operand.
        lhs: OperandType,
        /// The right operand.
        rhs: OperandType,
        /// What they would promote to.
        promotion: Promotion,
        /// The rule set's name.
        rules: &'static str,
        /// What was to be computed, if it was an operation.
        invocation: Option<Box<Invocation>>,
    },
    /// The operands of an operation follow different rules.
    MixedRules {
        /// What was to be computed.
        operation: &'static str,
        /// The rules of the left, or first, operand.
        lhs: &'static RuleSet,
        /// The rules of the right, or later, operand.
        rhs: &'static RuleSet,
    },
    /// A common dtype of no operands at all.
    NoOperands {
        /// The rule set's name.
        rules: &'static str,
    },
    /// The rules do not define the operation on this operand.
    UndefinedOperation {
        /// The group of operations.
        operation: Operation,
        /// The operand, or the promotion of the two operands.
        operand: OperandType,
        /// The rule set's name.
        rules: &'static str,
        /// What was to be computed, if it was an operation.
        invocation: Option<Box<Invocation>>,
    },
    /// More elements than can be addressed.
    ShapeTooLarge {
        /// The shape that was asked for.
        shape: Vec<usize>,
    },
    /// More memory than there is.
    OutOfMemory {
        /// The bytes that were asked for.
        bytes: usize,
    },
    /// More axes than an array can have.
    RankTooLarge {
        /// The rank that was asked for.
        rank: usize,
        /// The largest rank.
        limit: usize,
    },
    /// Shapes that do not fit together.
    ShapeMismatch {
        /// What was to be computed.
        operation: &'static str,
        /// The left, or first, operand's shape.
        lhs: Vec<usize>,
        /// The right, or later, operand's shape.
        rhs: Vec<usize>,
    },
    /// An axis that the array does not have.
    AxisOutOfRange {
        /// What was to be computed.
        operation: &'static str,
        /// The axis that was asked for.
        axis: isize,
        /// The array's rank.
        rank: usize,
    },
    /// Axes that do not name each axis of the array once.
    NotAPermutation {
        /// The axes that were asked for.
        axes: Vec<usize>,
        /// The array's rank.
        rank: usize,
    },
    /// A position beyond the end of an axis.
    IndexOutOfRange {
        /// What was to be computed.
        operation: &'static str,
        /// The position that was asked for.
        index: isize,
        /// The axis.
        axis: usize,
        /// The size of the axis.
        size: usize,
    },
    /// A range that is not within an axis.
    SliceOutOfRange {
        /// Where the range begins.
        start: usize,
        /// Before which position it ends.
        end: usize,
        /// The axis.
        axis: usize,
        /// The size of the axis.
        size: usize,
    },
    /// A slice that takes no steps.
    ZeroStep {
        /// The axis.
        axis: usize,
    },
    /// A shape that needs another number of elements, or of bytes.
    LengthMismatch {
        /// What was to be made.
        operation: &'static str,
        /// How many the shape needs.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A shape with another number of elements.
    Reshape {
        /// The array's shape.
        from: Vec<usize>,
        /// The shape that was asked for.
        to: Vec<usize>,
    },
    /// A byte that is no truth value.
    NotABool {
        /// The byte.
        byte: u8,
        /// Where it lies, in elements.
        position: usize,
    },
    /// An operand of another dtype than the operation takes.
    DTypeMismatch {
        /// What was to be computed.
        operation: &'static str,
        /// The dtype it takes.
        expected: DType,
        /// The operand's dtype.
        found: DType,
    },
    /// A dynamic tensor of another dtype or weakness than a typed one.
    UnexpectedOperand {
        /// What was to be made.
        operation: &'static str,
        /// The dtype that was asked for.
        expected: OperandType,
        /// The dtype that the tensor has.
        found: OperandType,
    },
    /// A dynamic tensor under other rules than the code for it.
    UnexpectedRules {
        /// What was to be done.
        operation: &'static str,
        /// The rules that the code follows.
        expected: &'static RuleSet,
        /// The rules that the tensor follows.
        found: &'static RuleSet,
    },
    /// A dynamic tensor of none of the dtypes for which there is code.
    NotListed {
        /// What was to be done.
        operation: &'static str,
        /// The dtypes that are accepted.
        expected: Vec<OperandType>,
        /// The dtype of the tensor.
        found: OperandType,
    },
    /// A dtype that does not have all values of another.
    Narrows {
        /// What was to be computed.
        operation: &'static str,
        /// The dtype that the tensor has.
        from: DType,
        /// The dtype that was asked for.
        to: DType,
        /// What is lost.
        loss: &'static str,
    },
    /// An operation that has no meaning in a dtype.
    UnsupportedDType {
        /// What was to be computed.
        operation: &'static str,
        /// The dtype in which it was to be computed.
        dtype: DType,
    },
    /// An integer was to be divided by zero.
    DivisionByZero {
        /// What was to be computed.
        operation: &'static str,
        /// The dtype in which it was to be computed.
        dtype: DType,
    },
    /// An integer was to be raised to a negative power.
    NegativeExponent {
        /// The dtype in which it was to be computed.
        dtype: DType,
    },
    /// The extreme of no elements.
    EmptyReduction {
        /// What was to be computed.
        operation: &'static str,
        /// The operand's shape.
        shape: Vec<usize>,
    },
    /// A file that cannot be read, or is not what its name says.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong, in words.
        reason: String,
    },
    /// A file without the tensor that was asked for.
    NoSuchTensor {
        /// The file.
        path: PathBuf,
        /// The name that was asked for.
        name: String,
        /// The names of the tensors in the file.
        names: Vec<String>,
    },
    /// A tensor in a file, of another dtype or rank than expected.
    UnexpectedTensor {
        /// The file.
        path: PathBuf,
        /// The tensor's name, if the file names its tensors.
        name: Option<String>,
        /// The dtype that was expected.
        expected_dtype: DType,
        /// The rank that was expected, if one was.
        expected_rank: Option<usize>,
        /// The dtype in the file.
        found_dtype: DType,
        /// The shape in the file.
        found_shape: Vec<usize>,
    },
    /// A value that the dtype does not have.
    InexactCast {
        /// The value, as it prints.
        value: String,
        /// Where it is.
        index: Vec<usize>,
        /// The dtype it was to be cast to.
        to: DType,
    },
    /// A literal that the dtype does not have.
    LiteralOutOfRange {
        /// What was to be computed.
        operation: &'static str,
        /// The literal.
        literal: Scalar,
        /// The dtype in which it was to land.
        dtype: DType,
    },
    /// A tensor of another rank than expected.
    RankMismatch {
        /// The rank that was asked for.
        expected: usize,
        /// The tensor's shape.
        shape: Vec<usize>,
    },
    /// One element was asked for where there is none, or more than one.
    NotOneElement {
        /// The tensor's shape.
        shape: Vec<usize>,
    },
    /// An axis named twice.
    RepeatedAxis {
        /// What was to be computed.
        operation: &'static str,
        /// The axis.
        axis: usize,
    },
    /// Nothing to join.
    NoTensors {
        /// What was to be computed.
        operation: &'static str,
    },
    /// A range of numbers that does not end, or has too many.
    Arange {
        /// The first number.
        start: f64,
        /// The number before which it ends.
        end: f64,
        /// The distance.
        step: f64,
    },
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownDType { name } => write!(
                f,
                "unknown dtype `{name}`; the dtypes are {}",
                names(DType::ALL.iter().map(|dtype| dtype.name()))
            ),
            Self::UnknownRules { name } => write!(
                f,
                "unknown rules `{name}`; the rule sets are {}",
                names(RuleSet::builtin().iter().map(|rules| rules.name()))
            ),
            Self::NoPromotion {
                lhs,
                rhs,
                rules,
                invocation,
            } => write!(
                f,
                "{}under `{rules}` rules {} have no common dtype{}",
                head(invocation, "no promotion: "),
                both(lhs, rhs, invocation),
                cure(
                    invocation,
                    "",
                    "; cast one side, or move both to other rules by `.under(..)`"
                )
            ),
            Self::UnsafePromotion {
                lhs,
                rhs,
                promotion,
                rules,
                invocation,
            } => write!(
                f,
                "{}under `{rules}` rules {} promote to {}, which {}{}",
                head(invocation, "unsafe promotion: "),
                both(lhs, rhs, invocation),
                promotion.operand(),
                promotion.verdict,
                cure(
                    invocation,
                    "; convert one side, or allow unsafe promotions",
                    "; cast one side, or wrap it by `.promote_unsafe()`"
                )
            ),
            Self::MixedRules {
                operation,
                lhs,
                rhs,
            } => write!(
                f,
                "{operation}: operands under different rules: one follows {}, another {}; move one side, free of cost, by `.under(..)`",
                lhs.described(),
                rhs.described()
            ),
            Self::NoOperands { rules } => write!(
                f,
                "no operands: a common dtype under `{rules}` rules needs at least one"
            ),
            Self::UndefinedOperation {
                operation,
                operand,
                rules,
                invocation,
            } => write!(
                f,
                "{}{} on {operand} under `{rules}` rules{}",
                head(invocation, "undefined: "),
                operation.name(),
                cure(invocation, "", &of(invocation))
            ),
            Self::ShapeTooLarge { shape } => {
                write!(f, "shape {shape:?} has more elements than can be addressed")
            }
            Self::OutOfMemory { bytes } => write!(f, "there is no memory for {bytes} bytes"),
            Self::RankTooLarge { rank, limit } => {
                write!(f, "rank {rank} is above the limit of {limit}")
            }
            Self::ShapeMismatch {
                operation,
                lhs,
                rhs,
            } => write!(
                f,
                "{operation}: shapes {lhs:?} and {rhs:?} do not fit together"
            ),
            Self::AxisOutOfRange {
                operation,
                axis,
                rank,
            } => write!(f, "{operation}: axis {axis} does not exist at rank {rank}"),
            Self::NotAPermutation { axes, rank } => write!(
                f,
                "permute: {axes:?} is no order of the axes of rank {rank}"
            ),
            Self::IndexOutOfRange {
                operation,
                index,
                axis,
                size,
            } => write!(
                f,
                "{operation}: index {index} is outside axis {axis} of size {size}"
            ),
            Self::SliceOutOfRange {
                start,
                end,
                axis,
                size,
            } => write!(
                f,
                "slice: {start}..{end} is not within axis {axis} of size {size}"
            ),
            Self::ZeroStep { axis } => write!(f, "slice: the step along axis {axis} is zero"),
            Self::LengthMismatch {
                operation,
                expected,
                found,
            } => write!(f, "{operation}: expected {expected}, found {found}"),
            Self::Reshape { from, to } => write!(
                f,
                "reshape: {from:?} and {to:?} have different numbers of elements"
            ),
            Self::NotABool { byte, position } => write!(
                f,
                "bool elements are bytes 0 and 1, found {byte} at {position}"
            ),
            Self::DTypeMismatch {
                operation,
                expected,
                found,
            } => write!(f, "{operation}: expected {expected}, found {found}"),
            Self::UnexpectedOperand {
                operation,
                expected,
                found,
            } => write!(f, "{operation}: expected {expected}, found {found}"),
            Self::UnexpectedRules {
                operation,
                expected,
                found,
            } => write!(
                f,
                "{operation}: expected {}, found {}; move the tensor, free of cost, by `.under(..)`",
                expected.described(),
                found.described()
            ),
            Self::NotListed {
                operation,
                expected,
                found,
            } => write!(
                f,
                "{operation}: expected one of {}, found {found}",
                list(expected)
            ),
            Self::Narrows {
                operation,
                from,
                to,
                loss,
            } => write!(
                f,
                "{operation}: {from} to {to} loses {loss}; `.try_cast(..)` checks the values, `.cast(..)` does not"
            ),
            Self::UnsupportedDType { operation, dtype } => {
                write!(f, "{operation} is not defined on {dtype}")
            }
            Self::DivisionByZero { operation, dtype } => {
                write!(f, "{operation}: {dtype} divided by zero")
            }
            Self::NegativeExponent { dtype } => {
                write!(f, "pow: {dtype} raised to a negative power")
            }
            Self::EmptyReduction { operation, shape } => write!(
                f,
                "{operation}: no elements along the reduced axes of {shape:?}"
            ),
            Self::Unreadable { path, reason } => write!(f, "{}: {reason}", path.display()),
            Self::NoSuchTensor { path, name, names } => write!(
                f,
                "{}: no tensor `{name}`; there are {}",
                path.display(),
                names.join(", ")
            ),
            Self::UnexpectedTensor {
                path,
                name,
                expected_dtype,
                expected_rank,
                found_dtype,
                found_shape,
            } => write!(
                f,
                "{}{}: expected {expected_dtype}{}, found {found_dtype} of shape {found_shape:?}",
                path.display(),
                name.as_ref()
                    .map(|name| format!(": `{name}`"))
                    .unwrap_or_default(),
                expected_rank
                    .map(|rank| format!(" of rank {rank}"))
                    .unwrap_or_default()
            ),
            Self::InexactCast { value, index, to } => write!(
                f,
                "inexact cast: {value} at index {index:?} is not a value of {to}"
            ),
            Self::LiteralOutOfRange {
                operation,
                literal,
                dtype,
            } => write!(
                f,
                "{operation}: the literal {literal} is out of range for {dtype}"
            ),
            Self::RankMismatch { expected, shape } => {
                write!(f, "rank {expected} expected, found shape {shape:?}")
            }
            Self::NotOneElement { shape } => {
                write!(f, "item: one element expected, found shape {shape:?}")
            }
            Self::RepeatedAxis { operation, axis } => {
                write!(f, "{operation}: axis {axis} is named twice")
            }
            Self::NoTensors { operation } => write!(f, "{operation}: no tensors"),
            Self::Arange { start, end, step } => write!(
                f,
                "arange: no finite sequence from {start} to {end} by {step}"
            ),
        }
    }
}

/// An operation on dynamic tensors, with its operands.
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// What was to be computed.
    pub operation: &'static str,
    /// Its operands.
    pub operands: Vec<Given>,
}

/// An operand as it was given.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A tensor.
    Tensor {
        /// Its dtype, and how the rules see it.
        operand: OperandType,
        /// The size of every dimension.
        shape: Vec<usize>,
    },
    /// A literal.
    Literal {
        /// What the rules make of it.
        operand: OperandType,
        /// Its value.
        value: Scalar,
    },
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tensor { operand, shape } => write!(f, "{operand} of shape {shape:?}"),
            Self::Literal { operand, value } => write!(f, "the literal {value} ({operand})"),
        }
    }
}

impl Error {
    /// The same error of the rules, which then says in which operation.
    pub(crate) fn within(mut self, given: Invocation) -> Self {
        if let Self::NoPromotion { invocation, .. }
        | Self::UnsafePromotion { invocation, .. }
        | Self::UndefinedOperation { invocation, .. } = &mut self
        {
            *invocation = Some(Box::new(given));
        }
        self
    }
}

type At = Option<Box<Invocation>>;

/// The beginning of a message: the operation, if it is known, and what is wrong.
fn head(at: &At, what: &str) -> String {
    match at {
        Some(at) => format!("{}: {what}", at.operation),
        None => what.into(),
    }
}

fn both(lhs: &OperandType, rhs: &OperandType, at: &At) -> String {
    match at.as_deref().map(|at| at.operands.as_slice()) {
        Some([lhs, rhs]) => format!("{lhs} and {rhs}"),
        _ => format!("{lhs} and {rhs}"),
    }
}

fn of(at: &At) -> String {
    let operands = at.iter().flat_map(|at| &at.operands);
    let operands: Vec<_> = operands.map(Given::to_string).collect();
    format!(", for {}; cast first", operands.join(" and "))
}

/// The end of a message: what to do about it, in general or in an operation.
fn cure<'a>(at: &At, general: &'a str, operation: &'a str) -> &'a str {
    match at {
        Some(_) => operation,
        None => general,
    }
}

fn list(operands: &[OperandType]) -> String {
    let operands: Vec<_> = operands.iter().map(OperandType::to_string).collect();
    operands.join(", ")
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
