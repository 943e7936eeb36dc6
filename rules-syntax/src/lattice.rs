//! Least upper bounds in a directed graph without cycles.

/// The reflexive and transitive closure of the edges.
pub(crate) struct Closure {
    /// `above[a][b]`: `b` can be reached from `a`.
    above: Vec<Vec<bool>>,
}

/// The common upper bounds of two nodes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Join {
    /// No common upper bound.
    None,
    /// The least upper bound.
    Least(usize),
    /// Two minimal upper bounds, so that there is no least one.
    Ambiguous(usize, usize),
}

impl Closure {
    /// Computes the closure of `edges` among `nodes` nodes; the error is the nodes of a cycle, in order.
    pub(crate) fn new(nodes: usize, edges: &[(usize, usize)]) -> Result<Self, Vec<usize>> {
        let mut above = vec![vec![false; nodes]; nodes];
        for &(from, to) in edges {
            above[from][to] = true;
        }
        for via in 0..nodes {
            let beyond = above[via].clone();
            for above in above.iter_mut().filter(|above| above[via]) {
                for (above, beyond) in above.iter_mut().zip(&beyond) {
                    *above |= beyond;
                }
            }
        }
        if let Some(start) = (0..nodes).find(|&node| above[node][node]) {
            return Err(cycle(start, edges, nodes));
        }
        for (node, above) in above.iter_mut().enumerate() {
            above[node] = true;
        }
        Ok(Self { above })
    }

    /// Computes the least upper bound of two nodes.
    pub(crate) fn join(&self, lhs: usize, rhs: usize) -> Join {
        let common = |&node: &usize| self.above[lhs][node] && self.above[rhs][node];
        let bounds: Vec<_> = (0..self.above.len()).filter(common).collect();
        let minimal = |&&bound: &&usize| {
            let below = |&other: &usize| other != bound && self.above[other][bound];
            !bounds.iter().any(below)
        };
        let mut minimal = bounds.iter().filter(minimal);
        match (minimal.next(), minimal.next()) {
            (None, _) => Join::None,
            (Some(&least), None) => Join::Least(least),
            (Some(&first), Some(&second)) => Join::Ambiguous(first, second),
        }
    }
}

/// Finds a shortest cycle through a node that can reach itself.
fn cycle(start: usize, edges: &[(usize, usize)], nodes: usize) -> Vec<usize> {
    let mut previous = vec![None; nodes];
    let mut front = std::collections::VecDeque::from([start]);
    while let Some(node) = front.pop_front() {
        for &(_, to) in edges.iter().filter(|&&(from, _)| from == node) {
            if to == start {
                let back = |&node: &usize| previous[node];
                let mut nodes: Vec<_> = std::iter::successors(Some(node), back).collect();
                nodes.reverse();
                return nodes;
            }
            if previous[to].is_none() {
                previous[to] = Some(node);
                front.push_back(to);
            }
        }
    }
    vec![start]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diamond_joins_at_its_top() {
        let diamond = Closure::new(4, &[(0, 1), (0, 2), (1, 3), (2, 3)]).expect("no cycle");
        assert_eq!(diamond.join(1, 2), Join::Least(3));
        assert_eq!(diamond.join(0, 2), Join::Least(2));
        assert_eq!(diamond.join(1, 1), Join::Least(1));
    }

    #[test]
    fn nodes_without_a_common_bound_do_not_join() {
        let fork = Closure::new(3, &[(0, 1), (0, 2)]).expect("no cycle");
        assert_eq!(fork.join(1, 2), Join::None);
    }

    #[test]
    fn two_minimal_bounds_are_ambiguous() {
        let crossed = Closure::new(4, &[(0, 2), (0, 3), (1, 2), (1, 3)]).expect("no cycle");
        assert_eq!(crossed.join(0, 1), Join::Ambiguous(2, 3));
    }

    #[test]
    fn a_cycle_is_named_in_order() {
        let edges = [(4, 0), (0, 1), (1, 2), (2, 3), (3, 1)];
        assert_eq!(Closure::new(5, &edges).err(), Some(vec![1, 2, 3]));
        assert_eq!(Closure::new(1, &[(0, 0)]).err(), Some(vec![0]));
    }
}
