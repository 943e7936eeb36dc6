//! Reduction of blocks to single elements, and of rows to a single row.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::mem::MaybeUninit;
use std::sync::OnceLock;

use bytemuck::Zeroable;
use num_complex::Complex;

use super::binary::loops::kernel;
use super::binary::op::BinaryOp;
use crate::array::alloc::vec_with_capacity;
use crate::dtype::compute::arithmetic::Order;
use crate::dtype::{DType, c64, c128};
use crate::kernel::drive::parallel::{SendPtr, split};
use crate::simd::{self, Kernel, SimdLevel, for_baseline, for_level, for_types, map2};

/// `$body` with `$T` the compute type of a dtype that is its own compute type and not complex.
macro_rules! for_reals {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype, $T in [
            DType::Bool | DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
            DType::I8 => i8, DType::I16 => i16, DType::I32 => i32, DType::I64 => i64, DType::F64 => f64,
        ] => $body, _ => { type $T = f32; $body })
    };
}

/// `$body` with `$T` the compute type of a dtype that is its own compute type.
macro_rules! for_compute_types {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype, $T in [DType::C64 => c64, DType::C128 => c128] => $body, _ => for_reals!($dtype, $T => $body))
    };
}

/// `$body` with `$R` the conversion with which elements of a dtype are read as `f32`.
macro_rules! for_reads_of_f32 {
    ($read:expr, $R:ident => $body:expr) => {
        for_types!($read, $R in [DType::F16 => FromF16, DType::BF16 => FromBf16] => $body, _ => { type $R = AsIs; $body })
    };
}

/// `$body` with `$R` the conversion with which elements of a dtype are read as `f64`.
macro_rules! for_reads_of_f64 {
    ($read:expr, $R:ident => $body:expr) => {
        for_types!($read, $R in [DType::F32 => FromF32] => $body, _ => { type $R = AsIs; $body })
    };
}

/// `$body` with `$R` the conversion with which elements of a dtype are read as `c128`.
macro_rules! for_reads_of_c128 {
    ($read:expr, $R:ident => $body:expr) => {
        for_types!($read, $R in [DType::C64 => FromC64] => $body, _ => { type $R = AsIs; $body })
    };
}

/// `$body` with `$R` the conversion with which elements of a dtype are read as 64-bit integers.
macro_rules! for_reads_of_u64 {
    ($read:expr, $R:ident => $body:expr) => {
        for_types!($read, $R in [
            DType::Bool | DType::U8 => FromInteger<u8>, DType::U16 => FromInteger<u16>, DType::U32 => FromInteger<u32>,
            DType::I8 => FromInteger<i8>, DType::I16 => FromInteger<i16>, DType::I32 => FromInteger<i32>,
        ] => $body, _ => { type $R = AsIs; $body })
    };
}

mod arg;
mod arg_columns;
mod arg_rows;
mod contiguous_rows;
mod deviation;
mod extremes;
mod fold;
mod loops;
mod rows;
mod short_rows;
mod small;

pub(crate) use arg::ArgOp;
pub(super) use arg::ArgReducer;
pub(super) use arg_columns::ColumnArgReducer;
pub(super) use arg_rows::arg_rows;
pub(super) use contiguous_rows::{ContiguousRows, Run};
pub(super) use deviation::{squared_deviation, squared_deviations};
use extremes::{FloatExtreme, FloatJoin, FloatSegment, FloatShortRows};
use fold::{
    All, Any, AsIs, Fold, FromBf16, FromC64, FromF16, FromF32, FromInteger, IsNumber, Maximum,
    MaximumNumber, MaybeNan, Minimum, MinimumNumber, NanAsOne, NanAsZero, Product, Read, Sum,
};
pub(super) use loops::{BLOCKS, CACHED_BYTES, HALF, SEGMENT, STREAMS};
use loops::{Join, Lane, Segment, join_pairs, join_part};
pub(super) use rows::{ColumnReducer, RowRange, Rows};
use short_rows::ShortRows;
pub(super) use small::{SMALL_LEN, SmallBuffer, SmallGroups};

