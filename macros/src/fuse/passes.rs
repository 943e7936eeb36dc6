//! Passes: the parts of an expression that are evaluated before its result.
//!
//! A reduction within an expression needs all elements before the rest can be computed. So the parser makes a pass of it, and
//! the rest reads the value as a tensor, as if a statement in front had evaluated it:
//!
//! ```text
//! (x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt()
//!
//! pass 0: mean, var = x.mean_keepdims(-1), x.var_keepdims(-1)    one loop
//! pass 1: root = (var + 1e-5).rsqrt()                            one element for each row
//! result: (x - mean) * root
//! ```
//!
//! [`hoist`] makes the passes like pass 1: costly operations on values of passes alone, which a loop over the result would compute
//! again for each element. It also makes passes of bindings with slow functions that several passes would compute again. [`Uses`] says
//! which bindings and operands each pass reads, and numbers the operands.

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::keys::Keys;
use super::model::{Node, Pass, Program, Step};
use super::names::{is_repeatable, key_of};
use super::share::{calls, is_slow};

/// Makes passes of costly operations on values of passes alone.
pub(super) fn hoist(program: &mut Program) {
    if program.passes.is_empty() {
        return;
    }
    let axes = (0..program.results).map(|_| None).collect();
    let uses = Uses::new(program);
    let mut hoister = Hoister {
        axes,
        axes_of_bindings: vec![None; program.bindings.len()],
        keys: Keys::default(),
        known: Vec::new(),
        passes: Vec::new(),
        results: program.results,
        first: program.passes.len(),
        steps: Vec::new(),
        aliases: Vec::new(),
    };
    for (number, pass) in program.passes.iter().enumerate() {
        for (value, reduction) in &pass.values {
            let Some(reduction) = reduction.as_ref().filter(|value| !value.is_of_tensors) else {
                continue;
            };
            let method = reduction.method.to_string();
            let form = method.rsplit_once('_').map_or("", |(_, form)| form);
            hoister.axes[*value] = Some(match form {
                "axis" | "keepdims" if is_repeatable(reduction.arguments.clone()) => {
                    format!("{form} {}", key_of(reduction.arguments.clone()))
                }
                "axis" | "keepdims" => format!("pass {number}"),
                _ => String::new(),
            });
        }
    }
    for step in core::mem::take(&mut program.steps) {
        match step {
            Step::Binding(number) => {
                let key = hoister.keys.of(&program.bindings[number]);
                hoister.keys.bind(key);
                hoister.part(&mut program.bindings[number]);
                let readers = uses.bindings.iter().filter(|read| read[number]).count();
                if readers > 1 && is_slow(&program.bindings[number]) {
                    hoister.evaluate(&mut program.bindings[number], None);
                    if let Node::Evaluated(value, _) = program.bindings[number] {
                        hoister.aliases.push((number, value));
                    }
                }
                let axes = hoister.axes_of(&program.bindings[number]);
                hoister.axes_of_bindings[number] = axes;
                if let Node::Evaluated(value, _) = program.bindings[number] {
                    hoister.aliases.push((number, value));
                }
            }
            Step::Pass(number) => hoister.whole(&mut program.passes[number].of),
        }
        hoister.steps.push(step);
    }
    hoister.whole(&mut program.result);
    program.steps = hoister.steps;
    program.passes.append(&mut hoister.passes);
    program.results = hoister.results;
}

struct Hoister {
    /// The axes of each value, as a key: values of the same axes broadcast to one of them. Empty for a single element.
    axes: Vec<Option<String>>,
    /// The axes of the bindings of values alone.
    axes_of_bindings: Vec<Option<String>>,
    keys: Keys,
    /// The keys of the operations that have become passes, and their values.
    known: Vec<(usize, usize)>,
    passes: Vec<Pass>,
    results: usize,
    /// The number of the first pass in `passes`.
    first: usize,
    steps: Vec<Step>,
    /// The bindings that have become values of passes.
    aliases: Vec<(usize, usize)>,
}

