//! Nodes of expressions: inputs, constants, operations, and calls of a user's functions.

/// The constants and the empty stage of nodes without operands.
macro_rules! leaf {
    () => {
        const IS_ROUNDED: bool = true;
        const STAGED: bool = false;
        const ROUND_LATENCY: usize = 0;

        #[inline(always)]
        unsafe fn stage<I: Isa>(&self, _: &LoopContext, _: *mut Self::Stage, _: usize) {}
    };
    (constant) => {
        leaf!();
        type Stage = ();

        #[inline(always)]
        unsafe fn start_row(&self, _: &mut LoopContext, _: *mut (), _: &LoopRows<'_>, _: usize) {}
    };
}

/// The functions that nodes pass on to their operands. Without `rows` also the constants and the stage of nodes that stage their
/// operands' nodes only, not themselves.
macro_rules! operands {
    (rows $($number:tt $Operand:ident),+) => {
        const INPUT_SIZES: $crate::kernel::fused::ElementSizes =
            $crate::kernel::fused::sizes_of_all(&[$($Operand::INPUT_SIZES),+]);

        #[inline(always)]
        unsafe fn start_row(
            &self,
            to: &mut LoopContext,
            stage: *mut Self::Stage,
            rows: &LoopRows<'_>,
            row: usize,
        ) {
            // SAFETY: the caller guarantees a row whose elements can be read; each operand has its own part of `stage`.
            unsafe { $(self.$number.start_row(to, &raw mut (*stage).$number, rows, row);)+ }
        }

        #[inline]
        fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
            $($Operand::fits(inputs, bound))&&+
        }

        #[inline]
        fn extent(extents: &Extents) -> Extent {
            // A user's function is called once for each of its arguments.
            let cost = if Self::CALLS { usize::MAX } else { Self::COST };
            Extent::operation(extents, [$($Operand::extent(extents)),+], cost)
        }
    };
    ($($number:tt $Operand:ident),+) => {
        operands!(rows $($number $Operand),+);
        const STAGED: bool = $($Operand::STAGED)||+;
        const ROUND_LATENCY: usize = max_of(&[$($Operand::ROUND_LATENCY),+]);
        type Stage = ($($Operand::Stage,)+);

        #[inline(always)]
        unsafe fn stage<I: Isa>(&self, from: &LoopContext, to: *mut Self::Stage, end: usize) {
            // SAFETY: the caller guarantees the instruction set, dtypes that fit, and readable inputs for all packs
            // up to `end`; each operand has its own part of `to`.
            unsafe { $(self.$number.stage::<I>(from, &raw mut (*to).$number, end);)+ }
        }
    };
}

const fn max_of(numbers: &[usize]) -> usize {
    match numbers {
        [first, rest @ ..] => {
            let others = max_of(rest);
            if *first > others { *first } else { others }
        }
        [] => 0,
    }
}

mod calls;
mod convert;
mod hoistable;
mod leaves;
mod operations;

pub(crate) use calls::{Called1, Called2, Called3, Function1, Function2, Function3};
pub(crate) use convert::{Cast, Saturate};
pub(crate) use hoistable::Hoistable;
pub(crate) use leaves::{Bound, Input, Splat};
pub(crate) use operations::{Binary, Choose, Compare, Squared, Unary};
