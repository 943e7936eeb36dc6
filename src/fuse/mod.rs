//! `fuse!`: expressions that are evaluated in one pass, without tensors for intermediate results.
//!
//! The macro rewrites the expression to one of `Fused` values. `leaf` wraps operands, `right` and `left` wrap literals;
//! operators and methods combine them as they combine tensors. Each step makes a node whose type has the dtype, rank
//! and rules, so that the compiler checks promotions as it does between tensors. A node is then evaluated in one of two
//! ways:
//!
//! 1. [`Compile`]: the node's type is a loop of its own, compiled for the expression. This needs an optimised build,
//!    and operations that have a loop.
//! 2. [`Record`]: the node records itself in a `Graph`, which has run-time dtypes only and is interpreted block by
//!    block. Traces and every expression without a compiled loop use it.
//!
//! - `leaf.rs`: tensors, elements, the output, values of `let`; `literal.rs`: literals and their range check; `number.rs`: `count as f32`;
//! - `operators.rs`, `methods.rs`, `element.rs`: operators, methods and functions, and their nodes;
//! - `hoistable.rs`: costly parts that are computed before the loop where they have fewer elements;
//! - `reduce.rs`: reductions of a whole expression; `passes.rs`: reductions within an expression, which are evaluated before it;
//!   `rows`: expressions with such reductions, evaluated some rows at a time;
//! - `run.rs`: evaluation; `backend.rs`: `fuse_backend!`, which reports which of the two ways evaluates an expression;
//! - `define.rs`: the macros; `words.rs`: the names of operations, which the macros need.
//!
//! `docs/decisions/interpreter-and-loops.md` explains why there are two ways.

mod backend;
mod define;
mod element;
#[doc(hidden)]
pub mod groups;
mod hoistable;
mod leaf;
mod literal;
mod methods;
mod number;
mod observer;
mod operators;
mod output;
mod passes;
mod reduce;
mod rows;
mod run;
mod words;

use core::fmt;

pub use backend::{FuseBackend, InterpretedReason, backend};
pub use element::{HasElements, call1, call2, call3};
pub use hoistable::{Hoistable, Hoisted, hoistable, hoisted};
pub use leaf::{
    Bindings, IntoLeaf, KnownRules, Leaf, TooMany, known_rules, leaf, leaf_admitting, operand,
    rules, shared,
};
pub use literal::{alone, exponent, left, right};
pub use methods::{neg, not, select};
pub use number::{RustNumber, number};
pub use operators::{infix, of_clamp, types_of};
pub use output::{
    FuseOutput, OutputPlace, former, former_admitting, output, target, target_admitting,
};
pub use passes::{
    Together, Unread, backend_of_passes, evaluated, pass_backend, passes_backend, run_together,
    tensor_admitting, tensor_of, try_run_together,
};
pub use rows::{
    CutLeaf, FirstRows, Former, LeafArray, Part, RowOperand, array_of, former_leaf,
    former_leaf_admitting, former_of, leaf_of, run_by_rows, run_by_rows_into, run_part,
    run_part_admitting, run_part_admitting_into, run_part_into, run_pass, run_pass_together,
    try_run_by_rows, try_run_by_rows_into,
};
pub use run::{
    Evaluate, HasDType, run, run_admitting, run_admitting_into, run_into, try_run,
    try_run_admitting, try_run_admitting_into, try_run_into,
};
pub use words::{WORDS, fuse, promote_unsafe, try_fuse};

use crate::array::Array;
use crate::dtype::{DType, Element, StaticDType};
use crate::error::Error;
use crate::exec::{Graph, Value, require_current};
pub use crate::kernel::fused::{CallSite, Compilation, Compiled, LoopInputs};
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
    /// `true` if the part compiles: every operation in it has a loop.
    const COMPILABLE: bool;

    /// Makes the loop node and adds its inputs to `sources`. A literal converts to the dtype `literals`. It is `None` if a literal
    /// does not convert, or not in loops; [`Record::record`] then gives the value or the error.
    ///
    /// # Panics
    /// May panic if [`Self::COMPILABLE`] is false.
    #[doc(hidden)]
    fn compile<'a>(&'a self, sources: &mut LoopInputs<'a>, literals: DType) -> Option<Self::Loop>;
}

/// The elements of a dtype.
type ElementOf<D> = <D as StaticDType>::Element;

/// The loop node of a part, with its results cast to `T`.
type In<A, T> = Cast<<A as Compile>::Loop, T>;

/// Makes the loop node of [`In`].
fn compile_in<'a, A: Compile, T: Element>(
    x: &'a A,
    sources: &mut LoopInputs<'a>,
    literals: DType,
) -> Option<In<A, T>> {
    Some(Cast::new(x.compile(sources, literals)?))
}

/// The parent of a part: the operation's name (for errors) and the dtype to which literals convert.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    operation: &'static str,
    dtype: DType,
}

impl Context {
    /// The context of a part whose dtype does not depend on other operands.
    fn alone(dtype: DType) -> Self {
        Self {
            operation: "fuse!",
            dtype,
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
