//! Rows of a table at given indices, as embeddings are looked up.

use super::*;

/// The lengths of rows, in elements.
const ROWS: [(usize, &str); 3] = [
    (3, "take rows of 3 f32"),
    (64, "take rows of 64 f32"),
    (512, "take rows of 512 f32"),
];

impl Bench {
    /// W26, by as many indices as the table has rows.
    pub(super) fn gathers(&mut self) {
        if !self.wants("W26") {
            return;
        }
        for (len, name) in ROWS {
            let rows = GATHERED / len;
            let table = matrix::<F32>(rows, len, 26);
            let indices: Vec<i64> = (0..rows).map(|at| place(at, rows)).collect();
            let at = Vector::<I64>::from_slice(&indices, [rows]).expect("as many");
            let (p, q) = (table.clone().into_dyn(), at.clone().into_dyn());
            let expected: Matrix<F32> = table.take(&at, 0);
            assert!(
                p.take(&q, 0).typed().as_ref() == Ok(&expected),
                "{name}: dynamic and eager differ"
            );
            let (from, indices) = (elements(&table), &indices);
            let read: &[&[u8]] = &[cast_slice(from)];
            let by_hand = self.by_hand(read, 0.0, move |_, out| {
                for (to, index) in out.chunks_exact_mut(len).zip(indices) {
                    let first = usize::try_from(*index).expect("a row") * len;
                    to.copy_from_slice(&from[first..first + len]);
                }
            });
            let mut ways = by_hand(&expected);
            ways.push(Way::new("eager", || -> Matrix<F32> { table.take(&at, 0) }));
            ways.push(Way::new("dynamic", || p.take(&q, 0)));
            self.time("W26", name, GATHERED, &mut ways);
        }
    }
}

/// A row for each number, in an order that looks random; the peers use the same.
fn place(number: usize, rows: usize) -> i64 {
    let mixed = number.wrapping_mul(2_654_435_761) % (1 << 32);
    i64::try_from(mixed % rows).expect("a row")
}
