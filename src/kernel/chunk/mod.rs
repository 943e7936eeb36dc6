//! Loops made of expressions: each a type, compiled to one loop for each instruction set.
//!
//! A node maps 32 elements of its operands to 32 results in the form in which they compute (`carrier`), so
//! that what a loop reads is decoded, what it writes is encoded, and what lies between never leaves the
//! registers. Only functions that take long are computed ahead, some chunks at a time: while a processor waits for the operations
//! of one chunk, which depend on one another, it looks ahead a few hundred instructions for others to begin with, and those
//! are to be of many chunks, not of two. `format` says how elements of each dtype are read, rounded and written; `operations` names
//! operations as types; `run` drives loops over arrays.
#![allow(unsafe_code, reason = "loops over raw memory")]

pub(crate) mod carrier;
pub(crate) mod format;
pub(crate) mod operations;
mod run;
mod walk;

use core::marker::PhantomData;
use core::mem::MaybeUninit;

pub(crate) use run::Loop;
pub use run::{Site, Sources};

use self::carrier::Truth;
use self::format::{Format, is_exact};
use self::operations::{BinaryOperation, Comparison, UnaryOperation};
use super::isa::Isa;
use super::lanes::{LANES, lanes, opaque, settled};
use crate::dtype::{DType, Element};

/// What a loop reads at most.
pub(crate) const MAX_INPUTS: usize = 8;
/// What a loop binds at most.
pub(crate) const MAX_BOUND: usize = MAX_INPUTS;

/// The dtypes of inputs or of what is bound, by number.
pub(crate) type DTypes = [Option<DType>; MAX_INPUTS];

/// 32 elements in the form in which they compute.
pub(crate) type Chunk<T> = [<T as Format>::Carrier; LANES];

/// What a chunk is computed from.
pub struct Environment {
    inputs: [*const u8; MAX_INPUTS],
    /// Where the chunks begin of which there is something ahead.
    first: usize,
    bound: MaybeUninit<[Block; MAX_BOUND]>,
}

impl Environment {
    /// What is bound under a number.
    #[inline(always)]
    fn block(&self, number: usize) -> *const Block {
        self.bound.as_ptr().cast::<Block>().wrapping_add(number)
    }
}

/// Room for a chunk of any elements.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Slot(MaybeUninit<[u8; LANES * 16]>);

/// How many chunks are computed ahead at most.
const CHUNKS: usize = 8;

