//! Sums, reductions of expressions, and broadcasts.

use super::*;

impl Bench {
    /// W9, over all elements.
    pub(super) fn sum(&mut self, size: usize) {
        if !self.wants("W9") {
            return;
        }
        let x = vector::<F16>(size, 9);
        let p = x.clone().into_dyn();
        let mut ways = vec![
            Way::new("eager", || -> Tensor<F16, Rank0> { x.sum() }),
            Way::new("fused", || -> Tensor<F16, Rank0> { fuse!(x.sum()) }),
            Way::new("dynamic", || p.try_sum()),
        ];
        if self.threads == 1 && size > SIZES[0] {
            let how = How {
                isa: self.isa,
                stream: false,
            };
            let a: &[u16] = bits(&x);
            let expected: Tensor<F32, Rank0> = fuse!(x.widen::<F32>().sum());
            let expected = expected.item().expect("one element");
            let found = hand::sum_f16(how, a);
            // The numbers are around zero, so their sum is small relative to them.
            assert!(
                (found - expected).abs() < 1e-3 * expected.abs().max(1e4),
                "{found} is not a sum, {expected} is"
            );
            ways.push(Way::new("limit", move || hand::sum_f16(how, a)));
            let (from, mut to) = (Aligned::<u8>::new(size), Aligned::<u8>::new(size));
            ways.push(Way::new("copy", move || {
                to.as_mut_slice()
                    .copy_from_slice(std::hint::black_box(from.as_slice()));
            }));
        }
        self.time("W9", "sum f16", size, &mut ways);
    }

    /// W7 and W15, the same in memory and in the caches.
    pub(super) fn broadcasts(&mut self) {
        macro_rules! broadcast {
            ($workload:literal $name:literal [$rows:expr, $columns:expr]) => {
                if self.wants($workload) {
                    let (rows, columns): (usize, usize) = ($rows, $columns);
                    let x = matrix::<BF16>(rows, columns, 1);
                    let (y, z) = (vector::<F32>(columns, 2), matrix::<F32>(rows, 1, 3));
                    let a: &[u16] = bits(&x);
                    let (b, c) = (elements(&y), elements(&z));
                    let (p, q, r) = (
                        x.clone().into_dyn(),
                        y.clone().into_dyn(),
                        z.clone().into_dyn(),
                    );
                    case! {
                        self, $workload $name rows * columns => Matrix<F32>;
                        by hand self.by_hand(
                            &[cast_slice(a), cast_slice(b), cast_slice(c)],
                            0.0,
                            |how, out| hand::scale_rows(how, a, b, c, out),
                        );
                        eager &x * &y + &z;
                        fuse (x * y + z) into out;
                        dynamic &p * &q + &r;
                    }
                }
            };
        }
        broadcast!("W7" "bf16 * row + column" [SIDE, SIDE]);
        broadcast!("W15" "bf16 * row + column" [2, 4]);
        broadcast!("W15" "bf16 * row + column" [16, 512]);
        broadcast!("W15" "bf16 * row + column" [128, 512]);
        broadcast!("W15" "bf16 * row + column, square" [256, 256]);
    }

    /// W16 and W18.
    pub(super) fn reduced_expressions(&mut self, size: usize) {
        if self.wants("W16") {
            let x = vector::<F32>(size, 18);
            let a = elements(&x);
            let p = x.clone().into_dyn();
            case! {
                self, "W16" "mean of squares f32" size => Tensor<F32, Rank0>;
                by hand self.by_hand(&[cast_slice(a)], 1e-6, |how, out| hand::mean_squares(how, a, out));
                eager (&x * &x).mean();
                fuse ((x * x).mean());
                dynamic (&p * &p).try_mean().expect("of floats");
            }
        }
        if self.wants("W18") {
            let x = vector::<F16>(size, 9);
            let a: &[u16] = bits(&x);
            let p = x.clone().into_dyn();
            case! {
                self, "W18" "sum of f16 as f32" size => Tensor<F32, Rank0>;
                by hand self.and_same(
                    self.by_hand(&[cast_slice(a)], 1e-3, |how, out| out[0] = hand::sum_f16(how, a)),
                    |how, out| out[0] = hand::sum_f16_in_f64(how, a),
                );
                eager x.cast::<F32>().sum();
                fuse (x.cast::<F32>().sum());
                dynamic p.cast(DType::F32).try_sum().expect("of floats");
            }
        }
    }

