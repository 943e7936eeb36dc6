//! Folding strips into single elements, and rows into single rows.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use bytemuck::{Pod, Zeroable};
use num_complex::Complex;

use super::arithmetic::{Float, Order, complex_less, complex_mul};
use super::binary::{self, BinaryOp};
use super::isa::{self, Isa};
use super::lanes::{
    Body, Kernel, LANES, each_chunk, for_baseline, for_level, for_types, lanes, load, load_part,
    map2, opaque, settled, store, store_part,
};
use super::parallel::{Shared, split};
use super::reduce::{ArgOp, ReduceOp};
use super::strip::STRIP;
use crate::dtype::cast::bf16_to_f32;
use crate::dtype::{DType, c64, c128};

/// An associative operation, but for rounding.
trait Fold: 'static {
    type Item: Pod;
    /// Whether every order gives the same (but for which NaN it is).
    const ANY_ORDER: bool;
    fn combine(a: Self::Item, b: Self::Item) -> Self::Item;
}

struct Sum<T>(PhantomData<T>);
struct Product<T>(PhantomData<T>);
struct Least<T>(PhantomData<T>);
struct Most<T>(PhantomData<T>);
struct Any;
struct All;

macro_rules! folds {
    ($($fold:ty, $item:ty, $any_order:literal, $combine:expr;)*) => {$(
        impl Fold for $fold {
            type Item = $item;
            const ANY_ORDER: bool = $any_order;
            #[inline(always)]
            fn combine(a: $item, b: $item) -> $item {
                $combine(a, b)
            }
        }
    )*};
}

folds! {
    Any, u8, true, |a, b| a | b;
    All, u8, true, |a, b| a & b;
    Sum<u64>, u64, true, u64::wrapping_add;
    Sum<f32>, f32, false, |a, b| a + b;
    Sum<f64>, f64, false, |a, b| a + b;
    Sum<c128>, c128, false, |a: c128, b: c128| c128::new(a.re + b.re, a.im + b.im);
    Product<u64>, u64, true, u64::wrapping_mul;
    Product<f32>, f32, false, |a, b| a * b;
    Product<f64>, f64, false, |a, b| a * b;
    Product<c128>, c128, false, complex_mul;
}

impl<T: Order + Pod> Fold for Least<T> {
    type Item = T;
    const ANY_ORDER: bool = T::IDENTICAL;
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        a.least(b)
    }
}

impl<T: Order + Pod> Fold for Most<T> {
    type Item = T;
    const ANY_ORDER: bool = T::IDENTICAL;
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        a.most(b)
    }
}

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
macro_rules! for_carriers {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype, $T in [DType::C64 => c64, DType::C128 => c128] => $body, _ => for_reals!($dtype, $T => $body))
    };
}

/// How elements are read that are folded: as they are, or widened in registers.
trait Read<T>: 'static {
    type From: Pod;
    /// # Safety
    /// The processor has the instruction set.
    unsafe fn widened<I: Isa>(chunk: [Self::From; LANES]) -> [T; LANES];
}

struct AsIs;
struct FromF16;
struct FromBf16;
struct FromF32;

macro_rules! reads {
    ($($read:ident $(<$T:ident>)?: $from:ty => $to:ty, $Isa:ident $chunk:ident => $widened:expr;)*) => {$(
        impl $(<$T: Pod>)? Read<$to> for $read {
            type From = $from;
            #[inline(always)]
            unsafe fn widened<$Isa: Isa>($chunk: [$from; LANES]) -> [$to; LANES] {
                $widened
            }
        }
    )*};
}

reads! {
    AsIs<T>: T => T, I chunk => chunk;
    // SAFETY: the caller's.
    FromF16: u16 => f32, I chunk => unsafe { I::decode_f16(chunk) };
    FromBf16: u16 => f32, I chunk => lanes(|lane| bf16_to_f32(chunk[lane]));
    FromF32: f32 => f64, I chunk => lanes(|lane| f64::from(chunk[lane]));
}

/// Strips that one call folds at most.
const STRIPS: usize = 64;
/// Elements that one call folds at most; whole strips as a power of two.
const BLOCK: usize = STRIPS * STRIP;

