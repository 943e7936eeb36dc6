//! The macro that defines rule sets.

/// Defines rule sets: promotion systems as types, from literal tables or lattices.
///
/// One rule set is a `struct` with a name and the parts below it. The expansion is the marker type
/// with a grid of all promotions in its documentation, the [`Promote`](crate::Promote) impls, the
/// [operation](crate::rules::operations) impls, and the same data at run time as
/// [`Rules::RULE_SET`](crate::Rules::RULE_SET). Every fault in a table is reported on its cell, all at
/// once.
///
/// # `table`: every pair, row by row
///
/// The header names the operands, each row what its operand gives with each of them; `_` is a pair
/// without promotion. Every result is an operand of the table, every operand with itself is itself,
/// and the two orders of a pair agree, unless the rules are marked `#[asymmetric]`.
///
/// ```
/// use supremum::{Bool, DType, F32, I32, I64, OperandType, Promoted, Rules, Weak, promotion_rules};
/// use supremum::static_assertions::assert_type_eq_all;
///
/// promotion_rules! {
///     /// Integers and floats meet in `f32`; booleans meet nothing else.
///     #[law(commutative, associative)]
///     pub struct Mine = "mine";
///
///     table {
///         _         => [Bool, I32,  F32, Weak<I64>],
///         Bool      => [Bool, _,    _,   _],
///         I32       => [_,    I32,  F32, I32],
///         F32       => [_,    F32,  F32, F32],
///         Weak<I64> => [_,    I32,  F32, Weak<I64>],
///     }
/// }
///
/// assert_type_eq_all!(Promoted<I32, F32, Mine>, F32);
/// assert_type_eq_all!(Promoted<I32, Weak<I64>, Mine>, I32);
/// let [bool, i32] = [DType::Bool, DType::I32].map(OperandType::dimensioned);
/// assert!(Mine::rule_set().promote(bool, i32).is_err());
/// ```
///
/// # `lattice`: edges only
///
/// `A -> B, C;` says that `A` promotes to `B` and to `C`; `A;` alone is an operand without edges. Two
/// operands meet in their least common bound, and have no promotion if they have no common bound. A
/// circle is refused, and so is a pair with two bounds of which neither is below the other.
///
/// ```
/// # use supremum::{F16, F32, BF16, Promoted, promotion_rules};
/// # use supremum::static_assertions::assert_type_eq_all;
/// promotion_rules! {
///     #[law(commutative, associative)]
///     pub struct Floats = "floats";
///
///     lattice {
///         F16 -> F32;
///         BF16 -> F32;
///         F32 -> F64;
///     }
/// }
/// assert_type_eq_all!(Promoted<F16, BF16, Floats>, F32);
/// ```
///
/// # `weak` and `weak_pairs`: operands that yield
///
/// `Weak<D>` is an operand like others where it is written. `weak` says, for the rest, as what a weak
/// operand of each dtype counts beside a strong one. Two weak operands that are not both written
/// promote as their dtypes do, to a weak result (a strong one, if `weak` makes its dtype strong, as
/// JAX's booleans); after `weak_pairs: replaced;` they are replaced through `weak` too.
///
/// ```
/// # use supremum::{F32, F64, Promoted, Weak, promotion_rules};
/// # use supremum::static_assertions::assert_type_eq_all;
/// promotion_rules! {
///     pub struct Yielding = "yielding";
///
///     lattice { Weak<F64> -> F32; F32 -> F64; }
///     weak { F32 F64: Weak<F64>; }
/// }
/// assert_type_eq_all!(Promoted<F32, Weak<F32>, Yielding>, F32);
/// assert_type_eq_all!(Promoted<Weak<F32>, Weak<F32>, Yielding>, Weak<F32>);
/// ```
///
/// # `operations`: what operations make of a dtype
///
/// One line for each [operation](crate::rules::operations): what it gives for each dtype, or `_` where it is
/// not defined. A dtype that is not listed gives itself. Weakness is kept, unless the line starts with
/// `strong`; an entry of a weak dtype stands for itself. `Mean = Divide` repeats another line's
/// entries. `operations Other;` follows the table of another rule set; without this part rules follow
/// [`Jax`](crate::Jax).
///
/// # `like` and `narrow`: variants
///
/// `like Other;` takes all parts that are not written from rules above in the same invocation. `narrow`
/// replaces dtypes, in operands first and then in results, of promotions and of operations.
///
/// ```
/// # use supremum::{F32, F64, I8, I32, I64, Promoted, promotion_rules};
/// # use supremum::operations::{Divide, Sum};
/// # use supremum::static_assertions::assert_type_eq_all;
/// promotion_rules! {
///     pub struct Wide = "wide";
///     lattice { I8 -> I32; I32 -> I64; }
///     operations {
///         Add {}
///         Subtract { Bool: _ }
///         Multiply {}
///         Divide { I8 I32 I64: F64 }
///         FloorDivide {}
///         Power {}
///         Arctangent = Divide
///         Minimum {}
///         Bitwise {}
///         Shift {}
///         Equality { I8 I32 I64: Bool }
///         Ordering = Equality
///         Join {}
///         MatrixMultiply {}
///         Negate {}
///         Sign {}
///         Round {}
///         Floor {}
///         Invert {}
///         FloatFunction = Divide
///         Reciprocal = Divide
///         Absolute {}
///         Classify = Equality
///         strong Sum { I8 I32: I64 }
///         strong CumulativeSum {}
///         strong Mean = Divide
///         strong Variance = Divide
///         strong Extremum {}
///         strong ExtremumIndex { I8 I32: I64 }
///         strong AnyAll = Equality
///     }
///
///     pub struct Narrow = "narrow";
///     like Wide;
///     narrow { I64: I32; F64: F32 }
/// }
/// assert_type_eq_all!(<I8 as Divide<Wide>>::Output, F64);
/// assert_type_eq_all!(<I8 as Divide<Narrow>>::Output, F32);
/// assert_type_eq_all!(<I8 as Sum<Narrow>>::Output, I32);
/// assert_type_eq_all!(Promoted<I64, I8, Narrow>, I32);
/// ```
///
/// # Laws
///
/// `#[law(commutative, associative)]` claims laws; the macro checks them over all operands that are
/// written, and answers a wrong claim with a counterexample. What contains a pair without promotion is
/// undefined, and two undefined results are equal.
///
/// # Verdicts
///
/// What a promotion loses is computed by the macro, and proved for every pair in the type system: see
/// [`Verdict`](crate::Verdict).
#[macro_export]
macro_rules! promotion_rules {
    ($($rules:tt)*) => {
        $crate::__private::promotion_rules_impl! { [$crate] $($rules)* }
    };
}

/// [`promotion_rules!`](crate::promotion_rules) for the rule sets of this library.
macro_rules! builtin_rules {
    ($($rules:tt)*) => {
        $crate::__private::promotion_rules_impl! { [crate] $($rules)* }
    };
}
pub(super) use builtin_rules;
