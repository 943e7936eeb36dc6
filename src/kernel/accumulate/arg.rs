//! Positions of extremes (`argmin`, `argmax`).
//!
//! A loop that keeps the position of the best element so far depends on each element in turn, so it has no vectors. Two other loops have:
//!
//! 1. Along a sequence, the extreme of a block is found by the loop of minima and maxima. Only if it is more extreme than all elements
//!    before, the block is searched for it. (A million `f32`: 0.21 of the time of such a loop.)
//! 2. Across sequences that lie side by side, each lane of a pack keeps the position in a sequence of its own. (A thousand columns of a
//!    thousand `f32`: 0.12 of the time.)
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::{Accumulator, Element, FoldOp, cached_accumulator};
use crate::dtype::compute::arithmetic::complex_less;
use crate::dtype::{DType, c64, c128};
use crate::kernel::drive::block::{BLOCK, BlockBuffer};
use crate::op::each_position;
use crate::simd::{Body, Isa, Kernel, LANES, for_baseline, for_level, for_types};

/// Declares the positions of extremes.
macro_rules! positions {
    ($($name:ident: $Op:ident;)*) => {
        /// The extreme whose position is looked for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum ArgOp {
            $($Op,)*
        }

        impl ArgOp {
            /// The name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$Op => stringify!($name),)*
                }
            }
        }
    };
}

each_position!(kernels positions!);

/// Blocks of fewer elements are searched one by one.
const MIN_FOLDED: usize = 32;

/// Finds the position of the first extreme in a sequence of blocks.
pub(in crate::kernel) struct ArgReducer {
    search: unsafe fn(&mut Self, *const u8, usize),
    /// The loop that finds the extreme of a block, and the [`FirstExtreme`] loop; `None` for complex numbers.
    by_extreme: Option<(&'static Accumulator, Kernel)>,
    best: Element,
    position: i64,
    seen: i64,
}

impl ArgReducer {
    pub(in crate::kernel) fn new(op: ArgOp, dtype: DType) -> Self {
        let (fold, search): (_, unsafe fn(&mut Self, *const u8, usize)) = match op {
            ArgOp::Min => (
                FoldOp::Minimum,
                for_compute_types!(dtype, T => Self::search::<T, false>),
            ),
            ArgOp::Max => (
                FoldOp::Maximum,
                for_compute_types!(dtype, T => Self::search::<T, true>),
            ),
        };
        Self {
            search,
            by_extreme: match dtype {
                DType::C64 | DType::C128 => None,
                _ => {
                    let first = for_reals!(dtype, T => for_level::<FirstExtreme<T>>());
                    cached_accumulator(fold, dtype).map(|extreme| (extreme, first))
                }
            },
            best: Element::ZERO,
            position: 0,
            seen: 0,
        }
    }

    /// Forgets all elements.
    pub(in crate::kernel) fn restart(&mut self) {
        (self.position, self.seen) = (0, 0);
    }

    /// Continues with a block.
    ///
    /// # Safety
    /// `len` elements of the dtype can be read at `block`.
    pub(in crate::kernel) unsafe fn add(&mut self, block: *const u8, len: usize) {
        // SAFETY: the caller guarantees `len` readable elements of the dtype, for whose type `new` chose the
        // function.
        unsafe { (self.search)(self, block, len) };
        self.seen += i64::try_from(len).unwrap_or(i64::MAX);
    }

    pub(in crate::kernel) fn position(&self) -> i64 {
        self.position
    }

