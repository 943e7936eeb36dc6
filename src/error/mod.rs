//! [`Error`], the error type of the library.

mod context;
mod convert;
#[cfg(feature = "pjrt")]
mod device;
mod mismatch;
#[cfg(feature = "stablehlo")]
mod sharding;
mod wording;

use core::fmt;
use core::ops::Bound;
use std::path::PathBuf;

pub use context::{ErrorOperand, OpContext};
pub(crate) use context::{check_axes, named, unequal_shapes, wide_index};
#[cfg(feature = "pjrt")]
pub use device::{DeviceError, Status};
pub use mismatch::{SizedAxis, TensorMismatch};
#[cfg(feature = "stablehlo")]
pub use sharding::ShardingError;
#[cfg(feature = "stablehlo")]
use wording::traceable_instead;
use wording::{
    admit, apart, as_given, axes, both, by, character, counted, cure, flattened, head, indented,
    largest, left_out, list, names, of, range_as_given, short, together, undefined, unexpected,
};

use crate::dtype::DType;
use crate::literals::Scalar;
use crate::rule_set::{OperandType, Operation, Promotion, RuleSet};

/// A `Result` whose error is [`Error`], unless the code names another one.
///
/// ```
/// use supremum::{F32, Rank1, Result, Tensor};
/// fn ones(len: usize) -> Result<Tensor<F32, Rank1>> {
///     Tensor::try_full([len], 1.0)
/// }
/// assert_eq!(ones(2)?.to_vec(), [1.0, 1.0]);
/// # Ok::<(), supremum::Error>(())
/// ```
pub type Result<T, E = Error> = core::result::Result<T, E>;

