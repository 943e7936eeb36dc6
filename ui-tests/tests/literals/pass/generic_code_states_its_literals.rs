use supremum::{Bool, F16, F32, FitsLiteral, I64, StaticDType, Tensor, U8, Weak, literal, tensor};

fn bytes<D: StaticDType + FitsLiteral<literal!(255)> + FitsLiteral<literal!(-0.5)>>() -> Tensor<D> {
    tensor![[0, 2], [255, -0.5]]
}

fn truths<D: StaticDType>() -> Tensor<D> {
    tensor![true, 1, 0]
}

fn weak<D: StaticDType>() -> Tensor<Weak<D>>
where
    Weak<D>: StaticDType + FitsLiteral<literal!(0x7f)>,
{
    tensor![127]
}

macro_rules! twice {
    ($value:expr, $literal:literal) => {
        tensor![F32; $value, $literal]
    };
}

fn main() {
    assert_eq!(bytes::<F32>().shape(), [2, 2]);
    assert_eq!(bytes::<F16>().shape(), [2, 2]);
    assert_eq!(truths::<Bool>().to_vec(), [true, true, false]);
    assert_eq!(weak::<U8>().to_vec(), [127]);
    assert_eq!(weak::<I64>().to_vec(), [127]);
    assert_eq!(twice!(-1, 2.5).to_vec(), [-1.0, 2.5]);
}
