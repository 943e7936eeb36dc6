//! The difference of two rule sets: [`RuleSet::diff`].

use core::fmt;

use super::{OperandType, Operation, Promotion, RuleSet, Verdict};
use crate::dtype::{DType, Kind};
use crate::error::Error;

/// An operand as written in a program, before a rule set gives it an [`OperandType`].
///
/// Rule sets share the dtypes of tensors, but not of literals: `1` is `i64*` under JAX's rules and
/// `i32*` under TensorFlow's.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiffOperand {
    /// A tensor of rank one or more.
    Dimensioned(DType),
    /// A tensor of rank zero.
    ZeroDim(DType),
    /// A literal of that kind; integers are [`Kind::Signed`].
    Literal(Kind),
}

impl DiffOperand {
    /// Returns the operand type under these rules.
    ///
    /// ```
    /// use supremum::{DiffOperand, DType, Kind, OperandType, RuleSet};
    /// let integer = DiffOperand::Literal(Kind::Signed);
    /// assert_eq!(integer.operand_type(RuleSet::named("jax")?), OperandType::weak(DType::I64));
    /// assert_eq!(integer.operand_type(RuleSet::named("tensorflow")?), OperandType::weak(DType::I32));
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub const fn operand_type(self, rules: &RuleSet) -> OperandType {
        match self {
            Self::Dimensioned(dtype) => OperandType::dimensioned(dtype),
            Self::ZeroDim(dtype) => OperandType::zero_dim(dtype),
            Self::Literal(kind) => rules.literal(kind),
        }
    }
}

impl fmt::Display for DiffOperand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dimensioned(dtype) => write!(f, "{dtype}"),
            Self::ZeroDim(dtype) => write!(f, "zero-dim {dtype}"),
            Self::Literal(Kind::Bool) => f.write_str("bool literal"),
            Self::Literal(Kind::Unsigned | Kind::Signed) => f.write_str("int literal"),
            Self::Literal(Kind::Float) => f.write_str("float literal"),
            Self::Literal(Kind::Complex) => f.write_str("complex literal"),
        }
    }
}

/// Two operands that two rule sets promote differently.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleDiff {
    /// The left operand.
    pub lhs: DiffOperand,
    /// The right operand.
    pub rhs: DiffOperand,
    /// The promotion of the first rule set; `None` if it leaves the pair undefined.
    pub this: Option<Promotion>,
    /// The promotion of the second rule set; `None` if it leaves the pair undefined.
    pub other: Option<Promotion>,
}

/// The pairs of operands that two rule sets promote differently, made by [`RuleSet::diff`].
///
/// Prints as a table with a line for each difference: the operands, the result of the first rule set, the result of
/// the second one. A dash marks a pair without promotion, a star a weak dtype. Verdicts that are not safe stand in
/// parentheses.
#[derive(Clone, Debug)]
pub struct RuleSetDiff {
    this: &'static str,
    other: &'static str,
    differences: Vec<RuleDiff>,
}

impl RuleSetDiff {
    /// Iterates over the differences: pairs of dtypes, then dtypes with literals, then dtypes with tensors of rank
    /// zero, each in the order of [`DType::ALL`].
    pub fn iter(&self) -> core::slice::Iter<'_, RuleDiff> {
        self.differences.iter()
    }

    /// The number of pairs that differ.
    pub fn len(&self) -> usize {
        self.differences.len()
    }

    /// Returns whether the rule sets agree on every pair.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty()
    }
}

impl<'a> IntoIterator for &'a RuleSetDiff {
    type Item = &'a RuleDiff;
    type IntoIter = core::slice::Iter<'a, RuleDiff>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl IntoIterator for RuleSetDiff {
    type Item = RuleDiff;
    type IntoIter = std::vec::IntoIter<RuleDiff>;

    fn into_iter(self) -> Self::IntoIter {
        self.differences.into_iter()
    }
}

impl fmt::Display for RuleSetDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = ["lhs", "rhs", self.this, self.other].map(str::to_owned);
        let lines: Vec<_> = core::iter::once(header)
            .chain(self.iter().map(|difference| {
                [
                    difference.lhs.to_string(),
                    difference.rhs.to_string(),
                    shown(difference.this),
                    shown(difference.other),
                ]
            }))
            .collect();
        let width = |column: usize| lines.iter().map(|line| line[column].len()).max();
        let [lhs, rhs, this] = [0, 1, 2].map(|column| width(column).unwrap_or_default());
        for (position, [left, right, first, second]) in lines.iter().enumerate() {
            let end = if position == 0 { "" } else { "\n" };
            write!(f, "{end}{left:lhs$}  {right:rhs$}  {first:this$}  {second}")?;
        }
        Ok(())
    }
}

