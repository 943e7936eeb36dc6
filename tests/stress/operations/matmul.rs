//! Matrix products, and joins.

use supremum::{DType, OperandType, Operation, RuleSet};

use super::elementwise::cast;
use super::reduce::{product_of, sum_of};
use super::{Answer, Expected, Judge, Refusal, exact};
use crate::element::Element;
use crate::exact::Kind;
use crate::naive::broadcast;
use crate::reference::Reference;

/// Products of matrices; the axes in front broadcast.
pub(crate) fn matmul(rules: &RuleSet, a: &Reference, b: &Reference) -> Answer {
    let promotion = rules.binary(Operation::MatrixMultiply, a.operand(), b.operand());
    let result = promotion.map_err(|_| Refusal::Rules)?.operand();
    let (rank_a, rank_b) = (a.shape.len(), b.shape.len());
    if rank_a == 0 || rank_b == 0 {
        return Err(Refusal::Values);
    }
    // Vectors are matrices of one row or column, which the result does not have.
    let with_axis = |x: &Reference, axis| {
        let mut shape = x.shape.clone();
        shape.insert(axis, 1);
        cast(x, result.dtype).reshape(&shape)
    };
    let a = if rank_a == 1 {
        with_axis(a, 0)
    } else {
        cast(a, result.dtype)
    };
    let b = if rank_b == 1 {
        with_axis(b, 1)
    } else {
        cast(b, result.dtype)
    };
    let (batch_a, matrix_a) = a.shape.split_at(a.shape.len() - 2);
    let (batch_b, matrix_b) = b.shape.split_at(b.shape.len() - 2);
    let batch = broadcast(batch_a, batch_b).ok_or(Refusal::Values)?;
    let ([rows, depth], [depth_b, columns]) =
        ([matrix_a[0], matrix_a[1]], [matrix_b[0], matrix_b[1]]);
    if depth != depth_b {
        return Err(Refusal::Values);
    }
    let whole = |sizes: [usize; 2]| [&batch[..], &sizes].concat();
    let [a, b] = [
        a.broadcast_to(&whole([rows, depth])),
        b.broadcast_to(&whole([depth, columns])),
    ];
    let element = Element::of(result.dtype);
    let mut elements = vec![];
    let mut absolute = 0.0_f64;
    for matrix in 0..batch.iter().product() {
        for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)))
        {
            let pairs = (0..depth).map(|k| {
                let a = a.at((matrix * rows + row) * depth + k);
                (a, b.at((matrix * depth + k) * columns + column))
            });
            elements.push(if result.dtype == DType::Bool {
                u128::from(pairs.into_iter().any(|(a, b)| a == 1 && b == 1))
            } else if element.is_integer() {
                let sum = pairs.fold(0_i128, |sum, (a, b)| {
                    sum.wrapping_add(element.integer(a).wrapping_mul(element.integer(b)))
                });
                element.from_integer(sum)
            } else {
                let products = pairs.map(|(a, b)| product_of(element.parts(a), element.parts(b)));
                let sum = products.fold([0.0; 2], |sum, product| {
                    absolute = absolute.max(product[0].hypot(product[1]));
                    sum_of(sum, product)
                });
                element.from_parts(sum)
            });
        }
    }
    let mut shape = whole([rows, columns]);
    if rank_b == 1 {
        shape.pop();
    }
    if rank_a == 1 {
        shape.remove(batch.len());
    }
    let value = Reference::new(result.dtype, &shape, &elements).with_operand(result);
    // The order of additions is the other library's, and so is whether a sum begins with a zero; sums of few small numbers do not
    // round.
    let judge = match element.kind {
        Kind::Float(_) | Kind::Complex(_) if absolute <= 64.0 && depth < 1000 => Judge::Equal,
        Kind::Float(_) | Kind::Complex(_) => Judge::Shape,
        _ => Judge::Exact,
    };
    Ok(Expected { value, judge })
}

/// One behind the other along an axis.
pub(crate) fn concat(result: OperandType, parts: &[&Reference], axis: usize) -> Answer {
    let first = parts[0];
    for part in parts {
        let alike = |other: usize| part.shape[other] == first.shape[other] || other == axis;
        if part.shape.len() != first.shape.len() || !(0..first.shape.len()).all(alike) {
            return Err(Refusal::Values);
        }
    }
    let mut shape = first.shape.clone();
    shape[axis] = parts.iter().map(|part| part.shape[axis]).sum();
    let rows: usize = shape[..axis].iter().product();
    let parts: Vec<Reference> = parts.iter().map(|part| cast(part, result.dtype)).collect();
    let mut elements = vec![];
    for row in 0..rows {
        for part in &parts {
            let width: usize = part.shape[axis..].iter().product();
            elements.extend((row * width..(row + 1) * width).map(|at| part.at(at)));
        }
    }
    exact(Reference::new(result.dtype, &shape, &elements).with_operand(result))
}