/// The operation by which a reduction combines two elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoldOp {
    /// Or of booleans.
    Add,
    /// And of booleans.
    Multiply,
    /// NaN if either is.
    Minimum,
    /// NaN if either is.
    Maximum,
    Or,
    And,
    /// [`Self::Add`], with zero in place of elements that are NaN.
    AddNumbers,
    /// [`Self::Multiply`], with one in place of elements that are NaN.
    MultiplyNumbers,
    /// The number of elements that are not NaN, as `u64`.
    CountNumbers,
    /// NaN if both are.
    MinimumNumber,
    /// NaN if both are.
    MaximumNumber,
}

impl FoldOp {
    /// The number of operations.
    const COUNT: usize = Self::MaximumNumber.index() + 1;

    /// The position among the operations.
    #[allow(
        clippy::as_conversions,
        reason = "a fieldless enum to its discriminant"
    )]
    const fn index(self) -> usize {
        self as usize
    }

    /// The same of elements of a dtype, which may have no NaN.
    pub(crate) const fn of(self, dtype: DType) -> Self {
        match self {
            _ if dtype.kind().is_inexact() => self,
            Self::AddNumbers => Self::Add,
            Self::MultiplyNumbers => Self::Multiply,
            Self::MinimumNumber => Self::Minimum,
            Self::MaximumNumber => Self::Maximum,
            _ => self,
        }
    }

    /// The operation on two operands that combines two results, if there is one.
    const fn binary(self) -> Option<BinaryOp> {
        Some(match self {
            Self::Add | Self::AddNumbers | Self::CountNumbers => BinaryOp::Add,
            Self::Multiply | Self::MultiplyNumbers => BinaryOp::Mul,
            Self::Minimum => BinaryOp::Min,
            Self::Maximum => BinaryOp::Max,
            Self::Or => BinaryOp::Or,
            Self::And => BinaryOp::And,
            Self::MinimumNumber | Self::MaximumNumber => return None,
        })
    }

    /// Returns whether no elements have a result.
    pub(crate) const fn has_start(self) -> bool {
        !matches!(
            self,
            Self::Minimum | Self::Maximum | Self::MinimumNumber | Self::MaximumNumber
        )
    }

    /// Returns whether there is a loop that combines elements in a dtype.
    #[allow(dead_code, reason = "only traces ask; kernels look for the loop")]
    pub(crate) fn is_defined(self, dtype: DType) -> bool {
        accumulator(self, dtype, dtype).is_some()
    }
}

/// Memory for an element of any dtype.
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

/// The loops of a reduction in one dtype.
#[derive(Clone, Copy)]
pub(super) struct Accumulator {
    /// Reduces at most [`SEGMENT`] elements to one.
    segment: Kernel,
    /// Combines the rows of a lane: see [`loops::Lane`].
    lane: Kernel,
    /// Reduces short rows: see [`short_rows`].
    short_rows: Option<Kernel>,
    /// `true` if an element may also be combined twice: see [`Fold::REPEATABLE`].
    is_repeatable: bool,
    /// Combines pairs of elements.
    combine: Kernel,
    /// Joins the lanes of blocks: see [`loops::Join`].
    join: Kernel,
    /// Joins elements pairwise.
    join_pairs: unsafe fn(*mut u8, usize),
    /// Joins at most a pack of lanes to an element.
    join_part: unsafe fn(*mut u8, usize, *mut u8),
    /// The result of no elements. Minimum and maximum of no elements are refused before.
    empty: Element,
    /// The size of an accumulated element in bytes.
    size: usize,
}

impl Accumulator {
    /// `segment` and `lane` read the elements.
    fn new<O: Fold>([segment, lane]: [Kernel; 2], combine: Kernel, empty: O::Item) -> Self {
        Self {
            segment,
            lane,
            short_rows: None,
            is_repeatable: O::REPEATABLE,
            combine,
            join: for_level::<Join<O>>(),
            join_pairs: join_pairs::<O>,
            join_part: join_part::<O>,
            empty: Element::of(bytemuck::bytes_of(&empty)),
            size: size_of::<O::Item>(),
        }
    }
}

