//! The rule sets of JAX at run time against what JAX answers.

mod common;

use common::{Oracle, Tally, operand, promoted};
use supremum::{Jax, JaxStrict, JaxX32, RuleSet, Rules};

/// Compares every row with that `x64` and `mode`.
fn check(rules: &RuleSet, x64: bool, mode: &str, expected_rows: usize) {
    let mut tally = Tally::default();
    let oracle = Oracle::read("jax_promote_types.csv");
    let flag = if x64 { "1" } else { "0" };
    let rows = oracle
        .rows()
        .filter(|row| row.get("x64") == flag && row.get("mode") == mode);
    for row in rows {
        let (lhs, rhs) = (row.get("lhs"), row.get("rhs"));
        match operand(lhs, x64).and_then(|lhs| Ok((lhs, operand(rhs, x64)?))) {
            Err(reason) => tally.leave_out(reason),
            Ok((left, right)) => {
                let star = if row.get("out_weak") == "1" { "*" } else { "" };
                let expected = format!("{}{star}", row.get("out"));
                tally.check(
                    format!("{lhs} + {rhs}"),
                    promoted(rules, left, right),
                    expected,
                );
            }
        }
    }
    tally.finish(
        &format!("{}, jax_promote_types.csv", rules.name()),
        expected_rows,
    );
}

#[test]
fn every_promotion_with_64_bits() {
    check(Jax::rule_set(), true, "standard", 1296);
}

#[test]
fn every_promotion_without_64_bits() {
    check(JaxX32::rule_set(), false, "standard", 1296);
}

#[test]
fn every_strict_promotion() {
    check(JaxStrict::rule_set(), true, "strict", 1296);
}

#[test]
fn every_cell_of_the_printed_table() {
    let mut tally = Tally::default();
    let mut weak = 0;
    for row in Oracle::read("seeds_jax.csv").rows() {
        let (lhs, rhs) = (row.get("lhs"), row.get("rhs"));
        let [left, right] = [lhs, rhs].map(|name| operand(name, true).expect("a dtype"));
        let promotion = Jax::rule_set().promote(left, right).expect("a promotion");
        weak += usize::from(promotion.weak);
        let found = promotion.dtype.to_string();
        tally.check(format!("{lhs} + {rhs}"), found, row.get("out").to_owned());
    }
    // The table shows no weakness; u64 with a signed integer is weak in programs.
    assert_eq!(weak, 8);
    tally.finish("jax, seeds_jax.csv", 225);
}
