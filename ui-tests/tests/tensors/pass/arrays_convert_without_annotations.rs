// The dtype decides the type of numbers in an array.

use supremum::prelude::*;

type Matrix = Tensor<F32, Rank2>;

fn total(x: impl Into<Tensor<F32, Rank1>>) -> f32 {
    f32::from(x.into().sum())
}

fn scaled<D: Floating>(x: &Tensor<D, Rank1>, by: D::Element) -> Tensor<D, Rank1> {
    x * Tensor::<D, Rank1>::from([by])
}

fn main() {
    let matrix = Tensor::<F32, Rank2>::from([[1.0, 2.0], [3.0, 4.0]]);
    let halves = Matrix::from([[1.0, 2.0], [3.0, 4.0]]) / 2.0;
    let bytes: Tensor<U8, Rank1> = [1, 2, 3].into();
    let short: Tensor<BF16, Rank1> = [1.0, 2.0].map(bf16::from_f32).into();
    let wide: Tensor<U64, Rank1> = [u64::MAX; 2].into();
    let none: Tensor<F32, Rank1> = [].into();
    let flags = Tensor::<Bool, Rank3>::from([[[true], [false]]]);
    let of_weights: Tensor<F64, Rank4> = [[[[0.5; 2]; 3]; 4]; 5].into();
    assert!(matrix == Tensor::from([[1.0, 2.0], [3.0, 4.0]]));
    assert_eq!(halves.to_vec(), [0.5, 1.0, 1.5, 2.0]);
    assert_eq!(
        (bytes.len(), short.len(), wide.len(), none.len()),
        (3, 2, 2, 0)
    );
    assert_eq!(
        (flags.shape(), of_weights.shape()),
        (&[1, 2, 1][..], &[5, 4, 3, 2][..])
    );
    assert_eq!(total([1.0, 2.0]), 3.0);
    assert_eq!(
        scaled::<F32>(&[1.0, 2.0].into(), 2.0).to_vec(),
        [2.0, 4.0]
    );
}