    /// W17, W19 and W29, of matrices with rows of [`hand::WIDTH`]; the smallest has rows of 4.
    pub(super) fn rows(&mut self, size: usize) {
        let columns = if size == SIZES[0] { 4 } else { hand::WIDTH };
        let x = matrix::<F32>(size / columns, columns, 19);
        let a = elements(&x);
        let p = x.clone().into_dyn();
        let read: &[&[u8]] = &[cast_slice(a)];
        if self.wants("W17") {
            case! {
                self, "W17" "mean of squares axis 0" size => Vector<F32>;
                by hand self.by_hand(read, 1e-6, |how, out| hand::mean_squares_of_columns(how, a, out));
                eager (&x * &x).mean_axis(0);
                fuse ((x * x).mean_axis(0));
                dynamic (&p * &p).try_mean_axis(0).expect("two axes");
            }
            case! {
                self, "W17" "mean of squares axis 1" size => Vector<F32>;
                by hand self.by_hand(read, 1e-6, |how, out| hand::mean_squares(how, a, out));
                eager (&x * &x).mean_axis(1);
                fuse ((x * x).mean_axis(1));
                dynamic (&p * &p).try_mean_axis(1).expect("two axes");
            }
            case! {
                self, "W17" "variance axis 1" size => Vector<F32>;
                by hand self.by_hand(read, 1e-6, |how, out| hand::variances(how, a, out));
                eager x.var_axis(1);
                fuse (x.var_axis(1));
                dynamic p.try_var_axis(1).expect("two axes");
            }
        }
        if self.wants("W29") {
            case! {
                self, "W29" "greatest magnitude axis 1" size => Vector<F32>;
                by hand self.by_hand(read, 0.0, |how, out| hand::greatest_magnitudes(how, a, out));
                eager x.abs().max_axis(1);
                fuse (x.abs().max_axis(1));
                dynamic p.try_abs().expect("of floats").try_max_axis(1).expect("two axes");
            }
        }
        if self.wants("W19") {
            let max: Matrix<F32> = x.max_keepdims(1);
            let (b, q) = (elements(&max), max.clone().into_dyn());
            case! {
                self, "W19" "exp(x - max)" size => Matrix<F32>;
                by hand self.and_same(
                    self.by_hand(&[read[0], cast_slice(b)], 1e-6, |how, out| hand::exp_below(how, a, b, out)),
                    |how, out| hand::accurate_exp_below(how, a, b, out),
                );
                eager (&x - &max).exp();
                fuse ((x - max).exp()) into out;
                dynamic (&p - &q).exp().expect("of floats");
            }
            macro_rules! softmax {
                ($x:ident) => {{
                    let max: Matrix<F32> = $x.max_keepdims(1);
                    let powers: Matrix<F32> = fuse!(($x - max).exp());
                    let sums: Matrix<F32> = powers.sum_keepdims(1);
                    fuse!(powers / sums)
                }};
            }
            case! {
                self, "W19" "softmax of rows" size => Matrix<F32>;
                by hand self.and_same(
                    self.by_hand(read, 1e-5, |how, out| hand::softmax(how, a, out)),
                    |how, out| hand::accurate_softmax(how, a, out),
                );
                eager {
                    let powers: Matrix<F32> = (&x - &x.max_keepdims(1)).exp();
                    let sums: Matrix<F32> = powers.sum_keepdims(1);
                    powers / sums
                };
                softmax (x);
                dynamic {
                    let max = p.try_max_keepdims(1).expect("two axes");
                    let powers = (&p - max).exp().expect("of floats");
                    let sums = powers.try_sum_keepdims(1).expect("two axes");
                    powers / sums
                };
            }
        }
    }

    /// W28: extremes, their positions and sums of integers along rows. Other libraries are what they are compared with.
    pub(super) fn extremes(&mut self, size: usize) {
        if !self.wants("W28") {
            return;
        }
        let columns = if size == SIZES[0] { 4 } else { hand::WIDTH };
        let x = matrix::<F32>(size / columns, columns, 24);
        let h = matrix::<BF16>(size / columns, columns, 24);
        let i = matrix::<I32>(size / columns, columns, 24);
        let [p, q, r] = [
            x.clone().into_dyn(),
            h.clone().into_dyn(),
            i.clone().into_dyn(),
        ];
        case! {
            self, "W28" "max f32 rows" size => Vector<F32>;
            by hand |_: &Vector<F32>| Vec::new();
            eager x.max_axis(1);
            fuse (x.max_axis(1));
            dynamic p.try_max_axis(1).expect("two axes");
        }
        case! {
            self, "W28" "max bf16 rows" size => Vector<BF16>;
            by hand |_: &Vector<BF16>| Vec::new();
            eager h.max_axis(1);
            fuse (h.max_axis(1));
            dynamic q.try_max_axis(1).expect("two axes");
        }
        case! {
            self, "W28" "argmax f32 rows" size => Vector<I64>;
            by hand |_: &Vector<I64>| Vec::new();
            eager x.argmax_axis(1);
            fuse (x.argmax_axis(1));
            dynamic p.try_argmax_axis(1).expect("two axes");
        }
        case! {
            self, "W28" "sum i32 rows" size => Vector<I64>;
            by hand |_: &Vector<I64>| Vec::new();
            eager i.sum_axis(1);
            fuse (i.sum_axis(1));
            dynamic r.try_sum_axis(1).expect("two axes");
        }
    }
}
