//! Sums of products over labelled axes, by views, sums and matrix products.

use std::borrow::Cow;

use super::equation::{Equation, HIDDEN};
use super::order::{Order, Parts, contains};
use crate::array::{Array, Datum};
use crate::dtype::{DType, compute_dtype};
use crate::error::{Error, SizedAxis, named};
use crate::exec;
use crate::kernel::{BinaryOp, ReduceOp};

/// An array whose axes have labels, none of them twice.
#[derive(Clone)]
struct Labelled {
    array: Array,
    labels: Vec<u8>,
}

/// Computes an equation on arrays, with a result of the dtype `out`.
///
/// Operands are multiplied two at a time, in the order of [`Order`]. Axes that neither the result nor another operand has are summed first.
/// Small floats are multiplied and added in `f32`, and rounded once.
///
/// # Errors
/// [`Error::SubscriptRank`], [`Error::SubscriptSize`]; [`Error::RankTooLarge`] for intermediate results above rank 8;
/// [`Error::ShapeTooLarge`], [`Error::OutOfMemory`].
pub(crate) fn einsum(equation: &Equation, arrays: &[&Array], out: DType) -> Result<Array, Error> {
    let mut labels = Vec::with_capacity(arrays.len());
    for (number, array) in arrays.iter().enumerate() {
        let found = equation.operand_labels(number, array.rank());
        labels.push(found.ok_or_else(|| Error::SubscriptRank {
            operand: number,
            subscripts: equation.operand_text(number),
            shape: array.shape().to_vec(),
        })?);
    }
    let hidden = labels
        .iter()
        .map(|labels| labels.iter().filter(|label| **label >= HIDDEN).count());
    let result = equation.result_labels(hidden.max().unwrap_or(0));
    contract("einsum", arrays, labels, &result, out)
}

/// Multiplies arrays with labelled axes, and sums over the labels that the result does not have.
///
/// # Errors
/// The errors of [`einsum`].
pub(crate) fn contract(
    operation: &'static str,
    arrays: &[&Array],
    labels: Vec<Vec<u8>>,
    result: &[u8],
    out: DType,
) -> Result<Array, Error> {
    named(
        operation,
        contracted(operation, arrays, labels, result, out),
    )
}

fn contracted(
    operation: &'static str,
    arrays: &[&Array],
    labels: Vec<Vec<u8>>,
    result: &[u8],
    out: DType,
) -> Result<Array, Error> {
    let sizes = sizes(operation, arrays, &labels)?;
    let mut operands = Vec::with_capacity(arrays.len());
    for (array, labels) in arrays.iter().zip(labels) {
        exec::require_current(operation, array)?;
        operands.push(Labelled::new(array, labels, &sizes)?);
    }
    let set = |labels: &[u8]| -> u64 {
        let has = |size: &LabelSize| u64::from(labels.contains(&size.label));
        let sizes = sizes.iter().enumerate();
        sizes.map(|(bit, size)| has(size) << bit).sum()
    };
    let sets: Vec<u64> = operands
        .iter()
        .map(|operand| set(&operand.labels))
        .collect();
    let counts: Vec<usize> = sizes.iter().map(|size| size.size).collect();
    let contraction = Contraction {
        order: Order::cheapest(&sets, set(result), &counts),
        operands,
        result,
        compute: compute_dtype(out),
    };
    let all = (1 << arrays.len()) - 1;
    if all == 0 {
        return Err(Error::NoTensors { operation });
    }
    let product = contraction.product(all)?.permuted(result)?;
    exec::cast(Cow::Owned(product.array), out)
}

/// A product of several operands.
struct Contraction<'a> {
    operands: Vec<Labelled>,
    order: Order,
    result: &'a [u8],
    /// The dtype of products and sums.
    compute: DType,
}