impl Hoister {
    /// Hoists parts of an expression that is evaluated by itself.
    fn whole(&mut self, node: &mut Node) {
        self.read_aliases(node);
        if self.axes_of(node).is_none() {
            self.operands(node);
        }
    }

    /// Hoists a part of an expression, or parts of it.
    fn part(&mut self, node: &mut Node) {
        self.read_aliases(node);
        match self.axes_of(node) {
            Some(axes) if is_costly(node) => self.evaluate(node, Some(axes)),
            _ => self.operands(node),
        }
    }

    /// Makes a pass of an expression, or shares the value of an equal one.
    fn evaluate(&mut self, node: &mut Node, axes: Option<String>) {
        let key = self.keys.of(node);
        let known = self.known.iter().find(|(known, _)| *known == key);
        let value = match known {
            Some((_, value)) => *value,
            None => {
                let value = self.results;
                self.results += 1;
                let of = core::mem::replace(node, Node::Binding(0));
                self.steps.push(Step::Pass(self.first + self.passes.len()));
                self.passes.push(Pass {
                    of,
                    is_wide: axes.is_none(),
                    values: vec![(value, None)],
                });
                self.axes.push(axes);
                self.known.push((key, value));
                value
            }
        };
        *node = Node::Evaluated(value, proc_macro2::Span::call_site());
    }

    fn operands(&mut self, node: &mut Node) {
        for operand in node.operands_mut() {
            self.part(operand);
        }
    }

    /// Reads values in place of the bindings that have become values.
    fn read_aliases(&self, node: &mut Node) {
        if let Node::Binding(number) = node
            && let Some((_, value)) = self.aliases.iter().find(|(binding, _)| binding == number)
        {
            *node = Node::Evaluated(*value, proc_macro2::Span::call_site());
        }
        for operand in node.operands_mut() {
            self.read_aliases(operand);
        }
    }

    /// Returns the axes of an expression of values alone, if all of them have the same.
    fn axes_of(&self, node: &Node) -> Option<String> {
        match node {
            Node::Evaluated(number, _) => return self.axes[*number].clone(),
            Node::Binding(number) => return self.axes_of_bindings[*number].clone(),
            Node::Leaf(..) | Node::Target(_) | Node::Literal(_) => return None,
            _ => {}
        }
        let mut all: Option<String> = None;
        for operand in node.operands() {
            if let Node::Literal(_) = operand {
                continue;
            }
            let axes = self.axes_of(operand)?;
            match &all {
                Some(before) if before.is_empty() || *before == axes => all = Some(axes),
                Some(_) if axes.is_empty() => {}
                Some(_) => return None,
                None => all = Some(axes),
            }
        }
        all
    }
}

/// Returns whether an expression has an operation that takes longer than reading its value from memory.
fn is_costly(node: &Node) -> bool {
    let own = match node {
        Node::Function { .. } | Node::Call { .. } => true,
        Node::Infix { group, .. } => matches!(&**group, "Divide" | "FloorDivide"),
        Node::Method { group, .. } => !matches!(&**group, "MinMax" | "Ordering" | "Equality"),
        _ => false,
    };
    own || node.operands().into_iter().any(is_costly)
}

/// Returns the smallest rank of operands at which the expression does not reduce their first axis. `None` if it cannot be evaluated for
/// some rows at a time: that takes reductions that keep their axes, axes that are literals, and operands that are all tensors.
pub(super) fn rank_with_rows(program: &Program) -> Option<usize> {
    let expressions = program.passes.iter().map(|pass| &pass.of);
    let mut expressions = expressions
        .chain(&program.bindings)
        .chain([&program.result]);
    if program.passes.is_empty() || program.reduction.is_some() || expressions.any(calls) {
        return None;
    }
    let mut rank = 2;
    for (_, reduction) in program.passes.iter().flat_map(|pass| &pass.values) {
        let Some(reduction) = reduction else { continue };
        if reduction.is_of_tensors || !reduction.method.to_string().ends_with("_keepdims") {
            return None;
        }
        rank = rank.max(rank_beyond(reduction.arguments.clone())?);
    }
    Some(rank)
}

