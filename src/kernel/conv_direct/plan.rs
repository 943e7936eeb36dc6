//! The tiles, planes and phases of convolutions by loops along the result.

use core::ops::Range;
use std::borrow::Cow;

use crate::array::alloc::vec_with_capacity;
use crate::array::{AllocError, Array, Dims};
use crate::kernel::conv_shapes::{ConvShapes, TransposedShapes};
use crate::kernel::windows::{SPATIAL, Windows};

/// The size that the planes of a tile should not exceed, in bytes, so that they stay in the L2 cache. Many channels may exceed it.
const PLANES_BYTES: usize = 256 << 10;

/// The largest number of columns of a tile, unless the window is wider.
const MAX_COLUMNS: usize = 4096;

/// The least number of columns into which an axis is divided, even if the planes of many channels exceed [`PLANES_BYTES`] then.
const MIN_COLUMNS: usize = 128;

/// The largest number of elements of a pack, which may be read past the planes and written past the sums.
pub(super) const MAX_PACK: usize = 128;

/// The shapes of either convolution.
#[derive(Clone, Copy)]
pub(in crate::kernel) enum Shapes<'a> {
    Forward(&'a ConvShapes<'a>),
    Transposed(&'a TransposedShapes<'a>),
}

impl<'a> Shapes<'a> {
    pub(super) fn windows(self) -> &'a Windows<'a> {
        match self {
            Self::Forward(shapes) => &shapes.windows,
            Self::Transposed(shapes) => &shapes.windows,
        }
    }

    pub(super) fn groups(self) -> usize {
        match self {
            Self::Forward(shapes) => shapes.groups,
            Self::Transposed(shapes) => shapes.groups,
        }
    }

    pub(super) fn result(self) -> &'a Dims {
        match self {
            Self::Forward(shapes) => &shapes.result,
            Self::Transposed(shapes) => &shapes.result,
        }
    }
}

/// A spatial axis of the operand and of the result. The loop counts *positions* along it. Each position of a convolution is one of the
/// result; each of a transposed one gives a position of the result for each phase.
#[derive(Clone, Copy)]
pub(super) struct SpatialAxis {
    /// The size in the operand.
    pub(super) size: usize,
    /// The padding before the operand.
    pub(super) before: usize,
    /// The number of padded elements before those that any position reads.
    skipped: usize,
    /// The distance in the operand of elements that neighbouring positions read.
    pub(super) stride: usize,
    /// The number of phases that elements of the window have in the operand. Those of the first elements repeat.
    pub(super) planes: usize,
    /// The elements of a plane after those of a tile's positions, along this axis.
    pub(super) reach: usize,
    /// The size in the result.
    pub(super) result: usize,
    /// The distance in the result of neighbouring positions.
    pub(super) spread: usize,
    /// The number of elements, from the first position on, that lie before the result. It is less than `spread`.
    cut: usize,
    /// The number of phases of the result on which elements of the window fall. Those of the first elements repeat.
    pub(super) phases: usize,
    /// The number of elements of the window, and their distance.
    window: usize,
    dilation: usize,
    /// `true` if successive elements of the window fall on descending positions of the operand, as in a transposed convolution.
    is_reversed: bool,
    /// The number of positions.
    positions: usize,
    /// The number of positions of a tile; the last one may have fewer.
    pub(super) tile: usize,
    /// The number of tiles.
    pub(super) tiles: usize,
}

impl SpatialAxis {
    /// An axis of size one, under a window of one element.
    const ONE: Self = Self {
        size: 1,
        before: 0,
        skipped: 0,
        stride: 1,
        planes: 1,
        reach: 0,
        result: 1,
        spread: 1,
        cut: 0,
        phases: 1,
        window: 1,
        dilation: 1,
        is_reversed: false,
        positions: 1,
        tile: 1,
        tiles: 1,
    };

