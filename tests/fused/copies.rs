//! Inputs that repeat an element along rows, of which loops read copies.

use supremum::{C128, Rank2, Tensor, c128, fuse};

/// No row has longer copies than one of eight inputs of 16 bytes. A loop and its copies take less than 256 KiB of stack.
#[test]
fn rows_of_eight_complex_inputs_that_repeat_elements() {
    fn check(rows: usize, len: usize) {
        let column = |seed: usize| {
            let part = |row: usize, step: usize| ((row * step + seed * 3) % 11) as f64 - 5.0;
            let columns = Tensor::<C128, Rank2>::from_fn([2 * rows, 1], |[row, _]| {
                c128::new(part(row, 5), part(row, 7))
            });
            // One after the other, in the reverse order, or every second one.
            let columns = match seed % 3 {
                0 => columns.slice(0, ..rows),
                1 => columns.slice(0, rows..).flip(0),
                _ => columns.slice_step(0, .., 2),
            };
            columns.broadcast_to([rows, len])
        };
        let [a, b, c, d, e, f, g, h]: [Tensor<C128, Rank2>; 8] = core::array::from_fn(column);
        let expected = &a + &b * 2 - &c + &d - &e * 3 + &f - &g + &h;
        let what = format!("{rows} rows of {len}");
        assert_eq!(
            fuse!(a + b * 2 - c + d - e * 3 + f - g + h),
            expected,
            "{what}"
        );
        let sums = fuse!((a + b * 2 - c + d - e * 3 + f - g + h).sum_axis(0));
        assert_eq!(sums, expected.sum_axis(0), "{what}");
        let sums = fuse!((a + b * 2 - c + d - e * 3 + f - g + h).sum_axis(1));
        assert_eq!(sums, expected.sum_axis(1), "{what}");
    }
    let thread = std::thread::Builder::new().stack_size(256 << 10);
    let run = || {
        for rows in [1, 2, 3, 15, 16, 17, 129, 300] {
            for len in [31, 32, 33, 96] {
                check(rows, len);
            }
        }
    };
    thread.spawn(run).unwrap().join().unwrap();
}