/// Makes an accumulator of elements that are converted as they are read.
fn of<O: Fold, R: Read<O::Item>>(combine: Kernel, empty: O::Item) -> Accumulator {
    let loops = [for_level::<Segment<O, R>>(), for_level::<Lane<O, R>>()];
    Accumulator {
        short_rows: Some(for_level::<ShortRows<O, R>>()),
        ..Accumulator::new::<O>(loops, combine, empty)
    }
}

/// Makes an accumulator whose loops are compiled for the baseline only: vectors hardly help complex extremes.
fn of_baseline<O: Fold>(combine: Kernel) -> Accumulator
where
    AsIs: Read<O::Item>,
{
    let loops = [
        for_baseline::<Segment<O, AsIs>>(),
        for_baseline::<Lane<O, AsIs>>(),
    ];
    Accumulator::new::<O>(loops, combine, O::Item::zeroed())
}

/// Makes an accumulator of an extreme of floats, which are converted as they are read.
fn of_floats<O: FloatExtreme, R: Read<O::Item>>(combine: Kernel) -> Accumulator {
    let loops = [for_level::<FloatSegment<O, R>>(), for_level::<Lane<O, R>>()];
    Accumulator {
        short_rows: Some(for_level::<FloatShortRows<O, R>>()),
        join: for_level::<FloatJoin<O>>(),
        ..Accumulator::new::<O>(loops, combine, O::Item::zeroed())
    }
}

/// Makes an accumulator of the smallest or the greatest number.
fn extreme_number<T: Order + MaybeNan>(fold: FoldOp) -> Accumulator
where
    MinimumNumber<T>: FloatExtreme<Item = T>,
    MaximumNumber<T>: FloatExtreme<Item = T>,
{
    match fold {
        FoldOp::MinimumNumber => {
            of_floats::<MinimumNumber<T>, AsIs>(map2(MinimumNumber::<T>::combine))
        }
        _ => of_floats::<MaximumNumber<T>, AsIs>(map2(MaximumNumber::<T>::combine)),
    }
}

