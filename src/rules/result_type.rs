//! The common dtype of more than two operands, at run time ([`RuleSet::common`]) and in the type system ([`Common`]).
//!
//! Promotion is not associative under most systems. So each system says how it finds the common dtype of a list:
//!
//! - [`Folded`] promotes from the left;
//! - [`AroundHighest`] promotes an operand of the highest kind with each operand, and folds those results (NumPy);
//! - `ByClass` folds literals, tensors of rank zero and tensors with dimensions apart, then the three results
//!   (PyTorch).

use typenum::{Gr, IsGreater};

use super::promote::{Promote, Promoted, Rules, SafePromote};
use super::{Class, Jax, OperandType, Promotion, RuleSet, Verdict};
use crate::dtype::{AsBoolean, AsInexact, AsInteger, Kind, Select, StaticDType, StrongDType, Weak};
use crate::error::Error;
use crate::rule_set::CommonTypeRule;

/// One promotion on the way to the common dtype of several operands: [`RuleSet::common_by_steps`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PromotionStep {
    /// The left operand: one of the list, or the result of an earlier step.
    pub lhs: OperandType,
    /// The right operand.
    pub rhs: OperandType,
    /// Their promotion.
    pub result: OperandType,
}

impl PromotionStep {
    fn new(lhs: OperandType, rhs: OperandType, result: OperandType) -> Self {
        Self { lhs, rhs, result }
    }
}

impl RuleSet {
    /// Finds the common type of any number of operands, as the system does.
    ///
    /// Most systems promote from the left, pair by pair. NumPy promotes an operand of the highest kind with each
    /// operand, and then the results with one another. PyTorch first promotes the operands of each class among
    /// themselves.
    ///
    /// The verdict judges every strong operand against the final dtype, not each step.
    ///
    /// # Errors
    /// [`Error::NoOperands`] for an empty list; [`Error::NoPromotion`] if a step is undefined.
    ///
    /// ```
    /// use supremum::{DType, OperandType, RuleSet};
    /// let operands = [DType::I8, DType::U16, DType::F16].map(OperandType::dimensioned);
    /// // From the left, i8 and u16 give i32, which gives f64 with f16. NumPy promotes f16 with each: f16 and f32.
    /// assert_eq!(RuleSet::named("numpy")?.common(&operands)?.dtype, DType::F32);
    /// assert_eq!(RuleSet::named("jax")?.common(&operands)?.dtype, DType::F16);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn common(&self, operands: &[OperandType]) -> Result<Promotion, Error> {
        self.common_by_steps(operands, |_| {})
    }

    /// [`common`](Self::common), which hands each promotion of two operands to `observe`, in the order in which they meet.
    ///
    /// # Errors
    /// The errors of [`common`](Self::common). Steps before the undefined one have been observed.
    ///
    /// ```
    /// use supremum::{DType, OperandType, RuleSet};
    /// let operands = [DType::I8, DType::U16, DType::F16].map(OperandType::dimensioned);
    /// let mut steps = Vec::new();
    /// RuleSet::named("jax")?.common_by_steps(&operands, |step| steps.push(step))?;
    /// let results: Vec<_> = steps.iter().map(|step| step.result.dtype).collect();
    /// assert_eq!(results, [DType::I32, DType::F16]);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn common_by_steps(
        &self,
        operands: &[OperandType],
        mut observe: impl FnMut(PromotionStep),
    ) -> Result<Promotion, Error> {
        let observe = &mut observe;
        let found = match self.common_type_rule() {
            CommonTypeRule::Folded => self.fold(operands.iter().copied(), observe)?,
            CommonTypeRule::AroundHighest => {
                let highest = operands.iter().copied().reduce(higher);
                let around = operands
                    .iter()
                    .filter_map(|other| Some((highest?, *other)))
                    .map(|(highest, other)| {
                        let result = self.promote(highest, other)?.operand();
                        if highest != other {
                            observe(PromotionStep::new(highest, other, result));
                        }
                        Ok(result)
                    })
                    .collect::<Result<Vec<_>, Error>>()?;
                self.fold(around, observe)?
            }
            CommonTypeRule::ByClass => {
                let mut of_class = |class| {
                    let operands = operands.iter().copied();
                    self.fold(operands.filter(|one| one.class == class), observe)
                };
                let [dimensioned, zero_dim, weak] =
                    [Class::Dimensioned, Class::ZeroDim, Class::Weak].map(&mut of_class);
                let scalars = self.fold([zero_dim?, weak?].into_iter().flatten(), observe)?;
                self.fold([dimensioned?, scalars].into_iter().flatten(), observe)?
            }
        };
        let common = found.ok_or(Error::NoOperands { rules: self.name() })?;
        let strong = operands.iter().filter(|one| one.class != Class::Weak);
        Ok(Promotion {
            dtype: common.dtype,
            weak: common.class == Class::Weak,
            verdict: Verdict::of_conversions(strong.map(|one| one.dtype), common.dtype),
        })
    }

    /// Promotes from the left; `None` for no operands.
    fn fold(
        &self,
        operands: impl IntoIterator<Item = OperandType>,
        observe: &mut impl FnMut(PromotionStep),
    ) -> Result<Option<OperandType>, Error> {
        let mut operands = operands.into_iter();
        let Some(first) = operands.next() else {
            return Ok(None);
        };
        // A single operand promotes with itself: rules can narrow its dtype, or leave it undefined.
        let first = self.promoted(first, first)?;
        operands
            .try_fold(first, |common, next| {
                let result = self.promoted(common, next)?;
                observe(PromotionStep::new(common, next, result));
                Ok(result)
            })
            .map(Some)
    }

    /// Promotes two operands to the operand of the next step: two tensors of rank zero, or one and a literal, give a
    /// tensor of rank zero.
    fn promoted(&self, lhs: OperandType, rhs: OperandType) -> Result<OperandType, Error> {
        let promotion = self.promote(lhs, rhs)?;
        let scalars = lhs.class != Class::Dimensioned && rhs.class != Class::Dimensioned;
        let either_zero_dim = lhs.class == Class::ZeroDim || rhs.class == Class::ZeroDim;
        Ok(match promotion.operand() {
            common if scalars && either_zero_dim && common.class != Class::Weak => {
                OperandType::zero_dim(common.dtype)
            }
            common => common,
        })
    }
}

