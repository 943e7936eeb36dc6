use supremum::{F32, I32, Tensor, fuse, fuse_backend, promote_unsafe, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.5];
    let a = fuse!(&(x.sqrt()) + 1);
    let b = fuse!(x.cast::<I32>());
    let c = fuse!(x - x.maximum(0));
    let d = fuse!(&(match 1 { _ => x.clone() }));
    let e = fuse!((x > 0) & (x < 1));
    let f = fuse!(if x > 0 { x } else { x });
    let h = fuse!(x.maximum(0));
    let i = fuse!(let name = x; name + 1);
    let j = fuse!(let name = x; name);
    let k = fuse!(x + 1);
    let l = fuse!(x.cast::<F32>() + 1);
    let m = fuse!(x + 1);
    let n = promote_unsafe!(x + 1);
    let o = fuse!(x + { let name = x; name });
    let p = fuse!(f32::sqrt(2.0f32) * x);
    let q = fuse!(if x > 0 { x } else { x });
    let r = fuse!(x.sqrt().pow(1));
    let s = fuse!(2.0f32.sqrt() * x);
    let t = fuse!(1 * x);
    let u = fuse!(x);
    let v = fuse!(x + 1);
    let w = fuse!(x.exp());
    let y = fuse!(x.sqrt() + 1);
    let z = fuse!(let d = x - 1; d * d);
    let a = fuse!((x * 2).sum());
    let mut out = x.clone();
    out = Tensor::full([2], 5.0);
    let c = fuse_backend!(x);
}
