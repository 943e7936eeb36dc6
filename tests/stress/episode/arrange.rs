//! Steps that move elements.

use supremum::{Error, I64, Operation, Tensor, try_concat, try_stack};

use super::view::MAX_RANK;
use super::{Episode, described};
use crate::operations::{self, Expected, Judge, Refusal};
use crate::shapes;

impl Episode {
    pub(super) fn view(&mut self) {
        let entry = self.pick();
        let view = shapes::view(&mut self.rng, entry.shape(), self.limit);
        self.what = format!("{view:?} of {}", described(&entry));
        let seen = view.of(&entry);
        self.keep(seen);
    }
}

impl Episode {
    /// Operations that move elements.
    pub(super) fn arrange(&mut self) {
        let entry = self.pick();
        let (x, p) = (&entry.tensor, &entry.reference);
        let (shape, rank) = (p.shape.clone(), p.shape.len());
        if rank == 0 || p.len() > self.limit {
            return;
        }
        let axis = self.rng.usize(..rank);
        let (size, signed) = (shape[axis], axis.cast_signed() - rank.cast_signed());
        let at_axis = |index: &[usize], at: usize| {
            let mut from = index.to_vec();
            from[axis] = at;
            Some(from)
        };
        let kind = self.rng.u8(..8);
        self.what = format!("arrangement {kind} of {} along {axis}", described(&entry));
        let (found, expected) = match kind {
            0 | 1 => {
                let count = if size == 0 {
                    0
                } else {
                    self.rng.usize(..2 * size + 2)
                };
                let places: Vec<usize> = (0..count).map(|_| self.rng.usize(..size)).collect();
                let indices: Vec<i64> = places
                    .iter()
                    .map(|place| {
                        let back = if self.rng.bool() { size } else { 0 };
                        i64::try_from(*place).expect("small") - i64::try_from(back).expect("small")
                    })
                    .collect();
                let indices = Tensor::<I64>::from_slice(&indices, [count]).expect("as many");
                let mut to = shape;
                to[axis] = count;
                let expected = p.mapped(&to, |index| at_axis(index, places[index[axis]]));
                let found = if kind == 0 {
                    x.try_take(&indices.into_dyn(), signed)
                } else {
                    let mut column = vec![1; rank];
                    column[axis] = count;
                    x.try_take_along_axis(&indices.reshape(&column[..]).into_dyn(), signed)
                };
                (found, expected)
            }
            2 => {
                let shift = self.rng.isize(-9..9);
                let expected = p.mapped(&shape, |index| {
                    let from = index[axis].cast_signed() - shift;
                    at_axis(index, from.rem_euclid(size.cast_signed()).unsigned_abs())
                });
                (x.try_roll(shift, signed), expected)
            }
            3 => {
                let mut to = shape;
                to[axis] *= 2;
                let expected = p.mapped(&to, |index| at_axis(index, index[axis] / 2));
                (x.try_repeat(2, signed), expected)
            }
            4 => {
                let mut counts = vec![1; rank];
                counts[axis] = 3;
                let mut to = shape;
                to[axis] *= 3;
                let expected = p.mapped(&to, |index| at_axis(index, index[axis] % size));
                (x.try_tile(&counts), expected)
            }
            5 => {
                let mut pairs = vec![[0, 0]; rank];
                pairs[axis] = [2, 1];
                let mut to = shape;
                to[axis] += 3;
                let expected = p.mapped(&to, |index| {
                    let from = index[axis].checked_sub(2).filter(|from| *from < size)?;
                    at_axis(index, from)
                });
                (x.try_pad(&pairs, false), expected)
            }
            6 if rank > 1 => {
                let offset = self.rng.isize(-3..4);
                let expected = p.mapped(&shape, |index| {
                    let [.., row, column] = *index else {
                        unreachable!()
                    };
                    (column.cast_signed() - row.cast_signed() <= offset).then(|| index.to_vec())
                });
                (x.try_tril(offset), expected)
            }
            _ => (x.try_contiguous(), p.clone()),
        };
        let judge = Judge::Exact;
        self.judge(
            found,
            Ok(Expected {
                value: expected,
                judge,
            }),
        );
    }

    pub(super) fn join(&mut self) {
        let first = self.pick();
        let rank = first.shape().len();
        if rank == 0 || first.shape().iter().product::<usize>() > self.limit {
            return;
        }
        let axis = self.rng.usize(..rank);
        let signed = axis.cast_signed() - rank.cast_signed();
        let mut shape = first.shape().to_vec();
        let (x, dtype) = (&first.reference, first.reference.dtype);
        if first.reference.weak {
            return;
        }
        match self.rng.u8(..3) {
            0 => {
                let other = self.fresh(dtype, &shape);
                self.what = format!("stack of two {} along {axis}", described(&first));
                let found = try_stack(
                    &[&first.tensor, &other.tensor, &first.tensor],
                    axis.cast_signed(),
                );
                if rank == MAX_RANK {
                    assert!(
                        matches!(found, Err(Error::RankTooLarge { .. })),
                        "{found:?}"
                    );
                    return;
                }
                shape.insert(axis, 1);
                let parts = [x, &other.reference, x].map(|part| part.reshape(&shape));
                let expected = operations::concat(x.operand(), &parts.each_ref(), axis);
                self.judge(found, expected);
            }
            1 => {
                shape[axis] = self.rng.usize(..4);
                let other = self.fresh(dtype, &shape);
                self.what = format!(
                    "concat of {} and {} along {axis}",
                    described(&first),
                    described(&other)
                );
                let found = try_concat(&[&first.tensor, &other.tensor], signed);
                let expected = operations::concat(x.operand(), &[x, &other.reference], axis);
                self.judge(found, expected);
            }
            _ => {
                let dtype = self.dtype();
                let other = self.fresh(dtype, &shape);
                self.what = format!(
                    "try_concat of {} and {} along {axis}",
                    described(&first),
                    described(&other)
                );
                let found = first.tensor.try_concat(&other.tensor, signed);
                let rules = self.rules;
                let promotion =
                    rules.binary(Operation::Join, x.operand(), other.reference.operand());
                let expected = match promotion {
                    Ok(found) => operations::concat(found.operand(), &[x, &other.reference], axis),
                    Err(_) => Err(Refusal::Rules),
                };
                self.judge(found, expected);
            }
        }
    }
}
