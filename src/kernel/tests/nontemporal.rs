//! Results are the same whether they are streamed or not, by however many threads.

use std::borrow::Cow;

use super::elementwise::level_of;
use super::{binary, cast, copied, select, try_unary};
use crate::array::Array;
use crate::dtype::{DType, StaticDType, dispatch_dtype};
use crate::kernel::drive::nontemporal;
#[cfg(feature = "parallel")]
use crate::kernel::drive::parallel;
use crate::kernel::{BinaryOp, UnaryOp};
use crate::simd::{SimdLevel, with_level};

/// Compares at each instruction set.
fn same(run: impl Fn() -> Array + Sync) {
    for level in SimdLevel::ALL {
        same_at(level, &run);
    }
}

/// Compares what is streamed, and what several threads compute, with what one thread computes without streaming.
fn same_at(level: SimdLevel, run: &(dyn Fn() -> Array + Sync)) {
    with_level(level, || {
        let expected = run();
        let bytes = |array: &Array| array.as_bytes().expect("contiguous").to_vec();
        let check = |how: &str| {
            let found = run();
            assert_eq!(found.dtype(), expected.dtype(), "{level:?}, {how}");
            assert_eq!(found.shape(), expected.shape(), "{level:?}, {how}");
            // Not all bytes, which would fill the screen.
            assert!(bytes(&found) == bytes(&expected), "{level:?}, {how}");
        };
        nontemporal::with_streaming(|| check("streamed"));
        #[cfg(feature = "parallel")]
        for threads in [2, 3] {
            parallel::with_threads(threads, || {
                with_level(level, || {
                    check("by threads");
                    nontemporal::with_streaming(|| check("streamed by threads"));
                });
            });
        }
    });
}

fn counted(shape: &[usize], dtype: DType) -> Array {
    let numbers = Array::from_positions(shape, |at| u8::try_from(at * 7 % 101).expect("below 256"));
    cast(Cow::Owned(numbers.expect("a small shape")), dtype)
}

#[test]
fn streamed_results_are_the_same() {
    let add = |lhs: &Array, rhs: &Array, dtype| {
        let sum = binary(BinaryOp::Add, dtype, Cow::Borrowed(lhs), Cow::Borrowed(rhs));
        sum.expect("the shapes broadcast")
    };
    // Few elements, and more than are handed to a loop as they are.
    for len in [0, 1, 15, 16, 17, 2047, 5000, 70_001] {
        let (a, b) = (counted(&[len], DType::F32), counted(&[len], DType::BF16));
        same(|| add(&a, &a, DType::F32));
        same(|| add(&a, &b, DType::F32));
        same(|| add(&a, &b, DType::BF16));
        same(|| add(&a, &b, DType::C128));
        same(|| cast(Cow::Borrowed(&a), DType::F8E4M3FN));
        // A view that begins within a line gives its memory to the result.
        if len > 3 {
            let end = len.cast_signed();
            let inner = || counted(&[len], DType::F32).slice(0, 3, end, 1);
            same(|| cast(Cow::Owned(inner().expect("within the axis")), DType::I32));
        }
    }
    let table = counted(&[97, 131], DType::F16);
    let (row, column) = (counted(&[131], DType::F32), counted(&[97, 1], DType::I8));
    let turned = counted(&[131, 97], DType::F32)
        .permute(&[1, 0])
        .expect("two axes");
    same(|| add(&table, &row, DType::F32));
    same(|| add(&table, &column, DType::F16));
    same(|| add(&turned, &table, DType::F32));
    same(|| copied(&turned));
    // Operands that are walked row by row: they repeat along rows, along columns, or along the axis between.
    let planes = counted(&[5, 9, 700], DType::F32);
    for sizes in [[5, 9, 1], [5, 1, 700], [1, 9, 1]] {
        same(|| add(&counted(&sizes, DType::F32), &planes, DType::F32));
    }
    let (long, every) = (
        counted(&[70_001], DType::F16),
        counted(&[140_002], DType::I16),
    );
    let every_second = every.slice(0, 0, 140_002, 2).expect("within the axis");
    same(|| add(&long, &counted(&[1], DType::F8E5M2), DType::F16));
    same(|| add(&every_second, &long, DType::F32));
    same(|| try_unary(UnaryOp::Exp, DType::F16, Cow::Borrowed(&long)).expect("of floats"));
    same(|| {
        let condition = Cow::Owned(cast(Cow::Borrowed(&every_second), DType::Bool));
        let (a, b) = (Cow::Borrowed(&long), Cow::Borrowed(&every_second));
        select(condition, DType::F32, a, b).expect("one shape")
    });
}

