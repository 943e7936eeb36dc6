//! Dynamic tensors: which rules decide, reductions, views, operators, errors and the ways from and to typed code. That
//! every operation gives what typed tensors give is shown in `paths.rs`.

mod errors;
mod rules;
mod typed;
mod ways;

use supremum::RuleSet;

fn named(rules: &str) -> &'static RuleSet {
    RuleSet::named(rules).expect("rules of that name")
}
