use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![0.5, 2.5];
    let edges: Tensor<F32, Rank1> = tensor![0.0, 1.0, 2.0];
    let bins = a.histogram_edges(&edges);
}
