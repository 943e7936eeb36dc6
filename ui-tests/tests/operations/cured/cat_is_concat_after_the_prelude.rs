supremum::prelude!();

fn main() {
    let (a, b): (Tensor<F32>, Tensor<F32>) = (tensor![1.0], tensor![2.0]);
    let joined: Tensor<F32> = concat([&a, &b], 0);
    println!("{joined}");
}
