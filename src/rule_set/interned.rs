//! Rule sets that are made at run time and live as long as the program.

use std::sync::{Mutex, PoisonError};

use super::RuleSet;

/// One of each rule set that was interned. There are at most twice as many as the program's types have: a rule set comes from a type,
/// and can differ in whether it allows unsafe promotions.
static INTERNED: Mutex<Vec<&'static RuleSet>> = Mutex::new(Vec::new());

impl RuleSet {
    /// Returns an equal rule set that lives as long as the program, for [`DynTensor::with_rules`](crate::DynTensor::with_rules). Equal
    /// rule sets give the same one, so memory does not grow with the number of calls.
    ///
    /// ```
    /// use supremum::{DType, DynTensor, Error, RuleSet};
    /// let lenient = RuleSet::named("jax")?.allowing_unsafe().interned();
    /// let counts = DynTensor::ones(DType::I64, [2])?.with_rules(lenient);
    /// let scale = DynTensor::full(DType::F32, [], 0.5)?.with_rules(lenient);
    /// assert_eq!(counts.try_mul(&scale)?.dtype(), DType::F32);
    /// assert!(core::ptr::eq(lenient, RuleSet::named("jax")?.allowing_unsafe().interned()));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn interned(&self) -> &'static Self {
        // The list is only appended to, so it is valid even if a thread panicked.
        let mut known = INTERNED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.iter().find(|rules| **rules == self) {
            return found;
        }
        let rules: &'static Self = Box::leak(Box::new(*self));
        known.push(rules);
        rules
    }
}