/// Bytes of a row that are combined while as many are asked for. (More at once come too late: 1.2 times as long with 4096.)
const PIECE: usize = 1 << 9;

/// How many bytes ahead elements are asked for: processors guess too little, or too late. (16 million `f32` or `f16`: 0.4
/// and 0.7 of the time.)
const AHEAD: usize = 1 << 13;

/// Folds at most [`BLOCK`] elements into one.
struct Block<O, R>(PhantomData<(O, R)>);

impl<O: Fold, R: Read<O::Item>> Body for Block<O, R> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        if const { O::ANY_ORDER } {
            // As one strip: for fewer instructions, which all have to be compiled.
            // SAFETY: the caller's.
            return unsafe {
                let folded = fold_strip::<O, R, I>((*inputs).cast(), len);
                output.cast::<O::Item>().write(folded);
            };
        }
        let mut room = [MaybeUninit::<O::Item>::uninit(); STRIPS];
        let strips = room.as_mut_ptr().cast::<O::Item>();
        // SAFETY: the caller's: `len` elements can be read and one can be written; there are no more
        // strips than there is room for.
        unsafe {
            let items = (*inputs).cast::<R::From>();
            let mut count = 0;
            let mut done = 0;
            while done < len {
                let strip = fold_strip::<O, R, I>(items.add(done), STRIP.min(len - done));
                strips.add(count).write(strip);
                count += 1;
                done += STRIP;
            }
            fold_strips::<O>(strips, count);
            output.cast::<O::Item>().write(strips.read());
        }
    }
}

/// Strips pairwise, until the first is what all of them gave. (By itself, as [`fold_few`], since it is as fast on any
/// instruction set.)
///
/// # Safety
/// There are `count` strips, at least one.
#[inline(never)]
unsafe fn fold_strips<O: Fold>(strips: *mut O::Item, mut count: usize) {
    while count > 1 {
        // SAFETY: the caller's.
        unsafe {
            for at in 0..count / 2 {
                let pair = strips.add(2 * at);
                let folded = O::combine(pair.read(), pair.add(1).read());
                strips.add(at).write(folded);
            }
            if count % 2 == 1 {
                strips.add(count / 2).write(strips.add(count - 1).read());
            }
        }
        count = count.div_ceil(2);
    }
}

/// The lower half of the lanes with the upper half, until one is left.
#[inline(always)]
fn fold_lanes<O: Fold>(all: [O::Item; LANES]) -> O::Item {
    #[inline(always)]
    fn halved<O: Fold, const HALF: usize>(all: &[O::Item]) -> [O::Item; HALF] {
        lanes(|lane| O::combine(all[lane], all[lane + HALF]))
    }
    let all = halved::<O, 16>(&all);
    let all = halved::<O, 8>(&all);
    let all = halved::<O, 4>(&all);
    let all = halved::<O, 2>(&all);
    halved::<O, 1>(&all)[0]
}

/// [`fold_lanes`] one by one, and of the first lanes only: those that no element reached take no part, for no element is
/// neutral in all cases.
#[inline(never)]
fn fold_few<O: Fold>(all: &mut [O::Item; LANES], mut filled: usize) -> O::Item {
    let mut half = LANES / 2;
    while half > 0 {
        let mut lane = half;
        while lane < filled {
            all[lane - half] = O::combine(all[lane - half], all[lane]);
            lane = opaque(lane + 1);
        }
        filled = filled.min(half);
        half /= 2;
    }
    all[0]
}

/// Folds elements, at least one, in the order of a strip.
///
/// # Safety
/// `len` elements can be read; the processor has the instruction set.
#[inline(always)]
unsafe fn fold_strip<O: Fold, R: Read<O::Item>, I: Isa>(
    items: *const R::From,
    len: usize,
) -> O::Item {
    // SAFETY: the caller's.
    unsafe {
        if len < LANES {
            let mut few = R::widened::<I>(load_part(items, len));
            return fold_few::<O>(&mut few, len);
        }
        let mut folded = R::widened::<I>(load(items));
        let mut done = LANES;
        while len - done >= LANES {
            let ahead = items.wrapping_add(done).cast::<u8>().wrapping_add(AHEAD);
            isa::prefetch_all(ahead, size_of::<[R::From; LANES]>());
            let chunk = R::widened::<I>(load(items.add(done)));
            folded = lanes(|lane| O::combine(folded[lane], chunk[lane]));
            done = opaque(done + LANES);
        }
        let rest = len - done;
        if rest > 0 {
            let chunk = R::widened::<I>(load_part(items.add(done), rest));
            folded = lanes(|lane| match lane < rest {
                true => O::combine(folded[lane], chunk[lane]),
                false => folded[lane],
            });
        }
        let mut folded = settled(folded);
        if const { O::ANY_ORDER } {
            fold_few::<O>(&mut folded, LANES)
        } else {
            fold_lanes::<O>(folded)
        }
    }
}

