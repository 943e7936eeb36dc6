//! Hoistable parts: costly parts that do not read all operands, and so may have fewer elements than the whole.
//!
//! ```text
//! (x - mean) * (var + 1e-5).rsqrt() * gain
//!              -------------------- reads one of four operands
//! ```
//!
//! The macro does not know the shapes. At run time, a part that has fewer elements is computed before the loop, and the loop reads its
//! elements; else the loop computes it (`fuse/hoistable.rs` of the library). A marked part has another type, which takes time to compile.
//! So only parts are marked that cost more than reading an element, and of nested ones with the same operands the outermost.

use super::model::{Node, Program};
use super::passes::Uses;
use super::share::calls;
use crate::limits::MAX_INPUTS;

/// Marks the hoistable parts of a program.
pub(super) fn mark(program: &mut Program) {
    let uses = Uses::new(program);
    let free = MAX_INPUTS.saturating_sub(uses.first_free());
    let mut marker = Marker {
        operands_of_bindings: Vec::new(),
        leaves: program.leaves.len(),
        marked: 0,
        free,
    };
    let mut expressions: Vec<&mut Node> =
        program.passes.iter_mut().map(|pass| &mut pass.of).collect();
    expressions.push(&mut program.result);
    for binding in &program.bindings {
        let operands = marker.operands(binding);
        marker.operands_of_bindings.push(operands);
    }
    let all = expressions.iter().fold(Operands::default(), |all, node| {
        all.and(marker.operands(node))
    });
    for expression in expressions {
        let whole = marker.operands(expression);
        marker.parts(expression, whole);
    }
    for binding in &mut program.bindings {
        if marker.parts(binding, all) {
            marker.mark(binding, all);
        }
    }
    program.hoistable = marker.marked;
}

/// The operands that a part reads, one bit for each.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Operands {
    bits: u128,
    /// `true` if the part may not be computed at another time: it reads the output, or calls a user's function.
    is_fixed: bool,
}

impl Operands {
    fn and(self, other: Self) -> Self {
        Self {
            bits: self.bits | other.bits,
            is_fixed: self.is_fixed || other.is_fixed,
        }
    }
}

struct Marker {
    operands_of_bindings: Vec<Operands>,
    /// The number of leaves.
    leaves: usize,
    /// The number of parts that are marked.
    marked: usize,
    /// The number of parts that can be marked.
    free: usize,
}

impl Marker {
    /// Marks parts of an expression, which reads `whole` together with what is around it. Returns whether it has a costly operation outside
    /// of the marked parts.
    fn parts(&mut self, node: &mut Node, whole: Operands) -> bool {
        let (own, mut is_costly) = (self.operands(node), is_costly(node));
        for operand in node.operands_mut() {
            let is_costly_operand = self.parts(operand, whole);
            // Of parts with the same operands, the outermost is marked.
            let is_outermost = self.operands(operand) != own;
            is_costly |= is_costly_operand && !(is_outermost && self.mark(operand, whole));
        }
        is_costly
    }

    /// Marks a part that does not read all operands. Returns whether it is marked.
    fn mark(&mut self, node: &mut Node, whole: Operands) -> bool {
        let own = self.operands(node);
        if own.bits == 0 || own.bits == whole.bits || own.is_fixed || self.marked == self.free {
            return false;
        }
        let part = core::mem::replace(node, Node::Binding(0));
        *node = Node::Hoistable(self.marked, Box::new(part));
        self.marked += 1;
        true
    }

    /// Returns the operands that a part reads.
    fn operands(&self, node: &Node) -> Operands {
        let operand = |number: usize| Operands {
            // A loop has far fewer operands.
            bits: 1 << number.min(127),
            is_fixed: number > 127,
        };
        match node {
            Node::Leaf(number, _) => operand(*number),
            Node::Evaluated(number, _) => operand(self.leaves + number),
            Node::Target(_) => Operands {
                bits: 1 << 127,
                is_fixed: true,
            },
            Node::Binding(number) => self.operands_of_bindings[*number],
            _ => {
                let operands = node.operands().into_iter();
                let all = operands.fold(Operands::default(), |all, node| {
                    all.and(self.operands(node))
                });
                Operands {
                    is_fixed: all.is_fixed || calls(node),
                    ..all
                }
            }
        }
    }
}

/// Returns whether an operation takes longer than reading an element.
fn is_costly(node: &Node) -> bool {
    const FAST: [&str; 9] = [
        "abs", "sign", "floor", "ceil", "round", "trunc", "relu", "conj", "neg",
    ];
    match node {
        Node::Function { name, .. } => {
            let name = name.to_string();
            !FAST.contains(&&*name) && !name.starts_with("is_")
        }
        Node::Infix { group, .. } => matches!(&**group, "Divide" | "FloorDivide"),
        Node::Method { group, .. } => !matches!(&**group, "MinMax" | "Ordering" | "Equality"),
        _ => false,
    }
}