/// An error at run time. Every message is one line: operation, expected, found. The message of
/// [`Error::UnexpectedTensors`] has one further line for each tensor, and texts of plugins can have several.
///
/// `Debug` writes the message as well. So a `main` that returns the error, and `unwrap`, print the message:
///
/// ```
/// # use supremum::{F32, Rank1, Tensor, tensor};
/// let (a, b): (Tensor<F32, Rank1>, Tensor<F32, Rank1>) = (tensor![1, 2], tensor![1, 2, 3]);
/// let error = a.try_add(&b).unwrap_err();
/// assert_eq!(format!("{error:?}"), "add: shapes [2] and [3] do not fit together; axis 0 has sizes 2 and 3");
/// ```
// The variants stand in groups of what goes wrong; a comment names each group.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    // Rules and promotion.
    /// A text that is not the name of a dtype; [`DType::ALL`] lists them.
    #[error("unknown dtype `{name}`; the dtypes are {}", names(DType::ALL.iter().map(|dtype| dtype.name())))]
    UnknownDType {
        /// The text to parse.
        name: String,
    },
    /// A text that is not the name of a rule set; [`RuleSet::builtin`] lists them.
    #[error("unknown rules `{name}`; the rule sets are {}", names(RuleSet::builtin().iter().map(|rules| rules.name())))]
    UnknownRules {
        /// The requested name.
        name: String,
    },
    /// The rules give these operands no common dtype.
    #[error(
        "{}under {} {} have no common dtype{}", head(.context, "no promotion: "), by(rules, .context),
        both(.lhs, .rhs, .context), cure(.context, "", "; cast one side, or move both to other rules by `.with_rules(..)`")
    )]
    NoPromotion {
        /// The left operand.
        lhs: OperandType,
        /// The right operand.
        rhs: OperandType,
        /// The name of the rule set that promotes the operands.
        rules: &'static str,
        /// The operation and its operands; `None` for a promotion by itself.
        context: Option<Box<OpContext>>,
    },
    /// The promotion can lose values, and the rules do not allow that.
    #[error(
        "{}under {} {} promote to {}, which {}{}", head(.context, "unsafe promotion: "),
        by(rules, .context), both(.lhs, .rhs, .context), .promotion.operand(), .promotion.verdict, admit(.context)
    )]
    UnsafePromotion {
        /// The left operand.
        lhs: OperandType,
        /// The right operand.
        rhs: OperandType,
        /// The promotion and its verdict.
        promotion: Promotion,
        /// The name of the rule set that promotes the operands.
        rules: &'static str,
        /// The operation and its operands; `None` for a promotion by itself.
        context: Option<Box<OpContext>>,
    },
    /// The operands of an operation follow different rules.
    #[error(
        "{operation}: operands under different rules: one follows {}, another {}; move one side, free of cost, by \
         `.with_rules(..)`", .lhs.described(), .rhs.described()
    )]
    MixedRules {
        /// The operation.
        operation: &'static str,
        /// The rules of the left, or first, operand.
        lhs: &'static RuleSet,
        /// The rules of the right, or later, operand.
        rhs: &'static RuleSet,
    },
    /// The common dtype of an empty list of operands.
    #[error("no operands: a common dtype under `{rules}` rules needs at least one")]
    NoOperands {
        /// The rule set's name.
        rules: &'static str,
    },
    /// The rules do not define the operation on this operand.
    #[error(
        "{} on {operand} under `{rules}` rules{}", undefined(*.operation, .context),
        cure(.context, "", &of(.context))
    )]
    UndefinedOperation {
        /// The group of operations.
        operation: Operation,
        /// The operand, or the promotion of the two operands.
        operand: OperandType,
        /// The rule set's name.
        rules: &'static str,
        /// The operation and its operands; `None` for a promotion by itself.
        context: Option<Box<OpContext>>,
    },
    /// An operation that the dtype does not have.
    #[error("{operation}: undefined on {dtype}")]
    UnsupportedDType {
        /// The operation.
        operation: &'static str,
        /// The dtype in which it was to be computed.
        dtype: DType,
    },
    /// A dtype for sums that does not have all values of the products.
    #[error(
        "{operation}: products of {promoted} do not accumulate in {accumulator}, which loses {loss}"
    )]
    NarrowAccumulator {
        /// The operation.
        operation: &'static str,
        /// The dtype that the operands promote to.
        promoted: DType,
        /// The requested dtype.
        accumulator: DType,
        /// The loss: range or precision.
        loss: &'static str,
    },

    // Dtypes and values.
    /// An operand of another dtype than the operation takes.
    #[error("{operation}: expected {expected}, found {found}")]
    DTypeMismatch {
        /// The operation.
        operation: &'static str,
        /// The dtype it takes.
        expected: DType,
        /// The operand's dtype.
        found: DType,
    },
    /// A dynamic tensor of another dtype or weakness than a typed one.
    #[error("{operation}: expected {expected}, found {found}")]
    UnexpectedOperand {
        /// The operation.
        operation: &'static str,
        /// The requested dtype.
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
        /// The operation.
        operation: &'static str,
        /// The rules that the code follows.
        expected: &'static RuleSet,
        /// The rules that the tensor follows.
        found: &'static RuleSet,
    },
    /// A dynamic tensor whose dtype is not among those that the code lists.
    #[error("{operation}: expected one of {}, found {found}", list(.expected))]
    NotListed {
        /// The operation.
        operation: &'static str,
        /// The dtypes that are accepted.
        expected: Vec<OperandType>,
        /// The dtype of the tensor.
        found: OperandType,
    },
    /// A widening conversion to a dtype that does not have all values.
    #[error(
        "{operation}: {from} to {to} loses {loss}; `.try_cast(..)` checks the values, `.cast(..)` does not"
    )]
    Narrows {
        /// The operation.
        operation: &'static str,
        /// The dtype that the tensor has.
        from: DType,
        /// The requested dtype.
        to: DType,
        /// The loss: range or precision.
        loss: &'static str,
    },
    /// A value that the dtype does not have.
    #[error("inexact cast: {value} at index {index:?} is not a value of {to}")]
    InexactCast {
        /// The value, as it prints.
        value: String,
        /// The index of the value.
        index: Vec<usize>,
        /// The dtype of the conversion.
        to: DType,
    },
    /// A literal that the dtype does not have.
    #[error("{operation}: the literal {literal} is out of range for {dtype}")]
    LiteralOutOfRange {
        /// The operation.
        operation: &'static str,
        /// The literal.
        literal: Scalar,
        /// The dtype that it should convert to.
        dtype: DType,
    },
    /// An element of `arange`, `linspace` or `logspace` that the dtype does not have.
    #[error("{operation}: element {position} is {value}, which is out of range for {dtype}")]
    ElementOutOfRange {
        /// The operation.
        operation: &'static str,
        /// The position of the first such element.
        position: usize,
        /// The element before it is rounded to the dtype.
        value: Scalar,
        /// The dtype of the sequence.
        dtype: DType,
    },
    /// An integer that an operation computes with as an `f64`, which does not have it: above 2^53 they are rounded.
    #[error("{operation}: {number} is not a value of f64")]
    InexactNumber {
        /// The operation.
        operation: &'static str,
        /// The integer.
        number: Scalar,
    },
    /// A boolean that is stored as a byte other than 0 and 1.
    #[error("bool elements are bytes 0 and 1, found byte {byte} at position {position}")]
    NotABool {
        /// The byte.
        byte: u8,
        /// The position of the byte, in elements.
        position: usize,
    },

    // Memory and shapes.
    /// An allocation failed. Functions that return a `Result` return this error for every allocation whose size depends
    /// on their operands; other functions panic with its text. Operands and outputs are unchanged. See
    /// [`memory`](crate::memory) for the allocations that are not covered.
    #[error("there is no memory for {bytes} bytes")]
    OutOfMemory {
        /// The requested bytes: of the result, of a copy, or of temporary memory.
        bytes: usize,
    },
    /// More elements than can be addressed.
    #[error("{operation}: shape {shape:?} has more elements than can be addressed")]
    ShapeTooLarge {
        /// The operation.
        operation: &'static str,
        /// The requested shape.
        shape: Vec<usize>,
    },
    /// More axes than an array can have.
    #[error("{operation}: rank {rank} is above the limit of {limit}")]
    RankTooLarge {
        /// The operation.
        operation: &'static str,
        /// The requested rank.
        rank: usize,
        /// The largest rank.
        limit: usize,
    },
    /// Axes of two operands that have to be of one size, and are not.
    #[error("{operation}: {}, {} (shapes {:?} and {:?})", axes[0], axes[1], axes[0].shape, axes[1].shape)]
    SizeMismatch {
        /// The operation.
        operation: &'static str,
        /// An axis of each operand.
        axes: Box<[SizedAxis; 2]>,
    },
    /// Shapes that do not fit each other: they do not broadcast, or have different numbers of axes.
    #[error(
        "{operation}: shapes {lhs:?} and {rhs:?} do not fit together{}",
        apart(operation, lhs, rhs)
    )]
    ShapeMismatch {
        /// The operation.
        operation: &'static str,
        /// The left, or first, operand's shape.
        lhs: Vec<usize>,
        /// The right, or later, operand's shape.
        rhs: Vec<usize>,
    },
    /// A tensor of another rank than expected.
    #[error(
        "{operation}: rank {expected} expected, found shape {shape:?}{}",
        flattened(operation)
    )]
    RankMismatch {
        /// The operation.
        operation: &'static str,
        /// The requested rank.
        expected: usize,
        /// The tensor's shape.
        shape: Vec<usize>,
    },
    /// A tensor with fewer axes than the operation works on: `tril` takes the last two.
    #[error("{operation}: at least {}, found rank {} (shape {shape:?})", axes(*.least), .shape.len())]
    TooFewAxes {
        /// The operation.
        operation: &'static str,
        /// The smallest rank that it takes.
        least: usize,
        /// The tensor's shape.
        shape: Vec<usize>,
    },
    /// A tensor of another rank than 1 in `diag`, which in NumPy and PyTorch takes the diagonal of a matrix.
    #[error(
        "diag: a vector expected, found shape {shape:?}: `diagonal` takes the diagonal of a matrix, `diag_embed` makes several matrices"
    )]
    NotAVector {
        /// The tensor's shape.
        shape: Vec<usize>,
    },
    /// A tensor with no element or several, where exactly one is required.
    #[error("item: one element expected, found shape {shape:?}")]
    NotOneElement {
        /// The tensor's shape.
        shape: Vec<usize>,
    },
    /// A shape with another number of elements.
    #[error(
        "reshape: the elements of {from:?} do not fill the shape {to:?}{}",
        left_out(to)
    )]
    Reshape {
        /// The array's shape.
        from: Vec<usize>,
        /// The requested shape, in which -1 stands for the size that is left over.
        to: Vec<isize>,
    },
    /// A number of elements, or of bytes, that does not fit the shape.
    #[error("{operation}: expected {}, found {found}", counted(*.expected, what))]
    LengthMismatch {
        /// The operation.
        operation: &'static str,
        /// The things that are counted, such as `elements`.
        what: &'static str,
        /// The number that the shape needs.
        expected: usize,
        /// The number that was given.
        found: usize,
    },
    /// An empty list of tensors to join.
    #[error("{operation}: no tensors")]
    NoTensors {
        /// The operation.
        operation: &'static str,
    },

    // Axes.
    /// An axis that the array does not have.
    #[error("{operation}: axis {axis} does not exist at rank {rank}")]
    AxisOutOfRange {
        /// The operation.
        operation: &'static str,
        /// The requested axis.
        axis: isize,
        /// The array's rank.
        rank: usize,
    },
    /// An axis named twice.
    #[error("{operation}: axis {axis} is named twice{}", as_given(*axis, given))]
    RepeatedAxis {
        /// The operation.
        operation: &'static str,
        /// The axis, counted from the start.
        axis: usize,
        /// The two numbers that name it, as they were given: counted from the end if they are negative.
        given: [isize; 2],
    },
    /// A permutation that does not have each axis exactly once.
    #[error("permute: {axes:?} is not an order of the axes of rank {rank}")]
    NotAPermutation {
        /// The requested axes.
        axes: Vec<isize>,
        /// The array's rank.
        rank: usize,
    },
    /// An axis of another size than the operation takes.
    #[error("{operation}: axis {axis} has size {size}, expected {expected}")]
    AxisSize {
        /// The operation.
        operation: &'static str,
        /// The axis as it was given: counted from the end if it is negative.
        axis: isize,
        /// The size of the axis.
        size: usize,
        /// The size that the operation takes.
        expected: usize,
    },
    /// An axis without elements, where the result has elements of it.
    #[error("{operation}: axis {axis} has size 0, so there are no elements to repeat")]
    EmptyAxis {
        /// The operation.
        operation: &'static str,
        /// The axis.
        axis: usize,
    },
    /// The minimum or maximum of no elements.
    #[error("{operation}: no elements along the reduced axes of shape {shape:?}")]
    EmptyReduction {
        /// The operation.
        operation: &'static str,
        /// The operand's shape.
        shape: Vec<usize>,
    },

    // Positions and parts.
    /// A position outside an axis.
    #[error("{operation}: index {index} is outside axis {axis} of size {size}")]
    IndexOutOfRange {
        /// The operation.
        operation: &'static str,
        /// The requested position, which may be any of the dtype of the indices.
        index: i128,
        /// The axis as it was given: counted from the end if it is negative.
        axis: isize,
        /// The size of the axis.
        size: usize,
    },
    /// More positions, counted from zero, than the dtype can number.
    #[error("{operation}: {count} different positions do not fit {dtype}, whose largest value is {}", largest(*.dtype))]
    TooManyPositions {
        /// The operation.
        operation: &'static str,
        /// The number of positions.
        count: usize,
        /// The dtype of the positions.
        dtype: DType,
    },
    /// Indices that are not integers.
    #[error("{operation}: indices are integers, found {found}")]
    NotIndices {
        /// The operation.
        operation: &'static str,
        /// The dtype of the indices.
        found: DType,
    },
    /// A negative integer among numbers that are counted.
    #[error("{operation}: the number {number} at position {position} is negative")]
    NegativeNumber {
        /// The operation.
        operation: &'static str,
        /// The first negative integer.
        number: i64,
        /// Its position in the vector.
        position: usize,
    },
    /// More elements than an axis has.
    #[error("{operation}: axis {axis} of size {size} does not have {}", counted(*.count, "elements"))]
    CountOutOfRange {
        /// The operation.
        operation: &'static str,
        /// The requested number of elements.
        count: usize,
        /// The axis as it was given: counted from the end if it is negative.
        axis: isize,
        /// The size of the axis.
        size: usize,
    },
    /// A range that is not within an axis.
    #[error("{operation}: {} is not within axis {axis} of size {size}", range_as_given(.range))]
    SliceOutOfRange {
        /// The operation.
        operation: &'static str,
        /// The start and the end of the range, as they were given: counted from the end of the axis if they are negative.
        range: Box<[Bound<i128>; 2]>,
        /// The axis as it was given: counted from the end if it is negative.
        axis: isize,
        /// The size of the axis.
        size: usize,
    },
    /// A slice with step zero.
    #[error("{operation}: the step along axis {axis} is zero")]
    ZeroStep {
        /// The operation.
        operation: &'static str,
        /// The axis as it was given: counted from the end if it is negative.
        axis: isize,
    },
    /// Sizes of parts that do not add up to the size of the axis.
    #[error("split: the sizes {sizes:?} do not add up to axis {axis} of size {size}")]
    SplitSizes {
        /// The requested sizes.
        sizes: Vec<usize>,
        /// The axis as it was given: counted from the end if it is negative.
        axis: isize,
        /// The size of the axis.
        size: usize,
    },
    /// An axis that is to be split into no chunks.
    #[error("chunk: axis {axis} of size {size} cannot be split into 0 chunks")]
    NoChunks {
        /// The axis as it was given: counted from the end if it is negative.
        axis: isize,
        /// The size of the axis.
        size: usize,
    },

    // Convolutions and pools.
    /// A window whose size, stride or dilation is zero.
    #[error("{operation}: the {what} of the window along axis {axis} is zero")]
    ZeroWindow {
        /// The operation.
        operation: &'static str,
        /// The number that is zero.
        what: &'static str,
        /// The axis as it was given: counted from the end if it is negative.
        axis: isize,
    },
    /// A window that is larger than the axis, with its padding if the operation pads.
    #[error(
        "{operation}: a window of {window} does not fit axis {axis}, which has size {size}{}",
        if *padded { " with its padding" } else { "" }
    )]
    WindowTooLarge {
        /// The operation.
        operation: &'static str,
        /// The size of the window, with its dilation.
        window: usize,
        /// The axis as it was given: counted from the end if it is negative.
        axis: isize,
        /// The size of the axis, with its padding if the operation pads.
        size: usize,
        /// `true` if the operation can pad, as convolutions and pools can. `unfold` cannot.
        padded: bool,
    },
    /// A padding that takes all positions from the result of a transposed convolution.
    #[error(
        "{operation}: padding of {} and {} takes all of axis {axis}, which has size {size} without it",
        padding[0],
        padding[1]
    )]
    PaddingTooLarge {
        /// The operation.
        operation: &'static str,
        /// The positions before and behind the axis.
        padding: [usize; 2],
        /// The axis.
        axis: usize,
        /// The size of the result's axis without padding.
        size: usize,
    },
    /// Groups that do not divide the channels or the filters.
    #[error("{operation}: {size} {what} are not divisible into {groups} groups")]
    NotDivisible {
        /// The operation.
        operation: &'static str,
        /// Channels or filters.
        what: &'static str,
        /// The number of them.
        size: usize,
        /// The number of groups.
        groups: usize,
    },

    // `einsum`.
    /// An equation of `einsum` with a mistake.
    #[error("einsum: {} of `{equation}`: {reason}", character(.equation, *.position))]
    Equation {
        /// The equation.
        equation: String,
        /// The position of the mistake, in bytes from zero.
        position: usize,
        /// The rule that it breaks.
        reason: &'static str,
    },
    /// An operand of `einsum` with another number of axes than its term has letters.
    #[error("einsum: the subscripts `{subscripts}` do not fit operand {operand} of rank {} (shape {shape:?})", .shape.len())]
    SubscriptRank {
        /// The position of the operand, from zero.
        operand: usize,
        /// The term.
        subscripts: String,
        /// The operand's shape.
        shape: Vec<usize>,
    },
    /// Axes of one letter with several sizes.
    #[error(
        "{operation}: subscript `{label}`: {}, {} (shapes {:?} and {:?})", axes[0], axes[1], axes[0].shape, axes[1].shape
    )]
    SubscriptSize {
        /// The operation.
        operation: &'static str,
        /// The letter, or `...`.
        label: String,
        /// Two axes with the letter.
        axes: Box<[SizedAxis; 2]>,
    },

    // Arithmetic and arguments that are numbers.
    /// A division of an integer by zero.
    #[error("{operation}: {dtype} divided by zero")]
    DivisionByZero {
        /// The operation.
        operation: &'static str,
        /// The dtype in which it was to be computed.
        dtype: DType,
    },
    /// A negative power of an integer.
    #[error("pow: {dtype} raised to a negative power")]
    NegativeExponent {
        /// The dtype in which it was to be computed.
        dtype: DType,
    },
    /// A quantile that is not between zero and one.
    #[error("{operation}: {} is not between 0 and 1", short(*.quantile))]
    QuantileOutOfRange {
        /// The operation.
        operation: &'static str,
        /// The requested quantile.
        quantile: f64,
    },
    /// A histogram without bins, or with bounds that are not finite numbers in ascending order.
    #[error(
        "histogram: {bins} bins from {} to {}; it needs a bin, and finite bounds in ascending order", short(*.low), short(*.high)
    )]
    Histogram {
        /// The requested number of bins.
        bins: usize,
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// Edges of bins that do not ascend.
    #[error("{operation}: the edge at position {position} is below the edge before it, or is NaN")]
    EdgesNotAscending {
        /// The operation.
        operation: &'static str,
        /// The position of the edge.
        position: usize,
    },
    /// Numbers in steps that are not finite.
    #[error("{operation}: no finite steps from {} to {}", short(*.start), short(*.end))]
    Linspace {
        /// The operation.
        operation: &'static str,
        /// The first number.
        start: f64,
        /// The last number.
        end: f64,
    },
    /// A range of numbers without end, or with 2^48 elements or more.
    #[error("arange: no finite sequence from {} to {} by {}", short(*.start), short(*.end), short(*.step))]
    Arange {
        /// The first number.
        start: f64,
        /// The end, exclusive.
        end: f64,
        /// The step.
        step: f64,
    },
    /// A parameter of random numbers that has no meaning: a probability above one, a standard deviation below zero.
    #[error("{operation}: the {parameter} {value:?} is not {expected}")]
    Parameter {
        /// The operation.
        operation: &'static str,
        /// The name of the parameter.
        parameter: &'static str,
        /// The number.
        value: f64,
        /// The description that it has to fit.
        expected: &'static str,
    },
    /// A range for random numbers in which the dtype has no value, or which is beyond the values of the dtype.
    #[error("{operation}: {start}..{end} is not a range of values of {dtype}")]
    RandomRange {
        /// The operation.
        operation: &'static str,
        /// The dtype.
        dtype: DType,
        /// The first number.
        start: Scalar,
        /// The end, exclusive.
        end: Scalar,
    },

    // Files and other libraries.
    /// A file that cannot be read, or is malformed.
    #[error("{}: {reason}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason, as text.
        reason: String,
    },
    /// A tensor in a file that is larger than the `ReadOptions` allow. Those exist with a feature for files.
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
        /// The bytes of this tensor and of all tensors that were read from the file before.
        total: u64,
        /// The limit on the bytes of the file's tensors.
        limit: u64,
    },
    /// A file that does not have the requested tensor.
    #[error("{}: no tensor `{name}`; there are {}", .path.display(), .names.join(", "))]
    NoSuchTensor {
        /// The file.
        path: PathBuf,
        /// The requested name.
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
    /// Tensors that do not match the record to load.
    #[error("{}:{}", unexpected(.path.as_deref()), indented(.faults))]
    UnexpectedTensors {
        /// The file, if it is one.
        path: Option<PathBuf>,
        /// All mismatches: those of fields, in their order, then tensors that belong to no field.
        faults: Vec<TensorMismatch>,
    },
    /// A file that cannot be written.
    #[error("{}: {reason}", .path.display())]
    Unwritable {
        /// The file.
        path: PathBuf,
        /// The reason, as text.
        reason: String,
    },
    /// An object of another library that cannot be imported as a tensor.
    #[error("{interface}: {reason}")]
    NotATensor {
        /// The interface of the import, such as `DLPack`.
        interface: &'static str,
        /// The reason, as text.
        reason: String,
    },

    // Traces and devices.
    /// A traced function read elements, which traced tensors do not have.
    #[cfg(feature = "stablehlo")]
    #[error(
        "{operation}: a traced tensor has no elements; {}",
        traceable_instead(operation)
    )]
    Untraceable {
        /// The operation.
        operation: &'static str,
    },
    /// A tensor that left the function in which it was traced.
    #[cfg(feature = "stablehlo")]
    #[error("{operation}: a traced tensor outside of its trace")]
    OutsideTrace {
        /// The operation.
        operation: &'static str,
    },
    /// Axes of a mesh that do not fit a program's inputs and outputs.
    #[cfg(feature = "stablehlo")]
    #[error("shard: {0}")]
    Sharding(#[from] ShardingError),
    /// An argument of a program that no result can replace.
    #[cfg(feature = "stablehlo")]
    #[error("donate: input {number}, {reason}")]
    NotDonatable {
        /// The position of the argument.
        number: usize,
        /// The reason, as text.
        reason: String,
    },
    /// A plugin, or what was asked of its devices.
    #[cfg(feature = "pjrt")]
    #[error(transparent)]
    Device(#[from] DeviceError),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
