use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let gradient = Tensor::<F32, Rank1>::ones([2]);
    let mut first = gradient.clone();
    let mut second = gradient.clone();
    fuse!(first = 0.9 * first + 0.1 * gradient); fuse!(second = 0.99 * second + 0.01 * gradient * gradient);
    fuse!(first *= 0.5); fuse!(second *= 0.5);
}
