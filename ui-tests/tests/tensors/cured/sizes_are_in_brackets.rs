use supremum::prelude::*;

fn main() {
    let z = Tensor::<F32, Rank2>::zeros([2, 3]);
    let h = Tensor::<F32, Rank2>::full([2, 3], 0.5);
    let v = Tensor::<F32, Rank2>::from_vec(vec![0.5_f32; 6], [2, 3]).expect("six elements");
    let r = z.reshape([3, 2]);
    let w = z.broadcast_to([2, 3]);
    let p = r.permute([1, 0]);
    let t = h.tile([2, 1]);
}
