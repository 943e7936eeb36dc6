//! Turns images of bytes into normalised floats in one pass, without intermediate tensors.
//!
//! ```sh
//! cargo run --release --example fused_normalise --features npy
//! ```
//!
//! The images are those of the example `digits`: 1,797 images of 8 by 8 pixels, in `u8`.

use std::time::{Duration, Instant};

supremum::prelude!();

/// The median time of a run.
fn median(runs: usize, mut run: impl FnMut()) -> Duration {
    let mut times: Vec<_> = (0..runs)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[runs / 2]
}

fn main() -> Result<(), Error> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/digits/data/images.npy"
    );
    let images = Tensor::<U8, Rank3>::read_npy(path)?;
    println!("images: {:?} of {}", images.shape(), images.dtype());

    // Mean and deviation of each pixel over all images. Every u8 is an f32, so `widen` compiles.
    let mean: Tensor<F32, Rank2> = fuse!(images.widen::<F32>().mean_axis(0));
    let deviation: Tensor<F32, Rank2> = fuse!(
        let distance = images.widen::<F32>() - mean;
        (distance * distance).mean_axis(0)
    )
    .sqrt();

    // Some pixels at the border have the same value in all images.
    let scale: Tensor<F32, Rank2> = fuse!(if deviation > 0 { 1 / deviation } else { 0 });
    let normalised: Tensor<F32, Rank3> = fuse!((images.widen::<F32>() - mean) * scale);
    let halves: Tensor<BF16, Rank3> =
        fuse!(((images.widen::<F32>() - mean) * scale).cast::<BF16>());

    let error: Tensor<F32, _> = fuse!((normalised - halves).abs().max());
    println!(
        "mean {:.1e}, deviation {:.4}, greatest rounding error in bf16 {:.1e}",
        normalised.mean().item()?,
        normalised.std().item()?,
        error.item()?
    );

    // The same operations one by one. Each makes a tensor for its result.
    let one_by_one = || ((images.widen::<F32>() - &mean) * &scale).cast::<BF16>();
    assert_eq!(one_by_one(), halves, "the same bits");
    let mut out = halves.clone();
    let into = median(51, || {
        fuse!(out = ((images.widen::<F32>() - mean) * scale).cast::<BF16>());
    });
    let eager = median(51, || drop(one_by_one()));
    println!(
        "into a tensor that is there {into:?}, one by one {eager:?}: {:.1} times",
        eager.as_secs_f64() / into.as_secs_f64()
    );
    Ok(())
}
