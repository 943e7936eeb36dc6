//! Parts of messages that depend on the fields of an error.

use core::ops::Bound;
use std::path::Path;

use super::{ErrorOperand, OpContext, TensorMismatch};
use crate::dtype::{DType, Kind};
use crate::rule_set::{OperandType, Operation};

pub(super) type At = Option<Box<OpContext>>;

/// Returns the character of an equation at a position, or where the equation ends.
pub(super) fn character(equation: &str, position: usize) -> String {
    let rest = equation.get(position..).unwrap_or_default();
    match rest.chars().next() {
        Some(character) => format!("`{character}` at position {position}"),
        None => "the end".into(),
    }
}

/// Returns the start of a message: the operation if it is known, and the fault.
pub(super) fn head(at: &At, what: &str) -> String {
    match at {
        Some(at) => format!("{}: {what}", at.operation),
        None => what.into(),
    }
}

pub(super) fn both(lhs: &OperandType, rhs: &OperandType, at: &At) -> String {
    match at.as_deref().map(|at| at.operands.as_slice()) {
        Some([lhs, rhs]) => format!("{lhs} and {rhs}"),
        _ => format!("{lhs} and {rhs}"),
    }
}

/// Returns the rules that the operands follow, and those by which they promote for the operation if it has others.
pub(super) fn by(promoting: &str, at: &At) -> String {
    match at {
        Some(at) if at.rules != promoting => {
            format!("`{}` rules (`{promoting}` for this operation)", at.rules)
        }
        _ => format!("`{promoting}` rules"),
    }
}

/// Returns the start of a message on an undefined operation. The operation that was called stands for its group, which has operations
/// of other names.
pub(super) fn undefined(group: Operation, at: &At) -> String {
    match at {
        Some(_) => head(at, "undefined"),
        None => format!("undefined: {}", group.name()),
    }
}

pub(super) fn of(at: &At) -> String {
    let operands = at.iter().flat_map(|at| &at.operands);
    let operands: Vec<_> = operands.map(ErrorOperand::to_string).collect();
    format!(", for {}; cast first", operands.join(" and "))
}

/// Returns the end of a message: the remedy, in general or in an operation.
pub(super) fn cure<'a>(at: &At, general: &'a str, operation: &'a str) -> &'a str {
    match at {
        Some(_) => operation,
        None => general,
    }
}

/// Operations on a list of tensors, or on references to tensors: none of their operands can be wrapped. (`concat` is also a method, whose
/// operand can be; the error does not tell the two apart.)
const TAKE_NO_WRAPPER: [&str; 7] = [
    "concat",
    "stack",
    "einsum",
    "conv1d",
    "conv2d",
    "conv_transpose1d",
    "conv_transpose2d",
];

/// Returns the end of a message on an unsafe promotion: how to admit it.
pub(super) fn admit(at: &At) -> &'static str {
    match at {
        Some(at) if TAKE_NO_WRAPPER.contains(&at.operation) => {
            "; cast one side, or move both to rules that admit it: `t.with_rules(t.rules().allowing_unsafe())`"
        }
        Some(_) => "; cast one side, or wrap it by `.promote_unsafe()`",
        None => "; convert one side, or allow unsafe promotions",
    }
}

pub(super) fn unexpected(path: Option<&Path>) -> String {
    match path {
        Some(path) => format!("{} does not have the tensors of the record", path.display()),
        None => "the tensors are not those of the record".into(),
    }
}

/// Returns the part of a message on the tensors that were read before.
pub(super) fn together(bytes: u64, total: u64) -> String {
    match total == bytes {
        true => String::new(),
        false => format!(", {total} with those that were read before,"),
    }
}

pub(super) fn indented(faults: &[TensorMismatch]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

pub(super) fn list(operands: &[OperandType]) -> String {
    let operands: Vec<_> = operands.iter().map(OperandType::to_string).collect();
    operands.join(", ")
}

pub(super) fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join(", ")
}

/// Returns a number of axes that is expected.
pub(super) fn axes(count: usize) -> String {
    match count {
        1 => "1 axis expected".into(),
        _ => format!("{count} axes expected"),
    }
}

/// Returns a number of things, in the singular if it is one; the first word says what they are.
pub(super) fn counted(count: usize, what: &str) -> String {
    let (things, more) = what.split_at(what.find([' ', ',']).unwrap_or(what.len()));
    match (count, things) {
        (1, "axes") => format!("1 axis{more}"),
        (1, _) => format!("1 {}{more}", things.trim_end_matches('s')),
        _ => format!("{count} {what}"),
    }
}

/// Returns a float as it is written: whole numbers without a point, and large and small ones with an exponent.
pub(super) fn short(number: f64) -> String {
    let written = format!("{number:?}");
    written.strip_suffix(".0").unwrap_or(&written).to_owned()
}

