use supremum::prelude::*;

fn main() {
    let x = Tensor::<F32, Rank2>::eye(2);
    for row in x.rows() {
        println!("{}", row.sum());
    }
}
