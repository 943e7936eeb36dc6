//! Positions of extremes (`argmin`, `argmax`).
//!
//! A loop that keeps the position of the best element so far depends on each element in turn, so it has no vectors. Here the extreme of a
//! block is found by the loop of minima and maxima. Only if it is more extreme than all elements before, the block is searched for it. (A
//! million `f32`: 0.21 of the time of such a loop.) `arg_rows.rs` searches many rows in one call, and `arg_columns.rs` sequences that lie
//! side by side.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::{Accumulator, Element, FoldOp, cached_accumulator};
use crate::dtype::compute::arithmetic::complex_less;
use crate::dtype::{DType, c64, c128};
use crate::op::each_position;
use crate::simd::{Body, Isa, Kernel, LANES, for_level, for_types};

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

            /// Returns whether this finds the greatest element rather than the smallest.
            pub(crate) const fn is_greatest(self) -> bool {
                matches!(self, Self::Max | Self::NanMax)
            }

            /// Returns whether NaN is skipped. Otherwise NaN counts as more extreme than any number.
            pub(crate) const fn skips_nan(self) -> bool {
                matches!(self, Self::NanMin | Self::NanMax)
            }
        }
    };
}

each_position!(kernels positions!);

/// Blocks of fewer elements are searched one by one.
const MIN_FOLDED: usize = 32;

/// Finds the position of the first extreme in a sequence of blocks. No reducer skips NaN.
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
        let (fold, search): (_, unsafe fn(&mut Self, *const u8, usize)) = match op.is_greatest() {
            false => (
                FoldOp::Minimum,
                for_compute_types!(dtype, T => Self::search::<T, false>),
            ),
            true => (
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

/// The order of extremes: a NaN is more extreme than any number.
pub(super) trait Extreme: Copy + 'static {
    /// An unsigned integer of the size of an element if there is one, so that as many fit a register.
    type Counter: Counter;

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

/// The number of a pack or a row, stored beside each element; or no number.
pub(super) trait Counter: Copy + PartialEq {
    /// All bits are set.
    const NONE: Self;
    /// The limit of numbers: all below it can be stored.
    const COUNT: usize;

    /// Stores a number, which must be less than [`Self::COUNT`].
    fn of(number: usize) -> Self;
    /// Returns the number. Of [`Self::NONE`] the result is arbitrary.
    fn number(self) -> u32;
}

macro_rules! counters {
    ($($counter:ident: $count:expr;)*) => {$(
        impl Counter for $counter {
            const NONE: Self = Self::MAX;
            const COUNT: usize = $count;

            #[inline(always)]
            #[expect(clippy::as_conversions, reason = "less than `COUNT`, which the integer can hold")]
            fn of(number: usize) -> Self {
                number as Self
            }
            #[inline(always)]
            #[expect(clippy::as_conversions, reason = "it was less than `COUNT`, which `u32` can hold")]
            #[allow(clippy::unnecessary_cast, reason = "the type differs by counter")]
            fn number(self) -> u32 {
                self as u32
            }
        }
    )*};
}

counters! {
    u8: 0xff;
    u16: 0xffff;
    u32: 1 << 30;
    u64: 1 << 30;
}

macro_rules! extreme {
    ($($item:ty: $counter:ty),*; $($float:ty: $float_counter:ty),*; $($complex:ty),*) => {
        $(impl Extreme for $item {
            type Counter = $counter;
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
            type Counter = $float_counter;
            #[inline(always)]
            #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "true of a NaN, and one comparison less")]
            fn is_less(self, other: Self) -> bool {
                !(self >= other) & !other.is_nan()
            }
            #[inline(always)]
            #[expect(clippy::neg_cmp_op_on_partial_ord, reason = "true of a NaN, and one comparison less")]
            fn is_more(self, other: Self) -> bool {
                !(self <= other) & !other.is_nan()
            }
        })*
        $(impl Extreme for $complex {
            type Counter = u64;
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

extreme!(
    u8: u8, u16: u16, u32: u32, u64: u64, i8: u8, i16: u16, i32: u32, i64: u64;
    f32: u32, f64: u64;
    c64, c128
);