/// Combines a row that is widened with what others gave, or begins with it.
///
/// Inputs are what others gave, or null; the row; and the row that is asked for meanwhile, as [`Accumulator::add_row`] does.
struct Row<O, R>(PhantomData<(O, R)>);

impl<O: Fold, R: Read<O::Item>> Body for Row<O, R> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's: rows of `len` elements, and room for as many.
        unsafe {
            let before = (*inputs).cast::<O::Item>();
            let row = (*inputs.add(1)).cast::<R::From>();
            let ahead = (*inputs.add(2)).cast::<R::From>();
            let output = output.cast::<O::Item>();
            let mut done = 0;
            while len - done >= LANES {
                isa::prefetch_all(
                    ahead.wrapping_add(done).cast(),
                    size_of::<[R::From; LANES]>(),
                );
                let mut chunk = R::widened::<I>(load(row.add(done)));
                if !before.is_null() {
                    let before: [_; LANES] = load(before.add(done));
                    chunk = lanes(|lane| O::combine(before[lane], chunk[lane]));
                }
                store(output.add(done), chunk);
                done = opaque(done + LANES);
            }
            if done < len {
                let left = len - done;
                let mut chunk = R::widened::<I>(load_part(row.add(done), left));
                if !before.is_null() {
                    let before = load_part(before.add(done), left);
                    chunk = lanes(|lane| O::combine(before[lane], chunk[lane]));
                }
                store_part(output.add(done), &chunk, left);
            }
        }
    }
}

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
    /// At most [`BLOCK`] elements into one.
    block: Kernel,
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
    fn new<O: Fold>(block: Kernel, combine: Kernel, empty: O::Item) -> Self {
        Self {
            block,
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
    Accumulator::new::<O>(for_level::<Block<O, AsIs>>(), combine, empty)
}

/// The same, by a loop that is compiled once: complex extremes would hardly be faster as vectors.
fn of_baseline<O: Fold>(combine: Kernel, empty: O::Item) -> Accumulator
where
    AsIs: Read<O::Item>,
{
    Accumulator::new::<O>(for_baseline::<Block<O, AsIs>>(), combine, empty)
}

/// Elements that are widened as they are read.
fn of_widened<O: Fold, R: Read<O::Item>>(combine: Kernel, _: R, empty: O::Item) -> Accumulator {
    Accumulator {
        row: Some(for_level::<Row<O, R>>()),
        ..Accumulator::new::<O>(for_level::<Block<O, R>>(), combine, empty)
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
        (ReduceOp::Min, DType::C64) => of_baseline::<Least<c64>>(combine, Complex::ZERO),
        (ReduceOp::Min, DType::C128) => of_baseline::<Least<c128>>(combine, Complex::ZERO),
        (ReduceOp::Min, _) => for_reals!(dtype, T => of::<Least<T>>(combine, T::zeroed())),
        (ReduceOp::Max, DType::C64) => of_baseline::<Most<c64>>(combine, Complex::ZERO),
        (ReduceOp::Max, DType::C128) => of_baseline::<Most<c128>>(combine, Complex::ZERO),
        (ReduceOp::Max, _) => for_reals!(dtype, T => of::<Most<T>>(combine, T::zeroed())),
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

/// A block takes a few microseconds; fewer elements are not worth a thread.
pub(super) const FEWEST: usize = 8 * BLOCK;

impl Accumulator {
    /// How many elements are folded side by side at most.
    pub(super) fn widest(&self) -> usize {
        SIDE_BY_SIDE / self.size
    }

    /// Combines a row with what others gave, or begins with it if that is null.
    ///
    /// The row that is wanted after the next one, if known, is asked for meanwhile: rows lie far apart, and processors guess only
    /// what lies close by. (4096 rows of as many `f32`: 1.1 times as long as to read them, and 3 times if nothing is
    /// asked for.)
    ///
    /// # Safety
    /// There are `len` elements to read in each, of the row those of the dtype that is read, and as many of the
    /// accumulator's dtype can be written. What others gave may lie there.
    unsafe fn add_row(
        &self,
        before: *const u8,
        row: *const u8,
        ahead: Option<*const u8>,
        to: *mut u8,
        len: usize,
    ) {
        if let Some(kernel) = self.row {
            let ahead = ahead.unwrap_or(row);
            // SAFETY: the caller's.
            return unsafe { kernel([before, row, ahead].as_ptr(), to, len) };
        }
        let piece = match ahead {
            Some(_) => PIECE / self.size,
            None => len.max(1),
        };
        for done in (0..len).step_by(piece) {
            let (count, offset) = (piece.min(len - done), done * self.size);
            if let Some(ahead) = ahead {
                isa::prefetch_all(ahead.wrapping_add(offset), count * self.size);
            }
            let (row, to) = (row.wrapping_add(offset), to.wrapping_add(offset));
            // SAFETY: the caller's; the piece is within the row.
            unsafe {
                if before.is_null() {
                    to.copy_from_nonoverlapping(row, count * self.size);
                } else {
                    let pair = [before.wrapping_add(offset), row];
                    (self.combine)(pair.as_ptr(), to, count);
                }
            }
        }
    }

    pub(super) fn start(&self) -> Folding<'_> {
        Folding {
            accumulator: self,
            levels: [const { MaybeUninit::uninit() }; LEVELS],
            blocks: 0,
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
        if len <= BLOCK {
            // SAFETY: the caller's.
            return unsafe { (self.block)(&items, to, len) };
        }
        let mut folding = self.start();
        if len < 2 * FEWEST {
            for done in (0..len).step_by(BLOCK) {
                // SAFETY: the caller's.
                unsafe { folding.add(items.wrapping_add(done * read_size), BLOCK.min(len - done)) };
            }
        } else {
            let mut blocks = vec![self.empty; len.div_ceil(BLOCK)];
            let shared = Shared::new((items, blocks.as_mut_ptr()));
            split(len, BLOCK, FEWEST, |piece| {
                let (items, blocks) = shared.get();
                for done in piece.clone().step_by(BLOCK) {
                    let len = BLOCK.min(piece.end - done);
                    let items = items.wrapping_add(done * read_size);
                    // SAFETY: the caller's; each block has an element of its own.
                    unsafe { (self.block)(&items, blocks.add(done / BLOCK).cast(), len) };
                }
            });
            for block in blocks {
                // SAFETY: the blocks' elements are of the dtype.
                unsafe { folding.push(block) };
            }
        }
        // SAFETY: the caller's.
        unsafe { folding.finish(to) };
    }
}

/// More than there can be blocks to count.
const LEVELS: usize = 64;

/// Blocks combined pairwise, like the digits of a binary counter: level `n` holds what `2^n` blocks
/// gave. A block is as many strips as is convenient, if it is a power of two and the same for all but
/// the last.
pub(super) struct Folding<'a> {
    accumulator: &'a Accumulator,
    levels: [MaybeUninit<Element>; LEVELS],
    blocks: usize,
}

impl Folding<'_> {
    /// # Safety
    /// The block holds `len` elements of the dtype that is read, at least one and at most [`BLOCK`].
    pub(super) unsafe fn add(&mut self, block: *const u8, len: usize) {
        let mut element = Element::ZERO;
        // SAFETY: the caller's; there is room for one element.
        unsafe {
            (self.accumulator.block)(&raw const block, element.0.as_mut_ptr(), len);
            self.push(element);
        }
    }

    /// # Safety
    /// The element is of the accumulator's dtype.
    unsafe fn push(&mut self, mut element: Element) {
        let mut full = 0;
        while self.blocks >> full & 1 == 1 {
            // SAFETY: levels below the lowest zero digit hold elements.
            unsafe { self.combine(full, &mut element) };
            full += 1;
        }
        self.levels[full].write(element);
        self.blocks += 1;
    }

    /// Forgets all blocks.
    pub(super) fn restart(&mut self) {
        self.blocks = 0;
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
        let mut filled = (0..LEVELS).filter(|level| self.blocks >> level & 1 == 1);
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

/// Bytes of what is folded side by side: half of an L1 cache, or less.
const SIDE_BY_SIDE: usize = 1 << 14;

/// Room for what is folded side by side.
#[repr(C, align(64))]
struct Level([u8; SIDE_BY_SIDE]);

/// Rows folded into one, column by column in the order in which [`Folding`] folds the elements of a
/// column: whole rows take the part of elements.
pub(super) struct RowFolding<'a> {
    accumulator: &'a Accumulator,
    /// What the right branches give, by depth.
    levels: Box<[MaybeUninit<Level>]>,
}

/// Rows to fold: `row` gives `len` elements of the dtype that is read.
pub(super) struct RowsOf<'a> {
    pub(super) count: usize,
    pub(super) len: usize,
    pub(super) row: &'a mut dyn FnMut(usize) -> *const u8,
    /// Whether what `row` gave is still there when it is called again.
    pub(super) stays: bool,
}

/// Every `step`th of some rows.
#[derive(Clone, Copy)]
struct Part {
    start: usize,
    end: usize,
    step: usize,
}

impl Part {
    /// What is folded by itself and then combined; `None` for what is folded one by one.
    fn halves(self) -> Option<(Self, Self)> {
        let Self { start, end, step } = self;
        let strips = (end - start).div_ceil(STRIP);
        if strips > 1 && step == 1 {
            let middle = start + strips.next_power_of_two() / 2 * STRIP;
            let left = Self {
                end: middle,
                ..self
            };
            let right = Self {
                start: middle,
                ..self
            };
            return Some((left, right));
        }
        // Lanes that are combined first lie farthest apart.
        let left = Self {
            step: 2 * step,
            ..self
        };
        let right = Self {
            start: start + step,
            ..left
        };
        (step < LANES && right.start < end).then_some((left, right))
    }
}

impl<'a> RowFolding<'a> {
    /// For `count` rows at most.
    pub(super) fn new(accumulator: &'a Accumulator, count: usize) -> Self {
        // Halves down to single strips, and these to single lanes.
        let lanes = count.div_ceil(STRIP).next_power_of_two() * LANES;
        let levels = (0..usize::BITS)
            .take_while(|level| lanes >> level > 1)
            .count();
        Self {
            accumulator,
            levels: Box::new_uninit_slice(levels),
        }
    }

    /// Folds rows into one. There is at least one.
    ///
    /// # Safety
    /// There are no more rows than [`Self::new`] was told, and no longer ones than
    /// [`Accumulator::widest`]. They can be read, and as many elements of the accumulator's dtype as
    /// each has can be written.
    pub(super) unsafe fn fold(&mut self, rows: &mut RowsOf<'_>, to: *mut u8) {
        debug_assert!(rows.len <= self.accumulator.widest(), "room in the levels");
        let all = Part {
            start: 0,
            end: rows.count,
            step: 1,
        };
        // SAFETY: the caller's.
        unsafe { self.fold_part(all, 0, rows.count, rows, to) }
    }

    /// Row `next` is the first that is read after these.
    ///
    /// # Safety
    /// That of [`Self::fold`]; the levels from `depth` on are free.
    unsafe fn fold_part(
        &mut self,
        part: Part,
        depth: usize,
        next: usize,
        rows: &mut RowsOf<'_>,
        to: *mut u8,
    ) {
        if let Some((left, right)) = part.halves() {
            // SAFETY: the caller's.
            unsafe { self.fold_part(left, depth, right.start, rows, to) };
            let other = self.levels[depth].as_mut_ptr().cast::<u8>();
            // SAFETY: the caller's; a level has room for a row, and deeper ones are free.
            unsafe {
                self.fold_part(right, depth + 1, next, rows, other);
                (self.accumulator.combine)([to.cast_const(), other].as_ptr(), to, rows.len);
            }
            return;
        }
        let mut before: *const u8 = core::ptr::null();
        for at in (part.start..part.end).step_by(part.step) {
            let row = (rows.row)(at);
            let mut ahead = at + 2 * part.step;
            if ahead >= part.end {
                ahead = next + (ahead - part.end) / part.step * part.step;
            }
            let ahead = (rows.stays && ahead < rows.count).then(|| (rows.row)(ahead));
            let is_only = part.start + part.step >= part.end;
            if before.is_null() && rows.stays && !is_only && self.accumulator.row.is_none() {
                // The first is combined with the second from where it lies.
                if let Some(ahead) = ahead {
                    isa::prefetch_all(ahead, rows.len * self.accumulator.size);
                }
                before = row;
                continue;
            }
            // SAFETY: the caller's; what `before` points to is still there.
            unsafe { self.accumulator.add_row(before, row, ahead, to, rows.len) };
            before = to.cast_const();
        }
    }
}

struct Distance<T>(PhantomData<T>);

impl<T: Float> Body for Distance<T> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's; the second input is a single element.
        unsafe {
            let mean = (*inputs.add(1)).cast::<T>().read();
            each_chunk((*inputs).cast::<T>(), output, len, |x| {
                lanes(|lane| {
                    let distance = x[lane] - mean;
                    distance * distance
                })
            });
        }
    }
}

