use supremum::{I32, Rank2, Tensor};

fn main() {
    let mut counts = Tensor::<I32, Rank2>::zeros([2, 3]);
    counts.index_axis_mut(0, 1) += 1;
}
