use supremum::prelude::*;

fn main() {
    let x = Tensor::<F32, Rank2>::eye(2);
    let row = x.index_axis(0, 1);
    println!("{}", row.sum());
}
