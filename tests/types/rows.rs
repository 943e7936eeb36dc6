//! Rows of promotion tables in the type system, read as a whole: the compiler takes a quarter of a millisecond to find out whether a
//! pair promotes, and much less to read the cell of the pair in its row. Rows have these cells under every rule set that the macro
//! defines, and one lookup leads from all pairs to their cells.

use core::marker::PhantomData;

use crate::library::__private::{Row, To, Undefined, with_markers};
use crate::library::{Class, DType, OperandType, StaticDType, StaticVerdict, Verdict};

/// The result of a pair and the verdict, if it is defined.
pub(crate) type Found = Option<(OperandType, Verdict)>;

/// The result of a promotion of these types.
pub(crate) const fn promotion<Output: StaticDType, V: StaticVerdict>() -> Found {
    let class = if Output::WEAK {
        Class::Weak
    } else {
        Class::Dimensioned
    };
    let dtype = Output::DTYPE;
    Some((OperandType { dtype, class }, V::VERDICT))
}

/// The row of an operand. Its cells are an inherent constant where the rules have such a row, else the constant of [`NoRow`].
pub(crate) struct TableRow<Lhs, R>(PhantomData<(Lhs, R)>);

/// Cells with right operands that have dimensions, that have rank zero, and that are weak; none where no pair is defined.
pub(crate) type RowCells = [&'static [Found]; 3];

pub(crate) trait NoRow {
    const CELLS: RowCells = [&[]; 3];
}
impl<Lhs, R> NoRow for TableRow<Lhs, R> {}

impl<Lhs, R> TableRow<Lhs, R>
where
    Lhs: Row<R, Dimensioned: Cells, ZeroDim: Cells, Weak: Cells>,
{
    pub(crate) const CELLS: RowCells = [
        Lhs::Dimensioned::FOUND,
        Lhs::ZeroDim::FOUND,
        Lhs::Weak::FOUND,
    ];
}

/// The cells with right operands of one class: a tuple in the order of the dtypes, or `()` if no pair is defined.
pub(crate) trait Cells {
    const FOUND: &'static [Found];
}

impl Cells for () {
    const FOUND: &'static [Found] = &[];
}

macro_rules! cells {
    ([$($marker:ident)*]) => {
        impl<$($marker: Cell),*> Cells for ($($marker,)*) {
            const FOUND: &'static [Found] = &[$($marker::FOUND),*];
        }
    };
}
with_markers!(cells);

pub(crate) trait Cell {
    const FOUND: Found;
}
impl Cell for Undefined {
    const FOUND: Found = None;
}
impl<Output: StaticDType, V: StaticVerdict> Cell for To<Output, V> {
    const FOUND: Found = promotion::<Output, V>();
}

/// Returns each right operand of a class with its cell.
pub(crate) fn of_class(
    cells: RowCells,
    class: Class,
) -> impl Iterator<Item = (OperandType, Found)> {
    let [dimensioned, zero_dim, weak] = cells;
    let found = match class {
        Class::Dimensioned => dimensioned,
        Class::ZeroDim => zero_dim,
        Class::Weak => weak,
    };
    let cell = move |at| found.get(at).copied().flatten();
    let dtypes = DType::ALL.iter().copied().enumerate();
    dtypes.map(move |(at, dtype)| (OperandType { dtype, class }, cell(at)))
}
