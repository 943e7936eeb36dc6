//! The model of an invocation of `fuse!`.

use proc_macro2::{Span, TokenStream};
use syn::{AngleBracketedGenericArguments, Expr, ExprMethodCall, Ident, Path};

use super::names::calls;
use crate::literal::Literal;

/// A whole invocation.
pub(super) struct Program {
    /// The tensors and elements that the expression reads, each once.
    pub(super) leaves: Vec<Place>,
    /// The values of `let` bindings.
    pub(super) bindings: Vec<Node>,
    /// The expressions that are evaluated before the result.
    pub(super) passes: Vec<Pass>,
    /// The number of values that the passes give.
    pub(super) results: usize,
    /// The bindings and passes, in the order in which they stand before the result.
    pub(super) steps: Vec<Step>,
    pub(super) result: Node,
    /// The number of hoistable parts.
    pub(super) hoistable: usize,
    /// The reduction of the result, if any.
    pub(super) reduction: Option<Reduction>,
    /// `out = ..`, and `out += ..`, which is `out = out + ..`.
    pub(super) target: Option<Place>,
}

/// The code of a tensor or an element.
pub(super) struct Place {
    pub(super) code: Expr,
    /// The number of calls at its end that make views.
    pub(super) views: usize,
    /// The marker of the dtype, if the code is `count as f32` without `&(..)`: the compiler checks that `count` is a number.
    pub(super) number_of: Option<&'static str>,
}

impl Place {
    /// Makes the place of code that ends with calls of views, by their names.
    pub(super) fn with_views(code: Expr, is_view: impl Fn(&str) -> bool) -> Self {
        let views = calls(&code).take_while(|call| is_view(&call.method.to_string()));
        Self {
            views: views.count(),
            code,
            number_of: None,
        }
    }

    /// Returns the calls that make views, the last first.
    pub(super) fn views(&self) -> impl Iterator<Item = &ExprMethodCall> {
        calls(&self.code).take(self.views)
    }
}

/// A statement before the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The value of a binding, which is part of the expressions that read it.
    Binding(usize),
    /// A pass, which is evaluated.
    Pass(usize),
}

/// An expression that is evaluated before the result, which reads its values as tensors.
pub(super) struct Pass {
    pub(super) of: Node,
    /// `true` if its value has as many elements as its operands: it is no reduction, and not computed of the values of reductions alone.
    pub(super) is_wide: bool,
    /// The values and their numbers. A mean and a variance of the same elements come from one pass.
    pub(super) values: Vec<(usize, Option<Reduction>)>,
}

/// A reduction, or another operation on whole tensors, by its method, whose arguments are ordinary code.
#[derive(Clone)]
pub(super) struct Reduction {
    pub(super) method: Ident,
    /// The types and arguments of the call.
    pub(super) turbofish: Option<AngleBracketedGenericArguments>,
    pub(super) arguments: TokenStream,
    /// `true` if the method is one of tensors, which is called on the value of the expression.
    pub(super) is_of_tensors: bool,
    /// `true` if that method promotes with its first argument, a reference to a tensor.
    pub(super) is_promoting: bool,
}

/// An expression.
pub(super) enum Node {
    /// One of the leaves.
    Leaf(usize, Span),
    /// The elements of the output before they are written.
    Target(Span),
    /// One of the bindings.
    Binding(usize),
    /// One of the values of passes.
    Evaluated(usize, Span),
    Literal(Literal),
    /// `-x` or `!x`.
    Prefix {
        name: Ident,
        x: Box<Node>,
    },
    Infix {
        operator: TokenStream,
        group: String,
        lhs: Box<Node>,
        rhs: Box<Node>,
    },
    /// A function of one operand.
    Function {
        name: Ident,
        x: Box<Node>,
    },
    /// A method of two operands.
    Method {
        name: Ident,
        group: String,
        /// `true` if it is one of the two operations of `.clamp(.., ..)`.
        of_clamp: bool,
        lhs: Box<Node>,
        rhs: Box<Node>,
    },
    /// `.cast::<D>()`, `.cast_saturating::<D>()` or `.widen::<D>()`.
    Convert {
        name: Ident,
        to: AngleBracketedGenericArguments,
        x: Box<Node>,
    },
    Select {
        span: Span,
        condition: Box<Node>,
        then: Box<Node>,
        otherwise: Box<Node>,
    },
    /// A costly part that may have fewer elements than the whole: its number, and the part.
    Hoistable(usize, Box<Node>),
    /// A call of a user's function on elements.
    Call {
        function: Path,
        arguments: Vec<Node>,
    },
}

/// The operands of an operation, in their order. `$iter` borrows those of a call: `iter` or `iter_mut`.
macro_rules! operands {
    ($node:expr, $iter:ident) => {
        match $node {
            Self::Leaf(..)
            | Self::Target(_)
            | Self::Binding(_)
            | Self::Evaluated(..)
            | Self::Literal(_) => Vec::new(),
            Self::Hoistable(_, x) => vec![x],
            Self::Prefix { x, .. } | Self::Function { x, .. } | Self::Convert { x, .. } => vec![x],
            Self::Infix { lhs, rhs, .. } | Self::Method { lhs, rhs, .. } => vec![lhs, rhs],
            Self::Select {
                condition,
                then,
                otherwise,
                ..
            } => vec![condition, then, otherwise],
            Self::Call { arguments, .. } => arguments.$iter().collect(),
        }
    };
}

impl Node {
    /// Returns the operands of an operation, in their order.
    pub(super) fn operands(&self) -> Vec<&Self> {
        operands!(self, iter)
    }

    /// [`Self::operands`], to change them.
    pub(super) fn operands_mut(&mut self) -> Vec<&mut Self> {
        operands!(self, iter_mut)
    }

    /// Returns whether operations are nested to that depth.
    pub(super) fn is_deep(&self, depth: usize) -> bool {
        match depth.checked_sub(1) {
            Some(below) => self.operands().iter().any(|part| part.is_deep(below)),
            None => true,
        }
    }
}
