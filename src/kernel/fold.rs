//! Folding strips into single elements, and rows into single rows.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use bytemuck::Zeroable;
use num_complex::Complex;

use super::arithmetic::{Float, Order, complex_less, complex_mul};
use super::isa::Isa;
use super::lanes::{
    Body, Kernel, LANES, each_chunk, each2, for_level, for_types, lanes, load, map2, opaque,
};
use super::reduce::{ArgOp, ReduceOp};
use super::strip::{STRIP, Strip as Room};
use crate::dtype::{DType, c64, c128};

/// An associative operation, but for rounding.
trait Fold: 'static {
    type Item: Copy + Zeroable;
    fn combine(a: Self::Item, b: Self::Item) -> Self::Item;
}

struct Sum<T>(PhantomData<T>);
struct Product<T>(PhantomData<T>);
struct Least<T>(PhantomData<T>);
struct Most<T>(PhantomData<T>);
struct Any;
struct All;

macro_rules! folds {
    ($($fold:ty, $item:ty, $combine:expr;)*) => {$(
        impl Fold for $fold {
            type Item = $item;
            #[inline(always)]
            fn combine(a: $item, b: $item) -> $item {
                $combine(a, b)
            }
        }
    )*};
}

folds! {
    Any, u8, |a, b| a | b;
    All, u8, |a, b| a & b;
    Sum<u64>, u64, u64::wrapping_add;
    Sum<f32>, f32, |a, b| a + b;
    Sum<f64>, f64, |a, b| a + b;
    Sum<c128>, c128, |a: c128, b: c128| c128::new(a.re + b.re, a.im + b.im);
    Product<u64>, u64, u64::wrapping_mul;
    Product<f32>, f32, |a, b| a * b;
    Product<f64>, f64, |a, b| a * b;
    Product<c128>, c128, complex_mul;
}

impl<T: Order + Zeroable + 'static> Fold for Least<T> {
    type Item = T;
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        a.least(b)
    }
}

impl<T: Order + Zeroable + 'static> Fold for Most<T> {
    type Item = T;
    #[inline(always)]
    fn combine(a: T, b: T) -> T {
        a.most(b)
    }
}

/// `$body` with `$T` the element of a dtype that computes as it is.
macro_rules! for_carriers {
    ($dtype:expr, $T:ident => $body:expr) => {
        for_types!($dtype, $T in [
            DType::Bool | DType::U8 => u8, DType::U16 => u16, DType::U32 => u32, DType::U64 => u64,
            DType::I8 => i8, DType::I16 => i16, DType::I32 => i32, DType::I64 => i64,
            DType::F64 => f64, DType::C64 => c64, DType::C128 => c128,
        ] => $body, _ => { type $T = f32; $body })
    };
}

struct Strip<O>(PhantomData<O>);

impl<O: Fold> Body for Strip<O> {
    #[inline(always)]
    unsafe fn run<I: Isa>(inputs: *const *const u8, output: *mut u8, len: usize) {
        // SAFETY: the caller's: `len` elements can be read and one can be written.
        unsafe {
            let items = (*inputs).cast::<O::Item>();
            let mut folded = [O::Item::zeroed(); LANES];
            // Lanes that no element reaches take no part, for no element is neutral in all cases.
            let mut filled = len.min(LANES);
            if len >= LANES {
                folded = load(items);
                let mut done = LANES;
                while len - done >= LANES {
                    let chunk: [_; LANES] = load(items.add(done));
                    folded = lanes(|lane| O::combine(folded[lane], chunk[lane]));
                    done = opaque(done + LANES);
                }
                for (lane, sum) in folded.iter_mut().enumerate().take(len - done) {
                    *sum = O::combine(*sum, items.add(done + lane).read());
                }
            } else {
                items.copy_to_nonoverlapping(folded.as_mut_ptr(), len);
            }
            let mut width = LANES / 2;
            while width > 0 {
                for lane in 0..filled.saturating_sub(width).min(width) {
                    folded[lane] = O::combine(folded[lane], folded[lane + width]);
                }
                filled = filled.min(width);
                width /= 2;
            }
            output.cast::<O::Item>().write(folded[0]);
        }
    }
}

/// Room for an element of any dtype.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub(super) struct Element([u8; 16]);

/// How to fold elements of one dtype.
#[derive(Clone, Copy)]
pub(super) struct Accumulator {
    /// A strip into one element.
    strip: Kernel,
    /// Pairs of elements.
    combine: Kernel,
    /// Pairs of rows.
    combine_rows: Kernel,
    /// What no elements give; extremes of nothing are refused before.
    empty: Element,
    /// The size of an element in bytes.
    size: usize,
}

fn of<O: Fold>(empty: O::Item) -> Accumulator {
    let mut element = Element([0; 16]);
    assert!(
        size_of::<O::Item>() <= size_of::<Element>(),
        "room for any element"
    );
    // SAFETY: the element is no larger and no more aligned.
    unsafe { (&raw mut element).cast::<O::Item>().write(empty) };
    Accumulator {
        strip: for_level::<Strip<O>>(),
        combine: each2(|a: O::Item, b: O::Item| O::combine(a, b)),
        combine_rows: map2(|a: O::Item, b: O::Item| O::combine(a, b)),
        empty: element,
        size: size_of::<O::Item>(),
    }
}

