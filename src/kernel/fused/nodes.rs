//! Nodes of expressions: inputs, constants, operations, and calls of a user's functions.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::operations::{self, BinaryOperation, Comparison, UnaryOperation};
use super::{DTypes, Extent, Extents, LoopContext, LoopRows, Node, Pack, PackBuffer, for_packs};
use crate::dtype::compute::{BoolByte, ComputeType};
use crate::dtype::format::{Format, is_exact};
use crate::dtype::{DType, Element};
use crate::kernel::binary::op::Check;
use crate::simd::Isa;
use crate::simd::{LANES, black_box_usize, lanes, load, store};

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

/// The constants and the stage of nodes that stage their operands' nodes only, not themselves.
macro_rules! operands {
    (rows $($number:tt $Operand:ident),+) => {
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

/// An input's elements.
#[derive(Clone, Copy)]
pub struct Input<const NUMBER: usize, T>(PhantomData<fn() -> T>);

impl<const NUMBER: usize, T> Input<NUMBER, T> {
    pub const NEW: Self = Self(PhantomData);
}

impl<const NUMBER: usize, T: Element> Node for Input<NUMBER, T> {
    type Format = T;
    const COST: usize = 1;
    const CALLS: bool = false;
    const CAN_FAIL: bool = false;
    leaf!();
    /// The copies of the element that the current row repeats, if it does.
    type Stage = Copies<T::Stored>;

    #[inline]
    fn fits(inputs: &DTypes, _: &DTypes) -> bool {
        inputs.get(NUMBER) == Some(&Some(T::DTYPE))
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(&self, from: &LoopContext, _: *const Self::Stage, at: usize) -> Pack<T> {
        let at = at & from.masks[NUMBER];
        // SAFETY: the caller guarantees that input `NUMBER` has elements of `T` (`fits`), of which 32 can be read
        // from `at` on; if it repeats an element, `at` is zero and the pack of copies can be read.
        unsafe { T::load::<I>(from.inputs[NUMBER].cast::<T::Stored>().add(at)) }
    }

    #[inline(always)]
    unsafe fn start_row(
        &self,
        to: &mut LoopContext,
        stage: *mut Self::Stage,
        rows: &LoopRows<'_>,
        row: usize,
    ) {
        let first = rows.inputs[NUMBER].wrapping_offset(row.cast_signed() * rows.steps[NUMBER]);
        (to.inputs[NUMBER], to.masks[NUMBER]) = (first, usize::MAX);
        if rows.repeats >> NUMBER & 1 == 1 {
            // SAFETY: the caller guarantees that the row's element can be read, and `stage` written.
            unsafe { (&raw mut (*stage).0).write([first.cast::<T::Stored>().read(); LANES]) };
            (to.inputs[NUMBER], to.masks[NUMBER]) = (stage.cast_const().cast(), 0);
        }
    }

    #[inline]
    fn extent(extents: &Extents) -> Extent {
        extents.inputs[NUMBER]
    }
}

/// Memory for copies of an element.
#[repr(C, align(64))]
pub struct Copies<T>([T; LANES]);

/// A constant, the same in every lane.
#[derive(Clone, Copy)]
pub struct Splat<T: Format>(T::Compute);

impl<T: Format> Splat<T> {
    pub fn new(element: T) -> Self {
        Self(element.to_compute())
    }
}

impl<T: Element> Node for Splat<T> {
    type Format = T;
    const COST: usize = 0;
    const CALLS: bool = false;
    const CAN_FAIL: bool = false;
    leaf!(constant);

    #[inline]
    fn fits(_: &DTypes, _: &DTypes) -> bool {
        true
    }

    #[inline]
    fn extent(_: &Extents) -> Extent {
        Extent::operand(0, 0)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(&self, _: &LoopContext, _: *const (), _: usize) -> Pack<T> {
        [self.0; LANES]
    }
}

/// The value that was bound under a number.
#[derive(Clone, Copy)]
pub struct Bound<const NUMBER: usize, T>(PhantomData<fn() -> T>);

impl<const NUMBER: usize, T> Bound<NUMBER, T> {
    pub const NEW: Self = Self(PhantomData);
}

impl<const NUMBER: usize, T: Element> Node for Bound<NUMBER, T> {
    type Format = T;
    const COST: usize = 0;
    const CALLS: bool = false;
    const CAN_FAIL: bool = false;
    leaf!(constant);

    #[inline]
    fn fits(_: &DTypes, bound: &DTypes) -> bool {
        bound.get(NUMBER) == Some(&Some(T::DTYPE))
    }

    #[inline]
    fn extent(extents: &Extents) -> Extent {
        extents.bound[NUMBER]
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(&self, from: &LoopContext, _: *const (), at: usize) -> Pack<T> {
        // SAFETY: the caller guarantees that value `NUMBER` has elements of `T` (`fits`) and was bound for this
        // position; a slot has room for a pack, and is aligned for it.
        unsafe { PackBuffer::slot::<T>(from.buffer(NUMBER), from, at).read() }
    }
}

/// A conversion, with the semantics of `dtype/cast.rs`.
#[derive(Clone, Copy)]
pub struct Cast<A, T>(A, PhantomData<fn() -> T>);

impl<A: Node, T: Element> Cast<A, T> {
    pub fn new(x: A) -> Self {
        Self(x, PhantomData)
    }

    const SAME: bool = same(A::Format::DTYPE, T::DTYPE);
    const EXACT: bool = is_exact(A::Format::DTYPE, T::DTYPE);
}

const fn same(a: DType, b: DType) -> bool {
    a.index() == b.index()
}

/// Returns the pack, as one of the same type under another name.
///
/// # Safety
/// `A` and `T` are the same type.
#[inline(always)]
unsafe fn identical<A: Format, T: Format>(pack: Pack<A>) -> Pack<T> {
    debug_assert_eq!(size_of::<A::Compute>(), size_of::<T::Compute>());
    // SAFETY: the caller guarantees that `A` and `T` are one type, so their packs are.
    unsafe { core::mem::transmute_copy(&pack) }
}

impl<A: Node, T: Element> Node for Cast<A, T> {
    type Format = T;
    const COST: usize = A::COST;
    const CALLS: bool = A::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL;
    const IS_ROUNDED: bool = if Self::SAME {
        A::IS_ROUNDED
    } else {
        Self::EXACT
    };
    const ANY_NAN: bool = !Self::SAME || A::ANY_NAN;
    operands!(0 A);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<T> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the operand's
        // bound values and staged nodes were computed; its stage is the first part of `stage`. `SAME` says that both
        // formats have one dtype, and a dtype has one element type.
        unsafe {
            if const { Self::SAME } {
                identical::<A::Format, T>(self.0.raw::<I>(from, &raw const (*stage).0, at))
            } else {
                let x = self.0.pack::<I>(from, &raw const (*stage).0, at);
                lanes(|lane| T::convert(x[lane]))
            }
        }
    }
}

/// A conversion that saturates.
#[derive(Clone, Copy)]
pub struct Saturate<A, T>(A, PhantomData<fn() -> T>);

impl<A: Node, T: Element> Saturate<A, T> {
    pub fn new(x: A) -> Self {
        Self(x, PhantomData)
    }
}

impl<A: Node, T: Element> Node for Saturate<A, T> {
    type Format = T;
    const COST: usize = A::COST;
    const CALLS: bool = A::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL;
    const IS_ROUNDED: bool = !T::DTYPE.is_small_float();
    const ANY_NAN: bool = true;
    operands!(0 A);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<T> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the operand's
        // bound values and staged nodes were computed; its stage is the first part of `stage`.
        let x = unsafe { self.0.pack::<I>(from, &raw const (*stage).0, at) };
        lanes(|lane| T::saturate(x[lane]))
    }
}

/// An operation on two operands of one format.
#[derive(Clone, Copy)]
pub struct Binary<O, A, B>(A, B, PhantomData<fn() -> O>);

impl<O, A, B> Binary<O, A, B> {
    pub fn new(a: A, b: B) -> Self {
        Self(a, b, PhantomData)
    }
}

/// The latency from which an operand is staged, in units of one bf16 rounding: one f16 result, which two
/// long-latency instructions convert there and back, or two bf16 results. (With a single bf16 result, writing and
/// reading it again costs more.)
const LONG_WAIT: usize = 2;

/// Computes one of the existing lanes after the other, at least one, in memory; the others get its value. Where the processor has no vector
/// instruction for an operation, LLVM would move each lane from a vector and back, which takes a third longer than dividing integers.
#[inline(always)]
fn one_by_one<T: Copy>(existing: usize, apply: impl Fn(usize) -> T) -> [T; LANES] {
    let mut values = MaybeUninit::<[T; LANES]>::uninit();
    let mut lane = 0;
    loop {
        let value = apply(lane);
        if lane == 0 {
            values.write([value; LANES]);
        }
        // SAFETY: all lanes were written with lane zero.
        let written = unsafe { values.assume_init_mut() };
        written[lane] = value;
        lane = black_box_usize(lane + 1);
        if lane >= existing.min(LANES) {
            // SAFETY: as above.
            return unsafe { values.assume_init() };
        }
    }
}

impl<O: BinaryOperation, A: Node, B: Node<Format = A::Format>> Binary<O, A, B> {
    /// `true` if the operand with the longer latency is staged.
    const LONG: bool =
        A::Format::ROUND_LATENCY > 0 && max_of(&[A::ROUND_LATENCY, B::ROUND_LATENCY]) >= LONG_WAIT;
    /// The check of the second operand.
    const CHECK: Option<Check> = O::OP.check(A::Format::DTYPE);
    /// `true` if the staged operand is the first.
    const FIRST: bool = A::ROUND_LATENCY >= B::ROUND_LATENCY;

    /// Returns the slot of the staged operand's pack at a position.
    #[inline(always)]
    fn slot(
        stage: *const <A::Format as Format>::Stage,
        from: &LoopContext,
        at: usize,
    ) -> *mut Pack<A::Format> {
        const { assert!(!Self::LONG || size_of::<<A::Format as Format>::Stage>() > 0) };
        let packs = stage.cast::<Pack<A::Format>>().cast_mut();
        packs.wrapping_add(from.number(at))
    }
}

impl<O, A, B> Node for Binary<O, A, B>
where
    O: BinaryOperation,
    A: Node,
    B: Node<Format = A::Format>,
{
    type Format = A::Format;
    const COST: usize = A::COST + B::COST + O::OP.cost();
    const CALLS: bool = A::CALLS || B::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL || B::CAN_FAIL || Self::CHECK.is_some();
    const STAGED: bool = Self::LONG || A::STAGED || B::STAGED;
    const ROUND_LATENCY: usize = {
        let others = if !Self::LONG {
            max_of(&[A::ROUND_LATENCY, B::ROUND_LATENCY])
        } else if Self::FIRST {
            B::ROUND_LATENCY
        } else {
            A::ROUND_LATENCY
        };
        others + A::Format::ROUND_LATENCY
    };
    type Stage = (A::Stage, B::Stage, <A::Format as Format>::Stage);
    operands!(rows 0 A, 1 B);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound) && B::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn stage<I: Isa>(&self, from: &LoopContext, to: *mut Self::Stage, end: usize) {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, and readable inputs for all packs up to
        // `end`; the operands' packs are computed after they were staged. If an operand is staged, `Format::Stage` is
        // not empty (asserted in `slot`) and has room for `STAGED_PACKS` packs.
        unsafe {
            let (a, b) = (&raw mut (*to).0, &raw mut (*to).1);
            self.0.stage::<I>(from, a, end);
            self.1.stage::<I>(from, b, end);
            if const { Self::LONG } {
                for_packs!(at in from.first, end, if true => {
                    let pack = if const { Self::FIRST } {
                        self.0.pack::<I>(from, a, at)
                    } else {
                        self.1.pack::<I>(from, b, at)
                    };
                    store(Self::slot(&raw const (*to).2, from, at).cast(), pack);
                });
            }
        }
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<A::Format> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the operands'
        // bound values and staged nodes were computed. If an operand is staged here, `stage` has filled this node's
        // slots for this position.
        let (a, b) = unsafe {
            (
                if const { Self::LONG && Self::FIRST } {
                    load(Self::slot(&raw const (*stage).2, from, at).cast())
                } else {
                    self.0.pack::<I>(from, &raw const (*stage).0, at)
                },
                if const { Self::LONG && !Self::FIRST } {
                    load(Self::slot(&raw const (*stage).2, from, at).cast())
                } else {
                    self.1.pack::<I>(from, &raw const (*stage).1, at)
                },
            )
        };
        if let Some(check) = const { Self::CHECK } {
            from.fail(|lane| check.refuses::<A::Format>(b[lane]));
        }
        if const { O::OP.is_power_of_floats(A::Format::DTYPE) }
            && b.iter().all(|exponent| exponent.to_f64() == 2.0)
        {
            // Computes the square as the power is computed, but a pack at once.
            return lanes(|lane| operations::Mul::apply::<A::Format>(a[lane], a[lane]));
        }
        if const { O::OP.is_plain(A::Format::DTYPE) } {
            return one_by_one(from.existing, |lane| {
                O::apply::<A::Format>(a[lane], b[lane])
            });
        }
        lanes(|lane| O::apply::<A::Format>(a[lane], b[lane]))
    }
}

/// A comparison of two operands of one format.
#[derive(Clone, Copy)]
pub struct Compare<O, A, B>(A, B, PhantomData<fn() -> O>);

impl<O, A, B> Compare<O, A, B> {
    pub fn new(a: A, b: B) -> Self {
        Self(a, b, PhantomData)
    }
}

impl<O, A, B> Node for Compare<O, A, B>
where
    O: Comparison,
    A: Node,
    B: Node<Format = A::Format>,
{
    type Format = bool;
    const COST: usize = A::COST + B::COST + 1;
    const CALLS: bool = A::CALLS || B::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL || B::CAN_FAIL;
    operands!(0 A, 1 B);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound) && B::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<bool> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the operands'
        // bound values and staged nodes were computed; each operand has its own part of `stage`.
        let (a, b) = unsafe {
            (
                self.0.pack::<I>(from, &raw const (*stage).0, at),
                self.1.pack::<I>(from, &raw const (*stage).1, at),
            )
        };
        lanes(|lane| BoolByte::of(O::apply(a[lane], b[lane])))
    }
}

