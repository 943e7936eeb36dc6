//! What operations give under the rule sets of JAX against what JAX answers.

mod common;

use common::{Oracle, Row, Tally, operand};
use supremum::{Class, DType, Jax, JaxX32, Kind, OperandType, Operation, RuleSet, Rules};

/// The group of an operation of the files, or why it has none.
fn group(operation: &str) -> Result<Operation, &'static str> {
    use Operation::*;
    Ok(match operation {
        "square" => return Err("square is a product here"),
        "logical_not" => return Err("logical_not is not among the operations"),
        "add" => Add,
        "subtract" => Subtract,
        "multiply" => Multiply,
        "true_divide" => Divide,
        "floor_divide" | "remainder" => FloorDivide,
        "power" => Power,
        "arctan2" => Arctangent,
        "minimum" => Minimum,
        "bitwise_and" => Bitwise,
        "left_shift" => Shift,
        "equal" => Equality,
        "less" => Ordering,
        "where" | "concatenate" => Join,
        "matmul" => MatrixMultiply,
        "neg" => Negate,
        "sign" => Sign,
        "round" => Round,
        "floor" => Floor,
        "invert" => Invert,
        "sqrt" | "exp" | "log" | "sin" | "tanh" => FloatFunction,
        "reciprocal" => Reciprocal,
        "abs" => Absolute,
        "isnan" => Classify,
        "sum" | "prod" => Sum,
        "cumsum" => CumulativeSum,
        "mean" => Mean,
        "var" | "std" => Variance,
        "max" => Extremum,
        "argmax" => ExtremumIndex,
        "any" | "all" => AnyAll,
        other => panic!("no group of {other}"),
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
fn found(rules: &RuleSet, group: Operation, operands: &[OperandType]) -> Option<OperandType> {
    match *operands {
        [lhs, rhs] => {
            let promotion = rules.allowing_unsafe().binary(group, lhs, rhs).ok()?;
            Some(promotion.operand())
        }
        [operand] => rules.operation(group, operand).ok(),
        _ => unreachable!("operations have one operand or two"),
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
        let group = match group(operation) {
            Ok(_) if row.get(column).is_empty() => Err("not in JAX"),
            group => group,
        };
        let (group, operands) = match (group, operands(row, x64)) {
            (Err(reason), _) | (Ok(_), Err(reason)) => {
                tally.leave_out(reason);
                continue;
            }
            (Ok(group), Ok(operands)) => (group, operands),
        };
        let expected = row.get(column);
        let found = found(rules, group, &operands);
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