/// How to fold elements of a dtype; booleans are summed as or, multiplied as and.
pub(super) fn accumulator(op: ReduceOp, dtype: DType) -> Option<Accumulator> {
    Some(match (op, dtype) {
        (ReduceOp::Any | ReduceOp::Sum | ReduceOp::Max, DType::Bool) => of::<Any>(0),
        (ReduceOp::All | ReduceOp::Prod | ReduceOp::Min, DType::Bool) => of::<All>(1),
        (ReduceOp::Sum, DType::U64 | DType::I64) => of::<Sum<u64>>(0),
        (ReduceOp::Sum, DType::F32) => of::<Sum<f32>>(0.0),
        (ReduceOp::Sum, DType::F64) => of::<Sum<f64>>(0.0),
        (ReduceOp::Sum, DType::C128) => of::<Sum<c128>>(Complex::ZERO),
        (ReduceOp::Prod, DType::U64 | DType::I64) => of::<Product<u64>>(1),
        (ReduceOp::Prod, DType::F32) => of::<Product<f32>>(1.0),
        (ReduceOp::Prod, DType::F64) => of::<Product<f64>>(1.0),
        (ReduceOp::Prod, DType::C128) => of::<Product<c128>>(Complex::ONE),
        (ReduceOp::Min, _) => for_carriers!(dtype, T => of::<Least<T>>(T::zeroed())),
        (ReduceOp::Max, _) => for_carriers!(dtype, T => of::<Most<T>>(T::zeroed())),
        _ => return None,
    })
}

impl Accumulator {
    pub(super) fn start(&self) -> Folding<'_> {
        Folding {
            accumulator: self,
            levels: [const { MaybeUninit::uninit() }; LEVELS],
            strips: 0,
        }
    }
}

/// More than there can be strips to count.
const LEVELS: usize = 64;

/// Strips combined pairwise, like the digits of a binary counter: level `n` holds what `2^n` strips
/// gave.
pub(super) struct Folding<'a> {
    accumulator: &'a Accumulator,
    levels: [MaybeUninit<Element>; LEVELS],
    strips: usize,
}

impl Folding<'_> {
    /// # Safety
    /// The strip holds `len` elements of the accumulator's dtype.
    pub(super) unsafe fn add(&mut self, strip: *const u8, len: usize) {
        let mut element = Element([0; 16]);
        // SAFETY: the caller's; there is room for one element.
        unsafe { (self.accumulator.strip)(&raw const strip, element.0.as_mut_ptr(), len) };
        let mut full = 0;
        while self.strips >> full & 1 == 1 {
            // SAFETY: levels below the lowest zero digit hold elements.
            unsafe { self.combine(full, &mut element) };
            full += 1;
        }
        self.levels[full].write(element);
        self.strips += 1;
    }

    /// Forgets all strips.
    pub(super) fn restart(&mut self) {
        self.strips = 0;
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
        let mut filled = (0..LEVELS).filter(|level| self.strips >> level & 1 == 1);
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

/// Rows folded into one, column by column in the order in which [`Folding`] folds the elements of a
/// column: whole rows take the part of elements.
pub(super) struct RowFolding<'a> {
    accumulator: &'a Accumulator,
    /// What the right branches give, by depth.
    levels: Vec<Room>,
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
            return Some((
                Self {
                    end: middle,
                    ..self
                },
                Self {
                    start: middle,
                    ..self
                },
            ));
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
        let depth = usize::BITS - count.leading_zeros();
        Self {
            accumulator,
            levels: (0..=depth).map(|_| Room::empty()).collect(),
        }
    }

    /// Folds rows into one. There is at least one.
    ///
    /// # Safety
    /// There are no more rows than [`Self::new`] was told. `row` gives `len` elements of the accumulator's
    /// dtype, at most a strip, and as many can be written.
    pub(super) unsafe fn fold(
        &mut self,
        count: usize,
        len: usize,
        row: &mut dyn FnMut(usize) -> *const u8,
        to: *mut u8,
    ) {
        let all = Part {
            start: 0,
            end: count,
            step: 1,
        };
        // SAFETY: the caller's.
        unsafe { self.fold_part(all, 0, len, row, to) }
    }

    /// # Safety
    /// That of [`Self::fold`]; the levels from `depth` on are free.
    unsafe fn fold_part(
        &mut self,
        part: Part,
        depth: usize,
        len: usize,
        row: &mut dyn FnMut(usize) -> *const u8,
        to: *mut u8,
    ) {
        let combine = self.accumulator.combine_rows;
        if let Some((left, right)) = part.halves() {
            // SAFETY: the caller's.
            unsafe { self.fold_part(left, depth, len, row, to) };
            let other = self.levels[depth].pointer();
            // SAFETY: the caller's; a level has room for a strip, and deeper ones are free.
            unsafe {
                self.fold_part(right, depth + 1, len, row, other);
                combine([to.cast_const(), other].as_ptr(), to, len);
            }
            return;
        }
        // SAFETY: the caller's.
        unsafe {
            to.copy_from_nonoverlapping(row(part.start), len * self.accumulator.size);
            for at in (part.start + part.step..part.end).step_by(part.step) {
                combine([to.cast_const(), row(at)].as_ptr(), to, len);
            }
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
            best: Element([0; 16]),
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
