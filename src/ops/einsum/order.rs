//! The order in which the operands of an equation are multiplied.
//!
//! A *set* of operands is a bit mask, and so is a set of labels. The product of a set has those labels that the result or another operand
//! needs, whatever the order within the set. So the cheapest order of a set consists of the cheapest orders of two parts, and it is enough to
//! compare all pairs of parts: 301 for six operands.

use crate::array::MAX_RANK;

/// The operands or products that a product is computed from.
#[derive(Clone, Copy)]
pub(super) enum Parts {
    /// It is this operand.
    One(usize),
    /// It is that of these sets, the left and the right one.
    Two([usize; 2]),
}

/// The cheapest plan so far for the product of a set of operands.
#[derive(Clone, Copy)]
struct Plan {
    parts: Parts,
    /// `true` if the product, or one that it is computed from, has more axes than an array can have.
    has_too_many_axes: bool,
    /// The number of multiplications.
    work: u128,
}

/// The parts of each set of operands.
pub(super) struct Order {
    /// The plan of set `n` is at index `n - 1`: the empty set has none.
    plans: Vec<Plan>,
}

impl Order {
    /// Finds the order with the fewest multiplications, and of equal ones the one that multiplies more from the left. Orders whose products
    /// have at most [`MAX_RANK`] axes come first.
    ///
    /// `operands` and `result` are sets of labels, and `sizes` are those of the labels.
    pub(super) fn cheapest(operands: &[u64], result: u64, sizes: &[usize]) -> Self {
        let labels_of = |set: usize| {
            let operands = operands.iter().enumerate();
            let operands = operands.filter(|(number, _)| contains(set, *number));
            operands.fold(0, |all, (_, labels)| all | labels)
        };
        // The labels of the product of a set.
        let needed = |set: usize| labels_of(set) & (result | labels_of(!set));
        let sizes_of = |labels: u64| {
            let sizes = sizes.iter().enumerate();
            sizes.filter(move |(label, _)| labels >> label & 1 == 1)
        };
        let multiplications = |labels: u64| {
            sizes_of(labels).fold(1_u128, |product, (_, size)| {
                product.saturating_mul(u128::try_from(*size).unwrap_or(u128::MAX))
            })
        };
        let mut order = Self {
            plans: Vec::with_capacity(1 << operands.len()),
        };
        for last in 0..operands.len() {
            order.plans.push(Plan {
                parts: Parts::One(last),
                has_too_many_axes: false,
                work: 0,
            });
            for others in 1..1 << last {
                let too_many = sizes_of(needed(others | 1 << last)).count() > MAX_RANK;
                let plan = |left: usize| {
                    let right = others & !left | 1 << last;
                    let product = multiplications(needed(left) | needed(right));
                    let [a, b] = [left, right].map(|part| order.plan(part));
                    Plan {
                        parts: Parts::Two([left, right]),
                        has_too_many_axes: too_many || a.has_too_many_axes || b.has_too_many_axes,
                        work: product.saturating_add(a.work).saturating_add(b.work),
                    }
                };
                // The last operand is in the right part. The left part is first all others, and then fewer of them.
                let mut best = plan(others);
                let mut left = (others - 1) & others;
                while left != 0 {
                    let other = plan(left);
                    if (other.has_too_many_axes, other.work) < (best.has_too_many_axes, best.work) {
                        best = other;
                    }
                    left = (left - 1) & others;
                }
                order.plans.push(best);
            }
        }
        order
    }

    fn plan(&self, set: usize) -> Plan {
        self.plans[set - 1]
    }

    /// Returns the parts of a set, which has an operand.
    pub(super) fn parts(&self, set: usize) -> Parts {
        self.plan(set).parts
    }
}

/// Returns whether a set has an operand.
pub(super) fn contains(set: usize, operand: usize) -> bool {
    set >> operand & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::{Order, Parts};

    /// Writes the order of an equation of single letters, whose sizes are those of `a`, `b` and so on.
    fn order(operands: &[&str], result: &str, sizes: &[usize]) -> String {
        fn written(order: &Order, set: usize) -> String {
            match order.parts(set) {
                Parts::One(operand) => operand.to_string(),
                Parts::Two(parts) => {
                    let [left, right] = parts.map(|part| written(order, part));
                    format!("({left} {right})")
                }
            }
        }
        let labels = |text: &str| text.bytes().map(|letter| 1 << (letter - b'a')).sum();
        let sets: Vec<u64> = operands.iter().map(|text| labels(text)).collect();
        let order = Order::cheapest(&sets, labels(result), sizes);
        written(&order, (1 << sets.len()) - 1)
    }

    #[test]
    fn the_order_has_the_fewest_multiplications() {
        assert_eq!(order(&["ab"], "a", &[2, 3]), "0");
        assert_eq!(order(&["a", "b"], "ab", &[2, 3]), "(0 1)");
        assert_eq!(order(&["ab", "bc", "c"], "a", &[9, 4, 9]), "(0 (1 2))");
        assert_eq!(order(&["a", "ab", "bc"], "c", &[9, 4, 9]), "((0 1) 2)");
        assert_eq!(order(&["a", "b", "a"], "b", &[9, 9]), "(1 (0 2))");
        let chain = ["ab", "bc", "cd", "de", "ef", "fg"];
        // The example of the matrix chain in Cormen, Leiserson, Rivest and Stein, "Introduction to Algorithms".
        assert_eq!(
            order(&chain, "ag", &[30, 35, 15, 5, 10, 20, 25]),
            "((0 (1 2)) ((3 4) 5))"
        );
        assert_eq!(order(&chain, "ag", &[7; 7]), "(((((0 1) 2) 3) 4) 5)");
        // No elements, and more multiplications than 128 bits count.
        assert_eq!(order(&chain[..3], "ad", &[0; 4]), "((0 1) 2)");
        assert_eq!(order(&chain[..3], "ad", &[usize::MAX; 4]), "((0 1) 2)");
    }

    #[test]
    fn products_have_no_more_axes_than_arrays() {
        // The products of the first two and of the last two need one multiplication each; the former has nine axes.
        let operands = ["abcde", "fghi", "fghi"];
        assert_eq!(order(&operands, "abcde", &[1; 9]), "(0 (1 2))");
    }
}
