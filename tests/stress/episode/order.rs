//! Steps that sort, and that write elements to given positions.

use std::cmp::Ordering;

use supremum::{I64, Kind, Operation, Tensor};

use super::{Episode, described};
use crate::operations::{Expected, Judge};
use crate::reference::Reference;

/// Elements in ascending order, NaN last; equal ones, such as both zeros, have no order.
fn order(x: &Reference, a: u128, b: u128) -> Ordering {
    let element = x.element();
    if element.is_integer() {
        return element.integer(a).cmp(&element.integer(b));
    }
    let nan = [a, b].map(|raw| element.is_nan(raw));
    let numbers = [a, b].map(|raw| element.parts(raw)[0]);
    nan[0].cmp(&nan[1]).then(match nan {
        [false, false] => numbers[0].partial_cmp(&numbers[1]).expect("numbers"),
        _ => Ordering::Equal,
    })
}

/// The elements of each lane of an axis in a stable order.
fn sorted(x: &Reference, axis: usize, descending: bool) -> Reference {
    let size = x.shape[axis];
    let inner: usize = x.shape[axis + 1..].iter().product();
    let mut elements: Vec<u128> = x.elements().collect();
    for lane in 0..elements.len() / size.max(1) {
        let first = lane / inner * size * inner + lane % inner;
        let places: Vec<usize> = (0..size).map(|at| first + at * inner).collect();
        let mut values: Vec<u128> = places.iter().map(|place| x.at(*place)).collect();
        values.sort_by(|a, b| match descending {
            true => order(x, *b, *a),
            false => order(x, *a, *b),
        });
        for (place, value) in places.into_iter().zip(values) {
            elements[place] = value;
        }
    }
    Reference {
        weak: x.weak,
        ..Reference::new(x.dtype, &x.shape, &elements)
    }
}

impl Episode {
    /// Sorts, and writes to positions along an axis.
    pub(super) fn order(&mut self) {
        let entry = self.pick();
        let (x, p) = (&entry.tensor, &entry.reference);
        let rank = p.shape.len();
        if rank == 0 || p.len() > self.limit {
            return;
        }
        let axis = self.rng.usize(..rank);
        let signed = axis.cast_signed() - rank.cast_signed();
        let kind = self.rng.u8(..4);
        self.what = format!("order {kind} of {} along {axis}", described(&entry));
        let (found, expected) = match kind {
            _ if p.dtype.kind() == Kind::Complex && kind < 3 => {
                assert!(x.try_sort(signed).is_err(), "{}", self.what);
                return;
            }
            0 => (x.try_sort(signed), sorted(p, axis, false)),
            1 => (x.try_sort_descending(signed), sorted(p, axis, true)),
            2 => {
                // Positions sort the elements, in the same stable order.
                let found = x.try_argsort(signed);
                if self
                    .rules
                    .operation(Operation::ArgMinMax, p.operand())
                    .is_err()
                {
                    assert!(found.is_err(), "{}", self.what);
                    return;
                }
                let taken = found.and_then(|order| x.try_take_along_axis(&order, signed));
                (taken, sorted(p, axis, false))
            }
            _ => {
                let mut places: Vec<usize> = (0..p.shape[axis]).collect();
                self.rng.shuffle(&mut places);
                places.truncate(self.rng.usize(..=places.len()));
                let mut shape = p.shape.clone();
                shape[axis] = places.len();
                let what = core::mem::take(&mut self.what);
                let updates = self.fresh(p.dtype, &shape);
                self.what = what;
                let indices = Tensor::<I64>::from_fn(&shape[..], |index| {
                    i64::try_from(places[index[axis]]).expect("a small position")
                });
                let scattered = x.try_scatter(&indices.into_dyn(), &updates.tensor, signed);
                (scattered, written(p, &updates.reference, axis, &places))
            }
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
}

/// The elements with updates at given positions of an axis, each once.
fn written(x: &Reference, updates: &Reference, axis: usize, places: &[usize]) -> Reference {
    let (size, inner) = (x.shape[axis], x.shape[axis + 1..].iter().product::<usize>());
    let mut elements: Vec<u128> = x.elements().collect();
    for (number, update) in updates.elements().enumerate() {
        let (lane, at) = (number % inner, number / inner);
        let (outer, at) = (at / places.len(), places[at % places.len()]);
        elements[(outer * size + at) * inner + lane] = update;
    }
    Reference {
        weak: x.weak,
        ..Reference::new(x.dtype, &x.shape, &elements)
    }
}
