//! `fuse!`: expressions that are evaluated in one pass, without tensors for intermediate results.
//!
//! The macro rewrites the expression to one of `Fused` values. `leaf` wraps operands, `right` and `left` wrap literals;
//! operators and methods combine them as they combine tensors. Each step makes a node whose type has the dtype, rank
//! and rules, so that the compiler checks promotions as it does between tensors. A node is then evaluated in one of two
//! ways:
//!
//! 1. [`Compile`]: the node's type is a loop of its own, compiled for the expression. This needs an optimised build,
//!    and operations that have a loop and cannot fail.
//! 2. [`Record`]: the node records itself in a `Graph`, which has run-time dtypes only and is interpreted block by
//!    block. Reductions, traces and everything else that does not compile go this way.
//!
//! - `leaf.rs`: tensors, elements, the output, values of `let`; `literal.rs`: literals and their range check;
//! - `operators.rs`, `methods.rs`, `element.rs`: operators, methods and functions, and their nodes;
//! - `reduce.rs`: reductions of a whole expression;
//! - `run.rs`: evaluation; `backend.rs`: `fuse_backend!`, which reports the way.
//!
//! Why there are both ways: `docs/decisions/interpreter-and-loops.md`.

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
use crate::exec::{Graph, Value, require_current};
pub use crate::kernel::fused::{CallSite, LoopInputs};
use crate::kernel::fused::{Cast, Node};
use crate::rank::Rank;
use crate::rules::Rules;

/// An expression that `fuse!` builds; operators and methods act on it.
#[derive(Clone, Copy)]
pub struct Fused<E>(E);

impl<E: Expression> fmt::Debug for Fused<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an expression of {}", E::DType::DTYPE)
    }
}

/// Part of an expression, with the dtype, rank and rules of its value as types.
pub trait Expression: Record + Compile + Copy {
    /// The dtype of its value.
    type DType: StaticDType;
    /// Its operand type: [`Rules::Operand`] of its dtype and rank, except for literals.
    type Operand: StaticDType;
    /// Its rank.
    type Rank: Rank;
    /// Its rules.
    type Rules: Rules;
}

/// Part of an expression that can be recorded in a graph, without its types.
pub trait Record {
    /// Adds the part to a graph. A literal converts to the dtype of `context`.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] and the other errors that follow from the shapes of operands;
    /// [`Error::LiteralOutOfRange`].
    #[doc(hidden)]
    fn record<'a>(
        &'a self,
        to: &mut GraphBuilder<'a>,
        context: Context,
    ) -> Result<GraphValue, Error>;
}

/// Part of an expression that may compile to a loop.
pub trait Compile {
    /// The node of the compiled loop.
    #[doc(hidden)]
    type Loop: Node;
    /// Whether the part compiles: every operation in it has a loop, and none can fail.
    const COMPILABLE: bool;

    /// Makes the loop node and adds its inputs to `sources`. It is `None` if a literal does not convert;
    /// [`Record::record`] then returns the error.
    ///
    /// # Panics
    /// May panic if [`Self::COMPILABLE`] is false.
    #[doc(hidden)]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>) -> Option<Self::Loop>;
}

/// The elements of a dtype.
type ElementOf<D> = <D as StaticDType>::Element;

/// The loop node of a part, with its results cast to `T`.
type In<A, T> = Cast<<A as Compile>::Loop, T>;

/// Makes the loop node of [`In`].
fn compile_in<'a, A: Compile, T: Element>(
    x: &'a A,
    sources: &mut LoopInputs<'a>,
) -> Option<In<A, T>> {
    Some(Cast::new(x.compile(sources)?))
}

/// The parent of a part: the operation's name (for errors) and the dtype to which literals convert.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    operation: &'static str,
    dtype: DType,
}

impl Context {
    /// The context of a part whose dtype does not depend on other operands.
    fn alone<D: StaticDType>() -> Self {
        Self {
            operation: "fuse!",
            dtype: D::DTYPE,
        }
    }
}

/// A graph under construction; opaque.
pub struct GraphBuilder<'a> {
    graph: Graph<'a>,
    /// The values of `let` bindings that have been recorded.
    shared: Vec<Option<Value>>,
}