/// Returns the loops that reduce in `dtype` and read elements of dtype `read`, a pair that [`reads`] allows. The sum
/// of booleans is their "or", the product their "and". `None` if the operation does not exist in the dtype.
pub(super) fn accumulator(fold: FoldOp, dtype: DType, read: DType) -> Option<Accumulator> {
    let Some(combine) = fold.binary() else {
        return for_types!(dtype, T in [DType::F32 => f32, DType::F64 => f64] => Some(extreme_number::<T>(fold)), _ => None);
    };
    // Pairs are combined by the operation on two operands.
    let combine = kernel(combine, dtype)?;
    Some(match (fold, dtype) {
        (FoldOp::Or | FoldOp::Add | FoldOp::Maximum, DType::Bool) => of::<Any, AsIs>(combine, 0),
        (FoldOp::And | FoldOp::Multiply | FoldOp::Minimum, DType::Bool) => {
            of::<All, AsIs>(combine, 1)
        }
        (FoldOp::Add, DType::U64 | DType::I64) => {
            for_reads_of_u64!(read, R => of::<Sum<u64>, R>(combine, 0))
        }
        (FoldOp::Add, DType::F32) => {
            for_reads_of_f32!(read, R => of::<Sum<f32>, R>(combine, 0.0))
        }
        (FoldOp::Add, DType::F64) => {
            for_reads_of_f64!(read, R => of::<Sum<f64>, R>(combine, 0.0))
        }
        (FoldOp::Add, DType::C128) => {
            for_reads_of_c128!(read, R => of::<Sum<c128>, R>(combine, Complex::ZERO))
        }
        (FoldOp::Multiply, DType::U64 | DType::I64) => {
            for_reads_of_u64!(read, R => of::<Product<u64>, R>(combine, 1))
        }
        (FoldOp::Multiply, DType::F32) => {
            for_reads_of_f32!(read, R => of::<Product<f32>, R>(combine, 1.0))
        }
        (FoldOp::Multiply, DType::F64) => {
            for_reads_of_f64!(read, R => of::<Product<f64>, R>(combine, 1.0))
        }
        (FoldOp::Multiply, DType::C128) => {
            for_reads_of_c128!(read, R => of::<Product<c128>, R>(combine, Complex::ONE))
        }
        (FoldOp::AddNumbers, DType::F32) => {
            for_reads_of_f32!(read, R => of::<Sum<f32>, NanAsZero<R>>(combine, 0.0))
        }
        (FoldOp::AddNumbers, DType::F64) => {
            for_reads_of_f64!(read, R => of::<Sum<f64>, NanAsZero<R>>(combine, 0.0))
        }
        (FoldOp::AddNumbers, DType::C128) => {
            for_reads_of_c128!(read, R => of::<Sum<c128>, NanAsZero<R>>(combine, Complex::ZERO))
        }
        (FoldOp::MultiplyNumbers, DType::F32) => {
            for_reads_of_f32!(read, R => of::<Product<f32>, NanAsOne<R>>(combine, 1.0))
        }
        (FoldOp::MultiplyNumbers, DType::F64) => {
            for_reads_of_f64!(read, R => of::<Product<f64>, NanAsOne<R>>(combine, 1.0))
        }
        (FoldOp::MultiplyNumbers, DType::C128) => {
            for_reads_of_c128!(read, R => of::<Product<c128>, NanAsOne<R>>(combine, Complex::ONE))
        }
        (FoldOp::CountNumbers, DType::U64) => match read {
            DType::F32 => of::<Sum<u64>, IsNumber<f32>>(combine, 0),
            DType::F64 => of::<Sum<u64>, IsNumber<f64>>(combine, 0),
            DType::C128 => of::<Sum<u64>, IsNumber<c128>>(combine, 0),
            _ => return None,
        },
        (FoldOp::Minimum, DType::C64) => of_baseline::<Minimum<c64>>(combine),
        (FoldOp::Minimum, DType::C128) => of_baseline::<Minimum<c128>>(combine),
        (FoldOp::Minimum, DType::F32) => {
            for_reads_of_f32!(read, R => of_floats::<Minimum<f32>, R>(combine))
        }
        (FoldOp::Minimum, DType::F64) => of_floats::<Minimum<f64>, AsIs>(combine),
        (FoldOp::Minimum, _) => {
            for_reals!(dtype, T => of::<Minimum<T>, AsIs>(combine, T::zeroed()))
        }
        (FoldOp::Maximum, DType::C64) => of_baseline::<Maximum<c64>>(combine),
        (FoldOp::Maximum, DType::C128) => of_baseline::<Maximum<c128>>(combine),
        (FoldOp::Maximum, DType::F32) => {
            for_reads_of_f32!(read, R => of_floats::<Maximum<f32>, R>(combine))
        }
        (FoldOp::Maximum, DType::F64) => of_floats::<Maximum<f64>, AsIs>(combine),
        (FoldOp::Maximum, _) => {
            for_reals!(dtype, T => of::<Maximum<T>, AsIs>(combine, T::zeroed()))
        }
        _ => return None,
    })
}

/// [`accumulator`] of elements that are read as they are. It is found once for each SIMD level: finding it takes longer than
/// reducing a small array.
pub(super) fn cached_accumulator(fold: FoldOp, dtype: DType) -> Option<&'static Accumulator> {
    type Cache =
        [[[OnceLock<Option<Accumulator>>; DType::ALL.len()]; FoldOp::COUNT]; SimdLevel::COUNT];
    static CACHE: Cache =
        [const { [const { [const { OnceLock::new() }; DType::ALL.len()] }; FoldOp::COUNT] };
            SimdLevel::COUNT];
    let found = &CACHE[simd::level().index()][fold.index()][dtype.index()];
    found
        .get_or_init(|| accumulator(fold, dtype, dtype))
        .as_ref()
}

