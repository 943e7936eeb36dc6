//! Rule sets as data at run time.
//!
//! Lookups here return `Option`. `rules/` writes the tables, and turns undefined entries into errors.

pub(crate) mod bytecode;
mod interned;
pub mod operations;
mod verdict;

use core::fmt;

pub use operations::Operation;
pub use verdict::Verdict;

use self::bytecode::{OperationTable, PromotionTable};
use crate::dtype::{DType, Kind, StaticDType};

/// The class of an operand: besides the dtype, the property that decides its promotion.
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// A tensor of rank one or more.
    Dimensioned,
    /// A tensor of rank zero. It promotes as a dimensioned one, unless the rules
    /// [depend on rank](RuleSet::looks_at_rank).
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
    /// The dtype of its elements.
    pub dtype: DType,
    /// Its class.
    pub class: Class,
}

/// A tensor of rank one or more, whose elements have the dtype.
impl From<DType> for OperandType {
    fn from(dtype: DType) -> Self {
        Self::dimensioned(dtype)
    }
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

    /// Converts a static operand to its run-time form.
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

/// The promotion of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Promotion {
    /// The common dtype.
    pub dtype: DType,
    /// `true` if the result is weak: only literals decided its dtype.
    pub weak: bool,
    /// The effect of the promotion on the operands' values.
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

/// The publication of a rule set's promotions: [`RuleSet::source`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RuleSource {
    /// The name of the system and the version that the rules follow, as `JAX 0.10.2`.
    pub version: &'static str,
    /// The address of the page or file that states the promotions.
    pub url: &'static str,
}

/// A promotion system at run time: the same data that the compiler has as [`Promote`](crate::Promote) impls.
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
    /// The name and the table of the rules that promote the operands, for each group of binary operations.
    pub(crate) promoting: &'static [(&'static str, PromotionTable); Operation::BINARY],
    pub(crate) literals: Literals,
    pub(crate) overflow_policy: OverflowPolicy,
    pub(crate) common_type_rule: CommonTypeRule,
    pub(crate) source: Option<RuleSource>,
    pub(crate) allows_unsafe: bool,
}

/// The operand types of literals.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Literals {
    pub bool: OperandType,
    pub int: OperandType,
    pub float: OperandType,
    pub complex: OperandType,
}

/// The system's conversion of out-of-range literals, where unsafe promotions are admitted.
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

/// The conversion of a literal that is out of the range of the promoted dtype: [`RuleSet::out_of_range_literal`].
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OutOfRangeLiteral {
    /// The literal is refused with [`Error::LiteralOutOfRange`](crate::Error::LiteralOutOfRange).
    Refused,
    /// The integer is taken modulo two to the power of the dtype's bits; in `Bool` it is `true` if it is not zero. The
    /// system first converts it to the dtype that integer literals have among themselves, and refuses it if it is out
    /// of the range of that dtype.
    Wraps,
    /// The literal becomes the infinity of its sign; NaN in 8-bit floats that have no infinity.
    Overflows,
}

/// The out-of-range literals that are accepted, and how they convert.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct LiteralPolicy {
    /// The dtype that has to have an integer literal before it wraps; `None` if integers do not wrap.
    pub(crate) int: Option<DType>,
    /// `true` if integers wrap in integer dtypes.
    pub(crate) wraps: bool,
    /// `true` if numbers overflow in float dtypes.
    pub(crate) overflows: bool,
}

impl LiteralPolicy {
    /// Accepts a literal only if the dtype has its value.
    pub(crate) const EXACT: Self = Self {
        int: None,
        wraps: false,
        overflows: false,
    };
}

/// The rule by which a system finds the common dtype of three or more operands: [`RuleSet::common_type_rule`].
// Hidden for the reason that `DType` is.
#[cfg_attr(not(doc), doc(hidden))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommonTypeRule {
    /// Promotes the first two, then the result and the third, and so on.
    Folded,
    /// Promotes an operand of the highest kind with each operand, then folds those results, as NumPy.
    AroundHighest,
    /// Folds literals, zero-dim and dimensioned operands among themselves, then the three results, as PyTorch.
    ByClass,
}

