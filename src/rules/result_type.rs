//! The common dtype of more than two operands, which no system but JAX leaves to the order of pairs alone.

use typenum::{Gr, IsGreater};

use super::promote::{Promote, Promoted, Rules, SafePromote};
use super::{Class, Jax, OperandType, Promotion, RuleSet, Verdict};
use crate::dtype::{AsBoolean, AsInexact, AsInteger, Kind, Select, StaticDType, StrongDType, Weak};
use crate::error::Error;
use crate::rule_set::CommonTypeRule;

impl RuleSet {
    /// The common type of any number of operands, as the system finds it: most fold from the left; NumPy
    /// lets one of the highest kind meet each other one, and then the results one another; PyTorch
    /// first lets operands of one class meet.
    ///
    /// The verdict judges every strong operand against the final dtype, not each step.
    ///
    /// # Errors
    /// [`Error::NoOperands`] for an empty list; [`Error::NoPromotion`] if a step is undefined.
    ///
    /// ```
    /// use supremum::{DType, OperandType, RuleSet};
    /// let operands = [DType::I8, DType::U16, DType::F16].map(OperandType::dimensioned);
    /// // i8 with u16 is i32, and that with f16 is f64; but f16 holds i8, and f32 holds f16 and u16.
    /// assert_eq!(RuleSet::named("numpy")?.common(&operands)?.dtype, DType::F32);
    /// assert_eq!(RuleSet::named("jax")?.common(&operands)?.dtype, DType::F16);
    /// # Ok::<(), supremum::Error>(())
    /// ```
    pub fn common(&self, operands: &[OperandType]) -> Result<Promotion, Error> {
        let found = match self.common_type_rule() {
            CommonTypeRule::Folded => self.fold(operands.iter().copied())?,
            CommonTypeRule::AroundHighest => {
                let highest = operands.iter().copied().reduce(higher);
                let around = operands
                    .iter()
                    .filter_map(|other| Some(self.promote(highest?, *other)))
                    .collect::<Result<Vec<_>, _>>()?;
                self.fold(around.into_iter().map(Promotion::operand))?
            }
            CommonTypeRule::ByClass => {
                let [dimensioned, zero_dim, weak] =
                    [Class::Dimensioned, Class::ZeroDim, Class::Weak].map(|class| {
                        self.fold(operands.iter().copied().filter(|one| one.class == class))
                    });
                let scalars = self.fold([zero_dim?, weak?].into_iter().flatten())?;
                self.fold([dimensioned?, scalars].into_iter().flatten())?
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

    /// Folded from the left; of none there is nothing.
    fn fold(
        &self,
        operands: impl IntoIterator<Item = OperandType>,
    ) -> Result<Option<OperandType>, Error> {
        let mut operands = operands.into_iter();
        let Some(first) = operands.next() else {
            return Ok(None);
        };
        // One operand alone promotes too: rules can narrow it, or not have it.
        let first = self.promoted(first, first)?;
        operands
            .try_fold(first, |common, next| self.promoted(common, next))
            .map(Some)
    }

    /// What two operands give as an operand of the next promotion: scalars give a scalar.
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

/// The operand of the higher kind (floats and complex numbers are one), of equal ones the strong one, of
/// equal ones still the first.
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

/// What a list gives, folded from the left, with `Accumulator` before it.
#[doc(hidden)]
pub trait FoldedOnto<Accumulator, R> {
    type Output: StaticDType;
}
// One operand alone promotes too.
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

/// What one operand gives with each of a list, as a list.
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

/// The first operand of the highest kind.
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

/// What `higher` compares, as a number.
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

/// The heights of strong and weak dtypes of a group.
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

/// Dtypes with a common one: two to six, as a tuple.
///
/// Accepted or not; [`SafeCommon`] is the bound for the accepted ones.
pub trait CommonDType<R = Jax> {
    /// The common dtype: what [`common!`](crate::common) and [`RuleSet::common`] find.
    type Output: StaticDType;
}

impl<Dtypes, R> CommonDType<R> for Dtypes
where
    Dtypes: Tuple,
    R: Rules<CommonTypeRule: CommonBy<Dtypes::List, R>>,
{
    type Output = <R::CommonTypeRule as CommonBy<Dtypes::List, R>>::Output;
}

/// Dtypes whose common dtype the rules accept for each of them: the one bound of a function over two to six
/// dtypes.
///
/// Each of them promotes with the [`Common`] one to it, and the rules accept that promotion; under [`Jax`] that means that the common dtype has every value of
/// each. The bound says nothing else of each dtype: where the function calls methods of a tensor before it
/// [promotes](crate::promote) it, add `D: StaticDType`.
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

/// The dtype that several promote to: `Common<(A, B, C)>`.
///
/// ```
/// use supremum::static_assertions::assert_type_eq_all;
/// use supremum::{BF16, Common, F16, F32, U8};
/// assert_type_eq_all!(Common<(U8, F16, BF16)>, F32);
/// ```
pub type Common<Dtypes, R = Jax> = <Dtypes as CommonDType<R>>::Output;

/// Each of a tuple of dtypes promotes with this one to it, accepted.
// The common dtype is `Self`: while it is not known this is ambiguous and no error beside the one that says why.
#[doc(hidden)]
pub trait CommonOf<Dtypes, R> {}

/// A tuple of two to six types as a list.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no tuple of two to six dtypes",
    label = "several dtypes are a tuple: `(A, B)`"
)]
#[doc(hidden)]
pub trait Tuple {
    type List;
}

macro_rules! tuples {
    ($($($dtype:ident)+;)+) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($dtype,)+> Tuple for ($($dtype,)+) {
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

/// The dtype that any number of dtypes promote to, as the rules find it ([`RuleSet::common`]): under
/// [`Jax`](crate::Jax) `common!(A, B, C)`, under other rules `common!(Rules: A, B, C)`.
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
