//! The model of an invocation of `fuse!`.

use proc_macro2::{Span, TokenStream};
use syn::{AngleBracketedGenericArguments, Expr, Ident, Path};

use crate::literal::Literal;

/// A whole invocation.
pub(super) struct Program {
    /// The tensors and elements that the expression reads, each once.
    pub(super) leaves: Vec<Expr>,
    /// The values of `let` bindings, in the order of evaluation.
    pub(super) bindings: Vec<Node>,
    pub(super) result: Node,
    /// The reduction of the result, if any.
    pub(super) reduction: Option<Reduction>,
    /// `out = ..`, and `out += ..`, which is `out = out + ..`.
    pub(super) target: Option<Expr>,
}

/// A reduction by its method, whose arguments are ordinary code.
pub(super) struct Reduction {
    pub(super) method: Ident,
    pub(super) arguments: TokenStream,
}

/// An expression.
pub(super) enum Node {
    /// One of the leaves.
    Leaf(usize, Span),
    /// The elements of the output before they are written.
    Target(Span),
    /// One of the bindings.
    Binding(usize),
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
    /// A call of a user's function on elements.
    Call {
        function: Path,
        arguments: Vec<Node>,
    },
}

impl Node {
    /// Returns whether operations are nested to that depth.
    pub(super) fn is_deep(&self, depth: usize) -> bool {
        let Some(below) = depth.checked_sub(1) else {
            return true;
        };
        match self {
            Self::Leaf(..) | Self::Target(_) | Self::Binding(_) | Self::Literal(_) => false,
            Self::Prefix { x, .. } | Self::Function { x, .. } | Self::Convert { x, .. } => {
                x.is_deep(below)
            }
            Self::Infix { lhs, rhs, .. } | Self::Method { lhs, rhs, .. } => {
                lhs.is_deep(below) || rhs.is_deep(below)
            }
            Self::Select {
                condition,
                then,
                otherwise,
                ..
            } => [condition, then, otherwise]
                .iter()
                .any(|part| part.is_deep(below)),
            Self::Call { arguments, .. } => arguments.iter().any(|part| part.is_deep(below)),
        }
    }
}