impl GraphBuilder<'_> {
    fn new() -> Self {
        Self {
            graph: Graph::new(),
            shared: Vec::new(),
        }
    }
}

/// A value of a graph; opaque.
#[derive(Clone, Copy, Debug)]
pub struct GraphValue(Value);

/// An expression without its types, so that the code that interprets it is compiled once, not for each expression.
#[derive(Clone, Copy)]
struct DynExpr<'e> {
    expression: &'e (dyn Record + 'e),
    dtype: DType,
}

impl<E: Expression> Fused<E> {
    fn erased(&self) -> DynExpr<'_> {
        DynExpr {
            expression: &self.0,
            dtype: E::DType::DTYPE,
        }
    }
}

impl<'e> DynExpr<'e> {
    /// Records the expression; returns the graph and the value of the expression in it.
    fn graph(self) -> Result<(Graph<'e>, Value), Error> {
        self.graph_in(GraphBuilder::new())
    }

    /// [`Self::graph`] for an output.
    fn graph_for(self, out: &Array) -> Result<(Graph<'e>, Value), Error> {
        let mut builder = GraphBuilder::new();
        require_current("fuse!", out)?;
        builder.graph.hold(out);
        self.graph_in(builder)
    }

    fn graph_in(self, mut builder: GraphBuilder<'e>) -> Result<(Graph<'e>, Value), Error> {
        let context = Context {
            operation: "fuse!",
            dtype: self.dtype,
        };
        let GraphValue(value) = self.expression.record(&mut builder, context)?;
        Ok((builder.graph, value))
    }
}

#[cfg(test)]
mod tests {
    use crate::op::each_unary;
    use crate::ops::lists::{each_binary, each_comparison, each_position, each_reduction};
    use crate::tensor::view::each_view;

    type Words<'a> = (
        &'a [&'a str],
        &'a [(&'a str, &'a str)],
        &'a [&'a str],
        &'a [&'a str],
    );

    macro_rules! functions {
        ($($(#[doc = $doc:literal])+ $name:ident: $kernel:ident, $group:ident $(+ $Bound:ident)?, $compute:ident { $(#[doc = $example:literal])* })*) => {
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
            $keepdims:ident $try_keepdims:ident
            { $(#[doc = $example:literal])* }
        )*) => {
            $($all.extend([
                stringify!($name), stringify!($axis), stringify!($axes), stringify!($keepdims),
            ]);)*
        };
    }

    macro_rules! positions {
        ($all:ident; $(
            $(#[doc = $doc:literal])+ $what:literal $op:expr,
            $name:ident $try_all:ident $axis:ident $try_axis:ident $keepdims:ident $try_keepdims:ident
            { $(#[doc = $example:literal])* }
        )*) => {
            $($all.extend([stringify!($name), stringify!($axis), stringify!($keepdims)]);)*
        };
    }

    macro_rules! views {
        ($(
            $(#[doc = $doc:literal])+ errors $errors:literal
            fn $name:ident, $try_name:ident $(<$($generic:ident: $bound:path),+>)? $([$result:ident: Rank])? ($($arguments:tt)*) -> $output:ty
            $(where $($left:ty: $right:path),+)? { $body:expr } { $(#[doc = $example:literal])* }
        )*) => {
            [$(stringify!($name),)* "transpose", "flatten", "with_rules", "strong"]
        };
    }

    #[test]
    fn the_macros_know_the_limits_of_the_library() {
        let (rank, bound): (usize, usize) = supremum_macros::limits!();
        assert_eq!(rank, crate::array::MAX_RANK);
        assert_eq!(bound, crate::kernel::fused::MAX_BOUND);
    }

    #[test]
    fn the_macro_knows_the_operations_of_the_library() {
        let (functions, methods, reductions, views): Words<'_> = supremum_macros::fuse_words!();
        let sorted = |words: &[&str]| {
            let mut words: Vec<String> = words.iter().map(ToString::to_string).collect();
            words.sort();
            words
        };
        assert_eq!(sorted(functions), sorted(&each_unary!(methods functions!)));
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
