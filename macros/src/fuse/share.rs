//! Sharing: a slow part that an expression contains more than once becomes a binding, as if a `let` had named it.
//!
//! ```text
//! (x - x.max_keepdims(-1)).exp() / (x - x.max_keepdims(-1)).exp().sum_keepdims(-1)
//!
//! binding 0: (x - max).exp()
//! result: binding 0 / binding 0.sum_keepdims(-1)
//! ```
//!
//! Then [`hoist`](super::passes::hoist) evaluates the binding once if several passes read it. The largest equal parts are shared: a
//! part within them does not become a binding of its own, unless it stands elsewhere too. Calls of the user's functions are not
//! shared: a function that changes something is called as often as it is written.

use std::collections::{HashMap, HashSet};

use super::keys::Keys;
use super::model::{Node, Program, Step};
use crate::limits::MAX_BOUND;

/// Makes bindings of equal slow parts.
pub(super) fn share(program: &mut Program) {
    let mut keys = Keys::default();
    let mut counts = Counts::default();
    for step in &program.steps {
        match step {
            Step::Binding(number) => {
                let value = &program.bindings[*number];
                counts.add(&mut keys, value);
                let key = keys.of(value);
                keys.bind(key);
            }
            Step::Pass(number) => {
                counts.add(&mut keys, &program.passes[*number].of);
                counts.expression += 1;
            }
        }
    }
    counts.add(&mut keys, &program.result);
    let mut sharing = Sharing {
        keys,
        counts,
        bindings: core::mem::take(&mut program.bindings),
        known: HashMap::new(),
        steps: Vec::new(),
    };
    let before = sharing.bindings.len();
    for step in core::mem::take(&mut program.steps) {
        match step {
            Step::Binding(number) => {
                let mut value = core::mem::replace(&mut sharing.bindings[number], NONE);
                sharing.value(&mut value, number);
                sharing.bindings[number] = value;
            }
            Step::Pass(number) => sharing.part(&mut program.passes[number].of),
        }
        sharing.steps.push(step);
    }
    sharing.part(&mut program.result);
    program.steps = sharing.steps;
    program.bindings = sharing.bindings;
    if program.bindings.len() > before {
        number_in_order(program);
    }
}

/// Stands for a node that is elsewhere meanwhile.
const NONE: Node = Node::Binding(usize::MAX);

/// The number of occurrences of each part in a program.
#[derive(Default)]
struct Counts {
    /// The number of occurrences by key, and the expression of the first one. The parts of equal parts count once,
    /// if these may be shared.
    parts: HashMap<usize, (usize, usize)>,
    /// The parts that several passes read.
    across: HashSet<usize>,
    /// The number of the pass that is counted.
    expression: usize,
}

impl Counts {
    fn add(&mut self, keys: &mut Keys, node: &Node) {
        let key = keys.of(node);
        let (count, first) = self.parts.entry(key).or_insert((0, self.expression));
        *count += 1;
        if *first != self.expression {
            self.across.insert(key);
        }
        if *count == 1 || calls(node) {
            for operand in node.operands() {
                self.add(keys, operand);
            }
        }
    }
}

struct Sharing {
    keys: Keys,
    counts: Counts,
    bindings: Vec<Node>,
    /// The bindings of slow parts, by key.
    known: HashMap<usize, usize>,
    steps: Vec<Step>,
}

impl Sharing {
    /// Shares parts of the value of a binding. Later parts that equal the value read the binding.
    fn value(&mut self, node: &mut Node, number: usize) {
        let key = self.keys.of(node);
        if let Some(known) = self.known.get(&key) {
            *node = Node::Binding(*known);
            return;
        }
        if may_be_shared(node) {
            self.known.insert(key, number);
        }
        for operand in node.operands_mut() {
            self.part(operand);
        }
    }

    /// Shares a part of an expression, or parts of it.
    fn part(&mut self, node: &mut Node) {
        if let Node::Binding(_) = node {
            return;
        }
        let key = self.keys.of(node);
        if let Some(known) = self.known.get(&key) {
            *node = Node::Binding(*known);
            return;
        }
        let is_shared = self.counts.parts[&key].0 > 1
            // A loop binds `MAX_BOUND` values. What several passes read becomes a pass, not a value of loops.
            && (self.bindings.len() < MAX_BOUND || self.counts.across.contains(&key))
            && may_be_shared(node);
        for operand in node.operands_mut() {
            self.part(operand);
        }
        if is_shared {
            let number = self.bindings.len();
            self.known.insert(key, number);
            self.keys.bind(key);
            self.steps.push(Step::Binding(number));
            self.bindings
                .push(core::mem::replace(node, Node::Binding(number)));
        }
    }
}

/// Numbers the bindings in the order of the steps: loops compute them in the order of their numbers.
fn number_in_order(program: &mut Program) {
    let mut numbers = vec![0; program.bindings.len()];
    let mut next = 0;
    for step in &mut program.steps {
        if let Step::Binding(number) = step {
            numbers[*number] = next;
            *number = next;
            next += 1;
        }
    }
    let mut bindings: Vec<_> = core::mem::take(&mut program.bindings)
        .into_iter()
        .enumerate()
        .collect();
    bindings.sort_by_key(|(number, _)| numbers[*number]);
    program.bindings = bindings.into_iter().map(|(_, value)| value).collect();
    let passes = program.passes.iter_mut().map(|pass| &mut pass.of);
    let all = passes
        .chain(&mut program.bindings)
        .chain([&mut program.result]);
    for node in all {
        renumber(node, &numbers);
    }
}

fn renumber(node: &mut Node, numbers: &[usize]) {
    if let Node::Binding(number) = node {
        *number = numbers[*number];
    }
    for operand in node.operands_mut() {
        renumber(operand, numbers);
    }
}

/// Returns whether equal parts may be computed once: slow ones without calls.
fn may_be_shared(node: &Node) -> bool {
    is_slow(node) && !calls(node)
}

/// Returns whether an expression calls a user's function, outside of its bindings.
pub(super) fn calls(node: &Node) -> bool {
    matches!(node, Node::Call { .. }) || node.operands().into_iter().any(calls)
}

/// Returns whether an expression has an operation that takes longer than storing its value and reading it again: a user's function, or
/// a function other than those of a few instructions.
pub(super) fn is_slow(node: &Node) -> bool {
    const FAST: [&str; 12] = [
        "abs",
        "signum",
        "sign",
        "floor",
        "ceil",
        "round",
        "trunc",
        "sqrt",
        "recip",
        "conj",
        "is_nan",
        "is_finite",
    ];
    let own = match node {
        Node::Function { name, .. } => !FAST.contains(&&*name.to_string()),
        Node::Call { .. } => true,
        // Powers by a small integer are products.
        Node::Method { group, rhs, .. } if group == "Power" => !matches!(**rhs, Node::Literal(_)),
        Node::Method { group, .. } => !matches!(&**group, "MinMax" | "Ordering" | "Equality"),
        _ => false,
    };
    own || node.operands().into_iter().any(is_slow)
}
