use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let n = Tensor::<F64, Rank1>::arange(0, x.len(), 1);
    let a = n.outer(&n) * (std::f64::consts::TAU / x.len() as f64);
    let spectrum: Vec<f64> = a.cos().matmul(&x).to_vec();
    let imaginary: Vec<f64> = (-a.sin().matmul(&x)).to_vec();
}