struct ComplexDistance;

impl Body for ComplexDistance {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's; the second input is a single element.
        unsafe {
            let mean = (*inputs.add(1)).cast::<c128>().read();
            each_chunk((*inputs).cast::<c128>(), output, len, |z| {
                lanes(|lane| {
                    let (re, im) = (z[lane].re - mean.re, z[lane].im - mean.im);
                    re * re + im * im
                })
            });
        }
    }
}

/// The loop from elements and a single mean to the squares of their distances.
pub(super) fn squared_distance(dtype: DType) -> Kernel {
    match dtype {
        DType::F32 => for_level::<Distance<f32>>(),
        DType::F64 => for_level::<Distance<f64>>(),
        _ => for_level::<ComplexDistance>(),
    }
}

/// The loop from elements and as many means to the squares of their distances.
pub(super) fn squared_distances(dtype: DType) -> Kernel {
    match dtype {
        DType::F32 => map2(|x: f32, mean: f32| (x - mean) * (x - mean)),
        DType::F64 => map2(|x: f64, mean: f64| (x - mean) * (x - mean)),
        _ => map2(|z: c128, mean: c128| {
            let (re, im) = (z.re - mean.re, z.im - mean.im);
            re * re + im * im
        }),
    }
}

/// Where the first extreme among strips is.
pub(super) struct Search {
    add: unsafe fn(&mut Self, *const u8, usize),
    best: Element,
    position: i64,
    seen: i64,
}