/// A function of one operand.
#[derive(Clone, Copy)]
pub struct Unary<O, A>(A, PhantomData<fn() -> O>);

impl<O, A> Unary<O, A> {
    pub fn new(x: A) -> Self {
        Self(x, PhantomData)
    }
}

impl<O: UnaryOperation, A: Node> Unary<O, A> {
    /// `true` if it takes so long that it is staged: 16 additions or more.
    const LONG: bool = O::OP.cost() >= 16;
    /// `true` if it is computed lane by lane, with results that are no larger than the operands.
    const IN_PLACE: bool = O::OP.is_plain(A::Format::DTYPE)
        && size_of::<Pack<O::Result<A::Format>>>() <= size_of::<Pack<A::Format>>();

    /// Applies the function to a pack.
    #[inline(always)]
    fn apply(x: &Pack<A::Format>, existing: usize) -> Pack<O::Result<A::Format>> {
        if const { O::OP.is_plain(A::Format::DTYPE) } {
            return one_by_one(existing, |lane| O::apply::<A::Format>(x[lane]));
        }
        lanes(|lane| O::apply::<A::Format>(x[lane]))
    }
}

impl<O: UnaryOperation, A: Node> Node for Unary<O, A> {
    type Format = O::Result<A::Format>;
    const COST: usize = A::COST + O::OP.cost();
    const CALLS: bool = A::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL;
    const STAGED: bool = Self::LONG || A::STAGED;
    const ROUND_LATENCY: usize = if Self::LONG { 0 } else { A::ROUND_LATENCY };
    type Stage = (A::Stage, PackBuffer);
    operands!(rows 0 A);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn stage<I: Isa>(&self, from: &LoopContext, to: *mut Self::Stage, end: usize) {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, and readable inputs for all packs up to
        // `end`; the operand's packs are computed after it was staged. A slot has room for a pack of either format,
        // and is aligned for it.
        unsafe {
            let (operand, buffer) = (&raw mut (*to).0, &raw const (*to).1);
            self.0.stage::<I>(from, operand, end);
            if const { Self::LONG } {
                for_packs!(at in from.first, end, if true => {
                    let x = self.0.pack::<I>(from, operand, at);
                    store(PackBuffer::slot::<A::Format>(buffer, from, at).cast(), x);
                });
                for_packs!(at in from.first, end, if true => {
                    let (x, to) = (
                        PackBuffer::slot::<A::Format>(buffer, from, at),
                        PackBuffer::slot::<Self::Format>(buffer, from, at),
                    );
                    if const { Self::IN_PLACE } {
                        // Lane by lane in the slot: a vector that is loaded right after its lanes were stored would wait.
                        let mut lane = 0;
                        while lane < from.existing.min(LANES) {
                            let value = O::apply::<A::Format>((*x)[lane]);
                            to.cast::<<Self::Format as Format>::Compute>().add(lane).write(value);
                            lane = black_box_usize(lane + 1);
                        }
                    } else {
                        let x: Pack<A::Format> = load(x.cast());
                        store(to.cast(), Self::apply(&x, from.existing));
                    }
                });
            }
        }
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<Self::Format> {
        // SAFETY: the caller guarantees that `stage` has filled this node's slots for this position if it is staged,
        // and else what `pack` of the operand requires.
        unsafe {
            if const { Self::LONG } {
                return load(
                    PackBuffer::slot::<Self::Format>(&raw const (*stage).1, from, at).cast(),
                );
            }
            let x = self.0.pack::<I>(from, &raw const (*stage).0, at);
            Self::apply(&x, from.existing)
        }
    }
}

/// The second operand where the first one is true, else the third (`where`).
#[derive(Clone, Copy)]
pub struct Choose<C, A, B>(C, A, B);

impl<C, A, B> Choose<C, A, B> {
    pub fn new(condition: C, then: A, otherwise: B) -> Self {
        Self(condition, then, otherwise)
    }
}

impl<C, A, B> Node for Choose<C, A, B>
where
    C: Node<Format = bool>,
    A: Node,
    B: Node<Format = A::Format>,
{
    type Format = A::Format;
    // `raw` takes rounded packs of both sides.
    const IS_ROUNDED: bool = true;
    // The condition is a mask already, so the selection costs nothing.
    const COST: usize = A::COST + B::COST + C::COST;
    const CALLS: bool = A::CALLS || B::CALLS || C::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL || B::CAN_FAIL || C::CAN_FAIL;
    operands!(0 C, 1 A, 2 B);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        C::fits(inputs, bound) && A::fits(inputs, bound) && B::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<A::Format> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the operands'
        // bound values and staged nodes were computed; each operand has its own part of `stage`.
        let (condition, a, b) = unsafe {
            (
                self.0.pack::<I>(from, &raw const (*stage).0, at),
                self.1.pack::<I>(from, &raw const (*stage).1, at),
                self.2.pack::<I>(from, &raw const (*stage).2, at),
            )
        };
        lanes(|lane| {
            if condition[lane].is_true() {
                a[lane]
            } else {
                b[lane]
            }
        })
    }
}

