use supremum::{F32, Rank1, Tensor};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    weights: Vec<u32>,
}

fn main() {
    let t = Tensor::<F32, Rank1>::ones([2]);
    let key = Key {
        weights: t.iter().map(f32::to_bits).collect::<Vec<_>>(),
    };
}
