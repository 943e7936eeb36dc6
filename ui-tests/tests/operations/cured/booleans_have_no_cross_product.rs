use supremum::{Bool, I32, Rank1, Tensor, tensor};

fn main() {
    let mask: Tensor<Bool, Rank1> = tensor![true, false, true];
    let product = mask.cast::<I32>().cross(&mask.cast::<I32>(), 0);
}
