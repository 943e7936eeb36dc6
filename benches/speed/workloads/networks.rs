//! Operations of neural networks: softmax and layer norm of rows, attention.

use super::*;

/// Heads, positions and the size of a head.
const ATTENTION: [usize; 3] = [8, 512, 64];

impl Bench {
    /// W23 and W25, of matrices with rows of [`hand::WIDTH`].
    pub(super) fn networks(&mut self, size: usize) {
        if size < hand::WIDTH {
            return;
        }
        let x = matrix::<F32>(size / hand::WIDTH, hand::WIDTH, 23);
        let a = elements(&x);
        let b = x.cast::<BF16>();
        if self.wants("W23") {
            let mut ways = self.by_hand(&[cast_slice(a)], 1e-5, |how, out| {
                hand::softmax(how, a, out);
            })(&x.softmax(-1));
            ways.push(Way::new("eager", || -> Matrix<F32> { x.softmax(-1) }));
            self.time("W23", "softmax f32", size, &mut ways);
            let mut ways = vec![Way::new("eager", || -> Matrix<BF16> { b.softmax(-1) })];
            self.time("W23", "softmax bf16", size, &mut ways);
        }
        if self.wants("W25") {
            let row = |seed| vector::<F32>(hand::WIDTH, seed);
            let (gain, bias) = (row(5), row(6));
            let [g, s] = [&gain, &bias].map(elements);
            let norm = || -> Matrix<F32> {
                let mean: Matrix<F32> = x.mean_keepdims(-1);
                let variance: Matrix<F32> = x.var_keepdims(-1);
                let scale: Matrix<F32> = fuse!((variance + 1e-5).rsqrt());
                fuse!((x - mean) * scale * gain + bias)
            };
            let read: &[&[u8]] = &[cast_slice(a)];
            let mut ways = self.by_hand(read, 1e-4, |how, out| {
                hand::layer_norm(how, a, g, s, out);
            })(&norm());
            ways.push(Way::new("fused", norm));
            self.time("W25", "layer norm f32", size, &mut ways);
        }
    }

    /// W27: layer norm and softmax of rows, each in one expression.
    pub(super) fn whole_rows(&mut self, size: usize) {
        if !self.wants("W27") {
            return;
        }
        let width = size.min(hand::WIDTH);
        let x = matrix::<F32>(size / width, width, 23);
        let a = elements(&x);
        let row = |seed| vector::<F32>(width, seed);
        let (gain, bias) = (row(5), row(6));
        let [g, s] = [&gain, &bias].map(elements);
        let eager = || -> Matrix<F32> {
            let normal = (&x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt();
            normal * &gain + &bias
        };
        case!(
            self, "W27" "layer norm in one expression" size => Matrix<F32>;
            by hand self.by_hand(&[cast_slice(a)], 1e-4, |how, out| hand::layer_norm(how, a, g, s, out));
            eager eager();
            fuse ((x - x.mean_keepdims(-1)) * (x.var_keepdims(-1) + 1e-5).rsqrt() * gain + bias) into out;
        );
        let eager = || -> Matrix<F32> {
            let power = (&x - x.max_keepdims(-1)).exp();
            &power / power.sum_keepdims(-1)
        };
        case!(
            self, "W27" "softmax in one expression" size => Matrix<F32>;
            by hand self.by_hand(&[cast_slice(a)], 1e-5, |how, out| hand::softmax(how, a, out));
            eager eager();
            fuse ((x - x.max_keepdims(-1)).exp() / (x - x.max_keepdims(-1)).exp().sum_keepdims(-1)) into out;
        );
    }

    /// W24: attention in bf16, which `matmul` adds in `f32`.
    pub(super) fn attention(&mut self) {
        if !self.wants("W24") {
            return;
        }
        let [heads, positions, width] = ATTENTION;
        let count = heads * positions * width;
        let [q, k, v] = [1, 2, 3].map(|seed| vector::<BF16>(count, seed).reshape(ATTENTION));
        let attend = || -> Tensor<BF16, Rank3> {
            let scores: Tensor<BF16, Rank3> = q.matmul(&k.swap_axes(1, 2)) * 0.125;
            let shares: Tensor<BF16, Rank3> = scores.softmax(-1);
            shares.matmul(&v)
        };
        let mut ways = vec![Way::new("eager", attend)];
        self.time("W24", "attention bf16", count, &mut ways);
    }
}
