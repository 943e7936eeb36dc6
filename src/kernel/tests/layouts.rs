//! The ways in which elements can lie in memory, with index arithmetic by hand.

use super::oracle::Oracle;
use crate::array::Array;

/// The layout in memory of an operand of a two-dimensional operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    Contiguous,
    /// Every second element of each row.
    Strided,
    /// Both axes backwards.
    Reversed,
    Transposed,
    /// Without the first row and column of something larger.
    Inner,
    /// One row, for all rows.
    Row,
    /// One column, for all columns.
    Column,
    /// Rank 0.
    Scalar,
}

impl Layout {
    pub(super) const ALL: [Self; 8] = [
        Self::Contiguous,
        Self::Strided,
        Self::Reversed,
        Self::Transposed,
        Self::Inner,
        Self::Row,
        Self::Column,
        Self::Scalar,
    ];

    /// Returns whether the operand itself has rows, and columns.
    pub(super) fn has(self) -> [bool; 2] {
        match self {
            Self::Row => [false, true],
            Self::Column => [true, false],
            Self::Scalar => [false, false],
            _ => [true, true],
        }
    }
}

/// Rows and columns of operations: lengths around the sizes of packs and blocks, short and long
/// rows, several blocks of rows, nothing.
pub(super) const SHAPES: [[usize; 2]; 17] = [
    [1, 0],
    [0, 3],
    [1, 1],
    [1, 31],
    [1, 32],
    [1, 33],
    [1, 511],
    [1, 512],
    [1, 513],
    [1, 1025],
    [33, 31],
    [171, 3],
    [5, 130],
    [70, 65],
    [2, 513],
    [700, 1],
    [2, 1025],
];

pub(super) fn random(seed: u64) -> u64 {
    let mut x = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// An array that is seen as `shape` through a layout.
pub(super) struct Seen<E> {
    pub(super) array: Array,
    pub(super) layout: Layout,
    elements: Vec<E>,
    shape: [usize; 2],
}

impl<E: Oracle> Seen<E> {
    pub(super) fn new(layout: Layout, shape: [usize; 2], seed: u64, accept: fn(E) -> bool) -> Self {
        let [rows, columns] = shape;
        let base: Vec<usize> = match layout {
            Layout::Contiguous | Layout::Reversed => vec![rows, columns],
            Layout::Strided => vec![rows, 2 * columns],
            Layout::Transposed => vec![columns, rows],
            Layout::Inner => vec![rows + 1, columns + 1],
            Layout::Row => vec![columns],
            Layout::Column => vec![rows, 1],
            Layout::Scalar => vec![],
        };
        let elements = visited([1, base.iter().product()], &|_, at| {
            let mut seed = seed * 100_000 + u64::try_from(at).unwrap();
            loop {
                let element = E::any(random(seed));
                if accept(element) {
                    return element;
                }
                seed += 7_919_000_000;
            }
        });
        let whole = Array::from_elements(&elements, &base).unwrap();
        let end = |size: usize| isize::try_from(size).unwrap();
        let array = match layout {
            Layout::Strided => whole.slice(1, 0, end(2 * columns), 2).unwrap(),
            Layout::Reversed => whole.flip(0).unwrap().flip(1).unwrap(),
            Layout::Transposed => whole.permute(&[1, 0]).unwrap(),
            Layout::Inner => {
                let lower = whole.slice(0, 1, end(rows + 1), 1).unwrap();
                lower.slice(1, 1, end(columns + 1), 1).unwrap()
            }
            _ => whole,
        };
        Self {
            array,
            layout,
            elements,
            shape,
        }
    }

    pub(super) fn at(&self, row: usize, column: usize) -> E {
        let [rows, columns] = self.shape;
        self.elements[match self.layout {
            Layout::Contiguous => row * columns + column,
            Layout::Strided => row * 2 * columns + 2 * column,
            Layout::Reversed => (rows - 1 - row) * columns + (columns - 1 - column),
            Layout::Transposed => column * rows + row,
            Layout::Inner => (row + 1) * (columns + 1) + column + 1,
            Layout::Row => column,
            Layout::Column => row,
            Layout::Scalar => 0,
        }]
    }
}

/// Returns an element for each row and column, in row-major order. (A loop takes the compiler less time than adapters of iterators,
/// which are compiled for each element type and each closure.)
pub(super) fn visited<E>(
    [rows, columns]: [usize; 2],
    element: &dyn Fn(usize, usize) -> E,
) -> Vec<E> {
    let mut elements = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            elements.push(element(row, column));
        }
    }
    elements
}

/// The shape that operands make together, and the rows and columns to visit.
pub(super) fn together(layouts: &[Layout], shape: [usize; 2]) -> (Vec<usize>, [usize; 2]) {
    let some = |axis: usize| layouts.iter().any(|layout| layout.has()[axis]);
    let rows = if some(0) { shape[0] } else { 1 };
    let columns = if some(1) { shape[1] } else { 1 };
    let result = if some(0) {
        vec![rows, columns]
    } else if some(1) {
        vec![columns]
    } else {
        vec![]
    };
    (result, [rows, columns])
}
