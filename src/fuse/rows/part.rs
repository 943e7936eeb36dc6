//! The part of its operands for which an expression is evaluated, and its operands for that part.

use core::cell::{Cell, Ref, RefCell};

use crate::array::Array;
use crate::dtype::{Element, StaticDType};
use crate::fuse::leaf::{Admitting, Leaf, Single};
use crate::fuse::output::FuseOutput;
use crate::fuse::{Expression, Fused};
use crate::kernel::fused::{RowProgram, RowsOutput};
use crate::rank::Rank;
use crate::rules::Rules;

/// The part of its operands for which an expression is evaluated: all of them, or some of their rows. `O` is the type of the output of
/// `fuse!(out = ..)`.
pub struct Part<'o, O = ()> {
    /// The rows of each operand, by its number. `None` for an operand that is read as a whole. The output is the last one, if it is read.
    pub(super) operands: Vec<Option<Array>>,
    /// Receives the results. `None` if they become a tensor of their own.
    pub(super) output: RefCell<Option<RowsOutput>>,
    /// `true` if the results could not be written.
    pub(super) failed: Cell<bool>,
    /// Records the loops, while the first rows are evaluated.
    pub(super) program: RefCell<Option<RowProgram>>,
    /// Receives the result of all operands, if there is an output.
    pub(super) whole: RefCell<Option<&'o mut O>>,
}

impl<O> Part<'_, O> {
    /// Makes the part of some rows of operands, which must still be set.
    pub(super) fn rows(operands: usize) -> Self {
        Self {
            operands: (0..operands).map(|_| None).collect(),
            output: RefCell::new(None),
            failed: Cell::new(false),
            program: RefCell::new(Some(RowProgram::default())),
            whole: RefCell::new(None),
        }
    }
}

impl<'o, O> Part<'o, O> {
    /// Makes the part of all operands.
    pub(super) fn whole(output: Option<&'o mut O>) -> Self {
        Self {
            operands: Vec::new(),
            output: RefCell::new(None),
            failed: Cell::new(false),
            program: RefCell::new(None),
            whole: RefCell::new(output),
        }
    }
}

/// The elements of an output before it is written, as passes read them. It must be dropped before the output is written.
pub struct Former<'p, 'o, O> {
    rows: Option<&'p Array>,
    whole: Ref<'p, Option<&'o mut O>>,
}

impl<O: FuseOutput> Former<'_, '_, O> {
    fn array(&self) -> &Array {
        match (self.rows, &*self.whole) {
            (Some(rows), _) => rows,
            (None, Some(output)) => O::array(output).0,
            (None, None) => unreachable!("an output that is read has rows"),
        }
    }
}

/// Returns the former elements of the output for a part. `number` is the output's as an operand.
#[inline]
pub fn former_of<'p, 'o, O>(part: &'p Part<'o, O>, number: usize) -> Former<'p, 'o, O> {
    Former {
        rows: part.operands.get(number).and_then(Option::as_ref),
        whole: part.whole.borrow(),
    }
}

/// Makes an operand of the former elements.
#[inline]
pub fn former_leaf<'f, const NUMBER: usize, O: FuseOutput>(
    former: &'f Former<'_, '_, O>,
) -> Fused<Leaf<'f, NUMBER, O::DType, O::Rank, O::Rules>> {
    Fused(Leaf::new(former.array()))
}

/// [`former_leaf`] in an expression that admits unsafe promotions.
#[inline]
pub fn former_leaf_admitting<'f, const NUMBER: usize, O: FuseOutput>(
    former: &'f Former<'_, '_, O>,
) -> Fused<Admitting<Leaf<'f, NUMBER, O::DType, O::Rank, O::Rules>>> {
    Fused(Admitting(Leaf::new(former.array())))
}

/// A leaf that can be cut along its first axis.
pub trait CutLeaf {
    /// The leaf of some rows.
    type Rows<'p>: Expression
    where
        Self: 'p;

    /// Its array, if it has one.
    #[doc(hidden)]
    fn array(&self) -> LeafArray<'_>;

    /// The leaf of some rows, or of the same array.
    #[doc(hidden)]
    fn rows<'p>(&'p self, rows: LeafArray<'p>) -> Self::Rows<'p>;
}

/// The array of a leaf; opaque.
#[derive(Clone, Copy, Debug)]
pub struct LeafArray<'a>(pub(super) Option<&'a Array>);

impl<const NUMBER: usize, D: StaticDType, N: Rank, R: Rules> CutLeaf for Leaf<'_, NUMBER, D, N, R> {
    type Rows<'p>
        = Leaf<'p, NUMBER, D, N, R>
    where
        Self: 'p;

    fn array(&self) -> LeafArray<'_> {
        LeafArray(Some(self.array))
    }

    fn rows<'p>(&'p self, rows: LeafArray<'p>) -> Self::Rows<'p> {
        Leaf::new(rows.0.unwrap_or(self.array))
    }
}

impl<T: Element, R: Rules> CutLeaf for Single<T, R> {
    type Rows<'p>
        = Self
    where
        Self: 'p;

    fn array(&self) -> LeafArray<'_> {
        LeafArray(None)
    }

    fn rows<'p>(&'p self, _: LeafArray<'p>) -> Self {
        *self
    }
}

impl<L: CutLeaf> CutLeaf for Admitting<L> {
    type Rows<'p>
        = Admitting<L::Rows<'p>>
    where
        Self: 'p;

    fn array(&self) -> LeafArray<'_> {
        self.0.array()
    }

    fn rows<'p>(&'p self, rows: LeafArray<'p>) -> Self::Rows<'p> {
        Admitting(self.0.rows(rows))
    }
}

/// Returns the array of a leaf.
#[inline]
pub fn array_of<L: CutLeaf>(leaf: &Fused<L>) -> LeafArray<'_> {
    leaf.0.array()
}

/// Returns the leaf with that number for a part.
#[inline]
pub fn leaf_of<'p, L: CutLeaf, O>(
    leaf: &'p Fused<L>,
    number: usize,
    part: &'p Part<'_, O>,
) -> Fused<L::Rows<'p>> {
    let rows = part.operands.get(number).and_then(Option::as_ref);
    Fused(leaf.0.rows(LeafArray(rows)))
}