/// Returns the operand of the higher kind, where floats and complex numbers count as one kind. Of equal kinds it
/// returns the strong operand, and of two equal operands the first.
fn higher(first: OperandType, second: OperandType) -> OperandType {
    let height = |operand: OperandType| {
        let kind = match operand.dtype.kind() {
            Kind::Bool => 0,
            Kind::Unsigned | Kind::Signed => 1,
            Kind::Float | Kind::Complex => 2,
        };
        (kind, operand.class != Class::Weak)
    };
    if height(second) > height(first) {
        second
    } else {
        first
    }
}

/// [`CommonTypeRule::Folded`] as a type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Folded;
/// [`CommonTypeRule::AroundHighest`] as a type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct AroundHighest;

/// The common dtype of a list `(A, (B, (C, ())))` under the rules `R`.
// rustc reports this bound where the rules are a type parameter.
#[diagnostic::on_unimplemented(
    message = "under `{R}` rules no common dtype of the operands is known",
    label = "it is not stated that these rules promote them",
    note = "generic code over rules states a bound (not the one that `help` proposes): `(A, B): SafeCommon<{R}>`, or `(A, B): SafeCommon<{R}, Output: Arithmetic<{R}, N>>` if the results compute; it names the dtypes that are known, `(F32, B)`"
)]
#[doc(hidden)]
pub trait CommonBy<List, R> {
    type Output: StaticDType;
}

impl<A, More, R> CommonBy<(A, More), R> for Folded
where
    More: FoldedOnto<A, R>,
{
    type Output = More::Output;
}

/// Folds a list from the left, starting with `Accumulator`.
#[doc(hidden)]
pub trait FoldedOnto<Accumulator, R> {
    type Output: StaticDType;
}
// The last result promotes with itself, so that a single operand promotes too.
#[diagnostic::do_not_recommend]
impl<Accumulator: Promote<Accumulator, R>, R> FoldedOnto<Accumulator, R> for () {
    type Output = Accumulator::Output;
}
impl<Accumulator, A, More, R> FoldedOnto<Accumulator, R> for (A, More)
where
    Accumulator: Promote<A, R>,
    More: FoldedOnto<Accumulator::Output, R>,
{
    type Output = More::Output;
}

