use supremum::prelude::*;

fn main() {
    let at: Tensor<I64, Rank1> = tensor![0, 4, 5];
    let (y, z): (Tensor<I64, Rank1>, Tensor<I64, Rank1>) = (at.floor_div(3), &at % 3);
}
