use supremum::{FitsLiteral, Floating, Rank, Rules, Tensor, fuse, literal};

fn half<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) -> Tensor<D, N, R>
where
    <R as Rules>::LiteralRange<D>: FitsLiteral<literal!(0.5)>,
{
    fuse!(x * 0.5)
}

fn main() {}
