//! Extents: the axes along which the parts of an expression extend.

use super::{MAX_BOUND, MAX_INPUTS};

/// The axes of an expression's result along which its inputs and bound values extend.
#[derive(Clone, Copy, Debug)]
pub struct Extents {
    pub(super) inputs: [Extent; MAX_INPUTS],
    pub(super) bound: [Extent; MAX_BOUND],
    /// The axes of the result whose size is not one.
    pub(super) all: u8,
}

/// The axes along which a node extends, and the cost of its operations that are repeated.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// One bit for each axis, from the last one on.
    pub(super) axes: u8,
    /// The inputs that it reads, one bit for each number.
    pub(super) inputs: u8,
    /// The cost, in additions, of the operations that do not extend along all axes: the loop computes them anew for each
    /// element of the result. At most [`Self::MAX_COST`].
    pub(super) repeated: u16,
    /// The cost, in additions, of the hoistable parts that the loop does not compute.
    pub(super) hoisted: u16,
    /// `true` if the loop computes a hoistable part that does not extend along all axes.
    pub(super) repeats_hoistable: bool,
}

impl Extent {
    /// The largest cost that is counted.
    pub(super) const MAX_COST: u16 = 1 << 12;

    /// The extent of an operand.
    #[inline]
    pub(super) const fn operand(axes: u8, inputs: u8) -> Self {
        Self {
            axes,
            inputs,
            repeated: 0,
            hoisted: 0,
            repeats_hoistable: false,
        }
    }

    /// Returns a cost as it is counted.
    #[inline]
    pub(super) fn counted(cost: usize) -> u16 {
        u16::try_from(cost).map_or(Self::MAX_COST, |cost| cost.min(Self::MAX_COST))
    }

    /// Returns whether a user's function would be repeated, which is never done.
    #[inline]
    pub(super) const fn calls(self) -> bool {
        self.repeated == Self::MAX_COST
    }

    /// The cost of the operations that are repeated, for all elements of a result.
    pub(super) fn repeated_for(self, shape: &[usize]) -> usize {
        let elements = shape.iter().product::<usize>();
        elements.saturating_mul(self.repeated.into())
    }

    /// The extent of an operation on these operands, which costs `cost` together with them.
    #[inline]
    pub(super) fn operation<const N: usize>(
        extents: &Extents,
        operands: [Self; N],
        cost: usize,
    ) -> Self {
        let mut all = Self::operand(0, 0);
        for operand in operands {
            all.axes |= operand.axes;
            all.inputs |= operand.inputs;
            all.repeated = Self::MAX_COST.min(all.repeated + operand.repeated);
            all.hoisted = Self::MAX_COST.min(all.hoisted + operand.hoisted);
            all.repeats_hoistable |= operand.repeats_hoistable;
        }
        if all.axes != extents.all {
            all.repeated = Self::counted(cost.saturating_sub(all.hoisted.into()));
        }
        all
    }
}
