use supremum::{F32, I64, Rank1, Rank2, Tensor};

fn main() {
    let weights = Tensor::<F32, Rank2>::randn([2, 3]);
    let dice = Tensor::<I64, Rank1>::randint(1, 7, [3], ());
}
