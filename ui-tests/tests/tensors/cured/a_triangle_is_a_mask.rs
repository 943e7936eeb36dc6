use supremum::prelude::*;

fn main() {
    let y: Tensor<I64, Rank2> = Tensor::<Bool, Rank2>::ones([3, 3]).triu(0).argwhere();
}