/// Returns the smallest rank whose first axis is not one of these axes. They must be literals: `-1`, `1` or `[-2, -1]`.
fn rank_beyond(axes: TokenStream) -> Option<usize> {
    let (mut rank, mut is_negative) = (1, false);
    for token in axes {
        match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
                rank = rank.max(rank_beyond(group.stream())?);
            }
            TokenTree::Punct(punct) => is_negative = punct.as_char() == '-',
            TokenTree::Literal(axis) => {
                let axis: usize = axis.to_string().parse().ok()?;
                match is_negative {
                    true => rank = rank.max(axis.checked_add(1)?),
                    false if axis == 0 => return None,
                    false => {}
                }
            }
            TokenTree::Ident(_) | TokenTree::Group(_) => return None,
        }
    }
    Some(rank)
}

/// An operand of an expression.
pub(super) enum Operand {
    /// A leaf; or the output, whose number is the number of leaves.
    Leaf(usize),
    Value(usize),
}

/// The bindings and operands that each expression of a program reads. The expressions are the passes, and the result as the last one.
pub(super) struct Uses {
    /// The bindings that each expression computes, by number.
    pub(super) bindings: Vec<Vec<bool>>,
    /// The bindings that read the output.
    pub(super) reads_target: Vec<bool>,
    /// The number of each leaf, of the output, and of each value, as an input of loops. Two operands of one expression have different
    /// numbers.
    pub(super) inputs: Vec<usize>,
    /// The operands that each expression reads: leaves, the output, and values.
    reads: Vec<Vec<bool>>,
    /// `true` if a pass reads the output.
    pub(super) passes_read_target: bool,
    /// The number of leaves.
    leaves: usize,
}

impl Uses {
    pub(super) fn new(program: &Program) -> Self {
        let (leaves, bindings) = (program.leaves.len(), program.bindings.len());
        let operands = leaves + 1 + program.results;
        let mut uses = Self {
            bindings: Vec::new(),
            reads_target: vec![false; bindings],
            inputs: vec![0; operands],
            reads: Vec::new(),
            passes_read_target: false,
            leaves,
        };
        // What each binding reads, with what the bindings in it read.
        let mut of_bindings: Vec<(Vec<bool>, Vec<bool>)> = Vec::new();
        for (number, value) in program.bindings.iter().enumerate() {
            let mut read = (vec![false; bindings], vec![false; operands]);
            uses.collect(value, &of_bindings, &mut read);
            uses.reads_target[number] = read.1[leaves];
            read.0[number] = true;
            of_bindings.push(read);
        }
        let expressions = program.passes.iter().map(|pass| &pass.of);
        let expressions = expressions.chain([&program.result]);
        let mut reads = Vec::new();
        for expression in expressions {
            let mut read = (vec![false; bindings], vec![false; operands]);
            uses.collect(expression, &of_bindings, &mut read);
            uses.bindings.push(read.0);
            reads.push(read.1);
        }
        let of_passes = &reads[..program.passes.len()];
        uses.passes_read_target = of_passes.iter().any(|read| read[leaves]);
        if program.passes.is_empty() {
            // An expression computes its bindings whether they are read or not.
            uses.bindings = vec![vec![true; bindings]];
            uses.inputs = (0..operands).collect();
            return uses;
        }
        // The order in which values are made: those of hoisted parts have the highest numbers, but lie in between.
        let passes = program.steps.iter().filter_map(|step| match step {
            Step::Pass(number) => Some(&program.passes[*number]),
            Step::Binding(_) => None,
        });
        let values =
            passes.flat_map(|pass| pass.values.iter().map(|(value, _)| leaves + 1 + value));
        let order: Vec<usize> = (0..=leaves).chain(values).collect();
        for (at, operand) in order.iter().enumerate() {
            let together =
                |other: &&usize| reads.iter().any(|read| read[*operand] && read[**other]);
            let taken: Vec<usize> = order[..at]
                .iter()
                .filter(together)
                .map(|other| uses.inputs[*other])
                .collect();
            let free = (0..).find(|number| !taken.contains(number));
            uses.inputs[*operand] = free.unwrap_or(0);
        }
        uses.reads = reads;
        uses
    }