    unsafe fn search<T: Extreme, const MAXIMUM: bool>(&mut self, block: *const u8, len: usize) {
        // SAFETY: the caller guarantees `len` readable elements of type `T`.
        let items = unsafe { core::slice::from_raw_parts(block.cast::<T>(), len) };
        let Some(first) = items.first() else {
            return;
        };
        let mut best = match self.seen {
            0 => *first,
            // SAFETY: `best` has room for an element of any dtype, aligned to 16. It holds one of type `T` once an element was seen.
            _ => unsafe { (&raw const self.best).cast::<T>().read() },
        };
        let found = match self.by_extreme {
            Some((extreme, first)) if len >= MIN_FOLDED => {
                let mut folded = Element::ZERO;
                // SAFETY: the block has `len` elements of the accumulator's dtype, and `folded` has room for one.
                let folded = unsafe {
                    extreme.fold(block, size_of::<T>(), len, folded.pointer());
                    folded.pointer().cast::<T>().read()
                };
                if self.seen == 0 || folded.is_beyond::<MAXIMUM>(best) {
                    let mut at = 0_usize;
                    let inputs = [block, (&raw const folded).cast()];
                    // SAFETY: `first` is a loop of the same dtype. The block has `len` elements, of which one is `folded`.
                    unsafe { first(inputs.as_ptr(), (&raw mut at).cast(), len) };
                    Some(at)
                } else {
                    None
                }
            }
            _ => {
                let mut found = (self.seen == 0).then_some(0);
                let mut beyond = best;
                for (at, item) in items.iter().enumerate() {
                    if item.is_beyond::<MAXIMUM>(beyond) {
                        (beyond, found) = (*item, Some(at));
                    }
                }
                found
            }
        };
        if let Some(at) = found {
            best = items[at];
            self.position = self.seen + i64::try_from(at).unwrap_or(i64::MAX);
        }
        // SAFETY: `best` has room for an element of any dtype, aligned to 16.
        unsafe { (&raw mut self.best).cast::<T>().write(best) };
    }
}

/// Finds the position of the first element that equals the extreme of all, or is NaN if the extreme is.
///
/// The inputs are the elements and their extreme. The output is a `usize`: a position, or 0 if there is no such element.
struct FirstExtreme<T>(PhantomData<T>);

impl<T: Copy + PartialEq> Body for FirstExtreme<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements, one extreme, and room for a position.
        unsafe {
            let items = core::slice::from_raw_parts((*inputs).cast::<T>(), len);
            let extreme = (*inputs.add(1)).cast::<T>().read();
            let found = match same(extreme, extreme) {
                true => first(items, |item| same(item, extreme)),
                false => first(items, |item| !same(item, item)),
            };
            output.cast::<usize>().write(found.unwrap_or(0));
        }
    }
}

/// `a == b`, by which a NaN differs from itself.
#[inline(always)]
fn same<T: PartialEq>(a: T, b: T) -> bool {
    a == b
}

/// Returns the first position whose item matches. A pack has no branch for each item, so that the compiler vectorises it.
#[inline(always)]
fn first<T: Copy>(items: &[T], matches: impl Fn(T) -> bool + Copy) -> Option<usize> {
    let (packs, rest) = items.as_chunks::<LANES>();
    let any = |pack: &[T; LANES]| pack.iter().fold(false, |any, item| any | matches(*item));
    let (start, items) = match packs.iter().position(any) {
        Some(pack) => (pack * LANES, &packs[pack][..]),
        None => (packs.len() * LANES, rest),
    };
    let at = items.iter().position(|item| matches(*item))?;
    Some(start + at)
}

/// Finds the position of the first extreme in each of at most [`BLOCK`] sequences, which lie side by side.
pub(in crate::kernel) struct ColumnArgReducer {
    row: Kernel,
    size: usize,
    best: BlockBuffer,
}

impl ColumnArgReducer {
    pub(in crate::kernel) fn new(op: ArgOp, dtype: DType) -> Self {
        Self {
            row: match (op, dtype) {
                (ArgOp::Min, DType::C64) => for_baseline::<ExtremeRow<c64, false>>(),
                (ArgOp::Min, DType::C128) => for_baseline::<ExtremeRow<c128, false>>(),
                (ArgOp::Max, DType::C64) => for_baseline::<ExtremeRow<c64, true>>(),
                (ArgOp::Max, DType::C128) => for_baseline::<ExtremeRow<c128, true>>(),
                (ArgOp::Min, _) => for_reals!(dtype, T => for_level::<ExtremeRow<T, false>>()),
                (ArgOp::Max, _) => for_reals!(dtype, T => for_level::<ExtremeRow<T, true>>()),
            },
            size: dtype.size(),
            best: BlockBuffer::empty(),
        }
    }

