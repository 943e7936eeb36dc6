//! The tiles and planes of convolutions with few filters (`conv_direct.rs`).

use super::conv_shapes::ConvShapes;
use super::windows::SPATIAL;
use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Array};

/// The size that the planes of a tile should not exceed, in bytes, so that they stay in the second cache. Many channels may exceed it.
const PLANES_BYTES: usize = 128 << 10;

/// The largest number of columns of a tile, unless the window is wider.
const MAX_COLUMNS: usize = 4096;

/// The most elements of a pack. As many may be read behind the planes, and written behind the sums.
pub(super) const MAX_PACK: usize = 128;

/// A spatial axis of the operand and of the result.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    /// The size in the operand, and the padding before it.
    pub(super) size: usize,
    pub(super) before: usize,
    /// The number of positions: the size in the result.
    pub(super) positions: usize,
    pub(super) stride: usize,
    window: usize,
    dilation: usize,
    /// The elements of a plane behind those of a tile's positions, along this axis.
    pub(super) reach: usize,
    /// The number of phases that elements of the window have. Those of the first elements repeat.
    pub(super) phases: usize,
    /// The number of positions of a tile, unless fewer are left, and the number of tiles.
    pub(super) tile: usize,
    pub(super) tiles: usize,
}

impl Axis {
    /// Plans the spatial axis with this number. Without a number it is an axis of size one: `conv1d` has no rows.
    fn new(x: &Array, shapes: &ConvShapes<'_>, number: Option<usize>) -> Self {
        let Some(number) = number else {
            return Self {
                size: 1,
                before: 0,
                positions: 1,
                stride: 1,
                window: 1,
                dilation: 1,
                reach: 0,
                phases: 1,
                tile: 1,
                tiles: 1,
            };
        };
        let windows = &shapes.windows;
        let [stride, window, dilation] =
            [windows.strides, windows.sizes, windows.dilation].map(|each| each[number]);
        let positions = shapes.result[SPATIAL + number];
        Self {
            size: x.shape()[SPATIAL + number],
            before: windows.padding[number][0],
            positions,
            stride,
            window,
            dilation,
            reach: (window - 1) * dilation / stride,
            phases: window.min(stride / common_divisor(stride, dilation)),
            tile: positions,
            tiles: 1,
        }
    }

    /// Divides the positions into tiles of about the same size, which does not exceed `most`.
    fn divide(&mut self, most: usize) {
        let tiles = self.positions.div_ceil(most.max(1));
        self.tile = self.positions.div_ceil(tiles);
        self.tiles = self.positions.div_ceil(self.tile);
    }

    /// The positions of a tile: the first one, and their number.
    pub(super) fn tile(self, number: usize) -> (usize, usize) {
        let first = number * self.tile;
        (first, self.tile.min(self.positions - first))
    }

    /// The number of the phase of an element of the window, and its distance within a plane.
    fn place(self, element: usize) -> [usize; 2] {
        [element % self.phases, element * self.dilation / self.stride]
    }

    /// The first element of a plane of this phase, as a position in the padded axis.
    pub(super) fn start(self, first: usize, phase: usize) -> usize {
        first * self.stride + phase * self.dilation % self.stride
    }
}

/// The greatest common divisor of two numbers, the first of which is not zero.
fn common_divisor(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The layout that all tiles share.
pub(super) struct Plan {
    /// Rows and columns.
    pub(super) axes: [Axis; 2],
    pub(super) groups: usize,
    /// The channels and filters of a group, as reals.
    pub(super) channels: usize,
    pub(super) filters: usize,
    /// The reals of an element: 2 if it is complex.
    pub(super) parts: usize,
    /// The distance of neighbouring rows of a plane, and of planes.
    pub(super) pitch: usize,
    pub(super) plane: usize,
    /// The position in the planes that each weight is multiplied with first, in the order of the weights.
    pub(super) offsets: Vec<usize>,
}

impl Plan {
    pub(super) fn new(
        x: &Array,
        shapes: &ConvShapes<'_>,
        size: usize,
        parts: usize,
    ) -> Result<Self, AllocError> {
        let last = shapes.windows.sizes.len() - 1;
        let mut axes = [last.checked_sub(1), Some(last)].map(|axis| Axis::new(x, shapes, axis));
        let groups = shapes.groups;
        let channels = x.shape()[1] / groups * parts;
        let [rows, columns] = axes;
        axes[1].divide(MAX_COLUMNS.max(columns.reach));
        let pitch = axes[1].tile + columns.reach;
        let planes = channels * rows.phases * columns.phases;
        let most = PLANES_BYTES / size.saturating_mul(planes).saturating_mul(pitch);
        axes[0].divide(most.saturating_sub(rows.reach).max(rows.reach));
        let [rows, columns] = axes;
        let plane = (rows.tile + rows.reach).saturating_mul(pitch);
        let mut offsets = vec_with_capacity(channels * rows.window * columns.window)?;
        for channel in 0..channels {
            for row in 0..rows.window {
                let [row_phase, down] = rows.place(row);
                for column in 0..columns.window {
                    let [column_phase, along] = columns.place(column);
                    let number = channel * rows.phases + row_phase;
                    let number = number * columns.phases + column_phase;
                    offsets.push(
                        number
                            .saturating_mul(plane)
                            .saturating_add(down.saturating_mul(pitch))
                            .saturating_add(along),
                    );
                }
            }
        }
        Ok(Self {
            axes,
            groups,
            channels,
            filters: shapes.result[1] / groups * parts,
            parts,
            pitch,
            plane,
            offsets,
        })
    }

    /// The elements of the planes, with those that a pack may read behind them.
    pub(super) fn planes_len(&self) -> usize {
        let [rows, columns] = self.axes;
        let planes = self.channels * rows.phases * columns.phases;
        planes.saturating_mul(self.plane).saturating_add(MAX_PACK)
    }

    /// The elements of the sums of a filter, with those that a pack may write behind them. They are no more than those of the planes,
    /// which are allocated first.
    pub(super) fn sums_len(&self) -> usize {
        self.axes[0].tile * self.pitch + MAX_PACK
    }
}
