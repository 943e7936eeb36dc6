//! What the expansions of [`promotion_rules!`](crate::promotion_rules) need: tables from numbers,
//! and the proof of verdicts.

pub use super::rule_set::{OPERANDS, OperationTable, PromotionTable};
use super::{Class, OperandType, Operation, Promote, Promotion, Verdict};
use crate::dtype::{
    Conversion, DType, LosesPrecision, LosesRange, Lossless, StaticDType, StrongDType, Weak,
};

/// The table of rules that do not compile.
pub const NO_PROMOTIONS: PromotionTable = [[None; OPERANDS]; OPERANDS];
/// The operations of rules that do not compile.
pub const NO_OPERATIONS: OperationTable = [[None; OPERANDS]; Operation::ALL.len()];

/// The table with these cells, each the index of the left operand, of the right one and of the
/// result, and a number for the verdict. Other cells are undefined.
pub const fn decode_promotions(cells: &[(usize, usize, usize, usize)]) -> PromotionTable {
    let mut table = NO_PROMOTIONS;
    let mut position = 0;
    while position < cells.len() {
        let (lhs, rhs, result, verdict) = cells[position];
        let result = operand(result);
        let verdict = match verdict {
            0 => Verdict::Lossless,
            1 => Verdict::LosesPrecision(operand(lhs).dtype),
            2 => Verdict::LosesPrecision(operand(rhs).dtype),
            3 => Verdict::LosesRange(operand(lhs).dtype),
            4 => Verdict::LosesRange(operand(rhs).dtype),
            _ => panic!("the macro writes no other verdicts"),
        };
        table[lhs][rhs] = Some(Promotion {
            dtype: result.dtype,
            weak: matches!(result.class, Class::Weak),
            verdict,
        });
        position += 1;
    }
    table
}

/// The table with these cells, each the index of the operation, of the operand and of the result.
pub const fn decode_operations(cells: &[(usize, usize, usize)]) -> OperationTable {
    let mut table = NO_OPERATIONS;
    let mut position = 0;
    while position < cells.len() {
        let (operation, index, result) = cells[position];
        table[operation][index] = Some(operand(result));
        position += 1;
    }
    table
}

/// The operand with this row and column in tables.
const fn operand(index: usize) -> OperandType {
    let dtypes = DType::ALL;
    if index < dtypes.len() {
        OperandType::dimensioned(dtypes[index])
    } else {
        OperandType::weak(dtypes[index - dtypes.len()])
    }
}

/// Compiles if the verdict that the macro wrote for a pair is the one that the type system finds
/// from the operands' `typenum` widths.
///
/// ```compile_fail,E0271
/// use supremum::{F32, I64, Lossless, Promote, __private::verdict_is_proved};
/// #[derive(Debug)]
/// struct Wrong;
/// impl Promote<F32, Wrong> for I64 {
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
