//! Rules as an argument.

use super::Rules;
use crate::rule_set::RuleSet;

/// Rules as an argument of functions whose tensors have their dtype at run time: a value of a rules type, such as `Jax` or `Numpy`, or a
/// [`RuleSet`].
///
/// ```
/// use supremum::{DType, DynTensor, Error, Numpy, RuleSet, Rules};
/// let t = DynTensor::ones(DType::I32, [2])?;
/// let moved = t.with_rules(Numpy);
/// assert_eq!(moved.rules(), t.with_rules(Numpy::RULE_SET).rules());
/// assert_eq!(moved.rules(), t.with_rules(RuleSet::named("numpy")?).rules());
/// # Ok::<(), Error>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a rule set",
    label = "neither a type of rules nor a `RuleSet`",
    note = "rules are named by their type, `Jax` or `Numpy`; those of a name that is known at run time are `RuleSet::named(\"numpy\")?`"
)]
pub trait IntoRuleSet {
    /// The rule set.
    fn into_rule_set(self) -> &'static RuleSet;
}

// Hidden from messages, whose text names the ways.
#[diagnostic::do_not_recommend]
impl IntoRuleSet for &'static RuleSet {
    fn into_rule_set(self) -> &'static RuleSet {
        self
    }
}

/// By value, as [`RuleSet::allowing_unsafe`] makes it; it is [interned](RuleSet::interned).
#[diagnostic::do_not_recommend]
impl IntoRuleSet for RuleSet {
    fn into_rule_set(self) -> &'static RuleSet {
        self.interned()
    }
}

/// As iterators over arrays of rule sets give them.
#[diagnostic::do_not_recommend]
impl IntoRuleSet for &&'static RuleSet {
    fn into_rule_set(self) -> &'static RuleSet {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<R: Rules> IntoRuleSet for R {
    fn into_rule_set(self) -> &'static RuleSet {
        R::RULE_SET
    }
}
