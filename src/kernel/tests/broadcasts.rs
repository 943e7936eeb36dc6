//! Two operands that repeat along any of three axes, in either order in memory, with index arithmetic by hand.

use std::borrow::Cow;

use super::binary;
use crate::array::Array;
use crate::dtype::DType;
use crate::kernel::BinaryOp;

/// Short rows, so that blocks of 512 elements hold several: what repeats after 31, 64, 160 or 620 elements begins blocks
/// anywhere or always at its own begin. Few elements, which are gathered as one block. Long rows, which are walked one by one, in one
/// part or in two.
const SHAPES: [[usize; 3]; 6] = [
    [4, 20, 31],
    [3, 7, 64],
    [5, 16, 10],
    [2, 3, 5],
    [2, 3, 130],
    [3, 2, 700],
];

/// A number that differs from those of most other indices, at most 16,000.
fn number([plane, row, column]: [usize; 3]) -> i16 {
    let mixed = plane * 7919 + row * 631 + column * 13;
    i16::try_from(mixed % 16_001).expect("a small number")
}

/// An operand whose elements lie in row-major order, or with the first axis innermost.
struct Operand {
    array: Array,
    sizes: [usize; 3],
}

impl Operand {
    fn new(shape: [usize; 3], repeats: [bool; 3], first_innermost: bool) -> Self {
        let sizes = core::array::from_fn(|axis| if repeats[axis] { 1 } else { shape[axis] });
        let [planes, rows, columns] = sizes;
        let array = if first_innermost {
            let array = Array::from_positions(&[columns, rows, planes], |at| {
                number([at % planes, at / planes % rows, at / planes / rows])
            });
            array.and_then(|array| array.permute(&[2, 1, 0]))
        } else {
            Array::from_positions(&sizes, |at| {
                number([at / columns / rows, at / columns % rows, at % columns])
            })
        };
        let array = array.expect("a small shape");
        Self { array, sizes }
    }

    fn at(&self, index: [usize; 3]) -> i32 {
        number(core::array::from_fn(|axis| index[axis] % self.sizes[axis])).into()
    }
}

#[test]
fn operands_repeat_along_any_axes() {
    let choices = || (0..8).map(|bits| [0, 1, 2].map(|axis| bits >> axis & 1 == 1));
    for shape in SHAPES {
        for (of_lhs, of_rhs) in choices().flat_map(|lhs| choices().map(move |rhs| (lhs, rhs))) {
            for (turns_lhs, turns_rhs) in [(false, false), (true, false), (true, true)] {
                let lhs = Operand::new(shape, of_lhs, turns_lhs);
                let rhs = Operand::new(shape, of_rhs, turns_rhs);
                // Else no operand would repeat along an axis where both do.
                let whole = lhs.array.broadcast_to(&shape).expect("it broadcasts");
                // The same dtype is read in place where it can be, another is converted in scratch memory.
                for compute in [DType::I16, DType::I32] {
                    let (a, b) = (Cow::Borrowed(&whole), Cow::Borrowed(&rhs.array));
                    let found = binary(BinaryOp::Sub, compute, a, b).expect("they broadcast");
                    assert_eq!(found.shape(), shape);
                    let [_, rows, columns] = shape;
                    let found = super::cast(Cow::Owned(found), DType::I32).to_vec::<i32>();
                    for (at, found) in found.into_iter().enumerate() {
                        let index = [at / columns / rows, at / columns % rows, at % columns];
                        assert_eq!(
                            found,
                            lhs.at(index) - rhs.at(index),
                            "{:?} and {:?} in {compute} at {index:?}",
                            lhs.sizes,
                            rhs.sizes
                        );
                    }
                }
            }
        }
    }
}
