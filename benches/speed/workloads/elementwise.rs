//! Elementwise expressions, eager and fused.

use super::*;

impl Bench {
    /// W1 to W4, W6.
    pub(super) fn arithmetic(&mut self, size: usize) {
        if self.wants("W1") {
            let (x, y) = (vector::<F32>(size, 1), vector::<F32>(size, 2));
            let (a, b) = (elements(&x), elements(&y));
            let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
            case! {
                self, "W1" "f32 + f32" size => Vector<F32>;
                by hand self.by_hand(&[cast_slice(a), cast_slice(b)], 0.0, |how, out| hand::add(how, a, b, out));
                eager &x + &y;
                fuse (x + y) into out;
                dynamic &p + &q;
            }
        }
        let (x, y, z) = (
            vector::<F16>(size, 1),
            vector::<BF16>(size, 2),
            vector::<F32>(size, 3),
        );
        let (a, b, c): (&[u16], &[u16], _) = (bits(&x), bits(&y), elements(&z));
        let (p, q, r) = (
            x.clone().into_dyn(),
            y.clone().into_dyn(),
            z.clone().into_dyn(),
        );
        let halves: &[&[u8]] = &[cast_slice(a), cast_slice(b)];
        if self.wants("W2") {
            case! {
                self, "W2" "f16 + bf16" size => Vector<F32>;
                by hand self.by_hand(halves, 0.0, |how, out| hand::add_halves(how, a, b, out));
                eager &x + &y;
                fuse (x + y) into out;
                dynamic &p + &q;
            }
        }
        if self.wants("W3") {
            let read = [halves, &[cast_slice(c)]].concat();
            case! {
                self, "W3" "f16 * bf16 + f32" size => Vector<F32>;
                by hand self.by_hand(&read, 0.0, |how, out| hand::mul_halves_add(how, a, b, c, out));
                eager &x * &y + &z;
                fuse (x * y + z) into out;
                dynamic &p * &q + &r;
            }
        }
        if self.wants("W4") {
            let (x, y) = (vector::<I8>(size, 4), vector::<U8>(size, 5));
            let (a, b) = (elements(&x), elements(&y));
            let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
            case! {
                self, "W4" "i8 + u8" size => Vector<I16>;
                by hand self.by_hand(&[cast_slice(a), b], 0.0, |how, out| hand::add_bytes(how, a, b, out));
                eager &x + &y;
                fuse (x + y) into out;
                dynamic &p + &q;
            }
        }
        if self.wants("W6") {
            let x = vector::<I32>(size, 6);
            let a = elements(&x);
            let p = x.clone().into_dyn();
            case! {
                self, "W6" "i32 + f32" size => Vector<F32>;
                by hand self.by_hand(&[cast_slice(a), cast_slice(c)], 0.0, |how, out| hand::add_i32_f32(how, a, c, out));
                eager x.promote_unsafe() + &z;
                promote_unsafe (x + z) into out;
                dynamic p.promote_unsafe() + &r;
            }
        }
    }

    /// W5.
    pub(super) fn normalise(&mut self, size: usize) {
        if !self.wants("W5") {
            return;
        }
        let x = vector::<U8>(size, 7);
        let a = elements(&x);
        let p = x.clone().into_dyn();
        case! {
            self, "W5" "normalise u8 to f32" size => Vector<F32>;
            by hand self.by_hand(&[a], 0.0, |how, out| hand::normalise_f32(how, a, out));
            eager (x.widen::<F32>() - 127.5) / 58.0;
            fuse ((x.widen::<F32>() - 127.5) / 58.0) into out;
            dynamic (p.cast(DType::F32) - 127.5) / 58.0;
        }
        case! {
            self, "W5" "normalise u8 to bf16" size => Vector<BF16>;
            by hand self.by_hand(&[a], 0.0, |how, out| hand::normalise_bf16(how, a, cast_slice_mut(out)));
            eager (x.widen::<BF16>() - 127.5) / 58.0;
            fuse ((x.widen::<BF16>() - 127.5) / 58.0) into out;
            dynamic (p.cast(DType::BF16) - 127.5) / 58.0;
        }
    }

