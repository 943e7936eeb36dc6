//! The workloads. Each is written with the library, as users would write it, and by hand.

use bytemuck::{Pod, cast_slice, cast_slice_mut};
use supremum::prelude::*;

use crate::hand::{self, Aligned, How, Isa};
use crate::results::{Row, alone};
use crate::timing::{Effort, Place, Way, measure};

/// For elementwise workloads: tiny, in the caches of the first and of the second level, in memory only.
const SIZES: [usize; 4] = [8, 8_192, 65_536, LARGE];
const LARGE: usize = 1 << 24;
/// Of squares, which have [`LARGE`] elements.
const SIDE: usize = 4_096;
/// Of what is sorted, as a vector and as rows.
const SORTED: usize = 1 << 20;
const SORTED_ROW: usize = 512;
/// Of what is gathered, in elements.
const GATHERED: usize = 1 << 20;
/// Of matrices to multiply.
const SIDES: [usize; 2] = [512, 1_024];
/// Of matrices of bytes to multiply.
const BYTE_SIDES: [usize; 2] = [256, 1_024];
const FEW_SIDE: usize = 1_024;

type Vector<D> = Tensor<D, Rank1>;
type Matrix<D> = Tensor<D, Rank2>;

/// Measures the chosen workloads in one process.
pub(crate) struct Bench {
    pub(crate) effort: Effort,
    pub(crate) isa: Isa,
    pub(crate) threads: u64,
    /// The pools. With more than one thread there is also a pool of one, so that both take turns.
    pub(crate) places: Vec<Place>,
    /// The only workloads to measure; all if there are none.
    pub(crate) only: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

/// Compares the results of all ways of the library, then measures them beside loops by hand.
///
/// `by_hand` gives those, for the expected result.
macro_rules! case {
    (
        $bench:ident, $workload:literal $name:literal $size:expr => $result:ty;
        by hand $by_hand:expr;
        eager $eager:expr;
        $fuse:ident $fused:tt $(into $out:ident)?;
        dynamic $dynamic:expr;
    ) => {{
        let expected: $result = $eager;
        let fused: $result = $fuse! $fused;
        assert!(fused == expected, "{}: fused and eager differ", $name);
        let dynamic: DynTensor = $dynamic;
        assert!(dynamic.typed().as_ref() == Ok(&expected), "{}: dynamic and eager differ", $name);
        $(let mut $out = fused;)?
        // Loops by hand do whole blocks.
        let mut ways: Vec<Way> = if $size == SIZES[0] { Vec::new() } else { $by_hand(&expected) };
        ways.push(Way::new("eager", || -> $result { $eager }));
        ways.push(Way::new("fused", || -> $result { $fuse! $fused }));
        ways.push(Way::new("dynamic", || -> DynTensor { $dynamic }));
        $(ways.push(Way::new("into", || case!(@assign $fuse $out $fused)));)?
        $bench.time($workload, $name, $size, &mut ways);
        drop(ways);
        $(assert!($out == expected, "{}: another result in an output", $name);)?
    }};
    (@assign $fuse:ident $out:ident ($($fused:tt)*)) => {
        $fuse!($out = $($fused)*)
    };
}

mod gathers;
mod networks;

impl Bench {
    pub(crate) fn all(&mut self) {
        for size in SIZES {
            self.arithmetic(size);
            self.normalise(size);
            self.gelu(size);
            self.sum(size);
            self.casts(size);
            self.chains(size);
            self.can_fail(size);
            self.reduced_expressions(size);
            self.rows(size);
            self.networks(size);
        }
        self.attention();
        self.gathers();
        self.broadcasts();
        self.squares();
        self.sorts();
        for side in SIDES {
            self.products(side);
        }
        for side in BYTE_SIDES {
            self.accumulated(side);
        }
        self.few_rows();
    }

    fn wants(&self, workload: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|only| only == workload)
    }

