use supremum::{C64, F64, Tensor, tensor};

fn main() {
    let phases: Tensor<F64> = tensor![1.0, 2.0];
    let phases = phases.cast::<C64>();
}
