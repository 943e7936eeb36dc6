//! Checks the lines of a lattice, and fills the table with the join of every pair of nodes.

use std::collections::HashMap;

use super::groups::operands;
use super::written::Written;
use crate::ast::{Edges, Name};
use crate::lattice::{Closure, Join};
use crate::model::{Faults, Operand, Stated, StatedSafety};

pub(super) fn check(lines: &[Edges], written: &mut Written, faults: &mut Faults) {
    let mut drawn = Drawn::default();
    for line in lines {
        drawn.add(line, faults);
    }
    for (operand, name) in &drawn.nodes {
        written.operands.push(*operand);
        written.spans[operand.index()] = name.dtype.span();
    }
    match Closure::new(drawn.nodes.len(), &drawn.edges) {
        Ok(closure) => drawn.join(&closure, written, faults),
        Err(cycle) => drawn.report(&cycle, faults),
    }
}

/// A lattice as it is written.
#[derive(Default)]
struct Drawn<'a> {
    /// The nodes, each with the name that stands for it: that of its own line, if it has one.
    nodes: Vec<(Operand, &'a Name)>,
    /// The edges, by the numbers of their nodes.
    edges: Vec<(usize, usize)>,
    /// The place of each edge: its upper end.
    places: Vec<&'a Name>,
    /// Each edge, and whether its repetition has been reported.
    seen: HashMap<(usize, usize), bool>,
}

impl<'a> Drawn<'a> {
    /// Adds the edges of a line.
    fn add(&mut self, line: &'a Edges, faults: &mut Faults) {
        let from = self.nodes_of(&line.from, faults);
        for &from in &from {
            self.nodes[from].1 = &line.from;
        }
        for to in &line.to {
            let to_nodes = self.nodes_of(to, faults);
            for edge in from
                .iter()
                .flat_map(|from| to_nodes.iter().map(|to| (*from, *to)))
            {
                match self.seen.insert(edge, false) {
                    None => {
                        self.edges.push(edge);
                        self.places.push(to);
                    }
                    Some(told) => {
                        if !told {
                            faults.at(to, "this edge is written twice; remove one");
                        }
                        self.seen.insert(edge, true);
                    }
                }
            }
        }
    }

    /// Returns the numbers of the nodes that a name stands for: one, or those of a group. New ones are added.
    fn nodes_of(&mut self, name: &'a Name, faults: &mut Faults) -> Vec<usize> {
        let node = |operand| {
            let known = self.nodes.iter().position(|(node, _)| *node == operand);
            known.unwrap_or_else(|| {
                self.nodes.push((operand, name));
                self.nodes.len() - 1
            })
        };
        operands(name, faults).into_iter().map(node).collect()
    }

    /// Reports a cycle, at the edge that closes it.
    fn report(&self, cycle: &[usize], faults: &mut Faults) {
        let around = cycle.iter().chain(&cycle[..1]);
        let around: Vec<_> = around
            .map(|&node| format!("`{}`", self.nodes[node].0))
            .collect();
        let message = format!(
            "the lattice goes in a circle: {}; no dtype promotes to another and back, so remove one of these edges",
            around.join(" -> ")
        );
        let last = (cycle[cycle.len() - 1], cycle[0]);
        let closing = self.edges.iter().position(|edge| *edge == last);
        faults.at(self.places[closing.expect("an edge of the cycle")], message);
    }

    /// Fills the table, and reports the pairs that have no join because their bounds are several.
    fn join(&self, closure: &Closure, written: &mut Written, faults: &mut Faults) {
        // Pairs below an ambiguous pair are ambiguous too, so each pair of candidates is reported once.
        let mut reported = Vec::new();
        // Start at the top, to report the pair that a new edge would fix.
        for (lhs, (lhs_operand, _)) in self.nodes.iter().enumerate().rev() {
            for (rhs, (rhs_operand, rhs_name)) in self.nodes.iter().enumerate().rev() {
                match closure.join(lhs, rhs) {
                    Join::None => {}
                    Join::Least(least) => {
                        written.table[lhs_operand.index()][rhs_operand.index()] = Some(Stated {
                            result: self.nodes[least].0,
                            parameter: false,
                            safety: StatedSafety::Unsaid,
                        });
                    }
                    Join::Ambiguous(first, second) if !reported.contains(&(first, second)) => {
                        reported.push((first, second));
                        let (first, second) = (self.nodes[first].0, self.nodes[second].0);
                        let message = format!(
                            "`{rhs_operand}` and `{lhs_operand}` have no least common bound: both promote to `{first}` and to \
                             `{second}`, neither of which promotes to the other; connect `{first}` and `{second}` by an \
                             edge, or let both operands promote first to a dtype below them"
                        );
                        faults.at(rhs_name, message);
                    }
                    Join::Ambiguous(..) => {}
                }
            }
        }
    }
}