#[test]
fn tiles_reach_every_element() {
    use DType::{Bool, C128, F16, F64, I32};
    let sizes = [
        (1, 300),
        (3, 128),
        (16, 256),
        (5, 64),
        (40, 100),
        (65, 513),
        (130, 257),
    ];
    for dtype in [Bool, F16, I32, F64, C128] {
        // Rows and columns that are whole squares and lines, and others: the loop chooses its tiles by them.
        for (case, (rows, columns)) in sizes.into_iter().enumerate() {
            let lying = counted(&[columns, rows], dtype);
            let turned = lying.permute(&[1, 0]).expect("two axes");
            let upside_down = turned.flip(0).expect("an axis");
            let deep = counted(&[columns, 2, rows], dtype);
            let deep = deep.permute(&[2, 1, 0]).expect("three axes");
            // Each size of each dtype meets all instruction sets.
            for (number, view) in [turned, upside_down, deep].into_iter().enumerate() {
                same_at(level_of(case + number), &|| copied(&view));
                let copy = copied(&view);
                assert_same_elements(&view, &copy, &format!("{dtype} {rows} {columns}"));
            }
        }
    }
}

/// Views of more bytes than are gathered at once, in blocks that end within rows and within planes.
#[test]
fn gathered_copies_reach_every_element() {
    use DType::{Bool, C128, F16, F64, I32};
    for (case, dtype) in [Bool, F16, I32, F64, C128].into_iter().enumerate() {
        let of = |shape: &[usize]| counted(shape, dtype);
        let views = [
            of(&[300, 1, 8]).broadcast_to(&[300, 7, 8]),
            of(&[3000, 1]).broadcast_to(&[3000, 7]),
            of(&[7, 1]).broadcast_to(&[90, 7, 40]),
            of(&[13, 90, 31]).permute(&[1, 0, 2]),
            of(&[90, 200]).slice(1, 0, 200, 2),
            of(&[90, 200]).flip(1),
            // Rows of which parts are contiguous.
            of(&[3, 9000]).slice(1, 0, 8500, 1),
            of(&[3, 9000]).flip(1),
        ];
        for (number, view) in views.into_iter().enumerate() {
            let view = view.expect("a view");
            same_at(level_of(case + number), &|| copied(&view));
            let shape = view.shape();
            assert_same_elements(&view, &copied(&view), &format!("{dtype} {shape:?}"));
        }
    }
}

/// Makes an index of an array with this shape that of the next element.
fn advance(index: &mut [usize], shape: &[usize]) {
    for axis in (0..shape.len()).rev() {
        index[axis] += 1;
        if index[axis] < shape[axis] {
            return;
        }
        index[axis] = 0;
    }
}

/// Reads the view one by one.
fn assert_same_elements(view: &Array, copy: &Array, context: &str) {
    dispatch_dtype!(view.dtype(), D => {
        type E = <D as StaticDType>::Element;
        let copy = copy.as_slice::<E>().expect("a copy is contiguous");
        assert_eq!(copy.len(), view.len(), "{context}");
        let mut index = vec![0; view.rank()];
        for found in copy {
            assert_eq!(view.get::<E>(&index), Some(*found), "{context} {index:?}");
            advance(&mut index, view.shape());
        }
    });
}
