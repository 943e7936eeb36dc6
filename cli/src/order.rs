//! Several operands in every order.

use supremum::{Class, OperandType, Operation, RuleSet};

use crate::answer::Answer;

/// The most operands that are tried in every order: 720 of them.
pub(crate) const MAX_OPERANDS: usize = 6;

/// One operand after the other, from the left.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chain {
    pub(crate) operands: Vec<OperandType>,
    /// The results so far: after two operands, after three and so on, to the end or to the first undefined one.
    pub(crate) results: Vec<OperandType>,
}

impl Chain {
    /// Promotes operands from the left, each time as the operation does.
    pub(crate) fn of(
        rules: &RuleSet,
        operation: Option<Operation>,
        operands: &[OperandType],
    ) -> Self {
        let mut results = Vec::new();
        let mut operands_left = operands.iter();
        let mut sofar = operands_left.next().copied();
        for next in operands_left {
            sofar = sofar.and_then(|sofar| meet(rules, operation, sofar, *next));
            results.extend(sofar);
            if sofar.is_none() {
                break;
            }
        }
        Self {
            operands: operands.to_vec(),
            results,
        }
    }

    /// The last result; `None` if a step is undefined.
    pub(crate) fn result(&self) -> Option<OperandType> {
        let complete = self.results.len() + 1 == self.operands.len();
        self.results.last().copied().filter(|_| complete)
    }
}

/// Returns the result of two operands as the operand of the next step. Without axes in either it has none.
pub(crate) fn meet(
    rules: &RuleSet,
    operation: Option<Operation>,
    lhs: OperandType,
    rhs: OperandType,
) -> Option<OperandType> {
    let result = Answer::of(rules, operation, lhs, rhs).result()?;
    let classes = [lhs.class, rhs.class];
    let zero_dim = !classes.contains(&Class::Dimensioned) && classes.contains(&Class::ZeroDim);
    Some(match result.class {
        Class::Weak => result,
        _ if zero_dim => OperandType::zero_dim(result.dtype),
        _ => result,
    })
}

/// Every order of the operands, each once; the given one comes first.
pub(crate) fn all(operands: &[OperandType]) -> Vec<Vec<OperandType>> {
    let Some((first, rest)) = operands.split_first() else {
        return vec![Vec::new()];
    };
    let mut orders: Vec<Vec<OperandType>> = Vec::new();
    let shorter = all(rest);
    for position in 0..operands.len() {
        for order in &shorter {
            let mut order = order.clone();
            order.insert(position, *first);
            if !orders.contains(&order) {
                orders.push(order);
            }
        }
    }
    orders
}