    /// Plans the spatial axis with this number. Without a number it is one of size one: `conv1d` has no rows.
    fn new(x: &Array, shapes: Shapes<'_>, number: Option<usize>) -> Self {
        let Some(number) = number else {
            return Self::ONE;
        };
        let windows = shapes.windows();
        let [stride, window, dilation] =
            [windows.strides, windows.sizes, windows.dilation].map(|each| each[number]);
        let result = shapes.result()[SPATIAL + number];
        let size = x.shape()[SPATIAL + number];
        let reach = windows.reach(number);
        let phases = window.min(stride / common_divisor(stride, dilation));
        let axis = Self {
            size,
            reach,
            result,
            window,
            dilation,
            ..Self::ONE
        };
        match shapes {
            Shapes::Forward(_) => Self {
                before: windows.padding[number][0],
                stride,
                planes: phases,
                positions: result,
                ..axis
            },
            Shapes::Transposed(shapes) => {
                let removed = shapes.removed[number][0];
                let spread = stride.cast_signed(); // at most `MAX_SPREAD`
                let first = reach.cast_signed() - removed.div_euclid(spread);
                let cut = removed.rem_euclid(spread).cast_unsigned();
                Self {
                    before: first.max(0).cast_unsigned(),
                    skipped: first.min(0).unsigned_abs(),
                    spread: stride,
                    cut,
                    phases,
                    is_reversed: true,
                    positions: (result - 1 + cut) / stride + 1,
                    ..axis
                }
            }
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

    /// The phase in the operand of an element of the window, and its distance within a plane.
    fn place(self, element: usize) -> [usize; 2] {
        let distance = element * self.dilation / self.stride.max(self.spread);
        let distance = match self.is_reversed {
            true => self.reach - distance,
            false => distance,
        };
        [element % self.planes, distance]
    }

    /// The first element of a plane of this phase, as a position in the padded axis.
    pub(super) fn start(self, first: usize, phase: usize) -> usize {
        let within = match phase {
            0 => 0, // without a division
            _ => phase * self.dilation % self.stride,
        };
        self.skipped + first * self.stride + within
    }

    /// Of `count` positions from `first` on, those that give a position of the result in this phase, counted from `first`; and the first
    /// of these positions of the result.
    pub(super) fn results(self, first: usize, count: usize, phase: usize) -> (Range<usize>, usize) {
        if self.spread == 1 {
            // Without divisions, which small tiles notice.
            return (0..count, first);
        }
        let residue = phase * self.dilation % self.spread;
        let end = (self.result + self.cut)
            .saturating_sub(residue)
            .div_ceil(self.spread)
            .saturating_sub(first)
            .min(count);
        let start = usize::from(first == 0 && residue < self.cut).min(end);
        let to = (first + start) * self.spread + residue;
        (start..end, to.saturating_sub(self.cut))
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
pub(super) struct ConvPlan {
    /// Rows and columns.
    pub(super) axes: [SpatialAxis; 2],
    pub(super) groups: usize,
    /// The channels and filters of a group, as reals.
    pub(super) channels: usize,
    pub(super) filters: usize,
    /// The reals of an element: 2 if it is complex.
    pub(super) parts: usize,
    /// The distance of neighbouring rows of a plane, and of planes.
    pub(super) pitch: usize,
    pub(super) plane: usize,
    /// For each term of a filter, phase by phase, the position in the planes that its weight is multiplied with first.
    pub(super) offsets: Vec<usize>,
    /// For each term, the number of its weight in the filter.
    weights: Vec<usize>,
    /// For each phase, row by row, the number of the term after its last one.
    ends: Vec<usize>,
}

impl ConvPlan {
    pub(super) fn new(
        x: &Array,
        shapes: Shapes<'_>,
        size: usize,
        parts: usize,
    ) -> Result<Self, AllocError> {
        let last = shapes.windows().sizes.len() - 1;
        let mut axes =
            [last.checked_sub(1), Some(last)].map(|axis| SpatialAxis::new(x, shapes, axis));
        let groups = shapes.groups();
        let channels = x.shape()[1] / groups * parts;
        let [rows, columns] = axes;
        // The bytes of one position of all planes.
        let bytes = size.saturating_mul(channels * rows.planes * columns.planes);
        let most = PLANES_BYTES / bytes.saturating_mul(1 + rows.reach);
        axes[1].divide(most.clamp(MIN_COLUMNS, MAX_COLUMNS).max(columns.reach));
        let pitch = axes[1].tile + columns.reach;
        let most = PLANES_BYTES / bytes.saturating_mul(pitch);
        axes[0].divide(most.saturating_sub(rows.reach).max(rows.reach));
        let mut plan = Self {
            axes,
            groups,
            channels,
            filters: shapes.result()[1] / groups * parts,
            parts,
            pitch,
            plane: (axes[0].tile + rows.reach).saturating_mul(pitch),
            offsets: vec_with_capacity(channels * rows.window * columns.window)?,
            weights: vec_with_capacity(channels * rows.window * columns.window)?,
            ends: vec_with_capacity(rows.phases * columns.phases)?,
        };
        for row_phase in 0..rows.phases {
            for column_phase in 0..columns.phases {
                plan.push_terms([row_phase, column_phase]);
            }
        }
        Ok(plan)
    }

    /// Appends the terms of a phase: channel by channel, in each row by row.
    fn push_terms(&mut self, phase: [usize; 2]) {
        let [rows, columns] = self.axes;
        for channel in 0..self.channels {
            for row in (phase[0]..rows.window).step_by(rows.phases) {
                let [row_plane, down] = rows.place(row);
                for column in (phase[1]..columns.window).step_by(columns.phases) {
                    let [column_plane, along] = columns.place(column);
                    let number = channel * rows.planes + row_plane;
                    let number = number * columns.planes + column_plane;
                    let offset = number
                        .saturating_mul(self.plane)
                        .saturating_add(down.saturating_mul(self.pitch))
                        .saturating_add(along);
                    self.offsets.push(offset);
                    let weight = (channel * rows.window + row) * columns.window + column;
                    self.weights.push(weight);
                }
            }
        }
        self.ends.push(self.offsets.len());
    }

    /// The numbers of the terms of a phase.
    pub(super) fn terms_of(&self, [row, column]: [usize; 2]) -> Range<usize> {
        let number = row * self.axes[1].phases + column;
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[number]
    }

    /// Returns the weights of filters in the order of the terms.
    pub(super) fn ordered<'a, T: Copy>(
        &self,
        filters: &'a [T],
    ) -> Result<Cow<'a, [T]>, AllocError> {
        if self.ends.len() == 1 {
            return Ok(Cow::Borrowed(filters));
        }
        let mut ordered = vec_with_capacity(filters.len())?;
        for filter in filters.chunks_exact(self.weights.len()) {
            ordered.extend(self.weights.iter().map(|number| filter[*number]));
        }
        Ok(Cow::Owned(ordered))
    }

    /// Returns whether each position of the result has a phase.
    pub(super) fn covers_result(&self) -> bool {
        self.axes.iter().all(|axis| axis.phases == axis.spread)
    }

    /// The number of elements of the planes, with those that a pack may read past them.
    pub(super) fn planes_len(&self) -> usize {
        let [rows, columns] = self.axes;
        let planes = self.channels * rows.planes * columns.planes;
        planes.saturating_mul(self.plane).saturating_add(MAX_PACK)
    }

    /// The number of sums of a filter in a phase, with those that a pack may write past them. It does not overflow once the planes are
    /// allocated, which have at least as many elements.
    pub(super) fn sums_len(&self) -> usize {
        self.axes[0].tile * self.pitch + MAX_PACK
    }
}

/// Tiles of a convolution, with the scratch memory of one thread.
pub(super) struct Job<'a, T> {
    pub(super) plan: &'a ConvPlan,
    pub(super) x: *const T,
    /// The operand's strides along examples, channels, rows and columns, in numbers.
    pub(super) strides: [isize; 4],
    /// `[groups, filters, terms]`, in the order of the plan.
    pub(super) weights: &'a [T],
    pub(super) planes: *mut T,
    pub(super) sums: *mut T,
    /// Numbers of units of work, of the shape `[examples, groups, tiles of rows, tiles of columns, chunks of filters]`.
    pub(super) units: Range<usize>,
    /// The number of filters in a chunk, unless fewer are left.
    pub(super) chunk: usize,
    /// The number of chunks of the filters of a group.
    pub(super) chunks: usize,
}