/// Returns whether a reduction in `dtype` can read elements of dtype `from` directly from memory.
pub(super) fn reads(fold: FoldOp, dtype: DType, from: DType) -> bool {
    let widens_half = dtype == DType::F32 && matches!(from, DType::F16 | DType::BF16);
    let widens_single = matches!(
        (dtype, from),
        (DType::F64, DType::F32) | (DType::C128, DType::C64)
    );
    let widens_integer = match dtype {
        DType::I64 => matches!(from, DType::I8 | DType::I16 | DType::I32),
        DType::U64 => matches!(from, DType::U8 | DType::U16 | DType::U32 | DType::Bool),
        _ => false,
    };
    dtype == from && fold != FoldOp::CountNumbers
        || match fold {
            FoldOp::Add | FoldOp::Multiply => widens_half || widens_single || widens_integer,
            FoldOp::AddNumbers | FoldOp::MultiplyNumbers => widens_half || widens_single,
            FoldOp::Minimum | FoldOp::Maximum => widens_half,
            FoldOp::CountNumbers => matches!(from, DType::F32 | DType::F64 | DType::C128),
            _ => false,
        }
}

/// The smallest number of elements that is worth a thread: eight segments, each a few microseconds.
pub(super) const MIN_PER_THREAD: usize = 8 * SEGMENT;

impl Accumulator {
    pub(super) fn start(&self) -> PairwiseAccumulator<'_> {
        PairwiseAccumulator {
            accumulator: self,
            levels: [const { MaybeUninit::uninit() }; LEVELS],
            segments: 0,
        }
    }

    /// The loop that combines pairs of elements.
    pub(super) fn combine(&self) -> Kernel {
        self.combine
    }

    /// Joins the lanes of `len` blocks to elements, at least one: one for each block.
    ///
    /// # Safety
    /// `lanes` points to `len` vectors of [`HALF`] elements of the accumulator's dtype, which can be read and written, and
    /// `to` has room for as many elements.
    pub(super) unsafe fn join_blocks(&self, lanes: *mut u8, len: usize, to: *mut u8) {
        // SAFETY: the caller guarantees the vectors and room for the elements.
        unsafe { (self.join)(&lanes.cast_const(), to, len) }
    }

    /// Joins the elements of blocks, at least one, to the first one, in the order of a segment.
    ///
    /// # Safety
    /// `len` elements of the accumulator's dtype can be read and written.
    pub(super) unsafe fn join_elements(&self, elements: *mut u8, len: usize) {
        // SAFETY: the caller guarantees `len` elements.
        unsafe { (self.join_pairs)(elements, len) }
    }

    /// Joins `len` lanes, at least one and at most 32, to an element. Other lanes hold anything afterwards.
    ///
    /// # Safety
    /// `len` elements of the accumulator's dtype can be read and written at `lanes`, and one can be written to `to`.
    pub(super) unsafe fn join_lanes(&self, lanes: *mut u8, len: usize, to: *mut u8) {
        // SAFETY: the caller guarantees the elements.
        unsafe { (self.join_part)(lanes, len, to) }
    }

    /// Reduces `len` contiguous elements of `read_size` bytes to one.
    ///
    /// # Safety
    /// `len` elements of the dtype that the accumulator reads can be read at `items`, and an element of its own dtype
    /// can be written to `to`; both are aligned.
    pub(super) unsafe fn fold(&self, items: *const u8, read_size: usize, len: usize, to: *mut u8) {
        if len == 0 {
            // SAFETY: the caller guarantees room for an element, which has `size` bytes; `empty` has 16.
            return unsafe { to.copy_from_nonoverlapping(self.empty.0.as_ptr(), self.size) };
        }
        if len <= SEGMENT {
            // SAFETY: the caller guarantees `len` readable elements, at most `SEGMENT`, and room for one.
            return unsafe { (self.segment)(&items, to, len) };
        }
        let mut folding = self.start();
        let count = len.div_ceil(SEGMENT);
        // One result for each segment, if there is enough work for several threads. Without memory for the results
        // this thread reduces all segments.
        let segments = match len < 2 * MIN_PER_THREAD {
            true => None,
            false => vec_with_capacity(count).ok(),
        };
        let Some(mut segments) = segments else {
            for done in (0..len).step_by(SEGMENT) {
                // SAFETY: `done < len`, and at most `len - done` elements are read: the caller guarantees that they
                // can be.
                unsafe {
                    folding.add(
                        items.wrapping_add(done * read_size),
                        SEGMENT.min(len - done),
                    )
                };
            }
            // SAFETY: the caller guarantees room for an element at `to`.
            return unsafe { folding.finish(to) };
        };
        segments.resize(count, self.empty);
        let shared = SendPtr::new((items, segments.as_mut_ptr()));
        split(len, SEGMENT, MIN_PER_THREAD, |piece| {
            let (items, segments) = shared.get();
            for done in piece.clone().step_by(SEGMENT) {
                let len = SEGMENT.min(piece.end - done);
                let items = items.wrapping_add(done * read_size);
                // SAFETY: the caller guarantees `len` readable elements, of which each segment reads its own;
                // `segments` has `count` results, and each segment writes its own.
                unsafe { (self.segment)(&items, segments.add(done / SEGMENT).cast(), len) };
            }
        });
        for segment in segments {
            // SAFETY: each segment's result is an element of the accumulator's dtype.
            unsafe { folding.push(segment) };
        }
        // SAFETY: the caller guarantees room for an element at `to`.
        unsafe { folding.finish(to) };
    }
}

