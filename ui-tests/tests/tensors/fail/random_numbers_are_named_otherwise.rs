use supremum::{F32, Rank2, Tensor};

fn main() {
    let weights = Tensor::<F32, Rank2>::randn([2, 3]);
}