    fn time(&mut self, workload: &str, case: &str, size: usize, ways: &mut [Way]) {
        eprintln!("{workload} {case} {size}");
        let times = measure(self.effort, ways, &self.places);
        for (way, times) in ways.iter().zip(times) {
            let who = match way.name {
                "limit" | "streamed" | "copy" => "by hand",
                _ => "supremum",
            };
            for (place, times) in self.places.iter().zip(times) {
                self.rows.push(Row {
                    workload: workload.into(),
                    case: case.into(),
                    size: u64::try_from(size).expect("a size"),
                    who: who.into(),
                    way: match place {
                        Some(_) => alone(way.name),
                        None => way.name.into(),
                    },
                    isa: self.isa.name().into(),
                    threads: self.threads,
                    least: times.least,
                    median: times.median,
                });
            }
        }
    }

    /// The loop by hand, the same past the caches for large outputs, and a copy of as many bytes as are read and
    /// written. The results are compared with the expected ones; `tolerance` is relative.
    fn by_hand<'a, D: StaticDType<Element: Pod>, N: Rank>(
        &self,
        read: &[&[u8]],
        tolerance: f64,
        run: impl Fn(How, &mut [D::Element]) + Copy + Send + 'a,
    ) -> impl FnOnce(&Tensor<D, N>) -> Vec<Way<'a>> {
        let (isa, threads) = (self.isa, self.threads);
        let read: usize = read.iter().map(|bytes| bytes.len()).sum();
        move |expected| {
            let mut ways = Vec::new();
            // Loops by hand have one thread.
            if threads > 1 {
                return ways;
            }
            let large = expected.len() == LARGE;
            for (name, stream) in [("limit", false), ("streamed", true)] {
                if stream && !large {
                    continue;
                }
                let mut out = Aligned::<D::Element>::new(expected.len());
                run(How { isa, stream }, out.as_mut_slice());
                assert_close(out.as_slice(), expected, tolerance);
                ways.push(Way::new(name, move || {
                    run(How { isa, stream }, out.as_mut_slice())
                }));
            }
            let half = (read + expected.len() * size_of::<D::Element>()) / 2;
            let (from, mut to) = (Aligned::<u8>::new(half), Aligned::<u8>::new(half));
            ways.push(Way::new("copy", move || {
                to.as_mut_slice()
                    .copy_from_slice(std::hint::black_box(from.as_slice()));
            }));
            ways
        }
    }

    /// W1 to W4, W6.
    fn arithmetic(&mut self, size: usize) {
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
    fn normalise(&mut self, size: usize) {
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
    fn gelu(&mut self, size: usize) {
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

    /// W9, over all elements.
    fn sum(&mut self, size: usize) {
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
                "{found} is no sum, {expected} is"
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

    /// W12.
    fn casts(&mut self, size: usize) {
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
    fn chains(&mut self, size: usize) {
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
    fn can_fail(&mut self, size: usize) {
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

    /// W7 and W15, the same in memory and in the caches.
    fn broadcasts(&mut self) {
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
    fn reduced_expressions(&mut self, size: usize) {
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
                by hand self.by_hand(&[cast_slice(a)], 1e-3, |how, out| out[0] = hand::sum_f16(how, a));
                eager x.cast::<F32>().sum();
                fuse (x.cast::<F32>().sum());
                dynamic p.cast(DType::F32).try_sum().expect("of floats");
            }
        }
    }

    /// W17 and W19, of matrices with rows of [`hand::WIDTH`]; the smallest has rows of 4.
    fn rows(&mut self, size: usize) {
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
        if self.wants("W19") {
            let max: Matrix<F32> = x.max_keepdims(1);
            let (b, q) = (elements(&max), max.clone().into_dyn());
            case! {
                self, "W19" "exp(x - max)" size => Matrix<F32>;
                by hand self.by_hand(&[read[0], cast_slice(b)], 1e-6, |how, out| hand::exp_below(how, a, b, out));
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
                by hand self.by_hand(read, 1e-5, |how, out| hand::softmax(how, a, out));
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

    /// W9 over each axis, W11.
    fn squares(&mut self) {
        let (x, y) = (square::<F32>(SIDE, 4), square::<F32>(SIDE, 5));
        let (a, b) = (elements(&x), elements(&y));
        if self.wants("W9") {
            let p = x.clone().into_dyn();
            case! {
                self, "W9" "sum f32 axis 0" LARGE => Vector<F32>;
                by hand self.by_hand(&[cast_slice(a)], 1e-3, |how, out| hand::sum_rows(how, a, out));
                eager x.sum_axis(0);
                fuse (x.sum_axis(0));
                dynamic p.try_sum_axis(0).expect("two axes");
            }
            case! {
                self, "W9" "sum f32 axis 1" LARGE => Vector<F32>;
                by hand self.by_hand(&[cast_slice(a)], 1e-3, |how, out| hand::sum_columns(how, a, out));
                eager x.sum_axis(1);
                fuse (x.sum_axis(1));
                dynamic p.try_sum_axis(1).expect("two axes");
            }
        }
        if self.wants("W11") {
            let x = x.transpose();
            let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
            case! {
                self, "W11" "transposed + f32" LARGE => Matrix<F32>;
                by hand self.by_hand(
                    &[cast_slice(a), cast_slice(b)],
                    0.0,
                    |how, out| hand::add_transposed(how, a, b, SIDE, out),
                );
                eager &x + &y;
                fuse (x + y) into out;
                dynamic &p + &q;
            }
        }
    }

    /// W22, a vector and rows.
    fn sorts(&mut self) {
        if !self.wants("W22") {
            return;
        }
        let rows = matrix::<F32>(SORTED / SORTED_ROW, SORTED_ROW, 20);
        let a = elements(&rows);
        let read: &[&[u8]] = &[cast_slice(a)];
        for (name, columns) in [("sort f32", SORTED), ("sort f32 rows", SORTED_ROW)] {
            let x: Matrix<F32> = rows.reshape([SORTED / columns, columns]);
            let p = x.clone().into_dyn();
            let expected = x.sort(1);
            assert!(
                p.sort(1).typed().as_ref() == Ok(&expected),
                "{name}: dynamic and eager differ"
            );
            let by_hand = self.by_hand(read, 0.0, move |_, out| {
                out.copy_from_slice(a);
                for row in out.chunks_exact_mut(columns) {
                    row.sort_unstable_by(f32::total_cmp);
                }
            });
            let mut ways = by_hand(&expected);
            ways.push(Way::new("eager", || x.sort(1)));
            ways.push(Way::new("dynamic", || p.sort(1)));
            self.time("W22", name, SORTED, &mut ways);
        }
    }

    /// W10.
    fn products(&mut self, side: usize) {
        if !self.wants("W10") {
            return;
        }
        macro_rules! product {
            ($name:literal $left:ident $right:ident $out:ident) => {{
                let (x, y) = (square::<$left>(side, 1), square::<$right>(side, 2));
                let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
                let eager = || -> Matrix<$out> { x.matmul(&y) };
                let dynamic = || p.try_matmul(&q).expect("of one size");
                let expected = eager();
                assert!(dynamic().typed().as_ref() == Ok(&expected), "{}: dynamic and eager differ", $name);
                let mut ways = vec![Way::new("eager", eager), Way::new("dynamic", dynamic)];
                if self.threads == 1 {
                    // The library widens and rounds dtypes that it does not multiply in, by its own loops.
                    let gemm = || -> Matrix<$out> { gemm(&x.cast::<F32>(), &y.cast::<F32>()).cast() };
                    assert_close(elements(&gemm()), &expected, 1e-2);
                    ways.push(Way::new("limit", gemm));
                }
                self.time("W10", $name, side, &mut ways);
            }};
        }
        product!("matmul f32" F32 F32 F32);
        product!("matmul f16" F16 F16 F16);
        product!("matmul bf16 by f32" BF16 F32 F32);
    }

    /// W10 with sums of another dtype, beside the products of one dtype.
    fn accumulated(&mut self, side: usize) {
        if !self.wants("W10") {
            return;
        }
        macro_rules! product {
            ($name:literal $dtype:ident $out:ident) => {{
                let (x, y) = (square::<$dtype>(side, 1), square::<$dtype>(side, 2));
                let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
                let eager = || -> Matrix<$out> { x.matmul_in::<$out>(&y) };
                let dynamic = || p.try_matmul_in(&q, DType::$out).expect("of one size");
                let plain = || -> Matrix<$dtype> { x.matmul(&y) };
                let expected = eager();
                assert!(
                    dynamic().typed().as_ref() == Ok(&expected),
                    "{}: dynamic and eager differ",
                    $name
                );
                assert!(
                    plain() == expected.cast::<$dtype>(),
                    "{}: plain and eager differ",
                    $name
                );
                let mut ways = [
                    Way::new("eager", eager),
                    Way::new("dynamic", dynamic),
                    Way::new("plain", plain),
                ];
                self.time("W10", $name, side, &mut ways);
            }};
        }
        product!("matmul i8 in i32" I8 I32);
        product!("matmul bf16 in f32" BF16 F32);
    }

    /// W10 of few rows of bytes by a square, whose side is also its size in the results.
    fn few_rows(&mut self) {
        if !self.wants("W10") {
            return;
        }
        let y = square::<I8>(FEW_SIDE, 2);
        for (name, rows) in [
            ("vector by matrix i8 in i32", 1),
            ("16 rows by matrix i8 in i32", 16),
        ] {
            let x = matrix::<I8>(rows, FEW_SIDE, 1);
            let (p, q) = (x.clone().into_dyn(), y.clone().into_dyn());
            let eager = || -> Matrix<I32> { x.matmul_in::<I32>(&y) };
            let dynamic = || p.try_matmul_in(&q, DType::I32).expect("of one size");
            assert!(
                dynamic().typed().as_ref() == Ok(&eager()),
                "{name}: dynamic and eager differ"
            );
            let mut ways = [Way::new("eager", eager), Way::new("dynamic", dynamic)];
            self.time("W10", name, FEW_SIDE, &mut ways);
        }
    }
}

/// The product by the crate `gemm`, on one thread.
#[allow(unsafe_code, reason = "the crate takes pointers")]
fn gemm(x: &Matrix<F32>, y: &Matrix<F32>) -> Matrix<F32> {
    let (rows, inner, columns) = (x.shape()[0], x.shape()[1], y.shape()[1]);
    let mut out = Matrix::<F32>::zeros([rows, columns]);
    let stride = |side: usize| isize::try_from(side).expect("a stride");
    // SAFETY: all three matrices are contiguous, and have as many elements as the sizes and strides say.
    unsafe {
        // The matrices are transposed, because `gemm` writes column by column.
        gemm_f32::gemm::f32::get_gemm_fn()(
            columns,
            rows,
            inner,
            out.as_mut_slice().as_mut_ptr(),
            stride(columns),
            1,
            false,
            elements(y).as_ptr(),
            stride(columns),
            1,
            elements(x).as_ptr(),
            stride(inner),
            1,
            0.0,
            1.0,
            false,
            false,
            false,
            gemm_common::Parallelism::None,
        );
    }
    out
}

fn assert_close<D: StaticDType, N: Rank>(
    found: &[D::Element],
    expected: &Tensor<D, N>,
    tolerance: f64,
) {
    let found = Vector::<D>::from_slice(found, [found.len()]).expect("as many");
    let expected: Vector<D> = expected.flatten();
    let close = match tolerance {
        0.0 => found == expected,
        _ => found.approx_eq(&expected, tolerance, tolerance),
    };
    assert!(close, "the loop by hand computes something else");
}

fn elements<D: StaticDType, N: Rank>(tensor: &Tensor<D, N>) -> &[D::Element] {
    tensor.as_slice().expect("contiguous")
}

fn bits<D: StaticDType<Element: Pod>, N: Rank, T: Pod>(tensor: &Tensor<D, N>) -> &[T] {
    cast_slice(elements(tensor))
}

/// Numbers between -4 and 4 with all bits of an `f32` in use, the same in every run; integers from their whole range.
fn vector<D: StaticDType>(count: usize, seed: u64) -> Vector<D> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        i32::try_from(state >> 33).expect("31 bits") - (1 << 30)
    };
    let numbers = Vector::<I32>::from_vec((0..count).map(|_| next()).collect(), [count]);
    let numbers = numbers.expect("as many");
    if D::DTYPE.kind().is_integer() {
        return numbers.cast();
    }
    let scaled: Vector<F32> = numbers.cast::<F32>() * (4.0 / f64::from(1 << 30));
    scaled.cast()
}

fn square<D: StaticDType>(side: usize, seed: u64) -> Matrix<D> {
    matrix(side, side, seed)
}

fn matrix<D: StaticDType>(rows: usize, columns: usize, seed: u64) -> Matrix<D> {
    vector::<D>(rows * columns, seed).reshape([rows, columns])
}
