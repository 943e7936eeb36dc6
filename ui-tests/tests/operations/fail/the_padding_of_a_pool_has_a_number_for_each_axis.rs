use supremum::{F32, PoolOptions, Rank4, Tensor};

fn main() {
    let image = Tensor::<F32, Rank4>::ones([1, 3, 8, 8]);
    let maxima = image.max_pool2d(PoolOptions::new([2, 2]).padding(1));
    println!("{maxima}");
}