    /// W8.
    pub(super) fn gelu(&mut self, size: usize) {
        if !self.wants("W8") {
            return;
        }
        let x = vector::<F32>(size, 8);
        let a = elements(&x);
        let p = x.clone().into_dyn();
        case! {
            self, "W8" "gelu f32" size => Vector<F32>;
            by hand self.by_hand(&[cast_slice(a)], 1e-6, |how, out| hand::gelu_f32(how, a, out));
            eager 0.5 * &x * (1.0 + (0.797_884_6 * (&x + 0.044_715 * &x * &x * &x)).tanh());
            fuse (0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh())) into out;
            dynamic 0.5 * &p * (1.0 + (0.797_884_6 * (&p + 0.044_715 * &p * &p * &p)).tanh().expect("of floats"));
        }
        let x = x.cast::<BF16>();
        let a: &[u16] = bits(&x);
        let p = x.clone().into_dyn();
        case! {
            self, "W8" "gelu bf16" size => Vector<BF16>;
            // The two tanh may differ in the last bit of f32 and then round to neighbouring values.
            by hand self.by_hand(&[cast_slice(a)], 0.02, |how, out| hand::gelu_bf16(how, a, cast_slice_mut(out)));
            eager 0.5 * &x * (1.0 + (0.797_884_6 * (&x + 0.044_715 * &x * &x * &x)).tanh());
            fuse (0.5 * x * (1.0 + (0.797_884_6 * (x + 0.044_715 * x * x * x)).tanh())) into out;
            dynamic 0.5 * &p * (1.0 + (0.797_884_6 * (&p + 0.044_715 * &p * &p * &p)).tanh().expect("of floats"));
        }
    }

    /// W12.
    pub(super) fn casts(&mut self, size: usize) {
        if !self.wants("W12") {
            return;
        }
        macro_rules! cast {
            ($name:literal $from:ident $to:ident, $loop:ident($a:expr, $out:ident: $output:expr)) => {{
                let x = vector::<$from>(size, 12);
                let p = x.clone().into_dyn();
                let a = $a(&x);
                case! {
                    self, "W12" $name size => Vector<$to>;
                    by hand self.by_hand(&[cast_slice(a)], 0.0, |how, $out| hand::$loop(how, a, $output));
                    eager x.cast::<$to>();
                    fuse (x.cast::<$to>()) into out;
                    dynamic p.cast(DType::$to);
                }
            }};
        }
        cast!("f32 to bf16" F32 BF16, f32_to_bf16(elements, out: cast_slice_mut(out)));
        cast!("f32 to f16" F32 F16, f32_to_f16(elements, out: cast_slice_mut(out)));
        cast!("f16 to f32" F16 F32, f16_to_f32(bits, out: out));
        cast!("f32 to f8e4m3fn" F32 F8E4M3FN, f32_to_f8(elements, out: cast_slice_mut(out)));
        cast!("i32 to u8" I32 U8, i32_to_u8(elements, out: out));
    }

    /// W13 and W14.
    pub(super) fn chains(&mut self, size: usize) {
        if self.wants("W13") {
            let (x, y) = (vector::<F32>(size, 13), vector::<F32>(size, 14));
            let (a, b) = (elements(&x), elements(&y));
            let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
            case! {
                self, "W13" "where a > b" size => Vector<F32>;
                by hand self.by_hand(&[cast_slice(a), cast_slice(b)], 0.0, |how, out| hand::where_greater(how, a, b, out));
                eager select(&x.gt(&y), &x, 0.0);
                fuse (if x > y { x } else { 0.0 }) into out;
                dynamic p.try_gt(&q).and_then(|greater| greater.try_select(&p, 0.0)).expect("of one shape");
            }
        }
        if self.wants("W14") {
            let [x, y, z] = [15, 16, 17].map(|seed| vector::<F16>(size, seed));
            let [a, b, c]: [&[u16]; 3] = [bits(&x), bits(&y), bits(&z)];
            let [p, q, r] = [&x, &y, &z].map(|tensor| tensor.clone().into_dyn());
            case! {
                self, "W14" "six operations f16" size => Vector<F16>;
                by hand self.by_hand(
                    &[cast_slice(a), cast_slice(b), cast_slice(c)],
                    0.0,
                    |how, out| hand::chain_f16(how, a, b, c, cast_slice_mut(out)),
                );
                eager ((&x * &y + &z) * &x - &y) * &z + &x;
                fuse (((x * y + z) * x - y) * z + x) into out;
                dynamic ((&p * &q + &r) * &p - &q) * &r + &p;
            }
        }
    }

    /// W20 and W21: integer division, which can fail, and functions of complex numbers. Neither has a loop by hand: a library does
    /// most of the work.
    pub(super) fn can_fail(&mut self, size: usize) {
        if self.wants("W20") {
            let (x, y) = (vector::<I32>(size, 20), vector::<I32>(size, 21));
            // Neither may be zero.
            let (y, z) = (&y | 1, (&y >> 16) | 1);
            let [p, q, r] = [&x, &y, &z].map(|tensor| tensor.clone().into_dyn());
            case! {
                self, "W20" "a.floor_div(b) % c + a i32" size => Vector<I32>;
                by hand |_: &Vector<I32>| Vec::new();
                eager x.floor_div(&y) % &z + &x;
                fuse (x.floor_div(y) % z + x) into out;
                dynamic p.try_floor_div(&q).expect("no zeros") % &r + &p;
            }
        }
        if self.wants("W21") {
            let [re, im] = [22, 23].map(|seed| vector::<F32>(size, seed).cast::<C64>());
            let i = Tensor::<C64, Rank0>::scalar(c64::new(0.0, 1.0));
            let x = re + im * i;
            let p = x.clone().into_dyn();
            case! {
                self, "W21" "z.exp() * z c64" size => Vector<C64>;
                by hand |_: &Vector<C64>| Vec::new();
                eager x.exp() * &x;
                fuse (x.exp() * x) into out;
                dynamic p.exp().expect("of complex numbers") * &p;
            }
        }
    }
}
