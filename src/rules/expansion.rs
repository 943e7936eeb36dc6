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

/// A cell as the macro writes it: the remainder by 256 is zero or one more than the index of the
/// result; the quotient is the verdict: lossless, the precision of the left or right operand lost,
/// the range of the left or right operand lost.
///
/// A literal of nested structs would take the compiler much longer.
pub type Code = usize;

/// The promotions behind the cells that the macro wrote.
pub const fn decode_promotions(codes: &[[Code; OPERANDS]; OPERANDS]) -> PromotionTable {
    let mut table = NO_PROMOTIONS;
    let mut lhs = 0;
    while lhs < OPERANDS {
        let mut rhs = 0;
        while rhs < OPERANDS {
            let code = codes[lhs][rhs];
            if let Some(result) = decode(code) {
                let verdict = match code / 256 {
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
            }
            rhs += 1;
        }
        lhs += 1;
    }
    table
}

/// The results behind the cells that the macro wrote; they have no verdicts.
pub const fn decode_operations(codes: &[[Code; OPERANDS]; Operation::ALL.len()]) -> OperationTable {
    let mut table = NO_OPERATIONS;
    let mut operation = 0;
    while operation < codes.len() {
        let mut index = 0;
        while index < OPERANDS {
            table[operation][index] = decode(codes[operation][index]);
            index += 1;
        }
        operation += 1;
    }
    table
}

const fn decode(code: Code) -> Option<OperandType> {
    match code % 256 {
        0 => None,
        result => Some(operand(result - 1)),
    }
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
