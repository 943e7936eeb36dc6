use supremum::prelude::*;

struct Norm<D> {
    gain: Tensor<D, Rank1>,
}

fn kept<D: StaticDType>(norm: &Norm<D>) -> Tensor<D, Rank2> {
    norm.gain.unsqueeze(0)
}

fn first<D: Floating>(x: &Tensor<D, Rank2>) -> Tensor<D, Rank1> {
    x.index_axis(0, 0).exp()
}

fn main() {
    let gain: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let row = kept(&Norm { gain });
    let first = first(&row);
}
