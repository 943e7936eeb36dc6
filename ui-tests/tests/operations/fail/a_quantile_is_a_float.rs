use supremum::{F32, QuantileMethod, Rank2, Tensor};

fn main() {
    let t: Tensor<F32, Rank2> = Tensor::ones([4, 3]);
    let quartiles = t.quantile_axis([25, 75], QuantileMethod::Linear, 0);
    println!("{quartiles}");
}
