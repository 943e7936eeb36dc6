//! Lowering of reads and writes of a part of a value.
//!
//! An axis of a part moves along one axis of the whole in steps, or along two as a diagonal does. Without diagonals a part is read by
//! `slice` and `reverse`. A part whose steps are one is a block, which `dynamic_update_slice` writes: XLA does so in place if nothing
//! else needs the former value. Any other part is written by a choice at every position of the whole:
//!
//! 1. `pad` moves the elements to their positions, with zeros between and around them;
//! 2. along the first axis of a diagonal they are repeated;
//! 3. `select` takes them where a mask is true. The mask is padded in the same way, and compares positions on diagonals.
//!
//! A `scatter` would do the same. But XLA 0.10 aborted when it compiled one, of bf16 with updates split among devices (one case seen).

use crate::array::{Dims, Region, ScalarBits};
use crate::dtype::DType;
use crate::trace::graph::{Graph, Node, array_of};

/// The positions in the whole array that the part occupies along each axis. Axes of size one are left out.
struct Placement<'a> {
    region: &'a Region,
    axes: Vec<Axis>,
    /// For each axis of the whole, the number of positions that the part has along it; one for the first axis of a diagonal.
    counts: Dims,
}

/// An axis of a part.
struct Axis {
    /// Its number in the region.
    number: usize,
    size: usize,
    /// The axis of the whole along which it moves; of a diagonal the last one.
    along: usize,
    step: isize,
    /// The other axes of the whole along which a diagonal moves, with their steps.
    others: Vec<(usize, isize)>,
}

impl<'a> Placement<'a> {
    fn new(region: &'a Region) -> Self {
        let mut counts = region.whole().map(|_| 1);
        let axes = region.wide_axes().map(|number| {
            let size = region.shape()[number];
            let steps = (0..region.whole().len()).map(|axis| (axis, region.along(axis).1[number]));
            let mut others: Vec<(usize, isize)> = steps.filter(|(_, step)| *step != 0).collect();
            let (along, step) = others.pop().expect("distinct elements");
            counts[along] = size;
            Axis {
                number,
                size,
                along,
                step,
                others,
            }
        });
        let axes = axes.collect();
        Self {
            region,
            axes,
            counts,
        }
    }

    /// The sizes of the axes.
    fn shape(&self) -> Dims {
        let sizes: Vec<usize> = self.axes.iter().map(|axis| axis.size).collect();
        Dims::new(&sizes).unwrap_or_default()
    }

    fn has_diagonals(&self) -> bool {
        self.axes.iter().any(|axis| !axis.others.is_empty())
    }

    fn is_block(&self) -> bool {
        !self.has_diagonals() && self.axes.iter().all(|axis| axis.step == 1)
    }

    /// The lowest position along each axis of the whole.
    fn lowest(&self) -> Dims {
        let mut lowest = self.counts;
        for (axis, position) in lowest.iter_mut().enumerate() {
            *position = self.region.along(axis).0;
        }
        for axis in self.reversed() {
            lowest[axis.along] -= (axis.size - 1) * axis.step.unsigned_abs();
        }
        lowest
    }

    /// The distance of neighbours along each axis of the whole.
    fn strides(&self) -> Dims {
        let mut strides = self.counts.map(|_| 1);
        for axis in &self.axes {
            strides[axis.along] = axis.step.unsigned_abs();
        }
        strides
    }

    fn reversed(&self) -> impl Iterator<Item = &Axis> {
        self.axes.iter().filter(|axis| axis.step < 0)
    }
}

impl Graph {
    /// Reads a part of a value.
    pub(in crate::trace) fn part(&mut self, whole: Node, region: &Region) -> Node {
        let (dtype, shape) = (self.dtype(whole), *region.shape());
        if shape.contains(&0) {
            return self.splat(ScalarBits::of(dtype, 0.0), shape);
        }
        let placement = Placement::new(region);
        let part = if placement.has_diagonals() {
            self.gathered(whole, &placement)
        } else if placement.counts == *region.whole() {
            self.reversed(whole, &placement)
        } else {
            let (lowest, strides) = (placement.lowest(), placement.strides());
            let mut limits = placement.counts;
            for (axis, limit) in limits.iter_mut().enumerate() {
                *limit = lowest[axis] + (*limit - 1) * strides[axis] + 1;
            }
            let attributes = format!(
                "start_indices = {}, limit_indices = {}, strides = {}",
                array_of(&lowest),
                array_of(&limits),
                array_of(&strides)
            );
            let sliced = self.operation("slice", &[whole], attributes, dtype, placement.counts);
            self.reversed(sliced, &placement)
        };
        self.reshape(part, shape)
    }

