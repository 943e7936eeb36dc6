//! Operations against loops written by hand, named `op/dtypes/size/impl`.
//!
//! `cargo bench --bench elementwise` runs all; a part of a name as argument runs those. Both sides make
//! a new result each time and free it. The loops by hand are compiled as any user's crate is, for the
//! target's baseline; the library chooses its instruction set at run time. Answers are compared before
//! anything is timed. At the end comes a table of medians, and of ratios, which on a shared machine mean
//! more than times.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, Throughput};
use supremum::prelude::*;

/// In the L1 cache with room to spare, in L1 or L2, in memory only.
const SIZES: [usize; 3] = [8, 8_192, 1 << 24];
const SIDE: usize = 2_048;
const MATRIX: usize = 256;

fn main() {
    let mut bench = Bench {
        criterion: Criterion::default()
            .warm_up_time(Duration::from_millis(300))
            .measurement_time(Duration::from_secs(1))
            .without_plots()
            .configure_from_args(),
        rows: Vec::new(),
    };
    for size in SIZES {
        bench.elementwise(size);
    }
    bench.sums();
    bench.products();
    bench.criterion.final_summary();
    bench.print();
}

struct Bench {
    criterion: Criterion,
    rows: Vec<Row>,
}

struct Row {
    name: String,
    library: Duration,
    by_hand: Duration,
}

impl Bench {
    fn elementwise(&mut self, size: usize) {
        let (a, b) = (floats(size, 1), floats(size, 2));
        let (x, y) = (vector::<F32>(&a), vector::<F32>(&b));
        self.compare(
            ("add/f32+f32", size, size),
            || &x + &y,
            || by_hand::add(&a, &b),
            |tensor, loops| tensor.to_vec() == *loops,
        );
        self.compare(
            ("cast/f32->bf16", size, size),
            || x.cast::<BF16>(),
            || by_hand::to_bf16(&a),
            |tensor, loops| tensor.to_vec() == *loops,
        );

        let a: Vec<f16> = a.into_iter().map(f16::from_f32).collect();
        let b: Vec<bf16> = b.into_iter().map(bf16::from_f32).collect();
        let (x, y) = (vector::<F16>(&a), vector::<BF16>(&b));
        self.compare(
            ("mul/f16*bf16->f32", size, size),
            || -> Tensor<F32, Rank1> { &x * &y },
            || by_hand::mul_halves(&a, &b),
            |tensor, loops| tensor.to_vec() == *loops,
        );

        let b = bytes(size, 2);
        let a: Vec<i8> = bytes(size, 1).into_iter().map(u8::cast_signed).collect();
        let (x, y) = (vector::<I8>(&a), vector::<U8>(&b));
        self.compare(
            ("add/i8+u8->i16", size, size),
            || -> Tensor<I16, Rank1> { &x + &y },
            || by_hand::add_bytes(&a, &b),
            |tensor, loops| tensor.to_vec() == *loops,
        );

        // Under the rules of JAX as it comes, a byte and a literal with a point meet in `f32`.
        let y = y.under::<JaxX32>();
        self.compare(
            ("normalise/u8->f32", size, size),
            || -> Tensor<F32, Rank1, JaxX32> { ((&y - 127.5) / 58.0).strong() },
            || by_hand::normalise(&b),
            |tensor, loops| tensor.to_vec() == *loops,
        );
    }