impl<List, R> CommonBy<List, R> for AroundHighest
where
    List: Highest,
    List: Around<<List as Highest>::Output, R>,
    Folded: CommonBy<<List as Around<<List as Highest>::Output, R>>::Output, R>,
{
    type Output =
        <Folded as CommonBy<<List as Around<<List as Highest>::Output, R>>::Output, R>>::Output;
}

/// Promotes `Main` with each operand of a list, to a list of the results.
#[doc(hidden)]
pub trait Around<Main, R> {
    type Output;
}
impl<Main, R> Around<Main, R> for () {
    type Output = ();
}
impl<Main, A, More, R> Around<Main, R> for (A, More)
where
    Main: Promote<A, R>,
    More: Around<Main, R>,
{
    type Output = (Promoted<Main, A, R>, More::Output);
}

/// Finds the first operand of the highest kind in a list.
#[doc(hidden)]
pub trait Highest {
    type Output;
}
impl<A> Highest for (A, ()) {
    type Output = A;
}
impl<A, B, More> Highest for (A, (B, More))
where
    A: Height,
    B: Height,
    B::Height: IsGreater<A::Height, Output: Select>,
    (Higher<A, B>, More): Highest,
{
    type Output = <(Higher<A, B>, More) as Highest>::Output;
}

type Higher<A, B> = <Gr<<B as Height>::Height, <A as Height>::Height> as Select>::Choose<B, A>;

/// The rank of an operand in the order of `higher`, as a `typenum` number.
#[doc(hidden)]
pub trait Height {
    type Height;
}
impl<D: StrongDType<Group: GroupHeight>> Height for D {
    type Height = <D::Group as GroupHeight>::Strong;
}
impl<D: StrongDType<Group: GroupHeight>> Height for Weak<D> {
    type Height = <D::Group as GroupHeight>::Weak;
}

/// The heights of the strong and weak dtypes of a kind group.
#[doc(hidden)]
pub trait GroupHeight {
    type Strong;
    type Weak;
}
impl GroupHeight for AsBoolean {
    type Strong = typenum::U1;
    type Weak = typenum::U0;
}
impl GroupHeight for AsInteger {
    type Strong = typenum::U3;
    type Weak = typenum::U2;
}
impl GroupHeight for AsInexact {
    type Strong = typenum::U5;
    type Weak = typenum::U4;
}

/// A tuple of two to six dtypes that have a common dtype, whether or not the rules accept the promotion.
///
/// [`SafeCommon`] is the bound for accepted promotions.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of two to six dtypes that have a common one under `{R}` rules",
    label = "no common dtype is known",
    note = "several dtypes are a tuple, `(F16, F32)`; generic code states a bound, `(A, B): SafeCommon`, or `(A, B): SafeCommon<R>` under other rules"
)]
pub trait CommonDType<R = Jax> {
    /// The common dtype, the same that [`common!`](crate::common) and [`RuleSet::common`] find.
    type Output: StaticDType;
}

impl<Dtypes, R> CommonDType<R> for Dtypes
where
    Dtypes: DTypeTuple,
    R: Rules<CommonTypeRule: CommonBy<Dtypes::List, R>>,
{
    type Output = <R::CommonTypeRule as CommonBy<Dtypes::List, R>>::Output;
}

