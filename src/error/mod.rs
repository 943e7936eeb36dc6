//! The one error type.

mod mismatch;
#[cfg(feature = "stablehlo")]
mod sharding;

use core::fmt;
use core::str::FromStr;
use std::path::{Path, PathBuf};

pub use mismatch::TensorMismatch;
#[cfg(feature = "stablehlo")]
pub use sharding::ShardingError;

use crate::dtype::DType;
use crate::literals::Scalar;
use crate::rule_set::{OperandType, Operation, Promotion, RuleSet};

/// What can go wrong at run time. Every message is one line: operation, expected, found. That of
/// [`Error::UnexpectedTensors`] has one more for each tensor.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A dtype's name that is none of [`DType::ALL`].
    #[error("unknown dtype `{name}`; the dtypes are {}", names(DType::ALL.iter().map(|dtype| dtype.name())))]
    UnknownDType {
        /// What was to be parsed.
        name: String,
    },
    /// A rule set's name that is none of [`RuleSet::builtin`].
    #[error("unknown rules `{name}`; the rule sets are {}", names(RuleSet::builtin().iter().map(|rules| rules.name())))]
    UnknownRules {
        /// What was asked for.
        name: String,
    },
    /// The rules give these operands no common dtype.
    #[error(
        "{}under `{rules}` rules {} have no common dtype{}", head(.context, "no promotion: "),
        both(.lhs, .rhs, .context), cure(.context, "", "; cast one side, or move both to other rules by `.with_rules(..)`")
    )]
    NoPromotion {
        /// The left operand.
        lhs: OperandType,
        /// The right operand.
        rhs: OperandType,
        /// The rule set's name.
        rules: &'static str,
        /// What was to be computed, if it was an operation.
        context: Option<Box<OpContext>>,
    },
    /// The promotion can lose values, and the rules do not allow that.
    #[error(
        "{}under `{rules}` rules {} promote to {}, which {}{}", head(.context, "unsafe promotion: "),
        both(.lhs, .rhs, .context), .promotion.operand(), .promotion.verdict, cure(
            .context, "; convert one side, or allow unsafe promotions",
            "; cast one side, or wrap it by `.promote_unsafe()`"
        )
    )]
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
        context: Option<Box<OpContext>>,
    },
    /// The operands of an operation follow different rules.
    #[error(
        "{operation}: operands under different rules: one follows {}, another {}; move one side, free of cost, by \
         `.with_rules(..)`", .lhs.described(), .rhs.described()
    )]
    MixedRules {
        /// What was to be computed.
        operation: &'static str,
        /// The rules of the left, or first, operand.
        lhs: &'static RuleSet,
        /// The rules of the right, or later, operand.
        rhs: &'static RuleSet,
    },
    /// A common dtype of no operands at all.
    #[error("no operands: a common dtype under `{rules}` rules needs at least one")]
    NoOperands {
        /// The rule set's name.
        rules: &'static str,
    },
    /// The rules do not define the operation on this operand.
    #[error(
        "{}{} on {operand} under `{rules}` rules{}", head(.context, "undefined: "), .operation.name(),
        cure(.context, "", &of(.context))
    )]
    UndefinedOperation {
        /// The group of operations.
        operation: Operation,
        /// The operand, or the promotion of the two operands.
        operand: OperandType,
        /// The rule set's name.
        rules: &'static str,
        /// What was to be computed, if it was an operation.
        context: Option<Box<OpContext>>,
    },
    /// More elements than can be addressed.
    #[error("shape {shape:?} has more elements than can be addressed")]
    ShapeTooLarge {
        /// The shape that was asked for.
        shape: Vec<usize>,
    },
    /// More memory than there is. All forms that give a `Result` give this where an allocation fails that grows with their
    /// operands; all others panic with its text. Nothing is lost: operands and outputs are as they were. See
    /// [`memory`](crate::memory) for what stays outside.
    #[error("there is no memory for {bytes} bytes")]
    OutOfMemory {
        /// The bytes that were asked for: of the result, of a copy, or of temporary memory.
        bytes: usize,
    },
    /// More axes than an array can have.
    #[error("rank {rank} is above the limit of {limit}")]
    RankTooLarge {
        /// The rank that was asked for.
        rank: usize,
        /// The largest rank.
        limit: usize,
    },
    /// Shapes that do not fit together.
    #[error("{operation}: shapes {lhs:?} and {rhs:?} do not fit together")]
    ShapeMismatch {
        /// What was to be computed.
        operation: &'static str,
        /// The left, or first, operand's shape.
        lhs: Vec<usize>,
        /// The right, or later, operand's shape.
        rhs: Vec<usize>,
    },
    /// An axis that the array does not have.
    #[error("{operation}: axis {axis} does not exist at rank {rank}")]
    AxisOutOfRange {
        /// What was to be computed.
        operation: &'static str,
        /// The axis that was asked for.
        axis: isize,
        /// The array's rank.
        rank: usize,
    },
    /// Axes that do not name each axis of the array once.
    #[error("permute: {axes:?} is no order of the axes of rank {rank}")]
    NotAPermutation {
        /// The axes that were asked for.
        axes: Vec<usize>,
        /// The array's rank.
        rank: usize,
    },
    /// A position beyond the end of an axis.
    #[error("{operation}: index {index} is outside axis {axis} of size {size}")]
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
    #[error("slice: {start}..{end} is not within axis {axis} of size {size}")]
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
    #[error("slice: the step along axis {axis} is zero")]
    ZeroStep {
        /// The axis.
        axis: usize,
    },
    /// A shape that needs another number of elements, or of bytes.
    #[error("{operation}: expected {expected}, found {found}")]
    LengthMismatch {
        /// What was to be made.
        operation: &'static str,
        /// How many the shape needs.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A shape with another number of elements.
    #[error("reshape: {from:?} and {to:?} have different numbers of elements")]
    Reshape {
        /// The array's shape.
        from: Vec<usize>,
        /// The shape that was asked for.
        to: Vec<usize>,
    },
    /// A byte that is no truth value.
    #[error("bool elements are bytes 0 and 1, found {byte} at {position}")]
    NotABool {
        /// The byte.
        byte: u8,
        /// Where it lies, in elements.
        position: usize,
    },
    /// An operand of another dtype than the operation takes.
    #[error("{operation}: expected {expected}, found {found}")]
    DTypeMismatch {
        /// What was to be computed.
        operation: &'static str,
        /// The dtype it takes.
        expected: DType,
        /// The operand's dtype.
        found: DType,
    },
    /// A dynamic tensor of another dtype or weakness than a typed one.
    #[error("{operation}: expected {expected}, found {found}")]
    UnexpectedOperand {
        /// What was to be made.
        operation: &'static str,
        /// The dtype that was asked for.
        expected: OperandType,
        /// The dtype that the tensor has.
        found: OperandType,
    },
    /// A dynamic tensor under other rules than the code for it.
    #[error(
        "{operation}: expected {}, found {}; move the tensor, free of cost, by `.with_rules(..)`", .expected.described(),
        .found.described()
    )]
    UnexpectedRules {
        /// What was to be done.
        operation: &'static str,
        /// The rules that the code follows.
        expected: &'static RuleSet,
        /// The rules that the tensor follows.
        found: &'static RuleSet,
    },
    /// A dynamic tensor of none of the dtypes for which there is code.
    #[error("{operation}: expected one of {}, found {found}", list(.expected))]
    NotListed {
        /// What was to be done.
        operation: &'static str,
        /// The dtypes that are accepted.
        expected: Vec<OperandType>,
        /// The dtype of the tensor.
        found: OperandType,
    },
    /// A dtype that does not have all values of another.
    #[error(
        "{operation}: {from} to {to} loses {loss}; `.try_cast(..)` checks the values, `.cast(..)` does not"
    )]
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
    #[error("{operation} is not defined on {dtype}")]
    UnsupportedDType {
        /// What was to be computed.
        operation: &'static str,
        /// The dtype in which it was to be computed.
        dtype: DType,
    },
    /// An integer was to be divided by zero.
    #[error("{operation}: {dtype} divided by zero")]
    DivisionByZero {
        /// What was to be computed.
        operation: &'static str,
        /// The dtype in which it was to be computed.
        dtype: DType,
    },
    /// An integer was to be raised to a negative power.
    #[error("pow: {dtype} raised to a negative power")]
    NegativeExponent {
        /// The dtype in which it was to be computed.
        dtype: DType,
    },
    /// The extreme of no elements.
    #[error("{operation}: no elements along the reduced axes of {shape:?}")]
    EmptyReduction {
        /// What was to be computed.
        operation: &'static str,
        /// The operand's shape.
        shape: Vec<usize>,
    },
    /// A file that cannot be read, or is not what its name says.
    #[error("{}: {reason}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong, in words.
        reason: String,
    },
    /// A tensor in a file, larger than the [`ReadOptions`](crate::ReadOptions) allow.
    #[error(
        "{}{}: {bytes} bytes of elements{} are above the limit of {limit}; `ReadOptions::max_bytes` sets it",
        .path.display(), .name.as_ref().map(|name| format!(": `{name}`")).unwrap_or_default(), together(*.bytes, *.total)
    )]
    ReadLimit {
        /// The file.
        path: PathBuf,
        /// The tensor's name, if the file names its tensors.
        name: Option<String>,
        /// The bytes of the tensor's elements.
        bytes: u64,
        /// The same with those of all tensors that were read from the file before.
        total: u64,
        /// The bytes that the file's tensors may have.
        limit: u64,
    },
    /// A file without the tensor that was asked for.
    #[error("{}: no tensor `{name}`; there are {}", .path.display(), .names.join(", "))]
    NoSuchTensor {
        /// The file.
        path: PathBuf,
        /// The name that was asked for.
        name: String,
        /// The names of the tensors in the file.
        names: Vec<String>,
    },
    /// A tensor in a file, of another dtype or rank than expected.
    #[error(
        "{}{}: expected {expected_dtype}{}, found {found_dtype} of shape {found_shape:?}", .path.display(),
        .name.as_ref().map(|name| format!(": `{name}`")).unwrap_or_default(),
        .expected_rank.map(|rank| format!(" of rank {rank}")).unwrap_or_default()
    )]
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
    /// Tensors that are not those of the record that was to be loaded from them.
    #[error("{}:{}", unexpected(.path.as_deref()), indented(.faults))]
    UnexpectedTensors {
        /// The file, if it is one.
        path: Option<PathBuf>,
        /// Everything that is wrong: first in the order of the fields, then what is in no field.
        faults: Vec<TensorMismatch>,
    },
    /// A file that cannot be written.
    #[error("{}: {reason}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// What is wrong, in words.
        reason: String,
    },
    /// What another library handed over, and is no tensor of this one.
    #[error("{interface}: {reason}")]
    NotATensor {
        /// By what it was handed over.
        interface: &'static str,
        /// What is wrong, in words.
        reason: String,
    },
    /// A value that the dtype does not have.
    #[error("inexact cast: {value} at index {index:?} is not a value of {to}")]
    InexactCast {
        /// The value, as it prints.
        value: String,
        /// Where it is.
        index: Vec<usize>,
        /// The dtype it was to be cast to.
        to: DType,
    },
    /// A literal that the dtype does not have.
    #[error("{operation}: the literal {literal} is out of range for {dtype}")]
    LiteralOutOfRange {
        /// What was to be computed.
        operation: &'static str,
        /// The literal.
        literal: Scalar,
        /// The dtype in which it was to convert.
        dtype: DType,
    },
    /// A tensor of another rank than expected.
    #[error("rank {expected} expected, found shape {shape:?}")]
    RankMismatch {
        /// The rank that was asked for.
        expected: usize,
        /// The tensor's shape.
        shape: Vec<usize>,
    },
    /// One element was asked for where there is none, or more than one.
    #[error("item: one element expected, found shape {shape:?}")]
    NotOneElement {
        /// The tensor's shape.
        shape: Vec<usize>,
    },
    /// An axis named twice.
    #[error("{operation}: axis {axis} is named twice")]
    RepeatedAxis {
        /// What was to be computed.
        operation: &'static str,
        /// The axis.
        axis: usize,
    },
    /// Nothing to join.
    #[error("{operation}: no tensors")]
    NoTensors {
        /// What was to be computed.
        operation: &'static str,
    },
    /// A traced function asks for elements, which there are none of while it is traced.
    #[cfg(feature = "stablehlo")]
    #[error(
        "{operation}: a traced tensor has no elements; keep to operations that give tensors, and choose by `select` \
         in place of `if`"
    )]
    Untraceable {
        /// What was to be computed.
        operation: &'static str,
    },
    /// A tensor that left the function in which it was traced.
    #[cfg(feature = "stablehlo")]
    #[error("{operation}: a traced tensor outside of its trace")]
    OutsideTrace {
        /// What was to be computed.
        operation: &'static str,
    },
    /// Axes of a mesh that do not fit a program's inputs and outputs.
    #[cfg(feature = "stablehlo")]
    #[error("shard: {0}")]
    Sharding(#[from] ShardingError),
    /// A range of numbers that does not end, or has too many.
    #[error("arange: no finite sequence from {start} to {end} by {step}")]
    Arange {
        /// The first number.
        start: f64,
        /// The number before which it ends.
        end: f64,
        /// The distance.
        step: f64,
    },
}

