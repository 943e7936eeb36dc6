use supremum::{F32, I32, Tensor, fuse, fuse_backend, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.5];
    let a = fuse!(x.frobnicate() + 1);
    let b = fuse!(x as I32);
    let c = fuse!(x - x.max(0));
    let d = fuse!(match x { _ => x });
    let e = fuse!(x > 0 && x < 1);
    let f = fuse!(if x > 0 { x });
    let g = fuse!(2.0);
    let h = fuse!(x.maximum(0, 1));
    let i = fuse!(let y = x);
    let j = fuse!(let mut y = x; y);
    let k = fuse!((x + 1).reshape([1]));
    let l = fuse!(x.cast() + 1);
    let m = fuse!(x + 1 % 2);
    let n = fuse!(x.promote_unsafe() + 1);
    let o = fuse!(x + { print!("x"); x });
    let p = fuse!(f32::sqrt(2.0) * x);
    let q = fuse!(if let y = x { y } else { x });
    let r = fuse!(x.sqrt().pow());
    let s = fuse!(2.sqrt() * x);
    let t = fuse!(1 / 0 * x);
    let u = fuse!(x + (y = 1));
    let v = fuse!(x + 1;);
    let w = fuse!(x.exp::<F32>());
    let y = fuse!(sqrt(x) + 1);
    let z = fuse!(let d = x - 1; d * d[0]);
    let a = fuse!((x * 2).sum::<I32>());
    let mut out = x.clone();
    fuse!(out = 5);
    let b = fuse!();
    let c = fuse_backend!(out = x);
}