    /// Continues with the elements of `len` sequences at position `at`, which begins with 0.
    ///
    /// # Safety
    /// `len` elements of the dtype can be read at `row`, and as many positions can be read and written at `positions`. `len` is at
    /// most [`BLOCK`], and the same from position 0 on.
    pub(in crate::kernel) unsafe fn add(
        &mut self,
        row: *const u8,
        at: usize,
        positions: *mut i64,
        len: usize,
    ) {
        debug_assert!(len <= BLOCK);
        let best = self.best.pointer();
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        // SAFETY: the caller guarantees `len` elements and positions, and that position 0 came first, so `best` holds `len` elements
        // of the dtype: it has room for a block of any.
        unsafe {
            if at == 0 {
                best.copy_from_nonoverlapping(row, len * self.size);
                positions.write_bytes(0, len);
                return;
            }
            let inputs = [row, best.cast_const(), (&raw const at).cast()];
            (self.row)(inputs.as_ptr(), positions.cast(), len);
        }
    }
}

/// Compares elements with the best ones so far, and keeps the better ones and their position.
///
/// The inputs are a row of elements, the best elements, which are written too, and one position. The output has a position for each.
struct ExtremeRow<T, const MAXIMUM: bool>(PhantomData<T>);

impl<T: Extreme, const MAXIMUM: bool> Body for ExtremeRow<T, MAXIMUM> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements in a row and in `best`, which can be written, a position, and `len` positions to
        // read and write, all of them apart in memory.
        unsafe {
            let row = core::slice::from_raw_parts((*inputs).cast::<T>(), len);
            let best =
                core::slice::from_raw_parts_mut((*inputs.add(1)).cast_mut().cast::<T>(), len);
            let at = (*inputs.add(2)).cast::<i64>().read();
            let positions = core::slice::from_raw_parts_mut(output.cast::<i64>(), len);
            for ((item, best), position) in row.iter().zip(best).zip(positions) {
                let is_better = item.is_beyond::<MAXIMUM>(*best);
                *best = if is_better { *item } else { *best };
                *position = if is_better { at } else { *position };
            }
        }
    }
}

/// The order of extremes: a NaN is more extreme than any number.
pub(super) trait Extreme: Copy {
    fn is_less(self, other: Self) -> bool;
    fn is_more(self, other: Self) -> bool;

    /// Returns whether this is the more extreme one: greater if `MAXIMUM`, else less.
    #[inline(always)]
    fn is_beyond<const MAXIMUM: bool>(self, other: Self) -> bool {
        if MAXIMUM {
            self.is_more(other)
        } else {
            self.is_less(other)
        }
    }
}

macro_rules! extreme {
    ($($item:ty),*; $($float:ty),*; $($complex:ty),*) => {
        $(impl Extreme for $item {
            #[inline(always)]
            fn is_less(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn is_more(self, other: Self) -> bool {
                self > other
            }
        })*
        $(impl Extreme for $float {
            #[inline(always)]
            fn is_less(self, other: Self) -> bool {
                (self < other) | (self.is_nan() & !other.is_nan())
            }
            #[inline(always)]
            fn is_more(self, other: Self) -> bool {
                (self > other) | (self.is_nan() & !other.is_nan())
            }
        })*
        $(impl Extreme for $complex {
            #[inline(always)]
            fn is_less(self, other: Self) -> bool {
                if self.is_nan() || other.is_nan() { !other.is_nan() } else { complex_less(self, other) }
            }
            #[inline(always)]
            fn is_more(self, other: Self) -> bool {
                if self.is_nan() || other.is_nan() { !other.is_nan() } else { complex_less(other, self) }
            }
        })*
    };
}

extreme!(u8, u16, u32, u64, i8, i16, i32, i64; f32, f64; c64, c128);
