//! A loop over a tensor of NumPy gives rows.
use supremum::prelude::*;

fn main() {
    let x = Tensor::<F32, Rank2>::eye(2);
    for row in &x {
        println!("{}", row.sum());
    }
}
