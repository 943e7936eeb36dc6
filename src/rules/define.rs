//! The macro that defines rule sets.

/// Defines rule sets: promotion systems as types, from literal tables or lattices.
///
/// One rule set is a `struct` with a name and the parts below it, each at most once and in any order. The expansion is the marker type
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
/// # Groups: a word for several dtypes
///
/// `Unsigned`, `Signed`, `Float` and `Complex` stand for the dtypes of that kind, `Integer` for the signed and unsigned ones,
/// and `Float8` for the floats of 8 bits; `Weak<Float>` stands for the weak ones. Groups can be written in a lattice, left of
/// the colon in `weak`, `narrow` and `operations`, left of `=>` in `cells`, and in `only`. Results and tables name dtypes.
///
/// Where two entries speak of one dtype, its own name comes before a group, and a smaller group before a larger one, in
/// whatever order they are written. In `cells` the pair of names comes first that stands for fewer cells; a pair of groups
/// leaves alone the cells of a dtype with itself, and dtypes that are no operands of the rules.
///
/// ```
/// # use supremum::{BF16, F16, F32, F8E5M2, I8, U16, Promoted, promotion_rules};
/// # use supremum::operations::Sum;
/// # use supremum::static_assertions::assert_type_eq_all;
/// promotion_rules! {
///     pub struct Grouped = "grouped";
///     lattice { Integer -> F16; Float8 -> F16; F16 -> F32; BF16 -> F32; }
///     cells { Float8 Unsigned => F32; U16 F8E5M2 => _ }
///     operations {
///         strong Sum { Float: F32; Float8: F16; BF16: BF16; Integer: I64 }
///         // and a line for each other group of operations
/// #       Add {} Subtract {} Multiply {} Divide {} FloorDivide {} Power {} Arctangent {} Minimum {} Bitwise {} Shift {}
/// #       Equality { Integer Float: Bool } Ordering = Equality Join {} MatrixMultiply {} Negate {} Sign {} Round {} Floor {} Invert {}
/// #       UnaryFloat {} Reciprocal {} Absolute {} Classify = Equality strong CumulativeSum {} strong Mean {} strong Variance {}
/// #       strong Extremum {} strong ArgMinMax { Integer Float: I64 } strong AnyAll = Equality
///     }
/// }
/// assert_type_eq_all!(Promoted<I8, F8E5M2, Grouped>, F16);
/// assert_type_eq_all!(<F16 as Sum<Grouped>>::Output, F32);
/// assert_type_eq_all!(<F8E5M2 as Sum<Grouped>>::Output, F16);
/// assert_type_eq_all!(<BF16 as Sum<Grouped>>::Output, BF16);
/// ```
///
/// # `weak` and `weak_pairs`: operands that yield
///
/// `Weak<D>` is an operand like others where it is written. `weak` says, for the rest, as what a weak
/// operand of each dtype counts beside a strong one; a weak dtype that is neither written nor listed meets no
/// strong one. Two weak operands that are not both written
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
/// # `literals`: what literals are
///
/// The literals `true`, `1`, `1.0` and a complex number are the operands `Bool`, `Weak<I64>`, `Weak<F64>` and
/// `Weak<C128>`. `literals` says otherwise for the kinds `Bool`, `Int`, `Float` and `Complex`, as systems do whose
/// literals have another width.
///
/// It also says what becomes of a literal that the promoted dtype does not have, where unsafe promotions are admitted
/// ([`RuleSet::out_of_range_literal`](crate::RuleSet::out_of_range_literal)): integers with `wraps` wrap in integer dtypes, if the dtype of
/// integer literals has them, which such systems convert them to first; with `overflows` after `Float` all numbers become
/// infinite in float dtypes. Without these words they are refused, as always where unsafe promotions are not admitted.
///
/// ```
/// # use supremum::{AllowUnsafe, F32, I8, Rank1, Tensor, Weak, promotion_rules, tensor};
/// promotion_rules! {
///     pub struct Narrow = "narrow";
///     literals { Int: Weak<I32> wraps; Float: Weak<F32> }
///     lattice { Weak<I32> -> I8; I8 -> Weak<F32>; Weak<F32> -> F32; }
/// }
/// let samples: Tensor<I8, Rank1, Narrow> = tensor![3, 5];
/// let halves: Tensor<Weak<F32>, Rank1, Narrow> = &samples * 0.5;
/// assert_eq!(halves.to_vec(), [1.5_f32, 2.5]);
/// assert!(samples.try_add(256).is_err());
/// assert_eq!((samples.promote_unsafe() + 256).to_vec(), [3, 5]);
/// ```
///
/// # `zero_dim`: rules that look at rank
///
/// A table of its own for a tensor of rank zero beside one with dimensions, in either order: the rows are operands
/// with dimensions, the columns those of rank zero. Both are dtypes, the same as in `table` or `lattice`, which decides
/// between operands of one kind. Weak operands are the same beside every rank. A tensor of
/// [`AnyRank`](crate::AnyRank) promotes where the rank makes no difference.
///
/// ```
/// # use supremum::{F32, F64, Promoted, Rank0, Rank1, Tensor, ZeroDim, promotion_rules, tensor};
/// # use supremum::static_assertions::assert_type_eq_all;
/// promotion_rules! {
///     pub struct TensorsDecide = "tensors-decide";
///     lattice { F32 -> F64; }
///     zero_dim {
///         _   => [F32, F64],
///         F32 => [F32, safe F32],
///         F64 => [F64, F64],
///     }
/// }
/// assert_type_eq_all!(Promoted<F32, F64, TensorsDecide>, F64);
/// assert_type_eq_all!(Promoted<F32, ZeroDim<F64>, TensorsDecide>, F32);
///
/// let image: Tensor<F32, Rank1, TensorsDecide> = tensor![1.0, 2.0];
/// let scale: Tensor<F64, Rank0, TensorsDecide> = Tensor::scalar(0.5);
/// let scaled: Tensor<F32, Rank1, TensorsDecide> = image * scale;
/// assert_eq!(scaled.to_vec(), [0.5_f32, 1.0]);
/// ```
///
/// # `cells` and `extend`: single cells
///
/// `cells` overrides cells of the table or lattice, for both orders unless the rules are `#[asymmetric]`. It is for
/// the few pairs in which a system departs from a form that fits the rest. `extend Other { .. }` is `like Other;`
/// (below) with `cells { .. }`.
///
/// ```
/// # use supremum::{F32, F64, I32, I64, LosesPrecision, Promote, Promoted, Rank1, Tensor, promotion_rules, tensor};
/// # use supremum::static_assertions::assert_type_eq_all;
/// promotion_rules! {
///     /// JAX, but an integer of 32 bits or more takes `f32` to `f64`.
///     pub struct Wider = "wider";
///     extend Jax { I32 F32 => F64; I64 F32 => F64 }
/// }
/// let counts: Tensor<I32, Rank1, Wider> = tensor![16_777_217, 2];
/// let weights: Tensor<F32, Rank1, Wider> = tensor![1.0, 0.5];
/// let weighted: Tensor<F64, Rank1, Wider> = counts * weights; // JAX: `f32`, which loses the last digit
/// assert_eq!(weighted.to_vec(), [16_777_217.0, 1.0]);
///
/// // `f64` does not hold every `i64` either.
/// assert_type_eq_all!(Promoted<I64, F32, Wider>, F64);
/// assert_type_eq_all!(<I64 as Promote<F32, Wider>>::Verdict, LosesPrecision<I64>);
/// ```
///
/// # `unsafe`, `safe`, `marks`, `safety` and `deny widening`: which promotions are unsafe
///
/// Operators refuse a promotion that is unsafe. Without a word that is one in which a strong operand has
/// values that the result does not have. A cell says otherwise for itself:
///
/// - `unsafe F32` is unsafe whatever it loses; if it loses nothing, the verdict is
///   [`MarkedUnsafe`](crate::MarkedUnsafe);
/// - `safe F32` is accepted whatever it loses; if it loses something, the verdict is
///   [`Accepted`](crate::Accepted);
/// - `F32^name` is unsafe for a reason of yours, a type with [`StaticVerdict`](crate::StaticVerdict) that `marks` gives
///   the name. The compiler names the type in its message.
///
/// For all cells that say nothing, `safety: marks;` accepts what values are lost, and `deny widening;` makes
/// a promotion unsafe if its result is neither operand ([`WidensBoth`](crate::WidensBoth)). Take `safety: marks;` for a
/// system that publishes which promotions are safe, and `deny widening;` where memory is short.
///
/// ```
/// # use supremum::{Accepted, BF16, F16, F32, I8, I32, MarkedUnsafe, Promote, StaticVerdict, U8, Verdict, WidensBoth};
/// # use supremum::promotion_rules;
/// # use supremum::static_assertions::assert_type_eq_all;
/// /// Somebody computed with labels.
/// pub struct IsALabel;
/// impl StaticVerdict for IsALabel {
///     const VERDICT: Verdict = Verdict::Refused("8-bit integers are labels here");
/// }
///
/// promotion_rules! {
///     pub struct Careful = "careful";
///     deny widening;
///     marks { label: IsALabel }
///     extend Jax {
///         I8 F32 => F32^label;
///         U8 F32 => unsafe F32;
///         I32 F32 => safe F32;
///     }
/// }
/// assert_type_eq_all!(<I8 as Promote<F32, Careful>>::Verdict, IsALabel);
/// assert_type_eq_all!(<U8 as Promote<F32, Careful>>::Verdict, MarkedUnsafe);
/// assert_type_eq_all!(<I32 as Promote<F32, Careful>>::Verdict, Accepted); // rounds above 2^24
/// assert_type_eq_all!(<F16 as Promote<BF16, Careful>>::Verdict, WidensBoth); // to `f32`
/// ```
///
/// # A type parameter: results that users choose
///
/// `struct Name<Parameter = F32>` makes rules generic over a dtype, which cells can give. What such a
/// promotion loses depends on it, so these cells are marked, with `unsafe` or a reason. A rule set that extends
/// these repeats the parameter, or has its default everywhere.
///
/// ```
/// # use supremum::{F64, I64, Promoted, U64, promotion_rules};
/// # use supremum::static_assertions::assert_type_eq_all;
/// promotion_rules! {
///     pub struct Mixing<Target = F64> = "mixing";
///     table {
///         _   => [I64,           U64],
///         I64 => [I64,           unsafe Target],
///         U64 => [unsafe Target, U64],
///     }
/// }
/// assert_type_eq_all!(Promoted<I64, U64, Mixing>, F64);
/// assert_type_eq_all!(Promoted<I64, U64, Mixing<I64>>, I64);
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
/// Binary operations promote by the rules themselves. Where a system has other promotions for some of
/// them, the line says so: `Equality under Other { .. }` promotes by the table of `Other`. `Power under PowKeepsBase` lets a
/// float or complex base keep its dtype beside an integer exponent ([`PowKeepsBase`](crate::PowKeepsBase)). Rules
/// `like` these promote by their own table in every operation, and keep `PowKeepsBase`.
///
/// ```
/// # use supremum::{F32, F64, I32, Rank1, Tensor, promotion_rules, tensor};
/// promotion_rules! {
///     /// Numbers are compared within one dtype only, and integers are not divided.
///     pub struct Exact = "exact";
///     lattice { I32 -> F64; F32 -> F64; }
///     operations {
///         Equality under JaxStrict { I32 F32 F64: Bool }
///         Divide { I32: _ }
///         // and a line for each other group
/// #       Add {} Subtract {} Multiply {} FloorDivide {} Power under PowKeepsBase {} Arctangent {} Minimum {} Bitwise {}
/// #       Shift {} Ordering = Equality Join {} MatrixMultiply {} Negate {} Sign {} Round {} Floor {} Invert {}
/// #       UnaryFloat = Divide Reciprocal = Divide Absolute {} Classify = Equality strong Sum {} strong CumulativeSum {}
/// #       strong Mean = Divide strong Variance = Divide strong Extremum {} strong ArgMinMax {} strong AnyAll {}
///     }
/// }
/// let a: Tensor<I32, Rank1, Exact> = tensor![1, 2];
/// let b: Tensor<F32, Rank1, Exact> = tensor![0.5, 2.0];
/// let sum: Tensor<F64, Rank1, Exact> = &a + &b;
/// let halves: Tensor<F64, Rank1, Exact> = &sum / &b;
/// assert_eq!(halves.to_vec(), [3.0, 2.0]);
/// assert_eq!(b.equal(&b).to_vec(), [true, true]); // `a.equal(&b)` does not compile
/// let cubes: Tensor<F32, Rank1, Exact> = b.pow(&a);
/// assert_eq!(cubes.to_vec(), [0.5, 4.0]);
/// ```
///
/// # `like`, `narrow` and `only`: variants
///
/// `like Other;` takes all parts that are not written from other rules: rules above in the same context, a rule
/// set of this library, by its bare name, or rules of another context that are marked `#[extensible]`, by their path. `narrow`
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
///         UnaryFloat = Divide
///         Reciprocal = Divide
///         Absolute {}
///         Classify = Equality
///         strong Sum { I8 I32: I64 }
///         strong CumulativeSum {}
///         strong Mean = Divide
///         strong Variance = Divide
///         strong Extremum {}
///         strong ArgMinMax { I8 I32: I64 }
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
/// `only` restricts rules to some dtypes, such as those of a device: promotions and operations that have
/// another operand or result are undefined. Literals stay, and so do the truth values and positions that comparisons
/// and `argmax` give; to compute with those, list `Bool` and `I64`.
///
/// ```
/// # use supremum::{BF16, Bool, F16, F32, F64, Promote, Promoted, Rank1, Tensor, promotion_rules, tensor};
/// # use supremum::static_assertions::{assert_not_impl_any, assert_type_eq_all};
/// promotion_rules! {
///     pub struct Device = "device";
///     like Jax;
///     only [F16 BF16 F32]
/// }
/// assert_type_eq_all!(Promoted<F16, BF16, Device>, F32);
/// assert_not_impl_any!(F32: Promote<F64, Device>);
///
/// let weights: Tensor<BF16, Rank1, Device> = tensor![1.0, -2.0];
/// let positive: Tensor<Bool, Rank1, Device> = (weights * 2.0).gt(0);
/// assert_eq!(positive.to_vec(), [true, false]);
/// ```
///
/// # `#[extensible]`: rules for other invocations
///
/// Rules with this attribute can be named after `like` and `extend` in other invocations and crates by their path,
/// as `extend crate::systems::Mine { .. }`. Paths in them, of reasons and of other rules, start with `crate::` or `::`, since
/// they are read in another place.
///
/// # `common`: more than two operands
///
/// How [`RuleSet::common`](crate::RuleSet::common) finds the dtype of several operands: `common: folded;`, from the left,
/// unless said otherwise; `common: around_highest;`, as NumPy; `common: by_class;`, as PyTorch.
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
