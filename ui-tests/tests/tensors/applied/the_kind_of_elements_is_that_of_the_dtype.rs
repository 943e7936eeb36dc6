use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 4.0];
    let y: bool = a.dtype().kind() == supremum::Kind::Float;
    assert!(y);
    fn is_complex<D: StaticDType>() -> bool {
        D::DTYPE.kind() == supremum::Kind::Complex
    }
    fn roots<D: Floating>(a: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
        a.sqrt()
    }
    assert!(is_complex::<C64>());
    assert_eq!(roots(&a).to_vec()[2], 2.0);
}