    fn sums(&mut self) {
        for size in SIZES {
            let a = floats(size, 3);
            let x = vector::<F32>(&a);
            self.compare(
                ("sum/f32", size, size),
                || x.sum(),
                || by_hand::sum(&a),
                |tensor, loops| tensor.item() == Ok(*loops),
            );
        }
        let a = floats(SIDE * SIDE, 3);
        let x: Tensor<F32, Rank2> = matrix(&a, SIDE);
        let name = |op| (op, format!("{SIDE}x{SIDE}"), SIDE * SIDE);
        self.compare(
            name("sum/f32"),
            || x.sum(),
            || by_hand::sum(&a),
            |tensor, loops| tensor.item() == Ok(*loops),
        );
        self.compare(
            name("sum_axis_0/f32"),
            || x.sum_axis(0),
            || by_hand::sum_rows(&a, SIDE),
            |tensor, loops| tensor.to_vec() == *loops,
        );
        self.compare(
            name("sum_axis_1/f32"),
            || x.sum_axis(1),
            || by_hand::sum_columns(&a, SIDE),
            |tensor, loops| tensor.to_vec() == *loops,
        );
    }

    fn products(&mut self) {
        let (a, b) = (floats(MATRIX * MATRIX, 4), floats(MATRIX * MATRIX, 5));
        let multiplications = MATRIX * MATRIX * MATRIX;
        let name = |op| (op, format!("{MATRIX}x{MATRIX}"), multiplications);
        let (x, y): (Tensor<F32, Rank2>, Tensor<F32, Rank2>) =
            (matrix(&a, MATRIX), matrix(&b, MATRIX));
        self.compare(
            name("matmul/f32"),
            || x.matmul(&y),
            || by_hand::matmul(&a, &b, MATRIX),
            |tensor, loops| tensor.to_vec() == *loops,
        );
        let (x, y) = (x.cast::<BF16>(), y.cast::<BF16>());
        let [a, b] = [a, b].map(|values| by_hand::to_bf16(&values));
        self.compare(
            name("matmul/bf16"),
            || x.matmul(&y),
            || by_hand::matmul_halves(&a, &b, MATRIX),
            |tensor, loops| tensor.to_vec() == *loops,
        );
    }

    /// Compares the answers, then times both sides.
    fn compare<T, L>(
        &mut self,
        (op, size, elements): (&str, impl ToString, usize),
        mut library: impl FnMut() -> T,
        mut by_hand: impl FnMut() -> L,
        agree: impl Fn(&T, &L) -> bool,
    ) {
        let name = format!("{op}/{}", size.to_string());
        assert!(agree(&library(), &by_hand()), "{name}: answers differ");
        let mut group = self.criterion.benchmark_group(&name);
        group.throughput(Throughput::Elements(elements.try_into().unwrap()));
        if elements > SIZES[1] {
            group.sampling_mode(SamplingMode::Flat).sample_size(20);
        }
        let times = (
            time(&mut group, "supremum", &mut library),
            time(&mut group, "by_hand", &mut by_hand),
        );
        group.finish();
        if let (Some(library), Some(by_hand)) = times {
            self.rows.push(Row {
                name,
                library,
                by_hand,
            });
        }
    }

    fn print(&self) {
        println!(
            "\n{:<30}{:>14}{:>14}{:>8}",
            "", "supremum", "by hand", "ratio"
        );
        for row in &self.rows {
            let ratio = row.library.as_secs_f64() / row.by_hand.as_secs_f64();
            let [library, by_hand] = [row.library, row.by_hand].map(readable);
            println!("{:<30}{library:>14}{by_hand:>14}{ratio:>8.2}", row.name);
        }
    }
}

/// The median time of a thousand runs, if the arguments select this one.
fn time<T>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    run: &mut impl FnMut() -> T,
) -> Option<Duration> {
    let mut samples = Vec::new();
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|iterations| {
            let start = Instant::now();
            for _ in 0..iterations {
                black_box(run());
            }
            let elapsed = start.elapsed();
            let iterations = u32::try_from(iterations).expect("a second's worth of runs");
            samples.push(elapsed * 1_000 / iterations);
            elapsed
        });
    });
    samples.sort_unstable();
    samples.get(samples.len() / 2).copied()
}

