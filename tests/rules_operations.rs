//! What operations give under the rule sets of JAX against what JAX answers.

mod common;

use common::{Oracle, Row, Tally, operand};
use supremum::{Class, DType, Jax, JaxX32, Kind, OperandType, Operation, RuleSet, Rules};

/// How an operation of the files reads here.
enum Reading {
    /// The operation on the operand, or on the promotion of two.
    Operation(Operation),
    /// The operand's dtype or the promotion itself.
    Plain,
    /// The same, where the operands have an order.
    Ordered,
    /// The power of two operands.
    Power,
    /// No group of operations, and why.
    Outside(&'static str),
}

fn reading(operation: &str) -> Reading {
    use Operation::*;
    Reading::Operation(match operation {
        "add" | "multiply" | "where" | "concatenate" => return Reading::Plain,
        "minimum" => return Reading::Ordered,
        "power" => return Reading::Power,
        "square" => return Reading::Outside("square is a product here"),
        "logical_not" => return Reading::Outside("logical_not is not among the operations"),
        "subtract" => Subtract,
        "true_divide" | "arctan2" => Divide,
        "floor_divide" | "remainder" => FloorDivide,
        "bitwise_and" | "invert" => Bitwise,
        "left_shift" => Shift,
        "neg" | "sign" | "round" => Negate,
        "floor" => Floor,
        "sqrt" | "exp" | "log" | "sin" | "tanh" | "reciprocal" => FloatFunction,
        "abs" => Absolute,
        "equal" | "isnan" => Equality,
        "less" => Ordering,
        "sum" | "prod" => Sum,
        "cumsum" => CumulativeSum,
        "mean" => Mean,
        "var" | "std" => Variance,
        "max" => Extremum,
        "argmax" => ExtremumIndex,
        "any" | "all" => AnyAll,
        "matmul" => MatrixMultiply,
        other => panic!("no reading of {other}"),
    })
}

/// The operands of a row: one, or two.
fn operands(row: Row<'_>, x64: bool) -> Result<Vec<OperandType>, &'static str> {
    let columns: &[_] = if row.has("operand") {
        &["operand"]
    } else {
        &["lhs", "rhs"]
    };
    columns
        .iter()
        .map(|column| operand(row.get(column), x64))
        .collect()
}

/// What the rules give, or nothing.
fn found(rules: &RuleSet, reading: &Reading, operands: &[OperandType]) -> Option<OperandType> {
    let operand = match *operands {
        [base, exponent] if matches!(reading, Reading::Power) => {
            return rules.allowing_unsafe().power(base, exponent).ok();
        }
        [lhs, rhs] => rules.promote(lhs, rhs).ok()?.operand(),
        [operand] => operand,
        _ => unreachable!("operations have one operand or two"),
    };
    match *reading {
        Reading::Operation(operation) => rules.operation(operation, operand).ok(),
        Reading::Ordered => rules
            .operation(Operation::Ordering, operand)
            .ok()
            .map(|_| operand),
        Reading::Plain | Reading::Power | Reading::Outside(_) => Some(operand),
    }
}

/// Where this library means to differ from JAX.
fn deviation(
    operation: &str,
    operands: &[OperandType],
    expected: &str,
    found: &str,
) -> Option<&'static str> {
    let complex = operands
        .iter()
        .any(|operand| operand.dtype.kind() == Kind::Complex);
    let weak = |operand: &OperandType| operand.class == Class::Weak;
    match operation {
        "less" | "minimum" | "max" | "argmax" if complex && found == "error" => {
            Some("complex numbers have no order here")
        }
        "matmul" if expected == "error" && operands.iter().any(weak) => {
            Some("JAX refuses an operand wider than a weak operand's matmul")
        }
        "floor_divide" if operands.iter().all(weak) => {
            Some("JAX fails to divide two weak arrays, or widens them, where `%` keeps them")
        }
        "power" if literal_like(operands[1]) => {
            Some("JAX keeps the base's dtype for a literal exponent, which here is a weak array")
        }
        _ => None,
    }
}

/// Whether an operand could be a literal integer or `True`.
fn literal_like(operand: OperandType) -> bool {
    operand.dtype == DType::Bool
        || operand.class == Class::Weak && operand.dtype.kind().is_integer()
}

/// Compares one column of one file.
fn check(rules: &RuleSet, file: &str, column: &str, expected_rows: usize) {
    let x64 = column == "jax_x64";
    let mut tally = Tally::default();
    for row in Oracle::read(file).rows() {
        let operation = row.get("op");
        let reading = reading(operation);
        let outside = match reading {
            Reading::Outside(reason) => Some(reason),
            _ if row.get(column).is_empty() => Some("not in JAX"),
            _ => None,
        };
        let operands = match (outside, operands(row, x64)) {
            (Some(reason), _) | (None, Err(reason)) => {
                tally.leave_out(reason);
                continue;
            }
            (None, Ok(operands)) => operands,
        };
        let expected = row.get(column);
        let found = found(rules, &reading, &operands);
        let found = found.map_or("error".to_owned(), |operand| operand.to_string());
        if found != expected
            && let Some(reason) = deviation(operation, &operands, expected, &found)
        {
            tally.leave_out(reason);
            continue;
        }
        let shown: Vec<_> = operands.iter().map(ToString::to_string).collect();
        tally.check(
            format!("{operation}({})", shown.join(", ")),
            found,
            expected.to_owned(),
        );
    }
    tally.finish(&format!("{}, {file}", rules.name()), expected_rows);
}

/// Both columns of a file, with the numbers of rows that have an answer.
fn check_both(file: &str, [x64_rows, x32_rows]: [usize; 2]) {
    check(Jax::rule_set(), file, "jax_x64", x64_rows);
    check(JaxX32::rule_set(), file, "jax_x32", x32_rows);
}

#[test]
fn unary_operations() {
    check_both("op_unary.csv", [286, 286]);
}

#[test]
fn reductions() {
    check_both("op_reduce.csv", [214, 214]);
}

#[test]
fn binary_operations() {
    check_both("op_binary.csv", [6331, 6332]);
}

#[test]
fn binary_operations_on_weak_arrays() {
    check_both("op_binary_weak.csv", [3497, 3518]);
}