impl RuleSet {
    /// Makes a rule set from its tables; only `promotion_rules!` calls it.
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
            source: None,
            allows_unsafe: false,
        }
    }

    /// The same rules with their source.
    pub(crate) const fn published_by(self, source: Option<RuleSource>) -> Self {
        Self { source, ..self }
    }

    /// The name.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The publication of the promotions, with its version; `None` if the rules do not [say](crate::promotion_rules).
    ///
    /// ```
    /// use supremum::RuleSet;
    /// let source = RuleSet::named("jax")?.source().expect("a published system");
    /// assert!(source.version.starts_with("JAX 0."));
    /// assert!(source.url.starts_with("https://docs.jax.dev/"));
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub const fn source(&self) -> Option<RuleSource> {
        self.source
    }

    /// Returns whether promotions that can lose values are admitted.
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

    /// Returns whether an operand of rank zero can promote differently from one with dimensions.
    pub const fn looks_at_rank(&self) -> bool {
        self.promotions.looks_at_rank
    }

    /// Returns the operand type of a literal of this kind; both integer kinds have the same one.
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

    /// Returns the conversion of an out-of-range literal to a dtype of this kind.
    ///
    /// The literal is refused unless unsafe promotions are [allowed](Self::allowing_unsafe); then the system's own
    /// behaviour applies. A float literal is always refused in an integer dtype.
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

    /// The literal policy of these rules.
    pub(crate) fn literal_policy(&self) -> LiteralPolicy {
        LiteralPolicy {
            // The system converts a wrapping literal first to the dtype that an array of integer literals would have.
            int: (self.allows_unsafe && self.overflow_policy.ints_wrap).then(|| {
                let int = self.literals.int;
                let array = self.promotions.get(int, int);
                array.map_or(int.dtype, |promotion| promotion.dtype)
            }),
            wraps: self.allows_unsafe && self.overflow_policy.ints_wrap,
            overflows: self.allows_unsafe && self.overflow_policy.floats_overflow,
        }
    }

    /// Returns the promotion of two operands for an operation, and the operation's result.
    ///
    /// It is `None` if either is undefined, or if the verdict is unsafe and unsafe promotions are not admitted;
    /// [`Self::binary`] makes the error. The result is returned in a register.
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

    /// Returns these rules with the promotions of a group of operations on two operands.
    pub(crate) fn promoting_for(&self, operation: Operation) -> Self {
        match self.promoting.get(operation.index()) {
            Some((name, promotions)) => Self {
                name,
                promotions: *promotions,
                ..*self
            },
            None => *self,
        }
    }

    /// Returns whether an operation compares integers by value ([`ExactIntegers`](crate::ExactIntegers)).
    pub(crate) fn takes_exact_integers(&self, operation: Operation) -> bool {
        let promoting = self.promoting.get(operation.index());
        promoting.is_some_and(|(_, table)| table.exact_integers)
    }

    /// Returns the name of the rules that promote the operands of a group of operations: mostly these, but NumPy's `+`
    /// promotes by `numpy-ufunc`. It is `None` for operations on one operand.
    ///
    /// ```
    /// use supremum::{Operation, RuleSet};
    /// let numpy = RuleSet::named("numpy")?;
    /// assert_eq!(numpy.promoted_by(Operation::Add), Some("numpy-ufunc"));
    /// assert_eq!(numpy.promoted_by(Operation::Sum), None);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn promoted_by(&self, operation: Operation) -> Option<&'static str> {
        let promoting = self.promoting.get(operation.index());
        promoting.map(|(name, _)| *name)
    }

    /// The rule by which [`common`](Self::common) finds the dtype of three or more operands.
    pub const fn common_type_rule(&self) -> CommonTypeRule {
        self.common_type_rule
    }

    /// Describes the rules for messages: the name, the type parameter, and whether unsafe promotions are allowed.
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

/// Rule sets are equal if all their tables are.
// The compiler may place one rule set at several addresses, so different addresses do not imply different rules.
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
