//! Arithmetic, comparisons, functions and choices.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use super::max_of;
use crate::dtype::compute::{BoolByte, ComputeType, PowerBase, ShortPower};
use crate::dtype::format::Format;
use crate::dtype::{DType, Element, Kind};
use crate::kernel::binary::op::{BinaryOp, Check, EasyPairs};
use crate::kernel::fused::operations::{self, BinaryOperation, Comparison, UnaryOperation};
use crate::kernel::fused::{
    DTypes, Extent, Extents, LoopContext, LoopRows, Node, Pack, PackBuffer, for_packs,
};
use crate::kernel::unary::{EasyPacks, UnaryOp};
use crate::simd::{
    EasyCase, EasyCaseOfTwo, Isa, LANES, black_box_usize, lanes, lanes_by_case,
    lanes_of_two_by_case, load, store,
};

/// An operation on two operands of one format. The base is for powers: see [`Self::with_base`].
#[derive(Clone, Copy)]
pub struct Binary<O, A, B>(A, B, PowerBase, PhantomData<fn() -> O>);

impl<O, A, B> Binary<O, A, B> {
    pub fn new(a: A, b: B) -> Self {
        Self::with_base(a, b, PowerBase::Other)
    }

    /// The same where powers have this base.
    pub(crate) fn with_base(a: A, b: B, base: PowerBase) -> Self {
        Self(a, b, base, PhantomData)
    }
}

/// The latency from which an operand is staged, in units of one bf16 rounding: one f16 result, which two
/// long-latency instructions convert there and back, or two bf16 results. (With a single bf16 result, writing and
/// reading it again costs more.)
const LONG_WAIT: usize = 2;

/// Computes the existing lanes one after another, in memory; at least lane zero, whose value the lanes that do not exist get. If
/// the processor has no vector instruction for an operation, LLVM would move each lane from a vector and back, which takes a third
/// longer for the division of integers.
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
            // SAFETY: all lanes were written with lane zero.
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
    const IS_POWER: bool = O::OP.is_real_power(A::Format::DTYPE);
    /// `true` if it divides an input, whose elements need no conversion. Then it can [divide packs](ComputeType::div_packs): each of the two ways
    /// reads the dividends from memory.
    const DIVIDES_INPUT: bool = A::INPUT.is_some()
        && !B::STAGED
        && matches!((O::OP, A::Format::DTYPE), (BinaryOp::Div, DType::F32));
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

/// Computes a short power of a pack of a float format.
#[inline(always)]
fn short_power<T: Format>(power: ShortPower, base: PowerBase, x: &Pack<T>) -> Pack<T> {
    macro_rules! loops {
        ($of:ident $($Power:ident)*) => {
            match power {
                $(ShortPower::$Power => lanes(|lane| {
                    T::convert(ShortPower::$Power.$of(x[lane].to_f64()))
                }),)*
            }
        };
    }
    match base {
        PowerBase::Wide => loops!(of_wide Square Root Cube Fourth Reciprocal ReciprocalSquare),
        _ => loops!(of_narrow Square Root Cube Fourth Reciprocal ReciprocalSquare),
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
    const IS_DIRECT: bool = Self::DIVIDES_INPUT;
    type Stage = (A::Stage, B::Stage, <A::Format as Format>::Stage);
    operands!(rows 0 A, 1 B);

    #[inline(always)]
    unsafe fn direct<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<A::Format> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that values are bound. The operands are
        // not staged, or else the node itself was staged too.
        unsafe {
            if const { !Self::DIVIDES_INPUT } {
                return self.raw::<I>(from, stage, at);
            }
            let a = self.0.pack::<I>(from, &raw const (*stage).0, at);
            let b = self.1.pack::<I>(from, &raw const (*stage).1, at);
            ComputeType::div_packs::<I, LANES>(&a, &b)
        }
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
        let a = unsafe {
            if const { Self::LONG && Self::FIRST } {
                load(Self::slot(&raw const (*stage).2, from, at).cast())
            } else {
                self.0.pack::<I>(from, &raw const (*stage).0, at)
            }
        };
        // SAFETY: as of the first operand.
        let b = unsafe {
            if const { Self::LONG && !Self::FIRST } {
                load(Self::slot(&raw const (*stage).2, from, at).cast())
            } else {
                self.1.pack::<I>(from, &raw const (*stage).1, at)
            }
        };
        // Two conditions, because the compiler leaves out what follows a constant `bool`, but not what follows a pattern.
        if const { Self::CHECK.is_some() }
            && let Some(check) = Self::CHECK
        {
            from.fail(|lane| check.refuses::<A::Format>(b[lane]));
        }
        if const { Self::IS_POWER }
            && b.iter()
                .all(|exponent| ComputeType::eq(*exponent, A::Format::convert(2_u64)))
        {
            // The square first, by itself: among the others it takes 3 times as long.
            return lanes(|lane| operations::Mul::apply::<A::Format, I>(a[lane], a[lane]));
        }
        if const { Self::IS_POWER && matches!(A::Format::DTYPE.kind(), Kind::Float) } {
            let first = b[0].to_f64();
            if let Some(power) = ShortPower::of(first, self.2)
                && b.iter().all(|exponent| exponent.to_f64() == first)
            {
                return short_power::<A::Format>(power, self.2, &a);
            }
        }
        if const { O::OP.is_plain(A::Format::DTYPE) } {
            return one_by_one(from.existing, |lane| {
                O::apply::<A::Format, I>(a[lane], b[lane])
            });
        }
        if const { O::OP.easy_pairs(A::Format::DTYPE).is_some() } {
            return lanes_of_two_by_case::<I, OfTwo<O, A::Format>, LANES>(&a, &b);
        }
        lanes(|lane| O::apply::<A::Format, I>(a[lane], b[lane]))
    }
}

