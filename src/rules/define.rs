//! `promotion_rules!`, the macro that defines rule sets, and its documentation.

/// Defines rule sets: promotion systems as types, from literal tables or lattices.
///
/// One rule set is a `struct` with a name and the parts below it, each at most once and in any order. The macro
/// expands to the marker type with a grid of all promotions in its documentation, the [`Promote`](crate::Promote)
/// impls, the [operation](crate::rules::operations) impls, and the same data at run time as
/// [`Rules::RULE_SET`](crate::Rules::RULE_SET). It reports all faults of a table at once, each on its cell.
///
/// # `table`: every pair, row by row
///
/// The header names the operands. Each row lists the results of its operand with each operand of the header; `_` is a
/// pair without promotion. Every result must be an operand of the table. An operand with itself must give itself. The
/// two orders of a pair must agree, unless the rules are marked `#[asymmetric]`.
///
/// ```
/// use supremum::{Bool, DType, F32, I32, I64, OperandType, Promoted, Rules, Weak, promotion_rules};
/// use supremum::static_assertions::assert_type_eq_all;
///
/// promotion_rules! {
///     /// Integers and floats promote to `f32`; booleans promote with booleans only.
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
/// `A -> B, C;` says that `A` promotes to `B` and to `C`; `A;` alone is an operand without edges. Two operands
/// promote to their least upper bound, and have no promotion if they have no common upper bound. The macro refuses a
/// cycle, and a pair with two upper bounds of which neither is below the other.
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
/// # `weak` and `weak_pairs`: operands that take the other's dtype
///
/// `Weak<D>` may be written in a table or lattice like any operand. For weak dtypes that are not written, `weak` maps
/// each dtype to the operand that stands for it beside a strong one. A weak dtype that is neither written nor listed
/// has no promotion with a strong one.
///
/// Two weak operands that are not both written promote as their dtypes do, to a weak result. The result is strong if
/// `weak` maps its dtype to a strong one, as JAX's rules do for booleans. `weak_pairs: replaced;` maps two weak
/// operands through `weak` as well.
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
/// # `literals`: the operand types of literals
///
/// The literals `true`, `1`, `1.0` and a complex number are the operands `Bool`, `Weak<I64>`, `Weak<F64>` and
/// `Weak<C128>`. `literals` replaces these defaults for the kinds `Bool`, `Int`, `Float` and `Complex`, for systems
/// whose literals have another width.
///
/// It also sets the conversion of literals that are out of the range of the promoted dtype, where unsafe promotions are
/// admitted ([`RuleSet::out_of_range_literal`](crate::RuleSet::out_of_range_literal)). With `wraps` after `Int`,
/// integers wrap in integer dtypes if they fit the dtype of integer literals, because such systems convert them to that
/// dtype first. With `overflows` after `Float`, all numbers become infinite in float dtypes. Without these words, and
/// always where unsafe promotions are not admitted, out-of-range literals are refused.
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
/// # `zero_dim`: rules that depend on rank
///
/// A separate table for a tensor of rank zero beside a tensor with dimensions, in either order. The rows are operands
/// with dimensions, the columns operands of rank zero. Both list the dtypes of `table` or `lattice`, which decides
/// between two tensors with dimensions and between two of rank zero. Weak operands promote alike beside every rank. A
/// tensor of [`AnyRank`](crate::AnyRank) promotes where the rank makes no difference.
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
/// `cells` overrides single cells of the table or lattice, for both orders unless the rules are `#[asymmetric]`. Use
/// it where a system departs from a lattice in single pairs. `extend Other { .. }` is `like Other;` (below) with
/// `cells { .. }`.
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
/// Operators refuse an unsafe promotion. By default a promotion is unsafe if a strong operand has values that the
/// result does not have. A mark overrides this for one cell:
///
/// - `unsafe F32` is always unsafe. If it loses nothing, the verdict is [`MarkedUnsafe`](crate::MarkedUnsafe).
/// - `safe F32` is always accepted. If it loses values, the verdict is [`Accepted`](crate::Accepted).
/// - `F32^name` is unsafe for a reason of your own: a type with [`StaticVerdict`](crate::StaticVerdict) that `marks`
///   binds to the name. The compiler's message names the type.
///
/// For all cells without a mark, `safety: marks;` accepts the loss of values, and `deny widening;` makes a promotion
/// unsafe if its result is neither operand ([`WidensBoth`](crate::WidensBoth)). Use `safety: marks;` for a system that
/// publishes which promotions are safe, and `deny widening;` where memory is short.
///
/// ```
/// # use supremum::{Accepted, BF16, F16, F32, I8, I32, MarkedUnsafe, Promote, StaticVerdict, U8, Verdict, WidensBoth};
/// # use supremum::promotion_rules;
/// # use supremum::static_assertions::assert_type_eq_all;
/// /// The integers are labels, not numbers.
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
/// `struct Name<Parameter = F32>` makes rules generic over a dtype that cells can name as their result. The loss of
/// such a promotion depends on the parameter, so these cells must be marked, with `unsafe` or a reason. A rule set
/// that extends these rules repeats the parameter; without it, it uses the default.
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
/// # `operations`: result dtypes of operations
///
/// One line for each [operation](crate::rules::operations) lists its result for each dtype, or `_` where it is not defined. A dtype
/// that is not listed gives itself. A weak operand gives a weak result, unless the line starts with `strong` or lists the weak
/// dtype itself. Only the line of `Activation` may be missing: then it follows `UnaryFloat`. `Mean = Divide` repeats the entries of
/// another line. `operations Other;` uses the table of another rule set; rules without this part use that of [`Jax`](crate::Jax).
///
/// Binary operations promote by the rules themselves. Where a system promotes differently for one of them, the line
/// names the rules: `Equality under Other { .. }` promotes by the table of `Other`. `Power under PowKeepsBase` lets a
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
/// #       Add {} Subtract {} Multiply {} FloorDivide {} Power under PowKeepsBase {} Atan2 {} MinMax {} Bitwise {}
/// #       Shift {} Ordering = Equality Join {} MatrixMultiply {} Negate {} Sign {} Round {} Floor {} Invert {}
/// #       UnaryFloat = Divide Reciprocal = Divide Absolute {} FloatClass = Equality strong Sum {}
/// #       strong CumulativeSum {} strong Mean = Divide strong Variance = Divide strong MinMaxReduce {}
/// #       strong ArgMinMax {} strong AnyAll {}
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
/// `like Other;` takes all parts that are not written from other rules. They are named by their bare name if they
/// stand above in the same invocation or are a rule set of this library; rules of another invocation that are marked
/// `#[extensible]` are named by their path. `narrow` replaces dtypes of promotions and of operations, in operands
/// first and then in results.
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
///         Atan2 = Divide
///         MinMax {}
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
///         FloatClass = Equality
///         strong Sum { I8 I32: I64 }
///         strong CumulativeSum {}
///         strong Mean = Divide
///         strong Variance = Divide
///         strong MinMaxReduce {}
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
/// `only` restricts rules to the listed dtypes, such as those of a device: promotions and operations that have
/// another operand or result are undefined. Literals stay defined. Comparisons still give booleans and `argmax` still
/// gives positions; to compute with those, list `Bool` and `I64`.
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
/// # `source`: what publishes the promotions
///
/// The name and version of the system that the rules follow, and the address that states its promotions, for
/// [`RuleSet::source`](crate::RuleSet::source). Rules that are `like` others have theirs.
///
/// ```
/// # use supremum::{Rules, promotion_rules};
/// promotion_rules! {
///     pub struct Sensor = "sensor";
///     source "firmware 3.2" "https://example.com/firmware/types";
///     lattice { U8 -> F32; }
/// }
/// assert_eq!(Sensor::rule_set().source().map(|source| source.version), Some("firmware 3.2"));
/// ```
///
/// # `#[extensible]`: rules for other invocations
///
/// Other invocations and crates can name rules with this attribute after `like` and `extend`, by their path: `extend
/// crate::systems::Mine { .. }`. Paths in such rules (of reasons and of other rules) must start with `crate::` or `::`,
/// because they are expanded in another module.
///
/// # `#[part_of(Mine)]`: rules that promote for others
///
/// If the operations of `Mine` promote by other rules (`Add under MineAdd {}`), messages name `Mine` if `MineAdd` has this
/// attribute, as [`NumpyUfunc`](crate::NumpyUfunc) has for [`Numpy`](crate::Numpy). The path is one as after `extend`.
///
/// # `common`: more than two operands
///
/// Selects the rule by which [`RuleSet::common`](crate::RuleSet::common) finds the dtype of more than two operands:
///
/// - `common: folded;` promotes from the left, pair by pair. This is the default.
/// - `common: around_highest;` promotes an operand of the highest kind with each other one first, as NumPy.
/// - `common: by_class;` promotes within tensors, scalars and literals first, as PyTorch.
///
/// # Laws
///
/// `#[law(commutative, associative)]` claims laws. The macro checks them over all operands that are written, and
/// reports a counterexample to a false claim. An expression with a pair that has no promotion is undefined, and two
/// undefined results count as equal.
///
/// # Verdicts
///
/// For each promotion, the macro computes a [`Verdict`](crate::Verdict) from the widths of the dtypes: whether it can lose values.
#[macro_export]
macro_rules! promotion_rules {
    ($($rules:tt)*) => {
        $crate::promotion_rules_impl! { [$crate] $($rules)* }
    };
}

/// [`promotion_rules!`](crate::promotion_rules) for the rule sets of this library.
macro_rules! builtin_rules {
    ($($rules:tt)*) => {
        $crate::promotion_rules_impl! { [crate] $($rules)* }
    };
}
pub(super) use builtin_rules;