/// A tuple of two to six dtypes whose common dtype the rules accept for each of them: the one bound that a function
/// over several dtypes needs.
///
/// Each dtype promotes with the [`Common`] one to the common one, and the rules accept that promotion. Under [`Jax`]
/// the common dtype then has every value of each. The bound implies nothing else about each dtype: a function that
/// calls methods of a tensor before it [promotes](crate::promote) the tensor needs `D: StaticDType` as well.
///
/// ```
/// use supremum::{Common, SafeCommon, Tensor, promote};
///
/// fn axpy<A, X, Y>(a: &Tensor<A>, x: &Tensor<X>, y: &Tensor<Y>) -> Tensor<Common<(A, X, Y)>>
/// where
///     (A, X, Y): SafeCommon,
/// {
///     let (a, x, y) = promote((a, x, y));
///     a * x + y
/// }
///
/// # use supremum::{BF16, F16, F32, I8, tensor};
/// let a: Tensor<F16> = tensor![2.0];
/// let x: Tensor<BF16> = tensor![3.0, 4.0];
/// let y: Tensor<I8> = tensor![1];
/// let sum: Tensor<F32> = axpy(&a, &x, &y);
/// assert_eq!(sum.to_vec(), [7.0, 9.0]);
/// ```
///
/// ```compile_fail,E0277
/// # use supremum::{F16, F32, I64, SafeCommon};
/// # fn common<A, X, Y>() where (A, X, Y): SafeCommon {}
/// common::<F16, I64, F32>(); // f32 does not hold every i64
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of two to six dtypes that have a common one under `{R}` rules",
    label = "no common dtype is known",
    note = "several dtypes are a tuple, `(F16, F32)`; generic code states a bound, `(A, B): SafeCommon`, or `(A, B): SafeCommon<R>` under other rules"
)]
pub trait SafeCommon<R = Jax>:
    CommonDType<R, Output: SafePromote<Common<Self, R>, R, Output = Common<Self, R>>>
{
}

impl<Dtypes, R> SafeCommon<R> for Dtypes
where
    Dtypes: CommonDType<R, Output: CommonOf<Dtypes, R>>,
    Dtypes::Output: SafePromote<Dtypes::Output, R, Output = Dtypes::Output>,
{
}

/// The common dtype of a tuple of dtypes: `Common<(A, B, C)>`.
///
/// ```
/// use supremum::static_assertions::assert_type_eq_all;
/// use supremum::{BF16, Common, F16, F32, U8};
/// assert_type_eq_all!(Common<(U8, F16, BF16)>, F32);
/// ```
pub type Common<Dtypes, R = Jax> = <Dtypes as CommonDType<R>>::Output;

/// Implemented by `Self` if each dtype of the tuple promotes with `Self` to `Self`, and the rules accept that.
// The common dtype is `Self`. If it is unknown, this bound is ambiguous and rustc reports only the error that says why.
#[doc(hidden)]
pub trait CommonOf<Dtypes, R> {}

/// Converts a tuple of two to six types to a list `(A, (B, ()))`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tuple of two to six dtypes",
    label = "several dtypes are a tuple: `(A, B)`"
)]
#[doc(hidden)]
pub trait DTypeTuple {
    type List;
}

macro_rules! tuples {
    ($($($dtype:ident)+;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($dtype,)+> DTypeTuple for ($($dtype,)+) {
            type List = tuples!(@list $($dtype)+);
        }

        impl<Out, R, $($dtype,)+> CommonOf<($($dtype,)+), R> for Out
        where
            $($dtype: SafePromote<Out, R, Output = Out>,)+
        {
        }
    )+};
    (@list) => { () };
    (@list $dtype:ident $($more:ident)*) => { ($dtype, tuples!(@list $($more)*)) };
}

tuples! {
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
}

/// The common dtype of any number of dtypes, as a type.
///
/// `common!(A, B, C)` promotes under [`Jax`](crate::Jax), `common!(Rules: A, B, C)` under other rules. The result is
/// the dtype that [`RuleSet::common`](crate::RuleSet::common) finds.
///
/// ```
/// use supremum::static_assertions::assert_type_eq_all;
/// use supremum::{BF16, F16, F32, I8, Numpy, U8, U16, common};
/// assert_type_eq_all!(common!(U8, I8, BF16), BF16);
/// assert_type_eq_all!(common!(U8, F16, BF16), F32);
/// assert_type_eq_all!(common!(Numpy: I8, U16, F16), F32);
/// ```
#[macro_export]
macro_rules! common {
    (@list) => { () };
    (@list $dtype:ty $(, $more:ty)*) => { ($dtype, $crate::common!(@list $($more),*)) };
    ($rules:ident: $($dtype:ty),+ $(,)?) => {
        <<$rules as $crate::Rules>::CommonTypeRule as $crate::__private::CommonBy<
            $crate::common!(@list $($dtype),+),
            $rules,
        >>::Output
    };
    ($($dtype:ty),+ $(,)?) => {
        <$crate::__private::Folded as $crate::__private::CommonBy<
            $crate::common!(@list $($dtype),+),
            $crate::Jax,
        >>::Output
    };
}
