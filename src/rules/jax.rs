//! JAX's type promotion lattice.
#![allow(missing_docs)]
use super::{RuleSet, Rules};
macro_rules! placeholder { ($($n:ident)*) => { $(#[derive(Clone, Copy, Debug, Default)] pub struct $n; impl Rules for $n { const NAME: &'static str = "x"; const RULE_SET: &'static RuleSet = &RuleSet::new("x", &[[None; 34]; 34], &[[None; 34]; 19]); type Operations = Jax; })* } }
placeholder!(Jax JaxX32 JaxStrict);