fn shown(promotion: Option<Promotion>) -> String {
    match promotion {
        None => "-".to_owned(),
        Some(promotion) if promotion.verdict.is_safe() => promotion.operand().to_string(),
        Some(promotion) => format!("{} ({})", promotion.operand(), promotion.verdict),
    }
}

/// Returns whether the second promotion is the first one with the operands exchanged.
fn mirrored(one: Option<Promotion>, other: Option<Promotion>) -> bool {
    let (Some(one), Some(other)) = (one, other) else {
        return one == other;
    };
    // A verdict names the operand that loses values. If both do, it names the left one, which depends on the order.
    let same_loss = match (one.verdict, other.verdict) {
        (Verdict::LosesPrecision(_), Verdict::LosesPrecision(_))
        | (Verdict::LosesRange(_), Verdict::LosesRange(_)) => true,
        (one, other) => one == other,
    };
    one.operand() == other.operand() && same_loss
}

impl RuleSet {
    /// Lists the operand pairs whose dtype, weakness or verdict differ under two rule sets, and the pairs that only one
    /// of them defines.
    ///
    /// It compares every dtype with every dtype, every dtype with each kind of literal (which may be another operand
    /// type under each rule set) and, if one of the rule sets depends on rank, every dtype with a tensor of rank zero
    /// of every dtype. It leaves out a literal `true` that both rule sets treat as a boolean tensor. It lists both
    /// orders of a pair only where they promote differently under one of the rule sets.
    /// [Allowing](Self::allowing_unsafe) unsafe promotions makes no difference.
    ///
    /// ```
    /// use supremum::{DiffOperand, DType, Kind, RuleSet};
    /// let diff = RuleSet::named("jax")?.diff(RuleSet::named("jax-strict")?);
    ///
    /// // Strict rules only leave promotions out: of different dtypes, and of literals of a higher kind.
    /// assert!(diff.iter().all(|difference| difference.this.is_some() && difference.other.is_none()));
    /// assert_eq!(diff.len(), 150 + 3 + 8 * 2 + 4);
    ///
    /// let (u8, float) = (DiffOperand::Dimensioned(DType::U8), DiffOperand::Literal(Kind::Float));
    /// let mixed = diff.iter().find(|difference| (difference.lhs, difference.rhs) == (u8, float));
    /// assert_eq!(mixed.and_then(|mixed| mixed.this).map(|promotion| promotion.dtype), Some(DType::F64));
    ///
    /// let table = diff.to_string();
    /// let lines: Vec<_> = table.lines().collect();
    /// assert_eq!(lines[0], "lhs   rhs              jax                                  jax-strict");
    /// assert!(lines.contains(&"i64   f32              f32 (loses precision of i64)         -"));
    /// assert!(lines.contains(&"u8    float literal    f64*                                 -"));
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn diff(&self, other: &Self) -> RuleSetDiff {
        self.diff_by(other, |rules, lhs, rhs| rules.promote(lhs, rhs))
    }

    /// [`diff`](Self::diff) for an operation on two operands: promotions are those of [`Self::binary`], with the dtype of
    /// the result.
    ///
    /// ```
    /// use supremum::{DiffOperand, DType, Operation, RuleSet};
    /// let (jax, torch) = (RuleSet::named("jax")?, RuleSet::named("torch")?);
    /// let diff = jax.diff_for(torch, Operation::Divide);
    /// let i64 = DiffOperand::Dimensioned(DType::I64);
    /// let integers = diff.iter().find(|difference| (difference.lhs, difference.rhs) == (i64, i64));
    /// let dtypes = integers.map(|found| [found.this, found.other].map(|one| one.map(|one| one.dtype)));
    /// assert_eq!(dtypes, Some([Some(DType::F64), Some(DType::F32)]));
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn diff_for(&self, other: &Self, operation: Operation) -> RuleSetDiff {
        self.diff_by(other, |rules, lhs, rhs| {
            rules.allowing_unsafe().binary(operation, lhs, rhs)
        })
    }

