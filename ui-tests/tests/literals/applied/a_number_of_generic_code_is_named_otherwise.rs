supremum::prelude!();

fn elements<D: Floating>() -> Result<[D::Element; 2], Error> {
    Ok([D::Element::default(), Tensor::<D, Rank0>::ones([]).item()?])
}

fn zeros_and_ones<D: Floating>(n: usize) -> [Tensor<D, Rank1>; 2] {
    [Tensor::<D, Rank1>::zeros([n]), Tensor::<D, Rank1>::ones([n])]
}

fn main() -> Result<(), Error> {
    let [zeros, ones] = zeros_and_ones::<F32>(2);
    assert_eq!([zeros.to_vec(), ones.to_vec()], [[0.0, 0.0], [1.0, 1.0]]);
    assert_eq!(elements::<F32>()?, [0.0, 1.0]);
    Ok(())
}