/// The number of levels: more than a count of segments has bits.
const LEVELS: usize = 64;

/// Combines the results of segments pairwise, like the digits of a binary counter: level `n` holds the result of
/// `2^n` segments. The number of blocks in a segment does not change the result, if it is a power of two and the same
/// for all segments but the last.
pub(super) struct PairwiseAccumulator<'a> {
    accumulator: &'a Accumulator,
    levels: [MaybeUninit<Element>; LEVELS],
    segments: usize,
}

impl PairwiseAccumulator<'_> {
    /// Adds a segment.
    ///
    /// # Safety
    /// `segment` points to `len` readable elements of the dtype that the accumulator reads, at least one and at most
    /// [`SEGMENT`].
    pub(super) unsafe fn add(&mut self, segment: *const u8, len: usize) {
        let mut element = Element::ZERO;
        // SAFETY: the caller guarantees `len` readable elements, at most `SEGMENT`; `element` has room for a result
        // of any dtype, and holds one when it is pushed.
        unsafe {
            (self.accumulator.segment)(&raw const segment, element.0.as_mut_ptr(), len);
            self.push(element);
        }
    }

    /// Adds the result of a segment.
    ///
    /// # Safety
    /// The element is of the accumulator's dtype.
    pub(super) unsafe fn push(&mut self, mut element: Element) {
        let mut full = 0;
        while self.segments >> full & 1 == 1 {
            // SAFETY: levels whose digit of `segments` is one hold elements; the caller guarantees that `element` is
            // one.
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

    /// Combines the element of a level with `right`, into `right`.
    ///
    /// # Safety
    /// The level holds an element of the accumulator's dtype, as does `right`.
    unsafe fn combine(&self, level: usize, right: &mut Element) {
        let to = right.0.as_mut_ptr();
        let pair = [self.levels[level].as_ptr().cast::<u8>(), to.cast_const()];
        // SAFETY: the caller guarantees that both hold elements of the dtype, which `combine` takes; its output may
        // be an input of the same size.
        unsafe { (self.accumulator.combine)(pair.as_ptr(), to, 1) };
    }

    /// Writes the result of all segments.
    ///
    /// # Safety
    /// An element of the accumulator's dtype can be written to `to`.
    pub(super) unsafe fn finish(&self, to: *mut u8) {
        let mut filled = (0..LEVELS).filter(|level| self.segments >> level & 1 == 1);
        let mut element = match filled.next() {
            // SAFETY: a level whose digit of `segments` is one holds an element.
            Some(level) => unsafe { self.levels[level].assume_init() },
            None => self.accumulator.empty,
        };
        for level in filled {
            // SAFETY: a level whose digit of `segments` is one holds an element, as does `element`.
            unsafe { self.combine(level, &mut element) };
        }
        // SAFETY: the caller guarantees room for an element, of `size` bytes.
        unsafe { to.copy_from_nonoverlapping(element.0.as_ptr(), self.accumulator.size) };
    }
}
