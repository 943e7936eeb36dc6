//! Folding blocks into single elements, and rows into single rows.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;

use bytemuck::Zeroable;
use num_complex::Complex;

use super::binary::{self, BinaryOp};
use super::reduce::ReduceOp;
use crate::array::alloc::vec_with_capacity;
use crate::dtype::{DType, c64, c128};
use crate::kernel::drive::parallel::{SendPtr, split};
use crate::simd::{Kernel, for_baseline, for_level, for_types};

/// `$body` with `$T` the element of a dtype that computes as it is and is not complex.
macro_rules! for_reals {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype, $T in [
            DType::Bool | DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
            DType::I8 => i8, DType::I16 => i16, DType::I32 => i32, DType::I64 => i64, DType::F64 => f64,
        ] => $body, _ => { type $T = f32; $body })
    };
}

/// `$body` with `$T` the element of a dtype that computes as it is.
macro_rules! for_compute_types {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype, $T in [DType::C64 => c64, DType::C128 => c128] => $body, _ => for_reals!($dtype, $T => $body))
    };
}

mod arg;
mod deviation;
mod loops;
mod rows;

pub(super) use arg::ArgReducer;
pub(super) use deviation::{squared_deviation, squared_deviations};
use loops::{
    All, Any, AsIs, Fold, FromBf16, FromF16, FromF32, Maximum, Minimum, Product, Read, Row,
    SEGMENT, Segment, Sum,
};
pub(super) use rows::{ColumnReducer, Rows};

/// Room for an element of any dtype.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct Element([u8; 16]);

impl Element {
    pub(super) const ZERO: Self = Self([0; 16]);

    fn of(bytes: &[u8]) -> Self {
        let mut element = Self::ZERO;
        element.0[..bytes.len()].copy_from_slice(bytes);
        element
    }

    pub(super) fn pointer(&mut self) -> *mut u8 {
        self.0.as_mut_ptr()
    }
}

/// How to fold elements of one dtype.
#[derive(Clone, Copy)]
pub(super) struct Accumulator {
    /// At most [`SEGMENT`] elements into one.
    segment: Kernel,
    /// A [`Row`], if elements are widened; else [`Self::combine`] takes rows as they are.
    row: Option<Kernel>,
    /// Pairs of elements.
    combine: Kernel,
    /// What no elements give; extremes of nothing are refused before.
    empty: Element,
    /// The size of an element in bytes.
    size: usize,
}

impl Accumulator {
    fn new<O: Fold>(segment: Kernel, combine: Kernel, empty: O::Item) -> Self {
        Self {
            segment,
            row: None,
            combine,
            empty: Element::of(bytemuck::bytes_of(&empty)),
            size: size_of::<O::Item>(),
        }
    }
}

/// Elements that are read as they are.
fn of<O: Fold>(combine: Kernel, empty: O::Item) -> Accumulator
where
    AsIs: Read<O::Item>,
{
    Accumulator::new::<O>(for_level::<Segment<O, AsIs>>(), combine, empty)
}

/// The same, by a loop that is compiled once: complex extremes would hardly be faster as vectors.
fn of_baseline<O: Fold>(combine: Kernel, empty: O::Item) -> Accumulator
where
    AsIs: Read<O::Item>,
{
    Accumulator::new::<O>(for_baseline::<Segment<O, AsIs>>(), combine, empty)
}

/// Elements that are widened as they are read.
fn of_widened<O: Fold, R: Read<O::Item>>(combine: Kernel, _: R, empty: O::Item) -> Accumulator {
    Accumulator {
        row: Some(for_level::<Row<O, R>>()),
        ..Accumulator::new::<O>(for_level::<Segment<O, R>>(), combine, empty)
    }
}

