//! A name of PyTorch's, which the prelude has for its message.
supremum::prelude!();

fn main() {
    let (a, b): (Tensor<F32>, Tensor<F32>) = (tensor![1.0], tensor![2.0]);
    let joined: Tensor<F32> = cat([&a, &b], 0);
    println!("{joined}");
}
