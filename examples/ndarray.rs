//! Lets existing `ndarray` code mix dtypes, with three lines.
//!
//! ```sh
//! cargo run --example ndarray
//! ```

use supremum::ndarray::{Array1, Array2, array};
supremum::prelude!();

/// The code before: `ndarray` has no promotion, so the author chooses a dtype and converts everything by hand.
fn normalised_by_hand(
    images: &Array2<u8>,
    scale: &Array1<bf16>,
    offset: &Array1<f16>,
) -> Array2<f32> {
    images.mapv(f32::from) * scale.mapv(bf16::to_f32) + offset.mapv(f16::to_f32)
}

/// u8 with bf16 gives bf16, and with f16 then f32. The compiler knows these dtypes, and would refuse a promotion that
/// loses values.
fn normalised(
    images: Array2<u8>,
    scale: Array1<bf16>,
    offset: Array1<f16>,
) -> Result<Array2<f32>, Error> {
    let (images, scale) = (
        Tensor::<U8, _>::try_from(images)?,
        Tensor::<BF16, _>::try_from(scale)?,
    );
    let sum: Tensor<F32, Rank2> = images * scale + Tensor::<F16, _>::try_from(offset)?;
    Ok(sum.into())
}

fn main() -> Result<(), Error> {
    let images = array![[0_u8, 64, 128], [16, 32, 255]];
    let scale = array![0.5, 0.25, 2.0].mapv(bf16::from_f32);
    let offset = array![-1.0, 0.125, 0.5].mapv(f16::from_f32);

    let by_hand = normalised_by_hand(&images, &scale, &offset);
    let promoted = normalised(images, scale, offset)?;
    println!("{promoted}");
    assert_eq!(promoted, by_hand);
    Ok(())
}
