//! Calls of functions on elements in expressions.

use core::marker::PhantomData;

use super::{
    Compile, Context, Expression, Fused, GraphBuilder, GraphValue, In, LoopInputs, Record,
    compile_in,
};
use crate::dtype::*;
use crate::error::Error;
use crate::kernel::fused;
use crate::rank::{Broadcast, Rank};
use crate::rules::{Rules, SameRules};

/// A function on elements as a type.
pub trait ElementFunction: 'static {
    /// The arguments, a tuple of elements.
    type Arguments;
    /// The result.
    type Output: Element;

    /// The name in messages.
    fn name() -> &'static str;

    /// Calls the function.
    fn call(arguments: Self::Arguments) -> Self::Output;
}

/// The function item or closure `F`, with the types of its arguments and of its result.
pub struct Function<F, Arguments, Output>(PhantomData<fn() -> (F, Arguments, Output)>);

macro_rules! functions {
    ($(($($X:ident $x:ident),+))*) => {$(
        impl<F, $($X: 'static,)+ Out: Element> ElementFunction for Function<F, ($($X,)+), Out>
        where
            F: Fn($($X),+) -> Out + Copy + 'static,
        {
            type Arguments = ($($X,)+);
            type Output = Out;

            fn name() -> &'static str {
                let path = core::any::type_name::<F>();
                path.rsplit("::").next().unwrap_or(path)
            }

            #[inline(always)]
            fn call(($($x,)+): Self::Arguments) -> Out {
                fused::function_of_type::<F>()($($x),+)
            }
        }
    )*};
}

functions! { (X x) (X x, Y y) (X x, Y y, Z z) }

/// Implemented by dtypes whose elements have the type `T`.
#[diagnostic::on_unimplemented(
    message = "the function takes elements of type `{T}`, not those of `{Self}`",
    label = "takes `{T}`",
    note = "convert the argument to the dtype of these elements: `.cast::<F32>()` for `f32`, `.cast::<F64>()` for `f64`; the value of a function of tensors is taken by `&f(&x)`"
)]
pub trait HasElements<T>: StaticDType {}
#[diagnostic::do_not_recommend]
impl<T: Element, D: StaticDType<Element = T>> HasElements<T> for D {}

/// An [`ElementFunction`] as compiled loops call it.
pub struct Callee<F>(PhantomData<fn() -> F>);

impl<F> Clone for Callee<F> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<F> Copy for Callee<F> {}

/// A type of elements that a function in an expression gives. The node of the call is named by this trait: so if the function gives
/// something else, the type of the call is unknown, and the compiler says nothing about the expression around it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of an element",
    label = "no dtype has elements of `{Self}`",
    note = "elements are `f32`, `i64`, `bool` and the like; in `fuse!` the value of a function of tensors is taken by `&f(&x)`"
)]
pub trait CallResult: Element {
    /// The node itself.
    type Node<Called>;

    /// Returns the node.
    fn node<Called>(called: Called) -> Self::Node<Called>;
}

// One impl for every element would also be taken for other types.
macro_rules! results {
    ($($marker:ident $index:literal $name:literal $element:ident $kind:ident $size:literal $($numbers:ty),*;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl CallResult for $element {
            type Node<Called> = Called;

            #[inline(always)]
            fn node<Called>(called: Called) -> Called {
                called
            }
        }
    )*};
}

supremum_macros::with_dtypes!(results, typenum);

/// The rank that several parts broadcast to.
macro_rules! rank_of {
    ($rank:ty) => { $rank };
    ($rank:ty, $next:ty $(, $more:ty)*) => {
        rank_of!(<$rank as Broadcast<$next>>::Output $(, $more)*)
    };
}

