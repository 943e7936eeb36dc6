//! `fuse!`: expressions that are evaluated in one pass.
//!
//! The macro writes an expression of `Fused` values: leaves by `leaf`, literals by `right` and
//! `left`, operators and methods as between tensors. Each gives a node whose type knows its dtype,
//! rank and rules, so that the compiler judges promotions as it does elsewhere. `run` lowers the
//! nodes to a `Program`, which holds no types any more, and evaluates it; in optimised builds most expressions are
//! compiled to a loop of their own instead (`Looped`).
//!
//! - `leaf.rs`: tensors, elements, the output, values of `let`; `literal.rs`: literals, judged;
//! - `operators.rs`, `methods.rs`, `element.rs`: what makes nodes of nodes, and the nodes;
//! - `reduce.rs`: reductions, which stand outermost;
//! - `run.rs`: evaluation; `backend.rs`: which way it takes.

mod backend;
mod define;
mod element;
pub mod groups;
mod leaf;
mod literal;
mod methods;
mod operators;
mod reduce;
mod run;

use core::fmt;

pub use backend::{FuseBackend, InterpretedReason, backend};
pub use element::{ElementFunction, call1, call2, call3};
pub use leaf::{
    Bindings, IntoLeaf, TooMany, leaf, leaf_admitting, output, shared, target, target_admitting,
};
pub use literal::{alone, exponent, left, right};
pub use methods::{neg, not, select};
pub use run::{
    Evaluate, run, run_admitting, run_admitting_into, run_into, try_run, try_run_admitting,
    try_run_admitting_into, try_run_into,
};

use crate::array::Array;
use crate::dtype::{DType, Element, StaticDType};
use crate::error::Error;
use crate::kernel::chunk::{Cast, Node};
pub use crate::kernel::chunk::{Site, Sources};
use crate::kernel::{Program, Value};
use crate::rank::Rank;
use crate::rules::Rules;

/// An expression, as the macros make it; what operators and methods act on.
#[derive(Clone, Copy)]
pub struct Fused<E>(E);

impl<E: Expression> fmt::Debug for Fused<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an expression of {}", E::DType::DTYPE)
    }
}

/// Part of an expression, with the types of its value.
pub trait Expression: Lower + Looped + Copy {
    /// What its elements are.
    type DType: StaticDType;
    /// What it is in a promotion: [`Rules::Operand`] of its dtype and rank, but for literals.
    type Operand: StaticDType;
    /// Its rank.
    type Rank: Rank;
    /// The rules that it follows.
    type Rules: Rules;
}

/// Part of an expression, without its types.
pub trait Lower {
    /// Adds it to a program. Literals land in a dtype.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] and the other errors that the shapes of operands decide;
    /// [`Error::LiteralOutOfRange`].
    #[doc(hidden)]
    fn lower<'a>(&'a self, to: &mut Lowering<'a>, context: Context) -> Result<Lowered, Error>;
}

/// Part of an expression that may be compiled to a loop.
pub trait Looped {
    /// What that loop computes.
    #[doc(hidden)]
    type Loop: Node;
    /// Whether there is one: everything in it has a loop, and nothing can fail.
    const LOOPS: bool;

    /// Its loop, with what it reads; `None` if a literal does not land, of which [`Lower::lower`] tells more.
    ///
    /// # Panics
    /// If there is none.
    #[doc(hidden)]
    fn to_loop<'a>(&'a self, sources: &mut Sources<'a>) -> Option<Self::Loop>;
}

/// The elements of a dtype.
type ElementOf<D> = <D as StaticDType>::Element;

/// A part's loop, with its results in another format.
type In<A, T> = Cast<<A as Looped>::Loop, T>;

/// That loop.
fn to_loop_in<'a, A: Looped, T: Element>(x: &'a A, sources: &mut Sources<'a>) -> Option<In<A, T>> {
    Some(Cast::new(x.to_loop(sources)?))
}

/// What takes a part: the operation, for messages, and the dtype in which literals land.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    operation: &'static str,
    dtype: DType,
}

impl Context {
    /// Of a part that is no operand.
    fn alone<D: StaticDType>() -> Self {
        Self {
            operation: "fuse!",
            dtype: D::DTYPE,
        }
    }
}

/// A program that is being made; opaque.
pub struct Lowering<'a> {
    program: Program<'a>,
    /// The values of `let` bindings that are there already.
    shared: Vec<Option<Value>>,
}

impl Lowering<'_> {
    fn new() -> Self {
        Self {
            program: Program::new(),
            shared: Vec::new(),
        }
    }
}

/// A value of a program; opaque.
#[derive(Clone, Copy, Debug)]
pub struct Lowered(Value);

/// An expression without its types: what interprets it is compiled once, not with each expression.
#[derive(Clone, Copy)]
struct Erased<'e> {
    expression: &'e (dyn Lower + 'e),
    dtype: DType,
}

impl<E: Expression> Fused<E> {
    fn erased(&self) -> Erased<'_> {
        Erased {
            expression: &self.0,
            dtype: E::DType::DTYPE,
        }
    }
}

