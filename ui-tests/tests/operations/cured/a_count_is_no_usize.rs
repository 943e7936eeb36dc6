use supremum::prelude::*;

fn main() {
    let mask: Tensor<Bool, Rank1> = tensor![true, false];
    let mut right = 0_usize;
    right += i64::from(mask.sum()) as usize;
}
