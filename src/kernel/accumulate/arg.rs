//! Positions of extremes (`argmin`, `argmax`).
#![allow(unsafe_code, reason = "loops over raw memory")]

use super::Element;
use crate::dtype::compute::arithmetic::complex_less;
use crate::dtype::{DType, c64, c128};
use crate::kernel::reduce::op::ArgOp;
use crate::simd::for_types;

/// Finds the position of the first extreme in a sequence of blocks.
pub(in crate::kernel) struct ArgReducer {
    add: unsafe fn(&mut Self, *const u8, usize),
    best: Element,
    position: i64,
    seen: i64,
}

impl ArgReducer {
    pub(in crate::kernel) fn new(op: ArgOp, dtype: DType) -> Self {
        Self {
            add: match op {
                ArgOp::Min => for_compute_types!(dtype, T => Self::add_items::<T, false>),
                ArgOp::Max => for_compute_types!(dtype, T => Self::add_items::<T, true>),
            },
            best: Element::ZERO,
            position: 0,
            seen: 0,
        }
    }

    /// Continues with a block.
    ///
    /// # Safety
    /// `len` elements of the dtype can be read at `block`.
    pub(in crate::kernel) unsafe fn add(&mut self, block: *const u8, len: usize) {
        // SAFETY: the caller guarantees `len` readable elements of the dtype, for whose type `new` chose the
        // function.
        unsafe { (self.add)(self, block, len) }
    }

    pub(in crate::kernel) fn position(&self) -> i64 {
        self.position
    }

    unsafe fn add_items<T: Extreme, const MAXIMUM: bool>(&mut self, block: *const u8, len: usize) {
        if len == 0 {
            return;
        }
        let best = (&raw mut self.best).cast::<T>();
        let items = block.cast::<T>();
        for at in 0..len {
            // SAFETY: `at < len`, and the caller guarantees `len` readable elements of type `T`.
            let item = unsafe { items.add(at).read() };
            // SAFETY: `best` has room for an element of any dtype, and holds one of type `T` once an element was
            // seen.
            let found = self.seen == 0
                || unsafe {
                    let best = best.read();
                    if MAXIMUM {
                        item.is_more(best)
                    } else {
                        item.is_less(best)
                    }
                };
            if found {
                // SAFETY: `best` has room for an element of any dtype, and is aligned to 16.
                unsafe { best.write(item) };
                self.position = self.seen;
            }
            self.seen += 1;
        }
    }
}

/// The order of extremes: a NaN is more extreme than any number.
trait Extreme: Copy {
    fn is_less(self, other: Self) -> bool;
    fn is_more(self, other: Self) -> bool;
}

macro_rules! extreme {
    ($($item:ty),*; $($float:ty),*; $($complex:ty),*) => {
        $(impl Extreme for $item {
            fn is_less(self, other: Self) -> bool {
                self < other
            }
            fn is_more(self, other: Self) -> bool {
                self > other
            }
        })*
        $(impl Extreme for $float {
            fn is_less(self, other: Self) -> bool {
                self < other || (self.is_nan() && !other.is_nan())
            }
            fn is_more(self, other: Self) -> bool {
                self > other || (self.is_nan() && !other.is_nan())
            }
        })*
        $(impl Extreme for $complex {
            fn is_less(self, other: Self) -> bool {
                if self.is_nan() || other.is_nan() { !other.is_nan() } else { complex_less(self, other) }
            }
            fn is_more(self, other: Self) -> bool {
                if self.is_nan() || other.is_nan() { !other.is_nan() } else { complex_less(other, self) }
            }
        })*
    };
}

extreme!(u8, u16, u32, u64, i8, i16, i32, i64; f32, f64; c64, c128);
