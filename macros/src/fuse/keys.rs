//! Keys of expressions: equal keys are equal values.

use std::collections::HashMap;

use quote::ToTokens;

use super::model::Node;
use super::names::key_of;

/// The keys of the expressions of a program.
///
/// A key is the number of an operation and the keys of its operands. A binding has the key of its value, so that a part has one key
/// whether it is named or written out.
#[derive(Default)]
pub(super) struct Keys {
    numbers: HashMap<String, usize>,
    /// The keys of the bindings, by number.
    bindings: Vec<usize>,
}

impl Keys {
    /// Returns the key of an expression. The bindings that it reads must be [known](Self::bind).
    pub(super) fn of(&mut self, node: &Node) -> usize {
        if let Node::Binding(number) = node {
            return self.bindings[*number];
        }
        let operands = node.operands().into_iter();
        let operands = operands.map(|operand| self.of(operand).to_string());
        let operands = operands.collect::<Vec<_>>().join(",");
        let text = match node {
            Node::Leaf(number, _) => format!("leaf {number}"),
            Node::Target(_) => "target".into(),
            Node::Binding(_) => unreachable!("returned above"),
            Node::Hoistable(..) => unreachable!("marked after parts are compared"),
            Node::Evaluated(number, _) => format!("value {number}"),
            Node::Literal(literal) => format!("literal {}", literal.scalar_tokens()),
            Node::Prefix { name, .. } | Node::Function { name, .. } | Node::Method { name, .. } => {
                format!("{name}({operands})")
            }
            Node::Infix { operator, .. } => format!("{operator}({operands})"),
            Node::Convert { name, to, .. } => {
                format!("{name}{}({operands})", key_of(to.to_token_stream()))
            }
            Node::Select { .. } => format!("select({operands})"),
            Node::Call { function, .. } => {
                format!("call {}({operands})", key_of(function.to_token_stream()))
            }
        };
        let next = self.numbers.len();
        *self.numbers.entry(text).or_insert(next)
    }

    /// Sets the key of the next binding, which is that of its value.
    pub(super) fn bind(&mut self, key: usize) {
        self.bindings.push(key);
    }
}