impl Contraction<'_> {
    /// Multiplies a set of operands, and sums over the labels that neither the result nor another operand has.
    fn product(&self, set: usize) -> Result<Labelled, Error> {
        let needed = |label: &u8| {
            let mut others = self.operands.iter().enumerate();
            self.result.contains(label)
                || others.any(|(number, x)| !contains(set, number) && x.labels.contains(label))
        };
        match self.order.parts(set) {
            Parts::One(operand) => self.operands[operand].clone().summed(self.compute, needed),
            Parts::Two([left, right]) => {
                let (left, right) = (self.product(left)?, self.product(right)?);
                left.multiplied(right, self.compute, needed)
            }
        }
    }
}

/// The size of a label, and the axis that it was found at.
struct LabelSize {
    label: u8,
    size: usize,
    operand: usize,
    axis: usize,
}

/// Returns the size of each label. Axes under an ellipsis broadcast.
// Equations have few labels, so it takes less time to search a list than to fill a table of all 256 labels.
fn sizes(
    operation: &'static str,
    arrays: &[&Array],
    labels: &[Vec<u8>],
) -> Result<Vec<LabelSize>, Error> {
    let mut sizes = Vec::<LabelSize>::with_capacity(8);
    for (operand, (array, labels)) in arrays.iter().zip(labels).enumerate() {
        for (axis, (&label, &size)) in labels.iter().zip(array.shape()).enumerate() {
            let found = LabelSize {
                label,
                size,
                operand,
                axis,
            };
            let broadcasts = label >= HIDDEN;
            match sizes.iter_mut().find(|known| known.label == label) {
                None => sizes.push(found),
                Some(known) if known.size == size || (size == 1 && broadcasts) => {}
                Some(known) if known.size == 1 && broadcasts => *known = found,
                Some(known) => {
                    let sized = |at: &LabelSize| {
                        let name = format!("operand {}", at.operand);
                        SizedAxis::new(name, at.axis.cast_signed(), arrays[at.operand].shape())
                    };
                    return Err(Error::SubscriptSize {
                        operation,
                        label: if broadcasts {
                            "...".into()
                        } else {
                            char::from(label).into()
                        },
                        axes: Box::new([sized(known), sized(&found)]),
                    });
                }
            }
        }
    }
    Ok(sizes)
}

impl Labelled {
    /// Takes diagonals of repeated labels, and drops axes of size one that broadcast.
    fn new(array: &Array, mut labels: Vec<u8>, sizes: &[LabelSize]) -> Result<Self, Error> {
        let fits = |label: u8, size: usize| {
            let known = sizes.iter().find(|known| known.label == label);
            known.is_none_or(|known| known.size == size)
        };
        let mut array = array.clone();
        let mut axis = 0;
        while axis < labels.len() {
            let label = labels[axis];
            if let Some(other) = labels[axis + 1..].iter().position(|other| *other == label) {
                let other = axis + 1 + other;
                array = exec::diagonal(&array, 0, [axis, other])?;
                labels.remove(other);
                labels.remove(axis);
                labels.push(label); // the diagonal is the last axis
            } else if !fits(label, array.shape()[axis]) {
                array = exec::squeeze(&array, axis)?;
                labels.remove(axis);
            } else {
                axis += 1;
            }
        }
        Ok(Self { array, labels })
    }

    fn size(&self, label: u8) -> usize {
        let axis = self.labels.iter().position(|other| *other == label);
        axis.map_or(1, |axis| self.array.shape()[axis])
    }

    fn sizes(&self, labels: &[u8]) -> Vec<usize> {
        labels.iter().map(|label| self.size(*label)).collect()
    }

    /// Sums over the labels that are not needed.
    fn summed(self, dtype: DType, needed: impl Fn(&u8) -> bool) -> Result<Self, Error> {
        let axes = 0..self.labels.len();
        let axes: Vec<usize> = axes.filter(|axis| !needed(&self.labels[*axis])).collect();
        if axes.is_empty() {
            return Ok(self);
        }
        let op = match dtype {
            DType::Bool => ReduceOp::Any,
            _ => ReduceOp::Sum,
        };
        let sum = exec::reduce(op, &self.array, Some(&axes), false, dtype);
        Ok(Self {
            array: sum.array()?,
            labels: self.labels.into_iter().filter(needed).collect(),
        })
    }