/// Returns the end of a message on an axis that two numbers name: the numbers, unless both are that of the axis.
pub(super) fn as_given(axis: usize, given: &[isize; 2]) -> String {
    match given.iter().all(|number| *number == axis.cast_signed()) {
        true => String::new(),
        false => format!(", as {} and {}", given[0], given[1]),
    }
}

/// Operations on tensors of one rank, which do not broadcast to another one.
const OF_ONE_RANK: [&str; 12] = [
    "concat",
    "stack",
    "take_along_axis",
    "scatter",
    "scatter_add",
    "scatter_max",
    "scatter_min",
    "interp",
    "histogram_weighted",
    "bincount_weighted",
    "searchsorted_rows",
    "searchsorted_rows_right",
];

/// Returns the end of a message on two shapes: the axis on which they differ, or else their ranks. Axes count from the end if one shape has
/// more of them.
pub(super) fn apart(operation: &str, lhs: &[usize], rhs: &[usize]) -> String {
    let ranks = || format!("; the ranks are {} and {}", lhs.len(), rhs.len());
    if lhs.len() != rhs.len() && OF_ONE_RANK.contains(&operation) {
        return ranks();
    }
    // The matrices of a product fit, so its stacks do not.
    let is_product = matches!(operation, "matmul" | "matmul_in");
    let matrix = if is_product { 2 } else { 0 };
    let pairs = || {
        let pairs = lhs.iter().rev().zip(rhs.iter().rev());
        pairs.enumerate().skip(matrix)
    };
    let unequal = |(_, (a, b)): &(usize, (&usize, &usize))| a != b;
    // Size 1 broadcasts, if it may: the fault is elsewhere if sizes differ elsewhere.
    let found = pairs()
        .find(|pair| unequal(pair) && *pair.1.0 != 1 && *pair.1.1 != 1)
        .or_else(|| pairs().find(unequal).filter(|_| lhs.len() == rhs.len()));
    match found {
        Some((from_end, (a, b))) if lhs.len() == rhs.len() => {
            let axis = lhs.len() - 1 - from_end;
            format!("; axis {axis} has sizes {a} and {b}")
        }
        Some((from_end, (a, b))) => format!("; axis -{} has sizes {a} and {b}", from_end + 1),
        None => ranks(),
    }
}

/// Writes a range as it was given.
pub(super) fn range_as_given([start, end]: &[Bound<i128>; 2]) -> String {
    let start = match start {
        Bound::Included(start) => start.to_string(),
        // `a..b` cannot exclude its start, so the position behind it stands for it.
        Bound::Excluded(before) => format!("{}", before.saturating_add(1)),
        Bound::Unbounded => String::new(),
    };
    match end {
        Bound::Included(last) => format!("{start}..={last}"),
        Bound::Excluded(end) => format!("{start}..{end}"),
        Bound::Unbounded => format!("{start}.."),
    }
}

/// Returns a hint for operations on vectors for which NumPy flattens tensors of other ranks.
pub(super) fn flattened(operation: &str) -> &'static str {
    match operation {
        "outer" => "; `.flatten()` makes a vector of a tensor of any rank",
        _ => "",
    }
}

/// Returns the largest value of an integer dtype.
pub(super) fn largest(dtype: DType) -> u64 {
    let is_signed = dtype.kind() == Kind::Signed;
    u64::MAX >> (64 - 8 * dtype.size() + usize::from(is_signed))
}

/// Returns a hint for a shape in which more than one size is left out, or with `isize::MAX` in it. Of `[n, -1]` with an `n: usize` rustc proposes `[n, usize::MAX]`, which arrives here as
/// `isize::MAX`; the hint says how to write `-1`. It is empty for other shapes.
pub(super) fn left_out(shape: &[isize]) -> &'static str {
    if shape.iter().filter(|size| **size == -1).count() > 1 {
        "; only one size may be left out, as `-1`"
    } else if shape.contains(&isize::MAX) {
        "; the size that is left out is `-1`, and beside a `usize` in a tuple: `(n, -1)`"
    } else {
        ""
    }
}

/// Says what to write in a trace instead of an operation that needs elements.
#[cfg(feature = "stablehlo")]
pub(super) fn traceable_instead(operation: &str) -> &'static str {
    match operation {
        "as_mut_slice" | "iter_mut" => {
            "a part is written by `t.slice_mut(axis, range).assign(&x)`, `.fill(value)` or `+=`"
        }
        "index" => {
            "an element is written by `t.set(&index, value)`, and read as a tensor by `t.slice_axes(s![i, j])`"
        }
        "map" | "map_inplace" | "zip_mut_with" => {
            "compute with operations on tensors or `fuse!` in place of the closure, and choose by `select`"
        }
        // Only a part that was borrowed outside of the trace is not traceable with these.
        "assign" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>="
        | "fuse!" => {
            "borrow the part, as by `t.slice_mut(axis, range)`, within the traced function"
        }
        _ => "keep to operations that give tensors, and choose by `select` in place of `if`",
    }
}
