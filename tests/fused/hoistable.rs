//! Costly parts that have fewer elements than the whole: they are computed before the loop, with the bits of operations one after the other.

use supremum::{
    BF16, Error, F16, F32, F64, FuseBackend, I32, InterpretedReason, Rank0, Rank1, Rank2, Tensor,
    fuse, fuse_backend, promote_unsafe, try_fuse,
};

use crate::{CALLS, counted, raw};

/// Enough elements that to compute a part for each of them takes longer than to prepare anything else.
const SHAPE: [usize; 2] = [40, 100];

/// Numbers from 0.5 on, in no order.
fn numbers(shape: [usize; 2], seed: usize) -> Tensor<F32, Rank2> {
    Tensor::from_fn(shape, |[y, x]| {
        let number = (y * 131 + x * 37 + seed * 17) % 251;
        0.5 + f32::from(u8::try_from(number).unwrap()) / 64.0
    })
}

/// Runs a test with operands in several dtypes and layouts: all elements, one for each row, one for each column. (In a function, so that the
/// compiler makes the loops of its expressions once for each dtype.)
macro_rules! for_operands {
    (|$x:ident, $column:ident, $row:ident| $test:block) => {
        for_operands! { @each F32 F64 F16 BF16 |$x, $column, $row| $test }
    };
    (@each $($D:ident)+ |$x:ident, $column:ident, $row:ident| $test:block) => {$({
        fn test($x: Tensor<$D, Rank2>, $column: Tensor<$D, Rank2>, $row: Tensor<$D, Rank1>) $test
        let [all, columns, rows] = [(SHAPE, 1), ([40, 1], 2), ([1, 100], 3)];
        let row: Tensor<$D, Rank1> = numbers(rows.0, rows.1).cast().reshape([100]);
        test(numbers(all.0, all.1).cast(), numbers(columns.0, columns.1).cast(), row.clone());
        // Every second element, and axes that changed places.
        let x = numbers([100, 80], 4).cast().transpose().slice_step(0, .., 2);
        let column = numbers([80, 3], 5).cast().slice_step(0, .., 2).slice(1, 1..2);
        test(x.clone(), column, row.flip(0));
        // No part is smaller.
        test(x, numbers(SHAPE, 6).cast(), row);
    })+};
}

#[test]
fn parts_of_rows_and_columns_have_the_bits_of_operations() {
    for_operands!(|x, column, row| {
        let root = (&column + 0.5).rsqrt();
        assert_eq!(
            raw(&fuse!((x - column) * (column + 0.5).rsqrt() * row + row)),
            raw(&((&x - &column) * &root * &row + &row))
        );
        assert_eq!(
            raw(&fuse!(x / row.sqrt() - column.ln())),
            raw(&(&x / row.sqrt() - column.ln()))
        );
        assert_eq!(
            raw(&fuse!(x * (1.0 / (column + row.exp())))),
            raw(&(&x * (1.0 / (&column + row.exp()))))
        );
        assert_eq!(raw(&fuse!(-column.tanh() + x)), raw(&(-column.tanh() + &x)));
    });
}

#[test]
fn bindings_may_be_hoistable() {
    for_operands!(|x, column, row| {
        let scale = (&column + 0.5).sqrt();
        assert_eq!(
            raw(&fuse!({
                let scale = (column + 0.5).sqrt();
                (x - row) / scale + scale
            })),
            raw(&((&x - &row) / &scale + &scale))
        );
    });
}

/// The interpreter computes long parts.
#[test]
fn parts_of_any_length() {
    for columns in [4096, 4097, 20_000] {
        let (x, column) = (numbers([2, columns], 1), numbers([2, 1], 2));
        let row: Tensor<F32, Rank1> = numbers([1, columns], 3).reshape([columns]);
        assert_eq!(
            raw(&fuse!(x * row.exp() + column.sqrt())),
            raw(&(&x * row.exp() + column.sqrt()))
        );
    }
}

#[test]
fn parts_may_read_bindings() {
    for_operands!(|x, column, row| {
        let sum = &column + 0.5;
        assert_eq!(
            raw(&fuse!({
                let sum = column + 0.5;
                (x - sum) * sum.sqrt() + row / sum.exp()
            })),
            raw(&((&x - &sum) * sum.sqrt() + &row / sum.exp()))
        );
    });
}

#[test]
fn parts_of_reductions_and_of_passes() {
    for_operands!(|x, column, row| {
        let whole = &x * column.exp() - row.sin();
        assert_eq!(
            raw(&fuse!((x * column.exp() - row.sin()).max())),
            raw(&whole.max())
        );
        assert_eq!(
            raw(&fuse!((x * column.exp() - row.sin()).min_axis(0))),
            raw(&whole.min_axis(0))
        );
        let centred = &x - x.max_keepdims(-1);
        assert_eq!(
            raw(&fuse!((x - x.max_keepdims(-1)) * (column + 0.5).rsqrt())),
            raw(&(&centred * (&column + 0.5).rsqrt()))
        );
    });
}

