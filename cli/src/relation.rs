//! The order relation of a rule set: which operands promote to which. It is a lattice if every pair that promotes has a
//! least upper bound, and promotes to that.

use supremum::{DType, Kind, OperandType, RuleSet};

use crate::answer::Answer;

/// Which operands promote to which.
#[derive(Debug)]
pub(crate) struct Relation {
    /// The dtypes and the literals of the rule set.
    pub(crate) operands: Vec<OperandType>,
    /// `true` if a row's operand promotes to a column's, in either order of the two.
    below: Vec<Vec<bool>>,
    /// The promotions of all pairs, as positions in `operands`.
    joins: Vec<Vec<Join>>,
}

/// The promotion of two operands.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Join {
    Undefined,
    /// It is not an operand of the relation, as weak dtypes that are not literals.
    Outside,
    At(usize),
}

/// A pair that promotes to something else than its least upper bound.
#[derive(Debug)]
pub(crate) struct NotLeast {
    pub(crate) lhs: OperandType,
    pub(crate) rhs: OperandType,
    pub(crate) result: Option<OperandType>,
    pub(crate) bounds: Vec<OperandType>,
}

impl Relation {
    /// The relation of the dtypes that promote with themselves, and of the literals.
    pub(crate) fn of(rules: &RuleSet) -> Self {
        let known = |operand: &OperandType| rules.promote(*operand, *operand).is_ok();
        let dtypes = DType::ALL.iter().copied().map(OperandType::dimensioned);
        let mut operands: Vec<_> = dtypes.filter(known).collect();
        for kind in [Kind::Bool, Kind::Signed, Kind::Float, Kind::Complex] {
            let literal = rules.literal(kind);
            if known(&literal) && !operands.contains(&literal) {
                operands.push(literal);
            }
        }
        let join = |lhs: OperandType, rhs: OperandType| {
            let Some(result) = Answer::of(rules, None, lhs, rhs).result() else {
                return Join::Undefined;
            };
            let position = operands.iter().position(|one| *one == result);
            position.map_or(Join::Outside, Join::At)
        };
        let joins: Vec<Vec<_>> = operands
            .iter()
            .map(|lhs| operands.iter().map(|rhs| join(*lhs, *rhs)).collect())
            .collect();
        let count = operands.len();
        let below = (0..count)
            .map(|lower| {
                let is_below = |upper: usize| {
                    lower == upper
                        || joins[lower][upper] == Join::At(upper)
                        || joins[upper][lower] == Join::At(upper)
                };
                (0..count).map(is_below).collect()
            })
            .collect();
        Self {
            operands,
            below,
            joins,
        }
    }

    /// Groups of two and more operands, each of which promotes to each other by some way.
    pub(crate) fn cycles(&self) -> Vec<Vec<OperandType>> {
        let reachable = self.reachable();
        let count = self.operands.len();
        let mut cycles = Vec::new();
        let mut seen = vec![false; count];
        for one in 0..count {
            let cycle: Vec<_> = (0..count)
                .filter(|other| reachable[one][*other] && reachable[*other][one])
                .collect();
            if cycle.len() > 1 && !seen[one] {
                cycle.iter().for_each(|member| seen[*member] = true);
                cycles.push(
                    cycle
                        .into_iter()
                        .map(|member| self.operands[member])
                        .collect(),
                );
            }
        }
        cycles
    }

    /// The transitive closure (Warshall).
    fn reachable(&self) -> Vec<Vec<bool>> {
        let mut reachable = self.below.clone();
        for middle in 0..reachable.len() {
            let onwards = reachable[middle].clone();
            for from in reachable.iter_mut().filter(|from| from[middle]) {
                from.iter_mut()
                    .zip(&onwards)
                    .for_each(|(to, more)| *to |= more);
            }
        }
        reachable
    }

    /// Triples of which the first promotes to the second and that to the third, but not the first to the third.
    pub(crate) fn not_transitive(&self) -> Vec<[OperandType; 3]> {
        let count = self.operands.len();
        let mut triples = Vec::new();
        for (low, middle) in self.pairs() {
            for high in (0..count).filter(|high| self.below[middle][*high]) {
                if !self.below[low][high] {
                    triples.push([low, middle, high].map(|position| self.operands[position]));
                }
            }
        }
        triples
    }

    /// Pairs of two different operands of which the first promotes to the second.
    fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let count = self.operands.len();
        let all = (0..count).flat_map(move |lower| (0..count).map(move |upper| (lower, upper)));
        all.filter(|(lower, upper)| lower != upper && self.below[*lower][*upper])
    }

    /// Pairs that promote to something else than their least upper bound, or have one and do not promote.
    pub(crate) fn not_least(&self) -> Vec<NotLeast> {
        let count = self.operands.len();
        let mut found = Vec::new();
        for lhs in 0..count {
            for rhs in lhs..count {
                let bounds: Vec<_> = (0..count)
                    .filter(|upper| self.below[lhs][*upper] && self.below[rhs][*upper])
                    .collect();
                let mut least = bounds
                    .iter()
                    .filter(|one| bounds.iter().all(|other| self.below[**one][*other]));
                let expected = least
                    .next()
                    .map_or(Join::Undefined, |least| Join::At(*least));
                if self.joins[lhs][rhs] != expected || self.joins[rhs][lhs] != expected {
                    let minimal = bounds.iter().filter(|one| {
                        !bounds
                            .iter()
                            .any(|other| other != *one && self.below[*other][**one])
                    });
                    let result = [self.joins[lhs][rhs], self.joins[rhs][lhs]];
                    found.push(NotLeast {
                        lhs: self.operands[lhs],
                        rhs: self.operands[rhs],
                        result: result.into_iter().find_map(|join| match join {
                            Join::At(position) => Some(self.operands[position]),
                            Join::Undefined | Join::Outside => None,
                        }),
                        bounds: minimal.map(|bound| self.operands[*bound]).collect(),
                    });
                }
            }
        }
        found
    }

    /// Returns whether the relation is an order in which every pair that promotes has a least upper bound, to which it
    /// promotes.
    pub(crate) fn is_lattice(&self) -> bool {
        self.cycles().is_empty() && self.not_transitive().is_empty() && self.not_least().is_empty()
    }

    /// For each operand the operands right above it: those that it promotes to, without those that another one of them
    /// reaches too.
    pub(crate) fn covers(&self) -> Vec<Vec<usize>> {
        let reachable = self.reachable();
        let strictly = |low: usize, high: usize| reachable[low][high] && !reachable[high][low];
        let count = self.operands.len();
        (0..count)
            .map(|low| {
                let above: Vec<_> = (0..count)
                    .filter(|high| *high != low && self.below[low][*high])
                    .collect();
                let direct = above.iter().filter(|high| {
                    !above
                        .iter()
                        .any(|middle| strictly(*middle, **high) && strictly(low, *middle))
                });
                direct.copied().collect()
            })
            .collect()
    }
}