impl<'e> Erased<'e> {
    /// The program that computes it, and its value there.
    fn program(self) -> Result<(Program<'e>, Value), Error> {
        self.program_in(Lowering::new())
    }

    /// The same, for an output.
    #[cfg_attr(
        not(feature = "stablehlo"),
        expect(unused, reason = "traces need to know the output")
    )]
    fn program_for(self, out: &Array) -> Result<(Program<'e>, Value), Error> {
        let mut lowering = Lowering::new();
        #[cfg(feature = "stablehlo")]
        {
            crate::stablehlo::belongs("fuse!", out)?;
            lowering.program.hold(out);
        }
        self.program_in(lowering)
    }

    fn program_in(self, mut lowering: Lowering<'e>) -> Result<(Program<'e>, Value), Error> {
        let context = Context {
            operation: "fuse!",
            dtype: self.dtype,
        };
        let Lowered(value) = self.expression.lower(&mut lowering, context)?;
        Ok((lowering.program, value))
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::lists::{
        each_binary, each_comparison, each_function, each_position, each_reduction,
    };
    use crate::tensor::view::each_view;

    type Words<'a> = (
        &'a [&'a str],
        &'a [(&'a str, &'a str)],
        &'a [&'a str],
        &'a [&'a str],
    );

    macro_rules! functions {
        ($($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident, $compute:ident { $(#[doc = $example:literal])* })*) => {
            [$(stringify!($name),)* "conj"]
        };
    }

    macro_rules! methods {
        ($all:ident; $($(#[doc = $doc:literal])+ $try_name:ident: $kernel:ident, $group:ident, [$($form:tt)+] { $(#[doc = $example:literal])* })*) => {
            $(methods!(@$($form)+ => $all, $group);)*
        };
        (@method $name:ident => $all:ident, $group:ident) => { $all.push((stringify!($name), stringify!($group))); };
        (@operator $($form:tt)*) => {};
    }

    macro_rules! comparisons {
        ($all:ident; $($(#[doc = $doc:literal])+ $name:ident, $try_name:ident: $kernel:ident, $group:ident { $(#[doc = $example:literal])* })*) => {
            $($all.push((stringify!($name), stringify!($group)));)*
        };
    }

    macro_rules! reductions {
        ($all:ident; $(
            $(#[doc = $doc:literal])+ $what:literal $table:ident $op:expr,
            $name:ident $try_all:ident $axis:ident $try_axis:ident $axes:ident $try_axes:ident
            $axis_keep:ident $try_axis_keep:ident $axes_keep:ident $try_axes_keep:ident
            { $(#[doc = $example:literal])* }
        )*) => {
            $($all.extend([
                stringify!($name), stringify!($axis), stringify!($axes), stringify!($axis_keep), stringify!($axes_keep),
            ]);)*
        };
    }

    macro_rules! positions {
        ($all:ident; $(
            $(#[doc = $doc:literal])+ $what:literal $op:expr,
            $name:ident $try_all:ident $axis:ident $try_axis:ident $axis_keep:ident $try_axis_keep:ident
            { $(#[doc = $example:literal])* }
        )*) => {
            $($all.extend([stringify!($name), stringify!($axis), stringify!($axis_keep)]);)*
        };
    }

    macro_rules! views {
        ($(
            $(#[doc = $doc:literal])+ errors $errors:literal
            fn $name:ident, $try_name:ident $(<$($generic:ident: $bound:path),+>)? $([$result:ident: Rank])? ($($arguments:tt)*) -> $output:ty
            $(where $($left:ty: $right:path),+)? { $body:expr } { $(#[doc = $example:literal])* }
        )*) => {
            [$(stringify!($name),)* "transpose", "flatten", "under", "strong"]
        };
    }

    #[test]
    fn the_macros_know_the_limits_of_the_library() {
        let (rank, bound): (usize, usize) = supremum_macros::limits!();
        assert_eq!(rank, crate::array::MAX_RANK);
        assert_eq!(bound, crate::kernel::chunk::MAX_BOUND);
    }

    #[test]
    fn the_macro_knows_the_operations_of_the_library() {
        let (functions, methods, reductions, views): Words<'_> = supremum_macros::fuse_words!();
        let sorted = |words: &[&str]| {
            let mut words: Vec<String> = words.iter().map(ToString::to_string).collect();
            words.sort();
            words
        };
        assert_eq!(sorted(functions), sorted(&each_function!(functions!)));
        let mut known = Vec::with_capacity(16);
        each_binary!(methods! known;);
        each_comparison!(comparisons! known;);
        known.sort_unstable();
        let mut methods = methods.to_vec();
        methods.sort_unstable();
        assert_eq!(methods, known);
        let mut known = Vec::with_capacity(64);
        each_reduction!(reductions! known;);
        each_position!(positions! known;);
        assert_eq!(sorted(reductions), sorted(&known));
        assert_eq!(sorted(views), sorted(&each_view!(views!)));
    }
}
