use supremum::{F32, Rank1, Tensor};

fn step(x: &mut Tensor<F32, Rank1>, gradient: &Tensor<F32, Rank1>) {
    *x -= gradient * 0.1;
}

fn main() {
    let gradient = Tensor::ones([2]);
    let mut x = Tensor::zeros([2]);
    step(&mut x, &gradient);
}