macro_rules! calls {
    ($here:ident: $($Called:ident $call:ident $Function:ident $message:literal ($A:ident $X:ident $a:ident $(, $B:ident $Y:ident $b:ident $S:ident)*) [$($broadcast:tt)*];)*) => {$(
        #[doc = $message]
        pub struct $Called<F, $A, $($B,)* N> {
            $a: $A,
            $($b: $B,)*
            types: PhantomData<fn() -> (F, N)>,
        }

        impl<F, $A: Copy, $($B: Copy,)* N> Clone for $Called<F, $A, $($B,)* N> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<F, $A: Copy, $($B: Copy,)* N> Copy for $Called<F, $A, $($B,)* N> {}

        impl<F, $X, $($Y,)* $A, $($B,)* N> Expression for $Called<F, $A, $($B,)* N>
        where
            F: ElementFunction<Arguments = ($X, $($Y,)*)>,
            $X: Element,
            $A: Expression,
            $($Y: Element, $B: Expression,)*
            N: Rank,
        {
            type DType = <F::Output as Element>::Marker;
            type Operand = <$A::Rules as Rules>::Operand<<F::Output as Element>::Marker, N>;
            type Rank = N;
            type Rules = $A::Rules;
        }

        impl<F, $X, $($Y,)* $A, $($B,)* N> Compile for $Called<F, $A, $($B,)* N>
        where
            F: ElementFunction<Arguments = ($X, $($Y,)*)>,
            $X: Element,
            $A: Compile,
            $($Y: Element, $B: Compile,)*
        {
            type Loop = fused::$Called<Callee<F>, In<$A, $X> $(, In<$B, $Y>)*>;
            const COMPILABLE: bool = $A::COMPILABLE $(&& $B::COMPILABLE)*;

            #[inline]
            fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>, _: DType) -> Option<Self::Loop> {
                let $a = compile_in(&self.$a, sources, $X::DTYPE)?;
                $(let $b = compile_in(&self.$b, sources, $Y::DTYPE)?;)*
                Some(fused::$Called::new($a $(, $b)*))
            }
        }

        impl<F, $X, $($Y: Element,)*> fused::$Function<$X $(, $Y)*> for Callee<F>
        where
            F: ElementFunction<Arguments = ($X, $($Y,)*)>,
            $X: Element,
        {
            type Output = F::Output;

            #[inline(always)]
            fn call($a: $X $(, $b: $Y)*) -> F::Output {
                F::call(($a, $($b,)*))
            }
        }

        impl<F, $X, $($Y,)* $A, $($B,)* N> Record for $Called<F, $A, $($B,)* N>
        where
            F: ElementFunction<Arguments = ($X, $($Y,)*)>,
            $X: Element,
            $A: Expression,
            $($Y: Element, $B: Expression,)*
        {
            fn record<'a>(&'a self, to: &mut GraphBuilder<'a>, _: Context) -> Result<GraphValue, Error> {
                let GraphValue($a) = self.$a.record(to, Context::alone($A::DType::DTYPE))?;
                $(let GraphValue($b) = self.$b.record(to, Context::alone($B::DType::DTYPE))?;)*
                let function = |$a: $X, $($b: $Y),*| F::call(($a, $($b,)*));
                to.graph.$call(F::name(), function, $a, $($b),*).map(GraphValue)
            }
        }

        supremum_macros::signatures! {
        $here

        #[doc = $message]
        pub fn $call<F, Out, $X, $($Y,)* $A, $($B, $S,)*>(
            _: F,
            $a: Fused<$A>,
            $($b: Fused<$B>,)*
        ) -> Fused<Out::Node<$Called<Function<F, ($X, $($Y,)*), Out>, $A, $($B,)* rank_of!($A::Rank $(, $B::Rank)*)>>>
        where
            F: Fn($X $(, $Y)*) -> Out + Copy + 'static,
            Out: CallResult,
            $A: Expression<DType: HasElements<$X>>,
            $($B: Expression<Rules = $S, DType: HasElements<$Y>>, $A::Rules: SameRules<$S>,)*
            $($broadcast)*
        {
            Fused(Out::node($Called { $a: $a.0, $($b: $b.0,)* types: PhantomData }))
        }
        }
    )*};
}

calls! {
    here:
    Called1 call1 Function1 "A call of a function of one element." (A X a) [];
    Called2 call2 Function2 "A call of a function of two elements." (A X a, B Y b S) [A::Rank: Broadcast<B::Rank>];
    Called3 call3 Function3 "A call of a function of three elements." (A X a, B Y b S, C Z c T) [A::Rank: Broadcast<B::Rank, Output: Broadcast<C::Rank>>];
}