impl Search {
    pub(super) fn new(op: ArgOp, dtype: DType) -> Self {
        Self {
            add: match op {
                ArgOp::Min => for_carriers!(dtype, T => Self::add_items::<T, false>),
                ArgOp::Max => for_carriers!(dtype, T => Self::add_items::<T, true>),
            },
            best: Element::ZERO,
            position: 0,
            seen: 0,
        }
    }

    /// # Safety
    /// The strip holds `len` elements of the dtype.
    pub(super) unsafe fn add(&mut self, strip: *const u8, len: usize) {
        // SAFETY: the caller's.
        unsafe { (self.add)(self, strip, len) }
    }

    pub(super) fn position(&self) -> i64 {
        self.position
    }

    unsafe fn add_items<T: Extreme, const MOST: bool>(&mut self, strip: *const u8, len: usize) {
        if len == 0 {
            return;
        }
        let best = (&raw mut self.best).cast::<T>();
        let items = strip.cast::<T>();
        for at in 0..len {
            // SAFETY: the caller's: the strip holds `len` elements.
            let item = unsafe { items.add(at).read() };
            // SAFETY: any element has room in `best`, which holds one once one was seen.
            let found = self.seen == 0
                || unsafe {
                    let best = best.read();
                    if MOST {
                        item.is_more(best)
                    } else {
                        item.is_less(best)
                    }
                };
            if found {
                // SAFETY: any element has room in `best`.
                unsafe { best.write(item) };
                self.position = self.seen;
            }
            self.seen += 1;
        }
    }
}

/// More extreme than another, a NaN most of all.
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
