use supremum::{ExactIntegers, Floating, Numpy, NumpyUfunc, Rank1, SafePromote, StaticDType, Tensor};

fn smaller<A: SafePromote<B, ExactIntegers<NumpyUfunc>, Output: Floating<Numpy, Rank1>>, B: StaticDType>(a: &Tensor<A, Rank1, Numpy>, b: &Tensor<B, Rank1, Numpy>) {
    let smaller = a.lt(b);
}

fn main() {}
