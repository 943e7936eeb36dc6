//! Decides whether an output is computed in tiles, which pays if an operand is transposed, and how large they are.

use super::block::Operand;
use super::nditer::{Access, NdIter};
use crate::simd;

/// The number of elements in a row of a tile.
pub(super) const WIDTH: usize = 256;
/// The length of a column of a tile, in bytes.
pub(super) const HEIGHT: usize = 2 * simd::LINE;
/// The number of elements from which on a row is read by tiles. (Of [64, 64, 64] elements with their axes in reverse, a copy then takes 0.3
/// to 0.5 of the time of gathering them.)
const SHORTEST_ROW: usize = 64;
/// The same if the rows of a tile follow one another in the result. Shorter ones are gathered into blocks of several rows, and so share
/// cache lines already.
const SHORTEST_NEIGHBOUR: usize = WIDTH / 2;

impl NdIter {
    /// Returns the axis, other than the last, along which the operand's elements share cache lines, if it has no such
    /// order along the last axis.
    pub(super) fn is_transposed(&self, access: &Access, size: usize) -> Option<usize> {
        let last = self.rank.checked_sub(1)?;
        let near = |stride: isize| stride != 0 && stride.unsigned_abs() * size <= simd::LINE / 2;
        if near(access.strides[last]) || access.strides[last] == 0 {
            return None;
        }
        let axes = (0..last).filter(|axis| near(access.strides[*axis]));
        axes.min_by_key(|axis| access.strides[*axis].unsigned_abs())
    }

    /// Returns the tiles in which to read, if they pay: an operand is transposed, and rows are long enough.
    pub(super) fn tiling(&self, accesses: &[Access], operands: &[Operand]) -> Option<Tiling> {
        if self.row() < SHORTEST_ROW {
            return None;
        }
        let axis_of =
            |(access, operand): (&Access, &Operand)| self.is_transposed(access, operand.size);
        let axis = accesses.iter().zip(operands).find_map(axis_of)?;
        if axis + 2 == self.rank && self.row() < SHORTEST_NEIGHBOUR {
            return None;
        }
        let both = accesses.iter().zip(operands);
        let tiled = both.filter(|both| axis_of(*both) == Some(axis));
        let largest = tiled.map(|(_, operand)| operand.size).max();
        Some(Tiling {
            axis,
            height: HEIGHT / largest.unwrap_or(1),
        })
    }
}

/// The division of an output into tiles.
pub(super) struct Tiling {
    /// The axis of the tiles' columns. Their rows run along the last axis.
    pub(super) axis: usize,
    /// The number of rows in a tile.
    pub(super) height: usize,
}
