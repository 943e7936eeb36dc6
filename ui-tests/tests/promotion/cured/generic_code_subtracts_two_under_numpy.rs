use supremum::{Arithmetic, Numpy, NumpyUfunc, Rank1, SafePromote, StaticDType, Tensor};

fn change<A: SafePromote<B, NumpyUfunc, Output: Arithmetic<Numpy, Rank1>>, B: StaticDType>(a: &Tensor<A, Rank1, Numpy>, b: &Tensor<B, Rank1, Numpy>) {
    let change = a - b;
}

fn main() {}