/// Room for what is computed ahead.
pub struct Block(#[expect(dead_code, reason = "reached by its address")] [Slot; CHUNKS]);

impl Block {
    /// The place of the chunk at a position.
    #[inline(always)]
    fn slot<T: Format>(block: *const Self, from: &Environment, at: usize) -> *mut Chunk<T> {
        debug_assert!(at - from.first < CHUNKS * LANES, "one of the chunks ahead");
        let slots = block.cast::<Slot>().cast_mut();
        slots.wrapping_add((at - from.first) / LANES).cast()
    }
}

/// Runs for each chunk from the first one on: for all up to the end, or for that one alone.
macro_rules! for_chunks {
    ($at:ident in $first:expr, $end:expr, if $more:expr => $body:block) => {
        let mut $at = $first;
        loop {
            $body
            if !$more {
                break;
            }
            $at = opaque($at + LANES);
            if $at >= $end {
                break;
            }
        }
    };
}

/// Part of an expression.
pub trait Node: Copy + Sync {
    /// What its elements are.
    type Format: Element;
    /// About how long an element takes, in additions.
    const COST: usize;
    /// Whether it calls functions of the user's, which are to see no elements that are not there.
    const CALLS: bool;
    /// Whether a NaN of it may have more bits than its format: by a conversion, not by arithmetic.
    const ANY_NAN: bool = false;
    /// Whether parts of it are computed ahead.
    const AHEAD: bool;
    /// Room for what is computed ahead.
    type Ahead;

    /// Whether inputs and what is bound have the dtypes that it reads.
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool;

    /// Computes what is computed ahead, for all chunks from the environment's first up to an end.
    ///
    /// # Safety
    /// That of [`Self::raw`] for each of the chunks, of which there are no more than [`CHUNKS`]; the room can be written.
    unsafe fn ahead<I: Isa>(&self, from: &Environment, to: *mut Self::Ahead, end: usize);

    /// 32 elements from a position on, not rounded to the format yet.
    ///
    /// # Safety
    /// The processor has the instruction set. Inputs and what is bound [fit](Self::fits). From the position on, 32
    /// elements of each input can be read; what is bound was bound before, and what is [ahead](Self::ahead) was computed
    /// for this position.
    unsafe fn raw<I: Isa>(
        &self,
        from: &Environment,
        ahead: *const Self::Ahead,
        at: usize,
    ) -> Chunk<Self::Format>;

    /// The same, rounded.
    ///
    /// # Safety
    /// That of [`Self::raw`].
    #[inline(always)]
    unsafe fn chunk<I: Isa>(
        &self,
        from: &Environment,
        ahead: *const Self::Ahead,
        at: usize,
    ) -> Chunk<Self::Format> {
        // SAFETY: the caller's.
        unsafe { Self::Format::round::<I>(self.raw::<I>(from, ahead, at), Self::ANY_NAN) }
    }
}

/// What is the same for all nodes without operands.
macro_rules! leaf {
    () => {
        const AHEAD: bool = false;
        type Ahead = ();

        #[inline(always)]
        unsafe fn ahead<I: Isa>(&self, _: &Environment, _: *mut (), _: usize) {}
    };
}

/// What is ahead of a node with operands that is not computed ahead itself.
macro_rules! operands {
    ($($number:tt $Operand:ident),+) => {
        const AHEAD: bool = $($Operand::AHEAD)||+;
        type Ahead = ($($Operand::Ahead,)+);

        #[inline(always)]
        unsafe fn ahead<I: Isa>(&self, from: &Environment, to: *mut Self::Ahead, end: usize) {
            // SAFETY: the caller's.
            unsafe { $(self.$number.ahead::<I>(from, &raw mut (*to).$number, end);)+ }
        }
    };
}

/// Elements that are read.
#[derive(Clone, Copy)]
pub struct Input<const NUMBER: usize, T>(PhantomData<fn() -> T>);

impl<const NUMBER: usize, T> Input<NUMBER, T> {
    pub const NEW: Self = Self(PhantomData);
}

impl<const NUMBER: usize, T: Element> Node for Input<NUMBER, T> {
    type Format = T;
    const COST: usize = 1;
    const CALLS: bool = false;
    leaf!();

    #[inline]
    fn fits(inputs: &DTypes, _: &DTypes) -> bool {
        inputs.get(NUMBER) == Some(&Some(T::DTYPE))
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(&self, from: &Environment, _: *const (), at: usize) -> Chunk<T> {
        // SAFETY: the caller's.
        unsafe { T::load::<I>(from.inputs[NUMBER].cast::<T::Stored>().add(at)) }
    }

    #[inline(always)]
    unsafe fn chunk<I: Isa>(&self, from: &Environment, _: *const (), at: usize) -> Chunk<T> {
        // SAFETY: the caller's.
        unsafe { self.raw::<I>(from, &(), at) }
    }
}

/// The same element everywhere.
#[derive(Clone, Copy)]
pub struct Splat<T: Format>(T::Carrier);

impl<T: Format> Splat<T> {
    pub fn new(element: T) -> Self {
        Self(element.carry())
    }
}

impl<T: Element> Node for Splat<T> {
    type Format = T;
    const COST: usize = 0;
    const CALLS: bool = false;
    leaf!();

    #[inline]
    fn fits(_: &DTypes, _: &DTypes) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(&self, _: &Environment, _: *const (), _: usize) -> Chunk<T> {
        [self.0; LANES]
    }

    #[inline(always)]
    unsafe fn chunk<I: Isa>(&self, _: &Environment, _: *const (), _: usize) -> Chunk<T> {
        [self.0; LANES]
    }
}

/// What was bound under a number.
#[derive(Clone, Copy)]
pub struct Bound<const NUMBER: usize, T>(PhantomData<fn() -> T>);

impl<const NUMBER: usize, T> Bound<NUMBER, T> {
    pub const NEW: Self = Self(PhantomData);
}

impl<const NUMBER: usize, T: Element> Node for Bound<NUMBER, T> {
    type Format = T;
    const COST: usize = 0;
    const CALLS: bool = false;
    leaf!();

    #[inline]
    fn fits(_: &DTypes, bound: &DTypes) -> bool {
        bound.get(NUMBER) == Some(&Some(T::DTYPE))
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(&self, from: &Environment, _: *const (), at: usize) -> Chunk<T> {
        // SAFETY: the caller's; a slot has room for a chunk, and is aligned for it.
        unsafe { Block::slot::<T>(from.block(NUMBER), from, at).read() }
    }

    #[inline(always)]
    unsafe fn chunk<I: Isa>(&self, from: &Environment, _: *const (), at: usize) -> Chunk<T> {
        // SAFETY: the caller's.
        unsafe { self.raw::<I>(from, &(), at) }
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

/// A chunk as what it is.
///
/// # Safety
/// The types are the same.
#[inline(always)]
unsafe fn identical<A: Format, T: Format>(chunk: Chunk<A>) -> Chunk<T> {
    debug_assert_eq!(size_of::<A::Carrier>(), size_of::<T::Carrier>());
    // SAFETY: the caller's.
    unsafe { core::mem::transmute_copy(&chunk) }
}

impl<A: Node, T: Element> Node for Cast<A, T> {
    type Format = T;
    const COST: usize = A::COST;
    const CALLS: bool = A::CALLS;
    const ANY_NAN: bool = !Self::SAME || A::ANY_NAN;
    operands!(0 A);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &Environment,
        ahead: *const Self::Ahead,
        at: usize,
    ) -> Chunk<T> {
        // SAFETY: the caller's; elements of one dtype are of one type.
        unsafe {
            if const { Self::SAME } {
                identical::<A::Format, T>(self.0.raw::<I>(from, &raw const (*ahead).0, at))
            } else {
                let x = self.0.chunk::<I>(from, &raw const (*ahead).0, at);
                lanes(|lane| T::convert(x[lane]))
            }
        }
    }

    #[inline(always)]
    unsafe fn chunk<I: Isa>(
        &self,
        from: &Environment,
        ahead: *const Self::Ahead,
        at: usize,
    ) -> Chunk<T> {
        // SAFETY: the caller's; elements of one dtype are of one type.
        unsafe {
            if const { Self::SAME } {
                identical::<A::Format, T>(self.0.chunk::<I>(from, &raw const (*ahead).0, at))
            } else if const { Self::EXACT } {
                self.raw::<I>(from, ahead, at)
            } else {
                T::round::<I>(self.raw::<I>(from, ahead, at), Self::ANY_NAN)
            }
        }
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

impl<O, A, B> Node for Binary<O, A, B>
where
    O: BinaryOperation,
    A: Node,
    B: Node<Format = A::Format>,
{
    type Format = A::Format;
    const COST: usize = A::COST + B::COST + O::OP.cost();
    const CALLS: bool = A::CALLS || B::CALLS;
    operands!(0 A, 1 B);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound) && B::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &Environment,
        ahead: *const Self::Ahead,
        at: usize,
    ) -> Chunk<A::Format> {
        // SAFETY: the caller's.
        let (a, b) = unsafe {
            (
                self.0.chunk::<I>(from, &raw const (*ahead).0, at),
                self.1.chunk::<I>(from, &raw const (*ahead).1, at),
            )
        };
        lanes(|lane| O::apply(a[lane], b[lane]))
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
    operands!(0 A, 1 B);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound) && B::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &Environment,
        ahead: *const Self::Ahead,
        at: usize,
    ) -> Chunk<bool> {
        // SAFETY: the caller's.
        let (a, b) = unsafe {
            (
                self.0.chunk::<I>(from, &raw const (*ahead).0, at),
                self.1.chunk::<I>(from, &raw const (*ahead).1, at),
            )
        };
        lanes(|lane| Truth::of(O::apply(a[lane], b[lane])))
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
    /// Whether it takes so long that it is computed ahead.
    const LONG: bool = O::OP.cost() >= 16;
}

impl<O: UnaryOperation, A: Node> Node for Unary<O, A> {
    type Format = O::Result<A::Format>;
    const COST: usize = A::COST + O::OP.cost();
    const CALLS: bool = A::CALLS;
    const AHEAD: bool = Self::LONG || A::AHEAD;
    type Ahead = (A::Ahead, Block);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn ahead<I: Isa>(&self, from: &Environment, to: *mut Self::Ahead, end: usize) {
        // SAFETY: the caller's; a slot has room for a chunk of either format, and is aligned for it.
        unsafe {
            let (operand, block) = (&raw mut (*to).0, &raw const (*to).1);
            self.0.ahead::<I>(from, operand, end);
            if const { Self::LONG } {
                for_chunks!(at in from.first, end, if true => {
                    let x = self.0.chunk::<I>(from, operand, at);
                    Block::slot::<A::Format>(block, from, at).write(x);
                });
                for_chunks!(at in from.first, end, if true => {
                    let x = Block::slot::<A::Format>(block, from, at).read();
                    let value = lanes(|lane| O::apply::<A::Format>(x[lane]));
                    Block::slot::<Self::Format>(block, from, at).write(value);
                });
            }
        }
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &Environment,
        ahead: *const Self::Ahead,
        at: usize,
    ) -> Chunk<Self::Format> {
        // SAFETY: the caller's.
        unsafe {
            if const { Self::LONG } {
                return Block::slot::<Self::Format>(&raw const (*ahead).1, from, at).read();
            }
            let x = self.0.chunk::<I>(from, &raw const (*ahead).0, at);
            lanes(|lane| O::apply::<A::Format>(x[lane]))
        }
    }
}

/// The second operand where the first is true, else the third.
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
    // The condition is a mask already.
    const COST: usize = A::COST + B::COST + C::COST;
    const CALLS: bool = A::CALLS || B::CALLS || C::CALLS;
    operands!(0 C, 1 A, 2 B);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        C::fits(inputs, bound) && A::fits(inputs, bound) && B::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn raw<I: Isa>(
        &self,
        from: &Environment,
        ahead: *const Self::Ahead,
        at: usize,
    ) -> Chunk<A::Format> {
        // SAFETY: the caller's.
        let (condition, a, b) = unsafe {
            (
                self.0.chunk::<I>(from, &raw const (*ahead).0, at),
                self.1.chunk::<I>(from, &raw const (*ahead).1, at),
                self.2.chunk::<I>(from, &raw const (*ahead).2, at),
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

    #[inline(always)]
    unsafe fn chunk<I: Isa>(
        &self,
        from: &Environment,
        ahead: *const Self::Ahead,
        at: usize,
    ) -> Chunk<A::Format> {
        // SAFETY: the caller's; both sides are rounded.
        unsafe { self.raw::<I>(from, ahead, at) }
    }
}

/// What a user's function on elements gives.
macro_rules! calls {
    ($($Call:ident $Function:ident ($($A:ident $a:ident $number:tt),+);)*) => {$(
        /// A function on elements, as a type.
        pub trait $Function<$($A),+>: Copy + 'static {
            /// What it gives.
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
            operands!($($number $A),+);

            #[inline]
            fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
                $($A::fits(inputs, bound))&&+
            }

            #[inline(always)]
            unsafe fn raw<I: Isa>(
                &self,
                from: &Environment,
                ahead: *const Self::Ahead,
                at: usize,
            ) -> Chunk<F::Output> {
                // SAFETY: the caller's.
                $(let $a = unsafe { self.$number.chunk::<I>(from, &raw const (*ahead).$number, at) };)+
                lanes(|lane| F::call($(<$A::Format as Format>::of($a[lane])),+).carry())
            }

            #[inline(always)]
            unsafe fn chunk<I: Isa>(
                &self,
                from: &Environment,
                ahead: *const Self::Ahead,
                at: usize,
            ) -> Chunk<F::Output> {
                // SAFETY: the caller's; an element needs no rounding.
                unsafe { self.raw::<I>(from, ahead, at) }
            }
        }
    )*};
}

calls! {
    Called1 Function1 (A a 0);
    Called2 Function2 (A a 0, B b 1);
    Called3 Function3 (A a 0, B b 1, C c 2);
}

/// Values that are computed before an expression, for each chunk.
pub trait Values: Copy {
    /// How many there are.
    const COUNT: usize;
    /// About how long an element of each takes together, in additions.
    const COST: usize;
    /// As [`Node::CALLS`].
    const CALLS: bool;
    /// Whether parts of them are computed ahead.
    const AHEAD: bool;
    /// Room for what is computed ahead.
    type Ahead;

    /// Whether inputs have the dtypes that they read; writes their own.
    fn fits(inputs: &DTypes, bound: &mut DTypes) -> bool;

    /// Computes them for the environment's first chunk, or for all up to an end.
    ///
    /// # Safety
    /// That of [`Node::ahead`].
    unsafe fn bind<I: Isa>(
        &self,
        to: &mut Environment,
        ahead: *mut Self::Ahead,
        end: usize,
        all: bool,
    );
}

impl Values for () {
    const COUNT: usize = 0;
    const COST: usize = 0;
    const CALLS: bool = false;
    const AHEAD: bool = false;
    type Ahead = ();

    #[inline]
    fn fits(_: &DTypes, _: &mut DTypes) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn bind<I: Isa>(&self, _: &mut Environment, _: *mut (), _: usize, _: bool) {}
}

impl<V: Values, A: Node> Values for (V, A) {
    const COUNT: usize = V::COUNT + 1;
    const COST: usize = V::COST + A::COST;
    const CALLS: bool = V::CALLS || A::CALLS;
    const AHEAD: bool = V::AHEAD || A::AHEAD;
    type Ahead = (V::Ahead, A::Ahead);

    #[inline]
    fn fits(inputs: &DTypes, bound: &mut DTypes) -> bool {
        let fits = V::fits(inputs, bound) && A::fits(inputs, bound);
        match bound.get_mut(V::COUNT) {
            Some(dtype) => *dtype = Some(A::Format::DTYPE),
            None => return false,
        }
        fits
    }

    #[inline(always)]
    unsafe fn bind<I: Isa>(
        &self,
        to: &mut Environment,
        ahead: *mut Self::Ahead,
        end: usize,
        all: bool,
    ) {
        // SAFETY: the caller's; a slot has room for a chunk, and is aligned for it.
        unsafe {
            let (before, own) = (&raw mut (*ahead).0, &raw mut (*ahead).1);
            self.0.bind::<I>(to, before, end, all);
            self.1.ahead::<I>(to, own, end);
            for_chunks!(at in to.first, end, if all => {
                let chunk = self.1.chunk::<I>(to, own, at);
                let block = to.bound.as_mut_ptr().cast::<Block>().add(V::COUNT);
                Block::slot::<A::Format>(block, to, at).write(chunk);
            });
        }
    }
}

/// Where a chunk costs no more, counting takes as long as computing: two are done at a time.
const CHEAP: usize = 4;

/// The loop of an expression over whole chunks.
///
/// # Safety
/// The processor has the instruction set. `expression` points to one of this type, with what it binds; the inputs' dtypes
/// [fit](Node::fits) it. `len` elements of each input can be read, and as many of the expression's format can be written
/// to `output`. That may be an input if its elements are no larger, but must not overlap one otherwise. `len` is
/// a multiple of [`LANES`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn body<I: Isa, V: Values, A: Node>(
    expression: *const (),
    inputs: &[*const u8; MAX_INPUTS],
    output: *mut u8,
    len: usize,
) {
    // A copy, which the output cannot overwrite.
    // SAFETY: the caller's.
    unsafe { chunks::<I, V, A>(expression.cast::<(V, A)>().read(), inputs, output, len) }
}

/// Whether elements are smaller in memory than while they compute.
const fn narrows<T: Format>() -> bool {
    size_of::<T::Stored>() < size_of::<T::Carrier>()
}

/// [`body`] of an expression that is known.
///
/// # Safety
/// That of [`body`].
#[inline(always)]
pub(super) unsafe fn chunks<I: Isa, V: Values, A: Node>(
    (values, node): (V, A),
    inputs: &[*const u8; MAX_INPUTS],
    output: *mut u8,
    len: usize,
) {
    debug_assert!(len.is_multiple_of(LANES), "whole chunks");
    let mut environment = Environment {
        inputs: *inputs,
        first: 0,
        bound: MaybeUninit::uninit(),
    };
    let mut ahead = MaybeUninit::<(V::Ahead, A::Ahead)>::uninit();
    let ahead = ahead.as_mut_ptr();
    let output = output.cast::<<A::Format as Format>::Stored>();
    let in_pairs = const { V::COUNT == 0 && A::COST <= CHEAP };
    // The chunk that is left over, if there is one.
    let single = len / (2 * LANES) * (2 * LANES);
    let mut done = 0;
    while done < len {
        environment.first = done;
        // SAFETY: the caller's; whole chunks are left, two unless it is a single one; there is room for what is ahead.
        unsafe {
            let (values_ahead, node_ahead) = (&raw mut (*ahead).0, &raw mut (*ahead).1);
            let some = const { V::AHEAD || A::AHEAD };
            let end = len.min(done + CHUNKS * LANES);
            values.bind::<I>(&mut environment, values_ahead, end, some);
            node.ahead::<I>(&environment, node_ahead, end);
            for_chunks!(at in done, end, if some => {
                let mut chunk = node.raw::<I>(&environment, node_ahead, at);
                // LLVM fails to choose vectors for what was ahead and ends in an instruction of ours.
                if const { (V::AHEAD || A::AHEAD) && narrows::<A::Format>() } {
                    chunk = settled(chunk);
                }
                A::Format::store::<I>(output.add(at), chunk, A::ANY_NAN);
                done = at + LANES;
            });
            if in_pairs {
                if done > single {
                    break;
                }
                let chunk = node.raw::<I>(&environment, node_ahead, done);
                A::Format::store::<I>(output.add(done), chunk, A::ANY_NAN);
                done += LANES;
            }
        }
        done = opaque(done);
    }
}

/// Copies elements and repeats the last, so that they are a chunk.
///
/// # Safety
/// `len` elements, at least one and less than a chunk, can be read, and a chunk can be written.
#[inline]
pub(super) unsafe fn fill_up<T: Copy>(from: *const T, len: usize, to: *mut T) {
    debug_assert!(0 < len && len < LANES, "part of a chunk");
    // SAFETY: the caller's.
    unsafe {
        // A whole chunk takes fewer instructions than what is missing.
        to.cast::<[T; LANES]>()
            .write([from.add(len - 1).read(); LANES]);
        to.copy_from_nonoverlapping(from, len);
    }
}
