//! Promotion tables in the type system: rows of cells, and the lookup of a cell.
//!
//! A rule set has one impl of [`Row`] for each left operand, whose associated types are tuples of cells. [`Lookup`]
//! projects the cell of the right operand out of the tuple. So the compile time of a rule set grows with its rows; with
//! one impl for each cell the compiler would check all cells of all rule sets against one another for overlap.
//! The measurements are in `docs/decisions/rule-tables.md`.

use typenum::{Eq, IsEqual};

use super::verdict::RankDecides;
use crate::dtype::{Select, StaticDType, StrongDType, Unranked, Weak, ZeroDim};

/// A cell with a promotion: its result and its verdict.
#[derive(Debug)]
pub struct To<Output, Verdict>(core::marker::PhantomData<(Output, Verdict)>);

/// A cell without promotion; also the result of an operation that is not defined.
#[derive(Debug)]
pub struct Undefined;

/// Implemented by [`To`] only.
pub trait Defined {
    /// The common dtype.
    type Output: StaticDType;
    /// The effect of the promotion on values.
    type Verdict;
}

impl<Output: StaticDType, Verdict> Defined for To<Output, Verdict> {
    type Output = Output;
    type Verdict = Verdict;
}

/// The row of an operand under the rules `R`: its cells by the class of the right operand.
pub trait Row<R> {
    /// The cells with tensors that have dimensions.
    type Dimensioned: Cells;
    /// The cells with tensors of rank zero; `()` if the rules do not depend on rank.
    type ZeroDim: Cells;
    /// The cells with weak operands; `()` if the rules have none.
    type Weak: Cells;
}

/// The cell of `Self`, a left operand, with `Rhs` under the rules `R`.
pub trait Lookup<Rhs, R> {
    /// [`To`], or [`Undefined`].
    type Cell;
}

/// A right operand, as the column of a row.
// `Lookup` has one impl for a left operand, with this trait as its bound. Of an operand that is not inferred the compiler then says
// nothing but that; if there were an impl of `Lookup` for each class of right operands, it would list them.
pub trait Column {
    type Cell<Lhs: Row<R>, R>;
}

/// Joins the two cells of an operand of unknown rank: `Self` is its cell with dimensions, `AtZero` its cell at rank
/// zero. The result is [`Undefined`] if either is; if the two dtypes differ, the verdict is [`RankDecides`].
pub trait Meet<AtZero> {
    type Cell;
}

impl<Cell> Meet<Cell> for Undefined {
    type Cell = Self;
}
impl<Output, Verdict> Meet<Undefined> for To<Output, Verdict> {
    type Cell = Undefined;
}
impl<Output, Verdict, OutputAtZero, VerdictAtZero> Meet<To<OutputAtZero, VerdictAtZero>>
    for To<Output, Verdict>
where
    Output: StaticDType,
    OutputAtZero: StaticDType,
    Index<Output>: IsEqual<Index<OutputAtZero>, Output: Select>,
{
    type Cell = To<
        Output,
        <Eq<Index<Output>, Index<OutputAtZero>> as Select>::Choose<Verdict, RankDecides>,
    >;
}

/// The cell of an operand of unknown rank, from its cell with dimensions and its cell at rank zero. It is a type, and not the result of
/// [`Meet`], because that has bounds and [`Column`] has none.
#[derive(Debug)]
pub struct Met<Cell, AtZero>(core::marker::PhantomData<(Cell, AtZero)>);

impl<Cell, AtZero> Defined for Met<Cell, AtZero>
where
    Cell: Meet<AtZero, Cell: Defined>,
{
    type Output = <Cell::Cell as Defined>::Output;
    type Verdict = <Cell::Cell as Defined>::Verdict;
}
// Both operands are of unknown rank.
impl<Cell, AtZero, Other, OtherAtZero> Meet<Met<Other, OtherAtZero>> for Met<Cell, AtZero>
where
    Cell: Meet<AtZero>,
    Other: Meet<OtherAtZero>,
    Cell::Cell: Meet<Other::Cell>,
{
    type Cell = <Cell::Cell as Meet<Other::Cell>>::Cell;
}

type Index<D> = <<D as StaticDType>::Strong as StrongDType>::Index;

macro_rules! tables {
    ($($marker:ident $index:literal $name:literal $element:ident $kind:ident $size:literal $($numbers:ty),*;)*) => {
        /// A cell for each dtype, as a tuple in their order; of `()` all are undefined.
        pub trait Cells {
            $(type $marker;)*
        }
        impl<$($marker),*> Cells for ($($marker,)*) {
            $(type $marker = $marker;)*
        }
        impl Cells for () {
            $(type $marker = Undefined;)*
        }

        /// A dtype as the position of a cell.
        pub trait Position: StrongDType {
            type Of<Row: Cells>;
        }
        $(
            impl Position for crate::dtype::$marker {
                type Of<Row: Cells> = Row::$marker;
            }
            impl Column for crate::dtype::$marker {
                type Cell<Lhs: Row<R>, R> = <Lhs::Dimensioned as Cells>::$marker;
            }
        )*
        lookups! { $([] crate::dtype::$marker,)* [D: StrongDType,] ZeroDim<D>, [D: StrongDType,] Weak<D>, }
    };
}

impl<D: Position> Column for ZeroDim<D> {
    type Cell<Lhs: Row<R>, R> = D::Of<Lhs::ZeroDim>;
}
impl<D: Position> Column for Weak<D> {
    type Cell<Lhs: Row<R>, R> = D::Of<Lhs::Weak>;
}

impl<D: Position> Column for Unranked<D> {
    type Cell<Lhs: Row<R>, R> = Met<D::Of<Lhs::Dimensioned>, D::Of<Lhs::ZeroDim>>;
}

macro_rules! lookups {
    ($([$($generics:tt)*] $lhs:ty,)*) => {$(
        impl<$($generics)* Rhs: Column, R> Lookup<Rhs, R> for $lhs
        where
            Self: Row<R>,
        {
            type Cell = Rhs::Cell<Self, R>;
        }
    )*};
}

impl<D, Rhs, R> Lookup<Rhs, R> for Unranked<D>
where
    D: Lookup<Rhs, R>,
    ZeroDim<D>: Lookup<Rhs, R>,
{
    type Cell = Met<D::Cell, <ZeroDim<D> as Lookup<Rhs, R>>::Cell>;
}

supremum_macros::with_dtypes!(tables, ::typenum);