    /// Returns the inputs of the result that are values of passes with one element for each row, one bit for each number.
    pub(super) fn repeats(&self, program: &Program) -> u32 {
        let is_wide = |value: usize| {
            let passes = program.passes.iter().filter(|pass| pass.is_wide);
            let mut values = passes.flat_map(|pass| &pass.values);
            values.any(|(number, _)| *number == value)
        };
        let operands = self.operands(program.passes.len());
        operands.fold(0, |all, (input, operand)| match operand {
            // A loop has far fewer inputs.
            Operand::Value(value) if !is_wide(value) && input < 32 => all | 1 << input,
            _ => all,
        })
    }

    /// Returns the leaves, the output, and the values that an expression reads, by its number, with their numbers as inputs.
    pub(super) fn operands(&self, expression: usize) -> impl Iterator<Item = (usize, Operand)> {
        let read = self.reads[expression].iter().zip(&self.inputs).enumerate();
        let read = read.filter(|(_, (is_read, _))| **is_read);
        read.map(|(operand, (_, input))| {
            let operand = match operand.checked_sub(self.leaves + 1) {
                Some(value) => Operand::Value(value),
                None => Operand::Leaf(operand),
            };
            (*input, operand)
        })
    }

    /// The lowest number that no operand has as an input.
    pub(super) fn first_free(&self) -> usize {
        self.inputs.iter().max().map_or(0, |highest| highest + 1)
    }

    /// Returns whether a pass computes a binding.
    pub(super) fn passes_read(&self, binding: usize) -> bool {
        let passes = &self.bindings[..self.bindings.len() - 1];
        passes.iter().any(|read| read[binding])
    }

    /// The number of the output as an input.
    pub(super) fn target(&self) -> usize {
        self.inputs[self.leaves]
    }

    /// Returns whether a pass or the result reads the output.
    pub(super) fn read_target(&self) -> bool {
        self.reads.iter().any(|read| read[self.leaves])
    }

    /// The number of a pass's value as an input.
    pub(super) fn value(&self, number: usize) -> usize {
        self.inputs[self.leaves + 1 + number]
    }

    fn collect(
        &self,
        node: &Node,
        of_bindings: &[(Vec<bool>, Vec<bool>)],
        read: &mut (Vec<bool>, Vec<bool>),
    ) {
        match node {
            Node::Leaf(number, _) => read.1[*number] = true,
            Node::Target(_) => read.1[self.leaves] = true,
            Node::Evaluated(number, _) => read.1[self.leaves + 1 + number] = true,
            Node::Binding(number) => {
                let (bindings, operands) = &of_bindings[*number];
                for (to, from) in read.0.iter_mut().zip(bindings) {
                    *to |= from;
                }
                for (to, from) in read.1.iter_mut().zip(operands) {
                    *to |= from;
                }
            }
            _ => {}
        }
        for operand in node.operands() {
            self.collect(operand, of_bindings, read);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::rank_beyond;

    #[test]
    fn the_first_axis_is_not_reduced_from_a_rank_on() {
        let rank = |axes: &str| rank_beyond(axes.parse().expect("tokens"));
        assert_eq!(rank("-1"), Some(2));
        assert_eq!(rank("1"), Some(1));
        assert_eq!(rank("[-2, 1]"), Some(3));
        assert_eq!(rank("&[1, -3,]"), Some(4));
        for refused in ["0", "axis", "[1, 0]", "1usize", "-(1)"] {
            assert_eq!(rank(refused), None, "{refused}");
        }
    }
}
