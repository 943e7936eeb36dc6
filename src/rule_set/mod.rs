//! Rule sets as data: what the tables of a system say, as bytes that are read cell by cell.
//!
//! Everything here answers by `Option`. `rules/` writes the tables, and makes errors of what they leave undefined.

pub(crate) mod bytecode;
pub mod operations;
mod verdict;

use core::fmt;

pub use operations::Operation;
pub use verdict::Verdict;

use self::bytecode::{OperationTable, PromotionTable};
use crate::dtype::{DType, Kind, StaticDType};

/// How a rule set sees an operand, besides its dtype.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A tensor of rank one or more.
    Dimensioned,
    /// A tensor of rank zero; the same as dimensioned unless the rules
    /// [look at rank](RuleSet::looks_at_rank).
    ZeroDim,
    /// A literal, or a result that only literals decided.
    Weak,
}

/// An operand as a rule set sees it. Prints as the dtype's name, with a star if weak.
///
/// ```
/// use supremum::{DType, OperandType};
/// assert_eq!(OperandType::weak(DType::I64).to_string(), "i64*");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OperandType {
    /// What its elements are.
    pub dtype: DType,
    /// How the rules see it.
    pub class: Class,
}

impl OperandType {
    /// A tensor of rank one or more.
    pub const fn dimensioned(dtype: DType) -> Self {
        Self {
            dtype,
            class: Class::Dimensioned,
        }
    }

    /// A tensor of rank zero.
    pub const fn zero_dim(dtype: DType) -> Self {
        Self {
            dtype,
            class: Class::ZeroDim,
        }
    }

    /// A literal, or a result that only literals decided.
    pub const fn weak(dtype: DType) -> Self {
        Self {
            dtype,
            class: Class::Weak,
        }
    }

    /// What a static operand is at run time.
    pub(crate) const fn of<D: StaticDType>() -> Self {
        if D::WEAK {
            Self::weak(D::DTYPE)
        } else {
            Self::dimensioned(D::DTYPE)
        }
    }
}

impl fmt::Display for OperandType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.class {
            Class::Dimensioned => write!(f, "{}", self.dtype),
            Class::ZeroDim => write!(f, "zero-dim {}", self.dtype),
            Class::Weak => write!(f, "{}*", self.dtype),
        }
    }
}

/// What two operands promote to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Promotion {
    /// The common dtype.
    pub dtype: DType,
    /// Whether only literals decided it.
    pub weak: bool,
    /// What the promotion does to the operands' values.
    pub verdict: Verdict,
}

impl Promotion {
    /// The result as an operand of the next operation.
    pub const fn operand(self) -> OperandType {
        if self.weak {
            OperandType::weak(self.dtype)
        } else {
            OperandType::dimensioned(self.dtype)
        }
    }
}

/// A promotion system at run time, the same data that the compiler reads as
/// [`Promote`](crate::Promote) impls.
///
/// ```
/// use supremum::{DType, OperandType, RuleSet, Verdict};
/// let jax = RuleSet::named("jax")?;
/// let (lhs, rhs) = (OperandType::dimensioned(DType::I64), OperandType::dimensioned(DType::F32));
/// let promotion = jax.promote(lhs, rhs)?;
/// assert_eq!(promotion.dtype, DType::F32);
/// assert_eq!(promotion.verdict, Verdict::LosesPrecision(DType::I64));
/// # Ok::<(), supremum::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct RuleSet {
    pub(crate) name: &'static str,
    pub(crate) promotions: PromotionTable,
    pub(crate) operations: OperationTable,
    /// For each group of binary operations the name and the table of the rules that promote.
    pub(crate) promoting: &'static [(&'static str, PromotionTable); Operation::BINARY],
    pub(crate) literals: Literals,
    pub(crate) overflow_policy: OverflowPolicy,
    pub(crate) common_type_rule: CommonTypeRule,
    pub(crate) allows_unsafe: bool,
}

/// What literals are in promotions.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Literals {
    pub bool: OperandType,
    pub int: OperandType,
    pub float: OperandType,
    pub complex: OperandType,
}