/// Calls of a user's functions on elements.
macro_rules! calls {
    ($($Call:ident $Function:ident ($($A:ident $a:ident $number:tt),+);)*) => {$(
        /// A user's function on elements, as a type.
        pub trait $Function<$($A),+>: Copy + 'static {
            /// The type of its results.
            type Output: Element;

            /// Calls it.
            fn call($($a: $A),+) -> Self::Output;
        }

        /// A call of a user's function.
        #[derive(Clone, Copy)]
        pub struct $Call<F, $($A),+>($($A,)+ PhantomData<fn() -> F>);

        impl<F, $($A),+> $Call<F, $($A),+> {
            pub fn new($($a: $A),+) -> Self {
                Self($($a,)+ PhantomData)
            }
        }

        impl<F, $($A),+> Node for $Call<F, $($A),+>
        where
            $($A: Node,)+
            F: $Function<$($A::Format),+>,
        {
            type Format = F::Output;
            const COST: usize = $($A::COST +)+ 8;
            const CALLS: bool = true;
            const CAN_FAIL: bool = $($A::CAN_FAIL)||+;
            const IS_ROUNDED: bool = true;
            operands!($($number $A),+);

            #[inline]
            fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
                $($A::fits(inputs, bound))&&+
            }

            #[inline(always)]
            unsafe fn raw<I: Isa>(
                &self,
                from: &LoopContext,
                stage: *const Self::Stage,
                at: usize,
            ) -> Pack<F::Output> {
                // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the
                // operands' bound values and staged nodes were computed; each operand has its own part of `stage`.
                $(let $a = unsafe { self.$number.pack::<I>(from, &raw const (*stage).$number, at) };)+
                lanes(|lane| F::call($(<$A::Format as Format>::of($a[lane])),+).to_compute())
            }
        }
    )*};
}

calls! {
    Called1 Function1 (A a 0);
    Called2 Function2 (A a 0, B b 1);
    Called3 Function3 (A a 0, B b 1, C c 2);
}
