//! The loops, each once for all instruction sets.

use std::arch::x86_64::_mm_sfence;
use std::ops::Range;

use super::Isa;
use super::simd::{Avx2, Avx512, BLOCK, Simd};

/// The way in which it is run.
#[derive(Clone, Copy)]
pub(crate) struct How {
    pub(crate) isa: Isa,
    /// `true` if stores go past the caches.
    pub(crate) stream: bool,
}

/// Makes a function of a body that is generic over `S: Simd` and `STREAM`, which checks `$requires` and chooses.
macro_rules! chosen {
    (
        $(#[$doc:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $output:ty;
        requires $requires:expr;
        $body:expr
    ) => {
        $(#[$doc])*
        pub(crate) fn $name(how: How, $($argument: $type),*) -> $output {
            #[inline(always)]
            unsafe fn body<S: Simd, const STREAM: bool>($($argument: $type),*) -> $output {
                let result = unsafe { $body };
                if STREAM {
                    unsafe { _mm_sfence() };
                }
                result
            }
            #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt")]
            fn v3<const STREAM: bool>($($argument: $type),*) -> $output {
                unsafe { body::<Avx2, STREAM>($($argument),*) }
            }
            #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512cd")]
            fn v4<const STREAM: bool>($($argument: $type),*) -> $output {
                unsafe { body::<Avx512, STREAM>($($argument),*) }
            }
            assert!(how.isa.is_there() && $requires, "sizes");
            // SAFETY: the processor has the instruction set, and the sizes are as the body needs them.
            unsafe {
                match (how.isa, how.stream) {
                    (Isa::V3, false) => v3::<false>($($argument),*),
                    (Isa::V3, true) => v3::<true>($($argument),*),
                    (Isa::V4, false) => v4::<false>($($argument),*),
                    (Isa::V4, true) => v4::<true>($($argument),*),
                }
            }
        }
    };
}

/// Loops over operands and an output of one size, two blocks at a time.
macro_rules! each {
    ($(
        $(#[$doc:meta])*
        fn $name:ident($($operand:ident: $type:ty),*; $out:ident: $element:ty) { |$i:ident| $block:expr }
    )*) => {$(
        chosen! {
            $(#[$doc])*
            fn $name($($operand: &[$type],)* $out: &mut [$element]) -> ();
            requires $($operand.len() == $out.len() &&)* fits($out);
            {
                let (count, $out) = ($out.len(), $out.as_mut_ptr());
                $(let $operand = $operand.as_ptr();)*
                let mut at = 0;
                while at < count {
                    for $i in [at, at + BLOCK] {
                        $block;
                    }
                    at += 2 * BLOCK;
                }
            }
        }
    )*};
}

/// Returns whether an output is made of pairs of blocks, and starts at a cache line.
fn fits<T>(out: &[T]) -> bool {
    out.len().is_multiple_of(2 * BLOCK) && out.as_ptr().addr().is_multiple_of(64)
}

each! {
    fn add(a: f32, b: f32; out: f32) { |i|
        S::store_f32::<STREAM>(out.add(i), S::add(S::load_f32(a.add(i)), S::load_f32(b.add(i))))
    }
    fn add_halves(a: u16, b: u16; out: f32) { |i|
        S::store_f32::<STREAM>(out.add(i), S::add(S::load_f16(a.add(i)), S::load_bf16(b.add(i))))
    }
    /// The product is rounded, since both operations of the expression are.
    fn mul_halves_add(a: u16, b: u16, c: f32; out: f32) { |i| {
        let product = S::mul(S::load_f16(a.add(i)), S::load_bf16(b.add(i)));
        S::store_f32::<STREAM>(out.add(i), S::add(product, S::load_f32(c.add(i))));
    } }
    fn add_bytes(a: i8, b: u8; out: i16) { |i| S::add_i8_u8::<STREAM>(out.add(i), a.add(i), b.add(i)) }
    fn normalise_f32(a: u8; out: f32) { |i| {
        let centred = S::sub(S::load_u8(a.add(i)), S::splat(127.5));
        S::store_f32::<STREAM>(out.add(i), S::div(centred, S::splat(58.0)));
    } }
    fn normalise_bf16(a: u8; out: u16) { |i| {
        let centred = S::round_bf16(S::sub(S::load_u8(a.add(i)), S::splat(127.5)));
        S::store_bf16::<STREAM>(out.add(i), S::div(centred, S::splat(58.0)));
    } }
    fn add_i32_f32(a: i32, b: f32; out: f32) { |i|
        S::store_f32::<STREAM>(out.add(i), S::add(S::load_i32(a.add(i)), S::load_f32(b.add(i))))
    }
    fn gelu_f32(a: f32; out: f32) { |i| {
        let x = S::load_f32(a.add(i));
        let cubic = S::mul(S::mul(S::mul(S::splat(GELU[0]), x), x), x);
        let t = tanh::<S>(S::mul(S::splat(GELU[1]), S::add(x, cubic)));
        S::store_f32::<STREAM>(out.add(i), S::mul(S::mul(S::splat(0.5), x), S::add(S::splat(1.0), t)));
    } }
    fn gelu_bf16(a: u16; out: u16) { |i| {
        let [cube, scale] = GELU.map(|x| f32::from(supremum::bf16::from_f32(x)));
        let x = S::load_bf16(a.add(i));
        let square = S::round_bf16(S::mul(S::round_bf16(S::mul(S::splat(cube), x)), x));
        let sum = S::round_bf16(S::add(x, S::round_bf16(S::mul(square, x))));
        let t = S::round_bf16(tanh::<S>(S::round_bf16(S::mul(S::splat(scale), sum))));
        let half = S::round_bf16(S::mul(S::splat(0.5), x));
        S::store_bf16::<STREAM>(out.add(i), S::mul(half, S::round_bf16(S::add(S::splat(1.0), t))));
    } }
    fn f32_to_bf16(a: f32; out: u16) { |i| S::store_bf16::<STREAM>(out.add(i), S::load_f32(a.add(i))) }
    fn f32_to_f16(a: f32; out: u16) { |i| S::store_f16::<STREAM>(out.add(i), S::load_f32(a.add(i))) }
    fn f16_to_f32(a: u16; out: f32) { |i| S::store_f32::<STREAM>(out.add(i), S::load_f16(a.add(i))) }
    fn f32_to_f8(a: f32; out: u8) { |i| S::store_f8::<STREAM>(out.add(i), S::load_f32(a.add(i))) }
    fn i32_to_u8(a: i32; out: u8) { |i| S::truncate_i32::<STREAM>(out.add(i), a.add(i)) }
    fn where_greater(a: f32, b: f32; out: f32) { |i|
        S::store_f32::<STREAM>(out.add(i), S::where_greater(S::load_f32(a.add(i)), S::load_f32(b.add(i))))
    }
    /// `((a * b + c) * a - b) * c + a`, rounded six times.
    fn chain_f16(a: u16, b: u16, c: u16; out: u16) { |i| {
        let [a, b, c] = [a, b, c].map(|from| S::load_f16(from.add(i)));
        let x = S::round_f16(S::mul(a, b));
        let x = S::round_f16(S::mul(S::round_f16(S::add(x, c)), a));
        let x = S::round_f16(S::mul(S::round_f16(S::sub(x, b)), c));
        S::store_f16::<STREAM>(out.add(i), S::add(x, a));
    } }
}

/// The constants of the approximation of gelu by tanh.
pub(crate) const GELU: [f32; 2] = [0.044_715, 0.797_884_6];

/// `(1 - exp(-2 |x|)) / (1 + exp(-2 |x|))`, with the sign of `x`.
#[inline(always)]
unsafe fn tanh<S: Simd>(x: S::Floats) -> S::Floats {
    unsafe {
        let power = exp::<S>(S::mul(S::abs(x), S::splat(-2.0)));
        let one = S::splat(1.0);
        S::copy_sign(S::div(S::sub(one, power), S::add(one, power)), x)
    }
}

/// Of numbers that are not positive, by the polynomial of Cephes.
#[inline(always)]
unsafe fn exp<S: Simd>(x: S::Floats) -> S::Floats {
    unsafe {
        let x = S::max(x, S::splat(-87.0));
        let n = S::round(S::mul(x, S::splat(std::f32::consts::LOG2_E)));
        let r = S::mul_add(n, S::splat(-0.693_359_4), x);
        let r = S::mul_add(n, S::splat(2.121_944_4e-4), r);
        let mut p = S::splat(1.987_569_1e-4);
        for c in [
            1.398_199_9e-3,
            8.333_452e-3,
            4.166_579_6e-2,
            1.666_666_5e-1,
            0.5,
        ] {
            p = S::mul_add(p, r, S::splat(c));
        }
        let p = S::mul_add(S::mul(p, r), r, S::add(r, S::splat(1.0)));
        S::scale(p, n)
    }
}

/// The same with the arithmetic of the library, which is more accurate: the part of the argument that rounding cuts off is added last.
#[inline(always)]
unsafe fn accurate_exp<S: Simd>(x: S::Floats) -> S::Floats {
    unsafe {
        let shift = S::splat(12_582_912.0);
        let x = S::max(x, S::splat(-87.0));
        let n = S::sub(
            S::mul_add(x, S::splat(std::f32::consts::LOG2_E), shift),
            shift,
        );
        let main = S::mul_add(n, S::splat(-0.693_145_75), x);
        let rest = S::mul(n, S::splat(-1.428_606_8e-6));
        let r = S::add(main, rest);
        let square = S::mul(r, r);
        let upper = S::mul_add(r, S::splat(1.394_470_3e-3), S::splat(8.333_498e-3));
        let upper = S::mul_add(square, S::splat(1.979_029_7e-4), upper);
        let lower = S::mul_add(r, S::splat(4.166_629_5e-2), S::splat(1.666_666_6e-1));
        let curve = S::mul_add(square, upper, lower);
        let one = S::splat(1.0);
        let high = S::add(one, main);
        let low = S::add(S::sub(main, S::sub(high, one)), rest);
        let low = S::mul_add(curve, S::mul(square, r), low);
        let low = S::mul_add(square, S::splat(0.5), low);
        S::scale(S::add(high, low), n)
    }
}

chosen! {
    /// `a * row + column` over a square.
    fn scale_rows(a: &[u16], row: &[f32], column: &[f32], out: &mut [f32]) -> ();
    requires row.len().is_multiple_of(BLOCK) && a.len() == row.len() * column.len() && a.len() == out.len() && fits(out);
    {
        for (y, &bias) in column.iter().enumerate() {
            let (a, out) = (a.as_ptr().add(y * row.len()), out.as_mut_ptr().add(y * row.len()));
            for x in (0..row.len()).step_by(BLOCK) {
                let product = S::mul(S::load_bf16(a.add(x)), S::load_f32(row.as_ptr().add(x)));
                S::store_f32::<STREAM>(out.add(x), S::add(product, S::splat(bias)));
            }
        }
    }
}

chosen! {
    fn sum_f16(a: &[u16]) -> f32;
    requires a.len().is_multiple_of(2 * BLOCK);
    {
        let mut sums = [S::splat(0.0); 2];
        for i in (0..a.len()).step_by(2 * BLOCK) {
            sums[0] = S::add(sums[0], S::load_f16(a.as_ptr().add(i)));
            sums[1] = S::add(sums[1], S::load_f16(a.as_ptr().add(i + BLOCK)));
        }
        S::sum(S::add(sums[0], sums[1]))
    }
}

chosen! {
    /// The sum in `f64`, as the library's is.
    fn sum_f16_in_f64(a: &[u16]) -> f32;
    requires a.len().is_multiple_of(2 * BLOCK);
    {
        let mut sums = [S::splat_f64(0.0); 2];
        for i in (0..a.len()).step_by(2 * BLOCK) {
            sums[0] = S::add_f64(sums[0], S::widen(S::load_f16(a.as_ptr().add(i))));
            sums[1] = S::add_f64(sums[1], S::widen(S::load_f16(a.as_ptr().add(i + BLOCK))));
        }
        S::sum_f64(S::add_f64(sums[0], sums[1])) as f32
    }
}

chosen! {
    /// The sum of all rows.
    fn sum_rows(a: &[f32], out: &mut [f32]) -> ();
    requires out.len().is_multiple_of(BLOCK) && a.len().is_multiple_of(4 * out.len());
    {
        let width = out.len();
        out.fill(0.0);
        for y in (0..a.len() / width).step_by(4) {
            let a = a.as_ptr().add(y * width);
            for x in (0..width).step_by(BLOCK) {
                let row = |k: usize| S::load_f32(a.add(k * width + x));
                let four = S::add(S::add(row(0), row(1)), S::add(row(2), row(3)));
                let out = out.as_mut_ptr().add(x);
                S::store_f32::<false>(out, S::add(S::load_f32(out), four));
            }
        }
    }
}

chosen! {
    /// The sum of each row.
    fn sum_columns(a: &[f32], out: &mut [f32]) -> ();
    requires a.len().is_multiple_of(out.len()) && (a.len() / out.len()).is_multiple_of(2 * BLOCK);
    {
        let width = a.len() / out.len();
        for (y, out) in out.iter_mut().enumerate() {
            let a = a.as_ptr().add(y * width);
            let mut sums = [S::splat(0.0); 2];
            for x in (0..width).step_by(2 * BLOCK) {
                sums[0] = S::add(sums[0], S::load_f32(a.add(x)));
                sums[1] = S::add(sums[1], S::load_f32(a.add(x + BLOCK)));
            }
            *out = S::sum(S::add(sums[0], sums[1]));
        }
    }
}

/// The sum of the squares of so many numbers. Each square is rounded; the sum is in `f64`, as the library's is.
#[inline(always)]
unsafe fn sum_squares<S: Simd>(a: *const f32, count: usize) -> f64 {
    unsafe {
        let mut sums = S::splat_f64(0.0);
        for x in (0..count).step_by(BLOCK) {
            let x = S::load_f32(a.add(x));
            sums = S::add_f64(sums, S::widen(S::mul(x, x)));
        }
        S::sum_f64(sums)
    }
}

chosen! {
    /// The mean of the squares of each row; one row gives that of all numbers.
    fn mean_squares(a: &[f32], out: &mut [f32]) -> ();
    requires a.len().is_multiple_of(out.len()) && (a.len() / out.len()).is_multiple_of(BLOCK);
    {
        let width = a.len() / out.len();
        for (y, out) in out.iter_mut().enumerate() {
            *out = (sum_squares::<S>(a.as_ptr().add(y * width), width) / width as f64) as f32;
        }
    }
}

chosen! {
    /// The greatest magnitude of each row. It takes no NaN.
    fn greatest_magnitudes(a: &[f32], out: &mut [f32]) -> ();
    requires a.len().is_multiple_of(out.len()) && (a.len() / out.len()).is_multiple_of(BLOCK);
    {
        let width = a.len() / out.len();
        for (y, out) in out.iter_mut().enumerate() {
            let a = a.as_ptr().add(y * width);
            let mut greatest = S::splat(0.0);
            for x in (0..width).step_by(BLOCK) {
                greatest = S::max(greatest, S::abs(S::load_f32(a.add(x))));
            }
            *out = S::maximum(greatest);
        }
    }
}

/// Columns of matrices whose rows are reduced.
pub(crate) const WIDTH: usize = 512;

chosen! {
    /// The mean of the squares of each column.
    fn mean_squares_of_columns(a: &[f32], out: &mut [f32]) -> ();
    requires out.len() == WIDTH && a.len().is_multiple_of(4 * WIDTH);
    {
        let mut sums = [0.0; WIDTH];
        let rows = a.len() / WIDTH;
        for y in (0..rows).step_by(4) {
            let a = a.as_ptr().add(y * WIDTH);
            for x in (0..WIDTH).step_by(BLOCK) {
                let mut sum = S::load_f64(sums.as_ptr().add(x));
                for k in 0..4 {
                    let a = S::load_f32(a.add(k * WIDTH + x));
                    sum = S::add_f64(sum, S::widen(S::mul(a, a)));
                }
                S::store_f64(sums.as_mut_ptr().add(x), sum);
            }
        }
        for (out, sum) in out.iter_mut().zip(&sums) {
            *out = (sum / rows as f64) as f32;
        }
    }
}

chosen! {
    /// The variance of each row: its mean first, then the deviations from it, both in `f64`. Squares are rounded before they are added,
    /// as the library does, whose results are the same on all processors.
    fn variances(a: &[f32], out: &mut [f32]) -> ();
    requires a.len() == WIDTH * out.len();
    {
        for (y, out) in out.iter_mut().enumerate() {
            let a = a.as_ptr().add(y * WIDTH);
            let mut sums = S::splat_f64(0.0);
            for x in (0..WIDTH).step_by(BLOCK) {
                sums = S::add_f64(sums, S::widen(S::load_f32(a.add(x))));
            }
            let mean = S::splat_f64(S::sum_f64(sums) / WIDTH as f64);
            let mut squares = S::splat_f64(0.0);
            for x in (0..WIDTH).step_by(BLOCK) {
                let deviation = S::sub_f64(S::widen(S::load_f32(a.add(x))), mean);
                squares = S::add_f64(squares, S::mul_f64(deviation, deviation));
            }
            *out = (S::sum_f64(squares) / WIDTH as f64) as f32;
        }
    }
}

/// The loops whose exponential is one of the two.
macro_rules! of_exponential {
    ($exp:ident: $below:ident $softmax:ident) => {
        chosen! {
            /// `exp(a - column)` over a matrix; no element is greater than the element of the column in its row.
            fn $below(a: &[f32], column: &[f32], out: &mut [f32]) -> ();
            requires a.len() == WIDTH * column.len() && a.len() == out.len() && fits(out);
            {
                for (y, &greatest) in column.iter().enumerate() {
                    let (a, out) = (a.as_ptr().add(y * WIDTH), out.as_mut_ptr().add(y * WIDTH));
                    for x in (0..WIDTH).step_by(BLOCK) {
                        let difference = S::sub(S::load_f32(a.add(x)), S::splat(greatest));
                        S::store_f32::<STREAM>(out.add(x), $exp::<S>(difference));
                    }
                }
            }
        }

        chosen! {
            /// The softmax of each row, whose powers stay in the first cache; their sum is in `f64`.
            fn $softmax(a: &[f32], out: &mut [f32]) -> ();
            requires a.len().is_multiple_of(WIDTH) && a.len() == out.len() && fits(out);
            {
                let mut powers = [0.0; WIDTH];
                for y in (0..a.len()).step_by(WIDTH) {
                    let (a, out) = (a.as_ptr().add(y), out.as_mut_ptr().add(y));
                    let mut greatest = S::load_f32(a);
                    for x in (BLOCK..WIDTH).step_by(BLOCK) {
                        greatest = S::max(greatest, S::load_f32(a.add(x)));
                    }
                    let greatest = S::splat(S::maximum(greatest));
                    let mut sums = S::splat_f64(0.0);
                    for x in (0..WIDTH).step_by(BLOCK) {
                        let power = $exp::<S>(S::sub(S::load_f32(a.add(x)), greatest));
                        S::store_f32::<false>(powers.as_mut_ptr().add(x), power);
                        sums = S::add_f64(sums, S::widen(power));
                    }
                    let sum = S::splat(S::sum_f64(sums) as f32);
                    for x in (0..WIDTH).step_by(BLOCK) {
                        S::store_f32::<STREAM>(out.add(x), S::div(S::load_f32(powers.as_ptr().add(x)), sum));
                    }
                }
            }
        }
    };
}

of_exponential!(exp: exp_below softmax);
of_exponential!(accurate_exp: accurate_exp_below accurate_softmax);

chosen! {
    /// The layer norm of each row: `(a - mean) / sqrt(variance + 1e-5) * gain + bias`, with sums in `f64`.
    fn layer_norm(a: &[f32], gain: &[f32], bias: &[f32], out: &mut [f32]) -> ();
    requires a.len().is_multiple_of(WIDTH) && a.len() == out.len() && gain.len() == WIDTH && bias.len() == WIDTH && fits(out);
    {
        for y in (0..a.len()).step_by(WIDTH) {
            let (a, out) = (a.as_ptr().add(y), out.as_mut_ptr().add(y));
            let mut sums = S::splat_f64(0.0);
            for x in (0..WIDTH).step_by(BLOCK) {
                sums = S::add_f64(sums, S::widen(S::load_f32(a.add(x))));
            }
            let mean = S::splat((S::sum_f64(sums) / WIDTH as f64) as f32);
            let mut squares = S::splat_f64(0.0);
            for x in (0..WIDTH).step_by(BLOCK) {
                let distance = S::sub(S::load_f32(a.add(x)), mean);
                squares = S::add_f64(squares, S::widen(S::mul(distance, distance)));
            }
            let variance = S::sum_f64(squares) / WIDTH as f64;
            let scale = S::splat((1.0 / (variance + 1e-5).sqrt()) as f32);
            for x in (0..WIDTH).step_by(BLOCK) {
                let distance = S::sub(S::load_f32(a.add(x)), mean);
                let gain = S::mul(scale, S::load_f32(gain.as_ptr().add(x)));
                let result = S::mul_add(distance, gain, S::load_f32(bias.as_ptr().add(x)));
                S::store_f32::<STREAM>(out.add(x), result);
            }
        }
    }
}

/// The side of squares that are done one after the other: as many pages of the transposed operand as the processor
/// remembers the places of. Without them the loop takes twice the time.
const SQUARE: usize = 512;
/// Numbers in a cache line; squares of these are read and written as a whole.
const LINE: usize = 16;

chosen! {
    /// The transpose of `a` added to `b`, both squares of that side.
    fn add_transposed(a: &[f32], b: &[f32], side: usize, out: &mut [f32]) -> ();
    requires side.is_multiple_of(SQUARE) && [a.len(), b.len(), out.len()] == [side * side; 3] && fits(out);
    {
        let (a, b, out) = (a.as_ptr(), b.as_ptr(), out.as_mut_ptr());
        for (top, left) in squares(0..side, 0..side, SQUARE) {
            for (y, x) in squares(top..top + SQUARE, left..left + SQUARE, LINE) {
                for (y, x) in squares(y..y + LINE, x..x + LINE, S::SIDE) {
                    let at = y * side + x;
                    S::add_transposed::<STREAM>(out.add(at), a.add(x * side + y), b.add(at), side);
                }
            }
        }
    }
}

/// The upper left corners of squares of that side, row by row.
#[inline(always)]
fn squares(
    rows: Range<usize>,
    columns: Range<usize>,
    side: usize,
) -> impl Iterator<Item = (usize, usize)> {
    rows.step_by(side)
        .flat_map(move |y| columns.clone().step_by(side).map(move |x| (y, x)))
}