/// What becomes of literals that a dtype does not have, where unsafe promotions are admitted.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OverflowPolicy {
    pub ints_wrap: bool,
    pub floats_overflow: bool,
}

impl OverflowPolicy {
    /// They are refused.
    pub const REFUSED: Self = Self {
        ints_wrap: false,
        floats_overflow: false,
    };
}

/// What a rule set makes of a literal that the promoted dtype does not have: [`RuleSet::out_of_range_literal`].
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutOfRangeLiteral {
    /// [`Error::LiteralOutOfRange`].
    Refused,
    /// The integer modulo two to the power of the dtype's bits; `true` in `Bool`, if it is not zero. It has to be within the
    /// range of the dtype that integer literals have among themselves, to which the system converts it first.
    Wraps,
    /// Infinity of the number's sign; NaN in floats that have no infinity, as `F8E4M3FN`.
    Overflows,
}

/// Where a literal may convert.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct LiteralPolicy {
    /// The dtype that integer literals have to convert in first.
    pub(crate) int: Option<DType>,
    /// Whether integers wrap in integer dtypes.
    pub(crate) wraps: bool,
    /// Whether numbers overflow in float dtypes.
    pub(crate) overflows: bool,
}

impl LiteralPolicy {
    /// Where the dtype has it.
    pub(crate) const EXACT: Self = Self {
        int: None,
        wraps: false,
        overflows: false,
    };
}

/// How a system finds the common dtype of three or more operands.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonTypeRule {
    /// The first two, then the result and the third, and so on.
    Folded,
    /// One of the highest kind with each, then those results, folded; as NumPy.
    AroundHighest,
    /// Literals, zero-dim and dimensioned operands each among themselves, folded, then the three results; as
    /// PyTorch.
    ByClass,
}