#[test]
fn outputs_are_written_from_parts() {
    for_operands!(|x, column, row| {
        let expected = &x * column.exp() + &row;
        let mut out = x.zeros_like();
        fuse!(out = x * column.exp() + row);
        assert_eq!(raw(&out), raw(&expected));
        out = x.clone();
        fuse!(out = out * column.exp() + row);
        assert_eq!(raw(&out), raw(&expected));
        out = x.clone();
        fuse!(out *= column.exp());
        assert_eq!(raw(&out), raw(&(&x * column.exp())));
        let mut larger = numbers([50, 100], 8).cast();
        larger.slice_mut(0, 3..43).assign(&x);
        fuse!(larger.slice_mut(0, 3..43) = x * column.exp() + row);
        assert_eq!(raw(&larger.slice(0, 3..43)), raw(&expected));
    });
}

#[test]
fn single_elements_and_numbers_are_parts() {
    let x = numbers(SHAPE, 1);
    let single: Tensor<F32, Rank0> = Tensor::scalar(0.75);
    let number = 0.75_f32;
    let expected = raw(&(&x * single.exp()));
    assert_eq!(raw(&fuse!(x * single.exp())), expected);
    assert_eq!(raw(&fuse!(x * number.exp())), expected);
}

#[test]
fn admitted_promotions_reach_into_parts() {
    let (x, n) = (numbers(SHAPE, 1), Tensor::<I32, Rank2>::full([40, 1], 3));
    let expected = promote_unsafe!(x * n.cast::<F32>().sqrt());
    assert_eq!(raw(&promote_unsafe!(x * n.sqrt())), raw(&expected));
}

#[test]
fn a_loop_has_eight_inputs_with_those_of_parts() {
    let x = numbers(SHAPE, 1);
    let c = [2, 3, 4, 5, 6].map(|seed| numbers([40, 1], seed));
    let [c0, c1, c2, c3, c4] = &c;
    let expected = c.iter().fold(x.clone(), |sum, column| sum + column.exp());
    let sum = fuse!(x + c0.exp() + c1.exp() + c2.exp() + c3.exp() + c4.exp());
    assert_eq!(raw(&sum), raw(&expected));
}

#[test]
fn operands_without_elements_and_wrong_shapes() {
    let x = numbers(SHAPE, 1);
    for shape in [[0, 100], [40, 0]] {
        let empty = Tensor::<F32, Rank2>::zeros(shape);
        let column = Tensor::<F32, Rank2>::ones([shape[0], 1]);
        assert_eq!(fuse!(empty * column.exp()).shape(), shape);
        let mut out = empty.clone();
        fuse!(out = out * column.exp());
        assert_eq!(out.shape(), shape);
    }
    let short = numbers([39, 1], 2);
    assert_eq!(
        try_fuse!(x * short.exp()).unwrap_err(),
        x.try_mul(short.exp()).unwrap_err()
    );
    let zero = Tensor::<I32, Rank2>::zeros([40, 1]);
    let ints = Tensor::<I32, Rank2>::ones(SHAPE);
    assert!(matches!(
        try_fuse!(ints + 7 % zero),
        Err(Error::DivisionByZero { .. })
    ));
}

/// A part that calls a function is computed by the interpreter, and so is what reads it.
#[test]
fn functions_of_users_are_called_once_for_each_element_of_a_part() {
    let (x, column) = (numbers(SHAPE, 1), numbers([40, 1], 2));
    CALLS.set(0);
    let sum = fuse!(x + counted(column).exp());
    assert_eq!(CALLS.get(), 40);
    assert_eq!(raw(&sum), raw(&(&x + (&column + 1.0).exp())));
}

#[test]
fn such_expressions_are_compiled() {
    let compiled = match cfg!(debug_assertions) {
        true => FuseBackend::Interpreted(InterpretedReason::Unoptimised),
        false => FuseBackend::Compiled,
    };
    let (x, column) = (numbers(SHAPE, 1), numbers([40, 1], 2));
    assert_eq!(fuse_backend!(x * (column + 0.5).rsqrt()), Ok(compiled));
    assert_eq!(fuse_backend!((x * column.exp()).sum_axis(0)), Ok(compiled));
    // Few elements: the loop computes the part for each of them.
    let (x, column) = (x.slice(1, 0..3), column);
    assert_eq!(fuse_backend!(x * column.exp()), Ok(compiled));
}
