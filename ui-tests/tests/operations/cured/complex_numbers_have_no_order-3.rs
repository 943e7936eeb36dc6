use supremum::{C64, Tensor};

fn main() {
    let a = Tensor::<C64>::zeros([2]);
    let less = a.real().lt(&a.imag());
}