    /// Brings the axes into the order of labels, which are all of its labels.
    fn permuted(self, labels: &[u8]) -> Result<Self, Error> {
        if self.labels == labels {
            return Ok(self);
        }
        let axis = |label: &u8| self.labels.iter().position(|other| other == label);
        let order: Vec<usize> = labels.iter().filter_map(axis).collect();
        Ok(Self {
            array: exec::permute(&self.array, &order)?,
            labels: labels.to_vec(),
        })
    }

    /// Multiplies two arrays, and sums over those common labels that are not needed.
    fn multiplied(
        self,
        other: Self,
        dtype: DType,
        needed: impl Fn(&u8) -> bool,
    ) -> Result<Self, Error> {
        let common = self
            .labels
            .iter()
            .copied()
            .filter(|label| other.labels.contains(label));
        let (batch, summed): (Vec<u8>, Vec<u8>) = common.partition(|label| needed(label));
        let only = |x: &Self, y: &Self| -> Vec<u8> {
            let labels = x.labels.iter().copied();
            labels.filter(|label| !y.labels.contains(label)).collect()
        };
        let (left, right) = (only(&self, &other), only(&other, &self));
        let labels = [&*batch, &*left, &*right].concat();
        let shape: Vec<usize> =
            [self.sizes(&batch), self.sizes(&left), other.sizes(&right)].concat();
        let array = if summed.is_empty() {
            let a = self.spread(&batch, &left, &right)?;
            let b = other.spread(&batch, &left, &right)?;
            let op = match dtype {
                DType::Bool => BinaryOp::And,
                _ => BinaryOp::Mul,
            };
            let [a, b] = [a, b].map(Datum::owned);
            exec::binary(op, dtype, dtype, a, b).array()?
        } else {
            let a = self.matrices(&batch, &left, &summed)?;
            let b = other.matrices(&batch, &summed, &right)?;
            reshaped(exec::matmul(&a, &b, dtype)?, &shape)?
        };
        Ok(Self { array, labels })
    }

    /// Orders the axes as those of an elementwise product, with axes of size one for labels that it lacks.
    fn spread(self, batch: &[u8], left: &[u8], right: &[u8]) -> Result<Array, Error> {
        let all = [batch, left, right].concat();
        let own: Vec<u8> = all
            .iter()
            .copied()
            .filter(|label| self.labels.contains(label))
            .collect();
        let mut x = self.permuted(&own)?;
        for (axis, label) in all.iter().enumerate() {
            if !own.contains(label) {
                x.array = exec::unsqueeze(&x.array, axis)?;
            }
        }
        Ok(x.array)
    }

    /// Returns a matrix, or a stack of them if there are labels of a batch. Axes are copied only if they lie in another order than either
    /// way round.
    fn matrices(self, batch: &[u8], rows: &[u8], columns: &[u8]) -> Result<Array, Error> {
        let shape = |axes: [&[u8]; 3]| -> Vec<usize> {
            let axes = &axes[usize::from(batch.is_empty())..];
            let size = |labels: &&[u8]| self.sizes(labels).iter().product();
            axes.iter().map(size).collect()
        };
        if self.labels == [batch, columns, rows].concat() {
            let order: &[usize] = if batch.is_empty() {
                &[1, 0]
            } else {
                &[0, 2, 1]
            };
            let turned = shape([batch, columns, rows]);
            return exec::permute(&reshaped(self.array, &turned)?, order);
        }
        let shape = shape([batch, rows, columns]);
        let x = self.permuted(&[batch, rows, columns].concat())?;
        reshaped(x.array, &shape)
    }
}

/// Gives an array another shape, unless it has it already.
fn reshaped(array: Array, shape: &[usize]) -> Result<Array, Error> {
    if array.shape() == shape {
        return Ok(array);
    }
    exec::reshape(&array, shape)
}
