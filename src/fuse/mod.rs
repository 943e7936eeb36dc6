//! `fuse!`: expressions that are evaluated in one pass.
//!
//! The macro writes an expression of `Fused` values: leaves by `leaf`, literals by `right` and
//! `left`, operators and methods as between tensors. Each gives a node whose type knows its dtype,
//! rank and rules, so that the compiler judges promotions as it does elsewhere. `run` lowers the
//! nodes to a `Program`, which holds no types any more, and evaluates it; in optimised builds most expressions are
//! compiled to a loop of their own instead (`Compile`).
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
pub use crate::kernel::fused::{CallSite, LoopInputs};
use crate::kernel::fused::{Cast, Node};
use crate::kernel::{Graph, Value};
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
pub trait Expression: Record + Compile + Copy {
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
pub trait Record {
    /// Adds it to a graph. Literals convert in a dtype.
    ///
    /// # Errors
    /// [`Error::ShapeMismatch`] and the other errors that the shapes of operands decide;
    /// [`Error::LiteralOutOfRange`].
    #[doc(hidden)]
    fn record<'a>(
        &'a self,
        to: &mut GraphBuilder<'a>,
        context: Context,
    ) -> Result<GraphValue, Error>;
}

/// Part of an expression that may be compiled to a loop.
pub trait Compile {
    /// What that loop computes.
    #[doc(hidden)]
    type Loop: Node;
    /// Whether there is one: everything in it has a loop, and nothing can fail.
    const COMPILABLE: bool;

    /// Its loop, with what it reads; `None` if a literal does not convert, of which [`Record::record`] tells more.
    ///
    /// # Panics
    /// If there is none.
    #[doc(hidden)]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>) -> Option<Self::Loop>;
}

/// The elements of a dtype.
type ElementOf<D> = <D as StaticDType>::Element;

/// A part's loop, with its results in another format.
type In<A, T> = Cast<<A as Compile>::Loop, T>;

/// That loop.
fn compile_in<'a, A: Compile, T: Element>(
    x: &'a A,
    sources: &mut LoopInputs<'a>,
) -> Option<In<A, T>> {
    Some(Cast::new(x.compile(sources)?))
}

/// What takes a part: the operation, for messages, and the dtype in which literals convert.
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

/// A graph that is being made; opaque.
pub struct GraphBuilder<'a> {
    graph: Graph<'a>,
    /// The values of `let` bindings that are there already.
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

/// An expression without its types: what interprets it is compiled once, not with each expression.
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
    /// The graph that computes it, and its value there.
    fn graph(self) -> Result<(Graph<'e>, Value), Error> {
        self.graph_in(GraphBuilder::new())
    }

    /// The same, for an output.
    #[cfg_attr(
        not(feature = "stablehlo"),
        expect(unused, reason = "traces need to know the output")
    )]
    fn graph_for(self, out: &Array) -> Result<(Graph<'e>, Value), Error> {
        let mut builder = GraphBuilder::new();
        #[cfg(feature = "stablehlo")]
        {
            crate::stablehlo::belongs("fuse!", out)?;
            builder.graph.hold(out);
        }
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