/// An operation on two elements of a format.
struct OfTwo<O, T>(PhantomData<(O, T)>);

// SAFETY: `is_usual_power` and `has_short_quotient` compute with their operands and constants alone.
unsafe impl<O: BinaryOperation, T: Element> EasyCaseOfTwo for OfTwo<O, T> {
    type Left = T::Compute;
    type Right = T::Compute;
    type Result = T::Compute;
    #[inline(always)]
    fn is_easy(a: T::Compute, b: T::Compute) -> bool {
        match const { O::OP.easy_pairs(T::DTYPE) } {
            Some(EasyPairs::Power) => T::Compute::is_usual_power(a, b),
            Some(EasyPairs::Quotient) => T::Compute::has_short_quotient(a, b),
            None => true,
        }
    }
    #[inline(always)]
    fn apply<I: Isa>(a: T::Compute, b: T::Compute) -> T::Compute {
        O::apply::<T, I>(a, b)
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

/// A function of elements of a format.
struct Of<O, T>(PhantomData<(O, T)>);

// SAFETY: `is_near`, `is_moderate`, `is_small` and `is_positive_normal` compare numbers with constants.
unsafe impl<O: UnaryOperation, T: Element> EasyCase for Of<O, T> {
    type Argument = T::Compute;
    type Result = <O::Result<T> as Format>::Compute;
    #[inline(always)]
    fn is_easy(x: T::Compute) -> bool {
        match const { O::OP.easy_packs(T::DTYPE) } {
            Some(EasyPacks::Near) => x.is_near(),
            Some(EasyPacks::Moderate) => x.is_moderate(),
            Some(EasyPacks::Small) => x.is_small(),
            Some(EasyPacks::Positive) => x.is_positive_normal(),
            Some(EasyPacks::All) | None => true,
        }
    }
    #[inline(always)]
    fn apply<I: Isa>(x: T::Compute) -> Self::Result {
        O::apply::<T, I>(x)
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
    fn apply<I: Isa>(x: &Pack<A::Format>, existing: usize) -> Pack<O::Result<A::Format>> {
        if const { O::OP.is_plain(A::Format::DTYPE) } {
            return one_by_one(existing, |lane| O::apply::<A::Format, I>(x[lane]));
        }
        if const { O::OP.easy_packs(A::Format::DTYPE).is_some() } {
            return lanes_by_case::<I, Of<O, A::Format>, LANES>(x);
        }
        lanes(|lane| O::apply::<A::Format, I>(x[lane]))
    }
}

impl<O: UnaryOperation, A: Node> Node for Unary<O, A> {
    type Format = O::Result<A::Format>;
    const COST: usize = A::COST + O::OP.cost();
    const CALLS: bool = A::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL;
    // The NaN of 8-bit floats may be the bits of -0, and negative.
    const IS_MAGNITUDE: bool = matches!(
        (O::OP, A::Format::DTYPE.kind()),
        (UnaryOp::Abs, Kind::Float)
    ) && size_of::<<A::Format as Format>::Stored>() > 1;
    const STAGED: bool = Self::LONG || A::STAGED;
    const IS_DIRECT: bool =
        Self::LONG && !A::STAGED && A::ROUND_LATENCY == 0 && !O::OP.is_plain(A::Format::DTYPE);
    const ROUND_LATENCY: usize = if Self::LONG { 0 } else { A::ROUND_LATENCY };
    type Stage = (A::Stage, PackBuffer);
    operands!(rows 0 A);

    #[inline(always)]
    unsafe fn direct<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<Self::Format> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that values are bound. The operand is
        // not staged, or else the node itself was staged too.
        unsafe {
            if const { !Self::IS_DIRECT } {
                return self.raw::<I>(from, stage, at);
            }
            let x = self.0.pack::<I>(from, &raw const (*stage).0, at);
            Self::apply::<I>(&x, from.existing)
        }
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
                            let value = O::apply::<A::Format, I>((*x)[lane]);
                            to.cast::<<Self::Format as Format>::Compute>().add(lane).write(value);
                            lane = black_box_usize(lane + 1);
                        }
                    } else {
                        let x: Pack<A::Format> = load(x.cast());
                        store(to.cast(), Self::apply::<I>(&x, from.existing));
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
            Self::apply::<I>(&x, from.existing)
        }
    }
}

/// The square of an operand, which is computed once: a user's function in it is called once for each element.
#[derive(Clone, Copy)]
pub(crate) struct Squared<A>(A);

impl<A> Squared<A> {
    pub(crate) fn new(x: A) -> Self {
        Self(x)
    }
}

impl<A: Node> Node for Squared<A> {
    type Format = A::Format;
    const COST: usize = A::COST + operations::Mul::OP.cost();
    const CALLS: bool = A::CALLS;
    const CAN_FAIL: bool = A::CAN_FAIL;
    operands!(0 A);

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &LoopContext,
        stage: *const Self::Stage,
        at: usize,
    ) -> Pack<A::Format> {
        // SAFETY: the caller guarantees the instruction set, dtypes that fit, readable inputs, and that the operand's bound values and
        // staged nodes were computed.
        let x = unsafe { self.0.pack::<I>(from, &raw const (*stage).0, at) };
        lanes(|lane| operations::Mul::apply::<A::Format, I>(x[lane], x[lane]))
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