impl RuleSet {
    /// A rule set from its tables; called by `promotion_rules!` only.
    #[doc(hidden)]
    pub const fn new(
        name: &'static str,
        promotions: PromotionTable,
        operations: OperationTable,
        promoting: &'static [(&'static str, PromotionTable); Operation::BINARY],
        literals: Literals,
        overflow_policy: OverflowPolicy,
        common_type_rule: CommonTypeRule,
    ) -> Self {
        Self {
            name,
            promotions,
            operations,
            promoting,
            literals,
            overflow_policy,
            common_type_rule,
            allows_unsafe: false,
        }
    }

    /// The name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Whether promotions that can lose values are admitted.
    pub const fn allows_unsafe(&self) -> bool {
        self.allows_unsafe
    }

    /// The same rules with unsafe promotions admitted, as [`AllowUnsafe`](crate::AllowUnsafe).
    #[must_use]
    pub const fn allowing_unsafe(&self) -> Self {
        Self {
            allows_unsafe: true,
            ..*self
        }
    }

    /// Whether an operand of rank zero can promote otherwise than one with dimensions.
    pub const fn looks_at_rank(&self) -> bool {
        self.promotions.looks_at_rank
    }

    /// What a literal of this kind is in a promotion; both integer kinds are the same.
    ///
    /// ```
    /// use supremum::{Jax, Kind, Rules};
    /// assert_eq!(Jax::rule_set().literal(Kind::Signed).to_string(), "i64*");
    /// assert_eq!(Jax::rule_set().literal(Kind::Bool).to_string(), "bool");
    /// ```
    pub const fn literal(&self, kind: Kind) -> OperandType {
        match kind {
            Kind::Bool => self.literals.bool,
            Kind::Unsigned | Kind::Signed => self.literals.int,
            Kind::Float => self.literals.float,
            Kind::Complex => self.literals.complex,
        }
    }

    /// What becomes of a literal in a dtype of this kind that does not have it.
    ///
    /// It is refused, unless unsafe promotions are [allowed](Self::allowing_unsafe): then the system's own behaviour holds. A
    /// float is refused in an integer dtype in any case.
    ///
    /// ```
    /// use supremum::{AllowUnsafe, OutOfRangeLiteral, Jax, Kind, Numpy, Rules};
    /// assert_eq!(Jax::rule_set().out_of_range_literal(Kind::Unsigned), OutOfRangeLiteral::Refused);
    /// let jax = <AllowUnsafe<Jax>>::rule_set();
    /// assert_eq!(jax.out_of_range_literal(Kind::Unsigned), OutOfRangeLiteral::Wraps);
    /// assert_eq!(jax.out_of_range_literal(Kind::Float), OutOfRangeLiteral::Overflows);
    /// let numpy = <AllowUnsafe<Numpy>>::rule_set();
    /// assert_eq!(numpy.out_of_range_literal(Kind::Unsigned), OutOfRangeLiteral::Refused);
    /// ```
    pub fn out_of_range_literal(&self, kind: Kind) -> OutOfRangeLiteral {
        let literal_policy = self.literal_policy();
        match kind {
            Kind::Bool | Kind::Unsigned | Kind::Signed if literal_policy.wraps => {
                OutOfRangeLiteral::Wraps
            }
            Kind::Float | Kind::Complex if literal_policy.overflows => OutOfRangeLiteral::Overflows,
            _ => OutOfRangeLiteral::Refused,
        }
    }

    /// Where literals may convert.
    pub(crate) fn literal_policy(&self) -> LiteralPolicy {
        LiteralPolicy {
            // What wraps has been converted before, to what an array of literals has.
            int: (self.allows_unsafe && self.overflow_policy.ints_wrap).then(|| {
                let int = self.literals.int;
                let array = self.promotions.get(int, int);
                array.map_or(int.dtype, |promotion| promotion.dtype)
            }),
            wraps: self.allows_unsafe && self.overflow_policy.ints_wrap,
            overflows: self.allows_unsafe && self.overflow_policy.floats_overflow,
        }
    }

    /// What two operands promote to for an operation, and what it gives, if all that is defined, and the verdict is safe or unsafe
    /// promotions are admitted; else [`Self::binary`] says why not. It comes up in a register.
    pub(crate) fn decide(
        &self,
        operation: Operation,
        lhs: OperandType,
        rhs: OperandType,
        admits_unsafe: bool,
    ) -> Option<[OperandType; 2]> {
        let (_, table) = self.promoting.get(operation.index())?;
        let promotion = table.get(lhs, rhs)?;
        if !(promotion.verdict.is_safe() || self.allows_unsafe || admits_unsafe) {
            return None;
        }
        let promoted = promotion.operand();
        Some([promoted, self.operations.get(operation, promoted)?])
    }

    /// Whether an operation takes integers as they are ([`ExactIntegers`](crate::ExactIntegers)).
    pub(crate) fn takes_exact_integers(&self, operation: Operation) -> bool {
        let promoting = self.promoting.get(operation.index());
        promoting.is_some_and(|(_, table)| table.exact_integers)
    }

    /// How operands meet that are more than two.
    pub(crate) const fn common_type_rule(&self) -> CommonTypeRule {
        self.common_type_rule
    }

    /// The name, with what else tells rules apart that have it.
    pub(crate) fn described(&self) -> String {
        let parameter = match self.promotions.parameter {
            DType::Bool => String::new(),
            parameter => format!(" of {parameter}"),
        };
        let admits = if self.allows_unsafe {
            " with unsafe promotions allowed"
        } else {
            ""
        };
        format!("`{}` rules{parameter}{admits}", self.name)
    }
}

/// Whether all that the rules say is the same.
// The compiler may place one rule set at several addresses, so that these say little.
impl PartialEq for RuleSet {
    fn eq(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
            || self.name == other.name
                && self.allows_unsafe == other.allows_unsafe
                && self.promotions == other.promotions
                && self.operations == other.operations
                && self.promoting == other.promoting
                && self.literals == other.literals
                && self.overflow_policy == other.overflow_policy
                && self.common_type_rule == other.common_type_rule
    }
}

impl fmt::Debug for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("RuleSet");
        debug
            .field("name", &self.name)
            .field("allows_unsafe", &self.allows_unsafe)
            .finish_non_exhaustive()
    }
}
