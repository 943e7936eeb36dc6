//! The nodes: what is read, operations, and calls of a user's functions.
#![allow(unsafe_code, reason = "loops over raw memory")]

use core::marker::PhantomData;

use super::carrier::Truth;
use super::format::{Format, is_exact};
use super::operations::{BinaryOperation, Comparison, UnaryOperation};
use super::{Block, Chunk, DTypes, Environment, Node, for_chunks};
use crate::dtype::{DType, Element};
use crate::kernel::isa::Isa;
use crate::kernel::lanes::{LANES, lanes, opaque};

/// What is the same for all nodes without operands.
macro_rules! leaf {
    () => {
        const IS_ROUNDED: bool = true;
        const AHEAD: bool = false;
        const WAIT: usize = 0;
        type Ahead = ();

        #[inline(always)]
        unsafe fn ahead<I: Isa>(&self, _: &Environment, _: *mut (), _: usize) {}
    };
}

/// What is ahead of a node with operands that is not computed ahead itself.
macro_rules! operands {
    ($($number:tt $Operand:ident),+) => {
        const AHEAD: bool = $($Operand::AHEAD)||+;
        const WAIT: usize = most(&[$($Operand::WAIT),+]);
        type Ahead = ($($Operand::Ahead,)+);

        #[inline(always)]
        unsafe fn ahead<I: Isa>(&self, from: &Environment, to: *mut Self::Ahead, end: usize) {
            // SAFETY: the caller's.
            unsafe { $(self.$number.ahead::<I>(from, &raw mut (*to).$number, end);)+ }
        }
    };
}

const fn most(numbers: &[usize]) -> usize {
    match numbers {
        [first, rest @ ..] => {
            let others = most(rest);
            if *first > others { *first } else { others }
        }
        [] => 0,
    }
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
}

/// An operation on two operands of one format.
#[derive(Clone, Copy)]
pub struct Binary<O, A, B>(A, B, PhantomData<fn() -> O>);

impl<O, A, B> Binary<O, A, B> {
    pub fn new(a: A, b: B) -> Self {
        Self(a, b, PhantomData)
    }
}

/// How long is too long to wait for an operand, in [`Format::WAIT`]s: one result of f16, which is converted there and back by
/// instructions that take long each, or two of bf16. (With one of bf16, what is written and read again costs more.)
const LONG_WAIT: usize = 2;

impl<O, A: Node, B: Node<Format = A::Format>> Binary<O, A, B> {
    /// Whether the operand that waits longer is computed ahead.
    const LONG: bool = A::Format::WAIT > 0 && most(&[A::WAIT, B::WAIT]) >= LONG_WAIT;
    /// Whether that is the first.
    const FIRST: bool = A::WAIT >= B::WAIT;

    /// The place of a chunk that is computed ahead.
    #[inline(always)]
    fn slot(
        ahead: *const <A::Format as Format>::Ahead,
        from: &Environment,
        at: usize,
    ) -> *mut Chunk<A::Format> {
        const { assert!(!Self::LONG || size_of::<<A::Format as Format>::Ahead>() > 0) };
        let chunks = ahead.cast::<Chunk<A::Format>>().cast_mut();
        chunks.wrapping_add(from.number(at))
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
    const AHEAD: bool = Self::LONG || A::AHEAD || B::AHEAD;
    const WAIT: usize = {
        let others = if !Self::LONG {
            most(&[A::WAIT, B::WAIT])
        } else if Self::FIRST {
            B::WAIT
        } else {
            A::WAIT
        };
        others + A::Format::WAIT
    };
    type Ahead = (A::Ahead, B::Ahead, <A::Format as Format>::Ahead);

    #[inline]
    fn fits(inputs: &DTypes, bound: &DTypes) -> bool {
        A::fits(inputs, bound) && B::fits(inputs, bound)
    }

    #[inline(always)]
    unsafe fn ahead<I: Isa>(&self, from: &Environment, to: *mut Self::Ahead, end: usize) {
        // SAFETY: the caller's; where an operand is computed ahead there is room for its chunks.
        unsafe {
            let (a, b) = (&raw mut (*to).0, &raw mut (*to).1);
            self.0.ahead::<I>(from, a, end);
            self.1.ahead::<I>(from, b, end);
            if const { Self::LONG } {
                for_chunks!(at in from.first, end, if true => {
                    let chunk = if const { Self::FIRST } {
                        self.0.chunk::<I>(from, a, at)
                    } else {
                        self.1.chunk::<I>(from, b, at)
                    };
                    Self::slot(&raw const (*to).2, from, at).write(chunk);
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
    ) -> Chunk<A::Format> {
        // SAFETY: the caller's.
        let (a, b) = unsafe {
            (
                if const { Self::LONG && Self::FIRST } {
                    Self::slot(&raw const (*ahead).2, from, at).read()
                } else {
                    self.0.chunk::<I>(from, &raw const (*ahead).0, at)
                },
                if const { Self::LONG && !Self::FIRST } {
                    Self::slot(&raw const (*ahead).2, from, at).read()
                } else {
                    self.1.chunk::<I>(from, &raw const (*ahead).1, at)
                },
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
    const WAIT: usize = if Self::LONG { 0 } else { A::WAIT };
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
    // Both sides are.
    const IS_ROUNDED: bool = true;
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
            const IS_ROUNDED: bool = true;
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
        }
    )*};
}

calls! {
    Called1 Function1 (A a 0);
    Called2 Function2 (A a 0, B b 1);
    Called3 Function3 (A a 0, B b 1, C c 2);
}
