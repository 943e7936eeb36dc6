use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0];
    let _ = fuse!(
        let part = ((x + 1));
        (((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((        part
        )))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))
    );
}
