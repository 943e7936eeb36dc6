use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let gradient = Tensor::<F32, Rank1>::ones([2]);
    let mut first = gradient.clone();
    let mut second = gradient.clone();
    fuse!(
        first = {
            let name = 0.1 * gradient;
            0.9 * first + name
        }
    );
    fuse!(second = 0.99 * second + 0.01 * gradient * gradient);
    fuse!(first *= 0.5);
    fuse!(second *= 0.5);
}