/// How to fold elements of a dtype, read as another is if that is a conversion that [`reads`]; booleans
/// are summed as or, multiplied as and.
pub(super) fn accumulator(op: ReduceOp, dtype: DType, read: DType) -> Option<Accumulator> {
    // What folds pairs is an operation on two operands.
    let combine = binary::kernel(
        match op {
            ReduceOp::Sum => BinaryOp::Add,
            ReduceOp::Prod => BinaryOp::Mul,
            ReduceOp::Min => BinaryOp::Min,
            ReduceOp::Max => BinaryOp::Max,
            ReduceOp::Any => BinaryOp::Or,
            ReduceOp::All => BinaryOp::And,
            ReduceOp::Mean | ReduceOp::Var { .. } | ReduceOp::Std { .. } => return None,
        },
        dtype,
    )?;
    Some(match (op, dtype) {
        (ReduceOp::Any | ReduceOp::Sum | ReduceOp::Max, DType::Bool) => of::<Any>(combine, 0),
        (ReduceOp::All | ReduceOp::Prod | ReduceOp::Min, DType::Bool) => of::<All>(combine, 1),
        (ReduceOp::Sum, DType::U64 | DType::I64) => of::<Sum<u64>>(combine, 0),
        (ReduceOp::Sum, DType::F32) => match read {
            DType::F16 => of_widened::<Sum<f32>, _>(combine, FromF16, 0.0),
            DType::BF16 => of_widened::<Sum<f32>, _>(combine, FromBf16, 0.0),
            _ => of::<Sum<f32>>(combine, 0.0),
        },
        (ReduceOp::Sum, DType::F64) => match read {
            DType::F32 => of_widened::<Sum<f64>, _>(combine, FromF32, 0.0),
            _ => of::<Sum<f64>>(combine, 0.0),
        },
        (ReduceOp::Sum, DType::C128) => of::<Sum<c128>>(combine, Complex::ZERO),
        (ReduceOp::Prod, DType::U64 | DType::I64) => of::<Product<u64>>(combine, 1),
        (ReduceOp::Prod, DType::F32) => of::<Product<f32>>(combine, 1.0),
        (ReduceOp::Prod, DType::F64) => of::<Product<f64>>(combine, 1.0),
        (ReduceOp::Prod, DType::C128) => of::<Product<c128>>(combine, Complex::ONE),
        (ReduceOp::Min, DType::C64) => of_baseline::<Minimum<c64>>(combine, Complex::ZERO),
        (ReduceOp::Min, DType::C128) => of_baseline::<Minimum<c128>>(combine, Complex::ZERO),
        (ReduceOp::Min, _) => for_reals!(dtype, T => of::<Minimum<T>>(combine, T::zeroed())),
        (ReduceOp::Max, DType::C64) => of_baseline::<Maximum<c64>>(combine, Complex::ZERO),
        (ReduceOp::Max, DType::C128) => of_baseline::<Maximum<c128>>(combine, Complex::ZERO),
        (ReduceOp::Max, _) => for_reals!(dtype, T => of::<Maximum<T>>(combine, T::zeroed())),
        _ => return None,
    })
}

/// Whether folding reads elements of a dtype as they lie in memory.
pub(super) fn reads(op: ReduceOp, dtype: DType, from: DType) -> bool {
    let widens = matches!(
        (dtype, from),
        (DType::F32, DType::F16 | DType::BF16) | (DType::F64, DType::F32)
    );
    dtype == from || (op == ReduceOp::Sum && widens)
}

/// A segment takes a few microseconds; fewer elements are not worth a thread.
pub(super) const MIN_PER_THREAD: usize = 8 * SEGMENT;