    /// Writes to a part of a value: returns the value of the whole after that.
    pub(in crate::trace) fn with_part(&mut self, whole: Node, region: &Region, part: Node) -> Node {
        if region.shape().contains(&0) {
            return whole;
        }
        let placement = Placement::new(region);
        // In the order of the axes of the whole, from which those of diagonals differ.
        let mut order: Vec<usize> = (0..placement.axes.len()).collect();
        order.sort_by_key(|number| placement.axes[*number].along);
        let mut block = self.reshape(part, placement.shape());
        if !order.is_sorted() {
            block = self.permuted(block, &order);
        }
        let block = self.reshape(block, placement.counts);
        let block = self.reversed(block, &placement);
        if placement.is_block() {
            return self.with_block(whole, &placement, block);
        }
        let shape = *region.whole();
        let inside = self.splat(ScalarBits::of(DType::Bool, true), placement.counts);
        let mut mask = self.spread(inside, &placement, shape);
        for axis in &placement.axes {
            for (other, step) in &axis.others {
                // Both have taken the same number of steps.
                let one = self.scaled_distance(*other, axis.step, region, shape);
                let another = self.scaled_distance(axis.along, *step, region, shape);
                let is_on_diagonal = self.compare("EQ", one, another);
                mask = self.and(mask, is_on_diagonal);
            }
        }
        let spread = self.spread(block, &placement, shape);
        self.select(mask, spread, whole)
    }

    fn with_block(&mut self, whole: Node, placement: &Placement<'_>, block: Node) -> Node {
        let (dtype, shape) = (self.dtype(whole), *self.shape(whole));
        if placement.counts == shape {
            return block;
        }
        let mut operands = vec![whole, block];
        for start in placement.lowest().iter() {
            operands.push(self.splat(index(*start), Dims::default()));
        }
        let name = "dynamic_update_slice";
        self.operation(name, &operands, String::new(), dtype, shape)
    }

    /// Reverses the axes with negative steps.
    fn reversed(&mut self, block: Node, placement: &Placement<'_>) -> Node {
        let axes: Vec<usize> = placement.reversed().map(|axis| axis.along).collect();
        if axes.is_empty() {
            return block;
        }
        let attributes = format!("dimensions = {}", array_of(&axes));
        let (dtype, shape) = (self.dtype(block), *self.shape(block));
        self.operation("reverse", &[block], attributes, dtype, shape)
    }

    /// Moves the elements of a block to their positions in the whole, and repeats them along the first axes of diagonals. Zeros are
    /// elsewhere.
    fn spread(&mut self, block: Node, placement: &Placement<'_>, whole: Dims) -> Node {
        let dtype = self.dtype(block);
        let (mut low, strides) = (placement.lowest(), placement.strides());
        let others = placement.axes.iter().flat_map(|axis| &axis.others);
        let mut padded = whole;
        for (other, _) in others {
            (padded[*other], low[*other]) = (1, 0);
        }
        let mut high = padded;
        for (axis, high) in high.iter_mut().enumerate() {
            *high -= low[axis] + (placement.counts[axis] - 1) * strides[axis] + 1;
        }
        let attributes = format!(
            "edge_padding_low = {}, edge_padding_high = {}, interior_padding = {}",
            array_of(&low),
            array_of(&high),
            array_of(&strides.map(|stride| stride - 1))
        );
        let zero = self.splat(ScalarBits::of(dtype, 0.0), Dims::default());
        let padded = self.operation("pad", &[block, zero], attributes, dtype, padded);
        self.broadcast(padded, whole)
    }

    /// For each position of the whole, the distance from the part's first element along an axis, times a factor.
    fn scaled_distance(&mut self, axis: usize, by: isize, region: &Region, whole: Dims) -> Node {
        let positions = self.positions(axis, DType::I64, whole);
        let first = self.splat(index(region.along(axis).0), whole);
        let distance = self.subtract(positions, first);
        let by = self.splat(signed(by), whole);
        self.multiply(distance, by)
    }

    /// Reads the elements at positions that the program computes, one by one.
    fn gathered(&mut self, whole: Node, placement: &Placement<'_>) -> Node {
        let (dtype, shape, rank) = (
            self.dtype(whole),
            placement.shape(),
            self.shape(whole).len(),
        );
        // A part with a diagonal has fewer axes than the whole, so there is room for one more.
        let single = shape.inserted(shape.len(), 1).unwrap_or_default();
        let mut vectors = Vec::new();
        for at in 0..rank {
            let mut sum = self.splat(index(placement.region.along(at).0), shape);
            for (at_part, axis) in placement.axes.iter().enumerate() {
                let step = placement.region.along(at).1[axis.number];
                if step != 0 {
                    let step = self.splat(signed(step), shape);
                    let numbers = self.positions(at_part, DType::I64, shape);
                    let distance = self.multiply(numbers, step);
                    sum = self.add(sum, distance);
                }
            }
            vectors.push(self.reshape(sum, single));
        }
        let mut indices = single;
        indices[shape.len()] = rank;
        let indices = self.joined(&vectors, shape.len(), DType::I64, indices);
        let all: Vec<usize> = (0..rank).collect();
        let attributes = format!(
            "dimension_numbers = #stablehlo.gather<collapsed_slice_dims = {all:?}, start_index_map = {all:?}, \
             index_vector_dim = {}>, indices_are_sorted = false, slice_sizes = {}",
            shape.len(),
            array_of(&placement.counts.map(|_| 1))
        );
        self.operation("gather", &[whole, indices], attributes, dtype, shape)
    }
}

/// A position as an element.
fn index(position: usize) -> ScalarBits {
    signed(position.cast_signed())
}

/// A step as an element.
fn signed(step: isize) -> ScalarBits {
    ScalarBits::of(DType::I64, i64::try_from(step).unwrap_or(i64::MAX))
}
