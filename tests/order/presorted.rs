//! Rows that are in order, in the reverse order, or nearly so, which are found without a sort.

use crate::naive::{Arith, Plain, Typed, each_real};
use crate::sorts::{assert_same_bits, check_distinct, check_row, mixture, positions_of};
use crate::{along, laid_out, sorted_positions};
use supremum::prelude::*;

fn sorted<E: Arith>(row: &[E], descending: bool) -> Vec<E> {
    let positions = sorted_positions(row, descending);
    positions.into_iter().map(|at| row[at]).collect()
}

/// Changes elements in a way that leaves them sorted, or nearly: number `at` of the ways. `sorted` returns them in ascending or descending
/// order.
fn arranged<E: Arith>(
    rng: &mut fastrand::Rng,
    row: &[E],
    sorted: impl FnOnce(bool) -> Vec<E>,
    at: usize,
) -> Vec<E> {
    let len = row.len();
    let is_reversed = at / 2 == 1;
    let mut arranged = sorted((at % 2 == 1) != is_reversed);
    match at / 2 {
        // One sorted row, and its ties in either order.
        0 => {}
        1 => arranged.reverse(),
        // The last elements, the first, or any two are out of order.
        2 => arranged.swap(len - 2, len - 1),
        3 => arranged.swap(0, 1),
        4 => arranged.swap(rng.usize(..len), rng.usize(..len)),
        // Two sorted rows, one after the other; a run of equal elements before them.
        5 => arranged.rotate_left(rng.usize(..len)),
        6 => arranged[..len / 2].fill(row[0]),
        _ => arranged.fill(row[0]),
    }
    arranged
}

const WAYS: usize = 16;

#[test]
fn rows_in_order_of_every_dtype() {
    macro_rules! check {
        ([$rng:ident] $($D:ident)*) => {$(
            for count in [2, 3, 255, 256, 257, 700] {
                let row: Vec<<$D as StaticDType>::Element> = mixture($rng, count);
                for at in 0..WAYS {
                    let row = arranged($rng, &row, |descending| sorted(&row, descending), at);
                    check_row::<$D>(&row);
                    check_distinct::<$D>($rng, &Plain::new(&[count], row));
                }
            }
        )*};
    }
    let rng = &mut fastrand::Rng::with_seed(11);
    each_real!(check[rng]);
}

/// Long rows are sorted in other ways than short ones.
#[test]
fn long_rows_in_order() {
    // Each dtype meets each way in ascending or in descending order, and every second dtype in the same one: shorter rows meet all ways in
    // both.
    fn check<D: Typed>(rng: &mut fastrand::Rng, number: usize) {
        let row = mixture::<D::Element>(rng, (1 << 16) + 1000);
        let in_order = [false, true].map(|descending| sorted(&row, descending));
        for at in (0..WAYS / 2).map(|way| 2 * way + (way + number) % 2) {
            let sorted = |descending| in_order[usize::from(descending)].clone();
            check_row::<D>(&arranged(rng, &row, sorted, at));
        }
    }
    let rng = &mut fastrand::Rng::with_seed(12);
    check::<I64>(rng, 0);
    check::<F32>(rng, 1);
    check::<BF16>(rng, 0);
    check::<U8>(rng, 1);
}

/// Rows along any axis, each arranged in a way of its own, or all of them in order.
#[test]
fn axes_in_order() {
    fn check<D: Typed>(rng: &mut fastrand::Rng, seed: u64, rows: usize, row_len: usize) {
        let way = rng.usize(..2 * WAYS);
        let mut elements = vec![];
        for _ in 0..rows {
            let at = if way < WAYS { way } else { rng.usize(..WAYS) };
            let row = mixture::<D::Element>(rng, row_len);
            elements.extend(arranged(
                rng,
                &row,
                |descending| sorted(&row, descending),
                at,
            ));
        }
        let by_rows = Plain::new(&[rows, row_len], elements);
        let axis = rng.usize(..2);
        let x = laid_out::<D>(rng, &by_rows).into_dyn();
        let x = if axis == 1 { x } else { x.transpose() };
        let back = |x: DynTensor| if axis == 1 { x } else { x.transpose() };
        let what = format!("seed {seed}, {rows} rows of {row_len} {}", D::DTYPE);
        for descending in [false, true] {
            let positions = along(&by_rows, 1, |row| sorted_positions(row, descending));
            let of_row = |at: usize| at / row_len * row_len + positions.elements[at];
            let sorted: Vec<D::Element> = (0..rows * row_len)
                .map(|at| by_rows.elements[of_row(at)])
                .collect();
            let at = axis.cast_signed();
            let (found, order) = match descending {
                false => (x.sort(at), x.argsort(at)),
                true => (x.sort_descending(at), x.argsort_descending(at)),
            };
            let found = back(found).to_vec::<D>().expect("the same dtype");
            assert_same_bits(&found, &sorted, &what);
            assert_eq!(positions_of(&back(order)), positions.elements, "{what}");
        }
    }
    for seed in 0..60 {
        let rng = &mut fastrand::Rng::with_seed(seed);
        // Sixteen short rows are sorted side by side.
        let (rows, row_len) = (rng.usize(1..24), rng.usize(2..200));
        check::<I64>(rng, seed, rows, row_len);
        check::<F32>(rng, seed, rows, row_len);
        check::<F16>(rng, seed, rows, row_len);
        check::<U8>(rng, seed, rows, row_len);
    }
    let rng = &mut fastrand::Rng::with_seed(60);
    check::<F64>(rng, 60, 17, 1500);
    check::<U32>(rng, 60, 33, 1024);
}
