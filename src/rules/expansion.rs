//! What the expansions of [`promotion_rules!`](crate::promotion_rules) need: tables from numbers,
//! and the proof of verdicts.

pub use super::rule_set::{OPERANDS, OperationTable, PromotionTable};
use super::verdict::{MarkedUnsafe, WidensBoth};
use super::{Class, OperandType, Operation, Promote, Promotion, StaticVerdict, Verdict};
use crate::dtype::{
    Conversion, DType, LosesPrecision, LosesRange, Lossless, StaticDType, StrongDType, Weak,
    ZeroDim,
};

/// The table of rules that do not compile.
pub const NO_PROMOTIONS: PromotionTable = [[None; OPERANDS]; OPERANDS];
/// The operations of rules that do not compile.
pub const NO_OPERATIONS: OperationTable = [[None; OPERANDS]; Operation::ALL.len()];

/// The table with these cells, each the index of the left operand, of the right one and of the
/// result (one past the last index for the rules' type parameter), and a number for the verdict. Other
/// cells are undefined. Unless the rules look at rank, zero-dim operands are as dimensioned ones.
pub const fn decode_promotions(
    cells: &[(usize, usize, usize, usize)],
    looks_at_rank: bool,
    parameter: DType,
    reasons: &[Verdict],
) -> PromotionTable {
    let mut table = NO_PROMOTIONS;
    let mut position = 0;
    while position < cells.len() {
        let (lhs, rhs, result, verdict) = cells[position];
        let result = if result == OPERANDS {
            OperandType::dimensioned(parameter)
        } else {
            OperandType::at(result)
        };
        let verdict = match verdict {
            0 => Verdict::Lossless,
            1 => Verdict::LosesPrecision(OperandType::at(lhs).dtype),
            2 => Verdict::LosesPrecision(OperandType::at(rhs).dtype),
            3 => Verdict::LosesRange(OperandType::at(lhs).dtype),
            4 => Verdict::LosesRange(OperandType::at(rhs).dtype),
            5 => Verdict::Accepted,
            6 => MarkedUnsafe::VERDICT,
            7 => WidensBoth::VERDICT,
            reason => reasons[reason - 8],
        };
        table[lhs][rhs] = Some(Promotion {
            dtype: result.dtype,
            weak: matches!(result.class, Class::Weak),
            verdict,
        });
        position += 1;
    }
    if looks_at_rank {
        return table;
    }
    let mut lhs = 0;
    while lhs < OPERANDS {
        let mut rhs = 0;
        while rhs < OPERANDS {
            let [of_lhs, of_rhs] = [OperandType::at(lhs), OperandType::at(rhs)];
            table[lhs][rhs] = table[of_lhs.without_rank().index()][of_rhs.without_rank().index()];
            rhs += 1;
        }
        lhs += 1;
    }
    table
}

/// The table with these cells, each the index of the operation, of the operand and of the result.
pub const fn decode_operations(cells: &[(usize, usize, usize)]) -> OperationTable {
    let mut table = NO_OPERATIONS;
    let mut position = 0;
    while position < cells.len() {
        let (operation, index, result) = cells[position];
        table[operation][index] = Some(OperandType::at(result));
        position += 1;
    }
    table
}

/// Compiles if the verdict that the macro wrote for a pair is the one that the type system finds
/// from the operands' `typenum` widths.
///
/// ```compile_fail,E0271
/// use supremum::{F32, I64, Lossless, __private::{Defines, verdict_is_proved}};
/// #[derive(Debug)]
/// struct Wrong;
/// impl Defines<I64, F32> for Wrong {
///     type Output = F32;
///     type Verdict = Lossless; // 2^53 + 1 would beg to differ
/// }
/// verdict_is_proved::<I64, F32, Wrong>();
/// ```
pub const fn verdict_is_proved<Lhs, Rhs, R>()
where
    Lhs: Promote<Rhs, R> + Judged<Lhs::Output>,
    Rhs: Judged<Lhs::Output>,
    Lhs::Loss: Before<Rhs::Loss, First = Lhs::Verdict>,
{
}

/// An operand and what its conversion to `To` loses; a weak one is not judged.
pub trait Judged<To> {
    /// The loss, as the verdict on this operand alone.
    type Loss;
}

impl<From, To> Judged<To> for From
where
    From: StrongDType,
    To: StaticDType,
    From: Conversion<To::Strong>,
{
    type Loss = From::Loss;
}

impl<From, To> Judged<To> for ZeroDim<From>
where
    From: Judged<To>,
{
    type Loss = From::Loss;
}

impl<D, To> Judged<To> for Weak<D> {
    type Loss = Lossless;
}

/// Two losses, of the left operand and of the right, to the verdict: range comes before precision,
/// then left before right.
pub trait Before<Right> {
    /// The one that is reported.
    type First;
}

impl<Right> Before<Right> for Lossless {
    type First = Right;
}
impl<L, Right> Before<Right> for LosesRange<L> {
    type First = Self;
}
impl<L> Before<Lossless> for LosesPrecision<L> {
    type First = Self;
}
impl<L, R> Before<LosesPrecision<R>> for LosesPrecision<L> {
    type First = Self;
}
impl<L, R> Before<LosesRange<R>> for LosesPrecision<L> {
    type First = LosesRange<R>;
}
