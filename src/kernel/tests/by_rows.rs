//! Expressions that are evaluated for some rows at a time, beside the same as a whole: operands that are cut and others, blocks that
//! do not divide the rows, rows longer than a block, and results without rows.

use super::binary;
use super::fused_reductions::{Here, numbers};
use super::graph::assert_same;
use crate::array::Array;
use crate::dtype::DType;
use crate::kernel::BinaryOp;
use crate::kernel::drive::nontemporal::with_streaming;
use crate::kernel::fused::{
    Binary, Input, Loop, LoopExpression, LoopInputs, RowBlocks, operations,
};
use std::borrow::Cow;

/// Computes `x - m` in blocks of rows. `None` if it is not cut.
fn in_blocks(operands: [&Array; 2], min_rank: usize, copies: bool) -> Option<Array> {
    let all = operands.map(Some);
    let blocks = RowBlocks::new(&all, min_rank)?;
    let mut output = None;
    for range in blocks.ranges() {
        let mut rows = [None, None];
        blocks.rows(&range, &mut rows).unwrap();
        let [x, m] = [0, 1].map(|at: usize| rows[at].as_ref().unwrap_or(operands[at]));
        let node = Binary::<operations::Sub, _, _>::new(Input::<0, f32>::NEW, Input::<1, f32>::NEW);
        let expression = LoopExpression::new((), node);
        let mut sources = LoopInputs::default();
        sources.array(0, x);
        sources.array(1, m);
        let code = Loop::new::<Here, _, _>(&expression, &sources);
        match &mut output {
            None => output = Some(blocks.output(&code.evaluate().unwrap())?),
            Some(output) => {
                output.expect(range.len());
                assert!(match copies {
                    true => output.copy(&code.evaluate().unwrap()),
                    false => output.compute(&code),
                });
            }
        }
    }
    output?.finish()
}

#[test]
fn rows_are_evaluated_as_the_whole_is() {
    let shapes: [(&[usize], &[usize]); 5] = [
        (&[50, 33], &[50, 1]),
        (&[20, 64], &[64]),
        (&[41, 3, 20], &[41, 3, 1]),
        (&[9, 2, 100], &[1, 2, 1]),
        (&[1_000, 1], &[1_000, 7]),
    ];
    for (seed, (x, m)) in (1..).zip(shapes) {
        let (x, m) = (
            numbers(DType::F32, x, seed),
            numbers(DType::F32, m, seed + 9),
        );
        let operands = (Cow::Borrowed(&x), Cow::Borrowed(&m));
        let expected = binary(BinaryOp::Sub, DType::F32, operands.0, operands.1).unwrap();
        with_streaming(|| {
            for copies in [false, true] {
                let found = in_blocks([&x, &m], 2, copies).expect("blocks");
                assert_same(
                    &found,
                    &expected,
                    &format!("{:?} {:?}", x.shape(), m.shape()),
                );
            }
        });
        // Few bytes are not cut.
        assert!(in_blocks([&x, &m], 2, false).is_none());
    }
}

#[test]
fn other_operands_are_not_cut() {
    with_streaming(|| {
        let cut = |x: &[usize], m: &[usize], min_rank| {
            let (x, m) = (numbers(DType::F32, x, 1), numbers(DType::F32, m, 2));
            RowBlocks::new(&[Some(&x), None, Some(&m)], min_rank).is_some()
        };
        assert!(cut(&[50, 33], &[33], 2));
        // The first axis is reduced; there is one axis; the operands differ; rows are long; there are no rows.
        assert!(!cut(&[50, 33], &[33], 3));
        assert!(!cut(&[5_000], &[1], 1));
        assert!(!cut(&[50, 33], &[49, 33], 2));
        assert!(!cut(&[50, 300], &[300], 2));
        assert!(!cut(&[0, 300], &[300], 2));
        assert!(!cut(&[1, 3_000], &[1], 2));
    });
}
