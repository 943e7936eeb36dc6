use supremum::{C64, Rank2, Tensor};

fn main() {
    let a = Tensor::<C64, Rank2>::zeros([2, 2]);
    let greatest = a.imag().argmax_axis(1);
}