/// A time of a thousand runs as that of one.
fn readable(thousand: Duration) -> String {
    let nanoseconds = thousand.as_secs_f64() * 1e6;
    match nanoseconds {
        ..1e3 => format!("{nanoseconds:.1} ns"),
        ..1e6 => format!("{:.2} us", nanoseconds / 1e3),
        _ => format!("{:.2} ms", nanoseconds / 1e6),
    }
}

/// Evenly spread bytes, the same in every run.
fn bytes(count: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    (0..count).map(|_| next()).collect()
}

/// Integers from -4 to 3, so that sums in any order agree to the last bit.
fn floats(count: usize, seed: u64) -> Vec<f32> {
    let bytes = bytes(count, seed).into_iter();
    bytes.map(|byte| f32::from(byte >> 5) - 4.0).collect()
}

fn vector<D: StaticDType>(elements: &[D::Element]) -> Tensor<D, Rank1> {
    Tensor::from_slice(elements, [elements.len()]).unwrap()
}

fn matrix<D: StaticDType>(elements: &[D::Element], columns: usize) -> Tensor<D, Rank2> {
    Tensor::from_slice(elements, [elements.len() / columns, columns]).unwrap()
}

/// What a user would write without the library.
mod by_hand {
    use supremum::{bf16, f16};

    #[inline(never)]
    pub(super) fn add(a: &[f32], b: &[f32]) -> Vec<f32> {
        a.iter().zip(b).map(|(a, b)| a + b).collect()
    }

    #[inline(never)]
    pub(super) fn to_bf16(a: &[f32]) -> Vec<bf16> {
        a.iter().map(|a| bf16::from_f32(*a)).collect()
    }

    #[inline(never)]
    pub(super) fn mul_halves(a: &[f16], b: &[bf16]) -> Vec<f32> {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| a.to_f32() * b.to_f32()).collect()
    }

    #[inline(never)]
    pub(super) fn add_bytes(a: &[i8], b: &[u8]) -> Vec<i16> {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| i16::from(*a) + i16::from(*b)).collect()
    }

    #[inline(never)]
    pub(super) fn normalise(a: &[u8]) -> Vec<f32> {
        a.iter().map(|a| (f32::from(*a) - 127.5) / 58.0).collect()
    }

    #[inline(never)]
    pub(super) fn sum(a: &[f32]) -> f32 {
        a.iter().sum()
    }

    /// All rows into one.
    #[inline(never)]
    pub(super) fn sum_rows(a: &[f32], columns: usize) -> Vec<f32> {
        let mut sums = vec![0.0; columns];
        for row in a.chunks_exact(columns) {
            for (sum, a) in sums.iter_mut().zip(row) {
                *sum += a;
            }
        }
        sums
    }

    /// All columns into one.
    #[inline(never)]
    pub(super) fn sum_columns(a: &[f32], columns: usize) -> Vec<f32> {
        let rows = a.chunks_exact(columns);
        rows.map(|row| row.iter().sum()).collect()
    }

    #[inline(never)]
    pub(super) fn matmul(a: &[f32], b: &[f32], side: usize) -> Vec<f32> {
        let mut product = vec![0.0; side * side];
        for (sums, a) in product.chunks_exact_mut(side).zip(a.chunks_exact(side)) {
            for (a, b) in a.iter().zip(b.chunks_exact(side)) {
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += a * b;
                }
            }
        }
        product
    }

    /// In `f32`, rounded once, as the library does.
    #[inline(never)]
    pub(super) fn matmul_halves(a: &[bf16], b: &[bf16], side: usize) -> Vec<bf16> {
        let mut product = Vec::with_capacity(side * side);
        let mut sums = vec![0.0; side];
        for a in a.chunks_exact(side) {
            sums.fill(0.0);
            for (a, b) in a.iter().zip(b.chunks_exact(side)) {
                for (sum, b) in sums.iter_mut().zip(b) {
                    *sum += a.to_f32() * b.to_f32();
                }
            }
            product.extend(sums.iter().map(|sum| bf16::from_f32(*sum)));
        }
        product
    }
}