    fn diff_by(
        &self,
        other: &Self,
        promote: impl Fn(&Self, OperandType, OperandType) -> Result<Promotion, Error>,
    ) -> RuleSetDiff {
        let mut differences = Vec::new();
        let mut compare = |lhs: DiffOperand, rhs: DiffOperand| {
            let of = |rules: &Self, lhs: DiffOperand, rhs: DiffOperand| {
                promote(rules, lhs.operand_type(rules), rhs.operand_type(rules)).ok()
            };
            let at = |lhs, rhs| RuleDiff {
                lhs,
                rhs,
                this: of(self, lhs, rhs),
                other: of(other, lhs, rhs),
            };
            let (there, back) = (at(lhs, rhs), at(rhs, lhs));
            let symmetric = mirrored(there.this, back.this) && mirrored(there.other, back.other);
            let orders = if symmetric { 1 } else { 2 };
            let orders = [there, back].into_iter().take(orders);
            differences.extend(orders.filter(|pair| pair.this != pair.other));
        };

        for (position, lhs) in DType::ALL.iter().enumerate() {
            for rhs in &DType::ALL[position..] {
                compare(
                    DiffOperand::Dimensioned(*lhs),
                    DiffOperand::Dimensioned(*rhs),
                );
            }
        }
        for dtype in DType::ALL {
            for kind in [Kind::Bool, Kind::Signed, Kind::Float, Kind::Complex] {
                let literal = DiffOperand::Literal(kind);
                let bool = OperandType::dimensioned(DType::Bool);
                if literal.operand_type(self) != bool || literal.operand_type(other) != bool {
                    compare(DiffOperand::Dimensioned(*dtype), literal);
                }
            }
        }
        if self.looks_at_rank() || other.looks_at_rank() {
            for lhs in DType::ALL {
                for rhs in DType::ALL {
                    compare(DiffOperand::Dimensioned(*lhs), DiffOperand::ZeroDim(*rhs));
                }
            }
        }
        RuleSetDiff {
            this: self.name(),
            other: other.name(),
            differences,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Jax, JaxX32, Rules, TensorFlow, Torch};

    crate::promotion_rules! {
        /// The left operand wins.
        #[asymmetric]
        struct LeftWins = "left-wins";
        table {
            _   => [I8, F32],
            I8  => [I8, I8],
            F32 => [F32, F32],
        }
    }

    crate::promotion_rules! {
        /// Floats win.
        struct FloatsWin = "floats-win";
        lattice { I8 -> F32; }
    }

    #[test]
    fn a_rule_set_does_not_differ_from_itself() {
        let diff = Jax::rule_set().diff(&Jax::rule_set().allowing_unsafe());
        assert!(diff.is_empty());
        assert_eq!(diff.to_string(), "lhs  rhs  jax  jax");
    }

    #[test]
    fn both_orders_are_listed_where_one_of_the_rule_sets_looks_at_order() {
        let diff = LeftWins::rule_set().diff(FloatsWin::rule_set());
        assert_eq!(
            diff.to_string(),
            "lhs  rhs  left-wins                floats-win\n\
             i8   f32  i8 (loses range of f32)  f32"
        );
    }

    /// The results for one pair, if they differ.
    fn at(diff: &RuleSetDiff, lhs: DiffOperand, rhs: DiffOperand) -> Option<[String; 2]> {
        let difference = diff
            .iter()
            .find(|pair| (pair.lhs, pair.rhs) == (lhs, rhs))?;
        Some([shown(difference.this), shown(difference.other)])
    }

    #[test]
    fn each_rule_set_has_its_own_literals() {
        let diff = Jax::rule_set().diff(TensorFlow::rule_set());
        let bool = DiffOperand::Dimensioned(DType::Bool);
        let literal = DiffOperand::Literal;
        let results = ["i64*", "i32*"].map(str::to_owned);
        assert_eq!(at(&diff, bool, literal(Kind::Signed)), Some(results));
        // Under TensorFlow's rules a boolean literal is a weak operand, but its promotion with `u8` is the same.
        let u8 = DiffOperand::Dimensioned(DType::U8);
        assert_eq!(at(&diff, u8, literal(Kind::Bool)), None);
    }

    #[test]
    fn ranks_count_if_one_of_the_rule_sets_looks_at_them() {
        let diff = Jax::rule_set().diff(Torch::rule_set());
        let (f32, f64) = (DiffOperand::Dimensioned(DType::F32), DType::F64);
        let results = ["f64", "f32 (loses range of f64)"].map(str::to_owned);
        assert_eq!(at(&diff, f32, DiffOperand::ZeroDim(f64)), Some(results));
        assert_eq!(at(&diff, f32, DiffOperand::Dimensioned(f64)), None);
        let diff = Jax::rule_set().diff(TensorFlow::rule_set());
        assert!(
            diff.iter()
                .all(|pair| !matches!(pair.rhs, DiffOperand::ZeroDim(_)))
        );
    }

    #[test]
    fn orders_count_once_although_their_verdicts_name_other_operands() {
        let diff = Jax::rule_set().diff(JaxX32::rule_set());
        let pair = [DType::U64, DType::I64].map(DiffOperand::Dimensioned);
        let found = diff
            .iter()
            .filter(|difference| pair == [difference.lhs, difference.rhs]);
        assert_eq!(found.count(), 1);
        let back = diff
            .iter()
            .filter(|difference| pair == [difference.rhs, difference.lhs]);
        assert_eq!(back.count(), 0);
    }
}
