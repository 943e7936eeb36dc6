use supremum::prelude::*;

fn main() {
    let x = Tensor::<F32, Rank2>::eye(2);
    for row in x.axis_iter(0) {
        println!("{}", row.sum());
    }
}
