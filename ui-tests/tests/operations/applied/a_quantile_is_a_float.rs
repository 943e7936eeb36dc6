use supremum::{F32, QuantileMethod, Rank2, Tensor};

fn quartiles<N: supremum::rank::RemoveAxis<Output: supremum::rank::AddAxis>>(t: &Tensor<F32, N>) {
    println!(
        "{}",
        t.quantile_axis([0.25, 0.75], QuantileMethod::Linear, 0)
    );
}

fn main() {
    let t: Tensor<F32, Rank2> = Tensor::ones([4, 3]);
    quartiles(&t);
}
