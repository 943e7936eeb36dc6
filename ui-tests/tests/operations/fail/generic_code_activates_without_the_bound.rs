use supremum::operations::UnaryFloat;
use supremum::{RealDType, Rules, StaticDType, Tensor};

fn active<D, R: Rules>(x: &Tensor<D, supremum::Rank1, R>)
where
    D: StaticDType + RealDType + UnaryFloat<R::Operations, Output = D>,
{
    let _ = x.exp().gelu();
}

fn main() {}