/// An operation on dynamic tensors, with its operands.
#[derive(Clone, Debug, PartialEq)]
pub struct OpContext {
    /// What was to be computed.
    pub operation: &'static str,
    /// Its operands.
    pub operands: Vec<ErrorOperand>,
}

/// An operand as it was given.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Debug, PartialEq)]
pub enum ErrorOperand {
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

impl fmt::Display for ErrorOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tensor { operand, shape } => write!(f, "{operand} of shape {shape:?}"),
            Self::Literal { operand, value } => write!(f, "the literal {value} ({operand})"),
        }
    }
}

impl Error {
    /// The same error of the rules, which then says in which operation.
    pub(crate) fn within(mut self, given: OpContext) -> Self {
        if let Self::NoPromotion { context, .. }
        | Self::UnsafePromotion { context, .. }
        | Self::UndefinedOperation { context, .. } = &mut self
        {
            *context = Some(Box::new(given));
        }
        self
    }
}

type At = Option<Box<OpContext>>;

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
    let operands: Vec<_> = operands.map(ErrorOperand::to_string).collect();
    format!(", for {}; cast first", operands.join(" and "))
}

/// The end of a message: what to do about it, in general or in an operation.
fn cure<'a>(at: &At, general: &'a str, operation: &'a str) -> &'a str {
    match at {
        Some(_) => operation,
        None => general,
    }
}

fn unexpected(path: Option<&Path>) -> String {
    match path {
        Some(path) => format!("{} does not have the tensors of the record", path.display()),
        None => "the tensors are not those of the record".into(),
    }
}

/// What comes on top of one tensor.
fn together(bytes: u64, total: u64) -> String {
    match total == bytes {
        true => String::new(),
        false => format!(", {total} with those that were read before,"),
    }
}

fn indented(faults: &[TensorMismatch]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

fn list(operands: &[OperandType]) -> String {
    let operands: Vec<_> = operands.iter().map(OperandType::to_string).collect();
    operands.join(", ")
}

fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

// Here, because `dtype/` is below this module.
impl FromStr for DType {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let found = Self::ALL.iter().find(|dtype| dtype.name() == name);
        found
            .copied()
            .ok_or_else(|| Error::UnknownDType { name: name.into() })
    }
}