impl Accumulator {
    pub(super) fn start(&self) -> PairwiseAccumulator<'_> {
        PairwiseAccumulator {
            accumulator: self,
            levels: [const { MaybeUninit::uninit() }; LEVELS],
            segments: 0,
        }
    }

    /// Folds elements that lie one after the other in memory, `read_size` bytes each.
    ///
    /// # Safety
    /// There are `len` elements to read, of the dtype that is read, and an element of the dtype can
    /// be written.
    pub(super) unsafe fn fold(&self, items: *const u8, read_size: usize, len: usize, to: *mut u8) {
        if len == 0 {
            // SAFETY: the caller's.
            return unsafe { to.copy_from_nonoverlapping(self.empty.0.as_ptr(), self.size) };
        }
        if len <= SEGMENT {
            // SAFETY: the caller's.
            return unsafe { (self.segment)(&items, to, len) };
        }
        let mut folding = self.start();
        let count = len.div_ceil(SEGMENT);
        // What the segments give, if several threads are worth it. Without memory for that, this one takes them all.
        let segments = match len < 2 * MIN_PER_THREAD {
            true => None,
            false => vec_with_capacity(count).ok(),
        };
        let Some(mut segments) = segments else {
            for done in (0..len).step_by(SEGMENT) {
                // SAFETY: the caller's.
                unsafe {
                    folding.add(
                        items.wrapping_add(done * read_size),
                        SEGMENT.min(len - done),
                    )
                };
            }
            // SAFETY: the caller's.
            return unsafe { folding.finish(to) };
        };
        segments.resize(count, self.empty);
        let shared = SendPtr::new((items, segments.as_mut_ptr()));
        split(len, SEGMENT, MIN_PER_THREAD, |piece| {
            let (items, segments) = shared.get();
            for done in piece.clone().step_by(SEGMENT) {
                let len = SEGMENT.min(piece.end - done);
                let items = items.wrapping_add(done * read_size);
                // SAFETY: the caller's; each segment has an element of its own.
                unsafe { (self.segment)(&items, segments.add(done / SEGMENT).cast(), len) };
            }
        });
        for segment in segments {
            // SAFETY: the segments' elements are of the dtype.
            unsafe { folding.push(segment) };
        }
        // SAFETY: the caller's.
        unsafe { folding.finish(to) };
    }
}

/// More than there can be segments to count.
const LEVELS: usize = 64;

/// Blocks combined pairwise, like the digits of a binary counter: level `n` holds what `2^n` segments
/// gave. A segment is as many blocks as is convenient, if it is a power of two and the same for all but
/// the last.
pub(super) struct PairwiseAccumulator<'a> {
    accumulator: &'a Accumulator,
    levels: [MaybeUninit<Element>; LEVELS],
    segments: usize,
}

impl PairwiseAccumulator<'_> {
    /// # Safety
    /// The segment holds `len` elements of the dtype that is read, at least one and at most [`SEGMENT`].
    pub(super) unsafe fn add(&mut self, segment: *const u8, len: usize) {
        let mut element = Element::ZERO;
        // SAFETY: the caller's; there is room for one element.
        unsafe {
            (self.accumulator.segment)(&raw const segment, element.0.as_mut_ptr(), len);
            self.push(element);
        }
    }

    /// # Safety
    /// The element is of the accumulator's dtype.
    unsafe fn push(&mut self, mut element: Element) {
        let mut full = 0;
        while self.segments >> full & 1 == 1 {
            // SAFETY: levels below the lowest zero digit hold elements.
            unsafe { self.combine(full, &mut element) };
            full += 1;
        }
        self.levels[full].write(element);
        self.segments += 1;
    }

    /// Forgets all segments.
    pub(super) fn restart(&mut self) {
        self.segments = 0;
    }

    /// # Safety
    /// The level holds an element, as does `right`.
    unsafe fn combine(&self, level: usize, right: &mut Element) {
        let to = right.0.as_mut_ptr();
        let pair = [self.levels[level].as_ptr().cast::<u8>(), to.cast_const()];
        // SAFETY: the caller's; the result may take the place of an input.
        unsafe { (self.accumulator.combine)(pair.as_ptr(), to, 1) };
    }

    /// # Safety
    /// An element of the accumulator's dtype can be written.
    pub(super) unsafe fn finish(&self, to: *mut u8) {
        let mut filled = (0..LEVELS).filter(|level| self.segments >> level & 1 == 1);
        let mut element = match filled.next() {
            // SAFETY: digits that are one stand for levels that hold elements.
            Some(level) => unsafe { self.levels[level].assume_init() },
            None => self.accumulator.empty,
        };
        for level in filled {
            // SAFETY: digits that are one stand for levels that hold elements.
            unsafe { self.combine(level, &mut element) };
        }
        // SAFETY: the caller's.
        unsafe { to.copy_from_nonoverlapping(element.0.as_ptr(), self.accumulator.size) };
    }
}
