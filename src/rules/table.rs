//! Tables in the type system: rows of cells, and how a cell is found.
//!
//! One impl for each row keeps the cost of a rule set proportional to its rows. With one impl for each
//! cell the compiler would compare all cells of all rule sets with one another for overlap.
//! What was measured: `docs/decisions/rule-tables.md`.

use typenum::{Eq, IsEqual};

use super::promote::RankDecides;
use crate::dtype::{Select, StaticDType, StrongDType, Unranked, Weak, ZeroDim};

/// A cell that says what its operands promote to.
#[derive(Debug)]
pub struct To<Output, Verdict>(core::marker::PhantomData<(Output, Verdict)>);

/// A cell without promotion, and the result of an operation that is not defined.
#[derive(Debug)]
pub struct Undefined;

/// Implemented by [`To`] only.
pub trait Defined {
    /// The common dtype.
    type Output: StaticDType;
    /// What the promotion does to values.
    type Verdict;
}

impl<Output: StaticDType, Verdict> Defined for To<Output, Verdict> {
    type Output = Output;
    type Verdict = Verdict;
}

/// What an operand gives with each other under the rules `R`, by the class of the other.
pub trait Row<R> {
    /// With dtypes.
    type Dimensioned: Cells;
    /// `()` if the rules do not look at rank.
    type ZeroDim: Cells;
    /// `()` if there are no weak operands.
    type Weak: Cells;
}

/// The cell of `Self`, a left operand, with `Rhs` under the rules `R`.
pub trait Lookup<Rhs, R> {
    /// [`To`], or [`Undefined`].
    type Cell;
}

/// A right operand that has a cell in rows.
pub trait Column {
    type Cell<Lhs: Row<R>, R>;
}

/// The cell of an operand of unknown rank: `Self` is what it gives with dimensions, `AtZero` what it
/// gives at rank zero.
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

type Index<D> = <<D as StaticDType>::Strong as StrongDType>::Index;

macro_rules! tables {
    ($($marker:ident $index:literal $name:literal $element:ident $kind:ident $size:literal $digits:ty, $top:ty, $bottom:ty, $position:ty;)*) => {
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

macro_rules! lookups {
    ($([$($generics:tt)*] $lhs:ty,)*) => {$(
        impl<$($generics)* Rhs: Column, R> Lookup<Rhs, R> for $lhs
        where
            Self: Row<R>,
        {
            type Cell = Rhs::Cell<Self, R>;
        }

        impl<$($generics)* Other, R> Lookup<Unranked<Other>, R> for $lhs
        where
            Self: Row<R>,
            Other: Position,
            Other::Of<<Self as Row<R>>::Dimensioned>: Meet<Other::Of<<Self as Row<R>>::ZeroDim>>,
        {
            type Cell = <Other::Of<<Self as Row<R>>::Dimensioned> as Meet<
                Other::Of<<Self as Row<R>>::ZeroDim>,
            >>::Cell;
        }
    )*};
}

impl<D, Rhs, R> Lookup<Rhs, R> for Unranked<D>
where
    D: Lookup<Rhs, R>,
    ZeroDim<D>: Lookup<Rhs, R>,
    D::Cell: Meet<<ZeroDim<D> as Lookup<Rhs, R>>::Cell>,
{
    type Cell = <D::Cell as Meet<<ZeroDim<D> as Lookup<Rhs, R>>::Cell>>::Cell;
}

supremum_macros::with_dtypes!(tables, ::typenum);
